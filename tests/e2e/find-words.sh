#!/bin/bash
# Every word of treemark find: it is in the manual, and with it the same is
# found as by GNU find, on one rank and on two.
set -eu
# shellcheck source=lib.bash
. "$(dirname "$0")/lib.bash"
# shellcheck source=find.bash
. "$(dirname "$0")/find.bash"
programs=$TREEMARK_BIN/../tests/bench
root=$here/../..
export LC_ALL=C TZ=UTC

# --- a tree with something for every word -----------------------------------------

mkdir -p t/d/deep t/void t/.hid
printf '%s' six >t/three
printf '%0600d' 0 >t/d/f.c
printf '%01024d' 0 >t/d/k1
printf '%01025d' 0 >t/d/k1more
: >t/d/F.C
: >t/.hid/n01
: >t/d/deep/'with space'
: >t/d/deep/$'new\nline'
truncate -s 5M t/sparse
ln t/three t/d/hard
ln -s three t/link
ln -s d t/to_d
ln -s nowhere t/dangling
ln -s ../d/f.c t/void.link
mkfifo t/fifo
/usr/bin/python3 -c 'import socket; socket.socket(socket.AF_UNIX).bind("t/socket")'
chmod 4755 t/d/f.c
chmod 600 t/d/k1
chmod 444 t/d/k1more
chmod 1777 t/void
if [ "$(id -u)" -eq 0 ]; then
    chown 77777:77778 t/d/k1
    chown daemon:daemon t/d/F.C
fi
touch -d '2024-05-01 10:00:00.5' reference
for row in '2024-05-01 10:00:00.5 three' '2024-05-01 10:00:00.500000001 d/k1' \
    '2024-05-01 10:00:00.499999999 d/f.c' '1969-12-31 sparse' '2050-01-01 fifo'; do
    touch -d "${row% *}" "t/${row##* }"
done
touch -d '-150 min' t/d/k1more
touch -d '-60 hours' t/d/F.C
touch -a -d '-30 hours' t/d/F.C t/three
touch -h -d '-10 days' t/link

