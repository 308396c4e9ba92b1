#ifndef TMK_TESTS_MPI_IOR_MADE_H
#define TMK_TESTS_MPI_IOR_MADE_H

#include "mpi/ranks.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "bench/ior_text.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))
#define MIB      (UINT64_C(1) << 20)

/*
 * A run of one test that is made up: that of the golden text.
 */
struct made {
    struct tmk_ior_conf conf;
    struct tmk_ior_plan plan;
    struct tmk_engine_ops ops;
    struct tmk_ior_test test;
    struct tmk_ior_text_run run;
    struct tmk_phase_result result;
    struct tmk_ior_text text;
    char *log, *out;
    size_t log_size, out_size;
};

static char *const made_words[] = {
    (char *)(uintptr_t) "ior",  (char *)(uintptr_t) "-w",
    (char *)(uintptr_t) "-r",   (char *)(uintptr_t) "-i",
    (char *)(uintptr_t) "2",    (char *)(uintptr_t) "-t",
    (char *)(uintptr_t) "256k", (char *)(uintptr_t) "-b",
    (char *)(uintptr_t) "4m",   (char *)(uintptr_t) "-s",
    (char *)(uintptr_t) "2",    (char *)(uintptr_t) "-F",
    (char *)(uintptr_t) "-o",   (char *)(uintptr_t) "./iorf",
};

static const time_t made_moment = 1796059555; /* Mon Nov 30 17:25:55 2026 UTC */

static inline struct made *made_new(void)
{
    struct made *m = calloc(1, sizeof(*m));

    assert_non_null(m);
    setenv("TZ", "UTC", 1);
    m->conf = (struct tmk_ior_conf){
        .api = "POSIX",
        .path = "./iorf",
        .repetitions = 2,
        .segments = 2,
        .block_bytes = 4 * MIB,
        .transfer_bytes = MIB / 4,
        .node_offset = 1,
        .file_per_proc = 1,
        .read_passes = 1,
        .rwmix = -1,
    };
    m->plan = (struct tmk_ior_plan){
        .conf = &m->conf,
        .tasks = 2,
        .writes = true,
        .reads = true,
        .block_bytes = 4 * MIB,
        .transfer_bytes = MIB / 4,
        .segments = 2,
        .per_block = 16,
        .per_rank = 32,
        .rank_bytes = 8 * MIB,
        .file_bytes = 8 * MIB,
        .total_bytes = 16 * MIB,
        .n_roots = 1,
    };
    m->ops.name = "POSIX";
    m->test = (struct tmk_ior_test){
        .started = made_moment,
        .plan = &m->plan,
        .ops = &m->ops,
        .path = "./iorf.00000000",
        .nodes = 1,
        .ranks_per_node = 2,
        .usage_known = true,
        .usage = {.size_bytes = UINT64_C(252) << 30,
                  .used_bytes = UINT64_C(18063) << 20,
                  .inodes = 16 << 20,
                  .free_inodes = (16 << 20) - 453000},
    };
    m->run = (struct tmk_ior_text_run){
        .banner = "IOR-4.1.0+treemark-0.1.0",
        .started = made_moment,
        .argc = COUNT(made_words),
        .argv = made_words,
        .summary_at_end = true,
    };
    m->text.log = open_memstream(&m->log, &m->log_size);
    m->text.out = open_memstream(&m->out, &m->out_size);
    assert_non_null(m->text.log);
    assert_non_null(m->text.out);
    return m;
}

static inline void made_free(struct made *m)
{
    fclose(m->text.log);
    fclose(m->text.out);
    free(m->log);
    free(m->out);
    free(m);
}

static inline void begin(struct made *m)
{
    tmk_ior_text_begin(&m->text, &m->run);
    tmk_ior_text_test_begin(&m->text, &m->test);
}

static inline void end(struct made *m)
{
    tmk_ior_text_test_end(&m->text, &m->test);
    tmk_ior_text_end(&m->text);
}

/* All 16 MiB in 64 transfers, and in so many ns. */
static inline struct tmk_ior_phase phase_of(struct made *m,
                                            enum tmk_ior_access access,
                                            int repetition, uint64_t total_ns)
{
    return (struct tmk_ior_phase){
        .access = access,
        .repetition = repetition,
        .result = &m->result,
        .open_ns = total_ns / 10,
        .transfer_ns = total_ns / 2,
        .close_ns = total_ns / 10,
        .total_ns = total_ns,
        .moved_bytes = 16 * MIB,
        .transfers = 64,
        .best_mean_ns = 1000,
        .cached_share = -1.0,
    };
}

static inline void show(struct made *m, const struct tmk_ior_phase *phase)
{
    tmk_ior_text_add(&m->test, phase);
    tmk_ior_text_phase(&m->text, &m->test, phase);
}

static inline const char *out_of(struct made *m)
{
    fflush(m->text.out);
    return m->out;
}

static inline const char *log_of(struct made *m)
{
    fflush(m->text.log);
    return m->log;
}

/* Whether the line, whole, is in the text. */
static inline bool has_line(const char *text, const char *line)
{
    const size_t n = strlen(line);

    for (const char *at = text; (at = strstr(at, line)) != NULL; at++) {
        if ((at == text || at[-1] == '\n') && at[n] == '\n') {
            return true;
        }
    }
    return false;
}

static inline void expect_line(const char *text, const char *line)
{
    if (!has_line(text, line)) {
        fprintf(stderr, "no line \"%s\" in:\n%s\n", line, text);
        fail();
    }
}

static inline void expect_none(const char *text, const char *piece)
{
    if (strstr(text, piece) != NULL) {
        fprintf(stderr, "\"%s\" in:\n%s\n", piece, text);
        fail();
    }
}

#endif
