#!/bin/bash
# A file system becomes read-only in mid-run: that is met, told and no hang.
# On one that is, what was made can be looked at and read.
set -eu
# shellcheck source=fs.bash
. "$(dirname "$0")/fs.bash"
need mkfs.ext4 e2fsprogs

# turn HOW: remount, as soon as no file is open for writing.
turn() {
    local i
    for ((i = 0; i < 500; i++)); do
        if mount -o "remount,$1" "$mount" 2>/dev/null; then
            return 0
        fi
        sleep 0.01
    done
    bad "cannot remount $1"
}

# What an earlier launch made.
on_image ext4 64 mkfs.ext4 -q -N 20000
well 2 - -n 5 -C -w 10
turn ro
snapshot "$d" >"$TEST_DIR/before"
well 2 - -n 5 -T -w 10
counts 10 "Directory stat" "File stat"
well 2 - -n 5 -E -e 10
counts 10 "File read"
for access in path dirfd; do
    run 2 - -n 5 -r "--access=$access" -d "$d"
    expect_status 1 || true
    for phase in "Directory removal" "File removal"; do
        expect_failed "$phase" "10 of 10 (EROFS 10)" || true
    done
    expect_failed "Tree removal" "1 of 1 (EROFS 1)" || true
done
run 2 - -D -n 5 -U -d "$d"
expect_status 1 || true
expect_failed "Directory rename" "2 of 2 (EROFS 2)" || true
run 2 - -n 5 -C -d "$mount/other"
refused "nothing can be made" 'Read-only file system' || true
snapshot "$d" >"$TEST_DIR/after"
expect_same_file "the tree" "$TEST_DIR/before" "$TEST_DIR/after" || true
turn rw
well 2 - -n 5 -r
drop "$d"

# In the middle of a phase, which is ended for all ranks, while there is more to
# be done than can be in that time.
for kind in -F -D; do
    last_run="mdtest $kind [np 2] and a remount"
    mpi 2 - timeout -k 5 60 "$mdtest" "$kind" -n 4000 -i 1000 -d "$d" \
        >"$out" 2>"$err" &
    child=$!
    for ((i = 0; i < 200; i++)); do
        if [ -n "$(find "$d" -name '*.mdtest.*' -print -quit 2>/dev/null)" ]; then
            break
        fi
        sleep 0.05
    done
    turn ro
    status=0
    wait "$child" || status=$?
    expect_status 1 || true
    if ! grep -Eq '^      failed  .*\(EROFS [0-9]+\)' "$out"; then
        bad_with_output "no EROFS is told"
    fi
    if ! grep -q "treemark clean '\?$d'\?" "$err"; then
        bad_with_output "it is not said how to remove what is left"
    fi
    if [ "$(complaints)" -gt 50 ]; then
        bad_with_output "too many lines: $(complaints)"
    fi
    turn rw
    rm -rf "$d"
done
after_all
