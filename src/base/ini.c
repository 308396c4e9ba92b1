/*
 * ini: the lines of an ini file.  It knows no sections and no keys.
 */
#include "base/ini.h"

#include <stdbool.h>
#include <string.h>

static const char section_letters[] = "abcdefghijklmnopqrstuvwxyz"
                                      "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                      "0123456789_-";
static const char key_letters[] = "abcdefghijklmnopqrstuvwxyz"
                                  "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                  "0123456789_-.";

void tmk_ini_init(struct tmk_ini *ini, const char *text)
{
    *ini = (struct tmk_ini){.rest = text};
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

static const char *skip_blanks(const char *s, const char *end)
{
    while (s < end && is_blank(*s)) {
        s++;
    }
    return s;
}

/* The end of the words in s..end, which may be followed by a comment; NULL if
 * the comment has no blank before it. */
static const char *end_of_words(const char *s, const char *end)
{
    const char *mark = s;

    while (mark < end && *mark != '#' && *mark != ';') {
        mark++;
    }
    if (mark < end && mark > s && !is_blank(mark[-1])) {
        return NULL;
    }
    while (mark > s && is_blank(mark[-1])) {
        mark--;
    }
    return mark;
}

static size_t span(const char *s, const char *end, const char *letters)
{
    size_t n = 0;

    while (s + n < end && s[n] != '\0' && strchr(letters, s[n]) != NULL) {
        n++;
    }
    return n;
}

static void read_section(struct tmk_ini_line *line, const char *s,
                         const char *end)
{
    const char *name = skip_blanks(s + 1, end);
    size_t length = span(name, end, section_letters);
    const char *close = skip_blanks(name + length, end);
    const char *behind = close + 1;

    if (length == 0 || close >= end || *close != ']') {
        line->why = "a section is [name], of letters, digits, _ and -";
        return;
    }
    if (behind < end && end_of_words(behind, end) != behind) {
        line->why = "only a comment, with a blank before it, may follow ]";
        return;
    }
    if (behind < end && !is_blank(*behind)) {
        line->why = "a comment needs a blank before it";
        return;
    }
    line->kind = TMK_INI_SECTION;
    line->name = name;
    line->name_length = length;
}

static void read_key(struct tmk_ini_line *line, const char *s, const char *end)
{
    size_t length = span(s, end, key_letters);
    const char *equals = skip_blanks(s + length, end);
    const char *value;
    const char *value_end;

    if (length == 0 || equals >= end || *equals != '=') {
        line->why = "neither [section] nor key = value";
        return;
    }
    value = skip_blanks(equals + 1, end);
    value_end = end_of_words(value, end);
    if (value_end == NULL ||
        (value == equals + 1 && value_end == value && value < end)) {
        line->why = "a comment needs a blank before it, and a value holds "
                    "neither # nor ;";
        return;
    }
    line->kind = TMK_INI_KEY;
    line->name = s;
    line->name_length = length;
    line->value = value;
    line->value_length = (size_t)(value_end - value);
}

void tmk_ini_next(struct tmk_ini *ini, struct tmk_ini_line *line)
{
    *line = (struct tmk_ini_line){.kind = TMK_INI_END, .number = ini->number};
    while (ini->rest != NULL) {
        const char *s = ini->rest;
        const char *end = s + strcspn(s, "\n");

        ini->rest = *end != '\0' ? end + 1 : NULL;
        line->number = ++ini->number;
        s = skip_blanks(s, end);
        if (s == end || *s == '#' || *s == ';') {
            continue;
        }
        line->kind = TMK_INI_WRONG;
        if (*s == '[') {
            read_section(line, s, end);
        } else {
            read_key(line, s, end);
        }
        return;
    }
}
