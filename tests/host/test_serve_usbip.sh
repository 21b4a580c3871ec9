#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A board on USB, given away with gnomon serve --usbip: another gnomon records through it what it records from the board itself, byte
# for byte. One client at a time; clients that go away in a run, or that make no sense. A board that can restart into its loader does so
# for clients with --allow-control only.
# usage: test_serve_usbip.sh --gnomon COMMAND --server COMMAND --bridge COMMAND --simulator COMMAND --loader COMMAND --out FOLDER
# --server: the gnomon that serves; may be one with sanitizers. --loader: the board with a loader (fake_loader.c)
set -euo pipefail
export GNOMON_TIMEOUT_SCALE=60 # the machine may be busy; nothing here waits for a time-out
while [[ ${1:-} = --* ]]; do
  case $1 in
    --gnomon) gnomon=$2 ;;
    --server) server=$2 ;;
    --bridge) bridge=$2 ;;
    --simulator) simulator=$2 ;;
    --loader) loader=$2 ;;
    --out) out=$2 ;;
    *) echo "test_serve_usbip.sh: no option $1" >&2; exit 2 ;;
  esac
  shift 2
done
gnomon=$(realpath "$gnomon") server=$(realpath "$server") bridge=$(realpath "$bridge") simulator=$(realpath "$simulator") loader=$(realpath "$loader")
source=$(realpath "$(dirname "$0")/umockdev_program.c")
mkdir -p "$out" && cd "$out"
rm -f ./*.gnt ./*.out ./*.txt
sim='' serving=''
trap 'for id in $sim $serving; do kill "$id" 2>/dev/null || true; done' EXIT
fail() { echo "FAIL $1"; exit 1; }
body() { python3 -c 'import sys; d = open(sys.argv[1], "rb").read(); sys.stdout.buffer.write(d[16 + int.from_bytes(d[8:12], "little"):])' "$1"; }
await() { # FILE TEXT: until it is there
  for _ in $(seq 600); do
    grep -qs -- "$2" "$1" && return
    sleep 0.1
  done
  fail "$1 never has $2: $(cat "$1")"
}
start_board() { # COMMAND...
  rm -f port.txt
  "$@" >port.txt &
  sim=$!
  await port.txt listening
  port=$(sed -n 's/^listening on 127.0.0.1:\([0-9]*\)$/\1/p' port.txt)
}
simulate() { start_board "$simulator" --port 0 --once; }
# The server's own process id is needed for the signal: the wrapper and the bridge are around it.
start_server() { # [OPTION...]
  printf '#!/bin/sh\necho $$ >server.txt\nexec %q serve -d usb --usbip 0 %s\n' "$server" "$*" >serve.sh
  chmod +x serve.sh
  rm -f server.txt serve.out # the one of an earlier server has its address
  # The wrapper's own library comes before that of the sanitizer, which would refuse to start.
  ASAN_OPTIONS=verify_asan_link_order=0:detect_leaks=0 umockdev-wrapper "$bridge" "$port" env --default-signal=INT ./serve.sh >serve.out 2>&1 &
  serving=$!
  await serve.out 'reaches it'
  address=$(sed -n 's/.*gnomon -d \(usbip:[^ ]*\) reaches it$/\1/p' serve.out)
}
end_server() {
  kill -INT "$(cat server.txt)"
  local status=0
  wait "$serving" || status=$?
  serving=''
  [ "$status" -eq 0 ] || fail "the server ends with status $status: $(cat serve.out)"
  ! grep -q 'Sanitizer\|runtime error' serve.out || fail "$(cat serve.out)"
  kill "$sim" 2>/dev/null || true
  wait "$sim" || true
  sim=''
}

"$gnomon" cc -O2 -g -o program.elf "$source"
seq 200 >input.txt

# The board itself.
simulate
GNOMON_DEVICE="usbip:127.0.0.1:$port" "$gnomon" record -q -o direct.gnt --get copy.txt program.elf -- input.txt copy.txt >/dev/null
kill "$sim" 2>/dev/null || true
wait "$sim" || true

simulate
start_server
"$gnomon" info -d "$address" >info.out
grep -q '^device  *usbip:' info.out || fail "info: $(cat info.out)"
"$gnomon" record -q -d "$address" -o served.gnt --get copy.txt program.elf -- input.txt copy.txt >/dev/null
cmp input.txt copy.txt || fail "the program's output"
cmp <(body direct.gnt) <(body served.gnt) || fail "the recordings differ"
[ "$(stat -c %s served.gnt)" -gt 1000 ] || fail "nothing is in the recording"
status=0
"$gnomon" run -d "$address" program.elf -- input.txt copy.txt >run.out || status=$?
[ "$status" -eq 5 ] || fail "run: status $status"
echo "the recordings are equal: $(stat -c %s served.gnt) bytes"
python3 "$(dirname "$source")/serve_usbip_clients.py" "$address" "$gnomon"
"$gnomon" record -q -d "$address" -o again.gnt --get copy.txt program.elf -- input.txt copy.txt >/dev/null
cmp <(body direct.gnt) <(body again.gnt) || fail "after clients that make no sense, the recording differs"
grep -q 'takes the board' serve.out || fail "the server does not tell who has the board: $(cat serve.out)"
end_server
! "$server" serve --usbip 0 -d sim:full 2>refused.out || fail "a simulated board is no board on USB"
grep -q 'usb, usb:VID:PID' refused.out || fail "the message has no remedy: $(cat refused.out)"
for kind in vendor-request detach; do # how the board restarts into its loader
  start_board "$loader" written.bin "$kind"
  start_server
  python3 "$(dirname "$source")/serve_usbip_loader.py" "$address" "$kind" refused || fail "$kind: the board was restarted"
  end_server
  start_board "$loader" written.bin "$kind"
  start_server --allow-control
  python3 "$(dirname "$source")/serve_usbip_loader.py" "$address" "$kind" allowed || fail "$kind: the board was not restarted"
  end_server
done
echo "a client can restart the board into its loader with --allow-control only"
