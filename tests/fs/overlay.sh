#!/bin/bash
# On an overlay: all goes well, also with what lies in the lower layer, but for
# renames of directories there, which the overlay refuses.
set -eu
# shellcheck source=fs.bash
. "$(dirname "$0")/fs.bash"
layers=$TEST_DIR/layers

on_overlay() {
    unmount
    rm -rf "$layers/upper" "$layers/work"
    mkdir -p "$layers/lower" "$layers/upper" "$layers/work"
    if ! mount -t overlay overlay -o "lowerdir=$layers/lower,upperdir=$layers/upper,workdir=$layers/work,redirect_dir=off" \
        "$mount" 2>"$TEST_DIR/said"; then
        skip "no overlay here: $(tail -n 1 "$TEST_DIR/said")"
    fi
}

on_overlay
matrix 2
expect_equal "left on the file system" "" "$(left)" || true

# What is made in the lower layer is visited and removed through the overlay.
unmount
run 2 - -n 4 -C -w 16 -d "$layers/lower/D"
expect_status 0 || true
on_overlay
well 2 - -n 4 -T -E -e 16 -w 16
run 2 - -D -n 4 -U -d "$d"
expect_status 1 "directories of the lower layer stay where they are" || true
expect_failed "Directory rename" "2 of 2 (EXDEV 2)" || true
expect_missed "Directory rename" "6 of 8" || true
well 2 - -n 4 -r
expect_empty_dir "after -r" "$d" || true
drop "$d"
expect_equal "left on the file system" "" "$(left)" || true
expect_equal "files in the lower layer" 8 \
    "$(find "$layers/lower" -type f | wc -l)" || true

# A layer that is full.
umount "$mount"
rm -rf "$layers"
mkdir "$layers"
mount -t tmpfs -o nr_inodes=64 tmpfs "$layers"
trap 'unmount; umount "$layers"' EXIT
on_overlay
full ENOSPC -F -n 100
after_all
