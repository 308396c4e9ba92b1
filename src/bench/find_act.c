/*
 * find_act: what is done with an entry.
 */
#include "bench/find_act.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench/find_output.h"
#include "run/shell.h"

enum { BATCH_BYTES = 100000, BATCH_PATHS = 5000 };

/* Paths that a command with + will get together. */
struct tmk_find_batch {
    char **paths; /* owned, each as well */
    size_t n;
    size_t bytes;
    int dir; /* owned; where -execdir runs; -1 = none */
};

/*
 * Commands.
 */

/* Start it in a directory, or where we are (AT_FDCWD).  0 or -errno. */
static int start(char *const *argv, int dir, pid_t *pid)
{
    posix_spawnattr_t attr;
    posix_spawn_file_actions_t actions;
    int err = -posix_spawnattr_init(&attr);

    if (err != 0) {
        return err;
    }
    err = -posix_spawn_file_actions_init(&actions);
    if (err == 0) {
        err = tmk_shell_prepare(&attr, &actions);
        if (err == 0 && dir != AT_FDCWD) {
            err = -posix_spawn_file_actions_addfchdir_np(&actions, dir);
        }
        if (err == 0) {
            err = -posix_spawnp(pid, argv[0], &actions, &attr, argv, environ);
        }
        posix_spawn_file_actions_destroy(&actions);
    }
    posix_spawnattr_destroy(&attr);
    return err;
}

/* Run to its end, after what was printed before; the exit status, or -errno.
 * An end by a signal is said. */
static int run(struct tmk_find_walk *w, char *const *argv, int dir)
{
    char why[64];
    pid_t pid = 0;
    int status = 0;
    int err;

    tmk_find_output_flush(w->output, w->queue);
    err = start(argv, dir, &pid);
    if (err != 0) {
        return err;
    }
    while (waitpid(pid, &status, 0) < 0) {
        if (errno != EINTR) {
            return -errno;
        }
    }
    if (WIFEXITED(status)) {
        return WEXITSTATUS(status);
    }
    (void)snprintf(why, sizeof(why), "ended by signal %d", WTERMSIG(status));
    tmk_find_output_say(w->output, why, argv[0], w->said++);
    return 128 + WTERMSIG(status);
}

/* A word with each {} replaced; the caller's to free, NULL: no memory. */
static char *put_in(const char *word, const char *path)
{
    struct tmk_match_text text = {.length = 0};

    return tmk_match_exec_word(word, path, &text) == 0 ? text.bytes : NULL;
}

static void free_words(char **words, size_t n)
{
    for (size_t i = 0; words != NULL && i < n; i++) {
        free(words[i]);
    }
    free(words);
}

/* How -execdir names an entry: "./name". */
static char *name_in_dir(const struct tmk_match_entry *e)
{
    char *text = malloc(e->name_length + 3);

    if (text != NULL) {
        memcpy(text, "./", 2);
        memcpy(text + 2, e->name, e->name_length);
        text[e->name_length + 2] = '\0';
    }
    return text;
}

/* Where -execdir runs: of a start point, the directory above it. */
static int dir_of(const struct tmk_find_walk *w,
                  const struct tmk_match_entry *e)
{
    size_t ignored;
    char *path;
    int fd;

    if (w->fd != AT_FDCWD) {
        return fcntl(w->fd, F_DUPFD_CLOEXEC, 0);
    }
    path =
        strndup(e->path, (size_t)(tmk_match_base(e->path, &ignored) - e->path));
    if (path == NULL) {
        errno = ENOMEM;
        return -1;
    }
    fd = open(path[0] != '\0' ? path : ".", O_PATH | O_DIRECTORY | O_CLOEXEC);
    free(path);
    return fd;
}

/* The command for one entry; true if it ended with 0. */
static bool run_one(struct tmk_find_walk *w,
                    const struct tmk_match_action *action,
                    const struct tmk_match_entry *e)
{
    char **words = calloc(action->n_words + 1, sizeof(*words));
    char *name = action->in_dir ? name_in_dir(e) : NULL;
    int dir = action->in_dir ? dir_of(w, e) : AT_FDCWD;
    bool whole = words != NULL && (name != NULL || !action->in_dir);
    int status = -ENOMEM;

    for (size_t i = 0; whole && i < action->n_words; i++) {
        words[i] = put_in(action->words[i], action->in_dir ? name : e->path);
        whole = words[i] != NULL;
    }
    if (action->in_dir && dir < 0) {
        status = -errno;
    } else if (whole) {
        status = run(w, words, dir);
    }
    if (status < 0) {
        tmk_find_failed(w, status, whole ? action->words[0] : e->path);
    }
    if (action->in_dir && dir >= 0) {
        (void)close(dir);
    }
    free(name);
    free_words(words, action->n_words);
    return status == 0;
}

