#!/bin/bash
# Standard output is what scripts have parsed for twenty years, column for
# column, and the numbers in it fit each other.
set -eu
# shellcheck source=lib.bash
. "$(dirname "$0")/lib.bash"
d=$TEST_DIR/D

heading='   Operation                     Max            Min           Mean        Std Dev'
rule='   ---------                     ---            ---           ----        -------'
dir_rows='Directory creation
Directory stat
Directory rename
Directory removal'
file_rows='File creation
File stat
File read
File removal'
tree_rows='Tree creation
Tree removal'

# table N: the N-th table of the last run, its title first.
table() {
    awk -v want="$1" '
        /^SUMMARY/ { at++ }
        /^-- finished/ || /^WARNING/ || /^$/ { if (at == want) exit }
        at == want { print }' "$out"
}

# expect_table N TITLE_REGEX ROWS: title, heading and rows in their columns,
# and nothing else but failed lines.
expect_table() {
    local title got
    table "$1" >"$TEST_DIR/table"
    title=$(head -n 1 "$TEST_DIR/table")
    if ! grep -Eq -- "$2" <<<"$title"; then
        bad_with_output "title of table $1: expected $2, got '$title'"
        return 0
    fi
    expect_equal "heading" "$heading" "$(sed -n 2p "$TEST_DIR/table")" || true
    expect_equal "rule" "$rule" "$(sed -n 3p "$TEST_DIR/table")" || true
    got=$(tail -n +4 "$TEST_DIR/table" | cut -c 4-25 | sed 's/ *$//')
    expect_equal "rows of table $1" "$3" "$got" || true
    # Name in columns 4-25, numbers that end in 40, 55, 70 and 85.
    if tail -n +4 "$TEST_DIR/table" | grep -Ev \
        '^   [A-Z][a-z]+ [a-z]+ +( *[0-9]+\.[0-9]{3}){4}$' >"$TEST_DIR/odd" ||
        tail -n +4 "$TEST_DIR/table" | grep -Ev \
            '^.{36}\.[0-9]{3}.{11}\.[0-9]{3}.{11}\.[0-9]{3}.{11}\.[0-9]{3}$' \
            >"$TEST_DIR/odd"; then
        bad "a row that is not in its columns: $(head -n 1 "$TEST_DIR/odd")"
    fi
}

rates='^SUMMARY rate \(in ops/sec\): \(of %d iterations\)$'
times='^SUMMARY time .*second.*\(of %d iterations\)$'
# shellcheck disable=SC2059
rate_title() { printf "$rates" "$1"; }
# shellcheck disable=SC2059
time_title() { printf "$times" "$1"; }

# A frame of lines in their order.
run 2 - -n 4 -i 3 -d "$d"
expect_status 0 || true
expect_table 1 "$(rate_title 3)" "$dir_rows
$file_rows
$tree_rows"
expect_equal "number of tables" 1 "$(grep -c '^SUMMARY' "$out")" || true
stamp='[0-9]{2}/[0-9]{2}/[0-9]{4} [0-9]{2}:[0-9]{2}:[0-9]{2}'
at=0
while IFS= read -r regex; do
    next=$(tail -n +$((at + 1)) "$out" | grep -En -m 1 -- "$regex" |
        cut -d : -f 1 || true)
    if [ -z "$next" ]; then
        bad_with_output "no line (at its place) that matches $regex"
        break
    fi
    at=$((at + next))
done <<END
^-- started at $stamp --\$
^\$
^mdtest-4\.1\.0\+treemark-[^ ]+ was launched with 2 total task\(s\) on 1 node\(s\)\$
^Command line used: .*mdtest '-n' '4' '-i' '3' '-d' '$d'\$
^Nodemap: 11\$
^Path                : $d\$
^FS                  : [0-9]+\.[0-9] (GiB|TiB)   Used FS: [0-9]+\.[0-9]%   Inodes: [0-9]+\.[0-9] Mi   Used Inodes: [0-9]+\.[0-9]%\$
^2 tasks, 8 files/directories\$
^\$
^SUMMARY rate
^   Tree removal
^-- finished at $stamp --\$
END
expect_equal "the first line" 1 "$(grep -n '^-- started' "$out" |
    cut -d : -f 1)" || true
expect_no_line 'nan|inf$|inf ' "no number that is none" || true
expect_no_line '^ +failed ' "nothing failed" || true
if grep WARNING "$out" "$err" | grep -Evq '[A-Z0-9]+_[A-Z0-9_]+'; then
    bad_with_output "a warning without a code"
fi

# The rows as an old parser takes them: the third word, Max >= Mean >= Min.
for name in "File creation" "File stat" "File read" "File removal" \
    "Directory creation" "Directory stat" "Directory rename" \
    "Directory removal" "Tree creation" "Tree removal"; do
    if ! awk -v name="$name" '
        index($0, name) { max = $3; min = $4; mean = $5; dev = $6 }
        END { exit !(max >= mean && mean >= min && min > 0 && dev >= 0) }' \
        "$out"; then
        bad_with_output "$name: not Max >= Mean >= Min > 0"
    fi
done

# What is asked for and what is not.
run 2 - -F -n 2 -d "$d"
expect_table 1 "$(rate_title 1)" "$file_rows
$tree_rows"
expect_line '^2 tasks, 4 files$' "tasks line" || true
for name in "File creation" "File stat" "File read" "File removal" \
    "Tree creation" "Tree removal"; do
    expect_equal "deviation of one $name" 0.000 "$(row "$name" 4)" || true
    expect_equal "one iteration: Max and Min" "$(row "$name" 1)" \
        "$(row "$name" 2)" || true
