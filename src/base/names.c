/*
 * The names that a run leaves on disk, as rows: what is made from a row is
 * what matches it, so that nothing is left that cleaning does not know.
 */
#include "base/names.h"

#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <stdint.h>
#include <string.h>

enum { DIGITS_MAX = 20, UUID_LENGTH = 36 };

/* <head>[<a><between>]<b><tail>, or <head><uuid> */
struct row {
    const char *head;
    const char *between; /* NULL: no first number */
    const char *tail;    /* NULL: a uuid in place of numbers */
};

static const struct row rows[] = {
    [TMK_NAMES_TEST_DIR] = {"test-dir.", "-", ""},
    [TMK_NAMES_TEST_DIR_1] = {"#test-dir.", NULL, ""},
    [TMK_NAMES_TEST_DIR_3] = {"#test-dir.", "-", ""},
    [TMK_NAMES_TREE] = {"mdtest_tree.", NULL, ""},
    [TMK_NAMES_TREE_UNIQUE] = {"mdtest_tree.", ".", ""},
    [TMK_NAMES_FILE] = {"file.mdtest.", ".", ""},
    [TMK_NAMES_FILE_SHARED] = {"file.mdtest.shared.", NULL, ""},
    [TMK_NAMES_DIR] = {"dir.mdtest.", ".", ""},
    [TMK_NAMES_DIR_MOVED] = {"dir.mdtest.", ".", "-XX"},
    [TMK_NAMES_MARKER] = {".treemark.", NULL, NULL},
    [TMK_NAMES_PROBE] = {".treemark-probe.", NULL, NULL},
};
static_assert(sizeof(rows) / sizeof(rows[0]) == TMK_NAMES_KINDS,
              "a row per kind");

static const uint64_t power[DIGITS_MAX] = {
    1u,
    10u,
    100u,
    1000u,
    10000u,
    100000u,
    1000000u,
    10000000u,
    100000000u,
    1000000000u,
    10000000000u,
    100000000000u,
    1000000000000u,
    10000000000000u,
    100000000000000u,
    1000000000000000u,
    10000000000000000u,
    100000000000000000u,
    1000000000000000000u,
    10000000000000000000u,
};

static const char pairs[] = "00010203040506070809"
                            "10111213141516171819"
                            "20212223242526272829"
                            "30313233343536373839"
                            "40414243444546474849"
                            "50515253545556575859"
                            "60616263646566676869"
                            "70717273747576777879"
                            "80818283848586878889"
                            "90919293949596979899";

unsigned tmk_names_digits(char *buf, uint64_t v)
{
    unsigned bits;
    unsigned guess;
    unsigned n;
    char *end;

    if (v < 10) {
        *buf = (char)('0' + v);
        return 1;
    }
    bits = 64 - (unsigned)__builtin_clzll(v);
    guess = bits * 1233 >> 12; /* 1233 / 2^12 is log 2 */
    n = guess + (v >= power[guess]);
    for (end = buf + n; v >= 100; v /= 100) {
        end -= 2;
        memcpy(end, &pairs[2 * (v % 100)], 2);
    }
    if (v >= 10) {
        memcpy(buf, &pairs[2 * v], 2);
    } else {
        *buf = (char)('0' + v);
    }
    return n;
}

/* A bounded text; `length` keeps counting when it no longer fits. */
struct text {
    char *buf;
    size_t size, length;
};

static void add(struct text *t, const char *s, size_t n)
{
    if (t->length < t->size && n < t->size - t->length) {
        memcpy(t->buf + t->length, s, n);
    }
    t->length += n;
}

static void start(struct text *t, char *buf, size_t size, const char *head)
{
    t->buf = buf;
    t->size = size;
    t->length = 0;
    add(t, head, strlen(head));
}

static void add_number(struct text *t, uint64_t v)
{
    char digits[DIGITS_MAX];

    add(t, digits, tmk_names_digits(digits, v));
}

static int finish(struct text *t)
{
    if (t->length >= t->size) {
        return -ENAMETOOLONG;
    }
    t->buf[t->length] = '\0';
    return (int)t->length;
}

int tmk_names_make(enum tmk_names_kind kind, uint64_t a, uint64_t b, char *buf,
                   size_t size)
{
    const struct row *row = &rows[kind];
    struct text t;

    assert(row->tail != NULL);
    start(&t, buf, size, row->head);
    if (row->between != NULL) {
        add_number(&t, a);
        add(&t, row->between, strlen(row->between));
    }
    add_number(&t, b);
    add(&t, row->tail, strlen(row->tail));
    return finish(&t);
}

