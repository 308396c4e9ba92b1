#!/bin/bash
# Disks that become full, files that shrink, and signals: the run ends with a
# result, and takes what it made away.
set -eu
# shellcheck source=ior.bash
. "$(dirname "$0")/ior.bash"
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

# no_crash WHAT: counted as failed, in few lines.
no_crash() {
    expect_status 1 "$1" || true
    says 'ENOSPC|No space left' "$1: the reason" || true
    within "lines of $1" 1 70 "$(complaints)" || true
    verdict_last
    expect_no_line '\bnan\b|\binf\b|[Aa]ssert|core dumped' "$1" || true
}

# await_file PATTERN: some file of it has bytes.
await_file() {
    local i
    for ((i = 0; i < 200; i++)); do
        if [ -n "$(find "$base" -name "$1" -size +0 -print -quit 2>/dev/null)" ]; then
            sleep 0.3
            return 0
        fi
        sleep 0.05
    done
    bad_with_output "no file in ten seconds"
}

# await PID SECONDS: the status of a child, or kill it.
await() {
    local i
    for ((i = 0; i < $2 * 20; i++)); do
        if ! kill -0 "$1" 2>/dev/null; then
            break
        fi
        sleep 0.05
    done
    if kill -0 "$1" 2>/dev/null; then
        bad "still running $2 s after the signal"
        kill -KILL "$1" || true
    fi
    status=0
    wait "$1" || status=$?
}

# interrupted SIGNAL WANT PATTERN ARGS...: one rank, stopped while it writes.
interrupted() {
    local signal=$1 want=$2 pattern=$3 child
    shift 3
    last_run="ior $* and SIG$signal"
    # A shell starts what runs in the background with SIGINT ignored.
    env --default-signal=INT "$ior" "$@" </dev/null >"$out" 2>"$err" &
    child=$!
    await_file "$pattern"
    kill "-$signal" "$child" || true
    await "$child" 15
    expect_status "$want" || true
    if ! grep -iq interrupted "$out" "$err"; then
        bad_with_output "the report is not marked interrupted"
    fi
}

# --- signals -------------------------------------------------------------------

# About a minute of writing, if nobody stops it.
long=(-O interIODelay=10000 -t 4k -b 24m)

part "SIGINT and SIGTERM: a partial result, and nothing stays"
interrupted INT 130 f -w -r "${long[@]}" -o "$f" --json "$json"
expect_empty_dir "after SIGINT" "$base" || true
expect_line '^write +[0-9.]+ ' "the row of what was done" || true
within "transfers" 5 6000 "$(moved write)" || true
verdict_last
expect_rows "write 0" || true
expect_json "$json" 'r["run"]["interrupted"]' SIGINT
expect_json "$json" 'r["verdict"]["ok"]' false
/usr/bin/python3 "$here/validate.py" "$here/../results.schema.json" "$json" ||
    bad "the result is not valid"
interrupted TERM 143 'f.*' -F -u -w "${long[@]}" -o "$f"
expect_empty_dir "after SIGTERM, with -u" "$base" || true

part "--keep keeps the part that there is"
interrupted INT 130 f -w -k --keep "${long[@]}" -o "$f"
if [ ! -s "$f" ]; then
    bad "--keep kept nothing"
fi

part "what was there before is left, without bytes"
: >"$f"
inode=$(stat -c %i "$f")
interrupted INT 130 f -w "${long[@]}" -o "$f"
expect_equal "inode and size" "$inode 0" "$(stat -c '%i %s' "$f")" || true

part "in a read nothing is removed"
truncate -s 24m "$f"
last_run="ior -r and SIGINT"
env --default-signal=INT "$ior" -r "${long[@]}" -o "$f" </dev/null >"$out" 2>"$err" &
child=$!
sleep 1
kill -INT $child
await $child 15
expect_status 130 || true
expect_equal "size" 25165824 "$(stat -c %s "$f")" || true

part "through the launcher"
for options in "-F" "-a MPIIO -c" "-a MMAP"; do
    read -ra words <<<"$options"
    rm -f "$f"
    last_run="mpiexec -n 2 ior $options and SIGINT"
    env --default-signal=INT "$MPIEXEC" -n 2 "$ior" -w "${words[@]}" \
        "${long[@]}" -o "$f" </dev/null >"$out" 2>"$err" &
    child=$!
    await_file 'f*'
    kill -INT $child || true
    await $child 25
    # The status is the launcher's own, which may be gone before its ranks.
    for ((i = 0; i < 200; i++)); do
        if [ -z "$(find "$base" -type f -print -quit)" ]; then
            break
        fi
        sleep 0.05
    done
    expect_empty_dir "after SIGINT to the launcher, $options" "$base" || true
    if ! grep -iq interrupted "$out" "$err"; then
        bad_with_output "the report is not marked interrupted"
    fi
