#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "bench/explain_launch.h"
#include "bench/explain_words.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static int read_line(const char *line, struct tmk_explain_launch *launch,
                     char *why, size_t size)
{
    struct tmk_explain_words words;
    int err;

    assert_int_equal(tmk_explain_words_split(line, &words), 0);
    err = tmk_explain_launch_read(words.argc, words.argv, launch, why, size);
    tmk_explain_words_fini(&words);
    return err;
}

/* The node of each rank, as digits. */
static void nodes_of(const struct tmk_explain_place *place, char *buf,
                     size_t size)
{
    size_t used = 0;

    buf[0] = '\0';
    for (uint32_t r = 0; r < place->map.ranks && used + 2 < size; r++) {
        buf[used++] = (char)('0' + place->map.node[r]);
        buf[used] = '\0';
    }
}

static void a_launcher_says_where_ranks_are(void **state)
{
    static const struct {
        const char *line, *nodes;
        bool ranks_are_said, nodes_are_said;
    } rows[] = {
        {"", "0", false, false},
        {"mpirun", "0", false, false},
        {"mpirun -np 4", "0000", true, false},
        {"mpirun -n 4 --hostfile x", "0000", true, false},
        {"mpiexec -np 4 -ppn 2", "0011", true, true},
        {"mpiexec -np 5 -ppn 2", "00112", true, true},
        {"mpirun --np=4 -N 2", "0011", true, true},
        {"mpirun -np 4 --map-by ppr:2:node", "0011", true, true},
        {"mpirun -np 4 --map-by ppr:2:socket", "0000", true, false},
        {"mpirun -np 4 -npernode 2 --bynode", "0101", true, true},
        {"mpirun -hosts a:2,b:2 -n 4", "0011", true, true},
        {"mpirun -hosts a:3,b:1 -n 4", "0001", true, true},
        {"mpirun -hosts a,b -n 4", "0101", true, true},
        {"mpirun -H a:2,b:1", "001", true, true},
        {"mpirun -hosts a,b -ppn 2", "0011", true, true},
        {"mpirun -hosts a,b,c,d -n 2", "01", true, true},
        {"srun -n 4 -N 2", "0011", true, true},
        {"srun -n4 -N2", "0011", true, true},
        {"srun --ntasks=5 --nodes=2", "00011", true, true},
        {"srun -N 2 --ntasks-per-node=3", "000111", true, true},
        {"srun -n 4 -N 2 -m cyclic", "0101", true, true},
        {"srun -n 4 -N 2 -c 8 --distribution=block", "0011", true, true},
        {"/usr/bin/srun -n 2 -N 2", "01", true, true},
        {"time numactl -l", "0", false, false},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct tmk_explain_launch launch;
        struct tmk_explain_place place;
        char why[128] = "";
        char got[64];

        assert_int_equal(read_line(rows[i].line, &launch, why, sizeof(why)), 0);
        assert_int_equal(
            tmk_explain_place_make(&launch, &place, why, sizeof(why)), 0);
        nodes_of(&place, got, sizeof(got));
        assert_string_equal(got, rows[i].nodes);
        assert_int_equal(place.ranks_are_said, rows[i].ranks_are_said);
        assert_int_equal(place.nodes_are_said, rows[i].nodes_are_said);
        tmk_explain_place_fini(&place);
    }
}

static void a_number_that_is_none_is_refused_by_name(void **state)
{
    static const struct {
        const char *line, *why;
    } rows[] = {
        {"mpirun -np x", "-np: 'x' is no number of ranks"},
        {"mpirun -np 0", "-np: '0' is no number of ranks"},
        {"mpirun -np -4", "-np: '-4' is no number of ranks"},
        {"mpirun -np", "-np: '' is no number or name"},
        {"mpirun -np 9999999999", "-np: '9999999999' is no number of ranks"},
        {"srun -N 2-4", "-N: '2-4' is no number of nodes"},
        {"mpirun -ppn $P", "-ppn: '$P' is no number of ranks per node"},
        {"mpirun -hosts a,,b", "-hosts: 'a,,b' is no list of hosts (a:2,b:2 "
                               "is)"},
        {"mpirun -hosts a:x", "-hosts: 'a:x' is no list of hosts (a:2,b:2 is)"},
        {"mpirun --map-by ppr:x:node",
         "--map-by: 'ppr:x:node' is no mapping of ranks (node, ppr:8:node "
         "are)"},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct tmk_explain_launch launch;
        char why[128] = "";

        assert_int_equal(read_line(rows[i].line, &launch, why, sizeof(why)),
                         -EINVAL);
        assert_string_equal(why, rows[i].why);
    }
}

static void a_machine_that_cannot_be_is_refused(void **state)
{
    static const struct {
        struct tmk_explain_launch launch;
        const char *why;
    } rows[] = {
        {{.ranks = 2, .nodes = 3}, "3 nodes are more than the 2 ranks"},
        {{.ranks = 5, .nodes = 2, .ppn = 2},
         "2 nodes of 2 ranks have no room for 5 ranks"},
        {{.nodes = 1 << 20, .ppn = 2},
         "2097152 ranks are too many (1048576 is the most)"},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct tmk_explain_place place;
        char why[128] = "";

        assert_int_equal(
            tmk_explain_place_make(&rows[i].launch, &place, why, sizeof(why)),
            -EINVAL);
        assert_string_equal(why, rows[i].why);
        tmk_explain_place_fini(&place);
    }
}

static void the_first_ranks_stay_where_they_are(void **state)
{
    const struct tmk_explain_launch launch = {.nodes = 3, .ppn = 2};
    struct tmk_explain_place whole;
    struct tmk_explain_place place;
    char why[128];
    char got[16];

    (void)state;
    assert_int_equal(tmk_explain_place_make(&launch, &whole, why, sizeof(why)),
                     0);
    assert_int_equal(tmk_explain_place_first(&whole, 3, &place), 0);
    nodes_of(&place, got, sizeof(got));
    assert_string_equal(got, "001");
    tmk_explain_place_fini(&place);
    tmk_explain_place_fini(&whole);
}

static void a_table_shows_the_ends_of_a_few_nodes(void **state)
{
    static const struct {
        struct tmk_explain_launch launch;
        const char *shown; /* of ranks 0 ... */
    } rows[] = {
        {{.nodes = 2, .ppn = 4}, "11111111"},
        {{.nodes = 3, .ppn = 4}, "100110011001"},
        {{.nodes = 9, .ppn = 1}, "111100000"},
        {{.ranks = 9}, "100000001"},
        {{.ranks = 10, .nodes = 5, .ppn = 2, .cyclic = true}, "1111011110"},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct tmk_explain_place place;
        char why[128];

        assert_int_equal(
            tmk_explain_place_make(&rows[i].launch, &place, why, sizeof(why)),
            0);
        for (uint32_t r = 0; r < place.map.ranks; r++) {
            assert_int_equal(tmk_explain_place_shows(&place.map, r),
                             rows[i].shown[r] == '1');
        }
        tmk_explain_place_fini(&place);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_launcher_says_where_ranks_are),
        cmocka_unit_test(a_number_that_is_none_is_refused_by_name),
        cmocka_unit_test(a_machine_that_cannot_be_is_refused),
        cmocka_unit_test(the_first_ranks_stay_where_they_are),
        cmocka_unit_test(a_table_shows_the_ends_of_a_few_nodes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
