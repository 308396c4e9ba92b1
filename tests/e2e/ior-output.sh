#!/bin/bash
# What ior writes for programs: JSON and CSV on standard output or in a file,
# rows of ranks and of operations, and the result files that all commands have.
set -eu
# shellcheck source=ior.bash
. "$(dirname "$0")/ior.bash"
csv=$TEST_DIR/run.csv
small=(-t 4k -b 16k -s 2)
schema=$here/../results.schema.json

# csv_columns FILE: every line has as many fields as the first.
csv_columns() {
    if ! /usr/bin/python3 - "$1" >"$TEST_DIR/why" 2>&1 <<'P'; then
import csv, sys

with open(sys.argv[1], newline="", encoding="utf-8") as f:
    rows = list(csv.reader(f))
assert rows, "no line"
for row in rows:
    if len(row) != len(rows[0]):
        sys.exit("not %d fields: %s" % (len(rows[0]), row))
P
        bad "$1 is no CSV: $(tail -n 1 "$TEST_DIR/why")"
    fi
}

# --- summaryFormat=JSON --------------------------------------------------------

part "JSON is valid at every verbosity, whatever there is to say"
truncate -s 1m "$f" # so that there is a warning
for verbose in "" -v -vv -vvv -vvvv -vvvvv; do
    read -ra words <<<"$verbose"
    works 2 - "${words[@]}" -w -r -i 2 -k "${small[@]}" -o "$f" \
        -O summaryFormat=JSON
    valid_json "$out" || true
    expect_json "$out" 'len(r["tests"]), len(r["tests"][0]["Results"]) >= 4' \
        '[1, true]'
done
works 2 - -w -D 0.1 -O stoneWallingWearOut=1 -O interIODelay=5000 -k -C -F \
    -t 1k -b 1000k -o "$base/it's a \"name\" \\ of ours" -O summaryFormat=json -vv
valid_json "$out" || true
expect_json "$out" '"a \"name\" \\ of" in r["tests"][0]["Path"]' true
expect_json "$out" '[type(s[k]).__name__ for s in r["summary"] for k in ("StoneWallTime", "StoneWallbwMeanMIB")]' \
    '["float", "float"]'
works 1 - -s 0 -w -t 4k -b 4k -o "$f.0" -O summaryFormat=JSON -a DUMMY
valid_json "$out" || true
works 1 - -w -a DUMMY -t 4k -b 4k -o "$f.0" -O summaryFormat=JSON -j 1 \
    -O outlierThreshold=1
valid_json "$out" || true
run 2 - -r -R -G 3 -k "${small[@]}" -o "$f" -O summaryFormat=JSON
expect_status 1 "data that is not there" || true
valid_json "$out" || true

part "its members"
works 2 - -v -w -r -i 2 -A 7 "${small[@]}" -o "$f" -O summaryFormat=JSON
for member in Version Began "Command line" Machine tests summary Finished; do
    expect_json "$out" "\"$member\" in r" true
done
expect_json "$out" 'sorted({"TestID", "StartTime", "Path", "Capacity", "Used Capacity", "Inodes", "Used Inodes", "Parameters", "Options", "Results", "max"} - set(r["tests"][0]))' \
    '[]'
expect_json "$out" '[x["access"] for x in r["tests"][0]["Results"]]' \
    '["write", "read", "remove", "write", "read", "remove"]'
expect_json "$out" 'sorted({"bwMiB", "blockKiB", "xferKiB", "iops", "latency", "openTime", "wrRdTime", "closeTime", "totalTime"} - set(r["tests"][0]["Results"][0]))' \
    '[]'
expect_json "$out" '[x["iter"] for x in r["tests"][0]["Results"] if x["access"] == "read"]' \
    '[0, 1]'
expect_json "$out" 'r["tests"][0]["Results"][0]["blockKiB"], r["tests"][0]["Results"][0]["xferKiB"]' \
    '[16.0, 4.0]'
expect_json "$out" 'min(x["latency"] for x in r["tests"][0]["Results"] if x["access"] != "remove") > 0' \
    true
