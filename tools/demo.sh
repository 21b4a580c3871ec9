#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# `make demo`: sets up, builds, and records two real programs on the simulated board. Compares their files with those that the same
# sources write natively, and reports. Prints one line for each step. The output of a step goes to build/log/demo-STEP.log, and with
# V=1 to the terminal, too. Leaves NAME.gnt, NAME.report.json and the programs' files in build/demo, the times in build/times.json.
# usage: tools/demo.sh BUILD DEVICE
set -euo pipefail
cd "$(dirname "$0")/.."
build=$1 device=$2
demo=$build/demo
log=$build/log
times=$log/demo-times
logo=/usr/share/pixmaps/debian-logo.png
font=/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf
text=/usr/share/common-licenses/GPL-3
mkdir -p "$log" "$demo"
: >"$times"
began=$EPOCHREALTIME
TIMEFORMAT='%R %U %S'
exec 3>&1

# run STEP COMMAND...: runs the command, with its output in the log, and adds its times as a line to $times.
run() {
  local step=$1 output=$log/demo-$1.log taken status=0
  shift
  if [ -n "${V:-}" ]; then
    taken=$({ time "$@" </dev/null > >(tee "$output" >&3) 2>&1; } 2>&1) || status=$?
  else
    taken=$({ time "$@" </dev/null >"$output" 2>&1; } 2>&1) || status=$?
  fi
  awk -v step="$step" '{ print step, $1, $2 + $3 }' <<<"$taken" >>"$times"
  return $status
}

# tell STEP STATUS TEXT: prints the step's line. If the step failed, prints the end of its log and ends the demo.
tell() {
  if [ "$2" -ne 0 ]; then
    printf '%-10s FAILED, %s says:\n' "$1" "$log/demo-$1.log" >&2
    tail -n 40 "$log/demo-$1.log" | sed 's/^/    | /' >&2
    wait # for steps that run in parallel
    exit 1
  fi
  awk -v step="$1" -v text="$3" '$1 == step { printf "%-10s %-64s %4.0f s\n", step, text, $2 }' "$times"
}

# step STEP TEXT COMMAND...
step() {
  local name=$1 text=$2 status=0
  shift 2
  run "$name" "$@" || status=$?
  tell "$name" $status "$text"
}

# beside STEP COMMAND...: runs the step in parallel with others; join waits for it and has its status.
beside() {
  run "$@" &
  child=$!
}
join() {
  local status=0
  wait "$child" || status=$?
  return $status
}

make_targets() { "${MAKE:-make}" --no-print-directory -j"$(nproc)" "$@"; }

# record NAME OUTPUT ARGUMENT...: records the program; OUTPUT, the file that it writes, becomes its last argument.
record() {
  local name=$1 output=$2
  shift 2
  cd "$demo"
  rm -f "$name.gnt" "$name.report.json" "$output" "native/$output"
  native/"$name" "$@" "native/$output" >"native/$name.out"
  gnomon record -d "$device" -o "$name.gnt" --get "$output" "$name.elf" -- "$@" "$output"
  cmp "$output" "native/$output"
  gnomon report -i "$name.gnt" --json >"$name.report.json"
}

# tell_recorded NAME STATUS OUTPUT
tell_recorded() {
  local text=""
  [ "$2" -ne 0 ] || text=$(python3 -c 'import json, sys; r = json.load(sys.stdin)
print(format(r["cycles"], ","), "cycles,", len(r["functions"]), "functions")' <"$demo/$1.report.json")
  tell "$1" "$2" "$text; $3 equals the native one"
}

step set-up "Debian packages" tools/setup.sh demo
step headers "register map and events, as C and Verilog" make_targets demo-headers
beside simulator make_targets demo-simulator
step command "the command, $build/bin/gnomon" make_targets demo-command
step runtime "GCC plugin, runtime, linker scripts" make_targets demo-runtime
step programs "logo (Debian's libstb-dev) and zlib (Debian's source package)" make_targets demo-programs
status=0
join || status=$?
tell simulator $status "the simulated board, $device"

beside zlib record zlib GPL-3.z "$text"
logo_status=0
run logo record logo logo.png "$logo" "$font" || logo_status=$?
status=0
join || status=$?
tell_recorded zlib $status GPL-3.z
tell_recorded logo $logo_status logo.png

echo
gnomon report -i "$demo/logo.gnt" --flat --limit 10
cat <<END

The picture that the board made: $demo/logo.png
Next:
  export PATH=\$PWD/$build/bin:\$PATH
  gnomon report -i $demo/logo.gnt    all functions, and who calls whom
  gnomon report -i $demo/zlib.gnt    the same of zlib
  gnomon cc -O2 -g -o hello hello.c        a program of yours
  gnomon record ./hello && gnomon report
  make sim-boards                          the whole boards, for gnomon stat, annotate, hot, tag

END
python3 tools/times.py "$build/times.json" demo \
  "$(awk -v from="$began" -v to="$EPOCHREALTIME" 'BEGIN { print to - from }')" <"$times"
