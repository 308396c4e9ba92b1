#!/bin/bash
# treemark import: what old reports say comes back as JSON, digit for digit,
# and what they do not say does not.
set -eu
# shellcheck source=lib.bash
. "$(dirname "$0")/lib.bash"
d=$TEST_DIR/D
samples=$here/import
json=$TEST_DIR/imported.json
kept=$TEST_DIR/kept # every result, judged at the end
mkdir "$kept"
n_kept=0

keep() { # FILE
    n_kept=$((n_kept + 1))
    cp "$1" "$kept/$n_kept.json"
}

# import WANT_STATUS ARGS...: sets status, out and err; MPI must not start.
import() {
    local want=$1
    shift
    last_run="treemark import $*"
    status=0
    timeout -k 5 60 "$TREEMARK_BIN/treemark" import "$@" \
        </dev/null >"$out" 2>"$err" || status=$?
    expect_status "$want" || true
}

# from TEXT [WANT_STATUS]: import a file, keeping the result.
from() {
    import "${2:-0}" "$1"
    cp "$out" "$json"
    keep "$out"
}

# get EXPRESSION: of the first result r, in Python.
get() {
    /usr/bin/python3 - "$json" "$1" <<'P'
import json, sys
with open(sys.argv[1], encoding="utf-8") as f:
    results = [json.loads(line) for line in f]
r = results[0]
rate = {s["name"]: s for s in r["tests"][0]["summary"] if s["unit"] == "op/s"}
time = {s["name"]: s for s in r["tests"][0]["summary"] if s["unit"] == "s"}
bw = {s["name"]: s for s in r["tests"][0]["summary"] if s["unit"] == "bytes/s"}
rows = r["tests"][0]["iterations"]
value = eval(sys.argv[2])
print(value if isinstance(value, str) else json.dumps(value))
P
}

expect() { # EXPRESSION WANT
    expect_equal "$1" "$2" "$(get "$1" 2>&1 | tail -n 1)" || true
}

silent() {
    expect_equal "complaints" "" "$(cat "$err")" || true
}

title="mdtest 1.9.1, blanks collapsed"
from "$samples/mdtest-1.9.1-tree.txt"
silent
expect 'r["schema"], r["kind"]' '["treemark-result/1", "mdtest"]'
expect 'r["imported"]' "{\"file\": \"$samples/mdtest-1.9.1-tree.txt\", \"line\": 1, \"program\": \"mdtest\", \"program_version\": \"1.9.1\", \"unknown_lines\": 0}"
expect 'r["run"]["started"], r["run"]["ended"]' \
    '["2015-07-22T09:34:24", "2015-07-22T09:51:46"]'
expect 'r["run"]["command_line"]' \
    './mdtest -i 20 -b 2 -I 80 -z 5 -d /mnt/lustrefs-ib/mdtest/1'
expect 'r["mpi"]' '{"ranks": 16, "nodes": 2}'
expect 'r["filesystem"]["path"], r["filesystem"]["used_share"]' \
    '["/mnt/lustrefs-ib/mdtest", 0.004]'
expect 'r["filesystem"]["size_bytes"] == round(290.9 * 2**40)' true
expect 'r["tests"][0]["items"], r["tests"][0]["repetitions"]' '[80640, 20]'
expect 'len(rate), len(time)' '[9, 0]'
expect 'rate["Directory stat"]' '{"name": "Directory stat", "unit": "op/s", "n": 20, "max": 51421.884, "min": 44970.31, "mean": 47884.412, "stddev": 1761.017, "stddev_of": "population", "ci95": null}'
expect 'rate["Tree removal"]["min"]' 2855.457
from "$samples/mdtest-1.9.1-unique.txt"
silent
expect 'sorted(rate)' '["File creation", "File read", "File removal", "File stat", "Tree creation", "Tree removal"]'

title="mdtest 4.1, both tables"
from "$samples/mdtest-4.1.txt"
silent
expect 'len(rate), len(time)' '[10, 10]'
expect 'rate["Tree removal"]["mean"], rate["Tree removal"]["stddev_of"]' \
    '[1994.991, "sample"]'
# Titled "in ms/op"; it is seconds per phase: 994 items.
expect 'time["File creation"]["max"]' 0.333
expect '0.332 < 994 / rate["File creation"]["min"] < 0.334' true
expect '[w["text"][:18] for w in r["warnings"]]' '["Read bytes is 0, t"]'
expect 'r["verdict"]' null

