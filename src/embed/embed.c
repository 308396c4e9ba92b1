/*
 * embed: what all calls of a host program have in common.
 *
 *     host's comm --dup, counts errors--> comm --dup--> job
 *     host's argv ------------copies----> argv, NULL
 *
 * Here alone are variables that outlive a call: the handler of errors gets
 * nothing but the communicator, which may be a part of a part of ours.
 */
#include "embed/embed.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "run/clock.h"
#include "run/result.h"
#include "run/say.h"

static unsigned mpi_errors; /* of this process, on all our communicators */
static int last_error;

/* NOLINTNEXTLINE(readability-non-const-parameter): as MPI has it */
static void count_error(MPI_Comm *comm, int *code, ...)
{
    (void)comm;
    mpi_errors++;
    last_error = *code;
}

/* The duplicate, or MPI_COMM_NULL; no end of the program in the attempt. */
static MPI_Comm dup_all(MPI_Comm comm)
{
    MPI_Errhandler theirs;
    MPI_Request request;
    MPI_Comm copy = MPI_COMM_NULL;

    MPI_Comm_get_errhandler(comm, &theirs);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    if (MPI_Comm_idup(comm, &copy, &request) != MPI_SUCCESS) {
        copy = MPI_COMM_NULL;
    } else {
        tmk_wait_finish(1, &request);
    }
    MPI_Comm_set_errhandler(comm, theirs);
    MPI_Errhandler_free(&theirs);
    return copy;
}

static void free_words(struct tmk_embed_call *call)
{
    for (int i = 0; i < call->argc && call->argv != NULL; i++) {
        free(call->argv[i]);
    }
    free(call->argv);
    call->argv = NULL;
    call->argc = 0;
}

static int count_words(const char *const *words)
{
    int n = 0;

    while (words != NULL && words[n] != NULL) {
        n++;
    }
    return n;
}

/* 0 or -ENOMEM. */
static int copy_words(struct tmk_embed_call *call, const char *program,
                      int argc, char *const *argv, const char *const *more)
{
    const int given = argc > 0 && argv != NULL ? argc : 0;
    const int own = given != 0 ? given : 1;
    const int all = own + count_words(more);

    call->argv = calloc((size_t)all + 1, sizeof(*call->argv));
    if (call->argv == NULL) {
        return -ENOMEM;
    }
    while (call->argc < all) {
        const int i = call->argc;
        const char *word = i >= own ? more[i - own] : program;

        if (i < given && argv != NULL && argv[i] != NULL) {
            word = argv[i];
        }
        call->argv[i] = strdup(word);
        if (call->argv[i] == NULL) {
            return -ENOMEM;
        }
        call->argc++;
    }
    return 0;
}

/* What needs memory on each rank for itself.  0 or -ENOMEM, agreed. */
static int prepare_all(struct tmk_embed_call *call, const char *program,
                       int argc, char *const *argv, const char *const *more)
{
    const struct tmk_wait wait = {call->comm, .yields = true};
    int err = copy_words(call, program, argc, argv, more);

    call->job = malloc(sizeof(*call->job));
    if (call->job == NULL) {
        err = -ENOMEM;
    }
    if (call->out == NULL) {
        call->nowhere = fopen("/dev/null", "we");
        call->out = call->nowhere != NULL ? call->nowhere : stderr;
    }
    tmk_wait_allreduce_all(&wait, &err, 1, MPI_INT, MPI_MIN);
    if (err != 0) {
        free(call->job);
        call->job = NULL;
    }
    return err;
}

static void complain(const struct tmk_embed_call *call, const char *program,
                     const char *text)
{
    int rank = 0;

    if (call->comm != MPI_COMM_NULL) {
        MPI_Comm_rank(call->comm, &rank);
    }
    if (rank == 0 && call->out != NULL) {
        fprintf(call->out, "%s: %s\n", program, text);
        fflush(call->out);
    }
}

/* Whether MPI can be used. */
static bool mpi_is_up(void)
{
    int begun = 0;
    int ended = 0;

    MPI_Initialized(&begun);
    if (begun) {
        MPI_Finalized(&ended);
    }
    return begun && !ended;
}

int tmk_embed_begin_all(struct tmk_embed_call *call, const char *program,
                        int argc, char *const *argv, const char *const *more,
                        MPI_Comm comm, FILE *out)
{
    int err;

    *call = (struct tmk_embed_call){
        .out = out,
        .comm = MPI_COMM_NULL,
        .handler = MPI_ERRHANDLER_NULL,
        .mpi_errors = mpi_errors,
        .began_ns = tmk_clock_ns(),
    };
    if (!mpi_is_up()) {
        complain(call, program, "MPI is not initialised, or is over");
        return -EINVAL;
    }
    if (comm == MPI_COMM_NULL) { /* of a rank that has no part in it */
        return -EINVAL;
    }
    call->comm = dup_all(comm);
    if (call->comm == MPI_COMM_NULL) {
        return -EAGAIN;
    }
    MPI_Comm_create_errhandler(count_error, &call->handler);
    MPI_Comm_set_errhandler(call->comm, call->handler);
    err = prepare_all(call, program, argc, argv, more);
    if (err != 0) {
        complain(call, program, strerror(-err));
        return err;
    }
    fflush(call->out); /* what is written to its descriptor comes behind it */
    err =
        tmk_job_init_all(call->job, call->comm, program, call->out, call->out);
    call->job->embedded = true;
    if (err != 0) {
        tmk_say_error(call->job, "the node map cannot be found: %s",
                      strerror(-err));
    }
    return err;
}

static int judge_all(struct tmk_embed_call *call, int status)
{
    const unsigned own = mpi_errors - call->mpi_errors;
    uint64_t most = tmk_job_max_all(call->job, own);
    char text[MPI_MAX_ERROR_STRING] = "on another rank";
    int length;

    if (most == 0) {
        return status;
    }
    if (own != 0) {
        MPI_Error_string(last_error, text, &length);
    }
    tmk_say_error(call->job, "errors of MPI: %s", text);
    return status != TMK_EMBED_OK ? status : TMK_EMBED_FAILED;
}

int tmk_embed_end_all(struct tmk_embed_call *call, int status)
{
    if (call->job != NULL) {
        status = judge_all(call, status);
        if (call->job->rank == 0) {
            fflush(call->out);
        }
        tmk_job_fini_all(call->job);
        free(call->job);
        call->job = NULL;
    }
    free_words(call);
    if (call->comm != MPI_COMM_NULL) {
        MPI_Comm_free(&call->comm);
    }
    if (call->handler != MPI_ERRHANDLER_NULL) {
        MPI_Errhandler_free(&call->handler);
    }
    if (call->nowhere != NULL) {
        (void)fclose(call->nowhere);
        call->nowhere = NULL;
    }
    return status;
}

double tmk_embed_seconds(const struct tmk_embed_call *call)
{
    return tmk_units_seconds(tmk_clock_ns() - call->began_ns + 1);
}

bool tmk_embed_spoilt(const struct tmk_result *result, int status)
{
    if (status == TMK_EMBED_OK) {
        return false;
    }
    return status != TMK_EMBED_FAILED || result->failed_operations == 0 ||
           result->interrupted != 0 || result->left_behind ||
           result->status_lost || result->output_failed || result->trace_lost ||
           result->commands_failed || result->check_failed || result->warned ||
           result->broken_off;
}
