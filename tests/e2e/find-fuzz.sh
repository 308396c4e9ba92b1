#!/bin/bash
# Random trees and expressions: treemark find prints and ends as GNU find does,
# on 1, 2 and 3 ranks and on two nodes.
#
#     SEED=   of the first tree; a random one if it is not given
#     CASES=  expressions, 50
#     TREES=  trees to divide them among, 1; each has a seed of its own
#     NPS=    "1 2 3 a:2,b:1"; a:2,b:1 are nodes with their ranks
set -eu

programs=${TREEMARK_BIN:?}/../tests/bench
here=$(cd "$(dirname "$0")" && pwd)
seed=${SEED:-$((RANDOM * 32768 + RANDOM))}
trees=${TREES:-1}
each=$((${CASES:-50} / trees))
export LC_ALL=C

launches=()
for np in ${NPS:-1 2 3 a:2,b:1}; do
    [ ${#launches[@]} = 0 ] || launches+=(::)
    case $np in
    *:*)
        n=$(awk -F'[:,]' '{ for (i = 2; i <= NF; i += 2) n += $i; print n }' <<<"$np")
        launches+=("${MPIEXEC:?}" -launcher fork -hosts "$np" -n "$n")
        ;;
    *)
        launches+=("${MPIEXEC:?}" -n "$np")
        ;;
    esac
    launches+=("$programs/find_cases")
done

if "$TREEMARK_BIN/treemark" find / -maxdepth 0 --uring=2 </dev/null \
    >/dev/null 2>&1; then
    export FIND_URING=1
fi
bad=0
for ((tree = 0; tree < trees; tree++)); do
    mkdir "$TEST_DIR/tree"
    /usr/bin/python3 "$here/find_fuzz.py" "$TEST_DIR/tree" "$each" $((seed + tree)) \
        "${launches[@]}" || {
        bad=$((bad + 1))
        echo "repeat it with: make check-e2e E2E=tests/e2e/find-fuzz.sh" \
            "SEED=$((seed + tree)) CASES=$each"
    }
    rm -rf "$TEST_DIR/tree" "$TEST_DIR/cases.tree"
done
[ "$bad" = 0 ]
