#!/bin/bash
# What a phase costs in collectives, and that it does not grow with the ranks.
set -eu
# shellcheck source=lib.bash
. "$(dirname "$0")/lib.bash"

case ${SAN:-} in
'') ;;
*) skip "a sanitized program is counted like a plain one" ;;
esac
mpicc=${MPICC:-mpicc.mpich}
command -v "$mpicc" >/dev/null || skip "no $mpicc to build the counter"
counter=$TEST_DIR/collectives.so
"$mpicc" -O1 -Wall -Wextra -Werror -fPIC -shared -o "$counter" \
    "$here/collectives.c"

# count NP ARGS...: the most barriers, reductions, broadcasts and gathers of a
# rank, in the variable counts.
count()
{
    local np=$1 to=$TEST_DIR/count
    shift
    last_run="mdtest $* [np $np]"
    status=0
    rm -f "$to".*
    "$MPIEXEC" -n "$np" env "LD_PRELOAD=$counter" \
        "TREEMARK_COLLECTIVES_TO=$to" timeout -k 5 60 "$mdtest" "$@" \
        </dev/null >"$out" 2>"$err" || status=$?
    expect_status "${want_status:-0}" || true
    expect_equal "ranks that counted" "$np" \
        "$(find "$TEST_DIR" -name 'count.*' | wc -l)" || true
    counts=$(cat "$to".* | awk '
        { for (i = 1; i <= 4; i++) if ($i > most[i]) most[i] = $i }
        END { print most[1] + 0, most[2] + 0, most[3] + 0, most[4] + 0 }')
}

# per_iteration NP ARGS...: what an iteration adds, in the same variable.
per_iteration()
{
    local one
    count "$@" -i 1
    one=$counts
    count "$@" -i 3
    counts=$(echo "$one $counts" | awk '{
        print ($5 - $1) / 2, ($6 - $2) / 2, ($7 - $3) / 2, ($8 - $4) / 2 }')
}

# at_most WHAT BARRIERS REDUCTIONS: no more than that, and nothing else.
at_most()
{
    local barriers reductions broadcasts gathers
    read -r barriers reductions broadcasts gathers <<<"$counts"
    if [ "$barriers" -gt "$2" ] || [ "$reductions" -gt "$3" ] ||
        [ "$broadcasts" != 0 ] || [ "$gathers" != 0 ]; then
        bad "$1 takes $barriers barriers, $reductions reductions, \
$broadcasts broadcasts, $gathers gathers; at most $2 and $3 and nothing else \
are right"
    fi
}

dummy=(-a DUMMY -F -n 10 -d "$TEST_DIR/none")
per_iteration 4 "${dummy[@]}" -T
at_most "a phase" 2 2
per_iteration 4 "${dummy[@]}" -T -E
at_most "two phases" 4 4
# Six phases, and two reductions to set the iteration up.
per_iteration 4 "${dummy[@]}"
at_most "an iteration of six phases" 12 14

# A whole run takes as many on any number of ranks.
count 4 "${dummy[@]}" -i 3
on_4=$counts
for np in 2 16 64; do
    count "$np" "${dummy[@]}" -i 3
    expect_equal "collectives of a run on $np ranks, as on 4" "$on_4" \
        "$counts" || true
done

# W52: statistics over ranks take no more per iteration, and gather nothing;
# what single ranks did is gathered once for each iteration and table, nothing
# else is.
per_iteration 4 "${dummy[@]}" -T --showRankStatistics
at_most "a phase with statistics over ranks" 2 2
per_iteration 4 "${dummy[@]}" -T --print-all-procs
expect_equal "broadcasts and gathers of --print-all-procs" "0 1" \
    "${counts#* * }" || true
per_iteration 4 "${dummy[@]}" -T -P --print-all-procs \
    --saveRankPerformanceDetails=/dev/null
expect_equal "broadcasts and gathers of two tables and a file" "0 3" \
    "${counts#* * }" || true

# Two more where something failed.
want_status=1
per_iteration 4 "${dummy[@]}" -T --dummy.fail-every=stat:3:EACCES
at_most "a phase with failures" 2 4
finish