expect_json "$out" 'max(abs(x["bwMiB"] * x["totalTime"] / 0.0625 - 1) for x in r["tests"][0]["Results"] if x["access"] != "remove") < 0.01' \
    true
keys='"testID", "refnum", "api", "platform", "testFileName", "deadlineForStonewall", "stoneWallingWearOut", "maxTimeDuration", "outlierThreshold", "dryRun", "nodes", "memoryPerTask", "memoryPerNode", "tasksPerNode", "repetitions", "multiFile", "interTestDelay", "fsync", "fsyncperwrite", "useExistingTestFile", "uniqueDir", "singleXferAttempt", "readFile", "writeFile", "filePerProc", "reorderTasks", "reorderTasksRandom", "reorderTasksRandomSeed", "randomOffset", "checkWrite", "checkRead", "dataPacketType", "keepFile", "keepFileWithError", "warningAsErrors", "verbose", "data packet type", "setTimeStampSignature/incompressibleSeed", "collective", "segmentCount", "transferSize", "blockSize"'
expect_json "$out" "sorted({$keys} - set(r[\"tests\"][0][\"Parameters\"]))" '[]'
expect_json "$out" '[r["tests"][0]["Parameters"][k] for k in ("blockSize", "transferSize", "segmentCount", "repetitions", "refnum", "writeFile", "readFile", "api")]' \
    '[16384, 4096, 2, 2, 7, 1, 1, "POSIX"]'
expect_json "$out" '[r["tests"][0]["Options"][k] for k in ("xfersize", "blocksize", "aggregate filesize", "access")]' \
    '["4096 bytes", "16384 bytes", "65536 bytes", "single-shared-file"]'
expect_json "$out" 'sorted(set(r["tests"][0]["max"]))' \
    '["readMB", "readMiB", "writeMB", "writeMiB"]'
expect_json "$out" '[x["operation"] for x in r["summary"]]' '["write", "read"]'
keys='"operation", "API", "TestID", "ReferenceNumber", "segmentCount", "blockSize", "transferSize", "numTasks", "tasksPerNode", "repetitions", "filePerProc", "reorderTasks", "taskPerNodeOffset", "reorderTasksRandom", "reorderTasksRandomSeed", "bwMaxMIB", "bwMinMIB", "bwMeanMIB", "bwStdMIB", "OPsMax", "OPsMin", "OPsMean", "OPsSD", "MeanTime", "xsizeMiB"'
expect_json "$out" "sorted({$keys} - set(r[\"summary\"][0]))" '[]'
expect_json "$out" 'r["summary"][0]["bwMinMIB"] <= r["summary"][0]["bwMeanMIB"] <= r["summary"][0]["bwMaxMIB"]' \
    true
expect_json "$out" '[r["summary"][0][k] for k in ("numTasks", "tasksPerNode", "repetitions", "ReferenceNumber")]' \
    '[2, 2, 2, 7]'
for type in t o i r; do
    works 1 - -w -a DUMMY -l $type "${small[@]}" -o "$f" -O summaryFormat=JSON
    expect_json "$out" 'r["tests"][0]["Parameters"]["data packet type"]' $type
done

part "two tests in one object"
printf '%s\n' "IOR START" "api=DUMMY" "testFile=$f" "RUN" "segmentCount=2" "RUN" \
    >"$TEST_DIR/script"
works 2 - -f "$TEST_DIR/script" -O summaryFormat=JSON
valid_json "$out" || true
expect_json "$out" '[t["TestID"] for t in r["tests"]], len(r["summary"])' '[[0, 1], 4]'

# --- summaryFormat=CSV -------------------------------------------------------------

