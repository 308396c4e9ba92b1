#!/bin/bash
# treemark scale: one launch, all points, a table whose numbers are those of
# the JSON.
set -eu
# shellcheck source=lib.bash
. "$(dirname "$0")/lib.bash"
# shellcheck source=scale.bash
. "$here/scale.bash"
needs_nodes

# refuse NP HOSTS REGEX ARGS...: one line that matches, nothing is touched.
refuse() {
    local np=$1 hosts=$2 regex=$3
    shift 3
    scale "$np" "$hosts" "$@"
    refused "$*" "$regex" || true
    expect_gone "-d of a refused study" "$d" || true
}

# Ranks that sleep do not disturb each other: twice the ranks, nearly twice the
# rate.  Other work may have the cores: one try of three must show it.
title='four nodes of two ranks, all powers of two'
least=0
for ((try = 0; try < 3; try++)); do
    rm -f "$csv"
    study 8 a:2,b:2,c:2,d:2 0 --label 'a "name"' --csv "$csv" -- \
        mdtest "${two_ms[@]}" -F -n 50
    rows "$out" | grep '^File' >"$TEST_DIR/rows" || true
    expect_equal 'rows of files' 24 "$(wc -l <"$TEST_DIR/rows")" || break
    least=$(cut -f 7 "$TEST_DIR/rows" | sort -g | head -n 1)
    ! awk -v least="$least" 'BEGIN { exit !(least >= 0.6) }' || break
done
within 'the least efficiency' 0.6 2 "$least" || true
for name in 'File creation' 'File stat' 'File read' 'File removal'; do
    expect_line "^$name: by ranks, x(1\.[5-9]|2\.[0-9]) with ranks per node, x(1\.[5-9]|2\.[0-9]) with nodes\$" \
        "what $name is bound by" || true
done
expect 'r["kind"], r["scale"]' \
    '["scale", {"benchmark": "mdtest", "mode": "weak", "points": 6}]'
expect 'points' \
    '[[1, 1, 1], [2, 1, 2], [4, 1, 4], [1, 2, 2], [2, 2, 4], [4, 2, 8]]'
expect 'r["mpi"]["ranks"], r["mpi"]["ranks_per_node"], r["run"]["label"]' \
    '[8, [2, 2, 2, 2], "a \"name\""]'
expect 'set(states) == {"done"}, set(varied) == {None}' '[true, true]'
expect '[t["point"]["map"] for t in tests] == ["grid"] * 6' true
expect 'tests[5]["point"]["command"][0], tests[5]["point"]["status"]' \
    '["mdtest", 0]'
expect 'ops("File stat")' '[50, 100, 200, 100, 200, 400]'
expect 'r["verdict"]["failed_operations"]' 0
expect_gone 'what a dummy engine makes' "$d" || true
/usr/bin/python3 - "$csv" "$json" >"$TEST_DIR/told" 2>&1 <<'P' || true
import csv, json, sys
with open(sys.argv[1], newline="", encoding="utf-8") as f:
    rows = list(csv.DictReader(f, strict=True))
with open(sys.argv[2], encoding="utf-8") as f:
    r = json.load(f)
want = [(t, i, p) for t in r["tests"] for i in t["iterations"]
        for p in i["phases"]]
assert len(rows) == len(want), (len(rows), len(want))
for row, (t, i, p) in zip(rows, want):
    assert None not in row and None not in row.values(), row
    assert row["run_id"] == r["run"]["id"] and row["label"] == 'a "name"'
    for column, value in (
            ("tasks", t["tasks"]), ("nodes", t["nodes"]),
            ("ranks_per_node", t["ranks_per_node"]),
            ("iteration", i["iteration"]), ("phase", p["name"]),
            ("operations", p["operations"]),
            ("failed_operations", p["failed_operations"])):
        assert row[column] == str(value), (column, row[column], value)
    assert abs(float(row["rate_per_s"]) - p["rate_per_s"]) < 1e-2
print("well")
P
expect_equal 'CSV and JSON agree' well "$(tail -n 1 "$TEST_DIR/told")" || true

title='uneven nodes, two values, repeats'
study 4 a:3,b:1 0 --repeat 3 --vary -w=0,4096 --peak -- \
    mdtest -d "$d" -F -n 20 -u
