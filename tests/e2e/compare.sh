#!/bin/bash
# treemark compare: which tests belong together, verdicts, exit statuses, bad
# input.
set -eu
# shellcheck source=lib.bash
. "$(dirname "$0")/lib.bash"
cd "$TEST_DIR"

# compare WANT_STATUS ARGS...: sets status, out and err.
compare() {
    local want=$1
    shift
    last_run="treemark compare $*"
    status=0
    timeout -k 5 60 "$TREEMARK_BIN/treemark" compare "$@" \
        </dev/null >"$out" 2>"$err" || status=$?
    expect_status "$want" || true
}

# A line, in which * stands for anything, blanks for one or more.
says() {
    local line
    # shellcheck disable=SC2016 # the $ is one
    line=$(sed -E 's/[][\.|$(){}?+^]/\\&/g; s/\*/.*/g; s/ +/ +/g' <<<"$1")
    expect_line "^$line\$" "output"
}

says_not() {
    expect_no_line "$1" "output" || true
}

bad_input() {
    local why=$1
    shift
    compare 2 "$@"
    expect_equal "output" "" "$(cat "$out")" || true
    expect_equal "complaint" "treemark compare: $why" "$(cat "$err")" || true
}

# result KIND OPTIONS TEST...: a file of results.
result() {
    local kind=$1 options=$2 IFS=,
    shift 2
    printf '{"schema": "treemark-result/1", "kind": "%s", "options": {%s},\n' \
        "$kind" "$options"
    printf '"mpi": {"mapping": "block"}, "tests": [%s]}\n' "$*"
}

# rates MEMBERS NAME:RATE,RATE... ...: a test; commas part iterations.
rates() {
    local members=$1 row i text=
    shift
    for ((i = 1; i <= 5; i++)); do
        text+=${text:+,}'{"phases": ['
        for row; do
            text+=$(awk -v row="$row" -v i=$i 'BEGIN {
                split(row, part, ":")
                n = split(part[2], rate, ",")
                if (i <= n)
                    printf "{\"name\": \"%s\", \"rate_per_s\": %s, " \
                        "\"time_s\": 0.5}", part[1], rate[i]
            }')
            text+=,
        done
        text=$(sed -E 's/,+$//; s/\[,+/[/; s/,,+/,/g' <<<"$text")']}'
    done
    echo "{$members, \"iterations\": [$text]}"
}

four='"tasks": 4, "nodes": 2, "ranks_per_node": 2, "items_per_task": 100'
eight='"tasks": 8, "nodes": 2, "ranks_per_node": 4, "items_per_task": 100'
steady=100,102,98,101,99
slow=80,82,78,81,79
fast=120,122,118,121,119

title='slower, faster, neither'
result mdtest '"w": 0' "$(rates "$four" "create:$steady" "stat:$steady" \
    "read:$steady")" >a.json
result mdtest '"w": 0' "$(rates "$four" "create:$slow" "stat:$fast" \
    "read:$steady")" >b.json
result mdtest '"w": 0' "$(rates "$four" "create:$fast" "stat:$steady" \
    "read:$steady")" >faster.json
compare 3 a.json b.json
says 'spread within one run only: each may be *'
says 'mdtest: 4 tasks on 2 nodes (2 each), 100 items per task'
says 'create 100.00 op/s 80.00 op/s 0.800 -22.3 to -17.7 % slower'
says 'stat 100.00 op/s 120.00 op/s 1.200 +17.7 to +22.3 % faster'
says 'read 100.00 op/s 100.00 op/s 1.000 -2.3 to +2.3 % no difference shown'
says '1 slower, 1 faster, 1 no difference shown, 0 not comparable (less than 5 % does not count; spread within one run only)'
compare 0 a.json a.json
says '0 slower, 0 faster, 3 no difference shown, 0 not comparable *'
compare 0 a.json faster.json
says '0 slower, 1 faster, 2 no difference shown, 0 not comparable *'

