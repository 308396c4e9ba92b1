#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "unit/ior_given.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

enum { TEXT_SIZE = 128 };

static void read_well(struct given *g, const char *line)
{
    if (given_parse(g, line) != 0) {
        fail_msg("%s: %d, \"%s\"", line, g->err, g->why);
    }
}

/* Every option: what it is by default, and with a value. */
static const struct {
    const char *spelling, *initial, *line, *then;
} options[] = {
    {"-a", "POSIX", "-a dummy", "DUMMY"},
    {"-A", "0", "-A -3", "-3"},
    {"-b", "1048576", "-b4K", "4096"},
    {"-c", "0", "--collective", "1"},
    {"-C", "0", "-CC", "2"},
    {"-d", "0", "-d 0.1", "0.1"},
    {"-D", "0", "-D 0.5", "0.5"},
    {"-e", "0", "-e", "1"},
    {"-E", "0", "-E", "1"},
    {"-f", "", "-f x.ior", "x.ior"},
    {"-F", "0", "-F=0 -F", "1"},
    {"-g", "0", "-g", "1"},
    {"-G", "0", "-G -5", "-5"},
    {"-i", "1", "-i4", "4"},
    {"-j", "0", "-j=2", "2"},
    {"-k", "0", "-k", "1"},
    {"-K", "0", "-K", "1"},
    {"-l", "timestamp", "-l o", "offset"},
    {"-m", "0", "-m", "1"},
    {"-M", "0", "-M 60%", "60%"},
    {"-N", "-1", "-N 0", "0"},
    {"-o", "testFile", "-o a@b", "a@b"},
    {"-q", "0", "-q", "1"},
    {"-Q", "1", "-Q 2", "2"},
    {"-r", "0", "-r", "1"},
    {"-R", "0", "-R", "1"},
    {"-s", "1", "-s 10000000", "10000000"},
    {"-t", "262144", "-t4k", "4096"},
    {"-T", "0", "-T 1.5", "1.5"},
    {"-u", "0", "-u", "1"},
    {"-v", "0", "-vv", "2"},
    {"-w", "0", "-ww", "2"},
    {"-W", "0", "-W", "1"},
    {"-x", "0", "-x", "1"},
    {"-X", "0", "-X=-7", "-7"},
    {"-Y", "0", "-Y", "1"},
    {"-z", "0", "-z -z", "2"},
    {"--random-offset-seed", "-1", "--random-offset-seed=7", "7"},
    {"--randomPrefill", "0", "--randomPrefill=1m", "1048576"},
    {"-Z", "0", "-ZZ", "2"},
    {"--warningAsErrors", "0", "--warningAsErrors", "1"},
    {"--dryRun", "0", "--dry-run", "1"},
    {"--summaryFormat", "default", "--summaryFormat=json", "JSON"},
    {"--summaryFile", "", "--summaryFile=x", "x"},
    {"--saveRankPerformanceDetailsCSV", "",
     "--saveRankPerformanceDetailsCSV=r.csv", "r.csv"},
    {"--savePerOpDataCSV", "", "--savePerOpDataCSV=op", "op"},
    {"--stoneWallingWearOut", "0", "--stoneWallingWearOut=1", "1"},
    {"--stoneWallingWearOutIterations", "0",
     "--stoneWallingWearOutIterations=3", "3"},
    {"--stoneWallingStatusFile", "", "--stoneWallingStatusFile=s", "s"},
    {"--minTimeDuration", "0", "--minTimeDuration=2", "2"},
    {"--interIODelay", "0", "--interIODelay=10", "10"},
    {"--memoryPerTask", "0", "--memoryPerTask=1k", "1024"},
    {"--summaryAlways", "0", "--summaryAlways=1", "1"},
    {"--numNodes", "0", "--numNodes=3", "3"},
    {"--numTasksOnNode0", "0", "--numTasksOnNode0=4", "4"},
    {"--debug", "", "--debug=hello", "hello"},
    {"--platform", "", "--platform=p", "p"},
    {"--total", "0", "--total=2xRAM", "2xRAM"},
    {"--server-memory", "0", "--server-memory=1g", "1073741824"},
    {"--rwmix", "-1", "--rwmix=70", "70"},
    {"--compress", "1", "--compress=2.5", "2.5"},
    {"--posix.fadvise", "", "--posix.fadvise=DONTNEED", "dontneed"},
    {"--drop-wait", "0", "--drop-wait=2.5", "2.5"},
    {"--drop-caches", "off", "--drop-caches=true", "true"},
    {"--read-passes", "1", "--read-passes=3", "3"},
    {"--leftovers", "refuse", "--leftovers=reuse", "reuse"},
    {"--as", "treemark", "--as=ior-4.1", "ior-4.1"},
    {"--max-errors", "1000", "--max-errors=0", "0"},
    {"--keep", "0", "--keep", "1"},
    {"--grace", "20", "--grace=0", "0"},
    {"--percentiles", "0", "--percentiles", "1"},
    {"--interval", "0", "--interval=0.25", "0.25"},
    {"--progress", "auto", "--progress", "1"},
    {"--trace", "", "--trace=t", "t"},
    {"--json", "", "--json=j", "j"},
    {"--csv", "", "--csv -", "-"},
    {"--label", "", "--label=two~words", "two words"},
    /* which set others */
    {"-O", "", "-O segmentCount=1", ""},
    {"-B", "", "-B=0", ""},
    {"-H", "", "-H=0", ""},
    {"-p", "", "-p=0", ""},
    {"-V", "", "-V=0", ""},
    {"-U", "", "-U x", ""},
    {"--allocateBufferOnGPU", "", "--allocateBufferOnGPU=0", ""},
    {"--GPUid", "", "--GPUid=-1", ""},
    {"--GPUDirect", "", "--GPUDirect=0", ""},
};

