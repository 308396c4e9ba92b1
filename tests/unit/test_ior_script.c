#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "bench/ior_script.h"
#include "unit/ior_given.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

enum { TEXT_SIZE = 512 };

/* A script and its tests, on top of a command line. */
struct read {
    struct given g;
    struct tmk_ior_tests tests;
    size_t ignored;
    int err;
};

static int read_script(struct read *r, const char *line, const char *text)
{
    assert_int_equal(given_parse(&r->g, line), 0);
    r->tests = (struct tmk_ior_tests){
        .tables = r->g.tables,
        .n_tables = GIVEN_TABLES,
        .conf_bytes = r->g.conf_bytes,
    };
    r->err = tmk_ior_script_read(&r->tests, "x.ior", text, &r->ignored,
                                 r->g.why, sizeof(r->g.why));
    return r->err;
}

static void release(struct read *r)
{
    tmk_ior_tests_fini(&r->tests);
    given_fini(&r->g);
}

/* The spellings of `of`, for each test: "1048576 0; 4096 1". */
static void summary(struct read *r, const char *of, char *buf, size_t size)
{
    struct given g = r->g;
    size_t used = 0;

    buf[0] = '\0';
    for (size_t i = 0; i < r->tests.n; i++) {
        char spellings[64];
        char *rest = spellings;
        char *spelling;

        (void)snprintf(spellings, sizeof(spellings), "%s", of);
        for (size_t t = 0; t < GIVEN_TABLES; t++) {
            g.tables[t].conf = r->tests.confs[i * GIVEN_TABLES + t];
        }
        while ((spelling = strsep(&rest, " ")) != NULL) {
            char text[64];

            used +=
                (size_t)snprintf(buf + used, size - used, "%s%s",
                                 given_shown(&g, spelling, text, sizeof(text)),
                                 rest != NULL         ? " "
                                 : i + 1 < r->tests.n ? "; "
                                                      : "");
        }
    }
}

#define SCRIPT(body) "IOR START\n" body "IOR STOP\n"

static void a_script_is_tests_that_inherit(void **state)
{
    static const struct {
        const char *line, *text, *of, *want;
        size_t ignored;
    } rows[] = {
        {"",
         SCRIPT("blockSize=1k\nRUN\nfilePerProc=1\nRUN\nblockSize=2k\nRUN\n"),
         "-b -F", "1024 0; 1024 1; 2048 1", 0},
        {"-b 4k -F", SCRIPT("RUN\nfilePerProc=0\nRUN\n"), "-b -F",
         "4096 1; 4096 0", 0},
        /* options after -f count as well */
        {"-f x.ior -b 4k", SCRIPT("RUN\n"), "-b", "4096", 0},
        /* the same test again */
        {"", SCRIPT("blockSize=1k\nRUN\nRUN\n"), "-b", "1024; 1024", 0},
        /* no RUN, and something after the last RUN */
        {"", SCRIPT("blockSize=1k\n"), "-b", "1024", 0},
        {"", SCRIPT(""), "-b", "1048576", 0},
        {"", SCRIPT("RUN\nblockSize=1k\n"), "-b", "1048576; 1024", 0},
        {"", SCRIPT("RUN\n# nothing\n\n"), "-b", "1048576", 0},
        {"", "IOR START\nblockSize=1k\nRUN\nblockSize=2k", "-b", "1024; 2048",
         0},
        /* case, blanks, comments, line ends of another system */
        {"", "  ior \t start  \n\tBLOCKSIZE = 1k # one\nrun # now\nior stop",
         "-b", "1024", 0},
        {"", "IOR START\r\nblockSize=1k\r\nRUN\r\nIOR STOP\r\n", "-b", "1024",
         0},
        {"", SCRIPT("blockSize=1k#one\n#blockSize=2k\n  # x\nRUN\n"), "-b",
         "1024", 0},
        {"", SCRIPT("testFile=/a/x, filePerProc=1,\nRUN\n"), "-o -F", "/a/x 1",
         0},
        {"", SCRIPT("testFile='/a b, c#d' # e\nlabel=\"'\"\nRUN\n"),
         "-o --label", "/a b, c#d '", 0},
        /* text around it */
        {"", "# a comment\n\nsome text\n" SCRIPT("RUN\n") "\nmore\n# c\n", "-b",
         "1048576", 2},
        {"", SCRIPT("RUN\n") SCRIPT("blockSize=1k\nRUN\n"), "-b", "1048576", 4},
        /* options in dashed form, also those that the original forgets */
        {"", SCRIPT("-t=8k\n-C=1\n-a=dummy\n-l=o\n-M=1k\nRUN\n-M=5%\nRUN\n"),
         "-t -C -a -l -M", "8192 1 DUMMY offset 1024; 8192 1 DUMMY offset 5%",
         0},
        {"", SCRIPT("--posix.odirect=1\nRUN\n--posix.odirect=0\nRUN\n"),
         "--posix.odirect", "1; 0", 0},
        {"", SCRIPT("--posix.odirect\n-F\nRUN\nuseO_DIRECT=0\nRUN\n"),
         "--posix.odirect -F", "1 1; 0 1", 0},
        {"",
         SCRIPT("hintsFileName=h\nshowHints=1\nRUN\nhintsFileName=g\nRUN\n"),
         "--mpiio.hintsFileName --mpiio.showHints", "h 1; g 1", 0},
        {"", SCRIPT("numTasks=2\nRUN\nnumTasks=-1\nRUN\n"), "-N", "2; -1", 0},
        {"--json=a", SCRIPT("json=b\nsummaryFormat=JSON\nRUN\nRUN\n"),
         "--json --summaryFormat", "b JSON; b JSON", 0},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct read r;
        char got[TEXT_SIZE];

        if (read_script(&r, rows[i].line, rows[i].text) != 0) {
            fail_msg("row %zu: %s", i, r.g.why);
        }
        summary(&r, rows[i].of, got, sizeof(got));
        assert_string_equal(got, rows[i].want);
        assert_int_equal(r.ignored, rows[i].ignored);
        release(&r);
    }
}

