#!/bin/bash
# treemark scale: what waiting ranks cost, what a study costs beyond its
# points, and studies that are killed, or whose file system ends.
set -eu
# shellcheck source=lib.bash
. "$(dirname "$0")/lib.bash"
# shellcheck source=scale.bash
. "$here/scale.bash"
needs_nodes
ticks=$(getconf CLK_TCK)

now_ms() {
    echo $((${EPOCHREALTIME/[.,]/} / 1000))
}

# ranks_of COMMAND...: "PID RANK" of each process that runs it.
ranks_of() {
    local pid rank
    for pid in $(pgrep -f -- "^$*\$"); do
        rank=$(tr '\0' '\n' <"/proc/$pid/environ" | sed -n 's/^PMI_RANK=//p')
        echo "$pid ${rank:-0}"
    done
}

# cpu_ms PID: user and system time so far.
cpu_ms() {
    sed 's/^.*) //' "/proc/$1/stat" |
        awk -v ticks="$ticks" '{ print int(($12 + $13) * 1000 / ticks) }'
}

# Rank 0 works alone, for four seconds at each point; three wait.
title='ranks that wait use no core'
idle=("$treemark" scale --ranks 1 --vary "-n=400,401" -- mdtest -a DUMMY -F -T
    -d "$d" --dummy.delay-stat=10000)
last_run="${idle[*]} [np 4]"
"$MPIEXEC" -n 4 "${idle[@]}" </dev/null >"$out" 2>"$err" &
child=$!
sleep 1.5
ranks_of "${idle[@]}" >"$TEST_DIR/ranks"
expect_equal 'ranks' '0 1 2 3' \
    "$(cut -d ' ' -f 2 "$TEST_DIR/ranks" | sort | paste -sd ' ')" || true
declare -A before=()
while read -r pid rank; do
    before[$pid]=$(cpu_ms "$pid")
done <"$TEST_DIR/ranks"
start=$(now_ms)
sleep 4
took=$(($(now_ms) - start))
while read -r pid rank; do
    [ "$rank" != 0 ] || continue
    spent=$(($(cpu_ms "$pid") - ${before[$pid]}))
    # 2 % is the aim; a tick is 10 ms.
    within "ms of rank $rank in $took" 0 $((took * 2 / 100 + 20)) "$spent" ||
        true
done <"$TEST_DIR/ranks"
await "$child" 30
expect_status 0 || true

title='64 ranks, 12 points'
points=(--ranks "1,2,3,4,6,8,12,16,24,32,48,64" --map=pack -- mdtest -a DUMMY
    -F -n 20 -d "$d" --dummy.delay-create=2000 --dummy.delay-stat=2000)
study 64 - 0 "${points[@]}"
expect 'r["scale"]["points"], len(points)' '[12, 12]'
# 1.5 is the aim, of a machine with nothing else to do.
own=$(get 'sum(t["point"]["elapsed_s"] for t in tests)')
within "the study, in times of its points" 1 2.5 "$(awk -v own="$own" \
    '/^12 points in/ { print $4 / own }' "$out")" || true

