#!/bin/bash
# treemark find on odd trees: what GNU find does, without its limits; every
# error met on the way is said, counted and in the exit status.
set -eu
# shellcheck source=lib.bash
. "$(dirname "$0")/lib.bash"
# shellcheck source=find.bash
. "$(dirname "$0")/find.bash"
build_swapper

# --- requests -------------------------------------------------------------------

mkdir -p t/a/b t/none
echo hello >t/a/f01
: >t/a/b/g01

title="an unknown word is one line and status 2, and nothing is searched"
for word in -nme --no-such-option -deleet -e -C -q -empti -printx; do
    search 1 t "$word" -delete
    refused "$word" "$word" || true
done
search 3 t -nme x
refused "on three ranks" 'find: -nme: ' || true
title="a word without its argument, or with a wrong one, is refused"
for words in '-name' '-size' '-size x' '-size 1q' '-type z' '-type' '-mtime x' \
    '-maxdepth -1' '-maxdepth x' '-perm 888' '-newer' '-newer none' \
    '-user no-such-user' '-exec' '-exec true' '-printf' '-regextype none' \
    '( -true' '-true )' '!' '-o -true' '-true -o' '-newerxy t' '-samefile none' \
    '-name a t' '--stonewall x' '--json' '-fprint'; do
    # shellcheck disable=SC2086 # words
    search 1 t $words
    refused "$words" '^find: ' || true
done
title="actions that need a terminal are refused"
search 1 t -ok rm '{}' ';'
refused "-ok" 'ok' || true
title="nothing was removed by any of these"
expect_equal "the tree" "t t/a t/a/b t/a/b/g01 t/a/f01 t/none" \
    "$(find t | sort | xargs)" || true

title="without a start point it is the working directory"
as_gnu "1 2"
title="the type of a file system is that of every entry on it"
as_gnu "1 2" t -fstype "$(stat -f -c %T t | sed 's,ext2/ext3,ext4,')"
as_gnu 1 t -printf '%F %p\n'
title="an option whose value may be left out takes no word behind it"
search 1 t --uring=0 --progress -name 'f01'
expect_equal "what is there" "$(find t -name f01 | sort)" "$(sorted)" || true
title="several start points, files among them, are each looked at"
as_gnu "1 2 3" t/a/f01 t t/a ./t/a/ -print0
title="a start point that is not there is said, and the others are searched"
for np in 1 2 3; do
    search "$np" nothing t nowhere
    expect_status 1 "two start points are missing" || true
    expect_equal "what is there" "$(find t | sort)" "$(sorted)" || true
    for name in nothing nowhere; do
        said "^find: '$name': No such file or directory$" "a missing start" || true
    done
    expect_equal "messages" 3 "$(wc -l <"$err")" || true
    said '2 errors' "their number" || true
done
title="a start point may be a file, a link that leads nowhere, a circle"
ln -s nowhere dangling
ln -s circle circle
ln -s t to_t
as_gnu "1 2" t/a/f01
for how in -P -H -L; do
    as_gnu 1 "$how" dangling -print0
    as_gnu "1 2" "$how" to_t -print0
    as_gnu 1 "$how" to_t/ -print0
done
as_gnu 1 circle
search 1 -L circle
expect_status 1 "a circle that is followed" || true
said "'circle': Too many levels of symbolic links" "a circle" || true

# --- errors on the way ------------------------------------------------------------

title="a directory that cannot be read is said and counted, the rest is found"
mkdir -p locked/open locked/shut/deep blind
touch locked/open/f locked/shut/deep/f blind/{1,2,3}
chmod 755 locked locked/open
chmod 311 locked/shut
chmod 744 blind
if nobody; then
    for np in 1 2; do
        by_nobody "$np" locked
        expect_status 1 "a locked directory" || true
        expect_equal "what can be found" \
            "locked locked/open locked/open/f locked/shut" "$(sorted | xargs)" || true
        said "'locked/shut': Permission denied" "a locked directory" || true
        said '^find: 1 error$' "their number" || true
    done
    title="files of a directory that cannot be searched fail one by one"
    by_nobody 2 blind -size 0
    expect_status 1 "no stat" || true
    for name in 1 2 3; do
        said "'blind/$name': Permission denied" "no stat" || true
    done
    said '^find: 3 errors$' "their number" || true
    by_nobody 2 blind -name '[12]'
    expect_status 0 "names alone can be read" || true
    expect_equal "names" "blind/1 blind/2" "$(sorted | xargs)" || true
    title="what cannot be removed is said, counted, and not printed"
    mkdir -p kept
    touch kept/a kept/b
    chmod 755 kept
    by_nobody 2 kept -type f -delete -print
    expect_status 1 "nothing can be removed" || true
    expect_equal "printed" "" "$(cat "$out")" || true
    said '^find: 2 errors$' "their number" || true
    title="-readable and its kind ask for the one who searches"
    echo >secret
    chmod 600 secret
    by_nobody 1 secret t/a/f01 -readable
    expect_equal "readable" t/a/f01 "$(cat "$out")" || true