done

# --- files that shrink -----------------------------------------------------------

part "a file that is cut while it is read"
for api in POSIX MMAP MPIIO; do
    rm -f "$f"
    works 1 - -w -k -G 4 -t 4k -b 1m -o "$f"
    last_run="ior -a $api -r of a file that is cut"
    status=0
    timeout -k 5 30 "$ior" -a $api -r -k -O interIODelay=10000 -t 4k -b 1m -o "$f" \
        </dev/null >"$out" 2>"$err" &
    child=$!
    sleep 0.8
    truncate -s 8k "$f"
    await $child 15
    expect_status 1 "$api" || true
    says 'short|end of file|SIGBUS|EIO|ENODATA|Input/output' "$api: why" || true
    verdict_last
done

# --- full disks --------------------------------------------------------------------

if [ "$(id -u)" -ne 0 ] || ! mount -t tmpfs tmpfs "$mount" 2>/dev/null; then
    echo "not tried: disks that become full (only root can mount)"
    finish
    exit 0
fi
unmount
cd "$TEST_DIR"
build_recorder

part "what does not fit is refused beforehand"
mounted size=1m
for options in "" "-F" "-a MMAP" "-a MPIIO"; do
    read -ra words <<<"$options"
    run 2 - "${words[@]}" -w -t 64k -b 4m -o "$mount/f"
    refused "8 MiB on a disk of 1 ($options)" 'space|room|free' || true
    expect_empty_dir "refused" "$mount" || true
done

# Believed to have room by LD_PRELOAD, or warned of only because of -D.
full() {
    last_run="ior $* on a file system that seems to have room"
    status=0
    mpi 2 - env "LD_PRELOAD=$recorder" TREEMARK_RECORD_ROOMY=1 \
        timeout -k 5 30 "$ior" "$@" -o "$mount/f" \
        >"$out" 2>"$err" || status=$?
}

part "a disk that becomes full is an error, and the file goes"
for options in "-w" "-F -u -w -r" "-a MMAP -w" "-a MMAP -F -w -r" \
    "-a MPIIO -c -w -r" "-a MPIIO -F -w" "-w -e -z -i 2" "-w -W -R"; do
    read -ra words <<<"$options"
    mounted size=1m
    full "${words[@]}" -t 64k -b 4m
    no_crash "$options"
    expect_empty_dir "after a full disk, $options" "$mount" || true
done
part "or stays with -k"
mounted size=1m
full -w -k -t 64k -b 4m
no_crash -k
if [ ! -s "$mount/f" ]; then
    bad "-k kept nothing"
fi

part "-D is an upper bound only: warned of, and met"
mounted size=1m
run 2 - -w -t 64k -b 4m -D 20 -O stoneWallingWearOut=1 -o "$mount/f"
no_crash "-D"
warned 'space|room|free|full' "beforehand" || true
expect_empty_dir "after a full disk with -D" "$mount" || true

part "no names left"
mounted size=1m,nr_inodes=4
full -F -w -m -i 2 -k -t 4k -b 4k
expect_status_in "1 2" "no more inodes" || true
says 'ENOSPC|No space left' "why" || true

part "a read-only file system"
mounted size=1m
works 2 - -w -k -G 4 -t 4k -b 8k -o "$mount/f"
mount -o remount,ro "$mount"
for api in POSIX MMAP MPIIO; do
    works 2 - -a $api -r -R -G 4 -k -t 4k -b 8k -o "$mount/f"
    run 2 - -a $api -w -t 4k -b 8k -o "$mount/g"
    expect_status_in "1 2" || true
    says 'Read-only file system|EROFS' "the reason" || true
done
part "result files on a full disk"
mounted size=16k
run 1 - -a DUMMY -w -t 4k -b 4k -i 50 -o "$f" --json "$mount/run.json"
expect_status 1 "a JSON file that cannot be written" || true
says "$mount/run.json.*No space left" "which" || true
finish