# The two halves of a broken study, and one that was not broken.
title='killed in the middle'
broken=(--nodes "1,2,4" --ppn "1,2" -- mdtest "${two_ms[@]}" -F -n 60)
study 8 a:2,b:2,c:2,d:2 0 "${broken[@]}"
rows "$out" | grep '^File' | cut -f 1-5 >"$TEST_DIR/want"
rows "$out" | grep '^File' | cut -f 6 >"$TEST_DIR/want.rates"
for signal in KILL TERM; do
    rm -f "$json"
    last_run="treemark scale ${broken[*]} and SIG$signal"
    "$MPIEXEC" -launcher fork -hosts a:2,b:2,c:2,d:2 -n 8 "$treemark" scale \
        --json "$json" "${broken[@]}" </dev/null >"$out" 2>"$err" &
    child=$!
    if ! await_points 3; then
        await "$child" 1
        continue
    fi
    pid=$(ranks_of "$treemark" scale --json "$json" "${broken[@]}" |
        awk '$2 == 0 { print $1 }')
    kill "-$signal" "${pid:?rank 0}" || true
    await "$child" 20
    cp "$json" "$TEST_DIR/half.json"
    n_kept=$((n_kept + 1))
    cp "$json" "$kept/$n_kept.json"
    within "points that were done before SIG$signal" 3 5 \
        "$(get 'states.count("done")')" || true
    if [ "$signal" = KILL ]; then
        expect 'r["run"]["ended"], r["verdict"]' '[null, null]'
    else
        expect 'r["run"]["interrupted"]' SIGTERM
    fi
    scale 8 a:2,b:2,c:2,d:2 --resume "$json" --json "$json" "${broken[@]}"
    expect_status 0 || true
    judged
    expect 'states' '["done", "done", "done", "done", "done", "done"]'
    expect "all(t in tests for t in done_in('$TEST_DIR/half.json'))" true
    rows "$out" | grep '^File' | cut -f 1-5 >"$TEST_DIR/got"
    expect_same_file 'the rows' "$TEST_DIR/want" "$TEST_DIR/got" || true
    paste "$TEST_DIR/want.rates" <(rows "$out" | grep '^File' | cut -f 6) |
        while read -r want got; do
            close_to 'a rate' "$want" "$got" 40 || exit 1
        done || bad 'rates are not those of a study that was not broken'
    only_tables "$out" >"$TEST_DIR/resumed"
    scale 1 - --show "$json"
    only_tables "$out" >"$TEST_DIR/shown"
    expect_same_file 'shown and printed' "$TEST_DIR/resumed" \
        "$TEST_DIR/shown" || true
done

title='points with real files, on four nodes'
study 8 a:2,b:2,c:2,d:2 0 --repeat 2 --shuffle --warmup --strong \
    --vary -w=0,100 -- mdtest -d "$d" -n 400 -u -N node
expect 'sorted(set(points))' \
    '[[1, 1, 1], [1, 2, 2], [2, 1, 2], [2, 2, 4], [4, 1, 4], [4, 2, 8]]'
expect '{n for n in ops("File creation")} == {800}' true
expect_gone 'what was made' "$d" || true
study 4 a:2,b:2 0 --strong -- ior -o "$d" -b 4m -t 256k -w -r -C -F
expect 'sorted({p["bytes"] for p in phases if p["name"] == "write"})' \
    '[4194304]'
expect_gone 'what ior made' "$d.00000000" || true

title='a file system that is full, and one that goes away'
mount=$TEST_DIR/mount
mkdir "$mount"
# shellcheck disable=SC2317 # called by the trap
unmount() {
    ! mountpoint -q "$mount" || umount "$mount" || umount -l "$mount"
}
if mount -t tmpfs -o size=1m,nr_inodes=400 tmpfs "$mount" 2>/dev/null; then
    trap unmount EXIT
    study 4 a:2,b:2 1 --vary -n=150,20 -- mdtest -d "$mount/D" -F
    expect 'states' \
        '["done", "done", "done", "failed", "done", "done", "done", "done"]'
    expect_line '[0-9 ]4 .*failed' 'the state in the table' || true
    expect_empty_dir 'the file system' "$mount" || true
    study 2 a:1,b:1 1 --vary "-w=4k,700k" -- mdtest -d "$mount/D" -F -n 1
    expect 'states[:3], states[3] == "failed"' '[["done", "done", "done"], true]'
else
    echo 'not tried: a tmpfs cannot be mounted'
fi
# While the second point is run, the parent of -d becomes a file.
mkdir "$TEST_DIR/parent"
rm -f "$json"
gone=(scale --json "$json" --vary "-n=20000,20001,20002,20003" -- mdtest -F
    -d "$TEST_DIR/parent/D")
last_run="treemark ${gone[*]}"
"$treemark" "${gone[@]}" </dev/null >"$out" 2>"$err" &
child=$!
await_points 1 || true
mv "$TEST_DIR/parent" "$TEST_DIR/elsewhere" && : >"$TEST_DIR/parent"
await "$child" 30
expect_status 1 || true
judged
expect 'len(tests), states[0], states[3]' '[4, "done", "failed"]'
rm -rf "$TEST_DIR/parent" "$TEST_DIR/elsewhere"

title='points that hang, on two nodes'
start=$(now_ms)
study 4 a:2,b:2 1 --timeout 2 --nodes 1,2 --ppn 1,2 -- mdtest -a DUMMY -F \
    -n 200 --dummy.delay-stat=50000
expect 'set(states) == {"timed out"}' true
within 'ms of four points' 8000 60000 $(($(now_ms) - start)) || true

all_valid
finish
