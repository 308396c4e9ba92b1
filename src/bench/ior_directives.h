#ifndef TMK_BENCH_IOR_DIRECTIVES_H
#define TMK_BENCH_IOR_DIRECTIVES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/opt.h"
#include "bench/ior_conf.h"

/*
 * Directives ("blockSize=1m"), as -O has them and lines of a script (-f): any
 * long name of an option, whatever its case, or an option as it is on a command
 * line ("--posix.odirect=1", "-t=8k").
 */

/* Memory for the strings of directives, of one size from the start. */
struct tmk_ior_texts {
    char *buf;
    size_t size, used;
};

/* The next `bytes` of a struct tmk_ior_texts; NULL if there are not so many. */
char *tmk_ior_texts_keep(void *texts, size_t bytes);

void tmk_ior_texts_fini(struct tmk_ior_texts *texts);

/*
 * tmk_opt_parse() for these tables, [0] being ior's own: argv[1..] into the
 * confs.  Strings of directives (-O) lie in *texts, which is made here and
 * must live as long as the confs; release it whatever the result.  Returns 0,
 * TMK_OPT_HELP, -ENOMEM, or -EINVAL with a line in `why`.
 */
int tmk_ior_parse(const struct tmk_opt_table *tables, size_t n_tables, int argc,
                  char *const argv[], struct tmk_ior_texts *texts, char *why,
                  size_t why_size);

/*
 * One directive or a comma-separated list of them, applied to the structs of
 * the tables.  Values may be quoted ('a,b' or "a b").  `text` is not changed;
 * values that are strings are copied to `keep`, which gives memory that lives
 * as long as the confs.  0, -ENOMEM, or -EINVAL with a line in `why`.
 */
int tmk_ior_directives(const struct tmk_opt_table *tables, size_t n_tables,
                       const char *text, char *(*keep)(void *arg, size_t bytes),
                       void *arg, char *why, size_t why_size);

/* The directive's row in tmk_ior_opts; NULL if there is none of that name,
 * whatever its case. */
const struct tmk_opt *tmk_ior_directive_row(const char *name, size_t length);

/*
 * The same for a line of a script, where # begins a comment, and which may
 * hold nothing.  `later`: a test of the script is complete, so that what
 * concerns the whole launch is refused.
 */
int tmk_ior_directives_line(const struct tmk_ior_reach *reach, bool later,
                            const char *line, char *why, size_t why_size);

#endif
