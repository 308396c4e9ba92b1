#!/bin/bash
# What is told of single ranks and single operations: --table=1.9,
# --showRankStatistics, --print-all-procs, --saveRankPerformanceDetails,
# --savePerOpDataCSV.
# shellcheck disable=SC2016 # programs of awk
set -eu
# shellcheck source=lib.bash
. "$(dirname "$0")/lib.bash"
d=$TEST_DIR/D
csv=$TEST_DIR/ranks.csv
per=$TEST_DIR/op
dummy=(-a DUMMY -d "$TEST_DIR/none")

tests='Directory creation
Directory stat
Directory read
Directory rename
Directory removal
File creation
File stat
File read
File removal
Tree creation
Tree removal'
header=rank,items
while IFS= read -r name; do
    header="$header,rate-$name,time-$name"
done <<<"$tests"

# block REGEX: the lines of the last run from the one that matches to the next
# empty line or the end of the report.
block()
{
    awk -v want="$1" '
        at && (/^$/ || /^-- /) { exit }
        $0 ~ want { at = 1 }
        at { print }' "$out"
}

# field COLUMN-NAME LINE-REGEX: of the first line of $csv that matches.
field()
{
    awk -F , -v name="$1" -v line="$2" '
        NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) column = i }
        NR > 1 && $0 ~ line { print $column; exit }' "$csv"
}

# expect_that WHAT CONDITION: on numbers.
expect_that()
{
    awk "BEGIN { exit !($2) }" || bad "$1: not so: $2"
}

# expect_none WHAT COMMAND...: no line comes.
expect_none()
{
    local what=$1 line
    shift
    line=$("$@" | head -n 1)
    [ -z "$line" ] || bad "$what: $line"
}

expect_nothing_temporary()
{
    local left
    left=$(find "$TEST_DIR" -name '*.tmp.*')
    [ -z "$left" ] || bad "left: $left"
}

#
# --table=1.9: titles, headings, rows with a colon, one width for all.
#
heading='   Operation                     Max            Min           Mean        Std Dev'
rule='   ---------                     ---            ---           ----        -------'
run 1 - "${dummy[@]}" -n 4 -i 2 -P --table=1.9
expect_status 0 || true
expect_equal "titles" "SUMMARY: (of 2 iterations)
SUMMARY time (in seconds per phase): (of 2 iterations)" \
    "$(grep ^SUMMARY "$out")" || true
for title in '^SUMMARY:' '^SUMMARY time'; do
    block "$title" >"$TEST_DIR/table"
    expect_equal "heading" "$heading" "$(sed -n 2p "$TEST_DIR/table")" || true
    expect_equal "rule" "$rule" "$(sed -n 3p "$TEST_DIR/table")" || true
    expect_equal "labels" "   Directory creation:
   Directory stat    :
   Directory rename  :
   Directory removal :
   File creation     :
   File stat         :
   File read         :
   File removal      :
   Tree creation     :
   Tree removal      :" "$(tail -n +4 "$TEST_DIR/table" | cut -c 1-22)" || true
    if tail -n +4 "$TEST_DIR/table" | cut -c 23- |
        grep -Evx ' *[0-9]+\.[0-9]{3}( +[0-9]+\.[0-9]{3}){3}' ||
        tail -n +4 "$TEST_DIR/table" | grep -Ev \
            '^.{32}\.[0-9]{3} .{10}\.[0-9]{3} .{10}\.[0-9]{3} .{10}\.[0-9]{3}$'
    then
        bad "numbers that are not in their columns"
    fi
done
run 1 - "${dummy[@]}" -F -n 4 --table=1.9 --dummy.fail-every=stat:2
expect_status 1 || true
expect_equal "failures stay below their row" \
    '      failed             2 of 4 (EIO 2)' \
    "$(grep -A 1 '^   File stat         :' "$out" | tail -n 1)" || true
run 1 - "${dummy[@]}" -F -n 4 --table=4
expect_line '^SUMMARY rate \(in ops/sec\): \(of 1 iterations\)$' "--table=4" ||
    true
expect_no_line '^   [A-Z][a-z ]+:' "--table=4 has no colons" || true

