#!/bin/bash
# SIGINT and SIGTERM: the run stops, reports what it has, marked interrupted,
# removes what it made and ends with 130 or 143.
set -eu
# shellcheck source=lib.bash
. "$(dirname "$0")/lib.bash"
d=$TEST_DIR/D

# A plan must fit on the file system: as many files as it has room for.
free=$(df --output=iavail "$TEST_DIR" | tail -n 1)
many=$((free / 4))
if [ "$many" -gt 5000000 ] || [ "$many" -lt 1 ]; then
    many=5000000
fi

# files_there: the run is in the middle of its files.
await_files() {
    local i
    for ((i = 0; i < 200; i++)); do
        if [ -n "$(find "$d" -name 'file.mdtest.*' -print -quit 2>/dev/null)" ]; then
            sleep 0.2
            return 0
        fi
        sleep 0.05
    done
    bad "no file was made in ten seconds"
}

# await PID SECONDS: the status of a child, or kill it.
await() {
    local i
    for ((i = 0; i < $2 * 20; i++)); do
        if ! kill -0 "$1" 2>/dev/null; then
            break
        fi
        sleep 0.05
    done
    if kill -0 "$1" 2>/dev/null; then
        bad "still running $2 s after the signal"
        kill -KILL "$1" || true
    fi
    status=0
    wait "$1" || status=$?
}

# A shell starts what runs in the background with SIGINT ignored; undo that.
singleton() { # SIGNAL WANT ARGS...
    local signal=$1 want=$2 child
    shift 2
    last_run="mdtest $* and SIG$signal"
    env --default-signal=INT "$mdtest" "$@" -d "$d" \
        </dev/null >"$out" 2>"$err" &
    child=$!
    await_files
    kill "-$signal" "$child" || true
    await "$child" 25
    expect_status "$want" || true
    if ! grep -iq interrupted "$out"; then
        bad_with_output "the report is not marked interrupted"
    fi
    expect_line '^   File creation  ' "the rows that there are" || true
}

for signal in INT TERM; do
    want=130
    if [ "$signal" = TERM ]; then
        want=143
    fi

    singleton "$signal" "$want" -F -n "$many"
    expect_gone "what the run made" "$d" || true
    rm -rf "$d"

    # In a later iteration, in a tree, in a root that was there.
    mkdir -p "$d/test-dir.other"
    singleton "$signal" "$want" -n 2000 -i 100000 -b 2 -z 3
    expect_equal "what was there" "d test-dir.other" "$(tree_of "$d")" || true
    rm -rf "$d"

    # Through the launcher.
    last_run="mpiexec -n 2 mdtest and SIG$signal"
    env --default-signal=INT "$MPIEXEC" -n 2 "$mdtest" -F \
        -n $((many / 2)) -d "$d" </dev/null >"$out" 2>"$err" &
    child=$!
    await_files
    kill "-$signal" "$child" || true
    await "$child" 30
    # The status is the launcher's own: Hydra may make 0 of it, and may be
    # gone before its ranks are.
    for ((i = 0; i < 400; i++)); do
        if [ ! -e "$d" ]; then
            break
        fi
        sleep 0.05
    done
    expect_gone "what the run made" "$d" || true
    if ! grep -iq interrupted "$out"; then
        bad_with_output "the report is not marked interrupted"
    fi
    rm -rf "$d"
done

# --keep leaves it, and says how to clean.
singleton INT 130 -F -n "$many" --keep
if [ -z "$(find "$d" -name 'file.mdtest.*' -print -quit 2>/dev/null)" ]; then
    bad "--keep kept nothing"
fi
if ! cat "$out" "$err" | grep -q "treemark clean '$d'"; then
    bad_with_output "the line that cleans is not printed"
fi
rm -rf "$d"

# A grace of no time: the run ends at once and says what to do.
singleton TERM 143 -F -n "$many" --grace 0
if [ -z "$(find "$d" -name 'file.mdtest.*' -print -quit 2>/dev/null)" ]; then
    bad "--grace 0 gave the time to remove everything"
fi
if ! cat "$out" "$err" | grep -q "treemark clean '$d'"; then
    bad_with_output "something is left and the line that cleans not printed"
fi
rm -rf "$d"

# A -C run that is interrupted is no tree to build on: it is removed, too.
singleton INT 130 -F -C -n "$many"
expect_gone "what an interrupted -C made" "$d" || true

# SIGUSR1, which schedulers send before the time is over, stops no run, with a
# launcher or without one.
for np in 1 2; do
    slow=(-a DUMMY -F -C -T -n 4 --dummy.delay-create=500000 -d "$d")
    last_run="mdtest ${slow[*]} and SIGUSR1 [np $np]"
    : >"$out"
    mpi "$np" - "$mdtest" "${slow[@]}" >"$out" 2>"$err" &
    child=$!
    for ((i = 0; i < 200; i++)); do
        if grep -q ' files$' "$out"; then
            break
        fi
        sleep 0.05
    done
    mapfile -t ranks < <(pgrep -f -- "^$mdtest ${slow[*]}\$")
    expect_equal "ranks" "$np" "${#ranks[@]}" || true
    kill -USR1 "${ranks[0]}" || true
    await "$child" 20
    kill -KILL "${ranks[@]}" 2>/dev/null || true # if they are there yet
    expect_status 0 || true
    expect_line '^   File stat  .*[1-9]' "all phases are run" || true
done

# The same while the program starts: before and after MPI has its own handler.
cat >"$TEST_DIR/early.c" <<'END'
#include <signal.h>
int PMPI_Init(int *argc, char ***argv);
int MPI_Init(int *argc, char ***argv);
int MPI_Init(int *argc, char ***argv)
{
    int err;

    raise(SIGUSR1);
    err = PMPI_Init(argc, argv);
    raise(SIGUSR1);
    return err;
}
END
if "${CC:-cc}" -fPIC -shared -o "$TEST_DIR/early.so" "$TEST_DIR/early.c"; then
    for np in 1 2; do
        last_run="mdtest with SIGUSR1 at its start [np $np]"
        status=0
        ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}verify_asan_link_order=0" \
            mpi "$np" - \
            env LD_PRELOAD="$TEST_DIR/early.so" timeout -s KILL 20 \
            "$mdtest" -a DUMMY -n 2 -d "$d" >"$out" 2>"$err" || status=$?
        expect_status 0 || true
    done
fi

# A second signal to one rank of two nodes ends all of them.
last_run="mpiexec -n 4 mdtest on two nodes and SIGTERM twice"
slow=(-a DUMMY -F -n 1 --dummy.delay-create=30000000 -d "$d")
"$MPIEXEC" -launcher fork -hosts a:2,b:2 -n 4 "$mdtest" "${slow[@]}" \
    </dev/null >"$out" 2>"$err" &
child=$!
for ((i = 0; i < 200; i++)); do
    if grep -q '4 files' "$out"; then
        break
    fi
    sleep 0.05
done
mapfile -t ranks < <(pgrep -f -- "^$mdtest ${slow[*]}\$")
expect_equal "ranks" 4 "${#ranks[@]}" || true
kill -TERM "${ranks[0]}" || true
sleep 0.2
kill -TERM "${ranks[0]}" || true
await "$child" 10
kill -KILL "${ranks[@]}" 2>/dev/null || true # if they are there yet
finish
