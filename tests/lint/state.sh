#!/bin/bash
# State: no mutable variable outlives a function, but in embed.  Looks at the
# .data and .bss of the objects, where static locals are, too.
#
#     tests/lint/state.sh [ROOT]
set -eu

cd "${1:-$(dirname "$0")/../..}"
shopt -s nullglob
build=${BUILD:-build}
bad=0

if [ -n "${SAN:-}" ]; then
    echo "sanitizers have variables of their own in the objects"
    exit 77
fi

# What must be seen by a signal handler.
allowed()
{
    case $1:$2 in
    src/run/job.c:tmk_job_signal*) return 0 ;;
    src/engine/mmap.c:tmk_mmap_sigbus*) return 0 ;;
    esac
    return 1
}

for src in src/*/*.c; do
    case $src in
    src/embed/*) continue ;;
    esac
    object=$build/obj/${src#src/}
    object=${object%.c}.o
    if [ ! -e "$object" ]; then
        echo "$src: not compiled yet"
        exit 1
    fi
    # address, 7 flag characters, section, tab, size, name; .data.rel.ro is
    # const data with addresses in it
    while read -r section size name; do
        [ -n "$name" ] || continue
        case $section in
        .data.rel.ro*) continue ;;
        .data* | .bss* | .tdata* | .tbss* | .sdata* | .sbss* | '*COM*') ;;
        *) continue ;;
        esac
        [ $((16#$size)) != 0 ] || continue
        allowed "$src" "$name" || {
            echo "$src: variable $name ($section)"
            bad=1
        }
    done < <(objdump -t "$object" |
        sed -nE 's/^[0-9a-f]{8,16} .{7} ([^\t]+)\t([0-9a-f]+) +(.*)$/\1 \2 \3/p')
done

[ "$bad" = 0 ] || exit 1
echo "no mutable state"
