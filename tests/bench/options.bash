# shellcheck shell=bash
# What options gain: parts of run.sh, which sources this and has the functions
# that are used here.
: "${dir:?}" "${mdtest:?}" "${tries:?}" "${programs:?}" "${cores:?}"

# line_least NAME VALUE UNIT LEAST
line_least() {
    local verdict=ok
    holds "$4" "$2" || {
        verdict=MISSED
        missed=$((missed + 1))
    }
    printf '%-60s %10s %-6s %9s %s\n' "$1" "$2" "$3" ">= $4" "$verdict"
}

# ---- names relative to an open directory --------------------------------

# Files nine levels down, by turns by their whole path and by their name.
part_dirfd() {
    local round how rounds=11
    rm -f "$dir/path" "$dir/dirfd"
    for ((round = 0; round < rounds; round++)); do
        for how in path dirfd; do
            rates -F -z 8 -b 1 -L -n 100000 --access=$how
            awk '$1 == "stat" { print $2 }' "$dir/rates" >>"$dir/$how"
        done
    done
    for how in path dirfd; do
        line "stat, nine levels, --access=$how" \
            "$(median <"$dir/$how" | xargs printf %.0f)" /s
    done
    # Of each pair, because the speed of the machine changes meanwhile.
    line_least "stat, nine levels, dirfd / path" \
        "$(paste "$dir/dirfd" "$dir/path" | awk '{ print $1 / $2 }' | median |
            xargs printf %.3f)" '' 1.3
}

# ---- trees made by all ranks --------------------------------------------

# Four branches and six levels, where each call takes 5 ms.
tree_dirs=1365
delay_us=5000

# rounds NP: calls that one of NP ranks has to make at least: the sum of
# width / NP, rounded up, over the levels.
rounds() {
    awk -v np="$1" 'BEGIN {
        for (width = 1; width <= 1024; width *= 4)
            n += int((width + np - 1) / np)
        print n
    }'
}

# share NP ROW WHAT BEST ARGS...: the rate of a row of the table, with a delay
# in each call, as a share of the BEST one.
share() {
    local np=$1 row=$2 what=$3 best=$4
    shift 4
    mpi "$np" "$mdtest" -a DUMMY -d "$dir/none" \
        "--dummy.delay-$what=$delay_us" "$@" >"$dir/table"
    awk -v row="$row" -v best="$best" 'substr($0, 4, length(row)) == row {
        $0 = substr($0, 4 + length(row))
        printf "%.4f\n", $1 / best
        found = 1
        exit
    }
    END { exit !found }' "$dir/table" || {
        cat "$dir/table" >&2
        return 1
    }
}

# tree_row NP ROW WHAT PHASE: tried until the bound is kept.  Of the same calls
# in one directory, without levels, it is told what they come to: where that is
# below the bound, the machine has no time for them.
tree_row() {
    local np=$1 row=$2 what=$3 phase=$4 try n best now most=0 flat=0
    local name="$row, np $np"
    n=$(rounds "$np")
    best=$(calc "$tree_dirs * 1e6 / ($delay_us * $n)")
    for ((try = 0; try < tries; try++)); do
        now=$(share "$np" "Directory ${row#* }" "$what" \
            "$(calc "$np * 1e6 / $delay_us")" -D "$phase" -n "$n")
        flat=$(printf '%s\n' "$flat" "$now" | sort -g | tail -n 1)
        # No files, so that nothing but the tree has delays.
        now=$(share "$np" "$row" "$what" "$best" -F "$phase" -n "$tree_dirs" \
            -b 4 -z 5 --tree=parallel -x "$dir/no-files")
        most=$(printf '%s\n' "$most" "$now" | sort -g | tail -n 1)
        ! holds 0.95 "$most" || break
    done
    line "$name, $tree_dirs directories, 5 ms each" \
        "$(calc "sprintf(\"%.1f\", $most * $best)")" /s
    line "$name, one level, share of the best" "$flat" ''
    if ! holds 0.95 "$most" && ! holds 0.96 "$flat"; then
        echo "$name: MISSED, too noisy to say ($most of the best)"
        missed=$((missed + 1))
        return
    fi
    line_least "$name, share of the best" "$most" '' 0.95
}

part_tree() {
    local np
    for np in 2 4 8; do
        rm -f "$dir/no-files"
        tree_row "$np" 'Tree creation' mkdir -C
        echo 0 >"$dir/no-files"
        tree_row "$np" 'Tree removal' remove -r
    done
}

# ---- latencies, operations over time, progress ---------------------------

# account_instructions WHAT: of one operation of the account program.
account_instructions() {
    local n few=100000 many=600000
    local -A total=()
    for n in $few $many; do
        valgrind --tool=callgrind --callgrind-out-file="$dir/account" \
            "$programs/account" "$1" "$n" >"$dir/said" 2>&1 || {
            cat "$dir/said" >&2
            return 1
        }
        total[$n]=$(sed -n 's/^totals: //p' "$dir/account")
    done
    calc "sprintf(\"%.1f\", (${total[$many]} - ${total[$few]}) / \
        ($many - $few))"
}

# What the histogram and its like cost per operation, beside the clock.
part_account() {
    local clock did sampled
    if ! command -v valgrind >/dev/null; then
        echo 'account: skipped, valgrind is not here'
        return
    fi
    clock=$(account_instructions clock)
    did=$(account_instructions 'did')
    sampled=$(account_instructions sampled)
    line 'an operation: the clock, instructions' "$clock" ''
    line 'an operation: latencies, above that' \
        "$(calc "sprintf(\"%.1f\", $did - $clock)")" ''
    line 'an operation: latencies and --interval, above that' \
        "$(calc "sprintf(\"%.1f\", $sampled - $clock)")" '' 60
}

# with_and_without NP ITEMS OPTION...: the time of operations that do nothing
# with an option as a share of that without, by turns; a pair without it shows
# what the machine makes of equal things.
with_and_without() {
    local np=$1 items=$2 try round rounds=15 ratio='' least='' control turn
    local -a launch=("${alone[@]}")
    shift 2
    [ "$np" = 1 ] || launch=(mpi "$np")
    for ((try = 0; try < tries; try++)); do
        rm -f "$dir"/turn.*
        for ((round = 0; round < rounds; round++)); do
            for turn in without with again; do
                local -a more=()
                [ $turn != with ] || more=("$@")
                "${launch[@]}" "$mdtest" -a DUMMY -F -T -n "$items" \
                    -d "$dir/none" "${more[@]}" </dev/null 2>"$dir/err" \
                    >"$dir/table" || {
                    cat "$dir/table" "$dir/err" >&2
                    return 1
                }
                awk '/^   File stat/ { print $3; exit }' "$dir/table" \
                    >>"$dir/turn.$turn"
            done
        done
        ratio=$(paste "$dir/turn.without" "$dir/turn.with" "$dir/turn.again" |
            awk '{ print ($1 + $3) / 2 / $2 }' | median)
        least=$(best "$least" "$ratio")
        ! holds "$least" 1.01 || break
    done
    control=$(paste "$dir/turn.without" "$dir/turn.again" |
        awk '{ print $1 / $2 }' | median)
    line "DUMMY stat, np $np, without / without" \
        "$(printf %.4f "$control")" ''
    line "DUMMY stat, np $np, with $*" "$(printf %.4f "$least")" '' 1.01
}

part_progress() {
    local np=1
    with_and_without 1 10000000 --interval=0.01
    with_and_without 1 10000000 --progress=0.1
    [ "$cores" -lt 2 ] || np=2
    with_and_without "$np" 10000000 --progress=0.1 --interval=0.01
}
