#!/bin/bash
# treemark find: what a search did, for people and programs: --stats,
# --percentiles, --count, --results-dir, --json, --csv, --stonewall, signals.
set -eu
# shellcheck source=lib.bash
. "$(dirname "$0")/lib.bash"
# shellcheck source=find.bash
. "$(dirname "$0")/find.bash"
build_swapper
json=$TEST_DIR/run.json
csv=$TEST_DIR/run.csv
kept=$TEST_DIR/kept # every result, judged at the end
mkdir "$kept"
n_kept=0

mkdir -p d/{a,b,c}/{x,y}
touch d/{a,b,c}/{x,y}/{1,2,3,4}
entries=34 # 10 directories

keep() { # FILE
    n_kept=$((n_kept + 1))
    cp "$1" "$kept/$n_kept.json" || bad "no result after $last_run"
}

# told EXPRESSION WANT: of the result r, in Python; by: its rows.
told() {
    local got
    got=$(/usr/bin/python3 - "$json" "$1" <<'P' 2>&1 | tail -n 1
import json, sys
with open(sys.argv[1], encoding="utf-8") as f:
    r = json.load(f)
by = {p["name"]: p for p in r["tests"][0]["iterations"][0]["phases"]}
value = eval(sys.argv[2])
print(value if isinstance(value, str) else json.dumps(value))
P
    )
    expect_equal "$1" "$2" "$got" || true
}

# --- for people ---------------------------------------------------------------------

title="--count prints the number of matches and no names"
for np in 1 3; do
    search "$np" d --count -type f
    expect_status 0 "--count" || true
    expect_equal "printed" 24 "$(cat "$out")" || true
done
search 1 d nothing --count -name x -prune -o -size 0 -print -print
expect_status 1 "a missing start" || true
expect_equal "what an action was reached for" 12 "$(cat "$out")" || true
search 1 d --count -name none
expect_equal "none" 0 "$(cat "$out")" || true
search 2 d --count -fprint "$TEST_DIR/names"
expect_equal "the number" "$entries" "$(cat "$out")" || true
expect_equal "files of -fprint are written" "$entries" "$(wc -l <"$TEST_DIR/names")" || true

title="--stats says on the standard error what was done, and how fast"
for np in 1 2; do
    search "$np" d --stats -type f -size 0
    expect_status 0 "--stats" || true
    expect_equal "names" 24 "$(wc -l <"$out")" || true
    said "^$np ranks? on 1 node, [0-9]+\.[0-9]{6} s$" "--stats" || true
    for row in "Entries 34" "Directories 10" "Matches 24"; do
        said "^   ${row% *} +${row#* } +[0-9]+\.[0-9]{3} per second$" "--stats" || true
    done
    # Of each file, and of the start.
    said '^   Stats +25 ' "--stats" || true
done
said 'at work: rank [01] [0-9.]+ s, rank [01] [0-9.]+ s; without work [0-9]+%' "balance" || true
title="nothing is stat'ed but the start where nothing asks for it"
search 2 d --stats -name '*' -type f
said '^   Stats +1 ' "no stat" || true
title="--percentiles says what reading and stat took"
search 2 d --percentiles -size 0
said '^LATENCY' "--percentiles" || true
for call in getdents64 statx; do
    said "^   $call( +[0-9]+\.[0-9]{2}){5}$" "--percentiles" || true
done
search 2 d -size 0
said_nothing "nobody asked" || true

title="--lazy-stat asks for no more than is there, and finds the same"
search 2 d --lazy-stat -type f -size 0
expect_status 0 "--lazy-stat" || true
expect_equal "found" "$(find d -type f -size 0 | sort)" "$(sorted)" || true
title="--progress says how far it is"
with=("LD_PRELOAD=$swapper" TREEMARK_SWAP_SLOW=30000)
search 2 d --progress=0.2 --count -size 0
with=()
expect_equal "the number" 24 "$(cat "$out")" || true
said '[0-9]+ entries|search' "--progress" || true

title="--results-dir has a file of each rank"
for np in 1 3; do
    rm -rf results
    search "$np" d --results-dir results
    expect_status 0 "--results-dir" || true
    expect_equal "files" "$np" "$(find results -name '*.txt' | wc -l)" || true
    expect_equal "names" "$(find d | sort)" "$(sort results/*.txt)" || true
    expect_equal "printed" "" "$(cat "$out")" || true
done
search 2 d --results-dir none/results
refused "a directory in none" 'none/results' || true
rm -rf results
mkdir results
ln -s /dev/full results/0.txt
search 1 d --results-dir results
expect_status 1 "a full device" || true

