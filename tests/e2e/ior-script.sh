#!/bin/bash
# Scripts of tests (-f), lists of directives (-O), and the grammar of words.
set -eu
# shellcheck source=ior.bash
. "$(dirname "$0")/ior.bash"
script=$TEST_DIR/script

# script LINES: what -f is given.
write_script() {
    printf '%s\n' "$@" >"$script"
}

# header_of TEST KEY: of one of several tests.
header_of() {
    awk -v test="$1" -v key="$2" '
        /^TestID *: / { at = $NF }
        at == test && index($0, key) == 1 && substr($0, 21, 2) == ": " {
            print substr($0, 23)
            exit
        }' "$out"
}

expect_test() { # TEST KEY WANT
    expect_equal "$2 of test $1" "$3" "$(header_of "$1" "$2")" || true
}

tests() { # WANT
    expect_equal "tests" "$1" "$(grep -c '^TestID *: ' "$out")" || true
}

# refuse_script LINE: one line that names file and line.
refuse_script() {
    refuse 2 "${script}[^0-9]*\\b$1\\b" -f "$script"
}

part "the example of the manual"
write_script "here is what is skipped" "IOR START" "  api=POSIX                # comment" \
    "  testFile=$f, filePerProc=1" "  transferSize=64k" "  blockSize=256k" \
    "  segmentCount=2" "  fsync=1" "  reorderTasks=1" "RUN" \
    "  filePerProc=0            # second test: same but shared file" "RUN" \
    "  api=MPIIO" "  collective=1" "  --mpiio.showHints=1" "RUN" "IOR STOP"
works 4 a:2,b:2 -f "$script"
tests 3
for test in 0 1 2; do
    expect_test $test xfersize "65536 bytes"
    expect_test $test "ordering inter file" "constant task offset"
done
expect_test 0 access file-per-process
expect_test 1 access single-shared-file
expect_test 1 api POSIX
expect_test 2 api MPIIO
expect_test 2 type collective
expect_rows "write 0, read 0, write 0, read 0, write 0, read 0" || true
expect_equal "lines of the wide table" 6 "$(awk '/^Operation / { on = 1; next }
    on && /^(write|read) / { n++ } END { print n + 0 }' "$out")" || true
expect_equal "Test# in the wide table" "0 0 1 1 2 2" "$(awk '
    /^Operation / { on = 1; next } on && /^(write|read) / { print $13 }' "$out" |
    sort -n | xargs)" || true
expect_empty_dir "after it" "$base" || true
verdict_last

part "settings go on, RUN again repeats, and what follows the last RUN is run"
write_script "ior start" "API=dummy" "TESTFILE = $f" "# a comment" "" \
    "	transfersize=4k,blocksize=8k # and another, with a comma" \
    "writeFile=1" "RUN" "RUN" "repetitions=2" "run" "segmentCount=3" "ior stop" \
    "after it"
works 1 - -f "$script"
tests 4
expect_rows "write 0, write 0, write 0, write 1, write 0, write 1" || true
expect_test 1 blocksize "8192 bytes"
expect_test 2 repetitions 2
expect_test 3 segments 3
expect_test 3 repetitions 2
says '(WARNING|ignored).*(after|IOR STOP|line 13)|\b13\b' \
    "that text is ignored" || true
part "a script without RUN runs one test"
write_script "IOR START" "api=DUMMY" "testFile=$f" "writeFile=1" "IOR STOP"
works 1 - -f "$script"
tests 1
expect_rows "write 0" || true
part "one without STOP ends at its end"
write_script "IOR START" "api=DUMMY" "testFile=$f" "RUN"
works 1 - -f "$script"
expect_rows "write 0, read 0" || true

part "options of the command line are where it begins, wherever they stand"
write_script "IOR START" "api=DUMMY" "segmentCount=2" "RUN" "blockSize=12k" "RUN" \
    "IOR STOP"
works 1 - -t 4k -f "$script" -b 8k -o "$f" -w -s 9
tests 2
for test in 0 1; do
    expect_test $test xfersize "4096 bytes"
    expect_test $test segments 2
done
expect_test 0 blocksize "8192 bytes"
expect_test 1 blocksize "12288 bytes"

part "options with their dashes, and all names of the table"
write_script "IOR START" "-a=DUMMY" "-o=$f" "-t=8k" "-b=16k" "-w=1" "-C=1" "-l=offset" \
    "--posix.odirect=0" "RUN" \
    "refNum=7, collective=0, reorderTasksConstant=1, interTestDelay=0" \
    "deadlineForStonewalling=5, fsync=1, useExistingTestFile=1, intraTestBarriers=1" \
    "setTimeStampSignature=12, outlierThreshold=9, keepFile=1, keepFileWithError=1" \
    "dataPacketType=incompressible, multiFile=1, taskPerNodeOffset=2" \
    "singleXferAttempt=1, reorderTasksRandomSeed=3, fsyncPerWrite=1" \
    "uniqueDir=0, maxTimeDuration=60, checkWrite=0, checkRead=0, verbose=0" \
    "numTasks=-1, warningAsErrors=0, filePerProc=1" \
    "stoneWallingWearOut=1, interIODelay=0, memoryPerTask=64k" "RUN" "IOR STOP"
