#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Tests recordings on the simulated board under trouble: Ctrl-C, a killed simulator, a slow reader, a full disk.
# usage: test_session.sh GNOMON FOLDER
set -euo pipefail
gnomon=$(realpath "$1")
source=$(realpath "$(dirname "$0")/session_program.c")
mkdir -p "$2" && cd "$2"
rm -f ./*.gnt* ./*.out
export GNOMON_DEVICE=sim:full
fail() { echo "FAIL $1"; exit 1; }
trailer() { python3 -c 'import sys; d = open(sys.argv[1], "rb").read(); a = d.rfind(b"GNTEND"); print(d[a + 12:-8].decode())' "$1"; }

# background NAME COMMAND...: starts the command and waits until the program runs; sets $pid to its process id.
background() {
  local name=$1
  shift
  : >"$name.out"
  "$@" >"$name.out" 2>"$name.err" &
  pid=$!
  for _ in $(seq 600); do
    grep -q running "$name.out" && return 0
    kill -0 "$pid" 2>/dev/null || break
    sleep 0.1
  done
  fail "$name: the program does not run: $(cat "$name.err")"
}

"$gnomon" cc -O2 -g -o program.elf "$source"

# The file of an interrupted run is complete, and the exit status is 130.
background int "$gnomon" record -o int.gnt program.elf
kill -INT "$pid"
status=0
wait "$pid" || status=$?
[ "$status" -eq 130 ] || fail "Ctrl-C: exit status $status: $(cat int.err)"
[[ $(trailer int.gnt) == *'"complete":true'*'"reason":"interrupted"'* ]] || fail "Ctrl-C: $(trailer int.gnt)"
# The first line and the JSON give the cycle of the end, and that the run is incomplete; the counts until then are
# exact.
grep -q 'INTERRUPTED at cycle [0-9,]*, up to there counted exactly, nothing lost' int.err || fail "Ctrl-C: record says $(cat int.err)"
"$gnomon" report -i int.gnt | head -1 | grep -q ', INTERRUPTED at cycle [0-9,]*, up to there counted exactly' || fail "Ctrl-C: report says $("$gnomon" report -i int.gnt | head -1)"
"$gnomon" report -i int.gnt --json >int.json || fail "Ctrl-C: the file does not report"
grep -q '"exact": true' int.json && grep -q '"complete": false' int.json && grep -q '"reason": "interrupted"' int.json || fail "Ctrl-C: $(grep -v '^  ' int.json)"
status=0
"$gnomon" report -i int.gnt --strict >/dev/null || status=$?
[ "$status" -eq 3 ] || fail "Ctrl-C: report --strict exits with $status"
# A recording with function records has few events to dump: dump tells why, and the remedy.
"$gnomon" dump -i int.gnt | head -1 | grep -q "^# Enters, exits and traps are in the device's function records, .*: gnomon record --events" || fail "dump: $("$gnomon" dump -i int.gnt)"
background run "$gnomon" run program.elf
kill -INT "$pid"
status=0
wait "$pid" || status=$?
[ "$status" -eq 130 ] || fail "Ctrl-C in run: exit status $status"

# A killed simulator: an earlier file stays, and the data so far are in a .partial file.
cp int.gnt kept.gnt
background killed "$gnomon" record --events -o kept.gnt program.elf
sleep 1
child=$(pgrep -P "$pid" gnomon-sim)
kill -KILL "$child"
status=0
wait "$pid" || status=$?
[ "$status" -eq 1 ] || fail "killed simulator: exit status $status"
grep -q 'connection to sim:full is lost: the simulator was ended by signal 9' killed.err || fail "killed simulator: $(cat killed.err)"
cmp -s int.gnt kept.gnt || fail "killed simulator: the earlier file is damaged"

# With function records a killed simulator loses the records: gnomon reports this, and leaves no file.
rm -f kept.gnt.partial*
background lost "$gnomon" record -o kept.gnt program.elf
kill -KILL "$(pgrep -P "$pid" gnomon-sim)"
status=0
wait "$pid" || status=$?
[ "$status" -eq 1 ] && grep -q 'nothing is left of this run: its function records were still in the device; --events saves' lost.err ||
  fail "killed simulator with function records: $status, $(cat lost.err)"
[ "$(echo kept.gnt*)" = kept.gnt ] && cmp -s int.gnt kept.gnt || fail "killed simulator with function records leaves $(echo kept.gnt*)"

# A killed gnomon ends its simulator, and leaves the earlier file alone.
background orphan "$gnomon" record -o kept.gnt program.elf
child=$(pgrep -P "$pid" gnomon-sim)
kill -KILL "$pid"
wait "$pid" 2>/dev/null || true
for _ in $(seq 100); do
  kill -0 "$child" 2>/dev/null || break
  sleep 0.1
done
! kill -0 "$child" 2>/dev/null || fail "the simulator outlives a killed gnomon"
cmp -s int.gnt kept.gnt || fail "killed gnomon: the earlier file is damaged"

# More calls than a tenth of full speed carries: lost calls are counted, the same in each run, and the program's cycles
# are unchanged.
cycles() { sed -n 's/.*: \([0-9,]*\) cycles.*/\1/p' "$1"; }
"$gnomon" record --events -o fast.gnt program.elf 3000 x >/dev/null 2>fast.err
for n in 1 2; do
  "$gnomon" record --events -o "slow$n.gnt" --sim-option --rate-divisor --sim-option 10 program.elf 3000 x >/dev/null 2>"slow$n.err"
done
grep -q 'events LOST' slow1.err || fail "nothing lost at a tenth of the rate: $(cat slow1.err)"
cmp slow1.gnt slow2.gnt || fail "two recordings with loss differ"
[ -n "$(cycles fast.err)" ] && [ "$(cycles fast.err)" = "$(cycles slow1.err)" ] ||
  fail "the reader's speed shows in the cycles: $(cycles fast.err) and $(cycles slow1.err)"

# Event classes.
"$gnomon" record -o none.gnt --no-functions program.elf 10 >/dev/null 2>none.err
grep -q ' 0 calls, counted exactly, nothing lost' none.err || fail "--no-functions: $(cat none.err)"

# record -v prints its choice and the reason.
for choice in "|takes the device's function records: each of the [0-9]* functions has a record" "--events|takes every event: as --events asks" "--records|takes the device's function records: as --records asks"; do
  # shellcheck disable=SC2086  # no option, or one
  "$gnomon" record -v ${choice%%|*} -o choice.gnt program.elf 10 >/dev/null 2>choice.err
  grep -q "^${choice#*|}" choice.err || fail "record -v ${choice%%|*}: $(cat choice.err)"
done
"$gnomon" record -v -d sim:small -o choice.gnt program.elf 10 >/dev/null 2>choice.err
grep -q "^takes every event: a call takes the records of sim:small longer" choice.err || fail "record -v on small: $(cat choice.err)"

# A full disk.
status=0
"$gnomon" record -o /dev/full program.elf 10 >full.out 2>full.err || status=$?
[ "$status" -eq 1 ] && grep -q 'No space left' full.err || fail "full disk: $status, $(cat full.err)"
echo "cycles at full speed and at a tenth: $(cycles fast.err), $(cycles slow1.err)"
