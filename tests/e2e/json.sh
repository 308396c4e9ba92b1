#!/bin/bash
# --json and --csv: whole, valid and true on every path; never at the cost of
# the text.
set -eu
# shellcheck source=lib.bash
. "$(dirname "$0")/lib.bash"
d=$TEST_DIR/D
json=$TEST_DIR/run.json
csv=$TEST_DIR/run.csv
kept=$TEST_DIR/kept # every result, judged at the end
mkdir "$kept"
n_kept=0

keep() { # FILE
    n_kept=$((n_kept + 1))
    cp "$1" "$kept/$n_kept.json" || bad "no result after $last_run"
}

# get EXPRESSION: of the result r, in Python.
get() {
    /usr/bin/python3 - "$json" "$1" <<'P'
import json, sys
with open(sys.argv[1], encoding="utf-8") as f:
    r = json.load(f)
phases = [p for t in r["tests"] for i in t["iterations"] for p in i["phases"]]
by = {p["name"]: p for p in phases}
value = eval(sys.argv[2])
print(value if isinstance(value, str) else json.dumps(value))
P
}

expect() { # EXPRESSION WANT
    expect_equal "$1" "$2" "$(get "$1" 2>&1 | tail -n 1)" || true
}

# result NP HOSTS WANT_STATUS ARGS...: a run, its result kept.
result() {
    local np=$1 hosts=$2 want=$3
    shift 3
    rm -f "$json"
    run "$np" "$hosts" "$@" -d "$d" --json "$json"
    expect_status "$want" || true
    if [ -e "$json" ]; then
        keep "$json"
    else
        bad_with_output "no result"
        echo '{"tests": []}' >"$json"
    fi
}

title="the phases of all iterations"
result 2 - 0 -n 6 -b 2 -z 1 -i 3 --label "a \"name\", of ours"
expect '[len(t["iterations"]) for t in r["tests"]]' '[3]'
expect 'sorted({len(i["phases"]) for i in r["tests"][0]["iterations"]})' '[10]'
expect 'by["File creation"]["operations"]' 12
expect 'by["Tree creation"]["operations"]' 3
expect 'r["run"]["label"]' 'a "name", of ours'
expect 'r["run"]["command"][1:3]' '["-n", "6"]'
expect 'r["options"]["n"], r["options"]["N"], r["options"]["json"]' \
    "[6, \"0\", \"$json\"]"
expect 'r["options"]["access"], r["options"]["x"]' '["path", null]'
expect 'r["options"]["dummy.delay-stat"]' 0
expect 'r["mpi"]["ranks"], r["mpi"]["nodes"], r["mpi"]["mapping"]' \
    '[2, 1, "block"]'
expect 'by["File stat"]["ranks"]["slowest"]["time_s"] >= by["File stat"]["ranks"]["fastest"]["time_s"]' true
expect 'r["filesystem"]["path"]' "$d"
# The table is the summary.
expect '"%.3f" % [s["mean"] for s in r["tests"][0]["summary"] if s["name"] == "File stat" and s["unit"] == "op/s"][0]' \
    "$(row 'File stat' 3)"
expect '"%.3f" % [s["stddev"] for s in r["tests"][0]["summary"] if s["name"] == "File removal" and s["unit"] == "op/s"][0]' \
    "$(row 'File removal' 4)"
expect_equal "the last line" "verdict: $(get 'r["verdict"]["text"]')" \
    "$(tail -n 1 "$out")" || true

title="options that shape a run"
result 3 - 0 -n 4 -F -i 2 -B
expect 'by["File stat"]["barriers"]' false
result 4 a:2,b:2 0 -n 4 -N node
expect 'r["mpi"]["ranks_per_node"]' '[2, 2]'
expect 'by["File stat"]["foreign_share"]' 1.0
expect 'r["filesystem"]["shared"]' shared
result 3 a:2,b:1 0 -n 4 -u
expect 'r["mpi"]["ranks_per_node"]' '[2, 1]'
result 2 - 0 -n 4 -c -F
result 2 - 0 -n 4 -S -w 8 -e 8 -X
result 2 - 0 -F -n 2000 -W 1 -a DUMMY --dummy.delay-create 20000
expect 'by["File creation"]["stonewall"]["hit"]' true
expect 'by["File stat"]["stonewall"]' null
result 2 - 0 -n 20 -F -w 4096 -e 4096 -X --verify-write
expect 'by["File creation"]["bytes"], by["File read"]["bytes"]' \
    '[163840, 163840]'
result 2 - 0 -F -n 20 --interval 0.01 -a DUMMY --dummy.delay-create 2000
expect 'by["File creation"]["intervals"]["seconds"]' 0.01
expect 'sum(by["File creation"]["intervals"]["operations"])' 40
expect 'by["File stat"]["latency_ns"]["max_rank"] in (0, 1)' true
expect 'by["File stat"]["latency_ns"]["max_host"] == r["mpi"]["hosts"][0]' true
result 2 - 0 -D -n 3 --warmup 2 -i 2
expect 'len(r["tests"][0]["iterations"])' 2
result 1 - 0 -F -n 3 -P --as mdtest-4.1
expect 'r["semantics"]' mdtest-4.1
result 2 - 0 -n 3 -F -C
result 2 - 0 -n 3 -F -T
expect '[p["name"] for p in phases]' '["File stat"]'
result 2 - 0 -n 3 -F -r

