#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include "base/why.h"
#include "bench/mdtest_check.h"
#include "bench/mdtest_plan.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

/* Defaults but for what is said: -n 8 in one directory. */
#define CONF(...)                                                              \
    {                                                                          \
        .branch = 1, .iterations = 1, .dir = "out", .first = 1, .step = 1,     \
        .items = 8, __VA_ARGS__                                                \
    }
#define ROOTS(d, ...)                                                          \
    {                                                                          \
        .branch = 1, .iterations = 1, .dir = (d), .first = 1, .step = 1,       \
        .items = 8, __VA_ARGS__                                                \
    }

enum { TASKS = 4, WHY_SIZE = 256 };

/* The plan of one node with four tasks: 0 or -errno. */
static int make_plan(const struct tmk_mdtest_conf *conf, char *why, size_t size)
{
    uint32_t node[TASKS] = {0};
    uint32_t at[TASKS];
    uint32_t place[TASKS];
    struct tmk_owner_map map;
    struct tmk_mdtest_plan plan;

    assert_int_equal(tmk_owner_map_init(&map, TASKS, node, at, place), 0);
    return tmk_mdtest_plan_make(conf, &map, &plan, why, size);
}

static void refuse(size_t row, const struct tmk_mdtest_conf *conf,
                   const char *want)
{
    char why[WHY_SIZE] = "";
    int err = make_plan(conf, why, sizeof(why));

    if (err != -EINVAL || strncmp(why, want, strlen(want)) != 0) {
        fail_msg("row %zu (%s): %d, \"%s\"", row, want, err, why);
    }
    assert_null(strchr(why, '\n'));
}

static void accept(size_t row, const struct tmk_mdtest_conf *conf)
{
    char why[WHY_SIZE] = "";

    if (make_plan(conf, why, sizeof(why)) != 0) {
        fail_msg("row %zu: \"%s\"", row, why);
    }
}

static void options_of_the_original_that_clash_are_refused(void **state)
{
    static const struct {
        struct tmk_mdtest_conf conf;
        const char *why; /* the beginning */
    } rows[] = {
        {CONF(.no_barriers = 1, .stonewall_s = 1), "-B: a stonewall (-W)"},
        {CONF(.no_barriers = 1, .stonewall_read_s = 1), "-B: --stonewall-read"},
        {CONF(.no_barriers = 1, .stride = {1, false}), "-B: without barriers a "
                                                       "task may only touch "
                                                       "its own items, not -N"},
        {CONF(.no_barriers = 1, .stride = {1, true}), "-B: without barriers a "
                                                      "task"},
        {CONF(.no_barriers = 1, .collective = 1),
         "-B: without barriers rank 0 cannot create for others (-c)"},
        {CONF(.no_barriers = 1, .shared = 1),
         "-B: without barriers tasks cannot use the same files (-S)"},
        {CONF(.collective = 1, .shared = 1),
         "-c: rank 0 does not create for others (-c) what all share (-S)"},
        {CONF(.unique = 1, .shared = 1), "-S: all tasks use the same files, so "
                                         "they have no trees of their own "
                                         "(-u)"},
        {CONF(.shared = 1, .dirs_only = 1), "-S: only files are shared, so "
                                            "nothing is left to test with -D"},
        {CONF(.write_bytes = 1, .mknod = 1), "-k: mknod opens no file to write "
                                             "to (-w)"},
        {CONF(.shared = 1, .mknod = 1), "-k: mknod makes a file once, so not "
                                        "all tasks can make it (-S)"},
        {CONF(.write_bytes = 8, .verify_read = 1), "-X: nothing is read that "
                                                   "could be checked: give -e"},
        {CONF(.read_bytes = 8, .stat = 1, .verify_read = 1),
         "-X: nothing is read that could be checked: add -E"},
        {CONF(.read_bytes = 8, .write_bytes = 8, .dirs_only = 1,
              .verify_read = 1),
         "-X: nothing is read that could be checked: add -E (and leave out "
         "-D)"},
        {CONF(.write_bytes = 7, .read_bytes = 8), "-e: 8 bytes cannot be read "
                                                  "from files of 7 (-w)"},
        {CONF(.random = {true, true, -5}, .random_seed = 6),
         "-R-5 and --random-seed 6 differ"},
    };
    static const struct tmk_mdtest_conf right[] = {
        CONF(.no_barriers = 1),
        CONF(.no_barriers = 2, .unique = 1, .dirs_only = 1),
        CONF(.stonewall_s = 1, .stonewall_read_s = 1),
        CONF(.collective = 1, .unique = 1, .stonewall_s = 1),
        CONF(.collective = 1, .mknod = 1, .stride = {1, true}),
        CONF(.shared = 1),
        CONF(.shared = 1, .files_only = 1),
        CONF(.shared = 1, .files_only = 1, .dirs_only = 1),
        CONF(.shared = 1, .stride = {1, false}, .stonewall_s = 1),
        CONF(.mknod = 1, .unique = 1, .no_barriers = 1),
        CONF(.write_bytes = 8, .read_bytes = 8, .verify_read = 1),
        CONF(.write_bytes = 8, .read_bytes = 8, .verify_read = 1,
             .dirs_only = 1, .files_only = 1),
        CONF(.read_bytes = 8, .read = 1, .verify_read = 1),
        CONF(.read_bytes = 8, .dirs_only = 1),
        CONF(.random = {true, true, -5}, .random_seed = -5),
        CONF(.random = {true, true, -5}),
        CONF(.random = {.on = true}, .random_seed = -5),
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        refuse(i, &rows[i].conf, rows[i].why);
    }
    for (size_t i = 0; i < COUNT(right); i++) {
        accept(i, &right[i]);
    }
}

