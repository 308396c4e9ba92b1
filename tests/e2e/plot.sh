#!/bin/bash
# treemark plot: which picture results get, what is in it, and what is refused.
# Without gnuplot only scripts are looked at.
set -eu
# shellcheck source=lib.bash
. "$(dirname "$0")/lib.bash"
cd "$TEST_DIR"
gnuplot=$(command -v gnuplot || true)

# plot WANT_STATUS ARGS...: sets status, out and err.
plot() {
    local want=$1
    shift
    last_run="treemark plot $*"
    status=0
    timeout -k 5 60 "$TREEMARK_BIN/treemark" plot "$@" \
        </dev/null >"$out" 2>"$err" || status=$?
    expect_status "$want" || true
}

# refused WHY ARGS...: one line that says so, status 2, nothing else.
refused() {
    local why=$1
    shift
    plot 2 "$@"
    expect_equal "output" "" "$(cat "$out")" || true
    expect_equal "lines" 1 "$(wc -l <"$err")" || true
    grep -qF -- "$why" "$err" || bad_with_output "it does not say: $why"
}

# says WORDS: somewhere in the script.
says() {
    grep -qF -- "$1" "$out" || bad_with_output "the script has no: $1"
}

says_not() {
    ! grep -qF -- "$1" "$out" || bad_with_output "the script has: $1"
}

# texts FILE: all texts of an SVG, one a line, if it is XML.
texts() {
    python3 -c '
import sys, xml.dom.minidom
for text in xml.dom.minidom.parse(sys.argv[1]).getElementsByTagName("text"):
    print("".join(node.nodeValue or "" for node in text.childNodes))' "$1" ||
        bad "$1 is no XML"
}

# drawn FILE TEXT...: a picture that has these texts.
drawn() {
    local file=$1 text
    shift
    texts "$file" >found
    for text; do
        grep -qxF -- "$text" found ||
            bad "$file: no '$text', but $(tr '\n' '|' <found)"
    done
}

# study FILE ARGS...
study() {
    local file=$1
    shift
    python3 "$here/plot_study.py" "$@" >"$file"
}

command -v python3 >/dev/null || skip "no python3 to make results"
study grid.json --nodes 1,2,4,8 --ppn 1,2,4 --label 'first'
study nodes.json --nodes 1,2,4 --ppn 8 --benchmark ior
study pack.json --nodes 1 --ppn 1,2,4,8 --map pack --label 'second'
study one.json --nodes 2 --ppn 4

title='a study'
plot 0 grid.json --script
says '"mdtest, first: weak scaling"'
says '"4 per node"'
says '"ranks"'
says '"rate (k op/s)"'
says '"File creation"'
says 'set logscale x 2'
says 'with vectors heads'
says_not 'Tree creation'
expect_equal "ideal lines" 4 "$(grep -c '^.i[0-9]* <<' "$out")" || true

title='nodes, where the ranks on each never change; a path'
plot 0 nodes.json --script
says '"nodes, 8 ranks on each"'
says '"bandwidth (GB/s)"'
plot 0 pack.json --script
says '"ranks"'
says_not 'per node'

title='operations'
plot 0 grid.json --script --operation='CREATE,file read'
says '"File creation"'
says '"File read"'
says_not '"File stat"'
says_not '"Tree creation"'
plot 0 grid.json --script --operation tree
says '"Tree creation"'
refused "--operation: there is no 'rename' in these results, but: Tree \
creation, File creation, File stat, File read, File removal, Tree removal" \
    grid.json --operation rename
refused '--operation: which? There are:' grid.json --operation ,

title='other types'
plot 0 grid.json --script --type latency --operation stat
says '8 of 12 points are shown'
says 'with steps'
says '"99.9 %%"'
plot 0 one.json --script
says 'rate over time, 8 ranks on 2 nodes'
says '"time (s)"'
plot 0 one.json --script --type=bars
says 'boxxyerror'
says '"rate (k op/s)"'

