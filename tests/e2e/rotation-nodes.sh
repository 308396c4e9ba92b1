#!/bin/bash
# On three and four nodes "-N node" reaches a node that has not had the item
# in its hands, and ROTATION_SELF is not told of a rotation that is good.
set -eu
# shellcheck source=rotation.bash
. "$(dirname "$0")/rotation.bash"
build_recorder

three="0 0 1 1 2 2" three_in_turn="0 1 2 0 1 2"
four="0 0 1 1 2 2 3 3" four_alone="0 1 2 3" four_in_turn="0 1 2 3 0 1 2 3"

rotate a:2,b:2,c:2 "$three" 2 rank -F -n 1 -N 1
rotate a:2,b:2,c:2 "$three" 4 rank -F -n 1 -N 2
rotate a:2,b:2,c:2 "$three" 2 node -F -n 1 -N node
rotate a:1,b:1,c:1 "$three_in_turn" 2 node -F -n 1 -N node
rotate a:1,b:1,c:1 "$three_in_turn" 1 rank -F -n 1 -N 1 --stride-unit=rank

rotate a:1,b:1,c:1,d:1 "$four_alone" 1 rank -F -n 1 -N 1
not_self
rotate a:1,b:1,c:1,d:1 "$four_alone" 1 node -F -n 1 -N node
not_self
rotate a:2,b:2,c:2,d:2 "$four" 4 rank -F -n 1 -N 2
rotate a:2,b:2,c:2,d:2 "$four" 2 node -F -n 1 -N node
not_self
rotate a:1,b:1,c:1,d:1 "$four_in_turn" 2 node -F -n 1 -N node
not_self
rotate a:1,b:1,c:1,d:1 "$four_in_turn" 1 rank -F -u -n 1 -N 1 \
    --stride-unit=rank
not_self

# A command line that many have published: its stride is 8 of 8.
run 8 a:4,b:4 -n 200 -i 1 -p 1 -F -u -N 2 -d "$TEST_DIR/D"
expect_status 0 || true
self
expect_line '^8 tasks, 1600 files$' "tasks line" || true
expect_gone "the run made the root" "$TEST_DIR/D" || true
finish
