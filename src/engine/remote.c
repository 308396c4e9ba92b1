/*
 * remote: file systems whose files are somewhere else.
 */
#include "engine/remote.h"

#include <stddef.h>
#include <sys/vfs.h>

bool tmk_remote_path(const char *path)
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

    for (size_t i = 0;
         statfs(path, &fs) == 0 && i < sizeof(types) / sizeof(types[0]); i++) {
        if ((unsigned long)fs.f_type == types[i]) {
            return true;
        }
    }
    return false;
}