title="a scan has a test for each number of tasks"
result 3 - 0 -n 4 -F -f 1 -l 3 -i 2
expect '[t["tasks"] for t in r["tests"]]' '[1, 2, 3]'
expect '[len(t["iterations"]) for t in r["tests"]]' '[2, 2, 2]'
expect 'r["mpi"]["ranks"]' 3

title="what failed, and why"
result 2 - 1 -F -n 10 -a DUMMY --dummy.fail stat:3:EIO
expect 'by["File stat"]["failed"]' '{"EIO": 2}'
expect 'by["File stat"]["operations"]' 18
expect 'by["File stat"]["first_failures"][0]["rank"]' 0
expect 'r["verdict"]["ok"], r["verdict"]["failed_operations"]' '[false, 2]'
expect_equal "the last line" "verdict: 2 of 82 operations failed" \
    "$(tail -n 1 "$out" | cut -d ';' -f 1)" || true
result 2 - 0 -F -n 10 -a DUMMY --dummy.fail stat:3:EIO --tolerate 2
expect 'r["verdict"]["failed_operations"]' 2
result 1 - 1 -F -n 10 -a DUMMY --dummy.fail create:5:ENOSPC
expect 'by["File creation"]["not_tried"]' 5
result 1 - 1 -F -n 10 -a DUMMY --dummy.fail create:1:ENOSPC
expect 'by["File creation"]["operations"]' 0
expect 'by["File creation"]["rate_per_s"]' 0.0

title="data that is not as written"
run 1 - -F -n 3 -w 64 -C -G 5 -d "$d"
printf x | dd of="$d/test-dir.0-0/mdtest_tree.0/file.mdtest.0.1" bs=1 seek=9 \
    conv=notrunc status=none
result 1 - 1 -F -n 3 -w 64 -e 64 -E -X -G 5
expect 'by["File read"]["verification_errors"]' 1
expect 'r["verdict"]["verification_errors"]' 1
expect '"byte 8" in by["File read"]["first_failures"][0]["detail"]' true
run 1 - -F -n 3 -r -d "$d"
drop "$d"

title="paths and labels of any bytes"
odd=$TEST_DIR/$'o\xffdd 100%'
last_run="a path that is not UTF-8"
status=0
"$mdtest" -F -n 3 -C -d "$odd" --json "$json" --label $'\xc3\xa9 "\\\t' \
    </dev/null >"$out" 2>"$err" || status=$?
expect_status 0 || true
keep "$json"
expect 'r["filesystem"]["path"].endswith("/o%FFdd 100%25")' true
expect 'r["run"]["label"]' $'\xc3\xa9 "\\\t'
rm -rf "$odd"

title="an interrupted run"
for signal in INT TERM; do
    rm -f "$json"
    last_run="mdtest and SIG$signal"
    env --default-signal=INT "$mdtest" -F -n 3000 -i 100 -d "$d" \
        --json "$json" </dev/null >"$out" 2>"$err" &
    child=$!
    for ((i = 0; i < 200; i++)); do
        [ ! -s "$json" ] || break
        sleep 0.05
    done
    kill "-$signal" "$child" || true
    status=0
    wait "$child" || status=$?
    keep "$json"
    expect 'r["run"]["interrupted"], r["verdict"]["ok"]' "[\"SIG$signal\", false]"
    expect_gone "what was made" "$d" || true
done

title="a killed run leaves the phases that had ended"
rm -f "$json"
"$mdtest" -F -n 2000 -i 1000 -d "$d" --json "$json" --keep </dev/null \
    >"$out" 2>"$err" &
child=$!
for ((i = 0; i < 200; i++)); do
    [ ! -s "$json" ] || break
    sleep 0.05
done
sleep 0.3
kill -KILL "$child"
wait "$child" 2>/dev/null || true
keep "$json"
expect 'r["verdict"], r["run"]["ended"]' '[null, null]'
expect 'len(phases) > 0' true
rm -rf "$d"
find "$TEST_DIR" -maxdepth 1 -name '*.tmp.*' -delete

title="the standard output"
for np in 1 2; do
    run "$np" - -F -n 3 -d "$d" --json -
    expect_status 0 || true
    keep "$out"
    if ! grep -q '^-- finished' "$err" || ! grep -q '^verdict: ' "$err"; then
        bad_with_output "the text is not on the standard error"
    fi