static void every_option_has_its_default_and_takes_a_value(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(options); i++) {
        struct given g;
        char text[TEXT_SIZE];

        given_init(&g);
        assert_string_equal(
            given_shown(&g, options[i].spelling, text, sizeof(text)),
            options[i].initial);
        given_fini(&g);
        read_well(&g, options[i].line);
        if (strcmp(given_shown(&g, options[i].spelling, text, sizeof(text)),
                   options[i].then) != 0) {
            fail_msg("%s: \"%s\"", options[i].line, text);
        }
        given_fini(&g);
    }
}

static void an_option_sets_no_other_field(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(options); i++) {
        struct given g;

        read_well(&g, options[i].line);
        for (size_t k = 0; k < COUNT(options); k++) {
            char text[TEXT_SIZE];

            given_shown(&g, options[k].spelling, text, sizeof(text));
            if (k != i && strcmp(text, options[k].initial) != 0) {
                fail_msg("%s sets %s", options[i].line, options[k].spelling);
            }
        }
        given_fini(&g);
    }
}

static bool is_same(const char *a, const char *b)
{
    return a != NULL && b != NULL && strcasecmp(a, b) == 0;
}

static void every_row_is_tried_here_and_has_names_of_its_own(void **state)
{
    (void)state;
    assert_int_equal(tmk_ior_n_opts, COUNT(options));
    for (size_t i = 0; i < tmk_ior_n_opts; i++) {
        const struct tmk_opt *row = &tmk_ior_opts[i];

        assert_true(row->key != 0 || row->name != NULL);
        assert_non_null(row->help);
        assert_true(row->kind == TMK_OPT_KIND_FLAG ? row->arg == NULL
                                                   : row->arg != NULL);
        for (size_t k = 0; k < i; k++) {
            const struct tmk_opt *other = &tmk_ior_opts[k];

            assert_true(row->key == 0 || row->key != other->key);
            assert_false(is_same(row->name, other->name));
            assert_false(is_same(row->also, other->name));
            assert_false(is_same(row->name, other->also));
        }
        for (size_t k = 0; k < tmk_ior_n_gone; k++) {
            const char *gone = tmk_ior_gone[k].name;

            assert_true(gone[1] == '-' ? !is_same(row->name, gone + 2)
                                       : row->key != gone[1]);
        }
    }
}

