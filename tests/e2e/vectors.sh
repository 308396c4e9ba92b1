#!/bin/bash
# The worked examples that were recorded with the original come out the same
# with --as=mdtest-4.1: calls in their order, contents of files, random order,
# rates of ranks as CSV.
set -eu
# shellcheck source=lib.bash
. "$(dirname "$0")/lib.bash"
build_recorder
base=$TEST_DIR/base
log=$TEST_DIR/log
T=D/test-dir.0-0

vector() { # NP ARGS...
    local np=$1
    shift
    rm -rf "$base" "$log".*
    mkdir "$base"
    record "$log" "$base/D" "$np" - --as=mdtest-4.1 "$@" -d "$base/D"
    expect_status 0 || true
}

# expect_calls RANK < the calls of a rank.
expect_calls() {
    cat >"$TEST_DIR/want"
    exact_calls "$log.$1" "$base" >"$TEST_DIR/got"
    expect_same_file "rank $1" "$TEST_DIR/want" "$TEST_DIR/got" || true
}

# A1: four ranks with trees of their own, one further on in each phase.
vector 4 -n 1 -N 1 -u
expect_calls 0 <<END
mkdir D
mkdir $T
mkdir $T/mdtest_tree.0.0/
mkdir $T/mdtest_tree.1.0/dir.mdtest.0.0
stat $T/mdtest_tree.2.0/dir.mdtest.1.0
rmdir $T/mdtest_tree.0.0/dir.mdtest.3.0
open O_RDWR|O_CREAT $T/mdtest_tree.1.0/file.mdtest.0.0
stat $T/mdtest_tree.2.0/file.mdtest.1.0
open O_RDWR $T/mdtest_tree.3.0/file.mdtest.2.0
unlink $T/mdtest_tree.0.0/file.mdtest.3.0
rmdir $T/mdtest_tree.0.0/
rmdir $T
rmdir D
END

# A2: the order of directories and of items in the leaves.
vector 1 -n 4 -z 2 -b 2 -L -F
leaves=$TEST_DIR/leaves
cat >"$leaves" <<END
mdtest_tree.0/mdtest_tree.1/mdtest_tree.3/file.mdtest.0.3
mdtest_tree.0/mdtest_tree.1/mdtest_tree.4/file.mdtest.0.4
mdtest_tree.0/mdtest_tree.2/mdtest_tree.5/file.mdtest.0.5
mdtest_tree.0/mdtest_tree.2/mdtest_tree.6/file.mdtest.0.6
END
tree_dirs() { # CALL NUMBER...: calls on the directories of these numbers
    local call=$1 number path
    shift
    for number; do
        path=''
        while [ "$number" -gt 0 ]; do
            path=mdtest_tree.$number/$path
            number=$(((number - 1) / 2))
        done
        echo "$call $T/mdtest_tree.0/$path"
    done
}
expect_calls 0 <<END
mkdir D
mkdir $T
$(tree_dirs mkdir 0 1 3 4 2 5 6)
$(sed "s:^:open O_RDWR|O_CREAT $T/:" "$leaves")
$(sed "s:^:stat $T/:" "$leaves")
$(sed "s:^:open O_RDWR $T/:" "$leaves")
$(sed "s:^:unlink $T/:" "$leaves")
$(tree_dirs rmdir 3 4 1 5 6 2 0)
rmdir $T
rmdir D
END

# A3: rank 0 creates and removes for all.
vector 3 -n 1 -N 1 -c -F
expect_calls 0 <<END
mkdir D
mkdir $T
mkdir $T/mdtest_tree.0/
open O_RDWR|O_CREAT $T/mdtest_tree.0/file.mdtest.0.0
open O_RDWR|O_CREAT $T/mdtest_tree.0/file.mdtest.1.0
open O_RDWR|O_CREAT $T/mdtest_tree.0/file.mdtest.2.0
open O_WRONLY $T/mdtest_tree.0/file.mdtest.0.0
stat $T/mdtest_tree.0/file.mdtest.1.0
open O_RDWR $T/mdtest_tree.0/file.mdtest.2.0
unlink $T/mdtest_tree.0/file.mdtest.0.0
unlink $T/mdtest_tree.0/file.mdtest.1.0
unlink $T/mdtest_tree.0/file.mdtest.2.0
rmdir $T/mdtest_tree.0/
rmdir $T
rmdir D
END
expect_calls 1 <<END
open O_WRONLY $T/mdtest_tree.0/file.mdtest.1.0
stat $T/mdtest_tree.0/file.mdtest.2.0
open O_RDWR $T/mdtest_tree.0/file.mdtest.0.0
END

# A4: the chain of renames, in another rank's tree.
vector 2 -n 3 -D -C -U -N 1 -u
grep ^rename "$log.0" >"$log.renames" || true
mv "$log.renames" "$log.0"
expect_calls 0 <<END
rename $T/mdtest_tree.0.0/dir.mdtest.1.0 $T/mdtest_tree.0.0/dir.mdtest.1.0-XX
rename $T/mdtest_tree.0.0/dir.mdtest.1.1 $T/mdtest_tree.0.0/dir.mdtest.1.0
rename $T/mdtest_tree.0.0/dir.mdtest.1.0-XX $T/mdtest_tree.0.0/dir.mdtest.1.1
END

