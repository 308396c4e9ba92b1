#include "mpi/ior_made.h"

#include <errno.h>
#include <math.h>

/*
 * The golden text.
 */

static const char golden[] =
    "IOR-4.1.0+treemark-0.1.0: MPI Coordinated Test of Parallel I/O\n"
    "Began               : Mon Nov 30 17:25:55 2026\n"
    "Command line        : ior -w -r -i 2 -t 256k -b 4m -s 2 -F -o ./iorf\n"
    "Machine             : *\n"
    "TestID              : 0\n"
    "StartTime           : Mon Nov 30 17:25:55 2026\n"
    "Path                : ./iorf.00000000\n"
    "FS                  : 252.0 GiB   Used FS: 7.0%   Inodes: 16.0 Mi   "
    "Used Inodes: 2.7%\n"
    "\n"
    "Options: \n"
    "api                 : POSIX\n"
    "apiVersion          : \n"
    "test filename       : ./iorf\n"
    "access              : file-per-process\n"
    "type                : independent\n"
    "segments            : 2\n"
    "ordering in a file  : sequential\n"
    "ordering inter file : no tasks offsets\n"
    "nodes               : 1\n"
    "tasks               : 2\n"
    "clients per node    : 2\n"
    "memoryBuffer        : CPU\n"
    "dataAccess          : CPU\n"
    "GPUDirect           : 0\n"
    "repetitions         : 2\n"
    "xfersize            : 262144 bytes\n"
    "blocksize           : 4 MiB\n"
    "aggregate filesize  : 16 MiB\n"
    "\n"
    "Results: \n"
    "\n"
    "access    bw(MiB/s)  IOPS       Latency(s)  block(KiB) xfer(KiB)  "
    "open(s)    wr/rd(s)   close(s)   total(s)   iter\n"
    "------    ---------  ----       ----------  ---------- ---------  "
    "--------   --------   --------   --------   ----\n"
    "write     4441       17993      0.000082    4096       256.00     "
    "0.000071   0.003557   0.000937   0.003603   0   \n"
    "read      20913      92341      0.000015    4096       256.00     "
    "0.000268   0.000693   0.000187   0.000765   0   \n"
    "write     12366      50553      0.000039    4096       256.00     "
    "0.000053   0.001266   0.000234   0.001294   1   \n"
    "read      43577      178838     0.000011    4096       256.00     "
    "0.000007   0.000358   0.000010   0.000367   1   \n"
    "Max Write: 12365.74 MiB/sec (12966.42 MB/sec)\n"
    "Max Read:  43577.18 MiB/sec (45693.99 MB/sec)\n"
    "\n"
    "Summary of all tests:\n"
    "Operation   Max(MiB)   Min(MiB)  Mean(MiB)     StdDev   Max(OPs)   "
    "Min(OPs)  Mean(OPs)     StdDev    Mean(s) Stonewall(s) Stonewall(MiB) "
    "Test# #Tasks tPN reps fPP reord reordoff reordrand seed segcnt   blksiz   "
    " "
    "xsize aggs(MiB)   API RefNum\n"
    "write       12365.74    4440.77    8403.25    3962.49   49462.95   "
    "17763.07   33613.01   15849.94    0.00245         NA            NA     0  "
    "    2   2    2   1     0        1         0    0      2  4194304   262144 "
    "     16.0 POSIX      0\n"
    "read        43577.18   20912.70   32244.94   11332.24  174308.74   "
    "83650.81  128979.77   45328.96    0.00057         NA            NA     0  "
    "    2   2    2   1     0        1         0    0      2  4194304   262144 "
    "     16.0 POSIX      0\n"
    "Finished            : *\n";

/* The same but for lines that end in '*'. */
static void expect_text(const char *got, const char *want)
{
    while (*want != '\0' || *got != '\0') {
        const size_t n = strcspn(want, "\n");
        const size_t m = strcspn(got, "\n");
        const bool open = n != 0 && want[n - 1] == '*';
        const size_t same = open ? n - 1 : n;

        if ((!open && n != m) || m < same || memcmp(got, want, same) != 0) {
            fprintf(stderr, "want: %.*s|\ngot:  %.*s|\n", (int)n, want, (int)m,
                    got);
            fail();
        }
        want += n + (want[n] != '\0');
        got += m + (got[m] != '\0');
    }
}

