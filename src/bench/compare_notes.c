/*
 * compare_notes: the same piece of work, done in another way.
 */
#include "bench/compare_notes.h"

#include <errno.h>
#include <string.h>

#include "bench/compare_params.h"

/* Once, of however many points it is true. */
static int add(struct tmk_compare *c, const char *text)
{
    size_t i;
    json_t *line;

    if (c->notes == NULL) {
        c->notes = json_array();
    }
    json_array_foreach(c->notes, i, line)
    {
        if (strcmp(json_string_value(line), text) == 0) {
            return 0;
        }
    }
    /* Text of the user's may be cut within a character. */
    return json_array_append_new(c->notes, json_string_nocheck(text)) == 0
               ? 0
               : -ENOMEM;
}

/* What both know. */
static int compare(struct tmk_compare *c, json_t *old, const char *whose_old,
                   const json_t *now, const char *whose_now)
{
    const char *name;
    json_t *value;
    int err = 0;

    json_object_foreach(old, name, value)
    {
        const json_t *other = json_object_get(now, name);
        char was[64];
        char is[64];
        char text[256];

        if (other == NULL || json_equal(value, other) || err != 0) {
            continue;
        }
        tmk_compare_params_show(value, was, sizeof(was));
        tmk_compare_params_show(other, is, sizeof(is));
        (void)snprintf(text, sizeof(text), "%s is %s in %s, %s in %s", name,
                       was, whose_old, is, whose_now);
        err = add(c, text);
    }
    return err;
}

int tmk_compare_notes_add(struct tmk_compare *c,
                          struct tmk_compare_point *point, unsigned side,
                          json_t *how)
{
    const char *whose = side == 0 ? "A" : "B";

    if (point->how[side] != NULL) {
        return compare(c, point->how[side], whose, how,
                       side == 0 ? "another file of A" : "another file of B");
    }
    point->how[side] = json_incref(how);
    return side == 1 && point->how[0] != NULL
               ? compare(c, point->how[0], "A", how, "B")
               : 0;
}
