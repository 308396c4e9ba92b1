#!/bin/bash
# Spellings that old command lines have: each runs and means what is said here,
# or is explained in one line.
set -eu
# shellcheck source=lib.bash
. "$(dirname "$0")/lib.bash"
d=$TEST_DIR/D

# What runs: the command line | options and what they then are.
cat >"$TEST_DIR/runs" <<'EOF'
-n 4|-n:4
-n=4|-n:4
-n4|-n:4
-n2k -F|-n:2048 -k:0 -F:1
-n 2K -F|-n:2048
-n 1kb|-n:1024
-n 1KiB|-n:1024
-n 4 -n 5|-n:5
-n 4 -w=4k|-w:4096
-n 4 -w4k -e 2k|-w:4096 -e:2048
-n 4 -w=1m -y|-w:1048576 -y:1
-n 4 -G=-1622856514|-G:-1622856514
-n 4 -G -1622856514|-G:-1622856514
-n 4 -G-1622856514|-G:-1622856514
-FCTErn 4|-F:1 -C:1 -T:1 -E:1 -r:1 -n:4
-FCTErn4|-F:1 -C:1 -T:1 -E:1 -r:1 -n:4
-CTErn=4|-C:1 -T:1 -E:1 -r:1 -n:4
-Lub2 -z2 -I3|-L:1 -u:1 -b:2 -z:2 -I:3
-F -F -n 4|-F:2
-FF -F=0 -n 4|-F:0
-FC=0 -n 4|-F:0 -C:0
-n 4 -vvv|-v:3
-n 4 -v=3|-v:3
-n 4 -v 1|-v:1
-n 4 -v1|-v:1
-n 4 -v 0|-v:0
-n 4 -Fv 1 -v|-v:2
-n 4 -V 2|-V:2
-n 4 -V=2|-V:2
-n 4 -c 2|-c:2
-n 4 -c2|-c:2
-n 4 -c|-c:1
-n 4 -B|-B:1
-n 4 -B 0|-B:0
-n 4 -B=0|-B:0
-n 4 -B0|-B:0
-n 4 -B 1|-B:1
-n 4 -B1|-B:1
-B -n 4|-B:1 -n:4
-n 4 -R|-R:on
-n 4 -R12345|-R:12345
-n 4 -R=12345|-R:12345
-n 4 -R-5|-R:-5
-n 4 -RF|-R:on -F:1
-n 4 -FR5|-R:5
-n 4 -R --random-seed=7|-R:on --random-seed:7
-n 4 --random-seed 7|-R:off --random-seed:7
-n 4 -N 1 -t|-N:1 -t:1
-n 4 -N=node|-N:node
-n 4 -f 1 -l 1 -s 1|-f:1 -l:1 -s:1
-n 4 -p=0 -i2|-p:0 -i:2
-n 4 -P -Z|-P:1 -Z:1
-n 4 -X --verify-read=0|--verify-read:0
-n 4 --verify-write -X=0 --verify-write=0|--verify-write:0
-n 4 -w 8 --dataPacketType=t|--dataPacketType:timestamp
-n 4 -w 8 --dataPacketType random|--dataPacketType:random
-n 4 --warningAsErrors=0|--warningAsErrors:0
-n 4 --print-all-procs --showRankStatistics|--print-all-procs:1
-n 4 --run-cmd-before-phase=true|--run-cmd-before-phase:true
-n 4 --run-cmd-after-phase true|--run-cmd-after-phase:true
-n 4 --dummy.delay-create=1|-n:4
-n 4 --dummy.delay-create 1 --dummy.delay-only-rank0|-n:4
-n 4 -a dummy|-a:dummy
-n 4 -a=DUMMY|-a:DUMMY
-n 4 -W 3|-W:3
EOF

