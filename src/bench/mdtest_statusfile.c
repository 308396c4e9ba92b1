/*
 * mdtest_statusfile: the status file on disk (-x): read by rank 0 for all
 * before a launch that does not create, written by rank 0 after each creation.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bench/mdtest_known.h"
#include "bench/mdtest_launch.h"
#include "bench/mdtest_phases.h"
#include "run/say.h"

/* Longer files are none of ours. */
enum { STATUS_MAX = 64 << 20 };

/* The whole of a regular file, NUL-terminated, the caller's to free. */
static int read_file(const char *path, char **text, size_t *length)
{
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    struct stat st;
    ssize_t n = 0;
    int err = 0;

    if (fd < 0) {
        return -errno;
    }
    if (fstat(fd, &st) != 0) {
        err = -errno;
    } else if (!S_ISREG(st.st_mode)) {
        err = -EINVAL;
    } else if (st.st_size > STATUS_MAX) {
        err = -EFBIG;
    }
    *text = err == 0 ? malloc((size_t)st.st_size + 1) : NULL;
    if (err == 0 && *text == NULL) {
        err = -ENOMEM;
    }
    for (*length = 0; err == 0; *length += (size_t)n) {
        n = read(fd, *text + *length, (size_t)st.st_size - *length);
        if (n < 0) {
            err = -errno;
        }
        if (n <= 0) {
            break;
        }
    }
    close(fd);
    if (err != 0) {
        free(*text);
        *text = NULL;
        return err;
    }
    (*text)[*length] = '\0';
    return 0;
}

/* Rank 0's text to all: launch->status_text, NULL if there is none. */
static int share_text_all(struct tmk_mdtest_launch *launch, size_t length)
{
    struct tmk_job *job = launch->job;
    uint64_t bytes = launch->status_text != NULL ? length + 1 : 0;
    int err = 0;

    tmk_wait_bcast_all(&job->wait, &bytes, 1, MPI_UINT64_T);
    if (bytes == 0) {
        return 0;
    }
    if (job->rank != 0) {
        launch->status_text = malloc(bytes);
        err = launch->status_text != NULL ? 0 : -ENOMEM;
    }
    err = tmk_job_agree_all(job, err);
    if (err == 0) {
        tmk_wait_bcast_all(&job->wait, launch->status_text, (int)bytes,
                           MPI_CHAR);
    }
    return err;
}

/* Whether the file tells of nothing that the plan could work on. */
static bool nothing_to_do(const struct tmk_mdtest_launch *launch,
                          const struct tmk_mdtest_plan *plan)
{
    for (int i = 0; i < TMK_MDTEST_PHASES; i++) {
        enum tmk_mdtest_target target = tmk_mdtest_phase_rows[i].target;

        if (plan->on[i] &&
            (target == TMK_MDTEST_TREE ||
             tmk_mdtest_status_count(&launch->status, target, 0) != 0)) {
            return false;
        }
    }
    return true;
}

static int parse(struct tmk_mdtest_launch *launch,
                 const struct tmk_mdtest_plan *plan)
{
    const char *path = launch->conf.status_file;
    char why[256] = "";
    int err;

    if (strlen(launch->status_text) == 0) {
        tmk_say_error(launch->job, "-x: %s is empty", path);
        return -EINVAL;
    }
    err = tmk_mdtest_status_parse(&launch->status, launch->status_text,
                                  plan->items, why, sizeof(why));
    if (err < 0) {
        tmk_say_error(launch->job, "-x: %s: %s", path, why);
        return err;
    }
    if (err == TMK_MDTEST_STATUS_NONE) {
        tmk_say_warning(launch->job, "NO_STATUS",
                        "-x: %s does not say how many items were made; -n "
                        "holds",
                        path);
        return 0;
    }
    launch->has_status = true;
    if (nothing_to_do(launch, plan)) {
        tmk_say_error(launch->job,
                      "-x: %s says that nothing was made to work on", path);
        return -EINVAL;
    }
    return 0;
}

