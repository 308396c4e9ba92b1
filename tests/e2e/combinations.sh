#!/bin/bash
# Whatever options are combined: every rank makes the calls that the rules of
# the original say (model.awk), in their order, and what is left on disk is
# what they leave.  With --as=mdtest-4.1 call by call, flags included; without
# it, reads are O_RDONLY, and -R has an order of its own.
set -eu
# shellcheck source=lib.bash
. "$(dirname "$0")/lib.bash"
build_recorder
base=$TEST_DIR/base

# What the original does to -N on several nodes that share a host name.
stride_of() { # HOSTS ARGS...
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

# tree_after FILE...: what model lines leave, in the form of tree_of.
tree_after() {
    awk '
        $2 == "mkdir" { there["d " $3] }
        $2 == "create" || $2 == "mknod" { there["f " $3] }
        $2 == "rmdir" { gone["d " $3] }
        $2 == "unlink" { gone["f " $3] }
        END { for (x in there) if (!(x in gone)) print x }' "$@" | sort
}

# populate: make what the lines of the standard input are about.
populate() {
    awk '$2 == "mkdir" { print $3 }' "$1" | (cd "$base" && xargs -r mkdir -p)
    awk '$2 == "create" || $2 == "mknod" { print $3 }' "$1" |
        (cd "$base" && xargs -r touch)
}

# in_order RANDOM FILE: with RANDOM 1, stats and reads sorted to the end.
in_order() {
    if [ "$1" -eq 0 ]; then
        cat "$2"
        return
    fi
    awk '!/^(stat|read) /' "$2"
    awk '/^(stat|read) /' "$2" | sort
}

# compare MODE NP HOSTS OPTIONS...: MODE is "4.1" or "own".  A launch that
# does not create finds what -C leaves.
case_count=0
compare() {
    local mode=$1 np=$2 hosts=$3 log=$TEST_DIR/log stride rank random=0
    local -a as=() how=()
    shift 3
    case_count=$((case_count + 1))
    rm -rf "$base" "$log".*
    mkdir "$base"
    : >"$TEST_DIR/model.before"
    stride=$(stride_of "$hosts" "$@")
    # model() knows the options of the program by their letters only.
    if [[ " $* " == *" -"[TEUr]* ]] && [[ " $* " != *" -C"* ]]; then
        model "$np" "$stride" "" "${@//-[TEUr]*/-C}" >"$TEST_DIR/model.before"
        populate "$TEST_DIR/model.before"
        how=(--root-exists)
    fi
    case $mode in
    4.1) as=(--as=mdtest-4.1) ;;
    *) if [[ " $* " == *" -R "* ]]; then random=1; fi ;;
    esac
    model "$np" "$stride" "" "${how[@]}" "$@" >"$TEST_DIR/model"
    record "$log" "$base/D" "$np" "$hosts" "${as[@]}" "$@" -d "$base/D"
    expect_status 0 || return 0
    for ((rank = 0; rank < np; rank++)); do
        calls_of "$rank" <"$TEST_DIR/model" >"$TEST_DIR/want.calls"
        if [ "$mode" = 4.1 ]; then
            in_original_words <"$TEST_DIR/want.calls" >"$TEST_DIR/want"
            exact_calls "$log.$rank" "$base" >"$TEST_DIR/got"
        else
            calls "$log.$rank" "$base" >"$TEST_DIR/got.calls"
            in_order "$random" "$TEST_DIR/want.calls" >"$TEST_DIR/want"
            in_order "$random" "$TEST_DIR/got.calls" >"$TEST_DIR/got"
        fi
        expect_same_file "$mode, rank $rank" "$TEST_DIR/want" \
            "$TEST_DIR/got" || true
    done
    # What is not opened for writing is opened for reading alone.
    if [ "$mode" != 4.1 ] && grep -h '^open' "$log".* | grep -F 'mdtest.' |
        grep -Ev '^open (O_RDWR\|O_CREAT|O_WRONLY|O_RDONLY) ' \
            >"$TEST_DIR/odd"; then
        bad "opened as $(head -n 1 "$TEST_DIR/odd")"
    fi
    tree_after "$TEST_DIR/model.before" "$TEST_DIR/model" >"$TEST_DIR/want"
    tree_of "$base" >"$TEST_DIR/got"
    expect_same_file "$mode, what is left" "$TEST_DIR/want" "$TEST_DIR/got" ||
        true
}