works 2 - -f "$script"
tests 2
expect_test 0 api DUMMY
expect_test 0 xfersize "8192 bytes"
expect_test 0 "ordering inter file" "constant task offset"
expect_test 1 access file-per-process
expect_equal "refNum in the wide table" 7 "$(awk '
    /^Operation / { on = 1; next } on && /^write / && $13 == 1 { print $27 }' \
    "$out")" || true

part "tests with fewer tasks"
write_script "IOR START" "api=DUMMY" "testFile=$f" "numTasks=2" "RUN" "numTasks=-1" \
    "RUN" "numTasks=0" "RUN"
works 4 - -f "$script"
expect_test 0 tasks 2
expect_test 1 tasks 4
expect_test 2 tasks 4

part "names of the tutorial"
write_script "IOR START" "api=DUMMY" "testFile=$f" "filePerProcess=1" "RUN"
works 2 - -f "$script"
expect_test 0 access file-per-process

part "a wrong line is told with file and line, before anything runs"
write_script "IOR START" "testFile=$f" "RUN" "nonsense=1" "RUN" "IOR STOP"
refuse_script 4
write_script "IOR START" "testFile=$f" "transferSize=abc" "RUN"
refuse_script 3
write_script "IOR START" "testFile=$f" "blockSize=4k, segmentCount=-1" "RUN"
refuse_script 3
write_script "IOR START" "" "# nothing" "testFile" "RUN"
refuse_script 4
write_script "IOR START" "testFile=$f" "api=NONSUCH" "RUN"
refuse_script 3
write_script "IOR START" "testFile=$f" "repetitions=2x" "RUN"
refuse_script 3
part "so is a test that cannot be, although the one before it can"
write_script "IOR START" "testFile=$f" "transferSize=4k" "blockSize=8k" "RUN" \
    "transferSize=3k" "RUN" "IOR STOP"
refuse 2 "-t|transferSize" -f "$script"
part "no START, no script"
write_script "testFile=$f" "RUN"
refuse 2 "IOR START" -f "$script"
: >"$script"
refuse 2 "IOR START" -f "$script"
refuse 2 "$TEST_DIR/nothing.*No such file" -f "$TEST_DIR/nothing"
refuse 2 "$base" -f "$base"
head -c 4000 /dev/urandom >"$script"
run 2 - -f "$script"
expect_status 2 "a script of noise" || true

part "retired names say what became of them"
for key in hintsFileName=x quitOnError=0 preallocate=0 useFileView=0 \
    useStridedDatatype=0 useSharedFilePointer=0 showHints=0 showHelp=0; do
    write_script "IOR START" "api=DUMMY" "testFile=$f" "writeFile=1" "$key" "RUN"
    run 1 - -f "$script"
    expect_status_in "0 2" "$key" || true
    if [ "$status" -eq 2 ]; then
        says "${script}[^0-9]*5\\b.*${key%=*}|${key%=*}" "$key" || true
    fi
done

# --- -O ----------------------------------------------------------------------

part "lists of directives, in their turn among options"
works 1 - -a DUMMY -w -t 4k -O "blockSize=8k,segmentCount=3" -o "$f"
expect_header blocksize "8192 bytes" || true
expect_header segments 3 || true
works 1 - -a DUMMY -w -t 4k -s 5 -O segmentCount=3 -b 8k -o "$f"
expect_header segments 3 || true
works 1 - -a DUMMY -w -t 4k -O segmentCount=3 -s 5 -b 8k -o "$f"
expect_header segments 5 || true
works 1 - -a DUMMY -w -OsegmentCount=3 -t4k -b8k "-o$f"
expect_header segments 3 || true
works 1 - -a DUMMY -w -O "SEGMENTCOUNT=3, blocksize=8k" -O --random-offset-seed=7 \
    -t 4k -o "$f"
expect_header segments 3 || true
works 1 - -w -k -O useO_DIRECT=0 -O "testFile=$f" -t 4k -b 4k
expect_equal "file" "f f" "$(tree_of "$base")" || true

