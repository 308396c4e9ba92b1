#include "mpi/ior_made.h"

#include "bench/ior_doubt.h"
#include "run/say.h"

/* A job of rank 0 alone that keeps what is said. */
struct listener {
    struct tmk_job job;
    struct tmk_job_warnings warnings;
    char *text;
    size_t size;
};

static struct listener *listen(void)
{
    struct listener *l = calloc(1, sizeof(*l));

    assert_non_null(l);
    l->job.out = open_memstream(&l->text, &l->size);
    assert_non_null(l->job.out);
    l->job.warnings = &l->warnings;
    return l;
}

static void expect_said(struct listener *l, const char *want)
{
    fclose(l->job.out);
    assert_string_equal(l->text, want);
    free(l->text);
    free(l);
}

static const uint64_t gib = UINT64_C(1) << 30;

static void data_below_memory_is_warned_of(void **state)
{
    static const struct {
        struct tmk_ior_doubt_size size; /* in GiB */
        const char *text;
    } rows[] = {
        {{.data_bytes = 1, .nodes = 1}, ""},
        {{.data_bytes = 64, .node_memory_bytes = 32, .nodes = 2},
         "data: 64.0 GiB, 1 times the memory of 2 nodes, 64.0 GiB\n"},
        {{.data_bytes = 16, .node_memory_bytes = 32, .nodes = 1},
         "data: 16.0 GiB, 0.5 times the memory of 1 node, 32.0 GiB\n"
         "WARNING: 16.0 GiB of data and 32.0 GiB of memory of 1 node: a cache "
         "can hold all of it (SMALL_DATA)\n"},
        {{.data_bytes = 16,
          .node_memory_bytes = 32,
          .nodes = 1,
          .around = true},
         "data: 16.0 GiB, 0.5 times the memory of 1 node, 32.0 GiB\n"},
        {{.data_bytes = 40,
          .node_memory_bytes = 32,
          .nodes = 1,
          .server_memory_bytes = 64,
          .around = true},
         "data: 40.0 GiB, 1.25 times the memory of 1 node, 32.0 GiB\n"
         "data: 40.0 GiB, 0.625 times the memory of the servers, 64.0 GiB\n"
         "WARNING: 40.0 GiB of data and 64.0 GiB of memory of the servers: a "
         "cache can hold all of it (SMALL_DATA)\n"},
        {{.which = "test 7: ",
          .data_bytes = 16,
          .node_memory_bytes = 10,
          .taken_by = "-M",
          .nodes = 2},
         "data: 16.0 GiB, 0.8 times the memory of 2 nodes (-M takes the rest), "
         "20.0 GiB\n"
         "WARNING: test 7: 16.0 GiB of data and 20.0 GiB of memory of 2 nodes "
         "(-M takes the rest): a cache can hold all of it (SMALL_DATA)\n"},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct listener *l = listen();
        struct tmk_ior_doubt_size size = rows[i].size;

        size.which = size.which != NULL ? size.which : "";
        size.data_bytes *= gib;
        size.node_memory_bytes *= gib;
        size.server_memory_bytes *= gib;
        tmk_ior_doubt_size(&l->job, &size);
        expect_said(l, rows[i].text);
    }
}