/* The rates of both repetitions, as the original had them from a clock that
 * does not count in whole ns. */
static void give_sum(struct tmk_ior_sum *sum, double first_mib,
                     double second_mib)
{
    const double rates[] = {first_mib, second_mib};

    for (size_t i = 0; i < COUNT(rates); i++) {
        tmk_stats_add(&sum->bytes_per_s, rates[i] * (double)MIB);
        tmk_stats_add(&sum->ops_per_s, rates[i] * 4.0);
        tmk_stats_add(&sum->total_s, 16.0 / rates[i]);
    }
    sum->first_bytes = 16 * MIB;
}

static void the_text_is_that_of_the_original(void **state)
{
    static const struct {
        enum tmk_ior_access access;
        int repetition;
        uint64_t open_ns, transfer_ns, close_ns, total_ns, mean_ns;
    } rows[] = {
        {TMK_IOR_WRITE, 0, 71000, 3556939, 937000, 3602979, 82000},
        {TMK_IOR_READ, 0, 268000, 693084, 187000, 765085, 15000},
        {TMK_IOR_WRITE, 1, 53000, 1265998, 234000, 1293898, 39000},
        {TMK_IOR_READ, 1, 7000, 357866, 10000, 367165, 11000},
    };
    struct made *m = made_new();

    (void)state;
    begin(m);
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct tmk_ior_phase phase =
            phase_of(m, rows[i].access, rows[i].repetition, rows[i].total_ns);

        phase.open_ns = rows[i].open_ns;
        phase.transfer_ns = rows[i].transfer_ns;
        phase.close_ns = rows[i].close_ns;
        phase.best_mean_ns = rows[i].mean_ns;
        tmk_ior_text_phase(&m->text, &m->test, &phase);
    }
    give_sum(&m->test.sums[TMK_IOR_WRITE], 4440.7674, 12365.7375);
    give_sum(&m->test.sums[TMK_IOR_READ], 20912.7025, 43577.185);
    end(m);
    expect_text(out_of(m), golden);
    assert_string_equal(log_of(m), "");
    made_free(m);
}

/*
 * Numbers and texts.
 */

static void sizes_are_those_of_the_original(void **state)
{
    static const struct {
        uint64_t bytes;
        const char *text;
    } rows[] = {
        {0, "0 bytes"},
        {1, "1 bytes"},
        {4096, "4096 bytes"},
        {47008, "47008 bytes"},
        {262144, "262144 bytes"},
        {MIB - 1, "1048575 bytes"},
        {MIB, "1 MiB"},
        {MIB + 1, "1.00 MiB"},
        {3 * MIB / 2, "1.50 MiB"},
        {16 * MIB, "16 MiB"},
        {1023 * MIB, "1023 MiB"},
        {2097152000, "1.95 GiB"},
        {UINT64_C(1) << 30, "1 GiB"},
        {UINT64_C(160) << 30, "160 GiB"},
        {UINT64_C(1) << 40, "1 TiB"},
        {(UINT64_C(1) << 40) + (UINT64_C(1) << 39), "1.50 TiB"},
        {UINT64_C(1) << 60, "1048576 TiB"},
        {UINT64_MAX, "16777216.00 TiB"},
    };
    char buf[32];

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        assert_string_equal(tmk_ior_text_size(rows[i].bytes, buf, sizeof(buf)),
                            rows[i].text);
    }
}

static void numbers_have_as_many_decimals_as_fit(void **state)
{
    static const struct {
        double value;
        const char *text;
    } rows[] = {
        {0.0, "0.000000"},     {0.000428, "0.000428"}, {0.25, "0.250000"},
        {1.0, "1.00"},         {633.26, "633.26"},     {256.0, "256.00"},
        {3599.994, "3599.99"}, {3600.0, "3600"},       {4096.0, "4096"},
        {4521.3, "4521"},      {178838.2, "178838"},   {-1.0, "-"},
        {-0.001, "-"},         {(double)NAN, "-"},     {HUGE_VAL, "-"},
        {-HUGE_VAL, "-"},
    };
    char buf[32];

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        assert_string_equal(
            tmk_ior_text_number(rows[i].value, buf, sizeof(buf)), rows[i].text);
    }
}

