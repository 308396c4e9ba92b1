#!/bin/bash
# Nonsense is refused with one line and status 2 before anything on disk is
# touched; odd but legal command lines work.  Numbers in comments are rows of
# the log of odd inputs to the original program.
set -eu
# shellcheck source=lib.bash
. "$(dirname "$0")/lib.bash"

# The current directory and the parent of -d, each with something in it.
base=$TEST_DIR/base
mkdir -p "$base/cwd" "$base/parent/test-dir.other" "$base/parent/D"
echo precious >"$base/parent/D/file"
echo precious >"$base/cwd/file"
cd "$base/cwd"
d=$base/parent/D
snapshot "$base" >"$TEST_DIR/before"

untouched() {
    snapshot "$base" >"$TEST_DIR/after"
    if ! cmp -s "$TEST_DIR/before" "$TEST_DIR/after"; then
        bad "something on disk was touched:"
        diff "$TEST_DIR/before" "$TEST_DIR/after" | sed -n '1,4s/^/  /p'
        snapshot "$base" >"$TEST_DIR/before" # tell once
    fi
}

# refuse_at NP REGEX ARGS...: status 2 and one line that matches.
refuse_at() {
    local np=$1 regex=$2 lines
    shift 2
    run "$np" - "$@"
    expect_status 2 || true
    lines=$(complaints)
    if [ "$lines" -ne 1 ]; then
        bad_with_output "expected one line of complaint, got $lines"
    fi
    if ! cat "$out" "$err" | grep -Eq -- "$regex"; then
        bad_with_output "the complaint does not match $regex"
    fi
    untouched
}

refuse() {
    refuse_at 1 "$@"
}

# What was there stays and nothing more; directories may have been written to.
only_directories_written() {
    snapshot "$base" >"$TEST_DIR/after"
    expect_equal "what is left" "$(entries "$TEST_DIR/before")" \
        "$(entries "$TEST_DIR/after")" || true
    mv "$TEST_DIR/after" "$TEST_DIR/before"
}

entries() {
    cut -d ' ' -f 1,2,7- "$1" | sort
}

# accept NP ARGS...: status 0, and nothing left.
accept() {
    local np=$1
    shift
    run "$np" - "$@"
    expect_status 0 || true
    only_directories_written
}

# An empty plan.
refuse '-n' # no arguments at all
refuse '-n' -d "$d" # 1
refuse '-n' -n 0 -d "$d"
refuse '-n' -F -u -d "$d"
refuse '-n|-z|-b' -n 2 -z 1 -b 2 -d "$d" # 10
refuse '-n|-z|-b' -F -n 5 -z 3 -b 2 -d "$d"
refuse '-n|-z|-b' -F -n 3 -z 2 -b 2 -L -d "$d"
refuse '-n|-I' -n 12 -I 5 -d "$d" # 11
refuse '-n|-I' -n 3 -I 12 -d "$d"
refuse '-n|-I|-u' -n 12 -I 3 -u -d "$d" # 12

