#!/bin/bash
# treemark explain: a command line in words, without MPI; what it says of paths
# and of ranks is what the plan of mdtest says.
set -eu
# shellcheck source=lib.bash
. "$(dirname "$0")/lib.bash"
text=$TEST_DIR/text # the last output, on one line

# explain WANT_STATUS ARGS...: sets status, out, err and text.
explain() {
    local want=$1
    shift
    last_run="treemark explain $*"
    status=0
    timeout -k 5 60 "$TREEMARK_BIN/treemark" explain "$@" \
        </dev/null >"$out" 2>"$err" || status=$?
    expect_status "$want" || true
    tr '\n' ' ' <"$out" | tr -s ' ' >"$text"
}

# says WORDS: somewhere in the text, wherever its lines end.
says() {
    grep -qF -- "$1" "$text" || bad_with_output "it does not say: $1"
}

says_not() {
    ! grep -qF -- "$1" "$text" || bad_with_output "it says: $1"
}

# refused WHY ARGS...: one line, status 2, nothing else.
refused() {
    local why=$1
    shift
    explain 2 "$@"
    expect_equal "output" "" "$(cat "$out")" || true
    expect_equal "complaint" "treemark explain: $why" "$(cat "$err")" || true
}

title='a stride of a whole turn'
explain 0 'mpirun -np 16 --hostfile x mdtest -n 16000 -i 3 -p 10 -F -u -N 2' \
    --nodes 2
says 'mdtest on 16 ranks: 2 nodes of 8, ranks placed in blocks'
says 'There are 3 iterations'
says 'The stride is 16 ranks. That is a whole turn of the 16 ranks'
says 'stat: -N 1 would make that 100%'
says 'for 100% it takes 4 equal ones'
says 'mdtest 1.9 counted ranks: there the stride is 2'
says 'In 4.1 only rank 0 sleeps'
says 'No byte is read (no -e)'
says_not 'Directory'

title='the same line in words, and numbers from elsewhere'
explain 0 --nodes 2 'mpirun -np 16 mdtest -n 16000 -F -u -N 2'
cp "$out" "$TEST_DIR/quoted"
explain 0 --nodes=2 mpirun -np 16 mdtest -n 16000 -F -u -N 2
cmp -s "$out" "$TEST_DIR/quoted" || bad "words and a line differ"
explain 0 'srun -N2 -n16 ./mdtest-4.1 -n 16000 -F -u -N 2'
cmp -s "$out" "$TEST_DIR/quoted" || bad "srun and mpirun differ"
explain 0 mdtest -n 16000 -F -u -N 2 --dry-run --nodes 2 --ppn 8
cmp -s "$out" "$TEST_DIR/quoted" || bad "--nodes of mdtest does not count"
explain 0 'mpirun -np 4 mdtest -n 5'
says 'does not say on how many nodes: one is assumed'
explain 0 mdtest -n 5
says 'does not say how many ranks there are: one is assumed'
explain 0 'mdtest -n 5 >x 2>&1'
says "Not read: '>x 2>&1'"

# The table of --dry-run and that of explain are of the same ranks.
title='who visits whose'
args=(-n 8 -z 1 -b 3 -N 1 -F -e 1 -w 1)
explain 0 mdtest "${args[@]}" --dry-run --nodes 4 --ppn 2
awk '/^ *[0-9]+ \([0-9]+\)/ { print "stat", $1, $3; print "read", $1, $5
    print "removal", $1, $7 }' "$out" | sort >"$TEST_DIR/table"
last_run="mdtest ${args[*]} --dry-run"
"$mdtest" "${args[@]}" --dry-run --nodes 4 --ppn 2 -d "$TEST_DIR/D" \
    </dev/null 2>"$err" | awk '/^   File/ { phase = $2 }
    / works on what rank / { print phase, $2, $10 }' | sort >"$TEST_DIR/plan"
expect_equal "rows of the plan" 24 "$(wc -l <"$TEST_DIR/plan")" || true
diff "$TEST_DIR/plan" "$TEST_DIR/table" || bad "the tables differ"

title='trees, kinds and odd flags'
explain 0 --nodes 2 --ppn 2 'mdtest -i 20 -b 2 -I 80 -z 5 -R5 -t -g -a HDF5 -w1k'
says 'one tree (no -u) of 63 directories, 32 of them leaves'
says 'Each rank has 5040 directories, and then 5040 files: 80 in each directory'
says '-a HDF5: a storage API that is not available here'
says '-g: not available here'
says '-R with a number: the seed'
says '4.1 takes the letter for the option -k'
says '-t: changes nothing'
says 'There is no -N: in each phase every rank works on its own items'
explain 0 --nodes 2 --ppn 2 mdtest -n 4 -F -S -N 1
says 'the first to come makes a file, the others only open it'
says 'Rank 0 removes all of them alone (-S)'
explain 0 --nodes 2 --ppn 2 mdtest -n 4 -F -c -T
says 'This launch creates nothing'
explain 0 --nodes 2 --ppn 2 mdtest -n 4 -F -B
says '-B: a flag, as in 1.9'
explain 0 --nodes 1 --ppn 4 mdtest -n 4 -N node --drop-caches
says '--drop-caches runs on every node before each phase'

