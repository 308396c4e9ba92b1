#!/bin/bash
# The calls that IO500 makes, on several ranks and nodes.
set -eu
# shellcheck source=embed.bash
. "$(dirname "$0")/embed.bash"

lay_out
build link_suite

# $1: ranks, $2: hosts, the rest: stonewall, n, mode
suite()
{
    host "$1" "$2" "$TEST_DIR/link_suite" "$TEST_DIR/data" "$TEST_DIR/results" \
        "${@:3}"
    [ ! -e "$TEST_DIR/data" ] || say 'the data are still there'
    rm -rf "$TEST_DIR/data" "$TEST_DIR/results"*
}

if [ -n "${WRAP:-}" ]; then # slow
    suite 1 - 60 120 extended
    suite 2 - 60 120
else
    for np in 1 2 4; do
        suite "$np" - 0 120
        suite "$np" - 60 120 extended
    done
fi
if [[ $MPIEXEC != *openmpi* ]]; then
    suite 4 a:2,b:2 60 120 extended
fi
if [ -z "${WRAP:-}${SAN:-}" ]; then
    suite 2 - 1 0
fi
# Two nodes, where a launch of ours would look whether they share the place, and
# leave its mark there.
if [ -z "${WRAP:-}${SAN:-}" ] && [[ $MPIEXEC != *openmpi* ]] &&
    strace -o "$TEST_DIR/calls" true 2>/dev/null; then
    host 2 a:1,b:1 strace -f -qq -e trace=file -o "|cat >>$TEST_DIR/calls" \
        "$TEST_DIR/link_suite" "$TEST_DIR/data" "$TEST_DIR/results" 60 120
    grep -q 'ior_file_easy' "$TEST_DIR/calls" || say 'no call was traced'
    ! grep -m 3 -F '.treemark' "$TEST_DIR/calls" ||
        say 'a file of ours beside those that are measured'
fi
[ "$bad" = 0 ]