# First of all, the model agrees with recordings that model.sh leaves out.
for trace in "$here"/traces-as/*.txt "$here"/traces/{random,scan}-*.txt; do
    name=$(basename "$trace" .txt)
    ranks=$(awk '$1 == "ranks" { print $2 }' "$trace")
    read -r -a args < <(sed -n 's/^run //p' "$trace")
    model "$ranks" "$(stride_of - "${args[@]}")" "" "${args[@]}" \
        >"$TEST_DIR/model"
    for ((rank = 0; rank < ranks; rank++)); do
        calls_of "$rank" <"$trace" >"$TEST_DIR/want"
        calls_of "$rank" <"$TEST_DIR/model" >"$TEST_DIR/got"
        expect_same_file "the model of $name, rank $rank" "$TEST_DIR/want" \
            "$TEST_DIR/got" || true
    done
done

# Which semantics, ranks, hosts, options.  What the original cannot do at all
# (-c with -u for files, -n with -I in a tree) is compared natively alone.
while read -r modes np hosts options; do
    case $modes in
    '' | '#'*) continue ;;
    esac
    read -r -a args <<<"$options"
    for mode in ${modes//,/ }; do
        compare "$mode" "$np" "$hosts" "${args[@]}"
    done
done <<'END'
# One rank: trees, loops, kinds.
4.1,own 1 - -n 3
4.1,own 1 - -F -n 4 -k
4.1,own 1 - -D -n 5 -b 2 -z 1
4.1,own 1 - -F -I 2 -b 3 -z 1 -L
4.1,own 1 - -n 6 -I 3
own     1 - -n 4 -I 2 -b 2 -z 1
own     1 - -F -n 4 -I 2 -b 2 -z 1 -L -k
4.1,own 1 - -D -n 4 -I 2 -C -U -r
4.1,own 1 - -F -I 3 -z 3
4.1,own 1 - -F -n 3 -z 3 -L
4.1,own 1 - -n 2 -u -c -D
4.1,own 1 - -F -n 3 -c
4.1,own 1 - -F -n 3 -S
4.1     1 - -F -n 9 -R --random-seed=7
4.1     1 - -F -I 2 -b 2 -z 2 -L -R --random-seed=12345
4.1,own 1 - -F -n 2 -i 3 -C
4.1,own 1 - -F -n 2 -i 2 -r
4.1,own 1 - -F -n 7 -z 1 -T
4.1,own 1 - -F -n 7 -z 1 -E
4.1,own 1 - -D -n 7 -z 1 -U
4.1,own 1 - -n 7 -z 1 -r
4.1,own 1 - -n 7 -z 1 -T -U -r
4.1,own 1 - -F -n 4 -I 2 -E -r
# Two ranks: everybody's tree, rotation, collective creation.
4.1     2 - -n 3 -b 2 -z 1
own     2 - -n 3 -u -N 1
4.1     2 - -F -n 2 -c -N 1
own     2 - -F -n 2 -c -N 1
4.1     2 - -D -n 3 -c -N 1
own     2 - -n 3 -c -b 2 -z 1
own     2 - -n 3 -c -u -b 2 -z 1
own     2 - -F -n 2 -c -u -N 1
4.1     2 - -D -n 2 -c -u -N 1
4.1     2 - -F -n 4 -c -I 2
4.1     2 - -F -I 1 -b 2 -z 1 -S
own     2 - -F -I 1 -b 2 -z 2 -S -L -N 1
own     2 - -F -n 4 -I 2 -S
4.1     2 - -F -n 3 -S -C
own     2 - -F -n 3 -S -r
4.1     2 - -F -n 3 -S -E -T
own     2 - -F -n 3 -c -C
4.1     2 - -F -n 3 -c -r
own     2 - -D -n 3 -c -r -N 1
4.1     2 - -F -n 3 -k -u
own     2 - -F -n 3 -k -N 1 -i 2
own     2 - -F -n 6 -R --random-seed=3 -u
4.1     2 - -n 6 -R --random-seed=3 -N 1
4.1     2 - -F -n 6 --random-seed=4
4.1     2 - -n 2 -I 1 -N 1 -C -T
own     2 - -F -n 3 -u -z 1 -N 1 -b 2 -L
4.1     2 - -F -n 3 -u -t -T
own     2 - -n 3 -u -T -E
# Three.
4.1     3 - -F -n 2 -c -N 2
own     3 - -F -n 2 -c -N 1
own     3 - -n 3 -u -N 2 -b 2 -z 1
4.1     3 - -D -n 3 -u -N 1 -U
4.1     3 - -n 2 -N 5 -r
own     3 - -F -n 2 -S -N 1
own     3 - -F -n 3 -z 2 -k -E
own     3 - -F -n 2 -f 1 -l 3 -s 2
4.1     3 - -F -n 2 -f 1 -l 3 -N 1
# Four, and several nodes: in blocks, in turn, uneven.
4.1     4 - -n 2 -u -N 1
own     4 - -F -n 2 -u -N 3 -c
own     4 - -n 2 -c -N 1
own     4 a:2,b:2 -F -n 2 -N 1 -c
4.1     4 a:2,b:2 -n 2 -N 1 -u
own     4 a:2,b:2 -n 2 -N 1 -u -b 2 -z 1 -L
4.1     4 a:1,b:1 -D -n 2 -N 1
own     4 a:1,b:1 -F -n 2 -N 1 -k -T -E
4.1     4 a:3,b:1 -F -n 2 -N 1 -c
own     4 a:3,b:1 -n 2 -N 1 -S -F
own     4 a:3,b:1 -n 2 -N 2 -u -I 0
4.1     4 a:2,b:2 -F -n 1 -S
END
if [ "$case_count" -lt 80 ]; then
    bad "only $case_count combinations were tried"
fi

# Several roots: rank r works below root r modulo their number.
rm -rf "$base" "$TEST_DIR/log".*
mkdir "$base"
model 3 0 "" -u -n 2 -d "D0@D1" >"$TEST_DIR/model"
record "$TEST_DIR/log" "$base/D" 3 - -u -n 2 -d "$base/D0@$base/D1"
expect_status 0 "two roots" || true
for rank in 0 1 2; do
    calls_of "$rank" <"$TEST_DIR/model" >"$TEST_DIR/want"
    calls "$TEST_DIR/log.$rank" "$base" >"$TEST_DIR/got"
    expect_same_file "two roots, rank $rank" "$TEST_DIR/want" \
        "$TEST_DIR/got" || true
done
expect_empty_dir "two roots" "$base" || true
finish
