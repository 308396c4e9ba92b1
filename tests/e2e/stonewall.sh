#!/bin/bash
# A stonewall ends creation after a time; then all tasks are made even, and
# what they made is what later phases and later launches work on.
set -eu
# shellcheck source=lib.bash
. "$(dirname "$0")/lib.bash"
build_recorder
base=$TEST_DIR/base
d=$base/D
log=$TEST_DIR/log
status_file=$TEST_DIR/status

part() {
    title=$1
    rm -rf "$base" "$log".* "$status_file"
    mkdir "$base"
}

# slowly NP RANK ARGS...: making an item takes 20 ms more, on this rank or on
# all; -x is given.
slowly() {
    local np=$1
    export TREEMARK_RECORD_DELAY=20000
    if [ "$2" != all ]; then
        export TREEMARK_RECORD_DELAYED=$2
    fi
    shift 2
    record "$log" "$d" "$np" - "$@" -x "$status_file" -d "$d"
    unset TREEMARK_RECORD_DELAY TREEMARK_RECORD_DELAYED
    expect_status 0 || true
}

# names KIND OWNER: of its files or directories, in the order of nothing.
names() {
    (cd "$base" && find D -name "$1.mdtest.$2.*" | sort)
}

# stored [NAME]: a number of the status file: that of files, which is the
# first line, or a named one.
stored() {
    if [ $# -eq 0 ]; then
        sed -n 1p "$status_file" 2>/dev/null || true
    else
        sed -n "s/^$1 //p" "$status_file" 2>/dev/null || true
    fi
}

# expect_first KIND NP COUNT ARGS...: each owner has so many items, the first
# ones in the order of creation.
expect_first() {
    local kind=$1 np=$2 count=$3 owner owners
    shift 3
    model "$np" 0 "" -C "$@" >"$TEST_DIR/model"
    owners=$(seq 0 $((np - 1)))
    if [[ " $* " == *" -S "* ]]; then
        owners=shared
    fi
    for owner in $owners; do
        awk -v name="/$kind.mdtest.$owner." '
            index($3, name) && $2 != "write" && !($3 in seen) {
                seen[$3]
                print $3
            }' "$TEST_DIR/model" | head -n "$count" | sort >"$TEST_DIR/want"
        names "$kind" "$owner" >"$TEST_DIR/got"
        expect_same_file "$kind of $owner" "$TEST_DIR/want" "$TEST_DIR/got" ||
            true
    done
}

# calls_on_files CALL: how many the last launch made of it.
calls_on_files() {
    cat "$log".* | grep -c "^$1 .*/file\.mdtest" || true
}

# hit WHAT LEAST MOST: the stonewall was, with so many items at most, and the
# line of it is in order.
hit() {
    within "$1: the most items" "$2" "$3" "$(sed -En \
        's/^Continue stonewall hit min: [0-9]+ max: ([0-9]+) avg: [0-9]+\.[0-9] $/\1/p' \
        "$out" | head -n 1)" || bad_with_output "$1"
}

# --- who makes how many -------------------------------------------------------------

part "the slow task catches up with the fast one"
slowly 2 0 -F -C -n 60 -W 1 -P
hit "files" 60 60
if ! awk '/^Continue stonewall/ {
        least = $5; most = $7; mean = $9
        exit !(least > 2 && least < 60 && mean > (least + most) / 2 - 0.06 &&
            mean < (least + most) / 2 + 0.06) }' "$out"; then
    bad_with_output "min and avg do not fit"
fi
expect_equal "files in the status file" 60 "$(stored)" || true
expect_first file 2 60 -F -n 60
close_to "files in the rate" 120 "$(counted "File creation")" 2 || true
within "seconds, with catching up" 1.2 10 "$(time_row "File creation")" || true

part "all tasks are slow: none makes all"
slowly 2 all -F -n 1000 -W 1 -P -C -T -E
hit "files" 3 55
made=$(stored)
expect_first file 2 "${made:-0}" -F -n 1000
close_to "files in the rate" $((2 * ${made:-0})) "$(counted "File creation")" \
    2 || true
for call in stat 'open O_RDONLY'; do
    expect_equal "$call" $((2 * ${made:-0})) "$(calls_on_files "$call")" || true
done
run 2 - -F -n 1000 -r -x "$status_file" -d "$d"
expect_status 0 || true
expect_empty_dir "removal by another launch" "$d" || true

part "directories and files have a stonewall each"
slowly 2 all -n 1000 -W 1
expect_equal "lines" 2 "$(grep -c '^Continue stonewall hit' "$out")" || true
expect_empty_dir "the whole run" "$base" || true
expect_no_line '^ +failed ' "nothing fails" || true
within "directories in the status file" 3 55 "$(stored directories)" || true

part "directories alone, by several launches"
slowly 2 all -D -n 1000 -W 1 -C
hit "directories" 3 55
made=$(stored directories)
expect_first dir 2 "${made:-0}" -D -n 1000
run 2 - -D -n 1000 -T -U -x "$status_file" -d "$d"
expect_status 0 || true
run 2 - -D -n 1000 -r -x "$status_file" -d "$d"
expect_status 0 || true
expect_empty_dir "" "$d" || true