title='--vary: panels of its own if there are too many curves'
study vary.json --vary=-w=0,-w=4096 --fail
plot 0 vary.json --script
says '"-w=4096, 2 per node"'
says 'crosses: something failed'
study vary.json --vary=-w=0,-w=1,-w=2 --ppn 1,2,4
plot 0 vary.json --script --operation stat,read
says '"File stat, -w=2"'
says '"2 per node"'
study vary.json --vary=-w=0,-w=1,-w=2,-w=3 --ppn 1,2,4 --nodes 1,2
plot 0 vary.json --script
study vary.json --vary=-w=0,-w=1,-w=2,-w=3,-w=4 --ppn 1,2,4 --nodes 1,2
refused '20 panels are too many for a picture (16 are not): choose with' \
    vary.json

title='several files'
plot 0 grid.json pack.json --script
says '"first, 2 per node"'
says '"second"'
for n in 1 2 4; do
    study "run$n.json" --nodes $n --ppn 2
done
plot 0 run1.json run2.json run4.json --script
says '"nodes, 2 ranks on each"'
cat run1.json run2.json run4.json >all.json
plot 0 all.json --script
says '"nodes, 2 ranks on each"'
plot 0 run1.json one.json --type bars --script
says '"run1, 2 ranks on 1 node"'
says '"one, 8 ranks on 2 nodes"'

title='a study that was killed: its last test has no point'
study cut.json --nodes 1,2,4 --ppn 1 --map spread --cut
plot 0 cut.json --script
says "(\"1\" 1, \"2\" 2)"

