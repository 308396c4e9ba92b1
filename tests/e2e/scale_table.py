#!/usr/bin/python3
"""Judge the tables of a study by its JSON.

    scale_table.py JSON TEXT           say where they do not agree
    scale_table.py --rows TEXT         the rows, one a line, tabs between them

A row shows the mean of the rates of all iterations of a point, that of a node,
how many times the first row's it is, also for each rank, and half the 95 %
confidence interval of the mean by Student's t.
"""

import json
import math
import re
import sys

# Two-sided 95 % quantiles for 1 to 19 degrees of freedom.
T95 = (12.7062, 4.30265, 3.18245, 2.77645, 2.57058, 2.44691, 2.36462, 2.30600,
       2.26216, 2.22814, 2.20099, 2.17881, 2.16037, 2.14479, 2.13145, 2.11991,
       2.10982, 2.10092, 2.09302)
HEAD = re.compile(r"^ *nodes +ppn +ranks +(rate/s|MiB/s) +per node +speed-up"
                  r" +efficiency +p99 us +failed +95 %$")
ROW = re.compile(r"^ *(\d+) +(\d+) +(\d+) +(\S+)(.*)$")
FULL = re.compile(r"^ +(\S+) +(\S+) +(\S+) +(\S+) +(\S+)"
                  r" +(-|\+-\S+ %)(?:  (\S.*))?$")


def tables(text):
    """(title, unit, rows) of each table; a row is a dict of strings."""
    before, table, found = "", None, []
    for line in text.split("\n"):
        head = HEAD.match(line)
        row = ROW.match(line)
        if head:
            table = (before, head.group(1), [])
            found.append(table)
        elif table is not None and row:
            nodes, ppn, ranks, rate, rest = row.groups()
            full = FULL.match(rest) if rate != "-" else None
            table[2].append({
                "point": (int(nodes), int(ppn), int(ranks)), "rate": rate,
                "state": rest.strip() if full is None else full.group(7) or "",
                **dict(zip(("node", "speed", "efficiency", "p99", "failed",
                            "ci"), full.groups() if full else ())),
            })
        else:
            table = None
            before = line or before
    return found


def point_of(test):
    return test["nodes"], test["ranks_per_node"], test["tasks"]


def near(shown, value, exact=1e-9):
    """A number as it is printed, with however many digits."""
    digits = len(shown.partition(".")[2])
    return abs(float(shown) - value) <= 0.51 * 10 ** -digits + exact * value


def half_of_95(values):
    """Half the interval, as a share of the mean."""
    n = len(values)
    mean = sum(values) / n
    deviation = math.sqrt(sum((v - mean) ** 2 for v in values) / (n - 1))
    return T95[n - 2] * deviation / math.sqrt(n) / mean


def judge_row(row, phases, values, first):
    """first: mean rate and ranks of the first row."""
    nodes, _, ranks = row["point"]
    mean = sum(values) / len(values)
    speed = mean / first[0]
    for member, want in (
            ("rate", mean), ("node", mean / nodes), ("speed", speed),
            ("efficiency", speed / (ranks / first[1])),
            ("failed", sum(p["failed_operations"] for p in phases))):
        if not near(row[member], want):
            yield "%s is %s, not %f" % (member, row[member], want)
    p99 = [p["latency_ns"]["p99"] / 1e3 for p in phases if p["latency_ns"]]
    if (row["p99"] == "-") != (not p99):
        yield "p99 is %s" % row["p99"]
    elif p99 and not (min(p99) - 0.051 <= float(row["p99"])
                      <= max(p99) * (1 + 1 / 64) + 0.051):
        yield "p99 is %s, of %s" % (row["p99"], p99)
    if len(values) == 1:
        if row["ci"] != "-":
            yield "95 %% of one repeat is %s" % row["ci"]
        return
    told = re.match(r"^\+-(\d+\.\d) %$", row["ci"])
    if told is None or not near(told.group(1), 100 * half_of_95(values),
                                1e-4):
        yield "95 %% is %s, not %f" % (row["ci"], 100 * half_of_95(values))


def judge_table(title, unit, rows, tests):
    names = {p["name"] for t in tests for i in t["iterations"]
             for p in i["phases"]}
    named = [n for n in names if title.startswith(n)]
    if title.startswith("No operation"):
        if any(r["rate"] != "-" for r in rows):
            yield "%s: a rate of nothing" % title
        return
    if not named:
        yield "a title of no operation: %s" % title
        return
    name = max(named, key=len)
    if not title.startswith(name + ":") and not any(
            t["point"]["vary"] and t["point"]["vary"] in title for t in tests):
        yield "%s: no table of an operation: %s" % (name, title)
    member = "bandwidth_bytes_per_s" if unit == "MiB/s" else "rate_per_s"
    scale = 2 ** 20 if unit == "MiB/s" else 1
    own = [t for t in tests
           if t["point"]["vary"] is None or t["point"]["vary"] in title]
    # What a signal cut short, or kept from being run, may be left out.
    must = {point_of(t) for t in own if t["point"]["state"] != "interrupted"}
    may = must | {point_of(t) for t in own} | {
        r["point"] for r in rows if r["rate"] == "-"}
    shown = [r["point"] for r in rows]
    if not must <= set(shown) <= may or len(set(shown)) != len(shown):
        yield "%s: rows are not the points: %s" % (title, shown)
        return
    first = None
    for row in rows:
        where = "%s, %s" % (title, row["point"])
        test = next((t for t in own if point_of(t) == row["point"]), None)
        if test is None:
            continue
        phases = [p for i in test["iterations"] for p in i["phases"]
                  if p["name"] == name]
        if row["rate"] == "-":
            if test["point"]["state"] not in row["state"]:
                yield "%s: state %s" % (where, row["state"])
            if test["point"]["state"] == "done" and phases:
                yield "%s: no rate of a point that is done" % where
            continue
        state = test["point"]["state"]
        short = "too short" if any(p["too_short"] for p in phases) else ""
        if row["state"] != (short if state == "done" else state):
            yield "%s: not a row: %s" % (where, row["state"])
            continue
        values = [p[member] / scale for p in phases]
        if not values:
            yield "%s: a rate of nothing" % where
            continue
        if first is None:
            first = (sum(values) / len(values), row["point"][2])
        for bad in judge_row(row, phases, values, first):
            yield "%s: %s" % (where, bad)


def judge(result, text):
    tests = [t for t in result["tests"] if "point" in t]
    found = tables(text)
    if not found:
        yield "no table"
    titles = [title for title, _, _ in found]
    if len(set(titles)) != len(titles):
        yield "a table twice"
    for title, unit, rows in found:
        yield from judge_table(title, unit, rows, tests)
    names = {p["name"] for t in tests for i in t["iterations"]
             for p in i["phases"]}
    for name in sorted(names):
        if (result["scale"]["benchmark"] == "mdtest"
                and not any(title.startswith(name) for title in titles)):
            yield "no table of %s" % name


def print_rows(text):
    for title, unit, rows in tables(text):
        for row in rows:
            print("\t".join([title.partition(":")[0], unit,
                             *map(str, row["point"]), row["rate"],
                             row.get("efficiency", row["state"]),
                             row.get("failed", "-"), row.get("ci", "-")]))


def main(first, second):
    with open(second, encoding="utf-8") as f:
        text = f.read()
    if first == "--rows":
        print_rows(text)
        return 0
    with open(first, encoding="utf-8") as f:
        result = json.load(f)
    complaints = list(judge(result, text))
    for complaint in complaints[:10]:
        print(complaint)
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