#
# --showRankStatistics: three more columns.  Rank 0 takes 2 ms for each of 20
# stats, the other one next to nothing.
#
slow=(--dummy.delay-stat=2000 --dummy.delay-only-rank0)
rank_heading='   Operation     per Rank: Max            Min           Mean      per Iteration: Max            Min           Mean        Std Dev'
rank_rule='   ---------               ---            ---           ----                      ---            ---           ----        -------'
run 2 - "${dummy[@]}" -n 20 -i 2 -P "${slow[@]}" --showRankStatistics
expect_status 0 || true
for title in '^SUMMARY rate' '^SUMMARY time'; do
    block "$title" >"$TEST_DIR/table"
    expect_equal "heading" "$rank_heading" "$(sed -n 2p "$TEST_DIR/table")" ||
        true
    expect_equal "rule" "$rank_rule" "$(sed -n 3p "$TEST_DIR/table")" || true
    expect_equal "rows" 10 "$(tail -n +4 "$TEST_DIR/table" | wc -l)" || true
    number='[ 0-9]{10}\.[0-9]{3}'
    if tail -n +4 "$TEST_DIR/table" | grep -Evx \
        -e "   [DF][a-z]+ [a-z ]{8,13}( ?$number){3} {9}$number( $number){3}" \
        -e "   Tree [a-z]+ +$number( $number){2} {5}$number( $number){3}"; then
        bad "rows that are not in their columns"
    fi
    # Rows of trees repeat what is known of iterations.
    expect_none "tree rows repeat the figures over iterations" \
        awk '/^   Tree/ && ($3 != $6 || $4 != $7 || $5 != $8)' "$TEST_DIR/table"
done
read -r max min mean _ < <(block '^SUMMARY rate' | sed -n 's/^   File stat //p')
expect_that "rates of ranks" \
    "$max > $min && $min <= 500 && $mean < $max && $mean > $min"
read -r max min mean all _ < <(block '^SUMMARY time' |
    sed -n 's/^   File stat //p')
expect_that "times of ranks" \
    "$max >= 0.04 && $min < $max && $mean < $max && $all >= $max"
# With the other layout, and without a phase.
run 2 - "${dummy[@]}" -F -T -n 20 --showRankStatistics --table=1.9
expect_status 0 || true
expect_equal "heading" "$rank_heading" \
    "$(block '^SUMMARY:' | sed -n 2p)" || true
expect_line '^   File creation     : +0\.000 +0\.000 +0\.000 {5,} 0\.000' \
    "a phase that was not run" || true

#
# --print-all-procs: a value for each rank, row and iteration before the table.
#
run 2 - "${dummy[@]}" -n 20 -i 2 -P "${slow[@]}" --print-all-procs
expect_status 0 || true
expect_equal "order" "Per process result (rate):
SUMMARY rate (in ops/sec): (of 2 iterations)
Per process result (time):
SUMMARY time (in seconds per phase): (of 2 iterations)" \
    "$(grep -E '^(Per process|SUMMARY)' "$out")" || true
want=$(for i in 0 1; do
    echo "iteration: $i"
    grep -v '^Directory read$' <<<"$tests" | sed 's/^/Test /'
done)
value='[0-9]\.[0-9]{6}e[+-][0-9]{2}'
for what in rate time; do
    block "^Per process result .$what" | tail -n +2 >"$TEST_DIR/all"
    expect_equal "lines of the $what block" "$want" \
        "$(sed -E 's/^(Test [A-Z][a-z]+ [a-z]+) .*/\1/' "$TEST_DIR/all")" ||
        true
    if grep '^Test' "$TEST_DIR/all" |
        grep -Evx "Test [A-Z][a-z]+ [a-z]+ $value,$value"; then
        bad "a line without a value for each rank"
    fi
    # W20: the original prints 0 for trees, whoever made them.
    expect_none "rank 0 made the tree, and its $what is told" \
        awk -F '[ ,]' '/^Test Tree/ && !($4 > 0)' "$TEST_DIR/all"
done
expect_none "rank 0 took 40 ms at least, and rank 1 less" \
    awk -F '[ ,]' '/^Test File stat/ && !($4 >= 0.04 && $5 < $4)' \
    "$TEST_DIR/all"
for kind in F:File D:Directory; do
    run 2 - "${dummy[@]}" "-${kind%%:*}" -C -n 5 --print-all-procs
    expect_equal "rows of -${kind%%:*}" "${kind##*:} Tree" \
        "$(grep '^Test' "$out" | cut -d ' ' -f 2 | sort -u |
            tr '\n' ' ' | sed 's/ $//')" || true