done
run 1 - -F -n 3 -d "$d" --csv -
expect_status 0 || true
expect_equal "lines" 7 "$(wc -l <"$out")" || true
run 1 - -F -n 3 -d "$d" --json - --csv -
refused "both" 'only one can have the standard output' || true
run 1 - -F -n 3 -d "$d" --json "$json" --csv "$json"
refused "one file for both" 'cannot share a file' || true
mkfifo "$TEST_DIR/pipe"
cat "$TEST_DIR/pipe" >"$TEST_DIR/read" &
run 1 - -F -n 3 -d "$d" --json "$TEST_DIR/pipe"
expect_status 0 || true
wait $!
keep "$TEST_DIR/read"
cat "$TEST_DIR/pipe" >"$TEST_DIR/read" &
run 1 - -F -n 3 -d "$d" --csv "$TEST_DIR/pipe"
expect_status 0 || true
wait $!
expect_equal "lines through a pipe" 7 "$(wc -l <"$TEST_DIR/read")" || true
head -n 1 "$TEST_DIR/pipe" >"$TEST_DIR/read" &
run 1 - -a DUMMY -F -n 3 -i 60 --csv "$TEST_DIR/pipe"
expect_status 1 "a reader that leaves" || true
wait $!

title="a pipe that nobody reads is refused"
run 1 - -a DUMMY -F -n 3 -i 60 --csv "$TEST_DIR/pipe"
refused "--csv" '--csv: ' || true

title="what cannot be written is refused before anything is touched"
echo old >"$json"
for file in "$TEST_DIR" "$TEST_DIR/no/where" "" /proc/nothing; do
    for option in --json --csv; do
        run 1 - -F -n 3 -d "$d" "$option" "$file"
        refused "$option $file" "$option: " || true
        expect_gone "-d" "$d" || true
    done
done
run 1 - -F -n 3 -e 9 -d "$d" --json "$json" --csv "$TEST_DIR/new.csv"
refused "a refused run" '-e: ' || true
mkdir "$TEST_DIR/file" && echo x >"$TEST_DIR/file/D"
run 1 - -F -n 3 -d "$TEST_DIR/file/D" --json "$json" --csv "$TEST_DIR/new.csv"
expect_status 2 || true
expect_equal "the result of before" old "$(cat "$json")" || true
expect_gone "no CSV" "$TEST_DIR/new.csv" || true

title="comma-separated values"
rm -f "$csv"
run 2 - -F -n 3 -i 2 -d "$d" --csv "$csv" --label 'x,"y"' --json "$json"
keep "$json"
run 1 - -D -n 2 -a DUMMY --csv "$csv"
expect_status 0 || true
/usr/bin/python3 - "$csv" "$json" >"$TEST_DIR/told" <<'P' || bad "CSV"
import csv, json, sys
with open(sys.argv[1], newline="", encoding="utf-8") as f:
    rows = list(csv.DictReader(f, strict=True))
with open(sys.argv[2], encoding="utf-8") as f:
    r = json.load(f)
assert len(rows) == 2 * 6 + 6, len(rows)
assert all(None not in row and None not in row.values() for row in rows)
at = iter(rows)
for i in r["tests"][0]["iterations"]:
    for p in i["phases"]:
        row = next(at)
        assert row["run_id"] == r["run"]["id"]
        assert row["label"] == 'x,"y"'
        assert row["iteration"] == str(i["iteration"])
        assert row["phase"] == p["name"]
        assert row["operations"] == str(p["operations"])
        assert abs(float(row["time_s"]) - p["time_s"]) < 1e-8
        assert abs(float(row["rate_per_s"]) - p["rate_per_s"]) < 1e-2
        assert row["latency_p99_ns"] == str(p["latency_ns"]["p99"])
        assert row["opt_n"] == "3" and row["opt_a"] == "POSIX"
for row in at:
    assert row["label"] == "" and row["opt_a"] == "DUMMY"
print("well")
P
expect_equal "CSV and JSON agree" well "$(cat "$TEST_DIR/told")" || true
echo something,else >"$csv"
cp "$csv" "$TEST_DIR/before.csv"
run 1 - -D -n 2 -a DUMMY --csv "$csv"
refused "other columns" 'it does not begin with the columns' || true
expect_same_file "the file" "$TEST_DIR/before.csv" "$csv" || true
printf 'run_id,label' >"$csv"
run 1 - -D -n 2 -a DUMMY --csv "$csv"
refused "cut columns" 'it does not begin with the columns' || true
rm "$csv"
for ((i = 0; i < 4; i++)); do
    "$mdtest" -D -n 2 -a DUMMY --csv "$csv" </dev/null >/dev/null 2>&1 &
done
wait
expect_equal "runs at once: one header" 1 "$(grep -c '^run_id' "$csv")" || true
expect_equal "runs at once: all lines" 25 "$(wc -l <"$csv")" || true

title="every result is valid"
last_run=''
if ! /usr/bin/python3 "$here/validate.py" "$here/../results.schema.json" \
    "$kept"/*.json >"$TEST_DIR/told" 2>&1; then
    bad "$(head -n 20 "$TEST_DIR/told")"
fi
for file in "$kept"/*.json; do
    /usr/bin/python3 -m json.tool "$file" >/dev/null 2>&1 ||
        bad "json.tool does not take $file"
done
within "results that were judged" 27 100 "$n_kept" || true

finish
