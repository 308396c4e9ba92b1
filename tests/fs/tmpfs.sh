#!/bin/bash
# On a tmpfs of 1 MiB, and on one of 64 inodes: what fits goes well, the rest is
# refused, or where that is not seen, ends well.
set -eu
# shellcheck source=fs.bash
. "$(dirname "$0")/fs.bash"

# on_tmpfs OPTIONS
on_tmpfs() {
    unmount
    if ! mount -t tmpfs -o "$1" tmpfs "$mount" 2>/dev/null; then
        skip "cannot mount a tmpfs here"
    fi
}

on_tmpfs size=1m
matrix 2
full ENOSPC -F -n 100 -w 64k
full ENOSPC -F -n 100 -w 64k -c
full ENOSPC -F -n 100 -w 64k -S
full ENOSPC -F -n 100 -w 64k -B
full ENOSPC -F -n 100 -w 64k -C -i 3
expect_equal "left on the file system" "" "$(left)" || true

on_tmpfs nr_inodes=64
matrix 2
for options in "-F -n 100" "-D -n 100" "-F -u -I 1 -b 2 -z 6" "-n 100 -c" \
    "-F -n 100 -S" "-n 100 -B" "-F -k -n 100 -C" "-n 80 -I 40" \
    "-D -n 100 --access=dirfd" "-F -I 1 -b 2 -z 6 --tree=parallel"; do
    read -r -a args <<<"$options"
    full ENOSPC "${args[@]}"
done
after_all
