/*
 * opt_time: --interval and --progress, which several commands have.
 */
#include "base/opt_time.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"

/* Digits and a point: strtod would also take "nan", "1e3" and "0x1p3". */
static int parse_seconds(const char *text, double least_s, uint64_t *ns)
{
    const double most_s = 1e6; /* 11 days */
    char *end;
    double s;

    if (text[0] == '\0' || strspn(text, "0123456789.") != strlen(text)) {
        return -EINVAL;
    }
    s = strtod(text, &end);
    if (end == text || *end != '\0' || s < least_s || s > most_s) {
        return -EINVAL;
    }
    *ns = (uint64_t)(s * 1e9 + 0.5);
    return 0;
}

int tmk_opt_time_parse_interval(void *field, const char *text,
                                const char **want)
{
    *want = "a number of seconds from 0.01 to 1000000 (1 and 0.1 are)";
    return parse_seconds(text, 0.01, field);
}

void tmk_opt_time_show_interval(const void *field, char *buf, size_t size)
{
    (void)snprintf(buf, size, "%g",
                   tmk_units_seconds(*(const uint64_t *)field));
}

int tmk_opt_time_parse_progress(void *field, const char *text,
                                const char **want)
{
    struct tmk_opt_progress *progress = field;
    uint64_t ns = 1000000000;
    int err = 0;

    *want = "a number of seconds from 0.1 to 1000000, or 0 (--progress and "
            "--progress=5 are right)";
    if (text != NULL && strcmp(text, "0") == 0) {
        ns = 0;
    } else if (text != NULL) {
        err = parse_seconds(text, 0.1, &ns);
    }
    if (err == 0) {
        *progress = (struct tmk_opt_progress){.given = true, .ns = ns};
    }
    return err;
}

void tmk_opt_time_show_progress(const void *field, char *buf, size_t size)
{
    const struct tmk_opt_progress *progress = field;

    if (progress->given) {
        (void)snprintf(buf, size, "%g", tmk_units_seconds(progress->ns));
    } else {
        (void)snprintf(buf, size, "auto");
    }
}
