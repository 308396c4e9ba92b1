#!/bin/bash
# Odd input of ior: what cannot be is refused on one line that names the
# option, and what the original crashed on, hung on or took wrongly is right.
set -eu
# shellcheck source=ior.bash
. "$(dirname "$0")/ior.bash"
small=(-t 4k -b 8k)

# either NP REGEX ARGS...: well or refused, but no crash, no hang, and nothing
# stays.
either() {
    local np=$1 regex=$2
    shift 2
    run "$np" - "$@"
    expect_status_in "0 2" || true
    if [ "$status" -eq 2 ]; then
        refused "$*" "$regex" || true
    fi
}

# a_benchmark FILE [BYTES]: what a run leaves.
a_benchmark() {
    "$ior" -w -k -G 77 -t 4k -b "${2:-8k}" -o "$base/$1" </dev/null \
        >/dev/null 2>&1 || bad "cannot make $1"
}

# --- sizes and counts --------------------------------------------------------

part "sizes that cannot be"
refuse 2 '-b.*-t|-t.*-b' -w -o "$f" -t 24k -b 64k
refuse 1 '-t' -w -o "$f" -t 0
refuse 1 '-b.*-t|-t.*-b' -w -o "$f" -t 1m -b 64k
for size in -8 abc "" 1x 4kk 0x10 "4k 4" 1.5 99999999999999999999 9e3 kb nan; do
    refuse 1 '(^|[^a-z-])-t' -w -o "$f" -t "$size" -b 64k
done
for size in -8 abc "" 0 0.3 16e; do
    refuse 1 '(^|[^a-z-])-b' -w -o "$f" -b "$size" -t 4k
done
for count in -1 abc "" 1.5 99999999999999999999; do
    refuse 1 '(^|[^a-z-])-s' -w -o "$f" -s "$count" "${small[@]}"
done
refuse 1 '-[bs]' -w -o "$f" -t 1m -b 8191p -s 1024 -D 1
refuse 2 '-[bs]' -w -o "$f" -t 4k -b 4096p -D 1 -a DUMMY
refuse 1 '-t' -w -o "$f" -t 1p -b 1p
refuse 1 '-t' -w -o "$f" -t 1p -b 1p -a DUMMY

part "sizes that can"
works 2 - -w -r -o "$f" -t 12 -b 24
works 2 - -w -r -R -o "$f" -t 10 -b 20 -s 3
works 1 - -w -k -o "$f" -t 512k -b 1.5m
expect_equal "1.5m" 1572864 "$(stat -c %s "$f")" || true
rm "$f"
works 1 - -w -k -o "$f" -t 1kB -b 3kB
expect_equal "3kB" 3000 "$(stat -c %s "$f")" || true
rm "$f"
run 2 - -w -r -o "$f" -s 0 "${small[@]}"
expect_status_in "0 2" "-s 0" || true
if [ "$status" -eq 0 ]; then
    warned '-s|segment' "-s 0" || true
    expect_no_line '\binf\b|\bnan\b' "-s 0" || true
fi
expect_empty_dir "after -s 0" "$base" || true

part "syncing less than pages, as the original"
refuse 2 '^ior: --as: .* with -Y of MMAP' --as=ior-4.1 -a MMAP -Y -w -t 1000 \
    -b 2000 -o "$f"
refuse 2 '^ior: --as: .* with -Y of MMAP' --as=ior-4.1 -a mmap -Y -r -t 104 \
    -b 208 --dry-run -o "$f"
works 1 - --as=ior-4.1 -a MMAP -Y -w -t 64k -b 128k -o "$f"

part "other numbers that cannot be"
for repetitions in 0 -1 abc 1.5 ""; do
    refuse 1 '-i' -w -o "$f" -i "$repetitions" "${small[@]}"
done
for row in "-d -1" "-d x" "-d 1k" "-G x" "-G 1.5" "-G 99999999999" "-Q x" "-T -1" \
    "-T x" "-X x" "-j -1" "-j x" "-N -2" "-N x" "-A x" \
    "--random-offset-seed=x" "--read-passes=0" "--read-passes=x" "--rwmix=101" \
    "--rwmix=-1" "--rwmix=x" "--interval=0" "--interval=x" "--progress=x"; do
    read -ra words <<<"$row"
    refuse 1 "${words[0]%%=*}" -w -o "$f" "${words[@]}" "${small[@]}"
done
for row in minTimeDuration=-1 minTimeDuration=x interIODelay=-1 interIODelay=x \
    stoneWallingWearOutIterations=-1 stoneWallingWearOutIterations=x numTasks=x \
    memoryPerTask=x memoryPerTask=-1; do
    refuse 1 "${row%=*}" -w -o "$f" -O "$row" "${small[@]}"
done

part "tasks"
works 4 - -w -o "$f" -N 2 "${small[@]}"
expect_header tasks 2 || true
works 2 - -w -o "$f" -N 0 "${small[@]}"
expect_header tasks 2 || true
run 2 - -w -o "$f" -N 9 "${small[@]}"
expect_status_in "0 2" "-N 9 of 2" || true
says '-N|numTasks' "-N 9 of 2" || true
expect_empty_dir "" "$base" || true

