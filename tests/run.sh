#!/bin/bash
# Run test programs or scripts one after another and count what came of them.
#
#     tests/run.sh unit PROGRAM...    each by itself
#     tests/run.sh mpi PROGRAM...     each under $MPIEXEC on $NP ranks
#     tests/run.sh e2e SCRIPT...      with TREEMARK_BIN, MPIEXEC, TEST_DIR
#     tests/run.sh lint SCRIPT...     with BUILD, no directory of its own
#     tests/run.sh parts TARGET...    make's targets, a header line for each
#
# One line per test, the output of those that failed, and at last the line
# "N passed, N failed, N skipped".  Exit status: 1 if any failed or none ran.
# A cmocka program counts as its cases; anything else as one.  Exit status 77
# of a program or script means skipped; its last line of output says why.
#
#     NP       ranks to try, "1 2 4"
#     WRAP     a command to put before each program (valgrind)
#     LIMIT_S  seconds until a test is ended, 120
#     TALLY    file to which "passed failed skipped" is appended
#     BUILD    the build directory, "build"
set -eu

kind=$1
shift
root=$(cd "$(dirname "$0")/.." && pwd)
limit_s=${LIMIT_S:-120}
build=$(realpath -m "${BUILD:-$root/build}")
export MPIEXEC=${MPIEXEC:-mpiexec.mpich}
passed=0
failed=0
skipped=0

# One rank of an MPI test: ranks above 0 write to a file of their own.
if [ "$kind" = rank ]; then
    rank=${PMI_RANK:-${OMPI_COMM_WORLD_RANK:-${PMIX_RANK:-0}}}
    [ "$rank" = 0 ] || exec "$@" >"$RANK_DIR/rank.$rank" 2>&1
    exec "$@"
fi

# One lint of several at a time: what became of it goes into a directory.
if [ "$kind" = one ]; then
    out=$LINT_DIR/$(basename "$1")
    start=${EPOCHREALTIME/[.,]/}
    status=0
    timeout -k 10 "$limit_s" bash "$1" "$root" </dev/null >"$out" 2>&1 ||
        status=$?
    echo "$status $(((${EPOCHREALTIME/[.,]/} - start) / 1000))" >"$out.end"
    exit 0
fi

# Temporary directories: in memory if possible.
memory=/dev/shm
if [ ! -d "$memory" ] || [ ! -w "$memory" ]; then
    memory=${TMPDIR:-/tmp}
fi
dir=
log=$(mktemp "$memory/treemark-log.XXXXXX")
trap 'rm -rf "$log" "$dir"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# The last line, and the exit status.
total()
{
    [ -z "${TALLY:-}" ] || echo "$passed $failed $skipped" >>"$TALLY"
    echo "$passed passed, $failed failed, $skipped skipped"
    [ "$failed" = 0 ] && [ $((passed + skipped)) -gt 0 ]
    exit
}

sum()
{
    awk -v c="$1" '{ n += $c } END { print n + 0 }' "$log"
}

# Each part adds to $log; one that says nothing of tests counts as one.
if [ "$kind" = parts ]; then
    for part; do
        echo "== $part"
        lines=$(wc -l <"$log")
        before=$(sum 2)
        start=$SECONDS
        jobs=
        [ "$part" != programs ] || jobs=${JOBS:-}
        # shellcheck disable=SC2086 # MAKE and JOBS are words
        if TALLY=$log ${MAKE:-make} --no-print-directory $jobs "$part"; then
            case $part in
            programs | check-embed) ;;
            *) [ "$(wc -l <"$log")" != "$lines" ] || echo 1 0 0 >>"$log" ;;
            esac
        elif [ "$(sum 2)" = "$before" ]; then
            echo 0 1 0 >>"$log"
        fi
        echo "== $part: $((SECONDS - start)) s"
    done
    passed=$(sum 1)
    failed=$(sum 2)
    skipped=$(sum 3)
    total
fi

# A test that runs make starts afresh, and counts nothing here.
unset MAKEFLAGS MFLAGS MAKELEVEL MAKE_TERMOUT MAKE_TERMERR WERROR
export -n TALLY BUILD

