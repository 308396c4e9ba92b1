# shellcheck shell=bash
# Functions that the end-to-end tests share; sourced, not run.
#
# From the environment: TREEMARK_BIN (directory of mdtest and treemark),
# MPIEXEC (an MPICH launcher), TEST_DIR (empty, on tmpfs).
#
# A check that fails is reported with what was expected and what came, and
# counted; finish() turns the count into the exit status.

: "${TREEMARK_BIN:?directory of mdtest}" "${MPIEXEC:?an MPI launcher}"
: "${TEST_DIR:?an empty directory}"
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
mdtest=$TREEMARK_BIN/mdtest
out=$TEST_DIR/stdout # of the last run
err=$TEST_DIR/stderr
status=0     # of the last run
last_run='' # its command, for messages
title=''    # of the part of a test that is at work, for messages
bad_count=0
export LC_ALL=C

# The runs of a test may be many: they must not wait for the environment of
# the person who calls it.
unset TREEMARK_LEFTOVERS

skip() {
    echo "skipped: $*"
    exit 77
}

# bad WHAT: a check failed.
bad() {
    bad_count=$((bad_count + 1))
    if [ "$bad_count" -gt 20 ]; then
        return # enough is shown; finish() says how many
    fi
    printf 'FAILED: %s\n' "$1"
    if [ -n "$title" ]; then
        printf '  in: %s\n' "$title"
    fi
    if [ -n "$last_run" ]; then
        printf '  after: %s (status %s)\n' "$last_run" "$status"
    fi
}

# bad_with_output WHAT: the same, showing what the last run printed.
bad_with_output() {
    bad "$1"
    if [ "$bad_count" -gt 20 ]; then
        return
    fi
    head -n 12 "$out" | sed 's/^/  stdout: /'
    head -n 12 "$err" | sed 's/^/  stderr: /'
}

finish() {
    if [ "$bad_count" -ne 0 ]; then
        echo "$bad_count checks failed"
        exit 1
    fi
}

# mpi NP HOSTS COMMAND...: start a command on NP ranks.  HOSTS is "-" for one
# node, or such as a:2,b:2.  One rank on one node needs no launcher.
mpi() {
    local np=$1 hosts=$2
    shift 2
    if [ "$hosts" != - ]; then
        "$MPIEXEC" -launcher fork -hosts "$hosts" -n "$np" "$@" </dev/null
    elif [ "$np" -eq 1 ]; then
        "$@" </dev/null
    else
        "$MPIEXEC" -n "$np" "$@" </dev/null
    fi
}

# run NP HOSTS ARGS...: mdtest; sets status, out and err.  A run that hangs
# ends with status 124.
run() {
    local np=$1 hosts=$2
    shift 2
    last_run="mdtest $* [np $np on $hosts]"
    status=0
    if [ "$hosts" = - ] && [ "$np" -eq 1 ]; then
        timeout -k 5 60 "$mdtest" "$@" \
            </dev/null >"$out" 2>"$err" || status=$?
    else
        mpi "$np" "$hosts" timeout -k 5 60 "$mdtest" "$@" \
            >"$out" 2>"$err" || status=$?
    fi
}

expect_status() {
    if [ "$status" -ne "$1" ]; then
        bad_with_output "expected status $1, got $status${2:+: $2}"
        return 1
    fi
}

# expect_status_in "1 2": one of several.
expect_status_in() {
    case " $1 " in
    *" $status "*) ;;
    *)
        bad_with_output "expected a status of $1, got $status"
        return 1
        ;;
    esac
}

# expect_equal WHAT WANT GOT
expect_equal() {
    if [ "$2" != "$3" ]; then
        bad "$1: expected '$2', got '$3'"
        return 1
    fi
}

# expect_line REGEX WHAT: some line of standard output matches.
expect_line() {
    if ! grep -Eq -- "$1" "$out"; then
        bad_with_output "$2: no line matches $1"
        return 1
    fi
}

expect_no_line() {
    local line
    if line=$(grep -E -m 1 -- "$1" "$out" "$err"); then
        bad "$2: did not expect $line"
        return 1
    fi
}

expect_same_file() { # WHAT WANT_FILE GOT_FILE
    if ! cmp -s "$2" "$3"; then
        bad "$1: expected (-) and got (+) differ:"
        if [ "$bad_count" -gt 20 ]; then
            return 1
        fi
        diff -U 2 "$2" "$3" | sed -n '3,22s/^/  /p'
        return 1
    fi
}

