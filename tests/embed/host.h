#ifndef TMK_TESTS_EMBED_HOST_H
#define TMK_TESTS_EMBED_HOST_H

#include <mpi.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/*
 * What the programs that play a host of the library share: command lines as
 * exactly as many pointers as there are words, so that whoever looks behind
 * them is caught, the file that a call writes to, and checks.
 */

enum { HOST_WORDS_MAX = 64 };

struct host {
    MPI_Comm comm;
    int rank, size;
    const char *results; /* a directory for the files of calls */
    FILE *err;           /* for checks that fail */
    unsigned failed;     /* they, on this rank */
};

/* The words of a call, kept twice. */
struct host_words {
    int n;
    char **given;               /* n pointers, no NULL behind */
    char *kept[HOST_WORDS_MAX]; /* what they were */
};

static inline char *host_text(const char *format, va_list args)
{
    char text[4096];

    (void)vsnprintf(text, sizeof(text), format, args);
    return strdup(text);
}

/* A check that fails is said, and counted. */
__attribute__((format(printf, 3, 4))) static inline bool
host_check(struct host *host, bool fine, const char *format, ...)
{
    va_list args;
    char *text;

    if (fine) {
        return true;
    }
    va_start(args, format);
    text = host_text(format, args);
    va_end(args);
    fprintf(host->err, "rank %d: not so: %s\n", host->rank, text);
    free(text);
    host->failed++;
    return false;
}

/* One more word, printed; cut at blanks where `splits`. */
__attribute__((format(printf, 2, 3))) static inline void
host_word(struct host_words *words, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    words->kept[words->n++] = host_text(format, args);
    va_end(args);
}

/* Several words, parted by blanks. */
__attribute__((format(printf, 2, 3))) static inline void
host_words(struct host_words *words, const char *format, ...)
{
    va_list args;
    char *text;
    char *at;

    va_start(args, format);
    text = host_text(format, args);
    va_end(args);
    at = text;
    for (char *word; (word = strsep(&at, " ")) != NULL;) {
        if (*word != '\0') {
            host_word(words, "%s", word);
        }
    }
    free(text);
}

/* The vector for a call. */
static inline char **host_give(struct host_words *words)
{
    words->given = malloc((size_t)words->n * sizeof(*words->given));
    for (int i = 0; i < words->n; i++) {
        words->given[i] = strdup(words->kept[i]);
    }
    return words->given;
}

/* After the call: as it was, and released, so that whoever kept a pointer is
 * caught. */
static inline void host_take(struct host *host, struct host_words *words)
{
    for (int i = 0; i < words->n; i++) {
        host_check(host, strcmp(words->given[i], words->kept[i]) == 0,
                   "word %d is still '%s' (it is '%s')", i, words->kept[i],
                   words->given[i]);
        memset(words->given[i], 'x', strlen(words->given[i]));
        free(words->given[i]);
        free(words->kept[i]);
    }
    free(words->given);
    *words = (struct host_words){0};
}

/* On rank 0 a new file, on others the standard output, as IO500 has it. */
static inline FILE *host_open(struct host *host, const char *name)
{
    char path[4096];
    FILE *out;

    if (host->rank != 0) {
        return stdout;
    }
    (void)snprintf(path, sizeof(path), "%s/%s.txt", host->results, name);
    out = fopen(path, "w");
    if (out == NULL) {
        perror(path);
        exit(2);
    }
    return out;
}

/* The host closes it: that works, and something was written, if anything can
 * have been. */
static inline void host_close(struct host *host, FILE *out, const char *name)
{
    if (host->rank == 0) {
        long length = ftell(out);

        host_check(host, length > 0, "%s: rank 0 has written something", name);
        host_check(host, fclose(out) == 0, "%s: the file is open", name);
    }
}

/* Whether a line of what rank 0 wrote holds a text; true on others. */
static inline bool host_said(const struct host *host, const char *name,
                             const char *what)
{
    char path[4096];
    char line[4096];
    bool found = false;
    FILE *in;

    if (host->rank != 0) {
        return true;
    }
    (void)snprintf(path, sizeof(path), "%s/%s.txt", host->results, name);
    in = fopen(path, "r");
    while (in != NULL && !found && fgets(line, sizeof(line), in) != NULL) {
        found = strstr(line, what) != NULL;
    }
    if (in != NULL) {
        fclose(in);
    }
    return found;
}

/* What ranks other than 0 print is a file of each, for host_end to look at.
 * After MPI_Init. */
static inline void host_begin(struct host *host, MPI_Comm comm,
                              const char *results)
{
    char path[4096];

    host->comm = comm;
    host->results = results;
    MPI_Comm_rank(comm, &host->rank);
    MPI_Comm_size(comm, &host->size);
    host->err = fdopen(dup(STDERR_FILENO), "w");
    (void)snprintf(path, sizeof(path), "%s.said.%d", results, host->rank);
    if (host->rank != 0 && (freopen(path, "w", stdout) == NULL ||
                            dup2(STDOUT_FILENO, STDERR_FILENO) < 0)) {
        perror(path);
        exit(2);
    }
}

/* The exit status, alike on all ranks. */
static inline int host_end(struct host *host)
{
    unsigned failed;

    fflush(stdout);
    fflush(stderr);
    if (host->rank != 0) {
        host_check(host, lseek(STDOUT_FILENO, 0, SEEK_END) == 0,
                   "a rank other than 0 has printed nothing");
    }
    failed = host->failed;
    fclose(host->err);
    MPI_Allreduce(MPI_IN_PLACE, &failed, 1, MPI_UNSIGNED, MPI_SUM,
                  MPI_COMM_WORLD);
    MPI_Finalize();
    return failed != 0;
}

#endif
