#!/bin/bash
# The node map on several nodes, as the launcher makes them up.
set -eu
# shellcheck source=lib.bash
. "$(dirname "$0")/lib.bash"

case $MPIEXEC in
*mpich*) ;;
*) skip "needs Hydra's -hosts" ;;
esac
test_layout=${TREEMARK_BIN%/bin}/tests/mpi/test_layout
[ -x "$test_layout" ] || skip "$test_layout is not built (make programs)"

# layout HOSTS NP MAP NODES: the cases pass, and the map is MAP.
layout()
{
    last_run="test_layout [np $2 on $1]"
    status=0
    # Lines of several ranks would run into each other: rank 0 speaks, and a
    # case that fails on another rank ends the job.
    # shellcheck disable=SC2016
    mpi "$2" "$1" timeout -k 5 60 bash -c \
        '[ "$PMI_RANK" = 0 ] || exec "$0" >/dev/null 2>&1; exec "$0"' \
        "$test_layout" >"$out" 2>&1 || status=$?
    expect_status 0 "a case failed" || true
    # Two groups: the map in private and in shared memory.
    expect_equal "groups of which all cases passed" 2 \
        "$(grep -c '^\[  PASSED  \] [0-9]* test' "$out")" || true
    expect_line "^node of each rank: $3\$" "the node map" || true
    expect_line "^nodes of this kernel: $4\$" "nodes that share it" || true
}

layout a:2,b:2 4 "0 0 1 1" 2
layout a:3,b:1 4 "0 0 0 1" 2
layout a:1,b:1 4 "0 1 0 1" 2
layout a:2,b:1,c:2 5 "0 0 1 2 2" 3
finish
