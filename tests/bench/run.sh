#!/bin/bash
# What the benchmark itself costs: `make bench`.
#
#     tests/bench/run.sh [PART...]    all parts: instructions dummy memory
#                                     barrier launch loop owners plain
#                                     dirfd tree account progress (see
#                                     options.bash)
#                                     clean (see clean.bash)
#     tests/bench/run.sh find         see find.bash; takes minutes
#     tests/bench/run.sh ior          see ior.bash; takes minutes
#     tests/bench/run.sh semantics    see semantics.sh; takes half an hour
#
# One line per measurement: name, value, unit, bound, and "ok" or "MISSED"; a
# line without a bound is for information.  Exit status 1 if a bound is missed.
# Times are the best of several, or medians where two things are compared; one
# that misses its bound is taken again, because the machine may be busy.
#
#     TREEMARK_BIN  directory of mdtest
#     BUILD         the build directory, "build"
#     MPIEXEC       the launcher
set -eu
shopt -s inherit_errexit

root=$(cd "$(dirname "$0")/../.." && pwd)
build=$(realpath -m "${BUILD:-$root/build}")
mdtest=${TREEMARK_BIN:-$build/bin}/mdtest
programs=$build/tests/bench
mpiexec=${MPIEXEC:-mpiexec.mpich}
cores=$(nproc)
tries=5
missed=0
export LC_ALL=C
unset TREEMARK_LEFTOVERS

memory=/dev/shm
if [ ! -d "$memory" ] || [ ! -w "$memory" ]; then
    memory=${TMPDIR:-/tmp}
fi
dir=$(mktemp -d "$memory/treemark-bench.XXXXXX")
trap 'umount "$dir"/find "$dir"/ior 2>/dev/null || true; rm -rf "$dir"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# What else runs here should not count.  Only root may ask for that, and only
# runs of one process do: ranks that spin would keep each other waiting.
alone=()
! chrt -f 1 true 2>/dev/null || alone=(chrt -f 1)

# calc EXPRESSION: a number.
calc() { awk "BEGIN { print ($1) }"; }

# holds VALUE BOUND: VALUE is not above BOUND.
holds() { awk -v v="$1" -v b="$2" 'BEGIN { exit !(v <= b) }'; }

# best A B: the smaller one; A may be empty.
best() {
    if [ -n "$1" ] && holds "$1" "$2"; then echo "$1"; else echo "$2"; fi
}

