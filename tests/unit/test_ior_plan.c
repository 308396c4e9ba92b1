#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "bench/ior_check.h"
#include "bench/ior_plan.h"
#include "unit/ior_given.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))
#define MIB      (UINT64_C(1) << 20)
#define GIB      (UINT64_C(1) << 30)

/* A command line, where it runs and what comes of it. */
struct planned {
    struct given g;
    struct tmk_ior_here here;
    struct tmk_ior_plan plan;
    struct tmk_ior_notes notes;
    char why[256];
    int err;
};

/* So many ranks on so many nodes of 16 GiB.  Release it whatever comes. */
static int plan_on(struct planned *p, const char *line, int ranks, int nodes)
{
    if (given_parse(&p->g, line) != 0) {
        fail_msg("%s: %s", line, p->g.why);
    }
    p->here = (struct tmk_ior_here){
        .ranks = ranks,
        .nodes = nodes,
        .ranks_per_node = (ranks + nodes - 1) / nodes,
        .memory_bytes = 16 * GIB,
        .page_bytes = 4096,
    };
    memset(&p->notes, 'X', sizeof(p->notes));
    p->why[0] = '\0';
    p->err = tmk_ior_plan_make(&p->plan, &p->g.conf, &p->here, &p->notes,
                               p->why, sizeof(p->why));
    return p->err;
}

static void release(struct planned *p)
{
    given_fini(&p->g);
}

static void plan_well(struct planned *p, const char *line, int ranks, int nodes)
{
    if (plan_on(p, line, ranks, nodes) != 0) {
        fail_msg("%s: %s", line, p->why);
    }
}

/* Phases as letters: w W r R m. */
static void phases(const struct tmk_ior_plan *plan, char *buf)
{
    const struct {
        bool on;
        char letter;
    } all[] = {
        {plan->writes, 'w'},      {plan->checks_write, 'W'}, {plan->reads, 'r'},
        {plan->checks_read, 'R'}, {plan->mixes, 'm'},
    };

    for (size_t i = 0; i < COUNT(all); i++) {
        if (all[i].on) {
            *buf++ = all[i].letter;
        }
    }
    *buf = '\0';
}

/* ---- lines that must work ------------------------------------------------ */

#define EASY "--dataPacketType=timestamp -g -G -1622856514 -k -e "
#define SAVE "-O saveRankPerformanceDetailsCSV=/r/d.csv "

