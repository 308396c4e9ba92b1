#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/explain_main.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static const struct tmk_engine_ops *const engines[] = {
    &tmk_engine_posix,
    &tmk_engine_dummy,
    NULL,
};

struct explained {
    int err;
    char *text; /* owned; lines are joined by blanks */
    char why[256];
};

static struct explained explain(const char *line, int nodes, int ppn)
{
    const struct tmk_explain_asked asked = {
        .nodes = nodes,
        .ppn = ppn,
        .engines_mdtest = engines,
        .engines_ior = engines,
    };
    struct tmk_explain_words words;
    struct explained e = {0};
    size_t size = 0;
    FILE *to = open_memstream(&e.text, &size);
    size_t used = 0;

    assert_non_null(to);
    assert_int_equal(tmk_explain_words_split(line, &words), 0);
    e.err = tmk_explain_main(to, &words, &asked, e.why, sizeof(e.why));
    tmk_explain_words_fini(&words);
    assert_int_equal(fclose(to), 0);
    for (size_t i = 0; i < size; i++) {
        const bool blank = e.text[i] == '\n' || e.text[i] == ' ';

        if (!blank) {
            e.text[used++] = e.text[i];
        } else if (used == 0 || e.text[used - 1] != ' ') {
            e.text[used++] = ' ';
        }
    }
    e.text[used] = '\0';
    return e;
}

static void sentences_say_what_a_plan_does(void **state)
{
    static const struct {
        const char *line;
        int nodes, ppn;
        const char *says;
    } rows[] = {
        {"mdtest -n 8 -N 1", 2, 2, "The stride is 2 ranks."},
        {"mdtest -n 8 -N 1", 2, 2, "stats those of rank r + 2 (modulo 4)"},
        {"mdtest -n 8 -N 1 -F", 2, 2,
         "Rank r removes those of rank r + 2 (modulo 4), three strides on. All "
         "of them were made on another node. But of these 100% were visited by "
         "this node in an earlier phase."},
        {"mdtest -n 8 -N 1 -F", 2, 2,
         "Every rank opens those that it made itself. All of them were made on "
         "the node that visits them."},
        {"mdtest -n 8 -N 1", 1, 4, "-N 1 counts ranks: there is one node."},
        {"mdtest -n 8 -N 2 --stride-unit=rank", 2, 2,
         "-N 2 counts ranks (--stride-unit=rank)."},
        {"mdtest -n 8 -N node", 3, 2, "-N node: each phase goes 2 places on"},
        {"srun -n 4 -N 2 -m cyclic mdtest -n 8 -N 1", 0, 0,
         "-N 1 counts ranks: rank 1 is on another node than rank 0"},
        {"mdtest -n 8 -z 2 -b 2", 1, 1,
         "-n 8 does not divide by the tree: each rank leaves 1 out."},
        {"mdtest -n 8 -I 2 -F", 1, 1, "there are 4 test directories"},
        {"mdtest -n 8 -F -N 1 -u", 2, 1,
         "in the tree of the rank one stride further on"},
        {"mdtest -n 8 -F -w 10 -y", 1, 1,
         "10 bytes are written, fsync(2) is called (-y), it is closed"},
        {"mdtest -n 8 -F -k", 1, 1, "mknod(2)"},
        {"mdtest -n 8 -F -T", 1, 1, "This launch creates nothing"},
        {"mdtest -n 8 -C -N 1", 2, 2,
         "In no phase of this launch do ranks visit items, so that -N changes "
         "nothing."},
        {"mdtest -n 8 -C -N 1 -u", 2, 2, "in whose trees they are made."},
        {"ior -r -k -F -C -Q 2", 2, 2, "it wrote itself: -C leads back to it."},
        {"ior -r -k -F -C", 2, 2, "100% of the ranks read data of another"},
        {"mdtest -n 8 -Y", 1, 1, "-Y calls sync(2)"},
        {"ior -w -r -C", 2, 2, "rank 0 that of rank 2. 100% of the ranks"},
        {"ior -w -r -C", 1, 2, "ior 4.1 does not."},
        {"ior -w -r -C -Q 2", 2, 2, "leads back to the node itself"},
        {"ior -w -W -C", 3, 1, "That is one node further on than in reading."},
        {"ior -r -k", 1, 1, "an earlier launch must have left the file."},
        {"ior -w -r -z", 2, 2, "each rank has an equal share"},
        {"ior -w -r --posix.odirect", 1, 1,
         "write: transfers go around the node's page cache"},
        {"ior -w -r --drop-caches", 1, 1, "--drop-caches lets the node forget"},
        {"ior -w -r -N 2", 2, 2, "Of them the first 2 take part (-N)."},
        {"ior -w -r -E", 1, 1, "is written over in place"},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct explained e = explain(rows[i].line, rows[i].nodes, rows[i].ppn);

        assert_int_equal(e.err, 0);
        if (strstr(e.text, rows[i].says) == NULL) {
            print_error("%s\ndoes not say: %s\n", e.text, rows[i].says);
            fail();
        }
        free(e.text);
    }
}

static void a_line_that_is_refused_says_nothing_else(void **state)
{
    static const struct {
        const char *line, *why;
    } rows[] = {
        {"ls", "'ls' starts neither mdtest nor ior"},
        {"", "'' starts neither mdtest nor ior"},
        {"mdtest", "nothing to do: give the items per task (-n) or per "
                   "directory (-I)"},
        {"mdtest -n 1 -a x", "-a: 'x' is no storage API that is known"},
        {"mpirun -np 2 mdtest -n 1 -l 3",
         "-f, -l: no scan from 1 to 3 tasks on 2 ranks"},
        {"ior -t 3k -b 4k",
         "-b: a block of 4096 bytes is no multiple of a transfer of 3072 "
         "(-t); 3072 would be"},
        {"ior -h", "'--help' asks for no run"},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct explained e = explain(rows[i].line, 0, 0);

        assert_int_equal(e.err, -EINVAL);
        assert_string_equal(e.why, rows[i].why);
        assert_string_equal(e.text, "");
        free(e.text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sentences_say_what_a_plan_does),
        cmocka_unit_test(a_line_that_is_refused_says_nothing_else),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
