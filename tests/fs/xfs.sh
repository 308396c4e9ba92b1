#!/bin/bash
# On XFS: all goes well, a full one does no harm.
set -eu
# shellcheck source=fs.bash
. "$(dirname "$0")/fs.bash"
need mkfs.xfs xfsprogs

on_image xfs 300 mkfs.xfs -q -f
matrix 2
dd if=/dev/zero of="$mount/filler" bs=1M 2>/dev/null || true
truncate -s -4M "$mount/filler"
full ENOSPC -F -n 200 -w 64k
rm "$mount/filler"
after_all
