#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# `make demo-sample`: records the demo's program `logo` on the simulated board, once with the exact cycles of every instruction, and then
# with samples at each of the distances, in cycles. Prints each function's sampled cycles beside the counted ones.
# usage: tools/demo_sample.sh FOLDER DISTANCE...
set -euo pipefail
tools=$(cd "$(dirname "$0")" && pwd)
cd "$1"
shift
picture=sampled.png
# record NAME OPTION...: the file that the program writes must not be there, and has the same name in each run.
record() {
  local name=logo.$1
  shift
  rm -f "$picture"
  gnomon record -q -d sim:full "$@" -o "$name.gnt" --get "$picture" logo.elf -- \
    /usr/share/pixmaps/debian-logo.png /usr/share/fonts/truetype/dejavu/DejaVuSans.ttf "$picture" >"$name.out"
  mv "$picture" "$name.png"
}
sampled=()
record counted --cpi all
for distance; do
  record "sampled-$distance" -c "$distance"
  cmp "logo.sampled-$distance.png" logo.counted.png
  sampled+=("logo.sampled-$distance.gnt")
done
"$tools/sampled_beside_counted.py" logo.counted.gnt "${sampled[@]}"
