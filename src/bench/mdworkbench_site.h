#ifndef TMK_BENCH_MDWORKBENCH_SITE_H
#define TMK_BENCH_MDWORKBENCH_SITE_H

#include <stdbool.h>
#include <stdint.h>

#include "bench/mdworkbench_phases.h"
#include "bench/mdworkbench_status.h"
#include "run/report.h"

/* -o: making it, looking at what is in it, removing it.  Never in a phase. */
struct tmk_mdworkbench_site {
    struct tmk_mdworkbench_run *run; /* borrowed */
    bool made_dir;      /* by us, now or in the launch that made the sets */
    const char *shared; /* how nodes see it: "shared"; NULL = not asked */
};

/* Make it with its parents, unless it is there.  0 or -errno, said.
 * Collective. */
int tmk_mdworkbench_site_make_all(struct tmk_mdworkbench_site *site);

/*
 * Whether all nodes see it, where ranks work on sets of others: 0, or -ENOTSUP,
 * said.  Collective.
 */
int tmk_mdworkbench_site_share_all(struct tmk_mdworkbench_site *site);

/*
 * Refuse sets that do not fit, or warn if `warns`.  What is known of the file
 * system is put into the report.  0 or -ENOSPC, said.  Collective.
 */
int tmk_mdworkbench_site_space_all(struct tmk_mdworkbench_site *site,
                                   struct tmk_report_run *report, bool warns);

/* Objects where precreate will make some: refuse, remove or reuse them.  0 or
 * -errno, said.  Collective. */
int tmk_mdworkbench_site_leftovers_all(struct tmk_mdworkbench_site *site,
                                       int leftovers);

/*
 * Whether the sets are as the plan and run->pos say: 0; or -EINVAL with one
 * line in `why`, on every rank.  Only first and last objects are looked for:
 * others may be missing, which the benchmark counts.  `trusts`: so may be the
 * last one, because the plan is known to be right.  Collective.
 */
int tmk_mdworkbench_site_probe_all(struct tmk_mdworkbench_site *site,
                                   bool trusts, char *why, size_t size);

/* Remove all sets that there are, until grace_ns have passed (0 = until they
 * are gone).  0 or -errno, of any rank.  Collective. */
int tmk_mdworkbench_site_sweep_all(struct tmk_mdworkbench_site *site,
                                   uint64_t grace_ns);

/* Remove -o if we made it and it is empty.  Collective. */
void tmk_mdworkbench_site_remove_all(struct tmk_mdworkbench_site *site);

#endif
