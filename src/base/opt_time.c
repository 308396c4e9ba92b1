/*
 * opt_time: values that are times; --interval and --progress, which several
 * commands have.
 */
#include "base/opt_time.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"

/*
 * A number of units of so many ns, least to most.  Digits and a point: strtod
 * would also take "nan", "1e3" and "0x1p3".
 */
static int parse_time(const char *text, double unit_ns, double least,
                      double most, uint64_t *ns)
{
    char *end;
    double t;

    if (text[0] == '\0' || strspn(text, "0123456789.") != strlen(text)) {
        return -EINVAL;
    }
    t = strtod(text, &end);
    if (end == text || *end != '\0' || t < least || t > most) {
        return -EINVAL;
    }
    *ns = (uint64_t)(t * unit_ns + 0.5);
    return 0;
}

static int parse_seconds(const char *text, double least_s, uint64_t *ns)
{
    const double most_s = 1e6; /* 11 days */

    return parse_time(text, 1e9, least_s, most_s, ns);
}

/* As many digits as a double has. */
static void show_time(const void *field, double unit_ns, char *buf, size_t size)
{
    (void)snprintf(buf, size, "%.15g",
                   (double)*(const uint64_t *)field / unit_ns);
}

int tmk_opt_time_parse_seconds(void *field, const char *text, const char **want)
{
    *want = "a number of seconds (60 and 0.5 are)";
    return parse_time(text, 1e9, 0.0, 1e9, field);
}

void tmk_opt_time_show_seconds(const void *field, char *buf, size_t size)
{
    show_time(field, 1e9, buf, size);
}

int tmk_opt_time_parse_minutes(void *field, const char *text, const char **want)
{
    *want = "a number of minutes (60 and 0.5 are)";
    return parse_time(text, 60e9, 0.0, 1e7, field);
}

void tmk_opt_time_show_minutes(const void *field, char *buf, size_t size)
{
    show_time(field, 60e9, buf, size);
}

int tmk_opt_time_parse_us(void *field, const char *text, const char **want)
{
    *want = "a number of microseconds (60 and 0.5 are)";
    return parse_time(text, 1e3, 0.0, 1e12, field);
}

void tmk_opt_time_show_us(const void *field, char *buf, size_t size)
{
    show_time(field, 1e3, buf, size);
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
