/*
 * clean_main: from argv to the exit status.
 *
 *     clean_survey  what is there, who is at work; one rank
 *     clean_walk    removing it; all ranks, over run/queue
 *     engine/below  opening directories without leaving them
 *     clean_tally   what was removed, what was not
 */
#include "bench/clean_main.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/names.h"
#include "base/quote.h"
#include "base/units.h"
#include "bench/clean_conf.h"
#include "bench/clean_survey.h"
#include "bench/clean_tally.h"
#include "bench/clean_walk.h"
#include "engine/below.h"
#include "run/clock.h"
#include "run/say.h"

enum { STATUS_OK, STATUS_FAILED, STATUS_REFUSED };

/* NFS keeps "no such file" in its cache for a moment. */
enum { PROBE_TRIES = 10, PROBE_PAUSE_NS = 100000000 };

enum { TEXT_SIZE = 1024 }; /* of a path in a message */

/* One call of tmk_clean_all(). */
struct clean {
    struct tmk_job *job;
    const struct tmk_clean_ask *ask;
    struct tmk_job node;  /* size 0: nodes see the same */
    struct tmk_job *site; /* those who see the same files: job or node */
    struct tmk_below dirs;
    struct tmk_clean_tally tally;
    struct tmk_clean_survey *surveys; /* owned; of the first rank of a site */
    struct tmk_clean_walk *walk;
};

static void quote(const struct clean *c, size_t which, char *text)
{
    const char *path = c->ask->paths[which];

    tmk_quote(text, TEXT_SIZE, path, strlen(path));
}

static int open_all(struct clean *c)
{
    char text[TEXT_SIZE];
    size_t which;
    int own = tmk_below_init(&c->dirs, c->ask->paths, c->ask->n, &which);
    int err = tmk_job_agree_all(c->job, own);

    if (err != 0) {
        which = tmk_job_max_all(c->job, own == err ? which : 0);
        quote(c, which, text);
        tmk_say_error(c->job, "%s: %s%s", text, strerror(-err),
                      own == 0 ? " (on another rank)" : "");
    }
    return err;
}

/*
 * Do nodes see the same?
 */

/* Whether this rank sees a file that rank 0 made in each directory. */
static bool sees_probe(const struct clean *c, size_t root, const char *name)
{
    for (int i = 0; i < PROBE_TRIES; i++) {
        if (faccessat(c->dirs.roots[root].fd, name, F_OK, 0) == 0) {
            return true;
        }
        tmk_job_sleep(PROBE_PAUSE_NS);
    }
    return false;
}

/* Whether all nodes see what is in a directory.  Where nothing can be made,
 * they are taken to.  Collective. */
static bool shared_all(struct clean *c, size_t root)
{
    struct tmk_job *job = c->job;
    char name[64];
    int err = 0;
    bool sees = true;

    (void)tmk_names_make_id(TMK_NAMES_PROBE, job->id, name, sizeof(name));
    if (job->rank == 0) {
        int fd = openat(c->dirs.roots[root].fd, name,
                        O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);

        err = fd < 0 ? -errno : close(fd);
    }
    if (tmk_job_agree_all(job, err) != 0) {
        return true;
    }
    if (job->layout.leads_node) {
        sees = sees_probe(c, root, name);
    }
    sees = tmk_job_max_all(job, !sees) == 0;
    if (job->rank == 0) {
        (void)unlinkat(c->dirs.roots[root].fd, name, 0);
    }
    return sees;
}

/* Nodes that do not see the same clean each for itself.  0 or -errno. */
static int find_sites_all(struct clean *c)
{
    bool shared = true;
    int err;

    c->site = c->job;
    if (c->job->layout.map.nodes == 1 || c->ask->dry_run) {
        return 0;
    }
    for (size_t i = 0; i < c->ask->n; i++) {
        shared = shared_all(c, i) && shared;
    }
    if (shared) {
        return 0;
    }
    err = tmk_job_agree_all(c->job, tmk_job_node_all(c->job, &c->node));
    c->site = &c->node;
    if (!c->ask->quiet) {
        tmk_say(c->job, "nodes do not see the same: each cleans its own");
    }
    return err;
}

/*
 * Looking, then doing.
 */