done
run 2 - "${dummy[@]}" -F -n 5
expect_no_line '^(Per process|iteration:|Test )' "not asked for" || true

#
# --saveRankPerformanceDetails.  W40: every line has the fields of the header,
# ranks have items and trees, every iteration is told.
#

# expect_details TASKS... -- ITERATIONS: lines in their order, all well formed.
expect_details()
{
    local want='' n i r iterations=${*: -1}
    for n in "${@:1:$#-2}"; do
        for ((i = 0; i < iterations; i++)); do
            want+="all $n $i"$'\n'
            for ((r = 0; r < n; r++)); do
                want+="$r $n $i"$'\n'
            done
        done
    done
    expect_equal "header" "$header,tasks,iteration" "$(head -n 1 "$csv")" ||
        true
    expect_equal "lines" "${want%$'\n'}" \
        "$(awk -F , 'NR > 1 { print $1, $(NF - 1), $NF }' "$csv")" || true
    expect_equal "fields of a line" 26 "$(awk -F , '{ print NF }' "$csv" |
        sort -u)" || true
    if tail -n +2 "$csv" | grep -Evx \
        "(all|[0-9]+),[0-9]+(,|,[0-9]\.[0-9]{10}e[+-][0-9]{2}){22},[0-9]+,[0-9]+"
    then
        bad "a line of something else than numbers"
    fi
    expect_nothing_temporary
}

# expect_columns DONE...: these have values in all lines, but in those of ranks
# that make no tree; the others never.
expect_columns()
{
    local name
    while IFS= read -r name; do
        case " $* " in
        *" ${name// /-} "*)
            expect_that "rate of $name" "0$(field "rate-$name" ^all) > 0"
            expect_that "time of $name" "0$(field "time-$name" ^all) > 0"
            ;;
        *)
            expect_none "$name was not run" awk -F , -v name="$name" '
                NR == 1 { for (i = 1; i <= NF; i++)
                              if ($i ~ "-" name "$") drop[i] }
                NR > 1 { for (i in drop) if ($i != "") { print; exit } }' \
                "$csv"
            ;;
        esac
    done <<<"$tests"
}

run 2 - "${dummy[@]}" -n 20 -i 2 "${slow[@]}" \
    --saveRankPerformanceDetails="$csv" -Z
expect_status 0 || true
expect_details 2 -- 2
expect_columns Directory-creation Directory-stat Directory-rename \
    Directory-removal File-creation File-stat File-read File-removal \
    Tree-creation Tree-removal
expect_equal "Directory read" ' ' \
    "$(awk -F , 'NR > 1 { print $7 " " $8 }' "$csv" | sort -u)" || true
expect_equal "items" 20 "$(tail -n +2 "$csv" | cut -d , -f 2 | sort -u)" || true
for who in all 0 1; do
    n=20
    [ "$who" != all ] || n=40
    close_to "rate times time of $who" "$n" \
        "$(awk "BEGIN { print $(field 'rate-File stat' "^$who,") * \
            $(field 'time-File stat' "^$who,") }")" 0.001 || true
done
expect_that "rank 0 took 40 ms" "$(field 'time-File stat' '^0,') >= 0.04"
expect_that "rank 1 did not wait" "$(field 'time-File stat' '^1,') < \
    $(field 'time-File stat' '^0,')"
expect_that "all of them took as long as the slowest" \
    "$(field 'time-File stat' '^all,') >= $(field 'time-File stat' '^0,')"
expect_equal "rank 1 makes no tree" '' "$(field 'time-Tree creation' '^1,')" ||
    true
expect_that "rank 0 does" "$(field 'time-Tree creation' '^0,') > 0"
# The table tells the same of all ranks together.
for i in 0 1; do
    [ "$i" != 0 ] || first=$(field 'time-File stat' "^all,.*,$i\$")
    last=$(field 'time-File stat' "^all,.*,$i\$")
done
most=$(awk "BEGIN { printf \"%.3f\", ($first > $last) ? $first : $last }")
expect_equal "time in the table" "$most" "$(time_row 'File stat' 1)" || true