part "CSV"
for verbose in "" -vvv; do
    read -ra words <<<"$verbose"
    truncate -s 1m "$f" # so that there is a warning
    works 2 - "${words[@]}" -w -r -i 2 -k "${small[@]}" -o "$f" -O summaryFormat=CSV
    csv_columns "$out"
    expect_equal "header" \
        'access,bw(MiB/s),IOPS,Latency,block(KiB),xfer(KiB),open(s),wr/rd(s),close(s),total(s),numTasks,iter' \
        "$(head -n 1 "$out")" || true
    expect_equal "lines" "write 2 0, read 2 0, write 2 1, read 2 1" \
        "$(tail -n +2 "$out" | awk -F, '{ print $1, $11, $12 }' | xargs -d '\n' |
            sed -E 's/([01]) ([rw])/\1, \2/g')" || true
done
run 1 - -w -a DUMMY -o "$f" -O summaryFormat=XML
refused "a format that there is not" 'summaryFormat' || true

# --- summaryFile -------------------------------------------------------------------

part "the summary goes to a file, and logs stay out of it"
for format in JSON CSV default; do
    rm -f "$TEST_DIR/summary"
    truncate -s 1m "$f"
    works 2 - -vv -w -r -k "${small[@]}" -o "$f" -O summaryFormat=$format \
        -O summaryFile="$TEST_DIR/summary"
    says "$TEST_DIR/summary" "the notice" || true
    case $format in
    JSON) valid_json "$TEST_DIR/summary" || true ;;
    CSV)
        csv_columns "$TEST_DIR/summary"
        expect_equal "lines" 3 "$(wc -l <"$TEST_DIR/summary")" || true
        ;;
    default)
        if ! grep -q '^write ' "$TEST_DIR/summary"; then
            bad "no row in the summary file"
        fi
        ;;
    esac
    expect_no_line '^write +[0-9.]+ ' "rows on standard output" || true
done
refuse 2 "$TEST_DIR/no/summary" -w "${small[@]}" -o "$f" \
    -O summaryFile="$TEST_DIR/no/summary"

# --- rows of ranks -----------------------------------------------------------------

part "a line of each rank and phase"
ranks=$TEST_DIR/ranks.csv
echo before >"$ranks"
works 2 - -w -r -i 2 "${small[@]}" -o "$f" -O saveRankPerformanceDetailsCSV="$ranks"
csv_columns "$ranks"
expect_equal "header" \
    "access,rank,runtime-with-openclose,runtime,throughput-withopenclose,throughput" \
    "$(head -n 1 "$ranks" | cut -d, -f1-6)" || true
expect_equal "lines" "write 0 write 1 read 0 read 1 write 0 write 1 read 0 read 1" \
    "$(tail -n +2 "$ranks" | awk -F, '{ print $1, $2 }' | xargs)" || true
if ! tail -n +2 "$ranks" | awk -F, '
    $3 !~ /^[0-9]\.[0-9]+e[-+][0-9]+$/ || length($3) != 16 || $3 + 0 < $4 + 0 { bad = 1 }
    { a = $3 * $5; b = $4 * $6 }
    a < 32700 || a > 32836 || b < 32700 || b > 32836 { bad = 1 }
    END { exit bad }'; then
    bad "numbers of ranks: $(tail -n +2 "$ranks" | head -n 2)"
fi
refuse 2 "$TEST_DIR/no/ranks" -w "${small[@]}" -o "$f" \
    -O saveRankPerformanceDetailsCSV="$TEST_DIR/no/ranks"
run 2 - -w -t 0 -o "$f" -O saveRankPerformanceDetailsCSV="$ranks"
expect_status 2 || true
expect_equal "lines after a refusal" 9 "$(wc -l <"$ranks")" || true

# --- rows of operations --------------------------------------------------------------

part "a line of each operation, in files of phase, repetition and rank"
works 2 - -w -r -i 2 "${small[@]}" -o "$f" -O savePerOpDataCSV="$TEST_DIR/op"
expect_equal "files of two phases, repetitions and ranks" 8 \
    "$(find "$TEST_DIR" -name 'op*.csv' | wc -l)" || true