static void an_error_in_a_script_has_its_file_and_line(void **state)
{
    static const struct {
        const char *text, *why; /* the beginning */
    } rows[] = {
        {"", "x.ior: there is no line IOR START"},
        {"blockSize=1k\nRUN\n", "x.ior: there is no line IOR START"},
        {"IOR START now\nRUN\n", "x.ior: there is no line IOR START"},
        {SCRIPT("\n# c\nsegmentCount=abc\nRUN\n"),
         "x.ior:4: segmentCount: 'abc' is not a whole number"},
        {SCRIPT("RUN\nblockSize=1k,\n  foo=1\n"),
         "x.ior:4: foo: no such directive"},
        {SCRIPT("blocSize=1k\n"),
         "x.ior:2: blocSize: no such directive (is blockSize meant?)"},
        {SCRIPT("RUN 2\n"), "x.ior:2: RUN: '=' missing before '2'"},
        {SCRIPT("IOR START\n"), "x.ior:2: IOR START for the second time"},
        {SCRIPT("testFile='a\n'\n"),
         "x.ior:2: testFile: the quote ' is not closed"},
        {SCRIPT("testFile=a b\n"), "x.ior:2: testFile: stray 'b' after the"},
        {SCRIPT("testFile= # none\n"),
         "x.ior:2: testFile: value missing (testFile=PATH)"},
        {SCRIPT("collective\n"),
         "x.ior:2: collective: value missing (collective=1)"},
        {SCRIPT("-f=y.ior\n"), "x.ior:2: -f: a script cannot be named by"},
        {SCRIPT("useSharedFilePointer=1\n"),
         "x.ior:2: useSharedFilePointer: shared file pointers are not"},
        {SCRIPT("RUN\njson=b\n"), "x.ior:3: json: concerns all tests: it must "
                                  "stand before the first RUN"},
        {SCRIPT("RUN\n--summaryFile=b\n"),
         "x.ior:3: --summaryFile: concerns all tests"},
        {SCRIPT("-O=blockSize=1k\n"),
         "x.ior:2: -O: directives need no option among directives"},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct read r;

        if (read_script(&r, "", rows[i].text) != -EINVAL ||
            strncmp(r.g.why, rows[i].why, strlen(rows[i].why)) != 0) {
            fail_msg("row %zu: %d, \"%s\"", i, r.err, r.g.why);
        }
        assert_null(strchr(r.g.why, '\n'));
        release(&r);
    }
}

