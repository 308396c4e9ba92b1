#!/bin/bash
# Who reads and writes what, and in which order: offsets, shifts to other
# nodes, random tasks and random offsets, with the original's where --as asks
# for them.
set -eu
# shellcheck source=ior.bash
. "$(dirname "$0")/ior.bash"
as=--as=ior-4.1

# expect_offsets RANK CALL WANT [PATH_REGEX]
expect_offsets() {
    expect_equal "$2 of rank $1" "$3" "$(offsets "$1" "$2" "${4:-.}")" || true
}

# all_once CALL FIRST STEP N NP: the ranks' transfers are N places, each once.
all_once() {
    local rank
    for ((rank = 0; rank < $5; rank++)); do
        offsets "$rank" "$1"
    done | tr ' ' '\n' | sort -n >"$TEST_DIR/got"
    seq "$2" "$3" $(($2 + $3 * ($4 - 1))) >"$TEST_DIR/want"
    expect_same_file "places of $1" "$TEST_DIR/want" "$TEST_DIR/got" || true
}

# sorted WORDS: are they in order?
sorted() {
    [ "$(tr ' ' '\n' <<<"$*")" = "$(tr ' ' '\n' <<<"$*" | sort -n)" ]
}

if [[ $MPIEXEC != *mpich* ]]; then
    skip "needs Hydra's -hosts"
fi

# --- in order --------------------------------------------------------------------

part "offsets of a shared file"
works 2 - -w -r -k -t 8k -b 16k -s 2 -o "$f" --trace="$trace"
for call in write read; do
    expect_offsets 0 $call "0 8192 32768 40960"
    expect_offsets 1 $call "16384 24576 49152 57344"
done
warned TRACED || true
part "offsets of one file per task"
works 2 - -F -w -r -k -t 8k -b 16k -s 2 -o "$f" --trace="$trace"
for rank in 0 1; do
    expect_offsets $rank write "0 8192 16384 24576" "f.0000000$rank"
    expect_offsets $rank read "0 8192 16384 24576" "f.0000000$rank"
done

part "the calls of the original"
works 2 - $as -w -r -e -t 8k -b 16k -s 2 -o "$f" --trace="$trace"
for rank in 0 1; do
    grep -F "$f" "$trace.$rank" | awk '
        $1 ~ /^open/ { print ($2 ~ /CREAT/) ? "create" : "open"; next }
        $1 ~ /^(lseek|write|read|fsync|close|unlink)$/ { print $1; next }
        $1 ~ /stat$|^statx$/ { print "stat"; next }' | uniq -c |
        awk '{ printf "%s%s%s", sep, $2, ($1 > 1) ? "*" $1 : ""; sep = " " }
            END { print "" }' >"$TEST_DIR/got"
    pairs="lseek write lseek write lseek write lseek write"
    want="create $pairs fsync close stat open ${pairs//write/read} close stat"
    # Before the first call of the run it looks for what is there.
    got=$(sed -E -e 's/^stat(\*[0-9]+)? create/create/' <"$TEST_DIR/got")
    case $rank:$got in
    "0:$want unlink" | "0:$want stat unlink" | "1:$want") ;;
    *) bad "calls of rank $rank: expected $want, got $got" ;;
    esac
done
expect_offsets 1 write "16384 24576 49152 57344"

part "a limit of transfers"
works 2 - -w -k -O stoneWallingWearOutIterations=3 -t 1k -b 2k -s 3 -o "$f" \
    --trace="$trace"
expect_offsets 0 write "0 1024 4096"
expect_offsets 1 write "2048 3072 6144"

# --- other tasks' data -----------------------------------------------------------

part "mappings on nodes that are made up"
export IOR_FAKE_TASK_PER_NODES=1
works 3 - -F -C -w -r -k -t 1k -b 1k -o "$f" --trace="$trace"
expect_sources 1 2 0
says 'IOR_FAKE_TASK_PER_NODES|[Ff]ake|^Nodes as they were asked for' \
    "the notice" || true
works 3 - -F -C -Q 2 -r -k -t 1k -b 1k -o "$f" --trace="$trace"
expect_sources 2 0 1
works 3 - $as -F -C -r -k -t 1k -b 1k -o "$f" --trace="$trace"
expect_sources 1 2 0
unset IOR_FAKE_TASK_PER_NODES
export IOR_FAKE_NODES=3
works 3 - $as -F -Z -X 5 -r -k -t 1k -b 1k -o "$f" --trace="$trace"
expect_sources 1 2 1
works 3 - $as -F -Z -Z -X 5 -r -k -t 1k -b 1k -o "$f" --trace="$trace"
expect_sources 1 2 0
# A negative seed is that plus the number of the repetition.
works 3 - $as -F -Z -X -5 -r -k -t 1k -b 1k -o "$f" --trace="$trace"
expect_sources 1 2 1
works 3 - -F -Z -Z -X 5 -r -k -t 1k -b 1k -o "$f" --trace="$trace"
expect_equal "all files, by -Z -Z" "0 1 2" \
    "$(for rank in 0 1 2; do sources $rank; done | sed 's/.*\.0*\([0-9]\)/\1/' |
        sort | tr '\n' ' ' | sed 's/ $//')" || true
