# shellcheck shell=bash disable=SC2034
# What the tests of the library share; sourced, not run.  Lays the library out
# as IO500's source finds it, in $TEST_DIR/lib, and compiles hosts with its
# flags.
#
# From the environment: TREEMARK_BIN, TREEMARK_ROOT, MPIEXEC, MPICC, SAN,
# TEST_DIR; WRAP: a command to put before each host (valgrind).

: "${TREEMARK_BIN:?directory of mdtest}" "${TEST_DIR:?an empty directory}"
root=${TREEMARK_ROOT:-$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)}
mpicc=${MPICC:-mpicc.mpich}
lib=$TEST_DIR/lib
# As make itself names it, or what it writes of dependencies is of other files.
build=$(realpath --relative-to="$root" "${TREEMARK_BIN%/bin}")
bad=0

say()
{
    echo "$1"
    bad=1
}

command -v "$mpicc" >/dev/null || {
    echo "skipped: no $mpicc to build hosts"
    exit 77
}

lay_out()
{
    make --no-print-directory -C "$root" BUILD="$build" embed \
        DESTDIR="$lib" >"$TEST_DIR/make" 2>&1 || {
        cat "$TEST_DIR/make"
        exit 1
    }
}

# Flags that IO500's source is compiled with, and the directories it looks in.
suite_flags='-std=gnu99 -Wall -Wempty-body -Werror -Wstrict-prototypes
    -Werror=maybe-uninitialized -Warray-bounds -g3'
suite_dirs="-I$lib/build/pfind/src/ -I$lib/build/ior/src/"
suite_libs()
{
    echo "$lib/build/pfind/pfind.a $lib/build/ior/src/libaiori.a"
    sed -n 's/^[A-Z]*FLAGS=//p' "$lib/build/ior/src/build.conf"
}

# build NAME: the host tests/embed/NAME.c to $TEST_DIR/NAME
build()
{
    # shellcheck disable=SC2086,SC2046 # lists of words
    "$mpicc" $suite_flags ${SAN:+-fsanitize=$SAN -fno-omit-frame-pointer} \
        $suite_dirs "$root/tests/embed/$1.c" -o "$TEST_DIR/$1" $(suite_libs)
}

# host NP HOSTS COMMAND...: a host on NP ranks; HOSTS is "-" or a:2,b:2
host()
{
    local np=$1 hosts=$2 status=0
    local -a where=()
    shift 2
    [ "$hosts" = - ] || where=(-launcher fork -hosts "$hosts")
    # shellcheck disable=SC2086 # a command and its options
    timeout -k 5 "${HOST_LIMIT_S:-100}" "$MPIEXEC" "${where[@]}" -n "$np" \
        ${WRAP:-} "$@" </dev/null >"$TEST_DIR/out" 2>&1 || status=$?
    if [ "$status" != 0 ]; then
        say "$* on $np ranks ($hosts): exit status $status"
        sed 's/^/    | /' "$TEST_DIR/out" | head -n 40
    fi
}