int tmk_mdtest_status_read_all(struct tmk_mdtest_launch *launch,
                               const struct tmk_mdtest_plan *plan)
{
    const char *path = launch->conf.status_file;
    struct tmk_job *job = launch->job;
    size_t length = 0;
    int err = 0;

    if (path == NULL || plan->creates) {
        return 0;
    }
    if (job->rank == 0) {
        err = read_file(path, &launch->status_text, &length);
    }
    if (err == -ENOENT) {
        tmk_say_warning(job, "NO_STATUS", "-x: no file %s; -n holds", path);
        err = 0;
    } else if (err != 0) {
        tmk_say_error(job, "-x: %s: %s", path, strerror(-err));
    }
    err = tmk_job_agree_all(job, err);
    if (err == 0) {
        err = share_text_all(launch, length);
    }
    if (err != 0 || launch->status_text == NULL) {
        return err;
    }
    return parse(launch, plan);
}

static const char *what(enum tmk_mdtest_target target)
{
    return target == TMK_MDTEST_DIRS ? "directories" : "files";
}

void tmk_mdtest_status_say(struct tmk_mdtest_launch *launch)
{
    static const enum tmk_mdtest_target kinds[] = {TMK_MDTEST_DIRS,
                                                   TMK_MDTEST_FILES};
    char counts[96] = "";

    if (!launch->has_status) {
        return;
    }
    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
        uint64_t n = tmk_mdtest_status_count(&launch->status, kinds[i], 0);
        size_t used = strlen(counts);

        if (n != UINT64_MAX && tmk_mdtest_tests(&launch->conf, kinds[i])) {
            (void)snprintf(counts + used, sizeof(counts) - used,
                           "%s%" PRIu64 " %s", used != 0 ? ", " : "", n,
                           what(kinds[i]));
        }
    }
    if (counts[0] != '\0') {
        tmk_say(launch->job, "-x: %s of each task were made%s.", counts,
                launch->conf.iterations > 1 ? " in the first iteration" : "");
    }
}

/*
 * Writing.
 */

int tmk_mdtest_status_open_all(struct tmk_mdtest_launch *launch,
                               const struct tmk_mdtest_plan *plan)
{
    const char *path = launch->conf.status_file;
    struct tmk_job *job = launch->job;
    int err = 0;

    if (path == NULL || !plan->creates) {
        return 0;
    }
    if (job->rank == 0) {
        err = tmk_output_open(path, job->id, &launch->status_out);
        if (err != 0) {
            tmk_say_error(job, "-x: %s: %s", path, strerror(-err));
        }
    }
    return tmk_job_agree_all(job, err);
}

void tmk_mdtest_status_close(struct tmk_mdtest_launch *launch)
{
    tmk_output_close(launch->status_out);
    launch->status_out = NULL;
    free(launch->status_text);
    launch->status_text = NULL;
    if (launch->status_more != NULL) {
        (void)fclose(launch->status_more);
        launch->status_more = NULL;
    }
    free(launch->status_records);
    launch->status_records = NULL;
}

/* The records behind the first line, as far as they are known. */
static FILE *more(struct tmk_mdtest_launch *launch)
{
    if (launch->status_more == NULL) {
        launch->status_more =
            open_memstream(&launch->status_records, &launch->status_length);
    }
    return launch->status_more;
}

/* Records of one owner, where it made something else than `count`. */
static void note_owner(FILE *to, const struct tmk_mdtest_made *made,
                       enum tmk_mdtest_target target, uint64_t iteration,
                       uint64_t owner, uint64_t count)
{
    if (made->count != count) {
        fprintf(to, "owner %" PRIu64 " iteration %" PRIu64 " %s %" PRIu64 "\n",
                owner, iteration, what(target), made->count);
    }
    for (uint64_t i = 0; i < made->n_holes && i < TMK_MDTEST_HOLES_MAX; i++) {
        fprintf(to, "hole %" PRIu64 " iteration %" PRIu64 " %s %" PRIu64 "\n",
                owner, iteration, what(target), made->holes[i]);
    }
}

