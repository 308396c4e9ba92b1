/*
 * match_format: -printf, read once and then written entry by entry.
 */
#include "base/match_format.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/match_tree.h"

enum { WIDTH_MOST = 100000, NUMBER_ROOM = 32 };

/* ---- reading ---------------------------------------------------------- */

struct reader {
    const char *p; /* the rest of the format */
    struct tmk_match_piece *pieces;
    size_t n;
    char *text; /* bytes that are written as they are, of all pieces */
    size_t length;
    uint32_t needs;
    const char *why, *odd;
};

/* Add a byte to the piece at the end, which is of bytes. */
static void put(struct reader *r, char c)
{
    struct tmk_match_piece *piece;

    if (r->n == 0 || r->pieces[r->n - 1].letter != '\0') {
        r->pieces[r->n] = (struct tmk_match_piece){.text = r->text + r->length};
        r->n++;
    }
    piece = &r->pieces[r->n - 1];
    r->text[r->length++] = c;
    piece->length++;
}

static void put_all(struct reader *r, const char *from, const char *to)
{
    while (from < to) {
        put(r, *from++);
    }
}

/* Behind a backslash.  False: nothing is written from here on. */
static bool read_escape(struct reader *r)
{
    static const char letters[] = "abfnrtv\\";
    static const char means[] = "\a\b\f\n\r\t\v\\";
    const char *at = *r->p != '\0' ? strchr(letters, *r->p) : NULL;
    unsigned value = 0;

    if (at != NULL) {
        put(r, means[at - letters]);
        r->p++;
    } else if (*r->p == 'c') {
        return false;
    } else if (*r->p >= '0' && *r->p <= '7') {
        for (int i = 0; i < 3 && *r->p >= '0' && *r->p <= '7'; i++) {
            value = value * 8 + (unsigned)(*r->p++ - '0');
        }
        put(r, (char)(unsigned char)value);
    } else {
        r->odd = "a backslash before something that needs none";
        put(r, '\\');
    }
    return true;
}

/* Fields that a directive needs; UINT32_MAX: there is no such one. */
static uint32_t needs_of(char letter)
{
    switch (letter) {
    case 'a':
    case 'A': return TMK_MATCH_ATIME;
    case 'B': return TMK_MATCH_BTIME;
    case 'c':
    case 'C': return TMK_MATCH_CTIME;
    case 't':
    case 'T': return TMK_MATCH_MTIME;
    case 'b':
    case 'k': return TMK_MATCH_BLOCKS;
    case 'S': return TMK_MATCH_BLOCKS | TMK_MATCH_SIZE;
    case 's': return TMK_MATCH_SIZE;
    case 'D':
    case 'i': return TMK_MATCH_INO;
    case 'g':
    case 'G': return TMK_MATCH_GID;
    case 'u':
    case 'U': return TMK_MATCH_UID;
    case 'm': return TMK_MATCH_MODE;
    case 'M': return TMK_MATCH_MODE | TMK_MATCH_TYPE;
    case 'n': return TMK_MATCH_NLINK;
    case 'l':
    case 'y':
    case 'Y': return TMK_MATCH_TYPE;
    case 'd':
    case 'f':
    case 'F':
    case 'h':
    case 'H':
    case 'p':
    case 'P':
    case 'Z': return 0;
    default: return UINT32_MAX;
    }
}

static void read_flags(struct reader *r, struct tmk_match_piece *piece)
{
    for (;; r->p++) {
        switch (*r->p) {
        case '-': piece->left = true; break;
        case '#': piece->alternate = true; break;
        case '0': piece->zeros = true; break;
        case '+': piece->plus = true; break;
        case ' ': piece->blank = true; break;
        default: return;
        }
    }
}

static int read_size(struct reader *r, size_t *size)
{
    *size = 0;
    for (; *r->p >= '0' && *r->p <= '9'; r->p++) {
        *size = *size * 10 + (size_t)(*r->p - '0');
        if (*size > WIDTH_MOST) {
            r->why = "has a field that is too wide";
            return -EINVAL;
        }
    }
    return 0;
}

