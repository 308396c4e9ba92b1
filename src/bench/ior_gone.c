/*
 * ior_gone: options and directives of this and older versions of the original
 * that are not to be had here, and why.
 */
#include "bench/ior_conf.h"

static const char not_here[] = "not available here: not built in";
static const char no_pointer[] = "shared file pointers are not available here";
static const char no_strided[] =
    "strided data types are not available here (--mpiio.useFileView is)";
static const char no_hdf5[] = "of HDF5, which is not available here";
static const char no_fill[] = "of HDF5 and NCMPI, which are not available here";

const struct tmk_opt_gone tmk_ior_gone[] = {
    {"-n", "not available here (the number of tasks is -N)"},
    {"--noFill", no_fill},
    {"-I", no_hdf5},
    {"--individualDataSets", no_hdf5},
    {"-J", no_hdf5},
    {"--setAlignment", no_hdf5},
    {"-P", no_pointer},
    {"--useSharedFilePointer", no_pointer},
    {"-S", no_strided},
    {"--useStridedDatatype", no_strided},
    {"-y", "dual mounts are not available here (-F -o a@b uses two paths)"},
    {"--dualMount",
     "dual mounts are not available here (-F -o a@b uses two paths)"},
    {"--storeFileOffset", "is -l offset now (dataPacketType=offset)"},
    {"--showHelp", "not a setting of a test (--help by itself is right)"},
    {"--corruptFile", "not available here"},
    {"--tasksPerNode", "counted, not set (-N is the number of tasks)"},
    {"--lustreStripeCount", not_here},
    {"--lustreStripeSize", not_here},
    {"--lustreStartOST", not_here},
    {"--lustreIgnoreLocks", not_here},
    {"--gpfsHintAccess", not_here},
    {"--gpfsReleaseToken", not_here},
    {"--beegfsNumTargets", not_here},
    {"--beegfsChunkSize", not_here},
    {"--posix.lustre.", not_here},
    {"--posix.gpfs.", not_here},
    {"--posix.beegfs.", not_here},
    {"--hdf5.", not_here},
    {"--ncmpi.", not_here},
    {"--ime.", not_here},
    {"--hdfs.", not_here},
    {"--dfs.", not_here},
    {"--daos.", not_here},
    {"--ceph.", not_here},
    {"--cephfs.", not_here},
    {"--rados.", not_here},
    {"--gfarm.", not_here},
    {"--chfs.", not_here},
    {"--finchfs.", not_here},
    {"--libnfs.", not_here},
    {"--pmdk.", not_here},
    {"--aio.", "not available here (-a URING does this)"},
    {"--S3-", not_here},
    {"--version", "only by itself"},
    {"--help", "takes no value"},
};
const size_t tmk_ior_n_gone = sizeof(tmk_ior_gone) / sizeof(tmk_ior_gone[0]);
