#!/bin/bash
# From the first mkdir to the last rmdir: phases in launches of their own,
# what is there already, what belongs to others, two runs at once, and a
# tmpfs of its own for each node.
set -eu
# shellcheck source=lib.bash
. "$(dirname "$0")/lib.bash"
d=$TEST_DIR/D

# --- phases in launches of their own -----------------------------------------

for options in "-n 6" "-F -u -b 2 -z 2 -I 2" "-F -N 1 -n 3" "-D -n 4 -I 2" \
    "-F -b 3 -z 1 -L -I 2 -i 2"; do
    read -r -a args <<<"$options"
    run 2 - "${args[@]}" -C -d "$d"
    expect_status 0 || true
    tree_of "$d" >"$TEST_DIR/made"
    for phase in -T -E -U -TE; do
        case $options in
        -F*) if [ "$phase" = -U ]; then continue; fi ;;
        -D*) if [ "$phase" = -E ]; then continue; fi ;;
        esac
        run 2 - "${args[@]}" "$phase" -d "$d"
        expect_status 0 || true
        tree_of "$d" >"$TEST_DIR/then"
        expect_same_file "$phase changes no names" "$TEST_DIR/made" \
            "$TEST_DIR/then" || true
    done
    run 2 - "${args[@]}" -r -d "$d"
    expect_status 0 || true
    expect_empty_dir "after -r" "$d" || true
    drop "$d"
done

# Two phases in one launch, the others in another.
run 2 - -F -n 3 -CT -d "$d"
expect_status 0 || true
run 2 - -F -n 3 -Er -d "$d"
expect_status 0 || true
expect_empty_dir "after -Er" "$d" || true
drop "$d"

# --- leftovers of another run ------------------------------------------------

run 2 - -F -n 5 -w 64 -C -d "$d"
expect_status 0 || true
mkdir -p "$d"
snapshot "$d" >"$TEST_DIR/before"
unchanged() {
    snapshot "$d" >"$TEST_DIR/after"
    expect_same_file "the tree of another run" "$TEST_DIR/before" \
        "$TEST_DIR/after" || true
}
for options in "-F -n 5" "-F -n 5 -C" "-n 5" "-F -n 50" "-F -n 5 -C -r" \
    "-F -n 2 -N 1" "-F -n 5 --leftovers=refuse"; do
    read -r -a args <<<"$options"
    run 2 - "${args[@]}" -d "$d"
    expect_status 2 "leftovers are refused" || true
    unchanged
done
if ! cat "$out" "$err" | grep -q "treemark clean '$d'"; then
    bad_with_output "the refusal does not say how to clean up"
fi
run 2 - -F -T -n 5 -d "$d"
expect_status 0 "looking is never refused" || true

run 2 - -F -n 5 -C --leftovers=reuse -d "$d"
expect_status 0 || true
if ! cat "$out" "$err" | grep -Eiq 'reuse|leftover'; then
    bad_with_output "reuse is not mentioned in the report"
fi
expect_equal "files" 10 "$(find "$d" -type f | wc -l)" || true
last_run="TREEMARK_LEFTOVERS=reuse mdtest"
status=0
TREEMARK_LEFTOVERS=reuse mpi 2 - "$mdtest" -F -n 5 -C -d "$d" \
    >"$out" 2>"$err" || status=$?
expect_status 0 || true
run 2 - -F -n 5 --leftovers=reuse -d "$d"
expect_status 0 || true
expect_equal "files after a whole run over leftovers" 0 \
    "$(find "$d" -type f | wc -l)" || true
# Their directories were there before, as if made beforehand.
rm -rf "$d"

# --- made beforehand, for striping -------------------------------------------

mkdir -p "$d/test-dir.0-0/mdtest_tree.0/mdtest_tree.1"
tree_of "$d" >"$TEST_DIR/before"
run 2 - -F -b 2 -z 1 -I 2 -d "$d"
expect_status 0 "empty directories are adopted" || true
tree_of "$d" >"$TEST_DIR/after"
expect_same_file "adopted directories stay" "$TEST_DIR/before" \
    "$TEST_DIR/after" || true
