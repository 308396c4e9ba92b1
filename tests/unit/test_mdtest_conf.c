#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/opt.h"
#include "bench/mdtest_conf.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

/* A NULL-terminated argv. */
#define ARGS(...)                                                              \
    {                                                                          \
        "mdtest", __VA_ARGS__, NULL                                            \
    }

enum { ARGS_MAX = 6, TEXT_SIZE = 128 };

static int parse(struct tmk_mdtest_conf *conf, const char *const *argv,
                 char *why, size_t size)
{
    const struct tmk_opt_table table = {
        .title = "mdtest",
        .rows = tmk_mdtest_opts,
        .n_rows = tmk_mdtest_n_opts,
        .gone = tmk_mdtest_gone,
        .n_gone = tmk_mdtest_n_gone,
        .conf = conf,
    };
    char *copy[ARGS_MAX + 1] = {NULL};
    int argc = 0;

    for (; argv[argc] != NULL; argc++) {
        assert_true(argc < ARGS_MAX);
        copy[argc] = (char *)argv[argc];
    }
    tmk_mdtest_conf_init(conf);
    return tmk_opt_parse(&table, 1, argc, copy, why, size);
}

/* The row of a spelling such as "-n" or "--keep". */
static const struct tmk_opt *row_of(const char *spelling)
{
    for (size_t i = 0; i < tmk_mdtest_n_opts; i++) {
        const struct tmk_opt *row = &tmk_mdtest_opts[i];

        if (spelling[1] == '-'
                ? row->name != NULL && strcmp(row->name, spelling + 2) == 0
                : row->key == spelling[1]) {
            return row;
        }
    }
    return NULL;
}

static const char *shown(const char *spelling,
                         const struct tmk_mdtest_conf *conf, char *buf)
{
    const struct tmk_opt *row = row_of(spelling);

    assert_non_null(row);
    tmk_opt_show(row, conf, buf, TEXT_SIZE);
    return buf;
}

