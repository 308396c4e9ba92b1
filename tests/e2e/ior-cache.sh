#!/bin/bash
# What may come from memory in place of storage, and what is said of it: on a
# real disk, for the rest of the tests runs in memory.
set -eu
# shellcheck source=ior.bash
. "$(dirname "$0")/ior.bash"

disk= # a directory on a file system with a page cache, of our own

end() {
    if [ -n "$disk" ]; then
        rm -rf "$disk"
    fi
}
trap end EXIT

find_disk() {
    local try
    for try in "${TMPDIR:-/tmp}" /var/tmp "$TREEMARK_BIN"; do
        case $(stat -f -c %T "$try" 2>/dev/null || true) in
        '' | tmpfs | ramfs) continue ;;
        esac
        disk=$(mktemp -d "$try/ior-cache.XXXXXX" 2>/dev/null) || continue
        return 0
    done
    skip "no file system with a page cache"
}
find_disk
f=$disk/f

# forget: nothing of the files is in memory; as far as the kernel does that.
forget() {
    /usr/bin/python3 - "$disk" <<'P'
import os, sys
for name in os.listdir(sys.argv[1]):
    fd = os.open(os.path.join(sys.argv[1], name), os.O_RDWR)
    os.fsync(fd)
    os.posix_fadvise(fd, 0, 0, os.POSIX_FADV_DONTNEED)
    os.close(fd)
P
}

# shares: the lines "in memory before", without their percent signs.
shares() {
    sed -n 's/^      in memory before   \([0-9.]*\)%$/\1/p' "$out" | paste -sd ' '
}

part "a share that was measured is said, be it none"
works 1 - -w -k -e -t 64k -b 1m -o "$f"
expect_equal "of a write" "" "$(shares)" || true
works 1 - -r -k -t 64k -b 1m -o "$f"
within "just written" 98 100 "$(shares)" || true
forget
works 1 - -r -k -t 64k -b 1m -o "$f"
expect_equal "forgotten" 0.0 "$(shares)" || true
works 1 - -w -r -t 64k -b 1m -o "$base/f"
expect_equal "memory is the storage" "" "$(shares)" || true
works 1 - -w -r -a DUMMY -t 64k -b 1m
expect_equal "nothing is stored" "" "$(shares)" || true

# remember COUNT [FIRST [STEP]]: pages of the file, and no others, to memory.
remember() {
    /usr/bin/python3 - "$f" "$@" <<'P'
import os, sys
fd = os.open(sys.argv[1], os.O_RDONLY)
os.posix_fadvise(fd, 0, 0, os.POSIX_FADV_RANDOM)
count, first, step = (list(map(int, sys.argv[2:])) + [0, 1][len(sys.argv) - 3:])
for i in range(count):
    os.pread(fd, 4096, (first + i * step) * 4096)
P
}

part "the share is that of what will be read"
works 2 - -w -k -e -t 4k -b 4k -s 6000 -o "$f"
forget
remember 2048
works 2 - -r -k -t 4k -b 4k -s 1024 -o "$f"
within "of the beginning" 98 100 "$(shares)" || true
forget
remember 3000
works 2 - -r -k -t 4k -b 4k -s 6000 -o "$f"
within "of a sample of all" 20 30 "$(shares)" || true
forget
remember 3000
works 2 - -r -k -z -z -t 4k -b 4k -s 500 -o "$f" # of any of 12000 pages
within "of random blocks" 15 35 "$(shares)" || true
forget
remember 3000
works 2 - -r -k -z -t 4k -b 4k -s 1500 -o "$f" # of 3000
within "of a shuffled beginning" 98 100 "$(shares)" || true
forget
remember 3000
printf 1500 >"$base/status"
works 2 - -r -k -t 4k -b 4k -s 6000 -O stoneWallingStatusFile="$base/status" \
    -o "$f"
within "of what a status file limits" 98 100 "$(shares)" || true
rm -f "$f"

part "engines, and names with a prefix of MPI-IO"
for name in "POSIX $f" "MMAP $f" "URING $f" "MPIIO $f" "MPIIO ufs:$f"; do
    read -r api path <<<"$name"
    works 2 - -a "$api" -w -k -t 4k -b 64k -o "$path"
    works 2 - -a "$api" -r -k -t 4k -b 64k -o "$path"
    within "$name just written" 98 100 "$(shares)" || true
    forget
    works 2 - -a "$api" -r -k -t 4k -b 64k -o "$path"
    expect_equal "$name forgotten" 0.0 "$(shares)" || true
    works 2 - -a "$api" -w -r --posix.fadvise=dontneed --drop-wait=5 -t 4k \
        -b 64k -o "$path"
    expect_equal "$name with advice" 0.0 "$(shares)" || true
    rm -f "$f"
done

# sizes: what the lines of data say, "SIZE of WHOSE".
sizes() {
    sed -n 's/^data: \(.*\), .* times the memory of \(.*\), .*$/\1 of \2/p' "$out" |
        paste -sd '|'
}

# memory: of the nodes, by those lines, in bytes; the first one.
memory() {
    sed -n 's/^data: .* times the memory of .*, \(.*\) \(.\)iB$/\1\2/p' "$out" |
        head -n 1 | numfmt --from=iec
}

