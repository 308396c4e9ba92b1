#!/bin/bash
# treemark import understands all that ior of ours prints, at every verbosity,
# and finds the phases that it had.
set -eu
# shellcheck source=ior.bash
. "$(dirname "$0")/ior.bash"
text=$TEST_DIR/text
imported=$TEST_DIR/imported.json
small=(-t 4k -b 16k)

# understood WHAT: the text of the last run, both streams, has no other line.
understood() {
    local code=0
    cat "$out" "$err" >"$text"
    "$TREEMARK_BIN/treemark" import "$text" </dev/null >"$imported" \
        2>"$TEST_DIR/why" || code=$?
    if [ "$code" != 0 ]; then
        bad "$1 (status $code): $(head -n 3 "$TEST_DIR/why")"
    fi
}

levels=("" -v -vv -vvv -vvvvv)

# all NP HOSTS ARGS...: at these verbosities, with the phases of its own result.
all() {
    local np=$1 hosts=$2 verbose words
    shift 2
    for verbose in "${levels[@]}"; do
        read -ra words <<<"$verbose"
        run "$np" "$hosts" "${words[@]}" "$@" --json "$json"
        expect_status_in "0 1" || true
        understood "import"
        expect_equal "phases" \
            "$(get "$json" '[[p["name"] for p in i["phases"] if p["name"] != "write check" for p in ([{"name": "mixed write"}, {"name": "mixed read"}, p] if p["mixed"] else [p])] for t in r["tests"] for i in t["iterations"]]')" \
            "$(get "$imported" '[[p["name"] for p in i["phases"] if p["name"] != "remove"] for t in r["tests"] for i in t["iterations"]]')" ||
            true
        rm -f "$base"/*
    done
}

part "rows, tasks, nodes, checks"
all 2 - -w -r -i 2 "${small[@]}" -o "$f"
levels=("" -vvv) # which has the lines of those between
all 4 a:2,b:2 -w -r -W -R -F -C -e -g "${small[@]}" -o "$f"
all 4 a:2,b:2 -w -r -F -Z -X 3 -z "${small[@]}" -o "$f" --percentiles
part "mixes and passes"
all 2 - --rwmix=50 -i 2 "${small[@]}" -o "$f" --percentiles
all 2 - --rwmix=50 -F -t 4k -b 4g -D 0.05 -o "$f"
all 2 - -w -r --read-passes=3 "${small[@]}" -o "$f"
part "hints, sizes, stonewalls, memory"
all 2 - -a MPIIO -c -w -r "${small[@]}" -o "$f" --mpiio.showHints
all 2 - -w -r -t 4kB -b 16kB --total=2m -d 0.1 -M 1% -o "$f"
all 2 - -w -r -D 0.1 -O stoneWallingWearOut=1 -O interIODelay=5000 -t 1k \
    -b 100k -o "$f"
part "failures"
all 2 - -a DUMMY -w -r -t 4k -b 64k -i 2 -o "$f" --dummy.fail=write:3:EIO
expect_json "$imported" 'r["tests"][0]["iterations"][0]["phases"][0]["failed"]' \
    "$(get "$json" 'r["tests"][0]["iterations"][0]["phases"][0]["failed"]')"
all 2 - -a DUMMY --rwmix=40 -t 4k -b 64k -o "$f" --dummy.fail=read:3:EIO
part "scripts"
printf '%s\n' "junk" "IOR START" "api=DUMMY" "testFile=$f" "RUN" \
    "segmentCount=2" "RUN" "IOR STOP" "junk" >"$TEST_DIR/script"
all 1 - -f "$TEST_DIR/script" -O summaryAlways=1

part "on a disk, data is weighed against memory"
disk=${TMPDIR:-/tmp}/treemark-import-$$
mkdir "$disk"
all 1 - -w -r "${small[@]}" -o "$disk/f" --server-memory=1g --total=0.0001xRAM
rm -rf "$disk"
finish
