#!/bin/bash
# Headers: each compiles alone and has the guard TMK_<LAYER>_<FILE>_H.
#
#     tests/lint/headers.sh [ROOT]
set -eu

cd "${1:-$(dirname "$0")/../..}"
shopt -s nullglob
cc=${CC:-gcc}
mpi=${MPI_CFLAGS:-$("${MPICC:-mpicc.mpich}" -show | tr ' ' '\n' |
    sed -n 's/^-I/-isystem /p' | tr '\n' ' ')}
bad=0

# $1: header, the rest: flags
alone()
{
    local header=$1
    shift
    "$cc" -x c -std=c11 -D_GNU_SOURCE -Wall -Wextra -Werror -fsyntax-only \
        -Isrc -Iinclude "$@" "$header" 2>&1 || {
        echo "$header: does not compile alone"
        bad=1
    }
}

files=(src/*/*.h)
for header in "${files[@]}"; do
    layer=$(basename "$(dirname "$header")")
    name=$(basename "$header" .h)
    guard=TMK_${layer^^}_${name^^}_H
    guard=${guard//-/_}
    directives=$(grep -m 2 -E '^[[:space:]]*#' "$header") || directives=
    if [ "$directives" != "#ifndef $guard
#define $guard" ]; then
        echo "$header: the guard is not $guard"
        bad=1
    fi
    case $header in
    src/base/* | src/engine/* | src/bench/*_plan.h | src/bench/*_conf.h)
        alone "$header" ;;
    *)
        # shellcheck disable=SC2086 # flags
        alone "$header" $mpi ;;
    esac
done

for header in include/*/*.h; do
    # shellcheck disable=SC2086 # flags
    alone "$header" $mpi
done

[ "$bad" = 0 ] || exit 1
echo "${#files[@]} headers compile alone"
