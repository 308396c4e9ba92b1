#!/bin/bash
# Rows of the log of odd inputs to the original (numbers in comments) that
# bad-input.sh has not: what comes of them here, and that they leave nothing.
set -eu
# shellcheck source=lib.bash
. "$(dirname "$0")/lib.bash"
build_recorder
base=$TEST_DIR/base
d=$base/D
tree=$d/test-dir.0-0/mdtest_tree.0

# row_of_log NUMBER WHAT: the next one; nothing is left of the one before.
row_of_log() {
    title="row $1: $2"
    rm -rf "$base"
    mkdir "$base"
    cd "$base"
}

refuse() { # NP REGEX ARGS...
    local np=$1 regex=$2
    shift 2
    run "$np" - "$@"
    refused "$*" "$regex" || true
    expect_empty_dir "what was refused" "$base" || true
}

accept() { # NP ARGS...
    local np=$1
    shift
    run "$np" - "$@"
    expect_status 0 || true
    expect_empty_dir "what was accepted" "$base" || true
}

row_of_log 19 "a negative stonewall"
refuse 1 '-W' -W -5 -n 10 -F -d "$d"
row_of_log 20 "a stonewall goes with any tree"
accept 1 -W 5 -b 2 -F -n 10 -d "$d"
expect_line '^WARNING: .*-b.*\(NO_EFFECT\)$' "-b without -z" || true
accept 1 -W 5 -b 2 -z 2 -F -I 2 -d "$d"

row_of_log 28 "what cannot be read, checked or written"
refuse 1 '-X|-e' -F -n 2 -X -d "$d"
refuse 1 '-X|-E' -F -n 2 -X -e 4 -w 4 -C -T -d "$d"
refuse 1 '-k|-w' -F -n 2 -k -w 3 -d "$d"

row_of_log 33 "-B is a flag"
accept 1 -B -F -n 2 -d "$d"
accept 1 -B 1 -F -n 2 -d "$d"
accept 2 -n 2 -d "$d" -B
row_of_log 33 "-B does not go with what needs barriers"
refuse 1 '-B|-W' -F -n 2 -B -W 1 -d "$d"
refuse 2 '-B|-N' -F -n 2 -B -N 1 -d "$d"
refuse 1 '-B|-c' -F -n 2 -B -c -d "$d"
refuse 1 '-B|-S' -F -n 2 -B -S -d "$d"

row_of_log 37 "contents that are not known"
for type in x zebra timestamps ran0 '' p place; do
    refuse 1 'dataPacketType' -F -n 2 -w 8 "--dataPacketType=$type" -d "$d"
done
row_of_log 37 "any beginning of a name"
for type in t o i r u n random tim; do
    accept 1 -F -n 2 -w 8 -e 8 -X "--dataPacketType=$type" -d "$d"
done

row_of_log 40 "mknod where nothing is stored"
accept 1 -a DUMMY -k -F -n 2 -d "$d"

row_of_log 41 "no name between two separators"
refuse 3 '-d' -F -n 2 -u -d "$d@@$base/E"
refuse 1 '-d' -F -n 2 -u -d "@"
row_of_log 42 "several directories"
refuse 2 '-d|-u' -F -n 2 -d "$d@$base/E"
refuse 2 '-d|-N' -F -n 2 -u -N 1 -d "$d@$base/E"
refuse 2 '-d|-c' -F -n 2 -u -c -d "$d@$base/E"
refuse 3 '-d' -F -n 2 -u -d "$d@$base/E@$base/F@$base/G"
accept 3 -n 2 -u -d "$d@$base/E"

row_of_log 46 "-d is a file"
echo precious >"$d"
for kind in -D -F; do
    run 1 - "$kind" -n 2 -d "$d"
    refused "a file" "$d" || true
done
expect_equal "the file" precious "$(cat "$d")" || true
rm "$d"

if [ "$(id -u)" -eq 0 ] && mkdir -p "$d" &&
    mount -t tmpfs -o size=1m,nr_inodes=64 tmpfs "$d" 2>/dev/null; then
    trap 'umount "$d" 2>/dev/null || true' EXIT
    title="row 49: more inodes than there are"
    for options in "-F -n 100" "-F -k -n 100" "-D -n 100"; do
        read -r -a args <<<"$options"
        run 1 - "${args[@]}" -d "$d"
        refused "inodes" "inodes|items|space" || true
        expect_empty_dir "$options" "$d" || true
    done
    title="row 50: more bytes than there are"
    run 1 - -F -n 20 -w 100000 -d "$d"
    refused "bytes" "space|bytes|[GMK]iB" || true
    expect_empty_dir "bytes" "$d" || true
    title="row 48: reading where one may not write"
    run 1 - -F -C -n 2 -w 10 -d "$d"
    mount -o remount,ro "$d"
    run 1 - -F -E -n 2 -e 10 -d "$d"
    expect_status 0 || true
    title="row 47: creating there"
    run 1 - -F -C -n 2 -d "$d/new"
    refused "read-only" "Read-only" || true
    umount "$d"
    trap - EXIT
else
    echo "not tried: rows 47 to 50 (cannot mount)"
fi

# An interrupt, 51 (52 is in defects.sh).
row_of_log 51 "SIGINT leaves nothing"
last_run="mdtest -D -n 100k, ended by SIGINT"
status=0
# A shell has what it starts in the background ignore SIGINT; 124 is said by
# timeout, which without --foreground sends the signal twice.
env LD_PRELOAD="$recorder" TREEMARK_RECORD_DELAY=1000 \
    timeout --foreground -s INT 1 "$mdtest" -D -n 100k -d "$d" </dev/null \
    >"$out" 2>"$err" || status=$?