expect_empty_dir() { # WHAT DIR
    local left
    left=$(tree_of "$2" | head -n 5)
    if [ -n "$left" ]; then
        bad "$1: left in $2: ${left//$'\n'/ }"
        return 1
    fi
}

expect_gone() { # WHAT PATH
    if [ -e "$2" ] || [ -L "$2" ]; then
        bad "$1: expected no $2, but it is there"
        return 1
    fi
}

# refused WHAT REGEX: the last run ended with status 2 and one line, which
# matches.
refused() {
    expect_status 2 "$1" || return 1
    if [ "$(complaints)" -ne 1 ] || ! cat "$out" "$err" | grep -Eq -- "$2"; then
        bad_with_output "$1: expected one line that matches $2"
        return 1
    fi
}

# complaints: lines that the last run printed, whatever the stream.
complaints() {
    cat "$out" "$err" | grep -c '[^[:space:]]' || true
}

# row NAME [COLUMN]: a number of the first table of the last run that has it;
# columns are 1 Max, 2 Min, 3 Mean, 4 Std Dev.  Empty if there is no such row.
row() {
    awk -v name="$1" -v column="${2:-1}" '
        substr($0, 4, length(name)) == name && substr($0, 1, 3) == "   " {
            $0 = substr($0, 4 + length(name))
            print $column
            exit
        }' "$out"
}

# time_row NAME [COLUMN]: the same in the time table.
time_row() {
    awk -v name="$1" -v column="${2:-1}" '
        /^SUMMARY time/ { timed = 1 }
        timed && substr($0, 4, length(name)) == name {
            $0 = substr($0, 4 + length(name))
            print $column
            exit
        }' "$out"
}

# failed NAME: what stands in the failed line under a row, such as
# "2 of 10 (EIO 2)"; empty if the row has none.
failed() {
    awk -v name="$1" '
        seen && /^      failed  / { sub(/^ *failed +/, ""); print; exit }
        seen { exit }
        substr($0, 1, 3) == "   " && substr($0, 4, length(name)) == name {
            seen = 1
        }' "$out"
}

expect_failed() { # NAME WANT
    local got
    got=$(failed "$1")
    if [ "$got" != "$2" ]; then
        bad_with_output "failed line of $1: expected '$2', got '$got'"
        return 1
    fi
}

# expect_missed NAME WANT: what was not tried, such as "1 of 3"; "" if the row
# says nothing of that.
expect_missed() {
    local got
    got=$(awk -v name="$1" '
        seen && /^      not tried  / { sub(/^ *not tried +/, ""); print; exit }
        seen && !/^      failed  / { exit }
        substr($0, 1, 3) == "   " && substr($0, 4, length(name)) == name {
            seen = 1
        }' "$out")
    if [ "$got" != "$2" ]; then
        bad_with_output "not tried of $1: expected '$2', got '$got'"
        return 1
    fi
}

# counted NAME: the operations that the rate of a row counts, which is the rate
# times the time; for one iteration with -P.
counted() {
    awk -v t="$(time_row "$1")" -v r="$(row "$1")" \
        'BEGIN { printf "%.3f\n", r * t }'
}

# within WHAT LEAST MOST GOT
within() {
    if ! awk -v least="$2" -v most="$3" -v got="$4" \
        'BEGIN { exit !(got != "" && got + 0 >= least && got + 0 <= most) }'; then
        bad "$1: expected $2 to $3, got '$4'"
        return 1
    fi
}

# close_to WHAT WANT GOT PERCENT
close_to() {
    if ! awk -v want="$2" -v got="$3" -v percent="$4" 'BEGIN {
            off = got - want
            if (off < 0) off = -off
            exit !(got != "" && off <= want * percent / 100)
        }'; then
        bad "$1: expected about $2, got '$3'"
        return 1
    fi
}

# tree_of DIR: everything below, one line each, sorted.
tree_of() {
    if [ -d "$1" ]; then
        find "$1" -mindepth 1 -printf '%y %P\n' | sort
    else
        echo "no directory $1"
    fi
}

# drop DIR: take an empty directory away; it is an error if it is not.
drop() {
    if ! rmdir "$1" 2>/dev/null; then
        bad "cannot rmdir $1: $(tree_of "$1" | head -n 3 | tr '\n' ' ')"
        rm -rf "$1"
    fi
}

# snapshot DIR...: what any touch would change, but for access times.
snapshot() {
    find "$@" -printf '%y %m %n %s %T@ %C@ %p\n' | sort
}

