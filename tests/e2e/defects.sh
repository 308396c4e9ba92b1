#!/bin/bash
# What was wrong in the original, number by number (W1 to W64; W57 are
# features that it lacks): each part fails on what the original does.  Parts
# that other tests treat at length are short here.
set -eu
# shellcheck source=lib.bash
. "$(dirname "$0")/lib.bash"
build_recorder
base=$TEST_DIR/base
d=$base/D
tree=$d/test-dir.0-0/mdtest_tree.0
log=$TEST_DIR/log

# defect TITLE: a new part; nothing is left of the one before.
defect() {
    title=$1
    rm -rf "$base" "$log".* "$TEST_DIR"/status*
    mkdir "$base"
    cd "$base"
}

# dummy NP ARGS...: where nothing is stored.
dummy() {
    local np=$1
    shift
    run "$np" - -a DUMMY -d "$d" "$@"
}

# refuse NP REGEX ARGS...: refused, and nothing touched.
refuse() {
    local np=$1 regex=$2
    shift 2
    run "$np" - "$@"
    refused "$*" "$regex" || true
    expect_empty_dir "what was refused" "$base" || true
}

# slowly NP USEC ARGS...: on a file system that takes so long to make an item
# on rank 0.
slowly() {
    local np=$1
    export TREEMARK_RECORD_DELAY=$2 TREEMARK_RECORD_DELAYED=0
    shift 2
    record "$log" "$d" "$np" - "$@" -d "$d"
    unset TREEMARK_RECORD_DELAY TREEMARK_RECORD_DELAYED
}

files() { find "$d" -type f -name 'file.mdtest*' | wc -l; }

# first_line FILE: nothing if there is none.
first_line() { sed -n 1p "$1" 2>/dev/null || true; }

# --- options -------------------------------------------------------------------

defect "W1: a value that is attached is no more options"
run 1 - -F -C -n2k -w1k "-d$d"
expect_status 0 || true
expect_equal "files of -n2k" 2048 "$(files)" || true
expect_equal "mode and size, though there is a k" "664 1024" \
    "$(umask 002 && stat -c '%a %s' "$tree/file.mdtest.0.0" |
        sed 's/^644/664/')" || true
defect "W1: letters that take a value stand last"
refuse 1 '-n' -nF 2 -d "$d"

defect "W2: -B is a flag"
run 1 - -F -n 2 -B -d "$d"
expect_status 0 || true
expect_line "^Path  *: $d\$" "-B swallows nothing" || true
dummy 2 -F -n 2 -B 1
expect_status 0 "a number behind -B" || true

defect "W7: a flag with an empty value is refused"
refuse 1 '-F' -n 2 -F= -d "$d"

defect "W24: what is no whole number is refused"
for number in 1e6 1.5k 0x10 10x 10kib3; do
    refuse 1 '-n' -F -n "$number" -d "$d"
done

defect "W25: a negative or huge number of items is refused"
for number in -5 abc 99999999999999999999; do
    refuse 1 '-n' -F -n "$number" -d "$d"
done

defect "W26: a plan without an item is refused"
refuse 1 '-n' -F -d "$d"
refuse 1 '-n' -F -n 2 -z 1 -b 2 -d "$d"

defect "W27: iterations that cannot be are refused"
for number in 0 -1 99999999999; do
    refuse 1 '-i' -F -n 1 -i "$number" -d "$d"
done
refuse 1 '-n' -i 2000000 -n 0 -a DUMMY -d "$d"

defect "W29: a negative stride is refused"
refuse 2 '-N' -F -n 2 -N -1 -d "$d"

defect "W34: a scan that cannot end is refused"
refuse 2 '-s' -F -n 1 -l 2 -s 0 -d "$d"
refuse 2 '-s' -F -n 1 -l 2 -s -1 -d "$d"
refuse 2 '-f' -F -n 1 -l 2 -f 0 -d "$d"
defect "W34: -f without -l is said to do nothing"
dummy 2 -F -n 1 -f 2
expect_line '^WARNING: .*-f.*\(NO_EFFECT\)$' "" || true

