/*
 * progress: lines for a person who waits.
 */
#include "run/progress.h"

#include <inttypes.h>
#include <poll.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/units.h"
#include "run/clock.h"
#include "run/job.h"

#define S UINT64_C(1000000000)

enum {
    LINE_SIZE = 512,
    /* A launcher passes a signal on to all ranks: they have so long to tell
     * what they have done, and later ones ask for nothing new. */
    GATHER_NS = 100000000,
    SAME_QUESTION_NS = 1000000000,
};

bool tmk_progress_is_read(const struct tmk_job *job)
{
    return isatty(fileno(job->err)) != 0;
}

uint64_t tmk_progress_period_ns(const struct tmk_job *job,
                                const struct tmk_opt_progress *asked)
{
    if (asked->given) {
        return asked->ns;
    }
    if (job->progress_ns != 0) {
        return job->progress_ns;
    }
    return job->size == 1 && !job->embedded && tmk_progress_is_read(job)
               ? 1000000000
               : 0;
}

void tmk_progress_init_all(struct tmk_progress *pr, const struct tmk_job *job,
                           uint64_t period_ns)
{
    *pr = (struct tmk_progress){
        .program = job->program,
        .out = job->out,
        .err = job->err,
        .period_ns = period_ns,
        .terminal = tmk_progress_is_read(job),
        .signals = tmk_job_reports_asked(),
    };
    tmk_totals_init_all(&pr->totals, &job->wait, period_ns != 0);
}

void tmk_progress_fini_all(struct tmk_progress *pr, const struct tmk_job *job)
{
    tmk_totals_fini_all(&pr->totals, &job->wait);
}

void tmk_progress_on_report(struct tmk_progress *pr,
                            void (*report)(void *arg, FILE *to), void *arg)
{
    pr->report = report;
    pr->arg = arg;
}

/* Tests of a scan have different sizes, rounds of a job different numbers. */
static uint64_t round_of(const struct tmk_job *job)
{
    return (uint64_t)job->size << 40 | (job->stop.round + 1);
}

/*
 * When to print or send next, from the beginning of a round.  Lines go on
 * through rounds that are shorter than what lies between two of them; what
 * others have done in the new one has to reach rank 0 before it speaks.
 */
static uint64_t next_of(const struct tmk_progress *pr)
{
    uint64_t gather_ns = pr->ranks > 1 ? GATHER_NS : 0;

    if (pr->period_ns == 0) {
        return UINT64_MAX;
    }
    if (pr->totals.rank != 0) {
        return pr->begin_ns;
    }
    if (pr->next_ns == 0) { /* the first */
        return pr->begin_ns + pr->period_ns;
    }
    return pr->next_ns > pr->begin_ns + gather_ns ? pr->next_ns
                                                  : pr->begin_ns + gather_ns;
}

void tmk_progress_begin(struct tmk_progress *pr, const struct tmk_job *job,
                        const struct tmk_progress_round *round)
{
    pr->round = *round;
    pr->ranks = job->size;
    pr->course = job->course;
    pr->base_done = 0;
    pr->base_failed = 0;
    pr->begin_ns = tmk_clock_ns();
    pr->last_ns = pr->begin_ns;
    pr->last_tried = 0;
    pr->next_ns = next_of(pr);
    tmk_totals_begin(&pr->totals, round_of(job));
}

void tmk_progress_keep(struct tmk_progress *pr, uint64_t done, uint64_t failed)
{
    pr->base_done += done;
    pr->base_failed += failed;
}

/*
 * Text.
 */

/* "0:07", "12:34", "1:02:03" */
static void format_time(uint64_t ns, char *buf, size_t size)
{
    const uint64_t s = (ns + S / 2) / S;

    if (s < 3600) {
        (void)snprintf(buf, size, "%" PRIu64 ":%02" PRIu64, s / 60, s % 60);
    } else {
        (void)snprintf(buf, size, "%" PRIu64 ":%02" PRIu64 ":%02" PRIu64,
                       s / 3600, s / 60 % 60, s % 60);
    }
}

static void append(char *buf, size_t size, const char *text)
{
    size_t used = strlen(buf);

    (void)snprintf(buf + used, size - used, "%s", text);
}

