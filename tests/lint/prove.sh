#!/bin/bash
# The rules are alive: each lint passes on a small tree that keeps them all, and
# fails when that tree breaks its rule.
#
#     tests/lint/prove.sh [ROOT]
set -eu

cd "${1:-$(dirname "$0")/../..}"
lint=$PWD/tests/lint
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
kept=$scratch/kept
tree=$scratch/tree
mkdir "$kept"
cp .clang-format "$kept"
cd "$kept"
export BUILD=build
export MPI_CFLAGS=${MPI_CFLAGS:-$("${MPICC:-mpicc.mpich}" -show | tr ' ' '\n' |
    sed -n 's/^-I/-isystem /p' | tr '\n' ' ')}
export SAN=
bad=0
proved=0

# ---- the small tree ----

# $1: path without src/, the rest: lines between the guards or of the source
header()
{
    local guard=TMK_${1^^}
    mkdir -p "src/$(dirname "$1")"
    guard=${guard//[\/.]/_}
    printf '%s\n' "#ifndef $guard" "#define $guard" '' "${@:2}" '' '#endif' \
        >"src/$1"
}

source_file()
{
    mkdir -p "src/$(dirname "$1")"
    printf '%s\n' "${@:2}" >"src/$1"
    compile "$1"
}

compile()
{
    local object=build/obj/${1%.c}.o
    mkdir -p "$(dirname "$object")"
    # shellcheck disable=SC2086 # flags
    gcc -std=c11 -D_GNU_SOURCE -O2 -Isrc $MPI_CFLAGS -MMD -c -o "$object" \
        "src/$1" 2>/dev/null
}

fake_help()
{
    mkdir -p build/bin
    printf '%s\n' '#!/bin/bash' "cat <<'END'" "$@" END >build/bin/treemark
    chmod +x build/bin/treemark
}

keep_rules()
{
    header base/digit.h 'int tmk_digit_one(void);'
    source_file base/digit.c '#include "base/digit.h"' '' \
        'int tmk_digit_one(void)' '{' '    return 1;' '}'
    header run/job.h '#include <mpi.h>' '' '#include "base/digit.h"' '' \
        'int tmk_job_rank(MPI_Comm comm);'
    source_file run/job.c '#include "run/job.h"' '' '#include <signal.h>' '' \
        'static volatile sig_atomic_t tmk_job_signal_seen;' '' \
        'int tmk_job_rank(MPI_Comm comm)' '{' '    (void)comm;' \
        '    return tmk_job_signal_seen++;' '}'
    header engine/null.h 'int tmk_null_open(void);'
    source_file engine/null.c '#include "engine/null.h"' '' \
        '#include <unistd.h>' '' '#include "base/digit.h"' '' \
        'static const char *const names[] = {"a", "b"};' '' \
        'int tmk_null_open(void)' '{' '    return names[getpid() & 1][0];' '}'
    header bench/x_plan.h 'int tmk_x_plan_make(void);'
    source_file bench/x_plan.c '#include "bench/x_plan.h"' '' \
        '#include "base/digit.h"' '' \
        'int tmk_x_plan_make(void)' '{' '    return tmk_digit_one();' '}'
    source_file bench/x_main.c '#include "bench/x_plan.h"' \
        '#include "engine/null.h"' '#include "run/job.h"'
    source_file cmd/main.c '#include <mpi.h>' '' '#include "bench/x_plan.h"' \
        '' 'int main(void)' '{' '    return tmk_x_plan_make();' '}'
    source_file embed/old.c '#include "engine/null.h"'
    mkdir -p tests/e2e man
    # shellcheck disable=SC2016 # for the script
    printf '%s\n' '#!/bin/bash' 'set -eu' 'echo "$1"' >tests/e2e/x.sh
    printf '%s\n' '.Dd January 1, 2025' '.Dt TREEMARK-X 1' '.Os' '.Sh NAME' \
        '.Nm treemark-x' '.Nd do x' '.Sh DESCRIPTION' 'It does.' \
        '.Bl -tag -width Ds' '.It Fl n Ar items' 'Items, as in' '.Fl n Ns 3 .' \
        '.It Fl F , Fl -files' 'Files.' '.It Fl -max-errors Ns = Ns Ar N' \
        'At most.' '.El' >man/treemark-x.1
    fake_help 'x:' '  -n ITEMS          items, not -m (0)' \
        '  -F, --files       files (0)' '  --max-errors=N    at most (1000)'
}

# ---- proving ----

keep_rules

plant_nothing()
{
    cd "$scratch"
    rm -rf "$tree"
    cp -a "$kept" "$tree"
    cd "$tree"
}

# The rule named $1, breached by the rest: the lint must fail and say $2.
breach()
{
    local rule=$1 said=$2 out
    shift 2
    plant_nothing
    "$@"
    if out=$(bash "$lint/$rule.sh" "$tree" 2>&1); then
        echo "$rule.sh passes although: $*"
        bad=1
    elif ! grep -qF -- "$said" <<<"$out"; then
        echo "$rule.sh does not say \"$said\" after: $*"
        echo "    | ${out//$'\n'/$'\n    | '}"
        bad=1
    fi
    proved=$((proved + 1))
}

append()
{
    printf '%s\n' "${@:2}" >>"$1"
    case $1 in
    src/*.c) compile "${1#src/}" ;;
    esac
}

insert()
{
    printf '%s\n' "${@:2}" "$(cat "$1")" >"$1.new"
    mv "$1.new" "$1"
    case $1 in
    src/*.c) compile "${1#src/}" || true ;;
    esac
}

for rule in layers basenames headers state symbols format shell options man \
    codes words; do
    plant_nothing
    out=$(bash "$lint/$rule.sh" "$tree" 2>&1) || {
        echo "$rule.sh fails on a tree that keeps the rules:"
        echo "    | ${out//$'\n'/$'\n    | '}"
        bad=1
    }
done

breach layers 'base may not include' insert src/base/digit.c '#include "run/job.h"'
breach layers '<mpi.h> in base' insert src/base/digit.h '#include <mpi.h>'
breach layers '<unistd.h> in base' insert src/base/digit.c '#include <unistd.h>'
breach layers '<time.h> in base' insert src/base/digit.c '#include <time.h>'
breach layers '<sys/stat.h> in base' insert src/base/digit.c '#  include <sys/stat.h>'
breach layers 'without its layer' insert src/base/digit.c '#include "digit.h"'
breach layers 'calls fopen' append src/base/digit.c '#include <stdio.h>' \
    'FILE *tmk_digit_file(void);' \
    'FILE *tmk_digit_file(void) { return fopen("x", "r"); }'
breach layers 'engine may not include' insert src/engine/null.c '#include "run/job.h"'
breach layers '<mpi.h> in engine' insert src/engine/null.c '#include <mpi.h>'
breach layers 'run may not include' insert src/run/job.c '#include "engine/null.h"'
breach layers '<mpi.h> in bench' insert src/bench/x_main.c '#include <mpi.h>'
breach layers 'plan may not include' insert src/bench/x_plan.c '#include "run/job.h"'
breach layers 'plan may not include' insert src/bench/x_plan.h '#include "engine/null.h"'
breach layers 'of another benchmark' insert src/bench/x_plan.c '#include "bench/y_plan.h"'
sees_run()
{
    header bench/x_conf.h '#include "run/job.h"'
    insert src/bench/x_plan.c '#include "bench/x_conf.h"'
}
breach layers 'sees src/run/job.h' sees_run
breach layers 'plan may not include' source_file bench/x_conf.c \
    '#include "run/job.h"'
breach layers 'calls getenv' source_file bench/x_conf.c '#include <stdlib.h>' \
    'char *tmk_x_conf(void);' 'char *tmk_x_conf(void) { return getenv("X"); }'
breach layers 'bench may not include' insert src/bench/x_main.c '#include "cmd/x.h"'
breach layers 'cmd may not include' insert src/cmd/main.c '#include "embed/old.h"'
breach layers 'embed may not include' insert src/embed/old.c '#include "cmd/x.h"'
breach layers 'no such layer' source_file util/x.c ''
breach layers 'calls exit' append src/bench/x_main.c '#include <stdlib.h>' \
    'void tmk_x_end(void);' 'void tmk_x_end(void) { exit(1); }'
breach layers 'calls _exit' append src/engine/null.c \
    'void tmk_x_end(void);' 'void tmk_x_end(void) { _exit(1); }'

breach basenames 'several modules' source_file engine/digit.c ''
breach basenames 'several layers' header engine/digit.h ''
breach basenames 'says nothing' source_file base/utils.c ''

breach headers 'compile alone' header base/size.h 'size_t tmk_size_get(void);'
breach headers 'compile alone' insert src/bench/x_plan.h '#include <mpi.h>'
breach headers 'the guard is not' sed -i s/TMK_BASE/TMK/ src/base/digit.h
breach headers 'the guard is not' insert src/base/digit.h '#pragma once'

breach state 'seen_a' append src/base/digit.c 'int tmk_seen_a = 1;'
breach state 'seen_b' append src/base/digit.c 'int tmk_seen_b;'
breach state 'seen_c' append src/run/job.c 'int tmk_seen_f(void);' \
    'int tmk_seen_f(void) { static int tmk_seen_c; return ++tmk_seen_c; }'
breach state 'seen_d' append src/engine/null.c 'const char *tmk_seen_d = "x";'
breach state 'seen_e' append src/cmd/main.c '_Thread_local int tmk_seen_e = 2;'
breach state 'tmk_job_signal_x' append src/base/digit.c 'int tmk_job_signal_x;'
breach state 'not compiled' rm build/obj/base/digit.o

breach symbols 'one_more' append src/base/digit.c 'extern const int one_more;' \
    'const int one_more = 1;'
breach symbols 'old_api' append src/embed/old.c 'int old_api(void);' \
    'int old_api(void) { return 0; }'
breach symbols 'main is visible' append src/bench/x_main.c 'int main(void) { return 0; }'

breach format 'make format' append src/base/digit.c 'int  x ( void );'
breach format 'make format' append src/base/digit.h 'int  x ( void );'

# shellcheck disable=SC2016 # for the planted script
breach shell 'SC2086' append tests/e2e/x.sh 'ls $1'
breach shell 'set -eu' sed -i /set/d tests/e2e/x.sh

breach options 'no paragraph for --new' fake_help '  -n N  a' '  -F, --files  b' \
    '  --max-errors=N  c' '  --new  d'
breach options 'no paragraph for -k' fake_help '  -n N  a' '  -F, --files  b' \
    '  -k, --max-errors=N  c'
breach options '-F is not in' fake_help '  -n N  a' '  --files  b' \
    '  --max-errors=N  c'
breach options 'lists no options' fake_help ''
breach options 'no man/treemark-x.1' rm man/treemark-x.1

breach codes 'man: nothing about NEW' insert src/run/job.c \
    '/* tmk_say_warning(job,' '"NEW", "x"); */'
breach codes 'man: OLD is never' append man/treemark-x.1 '.It Er OLD'
told_nowhere()
{
    insert src/run/job.c '/* tmk_say_warning(job, "NEW", "x"); */'
    append man/treemark-x.1 '.It Er NEW'
    append README.md 'x'
}
breach codes 'README.md: nothing about NEW' told_nowhere
# shellcheck disable=SC2016 # the backquotes are those of a table
breach codes 'README.md: OLD_CODE is never' append README.md '| `OLD_CODE` | x |'

breach man 'treemark-x.1' append man/treemark-x.1 '.Xyz no such macro' '.El'

breach words 'one machine' append tests/e2e/x.sh "# see /wo""rk/x"
breach words 'one machine' append man/treemark-x.1 "/tmp/""h/x"
breach words 'strcpy' append src/base/digit.c \
    'void tmk_x(char *a) { strcpy(a, "b"); }'
breach words 'sprintf' append src/run/job.h 'int f() { sprintf (a, "b"); }'
plant_nothing
append src/base/digit.c '/* not strcpy(a, b) */'
out=$(bash "$lint/words.sh" "$tree") || {
    echo "words.sh finds calls in comments: $out"
    bad=1
}

[ "$bad" = 0 ] || exit 1
echo "$proved breaches were found"
