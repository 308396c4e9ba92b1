#!/bin/bash
# The archives have the names that IO500 links, and no other that could meet one
# of a program's; what they need is MPI's and libc's.
set -eu
# shellcheck source=embed.bash
. "$(dirname "$0")/embed.bash"

lay_out

# By what the suite takes from which archive; either may be in both.
want='GetTimeStamp
aiori_select
airoi_create_all_module_options
airoi_update_module_options
ior_run
md_workbench_run
mdtest_run
option_parse_str
out_logfile
pfind_aggregrate_results
pfind_find
pfind_parse_args
rank'
mapfile -t libs < <(suite_libs | head -n 1 | tr ' ' '\n')
got=$(nm -g --defined-only "${libs[@]}" 2>/dev/null |
    awk 'NF == 3 { print $3 }' | LC_ALL=C sort)
if [ "$got" != "$want" ]; then
    say 'the names of the archives differ from those that are linked (-):'
    diff <(echo "$want") <(echo "$got") | sed -n 's/^[<>]/  &/p'
fi

# What an object does not define, but for MPI: a program without any library of
# ours links.
cat >"$TEST_DIR/uses.c" <<'C'
#include <ior.h>
int main(void)
{
    return ior_run(0, NULL, MPI_COMM_NULL, NULL) == NULL;
}
C
# shellcheck disable=SC2086,SC2046 # lists of words
"$mpicc" $suite_flags ${SAN:+-fsanitize=$SAN} $suite_dirs \
    "$TEST_DIR/uses.c" -o "$TEST_DIR/uses" $(suite_libs) ||
    say 'a program does not link with what build.conf says'

# A program with all kinds of names of its own, as the suite has them.
{
    echo '#include <ior.h>'
    for name in opt file_out run_find p_find p_ior_easy u_call_cmd verbose \
        testComm tmk_job_init_all json_dumps uuid_generate utilities main_loop; do
        echo "int $name = 1;"
    done
    echo 'int main(void) { return ior_run(0, NULL, MPI_COMM_NULL, NULL) == NULL; }'
} >"$TEST_DIR/names.c"
# shellcheck disable=SC2086,SC2046 # lists of words
"$mpicc" $suite_flags ${SAN:+-fsanitize=$SAN} $suite_dirs \
    "$TEST_DIR/names.c" -o "$TEST_DIR/names" $(suite_libs) ||
    say 'names of a program meet names of ours'
[ "$bad" = 0 ]