/* Every option: what it is by default, and with a value. */
static const struct {
    const char *spelling, *initial;
    const char *argv[ARGS_MAX];
    const char *then;
} options[] = {
    {"-a", "POSIX", ARGS("-a", "dummy"), "dummy"},
    {"-b", "1", ARGS("-b", "3"), "3"},
    {"-C", "0", ARGS("-C"), "1"},
    {"-d", "./out", ARGS("-d", ""), ""},
    {"-D", "0", ARGS("-D"), "1"},
    {"-e", "0", ARGS("-e", "4k"), "4096"},
    {"-E", "0", ARGS("-E"), "1"},
    {"-f", "1", ARGS("-f", "2"), "2"},
    {"-F", "0", ARGS("-FF"), "2"},
    {"-i", "1", ARGS("-i3"), "3"},
    {"-I", "0", ARGS("-I", "20"), "20"},
    {"-l", "0", ARGS("-l=8"), "8"},
    {"-L", "0", ARGS("-L"), "1"},
    {"-n", "0", ARGS("-n", "1m"), "1048576"},
    {"-N", "0", ARGS("-N", "2"), "2"},
    {"-p", "0", ARGS("-p", "1"), "1"},
    {"-P", "0", ARGS("-P"), "1"},
    {"-r", "0", ARGS("-r"), "1"},
    {"-R", "off", ARGS("-R"), "on"},
    {"-s", "1", ARGS("-s", "2"), "2"},
    {"-T", "0", ARGS("-T"), "1"},
    {"-u", "0", ARGS("-u"), "1"},
    {"-U", "0", ARGS("-U"), "1"},
    {"-v", "0", ARGS("-vvv"), "3"},
    {"-V", "0", ARGS("-V5"), "5"},
    {"-w", "0", ARGS("-w100"), "100"},
    {"-y", "0", ARGS("-y"), "1"},
    {"-Y", "0", ARGS("-Y"), "1"},
    {"-z", "0", ARGS("-z", "4"), "4"},
    {"-Z", "0", ARGS("-Z"), "1"},
    {"-B", "0", ARGS("-B"), "1"},
    {"-c", "0", ARGS("-c", "2"), "2"},
    {"-G", "-1", ARGS("-G=-1622856514"), "-1622856514"},
    {"-k", "0", ARGS("-k"), "1"},
    {"-S", "0", ARGS("-S"), "1"},
    {"-t", "0", ARGS("-t"), "1"},
    {"-W", "0", ARGS("-W", "300"), "300"},
    {"-x", "", ARGS("-x", "status"), "status"},
    {"--verify-read", "0", ARGS("-X"), "1"},
    {"--verify-write", "0", ARGS("--verify-write"), "1"},
    {"--dataPacketType", "timestamp", ARGS("--dataPacketType=o"), "offset"},
    {"--run-cmd-before-phase", "", ARGS("--run-cmd-before-phase=a b"), "a b"},
    {"--run-cmd-after-phase", "", ARGS("--run-cmd-after-phase", "c"), "c"},
    {"--warningAsErrors", "0", ARGS("--warningAsErrors"), "1"},
    {"--print-all-procs", "0", ARGS("--print-all-procs"), "1"},
    {"--showRankStatistics", "0", ARGS("--showRankStatistics"), "1"},
    {"--saveRankPerformanceDetails", "",
     ARGS("--saveRankPerformanceDetails=r.csv"), "r.csv"},
    {"--savePerOpDataCSV", "", ARGS("--savePerOpDataCSV=op"), "op"},
    {"--tree", "serial", ARGS("--tree=parallel"), "parallel"},
    {"--access", "path", ARGS("--access=dirfd"), "dirfd"},
    {"--random-remove", "0", ARGS("--random-remove"), "1"},
    {"--stonewall-read", "0", ARGS("--stonewall-read=5"), "5"},
    {"--warmup", "0", ARGS("--warmup=2"), "2"},
    {"--min-time", "0", ARGS("--min-time=10"), "10"},
    {"--table", "4", ARGS("--table=1.9"), "1.9"},
    {"--trace", "", ARGS("--trace=t"), "t"},
    {"--json", "", ARGS("--json=j"), "j"},
    {"--csv", "", ARGS("--csv", "-"), "-"},
    {"--label", "", ARGS("--label=two words"), "two words"},
    {"--drop-caches", "off", ARGS("--drop-caches=true"), "true"},
    {"--remount", "", ARGS("--remount=true"), "true"},
    {"--sync", "0", ARGS("--sync"), "1"},
    {"--check", "0", ARGS("--check"), "1"},
    {"--as", "treemark", ARGS("--as=mdtest-4.1"), "mdtest-4.1"},
    {"--percentiles", "0", ARGS("--percentiles"), "1"},
    {"--progress", "auto", ARGS("--progress"), "1"},
    {"--interval", "0", ARGS("--interval=0.25"), "0.25"},
    {"--random-seed", "0", ARGS("--random-seed=-7"), "-7"},
    {"--stride-unit", "auto", ARGS("--stride-unit", "rank"), "rank"},
    {"--max-errors", "1000", ARGS("--max-errors=0"), "0"},
    {"--tolerate", "0", ARGS("--tolerate=5"), "5"},
    {"--keep", "0", ARGS("--keep"), "1"},
    {"--leftovers", "refuse", ARGS("--leftovers=reuse"), "reuse"},
    {"--grace", "20", ARGS("--grace=0"), "0"},
    {"--dry-run", "0", ARGS("--dry-run"), "1"},
    {"--nodes", "0", ARGS("--nodes=4"), "4"},
    {"--ppn", "0", ARGS("--ppn", "8"), "8"},
};

static void every_option_has_its_default_and_takes_a_value(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(options); i++) {
        struct tmk_mdtest_conf conf;
        char why[TEXT_SIZE] = "";
        char text[TEXT_SIZE];

        tmk_mdtest_conf_init(&conf);
        assert_string_equal(shown(options[i].spelling, &conf, text),
                            options[i].initial);
        if (parse(&conf, options[i].argv, why, sizeof(why)) != 0) {
            fail_msg("%s: %s", options[i].spelling, why);
        }
        assert_string_equal(shown(options[i].spelling, &conf, text),
                            options[i].then);
    }
}

