#!/bin/bash
# The files of ior: their names, sizes and modes, what stays of them, and what
# becomes of what was there before.
set -eu
# shellcheck source=ior.bash
. "$(dirname "$0")/ior.bash"
small=(-t 4k -b 8k)

# tree WANT: the names below $base, on one line.
tree() {
    expect_equal "files" "$1" \
        "$(find "$base" -mindepth 1 -printf '%P\n' | sort | tr '\n' ' ' |
            sed 's/ $//')" || true
}

sizes() { # WANT
    expect_equal "sizes" "$1" \
        "$(find "$base" -type f -printf '%s\n' | sort -un | tr '\n' ' ' |
            sed 's/ $//')" || true
}

# a_benchmark FILE [BYTES]: what a run of ior leaves.
a_benchmark() {
    (cd "$base" && "$ior" -w -k -G 77 -t 4k -b "${2:-8k}" -o "$1" \
        </dev/null >/dev/null 2>&1)
}

# --- names ---------------------------------------------------------------------

part "names: one file, one per task, one per repetition"
works 2 - -w -k "${small[@]}" -s 3 -o g
tree "g"
sizes 49152
part "names: -F"
works 4 - -F -w -k "${small[@]}" -s 3 -o a@b@c
tree "a.00000000 a.00000003 b.00000001 c.00000002"
sizes 24576
part "names: only the first of a list without -F"
works 2 - -w -k "${small[@]}" -o a@b
tree "a"
part "names: -m"
works 2 - -m -i 2 -w -r -k "${small[@]}" -o g
tree "g.0 g.1"
part "names: -m -F"
works 2 - -F -m -i 2 -w -r -k "${small[@]}" -o g
tree "g.00000000.0 g.00000000.1 g.00000001.0 g.00000001.1"
works 2 - -F -m -i 2 -r -k "${small[@]}" -o g
part "names: -u"
works 2 - -F -u -w -r -k "${small[@]}" -o "$base/f"
tree "0 0/f.00000000 1 1/f.00000001"
expect_equal "mode of a directory of -u" 700 "$(stat -c %a "$base/0")" || true
part "names: -u without a directory"
works 2 - -F -u -w -k "${small[@]}" -o testFile
tree "0 0/testFile.00000000 1 1/testFile.00000001"
part "names: -u without -F"
works 2 - -u -w -k "${small[@]}" -o f
tree "f"
part "names: -u and a list"
works 2 - -F -u -k -w "${small[@]}" -o a@b
expect_equal "files" "0/a.00000000 1/b.00000001" \
    "$(find ./? -type f | sort | sed "s,^./,," | xargs)" || true
rm -rf 0 1

part "umask"
for mask in 002 022 077; do
    rm -f "$f"
    (umask "$mask" && "$ior" -w -k "${small[@]}" -o "$f" </dev/null) \
        >"$out" 2>"$err" || bad_with_output "with umask $mask"
    expect_equal "mode with umask $mask" \
        "$(printf %o $((0664 & ~0$mask)))" "$(stat -c %a "$f")" || true
done

# --- what stays ------------------------------------------------------------------

part "nothing stays without -k"
for options in "-i 2" "-F -u" "-F -m -i 2 -C" "-F -Z -X 3" "-a MMAP" \
    "-a MMAP -F" "-a MPIIO -F" "-a MPIIO -c" "-w -W" "-z -s 2"; do
    read -ra words <<<"$options"
    works 2 - "${words[@]}" "${small[@]}" -o "$f"
    expect_empty_dir "after $options" "$base" || true
done

part "what directories of -u were there stay"
mkdir "$base/1"
works 2 - -F -u "${small[@]}" -o "$f"
tree "1"

part "-k keeps, and the next repetition begins anew"
works 2 - -k -i 2 -w -r "${small[@]}" -o "$f"
tree "f"
sizes 16384
expect_no_line 'EMPTIED' "it is of this run" || true
part "a pure read or check removes nothing"
works 2 - -w -k -G 5 "${small[@]}" -o "$f"
for options in "-r" "-W -G 5" "-R -G 5" "-r -i 2"; do
    read -ra words <<<"$options"
    works 2 - "${words[@]}" "${small[@]}" -o "$f"
    tree "f"
    sizes 16384
done
expect_no_line '[wW]ill be deleted|EMPTIED' "a read" || true
works 2 - -W -G 5 "${small[@]}" -o "$f"
expect_no_line '[wW]ill be deleted|EMPTIED' "a check" || true

