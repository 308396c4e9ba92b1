#!/bin/bash
# Command lines that ior has been called with for years, and the text that
# their readers know: header, rows, wide table, lines of the maxima.
set -eu
# shellcheck source=ior.bash
. "$(dirname "$0")/ior.bash"

# judge_rows: the rows of the last run stand in their columns, with so many
# digits as their readers expect.
judge_rows() {
    local line
    results >"$TEST_DIR/rows"
    if [ ! -s "$TEST_DIR/rows" ]; then
        bad_with_output "no row"
        return 0
    fi
    if line=$(grep -Evm 1 \
        '^(write|read |remove) {4,5}([^ ].{9} |   -       ){2}([^ ].{9}|   -      )  ([^ ].{9} |   -       ){6}[0-9][0-9 ]{3}$' \
        "$TEST_DIR/rows"); then
        bad "the columns of this row are elsewhere: '$line'"
    fi
    if line=$(awk '{
            for (i = 2; i <= 10; i++) {
                if ($i == "-" && $1 == "remove" && i < 10) continue
                want = $i < 1 ? 6 : $i < 3600 ? 2 : 0
                got = index($i, ".") ? length($i) - index($i, ".") : 0
                if (got != want && $i != "1.000000" && $i != "3600.00") {
                    print $i " in " $0
                    exit
                }
            }
        }' "$TEST_DIR/rows") && [ -n "$line" ]; then
        bad "digits of $line"
    fi
}