static void no_name_can_look_like_another_line(void **state)
{
    struct made *m = made_new();
    char *argv[] = {(char *)(uintptr_t) "ior",
                    (char *)(uintptr_t) "-o\nread 1"};

    (void)state;
    m->run.argc = 2;
    m->run.argv = argv;
    m->conf.path = "a\nwrite 1";
    m->test.path = "a\r\nread 2";
    begin(m);
    end(m);
    expect_line(out_of(m), "Command line        : ior -o?read 1");
    expect_line(out_of(m), "test filename       : a?write 1");
    expect_line(out_of(m), "Path                : a??read 2");
    made_free(m);
}

/*
 * The options.
 */

static const char *mpi_version(void)
{
    return "(4.0)";
}

static void options_are_there_where_they_were_given(void **state)
{
    static const char *const lines[] = {
        "api                 : MPIIO",
        "apiVersion          : (4.0)",
        "access              : single-shared-file",
        "type                : collective",
        "ordering in a file  : random",
        "ordering inter file : random task offset",
        "task offset         : 3",
        "reorder random seed : -7",
        "memoryPerTask       : 1.50 GiB",
        "memoryPerNode       : 60%",
        "dryRun              : 1",
        "verbose             : 2",
        "stonewallingTime    : 0.5",
        "stoneWallingWearOut : 1",
        "reads in the mix (%): 70",
        "read passes         : 3",
    };
    struct made *m = made_new();

    (void)state;
    m->ops.name = "MPIIO";
    m->ops.version = mpi_version;
    m->plan.shared = true;
    m->conf.collective = 1;
    m->conf.random_offset = 1;
    m->conf.reorder_random = 1;
    m->conf.reorder_seed = -7;
    m->conf.node_offset = 3;
    m->conf.per_task_bytes = 1536 * MIB;
    m->conf.per_node.percent = 60.0;
    m->conf.dry_run = 1;
    m->conf.verbose = 2;
    m->conf.deadline_ns = 500000000;
    m->conf.wear_out = 1;
    m->conf.rwmix = 70;
    m->conf.read_passes = 3;
    begin(m);
    for (size_t i = 0; i < COUNT(lines); i++) {
        expect_line(out_of(m), lines[i]);
    }
    expect_none(out_of(m), "Parameters");
    m->conf.reorder_random = 0;
    m->conf.reorder = 1;
    m->conf.deadline_ns = 300000000000;
    m->conf.verbose = 3;
    m->conf.per_node.percent = 0.0;
    m->conf.per_node.bytes = MIB;
    m->test.id = 1;
    tmk_ior_text_test_begin(&m->text, &m->test);
    expect_line(out_of(m), "ordering inter file : constant task offset");
    expect_line(out_of(m), "stonewallingTime    : 300");
    expect_line(out_of(m), "memoryPerNode       : 1 MiB");
    expect_line(out_of(m), "TestID              : 1");
    expect_line(out_of(m), "Parameters: ");
    expect_line(out_of(m), "deadlineForStonewall: 300");
    expect_line(out_of(m), "data packet type    : t");
    end(m);
    made_free(m);
}

static void a_file_system_that_reports_nothing_is_said_so(void **state)
{
    struct made *m = made_new();

    (void)state;
    m->ops.name = "DUMMY";
    m->test.usage_known = false;
    begin(m);
    expect_line(out_of(m), "Path                : ./iorf.00000000");
    expect_line(out_of(m), "FS                  : not reported (DUMMY)");
    end(m);
    made_free(m);
}

/*
 * Rows.
 */

static void removal_has_a_row_from_v_on(void **state)
{
    struct made *m = made_new();
    struct tmk_ior_phase phase = phase_of(m, TMK_IOR_REMOVE, 1, 1500000000);

    (void)state;
    phase.result = NULL;
    begin(m);
    show(m, &phase);
    expect_none(out_of(m), "remove");
    m->conf.verbose = 1;
    show(m, &phase);
    expect_line(out_of(m),
                "remove       -          -          -           -          -   "
                "       -          -          -       1.50       1   ");
    end(m);
    made_free(m);
}

