/*
 * caches: emptied before a phase, once per node.
 */
#include "run/caches.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "run/say.h"
#include "run/shell.h"

static int sync_fs(const char *path)
{
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    int err = 0;

    if (fd < 0) {
        return -errno;
    }
    if (syncfs(fd) != 0) {
        err = -errno;
    }
    close(fd);
    return err;
}

/* Dirty pages stay, so that they have to be written first; see sync. */
static int drop_kernels(void)
{
    int fd = open("/proc/sys/vm/drop_caches", O_WRONLY | O_CLOEXEC);
    int err = 0;

    if (fd < 0) {
        return -errno;
    }
    if (write(fd, "3\n", 2) != 2) {
        err = -errno;
    }
    close(fd);
    return err;
}

/* What a command came to: -errno, or -EIO if its status is not 0. */
static int run(const char *command)
{
    int status = tmk_shell_run(command);

    return status > 0 ? -EIO : status;
}

/* The worst of all nodes, warned of.  Collective. */
static int judge_all(struct tmk_job *job, int err, const char *what)
{
    uint64_t nodes = tmk_job_sum_all(job, err != 0);

    err = tmk_job_agree_all(job, err);
    if (err != 0) {
        tmk_say_warning(job, "CACHES_KEPT", "%s failed on %d of %d nodes: %s",
                        what, (int)nodes, (int)job->layout.map.nodes,
                        err == -EIO ? "the command, or the file system, said so"
                                    : strerror(-err));
    }
    return err;
}

int tmk_caches_before_all(const struct tmk_caches_how *how, struct tmk_job *job,
                          struct tmk_result_caches *done)
{
    const bool leads = job->layout.leads_node;
    int failed = 0;
    int err;

    *done = (struct tmk_result_caches){.on = !tmk_caches_none(how)};
    if (how->sync) {
        err = judge_all(job, leads ? sync_fs(how->path) : 0, "--sync");
        done->synced = err == 0;
    }
    if (how->remount != NULL) {
        failed = judge_all(job, leads ? run(how->remount) : 0, "--remount");
        done->remounted = failed == 0;
    }
    if (how->drop != NULL) {
        err = 0;
        if (leads) {
            err = how->drop[0] != '\0' ? run(how->drop) : drop_kernels();
        }
        done->dropped = judge_all(job, err, "--drop-caches") == 0;
    }
    return failed != 0 ? -EIO : 0;
}