part "a stonewall that is not reached changes nothing"
run 2 - -n 7 -W 60 -C -x "$status_file" -d "$d"
expect_status 0 || true
expect_no_line 'Continue stonewall' "" || true
expect_equal "files" 7 "$(stored)" || true
expect_equal "directories" 7 "$(stored directories)" || true

# --- every shape ----------------------------------------------------------------------

# By several launches, and by one.
while read -r np options; do
    read -r -a args <<<"$options"
    part "the first items are made with $options"
    slowly "$np" all -C -W 1 "${args[@]}"
    made=$(stored)
    # With -S each task opens all; with -c one makes those of all.
    within "files of a task" 1 55 "$made" || true
    expect_first file "$np" "${made:-0}" "${args[@]}"
    expect_line '^Continue stonewall hit ' "" || true
    run "$np" - -T -E -r "${args[@]}" -x "$status_file" -d "$d"
    expect_status 0 "later phases" || true
    expect_empty_dir "later phases" "$d" || true
done <<'END'
1 -F -n 1000 -b 2 -z 2
1 -F -I 7 -b 3 -z 3 -L
1 -F -n 1000 -I 10
2 -F -n 1000 -u -z 1
2 -F -n 1000 -S
2 -F -n 1000 -k
2 -F -n 1000 -R
END
part "the first items of each task are made with -c"
slowly 2 0 -F -C -W 1 -n 1000 -c
run 2 - -F -T -E -r -n 1000 -c -x "$status_file" -d "$d"
expect_status 0 "later phases" || true
expect_empty_dir "later phases" "$d" || true

part "rank 0's open directory is not taken for one of another tree"
run 2 - -F -W 60 -n 10 -c -u --access=dirfd -d "$d"
expect_status 0 || true
expect_no_line '^ +failed ' "nothing fails" || true

part "a rotation, in one launch"
slowly 2 0 -n 55 -W 1 -N 1 -u -z 1
expect_no_line '^ +failed ' "nothing fails" || true
expect_empty_dir "" "$base" || true
part "a rotation, in several"
slowly 2 all -F -n 1000 -W 1 -N 1 -u -z 1 -C
for phase in -T -E -r; do
    run 2 - -F -n 1000 -N 1 -u -z 1 $phase -x "$status_file" -d "$d"
    expect_status 0 || true
done
expect_empty_dir "" "$d" || true

part "each iteration has its own number of items"
slowly 2 all -F -C -n 1000 -W 1 -i 2
expect_equal "lines" 2 "$(grep -c '^Continue stonewall hit' "$out")" || true
for iteration in 0 1; do
    # The first line is that of the first iteration.
    made=$(stored)
    if [ $iteration -gt 0 ]; then
        made=$(stored "iteration $iteration files")
    fi
    expect_equal "files of iteration $iteration" $((2 * ${made:-0})) \
        "$(find "$d/test-dir.$iteration-0" -type f | wc -l)" || true
done
run 2 - -F -n 1000 -i 2 -T -E -x "$status_file" -d "$d"
expect_status 0 || true
run 2 - -F -n 1000 -i 2 -r -x "$status_file" -d "$d"
expect_status 0 || true
expect_empty_dir "" "$d" || true

part "the calls of the original do not keep its faults"
slowly 2 all -n 1000 -W 1 -z 1 --as=mdtest-4.1
expect_no_line '^ +failed ' "nothing fails" || true
expect_empty_dir "" "$base" || true

part "what could not be made is not missed by another launch"
export TREEMARK_RECORD_REFUSE=7 # the recorder refuses every seventh item
export TREEMARK_RECORD_DELAY=20000
for options in "-F -n 1000 -N 1" "-F -n 1000 -S -z 1"; do
    read -r -a args <<<"$options"
    record "$log" "$d" 2 - "${args[@]}" -C -W 1 -x "$status_file" -d "$d"
    expect_status 1 || true
    if ! [[ $(failed "File creation") =~ ^[1-9][0-9]*\ of\ .*EACCES ]]; then
        bad_with_output "nothing was refused"
    fi
    run 2 - "${args[@]}" -T -E -r -x "$status_file" -d "$d"
    expect_status 0 || true
    expect_empty_dir "$options" "$d" || true
done
unset TREEMARK_RECORD_REFUSE TREEMARK_RECORD_DELAY

# --- reading --------------------------------------------------------------------------

part "--stonewall-read ends stat and read"
run 2 - -a DUMMY -F -n 1000 -P --stonewall-read=1 --dummy.delay-stat=20000 \
    --dummy.delay-open=20000 --dummy.delay-remove=500 -d "$d"
within "stats of 2 tasks" 4 110 "$(counted "File stat")" || true
within "reads of 2 tasks" 4 110 "$(counted "File read")" || true
close_to "removals" 2000 "$(counted "File removal")" 3 || true
part "--stonewall-read makes tasks even"
run 2 - -a DUMMY -T -n 70 -P --stonewall-read=1 --dummy.delay-stat=20000 \
    --dummy.delay-only-rank0 -d "$d"