# Too few tasks for the distance: this must end.
run 3 - $as -N 1 -F -Z -X 5 -r -k -t 1k -b 1k -o "$f"
expect_status_in "0 2" || true
unset IOR_FAKE_NODES

part "three nodes of two, and -W with -C"
works 6 a:2,b:2,c:2 -F -C -w -W -r -k -t 1k -b 1k -o "$f" --trace="$trace"
expect_sources "4 2" "5 3" "0 4" "1 5" "2 0" "3 1"
works 6 a:2,b:2,c:2 -C -r -k -t 512 -b 512 -s 2 -o "$f.00000000" \
    --trace="$trace" -a DUMMY
for rank in 0 1 2 3 4 5; do
    from=$(((rank + 2) % 6))
    expect_offsets $rank read "$((from * 512)) $(((from + 6) * 512))"
done

part "on two nodes -C reads only what the other node wrote"
for hosts in a:2,b:2 a:1,b:1; do # in blocks, in turn
    for options in "" "-F" "-z" "-z -F"; do
        read -ra words <<<"-C $options"
        rm -f "$f"*
        works 4 $hosts "${words[@]}" -w -r -R -k -G 9 -t 1k -b 2k -s 2 \
            -o "$f" --trace="$trace"
        for rank in 0 1 2 3; do
            case $hosts in
            a:2*) node=$((rank / 2)) ;;
            *) node=$((rank % 2)) ;;
            esac
            # Each transfer with its file and its place.
            for call in read write; do
                awk -v call="p$call" '$1 == call {
                        at = $3
                        sub(/ -> .*/, "")
                        sub(/.*\//, "")
                        print $0, at
                    }' "$trace.$rank" >"$TEST_DIR/$call.$rank.$node"
            done
        done
        for node in 0 1; do
            # As sets of transfers: what one node read is what the other wrote.
            cat "$TEST_DIR"/read.?.$node | sort >"$TEST_DIR/got"
            cat "$TEST_DIR"/write.?.$((1 - node)) | sort >"$TEST_DIR/want"
            expect_same_file "reads of node $node, $hosts $options" \
                "$TEST_DIR/want" "$TEST_DIR/got" || true
            if ! grep -q '[0-9]' "$TEST_DIR/got"; then
                bad "node $node read nothing"
            fi
        done
        rm -f "$TEST_DIR"/read.* "$TEST_DIR"/write.*
        expect_no_line '^WARNING: .*-C' "it does what it should" || true
    done
done
works 4 a:2,b:2 -F -C -Q 2 -w -r -t 1k -b 2k -o "$f"
warned '-C|-Q' "twice to the other of two nodes is back home" || true
part "on one node -C moves nothing, and that is said"
works 3 - -F -C -w -r -t 1k -b 1k -o "$f"
warned '-C' || true
run 4 a:2,b:2 -F -C -Q -1 -w -r -t 1k -b 2k -o "$f" --trace="$trace"
expect_status_in "0 2" "-Q -1" || true
if [ "$status" -eq 0 ]; then
    expect_sources 2 3 0 1
fi
expect_empty_dir "after -Q -1" "$base" || true

part "-Z is a permutation, and of no own data on two nodes"
for seed in 1 7 -3; do
    works 4 a:2,b:2 -F -Z -X $seed -w -r -k -t 1k -b 1k -o "$f" --trace="$trace"
    : >"$TEST_DIR/read"
    for rank in 0 1 2 3; do
        sources $rank >>"$TEST_DIR/read"
        if [ "$(sources $rank)" = "f.0000000$rank" ]; then
            bad "-Z -X $seed: rank $rank reads its own file"
        fi
    done
    expect_equal "files that -Z -X $seed reads" 4 \
        "$(sort -u "$TEST_DIR/read" | wc -l)" || true
done
works 4 - -vv -F -Z -X 3 -w -r -t 1k -b 1k -o "$f"
says '^#File Hits Dist:' "how often files are hit" || true

# --- random offsets ---------------------------------------------------------------

