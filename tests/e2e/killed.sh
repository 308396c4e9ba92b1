#!/bin/bash
# Runs that are interrupted or killed at any moment: an interrupt leaves an
# empty directory or prints the line that empties it; what a SIGKILL leaves,
# treemark clean removes.
#
#     INTERRUPTS  how many of the first kind, 40
#     KILLS       and of the second, 12
#     SEED        of the moments
set -eu
# shellcheck source=lib.bash
. "$(dirname "$0")/lib.bash"
treemark=$TREEMARK_BIN/treemark
d=$TEST_DIR/D
PATH=$TREEMARK_BIN:$PATH
RANDOM=${SEED:-1}

# What runs do: a line of options each.
plans=(
    '-n 200 -b 2 -z 3 -i 1000'
    '-F -n 3000 -w 10 -i 1000'
    '-n 300 -I 30 -i 1000'
    '-u -I 3 -b 3 -z 2 -i 1000 -N 1'
    '-D -n 500 -i 1000 --grace 0'
    '-F -n 100000 --grace 0'
    '-C -n 100000 --keep'
    '-S -F -n 500 -i 1000'
)

# start NP OPTIONS...: in the background; sets $child to what signals go to.
start() {
    local np=$1
    shift
    last_run="mdtest $* [np $np]"
    : >"$out"
    # A shell starts what runs in the background with SIGINT ignored.
    if [ "$np" = 1 ]; then
        env --default-signal=INT "$mdtest" -d "$d" "$@" \
            </dev/null >"$out" 2>"$err" &
    else
        env --default-signal=INT "$MPIEXEC" -n "$np" "$mdtest" -d "$d" "$@" \
            </dev/null >"$out" 2>"$err" &
    fi
    child=$!
}

# The ranks of the last run may outlive their launcher: until none is left.
await_ranks() {
    local i
    wait "$child" 2>/dev/null || true
    for ((i = 0; i < 600; i++)); do
        pgrep -f -- "-d $d " >/dev/null || return 0
        sleep 0.05
    done
    bad "ranks are still there after 30 s"
}

# moment: 0 to 0.4 s after the report has begun.  Before that a signal may meet
# MPI in its start, and Hydra leaves ranks that wait for ever.
moment() {
    local i
    for ((i = 0; i < 1000; i++)); do
        [ ! -s "$out" ] || break
        sleep 0.01
    done
    sleep "0.$(printf '%03d' $((RANDOM % 400)))"
}

for ((i = 0; i < ${INTERRUPTS:-40}; i++)); do
    np=$((1 << i % 3))
    signal=INT
    [ $((i % 2)) = 0 ] || signal=TERM
    title="interrupt $i, SIG$signal"
    read -ra options <<<"${plans[RANDOM % ${#plans[@]}]}"
    start "$np" "${options[@]}"
    moment
    kill "-$signal" "$child" 2>/dev/null || true
    await_ranks
    if [ -z "$(find "$d" -mindepth 1 -print -quit 2>/dev/null)" ]; then
        rm -rf "$d"
        continue
    fi
    line=$(grep -oP 'something is left in .*; \Ktreemark clean .*(?= removes it)' "$err") || {
        bad_with_output "something is left, and no line cleans: $(tree_of "$d" | head -n 3)"
        line="treemark clean '$d'"
    }
    eval "$line" >"$TEST_DIR/cleaned" 2>&1 </dev/null ||
        bad "$line: $(cat "$TEST_DIR/cleaned")"
    expect_empty_dir "after $line" "$d" || true
    rm -rf "$d"
done

for ((i = 0; i < ${KILLS:-12}; i++)); do
    np=$((1 << i % 3))
    title="kill $i"
    read -ra options <<<"${plans[RANDOM % ${#plans[@]}]}"
    start "$np" "${options[@]}"
    moment
    victim=$child
    if [ "$np" -gt 1 ] && [ $((i % 2)) = 0 ]; then # a rank, not the launcher
        victim=$(pgrep -f -- "^$mdtest -d $d " | head -n 1) || victim=$child
    fi
    kill -KILL "${victim:-$child}" 2>/dev/null || true
    await_ranks
    if [ -d "$d" ]; then
        status=0
        mpi 2 - "$treemark" clean "$d" >"$out" 2>"$err" || status=$?
        expect_status 0 "clean after SIGKILL" || true
        expect_empty_dir "after SIGKILL" "$d" || true
    fi
    rm -rf "$d"
done
finish
