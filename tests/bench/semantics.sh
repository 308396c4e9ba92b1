#!/bin/bash
# What fixes do to rates: `tests/bench/run.sh semantics`.
#
#     tests/bench/semantics.sh [ROUNDS [PART...]]    31 memory disk barriers
#
# memory, disk: one rank.  Every round launches mdtest three times, native, with
# --as=mdtest-4.1 and native again; who comes first changes from round to round.
# A line for each phase that --as changes: the median over the rounds of native
# / --as, with the 95 % interval of that median (by order, so no shape is
# assumed), and the same of native / native.  A difference is within noise if its
# interval includes 1, or the other interval includes its median.
#
# barriers: the same of barriers in a second, with more ranks than cores, ours
# and MPI_Barrier by turns.
#
#     TREEMARK_BIN  directory of mdtest
#     TREEMARK_DISK directory on a disk, "${TMPDIR:-/var/tmp}"
#     BUILD         the build directory, "build"
#     MPIEXEC       the launcher
set -eu
shopt -s inherit_errexit

root=$(cd "$(dirname "$0")/../.." && pwd)
build=$(realpath -m "${BUILD:-$root/build}")
mdtest=${TREEMARK_BIN:-$build/bin}/mdtest
mpiexec=${MPIEXEC:-mpiexec.mpich}
rounds=${1:-31}
[ $# = 0 ] || shift
export LC_ALL=C
unset TREEMARK_LEFTOVERS

scratch=$(mktemp -d)
base=
trap 'rm -rf "$scratch" ${base:+"$base"}' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# Only root may ask that what else runs here does not count.
alone=()
! chrt -f 1 true 2>/dev/null || alone=(chrt -f 1)

# compare WHAT PHASE: of the rates in the files ours, as and again.
compare() {
    local kind
    for kind in ours as again; do
        awk -v phase="$2" '$1 == phase { print $2 }' "$scratch/$kind" \
            >"$scratch/$kind.one"
    done
    paste "$scratch/ours.one" "$scratch/as.one" "$scratch/again.one" |
        awk -v what="$1: $2" '
        function sort(v, n,    i, k, t) {
            for (i = 2; i <= n; i++)
                for (k = i; k > 1 && v[k - 1] > v[k]; k--) {
                    t = v[k]; v[k] = v[k - 1]; v[k - 1] = t
                }
        }
        # How many may lie outside at each end of the interval.
        function outside(n,    i, term, sum) {
            term = 0.5 ^ n
            for (i = 0; sum + term <= 0.025; i++) {
                sum += term
                term *= (n - i) / (i + 1)
            }
            return i
        }
        function middle(v, n) {
            return (v[int((n + 1) / 2)] + v[int(n / 2) + 1]) / 2
        }
        { ratio[NR] = $1 / $2; same[NR] = $1 / $3 }
        END {
            sort(ratio, NR)
            sort(same, NR)
            low = outside(NR)
            high = NR + 1 - low
            if (low == 0) {
                print what ": too few rounds for an interval"
                exit 1
            }
            at = middle(ratio, NR)
            noise = (ratio[low] <= 1 && 1 <= ratio[high]) ||
                (same[low] <= at && at <= same[high])
            printf "%-45s %6.3f, %.3f to %.3f; twice the same %.3f, " \
                "%.3f to %.3f%s\n", what, at, ratio[low], ratio[high],
                middle(same, NR), same[low], same[high],
                noise ? "; within noise" : ""
        }'
}

# by_turns COMMAND ARGS...: COMMAND FILE KIND ARGS... for each round and kind.
by_turns() {
    local command=$1 round turn kinds=(ours as again) kind
    shift
    rm -f "$scratch/ours" "$scratch/as" "$scratch/again"
    for ((round = 0; round < rounds; round++)); do
        for ((turn = 0; turn < 3; turn++)); do
            kind=${kinds[(round + turn) % 3]}
            "$command" "$scratch/$kind" "$kind" "$@"
        done
    done
}

# ---- native and --as ---------------------------------------------------------

# rates FILE KIND ARGS...: "creation 12345.678", a line for each phase.
rates() {
    local file=$1 kind=$2 as=()
    shift 2
    [ "$kind" != as ] || as=(--as=mdtest-4.1)
    "${alone[@]}" "$mdtest" -d "$base/tree" "$@" "${as[@]}" </dev/null \
        >"$scratch/table" || {
        cat "$scratch/table" >&2
        return 1
    }
    awk '$1 ~ /^(File|Directory)$/ { print $2, $3 }' "$scratch/table" >>"$file"
}

# measure "PHASE..." ARGS...
measure() {
    local phases=$1 phase
    shift
    by_turns rates "$@"
    for phase in $phases; do
        compare "$type, $*" "$phase"
    done
}

# on DIRECTORY: all of it there.
on() {
    base=$(mktemp -d "$1/treemark-semantics.XXXXXX")
    type=$(df --output=fstype "$base" | tail -n 1)
    measure 'stat read' -F -n 20000
    measure 'creation stat read' -F -n 20000 -w 4k -e 4k
    measure 'stat read' -F -n 20000 -R5
    measure 'stat' -D -n 20000
    measure 'creation stat' -F -n 1000 -Y
    rm -rf "$base"
    base=
}

part_memory() {
    local memory=/dev/shm
    if [ -d "$memory" ] && [ -w "$memory" ]; then
        on "$memory"
    else
        echo "memory: skipped, $memory cannot be written to"
    fi
}

part_disk() {
    local disk=${TREEMARK_DISK:-${TMPDIR:-/var/tmp}}
    if [ "$(df --output=fstype "$disk" | tail -n 1)" != tmpfs ]; then
        on "$disk"
    else
        echo "disk: skipped, $disk is in memory (see TREEMARK_DISK)"
    fi
}

# ---- barriers ------------------------------------------------------------------

# barriers FILE KIND RANKS: how many in a second.
barriers() {
    local form=yields column=2
    [ "$2" != as ] || { form=blocks && column=1; }
    # shellcheck disable=SC2086 # MPIEXEC may hold options
    $mpiexec -n "$3" "$build/tests/bench/barrier" "$form" 2 1 </dev/null \
        >"$scratch/said"
    awk -v column="$column" '{ print "rate", 1e6 / $column }' \
        "$scratch/said" >>"$1"
}

part_barriers() {
    local ranks=$(($(nproc) * 4 > 8 ? $(nproc) * 4 : 8))
    by_turns barriers "$ranks"
    compare "barriers, $ranks ranks on $(nproc) cores, ours / MPI_Barrier" rate
}

[ $# != 0 ] || set -- memory disk barriers
echo "native / --as=mdtest-4.1, medians of $rounds rounds, 95 % intervals"
for part; do
    "part_$part"
done
