#!/bin/bash
# -D and what belongs to it: wear-out, the status file that carries the count
# of a write to a read, the least time, and -T.
set -eu
# shellcheck source=ior.bash
. "$(dirname "$0")/ior.bash"
stonewall=$TEST_DIR/count
wear=(-O stoneWallingWearOut=1)
# Each transfer takes 10 ms.
slow=(-a DUMMY --dummy.delay-xfer=10000 -o "$f")

# wear_line FIELD: min or max of the line that tells of wearing out.
wear_line() {
    sed -n "s/^stonewalling pairs accessed .*\\b$1: \\([0-9]*\\) .*/\\1/p" \
        "$out" | head -n 1
}

# operations NAME: of a phase of the last run, which had --json.
operations() {
    get "$json" "by[\"$1\"][\"operations\"]"
}

part "a limit of time stops between transfers"
works 1 - "${slow[@]}" -w -D 0.3 -t 1k -b 1000k
within "transfers of 10 ms in 0.3 s" 15 32 "$(moved write)" || true
within "seconds" 0.3 0.8 "$(result write 8)" || true
expect_line '^stonewallingTime *: 0\.3' "the header" || true
expect_equal "stonewall in the table" NA "$(wide write 12)" || true
works 1 - "${slow[@]}" -w -D 0.000001 -t 1k -b 1000k
expect_equal "at least one transfer" 1 "$(moved write)" || true
part "one that is not reached changes nothing"
works 2 - -w -r -k -D 20 "${wear[@]}" -t 1k -b 64k -o "$f" --json "$json"
expect_equal "size" 131072 "$(stat -c %s "$f")" || true
expect_equal "transfers" 128 "$(operations read)" || true

part "in one run the read is of what was written"
works 2 - -w -r -R -D 0.2 -O interIODelay=10000 -t 1k -b 1000k -o "$f"
within "written" 20 44 "$(moved write)" || true
# Its own limit may end it sooner.
within "read" 10 "$(moved write)" "$(moved read)" || true
expect_empty_dir "after it" "$base" || true
works 2 - -w -r -W -R -D 0.2 "${wear[@]}" -O interIODelay=10000 -t 1k \
    -b 1000k -i 2 -o "$f"
expect_rows "write 0, read 0, write 1, read 1" || true

part "wearing out: all do as many as the fastest"
works 2 - "${slow[@]}" -v --dummy.delay-only-rank0 -w -D 0.2 "${wear[@]}" \
    -t 1k -b 60k
expect_equal "max" 60 "$(wear_line max)" || true
within "min" 10 22 "$(wear_line min)" || true
expect_line '^stonewalling pairs accessed min: [0-9]+ max: 60 -- min data: [0-9.]+ GiB mean data: [0-9.]+ GiB time: [0-9.]+s$' \
    "the line" || true
expect_equal "transfers" 120 "$(moved write)" || true
within "seconds of 60 transfers" 0.59 1.5 "$(result write 8)" || true
expect_line '^[01]: stonewalling pairs accessed: [0-9]+' "each rank at -v" || true
expect_line '^stoneWallingWearOut *: 1' "the header" || true
within "the stonewall in the table" 0.19 0.6 "$(wide write 11)" || true
part "without it each stops by itself"
works 2 - "${slow[@]}" --dummy.delay-only-rank0 -w -D 0.2 -t 1k -b 60k
within "transfers" 70 82 "$(moved write)" || true
part "random order and collective calls wear out, too"
for options in "-z" "-z -F" "-a MPIIO -c" "-a MPIIO" "-a MMAP" "-c" "-zz -F"; do
    read -ra words <<<"$options"
    works 2 - "${words[@]}" -w -k -D 0.1 "${wear[@]}" -O interIODelay=10000 \
        -t 1k -b 200k -o "$f" -O stoneWallingStatusFile="$stonewall"
    within "count with $options" 3 22 "$(cat "$stonewall")" || true
    close_to "transfers with $options" $((2 * $(cat "$stonewall"))) \
        "$(moved write)" 2 || true
    rm -f "$f"* "$stonewall"
done

part "the status file carries the count to the read"
works 2 - -w -k -G 8 -D 0.2 "${wear[@]}" -O interIODelay=10000 -t 1k -b 1000k \
    -o "$f" -O stoneWallingStatusFile="$stonewall"
count=$(cat "$stonewall")
within "count" 10 30 "$count" || true
expect_equal "bytes of the file: digits alone" "${#count}" \
    "$(stat -c %s "$stonewall")" || true
expect_equal "size of the data" $(((1000 + count) * 1024)) "$(stat -c %s "$f")" ||
    true
