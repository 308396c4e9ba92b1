# shellcheck shell=bash
# What the tests of ior share, with lib.bash; sourced, not run.

# shellcheck source=lib.bash
. "$(dirname "${BASH_SOURCE[0]}")/lib.bash"
ior=$TREEMARK_BIN/ior
base=$TEST_DIR/base
# shellcheck disable=SC2034 # for those who source this
f=$base/f
trace=$TEST_DIR/trace
# shellcheck disable=SC2034
json=$TEST_DIR/run.json

# part TITLE: what follows begins in an empty directory.
part() {
    title=$1
    rm -rf "$base" "$trace".*
    mkdir "$base"
    cd "$base" || exit
}

# run NP HOSTS ARGS...: ior; sets status, out and err.  A run that hangs ends
# with status 124.
run() {
    local np=$1 hosts=$2
    shift 2
    last_run="ior $* [np $np on $hosts]"
    status=0
    rm -f "$trace".*
    mpi "$np" "$hosts" timeout -k 5 30 "$ior" "$@" \
        >"$out" 2>"$err" || status=$?
    case " $* " in
    *" --trace="*)
        local rank
        for ((rank = 0; rank < np; rank++)); do
            if [ ! -e "$trace.$rank" ] && [ "$status" -ne 2 ]; then
                bad_with_output "no trace of rank $rank"
            fi
            : >>"$trace.$rank"
        done
        ;;
    esac
}

# works NP HOSTS ARGS...: a run that is well.
works() {
    run "$@"
    expect_status 0 || true
}

# refuse NP REGEX ARGS...: one line that matches, and nothing is touched.
refuse() {
    local np=$1 regex=$2 before after
    shift 2
    before=$(snapshot "$base")
    run "$np" - "$@"
    refused "$*" "$regex" || true
    after=$(snapshot "$base")
    if [ "$before" != "$after" ]; then
        bad "a refusal changed $base: $(diff <(echo "$before") \
            <(echo "$after") | sed -n 2p)"
    fi
}

# results [NAME]: the rows of the tables of results.
results() {
    awk -v name="${1:-}" '
        /^access +bw\(MiB\/s\)/ { on = 1 }
        /^Summary of all tests/ { on = 0 }
        on && NF == 11 && /^(write|read|remove) / {
            if (name == "" || $1 == name) print
        }' "$out"
}

# result NAME COLUMN [ITERATION]: a number of such a row.  Columns: 2 bandwidth
# in MiB/s, 3 operations per second, 4 latency, 5 block, 6 transfer, 7 open,
# 8 transfers, 9 close, 10 total.
result() {
    results "$1" | awk -v column="$2" -v iteration="${3:-0}" \
        '$11 == iteration { print $column; exit }'
}

# moved NAME: the transfers of a phase of one repetition, by its row.
moved() {
    results "$1" | awk '{ printf "%.0f\n", $3 * $8; exit }'
}

expect_rows() { # WANT, such as "write 0, read 0"
    local got
    got=$(results | awk '{ printf "%s%s %s", sep, $1, $11; sep = ", " }')
    if [ "$got" != "$1" ]; then
        bad_with_output "rows: expected '$1', got '$got'"
        return 1
    fi
}

# wide NAME COLUMN: a field of the last table, counted as in its first row:
# 1 name, 2-5 Max Min Mean StdDev in MiB, 6-9 in operations, 10 Mean(s).
wide() {
    awk -v name="$1" -v column="$2" '
        /^Operation +Max\(MiB\)/ { on = 1; next }
        on && $1 == name { print $column; exit }' "$out"
}

# header KEY: the value that the block before the table has.
header() {
    sed -n "s/^$1 *: //p" "$out" | head -n 1
}

expect_header() { # KEY WANT
    expect_equal "$1" "$2" "$(header "$1")"
}

# warned REGEX WHAT: some stream has such a warning.
warned() {
    if ! cat "$out" "$err" | grep -E '^(ior: )?WARNING: ' |
        grep -Eq -- "$1"; then
        bad_with_output "${2:-no warning} (no warning matches $1)"
        return 1
    fi
}