title="ior 2.10.3, lines cut"
from "$samples/ior-2.10.3.txt"
silent
expect 'r["kind"], r["imported"]["program_version"]' '["ior", "2.10.3"]'
expect '[i["iteration"] for i in rows]' '[null, 1, 2, 3]'
expect '[[p["name"] for p in i["phases"]] for i in rows] == [["write", "read"]] * 4' true
expect 'rows[0]["phases"][0]["time_s"], rows[3]["phases"][1]["close_s"]' \
    '[59.85, 6.92]'
expect 'rows[0]["phases"][0]["bandwidth_bytes_per_s"] == 2737.31 * 2**20' true
expect 'bw["read"]["stddev"] == 35.32 * 2**20, bw["read"]["n"]' '[true, 4]'
expect 'time["write"]["mean"], time["write"]["max"]' '[60.34479, null]'
expect 'rate' '{}'
expect 'r["tests"][0]["options"]["aggregate_filesize_bytes"] == 160 * 2**30' true

title="ior 4.1"
from "$samples/ior-4.1.txt"
silent
expect 'r["tests"][0]["options"]["xfersize_bytes"], r["tests"][0]["tasks"]' \
    '[262144, 2]'
expect 'rows[1]["phases"][0]["transfers_per_s"], rows[1]["phases"][0]["latency_s"]' \
    '[50553.0, 3.9e-05]'
expect 'rate["read"]["max"], bw["write"]["min"] == 4440.77 * 2**20' \
    '[174308.74, true]'
expect 'r["system"]["machine"]' 'Linux client1'

title="ior of ours: passes, mixes, failures, -vvv"
from "$samples/ior-treemark.txt"
silent
expect 'r["imported"]["program_version"], r["imported"]["unknown_lines"]' \
    '["4.1.0+treemark-0.1.0", 0]'
expect '[t["tasks"] for t in r["tests"]], len(rows)' '[[2, 2, 2], 2]'
expect '[p["name"] for p in rows[1]["phases"]]' \
    '["write", "read", "read pass 2", "remove"]'
expect 'rows[1]["iteration"], rows[1]["phases"][0]["failed"]' \
    '[1, {"EIO": 2}]'
expect 'rows[1]["phases"][0]["operations"], "operations" in rows[0]["phases"][0]' \
    '[58, false]'
expect '[p["name"] for i in r["tests"][1]["iterations"] for p in i["phases"]]' \
    '["mixed write", "mixed read"]'
expect 'r["tests"][2]["iterations"], r["tests"][2]["summary"]' '[[], []]'
expect 'r["tests"][0]["options"]["stonewalling_time_s"], r["tests"][0]["options"]["read_passes"]' \
    '["0.5", 2]'
expect 'r["tests"][1]["options"]["rwmix"], r["tests"][1]["options"]["access"]' \
    '[75, "single-shared-file"]'
expect 'bw["write"]["max"] == 24.5 * 2**20, bw["write"]["n"]' '[true, 2]'
expect 'r["warnings"][0]["code"], r["verdict"]["ok"]' '["OVERSUBSCRIBED", false]'
expect 'r["verdict"]["failed_operations"], r["verdict"]["verification_errors"]' \
    '[2, 1]'

title="what is not of these programs"
import 2 "$samples/io500-8x2.txt"
expect_equal "output" "" "$(cat "$out")" || true
expect_equal "complaints" 16 "$(wc -l <"$err")" || true
sed 's/^FS:/Fs:/; s/File stat/File stats/' "$samples/mdtest-1.9.1-tree.txt" \
    >"$TEST_DIR/odd.txt"
from "$TEST_DIR/odd.txt" 1
expect 'r["imported"]["unknown_lines"]' 2
expect '"File stat" in rate, len(rate)' '[false, 8]'
expect_equal "the lines" "5 14" "$(sed -nE \
    "s|^treemark import: $TEST_DIR/odd.txt:([0-9]+): not understood: .*|\1|p" \
    "$err" | tr '\n' ' ' | sed 's/ $//')" || true
for ((i = 0; i < 250; i++)); do echo "garbage $i"; done >>"$TEST_DIR/odd.txt"
from "$TEST_DIR/odd.txt" 1
expect_equal "complaints" 101 "$(wc -l <"$err")" || true
expect_equal "the last" "treemark import: $TEST_DIR/odd.txt: 152 more lines are not understood" \
    "$(tail -n 1 "$err")" || true
printf 'x\x1b[31m\x00\n' | cat "$samples/ior-4.1.txt" - >"$TEST_DIR/odd.txt"
from "$TEST_DIR/odd.txt" 1
expect_equal "escapes on the terminal" 0 "$(grep -c $'\x1b' "$err")" || true