run 4 - "${dummy[@]}" -F -n 6 -i 3 -f 1 -l 4 -s 2 \
    --saveRankPerformanceDetails="$csv"
expect_status 0 || true
expect_details 1 3 -- 3
expect_columns File-creation File-stat File-read File-removal Tree-creation \
    Tree-removal

run 2 - -d "$d" -D -T -r -C -n 6 --saveRankPerformanceDetails "$csv"
expect_status 0 || true
expect_details 2 -- 1
expect_columns Directory-creation Directory-stat Directory-removal \
    Tree-creation Tree-removal
expect_gone "D" "$d" || true

# What failed is in no rate; a rank that failed at everything has rate 0.
run 2 - "${dummy[@]}" -F -T -n 10 --dummy.fail-every=stat:1 \
    --dummy.fail-only-rank=1 --saveRankPerformanceDetails="$csv"
expect_status 1 || true
expect_equal "rate of failures alone" 0.0000000000e+00 \
    "$(field 'rate-File stat' '^1,')" || true
expect_equal "items tried" 10 "$(field items '^1,')" || true
expect_that "the other rank" "$(field 'rate-File stat' '^0,') > 0"

# What was done before a signal is told.
last_run="mdtest --saveRankPerformanceDetails and SIGINT"
env --default-signal=INT "$mdtest" "${dummy[@]}" -F -T -E -n 1000 \
    --dummy.delay-stat=50000 --saveRankPerformanceDetails="$csv" \
    --savePerOpDataCSV="$per" </dev/null >"$out" 2>"$err" &
child=$!
for ((i = 0; i < 400; i++)); do
    ! grep -q '^1 tasks' "$out" || break
    sleep 0.05
done
sleep 0.5
kill -INT "$child"
status=0
wait "$child" || status=$?
expect_status 130 || true
expect_details 1 -- 1
expect_columns File-stat
expect_that "items until then" "$(field items '^0,') > 0 && \
    $(field items '^0,') < 1000"
expect_equal "operations until then" "$(field items '^0,')" \
    "$(tail -n +2 "$per-File-stat-00000.csv" | wc -l)" || true
expect_gone "the file of a phase that was not reached" \
    "$per-File-read-00000.csv" || true
rm "$per"-*

# A8: the form of the original: ranks without items and trees, "all" of the
# first iteration alone.
run 2 - "${dummy[@]}" -F -n 3 -i 2 --as=mdtest-4.1 \
    --saveRankPerformanceDetails="$csv"
expect_status 0 || true
expect_equal "header" "$header" "$(head -n 1 "$csv")" || true
expect_equal "fields" '24 24 20 20 20 20' "$(awk -F , '{ print NF }' "$csv" |
    tr '\n' ' ' | sed 's/ $//')" || true
number='[0-9]\.[0-9]{10}e[+-][0-9]{2}'
pair=",$number,$number"
if ! sed -n 2p "$csv" | grep -Eqx "all,3,{10}($pair){6}"; then
    bad "not as in A8: $(sed -n 2p "$csv")"
fi
expect_equal "ranks" '0 1 0 1' "$(tail -n +3 "$csv" | cut -d , -f 1 |
    tr '\n' ' ' | sed 's/ $//')" || true
if tail -n +3 "$csv" | grep -Evx "[01],{11}($pair){4}"; then
    bad "not as in A8"
fi

# A file that cannot be written is found out before anything is done (row 64
# of the odd inputs); what an earlier run wrote survives.
echo earlier >"$csv"
mkdir "$TEST_DIR/dir"
for file in nodir/f "$TEST_DIR/dir" ''; do
    run 2 - -d "$d" -F -n 3 "--saveRankPerformanceDetails=$file"
    expect_status 2 || true
    expect_equal "lines of complaint about '$file'" 1 "$(complaints)" || true
    grep -q -- --saveRankPerformanceDetails "$err" ||
        bad_with_output "the option is not named"
    expect_gone "D of a refused run" "$d" || true
done
run 2 - -d "$d" -F -n 3 --saveRankPerformanceDetails="$csv" \
    --savePerOpDataCSV=nodir/f
expect_status 2 || true
mkdir -p "$d/test-dir.0-0/mdtest_tree.0"
touch "$d/test-dir.0-0/mdtest_tree.0/file.mdtest.0.0"
run 2 - -d "$d" -F -n 3 --saveRankPerformanceDetails="$csv" \
    --savePerOpDataCSV="$per"