part "-K keeps what has errors"
works 2 - -K -w -R "${small[@]}" -o "$f"
expect_empty_dir "no errors with -K" "$base" || true
cat >"$TEST_DIR/damage" <<'END'
#!/bin/bash
for ((i = 0; i < 200; i++)); do
    if [ "$(stat -c %s "$1" 2>/dev/null || echo 0)" -ge 16384 ]; then
        printf X | dd of="$1" bs=1 seek=100 conv=notrunc status=none
        exit
    fi
    sleep 0.02
done
END
for keep in yes no; do
    options=()
    if [ $keep = yes ]; then
        options=(-K)
    fi
    bash "$TEST_DIR/damage" "$f" &
    damage=$!
    run 1 - "${options[@]}" -w -R -d 0.5 -t 4k -b 16k -o "$f"
    wait "$damage" || true
    expect_status 1 "a byte was changed between write and read" || true
    if [ $keep = yes ]; then
        tree "f"
        rm -f "$f"
    else
        expect_empty_dir "errors without -K" "$base" || true
    fi
done

# --- what was there ----------------------------------------------------------------

part "a file of no bytes is used in place"
: >"$f"
inode=$(stat -c %i "$f")
works 2 - -w -k "${small[@]}" -o "$f"
expect_equal "inode" "$inode" "$(stat -c %i "$f")" || true
sizes 16384
: >"$f"
works 2 - -w -r "${small[@]}" -o "$f"
tree "f"
sizes 0
expect_equal "inode" "$inode" "$(stat -c %i "$f")" || true
expect_no_line 'EMPTIED' "it was empty" || true

part "a benchmark's file is emptied in place, with a warning"
for type in t o i r place noise; do
    rm -f "$f"
    works 1 - -w -k -l $type -G 123456 -t 4k -b 64k -o "$f"
    inode=$(stat -c %i "$f")
    works 1 - -w -k -t 4k -b 16k -o "$f"
    warned 'EMPTIED' "pattern $type" || true
    sizes 16384
    expect_equal "inode" "$inode" "$(stat -c %i "$f")" || true
done
works 2 - -w -r "${small[@]}" -o "$f"
warned EMPTIED || true
tree "f"
sizes 0
part "so is a hole"
truncate -s 1m "$f"
works 2 - -w -k "${small[@]}" -o "$f"
warned EMPTIED || true
sizes 16384
part "so are those of each task"
works 2 - -F -w -k -t 4k -b 64k -o "$f"
works 2 - -F -w -r "${small[@]}" -o "$f"
warned EMPTIED || true
tree "f.00000000 f.00000001"
sizes 0
part "the engines do the same"
for api in MMAP MPIIO; do
    rm -f "$f"
    a_benchmark f 64k
    inode=$(stat -c %i "$f")
    works 2 - -a $api -w -k "${small[@]}" -o "$f"
    warned EMPTIED "$api" || true
    sizes 16384
    expect_equal "inode with $api" "$inode" "$(stat -c %i "$f")" || true
done

part "anything else is refused"
echo "precious data" >"$f"
for options in "-w" "-w -r" "-a MMAP -w" "-a MPIIO -w" "-w -k"; do
    read -ra words <<<"$options"
    refuse 1 "$f" "${words[@]}" "${small[@]}" -o "$f"
done
expect_equal "it holds" "precious data" "$(cat "$f")" || true
part "on the second rank as on the first"
head -c 100000 /dev/urandom >"$f.00000001"
refuse 2 "$f.00000001" -F -w "${small[@]}" -o "$f"
part "in a later repetition"
echo "precious data" >"$f.1"
refuse 2 "$f.1" -m -i 2 -w "${small[@]}" -o "$f"
part "directories, pipes and links that lead nowhere"
mkdir "$f"
refuse 2 "$f" -w "${small[@]}" -o "$f"
refuse 2 "$f" -r "${small[@]}" -o "$f"
rmdir "$f"
mkfifo "$f"
refuse 1 "$f" -w "${small[@]}" -o "$f"
refuse 1 "$f" -r "${small[@]}" -o "$f"
rm "$f"

part "-E writes into what is there, and leaves its tail"
head -c 65536 /dev/urandom >"$f"
cp "$f" "$TEST_DIR/before"
for api in POSIX MMAP MPIIO; do
    cp "$TEST_DIR/before" "$f"
    works 1 - -a $api -E -w -k -G 1000 "${small[@]}" -o "$f"
    sizes 65536
    if ! cmp -s <(tail -c +8193 "$f") <(tail -c +8193 "$TEST_DIR/before"); then
        bad "-E with $api changed what is behind its data"
    fi
    expect_equal "first word with $api" 3e8 "$(word "$f" 0)" || true
done
works 2 - -E -w -r -i 2 "${small[@]}" -o "$f"
tree "f"