/* The second letter of a time.  False if it is not one. */
static bool read_part(struct reader *r, struct tmk_match_piece *piece)
{
    static const char parts[] = "@aAbBcCdDeFgGhHIjklmMnpPrRsStTuUVwWxXyYzZ+";

    if (*r->p == '\0') {
        r->odd = "a time needs a second letter";
        return false;
    }
    piece->part = *r->p;
    if (strchr(parts, *r->p) == NULL) {
        r->odd = "a time has a second letter that means nothing";
        put(r, '%');
        put(r, *r->p++);
        return false;
    }
    r->p++;
    return true;
}

/* Behind a percent sign. */
static int read_directive(struct reader *r)
{
    struct tmk_match_piece piece = {.precision = SIZE_MAX};
    const char *from = r->p - 1;
    uint32_t needs;

    if (*r->p == '%') {
        put(r, *r->p++);
        return 0;
    }
    read_flags(r, &piece);
    if (read_size(r, &piece.width) != 0) {
        return -EINVAL;
    }
    if (*r->p == '.') {
        r->p++;
        if (read_size(r, &piece.precision) != 0) {
            return -EINVAL;
        }
    }
    if (*r->p == '\0' || strchr("{[(", *r->p) != NULL) {
        r->why = *r->p == '\0' ? "ends within a directive (%% is a %)"
                               : "has a directive that is kept for later";
        return -EINVAL;
    }
    needs = needs_of(*r->p);
    piece.letter = *r->p++;
    if (needs == UINT32_MAX) {
        r->odd = "a directive that means nothing is written as it is";
        put_all(r, from, r->p);
        return 0;
    }
    if (strchr("ABCT", piece.letter) != NULL) {
        const char *letter = r->p;

        if (!read_part(r, &piece)) {
            put_all(r, letter == r->p ? from : r->p, r->p);
            return 0;
        }
    }
    r->needs |= needs;
    r->pieces[r->n++] = piece;
    return 0;
}

int tmk_match_format_compile(struct tmk_match *match, const char *text,
                             const struct tmk_match_format **format,
                             const char **why, const char **odd)
{
    struct tmk_match_format *f = tmk_match_alloc(match, sizeof(*f));
    struct reader r = {.p = text};
    size_t most = 1;

    *why = NULL;
    *odd = NULL;
    for (const char *p = text; *p != '\0'; p++) {
        most += *p == '%' ? 2 : 0;
    }
    r.pieces = tmk_match_alloc(match, most * sizeof(*r.pieces));
    r.text = tmk_match_alloc(match, strlen(text) + 1);
    if (f == NULL || r.pieces == NULL || r.text == NULL) {
        return -ENOMEM;
    }
    while (*r.p != '\0') {
        char c = *r.p++;

        if (c == '%' && read_directive(&r) != 0) {
            *why = r.why;
            return -EINVAL;
        }
        if (c == '\\' && !read_escape(&r)) {
            break;
        }
        if (c != '%' && c != '\\') {
            put(&r, c);
        }
    }
    f->pieces = r.pieces;
    f->n_pieces = r.n;
    f->needs = r.needs;
    *odd = r.odd;
    *format = f;
    return 0;
}

/* ---- writing ---------------------------------------------------------- */

struct writer {
    const struct tmk_match_entry *entry;
    const struct tmk_match_calls *calls;
    void *arg;
    struct tmk_match_text *text;
};

static int add_bytes(const struct writer *w,
                     const struct tmk_match_piece *piece, const char *bytes,
                     size_t length)
{
    length = length < piece->precision ? length : piece->precision;
    return tmk_match_text_pad(w->text, bytes, length, piece->width,
                              piece->left);
}

static int add_string(const struct writer *w,
                      const struct tmk_match_piece *piece, const char *string)
{
    return add_bytes(w, piece, string, strlen(string));
}