expect 'points' '[[1, 1, 1], [2, 1, 2], [1, 2, 2], [1, 3, 3], [1, 1, 1], [2, 1, 2], [1, 2, 2], [1, 3, 3]]'
expect 'varied == ["-w=0"] * 4 + ["-w=4096"] * 4' true
expect '[t["point"]["repeats"] for t in tests] == [3] * 8' true
expect '[len(t["iterations"]) for t in tests] == [3] * 8' true
expect 'sorted({p["bytes"] for p in phases if p["name"] == "File creation"}) == [20 * 4096 * n for n in (0, 1, 2, 3)]' true
expect_gone 'what was made' "$d" || true
expect_no_line '\+-0\.0+( |$)|\bnan\b|\binf\b' 'no interval of nothing' || true
says 'peak' '--peak'

title='paths'
study 4 a:3,b:1 0 --ranks 1,2..4,3 --map=spread -- mdtest -a DUMMY -F -n 5
expect 'points' '[[1, 1, 1], [2, 1, 2], [2, 3, 4], [2, 2, 3]]'
expect '{t["point"]["map"] for t in tests} == {"spread"}' true
study 4 a:3,b:1 0 --ranks 1..4 --map=pack -- mdtest -a DUMMY -F -n 5
expect 'points' '[[1, 1, 1], [1, 2, 2], [2, 3, 4]]'
expect '{t["point"]["map"] for t in tests} == {"pack"}' true

title='a total that is divided'
study 4 a:2,b:2 0 --strong --nodes 1,2 -- mdtest -d "$d" -F -n 10
expect 'r["scale"]["mode"], points' \
    '["strong", [[1, 1, 1], [2, 1, 2], [1, 2, 2], [2, 2, 4]]]'
expect '[t["items_per_task"] for t in tests]' '[10, 5, 5, 2]'
expect 'ops("File removal")' '[10, 10, 10, 8]'
says '(\b10\b|\b8\b|\b2\b).*(round|left|divide|each)|(round|left|divide).*\b(10|8|2)\b' \
    'how it was rounded'
study 3 - 0 --strong --ppn 1,2,3 -- \
    ior -a DUMMY -o "$d" -b 1m -t 256k -s 2 -w -r
expect '[sorted({p["bytes"] for i in t["iterations"] for p in i["phases"] if p["name"] in ("write", "read")}) for t in tests]' \
    '[[2097152], [2097152], [1572864]]'
says 'round|left|divide' 'how a block was rounded'
expect_line '^write: .*' 'a table of writes' || true
expect_line '^ *nodes +ppn +ranks +MiB/s ' 'MiB/s' || true

title='a search'
mkdir "$TEST_DIR/F"
(cd "$TEST_DIR/F" && mkdir sub{1..9} && touch sub{1..9}/f{1..20})
study 2 a:1,b:1 0 -- find "$TEST_DIR/F" -name 'f1*'
expect 'r["scale"]["benchmark"], points' '["find", [[1, 1, 1], [2, 1, 2]]]'
expect 'ops("Entries"), ops("Matches")' '[[190, 190], [99, 99]]'
study 2 a:1,b:1 1 -- find "$TEST_DIR/F" "$TEST_DIR/none"
expect 'r["verdict"]["failed_operations"], states' '[2, ["failed", "failed"]]'
expect_line '^Entries: not seen' 'nothing is judged by points that failed' ||
    true

title='any order, the same rows'
study 2 a:1,b:1 0 --shuffle --nodes 1,2 --vary -n=1,2,3,4,5,6 -- \
    mdtest -a DUMMY -F
expect 'sorted(points) == [(1, 1, 1)] * 6 + [(2, 1, 2)] * 6' true
expect 'list(zip(varied, points)) != [("-n=%d" % n, (k, 1, k)) for n in range(1, 7) for k in (1, 2)]' true
expect_equal 'order of the rows' "$(for ((i = 0; i < 36; i++)); do
    printf '1\t1\t1\n2\t1\t2\n'
done | cksum)" "$(rows "$out" | cut -f 3-5 | cksum)" || true

title='a round that does not count, and the text of the benchmark'
scale 1 - --repeat 2 -v -- mdtest -a DUMMY -F -n 3
cold=$(cat "$out" "$err" | grep -c '^-- started' || true)
within 'texts of the benchmark' 1 2 "$cold" || true
study 1 - 0 --repeat 2 -v --warmup -- mdtest -a DUMMY -F -n 3
warm=$(cat "$out" "$err" | grep -c '^-- started' || true)
within 'rounds with a warm-up' $((cold + 1)) 99 "$warm" || true
expect 'tests[0]["point"]["repeats"], len(tests[0]["iterations"])' '[2, 2]'
scale 1 - -- mdtest -a DUMMY -F -n 3
expect_no_line '^-- (started|finished)|^SUMMARY' 'text without -v' || true