static void nothing_is_infinite_or_no_number(void **state)
{
    struct made *m = made_new();
    struct tmk_ior_phase phase = phase_of(m, TMK_IOR_WRITE, 0, 0);

    (void)state;
    phase.moved_bytes = 0;
    phase.transfers = 0;
    begin(m);
    show(m, &phase);
    expect_line(out_of(m),
                "write        -          -          -        4096       256.00 "
                "    0.000000   0.000000   0.000000   0.000000   0   ");
    end(m);
    expect_line(
        out_of(m),
        "write             NA         NA         NA         NA         NA      "
        "   NA         NA         NA         NA         NA            NA     0 "
        "     2   2    2   1     0        1         0    0      2  4194304   "
        "262144       0.0 POSIX      0");
    expect_none(out_of(m), "Max ");
    expect_none(out_of(m), "nan");
    expect_none(out_of(m), "inf");
    made_free(m);
}

static void later_passes_are_told_from_the_first_and_do_not_count(void **state)
{
    struct made *m = made_new();
    struct tmk_ior_phase phase = phase_of(m, TMK_IOR_READ, 0, 16000000000);

    (void)state;
    m->conf.read_passes = 2;
    begin(m);
    show(m, &phase);
    phase.pass = 1;
    phase.total_ns = 1000000000;
    show(m, &phase);
    expect_line(out_of(m),
                "read      1.00       8.00       0.000001    4096       256.00 "
                "    1.60       8.00       1.60       16.00      0   ");
    expect_line(out_of(m),
                "read      16.00      8.00       0.000001    4096       256.00 "
                "    1.60       8.00       1.60       1.00       0    pass 2");
    end(m);
    expect_line(out_of(m), "Max Read:  1.00 MiB/sec (1.05 MB/sec)");
    assert_int_equal(m->test.sums[TMK_IOR_READ].bytes_per_s.n, 1);
    made_free(m);
}

static void a_mixed_phase_has_three_rows_over_the_same_time(void **state)
{
    struct made *m = made_new();
    struct tmk_ior_phase phase = phase_of(m, TMK_IOR_MIX, 0, 2000000000);

    (void)state;
    m->plan.mixes = true;
    m->plan.writes = false;
    m->plan.reads = false;
    phase.read_bytes = 12 * MIB;
    phase.side_mean_ns[TMK_IOR_WRITE] = 3000;
    begin(m);
    show(m, &phase);
    expect_line(out_of(m),
                "write     2.00       16.00      0.000003    4096       256.00 "
                "    0.200000   1.00       0.200000   2.00       0    mixed");
    expect_line(out_of(m),
                "read      6.00       48.00         -        4096       256.00 "
                "    0.200000   1.00       0.200000   2.00       0    mixed");
    expect_line(out_of(m),
                "mixed     8.00       64.00      0.000001    4096       256.00 "
                "    0.200000   1.00       0.200000   2.00       0   ");
    end(m);
    expect_line(out_of(m), "Max Write: 2.00 MiB/sec (2.10 MB/sec)");
    expect_line(out_of(m), "Max Read:  6.00 MiB/sec (6.29 MB/sec)");
    assert_non_null(strstr(out_of(m), "\nwrite           2.00       2.00"));
    expect_line(out_of(m), "Max Mixed: 8.00 MiB/sec (8.39 MB/sec)");
    assert_non_null(strstr(out_of(m), "\nread            6.00       6.00"));
    assert_non_null(strstr(out_of(m), "\nmixed           8.00       8.00"));
    made_free(m);
}

static void failures_and_cached_data_are_said_below_a_row(void **state)
{
    struct made *m = made_new();
    struct tmk_ior_phase phase = phase_of(m, TMK_IOR_READ, 0, 1000000000);

    (void)state;
    m->result.operations = 60;
    m->result.failed = 4;
    m->result.failed_by[EIO] = 4;
    m->result.missed = 16;
    phase.cached_share = 0.35;
    begin(m);
    show(m, &phase);
    expect_line(out_of(m), "      failed             4 of 64 (EIO 4)");
    expect_line(out_of(m), "      not tried          16 of 80");
    expect_line(out_of(m), "      in memory before   35.0%");
    end(m);
    made_free(m);
}