/* Where the job is in its course. */
static void append_course(const struct tmk_progress_view *view, char *buf,
                          size_t size)
{
    const struct tmk_job_course *course = &view->course;
    uint64_t left_ns = view->left_ns != UINT64_MAX ? view->left_ns : 0;
    char part[64];

    if (course->steps == 0) {
        return;
    }
    (void)snprintf(part, sizeof(part), "; step %u of %u, about ", course->step,
                   course->steps);
    append(buf, size, part);
    format_time(left_ns + course->rest_ns, part, sizeof(part));
    append(buf, size, part);
    append(buf, size, " to the end");
}

void tmk_progress_line(const struct tmk_progress_view *view, char *buf,
                       size_t size)
{
    const struct tmk_progress_round *round = view->round;
    const struct tmk_totals_sums *sums = &view->sums;
    const uint64_t tried = sums->done + sums->failed;
    char part[128];

    (void)snprintf(buf, size, "%s%s", round->name,
                   round->iterations != 0 ? ", " : ": ");
    if (round->iterations == 0) {
        part[0] = '\0';
    } else if (round->iteration != 0) {
        (void)snprintf(part, sizeof(part),
                       "iteration %d of %d: ", round->iteration,
                       round->iterations);
    } else {
        (void)snprintf(part, sizeof(part), "uncounted iteration: ");
    }
    append(buf, size, part);
    if (round->iterations == 0) {
        (void)snprintf(part, sizeof(part), "%" PRIu64, tried);
    } else {
        (void)snprintf(
            part, sizeof(part), "%" PRIu64 " of %" PRIu64 " (%.1f%%)", tried,
            round->planned,
            round->planned != 0 ? 100.0 * (double)tried / (double)round->planned
                                : 100.0);
    }
    append(buf, size, part);
    if (sums->ranks < (uint64_t)view->ranks) {
        (void)snprintf(part, sizeof(part), " on %" PRIu64 " of %d ranks",
                       sums->ranks, view->ranks);
        append(buf, size, part);
    }
    (void)snprintf(part, sizeof(part), ", %.0f/s, ", view->rate_per_s);
    append(buf, size, part);
    if (round->iterations == 0) {
        (void)snprintf(part, sizeof(part), "%" PRIu64 " failed", sums->failed);
        append(buf, size, part);
        append_course(view, buf, size);
        return;
    }
    if (view->left_ns != UINT64_MAX) {
        format_time(view->left_ns, part, sizeof(part));
        append(buf, size, part);
        append(buf, size, " left");
    } else {
        append(buf, size, "no end in sight");
    }
    (void)snprintf(part, sizeof(part), ", %" PRIu64 " failed", sums->failed);
    append(buf, size, part);
    append_course(view, buf, size);
}

/* If it goes on as in the last while, and the stonewall lets it. */
static uint64_t time_left(const struct tmk_progress *pr, uint64_t now_ns,
                          uint64_t tried, double rate_per_s)
{
    const uint64_t limit_ns = pr->round.limit_ns;
    const uint64_t spent_ns = now_ns - pr->begin_ns;
    uint64_t left = tried < pr->round.planned ? pr->round.planned - tried : 0;
    double left_s = 0.0;
    uint64_t left_ns = 0;

    if (left != 0 && rate_per_s <= 0.0) {
        left_ns = UINT64_MAX;
    } else if (left != 0) {
        left_s = (double)left / rate_per_s;
        left_ns = left_s < 1e9 ? (uint64_t)(left_s * 1e9) : UINT64_MAX;
    }
    if (limit_ns != 0 && spent_ns < limit_ns && limit_ns - spent_ns < left_ns) {
        left_ns = limit_ns - spent_ns;
    }
    return left_ns;
}

/* The line of this moment; the next one's rate is from here. */
static void make_line(struct tmk_progress *pr, uint64_t now_ns, char *buf,
                      size_t size)
{
    struct tmk_progress_view view = {
        .round = &pr->round,
        .sums = tmk_totals_get(&pr->totals),
        .ranks = pr->ranks,
        .course = pr->course,
    };
    const uint64_t tried = view.sums.done + view.sums.failed;
    const uint64_t new = tried > pr->last_tried ? tried - pr->last_tried : 0;

    view.rate_per_s = tmk_units_per_s(new, now_ns - pr->last_ns);
    view.left_ns = time_left(pr, now_ns, tried, view.rate_per_s);
    pr->last_ns = now_ns;
    pr->last_tried = tried;
    tmk_progress_line(&view, buf, size);
}

