#!/bin/bash
# Data of files is what the rules of the original say, written and read by
# either; what is wrong in it is found and told, and nothing else is.
set -eu
# shellcheck source=lib.bash
. "$(dirname "$0")/lib.bash"
build_recorder
shopt -s extglob
base=$TEST_DIR/base
d=$base/D
tree=$d/test-dir.0-0/mdtest_tree.0
log=$TEST_DIR/log

part() {
    title=$1
    rm -rf "$base" "$log".* "$TEST_DIR/status"
    mkdir "$base"
}

data() { # NP ARGS...: with files alone
    local np=$1
    shift
    run "$np" - -F "$@" -d "$d"
}

# pattern TYPE SEED OWNER ITEM BYTES: what the original writes; TYPE may be a
# whole name.
pattern() {
    perl "$here/pattern.pl" "${1:0:1}" "${@:2}"
}

# original TYPE SEED TASKS ITEMS BYTES: a tree as the original writes it.
original() {
    local owner item
    rm -rf "$d"
    mkdir -p "$tree"
    for ((owner = 0; owner < $3; owner++)); do
        for ((item = 0; item < $4; item++)); do
            pattern "$1" "$2" "$owner" "$item" "$5" \
                >"$tree/file.mdtest.$owner.$item"
        done
    done
}

# poke FILE OFFSET BYTES: bytes as printf takes them.
poke() {
    # shellcheck disable=SC2059
    printf "$3" | dd of="$1" bs=1 seek="$2" conv=notrunc 2>/dev/null
}

# word FILE OFFSET: the word there, in hexadecimal.
word() {
    od -A n -t x8 -j "$2" -N 8 "$1" | tr -d ' '
}

# --- the same data as the original ------------------------------------------------

for type in timestamp offset incompressible random; do
    part "what the original wrote as $type is right"
    for seed_bytes in "1000 4120" "-7 4099" "0 8" "2147483647 9001" "5 7" \
        "-2147483648 17"; do
        seed=${seed_bytes% *}
        bytes=${seed_bytes#* }
        original $type "$seed" 1 3 "$bytes"
        data 1 -E -X -n 3 -e "$bytes" -G "$seed" --dataPacketType=$type
        expect_status 0 || true
    done
    original $type 1234 3 2 4200
    data 3 -E -X -n 2 -e 4200 -G 1234 --dataPacketType=${type:0:1} -N 1
    expect_status 0 "three tasks, rotated" || true
    expect_no_line '^ERROR' "nothing is wrong" || true

    part "what is written as $type is what the original writes"
    data 2 -C -n 2 -w 8209 -G -7 --dataPacketType=$type
    expect_status 0 || true
    for file in 0.0 0.1 1.0 1.1; do
        pattern $type -7 "${file%.*}" "${file#*.}" 8209 >"$TEST_DIR/want"
        expect_same_file "$file" "$TEST_DIR/want" "$tree/file.mdtest.$file" ||
            true
    done
done

part "timestamp is the default"
data 1 -C -n 1 -w 24 -G 77
pattern t 77 0 0 24 >"$TEST_DIR/want"
expect_same_file "contents" "$TEST_DIR/want" "$tree/file.mdtest.0.0" || true

part "-S writes the data of rank 0"
data 2 -C -S -n 2 -w 24 -G 5 --dataPacketType=random
for item in 0 1; do
    pattern r 5 0 $item 24 >"$TEST_DIR/want"
    expect_same_file "item $item" "$TEST_DIR/want" \
        "$tree/file.mdtest.shared.$item" || true
done
data 2 -E -S -X -n 2 -e 24 -G 5 --dataPacketType=random -N 1
expect_status 0 || true

part "-c writes the data of each task"
data 2 -C -c -n 2 -w 24 -G 5 --dataPacketType=offset
expect_status 0 || true
for file in 0.0 0.1 1.0 1.1; do
    pattern o 5 "${file%.*}" "${file#*.}" 24 >"$TEST_DIR/want"
    expect_same_file "$file" "$TEST_DIR/want" "$tree/file.mdtest.$file" || true
done

part "in a tree of loops the item is the number in the name"
data 1 -C -n 4 -I 2 -z 1 -b 2 -w 16 -G 5 --dataPacketType=offset
expect_status 0 || true
while read -r file; do
    pattern o 5 0 "${file##*.}" 16 >"$TEST_DIR/want"
    expect_same_file "$file" "$TEST_DIR/want" "$file" || true
done < <(find "$d" -type f | sort)
data 1 -E -X -n 4 -I 2 -z 1 -b 2 -e 16 -G 5 --dataPacketType=offset
expect_status 0 || true

# --- all kinds, in all modes ------------------------------------------------------

for type in timestamp offset incompressible random unique noise; do
    part "$type: written and read, in one launch and in several"
    data 2 -n 3 -w 4211 -e 4205 --verify-write -X --dataPacketType=$type -N 1
    expect_status 0 "one launch, read in part" || true
    data 2 -C -n 3 -w 4211 -G 99 --dataPacketType=$type -u
    expect_status 0 || true
    data 2 -E -X -n 3 -e 4211 -G 99 --dataPacketType=$type -u -R7
    expect_status 0 "another launch, in random order" || true
    data 1 -E -X -n 2 -e 4211 -G 98 --dataPacketType=$type -u
    expect_status 1 "another seed" || true
    expect_failed "File read" "2 of 2 (EBADMSG 2)" || true
    for file_offset in 0.1:0 1.2:2400 0.0:4200 1.1:4210; do
        file=$tree
        file=${file/mdtest_tree.0/mdtest_tree.${file_offset%%.*}.0}
        file=$file/file.mdtest.${file_offset%:*}
        poke "$file" "${file_offset#*:}" '\245'
    done
    data 2 -E -X -n 3 -e 4211 -G 99 --dataPacketType=$type -u
    expect_status 1 || true
    expect_failed "File read" "4 of 6 (EBADMSG 4)" || true
done

part "unique: the contents of another file are told"
data 2 -C -n 3 -w 100 -G 4 --dataPacketType=unique
cp "$tree/file.mdtest.1.2" "$tree/file.mdtest.0.1"
data 2 -E -X -n 3 -e 100 -G 4 --dataPacketType=unique
expect_failed "File read" "1 of 6 (EBADMSG 1)" || true
if ! grep -q 'file\.mdtest\.0\.1' "$err" || ! grep -Eq \
    'file\.mdtest\.1\.2|rank 1.*item 2|item 2.*rank 1' "$err"; then
    bad_with_output "it is not told whose contents were found"
fi
part "noise and unique: no two files begin alike, however short"
for type in unique noise; do
    run 1 - -F -n 4 -w 8 -C --dataPacketType=$type -d "$base/$type"
    expect_equal "different files of 8 bytes" 4 \
        "$(cat "$base/$type"/test-dir.0-0/mdtest_tree.0/file* |
            od -A n -v -t x8 -w8 | sort -u | wc -l)" || true
