#!/bin/bash
# Layers: who may include and call what.  The table is in the comment below.
#
#     tests/lint/layers.sh [ROOT]
set -eu

cd "${1:-$(dirname "$0")/../..}"
shopt -s nullglob
build=${BUILD:-build}
bad=0

#  layer      includes, beside headers of the system    never
#  base       base; of the system only what is listed   files, clock, MPI
#  engine     base engine                               MPI, but in mpiio
#  run        base run                                  engine
#  bench      base run engine bench                     MPI
#  *_plan     base, headers of the same benchmark       as base
#  *_conf     as *_plan                                 as base
#  cmd        base run engine bench cmd                 embed
#  embed      base run engine bench embed               cmd
pure='assert ctype errno float fnmatch inttypes iso646 limits math regex
      stdalign stdarg stdbool stddef stdint stdio stdlib stdnoreturn string
      strings wchar wctype'

say()
{
    echo "$1"
    bad=1
}

# Whether word $1 is one of the rest.
among()
{
    local word=$1 w
    shift
    for w; do
        [ "$w" != "$word" ] || return 0
    done
    return 1
}

# $1: file, $2: line, $3: what it includes, with its quotes or brackets
judge()
{
    local layer kind name at=$1:$2
    layer=${1#src/}
    layer=${layer%%/*}
    kind=$layer
    name=${3:1:${#3}-2}
    case $1 in
    src/bench/*_plan.[ch] | src/bench/*_conf.[ch]) kind=plan ;;
    esac

    if [ "${3:0:1}" = '<' ]; then
        case $kind in
        base | plan)
            # shellcheck disable=SC2086 # a list of words
            among "${name%.h}" $pure ||
                say "$at: <$name> in $kind, which has no system calls" ;;
        engine)
            [ "$name" != mpi.h ] || [ "$1" = src/engine/mpiio.c ] ||
                say "$at: <mpi.h> in engine" ;;
        bench)
            [ "$name" != mpi.h ] || say "$at: <mpi.h> in bench" ;;
        esac
        case $name in
        treemark/*)
            [ "$kind" = embed ] || say "$at: <$name> outside of embed" ;;
        esac
        return
    fi

    case $name in
    */*) ;;
    *) say "$at: \"$name\" without its layer" ;;
    esac
    case $kind:${name%%/*} in
    base:base | engine:base | engine:engine | run:base | run:run) ;;
    bench:base | bench:run | bench:engine | bench:bench | plan:base) ;;
    cmd:base | cmd:run | cmd:engine | cmd:bench | cmd:cmd) ;;
    embed:base | embed:run | embed:engine | embed:bench | embed:embed) ;;
    embed:treemark) ;;
    plan:bench)
        local own
        own=$(basename "$1")
        own=${own%%_plan.*}
        own=${own%%_conf.*}
        case ${name#bench/} in
        "$own".h | "${own}"_*.h) ;;
        *) say "$at: \"$name\" is of another benchmark" ;;
        esac ;;
    *) say "$at: $kind may not include \"$name\"" ;;
    esac
}

for file in src/*/*.[ch]; do
    case $file in
    src/base/* | src/run/* | src/engine/* | src/bench/*) ;;
    src/embed/* | src/cmd/*) ;;
    *) say "$file: no such layer" ;;
    esac
    while IFS=: read -r line text; do
        text=${text#*include}
        text=${text#"${text%%[<\"]*}"}
        case $text in
        '<'*'>'*) judge "$file" "$line" "${text%%>*}>" ;;
        '"'*'"'*)
            text=${text#\"}
            judge "$file" "$line" "\"${text%%\"*}\"" ;;
        *) say "$file:$line: an include that cannot be read" ;;
        esac
    done < <(grep -nE '^[[:space:]]*#[[:space:]]*include' "$file")
done

# What a plan or a conf sees through its headers is in the dependencies of its object.
for deps in "$build"/obj/bench/*_plan.d "$build"/obj/bench/*_conf.d; do
    name=$(basename "$deps" .d)
    [ -e "src/bench/$name.c" ] || continue
    if grep -oE 'src/(run|engine|cmd|embed)/[a-z0-9_]+\.h' "$deps" | sort -u |
        sed "s|^|src/bench/$name.c: sees |" | grep .; then
        bad=1
    fi
done

# Files and clocks can be had without a forbidden header, too.
calls='open|open64|openat|creat|fopen|fopen64|freopen|fdopen|tmpfile|popen'
calls="$calls|read|write|close|stat|opendir|unlink|remove|rename|mkdir"
calls="$calls|time|clock|clock_gettime|gettimeofday|getenv|setenv|system"
calls="$calls|fork|getpid|sleep|usleep|nanosleep|rand|random|srand"
for src in src/base/*.c src/bench/*_plan.c src/bench/*_conf.c; do
    object=$build/obj/${src#src/}
    object=${object%.c}.o
    [ -e "$object" ] || continue
    if nm -u "$object" | sed 's/^ *U //; s/@.*//' | grep -xE "$calls|MPI_.*" |
        sed "s|^|$src: calls |" | grep .; then
        bad=1
    fi
done

# Only a command may end the program; a second signal does so at once.
for src in src/*/*.c; do
    object=$build/obj/${src#src/}
    object=${object%.c}.o
    case $src in
    src/cmd/*) continue ;;
    esac
    [ -e "$object" ] || continue
    at_once='_exit|_Exit|'
    [ "$src" != src/run/job.c ] || at_once=
    if nm -u "$object" | sed 's/^ *U //; s/@.*//' |
        grep -xE "${at_once}exit|abort|quick_exit|MPI_Abort" |
        sed "s|^|$src: calls |" | grep .; then
        bad=1
    fi
done

[ "$bad" = 0 ] || exit 1
echo "layers are kept apart"