defect "W35: trees that are too big or too deep are refused"
refuse 1 '-[nbz]' -F -n 10 -z 60 -b 3 -d "$d"
refuse 1 '-[nbz]|path|long' -F -n 2000 -z 400 -d "$d"
refuse 1 '-[bz]' -F -n 1 -b -1 -z 1 -d "$d"

defect "W36: an empty directory in a list is refused, an @ can be escaped"
refuse 3 '-d' -F -n 1 -u -d "$d@@$base/E"
refuse 1 '-d' -F -n 1 -u -d "@"
run 1 - -F -n 1 -C -d "$base/at\\@sign"
expect_status 0 || true
expect_equal "the name with an @" "at@sign" "$(ls "$base")" || true

defect "W23: paths that are too long are refused"
long=$(printf 'x%.0s' {1..200})
deep=$d
while [ ${#deep} -lt 5000 ]; do
    deep=$deep/$long
done
refuse 1 'long|-d' -F -n 1 -d "${deep:0:4057}"
refuse 1 'long|-d' -F -n 1 -d "${deep:0:5000}"

defect "W38: --warningAsErrors is not about reading nothing"
# Each phase is long enough, so that READ_ZERO should be the only warning.
dummy 1 -F -n 20 --warningAsErrors --dummy.delay-create=500 \
    --dummy.delay-open=500 --dummy.delay-stat=500 --dummy.delay-remove=2500 \
    --dummy.delay-mkdir=4000
expect_line '\(READ_ZERO\)$' "" || true
if [ "$(grep -c '^WARNING' "$out")" -eq 1 ]; then
    expect_status 0 || true
fi
dummy 1 -F -n 20 -C --warningAsErrors -b 3
expect_line '\(NO_EFFECT\)$' "" || true
expect_status 1 "but about others" || true

defect "W39: help is printed once, and it is no failure"
run 2 - --help
expect_status 0 || true
expect_equal "how often -n is explained" 1 \
    "$(grep -Ec '^ +-n\b' "$out")" || true
refuse 4 '-q' -q -F -n 2 -u -L -d "$d"

defect "W46: -t is said to have no effect"
run 2 - -F -n 1 -u -t -d "$d"
expect_status 0 || true
expect_line "^-t: no clock" "" || true

defect "W59: the manual knows every option that --help knows"
run 1 - --help
man=$here/../../man/treemark-mdtest.1
grep -Eo -- '^ +(-[A-Za-z0-9], )?--?[A-Za-z0-9.-]+' "$out" | tr -d ' ' |
    tr ',' '\n' | sed -E 's/^-+//' | sort -u >"$TEST_DIR/options"
within "options in the help" 50 200 "$(wc -l <"$TEST_DIR/options")" || true
while read -r option; do
    if ! grep -E '^\.It .*Fl|^\.Fl' "$man" | grep -Eq -- \
        "Fl (\\\\&)?-?${option//./\\.}( |\$)"; then
        bad "no paragraph about $option"
    fi
done <"$TEST_DIR/options"

# --- numbers -------------------------------------------------------------------

defect "W3: what fails is not counted, and makes the status 1"
mkdir "$d"
run 1 - -D -n 6 -U -d "$d"
expect_status 1 || true
expect_equal "rate of renames that all failed" 0.000 \
    "$(row "Directory rename")" || true
run 2 - -n 3 -T -d "$d"
expect_status 1 || true
expect_failed "File stat" "6 of 6 (ENOENT 6)" || true
expect_equal "rate" 0.000 "$(row "Directory stat")" || true
rmdir "$d"
echo precious >"$d"
run 1 - -D -n 2 -d "$d"
expect_status_in "1 2" || true
expect_no_line '^   Directory creation +[1-9]' "no rate on a file" || true

defect "W4: the time table is in seconds, and says so"
dummy 1 -F -C -n 20 -Z --dummy.delay-create=10000
expect_line '^SUMMARY time \(in seconds per phase\)' "title" || true
within "seconds of 20 creations of 10 ms" 0.199 2 \
    "$(time_row "File creation")" || true

defect "W5: a stonewalled directory creation counts what it made"
dummy 1 -D -C -n 50000000 -W 1 -P --dummy.delay-mkdir=20000
expect_status 0 || true
within "directories of 20 ms in a second" 5 60 \
    "$(counted "Directory creation")" || true
defect "W5: the slower tasks then make as many directories as the fastest"
slowly 2 20000 -D -C -n 60 -W 1
expect_status 0 || true
expect_equal "directories of rank 0" 60 \
    "$(find "$tree" -name 'dir.mdtest.0.*' | wc -l)" || true
expect_line '^Continue stonewall hit min: [0-9]+ max: 60 ' "" || true

defect "W10: with -n and -I each item that is made is counted and visited"
record "$log" "$d" 1 - -n 4 -I 2 -z 1 -b 2 -d "$d"
expect_status 0 || true
expect_line '^1 tasks?, 12 files/directories$' "2 x 3 x 2 items" || true
for what in 'open O_RDWR|O_CREAT' stat 'open O_RDONLY' unlink; do
    expect_equal "$what of files" 12 \
        "$(grep -F "$what " "$log.0" | grep -c '/file\.mdtest')" || true
done
defect "W10: no iteration counts more than the one before"
dummy 1 -F -n 4 -I 2 -z 1 -b 2 -i 3 -P --dummy.delay-create=5000
within "12 creations of 5 ms, in the best iteration" 20 201 \
    "$(row "File creation")" || true
within "and in the worst" 20 201 "$(row "File creation" 2)" || true
within "seconds of an iteration" 0.06 2 "$(time_row "File creation" 2)" || true

defect "W11: a stonewall counts over the whole tree"
run 1 - -F -n 10 -z 1 -W 60 -C -x "$TEST_DIR/status" -d "$d"
expect_status 0 || true
expect_no_line 'Continue stonewall' "the limit was not reached" || true
expect_equal "files in the status file" 10 \
    "$(first_line "$TEST_DIR/status")" || true
defect "W11: what a stonewall leaves are the first items in a tree"
slowly 1 20000 -F -C -n 1000 -z 1 -b 2 -W 1
expect_status 0 || true
within "files of 20 ms in a second" 5 60 "$(files)" || true
model 1 0 "" -F -C -n 1000 -z 1 -b 2 | awk '$2 == "create" { print $3 }' |
    head -n "$(files)" | sort >"$TEST_DIR/want"
(cd "$base" && find D -type f | sort) >"$TEST_DIR/got"
expect_same_file "names" "$TEST_DIR/want" "$TEST_DIR/got" || true

defect "W12: a stonewall counts over all test directories"
run 1 - -F -n 20 -I 5 -W 60 -x "$TEST_DIR/status" -d "$d"
expect_status 0 || true
expect_no_line 'Continue stonewall' "the limit was not reached" || true
expect_equal "files in the status file" 20 \
    "$(first_line "$TEST_DIR/status")" || true

defect "W13: a stonewall with -c leaves each task as many files"
slowly 2 20000 -F -c -C -n 1000 -W 1 -P -x "$TEST_DIR/status"
expect_status 0 || true
made=$(first_line "$TEST_DIR/status")
within "files of each task" 2 80 "$made" || true
for rank in 0 1; do
    expect_equal "files of rank $rank" "$made" \
        "$(find "$tree" -name "file.mdtest.$rank.*" | wc -l)" || true
done
close_to "files that are counted" "$(files)" "$(counted "File creation")" 2 ||
    true
run 2 - -F -c -T -E -r -n 1000 -x "$TEST_DIR/status" -d "$d"
expect_status 0 "what was made is there" || true
expect_empty_dir "after -r" "$d" || true

defect "W8: random order visits what a stonewall left, and all loops"
slowly 1 20000 -F -R --random-seed=3 -n 1000 -W 1
expect_status 0 || true
expect_empty_dir "" "$base" || true
made=$(grep -c 'O_CREAT.*file\.mdtest' "$log.0" || true)
within "files" 5 60 "$made" || true
for what in stat 'open O_RDONLY' unlink; do
    expect_equal "$what: every file once" "$made" \
        "$(grep "^$what .*file\.mdtest" "$log.0" | sort -u | wc -l)" || true
done
run 1 - -F -R -n 4 -I 2 -d "$d"
expect_status 0 "-R with loops" || true

defect "W63: a stonewall is decided anew in each iteration"
dummy 2 -F -C -n 60 -W 1 -i 2 --dummy.delay-create=25000 \
    --dummy.delay-only-rank0
expect_status 0 || true
expect_equal "lines, one for each iteration" 2 \
    "$(grep -c '^Continue stonewall hit min: [0-9]* max: 60 ' "$out")" || true

defect "W20: tree rows count all trees"
dummy 2 -F -u -z 2 -b 2 -I 1 -P --dummy.delay-mkdir=3000 \
    --dummy.delay-remove=3000
close_to "2 trees of 7 made" 14 "$(counted "Tree creation")" 5 || true
close_to "2 trees of 7 removed" 14 "$(counted "Tree removal")" 5 || true
dummy 1 -F -n 4 -I 1 -P --dummy.delay-mkdir=5000
close_to "4 trees of 1" 4 "$(counted "Tree creation")" 5 || true

defect "W45: -S counts files once in the headline, opens and removals as done"
dummy 2 -F -S -n 20 -P --dummy.delay-create=5000 --dummy.delay-remove=5000
expect_status 0 || true
expect_line '^2 tasks, 20 files$' "headline" || true
close_to "opens" 40 "$(counted "File creation")" 3 || true
close_to "removals" 20 "$(counted "File removal")" 3 || true

defect "W48: the time of day may jump, and nothing is infinite"
counter=$TEST_DIR/counter.so
can_count=no
case ${SAN:-} in
'')
    "${CC:-cc}" -O1 -Wall -Wextra -fPIC -shared -o "$counter" \
        "$here/counter.c" -ldl
    can_count=yes
    ;;
*) echo "not tried: counting, on a sanitized program" ;;
esac
# count_calls ARGS...: mdtest on one rank; sets n_<name> for what it counts.
count_calls() {
    local name value
    last_run="mdtest $* [counted]"
    status=0
    rm -f "$TEST_DIR/counts.0"
    env LD_PRELOAD="$counter" TREEMARK_COUNT_TO="$TEST_DIR/counts" \
        timeout -k 5 60 "$mdtest" "$@" </dev/null >"$out" 2>"$err" || status=$?
    while read -r name value; do
        printf -v "n_$name" %s "$value"
    done < <(cat "$TEST_DIR/counts.0")
}
dummy 1 -F -n 1
expect_no_line 'inf|nan|[0-9]{30}' "one operation" || true
if [ $can_count = yes ]; then
    export TREEMARK_COUNT_JUMPS=1
    count_calls -a DUMMY -F -C -n 50 -P --dummy.delay-create=2000 -d "$d"
    unset TREEMARK_COUNT_JUMPS
    expect_status 0 || true
    within "seconds of 50 creations of 2 ms" 0.1 3 \
        "$(time_row "File creation")" || true
