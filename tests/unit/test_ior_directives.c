#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "unit/ior_given.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

enum { TEXT_SIZE = 128 };

static void directives_set_what_options_set(void **state)
{
    static const struct {
        const char *line, *spelling, *want;
    } rows[] = {
        {"-O segmentCount=3", "-s", "3"},
        {"-OsegmentCount=3", "-s", "3"},
        {"-O=segmentCount=3", "-s", "3"},
        {"-O SEGMENTCOUNT=3", "-s", "3"},
        {"-O segmentCount=1k", "-s", "1024"},
        {"-O segmentCount~=~3", "-s", "3"},
        {"-O ~segmentCount=3~", "-s", "3"},
        {"-O blockSize=1.5m", "-b", "1572864"},
        {"-O transferSize=47008,blockSize=47008", "-b", "47008"},
        {"-O transferSize=47008,~~blockSize=47008", "-b", "47008"},
        {"-O segmentCount=3,", "-s", "3"},
        {"-O ,segmentCount=3,,fsync=1", "-e", "1"},
        {"-O filePerProcess=1", "-F", "1"},
        {"-O numTasks=2", "-N", "2"},
        {"-O reorderTasksConstant=1", "-C", "1"},
        {"-O fsync=0 -e", "-e", "1"},
        {"-e -O fsync=0", "-e", "0"},
        {"-O segmentCount=3 -s 4", "-s", "4"},
        {"-s 4 -O segmentCount=3", "-s", "3"},
        {"-l o -O dataPacketType=random", "-l", "random"},
        {"-O dataPacketType=random -l o", "-l", "offset"},
        {"-M 1g -O memoryPerNode=50%", "-M", "50%"},
        {"-O memoryPerNode=100m", "-M", "104857600"},
        {"-O summaryFormat=JSON", "--summaryFormat", "JSON"},
        {"-O stoneWallingWearOut=1 -D 300", "--stoneWallingWearOut", "1"},
        {"-O random-offset-seed=7", "--random-offset-seed", "7"},
        {"-O --random-offset-seed=7", "--random-offset-seed", "7"},
        {"-O --posix.odirect=1", "--posix.odirect", "1"},
        {"-O --posix.odirect", "--posix.odirect", "1"},
        {"-O posix.odirect=1", "--posix.odirect", "1"},
        {"-O --POSIX.oDirect=1", "--posix.odirect", "1"},
        {"-O useO_DIRECT=1", "--posix.odirect", "1"},
        {"-O -B", "--posix.odirect", "1"},
        {"-O useO_DIRECT=1 --posix.odirect=0", "--posix.odirect", "0"},
        {"-O --dummy.delay-create=5", "--dummy.delay-create", "5"},
        {"-O hintsFileName=/a/b", "--mpiio.hintsFileName", "/a/b"},
        {"-O preallocate=1", "--mpiio.preallocate", "1"},
        {"-O --posix.fadvise=dontneed", "--posix.fadvise", "dontneed"},
        {"-O -t=8k", "-t", "8192"},
        {"-O -C=1", "-C", "1"},
        {"-O -a=dummy", "-a", "DUMMY"},
        {"-O -l=i", "-l", "incompressible"},
        {"-O -M=1k", "-M", "1024"},
        {"-O testFile=a=b", "-o", "a=b"},
        {"-O testFile='a,~b#'", "-o", "a, b#"},
        {"-O testFile=\"it's\"", "-o", "it's"},
        {"-O testFile='say~\"x\"',fsync=1", "-o", "say \"x\""},
        {"-O testFile=it's", "-o", "it's"},
        {"-O label='',testFile=x", "--label", ""},
        {"-O allocateBufferOnGPU=0", "-o", "testFile"},
        {"-O GPUid=0,GPUDirect=0", "-o", "testFile"},
        /* retired, and not asked for */
        {"-O useSharedFilePointer=0,useStridedDatatype=0", "-s", "1"},
        {"-O setAlignment=1,individualDataSets=0,noFill=0", "-s", "1"},
        {"-O storeFileOffset=0,showHelp=0", "-s", "1"},
        {"-O lustreStripeCount=0", "-s", "1"},
        {"-O quitOnError=1", "-q", "1"},
        {"-O dry-run=1", "--dryRun", "1"},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct given g;
        char text[TEXT_SIZE] = "";

        if (given_parse(&g, rows[i].line) != 0) {
            fail_msg("%s: %s", rows[i].line, g.why);
        }
        given_shown(&g, rows[i].spelling, text, sizeof(text));
        if (strcmp(text, rows[i].want) != 0) {
            fail_msg("%s: %s is \"%s\"", rows[i].line, rows[i].spelling, text);
        }
        assert_null(g.conf.reach);
        given_fini(&g);
    }
}