for phase in write read; do
    for rank in 0 1; do
        files=("$TEST_DIR"/op*"$phase"*0000"$rank".csv)
        expect_equal "lines of $phase of rank $rank" 16 \
            "$(cat "${files[@]}" | grep -c '^[0-9]')" || true
        for file in "${files[@]}"; do
            csv_columns "$file"
            expect_equal "header of $file" time,runtime,tp \
                "$(head -n 1 "$file" | cut -d, -f1-3)" || true
            if ! awk -F, '$1 + 0 > 0 && ($2 * $3 < 4090 || $2 * $3 > 4100) {
                    exit 1
                }' "$file"; then
                bad "numbers of $file: $(sed -n 2p "$file")"
            fi
        done
    done
done
works 2 - -w -r --read-passes=3 "${small[@]}" -o "$f" \
    -O savePerOpDataCSV="$TEST_DIR/pass"
for name in read read-pass-2 read-pass-3; do
    expect_equal "lines of $name" 8 \
        "$(grep -c '^[0-9]' "$TEST_DIR/pass-0-$name-00001.csv")" || true
done
expect_equal "files of four phases and two ranks" 8 \
    "$(find "$TEST_DIR" -name 'pass*.csv' | wc -l)" || true
refuse 2 "$TEST_DIR/no/op" -w "${small[@]}" -o "$f" \
    -O savePerOpDataCSV="$TEST_DIR/no/op"

# --- the files of all commands ---------------------------------------------------------

part "--json is valid, says what it is, and leaves the text alone"
mkdir "$TEST_DIR/kept"
n=0
kept() { # ARGS...: a run whose result is kept
    rm -f "$json"
    run "$@" --json "$json"
    if [ -e "$json" ]; then
        n=$((n + 1))
        cp "$json" "$TEST_DIR/kept/$n.json"
    else
        bad_with_output "no result"
        echo '{}' >"$json"
    fi
}
kept 2 - -w -r -i 2 "${small[@]}" -o "$f" --label "a \"label\""
expect_status 0 || true
expect_rows "write 0, read 0, write 1, read 1" || true
verdict_last
expect_json "$json" 'r["kind"], r["run"]["label"]' '["ior", "a \"label\""]'
expect_json "$json" '[len(t["iterations"]) for t in r["tests"]]' '[2]'
expect_json "$json" '[p["bytes"] for p in phases if p["bytes"]]' \
    '[65536, 65536, 65536, 65536]'
expect_json "$json" 'all(abs(p["bandwidth_bytes_per_s"] * p["time_s"] / p["bytes"] - 1) < 1e-3 for p in phases if p["bytes"])' \
    true
expect_json "$json" '[p["operations"] for p in phases if p["bytes"]]' '[16, 16, 16, 16]'
expect_json "$json" 'r["verdict"]["text"]' \
    "$(tail -n 1 "$out" | sed 's/^verdict: //')"
expect_json "$json" 'r["mpi"]["ranks"], r["tests"][0]["tasks"]' '[2, 2]'
kept 2 - -w -r "${small[@]}" -o "$f" --percentiles --interval=0.01 -z
expect_status 0 || true
says 'p99' "percentiles" || true
expect_json "$json" 'all(sum(p["intervals"]["operations"]) == p["operations"] for p in phases if p["intervals"])' \
    true
expect_json "$json" 'any(p["intervals"] for p in phases)' true
kept 4 a:2,b:2 -F -C -w -r -W -R "${small[@]}" -o "$f"
expect_json "$json" 'r["mpi"]["nodes"]' 2
expect_json "$json" '[p["foreign_share"] for p in phases if p["bytes"]][-1]' 1.0
kept 2 - -a MMAP -w -r -k "${small[@]}" -o "$f" --as=ior-4.1
expect_json "$json" 'r["semantics"]' ior-4.1
kept 2 - -a MPIIO -c -w -r -D 5 "${small[@]}" -O stoneWallingWearOut=1 -o "$f"
kept 2 - -r -R -G 4 -k "${small[@]}" -o "$f"
kept 1 - -r "${small[@]}" -t 8k -b 1m -o "$f"
expect_status_in "1 2" "a file that is too short" || true
rm -f "$f"
kept 2 - --rwmix=50 -t 4k -b 64k -o "$f"
kept 2 - -w -r --read-passes=3 "${small[@]}" -o "$f"
expect_status 0 || true
expect_equal "rows of reads" 3 "$(sed -n '/^access  *bw/,/^Max/p' "$out" |
    grep -c '^read ')" || true
