/*
 * leftovers: the default of --leftovers.
 */
#include "bench/leftovers.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/quote.h"
#include "run/say.h"

int tmk_leftovers_default_all(struct tmk_job *job, int *choice)
{
    const char *set = getenv("TREEMARK_LEFTOVERS");
    const char *text = set != NULL ? set : "";
    char quoted[64];

    *choice = TMK_LEFTOVERS_REFUSE;
    if (text[0] != '\0') {
        *choice = tmk_opt_leftovers_find(text);
    }
    tmk_wait_bcast_all(&job->wait, choice, 1, MPI_INT);
    if (*choice >= 0) {
        return 0;
    }
    tmk_quote(quoted, sizeof(quoted), text, strlen(text));
    tmk_say_error(job, "TREEMARK_LEFTOVERS: '%s' is not refuse, clean or reuse",
                  quoted);
    return -EINVAL;
}
