#!/bin/bash
# What ior writes, byte for byte, by each engine, and what -W and -R make of
# bytes that are not as written.
set -eu
# shellcheck source=ior.bash
. "$(dirname "$0")/ior.bash"

# expect_pattern FILE TYPE SIGNATURE TASKS T B S [WRITER]
expect_pattern() {
    local file=$1
    shift
    /usr/bin/python3 "$here/ior_pattern.py" "$@" >"$TEST_DIR/pattern"
    if ! cmp "$TEST_DIR/pattern" "$file" >"$TEST_DIR/why" 2>&1; then
        bad "$file is no pattern of $*: $(cat "$TEST_DIR/why")"
    fi
}

# errors N read|write: the last run found so many, said them once and failed.
errors() {
    local times
    expect_status 1 "$1 errors" || true
    times=$(cat "$out" "$err" | grep -Ec "Incorrect data on $2 \\($1 errors? found\\)" ||
        true)
    if [ "$times" -ne 1 ]; then
        bad_with_output "$times lines tell of $1 errors on $2"
    fi
}

# at_word FILE OFFSET: file and offset of the first bad word are told.
at_word() {
    if ! cat "$out" "$err" | grep -F "$1" | grep -Eq "(^|[^0-9])$2([^0-9]|\$)"; then
        bad_with_output "the bad word at $2 of $1 is not told"
    fi
}

# --- the bytes ---------------------------------------------------------------

