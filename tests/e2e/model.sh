#!/bin/bash
# The model that the other tests compare with agrees with what the original
# program was recorded to do.  The program under test is not run.
set -eu
# shellcheck source=lib.bash
. "$(dirname "$0")/lib.bash"

# The original multiplies -N by the ranks of the first of several nodes.
effective_stride() { # HOSTS ARGS...
    local hosts=$1 times=1
    shift
    case $hosts in
    a:1,b:1) times=2 ;; # four ranks in turn: two on the first
    *,*) times=${hosts#a:} times=${times%%,*} ;;
    esac
    while [ $# -gt 1 ]; do
        if [ "$1" = -N ]; then
            echo $(($2 * times))
            return
        fi
        shift
    done
    echo 0
}

compared=0
for trace in "$here"/traces/*.txt; do
    name=$(basename "$trace" .txt)
    case $name in
    scan-* | random-*) continue ;; # the model has neither
    esac
    hosts=$(awk '$1 == "hosts" { print $2 }' "$trace")
    ranks=$(awk '$1 == "ranks" { print $2 }' "$trace")
    launch=0
    while read -r line; do
        launch=$((launch + 1))
        read -r -a args <<<"$line"
        for ((rank = 0; rank < ranks; rank++)); do
            awk -v launch="$launch" -v rank="$rank" '
                $1 == "run" { at++ }
                at == launch && $1 == rank' "$trace" >"$TEST_DIR/want"
            model "$ranks" "$(effective_stride "$hosts" "${args[@]}")" "" \
                "${args[@]}" | awk -v rank="$rank" '$1 == rank' \
                >"$TEST_DIR/got"
            expect_same_file "$name, launch $launch, rank $rank" \
                "$TEST_DIR/want" "$TEST_DIR/got" || true
            compared=$((compared + 1))
        done
    done < <(sed -n 's/^run //p' "$trace")
done
if [ "$compared" -lt 40 ]; then
    bad "only $compared recordings were compared"
fi

# The model can be wrong: a stride too many must show.
model 4 1 "" -F -n 1 >"$TEST_DIR/want"
model 4 2 "" -F -n 1 >"$TEST_DIR/got"
if cmp -s "$TEST_DIR/want" "$TEST_DIR/got"; then
    bad "the model does not know strides 1 and 2 apart"
fi

# The ring of nodes: ranks 0 2 on one node, 1 3 on the other, one node on.
want="0 stat D/test-dir.0-0/mdtest_tree.0/file.mdtest.1.0
1 stat D/test-dir.0-0/mdtest_tree.0/file.mdtest.0.0
2 stat D/test-dir.0-0/mdtest_tree.0/file.mdtest.3.0
3 stat D/test-dir.0-0/mdtest_tree.0/file.mdtest.2.0"
expect_equal "the ring of two nodes" "$want" \
    "$(model 4 2 "0 1 0 1" -F -T -n 1)" || true
finish
