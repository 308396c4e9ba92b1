#!/bin/bash
# treemark clean: removes what runs left, whatever their options were, and
# nothing else.
set -eu
# shellcheck source=lib.bash
. "$(dirname "$0")/lib.bash"
treemark=$TREEMARK_BIN/treemark
d=$TEST_DIR/D
breaker=$TEST_DIR/breaker.so

# clean NP HOSTS ARGS...: sets status, out and err.
clean() {
    local np=$1 hosts=$2
    shift 2
    last_run="treemark clean $* [np $np on $hosts]"
    status=0
    mpi "$np" "$hosts" timeout -k 5 60 "$treemark" clean "$@" \
        >"$out" 2>"$err" || status=$?
}

# leave NP ARGS...: what a run with -C leaves in $d.
leave() {
    local np=$1
    shift
    run "$np" - -C -d "$d" "$@"
    expect_status 0 "mdtest -C" || true
    if [ -z "$(tree_of "$d")" ]; then
        bad "mdtest -C left nothing"
    fi
}

# counts: files and directories that the last line about that names.
counts() {
    sed -nE 's/^(removed|would remove) ([0-9]+) files? and ([0-9]+) director.*/\2 \3/p' "$out"
}

# there DIR: files and directories below.
there() {
    echo "$(find "$1" -mindepth 1 ! -type d | wc -l)" \
        "$(find "$1" -mindepth 1 -type d | wc -l)"
}

# cleaned NP WHAT: all in $d goes, and is counted.
cleaned() {
    local want
    want=$(there "$d")
    clean "$1" - "$d"
    expect_status 0 "$2" || true
    expect_empty_dir "$2" "$d" || true
    expect_equal "what was removed of $2" "$want" "$(counts)" || true
    rm -rf "$d"
}

# --- every shape, with other numbers of ranks ------------------------------

leave 1 -F -n 10
cleaned 2 "files of one rank"
leave 2 -n 20 -b 3 -z 2 -i 2 -w 100
cleaned 1 "two iterations of files and directories in a tree"
leave 2 -n 12 -I 3
cleaned 4 "test directories of -n and -I"
leave 2 -b 2 -z 1 -I 3 -u
cleaned 4 "a tree for each rank"
leave 2 -F -n 5 -S
cleaned 2 "shared files"
leave 4 -D -n 9 -c -N 1
cleaned 2 "directories made by one rank"
leave 2 -n 8 -b 2 -z 3 -L -R7
cleaned 4 "leaves"
leave 1 -D -n 5
mv "$d/test-dir.0-0/mdtest_tree.0/dir.mdtest.0.1" \
    "$d/test-dir.0-0/mdtest_tree.0/dir.mdtest.0.1-XX"
mkdir "$d/test-dir.0-0/mdtest_tree.0/dir.mdtest.0.2/mdtest_tree.9"
touch "$d/test-dir.0-0/mdtest_tree.0/dir.mdtest.0.2/file.mdtest.0.3"
cleaned 2 "a chain of renames that was cut, a directory that is not empty"
mkdir -p "$d/#test-dir.3/mdtest_tree.0" "$d/#test-dir.0-1/mdtest_tree.0.7"
touch "$d/#test-dir.3/mdtest_tree.0/file.mdtest.0.1"
cleaned 2 "what mdtest 1.9 and 3 left"
leave 2 -F -n 10
touch "$d/.treemark-probe.01234567-89ab-cdef-0123-456789abcdef" \
    "$d/test-dir.0-0/.treemark-probe.01234567-89ab-cdef-0123-456789abcdef"
cleaned 1 "probes"

# Several directories at once, in any order with options.
leave 1 -F -n 3
mv "$d" "$TEST_DIR/E"
leave 1 -F -n 4
clean 2 - "$d" --force -- "$TEST_DIR/E"
expect_status 0 "two directories" || true
expect_equal "files of both" "7 4" "$(counts)" || true
expect_empty_dir "the first" "$d" || true
expect_empty_dir "the second" "$TEST_DIR/E" || true
clean 2 - "$d"
expect_status 0 "nothing to do" || true
expect_line 'nothing that a benchmark left' "nothing to do" || true
rmdir "$TEST_DIR/E"

