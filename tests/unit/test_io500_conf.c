/*
 * The ini files of the suite: what they may say, their hash, the commands of
 * the phases, and the scores.  The figures and the commands are those of runs
 * of the original.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/ini.h"
#include "bench/io500_args.h"
#include "bench/io500_conf.h"
#include "bench/io500_hash.h"
#include "bench/io500_plan.h"
#include "bench/io500_score.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static const char small_run[] = "[global]\n"
                                "datadir = ./data\n"
                                "resultdir = ./results\n"
                                "timestamp-datadir = FALSE\n"
                                "timestamp-resultdir = FALSE\n"
                                "[debug]\n"
                                "stonewall-time = 1\n"
                                "[ior-easy]\n"
                                "blockSize = 256m\n"
                                "[ior-hard]\n"
                                "segmentCount = 3000\n"
                                "[mdtest-easy]\n"
                                "n = 20000\n"
                                "[mdtest-hard]\n"
                                "n = 10000\n";

static void lines_are_sections_keys_or_wrong(void **state)
{
    static const struct {
        const char *line;
        enum tmk_ini_kind kind;
        const char *name, *value;
    } rows[] = {
        {"", TMK_INI_END, "", ""},
        {"  \t\r\n", TMK_INI_END, "", ""},
        {"# [x]\n; y = 1", TMK_INI_END, "", ""},
        {"[ior-easy]", TMK_INI_SECTION, "ior-easy", ""},
        {" [ A_b-9 ] \r\n", TMK_INI_SECTION, "A_b-9", ""},
        {"[x] # y", TMK_INI_SECTION, "x", ""},
        {"[x]# y", TMK_INI_WRONG, "", ""},
        {"[x] y", TMK_INI_WRONG, "", ""},
        {"[x", TMK_INI_WRONG, "", ""},
        {"[]", TMK_INI_WRONG, "", ""},
        {"[a.b]", TMK_INI_WRONG, "", ""},
        {"k=v", TMK_INI_KEY, "k", "v"},
        {" k.1-x_ =  a b  c \t\r", TMK_INI_KEY, "k.1-x_", "a b  c"},
        {"k = ", TMK_INI_KEY, "k", ""},
        {"k =", TMK_INI_KEY, "k", ""},
        {"k = # no value", TMK_INI_KEY, "k", ""},
        {"k = v ; w", TMK_INI_KEY, "k", "v"},
        {"k = \"v\" # w", TMK_INI_KEY, "k", "\"v\""},
        {"k = a=b", TMK_INI_KEY, "k", "a=b"},
        {"k = v#w", TMK_INI_WRONG, "", ""},
        {"k =#w", TMK_INI_WRONG, "", ""},
        {"k", TMK_INI_WRONG, "", ""},
        {"= v", TMK_INI_WRONG, "", ""},
        {"k v = 1", TMK_INI_WRONG, "", ""},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct tmk_ini ini;
        struct tmk_ini_line line;

        tmk_ini_init(&ini, rows[i].line);
        tmk_ini_next(&ini, &line);
        if (line.kind != rows[i].kind) {
            fail_msg("'%s' is of kind %d", rows[i].line, (int)line.kind);
        }
        assert_int_equal(line.name_length, strlen(rows[i].name));
        assert_int_equal(line.value_length, strlen(rows[i].value));
        if (line.name_length != 0) {
            assert_memory_equal(line.name, rows[i].name, line.name_length);
        }
        if (line.value_length != 0) {
            assert_memory_equal(line.value, rows[i].value, line.value_length);
        }
    }
}

static void lines_are_counted(void **state)
{
    struct tmk_ini ini;
    struct tmk_ini_line line;

    (void)state;
    tmk_ini_init(&ini, "\n[a]\n# x\nb=1\n?");
    tmk_ini_next(&ini, &line);
    assert_int_equal(line.number, 2);
    tmk_ini_next(&ini, &line);
    assert_int_equal(line.number, 4);
    tmk_ini_next(&ini, &line);
    assert_int_equal(line.kind, TMK_INI_WRONG);
    assert_int_equal(line.number, 5);
    tmk_ini_next(&ini, &line);
    assert_int_equal(line.kind, TMK_INI_END);
    tmk_ini_next(&ini, &line);
    assert_int_equal(line.kind, TMK_INI_END);
}

static void read_it(struct tmk_io500_conf *conf, const char *text)
{
    char why[512] = "";
    int err;

    tmk_io500_conf_init(conf);
    err = tmk_io500_conf_read(conf, "x.ini", text, why, sizeof(why));
    if (err != 0) {
        fail_msg("%s", why);
    }
}

static void the_hash_is_that_of_the_original(void **state)
{
    struct tmk_io500_conf conf;

    (void)state;
    read_it(&conf, small_run);
    assert_int_equal(tmk_io500_conf_hash(&conf), 0x88CBEE41);
    assert_string_equal(conf.note, "");
    tmk_io500_conf_fini(&conf);
}

static void what_is_written_has_the_same_hash(void **state)
{
    char *text = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&text, &size);
    struct tmk_io500_conf conf;
    struct tmk_io500_conf again;

    (void)state;
    read_it(&conf, small_run);
    tmk_io500_conf_write(&conf, f);
    assert_int_equal(fclose(f), 0);
    assert_non_null(strstr(text, "\n[debug]\nstonewall-time = 1\n"
                                 "pause-dir = \n\n[ior-easy]\nAPI = \n"
                                 "transferSize = 2m\nblockSize = 256m\n"));
    assert_non_null(strstr(text, "\n[timestamp]\n\n[find-easy]\n"));
    read_it(&again, text);
    assert_int_equal(tmk_io500_conf_hash(&again), 0x88CBEE41);
    tmk_io500_conf_fini(&conf);
    tmk_io500_conf_fini(&again);
    free(text);
}

static void a_list_reads_as_the_defaults(void **state)
{
    struct tmk_io500_conf defaults;

    (void)state;
    tmk_io500_conf_init(&defaults);
    for (int all = 0; all < 2; all++) {
        char *text = NULL;
        size_t size = 0;
        FILE *f = open_memstream(&text, &size);
        struct tmk_io500_conf conf;

        tmk_io500_conf_list(&defaults, all != 0, f);
        assert_int_equal(fclose(f), 0);
        read_it(&conf, text);
        assert_int_equal(tmk_io500_conf_hash(&conf),
                         tmk_io500_conf_hash(&defaults));
        assert_int_equal(strstr(text, "[find-easy]") != NULL, all);
        tmk_io500_conf_fini(&conf);
        free(text);
    }
}

static void values_mean_what_they_say(void **state)
{
    struct tmk_io500_conf conf;

    (void)state;
    read_it(&conf, "[GLOBAL]\nSCC = 1\nDrop-Caches = true\n"
                   "[debug]\nstonewall-time = \n"
                   "[ior-hard]\ncollective = TRUE\n"
                   "[ior-hard-read]\ncollective = False\nAPI = MPIIO\n"
                   "[mdworkbench]\nwaitingTime = 1e-1\n");
    assert_true(tmk_io500_is_true(conf.global.scc, false));
    assert_string_equal(conf.global.drop_caches, "TRUE");
    assert_int_equal(tmk_io500_stonewall_s(&conf), 300);
    assert_int_equal(tmk_io500_least_s(&conf), 30);
    assert_true(
        tmk_io500_phase_is_collective(&conf, TMK_IO500_P_IOR_HARD_WRITE));
    assert_false(
        tmk_io500_phase_is_collective(&conf, TMK_IO500_P_IOR_HARD_READ));
    assert_string_equal(tmk_io500_phase_api(&conf, TMK_IO500_P_IOR_HARD_READ),
                        "MPIIO");
    assert_string_equal(tmk_io500_phase_api(&conf, TMK_IO500_P_IOR_HARD_WRITE),
                        "POSIX");
    assert_string_equal(conf.parts[TMK_IO500_MDWORKBENCH].waiting_time, "1e-1");
    tmk_io500_conf_fini(&conf);
}

static void of_a_key_that_is_set_twice_the_last_counts(void **state)
{
    struct tmk_io500_conf conf;

    (void)state;
    read_it(&conf, "[debug]\nstonewall-time = 1\n[global]\n[debug]\n"
                   "stonewall-time = 2\n");
    assert_int_equal(tmk_io500_stonewall_s(&conf), 2);
    assert_string_equal(conf.note,
                        "x.ini:5: [debug] stonewall-time is set again, after "
                        "line 2; the last one counts");
    tmk_io500_conf_fini(&conf);
}

static void what_is_wrong_is_named(void **state)
{
    static const struct {
        const char *text, *why;
    } rows[] = {
        {"x = 1", "x.ini:1: 'x' stands before any [section]"},
        {"\n[ior-esy]\n", "x.ini:2: no section [ior-esy] (is [ior-easy] "
                          "meant?)"},
        {"[something]", "x.ini:1: no section [something]"},
        {"[ior-easy]\nblocksiz = 1m",
         "x.ini:2: [ior-easy] knows no key 'blocksiz' (is blockSize meant?)"},
        {"[global]\nstonewall-time = 1",
         "x.ini:2: [global] knows no key 'stonewall-time' ([debug] does)"},
        {"[timestamp]\nfoo = 1", "x.ini:2: [timestamp] knows no key 'foo'"},
        {"[debug]\nstonewall-time = 5m",
         "x.ini:2: [debug] stonewall-time: '5m' is not a whole number, in "
         "digits"},
        {"[mdtest-easy]\nn = -1",
         "x.ini:2: [mdtest-easy] n: '-1' is not a whole number of at least 0, "
         "in digits"},
        {"[mdtest-easy]\nn = 99999999999999999999",
         "x.ini:2: [mdtest-easy] n: '99999999999999999999' is not a number of "
         "that size"},
        {"[find]\nrun = yes",
         "x.ini:2: [find] run: 'yes' is not TRUE or FALSE"},
        {"[mdworkbench]\nwaitingTime = 0x1",
         "x.ini:2: [mdworkbench] waitingTime: '0x1' is not a number of "
         "seconds"},
        {"[mdworkbench]\nwaitingTime = -1",
         "x.ini:2: [mdworkbench] waitingTime: '-1' is not a number of "
         "seconds"},
        {"hello", "x.ini:1: neither [section] nor key = value"},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct tmk_io500_conf conf;
        char why[512] = "";

        tmk_io500_conf_init(&conf);
        assert_int_equal(
            tmk_io500_conf_read(&conf, "x.ini", rows[i].text, why, sizeof(why)),
            -EINVAL);
        assert_string_equal(why, rows[i].why);
        tmk_io500_conf_fini(&conf);
    }
}

static void check_command(const struct tmk_io500_site *site,
                          enum tmk_io500_phase phase, const char *want)
{
    struct tmk_io500_args args;
    char *line;

    assert_int_equal(tmk_io500_args_of(site, phase, &args), 0);
    line = tmk_io500_args_line(&args);
    assert_non_null(line);
    assert_string_equal(line, want);
    assert_true(args.words == NULL || args.words[args.n] == NULL);
    free(line);
    tmk_io500_args_fini(&args);
}

/* The seeds of that run are of the time at which it began. */
static void commands_are_those_of_the_original(void **state)
{
    static const struct {
        enum tmk_io500_phase phase;
        const char *command;
    } rows[] = {
        {TMK_IO500_P_IOR_EASY_WRITE,
         "./ior --dataPacketType=timestamp -g -G 1837061180 -k -e -o "
         "./data/ior-easy/ior_file_easy -C -Q 1 -O "
         "stoneWallingStatusFile=./results/ior-easy.stonewall -t 2m -b "
         "256m -F -w -D 1 -O stoneWallingWearOut=1 -a POSIX -O "
         "saveRankPerformanceDetailsCSV=./results/ior-easy-write.csv"},
        {TMK_IO500_P_MDTEST_EASY_WRITE,
         "./mdtest --dataPacketType=timestamp -n 20000 -u -L -F -P -G "
         "-1571728322 -N 1 -d ./data/mdtest-easy -x "
         "./results/mdtest-easy.stonewall -C -Y -W 1 "
         "--saveRankPerformanceDetails=./results/mdtest-easy-write.csv "
         "-a POSIX"},
        {TMK_IO500_P_MDWORKBENCH_CREATE,
         "./md-workbench --dataPacketType=timestamp --process-reports "
         "-a POSIX -o=./data/mdworkbench -t=0.000000 -O=1 "
         "--run-info-file=./results/mdworkbench.status -D=10 "
         "-G=414299141 -P=4497 -I=4497 -1"},
        {TMK_IO500_P_FIND_EASY,
         "./pfind ./data/mdtest-easy/ -name *01* -C -q 10000"},
        {TMK_IO500_P_IOR_HARD_WRITE,
         "./ior --dataPacketType=timestamp -C -Q 1 -g -G=1837071868 -k "
         "-e -o ./data/ior-hard/file -O "
         "stoneWallingStatusFile=./results/ior-hard.stonewall -t 47008 "
         "-b 47008 -s 3000 -w -D 1 -a POSIX -O "
         "saveRankPerformanceDetailsCSV=./results/ior-hard-write.csv -O "
         "stoneWallingWearOut=1"},
        {TMK_IO500_P_MDTEST_HARD_WRITE,
         "./mdtest --dataPacketType=timestamp -n 10000 -t -w 3901 -e "
         "3901 -P -G=-1571717634 -N 1 -F -d ./data/mdtest-hard -x "
         "./results/mdtest-hard.stonewall -C -Y -W 1 "
         "--saveRankPerformanceDetails=./results/mdtest-hard-write.csv "
         "-a POSIX"},
        {TMK_IO500_P_FIND,
         "./pfind ./data -newer ./results/timestampfile -size 3901c "
         "-name *01* -C -q 10000"},
        {TMK_IO500_P_FIND_HARD,
         "./pfind ./data/mdtest-hard/ -newer ./results/timestampfile "
         "-size 3901c -name *01* -C -q 10000"},
        {TMK_IO500_P_MDWORKBENCH_BENCH,
         "./md-workbench --dataPacketType=timestamp --process-reports "
         "-a POSIX -o=./data/mdworkbench -t=0.000000 -O=1 "
         "--run-info-file=./results/mdworkbench.status -D=10 "
         "-G=414299141 -P=4497 -I=4497 -2 -R=2 -X"},
        {TMK_IO500_P_IOR_EASY_READ,
         "./ior --dataPacketType=timestamp -g -G 1837061180 -k -e -o "
         "./data/ior-easy/ior_file_easy -C -Q 1 -O "
         "stoneWallingStatusFile=./results/ior-easy.stonewall -t 2m -b "
         "256m -F -r -R -a POSIX -O "
         "saveRankPerformanceDetailsCSV=./results/ior-easy-read.csv"},
        {TMK_IO500_P_MDTEST_EASY_STAT,
         "./mdtest --dataPacketType=timestamp -n 20000 -u -L -F -P -G "
         "-1571728322 -N 1 -d ./data/mdtest-easy -x "
         "./results/mdtest-easy.stonewall -T "
         "--saveRankPerformanceDetails=./results/mdtest-easy-stat.csv "
         "-a POSIX"},
        {TMK_IO500_P_IOR_HARD_READ,
         "./ior --dataPacketType=timestamp -C -Q 1 -g -G=1837071868 -k "
         "-e -o ./data/ior-hard/file -O "
         "stoneWallingStatusFile=./results/ior-hard.stonewall -t 47008 "
         "-b 47008 -s 3000 -r -R -a POSIX -O "
         "saveRankPerformanceDetailsCSV=./results/ior-hard-read.csv"},
        {TMK_IO500_P_MDTEST_HARD_STAT,
         "./mdtest --dataPacketType=timestamp -n 10000 -t -w 3901 -e "
         "3901 -P -G=-1571717634 -N 1 -F -d ./data/mdtest-hard -x "
         "./results/mdtest-hard.stonewall -T "
         "--saveRankPerformanceDetails=./results/mdtest-hard-stat.csv "
         "-a POSIX"},
        {TMK_IO500_P_MDWORKBENCH_DELETE,
         "./md-workbench --dataPacketType=timestamp --process-reports "
         "-a POSIX -o=./data/mdworkbench -t=0.000000 -O=1 "
         "--run-info-file=./results/mdworkbench.status -D=10 "
         "-G=414299141 -P=4497 -I=4497 -3"},
        {TMK_IO500_P_MDTEST_EASY_DELETE,
         "./mdtest --dataPacketType=timestamp -n 20000 -u -L -F -P -G "
         "-1571728322 -N 1 -d ./data/mdtest-easy -x "
         "./results/mdtest-easy.stonewall -r "
         "--saveRankPerformanceDetails=./results/mdtest-easy-delete.csv "
         "-a POSIX"},
        {TMK_IO500_P_MDTEST_HARD_READ,
         "./mdtest --dataPacketType=timestamp -n 10000 -t -w 3901 -e "
         "3901 -P -G=-1571717634 -N 1 -F -d ./data/mdtest-hard -x "
         "./results/mdtest-hard.stonewall -E -X "
         "--saveRankPerformanceDetails=./results/mdtest-hard-read.csv "
         "-a POSIX"},
        {TMK_IO500_P_MDTEST_HARD_DELETE,
         "./mdtest --dataPacketType=timestamp -n 10000 -t -w 3901 -e "
         "3901 -P -G=-1571717634 -N 1 -F -d ./data/mdtest-hard -x "
         "./results/mdtest-hard.stonewall -r "
         "--saveRankPerformanceDetails=./results/mdtest-hard-delete.csv "
         "-a POSIX"},
        {TMK_IO500_P_IOR_RND4K_EASY_READ,
         "./ior --dataPacketType=timestamp -g -G 1837061180 -k -e -o "
         "./data/ior-easy/ior_file_easy -F -r -D 1 -z -z -a POSIX -O "
         "saveRankPerformanceDetailsCSV=./results/ior-rnd4K-easy-read.csv "
         "-t=4096 -b=4096 -s=10000000 -O stoneWallingWearOut=1 -C -Q 2"},
    };
    struct tmk_io500_conf conf;
    struct tmk_io500_site site = {
        .conf = &conf,
        .datadir = "./data",
        .resultdir = "./results",
        .timestamp = "2026.11.30-17.24.21",
        .objects = 4497,
    };

    (void)state;
    read_it(&conf, small_run);
    for (size_t i = 0; i < COUNT(rows); i++) {
        check_command(&site, rows[i].phase, rows[i].command);
    }
    tmk_io500_conf_fini(&conf);
}

