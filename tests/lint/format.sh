#!/bin/bash
# Format: clang-format has nothing to change.
#
#     tests/lint/format.sh [ROOT]
set -eu

cd "${1:-$(dirname "$0")/../..}"
shopt -s nullglob

files=(src/*/*.[ch] include/*/*.h tests/*/*.[ch])
if [ ${#files[@]} = 0 ]; then
    echo "no sources yet"
    exit 77
fi
clang-format --dry-run -Werror "${files[@]}" || {
    echo "run: make format"
    exit 1
}
echo "${#files[@]} files are formatted"
