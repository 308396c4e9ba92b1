#ifndef TMK_BENCH_IO500_FIND_H
#define TMK_BENCH_IO500_FIND_H

#include "bench/io500_calls.h"

/*
 * Search, as the words of the phase's command say, or with the user's script:
 * see tmk_io500_call_all().  What each rank did goes to a .csv of the phase's
 * name.  Collective over the job of the calls.
 */
void tmk_io500_find_all(struct tmk_io500_calls *calls,
                        enum tmk_io500_phase phase,
                        const struct tmk_io500_args *args, FILE *out,
                        struct tmk_io500_done *done);

#endif