done

run 2 - -D -n 2 -d "$d"
expect_table 1 "$(rate_title 1)" "$dir_rows
$tree_rows"
expect_line '^2 tasks, 4 directories$' "tasks line" || true

run 1 - -n 1 -d "$d"
expect_status 0 || true
expect_equal "rename of one directory" 0.000 "$(row "Directory rename")" || true

run 1 - -FD -n 1 -d "$d"
expect_line '^1 tasks?, 1 files/directories$' "-F and -D are both" || true

run 1 - -n 3 -C -d "$d"
expect_status 0 || true
expect_table 1 "$(rate_title 1)" "$dir_rows
$file_rows
$tree_rows"
for name in "Directory stat" "Directory rename" "Directory removal" \
    "File stat" "File read" "File removal" "Tree removal"; do
    expect_equal "$name, which was not run" 0.000 "$(row "$name")" || true
done
run 1 - -n 3 -r -d "$d"
expect_status 0 || true
for name in "Directory creation" "File creation" "Tree creation"; do
    expect_equal "$name, which was not run" 0.000 "$(row "$name")" || true
done
drop "$d"

# Both tables, and the one or the other.
run 2 - -F -n 50 -P -i 2 -a DUMMY --dummy.delay-create=1000 -d "$d"
expect_status 0 || true
expect_equal "tables of -P" 2 "$(grep -c '^SUMMARY' "$out")" || true
expect_table 1 "$(rate_title 2)" "$file_rows
$tree_rows"
expect_table 2 "$(time_title 2)" "$file_rows
$tree_rows"
expect_no_line 'ms/op' "times are seconds of a phase" || true
expect_equal "the line before the second table" "" \
    "$(grep -B 1 '^SUMMARY time' "$out" | head -n 1)" || true

run 2 - -F -n 2 -Z -d "$d"
expect_equal "tables of -Z" 1 "$(grep -c '^SUMMARY' "$out")" || true
expect_table 1 "$(time_title 1)" "$file_rows
$tree_rows"
expect_no_line 'ms/op' "times are seconds of a phase" || true

# Rate and time are of the same operations: 2 ranks of 20, 10 ms each.
run 2 - -F -n 20 -P -a DUMMY --dummy.delay-create=10000 -d "$d"
seconds=$(time_row "File creation")
close_to "seconds of 20 creations of 10 ms" 0.2 "$seconds" 50 || true
close_to "rate x time of 40 creations" 40 \
    "$(awk -v t="$seconds" -v r="$(row "File creation")" \
        'BEGIN { print r * t }')" 2 || true

# Every tree is counted: 4 of 7 directories against 1 of 7.
run 4 - -F -u -z 2 -b 2 -I 1 -P -a DUMMY --dummy.delay-mkdir=3000 -d "$d"
expect_status 0 || true
close_to "rate x time of 4 trees of 7 directories" 28 \
    "$(awk -v t="$(time_row "Tree creation")" \
        -v r="$(row "Tree creation")" 'BEGIN { print r * t }')" 5 || true

# Counting: rounded to the tree, which is said; loops count what is made.
run 2 - -F -n 20 -b 2 -z 3 -a DUMMY -d "$d"
expect_status 0 || true
expect_line '^2 tasks, 30 files$' "-n 20 in 15 directories" || true
if ! cat "$out" "$err" | grep -Ev '^Command|^2 tasks' | grep -q '15'; then
    bad_with_output "rounding -n 20 to 15 was not said"
fi
run 2 - -F -n 4 -I 2 -b 2 -z 1 -a DUMMY -d "$d"
expect_line '^2 tasks, 24 files$' "2 loops x 3 directories x 2 items" || true

# A scan repeats the block from the tasks line on.
run 2 - -F -n 2 -f 1 -l 2 -a DUMMY -d "$d"
expect_status 0 || true
expect_line '^1 tasks?, 2 files$' "first of the scan" || true
expect_line '^2 tasks, 4 files$' "second of the scan" || true
expect_equal "tables of a scan" 2 "$(grep -c '^SUMMARY' "$out")" || true

# The stride and the seed are told.
run 2 - -F -n 2 -N 1 -R --random-seed=5 -d "$d"
expect_line 'Shifting ranks by 1([^0-9]|$)' "the stride" || true
expect_line '^random seed: 5$' "the seed" || true

# A random seed that was not given is told as well, to run it again.
run 2 - -F -n 2 -R -d "$d"
expect_line '^random seed: [0-9]+$' "the seed" || true

# Nodes: the launch line counts them, the map shows host names.
run 4 a:2,b:2 -F -n 1 -d "$d"
expect_line 'was launched with 4 total task\(s\) on 2 node\(s\)$' "nodes" ||
    true

# -v and -V add, and take nothing away.
run 2 - -F -n 2 -v -d "$d"
expect_status 0 || true
expect_table 1 "$(rate_title 1)" "$file_rows
$tree_rows"
run 2 - -F -n 2 -V 3 -d "$d"
expect_status 0 || true
expect_line '^   File creation  ' "rows" || true

# A big tree, as in published runs.
run 16 - -i 2 -b 2 -I 80 -z 5 -d "$d"
expect_status 0 || true
expect_line '^16 tasks, 80640 files/directories$' "tasks line" || true
expect_table 1 "$(rate_title 2)" "$dir_rows
$file_rows
$tree_rows"
expect_gone "the root that the run made" "$d" || true
finish