title='repeated until sure'
study 1 - 0 --until-ci 60 --max-repeat 8 -- mdtest "${two_ms[@]}" -F -n 20
expect '2 <= tests[0]["point"]["repeats"] <= 8' true
expect 'tests[0]["point"]["repeats"] == 8 or all(s["ci95"] <= 0.6 * s["mean"] for s in tests[0]["summary"] if s["unit"] == "op/s")' true
study 1 - 0 --until-ci 0.00001 --max-repeat 4 -- mdtest "${two_ms[@]}" -F -n 5
expect 'tests[0]["point"]["repeats"], len(tests[0]["iterations"])' '[4, 4]'

title='a point that fails, one that hangs, and those that go on'
study 2 a:1,b:1 1 --vary --dummy.fail=stat:2:EIO,stat:999:EIO -- \
    mdtest -a DUMMY -F -n 4 --dummy.fail-only-rank=1
expect 'states' '["done", "failed", "done", "done"]'
expect '[t["point"]["status"] for t in tests]' '[0, 1, 0, 0]'
expect 'r["verdict"]["ok"], r["verdict"]["failed_operations"]' '[false, 1]'
study 1 - 1 --vary "-d=$TEST_DIR/stdout/D,$d" -- mdtest -F -n 4
expect 'states' '["failed", "done"]'
expect_line ' - .*failed' 'a point without a rate' || true
expect_gone 'what was made' "$d" || true
start=${EPOCHREALTIME/[.,]/}
study 2 - 1 --timeout 1 --ppn 2 --vary --dummy.delay-create=200000,1 -- \
    mdtest -a DUMMY -F -n 200
within 'seconds until a point is ended, ms' 1000 8000 \
    $(((${EPOCHREALTIME/[.,]/} - start) / 1000)) || true
expect 'states' '["timed out", "done"]'
expect_line 'timed out' 'the state' || true

title='stopped, and gone on with'
slow=(--vary "--dummy.delay-stat=10001,10002,10003,10004" -- mdtest -a DUMMY
    -d "$d" -F -n 60)
rm -f "$json"
last_run="treemark scale ${slow[*]} and SIGTERM"
"$treemark" scale --json "$json" "${slow[@]}" </dev/null >"$out" 2>"$err" &
child=$!
await_points 2 || true
kill -TERM "$child" || true
await "$child" 15
expect_status 143 || true
judged
expect 'r["run"]["interrupted"], r["verdict"]["ok"]' '["SIGTERM", false]'
expect '2 <= states.count("done") < 4' true
cp "$json" "$TEST_DIR/half.json"
scale 1 - --resume "$json" --json "$json" "${slow[@]}"
expect_status 0 || true
judged
expect 'states' '["done", "done", "done", "done"]'
expect "all(t in tests for t in done_in('$TEST_DIR/half.json'))" true
only_tables "$out" >"$TEST_DIR/resumed"
scale 1 - --show "$json"
expect_status 0 || true
only_tables "$out" >"$TEST_DIR/shown"
expect_same_file 'the table of a study that was gone on with' \
    "$TEST_DIR/resumed" "$TEST_DIR/shown" || true
# With nothing left to do nothing is done.
cp "$json" "$TEST_DIR/whole.json"
start=${EPOCHREALTIME/[.,]/}
scale 1 - --resume "$json" --json "$json" "${slow[@]}"
within 'nothing left to do, ms' 0 1500 \
    $(((${EPOCHREALTIME/[.,]/} - start) / 1000)) || true
judged
expect "tests == done_in('$TEST_DIR/whole.json')" true
# Another number of files is another study.
scale 1 - --resume "$json" --json "$json" "${slow[@]/#60/7}"
expect_status_in '0 2' || true
if [ "$status" = 0 ]; then
    expect '[t["items_per_task"] for t in tests].count(7)' 4
    refuse 1 - 'different work.* items_per_task is 60 in A, 7 in B' \
        --show "$json"
fi
cp "$TEST_DIR/whole.json" "$json"

title='more runs than there are'
few=(-- mdtest -a DUMMY -F -n 20 --dummy.delay-create=1000
    --dummy.delay-stat=1000 --dummy.delay-open=1000 --dummy.delay-remove=1000)
study 1 - 0 "${few[@]}"
for more in '--until-ci 90' '--repeat 4'; do
    # shellcheck disable=SC2086 # two words
    scale 1 - --resume "$json" --json "$json" $more "${few[@]}"
    expect_status 0 || true
    judged
    expect 'len(tests), tests[0]["point"]["repeats"] > 1' '[1, true]'
done
expect 'tests[0]["point"]["repeats"]' 4
scale 1 - --resume "$json" --json "$json" --repeat 2 --until-ci 90 "${few[@]}"
expect 'tests[0]["point"]["repeats"]' 4

