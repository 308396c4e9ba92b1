#!/bin/bash
# Small, full and read-only file systems: what can be seen beforehand is
# refused with status 2; what is met in mid-run is counted, stops the phase,
# and what was made is removed.
set -eu
# shellcheck source=lib.bash
. "$(dirname "$0")/lib.bash"
mount=$TEST_DIR/mount
mkdir "$mount"

unmount() {
    if mountpoint -q "$mount"; then
        umount "$mount" || umount -l "$mount"
    fi
}
trap unmount EXIT

mounted() { # OPTIONS: a fresh tmpfs
    unmount
    mount -t tmpfs -o "$1" tmpfs "$mount"
}

if [ "$(id -u)" -ne 0 ]; then
    skip "only root can mount"
elif ! mount -t tmpfs tmpfs "$mount" 2>/dev/null; then
    skip "cannot mount a tmpfs here"
fi
build_recorder

# Read-only from the start.
mounted size=1m,ro
for kind in -D -F; do
    run 2 - "$kind" -n 2 -d "$mount/D"
    expect_status_in "1 2" || true
    if ! cat "$out" "$err" | grep -Eq 'Read-only file system|EROFS'; then
        bad_with_output "the reason is not said"
    fi
    if [ "$(complaints)" -gt 40 ]; then
        bad_with_output "too many lines: $(complaints)"
    fi
done

# Made, and then read-only: looking at it is fine, removing is not.
mounted size=1m
run 2 - -F -C -n 3 -w 10 -d "$mount/D"
mount -o remount,ro "$mount"
run 2 - -F -T -n 3 -d "$mount/D"
expect_status 0 || true
run 2 - -F -E -n 3 -e 10 -d "$mount/D"
expect_status 0 "reading needs no right to write" || true
run 2 - -F -r -n 3 -d "$mount/D"
expect_status 1 || true
expect_failed "File removal" "6 of 6 (EROFS 6)" || true

# More inodes or bytes than there are: seen beforehand.
mounted nr_inodes=64
for options in "-F -n 100" "-n 40 -u" "-F -I 1 -b 2 -z 6"; do
    read -r -a args <<<"$options"
    run 2 - "${args[@]}" -d "$mount/D"
    expect_status 2 || true
    expect_equal "lines" 1 "$(complaints)" || true
    expect_empty_dir "refused" "$mount" || true
done
run 2 - -F -n 10 -d "$mount/D"
expect_status 0 "20 files of 64 are fine" || true
mounted size=1m
run 2 - -F -n 100 -w 64k -d "$mount/D"
expect_status 2 || true
expect_empty_dir "refused" "$mount" || true

# The same met in mid-run, the program believing that there is room.
full() {
    last_run="mdtest $* on a file system that seems to have room"
    status=0
    mpi 2 - env "LD_PRELOAD=$recorder" TREEMARK_RECORD_ROOMY=1 \
        timeout -k 5 60 "$mdtest" "$@" -d "$mount/D" \
        >"$out" 2>"$err" || status=$?
    expect_status 1 || true
    if [ "$(complaints)" -gt 50 ]; then
        bad_with_output "too many lines: $(complaints)"
    fi
    expect_empty_dir "what a full disk stopped" "$mount" || true
}
mounted nr_inodes=64
full -F -n 100
if ! [[ $(failed "File creation") =~ ENOSPC ]]; then
    bad_with_output "no ENOSPC under File creation"
fi
for name in "File stat" "File read" "File removal"; do
    expect_failed "$name" "" || true
done
full -D -n 100
if ! [[ $(failed "Directory creation") =~ ENOSPC ]]; then
    bad_with_output "no ENOSPC under Directory creation"
fi
full -F -u -I 1 -b 2 -z 6
mounted size=1m
full -F -n 100 -w 64k
if ! [[ $(failed "File creation") =~ ENOSPC ]]; then
    bad_with_output "no ENOSPC under File creation"
fi

# Names, but no data: the marker cannot be written, and nothing stays of it.
mounted size=64k,nr_inodes=100
dd if=/dev/zero of="$mount/filler" bs=4k 2>/dev/null || true
run 2 - -F -n 5 -d "$mount/D"
expect_status 0 "files without data fit" || true
expect_line '\(NO_MARKER\)' "no marker" || true
expect_equal "beside the filler" "f filler" "$(tree_of "$mount")" || true

# Results on a full disk: the text is whole, the reason is said, and what was
# there before stays.
mounted size=16k
echo before >"$mount/run.json"
run 2 - -F -n 5 -i 3 -d "$TEST_DIR/D" --json "$mount/run.json"
expect_status 1 "a JSON file that cannot be written" || true
expect_line '^   File removal  ' "the tables" || true
expect_line '^verdict: an output file could not be written' "the verdict" ||
    true
if ! grep -q -- "--json: writing $mount/run.json: No space left" "$err"; then
    bad_with_output "the reason is not said"
fi
if ! grep -q . "$mount/run.json" ||
    [ -n "$(find "$mount" -name '*.tmp.*')" ]; then
    bad_with_output "in the place: $(tree_of "$mount" | tr '\n' ' ')"
fi
mounted size=8k
run 2 - -F -n 5 -i 3 -d "$TEST_DIR/D" --csv "$mount/run.csv"
expect_status 1 "a CSV file that cannot be written" || true
expect_line '^   File removal  ' "the tables" || true
if ! grep -q -- "--csv: writing $mount/run.csv: No space left" "$err"; then
    bad_with_output "the reason is not said"
fi

# -d is made half-way: its parent goes again.
mounted nr_inodes=2
last_run="mdtest -d parent/D with one inode"
status=0
env "LD_PRELOAD=$recorder" TREEMARK_RECORD_ROOMY=1 "$mdtest" -F -n 5 \
    -d "$mount/parent/D" </dev/null >"$out" 2>"$err" || status=$?
expect_status 2 || true
expect_empty_dir "a parent that was made" "$mount" || true

# -d becomes a mount point in mid-run: it cannot go, and that is said.
mounted size=1m
last_run="mdtest -d with something mounted on it"
"$mdtest" -F -n 5 -p 2 -d "$mount/D" </dev/null >"$out" 2>"$err" &
child=$!
for ((i = 0; i < 100; i++)); do
    if [ -e "$mount/D/test-dir.0-0/mdtest_tree.0" ]; then
        break
    fi
    sleep 0.05
done
mount --bind "$mount/D" "$mount/D"
status=0
wait "$child" || status=$?
umount "$mount/D"
expect_status 1 || true
if ! grep -q "$mount/D: Device or resource busy" "$err"; then
    bad_with_output "it is not said that -d is left"
fi
finish