static int add_number(const struct writer *w,
                      const struct tmk_match_piece *piece, uint64_t value)
{
    char buf[NUMBER_ROOM];

    (void)snprintf(buf, sizeof(buf), "%llu", (unsigned long long)value);
    return add_string(w, piece, buf);
}

/* As printf(3) does %d and, for `octal`, %o: the flags count. */
static int add_integer(const struct writer *w,
                       const struct tmk_match_piece *piece, unsigned value,
                       bool octal)
{
    char digits[NUMBER_ROOM];
    const char *sign = octal ? "" : piece->plus ? "+" : piece->blank ? " " : "";
    size_t length;
    size_t whole;
    size_t zeros = 0;
    int err;

    (void)snprintf(digits, sizeof(digits), octal ? "%o" : "%u", value);
    if (value == 0 && piece->precision == 0) {
        digits[0] = '\0';
    }
    length = strlen(digits);
    if (piece->precision != SIZE_MAX) {
        zeros = length < piece->precision ? piece->precision - length : 0;
    } else if (piece->zeros && !piece->left) {
        whole = strlen(sign) + length;
        zeros = whole < piece->width ? piece->width - whole : 0;
    }
    if (octal && piece->alternate && zeros == 0 && digits[0] != '0') {
        zeros = 1;
    }
    whole = strlen(sign) + zeros + length;
    err = whole < piece->width && !piece->left
              ? tmk_match_text_pad(w->text, "", 0, piece->width - whole, false)
              : 0;
    err = err != 0 ? err : tmk_match_text_add(w->text, sign, strlen(sign));
    while (err == 0 && zeros-- > 0) {
        err = tmk_match_text_add(w->text, "0", 1);
    }
    return err != 0 ? err
                    : tmk_match_text_pad(w->text, digits, length,
                                         whole < piece->width && piece->left
                                             ? piece->width - (whole - length)
                                             : 0,
                                         true);
}

static int add_time(const struct writer *w, const struct tmk_match_piece *piece)
{
    const struct tmk_match_entry *e = w->entry;
    char kind = (char)(piece->letter | 0x20);
    struct tmk_match_time time = kind == 'a'   ? e->atime
                                 : kind == 'c' ? e->ctime
                                 : kind == 'b' ? e->btime
                                               : e->mtime;
    char buf[TMK_MATCH_TIME_ROOM];
    const char *zone = "";
    int32_t offset_s;
    size_t length;

    if (time.ns == TMK_MATCH_NO_TIME) {
        return add_bytes(w, piece, "", 0);
    }
    offset_s = w->calls->utc_offset_s(w->arg, time.s, &zone);
    length = piece->part == '\0'
                 ? tmk_match_time_format_long(time, offset_s, buf, sizeof(buf))
                 : tmk_match_time_format(piece->part, time, offset_s, zone, buf,
                                         sizeof(buf));
    return add_bytes(w, piece, buf, length);
}

static int add_owner(const struct writer *w,
                     const struct tmk_match_piece *piece)
{
    bool user = piece->letter == 'u';
    uint32_t id = user ? w->entry->uid : w->entry->gid;
    const char *name =
        (user ? w->calls->user_name : w->calls->group_name)(w->arg, id);

    return name != NULL ? add_string(w, piece, name) : add_number(w, piece, id);
}

/* %f %h %H %p %P */
static int add_path(const struct writer *w, const struct tmk_match_piece *piece)
{
    const struct tmk_match_entry *e = w->entry;
    const char *path = e->path;
    size_t length = e->path_length;
    size_t base;
    const char *name = tmk_match_base(path, &base);

    switch (piece->letter) {
    case 'f':
        base += name[base] == '/'; /* one slash stays */
        return add_bytes(w, piece, name, base);
    case 'h':
        if (name == path) {
            return add_string(w, piece, *path == '/' ? "" : ".");
        }
        return add_bytes(w, piece, path, (size_t)(name - path) - 1);
    case 'H': return add_bytes(w, piece, path, e->start_length);
    case 'P':
        if (e->depth == 0) {
            return add_bytes(w, piece, "", 0);
        }
        path += e->start_length;
        length -= e->start_length;
        length -= *path == '/';
        path += *path == '/';
        return add_bytes(w, piece, path, length);
    default: return add_bytes(w, piece, path, length);
    }
}

