#!/bin/bash
# On btrfs: all goes well, a full one does no harm, and neither does a quota.
set -eu
# shellcheck source=fs.bash
. "$(dirname "$0")/fs.bash"
need mkfs.btrfs btrfs-progs

on_image btrfs 120 mkfs.btrfs -q -f
matrix 2
full ENOSPC -F -n 1000 -w 128k

# A quota: the errno is another one.
if btrfs quota enable "$mount" 2>/dev/null; then
    btrfs subvolume create "$mount/limited" >/dev/null
    btrfs qgroup limit 4M "$mount/limited"
    d=$mount/limited/D
    full EDQUOT -F -n 200 -w 64k
    full EDQUOT -F -n 200 -w 64k -u -C
    btrfs subvolume delete "$mount/limited" >/dev/null
else
    echo "not tried: a quota"
fi
after_all