title="--stonewall ends a search in time"
mkdir -p big/{1..8}
perl -e 'for $d (1 .. 8) { for (1 .. 500) { open F, ">", "big/$d/$_" } }'
for np in 1 2; do
    with=("LD_PRELOAD=$swapper" TREEMARK_SWAP_SLOW=2000)
    start=$EPOCHREALTIME
    search "$np" big -size 0 --stonewall 0.7 --stats
    within "seconds" 0.7 3 "$(awk -v a="$start" -v b="$EPOCHREALTIME" 'BEGIN { print b - a }')" || true
    with=()
    expect_status 0 "--stonewall" || true
    said 'stopped early' "--stonewall" || true
    within "names" 50 2500 "$(wc -l <"$out")" || true
done

title="--interval has entries over time, all of them"
with=("LD_PRELOAD=$swapper" TREEMARK_SWAP_SLOW=500)
search 2 big -size 0 --count --interval 0.1 --json "$json"
with=()
expect_status 0 "--interval" || true
keep "$json"
told 'sum(by["Entries"]["intervals"]["operations"]), by["Entries"]["operations"]' \
    '[4009, 4009]'
told 'len(by["Entries"]["intervals"]["operations"]) >= 3' true
told '[by[n]["intervals"] for n in ("Directories", "Stats", "Matches")]' \
    '[null, null, null]'
for value in 0 x 0.001; do
    search 1 d --interval "$value"
    refused "--interval $value" '--interval' || true
done

# --- signals ------------------------------------------------------------------------

for row in INT:130 TERM:143; do
    title="SIG${row%:*} ends a search soon, with what was found and status ${row#*:}"
    last_run="find big and SIG${row%:*}"
    rm -f "$json"
    status=0
    LD_PRELOAD=$swapper TREEMARK_SWAP_SLOW=3000 \
        env --default-signal=INT "$treemark" find big -size 0 --json "$json" \
        </dev/null >"$out" 2>"$err" &
    child=$!
    sleep 1
    kill "-${row%:*}" "$child" || true
    start=$EPOCHREALTIME
    wait "$child" || status=$?
    within "seconds" 0 3 "$(awk -v a="$start" -v b="$EPOCHREALTIME" 'BEGIN { print b - a }')" || true
    expect_status "${row#*:}" "interrupted" || true
    within "names" 50 3990 "$(wc -l <"$out")" || true
    expect_equal "whole lines" "" "$(grep -vE '^big(/[0-9]+)*$' "$out")" || true
    keep "$json"
    told 'r["run"]["interrupted"], r["verdict"]["ok"]' "[\"SIG${row%:*}\", false]"
done
title="SIGINT to the launcher ends all ranks"
status=0
LD_PRELOAD=$swapper TREEMARK_SWAP_SLOW=3000 \
    env --default-signal=INT "$MPIEXEC" -n 2 "$treemark" find big -size 0 \
    </dev/null >"$out" 2>"$err" &
child=$!
sleep 1.2
kill -INT "$child" || true
start=$EPOCHREALTIME
wait "$child" || status=$? # the launcher's own, which may be 0
last_run="mpiexec find big and SIGINT"
within "seconds" 0 3 "$(awk -v a="$start" -v b="$EPOCHREALTIME" 'BEGIN { print b - a }')" || true
within "names" 0 3990 "$(wc -l <"$out")" || true
sleep 0.3
if pgrep -f "$treemark find big" >/dev/null; then
    bad "ranks live on"
fi
rm -rf big

# --- for programs ------------------------------------------------------------------------

# result NP WANT_STATUS ARGS...: a search, its result kept.
result() {
    local np=$1 want=$2
    shift 2
    rm -f "$json"
    search "$np" "$@" --json "$json"
    expect_status "$want" || true
    if [ -e "$json" ]; then
        keep "$json"
    else
        bad_with_output "no result"
        echo '{"tests": []}' >"$json"
    fi
}

title="--json has a row each for entries, directories, stats and matches"
for np in 1 2 a:2,b:1; do
    result "$np" 0 d -type f -size 0 --label "a \"name\""
    told '[by[n]["operations"] for n in ("Entries", "Directories", "Stats", "Matches")]' \
        '[34, 10, 25, 24]'
    told 'r["kind"], r["semantics"], r["run"]["label"], r["filesystem"]["path"]' \
        '["find", "treemark", "a \"name\"", "d"]'
    told 'r["run"]["command"][:4]' '["find", "d", "-type", "f"]'
    told 'sum(n for _, n in by["Stats"]["latency_ns"]["buckets"])' 25
    told 'by["Entries"]["latency_ns"], by["Matches"]["latency_ns"]' '[null, null]'
    told 'r["verdict"]["ok"], r["verdict"]["failed_operations"]' '[true, 0]'
    told 'len(set(p["time_s"] for p in by.values()))' 1
    expect_equal "names are printed" 24 "$(wc -l <"$out")" || true
