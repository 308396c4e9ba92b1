#!/bin/bash
# More that cannot be: files without a block, status files with anything in
# them, results in the place of data, scripts that are no text.
set -eu
# shellcheck source=ior.bash
. "$(dirname "$0")/ior.bash"
small=(-t 4k -b 8k)

# a_benchmark FILE [BYTES]: what a run leaves.
a_benchmark() {
    "$ior" -w -k -G 77 -t 4k -b "${2:-8k}" -o "$base/$1" </dev/null \
        >/dev/null 2>&1 || bad "cannot make $1"
}

part "-z -z on a file that is smaller than a block"
a_benchmark f
refuse 2 '-z -z: .*8192 bytes' -r -z -z -t 4k -b 64k -o "$f"
refuse 2 '-z -z: .*8192 bytes' -r -z -z -t 4k -b 64k -N 1 -o "$f"

part "a status file that holds anything but a number"
a_benchmark f
for text in '' x 2abc '2 3' -1 1.5 99999999999999999999999 0 $'\377\376'; do
    printf '%s' "$text" >"$TEST_DIR/status"
    works 2 - -r -k -t 4k -b 4k -o "$f" -O stoneWallingStatusFile="$TEST_DIR/status"
    warned 'NO_STATUS' "'$text'" || true
    expect_equal "the status file" "$text" "$(cat "$TEST_DIR/status")" || true
done
for text in 1 ' 1' $'1\n' $'1\r\n'; do
    printf '%s' "$text" >"$TEST_DIR/status"
    works 2 - -r -k -t 4k -b 4k -o "$f" -O stoneWallingStatusFile="$TEST_DIR/status"
    expect_no_line 'NO_STATUS' "'$text'" || true
done

part "results in the file of the test"
refuse 2 '^ior: --json: ' -w "${small[@]}" -o "$f" --json="$f"
refuse 2 '^ior: --csv: ' -w "${small[@]}" -o "$f" --csv="$f"
refuse 2 '^ior: --summaryFile: ' -w "${small[@]}" -o "$f" -O summaryFile="$f"
refuse 2 '^ior: --stoneWallingStatusFile: ' -w "${small[@]}" -o "$f" -k -D 1 \
    -O stoneWallingWearOut=1 -O stoneWallingStatusFile="$f"
refuse 2 '^ior: --json: ' -F -w "${small[@]}" -o "$f" --json="$f.00000000"

part "a script that is no text"
printf 'IOR START\0\nRUN\n' >"$TEST_DIR/script"
refuse 2 'it is no text' -f "$TEST_DIR/script"

part "a signal while very many names are looked for"
last_run="ior -m -i 2147483647"
status=0
timeout -k 10 -s TERM 2 "$ior" -m -i 2147483647 -w "${small[@]}" -o "$f" \
    </dev/null >"$out" 2>"$err" || status=$?
expect_status 124 "ended by itself after the signal" || true
expect_empty_dir "nothing is made" "$base" || true
finish