part "values with blanks and commas are quoted"
works 1 - -w -k -t 4k -b 4k -O "testFile=\"$base/a b,c\""
expect_equal "file" "f a b,c" "$(tree_of "$base")" || true
rm -f "$base"/*
write_script "IOR START" "testFile=\"$base/d e,f#g\", keepFile=1 # that was a name" \
    "transferSize=4k" "blockSize=4k" "RUN"
works 1 - -f "$script"
expect_equal "file" "f d e,f#g" "$(tree_of "$base")" || true
rm -f "$base"/*
works 1 - -w -k -t 4k -b 4k -o "$base/h i,j"
expect_equal "file, by -o" "f h i,j" "$(tree_of "$base")" || true

part "directives that cannot be"
for piece in nonsense=1 segmentCount segmentCount=x summaryFormat=XML \
    dataPacketType=q api=NONSUCH allocateBufferOnGPU=1 "testFile=\"x" =3; do
    refuse 2 '-O|=|nonsense|segmentCount|NONSUCH' -O "$piece" -w -o "$f"
done
refuse 2 '--posix.nonsense' -O --posix.nonsense=1 -w -o "$f"
run 1 - -a DUMMY -w -O "segmentCount=3," -o "$f" -t 4k -b 4k
expect_status_in "0 2" "a list that ends in a comma" || true

# --- words -------------------------------------------------------------------

part "all spellings of options"
for words in "-t 4k" "-t=4k" "-t4k" "-t4K" "-t 4096"; do
    read -ra given <<<"$words"
    works 1 - -a DUMMY -w "${given[@]}" -b=8k -o "$f"
    expect_header xfersize "4096 bytes" || true
done
works 1 - -t4k -b4K -w -r -s 2 -o "$f"
expect_empty_dir "-t4k is no -k" "$base" || true
works 1 - -t1m -b1m -w -k -o "$f"
expect_equal "-t1m is no -m" "f f" "$(tree_of "$base")" || true
rm -f "$f"
works 2 - -wrF -i2 -t 4k -b 8k -s2 -vv -o "$f"
expect_rows "write 0, read 0, remove 0, write 1, read 1, remove 1" || true
for words in "-w=1" "-ww" "-w -w" "--writeFile=1"; do
    read -ra given <<<"$words"
    if [ "${given[0]}" = --writeFile=1 ]; then
        given=(-O writeFile=1)
    fi
    works 1 - -a DUMMY "${given[@]}" -t 4k -b 4k -o "$f"
    expect_rows "write 0" || true
done
works 1 - -a DUMMY -w -r=0 -t 4k -b 4k -o "$f"
expect_rows "write 0" || true
works 1 - -a DUMMY -w=0 -r -t 4k -b 4k -o "$f"
expect_rows "read 0" || true
works 1 - -a posix -wwr -R -t 4k -b 4k -o "$f"
expect_rows "write 0, read 0" || true
# The word after an option that takes a value is that, even with a dash.
works 1 - -w -k -t 1k -b 1k -G -7 -o "$f"
expect_equal "signature" "fffffffffffffff9" "$(word "$f" 0)" || true
works 1 - -w -E -k -t 1k -b 1k -G -7 -G=-8 -o "$f"
expect_equal "the last one counts" "fffffffffffffff8" "$(word "$f" 0)" || true
works 1 - --dataPacketType=offset -w -E -k -t 1k -b 1k -G 5 -o "$f"
expect_equal "a long option" 0 "$(word "$f" 0)" || true
works 1 - -w -E -k -t 1k -b 1k -G 5 -l timestamp -O dataPacketType=offset -o "$f"
run 1 - -w -E -k -t 1k -b 1k -B -H -V -p -q -U /dev/null -o "$f" -a DUMMY
expect_status_in "0 2" "letters of the past" || true
within "lines" 1 100 "$(complaints)" || true
works 2 - -w -k -E -t 1k -b 1k -U /dev/null -a MPIIO -o "$f"
part "results of each test have its number, its file and its own options"
write_script "IOR START" "api=DUMMY" "testFile=$f.0" "transferSize=4k" \
    "blockSize=8k" "writeFile=1" "RUN" "testFile=$f.1" "blockSize=16k" \
    "segmentCount=3" "api=POSIX" "--posix.odirect=0" "RUN" "IOR STOP"
works 2 - -f "$script" --json "$json" --csv "$TEST_DIR/run.csv"
expect_json "$json" '[t["test"] for t in r["tests"]]' '[0, 1]'
expect_json "$json" '[t["path"].rsplit("/", 1)[1] for t in r["tests"]], r["filesystem"]["path"][-4:]' \
    '[["f.0", "f.1"], "/f.0"]'
expect_json "$json" '[[t["options"][k] for k in ("api", "blockSize", "segmentCount")] for t in r["tests"]]' \
    '[["DUMMY", 8192, 1], ["POSIX", 16384, 3]]'
expect_json "$json" 'r["options"] == r["tests"][0]["options"]' true
expect_json "$json" '[t["items_per_task"] for t in r["tests"]]' '[2, 12]'
expect_equal "rows of CSV" "0 $f.0 DUMMY 8192 1, 1 $f.1 POSIX 16384 3" \
    "$(/usr/bin/python3 - "$TEST_DIR/run.csv" <<'P'
import csv, sys

with open(sys.argv[1], newline="", encoding="utf-8") as f:
    print(", ".join(" ".join(row[k] for k in (
        "test", "path", "opt_api", "opt_blockSize", "opt_segmentCount"))
        for row in csv.DictReader(f)))
P
    )" || true
finish
