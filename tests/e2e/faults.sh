#!/bin/bash
# What fails is counted, shown under its row, left out of the rate and makes
# the status 1; what can be seen beforehand is refused with status 2.  No
# crash, no hang, no flood, and nothing left behind.
set -eu
# shellcheck source=lib.bash
. "$(dirname "$0")/lib.bash"
d=$TEST_DIR/D

# expect_counted NAME WANT: rate x time, the operations that the rate counts.
# Single iteration with -P only.
expect_counted() {
    close_to "operations in the rate of $1" "$2" \
        "$(awk -v t="$(time_row "$1")" -v r="$(row "$1")" \
            'BEGIN { print r * t }')" 3 || true
}

fresh() {
    rm -rf "$d"
    mkdir "$d"
}

# --- on demand: DUMMY, n is known -------------------------------------------

dummy() { # NP ARGS...
    local np=$1
    shift
    run "$np" - -a DUMMY -d "$d" "$@"
}

dummy 1 -F -n 10 --dummy.fail=unlink:3
expect_status 1 || true
if ! [[ $(failed "File removal") =~ ^1\ of\ 10\ \([A-Z]+\ 1\)$ ]]; then
    bad_with_output "expected 1 of 10 removals failed"
fi
for name in "File creation" "File stat" "File read"; do
    expect_failed "$name" "" || true
done

dummy 1 -F -n 10 --dummy.fail=stat:3:ESTALE
expect_status 1 || true
expect_failed "File stat" "1 of 10 (ESTALE 1)" || true

dummy 2 -F -n 10 --dummy.fail-every=stat:5:EACCES
expect_status 1 || true
expect_failed "File stat" "4 of 20 (EACCES 4)" || true
expect_failed "File creation" "" || true

dummy 2 -F -n 10 --dummy.fail-every=open:2:EIO --dummy.fail-only-rank=1
expect_status 1 || true
expect_failed "File read" "5 of 20 (EIO 5)" || true

dummy 2 -D -n 9 --dummy.fail-every=stat:3:ENOENT
expect_status 1 || true
expect_failed "Directory stat" "6 of 18 (ENOENT 6)" || true

# Several iterations: all of them are summed.
dummy 1 -F -n 10 -i 3 --dummy.fail-every=unlink:5:EBUSY
expect_status 1 || true
expect_failed "File removal" "6 of 30 (EBUSY 6)" || true

# What was never made is not visited, and only what succeeded is a rate.
dummy 2 -F -n 10 -P --dummy.fail-every=create:5:EACCES \
    --dummy.delay-create=10000
expect_status 1 || true
expect_failed "File creation" "4 of 20 (EACCES 4)" || true
expect_failed "File stat" "" || true
expect_counted "File creation" 16

# Whatever was planned is done, has failed or was not tried.
dummy 1 -D -n 4 --dummy.fail=mkdir:4:EACCES
expect_status 1 || true
expect_failed "Directory creation" "1 of 4 (EACCES 1)" || true
for name in "Directory stat" "Directory rename" "Directory removal"; do
    expect_failed "$name" "" || true
    expect_missed "$name" "1 of 4" || true
done
dummy 1 -D -n 4 -I 2 --dummy.fail=mkdir:5:EACCES
expect_missed "Directory rename" "2 of 4" || true
for barriers in '' -B; do
    # shellcheck disable=SC2086 # an option or none
    dummy 1 -n 4 -z 1 $barriers --dummy.fail=mkdir:2:ENOSPC
    expect_status 1 || true
    expect_failed "Tree creation" "1 of 1 (ENOSPC 1)" || true
    expect_missed "Tree creation" "1 of 2" || true
    for name in "Directory creation" "Directory rename" "File stat" \
        "File removal"; do
        expect_missed "$name" "4 of 4" || true
    done
done
dummy 1 -F -n 2 -z 1 --dummy.fail=mkdir:3:EACCES \
    --dummy.fail-every=rmdir:1:ENOENT
expect_failed "Tree creation" "1 of 2 (EACCES 1)" || true
expect_failed "Tree removal" "" || true
expect_missed "Tree removal" "2 of 2" || true
dummy 1 -F -C -n 4 -i 3 --dummy.fail=create:2:ENOSPC
expect_status 1 || true
expect_failed "File creation" "1 of 2 (ENOSPC 1)" || true
expect_missed "File creation" "10 of 12" || true
expect_missed "Tree creation" "2 of 3" || true

# With -c an item is one operation: what rank 0 could not close fails once, and
# others have nothing to fill.
dummy 1 -F -c -n 3 --dummy.fail=close:1:EIO
expect_status 1 || true
expect_failed "File creation" "1 of 1 (EIO 1)" || true
expect_missed "File creation" "2 of 3" || true
dummy 1 -F -c -n 3 --dummy.fail-every=close:2:EACCES
expect_failed "File creation" "2 of 3 (EACCES 2)" || true

