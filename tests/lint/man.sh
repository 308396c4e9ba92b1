#!/bin/bash
# Manual pages: mandoc has nothing to warn of.
#
#     tests/lint/man.sh [ROOT]
set -eu

cd "${1:-$(dirname "$0")/../..}"
shopt -s nullglob

pages=(man/*.1)
if [ ${#pages[@]} = 0 ]; then
    echo "no manual pages yet"
    exit 77
fi
mandoc -T lint -W warning "${pages[@]}"
echo "${#pages[@]} manual pages are clean"
