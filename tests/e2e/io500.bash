# shellcheck shell=bash
# shellcheck disable=SC2034,SC2154 # variables of lib.bash and of the tests
# What tests of the suite share; sourced behind lib.bash.

treemark=$TREEMARK_BIN/treemark
data=$TEST_DIR/data
results=$TEST_DIR/results

# write_ini FILE [SECTION KEY VALUE]...: a run of a second, or of what is given.
write_ini() {
    local file=$1
    shift
    cat >"$file" <<END
[global]
datadir = $data
resultdir = $results
timestamp-datadir = FALSE
timestamp-resultdir = FALSE
[debug]
stonewall-time = 1
[ior-easy]
blockSize = 4m
[ior-hard]
segmentCount = 50
[mdtest-easy]
n = 100
[mdtest-hard]
n = 140
END
    while [ $# -ge 3 ]; do
        printf '[%s]\n%s = %s\n' "$1" "$2" "$3" >>"$file"
        shift 3
    done
}

# suite NP HOSTS ARGS...: treemark io500; sets status, out and err.
suite() {
    local np=$1 hosts=$2
    shift 2
    last_run="treemark io500 $* [np $np on $hosts]"
    status=0
    mpi "$np" "$hosts" timeout -k 5 120 "$treemark" io500 "$@" \
        >"$out" 2>"$err" || status=$?
}

forget() {
    rm -rf "$data" "$results"
}

# Names of files as many as processes make: file.mdtest.RANK.ITEM with "01".
names_with_01() { # NP ITEMS
    local np=$1 items=$2 rank item n=0
    for ((rank = 0; rank < np; rank++)); do
        for ((item = 0; item < items; item++)); do
            case file.mdtest.$rank.$item in
            *01*) n=$((n + 1)) ;;
            esac
        done
    done
    echo "$n"
}

phases='ior-easy-write mdtest-easy-write timestamp ior-hard-write
    mdtest-hard-write find ior-easy-read mdtest-easy-stat ior-hard-read
    mdtest-hard-stat mdtest-easy-delete mdtest-hard-read mdtest-hard-delete
    ior-rnd4K-easy-read'

# told KEY SECTION: a value of result.txt.
told() {
    awk -v key="$1" -v section="[$2]" '
        /^\[/ { here = $0 == section }
        here && $1 == key { sub(/^[^=]*= /, ""); print; exit }
    ' "$results/result.txt"
}

# expect_complete: each phase has a section with an end and a line, once.
expect_complete() {
    local phase n
    for phase in $phases; do
        n=$(grep -cx "\[$phase\]" "$results/result.txt") || true
        expect_equal "sections of $phase" 1 "$n"
        n=$(grep -cE "^\[.{6}\] +$phase " "$results/result_summary.txt") || true
        expect_equal "lines of $phase" 1 "$n"
        [ -n "$(told t_end "$phase")" ] || bad "$phase has no end"
    done
    expect_equal 'lines of scores' 1 \
        "$(grep -c '^\[SCORE \]' "$results/result_summary.txt")"
    expect_empty_dir 'nothing stays' "$data"
}

# end_all SIGNAL: to all processes of a run in the background, whose launcher is
# $running; with the file $ini.
end_all() {
    local pids
    pids=$(pgrep -f "^$treemark io500 $ini") || true
    # shellcheck disable=SC2086 # numbers
    [ -z "$pids" ] || kill "-$1" $pids 2>/dev/null || true
    status=0
    wait "$running" || status=$?
}
