/*
 * io500_ready: whether what is asked for can be done, before anything is.
 */
#include "bench/io500_ready.h"

#include <errno.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/units.h"
#include "run/say.h"

/* Whether the API of a phase, a word and its options, is there. */
static bool has_api(const struct tmk_io500_launch *launch, const char *api)
{
    size_t length = strcspn(api, " \t");

    for (const struct tmk_engine_ops *const *e = launch->parts->engines;
         *e != NULL; e++) {
        if (strlen((*e)->name) == length &&
            strncasecmp((*e)->name, api, length) == 0) {
            return true;
        }
    }
    return false;
}

/* Of a search: the script, and how many search. */
static int check_find_all(struct tmk_io500_launch *launch,
                          enum tmk_io500_phase phase)
{
    const struct tmk_io500_part *part =
        &launch->conf.parts[tmk_io500_phase_rows[phase].section];
    struct tmk_job *job = launch->job;
    int64_t nproc = tmk_io500_number(part->nproc, 1);
    struct stat st;
    bool runs = true;

    if (nproc < 1 || nproc > job->size) {
        tmk_say_error(job, "[%s] nproc = %s: 1 to %d processes can search",
                      tmk_io500_phase_name(phase), part->nproc, job->size);
        return -EINVAL;
    }
    if (part->script != NULL && job->rank == 0) {
        runs = stat(part->script, &st) == 0 && S_ISREG(st.st_mode) &&
               access(part->script, X_OK) == 0;
    }
    if (tmk_job_agree_all(job, runs ? 0 : -EINVAL) != 0) {
        tmk_say_error(job,
                      "[%s] external-script = %s: not a file that can be "
                      "executed",
                      tmk_io500_phase_name(phase), part->script);
        return -EINVAL;
    }
    return 0;
}

/* Sizes that ior would refuse when other phases have run. */
static int check_sizes(struct tmk_io500_launch *launch)
{
    const struct tmk_io500_part *easy = &launch->conf.parts[TMK_IO500_IOR_EASY];
    uint64_t transfer = 0;
    uint64_t block = 0;

    if (tmk_units_parse_bytes(easy->transfer_size, &transfer) != 0 ||
        transfer == 0) {
        tmk_say_error(launch->job,
                      "[ior-easy] transferSize = %s: not a number of bytes",
                      easy->transfer_size);
        return -EINVAL;
    }
    if (tmk_units_parse_bytes(easy->block_size, &block) != 0 || block == 0) {
        tmk_say_error(launch->job,
                      "[ior-easy] blockSize = %s: not a number of bytes",
                      easy->block_size);
        return -EINVAL;
    }
    if (block % transfer != 0) {
        tmk_say_error(launch->job,
                      "[ior-easy] blockSize = %s is not a multiple of "
                      "transferSize = %s",
                      easy->block_size, easy->transfer_size);
        return -EINVAL;
    }
    return 0;
}

static int check_phase_all(struct tmk_io500_launch *launch,
                           enum tmk_io500_phase phase)
{
    const struct tmk_io500_phase_row *row = &tmk_io500_phase_rows[phase];
    const char *api = tmk_io500_phase_api(&launch->conf, phase);

    if (row->benchmark == TMK_IO500_PFIND) {
        return check_find_all(launch, phase);
    }
    if (phase == TMK_IO500_P_IOR_EASY_WRITE && check_sizes(launch) != 0) {
        return -EINVAL;
    }
    if ((row->benchmark == TMK_IO500_IOR ||
         row->benchmark == TMK_IO500_MDTEST ||
         row->benchmark == TMK_IO500_MDWB) &&
        !has_api(launch, api)) {
        tmk_say_error(launch->job, "[%s] API = %s: it is not known",
                      tmk_io500_phase_name(phase), api);
        return -EINVAL;
    }
    return 0;
}

int tmk_io500_ready_all(struct tmk_io500_launch *launch)
{
    const struct tmk_io500_part *workbench =
        &launch->conf.parts[TMK_IO500_MDWORKBENCH];

    if ((workbench->precreate_per_set == NULL) !=
        (workbench->files_per_proc == NULL)) {
        tmk_say_error(launch->job, "[mdworkbench] precreatePerSet and "
                                   "filesPerProc go together");
        return -EINVAL;
    }
    if (tmk_io500_stonewall_s(&launch->conf) < 0) {
        tmk_say_error(launch->job, "[debug] stonewall-time: 0 is the least");
        return -EINVAL;
    }
    for (unsigned i = 0; i < TMK_IO500_PHASES; i++) {
        if (tmk_io500_is_wanted(launch, (enum tmk_io500_phase)i) &&
            check_phase_all(launch, (enum tmk_io500_phase)i) != 0) {
            return -EINVAL;
        }
    }
    return 0;
}