# A5: a stonewall that is not hit changes nothing.  What is told between the
# ranks is our own affair, but nobody is said to have been late.
vector 2 -n 5 -F -C -u -W 60
expect_calls 1 <<END
mkdir $T/mdtest_tree.1.0/
open O_RDWR|O_CREAT $T/mdtest_tree.1.0/file.mdtest.1.0
open O_RDWR|O_CREAT $T/mdtest_tree.1.0/file.mdtest.1.1
open O_RDWR|O_CREAT $T/mdtest_tree.1.0/file.mdtest.1.2
open O_RDWR|O_CREAT $T/mdtest_tree.1.0/file.mdtest.1.3
open O_RDWR|O_CREAT $T/mdtest_tree.1.0/file.mdtest.1.4
END
expect_line '^2 tasks, 10 files$' "A5" || true
expect_no_line '^Continue stonewall' "the limit was not reached" || true

# A6: contents.  WORD is the number of a word in a file of 515.
expect_word() { # FILE WORD HEX
    expect_equal "word $2 of $1 with $type" "$3" \
        "$(od -A n -t x8 -v -j $((8 * $2)) -N 8 \
            "$base/$T/mdtest_tree.0/file.mdtest.$1" | tr -d ' ')" || true
}
for type in random offset incompressible timestamp; do
    vector 2 -F -C -n 2 -w 4120 -G 1000 --dataPacketType="${type:0:1}"
    case $type in
    random)
        expect_word 0.0 0 0bfacae9fe2f03c5
        expect_word 0.0 1 092d5a45bde36078
        expect_word 1.1 0 1c17ee876aca2665
        ;;
    offset)
        expect_word 1.1 0 0000000100000001
        expect_word 1.1 1 00000001000003e9
        expect_word 1.1 512 0000000100000002
        expect_word 1.1 513 00000001000005e9
        ;;
    incompressible)
        expect_word 0.0 1 6a2c1e2d7c5eb2d6
        expect_word 0.1 511 6a2c1e2d7c5eb2d6
        expect_word 0.1 512 0000000000000002
        expect_word 0.1 514 6a2c1e2d7c5eb2d6
        expect_word 1.1 1 0686a6ab5cbd3ab3
        ;;
    timestamp)
        expect_word 1.0 0 00000001000003e8
        expect_word 1.1 512 00000001000005e8
        ;;
    esac
    # And every other word, from the rules.
    for file in 0.0 0.1 1.0 1.1; do
        perl "$here/pattern.pl" "${type:0:1}" 1000 "${file%.*}" "${file#*.}" \
            4120 >"$TEST_DIR/want"
        expect_same_file "contents of $file with $type" "$TEST_DIR/want" \
            "$base/$T/mdtest_tree.0/file.mdtest.$file" || true
    done
done

# A7: the C library's order for a seed.
vector 2 -n 5 -F -R --random-seed=5
expect_ids() { # RANK CALL_REGEX ORDER
    expect_equal "rank $1, order of $2" "$3" \
        "$(exact_calls "$log.$1" "$base" |
            sed -En "s/^$2 .*file\.mdtest\.[0-9]+\.([0-9]+)\$/\1/p" |
            paste -sd ' ')" || true
}
expect_ids 0 stat "2 3 4 0 1"
expect_ids 1 stat "3 4 1 2 0"
expect_ids 0 "open O_RDWR" "2 3 4 0 1"
expect_ids 1 "open O_RDWR" "3 4 1 2 0"
expect_ids 0 unlink "0 1 2 3 4"
expect_ids 1 unlink "0 1 2 3 4"

# A8: a line for all, with six pairs of rate and time, and one for each rank
# with the four of files.
csv=$TEST_DIR/ranks.csv
vector 2 -F -n 3 --saveRankPerformanceDetails="$csv"
number='[0-9]\.[0-9]{10}e[+-][0-9]{2}'
names="Directory creation,Directory stat,Directory read,Directory rename,\
Directory removal,File creation,File stat,File read,File removal,\
Tree creation,Tree removal"
: >"$TEST_DIR/no-csv"
[ -e "$csv" ] || csv=$TEST_DIR/no-csv
expect_equal "A8: the head" \
    "rank,items$(tr ',' '\n' <<<"$names" |
        sed 's/.*/,rate-&,time-&/' | tr -d '\n')" \
    "$(head -n 1 "$csv")" || true
expect_equal "A8: lines" 4 "$(wc -l <"$csv")" || true
for want in "2:^all,3,{11}$number(,$number){11}\$" \
    "3:^0,{12}$number(,$number){7}\$" "4:^1,{12}$number(,$number){7}\$"; do
    if ! sed -n "${want%%:*}p" "$csv" | grep -Eq -- "${want#*:}"; then
        bad "A8: line ${want%%:*}: $(sed -n "${want%%:*}p" "$csv")"
    fi
done
# The rate of all is that of the items of all in the longest time.
if ! awk -F , 'NR == 2 {
        for (i = 13; i <= 20; i += 2) {
            off = $i * $(i + 1) - 6
            if (off > 1e-3 || off < -1e-3) exit 1
        }
    }' "$csv"; then
    bad "A8: rate times time is not 6 files: $(sed -n 2p "$csv")"
fi
finish
