#!/bin/bash
# Options: what --help of a command lists and what its manual page explains are
# the same spellings.
#
#     tests/lint/options.sh [ROOT]
set -eu

cd "${1:-$(dirname "$0")/../..}"
shopt -s nullglob
build=${BUILD:-build}
bad=0

pages=(man/treemark-*.1)
mains=(src/bench/*_main.c)
if [ ${#pages[@]} = 0 ] && [ ${#mains[@]} = 0 ]; then
    echo "no commands yet"
    exit 77
fi
for main in "${mains[@]}"; do
    command=$(basename "$main" _main.c)
    [ -e "man/treemark-$command.1" ] || {
        echo "$main: no man/treemark-$command.1"
        bad=1
    }
done

# -x and --long at the start of a line or after a comma, one a line; a number
# such as -1 in a help text is no option.
spellings()
{
    grep -oE '(^|[ ,|/])--?[A-Za-z0-9][A-Za-z0-9_.-]*' | tr -d ' ,|/' |
        grep -vxE -- '-h|--help|--version|-[0-9]+' | sort -u
}

# The head of each row: what stands before two spaces, or all of it.
of_help()
{
    sed -nE 's/^ *(-[^ ].*)$/\1/p' | sed -E 's/ {2,}.*//' | spellings
}

# The heads of the paragraphs of a tagged list.
of_page()
{
    mandoc -T html -O fragment "$1" | tr '\n' ' ' | grep -oP '<dt.*?</dt>' |
        sed -E 's/<[^>]*>//g; s/&#x(2212|2010|2011|2D|2d);/-/g; s/&nbsp;/ /g;
                s/^ +//; s/=.*//' | spellings
}

for page in "${pages[@]}"; do
    command=$(basename "$page" .1)
    command=${command#treemark-}
    rows=$("$build/bin/treemark" "$command" --help </dev/null 2>&1) || {
        echo "treemark $command --help failed: $rows"
        bad=1
        continue
    }
    rows=$(of_help <<<"$rows") || rows=
    heads=$(of_page "$page") || heads=
    if [ -z "$rows" ] && [ -n "$heads" ]; then
        echo "treemark $command --help lists no options"
        bad=1
    fi
    while read -r option; do
        [ -z "$option" ] || {
            echo "$page: no paragraph for $option"
            bad=1
        }
    done < <(comm -23 <(echo "$rows") <(echo "$heads"))
    while read -r option; do
        [ -z "$option" ] || {
            echo "$page: $option is not in treemark $command --help"
            bad=1
        }
    done < <(comm -13 <(echo "$rows") <(echo "$heads"))
done

[ "$bad" = 0 ] || exit 1
echo "${#pages[@]} pages have the options of their commands"
