#include "mpi/ior_made.h"

#include "bench/ior_log.h"

/*
 * The log.
 */

static const char *host_of(void *state, int task)
{
    const char *const *hosts = state;

    return hosts[task];
}

static void say_everything(struct made *m)
{
    static const char *hosts[] = {"a.example", "b.example"};
    static const uint64_t hits[] = {1, 0, 1};
    static const uint64_t pairs[] = {49, 50};
    static char *const names[] = {(char *)(uintptr_t) "A=1\nread", NULL};

    tmk_ior_log_skew(&m->text, &m->test, 0.123);
    tmk_ior_log_tasks(&m->text, &m->test, TMK_IOR_LOG_CYCLIC, host_of,
                      (void *)hosts);
    tmk_ior_log_hits(&m->text, &m->test, hits, COUNT(hits));
    tmk_ior_log_time_stamp(&m->text, &m->test, 1437580876);
    tmk_ior_log_commencing(&m->text, &m->test, TMK_IOR_WRITE, made_moment);
    tmk_ior_log_verifying(&m->text, &m->test, made_moment);
    tmk_ior_log_delay(&m->text, &m->test, 1500000000);
    tmk_ior_log_pairs(&m->text, &m->test, pairs, COUNT(pairs));
    tmk_ior_log_wrong(&m->text, "write", 0, 0);
    tmk_ior_log_wrong(&m->text, "read", 8, -1000);
    tmk_ior_log_environment(&m->text, &m->test, names);
}

static void each_verbosity_says_more(void **state)
{
    static const struct {
        const char *line;
        unsigned from;
    } rows[] = {
        {"WARNING: Incorrect data on read (8 errors found).", 0},
        {"Used Time Stamp 4294966296 (0xfffffc18) for Data Signature", 0},
        {"Verifying contents of the file(s) just written.", 1},
        {"delaying 1.5 seconds . . .", 1},
        {"0: stonewalling pairs accessed: 49", 1},
        {"1: stonewalling pairs accessed: 50", 1},
        {"Start time skew across all tasks: 0.12 sec", 2},
        {"Participating tasks: 2", 2},
        {"Using reorderTasks '-C' (cyclic, not block, task assignment)", 2},
        {"task 0 on a.example", 2},
        {"task 1 on b.example", 2},
        {"#File Hits Dist: 1 0 1", 2},
        {"Using Time Stamp 1437580876 (0x55afbe4c) for Data Signature", 2},
        {"Commencing write performance test: Mon Nov 30 17:25:55 2026", 3},
        {"   A=1?read", 3},
    };

    (void)state;
    for (unsigned v = 0; v <= 4; v++) {
        struct made *m = made_new();

        m->conf.verbose = v;
        m->conf.reorder = 1;
        say_everything(m);
        for (size_t i = 0; i < COUNT(rows); i++) {
            assert_int_equal(has_line(log_of(m), rows[i].line),
                             v >= rows[i].from);
        }
        expect_none(log_of(m), "on write");
        made_free(m);
    }
}

static void a_mapping_is_known_by_its_nodes(void **state)
{
    static struct {
        uint32_t node[6];
        uint32_t nodes;
        enum tmk_ior_log_mapping mapping;
    } rows[] = {
        {{0, 0, 0, 0, 0, 0}, 1, TMK_IOR_LOG_BLOCK},
        {{0, 0, 0, 1, 1, 1}, 2, TMK_IOR_LOG_BLOCK},
        {{0, 1, 2, 0, 1, 2}, 3, TMK_IOR_LOG_CYCLIC},
        {{0, 1, 0, 0, 1, 1}, 2, TMK_IOR_LOG_OTHER},
        {{0, 1, 2, 3, 4, 5}, 6, TMK_IOR_LOG_BLOCK},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        const struct tmk_owner_map map = {
            .ranks = 6, .nodes = rows[i].nodes, .node = rows[i].node};

        assert_int_equal(tmk_ior_log_mapping_of(&map), rows[i].mapping);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_verbosity_says_more),
        cmocka_unit_test(a_mapping_is_known_by_its_nodes),
    };

    ranks_begin();
    return ranks_end(cmocka_run_group_tests(tests, NULL, NULL));
}