kept 2 - -f "$TEST_DIR/script"
expect_json "$json" 'len(r["tests"])' 2
kept 1 - -vvvvv -w "${small[@]}" -o "$f" -O summaryFormat=JSON
valid_json "$out" || true
# Numbers are numbers, and the file system has a size.
kept 1 - -w -t 4k -b 64k -D 0.5 -d 0 -l noise --compress=2 -M 1% -o "$f"
expect_json "$json" '[r["options"][k] for k in ("blockSize", "transferSize", "deadlineForStonewalling", "interTestDelay", "compress", "memoryPerNode", "progress", "interval")]' \
    '[65536, 4096, 0.5, 0, 2, "1%", "auto", 0]'
expect_json "$json" '[type(r["filesystem"][k]).__name__ for k in ("size_bytes", "used_bytes")]' \
    '["int", "int"]'
expect_json "$json" 'r["tests"][0]["items_per_task"]' 16
# A run that took its seeds from the clock can be repeated.
for words in "" "-F"; do
    read -ra given <<<"$words"
    rm -f "$f"*
    kept 2 - -w -k -z -i 2 "${given[@]}" "${small[@]}" -o "$f" --trace="$trace"
    seed=$(header 'data seed (-G)' | sed 's/,.*//')
    order=$(header random-offset-seed)
    expect_header 'data seed (-G)' "$seed, one more in each repetition" || true
    expect_json "$json" '[p["data_seed"] for p in phases]' "[$seed, $((seed + 1))]"
    expect_json "$json" '[p["random_offset_seed"] for p in phases]' "[$order, $order]"
    first=$(offsets 1 write)
    sum=$(cat "$f"* | cksum)
    rm -f "$f"*
    works 2 - -w -k -z -i 2 "${given[@]}" "${small[@]}" -o "$f" \
        --trace="$trace" -G $((seed + 1)) --random-offset-seed="$order"
    expect_header 'data seed (-G)' "" || true
    expect_header random-offset-seed "" || true
    expect_equal "offsets" "$first" "$(offsets 1 write)" || true
    expect_equal "data" "$sum" "$(cat "$f"* | cksum)" || true
done
rm -f "$f"*
kept 1 - -w -k -G 5 "${small[@]}" -o "$f"
expect_json "$json" '[(p["data_seed"], p["random_offset_seed"]) for p in phases]' \
    '[[5, null]]'