/* Nothing of it is a result; that nobody knows is none. */
static void that_nothing_is_in_memory_is_said(void **state)
{
    static const double shares[] = {-1.0, 0.0, 0.0004, 1.0};
    static const char *const lines[] = {
        NULL,
        "      in memory before   0.0%",
        "      in memory before   0.0%",
        "      in memory before   100.0%",
    };

    (void)state;
    for (size_t i = 0; i < COUNT(shares); i++) {
        struct made *m = made_new();
        struct tmk_ior_phase phase = phase_of(m, TMK_IOR_READ, 0, 1000000000);

        phase.cached_share = shares[i];
        begin(m);
        show(m, &phase);
        if (lines[i] != NULL) {
            expect_line(out_of(m), lines[i]);
        } else {
            assert_null(strstr(out_of(m), "in memory"));
        }
        end(m);
        made_free(m);
    }
}

static void the_wide_table_comes_when_it_is_asked_for(void **state)
{
    static const struct {
        bool at_end;
        int verbosity;
        unsigned always;
        int tables;
    } rows[] = {
        {false, 0, 0, 0}, {false, 1, 0, 1}, {true, 0, 0, 1},
        {true, 0, 1, 2},  {false, 0, 1, 1},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct made *m = made_new();
        struct tmk_ior_phase phase = phase_of(m, TMK_IOR_WRITE, 0, 1000000000);
        int tables = 0;

        m->run.summary_at_end = rows[i].at_end;
        m->run.verbosity = rows[i].verbosity;
        m->conf.summary_always = rows[i].always;
        begin(m);
        show(m, &phase);
        end(m);
        for (const char *at = out_of(m);
             (at = strstr(at, "Summary of all tests:\n")) != NULL; at++) {
            tables++;
        }
        assert_int_equal(tables, rows[i].tables);
        expect_line(out_of(m), "Max Write: 16.00 MiB/sec (16.78 MB/sec)");
        made_free(m);
    }
}

static void wear_out_has_a_line_and_two_columns(void **state)
{
    struct made *m = made_new();
    struct tmk_ior_phase phase = phase_of(m, TMK_IOR_WRITE, 0, 4000000000);

    (void)state;
    m->conf.deadline_ns = 1000000000;
    m->conf.wear_out = 1;
    m->result.wall =
        (struct tmk_phase_wall){.on = true, .hit = true, .min = 49, .max = 50};
    phase.wall_ns = 2000000000;
    phase.wall_min_bytes = 1024 * MIB;
    phase.wall_avg_bytes = 1536 * MIB;
    begin(m);
    show(m, &phase);
    expect_line(log_of(m), "stonewalling pairs accessed min: 49 max: 50 -- min "
                           "data: 1.0 GiB mean data: 1.5 GiB time: 2.0s");
    end(m);
    assert_non_null(strstr(out_of(m), "    4.00000       2.00        768.00   "
                                      "  0      2 "));
    made_free(m);
}