part "memory"
for size in x "" 150% -1 -5% %; do
    refuse 1 '-M' -w -o "$f" -M "$size" "${small[@]}"
done
works 1 - -w -o "$f" -M 32m "${small[@]}"
works 1 - -w -o "$f" -M 1% "${small[@]}"
works 1 - -w -o "$f" -O memoryPerNode=16m "${small[@]}"
works 1 - -w -o "$f" -O memoryPerTask=1m "${small[@]}"
refuse 1 '-M' -w -o "$f" -M 4p "${small[@]}"

# --- words and choices --------------------------------------------------------

part "words that are no options"
refuse 4 '--foo' --foo -w -o "$f"
refuse 4 'bare' bare -w -o "$f"
refuse 1 '-wL|-L|L' -wL -o "$f"
refuse 1 '-L' -w -o "$f" -L
refuse 1 '-o' -w -o
refuse 1 '-b' -w -o "$f" -b
refuse 1 '--' -w -o "$f" --
refuse 1 '-n' -w -o "$f" -n 4
refuse 1 '-api|-a' -w -o "$f" -a NONSUCH
refuse 1 '-l' -w -o "$f" -l q
refuse 1 '-l' -w -o "$f" -l ""
refuse 1 'summaryFormat' -w -o "$f" -O summaryFormat=XML
refuse 1 '-O' -w -o "$f" -O ""
refuse 1 'allocateBufferOnGPU' -w -o "$f" -O allocateBufferOnGPU=1
works 1 - -w -o "$f" "${small[@]}" -O allocateBufferOnGPU=0
refuse 1 '-y|dualMount' -w -o "$f" -y
refuse 1 '--as' -w -o "$f" --as=ior-9
refuse 1 '--posix.odirekt' -w -o "$f" --posix.odirekt
works 2 - -w -r -o "$f" "${small[@]}" --mmap.madv_dont_need --mpiio.showHints \
    --posix.odirect=0

part "what does not go together"
for row in "-C -Z" "--randomPrefill=4k" \
    "-z --randomPrefill=3k" "-r -R" "-W -r -R" \
    "-a MPIIO -z --mpiio.useFileView" \
    "-D 1 -O stoneWallingStatusFile=$TEST_DIR/x"; do
    read -ra words <<<"$row"
    case $row in
    *-r*) options=() ;;
    *) options=(-w) ;;
    esac
    case $row in
    *-C\ -Z*) regex='-C.*-Z|-Z.*-C' ;;
    *randomPrefill*) regex='--randomPrefill' ;;
    *-R) regex='-[RG]' ;;
    *-z*) regex='-z' ;;
    *WearOut*) regex='-D|stoneWallingWearOut' ;;
    *) regex='stoneWallingStatusFile' ;;
    esac
    refuse 1 "$regex" "${options[@]}" -o "$f" "${small[@]}" "${words[@]}"
done
expect_gone "a status file" "$TEST_DIR/x" || true

part "what does, although it did not"
for row in "-z -Z -s 4" "-z -C -s 4" "-z -b 4k" "-z" "-a MMAP -Y -t 1k -b 2k" \
    "-a MPIIO -z -c"; do
    read -ra words <<<"$row"
    works 2 - -w -W -r -R -o "$f" "${small[@]}" "${words[@]}"
done
works 1 - -ww -o "$f" "${small[@]}"
works 1 - -wwr -o "$f" "${small[@]}"
works 2 - -wwr -R -o "$f" "${small[@]}"
expect_rows "write 0, read 0" || true
works 1 - -rr -w -WW -o "$f" "${small[@]}"
works 1 - -w -z -z -o "$f" "${small[@]}"
works 1 - -w -z -s 4 -t 4k -b 4k -o "$f"
works 2 - -z -w -W --randomPrefill=4k -t 1k -b 8k -o "$f"
works 2 - -z -w -r -R --random-offset-seed=1 --randomPrefill=8k -t 1k -b 8k -o "$f"
works 1 - -l r -w -W -o "$f" "${small[@]}"
works 2 - -z -D 0.05 -O stoneWallingWearOut=1 -w -t 4k -b 8k -o "$f"
expect_empty_dir "" "$base" || true

# --- names and what is there -----------------------------------------------------

part "names that cannot be"
refuse 1 '-o' -w -o "" "${small[@]}"
refuse 2 '-o' -F -w -o "$base/a@" "${small[@]}"
refuse 2 '-o' -F -w -o "@$base/a" "${small[@]}"
refuse 2 '-o' -F -w -o "$base/a@@$base/b" "${small[@]}"
long=$(printf 'x%.0s' {1..300})
for options in "" -F; do
    read -ra words <<<"$options"
    name=${long:0:250}
    if [ -z "$options" ]; then
        name=$long
    fi
    run 2 - "${words[@]}" -w -o "$base/$name" "${small[@]}"
    expect_status_in "1 2" "a name that is too long" || true
    says 'long|-o' "a name that is too long" || true
