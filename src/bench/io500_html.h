#ifndef TMK_BENCH_IO500_HTML_H
#define TMK_BENCH_IO500_HTML_H

#include "run/job.h"

/*
 * DIR/report.html from DIR/result.json: one page that needs nothing else, with
 * scores, phases, latencies, rates over time, the system, and warnings.  0, or
 * -errno, said.  Collective.
 */
int tmk_io500_html_all(struct tmk_job *job, const char *dir);

#endif