# Bytes of a file of two tasks, -G 1000 -t 8k -b 16k -s 2.
vectors="
0       3e8       0         0                0bfacae9fe2f03c5
8       3e9       3e9       6a2c1e2d7c5eb2d6 092d5a45bde36078
4088    5e7       5e7       6a2c1e2d7c5eb2d6 1eddff8d15c3c95f
4096    5e8       0         0                19ee350fbe08f92b
8192    3e8       2000      2000             0794fc7b57ffaa38
12288   5e8       4000      4000             1a90e2107ee06d87
16384   1000003e8 100004000 100004000        06e7dfdf7f1c223b
16392   1000003e9 1000003e9 0686a6ab5cbd3ab3 0dca3c6ddec60447
32768   3e8       8000      8000             01f0d137956e9d90
49152   1000003e8 10000c000 10000c000        1cdde62d165bbc06"
column=2
for type in t o i r; do
    part "pattern $type"
    works 2 - -w -k -G 1000 -t 8k -b 16k -s 2 -l $type -o "$f"
    expect_equal "size" 65536 "$(stat -c %s "$f")" || true
    while read -r offset want; do
        want=${want#"${want%%[!0]*}"}
        expect_equal "word at $offset" "${want:-0}" "$(word "$f" "$offset")" ||
            true
    done < <(awk -v c=$column 'NF { print $1, $c }' <<<"$vectors")
    expect_pattern "$f" $type 1000 2 8192 16384 2
    works 2 - -r -R -k -G 1000 -t 8k -b 16k -s 2 -l $type -o "$f"
    run 2 - -r -R -k -G 1001 -t 8k -b 16k -s 2 -l $type -o "$f"
    errors 8 read
    column=$((column + 1))
done

part "negative signatures, one file per task"
works 2 - -F -w -k --dataPacketType=timestamp -G -5 -t 8k -b 16k -o "$f"
for rank in 0 1; do
    expect_equal "words of rank $rank" \
        "fffffffffffffffb fffffffffffffffc fffffffffffffffd" \
        "$(od -An -v -tx8 -N 24 -w24 "$f.0000000$rank" | sed 's/^ *//')" || true
    expect_pattern "$f.0000000$rank" t -5 2 8192 16384 1 $rank
done
works 2 - -F -r -R -k -G=-5 -t 8k -b 16k -o "$f"
for type in o i r; do
    works 2 - -F -w -k -l $type -G=-1879048192 -t 8k -b 16k -s 2 -o "$f"
    expect_pattern "$f.00000001" $type -1879048192 2 8192 16384 2 1
done

part "each engine writes and reads the same"
for api in MMAP MPIIO "MPIIO -c"; do
    read -ra words <<<"$api"
    rm -f "$f"*
    works 2 - -a "${words[@]}" -w -W -r -R -k -G 1000 -t 8k -b 16k -s 2 -l o -o "$f"
    expect_pattern "$f" o 1000 2 8192 16384 2
    if [ "$api" = "MPIIO -c" ]; then
        continue
    fi
    works 2 - -a "${words[0]}" -F -w -k -e -G 7 -t 4k -b 8k -s 3 -o "$f"
    expect_pattern "$f.00000001" t 7 2 4096 8192 3 1
    works 2 - -F -r -R -k -G 7 -t 4k -b 8k -s 3 -o "$f"
done

part "transfers that are no multiple of 8"
for type in t o i r; do
    works 2 - -w -W -r -R -k -l $type -G 1000 -t 1001 -b 3003 -s 2 -o "$f"
    # Of the last word of a transfer a part is there, whatever it is.
    /usr/bin/python3 "$here/ior_pattern.py" $type 1000 2 1001 3003 2 |
        head -c 1000 >"$TEST_DIR/pattern"
    if ! cmp -s -n 1000 "$TEST_DIR/pattern" "$f"; then
        bad "$type: the whole words of the first transfer are others"
    fi
    # The last byte of a transfer.
    flip "$f" 1000
    run 1 - -R -k -l $type -G 1000 -t 1001 -b 3003 -o "$f"
    errors 1 read
done
works 1 - -w -W -R -G 3 -t 47001 -b 47001 -s 3 -o "$f"

part "two patterns of our own"
for type in place noise; do
    works 2 - -F -w -W -r -R -k -l $type -G -7 -t 64k -b 512k -o "$f"
    run 2 - -F -r -R -k -l $type -G -8 -t 64k -b 512k -o "$f"
    errors 16 read
    mv "$f.00000000" "$f.x"
    mv "$f.00000001" "$f.00000000"
    mv "$f.x" "$f.00000001"
    run 2 - -F -r -R -k -l $type -G -7 -t 64k -b 512k -o "$f"
    errors 16 read
done
gzip -c "$f.00000000" >"$TEST_DIR/packed"
within "noise, packed, of 524288 bytes" 520000 530000 \
    "$(stat -c %s "$TEST_DIR/packed")" || true
# Two transfers of one task change places, which the old pattern cannot see.
for type in place t; do
    works 1 - -w -k -l $type -G 5 -t 8k -b 64k -o "$f"
    dd if="$f" of="$TEST_DIR/one" bs=8k count=1 skip=1 status=none
    dd if="$f" of="$TEST_DIR/other" bs=8k count=1 skip=6 status=none
    dd if="$TEST_DIR/one" of="$f" bs=8k seek=6 conv=notrunc status=none
    dd if="$TEST_DIR/other" of="$f" bs=8k seek=1 conv=notrunc status=none
    run 1 - -r -R -k -l $type -G 5 -t 8k -b 64k -o "$f"
    if [ $type = t ]; then
        expect_status 0 || true
    else
        errors 2 read
        at_word "$f" 8192
    fi
done

# --- what is not as written ----------------------------------------------------

part "flipped bytes are found, once per transfer, with their place"
works 2 - -w -k -G 1000 -t 8k -b 16k -s 2 -o "$f"
for offset in 9001 9101 19001; do
    flip "$f" $offset
done
for options in "-r -R:read" "-W:write"; do
    read -ra words <<<"${options%:*}"
    run 2 - "${words[@]}" -k -G 1000 -t 8k -b 16k -s 2 -o "$f"
    errors 2 "${options#*:}"
    at_word "$f" 900[0-7]
    at_word "$f" 1900[0-7]
    says '^(WARNING: )?Used Time Stamp 1000 \(0x3e8\) for Data Signature' "" ||
        true
    # Byte 1 of word 101 of the transfer at 8192, of rank 0.
    says '0*44d\b' "what was expected at 9000" || true
    says "0*$(word "$f" 9000)\\b" "what was found at 9000" || true
    verdict_last
    expect_equal "size after it" 65536 "$(stat -c %s "$f")" || true
done
run 2 - -r -R -k -G 1000 -t 8k -b 16k -s 2 -o "$f" --json "$json"
expect_json "$json" 'r["verdict"]["ok"]' false
expect_json "$json" 'r["verdict"]["verification_errors"]' 2

part "the first and the last byte"
works 1 - -w -k -G 9 -t 4k -b 16k -o "$f"
for offset in 0 16383; do
    flip "$f" $offset
    run 1 - -R -k -G 9 -t 4k -b 16k -o "$f"
    errors 1 read
    at_word "$f" $((offset / 8 * 8))
    flip "$f" $offset
done
works 1 - -R -k -G 9 -t 4k -b 16k -o "$f"

part "a hole is no data"
truncate -s 0 "$f"
truncate -s 16k "$f"
run 1 - -R -k -G 9 -t 4k -b 16k -o "$f"
errors 4 read

part "files that changed places"
works 2 - -F -w -k -G 1000 -t 8k -b 16k -o "$f"
mv "$f.00000000" "$f.x"
mv "$f.00000001" "$f.00000000"
mv "$f.x" "$f.00000001"
run 2 - -F -r -R -k -G 1000 -t 8k -b 16k -o "$f"
errors 4 read

part "128 errors are as bad as 2, and are not told one by one"
works 1 - -w -k -G 1 -t 1k -b 128k -o "$f"
run 1 - -r -R -k -G 2 -t 1k -b 128k -o "$f"
errors 128 read
within "lines" 1 60 "$(complaints)" || true
run 1 - -q -r -R -k -G 2 -t 1k -b 128k -o "$f"
expect_status 1 "-q" || true
expect_no_line '\(128 errors' "-q stops at the first" || true

part "another transfer size is as wrong as another signature"
works 1 - -w -k -G 1 -t 1k -b 128k -o "$f"
run 1 - -r -R -k -G 1 -t 4k -b 128k -o "$f"
expect_status 1 || true
# Only "t" starts anew with each transfer: place is of the file.
works 1 - -w -k -l place -G 1 -t 1k -b 128k -o "$f"
works 1 - -r -R -k -l place -G 1 -t 4k -b 128k -o "$f"

part "a run that writes knows its signature"
for type in t o i r place noise; do
    works 1 - -wwr -W -R -l $type -t 4k -b 8k -s 2 -i 2 -o "$f"
done
finish
