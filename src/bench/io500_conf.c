/*
 * io500_conf: the keys of the suite's ini files, each of them a row.
 */
#include "bench/io500_conf.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/ini.h"
#include "base/opt_set.h"
#include "base/typo.h"
#include "bench/io500_hash.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

typedef const char *value_text;

static int take_text(void *field, const char *value, const char **want)
{
    (void)want;
    *(value_text *)field = value;
    return 0;
}

static int take_bool(void *field, const char *value, const char **want)
{
    if (strcasecmp(value, "true") == 0 || strcmp(value, "1") == 0) {
        *(value_text *)field = "TRUE";
    } else if (strcasecmp(value, "false") == 0 || strcmp(value, "0") == 0) {
        *(value_text *)field = "FALSE";
    } else {
        *want = "TRUE or FALSE";
        return -EINVAL;
    }
    return 0;
}

/* The suite knows no k, m and g here. */
static int take_digits(void *field, const char *value, int64_t least,
                       int64_t most, const char **want)
{
    const char *digits = value + (least < 0 && *value == '-' ? 1 : 0);
    long long n;
    char *end;

    errno = 0;
    n = strtoll(value, &end, 10);
    if (*digits < '0' || *digits > '9' || *end != '\0') {
        *want = least < 0 ? "a whole number, in digits"
                          : "a whole number of at least 0, in digits";
        return -EINVAL;
    }
    if (errno != 0 || n < least || n > most) {
        *want = "a number of that size";
        return -EINVAL;
    }
    return take_text(field, value, want);
}

static int take_int(void *field, const char *value, const char **want)
{
    return take_digits(field, value, INT32_MIN, INT32_MAX, want);
}

static int take_unsigned(void *field, const char *value, const char **want)
{
    return take_digits(field, value, 0, INT32_MAX, want);
}

static int take_u64(void *field, const char *value, const char **want)
{
    return take_digits(field, value, 0, INT64_MAX, want);
}

static int take_float(void *field, const char *value, const char **want)
{
    char *end;
    double seconds = strtod(value, &end);

    if (strspn(value, "0123456789e.+-") != strlen(value) || *end != '\0' ||
        !(seconds >= 0 && seconds < 1e9)) {
        *want = "a number of seconds";
        return -EINVAL;
    }
    return take_text(field, value, want);
}

static void show(const void *field, char *buf, size_t size)
{
    const char *value = *(const value_text *)field;

    (void)snprintf(buf, size, "%s", value != NULL ? value : "");
}

#define KEY(T, name, f, arg, take, help)                                       \
    TMK_OPT_CALL(0, name, struct tmk_io500_##T, f, value_text, arg, take,      \
                 show, help)
#define TEXT(T, name, f, help)     KEY(T, name, f, "TEXT", take_text, help)
#define BOOL(T, name, f, help)     KEY(T, name, f, "BOOL", take_bool, help)
#define INT(T, name, f, help)      KEY(T, name, f, "N", take_int, help)
#define UNSIGNED(T, name, f, help) KEY(T, name, f, "N", take_unsigned, help)
#define U64(T, name, f, help)      KEY(T, name, f, "N", take_u64, help)

static const struct tmk_opt global_rows[] = {
    TEXT(global, "datadir", datadir, "where the benchmarks make their files"),
    BOOL(global, "timestamp-datadir", timestamp_datadir,
         "make them in a directory named after the time of the run"),
    TEXT(global, "resultdir", resultdir, "where the results go"),
    BOOL(global, "timestamp-resultdir", timestamp_resultdir,
         "put them into a directory named after the time of the run"),
    TEXT(global, "api", api,
         "storage API, and options of it (--posix.odirect)"),
    BOOL(global, "drop-caches", drop_caches,
         "run drop-caches-cmd on each node before each phase"),
    TEXT(global, "drop-caches-cmd", drop_caches_cmd,
         "command that empties the caches of a node"),
    BOOL(global, "io-buffers-on-gpu", buffers_on_gpu,
         "keep buffers in the memory of a GPU"),
    UNSIGNED(global, "verbosity", verbosity,
             "0 to 10: how much the suite tells"),
    BOOL(global, "scc", scc,
         "rules of the Student Cluster Competition: 30 s for a write phase"),
    TEXT(global, "dataPacketType", data_packet_type,
         "kind of data: timestamp, offset, incompressible, random"),
};

static const struct tmk_opt debug_rows[] = {
    INT(debug, "stonewall-time", stonewall_time,
        "seconds of a write phase; a valid run has 300"),
    TEXT(debug, "pause-dir", pause_dir,
         "a phase waits as long as a file of its name is in this directory"),
};

