#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Proves handover.v without bound (property directed reachability). usage: prove_handover.sh BUILD_FOLDER
set -eu -o pipefail
cd "$(dirname "$0")/../../.."
out=$1
mkdir -p "$out"
yosys -q -l "$out/yosys.log" -p "
  read_verilog -formal rtl/usb/gnomon_sync2.v rtl/usb/gnomon_usb_handover.v tests/rtl/usb/handover.v
  prep -flatten -top handover
  clk2fflogic
  opt -full
  techmap
  abc -g AND -fast
  opt_clean
  write_aiger -zinit $out/handover.aig"
yosys-abc -c "read_aiger $out/handover.aig; fold; print_stats; pdr" | tee "$out/abc.log"
grep -q '^Property proved' "$out/abc.log"
