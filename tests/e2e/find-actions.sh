#!/bin/bash
# treemark find: what is done with an entry is done once, to that entry and to
# nothing outside the start points, whoever changes the tree meanwhile.
set -eu
# shellcheck source=lib.bash
. "$(dirname "$0")/lib.bash"
# shellcheck source=find.bash
. "$(dirname "$0")/find.bash"
build_swapper

mkdir -p t/a/b t/none web/d/e odd
echo hello >t/a/f01
: >t/a/b/g01
ln -s .. web/d/up
ln -s loop web/loop
ln -s nowhere web/dangling
ln -s ../d web/d/again
ln -s "$PWD/web" web/d/e/top
touch odd/$'new\nline' odd/'qu"ote' odd/-dash odd/' ' odd/'{}'

title="-depth has contents before their directory, on any number of ranks"
mkdir -p order/{a,b,c}/{x,y,z}/{1,2,3}
touch order/{a,b,c}/{x,y,z}/{1,2,3}/{f,g}
for np in 1 2 3; do
    search "$np" order -depth
    expect_equal "found" "$(find order | sort)" "$(sorted)" || true
    if [ "$np" = 1 ]; then
        awk '{ at[$0] = NR; n = split($0, part, "/"); path = part[1]
               for (i = 2; i <= n; i++) {
                   if (path in at) { print path " before " $0; exit }
                   path = path "/" part[i]
               } }' "$out" >"$TEST_DIR/told"
        expect_equal "the order" "" "$(cat "$TEST_DIR/told")" || true
    fi
done
title="-prune is of no effect with -depth"
as_gnu "1 2" order -depth -name a -prune -o -print
as_gnu "1 2" order -name a -prune -o -print

title="-delete removes a whole tree, on any number of ranks"
for np in 1 2 3 a:2,b:2; do
    mkdir -p del
    cp -r order web odd del/
    search "$np" del -delete
    expect_status 0 "-delete" || true
    said_nothing "-delete" || true
    expect_gone "-delete" del || true
done
title="-delete leaves a directory that still holds something, and says so"
cp -r order del
search 2 del ! -name g -delete
expect_status 1 "-delete of some" || true
said 'Directory not empty' "-delete of some" || true
expect_equal "what stays" 27 "$(find del -name g | wc -l)" || true
title="-delete passes a start point that is . in silence"
for np in 1 2; do
    rm -rf del
    cp -r order del
    cd del
    search "$np" . -delete
    cd ..
    expect_status 0 "." || true
    said_nothing "." || true
    expect_empty_dir "." del || true
done
title="-delete does not follow a link"
mkdir -p outside/d
touch outside/f outside/d/f
rm -rf del
mkdir -p del/x
ln -s ../../outside del/x/link
search 2 del -delete
expect_status 0 "a link" || true
expect_gone "the link" del || true
expect_equal "outside" 4 "$(find outside | wc -l)" || true
title="a directory that becomes a link during -delete leads nowhere else"
for call in open unlink rmdir; do
    for np in 1 2; do
        rm -rf del del.away
        mkdir -p del/victim/d
        touch del/victim/f del/victim/d/f
        name=victim
        [ "$call" != unlink ] || name=f
        [ "$call" != rmdir ] || name=d
        with=("LD_PRELOAD=$swapper" "TREEMARK_SWAP_CALL=$call"
            "TREEMARK_SWAP_NAME=$name" TREEMARK_SWAP_FROM=del/victim
            "TREEMARK_SWAP_TO=$PWD/outside")
        search "$np" del -delete
        with=()
        expect_status 1 "swapped before $call" || true
        expect_equal "outside, swapped before $call" 4 "$(find outside | wc -l)" || true
        [ -L del/victim ] || bad "nothing was swapped before $call"
    done
done
title="a search does not follow a directory that becomes a link"
rm -rf del del.away
mkdir -p del/victim
with=("LD_PRELOAD=$swapper" TREEMARK_SWAP_CALL=open TREEMARK_SWAP_NAME=victim
    TREEMARK_SWAP_FROM=del/victim "TREEMARK_SWAP_TO=$PWD/outside")
search 1 del
with=()
expect_status 1 "swapped" || true
expect_no_line 'victim/' "swapped" || true
title="a start point that becomes a link leads nowhere else"
for np in 1 2; do
    rm -rf del del.away
    mkdir -p del/d
    touch del/f
    with=("LD_PRELOAD=$swapper" TREEMARK_SWAP_CALL=open TREEMARK_SWAP_NAME=del
        TREEMARK_SWAP_FROM=del "TREEMARK_SWAP_TO=$PWD/outside")
    search "$np" del -mindepth 1 -delete
    with=()
    expect_status 1 "a start point, swapped" || true
    expect_equal "outside" 4 "$(find outside | wc -l)" || true
    [ -L del ] || bad "nothing was swapped"
done
rm -rf del del.away
title="renames that go on all the time lead no removal outside"
(
    set +e
    while [ ! -e stop ]; do
        mkdir -p del/v del/w/x
        touch del/w/f
        mv del/w del/w.2
        ln -s ../outside del/w
        mv -T del/w del/v.2
        rm -rf del/w del/w.2 del/v.2
    done
) >/dev/null 2>&1 &
child=$!
for np in 1 2 1 2 1 2; do
    search "$np" del -mindepth 1 -delete
    expect_status_in "0 1" || true
