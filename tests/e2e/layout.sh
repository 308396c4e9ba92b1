#!/bin/bash
# The tree that -C leaves on disk is the one that the rules of the layout say
# (model.awk), in every combination of tree and item options; -r removes it.
set -eu
# shellcheck source=lib.bash
. "$(dirname "$0")/lib.bash"

# expected_tree BASE-RELATIVE model lines -> "d path" and "f path", sorted.
expected_tree() {
    awk '$2 == "mkdir" { print "d " $3 } $2 == "create" { print "f " $3 }' |
        sort
}

# layout RANKS STRIDE OPTIONS...: -C, compare, -r, look for leftovers.  STRIDE
# is the effective one.
case_count=0
layout() {
    local np=$1 stride=$2 base=$TEST_DIR/base
    shift 2
    case_count=$((case_count + 1))
    rm -rf "$base"
    mkdir "$base"
    if [ $((case_count % 2)) -eq 0 ]; then
        mkdir "$base/D" # there before, or made by the run: the same tree
    fi
    run "$np" - "$@" -C -d "$base/D"
    expect_status 0 || return 0
    model "$np" "$stride" "" "$@" -C | expected_tree >"$TEST_DIR/want"
    tree_of "$base" >"$TEST_DIR/got"
    if [ ! -s "$TEST_DIR/want" ]; then
        bad "the model expects nothing of $*"
    fi
    expect_same_file "tree of $*" "$TEST_DIR/want" "$TEST_DIR/got" || return 0
    run "$np" - "$@" -r -d "$base/D"
    expect_status 0 || true
    if [ ! -d "$base/D" ]; then
        bad "-r alone removed the root, which it did not make"
        return 0
    fi
    expect_empty_dir "after -r" "$base/D" || true
}

layout 1 0 -F -n 1
layout 1 0 -D -n 1
layout 1 0 -n 3
layout 1 0 -F -n 11
layout 1 0 -F -I 4
layout 1 0 -D -I 4
layout 1 0 -F -b 0 -n 3
layout 1 0 -F -b 3 -n 3
layout 1 0 -F -z 1 -n 4
layout 1 0 -F -z 3 -n 4
layout 1 0 -D -z 2 -n 6
layout 1 0 -F -b 2 -z 1 -n 3
layout 1 0 -F -b 2 -z 2 -n 14
layout 1 0 -F -b 2 -z 2 -n 20
layout 1 0 -D -b 2 -z 2 -I 3
layout 1 0 -F -b 3 -z 2 -I 1
layout 1 0 -F -b 2 -z 4 -I 2
layout 1 0 -F -b 1 -z 3 -L -n 5
layout 1 0 -F -b 1 -z 3 -L -I 5
layout 1 0 -F -b 2 -z 2 -L -n 4
layout 1 0 -F -b 2 -z 2 -L -n 11
layout 1 0 -D -b 2 -z 2 -L -I 3
layout 1 0 -F -b 3 -z 1 -L -I 2
layout 1 0 -F -b 10 -z 1 -I 11
layout 1 0 -F -n 6 -I 2
layout 1 0 -D -n 6 -I 3
layout 1 0 -F -n 6 -I 6
layout 1 0 -F -n 4 -I 2 -z 1 -b 2
layout 1 0 -F -n 4 -I 2 -z 1 -b 2 -L
layout 1 0 -F -u -n 3
layout 1 0 -F -u -b 2 -z 2 -I 2
layout 2 0 -n 3
layout 2 0 -F -i 2 -n 2
layout 2 0 -F -u -b 2 -z 2 -L -I 2
layout 2 0 -u -z 2 -I 1
layout 2 0 -F -b 2 -z 1 -n 7
layout 2 1 -F -N 1 -n 2
layout 3 1 -F -u -N 1 -n 2
layout 3 1 -F -u -N 1 -b 2 -z 1 -I 1
layout 3 2 -u -N 2 -b 2 -z 1 -L -I 1
layout 2 0 -F -n 4 -I 2 -i 2
layout 3 0 -D -u -i 2 -n 1

# Directories made by all tasks: dealt out level by level to the end, in whole
# subtrees from some level on, in whole trees.
layout 3 0 -F -b 2 -z 3 -I 1 --tree=parallel
layout 2 0 -F -b 2 -z 3 -I 1 --tree=parallel
layout 4 0 -F -b 2 -z 3 -I 1 --tree=parallel
layout 4 0 -F -b 3 -z 2 -L -I 1 --tree=parallel
layout 2 0 -F -n 4 -I 2 -z 1 -b 2 --tree=parallel
layout 3 0 -F -u -c -z 2 -b 2 -I 1 --tree=parallel
layout 4 0 -F -z 3 -I 1 --tree=parallel

# Modes are those of the original less the umask, whatever that is.
for mask in 002 022 077; do
    rm -rf "$TEST_DIR/base"
    (umask "$mask" && "$mdtest" -n 1 -C -d "$TEST_DIR/base/D") \
        </dev/null >"$out" 2>"$err" || bad "-C with umask $mask failed"
    want_dir=$(printf '%o' $((0775 & ~0$mask)))
    want_file=$(printf '%o' $((0664 & ~0$mask)))
    odd=$(find "$TEST_DIR/base/D" \( -type d ! -perm "$want_dir" \) -o \
        \( -type f ! -perm "$want_file" \) | head -n 3)
    expect_equal "umask $mask: modes other than $want_dir and $want_file" \
        "" "$odd" || true
done
finish
