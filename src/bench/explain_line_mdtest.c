/*
 * explain_line_mdtest: a line of mdtest: read, planned, explained.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "bench/explain_line.h"
#include "bench/explain_mdtest.h"
#include "bench/explain_text.h"

static void say_mdtest(const struct tmk_explain_line *line,
                       const struct tmk_explain_place *place,
                       const struct tmk_mdtest_plan *plan)
{
    const bool direct = tmk_explain_line_is_direct(line, plan->conf->api, NULL);
    FILE *to = line->to;
    size_t n;

    tmk_explain_line_say_place(line, place);
    if (plan->conf->last != 0) {
        tmk_explain_say(to, 2,
                        "A scan: %d, then %d more each time, to at most %d "
                        "ranks (-f, -s, -l); this is the last.",
                        plan->conf->first, plan->conf->step, plan->conf->last);
    }
    tmk_explain_head(to, "What is made");
    tmk_explain_mdtest_makes(to, plan);
    tmk_explain_head(to, "Phases of an iteration, one after the other");
    tmk_explain_mdtest_phases(to, plan);
    tmk_explain_head(to, "The stride (-N)");
    tmk_explain_mdtest_stride(to, plan);
    tmk_explain_head(to, "What may be a cache");
    tmk_explain_mdtest_caches(to, plan, direct);
    n = tmk_explain_line_say_words(line);
    tmk_explain_line_say_none(line, n + tmk_explain_mdtest_flags(to, plan));
}

/* The ranks of the last step of a scan; 0: more than there are. */
static uint32_t scan_end(const struct tmk_mdtest_conf *conf, uint32_t ranks)
{
    if (conf->last == 0) {
        return ranks;
    }
    if (conf->first > conf->last || (uint32_t)conf->last > ranks) {
        return 0;
    }
    return (uint32_t)(conf->last - (conf->last - conf->first) % conf->step);
}

static int plan_mdtest(const struct tmk_explain_line *line,
                       const struct tmk_mdtest_conf *conf)
{
    struct tmk_mdtest_plan *plan = calloc(1, sizeof(*plan));
    const uint32_t ranks = scan_end(conf, line->whole.map.ranks);
    struct tmk_explain_place place = {.arrays = NULL};
    int err = plan != NULL ? 0 : -ENOMEM;

    if (err == 0 && ranks == 0) {
        (void)snprintf(line->why, line->why_size,
                       "-f, -l: no scan from %d to %d tasks on %" PRIu32
                       " rank%s",
                       conf->first, conf->last, line->whole.map.ranks,
                       tmk_explain_s(line->whole.map.ranks));
        err = -EINVAL;
    }
    if (err == 0) {
        err = tmk_explain_place_first(&line->whole, ranks, &place);
    }
    if (err == 0) {
        err = tmk_mdtest_plan_make(conf, &place.map, plan, line->why,
                                   line->why_size);
    }
    if (err == 0) {
        say_mdtest(line, &place, plan);
    }
    tmk_explain_place_fini(&place);
    free(plan);
    return err;
}

int tmk_explain_line_mdtest(struct tmk_explain_line *line,
                            struct tmk_explain_launch *launch)
{
    const struct tmk_engine_ops *const *engines = line->asked->engines_mdtest;
    struct tmk_mdtest_conf conf;
    const struct tmk_opt_table own = {
        .title = "mdtest",
        .rows = tmk_mdtest_opts,
        .n_rows = tmk_mdtest_n_opts,
        .gone = tmk_mdtest_gone,
        .n_gone = tmk_mdtest_n_gone,
        .conf = &conf,
    };
    int err;

    tmk_mdtest_conf_init(&conf);
    err = tmk_explain_line_tables(line, &own, engines);
    if (err != 0) {
        return err;
    }
    line->argc = tmk_explain_gone_take(line->tables, line->n_tables, line->argc,
                                       line->argv, &line->gone);
    err = tmk_opt_parse(line->tables, line->n_tables, line->argc, line->argv,
                        line->why, line->why_size);
    if (err == TMK_OPT_HELP) {
        return tmk_explain_line_refuse(line, "", "--help", " asks for no run");
    }
    if (err == 0) {
        err = tmk_explain_line_check_api(line, conf.api, engines);
    }
    if (err == 0) {
        err = tmk_explain_line_place(line, launch, conf.nodes, conf.ppn);
    }
    return err == 0 ? plan_mdtest(line, &conf) : err;
}