kept 1 - -r -k "${small[@]}" -o "$f"
expect_json "$json" 'by["read"]["data_seed"]' null
expect_header 'data seed (-G)' "" || true
rm -f "$f"*
if ! /usr/bin/python3 "$here/validate.py" "$schema" "$TEST_DIR"/kept/*.json \
    >"$TEST_DIR/why" 2>&1; then
    bad "results are not valid: $(head -n 5 "$TEST_DIR/why")"
fi
works 1 - -w "${small[@]}" -o "$f" --json=- -O summaryFile="$TEST_DIR/summary"
valid_json "$out" || true
refuse 2 'json' -w "${small[@]}" -o "$f" --json "$TEST_DIR/no/run.json"

part "--csv has a line of each phase and is added to"
works 2 - -w -r "${small[@]}" -o "$f" --csv "$csv"
lines=$(wc -l <"$csv")
works 2 - -w -r "${small[@]}" -o "$f" --csv "$csv"
csv_columns "$csv"
if [ "$(head -n 1 "$csv" | grep -Eo '(^|,)(test|data_seed|random_offset_seed)(,|$)' |
    wc -l)" -lt 2 ]; then
    bad "no columns of test and seeds: $(head -n 1 "$csv")"
fi
expect_equal "lines of the second run" $((lines - 1)) $(($(wc -l <"$csv") - lines)) ||
    true
within "lines" 3 7 "$lines" || true
echo "other,columns" >"$TEST_DIR/other.csv"
refuse 2 'csv' -w "${small[@]}" -o "$f" --csv "$TEST_DIR/other.csv"

part "progress"
works 2 - -a DUMMY -w -t 1k -b 100k --dummy.delay-xfer=10000 -o "$f" --progress=0.3
if ! grep -q . "$err"; then
    bad_with_output "no line of progress"
fi
expect_rows "write 0" || true

part "transfers over time"
every='^ior: (write|read|mixed) +operations in every ([0-9.]+) s:(( [0-9]+)+)$'
works 2 - -a DUMMY -w -r -t 1k -b 20k --dummy.delay-xfer=20000 -o "$f" \
    --interval=0.1 -v
expect_equal "lines" 2 "$(grep -Ec "$every" "$err")" || true
expect_equal "transfers in them" 80 "$(grep -E "$every" "$err" |
    sed 's/.*://' | tr ' ' '\n' | awk '{ n += $1 } END { print n }')" || true
works 1 - -a DUMMY --rwmix=50 -t 1k -b 20k -o "$f" --interval=0.1 -v
expect_equal "lines of a mix" 1 "$(grep -Ec "$every" "$err")" || true
works 1 - -a DUMMY -w -t 1k -b 20k -o "$f" --interval=0.1
warned -- '--interval: has no effect' "nobody looks" || true

# ask NP WHO: SIGUSR1 in the middle of a read, to the launcher or to a rank.
ask() {
    local np=$1 who=$2 child i
    local -a ranks slow
    slow=(-a DUMMY -w -r -t 1k -b 500k --dummy.delay-xfer=2000 -o "$f")
    last_run="ior ${slow[*]} [np $np] and SIGUSR1 to $who"
    "$MPIEXEC" -n "$np" "$ior" "${slow[@]}" </dev/null >"$out" 2>"$err" &
    child=$!
    for ((i = 0; i < 200; i++)); do
        ! grep -q "^write " "$out" || break
        sleep 0.05
    done
    sleep 0.2
    if [ "$who" = launcher ]; then
        kill -USR1 "$child"
    else
        mapfile -t ranks < <(pgrep -f -- "^$ior ${slow[*]}")
        expect_equal "ranks" "$np" "${#ranks[@]}" || true
        kill -USR1 "${ranks[$who]}"
    fi
    status=0
    wait "$child" || status=$?
    expect_status 0 || true
    expect_equal "reports" 1 \
        "$(grep -c "^-- partial report: repetition 1 of 1, $np tasks --" "$err")" ||
        true
    expect_equal "tables in it" 1 "$(grep -c '^Operation ' "$err")" || true
    expect_equal "tables in the end" 1 "$(grep -c '^Operation ' "$out")" || true
    expect_equal "a phase to come" NA \
        "$(awk '/^read / { print $2 }' "$err")" || true
    within "a phase that is over" 0.1 1e9 \
        "$(awk '/^write / { print $2 }' "$err")" || true
    if ! grep -Eq "^ior: read, iteration 1 of 1: [0-9]+ of $((np * 500)) " \
        "$err"; then
        bad_with_output "the report does not say how far the phase is"
    fi
}
part "a report that SIGUSR1 asks for"
ask 2 launcher
ask 2 1
part "hints of MPI-IO are shown, from a file or the environment"
echo "cb_nodes=1" >"$TEST_DIR/hints"
works 2 - -a MPIIO -w "${small[@]}" -o "$f" --mpiio.showHints -U "$TEST_DIR/hints"
says 'cb_nodes *[=:] *1' "a hint of a file" || true
IOR_HINT__MPI__romio_cb_write=disable \
    works 2 - -a MPIIO -w "${small[@]}" -o "$f" --mpiio.showHints
says 'romio_cb_write *[=:] *disable' "a hint of the environment" || true

part "summaryAlways and tests in the wide table"
works 1 - -f "$TEST_DIR/script" -v -O summaryAlways=1
expect_rows "write 0, read 0, remove 0, write 0, read 0, remove 0" || true
finish
