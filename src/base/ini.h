#ifndef TMK_BASE_INI_H
#define TMK_BASE_INI_H

#include <stddef.h>

/*
 * The lines of an ini file, as the IO500 suite reads them:
 *
 *     [section]           # a comment has a blank before its # or ;
 *     key = some value    ; and a value holds neither of the two
 *     key =               a value may be empty
 *
 * Blanks, tabs and the CR of other systems around a word do not count.
 * Sections are made of letters, digits, _ and -; keys of these and the dot.
 */
enum tmk_ini_kind {
    TMK_INI_END,
    TMK_INI_SECTION, /* name */
    TMK_INI_KEY,     /* name, value */
    TMK_INI_WRONG,   /* why */
};

/* Words are parts of the text that is read. */
struct tmk_ini_line {
    enum tmk_ini_kind kind;
    unsigned number; /* of the line, from 1 */
    const char *name;
    size_t name_length;
    const char *value;
    size_t value_length;
    const char *why; /* "a comment needs a blank before it" */
};

struct tmk_ini {
    const char *rest; /* of the text; NULL at its end */
    unsigned number;  /* of the last line read */
};

/* Begin with a text that ends in NUL and stays the caller's. */
void tmk_ini_init(struct tmk_ini *ini, const char *text);

/* The next line that is neither blank nor a comment.  After a wrong line the
 * one behind it may be asked for. */
void tmk_ini_next(struct tmk_ini *ini, struct tmk_ini_line *line);

#endif
