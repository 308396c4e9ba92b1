#ifndef TMK_BASE_MATCH_H
#define TMK_BASE_MATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/match_text.h"
#include "base/match_time.h"

/*
 * The expressions of find(1): parsed once, then asked about each entry of a
 * tree.  Nothing here touches a file, a clock or a database of users: what
 * must be asked of the system is asked through the tables of functions below.
 *
 *     words -> tmk_match_compile()    -> struct tmk_match
 *              tmk_match_pfind()
 *     entry -> tmk_match_ahead()      -> no / yes / what is missing to say
 *           -> tmk_match_run()        -> actions called, -prune, -quit
 *     action, entry -> tmk_match_record() -> bytes of one record
 */

/* Fields of an entry: the first twelve are the bits of statx(2). */
enum tmk_match_field {
    TMK_MATCH_TYPE = 0x1,
    TMK_MATCH_MODE = 0x2,
    TMK_MATCH_NLINK = 0x4,
    TMK_MATCH_UID = 0x8,
    TMK_MATCH_GID = 0x10,
    TMK_MATCH_ATIME = 0x20,
    TMK_MATCH_MTIME = 0x40,
    TMK_MATCH_CTIME = 0x80,
    TMK_MATCH_INO = 0x100, /* and the device, which statx always gives */
    TMK_MATCH_SIZE = 0x200,
    TMK_MATCH_BLOCKS = 0x400,
    TMK_MATCH_BTIME = 0x800,
    TMK_MATCH_STATX = 0xfff,
    /* A function of struct tmk_match_calls has to be asked, no stat. */
    TMK_MATCH_CALL = 0x10000
};

/* What an entry is, with the letter of -type. */
enum tmk_match_type {
    TMK_MATCH_UNKNOWN = 0,
    TMK_MATCH_FIFO = 'p',
    TMK_MATCH_CHAR = 'c',
    TMK_MATCH_DIR = 'd',
    TMK_MATCH_BLOCK = 'b',
    TMK_MATCH_FILE = 'f',
    TMK_MATCH_LINK = 'l',
    TMK_MATCH_SOCKET = 's'
};

/*
 * One entry, as the run sees it: where symbolic links are followed (-L, and
 * start points with -H), `type`, `inode` and all from stat are the target's,
 * or the link's own if it leads nowhere; until stat has told, type and inode
 * of a link are unknown there.
 */
struct tmk_match_entry {
    /* The last part of the path: see tmk_match_base() for start points.
     * NUL-terminated, as the path. */
    const char *name;
    size_t name_length;
    /* As it is printed.  For tmk_match_run() always, for tmk_match_ahead()
     * only if `path_in_tests` is set. */
    const char *path;
    size_t path_length;
    size_t start_length; /* of the start point, which begins the path */
    uint32_t depth;      /* 0: a start point */
    uint8_t type;        /* enum tmk_match_type; from the dirent or stat */
    uint64_t inode;      /* 0: not known */

    /* Fields from statx that were asked for, 0 before; a field that was asked
     * for and is not to be had counts, too. */
    uint32_t have;
    uint32_t mode; /* 12 bits of permission */
    uint32_t uid, gid;
    uint64_t links;
    uint64_t size_bytes;
    uint64_t blocks; /* of 512 bytes */
    uint64_t dev;    /* as st_dev */
    uint32_t rdev_major, rdev_minor;
    struct tmk_match_time atime, mtime, ctime;
    struct tmk_match_time btime; /* ns TMK_MATCH_NO_TIME: not known */
};

enum tmk_match_act {
    TMK_MATCH_COUNT,  /* nothing is printed */
    TMK_MATCH_PRINT,  /* -print, -fprint */
    TMK_MATCH_PRINT0, /* -print0, -fprint0 */
    TMK_MATCH_PRINTF, /* -printf, -fprintf */
    TMK_MATCH_LS,     /* -ls, -fls */
    TMK_MATCH_DELETE, /* true if it was removed */
    TMK_MATCH_EXEC    /* true if the command ended with 0, or is put off */
};

struct tmk_match_format; /* of -printf; base/match_format.h */

struct tmk_match_action {
    enum tmk_match_act act;
    size_t index;                          /* in struct tmk_match */
    const char *word;                      /* as written; "-print" if implied */
    int output;                            /* index of a file; -1: stdout */
    const struct tmk_match_format *format; /* TMK_MATCH_PRINTF */
    /* TMK_MATCH_EXEC: the command; {} stands for the path anywhere in a word,
     * or as the last word for many of them (`many`). */
    const char *const *words;
    size_t n_words;
    bool many;   /* ended by + */
    bool in_dir; /* -execdir */
};

