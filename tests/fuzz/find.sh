#!/bin/bash
# tests/e2e/find-fuzz.sh by itself, whose lines are shown: many trees take
# longer than a test may.
#
#     SEED, CASES, TREES, NPS  as there; SEED may be empty
#     BUILD, MPIEXEC           as for tests/run.sh
set -eu

here=$(cd "$(dirname "$0")" && pwd)
memory=/dev/shm
[ -w "$memory" ] || memory=${TMPDIR:-/tmp}
TREEMARK_BIN=$(realpath "${BUILD:-build}")/bin
TEST_DIR=$(mktemp -d "$memory/treemark-fuzz.XXXXXX")
export TREEMARK_BIN TEST_DIR
trap 'rm -rf "$TEST_DIR"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

bash "$here/../e2e/find-fuzz.sh" </dev/null
