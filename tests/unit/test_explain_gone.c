#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "bench/explain_gone.h"
#include "bench/explain_words.h"
#include "bench/ior_conf.h"
#include "bench/mdtest_conf.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static const struct tmk_opt_table tables[] = {
    {.rows = tmk_mdtest_opts, .gone = tmk_mdtest_gone},
    {.rows = tmk_ior_opts, .gone = tmk_ior_gone},
};

/* The table of a program; the scan never looks at its struct. */
static struct tmk_opt_table table_of(bool ior)
{
    struct tmk_opt_table table = tables[ior];

    table.n_rows = ior ? tmk_ior_n_opts : tmk_mdtest_n_opts;
    table.n_gone = ior ? tmk_ior_n_gone : tmk_mdtest_n_gone;
    return table;
}

/* What is taken out and what stays, with '|' between them. */
struct parted {
    char taken[256], kept[256];
};

static struct parted part(const char *line)
{
    const struct tmk_opt_table table = table_of(strncmp(line, "ior", 3) == 0);
    struct tmk_explain_words words;
    struct tmk_explain_gone gone;
    struct parted p = {{0}, {0}};
    int argc;

    assert_int_equal(tmk_explain_words_split(line, &words), 0);
    argc = tmk_explain_gone_take(&table, 1, words.argc, words.argv, &gone);
    for (int i = 1; i < argc; i++) {
        size_t used = strlen(p.kept);

        (void)snprintf(p.kept + used, sizeof(p.kept) - used, "%s%s",
                       i == 1 ? "" : "|", words.argv[i]);
    }
    assert_null(words.argv[argc]);
    for (size_t i = 0; i < gone.n; i++) {
        size_t used = strlen(p.taken);

        assert_true(gone.list[i].why[0] != '\0');
        (void)snprintf(p.taken + used, sizeof(p.taken) - used, "%s%s",
                       i == 0 ? "" : "|", gone.list[i].text);
    }
    tmk_explain_words_fini(&words);
    return p;
}

static void retired_words_are_taken_out_with_their_values(void **state)
{
    static const struct {
        const char *line, *taken, *kept;
    } rows[] = {
        {"mdtest -n 10 -F", "", "-n|10|-F"},
        {"mdtest -g -n 10", "-g", "-n|10"},
        {"mdtest -FgC -n 10", "-g", "-FC|-n|10"},
        {"mdtest -d -g -n 1", "", "-d|-g|-n|1"},
        {"mdtest -n1k -gn 5", "-g", "-n1k|-n|5"},
        {"mdtest -Cgn5", "-g", "-Cn5"},
        {"mdtest --allocateBufferOnGPU=1 -F", "--allocateBufferOnGPU=1", "-F"},
        {"mdtest --GPUid 1 -F", "--GPUid 1", "-F"},
        {"mdtest --dfs.pool=x", "--dfs.pool=x", ""},
        {"mdtest -a HDF5 -F", "-a HDF5", "-F"},
        {"mdtest -aHDF5 -Fa s3 -n=4", "-a HDF5|-a s3", "-F|-n=4"},
        {"mdtest -a nope", "", "-a|nope"},
        {"mdtest -a POSIX", "", "-a|POSIX"},
        {"mdtest --help --foo -q x", "", "--help|--foo|-q|x"},
        {"mdtest -", "", "-"},
        {"mdtest -n", "", "-n"},
        {"ior -n -w", "-n", "-w"},
        {"ior -J 4 -wIr", "-J 4|-I", "-wr"},
        {"ior -J4 -w", "-J", "-w"},
        {"ior --hdf5.chunk 4 -w", "--hdf5.chunk 4", "-w"},
        {"ior -O lustreStripeCount=4", "-O lustreStripeCount=4", ""},
        {"ior -O lustrestripecount=4,fsync=1", "-O lustrestripecount=4",
         "-O|fsync=1"},
        {"ior -O=fsync=1,storeFileOffset=1,keepFile=1", "-O storeFileOffset=1",
         "-O=fsync=1,keepFile=1"},
        {"ior -O \"testFile='a,showHelp'\"", "", "-O|testFile='a,showHelp'"},
        {"ior -o -y -y", "-y", "-o|-y"},
        {"ior --api=NCMPI -w", "-a NCMPI", "-w"},
        {"ior -z=2 -wr=0", "", "-z=2|-wr=0"},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        const struct parted p = part(rows[i].line);

        assert_string_equal(p.taken, rows[i].taken);
        assert_string_equal(p.kept, rows[i].kept);
    }
}

static void more_than_fit_are_taken_out_all_the_same(void **state)
{
    char line[256] = "mdtest";
    struct parted p;

    (void)state;
    for (int i = 0; i < TMK_EXPLAIN_GONE_MAX + 5; i++) {
        const size_t used = strlen(line);

        (void)snprintf(line + used, sizeof(line) - used, " -g");
    }
    p = part(line);
    assert_string_equal(p.kept, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(retired_words_are_taken_out_with_their_values),
        cmocka_unit_test(more_than_fit_are_taken_out_all_the_same),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