int tmk_names_make_id(enum tmk_names_kind kind, const char *uuid, char *buf,
                      size_t size)
{
    const struct row *row = &rows[kind];
    struct text t;

    assert(row->tail == NULL && strlen(uuid) == UUID_LENGTH);
    start(&t, buf, size, row->head);
    add(&t, uuid, UUID_LENGTH);
    return finish(&t);
}

/* What follows `lead` in s, or NULL if s does not begin with it. */
static const char *skip(const char *s, const char *lead)
{
    size_t n = strlen(lead);

    return strncmp(s, lead, n) == 0 ? s + n : NULL;
}

/* What follows the number that s begins with; NULL if there is none. */
static const char *skip_number(const char *s, uint64_t *value)
{
    const char *first = s;
    uint64_t v = 0;

    for (; *s >= '0' && *s <= '9'; s++) {
        uint64_t digit = (uint64_t)(*s - '0');

        if (v > (UINT64_MAX - digit) / 10) {
            return NULL;
        }
        v = v * 10 + digit;
    }
    if (s == first || (*first == '0' && s - first > 1)) {
        return NULL;
    }
    *value = v;
    return s;
}

/* What follows the uuid that s begins with; NULL if there is none. */
static const char *skip_uuid(const char *s)
{
    static const char form[] = "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx";

    static_assert(sizeof(form) == UUID_LENGTH + 1, "the form of a uuid");
    for (size_t i = 0; i < UUID_LENGTH; i++) {
        bool hex = (s[i] >= '0' && s[i] <= '9') ||
                   (s[i] >= 'a' && s[i] <= 'f') || (s[i] >= 'A' && s[i] <= 'F');

        if (form[i] == 'x' ? !hex : s[i] != '-') {
            return NULL;
        }
    }
    return s + UUID_LENGTH;
}

static bool row_match(const struct row *row, const char *name, uint64_t *a,
                      uint64_t *b)
{
    const char *s = skip(name, row->head);

    if (s != NULL && row->tail == NULL) {
        s = skip_uuid(s);
        return s != NULL && *s == '\0';
    }
    if (s != NULL && row->between != NULL) {
        s = skip_number(s, a);
        s = s != NULL ? skip(s, row->between) : NULL;
    }
    s = s != NULL ? skip_number(s, b) : NULL;
    return s != NULL && strcmp(s, row->tail) == 0;
}

bool tmk_names_match(const char *name, enum tmk_names_kind *kind, uint64_t *a,
                     uint64_t *b)
{
    for (int i = 0; i < TMK_NAMES_KINDS; i++) {
        uint64_t first = 0;
        uint64_t second = 0;

        if (!row_match(&rows[i], name, &first, &second)) {
            continue;
        }
        if (kind != NULL) {
            *kind = (enum tmk_names_kind)i;
        }
        if (a != NULL) {
            *a = first;
        }
        if (b != NULL) {
            *b = second;
        }
        return true;
    }
    return false;
}

/* ".<number>" at s, zeros in front up to `width` digits: what follows it; NULL
 * if it is not. */
static const char *skip_padded(const char *s, size_t width)
{
    size_t digits;

    if (*s != '.') {
        return NULL;
    }
    digits = strspn(s + 1, "0123456789");
    if (digits < width || (digits > width && s[1] == '0')) {
        return NULL;
    }
    return s + 1 + digits;
}

enum { RANK_DIGITS = 8 }; /* at least, in a name of ior */

/* Whether s is nothing or ".<repetition>". */
static bool is_repetition(const char *s)
{
    const char *behind = skip_padded(s, 1);

    return *(behind != NULL ? behind : s) == '\0';
}

bool tmk_names_of_ior(const char *name)
{
    const char *s = skip(name, "testFile");
    const char *behind;

    if (s == NULL) {
        return false;
    }
    behind = skip_padded(s, RANK_DIGITS);
    return is_repetition(behind != NULL ? behind : s);
}

bool tmk_names_of_ior_dir(const char *name, uint64_t *rank)
{
    const char *behind = skip_number(name, rank);

    return behind != NULL && *behind == '\0' && *rank <= INT_MAX;
}

bool tmk_names_of_ior_rank(const char *name, uint64_t rank)
{
    const char *s = skip(name, "testFile.");
    const char *behind = s != NULL ? skip_padded(s - 1, RANK_DIGITS) : NULL;
    uint64_t value = 0;

    if (behind == NULL || !is_repetition(behind)) {
        return false;
    }
    for (; s < behind && value <= rank; s++) {
        value = value * 10 + (uint64_t)(*s - '0');
    }
    return s == behind && value == rank;
}
