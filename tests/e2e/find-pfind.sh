#!/bin/bash
# treemark find as pfind: its order of arguments, its last lines, its letters
# without their traps.
set -eu
# shellcheck source=lib.bash
. "$(dirname "$0")/lib.bash"
# shellcheck source=find.bash
. "$(dirname "$0")/find.bash"
build_swapper

# 12 files and links, 20 entries, in 4 directories below d, two of them empty.
make_tree() {
    rm -rf d
    mkdir -p d/a/b d/none d/nothing
    printf hello >d/a/f01
    printf hello >d/a/f02
    : >d/a/b/g01
    : >d/a/b/g02
    : >d/01
    : >d/.hid01
    : >d/x01y
    ln -s a d/link01
    ln -s nowhere d/dangling
    ln -s loop d/loop
    ln -s .. d/none/up
    mkfifo d/fifo
}
make_tree
files=12
entries=17

title="the start comes first, the last line is MATCHED, the one before [DONE]"
for np in 1 2 3; do
    as_pfind "$np" d
    expect_status 0 "no test" || true
    said_nothing "no test" || true
    matched "$files/$files" "no test"
    expect_equal "names" "$(find d ! -type d | sort)" "$(head -n -2 "$out" | sort)" || true
    expect_equal "[DONE]" \
        "[DONE] found: $files (scanned $files files, scanned dirents: $entries, unknown dirents: 0)" \
        "$(tail -n 2 "$out" | head -n 1)" || true
done
title="--pfind makes find understand the same"
search 2 --pfind d -C -name '*01*'
expect_status 0 "--pfind" || true
matched "6/$files" "--pfind"
search 1 d -name '*01*' -C --pfind
matched "6/$files" "--pfind at the end"
title="a path and a suffix of the program's name do not matter"
ln -sfn "$treemark" "$TEST_DIR/pfind-1.0"
last_run="pfind-1.0 d -C"
status=0
"$TEST_DIR/pfind-1.0" d -C </dev/null >"$out" 2>"$err" || status=$?
matched "$files/$files" "pfind-1.0"
title="without --pfind find knows no letters and prints no last line"
search 1 d -C
refused "-C" -C || true
search 1 d
expect_no_line 'MATCHED|DONE' "find" || true

title="-C counts and prints no names, as --count does"
for word in -C --count; do
    as_pfind 2 d "$word"
    expect_equal "lines" 2 "$(wc -l <"$out")" || true
    matched "$files/$files" "$word"
done
title="tests and options stand in any order; the start need not be the first word"
for words in 'd -C -name *01* -size 5c' '-name *01* d -size 5c -C' \
    '-size 5c -name *01* -C d' '-C d -size 5c -name *01*' '-name x -C d -size 5c -name *01*'; do
    set -f
    # shellcheck disable=SC2086 # words
    as_pfind 1 $words
    set +f
    expect_status 0 "order" || true
    matched "1/$files" "order"
done
title="directories and the start never match, links are files"
as_pfind 2 d -C -name 'd'
matched "0/$files" "directories"
as_pfind 2 d -C -name '*n*'
matched "2/$files" "links"

title="-P has a whole line of each rank"
for np in 1 3; do
    as_pfind "$np" d -P -C
    expect_equal "lines" $((np + 2)) "$(wc -l <"$out")" || true
    expect_equal "whole lines" "$np" "$(grep -cE \
        '^\[[0-9]+\] found: [0-9]+ \(scanned [0-9]+ files, scanned dirents: [0-9]+, unknown dirents: 0\)$' \
        "$out")" || true
    expect_equal "their sum" "$files $files $entries" "$(awk -F '[ ,)]+' \
        '/^\[[0-9]/ { a += $3; b += $5; c += $9 } END { print a + 0, b + 0, c + 0 }' \
        <(sed 's/(//' "$out"))" || true
    matched "$files/$files" "-P"
done
title="-D rates says rate and time; any other word is refused"
as_pfind 2 d -C -D rates
expect_line '^\[DONE\] rate: [0-9]+\.[0-9]{3} kiops time: [0-9]+\.[0-9]s found: 12 \(scanned 12 files, scanned dirents: 17, unknown dirents: 0\)$' "-D rates" || true
matched "$files/$files" "-D rates"
as_pfind 1 d -D rate
refused "-D rate" 'rate' || true
title="-v is taken, several times, too"
as_pfind 2 d -C -v -v -v
expect_status 0 "-v" || true
matched "$files/$files" "-v"
expect_equal "lines with how work was divided" 1 \
    "$(grep -cE '^\[DONE\] .*, work items stolen: [0-9]+, ' "$out")" || true
