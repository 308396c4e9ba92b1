#!/bin/bash
# --posix.odirect: each file is opened with O_DIRECT, and what the file system
# cannot do is refused before the first phase, with nothing left on disk.
set -eu
# shellcheck source=lib.bash
. "$(dirname "$0")/lib.bash"
build_recorder

disk=       # a directory on a file system with blocks, of our own
mount=$TEST_DIR/mount
loop=       # a device that we set up

end() {
    if mountpoint -q "$mount"; then
        umount "$mount" || umount -l "$mount"
    fi
    if [ -n "$loop" ]; then
        losetup -d "$loop"
    fi
    if [ -n "$disk" ]; then
        rm -rf "$disk"
    fi
}
trap end EXIT

# can_write DIR BYTES: write so many in one direct call.
can_write() {
    local code=0
    dd if=/dev/zero of="$1/trial" bs="$2" count=1 oflag=direct \
        2>/dev/null || code=$?
    rm -f "$1/trial"
    return "$code"
}

# find_disk: a directory where O_DIRECT works, and not for any size.
find_disk() {
    local try
    for try in "${TMPDIR:-/tmp}" /var/tmp "$TREEMARK_BIN"; do
        disk=$(mktemp -d "$try/odirect.XXXXXX" 2>/dev/null) || continue
        if can_write "$disk" 4096 && ! can_write "$disk" 100; then
            return
        fi
        rmdir "$disk"
        disk=
    done
}

# mount_blocks BYTES: a file system on a device with such blocks at $mount.
mount_blocks() {
    if [ "$(id -u)" -ne 0 ] || ! command -v mkfs.ext4 >/dev/null; then
        return 1
    fi
    mkdir -p "$mount"
    truncate -s 16m "$TEST_DIR/image"
    mkfs.ext4 -q -F -b 4096 "$TEST_DIR/image" >/dev/null 2>&1 || return 1
    loop=$(losetup --sector-size "$1" --show -f "$TEST_DIR/image" \
        2>/dev/null) || return 1
    mount "$loop" "$mount" 2>/dev/null
}

# refused REGEX OPTIONS...: on one line, with status 2 and nothing on disk.
refused() {
    local want=$1 ranks
    shift
    for ranks in 1 2; do
        run "$ranks" - "$@" --posix.odirect
        expect_status 2 || true
        expect_equal "lines" 1 "$(complaints)" || true
        if ! grep -Eq -- "$want" "$err"; then
            bad_with_output "no line matches $want"
        fi
    done
}

# flags FILE: how items were opened, each way once.
flags() {
    sed -n 's/^open \([^ ]*\) .*mdtest\.[0-9.]*$/\1/p' "$1" | sort -u |
        tr '\n' ' '
}

find_disk
blocks=0
if mount_blocks 4096 && can_write "$mount" 4096; then
    blocks=4096
fi
if [ -z "$disk" ] && [ "$blocks" = 0 ]; then
    skip "no file system here takes O_DIRECT for whole blocks only"
fi
d=${disk:-$mount}/D

# Sizes that can be: each open has the flag, and nothing is warned of.
for np in 1 2; do
    record "$TEST_DIR/log" "$d" "$np" - -F -n 3 -w 4096 -e 4096 -d "$d" \
        --posix.odirect
    expect_status 0 || true
    expect_no_line '\(NO_MARKER\)' "a marker of whole blocks" || true
    expect_equal "opens" 'O_RDONLY|O_DIRECT O_RDWR|O_CREAT|O_DIRECT ' \
        "$(flags "$TEST_DIR/log.0")" || true
    expect_gone "after a run" "$d" || true
    record "$TEST_DIR/log" "$d" "$np" - -F -n 3 -w 4096 -e 4096 -d "$d"
    expect_equal "opens without the option" 'O_RDONLY O_RDWR|O_CREAT ' \
        "$(flags "$TEST_DIR/log.0")" || true
done
run 2 - -n 3 -d "$d" --posix.odirect
expect_status 0 "files without data" || true
expect_gone "after a run" "$d" || true

