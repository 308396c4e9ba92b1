/*
 * io500_phases: one phase after the other.
 *
 *     drop caches | barrier | pause | the benchmark | judge, write down
 */
#include "bench/io500_phases.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/io500_left.h"
#include "bench/io500_places.h"
#include "bench/io500_save.h"
#include "bench/io500_tidy.h"
#include "run/caches.h"
#include "run/clock.h"
#include "run/say.h"

#define SECOND 1000000000u

/* The number of objects is that of the phase that made them. */
static uint64_t objects(const struct tmk_io500_launch *launch)
{
    return tmk_io500_objects(&launch->conf,
                             launch->done[TMK_IO500_P_MDTEST_EASY_WRITE].score,
                             (unsigned)launch->job->size);
}

static void size_workbench(struct tmk_io500_launch *launch,
                           struct tmk_io500_done *done)
{
    const struct tmk_io500_part *part =
        &launch->conf.parts[TMK_IO500_MDWORKBENCH];

    launch->site.objects = objects(launch);
    done->per_set = (uint64_t)tmk_io500_number(part->precreate_per_set,
                                               (int64_t)launch->site.objects);
    done->per_round = (uint64_t)tmk_io500_number(part->files_per_proc,
                                                 (int64_t)launch->site.objects);
}

/* As the original keeps it, for a launch that only deletes: kIOPS. */
static int keep_size(const struct tmk_io500_launch *launch)
{
    double kiops = launch->done[TMK_IO500_P_MDTEST_EASY_WRITE].score;
    char *path = tmk_io500_in_results(launch, "mdworkbench-size");
    FILE *to = path != NULL ? fopen(path, "we") : NULL;
    int err =
        to != NULL && fwrite(&kiops, sizeof(kiops), 1, to) == 1 ? 0 : -EIO;

    if (to != NULL && fclose(to) != 0) {
        err = -EIO;
    }
    free(path);
    return err;
}

/* Rank 0's eyes, as all ranks wait for it. */
static bool is_paused_all(struct tmk_io500_launch *launch, const char *path)
{
    return tmk_job_max_all(launch->job, launch->job->rank == 0 &&
                                            path != NULL &&
                                            access(path, F_OK) == 0) != 0;
}

/* As long as there is a file of the phase's name in pause-dir. */
static void pause_all(struct tmk_io500_launch *launch,
                      enum tmk_io500_phase phase)
{
    const char *dir = launch->conf.debug.pause_dir;
    char *path = NULL;

    if (dir == NULL) {
        return;
    }
    if (asprintf(&path, "%s/%s", dir, tmk_io500_phase_name(phase)) < 0) {
        path = NULL;
    }
    while (is_paused_all(launch, path) &&
           tmk_job_interrupted_all(launch->job) == 0) {
        tmk_job_sleep(SECOND);
    }
    free(path);
}

static void drop_caches_all(struct tmk_io500_launch *launch,
                            struct tmk_io500_done *done)
{
    const struct tmk_caches_how how = {
        .drop = launch->conf.global.drop_caches_cmd,
        .path = launch->datadir,
    };
    struct tmk_result_caches dropped;

    if (tmk_io500_is_true(launch->conf.global.drop_caches, false)) {
        (void)tmk_caches_before_all(&how, launch->job, &dropped);
        done->caches_kept = !dropped.dropped;
    }
}

/* Reads are of what another rank wrote: of another node, if there is one. */
static double own_share(const struct tmk_io500_launch *launch,
                        enum tmk_io500_phase phase)
{
    const struct tmk_io500_phase_row *row = &tmk_io500_phase_rows[phase];
    double foreign = launch->phase.foreign_share;

    if (row->writes || row->removes ||
        (row->benchmark != TMK_IO500_IOR &&
         row->benchmark != TMK_IO500_MDTEST)) {
        return 0;
    }
    if (!launch->calls.timed || foreign < 0) {
        return launch->job->layout.map.nodes == 1 ? 1 : 0;
    }
    return 1 - foreign;
}

/* What is told of the whole run in lines of progress. */
static struct tmk_job_course course_of(const struct tmk_io500_launch *launch,
                                       enum tmk_io500_phase phase)
{
    bool wanted[TMK_IO500_PHASES];
    const struct tmk_io500_seen seen = {
        .wanted = wanted, .over = launch->over, .done = launch->done};

    for (unsigned i = 0; i < TMK_IO500_PHASES; i++) {
        wanted[i] = tmk_io500_is_wanted(launch, (enum tmk_io500_phase)i);
    }
    return (struct tmk_job_course){
        .step = tmk_io500_left_step(wanted, phase),
        .steps = tmk_io500_left_steps(wanted),
        .rest_ns =
            (uint64_t)(tmk_io500_left_s(&launch->conf, &seen, phase) * 1e9),
    };
}

/* The file that has a phase's text; NULL with *err. */
static FILE *open_text(const struct tmk_io500_launch *launch,
                       enum tmk_io500_phase phase, int *err)
{
    char name[64];
    char *path;
    FILE *out;

    (void)snprintf(name, sizeof(name), "%s.txt", tmk_io500_phase_name(phase));
    path = tmk_io500_in_results(launch, name);
    out = path != NULL ? fopen(path, "we") : NULL;
    *err = out != NULL ? 0 : -errno;
    free(path);
    return out;
}

/* 0 or -errno; of an earlier write, too. */
static int close_text(FILE *out)
{
    int err = ferror(out) != 0 ? -EIO : 0;

    return fclose(out) != 0 ? -errno : err;
}

