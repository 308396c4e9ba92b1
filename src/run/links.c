/*
 * links: network adapters, as sysfs shows them.
 *
 *     class/net/eth0/          device       only of real ones: no lo, no veth,
 *                                           no bridge, no bond
 *                              operstate    "up"; "unknown" is for up, too:
 *                                           not all drivers tell
 *                              type         32 = IP over InfiniBand: its port
 *                                           counts
 *                              speed        Mb/s; -1 = not known
 *     class/infiniband/mlx5_0/ports/1/
 *                              state        "4: ACTIVE"
 *                              link_layer   "Ethernet": class/net counts
 *                              rate         "200 Gb/sec (4X HDR)"
 */
#include "run/links.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "run/provenance.h"

enum { PATH_SIZE = 1024, TEXT_SIZE = 128 };

/* Of all links so far. */
struct sum {
    double bits_per_s;
    bool unknown;        /* of one that is up */
    bool has_ip_over_ib; /* whose ports should be found */
    bool has_ib;
};

/* The first line of "<dir>/<name>" without its end; "" if there is none. */
static void read_line(const char *dir, const char *name, char *text)
{
    char path[PATH_SIZE];
    FILE *f = NULL;

    text[0] = '\0';
    if (snprintf(path, sizeof(path), "%s/%s", dir, name) < PATH_SIZE) {
        f = fopen(path, "r");
    }
    if (f == NULL) {
        return;
    }
    if (fgets(text, TEXT_SIZE, f) == NULL) {
        text[0] = '\0';
    }
    fclose(f);
    text[strcspn(text, "\n")] = '\0';
}

static bool exists(const char *dir, const char *name)
{
    char path[PATH_SIZE];

    return snprintf(path, sizeof(path), "%s/%s", dir, name) < PATH_SIZE &&
           access(path, F_OK) == 0;
}

static void add(struct sum *sum, double bits_per_s)
{
    if (bits_per_s > 0.0) {
        sum->bits_per_s += bits_per_s;
    } else {
        sum->unknown = true;
    }
}

static void add_adapter(struct sum *sum, const char *dir)
{
    const char *infiniband = "32"; /* ARPHRD_INFINIBAND */
    char text[TEXT_SIZE];

    if (!exists(dir, "device")) {
        return;
    }
    read_line(dir, "operstate", text);
    if (strcmp(text, "up") != 0 && strcmp(text, "unknown") != 0) {
        return;
    }
    read_line(dir, "type", text);
    if (strcmp(text, infiniband) == 0) {
        sum->has_ip_over_ib = true;
        return;
    }
    read_line(dir, "speed", text); /* an error where it is not known */
    add(sum, strtod(text, NULL) * 1e6);
}

static void add_port(struct sum *sum, const char *dir)
{
    char text[TEXT_SIZE];

    read_line(dir, "state", text);
    if (strstr(text, "ACTIVE") == NULL) {
        return;
    }
    read_line(dir, "link_layer", text);
    if (strcmp(text, "Ethernet") == 0) {
        return;
    }
    sum->has_ib = true;
    read_line(dir, "rate", text);
    add(sum, strtod(text, NULL) * 1e9);
}

/* Each directory in `dir`. */
static void each(const char *dir, struct sum *sum,
                 void (*visit)(struct sum *sum, const char *dir))
{
    DIR *d = opendir(dir);
    const struct dirent *entry;

    while (d != NULL && (entry = readdir(d)) != NULL) {
        char path[PATH_SIZE];

        if (entry->d_name[0] != '.' &&
            snprintf(path, sizeof(path), "%s/%s", dir, entry->d_name) <
                PATH_SIZE) {
            visit(sum, path);
        }
    }
    if (d != NULL) {
        closedir(d);
    }
}

static void add_ports(struct sum *sum, const char *dir)
{
    char path[PATH_SIZE];

    if (snprintf(path, sizeof(path), "%s/ports", dir) < PATH_SIZE) {
        each(path, sum, add_port);
    }
}

uint64_t tmk_links_bytes_per_s(const char *sysfs)
{
    struct sum sum = {.unknown = false};
    char path[PATH_SIZE];

    if (snprintf(path, sizeof(path), "%s/class/net", sysfs) < PATH_SIZE) {
        each(path, &sum, add_adapter);
    }
    if (snprintf(path, sizeof(path), "%s/class/infiniband", sysfs) <
        PATH_SIZE) {
        each(path, &sum, add_ports);
    }
    /* A container may see one and not the other. */
    if (sum.has_ip_over_ib && !sum.has_ib) {
        sum.unknown = true;
    }
    return sum.unknown ? 0 : (uint64_t)(sum.bits_per_s / 8.0);
}

bool tmk_links_is_local(const char *type, const char *options)
{
    return strcmp(type, "fuseblk") == 0 || strcmp(type, "virtiofs") == 0 ||
           (strcmp(type, "9p") == 0 && strstr(options, "trans=virtio") != NULL);
}

static bool is_local(const char *path)
{
    struct tmk_provenance *p = calloc(1, sizeof(*p));
    bool local = true; /* without memory nothing is doubted */

    if (p != NULL) {
        tmk_provenance_find_mount(p, path);
        local = tmk_links_is_local(p->type, p->options);
    }
    free(p);
    return local;
}

bool tmk_links_are_needed(const char *path)
{
    static const unsigned long types[] = {
        0x6969,     /* NFS */
        0x65735546, /* FUSE */
        0x0bd00bd0, /* Lustre */
        0x00c36400, /* Ceph */
        0xfe534d42, /* SMB 2 and later */
        0xff534d42, /* CIFS */
        0x01021997, /* 9p */
        0x19830326, /* BeeGFS (FhGFS) */
        0x47504653, /* GPFS */
        0x20030528, /* OrangeFS, PVFS2 */
        0x5346414f, /* AFS */
    };
    struct statfs fs;

    if (statfs(path, &fs) != 0) {
        return false;
    }
    for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
        if ((unsigned long)fs.f_type == types[i]) {
            return !is_local(path);
        }
    }
    return false;
}