static const struct tmk_opt ior_easy_rows[] = {
    TEXT(part, "API", api, "storage API of this part"),
    TEXT(part, "transferSize", transfer_size, "bytes of a transfer"),
    TEXT(part, "blockSize", block_size,
         "most bytes a process writes; more than 300 s will take"),
    BOOL(part, "filePerProc", file_per_proc, "a file for each process"),
    BOOL(part, "uniqueDir", unique_dir, "a directory for each process"),
    BOOL(part, "run", run, "run these phases"),
    INT(part, "verbosity", verbosity, "how much the benchmark tells"),
};

static const struct tmk_opt ior_hard_rows[] = {
    TEXT(part, "API", api, "storage API of this part"),
    INT(part, "segmentCount", segment_count,
        "most segments of 47008 bytes; more than 300 s will take"),
    BOOL(part, "collective", collective, "collective calls of MPI-IO"),
    BOOL(part, "run", run, "run these phases"),
    INT(part, "verbosity", verbosity, "how much the benchmark tells"),
};

static const struct tmk_opt ior_hard_phase_rows[] = {
    TEXT(part, "API", api, "storage API of this phase"),
    BOOL(part, "collective", collective, "collective calls of MPI-IO"),
    BOOL(part, "run", run, "run this phase"),
};

static const struct tmk_opt mdtest_easy_rows[] = {
    TEXT(part, "API", api, "storage API of this part"),
    U64(part, "n", n, "most files of a process; more than 300 s will take"),
    BOOL(part, "run", run, "run these phases"),
};

static const struct tmk_opt mdtest_hard_rows[] = {
    TEXT(part, "API", api, "storage API of this part"),
    U64(part, "n", n, "most files of a process; more than 300 s will take"),
    U64(part, "files-per-dir", files_per_dir,
        "files in a directory; a valid run has them all in one"),
    BOOL(part, "run", run, "run these phases"),
};

static const struct tmk_opt phase_rows[] = {
    TEXT(part, "API", api, "storage API of this phase"),
    BOOL(part, "run", run, "run this phase"),
};

static const struct tmk_opt run_rows[] = {
    BOOL(part, "run", run, "run this phase"),
};

static const struct tmk_opt mdworkbench_rows[] = {
    TEXT(part, "API", api, "storage API of this part"),
    KEY(part, "waitingTime", waiting_time, "SECONDS", take_float,
        "time between operations, in relation to the one before"),
    U64(part, "precreatePerSet", precreate_per_set,
        "files of a process that are there before"),
    U64(part, "filesPerProc", files_per_proc,
        "files that a process handles in a round"),
    BOOL(part, "run", run, "run these phases"),
    INT(part, "verbosity", verbosity, "how much the benchmark tells"),
};

static const struct tmk_opt find_rows[] = {
    TEXT(part, "external-script", script,
         "a program that searches in place of this one"),
    TEXT(part, "external-mpi-args", mpi_args, "words before the script"),
    TEXT(part, "external-extra-args", extra_args, "words behind it"),
    UNSIGNED(part, "nproc", nproc, "processes that search; all if not set"),
    BOOL(part, "run", run, "run this phase"),
    INT(part, "pfind-queue-length", queue_length,
        "length of the queue of pfind; no effect here"),
    BOOL(part, "pfind-steal-next", steal_next,
         "steal from the neighbour first; no effect here"),
    BOOL(part, "pfind-parallelize-single-dir-access-using-hashing", hashing,
         "share single directories; they always are, here"),
};

#define ROWS(rows) rows, COUNT(rows)
#define PART(s)                                                                \
    (offsetof(struct tmk_io500_conf, parts) +                                  \
     (s) * sizeof(struct tmk_io500_part))

