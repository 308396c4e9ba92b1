#!/usr/bin/env python3
"""Make up the JSON of a scaling study, as `treemark scale` writes it.

    plot_study.py [--nodes 1,2,4] [--ppn 1,2] [--vary '-w=0,-w=4096']
                  [--map grid|pack|spread] [--benchmark mdtest|ior]
                  [--repeats N] [--samples N] [--label TEXT] [--fail] [--cut] [--names A,B]

Rates come of a little model: some operations are bound by nodes, others by
ranks.  The numbers are the same each time.
"""
import argparse
import json
import math
import random

OPERATIONS = {
    "mdtest": [
        ("Tree creation", 0, 900), ("File creation", 0.25, 4000),
        ("File stat", 0.9, 30000), ("File read", 0.7, 9000),
        ("File removal", 0.3, 3500), ("Tree removal", 0, 700)],
    "ior": [("write", 0.35, 0.9e9), ("read", 0.8, 1.6e9)],
}


def buckets(rng, centre_ns, n):
    counts = {}
    for _ in range(n):
        value = rng.lognormvariate(math.log(centre_ns), 0.35)
        if rng.random() < 0.01:
            value *= rng.uniform(5, 400)
        value = int(value)
        shift = max(0, value.bit_length() - 8)
        upper = ((value >> shift) + 1 << shift) - 1
        counts[upper] = counts.get(upper, 0) + 1
    return sorted(counts.items())


def phase(rng, args, name, rate, ranks, interrupted):
    bandwidth = None
    if args.benchmark == "ior":
        bandwidth = rate
        rate = rate / 65536
    operations = max(1, int(rate * 2))
    found = buckets(rng, 1e9 * ranks / rate, args.samples)
    share = [operations // 20] * 20
    return {
        "name": name, "time_s": operations / rate, "rate_per_s": rate,
        "operations": operations, "failed_operations": 3 if interrupted else 0,
        "not_tried": 0, "interrupted": interrupted, "bytes": operations * 65536,
        "bandwidth_bytes_per_s": bandwidth,
        "latency_ns": {"max": found[-1][0], "buckets": found},
        "intervals": {"seconds": 0.1, "operations": [
            int(s * rng.uniform(0.7, 1.2)) for s in share]},
    }


def point(rng, args, nodes, ppn, vary, at):
    ranks = nodes * ppn
    iterations = []
    for i in range(args.repeats):
        phases = []
        for name, by_ppn, one in OPERATIONS[args.benchmark]:
            if args.names and name not in args.names.split(","):
                continue
            rate = one * (1 + 0.7 * at) * nodes ** 0.93 * ppn ** by_ppn
            rate *= rng.uniform(0.94, 1.06)
            bad = args.fail and ranks == args.most
            phases.append(phase(rng, args, name, rate, ranks, bad))
        iterations.append({"iteration": i, "phases": phases})
    state = "failed" if args.fail and ranks == args.most else "done"
    return {
        "tasks": ranks, "nodes": nodes, "ranks_per_node": ppn,
        "items_per_task": 1000, "repetitions": args.repeats,
        "iterations": iterations, "summary": [],
        "point": {"benchmark": args.benchmark, "vary": vary, "map": args.map,
                  "command": [args.benchmark], "repeats": args.repeats,
                  "state": state, "status": 0, "elapsed_s": 1.25},
    }


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--nodes", default="1,2,4")
    parser.add_argument("--ppn", default="1,2")
    parser.add_argument("--vary", default="")
    parser.add_argument("--map", default="grid")
    parser.add_argument("--benchmark", default="mdtest")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--samples", type=int, default=200)
    parser.add_argument("--label")
    parser.add_argument("--names")
    parser.add_argument("--fail", action="store_true")
    parser.add_argument("--cut", action="store_true")
    args = parser.parse_args()
    rng = random.Random(1)
    nodes = [int(n) for n in args.nodes.split(",")]
    ppns = [int(n) for n in args.ppn.split(",")]
    varies = args.vary.split(",") if args.vary else [None]
    args.most = max(nodes) * max(ppns)
    tests = [point(rng, args, n, p, v, at)
             for at, v in enumerate(varies) for p in ppns for n in nodes]
    if args.cut:
        del tests[-1]["point"]
    print(json.dumps({
        "schema": "treemark-result/1", "kind": "scale",
        "run": {"label": args.label},
        "scale": {"benchmark": args.benchmark, "mode": "weak",
                  "points": len(tests)},
        "tests": tests}))


main()
