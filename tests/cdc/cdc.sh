#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Clock-domain crossings of the SoC in its configurations, and of mutants in which one more must be found.
# usage: cdc.sh OUT_DIR INCLUDE_DIR
set -euo pipefail
cd "$(dirname "$0")/../.."
out=$1 include=$2
mkdir -p "$out"
# clk_host_i and clk_encoder_i are clk_i, and the reset comes with it (docs/internals/soc.md).
clocks="clk_i=clk_host_i=clk_encoder_i=rst_i clk48_i"

sources_without() { # FILE
  find rtl -name '*.v' -not -path 'rtl/soc/boards/*' | sort | grep -v "/$(basename "$1")\$" | tr "\n" " "
}
netlist() { # JSON [MUTANT OF A FILE]: the smallest SoC, whole
  yosys -q -w 'Replacing memory' -p "read_verilog -I$include -Irtl/soc -Irtl/profile/trace -Irtl/profile/tags -Irtl/core $(sources_without "${2:-none}") ${2:-}; chparam -set CONFIG 0 gnomon_soc;
    hierarchy -top gnomon_soc; proc; flatten; opt_clean; memory_dff; memory_collect; opt_clean; techmap; opt_clean; write_json $1"
}

netlist "$out/soc.json"
# shellcheck disable=SC2086 # clocks are words
python3 tests/cdc/cdc.py "$out/soc.json" gnomon_soc $clocks
# The others: nothing but the USB device has the second clock, and that is checked alone; what comes in beside the wires comes with clk_i.
# `full` has two harts here: with one, gnomon_soc has the same units but those of hart 1.
for config in 1 2; do
  harts=$config
  yosys -q -w 'Replacing memory' -p "read_verilog -I$include -Irtl/soc -Irtl/profile/trace -Irtl/profile/tags -Irtl/core $(sources_without none); chparam -set CONFIG $config -set HARTS $harts gnomon_soc;
    hierarchy -top gnomon_soc; proc; write_json $out/hierarchy.json"
  python3 tests/cdc/cdc.py --alone "$out/hierarchy.json" gnomon_soc clk48_i gnomon_usb
  yosys -q -w 'Replacing memory' -p "read_verilog rtl/usb/*.v; chparam -set CONFIG $config gnomon_usb; hierarchy -top gnomon_usb; proc; flatten; opt_clean;
    memory_dff; memory_collect; opt_clean; techmap; opt_clean; write_json $out/usb.json"
  python3 tests/cdc/cdc.py "$out/usb.json" gnomon_usb clk_i=rst_i=cmd_ready_i=rep_valid_i=rep_data_i=rep_flush_i=trace_valid_i=trace_data_i=acm_valid_i=acm_data_i=acm_flush_i=acm_typed_ready_i=acm_overrun_i clk48_i --quiet
done

# With a UART link there is one clock; only the pin comes from outside.
serial_netlist() { # JSON DIRECTORY OF gnomon_usb_serial_rx.v
  yosys -q -w 'Replacing memory' -p "read_verilog $(ls rtl/usb/*.v | grep -v serial_rx | tr "\n" " ") $2/gnomon_usb_serial_rx.v; chparam -set LINE 1 gnomon_usb;
    hierarchy -top gnomon_usb; proc; flatten; opt_clean; memory_dff; memory_collect; opt_clean; techmap; opt_clean; write_json $1"
}
serial_clock="clk_i=clk48_i=rst_i=cmd_ready_i=rep_valid_i=rep_data_i=rep_flush_i=trace_valid_i=trace_data_i"
serial_netlist "$out/serial.json" rtl/usb
python3 tests/cdc/cdc.py "$out/serial.json" gnomon_usb $serial_clock
mkdir -p "$out/serial-direct"
sed "s/\.q_o(line)/.q_o()); assign line = (rx_i/" rtl/usb/gnomon_usb_serial_rx.v >"$out/serial-direct/gnomon_usb_serial_rx.v"
serial_netlist "$out/serial-direct/soc.json" "$out/serial-direct"
if python3 tests/cdc/cdc.py "$out/serial-direct/soc.json" gnomon_usb $serial_clock --quiet >"$out/serial-direct/log"; then
  echo "mutant serial-direct was not found" >&2
  exit 1
fi
echo "mutant serial-direct: found ($(grep -c 'NOT KNOWN' "$out/serial-direct/log") more crossings)"

mutant() { # NAME FILE FROM TO
  mkdir -p "$out/$1"
  sed "s/$3/$4/" "$2" >"$out/$1/$(basename "$2")"
  if cmp -s "$2" "$out/$1/$(basename "$2")"; then
    echo "mutant $1: nothing to change in $2" >&2
    exit 1
  fi
  netlist "$out/$1/soc.json" "$out/$1/$(basename "$2")"
  # shellcheck disable=SC2086
  if python3 tests/cdc/cdc.py "$out/$1/soc.json" gnomon_soc $clocks --quiet >"$out/$1/log"; then
    echo "mutant $1 was not found" >&2
    exit 1
  fi
  echo "mutant $1: found ($(grep -c 'NOT KNOWN' "$out/$1/log") more crossings)"
}
mutant unsynchronised rtl/usb/gnomon_usb_handover.v "c_count != p_count_c" "c_count != p_count"
mutant logic-before rtl/usb/gnomon_usb_handover.v "\.d_i(p_count)" ".d_i({^p_count, p_count[0]})"
mutant plain-reset rtl/usb/gnomon_usb.v "\.q_o(p_rst)" ".q_o()); assign p_rst = (rst_i"
mutant line-direct rtl/usb/gnomon_usb_sampler.v "\.q_o(line)" ".q_o()); assign line = ({usb_dp_i, usb_dn_i}"