static const struct {
    const char *line;
    int ranks, nodes;
    const char *phases;
    bool shared;
    uint64_t transfer, block, segments;
    uint64_t total;
    const char *notes; /* the beginning of the first; NULL = there is none */
} good[] = {
    /* the suite: easy write, easy read, random read, hard write, hard read */
    {EASY "-o /d/ior-easy/ior_file_easy -C -Q 1 "
          "-O stoneWallingStatusFile=/r/ior-easy.stonewall -t 2m -b 9920000m "
          "-F -w -D 300 -O stoneWallingWearOut=1 -a POSIX " SAVE,
     4, 2, "w", false, 2 * MIB, 9920000 * MIB, 1, 39680000 * MIB, NULL},
    {EASY "-o /d/ior-easy/ior_file_easy -C -Q 1 "
          "-O stoneWallingStatusFile=/r/ior-easy.stonewall -t 2m -b 9920000m "
          "-u -F -r -R -a POSIX --posix.odirect -v -v " SAVE,
     4, 2, "rR", false, 2 * MIB, 9920000 * MIB, 1, 39680000 * MIB, NULL},
    {EASY "-o /d/ior-easy/ior_file_easy -F -r -D 300 -z -z -a POSIX " SAVE
          "-t=4096 -b=4096 -s=10000000 -O stoneWallingWearOut=1 -C -Q 2",
     4, 2, "r", false, 4096, 4096, 10000000, UINT64_C(163840000000), NULL},
    {"--dataPacketType=timestamp -C -Q 1 -g -G=-1622856514 -k -e "
     "-o /d/ior-hard/file -O stoneWallingStatusFile=/r/ior-hard.stonewall "
     "-t 47008 -b 47008 -s 10000000 -w -D 300 -a POSIX " SAVE
     "-O stoneWallingWearOut=1",
     4, 2, "w", true, 47008, 47008, 10000000, UINT64_C(1880320000000), NULL},
    {"--dataPacketType=timestamp -C -Q 1 -g -G=7 -k -e -o /d/ior-hard/file "
     "-O stoneWallingStatusFile=/r/ior-hard.stonewall -t 47008 -b 47008 "
     "-s 10000000 -r -R -c -a MPIIO " SAVE,
     4, 2, "rR", true, 47008, 47008, 10000000, UINT64_C(1880320000000), NULL},
    /* the seeds */
    {"-vv -k -wwr -C -F -i4 -t 1m -b 1m -s 20480 -o /mnt/t/IORTEST1-ib-mpi4", 8,
     2, "wr", false, MIB, MIB, 20480, 160 * GIB, NULL},
    {"-a POSIX -v -i 1 -d 3 -e -k -o /mmfs1/perftest/ior/tst.file -w -s 1 "
     "-t 16m -b 2G",
     4, 1, "w", true, 16 * MIB, 2 * GIB, 1, 8 * GIB, NULL},
    {"-a POSIX -v -i 1 -d 3 -e -k -o /mmfs1/perftest/ior/tst.file -r -s 1 "
     "-t 16m -b 2G",
     4, 1, "r", true, 16 * MIB, 2 * GIB, 1, 8 * GIB, NULL},
    {"-w -r -o f", 2, 1, "wr", true, MIB / 4, MIB, 1, 2 * MIB, NULL},
    {"-t 1m -b 16m -s 16 -F -C -e", 64, 4, "wr", false, MIB, 16 * MIB, 16,
     16 * GIB, NULL},
    /* daily use */
    {"", 1, 1, "wr", true, MIB / 4, MIB, 1, MIB, NULL},
    {"-a MPIIO -c", 2, 1, "wr", true, MIB / 4, MIB, 1, 2 * MIB, NULL},
    {"--posix.odirect -F", 2, 1, "wr", false, MIB / 4, MIB, 1, 2 * MIB, NULL},
    {"-i 3 -m", 2, 1, "wr", true, MIB / 4, MIB, 1, 2 * MIB, NULL},
    {"-D 60 -O stoneWallingWearOut=1", 2, 1, "wr", true, MIB / 4, MIB, 1,
     2 * MIB, NULL},
    {"-O summaryFormat=JSON -O summaryFile=x", 2, 1, "wr", true, MIB / 4, MIB,
     1, 2 * MIB, NULL},
    {"-z -F", 2, 1, "wr", false, MIB / 4, MIB, 1, 2 * MIB, NULL},
    {"-r -k -E", 2, 1, "r", true, MIB / 4, MIB, 1, 2 * MIB, NULL},
    {"-Y -g -d 1 -vv -M 60%", 2, 1, "wr", true, MIB / 4, MIB, 1, 2 * MIB, NULL},
    {"-N 2", 4, 1, "wr", true, MIB / 4, MIB, 1, 2 * MIB, NULL},
    /* odd, but right */
    {"-N 0", 4, 1, "wr", true, MIB / 4, MIB, 1, 4 * MIB, NULL},
    {"-N -1", 4, 1, "wr", true, MIB / 4, MIB, 1, 4 * MIB, NULL},
    {"-N 9", 2, 1, "wr", true, MIB / 4, MIB, 1, 2 * MIB,
     "-N: there are no 9 tasks but 2, which take part"},
    {"-t 12 -b 36", 2, 1, "wr", true, 12, 36, 1, 72, NULL},
    {"-t 47001 -b 47001 -s 3", 2, 1, "wr", true, 47001, 47001, 3, 282006, NULL},
    {"-t 1 -b 3", 1, 1, "wr", true, 1, 3, 1, 3, NULL},
    {"-Y -t 1 -b 3", 1, 1, "wr", true, 1, 3, 1, 3, NULL},
    {"-b 1.5m", 1, 1, "wr", true, MIB / 4, 3 * MIB / 2, 1, 3 * MIB / 2, NULL},
    {"-s 0", 1, 1, "wr", true, MIB / 4, MIB, 0, 0,
     "-s: 0 segments hold no data: nothing is transferred"},
    {"-ww", 1, 1, "w", true, MIB / 4, MIB, 1, MIB, NULL},
    {"-wwr -R", 1, 1, "wrR", true, MIB / 4, MIB, 1, MIB, NULL},
    {"-w=0 -r", 1, 1, "r", true, MIB / 4, MIB, 1, MIB, NULL},
    {"-w -W", 1, 1, "wW", true, MIB / 4, MIB, 1, MIB, NULL},
    {"-W -G 5", 1, 1, "W", true, MIB / 4, MIB, 1, MIB, NULL},
    {"-R -G 5", 1, 1, "rR", true, MIB / 4, MIB, 1, MIB, NULL},
    {"-w -r -W -R", 1, 1, "wWrR", true, MIB / 4, MIB, 1, MIB, NULL},
    {"--rwmix=70", 2, 1, "m", true, MIB / 4, MIB, 1, 2 * MIB, NULL},
    {"-r --read-passes=3", 1, 1, "r", true, MIB / 4, MIB, 1, MIB, NULL},
    {"-w -r -D 1 -O stoneWallingWearOut=1 -k -O stoneWallingStatusFile=s", 1, 1,
     "wr", true, MIB / 4, MIB, 1, MIB, NULL},
    {"-r -k -O stoneWallingStatusFile=s", 1, 1, "r", true, MIB / 4, MIB, 1, MIB,
     NULL},
    {"-D 0.5", 1, 1, "wr", true, MIB / 4, MIB, 1, MIB, NULL},
    {"-D 86400", 1, 1, "wr", true, MIB / 4, MIB, 1, MIB, NULL},
    {"-D 1048576", 1, 1, "wr", true, MIB / 4, MIB, 1, MIB,
     "-D: 1048576 seconds are 12.1 days"},
    {"-b 1MB -t 1kB", 1, 1, "wr", true, 1000, 1000000, 1, 1000000,
     "sizes in kB, MB, GB ... are taken as powers of 1000"},
    /* one transfer a block, in random order */
    {"-z -t 1m -s 2 -F", 1, 1, "wr", false, MIB, MIB, 2, 2 * MIB, NULL},
    {"-z -t 1m", 2, 1, "wr", true, MIB, MIB, 1, 2 * MIB, NULL},
    {"-z -z -t 1m", 1, 1, "wr", true, MIB, MIB, 1, MIB, NULL},
    /* a permutation tells whose data is where */
    {"-z -C", 4, 2, "wr", true, MIB / 4, MIB, 1, 4 * MIB, NULL},
    {"-z -Z", 4, 2, "wr", true, MIB / 4, MIB, 1, 4 * MIB, NULL},
    {"-z -w -R", 4, 2, "wrR", true, MIB / 4, MIB, 1, 4 * MIB, NULL},
    {"-z -R -G 5 --random-offset-seed=7", 4, 2, "rR", true, MIB / 4, MIB, 1,
     4 * MIB, NULL},
    {"-z -R -G 5 -F", 4, 2, "rR", false, MIB / 4, MIB, 1, 4 * MIB, NULL},
    {"-z -z -R -G 5", 4, 2, "rR", true, MIB / 4, MIB, 1, 4 * MIB, NULL},
    {"-z --randomPrefill=512k", 1, 1, "wr", true, MIB / 4, MIB, 1, MIB, NULL},
    {"-l noise --compress=2", 1, 1, "wr", true, MIB / 4, MIB, 1, MIB, NULL},
    {"--drop-wait=5 --posix.fadvise=dontneed", 1, 1, "wr", true, MIB / 4, MIB,
     1, MIB, NULL},
    {"-O memoryPerTask=1g", 2, 1, "wr", true, MIB / 4, MIB, 1, 2 * MIB, NULL},
    {"--as=ior-4.1 -z -R -w --random-offset-seed=7", 2, 1, "wrR", true, MIB / 4,
     MIB, 1, 2 * MIB, NULL},
    /* what has no effect */
    {"-u", 1, 1, "wr", true, MIB / 4, MIB, 1, MIB, "-u: has no effect"},
    {"-Q 2", 1, 1, "wr", true, MIB / 4, MIB, 1, MIB, "-Q: has no effect"},
    {"-X 2", 1, 1, "wr", true, MIB / 4, MIB, 1, MIB, "-X: has no effect"},
    {"-K", 1, 1, "wr", true, MIB / 4, MIB, 1, MIB, "-K: has no effect"},
    {"-q", 1, 1, "wr", true, MIB / 4, MIB, 1, MIB, "-q: has no effect"},
    {"--random-offset-seed=2", 1, 1, "wr", true, MIB / 4, MIB, 1, MIB,
     "--random-offset-seed: has no effect"},
    {"-r -z --randomPrefill=1m", 1, 1, "r", true, MIB / 4, MIB, 1, MIB,
     "--randomPrefill: has no effect"},
    {"-r -z -z -C", 1, 1, "r", true, MIB / 4, MIB, 1, MIB,
     "-C and -Z: have no effect with -z -z in a shared file"},
    {"--interval=1", 1, 1, "wr", true, MIB / 4, MIB, 1, MIB,
     "--interval: has no effect without -v, --json or --csv"},
    {"--interval=1 -v", 1, 1, "wr", true, MIB / 4, MIB, 1, MIB, NULL},
    {"--interval=1 --csv f", 1, 1, "wr", true, MIB / 4, MIB, 1, MIB, NULL},
    {"-w --drop-caches", 1, 1, "w", true, MIB / 4, MIB, 1, MIB,
     "--drop-caches: has no effect"},
    {"--server-memory=1g", 1, 1, "wr", true, MIB / 4, MIB, 1, MIB, NULL},
    {"--server-memory=1g --rwmix=50", 1, 1, "m", true, MIB / 4, MIB, 1, MIB,
     NULL},
    {"-w --server-memory=1g", 1, 1, "w", true, MIB / 4, MIB, 1, MIB,
     "--server-memory: has no effect: nothing is read"},
    {"-f x -r -k -O stoneWallingStatusFile=s", 1, 1, "r", true, MIB / 4, MIB, 1,
     MIB, "--stoneWallingStatusFile: each test of the script"},
    {"-w -D 0 -O stoneWallingWearOut=1", 1, 1, "w", true, MIB / 4, MIB, 1, MIB,
     "--stoneWallingWearOut: has no effect without a deadline (-D)"},
    {"-o a@b", 1, 1, "wr", true, MIB / 4, MIB, 1, MIB,
     "-o: without -F only the first of 2 paths is used: 'a' (\\@ is"},
    /* as much as memory says */
    {"--total=1g", 4, 2, "wr", true, MIB / 4, MIB, 256, GIB,
     "--total: 1.0 GiB in 256 segments (-s)"},
    {"--total=1.5m", 1, 1, "wr", true, MIB / 4, MIB, 2, 2 * MIB,
     "--total: 2 segments (-s), 512.0 KiB more than the 1.5 MiB asked for"},
    {"--total=1k", 1, 1, "wr", true, MIB / 4, MIB, 1, MIB,
     "--total: 1 segment (-s), 1023.0 KiB more than the 1.0 KiB asked"},
    {"--total=2xRAM -F", 4, 2, "wr", false, MIB / 4, MIB, 16384, 64 * GIB,
     "--total: 64.0 GiB in 16384 segments (-s)"},
    {"--total=0.5xRAM --server-memory=32g", 1, 1, "wr", true, MIB / 4, MIB,
     24576, 24 * GIB, "--total: 24.0 GiB in 24576 segments (-s)"},
};

