/*
 * say: errors, warnings, verbosity; on rank 0.
 */
#include "run/say.h"

#include <stdarg.h>
#include <string.h>

/* "program: text" and a newline, in one write. */
static void line(struct tmk_job *job, FILE *to, const char *format,
                 va_list args)
{
    fflush(job->out);
    fprintf(to, "%s: ", job->program);
    vfprintf(to, format, args);
    fputc('\n', to);
    fflush(to);
}

void tmk_say_error(struct tmk_job *job, const char *format, ...)
{
    va_list args;

    if (job->rank == 0) {
        va_start(args, format);
        line(job, job->err, format, args);
        va_end(args);
    }
}

void tmk_say_verbose(struct tmk_job *job, int level, const char *format, ...)
{
    va_list args;

    if (job->rank == 0 && job->verbosity >= level) {
        va_start(args, format);
        line(job, job->err, format, args);
        va_end(args);
    }
}

void tmk_say(struct tmk_job *job, const char *format, ...)
{
    va_list args;

    if (job->rank == 0) {
        va_start(args, format);
        vfprintf(job->out, format, args);
        va_end(args);
        fputc('\n', job->out);
        fflush(job->out);
    }
}

static void print_warning(struct tmk_job *job,
                          const struct tmk_job_warning *warning)
{
    fprintf(job->out, "WARNING: %s (%s)\n", warning->text, warning->code);
    fflush(job->out);
}

void tmk_say_hold(struct tmk_job *job)
{
    job->warnings->held = true;
}

void tmk_say_release(struct tmk_job *job)
{
    struct tmk_job_warnings *said = job->warnings;

    for (size_t i = 0; said->held && job->rank == 0 && i < said->n; i++) {
        print_warning(job, &said->list[i]);
    }
    said->held = false;
}

void tmk_say_warning(struct tmk_job *job, const char *code, const char *format,
                     ...)
{
    struct tmk_job_warnings *said = job->warnings;
    struct tmk_job_warning warning = {.code = code};
    va_list args;

    if (job->rank != 0) {
        return;
    }
    va_start(args, format);
    (void)vsnprintf(warning.text, sizeof(warning.text), format, args);
    va_end(args);
    for (size_t i = 0; i < said->n; i++) {
        if (strcmp(said->list[i].code, code) == 0 &&
            strcmp(said->list[i].text, warning.text) == 0) {
            return;
        }
    }
    if (said->n < TMK_JOB_WARNINGS_MAX) {
        said->list[said->n++] = warning;
    }
    if (!said->held) {
        print_warning(job, &warning);
    }
}
