#!/bin/bash
# --sync, --remount and --drop-caches: once per node before each phase, and
# what came of it is stored.  --check: what is on disk is what phases say.
set -eu
# shellcheck source=lib.bash
. "$(dirname "$0")/lib.bash"
d=$TEST_DIR/D
json=$TEST_DIR/run.json
ran=$TEST_DIR/ran

# get EXPRESSION: of the phases of the result, in Python.
get() {
    /usr/bin/python3 - "$json" "$1" <<'P'
import json, sys
with open(sys.argv[1], encoding="utf-8") as f:
    r = json.load(f)
phases = [p for t in r["tests"] for i in t["iterations"] for p in i["phases"]]
print(json.dumps(eval(sys.argv[2])))
P
}

expect() { # EXPRESSION WANT
    expect_equal "$1" "$2" "$(get "$1" 2>&1 | tail -n 1)" || true
}

valid() {
    /usr/bin/python3 "$here/validate.py" "$here/../results.schema.json" \
        "$json" || bad "no valid result"
}

title="commands run once per node and phase"
for case in "1 - 1" "3 - 1" "4 a:2,b:2 2" "3 a:2,b:1 2"; do
    read -r np hosts nodes <<<"$case"
    for option in --drop-caches --remount; do
        : >"$ran"
        run "$np" "$hosts" -F -n 3 -i 2 -d "$d" --json "$json" \
            "$option=echo x >>$ran"
        expect_status 0 || true
        valid
        expect_equal "times on $case" $((2 * 6 * nodes)) "$(wc -l <"$ran")" ||
            true
    done
done
expect '[p["caches"] for p in phases] == 12 * [{"synced": False, "remounted": True, "dropped": False}]' true

title="they run between phases, not within"
run 2 - -F -n 3 -P -d "$d" "--drop-caches=sleep 0.6" --json "$json"
expect 'max(p["time_s"] for p in phases) < 0.6' true

title="without them nothing is said"
run 1 - -F -n 3 -d "$d" --json "$json"
expect '[p["caches"] for p in phases] == 6 * [None]' true

title="a command that fails is warned of, once, and the numbers are doubtful"
for np in 1 2; do
    run "$np" - -F -n 3 -d "$d" --json "$json" "--drop-caches=exit 3"
    expect_status 0 || true
    valid
    expect_equal "warnings" 1 "$(grep -c '(CACHES_KEPT)' "$out")" || true
    expect 'r["verdict"]["ok"]' false
    expect 'any("--drop-caches=COMMAND" in x for x in r["verdict"]["reasons"])' true
    expect '[p["caches"]["dropped"] for p in phases] == 6 * [False]' true
done
run 2 - -F -n 3 -d "$d" "--drop-caches=exit 3" --warningAsErrors
expect_status 1 || true
run 2 - -F -n 3 -d "$d" --json "$json" "--remount=exit 3"
expect_status 1 "a remount that fails" || true
expect_line '^verdict: commands before or after phases failed' "it is said" ||
    true

title="the kernel's caches"
if [ -w /proc/sys/vm/drop_caches ]; then
    before=$(awk '/^drop_pagecache/ { print $2 }' /proc/vmstat)
    run 2 - -F -n 3 -d "$d" --drop-caches --sync --json "$json"
    expect_status 0 || true
    valid
    after=$(awk '/^drop_pagecache/ { print $2 }' /proc/vmstat)
    within "times dropped" 6 1000 "$((after - before))" || true
    expect '[p["caches"] for p in phases] == 6 * [{"synced": True, "remounted": False, "dropped": True}]' true
fi
if [ "$(id -u)" -eq 0 ] && command -v setpriv >/dev/null &&
    setpriv --reuid 65534 test -x "$mdtest"; then
    mkdir "$TEST_DIR/open"
    chmod 777 "$TEST_DIR/open"
    chmod 755 "$TEST_DIR"
    status=0
    setpriv --reuid 65534 --clear-groups "$mdtest" -F -n 3 -d "$TEST_DIR/open/D" \
        --drop-caches --json "$TEST_DIR/open/run.json" </dev/null \
        >"$out" 2>"$err" || status=$?
    last_run="mdtest --drop-caches as nobody"
    expect_status 0 || true
    expect_line '--drop-caches failed on 1 of 1 nodes: Permission denied' \
        "the reason" || true
