#ifndef TMK_BASE_OPT_TIME_H
#define TMK_BASE_OPT_TIME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Options with times: `parse` and `show` of rows, see base/opt.h. */

/*
 * Times from 0 on, with decimals, and without a unit: the field is a uint64_t,
 * in ns.  Seconds to 10^9, minutes to 10^7, microseconds to 10^12.
 */
int tmk_opt_time_parse_seconds(void *field, const char *text,
                               const char **want);
void tmk_opt_time_show_seconds(const void *field, char *buf, size_t size);
int tmk_opt_time_parse_minutes(void *field, const char *text,
                               const char **want);
void tmk_opt_time_show_minutes(const void *field, char *buf, size_t size);
int tmk_opt_time_parse_us(void *field, const char *text, const char **want);
void tmk_opt_time_show_us(const void *field, char *buf, size_t size);

/* --progress, --progress=SECONDS: the field is a struct tmk_opt_progress. */
struct tmk_opt_progress {
    bool given;
    uint64_t ns; /* between lines; 0 = none */
};

int tmk_opt_time_parse_progress(void *field, const char *text,
                                const char **want);
void tmk_opt_time_show_progress(const void *field, char *buf, size_t size);

/* --interval SECONDS, 0.01 at least: the field is a uint64_t, in ns. */
int tmk_opt_time_parse_interval(void *field, const char *text,
                                const char **want);
void tmk_opt_time_show_interval(const void *field, char *buf, size_t size);

#endif
