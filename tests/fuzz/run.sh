#!/bin/bash
# Run the fuzz targets on so many inputs, half as many for expressions of find
# and a tenth as many for ior, the status file and import; the same ones each
# time, made from seeds and a dictionary.
#
#     tests/fuzz/run.sh DIR RUNS
#
# DIR holds the programs and gets, for each, a .corpus, a .log and, in .found,
# the input that it failed on.
set -eu

dir=$1
runs=$2
here=$(dirname "$0")

# One input a line: words of a command line ...
words()
{
    tr ' ' '\n' <<<"$1"
}

# ... or a text with \n in it.
text()
{
    printf '%b' "$1"
}

# fuzz NAME RUNS FORM: with NAME.seeds, whose lines are of that form.
fuzz()
{
    local program=$dir/fuzz_$1 runs=$2 form=$3
    local log=$program.log corpus=$program.corpus found=$program.found
    local n=0 line start=$SECONDS executions
    rm -rf "$corpus" "$found"
    mkdir -p "$corpus" "$found"
    while IFS= read -r line; do
        n=$((n + 1))
        "$form" "$line" >"$corpus/seed.$n"
    done <"$here/$1.seeds"
    if ! "$program" -runs="$runs" -seed=1 -max_len=512 -timeout=60 \
        -dict="$here/$1.dict" -print_final_stats=1 \
        -artifact_prefix="$found/" "$corpus" </dev/null >"$log" 2>&1; then
        grep -vE '^#[0-9]+\s+(NEW|REDUCE|pulse)' "$log" | tail -n 60
        echo "FAIL fuzz_$1: the input is in $found"
        exit 1
    fi
    executions=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
    [ "${executions:-0}" -ge "$runs" ] || {
        echo "FAIL fuzz_$1: ${executions:-0} of $runs inputs were run"
        exit 1
    }
    echo "ok   fuzz_$1: $executions inputs ($((SECONDS - start)) s)"
}

fuzz status $((runs / 10)) text
fuzz import $((runs / 10)) text
fuzz ior $((runs / 10)) text
fuzz match $((runs / 2)) words
fuzz mdtest "$runs" words
