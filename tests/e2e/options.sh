#!/bin/bash
# Options that change how a phase is run, seen by their effect.
set -eu
# shellcheck source=lib.bash
. "$(dirname "$0")/lib.bash"
d=$TEST_DIR/D

# at_least WHAT LEAST GOT: numbers, with decimals.
at_least() {
    if ! awk -v least="$2" -v got="$3" 'BEGIN { exit !(got + 0 >= least) }'; then
        bad "$1: expected at least $2, got '$3'"
    fi
}

# below WHAT BOUND GOT
below() {
    if ! awk -v bound="$2" -v got="$3" \
        'BEGIN { exit !(got != "" && got + 0 < bound) }'; then
        bad "$1: expected less than $2, got '$3'"
    fi
}

# -y: an fsync for each file, which can fail; none without it, none without -w.
run 1 - -a DUMMY -F -C -n 10 -w 8 -y --dummy.fail-every=fsync:2:EIO \
    --max-errors 0 -d "$d"
expect_status 1 || true
if ! grep -q '^      failed             1 of 2 (EIO 1)$' "$out"; then
    bad_with_output "-y: the second fsync fails and ends the creation"
fi
run 1 - -a DUMMY -F -C -n 10 -w 8 --dummy.fail-every=fsync:1 -d "$d"
expect_status 0 "without -y there is no fsync" || true
run 1 - -a DUMMY -F -C -n 10 -y --dummy.fail-every=fsync:1 -d "$d"
expect_status 0 "-y without -w has no effect" || true
expect_line '^WARNING: -y has no effect.* \(NO_EFFECT\)$' "and says so" || true

# -Y: a sync in each phase, inside its time.
run 1 - -a DUMMY -F -n 2 -Y -P --dummy.delay-sync=100000 -d "$d"
for name in "File creation" "File stat" "Tree removal"; do
    at_least "-Y: time of $name" 0.1 "$(time_row "$name")"
done
run 1 - -a DUMMY -F -n 2 -Z --dummy.delay-sync=100000 -d "$d"
below "time of File stat without -Y" 0.1 "$(time_row "File stat")"

# -p: before directories and before files, outside every time.
SECONDS=0
run 1 - -a DUMMY -n 2 -p 1 -Z -d "$d"
at_least "-p 1: seconds in all" 2 "$SECONDS"
below "time of File creation with -p" 1 "$(time_row "File creation")"

# -B: rank 1 begins to stat while rank 0 still creates, and the phase lasts from
# then to the end of rank 0.
for option in '' -B; do
    # shellcheck disable=SC2086
    run 2 - -a DUMMY -F -C -T -n 20 -Z --dummy.delay-create=20000 \
        --dummy.delay-only-rank0 $option -d "$d"
    expect_status 0 || true
    if [ -n "$option" ]; then
        at_least "-B: time of File stat" 0.2 "$(time_row "File stat")"
    else
        below "time of File stat without -B" 0.2 "$(time_row "File stat")"
    fi
done

# -f, -l, -s: with how many tasks.
run 4 - -a DUMMY -F -C -n 2 -f 2 -l 4 -s 2 -d "$d"
expect_status 2 "a scan that creates and leaves it" || true
run 4 - -a DUMMY -F -n 2 -f 2 -l 4 -s 2 -d "$d"
expect_equal "-f 2 -l 4 -s 2" "2 tasks, 4 files;4 tasks, 8 files;" \
    "$(grep ' tasks, ' "$out" | tr '\n' ';')" || true

# -v: a line for each phase and the options, on stderr; -V 1 the same.
for option in -v "-V 1" -V1; do
    # shellcheck disable=SC2086
    run 1 - -a DUMMY -F -n 7 $option -d "$d"
    for want in '-n +7$' 'file creation .*sec, .*ops/sec$' 'tree removal '; do
        if ! grep -Eq -- "$want" "$err"; then
            bad_with_output "$option: no line matches $want"
        fi
    done
done