fi

defect "W54: the rates of ranks before the last barrier can be had"
dummy 2 -F -C -n 40 --print-all-procs --dummy.delay-create=5000 \
    --dummy.delay-only-rank0
expect_status 0 || true
if ! awk '/^Test File creation/ { split($4, rate, ",")
        exit !(rate[1] > 0 && rate[1] < 201 && rate[2] > 5 * rate[1]) }' \
    "$out"; then
    bad_with_output "no rate of rank 1 above that of rank 0"
fi
defect "W54: the rate is of all operations in the longest time"
dummy 2 -F -C -n 40 -P --dummy.delay-create=5000 --dummy.delay-only-rank0
close_to "operations" 80 "$(counted "File creation")" 2 || true

defect "W60: a chain of renames counts as many as it makes"
record "$log" "$d" 1 - -D -C -U -r -n 5 -d "$d"
expect_equal "renames" 5 "$(grep -c '^rename ' "$log.0")" || true
dummy 1 -D -C -U -n 5 -P --dummy.delay-rename=5000
close_to "renames that are counted" 5 "$(counted "Directory rename")" 3 || true
refuse 1 '-U|-n' -D -U -n 1 -d "$d"

defect "W62: stat looks at what it finds"
run 1 - -F -C -n 4 -w 10 -d "$d"
truncate -s 0 "$tree/file.mdtest.0.1"
truncate -s 11 "$tree/file.mdtest.0.2"
rm "$tree/file.mdtest.0.3"
mkdir "$tree/file.mdtest.0.3"
run 1 - -F -T -n 4 -w 10 -d "$d"
expect_status 1 || true
for why in "ENODATA 1" "EFBIG 1" "EBADMSG 1"; do
    if [[ $(failed "File stat") != "3 of 4 "*"$why"* ]]; then
        bad_with_output "no $why"
    fi
