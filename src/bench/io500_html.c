/*
 * io500_html: a page about a run.
 */
#include "bench/io500_html.h"

#include <errno.h>

int tmk_io500_html_all(struct tmk_job *job, const char *dir)
{
    (void)job;
    (void)dir;
    return -ENOSYS;
}
