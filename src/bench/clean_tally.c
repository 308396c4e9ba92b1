/*
 * clean_tally: what was removed, what failed, what is not ours.
 */
#include "bench/clean_tally.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/quote.h"
#include "engine/below.h"
#include "run/say.h"

/* Of a path in a message. */
enum { TEXT_SIZE = 1024 };

void tmk_clean_tally_fini(struct tmk_clean_tally *tally)
{
    for (size_t i = 0; i < tally->n_foreign; i++) {
        free(tally->foreign[i]);
    }
    for (size_t i = 0; i < tally->n_others; i++) {
        free(tally->others[i]);
    }
    for (size_t i = 0; i < tally->n_firsts; i++) {
        free(tally->firsts[i].path);
    }
    *tally = (struct tmk_clean_tally){0};
}

/* "<root>/<dir>/<name>"; NULL if there is no memory for it. */
static char *join(const char *root, const char *dir, const char *name)
{
    size_t length = strlen(root);
    const char *slash = length != 0 && root[length - 1] == '/' ? "" : "/";
    char *path = NULL;

    if (dir[0] == '\0' && name[0] == '\0') {
        slash = "";
    }
    if (asprintf(&path, "%s%s%s%s%s", root, slash, dir,
                 dir[0] != '\0' && name[0] != '\0' ? "/" : "", name) < 0) {
        return NULL;
    }
    return path;
}

/* Keep a path if there is room. */
static void keep(char **paths, size_t *n, size_t room, char *path)
{
    if (path != NULL && *n < room) {
        paths[(*n)++] = path;
    } else {
        free(path);
    }
}

void tmk_clean_tally_foreign(struct tmk_clean_tally *tally, const char *root,
                             const char *dir, const char *name)
{
    tally->sums[TMK_CLEAN_FOREIGN]++;
    if (tally->n_foreign < TMK_CLEAN_SHOWN) {
        keep(tally->foreign, &tally->n_foreign, TMK_CLEAN_SHOWN,
             join(root, dir, name));
    }
}

void tmk_clean_tally_other(struct tmk_clean_tally *tally, const char *root,
                           const char *dir, const char *name)
{
    tally->sums[TMK_CLEAN_OTHER]++;
    if (tally->n_others < TMK_CLEAN_OTHERS) {
        keep(tally->others, &tally->n_others, TMK_CLEAN_OTHERS,
             join(root, dir, name));
    }
}

void tmk_clean_tally_failed(struct tmk_clean_tally *tally, int err,
                            const char *root, const char *dir, const char *name)
{
    int number = err < 0 && -err < TMK_ERRNUM_SLOTS ? -err : 0;

    tally->sums[TMK_CLEAN_FAILED]++;
    if (tally->sums[TMK_CLEAN_ERRNO + number]++ == 0 &&
        tally->n_firsts < TMK_CLEAN_FIRSTS) {
        char *path = join(root, dir, name);

        if (path != NULL) {
            tally->firsts[tally->n_firsts].err = number;
            tally->firsts[tally->n_firsts++].path = path;
        }
    }
}

/* The text of the lowest rank that has one (NULL: none), to all; whether there
 * was one, and on this rank whether it was its own.  Collective. */
static bool share_all(const struct tmk_job *job, const char *text, char *line,
                      bool *own)
{
    int first =
        tmk_job_agree_all(job, text != NULL ? job->rank - job->size : 0);

    memset(line, 0, TEXT_SIZE);
    *own = text != NULL && first == job->rank - job->size;
    if (first == 0) {
        return false;
    }
    if (*own) {
        tmk_quote(line, TEXT_SIZE, text, strlen(text));
    }
    tmk_wait_allreduce_all(&job->wait, line, TEXT_SIZE, MPI_BYTE, MPI_BOR);
    return true;
}

static void say_failures_all(struct tmk_clean_tally *tally, struct tmk_job *job)
{
    const uint64_t *by = tally->sums + TMK_CLEAN_ERRNO;
    int said = 0;

    for (int err = 0; err < TMK_ERRNUM_SLOTS && said < TMK_CLEAN_FIRSTS;
         err++) {
        const char *text = NULL;
        char line[TEXT_SIZE];
        bool own;

        if (by[err] == 0) {
            continue;
        }
        for (size_t i = 0; i < tally->n_firsts; i++) {
            text = tally->firsts[i].err == err ? tally->firsts[i].path : text;
        }
        if (share_all(job, text, line, &own)) {
            tmk_say_error(job, "removing %s: %s (%" PRIu64 " time%s)", line,
                          err != 0 ? strerror(err) : "unknown error", by[err],
                          by[err] == 1 ? "" : "s");
            said++;
        }
    }
}

static void say_foreign_all(struct tmk_clean_tally *tally, struct tmk_job *job)
{
    uint64_t all = tally->sums[TMK_CLEAN_FOREIGN];
    uint64_t said = 0;
    size_t next = 0;

    while (said < all && said < TMK_CLEAN_SHOWN) {
        char line[TEXT_SIZE];
        bool own;

        if (!share_all(job,
                       next < tally->n_foreign ? tally->foreign[next] : NULL,
                       line, &own)) {
            break;
        }
        next += own;
        tmk_say_error(job, "%s is of no benchmark: it stays", line);
        said++;
    }
    if (said < all) {
        tmk_say_error(job, "and %" PRIu64 " others like that", all - said);
    }
}

void tmk_clean_tally_say_others_all(struct tmk_clean_tally *tally,
                                    struct tmk_job *job)
{
    const uint64_t all = tally->sums[TMK_CLEAN_OTHER];
    char names[TMK_CLEAN_OTHERS * TEXT_SIZE] = "";
    uint64_t said = 0;
    size_t next = 0;

    while (said < all && said < TMK_CLEAN_OTHERS) {
        char line[TEXT_SIZE];
        size_t used = strlen(names);
        bool own;

        if (!share_all(job, next < tally->n_others ? tally->others[next] : NULL,
                       line, &own)) {
            break;
        }
        next += own;
        (void)snprintf(names + used, sizeof(names) - used, "%s%s",
                       said != 0 ? ", " : "", line);
        said++;
    }
    if (all != 0) {
        tmk_say(job,
                "%" PRIu64 " named as of ior %s not known to hold its data: "
                "%s (%s%s)",
                all, all == 1 ? "is" : "are",
                all == 1 ? "it stays" : "they stay", names,
                said < all ? ", ..." : "");
    }
}

void tmk_clean_tally_say_all(struct tmk_clean_tally *tally, struct tmk_job *job)
{
    if (tally->sums[TMK_CLEAN_FAILED] != 0) {
        say_failures_all(tally, job);
    }
    if (tally->sums[TMK_CLEAN_FOREIGN] != 0) {
        say_foreign_all(tally, job);
    }
}