part "the original's shuffled offsets of a shared file"
works 3 - $as -z --random-offset-seed=7 -w -k -t 1k -b 8k -o "$f" --trace="$trace"
expect_offsets 0 write "8192 1024 13312 15360 5120 0 22528 19456"
expect_offsets 1 write "3072 7168 9216 12288 14336 11264 16384"
expect_offsets 2 write "20480 2048 17408 23552 6144 18432 10240 4096 21504"
part "the original's shuffled offsets of one file per task"
works 2 - $as -z -F --random-offset-seed=7 -w -k -t 1k -b 8k -s 2 -o "$f" \
    --trace="$trace"
first="5120 2048 6144 4096 0 7168 1024 3072"
expect_offsets 0 write \
    "$first $(tr ' ' '\n' <<<"$first" | awk '{ print $1 + 8192 }' | xargs)"
first="1024 0 2048 5120 7168 4096 6144 3072"
expect_offsets 1 write \
    "$first $(tr ' ' '\n' <<<"$first" | awk '{ print $1 + 8192 }' | xargs)"

part "shuffled offsets are all places once, in equal shares"
for options in "" "-F"; do
    read -ra words <<<"$options"
    works 3 - "${words[@]}" -z --random-offset-seed=7 -w -r -R -G 4 -k -t 1k \
        -b 8k -s 4 -o "$f" --trace="$trace"
    for call in write read; do
        if [ -z "$options" ]; then
            all_once $call 0 1024 96 3
        else
            for rank in 0 1 2; do
                expect_equal "places of rank $rank" "$(seq -s ' ' 0 1024 32767)" \
                    "$(offsets $rank $call | tr ' ' '\n' | sort -n | xargs)" || true
            done
        fi
        for rank in 0 1 2; do
            expect_equal "$call of rank $rank" 32 \
                "$(offsets $rank $call | wc -w)" || true
            if sorted "$(offsets $rank $call)"; then
                bad "$call of rank $rank with -z $options is in order"
            fi
        done
    done
done
part "the same seed, the same order; another, another"
for seed in 7 7 8; do
    works 1 - -z --random-offset-seed=$seed -w -k -t 1k -b 64k -o "$f" \
        --trace="$trace"
    offsets 0 write >"$TEST_DIR/order.$seed"
    if [ -e "$TEST_DIR/before" ] && [ $seed = 7 ]; then
        expect_same_file "seed 7" "$TEST_DIR/before" "$TEST_DIR/order.7" || true
    fi
    cp "$TEST_DIR/order.7" "$TEST_DIR/before"
done
if cmp -s "$TEST_DIR/order.7" "$TEST_DIR/order.8"; then
    bad "seeds 7 and 8 give the same order"
fi
part "one transfer per block is shuffled over the segments"
works 2 - -F -z --random-offset-seed=3 -w -k -t 1k -b 1k -s 32 -o "$f" \
    --trace="$trace"
if sorted "$(offsets 0 write)"; then
    bad "32 segments are in order"
fi
rm -f "$f".*
works 2 - -z -w -W -r -t 4k -b 4k -s 16 -o "$f"
expect_empty_dir "" "$base" || true
part "a shuffle with a limit of time ends"
works 8 - -z -w -D 1 -O stoneWallingWearOut=1 -t 1k -b 2k -o "$f"
works 2 - -z -C -F -w -r -t 1k -b 8k -o "$f"

part "random blocks"
works 2 - -w -z -z --random-offset-seed=5 -k -t 1k -b 2k -s 16 -o "$f" \
    --trace="$trace"
expect_equal "size" 65536 "$(stat -c %s "$f")" || true
for rank in 0 1; do
    expect_equal "transfers of rank $rank" 32 "$(offsets $rank write | wc -w)" ||
        true
    # Two transfers a block, in order, from an edge of a block.
    offsets $rank write | tr ' ' '\n' | awk '
        NR % 2 && $1 % 2048 { print "no edge: " $1 }
        NR % 2 == 0 && $1 != before + 1024 { print "no block: " before, $1 }
        { before = $1 }' >"$TEST_DIR/why"
    if [ -s "$TEST_DIR/why" ]; then
        bad "rank $rank: $(head -n 1 "$TEST_DIR/why")"
    fi
done
for seed in 0 5; do
    works 2 - -r -zz --random-offset-seed=$seed -k -t 1k -b 2k -s 16 -o "$f" \
        --trace="$trace"
    for rank in 0 1; do
        within "blocks that rank $rank reads with seed $seed" 5 16 \
            "$(offsets $rank read | tr ' ' '\n' | awk '{ print int($1 / 2048) }' |
                sort -u | wc -l)" || true
    done
    if [ "$(offsets 0 read)" = "$(offsets 1 read)" ]; then
        bad "both ranks read the same blocks with seed $seed"
    fi
