#!/bin/bash
# Warnings: each code that the sources print has a paragraph in a manual page
# and a row in README.md, and these explain no other.
#
#     tests/lint/codes.sh [ROOT]
set -eu

cd "${1:-$(dirname "$0")/../..}"
shopt -s nullglob
bad=0

sources=(src/*/*.c)
if [ ${#sources[@]} = 0 ]; then
    echo "no sources yet"
    exit 77
fi

printed=$(cat "${sources[@]}" | tr '\n' ' ' |
    grep -oP 'tmk_say_warning\([^;"]*"\K[A-Z_]+(?=")' | sort -u) || printed=

# compare FILE CODES: those that FILE explains.
compare() {
    local code
    while read -r code; do
        [ -z "$code" ] || {
            echo "$1: nothing about $code"
            bad=1
        }
    done < <(comm -23 <(echo "$printed") <(echo "$2"))
    while read -r code; do
        [ -z "$code" ] || {
            echo "$1: $code is never printed"
            bad=1
        }
    done < <(comm -13 <(echo "$printed") <(echo "$2"))
}

pages=(man/*.1)
[ ${#pages[@]} = 0 ] ||
    compare man "$(sed -nE 's/^\.It Er ([A-Z_]+)$/\1/p' "${pages[@]}" | sort -u)"
# shellcheck disable=SC2016 # the backquotes are those of the table
[ ! -e README.md ] ||
    compare README.md "$(sed -nE 's/^\| `([A-Z]+_[A-Z_]+|[A-Z]{5,})` \|.*/\1/p' \
        README.md | sort -u)"

[ "$bad" = 0 ] || exit 1
echo "$(wc -w <<<"$printed") codes are explained"
