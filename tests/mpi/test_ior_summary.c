#include "mpi/ior_made.h"

#include <jansson.h>
#include <math.h>

/*
 * JSON.
 */

static json_t *parsed(struct made *m)
{
    json_error_t error;
    json_t *root = json_loads(out_of(m), JSON_REJECT_DUPLICATES, &error);

    if (root == NULL) {
        fprintf(stderr, "%s at line %d of:\n%s\n", error.text, error.line,
                out_of(m));
        fail();
    }
    return root;
}

static double number_of(const json_t *object, const char *name)
{
    const json_t *value = json_object_get(object, name);

    assert_true(json_is_number(value));
    return json_number_value(value);
}

static const char *text_of(const json_t *object, const char *name)
{
    const char *text = json_string_value(json_object_get(object, name));

    assert_non_null(text);
    return text;
}

static void expect_near(double got, double want)
{
    assert_true(fabs(got - want) <= 1e-9 * fabs(want));
}

static void json_has_the_members_of_the_original(void **state)
{
    static const char *const parameters[] = {
        "testID",
        "refnum",
        "api",
        "platform",
        "testFileName",
        "deadlineForStonewall",
        "stoneWallingWearOut",
        "maxTimeDuration",
        "outlierThreshold",
        "options",
        "dryRun",
        "nodes",
        "memoryPerTask",
        "memoryPerNode",
        "tasksPerNode",
        "repetitions",
        "multiFile",
        "interTestDelay",
        "fsync",
        "fsyncperwrite",
        "useExistingTestFile",
        "uniqueDir",
        "singleXferAttempt",
        "readFile",
        "writeFile",
        "filePerProc",
        "reorderTasks",
        "reorderTasksRandom",
        "reorderTasksRandomSeed",
        "randomOffset",
        "checkWrite",
        "checkRead",
        "dataPacketType",
        "keepFile",
        "keepFileWithError",
        "warningAsErrors",
        "verbose",
        "data packet type",
        "setTimeStampSignature/incompressibleSeed",
        "collective",
        "segmentCount",
        "transferSize",
        "blockSize"};
    struct made *m = made_new();
    struct tmk_ior_phase phase = phase_of(m, TMK_IOR_WRITE, 0, 1000000000);
    json_t *root;
    json_t *test;
    json_t *row;
    json_t *wide;

    (void)state;
    m->run.format = TMK_IOR_FORMAT_JSON;
    m->conf.verbose = 1;
    phase.best_mean_ns = 30123;
    begin(m);
    show(m, &phase);
    phase.access = TMK_IOR_REMOVE;
    show(m, &phase);
    assert_string_equal(out_of(m), "");
    end(m);
    root = parsed(m);
    assert_string_equal(text_of(root, "Version"), "4.1.0+treemark-0.1.0");
    assert_string_equal(text_of(root, "Began"), "Mon Nov 30 17:25:55 2026");
    assert_string_equal(text_of(root, "Command line"),
                        "ior -w -r -i 2 -t 256k -b 4m -s 2 -F -o ./iorf");
    assert_non_null(text_of(root, "Machine"));
    assert_non_null(text_of(root, "Finished"));
    test = json_array_get(json_object_get(root, "tests"), 0);
    assert_int_equal(number_of(test, "TestID"), 0);
    assert_string_equal(text_of(test, "Path"), "./iorf.00000000");
    assert_string_equal(text_of(test, "Capacity"), "252.0 GiB");
    assert_string_equal(text_of(test, "Used Inodes"), "2.7%");
    for (size_t i = 0; i < COUNT(parameters); i++) {
        assert_non_null(json_object_get(json_object_get(test, "Parameters"),
                                        parameters[i]));
    }
    assert_int_equal(json_object_size(json_object_get(test, "Parameters")),
                     COUNT(parameters));
    assert_string_equal(text_of(json_object_get(test, "Options"), "xfersize"),
                        "262144 bytes");
    assert_int_equal(number_of(json_object_get(test, "Options"), "tasks"), 2);
    assert_int_equal(json_array_size(json_object_get(test, "Results")), 2);
    row = json_array_get(json_object_get(test, "Results"), 0);
    assert_string_equal(text_of(row, "access"), "write");
    expect_near(number_of(row, "bwMiB"), 16.0);
    expect_near(number_of(row, "blockKiB"), 4096.0);
    expect_near(number_of(row, "xferKiB"), 256.0);
    expect_near(number_of(row, "iops"), 128.0);
    expect_near(number_of(row, "latency"), 0.000030123);
    expect_near(number_of(row, "openTime"), 0.1);
    expect_near(number_of(row, "wrRdTime"), 0.5);
    expect_near(number_of(row, "closeTime"), 0.1);
    expect_near(number_of(row, "totalTime"), 1.0);
    assert_int_equal(number_of(row, "iter"), 0);
    assert_null(json_object_get(row, "pass"));
    row = json_array_get(json_object_get(test, "Results"), 1);
    assert_string_equal(text_of(row, "access"), "remove");
    assert_int_equal(json_object_size(row), 3);
    expect_near(number_of(json_object_get(test, "max"), "writeMiB"), 16.0);
    expect_near(number_of(json_object_get(test, "max"), "writeMB"), 16.777216);
    wide = json_array_get(json_object_get(root, "summary"), 0);
    assert_string_equal(text_of(wide, "operation"), "write");
    assert_string_equal(text_of(wide, "API"), "POSIX");
    expect_near(number_of(wide, "bwMeanMIB"), 16.0);
    expect_near(number_of(wide, "OPsMax"), 64.0);
    expect_near(number_of(wide, "MeanTime"), 1.0);
    expect_near(number_of(wide, "xsizeMiB"), 16.0);
    assert_int_equal(number_of(wide, "taskPerNodeOffset"), 1);
    assert_null(json_object_get(wide, "StoneWallTime"));
    json_decref(root);
    made_free(m);
}

