# shellcheck shell=bash
# A file system of its own for a test, and what is run on it; sourced.
#
# shellcheck source=../e2e/lib.bash
. "$(dirname "${BASH_SOURCE[0]}")/../e2e/lib.bash"
here=$(cd "$(dirname "${BASH_SOURCE[0]}")/../e2e" && pwd) # of recorder.c
mount=$TEST_DIR/mount
image=$TEST_DIR/image
d=$mount/D
csv=$TEST_DIR/ranks.csv
mkdir "$mount"

unmount() {
    local i
    for i in 1 2 3 4 5; do
        if ! mountpoint -q "$mount"; then
            return 0
        fi
        umount "$mount" 2>/dev/null || sleep 0.2
    done
    umount -l "$mount"
}
trap unmount EXIT

# need TOOL PACKAGE: a program that makes file systems.
need() {
    if ! command -v "$1" >/dev/null; then
        skip "no $1 (package $2)"
    fi
}

if [ "$(id -u)" -ne 0 ]; then
    skip "only root can mount"
fi
need losetup mount

# on_image TYPE MIB MKFS...: mount a new file system of a type.
on_image() {
    local type=$1
    unmount
    rm -f "$image"
    truncate -s "$2M" "$image"
    shift 2
    if ! "$@" "$image" >"$TEST_DIR/said" 2>&1; then
        skip "$1: $(tail -n 1 "$TEST_DIR/said")"
    fi
    if ! mount -o loop "$image" "$mount" 2>"$TEST_DIR/said"; then
        skip "no $type here: $(tail -n 1 "$TEST_DIR/said")"
    fi
}

# well NP HOSTS OPTIONS...: a run in which all goes well; sets nothing, leaves
# nothing.
well() {
    run "$@" -d "$d" --saveRankPerformanceDetails="$csv"
    expect_status 0 || true
    expect_no_line '^      (failed|not tried) ' "all goes well" || true
    if [ -s "$err" ]; then
        bad_with_output "something is said"
    fi
}

# operations PHASE: how many the last run did, which is its rate times its time.
operations() {
    awk -F, -v "name=rate-$1" '
        NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) column = i }
        $1 == "all" && $column != "" { n += $column * $(column + 1) }
        END { printf "%d\n", n + 0.5 }' "$csv"
}

# counts N PHASE...: of each phase.
counts() {
    local n=$1 phase
    shift
    for phase; do
        expect_equal "operations of $phase" "$n" "$(operations "$phase")" || true
    done
}

file_phases=("File creation" "File stat" "File read" "File removal")
dir_phases=("Directory creation" "Directory stat" "Directory rename"
    "Directory removal")

# matrix NP: small runs of all kinds.
matrix() {
    local np=$1 phase
    well 1 - -n 4
    counts 4 "${dir_phases[@]}" "${file_phases[@]}"
    expect_gone "what it made" "$d" || true
    well "$np" - -n 6 -u -b 2 -z 1 -N 1
    counts $((6 * np)) "${dir_phases[@]}" "${file_phases[@]}"
    counts $((3 * np)) "Tree creation" "Tree removal"
    well "$np" - -F -n 4 -w 4096 -e 4096 -X -G 7 -y --verify-write
    counts $((4 * np)) "${file_phases[@]}"
    well "$np" - -F -n 4 -S -w 16 -e 16
    counts $((4 * np)) "File creation" "File stat" "File read"
    counts 4 "File removal"
    well "$np" - -n 3 -c -w 16 -e 16 -X -G 7 -N 1
    counts $((3 * np)) "${dir_phases[@]}" "${file_phases[@]}"
    well "$np" - -n 4 -I 2 -z 1 -i 2
    counts $((16 * np)) "${file_phases[@]}"
    well "$np" - -n 6 -b 2 -z 1 -L -k --access=dirfd --tree=parallel
    counts $((6 * np)) "${dir_phases[@]}" "${file_phases[@]}"
    well "$np" - -n 4 -B -u -R5 --random-remove
    counts $((4 * np)) "${dir_phases[@]}" "${file_phases[@]}"
    well "$np" a:1,b:1 -n 4 -N 1
    counts $((4 * np)) "${dir_phases[@]}" "${file_phases[@]}"
    run "$np" - -F -n 2 -w 4096 -e 4096 --posix.odirect -d "$d"
    expect_status_in "0 2" "O_DIRECT works, or is refused" || true
    expect_gone "what all have made" "$d" || true

    # Phase by phase, and the same names as anywhere else.
    rm -rf "$TEST_DIR/D"
    run "$np" - -b 2 -z 1 -I 2 -C -w 16 -d "$TEST_DIR/D"
    tree_of "$TEST_DIR/D" >"$TEST_DIR/made"
    for phase in -C -T -E -U; do
        well "$np" - -b 2 -z 1 -I 2 "$phase" -w 16
        tree_of "$d" >"$TEST_DIR/then"
        expect_same_file "the tree after $phase" "$TEST_DIR/made" \
            "$TEST_DIR/then" || true
    done
    well "$np" - -b 2 -z 1 -I 2 -r
    expect_empty_dir "after -r" "$d" || true
    drop "$d"
}

# full ERRNO OPTIONS...: a run that believes that there is room, and meets that
# there is none.
full() {
    local errno=$1
    shift
    if [ -z "${recorder:-}" ]; then
        build_recorder
    fi
    last_run="mdtest $* [np 2] on a file system that seems to have room"
    status=0
    mpi 2 - env "LD_PRELOAD=$recorder" TREEMARK_RECORD_ROOMY=1 \
        timeout -k 5 60 "$mdtest" "$@" -d "$d" >"$out" 2>"$err" || status=$?
    expect_status 1 || true
    if ! grep -Eq "^      failed  .*\($errno [0-9]+\)" "$out"; then
        bad_with_output "no $errno is told"
    fi
    if [ "$(complaints)" -gt 50 ]; then
        bad_with_output "too many lines: $(complaints)"
    fi
    expect_gone "what the full file system stopped" "$d" || true
}

# left: entries of the file system, but for what mkfs makes.
left() {
    find "$mount" -mindepth 1 ! -name lost+found -printf '%P\n' | sort
}

# after_all: the file system can be unmounted, and is as it was.
after_all() {
    expect_equal "left on the file system" "" "$(left)" || true
    if ! umount "$mount"; then
        bad "the file system is still in use"
    fi
    finish
}
