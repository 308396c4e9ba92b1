/*
 * import_text: bytes into lines, lines into launches.
 */
#include "bench/import_text.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "bench/import_frame.h"
#include "bench/import_ior.h"
#include "bench/import_mdtest.h"

enum { LINE_MAX_BYTES = 65536 };

struct tmk_import_text {
    const struct tmk_import_text_ops *ops;
    void *state;
    uint64_t line;           /* that is coming in, from 1 */
    size_t length;           /* of what is kept of it */
    bool cut;                /* it is longer than what is kept */
    bool binary;             /* it has a NUL */
    bool anew;               /* the launch has its head, but no banner yet */
    uint64_t unknown_before; /* lines, before the first launch */
    struct tmk_import_launch *launch; /* NULL: none has begun */
    struct tmk_import_mdtest mdtest;
    struct tmk_import_ior ior;
    char kept[LINE_MAX_BYTES];
};

struct tmk_import_text *
tmk_import_text_new(const struct tmk_import_text_ops *ops, void *state)
{
    struct tmk_import_text *text = calloc(1, sizeof(*text));

    if (text != NULL) {
        text->ops = ops;
        text->state = state;
        text->line = 1;
    }
    return text;
}

void tmk_import_text_free(struct tmk_import_text *text)
{
    if (text != NULL) {
        tmk_import_launch_free(text->launch);
        free(text);
    }
}

static int end_launch(struct tmk_import_text *t)
{
    int err = 0;

    if (t->launch != NULL) {
        tmk_import_launch_settle(t->launch);
        err = t->ops->launch(t->state, t->launch);
        tmk_import_launch_free(t->launch);
        t->launch = NULL;
    }
    return err;
}

static int begin_launch(struct tmk_import_text *t,
                        enum tmk_import_program program)
{
    int err = end_launch(t);

    if (err != 0) {
        return err;
    }
    t->launch = tmk_import_launch_new(program, t->line);
    if (t->launch == NULL) {
        return -ENOMEM;
    }
    t->launch->unknown_lines = t->unknown_before;
    t->unknown_before = 0;
    t->mdtest = (struct tmk_import_mdtest){.unit = NULL};
    t->ior = (struct tmk_import_ior){.table = TMK_IMPORT_IOR_NONE};
    return 0;
}

/*
 * Whether a new launch begins here: a body does only where no launch of its
 * program is being read, and a banner does not after its head.
 */
static bool begins(const struct tmk_import_text *t,
                   enum tmk_import_program program, enum tmk_import_start start)
{
    const struct tmk_import_launch *launch = t->launch;

    switch (start) {
    case TMK_IMPORT_START_HEAD: return true;
    case TMK_IMPORT_START_BANNER: return !t->anew;
    case TMK_IMPORT_START_BODY:
        return launch == NULL || launch->program != program ||
               launch->ended[0] != '\0';
    default: return false;
    }
}

static int begin_if_so(struct tmk_import_text *t,
                       struct tmk_import_scan_text line)
{
    enum tmk_import_start mdtest = tmk_import_mdtest_start(line);
    enum tmk_import_start ior = tmk_import_ior_start(line);
    int err = 0;

    if (begins(t, TMK_IMPORT_MDTEST, mdtest)) {
        err = begin_launch(t, TMK_IMPORT_MDTEST);
    } else if (begins(t, TMK_IMPORT_IOR, ior)) {
        err = begin_launch(t, TMK_IMPORT_IOR);
    }
    if (mdtest != TMK_IMPORT_START_NONE || ior != TMK_IMPORT_START_NONE) {
        t->anew = mdtest == TMK_IMPORT_START_HEAD;
    }
    return err;
}

/* 1, 0 if it is not understood, -ENOMEM, or what an operation returned. */
static int understand(struct tmk_import_text *t,
                      struct tmk_import_scan_text line)
{
    static const char *const long_ones[] = {"Nodemap_:_*", "Test Directory *",
                                            "Test File *", "Test Tree *", NULL};
    int err;

    if (tmk_import_scan_trim(line).length == 0) {
        return 1;
    }
    if (t->binary) {
        return 0;
    }
    if (t->cut) {
        return t->launch != NULL && tmk_import_frame_is_one(line, long_ones)
                   ? 1
                   : 0;
    }
    err = begin_if_so(t, line);
    if (err != 0 || t->launch == NULL) {
        return err;
    }
    return t->launch->program == TMK_IMPORT_MDTEST
               ? tmk_import_mdtest_line(&t->mdtest, t->launch, line)
               : tmk_import_ior_line(&t->ior, t->launch, line);
}

static int end_line(struct tmk_import_text *t)
{
    struct tmk_import_scan_text line = {t->kept, t->length};
    int err = 0;
    int known;

    if (!t->cut && line.length > 0 && line.at[line.length - 1] == '\r') {
        line.length--;
    }
    known = understand(t, line);
    if (known == 0) {
        if (t->launch != NULL) {
            t->launch->unknown_lines++;
        } else {
            t->unknown_before++;
        }
        err = t->ops->unknown(t->state, t->line, line);
    } else if (known != 1) {
        err = known;
    }
    t->line++;
    t->length = 0;
    t->cut = false;
    t->binary = false;
    return err;
}

/* Bytes of one line, without its end. */
static void keep(struct tmk_import_text *t, const char *bytes, size_t n)
{
    size_t room = sizeof(t->kept) - t->length;
    size_t fits = n < room ? n : room;

    t->cut = t->cut || fits < n;
    t->binary = t->binary || memchr(bytes, '\0', n) != NULL;
    memcpy(t->kept + t->length, bytes, fits);
    t->length += fits;
}

int tmk_import_text_push(struct tmk_import_text *text, const char *bytes,
                         size_t n)
{
    while (n > 0) {
        const char *end = memchr(bytes, '\n', n);
        size_t length = end != NULL ? (size_t)(end - bytes) : n;

        keep(text, bytes, length);
        if (end != NULL) {
            int err = end_line(text);

            if (err != 0) {
                return err;
            }
            length++;
        }
        bytes += length;
        n -= length;
    }
    return 0;
}

int tmk_import_text_end(struct tmk_import_text *text)
{
    int err = 0;

    if (text->length > 0 || text->cut) {
        err = end_line(text);
    }
    return err != 0 ? err : end_launch(text);
}