# What is no number.
refuse '-n' -n 0x10 -F -d "$d" # 2
refuse '-n' -n 1e3 -F -d "$d" # 3
refuse '-n' -n '' -F -d "$d" # 4
refuse '-n' -n= -d "$d" # 5
refuse '-n' -d "$d" -n
refuse '-n' -n -5 -F -d "$d" # 6
refuse '-n' -n abc -F -d "$d"
refuse '-n' -n 10.5 -F -d "$d"
refuse '-n' -n 10x -F -d "$d"
refuse '-n' -n '1 0' -F -d "$d"
refuse '-n' -n k -F -d "$d"
refuse '-n' -n 99999999999999999999 -F -d "$d" # 7
refuse '-n' -n 18446744073709551615 -F -d "$d"
refuse '-n' -n 16777216t -F -d "$d"
refuse '-n' -nF 2 -d "$d" # 9
refuse '-I' -I -1 -F -d "$d"
refuse '-i' -n 1 -i 0 -d "$d" # 13
refuse '-i' -n 1 -i -1 -d "$d" # 14
refuse '-i' -n 1 -i 99999999999 -d "$d"
refuse '-n' -i 2000000 -n 0 -a DUMMY -d "$d" # 15
refuse '-N' -n 1 -N -1 -d "$d" # 16
refuse_at 2 '-N' -n 1 -N -1 -d "$d"
refuse '-N' -n 1 -N nodes -d "$d"
refuse '-N' -n 1 -N 1.5 -d "$d"
refuse 'stride-unit' -n 1 -N 1 --stride-unit=furlong -d "$d"
refuse '-p' -n 1 -p -3 -d "$d" # 18
refuse '-b' -n 1 -b -1 -d "$d" # 21
refuse '-[bz]' -n 1 -b 0 -z 1 -d "$d" # 22
refuse '-z' -n 1 -z -1 -d "$d"
refuse '-z' -n 1 -zz -d "$d"
refuse '-[bz]' -n 1 -b -1 -z 1 -d "$d" # 23
refuse '-[nbz]' -n 10 -z 60 -b 3 -d "$d" # 24
refuse '-[bz]' -I 1 -z 60 -b 3 -d "$d"
refuse '-[bz]' -I 1 -z 10 -b 100 -d "$d"
refuse '-[bz]' -I 1 -z 2 -b 4294967295 -d "$d"
refuse '-[zbnd]|path|long' -n 2000 -z 400 -d "$d" # 25
refuse '-z' -n 1 -z 99999999999 -d "$d"
refuse '-w' -F -n 1 -w -1 -d "$d" # 26
refuse '-w' -F -n 1 -w abc -d "$d"
refuse '-e' -F -n 1 -e -1 -d "$d"
refuse '-w|space|bytes' -F -n 1 -w 10t -d "$d" # 27
refuse '-[ew]' -F -n 1 -e 4 -w 3 -d "$d" # 28
refuse '-s' -n 1 -f 1 -l 1 -s 0 -d "$d"
refuse_at 2 '-[fl]' -n 1 -f 2 -l 1 -d "$d" # 29
refuse_at 4 '-l' -n 1 -l 5 -d "$d"
refuse '-l' -n 1 -l -1 -d "$d"
refuse_at 4 '-f' -n 1 -f 5 -d "$d" # 30
refuse_at 2 '-s' -n 1 -l 2 -s 0 -d "$d" # 31
refuse_at 2 '-s' -n 1 -f 1 -l 2 -s -1 -d "$d" # 32
refuse_at 2 '-f' -n 1 -f 0 -l 2 -d "$d"
refuse '-f' -n 1 -f -1 -l 1 -d "$d"
refuse '-V' -n 1 -V -1 -d "$d"
refuse '-V' -n 1 -V loud -d "$d"
refuse 'random-seed' -n 1 -R --random-seed abc -d "$d"
refuse '-R|random-seed|number' -n 1 -R=abc -d "$d"

# What is no option.
refuse '--foo' -n 1 --foo=3 -d "$d" # 34
refuse 'foo' -n 1 foo -d "$d"
refuse '-q' -n 1 -q -d "$d"
refuse 'q' -n 1 -Fq -d "$d"
refuse '--' -n 1 -d "$d" --
refuse '-' -n 1 -d "$d" -
refuse '' -n 1 -d "$d" ''
refuse '--n' --n=2 -d "$d"
refuse '--stride' -n 1 --stride=auto -d "$d" # no abbreviations
refuse '-F' -n 1 -F= -d "$d" # 35
refuse_at 4 '-q' -n 1 -q -d "$d"
refuse '-a|nope' -n 1 -a nope -d "$d" # 38
refuse '-a|MPIIO' -n 1 -a MPIIO -d "$d"
refuse '-a|MMAP' -n 1 -a MMAP -d "$d"
refuse '-a' -n 1 -d "$d" -a
refuse '-d' -n 1 -d

# Ours.
refuse 'max-errors' -n 1 --max-errors -1 -d "$d"
refuse 'max-errors' -n 1 --max-errors many -d "$d"
refuse 'tolerate' -n 1 --tolerate -1 -d "$d"
refuse 'tolerate' -n 1 --tolerate some -d "$d"
refuse 'tolerate' -n 1 --tolerate 101% -d "$d"
refuse 'tolerate' -n 1 --tolerate % -d "$d"
refuse 'leftovers' -n 1 --leftovers=eat -d "$d"
refuse 'leftovers' -n 1 --leftovers= -d "$d"
refuse 'grace' -n 1 --grace -1 -d "$d"
refuse 'grace' -n 1 --grace soon -d "$d"
refuse 'interval' -n 1 --interval 0.001 -d "$d"
refuse 'interval' -n 1 --interval soon -d "$d"
refuse 'progress' -n 1 --progress=0.01 -d "$d"
refuse 'progress' -n 1 --progress=often -d "$d"
refuse 'nodes' -n 1 --dry-run --nodes 0 --ppn 1 -d "$d"
refuse 'ppn' -n 1 --dry-run --nodes 1 --ppn 0 -d "$d"
refuse 'dummy' -n 1 -a DUMMY --dummy.fail=sing:1 -d "$d"
refuse 'dummy' -n 1 -a DUMMY --dummy.fail=create:0 -d "$d"
refuse 'dummy' -n 1 -a DUMMY --dummy.fail=create -d "$d"
refuse 'dummy' -n 1 -a DUMMY --dummy.fail=create:1:EODD -d "$d"
refuse 'dummy' -n 1 -a DUMMY --dummy.fail-every=create:-1 -d "$d"
refuse 'dummy' -n 1 -a DUMMY --dummy.delay-create=-1 -d "$d"

