#!/bin/bash
# A person who waits is told how far a run is: by lines, if that is asked for,
# and by SIGUSR1, after which the run goes on.
set -eu
# shellcheck source=lib.bash
. "$(dirname "$0")/lib.bash"
d=$TEST_DIR/D
slow=(-a DUMMY -F -d "$d" --dummy.delay-stat=2000)
line='^mdtest: [a-z ]+, iteration [0-9]+ of [0-9]+: [0-9]+ of [0-9]+ \([0-9.]+%\)( on [0-9] of [0-9] ranks)?, [0-9]+/s, ([0-9:]+ left|no end in sight), [0-9]+ failed$'

# expect_lines LEAST [NAME]: so many lines of progress, of that phase.
expect_lines() {
    local n
    n=$(grep -Ec -- "$line" "$err" || true)
    if [ -n "${2:-}" ]; then
        n=$(grep -E -- "$line" "$err" | grep -Ec -- "^mdtest: $2," || true)
    fi
    if [ "$n" -lt "$1" ]; then
        bad_with_output "expected $1 lines of progress${2:+ of $2}, got $n"
    fi
    if grep -Evq -- "$line" "$err"; then
        bad_with_output "something else on standard error"
    fi
    if grep -Eq -- 'left,|no end in sight' "$out"; then
        bad_with_output "progress in the report"
    fi
}

title=lines
run 2 - "${slow[@]}" -n 500 -i 2 --progress=0.2
expect_status 0 || true
expect_lines 6 'file stat'
# Never more than there is, and never less than before in an iteration.
awk '/file stat/ {
        if ($5 != was) last = 0
        was = $5
        if ($8 + 0 < last || $8 + 0 > $10 + 0 || $10 != 1000) print
        last = $8 + 0
    }' "$err" >"$TEST_DIR/odd"
expect_equal "odd lines" "" "$(cat "$TEST_DIR/odd")" || true
run 2 - "${slow[@]}" -n 600 --progress
expect_lines 1 'file stat'
run 1 - "${slow[@]}" -n 200 --progress=0.1
expect_lines 2 'file stat'
for np in 1 2; do # nobody asked, and nobody is at a terminal
    run $np - "${slow[@]}" -n 700
    expect_equal "progress unasked for on $np ranks" "" "$(cat "$err")" || true
done
run 2 - "${slow[@]}" -n 100 --progress=0.1 --dummy.fail-every=stat:2
expect_status 1 || true
if ! grep -Eq 'file stat.*, [1-9][0-9]* failed$' "$err"; then
    bad_with_output "failures are not in the lines"
fi

title='all kinds of phases'
for hosts in - a:2,b:1; do
    case $MPIEXEC in
    *mpich*) ;;
    *) [ "$hosts" = - ] || continue ;;
    esac
    run 3 "$hosts" "${slow[@]}" -n 300 -B --progress=0.1
    expect_status 0 || true
    expect_lines 2 'phases on files'
    run 3 "$hosts" "${slow[@]}" -n 100 -c --dummy.delay-create=1000 \
        --progress=0.1
    expect_status 0 || true
    expect_lines 2 'file creation'
    run 3 "$hosts" -a DUMMY -F -d "$d" -W 1 -n 100000 \
        --dummy.delay-create=2000 --progress=0.2
    expect_status 0 || true
    expect_lines 2 'file creation'
    if ! grep -Eq 'file creation.*, 0:0[01] left' "$err"; then
        bad_with_output "the stonewall is no end"
    fi
    run 3 "$hosts" "${slow[@]}" -T -n 150 -f 1 -l 3 --progress=0.1
    expect_status 0 || true
    for planned in 150 300 450; do
        if ! grep -q " of $planned (" "$err"; then
            bad_with_output "no line of the test of $((planned / 150)) ranks"
        fi
    done
done

