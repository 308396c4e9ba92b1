#!/bin/bash
# The n-th call of libc fails, on one rank, in the middle of anything: no run
# hangs, what is printed is what the calls came to, the status is right, and
# nothing is left but what could not be removed.  Then: reasons of a full or
# broken file system in each phase, slow ranks, status files.
#
# FAULTS=all tries each n on each rank, FAULTS=each each n, FAULTS=7 every
# seventh of all; else it is one in many.
set -eu
# shellcheck source=lib.bash
. "$(dirname "$0")/lib.bash"
build_recorder
breaker=$TEST_DIR/breaker.so
"${CC:-cc}" -O1 -Wall -Wextra -fPIC -shared -o "$breaker" "$here/breaker.c" \
    -ldl
recorder="$recorder $breaker"
export TREEMARK_RECORD_DATA=1
d=$TEST_DIR/D
log=$TEST_DIR/log
csv=$TEST_DIR/ranks.csv
export TREEMARK_BREAK_BELOW=$d TREEMARK_BREAK_COUNT=$TEST_DIR/count

# One in so many is tried: of one rank, of two and three, of more.
case ${FAULTS:-} in
'') thin=(0 47 0 151 601) ;;
all) thin=(0 1 0 1 1) ;;
each) thin=(0 1 0 3 7) ;;
*) thin=(0 "$FAULTS" 0 "$FAULTS" "$FAULTS") ;;
esac

# called_most NP: the most calls that a rank of the last run made.
called_most() {
    local rank
    for ((rank = 0; rank < $1; rank++)); do
        cat "$TEST_DIR/count.$rank"
    done | sort -n | tail -n 1
}

# told: what was printed, in the form of tally.awk.  How many operations went
# well is the rate times the time.
told() {
    awk -F, '
        NR == 1 { for (i = 1; i <= NF; i++) name[i] = $i }
        $1 == "all" {
            for (i = 3; i < NF; i++)
                if (name[i] ~ /^rate-/ && $i != "") {
                    ran[substr(name[i], 6)]
                    done[substr(name[i], 6)] += $i * $(i + 1)
                }
        }
        END { for (x in ran) printf "%s done %d\n", x, done[x] + 0.5 }' "$csv"
    awk '
        /^   [A-Z][a-z]+ [a-z]+ / { row = $1 " " $2 }
        /^      failed  / {
            sub(/.*\(/, "")
            sub(/\)$/, "")
            n = split($0, part, ", ")
            for (i = 1; i <= n; i++) print row, part[i]
        }' "$out"
}

# planned: of each phase, what was done, has failed or was not tried: "<name>
# <n>".  From a sorted output of told, and the lines of the table.
planned() {
    {
        awk '{ n = $NF; NF -= 2; sum[$0] += n }
            END { for (x in sum) print x, sum[x] }' "$1"
        awk '
            /^   [A-Z][a-z]+ [a-z]+ / { row = $1 " " $2 }
            /^      not tried  / { print row, $3 }' "$out"
    } | awk '{ n = $NF; NF--; sum[$0] += n }
        END { for (x in sum) print x, sum[x] }' | sort
}

# could_remove: no removal failed but of what is not empty or gone.
could_remove() {
    ! grep -hE '^(rmdir|unlink|unlinkat|open .*O_DIRECTORY) .* -> E' "$log".* |
        grep -vE -- '-> (ENOENT|ENOTEMPTY)$' | grep -q .
}