/* Lines that set one option, by a letter or by the name of a directive. */
static void an_option_is_spelt_in_many_ways(void **state)
{
    static const struct {
        const char *line, *spelling, *want;
    } rows[] = {
        {"-t 4k", "-t", "4096"},
        {"-t=4k", "-t", "4096"},
        {"-t4k", "-t", "4096"},
        {"--transferSize=4k", "-t", "4096"},
        {"--transferSize 4k", "-t", "4096"},
        {"-wrt 4k", "-t", "4096"},
        {"-t 4~KiB", "-t", "4096"},
        {"-t 4kB", "-t", "4000"},
        {"-t 4kb", "-t", "4096"},
        {"-t 47008", "-t", "47008"},
        {"-t 12", "-t", "12"},
        {"-b 1.5m", "-b", "1572864"},
        {"-b 9920000m", "-b", "10401873920000"},
        {"-b 2G", "-b", "2147483648"},
        {"-wwr", "-w", "2"},
        {"-wwr", "-r", "1"},
        {"-w=0", "-w", "0"},
        {"-w -w=0", "-w", "0"},
        {"-wr=2", "-r", "2"},
        {"-v -v", "-v", "2"},
        {"-v=3", "-v", "3"},
        {"-v 3", "-v", "3"},
        {"-G=-5", "-G", "-5"},
        {"-G-5", "-G", "-5"},
        {"-G -1622856514", "-G", "-1622856514"},
        {"-i 1k", "-i", "1024"},
        {"-i 2 -i 3", "-i", "3"},
        {"--filePerProc", "-F", "1"},
        {"--filePerProcess=1", "-F", "1"},
        {"--reorderTasksConstant=1", "-C", "1"},
        {"--numTasks=4", "-N", "4"},
        {"-N -1", "-N", "-1"},
        {"--dryRun", "--dryRun", "1"},
        {"--dataPacketType=timestamp", "-l", "timestamp"},
        {"-l r", "-l", "random"},
        {"-l noise", "-l", "noise"},
        {"-M 2g", "-M", "2147483648"},
        {"-M 1.5g", "-M", "1610612736"},
        {"-M 100%", "-M", "100%"},
        {"--total=10TB", "--total", "10000000000000"},
        {"--total=1.5xram", "--total", "1.5xRAM"},
        {"--drop-caches", "--drop-caches", "on"},
        {"--posix.fadvise=none", "--posix.fadvise", ""},
        {"-B", "--posix.odirect", "1"},
        {"-B=1", "--posix.odirect", "1"},
        {"-wB", "--posix.odirect", "1"},
        {"-Bw", "--posix.odirect", "1"},
        {"--useO_DIRECT=1", "--posix.odirect", "1"},
        {"-B -B=0", "--posix.odirect", "0"},
        {"-B --posix.odirect=0", "--posix.odirect", "0"},
        {"-U hints", "--mpiio.hintsFileName", "hints"},
        {"--hintsFileName=hints", "--mpiio.hintsFileName", "hints"},
        {"-H", "--mpiio.showHints", "1"},
        {"-p", "--mpiio.preallocate", "1"},
        {"-V", "--mpiio.useFileView", "1"},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct given g;
        char text[TEXT_SIZE];

        read_well(&g, rows[i].line);
        if (strcmp(given_shown(&g, rows[i].spelling, text, sizeof(text)),
                   rows[i].want) != 0) {
            fail_msg("%s: %s is \"%s\"", rows[i].line, rows[i].spelling, text);
        }
        given_fini(&g);
    }
}

static void what_cannot_be_is_refused_by_name(void **state)
{
    static const struct {
        const char *line, *why; /* the beginning */
    } rows[] = {
        {"-t -8", "-t: '-8' is not a size (4096, 47k, 1.5m, 2GiB and 10MB "
                  "are)"},
        {"-t abc", "-t: 'abc' is not a size"},
        {"-t \"\"", "-t: '' is not a size"},
        {"-t=", "-t: value missing (-t SIZE)"},
        {"-t", "-t: value missing (-t SIZE)"},
        {"-t 4x", "-t: '4x' is not a size"},
        {"-b 1e6", "-b: '1e6' is not a size"},
        {"-b 17179869184g", "-b: '17179869184g' is not a size below 2^64"},
        {"-s -1", "-s: -1 is too small (0 is the least)"},
        {"-s 1.5", "-s: '1.5' is not a whole number"},
        {"-i 0", "-i: 0 is too small (1 is the least)"},
        {"-i -1", "-i: -1 is too small (1 is the least)"},
        {"-N -2", "-N: -2 is too small (-1 is the least)"},
        {"--random-offset-seed=-2", "--random-offset-seed: -2 is too small"},
        {"-Q -1", "-Q: -1 is too small (0 is the least)"},
        {"-G 4026531840", "-G: 4026531840 is too large (2147483647 is"},
        {"-D 1m", "-D: '1m' is not a number of seconds (60 and 0.5 are)"},
        {"-D -1", "-D: '-1' is not a number of seconds"},
        {"-d x", "-d: 'x' is not a number of seconds"},
        {"-T -1", "-T: '-1' is not a number of minutes"},
        {"-l x", "-l: 'x' is not timestamp, offset, incompressible"},
        {"-l \"\"", "-l: '' is not timestamp"},
        {"-M x", "-M: 'x' is not a size (2g is), or a share of the node's"},
        {"-M \"\"", "-M: '' is not a size"},
        {"-M 101%", "-M: '101%' is not a size"},
        {"-M 5%5", "-M: '5%5' is not a size"},
        {"-M -5%", "-M: '-5%' is not a size"},
        {"--total=2x", "--total: '2x' is not a size above 0 (2t is), or a "
                       "multiple"},
        {"--total=0", "--total: '0' is not a size above 0"},
        {"--total=0xRAM", "--total: '0xRAM' is not a size above 0"},
        {"--rwmix=101", "--rwmix: 101 is too large (100 is the most)"},
        {"--compress=0.5", "--compress: '0.5' is not a ratio from 1 to 1000"},
        {"--posix.fadvise=x", "--posix.fadvise: 'x' is not dontneed or none"},
        {"--as=ior-3", "--as: 'ior-3' is none of: treemark, ior-4.1"},
        {"--summaryFormat=xml",
         "--summaryFormat: 'xml' is not default, JSON or CSV"},
        {"--leftovers=x", "--leftovers: 'x' is none of: refuse, clean, reuse"},
        {"--foo", "--foo: no such option"},
        {"--colective", "--colective: no such option (is --collective meant?)"},
        {"--odirect", "--odirect: no such option (is --posix.odirect meant?)"},
        {"-wq=x", "-w: 'x' is not a whole number"},
        {"-wL", "-L: no such option in '-wL'"},
        {"file", "stray word 'file': there are no positional arguments"},
        {"--", "stray word '--'"},
        {"-w 1", "stray word '1' after -w, which takes no value"},
        {"-n 4", "-n: not available here (the number of tasks is -N)"},
        {"-P", "-P: shared file pointers are not available here"},
        {"-S", "-S: strided data types are not available here"},
        {"-I", "-I: of HDF5, which is not available here"},
        {"-J 1", "-J: of HDF5, which is not available here"},
        {"-y", "-y: dual mounts are not available here"},
        {"--hdf5.collectiveMetadata",
         "--hdf5.collectiveMetadata: not available here: not built in"},
        {"--posix.lustre.stripecount=4",
         "--posix.lustre.stripecount: not available here"},
        {"--allocateBufferOnGPU=1",
         "--allocateBufferOnGPU: there are no buffers on GPUs here: only 0"},
        {"--GPUDirect", "--GPUDirect: there are no buffers on GPUs here"},
        {"--version", "--version: only by itself"},
        {"--help=1", "--help: takes no value"},
        {"-B=x", "-B: --posix.odirect: 'x' is not a whole number"},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct given g;

        if (given_parse(&g, rows[i].line) != -EINVAL ||
            strncmp(g.why, rows[i].why, strlen(rows[i].why)) != 0) {
            fail_msg("%s: %d, \"%s\"", rows[i].line, g.err, g.why);
        }
        assert_null(strchr(g.why, '\n'));
        given_fini(&g);
    }
}

