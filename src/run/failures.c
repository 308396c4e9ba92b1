/*
 * failures: what failed in a phase, for people.
 */
#include "run/failures.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "base/errnum.h"
#include "run/say.h"

void tmk_failures_say(struct tmk_job *job,
                      const struct tmk_phase_result *result, const char *phase,
                      const char *when, bool *said)
{
    for (size_t i = 0; i < result->n_failures; i++) {
        const struct tmk_failure *f = &result->failures[i];
        const char *why = f->err != 0 ? strerror(f->err) : "unknown error";
        char name[32];

        if (said[f->err]) {
            continue;
        }
        said[f->err] = true;
        if (f->err == EBADMSG && result->wrong == f->count) { /* all of them */
            why = "data is not what was written";
        }
        tmk_say_error(job,
                      "%s: %s: %s (%s)%s%s, first on rank %d of host %s; "
                      "%" PRIu64 " failed so in %s",
                      phase, f->path, why,
                      tmk_errnum_name(f->err, name, sizeof(name)),
                      f->detail[0] != '\0' ? ", " : "", f->detail, f->rank,
                      f->host, f->count, when);
    }
}