done

# --- what is wrong -----------------------------------------------------------------

# found OFFSET [EXPECTED FOUND]: the last run told of file 1.1, read by rank 1,
# and the words.
found() {
    local what
    expect_status 1 || return 0
    expect_failed "File read" "1 of 6 (EBADMSG 1)" || true
    for what in "$tree/file.mdtest.1.1" "rank 1" "(offset|byte)[ =]$1([^0-9]|\$)" \
        "${@:2}"; do
        if ! grep -Eq -- "$what" "$err"; then
            bad_with_output "the message does not tell $what"
        fi
    done
    if [ "$(grep -c 'file\.mdtest' "$err")" -ne 1 ]; then
        bad_with_output "not one message"
    fi
}

for offset in 0 2048 4112; do
    part "the word at $offset is wrong"
    original offset 31 2 3 4123
    file=$tree/file.mdtest.1.1
    want=$(word "$file" "$offset")
    poke "$file" "$offset" '\336\300\255\336\357\276\255\336'
    data 2 -E -X -n 3 -e 4123 -G 31 --dataPacketType=offset
    # Leading zeros or none.
    found "$offset" "${want##+(0)}" deadbeefdeadc0de
done
part "one bit of a word is wrong"
original timestamp 31 2 3 64
poke "$tree/file.mdtest.1.1" 16 '\341' # 0x21 + 0xc0
data 2 -E -X -n 3 -e 64 -G 31
found 16 100000021 1000000e1
part "the last byte of the tail is wrong"
original timestamp 31 2 3 4123
poke "$tree/file.mdtest.1.1" 4122 '\000'
data 2 -E -X -n 3 -e 4123 -G 31
found 4120 '18 19 1a' '18 19 00'

part "the number of errors stands after the tables"
original timestamp 31 2 3 16
for file in 0.0 0.2 1.1; do
    poke "$tree/file.mdtest.$file" 3 x
done
data 2 -E -X -n 3 -e 16 -G 31 -P
expect_status 1 || true
expect_equal "an empty line, the line, an empty line" \
    "|ERROR: verification failed 3||-- finished" \
    "$(sed -n '/^SUMMARY time/,$p' "$out" | sed -n '/^$/,/^-- finished/p' | head -n 4 |
        sed -E -e 's/^(ERROR: verification failed)[^0-9]*([0-9]+).*/\1 \2/' \
            -e 's/^(-- finished).*/\1/' | paste -sd '|')" || true
expect_failed "File read" "3 of 6 (EBADMSG 3)" || true
data 2 -E -X -n 3 -e 16 -G 31 --tolerate=3
expect_status 0 "what is tolerated" || true

# --- in part, and too short -----------------------------------------------------------

for w_e in "16 10" "100 99" "4120 4101" "9 8" "8 7" "4121 4120"; do
    part "of ${w_e% *} bytes ${w_e#* } are read"
    for type in timestamp random; do
        data 1 -n 2 -w "${w_e% *}" -e "${w_e#* }" -X --dataPacketType=$type
        expect_status 0 || true
    done