static void an_option_sets_no_other_field(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(options); i++) {
        struct tmk_mdtest_conf conf;
        char why[TEXT_SIZE];

        assert_int_equal(parse(&conf, options[i].argv, why, sizeof(why)), 0);
        for (size_t k = 0; k < COUNT(options); k++) {
            char text[TEXT_SIZE];

            if (k != i) {
                assert_string_equal(shown(options[k].spelling, &conf, text),
                                    options[k].initial);
            }
        }
    }
}

static void every_row_is_tried_here_has_help_and_one_spelling(void **state)
{
    (void)state;
    assert_int_equal(tmk_mdtest_n_opts, COUNT(options));
    for (size_t i = 0; i < tmk_mdtest_n_opts; i++) {
        const struct tmk_opt *row = &tmk_mdtest_opts[i];
        bool tried = false;

        assert_true(row->key != 0 || row->name != NULL);
        assert_non_null(row->help);
        assert_true(row->kind == TMK_OPT_KIND_FLAG ? row->arg == NULL
                                                   : row->arg != NULL);
        for (size_t k = 0; k < COUNT(options); k++) {
            tried = tried || row_of(options[k].spelling) == row;
        }
        assert_true(tried);
        for (size_t k = 0; k < i; k++) {
            const struct tmk_opt *other = &tmk_mdtest_opts[k];

            assert_true(row->key == 0 || row->key != other->key);
            assert_true(row->name == NULL || other->name == NULL ||
                        strcmp(row->name, other->name) != 0);
            assert_true(row->offset != other->offset);
        }
    }
}

static void fields_hold_what_the_options_say(void **state)
{
    static const char *const argv[] =
        ARGS("-FCLuyn", "10", "--leftovers=reuse", "--stride-unit=rank");
    struct tmk_mdtest_conf conf;
    char why[TEXT_SIZE];

    (void)state;
    assert_int_equal(parse(&conf, argv, why, sizeof(why)), 0);
    assert_int_equal(conf.files_only, 1);
    assert_int_equal(conf.create, 1);
    assert_int_equal(conf.leaf_only, 1);
    assert_int_equal(conf.unique, 1);
    assert_int_equal(conf.fsync, 1);
    assert_int_equal(conf.items, 10);
    assert_int_equal(conf.leftovers, TMK_LEFTOVERS_REUSE);
    assert_int_equal(conf.stride_unit, TMK_MDTEST_STRIDE_RANK);
    assert_int_equal(conf.sync, 0);
}

static void a_stride_is_a_number_or_the_next_node(void **state)
{
    static const struct {
        const char *argv[ARGS_MAX];
        uint64_t n;
        bool by_node;
        const char *show;
    } rows[] = {
        {ARGS("-N", "0"), 0, false, "0"},
        {ARGS("-N", "16"), 16, false, "16"},
        {ARGS("-N1k"), 1024, false, "1024"},
        {ARGS("-N", "4294967295"), UINT32_MAX, false, "4294967295"},
        {ARGS("-N", "node"), 1, true, "node"},
        {ARGS("-N=NODE"), 1, true, "node"},
        {ARGS("-N", "node", "-N", "3"), 3, false, "3"},
        {ARGS("-N", "3", "-Nnode"), 1, true, "node"},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct tmk_mdtest_conf conf;
        char why[TEXT_SIZE];
        char text[TEXT_SIZE];

        assert_int_equal(parse(&conf, rows[i].argv, why, sizeof(why)), 0);
        assert_int_equal(conf.stride.n, rows[i].n);
        assert_int_equal(conf.stride.by_node, rows[i].by_node);
        assert_string_equal(shown("-N", &conf, text), rows[i].show);
    }
}

