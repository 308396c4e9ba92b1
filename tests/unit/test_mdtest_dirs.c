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

#include "base/mix.h"
#include "bench/mdtest_dirs.h"

enum {
    MOST = TMK_MDTEST_DIRS_MAX,
    DIRS = 100, /* of a tree; more than may be open */
    LOOPS = 2,
    PER_DIR = 3,
    CALLS_MAX = 10000
};

/* An engine that can open directories, and remembers which. */
struct tmk_engine {
    int fails;                     /* with this -errno */
    intptr_t opened;               /* so far; handles are 1000 + these */
    char path[TMK_ITEM_PATH_SIZE]; /* of the last one */
    bool is_open[CALLS_MAX];
    unsigned n_open, most_open;
};

static int fake_open_dir(struct tmk_engine *e, const char *path, intptr_t *dir)
{
    assert_true(e->opened < CALLS_MAX);
    snprintf(e->path, sizeof(e->path), "%s", path);
    if (e->fails != 0) {
        return e->fails;
    }
    e->is_open[e->opened] = true;
    e->n_open++;
    if (e->n_open > e->most_open) {
        e->most_open = e->n_open;
    }
    *dir = 1000 + e->opened++;
    return 0;
}

static int fake_close_dir(struct tmk_engine *e, intptr_t dir)
{
    assert_true(dir >= 1000 && dir < 1000 + e->opened);
    assert_true(e->is_open[dir - 1000]); /* once */
    e->is_open[dir - 1000] = false;
    e->n_open--;
    return -EIO; /* whatever */
}

static const struct tmk_engine_ops fake = {
    .open_dir = fake_open_dir,
    .close_dir = fake_close_dir,
};

/* Items of two loops with a tree of many directories each. */
struct fixture {
    struct tmk_engine engine;
    struct tmk_mdtest_dirs dirs;
    struct tmk_tree tree;
    struct tmk_item_set set;
    struct tmk_item item;
    uint64_t list[CALLS_MAX];
};

static struct fixture *begin(void)
{
    struct fixture *f = calloc(1, sizeof(*f));

    assert_non_null(f);
    assert_int_equal(tmk_tree_init(&f->tree, DIRS - 1, 1), 0);
    f->set = (struct tmk_item_set){
        .root = "root",
        .loops = LOOPS,
        .tree = &f->tree,
        .kind = TMK_NAMES_FILE,
        .per_dir = PER_DIR,
        .made = UINT64_C(1) * LOOPS * DIRS * PER_DIR,
    };
    f->dirs.n = 77; /* memory need not be zero */
    tmk_mdtest_dirs_init(&f->dirs, &fake, &f->engine);
    return f;
}

static void end(struct fixture *f)
{
    tmk_mdtest_dirs_close(&f->dirs);
    assert_int_equal(f->engine.n_open, 0);
    tmk_mdtest_dirs_close(&f->dirs); /* again is fine */
    free(f);
}

/* The handle of the current item's directory. */
static intptr_t get(struct fixture *f)
{
    char path[sizeof(f->item.path)];
    intptr_t handle = -1;

    snprintf(path, sizeof(path), "%s", f->item.path);
    assert_int_equal(tmk_mdtest_dirs_get(&f->dirs, &f->item, &handle), 0);
    assert_string_equal(f->item.path, path);
    assert_true(f->engine.is_open[handle - 1000]);
    return handle;
}

static void a_walk_opens_each_directory_once(void **state)
{
    struct fixture *f = begin();
    intptr_t last = -1;
    uint64_t n = 0;
    bool more = true;

    (void)state;
    assert_int_equal(tmk_item_init(&f->item, &f->set, TMK_ITEM_CREATION, 0), 0);
    for (; more; more = tmk_item_next(&f->item)) {
        intptr_t handle = get(f);
        size_t length = strlen(f->engine.path);

        assert_int_equal(handle == last, n % PER_DIR != 0);
        last = handle;
        n++;
        assert_memory_equal(f->item.path, f->engine.path, length);
        assert_string_equal(f->item.path + length + 1, tmk_item_name(&f->item));
        assert_int_equal(f->item.path[length], '/');
    }
    assert_int_equal(n, f->set.made);
    assert_int_equal(f->engine.opened, LOOPS * DIRS);
    end(f);
}

/* Directories in the order of their last use, with their handles. */
struct model {
    struct {
        uint64_t loop, dir;
        intptr_t handle;
    } used[MOST + 1];
    unsigned n;
};

/* Use the item's directory; returns its handle, -1 if it was not open. */
static intptr_t model_use(struct model *m, const struct tmk_item *it)
{
    intptr_t handle = -1;
    unsigned i;

    for (i = 0; i < m->n; i++) {
        if (m->used[i].loop == it->loop && m->used[i].dir == it->dir) {
            break;
        }
    }
    if (i < m->n) {
        handle = m->used[i].handle;
        memmove(&m->used[i], &m->used[i + 1],
                (m->n - i - 1) * sizeof(m->used[0]));
        m->n--;
    } else if (m->n == MOST) {
        memmove(&m->used[0], &m->used[1], (m->n - 1) * sizeof(m->used[0]));
        m->n--;
    }
    m->used[m->n].loop = it->loop;
    m->used[m->n].dir = it->dir;
    m->used[m->n].handle = handle;
    m->n++;
    return handle;
}