static void options_change_the_commands(void **state)
{
    struct tmk_io500_conf conf;
    struct tmk_io500_site site = {
        .conf = &conf,
        .datadir = "/d",
        .resultdir = "/r",
        .timestamp = "2026.11.30-17.24.21",
    };

    (void)state;
    read_it(&conf,
            "[global]\napi = POSIX  --posix.odirect\nio-buffers-on-gpu = 1\n"
            "[ior-easy]\nfilePerProc = FALSE\nuniqueDir = TRUE\n"
            "verbosity = 2\n"
            "[ior-hard]\ncollective = TRUE\n[ior-hard-write]\nAPI = MPIIO\n"
            "[mdtest-hard]\nfiles-per-dir = 100\n"
            "[find]\npfind-steal-next = TRUE\n"
            "pfind-parallelize-single-dir-access-using-hashing = TRUE\n"
            "[mdworkbench]\nprecreatePerSet = 3\nfilesPerProc = 4\n");
    check_command(
        &site, TMK_IO500_P_IOR_RND4K_EASY_READ,
        "./ior --dataPacketType=timestamp -v -v -O allocateBufferOnGPU=1 -g -G "
        "1837061180 -k -e -o /d/ior-easy/ior_file_easy -u -r -D 300 -z -z -a "
        "POSIX --posix.odirect -O "
        "saveRankPerformanceDetailsCSV=/r/ior-rnd4K-easy-read.csv -t=4096 "
        "-b=4096 -s=10000000 -O stoneWallingWearOut=1");
    check_command(
        &site, TMK_IO500_P_IOR_HARD_WRITE,
        "./ior --dataPacketType=timestamp -O allocateBufferOnGPU=1 -C -Q 1 -g "
        "-G=1837071868 -k -e -o /d/ior-hard/file -O "
        "stoneWallingStatusFile=/r/ior-hard.stonewall -t 47008 -b 47008 -s "
        "10000000 -w -c -D 300 -a MPIIO -O "
        "saveRankPerformanceDetailsCSV=/r/ior-hard-write.csv -O "
        "stoneWallingWearOut=1");
    check_command(
        &site, TMK_IO500_P_MDTEST_HARD_WRITE,
        "./mdtest --dataPacketType=timestamp --allocateBufferOnGPU -n 1000000 "
        "-I=100 -t -w 3901 -e 3901 -P -G=-1571717634 -N 1 -F -d /d/mdtest-hard "
        "-x /r/mdtest-hard.stonewall -C -Y "
        "--saveRankPerformanceDetails=/r/mdtest-hard-write.csv -a POSIX "
        "--posix.odirect");
    check_command(&site, TMK_IO500_P_FIND,
                  "./pfind /d -newer /r/timestampfile -size 3901c -name *01* "
                  "-C -N -H 1 -q 10000");
    check_command(
        &site, TMK_IO500_P_MDWORKBENCH_DELETE,
        "./md-workbench --dataPacketType=timestamp --allocateBufferOnGPU "
        "--process-reports -a POSIX --posix.odirect -o=/d/mdworkbench "
        "-t=0.000000 -O=1 --run-info-file=/r/mdworkbench.status -D=10 "
        "-G=414299141 -P=3 -I=4 -3");
    tmk_io500_conf_fini(&conf);
}

