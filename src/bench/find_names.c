/*
 * find_names: users and groups, looked up once.
 */
#include "bench/find_names.h"

#include <grp.h>
#include <pwd.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

struct known {
    uint32_t id;
    char *name; /* owned; NULL: there is none */
};

struct tmk_find_names {
    bool groups;
    struct known *known; /* owned; sorted by id */
    size_t n, room;
};

struct tmk_find_names *tmk_find_names_new(bool groups)
{
    struct tmk_find_names *names = calloc(1, sizeof(*names));

    if (names != NULL) {
        names->groups = groups;
    }
    return names;
}

void tmk_find_names_free(struct tmk_find_names *names)
{
    if (names == NULL) {
        return;
    }
    for (size_t i = 0; i < names->n; i++) {
        free(names->known[i].name);
    }
    free(names->known);
    free(names);
}

static char *look_up(bool groups, uint32_t id)
{
    if (groups) {
        const struct group *group = getgrgid(id);

        return group != NULL ? strdup(group->gr_name) : NULL;
    }
    const struct passwd *user = getpwuid(id);

    return user != NULL ? strdup(user->pw_name) : NULL;
}

const char *tmk_find_names_get(struct tmk_find_names *names, uint32_t id)
{
    size_t low = 0;
    size_t high = names->n;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (names->known[middle].id < id) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    if (low < names->n && names->known[low].id == id) {
        return names->known[low].name;
    }
    if (names->n == names->room) {
        size_t room = names->room != 0 ? 2 * names->room : 16;
        struct known *more = realloc(names->known, room * sizeof(*more));

        if (more == NULL) {
            return NULL;
        }
        names->known = more;
        names->room = room;
    }
    memmove(&names->known[low + 1], &names->known[low],
            (names->n - low) * sizeof(*names->known));
    names->known[low] =
        (struct known){.id = id, .name = look_up(names->groups, id)};
    names->n++;
    return names->known[low].name;
}
