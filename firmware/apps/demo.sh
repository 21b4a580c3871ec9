#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Records both programs of the demo on the simulated board, compares what they wrote with what the same sources write natively,
# and reports; the logo's report comes last. Leaves NAME.gnt, NAME.report.json and the programs' files.
# usage: demo.sh DIRECTORY
set -euo pipefail
cd "$1"
device=${GNOMON_DEVICE:-sim:full}
logo=/usr/share/pixmaps/debian-logo.png
font=/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf
text=/usr/share/common-licenses/GPL-3

demo() { # demo NAME OUTPUT ARGUMENT...: OUTPUT is the last argument, the file that the program writes
  local name=$1 output=$2
  shift 2
  rm -f "$name.gnt" "$name.report.json" "$output" "native/$output"
  echo "== $name"
  native/"$name" "$@" "native/$output" >"native/$name.out"
  gnomon record -d "$device" -o "$name.gnt" --get "$output" "$name.elf" -- "$@" "$output"
  cmp "$output" "native/$output"
  echo "$output: $(stat -c %s "$output") bytes, the same as natively"
  gnomon report -i "$name.gnt" --json >"$name.report.json"
}

demo zlib GPL-3.z "$text"
demo logo logo.png "$logo" "$font"
echo
echo "The picture: $1/logo.png. Reports: gnomon report -i $1/zlib.gnt, and:"
echo
exec gnomon report -i logo.gnt
