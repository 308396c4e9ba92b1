# shellcheck shell=bash
# What the bandwidth mode costs: a part of run.sh, which sources this and has
# the functions that are used here.
#
# Transfers of 4 KiB against a loop by hand on a tmpfs of our own; instructions
# of a transfer; how fast data is made and checked; memory; and several
# transfers under way against fio, on the disk.  Each is a part of its own, too:
# ior_instructions, ior_memory, ior_data, ior_loop, ior_fio.
# shellcheck disable=SC2154 # alone is run.sh's
: "${dir:?}" "${mdtest:?}" "${build:?}" "${programs:?}" "${cores:?}" "${tries:?}"
ior=${mdtest%/*}/ior

# ior_said FILE ARGS...: what it prints, to FILE.
ior_said() {
    local to=$1
    shift
    "$ior" "$@" </dev/null >"$to" 2>"$to-err" || {
        cat "$to" "$to-err" >&2
        return 1
    }
}

# ---- against a loop by hand ---------------------------------------------

# ior_pairs NAME LEAST COUNT BLOCK TRANSFER FLAGS LAUNCHER...: the bound, if
# LEAST is not empty, is one of the whole confidence interval, and tried for
# three times.
ior_pairs() {
    local name=$1 least=$2 count=$3 block=$4 transfer=$5 flags=$6 try
    local op ours bare ratio low high control control_low control_high
    shift 6
    for ((try = 0; try < 3; try++)); do
        # shellcheck disable=SC2086 # none or one
        "$@" "$programs/ior_plain" "$where" "$block" "$transfer" "$count" \
            $flags </dev/null >"$dir/said"
        [ -n "$least" ] || break
        ! awk -v least="$least" '$5 < least { low = 1 } END { exit low }' \
            "$dir/said" || break
    done
    while read -r op ours bare ratio low high control control_low \
        control_high; do
        line "ior: $name, $op: ior" "$ours" MiB/s
        line "ior: $name, $op: loop by hand" "$bare" MiB/s
        line "ior: $name, $op: ior / loop" "$ratio" ''
        if [ -n "$least" ]; then
            line_least "ior: $name, $op: 95 %: to $high, from" "$low" '' \
                "$least"
        else
            line "ior: $name, $op: 95 %: to $high, from" "$low" ''
        fi
        line "ior: $name, $op: loop / loop: $control_low to $control_high" \
            "$control" ''
    done <"$dir/said"
}

part_ior_loop() {
    local mib=1048576 where=$dir/ior
    mkdir -p "$where"
    [ "$(id -u)" -ne 0 ] || mount -t tmpfs -o size=2g tmpfs "$where"
    ior_pairs 'np 1, -t 4k -F' 0.97 40 $((64 * mib)) 4096 -F "${alone[@]}"
    ior_pairs 'np 1, -t 1m -F' '' 10 $((128 * mib)) $mib -F "${alone[@]}"
    if [ "$cores" -ge 2 ]; then
        ior_pairs 'np 2, -t 4k -F' 0.97 40 $((64 * mib)) 4096 -F mpi 2
        ior_pairs 'np 2, -t 4k' 0.97 40 $((64 * mib)) 4096 '' mpi 2
        ior_pairs 'np 2, -t 1m -F' '' 10 $((128 * mib)) $mib -F mpi 2
    else
        echo 'ior: np 2: skipped, there is one core'
    fi
    [ "$(id -u)" -ne 0 ] || umount "$where"
}

# ---- instructions ---------------------------------------------------------

# ior_instructions WORD ARGS...: in phases, of one transfer of 4 KiB.
ior_instructions() {
    local mib
    local -A total=()
    for mib in 8 24; do
        valgrind --tool=callgrind --callgrind-out-file="$dir/callgrind" \
            --toggle-collect=tmk_ior_phase_all "$ior" -k -o "$dir/file" -t 4k \
            -b "${mib}m" "$@" </dev/null >"$dir/said" 2>&1 || {
            cat "$dir/said" >&2
            return 1
        }
        total[$mib]=$(sed -n 's/^totals: //p' "$dir/callgrind")
    done
    calc "sprintf(\"%.1f\", (${total[24]} - ${total[8]}) / 4096)"
}

part_ior_instructions() {
    if ! command -v valgrind >/dev/null; then
        echo 'ior: instructions: skipped, valgrind is not here'
        return
    fi
    line 'ior: write, instructions' "$(ior_instructions -w)" '' 250
    line 'ior: read, instructions' "$(ior_instructions -r)" '' 250
    line 'ior: write -z, instructions' "$(ior_instructions -w -z)" ''
    line 'ior: read -z, instructions' "$(ior_instructions -r -z)" ''
    rm -f "$dir/file"
}

# ---- data -----------------------------------------------------------------

# For small and for large transfers.
part_ior_data() {
    local bytes kind fill check name
    for bytes in 4096 1048576; do
        "${alone[@]}" "$programs/pattern" "$bytes" >"$dir/said"
        while read -r kind fill check; do
            name="ior: data of $bytes bytes, $kind"
            case $kind in
            timestamp | offset)
                line_least "$name: fill" "$fill" GB/s 5
                line_least "$name: check" "$check" GB/s 5
                ;;
            *)
                line "$name: fill" "$fill" GB/s
                line "$name: check" "$check" GB/s
                ;;
            esac
        done <"$dir/said"
    done
}

# ---- memory ---------------------------------------------------------------

# ior_peak ARGS...: KiB at most, the least of three runs.
ior_peak() {
    local try least=''
    for ((try = 0; try < 3; try++)); do
        least=$(best "$least" "$("$programs/peak" "$ior" -a DUMMY -D 1 -t 4k \
            -o "$dir/none" "$@" </dev/null)")
    done
    echo "$least"
}

part_ior_memory() {
    local what few many
    for what in -z '-z -z'; do
        # shellcheck disable=SC2086 # one or two
        few=$(ior_peak -w -r $what -b 4k -s 1000000)
        # shellcheck disable=SC2086
        many=$(ior_peak -w -r $what -b 4k -s 100000000)
        line "ior: peak memory, $what, 10^6 transfers" "$few" KiB
        line "ior: peak memory, $what, 10^8 above that" "$((many - few))" KiB \
            1024
    done
}

# ---- several under way, against fio ----------------------------------------

# Random reads for a second, per second.
by_uring() { # DEPTH FILE
    ior_said "$dir/table" -a URING --uring.odirect --uring.depth="$1" -r -k -z \
        -D 1 -t 4k -b 512m -o "$2"
    awk '$1 == "read" { print $3; exit }' "$dir/table"
}
by_fio() { # DEPTH FILE OPTIONS...
    local depth=$1 file=$2
    shift 2
    fio --name=fio --filename="$file" --ioengine=io_uring --direct=1 \
        --rw=randread --bs=4k --iodepth="$depth" --runtime=1 --time_based \
        --randrepeat=0 --output-format=terse --terse-version=3 "$@" </dev/null |
        cut -d ';' -f 8
}

# fio as it is, and with files and buffers registered, as ours has them.
part_ior_fio() {
    local file depth try round rounds=9 share held
    file=$(realpath "$build")/ior-file
    if ! command -v fio >/dev/null; then
        echo 'ior: against fio: skipped, fio is not here'
        return
    fi
    if ! ior_said "$dir/table" -w -k -e --posix.odirect -t 1m -b 512m \
        -o "$file" || ! by_uring 1 "$file" >/dev/null; then
        echo 'ior: against fio: skipped, no io_uring or O_DIRECT here'
        rm -f "$file"
        return
    fi
    for depth in 1 8 32; do
        for ((try = 0; try < 3; try++)); do
            rm -f "$dir"/by-*
            for ((round = 0; round < rounds; round++)); do
                by_uring "$depth" "$file" >>"$dir/by-ior"
                by_fio "$depth" "$file" >>"$dir/by-fio"
                by_fio "$depth" "$file" --fixedbufs --registerfiles \
                    >>"$dir/by-held"
            done
            share=$(calc "sprintf(\"%.3f\", $(median <"$dir/by-ior") / \
                $(median <"$dir/by-fio"))")
            held=$(calc "sprintf(\"%.3f\", $(median <"$dir/by-ior") / \
                $(median <"$dir/by-held"))")
            ! holds 0.95 "$share" || ! holds 0.95 "$held" || break
        done
        line "ior: URING, depth $depth" "$(median <"$dir/by-ior")" /s
        line "ior: fio, depth $depth" "$(median <"$dir/by-fio")" /s
        line_least "ior: URING / fio, depth $depth" "$share" '' 0.95
        line_least "ior: URING / fio --fixedbufs --registerfiles, depth $depth" \
            "$held" '' 0.95
    done
    rm -f "$file"
}

part_ior() {
    part_ior_instructions
    part_ior_memory
    part_ior_data
    part_ior_loop
    part_ior_fio
}
