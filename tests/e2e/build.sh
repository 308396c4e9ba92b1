#!/bin/bash
# A build compiles what a change asks for and nothing else, and says what it is.
set -eu

root=${TREEMARK_ROOT:-$(cd "$(dirname "$0")/../.." && pwd)}
if [ "$(basename "${TREEMARK_BIN%/bin}")" != build ]; then
    echo "rebuilding is tried with the plain build only"
    exit 77
fi

# The tree with its objects; cp -a keeps the times.
copy=$TEST_DIR/tree
mkdir "$copy"
cp -a "$root/Makefile" "$root/.version" "$root/src" "$copy"
[ ! -d "$root/include" ] || cp -a "$root/include" "$copy"
mkdir "$copy/build"
cp -a "$root"/build/obj "$root"/build/lib "$root"/build/bin \
    "$root"/build/flags "$root"/build/sources "$copy/build"
cd "$copy"
bad=0

say()
{
    echo "$1"
    bad=1
}

# What make compiled, a source a line.
compiled()
{
    make --no-print-directory all 2>&1 | sed -n 's/^  CC  *//p' | sort
}

# No .git here: the version of a release, and the version's object alone.
out=$(compiled)
[ "$out" = src/bench/version.c ] || say "a new version compiled: $out"
out=$(build/bin/treemark --version)
grep -qF "$(cat .version)" <<<"$out" || say "--version says: $out"
[ "$(readlink build/bin/mdtest)" = treemark ] || say "mdtest is no link"

out=$(compiled)
[ -z "$out" ] || say "a second make compiled: $out"

# The header that most files see, and one that few do.
most=src/base/units.h
for header in "$most" src/bench/version.h; do
    users=$(grep -lE " $header( |\$)" build/obj/*/*.d |
        sed 's|^build/obj|src|; s|d$|c|' | sort)
    by_hand=$(grep -lF "\"${header#src/}\"" src/*/*.c | sort)
    [ -n "$users" ] || say "nothing depends on $header"
    [ -z "$(comm -13 <(echo "$users") <(echo "$by_hand"))" ] ||
        say "$header is included by more than its dependents"
    touch "$header"
    out=$(compiled)
    [ "$out" = "$users" ] ||
        say "touching $header compiled:"$'\n'"$out"$'\n'"instead of:"$'\n'"$users"
done

# Other flags are another build; the user's come last.
out=$(make -n V=1 CFLAGS=-O0 all 2>&1 | grep -- '-c -o') || out=
grep -q -- '-O2 .*-O0' <<<"$out" || say "CFLAGS do not come after ours"
[ "$(grep -c . <<<"$out")" = "$(find src -name '*.c' | wc -l)" ] ||
    say "other CFLAGS do not compile every file"

# What a node without our libraries can run.
out=$(ldd build/bin/treemark | grep -E 'libuuid') || out=
if [ -n "$out" ] && [ -e "$(gcc -print-file-name=libuuid.a)" ]; then
    say "linked as shared: $out"
fi

[ "$bad" = 0 ]
