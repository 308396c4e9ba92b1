#!/bin/bash
# mdworkbench: what it makes, turns over and removes, in one launch or three; what
# it prints; what it refuses; and what it leaves when something goes wrong.
set -eu
# shellcheck source=lib.bash
. "$(dirname "$0")/lib.bash"
wb=$TREEMARK_BIN/md-workbench
base=$TEST_DIR/base
d=$base/md
state=$base/md-workbench.status
trace=$TEST_DIR/trace
json=$TEST_DIR/run.json

# part TITLE: what follows begins in an empty directory.
part() {
    title=$1
    rm -rf "$base" "$trace".*
    mkdir "$base"
    cd "$base" || exit
}

# run NP HOSTS ARGS...: sets status, out and err.
run() {
    local np=$1 hosts=$2
    shift 2
    last_run="md-workbench $* [np $np on $hosts]"
    status=0
    mpi "$np" "$hosts" timeout -k 5 60 "$wb" -o "$d" "$@" \
        >"$out" 2>"$err" || status=$?
}

works() {
    run "$@"
    expect_status 0 || true
}

fails() {
    run "$@"
    expect_status 1 || true
}

# files_of DIR: what any touch of a file would change, and what there is.
files_of() {
    snapshot "$1" -type f
    tree_of "$1"
}

# refuse NP REGEX ARGS...: one line that matches, and nothing is changed.
refuse() {
    local np=$1 regex=$2 before
    shift 2
    before=$(files_of "$base")
    run "$np" - "$@"
    refused "$*" "$regex" || true
    if [ "$before" != "$(files_of "$base")" ]; then
        bad "a refusal changed $base"
    fi
}

# value PHASE NAME [N]: what stands behind "NAME:" in the N-th line of a phase.
value() {
    grep "^$1 process" "$out" | sed -n "${3:-1}p" |
        grep -oE "(^|[ :])$2: ?[0-9.e+-]+" | head -n 1 | grep -oE '[0-9.e+-]+$'
}

expect_value() { # PHASE NAME WANT [N]
    expect_equal "$2 of $1 ${4:-}" "$3" "$(value "$1" "$2" "${4:-1}")" || true
}

# objects SET: numbers of the objects of a set, in order.
objects() {
    find "$d/$1" -name 'file-*' -printf '%f\n' | sed 's/file-//' | sort -n |
        tr '\n' ' ' | sed 's/ $//'
}

gone() {
    expect_gone "the work directory" "$d" || true
}

# --- the life of a population ------------------------------------------------

for np in 1 2 4; do
    part "all at once on $np ranks"
    works "$np" - -P 5 -I 4 -D 3 -R 2 -X
    expect_value precreate objects $((np * 15))
    expect_value precreate dsets $((np * 3))
    expect_value benchmark objects $((np * 12)) 1
    expect_value benchmark objects $((np * 12)) 2
    expect_value cleanup objects $((np * 15))
    expect_value cleanup dsets $((np * 3))
    expect_line '^verdict: ' "a verdict" || true
    gone
    expect_gone "a status file" "$state" || true
    expect_line '^   (stat|read|delete|create) +[0-9]+( +[0-9]+\.[0-9]+){7}$' \
        "a table" || true
done

part "three launches"
works 2 - -P 4 -D 3 -1
for set in 0_0 0_1 0_2 1_0 1_1 1_2; do
    expect_equal "objects of $set" "0 1 2 3" "$(objects "$set")" || true
done
expect_equal "sets" 6 "$(find "$d" -mindepth 1 -maxdepth 1 | wc -l)" || true
expect_equal "position" "pos: 0" "$(head -n 1 "$state")" || true
expect_equal "size" 3901 "$(stat -c %s "$d/1_2/file-3")" || true
works 2 - -P 4 -D 3 -2 -R=2 -I=3 -X
for set in 0_0 0_1 0_2 1_0 1_1 1_2; do
    expect_equal "objects of $set" "6 7 8 9" "$(objects "$set")" || true