expect_status 2 || true
rm -r "$d"
expect_equal "the file of an earlier run" earlier "$(cat "$csv")" || true
expect_equal "files of operations of a refused run" '' \
    "$(find "$TEST_DIR" -name 'op-*')" || true
expect_nothing_temporary
if [ -c /dev/full ]; then
    run 2 - "${dummy[@]}" -F -n 3 -i 2 --saveRankPerformanceDetails=/dev/full
    expect_status 1 || true
    expect_equal "lines about a full device" 1 "$(wc -l <"$err")" || true
    grep -q -- '--saveRankPerformanceDetails.*No space left' "$err" ||
        bad_with_output "the option and the reason are not named"
fi

# A pipe is written directly.
run 1 - "${dummy[@]}" -F -n 3 --saveRankPerformanceDetails=/dev/stdout
expect_status 0 || true
expect_line '^all,3,' "the standard output is a file of this kind, too" || true
expect_line '^-- finished' "which does not cut the report short" || true

#
# --savePerOpDataCSV.  W41: no blanks in names, all phases, all iterations and
# tests.
#

# ops NAME RANK: the lines of operations of a phase.
ops()
{
    tail -n +2 "$per-$1-$(printf %05d "$2").csv"
}

# expect_ops TASKS ITERATION COUNT NAME RANK: so many lines of a test, one
# after the other, with numbers that fit each other: $least is the shortest
# that an operation may be, $bytes what it moves.
expect_ops()
{
    ops "$4" "$5" >"$TEST_DIR/ops"
    expect_none "$4 of rank $5, $1 tasks, iteration $2" \
        awk -F , -v tasks="$1" -v iteration="$2" -v want="$3" \
        -v least="$least" -v bytes="$bytes" '
        function close_to(a, b) { return a > 0.999 * b && a < 1.001 * b }
        bad { next }
        NF != 5 { bad = "fields: " $0; next }
        $4 == tasks && $5 == iteration {
            n++
            # Nine digits are printed.
            if ($1 * 1.00000002 < end) bad = "begins too early: " $0
            if ($2 < least) bad = "too short: " $0
            if (!close_to($3 * $2, bytes)) bad = "speed: " $0
            end = $1 + $2 * 0.99999998
        }
        END {
            if (bad) print bad
            else if (n + 0 != want) print n + 0 " lines, not " want
        }' "$TEST_DIR/ops"
}

least=0
bytes=1
phases='Directory-creation Directory-stat Directory-rename Directory-removal
File-creation File-stat File-read File-removal Tree-creation Tree-removal'
echo stale >"$per-File-stat-00001.csv"
run 2 - "${dummy[@]}" -n 6 -z 1 -b 2 -i 2 "${slow[@]}" \
    --savePerOpDataCSV="$per"
expect_status 0 || true
expect_no_line PEROP_FLUSHED "everything fits into memory" || true
want=$(for phase in $phases; do
    echo "op-$phase-00000.csv"
    echo "op-$phase-00001.csv"
done | sort)
expect_equal "files" "$want" \
    "$(find "$TEST_DIR" -name 'op-*' -printf '%f\n' | sort)" || true
expect_equal "headers" time,runtime,tp,tasks,iteration \
    "$(head -q -n 1 "$per"-*.csv | sort -u)" || true
for phase in $phases; do
    for i in 0 1; do
        case $phase in
        Tree*) makers=(3 0) ;;
        *) makers=(6 6) ;;
        esac
        expect_ops 2 "$i" "${makers[0]}" "$phase" 0
        expect_ops 2 "$i" "${makers[1]}" "$phase" 1
    done
done
least=0.002
expect_ops 2 0 6 File-stat 0
least=0
rm "$per"-*

# Tests of a scan; ranks that take no part have no files.  Bytes, where there
# are any.
run 4 - -d "$d" -F -n 3 -w 1000 -e 500 -f 1 -l 3 -s 2 \
    --savePerOpDataCSV="$per"
expect_status 0 || true
expect_equal "files of rank 3" '' "$(find "$TEST_DIR" -name 'op-*00003*')" ||
    true
