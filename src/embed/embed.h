#ifndef TMK_EMBED_EMBED_H
#define TMK_EMBED_EMBED_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "run/job.h"

/*
 * One call of a host program:
 *
 *     begin_all | a benchmark, with job, argc and argv | end_all
 *
 * The host's communicator is duplicated and errors on the duplicate are
 * counted, not fatal; its words are copied.
 */
struct tmk_embed_call {
    struct tmk_job *job; /* owned */
    int argc;
    char **argv;   /* owned; ended by NULL */
    FILE *out;     /* the host's, or: */
    FILE *nowhere; /* owned; where the host gave none */
    MPI_Comm comm; /* owned */
    MPI_Errhandler handler;
    unsigned mpi_errors; /* of this process before */
    uint64_t began_ns;
};

/* What a benchmark returns, as exit statuses of the programs. */
enum { TMK_EMBED_OK, TMK_EMBED_FAILED, TMK_EMBED_REFUSED };

/*
 * `program` goes before messages (static); `more` are words to add, ended by
 * NULL, or NULL.  0, or -errno, alike on all ranks; said if there is a rank to
 * say it.  end_all is for both.  Collective over comm.
 */
int tmk_embed_begin_all(struct tmk_embed_call *call, const char *program,
                        int argc, char *const *argv, const char *const *more,
                        MPI_Comm comm, FILE *out);

/*
 * Release; the status, TMK_EMBED_FAILED in place of TMK_EMBED_OK if MPI failed
 * on any rank, which is said.  Collective.
 */
int tmk_embed_end_all(struct tmk_embed_call *call, int status);

/* Since the call began, and never 0. */
double tmk_embed_seconds(const struct tmk_embed_call *call);

/* Whether something failed that no count of operations tells of. */
struct tmk_result;
bool tmk_embed_spoilt(const struct tmk_result *result, int status);

#endif