static void options_of_our_own_that_clash_are_refused(void **state)
{
    static const struct {
        struct tmk_mdtest_conf conf;
        const char *why; /* the beginning */
    } rows[] = {
        {CONF(.semantics = TMK_MDTEST_AS_MDTEST_4_1,
              .access = TMK_MDTEST_ACCESS_DIRFD),
         "--as: the original has no --access=dirfd"},
        {CONF(.semantics = TMK_MDTEST_AS_MDTEST_4_1,
              .tree_mode = TMK_MDTEST_TREE_PARALLEL),
         "--as: the original has no --tree=parallel"},
        {CONF(.semantics = TMK_MDTEST_AS_MDTEST_4_1, .random_remove = 1),
         "--as: the original has no --random-remove"},
        {CONF(.warmup = 1, .create = 1), "--warmup: the launch must remove "
                                         "what it creates"},
        {CONF(.warmup = 1, .remove = 1), "--warmup: the launch must remove "
                                         "what it creates"},
        {CONF(.min_time_s = 1, .create = 1),
         "--min-time: the launch must create and remove (-C, -r)"},
        {CONF(.min_time_s = 1, .remove = 1),
         "--min-time: the launch must create and remove (-C, -r)"},
        {CONF(.min_time_s = 1, .stat = 1),
         "--min-time: the launch must create and remove (-C, -r)"},
        {CONF(.min_time_s = 1, .items_per_dir = 8),
         "--min-time: raises -n, so that -I cannot be fixed"},
        {CONF(.min_time_s = 1, .stonewall_s = 1),
         "--min-time: contradicts -W and --stonewall-read"},
        {CONF(.min_time_s = 1, .stonewall_read_s = 1),
         "--min-time: contradicts -W and --stonewall-read"},
        {CONF(.min_time_s = 1, .status_file = "status"),
         "--min-time: contradicts -x"},
        {CONF(.stride = {1, true}, .stride_unit = TMK_MDTEST_STRIDE_RANK),
         "--stride-unit=rank: contradicts -N node"},
        {CONF(.nodes = 2), "--nodes, --ppn: only with --dry-run"},
        {CONF(.ppn = 2), "--nodes, --ppn: only with --dry-run"},
    };
    static const struct tmk_mdtest_conf right[] = {
        CONF(.semantics = TMK_MDTEST_AS_MDTEST_4_1),
        CONF(.access = TMK_MDTEST_ACCESS_DIRFD,
             .tree_mode = TMK_MDTEST_TREE_PARALLEL, .random_remove = 1),
        CONF(.warmup = 1),
        CONF(.warmup = 1, .create = 1, .remove = 1),
        CONF(.warmup = 1, .stat = 1, .read = 1),
        CONF(.min_time_s = 1),
        CONF(.min_time_s = 1, .warmup = 1, .create = 1, .remove = 1),
        CONF(.stonewall_s = 1, .stonewall_read_s = 1, .status_file = "status"),
        CONF(.stride = {1, false}, .stride_unit = TMK_MDTEST_STRIDE_RANK),
        CONF(.dry_run = 1, .nodes = 2, .ppn = 2),
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        refuse(i, &rows[i].conf, rows[i].why);
    }
    for (size_t i = 0; i < COUNT(right); i++) {
        accept(i, &right[i]);
    }
}