done
expect_equal "position" "pos: 6" "$(head -n 1 "$state")" || true
expect_value benchmark objects 18 1
expect_value benchmark objects 18 2
before=$(snapshot "$d")
works 2 - -P 4 -D 3 -2 --read-only -R 1 -I 3
expect_equal "what --read-only left" "$before" "$(snapshot "$d")" || true
expect_equal "position" "pos: 6" "$(head -n 1 "$state")" || true
expect_no_line '^   (delete|create) ' "--read-only" || true
works 2 - -P 4 -D 3 -3
expect_value cleanup objects 24
expect_value cleanup dsets 6
gone
expect_equal "position" "pos: 6" "$(head -n 1 "$state")" || true

part "objects of other sizes"
works 2 - -P 3 -I 3 -D 2 -R 1 -S 0 -X
works 2 - -P 3 -I 3 -D 2 -R 1 -S 5 -X
works 2 - -P 3 -I 3 -D 2 -R 1 -S 64k -X --dataPacketType=r
expect_value precreate tp "$(value precreate tp)"

part "kinds of data and seeds"
for type in t o i r unique noise; do
    for seed in 5 -5; do
        works 2 - -R 2 -P 3 -I 3 -D 3 -X -G=$seed --dataPacketType=$type
    done
done
works 1 - -1 -P 2 -D 2 -S 4125 -G=77
expect_equal "words of file 1 in set 1" "000000000000004d 000000000000004e" \
    "$(od -An -v -t x8 -N 16 "$d/0_1/file-1" | tr -s ' ' | sed 's/^ //')" || true

# --- who works on what -------------------------------------------------------

# turns RANK: what a rank did in the benchmark: S stat, R read, U unlink, W
# write, and the object.
turns() {
    sed -nE "s:$d/::g
        s/^stat ([^ ]*)\$/S \1/p; s/^open O_RDONLY ([^ ]*)\$/R \1/p
        s/^unlink ([^ ]*)\$/U \1/p
        s/^open O_RDWR\|O_CREAT ([^ ]*)\$/W \1/p" "$trace.$1" |
        grep file- | tail -n "$2"
}

part "objects go round the ranks"
works 2 - -P 2 -D 3 -1
works 2 - -P 2 -I 2 -D 3 -2 -R 1 --trace="$trace"
want="S 0_0/file-0
R 0_0/file-0
U 0_0/file-0
W 0_0/file-2
S 1_1/file-0
R 1_1/file-0
U 1_1/file-0
W 1_1/file-2
S 0_2/file-0
R 0_2/file-0
U 0_2/file-0
W 0_2/file-2
S 0_0/file-1
R 0_0/file-1
U 0_0/file-1
W 0_0/file-3
S 1_1/file-1
R 1_1/file-1
U 1_1/file-1
W 1_1/file-3
S 0_2/file-1
R 0_2/file-1
U 0_2/file-1
W 0_2/file-3"
expect_equal "calls of rank 1" "$want" "$(turns 1 24)" || true

part "an offset may be anything"
for offset in -1 0 2 100 2147483647 -2147483648; do
    works 3 - -P 3 -I 3 -D 4 -R 2 -X -O $offset
    gone
done

part "more objects than there are"
works 4 - -P 3 -I 20 -D 3 -R 2 -X
expect_line '\(IN_STEP\)' "I above P" || true
expect_value benchmark objects 240 2
works 1 - -P 3 -I 20 -D 3 -R 1 -X
expect_no_line 'IN_STEP' "one rank waits for nobody" || true
works 1 - -P 3 -D 2 -1
fails 1 - -P 3 -D 2 -2 -I 5 -R 1 --read-only
expect_line 'failed +4 of 16 \(ENOENT 4\)' "objects that are not there" || true
expect_line 'not tried +4 of 20' "reads that are not tried" || true

part "two nodes"
works 4 a:2,b:2 -P 5 -I 5 -D 4 -R 2 -X -O 2
expect_line '^Nodemap: 1100' "the nodes" || true
expect_line 'from other nodes +50\.0%' "a set of two is local" || true
gone

# --- time --------------------------------------------------------------------

part "a stonewall leaves the sets alike"
works 2 - -P 300 -D 2 -1
works 2 - -P 300 -D 2 -I 300 -2 -R 2 -w 1 -a POSIX -t 100
pos=$(sed -n 's/^pos: //p' "$state")
within "position" 2 599 "$pos" || true
for set in 0_0 0_1 1_0 1_1; do
    expect_equal "first of $set" "$pos" "$(objects "$set" | cut -d ' ' -f 1)" || true
    expect_equal "objects of $set" 300 "$(objects "$set" | wc -w)" || true