# Words, one case a line; -print0 follows where there is no action.  Those with
# 1 in front are asked of one rank only: what others write comes some time.
cat >"$TEST_DIR/words" <<'CASES'
t
-P t
-H t/to_d t/link
-L t -name '*.c'
t -follow -type f
t --name f.c
t --type f --print0
t -true
t -false
t ! -name '*0*'
t -not -name f.c
t ( -name f.c -o -name F.C ) -type f
t -name f.c -or -name k1
t -name f.c -o -type d -a -name d
t -type f -and -size 0
t -name f.c , -name k1 -print0
t -name f.c
t -name f.[!d]
t -name '*hid*'
t -name 't/d'
t -iname f.C
t -path 't/d/*'
t -wholename 't/d/?.?'
t -ipath 'T/D/*'
t -iwholename 'T/D/*'
t -lname '*e'
t -lname 't*' -o -lname 'n*'
t -ilname 'TH*'
t -regex '.*/f.c'
t -regex 'f.c'
t -iregex '.*/F.C'
t -regextype posix-extended -regex '.*(c|1)'
t -regextype posix-basic -regex '.*[0-9]\{2\}'
t -regextype awk -regex '.*(c|1)'
t -regextype sed -iregex '.*\(C\|1\)'
t -type f
t -type d
t -type l
t -type p
t -type s
t -type b,c
t -type f,l,d
t -xtype f
t -xtype l
-L t -xtype l
t -size 2
t -size +2
t -size -2
t -size 3c
t -size +600c
t -size 300w
t -size 1k
t -size 2k
t -size -1M
t -size -6M
t -size +4M
t -size 1G
t -size 3b
t -empty
t -empty -type d
t -links 2
t -links +1 -type f
t -samefile t/three
-L t -samefile t/link
t -inum +1
t -uid 0
t -uid +0
t -uid 77777
t -gid -1
t -gid 77778
t -user root
t -user 77777
t -user daemon
t -group root
t -group 77778
t -nouser
t -nogroup
t -perm 600
t -perm -4000
t -perm /222
t -perm u=rw
t -perm -u+s,g+x
t -perm /a+w
t -perm -000
t -perm /000
t -readable
t -writable
t -executable
t -fstype none
t -mtime 2
t -mtime +1
t -mtime -1
t -mtime +100
t -daystart -mtime 2
t -daystart -mtime -1
t -mmin +149
t -mmin -151
t -mmin 151
t -mmin -1
t -atime 1 -type f
t -atime -1 -type f
t -amin +1000 -type f
t -ctime 0
t -ctime +0
t -cmin -5
t -cmin +5
t -used 1 -type f
t -used +0 -type f
t -newer reference
t ! -newer reference
t -newer t/d/f.c
t -anewer reference -type f
t -cnewer reference
t -newermm reference
t -newerma reference
t -neweram reference -type f
t -newercm reference
t -newermc reference
t -newerca reference
t -neweraa reference -type f
t -newerac reference -type f
t -newercc reference
t -newermt 2024-05-01
t -newermt '2024-05-01 10:00:00'
t -newermt '2024-05-01 10:00:00.4999'
t -newermt 2024-05-01T10:00:00Z
t -newermt '@1714557600.5'
t -newermt '@-1'
t -newerct @0
t -newerat 2024-05-01 -type f
t -maxdepth 0
t -maxdepth 1
t -mindepth 2
t -mindepth 1 -maxdepth 1
t -xdev
t -mount -name '*c'
t -depth
t -d -name d
t -noleaf
t -warn -name x
t -nowarn -name x/y
t -ignore_readdir_race
t -ignore_readdir_race -noignore_readdir_race
t -name d -prune -o -print0
t -depth -name d -prune -o -print0
t -print
t -print -print0
1 t -ls
1 t -fls /dev/stdout
1 t -fprint /dev/stdout
1 t -fprint0 /dev/stdout
1 t -fprintf /dev/stdout '%p\0'
t -printf '%p %P %f %h %H %d\0'
t -printf '%s %b %k %n %i %D %l %p\0'
t -printf '%m %M %#m %u %U %g %G %p\0'
t -printf '%y %Y %p\0'
t -printf '%F %p\0'
t -printf '%t|%T@|%TY-%Tm-%Td %TH:%TM:%TS|%T+ %p\0'
t -type f -printf '%a|%A@|%AF|%Ac %p\0'
t -printf '%c|%C@|%CD|%Cj %p\0'
t -printf '%S %p\0'
t -printf '%10s|%-10f|%05m|%.2f %p\0'
t -printf '%%\a\b\f\t\v\\\101 %p\n\0'
t/three -printf '%p\c\0'
1 t -exec echo '{}' ';'
t -type f -exec test -s '{}' ';' -print0
1 t -type f -exec printf '%s\0' '{}' +
1 t -type f -execdir echo '{}' ';'
1 t -name 'f.c' -execdir printf '%s|' '{}' +
t -name none -quit
t -name none -delete
t none
none -name x
CASES
/usr/bin/python3 - "$TEST_DIR/words" "$TEST_DIR/told" "$programs/find_cases" \
    "$MPIEXEC" >"$TEST_DIR/report" 2>&1 <<'P' || bad "$(tail -n 20 "$TEST_DIR/report")"
import re, shlex, subprocess, sys
cases_file, told, program, mpiexec = sys.argv[1:]
actions = ("-print", "-ls", "-fls", "-fprint", "-exec", "-quit", "-delete")
cases, seen = [], set()
for line in open(cases_file):
    words = shlex.split(line)
    alone = words[0] == "1"
    words = words[alone:]
    if not any(w.lstrip("-").startswith(a[1:]) and w[0] == "-"
               for w in words for a in actions):
        words.append("-print0")
    seen.update(w.lstrip("-") for w in words if w[0] == "-")
    cases.append((words, alone))

def run(words):
    return subprocess.run(words, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          timeout=50, check=False)