done
run 1 - -F -T -n 3 -d "$d"
expect_status 0 "without -w any size is right" || true

# --- modes that did not work ----------------------------------------------------

defect "W9: nested trees of each task can be rotated"
for options in "-F -n 4 -u -N 1 -z 1 -b 2 -L" "-D -n 4 -u -N 1 -z 1"; do
    read -r -a args <<<"$options"
    run 2 - "${args[@]}" -d "$d"
    expect_status 0 || true
    expect_empty_dir "$options" "$base" || true
done

defect "W15: -c goes with -u"
run 2 - -n 3 -c -u -d "$d"
expect_status 0 || true
expect_no_line '^ +failed ' "" || true
expect_empty_dir "" "$base" || true

defect "W32: -k goes with what it can go with"
refuse 2 '-k|-S' -F -n 2 -k -S -d "$d"
run 2 - -F -n 2 -k -c -d "$d"
expect_status_in "0 2" || true
expect_empty_dir "" "$base" || true
dummy 1 -F -n 2 -k
expect_status 0 "where nothing is stored" || true
if [ "$(id -u)" -eq 0 ] && setpriv --reuid=65534 --regid=65534 \
    --clear-groups test -x "$mdtest" -a -x "$TEST_DIR" 2>/dev/null; then
    chmod 777 "$base"
    last_run="mdtest -F -n 2 -k as nobody"
    status=0
    setpriv --reuid=65534 --regid=65534 --clear-groups "$mdtest" -F -n 2 -k \
        -d "$d" </dev/null >"$out" 2>"$err" || status=$?
    expect_status 0 "reading needs no right to write" || true