/* Who is to be followed. */
enum tmk_match_follow {
    TMK_MATCH_FOLLOW_NONE,   /* -P */
    TMK_MATCH_FOLLOW_STARTS, /* -H */
    TMK_MATCH_FOLLOW_ALL     /* -L */
};

struct tmk_match_node;

/* A compiled expression; not changed after it was made. */
struct tmk_match {
    const struct tmk_match_node *root;
    const char *const *starts; /* as given; "." if none was */
    size_t n_starts;
    const struct tmk_match_action *const *actions; /* in the words' order */
    size_t n_actions;
    const char *const *outputs; /* names of files to write, each once */
    size_t n_outputs;
    enum tmk_match_follow follow;
    uint32_t depth_least; /* -mindepth: nearer entries are not tried */
    uint32_t depth_most;  /* -maxdepth; UINT32_MAX: no limit */
    bool contents_first;  /* -depth, or -delete is there */
    bool one_device;      /* -xdev, -mount */
    bool ignore_race;     /* -ignore_readdir_race */
    bool help, version;   /* was asked for; the rest may be anything */
    bool path_in_tests;   /* see struct tmk_match_entry */
    /* Fields that tests and actions may miss when the dirent told type and
     * inode; no bit of TMK_MATCH_STATX: then nothing is ever stat'ed. */
    uint32_t needs;
    /* A pattern without which nothing is done, and where it is no more than
     * that, a text that the name must hold; NULL: there is none. */
    const struct tmk_match_glob *first_name;
    const char *first_text;
    struct tmk_match_chunk *chunks; /* private: all memory */
    struct tmk_match_regex *regexes;
};

/* What a file that an expression refers to is. */
struct tmk_match_reference {
    uint64_t dev, inode;
    struct tmk_match_time atime, mtime, ctime;
    struct tmk_match_time btime; /* ns TMK_MATCH_NO_TIME: not known */
};

/*
 * What a parser asks.  The same words lead to the same questions in the same
 * order, so that one rank may find out for all.
 */
struct tmk_match_env {
    struct tmk_match_time now; /* when the run began */
    void *arg;                 /* given to each function */
    /* 0 or -errno; `follow`: a symbolic link is to be followed. */
    int (*reference)(void *arg, const char *path, bool follow,
                     struct tmk_match_reference *ref);
    /* 0, or -errno if there is nobody of that name. */
    int (*user_id)(void *arg, const char *name, uint32_t *id);
    int (*group_id)(void *arg, const char *name, uint32_t *id);
    /* Local time less UTC, in seconds, at that second since the epoch; NULL:
     * UTC. */
    int32_t (*utc_offset_s)(void *arg, int64_t s);
    /*
     * Is argv[0], which begins with a dash and is no word of find's, an option
     * of the caller's?  How many of the argc words it takes, 0 if it is none,
     * -errno to give up with what *why says.  NULL: there are none.
     */
    int (*own_option)(void *arg, int argc, char *const *argv, char *why,
                      size_t size);
    /* Something looks wrong, in one line; NULL: never mind. */
    void (*warn)(void *arg, const char *text);
};

/*
 * What evaluation and printing ask.  `arg` is the argument of the call.  Only
 * those that the expression needs are called; what cannot be found out is
 * reported by the function itself and answered as the comment says.
 */
struct tmk_match_calls {
    /* Do it; is it true?  Printing is. */
    bool (*act)(void *arg, const struct tmk_match_action *action,
                const struct tmk_match_entry *entry);
    /* Is the directory empty?  false if it cannot be read. */
    bool (*is_empty_dir)(void *arg, const struct tmk_match_entry *entry);
    /* May we?  R_OK 4, W_OK 2, X_OK 1 as in access(2). */
    bool (*may)(void *arg, const struct tmk_match_entry *entry, int how);
    /* The type of its file system, "" if not known. */
    const char *(*fstype)(void *arg, const struct tmk_match_entry *entry);
    /* Where a symbolic link leads; NULL if that cannot be read. */
    const char *(*link_target)(void *arg, const struct tmk_match_entry *entry);
    /* What a symbolic link leads to: one of "fdlpsbc", 'N' nothing, 'L' in a
     * circle, '?' on other errors. */
    char (*target_type)(void *arg, const struct tmk_match_entry *entry);
    /* For -xtype where links are followed: what it is if they are not. */
    char (*own_type)(void *arg, const struct tmk_match_entry *entry);
    /* Names; NULL if there is none. */
    const char *(*user_name)(void *arg, uint32_t id);
    const char *(*group_name)(void *arg, uint32_t id);
    /* Local time less UTC in seconds and, in *zone, its name. */
    int32_t (*utc_offset_s)(void *arg, int64_t s, const char **zone);
    struct tmk_match_time now;
};