# Only -T: with every stat failing, a run may find no root to create in.
dummy 1 -F -n 10 --dummy.fail-every=stat:1:EACCES
expect_status_in "1 2" || true
dummy 1 -F -T -n 10 -P --dummy.fail-every=stat:1:EACCES
expect_status 1 || true
expect_failed "File stat" "10 of 10 (EACCES 10)" || true
expect_equal "rate of stats that all failed" 0.000 "$(row "File stat")" || true
expect_line 'finished' "the report is whole" || true

# A failed message names the call, the reason and the path, once.
lines=$(cat "$out" "$err" | grep -c 'Permission denied' || true)
expect_equal "messages for one distinct failure" 1 "$lines" || true
if ! cat "$out" "$err" | grep 'Permission denied' | grep -q 'file\.mdtest\.0'; then
    bad_with_output "the message names no path"
fi

# Data that cannot be moved.
dummy 1 -F -n 4 -w 10 -e 10 --dummy.fail=write:2:EDQUOT
expect_status 1 || true
if ! [[ $(failed "File creation") =~ EDQUOT\ 1 ]]; then
    bad_with_output "a failed write is a failed creation"
fi
dummy 1 -F -n 4 -w 100 -e 10 --dummy.fail-after-bytes=250
expect_status 1 || true
if [ -z "$(failed "File creation")" ]; then
    bad_with_output "no failed creation after 250 bytes"
fi

# The bar for job chains.
dummy 2 -F -n 10 --dummy.fail-every=stat:5:EACCES --tolerate 4
expect_status 0 "4 failures are tolerated" || true
expect_failed "File stat" "4 of 20 (EACCES 4)" || true
dummy 2 -F -n 10 --dummy.fail-every=stat:5:EACCES --tolerate=3
expect_status 1 "4 failures are more than 3" || true
dummy 2 -F -n 10 --dummy.fail-every=stat:5:EACCES --tolerate=50%
expect_status 0 "4 failures are less than half" || true
dummy 2 -F -n 10 --dummy.fail-every=stat:5:EACCES --tolerate=1%
expect_status 1 "4 failures of 80 are more than 1%" || true

# Limits: a rank stops at --max-errors in a phase; 0 is no limit.
count_failed() {
    local text
    text=$(failed "$1")
    echo "${text%% of*}"
}
dummy 1 -F -T -n 3000000 --dummy.fail-every=stat:1:EACCES --max-errors 5
expect_status 1 || true
count=$(count_failed "File stat")
if [ "${count:-0}" -lt 5 ] || [ "$count" -ge 1500000 ]; then
    bad_with_output "--max-errors 5: expected some stats, '$count' failed"
fi
dummy 1 -F -T -n 3000000 --dummy.fail-every=stat:1:EACCES
count=$(count_failed "File stat")
if [ "${count:-0}" -lt 1000 ] || [ "$count" -ge 1500000 ]; then
    bad_with_output "at most 1000 by default: '$count' failed"
fi
dummy 1 -F -T -n 3000 --dummy.fail-every=stat:1:EACCES --max-errors 0
expect_failed "File stat" "3000 of 3000 (EACCES 3000)" || true

# --- on a real tree ----------------------------------------------------------

# Nothing there.
fresh
run 2 - -F -T -n 5 -d "$d"
expect_status 1 || true
expect_failed "File stat" "10 of 10 (ENOENT 10)" || true
expect_equal "rate" 0.000 "$(row "File stat")" || true
run 2 - -F -E -n 5 -d "$d"
expect_status 1 || true
expect_failed "File read" "10 of 10 (ENOENT 10)" || true
run 2 - -D -U -n 5 -d "$d"
expect_status 1 || true
run 2 - -n 5 -r -d "$d"
expect_status 1 || true
expect_failed "File removal" "10 of 10 (ENOENT 10)" || true
expect_failed "Directory removal" "10 of 10 (ENOENT 10)" || true
expect_empty_dir "stat, read, rename and removal of nothing" "$d" || true

# More asked for than was made.
run 1 - -F -C -n 5 -d "$d"
run 1 - -F -T -n 8 -d "$d"
expect_status 1 || true
expect_failed "File stat" "3 of 8 (ENOENT 3)" || true
run 1 - -F -E -n 8 -d "$d"
expect_failed "File read" "3 of 8 (ENOENT 3)" || true
run 1 - -F -r -n 8 -d "$d"
expect_status 1 || true
expect_failed "File removal" "3 of 8 (ENOENT 3)" || true
expect_empty_dir "all the same, what there was is removed" "$d" || true

# Other ranks than made it.
run 2 - -F -C -n 5 -d "$d"
run 1 - -F -r -n 5 -d "$d"
expect_status 1 "half of the files are left: no rmdir of the tree" || true
expect_equal "files that are left" 5 "$(find "$d" -type f | wc -l)" || true
run 3 - -F -T -n 5 -d "$d"
expect_status 1 || true
expect_failed "File stat" "10 of 15 (ENOENT 10)" || true
run 2 - -F -r -n 5 -d "$d"
expect_status 1 || true
expect_failed "File removal" "5 of 10 (ENOENT 5)" || true
expect_empty_dir "after the right number of ranks" "$d" || true

