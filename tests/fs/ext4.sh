#!/bin/bash
# On ext4: all goes well, a full one does no harm.
set -eu
# shellcheck source=fs.bash
. "$(dirname "$0")/fs.bash"
need mkfs.ext4 e2fsprogs

on_image ext4 64 mkfs.ext4 -q
matrix 2
full ENOSPC -F -n 1000 -w 64k

expect_equal "left on the file system" "" "$(left)" || true

# Inodes run out before blocks do.
on_image ext4 16 mkfs.ext4 -q -N 64
full ENOSPC -F -n 100
full ENOSPC -D -n 100
full ENOSPC -F -u -I 1 -b 2 -z 6
after_all