# What is explained: the command line | the line.
cat >"$TEST_DIR/explained" <<'EOF'
-n 4 -R 12345|stray word '12345' after -R (is -R12345 meant?)
-n 4 -S 1|stray word '1' after -S, which takes no value
-n 4 --verify-read 1|stray word '1' after --verify-read, which takes no value
-n 4 -F5|-F: takes no value, but has one in '-F5'
-n 4 1|stray word '1': STRAY
-n 4 --|stray word '--': STRAY
-n 4 -|stray word '-': STRAY
-nF 2|-n: 'F' WHOLE
-n|-n: value missing (-n N)
-n=|-n: value missing (-n N)
-F= -n 4|-F: value missing
-Fnu 4|-n: value missing in '-Fnu' (-n must be the last letter)
-n 4x|-n: '4x' WHOLE
-n 1.5k|-n: '1.5k' WHOLE
-n 1e6|-n: '1e6' WHOLE
-n 0x10|-n: '0x10' WHOLE
-n 4 -v=abc|-v: 'abc' WHOLE
-n -5|-n: -5 is too small (0 is the least)
-n 4 -i 0|-i: 0 is too small (1 is the least)
-n 4 -f 0 -l 1|-f: 0 is too small (1 is the least)
-n 4 -N -1|-N: '-1' is not a number of nodes or ranks, 0 to 4294967295, or 'node'
-n 4 -N 4294967296|-N: '4294967296' is not a number of nodes or ranks, 0 to 4294967295, or 'node'
-n 4 -G 4294967295|-G: 4294967295 is too large (2147483647 is the most)
-n 4 -g|-g: NOT_HERE
-n 4 -Fg|-g: NOT_HERE
-n 4 --posix.lustre.stripecount=2|--posix.lustre.stripecount: NOT_HERE
-n 4 --posix.lustre.stripecount 2|--posix.lustre.stripecount: NOT_HERE
-n 4 --posix.lustre.pool=flash|--posix.lustre.pool: NOT_HERE
-n 4 --posix.gpfs.prefetchsharing|--posix.gpfs.prefetchsharing: NOT_HERE
-n 4 --posix.beegfs.NumTargets=4|--posix.beegfs.NumTargets: NOT_HERE
-n 4 --posix.gpfs.releasetoken|--posix.gpfs.releasetoken: NOT_HERE
-n 4 --mpiio.showHints|--mpiio.showHints: not available here: an engine of ior alone
-n 4 --mmap.madv_pattern|--mmap.madv_pattern: not available here: an engine of ior alone
-n 4 --uring.depth=8|--uring.depth: not available here: an engine of ior alone
-n 4 --dfs.pool=p|--dfs.pool: NOT_HERE
-n 4 --S3-libs3.host=h|--S3-libs3.host: NOT_HERE
-n 4 --allocateBufferOnGPU|--allocateBufferOnGPU: NOT_HERE
-n 4 --allocateBufferOnGPU=1|--allocateBufferOnGPU: NOT_HERE
-n 4 --GPUid 0|--GPUid: NOT_HERE
-n 4 --gpuDirect|--gpuDirect: NOT_HERE
-n 4 -a MPIIO|-a: MPIIO is not available here (POSIX, DUMMY are)
-n 4 -a mmap|-a: mmap is not available here (POSIX, DUMMY are)
-n 4 -a URING|-a: URING is not available here (POSIX, DUMMY are)
-n 4 -q|-q: no such option
-n 4 -Fq|-q: no such option in '-Fq'
--n=4|--n: no such option (is -n meant?)
-n 4 -verify-read|-e: value missing in '-verify-read' (is --verify-read meant?)
-n 4 -max-errors=5|-m: no such option in '-max-errors=5' (is --max-errors=5 meant?)
-n 4 --verify-raed|--verify-raed: no such option (is --verify-read meant?)
-n 4 --verify_read|--verify_read: no such option (is --verify-read meant?)
-n 4 --warningsAsErrors|--warningsAsErrors: no such option (is --warningAsErrors meant?)
-n 4 --datapackettype=t|--datapackettype: no such option (is --dataPacketType meant?)
-n 4 --stride=1|--stride: no such option (is --stride-unit meant?)
-n 4 --delay-create=5|--delay-create: no such option (is --dummy.delay-create meant?)
-n 4 --posix.odirekt|--posix.odirekt: no such option (is --posix.odirect meant?)
-n 4 --verify|--verify: no such option
-n 4 --version|--version: only by itself
-n 4 --help=1|--help: takes no value
-n 4 --foo=3|--foo: no such option
EOF
sed -i -e 's/WHOLE$/is not a whole number (10, 4k and 2m are)/' \
    -e 's/NOT_HERE$/not available here: not built in/' \
    -e 's/STRAY$/there are no positional arguments/' "$TEST_DIR/explained"

# start_all TABLE: one run a row, some at a time; they wait rather than work.
start_all() {
    local n=0 words
    local -a args
    while IFS='|' read -r words _; do
        n=$((n + 1))
        read -r -a args <<<"$words"
        {
            timeout -k 5 60 "$mdtest" -a DUMMY -V1 -d "$d" "${args[@]}" \
                </dev/null >"$1.out.$n" 2>"$1.err.$n" || echo $? >"$1.status.$n"
        } &
        [ $((n % 8)) -ne 0 ] || wait
    done <"$1"
    wait
}

# look_at TABLE N ROW: as if it were the last run; its words, and the rest.
look_at() {
    IFS='|' read -r words rest <<<"$3"
    out=$1.out.$2
    err=$1.err.$2
    last_run="mdtest $words"
    status=0
    [ ! -e "$1.status.$2" ] || status=$(cat "$1.status.$2")
}

# value OPTION: what it was taken for; -V1 made the run say so.
value() {
    sed -n "s/^mdtest: $1  *\(.*\)\$/\1/p" "$err" | head -n 1
}

table=$TEST_DIR/runs
start_all "$table"
mapfile -t rows <"$table"
for i in "${!rows[@]}"; do
    look_at "$table" $((i + 1)) "${rows[i]}"
    expect_status 0 || continue
    read -r -a pairs <<<"$rest"
    for pair in "${pairs[@]}"; do
        expect_equal "${pair%%:*}" "${pair#*:}" "$(value "${pair%%:*}")" || true
    done
done

table=$TEST_DIR/explained
start_all "$table"
mapfile -t rows <"$table"
for i in "${!rows[@]}"; do
    look_at "$table" $((i + 1)) "${rows[i]}"
    expect_status 2 || continue
    expect_equal "explained" "mdtest: $rest" "$(cat "$out" "$err")" || true
done
expect_gone "what was refused, or touches nothing" "$d" || true
finish