done
one=$(grep -oE 'stonewall-iter:[0-9]+' "$out" | head -n 1 | tr -dc 0-9)
two=$(grep -oE 'stonewall-iter:[0-9]+' "$out" | tail -n 1 | tr -dc 0-9)
expect_equal "what both iterations came through" "$pos" $((one + two)) || true
expect_value benchmark objects $((one * 4)) 1
works 2 - -P 300 -D 2 -3 -w 1 -W
gone

part "waiting"
works 1 - -P 50 -I 50 -D 1 -R 1 -t 3 -a DUMMY --dummy.delay-stat=2000
expect_line 'waiting_factor:3\.00' "the factor" || true
within "share of waiting" 60 95 \
    "$(sed -nE 's/^ +waiting \(-t\) +([0-9.]+)%.*/\1/p' "$out")" || true
works 2 - -P 2 -I 2 -D 1 -R 2 -T
expect_equal "runs" 16 "$(grep -c '^benchmark process' "$out")" || true
expect_equal "factors" "0.06 0.12 0.25 0.50 1.00 2.00 4.00" \
    "$(grep -oE 'waiting_factor:[0-9.]+' "$out" | cut -d : -f 2 | head -n 7 |
        tr '\n' ' ' | sed 's/ $//')" || true
works 1 - -P 2 -I 2 -D 1 -R 13 -T -q
gone

# --- what is printed ---------------------------------------------------------

part "less, more, and other forms"
works 2 - -P 3 -I 3 -D 2 -R 1 -q
expect_no_line 'MD-Workbench|Total runtime|0 errs|verdict|Call' "-q" || true
works 2 - -P 3 -I 3 -D 2 -R 1 --process-reports
expect_equal "reports" 6 "$(grep -cE '^[01]: (precreate|benchmark|cleanup) process' \
    "$out")" || true
expect_line '^0: benchmark .* stat\(min:.*, q1:.*, median:.*, q3:.*, p90:.*, p99:' \
    "labels" || true
works 2 - -P 3 -I 3 -D 2 -R 1 --print-detailed-stats
expect_equal "columns" "12 12 12 12" "$(grep -E '^(phase|precreate|benchmark|cleanup)' \
    "$out" | awk -F '\t' '{ printf "%s%d", s, NF; s = " " }')" || true
works 2 - -P 3 -I 3 -D 2 -R 1 --percentiles
expect_line '^   benchmark create +[0-9.]+' "--percentiles" || true
works 2 - -P 3 -I 3 -D 2 -R 0
expect_no_line '^benchmark' "-R 0" || true

part "the time of each operation"
works 2 - -P 4 -I 3 -D 2 -R 2 -L x
for name in x-0.00-0-precreate x-0.00-{0,1}-{stat,read,create,delete} x-0.00-2-cleanup; do
    expect_equal "head of $name" time,runtime "$(head -n 1 "$name.csv")" || true
done
expect_equal "rows of rank 0" 6 "$(tail -n +2 x-0.00-1-read.csv | wc -l)" || true
expect_equal "files" 10 "$(find . -maxdepth 1 -name 'x-*' | wc -l)" || true
works 3 - -P 4 -I 3 -D 2 -R 1 -L y --latency-all -t 0.5
expect_equal "rows of all ranks" 18 \
    "$(grep -cE '^[0-9]+\.[0-9]{7},[0-9.]+e-[0-9]+$' y-0.50-0-create-all.csv)" || true
refuse 2 '-L' -P 2 -L no/such/x

part "results for programs"
works 2 - -P 3 -I 3 -D 2 -R 2 -X --json "$json" --csv "$TEST_DIR/run.csv" \
    --label hello --interval 0.1
if /usr/bin/python3 -c 'import jsonschema' 2>/dev/null; then
    /usr/bin/python3 "$here/validate.py" "$here/../results.schema.json" \
        "$json" >"$err" 2>&1 || bad_with_output "the JSON is not valid"