# says REGEX WHAT: some stream has such a line.
says() {
    if ! cat "$out" "$err" | grep -Eq -- "$1"; then
        bad_with_output "${2:-not said} (no line matches $1)"
        return 1
    fi
}

# verdict_last: text ends with the verdict.
verdict_last() {
    if ! tail -n 1 "$out" | grep -q '^verdict: '; then
        bad_with_output "the last line is no verdict: $(tail -n 1 "$out")"
    fi
}

# word FILE OFFSET: the 64 bits there, as written by C's %llx.
word() {
    local digits
    digits=$(od -An -v -tx8 -j "$2" -N 8 "$1" | tr -d ' ')
    digits=${digits#"${digits%%[!0]*}"}
    echo "${digits:-0}"
}

# flip FILE OFFSET: all bits of a byte.
flip() {
    local byte
    byte=$(od -An -v -tu1 -j "$2" -N 1 "$1" | tr -d ' ')
    # shellcheck disable=SC2059 # the format is the byte
    printf "\\x$(printf %x $((byte ^ 255)))" |
        dd of="$1" bs=1 seek="$2" conv=notrunc status=none
}

# offsets RANK read|write [PATH_REGEX]: where the traced transfers of a rank
# are, on one line.
offsets() {
    awk -v call="$2" -v path="${3:-.}" '
        $0 !~ path { next }
        $1 == "lseek" { at = $2; next }
        $1 == "p" call || $1 == "p" call "64" {
            printf "%s%d", sep, $3; sep = " "
        }
        $1 == call { printf "%s%d", sep, at; sep = " "; at += $2 }
        END { print "" }' "$trace.$1"
}

# sources RANK: the files, without directory, that a rank read, in order of
# first use.
sources() {
    awk '$1 == "read" || $1 == "pread" {
            name = $0
            sub(/ -> [^\/]*$/, "", name)
            sub(/.*\//, "", name)
            if (!seen[name]++) { printf "%s%s", sep, name; sep = " " }
        }
        END { print "" }' "$trace.$1"
}

expect_sources() { # WANT_OF_RANK_0 WANT_OF_RANK_1...: numbers of files
    local rank=0 want got
    for want; do
        got=$(sources "$rank" | sed -E 's/f\.0*([0-9])/\1/g')
        expect_equal "files that rank $rank reads" "$want" "$got" || true
        rank=$((rank + 1))
    done
}

# valid_json FILE: one object, nothing else, no NaN, no member twice.
valid_json() {
    if ! /usr/bin/python3 - "$1" 2>"$TEST_DIR/why" <<'P'; then
import json, sys

def no(name):
    raise ValueError(name)

def unique(pairs):
    if len({k for k, _ in pairs}) != len(pairs):
        raise ValueError("a member twice: %s" % [k for k, _ in pairs])
    return dict(pairs)

with open(sys.argv[1], encoding="utf-8") as f:
    r = json.load(f, parse_constant=no, object_pairs_hook=unique)
assert isinstance(r, dict), "no object"
P
        bad_with_output "$1 is no JSON: $(tail -n 1 "$TEST_DIR/why")"
        return 1
    fi
}

# get FILE EXPRESSION: of the object r in a file, in Python.
get() {
    /usr/bin/python3 - "$1" "$2" <<'P' 2>&1 | tail -n 1
import json, sys
with open(sys.argv[1], encoding="utf-8") as f:
    r = json.load(f)
phases = []
if r.get("schema"):
    phases = [p for t in r["tests"] for i in t["iterations"] for p in i["phases"]]
by = {p["name"]: p for p in phases}
value = eval(sys.argv[2])
print(value if isinstance(value, str) else json.dumps(value))
P
}

expect_json() { # FILE EXPRESSION WANT
    expect_equal "$2" "$3" "$(get "$1" "$2")" || true
}
