/*
 * clean_survey: what is there to be removed, and is anybody at work?
 */
#include "bench/clean_survey.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/names.h"
#include "base/quote.h"
#include "bench/mdtest_marker.h"
#include "run/say.h"

/* How to remove a name. */
enum {
    AS_TREE = 't',
    AS_FILE = 'f',
    AS_IOR = 'i',
    AS_UNIQUE = 'u',
    NOT_OURS = 'x',
};

void tmk_clean_survey_fini(struct tmk_clean_survey *survey)
{
    tmk_deque_fini(&survey->found);
}

/* The type of a name in an open directory; links are not followed. */
static mode_t mode_of(int dir, const char *name)
{
    struct stat st;

    return fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) == 0 ? st.st_mode : 0;
}

__attribute__((format(printf, 3, 4))) static void
append(char *line, size_t size, const char *format, ...)
{
    size_t used = strlen(line);
    va_list args;

    va_start(args, format);
    (void)vsnprintf(line + used, size - used, format, args);
    va_end(args);
}

static bool is_test_dir(enum tmk_names_kind kind)
{
    return kind == TMK_NAMES_TEST_DIR || kind == TMK_NAMES_TEST_DIR_1 ||
           kind == TMK_NAMES_TEST_DIR_3;
}

static void count_tree(struct tmk_clean_survey *survey, const char *name)
{
    const uint64_t shown = 4;

    survey->trees++;
    if (survey->trees <= shown) {
        append(survey->shown, sizeof(survey->shown), "%s%s",
               survey->trees > 1 ? ", " : "", name);
    } else if (survey->trees == shown + 1) {
        append(survey->shown, sizeof(survey->shown), ", ...");
    }
}

/* A name that ior may have given; 0: it is none. */
static char judge_ior(int dir, const char *name)
{
    uint64_t rank;

    if (tmk_names_of_ior(name)) {
        return S_ISREG(mode_of(dir, name)) ? AS_IOR : 0;
    }
    return tmk_names_of_ior_dir(name, &rank) && S_ISDIR(mode_of(dir, name))
               ? AS_UNIQUE
               : 0;
}

static int take(struct tmk_clean_survey *survey, int dir, const char *name,
                bool ior)
{
    char entry[1 + 256];
    enum tmk_names_kind kind;
    char as = 0;

    if (tmk_names_match(name, &kind, NULL, NULL)) {
        if (is_test_dir(kind)) {
            as = S_ISDIR(mode_of(dir, name)) ? AS_TREE : NOT_OURS;
        } else if ((kind == TMK_NAMES_MARKER || kind == TMK_NAMES_PROBE) &&
                   S_ISREG(mode_of(dir, name))) {
            as = AS_FILE;
        }
    } else if (ior) {
        as = judge_ior(dir, name);
    }
    if (as == 0 || strlen(name) + 2 > sizeof(entry)) {
        return 0;
    }
    if (as == AS_TREE) {
        count_tree(survey, name);
    }
    survey->files += as == AS_FILE;
    survey->of_ior += as == AS_IOR;
    survey->uniques += as == AS_UNIQUE;
    survey->no_dirs += as == NOT_OURS;
    entry[0] = as;
    memcpy(entry + 1, name, strlen(name) + 1);
    return tmk_deque_push(&survey->found, entry, strlen(name) + 2);
}

/* Read a marker; false if it is gone. */
static bool read_marker(int dir, const char *name,
                        struct tmk_mdtest_marker *marker)
{
    char text[TMK_MDTEST_MARKER_SIZE + 1] = "";
    struct stat st;
    int fd = openat(dir, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);

    if (fd >= 0) {
        ssize_t n = read(fd, text, sizeof(text) - 1);

        text[n > 0 ? n : 0] = '\0';
        (void)close(fd);
    }
    if (fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) != 0 ||
        !S_ISREG(st.st_mode)) {
        return false;
    }
    tmk_mdtest_marker_parse(text, marker);
    marker->touched = st.st_mtim;
    return true;
}

/* The marker in a test directory, one that is alive rather than others.  0 or
 * -errno. */
static int look_for_marker(struct tmk_clean_survey *survey, int dir,
                           const char *dir_name, const struct tmk_layout *here)
{
    DIR *stream = tmk_below_list(dir);
    const struct dirent *entry;

    if (stream == NULL) {
        return -errno;
    }
    while (!survey->alive && (entry = readdir(stream)) != NULL) {
        struct tmk_mdtest_marker marker;
        enum tmk_names_kind kind;

        if (!tmk_names_match(entry->d_name, &kind, NULL, NULL) ||
            kind != TMK_NAMES_MARKER ||
            !read_marker(dir, entry->d_name, &marker)) {
            continue;
        }
        survey->marked = true;
        survey->alive = tmk_mdtest_marker_alive(here, &marker);
        (void)snprintf(survey->id, sizeof(survey->id), "%.36s",
                       strrchr(entry->d_name, '.') + 1);
        tmk_quote(survey->host, sizeof(survey->host), marker.host,
                  strlen(marker.host));
        (void)snprintf(survey->marked_dir, sizeof(survey->marked_dir), "%s",
                       dir_name);
    }
    (void)closedir(stream);
    return 0;
}

