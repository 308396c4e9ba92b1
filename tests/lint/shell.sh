#!/bin/bash
# Shell: shellcheck has nothing to say, and scripts stop at the first error.
#
#     tests/lint/shell.sh [ROOT]
set -eu

cd "${1:-$(dirname "$0")/../..}"
shopt -s nullglob
bad=0

files=(tests/*.sh tests/*/*.sh tests/*/*.bash .ci/*)
if [ ${#files[@]} = 0 ]; then
    echo "no scripts yet"
    exit 77
fi
shellcheck -s bash -x -P SCRIPTDIR "${files[@]}" || bad=1
for file in "${files[@]}"; do
    case $file in
    *.bash) continue ;; # sourced
    esac
    grep -qE '^set -eu' "$file" || {
        echo "$file: no \"set -eu\""
        bad=1
    }
done

[ "$bad" = 0 ] || exit 1
echo "${#files[@]} scripts are clean"