static void a_line_that_must_work_gives_its_plan(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(good); i++) {
        struct planned p;
        char letters[8];
        const struct tmk_ior_plan *plan = &p.plan;

        plan_well(&p, good[i].line, good[i].ranks, good[i].nodes);
        phases(plan, letters);
        if (strcmp(letters, good[i].phases) != 0 ||
            plan->shared != good[i].shared ||
            plan->transfer_bytes != good[i].transfer ||
            plan->block_bytes != good[i].block ||
            plan->segments != good[i].segments ||
            plan->total_bytes != good[i].total) {
            fail_msg("%s: %s t %zu b %zu s %zu of %zu", good[i].line, letters,
                     (size_t)plan->transfer_bytes, (size_t)plan->block_bytes,
                     (size_t)plan->segments, (size_t)plan->total_bytes);
        }
        assert_int_equal(plan->per_block, good[i].block / good[i].transfer);
        assert_int_equal(plan->per_rank, plan->per_block * plan->segments);
        assert_int_equal(plan->rank_bytes, plan->segments * plan->block_bytes);
        assert_int_equal(plan->rank_bytes * (uint64_t)plan->tasks,
                         plan->total_bytes);
        assert_int_equal(plan->file_bytes,
                         plan->shared ? plan->total_bytes : plan->rank_bytes);
        if (good[i].notes == NULL
                ? p.notes.n != 0
                : p.notes.n != 1 || strncmp(p.notes.list[0].text, good[i].notes,
                                            strlen(good[i].notes)) != 0) {
            fail_msg("%s: %zu notes, \"%s\"", good[i].line, p.notes.n,
                     p.notes.n > 0 ? p.notes.list[0].text : "");
        }
        release(&p);
    }
}

