#!/bin/bash
# The examples of README.md: built against what `make install` installs, with
# pkg-config, and run.
set -eu
# shellcheck source=embed.bash
. "$(dirname "$0")/embed.bash"

prefix=$TEST_DIR/opt
make --no-print-directory -C "$root" BUILD="$build" install \
    PREFIX="$prefix" DESTDIR= >"$TEST_DIR/make" 2>&1 || {
    cat "$TEST_DIR/make"
    exit 1
}
command -v pkg-config >/dev/null || {
    echo 'skipped: no pkg-config'
    exit 77
}
export PKG_CONFIG_PATH=$prefix/lib/pkgconfig
read -ra flags <<<"$(pkg-config --cflags --libs treemark)"
read -ra mpi <<<"$("$mpicc" -show | tr ' ' '\n' |
    sed -n 's/^-I/-isystem /p; /^-[Ll]/p' | tr '\n' ' ')"
sanitize=(${SAN:+"-fsanitize=$SAN"})

# The block of a language: $1
block()
{
    awk -v from="^\`\`\`$1\$" '/^```$/ { on = 0 } on; $0 ~ from { on = 1 }' \
        "$root/README.md"
}

block c >"$TEST_DIR/example.c"
block cpp >"$TEST_DIR/example.cpp"
gcc -std=c11 -Wall -Wextra -Werror "${sanitize[@]}" "$TEST_DIR/example.c" \
    -o "$TEST_DIR/c" "${flags[@]}" "${mpi[@]}" || say 'the example in C'
if command -v g++ >/dev/null; then
    g++ -std=c++17 -Wall -Wextra -Wpedantic -Werror "${sanitize[@]}" \
        "$TEST_DIR/example.cpp" -o "$TEST_DIR/cpp" "${flags[@]}" "${mpi[@]}" ||
        say 'the example in C++'
fi
mkdir "$TEST_DIR/work"
cd "$TEST_DIR/work"
for np in 1 3 4; do
    host "$np" - "$TEST_DIR/c"
    grep -Eq '^[0-9]+ files/s$' "$TEST_DIR/out" ||
        say "the example in C says: $(cat "$TEST_DIR/out")"
    [ -x "$TEST_DIR/cpp" ] || continue
    host "$np" - "$TEST_DIR/cpp"
    grep -Eq '^[0-9.]+ GiB/s$' "$TEST_DIR/out" ||
        say "the example in C++ says: $(cat "$TEST_DIR/out")"
    grep -q "^$(((np + 1) / 2)) files of ior$" "$TEST_DIR/out" ||
        say "the example in C++ says: $(cat "$TEST_DIR/out")"
    rm -rf ./*
done
[ "$bad" = 0 ]