title='words that are not UTF-8'
odd=$'\xff%'
rm -f "$json"
scale 1 - --json "$json" --vary "-d=$d$odd,$d" -- mdtest -F -n 4
expect_status 0 || true
expect '[v[-6:] for v in varied]' '["%FF%25", "'"${d: -6}"'"]'
expect 'len(tests[0]["point"]["command"]) == len(tests[1]["point"]["command"])' \
    true
cp "$json" "$TEST_DIR/odd.json"
scale 1 - --resume "$json" --json "$json" --vary "-d=$d$odd,$d" -- \
    mdtest -F -n 4
expect "tests == done_in('$TEST_DIR/odd.json')" true
cp "$json" "$kept/odd.json"

title='results that exist'
"$mdtest" -a DUMMY -F -n 5 -i 2 --json "$TEST_DIR/one.json" -d "$d" \
    </dev/null >/dev/null 2>&1
mpi 4 a:2,b:2 "$mdtest" -a DUMMY -F -n 5 -f 1 -l 4 -s 1 -i 2 -d "$d" \
    --json "$TEST_DIR/scan.json" >/dev/null 2>&1
scale 1 - --show "$TEST_DIR/scan.json"
expect_status 0 || true
expect_equal 'ranks of a scan' '1 2 3 4' \
    "$(rows "$out" 'File stat' | cut -f 5 | paste -sd ' ')" || true
read -r least most <<<"$(/usr/bin/python3 - "$TEST_DIR/scan.json" <<'P'
import json, sys
with open(sys.argv[1], encoding="utf-8") as f:
    t = json.load(f)["tests"][3]
rate = next(s["mean"] for s in t["summary"]
            if s["name"] == "File stat" and s["unit"] == "op/s")
print(rate - 1, rate + 1)
P
)"
# shellcheck disable=SC2016
within 'the rate of a scan' "$least" "$most" "$(rows "$out" 'File stat' |
    awk -F '\t' '$5 == 4 { print $6 }')" || true
old_study "$TEST_DIR/old"
scale 1 - --show "$TEST_DIR/old/all.json" --peak
expect_status 0 || true
cp "$out" "$TEST_DIR/shown"
expect_line '^File creation: by nodes, x1\.0 with ranks per node, x1\.8 with nodes$' \
    'what creation is bound by' || true
expect_line '^File stat: by ranks, x1\.9 with ranks per node, x1\.8 with nodes$' \
    'what stat is bound by' || true
expect_line '^File read: by nodes, x1\.0 with ranks per node, x1\.7 with nodes$' \
    'what reading is bound by' || true
expect_line '^File removal: by what all share, x1\.1 with ranks per node, x1\.0 with nodes$' \
    'what removal is bound by' || true
expect_equal 'the rows of creation' \
    '1 4 4 3723.0 1.00|1 8 8 3524.0 0.47|2 4 8 6487.0 0.87|2 8 16 6211.0 0.42' \
    "$(rows "$out" 'File creation' | cut -f 3-7 | tr '\t' ' ' | sort |
        paste -sd '|')" || true
# The peak on one node and on both: 3524 is less than 95 % of 3723.
for peak in 'File creation 4 8' 'File stat 8 16'; do
    read -r kind operation ranks <<<"$peak"
    name="$kind $operation"
    awk -v name="$name" '
        /^(File|Tree) / { at = index($0, name) == 1 }
        tolower($0) ~ /peak/ && (at || index($0, name))' "$out" \
        >"$TEST_DIR/peak"
    for n in $ranks; do
        grep -qw "$n" "$TEST_DIR/peak" ||
            bad_with_output "the peak of $name is not at $n ranks"
    done
done
for i in 1x4 2x4 1x8 2x8; do
    "$treemark" import "$TEST_DIR/old/$i.txt" >"$TEST_DIR/old/$i.json" \
        2>/dev/null </dev/null
done
scale 1 - --peak --show \
    "$TEST_DIR/old/1x4.json,$TEST_DIR/old/2x4.json,$TEST_DIR/old/1x8.json,$TEST_DIR/old/2x8.json"
expect_status 0 || true
expect_equal 'four files' \
    "$(rows "$TEST_DIR/shown" | cut -f 1-7 | sort | cksum)" \
    "$(rows "$out" | cut -f 1-7 | sort | cksum)" || true

title='the points, without running them'
scale 8 a:2,b:2,c:2,d:2 --dry-run --json "$TEST_DIR/none.json" -- \
    mdtest -d "$d" -F -n 1000000