# -R: the seed is said and repeats the order; each rank has its own, without
# -R (--random-seed alone) all have the same.
build_recorder
order() { # FILE [CALL]: ids in the order of stat, or another call
    sed -n "s/^${2:-stat} .*file\.mdtest\.[0-9]*\.\([0-9]*\)\$/\1/p" "$1" |
        tr '\n' ' '
}
record "$TEST_DIR/a" "$d" 2 - -F -n 40 -R5 -d "$d"
expect_line '^random seed: 5$' "-R5 says its seed" || true
record "$TEST_DIR/b" "$d" 2 - -F -n 40 -R --random-seed=5 -d "$d"
record "$TEST_DIR/c" "$d" 2 - -F -n 40 --random-seed=5 -d "$d"
record "$TEST_DIR/e" "$d" 2 - -F -n 40 -R6 -d "$d"
sorted=$(seq 0 39 | tr '\n' ' ')
for rank in 0 1; do
    a=$(order "$TEST_DIR/a.$rank")
    expect_equal "-R5 and -R --random-seed=5, rank $rank" "$a" \
        "$(order "$TEST_DIR/b.$rank")" || true
    if [ "$a" = "$sorted" ] || [ "$a" = "$(order "$TEST_DIR/e.$rank")" ]; then
        bad "-R5, rank $rank: the order is not random: $a"
    fi
    expect_equal "every item once" "$sorted" \
        "$(tr ' ' '\n' <<<"$a" | sed '/^$/d' | sort -n | tr '\n' ' ')" || true
done
if [ "$(order "$TEST_DIR/a.0")" = "$(order "$TEST_DIR/a.1")" ]; then
    bad "-R5: both ranks have the same order"
fi
expect_equal "--random-seed without -R: one order for all" \
    "$(order "$TEST_DIR/c.0")" "$(order "$TEST_DIR/c.1")" || true

# --random-remove: the same for removal, whose order is else that of creation.
expect_equal "-R5: removed in the order of creation" "$sorted" \
    "$(order "$TEST_DIR/a.0" unlink)" || true
record "$TEST_DIR/f" "$d" 2 - -F -n 40 -R5 --random-remove -d "$d"
for rank in 0 1; do
    expect_equal "--random-remove: in the order of stat, rank $rank" \
        "$(order "$TEST_DIR/a.$rank")" \
        "$(order "$TEST_DIR/f.$rank" unlink)" || true
done
record "$TEST_DIR/g" "$d" 1 - -F -n 40 --random-remove -d "$d"
expect_line '^random seed: [0-9]+$' "--random-remove alone says a seed" || true
expect_equal "--random-remove alone: no other order of stat" "$sorted" \
    "$(order "$TEST_DIR/g.0")" || true
seed=$(sed -n 's/^random seed: //p' "$out")
record "$TEST_DIR/h" "$d" 1 - -F -n 40 --random-remove \
    --random-seed="${seed:-1}" -d "$d"
expect_equal "the seed repeats the order" "$(order "$TEST_DIR/g.0" unlink)" \
    "$(order "$TEST_DIR/h.0" unlink)" || true

# --access=dirfd: items are named relative to a directory, but for a rename from
# one directory to another; by default they never are.
calls() { # FILE: what is called on items, and how often
    grep '\.mdtest\.' "$1" | cut -d ' ' -f 1 | sort | uniq -c |
        awk '{ printf "%s:%d ", $2, $1 }'
}
for access in path dirfd; do
    record "$TEST_DIR/$access" "$d" 1 - -n 4 -b 2 -z 1 -L "--access=$access" \
        -d "$d"
    expect_status 0 || true
done
expect_equal "calls by path" \
    "mkdir:4 open:8 rename:4 rmdir:4 stat:8 unlink:4 " \
    "$(calls "$TEST_DIR/path.0")" || true
expect_equal "calls by --access=dirfd" \
    "fstatat:8 mkdirat:4 openat:8 rename:1 renameat:3 unlinkat:8 " \
    "$(calls "$TEST_DIR/dirfd.0")" || true

# --warmup: iterations before those that count; of them only failures are told.
record "$TEST_DIR/w" "$d" 1 - -F -n 3 -i 2 --warmup=2 -d "$d"
expect_status 0 || true
expect_line '\(of 2 iterations\)$' "--warmup: iterations that count" || true
expect_equal "--warmup=2 -i 2: creations" 12 \
    "$(grep -c '^open O_RDWR|O_CREAT .*file\.mdtest' "$TEST_DIR/w.0")" || true
run 1 - -a DUMMY -F -n 3 --warmup=1 --dummy.fail=unlink:2:EACCES -d "$d"
expect_status 1 "a failure in a warm-up" || true
expect_failed "File removal" "" || true
if ! grep -q 'EACCES.* in uncounted iteration 1$' "$err"; then
    bad_with_output "--warmup: its failure is not told"
fi

# --min-time: -n is raised until each phase on items takes so long; what is
# found is said, and is what is measured.
run 1 - -a DUMMY -F -C -r --min-time=1 -Z --dummy.delay-create=20000 \
    --dummy.delay-remove=10000 -d "$d"