static void random_order_takes_an_attached_seed_only(void **state)
{
    static const struct {
        const char *argv[ARGS_MAX];
        bool on, seeded;
        int64_t seed;
        const char *show;
    } rows[] = {
        {ARGS("-F"), false, false, 0, "off"},
        {ARGS("-R"), true, false, 0, "on"},
        {ARGS("-R5"), true, true, 5, "5"},
        {ARGS("-R=5"), true, true, 5, "5"},
        {ARGS("-R0"), true, true, 0, "0"},
        {ARGS("-R=-3"), true, true, -3, "-3"},
        {ARGS("-R-3"), true, true, -3, "-3"},
        {ARGS("-FR-3"), true, true, -3, "-3"},
        {ARGS("-R12345"), true, true, 12345, "12345"},
        {ARGS("-R5", "-R"), true, false, 0, "on"},
        {ARGS("-FR"), true, false, 0, "on"},
        {ARGS("-FR7"), true, true, 7, "7"},
        {ARGS("-RF"), true, false, 0, "on"},
        {ARGS("-R", "-n", "5"), true, false, 0, "on"},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct tmk_mdtest_conf conf;
        char why[TEXT_SIZE];
        char text[TEXT_SIZE];

        assert_int_equal(parse(&conf, rows[i].argv, why, sizeof(why)), 0);
        assert_int_equal(conf.random.on, rows[i].on);
        assert_int_equal(conf.random.seeded, rows[i].seeded);
        assert_int_equal(conf.random.seed, rows[i].seed);
        assert_string_equal(shown("-R", &conf, text), rows[i].show);
    }
}

static void failures_are_tolerated_by_number_or_share(void **state)
{
    static const struct {
        const char *argv[ARGS_MAX];
        uint64_t failures;
        double percent;
        const char *show;
    } rows[] = {
        {ARGS("--tolerate=5"), 5, 0, "5"},
        {ARGS("--tolerate", "0"), 0, 0, "0"},
        {ARGS("--tolerate=2k"), 2048, 0, "2048"},
        {ARGS("--tolerate=0.5%"), 0, 0.5, "0.5%"},
        {ARGS("--tolerate=.25%"), 0, 0.25, "0.25%"},
        {ARGS("--tolerate=100%"), 0, 100, "100%"},
        {ARGS("--tolerate=0%"), 0, 0, "0"},
        {ARGS("--tolerate=5%", "--tolerate=3"), 3, 0, "3"},
        {ARGS("--tolerate=3", "--tolerate=5%"), 0, 5, "5%"},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct tmk_mdtest_conf conf;
        char why[TEXT_SIZE];
        char text[TEXT_SIZE];

        assert_int_equal(parse(&conf, rows[i].argv, why, sizeof(why)), 0);
        assert_int_equal(conf.tolerate.failures, rows[i].failures);
        assert_true(conf.tolerate.percent == rows[i].percent);
        assert_string_equal(shown("--tolerate", &conf, text), rows[i].show);
    }
}

static void leftovers_are_found_by_name(void **state)
{
    (void)state;
    assert_int_equal(tmk_opt_leftovers_find("refuse"), TMK_LEFTOVERS_REFUSE);
    assert_int_equal(tmk_opt_leftovers_find("reuse"), TMK_LEFTOVERS_REUSE);
    assert_int_equal(tmk_opt_leftovers_find("Reuse"), -EINVAL);
    assert_int_equal(tmk_opt_leftovers_find(""), -EINVAL);
}

