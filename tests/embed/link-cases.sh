#!/bin/bash
# What a host relies on when something fails, or when it calls often.
set -eu
# shellcheck source=embed.bash
. "$(dirname "$0")/embed.bash"

lay_out
build link_cases
full=$TEST_DIR/full
mkdir "$full"
if [ "$(id -u)" = 0 ] && mount -t tmpfs -o size=1m,nr_inodes=10000 tmpfs \
    "$full" 2>/dev/null; then
    trap 'umount -l "$full"' EXIT
else
    full=
fi
ranks='1 2 4'
if [ -n "${WRAP:-}" ]; then # slow, and sees leaks by itself
    ranks='1 2'
    export HOST_ROUNDS=2
fi
for np in $ranks; do
    mkdir "$TEST_DIR/data" "$TEST_DIR/results"
    host "$np" - "$TEST_DIR/link_cases" "$TEST_DIR/data" "$TEST_DIR/results" \
        ${full:+"$full"}
    rm -rf "$TEST_DIR/data" "$TEST_DIR/results"* ${full:+"$full"/*}
done
[ "$bad" = 0 ]
