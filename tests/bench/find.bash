# shellcheck shell=bash
# How near treemark find comes to what the kernel lets a search do, and how far
# it is from others: a part of run.sh, which sources this and has the functions
# that are used here.
#
# Trees: a = two directories of 200,000 empty files and one of 100,000 of 3901
# bytes; b = 20,000 directories of 20 files.  On a tmpfs of our own, and on the
# disk.  The searches: P = newer, of a size, with 01 in the name; name = the
# name alone; all = the size of every file.
: "${dir:?}" "${mdtest:?}" "${mpiexec:?}" "${build:?}" "${root:?}" "${tries:?}"
treemark=${mdtest%/*}/treemark
limit=$build/tests/bench/limit
slowfs=$build/tests/bench/slowfs
rounds=${ROUNDS:-7}
times=$dir/find-times

# ---- trees -------------------------------------------------------------------

grown() { # DIR: both trees in it
    "$mdtest" -F -C -n 200000 -d "$1/a/1"
    touch "$1/ts"
    sleep 0.05
    "$mdtest" -F -C -n 200000 -d "$1/a/2"
    "$mdtest" -F -C -n 100000 -w 3901 -d "$1/a/3"
    "$mdtest" -F -C -b 20000 -z 1 -I 20 -d "$1/b"
    "$mdtest" -D -C -n 100000 -d "$1/empty"
}

# ---- searches ----------------------------------------------------------------

# seconds KEY COMMAND...: what a command says it took, or takes, to $times.KEY.
by_itself() { # treemark: without MPI's start
    local key=$1
    shift
    "$@" --count --stats </dev/null 2>&1 >/dev/null |
        sed -nE 's/^[0-9]+ ranks? on .*, ([0-9.]+) s.*/\1/p' >>"$times.$key"
}
by_limit() {
    local key=$1
    shift
    "$limit" "$@" | cut -d ' ' -f 1 >>"$times.$key"
}
by_clock() {
    local key=$1 start=$EPOCHREALTIME
    shift
    "$@" </dev/null >/dev/null || {
        echo "not measured: $* ended with status $?"
        return 0
    }
    calc "sprintf(\"%.6f\", $EPOCHREALTIME - $start)" >>"$times.$key"
}

middle() { median <"$times.$1"; }