done
expect_empty_dir "" "$base" || true
deep=$base
while [ ${#deep} -lt 5000 ]; do
    deep=$deep/${long:0:200}
done
refuse 1 'long|-o' -w -o "$deep" "${small[@]}"

part "a file that is not there, or too short, or too long"
run 2 - -r "${small[@]}" -o "$f"
expect_status_in "1 2" || true
says "$f.*No such file or directory" "path and reason" || true
within "lines" 1 60 "$(complaints)" || true
run 2 - -r -F "${small[@]}" -o "$f"
expect_status_in "1 2" "with -F" || true
says "$f.0000000[01].*No such file or directory" "with -F" || true
expect_empty_dir "a read makes nothing" "$base" || true
for api in POSIX MMAP MPIIO "MPIIO -c"; do
    a_benchmark f
    read -ra words <<<"$api"
    run 2 - -a "${words[@]}" -r -R -G 77 -t 4k -b 64k -o "$f"
    expect_status_in "1 2" "$api, a file that is too short" || true
    says '131072|end of file|short|too small|128 KiB' "$api: expected and actual" ||
        true
    within "lines" 1 60 "$(complaints)" || true
    expect_equal "size after it" 8192 "$(stat -c %s "$f")" || true
    rm "$f"
done
a_benchmark f 64k
works 2 - -r -R -G 77 -t 4k -b 4k -s 2 -k -o "$f" -N 1
expect_equal "size" 65536 "$(stat -c %s "$f")" || true

part "a directory that is not there"
for api in POSIX MMAP MPIIO; do
    run 2 - -a $api -w "${small[@]}" -o "$base/no/f"
    expect_status_in "1 2" "$api" || true
    says "$base/no" "$api: which" || true
    within "lines with $api" 1 60 "$(complaints)" || true
done
expect_empty_dir "" "$base" || true
part "and one that is no directory, and one that is one"
echo precious >"$f"
run 2 - -w "${small[@]}" -o "$f/x"
expect_status_in "1 2" || true
rm "$f"
mkdir "$f"
refuse 1 "$f" -w "${small[@]}" -o "$f"
rmdir "$f"

part "without the right to write or read"
chmod 711 "$TEST_DIR"
if [ "$(id -u)" -ne 0 ] || ! setpriv --reuid=65534 --regid=65534 --clear-groups \
    test -x "$ior" -a -x "$TEST_DIR" 2>/dev/null; then
    echo "not tried: as another user"
else
    a_benchmark f
    chmod 600 "$f"
    for option in -w -r; do
        last_run="ior $option as nobody"
        status=0
        setpriv --reuid=65534 --regid=65534 --clear-groups "$ior" $option \
            "${small[@]}" -o "$f" </dev/null >"$out" 2>"$err" || status=$?
        expect_status_in "1 2" || true
        says "$f.*Permission denied" "the reason" || true
    done
fi

part "no error with warnings as errors but a warning"
run 2 - --warningAsErrors -a DUMMY -w -o "$f" "${small[@]}" \
    --dummy.delay-xfer=100000
if ! cat "$out" "$err" | grep -q '^WARNING'; then
    expect_status 0 || true
fi
a_benchmark f
run 2 - --warningAsErrors -w -k "${small[@]}" -o "$f"
expect_status_in "1 2" "EMPTIED is a warning" || true

part "a transfer that O_DIRECT cannot do"
refuse 1 'odirect|O_DIRECT' -w --posix.odirect -t 1000 -b 4000 -o "$f"
if works 1 - -w -k -o "$f" "${small[@]}"; then
    rm -f "$f"
fi

part "what made the original wait or crash"
export IOR_FAKE_NODES=3
either 3 '-[ZNQ]' -Z -N 1 -w -r -o "$f" "${small[@]}"
either 3 '-[ZNQ]' -Z -Q 9 -w -r -o "$f" "${small[@]}"
unset IOR_FAKE_NODES
for fake in 0 -1 abc 99999999999; do
    IOR_FAKE_NODES=$fake run 1 - -C -F -w -r -o "$f" "${small[@]}"
    expect_status_in "0 2" "IOR_FAKE_NODES=$fake" || true
done
either 2 '-Q' -C -Q -1 -F -w -r -o "$f" "${small[@]}"
either 2 '-Q' -C -Q 2147483647 -F -w -r -o "$f" "${small[@]}"
run 4 - -j 1 -a DUMMY --dummy.delay-only-rank0 --dummy.delay-xfer=1300000 -w -t 4k \
    -b 4k -o "$f"
expect_status 0 "-j" || true
warned '(rank|task) *=?0\b' "-j" || true
if cat "$out" "$err" | grep 'WARNING' | grep -Eq '(rank|task) *=?[123]\b'; then
    bad_with_output "-j: a rank that was fast is told of"
fi
expect_empty_dir "" "$base" || true
works 2 - -x -w -r -o "$f" "${small[@]}"
finish