/* Everything that is no value of an option: the odd inputs of old scripts. */
static void a_wrong_value_is_refused_with_its_option_named(void **state)
{
    static const struct {
        const char *argv[ARGS_MAX];
        const char *why; /* a part of it */
    } rows[] = {
        {ARGS("-n", "0x10"), "-n: "},
        {ARGS("-n", "1e3"), "-n: "},
        {ARGS("-n", ""), "-n: "},
        {ARGS("-n="), "-n: value missing"},
        {ARGS("-n", "-5"), "-n: "},
        {ARGS("-n", "abc"), "-n: "},
        {ARGS("-n", "99999999999999999999"), "-n: "},
        {ARGS("-n", "4611686018427387905"), "-n: "}, /* 2^62 + 1 */
        {ARGS("-nF", "2"), "-n: "},
        {ARGS("-i", "0"), "-i: "},
        {ARGS("-i", "-1"), "-i: "},
        {ARGS("-i", "99999999999"), "-i: "},
        {ARGS("-f", "0"), "-f: "},
        {ARGS("-l", "-1"), "-l: "},
        {ARGS("-s", "0"), "-s: "},
        {ARGS("-s", "-1"), "-s: "},
        {ARGS("-p", "-3"), "-p: "},
        {ARGS("-b", "-1"), "-b: "},
        {ARGS("-z", "-1"), "-z: "},
        {ARGS("-w", "-1"), "-w: "},
        {ARGS("-e", "-1"), "-e: "},
        {ARGS("-I", "-1"), "-I: "},
        {ARGS("-V", "-1"), "-V: "},
        {ARGS("-N", "-1"), "-N: '-1' is not a number of nodes or ranks, 0 to "
                           "4294967295, or 'node'"},
        {ARGS("-N", "nodes"), "-N: "},
        {ARGS("-N", "4294967296"), "-N: "},
        {ARGS("-N", ""), "-N: "},
        {ARGS("-R=x"), "-R: "},
        {ARGS("-R=1.5"), "-R: "},
        {ARGS("-Rx"), "-x: "},
        {ARGS("-R-"), "--: "},
        {ARGS("-R-x"), "--: "},
        {ARGS("-R", "5"), "stray word '5'"},
        {ARGS("-verify-read"), "-e: value missing in '-verify-read' (is "
                               "--verify-read meant?)"},
        {ARGS("-B-1"), "-B: -1 is too small"},
        {ARGS("--tolerate=101%"), "--tolerate: "},
        {ARGS("--tolerate=100.1%"), "--tolerate: "},
        {ARGS("--tolerate=nan%"), "--tolerate: "},
        {ARGS("--tolerate=inf%"), "--tolerate: "},
        {ARGS("--tolerate=-1%"), "--tolerate: "},
        {ARGS("--tolerate=-1"), "--tolerate: "},
        {ARGS("--tolerate=%"), "--tolerate: "},
        {ARGS("--tolerate=.%"), "--tolerate: "},
        {ARGS("--tolerate=1.2.3%"), "--tolerate: "},
        {ARGS("--tolerate=5%%"), "--tolerate: "},
        {ARGS("--tolerate=5%5"), "--tolerate: "},
        {ARGS("--tolerate=0.5"), "--tolerate: "},
        {ARGS("--tolerate=1e1%"), "--tolerate: "},
        {ARGS("--tolerate=0x5%"), "--tolerate: "},
        {ARGS("--leftovers=keep"), "--leftovers: "},
        {ARGS("--dataPacketType=p"), "--dataPacketType: "},
        {ARGS("--dataPacketType=place"), "--dataPacketType: "},
        {ARGS("--dataPacketType=zebra"), "--dataPacketType: "},
        {ARGS("--stride-unit=node"), "--stride-unit: "},
        {ARGS("--max-errors=-1"), "--max-errors: "},
        {ARGS("--grace=-1"), "--grace: "},
        {ARGS("--progress=0.05"), "--progress: '0.05' is not a number of "},
        {ARGS("--progress=-1"), "--progress: "},
        {ARGS("--progress=0x1"), "--progress: "},
        {ARGS("--progress="), "--progress: "},
        {ARGS("--progress", "5"), "stray word '5'"},
        {ARGS("--interval=0"), "--interval: '0' is not a number of seconds"},
        {ARGS("--interval=0.001"), "--interval: "},
        {ARGS("--interval=-1"), "--interval: "},
        {ARGS("--interval=1e3"), "--interval: "},
        {ARGS("--interval=1.2.3"), "--interval: "},
        {ARGS("--interval=."), "--interval: "},
        {ARGS("--interval="), "--interval: "},
        {ARGS("--interval=1s"), "--interval: "},
        {ARGS("--interval=nan"), "--interval: "},
        {ARGS("--interval=1000001"), "--interval: "},
        {ARGS("--nodes=0"), "--nodes: "},
        {ARGS("--ppn=0"), "--ppn: "},
        {ARGS("--foo=3"), "--foo: no such option"},
        {ARGS("-q"), "-q: no such option"},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct tmk_mdtest_conf conf;
        char why[512] = "";
        int err = parse(&conf, rows[i].argv, why, sizeof(why));

        if (err != -EINVAL || strstr(why, rows[i].why) != why) {
            fail_msg("%s %s: %d, \"%s\"", rows[i].argv[1],
                     rows[i].argv[2] != NULL ? rows[i].argv[2] : "", err, why);
        }
        assert_null(strchr(why, '\n'));
    }
}