expect_status 0 || true
close_to "directories" 140 "$(counted "Directory stat")" 3 || true
close_to "files" 140 "$(counted "File stat")" 3 || true
part "creation has no limit from --stonewall-read"
run 1 - -a DUMMY -F -C -n 110 -P --stonewall-read=1 \
    --dummy.delay-create=10000 -d "$d"
close_to "files" 110 "$(counted "File creation")" 3 || true

# --- the status file -------------------------------------------------------------------

part "a status file is written without -W, and read"
run 1 - -n 9 -C -x "$status_file" -d "$d"
expect_status 0 || true
expect_equal "files" 9 "$(stored)" || true
expect_equal "directories" 9 "$(stored directories)" || true
run 1 - -F -n 9 -T -x "$status_file" -d "$d"
expect_status 0 || true
expect_line '^1 tasks?, 9 files$' "" || true
expect_line '^-x: 9 files of each task were made\.$' "" || true
run 1 - -n 9 -i 2 -T -x "$status_file" -d "$d"
expect_line \
    '^-x: 9 directories, 9 files of each task were made in the first iteration' \
    "what the headline does not tell" || true

part "a plain number, as the original writes it, is enough"
run 2 - -F -n 9 -C -d "$d"
printf 4 >"$status_file"
run 2 - -F -n 9 -T -E -P -x "$status_file" -d "$d"
expect_status 0 || true
expect_line '^-x: 4 files of each task were made\.$' "" || true
expect_failed "File stat" "" || true
run 2 - -F -n 9 -r -x "$status_file" -d "$d"
expect_status 1 "files are left in the tree" || true
expect_equal "files that are left" 10 "$(find "$d" -type f | wc -l)" || true
find "$d" -type f -printf '%f\n' | sort >"$TEST_DIR/got"
for owner in 0 1; do
    for id in 4 5 6 7 8; do
        echo "file.mdtest.$owner.$id"
    done
done >"$TEST_DIR/want"
expect_same_file "the others" "$TEST_DIR/want" "$TEST_DIR/got" || true

part "what cannot be understood is refused by all tasks"
run 2 - -F -n 3 -C -d "$d"
tree_of "$d" >"$TEST_DIR/before"
# All of two tasks, and what one task makes of more.
for text in rubbish '' 99999999999999999999; do
    printf %b "$text" >"$status_file"
    run 2 - -F -n 3 -T -x "$status_file" -d "$d"
    refused "status file '$text'" "$status_file" || true
done
for text in ' ' '3 4' -7 1.5 4 '3\ndirectories many' '3\niteration 0 files' \
    '\000\001'; do
    printf %b "$text" >"$status_file"
    run 1 - -F -n 3 -T -x "$status_file" -d "$d"
    refused "status file '$text'" "$status_file" || true
done
run 2 - -F -n 3 -r -x "$status_file" -d "$d"
refused "removal, too" "$status_file" || true
rm "$status_file"
mkdir "$status_file"
run 1 - -F -n 3 -T -x "$status_file" -d "$d"
refused "a directory" "$status_file" || true
rmdir "$status_file"
tree_of "$d" >"$TEST_DIR/after"
expect_same_file "the tree" "$TEST_DIR/before" "$TEST_DIR/after" || true

part "a status file that says nothing is warned of"
run 2 - -F -n 3 -C -d "$d"
for text in missing -1; do
    rm -f "$status_file"
    if [ "$text" != missing ]; then
        printf %b "$text" >"$status_file"
    fi
    record "$log" "$d" 2 - -F -n 3 -T -x "$status_file" -d "$d"
    expect_status 0 || true
    expect_line '^WARNING: .*\(NO_STATUS\)$' "$text" || true
    expect_equal "stats" 6 "$(calls_on_files stat)" || true
done
printf 0 >"$status_file"
run 2 - -F -n 3 -T -x "$status_file" -d "$d"
expect_status_in "0 2" "no items" || true
expect_no_line '^ +failed ' "no items" || true

part "an output that cannot be written is refused beforehand"
run 1 - -F -n 3 -C -W 1 -x "$base/nowhere/status" -d "$d"
refused "no such directory" "$base/nowhere" || true
expect_empty_dir "" "$base" || true
part "an earlier status file outlives a refused launch"
run 1 - -F -n 3 -C -x "$status_file" -d "$d"
cp "$status_file" "$TEST_DIR/kept"
run 1 - -F -n 5 -C -x "$status_file" -d "$d"
expect_status 2 || true
run 1 - -F -n 5 -C -x "$status_file" --bad-option -d "$base/E"
expect_status 2 || true
expect_same_file "the status file" "$TEST_DIR/kept" "$status_file" || true
expect_equal "files beside it" "" \
    "$(find "$TEST_DIR" -maxdepth 1 -name 'status.*')" || true
finish