title="several launches are lines"
import 0 "$samples"/mdtest-*.txt "$samples"/ior-*.txt
keep "$out"
expect_equal "lines" 6 "$(wc -l <"$out")" || true
cat "$samples"/mdtest-*.txt "$samples"/ior-*.txt >"$TEST_DIR/all.txt"
import 0 "$TEST_DIR/all.txt"
keep "$out"
cp "$out" "$json"
expect '[x["imported"]["line"] for x in results]' '[1, 20, 36, 75, 164, 207]'
status=0
"$TREEMARK_BIN/treemark" import - <"$TEST_DIR/all.txt" >"$out" 2>"$err" ||
    status=$?
expect_status 0 || true
expect_equal "by the standard input" \
    "$(sed "s|$TEST_DIR/all.txt|-|" "$json" | cksum)" "$(cksum <"$out")" || true
import 2 "$samples/mdtest-4.1.txt" "$samples/io500-8x2.txt"
expect_equal "lines" 1 "$(wc -l <"$out")" || true

title="CR LF"
sed 's/$/\r/' "$samples/mdtest-4.1.txt" >"$TEST_DIR/mdtest-4.1.txt"
import 0 "$samples/mdtest-4.1.txt"
sed "s|$samples/||" "$out" >"$TEST_DIR/want"
import 0 "$TEST_DIR/mdtest-4.1.txt"
sed "s|$TEST_DIR/||" "$out" >"$TEST_DIR/got"
expect_same_file "the result" "$TEST_DIR/want" "$TEST_DIR/got" || true

title="bytes that are not UTF-8"
sed 's|^Path.*|Path: /x/\xff 100%|; s|^Command line used: |&\xc3\xa9 "\\ |' \
    "$samples/mdtest-1.9.1-tree.txt" >"$TEST_DIR/bytes.txt"
from "$TEST_DIR/bytes.txt"
expect 'r["filesystem"]["path"]' '/x/%FF 100%25'
expect 'r["run"]["command_line"][:5]' $'\xc3\xa9 "\\ '

title="--output"
import 0 --output "$TEST_DIR/file" "$samples/ior-4.1.txt"
expect_equal "standard output" "" "$(cat "$out")" || true
keep "$TEST_DIR/file"
import 2 --output="$TEST_DIR/file" "$samples/io500-8x2.txt"
expect_same_file "the file of before" "$kept/$n_kept.json" "$TEST_DIR/file" ||
    true
import 0 --output=- -- "$samples/ior-4.1.txt"
expect_same_file "standard output" "$TEST_DIR/file" "$out" || true
if [ -e /dev/full ]; then
    import 1 --output /dev/full "$samples/ior-4.1.txt"
    expect_equal "why" 1 "$(grep -c 'No space left' "$err")" || true
    status=0
    "$TREEMARK_BIN/treemark" import "$samples/ior-4.1.txt" >/dev/full \
        2>"$err" </dev/null || status=$?
    expect_status 1 || true
fi
expect_equal "left beside" "" \
    "$(find "$TEST_DIR" -maxdepth 1 -name '*.tmp.*')" || true

title="requests that are refused"
import 2
refused "no file" 'no FILE' || true
import 2 --frob "$samples/ior-4.1.txt"
refused "an option" '--frob: no such option' || true
import 2 --output
refused "no value" '--output' || true
import 2 "$TEST_DIR/nothing" "$samples/ior-4.1.txt"
refused "no such file" 'nothing: No such file' || true
import 2 "$TEST_DIR"
refused "a directory" 'Is a directory' || true
import 2 --output "$TEST_DIR/no/where" "$samples/ior-4.1.txt"
refused "an output" '--output: ' || true
import 2 --output "$TEST_DIR" "$samples/ior-4.1.txt"
refused "an output" '--output: ' || true
import 0 --help
expect_line '^Usage: treemark import ' "--help" || true