static void a_name_for_an_option_of_an_absent_engine_says_so(void **state)
{
    struct given g;
    char *argv[] = {"ior", "-V", NULL};

    (void)state;
    given_init(&g);
    assert_int_equal(
        tmk_ior_parse(g.tables, 1, 2, argv, &g.texts, g.why, sizeof(g.why)),
        -EINVAL);
    assert_string_equal(
        g.why, "-V: --mpiio.useFileView is not available here: not built in");
    given_fini(&g);
}

static void powers_of_1000_are_remembered(void **state)
{
    static const struct {
        const char *line;
        bool decimal;
    } rows[] = {
        {"-b 1m -t 4k", false},     {"-b 1MiB", false}, {"-b 1mb", false},
        {"-b 1MB", true},           {"-t 1~kB~", true}, {"--total=1TB", true},
        {"-M 1GB", true},           {"-b 10B", false},  {"-M 50%", false},
        {"-O blockSize=1MB", true},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct given g;

        (void)given_parse(&g, rows[i].line);
        if (g.conf.decimal_units != rows[i].decimal) {
            fail_msg("%s: %s", rows[i].line, g.why);
        }
        given_fini(&g);
    }
}

static void help_is_asked_for_as_everywhere(void **state)
{
    static const char *const lines[] = {"-h", "--help", "-wh", "-w -h -q"};

    (void)state;
    for (size_t i = 0; i < COUNT(lines); i++) {
        struct given g;

        assert_int_equal(given_parse(&g, lines[i]), TMK_OPT_HELP);
        given_fini(&g);
    }
}

static void leftovers_are_found_by_name(void **state)
{
    (void)state;
    assert_int_equal(tmk_opt_leftovers_find("refuse"), TMK_LEFTOVERS_REFUSE);
    assert_int_equal(tmk_opt_leftovers_find("reuse"), TMK_LEFTOVERS_REUSE);
    assert_int_equal(tmk_opt_leftovers_find("x"), -EINVAL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_option_has_its_default_and_takes_a_value),
        cmocka_unit_test(an_option_sets_no_other_field),
        cmocka_unit_test(every_row_is_tried_here_and_has_names_of_its_own),
        cmocka_unit_test(an_option_is_spelt_in_many_ways),
        cmocka_unit_test(what_cannot_be_is_refused_by_name),
        cmocka_unit_test(a_name_for_an_option_of_an_absent_engine_says_so),
        cmocka_unit_test(powers_of_1000_are_remembered),
        cmocka_unit_test(help_is_asked_for_as_everywhere),
        cmocka_unit_test(leftovers_are_found_by_name),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
