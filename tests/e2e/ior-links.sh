#!/bin/bash
# Symbolic links where ior is to write, and directories that are not there.
set -eu
# shellcheck source=ior.bash
. "$(dirname "$0")/ior.bash"
small=(-t 4k -b 8k)

for api in POSIX MMAP MPIIO; do
    part "$api: a link that leads nowhere is refused"
    ln -s "$base/gone" "$f"
    refuse 2 'symbolic link' -a $api -w "${small[@]}" -o "$f"
    refuse 2 'symbolic link' -a $api -w -E "${small[@]}" -o "$f"
    refuse 2 'symbolic link' -a $api -w "${small[@]}" -o "$f" \
        --leftovers=clean
    expect_gone "what it leads to" "$base/gone" || true

    part "$api: a link to a benchmark's file is refused as a link"
    works 2 - -a $api -w -k "${small[@]}" -o "$base/real"
    ln -s real "$f"
    refuse 2 'symbolic link' -a $api -w "${small[@]}" -o "$f"
    refuse 2 'symbolic link' -a $api -w "${small[@]}" -o "$f" \
        --leftovers=clean
    refuse 2 'symbolic link' -a $api --rwmix=50 "${small[@]}" -o "$f"

    part "$api: with -E it is written through, and stays"
    works 2 - -a $api -w -k "${small[@]}" -o "$base/real"
    ln -s real "$f"
    works 2 - -a $api -w -r -E "${small[@]}" -o "$f"
    expect_equal "the link" real "$(readlink "$f")" || true
    expect_equal "the file" 16384 "$(stat -c %s "$base/real")" || true

    part "$api: it may be read, and links to directories are used"
    mkdir "$base/d"
    ln -s d "$base/l"
    works 2 - -a $api -w -r -k "${small[@]}" -o "$base/l/f"
    ln -s d/f "$f"
    works 2 - -a $api -r "${small[@]}" -o "$f"
    expect_equal "the link" d/f "$(readlink "$f")" || true
    works 2 - -a $api -w -r "${small[@]}" -o "$base/l/g"
    expect_equal "files" "d d/f f l" "$(cd "$base" && find . -mindepth 1 |
        cut -c 3- | sort | tr '\n' ' ' | sed 's/ $//')" || true
done

part "a link that leads to itself, and one to a directory"
ln -s f "$f"
refuse 1 'symbolic link' -w "${small[@]}" -o "$f"
ln -s . "$base/g"
refuse 1 'symbolic link' -w -E "${small[@]}" -o "$base/g"
refuse 1 'Too many levels' -w "${small[@]}" -o "$f/x"

part "one of the files of -F"
ln -s "$base/gone" "$f.00000001"
refuse 2 'f.00000001: it is a symbolic link' -F -w "${small[@]}" -o "$f"
refuse 4 'f.00000001: it is a symbolic link' -F -w "${small[@]}" -o "$f"

part "-u: above its directories there must be one"
refuse 2 "directory $base/d: No such file" -F -u -w "${small[@]}" -o "$base/d/w"
: >"$base/d"
refuse 2 "directory $base/d: Not a directory" -F -u -w "${small[@]}" \
    -o "$base/d/w"
rm "$base/d"
mkdir "$base/d"
: >"$base/d/1"
refuse 2 "directory $base/d/1: Not a directory" -F -u -w "${small[@]}" \
    -o "$base/d/w"
rm "$base/d/1"
mkdir "$base/d/1"
works 2 - -F -u -w "${small[@]}" -o "$base/d/w"
expect_equal "directories" 1 "$(ls "$base/d")" || true

part "-v: what was only emptied was not removed"
works 1 - -w -k "${small[@]}" -o "$f"
works 1 - -v -w "${small[@]}" -o "$f"
expect_rows "write 0"
rm "$f"
works 1 - -v -w "${small[@]}" -o "$f"
expect_rows "write 0, remove 0"
works 1 - -v -a DUMMY -w "${small[@]}" -o "$f"
expect_rows "write 0, remove 0"
finish
