#!/bin/bash
# The README's snippets for Spack, ReFrame and JUBE are as those programs want
# them, and find in our results what they look for.
#
# ReFrame and Spack are stood in for by as much of them as a snippet touches;
# JUBE and jq are used where they are.
set -eu
# shellcheck source=lib.bash
. "$(dirname "$0")/lib.bash"
readme=${README:-$here/../../README.md}
d=$TEST_DIR/tree
bin=$TEST_DIR/bin
python=/usr/bin/python3

# The names that snippets start: whatever MPI the machine's own names are of.
mkdir "$bin"
ln -s "$TREEMARK_BIN/treemark" "$bin/treemark"
# shellcheck disable=SC2016
printf '#!/bin/sh\nexec %s "$@"\n' "$MPIEXEC" >"$bin/mpiexec"
chmod +x "$bin/mpiexec"
PATH=$bin:$PATH

# block TEXT: the block of the README that begins with a line that has it, or
# has it in its second line.
block() {
    awk -v text="$1" '
        /^```/ {
            if (inside && found) { printf "%s", block; exit }
            inside = !inside
            block = ""
            lines = found = 0
            next
        }
        inside {
            block = block $0 "\n"
            if (++lines <= 2 && index($0, text)) found = 1
        }' "$readme"
}

for name in package.py treemark_mdtest.py treemark.xml; do
    block "$name" >"$TEST_DIR/$name"
    [ -s "$TEST_DIR/$name" ] || bad "the README has no $name"
done
[ "$bad_count" -eq 0 ] || finish

title='a package for Spack'
mkdir -p "$TEST_DIR/spack"
cat >"$TEST_DIR/spack/package.py" <<'P'
"""What a package is made from: it notes what it is told."""
class MakefilePackage:
    build_targets, install_targets = [], ["install"]
told = []
def note(name):
    return lambda *args, **kwargs: told.append((name, args, kwargs))
version, variant, depends_on = map(note, ("version", "variant", "depends_on"))
P
"$python" - "$TEST_DIR" >"$TEST_DIR/goals" 2>"$err" <<'P' || bad "$(cat "$err")"
import os, runpy, sys
from types import SimpleNamespace
sys.path.insert(0, sys.argv[1])
made = runpy.run_path(sys.argv[1] + "/package.py")
import spack.package
needs = {args[0] for name, args, _ in spack.package.told
         if name == "depends_on"}
assert {"c", "pkgconfig", "mpi", "jansson", "liburing"} <= needs, needs

class Spec(dict):
    def satisfies(self, what):
        return what == self.uring

for uring in "+uring", "~uring":
    package = made["Treemark"]()
    package.prefix = "/opt/x"
    package.spec = Spec(mpi=SimpleNamespace(
        mpicc=os.environ.get("MPICC", "mpicc.mpich")))
    package.spec.uring = uring
    print(*package.build_targets)
    print(*package.install_targets)
P
# Nothing is made of it; a directory of its own leaves the build as it is.
expect_equal 'goals of make' 4 "$(wc -l <"$TEST_DIR/goals")" || true
while read -r -a goals; do
    last_run="make ${goals[*]}"
    if ! make -n -C "$here/../.." BUILD="$TEST_DIR/build" "${goals[@]}" \
        </dev/null >"$out" 2>"$err"; then
        bad_with_output 'make knows no such goal'
    fi
    for goal in "${goals[@]}"; do
        [[ $goal == *=* ]] || continue
        grep -Eq "^${goal%%=*} *[?:]?=|\\\$\(${goal%%=*}\)" "$here/../../Makefile" ||
            bad "make knows no ${goal%%=*}"
    done
done <"$TEST_DIR/goals"
grep -q "/opt/x/bin" "$out" || bad_with_output 'nothing goes below the prefix'

title='a test for ReFrame'
mkdir -p "$TEST_DIR/reframe/core" "$TEST_DIR/reframe/utility"
cat >"$TEST_DIR/reframe/__init__.py" <<'P'
"""The parts of ReFrame that a test touches, evaluated at once."""
class RunOnlyRegressionTest:
    pass
def simple_test(cls):
    return cls
P
cat >"$TEST_DIR/reframe/core/builtins.py" <<'P'
def parameter(values):
    return values[-1]
def run_before(stage):
    return lambda f: f
def sanity_function(f):
    return f
def performance_function(unit):
    assert unit == "op/s"
    return lambda f: f
P
cat >"$TEST_DIR/reframe/utility/sanity.py" <<'P'
from builtins import all
class SanityError(Exception):
    pass
def assert_true(x, msg=None):
    if not x:
        raise SanityError(msg)
    return True
def assert_eq(a, b, msg=None):
    return assert_true(a == b, msg)
P
cat >"$TEST_DIR/drive.py" <<'P'
import json, runpy, subprocess, sys
sys.path.insert(0, sys.argv[1])
test = runpy.run_path(sys.argv[1] + "/treemark_mdtest.py")["treemark_mdtest"]()
test.stagedir = sys.argv[1]
test.set_ranks()
status = subprocess.run(
    ["mpiexec", "-n", str(test.num_tasks), test.executable,
     *test.executable_opts, *sys.argv[2:]], cwd=test.stagedir,
    stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL).returncode
test.set_rates()
with open(test.stagedir + "/run.json", encoding="utf-8") as f:
    r = json.load(f)
assert r["mpi"]["ranks"] == test.num_tasks == 4
assert set(test.reference["*"]) <= set(test.perf_variables)
means = {s["name"]: s["mean"] for s in r["tests"][0]["summary"]
         if s["unit"] == "op/s"}
assert test.perf_variables["file_stat"] == means["File stat"] > 0
assert len(test.perf_variables) == 4
try:
    print(status, test.nothing_failed())
except sys.modules["reframe.utility.sanity"].SanityError as error:
    print(status, error)
with open(test.stagedir + "/run.json", "w", encoding="utf-8") as f:
    json.dump({**r, "verdict": None}, f) # as of a run that was killed
try:
    print(test.nothing_failed())
except sys.modules["reframe.utility.sanity"].SanityError as error:
    print(error)
P
reframe() { # ARGS...: further options of mdtest
    last_run="treemark_mdtest.py $*"
    rm -f "$TEST_DIR/run.json"
    "$python" -B "$TEST_DIR/drive.py" "$TEST_DIR" "$@" >"$out" 2>"$err" ||
        bad_with_output 'the test cannot be run'
}
reframe
expect_equal 'a sane run' '0 True' "$(head -n 1 "$out")" || true
expect_equal 'a run that was cut' 'the run was cut short' \
    "$(tail -n 1 "$out")" || true
reframe -a DUMMY --dummy.fail=stat:2:EIO
expect_line '^1 4 of [0-9]+ operations failed' 'a run with failures' || true
expect_gone 'the tree' "$d" || true

title='a benchmark for JUBE'
"$python" - "$TEST_DIR/treemark.xml" >"$TEST_DIR/do" 2>"$err" <<'P' ||
import sys
import xml.etree.ElementTree as ET
bench = ET.parse(sys.argv[1]).getroot().find("benchmark")
names = {p.get("name") for p in bench.iter("pattern")}
names |= {p.get("name") for p in bench.iter("parameter")}
columns = {c.text for c in bench.iter("column")}
assert columns <= names, columns - names
sets = {s.get("name") for s in bench if s.tag in ("parameterset", "patternset",
                                                  "analyser")}
used = {u.text for u in bench.iter("use")}
assert used == sets, (used, sets)
for p in bench.iter("pattern"):
    print("pattern", p.text.partition(":")[0])
for do in bench.iter("do"):
    print("do", do.text)
P
    bad "$(cat "$err")"
command=$(sed -n 's/^do \(jq .*\)/\1/p' "$TEST_DIR/do")
run 2 - -F -n 100 -d "$d" --json "$TEST_DIR/run.json"
if command -v jq >/dev/null; then
    (cd "$TEST_DIR" && bash -c "$command") || bad "jq: $command"
    sed -n 's/^pattern //p' "$TEST_DIR/do" | while read -r name; do
        grep -Eq "^$name: [0-9.]+$" "$TEST_DIR/rates.txt" ||
            bad "no rate of $name"
    done
    last_run='jq on a study'
    block 'mpiexec -n 64 treemark scale' >"$TEST_DIR/study"
    mpi 4 - "$TREEMARK_BIN/treemark" scale --json "$TEST_DIR/study.json" -- \
        mdtest -a DUMMY -F -n 10 >"$out" 2>"$err" || bad_with_output 'a study'
    (cd "$TEST_DIR" && sed -n '/^jq/,$p' study | bash -s) >"$out" 2>"$err" ||
        bad_with_output 'jq'
    expect_equal 'points' '1 1 1|1 2 2|1 4 4' \
        "$(cut -f 1-3 "$out" | tr '\t' ' ' | paste -sd '|')" || true
    expect_equal 'rates' 3 "$(cut -f 4 "$out" | grep -c '^[1-9]')" || true
fi
if command -v jq >/dev/null && command -v jube >/dev/null; then
    last_run='jube run treemark.xml'
    mkdir "$TEST_DIR/jube"
    cp "$TEST_DIR/treemark.xml" "$TEST_DIR/jube"
    cd "$TEST_DIR/jube"
    jube run treemark.xml </dev/null >"$out" 2>"$err" ||
        bad_with_output 'jube run'
    jube result treemark_jube -a </dev/null >"$out" 2>"$err" ||
        bad_with_output 'jube result'
    expect_equal 'rows of the table' '1 2 4' "$(sed -nE \
        's/^\|? *([124]) *(\| *[0-9]+\.[0-9] *){3}\|?$/\1/p' "$out" |
        paste -sd ' ')" || bad_with_output 'the table'
    # A run that fails ends its step.
    sed 's/-d tree</-d tree -a DUMMY --dummy.fail=stat:2:EIO</' \
        ../treemark.xml >treemark.xml
    jube run treemark.xml </dev/null >"$out" 2>"$err" || true
    grep -Eq 'run \| +3 \| +0 \| +0 \| +3 \|' "$out" ||
        bad_with_output 'failed operations are no error to JUBE'
fi
finish
