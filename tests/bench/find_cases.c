/*
 * Many searches in one launch, for tests: starting MPI takes longer than they
 * do.
 *
 *     find_cases CASES
 *
 * CASES has the words of each search, each ended by a NUL, and an empty word
 * behind the last.  Rank 0 writes a line "\n=== STATUS\n" behind the output of
 * each; the status is that of find.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/find_main.h"
#include "run/job.h"

enum { WORDS_MAX = 256 };

static char *read_all(const char *path, size_t *size)
{
    FILE *f = fopen(path, "r");
    char *text = NULL;
    size_t room = 0;

    *size = 0;
    while (f != NULL && !feof(f)) {
        if (*size == room) {
            room = room != 0 ? 2 * room : 65536;
            text = realloc(text, room);
            if (text == NULL) {
                abort();
            }
        }
        *size += fread(text + *size, 1, room - *size, f);
    }
    if (f != NULL) {
        fclose(f);
    }
    return text;
}

int main(int argc, char **argv)
{
    const struct tmk_find_parts parts = {.version = "0", .version_git = ""};
    struct tmk_job *job = malloc(sizeof(*job));
    char program[] = "find";
    char *words[WORDS_MAX + 1] = {program};
    int n = 1;
    size_t size;
    char *text = argc == 2 ? read_all(argv[1], &size) : NULL;

    MPI_Init(NULL, NULL);
    if (job == NULL || text == NULL ||
        tmk_job_init_all(job, MPI_COMM_WORLD, "find", stdout, stderr) != 0) {
        MPI_Abort(MPI_COMM_WORLD, 2);
        free(job);
        free(text);
        return 2;
    }
    for (size_t at = 0; at < size; at += strlen(text + at) + 1) {
        int status;

        if (text[at] != '\0' && n < WORDS_MAX) {
            words[n++] = text + at;
            continue;
        }
        words[n] = NULL;
        status = tmk_find_main_all(job, n, words, &parts);
        if (job->rank == 0) {
            printf("\n=== %d\n", status);
            fflush(stdout);
        }
        n = 1;
    }
    tmk_job_fini_all(job);
    MPI_Finalize();
    free(job);
    free(text);
    return 0;
}