/* %l %y %Y %M %F */
static int add_kind(const struct writer *w, const struct tmk_match_piece *piece)
{
    const struct tmk_match_entry *e = w->entry;
    char letter[2] = {(char)(e->type != 0 ? e->type : 'U')};
    char mode[TMK_MATCH_MODE_ROOM];
    bool link = e->type == TMK_MATCH_LINK;
    const char *target;

    switch (piece->letter) {
    case 'l':
        target = link ? w->calls->link_target(w->arg, e) : NULL;
        return add_string(w, piece, target != NULL ? target : "");
    case 'M':
        tmk_match_mode_format((char)e->type, e->mode, mode);
        return add_string(w, piece, mode);
    case 'F': return add_string(w, piece, w->calls->fstype(w->arg, e));
    case 'Y':
        if (link) {
            letter[0] = w->calls->target_type(w->arg, e);
        }
        break;
    default: break;
    }
    return add_string(w, piece, letter);
}

/* How much of a file is there. */
static int add_density(const struct writer *w,
                       const struct tmk_match_piece *piece)
{
    const struct tmk_match_entry *e = w->entry;
    struct tmk_match_piece field = *piece;
    double bytes = (double)e->blocks * 512.0;
    double density = e->size_bytes != 0 ? bytes / (double)e->size_bytes
                     : e->blocks != 0   ? HUGE_VAL
                                        : 1.0;
    char buf[TMK_MATCH_TIME_ROOM];
    int digits = piece->precision > 40 ? 6 : (int)piece->precision;

    (void)snprintf(buf, sizeof(buf), "%.*g", digits, density);
    field.precision = SIZE_MAX;
    return add_string(w, &field, buf);
}

static int add_piece(const struct writer *w,
                     const struct tmk_match_piece *piece)
{
    const struct tmk_match_entry *e = w->entry;

    switch (piece->letter) {
    case '\0': return tmk_match_text_add(w->text, piece->text, piece->length);
    case 'b': return add_number(w, piece, e->blocks);
    case 'k': return add_number(w, piece, e->blocks / 2 + e->blocks % 2);
    case 'd': return add_integer(w, piece, e->depth, false);
    case 'D': return add_number(w, piece, e->dev);
    case 'g':
    case 'u': return add_owner(w, piece);
    case 'G': return add_number(w, piece, e->gid);
    case 'i': return add_number(w, piece, e->inode);
    case 'm': return add_integer(w, piece, e->mode & 07777, true);
    case 'n': return add_number(w, piece, e->links);
    case 's': return add_number(w, piece, e->size_bytes);
    case 'S': return add_density(w, piece);
    case 'U': return add_number(w, piece, e->uid);
    case 'Z': return add_string(w, piece, "");
    case 'l':
    case 'M':
    case 'F':
    case 'y':
    case 'Y': return add_kind(w, piece);
    case 'f':
    case 'h':
    case 'H':
    case 'p':
    case 'P': return add_path(w, piece);
    default: return add_time(w, piece);
    }
}

int tmk_match_format_add(const struct tmk_match_format *format,
                         const struct tmk_match_entry *entry,
                         const struct tmk_match_calls *calls, void *arg,
                         struct tmk_match_text *text)
{
    const struct writer w = {
        .entry = entry, .calls = calls, .arg = arg, .text = text};
    int err = 0;

    for (size_t i = 0; i < format->n_pieces && err == 0; i++) {
        err = add_piece(&w, &format->pieces[i]);
    }
    return err;
}
