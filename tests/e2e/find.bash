# shellcheck shell=bash
# shellcheck disable=SC2034,SC2154 # those of lib.bash
# What the tests of treemark find share; sourced after lib.bash.

treemark=$TREEMARK_BIN/treemark
pfind=$TEST_DIR/pfind
swapper=$TEST_DIR/swapper.so
ln -sfn "$treemark" "$pfind"

# An expression may refer to the tree, and paths are compared: all are relative.
mkdir -p "$TEST_DIR/in"
cd "$TEST_DIR/in" || exit

build_swapper() {
    "${CC:-cc}" -O1 -Wall -Wextra -fPIC -shared -o "$swapper" \
        "$here/swapper.c" -ldl
    export ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}verify_asan_link_order=0"
}

# search NP ARGS...: treemark find on one node, or on nodes where NP is such as
# a:2,b:1; sets status, out and err.  `with` holds variables for env.
with=()
search() {
    local np=$1 hosts=-
    shift
    case $np in
    *:*)
        hosts=$np
        np=$(awk -F'[:,]' '{ for (i = 2; i <= NF; i += 2) n += $i; print n }' <<<"$hosts")
        ;;
    *) ;;
    esac
    last_run="find $* [np $np on $hosts] ${with[*]}"
    status=0
    mpi "$np" "$hosts" env "${with[@]}" timeout -k 5 50 "$treemark" find "$@" \
        >"$out" 2>"$err" || status=$?
}

# as_pfind NP ARGS...: the same under its other name.
as_pfind() {
    local np=$1
    shift
    last_run="pfind $* [np $np] ${with[*]}"
    status=0
    mpi "$np" - env "${with[@]}" timeout -k 5 50 "$pfind" "$@" >"$out" 2>"$err" ||
        status=$?
}

# What was printed, in one order.
sorted() {
    sort "$out"
}

# as_gnu NPS ARGS...: find prints and ends as GNU find does, at each np.  The
# records are those of -print0 if that is among the words.
as_gnu() {
    local nps=$1 np gnu=0 zero=''
    shift
    case " $* " in
    *print0* | *'\0'*) zero=-z ;;
    *) ;;
    esac
    command find "$@" </dev/null >"$TEST_DIR/gnu" 2>"$TEST_DIR/gnu.err" || gnu=$?
    sort $zero -o "$TEST_DIR/gnu" "$TEST_DIR/gnu"
    for np in $nps; do
        search "$np" "$@"
        sort $zero -o "$out" "$out"
        expect_status "$gnu" "GNU find's" || true
        expect_same_file "what GNU find prints" "$TEST_DIR/gnu" "$out" || true
    done
}

# said REGEX WHAT: standard error has such a line.
said() {
    if ! grep -Eq -- "$1" "$err"; then
        bad_with_output "$2: nothing on the standard error matches $1"
        return 1
    fi
}

# said_nothing WHAT
said_nothing() {
    if [ -s "$err" ]; then
        bad_with_output "$1: there are messages"
        return 1
    fi
}

# matched WANT WHAT: pfind's last line.
matched() {
    expect_equal "$2" "MATCHED $1" "$(tail -n 1 "$out")" || true
}

# nobody: words that run a command without root's rights; what they need can be
# read by all.  Empty where we are not root; false where it cannot be done.
nobody() {
    as_nobody=()
    if [ "$(id -u)" -ne 0 ]; then
        return 0
    fi
    as_nobody=(setpriv --reuid=65534 --regid=65534 --clear-groups)
    chmod 755 "$TEST_DIR" "$TEST_DIR/in"
    cp -L "$treemark" "$TEST_DIR/treemark"
    "${as_nobody[@]}" "$TEST_DIR/treemark" --version >/dev/null 2>&1
}

# by_nobody NP ARGS...
by_nobody() {
    local np=$1
    shift
    last_run="find $* [np $np] as nobody"
    status=0
    mpi "$np" - "${as_nobody[@]}" timeout -k 5 50 "$TEST_DIR/treemark" find "$@" \
        >"$out" 2>"$err" || status=$?
}