/* A reader that does not read must not stop a phase: the line is left out. */
static bool takes_more(FILE *to)
{
    struct pollfd fd = {.fd = fileno(to), .events = POLLOUT};

    return poll(&fd, 1, 0) == 1 && (fd.revents & POLLOUT) != 0;
}

/* A line that is too wide could not be written over. */
static int columns(FILE *terminal)
{
    struct winsize size;

    if (ioctl(fileno(terminal), TIOCGWINSZ, &size) != 0 || size.ws_col < 2) {
        return 79;
    }
    return size.ws_col - 1;
}

static void wipe(struct tmk_progress *pr)
{
    if (pr->shown) {
        fputs("\r\033[K", pr->err);
        fflush(pr->err);
        pr->shown = false;
    }
}

static void print_line(struct tmk_progress *pr, uint64_t now_ns)
{
    char text[LINE_SIZE];
    char line[LINE_SIZE + 64];

    make_line(pr, now_ns, text, sizeof(text));
    if (!takes_more(pr->err)) {
        return;
    }
    (void)snprintf(line, sizeof(line), "%s: %s", pr->program, text);
    if (pr->terminal) {
        fprintf(pr->err, "\r%.*s\033[K", columns(pr->err), line);
        pr->shown = true;
    } else {
        fprintf(pr->err, "%s\n", line);
    }
    fflush(pr->err);
}

static void print_report(struct tmk_progress *pr, uint64_t now_ns)
{
    char text[LINE_SIZE];

    pr->report_ns = 0;
    pr->reported_ns = now_ns;
    wipe(pr);
    fflush(pr->out);
    if (pr->report != NULL) {
        pr->report(pr->arg, pr->err);
    }
    make_line(pr, now_ns, text, sizeof(text));
    fprintf(pr->err, "%s: %s\n", pr->program, text);
    fflush(pr->err);
}

/*
 * Looking.
 */

/* A signal that has come to this rank is a question to rank 0. */
static void note_signal(struct tmk_progress *pr)
{
    const int signals = tmk_job_reports_asked();

    if (signals != pr->signals) {
        pr->signals = signals;
        tmk_totals_ask(&pr->totals);
    }
}

/* Rank 0: take in what others say, and note that a report is asked for. */
static void hear(struct tmk_progress *pr, uint64_t now_ns)
{
    if (tmk_totals_receive(&pr->totals) && pr->report_ns == 0 &&
        (pr->reported_ns == 0 ||
         now_ns >= pr->reported_ns + SAME_QUESTION_NS)) {
        pr->report_ns = now_ns + (pr->ranks > 1 ? GATHER_NS : 0);
    }
}

/* Rank 0. */
static bool look_at_all(struct tmk_progress *pr, uint64_t now_ns)
{
    bool took = false;

    hear(pr, now_ns);
    if (pr->report_ns != 0 && now_ns >= pr->report_ns) {
        print_report(pr, now_ns);
        took = true;
    }
    if (now_ns >= pr->next_ns) {
        pr->next_ns = now_ns + pr->period_ns;
        print_line(pr, now_ns);
        took = true;
    }
    return took;
}

bool tmk_progress_look(struct tmk_progress *pr, uint64_t now_ns, uint64_t done,
                       uint64_t failed)
{
    bool due;

    tmk_totals_put(&pr->totals, pr->base_done + done, pr->base_failed + failed);
    note_signal(pr);
    if (pr->totals.rank == 0) {
        return look_at_all(pr, now_ns);
    }
    due = now_ns >= pr->next_ns;
    if (!tmk_totals_send(&pr->totals, due)) {
        return false;
    }
    if (due) {
        pr->next_ns = now_ns + pr->period_ns / 2;
    }
    return true;
}

void tmk_progress_end(struct tmk_progress *pr)
{
    const uint64_t now_ns = tmk_clock_ns();

    if (pr->totals.rank != 0) {
        return;
    }
    note_signal(pr);
    hear(pr, now_ns);
    if (pr->report_ns != 0) {
        print_report(pr, now_ns);
    }
    wipe(pr);
}
