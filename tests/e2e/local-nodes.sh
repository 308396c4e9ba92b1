#!/bin/bash
# Nodes with host names and file systems of their own: -u works on them, what
# crosses nodes is refused, and cyclic placement is seen.
set -eu
# shellcheck source=lib.bash
. "$(dirname "$0")/lib.bash"

if ! unshare -u -m true 2>/dev/null; then
    echo "namespaces cannot be made here"
    exit 77
fi
case $MPIEXEC in
*mpich*) ;;
*)
    echo "needs Hydra's -launcher-exec"
    exit 77
    ;;
esac

# Hydra runs "launcher [options] HOST COMMAND": give HOST a name space with a
# memory file system at $LOCAL_DIR.
export LOCAL_DIR=$TEST_DIR/local
mkdir "$LOCAL_DIR"
cat >"$TEST_DIR/launcher" <<'EOF'
#!/bin/bash
while [ "${1#-}" != "$1" ]; do
    shift
done
export HOST_NAME=$1
shift
export COMMAND="$*"
exec unshare -u -m bash -c 'hostname "$HOST_NAME"
mount --make-rprivate /
mount -t tmpfs none "$LOCAL_DIR"
[ -z "${TEST_PROLOGUE:-}" ] || eval "$TEST_PROLOGUE"
eval "exec $COMMAND"'
EOF
chmod +x "$TEST_DIR/launcher"

# hosts HOSTS NP ARGS...: run mdtest on nodes of their own.
hosts() {
    local where=$1 np=$2
    shift 2
    last_run="mdtest $* [np $np on $where, own namespaces]"
    status=0
    # shellcheck disable=SC2086
    $MPIEXEC -launcher ssh -launcher-exec "$TEST_DIR/launcher" \
        -hosts "$where" -n "$np" "$mdtest" "$@" \
        </dev/null >"$out" 2>"$err" || status=$?
}

# Every node its own file system: -u without -N is a run like any other.
hosts a:2,b:2 4 -n 7 -u -z 1 -b 2 -d "$LOCAL_DIR/x/y"
expect_status 0 || true
expect_line '^4 tasks, 24 files/directories$' "rounded to the tree" || true
expect_line '^   File removal  ' "the rows" || true

# What crosses nodes cannot be done there, and is refused by name.
for options in "" "-u -N 1" "-C"; do
    # shellcheck disable=SC2086
    hosts a:2,b:2 4 -F -n 5 $options -d "$LOCAL_DIR/x"
    expect_status 2 || true
    if ! grep -q "1 of 2 nodes do not see" "$err"; then
        bad_with_output "the refusal does not say that nodes do not share -d"
    fi
done

# A shared directory with real host names, placed in turn: rank 1 is on another
# host, so -N 1 means one rank.
hosts a:1,b:1 4 -F -n 2 -N 1 -d "$TEST_DIR/shared"
expect_status 0 || true
expect_line '^Shifting ranks by 1 for each phase' "cyclic: one rank" || true
expect_line '^Nodemap: 1010$' "the node map" || true
hosts a:2,b:2 4 -F -n 2 -N 1 -d "$TEST_DIR/shared"
expect_status 0 || true
expect_line '^Shifting ranks by 2 for each phase' "block: one node" || true
expect_gone "what the runs made" "$TEST_DIR/shared" || true

# treemark clean: each node removes its own, and all is counted.
mdtest="$TREEMARK_BIN/treemark" # what hosts() runs
# shellcheck disable=SC2016 # for the launcher
export TEST_PROLOGUE='
    mkdir -p "$LOCAL_DIR/x/test-dir.0-0/mdtest_tree.0"
    touch "$LOCAL_DIR"/x/test-dir.0-0/mdtest_tree.0/file.mdtest.0.{1..50}
    [ "$HOST_NAME" = a ] || touch "$LOCAL_DIR/x/test-dir.0-0/$HOST_NAME"'
hosts a:2,b:2 4 clean "$LOCAL_DIR/x"
expect_status 1 "something foreign on one node" || true
expect_line 'each cleans its own' "nodes on their own" || true
expect_line '^removed 100 files and 3 directories' "what all nodes removed" || true
grep -q 'test-dir.0-0/b is of no benchmark' "$err" ||
    bad_with_output "it is not said what stays on another node"
# shellcheck disable=SC2016 # for the launcher
TEST_PROLOGUE='[ "$HOST_NAME" = b ] || mkdir "$LOCAL_DIR/x"'
hosts a:1,b:1 2 clean "$LOCAL_DIR/x"
expect_status 2 "a directory that one node has not got" || true
grep -q 'x: No such file or directory (on another rank)' "$err" ||
    bad_with_output "it is not said that a node has no such directory"
finish