expect_status_in "124 130" || true
expect_line '^-- interrupted by SIGINT' "it is said" || true
expect_empty_dir "" "$base" || true

row_of_log 57 "creating twice"
run 1 - -F -C -n 2 -d "$d"
run 1 - -F -C -n 2 -d "$d"
refused "the second time" "$d" || true
expect_equal "files" 2 "$(find "$d" -type f | wc -l)" || true

row_of_log 58 "reading more than there is"
run 1 - -F -C -n 3 -w 64 -d "$d"
run 1 - -F -E -n 3 -e 100 -d "$d"
expect_status 1 || true
expect_failed "File read" "3 of 3 (ENODATA 3)" || true

row_of_log 59 "more items than were made"
run 1 - -F -C -n 3 -d "$d"
for phase in -E -T -r; do
    run 1 - -F "$phase" -n 5 -d "$d"
    expect_status 1 || true
done
expect_failed "File removal" "2 of 5 (ENOENT 2)" || true
expect_empty_dir "what there was is removed" "$d" || true

row_of_log 60 "a name that is taken"
mkdir -p "$tree/file.mdtest.0.1"
run 1 - -F -n 3 -d "$d"
expect_status_in "1 2" || true
expect_equal "files" 0 "$(find "$d" -type f | wc -l)" || true
[ -d "$tree/file.mdtest.0.1" ] || bad "a directory of others is gone"

row_of_log 61 "status files"
run 2 - -F -C -n 3 -d "$d"
status_file=$TEST_DIR/status
rm -f "$status_file"
run 2 - -F -T -n 3 -x "$status_file" -d "$d"
expect_status 0 || true
expect_line '^WARNING: .*\(NO_STATUS\)$' "a missing file" || true
echo -1 >"$status_file"
run 2 - -F -T -n 3 -x "$status_file" -d "$d"
expect_status 0 || true
expect_line '^WARNING: .*\(NO_STATUS\)$' "-1" || true
for text in rubbish -7 '3 4' ''; do
    echo "$text" >"$status_file"
    run 2 - -F -T -n 3 -x "$status_file" -d "$d"
    refused "'$text'" "$status_file" || true
done
echo 0 >"$status_file"
run 2 - -F -T -n 3 -x "$status_file" -d "$d"
expect_status_in "0 2" "no file" || true
row_of_log 62 "a status file, but no -n"
echo 3 >"$status_file"
refuse 1 '-n' -F -T -x "$status_file" -d "$d"

row_of_log 63 "a status file that cannot be written"
refuse 1 'nowhere' -F -n 2 -C -W 2 -x "$base/nowhere/f" -d "$d"
row_of_log 64 "rates of ranks that cannot be written"
refuse 1 'nowhere' -F -n 2 --saveRankPerformanceDetails="$base/nowhere/f" \
    -d "$d"
row_of_log 65 "times of operations that cannot be written"
refuse 1 'nowhere' -F -n 2 --savePerOpDataCSV="$base/nowhere/f" -d "$d"
row_of_log 66 "times of operations below -d"
mkdir "$d"
run 1 - -F -n 2 --savePerOpDataCSV="$d/times" -d "$d"
expect_status 0 || true
within "files of times" 4 6 "$(find "$d" -name 'times-*.csv' | wc -l)" || true
expect_equal "and beside them" "" \
    "$(find "$d" -mindepth 1 ! -name 'times-*.csv')" || true

row_of_log 67 "warnings as errors, after the fact"
run 1 - --warningAsErrors -F -n 2 -d "$d"
expect_status_in "0 1" || true
expect_line '^-- finished' "the report is whole" || true
row_of_log 68 "looking at nothing"
mkdir "$d"
run 1 - --warningAsErrors -F -T -n 2 -d "$d"
expect_status 1 || true
expect_failed "File stat" "2 of 2 (ENOENT 2)" || true

row_of_log 69 "a file with other contents"
run 1 - -F -C -n 3 -w 20 -G 3 -d "$d"
printf x | dd of="$tree/file.mdtest.0.1" conv=notrunc 2>/dev/null
for option in -X --verify-read "-X --warningAsErrors"; do
    read -r -a args <<<"$option"
    run 1 - -F -E "${args[@]}" -n 3 -e 20 -G 3 -d "$d"
    expect_status 1 || true
    expect_failed "File read" "1 of 3 (EBADMSG 1)" || true
done

row_of_log 70 "a command that fails"
run 2 - -F -n 2 --run-cmd-before-phase=false -d "$d"
expect_status 1 || true
expect_equal "lines about it" 1 "$(grep -c 'false' "$err")" || true
expect_line '^-- finished' "the report is whole" || true
expect_empty_dir "" "$base" || true

row_of_log 71 "direct transfers that are no multiple of a block"
# There are file systems that take them.
run 1 - -F -n 2 --posix.odirect -w 100 -d "$d"
expect_status_in "0 2" || true
expect_empty_dir "" "$base" || true
refuse 1 'odirect|512' -F -E -n 2 --posix.odirect -e 100 -d "$d"
row_of_log 71 "options of other file systems"
refuse 1 'lustre.*not available' -F -n 2 --posix.lustre.stripecount=2 -d "$d"
refuse 1 '-g.*not available' -F -n 2 -g -d "$d"

row_of_log 73 "shared directories"
refuse 1 '-S|-D' -D -S -n 2 -d "$d"
row_of_log 74 "shared files of each task"
refuse 2 '-u|-S' -F -n 2 -u -S -d "$d"
refuse 2 '-c|-S' -F -n 2 -c -S -d "$d"
finish