static const struct section {
    const char *name;
    bool is_optional;
    const struct tmk_opt *rows;
    size_t n_rows;
    size_t offset; /* in the conf */
} sections[] = {
    [TMK_IO500_GLOBAL] = {"global", false, ROWS(global_rows),
                          offsetof(struct tmk_io500_conf, global)},
    [TMK_IO500_DEBUG] = {"debug", false, ROWS(debug_rows),
                         offsetof(struct tmk_io500_conf, debug)},
#define SECTION(s, name, optional, rows) [s] = {name, optional, rows, PART(s)}
    SECTION(TMK_IO500_IOR_EASY, "ior-easy", false, ROWS(ior_easy_rows)),
    SECTION(TMK_IO500_IOR_EASY_WRITE, "ior-easy-write", false,
            ROWS(phase_rows)),
    SECTION(TMK_IO500_MDTEST_EASY, "mdtest-easy", false,
            ROWS(mdtest_easy_rows)),
    SECTION(TMK_IO500_MDTEST_EASY_WRITE, "mdtest-easy-write", false,
            ROWS(phase_rows)),
    SECTION(TMK_IO500_MDWORKBENCH, "mdworkbench", true, ROWS(mdworkbench_rows)),
    SECTION(TMK_IO500_MDWORKBENCH_CREATE, "mdworkbench-create", true,
            ROWS(run_rows)),
    [TMK_IO500_TIMESTAMP] = {"timestamp", false, NULL, 0, 0},
    SECTION(TMK_IO500_FIND_EASY, "find-easy", true, ROWS(find_rows)),
    SECTION(TMK_IO500_IOR_HARD, "ior-hard", false, ROWS(ior_hard_rows)),
    SECTION(TMK_IO500_IOR_HARD_WRITE, "ior-hard-write", false,
            ROWS(ior_hard_phase_rows)),
    SECTION(TMK_IO500_MDTEST_HARD, "mdtest-hard", false,
            ROWS(mdtest_hard_rows)),
    SECTION(TMK_IO500_MDTEST_HARD_WRITE, "mdtest-hard-write", false,
            ROWS(phase_rows)),
    SECTION(TMK_IO500_FIND, "find", false, ROWS(find_rows)),
    SECTION(TMK_IO500_FIND_HARD, "find-hard", true, ROWS(find_rows)),
    SECTION(TMK_IO500_MDWORKBENCH_BENCH, "mdworkbench-bench", true,
            ROWS(run_rows)),
    SECTION(TMK_IO500_IOR_EASY_READ, "ior-easy-read", false, ROWS(phase_rows)),
    SECTION(TMK_IO500_MDTEST_EASY_STAT, "mdtest-easy-stat", false,
            ROWS(phase_rows)),
    SECTION(TMK_IO500_IOR_HARD_READ, "ior-hard-read", false,
            ROWS(ior_hard_phase_rows)),
    SECTION(TMK_IO500_MDTEST_HARD_STAT, "mdtest-hard-stat", false,
            ROWS(phase_rows)),
    SECTION(TMK_IO500_MDWORKBENCH_DELETE, "mdworkbench-delete", true,
            ROWS(run_rows)),
    SECTION(TMK_IO500_MDTEST_EASY_DELETE, "mdtest-easy-delete", false,
            ROWS(phase_rows)),
    SECTION(TMK_IO500_MDTEST_HARD_READ, "mdtest-hard-read", false,
            ROWS(phase_rows)),
    SECTION(TMK_IO500_MDTEST_HARD_DELETE, "mdtest-hard-delete", false,
            ROWS(phase_rows)),
    SECTION(TMK_IO500_IOR_RND4K_EASY_READ, "ior-rnd4K-easy-read", false,
            ROWS(phase_rows)),
};

const char *tmk_io500_section_name(enum tmk_io500_section section)
{
    return sections[section].name;
}

bool tmk_io500_section_is_optional(enum tmk_io500_section section)
{
    return sections[section].is_optional;
}

static bool has_key(const struct section *section, const char *key)
{
    for (size_t i = 0; i < section->n_rows; i++) {
        if (strcmp(section->rows[i].name, key) == 0) {
            return true;
        }
    }
    return false;
}

void tmk_io500_conf_init(struct tmk_io500_conf *conf)
{
    *conf = (struct tmk_io500_conf){
        .global =
            {
                .datadir = "./datafiles",
                .timestamp_datadir = "TRUE",
                .resultdir = "./results",
                .timestamp_resultdir = "TRUE",
                .api = "POSIX",
                .drop_caches = "FALSE",
                .drop_caches_cmd = "sudo -n bash -c "
                                   "\"echo 3 > /proc/sys/vm/drop_caches\"",
                .buffers_on_gpu = "FALSE",
                .verbosity = "1",
                .scc = "FALSE",
                .data_packet_type = "timestamp",
            },
        .debug = {.stonewall_time = "300"},
    };
    for (size_t i = TMK_IO500_IOR_EASY; i < TMK_IO500_SECTIONS; i++) {
        struct tmk_io500_part *part = &conf->parts[i];

        if (has_key(&sections[i], "run")) {
            part->run = "TRUE";
        }
        if (has_key(&sections[i], "n")) {
            part->n = "1000000";
        }
        if (sections[i].rows == find_rows) {
            part->mpi_args = "";
            part->extra_args = "";
            part->queue_length = "10000";
            part->steal_next = "FALSE";
            part->hashing = "FALSE";
        }
    }
    conf->parts[TMK_IO500_IOR_EASY].transfer_size = "2m";
    conf->parts[TMK_IO500_IOR_EASY].block_size = "9920000m";
    conf->parts[TMK_IO500_IOR_EASY].file_per_proc = "TRUE";
    conf->parts[TMK_IO500_IOR_EASY].unique_dir = "FALSE";
    conf->parts[TMK_IO500_IOR_HARD].segment_count = "10000000";
    conf->parts[TMK_IO500_MDWORKBENCH].waiting_time = "0.0";
}