/* The fields of the first line above, which has one of nearly every kind. */
static void the_suite_gets_what_it_asks_for(void **state)
{
    struct planned p;
    const struct tmk_ior_conf *conf = &p.g.conf;

    (void)state;
    plan_well(&p, good[0].line, 4, 2);
    assert_string_equal(conf->api, "POSIX");
    assert_string_equal(conf->path, "/d/ior-easy/ior_file_easy");
    assert_string_equal(conf->status_file, "/r/ior-easy.stonewall");
    assert_string_equal(conf->rank_details, "/r/d.csv");
    assert_int_equal(conf->seed, -1622856514);
    assert_int_equal(conf->deadline_ns, UINT64_C(300000000000));
    assert_int_equal(conf->wear_out, 1);
    assert_int_equal(conf->barriers, 1);
    assert_int_equal(conf->fsync, 1);
    assert_int_equal(conf->keep, 1);
    assert_int_equal(conf->reorder, 1);
    assert_int_equal(conf->node_offset, 1);
    release(&p);
}

/* ---- lines that cannot be ------------------------------------------------ */

static void what_cannot_be_is_refused_with_both_values(void **state)
{
    static const struct {
        const char *line;
        const char *why; /* the beginning */
    } rows[] = {
        {"-t 24k -b 64k", "-b: a block of 65536 bytes is no multiple of a "
                          "transfer of 24576 (-t); 49152 would be"},
        {"-t 0", "-t: 0 bytes are no transfer (1 is the least)"},
        {"-b 0", "-b: 0 bytes are no block (1 is the least)"},
        {"-t 1m -b 64k", "-t: a transfer of 1048576 bytes is larger than a "
                         "block of 65536 (-b)"},
        {"-b 20 -t 12", "-b: a block of 20 bytes is no multiple of a transfer "
                        "of 12 (-t); 12 would be"},
        {"-b 8191p -s 1024 -D 1", "-b and -s: blocks of 9222246136947933184 "
                                  "bytes in 1024 segments for 4 "
                                  "tasks are more than 2^63-1 bytes"},
        {"-b 8191p", "-b and -s: blocks of"},
        {"-b 4611686018427387904 -t 4611686018427387904 -s "
         "4611686018427387904",
         "-b and -s: blocks of"},
        {"-b 8191p --total=1k", "-b and -s: blocks of"},
        {"--total=8200p", "--total: 9.2e+18 bytes are more than fit into 63 "
                          "bits"},
        {"-t 1p -b 1p", "-t: 1.0 PiB for each of 4 tasks of a node do not fit "
                        "into its memory of 16.0 GiB"},
        {"-t 8g -b 8g", "-t: 8.0 GiB for each of 4 tasks"},
        {"-M 16g", "-M: leaves nothing of the memory of a node, 16.0 GiB"},
        {"-M 100%", "-M: leaves nothing"},
        {"-O memoryPerTask=4g", "--memoryPerTask: 4.0 GiB for each of 4 tasks"},
        {"-M 1g -O memoryPerTask=1g", "-M and --memoryPerTask: memory is"},
        {"-M 10% -O memoryPerTask=1g", "-M and --memoryPerTask: memory is"},
        {"-o \"\"", "-o: the name of the file is empty"},
        {"-o a@", "-o: an empty name in a list of paths (\\@ is the character "
                  "@)"},
        {"-o a@ -F", "-o: an empty name"},
        {"-o dir/", "-o: 'dir/' is the name of a directory, not of a file"},
        {"-F -o a@dir/", "-o: 'dir/' is the name of a directory"},
        {"-w -O stoneWallingStatusFile=s",
         "--stoneWallingStatusFile: tells of files that stay: add -k"},
        {"-w -k -O stoneWallingStatusFile=s",
         "--stoneWallingStatusFile: a launch that writes must make all tasks "
         "even: add --stoneWallingWearOut"},
        {"-R", "-R: data of another launch cannot be checked without its "
               "seed: add -G (or -w)"},
        {"-r -R", "-R: data of another launch"},
        {"-W", "-W: data of another launch"},
        {"-C -Z",
         "-C and -Z: a task reads what either a fixed or a random one"},
        {"-z -t 1m -F", "-z: one transfer has no order: lower -t or raise -s"},
        {"-z -t 1m -N 1", "-z: one transfer has no order"},
        {"--randomPrefill=1m", "--randomPrefill: only with random offsets: "
                               "add -z"},
        {"-z --randomPrefill=768k",
         "--randomPrefill: a block of 1048576 bytes (-b) is no multiple of "
         "786432"},
        {"-z -R -G 5", "-z: a shared file of another launch cannot be checked "
                       "without the seed of its order"},
        {"-z -W -G 5", "-z: a shared file of another launch"},
        {"--rwmix=50 -w", "--rwmix: is the only phase: leave out -w, -r, -W "
                          "and -R"},
        {"--rwmix=50 -R", "--rwmix: is the only phase"},
        {"--rwmix=50 --read-passes=2", "--rwmix: is the only phase: leave out "
                                       "--read-passes"},
        {"-w --read-passes=2", "--read-passes: nothing is read: add -r"},
        {"--total=1g -s 4", "--total: works out the segments: leave out -s"},
        {"--compress=2", "--compress: only noise has a ratio: add -l noise"},
        {"--drop-wait=1", "--drop-wait: nothing is dropped"},
        {"--json=- --csv=-",
         "--json and --csv: only one can have the standard"},
        {"--json=a --csv=a", "--json and --csv: they cannot share a file"},
        {"--total=1000000000xRAM",
         "--total: 1.7e+19 bytes are more than fit into 63 bits"},
        {"--as=ior-4.1 -z -t 1m -s 2", "--as: the original has no -z where"},
        {"--as=ior-4.1 -z -C", "--as: the original has no -C with -z"},
        {"--as=ior-4.1 -z -z -Z", "--as: the original has no -Z with -z"},
        {"--as=ior-4.1 -z -w -R", "--as: the original checks data (-R)"},
        {"--as=ior-4.1 -z -c -a mpiio", "--as: the original has no -c with"},
        {"--as=ior-4.1 -F -u -o a@b", "--as: the original has no -u with"},
        {"--as=ior-4.1 --rwmix=5", "--as: the original has no --rwmix"},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct planned p;

        if (plan_on(&p, rows[i].line, 4, 1) != -EINVAL ||
            strncmp(p.why, rows[i].why, strlen(rows[i].why)) != 0) {
            fail_msg("%s: %d, \"%s\"", rows[i].line, p.err, p.why);
        }
        assert_null(strchr(p.why, '\n'));
        release(&p);
    }
}

