#!/bin/bash
# Files and directories that may not be written or read: refused before
# anything is opened.
set -eu
# shellcheck source=ior.bash
. "$(dirname "$0")/ior.bash"
small=(-t 4k -b 4k)
mount=$TEST_DIR/mount

if [ "$(id -u)" -ne 0 ] || ! setpriv --reuid=65534 --regid=65534 \
    --clear-groups true 2>/dev/null; then
    skip "not root: other users cannot be tried"
fi
chmod 711 "$TEST_DIR"
user=(setpriv --reuid=65534 --regid=65534 --clear-groups)

# forbidden NP REGEX ARGS...: as nobody, one line and nothing touched.
forbidden() {
    local np=$1 regex=$2 before
    shift 2
    before=$(snapshot "$base")
    last_run="ior $* [np $np, as nobody]"
    status=0
    mpi "$np" - "${user[@]}" timeout -k 5 30 "$ior" "$@" >"$out" 2>"$err" ||
        status=$?
    refused "$*" "$regex" || true
    expect_equal "the directory" "$before" "$(snapshot "$base")" || true
}

if ! "${user[@]}" test -x "$ior"; then
    skip "another user cannot run $ior"
fi

part "a directory of somebody else's"
chmod 755 "$base"
for api in POSIX MMAP MPIIO; do
    forbidden 2 "directory $base: Permission denied" -a $api -w "${small[@]}" \
        -o "$f"
    forbidden 2 "directory $base: Permission denied" -a $api -F -w \
        "${small[@]}" -o "$f"
done
forbidden 2 "directory $base: Permission denied" -F -u -w "${small[@]}" -o "$f"

part "a file of somebody else's"
chmod 755 "$base"
works 2 - -w -k "${small[@]}" -o "$f"
forbidden 2 "-o $f: Permission denied" -w "${small[@]}" -o "$f"
forbidden 2 "-o $f: Permission denied" -w -E "${small[@]}" -o "$f"
forbidden 2 "-o $f: Permission denied" -w --leftovers=clean "${small[@]}" \
    -o "$f"
chmod 600 "$f"
forbidden 2 "-o $f: Permission denied" -r "${small[@]}" -o "$f"

part "a file system that is read-only"
mkdir "$mount"
trap 'umount "$mount" 2>/dev/null || true' EXIT
if mount -t tmpfs -o size=1m tmpfs "$mount" 2>/dev/null; then
    mount -o remount,ro "$mount"
    refuse 2 "directory $mount: Read-only file system" -w "${small[@]}" \
        -o "$mount/f"
    refuse 2 "directory $mount: Read-only file system" -F -u -w "${small[@]}" \
        -o "$mount/f"
    mount -o remount,rw "$mount"
    works 2 - -w -k "${small[@]}" -o "$mount/f"
    mount -o remount,ro "$mount"
    refuse 2 "-o $mount/f: Read-only file system" -w "${small[@]}" \
        -o "$mount/f"
    works 2 - -r "${small[@]}" -o "$mount/f"
else
    echo "not tried: no tmpfs can be mounted"
fi
finish