static void sizes_that_differ_are_said_and_blamed(void **state)
{
    static const struct {
        uint64_t moved, stat;
        bool known;
        uint64_t deadline_ns;
        bool hit, limited;
        const char *lines[5]; /* none but these */
    } rows[] = {
        {16 * MIB, 16 * MIB, true, 0, false, false, {NULL}},
        {16 * MIB, 0, false, 0, false, false, {NULL}},
        {16 * MIB,
         17 * MIB,
         true,
         0,
         false,
         false,
         {"WARNING: Expected aggregate file size       = 16777216",
          "WARNING: Stat() of aggregate file size      = 17825792",
          "WARNING: Using actual aggregate bytes moved = 16777216", NULL}},
        {8 * MIB,
         0,
         false,
         0,
         true, /* without -D nobody speaks of it */
         true,
         {"WARNING: Expected aggregate file size       = 16777216",
          "WARNING: Using actual aggregate bytes moved = 8388608", NULL}},
        {8 * MIB,
         8 * MIB,
         true,
         1000000000,
         true,
         false,
         {"INFO: Expected aggregate file size       = 16777216",
          "INFO: Stat() of aggregate file size      = 8388608",
          "INFO: Using actual aggregate bytes moved = 8388608",
          "INFO: Maybe caused by deadlineForStonewalling", NULL}},
        {8 * MIB,
         8 * MIB,
         true,
         1000000000,
         false,
         true,
         {"INFO: Expected aggregate file size       = 16777216",
          "INFO: Stat() of aggregate file size      = 8388608",
          "INFO: Using actual aggregate bytes moved = 8388608",
          "INFO: Maybe caused by deadlineForStonewalling", NULL}},
        {8 * MIB,
         8 * MIB,
         true,
         1000000000,
         false,
         false,
         {"INFO: Expected aggregate file size       = 16777216",
          "INFO: Stat() of aggregate file size      = 8388608",
          "INFO: Using actual aggregate bytes moved = 8388608", NULL}},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct made *m = made_new();
        struct tmk_ior_phase phase = phase_of(m, TMK_IOR_WRITE, 0, 1000000000);
        size_t length = 0;

        m->conf.deadline_ns = rows[i].deadline_ns;
        phase.moved_bytes = rows[i].moved;
        phase.stat_bytes = rows[i].stat;
        phase.stat_known = rows[i].known;
        phase.limited = rows[i].limited;
        m->result.wall.hit = rows[i].hit;
        begin(m);
        show(m, &phase);
        for (size_t k = 0; rows[i].lines[k] != NULL; k++) {
            expect_line(log_of(m), rows[i].lines[k]);
            length += strlen(rows[i].lines[k]) + 1;
        }
        assert_int_equal(strlen(log_of(m)), length);
        end(m);
        made_free(m);
    }
}

static void latencies_do_not_look_like_rows(void **state)
{
    struct made *m = made_new();
    struct tmk_layout layout = {.hosts = NULL};
    struct tmk_result_latency *l = calloc(2, sizeof(*l));
    const struct tmk_ior_text_latency lines[] = {
        {"write", &l[0]}, {"read", &l[1]}, {"read pass 2", &l[0]}};

    (void)state;
    assert_non_null(l);
    tmk_hist_record(&l[0].hist, 100000);
    tmk_hist_record(&l[0].hist, 200000);
    l[0].operations = 2;
    l[0].sum_ns = 300000.0;
    l[0].min_ns = 100000;
    l[0].max = (struct tmk_result_rank){1, 200000};
    begin(m);
    tmk_ior_text_latency(&m->text, &m->test, &layout, lines, COUNT(lines));
    expect_line(out_of(m), "LATENCY (in us per transfer): (of 2 repetitions)");
    expect_line(out_of(m),
                "   Transfers                  Min        Mean         p50     "
                "    p90         p99       p99.9         Max  of rank  on "
                "host");
    expect_line(
        out_of(m),
        "   of write                100.00      150.00      100.35      "
        "200.00      200.00      200.00      200.00        1  unknown");
    assert_non_null(strstr(out_of(m), "\n   of read pass 2     "));
    expect_none(out_of(m), "of read  ");
    end(m);
    made_free(m);
    free(l);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_text_is_that_of_the_original),
        cmocka_unit_test(sizes_are_those_of_the_original),
        cmocka_unit_test(numbers_have_as_many_decimals_as_fit),
        cmocka_unit_test(no_name_can_look_like_another_line),
        cmocka_unit_test(options_are_there_where_they_were_given),
        cmocka_unit_test(a_file_system_that_reports_nothing_is_said_so),
        cmocka_unit_test(removal_has_a_row_from_v_on),
        cmocka_unit_test(nothing_is_infinite_or_no_number),
        cmocka_unit_test(later_passes_are_told_from_the_first_and_do_not_count),
        cmocka_unit_test(a_mixed_phase_has_three_rows_over_the_same_time),
        cmocka_unit_test(failures_and_cached_data_are_said_below_a_row),
        cmocka_unit_test(that_nothing_is_in_memory_is_said),
        cmocka_unit_test(the_wide_table_comes_when_it_is_asked_for),
        cmocka_unit_test(wear_out_has_a_line_and_two_columns),
        cmocka_unit_test(sizes_that_differ_are_said_and_blamed),
        cmocka_unit_test(latencies_do_not_look_like_rows),
    };

    ranks_begin();
    return ranks_end(cmocka_run_group_tests(tests, NULL, NULL));
}
