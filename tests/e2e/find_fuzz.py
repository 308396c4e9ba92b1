#!/usr/bin/python3
"""Random trees and expressions: what treemark find prints, GNU find prints.

    find_fuzz.py DIR CASES SEED LAUNCH...

Builds a tree below DIR, makes up CASES expressions, asks GNU find about each,
and then one launch of find_cases about all: LAUNCH is its command, to which
the file of cases is appended; "::" parts several of them.  Prints the seed and
each difference; status 1 if there is one.  With FIND_URING set, some searches
make several stats at a time.
"""

import os
import random
import subprocess
import sys
import time

NAMES = ["a", "b.c", "b.txt", "core", "with space", "new\nline", "-dash",
         ".hidden", "st*r", "q?", "[ab]", "\xe9", "\u00e9t\u00e9", "ba'ck\\sl",
         "x" * 60, "01", "file.01", "A", "B.C", "~", "{}", "%p", "tab\t"]


def build(rnd, top):
    """A tree of every kind of entry; returns the paths of its files."""
    dirs, files = [top], []
    os.mkdir(top)
    for _ in range(rnd.randint(3, 25)):
        base = rnd.choice(dirs)
        name = os.path.join(base, rnd.choice(NAMES) + str(rnd.randint(0, 4)))
        if not os.path.lexists(name) and name.count("/") < 40:
            os.mkdir(name)
            dirs.append(name)
    deep = rnd.choice(dirs)
    for _ in range(rnd.choice([0, 0, 30])):
        deep = os.path.join(deep, "d")
        if os.path.lexists(deep):
            break
        os.mkdir(deep)
        dirs.append(deep)
    for _ in range(rnd.randint(10, 120)):
        path = os.path.join(rnd.choice(dirs),
                            rnd.choice(NAMES) + rnd.choice(["", "1", "~"]))
        if os.path.lexists(path):
            continue
        kind = rnd.random()
        if kind < 0.70:
            with open(path, "wb") as f:
                size = rnd.choice([0, 0, 1, 2, 511, 512, 513, 1023, 1024,
                                   1025, 4096, 5000, 1048576, 1048577])
                if rnd.random() < 0.3:
                    f.truncate(size)
                else:
                    f.write(b"x" * min(size, 5000))
            files.append(path)
        elif kind < 0.78 and files:
            os.link(rnd.choice(files), path)
        elif kind < 0.95:
            os.symlink(rnd.choice(["nowhere", ".", "..", path, "a",
                                   os.path.basename(rnd.choice(dirs)),
                                   rnd.choice(dirs)]), path)
        else:
            os.mkfifo(path)
    now = time.time()
    for path in files + dirs[1:]:
        os.chmod(path, rnd.choice([0o644, 0o600, 0o755, 0o4755, 0o2755, 0o777,
                                   0o1777, 0o000, 0o444, 0o111])
                 | (0o700 if os.path.isdir(path) else 0))
        if os.geteuid() == 0 and rnd.random() < 0.3:
            os.chown(path, rnd.choice([0, 1, 2, 77777]),
                     rnd.choice([0, 1, 77777]))
    links = [os.path.join(d, n) for d in dirs for n in os.listdir(d)]
    for path in links:
        if os.path.islink(path):
            os.utime(path, (now - 90, now - 90), follow_symlinks=False)
        elif path not in files and path not in dirs:
            os.utime(path, (now - 90, now - 90))
    for path in files + list(reversed(dirs)):
        # Half a unit away from where any test changes its mind.
        age = rnd.choice([30, 90, 150, 43200, 129600, 216000, 864000 + 43200])
        os.utime(path, ns=(int((now - rnd.choice([30, 90, 129600])) * 1e9),
                           int((now - age) * 1e9) + rnd.randint(0, 999)))
    return files + dirs


def number(rnd, values):
    return rnd.choice(["", "+", "-"]) + str(rnd.choice(values))


