#!/bin/bash
# Every call fails on each of 64 ranks: a few lines say so, not thousands.
set -eu
# shellcheck source=lib.bash
. "$(dirname "$0")/lib.bash"
d=$TEST_DIR/D

run 64 - -a DUMMY -d "$d" -n 5 --dummy.fail-every=create:1:EACCES \
    --dummy.fail-every=mkdir:1:EACCES --dummy.fail-every=stat:1:EACCES \
    --dummy.fail-every=open:1:EACCES --dummy.fail-every=unlink:1:EACCES \
    --dummy.fail-every=rmdir:1:EACCES --dummy.fail-every=rename:1:EACCES
expect_status_in "1 2" || true
lines=$(cat "$out" "$err" | grep -Evc '^ +failed |^[ ]{3}[A-Z-]|^$|^--|^mdtest-|^Command|^Nodemap|^Path|^FS|tasks,|^SUMMARY' || true)
if [ "$lines" -gt 20 ]; then
    bad_with_output "expected at most 20 lines about failures, got $lines"
fi
run 64 - -a DUMMY -F -T -n 5 -d "$d" --dummy.fail-every=stat:1:EACCES
expect_status 1 || true
expect_failed "File stat" "320 of 320 (EACCES 320)" || true
if [ "$(complaints)" -gt 40 ]; then
    bad_with_output "every stat fails: $(complaints) lines of output"
fi
expect_gone "DUMMY makes nothing" "$d" || true
finish