as_pfind 1 d -vv
refused "-vv" '-vv' || true
title="a flag may have a value"
as_pfind 1 d -C=0
expect_equal "lines" $((files + 2)) "$(wc -l <"$out")" || true
as_pfind 1 d -C=1
expect_equal "lines" 2 "$(wc -l <"$out")" || true

title="-r has a file of each rank, made if it is not there; -C makes none"
for np in 1 3; do
    rm -rf results
    as_pfind "$np" d -r results
    expect_status 0 "-r" || true
    expect_equal "files" "$np" "$(find results -name '*.txt' | wc -l)" || true
    expect_equal "names in them" "$(find d ! -type d | sort)" "$(sort results/*.txt)" || true
    expect_equal "lines on the standard output" 2 "$(wc -l <"$out")" || true
    matched "$files/$files" "-r"
done
as_pfind 2 d -r none/results
refused "a directory in none" 'none/results' || true
rm -rf results
as_pfind 2 d -C -r results
expect_gone "-C" results || true
as_pfind 1 d -r
refused "-r without a directory" '-r' || true

title="-q, -M, -N, -H are hints: whatever they are, the result is the same"
for words in '-q 10' '-q 10000' '-q 10m' '-M 0' '-M 1' '-M 100000' -N '-H 1' '-H 2' \
    '-N -H 1 -q 10 -M 1'; do
    # shellcheck disable=SC2086 # words
    as_pfind 2 d -C $words
    expect_status 0 "$words" || true
    matched "$files/$files" "$words"
done
title="hints that mean nothing are refused"
for words in '-q 9' '-q 0' '-q x' '-q -1' '-M -1' '-M x' '-H 3' '-H' '-s x' '-s 1x' '-s -1'; do
    # shellcheck disable=SC2086 # words
    as_pfind 1 d $words
    refused "$words" '^pfind: ' || true
done

title="-size is exact, in bytes, with a c"
as_pfind 2 d -C -size 5c
matched "2/$files" "5c"
as_pfind 2 d -C -size 5c -size 0c -name '*0*'
matched "5/$files" "the last one counts"
for size in 5 5k 1M 5w 5b +5c -5c c 0x5c 5cc ''; do
    as_pfind 1 d -size "$size"
    refused "-size $size" size || true
done

title="-name is anchored, with ? and [!x] as the shell has them"
for row in '01 1' '*01* 6' '01* 1' '*01 5' '* 12' '?01 2' '[fg]01 2' '[!g]01 1' '\*01 0' '^01 0'; do
    as_pfind 1 d -C -name "${row% *}"
    matched "${row##* }/$files" "-name ${row% *}"
done
title="IO500's pattern finds what it found unanchored"
as_pfind 2 d -C -name '*01*' -N -H 1 -q 10000
matched "6/$files" "*01*"
title="-name and -regex take turns, the last one counts; -regex is basic, of the name"
as_pfind 1 d -C -name x -regex '[fg]0[12]'
matched "4/$files" "-regex last"
as_pfind 1 d -C -regex '[fg]0[12]' -name '*.c'
matched "0/$files" "-name last"
as_pfind 1 d -regex '['
refused "half a bracket" regex || true
title="-name -h looks for that name"
: >d/-h
as_pfind 1 d -C -name -h
expect_status 0 "-name -h" || true
matched "1/13" "-name -h"
rm d/-h
title="-h and --help print help and search nothing"
for word in -h --help -help; do
    as_pfind 1 d "$word" -e
    expect_status 0 "$word" || true
    expect_line '^Usage:|^ +pfind DIR' "$word" || true
    expect_no_line MATCHED "$word" || true
done

# --- -newer -------------------------------------------------------------------------

title="-newer is strict, by the time of the data, to the nanosecond"
mkdir n
touch -d '2024-05-01 10:00:00.500000000' n/ref
touch -d '2024-05-01 10:00:00.500000001' n/after
touch -d '2024-05-01 10:00:00.499999999' n/before
touch -d '2024-05-01 10:00:00.500000000' n/equal
touch -d '2023-01-01' n/old
touch -d '2050-01-01' n/future
for np in 1 2; do
    as_pfind "$np" n -newer n/ref
    expect_status 0 "-newer" || true
    expect_equal "newer" "n/after n/future" "$(head -n -2 "$out" | sort | xargs)" || true
done
title="--pfind-ctime goes by the change of the inode in whole seconds, as pfind did"
sleep 1.1
: >n/made
touch -d '2000-01-01' n/made
: >reference
as_pfind 2 n -newer reference --pfind-ctime
ctime=$(stat -c %Z reference)
want=$(find n ! -type d -printf '%C@ %p\n' | awk -v s="$ctime" 'int($1) >= s { print $2 }' | sort | xargs)
expect_equal "changed since" "$want" "$(head -n -2 "$out" | sort | xargs)" || true
as_pfind 2 n -newer n/ref --pfind-ctime
matched "7/7" "all of these were changed since"
as_pfind 2 n -newer reference
matched "1/7" "only one has data of later"
title="a file of 0.3 s before in the same second is not newer"
while [ "$(date +%N | cut -c1)" -gt 4 ]; do
    sleep 0.05
