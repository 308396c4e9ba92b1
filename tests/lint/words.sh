#!/bin/bash
# Words: no paths of the machine the code was written on, no calls that write
# past the end of a buffer.
#
#     tests/lint/words.sh [ROOT]
set -eu

cd "${1:-$(dirname "$0")/../..}"
shopt -s nullglob
bad=0

# The brackets keep this file from finding itself.
paths='(^|[^[:alnum:]_.}])(/wor[k]|/tmp/[h]|/roo[t])/'
if find . \( -path ./.git -o -path ./build \) -prune -o -type f -print0 |
    xargs -0 -r grep -nIE "$paths"; then
    echo "these are paths of one machine"
    bad=1
fi

for file in src/*/*.[ch] tests/*/*.[ch]; do
    # The preprocessor takes the comments out.
    if "${CC:-gcc}" -fpreprocessed -dD -E -P -x c "$file" 2>/dev/null |
        grep -oE '\b(v?sprintf|strcpy|stpcpy|strcat|gets|alloca)[[:space:]]*\(' |
        sed "s|^|$file: |; s| *($||" | grep .; then
        bad=1
    fi
done

[ "$bad" = 0 ] || exit 1
echo "no words that are not to be used"
