#!/bin/bash
# With -N every phase touches what the owner table says, on several nodes,
# placed in blocks and in turn; "-N node" reaches a node that has not had the
# item in its hands, where there are enough; ROTATION_SELF is told when, and
# only when, a rotation comes back to where it began.
set -eu
# shellcheck source=lib.bash
. "$(dirname "$0")/lib.bash"
build_recorder

# known_before NODES_COUNT "NODE OF EACH RANK" < "<rank> <call> <path>" lines: the
# items that a phase met on a node that had them before, though there are
# nodes enough: a stat needs 2, a read 3, a removal 4.
known_before() {
    awk -v count="$1" -v nodes="$2" '
        BEGIN { split(nodes, node, " ") }
        $3 ~ /file\.mdtest\.[0-9.]*$/ {
            at[$2, $3] = node[$1 + 1]
            path[$3] = 1
        }
        function clash(p, call, earlier) {
            if (at[call, p] == at[earlier, p])
                print call " and " earlier " of " p " on one node"
        }
        END {
            for (p in path) {
                if (count >= 2) clash(p, "stat", "create")
                if (count >= 3) {
                    clash(p, "read", "create")
                    clash(p, "read", "stat")
                }
                if (count >= 4) {
                    clash(p, "unlink", "create")
                    clash(p, "unlink", "stat")
                    clash(p, "unlink", "read")
                }
            }
        }'
}

# rotate HOSTS "NODE OF EACH RANK" STRIDE RING OPTIONS...: RING is "rank" or
# "node"; STRIDE is what the options come to.
rotate() {
    local hosts=$1 nodes=$2 stride=$3 ring=$4 base=$TEST_DIR/base
    local log=$TEST_DIR/log rank np
    shift 4
    np=$(wc -w <<<"$nodes")
    rm -rf "$base" "$log".*
    mkdir "$base"
    record "$log" "$base" "$np" "$hosts" "$@" -d "$base/D"
    expect_status 0 || return 0
    if [ "$ring" = node ]; then
        model "$np" "$stride" "$nodes" "$@" >"$TEST_DIR/model"
    else
        model "$np" "$stride" "" "$@" >"$TEST_DIR/model"
        expect_line "Shifting ranks by $stride([^0-9]|\$)" "the stride" || true
    fi
    : >"$TEST_DIR/all"
    for ((rank = 0; rank < np; rank++)); do
        awk -v rank="$rank" '$1 == rank { sub(/^[0-9]+ /, ""); print }' \
            "$TEST_DIR/model" >"$TEST_DIR/want"
        calls "$log.$rank" "$base" >"$TEST_DIR/got"
        sed "s/^/$rank /" "$TEST_DIR/got" >>"$TEST_DIR/all"
        expect_same_file "rank $rank" "$TEST_DIR/want" "$TEST_DIR/got" || true
    done
    if [ "$ring" = node ]; then
        known_before "$(tr ' ' '\n' <<<"$nodes" | sort -u | wc -l)" "$nodes" \
            <"$TEST_DIR/all" >"$TEST_DIR/known"
        if [ -s "$TEST_DIR/known" ]; then
            bad "-N node: $(head -n 1 "$TEST_DIR/known")"
        fi
    fi
    expect_empty_dir "after the run" "$base" || true
}

# Directories are renamed by the rank that looked at them, which is no fault
# of a rotation: the two below are asked of files.
self() {
    if ! grep -h WARNING "$out" "$err" | grep -q ROTATION_SELF; then
        bad_with_output "no ROTATION_SELF, though nothing rotates"
        return 0
    fi
    if ! grep -hA 2 ROTATION_SELF "$out" "$err" | grep -q -- '-N [0-9n]'; then
        bad_with_output "ROTATION_SELF names no better -N"
    fi
}

not_self() {
    expect_no_line ROTATION_SELF "the rotation is a good one" || true
}

# known_before() must be able to fail.
if [ -z "$(known_before 2 "0 0" <<<"0 create D/file.mdtest.0.0
1 stat D/file.mdtest.0.0")" ]; then
    bad "two calls on one node were not seen"
fi

# The simulated nodes share a host name, by which the original finds out
# about blocks: an automatic stride is a multiple of the first node's ranks,
# placed in turn or not.
two="0 0 1 1" two_in_turn="0 1 0 1"
three="0 0 1 1 2 2" three_in_turn="0 1 2 0 1 2"
four="0 0 1 1 2 2 3 3" four_alone="0 1 2 3" four_in_turn="0 1 2 3 0 1 2 3"
uneven="0 0 0 1"

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

rotate a:3,b:1 "$uneven" 3 rank -F -n 1 -N 1

# Without -N there is nothing to warn about.
run 4 a:2,b:2 -F -n 1 -d "$TEST_DIR/D"
expect_status 0 || true
not_self
expect_no_line 'Shifting ranks' "no -N, no stride" || true

# A command line that many have published: its stride is 8 of 8.
run 8 a:4,b:4 -n 200 -i 1 -p 1 -F -u -N 2 -d "$TEST_DIR/D"
expect_status 0 || true
self
expect_line '^8 tasks, 1600 files$' "tasks line" || true
expect_gone "the run made the root" "$TEST_DIR/D" || true
finish