static void json_is_valid_whatever_a_name_holds(void **state)
{
    static const struct {
        const char *name, *shown;
    } rows[] = {
        {"a \"quoted\" name", "a \"quoted\" name"},
        {"two\nlines\t\\ and \x01", "two\nlines\t\\ and \x01"},
        {"\xc3\xa9t\xc3\xa9", "\xc3\xa9t\xc3\xa9"},
        {"latin\xe9 50%", "latin%E9 50%25"},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct made *m = made_new();
        char *argv[] = {(char *)(uintptr_t)rows[i].name};
        json_t *root;
        json_t *test;

        m->run.format = TMK_IOR_FORMAT_JSON;
        m->run.argc = 1;
        m->run.argv = argv;
        m->conf.path = rows[i].name;
        m->test.path = rows[i].name;
        begin(m);
        end(m);
        root = parsed(m);
        test = json_array_get(json_object_get(root, "tests"), 0);
        assert_string_equal(text_of(root, "Command line"), rows[i].shown);
        assert_string_equal(text_of(test, "Path"), rows[i].shown);
        assert_string_equal(
            text_of(json_object_get(test, "Options"), "test filename"),
            rows[i].shown);
        json_decref(root);
        made_free(m);
    }
}

static void what_json_cannot_hold_is_null(void **state)
{
    struct made *m = made_new();
    struct tmk_ior_phase phase = phase_of(m, TMK_IOR_WRITE, 0, 0);
    json_t *root;
    json_t *test;
    json_t *row;

    (void)state;
    m->run.format = TMK_IOR_FORMAT_JSON;
    m->test.usage_known = false;
    m->conf.deadline_ns = 1000000000;
    phase.moved_bytes = 0;
    phase.transfers = 0;
    begin(m);
    show(m, &phase);
    end(m);
    root = parsed(m);
    test = json_array_get(json_object_get(root, "tests"), 0);
    row = json_array_get(json_object_get(test, "Results"), 0);
    assert_true(json_is_null(json_object_get(row, "bwMiB")));
    assert_true(json_is_null(json_object_get(row, "iops")));
    assert_true(json_is_null(json_object_get(row, "latency")));
    assert_true(json_is_null(json_object_get(test, "Capacity")));
    row = json_array_get(json_object_get(root, "summary"), 1);
    assert_string_equal(text_of(row, "operation"), "read");
    assert_true(json_is_null(json_object_get(row, "bwMaxMIB")));
    assert_true(json_is_null(json_object_get(row, "MeanTime")));
    json_decref(root);
    assert_non_null(strstr(log_of(m), "INFO: Expected")); /* not in it */
    made_free(m);
}

