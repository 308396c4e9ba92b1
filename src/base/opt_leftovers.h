#ifndef TMK_BASE_OPT_LEFTOVERS_H
#define TMK_BASE_OPT_LEFTOVERS_H

/* --leftovers: what an earlier run left where this one wants to write. */
enum tmk_leftovers {
    TMK_LEFTOVERS_REFUSE,
    TMK_LEFTOVERS_CLEAN,
    TMK_LEFTOVERS_REUSE,
};

/* For a row of kind CHOICE; NULL-terminated. */
extern const char *const tmk_opt_leftovers_choices[];

/* An enum tmk_leftovers by its name, or -EINVAL. */
int tmk_opt_leftovers_find(const char *name);

#endif