for phase in File-creation:1000 File-removal:1000 File-read:500 File-stat:1; do
    bytes=${phase##*:}
    phase=${phase%%:*}
    expect_ops 1 0 3 "$phase" 0
    expect_ops 3 0 3 "$phase" 0
    expect_ops 1 0 0 "$phase" 2
    expect_ops 3 0 3 "$phase" 2
done
bytes=1
rm "$per"-*

# Collective creation is rank 0's work.
run 2 - -d "$d" -n 3 -c --savePerOpDataCSV="$per"
expect_status 0 || true
for phase in File-creation Directory-creation File-removal; do
    expect_ops 2 0 6 "$phase" 0
    expect_ops 2 0 0 "$phase" 1
done
rm "$per"-*

# The form of the original: the phases on files, the last iteration.
run 2 - "${dummy[@]}" -n 3 -i 2 --as=mdtest-4.1 --savePerOpDataCSV="$per"
expect_status 0 || true
expect_equal "files" "op-File creation-00000.csv
op-File creation-00001.csv
op-File read-00000.csv
op-File read-00001.csv
op-File removal-00000.csv
op-File removal-00001.csv
op-File stat-00000.csv
op-File stat-00001.csv" "$(find "$TEST_DIR" -name 'op-*' -printf '%f\n' |
    sort)" || true
number='[0-9]\.[0-9]{8}e[+-][0-9]{2}'
for file in "$per"-*; do
    expect_equal "header" time,runtime,tp "$(head -n 1 "$file")" || true
    expect_equal "operations" 3 "$(tail -n +2 "$file" | grep -Ecx \
        "$number,$number,$value")" || true
    expect_equal "lines" 4 "$(wc -l <"$file")" || true
done
rm "$per"-*

# An iteration that does not count is not recorded.
run 1 - "${dummy[@]}" -F -n 3 --warmup=2 --savePerOpDataCSV="$per" \
    --saveRankPerformanceDetails="$csv" --print-all-procs
expect_status 0 || true
expect_ops 1 0 3 File-stat 0
expect_equal "lines" 4 "$(wc -l <"$per-File-stat-00000.csv")" || true
expect_details 1 -- 1
expect_equal "iterations" 1 "$(grep -c ^iteration: "$out")" || true
rm "$per"-*

# More than the buffer: it is said, and nothing is lost.
run 1 - "${dummy[@]}" -F -T -n 1050000 --savePerOpDataCSV="$per"
expect_status 0 || true
expect_line '^WARNING: .* [0-9]{1,2}\.[0-9]{3} s .*File stat \(PEROP_FLUSHED\)$' \
    "a full buffer" || true
expect_ops 1 0 1050000 File-stat 0
rm "$per"-*

# A prefix that cannot be written: one line, before the first phase (row 65).
for prefix in nodir/f "$TEST_DIR/nodir/"; do
    run 2 - -d "$d" -F -n 3 "--savePerOpDataCSV=$prefix"
    expect_status 2 || true
    expect_equal "lines of complaint about $prefix" 1 "$(complaints)" || true
    grep -q -- '--savePerOpDataCSV.*No such file' "$err" ||
        bad_with_output "the option and the reason are not named"
    expect_gone "D of a refused run" "$d" || true
done
# One rank's file is enough.
mkdir "$per-File-stat-00001.csv"
run 2 - -d "$d" -F -n 3 --savePerOpDataCSV="$per"
expect_status 2 || true
expect_equal "lines of complaint" 1 "$(complaints)" || true
expect_equal "what is left" "$per-File-stat-00001.csv" \
    "$(find "$TEST_DIR" -name 'op-*')" || true
rmdir "$per-File-stat-00001.csv"

# W44: files below a fresh -d are a good run, and keep it (row 66).
run 2 - -d "$d" -F -n 3 --savePerOpDataCSV="$d/op" \
    --saveRankPerformanceDetails="$d/ranks.csv"
expect_status 0 || true
expect_equal "messages" '' "$(cat "$err")" || true
expect_equal "what is left in D" "op ranks.csv" "$(find "$d" -mindepth 1 \
    -printf '%f\n' | sed 's/-.*//' | sort -u | tr '\n' ' ' | sed 's/ $//')" ||
    true
expect_equal "files in D" 13 "$(find "$d" -mindepth 1 | wc -l)" || true
rm -r "$d"
finish