void tmk_io500_conf_fini(struct tmk_io500_conf *conf)
{
    free(conf->text);
    *conf = (struct tmk_io500_conf){0};
}

/* A file while it is read. */
struct reading {
    struct tmk_io500_conf *conf;
    const char *path;
    const struct section *section; /* NULL before the first */
    unsigned *set_in; /* the line that set a key, of all sections; 0 = none */
    unsigned line;
    char *why;
    size_t why_size;
};

__attribute__((format(printf, 2, 3))) static int refuse(struct reading *r,
                                                        const char *format, ...)
{
    char what[512];
    va_list args;

    va_start(args, format);
    (void)vsnprintf(what, sizeof(what), format, args);
    va_end(args);
    (void)snprintf(r->why, r->why_size, "%s:%u: %s", r->path, r->line, what);
    return -EINVAL;
}

static bool is_word(const char *word, const char *name, size_t length)
{
    return strlen(word) == length && strncasecmp(word, name, length) == 0;
}

enum { SLIPS = 3 };

static int open_section(struct reading *r, const struct tmk_ini_line *line)
{
    const char *near = NULL;
    unsigned least = SLIPS + 1;

    for (size_t i = 0; i < COUNT(sections); i++) {
        unsigned slips = tmk_typo_distance(line->name, line->name_length,
                                           sections[i].name, SLIPS);

        if (is_word(sections[i].name, line->name, line->name_length)) {
            r->section = &sections[i];
            return 0;
        }
        if (slips < least) {
            least = slips;
            near = sections[i].name;
        }
    }
    return refuse(r, "no section [%.*s]%s%s%s", (int)line->name_length,
                  line->name, near != NULL ? " (is [" : "",
                  near != NULL ? near : "", near != NULL ? "] meant?)" : "");
}

/* A key that the section does not have: perhaps a slip, perhaps the key of
 * another one. */
static int refuse_key(struct reading *r, const struct tmk_ini_line *line)
{
    const struct section *home = NULL;
    const char *near = NULL;
    unsigned least = SLIPS + 1;

    for (size_t i = 0; i < r->section->n_rows; i++) {
        const char *name = r->section->rows[i].name;
        unsigned slips =
            tmk_typo_distance(line->name, line->name_length, name, SLIPS);

        if (slips < least && slips < line->name_length) {
            least = slips;
            near = name;
        }
    }
    for (size_t i = 0; i < COUNT(sections) && home == NULL; i++) {
        for (size_t k = 0; k < sections[i].n_rows; k++) {
            if (is_word(sections[i].rows[k].name, line->name,
                        line->name_length)) {
                home = &sections[i];
            }
        }
    }
    if (home != NULL) {
        return refuse(r, "[%s] knows no key '%.*s' ([%s] does)",
                      r->section->name, (int)line->name_length, line->name,
                      home->name);
    }
    return refuse(r, "[%s] knows no key '%.*s'%s%s%s", r->section->name,
                  (int)line->name_length, line->name,
                  near != NULL ? " (is " : "", near != NULL ? near : "",
                  near != NULL ? " meant?)" : "");
}

/* The place in set_in of the k-th key of the section. */
static size_t place_of(const struct section *section, size_t k)
{
    for (const struct section *s = sections; s < section; s++) {
        k += s->n_rows;
    }
    return k;
}

