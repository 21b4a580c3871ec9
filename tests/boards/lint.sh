#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Lint of boards' tops, whole; hard blocks are those of yosys's libraries.
# usage: lint.sh INCLUDE_DIR FAMILY:TOP[:DEFINE]...
set -euo pipefail
cd "$(dirname "$0")/../.."
include=$1
shift
share=$(dirname "$(readlink -f "$(command -v yosys)")")/../share/yosys
declare -A boxes=([ice40]=tests/boards/SB_IO.v [ecp5]=)
declare -A cells=([ice40]=$share/ice40/cells_sim.v [ecp5]=$share/ecp5/cells_bb.v)
search=()
for room in $(find rtl -type d); do search+=(-y "$room" "-I$room"); done
for board in "$@"; do
  IFS=: read -r family top define <<<"$board"
  verilator --lint-only -Wall -Wno-PINMISSING -Wno-PINCONNECTEMPTY -Wno-TIMESCALEMOD -Wno-MODDUP -DNO_ICE40_DEFAULT_ASSIGNMENTS ${define:+"$define"} --top-module "$top" \
    "-I$include" "${search[@]}" tests/boards/cells.vlt ${boxes[$family]} -v "${cells[$family]}" "rtl/soc/boards/$top.v"
  echo "$top${define:+ with ${define#-D}}: clean"
done