fi

defect "W32b: with -S all tasks write the same data"
run 2 - -F -S -n 2 -w 20 -e 20 -X -d "$d"
expect_status 0 || true
expect_no_line '^ERROR|^ +failed ' "" || true

# --- data -----------------------------------------------------------------------

defect "W14: a file that is too short is closed"
run 1 - -F -C -n 200 -w 5 -d "$d"
last_run="mdtest -E -e 9 of 5 bytes with 64 descriptors"
status=0
(
    ulimit -n 64
    exec "$mdtest" -F -E -n 200 -e 9 --max-errors 0 -d "$d"
) </dev/null >"$out" 2>"$err" || status=$?
expect_status 1 || true
expect_failed "File read" "200 of 200 (ENODATA 200)" || true

# words FILE...: the 8-byte words.
words() { cat "$@" | od -A n -t x8 -v -w8; }

defect "W17: there is data that does not compress"
run 1 - -F -C -n 2 -w 8k --dataPacketType=noise -d "$d"
expect_status 0 || true
expect_equal "words of two files that are there once only" 2048 \
    "$(words "$tree"/file.mdtest.0.[01] | sort -u | wc -l)" || true

defect "W18: there is data that tells files apart"
run 1 - -F -C -n 2 -w 64 -G -7 --dataPacketType=unique -d "$d"
expect_status 0 || true
cp "$tree/file.mdtest.0.1" "$tree/file.mdtest.0.0"
run 1 - -F -E -X -n 2 -e 64 -G -7 --dataPacketType=unique -d "$d"
expect_status 1 || true
expect_failed "File read" "1 of 2 (EBADMSG 1)" || true

defect "W19: a file may be read and checked in part"
run 1 - -F -n 2 -w 16 -e 10 -X -d "$d"
expect_status 0 || true

defect "W31: checking needs a seed, and a creation tells it"
run 1 - -F -C -n 2 -w 16 -d "$d"
if ! cat "$out" "$err" | grep -Eq -- '-G[ =]?-?[0-9]+|seed.*[0-9]{5,}'; then
    bad_with_output "the seed is not told"
fi
tree_of "$d" >"$TEST_DIR/before"
run 1 - -F -E -X -n 2 -e 16 -d "$d"
refused "-X alone" '-G|seed' || true

