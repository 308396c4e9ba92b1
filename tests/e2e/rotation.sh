#!/bin/bash
# With -N every phase touches what the owner table says, on two nodes, placed
# in blocks and in turn; ROTATION_SELF is told when a rotation comes back to
# where it began.
set -eu
# shellcheck source=rotation.bash
. "$(dirname "$0")/rotation.bash"
build_recorder

# known_before() must be able to fail.
if [ -z "$(known_before 2 "0 0" <<<"0 create D/file.mdtest.0.0
1 stat D/file.mdtest.0.0")" ]; then
    bad "two calls on one node were not seen"
fi

two="0 0 1 1" two_in_turn="0 1 0 1" uneven="0 0 0 1"

rotate a:2,b:2 "$two" 2 rank -n 2 -N 1
rotate a:2,b:2 "$two" 4 rank -F -n 1 -N 2
self
rotate a:2,b:2 "$two" 4 rank -F -n 1 -N 2 --stride-unit=auto
self
rotate a:2,b:2 "$two" 2 node -n 2 -N node
rotate a:2,b:2 "$two" 1 rank -F -n 2 -N 1 --stride-unit=rank
rotate a:2,b:2 "$two" 2 rank -F -n 1 -N 2 --stride-unit=rank
rotate a:2,b:2 "$two" 2 rank -F -u -b 2 -z 1 -I 1 -N 1
rotate a:2,b:2 "$two" 2 node -F -u -n 1 -N node

rotate a:1,b:1 "$two_in_turn" 2 rank -F -n 1 -N 1
rotate a:1,b:1 "$two_in_turn" 4 rank -F -n 1 -N 2
self
rotate a:1,b:1 "$two_in_turn" 2 node -n 1 -N node
rotate a:1,b:1 "$two_in_turn" 1 rank -F -n 1 -N 1 --stride-unit=rank

rotate a:3,b:1 "$uneven" 3 rank -F -n 1 -N 1

# Without -N there is nothing to warn about.
run 4 a:2,b:2 -F -n 1 -d "$TEST_DIR/D"
expect_status 0 || true
not_self
expect_no_line 'Shifting ranks' "no -N, no stride" || true
finish