done
: >n/early
sleep 0.3
: >reference
as_pfind 1 n -C -newer reference -name early
matched "0/8" "early"
title="-newer with a file that is not there is one line and status 2"
for np in 1 2; do
    as_pfind "$np" d -newer nothing
    refused "-newer nothing" "nothing.*No such file" || true
done
as_pfind 1 d -newer
refused "-newer without a file" '-newer' || true

# --- requests that are wrong -------------------------------------------------------

title="no start, two starts, an unknown word: one line and status 2"
as_pfind 2
refused "no start" '^pfind: a directory is missing$' || true
as_pfind 1 -C
refused "no start" 'directory' || true
as_pfind 1 d n
refused "two starts" 'n: ' || true
for word in -x -print -type -newermt -maxdepth -Ce -eC -E=2 -xdev '!' '(' --deleet -empti -depths; do
    as_pfind 1 d "$word"
    refused "$word" '^pfind: ' || true
done
title="nothing was removed by any of these"
expect_equal "files" "$files" "$(find d ! -type d | wc -l)" || true
title="a start that is not there is said once, with status 1, and MATCHED is last"
for np in 1 3; do
    as_pfind "$np" nothing -C
    expect_status 1 "no start" || true
    expect_equal "messages" 1 "$(grep -c "'nothing'" "$err")" || true
    matched 0/0 "no start"
done
ln -s loop loop
as_pfind 1 loop -C
expect_status 1 "a circle" || true
said "'loop'" "a circle" || true
title="a start that is a link to a directory is that directory"
ln -s d to_d
for np in 1 2; do
    as_pfind "$np" to_d -C
    matched "$files/$files" "a link"
done
title="a start that is a file is looked at, as find does"
as_pfind 2 d/a/f01 -C
expect_status 0 "a file" || true
matched 1/1 "a file"
title="a start that is a link to nowhere is that link"
as_pfind 2 d/dangling
expect_status 0 "a link to nowhere" || true
matched 1/1 "a link to nowhere"
title="a directory that cannot be read is said, with status 1, and MATCHED is last"
mkdir -p locked/shut blind
touch locked/f locked/shut/f blind/{1,2,3}
chmod 755 locked
chmod 311 locked/shut
chmod 744 blind
if nobody; then
    for np in 1 2; do
        by_nobody "$np" --pfind locked -C
        expect_status 1 "a locked directory" || true
        said "'locked/shut': Permission denied" "a locked directory" || true
        matched 1/1 "a locked directory"
        title="files that cannot be stat'ed are said, with status 1"
        by_nobody "$np" --pfind blind -C -size 0c
        expect_status 1 "no stat" || true
        said "'blind/2': Permission denied" "no stat" || true
        said '^find: 3 errors$' "their number" || true
        matched 0/3 "no stat"
        by_nobody "$np" --pfind blind -C -name '[12]'
        expect_status 0 "names alone" || true
        matched 2/3 "names alone"
    done
else
    echo "as nobody: skipped, it cannot be done here"
fi
chmod 755 locked/shut blind
title="names of any bytes are found and printed as they are"
mkdir odd
touch odd/$'new\nline' odd/'per%cent' odd/'qu"ote' odd/"qu'ote" odd/$'t\tab' \
    odd/-dash odd/$'bad\377utf' odd/'a\b' "odd/$(printf '%0255d' 0)"
for np in 1 2; do
    as_pfind "$np" odd
    expect_status 0 "odd names" || true
    expect_equal "names" "$(find odd ! -type d | sort | cksum)" \
        "$(head -n -2 "$out" | sort | cksum)" || true
    matched 9/9 "odd names"
done
as_pfind 1 odd -name $'*\377*'
matched 1/9 "a byte that is no letter"

title="circles, .. and links that lead nowhere are counted, not followed"
as_pfind 2 d -C -name '[lud]*'
matched "4/$files" "links"
title="without types from the directory the same is found"
for np in 1 2; do
    with=("LD_PRELOAD=$swapper" TREEMARK_SWAP_TYPES=1)
    as_pfind "$np" d
    with=()
    matched "$files/$files" "unknown types"
    expect_equal "names" "$(find d ! -type d | sort)" "$(head -n -2 "$out" | sort)" || true
    expect_line "unknown dirents: $((entries - 1))\)" "unknown types" || true
done

# --- what removes --------------------------------------------------------------------