title='options, wherever they stand'
compare 0 --threshold 25 a.json b.json
says '0 slower, 0 faster, 3 no difference *(less than 25 % *'
compare 0 a.json --threshold=25 b.json
compare 0 a.json b.json --threshold 25%
compare 3 --threshold=19.9 -- a.json b.json
compare 0 --help
says 'Usage: treemark compare *'
cp "$out" help
compare 0 a.json b.json -h
cmp -s "$out" help || bad "-h and --help differ"
"$TREEMARK_BIN/treemark" help compare >"$out" </dev/null
cmp -s "$out" help || bad "help compare and --help differ"

title='Markdown'
result mdtest '"a": "x|y"' "$(rates "$four" "cre|ate:$steady" \
    "<b>:$steady")" >am.json
result mdtest '"a": "x`y"' "$(rates "$four" "cre|ate:$slow")" >bm.json
compare 3 am.json bm.json --format markdown
expect_equal "table" '| operation | A | B | B / A | B - A, 95 % | verdict |
|---|--:|--:|--:|--:|---|
| cre\|ate | 100.00 op/s | 80.00 op/s | 0.800 | -22.3 to -17.7 % | slower |
| \<b\> | 100.00 op/s | - | - | - | not comparable: only in A |' \
    "$(grep '^|' "$out")" || true
grep -qxF -- '- differs: a is x\|y in A, x\`y in B' "$out" ||
    bad_with_output "no note about -a"
# Every row of a table has as many cells; a table has an empty line before it.
awk -F '[^\\\\][|]' '/^\|/ { if (NF != 7) exit 1
        if (was !~ /^\|/ && was != "") exit 1 } { was = $0 }' "$out" ||
    bad_with_output "a table is torn"

title='several files of a side'
compare 3 a.json,a.json,a.json b.json,b.json,b.json
says 'A: 3 runs, B: 3 runs'
says_not 'spread within'
compare 3 a.json,a.json b.json
says 'spread within one run only: B may be *'
# One value a file is spread enough, if there are several files.
for i in 1 2 3; do
    result mdtest '"w": 0' "$(rates "$four" "create:10$i")" >a$i.json
    result mdtest '"w": 0' "$(rates "$four" "create:8$i")" >b$i.json
done
compare 5 a1.json b1.json
says 'create *not comparable: one value in each, which shows no spread'
compare 5 a1.json b1.json,b2.json
says 'create *not comparable: one value in A, which shows no spread'
compare 3 a1.json,a2.json,a3.json b1.json,b2.json,b3.json
says 'create 102.00 op/s 82.00 op/s * slower'
# A side that is not done in one way.
result mdtest '"w": 0, "a": "POSIX"' "$(rates "$four" "create:101")" >c1.json
result mdtest '"w": 0, "a": "DUMMY"' "$(rates "$four" "create:102")" >c2.json
compare 0 c1.json,c2.json c1.json,c1.json
says 'differs: a is POSIX in A, DUMMY in another file of A'

title='what is not comparable'
result mdtest '"w": 4096, "d": "/x", "y": 1' \
    "$(rates "$four" "create:$steady")" >w.json
result mdtest '"w": 0, "d": "/y", "y": 0' \
    "$(rates "$four" "create:$steady")" "$(rates "$eight" "create:$slow")" \
    >two.json
compare 5 a.json w.json
says 'create *not comparable: w is 0 in A, 4096 in B'
says 'stat *not comparable: only in A'
compare 0 a.json two.json
says 'mdtest: 8 tasks on 2 nodes (4 each), 100 items per task'
says 'create - 80.00 op/s - - not comparable: only in B'
compare 5 w.json two.json
says 'create *not comparable: w is 4096 in A, 0 in B'
says_not 'd is'
sed 's/"time_s"/"failed_operations": 1, "time_s"/g' b.json >failed.json
compare 5 a.json failed.json
says 'create *not comparable: operations failed in B'
sed 's/"time_s": 0.5/"time_s": 0.0005/g' b.json >short.json
compare 5 short.json short.json
says 'create *not comparable: it took less than 1 ms in both'
# Slower is slower, whatever else cannot be compared.
result mdtest '"w": 0' "$(rates "$four" "create:$slow" "stat:90")" >some.json
compare 3 a.json some.json
says 'stat *not comparable: one value in B, which shows no spread'

# Those that are most alike stand beside each other, whatever their order.
spread='"tasks": 4, "nodes": 4, "ranks_per_node": 1, "items_per_task": 100'
result mdtest '"w": 0' "$(rates "$spread" "create:$steady")" \
    "$(rates "$four" "create:$steady")" >wide.json
