#!/bin/bash
# The suite: its files, what it counts, what it refuses.
set -eu
# shellcheck source=tests/e2e/lib.bash
source "$(dirname "$0")/lib.bash"
# shellcheck source=tests/e2e/io500.bash
source "$(dirname "$0")/io500.bash"

root=$here/../..
ini=$TEST_DIR/x.ini

python_ok() {
    command -v python3 >/dev/null
}

# What python's configparser reads, and both patterns of those who collect
# results.
readers() {
    python3 - "$results" <<'END'
import configparser
import json
import re
import sys

parsed = configparser.ConfigParser()
parsed.read(sys.argv[1] + "/result.txt")
assert parsed["find"]["found"] and float(parsed["SCORE"]["MD"]) > 0
assert float(parsed["ior-easy-write"]["score"]) > 0
phase = re.compile(r"^\[[^]]*\]\s+(\S+)\s+(\S+)\s+(\S+)\s*:\s*time\s+(\S+)\s+"
                   r"seconds")
total = re.compile(r"^\[[^]]*\]\s*Bandwidth\s+(\S+)\s+(\S+)\s*:\s*IOPS\s+(\S+)"
                   r"\s+(\S+)\s*:\s*TOTAL\s+(\S+)")
lines = open(sys.argv[1] + "/result_summary.txt").read().split("\n")
phases = [m for m in map(phase.match, lines) if m]
totals = [m for m in map(total.match, lines) if m]
assert len(phases) == 14, len(phases)
assert len(totals) == 1, len(totals)
for m in phases:
    assert float(m[2]) >= 0 and float(m[4]) >= 0
    assert m[3] == ("GiB/s" if m[1].startswith("i") else "kIOPS"), m[0]
# Each phase but that of a single file has latencies and rates over time.
for p in json.load(open(sys.argv[1] + "/result.json"))["tests"][0][
        "iterations"][0]["phases"]:
    if p["name"] != "timestamp":
        assert p["latency_ns"]["max"] >= p["latency_ns"]["p50"] > 0, p["name"]
        assert sum(p["intervals"]["operations"]) > 0, p["name"]
END
}