done
told 'r["mpi"]["ranks"], r["mpi"]["nodes"], r["mpi"]["ranks_per_node"]' '[3, 2, [2, 1]]'
told 'by["Entries"]["ranks"]["slowest"]["time_s"] >= by["Entries"]["ranks"]["fastest"]["time_s"]' true
title="errors met on the way are in the result by errno"
result 2 1 nothing d nowhere
told 'by["Entries"]["failed"], r["verdict"]["ok"]' '[{"ENOENT": 2}, false]'
title="a command of -exec with + that failed is in the verdict, and no error"
result 2 1 d -exec false '{}' +
told 'by["Entries"]["failed"], r["verdict"]["failed_operations"]' '[{}, 0]'
told 'r["verdict"]["ok"], r["verdict"]["text"]' '[false, "a command of -exec failed"]'
title="a search that finds nothing, or nothing to look at, has a valid result"
result 1 0 d -name none
told 'by["Matches"]["operations"]' 0
result 2 1 nothing
told 'by["Entries"]["operations"] <= 1, by["Directories"]["operations"]' '[true, 0]'
title="pfind says so in its result"
result 2 0 --pfind d -C -name '1'
told 'r["semantics"], by["Matches"]["operations"]' '["pfind", 6]'
title="--json - is all there is on the standard output"
search 2 d --count --json -
cp "$out" "$json"
keep "$json"
told 'by["Entries"]["operations"]' "$entries"
title="the result has how full the file system is"
told 'r["filesystem"]["size_bytes"], r["filesystem"]["inodes"]' \
    "$(stat -f -c '%b %S %c' d | awk '{ printf "[%.0f, %.0f]", $1 * $2, $3 }')"
told 'r["filesystem"]["size_bytes"] >= r["filesystem"]["used_bytes"] >= 0' true
told 'r["filesystem"]["inodes"] >= r["filesystem"]["inodes_used"] > 0' true
title="nothing but one result may be on the standard output"
search 1 d --json -
refused "names as well" 'add --count' || true
search 1 d --csv -
refused "names as well" 'add --count' || true
search 1 d --count --csv - --json -
refused "two at once" 'only one' || true
title="a result that cannot be written is status 1, or 2 if it is known before"
search 2 d --count --json none/x
refused "no such directory" 'none/x' || true
search 2 d --count --json /dev/full
expect_status_in "1 2" || true
said 'No space left' "a full device" || true

title="--csv appends a line for each row, under one header"
for ((i = 0; i < 2; i++)); do
    search 2 d -type f --csv "$csv" --label "label $i"
    expect_status 0 "--csv" || true
done
expect_equal "lines" 9 "$(wc -l <"$csv")" || true
/usr/bin/python3 - "$csv" >"$TEST_DIR/told" 2>&1 <<'P' || true
import csv, sys
with open(sys.argv[1], newline="") as f:
    rows = list(csv.DictReader(f))
assert [r["phase"] for r in rows] == ["Entries", "Directories", "Stats",
                                      "Matches"] * 2
assert [r["operations"] for r in rows[:4]] == ["34", "10", "1", "24"]
assert {r["kind"] for r in rows} == {"find"}
assert [r["label"] for r in rows[::4]] == ["label 0", "label 1"]
assert rows[0]["latency_p50_ns"] == "" and rows[3]["latency_max_ns"] == ""
assert int(rows[1]["latency_p50_ns"]) > 0
assert int(rows[1]["latency_max_ns"]) >= int(rows[1]["latency_p50_ns"])
for r in rows:
    assert abs(float(r["rate_per_s"]) * float(r["time_s"])
               - float(r["operations"])) < 0.1
print("well")
P
expect_equal "CSV" well "$(tail -n 1 "$TEST_DIR/told")" || true
echo something,else >"$TEST_DIR/other.csv"
search 1 d --csv "$TEST_DIR/other.csv"
refused "other columns" 'it does not begin with the columns' || true

title="every result is valid"
last_run=''
if ! /usr/bin/python3 "$here/validate.py" "$here/../results.schema.json" \
    "$kept"/*.json >"$TEST_DIR/told" 2>&1; then
    bad "$(head -n 20 "$TEST_DIR/told")"
fi
within "results that were judged" 10 20 "$n_kept" || true

title="the validator does not take mdtest's rows for those of a search"
/usr/bin/python3 - "$json" "$TEST_DIR/wrong.json" <<'P'
import json, sys
with open(sys.argv[1], encoding="utf-8") as f:
    r = json.load(f)
r["kind"] = "mdtest"
with open(sys.argv[2], "w", encoding="utf-8") as f:
    json.dump(r, f, indent=1)
P
if /usr/bin/python3 "$here/validate.py" "$here/../results.schema.json" \
    "$TEST_DIR/wrong.json" >/dev/null 2>&1; then
    bad "a search that says it is mdtest is valid"
fi

finish