expect_status 0 || true
found=$(sed -n 's/^--min-time: -n \([0-9]*\) (file removal, .* took .* s)$/\1/p' \
    "$out")
if [ "${found:-0}" -lt 100 ]; then
    bad_with_output "--min-time=1 with 10 ms each: 100 items at least"
fi
expect_line "^1 tasks, $found files\$" "what was found is measured" || true
for name in "File creation" "File removal"; do
    at_least "--min-time: time of $name" 1 "$(time_row "$name")"
done

# --dry-run: a machine that is not here; nothing is touched.
run 1 - -F -n 3 -N node -w 1k --dry-run --nodes 3 --ppn 2 -d "$d/x"
expect_status 0 || true
expect_line '^Plan for 6 ranks on 3 nodes in .*: 6 tasks, 18 files$' \
    "--dry-run: the head" || true
expect_line '^   inodes needed +20 at most$' "18 files, a tree, its home" || true
expect_line '^   bytes of contents +18\.0 KiB$' "18 files of 1 KiB" || true
expect_line 'rank 0 on node 0 works on what rank 2 on node 1 made$' \
    "who works on whose items" || true
expect_gone "--dry-run" "$d" || true
run 1 - -F -n 3 --dry-run --nodes 2 --ppn 3 -f 2 -l 5 -s 2 -d "$d/x"
expect_status 0 || true
expect_equal "--dry-run: the tests of a scan" '2 on 1, 4 on 2' "$(sed -n \
    's/^Plan for \([0-9]*\) ranks on \([0-9]*\) nodes* .*/\1 on \2/p' "$out" |
    paste -sd, | sed 's/,/, /g')" || true
run 1 - -F -n 3 --dry-run --nodes 2 --ppn 3 -l 7 -d "$d/x"
expect_status 2 "a scan of more ranks than there are" || true
run 1 - -F -n 3 --dry-run --nodes 2147483647 -d "$d/x"
expect_status 2 "more ranks than there are" || true
# What has no effect is said.
while read -r options; do
    # shellcheck disable=SC2086
    run 1 - -F -n 2 $options -d "$d"
    expect_status 0 || true
    expect_line '^WARNING: .* no effect .*\(NO_EFFECT\)$' "$options" || true
done <<'EOF'
--dummy.delay-stat=10
-b 5
-s 2
-f 1 -s 3
--stride-unit=rank
EOF
run 2 - -F -n 4 -a DUMMY --dummy.delay-stat=10 -b 2 -z 1 -N 1 \
    --stride-unit=rank -f 1 -l 2 -s 1 -d "$d"
expect_no_line 'NO_EFFECT' "where all have one" || true

for variable in IOR_FAKE_NODES IOR_FAKE_TASK_PER_NODES; do
    export $variable=2
    run 2 - -a DUMMY -F -n 2 -N 1 -d "$d"
    unset $variable
    expect_status 0 || true
    expect_line "^WARNING: the variable $variable has no effect.*\\(NO_EFFECT\\)\$" \
        "nodes that are made up" || true
done

# A name that a shell would misread is quoted in what is advised.
run 1 - -F -n 2 -C -d "$TEST_DIR/it's"
run 1 - -F -n 2 -C -d "$TEST_DIR/it's"
expect_status 2 || true
advice=$(sed -n 's/.*clean up (\(.*\)), or use.*/\1/p' "$err")
PATH=$TREEMARK_BIN:$PATH bash -c "$advice" >"$TEST_DIR/advised" </dev/null ||
    bad "the advice does not work: $advice"
expect_empty_dir "the advice, followed" "$TEST_DIR/it's" || true
# Started by another MPI's launcher, each rank takes itself for the only one:
# the first one says so, the others keep still and let it.
for variables in "OMPI_COMM_WORLD_SIZE=3 OMPI_COMM_WORLD_RANK" \
    "SLURM_STEP_NUM_TASKS=3 SLURM_PROCID"; do
    case $MPIEXEC in
    *openmpi*) break ;;
    esac
    for rank in 0 1; do
        last_run="$variables=$rank mdtest"
        status=0
        # shellcheck disable=SC2086
        env $variables=$rank "$mdtest" -F -n 2 -d "$d" \
            </dev/null >"$out" 2>"$err" || status=$?
        expect_status $((rank == 0 ? 2 : 0)) || true
        expect_equal "lines of rank $rank" $((rank == 0 ? 1 : 0)) \
            "$(cat "$out" "$err" | wc -l)" || true
    done
done
expect_gone "what a refused start touched" "$d" || true
finish
