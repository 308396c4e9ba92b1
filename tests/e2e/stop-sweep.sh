#!/bin/bash
# Signals at random moments: what is left is nothing, or what the clean line
# that was printed removes; after SIGKILL, what `treemark clean` removes.  The
# JSON has what there was.
#
#     STOPS=N   interrupts of each kind and number of ranks (1); KILLS=N (1)
#     SEED=N    of the moments
set -eu
# shellcheck source=lib.bash
. "$(dirname "$0")/lib.bash"
d="$TEST_DIR/a dir"
json=$TEST_DIR/run.json
stops=${STOPS:-1}
kills=${KILLS:-1}
RANDOM=${SEED:-$((SECONDS + $$))}
title="seed $RANDOM"
RANDOM=${title#seed }
mkdir "$TEST_DIR/results"
results=0
cleaned=0

# Most of a run's life is in its phases.
shapes=(
    "-F -n 4000 -i 50 -w 10 -e 10" "-n 1500 -i 50 -b 2 -z 3"
    "-D -n 2000 -i 50 -u" "-F -n 100000 -W 1 -i 20"
    "-F -n 3000 -i 50 -c" "-n 1500 -i 50 -B -u"
    "-F -n 200000 -C" "-n 1000 -i 50 -b 3 -z 3 --tree parallel"
)

# start NP: sets child.
start() {
    local np=$1 shape=${shapes[RANDOM % ${#shapes[@]}]}
    local -a launcher=()
    [ "$np" -eq 1 ] || launcher=("$MPIEXEC" -n "$np")
    rm -f "$json"
    last_run="mdtest $shape [np $np]"
    # shellcheck disable=SC2086 # a list of options
    env --default-signal=INT "${launcher[@]}" "$mdtest" $shape -d "$d" \
        --json "$json" </dev/null >"$out" 2>"$err" &
    child=$!
}

# A moment between the start and a second and a half.
doze() {
    sleep "$(printf '%d.%03d' $((RANDOM % 2)) $((RANDOM % 700 + 5)))"
}

# ranks: the processes of the run, which a launcher keeps in other groups.
ranks() {
    pgrep -f -- "^$mdtest .*-d $d --json $json\$"
}

# await_all SECONDS: all processes of the run are gone.
await_all() {
    local i
    for ((i = 0; i < $1 * 20; i++)); do
        ranks >/dev/null || break
        sleep 0.05
    done
    if ranks >/dev/null; then
        bad_with_output "still running $1 s after the signal"
        ranks | xargs kill -KILL || true
    fi
    status=0
    wait "$child" 2>/dev/null || status=$?
}

keep_result() {
    if [ -e "$json" ]; then
        results=$((results + 1))
        cp "$json" "$TEST_DIR/results/$results.json"
    fi
}

# check_left: nothing is there, or the line says how to clean, and does.
check_left() {
    local line
    [ -e "$d" ] || return 0
    if ! grep -q interrupted "$out" && grep -q '^-- finished' "$out"; then
        rm -rf "$d" # a -C that came to its end
        return
    fi
    line=$(grep -ho 'treemark clean .*' "$err" | tail -n 1)
    if [ -z "$line" ]; then
        bad_with_output "left: $(tree_of "$d" | head -n 3 | tr '\n' ' ')"
        rm -rf "$d"
        return
    fi
    cleaned=$((cleaned + 1))
    line=${line%% removes it*}
    PATH=$TREEMARK_BIN:$PATH bash -c "$line" </dev/null >"$out" 2>"$err" ||
        bad_with_output "the line that cleans: $line"
    drop "$d"
}

for np in 1 2 4; do
    for signal in INT TERM; do
        for ((k = 0; k < stops; k++)); do
            start "$np"
            doze
            kill "-$signal" "$child" 2>/dev/null || true
            await_all 60
            # Before the handlers are there a signal kills as ever.
            if [ -s "$json" ] && ! grep -q interrupted "$out" &&
                ! grep -q '^-- finished' "$out"; then
                bad_with_output "neither interrupted nor finished"
            fi
            keep_result
            check_left
        done
    done
done

# Where no handler can run: one rank, or the launcher, or all of them.
for np in 1 2 4; do
    for ((k = 0; k < kills; k++)); do
        start "$np"
        doze
        case $((RANDOM % 3)) in
        0) kill -KILL "$child" 2>/dev/null || true ;;
        1) ranks | xargs -r kill -KILL "$child" 2>/dev/null || true ;;
        2)
            victim=$(ranks | tail -n 1) || victim=
            [ -z "$victim" ] || kill -KILL "$victim" 2>/dev/null || true
            ;;
        esac
        # Ranks whose launcher is gone may go on to their end, and clean up.
        sleep 0.2
        ranks | xargs -r kill -KILL 2>/dev/null || true
        await_all 10
        last_run="$last_run and SIGKILL"
        keep_result
        if [ -e "$d" ]; then
            cleaned=$((cleaned + 1))
            if ! "$TREEMARK_BIN/treemark" clean "$d" </dev/null >"$out" 2>"$err"; then
                bad_with_output "clean"
            fi
            expect_empty_dir "after clean" "$d" || true
            rm -rf "$d"
        fi
        rm -f "$json".tmp.*
    done
done

last_run=''
if [ "$results" -gt 0 ]; then
    /usr/bin/python3 "$here/validate.py" "$here/../results.schema.json" \
        "$TEST_DIR"/results/*.json >"$out" 2>&1 || bad_with_output "results"
fi
if [ "$kills" -ge 4 ]; then # one may come too early
    within "runs that left something to clean" 1 10000 "$cleaned" || true
fi
echo "$results results, $cleaned times something to clean"
finish