/* Around some directories, ever more of them, so that all sorts of distances
 * occur. */
static void the_directory_that_was_used_longest_ago_gives_way(void **state)
{
    struct fixture *f = begin();
    struct model m = {.n = 0};
    uint64_t random = 1;
    bool more = true;

    (void)state;
    for (uint64_t i = 0; i < f->set.made; i++) {
        random += tmk_mix_step;
        f->list[i] = tmk_mix(random) % (i + 1);
    }
    assert_int_equal(tmk_item_init_listed(&f->item, &f->set, f->list), 0);
    for (; more; more = tmk_item_next(&f->item)) {
        intptr_t want = model_use(&m, &f->item);
        intptr_t opened = f->engine.opened;
        intptr_t handle = get(f);

        assert_int_equal(f->engine.opened, opened + (want < 0));
        if (want >= 0) {
            assert_int_equal(handle, want);
        }
        m.used[m.n - 1].handle = handle;
        assert_int_equal(f->engine.n_open, m.n);
        for (unsigned i = 0; i < m.n; i++) {
            assert_true(f->engine.is_open[m.used[i].handle - 1000]);
        }
    }
    assert_int_equal(m.n, MOST);
    assert_true(f->engine.opened / 2 > MOST);
    assert_true(f->engine.most_open <= MOST + 1);
    end(f);
}

/* A rename needs both of its directories open. */
static void two_that_are_used_in_turn_both_stay_open(void **state)
{
    struct fixture *f = begin();
    bool more = true;
    intptr_t last = -1;

    (void)state;
    assert_int_equal(tmk_item_init(&f->item, &f->set, TMK_ITEM_CREATION, 0), 0);
    for (; more; more = tmk_item_next(&f->item)) {
        intptr_t handle = get(f);

        assert_true(last < 0 || f->engine.is_open[last - 1000]);
        last = handle;
    }
    end(f);
}

static void what_cannot_be_opened_takes_no_ones_place(void **state)
{
    struct fixture *f = begin();
    struct tmk_item first;
    char path[sizeof(f->item.path)];
    intptr_t handle = 5;

    (void)state;
    assert_int_equal(tmk_item_init(&f->item, &f->set, TMK_ITEM_CREATION, 0), 0);
    tmk_item_copy(&first, &f->item);
    for (int i = 0; i < MOST; i++) {
        (void)get(f);
        for (int k = 0; k < PER_DIR; k++) {
            assert_true(tmk_item_next(&f->item));
        }
    }
    assert_int_equal(f->engine.n_open, MOST);
    snprintf(path, sizeof(path), "%s", f->item.path);
    f->engine.fails = -EMFILE;
    for (int i = 0; i < 3; i++) {
        assert_int_equal(tmk_mdtest_dirs_get(&f->dirs, &f->item, &handle),
                         -EMFILE);
        assert_string_equal(f->item.path, path);
        assert_int_equal(f->engine.n_open, MOST);
    }
    /* Those that are open need not be opened. */
    assert_int_equal(tmk_mdtest_dirs_get(&f->dirs, &first, &handle), 0);
    assert_int_equal(handle, 1000);
    f->engine.fails = 0;
    assert_int_equal(get(f), 1000 + MOST);
    assert_int_equal(f->engine.n_open, MOST);
    assert_false(f->engine.is_open[1]); /* the second was the oldest */
    end(f);
}

static void a_directory_is_found_by_its_loop_and_its_number(void **state)
{
    struct fixture *f = begin();
    intptr_t handle[LOOPS];

    (void)state;
    /* The same directory in each loop, and again. */
    for (uint64_t i = 0; i < f->set.made; i++) {
        f->list[i] = i % LOOPS * DIRS * PER_DIR;
    }
    assert_int_equal(tmk_item_init_listed(&f->item, &f->set, f->list), 0);
    for (int i = 0; i < 2 * LOOPS; i++) {
        intptr_t got = get(f);

        if (i < LOOPS) {
            handle[i] = got;
        }
        assert_int_equal(got, handle[i % LOOPS]);
        (void)tmk_item_next(&f->item);
    }
    assert_int_equal(f->engine.opened, LOOPS);
    assert_int_not_equal(handle[0], handle[1]);
    end(f);
}

static void what_was_closed_is_opened_again(void **state)
{
    struct fixture *f = begin();

    (void)state;
    assert_int_equal(tmk_item_init(&f->item, &f->set, TMK_ITEM_CREATION, 0), 0);
    assert_int_equal(get(f), 1000);
    tmk_mdtest_dirs_close(&f->dirs);
    assert_int_equal(f->engine.n_open, 0);
    assert_int_equal(get(f), 1001);
    assert_int_equal(f->engine.n_open, 1);
    end(f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_walk_opens_each_directory_once),
        cmocka_unit_test(the_directory_that_was_used_longest_ago_gives_way),
        cmocka_unit_test(two_that_are_used_in_turn_both_stay_open),
        cmocka_unit_test(what_cannot_be_opened_takes_no_ones_place),
        cmocka_unit_test(a_directory_is_found_by_its_loop_and_its_number),
        cmocka_unit_test(what_was_closed_is_opened_again),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