# A chain of renames broke in the middle: what kept the name -XX goes, too.
run 1 - -D -C -n 4 -d "$d"
expect_status 0 || true
tree=$d/test-dir.0-0/mdtest_tree.0
mv "$tree/dir.mdtest.0.0" "$tree/dir.mdtest.0.0-XX"
mv "$tree/dir.mdtest.0.1" "$tree/dir.mdtest.0.0"
run 1 - -D -r -n 4 -d "$d"
expect_status 1 || true
expect_failed "Directory removal" "1 of 4 (ENOENT 1)" || true
expect_failed "Tree removal" "" || true
expect_empty_dir "after a broken chain" "$d" || true

# Fewer bytes than are asked for.
run 1 - -F -C -n 3 -w 64 -d "$d"
expect_status 0 || true
run 1 - -F -E -n 3 -e 64 -d "$d"
expect_status 0 || true
run 1 - -F -E -n 3 -e 100 -d "$d"
expect_status 1 "a short read is a failure" || true
run 1 - -F -r -n 3 -d "$d"
expect_status 0 || true

# A limit on the size of files is a failure of the write, and no death.
last_run="mdtest -w 24m with files limited to 20000 KiB"
status=0
(
    ulimit -f 20000
    exec "$mdtest" -F -n 2 -w 24m -d "$d"
) </dev/null >"$out" 2>"$err" || status=$?
expect_status 1 || true
expect_failed "File creation" "2 of 2 (EFBIG 2)" || true
expect_failed "File stat" "2 of 2 (ENODATA 2)" || true
expect_empty_dir "after the limit" "$d" || true

# Closed standard files are not what the program opens first: the report that
# has no place to go is an error.
last_run="mdtest with all standard files closed"
status=0
"$mdtest" -F -n 2 -d "$d" <&- >&- 2>&- || status=$?
expect_equal "status without a standard output" 1 "$status" || true
expect_empty_dir "without standard files" "$d" || true

# The root is a file.
rm -rf "$d"
echo precious >"$d"
for kind in -D -F; do
    run 2 - "$kind" -n 2 -d "$d"
    expect_status_in "1 2" || true
    expect_equal "the file" precious "$(cat "$d")" || true
    if [ "$(complaints)" -gt 40 ]; then
        bad_with_output "too many lines: $(complaints)"
    fi
done
run 1 - -F -n 2 -d "$d/below"
expect_status_in "1 2" || true
rm -f "$d"

# A name is taken by a directory; it is refused, or fails alone.
fresh
mkdir -p "$d/test-dir.0-0/mdtest_tree.0/file.mdtest.0.3/full"
run 1 - -F -n 5 -d "$d"
expect_status_in "1 2" || true
run 1 - -F -n 5 --leftovers=reuse -d "$d"
expect_status_in "1 2" || true
if [ "$status" -eq 1 ]; then
    expect_failed "File creation" "1 of 5 (EISDIR 1)" || true
fi
if [ ! -d "$d/test-dir.0-0/mdtest_tree.0/file.mdtest.0.3/full" ]; then
    bad "a directory that is none of ours was removed"
fi
rm -rf "$d"

# A mode that forbids it, for ordinary users.
unwritable=$TEST_DIR/unwritable
mkdir "$unwritable"
chmod 555 "$unwritable"
cannot_write() { # COMMAND-PREFIX...
    local kind
    for kind in -D -F; do
        last_run="$* mdtest $kind -n 2 -d an unwritable directory"
        status=0
        timeout 60 "$@" "$mdtest" "$kind" -n 2 -d "$unwritable/D" \
            </dev/null >"$out" 2>"$err" || status=$?
        expect_status_in "1 2" || true
        if ! cat "$out" "$err" | grep -q 'Permission denied'; then
            bad_with_output "the reason is not said"
        fi
        if [ "$(complaints)" -gt 40 ]; then
            bad_with_output "too many lines: $(complaints)"
        fi
    done
    expect_empty_dir "what could not be written" "$unwritable" || true
}
if [ "$(id -u)" -ne 0 ]; then
    cannot_write env
elif command -v setpriv >/dev/null && setpriv --reuid=65534 --regid=65534 \
    --clear-groups test -x "$mdtest" -a -x "$TEST_DIR" 2>/dev/null; then
    cannot_write setpriv --reuid=65534 --regid=65534 --clear-groups
else
    echo "not tried: an unwritable directory (root, and no way to be another)"
fi

# Where the file system takes no tree, nothing is tried in it.
run 2 - -a DUMMY -F -n 2 --dummy.fail=mkdir:2:EROFS -d "$d"
expect_status 1 || true
expect_failed "Tree creation" "1 of 1 (EROFS 1)" || true
for name in "File creation" "File stat" "File read" "File removal"; do
    expect_equal "$name without a tree" 0.000 "$(row "$name")" || true
    expect_failed "$name" "" || true
done

# A tree that could not be made is not missed when trees are removed.
run 1 - -a DUMMY -F -n 2 --dummy.fail=mkdir:2:EACCES \
    --dummy.fail-every=rmdir:1:ENOENT -d "$d"
expect_status 1 || true
expect_failed "Tree creation" "1 of 1 (EACCES 1)" || true
expect_failed "Tree removal" "" || true

finish