static void the_workbench_is_as_large_as_a_tenth_of_the_files(void **state)
{
    struct tmk_io500_conf conf;

    (void)state;
    read_it(&conf, small_run);
    assert_int_equal(tmk_io500_objects(&conf, 89.958022, 2), 4497);
    assert_int_equal(tmk_io500_objects(&conf, 0, 1), 1000);
    tmk_io500_conf_fini(&conf);
    tmk_io500_conf_init(&conf);
    assert_int_equal(tmk_io500_objects(&conf, 1, 10), 600);
}

static void phases_are_run_unless_they_or_their_family_are_not(void **state)
{
    struct tmk_io500_conf conf;

    (void)state;
    read_it(&conf, "[ior-easy]\nrun = FALSE\n[mdtest-hard-stat]\nrun = 0\n"
                   "[mdworkbench-bench]\nrun = FALSE\n");
    assert_false(tmk_io500_phase_runs(&conf, TMK_IO500_P_IOR_EASY_READ, false));
    assert_false(
        tmk_io500_phase_runs(&conf, TMK_IO500_P_IOR_RND4K_EASY_READ, false));
    assert_false(
        tmk_io500_phase_runs(&conf, TMK_IO500_P_MDTEST_HARD_STAT, false));
    assert_true(
        tmk_io500_phase_runs(&conf, TMK_IO500_P_MDTEST_HARD_READ, false));
    assert_false(tmk_io500_phase_runs(&conf, TMK_IO500_P_FIND_EASY, false));
    assert_true(tmk_io500_phase_runs(&conf, TMK_IO500_P_FIND_EASY, true));
    assert_false(
        tmk_io500_phase_runs(&conf, TMK_IO500_P_MDWORKBENCH_BENCH, true));
    assert_true(tmk_io500_phase_runs(&conf, TMK_IO500_P_TIMESTAMP, false));
    tmk_io500_conf_fini(&conf);
}