fi

title="a node that is asked for what it holds is told of"
# warned WANT NP HOSTS ARGS...: of these two, in this order
warned() {
    local want=$1
    shift
    run "$@" -d "$d"
    expect_status 0 || true
    expect_equal "warnings" "$want" \
        "$(grep -oE '\((CACHED_DATA|SAME_NODE)\)$' "$out" | tr -d '()' |
            paste -sd ' ')" || true
}
warned "CACHED_DATA" 2 - -F -n 3 -w 10 -e 10
expect_line '^verdict: .*data may come from the memory' "the verdict" || true
warned "CACHED_DATA SAME_NODE" 2 a:1,b:1 -F -n 3 -w 10 -e 10
expect_line '^verdict: .*-N node, or --drop-caches' "the verdict" || true
warned "SAME_NODE" 2 a:1,b:1 -D -n 3
warned "" 2 a:1,b:1 -F -n 3 -w 10 -e 10 -N node
warned "CACHED_DATA" 2 - -F -n 3 -w 10 -e 10 -N 1
warned "" 2 a:1,b:1 -F -n 3 -w 10 -e 10 --drop-caches=true
warned "" 2 - -F -n 3 -w 10 -e 10 --remount=true
warned "" 2 - -F -n 3 -w 10 -e 10 -a DUMMY
warned "" 2 - -F -n 3 -w 10
warned "" 2 a:1,b:1 -D -n 3 -C -r

title="what cannot be is refused"
run 1 - -F -n 3 -B -d "$d" --drop-caches
refused "-B" 'no moment for --drop-caches' || true
run 1 - -F -n 3 -B -d "$d" --sync
refused "-B" 'no moment for --drop-caches' || true
run 1 - -F -n 3 -B -d "$d" --check
refused "-B" 'no moment for --check' || true
run 1 - -F -n 3 --access dirfd -d "$d" --remount true
refused "open directories" 'keeps directories open' || true
run 1 - -F -n 3 -a DUMMY --drop-caches
refused "DUMMY" 'nothing is stored' || true
run 1 - -F -n 3 -a DUMMY --check
refused "DUMMY" 'nothing is stored that could be counted' || true

title="--check finds what phases say"
for options in "-n 6 -b 2 -z 1 -i 2" "-n 6 -b 2 -z 1 -u" "-n 6 -S" "-n 6 -c -u" \
    "-n 12 -I 2 -b 2 -z 1" "-F -n 4 -N 1" "-F -k -n 4" "-D -n 4 --tree parallel" \
    "-L -n 4 -b 2 -z 1" "-F -n 20 -W 1 -u" "-n 4 --access dirfd" \
    "-F -n 3 -C --keep" "-F -n 3 -T" "-F -n 3 -r"; do
    for np in 1 3; do
        if [ "$np" = 1 ] && [[ $options == *-C* || $options == *-T* ||
            $options == *-r ]]; then
            continue
        fi
        # shellcheck disable=SC2086 # a list of options
        run "$np" - $options -d "$d" --check --json "$json"
        expect_status 0 || true
        valid
        expect 'all(p["check"] is None or p["check"]["ok"] for p in phases)' true
    done
done
rm -rf "$d"
run 3 a:2,b:1 -n 6 -b 2 -z 1 -d "$d" --check --json "$json"
expect '[p["check"]["found"] for p in phases if p["check"]]' \
    '[3, 18, 0, 18, 0, 0]'

title="and says where they do not agree"
file=$d/test-dir.0-0/mdtest_tree.0/file.mdtest.0
for np in 1 2; do
    run "$np" - -F -n 3 -C -d "$d" --check --json "$json" \
        --run-cmd-after-phase "rm -f $file.1"
    expect_status 1 || true
    valid
    if ! grep -q -- "--check: after file creation $((3 * np - 1)) files are there, not $((3 * np))" "$err"; then
        bad_with_output "numbers"
    fi
    expect_line '^verdict: what is on disk is not what phases say' "verdict" ||
        true
    run "$np" - -F -n 3 -r -d "$d" --tolerate 1 --json "$json" --check \
        --run-cmd-after-phase "mkdir -p ${file%/*}; touch $file.7"
    expect_status 1 || true
    expect 'r["verdict"]["ok"]' false
    rm -rf "$d"
done

finish
