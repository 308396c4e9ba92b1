#ifndef TMK_BASE_MATCH_MODE_H
#define TMK_BASE_MATCH_MODE_H

#include <stdbool.h>
#include <stdint.h>

enum tmk_match_bits {
    TMK_MATCH_BITS_EXACT, /* 644 */
    TMK_MATCH_BITS_ALL,   /* -644 */
    TMK_MATCH_BITS_ANY    /* /644 */
};

/* Permissions to look for; X in a mode makes a difference for directories. */
struct tmk_match_mode {
    enum tmk_match_bits how;
    uint32_t file, dir;
};

enum { TMK_MATCH_MODE_ROOM = 11 };

/*
 * The argument of -perm: octal, or as chmod(1) has it, beginning with no
 * permissions and no umask.  0 or -EINVAL.
 */
int tmk_match_mode_parse(const char *text, struct tmk_match_mode *mode);

bool tmk_match_mode_test(const struct tmk_match_mode *mode, bool is_dir,
                         uint32_t bits);

/* As ls -l: "-rw-r--r--"; `type` is a letter of enum tmk_match_type. */
void tmk_match_mode_format(char type, uint32_t bits,
                           char buf[TMK_MATCH_MODE_ROOM]);

#endif