static void memory_is_judged_only_where_it_is_known(void **state)
{
    struct planned p;

    (void)state;
    (void)plan_on(&p, "-t 1p -b 1p -M 100%", 4, 1);
    assert_int_equal(p.err, -EINVAL);
    p.here.memory_bytes = 0;
    assert_int_equal(tmk_ior_plan_make(&p.plan, &p.g.conf, &p.here, &p.notes,
                                       p.why, sizeof(p.why)),
                     0);
    release(&p);
    (void)plan_on(&p, "--total=2xRAM", 4, 1);
    assert_int_equal(p.err, 0);
    p.here.memory_bytes = 0;
    assert_int_equal(tmk_ior_plan_make(&p.plan, &p.g.conf, &p.here, &p.notes,
                                       p.why, sizeof(p.why)),
                     -EINVAL);
    assert_string_equal(p.why, "--total: the memory of a node is not known "
                               "here: give a size");
    release(&p);
}

/* Ranks of a node are no more than those that take part. */
static void few_tasks_need_little_memory(void **state)
{
    struct planned p;

    (void)state;
    plan_well(&p, "-t 8g -b 8g -N 2", 8, 1);
    release(&p);
}

static void notes_have_codes_of_warnings_and_an_end(void **state)
{
    struct planned p;
    struct tmk_ior_notes notes = {.n = 0};

    (void)state;
    plan_well(&p, "-b 1MB -t 1kB -D 1048576 -N 9 -s 0 -u -Q 2 -X 2 -K -q", 2,
              1);
    assert_int_equal(p.notes.n, TMK_IOR_NOTES_MAX);
    assert_string_equal(p.notes.list[0].code, "ROUNDED");
    assert_null(p.notes.list[1].code);
    assert_string_equal(p.notes.list[3].code, "NO_EFFECT");
    release(&p);
    for (int i = 0; i < 20; i++) {
        tmk_ior_check_note(&notes, NULL, "%d", i);
    }
    assert_int_equal(notes.n, TMK_IOR_NOTES_MAX);
    assert_string_equal(notes.list[TMK_IOR_NOTES_MAX - 1].text, "7");
}