for options in "-r -R" "-r -R -D 30 -O stoneWallingWearOut=1" "-R -C"; do
    read -ra words <<<"$options"
    works 2 - "${words[@]}" -k -G 8 -t 1k -b 1000k -o "$f" --trace="$trace" \
        -O stoneWallingStatusFile="$stonewall" --json "$json"
    expect_equal "transfers of $options" $((2 * count)) "$(operations read)" || true
    for rank in 0 1; do
        expect_equal "reads of rank $rank" "$count" \
            "$(offsets $rank read | wc -w)" || true
    done
    expect_equal "the status file after $options" "$count" "$(cat "$stonewall")" ||
        true
done
part "a count that was there is written anew"
echo 999999 >"$stonewall"
works 2 - -w -k -D 30 "${wear[@]}" -t 1k -b 48k -o "$f" \
    -O stoneWallingStatusFile="$stonewall"
expect_equal "count of a write that was not stopped" 48 "$(cat "$stonewall")" || true
part "the vector of 2048"
works 1 - -w -k -D 30 "${wear[@]}" -t 512 -b 1m -o "$f" \
    -O stoneWallingStatusFile="$stonewall"
expect_equal "bytes" "32303438" "$(od -An -v -tx1 "$stonewall" | tr -d ' \n')" ||
    true

part "a status file that is none ends in a warning"
works 2 - -w -k -G 8 -t 1k -b 16k -o "$f"
for text in "" "abc" "-5" "99999999999999999999" "0" "x12" $'\n'; do
    printf '%s' "$text" >"$stonewall"
    run 2 - -r -k -G 8 -t 1k -b 16k -o "$f" --json "$json" \
        -O stoneWallingStatusFile="$stonewall"
    expect_status_in "0 2" "the status file holds '$text'" || true
    says 'count|[Ss]tatus|[Ss]tonewall|stoneWalling' "'$text' is told of" || true
    if ! cmp -s "$stonewall" <(printf '%s' "$text"); then
        bad "a read changed a status file of '$text'"
    fi
    if [ "$status" -eq 0 ]; then
        expect_equal "transfers" 32 "$(operations read)" || true
    fi
done
rm "$stonewall"
run 2 - -r -k -t 1k -b 16k -o "$f" -O stoneWallingStatusFile="$stonewall" \
    --json "$json"
expect_status 0 "no status file" || true
warned "[Ss]tatus|[Ss]toneWalling|[Ss]tonewall|$stonewall" "none is there" || true
expect_equal "transfers" 32 "$(operations read)" || true
expect_gone "a read makes no status file" "$stonewall" || true

part "what does not go together is refused"
refuse 2 'stoneWallingStatusFile|-k' -w -D 1 "${wear[@]}" -o "$f" \
    -O stoneWallingStatusFile="$stonewall"
refuse 2 'stoneWallingWearOut|stoneWallingStatusFile' -w -k -D 1 -o "$f" \
    -O stoneWallingStatusFile="$stonewall"
refuse 2 'stoneWallingStatusFile' -w -k -D 1 "${wear[@]}" -t 1k -b 1k -o "$f" \
    -O stoneWallingStatusFile="$TEST_DIR/no/count"
expect_gone "the status file of what was refused" "$stonewall" || true

part "a least time"
works 1 - "${slow[@]}" -w -O minTimeDuration=1 -t 1k -b 10k
within "seconds" 1 1.5 "$(result write 8)" || true
within "transfers" 60 110 "$(moved write)" || true
expect_no_line 'nan|inf' "" || true
works 1 - "${slow[@]}" -w -O minTimeDuration=1 -D 0.3 -t 1k -b 1000k
within "seconds of the longer of both" 1 1.5 "$(result write 8)" || true
within "transfers, none of them idle" 60 102 "$(moved write)" || true
works 2 - -w -r -k -O minTimeDuration=1 -O interIODelay=2000 -t 1k -b 8k -o "$f"
expect_equal "size" 16384 "$(stat -c %s "$f")" || true
close_to "seconds of sleep and more" 1.02 "$(result read 8)" 10 || true

part "-T starts no phase after its time"
run 1 - "${slow[@]}" -w -r -i 50 -T 0.01 -t 1k -b 20k
expect_status_in "0 2" || true
if [ "$status" -eq 0 ]; then
    within "rows" 2 7 "$(results | wc -l)" || true
    expect_no_line '\bnan\b|\binf\b' "" || true
    verdict_last
else
    says '-T' "the option" || true
fi
works 1 - -w -r -T 1 -t 1k -b 4k -o "$f"
expect_rows "write 0, read 0" || true

part "-D takes parts of seconds and no sizes"
run 1 - "${slow[@]}" -w -D 1m -t 1k -b 1k
expect_status_in "0 2" "a minute, or nonsense" || true
refuse 1 '-D' -w -D -1 -o "$f"
refuse 1 '-D' -w -D abc -o "$f"
works 1 - "${slow[@]}" -w -D 0.25 -t 1k -b 1000k
within "seconds" 0.25 0.7 "$(result write 8)" || true
finish