/* What the first rank of a site finds in a directory.  0 or -errno, said. */
static int look(struct clean *c, size_t root)
{
    struct tmk_clean_survey *survey = &c->surveys[root];
    char text[TEXT_SIZE];
    int err = tmk_clean_survey_look(survey, &c->dirs, root, c->ask->ior,
                                    &c->site->layout);

    quote(c, root, text);
    if (err != 0) {
        tmk_say_error(c->site, "%s: %s", text, strerror(-err));
        return err;
    }
    if (survey->unread != 0 && !c->ask->force) {
        tmk_say_error(c->site,
                      "%s/%s: %s: whether a run is at work there cannot be "
                      "told; use --force if none is",
                      text, survey->marked_dir, strerror(-survey->unread));
        return survey->unread;
    }
    if (survey->alive && !c->ask->force) {
        tmk_say_error(c->site,
                      "%s/%s: run %s on host %s is at work here; wait for it, "
                      "or use --force if it is not",
                      text, survey->marked_dir, survey->id, survey->host);
        return -EBUSY;
    }
    if (!c->ask->quiet) {
        tmk_clean_survey_say(survey, text, c->ask->dry_run, c->site);
    }
    return 0;
}

static int look_all(struct clean *c)
{
    int err = 0;
    int worst;

    if (c->site->rank == 0) {
        c->surveys = calloc(c->ask->n, sizeof(*c->surveys));
        err = c->surveys != NULL ? 0 : -ENOMEM;
        for (size_t i = 0; err == 0 && i < c->ask->n; i++) {
            err = look(c, i);
        }
    }
    worst = tmk_job_agree_all(c->job, err);
    if (worst != 0 && c->job->rank == 0 && err == 0) {
        tmk_say_error(c->job, "refused on another node: nothing is removed");
    }
    return worst;
}

static int walk_all(struct clean *c, struct tmk_clean_done *done)
{
    uint64_t start;
    uint64_t took;

    c->walk =
        tmk_clean_walk_new_all(c->site, &c->dirs, &c->tally, c->ask->dry_run);
    if (tmk_job_agree_all(c->job, c->walk != NULL ? 0 : -ENOMEM) != 0) {
        tmk_say_error(c->job, "out of memory");
        return -ENOMEM;
    }
    start = tmk_clock_ns();
    for (size_t i = 0; c->site->rank == 0 && i < c->ask->n; i++) {
        tmk_clean_survey_add(&c->surveys[i], i, &c->dirs, c->walk, &c->tally);
    }
    (void)tmk_clean_walk_run_all(c->walk);
    took = tmk_clock_ns() - start;
    if (c->site != c->job) { /* each node has its sums on each rank */
        if (c->site->rank != 0) {
            memset(c->tally.sums, 0, sizeof(c->tally.sums));
        }
        tmk_wait_allreduce_all(&c->job->wait, c->tally.sums, TMK_CLEAN_SUMS,
                               MPI_UINT64_T, MPI_SUM);
    }
    *done = (struct tmk_clean_done){
        .cleaned.done = true,
        .cleaned.files = c->tally.sums[TMK_CLEAN_FILES],
        .cleaned.dirs = c->tally.sums[TMK_CLEAN_DIRS],
        .cleaned.foreign = c->tally.sums[TMK_CLEAN_FOREIGN],
        .cleaned.time_ns = tmk_job_max_all(c->job, took),
        .failed = c->tally.sums[TMK_CLEAN_FAILED],
        .interrupted = tmk_job_interrupted_all(c->job),
    };
    return 0;
}

static void say_done_all(struct clean *c, const struct tmk_clean_done *done)
{
    const struct tmk_result_cleaned *cleaned = &done->cleaned;
    uint64_t all = cleaned->files + cleaned->dirs;
    const char *files = cleaned->files == 1 ? "" : "s";
    const char *dirs = cleaned->dirs == 1 ? "y" : "ies";

    if (!c->ask->quiet && c->ask->dry_run) {
        tmk_say(c->job,
                "would remove %" PRIu64 " file%s and %" PRIu64 " director%s",
                cleaned->files, files, cleaned->dirs, dirs);
    } else if (!c->ask->quiet) {
        tmk_say(c->job,
                "removed %" PRIu64 " file%s and %" PRIu64
                " director%s in %.3f s, %.0f per second",
                cleaned->files, files, cleaned->dirs, dirs,
                tmk_units_seconds(cleaned->time_ns),
                tmk_units_per_s(all, cleaned->time_ns));
    }
    if (!c->ask->quiet) {
        tmk_clean_tally_say_others_all(&c->tally, c->job);
    }
    tmk_clean_tally_say_all(&c->tally, c->job);
}

int tmk_clean_all(struct tmk_job *job, const struct tmk_clean_ask *ask,
                  struct tmk_clean_done *done)
{
    struct clean c = {.job = job, .ask = ask};
    int err = open_all(&c);