/* ---- names --------------------------------------------------------------- */

static void files_have_the_names_of_the_original(void **state)
{
    static const struct {
        const char *line;
        uint64_t rank;
        int repetition;
        const char *dir, *path;
    } rows[] = {
        {"", 3, 1, "", "testFile"},
        {"-o g", 0, 0, "", "g"},
        {"-m -i 2 -o g", 0, 0, "", "g.0"},
        {"-m -i 2 -o g", 1, 1, "", "g.1"},
        {"-F -o a@b@c", 0, 0, "", "a.00000000"},
        {"-F -o a@b@c", 1, 0, "", "b.00000001"},
        {"-F -o a@b@c", 2, 0, "", "c.00000002"},
        {"-F -o a@b@c", 3, 0, "", "a.00000003"},
        {"-o a@b@c", 3, 0, "", "a"},
        {"-o a\\@b", 3, 0, "", "a@b"},
        {"-F -o a\\@b@c", 2, 0, "", "a@b.00000002"},
        {"-F -m -o g", 0, 0, "", "g.00000000.0"},
        {"-F -m -o g", 1, 12, "", "g.00000001.12"},
        {"-F -u -o /d/f", 0, 0, "/d/0", "/d/0/f.00000000"},
        {"-F -u -o /d/f", 1, 0, "/d/1", "/d/1/f.00000001"},
        {"-F -u -o /d/f", 3, 0, "/d/3", "/d/3/f.00000003"},
        {"-F -u -m -o /d/f", 12, 4, "/d/12", "/d/12/f.00000012.4"},
        {"-F -u -o testFile", 0, 0, "./0", "./0/testFile.00000000"},
        {"-F -u", 0, 0, "./0", "./0/testFile.00000000"},
        {"-F -u -o /f", 2, 0, "/2", "/2/f.00000002"},
        {"-F -u -o /a/f@/b/g", 1, 0, "/b/1", "/b/1/g.00000001"},
        {"-u -o /d/f", 1, 0, "", "/d/f"},
        {"-F -o f", 123456789, 0, "", "f.123456789"},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct planned p;
        char buf[TMK_IOR_PATH_SIZE];

        plan_well(&p, rows[i].line, 4, 1);
        assert_int_equal(tmk_ior_plan_path(&p.plan, rows[i].rank,
                                           rows[i].repetition, buf,
                                           sizeof(buf)),
                         strlen(rows[i].path));
        assert_string_equal(buf, rows[i].path);
        assert_int_equal(tmk_ior_plan_path(&p.plan, rows[i].rank,
                                           rows[i].repetition, buf,
                                           strlen(rows[i].path)),
                         -ENAMETOOLONG);
        assert_int_equal(
            tmk_ior_plan_dir(&p.plan, rows[i].rank, buf, sizeof(buf)),
            strlen(rows[i].dir));
        assert_string_equal(buf, rows[i].dir);
        if (rows[i].dir[0] != '\0') {
            assert_int_equal(tmk_ior_plan_dir(&p.plan, rows[i].rank, buf,
                                              strlen(rows[i].dir)),
                             -ENAMETOOLONG);
        }
        release(&p);
    }
}

