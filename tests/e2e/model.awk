# What mdtest does on disk, worked out from its rules and from nothing of the
# program: one line per call, "<rank> <call> <path>", in the order of a rank.
#
# Variables, as the options are: P (ranks) b z n I L u S c k i; kinds "F", "D"
# or "DF"; phases of "CTErU"; stride (effective, places per hop; 0: none);
# nodes (optional, the node of each rank, "0 0 1 1": rotate along the ring of
# ranks sorted by node); made 0 if the root D is there already; roots (number
# of directories given to -d; above 1 they are D0, D1 ...); f l s for a scan;
# R and seed for the order that the original makes with the C library's rand().

function put(rank, call, path) { print rank, call, path }

function on(phase) { return index(phases, phase) > 0 }

# The rank whose items r touches after so many hops.
function owner(r, hops) {
    return ring[(place[r] + hops * stride) % P]
}

# The root that rank r works in.
function root(r) { return roots > 1 ? "D" r % roots : "D" }

function test_dir(r, iteration, loop) {
    return root(r) "/test-dir." iteration "-" loop
}

# Directory k of the tree of rank t (any, if the tree is shared).  With
# several roots there is no rotation: t is the rank that works.
function dir_path(iteration, loop, t, k,    path) {
    path = ""
    for (;;) {
        path = "/mdtest_tree." (u ? t "." : "") k path
        if (k == 0) break
        k = int((k - 1) / b)
    }
    return test_dir(t, iteration, loop) path
}

# Fill pre[] and post[] with the numbers of the directories.
function walk(k, level,    c) {
    pre[pre_count++] = k
    if (level < z)
        for (c = b * k + 1; c <= b * k + b; c++) walk(c, level + 1)
    post[post_count++] = k
}

# The rank that makes and removes tree r.
function tree_maker(r) { return c ? 0 : r }

function make_trees(iteration,    r, loop, d) {
    for (r = 0; r < (u ? P : 1); r++)
        for (loop = 0; loop < loops; loop++)
            for (d = 0; d < dirs; d++)
                put(tree_maker(r), "mkdir",
                    dir_path(iteration, loop, r, pre[d]))
}

function remove_trees(iteration,    r, loop, d) {
    for (r = 0; r < (u ? P : 1); r++)
        for (loop = 0; loop < loops; loop++)
            for (d = 0; d < dirs; d++)
                put(tree_maker(r), "rmdir",
                    dir_path(iteration, loop, r, post[d]))
}

function test_dirs(iteration, call,    r, loop) {
    for (r = 0; r < (roots < P ? roots : P); r++)
        for (loop = 0; loop < loops; loop++)
            put(r, call, test_dir(r, iteration, loop))
}

# The path of an item of rank x in directory k of the tree of rank t.
function item(iteration, loop, t, k, kind, x, id) {
    return dir_path(iteration, loop, t, k) "/" kind ".mdtest." \
        (S ? "shared" : x) "." id
}

# rank does this to all that is visited in place of r in one loop.
function items(rank, r, iteration, loop, kind, call, hops, order,    d, k, x) {
    for (d = 0; d < dirs; d++) {
        k = order == "pre" ? pre[d] : d
        if (L && k < dirs - leaves) continue
        for (x = k * q; x < (k + 1) * q; x++)
            put(rank, call, item(iteration, loop, owner(r, hops + 1), k, kind,
                owner(r, hops), x))
    }
}

# The same in the random order of rank r.
function items_shuffled(r, iteration, loop, kind, call, hops,    j, x, first) {
    first = L ? q * (dirs - leaves) : 0
    for (j = 0; j < per_loop; j++) {
        x = first + shuffled[r, j]
        put(r, call, item(iteration, loop, owner(r, hops + 1), int(x / q),
            kind, owner(r, hops), x))
    }
}

# One phase over the items: order is "pre", "ascending" or "random".
function phase(iteration, kind, call, hops, order,    r, loop) {
    for (r = 0; r < P; r++)
        for (loop = 0; loop < loops; loop++)
            if (order == "random")
                items_shuffled(r, iteration, loop, kind, call, hops)
            else
                items(r, r, iteration, loop, kind, call, hops, order)
}

# Rank 0 works through the items of all ranks; a file is then opened by its
# owner, loop by loop.
function phase_collective(iteration, kind, call, hops,    r, loop) {
    for (loop = 0; loop < loops; loop++) {
        for (r = 0; r < P; r++)
            items(0, r, iteration, loop, kind, call, hops, "pre")
        if (kind == "file" && call != "unlink")
            for (r = 0; r < P; r++)
                items(r, r, iteration, loop, kind, "write", hops, "pre")
    }
}

# Creation and removal.
function make(iteration, kind, call) {
    if (c) phase_collective(iteration, kind, call, 0)
    else phase(iteration, kind, call, 0, "pre")
}