/* What opening a directory says if it is none that could be cleaned. */
static bool is_none(int err)
{
    return err == -ENOENT || err == -ENOTDIR || err == -ELOOP || err == -EXDEV;
}

/* Markers are in the first test directory of an iteration. */
static void look_for_markers(struct tmk_clean_survey *survey,
                             struct tmk_below *dirs, size_t root,
                             const struct tmk_layout *here)
{
    struct tmk_deque rest = survey->found; /* its ends, not its bytes */
    size_t bytes;
    const char *entry;
    int err = 0;

    while (err == 0 && !survey->alive &&
           (entry = tmk_deque_oldest(&rest, &bytes)) != NULL) {
        enum tmk_names_kind kind;
        uint64_t loop;
        int dir;

        tmk_deque_drop_oldest(&rest);
        if (entry[0] != AS_TREE ||
            !tmk_names_match(entry + 1, &kind, NULL, &loop) ||
            kind != TMK_NAMES_TEST_DIR || loop != 0) {
            continue;
        }
        dir = tmk_below_open(dirs, root, entry + 1);
        if (dir >= 0) {
            err = look_for_marker(survey, dir, entry + 1, here);
        } else if (!is_none(dir)) {
            err = dir;
        }
        if (err != 0) {
            (void)snprintf(survey->marked_dir, sizeof(survey->marked_dir), "%s",
                           entry + 1);
        }
    }
    survey->unread = err;
}

int tmk_clean_survey_look(struct tmk_clean_survey *survey,
                          struct tmk_below *dirs, size_t root, bool ior,
                          const struct tmk_layout *here)
{
    int dir = dirs->roots[root].fd;
    DIR *stream = tmk_below_list(dir);
    const struct dirent *entry;
    int err = 0;

    *survey = (struct tmk_clean_survey){0};
    if (stream == NULL) {
        return -errno;
    }
    while (err == 0 && (errno = 0, entry = readdir(stream)) != NULL) {
        err = take(survey, dir, entry->d_name, ior);
    }
    if (err == 0) {
        err = -errno;
    }
    (void)closedir(stream);
    if (err == 0) {
        look_for_markers(survey, dirs, root, here);
    }
    return err;
}

void tmk_clean_survey_say(const struct tmk_clean_survey *survey,
                          const char *path, bool dry_run, struct tmk_job *job)
{
    char line[1024] = "";

    if (survey->trees != 0) {
        append(line, sizeof(line), "%" PRIu64 " test director%s (%s)",
               survey->trees, survey->trees == 1 ? "y" : "ies", survey->shown);
    }
    if (survey->marked) {
        append(line, sizeof(line), " of run %s on host %s, which %s",
               survey->id, survey->host,
               survey->alive ? "is at work" : "has ended");
    }
    if (survey->of_ior != 0) {
        append(line, sizeof(line), "%s%" PRIu64 " file%s named as of ior",
               line[0] != '\0' ? "; " : "", survey->of_ior,
               survey->of_ior == 1 ? "" : "s");
    }
    if (survey->files != 0) {
        append(line, sizeof(line), "%s%" PRIu64 " file%s of treemark",
               line[0] != '\0' ? "; " : "", survey->files,
               survey->files == 1 ? "" : "s");
    }
    if (line[0] != '\0') {
        tmk_say(job, "%s: %s %s", path, dry_run ? "would remove" : "removing",
                line);
    } else if (survey->uniques == 0) {
        tmk_say(job, "%s: nothing that a benchmark left", path);
    }
    if (survey->uniques != 0) {
        tmk_say(job, "%s: looking into %" PRIu64 " director%s named as of ior",
                path, survey->uniques, survey->uniques == 1 ? "y" : "ies");
    }
}

void tmk_clean_survey_add(struct tmk_clean_survey *survey, size_t root,
                          struct tmk_below *dirs, struct tmk_clean_walk *walk,
                          struct tmk_clean_tally *tally)
{
    size_t bytes;
    const char *entry;

    while ((entry = tmk_deque_oldest(&survey->found, &bytes)) != NULL) {
        const char *name = entry + 1;

        switch (entry[0]) {
        case AS_TREE: tmk_clean_walk_add_tree(walk, root, name); break;
        case AS_UNIQUE: tmk_clean_walk_add_unique(walk, root, name); break;
        case NOT_OURS:
            tmk_clean_tally_foreign(tally, dirs->roots[root].path, "", name);
            break;
        default:
            tmk_clean_walk_add_file(walk, root, name, entry[0] == AS_IOR);
            break;
        }
        tmk_deque_drop_oldest(&survey->found);
    }
}
