/*
 * clean_conf: one row per option of treemark clean.
 */
#include "bench/clean_conf.h"

const struct tmk_opt tmk_clean_opts[] = {
    TMK_OPT_FLAG('n', "dry-run", struct tmk_clean_conf, dry_run,
                 "say what would be removed and touch nothing"),
    TMK_OPT_FLAG('f', "force", struct tmk_clean_conf, force,
                 "remove even what a run that is at work has made"),
};
const size_t tmk_clean_n_opts =
    sizeof(tmk_clean_opts) / sizeof(tmk_clean_opts[0]);