title='results of real runs'
# run NP HOSTS ARGS...
run 4 a:2,b:2 -f 1 -l 4 -s 1 -n 20 -i 2 -d "$TEST_DIR/D" --json fls.json
plot 0 fls.json --script
says 'mdtest: scaling'
says '("1" 1, "2" 2, "3" 3, "4" 4)'
run 1 - -n 50 -i 2 -d "$TEST_DIR/D" --json run.json --label "it's a_b"
plot 0 run.json --script
says "mdtest, it\\047s a_b: rates, 1 rank on 1 node"
plot 0 run.json --script --type=latency
says '"Directory"'
says '"File"'
run 1 - -n 50 -d "$TEST_DIR/D" --interval 0.01 --json interval.json
plot 0 interval.json --script
says 'rate over time'
last_run=import
"$TREEMARK_BIN/treemark" import "$here"/import/*.out </dev/null >import.json \
    2>"$err" || true
if [ -s import.json ]; then
    plot 0 import.json --script --type=bars
fi

title='what cannot be drawn'
refused 'no operation has rates at two numbers of ranks; there is: latency, bars' \
    run.json --type=scaling
refused 'no rates over time are known (runs with --interval have them)' \
    run.json --type=time
refused 'which results?' --type=bars
refused "--type: 'pie' is" run.json --type=pie
refused "-o: 'x.gif' ends in none of" run.json -o x.gif
refused "--terminal draws in no file" run.json --terminal -o x.svg
refused 'no such option' run.json --tpye=bars
refused 'none.json: No such file' none.json
: >empty.json
refused 'empty.json: it is empty' empty.json
head -c 3000 grid.json >half.json
refused 'half.json: no JSON, or cut' half.json
echo '{"a": 1}' >other.json
refused 'other.json: JSON, but no results of treemark' other.json
sed 's|treemark-result/1|treemark-result/9|' run.json >newer.json
refused 'newer.json: of another schema: treemark-result/9' newer.json
echo '{"schema":"treemark-result/1","kind":"x","tests":[{}]}' >bare.json
refused 'there is nothing to draw in these results' bare.json
/usr/bin/python3 - <<'P'
import copy, json
with open("grid.json", encoding="utf-8") as f:
    r = json.load(f)
more = copy.deepcopy(r["tests"][0])
more["items_per_task"] += 1
r["tests"].append(more)
with open("mixed.json", "w", encoding="utf-8") as f:
    json.dump(r, f)
P
refused 'mixed.json: results of different work at one point' mixed.json
cp run.json results.svg
refused 'these are the results themselves' results.svg -o ./results.svg

title='without gnuplot'
mkdir none
last_run='plot without gnuplot'
status=0
PATH=$TEST_DIR/none "$TREEMARK_BIN/treemark" plot grid.json \
    </dev/null >"$out" 2>"$err" || status=$?
expect_status 2 || true
grep -qF 'apt-get install gnuplot-nox' "$err" || bad_with_output "how to get it"
expect_equal "lines" 1 "$(wc -l <"$err")" || true
[ "$(echo grid.svg*)" = 'grid.svg*' ] || bad "a picture, without gnuplot"

if [ -z "$gnuplot" ]; then
    finish
    skip "no gnuplot: no picture was drawn"
fi

title='the picture'
mkdir sub
cp grid.json sub/a.json
plot 0 sub/a.json
expect_equal "output" "a.svg: mdtest, first: weak scaling; means with 95 % \
intervals; dashed grey: ideal" "$(cat "$out")" || true
drawn a.svg 'mdtest, first: weak scaling' 'File creation' 'File removal' \
    'rate (k op/s)' 'ranks' '4 per node'
plot 0 sub/a.json # its own picture may be replaced
echo precious >a.svg
refused "a.svg is there, and is no picture of gnuplot's" sub/a.json
expect_equal "a.svg" precious "$(cat a.svg)" || true
plot 0 sub/a.json -o a.svg
drawn a.svg 'File stat'
plot 0 grid.json -o a.png
expect_equal "png" 89504e47 "$(head -c 4 a.png | od -An -tx1 | tr -d ' \n')" ||
    true
plot 0 grid.json -o a.pdf
expect_equal "pdf" %PDF "$(head -c 4 a.pdf)" || true
plot 0 one.json -o one.svg --type bars
drawn one.svg 'mdtest: rates, 8 ranks on 2 nodes' 'File read' 'rate (k op/s)'
plot 0 run.json -o latency.svg --type latency
drawn latency.svg 'share of operations' 'latency' '99 %' 'creation'
plot 0 interval.json -o time.svg
drawn time.svg 'time (s)' 'File creation'
plot 1 run.json -o none/there/x.svg
expect_equal "lines" 1 "$(wc -l <"$err")" || true
plot 0 run.json -o '|touch evil;.svg'
[ ! -e evil ] || bad "a file name became a command"

title='the script makes the same picture'
plot 0 grid.json --script -o script.svg
gnuplot -d - <"$out" >/dev/null 2>"$err" || bad_with_output "gnuplot refused it"
plot 0 grid.json -o direct.svg
cmp -s script.svg direct.svg || bad "script and picture differ"
plot 0 grid.json --script
gnuplot -d - <"$out" >stdout.svg 2>"$err" || bad_with_output "gnuplot refused it"
cmp -s stdout.svg direct.svg || bad "script to stdout and picture differ"

title='the terminal'
plot 0 grid.json --terminal --operation create
says 'mdtest, first: weak scaling: File creation, k op/s'
says '4 per node'
expect_equal "complaints" "" "$(cat "$err")" || true

title='texts of users mean nothing'
# shellcheck disable=SC2016 # nothing is to be expanded
odd='a_b^{c @x "q" '\''it'\'''\''s'\'' <b>&amp; `touch evil` $HOME'
study odd.json --label "$odd" --vary '-w=a_{1}^2 <&>"'\'',-w=%s@\n'
plot 0 odd.json
drawn odd.svg "mdtest, $odd: weak scaling" '-w=%s@\n, 1 per node' \
    '-w=a_{1}^2 <&>"'\'', 2 per node'
name=$'b\xff`touch evil`"\n'
cp one.json "$name.json"
plot 0 "$name.json" one.json --type=bars -o odd.svg
texts odd.svg >found
grep -q 'b?.touch evil."?' found || bad "an odd file name is lost"
[ ! -e evil ] || bad "a text became a command"

finish