# The middle one of the numbers on standard input.
median() { sort -g | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'; }

# line NAME VALUE UNIT [BOUND]
line() {
    local verdict=''
    if [ -n "${4:-}" ]; then
        verdict=ok
        holds "$2" "$4" || {
            verdict=MISSED
            missed=$((missed + 1))
        }
    fi
    printf '%-60s %10s %-6s %9s %s\n' "$1" "$2" "$3" "${4:+<= $4}" "$verdict"
}

# line_above NAME VALUE UNIT BOUND: the value must not be below the bound.
line_above() {
    local verdict=ok
    holds "$4" "$2" || {
        verdict=MISSED
        missed=$((missed + 1))
    }
    printf '%-60s %10s %-6s %9s %s\n' "$1" "$2" "$3" ">= $4" "$verdict"
}

# mpi NP COMMAND...
mpi() {
    local np=$1
    shift
    # shellcheck disable=SC2086 # MPIEXEC may hold options
    $mpiexec -n "$np" "$@" </dev/null
}

# ---- instructions in user space, all of the process --------------------

# What one launch spends on each phase, in the order of the run; a part goes
# from the start of a phase to the start of the next one.
phase_instructions() {
    local out=$dir/callgrind part=2
    rm -f "$out"*
    valgrind --tool=callgrind --callgrind-out-file="$out" \
        --dump-before=tmk_mdtest_phase_all "$mdtest" -d "$dir/tree" "$@" \
        >"$out-stdout" 2>&1 || {
        cat "$out-stdout" >&2
        return 1
    }
    while [ -e "$out.$part" ]; do # the first part is the start
        sed -n 's/^totals: //p' "$out.$part"
        part=$((part + 1))
    done
    sed -n 's/^totals: //p' "$out"
}

# instructions_of NAME BOUND FEW MANY TREE_FEW TREE_MANY: totals of a phase
# with 10 and 20 items in each of 1365 directories, or as many in one.
instructions_of() {
    local few=13650 flat
    flat=$(calc "($4 - $3) / $few")
    line "$1, instructions" "$(printf %.1f "$flat")" '' "$2"
    [ -n "$2" ] || return 0
    line "$1, -z 5 -b 4, above that" \
        "$(calc "sprintf(\"%.1f\", ($6 - $5) / $few - $flat)")" '' 60
    line "$1, -z 5 -b 4, changes of directory too" \
        "$(calc "sprintf(\"%.1f\", ($5 - $3) / $few)")" '' 60
}

# compare_instructions WORD FLAG ENGINE BOUND...: one launch per row makes
# tree, items and all; the bounds are those of the phases on items.
compare_instructions() {
    local word=$1 flag=$2 engine=$3 phase=1 name
    local few many tree_few tree_many names='create stat read remove'
    local out=$dir/instructions
    shift 3
    [ "$flag" = -F ] || names='create stat rename remove'
    phase_instructions -a "$engine" "$flag" -n 13650 >"$out"
    mapfile -t few <"$out"
    phase_instructions -a "$engine" "$flag" -n 27300 >"$out"
    mapfile -t many <"$out"
    phase_instructions -a "$engine" "$flag" -z 5 -b 4 -I 10 >"$out"
    mapfile -t tree_few <"$out"
    phase_instructions -a "$engine" "$flag" -z 5 -b 4 -I 20 >"$out"
    mapfile -t tree_many <"$out"
    for name in $names; do
        instructions_of "$engine $word $name" "$1" "${few[phase]}" \
            "${many[phase]}" "${tree_few[phase]}" "${tree_many[phase]}"
        phase=$((phase + 1))
        shift
    done
}

part_instructions() {
    if ! command -v valgrind >/dev/null; then
        echo 'instructions: skipped, valgrind is not here'
        return
    fi
    compare_instructions file -F POSIX 300 250 '' 230
    compare_instructions directory -D POSIX 300 250 '' 230
    compare_instructions file -F DUMMY '' '' '' ''
}

# ---- the time of an operation that does nothing -------------------------

# rates ARGS...: the "Max" column to $dir/rates, "operation rate" in a line.
rates() {
    "${alone[@]}" "$mdtest" -d "$dir/tree" "$@" </dev/null >"$dir/table" || {
        cat "$dir/table" >&2
        return 1
    }
    awk '$1 ~ /^(File|Directory)$/ { print $2, $3 }' "$dir/table" \
        >"$dir/rates"
    [ -s "$dir/rates" ]
}

# time_dummy WHAT ARGS...: us per operation, at best.
time_dummy() {
    local what=$1 try name rate us worst
    local -A least=()
    shift
    for ((try = 0; try < tries; try++)); do
        worst=0
        rates -a DUMMY -i 3 "$@"
        while read -r name rate; do
            us=$(calc "sprintf(\"%.4f\", 1e6 / $rate)")
            least[$name]=$(best "${least[$name]:-}" "$us")
            holds "${least[$name]}" 0.10 || worst=1
        done <"$dir/rates"
        [ "$worst" = 1 ] || break
    done
    for name in creation stat read removal; do
        [ -z "${least[$name]:-}" ] ||
            line "DUMMY $what $name" "${least[$name]}" us 0.10
    done
}

part_dummy() {
    time_dummy 'file, flat' -F -n 2000000
    time_dummy 'file, -z 5 -b 4' -F -z 5 -b 4 -I 1500
    time_dummy 'directory, flat' -D -n 2000000
    time_dummy 'directory, -z 5 -b 4' -D -z 5 -b 4 -I 1500
}

# ---- peak memory ---------------------------------------------------------

# peak ARGS...: KiB at most, the least of three runs (libraries vary).
peak() {
    local try kib least='' runs=3
    [ "$1" != once ] || { runs=1 && shift; }
    for ((try = 0; try < runs; try++)); do
        kib=$("$programs/peak" "$mdtest" -a DUMMY -d "$dir/tree" "$@")
        least=$(best "$least" "$kib")
    done
    echo "$least"
}

# grows NAME BASE ARGS...
grows() {
    local name=$1 base=$2 kib
    shift 2
    kib=$(peak once "$@")
    if ! holds "$((kib - base))" 1024; then
        kib=$(peak "$@")
    fi
    line "$name" "$((kib - base))" KiB 1024
}

part_memory() {
    local base
    base=$(peak -F -n 1000)
    line 'peak memory, -n 1000' "$base" KiB
    grows 'peak memory, -n 20000000 above that' "$base" -F -n 20000000
    grows 'peak memory, -n 20000000 -R above that' "$base" -F -R -n 20000000
    base=$(peak -n 10 -i 1)
    grows 'peak memory, -i 2000 above -i 1' "$base" -n 10 -i 2000
}

# ---- barriers -------------------------------------------------------------

# compare_barriers NAME NP BOUND ARGS...: the bare barrier against itself shows
# whether a try is worth anything: it must keep the bound as well.
compare_barriers() {
    local name=$1 np=$2 bound=$3 try score least=''
    local said=() now
    shift 3
    for ((try = 0; try < tries; try++)); do
        mpi "$np" "$programs/barrier" "$@" >"$dir/said"
        read -ra now <"$dir/said"
        score=$(echo "${now[@]}" | awk '{ c = $4 < 1 ? 1 / $4 : $4
            print($3 > c ? $3 : c) }')
        if [ -z "$least" ] || holds "$score" "$least"; then
            least=$score
            said=("${now[@]}")
        fi
        ! holds "$least" "$bound" || break
    done
    line "$name, bare" "${said[0]}" us
    line "$name, ours" "${said[1]}" us
    line "$name, bare / bare" "${said[3]}" ''
    line "$name, end of a phase / bare" "${said[4]}" ''
    if holds "${said[2]}" "$bound" && ! holds "$least" "$bound"; then
        line "$name, ours / bare" "${said[2]}" ''
        echo "$name: MISSED, too noisy to say"
        missed=$((missed + 1))
    else
        line "$name, ours / bare" "${said[2]}" '' "$bound"
    fi
}

part_barrier() {
    local ranks=$((cores * 4 > 8 ? cores * 4 : 8))
    compare_barriers "barrier, np $ranks on $cores cores" "$ranks" 1.3 \
        yields 1 10
    if [ "$cores" -ge 2 ]; then
        compare_barriers 'barrier, np 2' 2 1.05 blocks 500 5
    else
        echo 'barrier, np 2: skipped, there is one core'
    fi
}

# ---- a launch of many ranks on few cores ---------------------------------

# seconds NP COMMAND...: the time of a launch.
seconds() {
    local start=$EPOCHREALTIME
    mpi "$@" >/dev/null
    calc "sprintf(\"%.3f\", $EPOCHREALTIME - $start)"
}

# Against a program that starts MPI, duplicates the communicator and finds its
# nodes, by turns: that is what no program of this kind can do without.
part_launch() {
    local round rounds=5 ranks=64 bare ours
    local less=$((cores * 4 > 8 ? cores * 4 : 8))
    line "launch, np $less on $cores cores, -F -n 100 -i 3" \
        "$(seconds "$less" "$mdtest" -F -n 100 -i 3 -d "$dir/tree")" s 5
    rm -f "$dir/bare" "$dir/ours"
    for ((round = 0; round < rounds; round++)); do
        seconds "$ranks" "$programs/bare" >>"$dir/bare"
        seconds "$ranks" "$mdtest" -a DUMMY -F -n 10 -d "$dir/none" \
            >>"$dir/ours"
    done
    bare=$(median <"$dir/bare")
    ours=$(median <"$dir/ours")
    line "launch, np $ranks on $cores cores, bare" "$bare" s
    line "launch, np $ranks on $cores cores, -a DUMMY -F -n 10" "$ours" s
    line "launch, np $ranks on $cores cores, mdtest / bare" \
        "$(calc "sprintf(\"%.3f\", $ours / $bare)")" '' 1.3
}

# ---- parts of the loop ------------------------------------------------------

part_loop() {
    local clock did walk shuffle poll progress
    "${alone[@]}" "$programs/loop" >"$dir/said" 2>"$dir/lines"
    read -r clock did walk shuffle poll progress <"$dir/said"
    line 'loop, clock' "$clock" ns
    line 'loop, clock and accounting' "$did" ns
    line 'loop, next name' "$walk" ns
    line 'loop, next name with -R' "$shuffle" ns
    line 'loop, one poll' "$poll" ns
    line 'loop, a poll every 10 ms, share of the time' \
        "$(calc "sprintf(\"%.5f\", $poll / 1e7 * 100)")" %
    line 'loop, one poll with progress' "$progress" ns
    line 'loop, such a poll every 10 ms, share of the time' \
        "$(calc "sprintf(\"%.5f\", $progress / 1e7 * 100)")" % 1
}

part_owners() {
    local of visitor
    "${alone[@]}" "$programs/owners" >"$dir/said"
    read -r of visitor <"$dir/said"
    line 'owner look-up, 100000 ranks' "$of" ns 1000
    line 'visitor look-up, 100000 ranks' "$visitor" ns 1000
}

# ---- the same calls in a loop by hand ------------------------------------

# pairs NP COMMAND...: mdtest and the loop by turns in one program.  The bound is
# one of the whole confidence interval.
pairs() {
    local np=$1 try name op ours bare ratio low high
    local control control_low control_high ready ready_low ready_high
    shift
    for ((try = 0; try < 3; try++)); do
        "$@" "$programs/plain" "$dir" 5000 120 </dev/null >"$dir/said"
        ! awk '$5 < 0.97 { low = 1 } END { exit low }' "$dir/said" || break
    done
    while read -r op ours bare ratio low high control control_low control_high \
        ready ready_low ready_high; do
        name="$op, np $np"
        line "$name, mdtest" "$ours" /s
        line "$name, loop by hand" "$bare" /s
        line "$name, mdtest / loop, 95 %: to $high" "$ratio" ''
        line_above "$name, mdtest / loop, 95 %: from" "$low" '' 0.97
        line "$name, loop / loop, 95 %: $control_low to $control_high" \
            "$control" ''
        line "$name, mdtest / names made before: $ready_low to $ready_high" \
            "$ready" ''
    done <"$dir/said"
}

part_plain() {
    pairs 1 "${alone[@]}"
    if [ "$cores" -ge 2 ]; then
        pairs 2 mpi 2
    else
        echo 'plain, np 2: skipped, there is one core'
    fi
}

# No bounds: what it prints is in README.md.
part_semantics() { TREEMARK_BIN=${mdtest%/*} bash "${0%/*}/semantics.sh"; }

# shellcheck source=options.bash
. "${0%/*}/options.bash"
# shellcheck source=clean.bash
. "${0%/*}/clean.bash"
# shellcheck source=find.bash
. "${0%/*}/find.bash"
# shellcheck source=ior.bash
. "${0%/*}/ior.bash"

if [ $# = 0 ]; then
    set -- instructions dummy memory barrier launch loop owners plain dirfd tree \
        account progress clean
fi
for part; do
    "part_$part"
done
if [ "$missed" -ne 0 ]; then
    echo "$missed bounds missed"
    exit 1
fi
echo 'all bounds kept'