# judge_wide: each line of the last table is in the form of the original.
judge_wide() {
    local want line got
    want='Operation   Max(MiB)   Min(MiB)  Mean(MiB)     StdDev   Max(OPs)   Min(OPs)  Mean(OPs)     StdDev    Mean(s) Stonewall(s) Stonewall(MiB) Test# #Tasks tPN reps fPP reord reordoff reordrand seed segcnt   blksiz    xsize aggs(MiB)   API RefNum'
    got=$(grep '^Operation ' "$out" | sed 's/ *$//')
    expect_equal "heads of the wide table" "$want" "$got" || true
    awk '/^Operation / { on = 1; next } on && /^(write|read) / { print; next }
        { on = 0 }' "$out" >"$TEST_DIR/wide"
    if [ ! -s "$TEST_DIR/wide" ]; then
        bad_with_output "no line in the wide table"
    fi
    while IFS= read -r line; do
        want=$(awk '{
            row = sprintf("%-9s ", $1)
            for (i = 2; i <= 9; i++) row = row sprintf("%10.2f ", $i)
            row = row sprintf("%10.5f ", $10)
            row = row ($11 == "NA" ? sprintf("%10s ", $11) : sprintf("%10.2f ", $11))
            row = row ($12 == "NA" ? sprintf("%13s ", $12) : sprintf("%13.2f ", $12))
            row = row sprintf("%5d %6d %3d %4d %3d %5d %8d %9d %4d %6d %8d %8d ",
                $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24)
            print row sprintf("%9.1f %3s %6d", $25, $26, $27)
        }' <<<"$line")
        expect_equal "a line of the wide table" "$want" "${line%"${line##*[! ]}"}" ||
            true
    done <"$TEST_DIR/wide"
}

# judge_maxima: "Max Write" and "Max Read" are those of the rows.
judge_maxima() {
    local name label most line
    for name in write read; do
        most=$(results "$name" | awk '$2 > m { m = $2 } END { print m }')
        if [ "$name" = write ]; then label="Max Write: "; else label="Max Read:  "; fi
        line=$(grep "^${label% }" "$out" || true)
        if [ -z "$most" ]; then
            continue
        fi
        if ! grep -Eq "^${label}[0-9]+\.[0-9]{2} MiB/sec \([0-9]+\.[0-9]{2} MB/sec\)\$" \
            <<<"$line"; then
            bad_with_output "no line of '$label', but '$line'"
            continue
        fi
        close_to "$label in MiB/s" "$most" "$(awk '{ print $3 }' <<<"$line")" 0.1 ||
            true
        close_to "$label in MB/s" \
            "$(awk '{ printf "%.2f", $3 * 1.048576 }' <<<"$line")" \
            "$(awk '{ print $5 }' <<<"$line" | tr -d '(')" 0.1 || true
    done
}

# judge_numbers MIB OPERATIONS: rows by the definitions of section 4.
judge_numbers() {
    local name
    for name in $(results | awk '$1 != "remove" && !n[$1]++ { print $1 }'); do
        close_to "$name: bandwidth times total" "$1" \
            "$(awk -v b="$(result "$name" 2)" -v t="$(result "$name" 10)" \
                'BEGIN { print b * t }')" 2 || true
        close_to "$name: operations" "$2" "$(moved "$name")" 2 || true
        within "$name: total is no less than the transfers" 0 \
            "$(awk -v t="$(result "$name" 10)" 'BEGIN { print t + 2e-6 }')" \
            "$(result "$name" 8)" || true
    done
}

part "eight ranks on two nodes, as in 2015"
works 8 a:4,b:4 -vv -k -wwr -C -F -i4 -t 1m -b 1m -s 8 -o "$f"
expect_rows "write 0, read 0, write 1, read 1, write 2, read 2, write 3, read 3" ||
    true
judge_rows
judge_maxima
judge_wide
judge_numbers 64 64
verdict_last
expect_header access file-per-process || true
expect_header "ordering inter file" "constant task offset" || true
expect_header "task offset" 1 || true
expect_header nodes 2 || true
expect_header tasks 8 || true
expect_header "clients per node" 4 || true
expect_header repetitions 4 || true
expect_header xfersize "1 MiB" || true
expect_header blocksize "1 MiB" || true
expect_header segments 8 || true
expect_header "aggregate filesize" "64 MiB" || true
expect_header verbose 2 || true
for rank in 0 7; do
    says "^(ior: )?task $rank on [^ ]+\$" "the host of each task" || true
done
expect_equal "lines of hosts" 8 \
    "$(cat "$out" "$err" | grep -Ec '^(ior: )?task [0-7] on ')" || true
says '[Ss]tart time skew' "clock skew" || true
says '^(ior: )?Participating tasks *: *8' "tasks" || true
says '\bblock\b.*\bcyclic\b|\bblock\b.*(assign|mapping|placement)' \
    "the note of blocks" || true
expect_equal "signatures" 4 \
    "$(cat "$out" "$err" | grep -Ec \
        '^(ior: )?Using Time Stamp [0-9]+ \(0x[0-9a-f]+\) for Data Signature')" ||
    true
want=
for rank in 0 1 2 3 4 5 6 7; do
    want="${want}f f.0000000$rank"$'\n'
done
expect_equal "files" "$want" "$(tree_of "$base")"$'\n' || true
expect_equal "their sizes" 8388608 \
    "$(find "$base" -type f -printf '%s\n' | sort -u)" || true

part "a write and a read of one file, at 1, 2 and 4 ranks"
for round in 1 2 3; do
    np=$((1 << (round - 1)))
    works "$np" - -a POSIX -v -i 1 -d 0.2 -e -k -o "$f" -w -s 1 -t 16m -b 64m
    expect_rows "write 0" || true
    judge_rows
    judge_maxima
    if [ "$round" -gt 1 ]; then
        warned 'EMPTIED' "what was there was emptied, and nothing is said" || true
    else
        expect_no_line EMPTIED "nothing was there" || true
    fi
    expect_equal "size at $np" $((np * 67108864)) "$(stat -c %s "$f")" || true
    works "$np" - -a POSIX -v -i 1 -d 0.2 -e -k -o "$f" -r -s 1 -t 16m -b 64m
    expect_rows "read 0" || true
    judge_numbers $((np * 64)) $((np * 4))
    judge_rows
    judge_maxima
    expect_header access single-shared-file || true
    expect_equal "size at $np" $((np * 67108864)) "$(stat -c %s "$f")" || true
done

part "without -w and -r both are done, and nothing stays"
works 2 - -i 2 -t 64k -b 256k -s 2 -o "$f"
expect_rows "write 0, read 0, write 1, read 1" || true
judge_rows
judge_wide
judge_maxima
judge_numbers 1 16
verdict_last
expect_empty_dir "after the run" "$base" || true
for name in write read; do
    # Max, Min, Mean and deviation of two repetitions.
    results "$name" | awk -v max="$(wide $name 2)" -v min="$(wide $name 3)" \
        -v mean="$(wide $name 4)" -v dev="$(wide $name 5)" '
        { b[NR] = $2 }
        function off(got, want) {
            return got - want > 0.02 + want / 500 ||
                want - got > 0.02 + want / 500
        }
        END {
            high = b[1] > b[2] ? b[1] : b[2]
            low = b[1] + b[2] - high
            if (off(max, high) || off(min, low) ||
                off(mean, (high + low) / 2) ||
                (high - low) / 2 - dev > 2 + high / 400 ||
                dev - (high - low) / 2 > 2 + high / 400)
                print max, min, mean, dev " of " b[1] " and " b[2]
        }' >"$TEST_DIR/why"
    if [ -s "$TEST_DIR/why" ]; then
        bad "$name in the wide table: $(cat "$TEST_DIR/why")"
    fi
done
expect_equal "aggregate in the wide table" "1.0" "$(wide write 25)" || true
expect_equal "block and transfer" "262144 65536" \
    "$(wide write 23) $(wide write 24)" || true

# The block before the table: keys in order, padded to 20, and their values; the
# original has no line for the seed of the data.
sed -n '1,/^access  *bw/p' "$out" >"$TEST_DIR/head"
sed -E -e 's/^(IOR-4\.1\.0)[^:]*:/\1:/' -e 's/^(Began|Command line|Machine|StartTime|Path) *: .*/\1/' \
    -e 's/^FS  *: [0-9.]+ [TG]iB   Used FS: [0-9.]+%   Inodes: [0-9.]+ Mi   Used Inodes: [0-9.]+%$/FS/' \
    -e '/^WARNING/d' -e '/^data seed \(-G\) *: [0-9]/d' -e 's/^access  *bw.*/access/' "$TEST_DIR/head" >"$TEST_DIR/got"
cat >"$TEST_DIR/want" <<END
IOR-4.1.0: MPI Coordinated Test of Parallel I/O
Began
Command line
Machine
TestID              : 0
StartTime
Path
FS

Options: 
api                 : POSIX
apiVersion          : 
test filename       : $f
access              : single-shared-file
type                : independent
segments            : 2
ordering in a file  : sequential
ordering inter file : no tasks offsets
nodes               : 1
tasks               : 2
clients per node    : 2
memoryBuffer        : CPU
dataAccess          : CPU
GPUDirect           : 0
repetitions         : 2
xfersize            : 65536 bytes
blocksize           : 262144 bytes
aggregate filesize  : 1 MiB

Results: 

access
END
expect_same_file "the header" "$TEST_DIR/want" "$TEST_DIR/got" || true
expect_equal "Path" "$f" "$(header Path)" || true
case $(header "Command line") in
*ior*-i*2*-t*64k*) ;;
*) bad "Command line: $(header "Command line")" ;;
esac
expect_line '^access    bw\(MiB/s\)  IOPS       Latency\(s\)  block\(KiB\) xfer\(KiB\)  open\(s\)    wr/rd\(s\)   close\(s\)   total\(s\)   iter *$' \
    "heads of the rows" || true
