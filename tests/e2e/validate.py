#!/usr/bin/python3
"""Judge result files.

    validate.py SCHEMA FILE...

A file is one JSON object without NaN and double members, valid by the
schema, and its numbers agree with each other: rates with operations and
times, histograms with operations, sums with their parts.  What was imported
from text may be several objects, one a line.
"""

import json
import sys

import jsonschema


def unique(pairs):
    """An object whose members all have names of their own."""
    names = [name for name, _ in pairs]
    if len(set(names)) != len(names):
        raise ValueError("a member twice: %s" % sorted(names))
    return dict(pairs)


def constant(name):
    raise ValueError("%s is no JSON" % name)


def near(a, b):
    return abs(a - b) <= 1e-6 * max(abs(a), abs(b), 1e-9)


def judge_transfer(phase, kind):
    """Bytes over time, in the bandwidth mode and nowhere else."""
    rate, total, mixed = (phase[m] for m in ("bandwidth_bytes_per_s",
                                             "total_s", "mixed"))
    parts = [phase[m] for m in ("open_s", "transfer_s", "close_s")]
    told = [rate, total, *parts, mixed, phase["cached_share"]]
    if kind not in ("ior", "io500") or rate is None:
        if any(value is not None for value in told):
            yield "transfers of a phase that moves no data"
        return
    if total > 0 and not near(rate, phase["bytes"] / total):
        yield "bandwidth_bytes_per_s is not bytes / total_s"
    if max(parts) > total:
        yield "a part of the time is longer than all of it"
    if mixed is None:
        return
    for member, want in (("bytes", phase["bytes"]),
                         ("bandwidth_bytes_per_s", rate)):
        if not near(sum(side[member] for side in mixed.values()), want):
            yield "mixed: %s of both sides are not those of the phase" % member
    for name, side in mixed.items():
        latency = side["latency_ns"]
        if latency is not None and (sum(n for _, n in latency["buckets"])
                                    < side["operations"]):
            yield "mixed: the buckets of %s do not hold all operations" % name


def judge_phase(phase, kind):
    done, failed = phase["operations"], phase["failed_operations"]
    if (phase["intervals"] is not None
            and sum(phase["intervals"]["operations"]) != done):
        yield "the intervals do not hold all operations"
    if sum(phase["failed"].values()) != failed:
        yield "failed_operations are not the sum of failed"
    if phase["time_s"] > 0 and not near(phase["rate_per_s"],
                                        done / phase["time_s"]):
        yield "rate_per_s is not operations / time_s"
    yield from judge_transfer(phase, kind)
    latency = phase["latency_ns"]
    timed = kind != "find" or phase["name"] in ("Directories", "Stats")
    # A search in the suite is of entries, its latencies are of some calls; a
    # script's are not known.
    searches = kind == "io500" and phase["name"].startswith("find")
    if searches:
        timed = latency is not None
    if (latency is None) != (done + failed == 0 or not timed):
        yield "latency_ns does not tell whether there were operations"
    if latency is None:
        return
    # With -c, what rank 0 made and its owner never came to is not done.
    most = done + failed + phase["not_tried"]
    if phase["name"] == "Directories":
        most = float("inf")  # a directory is read more than once
    held = sum(n for _, n in latency["buckets"])
    if searches:
        return
    if not done + failed <= held <= most:
        yield "the buckets do not hold all operations"
    bounds = [upper for upper, _ in latency["buckets"]]
    if bounds != sorted(set(bounds)):
        yield "the buckets are not in order"
    points = [latency[p] for p in ("p50", "p90", "p99", "p999")]
    if (points != sorted(points)
            or not set(points) <= set(bounds) | {latency["max"]}):
        yield "the percentiles are not in order, or no buckets"
    if not latency["min"] <= latency["mean"] <= latency["max"] + 1:
        yield "the mean is not between min and max"
    if not latency["max"] <= bounds[-1]:
        yield "max is above the last bucket"


def judge_hosts(phase, hosts):
    told = [r["host"] for r in (phase["ranks"]["fastest"],
                                phase["ranks"]["slowest"])]
    if phase["latency_ns"] is not None:
        told.append(phase["latency_ns"]["max_host"])
    if not set(told) <= set(hosts):
        yield "%s: hosts %s" % (phase["name"], told)


def judge_find(phases):
    by = {phase["name"]: phase["operations"] for phase in phases}
    if len(by) != 4:
        yield "not each row once"
    if max(by["Directories"], by["Matches"]) > by["Entries"]:
        yield "more directories or matches than entries"
    if any(p["failed_operations"] for p in phases if p["name"] != "Entries"):
        yield "failures of another row than Entries"


def judge_summary(test, unit, rates):
    """Statistics over the iterations of the phases that have such rates."""
    told = {s["name"]: s for s in test["summary"] if s["unit"] == unit}
    if set(told) != set(rates):
        yield "summary in %s of other phases than there were" % unit
    for name, values in rates.items():
        s = told.get(name)
        if s is None:
            continue
        want = (len(values), max(values), min(values),
                sum(values) / len(values))
        got = (s["n"], s["max"], s["min"], s["mean"])
        if not all(near(a, b) for a, b in zip(want, got)):
            yield "%s: summary %s, not %s" % (name, got, want)
        if (s["stddev"] is None) != (len(values) < 2):
            yield "%s: stddev of one value, or none of several" % name