fi
expect_equal "kind" 1 "$(grep -c '"kind": "mdworkbench"' "$json")" || true
expect_equal "lines of CSV" 17 "$(wc -l <"$TEST_DIR/run.csv")" || true
works 2 - -P 3 -I 3 -D 2 -R 1 --json - --csv "$TEST_DIR/run.csv"
expect_equal "JSON first" '{' "$(head -c 1 "$out")" || true
expect_equal "more lines of CSV" 28 "$(wc -l <"$TEST_DIR/run.csv")" || true
works 1 - --dry-run -P 3
expect_line '1 ranks with 10 sets of 3 objects each: 30 objects' "a plan" || true
gone
works 2 - -P 20 -I 20 -D 1 -R 1 -t 300 --progress=0.1
if ! grep -q 'benchmark, iteration 1 of 1: .* of 160' "$err"; then
    bad_with_output "no progress"
fi

# --- what cannot be ----------------------------------------------------------

part "bad requests"
for row in "-P 0" "-P abc" "-P -4" "-I 0" "-D 0" "-S -5" "-R -5" "-t abc" "-t -2" \
    "-t 1e9" "-O x" "-w -1" "-a MPIIO" "-a list" "-G x" "--dataPacketType=x" \
    "--dataPacketType=Incompressible" "--latency-all" "--allocateBufferOnGPU" \
    "--allocateBufferOnGPU=1" "--nothing" "-P 10p -S 1m" "-I 300g -D 300m" \
    "--run-info-file=/dev/null/x -1" "-T -t 1" "--json /dev/null/x"; do
    read -ra words <<<"$row"
    refuse 2 "${words[0]%%=*}" -I 3 -P 3 "${words[@]}"
done
refuse 1 '-o' -o ""
refuse 1 '-o' -o "$(printf '%5000s' '' | tr ' ' x)"
touch file
refuse 2 '-o .*Not a directory' -o "$base/file/x"
refuse 2 '-o .*Not a directory' -o "$base/file" -P 2
refuse 2 "stray word 'x'" x
refuse 1 '-X' -a DUMMY -X
refuse 2 '-D, -P, -S' -P 1g -S 1g

part "what does not fit what is there"
works 2 - -P 4 -D 2 -1 -G 5
for row in "-P 3" "-P 5" "-D 1" "-D 3" "-S 4000" "-G 6" "--dataPacketType=o"; do
    read -ra words <<<"-P 4 -D 2 $row"
    refuse 2 "${row%%[ =]*}" -2 "${words[@]}"
done
refuse 3 'ranks' -2 -P 4 -D 2
refuse 1 'ranks' -2 -P 4 -D 2
refuse 2 'earlier run' -1 -P 4 -D 2
refuse 2 'earlier run' -P 4 -D 2
refuse 2 '-P' -2 -P 4 -D 2 --start-item=1
cp "$state" "$state.0"
works 2 - -P 4 -D 2 -2 -I 3 -R 1
cp "$state.0" "$state"
refuse 2 'run-info-file' -2 -P 4 -D 2
echo garbage >"$state"
refuse 2 'run-info-file' -2 -P 4 -D 2
echo 'pos: -3' >"$state"
refuse 2 'run-info-file' -2 -P 4 -D 2
rm "$state"
refuse 2 'run-info-file' -2 -P 4 -D 2
works 2 - -2 -P 4 -D 2 -I 3 -R 1 --start-item=3

part "sets of the original"
works 2 - -P 4 -D 2 -1 -G 5
echo 'pos: 0' >"$state" # it writes no more
refuse 2 '-P' -2 -P 5 -D 2
refuse 2 '-P' -2 -P 3 -D 2
refuse 2 '-S' -2 -P 4 -D 2 -S 3000
refuse 2 '-D' -2 -P 4 -D 1
refuse 2 '-D' -2 -P 4 -D 3
refuse 3 '-D' -2 -P 4 -D 2
refuse 2 '-X' -2 -P 4 -D 2 -X
works 2 - -2 -P 4 -D 2 -R 2 -I 3 -X -G 5
works 2 - -3 -P 4 -D 2
gone

