#!/bin/bash
# Basenames: a module is found with ls, so its name is there once.
#
#     tests/lint/basenames.sh [ROOT]
set -eu

cd "${1:-$(dirname "$0")/../..}"
shopt -s nullglob

files=(src/*/*.[ch])
twice=$(for file in "${files[@]}"; do basename "$file"; done | sort | uniq -d)
bad=0
for name in $twice; do
    echo "several modules are called $name:" src/*/"$name"
    bad=1
done

# x.c of one layer and x.h of another would share a prefix.
modules=$(for file in "${files[@]}"; do echo "${file%.[ch]}"; done | sort -u)
for name in $(for m in $modules; do basename "$m"; done | sort | uniq -d); do
    echo "a module has files in several layers:" src/*/"$name".[ch]
    bad=1
done

for file in "${files[@]}"; do
    case $(basename "$file") in
    utils.* | util.* | common.* | helpers.* | misc.*)
        echo "$file: a name that says nothing"
        bad=1 ;;
    esac
done

[ "$bad" = 0 ] || exit 1
echo "${#files[@]} files, every module once"
