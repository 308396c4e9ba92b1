# shellcheck shell=bash
# shellcheck disable=SC2034,SC2154 # variables of lib.bash and of the tests
# What tests of studies share; sourced behind lib.bash.

treemark=$TREEMARK_BIN/treemark
d=$TEST_DIR/D
json=$TEST_DIR/study.json
csv=$TEST_DIR/study.csv
kept=$TEST_DIR/kept # every result, judged at the end
n_kept=0
mkdir "$kept"

# 2 ms for whatever is done to an item, and for a directory of a tree.
two_ms=(-a DUMMY -d "$d" --dummy.delay-create=2000 --dummy.delay-stat=2000
    --dummy.delay-open=2000 --dummy.delay-remove=2000 --dummy.delay-mkdir=2000)

needs_nodes() {
    case $MPIEXEC in
    *mpich*) ;;
    *) skip "needs Hydra's -hosts" ;;
    esac
}

# scale NP HOSTS ARGS...: treemark scale; sets status, out and err.
scale() {
    local np=$1 hosts=$2
    shift 2
    last_run="treemark scale $* [np $np on $hosts]"
    status=0
    mpi "$np" "$hosts" timeout -k 5 90 "$treemark" scale "$@" \
        >"$out" 2>"$err" || status=$?
}

# study NP HOSTS WANT_STATUS ARGS...: a study whose result is kept, and whose
# tables are judged by it.
study() {
    local np=$1 hosts=$2 want=$3
    shift 3
    rm -f "$json"
    scale "$np" "$hosts" --json "$json" "$@"
    expect_status "$want" || true
    judged
}

# judged: the last study's result is kept, and its tables agree with it.
judged() {
    if [ ! -e "$json" ]; then
        bad_with_output "no result"
        echo '{"tests": []}' >"$json"
        return
    fi
    n_kept=$((n_kept + 1))
    cp "$json" "$kept/$n_kept.json"
    if ! /usr/bin/python3 "$here/scale_table.py" "$json" "$out" \
        >"$TEST_DIR/told" 2>&1; then
        bad_with_output "table and JSON: $(tail -n 5 "$TEST_DIR/told")"
    fi
}

# get EXPRESSION: of the result r, in Python; points are (nodes, ranks on the
# fullest, ranks) in the order in which they were run.
get() {
    /usr/bin/python3 - "$json" "$1" <<'P'
import json, sys
with open(sys.argv[1], encoding="utf-8") as f:
    r = json.load(f)
tests = r["tests"]
points = [(t["nodes"], t["ranks_per_node"], t["tasks"]) for t in tests]
phases = [p for t in tests for i in t["iterations"] for p in i["phases"]]
states = [t.get("point", {}).get("state") for t in tests]
varied = [t.get("point", {}).get("vary") for t in tests]
def done_in(file):
    with open(file, encoding="utf-8") as f:
        return [t for t in json.load(f)["tests"]
                if t.get("point", {}).get("state") == "done"]
def ops(name):
    return [sum(p["operations"] for i in t["iterations"] for p in i["phases"]
                if p["name"] == name) for t in tests]
value = eval(sys.argv[2])
print(value if isinstance(value, str) else json.dumps(value))
P
}

expect() { # EXPRESSION WANT
    expect_equal "$1" "$2" "$(get "$1" 2>&1 | tail -n 1)" || true
}

# rows FILE [TITLE]: of the tables with such a title: title, unit, nodes, ranks
# per node, ranks, rate, efficiency or state, failed, 95 %; tabs in between.
rows() {
    /usr/bin/python3 "$here/scale_table.py" --rows "$1" |
        awk -F '\t' -v title="${2:-}" 'title == "" || $1 == title'
}

# only_tables FILE: the tables, without what stands before them.
only_tables() {
    awk '/^ *nodes +ppn +ranks / { print before }
        { before = $0 }
        /^ *nodes +ppn +ranks / { inside = 1 }
        inside && !/^ +[a-z0-9]/ { inside = 0 }
        inside' "$1"
}

# says REGEX WHAT: it is on either stream, whatever its case.
says() {
    cat "$out" "$err" | grep -Eiq -- "$1" ||
        bad_with_output "$2: nothing matches $1"
}

# await_points N: until the result on disk has so many points.
await_points() {
    local i
    for ((i = 0; i < 400; i++)); do
        if [ "$(grep -o '"point"' "$json" 2>/dev/null | wc -l)" -ge "$1" ]; then
            return 0
        fi
        sleep 0.05
    done
    bad "not $1 points in 20 seconds"
    return 1
}

# await PID SECONDS: the status of a child, or kill it.
await() {
    local i
    for ((i = 0; i < $2 * 20; i++)); do
        kill -0 "$1" 2>/dev/null || break
        sleep 0.05
    done
    if kill -0 "$1" 2>/dev/null; then
        bad "still running after $2 s"
        kill -KILL "$1" || true
    fi
    status=0
    wait "$1" || status=$?
}

all_valid() {
    title='every result is valid'
    last_run=''
    if ! /usr/bin/python3 "$here/validate.py" "$here/../results.schema.json" \
        "$kept"/*.json >"$TEST_DIR/told" 2>&1; then
        bad "$(head -n 20 "$TEST_DIR/told")"
    fi
}

# old_report NODES PPN CREATE STAT READ REMOVE TREE_CREATE TREE_REMOVE: what
# mdtest 1.9.1 printed of a run with these means.
old_report() {
    local nodes=$1 ppn=$2 rate
    local -a names=("File creation" "File stat" "File read" "File removal"
        "Tree creation" "Tree removal")
    shift 2
    cat <<T
-- started at 07/22/2015 08:42:32 --

mdtest-1.9.1 was launched with $((nodes * ppn)) total task(s) on $nodes node(s)
Command line used: ./mdtest -n 16000 -i 3 -p 10 -d /mnt/fs/mdtest/ -F -u -N 2
Path: /mnt/fs/mdtest
FS: 290.9 TiB   Used FS: 0.4%   Inodes: 291.1 Mi   Used Inodes: 0.0%

$((nodes * ppn)) tasks, $((nodes * ppn * 16000)) files

SUMMARY: (of 3 iterations)
   Operation                  Max        Min       Mean    Std Dev
   ---------                  ---        ---       ----    -------
T
    for rate; do
        printf '   %-14s: %14.3f %10.3f %10.3f %10.3f\n' "${names[0]}" \
            "$rate" "$rate" "$rate" 0
        names=("${names[@]:1}")
    done
    printf '\n-- finished at 07/22/2015 08:49:11 --\n'
}

# old_study DIR: the four runs of a study that was tabled by hand, imported.
old_study() {
    mkdir "$1"
    old_report 1 4 3723 10222 6764 4520 683 139 >"$1/1x4.txt"
    old_report 1 8 3524 18005 6558 4308 541 57 >"$1/1x8.txt"
    old_report 2 4 6487 17277 11435 4202 1281 189 >"$1/2x4.txt"
    old_report 2 8 6211 34348 11389 5002 538 2 >"$1/2x8.txt"
    "$treemark" import "$1"/?x?.txt >"$1/all.json" 2>"$err" </dev/null ||
        bad "the old reports are not understood: $(cat "$err")"
}