# The number before cmocka's word, as "[  PASSED  ] 3 test(s)."
cases()
{
    sed -n "s/^\[  $1 *\] \([0-9][0-9]*\) test(s).*/\1/p" "$log" |
        awk '{ n += $1 } END { print n + 0 }'
}

# What became of test $1, whose exit status is $2, after $3 ms.
count()
{
    local p f s what
    p=$(cases PASSED)
    f=$(cases FAILED)
    s=$(cases SKIPPED)
    what=$((p + f + s))
    if [ "$2" = 77 ]; then
        printf 'skip %s: %s\n' "$1" "$(tail -n 1 "$log")"
        skipped=$((skipped + 1))
        return
    fi
    [ "$what" != 0 ] || [ "$2" != 0 ] || p=1
    [ "$2" = 0 ] || [ "$f" != 0 ] || f=1
    passed=$((passed + p))
    failed=$((failed + f))
    skipped=$((skipped + s))
    if [ "$what" -gt 0 ]; then
        what="$what cases, "
    else
        what=
    fi
    what="($what$(($3 / 1000)).$(printf %03d $(($3 % 1000))) s)"
    if [ "$f" = 0 ] && [ "$2" = 0 ]; then
        printf 'ok   %s %s\n' "$1" "$what"
        [ "$s" = 0 ] ||
            sed -n 's/^\[  SKIPPED \] \([a-z]\)/     skipped: \1/p' "$log" | sort -u
        return
    fi
    printf 'FAIL %s %s: ' "$1" "$what"
    case $2 in
    124 | 137) echo "not over after $limit_s s" ;;
    *) echo "exit status $2" ;;
    esac
    sed 's/^/    | /' "$log"
    for other in "$dir"/rank.*; do
        [ -s "$other" ] || continue
        echo "    rank ${other##*.}:"
        sed 's/^/    | /' "$other"
    done
}

now_ms()
{
    local s=${EPOCHREALTIME/[.,]/}
    echo $((s / 1000))
}

# Run a test under name $1: the rest is the command.
run()
{
    local name=$1 status=0 start
    shift
    start=$(now_ms)
    timeout -k 10 "$limit_s" "$@" </dev/null >"$log" 2>&1 || status=$?
    count "$name" "$status" $(($(now_ms) - start))
}

fresh_dir()
{
    [ -z "$dir" ] || rm -rf "$dir"
    dir=$(mktemp -d "$memory/treemark-test.XXXXXX")
}

[ $# -gt 0 ] || echo "no $kind tests"
# Lints keep one core busy each and measure nothing.
if [ "$kind" = lint ] && [ $# -gt 0 ]; then
    fresh_dir
    printf '%s\0' "$@" | BUILD=$build LINT_DIR=$dir LIMIT_S=$limit_s \
        xargs -0 -n 1 -P "$(nproc)" bash "$root/tests/run.sh" one
fi
for test; do
    name=$(basename "$test")
    case $kind in
    unit)
        # shellcheck disable=SC2086 # WRAP is a command and its options
        run "$name" ${WRAP:-} "$test"
        ;;
    mpi)
        for n in ${NP:-1 2 4}; do
            fresh_dir
            # shellcheck disable=SC2086 # so are MPIEXEC and WRAP
            RANK_DIR=$dir TEST_DIR=$dir run "$name, $n ranks" \
                $MPIEXEC -n "$n" bash "$root/tests/run.sh" rank \
                ${WRAP:-} "$test"
        done
        ;;
    e2e)
        fresh_dir
        TREEMARK_BIN=$build/bin TEST_DIR=$dir TREEMARK_ROOT=$root \
            run "$name" bash "$test"
        ;;
    lint)
        cp "$dir/$name" "$log"
        read -r status ms <"$dir/$name.end"
        count "$name" "$status" "$ms"
        ;;
    *)
        echo "$0: $kind: no such kind of test (unit, mpi, e2e, lint)" >&2
        exit 2
        ;;
    esac
done

total