def test(rnd, paths):
    """One test, or an option that is one."""
    pattern = rnd.choice(["*", "a*", "*1", "*01*", "?", "??", ".*", "*.txt",
                          "[ab]*", "[!a]*", "*\\?", "b.c1", "*[*", "\u00e9*",
                          "*~", "file.01", "A*", "*x"])
    path = rnd.choice(["*", "*/a*", "*/d/*", "*b*/*", "./*", "*\\*r"])
    return rnd.choice([
        lambda: ["-name", pattern],
        lambda: ["-name", pattern],
        lambda: ["-iname", pattern],
        lambda: ["-path", path],
        lambda: ["-ipath", path.upper()],
        lambda: ["-wholename", path],
        lambda: ["-lname", rnd.choice(["*", "now*", ".", "..", "a"])],
        lambda: ["-type", rnd.choice(["f", "d", "l", "p", "f,d", "l,p", "s",
                                      "d,l,f"])],
        lambda: ["-xtype", rnd.choice(["f", "d", "l", "f,d"])],
        lambda: ["-size", number(rnd, ["0", "1", "2", "3", "1c", "512c",
                                       "1k", "2k", "1w", "1M", "2M", "1G",
                                       "9b", "5000c"])],
        lambda: ["-empty"],
        lambda: ["-links", number(rnd, [1, 2, 3])],
        lambda: ["-uid", number(rnd, [0, 1, 77777])],
        lambda: ["-gid", number(rnd, [0, 1])],
        lambda: ["-user", rnd.choice(["root", "0", "1", "daemon"])],
        lambda: ["-group", rnd.choice(["root", "0", "1"])],
        lambda: ["-nouser"],
        lambda: ["-nogroup"],
        lambda: ["-perm", rnd.choice(["644", "-644", "/222", "-u+s", "/u+s,g+s",
                                      "u=rwx,go=rx", "-111", "000", "/000",
                                      "-000", "1777", "-g+w", "a=r"])],
        lambda: ["-mtime", number(rnd, [0, 1, 2, 3, 10])],
        lambda: ["-mmin", number(rnd, [1, 2, 3, 5, 1000])],
        # Reading directories changes theirs.
        lambda: ["(", "-type", "f", "-atime", number(rnd, [0, 1, 2]), ")"],
        lambda: ["(", "-type", "f", "-amin", number(rnd, [1, 2, 5]), ")"],
        lambda: ["-newer", rnd.choice(paths)],
        lambda: ["(", "-type", "f", "-anewer", rnd.choice(paths), ")"],
        lambda: ["-cnewer", rnd.choice(paths)],
        lambda: ["-newermt", rnd.choice(["2020-01-01", "@0", "2100-01-01",
                                         "2026-01-01 00:00:00"])],
        lambda: ["(", "-type", "f", "-neweram", rnd.choice(paths), ")"],
        lambda: ["-samefile", rnd.choice(paths)],
        lambda: ["-inum", number(rnd, [os.lstat(rnd.choice(paths)).st_ino])],
        lambda: ["-regex", rnd.choice([".*/a[0-9]*", ".*1", ".*\\.txt", "."])],
        lambda: ["-regextype", "posix-extended", "-regex",
                 rnd.choice([".*/(a|b)[^/]*", ".*[0-9]+"])],
        lambda: ["-true"],
        lambda: ["-false"],
        lambda: ["-readable"],
        lambda: ["-writable"],
        lambda: ["-executable"],
    ])()


def expression(rnd, paths, depth=0):
    kind = rnd.random()
    if depth > 3 or kind < 0.4:
        return test(rnd, paths)
    if kind < 0.5:
        return [rnd.choice(["!", "-not"])] + expression(rnd, paths, 9)
    if kind < 0.65:
        return (["("] + expression(rnd, paths, depth + 1)
                + [rnd.choice(["-o", "-or", "-a"])]
                + expression(rnd, paths, depth + 1) + [")"])
    if kind < 0.73:
        return (["("] + test(rnd, paths) + ["-prune", rnd.choice(["-o", "-a"])]
                + expression(rnd, paths, depth + 1) + [")"])
    return (expression(rnd, paths, depth + 1)
            + rnd.choice([[], [], ["-a"], ["-and"]])
            + expression(rnd, paths, depth + 1))


