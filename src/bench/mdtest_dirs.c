/*
 * mdtest_dirs: open directories, the least recently used one giving way.
 */
#include "bench/mdtest_dirs.h"

void tmk_mdtest_dirs_init(struct tmk_mdtest_dirs *dirs,
                          const struct tmk_engine_ops *calls,
                          struct tmk_engine *engine)
{
    dirs->calls = calls;
    dirs->engine = engine;
    dirs->turn = 0;
    dirs->n = 0;
}

/* A free place, or that of the directory that was not used for longest. */
static unsigned make_room(struct tmk_mdtest_dirs *dirs)
{
    unsigned oldest = 0;

    if (dirs->n < TMK_MDTEST_DIRS_MAX) {
        return dirs->n++;
    }
    for (unsigned i = 1; i < dirs->n; i++) {
        if (dirs->open[i].used < dirs->open[oldest].used) {
            oldest = i;
        }
    }
    (void)dirs->calls->close_dir(dirs->engine, dirs->open[oldest].handle);
    return oldest;
}

/* Open the directory of an item: its path without the name. */
static int open_dir(struct tmk_mdtest_dirs *dirs, struct tmk_item *item,
                    intptr_t *handle)
{
    char *slash = tmk_item_name(item) - 1;
    int err;

    *slash = '\0';
    err = dirs->calls->open_dir(dirs->engine, item->path, handle);
    *slash = '/';
    return err;
}

int tmk_mdtest_dirs_get(struct tmk_mdtest_dirs *dirs, struct tmk_item *item,
                        intptr_t *handle)
{
    unsigned i;
    int err;

    dirs->turn++;
    for (i = 0; i < dirs->n; i++) {
        if (dirs->open[i].dir == item->dir &&
            dirs->open[i].loop == item->loop) {
            dirs->open[i].used = dirs->turn;
            *handle = dirs->open[i].handle;
            return 0;
        }
    }
    err = open_dir(dirs, item, handle);
    if (err != 0) {
        return err;
    }
    i = make_room(dirs);
    dirs->open[i].loop = item->loop;
    dirs->open[i].dir = item->dir;
    dirs->open[i].handle = *handle;
    dirs->open[i].used = dirs->turn;
    return 0;
}

void tmk_mdtest_dirs_close(struct tmk_mdtest_dirs *dirs)
{
    for (unsigned i = 0; i < dirs->n; i++) {
        (void)dirs->calls->close_dir(dirs->engine, dirs->open[i].handle);
    }
    dirs->n = 0;
}
