/*
 * pfind-options.h: searching a tree with the ranks of a communicator.
 *
 *     options = pfind_parse_args(argc, argv, 0, comm)   copies, looks at
 * nothing local = pfind_find(options)                       searches all =
 * pfind_aggregrate_results(local)             adds up
 */
#ifndef TREEMARK_PFIND_OPTIONS_H
#define TREEMARK_PFIND_OPTIONS_H

#include <mpi.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* One malloc'ed block that is the caller's to free. */
typedef struct pfind_options pfind_options_t;

/* What dividing the work took. */
typedef struct {
    uint64_t job_steal_inbound;      /* questions of other ranks */
    uint64_t work_send;              /* directories given away */
    uint64_t job_steal_tries;        /* questions to other ranks */
    uint64_t work_stolen;            /* directories that came from others */
    uint64_t job_steal_mpitime_us;   /* with nothing to do */
    uint64_t completion_tokens_send; /* rounds of finding the end */
} pfind_monitoring_t;

/*
 * What one rank found, or all together.  If anything failed on any rank,
 * found_files, total_files and rate are 0, and errors tells how often.
 */
typedef struct {
    uint64_t errors;
    uint64_t unknown_file;    /* entries whose type the directory hid */
    uint64_t found_files;     /* that match */
    uint64_t total_files;     /* that were looked at: no directories */
    uint64_t checked_dirents; /* the same with directories */
    double rate;              /* total_files / runtime */
    double runtime;           /* s */
    pfind_monitoring_t monitor;
    MPI_Comm com; /* that of the options */
} pfind_find_results_t;

/*
 * Keep the words argv[1] ... argv[argc - 1], of which copies are made, for a
 * search by the ranks of comm.  The file system is not looked at.  Never
 * wrong; NULL only if there is no memory.  force_print_help: search nothing,
 * print the options.
 */
pfind_options_t *pfind_parse_args(int argc, char **argv, int force_print_help,
                                  MPI_Comm comm);

/*
 * What this rank found, in one malloc'ed block that is the caller's to free.
 * NULL on every rank if the request was wrong, or if options is NULL.  Rank 0
 * writes what is found without -C, and the reasons of failures, to
 * out_logfile (aiori.h).  Collective over the communicator of the options.
 */
pfind_find_results_t *pfind_find(pfind_options_t *options);

/*
 * What all ranks found: sums, but for runtime, which is the longest.  A new
 * malloc'ed block, on every rank; NULL if `local` is.  Collective over
 * local->com.
 */
pfind_find_results_t *pfind_aggregrate_results(pfind_find_results_t *local);

#ifdef __cplusplus
}
#endif

#endif