static void the_greatest_of_all_phases_counts(void **state)
{
    struct made *m = made_new();
    struct tmk_ior_doubt doubt = TMK_IOR_DOUBT_NONE;
    struct tmk_ior_phase phase = phase_of(m, TMK_IOR_WRITE, 0, 1000000000);

    (void)state;
    phase.cached_share = 0.9; /* of what is overwritten: no matter */
    tmk_ior_doubt_add(&doubt, &phase);
    phase.access = TMK_IOR_READ;
    phase.cached_share = 0.25;
    phase.total_ns = 2000000000;
    tmk_ior_doubt_add(&doubt, &phase);
    phase.cached_share = 0.125;
    phase.total_ns = 500000000;
    tmk_ior_doubt_add(&doubt, &phase);
    phase.pass = 1;
    phase.cached_share = 1.0;
    phase.total_ns = 1;
    tmk_ior_doubt_add(&doubt, &phase);
    phase.pass = 0;
    phase.total_ns = 0;
    tmk_ior_doubt_add(&doubt, &phase);
    phase.access = TMK_IOR_REMOVE;
    tmk_ior_doubt_add(&doubt, &phase);
    assert_true(doubt.cached_share == 0.25);
    assert_int_equal(doubt.data_bytes, 16 * MIB);
    assert_true(doubt.write_bytes_per_s == 16.0 * (double)MIB);
    assert_true(doubt.read_bytes_per_s == 32.0 * (double)MIB);
    phase.access = TMK_IOR_MIX;
    phase.read_bytes = 4 * MIB;
    phase.total_ns = 100000000;
    phase.cached_share = -1.0;
    tmk_ior_doubt_add(&doubt, &phase);
    assert_true(doubt.cached_share == 0.25);
    assert_true(doubt.write_bytes_per_s > 119.99 * (double)MIB);
    assert_true(doubt.read_bytes_per_s > 39.99 * (double)MIB);
    end(m);
    made_free(m);
}

static void reads_from_memory_are_warned_of(void **state)
{
    static const struct {
        double share;
        const char *text;
    } rows[] = {
        {-1.0, ""},
        {0.0, ""},
        {0.005, ""},
        {1.0, "WARNING: 100% of the data was in the memory of the node that "
              "read it, before it did (CACHED_READ)\n"},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct listener *l = listen();
        const struct tmk_ior_doubt doubt = {.cached_share = rows[i].share};

        tmk_ior_doubt_say(&l->job, "", &doubt, 1, 1);
        expect_said(l, rows[i].text);
    }
}

/* Two tests that are alike are two, and each is warned of. */
static void each_test_is_warned_of(void **state)
{
    struct listener *l = listen();
    const struct tmk_ior_doubt doubt = {.cached_share = 1.0};

    (void)state;
    tmk_ior_doubt_say(&l->job, "test 0: ", &doubt, 1, 0);
    tmk_ior_doubt_say(&l->job, "test 1: ", &doubt, 1, 0);
    tmk_ior_doubt_say(&l->job, "test 1: ", &doubt, 1, 0);
    expect_said(l, "WARNING: test 0: 100% of the data was in the memory of the "
                   "node that read it, before it did (CACHED_READ)\n"
                   "WARNING: test 1: 100% of the data was in the memory of the "
                   "node that read it, before it did (CACHED_READ)\n");
}

static void what_no_link_carries_is_warned_of(void **state)
{
    static const struct {
        double write_gib, read_gib;
        uint64_t links_gib;
        const char *text;
    } rows[] = {
        {5.0, 5.0, 0, ""},
        {5.0, 5.0, 5, ""},
        {5.0, 11.5, 10,
         "WARNING: read at 11.5 GiB/s, and the network of 2 nodes carries 10.0 "
         "GiB/s: that is a cache (ABOVE_LINKS)\n"},
        {3.0, 2.0, 2,
         "WARNING: written at 3.0 GiB/s, and the network of 2 nodes carries "
         "2.0 GiB/s: that is a cache (ABOVE_LINKS)\n"},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct listener *l = listen();
        struct tmk_ior_doubt doubt = TMK_IOR_DOUBT_NONE;

        doubt.write_bytes_per_s = rows[i].write_gib * (double)gib;
        doubt.read_bytes_per_s = rows[i].read_gib * (double)gib;
        tmk_ior_doubt_say(&l->job, "", &doubt, 2, rows[i].links_gib * gib);
        expect_said(l, rows[i].text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(data_below_memory_is_warned_of),
        cmocka_unit_test(the_greatest_of_all_phases_counts),
        cmocka_unit_test(reads_from_memory_are_warned_of),
        cmocka_unit_test(each_test_is_warned_of),
        cmocka_unit_test(what_no_link_carries_is_warned_of),
    };

    ranks_begin();
    return ranks_end(cmocka_run_group_tests(tests, NULL, NULL));
}