# Paths that are too long, which must not become others. 54, 56
long=$(printf 'x%.0s' {1..200})
deep=$d
while [ ${#deep} -lt 4057 ]; do
    deep=$deep/$long
done
refuse 'long|-d' -F -n 1 -d "${deep:0:4057}"
while [ ${#deep} -lt 5000 ]; do
    deep=$deep/$long
done
refuse 'long|-d' -F -n 1 -d "${deep:0:5000}"
run 1 - -D -n 1 -d "$base/parent/$(printf 'y%.0s' {1..300})" # 53
expect_status_in "1 2" || true
only_directories_written

# A buffer that cannot be had is no crash. 27
run 1 - -F -n 1 -E -e 100t -d "$d"
expect_status_in "1 2" || true
only_directories_written

# Odd but legal.
accept 3 -n 3 -N 7 -d "$d" # 17
accept 1 -F -n 2 -b 0 -d "$d" # 21
accept 1 -F -n 2 -a posix -d "$d" # 39
accept 1 -F -n 2 -a dummy -d "$d"
accept 1 -F -n2k -a DUMMY -d "$d" # 8
accept 1 -F -n '2 KiB' -a DUMMY -d "$d"
accept 1 -Fn2 -d "$d"
accept 1 -Fn 2 -d "$d"
accept 1 -F -n=2 -d="$d"
accept 1 -F -n2 "-d$d"
accept 1 -FF -n 5 -n 2 -F=0 -d "$d" # the last one wins
accept 1 -F -n ' 2 ' -d "$d"
accept 1 -F -n 2 -w 1K -e 1k -d "$d"
accept 1 -n 2 -i 2000 -F -a DUMMY -d "$d"
accept 1 -R5 -F -n 2 -d "$d"
accept 1 -R=5 -F -n 2 -d "$d"
accept 1 -F -n 2 -R --random-seed 5 -d "$d"
accept 1 -F -n 2 -p 0 -v -V 1 -y -w 1 -Y -d "$d"
accept 2 -F -n 2 -f 1 -l 2 -s 5 -d "$d"
accept 1 -F -n 2 -d "$base/parent/a/b/c" # 44: parents are made, and removed
accept 1 -D -n 2 -d "$base/parent/a/b/c" # 45
accept 1 -F -n 2 -d "$d/"
accept 1 -F -n 2 -d "$d//"
accept 1 -F -n 2 -d '' # 43
accept 1 -F -n 2 -d .
accept 1 -F -n 2 -d here/there

# The plan alone.
accept 1 --dry-run -n 3 -b 2 -z 1 -N 1 --nodes 4 --ppn 8 -d "$base/none/such"

# As long as it may be. 55
(
    cd "$d"
    path=$d
    while [ ${#path} -lt $((4037 - 201)) ]; do
        mkdir "$long"
        cd "$long"
        path=$path/$long
    done
    rest=$((4037 - ${#path} - 1))
    if [ "$rest" -gt 0 ]; then
        mkdir "${long:0:rest}"
        path=$path/${long:0:rest}
    fi
    echo "$path" >"$TEST_DIR/longest"
)
longest=$(cat "$TEST_DIR/longest")
expect_equal "length of the path" 4037 ${#longest} || true
run 1 - -F -n 1 -d "$longest"
expect_status 0 "a root of 4037 characters" || true
rm -rf "${d:?}/$long"
snapshot "$base" >"$TEST_DIR/before"

# Help and version: printed once, and well.
for option in -h --help -hF --version; do
    run 2 - "$option"
    expect_status 0 || true
    untouched
    cp "$out" "$TEST_DIR/np2"
    run 1 - "$option"
    expect_status 0 || true
    expect_same_file "$option on 2 ranks and on one" "$out" "$TEST_DIR/np2" ||
        true
done
run 1 - --help
for option in -a -b -C -d -D -e -E -f -F -i -I -l -L -n -N -p -P -r -R -s -T \
    -u -U -v -V -w -y -Y -z -Z --random-seed --max-errors --tolerate --keep \
    --leftovers --grace --dry-run --stride-unit; do
    if ! grep -Eq -- "(^|[ ,])$option([ ,=[]|\$)" "$out"; then
        bad "--help does not know $option"
    fi
done
run 1 - --version
expect_line 'treemark|mdtest' "the version" || true
finish