# judge NP OPTIONS...: the last run.
judge() {
    local np=$1 rank failed want=0 collective=0 bytes=0 i
    local -a logs=()
    shift
    for ((rank = 0; rank < np; rank++)); do
        logs+=("$log.$rank")
    done
    if ! grep -q '^SUMMARY' "$out"; then
        expect_status 2 "a run that did not begin" || true
        expect_equal "lines" 1 "$(complaints)" || bad_with_output "lines"
        expect_gone "what it had made" "$d" || true
        return 0
    fi
    for ((i = 1; i <= $#; i++)); do
        case ${!i} in
        -c) collective=1 ;;
        -w)
            i=$((i + 1))
            bytes=${!i}
            ;;
        esac
    done
    awk -f "$here/tally.awk" -v "bytes=$bytes" -v "collective=$collective" \
        pass=1 "${logs[@]}" pass=2 "${logs[@]}" |
        grep -v ' done 0$' | sort >"$TEST_DIR/want"
    told | grep -v ' done 0$' | sort >"$TEST_DIR/got"
    if grep -q '^directories that' "$TEST_DIR/want"; then
        # In which phase, the calls do not say.
        expect_equal "failures" \
            "$(awk '!/ done /{ n += $NF } END { print n + 0 }' "$TEST_DIR/want")" \
            "$(awk '!/ done /{ n += $NF } END { print n + 0 }' "$TEST_DIR/got")" ||
            true
    else
        expect_same_file "counts" "$TEST_DIR/want" "$TEST_DIR/got" || true
    fi
    planned "$TEST_DIR/got" >"$TEST_DIR/plan"
    if [ ! -e "$TEST_DIR/plan.well" ]; then
        cp "$TEST_DIR/plan" "$TEST_DIR/plan.well"
    fi
    expect_same_file "done, failed and not tried" "$TEST_DIR/plan.well" \
        "$TEST_DIR/plan" || true
    failed=$(grep -vc ' done ' "$TEST_DIR/got" || true)
    if could_remove; then
        expect_gone "what the run made" "$d" || true
        if [ "$failed" -ne 0 ] || grep -q 'making test dir' "$err"; then
            want=1
        fi
    else
        want=1 # whether or not something is left
    fi
    expect_status "$want" || true
    if [ "$want" -ne 0 ] && [ ! -s "$err" ]; then
        bad_with_output "nothing says why the status is 1"
    fi
}

# broken N RANK ERRNO NP HOSTS OPTIONS...: a run in which that call fails.
serial=0
broken() {
    local n=$1 rank=$2 errno=$3 np=$4 hosts=$5
    shift 5
    rm -rf "$d" "$csv" "$log".*
    title="call $n of rank $rank fails with errno $errno"
    TREEMARK_BREAK_N=$n TREEMARK_BREAK_RANK=$rank TREEMARK_BREAK_ERRNO=$errno \
        record "$log" "$d" "$np" "$hosts" "$@" -d "$d" \
        --saveRankPerformanceDetails="$csv"
    judge "$np" "$@"
}

# sweep NP HOSTS OPTIONS...
runs=0
sweep() {
    local np=$1 called n rank step errno
    step=${thin[np < 2 ? 1 : np < 4 ? 3 : 4]}
    rm -f "$TEST_DIR/plan.well"
    broken 0 0 0 "$@"
    expect_equal "status of a run without faults" 0 "$status" || true
    called=$(called_most "$np")
    for ((n = 1; n <= called; n++)); do
        for ((rank = 0; rank < np; rank++)); do
            for errno in 5 13; do # EIO, EACCES
                serial=$((serial + 1))
                if [ $((serial % step)) -eq 0 ]; then
                    broken "$n" "$rank" "$errno" "$@"
                    runs=$((runs + 1))
                fi
            done
        done
    done
    title=''
}

while read -r np hosts options; do
    read -r -a args <<<"$options"
    sweep "$np" "$hosts" "${args[@]}"