else
    echo "as nobody: skipped, it cannot be done here"
fi
chmod 755 locked/shut blind

title="entries that vanish between the directory and the stat are counted"
vanish() {
    rm -rf gone
    mkdir gone
    touch gone/{a,b,c,d}
    search 1 gone -mindepth 1 "$@" -exec rm -rf gone/a gone/b gone/c gone/d ';' -size 0 -print
}
vanish
expect_status 1 "three vanished" || true
expect_equal "errors" 3 "$(grep -c 'No such file' "$err")" || true
said '^find: 3 errors$' "their number" || true
title="-ignore_readdir_race takes what vanished for no error"
vanish -ignore_readdir_race
expect_status 0 "three vanished" || true
said_nothing "three vanished" || true
title="directories that vanish before they are read are counted"
rm -rf gone
mkdir -p gone/{a,b,c}/x
search 1 gone -mindepth 1 -exec rm -rf gone/a gone/b gone/c ';'
expect_status 1 "vanished directories" || true
title="a tree that others change all the time can be searched"
mkdir -p busy
(
    set +e
    while [ ! -e stop ]; do
        mkdir -p busy/{1,2,3,4}/{1,2,3,4}
        touch busy/{1,2,3,4}/{1,2,3,4}/{1,2,3,4}
        rm -rf busy/{1,2,3,4}
    done
) 2>/dev/null &
child=$!
for np in 1 2 3 2 1 2 3; do
    search "$np" busy -size 0 -ignore_readdir_race
    expect_status 0 "others remove" || true
    search "$np" busy -size 0
    expect_status_in "0 1" || true
    if [ "$status" -eq 0 ] && [ -s "$err" ]; then
        bad_with_output "messages, and status 0"
    fi
done
touch stop
wait "$child"
rm -rf busy stop gone

title="what one rank alone cannot see is said, counted, and status 1"
mkdir -p far/{1..8}
touch far/{1..8}/{1..50}
last_run="find far, with a rank that is elsewhere"
status=0
# shellcheck disable=SC2016 # for that shell
LD_PRELOAD=$swapper TREEMARK_SWAP_SLOW=2000 timeout -k 5 50 "$MPIEXEC" \
    -n 1 "$treemark" find far -size 0 : \
    -n 1 sh -c 'cd / && exec "$1" find far -size 0' - "$treemark" \
    </dev/null >"$out" 2>"$err" || status=$?
expect_status 1 "elsewhere" || true
said "^find: 'far/[1-8](/[0-9]+)?': No such file or directory$" "elsewhere" || true
said '^find: [0-9]+ errors?$' "their number" || true
title="a file that one rank alone cannot make is status 2 before the search"
mkdir -p results/1.txt
search 2 far --results-dir results -delete
refused "one rank" 'results: Is a directory' || true
title="a rank that dies in the search ends all, soon"
for np in 1 2; do
    # shellcheck disable=SC2016 # for that shell
    search "$np" far -name 50 -exec sh -c 'kill -KILL $PPID' ';'
    expect_status_in "9 137" || true
done
rm -rf far results

title="a full standard output is status 1"
for np in 1 2; do
    for words in '' -print0 -ls '-printf %p' '-fprint /dev/full'; do
        last_run="find t $words >/dev/full [np $np]"
        status=0
        # shellcheck disable=SC2016,SC2086 # for that shell; words
        mpi "$np" - bash -c 'exec "$@" >/dev/full' - "$treemark" find t $words \
            >"$out" 2>"$err" || status=$?
        expect_status 1 "a full device" || true
        said 'No space left on device' "a full device" || true
    done
done
title="a file for -fprint that cannot be made is status 2 before the search"
search 2 t -fprint none/x -delete
refused "no such directory" 'none/x' || true
title="a standard output that is closed is status 1"
status=0
"$treemark" find t </dev/null >&- 2>"$err" || status=$?
expect_status 1 "closed" || true

# --- names ---------------------------------------------------------------------

title="names of any bytes are found and printed as they are"
mkdir odd
touch odd/$'new\nline' odd/'per%cent' odd/'qu"ote' odd/"qu'ote" odd/$'t\tab' \
    odd/-dash odd/$'bad\377utf' odd/$'\303\251t\303\251' odd/'*' odd/'[x]' odd/'a\b' \
    "odd/$(printf '%0255d' 0)" odd/' ' odd/'{}' odd/.hid01