static void a_refused_value_leaves_the_field_as_it_was(void **state)
{
    static const struct {
        const char *argv[ARGS_MAX];
        const char *spelling, *show;
    } rows[] = {
        {ARGS("-N", "3", "-N", "x"), "-N", "3"},
        {ARGS("-R5", "-R=x"), "-R", "5"},
        {ARGS("--tolerate=5%", "--tolerate=101%"), "--tolerate", "5%"},
        {ARGS("--tolerate=7", "--tolerate=x"), "--tolerate", "7"},
        {ARGS("--progress=2.5", "--progress=x"), "--progress", "2.5"},
        {ARGS("--interval=2.5", "--interval=x"), "--interval", "2.5"},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct tmk_mdtest_conf conf;
        char why[512];
        char text[TEXT_SIZE];

        assert_int_equal(parse(&conf, rows[i].argv, why, sizeof(why)), -EINVAL);
        assert_string_equal(shown(rows[i].spelling, &conf, text), rows[i].show);
    }
}

static void check_known(const char *spelling)
{
    const char *const argv[] = {"mdtest", spelling, "0", NULL};
    struct tmk_mdtest_conf conf;
    char why[512] = "";

    (void)parse(&conf, argv, why, sizeof(why));
    if (strstr(why, "no such option") != NULL) {
        fail_msg("%s", why);
    }
}

/* Every spelling of the original is an option or explained. */
static void no_option_of_the_original_is_unknown(void **state)
{
    static const char letters[] = "abBcCdDeEfFgGiIklLnNpPrRsStTuUvVwWxXyYzZ";
    static const char *const names[] = {
        "--print-all-procs",
        "--random-seed",
        "--verify-read",
        "--verify-write",
        "--dataPacketType",
        "--run-cmd-before-phase",
        "--run-cmd-after-phase",
        "--allocateBufferOnGPU",
        "--GPUid",
        "--gpuDirect",
        "--warningAsErrors",
        "--saveRankPerformanceDetails",
        "--savePerOpDataCSV",
        "--showRankStatistics",
        "--posix.odirect",
        "--posix.rangelocks",
        "--posix.lustre.stripecount",
        "--posix.lustre.stripesize",
        "--posix.lustre.startost",
        "--posix.lustre.ignorelocks",
        "--posix.lustre.pool",
        "--posix.gpfs.hintaccess",
        "--posix.beegfs.NumTargets",
        "--S3-libs3.host",
    };

    (void)state;
    for (size_t i = 0; letters[i] != '\0'; i++) {
        const char letter[] = {'-', letters[i], '\0'};

        check_known(letter);
    }
    for (size_t i = 0; i < COUNT(names); i++) {
        check_known(names[i]);
    }
}

static void what_is_gone_is_named_and_no_row(void **state)
{
    (void)state;
    for (size_t i = 0; i < tmk_mdtest_n_gone; i++) {
        const char *name = tmk_mdtest_gone[i].name;
        const bool misused =
            strcmp(name, "--version") == 0 || strcmp(name, "--help") == 0;

        assert_int_equal(name[0], '-');
        assert_true(strlen(name) >= 2);
        assert_non_null(tmk_mdtest_gone[i].why);
        assert_true(misused ||
                    strstr(tmk_mdtest_gone[i].why, "not available") != NULL);
        assert_null(row_of(name));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_option_has_its_default_and_takes_a_value),
        cmocka_unit_test(an_option_sets_no_other_field),
        cmocka_unit_test(every_row_is_tried_here_has_help_and_one_spelling),
        cmocka_unit_test(fields_hold_what_the_options_say),
        cmocka_unit_test(a_stride_is_a_number_or_the_next_node),
        cmocka_unit_test(random_order_takes_an_attached_seed_only),
        cmocka_unit_test(failures_are_tolerated_by_number_or_share),
        cmocka_unit_test(leftovers_are_found_by_name),
        cmocka_unit_test(a_wrong_value_is_refused_with_its_option_named),
        cmocka_unit_test(a_refused_value_leaves_the_field_as_it_was),
        cmocka_unit_test(no_option_of_the_original_is_unknown),
        cmocka_unit_test(what_is_gone_is_named_and_no_row),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
