#!/bin/bash
# --trace: each rank writes down the calls that a recorder between it and the
# C library sees, in order; and what it moves to and from files as well.
set -eu
# shellcheck source=lib.bash
. "$(dirname "$0")/lib.bash"
build_recorder
d=$TEST_DIR/D
trace=$TEST_DIR/trace

# The recorder sees each piece of a transfer; that of the marker is in pieces.
without_pieces() {
    awk '!(/^(read|write) / && index($0, "/.treemark"))' "$1"
}

# as_recorded FILE: the lines of a trace that a recording has, in its form.
as_recorded() {
    without_pieces "$1" | awk -v below="$d" '
        !index($0, below) || /^(opendir|statvfs) / { next }
        { sub(/^unlinkat AT_REMOVEDIR/, "unlinkat") }
        /^rename/ { sub(/ -> /, " ") }
        /^(read|write) / { sub(/ -> [0-9]+$/, "") }
        { print }'
}

# --- the same as recorded ----------------------------------------------------

# Deep and shallow, every phase, whole paths and names in directories; what
# fails is there, too.
export TREEMARK_RECORD_DATA=1
for np in 1 2; do
    for options in "-n 4" "-b 2 -z 4 -I 2" "-F -u -b 3 -z 1 -L -n 9 -w 5 -e 5" \
        "-D -n 6 -I 3 -i 2" "-b 2 -z 3 -I 2 --access=dirfd" "-F -n 3 -N 1" \
        "-F -T -n 3" "-F -n 3 -R5 -y -w 9" "-n 3 --as=mdtest-4.1"; do
        read -r -a args <<<"$options"
        rm -rf "$trace".* "$d"
        record "$TEST_DIR/log" "$d" "$np" - "${args[@]}" -d "$d" \
            --trace="$trace"
        case $options in
        *-T*) expect_status 1 || true ;;
        *) expect_status 0 || true ;;
        esac
        expect_line '^WARNING: .* \(TRACED\)$' "what is traced" || true
        for ((rank = 0; rank < np; rank++)); do
            without_pieces "$TEST_DIR/log.$rank" >"$TEST_DIR/want"
            as_recorded "$trace.$rank" >"$TEST_DIR/got"
            expect_same_file "$options, rank $rank of $np" \
                "$TEST_DIR/want" "$TEST_DIR/got" || true
            if [ ! -s "$TEST_DIR/got" ]; then
                bad "$options, rank $rank of $np: nothing was compared"
            fi
        done
        expect_equal "files" "$np" "$(find "$TEST_DIR" -name 'trace*' | wc -l)" ||
            true
    done
done
if ! grep -q '^stat .*/file\.mdtest\.0\.0$' "$trace.0"; then
    bad "a trace has no stat of the first file"
fi
run 2 - -F -n 2 -d "$d"
expect_no_line 'TRACED' "without --trace" || true

# --- what a recording does not have ------------------------------------------

# of_item FILE NUMBER: the lines of rank 0's file of that number, without paths.
of_item() {
    sed -n "s|$d/test-dir.0-0/mdtest_tree.0/file.mdtest.0.$2||p" "$1" |
        tr -s ' ' | tr '\n' ';'
}

run 2 - -F -n 2 -w 5000 -e 100 -y -d "$d" --trace="$trace"
expect_status 0 || true
want='open O_RDWR|O_CREAT ;write 5000 -> 5000;fsync ;close ;stat ;'
want=$want'open O_RDONLY ;read 100 -> 100;close ;unlink ;'
expect_equal "calls on a file" "$want" "$(of_item "$trace.0" 1)" || true
run 2 - -F -n 2 -w 5000 --verify-write -Y -d "$d" --trace="$trace"
expect_status 0 || true
want='open O_RDWR|O_CREAT ;write 5000 -> 5000;lseek 0 ;read 5000 -> 5000;close ;'
case $(of_item "$trace.0" 0) in
"$want"*) ;;
*) bad "calls with --verify-write: $(of_item "$trace.0" 0)" ;;
esac
if ! grep -qx sync "$trace.1"; then
    bad "a trace with -Y has no sync"
fi

# Failures carry their reason; DUMMY is traced like any other.
run 2 - -a DUMMY -F -n 4 -w 10 --dummy.fail=stat:2:EACCES \
    --dummy.fail-only-rank=1 -d "$d" --trace="$trace"
expect_status 1 || true
expect_equal "failed on rank 1" \
    "stat $d/test-dir.0-0/mdtest_tree.0/file.mdtest.1.1 -> EACCES" \
    "$(grep -h 'EACCES' "$trace".?)" || true
expect_equal "stats of rank 0" 4 "$(grep -c '^stat ' "$trace.0")" || true
run 1 - -F -C -n 1 -w 10 -d "$d"
run 1 - -F -E -n 2 -e 20 -d "$d" --trace="$trace"
expect_equal "a short read" \
    'open O_RDONLY ;read 20 -> 10;close ;' "$(of_item "$trace.0" 0)" || true
expect_equal "a file that is not there" \
    'open O_RDONLY -> ENOENT;' "$(of_item "$trace.0" 1)" || true

# Ranks that wait in a scan have a file with what they did before.
run 1 - -F -r -n 1 -d "$d"
drop "$d"
rm -f "$trace".*
run 2 - -F -n 2 -f 1 -l 1 -d "$d" --trace="$trace"
expect_status 0 || true
if [ ! -e "$trace.1" ] || grep -q 'file\.mdtest' "$trace.1"; then
    bad "a rank that has nothing to do: $(ls "$trace".*)"
fi

# --- files that cannot be ----------------------------------------------------

# Refused on one line, and nothing is touched.
refused() { # WANT
    expect_status 2 || true
    expect_equal "what is said" "$1" "$(cat "$out" "$err")" || true
    expect_gone "after the refusal" "$d" || true
}
run 2 - -F -n 2 -d "$d" --trace="$TEST_DIR/no/trace"
refused "mdtest: --trace: $TEST_DIR/no/trace.0: No such file or directory"
mkdir "$TEST_DIR/taken.1"
run 2 - -F -n 2 -d "$d" --trace="$TEST_DIR/taken"
refused "mdtest: --trace: $TEST_DIR/taken.1: Is a directory"
expect_gone "of a rank that could write" "$TEST_DIR/taken.0" || true

# A launch that is refused leaves the trace of the one before.
run 1 - -F -C -n 2 -d "$d"
echo precious >"$trace.0"
rm -f "$trace.1"
run 2 - -F -n 2 -d "$d" --trace="$trace"
expect_status 2 || true
expect_no_line 'TRACED' "refused" || true
expect_equal "files" "$trace.0" "$(find "$TEST_DIR" -name 'trace*')" || true
expect_equal "the trace before" precious "$(cat "$trace.0")" || true
run 1 - -F -r -n 2 -d "$d"
drop "$d"

# What could not be written is said at the end.
if [ -c /dev/full ]; then
    for rank in 0 1; do
        rm -f "$TEST_DIR"/full.*
        ln -s /dev/full "$TEST_DIR/full.$rank"
        run 2 - -F -n 2 -d "$d" --trace="$TEST_DIR/full"
        expect_status 1 || true
        expect_equal "what is said" \
            "mdtest: --trace: $TEST_DIR/full.$rank: No space left on device" \
            "$(cat "$err")" || true
        expect_line '^-- finished at' "a whole report" || true
        expect_gone "after the run" "$d" || true
    done
else
    echo "not tried: a full device (no /dev/full)"
fi
finish
