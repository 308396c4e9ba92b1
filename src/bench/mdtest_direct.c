/*
 * mdtest_direct: what O_DIRECT cannot do is found out before the first phase.
 */
#include "bench/mdtest_direct.h"

#include <errno.h>
#include <inttypes.h>
#include <stdalign.h>
#include <stdio.h>
#include <string.h>

#include "bench/mdtest_marker.h"
#include "run/say.h"

enum {
    BLOCK_LEAST = 512, /* of any file system */
    BLOCK_MOST = TMK_MDTEST_DIRECT_BLOCK,
    TRIAL_BYTES = 2 * BLOCK_MOST
};

/*
 * What a trial found, as a number that ranks can agree on: what was refused,
 * times REFUSED_UNIT, plus the block that is taken (0 = unknown).
 */
enum { REFUSED_OPEN = 1, REFUSED_WRITE, REFUSED_READ, REFUSED_UNIT = 8192 };

bool tmk_mdtest_direct_on(const struct tmk_engine_ops *ops,
                          const struct tmk_engine *engine)
{
    return ops->direct != NULL && ops->direct(engine);
}

/* The option that asked for it. */
static const char *option(const struct tmk_mdtest_site *site, char *buf,
                          size_t size)
{
    (void)snprintf(buf, size, "--%sodirect", site->ops->prefix);
    return buf;
}

int tmk_mdtest_direct_check(const struct tmk_mdtest_site *site)
{
    const struct tmk_mdtest_plan *plan = site->plan;
    uint64_t bytes = plan->conf->read_bytes;
    char asked[32];

    if (!tmk_mdtest_direct_on(site->ops, site->engine) || plan->creates ||
        !plan->on[TMK_MDTEST_FILE_READ] || bytes % BLOCK_LEAST == 0) {
        return 0;
    }
    tmk_say_error(site->job,
                  "-e: %" PRIu64 " bytes cannot be read with %s: use a "
                  "multiple of %d",
                  bytes, option(site, asked, sizeof(asked)), BLOCK_LEAST);
    return -EINVAL;
}

/* As good as `bytes` to whoever looks at its alignment, and at most
 * TRIAL_BYTES. */
static size_t alike(uint64_t bytes)
{
    return (size_t)(bytes <= BLOCK_MOST ? bytes
                                        : BLOCK_MOST + bytes % BLOCK_MOST);
}

/* Move so many bytes from or to the begin of a file; bytes, or -errno. */
static int64_t move(const struct tmk_mdtest_site *site, intptr_t file,
                    bool writes, unsigned char *buf, size_t bytes)
{
    int err = site->ops->rewind(site->engine, file);

    if (err != 0) {
        return err;
    }
    return writes ? site->ops->write(site->engine, file, buf, bytes)
                  : site->ops->read(site->engine, file, buf, bytes);
}

/* The least block that can be moved; 0 = none of those that were tried. */
static int find_block(const struct tmk_mdtest_site *site, intptr_t file,
                      bool writes, unsigned char *buf)
{
    for (int block = BLOCK_LEAST; block <= BLOCK_MOST; block *= 2) {
        if (move(site, file, writes, buf, (size_t)block) == block) {
            return block;
        }
    }
    return 0;
}

/* Try the sizes of the plan; 0, or what is refused and which block is not. */
static int try_sizes(const struct tmk_mdtest_site *site, intptr_t file)
{
    const struct tmk_mdtest_plan *plan = site->plan;
    const struct {
        int refused;
        bool on;
        uint64_t bytes;
    } rows[] = {
        {REFUSED_WRITE, plan->on[TMK_MDTEST_FILE_CREATE],
         plan->conf->write_bytes},
        {REFUSED_READ, plan->on[TMK_MDTEST_FILE_READ], plan->conf->read_bytes},
    };
    alignas(BLOCK_MOST) unsigned char buf[TRIAL_BYTES] = {0};

    /* There must be more to read than is read. */
    if (move(site, file, true, buf, sizeof(buf)) != sizeof(buf)) {
        return 0;
    }
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        bool writes = rows[i].refused == REFUSED_WRITE;

        if (rows[i].on && rows[i].bytes != 0 &&
            move(site, file, writes, buf, alike(rows[i].bytes)) == -EINVAL) {
            return rows[i].refused * REFUSED_UNIT +
                   find_block(site, file, writes, buf);
        }
    }
    return 0;
}

/* The whole trial of this rank; nothing stays. */
static int try_here(const struct tmk_mdtest_site *site)
{
    char path[TMK_ITEM_PATH_SIZE];
    intptr_t file;
    int found = 0;
    int err = tmk_mdtest_marker_path(site, site->iteration, TMK_NAMES_PROBE,
                                     path, sizeof(path));

    if (err < 0) {
        return 0;
    }
    err = site->ops->create(site->engine, path, 0600, &file);
    if (err == 0) {
        found = try_sizes(site, file);
        (void)site->ops->close(site->engine, file);
    } else if (err == -EINVAL) {
        found = REFUSED_OPEN * REFUSED_UNIT;
    }
    /* Some file systems make the file before they refuse O_DIRECT. */
    (void)site->ops->unlink(site->engine, path);
    return found;
}

/* The -d of the lowest rank that was refused. */
static void find_root_all(const struct tmk_mdtest_site *site, bool refused,
                          char root[TMK_ITEM_PATH_SIZE])
{
    const struct tmk_job *job = site->job;
    int mine = refused ? -(job->size - job->rank) : 0;

    memset(root, 0, TMK_ITEM_PATH_SIZE);
    if (tmk_job_agree_all(job, mine) == mine) {
        (void)snprintf(root, TMK_ITEM_PATH_SIZE, "%s", site->plan->root);
    }
    tmk_wait_allreduce_all(&job->wait, root, TMK_ITEM_PATH_SIZE, MPI_BYTE,
                           MPI_BOR);
}

int tmk_mdtest_direct_try_all(const struct tmk_mdtest_site *site)
{
    const struct tmk_mdtest_conf *conf = site->plan->conf;
    char root[TMK_ITEM_PATH_SIZE];
    char asked[32];
    char hint[64] = "";
    int found;
    int here;
    bool writes;

    if (!tmk_mdtest_direct_on(site->ops, site->engine)) {
        return 0;
    }
    here = site->makes_dirs ? try_here(site) : 0;
    found = -tmk_job_agree_all(site->job, -here);
    if (found == 0) {
        return 0;
    }
    (void)option(site, asked, sizeof(asked));
    if (found / REFUSED_UNIT == REFUSED_OPEN) {
        find_root_all(site, here == found, root);
        tmk_say_error(site->job, "%s: %s does not take O_DIRECT", asked, root);
        return -EINVAL;
    }
    if (found % REFUSED_UNIT != 0) {
        (void)snprintf(hint, sizeof(hint), ": use a multiple of %d",
                       found % REFUSED_UNIT);
    }
    writes = found / REFUSED_UNIT == REFUSED_WRITE;
    tmk_say_error(
        site->job, "%s: %" PRIu64 " bytes cannot be %s with %s here%s",
        writes ? "-w" : "-e", writes ? conf->write_bytes : conf->read_bytes,
        writes ? "written" : "read", asked, hint);
    return -EINVAL;
}