result mdtest '"w": 0' \
    "$(rates "${four/: 100/: 50}" "create:$steady")" >half.json
compare 5 wide.json half.json
says 'create 100.00 op/s - - - not comparable: only in A'
says 'create * not comparable: items_per_task is 100 in A, 50 in B'

title='tests of one run with options of their own'
ior='"tasks": 2, "nodes": 1, "ranks_per_node": 2, "options": {"blockSize": 64'
result ior '"blockSize": 64' \
    "$(rates "$ior, \"transferSize\": 8}" "write:$steady")" \
    "$(rates "$ior, \"transferSize\": 16}" "write:$fast")" \
    "$(rates "$ior, \"transferSize\": 16}" "write:$slow")" >i.json
result ior '"blockSize": 64' \
    "$(rates "$ior, \"transferSize\": 16}" "write:$fast")" \
    "$(rates "$ior, \"transferSize\": 8}" "write:$steady")" >j.json
compare 0 i.json j.json
says 'ior: 2 tasks on 1 node (2 each), transferSize 16'
says 'ior: 2 tasks on 1 node (2 each), transferSize 16, no. 2 of such tests'
says 'write 120.00 op/s 120.00 op/s *no difference shown'
says 'write 80.00 op/s - - - not comparable: only in A'
says '0 slower, 0 faster, 2 no difference shown, 1 not comparable *'

title='searches'
find_run() { # WORDS RATES
    result find '"uring": "auto"' "$(rates '"tasks": 2' "Entries:$2")" |
        sed "s|\"mpi\"|\"run\": {\"command\": [\"treemark\", \"find\", $1]}, &|"
}
find_run '"/a/b", "-name", "x"' $steady >f.json
find_run '"/c", "--json=x", "--label", "y", "-name", "x"' $slow >g.json
find_run '"/a/b", "-name", "y"' $slow >h.json
compare 3 f.json g.json
compare 5 f.json h.json
says 'Entries *expression is -name x in A, -name y in B'

title='studies'
# point STATE VARY COMMAND
point() {
    echo "\"point\": {\"benchmark\": \"mdtest\", \"vary\": $2, \"map\": \"grid\"," \
        "\"command\": [$3], \"repeats\": 1, \"state\": \"$1\", \"status\": 0}"
}
study() { # COMMAND VARY2 RATES
    result scale '"nodes": "1,2"' \
        "$(rates "$four, $(point "done" null "$1")" "create:$3")" \
        "$(rates "$eight, $(point "done" null "$1")" "create:$steady")" \
        "$(rates "$eight, $(point "done" "$2" "$1")" "create:$steady")"
}
study '"mdtest", "-n", "100", "-d", "/x", "-F"' '"-w=1"' $steady >s.json
study '"mdtest", "-n=100", "-F", "-d/y", "--dummy.delay-create=9"' '"-w=1"' \
    $slow >t.json
study '"mdtest", "-n", "100", "-F", "-w", "8"' '"-w=1"' $slow >u.json
study '"mdtest", "-n", "100", "-F"' '"-w=2"' $steady >v.json
compare 0 s.json s.json
compare 3 s.json t.json
says 'differs: dummy.delay-create is 0 in A, 9 in B'
says 'mdtest: 4 tasks on 2 nodes (2 each), 100 items per task*'
says 'mdtest: 8 tasks on 2 nodes (4 each), 100 items per task, vary -w=1'
says 'mdtest: 8 tasks on 2 nodes (4 each), 100 items per task, vary nothing'
says '1 slower, 0 faster, 2 no difference shown, 0 not comparable *'
compare 5 s.json u.json
says 'create *not comparable: w is 0 in A, 8 in B'
compare 0 s.json v.json
says 'create *not comparable: vary is -w=1 in A, -w=2 in B'
sed 's/"state": "done"/"state": "timed out"/g' s.json >late.json
compare 5 s.json late.json
says 'create *not comparable: the point timed out in B'
# One that was killed: its last test has no "point" yet.
result scale '' "$(rates "$four, $(point "done" null \
    '"mdtest", "-n", "100", "-F"')" "create:$steady")" \
    "$(rates "$eight" "create:$steady")" >killed.json