/* Published results: 8 nodes of 2, 8 nodes of 8, 10 nodes of 36. */
static void scores_are_those_of_published_results(void **state)
{
    static const enum tmk_io500_phase order[] = {
        TMK_IO500_P_IOR_EASY_WRITE,
        TMK_IO500_P_MDTEST_EASY_WRITE,
        TMK_IO500_P_IOR_HARD_WRITE,
        TMK_IO500_P_MDTEST_HARD_WRITE,
        TMK_IO500_P_FIND,
        TMK_IO500_P_IOR_EASY_READ,
        TMK_IO500_P_MDTEST_EASY_STAT,
        TMK_IO500_P_IOR_HARD_READ,
        TMK_IO500_P_MDTEST_HARD_STAT,
        TMK_IO500_P_MDTEST_EASY_DELETE,
        TMK_IO500_P_MDTEST_HARD_READ,
        TMK_IO500_P_MDTEST_HARD_DELETE,
        TMK_IO500_P_IOR_RND4K_EASY_READ};
    static const struct {
        double score[COUNT(order)];
        double bw, md, total;
    } rows[] = {
        {{12.796751, 6.611423, 0.137987, 3.893660, 220.319273, 17.643188,
          9.071526, 7.769585, 8.816394, 8.365338, 3.706129, 4.760443, 0.002054},
         3.944372,
         9.510778,
         6.124871},
        {{20.046531, 14.191851, 0.136641, 2.479237, 684.031558, 20.881646,
          20.241713, 2.462711, 20.916452, 16.776099, 8.487589, 4.288957,
          0.008195},
         3.445083,
         16.759052,
         7.598442},
        {{20.524085, 9.930871, 0.139053, 2.672797, 1895.276448, 21.292236,
          61.387897, 1.600313, 102.486286, 30.767623, 33.870216, 7.095293,
          0.040576},
         3.140276,
         35.168763,
         10.509026},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct tmk_io500_scores scores = {0};
        struct tmk_io500_means means;

        for (size_t k = 0; k < COUNT(order); k++) {
            scores.score[order[k]] = rows[i].score[k];
        }
        means = tmk_io500_score_means(&scores, false);
        assert_float_equal(means.bw, rows[i].bw, 1e-5);
        assert_float_equal(means.md, rows[i].md, 1e-5);
        assert_float_equal(means.total, rows[i].total, 1e-5);
    }
}