title='a terminal'
if command -v script >/dev/null; then
    last_run='mdtest on a terminal'
    screen() { # ARGS...: mdtest as a person sees it
        status=0
        timeout -k 5 60 script -qec "stty cols 60; exec $mdtest ${slow[*]} $* \
            2>&1 >$out" /dev/null </dev/null >"$err" || status=$?
        expect_status 0 || true
    }
    screen -n 800
    written='file stat, iteration 1 of 1: [0-9]+ of 800'
    if ! tr '\r' '\n' <"$err" | grep -Eq -- "$written"; then
        bad_with_output "no line appears by itself"
    fi
    tr '\r' '\n' <"$err" | sed 's/\x1b\[K//' | awk 'length > 59' \
        >"$TEST_DIR/odd"
    expect_equal "lines that are too wide" "" "$(cat "$TEST_DIR/odd")" || true
    if [ "$(tail -c 4 "$err" | od -An -tx1 | tr -d ' ')" != 0d1b5b4b ]; then
        bad_with_output "the last line is not wiped"
    fi
    screen -n 800 --progress=0
    expect_equal "progress that was refused" "" "$(cat "$err")" || true
fi

# Nobody reads, and the pipe is full.
title='a reader that does not read'
mkfifo "$TEST_DIR/full"
exec 3<>"$TEST_DIR/full"
timeout 1 dd if=/dev/zero bs=4096 count=1024 >&3 2>/dev/null || true
last_run='mdtest with a full pipe on standard error'
status=0
timeout -k 5 30 "$mdtest" "${slow[@]}" -n 300 --progress=0.1 </dev/null \
    >"$out" 2>&3 || status=$?
exec 3>&-
expect_status 0 "the run waits for its reader" || true

# ask NP WHO [ARGS...]: SIGUSR1 in the middle of a phase, to the launcher or to
# a rank.
ask() {
    local np=$1 who=$2 child i
    local -a ranks
    shift 2
    last_run="mdtest $* [np $np] and SIGUSR1 to $who"
    "$MPIEXEC" -n "$np" "$mdtest" "${slow[@]}" -n 800 "$@" </dev/null \
        >"$out" 2>"$err" &
    child=$!
    for ((i = 0; i < 200; i++)); do
        ! grep -q "^$np tasks" "$out" || break
        sleep 0.05
    done
    sleep 0.5
    if [ "$who" = launcher ]; then
        kill -USR1 "$child"
    else
        mapfile -t ranks < <(pgrep -f -- "^$mdtest ${slow[*]} -n 800")
        expect_equal "ranks" "$np" "${#ranks[@]}" || true
        kill -USR1 "${ranks[$who]}"
    fi
    status=0
    wait "$child" || status=$?
    expect_status 0 || true
    expect_equal "reports" 1 "$(grep -c '^-- partial report' "$err")" || true
    expect_equal "tables in it" 1 "$(grep -c '^SUMMARY' "$err")" || true
    expect_equal "tables in the end" 1 "$(grep -c '^SUMMARY' "$out")" || true
    within "operations of a phase that is over" 1 1e12 \
        "$(awk '/^   File creation/ { print $3 }' "$err")" || true
    within "operations of a phase to come" 0 0 \
        "$(awk '/^   File removal/ { print $3 }' "$err")" || true
    if ! grep -Eq "^mdtest: file stat, iteration 1 of 1: [0-9]+ of \
$((np * 800)) \([0-9.]+%\)( on [0-9] of $np ranks)?, [0-9]+/s" "$err"; then
        bad_with_output "the report does not say how far the phase is"
    fi
    within "file stats per second in the end" 1 1e12 "$(row 'File stat')" ||
        true
}
title=SIGUSR1
ask 3 launcher
if grep -q 'of 3 ranks' "$err"; then
    bad_with_output "the launcher passes it on to all ranks"
fi
ask 2 0
ask 2 1
ask 3 2 --progress=100
if grep -q 'of 3 ranks' "$err"; then
    bad_with_output "with --progress all ranks are known"
fi

# What rank 0 comes to know on several nodes.
title='several nodes'
for test in test_totals test_progress; do
    test=${TREEMARK_BIN%/bin}/tests/mpi/$test
    case $MPIEXEC in
    *mpich*) [ -x "$test" ] || continue ;;
    *) continue ;;
    esac
    for hosts in a:2,b:2 a:1,b:1,c:2; do
        last_run="$test on $hosts"
        status=0
        mpi 4 "$hosts" timeout -k 5 60 "$test" >"$out" 2>"$err" || status=$?
        expect_status 0 "a case failed" || true
    done
done
finish
