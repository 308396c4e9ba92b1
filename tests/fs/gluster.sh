#!/bin/bash
# On a GlusterFS volume of two bricks, whose servers run in a network namespace
# of their own: they refuse loopback addresses.  All is taken down at the end,
# however that comes.
set -eu
# shellcheck source=fs.bash
. "$(dirname "$0")/fs.bash"
for tool in glusterd gluster mount.glusterfs; do
    need "$tool" "glusterfs-server, glusterfs-client"
done
need ip iproute2
need nsenter util-linux
need mkfs.ext4 e2fsprogs
if [ ! -e /dev/fuse ]; then
    skip "no /dev/fuse"
fi

space=treemark-$$
socket=$TEST_DIR/glusterd.socket
bricks=("$TEST_DIR/brick1" "$TEST_DIR/brick2")

inside() {
    nsenter "--net=/run/netns/$space" "$@"
}

ours() {
    inside gluster --mode=script "--glusterd-sock=$socket" "$@" \
        >>"$TEST_DIR/gluster.log" 2>&1
}

tear_down() {
    local pid brick i
    unmount
    if [ -S "$socket" ]; then
        ours volume stop v1 force || true
    fi
    # Whatever runs in the namespace was started for this.
    for i in TERM TERM KILL; do
        for pid in $(ip netns pids "$space" 2>/dev/null); do
            kill "-$i" "$pid" 2>/dev/null || true
        done
        sleep 0.5
    done
    for brick in "${bricks[@]}"; do
        if mountpoint -q "$brick"; then
            umount "$brick" || umount -l "$brick"
        fi
    done
    ip link del tmkg0 2>/dev/null || true
    ip netns del "$space" 2>/dev/null || true
}
trap tear_down EXIT
trap 'exit 143' TERM
trap 'exit 130' INT

said() {
    tail -n 20 "$TEST_DIR"/*.log | sed 's/^/  /'
    echo "FAILED: $*"
    exit 1
}

ip netns add "$space"
ip link add tmkg0 type veth peer name tmkg1 netns "$space"
inside ip addr add 10.77.0.1/24 dev tmkg1
inside ip link set tmkg1 up
inside ip link set lo up
ip addr add 10.77.0.2/24 dev tmkg0
ip link set tmkg0 up

for brick in "${bricks[@]}"; do
    mkdir "$brick"
    truncate -s 256M "$brick.image"
    mkfs.ext4 -q "$brick.image"
    mount -o loop "$brick.image" "$brick"
    mkdir "$brick/b"
done

mkdir "$TEST_DIR/work"
cat >"$TEST_DIR/glusterd.vol" <<END
volume management
    type mgmt/glusterd
    option working-directory $TEST_DIR/work
    option run-directory $TEST_DIR/run
    option glusterd-sockfile $socket
    option transport-type socket
    option transport.socket.read-fail-log off
    option transport.socket.listen-port 24007
    option ping-timeout 0
    option event-threads 1
end-volume
END
mkdir "$TEST_DIR/run"
inside glusterd -f "$TEST_DIR/glusterd.vol" -p "$TEST_DIR/glusterd.pid" \
    -l "$TEST_DIR/glusterd.log"
for ((i = 0; i < 100; i++)); do
    if ours volume list; then
        break
    fi
    sleep 0.2
done
ours volume create v1 "10.77.0.1:${bricks[0]}/b" "10.77.0.1:${bricks[1]}/b" \
    force || said "cannot create a volume"
ours volume start v1 || said "cannot start the volume"
for ((i = 0; i < 20; i++)); do
    if inside mount -t glusterfs -o "log-file=$TEST_DIR/client.log" \
        10.77.0.1:/v1 "$mount" 2>/dev/null && mountpoint -q "$mount"; then
        break
    fi
    sleep 0.5
done
mountpoint -q "$mount" || said "cannot mount the volume"

matrix 2
matrix 4
# Both bricks hold files of a run.
well 2 - -F -n 40 -C -u
for brick in "${bricks[@]}"; do
    if ! find "$brick/b/D" -name 'file.mdtest.*' | grep -q .; then
        bad "no files in $brick"
    fi
done
well 2 - -F -n 40 -T -E -u -P
well 2 - -F -n 40 -r -u
drop "$d"
expect_equal "left on the volume" "" "$(left)" || true
for brick in "${bricks[@]}"; do
    expect_equal "left in a brick" "" \
        "$(find "$brick/b" -mindepth 1 ! -path '*/.glusterfs*' | head -n 3)" ||
        true
done
# What it is like.
well 2 - -F -n 500 -P
grep -E '^   (File|Tree)' "$out" || true
finish