part "the data is weighed against memory"
works 1 - -w -r -t 64k -b 1m -o "$f"
expect_equal "sizes" "1.0 MiB of 1 node" "$(sizes)" || true
all=$(memory)
warned '1.0 MiB of data and .* of memory of 1 node: .*SMALL_DATA' || true
works 2 a:1,b:1 -w -r -t 64k -b 1m -o "$f"
expect_equal "nodes of one kernel" "2.0 MiB of 2 nodes" "$(sizes)" || true
close_to "their memory" "$all" "$(memory)" 1 || true
works 2 a:1,b:1 -w -r -C -t 64k -b 1m -o "$f" # each has what the other wrote
within "read elsewhere" 98 100 "$(shares)" || true
warned 'SMALL_DATA' "the nodes have one memory" || true
works 1 - -w -r -M 64m -t 64k -b 1m -o "$f"
expect_equal "-M" "1.0 MiB of 1 node (-M takes the rest)" "$(sizes)" || true
works 2 - -w -r -O memoryPerTask=16m -t 64k -b 1m -o "$f"
expect_equal "memoryPerTask" "2.0 MiB of 1 node (memoryPerTask takes the rest)" \
    "$(sizes)" || true
works 1 - -w -r --server-memory=1g -t 64k -b 1m -o "$f"
expect_equal "servers" "1.0 MiB of 1 node|1.0 MiB of the servers" "$(sizes)" ||
    true
expect_no_line NO_EFFECT "--server-memory has an effect" || true
works 1 - -w -t 64k -b 1m -o "$f"
expect_equal "nothing is read" "" "$(sizes)" || true
works 1 - --rwmix=50 -t 64k -b 1m -o "$f"
expect_equal "a mix" "1.0 MiB of 1 node" "$(sizes)" || true
within "its share" 98 100 "$(shares)" || true
works 1 - --rwmix=50 --posix.fadvise=dontneed --drop-wait=5 -t 64k -b 1m -o "$f"
expect_equal "its share, forgotten" 0.0 "$(shares)" || true

works 2 - --dry-run -w -r -t 64k -b 1m -o "$f"
expect_equal "of a plan" "2.0 MiB of 1 node" "$(sizes)" || true
warned SMALL_DATA || true
works 4 - -w -r -C -O numNodes=2 -t 64k -b 1m -o "$f"
warned SMALL_DATA "nodes that are made up have no memory" || true

part "and so is what was stopped"
works 2 - -w -k -t 64k -b 1m -s 2 -o "$f"
printf 8 >"$base/status"
works 2 - -r -k -t 64k -b 1m -s 2 -O stoneWallingStatusFile="$base/status" \
    -o "$f"
expect_equal "status file" "1.0 MiB of 1 node" "$(sizes)" || true
works 2 - -r -k -t 64k -b 1m -s 2 -O stoneWallingWearOutIterations=2 -o "$f"
expect_equal "so many transfers" "256.0 KiB of 1 node" "$(sizes)" || true
works 2 - -r -k -D 20 -t 64k -b 1m -s 2 -O stoneWallingStatusFile="$base/status" \
    -o "$f"
expect_equal "with a deadline" "1.0 MiB of 1 node" "$(sizes)" || true
works 1 - -w -r -D 0.3 --interIODelay=50000 -t 64k -b 1m -s 200 -o "$f"
mib=$(sizes)
mib=${mib%% *}
within "KiB until a deadline" 64 640 "${mib%.*}" || true
rm -f "$f"

part "caches are emptied before the first pass of reading"
works 2 - -w -r -e -i 2 --read-passes=3 "--drop-caches=echo x >>$base/ran" \
    -t 64k -b 1m -o "$f"
expect_equal "times" 2 "$(wc -l <"$base/ran")" || true
works 2 - -w -r -e --read-passes=2 --posix.fadvise=dontneed --drop-wait=5 \
    -t 64k -b 1m -o "$f"
read -r before after <<<"$(shares)"
within "share of the first" 0 2 "$before" || true
within "share of the second" 98 100 "$after" || true
expect_no_line CACHED_READ "that is what later passes are for" || true

part "options of another engine have no effect"
for line in "MMAP -B" "URING --posix.odirect" "MPIIO -B" \
    "DUMMY -O useO_DIRECT=1"; do
    read -r api option <<<"$line"
    # shellcheck disable=SC2086 # may be two words
    works 1 - -a "$api" $option -w -r -t 64k -b 1m -o "$f"
    warned "options of POSIX .*-B.* have no effect with -a $api .NO_EFFECT" ||
        true
done
works 1 - --uring.depth=4 -w -t 64k -b 1m -o "$f"
warned 'options of URING have no effect with -a POSIX' || true
printf '%s\n' "IOR START" "api=POSIX" RUN "api=DUMMY" RUN "IOR STOP" \
    >"$base/script"
works 1 - -B -f "$base/script" -w -t 64k -b 1m -o "$f"
expect_no_line NO_EFFECT "one test uses them" || true

part "O_DIRECT leaves nothing to advise"
for options in "-B" "-a URING --uring.odirect"; do
    # shellcheck disable=SC2086
    works 1 - $options -w -r -e --server-memory=1g -t 64k -b 4m -o "$f"
    expect_equal "share" "" "$(shares)" || true
    expect_no_line '^verdict: .*odirect' "it is advised" || true
    expect_line '^verdict: .*cache of the servers' "the servers" || true
done
works 1 - -w -r --server-memory=1g --posix.fadvise=dontneed --drop-wait=5 \
    -t 64k -b 4m -o "$f"
expect_no_line '^verdict: .*odirect' "servers do not care" || true

part "each test of a script is told of"
cat >"$base/script" <<END
IOR START
testFile=$f
transferSize=64k
writeFile=1
readFile=1
RUN
RUN
IOR STOP
END
works 1 - -f "$base/script"
for test in 0 1; do
    warned "test $test: 100% of the data .*CACHED_READ" || true
    warned "test $test: .*SMALL_DATA" || true
done

part "what is no size is refused"
refuse 1 "--total: '0' is not a size above 0" --total=0 -o "$f"
refuse 1 "--total: '0xRAM' is not" --total=0xRAM -o "$f"

finish
