#!/bin/bash
# How ior words what it says: options by the names that can be typed, numbers
# with the right plural, errors by what they are.
set -eu
# shellcheck source=ior.bash
. "$(dirname "$0")/ior.bash"
small=(-t 4k -b 8k)
script=$TEST_DIR/script

part "wearing out for nothing is said, and no error: the suite may ask for it"
works 1 - -O stoneWallingWearOut=1 -w -o "$f"
expect_line '^WARNING: --stoneWallingWearOut: has no effect without a deadline \(-D\) \(NO_EFFECT\)$' \
    "the note" || true

part "options have the dashes that they are typed with"
refuse 1 '^ior: --stoneWallingStatusFile: ' -O stoneWallingStatusFile=x -o "$f"
refuse 1 '^ior: -M and --memoryPerTask: ' -M 10% --memoryPerTask=1k -o "$f"
refuse 1 '^ior: -C and -Z: ' -C -Z -o "$f"
refuse 1 '^ior: --json and --csv: ' --json=- --csv=- -o "$f"
refuse 1 '^ior: -b and -s: ' -b 1p -s 1000000 -o "$f"
refuse 1 '^ior: --savePerOpDataCSV: ' --savePerOpDataCSV=no/x -o "$f"
refuse 1 '^ior: --summaryFile: ' --summaryFile=no/x -o "$f"
refuse 1 '^ior: --saveRankPerformanceDetailsCSV: ' \
    --saveRankPerformanceDetailsCSV=no/x -o "$f"
refuse 1 '^ior: -a DUMMY: -W: ' -a DUMMY -w -W -o "$f"
refuse 1 '^ior: -a DUMMY: -R: ' -a DUMMY -w -R -o "$f"

part "sizes that are no whole bytes"
refuse 1 "^ior: -b: '1.3k' is not a whole number of bytes: it is 1331.2$" \
    -b 1.3k -o "$f"
refuse 1 "^ior: -O: blockSize: '1.3k' .*: it is 1331.2$" -O blockSize=1.3k \
    -o "$f"
refuse 1 "^ior: -t: '0.5' is not a whole number of bytes: it is 0.5$" -t 0.5 \
    -o "$f"
refuse 1 "^ior: -t: '1.0005kB' .*: it is 1000.5$" -t 1.0005kB -o "$f"
refuse 1 "^ior: -M: '1.3k' .*: it is 1331.2$" -M 1.3k -o "$f"
refuse 1 "^ior: --total: '1.3k' .*: it is 1331.2$" --total=1.3k -o "$f"
for size in 1..3k .k 1.3x 1.3kk; do
    refuse 1 "^ior: -b: '$size' is not a size" -b $size -o "$f"
done

part "errors of a script say where"
printf 'IOR START\napi=POSIX\ntestFile=f\nRUN\n\nblockSize=1000\n%s\nRUN\n' \
    transferSize=300 >"$script"
refuse 2 "^ior: $script:8: test 1: -b: " -f "$script"
printf 'IOR START\ntestFile=f\nblockSize=1000\ntransferSize=300' >"$script"
refuse 2 "^ior: $script:4: test 0: -b: " -f "$script"
printf 'IOR START\ntestFile=f\nRUN\napi=DUMMY\ncheckRead=1\nRUN\n' >"$script"
refuse 2 "^ior: $script:6: test 1: -a DUMMY: -R: " -f "$script"
printf 'IOR START\ntestFile=f\nRUN\nblah=1\nRUN\n' >"$script"
refuse 2 "^ior: $script:4: blah: no such directive" -f "$script"

part "one is not many"
printf 'text\nIOR START\napi=DUMMY\nRUN\nIOR STOP\n' >"$script"
works 1 - -f "$script"
warned ': 1 line outside of IOR START and IOR STOP is not read'
printf 'text\nIOR START\napi=DUMMY\nRUN\nIOR STOP\nmore\n' >"$script"
works 1 - -f "$script"
warned ': 2 lines outside of IOR START and IOR STOP are not read'
works 1 - -a DUMMY --total=1m
says '--total: 1.0 MiB in 1 segment \(-s\)' || true
works 1 - -a DUMMY --total=2m
says '--total: 2.0 MiB in 2 segments \(-s\)' || true
works 1 - -a DUMMY --total=100k
says '--total: 1 segment \(-s\), ' || true
works 1 - -a DUMMY -N 2
warned '-N: there are no 2 tasks but 1, which takes part'

part "wrong data is called so, another error is not"
works 1 - -w -k -G 5 "${small[@]}" -o "$f"
flip "$f" 4099
run 1 - -r -R -k -G 5 "${small[@]}" -o "$f"
expect_status 1 || true
says "^ior: read: $f: data is not what was written \(EBADMSG\)" || true
expect_no_line 'Bad message' "wrong data" || true
run 1 - -a DUMMY -w -r "${small[@]}" -o "$f" --dummy.fail=read:1:EBADMSG
says 'Bad message \(EBADMSG\)' "an error of the system" || true

part "--debug is printed"
works 1 - -a DUMMY --debug='my words'
expect_line '^debug: my words$' "--debug" || true
works 1 - -a DUMMY --debug="$(printf 'a\tb')"
expect_line '^debug: a.b$' "--debug, quoted" || true

part "what only -C uses has no effect without it"
works 2 - -a DUMMY --numNodes=2
warned 'numNodes.*no effect.*NO_EFFECT'
works 2 - -a DUMMY -O numTasksOnNode0=1
warned 'numTasksOnNode0.*no effect.*NO_EFFECT'
works 2 - -C -F -w -r -O numTasksOnNode0=1 -o "$f" "${small[@]}"
expect_no_line 'NO_EFFECT' "with -C" || true
finish
