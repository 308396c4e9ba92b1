# shellcheck shell=bash
# What the tests of -N share, with lib.bash; sourced, not run.
#
# The simulated nodes share a host name, by which the original finds out
# about blocks: an automatic stride is a multiple of the first node's ranks,
# placed in turn or not.

# shellcheck source=lib.bash
. "$(dirname "${BASH_SOURCE[0]}")/lib.bash"

# known_before NODES_COUNT "NODE OF EACH RANK" < "<rank> <call> <path>" lines:
# the items that a phase met on a node that had them before, though there are
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
