#!/bin/bash
# Combinations of options that nobody would think of, and that have to end and
# to do as they say all the same.
set -eu
# shellcheck source=ior.bash
. "$(dirname "$0")/ior.bash"
wear=(-O stoneWallingWearOut=1)
slow='-O interIODelay=2000'

part "the shares of the original are unequal: ranks stop by themselves"
for options in "-b 511k" "-D 5 -b 511k" "-D 0.01 -i 2 -b 1022 $slow" \
    "-D 5 ${wear[*]} -b 1022"; do
    for more in "" -c; do
        read -ra words <<<"$options $more"
        works 3 - --as=ior-4.1 -w -R -z --random-offset-seed=123 -t 511 -s 6 \
            "${words[@]}" -o "$f"
    done
done

part "a colon in a path is no matter for MPI-IO"
mkdir 'a:b'
for options in "-k -w -r" "-r -k" "-c -w -r" "-c -w -r -F"; do
    read -ra words <<<"$options"
    works 2 - -a MPIIO "${words[@]}" -t 1k -b 2k -o 'a:b/f:x'
done
expect_equal "what stays is empty" "f:x 0" "$(cd a:b && stat -c '%n %s' -- *)" ||
    true
part "what stands before a colon is no reason to take another file"
works 1 - -w -k -t 1k -b 2k -o f
before=$(stat -c '%s %i %y' f)
works 1 - -a MPIIO -w -t 1k -b 1k -o 7:f
expect_equal "f" "$before" "$(stat -c '%s %i %y' f)" || true
works 1 - -a MPIIO -w -k -t 1k -b 1k -o ufs:g
expect_equal "ufs:g" 1024 "$(stat -c %s g)" || true

part "interIODelay is for transfers that count, however they are made"
for options in "" "-a URING --uring.depth=2"; do
    read -ra words <<<"$options"
    run 1 - -a POSIX "${words[@]}" -w -t 1k -b 4k -o "$f" \
        -O interIODelay=20000
    if [ "$status" -eq 2 ] && grep -q 'not available' "$err"; then
        continue # built without it
    fi
    expect_status 0 || true
    within "seconds of 4 transfers with $options" 0.08 0.5 \
        "$(result write 8)" || true
done
works 1 - -w -W -z -t 1k -b 100k -o "$f" -O interIODelay=1000 \
    --randomPrefill=1k --json "$json"
expect_json "$json" 'by["write check"]["time_s"] < 0.09' true

part "a check that cannot be made is no success"
run 1 - -F -w -W -z -z -t 1k -b 4k -O stoneWallingWearOutIterations=2 -o "$f"
expect_status 1 || true
says 'a file of at least one block' || true
expect_empty_dir "after it" "$base" || true

finish