/* The options of pfind(1) that are no tests. */
struct tmk_match_pfind {
    bool count_only;         /* -C */
    bool by_rank;            /* -P: a result line per rank */
    bool rates;              /* -D rates */
    bool delete_matches;     /* -e */
    bool delete_dirs;        /* -E: directories when they have been read */
    bool prefer_next;        /* -N */
    const char *results_dir; /* -r; NULL: none; argv's */
    uint64_t limit_ns;       /* -s; 0: none */
    uint64_t queue_items;    /* -q; 0: not given */
    uint64_t batch_entries;  /* -M; 0: not given */
    unsigned split;          /* -H: 0, 1, 2 */
    unsigned verbosity;      /* number of -v */
    bool ctime_rule;         /* --pfind-ctime */
};

enum tmk_match_answer {
    TMK_MATCH_NO,   /* nothing is to be done */
    TMK_MATCH_YES,  /* tmk_match_run() has all it needs */
    TMK_MATCH_NEEDS /* more must be known */
};

enum tmk_match_outcome {
    TMK_MATCH_ACTED = 1, /* an action was called: it is a match */
    TMK_MATCH_PRUNE = 2, /* if it is a directory, do not enter it */
    TMK_MATCH_QUIT = 4   /* stop all */
};

/*
 * Compile the words behind the program's name, as GNU find reads them:
 * -H -L -P, start points, expression; words may have two dashes.
 *
 *     *match   new, to be given to tmk_match_free(); NULL on error
 *     argv     NULL-terminated; may be gone afterwards
 *     why      on error one line that names the word, without "find: "
 *
 * Returns 0; -EINVAL; -ENOMEM; what a reference file or an own option failed
 * with.
 */
int tmk_match_compile(struct tmk_match **match, int argc, char *const *argv,
                      const struct tmk_match_env *env, char *why, size_t size);

/*
 * The same for pfind(1)'s words: a directory, -newer F, -size Nc, -name P,
 * -regex P and the options that go to *pfind.  Directories never match.
 * -delete, -empty and -depth mean what they mean to find.
 */
int tmk_match_pfind(struct tmk_match **match, struct tmk_match_pfind *pfind,
                    int argc, char *const *argv,
                    const struct tmk_match_env *env, char *why, size_t size);

/* NULL is allowed. */
void tmk_match_free(struct tmk_match *match);

/*
 * What can be said with what is known of an entry: at first its dirent, with
 * `have` 0; after statx for the fields in *missing, or for some of them, it may
 * be asked again.  No function is called.  *missing is 0 unless the answer is
 * TMK_MATCH_NEEDS; if it is TMK_MATCH_CALL alone, no stat is needed, and
 * tmk_match_run() is the next step.
 */
enum tmk_match_answer tmk_match_ahead(const struct tmk_match *match,
                                      const struct tmk_match_entry *entry,
                                      uint32_t *missing);

/* The slow half of tmk_match_name_fails(). */
bool tmk_match_pattern_fails(const struct tmk_match *match, const char *name);

/* Whether an entry's name alone tells that nothing is done about it. */
static inline bool tmk_match_name_fails(const struct tmk_match *match,
                                        const char *name)
{
    if (match->first_text != NULL) {
        return strstr(name, match->first_text) == NULL;
    }
    return match->first_name != NULL && tmk_match_pattern_fails(match, name);
}

/*
 * Evaluate the expression in find's order and call its actions.  All that
 * tmk_match_ahead() missed must be there, and the path.  Returns bits of enum
 * tmk_match_outcome.
 */
unsigned tmk_match_run(const struct tmk_match *match,
                       const struct tmk_match_entry *entry,
                       const struct tmk_match_calls *calls, void *arg);

/*
 * Append the record that an action writes for an entry: print, print0, printf,
 * ls.  0 or -ENOMEM, and the text is as before.
 */
int tmk_match_record(const struct tmk_match_action *action,
                     const struct tmk_match_entry *entry,
                     const struct tmk_match_calls *calls, void *arg,
                     struct tmk_match_text *text);

/*
 * Append a word of a command (TMK_MATCH_EXEC), `path` in the place of each {},
 * and a NUL.  0 or -ENOMEM, and the text is as before.
 */
int tmk_match_exec_word(const char *word, const char *path,
                        struct tmk_match_text *text);

/*
 * The name of a start point: what is behind the last slash, but for slashes at
 * the end ("a/b//" -> "b", "/" -> "/").  A pointer into path, its length in
 * *length.
 */
const char *tmk_match_base(const char *path, size_t *length);

#endif