/* "-F -o d/ffff...", of so many bytes. */
static int plan_long(struct planned *p, const char *flags, size_t length)
{
    static char path[2 * TMK_IOR_PATH_SIZE];
    int err = plan_on(p, flags, 4, 1);

    assert_int_equal(err, 0);
    memset(path, 'f', length);
    memcpy(path, "d/", 2);
    path[length] = '\0';
    p->g.conf.path = path;
    return tmk_ior_plan_make(&p->plan, &p->g.conf, &p->here, &p->notes, p->why,
                             sizeof(p->why));
}

static void a_path_may_have_4095_bytes_with_all_that_is_added(void **state)
{
    static const struct {
        const char *flags;
        size_t longest;
    } rows[] = {
        {"-w", 4095},       {"-m", 4093},    /* .0 */
        {"-m -i 11", 4092},                  /* .10 */
        {"-F", 4086},                        /* .00000003 */
        {"-F -m", 4084},    {"-F -u", 4084}, /* d/3/f */
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct planned p;
        char buf[TMK_IOR_PATH_SIZE];

        assert_int_equal(plan_long(&p, rows[i].flags, rows[i].longest), 0);
        assert_int_equal(tmk_ior_plan_path(&p.plan, 3, p.g.conf.repetitions - 1,
                                           buf, sizeof(buf)),
                         4095);
        release(&p);
        assert_int_equal(plan_long(&p, rows[i].flags, rows[i].longest + 1),
                         -EINVAL);
        assert_string_equal(p.why, "-o: a path of more than 4095 bytes");
        release(&p);
        assert_int_equal(plan_long(&p, rows[i].flags, 5000), -EINVAL);
        release(&p);
    }
}