title='whole runs'
for on in 1:- 2:- 4:- 4:a:2,b:2; do
    np=${on%%:*}
    hosts=${on#*:}
    forget
    write_ini "$ini"
    suite "$np" "$hosts" "$ini"
    expect_status 4 'complete, and invalid'
    expect_complete
    expect_equal 'files found' "$(names_with_01 "$np" 140)" "$(told found find)"
    for file in config-orig.ini config.ini timestampfile find.csv find.txt; do
        [ -e "$results/$file" ] || bad "no $file"
    done
    for phase in $phases; do
        case $phase in
        timestamp | find) ;;
        *)
            [ -s "$results/$phase.txt" ] || bad "no $phase.txt"
            [ -s "$results/$phase.csv" ] || bad "no $phase.csv"
            ;;
        esac
    done
    expect_same_file 'the ini file as it was' "$ini" "$results/config-orig.ini"
    expect_equal 'rows of find.csv' "$((np + 2))" "$(wc -l <"$results/find.csv")"
    expect_equal 'of found files there' "$(told found find)" \
        "$(awk -F, 'NR > 2 { n += $4 } END { print n }' "$results/find.csv")"
    ls "$results"/*.stonewall >/dev/null 2>&1 && bad 'counts of phases stay'
    if python_ok; then
        readers || bad 'readers of the original cannot read it'
    fi
    suite 1 - "$ini" --verify "$results/result.txt"
    expect_status 4 'it agrees, and is invalid'
    suite 1 - "$results/config.ini" --verify "$results/result.txt"
    expect_status 4 'config.ini has the same hash'
done
grep -q 'SAME_NODE_READ' "$results/result.txt" ||
    bad 'on two nodes the third neighbour is the own node, again'
grep -A3 '^\[mdtest-easy-stat\]' "$results/result_summary.txt" |
    grep -q SAME_NODE && bad 'the next one is not'
if python_ok && python3 -c 'import jsonschema' 2>/dev/null; then
    python3 "$here/validate.py" "$root/tests/results.schema.json" \
        "$results/result.json" || bad 'result.json is not by the schema'
fi

title='a page'
suite 1 - --report "$results"
expect_status 0
grep -q '</html>' "$results/report.html" || bad 'report.html has no end'
grep -Eq 'https?://|<script|<link' "$results/report.html" &&
    bad 'report.html needs others'
expect_equal 'plots' 14 "$(grep -c '</svg>' "$results/report.html")"
sed 's|"path": *"[^"]*"|"path": "<b>\&amp"|' "$results/result.json" \
    >"$TEST_DIR/odd"
mkdir -p "$TEST_DIR/other"
mv "$TEST_DIR/odd" "$TEST_DIR/other/result.json"
suite 1 - --report "$TEST_DIR/other"
expect_status 0
grep -q '&lt;b&gt;&amp;amp' "$TEST_DIR/other/report.html" ||
    bad 'text is not escaped'
for text in '' '{' '[]' '{"io500": 3}' '{"io500": {"phases": [1, {}, null]}}'; do
    printf '%s' "$text" >"$TEST_DIR/other/result.json"
    suite 1 - --report "$TEST_DIR/other"
    case $text in
    *null*) expect_status 0 'what is missing is left out' ;;
    *) refused "result.json: $text" '--report: ' ;;
    esac
done
suite 1 - --report "$TEST_DIR/nowhere"
refused 'no directory' 'nowhere'

title='earlier results and leftovers'
suite 2 - "$ini"
refused 'results are not written over' 'holds results already'
rm -rf "$results"
suite 2 - "$ini" --phase=ior-easy-write,mdtest-hard-write
expect_status 4 'phases alone'
grep -q PHASES_LEFT_OUT "$results/result.txt" || bad 'it does not say so'
rm -rf "$results"
suite 2 - "$ini"
refused 'leftovers' 'holds data of an earlier run.*--cleanup'
suite 1 - "$ini" --cleanup
expect_status 0 'by one rank, what two have written'
expect_empty_dir 'nothing stays' "$data"

title='the extended mode'
forget
write_ini "$ini" mdworkbench precreatePerSet 20 mdworkbench filesPerProc 30
suite 2 - "$ini" --mode=extended
expect_status 4
expect_equal 'both scores' 2 \
    "$(grep -c '^\[SCORE' "$results/result_summary.txt")"
for file in find-easy.csv find-hard.csv mdworkbench-create.txt \
    mdworkbench-bench.txt mdworkbench-delete.txt mdworkbench-size \
    mdworkbench.status; do
    [ -e "$results/$file" ] || bad "no $file"
done
[ -n "$(told scoreIteration0 mdworkbench-bench)" ] || bad 'no first round'
expect_empty_dir 'nothing stays' "$data"
suite 1 - "$ini" --verify "$results/result.txt"
expect_status 4

title='reading lists back'
for option in --list -l --list-mandatory -lm; do
    suite 1 - "$option"
    expect_status 0
    cp "$out" "$TEST_DIR/list.ini"
    suite 1 - "$TEST_DIR/list.ini" --config-hash
    expect_status 0 "$option is an ini file"
    expect_line '^config-hash     = [0-9A-F]+$' "$option"
done
suite 1 - --list
while read -r key; do
    grep -Eq "^\.It Va $key( |\$)" "$root/man/treemark-io500.1" ||
        bad "the manual page has no $key"
done < <(sed -nE 's/^([A-Za-z-]+) = .*/\1/p' "$out" | sort -u)

title='verdicts'
sample=$root/tests/data/io500
suite 1 - "$sample/config-orig.ini" --verify "$sample/result.txt"
expect_status 4 'the original agrees'
expect_line '^\[OK\] But this is an invalid run' 'and says so'
tampered=$TEST_DIR/tampered
mkdir -p "$tampered"
# shellcheck disable=SC2016 # $d is the end of a file
for change in 's/^score .*= 6.6/score = 7.6/' 's/ \[INVALID\]//' \
    's/^MD .*/MD = 1.0/' 's/^config-hash.*/config-hash = 1/' \
    '/^\[SCORE\]/,$d' '/^hash/d' 's/^hash.*/hash = x/' '5s/.*/nonsense/'; do
    sed "$change" "$sample/result.txt" >"$tampered/result.txt"
    suite 1 - "$sample/config-orig.ini" --verify "$tampered/result.txt"
    expect_status 1 "tampered by $change"
    expect_line '^ERROR' "$change"
done
cp "$sample/result.txt" "$tampered"
sed 's/16.429201/17.429201/' "$sample/result_summary.txt" \
    >"$tampered/result_summary.txt"
suite 1 - "$sample/config-orig.ini" --verify "$tampered/result.txt"
expect_status 1 'another summary'
: >"$tampered/empty"
suite 1 - "$ini" --verify "$tampered/empty"
expect_status 1 'an empty result'
suite 1 - "$ini" --verify "$tampered/none"
refused 'no such result' 'none: No such file'