# holds_all BOUND NAME NAME...: the first time is at most BOUND times the second,
# and so on; an empty bound always holds.
holds_all() {
    while (($# > 0)); do
        [ -z "$1" ] || holds "$(calc "$(middle "$2") / $(middle "$3")")" "$1" ||
            return 1
        shift 3
    done
}

# ratio NAME OURS THEIRS MOST: medians; no bound if MOST is empty.
ratio() {
    line "$1" "$(calc "sprintf(\"%.3f\", $(middle "$2") / $(middle "$3"))")" \
        '' "$4"
}

# factor NAME SLOWER FASTER LEAST
factor() {
    line_least "$1" \
        "$(calc "sprintf(\"%.2f\", $(middle "$2") / $(middle "$3"))")" '' "$4"
}

# against_limit WHERE TREE NAME MOST1 MOST2 PATTERN SIZE WORDS...
against_limit() {
    local where=$1 tree=$2 name=$3 most1=$4 most2=$5 pattern=$6 size=$7 i try
    shift 7
    for ((try = 0; try < tries; try++)); do # the machine may be busy
        rm -f "$times".*
        for ((i = 0; i < rounds; i++)); do
            by_limit limit1 1 "$pattern" "$size" "$where/ts" "$where/$tree"
            by_itself ours1 "$treemark" find "$where/$tree" "$@"
            by_limit limit2 2 "$pattern" "$size" "$where/ts" "$where/$tree"
            by_itself ours2 mpi 2 "$treemark" find "$where/$tree" "$@"
        done
        ! holds_all "$most1" ours1 limit1 "$most2" ours2 limit2 || break
    done
    line "find: $where_name, tree $tree, $name: limit, 1 process" \
        "$(middle limit1)" s
    ratio "find: $where_name, tree $tree, $name: np 1 / limit" ours1 limit1 \
        "$most1"
    ratio "find: $where_name, tree $tree, $name: np 2 / limit of 2" ours2 \
        limit2 "$most2"
}

against_others() { # WHERE TREE
    local where=$1 tree=$2 i other since
    local -a single=()
    local -a words=(-newer "$where/ts" -size 3901c -name '*01*')
    since=$(date -d "@$(stat -c %Y "$where/ts")" '+%F %T')
    # bfs has had threads, and -j, since its version 3
    ! bfs -j1 /dev/null >/dev/null 2>&1 || single=(-j1)
    rm -f "$times".*
    for ((i = 0; i < rounds; i++)); do
        by_itself ours "$treemark" find "$where/$tree" "${words[@]}"
        by_clock wall "$treemark" find "$where/$tree" "${words[@]}" --count
        by_clock find find "$where/$tree" "${words[@]}"
        if command -v bfs >/dev/null; then
            by_clock bfs bfs ${single[@]+"${single[@]}"} "$where/$tree" \
                "${words[@]}"
        fi
        if command -v fdfind >/dev/null; then
            by_clock fdfind fdfind -j 1 -u -g '*01*' -S +3900b -S -3902b \
                --changed-after "$since" "$where/$tree"
        fi
    done
    line "find: $where_name, tree $tree, P: np 1, with the start of MPI" \
        "$(middle wall)" s
    for other in find bfs fdfind; do
        [ ! -e "$times.$other" ] ||
            ratio "find: $where_name, tree $tree, P: np 1 / $other" ours \
                "$other" 1
    done
}

one_directory() { # WHERE
    local where=$1 i np try
    for ((try = 0; try < tries; try++)); do
        rm -f "$times".*
        for ((i = 0; i < rounds; i++)); do
            for np in 1 2 8; do
                by_itself "np$np" mpi "$np" "$treemark" find "$where/a/1" \
                    -size 1
            done
            by_itself uring "$treemark" find "$where/a/1" -size 1 --uring
        done
        ! holds_all 0.625 np2 np1 2 np8 np2 || break
    done
    factor "find: $where_name, 200,000 files in one directory: np 1 / np 2" \
        np1 np2 1.6
    ratio "find: $where_name, the same: np 8 / np 2" np8 np2 2
    ratio "find: $where_name, the same: --uring / np 1" uring np1 ''
}

# CPU seconds of 8 ranks on tree a: the search alone, less an empty one.
crowd() { # WHERE
    local where=$1 i cpu empty
    mkdir -p "$dir/nothing"
    rm -f "$times".*
    for ((i = 0; i < rounds; i++)); do
        for tree in "$where/a" "$dir/nothing"; do
            # shellcheck disable=SC2086 # MPIEXEC may hold options
            { TIMEFORMAT='%U %S' && time $mpiexec -n 8 "$treemark" find \
                "$tree" -newer "$where/ts" -size 3901c -name '*01*' \
                --count </dev/null >/dev/null; } 2>&1 |
                awk '{ print $1 + $2 }' >>"$times.${tree##*/}"
        done
    done
    cpu=$(middle a)
    empty=$(middle nothing)
    line "find: $where_name, tree a, P, np 8 on 2 cores: CPU" \
        "$(calc "sprintf(\"%.2f\", $cpu - $empty)")" s 0.5
}

memory() { # WHERE: the largest rank, KiB more than with nothing to find
    local where=$1 most none
    most=$(peak_of "$where/empty")
    none=$(peak_of "$dir/nothing")
    line "find: 100,000 empty directories: peak memory" \
        "$(calc "sprintf(\"%.1f\", $most / 1024)")" MiB 40
    line "find: the same, more than for nothing" \
        "$(calc "sprintf(\"%.1f\", ($most - $none) / 1024)")" MiB
}
peak_of() {
    /usr/bin/time -f '%M' "$treemark" find "$1" --count </dev/null 2>&1 |
        tail -n 1
}

slow_files() {
    local mount=$dir/slow i np
    if [ ! -x "$slowfs" ] || [ ! -c /dev/fuse ]; then
        echo "not measured: a slow file system (libfuse3, /dev/fuse)"
        return
    fi
    mkdir -p "$mount" "$dir/files"
    (cd "$dir/files" && seq 4000 | xargs touch)
    "$slowfs" "$dir/files" "$mount" 1000 </dev/null >/dev/null 2>&1 &
    sleep 1
    rm -f "$times".*
    for ((i = 0; i < 3; i++)); do
        for np in 1 8; do
            by_itself "np$np" mpi "$np" "$treemark" find "$mount" -size 1 \
                --uring=0
        done
        by_itself uring "$treemark" find "$mount" -size 1 --uring
    done
    umount "$mount"
    wait
    factor "find: 1 ms per look-up: np 1 / --uring" np1 uring 20
    factor "find: 1 ms per look-up: np 1 / np 8" np1 np8 7
}

part_find() {
    local where_name where
    mkdir -p "$dir/find"
    if [ "$(id -u)" -eq 0 ]; then
        mount -t tmpfs -o nr_inodes=3000000,size=4g tmpfs "$dir/find"
    fi
    for where_name in tmpfs disk; do
        where=$dir/find
        [ "$where_name" = tmpfs ] || where=$(realpath "$build")/find-trees
        mkdir -p "$where"
        grown "$where" >/dev/null
        against_limit "$where" a P 1.05 1.10 01 3901 -newer "$where/ts" \
            -size 3901c -name '*01*'
        against_limit "$where" b P 1.05 1.10 01 3901 -newer "$where/ts" \
            -size 3901c -name '*01*'
        against_limit "$where" a name 1.05 1.10 01 -1 -name '*01*'
        against_limit "$where" a all 1.10 1.10 '' 3901 -newer "$where/ts" \
            -size 3901c
        against_others "$where" a
        against_others "$where" b
        one_directory "$where"
        crowd "$where"
        memory "$where"
        [ "$where_name" = tmpfs ] || rm -rf "$where"
    done
    [ "$(id -u)" -ne 0 ] || umount "$dir/find"
    slow_files
}