/* Call the benchmark, with its text in a file of its own. */
static void call_all(struct tmk_io500_launch *launch,
                     enum tmk_io500_phase phase,
                     const struct tmk_io500_args *args,
                     struct tmk_io500_done *done)
{
    struct tmk_job *job = launch->job;
    FILE *out = NULL;
    uint64_t begin;
    int err = 0;

    if (job->rank == 0 &&
        tmk_io500_phase_rows[phase].benchmark != TMK_IO500_STAMP) {
        out = open_text(launch, phase, &err);
    }
    if (phase == TMK_IO500_P_MDWORKBENCH_CREATE && job->rank == 0 && err == 0) {
        err = keep_size(launch);
    }
    err = tmk_job_agree_all(job, err);
    if (err != 0) {
        done->status = err;
        return;
    }
    launch->calls.course = course_of(launch, phase);
    begin = tmk_clock_ns();
    tmk_io500_call_all(&launch->calls, phase, args,
                       out != NULL ? out : job->out, done);
    done->wall_s = (double)(tmk_clock_ns() - begin) / 1e9;
    err = out != NULL ? close_text(out) : 0;
    if (err != 0) {
        tmk_say_error(job, "%s/%s.txt: %s", launch->resultdir,
                      tmk_io500_phase_name(phase), strerror(-err));
        launch->calls.output_failed = true;
    }
}

static void judge(struct tmk_io500_launch *launch, enum tmk_io500_phase phase)
{
    const struct tmk_io500_done *done = &launch->done[phase];
    bool invalid;

    tmk_io500_rules_phase(&launch->conf, phase, done, &launch->judged[phase]);
    invalid = tmk_io500_reasons_invalidate(&launch->judged[phase]);
    launch->scores.score[phase] = done->score;
    launch->judged_invalid_extended =
        launch->judged_invalid_extended || invalid;
    launch->judged_invalid = launch->judged_invalid ||
                             (invalid && !tmk_io500_phase_is_optional(phase));
}

/* Rank 0's wall time is what is written. */
static void share_wall_all(const struct tmk_io500_launch *launch,
                           struct tmk_io500_done *done)
{
    tmk_wait_bcast_all(&launch->job->wait, &done->wall_s, 1, MPI_DOUBLE);
}

static void run_all(struct tmk_io500_launch *launch, enum tmk_io500_phase phase)
{
    struct tmk_job *job = launch->job;
    struct tmk_io500_done *done = &launch->done[phase];
    struct tmk_io500_args args = {0};
    char *line = NULL;
    int err;

    *done = (struct tmk_io500_done){.expected = UINT64_MAX};
    launch->judged[phase].n = 0;
    size_workbench(launch, done);
    err = tmk_io500_args_of(&launch->site, phase, &args);
    if (err == 0 && args.n != 0) {
        line = tmk_io500_args_line(&args);
        err = line != NULL ? 0 : -ENOMEM;
    }
    err = tmk_job_agree_all(job, err);
    drop_caches_all(launch, done);
    tmk_wait_barrier_all(&job->wait);
    done->started = time(NULL);
    if (job->rank == 0) {
        tmk_io500_record_begin(&launch->record, phase, done, line);
    }
    pause_all(launch, phase);
    if (err == 0) {
        call_all(launch, phase, &args, done);
    } else {
        done->status = err;
    }
    share_wall_all(launch, done);
    done->own_share = own_share(launch, phase);
    done->cut = launch->options.wearout_limit_ns != 0 && launch->calls.timed &&
                launch->phase.missed != 0;
    judge(launch, phase);
    launch->over[phase] = true;
    done->ended = time(NULL);
    if (job->rank == 0) {
        tmk_io500_record_end(&launch->record, phase, done,
                             &launch->judged[phase]);
    }
    tmk_io500_save_phase(launch, phase);
    free(line);
    tmk_io500_args_fini(&args);
}

int tmk_io500_phases_all(struct tmk_io500_launch *launch)
{
    for (unsigned i = 0; i < TMK_IO500_PHASES; i++) {
        enum tmk_io500_phase phase = (enum tmk_io500_phase)i;

        if (launch->over[i] || !tmk_io500_is_wanted(launch, phase)) {
            continue;
        }
        if (tmk_job_interrupted_all(launch->job) != 0) {
            return -EINTR;
        }
        if (launch->options.resume != 0) {
            (void)tmk_io500_clear_all(launch, phase);
        }
        run_all(launch, phase);
    }
    return tmk_job_interrupted_all(launch->job) != 0 ? -EINTR : 0;
}

void tmk_io500_phases_explain(struct tmk_io500_launch *launch)
{
    for (unsigned i = 0; i < TMK_IO500_PHASES; i++) {
        enum tmk_io500_phase phase = (enum tmk_io500_phase)i;
        struct tmk_io500_args args;
        char *line = NULL;

        if (!tmk_io500_is_wanted(launch, phase)) {
            continue;
        }
        launch->site.objects = objects(launch);
        if (tmk_io500_args_of(&launch->site, phase, &args) == 0) {
            line = tmk_io500_args_line(&args);
        }
        tmk_say(launch->job, "%-20s %s", tmk_io500_phase_name(phase),
                line != NULL && line[0] != '\0' ? line
                                                : "(a file, and its time)");
        free(line);
        tmk_io500_args_fini(&args);
    }
}