# round_trip WANT_STATUS NP ARGS...: what a run of ours prints as text says what
# its JSON does.  What an earlier one left is there if `stays` is set.
stays=
round_trip() {
    local want=$1 np=$2
    [ -n "$stays" ] || rm -rf "$d"
    shift 2
    title="a run of ours: $*"
    run "$np" - "$@" -d "$d" --json "$TEST_DIR/run.json"
    expect_status "$want" || true
    cp "$out" "$TEST_DIR/run.txt"
    from "$TEST_DIR/run.txt"
    silent
    if ! /usr/bin/python3 - "$TEST_DIR/run.json" "$json" >"$TEST_DIR/told" <<'P'
import json, sys
with open(sys.argv[1], encoding="utf-8") as f:
    want = json.load(f)
with open(sys.argv[2], encoding="utf-8") as f:
    got = json.loads(f.readline())
    assert f.read() == "", "several launches"
units = {s["unit"] for t in got["tests"] for s in t["summary"]}
assert units, "no table"

def near(a, b):
    return a == b or abs(a - b) <= 0.0005001 + 1e-12 * abs(a)

assert len(want["tests"]) == len(got["tests"])
for w, g in zip(want["tests"], got["tests"]):
    assert (w["tasks"], w["repetitions"]) == (g["tasks"], g["repetitions"])
    a = {(s["name"], s["unit"]): s for s in w["summary"]
         if s["unit"] in units}
    b = {(s["name"], s["unit"]): s for s in g["summary"]}
    assert set(a) == set(b), (sorted(a), sorted(b))
    for key in a:
        for m in ("n", "max", "min", "mean", "stddev"):
            assert near(a[key][m], b[key][m]), (key, m, a[key], b[key])
phases = [p for t in want["tests"] for i in t["iterations"]
          for p in i["phases"]]
failed = {}
for p in phases:
    for errno, n in p["failed"].items():
        at = failed.setdefault(p["name"], {})
        at[errno] = at.get(errno, 0) + n
for t in got["tests"]:
    for s in t["summary"]:
        if s["unit"] == "op/s":
            assert s.get("failed", {}) == failed.get(s["name"], {}), s
for m in ("ok", "text", "reasons"):
    assert want["verdict"][m] == got["verdict"][m], m
# Where other reasons are given, the text does not say that nothing failed.
for m in ("failed_operations", "verification_errors"):
    assert got["verdict"][m] in (None, want["verdict"][m]), m
assert want["warnings"] == [w for w in got["warnings"] if w["code"] != "ERROR"]
assert want["filesystem"]["path"] == got["filesystem"]["path"]
assert want["mpi"]["ranks"] == got["mpi"]["ranks"]
print("well")
P
    then
        bad "the JSON differs: $(cat "$TEST_DIR/told")"
    fi
}

round_trip 0 2 -n 6 -b 2 -z 1 -i 3 -P
round_trip 0 1 -F -n 4 -i 2
round_trip 0 1 -D -n 4 -i 2 --table=1.9
round_trip 0 2 -n 8 -i 2 -P --showRankStatistics --print-all-procs
round_trip 0 2 -n 4 -i 2 -f 1 -l 2 --percentiles
round_trip 0 2 -F -n 4 -i 2 -C
round_trip 0 2 -n 4 -i 2 -N 1 -R5 -w 8 -e 8 -t -y
round_trip 0 2 -F -n 4 -C -w 8
stays=1
round_trip 0 2 -F -n 4 -C -w 8 --leftovers=clean
cp "$TEST_DIR/run.txt" "$TEST_DIR/seed"
round_trip 0 2 -F -n 4 -T
printf x | dd of="$d/test-dir.0-0/mdtest_tree.0/file.mdtest.0.1" bs=1 seek=4 \
    conv=notrunc status=none
round_trip 1 2 -F -n 4 -E -e 8 -X -G "$(sed -n 's/^data seed: \([0-9]*\).*/\1/p' \
    "$TEST_DIR/seed")"
expect '[w["code"] for w in r["warnings"]][-1]' ERROR
stays=
round_trip 0 2 -F -n 2000 -i 2 -W 1 -a DUMMY --dummy.delay-create 20000 \
    -x "$TEST_DIR/status"
round_trip 0 1 -F -n 2000 -E -x "$TEST_DIR/status" -a DUMMY
round_trip 0 2 -n 4 -i 2 --check
round_trip 1 2 -F -n 10 -i 2 -a DUMMY --dummy.fail stat:3:EIO
round_trip 1 1 -F -n 10 -i 2 -a DUMMY --dummy.fail create:5:ENOSPC

title="every result is valid"
if ! /usr/bin/python3 "$here/validate.py" "$here/../results.schema.json" \
    "$kept"/*.json >"$TEST_DIR/told" 2>&1; then
    bad "invalid: $(head -n 5 "$TEST_DIR/told")"
fi
# The schema is as strict as before: a run of ours may not lack anything.
sed 's/"imported":{[^}]*},//' "$kept/1.json" >"$TEST_DIR/bare.json"
if /usr/bin/python3 "$here/validate.py" "$here/../results.schema.json" \
    "$TEST_DIR/bare.json" >"$TEST_DIR/told" 2>&1; then
    bad "an imported result passes for a run of ours"
fi

finish
