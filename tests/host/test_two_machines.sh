#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A board on one machine, gnomon on another: two network namespaces joined by a virtual cable. The same trace as on one machine; on a
# slow and lossy network, too; and when the cable is pulled in mid-transfer, or the board's machine refuses or is not there: an error that
# says so, in bounded time, and earlier files as they were. Needs root, for the namespaces.
# usage: test_two_machines.sh --gnomon COMMAND --simulator COMMAND --out FOLDER
set -euo pipefail
while [[ ${1:-} = --* ]]; do
  case $1 in
    --gnomon) gnomon=$2 ;;
    --simulator) simulator=$2 ;;
    --out) out=$2 ;;
    *) echo "test_two_machines.sh: no option $1" >&2; exit 2 ;;
  esac
  shift 2
done
gnomon=$(realpath "$gnomon") simulator=$(realpath "$simulator")
export GNOMON_TIMEOUT_SCALE=60 # the machine may be busy; what is to be noticed is noticed by the kernels
here=$(realpath "$(dirname "$0")")
mkdir -p "$out" && cd "$out"
rm -f ./*.gnt* ./*.out ./*.err
fail() { echo "FAIL $1"; exit 1; }
lab=gnomon-lab-$$ desk=gnomon-desk-$$ # names of namespaces
if ! reason=$(ip netns add "$lab" 2>&1); then
  echo "SKIPPED: this machine allows no network namespaces ($reason)"
  exit 0
fi
running=()
trap 'for p in "${running[@]}"; do kill "$p" 2>/dev/null || true; done; ip netns del $lab; ip netns del $desk 2>/dev/null || true' EXIT
ip netns add "$desk"
# The kernel limits names of interfaces to 15 letters; names are local to their namespace.
ip -n "$lab" link add eth0 type veth peer name eth0 netns "$desk"
ip -n "$lab" addr add 192.0.2.1/24 dev eth0
ip -n "$desk" addr add 192.0.2.2/24 dev eth0
for space in "$lab" "$desk"; do ip -n "$space" link set lo up && ip -n "$space" link set eth0 up; done
on_lab() { ip netns exec "$lab" "$@"; }
on_desk() { ip netns exec "$desk" "$@"; }

start_board() {
  : >port.out
  ip netns exec "$lab" "$simulator" --host 192.0.2.1 --port 3240 "$@" >port.out &
  board=$!
  running+=("$board")
  for _ in $(seq 300); do
    grep -q '^listening on 192.0.2.1:3240$' port.out && return 0
    sleep 0.1
  done
  fail "the board does not listen: $(cat port.out)"
}
end_board() {
  kill "$board"
  wait "$board" || true
}
# Prints a trace file without its header, which contains the device's address.
body() { python3 -c 'import sys; d = open(sys.argv[1], "rb").read(); sys.stdout.buffer.write(d[16 + int.from_bytes(d[8:12], "little"):])' "$1"; }
record() { # FILE
  on_desk "$gnomon" record -d "$address" -o "$1" --get copy.txt program.elf -- input.txt copy.txt >/dev/null 2>record.err
}
# refused NAME SECONDS PATTERN COMMAND...: the command fails in time, with that message and a remedy.
refused() {
  local name=$1 seconds=$2 pattern=$3 status=0
  shift 3
  on_desk timeout "$seconds" "$@" >"$name.out" 2>"$name.err" || status=$?
  [ "$status" -eq 1 ] || fail "$name: exit status $status: $(cat "$name.err")"
  grep -Eq "^gnomon: .*($pattern)" "$name.err" && grep -q '^        [^ ]' "$name.err" || fail "$name: $(cat "$name.err")"
}

address=usbip:192.0.2.1:3240
"$gnomon" cc -O2 -g -o program.elf "$here/umockdev_program.c"
"$gnomon" cc -O2 -g -o long.elf "$here/session_program.c"
seq 200 >input.txt
"$gnomon" record -q -d sim:full -o one.gnt --get copy.txt program.elf -- input.txt copy.txt >/dev/null

# Two machines, first with a good network, then with a bad one if the kernel can emulate it.
start_board --once
record two.gnt || fail "record: $(cat record.err)"
cmp <(body one.gnt) <(body two.gnt) || fail "one machine and two take different traces"
[ "$(stat -c %s one.gnt)" -gt 1000 ] || fail "nothing in the trace"
network="no netem in this kernel"
if on_lab tc qdisc add dev eth0 root netem delay 5ms 3ms loss 2% duplicate 1% reorder 5% 2>netem.err; then
  network="same over a network with 5 ms of delay and 2 % of loss"
  start_board --once
  record bad.gnt || fail "bad network: $(cat record.err)"
  cmp <(body one.gnt) <(body bad.gnt) || fail "a bad network changes the trace"
  on_lab tc qdisc del dev eth0 root
fi

# Two users of one board; a board that is missing; a machine that is missing.
start_board
ip netns exec "$desk" "$gnomon" run -d "$address" long.elf >holder.out 2>holder.err &
holder=$!
running+=("$holder")
for _ in $(seq 300); do grep -q running holder.out && break || sleep 0.1; done
refused busy 60 'does not give its device 1-1 away' "$gnomon" info -d "$address"
refused nowhere 60 'cannot reach usbip:192.0.2.1:3241' "$gnomon" info -d usbip:192.0.2.1:3241
refused other 60 'does not give its device 7-7 away' "$gnomon" info -d "$address/7-7"
kill -INT "$holder"
wait "$holder" || true
end_board

# The cable is cut while the trace comes.
cp two.gnt kept.gnt
start_board
ip netns exec "$desk" timeout 200 "$gnomon" record --events -d "$address" -o kept.gnt long.elf >cut.out 2>cut.err &
cut=$!
running+=("$cut")
for _ in $(seq 300); do grep -q running cut.out && break || sleep 0.1; done
grep -q running cut.out || fail "the program does not run: $(cat cut.err)"
sleep 0.5
ip -n "$lab" link set eth0 down
status=0
wait "$cut" || status=$?
[ "$status" -eq 1 ] || fail "cut cable: exit status $status: $(cat cut.err)"
grep -q "connection to $address is lost" cut.err || fail "cut cable: $(cat cut.err)"
cmp -s two.gnt kept.gnt || fail "cut cable: the earlier file is damaged"
[ ! -e kept.gnt.partial ] || "$gnomon" report -i kept.gnt.partial >/dev/null || fail "cut cable: what came before cannot be read"
# A user who connects while the cable is cut gets an error; after the repair the board can be used again.
refused cut-off 60 "cannot reach $address" "$gnomon" info -d "$address"
ip -n "$lab" link set eth0 up
end_board
start_board --once
record after.gnt || fail "after the cut: $(cat record.err)"
cmp <(body one.gnt) <(body after.gnt) || fail "after the cut the trace is another one"
echo "one machine and two agree: $(stat -c %s two.gnt) bytes; $network; cut cable: $(grep "connection to usbip" cut.err)"