def judge_test(test, kind):
    rates = {}
    bandwidths = {}
    numbers = [i["iteration"] for i in test["iterations"]]
    if numbers != list(range(len(numbers))):
        yield "iterations are %s" % numbers
    for iteration in test["iterations"]:
        names = [phase["name"] for phase in iteration["phases"]]
        if len(set(names)) != len(names):
            yield "a phase twice in an iteration"
        for phase in iteration["phases"]:
            for bad in judge_phase(phase, kind):
                yield "%s: %s" % (phase["name"], bad)
            rates.setdefault(phase["name"], []).append(phase["rate_per_s"])
            if phase["bandwidth_bytes_per_s"] is not None:
                bandwidths.setdefault(phase["name"], []).append(
                    phase["bandwidth_bytes_per_s"])
    yield from judge_summary(test, "op/s", rates)
    yield from judge_summary(test, "bytes/s", bandwidths)


def judge_study(result):
    """The points of a study: which there are, and each only once."""
    if ("scale" in result) != (result["kind"] == "scale"):
        yield "a study of another kind than scale, or the other way round"
        return
    told = [t for t in result["tests"] if "point" in t]
    if result["kind"] != "scale":
        if told:
            yield "a point, and no study"
        return
    # Only what was killed has a last test that is no point yet.
    if told != result["tests"] and (result["run"]["ended"] is not None
                                    or told != result["tests"][:-1]):
        yield "a test that is no point"
    seen = [(t["tasks"], t["nodes"], t["ranks_per_node"], t["point"]["map"],
             t["point"]["vary"], *t["point"]["command"]) for t in told]
    if len(set(seen)) != len(seen):
        yield "a point twice"
    if len(seen) > result["scale"]["points"]:
        yield "more points than there are"
    for test in told:
        point = test["point"]
        if point["benchmark"] != result["scale"]["benchmark"]:
            yield "a point of another benchmark"
        if point["map"] == "grid" and (test["tasks"] != test["nodes"]
                                       * test["ranks_per_node"]):
            yield "a point of a grid whose nodes are not alike"
        if point["state"] == "done" and not test["iterations"]:
            yield "a point that is done and has no result"
        if test["iterations"] and len(test["iterations"]) < point["repeats"]:
            yield "more repeats than iterations"
    if (result["verdict"] is not None and result["verdict"]["ok"]
            and any(t["point"]["state"] != "done" for t in told)):
        yield "ok, and a point is not done"


def judge(result):
    phases = [p for t in result["tests"] for i in t["iterations"]
              for p in i["phases"]]
    if len(result["mpi"]["ranks_per_node"]) != result["mpi"]["nodes"]:
        yield "ranks_per_node of other nodes than there are"
    if sum(result["mpi"]["ranks_per_node"]) != result["mpi"]["ranks"]:
        yield "ranks_per_node do not make up the ranks"
    if len(result["mpi"]["hosts"]) != result["mpi"]["nodes"]:
        yield "hosts of other nodes than there are"
    yield from judge_study(result)
    kind = result["kind"]
    if kind == "scale":
        kind = result["scale"]["benchmark"]
    for test in result["tests"]:
        yield from judge_test(test, kind)
    if result["kind"] == "find":
        yield from judge_find(phases)
    for phase in phases:
        yield from judge_hosts(phase, result["mpi"]["hosts"])
    verdict = result["verdict"]
    if (verdict is None) != (result["run"]["ended"] is None):
        yield "a verdict without an end, or the other way round"
    if verdict is None:
        return
    if verdict["failed_operations"] < sum(p["failed_operations"]
                                          for p in phases):
        yield "the verdict forgets failed operations"
    if verdict["ok"] != (verdict["reasons"] == []):
        yield "ok with reasons, or not ok without"
    if verdict["ok"] != verdict["text"].startswith("ok"):
        yield "text %s" % verdict["text"]


def judge_imported(result):
    """Text has few digits: only their order can be told."""
    if result["kind"] != result["imported"]["program"]:
        yield "of another kind than the program"
    for test in result["tests"]:
        for s in test["summary"]:
            known = [s[m] for m in ("min", "mean", "max") if s[m] is not None]
            if known != sorted(known):
                yield "%s: min, mean, max are %s" % (s["name"], known)
            if s["n"] == 1 and s["stddev"] is not None:
                yield "%s: stddev of one value" % s["name"]
        for iteration in test["iterations"]:
            names = [phase["name"] for phase in iteration["phases"]]
            if len(set(names)) != len(names):
                yield "a phase twice in an iteration"
    verdict = result["verdict"]
    if verdict is not None and verdict["ok"] != (verdict["reasons"] == []):
        yield "ok with reasons, or not ok without"


def load(name):
    """The objects of a file; several if the first line is a whole one."""
    with open(name, encoding="utf-8") as f:
        text = f.read()

    def one(text):
        return json.loads(text, object_pairs_hook=unique,
                          parse_constant=constant)

    first = text.split("\n", 1)[0]
    if not first.startswith("{") or not first.endswith("}"):
        return [one(text)]
    results = [one(line) for line in text.rstrip("\n").split("\n")]
    if not all("imported" in result for result in results):
        raise ValueError("several results, and not imported")
    return results


def main(schema_file, *files):
    with open(schema_file, encoding="utf-8") as f:
        schema = json.load(f)
    validator = jsonschema.Draft7Validator(schema)
    bad = 0
    for name in files:
        try:
            results = load(name)
        except ValueError as error:
            print("%s: %s" % (name, error))
            bad += 1
            continue
        complaints = []
        for result in results:
            check = judge_imported if "imported" in result else judge
            complaints += [
                "%s: %s" % ("/".join(map(str, e.absolute_path)),
                            e.message[:200])
                for e in validator.iter_errors(result)] or check(result)
        for complaint in complaints[:10]:
            print("%s: %s" % (name, complaint))
        bad += bool(complaints)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
