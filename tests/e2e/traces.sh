#!/bin/bash
# Rank by rank and in order, mdtest makes the calls that the original was
# recorded to make (traces/*.txt).  Not compared: open flags (but see below),
# our probe and marker, looking into directories, and the order of -R.
set -eu
# shellcheck source=lib.bash
. "$(dirname "$0")/lib.bash"
build_recorder

# in_any_order FILE: with the order of stats and reads taken out: first all
# other calls as they came, then these sorted.
in_any_order() {
    awk '!/^(stat|read) /' "$1"
    awk '/^(stat|read) /' "$1" | sort
}

for trace in "$here"/traces/*.txt; do
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
        record "$log" "$base" "$ranks" "$hosts" "${args[@]}" -d "$base/D"
        expect_status 0 "$name" || true
        for ((rank = 0; rank < ranks; rank++)); do
            awk -v launch="$launch" -v rank="$rank" '
                $1 == "run" { at++ }
                at == launch && $1 == rank {
                    sub(/^[0-9]+ /, "")
                    print
                }' "$trace" >"$TEST_DIR/want"
            calls "$log.$rank" "$base" >"$TEST_DIR/got"
            case $line in
            *-R*)
                # Each stat must come before the first read.
                if ! awk '/^read/ { reads = 1 } /^stat/ && reads { exit 1 }' \
                    "$TEST_DIR/got"; then
                    bad "$name, rank $rank: a stat after the first read"
                fi
                in_any_order "$TEST_DIR/want" >"$TEST_DIR/want.sorted"
                in_any_order "$TEST_DIR/got" >"$TEST_DIR/got.sorted"
                expect_same_file "$name, rank $rank, as sets" \
                    "$TEST_DIR/want.sorted" "$TEST_DIR/got.sorted" || true
                ;;
            *)
                expect_same_file "$name, launch $launch, rank $rank" \
                    "$TEST_DIR/want" "$TEST_DIR/got" || true
                ;;
            esac
        done
        # Meant to be other than the original: files are read O_RDONLY, and
        # still never made O_EXCL or cut short.
        if grep -h '^open' "$log".* | grep -F 'mdtest.' |
            grep -Ev '^open (O_RDWR\|O_CREAT|O_RDONLY) ' >"$TEST_DIR/odd"; then
            bad "$name: opened as $(head -n 1 "$TEST_DIR/odd")"
        fi
    done < <(sed -n 's/^run //p' "$trace")
    case $name in
    create-only) ;;
    split-*) expect_empty_dir "$name" "$base/D" || true ;;
    *) expect_empty_dir "$name" "$base" || true ;;
    esac
    rm -rf "$base" "$TEST_DIR/$name".*
done
finish