title='ior'
explain 0 'mpirun -n 64 ior -t 1m -b 16m -s 16 -F -C -e -o /d/f' --nodes 4
says 'that of rank 0 is /d/f.00000000'
says 'All 64 ranks together: 16.0 GiB'
says 'rank 0 that of rank 16. 100% of the ranks meet data of another node'
says 'the time includes fsync (-e)'
says 'Every rank removes the file that it wrote (no -k)'
explain 0 'ior -C -Q 2 -w -r -k -o /d/f' --nodes 2 --ppn 2
says 'Of 2 nodes that leads back to the node itself'
says 'all data is read on the node that wrote it'
says 'byte (s * 4 + r) * 1048576'
says_not 'removes the file'
explain 0 'ior -C -r -G 1 -O lustreStripeCount=4 -n -B -U x' --nodes 1 --ppn 2
says 'there is one node: every rank reads what it wrote itself'
says '-O lustreStripeCount=4: not available here'
says '-n: not available here (the number of tasks is -N)'
says '-B: retired; the same as --posix.odirect here'
says '-U: retired; the same as --mpiio.hintsFileName here'
says 'transfers go around the node'
says '4.1 removes it after reading'
# Only the engine that it is of goes around the cache.
explain 0 'ior -a MPIIO -B -w -r' --nodes 2 --ppn 2
says_not 'transfers go around'
explain 0 'ior -a URING --uring.odirect -w -r' --nodes 2 --ppn 2
says 'transfers go around the node'
explain 0 './IOR -vv -k -wwr -C -F -i4 -t 1m -b 1m -s 20480 -o f' \
    --nodes 2 --ppn 4
says 'All 8 ranks together: 160.0 GiB'
says 'given twice counts once'
explain 0 'ior -z -z -r -W -w' --nodes 2 --ppn 2
says 'blocks repeat, and some are never met'
explain 0 'ior -Z -w -r -N 3' --nodes 2 --ppn 2
says 'Of them the first 3 take part (-N)'

title='a script of ior'
cat >"$TEST_DIR/x.ior" <<'T'
IOR START
  api=POSIX
  testFile=/scratch/x, filePerProc=1
  transferSize=1m
  blockSize=16m
  reorderTasks=1
RUN
  filePerProc=0
  --posix.odirect=1
RUN
IOR STOP
T
explain 0 --nodes 2 --ppn 2 "ior -f $TEST_DIR/x.ior"
says 'Test 0 of the script'
says 'that of rank 0 is /scratch/x.00000000'
says 'Test 1 of the script'
says 'All 4 ranks share one file (no -F): /scratch/x'
expect_equal "tests that go around the cache" 1 \
    "$(tr '\n' ' ' <"$out" | tr -s ' ' |
        grep -o 'read: transfers go around' | wc -l)" || true
echo 'IOR START
wrong=1
IOR STOP' >"$TEST_DIR/bad.ior"
explain 2 ior -f "$TEST_DIR/bad.ior"
grep -q "bad.ior:2: " "$err" || bad_with_output "the line is not named"
expect_equal "output" "" "$(cat "$out")" || true

title='lines that cannot be read'
refused 'no command line of mdtest or ior is given'
refused "'ls' starts neither mdtest nor ior" ls -l
refused 'a quote is not closed' "mdtest -d 'x"
refused '--foo: no such option' mdtest --foo
refused "stray word 'x': there are no positional arguments" mdtest -n 1 x
refused "-n: 'abc' is not a whole number (10, 4k and 2m are)" mdtest -n abc
refused 'nothing to do: give the items per task (-n) or per directory (-I)' \
    mdtest
refused "-a: 'nope' is no storage API that is known" mdtest -n 1 -a nope
refused "-np: 'x' is no number of ranks" mpirun -np x mdtest -n 1
refused '3 nodes are more than the 2 ranks' --nodes 3 mpirun -n 2 mdtest -n 1
refused '-f, -l: no scan from 1 to 5 tasks on 2 ranks' \
    mpirun -n 2 mdtest -n 1 -l 5
refused "-f $TEST_DIR: Is a directory" ior -f "$TEST_DIR"
refused "-f $TEST_DIR/none: No such file or directory" ior -f "$TEST_DIR/none"
refused "'--help' asks for no run" mdtest --help
refused '--nodes: 0 is too small (1 is the least)' --nodes 0 mdtest -n 1
refused "--ppn: value missing (--ppn M)" --ppn
refused "stray word 'x': there are no positional arguments" 'mdtest -n 1' x
refused '-C and -Z: a task reads what either a fixed or a random one wrote: leave one out' \
    ior -C -Z

finish