run 2 - -F -b 2 -z 1 -I 2 -C -d "$d"
expect_status 0 || true
run 2 - -F -b 2 -z 1 -I 2 -r -d "$d"
expect_status 0 || true
expect_empty_dir "a separate -r removes them" "$d" || true

mkdir -p "$d/test-dir.0-0" "$d/test-dir.1-0"
run 2 - -D -u -n 2 -i 2 -d "$d"
expect_status 0 || true
expect_equal "test directories made beforehand" "d test-dir.0-0
d test-dir.1-0" "$(tree_of "$d")" || true
rm -rf "$d"

# --- roots --------------------------------------------------------------------

mkdir "$TEST_DIR/top"
run 2 - -F -n 2 -d "$TEST_DIR/top/a/b/c"
expect_status 0 || true
expect_empty_dir "parents that were made are removed" "$TEST_DIR/top" || true
mkdir "$TEST_DIR/top/a"
run 2 - -F -n 2 -d "$TEST_DIR/top/a/b/c"
expect_status 0 || true
expect_equal "parents that were there" "d a" "$(tree_of "$TEST_DIR/top")" ||
    true
run 2 - -F -n 2 -d "$TEST_DIR/top/a"
expect_status 0 || true
expect_equal "a root that was there" "d a" "$(tree_of "$TEST_DIR/top")" || true
(cd "$TEST_DIR/top/a" && mpi 2 - "$mdtest" -F -n 2 -d b/c) \
    >"$out" 2>"$err" || bad "a relative root"
expect_empty_dir "a relative root" "$TEST_DIR/top/a" || true
(cd "$TEST_DIR/top/a" && mpi 1 - "$mdtest" -F -n 2) \
    >"$out" 2>"$err" || bad "the default root"
expect_empty_dir "the default root" "$TEST_DIR/top/a" || true

# Dots, and a parent that was there behind one that was not.
rm -rf "$TEST_DIR/top/a"
mkdir "$TEST_DIR/top/a"
for root in new/. new/.. new/../b ./new/./b//c/ new/../a/b; do
    run 1 - -F -n 2 -d "$TEST_DIR/top/$root"
    expect_status 0 || true
    expect_equal "only what was there" "d a" "$(tree_of "$TEST_DIR/top")" ||
        true
done
long=$(printf 'x%.0s' {1..300})
run 1 - -F -n 2 -d "$TEST_DIR/top/new/$long/c"
expect_status 2 "a name too long" || true
expect_equal "a parent of it" "d a" "$(tree_of "$TEST_DIR/top")" || true

# Through a symbolic link, and one that leads nowhere.
ln -s a "$TEST_DIR/top/link"
run 2 - -F -n 2 -d "$TEST_DIR/top/link"
expect_status 0 || true
if [ ! -L "$TEST_DIR/top/link" ]; then
    bad "the link is gone"
fi
ln -s nowhere "$TEST_DIR/top/dangling"
run 2 - -F -n 2 -d "$TEST_DIR/top/dangling"
expect_status_in "1 2" || true
rm -rf "$TEST_DIR/top"

# --- what belongs to others ---------------------------------------------------

mkdir -p "$d/test-dir.other" "$d/mdtest_tree.0" "$d/.hidden" "$d/test-dir.7-0"
echo precious >"$d/file.mdtest.0.0"
echo precious >"$d/mdtest_tree.0/file.mdtest.0.0"
tree_of "$d" >"$TEST_DIR/before"
run 2 - -n 3 -d "$d"
expect_status 0 "others' files beside test-dir.* are no business of ours" || true
tree_of "$d" >"$TEST_DIR/after"
expect_same_file "others' files" "$TEST_DIR/before" "$TEST_DIR/after" || true

# Also inside the tree, where they stop the last rmdir.
run 2 - -F -n 3 -C -d "$d"
mkdir -p "$d/test-dir.0-0/mdtest_tree.0"
echo precious >"$d/test-dir.0-0/mdtest_tree.0/notes"
run 2 - -F -n 3 -r -d "$d"
expect_status 1 "a tree that could not be removed" || true
expect_equal "another's file" precious \
    "$(cat "$d/test-dir.0-0/mdtest_tree.0/notes" || true)" || true