expect_line '^------    ---------  ----       ----------  ---------- ---------  --------   --------   --------   --------   ---- *$' \
    "the line below" || true
expect_line '^Summary of all tests:$' "the title of the wide table" || true
expect_line '^Finished            : [A-Z][a-z]{2} [A-Z][a-z]{2} ' "the end" || true

part "names on their own, and the name that is given when none is"
works 1 - -w -k -t 4k -b 4k
expect_equal "file" "f testFile" "$(tree_of "$base")" || true
expect_rows "write 0" || true
expect_line '^write ' "a row" || true
works 2 - -a POSIX -F -w -k -o "$f" -t 1k -b 2k
expect_equal "Path with -F" "$f.00000000" "$(header Path)" || true
for size in 1M "1 MiB" 1mb 1048576; do
    works 1 - -a DUMMY -w -t "$size" -b "$size"
    expect_header xfersize "1 MiB" || true
done
works 1 - -a DUMMY -w -t 1MB -b 2MB
expect_header xfersize "1000000 bytes" || true
works 1 - -a DUMMY -w -t 1m -b 2000m -s 1
expect_header blocksize "1.95 GiB" || true

part "remove rows and delays at -v, and no more lines without"
works 1 - -v -i 2 -d 0.1 -t 4k -b 8k -o "$f"
expect_rows "write 0, read 0, remove 0, write 1, read 1, remove 1" || true
judge_rows
says '^(ior: )?delaying 0\.1 seconds' "delays are said at -v" || true
expect_header verbose 1 || true
start=$(date +%s%N)
works 1 - -w -r -d 0.4 -t 4k -b 8k -o "$f"
within "ms with two delays of 0.4 s" 800 2500 \
    "$((($(date +%s%N) - start) / 1000000))" || true
expect_no_line '^remove |^delaying' "without -v" || true
works 1 - -vvv -t 4k -b 8k -o "$f"
for regex in 'task 0 writing .*/f$' 'Commencing (read|write) performance test: ' \
    'Test 0: Iter=0, Task=0, Time=.*write open start' '^Parameters: ?$'; do
    says "$regex" "at -vvv" || true
done
expect_rows "write 0, read 0, remove 0" || true
# every transfer has its line with --trace, which other tests look at

part "help is said once and is no failure"
run 2 - --help
expect_status 0 || true
expect_equal "times that -b is explained" 1 "$(grep -Ec '^ *-b\b' "$out")" || true
works 1 - --version
finish