title="-empty, -delete and -depth are words, never letters"
as_pfind 2 d -empty
matched "5/$files" "-empty"
expect_equal "-empty" "$(find d -type f -empty | sort)" "$(head -n -2 "$out" | sort)" || true
as_pfind 2 d -depth
matched "$files/$files" "-depth"
as_pfind 2 d -C -depth -empty
expect_equal "after these" "$files" "$(find d ! -type d | wc -l)" || true
as_pfind 2 d -delete -name '[fg]02'
expect_status 0 "-delete" || true
matched "2/$files" "-delete"
expect_line '^\[DONE\] deleted: 2 ' "-delete" || true
expect_gone "-delete" d/a/f02 || true
expect_equal "after -delete" 10 "$(find d ! -type d | wc -l)" || true
title="-e removes matches and nothing else"
for np in 1 2; do
    make_tree
    as_pfind "$np" d -e -C -name '*01*'
    expect_status 0 "-e" || true
    matched "6/$files" "-e"
    expect_line '^\[DONE\] deleted: 6 ' "-e" || true
    expect_equal "after -e" 6 "$(find d ! -type d | wc -l)" || true
    expect_equal "directories" 5 "$(find d -type d | wc -l)" || true
done
title="-e with unknown types removes the match, not its namesake here"
make_tree
: >f01
: >g01
with=("LD_PRELOAD=$swapper" TREEMARK_SWAP_TYPES=1)
as_pfind 1 d -e -C -name '[fg]01'
with=()
matched "2/$files" "-e"
if [ ! -e f01 ] || [ ! -e g01 ]; then
    bad "a namesake in the working directory is gone"
fi
expect_gone "the match" d/a/f01 || true
title="-E removes the directories that are empty in the end, in one run"
for np in 1 2 3; do
    make_tree
    rm d/none/up
    as_pfind "$np" d -C -E
    expect_status 0 "-E" || true
    said_nothing "-E" || true
    expect_equal "after -E" "d d/a d/a/b" "$(find d -type d | sort | xargs)" || true
    as_pfind "$np" d -C -E -e
    expect_status 0 "-E -e" || true
    expect_gone "after -E -e" d || true
done
make_tree

# --- limits, output ---------------------------------------------------------------------

title="-s ends the search soon, whatever waits, with the usual lines and status 0"
mkdir -p big/{1..20}
perl -e 'for $d (1 .. 20) { for (1 .. 200) { open F, ">", "big/$d/$_" } }'
for words in '-q 10' '-q 100000' '-H 1 -N'; do
    for np in 1 2; do
        with=("LD_PRELOAD=$swapper" TREEMARK_SWAP_SLOW=3000)
        start=$EPOCHREALTIME
        # shellcheck disable=SC2086 # words
        as_pfind "$np" big -C -size 0c -s 1 $words
        within "seconds" 1 3.5 "$(awk -v a="$start" -v b="$EPOCHREALTIME" 'BEGIN { print b - a }')" || true
        with=()
        expect_status 0 "-s" || true
        expect_line '^\[DONE\] found: ' "-s" || true
        tail -n 1 "$out" | grep -Eq '^MATCHED [1-9][0-9]*/[1-9][0-9]*$' ||
            bad_with_output "-s: the last line"
    done
done
title="-s may have decimals; if it is long enough it changes nothing"
with=("LD_PRELOAD=$swapper" TREEMARK_SWAP_SLOW=3000)
start=$EPOCHREALTIME
as_pfind 2 big -C -size 0c -s 0.3
within "seconds" 0.3 2.5 "$(awk -v a="$start" -v b="$EPOCHREALTIME" 'BEGIN { print b - a }')" || true
with=()
tail -n 1 "$out" | grep -Eq '^MATCHED [1-9][0-9]*/[1-9][0-9]*$' ||
    bad_with_output "-s 0.3: the last line"
as_pfind 2 d -C -s 0
matched "$files/$files" "-s 0"
as_pfind 2 d -C -s 100
matched "$files/$files" "-s 100"

title="lines of many ranks are whole"
rm -rf big
mkdir -p big/{1..10}
perl -e 'for $d (1 .. 10) { for (1 .. 4000) { open F, ">", sprintf("big/$d/%0" . (1 + $_ % 200) . "d-$_", 0) } }'
for np in 2 4; do
    as_pfind "$np" big -P
    matched "40000/40000" "many names"
    expect_equal "names" "$(find big ! -type d | sort | cksum)" \
        "$(head -n "-$((np + 2))" "$out" | sort | cksum)" || true
done
title="a full standard output is status 1"
status=0
"$pfind" d </dev/null >/dev/full 2>"$err" || status=$?
last_run="pfind d >/dev/full"
: >"$out"
expect_status 1 "a full device" || true
rm -rf results
mkdir results
ln -s /dev/full results/0.txt
as_pfind 1 d -r results
expect_status 1 "a full file of -r" || true

finish