static void what_has_no_score_is_left_out_of_the_mean(void **state)
{
    struct tmk_io500_scores scores = {0};
    struct tmk_io500_means means = tmk_io500_score_means(&scores, true);

    (void)state;
    assert_float_equal(means.bw, 0, 0);
    assert_float_equal(means.total, 0, 0);
    scores.score[TMK_IO500_P_IOR_EASY_WRITE] = 4;
    scores.score[TMK_IO500_P_IOR_HARD_WRITE] = -1;
    scores.score[TMK_IO500_P_FIND_EASY] = 9;
    means = tmk_io500_score_means(&scores, false);
    assert_float_equal(means.bw, 4, 1e-12);
    assert_float_equal(means.md, 0, 0);
    means = tmk_io500_score_means(&scores, true);
    assert_float_equal(means.total, 6, 1e-12);
}

static void seeds_are_never_what_means_none(void **state)
{
    (void)state;
    assert_int_equal(tmk_io500_seed("", ""), 4711);
    assert_int_equal(tmk_io500_seed("ior-easy", "2026.11.30-17.24.21"),
                     1837061180);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_are_sections_keys_or_wrong),
        cmocka_unit_test(lines_are_counted),
        cmocka_unit_test(the_hash_is_that_of_the_original),
        cmocka_unit_test(what_is_written_has_the_same_hash),
        cmocka_unit_test(a_list_reads_as_the_defaults),
        cmocka_unit_test(values_mean_what_they_say),
        cmocka_unit_test(of_a_key_that_is_set_twice_the_last_counts),
        cmocka_unit_test(what_is_wrong_is_named),
        cmocka_unit_test(commands_are_those_of_the_original),
        cmocka_unit_test(options_change_the_commands),
        cmocka_unit_test(the_workbench_is_as_large_as_a_tenth_of_the_files),
        cmocka_unit_test(phases_are_run_unless_they_or_their_family_are_not),
        cmocka_unit_test(scores_are_those_of_published_results),
        cmocka_unit_test(what_has_no_score_is_left_out_of_the_mean),
        cmocka_unit_test(seeds_are_never_what_means_none),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
