#!/bin/bash
# The suite when it is killed inside of phases, interrupted, or a disk is full.
set -eu
# shellcheck source=tests/e2e/lib.bash
source "$(dirname "$0")/lib.bash"
# shellcheck source=tests/e2e/io500.bash
source "$(dirname "$0")/io500.bash"

ini=$TEST_DIR/x.ini

title='killed inside of phases'
write_ini "$ini" ior-easy blockSize 4g ior-hard segmentCount 100000 \
    mdtest-easy n 100000 mdtest-hard n 100000
for phase in ior-easy-write mdtest-easy-write ior-hard-write \
    mdtest-hard-write; do
    forget
    last_run="treemark io500, killed in $phase"
    mpi 2 - timeout -k 5 120 "$treemark" io500 "$ini" >"$out" 2>"$err" &
    running=$!
    for ((i = 0; i < 400; i++)); do
        grep -qx "\[$phase\]" "$results/result.txt" 2>/dev/null && break
        sleep 0.05
    done
    sleep 0.4
    end_all KILL
    suite 2 - "$ini" --resume
    expect_status 4 "resumed in $phase"
    expect_complete
done
forget
mpi 2 - timeout -k 5 120 "$treemark" io500 "$ini" >"$out" 2>"$err" &
running=$!
sleep 1
end_all KILL
suite 3 - "$ini" --cleanup
expect_status 0 'by three ranks, what two have written'
expect_empty_dir 'nothing stays' "$data"

title='interrupted'
write_ini "$ini" debug stonewall-time 20 ior-easy blockSize 1g \
    mdtest-easy n 100000000
for keep in '' --keep; do
    forget
    last_run="treemark io500 $keep, interrupted in mdtest-easy-write"
    # shellcheck disable=SC2086 # a word or none
    mpi 2 - timeout -k 5 120 "$treemark" io500 "$ini" $keep \
        >"$out" 2>"$err" &
    running=$!
    for ((i = 0; i < 400; i++)); do
        grep -qx '\[mdtest-easy-write\]' "$results/result.txt" 2>/dev/null &&
            break
        sleep 0.05
    done
    sleep 1
    end_all INT
    expect_status 130
    grep -q 'interrupted by signal 2 (INTERRUPTED)' "$results/result.txt" ||
        bad 'it is not said'
    grep -q '^\[SCORE \].*\[INVALID\]' "$results/result_summary.txt" ||
        bad 'the score is not marked'
    if [ -z "$keep" ]; then
        expect_empty_dir 'data is removed' "$data"
    else
        [ -e "$data/ior-easy/ior_file_easy.00000000" ] || bad 'data is gone'
    fi
done
forget

title='a full disk'
small=$TEST_DIR/small
mkdir -p "$small"
if mount -t tmpfs -o size=6m none "$small" 2>/dev/null; then
    trap 'umount "$small" 2>/dev/null || true' EXIT
    data=$small/data
    for key in 'ior-easy blockSize 16m' 'ior-hard segmentCount 1000' \
        'mdtest-hard n 4000'; do
        rm -rf "$results" "$data"
        # shellcheck disable=SC2086 # words
        write_ini "$ini" ior-easy blockSize 2m $key
        suite 2 - "$ini"
        expect_status 1 "$key"
        section=${key%% *}-write
        grep -Eq "$section .*\[INVALID\]" "$results/result_summary.txt" ||
            bad "$section is not marked"
        awk -v s="[$section]" '/^\[/ { here = $0 == s }
            here && /takes no more \(FAILED\)/ { found = 1 }
            END { exit !found }' "$results/result.txt" ||
            bad "$section does not say why"
        expect_complete
        suite 1 - "$ini" --verify "$results/result.txt"
        expect_status 4 'what there is agrees'
    done
    title='a full disk of results'
    umount "$small"
    mount -t tmpfs -o size=60k none "$small"
    data=$TEST_DIR/data
    results=$small/results
    write_ini "$ini"
    suite 2 - "$ini"
    expect_status_in '1 2'
    grep -q 'No space left' "$err" || bad_with_output 'it is not said'
    expect_empty_dir 'nothing stays' "$data"
    umount "$small"
    trap - EXIT
fi

finish
