/*
 * match_mode: permissions, read as chmod(1) does and written as ls(1) does.
 */
#include "base/match_mode.h"

#include <errno.h>
#include <string.h>

enum {
    SUID = 04000,
    SGID = 02000,
    STICKY = 01000,
    READ = 0444,
    WRITE = 0222,
    EXEC = 0111,
    ALL = 07777
};

/* One "u+x" of a mode. */
struct change {
    uint32_t who; /* bits that may change; 0: none was named, all */
    char op;      /* = + - */
    uint32_t bits;
    uint32_t named; /* set-id bits of these are not kept from a directory */
    bool copies;    /* from the mode so far, of user, group or others */
    bool if_exec;   /* X */
};

static uint32_t spread(uint32_t bits)
{
    return ((bits & READ) != 0 ? READ : 0) | ((bits & WRITE) != 0 ? WRITE : 0) |
           ((bits & EXEC) != 0 ? EXEC : 0);
}

static uint32_t changed(uint32_t mode, bool dir, const struct change *c)
{
    uint32_t kept = dir ? (SUID | SGID) & ~c->named : 0;
    uint32_t bits = c->bits;

    if (c->copies) {
        bits = spread(bits & mode);
    }
    if (c->if_exec && ((mode & EXEC) != 0 || dir)) {
        bits |= EXEC;
    }
    bits &= (c->who != 0 ? c->who : (uint32_t)ALL) & ~kept;
    if (c->op == '+') {
        return mode | bits;
    }
    if (c->op == '-') {
        return mode & ~bits;
    }
    return (mode & ((c->who != 0 ? ~c->who : 0) | kept)) | bits;
}

/* Octal digits at *p. */
static bool take_octal(const char **p, uint32_t *bits)
{
    *bits = 0;
    for (; **p >= '0' && **p <= '7'; ++*p) {
        *bits = *bits * 8 + (uint32_t)(**p - '0');
        if (*bits > ALL) {
            return false;
        }
    }
    return true;
}

static uint32_t take_who(const char **p)
{
    uint32_t who = 0;

    for (;; ++*p) {
        switch (**p) {
        case 'u': who |= SUID | 0700; break;
        case 'g': who |= SGID | 0070; break;
        case 'o': who |= STICKY | 0007; break;
        case 'a': who |= ALL; break;
        default: return who;
        }
    }
}

static void take_letters(const char **p, struct change *c)
{
    for (;; ++*p) {
        switch (**p) {
        case 'r': c->bits |= READ; break;
        case 'w': c->bits |= WRITE; break;
        case 'x': c->bits |= EXEC; break;
        case 'X': c->if_exec = true; break;
        case 's': c->bits |= SUID | SGID; break;
        case 't': c->bits |= STICKY; break;
        default: return;
        }
    }
}

/* An operator and what is behind it. */
static bool take_change(const char **p, uint32_t who, struct change *c)
{
    *c = (struct change){.who = who, .op = *(*p)++};
    if (**p >= '0' && **p <= '7') {
        c->who = ALL;
        c->named = ALL;
        return take_octal(p, &c->bits) && who == 0 &&
               (**p == '\0' || **p == ',');
    }
    if (**p == 'u' || **p == 'g' || **p == 'o') {
        c->copies = true;
        c->bits = **p == 'u' ? 0700 : **p == 'g' ? 0070 : 0007;
        ++*p;
    } else {
        take_letters(p, c);
    }
    c->named = who != 0 ? who & c->bits : c->bits;
    return true;
}

static bool is_op(char c)
{
    return c == '=' || c == '+' || c == '-';
}

static int parse_symbolic(const char *p, struct tmk_match_mode *mode)
{
    for (;;) {
        uint32_t who = take_who(&p);

        if (!is_op(*p)) {
            return -EINVAL;
        }
        while (is_op(*p)) {
            struct change c;

            if (!take_change(&p, who, &c)) {
                return -EINVAL;
            }
            mode->file = changed(mode->file, false, &c);
            mode->dir = changed(mode->dir, true, &c);
        }
        if (*p != ',') {
            return *p == '\0' ? 0 : -EINVAL;
        }
        p++;
    }
}

int tmk_match_mode_parse(const char *text, struct tmk_match_mode *mode)
{
    int err = 0;

    *mode = (struct tmk_match_mode){
        .how = *text == '-'   ? TMK_MATCH_BITS_ALL
               : *text == '/' ? TMK_MATCH_BITS_ANY
                              : TMK_MATCH_BITS_EXACT,
    };
    if (*text == '+' && text[1] >= '0' && text[1] <= '7') {
        return -EINVAL; /* what /222 was once */
    }
    text += mode->how != TMK_MATCH_BITS_EXACT;
    if (*text >= '0' && *text <= '7') {
        if (!take_octal(&text, &mode->file) || *text != '\0') {
            return -EINVAL;
        }
        mode->dir = mode->file;
    } else {
        err = parse_symbolic(text, mode);
    }
    /* /0 means that no bit has to be there. */
    if (mode->how == TMK_MATCH_BITS_ANY && mode->file == 0 && mode->dir == 0) {
        mode->how = TMK_MATCH_BITS_ALL;
    }
    return err;
}

bool tmk_match_mode_test(const struct tmk_match_mode *mode, bool is_dir,
                         uint32_t bits)
{
    uint32_t want = is_dir ? mode->dir : mode->file;

    bits &= ALL;
    switch (mode->how) {
    case TMK_MATCH_BITS_ALL: return (bits & want) == want;
    case TMK_MATCH_BITS_ANY: return (bits & want) != 0;
    case TMK_MATCH_BITS_EXACT: break;
    }
    return bits == want;
}

void tmk_match_mode_format(char type, uint32_t bits,
                           char buf[TMK_MATCH_MODE_ROOM])
{
    static const char letters[] = "rwxrwxrwx";
    static const struct {
        unsigned at;
        uint32_t bit;
        char with, without; /* x */
    } extra[] = {
        {3, SUID, 's', 'S'}, {6, SGID, 's', 'S'}, {9, STICKY, 't', 'T'}};

    buf[0] = (char)(type == 'f' ? '-' : type == '\0' ? '?' : type);
    for (unsigned i = 0; i < 9; i++) {
        buf[i + 1] = (char)((bits & (0400U >> i)) != 0 ? letters[i] : '-');
    }
    for (size_t i = 0; i < sizeof(extra) / sizeof(extra[0]); i++) {
        if ((bits & extra[i].bit) != 0) {
            buf[extra[i].at] =
                (char)(buf[extra[i].at] == 'x' ? extra[i].with
                                               : extra[i].without);
        }
    }
    buf[TMK_MATCH_MODE_ROOM - 1] = '\0';
}
