#!/bin/bash
# With --as=mdtest-4.1 every rank makes exactly the calls that the original was
# recorded to make (traces/*.txt, and traces-as/*.txt): each one, in order, the
# flags of an open included, and no other below -d or on -d itself.
#
# Folded as in the recordings: doubled slashes.  Neither there nor here:
# access(), and whatever is looked at above -d.
set -eu
# shellcheck source=lib.bash
. "$(dirname "$0")/lib.bash"
build_recorder

# recorded_calls TRACE LAUNCH RANK
recorded_calls() {
    awk -v launch="$2" '$1 == "run" { at++ } at == launch' "$1" |
        calls_of "$3" | in_original_words
}

traces=0
for trace in "$here"/traces/*.txt "$here"/traces-as/*.txt; do
    traces=$((traces + 1))
    name=$(basename "$trace" .txt)
    hosts=$(awk '$1 == "hosts" { print $2 }' "$trace")
    ranks=$(awk '$1 == "ranks" { print $2 }' "$trace")
    base=$TEST_DIR/$name
    mkdir "$base"
    launch=0
    while read -r line; do
        launch=$((launch + 1))
        read -r -a args <<<"$line"
        log=$TEST_DIR/$name.$launch
        record "$log" "$base/D" "$ranks" "$hosts" --as=mdtest-4.1 \
            "${args[@]}" -d "$base/D"
        expect_status 0 "$name" || true
        for ((rank = 0; rank < ranks; rank++)); do
            recorded_calls "$trace" "$launch" "$rank" >"$TEST_DIR/want"
            exact_calls "$log.$rank" "$base" >"$TEST_DIR/got"
            expect_same_file "$name, launch $launch, rank $rank" \
                "$TEST_DIR/want" "$TEST_DIR/got" || true
        done
    done < <(sed -n 's/^run //p' "$trace")
    case $name in
    create-only) ;;
    split-*) expect_empty_dir "$name" "$base/D" || true ;;
    *) expect_empty_dir "$name" "$base" || true ;;
    esac
    rm -rf "$base" "$TEST_DIR/$name".*
done
expect_equal "recordings compared" 34 "$traces" || true
finish