compare 0 s.json killed.json
says 'create *no difference shown'

title='imported text'
"$TREEMARK_BIN/treemark" import "$here/import/mdtest-4.1.txt" >old.json
compare 0 old.json old.json
says 'mdtest: 2 tasks on 1 node, 497 items per task'
says '*10 no difference shown, 0 not comparable *'
sed -E 's/"stddev": *[0-9.]+/"stddev": null/g' old.json >mean.json
compare 5 old.json mean.json
says 'File stat *not comparable: one value in B, which shows no spread'
cat old.json old.json >twice.json
compare 0 twice.json old.json
says 'A: 2 runs, B: 1 run'
"$TREEMARK_BIN/treemark" import "$here/import/ior-4.1.txt" >ior.json
compare 0 ior.json ior.json
says 'write 8403.50 MiB/s *no difference shown'

title='bad input'
head -c 300 a.json >cut.json
: >empty.json
echo '{}' >other.json
sed 's,result/1,result/9,' a.json >schema.json
sed 's/"tests".*/"tests": []}/' a.json >none.json
bad_input 'nowhere.json: No such file or directory' nowhere.json a.json
bad_input 'nowhere.json: No such file or directory' a.json a.json,nowhere.json
bad_input '/: Is a directory' / a.json
bad_input 'empty.json: it is empty' empty.json a.json
bad_input 'other.json: JSON, but no results of treemark' a.json other.json
bad_input 'schema.json: of another schema: treemark-result/9 (treemark-result/1 is read)' \
    schema.json a.json
bad_input 'none.json: there is no test in it' none.json a.json
bad_input 'i.json: results of ior, those before are of mdtest' a.json i.json
bad_input 'B: a file has no name' a.json a.json,
bad_input "--threshold: 'x' is not a number of percent, 0 to 1000" \
    --threshold x a.json b.json
bad_input "--treshold: no such option (is --threshold meant?)" \
    a.json b.json --treshold=1
for words in '' 'a.json' 'a.json b.json a.json'; do
    # shellcheck disable=SC2086 # words
    compare 2 $words
    expect_equal "lines" 1 "$(complaints)" || true
done
for file in cut.json help; do
    compare 2 a.json $file
    expect_equal "lines" 1 "$(complaints)" || true
    grep -q "^treemark compare: $file: no JSON, or cut: line [12]: " "$err" ||
        bad_with_output "$file"
done

title='results of this program'
work=$TEST_DIR/work
# delay USEC OUT: two tests on two nodes, one of them slower by what is given.
delay() {
    run 4 a:2,b:2 -a DUMMY -F -n 10 -i 6 -f 2 -l 4 -s 2 -d "$work" \
        --dummy.delay-create="$1" --dummy.delay-stat=3000 --json "$2"
    expect_status 0 || true
}
delay 3000 x.json
delay 15000 y.json
compare 0 x.json x.json
says 'mdtest: 2 tasks on 1 node (2 each), 10 items per task'
says 'mdtest: 4 tasks on 2 nodes (2 each), 10 items per task'
says '0 slower, 0 faster, *'
# Five times as long: no load makes up for that.
compare 3 x.json y.json
says 'differs: dummy.delay-create is 3000 in A, 15000 in B'
says 'File creation *slower'

cat >tests.ior <<'S'
IOR START
api=DUMMY
blockSize=64k
transferSize=16k
repetitions=2
dummy.delay-xfer=2000
RUN
transferSize=32k
RUN
numTasks=2
RUN
IOR STOP
S
last_run='treemark ior -f tests.ior'
mpi 4 a:2,b:2 timeout -k 5 60 "$TREEMARK_BIN/treemark" ior -f tests.ior \
    --json ior-run.json >"$out" 2>"$err" || bad_with_output "it failed"
compare 0 ior-run.json ior-run.json
says 'ior: 4 tasks on 2 nodes (2 each), 4 items per task, transferSize 16384'
says 'ior: 4 tasks on 2 nodes (2 each), 2 items per task, transferSize 32768'
says 'ior: 2 tasks on 1 node (2 each), 2 items per task, transferSize 32768'
says '0 slower, 0 faster, 6 no difference shown, 0 not comparable *'
finish
