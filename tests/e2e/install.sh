#!/bin/bash
# What install and install-links put somewhere is gone after uninstall, and
# files of others stay what they were.
set -eu

root=${TREEMARK_ROOT:-$(cd "$(dirname "$0")/../.." && pwd)}
dest=$TEST_DIR/dest
build=$(basename "${TREEMARK_BIN%/bin}")
if [ "$build" != build ]; then
    echo "installing is tried with the plain build only"
    exit 77
fi
cd "$root"
export DESTDIR=$dest PREFIX=/opt/treemark

quiet()
{
    local out
    out=$(make --no-print-directory "$@" 2>&1) || {
        echo "make $*: $out"
        return 1
    }
}

bad=0
# $1: a sentence, the rest: the command that shows it
expect()
{
    local sentence=$1
    shift
    if ! "$@"; then
        echo "not so: $sentence"
        bad=1
    fi
}

not()
{
    ! "$@" >/dev/null
}

# Whether $1 files and links are below $dest.
files()
{
    [ "$(find "$dest" ! -type d | wc -l)" = "$1" ]
}

says_version()
{
    "$1" --version | grep -qF -- "$(cat .version)"
}

bin=$dest$PREFIX/bin
man=$dest$PREFIX/share/man/man1

quiet install
expect "treemark runs where it was installed" says_version "$bin/treemark"
for name in mdtest pfind md-workbench io500; do
    expect "install adds no other names" [ ! -e "$bin/$name" ]
done
for page in man/*.1; do
    [ -e "$page" ] || continue
    expect "$page is installed" [ -s "$man/$(basename "$page")" ]
done
for header in include/treemark/*.h; do
    expect "$header is installed" [ -s "$dest$PREFIX/$header" ]
done
expect "the library is installed" [ -s "$dest$PREFIX/lib/libtreemark.a" ]
expect "the file for pkg-config names the prefix" \
    grep -qx "prefix=$PREFIX" "$dest$PREFIX/lib/pkgconfig/treemark.pc"
quiet uninstall
expect "uninstall leaves nothing of install" files 0
expect "nor its directory of headers" [ ! -e "$dest$PREFIX/include/treemark" ]

quiet install-links
for name in mdtest pfind md-workbench io500; do
    expect "$name is treemark" [ "$(readlink "$bin/$name")" = treemark ]
    expect "$name runs" says_version "$bin/$name"
    expect "$name has a manual page" [ -s "$man/$name.1" ]
done
expect "that of pfind is that of find" \
    cmp -s "$man/pfind.1" man/treemark-find.1
quiet install-links
quiet uninstall
expect "uninstall leaves nothing of install-links" files 0

mkdir -p "$bin"
echo theirs >"$bin/mdtest"
expect "install-links refuses to overwrite a file of others" \
    not quiet install-links
expect "a refused install-links installs nothing" [ ! -e "$bin/treemark" ]
quiet install
quiet uninstall
expect "a file of others is as it was" [ "$(cat "$bin/mdtest")" = theirs ]
expect "nothing else is left" files 1

[ "$bad" = 0 ]