part "leftovers"
works 2 - -P 4 -D 2 -1
works 2 - -P 6 -D 2 -1 --leftovers=clean
expect_equal "objects of 1_1" "0 1 2 3 4 5" "$(objects 1_1)" || true
works 2 - -P 6 -D 2 -I 6 -R 1 --leftovers=reuse
expect_line '\(REUSED\)' "--leftovers=reuse" || true
mkdir -p "$d/0_0" "$d/1_1"
works 2 - -P 3 -I 3 -D 2 -R 1

part "a directory that was there stays, and so does what is foreign"
mkdir "$d"
works 2 - -P 3 -I 3 -D 2 -R 1
expect_equal "the directory" "" "$(ls "$d")" || true
works 2 - -P 3 -I 3 -D 2 -1
works 2 - -P 3 -I 3 -D 2 -3
expect_equal "the directory" "" "$(ls "$d")" || true
rmdir "$d"
works 2 - -P 3 -D 2 -1
touch "$d/mine"
works 2 - -P 3 -D 2 -3
expect_equal "what is left" mine "$(ls "$d")" || true
rm -r "$d"
works 2 - -o "$base/a/b/c/" -P 3 -I 3 -D 2 -R 1
expect_equal "parents" a/b "$(find a -mindepth 1)" || true

part "start items"
works 2 - -P 3 -I 3 -D 2 -R 2 --start-item=7 -X
works 2 - -P 3 -D 2 -1 --start-item=7
expect_equal "objects of 1_1" "7 8 9" "$(objects 1_1)" || true
works 2 - -P 3 -D 2 -2 -I 3 -R 1
works 2 - -P 3 -D 2 -3
gone

# --- what goes wrong ---------------------------------------------------------

part "objects that are not as they were written"
works 2 - -P 30 -D 2 -1
rm "$d/0_0/file-3"
printf x | dd of="$d/0_1/file-5" bs=1 seek=100 conv=notrunc status=none
printf x >"$d/1_0/file-7"
: >"$d/1_1/file-9"
fails 2 - -P 30 -D 2 -2 -I 30 -R 1 -X
expect_line '\(4 errs!!!\)' "four errors" || true
expect_line 'EBADMSG 1' "wrong data" || true
expect_line 'ENODATA 2' "short reads" || true
if ! grep -q '0_1/file-5: .*at byte 96' "$err"; then
    bad_with_output "the wrong byte is not told"
fi
works 2 - -P 30 -D 2 -2 -I 30 -R 1 -X -v
works 2 - -P 30 -D 2 -3
gone

part "calls that fail"
for call in stat read unlink create write; do
    run 2 - -P 10 -I 10 -D 2 -R 2 -a DUMMY --dummy.fail="$call:33:EACCES"
    expect_status 1 "$call" || true
    expect_line 'EACCES [12]' "$call" || true
done
fails 2 - -P 10 -I 10 -D 2 -R 1 -a DUMMY --dummy.fail=create:3:EACCES
expect_no_line '^benchmark' "a precreate that failed" || true
fails 2 - -P 10 -I 10 -D 2 -R 1 -a DUMMY --dummy.fail=create:3:EACCES \
    --ignore-precreate-errors
expect_line '^benchmark' "--ignore-precreate-errors" || true
fails 2 - -P 10 -I 100 -D 2 -R 3 -a DUMMY --dummy.fail-every=stat:2:EACCES \
    --max-errors=5
expect_line '^cleanup' "after too many errors" || true

part "a torn population"
works 2 - -P 10 -D 2 -1
rm "$d/0_0/file-1" "$d/1_0/file-2"
fails 2 - -P 10 -I 10 -D 2 -2 -R 3 --max-errors=1
expect_equal "state" "state: torn" "$(tail -n 1 "$state")" || true
refuse 2 '-3' -P 10 -I 10 -D 2 -2
works 2 - -P 10 -D 2 -3
gone

part "cleanup goes by what there is"
works 4 - -P 5 -D 3 -1
rm "$state"
works 1 - -3
expect_value cleanup objects 60
gone
works 2 - -3
works 3 - -P 5 -D 3 -1
works 2 - -P 5 -D 2 -3
gone