# build_recorder: compile recorder.c; sets $recorder.
build_recorder() {
    recorder=$TEST_DIR/recorder.so
    if ! command -v "${CC:-cc}" >/dev/null; then
        skip "no C compiler to build the recorder"
    fi
    "${CC:-cc}" -O1 -Wall -Wextra -fPIC -shared -o "$recorder" \
        "$here/recorder.c" -ldl
    # A sanitized program may start with another library before its own.
    ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}verify_asan_link_order=0"
    export ASAN_OPTIONS
}

# record LOG BELOW NP HOSTS ARGS...: run mdtest, each rank's calls on paths in
# BELOW go to LOG.<rank>.
record() {
    local log=$1 below=$2 np=$3 hosts=$4 rank
    shift 4
    last_run="mdtest $* [np $np on $hosts]"
    status=0
    mpi "$np" "$hosts" env "LD_PRELOAD=$recorder" \
        "TREEMARK_RECORD_BELOW=$below" "TREEMARK_RECORD_TO=$log" \
        timeout -k 5 60 "$mdtest" "$@" >"$out" 2>"$err" || status=$?
    for ((rank = 0; rank < np; rank++)); do
        if [ ! -e "$log.$rank" ]; then
            bad_with_output "no recording of rank $rank"
            : >"$log.$rank"
        fi
    done
}

# calls LOG BELOW: a recording in the form of the traces, "<call> <path>":
# without what is ours (probe, marker, looking into directories), without
# look-ups of directories, without making what is there already and without
# trying to remove a root that is in use.
calls() {
    awk -v below="$2/" '
        index($0, "/.treemark") || / -> EEXIST$/ { next }
        /^rmdir .* -> ENOTEMPTY$/ && !/mdtest_tree/ { next }
        { gsub(/\/+/, "/"); gsub(/\/( |$)/, " "); sub(/ +$/, "") }
        {
            flags = ""
            if ($1 == "open") {
                flags = $2
                if (flags ~ /DIRECTORY/) next
                sub(/^open [^ ]+/, flags ~ /CREAT/ ? "create" : \
                    flags == "O_WRONLY" ? "write" : "read")
            }
            if ($1 == "stat" && $2 !~ /\/(file|dir)\.mdtest\.[^\/]*$/) next
            while (i = index($0, below))
                $0 = substr($0, 1, i - 1) substr($0, i + length(below))
            print
        }' "$1"
}

# exact_calls LOG BELOW: a recording as it is, but for the name that stands
# before that of -d, and with doubled slashes folded.
exact_calls() {
    awk -v below="$2/" '
        {
            gsub(/\/\/+/, "/")
            while (i = index($0, below))
                $0 = substr($0, 1, i - 1) substr($0, i + length(below))
            print
        }' "$1"
}

# model P STRIDE NODES OPTIONS...: the calls that model.awk works out for an
# mdtest command line (only the options that it knows).  NODES is "" or the
# node of each rank, for a ring sorted by node.
model() {
    local P=$1 stride=$2 nodes=$3 kinds='' phases='' made=1 option OPTIND=1
    local -a vars=()
    shift 3
    while getopts b:z:n:I:i:N:w:e:G:f:l:s:d:LuSckRtXFDCTErU-: option; do
        case $option in
        [bznIifls]) vars+=(-v "$option=$OPTARG") ;;
        [LuSckR]) vars+=(-v "$option=1") ;;
        [FD]) kinds=$kinds$option ;;
        [CTErU]) phases=$phases$option ;;
        d) vars+=(-v "roots=$(tr -dc '@' <<<"$OPTARG@" | wc -c)") ;;
        -)
            case $OPTARG in
            root-exists) made=0 ;;
            random-seed=*) vars+=(-v "seed=${OPTARG#*=}") ;;
            esac
            ;;
        *) ;;
        esac
    done
    awk -f "$here/model.awk" -v "P=$P" -v "stride=$stride" \
        -v "nodes=$nodes" -v "kinds=$kinds" -v "phases=$phases" \
        -v "made=$made" "${vars[@]}" </dev/null
}

# calls_of RANK < model lines: those of one rank, without the number.
calls_of() {
    awk -v rank="$1" '$1 == rank { sub(/^[0-9]+ /, ""); print }'
}

# in_original_words < "<call> <path>" lines: the same as recorder.c writes
# them of the original, which ends the names of tree directories in a slash.
in_original_words() {
    sed -E -e 's/^create /open O_RDWR|O_CREAT /' -e 's/^read /open O_RDWR /' \
        -e 's/^write /open O_WRONLY /' \
        -e 's:^(mkdir|rmdir) .*/mdtest_tree[0-9.]*$:&/:'
}