done
touch stop
wait "$child"
expect_equal "outside" 4 "$(find outside | wc -l)" || true
rm -rf del stop

title="-exec runs a command for each, and is true if that is"
as_gnu "1 2" order -type f -exec echo one '{}' and '{}x' ';'
as_gnu "1 2" order -type f -exec test '{}' = order/a/x/1/f ';' -print
title="-exec with + gets many paths, none twice"
for np in 1 2; do
    search "$np" order odd -exec printf '<%s>\n' '{}' +
    expect_status 0 "+" || true
    expect_equal "paths" "$(find order odd -exec printf '<%s>\n' '{}' + | sort)" \
        "$(sorted)" || true
done
title="a command of + that fails is status 1, and its status alone is not said"
for np in 1 2 3; do
    search "$np" order -exec false '{}' +
    expect_status 1 "false" || true
    said_nothing "false" || true
done
search 2 order -exec false '{}' ';'
expect_status 0 "false for each" || true
said_nothing "false for each" || true
title="a command that dies of a signal is said; of + it is status 1"
# shellcheck disable=SC2016 # for that shell
search 1 t/a/f01 -exec sh -c 'kill -9 $$' - '{}' +
expect_status 1 "a signal" || true
expect_equal "said" "find: 'sh': ended by signal 9" "$(cat "$err")" || true
# shellcheck disable=SC2016 # for that shell
search 1 t/a/f01 '(' -exec sh -c 'kill -9 $$' - '{}' ';' -o -print ')'
expect_status 0 "a signal" || true
expect_equal "false, so that the rest is asked" t/a/f01 "$(cat "$out")" || true
expect_equal "said" "find: 'sh': ended by signal 9" "$(cat "$err")" || true
title="a command that is not there is said, with status 1"
for end in ';' +; do
    search 1 t/a/f01 -exec no-such-command '{}' "$end"
    expect_status 1 "no such command" || true
    said "'no-such-command': No such file" "no such command" || true
done
title="how a command ended is known though whoever started us ignores its end"
for end in ';' +; do
    last_run="find t -exec true {} $end -print, without SIGCHLD"
    status=0
    env --ignore-signal=CHLD "$treemark" find t -exec true '{}' "$end" -print \
        </dev/null >"$out" 2>"$err" || status=$?
    expect_status 0 "SIGCHLD" || true
    said_nothing "SIGCHLD" || true
    expect_equal "found" "$(find t | sort)" "$(sorted)" || true
done
title="a command has the signals of any other: a pipe that is closed ends it"
search 1 t/a/f01 -exec sh -c 'yes | head -n 1' ';'
expect_equal "printed" y "$(cat "$out")" || true
said_nothing "a closed pipe" || true
title="what was printed before a command runs stands before its output"
search 1 order -type f -print -exec echo ran '{}' ';'
expect_equal "lines in their order" "" "$(awk '
    NR % 2 == 1 { path = $0; next }
    $0 != "ran " path { print "line " NR ": " $0; exit }' "$out")" || true
for np in 1 2 3; do
    search "$np" t -print -exec printf 'last\n' '{}' +
    expect_equal "the last line" last "$(tail -n 1 "$out" | cut -c1-4)" || true
done
title="-execdir runs where the entry is"
# shellcheck disable=SC2016 # for that shell
where='pwd; echo "$@"'
as_gnu "1 2" order -name g -execdir sh -c "$where" - '{}' ';'
as_gnu 1 t/a/f01 -execdir pwd ';'
search 2 order -name g -execdir sh -c "$where" - '{}' +
expect_equal "-execdir with +" \
    "$(find order -name g -execdir sh -c "$where" - '{}' + | sort)" "$(sorted)" || true
title="an output of -exec does not mix with a record"
search 2 order -type f -print -exec echo '{}' ';'
expect_equal "lines" "$(find order -type f -print -exec echo '{}' ';' | sort)" "$(sorted)" || true

title="-quit ends all ranks soon, with what was found and the status so far"
for np in 1 2 3; do
    search "$np" order -name g -print -quit
    expect_status 0 "-quit" || true
    within "found" 1 "$np" "$(wc -l <"$out")" || true
done
search 2 nothing order -quit
expect_status_in "0 1" || true

title="-print0, -printf, -ls and their files have whole records of many ranks"
rm -f of
as_gnu "1 2 3" order -fprint of
for np in 1 3 a:2,b:1; do
    search "$np" order -fprint0 of -fprintf of2 '%d:%p\n' -fls of3 -print
    expect_status 0 "files" || true
    expect_equal "-print" "$(find order | sort)" "$(sorted)" || true
    expect_equal "-fprint0" "$(find order | sort)" "$(tr '\0' '\n' <of | sort)" || true
    expect_equal "-fprintf" "$(find order -printf '%d:%p\n' | sort)" "$(sort of2)" || true
    expect_equal "-fls" "$(find order -ls | sort)" "$(sort of3)" || true
done
as_gnu "1 2" t web -printf '%p %P %f %h %s %b %k %m %M %u %U %g %G %i %n %l %y %Y %d %D %F %H %t %T@ %Ta %AY %CY %%\t\0'

finish
