#ifndef TMK_BENCH_IO500_SAVE_H
#define TMK_BENCH_IO500_SAVE_H

#include "bench/io500_launch.h"

/*
 * result.json: the results as every command writes them (kind "io500"), with
 * what the suite makes of them beside, from which a later launch can go on.
 */

/* Open it, and the files of --json and --csv.  0 or -errno, said.
 * Collective. */
int tmk_io500_save_open_all(struct tmk_io500_launch *launch, int argc,
                            char **argv);

/* A phase is over. */
void tmk_io500_save_phase(struct tmk_io500_launch *launch,
                          enum tmk_io500_phase phase);

/* The end; false if something could not be written, which is said.
 * Collective. */
bool tmk_io500_save_close_all(struct tmk_io500_launch *launch);

/*
 * Take over what an earlier launch has finished, if anything: before
 * save_open_all.  0; -EINVAL if it was another run, said.  Collective.
 */
int tmk_io500_save_resume_all(struct tmk_io500_launch *launch);

#endif