static void json_tells_passes_and_mixes(void **state)
{
    struct made *m = made_new();
    struct tmk_ior_phase phase = phase_of(m, TMK_IOR_READ, 0, 1000000000);
    json_t *root;
    json_t *rows;

    (void)state;
    m->run.format = TMK_IOR_FORMAT_JSON;
    m->conf.read_passes = 2;
    begin(m);
    show(m, &phase);
    phase.pass = 1;
    show(m, &phase);
    phase.pass = 0;
    phase.repetition = 1;
    phase.access = TMK_IOR_MIX;
    show(m, &phase);
    end(m);
    root = parsed(m);
    rows = json_object_get(json_array_get(json_object_get(root, "tests"), 0),
                           "Results");
    assert_int_equal(json_array_size(rows), 5);
    assert_int_equal(number_of(json_array_get(rows, 0), "pass"), 0);
    assert_int_equal(number_of(json_array_get(rows, 1), "pass"), 1);
    assert_null(json_object_get(json_array_get(rows, 1), "mixed"));
    assert_true(
        json_is_true(json_object_get(json_array_get(rows, 2), "mixed")));
    assert_int_equal(number_of(json_array_get(rows, 3), "iter"), 1);
    assert_null(json_object_get(json_array_get(rows, 4), "mixed"));
    assert_string_equal(
        json_string_value(json_object_get(json_array_get(rows, 4), "access")),
        "mixed");
    json_decref(root);
    made_free(m);
}

/*
 * CSV.
 */

static void csv_has_the_columns_of_the_original(void **state)
{
    struct made *m = made_new();
    struct tmk_ior_phase phase = phase_of(m, TMK_IOR_WRITE, 1, 1000000000);

    (void)state;
    m->run.format = TMK_IOR_FORMAT_CSV;
    m->conf.verbose = 1;
    begin(m);
    show(m, &phase);
    phase.access = TMK_IOR_REMOVE;
    show(m, &phase);
    phase.access = TMK_IOR_READ;
    phase.total_ns = 0;
    show(m, &phase);
    end(m);
    assert_string_equal(
        out_of(m),
        "access,bw(MiB/s),IOPS,Latency,block(KiB),xfer(KiB),open(s),wr/rd(s),"
        "close(s),total(s),numTasks,iter\n"
        "write,16.0000,128.0000,0.000001000,4096.0000,256.0000,0.100000000,"
        "0.500000000,0.100000000,1.000000000,2,1\n"
        "read,,128.0000,0.000001000,4096.0000,256.0000,0.100000000,"
        "0.500000000,0.100000000,0.000000000,2,1\n");
    made_free(m);
}

static void each_rank_has_a_line(void **state)
{
    static const uint64_t whole_ns[] = {2000000000, 4000000000};
    static const uint64_t transfer_ns[] = {1000000000, 0};
    struct made *m = made_new();
    struct tmk_ior_phase phase = phase_of(m, TMK_IOR_WRITE, 0, 4000000000);

    (void)state;
    tmk_ior_text_ranks_header(m->text.out);
    tmk_ior_text_ranks(m->text.out, &phase, 2, whole_ns, transfer_ns);
    phase.access = TMK_IOR_MIX;
    phase.read_bytes = 16 * MIB;
    tmk_ior_text_ranks(m->text.out, &phase, 1, whole_ns, transfer_ns);
    phase.access = TMK_IOR_REMOVE;
    tmk_ior_text_ranks(m->text.out, &phase, 1, whole_ns, transfer_ns);
    assert_string_equal(
        out_of(m),
        "access,rank,runtime-with-openclose,runtime,throughput-withopenclose,"
        "throughput\n"
        "write,0,2.0000000000e+00,1.0000000000e+00,4.1943040000e+06,"
        "8.3886080000e+06\n"
        "write,1,4.0000000000e+00,0.0000000000e+00,2.0971520000e+06,\n"
        "write,0,2.0000000000e+00,1.0000000000e+00,0.0000000000e+00,"
        "0.0000000000e+00\n"
        "read,0,2.0000000000e+00,1.0000000000e+00,8.3886080000e+06,"
        "1.6777216000e+07\n");
    made_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(json_has_the_members_of_the_original),
        cmocka_unit_test(json_is_valid_whatever_a_name_holds),
        cmocka_unit_test(what_json_cannot_hold_is_null),
        cmocka_unit_test(json_tells_passes_and_mixes),
        cmocka_unit_test(csv_has_the_columns_of_the_original),
        cmocka_unit_test(each_rank_has_a_line),
    };

    ranks_begin();
    return ranks_end(cmocka_run_group_tests(tests, NULL, NULL));
}