static void lists_of_directories_that_cannot_be_are_refused(void **state)
{
    static const char empty[] = "-d: an empty name in a list of directories";
    static const struct {
        struct tmk_mdtest_conf conf;
        const char *why; /* the beginning */
    } rows[] = {
        {ROOTS("a@b"), "-d: several directories (joined by @; \\@ is the "
                       "character) need -u"},
        {ROOTS("a\nb"), "-d: several directories (joined by @; \\@ is the "
                        "character) need -u"},
        {ROOTS("a@b", .unique = 1, .stride = {1, false}),
         "-d: several directories (joined by @; \\@ is the character) do not "
         "go with -N"},
        {ROOTS("a@b", .unique = 1, .stride = {1, true}),
         "-d: several directories (joined by @; \\@ is the character) do not "
         "go with -N"},
        {ROOTS("a@b", .unique = 1, .collective = 1),
         "-d: several directories (joined by @; \\@ is the character) do not "
         "go with -c"},
        {ROOTS("a@b@c@d@e", .unique = 1),
         "-d: 5 directories are more than the 4 tasks"},
        {ROOTS("@", .unique = 1), empty},
        {ROOTS("@"), empty},
        {ROOTS("\n", .unique = 1), empty},
        {ROOTS("a@", .unique = 1), empty},
        {ROOTS("@a", .unique = 1), empty},
        {ROOTS("a@@b", .unique = 1), empty},
        {ROOTS("a@\nb", .unique = 1), empty},
        {ROOTS("a\n", .unique = 1), empty},
        {ROOTS("a@a", .unique = 1), "-d: 'a' is named twice"},
        {ROOTS("x@b@c@b", .unique = 1), "-d: 'b' is named twice"},
        {ROOTS("a\\@b@a\\@b", .unique = 1), "-d: 'a@b' is named twice"},
    };
    static const struct tmk_mdtest_conf right[] = {
        ROOTS(""),
        ROOTS("", .unique = 1),
        ROOTS("a"),
        ROOTS("a\\@b"), /* one directory */
        ROOTS("\\@"),
        ROOTS("a@b", .unique = 1),
        ROOTS("a@b@c@d", .unique = 1),
        ROOTS("a\nb@c", .unique = 1),
        ROOTS("a\\@b@a@b", .unique = 1),
        ROOTS("aa@a@aaa", .unique = 1),
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        refuse(i, &rows[i].conf, rows[i].why);
    }
    for (size_t i = 0; i < COUNT(right); i++) {
        accept(i, &right[i]);
    }
}

/* As text alone, whichever of them it is. */
static void a_directory_that_is_too_long_is_refused(void **state)
{
    enum { LONG = TMK_ITEM_PATH_SIZE };
    char dir[LONG + 16];
    struct tmk_mdtest_conf conf = ROOTS(dir, .unique = 1);

    (void)state;
    for (size_t i = 0; i < 3; i++) {
        static const struct {
            const char *before, *after;
        } others[] = {{"", ""}, {"", "@a@b"}, {"a@b@", ""}};
        size_t before = strlen(others[i].before);

        memcpy(dir, others[i].before, before);
        memset(dir + before, 'd', LONG);
        memcpy(dir + before + LONG, others[i].after,
               strlen(others[i].after) + 1);
        refuse(i, &conf, "-d: a path of more than 4096 bytes");
        /* One byte fewer is no path that is too long itself. */
        memmove(dir + before, dir + before + 1, strlen(dir + before + 1) + 1);
        refuse(i, &conf, "-d, -z: paths would be longer than the 4096 bytes");
    }
}

static void a_reason_is_one_line_that_fits_or_is_cut(void **state)
{
    char why[8] = "";

    (void)state;
    assert_int_equal(tmk_why(why, sizeof(why), "-%c: %d", 'x', 123456789),
                     -EINVAL);
    assert_string_equal(why, "-x: 123");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(options_of_the_original_that_clash_are_refused),
        cmocka_unit_test(options_of_our_own_that_clash_are_refused),
        cmocka_unit_test(lists_of_directories_that_cannot_be_are_refused),
        cmocka_unit_test(a_directory_that_is_too_long_is_refused),
        cmocka_unit_test(a_reason_is_one_line_that_fits_or_is_cut),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