defect "W61: the time of an operation is that of its calls"
dummy 1 -F -C -n 50 -w 4m -Z --dataPacketType=noise \
    --savePerOpDataCSV="$TEST_DIR/status"
expect_status 0 || true
whole=$(time_row "File creation")
calls_s=$(awk -F , '$2 + 0 > 0 { s += $2 } END { print s + 0 }' \
    "$TEST_DIR/status-File-creation-00000.csv" 2>/dev/null || true)
if ! awk -v calls="$calls_s" -v whole="$whole" \
    'BEGIN { exit !(calls > 0 && calls < whole / 3) }'; then
    bad "200 MiB were made up in $whole s, of which '$calls_s' s are calls"
fi
dummy 1 -F -C -n 50 -w 1m --dataPacketType=noise -v
if ! grep -Eq 'file creation: [0-9]+% of the time went into filling' "$err"; then
    bad_with_output "-v does not tell what data costs"
fi

defect "W28: each test of a scan counts its own errors"
run 2 - -F -C -n 3 -w 16 -G 5 -d "$d"
for rank in 0 1; do
    printf x | dd of="$tree/file.mdtest.$rank.1" conv=notrunc 2>/dev/null
done
run 2 - -F -E -X -n 3 -e 16 -G 5 -f 1 -l 2 -d "$d"
expect_status 1 || true
expect_equal "failed lines" "1 of 3 (EBADMSG 1);2 of 6 (EBADMSG 2);" \
    "$(sed -n 's/^      failed  *//p' "$out" | tr '\n' ';')" || true
expect_equal "numbers of errors" "1 2 " \
    "$(sed -En 's/^ERROR: verification failed[^0-9]*([0-9]+).*/\1/p' "$out" |
        tr '\n' ' ')" || true

# --- calls ----------------------------------------------------------------------

defect "W21: files are opened for reading alone"
record "$log" "$d" 1 - -F -n 2 -w 8 -e 8 -d "$d"
expect_equal "reads" 2 "$(grep -c '^open O_RDONLY .*file\.mdtest' "$log.0")" ||
    true

defect "W22: what is there already is not created"
run 1 - -F -C -n 2 -w 64 -d "$d"
snapshot "$d" >"$TEST_DIR/before"
run 1 - -F -C -n 2 -w 10 -d "$d"
expect_status 2 || true
snapshot "$d" >"$TEST_DIR/after"
expect_same_file "the first set" "$TEST_DIR/before" "$TEST_DIR/after" || true
run 1 - -F -C -n 2 -w 10 --leftovers=reuse -d "$d"
expect_status 0 || true
expect_line '^WARNING: .*\(REUSED\)$' "" || true

defect "W47: -Y starts no process, and a command that fails is told"
if [ $can_count = yes ]; then
    count_calls -F -n 2 -Y -d "$d"
    expect_status 0 || true
    expect_equal "processes" 0 "${n_process:-none}" || true
fi
run 2 - -F -n 2 --run-cmd-before-phase='exit 3' -d "$d"
expect_status 1 || true
within "lines about it" 1 2 "$(grep -c 'exit 3' "$err")" || true
run 2 - -F -n 2 --run-cmd-after-phase='echo here' -d "$d"
expect_status 0 || true
# Tree and file phases: six.
expect_equal "by every rank after every phase" 12 \
    "$(cat "$out" "$err" | grep -c '^here$')" || true

