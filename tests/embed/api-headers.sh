#!/bin/bash
# Every header compiles by itself and in every order, as C and as C++, without a
# warning; it brings what the suite takes from it, and nothing that is the
# suite's.
set -eu
# shellcheck source=embed.bash
. "$(dirname "$0")/embed.bash"

headers='aiori.h ior.h mdtest.h md-workbench.h pfind-options.h'
lib=$TEST_DIR/lib
mkdir -p "$lib/build/ior/src" "$lib/build/pfind/src"
cp "$root"/include/treemark/*.h "$lib/build/ior/src"
mv "$lib/build/ior/src/pfind-options.h" "$lib/build/pfind/src"
read -ra mpi <<<"$("$mpicc" -show | tr ' ' '\n' | sed -n 's/^-I/-isystem /p' |
    tr '\n' ' ')"
strict='-Wall -Wextra -Wpedantic -Werror -Wshadow -Wundef'

# $1: words of compiler and flags, $2: language; the source is read
try()
{
    local out
    # shellcheck disable=SC2086 # lists of words
    out=$($1 $suite_dirs -fsyntax-only -x "$2" - 2>&1) || {
        say "$1: ${out//$'\n'/$'\n    | '}"
    }
}

# The headers in an order, as includes.
includes()
{
    printf '#include <%s>\n' "$@"
}

# Each alone, twice; all, from either end, so that each comes before each other.
orders()
{
    local a
    for a in $headers; do
        includes "$a" "$a" | tr '\n' ';'
        echo
    done
    # shellcheck disable=SC2086 # a list
    includes $headers | tr '\n' ';'
    echo
    # shellcheck disable=SC2086
    includes $headers | tac | tr '\n' ';'
    echo
}

# Each right behind each other.
pairs()
{
    local a b
    for a in $headers; do
        for b in $headers; do
            [ "$a" = "$b" ] || includes "$a" "$b" | tr '\n' ';'
            echo
        done
    done
}

languages=("gcc -std=gnu99" "gcc -std=c11" "gcc -std=c2x" "g++ -std=c++17")
if command -v clang >/dev/null; then
    languages+=("clang -std=c11" "clang++ -std=c++17")
fi
for language in "${languages[@]}"; do
    command -v "${language%% *}" >/dev/null || continue
    kind=c
    [[ $language != *c++* ]] || kind=c++
    while read -r order; do
        tr ';' '\n' <<<"$order" | try "$language $strict ${mpi[*]}" "$kind"
    done < <(orders)
done
while read -r order; do
    tr ';' '\n' <<<"$order" | try "gcc -std=c11 $strict ${mpi[*]}" c
done < <(pairs)

# As the suite compiles, with its own macros and names.
uses=$(cat "$root/tests/embed/suite_uses.c")
for header in $headers; do
    { includes "$header"; echo "$uses"; } | try "$mpicc $suite_flags" c
done

# A checker of results that links no library defines these by itself.
{
    includes ior.h
    cat <<'C'
FILE *out_logfile;
double GetTimeStamp(void) { return 0.0; }
IOR_test_t *ior_run(int argc, char **argv, MPI_Comm comm, FILE *out)
{
    (void)argc; (void)argv; (void)comm; (void)out;
    return NULL;
}
void mdtest_run(void);
void mdtest_run(void) {}
void md_workbench_run(void);
void md_workbench_run(void) {}
void pfind_find(void);
void pfind_find(void) {}
void pfind_parse_args(void);
void pfind_parse_args(void) {}
void pfind_aggregrate_results(void);
void pfind_aggregrate_results(void) {}
int unequal(const char *a) { return strcmp(a, "x"); }
C
} | try "$mpicc $suite_flags" c
[ "$bad" = 0 ]