# Sizes that cannot.
refused '^mdtest: -w: 100 bytes cannot be written with --posix\.odirect here: use a multiple of (512|1024|2048|4096)$' \
    -F -n 3 -w 100 -d "$d"
refused '^mdtest: -w: 100 bytes ' -F -n 3 -w 100 -e 100 -d "$d"
refused '^mdtest: -w: 1048577 bytes ' -F -C -n 3 -w 1048577 -d "$d"
refused '^mdtest: -e: 100 bytes cannot be read with --posix\.odirect here: use a multiple of (512|1024|2048|4096)$' \
    -F -n 3 -w 4096 -e 100 -d "$d"
expect_gone "after refusals" "$d" || true
run 1 - -D -n 3 -w 100 -d "$d" --posix.odirect
expect_status 0 "directories have no size" || true

# A launch that only reads cannot try; what no file system does is refused.
run 1 - -F -C -n 3 -w 4096 -d "$d" --posix.odirect
expect_status 0 || true
snapshot "$d" >"$TEST_DIR/before"
refused '^mdtest: -e: 100 bytes cannot be read with --posix\.odirect: use a multiple of 512$' \
    -F -E -n 1 -e 100 -d "$d"
snapshot "$d" >"$TEST_DIR/after"
expect_same_file "what was made" "$TEST_DIR/before" "$TEST_DIR/after" || true
run 1 - -F -E -n 3 -e 4096 -d "$d" --posix.odirect
expect_status 0 || true
# The file ends within the transfer: too short, and no error of the call.
run 1 - -F -E -n 3 -e 8192 -d "$d" --posix.odirect
expect_failed "File read" "3 of 3 (ENODATA 3)" || true
run 1 - -F -E -n 3 -e 100 -d "$d"
expect_status 0 "without the option any size will do" || true
run 1 - -F -r -n 3 -d "$d"
expect_status 0 || true
drop "$d"

# The least block is said.
if [ "$blocks" = 4096 ]; then
    refused '^mdtest: -w: 512 bytes .*: use a multiple of 4096$' \
        -F -n 3 -w 512 -d "$mount/D"
    refused '^mdtest: -e: 512 bytes .*: use a multiple of 4096$' \
        -F -n 3 -w 4096 -e 512 -d "$mount/D"
    run 2 - -F -n 3 -w 4096 -e 4096 -d "$mount/D" --posix.odirect
    expect_status 0 || true
    expect_gone "after refusals" "$mount/D" || true
else
    echo "not tried: blocks of 4096 bytes (no loop device of our own)"
fi

# A file system in memory takes any size, or no O_DIRECT at all.
d=$TEST_DIR/D
if can_write "$TEST_DIR" 100; then
    run 2 - -F -n 3 -w 100 -e 100 -d "$d" --posix.odirect
    expect_status 0 || true
elif can_write "$TEST_DIR" 4096; then
    refused '^mdtest: -w: 100 bytes ' -F -n 3 -w 100 -d "$d"
else
    refused "^mdtest: --posix\.odirect: $d does not take O_DIRECT\$" \
        -F -n 3 -w 4096 -d "$d"
fi
expect_gone "after a run in memory" "$d" || true

# One that does not take it makes the file first.
for options in "-F -n 3 -w 4096" "-n 3" "-D -n 3"; do
    read -r -a args <<<"$options"
    last_run="mdtest $options --posix.odirect where that is not taken"
    status=0
    mpi 2 - env "LD_PRELOAD=$recorder" TREEMARK_RECORD_INDIRECT=1 \
        timeout -k 5 60 "$mdtest" "${args[@]}" -d "$d" --posix.odirect \
        >"$out" 2>"$err" || status=$?
    expect_status 2 || true
    expect_equal "line" \
        "mdtest: --posix.odirect: $d does not take O_DIRECT" \
        "$(cat "$out" "$err")" || true
    expect_gone "after the refusal" "$d" || true
done
finish