if [ $can_count = yes ]; then
    defect "W49: a small run does not sleep"
    count_calls -F -n 2 -d "$d"
    within "milliseconds of sleep" 0 100 "${n_sleep_ms:-}" || true

    defect "W50: an operation costs its calls and a look at the clock"
    count_calls -F -n 500 -w 8 -e 8 -d "$d"
    clock=${n_clock:-} alloc=${n_alloc:-} seek=${n_seek:-}
    count_calls -F -n 10500 -w 8 -e 8 -d "$d"
    expect_status 0 || true
    # Four phases; around data there may be one look before and one behind.
    # The time of a barrier takes some hundred looks, too.
    within "looks at the clock for an item" 3.5 6.5 \
        "$(awk -v a="$clock" -v b="${n_clock:-}" \
            'BEGIN { print (b - a) / 10000 }')" || true
    within "memory asked for, for 10000 items" -20 20 \
        "$((${n_alloc:-0} - alloc))" || true
    expect_equal "lseeks" "$seek" "${n_seek:-}" || true

    defect "W52: memory does not grow with the iterations"
    count_calls -a DUMMY -F -n 1 -i 50 -d "$d"
    peak=${n_peak_kib:-0}
    count_calls -a DUMMY -F -n 1 -i 5000 -d "$d"
    expect_status 0 || true
    within "KiB more for 5000 iterations" -10000 1500 \
        "$((${n_peak_kib:-0} - peak))" || true

    defect "W53: memory does not grow with a random order"
    count_calls -a DUMMY -F -T -R5 -n 1000 -d "$d"
    peak=${n_peak_kib:-0}
    count_calls -a DUMMY -F -T -R5 -n 1000000 -d "$d"
    expect_status 0 || true
    within "KiB more for 1000000 items" -10000 1500 \
        "$((${n_peak_kib:-0} - peak))" || true
fi

defect "W51: trees can be made and removed by all"
record "$log" "$d" 2 - -F -I 1 -b 4 -z 2 --tree=parallel -d "$d"
expect_status 0 || true
expect_empty_dir "" "$base" || true
for call in mkdir rmdir; do
    expect_equal "$call of 21 directories" 21 \
        "$(cat "$log".[01] | grep -c "^$call .*/mdtest_tree[^/]*/*\$")" || true
    within "$call of them by rank 1" 8 13 \
        "$(grep -c "^$call .*/mdtest_tree[^/]*/*\$" "$log.1")" || true
done

# --- several launches -------------------------------------------------------------

defect "W6: a status file that cannot be understood is refused by all"
run 2 - -F -C -n 2 -d "$d"
echo rubbish >"$TEST_DIR/status"
run 2 - -F -T -n 2 -x "$TEST_DIR/status" -d "$d"
refused "rubbish" "$TEST_DIR/status" || true

defect "W30: other ranks than before are told by what fails"
run 2 - -F -C -n 2 -d "$d"
run 1 - -F -r -n 2 -d "$d"
expect_status 1 "half is left" || true
run 3 - -F -T -n 2 -d "$d"
expect_status 1 || true
expect_failed "File stat" "4 of 6 (ENOENT 4)" || true

defect "W33: a status file is written without -W, and -n must fit it"
run 1 - -F -C -n 9 -x "$TEST_DIR/status" -d "$d"
expect_status 0 || true
expect_equal "first line" 9 "$(first_line "$TEST_DIR/status")" || true
run 1 - -F -T -n 5 -x "$TEST_DIR/status" -d "$d"
refused "a smaller -n" '-n|-x' || true
run 1 - -F -T -x "$TEST_DIR/status" -d "$d"
refused "no -n" '-n' || true

defect "W42: two runs do not share a directory"
"$mdtest" -D -n 2 -p 1 -d "$d" </dev/null >"$TEST_DIR/first" 2>&1 &
first=$!
for ((i = 0; i < 100; i++)); do
    if [ -e "$tree" ]; then
        break
    fi
    sleep 0.05
done
run 1 - -F -n 2 -d "$d"
refused "the second" "another|$d" || true
first_status=0
wait "$first" || first_status=$?
expect_equal "status of the first" 0 "$first_status" || true

# --- robustness --------------------------------------------------------------------

defect "W16: a write that fails is counted"
dummy 1 -F -C -n 4 -w 10 --dummy.fail=write:2:EINVAL
expect_status 1 || true
expect_failed "File creation" "1 of 4 (EINVAL 1)" || true

defect "W43: an interrupt leaves nothing"
env LD_PRELOAD="$recorder" TREEMARK_RECORD_DELAY=1000 "$mdtest" -F -n 100k \
    -d "$d" </dev/null >"$out" 2>"$err" &
child=$!
for ((i = 0; i < 100; i++)); do
    if [ -e "$tree/file.mdtest.0.9" ]; then
        break
    fi
    sleep 0.05
done
kill -TERM "$child" || true
status=0
wait "$child" || status=$?
last_run="mdtest -F -n 100k, ended by SIGTERM"
expect_status 143 || true
expect_empty_dir "" "$base" || true

defect "W44: what others put into -d spoils nothing"
run 1 - -F -n 2 --run-cmd-before-phase="touch $d/precious" -d "$d"
expect_line '^-- finished' "the report is whole" || true
expect_status_in "0 1" || true
expect_equal "left" "f precious" "$(tree_of "$d")" || true

defect "W37: the file system is that of -d"
if [ "$(id -u)" -eq 0 ] && mkdir "$d" && mount -t tmpfs \
    -o size=3g tmpfs "$d" 2>/dev/null; then
    run 1 - -F -n 2 -d "$d"
    umount "$d"
    expect_line '^FS  *: 3\.0 GiB ' "a tmpfs of 3 GiB" || true
else
    echo "not tried: a mount point (cannot mount)"
fi

defect "W40: every line of the rates of ranks is complete"
csv=$TEST_DIR/status.csv
run 2 - -F -n 3 -i 2 --saveRankPerformanceDetails="$csv" -d "$d"
expect_status 0 || true
expect_equal "lines: the head, and for two iterations all and two ranks" 7 \
    "$(grep -c , "$csv" 2>/dev/null)" || true
expect_equal "numbers of columns" 1 \
    "$(awk -F , '{ print NF }' "$csv" 2>/dev/null | sort -u | wc -l)" || true
if ! head -n 1 "$csv" 2>/dev/null | grep -qi iteration; then
    bad "no column for the iteration"
fi

defect "W41: times of operations: refused early, or written for all"
refuse 2 'nowhere' -F -n 2 --savePerOpDataCSV="$base/nowhere/x" -d "$d"
run 1 - -n 3 -i 2 --savePerOpDataCSV="$TEST_DIR/status" -d "$d"
expect_status 0 || true
for name in Directory-creation Directory-stat Directory-removal \
    File-creation File-stat File-read File-removal; do
    expect_equal "operations of two iterations in $name" 6 \
        "$(grep -c '^[0-9]' "$TEST_DIR/status-$name-00000.csv" 2>/dev/null)" ||
        true
done

if [ $can_count = yes ]; then
    defect "W55: -p is a pause before each kind"
    count_calls -a DUMMY -F -C -n 1 -p 1 -d "$d"
    within "ms of sleep with files alone" 700 1100 "${n_sleep_ms:-}" || true
    count_calls -a DUMMY -C -n 1 -p 1 -d "$d"
    within "ms of sleep with both" 1700 2100 "${n_sleep_ms:-}" || true
fi

defect "W56: a long command line is not cut"
padding=$(printf ' %.0s' {1..1100})
dummy 1 -F -n 1 -n "$padding"2
expect_equal "the end of the line" "'${padding: -40}2'" \
    "$(sed -n "s/^Command line used: .*\(' *2'\)\$/\1/p" "$out" |
        sed "s/^' */'${padding: -40}/")" || true