/* The command for all that wait. */
static void run_batch(struct tmk_find_walk *w, size_t which)
{
    const struct tmk_match_action *action = w->match->actions[which];
    struct tmk_find_batch *batch = &w->batches[which];
    const size_t fixed = action->n_words - 1; /* the last word is {} */
    char **words;
    int status = -ENOMEM;

    if (batch->n == 0) {
        return;
    }
    words = calloc(fixed + batch->n + 1, sizeof(*words));
    if (words != NULL) {
        for (size_t i = 0; i < fixed; i++) {
            words[i] = (char *)(uintptr_t)action->words[i];
        }
        memcpy(words + fixed, batch->paths, batch->n * sizeof(*words));
        status = run(w, words, action->in_dir ? batch->dir : AT_FDCWD);
    }
    if (status < 0) {
        tmk_find_failed(w, status, action->words[0]);
    } else if (status > 0) {
        w->command_failed = true; /* which says why itself */
    }
    free(words);
    for (size_t i = 0; i < batch->n; i++) {
        free(batch->paths[i]);
    }
    if (batch->dir >= 0) {
        (void)close(batch->dir);
    }
    batch->n = 0;
    batch->bytes = 0;
    batch->dir = -1;
}

/* One more path for a command that takes many. */
static void add_to_batch(struct tmk_find_walk *w,
                         const struct tmk_match_action *action,
                         const struct tmk_match_entry *e)
{
    size_t which = action->index;
    struct tmk_find_batch *batch = &w->batches[which];
    char *path = action->in_dir ? name_in_dir(e) : strdup(e->path);

    if (batch->paths == NULL) {
        batch->paths = calloc(BATCH_PATHS, sizeof(*batch->paths));
    }
    if (path == NULL || batch->paths == NULL) {
        free(path);
        tmk_find_failed(w, -ENOMEM, e->path);
        return;
    }
    if (action->in_dir) { /* those of one directory only */
        run_batch(w, which);
        batch->dir = dir_of(w, e);
    }
    batch->paths[batch->n++] = path;
    batch->bytes += strlen(path) + 1 + sizeof(path);
    if (batch->n == BATCH_PATHS || batch->bytes >= BATCH_BYTES) {
        run_batch(w, which);
    }
}

/*
 * Others.
 */

/* By directory and name, so that no link on the way leads elsewhere. */
static bool remove_entry(struct tmk_find_walk *w,
                         const struct tmk_match_entry *e)
{
    const char *name = w->fd == AT_FDCWD ? e->path : e->name;

    if (e->depth == 0 && strcmp(e->path, ".") == 0) {
        return true;
    }
    if (unlinkat(w->fd, name, e->type == TMK_MATCH_DIR ? AT_REMOVEDIR : 0) ==
        0) {
        return true;
    }
    if (errno != ENOENT || !w->match->ignore_race) {
        tmk_find_failed(w, -errno, e->path);
    }
    return false;
}

void tmk_find_act_rmdir(struct tmk_find_walk *w,
                        const struct tmk_match_entry *e)
{
    const char *name = w->fd == AT_FDCWD ? e->path : e->name;

    if (unlinkat(w->fd, name, AT_REMOVEDIR) == 0 || errno == ENOTEMPTY ||
        errno == EEXIST) {
        return;
    }
    /* A start point may be "." or a link. */
    if (e->depth > 0 || (errno != EINVAL && errno != ENOTDIR)) {
        tmk_find_failed(w, -errno, e->path);
    }
}

static void print(struct tmk_find_walk *w,
                  const struct tmk_match_action *action,
                  const struct tmk_match_entry *e)
{
    struct tmk_match_text *text;
    int err;

    if (w->silent && action->output < 0) {
        return;
    }
    text = tmk_find_output_text(w->output, action->output);
    err = tmk_match_record(action, e, w->calls, w, text);

    if (err != 0) {
        tmk_find_failed(w, err, e->path);
    }
    tmk_find_output_end(w->output, w->queue, action->output);
}

bool tmk_find_act(void *arg, const struct tmk_match_action *action,
                  const struct tmk_match_entry *e)
{
    struct tmk_find_walk *w = arg;

    switch (action->act) {
    case TMK_MATCH_COUNT: return true;
    case TMK_MATCH_DELETE: return remove_entry(w, e);
    case TMK_MATCH_EXEC:
        if (action->many) {
            add_to_batch(w, action, e);
            return true;
        }
        return run_one(w, action, e);
    default: break;
    }
    print(w, action, e);
    return true;
}

int tmk_find_act_init(struct tmk_find_walk *w)
{
    size_t n = w->match->n_actions;

    w->batches = calloc(n != 0 ? n : 1, sizeof(*w->batches));
    for (size_t i = 0; w->batches != NULL && i < n; i++) {
        w->batches[i].dir = -1;
    }
    return w->batches != NULL ? 0 : -ENOMEM;
}

void tmk_find_act_finish(struct tmk_find_walk *w)
{
    for (size_t i = 0; i < w->match->n_actions; i++) {
        run_batch(w, i);
    }
}

void tmk_find_act_fini(struct tmk_find_walk *w)
{
    for (size_t i = 0; w->batches != NULL && i < w->match->n_actions; i++) {
        free_words(w->batches[i].paths, w->batches[i].n);
    }
    free(w->batches);
    w->batches = NULL;
}
