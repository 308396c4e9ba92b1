#!/bin/bash
# treemark find in deep, wide and tiny trees: GNU find's counts, little memory,
# and an end.
set -eu
# shellcheck source=lib.bash
. "$(dirname "$0")/lib.bash"
# shellcheck source=find.bash
. "$(dirname "$0")/find.bash"
programs=$TREEMARK_BIN/../tests/bench

# --- deep -----------------------------------------------------------------------

# chain NAME LEVELS EVERY: directories in each other, a file in every so many.
chain() {
    perl -e '($n, $levels, $every) = @ARGV; for $i (1 .. $levels) {
        mkdir $n or die $!; chdir $n or die $!;
        if ($i % $every == 0) { open F, ">", "f" or die $! } }' "$@"
}

title="5000 levels, a path of 10,000 bytes, are searched as GNU find does"
mkdir deep
(cd deep && chain d 5000 100)
as_gnu "1 2 3" deep
as_gnu "1 2" deep -type f -size 0
as_gnu 2 deep -depth -name f
as_pfind 2 deep -C -name f -size 0c
matched 50/50 "files in the depth"
title="30 levels of names of 200 bytes, too"
mkdir wide
(cd wide && chain "$(printf 'x%.0s' {1..200})" 30 1)
as_gnu "1 2 3" wide -size 0
as_gnu "1 2" wide -depth
as_pfind 2 wide -C
matched 30/30 "files in the depth"
title="commands run in the depth, where a path is too long for a call"
search 2 wide -name f -execdir ls '{}' ';'
expect_status 0 "-execdir" || true
expect_equal "commands" 30 "$(grep -c '^./f$' "$out")" || true
title="what is too deep for a search is said, with status 1"
mkdir abyss
(cd abyss && chain "$(printf 'x%.0s' {1..250})" 220 1)
search 2 abyss -name f
expect_status 1 "a path of 55,000 bytes" || true
said 'File name too long' "a path of 55,000 bytes" || true
search 1 -L deep -name f
expect_status 1 "5000 levels with -L" || true
said 'File name too long' "5000 levels with -L" || true
title="-delete removes the deepest"
for np in 1 2; do
    rm -rf del
    mkdir del
    (cd del && chain d 5000 100)
    search "$np" del -delete
    expect_status 0 "-delete" || true
    said_nothing "-delete" || true
    expect_gone "-delete" del || true
done
rm -rf abyss deep wide

# --- wide ------------------------------------------------------------------------

title="100,000 files in one directory are found once each"
mkdir one
perl -e 'for (1 .. 100000) { open F, ">", "one/file.$_" or die $! }'
for np in 1 2 3; do
    for words in '' '-size 0' '-name *01* -size 0'; do
        set -f
        # shellcheck disable=SC2086 # words
        search "$np" one $words
        # shellcheck disable=SC2086 # words
        find one $words | sort >"$TEST_DIR/gnu"
        set +f
        expect_status 0 "one directory" || true
        expect_same_file "names" "$TEST_DIR/gnu" <(sorted) || true
    done
done
title="records of four ranks on two nodes are whole"
search a:2,b:2 one -printf '%p %y %s %d and some more, so that a record is longer\n'
expect_equal "records" "$(find one -printf '%p %y %s %d and some more, so that a record is longer\n' |
    sort | cksum)" "$(sorted | cksum)" || true
rm -rf one

title="100,000 empty directories take no more than 40 MB per rank"
mkdir many
perl -e 'for (1 .. 100000) { mkdir "many/dir.$_" or die $! }'
if [ -n "${SAN:-}" ]; then
    echo "memory: skipped, a sanitizer has more"
else
    for np in 1 2; do
        for words in '-type f' '-empty' '-depth' '-size 1'; do
            last_run="find many $words [np $np]"
            status=0
            # shellcheck disable=SC2086 # words
            mpi "$np" - "$programs/peak" "$treemark" find many $words \
                >"$out" 2>"$err" || status=$?
            expect_status 0 "memory" || true
            expect_equal "ranks that told" "$np" "$(wc -l <"$out")" || true
            within "KiB of the greatest" 1000 40000 "$(sort -n "$out" | tail -n 1)" || true
        done
    done
fi
search 2 many -empty -type d
expect_equal "empty ones" 100000 "$(wc -l <"$out")" || true
as_pfind 2 many -C -name '*'
matched 0/0 "directories are no files"
title="-delete removes them all"
search 2 many -delete
expect_status 0 "-delete" || true
expect_gone "-delete" many || true

# --- tiny ------------------------------------------------------------------------

title="200 searches of a tiny tree on eight ranks end, and soon"
mkdir -p tiny
: >tiny/f
for ((i = 0; i < 200; i++)); do
    printf '%s\0' tiny -name '*' --stats ''
done >"$TEST_DIR/cases"
last_run="200 searches [np 8]"
status=0
timeout -k 5 50 "$MPIEXEC" -n 8 "$programs/find_cases" "$TEST_DIR/cases" \
    </dev/null >"$out" 2>"$err" || status=$?
expect_status 0 "tiny trees" || true
expect_equal "ends" 200 "$(grep -c '^=== 0$' "$out")" || true
expect_equal "names" 200 "$(grep -c '^tiny/f$' "$out")" || true
within "s of the median" 0 0.05 "$(sed -nE 's/^8 ranks on 1 node, ([0-9.]+) s$/\1/p' "$err" |
    sort -n | sed -n 100p)" || true
title="seven ranks that have nothing to do for two seconds use no time"
# cpu ARGS...: what a search of the tiny tree on eight ranks takes of it, in s.
cpu() {
    last_run="find tiny $* [np 8]"
    TIMEFORMAT='%U %S'
    { time "$MPIEXEC" -n 8 "$treemark" find tiny -name f "$@" </dev/null \
        >"$out" 2>"$err"; } 2>&1 | awk '{ print $1 + $2 }'
}
least=$(cpu -exec true ';')
within "s more than for nothing" -5 0.6 "$(awk -v least="$least" \
    -v waiting="$(cpu -exec sleep 2 ';')" 'BEGIN { print waiting - least }')" || true

title="an empty tree, a file alone, more ranks than entries"
mkdir empty
for np in 1 2 8; do
    search "$np" empty
    expect_status 0 "an empty tree" || true
    expect_equal "found" empty "$(cat "$out")" || true
    search "$np" tiny/f -type f
    expect_equal "found" tiny/f "$(cat "$out")" || true
done

finish
