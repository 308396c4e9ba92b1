#!/bin/bash
# Memory: a short run of each command under valgrind ($WRAP), which exits with
# 99 if one of our functions reads what is not there or was never written, or
# leaks.
#
#     tests/lint/memcheck.sh [ROOT]
set -eu

cd "${1:-$(dirname "$0")/../..}"
mdtest=${BUILD:-build}/bin/mdtest
mpiexec=${MPIEXEC:-mpiexec.mpich}
wrap=${WRAP:-valgrind --quiet --error-exitcode=99 \
    --suppressions=tests/lint/memcheck.supp}
bad=0
wanted=0 # exit status

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
    [ "$status" = "$wanted" ] || {
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
treemark=${mdtest%/*}/treemark
run 2 "$treemark" find "$tree" -name '*1*' -size -1k --count
run 2 "$treemark" clean "$tree"
run 2 "$treemark" ior -o "$tree/f" -b 64k -t 4k -s 2 -C -w -W -r -R
run 2 "$treemark" mdworkbench -o "$tree/w" -P 4 -I 3 -D 1
run 2 "$treemark" scale --repeat 2 --vary -w=0,10 --json "$tree/study.json" \
    --csv "$tree/study.csv" -- mdtest -d "$tree/d" -n 30
run 2 "$treemark" scale --strong --resume "$tree/study.json" --peak -- \
    ior -o "$tree/f" -b 64k -t 4k -w -r
run 1 "$treemark" scale --show "$tree/study.json"
run 1 "$treemark" compare "$tree/study.json" "$tree/study.json"
run 1 "$treemark" plot "$tree/study.json" --script
cat >"$tree/suite.ini" <<EOF
[global]
datadir = $tree/data
resultdir = $tree/results
timestamp-datadir = FALSE
timestamp-resultdir = FALSE
[debug]
stonewall-time = 1
[ior-easy]
blockSize = 1m
transferSize = 64k
[ior-hard]
segmentCount = 8
[mdtest-easy]
n = 8
[mdtest-hard]
n = 8
EOF
wanted=4 # a suite as short as this is invalid
run 2 "$treemark" io500 "$tree/suite.ini"
wanted=0
run 1 "$treemark" io500 --report "$tree/results"

[ "$bad" = 0 ] || exit 1
echo "runs without a memory error"