# odd WHAT REGEX TEXT: an ini file with that text is refused.
odd() {
    printf '%b' "$3" >"$TEST_DIR/odd.ini"
    forget
    suite 2 - "$TEST_DIR/odd.ini"
    refused "$1" "$2"
    if [ -e "$data" ] || [ -e "$results" ]; then
        bad "$1: something was made"
    fi
}

title='odd input'
odd 'a section' 'odd.ini:1: .*ior-esy.*ior-easy' '[ior-esy]\n'
odd 'a key' 'odd.ini:2: .*blocksiz.*blockSize' '[ior-easy]\nblocksiz = 1\n'
odd 'no section' 'odd.ini:1: ' 'run = TRUE\n'
odd 'other text' 'odd.ini:2: ' '[global]\nhello\n'
odd 'a value' 'odd.ini:2: ' '[mdtest-easy]\nn = 5k\n'
odd 'a truth' 'odd.ini:2: ' '[global]\nscc = maybe\n'
odd 'an API' 'API = NONE' "[ior-easy]\nAPI = NONE\n"
odd 'all APIs' 'API = X' "[global]\napi = X\n"
odd 'sizes' 'blockSize = 3m' '[ior-easy]\nblockSize = 3m\n'
odd 'no size' 'blockSize = big' '[ior-easy]\nblockSize = big\n'
odd 'a script' 'external-script = /none' '[find]\nexternal-script = /none\n'
odd 'processes' 'nproc = 3' '[find]\nnproc = 3\n'
odd 'half of two keys' 'go together' '[mdworkbench]\nfilesPerProc = 3\n'
odd 'an unwritable datadir' 'datadir: making /proc/none' \
    '[global]\ndatadir = /proc/none\n'
odd 'an unwritable resultdir' 'resultdir: making /proc/none' \
    "[global]\ndatadir = $TEST_DIR/d\nresultdir = /proc/none\n"
rm -rf "$TEST_DIR/d"
write_ini "$ini" global drop-caches TRUE global drop-caches-cmd false
suite 1 - "$ini"
expect_status 2 'caches cannot be dropped'
grep -q 'drop-caches-cmd fails' "$err" || bad_with_output 'it is not said'
forget
for args in '' "$TEST_DIR/none.ini" '--nonsense' "$ini --phase=none" \
    "$ini --timestamp=a/b" "$ini --list --dry-run" '--dry-run' \
    "$ini --mode=other"; do
    # shellcheck disable=SC2086 # words
    suite 1 - $args
    case $args in
    '') expect_status 0 'help' ;;
    *) refused "$args" '.' ;;
    esac
done
: >"$TEST_DIR/empty.ini"
suite 1 - "$TEST_DIR/empty.ini" --dry-run
expect_status 0 'an empty ini file has all defaults'
expect_line '^ior-easy-write +./ior ' 'it says the commands'
[ ! -e datafiles ] || bad 'a dry run has made something'

title='a script that searches'
cat >"$TEST_DIR/search" <<'END'
#!/bin/sh
n=$(find "$1" -name '*01*' -size 3901c | wc -l)
echo "MATCHED $n/$(find "$1" ! -type d | wc -l)"
exit "${SEARCH:-0}"
END
chmod +x "$TEST_DIR/search"
forget
write_ini "$ini" find external-script "$TEST_DIR/search" \
    find external-extra-args ' '
suite 2 - "$ini" --phase=timestamp,mdtest-hard-write,find
expect_status 4
expect_equal 'it found' "$(names_with_01 2 140)" "$(told found find)"
forget
SEARCH=3 suite 2 - "$ini" --phase=timestamp,mdtest-hard-write,find
expect_status 1 'a script that fails'
grep -q 'status 3 (FIND_FAILED)' "$results/result.txt" || bad 'it is not said'
forget

title='wrong data'
write_ini "$ini"
suite 2 - "$ini" --phase=mdtest-hard-write
damaged=$(find "$data" -name file.mdtest.1.7)
printf 'x' | dd of="$damaged" bs=1 seek=100 conv=notrunc status=none
suite 2 - "$ini" --resume
expect_status 1 'a phase has failures'
grep -q 'WRONG_DATA' "$results/result.txt" || bad 'wrong data is not said'
grep -Eq 'mdtest-hard-read .*\[INVALID\]' "$results/result_summary.txt" ||
    bad 'the phase is not invalid'
forget

finish