    *done = (struct tmk_clean_done){0};
    if (err == 0) {
        err = find_sites_all(&c);
    }
    if (err == 0) {
        err = look_all(&c);
    }
    if (err == 0) {
        err = walk_all(&c, done);
    }
    if (err == 0) {
        say_done_all(&c, done);
    }
    tmk_clean_walk_free_all(c.walk);
    for (size_t i = 0; c.surveys != NULL && i < ask->n; i++) {
        tmk_clean_survey_fini(&c.surveys[i]);
    }
    free(c.surveys);
    tmk_clean_tally_fini(&c.tally);
    tmk_below_fini(&c.dirs);
    tmk_job_fini_all(&c.node);
    return err;
}

/*
 * The command line.
 */

static struct tmk_opt_table table_of(struct tmk_clean_conf *conf)
{
    return (struct tmk_opt_table){
        .title = "Options of clean",
        .rows = tmk_clean_opts,
        .n_rows = tmk_clean_n_opts,
        .conf = conf,
    };
}

void tmk_clean_help(FILE *to)
{
    struct tmk_clean_conf conf = {0};
    struct tmk_opt_table table = table_of(&conf);

    fputs("Usage: treemark clean [option...] DIR...\n"
          "Remove what mdtest, ior and treemark left in directories, with all "
          "MPI ranks.\n"
          "\n",
          to);
    tmk_opt_help(&table, 1, to);
    fputs("\n"
          "  -h, --help                  print this and end\n"
          "\n"
          "Exit status: 0 well, 1 something stayed, 2 the request was wrong,\n"
          "130 and 143 interrupted.  More in the manual page, "
          "treemark-clean(1).\n",
          to);
}

/* Options to the front, directories behind, in their order; no option takes a
 * value.  Returns how many words are options, argv[0] among them. */
static int part_words(int argc, char **argv, const char **words, size_t *n)
{
    bool all = false; /* behind "--" */
    int options = 0;

    *n = 0;
    for (int i = 0; i < argc; i++) {
        if (i > 0 && !all && strcmp(argv[i], "--") == 0) {
            all = true;
        } else if (i == 0 || (!all && argv[i][0] == '-')) {
            words[options++] = argv[i];
        }
    }
    all = false;
    for (int i = 1; i < argc; i++) {
        if (!all && strcmp(argv[i], "--") == 0) {
            all = true;
        } else if (all || argv[i][0] != '-') {
            words[(size_t)options + (*n)++] = argv[i];
        }
    }
    return options;
}

static int run_all(struct tmk_job *job, const struct tmk_clean_ask *ask)
{
    struct tmk_clean_done done;

    if (tmk_clean_all(job, ask, &done) != 0) {
        return STATUS_REFUSED;
    }
    if (done.interrupted != 0) {
        tmk_say_error(job, "interrupted: the rest is still there");
        return 128 + done.interrupted;
    }
    return done.failed != 0 || done.cleaned.foreign != 0 ? STATUS_FAILED
                                                         : STATUS_OK;
}

int tmk_clean_main_all(struct tmk_job *job, int argc, char **argv)
{
    struct tmk_clean_conf conf = {0};
    struct tmk_opt_table table = table_of(&conf);
    const char **words = calloc((size_t)argc + 1, sizeof(*words));
    struct tmk_clean_ask ask = {.ior = true};
    char why[1024];
    int options;
    int status;
    int err = tmk_job_agree_all(job, words != NULL ? 0 : -ENOMEM);

    if (err != 0 || words == NULL) {
        tmk_say_error(job, "out of memory");
        free(words);
        return STATUS_FAILED;
    }
    options = part_words(argc, argv, words, &ask.n);
    err = tmk_opt_parse(&table, 1, options, (char *const *)words, why,
                        sizeof(why));
    ask.paths = words + options;
    ask.dry_run = conf.dry_run != 0;
    ask.force = conf.force != 0;
    if (err == TMK_OPT_HELP) {
        if (job->rank == 0) {
            tmk_clean_help(job->out);
        }
        status = STATUS_OK;
    } else if (err != 0) {
        tmk_say_error(job, "%s", why);
        status = STATUS_REFUSED;
    } else if (ask.n == 0) {
        tmk_say_error(job, "which directory? (treemark clean DIR...)");
        status = STATUS_REFUSED;
    } else {
        status = run_all(job, &ask);
    }
    free(words);
    return status;
}