as_gnu "1 2 3" odd -print0
as_gnu "1 2" odd -printf '%f\0'
as_gnu 1 odd -name '*hid*' -print0
as_gnu 1 odd -name $'*\377*' -print0
as_gnu 1 odd -name '\*' -print0
as_gnu 1 odd -name '\[x]' -print0
as_gnu "1 2" odd -ls
as_gnu 1 odd -regex '.*[0-9]+' -print0
title="a name that begins with a dash is taken from the directory, not as a word"
as_gnu 1 odd -name '-dash' -exec echo '{}' ';'

title="-name is anchored; ? and [!x] are what the shell has, a star takes a dot"
mkdir names
touch names/{01,x01,01x,x01x,a01,b01,c01,.01}
for pattern in 01 '*01' '01*' '*01*' '?01' '[ab]01' '[!a]01' '[^a]01' '\?01' '' '*' '^0' '01$'; do
    as_gnu 1 names -name "$pattern" -print0
done

# --- links, mounts, depth ----------------------------------------------------------

title="links are no directories: circles, .. and what leads nowhere end a search"
mkdir -p web/d/e
ln -s .. web/d/up
ln -s loop web/loop
ln -s nowhere web/dangling
ln -s ../d web/d/again
ln -s "$PWD/web" web/d/e/top
as_gnu "1 2 3" web -print0
as_gnu "1 2" -H web -type l -print0
title="with -L a directory inside itself is said and left out"
for np in 1 2 3; do
    status=0
    find -L web 2>/dev/null | sort >"$TEST_DIR/gnu" || true
    search "$np" -L web
    expect_status 1 "circles" || true
    expect_same_file "what can be found" "$TEST_DIR/gnu" <(sorted) || true
done
title="without types from the directory the same is found, and no link followed"
for np in 1 2; do
    for words in '' '-size 0' '-type l' '-type d'; do
        with=("LD_PRELOAD=$swapper" TREEMARK_SWAP_TYPES=1)
        # shellcheck disable=SC2086 # words
        search "$np" web $words
        with=()
        expect_status 0 "unknown types" || true
        # shellcheck disable=SC2086 # words
        expect_equal "found" "$(find web $words | sort)" "$(sorted)" || true
    done
done
title="without types -delete removes what was found, not its namesake here"
mkdir -p same/d
touch same/d/namesake namesake
with=("LD_PRELOAD=$swapper" TREEMARK_SWAP_TYPES=1)
search 1 same -type f -delete
with=()
expect_status 0 "unknown types" || true
expect_gone "the match" same/d/namesake || true
[ -e namesake ] || bad "the namesake in the working directory is gone"

title="-maxdepth and -mindepth count from each start point"
for depth in 0 1 2 3; do
    as_gnu "1 2" t web -maxdepth "$depth" -print0
    as_gnu 1 t web -mindepth "$depth" -print0
done
as_gnu 2 t -mindepth 1 -maxdepth 1 -depth -print0

title="-xdev does not enter another file system; without it that is walked"
mkdir -p mounted/here/deep
# shellcheck disable=SC2016 # for that shell
inside='
    mount -t tmpfs none mounted/here || exit 90
    mkdir mounted/here/sub
    touch mounted/here/sub/f
    for np in 1 2; do
        for how in "" -xdev -mount; do
            run="$4"
            [ $np = 1 ] || run="$5 -n $np $4"
            find mounted $how | sort >"$1"
            $run find mounted $how </dev/null 2>"$3" | sort >"$2"
            cmp -s "$1" "$2" || { echo "np $np $how: $(xargs <"$2")"; exit 91; }
        done
    done
    [ "$($4 find --pfind mounted -C </dev/null | tail -n 1)" = "MATCHED 1/1" ] ||
        exit 93
    $4 find mounted -xdev -delete </dev/null >/dev/null 2>&1
    [ -e mounted/here/sub/f ] || exit 92'
if command -v unshare >/dev/null && unshare -m true 2>/dev/null; then
    status=0
    unshare -m bash -c "$inside" - "$TEST_DIR/gnu" "$TEST_DIR/ours" "$err" \
        "$treemark" "$MPIEXEC" >"$out" || status=$?
    last_run="find mounted, with a mount in it"
    if [ "$status" = 90 ]; then
        echo "mounts: skipped, they cannot be made here"
    else
        expect_status 0 "a mount" || true
    fi
else
    echo "mounts: skipped, they cannot be made here"
fi

finish