within "characters of it" 1100 2000 \
    "$(grep '^Command line used' "$out" | wc -c)" || true
defect "W56: -v tells each option as it was given"
dummy 1 -F -n 2 -L -v
for want in '-L +1' '-r +0' '-F +1'; do
    if ! grep -Eq -- " $want\$" "$err"; then
        bad_with_output "no line of $want"
    fi
done

defect "W58: what is refused ends well on all ranks"
# A library that calls exit() cannot be seen from here, but its launcher can.
run 2 - -F -n 2 -q -d "$d"
expect_status 2 || true
expect_no_line 'BAD TERMINATION|[Aa]bort' "" || true

defect "W64: a rotation that does not leave the node is told"
run 4 a:2,b:2 -F -n 1 -N 2 -d "$d"
expect_status 0 || true
expect_line '^WARNING: .*' "a warning" || true
if ! cat "$out" "$err" | grep -q ROTATION_SELF; then
    bad_with_output "no ROTATION_SELF"
fi

# --- every number has its part --------------------------------------------------------

title=
last_run=
for ((number = 1; number <= 64; number++)); do
    if [ "$number" -ne 57 ] && ! grep -Eq "^ *defect \"W$number:" "$here/${0##*/}"; then
        bad "no part about W$number"
    fi
done
finish