part "--leftovers=refuse leaves a benchmark's file, too"
a_benchmark f
run 1 - -w -k "${small[@]}" -o "$f" --leftovers=refuse
expect_status_in "0 2" || true

# --- sizes ---------------------------------------------------------------------------

part "sizes of one file per task"
for api in POSIX MMAP MPIIO; do
    works 2 - -a $api -F -w -k -s 3 "${small[@]}" -o "$f"
    sizes 24576
    expect_no_line 'Expected aggregate|Stat\(\) of aggregate' "$api" || true
    rm -f "$f".*
done
part "sizes of a file with a random order"
for options in "-z" "-z -z" "-z -F" "-z -z -F" "-a MMAP -z"; do
    read -ra words <<<"$options"
    works 2 - "${words[@]}" -w -k -t 1k -b 4k -s 4 -o "$f"
    case $options in
    *-F*) sizes 16384 ;;
    *) sizes 32768 ;;
    esac
    rm -f "$f"*
done
part "a file that is longer than what is read"
a_benchmark f 64k
works 2 - -r -k "${small[@]}" -o "$f"
expect_equal "bytes" 4 "$(moved read)" || true

part "with a plan alone nothing is made"
works 2 - --dry-run -w -r "${small[@]}" -o "$f"
expect_empty_dir "--dry-run" "$base" || true
works 1 - --dryRun -w -r "${small[@]}" -o "$f"
expect_empty_dir "--dryRun" "$base" || true
a_benchmark f
before=$(snapshot "$base")
works 1 - --dry-run -w -r "${small[@]}" -o "$f"
expect_equal "what is there" "$before" "$(snapshot "$base")" || true

part "the plan says whose data is read, and what it takes"
works 4 a:2,b:2 --dry-run -F -C -w -W -r "${small[@]}" -o "$f"
expect_empty_dir "--dry-run" "$base" || true
expect_line '^   whose data is read     100.0% of another node$' "-r" || true
expect_line '^   whose data is checked  0.0% of another node$' "-W" || true
for line in "0 on node 0 reads what rank 2 on node 1" \
    "3 on node 1 reads what rank 1 on node 0" \
    "2 on node 1 checks what rank 2 on node 1"; do
    expect_line "^     rank $line wrote\$" "a source" || true
done
expect_line '^   space needed  .* are free in '"$base"'$' "space" || true
works 1 - --dry-run -w -t 1m -b 7000000g -o "$f"
expect_line '^   space needed  .*, not enough$' "too much space" || true
works 3 - --dry-run -C -O numNodes=3 -r -N 2 "${small[@]}" -o "$f"
expect_equal "ranks that take part" 2 "$(grep -c ' reads what ' "$out")" || true
works 1 - --dry-run -C -r "${small[@]}" -o "$f"
warned ROTATION_SELF "one node" || true
works 2 - --dry-run -w "${small[@]}" -o "$f"
expect_no_line 'whose data' "nothing is read" || true
works 12 - --dry-run -C -O numNodes=4 -r "${small[@]}" -o "$f"
expect_equal "not all of many ranks" 9 "$(grep -c ' reads what ' "$out")" ||
    true
for api in MMAP MPIIO URING DUMMY; do
    works 2 - --dry-run -w -r -a "$api" "${small[@]}" -o "$f"
    expect_empty_dir "--dry-run of $api" "$base" || true
done

part "paths that are long, and a directory that is not there"
deep=$base
for ((i = 0; i < 6; i++)); do
    deep=$deep/$(printf 'x%.0s' {1..200})
done
mkdir -p "$deep"
works 2 - -F -w -r "${small[@]}" -o "$deep/f"
run 2 - -w -k "${small[@]}" -o "$base/no/f"
expect_status_in "1 2" || true
says "$base/no.*No such file or directory" "which path, and why" || true
within "lines" 1 40 "$(complaints)" || true
part "little data is a benchmark's only if that is sure"
for kind in timestamp:24 random:16 unique:16 noise:16 place:16; do
    n=${kind#*:}
    rm -f "$f"
    works 1 - -w -k -G 1234567 -l "${kind%:*}" -t "$n" -b "$n" -o "$f"
    works 1 - -w -k -G 1234567 -l "${kind%:*}" -t "$n" -b "$n" -o "$f"
    warned 'EMPTIED' "$kind"
done
for n in 1 8 15; do
    rm -f "$f"
    works 1 - -w -k -t "$n" -b "$n" -o "$f"
    refuse 1 'too little to tell' -w -k -t "$n" -b "$n" -o "$f"
    works 1 - -w -E -t "$n" -b "$n" -o "$f"
    expect_equal "size" "$n" "$(stat -c %s "$f")" || true
done
finish
