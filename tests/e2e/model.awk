# What mdtest does on disk, worked out from its rules and from nothing of the
# program: one line per call, "<rank> <call> <path>", in the order of a rank.
#
# Variables, as the options are: P (ranks) b z n I L u i; kinds "F", "D" or
# "DF"; phases of "CTErU"; stride (effective, places per hop; 0: none); nodes
# (optional, the node of each rank, "0 0 1 1": rotate along the ring of ranks
# sorted by node); made 0 if the root D is there already.

function put(rank, call, path) { print rank, call, path }

function on(phase) { return index(phases, phase) > 0 }

# The rank whose items r touches after so many hops.
function owner(r, hops) {
    return ring[(place[r] + hops * stride) % P]
}

function test_dir(iteration, loop) {
    return "D/test-dir." iteration "-" loop
}

# Directory k of the tree of rank t (any, if the tree is shared).
function dir_path(iteration, loop, t, k,    path) {
    path = ""
    for (;;) {
        path = "/mdtest_tree." (u ? t "." : "") k path
        if (k == 0) break
        k = int((k - 1) / b)
    }
    return test_dir(iteration, loop) path
}

# Fill pre[] and post[] with the numbers of the directories.
function walk(k, level,    c) {
    pre[pre_count++] = k
    if (level < z)
        for (c = b * k + 1; c <= b * k + b; c++) walk(c, level + 1)
    post[post_count++] = k
}

function make_trees(iteration,    r, loop, d) {
    for (r = 0; r < (u ? P : 1); r++)
        for (loop = 0; loop < loops; loop++)
            for (d = 0; d < dirs; d++)
                put(r, "mkdir", dir_path(iteration, loop, r, pre[d]))
}

function remove_trees(iteration,    r, loop, d) {
    for (r = 0; r < (u ? P : 1); r++)
        for (loop = 0; loop < loops; loop++)
            for (d = 0; d < dirs; d++)
                put(r, "rmdir", dir_path(iteration, loop, r, post[d]))
}

# One phase over the items: order is "pre" or "ascending".
function phase(iteration, kind, call, hops, order,    r, loop, d, k, x, path,
               name) {
    for (r = 0; r < P; r++)
        for (loop = 0; loop < loops; loop++)
            for (d = 0; d < dirs; d++) {
                k = order == "pre" ? pre[d] : d
                if (L && k < dirs - leaves) continue
                path = dir_path(iteration, loop, owner(r, hops + 1), k)
                name = path "/" kind ".mdtest." owner(r, hops) "."
                for (x = k * q; x < (k + 1) * q; x++) put(r, call, name x)
            }
}

# A chain of renames that ends with the same names; the last item stays.
function renames(iteration,    r, loop, k, x, m, name, at) {
    for (r = 0; r < P; r++)
        for (loop = 0; loop < loops; loop++) {
            m = 0
            for (k = L ? dirs - leaves : 0; k < dirs; k++)
                for (x = k * q; x < (k + 1) * q; x++)
                    at[m++] = dir_path(iteration, loop, owner(r, 2), k) \
                        "/dir.mdtest." owner(r, 1) "." x
            if (m < 2) continue
            put(r, "rename", at[0] " " at[0] "-XX")
            for (x = 1; x < m - 1; x++)
                put(r, "rename", at[x] " " at[x - 1])
            put(r, "rename", at[0] "-XX " at[m - 2])
        }
}

BEGIN {
    n += 0; I += 0; L += 0; u += 0; z += 0; stride += 0
    if (b == "") b = 1
    if (i == "") i = 1
    if (kinds == "") kinds = "DF"
    if (phases == "") phases = "CTErU"
    if (made == "") made = 1

    ring_count = 0
    if (nodes != "") {
        split(nodes, node, " ")
        for (k = 0; k < P; k++)
            for (r = 0; r < P; r++)
                if (node[r + 1] == k) {
                    ring[ring_count] = r
                    place[r] = ring_count++
                }
    } else {
        for (r = 0; r < P; r++) ring[r] = place[r] = r
    }

    walk(0, 0)
    dirs = pre_count
    leaves = 1
    for (k = 0; k < z; k++) leaves *= b
    loops = n > 0 && I > 0 ? int(n / I) : 1
    q = I > 0 ? I : int(n / (L ? leaves : dirs))

    if (made && on("C")) put(0, "mkdir", "D")
    for (it = 0; it < i; it++) {
        if (on("C")) {
            for (k = 0; k < loops; k++) put(0, "mkdir", test_dir(it, k))
            make_trees(it)
        }
        if (kinds ~ /D/) {
            if (on("C")) phase(it, "dir", "mkdir", 0, "pre")
            if (on("T")) phase(it, "dir", "stat", 1, "ascending")
            if (on("U")) renames(it)
            if (on("r")) phase(it, "dir", "rmdir", 3, "pre")
        }
        if (kinds ~ /F/) {
            if (on("C")) phase(it, "file", "create", 0, "pre")
            if (on("T")) phase(it, "file", "stat", 1, "ascending")
            if (on("E")) phase(it, "file", "read", 2, "ascending")
            if (on("r")) phase(it, "file", "unlink", 3, "pre")
        }
        if (on("r")) {
            remove_trees(it)
            for (k = 0; k < loops; k++) put(0, "rmdir", test_dir(it, k))
        }
    }
    if (made && on("C") && on("r")) put(0, "rmdir", "D")
}