# --- files of ior -------------------------------------------------------------

: >"$d/testFile"
truncate -s 1M "$d/testFile.00000000"
perl -e 'print pack("Q*", 1000 .. 1127)' >"$d/testFile.00000001.2"
cleaned 2 "files of ior"
mkdir "$d"
echo 'a thesis that is called testFile, for want of a better name' >"$d/testFile"
ln -s testFile "$d/testFile.00000000"
before=$(snapshot "$d")
clean 2 - "$d"
expect_status 0 "other data under a name of ior" || true
expect_line "^1 named as of ior is not known .*: it stays \\($d/testFile\\)" "what stays" || true
expect_equal "other data" "$before" "$(snapshot "$d")" || true
rm "$d"/testFile*

# write NP ARGS...: what ior -k leaves in $d, where testFile is its own choice.
write() {
    local np=$1
    shift
    mkdir -p "$d"
    last_run="ior -w -k $* [np $np]"
    status=0
    (cd "$d" && mpi "$np" - timeout -k 5 60 "$TREEMARK_BIN/ior" -w -k -b 64k -t 16k "$@") \
        >"$out" 2>"$err" || status=$?
    expect_status 0 "ior" || true
    if [ -z "$(tree_of "$d")" ]; then
        bad "ior left nothing"
    fi
}

# The runs of ior itself, with data of each kind.
write 2
cleaned 1 "the file of ior"
write 2 -m -i 3
cleaned 2 "a file for each repetition"
write 4 -F -m -i 2
cleaned 2 "files for each rank and repetition"
for kind in timestamp offset incompressible random unique noise place; do
    write 1 -F -u -l "$kind"
    cleaned 1 "directories of ior -u, with data of kind $kind"
done
for np in 1 4; do
    write 4 -F -u -m -i 3
    expect_equal "what ior -u leaves" "12 4" "$(there "$d")" || true
    cleaned "$np" "directories of ior -u"
