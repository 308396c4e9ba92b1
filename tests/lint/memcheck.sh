#!/bin/bash
# Memory: short runs of mdtest and treemark clean under valgrind ($WRAP), which exits with 99 if one
# of our functions reads what is not there or was never written, or leaks.
#
#     tests/lint/memcheck.sh [ROOT]
set -eu

cd "${1:-$(dirname "$0")/../..}"
mdtest=${BUILD:-build}/bin/mdtest
mpiexec=${MPIEXEC:-mpiexec.mpich}
wrap=${WRAP:-valgrind --quiet --error-exitcode=99 \
    --suppressions=tests/lint/memcheck.supp}
bad=0

if [ ! -x "$mdtest" ]; then
    echo "$mdtest is not built"
    exit 1
fi
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT

# $1: ranks, the rest: a program and its arguments
run()
{
    local n=$1 status=0 out
    shift
    # shellcheck disable=SC2086 # commands and their options
    out=$($mpiexec -n "$n" $wrap "$@" </dev/null 2>&1) || status=$?
    [ "$status" = 0 ] || {
        echo "$* on $n ranks: exit status $status"
        echo "    | ${out//$'\n'/$'\n    | '}"
        bad=1
    }
}

# $1: ranks, the rest: options
try()
{
    run "$1" "$mdtest" -d "$tree" "${@:2}"
}

try 2 -n 6 -z 1 -b 2 -i 2 -N 1
try 2 -I 3 -z 2 -b 2 -u -w 100 -e 100
try 2 -n 5 -F -C -T -r -v
try 2 -n 9 -z 1 -b 2 -C
run 2 "${mdtest%/*}/treemark" clean "$tree"

[ "$bad" = 0 ] || exit 1
echo "five runs without a memory error"