FORMATS = ["%p\\0", "%f %h %d\\0", "%y %s %p\\0", "%m %M %n %p\\0",
           "%u %g %U %G %p\\0", "%l %Y %p\\0", "%P %H\\0", "%i %p\\0",
           "%T@ %p\\0", "%TY-%Tm-%Td %TH:%TM:%TS %p\\0", "%-20f|%10s|\\0",
           "%%\\t%p\\n\\0", "%k %D %p\\0", "%t %p\\0"]


def case(rnd, tops, paths):
    words = []
    if rnd.random() < 0.25:
        words.append(rnd.choice(["-P", "-H", "-L"]))
    starts = rnd.choice([tops[:1], tops[:1], tops, [rnd.choice(paths)],
                         [tops[0] + "/"], ["./" + tops[-1]],
                         [rnd.choice(paths), "no such start"]])
    words += starts
    if rnd.random() < 0.2:
        words += ["-maxdepth", str(rnd.randint(0, 4))]
    if rnd.random() < 0.2:
        words += ["-mindepth", str(rnd.randint(0, 3))]
    if rnd.random() < 0.2:
        words.append("-depth")
    if rnd.random() < 0.1:
        words.append("-xdev")
    body = expression(rnd, paths)
    if rnd.random() < 0.2:
        return words + body
    if rnd.random() < 0.1:  # GNU find 4.9 takes the first for a list's value
        return words + body + ["-print0", ","] + test(rnd, paths) + ["-print0"]
    action = rnd.choice([["-print0"], ["-print0"],
                         ["-printf", rnd.choice(FORMATS)]])
    return words + ["("] + body + [")"] + action


def records(out, words):
    sep = b"\0" if any(w == "-print0" or w.endswith("\\0")
                       for w in words) else b"\n"
    return sorted(out.split(sep))


def main(directory, cases, seed, *launch):
    rnd = random.Random(int(seed))
    os.chdir(directory)
    paths = build(rnd, "tree") + build(rnd, "under")
    wanted = []
    while len(wanted) < int(cases):
        words = case(rnd, ["tree", "under"], paths)
        # From -O2 on, its default, GNU find 4.9 tests -inum of the right of an
        # -o before the left, with a -prune there that is not reached then.
        got = subprocess.run(["find", "-O1"] + words, stdin=subprocess.DEVNULL,
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                             env=dict(os.environ, LC_ALL="C"), check=False)
        wanted.append((words, got.returncode, got.stdout))
    cases_file = os.path.abspath("../cases." + os.path.basename(directory))
    with open(cases_file, "wb") as f:
        for words, _, _ in wanted:
            own = []
            if os.environ.get("FIND_URING"):
                own = rnd.choice([[], ["--uring=%d" % rnd.randint(1, 40)]])
            f.write(b"".join(os.fsencode(w) + b"\0" for w in words + own)
                    + b"\0")
    launches, command = [], []
    for word in list(launch) + ["::"]:
        if word == "::":
            launches.append(command)
            command = []
        else:
            command.append(word)
    bad = 0
    for command in launches:
        got = subprocess.run(command + [cases_file], stdin=subprocess.DEVNULL,
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                             timeout=600, check=False)
        if got.returncode != 0:
            print("%s: status %d\n%s" % (command, got.returncode,
                                         got.stderr[-2000:].decode("latin-1")))
            return 1
        rest = got.stdout
        for words, status, out in wanted:
            end = rest.index(b"\n=== ")
            mine, rest = rest[:end], rest[end + 5:]
            line, rest = rest.split(b"\n", 1)
            if (records(mine, words) == records(out, words)
                    and (int(line) == status or "-xtype" in words)):
                continue  # a link to itself is an error to GNU's -xtype
            bad += 1
            if bad <= 10:
                a, b = records(out, words), records(mine, words)
                print("seed %s, %s: find %s\n  status %d, GNU %d; only GNU: "
                      "%s; only ours: %s" % (
                          seed, " ".join(command), words, int(line), status,
                          [x for x in a if x not in b][:5],
                          [x for x in b if x not in a][:5]))
    print("seed %s: %d cases, %d launches, %d differences" % (
        seed, len(wanted), len(launches), bad))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
