/*
 * io500_plan: the phases of the suite, and what the configuration wants of
 * each.
 */
#include "bench/io500_plan.h"

#include <string.h>
#include <strings.h>

enum { LEAST_S = 300, LEAST_SCC_S = 30 };

#define ROW(phase, family, ...)                                                \
    [TMK_IO500_P_##phase] = {TMK_IO500_##phase, TMK_IO500_##family, __VA_ARGS__}

const struct tmk_io500_phase_row tmk_io500_phase_rows[TMK_IO500_PHASES] = {
    ROW(IOR_EASY_WRITE, IOR_EASY, TMK_IO500_IOR, TMK_IO500_BW, true, false),
    ROW(MDTEST_EASY_WRITE, MDTEST_EASY, TMK_IO500_MDTEST, TMK_IO500_MD, true,
        false),
    ROW(MDWORKBENCH_CREATE, MDWORKBENCH, TMK_IO500_MDWB, TMK_IO500_UNSCORED,
        false, false),
    ROW(TIMESTAMP, TIMESTAMP, TMK_IO500_STAMP, TMK_IO500_UNSCORED, false,
        false),
    ROW(FIND_EASY, FIND_EASY, TMK_IO500_PFIND, TMK_IO500_MD, false, false),
    ROW(IOR_HARD_WRITE, IOR_HARD, TMK_IO500_IOR, TMK_IO500_BW, true, false),
    ROW(MDTEST_HARD_WRITE, MDTEST_HARD, TMK_IO500_MDTEST, TMK_IO500_MD, true,
        false),
    ROW(FIND, FIND, TMK_IO500_PFIND, TMK_IO500_MD, false, false),
    ROW(FIND_HARD, FIND_HARD, TMK_IO500_PFIND, TMK_IO500_MD, false, false),
    ROW(MDWORKBENCH_BENCH, MDWORKBENCH, TMK_IO500_MDWB, TMK_IO500_MD, false,
        false),
    ROW(IOR_EASY_READ, IOR_EASY, TMK_IO500_IOR, TMK_IO500_BW, false, false),
    ROW(MDTEST_EASY_STAT, MDTEST_EASY, TMK_IO500_MDTEST, TMK_IO500_MD, false,
        false),
    ROW(IOR_HARD_READ, IOR_HARD, TMK_IO500_IOR, TMK_IO500_BW, false, false),
    ROW(MDTEST_HARD_STAT, MDTEST_HARD, TMK_IO500_MDTEST, TMK_IO500_MD, false,
        false),
    ROW(MDWORKBENCH_DELETE, MDWORKBENCH, TMK_IO500_MDWB, TMK_IO500_UNSCORED,
        false, true),
    ROW(MDTEST_EASY_DELETE, MDTEST_EASY, TMK_IO500_MDTEST, TMK_IO500_MD, false,
        true),
    ROW(MDTEST_HARD_READ, MDTEST_HARD, TMK_IO500_MDTEST, TMK_IO500_MD, false,
        false),
    ROW(MDTEST_HARD_DELETE, MDTEST_HARD, TMK_IO500_MDTEST, TMK_IO500_MD, false,
        true),
    ROW(IOR_RND4K_EASY_READ, IOR_EASY, TMK_IO500_IOR, TMK_IO500_UNSCORED, false,
        false),
};

const char *tmk_io500_phase_name(enum tmk_io500_phase phase)
{
    return tmk_io500_section_name(tmk_io500_phase_rows[phase].section);
}

bool tmk_io500_phase_is_optional(enum tmk_io500_phase phase)
{
    return tmk_io500_section_is_optional(tmk_io500_phase_rows[phase].section);
}

const char *tmk_io500_phase_unit(enum tmk_io500_phase phase)
{
    return tmk_io500_phase_rows[phase].benchmark == TMK_IO500_IOR ? "GiB/s"
                                                                  : "kIOPS";
}

enum tmk_io500_phase tmk_io500_phase_find(const char *name, size_t length)
{
    size_t i = 0;

    while (i < TMK_IO500_PHASES) {
        const char *known = tmk_io500_phase_name((enum tmk_io500_phase)i);

        if (strlen(known) == length && strncasecmp(known, name, length) == 0) {
            break;
        }
        i++;
    }
    return (enum tmk_io500_phase)i;
}

static const struct tmk_io500_part *own(const struct tmk_io500_conf *conf,
                                        enum tmk_io500_phase phase)
{
    return &conf->parts[tmk_io500_phase_rows[phase].section];
}

static const struct tmk_io500_part *family(const struct tmk_io500_conf *conf,
                                           enum tmk_io500_phase phase)
{
    return &conf->parts[tmk_io500_phase_rows[phase].family];
}

bool tmk_io500_phase_runs(const struct tmk_io500_conf *conf,
                          enum tmk_io500_phase phase, bool extended)
{
    return (extended || !tmk_io500_phase_is_optional(phase)) &&
           tmk_io500_is_true(own(conf, phase)->run, true) &&
           tmk_io500_is_true(family(conf, phase)->run, true);
}

const char *tmk_io500_phase_api(const struct tmk_io500_conf *conf,
                                enum tmk_io500_phase phase)
{
    const char *api = own(conf, phase)->api;

    if (api == NULL) {
        api = family(conf, phase)->api;
    }
    return api != NULL ? api : conf->global.api;
}

bool tmk_io500_phase_is_collective(const struct tmk_io500_conf *conf,
                                   enum tmk_io500_phase phase)
{
    return tmk_io500_is_true(
        own(conf, phase)->collective,
        tmk_io500_is_true(family(conf, phase)->collective, false));
}

unsigned tmk_io500_least_s(const struct tmk_io500_conf *conf)
{
    return tmk_io500_is_true(conf->global.scc, false) ? LEAST_SCC_S : LEAST_S;
}

int64_t tmk_io500_stonewall_s(const struct tmk_io500_conf *conf)
{
    return tmk_io500_number(conf->debug.stonewall_time, LEAST_S);
}
