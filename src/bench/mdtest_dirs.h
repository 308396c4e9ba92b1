#ifndef TMK_BENCH_MDTEST_DIRS_H
#define TMK_BENCH_MDTEST_DIRS_H

#include <stdint.h>

#include "base/item.h"
#include "engine/engine.h"

enum { TMK_MDTEST_DIRS_MAX = 64 };

/*
 * Directories that are open while items are named relative to them
 * (--access=dirfd): the ones used last, so that a walk opens each once, and a
 * random order opens few again where there are few.
 */
struct tmk_mdtest_dirs {
    const struct tmk_engine_ops *calls; /* the relative ones; borrowed */
    struct tmk_engine *engine;
    uint64_t turn;
    unsigned n;
    struct {
        uint64_t loop, dir;
        intptr_t handle;
        uint64_t used; /* the turn */
    } open[TMK_MDTEST_DIRS_MAX];
};

/* Nothing open; calls->relative must exist. */
void tmk_mdtest_dirs_init(struct tmk_mdtest_dirs *dirs,
                          const struct tmk_engine_ops *calls,
                          struct tmk_engine *engine);

/* The directory that an item lies in, opened if it is not: 0 or -errno. */
int tmk_mdtest_dirs_get(struct tmk_mdtest_dirs *dirs, struct tmk_item *item,
                        intptr_t *handle);

/* Close all: another tree follows, or nothing. */
void tmk_mdtest_dirs_close(struct tmk_mdtest_dirs *dirs);

#endif
