#!/bin/bash
# What ends a run of ior before its time: each end is told of, in one line, and
# nothing is told that is not so.
set -eu
# shellcheck source=ior.bash
. "$(dirname "$0")/ior.bash"
small=(-t 4k -b 16k)

# once REGEX WHAT: exactly one line of both streams matches.
once() {
    expect_equal "lines that match $1" 1 \
        "$(cat "$out" "$err" | grep -Ec -- "$1")" || {
        bad_with_output "$2"
        return 0
    }
}

never() { # REGEX WHAT
    expect_no_line "$1" "$2" || true
}

ends='GAVE_UP|TIME_LIMIT'

part "no end, no line"
works 2 - -w -W -r -R -i 2 "${small[@]}" -o "$f" -T 60 --max-errors=1 -q
never "$ends" "a run that is whole"

part "-T between phases, and between repetitions"
works 2 - -a DUMMY --dummy.delay-xfer=100000 -w -r -i 3 -T 0.01 "${small[@]}" \
    -s 2 -o "$f"
expect_rows "write 0" || true
once 'WARNING: -T: .*before the read of repetition 0.*TIME_LIMIT' "-T"
works 2 - -a DUMMY --dummy.delay-xfer=100000 -w -i 3 -T 0.01 "${small[@]}" \
    -s 2 -o "$f"
expect_rows "write 0" || true
once 'WARNING: -T: .*before the write of repetition 1.*TIME_LIMIT' "-T"
works 2 - -a DUMMY --dummy.delay-xfer=100000 -w -T 0.01 "${small[@]}" -s 2 \
    -o "$f"
never "$ends" "nothing was left to do"

part "an error that lasts ends all that would follow"
run 2 - -a DUMMY -w -r -i 3 "${small[@]}" -o "$f" --dummy.fail=write:2:ENOSPC
expect_status 1 || true
expect_rows "write 0" || true
once 'WARNING: write of repetition 0: ended by ENOSPC.* not tried, and what' \
    "ENOSPC"
run 2 - -a DUMMY -w -i 3 "${small[@]}" -o "$f" --dummy.fail=write:2
once 'WARNING: write of repetition 0: ended by EIO.* not tried, and what' "EIO"
run 2 - -a DUMMY -w "${small[@]}" -o "$f" --dummy.fail=write:2
once 'WARNING: write of repetition 0: ended by EIO.* not tried \(' \
    "nothing would follow"

part "--max-errors, of any rank, together or not"
for rank in 0 1; do
    for more in "" "-c"; do
        run 2 - -a DUMMY -w -r $more -t 4k -b 400k -o "$f" --max-errors=3 \
            --dummy.fail-every=read:2:EACCES --dummy.fail-only-rank=$rank
        expect_status 1 "$rank $more" || true
        once 'read of repetition 0: ended by 3 failures.*--max-errors' \
            "rank $rank $more"
    done
done
run 2 - -a DUMMY -w -r -t 4k -b 400k -o "$f" --max-errors=0 \
    --dummy.fail-every=read:2:EACCES
never "$ends" "no limit"
run 1 - -a DUMMY -w -r -t 4k -b 8k -o "$f" --max-errors=1 \
    --dummy.fail=read:2:EACCES
never "$ends" "the last transfer was the first to fail"

part "-q"
works 2 - -w -k -G 5 -t 4k -b 64k -o "$f"
flip "$f" $((64 * 1024 + 9))
run 2 - -r -R -q -k -G 5 -t 4k -b 64k -o "$f"
expect_status 1 || true
once 'read of repetition 0: ended by wrong data \(-q\): 15 transfers' "-q"
run 2 - -r -R -q -c -k -G 5 -t 4k -b 64k -o "$f"
expect_status 1 || true
once 'read of repetition 0: ended by wrong data \(-q\): 30 transfers' "-q -c"

part "a deadline that was not reached is not the cause"
works 2 - -w -k "${small[@]}" -s 2 -o "$f"
run 2 - -r -k "${small[@]}" -o "$f" -D 100
says 'INFO: Expected aggregate' "a longer file" || true
never 'deadlineForStonewalling' "-D 100"
run 2 - -a DUMMY -w -t 4k -b 4m -o "$f" -D 0.2 --dummy.delay-xfer=1000
says 'Maybe caused by deadlineForStonewalling' "-D 0.2" || true
rm "$f"

part "a status file with less than the plan"
works 2 - -w -k "${small[@]}" -o "$f"
printf 2 >"$TEST_DIR/status"
works 2 - -r -k "${small[@]}" -o "$f" -O stoneWallingStatusFile="$TEST_DIR/status"
once "$TEST_DIR/status: of 4 transfers of each task 2 are read" "status"
printf 4 >"$TEST_DIR/status"
works 2 - -r -k "${small[@]}" -o "$f" -O stoneWallingStatusFile="$TEST_DIR/status"
never "of each task" "as many as planned"
finish