done
part "what is not read is not checked, what is read is"
original timestamp 8 1 1 24
poke "$tree/file.mdtest.0.0" 20 x
data 1 -E -X -n 1 -e 20 -G 8
expect_status 0 "a wrong byte behind the last one" || true
data 1 -E -X -n 1 -e 21 -G 8
expect_status 1 "a wrong byte, the last one" || true
expect_failed "File read" "1 of 1 (EBADMSG 1)" || true

part "files that are too short"
original timestamp 8 2 2 24
truncate -s 23 "$tree/file.mdtest.0.1"
truncate -s 0 "$tree/file.mdtest.1.1"
data 2 -E -X -n 2 -e 24 -G 8
expect_status 1 || true
expect_failed "File read" "2 of 4 (ENODATA 2)" || true

# --- seeds ----------------------------------------------------------------------------

part "a seed is needed to check what another launch wrote"
data 2 -C -n 2 -w 24
expect_status 0 || true
told=$(cat "$out" "$err" | grep -Ei 'seed|-G' | grep -Eo -- '-?[0-9]{4,}' |
    tail -n 1)
if [ -z "$told" ]; then
    bad_with_output "the seed is not told"
fi
data 2 -E -X -n 2 -e 24
refused "no seed" '-G|seed' || true
data 2 -E -X -n 2 -e 24 -G "${told:-0}"
expect_status 0 "the seed that was told" || true
part "the status file keeps the seed"
data 2 -C -n 2 -w 24 -x "$TEST_DIR/status"
data 2 -E -X -n 2 -e 24 -x "$TEST_DIR/status"
expect_status 0 || true
part "-G -1 is the time of day, other seeds are told by the status file, too"
data 2 -C -n 2 -w 24 -G -1 -x "$TEST_DIR/status"
data 1 -E -X -n 2 -e 24 -x "$TEST_DIR/status"
expect_status 0 || true
data 1 -E -X -n 2 -e 24 -G 3 -x "$TEST_DIR/status"
expect_status_in "1 2" "a seed that contradicts it" || true
part "nothing is checked that was not written"
run 1 - -F -n 2 -X -e 4 -d "$d"
refused "reading more than is written" '-[ew]' || true

# --- calls --------------------------------------------------------------------------------

# data_calls ARGS...: what is done to the first file, in words.
data_calls() {
    export TREEMARK_RECORD_DATA=1
    rm -rf "$log".* "$d"
    record "$log" "$d" 1 - -F -n 1 "$@" -d "$d"
    unset TREEMARK_RECORD_DATA
    expect_status 0 || true
    awk '/file\.mdtest\.0\.0/ { $NF = ""; print }' "$log.0" |
        sed -E 's/ +$//' | paste -sd ';'
}

part "natively a file is written and read without a seek"
expect_equal "calls" "open O_RDWR|O_CREAT;write 24;close;stat;\
open O_RDONLY;read 24;close;unlink" "$(data_calls -w 24 -e 24)" || true
part "as the original, each transfer has its seek"
expect_equal "calls" "open O_RDWR|O_CREAT;lseek 0;write 24;close;stat;\
open O_RDWR;lseek 0;read 24;close;unlink" \
    "$(data_calls --as=mdtest-4.1 -w 24 -e 24)" || true
part "-y syncs after the write"
expect_equal "calls" "open O_RDWR|O_CREAT;write 24;fsync;close" \
    "$(data_calls -w 24 -y -C)" || true
part "--verify-write reads through the same descriptor"
expect_equal "calls" "open O_RDWR|O_CREAT;write 24;lseek 0;read 24;close" \
    "$(data_calls -w 24 --verify-write -C)" || true
expect_equal "calls, as the original" \
    "open O_RDWR|O_CREAT;lseek 0;write 24;lseek 0;read 24;close" \
    "$(data_calls --as=mdtest-4.1 -w 24 --verify-write -C)" || true
part "--verify-write goes with -c"
data 2 -n 2 -w 24 -e 24 -c --verify-write -X
expect_status 0 || true

part "a file system that moves 5 bytes at a time"
export TREEMARK_RECORD_SHORT=5
for as in treemark mdtest-4.1; do
    record "$log" "$d" 1 - -F -n 2 -w 24 -e 24 -X --verify-write --as=$as \
        -d "$d"
    expect_status 0 "$as" || true
done
unset TREEMARK_RECORD_SHORT

part "a file system that loses what is written"
export TREEMARK_RECORD_SPOIL=1
record "$log" "$d" 1 - -F -C -n 2 -w 24 --verify-write -d "$d"
unset TREEMARK_RECORD_SPOIL
expect_status 1 || true
expect_failed "File creation" "2 of 2 (EBADMSG 2)" || true
expect_line '^ERROR: verification failed[^0-9]*2([^0-9]|$)' "the number" || true
finish