/*
 * What single owners made, rank by rank: each sends its part to rank 0.  With
 * -c and -S every rank knows already.  `to` is rank 0's.
 */
static void note_owners_all(struct tmk_mdtest_run *run, FILE *to,
                            enum tmk_mdtest_target target, uint64_t count)
{
    const struct tmk_mdtest_plan *plan = run->plan;
    const struct tmk_mdtest_made *mine = &run->made[target];
    struct tmk_job *job = run->job;
    uint32_t owners = plan->conf->shared ? 1 : plan->tasks;

    for (uint32_t r = 0; r < owners; r++) {
        struct tmk_mdtest_made *made = &run->theirs;
        uint32_t rank = (uint32_t)job->rank;

        if (plan->conf->collective) {
            tmk_mdtest_made_for(mine, r, plan->tasks,
                                tmk_mdtest_known_turn(plan), made);
        } else if (r == 0) {
            *made = *mine;
        } else if (rank == r || rank == 0) {
            tmk_wait_exchange(&job->wait, mine, rank == 0 ? (int)r : 0, made,
                              rank == 0 ? (int)r : 0, (int)sizeof(*made));
        }
        if (to != NULL) {
            note_owner(to, made, target, run->iteration, r, count);
        }
    }
}

/* Line 1 and all records to the file. */
static int write_all_records(struct tmk_mdtest_launch *launch)
{
    FILE *to;
    int err;

    (void)fflush(launch->status_more);
    err = tmk_output_anew(launch->status_out, &to);
    if (err == 0) {
        fprintf(to, "%" PRIu64 "%s%s", launch->status_files,
                launch->status_length != 0 ? "\n" : "",
                launch->status_length != 0 ? launch->status_records : "");
        err = tmk_output_commit(launch->status_out);
    }
    return err;
}

void tmk_mdtest_status_note_all(struct tmk_mdtest_launch *launch,
                                struct tmk_mdtest_run *run, int phase,
                                const struct tmk_phase_result *result)
{
    const struct tmk_mdtest_phase_row *row = &tmk_mdtest_phase_rows[phase];
    const bool dirs = row->target == TMK_MDTEST_DIRS;
    uint64_t count = run->plan->items;
    FILE *to = NULL;
    int err = 0;

    if (launch->conf.status_file == NULL || row->target == TMK_MDTEST_TREE ||
        row->action != TMK_MDTEST_CREATE) {
        return;
    }
    if (result->wall.on) {
        count = result->wall.max;
    }
    if (run->job->rank == 0) {
        to = more(launch);
        err = to != NULL ? 0 : -ENOMEM;
    }
    if (to != NULL && launch->status_length == 0 &&
        launch->conf.write_bytes != 0) {
        fprintf(to, "seed %" PRId32 "\n", launch->pattern_seed);
    }
    if (to != NULL && dirs && run->iteration == 0) {
        fprintf(to, "directories %" PRIu64 "\n", count);
    } else if (to != NULL && (dirs || run->iteration != 0)) {
        fprintf(to, "iteration %" PRIu64 " %s %" PRIu64 "\n", run->iteration,
                what(row->target), count);
    }
    if (run->incomplete[row->target]) {
        note_owners_all(run, to, row->target, count);
    }
    if (!dirs && run->iteration == 0) {
        launch->status_files = count;
    }
    if (err == 0 && run->job->rank == 0) {
        err = write_all_records(launch);
    }
    if (err != 0 && !launch->result->status_lost) {
        tmk_say_error(launch->job, "-x: %s: %s", launch->conf.status_file,
                      strerror(-err));
        launch->result->status_lost = true;
    }
}
