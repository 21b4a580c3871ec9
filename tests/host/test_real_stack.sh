#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The simulated board plugged into a virtual machine with Debian's kernel: its xHCI driver and USB stack enumerate it, lsusb and the
# unmodified gnomon over libusb use it there, and the trace equals the one that gnomon takes outside, over USB/IP.
# usage: test_real_stack.sh --gnomon COMMAND --bridge COMMAND --simulator COMMAND --kernel FOLDER --out FOLDER
set -euo pipefail
while [[ ${1:-} = --* ]]; do
  case $1 in
    --gnomon) gnomon=$2 ;;
    --bridge) bridge=$2 ;;
    --simulator) simulator=$2 ;;
    --kernel) kernel=$2 ;;
    --out) out=$2 ;;
    *) echo "test_real_stack.sh: no option $1" >&2; exit 2 ;;
  esac
  shift 2
done
gnomon=$(realpath "$gnomon") bridge=$(realpath "$bridge") simulator=$(realpath "$simulator") kernel=$(realpath "$kernel")
here=$(realpath "$(dirname "$0")")
mkdir -p "$out" && cd "$out"
rm -rf out ./*.gnt ./*.out ./*.err out.tar board.pcap
running=()
trap 'for p in "${running[@]}"; do kill "$p" 2>/dev/null || true; done' EXIT
fail() { echo "FAIL $1"; exit 1; }
# await FILE PATTERN: waits until FILE contains PATTERN.
await() {
  for _ in $(seq 300); do
    grep -qs "$2" "$1" && return 0
    sleep 0.1
  done
  fail "no \"$2\" in $1: $(cat "$1")"
}
start_board() {
  : >port.out
  "$simulator" --port 0 --once >port.out &
  running+=($!)
  await port.out listening
  port=$(sed -n 's/^listening on 127.0.0.1:\([0-9]*\)$/\1/p' port.out)
}
# Prints a trace file without its header, which contains the device's address.
body() { python3 -c 'import sys; d = open(sys.argv[1], "rb").read(); sys.stdout.buffer.write(d[16 + int.from_bytes(d[8:12], "little"):])' "$1"; }

"$gnomon" cc -O2 -g -o program.elf "$here/umockdev_program.c"
seq 200 >input.txt
"$here/guest/make_initramfs.sh" "$kernel" "$gnomon" initramfs.gz "$here/guest/init" program.elf input.txt

start_board
"$bridge" "$port" board.socket >bridge.out 2>bridge.err &
running+=($!)
await bridge.out ready
qemu=(qemu-system-x86_64 -M pc -accel tcg -m 256 -display none -no-reboot -nic none
  -kernel "$kernel/vmlinux" -initrd initramfs.gz -append "console=ttyS0 loglevel=4 panic=-1"
  -serial file:console.out -chardev file,id=result,path=out.tar -serial chardev:result
  -device qemu-xhci,id=xhci -chardev socket,id=board,path=board.socket
  -device usb-redir,chardev=board,bus=xhci.0,pcap=board.pcap)
timeout 200 "${qemu[@]}" 2>qemu.err || fail "the virtual machine: status $?: $(cat qemu.err bridge.err; tail -n 20 console.out)"
mkdir out && tar -C out -xf out.tar || fail "the virtual machine sent nothing: $(tail -n 20 console.out)"
rm out.tar

# The guest enumerates the device with its descriptors, without complaints of drivers and tools.
show() { cat "out/$1.out" "out/$1.err"; }
status_is() { [ "$(cat "out/$1.status")" = "$2" ] || fail "$1: exit status $(cat "out/$1.status"): $(show "$1")"; }
grep 'usb 1-' out/dmesg || fail "nothing was enumerated: $(grep -i usb out/dmesg)"
grep -q 'new full-speed USB device number' out/dmesg && grep -q 'idVendor=1209, idProduct=0001' out/dmesg ||
  fail "not enumerated as a Gnomon: $(grep usb out/dmesg)"
! grep -E 'usb 1-.*(error|fail|invalid|warn|not responding|descriptor read|config index|unable)|xhci.*(WARN|ERROR)' -i out/dmesg ||
  fail "the kernel complains"
status_is lsusb 0
! grep -iE "can't|cannot|couldn't|warning|error|unrecognized|\*\*|^ *junk" out/lsusb.out out/lsusb.err || fail "lsusb -v complains"
grep -q 'bcdUSB  *2.10' out/lsusb.out && grep -q 'EP 1 IN' out/lsusb.out && grep -q 'EP 2 IN' out/lsusb.out || fail "lsusb: $(show lsusb)"
grep -q '^usb:1209:0001' out/list.out || fail "list: $(show list)"

# gnomon info gives the same inside and outside of the guest.
status_is info 0
status_is info2 0
status_is run 5
status_is record 0
grep -q '^copied 692 bytes$' out/run.out || fail "run: $(show run)"
cmp input.txt out/copy.txt || fail "the program's output file"
grep -q 'nothing lost' out/record.err || fail "record: $(show record)"
start_board
GNOMON_DEVICE="usbip:127.0.0.1:$port" "$gnomon" record -q -o usbip.gnt --get copy.txt program.elf -- input.txt copy.txt >/dev/null
start_board
GNOMON_DEVICE="usbip:127.0.0.1:$port" "$gnomon" info --json >info.out
cmp <(body out/usb.gnt) <(body usbip.gnt) || fail "record: the traces inside and outside differ"
[ "$(stat -c %s usbip.gnt)" -gt 1000 ] || fail "record: nothing in it"
diff <(grep -v '"address"' out/info.out) <(grep -v '"address"' info.out) || fail "info: inside and outside differ"
cmp -s out/info.out out/info2.out || fail "info: it changed"
[ "$(head -c 4 board.pcap | od -An -tx4 | tr -d ' ')" = a1b2c3d4 ] || fail "no capture"
echo "a real USB stack and USB/IP agree: $(stat -c %s usbip.gnt) bytes; capture: $PWD/board.pcap, $(stat -c %s board.pcap) bytes"
