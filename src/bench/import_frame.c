/*
 * import_frame: what stands around the tables of mdtest and ior.
 */
#include "bench/import_frame.h"

bool tmk_import_frame_is_one(struct tmk_import_scan_text line,
                             const char *const *patterns)
{
    struct tmk_import_scan found;

    for (; *patterns != NULL; patterns++) {
        if (tmk_import_scan(line, *patterns, &found)) {
            return true;
        }
    }
    return false;
}

static bool is_rule(struct tmk_import_scan_text line)
{
    for (size_t i = 0; i < line.length; i++) {
        if (line.at[i] != '-' && line.at[i] != ' ' && line.at[i] != '\t') {
            return false;
        }
    }
    return true;
}

/* "FS : 252.0 GiB   Used FS: 7.0%   Inodes: 16.0 Mi   Used Inodes: 2.7%" */
static bool file_system(struct tmk_import_launch *launch,
                        struct tmk_import_scan_text line)
{
    const double gib = 1024.0 * 1024.0 * 1024.0;
    const double mi = 1024.0 * 1024.0;
    struct tmk_import_scan found;
    double unit = gib;

    if (!tmk_import_scan(line,
                         "FS_:_# $ Used FS_:_#% Inodes_:_# Mi Used "
                         "Inodes_:_#%",
                         &found)) {
        return tmk_import_scan(line, "FS_:_not reported *", &found);
    }
    if (tmk_import_scan_is(found.texts[0], "TiB")) {
        unit *= 1024.0;
    } else if (!tmk_import_scan_is(found.texts[0], "GiB")) {
        return false;
    }
    launch->size_bytes = found.numbers[0].value * unit;
    launch->used_share = found.numbers[1].value / 100.0;
    /* File systems that count no inodes say that there are none. */
    if (found.numbers[2].value > 0.0) {
        launch->inodes = found.numbers[2].value * mi;
        launch->inodes_used_share = found.numbers[3].value / 100.0;
    }
    return true;
}

int tmk_import_frame_line(struct tmk_import_launch *launch,
                          struct tmk_import_scan_text line)
{
    static const struct {
        const char *pattern;
        const char *code;
    } messages[] = {
        {"WARNING: *", NULL}, {"INFO: *", NULL}, {"ERROR: *", "ERROR"}};
    struct tmk_import_scan found;
    int err = 0;

    if (is_rule(line)) {
        return 1;
    }
    for (size_t i = 0; i < sizeof(messages) / sizeof(messages[0]); i++) {
        if (tmk_import_scan(line, messages[i].pattern, &found)) {
            err = tmk_import_launch_warn(launch, messages[i].code,
                                         found.texts[0]);
            return err != 0 ? err : 1;
        }
    }
    if (tmk_import_scan(line, "Command line used_:_*", &found) ||
        tmk_import_scan(line, "Command line_:_*", &found)) {
        err = tmk_import_launch_keep(&launch->command, found.texts[0]);
    } else if (tmk_import_scan(line, "Path_:_*", &found)) {
        err = tmk_import_launch_keep(&launch->path, found.texts[0]);
    } else {
        return file_system(launch, line);
    }
    return err != 0 ? err : 1;
}