static int set_key(struct reading *r, const struct tmk_ini_line *line)
{
    const struct section *section = r->section;
    const struct tmk_opt *row = NULL;
    struct tmk_opt_table table;
    unsigned *set_in;
    char spelt[128];
    char what[512];
    char *value;

    if (section == NULL) {
        return refuse(r, "'%.*s' stands before any [section]",
                      (int)line->name_length, line->name);
    }
    for (size_t i = 0; i < section->n_rows && row == NULL; i++) {
        if (is_word(section->rows[i].name, line->name, line->name_length)) {
            row = &section->rows[i];
        }
    }
    if (row == NULL) {
        return refuse_key(r, line);
    }
    set_in = &r->set_in[place_of(section, (size_t)(row - section->rows))];
    if (*set_in != 0 && r->conf->note[0] == '\0') {
        (void)snprintf(r->conf->note, sizeof(r->conf->note),
                       "%s:%u: [%s] %s is set again, after line %u; the last "
                       "one counts",
                       r->path, r->line, section->name, row->name, *set_in);
    }
    *set_in = r->line;
    if (line->value_length == 0) {
        return 0; /* as it is */
    }
    value = r->conf->text + (line->value - r->conf->text);
    value[line->value_length] = '\0';
    table = (struct tmk_opt_table){
        .title = section->name,
        .rows = section->rows,
        .n_rows = section->n_rows,
        .conf = (char *)r->conf + section->offset,
    };
    (void)snprintf(spelt, sizeof(spelt), "[%s] %s", section->name, row->name);
    if (tmk_opt_set(&table, row, spelt, value, what, sizeof(what)) != 0) {
        return refuse(r, "%s", what);
    }
    return 0;
}

int tmk_io500_conf_read(struct tmk_io500_conf *conf, const char *path,
                        const char *text, char *why, size_t why_size)
{
    struct reading r = {.conf = conf, .path = path, .why_size = why_size};
    struct tmk_ini ini;
    int err = 0;

    r.why = why;
    free(conf->text);
    conf->text = strdup(text);
    r.set_in =
        calloc(place_of(sections + COUNT(sections), 0), sizeof(unsigned));
    if (conf->text == NULL || r.set_in == NULL) {
        free(r.set_in);
        return -ENOMEM;
    }
    tmk_ini_init(&ini, conf->text);
    while (err == 0) {
        struct tmk_ini_line line;

        tmk_ini_next(&ini, &line);
        r.line = line.number;
        if (line.kind == TMK_INI_END) {
            break;
        }
        if (line.kind == TMK_INI_WRONG) {
            err = refuse(&r, "%s", line.why);
        } else if (line.kind == TMK_INI_SECTION) {
            err = open_section(&r, &line);
        } else {
            err = set_key(&r, &line);
        }
    }
    free(r.set_in);
    return err;
}

static const char *value_of(const struct tmk_io500_conf *conf,
                            const struct section *section,
                            const struct tmk_opt *row)
{
    return *(const value_text *)((const char *)conf + section->offset +
                                 row->offset);
}

void tmk_io500_conf_write(const struct tmk_io500_conf *conf, FILE *to)
{
    for (size_t i = 0; i < COUNT(sections); i++) {
        const struct section *s = &sections[i];

        (void)fprintf(to, "[%s]\n", s->name);
        for (size_t k = 0; k < s->n_rows; k++) {
            const char *value = value_of(conf, s, &s->rows[k]);

            (void)fprintf(to, "%s = %s\n", s->rows[k].name,
                          value != NULL ? value : "");
        }
        (void)fputc('\n', to);
    }
}

void tmk_io500_conf_list(const struct tmk_io500_conf *conf, bool optional_too,
                         FILE *to)
{
    for (size_t i = 0; i < COUNT(sections); i++) {
        const struct section *s = &sections[i];

        if (s->is_optional && !optional_too) {
            continue;
        }
        (void)fprintf(to, "[%s]\n", s->name);
        for (size_t k = 0; k < s->n_rows; k++) {
            const char *value = value_of(conf, s, &s->rows[k]);

            (void)fprintf(to, "# %s\n%s = %s\n", s->rows[k].help,
                          s->rows[k].name, value != NULL ? value : "");
        }
        (void)fputc('\n', to);
    }
}

uint32_t tmk_io500_conf_hash(const struct tmk_io500_conf *conf)
{
    uint32_t hash = 0;

    for (size_t i = 0; i < COUNT(sections); i++) {
        for (size_t k = 0; k < sections[i].n_rows; k++) {
            const struct tmk_opt *row = &sections[i].rows[k];
            const char *value = value_of(conf, &sections[i], row);

            if (value != NULL) {
                tmk_io500_hash_add(&hash, row->name, value);
            }
        }
    }
    return hash;
}

bool tmk_io500_is_true(const char *text, bool unset)
{
    return text != NULL ? strcmp(text, "TRUE") == 0 : unset;
}

int64_t tmk_io500_number(const char *text, int64_t unset)
{
    return text != NULL ? strtoll(text, NULL, 10) : unset;
}

double tmk_io500_seconds(const char *text, double unset)
{
    return text != NULL ? strtod(text, NULL) : unset;
}