static void a_wrong_directive_is_refused_by_name(void **state)
{
    static const struct {
        const char *line, *why; /* the beginning */
    } rows[] = {
        {"-O segmentCount=abc",
         "-O: segmentCount: 'abc' is not a whole number (10, 4k and 2m are)"},
        {"-O segmentCount=-1", "-O: segmentCount: -1 is too small (0 is"},
        {"-O fsync=1,blockSize=x", "-O: blockSize: 'x' is not a size"},
        {"-O blocksize=x", "-O: blocksize: 'x' is not a size"},
        {"-O segmentCount", "-O: segmentCount: value missing (segmentCount=N)"},
        {"-O segmentCount=",
         "-O: segmentCount: value missing (segmentCount=N)"},
        {"-O fsync=,segmentCount=3", "-O: fsync: value missing (fsync=1)"},
        {"-O collective", "-O: collective: value missing (collective=1)"},
        {"-O segmentCount~3", "-O: segmentCount: '=' missing before '3'"},
        {"-O =3", "-O: '=3': a directive has a name before the '='"},
        {"-O \"\"", "-O: no directive (segmentCount=3,fsync=1 are)"},
        {"-O ,", "-O: no directive"},
        {"-O=", "-O: value missing (-O KEY=VALUE,...)"},
        {"-O", "-O: value missing (-O KEY=VALUE,...)"},
        {"-O testFile=/a~b", "-O: testFile: stray 'b' after the value (a comma "
                             "between directives, or quotes around a value "
                             "with blanks)"},
        {"-O testFile='a'b", "-O: testFile: stray 'b' after the value"},
        {"-O testFile='a", "-O: testFile: the quote ' is not closed"},
        {"-O testFile=a#b",
         "-O: testFile: '#' begins a comment: put the value in quotes"},
        {"-O #x=1", "-O: '#x=1': a directive has a name"},
        {"-O foo=1", "-O: foo: no such directive"},
        {"-O segmentCont=3",
         "-O: segmentCont: no such directive (is segmentCount meant?)"},
        {"-O stoneWallWearOut=1", "-O: stoneWallWearOut: no such directive "
                                  "(is stoneWallingWearOut meant?)"},
        {"-O odirect=1",
         "-O: odirect: no such directive (is posix.odirect meant?)"},
        {"-O --odirect=1",
         "-O: --odirect: no such directive (is --posix.odirect meant?)"},
        {"-O -L=1", "-O: -L: no such directive"},
        {"-O -segmentCount=1", "-O: -segmentCount: no such directive"},
        {"-O -n=4", "-O: -n: not available here (the number of tasks is -N)"},
        {"-O -n=0", "-O: -n: not available here"},
        {"-O usesharedfilepointer=1", "-O: usesharedfilepointer: shared file "
                                      "pointers are not available here"},
        {"-O storeFileOffset=1",
         "-O: storeFileOffset: is -l offset now (dataPacketType=offset)"},
        {"-O setAlignment=4k", "-O: setAlignment: of HDF5, which is not"},
        {"-O lustreStripeCount=4", "-O: lustreStripeCount: not available here"},
        {"-O --hdf5.x=0", "-O: --hdf5.x: not available here: not built in"},
        {"-O allocateBufferOnGPU=1",
         "-O: allocateBufferOnGPU: there are no buffers on GPUs here"},
        {"-O -f=x", "-O: -f: a script cannot be named by a directive"},
        {"-O -O=x", "-O: -O: directives need no option among directives"},
        {"-O --help=1", "-O: --help: takes no value"},
        {"-O summaryFormat=xml", "-O: summaryFormat: 'xml' is not default"},
        {"-O useO_DIRECT=x", "-O: useO_DIRECT: --posix.odirect: 'x' is not"},
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

/* Memory that comes to an end. */
static char *keep_little(void *arg, size_t bytes)
{
    (void)arg;
    (void)bytes;
    return NULL;
}

static void a_string_that_cannot_be_kept_is_an_error(void **state)
{
    struct given g;

    (void)state;
    given_init(&g);
    assert_int_equal(tmk_ior_directives(g.tables, GIVEN_TABLES, "testFile=x",
                                        keep_little, NULL, g.why,
                                        sizeof(g.why)),
                     -ENOMEM);
    assert_string_equal(g.why, "out of memory");
    given_fini(&g);
}

static void a_directive_has_the_row_of_its_name(void **state)
{
    (void)state;
    assert_int_equal(tmk_ior_directive_row("BLOCKSIZE=3", 9)->key, 'b');
    assert_int_equal(tmk_ior_directive_row("filePerProcess", 14)->key, 'F');
    assert_null(tmk_ior_directive_row("blockSiz", 8));
    assert_null(tmk_ior_directive_row("", 0));
}

static void strings_stay_where_they_are_kept(void **state)
{
    struct given g;

    (void)state;
    assert_int_equal(given_parse(&g, "-O testFile=/a/b -O label='x~y'"), 0);
    memset(g.line, 'X', sizeof(g.line));
    assert_string_equal(g.conf.path, "/a/b");
    assert_string_equal(g.conf.label, "x y");
    given_fini(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(directives_set_what_options_set),
        cmocka_unit_test(a_wrong_directive_is_refused_by_name),
        cmocka_unit_test(a_string_that_cannot_be_kept_is_an_error),
        cmocka_unit_test(a_directive_has_the_row_of_its_name),
        cmocka_unit_test(strings_stay_where_they_are_kept),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