done
write 4 -F -u
before=$(snapshot "$d")
clean 2 - --dry-run "$d"
expect_status 0 "a dry run over directories of ior -u" || true
expect_equal "a dry run says of ior -u" "4 4" "$(counts)" || true
expect_equal "after a dry run over ior -u" "$before" "$(snapshot "$d")" || true
expect_line "^$d: looking into 4 directories named as of ior" "what is looked at" || true
# A run that was killed before it wrote, the original without -k.
rm "$d"/2/*
truncate -s 0 "$d"/3/*
cleaned 2 "an empty directory and an empty file of ior -u"

# stays_whole WHAT NAME: all of directory 1 stays, NAME is told, the rest goes.
stays_whole() {
    local before
    before=$(snapshot "$d/1")
    clean 2 - "$d"
    expect_status 1 "$1" || true
    expect_equal "$1: what is left" "$before" "$(snapshot "$d/1")" || true
    expect_equal "$1: beside" "1" "$(ls "$d")" || true
    grep -qF "$d/1/$2 is of no benchmark: it stays" "$err" ||
        bad_with_output "$1: it is not told what stays"
    clean 1 - --dry-run "$d"
    expect_status 1 "$1: a dry run" || true
    expect_equal "$1: what a dry run would remove" "0 0" "$(counts)" || true
    rm -rf "$d"
}

write 2 -F -u
echo notes >"$d/1/notes"
stays_whole "a file of somebody's" notes
write 2 -F -u -m -i 20
echo 'the results of last year, which are called like this' >"$d/1/testFile.00000001.17"
stays_whole "other data among 20 files" testFile.00000001.17
write 4 -F -u
mv "$d/2/testFile.00000002" "$d/1"
stays_whole "another rank's file" testFile.00000002
write 2 -F -u
mkdir "$d/1/testFile.00000001.7"
stays_whole "a directory with the name of a file" testFile.00000001.7
write 2 -F -u
mkfifo "$d/1/testFile.00000001.7"
stays_whole "a pipe with the name of a file" testFile.00000001.7
write 2 -F -u
ln -s testFile.00000001 "$d/1/testFile.00000001.7"
stays_whole "a link in a directory of ior" testFile.00000001.7
write 2 -F -u
ln -s ../0 "$d/1/0"
stays_whole "a link to a directory of ior" 0

# A number is anybody's name.
mkdir -p "$d/2024" "$d/7/0" "$d/8" "$d/09" "$d/-1" "$d/1e3" "$d/99999999999"
chmod 755 "$d/8"
chmod 700 "$d/09"
echo photo >"$d/2024/1.jpg"
write 2 -F -u
mv "$d/1" "$TEST_DIR/out"
ln -s "$TEST_DIR/out" "$d/1"
for name in 09 -1 1e3 99999999999; do
    cp "$TEST_DIR/out/testFile.00000001" "$d/$name/testFile.00000001"
done
cp "$TEST_DIR/out/testFile.00000001" "$d/7/0/testFile.00000000"
rm -r "${d:?}/0"
before=$(snapshot "$d")
for np in 1 2; do
    clean "$np" - "$d"
    expect_status 0 "numbers that are not of ior" || true
    expect_line "^3 named as of ior are not known .*: they stay \\(.*$d/2024" \
        "what is called by a number" || true
    expect_equal "numbers that are not of ior" "$before" "$(snapshot "$d")" || true
    expect_equal "what a link points to" "f testFile.00000001" \
        "$(tree_of "$TEST_DIR/out")" || true
done
rm -rf "$d" "$TEST_DIR/out"
mkdir "$d"

# --- dry run ------------------------------------------------------------------

leave 2 -n 30 -b 2 -z 2 -i 2
before=$(snapshot "$d")
for np in 1 2 4; do
    clean "$np" - --dry-run "$d"
    expect_status 0 "a dry run" || true
    expect_equal "a dry run says" "$(there "$d")" "$(counts)" || true
    expect_equal "after a dry run" "$before" "$(snapshot "$d")" || true
done
touch "$d/test-dir.0-0/mdtest_tree.0/x"
clean 2 - -n "$d"
expect_status 1 "a dry run that finds something foreign" || true
grep -q 'test-dir.0-0/mdtest_tree.0/x is of no benchmark' "$err" ||
    bad_with_output "it is not said what would stay"
rm -rf "$d"

# --- what is not ours -----------------------------------------------------------

leave 2 -n 20 -b 2 -z 1
mkdir "$d/mine" "$d/test-dir.0" "$d/test-dir.a-b" "$d/xtest-dir.0-0"
touch "$d/data" "$d/mine/file.mdtest.0.0" "$d/test-dir.0/file.mdtest.0.0"
clean 2 - "$d"
expect_status 0 "foreign names beside" || true
expect_equal "foreign names beside" "d mine
d test-dir.0
d test-dir.a-b
d xtest-dir.0-0
f data
f mine/file.mdtest.0.0
f test-dir.0/file.mdtest.0.0" "$(tree_of "$d")" || true
rm -rf "$d"

leave 2 -n 20 -b 2 -z 1
top=$d/test-dir.0-0
tree=$top/mdtest_tree.0
mkdir "$tree/mine" "$tree/file.mdtest.9.9" "$top/test-dir.0-0"
touch "$tree/mine/file.mdtest.0.0" "$tree/dir.mdtest.9.9" "$tree/mdtest_tree.8"
mkfifo "$tree/file.mdtest.9.8"
clean 2 - "$d"
expect_status 1 "foreign names inside" || true
expect_equal "foreign names inside" "d test-dir.0-0
d test-dir.0-0/mdtest_tree.0
d test-dir.0-0/mdtest_tree.0/file.mdtest.9.9
d test-dir.0-0/mdtest_tree.0/mine
d test-dir.0-0/test-dir.0-0
f test-dir.0-0/mdtest_tree.0/dir.mdtest.9.9
f test-dir.0-0/mdtest_tree.0/mdtest_tree.8
f test-dir.0-0/mdtest_tree.0/mine/file.mdtest.0.0
p test-dir.0-0/mdtest_tree.0/file.mdtest.9.8" "$(tree_of "$d")" || true
for name in mine file.mdtest.9.9 dir.mdtest.9.9 mdtest_tree.8 file.mdtest.9.8; do
    grep -q "$tree/$name is of no benchmark" "$err" ||
        bad_with_output "it is not said that $name stays"
done
for i in {1..60}; do
    touch "$tree/foreign.$i"
done
clean 2 - "$d"
expect_status 1 "many foreign names" || true
expect_equal "lines about foreign names" 21 "$(wc -l <"$err")" || true
grep -q 'and 46 others' "$err" || bad_with_output "the rest is not counted"
rm -rf "$d"

# What an NFS client keeps for those who have it open goes with them.
leave 2 -n 5 -b 2 -z 1
touch "$d/test-dir.0-0/mdtest_tree.0/.nfs0001" "$d/test-dir.0-0/.nfs0002"
(
    sleep 0.2
    rm "$d/test-dir.0-0/mdtest_tree.0/.nfs0001" "$d/test-dir.0-0/.nfs0002"
) &
clean 2 - "$d"
wait
expect_status 0 ".nfs files that go" || true
expect_empty_dir ".nfs files that go" "$d" || true
leave 2 -n 5 -b 2 -z 1
touch "$d/test-dir.0-0/mdtest_tree.0/.nfs0001"
clean 2 - "$d"
expect_status 1 "a .nfs file that stays" || true
grep -q 'mdtest_tree.0/.nfs\* is of no' "$err" || bad_with_output "it is not told"
expect_equal "a .nfs file that stays" "d test-dir.0-0
d test-dir.0-0/mdtest_tree.0
f test-dir.0-0/mdtest_tree.0/.nfs0001" "$(tree_of "$d")" || true
rm -rf "$d"

# --- links and mounts -------------------------------------------------------------

mkdir -p "$d" "$TEST_DIR/out/mdtest_tree.0"
touch "$TEST_DIR/out/file.mdtest.0.0" "$TEST_DIR/out/mdtest_tree.0/file.mdtest.0.1"
before=$(snapshot "$TEST_DIR/out")
ln -s "$TEST_DIR/out" "$d/test-dir.0-0"
mkdir -p "$d/test-dir.0-1/mdtest_tree.0"
ln -s "$TEST_DIR/out" "$d/test-dir.0-1/mdtest_tree.1"
ln -s "$TEST_DIR/out" "$d/test-dir.0-1/dir.mdtest.0.0"
ln -s "$TEST_DIR/out/file.mdtest.0.0" "$d/test-dir.0-1/mdtest_tree.0/file.mdtest.0.0"
for np in 1 2; do
    clean "$np" - "$d"
    expect_status 1 "links" || true
    expect_equal "links stay" "d test-dir.0-1
d test-dir.0-1/mdtest_tree.0
l test-dir.0-0
l test-dir.0-1/dir.mdtest.0.0
l test-dir.0-1/mdtest_tree.0/file.mdtest.0.0
l test-dir.0-1/mdtest_tree.1" "$(tree_of "$d")" || true
    expect_equal "what links point to" "$before" "$(snapshot "$TEST_DIR/out")" || true
done
rm -rf "$d"

# The directory that is given may be reached through a link.
leave 1 -F -n 3
ln -s "$d" "$TEST_DIR/link"
clean 2 - "$TEST_DIR/link"
expect_status 0 "a link that is given" || true
expect_empty_dir "a link that is given" "$d" || true
rm "$TEST_DIR/link"

# mounted KIND FROM: something mounted in a tree is not entered.
mounted() {
    mkdir -p "$d/test-dir.0-0/mdtest_tree.0/mdtest_tree.1"
    touch "$d/test-dir.0-0/mdtest_tree.0/file.mdtest.0.0"
    # shellcheck disable=SC2016 # for that shell
    status=0
    # shellcheck disable=SC2016 # for that shell
    unshare -m bash -c '
        mount $1 "$2" "$3" || exit 90
        touch "$3/file.mdtest.0.7"
        "$4" clean "$5" </dev/null
        status=$?
        [ -e "$3/file.mdtest.0.7" ] || exit 91
        umount "$3"
        exit $status' - "$1" "$2" "$d/test-dir.0-0/mdtest_tree.0/mdtest_tree.1" \
        "$treemark" "$d" >"$out" 2>"$err" || status=$?
    last_run="treemark clean $d with a mount of $1 in it"
    if [ "$status" = 90 ]; then
        echo "mounts: skipped, they cannot be made here"
    else
        expect_status 1 "a mount" || true
        grep -q 'mdtest_tree.1 is of no benchmark' "$err" ||
            bad_with_output "it is not said that the mount stays"
        expect_gone "beside the mount" "$d/test-dir.0-0/mdtest_tree.0/file.mdtest.0.0" || true
    fi
    rm -rf "$d/test-dir.0-0"
}
if command -v unshare >/dev/null && unshare -m true 2>/dev/null; then
    mounted '-t tmpfs' none
    mounted --bind "$TEST_DIR/out"
else
    echo "mounts: skipped, they cannot be made here"
fi

# --- a run that is at work, and one that died ----------------------------------

await_files() {
    local i
    for ((i = 0; i < 400; i++)); do
        [ -z "$(find "$d" -name 'file.mdtest.*' -print -quit 2>/dev/null)" ] || return 0
        sleep 0.025
    done
    bad "no file was made in ten seconds"
}

run_long() {
    "$mdtest" -F -n 50000 -i 1000 -d "$d" </dev/null >"$TEST_DIR/long" 2>&1 &
    child=$!
    await_files
}

run_long
marker=$(find "$d" -name '.treemark.*')
clean 2 - "$d"
refused "a run at work" "run ${marker##*.treemark.} on host $(uname -n) is at work" || true
kill -0 "$child" || bad "the run did not live on"
clean 2 - -n --force "$d"
expect_line 'is at work' "a dry run with --force" || true
kill -KILL "$child"
wait "$child" 2>/dev/null || true
if [ -z "$(find "$d" -name 'file.mdtest.*' -print -quit)" ]; then
    bad "nothing was left"
fi
clean 2 - "$d"
expect_status 0 "a run that was killed" || true
expect_line 'of run .* which has ended' "a run that was killed" || true
expect_empty_dir "a run that was killed" "$d" || true

# --force does it all the same.
mkdir -p "$d/test-dir.0-0"
printf 'treemark-marker/1\nhost %s\npid %d\nboot %s\nstart_ns %s\n' "$(uname -n)" $$ \
    "$(cat /proc/sys/kernel/random/boot_id)" "$(date +%s%N)" \
    >"$d/test-dir.0-0/.treemark.01234567-89ab-cdef-0123-456789abcdef"
clean 1 - "$d"
refused "a marker of a live process" 'is at work' || true
clean 2 - --force "$d"
expect_status 0 "--force" || true
expect_empty_dir "--force" "$d" || true

# Of another host: ten minutes.
mkdir -p "$d/test-dir.0-0"
marker=$d/test-dir.0-0/.treemark.01234567-89ab-cdef-0123-456789abcdef
printf 'treemark-marker/1\nhost elsewhere\npid 1\nboot x\nstart_ns 1\n' >"$marker"
clean 1 - "$d"
refused "a young marker of another host" 'on host elsewhere is at work' || true
touch -d '11 minutes ago' "$marker"
clean 1 - "$d"
expect_status 0 "an old marker of another host" || true
expect_empty_dir "an old marker of another host" "$d" || true

# The line that mdtest prints does it, whatever the directory is called.
odd="$TEST_DIR/it's \$HOME"
run 1 - -F -n 10 -C -d "$odd"
run 1 - -F -n 10 -d "$odd"
refused "items of an earlier run" 'treemark clean' || true
line=$(grep -oP "clean up \(\Ktreemark clean .*(?=\), or use)" "$err") || line=false
PATH=$TREEMARK_BIN:$PATH bash -c "$line" >"$out" 2>"$err" </dev/null ||
    bad_with_output "the line does not work: $line"
expect_empty_dir "after the line" "$odd" || true
rmdir "$odd"

# --- bad requests ----------------------------------------------------------------

clean 2 -
refused "no directory" 'which directory' || true
clean 2 - "$d" "$TEST_DIR/none"
refused "no such directory" "none: No such file" || true
clean 1 - "$out"
refused "a file" 'stdout: Not a directory' || true
clean 1 - ''
refused "an empty name" 'No such file' || true
clean 1 - --frce "$d"
refused "an unknown option" '--frce: no such option' || true
clean 1 - -n=x "$d"
refused "a flag with a value" '-n' || true
clean 1 - --help
expect_status 0 "--help" || true
expect_line 'Usage: treemark clean' "--help" || true

# --- failing calls ------------------------------------------------------------------

"${CC:-cc}" -O1 -Wall -Wextra -fPIC -shared -o "$breaker" "$here/breaker.c" -ldl

# broken NP VARIABLE=VALUE... : clean $d with failing calls.
broken() {
    local np=$1
    shift
    last_run="treemark clean $d [np $np] with $*"
    status=0
    mpi "$np" - env "LD_PRELOAD=$breaker" "TREEMARK_BREAK_BELOW=$d" "$@" \
        timeout -k 5 60 "$treemark" clean "$d" >"$out" 2>"$err" || status=$?
}
export ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}verify_asan_link_order=0"

leave 2 -F -n 100 -b 2 -z 2
broken 2 TREEMARK_BREAK_CALL=unlink TREEMARK_BREAK_N=1 TREEMARK_BREAK_ERRNO=5 \
    TREEMARK_BREAK_EVERY=1
expect_status 1 "every removal fails" || true
expect_equal "messages" 1 "$(wc -l <"$err")" || true
grep -Eq "removing $d/test-dir.0-0/.*file.mdtest.*: Input/output error \(196 times\)" "$err" ||
    bad_with_output "the failures are not counted"
broken 2 TREEMARK_BREAK_CALL=rmdir TREEMARK_BREAK_N=1 TREEMARK_BREAK_ERRNO=13 \
    TREEMARK_BREAK_EVERY=1
expect_status 1 "no directory can be removed" || true
grep -q "removing $d/test-dir.0-0/.*: Permission denied (4 times)" "$err" ||
    bad_with_output "the failures are not counted"
expect_equal "files" "0 8" "$(there "$d")" || true
broken 1 TREEMARK_BREAK_CALL=open TREEMARK_BREAK_N=2 TREEMARK_BREAK_ERRNO=24
refused "it cannot be told whether a run is at work" 'Too many open files' || true
grep -Eq "$d/test-dir.0-0: Too many open files" "$err" ||
    bad_with_output "the directory is not named"
last_run="treemark clean --force $d"
status=0
mpi 1 - env "LD_PRELOAD=$breaker" "TREEMARK_BREAK_BELOW=$d" TREEMARK_BREAK_CALL=open \
    TREEMARK_BREAK_N=2 TREEMARK_BREAK_ERRNO=24 \
    timeout -k 5 60 "$treemark" clean --force "$d" >"$out" 2>"$err" || status=$?
expect_status 0 "--force where it cannot be told" || true
leave 2 -F -n 100 -b 2 -z 2
broken 2 TREEMARK_BREAK_CALL=open TREEMARK_BREAK_MATCH=mdtest_tree.2 \
    TREEMARK_BREAK_N=1 TREEMARK_BREAK_ERRNO=24
expect_status 1 "a directory cannot be opened" || true
cleaned 2 "what stayed"

# Directories of ior -u.
write 2 -F -u -m -i 2
broken 2 TREEMARK_BREAK_CALL=unlink TREEMARK_BREAK_MATCH=testFile.00000001.1 \
    TREEMARK_BREAK_N=1 TREEMARK_BREAK_ERRNO=5
expect_status 1 "a file in a directory of ior cannot be removed" || true
grep -Fq "removing $d/1/testFile.00000001.1: Input/output error (1 time)" "$err" ||
    bad_with_output "the file is not named"
expect_equal "the other directory" "1" "$(ls "$d")" || true
broken 2 TREEMARK_BREAK_CALL=rmdir TREEMARK_BREAK_N=1 TREEMARK_BREAK_ERRNO=13
expect_status 1 "a directory of ior cannot be removed" || true
grep -Fq "removing $d/1: Permission denied (1 time)" "$err" ||
    bad_with_output "the directory is not named"
cleaned 2 "a directory of ior that is empty now"
write 2 -F -u
broken 2 TREEMARK_BREAK_CALL=open TREEMARK_BREAK_MATCH=testFile.00000001 \
    TREEMARK_BREAK_N=1 TREEMARK_BREAK_ERRNO=24
expect_status 1 "a file in a directory of ior cannot be read" || true
grep -Fq "removing $d/1/testFile.00000001: Too many open files (1 time)" "$err" ||
    bad_with_output "the file is not named"
expect_equal "what could not be read" "d 1
f 1/testFile.00000001" "$(tree_of "$d")" || true
cleaned 2 "what could not be read"

# Entries that vanish: several at work in one place.
leave 2 -n 3000 -b 3 -z 2
"$treemark" clean "$d" </dev/null >"$TEST_DIR/other" 2>&1 &
child=$!
rm -rf "$d"/test-dir.0-0/mdtest_tree.0/mdtest_tree.1 &
clean 2 - "$d"
expect_status 0 "beside another" || true
status=0
wait "$child" || status=$?
last_run="treemark clean beside another"
expect_equal "the other's status" 0 "$status" || true
wait
expect_empty_dir "both" "$d" || true

# --- signals ------------------------------------------------------------------------

for signal in INT TERM; do
    want=130
    [ "$signal" = INT ] || want=143
    leave 2 -F -n 2000
    last_run="treemark clean $d and SIG$signal"
    status=0
    LD_PRELOAD=$breaker TREEMARK_BREAK_BELOW=$d TREEMARK_BREAK_DELAY=5000 \
        env --default-signal=INT "$treemark" clean "$d" </dev/null >"$out" 2>"$err" &
    child=$!
    sleep 1
    kill "-$signal" "$child" || true
    wait "$child" || status=$?
    expect_status "$want" "interrupted" || true
    grep -q interrupted "$err" || bad_with_output "it is not said"
    if [ -z "$(tree_of "$d")" ]; then
        bad "nothing was left"
    fi
    clean 2 - "$d"
    expect_status 0 "the rest" || true
    expect_empty_dir "the rest" "$d" || true
done

# --- nodes ----------------------------------------------------------------------------

leave 2 -n 30 -b 2 -z 2
write 4 -F -u
clean 4 a:2,b:2 "$d"
expect_status 0 "two nodes" || true
expect_empty_dir "two nodes" "$d" || true

# --- --leftovers=clean --------------------------------------------------------------------

leave 2 -n 12 -b 2 -z 1 -i 2
want=$(there "$d")
run 4 - -F -n 9 -d "$d" --leftovers=clean
expect_status 0 "--leftovers=clean" || true
expect_line "^removed ${want% *} files and ${want#* } directories of an earlier run" \
    "what was removed first" || true
expect_empty_dir "--leftovers=clean" "$d" || true
leave 2 -n 12
last_run="TREEMARK_LEFTOVERS=clean mdtest"
status=0
TREEMARK_LEFTOVERS=clean mpi 2 - "$mdtest" -n 5 -d "$d" >"$out" 2>"$err" || status=$?
expect_status 0 "TREEMARK_LEFTOVERS=clean" || true
expect_empty_dir "TREEMARK_LEFTOVERS=clean" "$d" || true
# Several -d.
run 2 - -C -F -n 5 -u -d "$d/a@$d/b"
run 2 - -F -n 5 -u -d "$d/a@$d/b"
refused "items in several directories" "treemark clean '$d/a' '$d/b'" || true
run 2 - -F -n 5 -u -d "$d/a@$d/b" --leftovers=clean
expect_status 0 "--leftovers=clean in several directories" || true
expect_line '^removed 10 files' "files of both" || true
expect_equal "several directories" "d a
d b" "$(tree_of "$d")" || true
rm -rf "$d"
# What is not there is not removed, and not spoken of.
run 2 - -F -n 5 -d "$d" --leftovers=clean
expect_status 0 "--leftovers=clean without any" || true
expect_no_line 'of an earlier run' "--leftovers=clean without any" || true
# What a run at work has is not removed.
run_long
run 2 - -F -n 9 -d "$d" --leftovers=clean
refused "a run at work" 'is at work' || true
kill -KILL "$child"
wait "$child" 2>/dev/null || true
run 2 - -F -n 9 -d "$d" --leftovers=clean
expect_status 0 "after a run that was killed" || true
rm -rf "$d"
finish