/* The example of the original's manual, with keys that are long retired. */
static void the_sample_of_the_manual_is_read(void **state)
{
    static const char text[] = "IOR START\n"
                               "\tapi=POSIX\n"
                               "\ttestFile=testFile\n"
                               "\thintsFileName=hintsFile\n"
                               "\trepetitions=8\n"
                               "\tmultiFile=0\n"
                               "\tinterTestDelay=5\n"
                               "\treadFile=1\n"
                               "\twriteFile=1\n"
                               "\tfilePerProc=0\n"
                               "\tcheckWrite=0\n"
                               "\tcheckRead=0\n"
                               "\tkeepFile=1\n"
                               "\tquitOnError=0\n"
                               "\tsegmentCount=1\n"
                               "\tblockSize=32k\n"
                               "\toutlierThreshold=0\n"
                               "\tsetAlignment=1\n"
                               "\ttransferSize=32\n"
                               "\tsingleXferAttempt=0\n"
                               "\tindividualDataSets=0\n"
                               "\tverbose=0\n"
                               "\tnumTasks=32\n"
                               "\tcollective=1\n"
                               "\tpreallocate=0\n"
                               "\tuseFileView=0\n"
                               "\tkeepFileWithError=0\n"
                               "\tsetTimeStampSignature=0\n"
                               "\tuseSharedFilePointer=0\n"
                               "\tuseStridedDatatype=0\n"
                               "\tuniqueDir=0\n"
                               "\tfsync=0\n"
                               "\tstoreFileOffset=0\n"
                               "\tmaxTimeDuration=60\n"
                               "\tdeadlineForStonewalling=0\n"
                               "\tuseExistingTestFile=0\n"
                               "\tuseO_DIRECT=0\n"
                               "\tshowHints=0\n"
                               "\tshowHelp=0\n"
                               "RUN\n"
                               "# additional tests are optional\n"
                               "\ttransferSize=64\n"
                               "\tblockSize=64k\n"
                               "\tsegmentCount=2\n"
                               "RUN\n"
                               "\ttransferSize=4K\n"
                               "\tblockSize=1M\n"
                               "\tsegmentCount=1\n"
                               "RUN\n"
                               "IOR STOP\n";
    struct read r;
    char got[TEXT_SIZE];

    (void)state;
    if (read_script(&r, "", text) != 0) {
        fail_msg("%s", r.g.why);
    }
    summary(&r, "-t -b -s -i -T --mpiio.hintsFileName", got, sizeof(got));
    assert_string_equal(got, "32 32768 1 8 60 hintsFile; "
                             "64 65536 2 8 60 hintsFile; "
                             "4096 1048576 1 8 60 hintsFile");
    release(&r);
}

/* The example of this project's description of the original. */
static void a_test_may_take_another_engine(void **state)
{
    static const char text[] = "IOR START\n"
                               "  api=POSIX                # comment\n"
                               "  testFile=/scratch/x, filePerProc=1\n"
                               "  transferSize=1m\n"
                               "  blockSize=16m\n"
                               "  segmentCount=16\n"
                               "  fsync=1\n"
                               "  reorderTasks=1\n"
                               "RUN\n"
                               "  filePerProc=0            # second test\n"
                               "RUN\n"
                               "  api=MPIIO\n"
                               "  collective=1\n"
                               "  --mpiio.showHints=1\n"
                               "RUN\n"
                               "IOR STOP\n";
    struct read r;
    char got[TEXT_SIZE];

    (void)state;
    if (read_script(&r, "", text) != 0) {
        fail_msg("%s", r.g.why);
    }
    summary(&r, "-a -F -c --mpiio.showHints -C", got, sizeof(got));
    assert_string_equal(got, "POSIX 1 0 0 1; POSIX 0 0 0 1; MPIIO 0 1 1 1");
    release(&r);
}

static void tests_stand_apart_from_each_other_and_from_the_text(void **state)
{
    char text[] = SCRIPT("testFile=/a\nRUN\ntestFile=/b\nRUN\n");
    struct read r;
    const struct tmk_ior_conf *first;
    const struct tmk_ior_conf *second;

    (void)state;
    assert_int_equal(read_script(&r, "", text), 0);
    memset(text, 'X', sizeof(text) - 1);
    assert_int_equal(r.tests.n, 2);
    first = r.tests.confs[0];
    second = r.tests.confs[GIVEN_TABLES];
    assert_string_equal(first->path, "/a");
    assert_string_equal(second->path, "/b");
    assert_null(first->reach);
    assert_ptr_not_equal(r.tests.confs[1], r.tests.confs[GIVEN_TABLES + 1]);
    release(&r);
}

static void many_tests_are_kept(void **state)
{
    enum { TESTS = 1000 };
    static char text[TESTS * 32];
    size_t used = (size_t)snprintf(text, sizeof(text), "IOR START\n");
    struct read r;

    (void)state;
    for (int i = 0; i < TESTS; i++) {
        used += (size_t)snprintf(text + used, sizeof(text) - used,
                                 "segmentCount=%d\nRUN\n", i);
    }
    assert_int_equal(read_script(&r, "", text), 0);
    assert_int_equal(r.tests.n, TESTS);
    for (size_t i = 0; i < TESTS; i++) {
        const struct tmk_ior_conf *conf = r.tests.confs[i * GIVEN_TABLES];

        assert_int_equal(conf->segments, i);
    }
    release(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_script_is_tests_that_inherit),
        cmocka_unit_test(an_error_in_a_script_has_its_file_and_line),
        cmocka_unit_test(the_sample_of_the_manual_is_read),
        cmocka_unit_test(a_test_may_take_another_engine),
        cmocka_unit_test(tests_stand_apart_from_each_other_and_from_the_text),
        cmocka_unit_test(many_tests_are_kept),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