function unmake(iteration, kind, call,    loop) {
    if (S) {
        for (loop = 0; loop < loops; loop++)
            items(0, 0, iteration, loop, kind, call, 3, "pre")
    } else if (c) {
        phase_collective(iteration, kind, call, 3)
    } else {
        phase(iteration, kind, call, 3, "pre")
    }
}

# A chain of renames that ends with the same names; the last item stays.
function renames(iteration,    r, loop, k, x, m, name, at) {
    for (r = 0; r < P; r++)
        for (loop = 0; loop < loops; loop++) {
            m = 0
            for (k = L ? dirs - leaves : 0; k < dirs; k++)
                for (x = k * q; x < (k + 1) * q; x++)
                    at[m++] = item(iteration, loop, owner(r, 2), k, "dir",
                        owner(r, 1), x)
            if (m < 2) continue
            put(r, "rename", at[0] " " at[0] "-XX")
            for (x = 1; x < m - 1; x++)
                put(r, "rename", at[x] " " at[x - 1])
            put(r, "rename", at[0] "-XX " at[m - 2])
        }
}

# The generator of the C library: additive, of 31 words that a linear one
# fills; the first 310 numbers are dropped.
function srand_libc(number,    j) {
    for (j = 0; j < 34; j++) {
        if (j == 0) word[j] = number == 0 ? 1 : number
        else if (j < 31) word[j] = (16807 * word[j - 1]) % 2147483647
        else word[j] = word[j - 31]
    }
    next_word = 34
    for (j = 0; j < 310; j++) rand_libc()
}

function rand_libc(    sum) {
    sum = (word[next_word - 3] + word[next_word - 31]) % 4294967296
    word[next_word++] = sum
    return int(sum / 2)
}

function shuffle(r, number,    j, other, kept) {
    srand_libc(number)
    for (j = 0; j < per_loop; j++) shuffled[r, j] = j
    for (j = per_loop - 1; j > 0; j--) {
        other = int(rand_libc() / 2147483647 * j)
        kept = shuffled[r, j]
        shuffled[r, j] = shuffled[r, other]
        shuffled[r, other] = kept
    }
}

function rotation(    k, r) {
    ring_count = 0
    if (nodes == "") {
        for (r = 0; r < P; r++) ring[r] = place[r] = r
        return
    }
    split(nodes, node, " ")
    for (k = 0; k < P; k++)
        for (r = 0; r < P; r++)
            if (node[r + 1] == k) {
                ring[ring_count] = r
                place[r] = ring_count++
            }
}

# All iterations with P ranks.
function test(    it, order, r) {
    rotation()
    order = R || seed ? "random" : "ascending"
    if (order == "random")
        for (r = 0; r < P; r++) shuffle(r, R ? seed + r : seed)
    for (it = 0; it < i; it++) {
        if (on("C")) {
            test_dirs(it, "mkdir")
            make_trees(it)
        }
        if (kinds ~ /D/ && !S) {
            if (on("C")) make(it, "dir", "mkdir")
            if (on("T")) phase(it, "dir", "stat", 1, order)
            if (on("U")) renames(it)
            if (on("r")) unmake(it, "dir", "rmdir")
        }
        if (kinds ~ /F/) {
            if (on("C")) make(it, "file", k ? "mknod" : "create")
            if (on("T")) phase(it, "file", "stat", 1, order)
            if (on("E")) phase(it, "file", "read", 2, order)
            if (on("r")) unmake(it, "file", "unlink")
        }
        if (on("r")) {
            remove_trees(it)
            test_dirs(it, "rmdir")
        }
    }
}

BEGIN {
    n += 0; I += 0; L += 0; u += 0; z += 0; stride += 0
    S += 0; c += 0; k += 0; R += 0; seed += 0; f += 0; l += 0; s += 0
    if (b == "") b = 1
    if (i == "") i = 1
    if (kinds == "") kinds = "DF"
    if (phases == "") phases = "CTErU"
    if (made == "") made = 1
    if (roots == "") roots = 1
    if (f == 0) f = 1
    if (s == 0) s = 1

    walk(0, 0)
    dirs = pre_count
    leaves = 1
    for (level = 0; level < z; level++) leaves *= b
    loops = n > 0 && I > 0 ? int(n / I) : 1
    q = I > 0 ? I : int(n / (L ? leaves : dirs))
    per_loop = q * (L ? leaves : dirs)

    if (made && on("C"))
        for (r = 0; r < roots; r++) put(r, "mkdir", root(r))
    if (l == 0) f = l = P
    for (P = f; P <= l; P += s) test()
    if (made && on("C") && on("r"))
        for (r = 0; r < roots; r++) put(r, "rmdir", root(r))
}