rm -rf "$d"

# --- two runs at once ---------------------------------------------------------

mkdir "$d"
"$mdtest" -F -n 2000 -i 300 -d "$d" </dev/null >"$TEST_DIR/first" 2>&1 &
first=$!
for ((i = 0; i < 100; i++)); do
    if [ -e "$d/test-dir.0-0" ]; then
        break
    fi
    sleep 0.05
done
run 1 - -F -n 2000 -i 2 -d "$d"
second=$status
kill -TERM "$first" 2>/dev/null || true
first_status=0
wait "$first" || first_status=$?
status=$second
expect_status_in "0 2" || true
case $first_status in
0 | 130 | 143) ;;
*) bad "the first of two runs ended with $first_status: $(tail -n 3 "$TEST_DIR/first")" ;;
esac
if grep -q '^ *failed ' "$TEST_DIR/first"; then
    bad "the second run made operations of the first fail: $(grep -m 1 '^ *failed ' "$TEST_DIR/first")"
fi
expect_empty_dir "after both" "$d" || true
drop "$d"

# The second is told whose run the first is.
"$mdtest" -F -n 5 -d "$d" --run-cmd-before-phase 'sleep 1' \
    --json "$TEST_DIR/first.json" </dev/null >"$TEST_DIR/first" 2>&1 &
first=$!
for ((i = 0; i < 100; i++)); do
    if compgen -G "$d/test-dir.0-0/mdtest_tree.0" >/dev/null; then
        break
    fi
    sleep 0.05
done
for np in 1 2; do
    run "$np" - -F -n 5 -d "$d"
    refused "a second run" "run [0-9a-f-]{36} on host $(uname -n) is at work here; wait for it" || true
    cat "$out" "$err" >"$TEST_DIR/told"
done
wait "$first" || bad "the first run: $(tail -n 3 "$TEST_DIR/first")"
if ! grep -q "run $(sed -n 's/.*"id":"\([0-9a-f-]*\)".*/\1/p' "$TEST_DIR/first.json") on" "$TEST_DIR/told"; then
    bad "another run is named: $(cat "$TEST_DIR/told")"
fi
expect_gone "-d" "$d" || true

# --- a file system of its own for each node -----------------------------------

# Hydra starts its proxies with this: options and the host are dropped, the
# rest runs with a tmpfs of its own.
cat >"$TEST_DIR/launch" <<END
#!/bin/sh
while [ "\${1#-}" != "\$1" ]; do shift; done
shift
exec unshare -m sh -c 'mount -t tmpfs tmpfs "$TEST_DIR/local" && exec sh -c "\$*"' sh "\$@"
END
chmod +x "$TEST_DIR/launch"
mkdir "$TEST_DIR/local"
if [ "$(id -u)" -ne 0 ] || ! unshare -m true 2>/dev/null ||
    ! "$MPIEXEC" -launcher ssh -launcher-exec "$TEST_DIR/launch" \
        -hosts a:2,b:2 -n 4 true </dev/null >/dev/null 2>&1; then
    echo "not tried: a file system for each node (cannot unshare mounts)"
else
    on_own_nodes() {
        last_run="mdtest $* with a tmpfs for each of two nodes"
        status=0
        "$MPIEXEC" -launcher ssh -launcher-exec "$TEST_DIR/launch" \
            -hosts a:2,b:2 -n 4 timeout -k 5 60 "$mdtest" "$@" \
            -d "$TEST_DIR/local/D" </dev/null >"$out" 2>"$err" || status=$?
    }
    on_own_nodes -F -u -n 3
    expect_status 0 "a run on local file systems" || true
    on_own_nodes -u -n 3 -b 2 -z 1
    expect_status 0 "trees on local file systems" || true
    on_own_nodes -F -n 3 -N 1
    expect_status 2 "a stride needs a shared file system" || true
fi
finish
