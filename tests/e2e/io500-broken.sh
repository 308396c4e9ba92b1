#!/bin/bash
# The suite when it is killed before each phase, and gone on with.
set -eu
# shellcheck source=tests/e2e/lib.bash
source "$(dirname "$0")/lib.bash"
# shellcheck source=tests/e2e/io500.bash
source "$(dirname "$0")/io500.bash"

ini=$TEST_DIR/x.ini
pauses=$TEST_DIR/pauses
mkdir -p "$pauses"

# begin PHASE: in the background, up to the moment in which PHASE is to begin.
begin() {
    local i
    rm -f "$pauses"/*
    : >"$pauses/$1"
    last_run="treemark io500, held before $1"
    mpi 2 - timeout -k 5 120 "$treemark" io500 "$ini" "${@:2}" \
        >"$out" 2>"$err" &
    running=$!
    for ((i = 0; i < 400; i++)); do
        grep -qx "\[$1\]" "$results/result.txt" 2>/dev/null && return
        sleep 0.05
    done
    bad_with_output "it never came to $1"
}

write_ini "$ini" debug pause-dir "$pauses" mdworkbench precreatePerSet 10 \
    mdworkbench filesPerProc 10
title='killed before each phase, and gone on with'
for phase in $phases; do
    forget
    begin "$phase"
    end_all KILL
    [ "$phase" = ior-easy-write ] ||
        python3 -c 'import json, sys; json.load(open(sys.argv[1]))' \
            "$results/result.json" || bad "result.json, killed in $phase"
    rm -f "$pauses"/*
    suite 2 - "$ini" --resume
    expect_status 4 "resumed at $phase"
    expect_complete
    expect_equal "files found, resumed at $phase" \
        "$(names_with_01 2 140)" "$(told found find)"
    grep -q RESUMED "$results/result.txt" || bad 'it is not said'
    suite 1 - "$ini" --verify "$results/result.txt"
    expect_status 4 "verified, resumed at $phase"
done

finish
