/*
 * mdtest_scan: tests on growing numbers of tasks.
 */
#include "bench/mdtest_scan.h"

#include "base/why.h"

int tmk_mdtest_scan_make(const struct tmk_mdtest_conf *conf, int ranks,
                         struct tmk_mdtest_scan *scan, char *why, size_t size)
{
    if (conf->first > ranks || conf->last > ranks) {
        return tmk_why(why, size, "%s: %d tasks are more than the %d ranks",
                       conf->first > ranks ? "-f" : "-l",
                       conf->first > ranks ? conf->first : conf->last, ranks);
    }
    *scan = (struct tmk_mdtest_scan){ranks, ranks, 1};
    if (conf->last != 0) {
        *scan = (struct tmk_mdtest_scan){conf->first, conf->last, conf->step};
        if (conf->first > conf->last) {
            return tmk_why(why, size, "-f: %d is more than -l %d", conf->first,
                           conf->last);
        }
    }
    return 0;
}

int tmk_mdtest_scan_check(const struct tmk_mdtest_scan *scan,
                          const struct tmk_mdtest_plan *plan, char *why,
                          size_t size)
{
    /* A scan that leaves its items meets them in its next test. */
    if (scan->last - scan->first >= scan->step && plan->creates &&
        !plan->removes) {
        return tmk_why(why, size,
                       "-f, -l: a scan that creates (-C) must also remove "
                       "(-r), or its tests meet each other's items");
    }
    return 0;
}