done
# What a reader checks is what the writer of each block wrote.
works 2 - -w -k -G 11 -t 1k -b 2k -s 16 -o "$f"
works 2 - -r -R -zz --random-offset-seed=5 -k -G 11 -t 1k -b 2k -s 16 -o "$f"
truncate -s 1024 "$f"
run 2 - -r -zz --random-offset-seed=5 -k -t 1k -b 2k -s 4 -o "$f"
expect_status_in "0 1 2" "a file of less than a block" || true
part "random blocks of one file per task, on two nodes, as IO500 reads them"
works 4 a:2,b:2 -w -F -k -G 3 -t 16k -b 64k -C -Q 1 -g -e -o "$f"
works 4 a:2,b:2 -g -G 3 -k -e -o "$f" -F -r -D 1 -z -z -a POSIX -t=4096 -b=4096 \
    -s=64 -O stoneWallingWearOut=1 -C -Q 1 --trace="$trace"
for rank in 0 1 2 3; do
    if [ "$(offsets $rank read "f.0000000$(((rank + 2) % 4))" | wc -w)" -lt 64 ]; then
        bad "rank $rank read less than 64 blocks of the other node"
    fi
done

part "-N takes the first tasks"
works 4 - -N 2 -F -w -k -t 1k -b 1k -o "$f"
expect_equal "files" "f.00000000 f.00000001" "$(find "$base" -type f -printf '%f\n' |
    sort | xargs)" || true
expect_header tasks 2 || true
works 4 - -N 0 -F -w -k -t 1k -b 1k -o "$f"
expect_equal "files of all" 4 "$(find "$base" -type f | wc -l)" || true

part "mixed reads and writes"
works 2 - -w -k -t 4k -b 256k -o "$f"
works 2 - --rwmix=70 -k -E -t 4k -b 256k -o "$f" --trace="$trace"
reads=$(($(offsets 0 read | wc -w) + $(offsets 1 read | wc -w)))
writes=$(($(offsets 0 write | wc -w) + $(offsets 1 write | wc -w)))
expect_equal "transfers" 128 $((reads + writes)) || true
within "reads of 128" 70 108 "$reads" || true
expect_equal "rows" "write mixed, read mixed, mixed 0" "$(awk '
    /^access +bw/ { on = 1 } /^Max / { on = 0 }
    on && /^(write|read|mixed) / { printf "%s%s %s", sep, $1, $NF; sep = ", " }' \
    "$out")" || true
expect_no_line 'are written first' "that files are filled" || true

part "files for a mix are filled as far as there is time, and that is said"
works 2 - --rwmix=50 -F -t 4k -b 64k -i 2 -o "$f" --json "$json"
expect_equal "said" 2 \
    "$(grep -c '^--rwmix: files are missing or short: 128.0 KiB are written first' "$out")" ||
    true
expect_json "$json" '[[p["name"] for p in i["phases"]] for i in r["tests"][0]["iterations"]]' \
    '[["mixed"], ["mixed"]]'
expect_json "$json" '[(p["bytes"], p["operations"], p["mixed"]["read"]["bytes"], p["mixed"]["write"]["operations"]) for p in phases]' \
    '[[131072, 32, 65536, 16], [131072, 32, 65536, 16]]'
expect_json "$json" 'all(abs(p["mixed"]["read"]["bandwidth_bytes_per_s"] + p["mixed"]["write"]["bandwidth_bytes_per_s"] - p["bandwidth_bytes_per_s"]) < 1 for p in phases)' \
    true
expect_json "$json" 'all(p["mixed"][s]["latency_ns"]["min"] <= p["mixed"][s]["latency_ns"]["p50"] <= p["mixed"][s]["latency_ns"]["max"] for p in phases for s in ("read", "write"))' \
    true
expect_json "$json" '{s["name"] for s in r["tests"][0]["summary"]} == {"mixed"}' true
rm -f "$f"*
works 2 - --rwmix=50 -k -a POSIX -F -t 4k -b 8g -D 0.1 -o "$f"
says 'are written first, out of the time, until -D at most' "the limit" || true
says '^--rwmix: -D ended that: the mix keeps to the first ' "that it ended" || true
within "bytes of the file, of 8 GiB" 4096 6000000000 \
    "$(stat -c %s "$f.00000000")" || true
rm -f "$f"*
works 1 - --rwmix=50 -t 4k -b 1m -z -D 5 -o "$f"
says 'are written first, out of the time, even beyond -D, for -z' "that -z takes all" ||
    true
refuse 1 '^ior: --rwmix: is the only phase: leave out --read-passes$' \
    --rwmix=50 --read-passes=2 -o "$f"
finish