part "a full file system"
mount=$TEST_DIR/mount
mkdir -p "$mount"
if mount -t tmpfs -o size=2m,nr_inodes=10000 tmpfs "$mount" 2>/dev/null; then
    refuse 2 'do not fit' -o "$mount/md" -P 1000 -D 2
    dd if=/dev/zero of="$mount/fill" bs=64k count=26 status=none
    run 2 - -o "$mount/md" -P 40 -D 2 -I 40 -S 4000 -R 1
    refused "no room" 'do not fit' || true
    rm "$mount/fill"
    run 2 - -o "$mount/md" -P 80 -D 2 -I 80 -S 4000 -R 1
    expect_status 0 || true
    # More pages than bytes: what seems to fit does not.
    for phases in "" -1; do
        run 1 - -o "$mount/md" -P 530 -D 1 -R 1 ${phases:+"$phases"}
        expect_status 1 "a full disk" || true
        expect_line 'ENOSPC 1' "a full disk" || true
        expect_no_line '^benchmark' "after a full disk" || true
        expect_gone "the sets" "$mount/md" || true
        expect_gone "a status file" "$state" || true
    done
    run 1 - -o "$mount/md" -P 530 -D 1 -1 --keep
    expect_status 1 "a full disk" || true
    works 1 - -o "$mount/md" -3
    expect_gone "the sets" "$mount/md" || true
    umount "$mount"
    rmdir "$mount"
fi
fails 2 - -P 50 -I 50 -D 2 -R 1 -a DUMMY --dummy.fail-after-bytes=100k
expect_line 'ENOSPC' "a full disk" || true
expect_no_line '^benchmark' "after a full disk" || true

# --- signals -----------------------------------------------------------------

# await PID: the status of a child that has been sent a signal.
await() {
    local i
    for ((i = 0; i < 400; i++)); do
        kill -0 "$1" 2>/dev/null || break
        sleep 0.05
    done
    if kill -0 "$1" 2>/dev/null; then
        bad "still running 20 s after the signal"
        kill -KILL "$1" || true
    fi
    status=0
    wait "$1" || status=$?
}

# interrupted SIGNAL WANT ARGS...: a run that is sent a signal in its benchmark.
interrupted() {
    local signal=$1 want=$2 child i
    shift 2
    last_run="md-workbench $* and SIG$signal"
    env --default-signal=INT "$wb" -o "$d" "$@" </dev/null >"$out" 2>"$err" &
    child=$!
    for ((i = 0; i < 200; i++)); do
        [ -z "$(find "$d" -name 'file-4[0-9]' -print -quit 2>/dev/null)" ] || break
        sleep 0.05
    done
    sleep 0.2
    kill "-$signal" "$child" || true
    await "$child"
    expect_status "$want" || true
    expect_line 'interrupted' "the report" || true
}

part "signals"
interrupted INT 130 -P 40 -I 40 -D 2 -R 100 -t 500
gone
interrupted TERM 143 -P 40 -I 40 -D 2 -R 100 -t 500
gone
interrupted INT 130 -P 40 -I 40 -D 2 -R 100 -t 500 --keep
expect_equal "sets that are kept" 2 "$(find "$d" -mindepth 1 -type d | wc -l)" || true
works 1 - -3 -P 40 -D 2
gone
works 1 - -P 40 -D 2 -1
interrupted INT 130 -P 40 -I 40 -D 2 -2 -R 100 -t 500
expect_equal "state" "state: torn" "$(tail -n 1 "$state")" || true
refuse 1 '-3' -P 40 -D 2 -2
works 1 - -3 -P 40 -D 2
gone

part "killed"
works 1 - -P 40 -D 2 -1
"$wb" -o "$d" -P 40 -I 40 -D 2 -2 -R 100 -t 500 </dev/null >"$out" 2>"$err" &
child=$!
sleep 1
kill -KILL "$child"
{ wait "$child"; } 2>/dev/null || true
refuse 1 '-3' -P 40 -D 2 -2
works 1 - -3 -P 40 -D 2
gone

part "other names"
"$wb" --version </dev/null >"$out" 2>"$err" || bad "--version"
expect_line '^mdworkbench-4\.1\.0\+treemark-' "--version" || true
status=0
"$TREEMARK_BIN/treemark" mdworkbench -o "$d" -P 2 -I 2 -D 1 -R 1 </dev/null \
    >"$out" 2>"$err" || status=$?
expect_status 0 "treemark mdworkbench" || true
run 1 - --help
expect_line '^  -P' "--help" || true

finish