done <<'END'
1 - -n 3
1 - -n 3 -u -b 2 -z 1
1 - -n 7 -z 2 -b 2
1 - -n 2 -c -w 16 -y
1 - -n 3 -S -w 16 -e 16
1 - -n 2 -k
1 - -n 2 -B
1 - -n 4 -I 2
1 - -n 2 --access=dirfd
1 - -n 4 -b 2 -z 1 -L -k --access=dirfd
1 - -F -n 2 -w 16 --verify-write
1 - -F -n 2 -w 16 -e 16 -X -G 7
1 - -D -n 2 -i 2
2 - -n 3 -N 1
2 - -n 2 -c -N 1
2 - -n 3 -u -b 2 -z 1 --tree=parallel
2 - -F -n 3 -S -w 16 -e 16
2 - -n 2 -B -u
2 - -F -n 2 -w 16 -e 16 -X -G 7 -N 1
2 a:1,b:1 -n 2 -N 1
4 a:1,b:1 -n 2 -N 1 -u
4 - -n 2 -c -w 16
4 a:2,b:2 -n 3 -z 1 --tree=parallel
END
echo "$runs runs with a fault"

# --- full and broken file systems, in the middle of each phase ----------------

errnos=(28 122 5 30 116)
errno_names=(ENOSPC EDQUOT EIO EROFS ESTALE)

# amid WHICH N CALL MATCH PHASE OPTIONS...: the n-th such call of the last rank
# of two (or of rank 0, which makes trees) fails with errno number WHICH.
amid() {
    local which=$1 n=$2 rank=1 phase=$5
    export TREEMARK_BREAK_CALL=$3 TREEMARK_BREAK_MATCH=$4
    case $phase in
    Tree*) rank=0 ;;
    esac
    shift 5
    rm -f "$TEST_DIR/plan.well"
    TREEMARK_BREAK_MATCH=none broken 0 0 0 2 - "$@"
    broken "$n" "$rank" "${errnos[which]}" 2 - "$@"
    title="errno ${errno_names[which]} in $phase, by $TREEMARK_BREAK_CALL"
    if ! [[ $(failed "$phase") == *"(${errno_names[which]} 1)" ]]; then
        bad_with_output "no such failure is told"
    fi
    if ! grep -qi "^mdtest: $phase: $d/.*(${errno_names[which]})" "$err"; then
        bad_with_output "no message with its path"
    fi
    unset TREEMARK_BREAK_CALL TREEMARK_BREAK_MATCH
    title=''
}

turn=0
while read -r n call match phase options; do
    read -r -a args <<<"$options"
    for which in 0 1 2 3 4; do
        if [ "${FAULTS:-}" = all ] || [ $((turn % 5)) -eq "$which" ]; then
            amid "$which" "$n" "$call" "$match" "${phase/-/ }" "${args[@]}"
        fi
    done
    turn=$((turn + 1))
done <<'END'
2 mkdir /mdtest_tree Tree-creation -n 6 -z 1
4 mkdir /dir. Directory-creation -D -n 6
4 stat /dir. Directory-stat -D -n 6 -N 1
4 rename /dir. Directory-rename -D -n 6 -N 1
4 rmdir /dir. Directory-removal -D -n 6 -N 1
4 open /file. File-creation -F -n 6
4 write /file. File-creation -F -n 6 -w 16
4 fsync /file. File-creation -F -n 6 -w 16 -y
4 close /file. File-creation -F -n 6 -w 16
4 mknod /file. File-creation -F -n 6 -k
4 stat /file. File-stat -F -n 6 -N 1
10 open /file. File-read -F -n 6 -N 1
4 read /file. File-read -F -n 6 -N 1 -w 16 -e 16
4 unlink /file. File-removal -F -n 6 -N 1
2 rmdir /mdtest_tree Tree-removal -F -n 6 -z 1
END

# A file system that takes no more is asked for no more, by any rank; what is
# but forbidden is.
for errno in "${errno_names[@]}" ENOTCONN EACCES; do
    run 2 - -a DUMMY -F -n 100 --dummy.delay-create=5000 \
        --dummy.fail="create:5:$errno" --dummy.fail-only-rank=1 -d "$d"
    expect_status 1 || true
    tried=$(failed "File creation" | sed -En "s/^1 of ([0-9]+) \\($errno 1\\)$/\1/p")
    if [ "$errno" = EACCES ]; then
        expect_equal "creations after $errno" 200 "$tried" || true
    else
        within "creations until $errno is known to all" 5 100 "$tried" || true
        expect_missed "File creation" "$((200 - ${tried:-0})) of 200" || true
    fi
    expect_missed "File removal" "$((200 - ${tried:-0} + 1)) of 200" || true
