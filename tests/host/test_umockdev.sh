#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The unmodified gnomon with the real libusb reaches the simulated board as usb:1209:0001, and records what it records over
# USB/IP, byte for byte. usage: test_umockdev.sh --gnomon COMMAND --bridge COMMAND --simulator COMMAND --out FOLDER [--lossy]
# --lossy: and what is lost is the same each time
set -euo pipefail
export GNOMON_TIMEOUT_SCALE=60 # the machine may be busy; nothing here waits for a time-out
lossy=
while [[ ${1:-} = --* ]]; do
  case $1 in
    --gnomon) gnomon=$2 ;;
    --bridge) bridge=$2 ;;
    --simulator) simulator=$2 ;;
    --out) out=$2 ;;
    --lossy) lossy=1; shift; continue ;;
    *) echo "test_umockdev.sh: no option $1" >&2; exit 2 ;;
  esac
  shift 2
done
gnomon=$(realpath "$gnomon") bridge=$(realpath "$bridge") simulator=$(realpath "$simulator")
source=$(realpath "$(dirname "$0")/umockdev_program.c")
mkdir -p "$out" && cd "$out"
rm -f ./*.gnt ./*.out ./*.txt
sim=
trap '[ -z "$sim" ] || kill "$sim" 2>/dev/null || true' EXIT

# usb COMMAND...: runs over libusb; usbip COMMAND...: runs over USB/IP. Each starts with a board after power-on.
start() {
  rm -f port.txt
  "$simulator" --port 0 --once ${rate:+--usb-rate "$rate"} >port.txt &
  sim=$!
  for _ in $(seq 300); do
    grep -qs listening port.txt && break
    sleep 0.1
  done
  port=$(sed -n 's/^listening on 127.0.0.1:\([0-9]*\)$/\1/p' port.txt)
}
end() {
  kill "$sim" 2>/dev/null || true
  wait "$sim" || true
  sim=
}
usb() {
  local status=0
  start
  umockdev-wrapper "$bridge" "$port" "$gnomon" "$@" || status=$?
  end
  return "$status"
}
usbip() {
  local status=0
  start
  GNOMON_DEVICE="usbip:127.0.0.1:$port" "$gnomon" "$@" || status=$?
  end
  return "$status"
}
# Prints a trace file without its header, which contains the device's address.
body() { python3 -c 'import sys; d = open(sys.argv[1], "rb").read(); sys.stdout.buffer.write(d[16 + int.from_bytes(d[8:12], "little"):])' "$1"; }
fail() { echo "FAIL $1"; exit 1; }

"$gnomon" cc -O2 -g -o program.elf "$source"
seq 200 >input.txt

usb list >list.out
grep -q '^usb:1209:0001' list.out || fail "gnomon list does not show the board: $(cat list.out)"
usb info --json >info.out
grep -q '"address": "usb:1209:0001' info.out || fail "info: not the board on USB: $(cat info.out)"
usb info -d usb:1209:0001 >info2.out || fail "info -d usb:1209:0001"
status=0
usb run -d usb program.elf -- input.txt copy.txt >run.out || status=$?
[ "$status" -eq 5 ] || fail "run: exit status $status, not the program's 5"
grep -q '^copied 692 bytes$' run.out || fail "run: console: $(cat run.out)"
cmp input.txt copy.txt || fail "run: output file"
# Without loss, the trace does not depend on its transport.
usb record -d usb -o usb.gnt --get copy.txt program.elf -- input.txt copy.txt >/dev/null 2>record.out
grep -q 'nothing lost' record.out || fail "record: $(cat record.out)"
usbip record -q -o usbip.gnt --get copy.txt program.elf -- input.txt copy.txt >/dev/null
cmp <(body usb.gnt) <(body usbip.gnt) || fail "record: libusb and USB/IP differ"
[ "$(stat -c %s usb.gnt)" -gt 1000 ] || fail "record: nothing in it"
echo "libusb and USB/IP agree: $(stat -c %s usb.gnt) bytes"
[ -n "$lossy" ] || exit 0
# Where something is lost, that is the same in each run, the host's timing notwithstanding.
rate=true
for n in 1 2; do
  usb record --events -d usb -o "lossy$n.gnt" --get copy.txt program.elf -- input.txt copy.txt more >/dev/null 2>record.out
  grep -q 'events LOST' record.out || fail "record: this was to lose events: $(cat record.out)"
done
cmp lossy1.gnt lossy2.gnt || fail "record: two recordings with loss over libusb differ"
echo "with loss, twice the same $(stat -c %s lossy1.gnt) bytes"