expect_status 0 || true
says '\b6\b' 'how many there are'
scale 1 - --dry-run -- mdtest -n 1 -d 'a`b [c]'
expect_line ": mdtest -n 1 -d 'a\`b \[c\]'\$" 'words as a shell takes them' ||
    true
expect_gone 'what a dry run makes' "$d" || true
expect_gone 'its result' "$TEST_DIR/none.json" || true

title='requests that are wrong'
bench=(mdtest -d "$d" -F -n 4)
refuse 4 a:2,b:2 '--nodes: 3: there are 2' --nodes 1,3 -- "${bench[@]}"
refuse 4 a:3,b:1 '--ppn: 2: .* 1 ' --ppn 2 --nodes 2 -- "${bench[@]}"
refuse 4 a:2,b:2 '--ranks: 8: there are 4' --ranks 1..8 -- "${bench[@]}"
while IFS='|' read -r regex args; do
    # shellcheck disable=SC2086 # the words of a line
    refuse 1 - "$regex" $args
done <<T
--nodes: 2: there is 1|--nodes 2 -- ${bench[*]}
--ppn: 2: |--ppn 2 -- ${bench[*]}
--ranks.*--nodes|--ranks 1 --nodes 1 -- ${bench[*]}
mdtest|--nodes 1
mdtest|--nodes 1 --
nope.*mdtest|--nodes 1 -- nope -n 3
io500.*mdtest|-- io500 x.ini
--nodes|--nodes 1,,2 -- ${bench[*]}
--nodes|--nodes 0 -- ${bench[*]}
--nodes|--nodes 4..1 -- ${bench[*]}
--ppn|--ppn x -- ${bench[*]}
--map.*pack|--ranks 1 --map=wide -- ${bench[*]}
--vary|--vary n -- ${bench[*]}
--vary|--vary -w= -- ${bench[*]}
nosuch|--vary --nosuch=1,2 -- ${bench[*]}
--repeat|--repeat 0 -- ${bench[*]}
--until-ci|--until-ci 0 -- ${bench[*]}
--until-ci|--until-ci -5 -- ${bench[*]}
--max-repeat|--until-ci 5 --max-repeat 0 -- ${bench[*]}
--timeout|--timeout -1 -- ${bench[*]}
--nosuch|--nosuch -- ${bench[*]}
--bogus|-- ${bench[*]} --bogus
-n|-- mdtest -d $d -F -n x
--min-time raises -n|--strong -- mdtest -d $d -n 7 --min-time 1
-n: 7 is no multiple of -I 5|--strong -- mdtest -d $d -n 7 -I 5
differ|--vary -w=1,2,1 -- ${bench[*]}
--json|--json $TEST_DIR/no/where -- ${bench[*]}
cannot share a file|--json $TEST_DIR/x --csv $TEST_DIR/x -- ${bench[*]}
-C without -r leaves items|--repeat 2 -- ${bench[*]} -C -T
-C without -r leaves items|--vary -w=0,1 -- ${bench[*]} -C
--show|--show $json -- ${bench[*]}
T

scale 1 - --strong -- ior -o "$d" -b 1m -t 0 -w
expect_status 2 || true
says '-t: 0 bytes are no transfer' 'what ior refuses'

title='results that are none'
cut=$TEST_DIR/cut.json
head -c 700 "$TEST_DIR/whole.json" >"$cut"
: >"$TEST_DIR/empty.json"
sed 's:treemark-result/1:treemark-result/9:' "$TEST_DIR/whole.json" \
    >"$TEST_DIR/schema.json"
sed 's/"kind": *"scale"/"kind": "io500"/' "$TEST_DIR/whole.json" \
    >"$TEST_DIR/kind.json"
for file in "$cut" "$TEST_DIR"/{empty,schema,kind,none}.json \
    "$TEST_DIR/old/1x4.txt" "$TEST_DIR"; do
    refuse 1 - "$file" --show "$file"
done
for file in "$cut" "$TEST_DIR"/{empty,schema,kind,one}.json; do
    cp "$file" "$TEST_DIR/before"
    refuse 1 - "$file" --resume "$file" -- "${bench[@]}"
    expect_same_file "$file" "$TEST_DIR/before" "$file" || true
done
refuse 1 - 'treemark-result/9' --show "$TEST_DIR/schema.json"
refuse 1 - 'io500' --show "$TEST_DIR/kind.json"
refuse 1 - 'Is a directory' --show "$TEST_DIR"
refuse 1 - 'a run that was there before' \
    --show "$TEST_DIR/whole.json,$TEST_DIR/whole.json"

all_valid
finish