done

# --- a rank that is a hundred times slower ------------------------------------

export TREEMARK_BREAK_DELAY=3000
for np in 2 4; do
    rm -f "$TEST_DIR/plan.well"
    broken 0 1 0 "$np" - -n 3 -N 1
    broken 3 1 13 "$np" - -n 3 -N 1
done
title="a slow rank and a stonewall"
rm -f "$TEST_DIR/plan.well"
TREEMARK_BREAK_DELAY=10000 broken 0 1 0 2 - -F -n 90 -W 1
if ! awk '/^Continue stonewall hit/ { exit !($5 < 60 && $7 == 90) }' "$out"; then
    bad_with_output "the slow rank is not evened out"
fi
unset TREEMARK_BREAK_DELAY

# --- files beside -------------------------------------------------------------

title="a directory that cannot be looked into may hold anything"
for np in 1 2; do
    rm -rf "$d"
    run "$np" - -F -n 3 -C -d "$d"
    snapshot "$d" >"$TEST_DIR/before"
    # -d itself, the test directory for markers, then its trees.
    for n in 1 2 3; do
        TREEMARK_BREAK_N=$n TREEMARK_BREAK_ERRNO=5 \
            TREEMARK_BREAK_CALL=opendir TREEMARK_BREAK_RANK=0 \
            record "$log" "$d" "$np" - -F -n 3 -d "$d"
        refused "opendir $n fails" "$d" || true
        snapshot "$d" >"$TEST_DIR/after"
        expect_same_file "what is there" "$TEST_DIR/before" \
            "$TEST_DIR/after" || true
    done
    # Where there is nothing, it need not be listed.
    rm -rf "$d"
    mkdir "$d"
    TREEMARK_BREAK_N=1 TREEMARK_BREAK_ERRNO=13 TREEMARK_BREAK_CALL=opendir \
        record "$log" "$d" "$np" - -F -n 3 -d "$d"
    expect_status 0 || true
    expect_empty_dir "a directory that is not for reading" "$d" || true
done
rm -rf "$d"

title="status files that are none"
mkdir "$TEST_DIR/S"
export TREEMARK_BREAK_BELOW=$TEST_DIR/S
status_file=$TEST_DIR/S/status
truncate -s 1T "$status_file"
mkfifo "$TEST_DIR/S/pipe"
for np in 1 2 4; do
    for file in "$status_file" "$TEST_DIR/S/pipe" /dev/zero "$TEST_DIR/S"; do
        run "$np" - -F -n 3 -T -x "$file" -d "$d"
        refused "$file" "-x: $file: " || true
    done
done
title="a status file that cannot be replaced"
echo precious >"$status_file"
for call in open rename; do
    for np in 1 4; do
        rm -rf "$d"
        TREEMARK_BREAK_N=1 TREEMARK_BREAK_ERRNO=5 TREEMARK_BREAK_CALL=$call \
            TREEMARK_BREAK_RANK=0 record "$log" "$d" "$np" - -F -n 3 -W 9 \
            -x "$status_file" -d "$d"
        expect_status_in "1 2" || true
        if ! grep -q "^mdtest: -x: $status_file: " "$err"; then
            bad_with_output "it is not said"
        fi
        expect_equal "the file before" precious "$(cat "$status_file")" || true
        expect_equal "files beside it" "$(printf 'p pipe\nf status' | sort)" \
            "$(tree_of "$TEST_DIR/S")" || true
        expect_gone "what the run made" "$d" || true
    done
done
finish
