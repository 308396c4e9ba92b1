# shellcheck shell=bash
# What treemark clean gains: parts of run.sh, which sources this and has the
# functions that are used here.
: "${dir:?}" "${mdtest:?}" "${build:?}" "${root:?}"

# ---- against rm -rf ------------------------------------------------------

# left ARGS...: what a run leaves in $dir/left.
left() {
    mkdir -p "$dir/left"
    "$mdtest" -C -F -d "$dir/left" "$@" </dev/null >"$dir/table" || {
        cat "$dir/table" >&2
        return 1
    }
}

# removed NP COMMAND...: per second, as treemark clean says it.
removed() {
    local np=$1
    shift
    mpi "$np" "$@" "${mdtest%/*}/treemark" clean "$dir/left" >"$dir/said"
    sed -nE 's/^removed .*, ([0-9]+) per second$/\1/p' "$dir/said"
}

# by_rm ENTRIES: entries per second of rm -rf.
by_rm() {
    local start=$EPOCHREALTIME
    rm -rf "$dir/left"
    calc "sprintf(\"%.0f\", $1 / ($EPOCHREALTIME - $start))"
}

# against_rm NAME ROUNDS ENTRIES LEAST ARGS...: by turns, of the same tree; the
# bound is tried for several times.
against_rm() {
    local name=$1 rounds=$2 entries=$3 least=$4 try round np ratio
    shift 4
    for ((try = 0; try < 3; try++)); do
        rm -f "$dir/rm" "$dir/np1" "$dir/np2"
        for ((round = 0; round < rounds; round++)); do
            left "$@"
            by_rm "$entries" >>"$dir/rm"
            for np in 1 2; do
                left "$@"
                removed "$np" >>"$dir/np$np"
            done
        done
        ratio=$(calc "sprintf(\"%.2f\", $(median <"$dir/np2") / $(median <"$dir/rm"))")
        if [ -z "$least" ] || holds "$least" "$ratio"; then
            break
        fi
    done
    line "$name, rm -rf" "$(median <"$dir/rm")" /s
    line "$name, clean, np 1" "$(median <"$dir/np1")" /s
    line "$name, clean, np 2" "$(median <"$dir/np2")" /s
    if [ -n "$least" ]; then
        line_least "$name, clean, np 2 / rm -rf" "$ratio" '' "$least"
    else
        line "$name, clean, np 2 / rm -rf" "$ratio" ''
    fi
}

# ---- where each removal takes 5 ms -----------------------------------------

part_clean() {
    local breaker=$dir/breaker.so round np
    against_rm 'removal, 256 directories, 200193 entries' 5 200193 1.5 \
        -b 255 -z 1 -I 781
    against_rm 'removal, one directory, 100002 entries' 3 100002 '' -n 100000
    "${CC:-cc}" -O1 -fPIC -shared -o "$breaker" "$root/tests/e2e/breaker.c" -ldl
    rm -f "$dir/np1" "$dir/np8"
    for ((round = 0; round < 3; round++)); do
        for np in 1 8; do
            left -b 63 -z 1 -I 24
            removed "$np" env "LD_PRELOAD=$breaker" \
                "TREEMARK_BREAK_BELOW=$dir/left" TREEMARK_BREAK_SLOW=unlink \
                TREEMARK_BREAK_DELAY=5000 >>"$dir/np$np"
        done
    done
    for np in 1 8; do
        line "removal, 64 directories, 5 ms each, np $np" \
            "$(median <"$dir/np$np")" /s
    done
    line_least 'removal, 64 directories, 5 ms each, np 8 / np 1' \
        "$(calc "sprintf(\"%.2f\", $(median <"$dir/np8") / $(median <"$dir/np1"))")" '' 7
    removal_on_fuse
}

# The same on a file system that waits with the directory locked.
removal_on_fuse() {
    local slowfs=$build/tests/bench/slowfs np
    if [ ! -x "$slowfs" ] || [ ! -c /dev/fuse ]; then
        echo "not measured: removal on a slow file system (libfuse3, /dev/fuse)"
        return
    fi
    mkdir -p "$dir/slow"
    rm -f "$dir/np1" "$dir/np8"
    for np in 1 8; do
        left -b 255 -z 1 -I 8
        rm -f "$dir"/left/test-dir.0-0/.treemark.*
        "$slowfs" "$dir/left" "$dir/slow" 0 5000 </dev/null >/dev/null 2>&1 &
        sleep 1
        mpi "$np" "${mdtest%/*}/treemark" clean "$dir/slow" |
            sed -nE 's/^removed .*, ([0-9]+) per second$/\1/p' >"$dir/np$np"
        umount "$dir/slow"
        wait
    done
    line_least 'removal on FUSE, 256 directories, 5 ms each, np 8 / np 1' \
        "$(calc "sprintf(\"%.2f\", $(cat "$dir/np8") / $(cat "$dir/np1"))")" \
        '' 7
}