/* With -Y of MMAP, which the original refuses. */
static void pages_are_synced_whole_as_the_original_does(void **state)
{
    static const struct {
        const char *line, *api;
        uint64_t page;
        const char *want; /* would be; NULL = well */
    } rows[] = {
        {"-Y -t 6000 -b 12000", "MMAP", 4096, NULL},
        {"--as=ior-4.1 -t 6000 -b 12000", "MMAP", 4096, NULL},
        {"--as=ior-4.1 -Y -t 6000 -b 12000", "POSIX", 4096, NULL},
        {"--as=ior-4.1 -Y -t 8k", "MMAP", 4096, NULL},
        {"--as=ior-4.1 -Y -t 6000 -b 12000", "MMAP", 0, NULL},
        {"--as=ior-4.1 -Y -t 6000 -b 12000", "mmap", 4096, "; 4096 would be"},
        {"--as=ior-4.1 -Y -t 12k -b 24k", "MMAP", 8192, "; 8192 would be"},
        {"--as=ior-4.1 -Y -t 100 -b 200", "MMAP", 65536, "; 65536 would be"},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct planned p;

        plan_well(&p, rows[i].line, 1, 1);
        p.g.conf.api = rows[i].api;
        p.here.page_bytes = rows[i].page;
        p.err = tmk_ior_plan_make(&p.plan, &p.g.conf, &p.here, &p.notes, p.why,
                                  sizeof(p.why));
        if (rows[i].want == NULL) {
            assert_int_equal(p.err, 0);
        } else {
            assert_int_equal(p.err, -EINVAL);
            assert_non_null(strstr(p.why, "with -Y of MMAP: a transfer of "));
            assert_non_null(strstr(p.why, rows[i].want));
        }
        release(&p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_line_that_must_work_gives_its_plan),
        cmocka_unit_test(the_suite_gets_what_it_asks_for),
        cmocka_unit_test(what_cannot_be_is_refused_with_both_values),
        cmocka_unit_test(pages_are_synced_whole_as_the_original_does),
        cmocka_unit_test(memory_is_judged_only_where_it_is_known),
        cmocka_unit_test(few_tasks_need_little_memory),
        cmocka_unit_test(notes_have_codes_of_warnings_and_an_end),
        cmocka_unit_test(files_have_the_names_of_the_original),
        cmocka_unit_test(a_path_may_have_4095_bytes_with_all_that_is_added),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