# Records end in any of these; GNU find makes a column of -ls wider behind a
# number.
def records(words, text):
    if words[1:] and words[1] in ("-ls", "-fls"):
        text = re.sub(b" +", b" ", text)
    return sorted(text.replace(b"\0", b"\n").split(b"\n"))

bad = 0
for np in 1, 2:
    mine = [words for words, alone in cases if np == 1 or not alone]
    with open(told, "wb") as f:
        for words in mine:
            f.write(b"".join(w.encode() + b"\0" for w in words) + b"\0")
    # It does not know all of them with two dashes.
    wanted = [run(["find"] + [re.sub("^--", "-", w) for w in words])
              for words in mine]
    got = run([mpiexec, "-n", str(np), program, told])
    rest = got.stdout
    for words, want in zip(mine, wanted):
        text, _, rest = rest.partition(b"\n=== ")
        status, _, rest = rest.partition(b"\n")
        a, b = records(words, want.stdout), records(words, text)
        if (a != b
                or int(status or -1) != want.returncode):
            bad += 1
            print("np %d, find %s: status %s, GNU %d; only GNU: %s; only ours: "
                  "%s" % (np, words, status, want.returncode,
                          [x for x in a if x not in b][:3],
                          [x for x in b if x not in a][:3]))
    print("np %d: %d cases, %d differences" % (np, len(mine), bad))
with open(told, "w") as f:
    f.write("\n".join(sorted(seen)) + "\n")
sys.exit(bad != 0)
P

title="the time of birth is compared where there is one"
search 1 t -newerBt 2024-05-01
born=$(sorted | cksum)
search 1 t -newerBm reference
expect_equal "newer than a time" "$born" "$(sorted | cksum)" || true
search 1 t -newermB reference
expect_equal "in the future" t/fifo "$(sed -n '/fifo/p' "$out")" || true

title="every word has a case here, and is in the manual"
last_run=''
sed -nE 's/^    \{"([a-z0-9_]+)", [0-9], .*/\1/p' "$root/src/base/match_words.c" \
    >"$TEST_DIR/rows"
within "words" 70 200 "$(wc -l <"$TEST_DIR/rows")" || true
while read -r word; do
    grep -Eq "(Fl |, )$word( |\$)" "$root/man/treemark-find.1" ||
        bad "-$word is not in the manual"
    case $word in
    help | version | ok | okdir | context | files0-from) ;; # below
    *) grep -Fqx "$word" "$TEST_DIR/told" || bad "-$word has no case" ;;
    esac
done <"$TEST_DIR/rows"
title="what needs a terminal, SELinux or a list of files is refused"
for words in '-ok true ;' '-okdir true ;' '-context x' '-files0-from x'; do
    # shellcheck disable=SC2086 # words
    search 1 t $words
    refused "$words" "${words%% *}: is not available here" || true
done
title="-help and -version print that alone"
for word in -help --help; do
    search 1 t "$word" -delete
    expect_status 0 "$word" || true
    expect_line '^Usage: treemark find' "$word" || true
done
for word in -version --version; do
    search 2 t "$word" -delete
    expect_status 0 "$word" || true
    expect_line '^treemark find [0-9]' "$word" || true
    expect_equal "lines" 1 "$(wc -l <"$out")" || true
done
[ -e t/d/f.c ] || bad "something was removed"

title="every option of our own has a test here or in the other scripts"
"$treemark" find --help </dev/null 2>&1 | grep -oE '^ +--[a-z-]+' | tr -d ' ' |
    sort -u >"$TEST_DIR/rows"
within "options" 12 40 "$(wc -l <"$TEST_DIR/rows")" || true
while read -r word; do
    grep -Fqe "$word" "$here"/find-[a-v]*.sh "$here"/find.sh ||
        bad "$word has no test"
    grep -Fq "Fl -${word#--}" "$root/man/treemark-find.1" ||
        bad "$word is not in the manual"
done <"$TEST_DIR/rows"

finish
