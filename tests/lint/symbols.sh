#!/bin/bash
# Symbols: whatever is visible to a program that links us starts with tmk_, or
# is named in an installed header.
#
#     tests/lint/symbols.sh [ROOT]
set -eu

cd "${1:-$(dirname "$0")/../..}"
shopt -s nullglob
build=${BUILD:-build}
bad=0
public=(include/*/*.h)

for src in src/*/*.c; do
    object=$build/obj/${src#src/}
    object=${object%.c}.o
    if [ ! -e "$object" ]; then
        echo "$src: not compiled yet"
        exit 1
    fi
    for symbol in $(nm -g --defined-only "$object" | awk '{ print $3 }'); do
        case $src:$symbol in
        *:tmk_* | src/cmd/main.c:main) continue ;;
        # what the sanitizers add
        *:__odr_asan* | *:__asan* | *:__ubsan* | *:_GLOBAL_*) continue ;;
        src/embed/*)
            [ ${#public[@]} = 0 ] ||
                ! grep -qw -- "$symbol" "${public[@]}" || continue ;;
        esac
        echo "$src: $symbol is visible and does not start with tmk_"
        bad=1
    done
done

[ "$bad" = 0 ] || exit 1
echo "visible names start with tmk_"
