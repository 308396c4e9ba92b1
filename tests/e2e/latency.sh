#!/bin/bash
# How evenly: percentiles of single operations, ranks that are slow, and
# operations over time.
set -eu
# shellcheck source=lib.bash
. "$(dirname "$0")/lib.bash"
build_recorder
d=$TEST_DIR/D
dummy=(-a DUMMY -F -d "$d")

title=percentiles
run 2 - "${dummy[@]}" -n 50 -i 2 --dummy.delay-stat=2000 \
    --dummy.delay-only-rank0 --percentiles
expect_status 0 || true
awk '/^LATENCY/ { on = 1; next } /^$/ { on = 0 } on' "$out" \
    >"$TEST_DIR/latency"
expect_equal "rows" "file creation
file stat
file read
file removal
tree creation
tree removal" "$(tail -n +3 "$TEST_DIR/latency" | cut -c 4-21 |
    sed 's/ *$//')" || true
# Min, mean, percentiles and max in us, and whose that was.
awk '{
        name = substr($0, 1, 21)
        $0 = substr($0, 22)
    }
    NR > 2 {
        if (NF < 9 || $1 > $3 + 1 || $3 > $4 || $4 > $5 || $5 > $6 || $6 > $7 ||
            $2 < $1 - 0.01 || $2 > $7 + 0.01 || $8 !~ /^[01]$/ ||
            $9 != host) print "no order:", name, $0
    }
    name ~ /file stat/ {
        stat++
        # Half of them, those of rank 0, take 2 ms at least.
        if ($1 >= 2000 || $2 < 1000 || $4 < 2000 || $7 < 2000 || $8 != 0)
            print "odd:", $0
    }
    END { if (stat != 1) print "rows of file stat:", stat }' \
    host="$(uname -n)" "$TEST_DIR/latency" >"$TEST_DIR/odd"
expect_equal "odd latencies" "" "$(cat "$TEST_DIR/odd")" || true

run 1 - "${dummy[@]}" -n 50
expect_no_line '^LATENCY' "nobody asked for percentiles" || true
expect_no_line 'times differ' "one rank is as quick as itself" || true

title='a slow rank'
slow() { # MICROSECONDS: a rank of a launch whose creations take so long
    printf '%s ' -n 1 env "LD_PRELOAD=$recorder" "TREEMARK_RECORD_BELOW=$d" \
        "TREEMARK_RECORD_TO=$TEST_DIR/log" "TREEMARK_RECORD_DELAY=$1" \
        timeout -k 5 60 "$mdtest" -F -n 40 -d "$d"
}
last_run="mdtest with a creation 5 times as slow on rank 1"
status=0
# shellcheck disable=SC2046 # words are what is wanted
"$MPIEXEC" $(slow 4000) : $(slow 20000) : $(slow 4000) </dev/null \
    >"$out" 2>"$err" || status=$?
expect_status 0 || true
line=$(grep '^   file creation  .*slowest' "$out" || true)
pattern="slowest rank 1 on $(uname -n), [0-9.]+ s; fastest rank [02] on \
$(uname -n), [0-9.]+ s; waiting [0-9]+%\$"
if ! grep -Eq -- "$pattern" <<<"$line"; then
    bad_with_output "the slow rank is not named: '$line'"
fi

title='operations that nobody sees'
run 1 - -a DUMMY -F -n 3 --interval 1
expect_line 'interval has no effect .*\(NO_EFFECT\)$' "a warning" || true
run 1 - -a DUMMY -F -n 3 --interval 1 -v
expect_no_line 'interval has no effect' "no warning" || true
run 1 - -a DUMMY -F -n 3 --interval 1 --csv "$TEST_DIR/run.csv"
expect_no_line 'interval has no effect' "no warning" || true
expect_equal "the column" 0 "$(/usr/bin/python3 -c '
import csv, sys
rows = list(csv.DictReader(open(sys.argv[1], newline="")))
print(sum(1 for r in rows if r["interval_s"] != "1.000000000" or
          sum(map(int, r["interval_operations"].split())) !=
          int(r["operations"])))' "$TEST_DIR/run.csv")" || true

title='operations over time'
# A sum for each phase: of steps, and of planned operations.
steps() { # WHAT OPERATIONS [LEAST_STEPS]
    sed -nE "s/^mdtest: $1 +operations in every [0-9.]+ s: //p" "$err" \
        >"$TEST_DIR/steps"
    expect_equal "lines of $1" 1 "$(wc -l <"$TEST_DIR/steps")" || true
    expect_equal "operations of $1" "$2" "$(tr ' ' '\n' <"$TEST_DIR/steps" |
        awk '{ n += $1 } END { print n + 0 }')" || true
    within "steps of $1" "${3:-1}" 128 "$(wc -w <"$TEST_DIR/steps")" || true
}
run 2 - "${dummy[@]}" -n 200 --dummy.delay-stat=1000 --interval 0.02 -v
expect_status 0 || true
for phase in creation stat read removal; do
    least=1
    if [ $phase = stat ]; then
        least=9
    fi
    steps "file $phase" 400 $least
done
steps "tree creation" 1
# Steps that run out merge in pairs: 2 s are 200 of them.
run 1 - "${dummy[@]}" -T -n 1000 --dummy.delay-stat=2000 --interval 0.01 -v
steps "file stat" 1000 64
expect_equal "width after merging" 1 "$(grep -Ec \
    'file stat .* in every 0\.(02|04|08|16) s' "$err")" || true
# Without barriers, in shared directories, with a stonewall, and with failures.
run 2 - "${dummy[@]}" -B -n 200 --dummy.delay-stat=1000 --interval 0.02 -v
steps "file stat" 400 9
steps "file removal" 400
run 2 - "${dummy[@]}" -c -n 200 --dummy.delay-create=500 --interval 0.02 -v
steps "file creation" 400 9
run 2 - "${dummy[@]}" -W 1 -n 200 --dummy.delay-create=10000 --interval 0.02 \
    -v -P
steps "file creation" "$(counted 'File creation' |
    awk '{ printf "%.0f", $1 }')" 50
run 2 - "${dummy[@]}" -T -n 100 --dummy.fail-every=stat:4 --interval 0.02 -v
expect_status 1 || true
steps "file stat" 150
# Data that turns out wrong takes operations back.
run 2 - -c -F -n 100 -w 10 -d "$d" --interval 0.01 -v
steps "file creation" 200
run 1 - "${dummy[@]}" -n 10 -v
expect_no_line 'in every' "nobody asked for steps" || true
finish
