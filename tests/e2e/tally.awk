# What the recorded calls of all ranks came to: for each phase that has any
# operations "<name> done <n>", and "<name> <errno> <n>" of those that failed.
# Of a launch that creates and removes.
#
# Variables: bytes (-w), collective (1 with -c).  The files are those of
# recorder.c, with TREEMARK_RECORD_DATA, rank 0 first, and all of them twice,
# "pass=1" before the first time and "pass=2" before the second: what ranks made
# must be known before what others did to it is judged.

function did(phase, err) {
    seen[phase]
    if (err == "") {
        done[phase]++
    } else {
        failed[phase]++
        by[phase, err]++
        errs[err]
    }
}

# The end of what is done to an open file.
function end_file() {
    if (work == "second") {
        second++
        if (error != "") {
            spoiled++
            did("File creation", error)
        }
    } else {
        did(work, error)
    }
    work = ""
}

# Another call on the open file.
function go_on(err) {
    if (error == "") error = err
}

FNR == 1 { work = "" }

{
    gsub(/\/+/, "/")
    err = ""
    if (match($0, / -> E[A-Z0-9]+$/)) {
        err = substr($0, RSTART + 4)
        $0 = substr($0, 1, RSTART - 1)
    }
    call = $1
    if (call != "stat") sub(/at$/, "", call)
    if (call == "fstat") call = "stat"
    path = call == "rename" ? $2 : $NF
    sub(/\/$/, "", path)
    name = path
    sub(/.*\//, "", name)
    if (call == "unlink" && name !~ /^file|^\.treemark/) call = "rmdir"
    item = name ~ /^file\.mdtest\./ ? "File" : \
           name ~ /^dir\.mdtest\.[0-9.]*$/ || call == "rename" ? "Directory" : \
           name ~ /^mdtest_tree\./ ? "Tree" : ""
    if (item == "") next
}

# First time: what exists, and whose creation failed.
pass == 1 {
    if (call == "mkdir" || call == "mknod") made[path] = err == ""
    if (call == "open" && $2 ~ /CREAT/ && (err == "" || !(path in made)))
        made[path] = err == "" # with -S, one rank that can is enough
    if (collective && call == "close" && err != "" && !(path in opened))
        made[path] = 0
    if (call == "open" && $2 !~ /CREAT/) opened[path]
    if (call == "write" && err == "") full[path]
    if (call == "mkdir" && item == "Tree" && err != "") no_tree = 1
    next
}

# A directory of a tree that is opened for access by name.
call == "open" && item == "Tree" {
    if (err != "") lost++
    next
}

item == "Tree" {
    if (call == "mkdir") did("Tree creation", err)
    if (call == "rmdir" && !(err == "ENOENT" && no_tree))
        did("Tree removal", err)
    next
}

# What was not made is removed beside the phases.
(call == "rmdir" || call == "unlink") && !made[path] { next }

call == "mkdir" || call == "mknod" { did(item " creation", err) }
call == "rename" { did("Directory rename", err) }
call == "rmdir" || call == "unlink" { did(item " removal", err) }

call == "stat" {
    if (err == "" && item == "File" && bytes && !(path in full)) err = "ENODATA"
    did(item " stat", err)
}

call == "open" {
    error = ""
    work = $2 ~ /CREAT/ ? "File creation" : \
           $2 ~ /RDONLY/ ? "File read" : "second"
    go_on(err)
    if (err != "") end_file()
}

call == "write" || call == "lseek" || call == "fsync" { go_on(err) }

# Nothing can be read of what was not written.
call == "read" {
    if (err == "" && bytes && !(path in full)) err = "ENODATA"
    go_on(err)
}

call == "close" {
    go_on(err)
    end_file()
}

END {
    if (collective && second) done["File creation"] = second - spoiled
    if (lost) print "directories that could not be opened " lost
    for (phase in seen) {
        printf "%s done %d\n", phase, done[phase]
        for (e in errs)
            if ((phase, e) in by) printf "%s %s %d\n", phase, e, by[phase, e]
    }
}
