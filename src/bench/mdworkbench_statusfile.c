/*
 * mdworkbench_statusfile: reading and writing --run-info-file.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "bench/mdworkbench_launch.h"
#include "run/say.h"

/* Its text, NUL-terminated, from rank 0 to all; 0 or -errno.  Collective. */
static int read_all(struct tmk_mdworkbench_launch *launch, char *text)
{
    struct tmk_job *job = launch->job;
    int err = 0;

    memset(text, 0, TMK_MDWORKBENCH_STATUS_SIZE);
    if (job->rank == 0) {
        int fd = open(launch->conf.status_file, O_RDONLY | O_CLOEXEC);
        ssize_t n =
            fd >= 0 ? read(fd, text, TMK_MDWORKBENCH_STATUS_SIZE - 1) : -1;

        err = n < 0 ? -errno : 0;
        if (fd >= 0) {
            (void)close(fd);
        }
    }
    err = tmk_job_agree_all(job, err);
    tmk_wait_bcast_all(&job->wait, text, TMK_MDWORKBENCH_STATUS_SIZE, MPI_CHAR);
    return err;
}

/* The seed of the data that is there, and that will be written.  0, or -EINVAL,
 * said. */
static int choose_seed(struct tmk_mdworkbench_launch *launch, bool known)
{
    const struct tmk_mdworkbench_conf *conf = &launch->conf;
    int64_t seed = (int64_t)time(NULL);

    if (conf->seed != -1) {
        seed = conf->seed;
    } else if (known) {
        seed = launch->status.seed;
    } else if (conf->verify != 0 && launch->plan.benchmarks &&
               !launch->plan.precreates) {
        tmk_say_error(launch->job,
                      "-X: which seed was the data made with? Give the -G of "
                      "the launch that made the sets");
        return -EINVAL;
    }
    tmk_wait_bcast_all(&launch->job->wait, &seed, 1, MPI_INT64_T);
    launch->run.data.pattern.seed = (int32_t)seed;
    return 0;
}

/* The sets are not, or may not be, as they should: that is for cleanup to put
 * in order, and a reason not to begin for all others. */
static int object(struct tmk_mdworkbench_launch *launch, const char *why)
{
    if (launch->plan.benchmarks) {
        tmk_say_error(launch->job, "%s", why);
        return -EINVAL;
    }
    tmk_say(launch->job, "cleanup goes by what there is: %s", why);
    launch->run.sweeps = true;
    return 0;
}

/* What is known of the sets.  0 or -errno, said. */
static int load_all(struct tmk_mdworkbench_launch *launch)
{
    const struct tmk_mdworkbench_conf *conf = &launch->conf;
    struct tmk_mdworkbench_status *status = &launch->status;
    char text[TMK_MDWORKBENCH_STATUS_SIZE];
    char why[TMK_MDWORKBENCH_PATH_SIZE + 512];
    int err = read_all(launch, text);

    launch->site.made_dir = true; /* as the original takes it */
    if (err != 0) {
        *status = (struct tmk_mdworkbench_status){.pos = conf->start_item};
        (void)snprintf(why, sizeof(why), "--run-info-file %s: %s%s",
                       conf->status_file, strerror(-err),
                       launch->plan.benchmarks
                           ? " (-1 writes it; --start-item N goes without)"
                           : "");
        return conf->start_item != 0 ? 0 : object(launch, why);
    }
    err = tmk_mdworkbench_status_read(status, text);
    if (err != 0) {
        (void)snprintf(why, sizeof(why),
                       "--run-info-file: %s does not begin with 'pos: ' and a "
                       "number, or is broken behind that",
                       conf->status_file);
        return object(launch, why);
    }
    launch->site.made_dir = !status->known || status->made_dir;
    if (tmk_mdworkbench_status_check(status, &launch->plan, why, sizeof(why)) !=
        0) {
        return object(launch, why);
    }
    return 0;
}

int tmk_mdworkbench_status_load_all(struct tmk_mdworkbench_launch *launch)
{
    const struct tmk_mdworkbench_conf *conf = &launch->conf;
    struct tmk_mdworkbench_status *status = &launch->status;
    struct tmk_mdworkbench_run *run = &launch->run;
    char why[TMK_MDWORKBENCH_PATH_SIZE + 512];
    bool made_dir;
    bool known;
    uint64_t first;
    int err;

    run->pos = conf->start_item;
    if (!launch->plan.precreates) {
        err = load_all(launch);
        if (err != 0) {
            return err;
        }
        if (conf->start_item == 0) {
            run->pos = status->pos;
        }
        if (!run->sweeps &&
            tmk_mdworkbench_site_probe_all(&launch->site, status->known, why,
                                           sizeof(why)) != 0) {
            err = object(launch, why);
        }
        if (err != 0) {
            return err;
        }
    }
    known = status->known;
    first = known ? status->first : run->pos;
    made_dir = known ? status->made_dir : launch->site.made_dir;
    err = choose_seed(launch, known);
    *status = tmk_mdworkbench_status_of(&launch->plan, run->pos,
                                        run->data.pattern.seed);
    status->first = first;
    status->made_dir = made_dir;
    return err;
}

int tmk_mdworkbench_status_open_all(struct tmk_mdworkbench_launch *launch)
{
    struct tmk_job *job = launch->job;
    int err = 0;

    launch->status_kept =
        (launch->plan.precreates || launch->plan.benchmarks) &&
        !launch->plan.cleans;
    if (!launch->status_kept) {
        return 0;
    }
    if (job->rank == 0) {
        err = tmk_output_open(launch->conf.status_file, job->id,
                              &launch->status_out);
    }
    err = tmk_job_agree_all(job, err);
    if (err != 0) {
        tmk_say_error(job, "--run-info-file %s: %s", launch->conf.status_file,
                      strerror(-err));
    }
    return err;
}

void tmk_mdworkbench_status_save_all(struct tmk_mdworkbench_launch *launch,
                                     bool torn)
{
    struct tmk_job *job = launch->job;
    char text[TMK_MDWORKBENCH_STATUS_SIZE];
    FILE *to;
    int err = 0;

    if (!launch->status_kept) {
        return;
    }
    launch->status.pos = launch->run.pos;
    launch->status.torn = torn;
    if (job->rank == 0) {
        (void)tmk_mdworkbench_status_write(&launch->status, text);
        err = tmk_output_anew(launch->status_out, &to);
        if (err == 0) {
            fputs(text, to);
            err = tmk_output_commit(launch->status_out);
        }
    }
    err = tmk_job_agree_all(job, err);
    launch->status_written = true;
    if (err != 0 && !launch->result->status_lost) {
        tmk_say_error(job, "--run-info-file: writing %s: %s",
                      launch->conf.status_file, strerror(-err));
    }
    launch->result->status_lost = launch->result->status_lost || err != 0;
}

void tmk_mdworkbench_status_drop(struct tmk_mdworkbench_launch *launch)
{
    if (launch->status_written && launch->job->rank == 0) {
        (void)unlink(launch->conf.status_file);
    }
    launch->status_kept = false;
}
