#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The feedback path from the profiler: cone check of the SoC in two configurations, and of mutants that must fail it.
# usage: cone.sh OUT_DIR INCLUDE_DIR [TOP_FILE]
set -euo pipefail
cd "$(dirname "$0")/../.."
out=$1 include=$2 top=${3:-rtl/soc/gnomon_soc.v}
mkdir -p "$out"
sources=$(find rtl -name '*.v' -not -path 'rtl/soc/boards/*' | sort | grep -v -e rtl/soc/gnomon_soc.v -e spram | tr "\n" " ")

netlist() { # TOP_FILE CONFIG JSON
  yosys -q -p "read_verilog -I$include -Irtl/soc -Irtl/core -Irtl/profile/trace -Irtl/profile/tags $sources $1; chparam -set CONFIG $2 -set RAM_BYTES 65536 gnomon_soc;
    hierarchy -top gnomon_soc; proc;
    setattr -mod -set keep_hierarchy 1 *gnomon_core* *gnomon_profile* *gnomon_usb* *gnomon_hostport*;
    flatten; opt_clean; memory -nomap; opt_clean; write_json $3"
}

for config in 0 "0 -set RECORDS_LOG2 0 -set REDUCED 1" "0 -set RECORDS_LOG2 0 -set REDUCED 2" "0 -set RECORDS_LOG2 0 -set LOCKS 3 -set TRAFFIC 1" 2; do
  echo "configuration $config:"
  netlist "$top" "$config" "$out/soc.json"
  python3 tests/formal/cone.py "$out/soc.json"
done

yosys -q -p "read_verilog -I$include -Irtl/core -Irtl/profile/trace -Irtl/profile/tags $(find rtl/profile -name '*.v' | sort | tr "\n" " "); chparam -set FIFO_LOG2 11 -set HPM 6 -set LOCKS 1 gnomon_profile;
  hierarchy -top gnomon_profile; proc; flatten; opt_clean; memory -nomap; opt_clean; write_json $out/profile.json"
python3 tests/formal/cone.py "$out/profile.json" cycle

# One wire back into the core, in three places: the check must find each.
mutant() { # NAME FROM TO
  sed "s/$2/$3/" "$top" >"$out/$1.v"
  if cmp -s "$top" "$out/$1.v"; then
    echo "mutant $1: nothing to change in $top" >&2
    exit 1
  fi
  netlist "$out/$1.v" 2 "$out/$1.json"
  if python3 tests/formal/cone.py "$out/$1.json" >"$out/$1.log"; then
    echo "mutant $1 was not found" >&2
    exit 1
  fi
  echo "mutant $1: found ($(grep -c 'NOT ALLOWED' "$out/$1.log") outputs reach too much)"
}
mutant ready '\.d_req_ready_i *(d_req_ready)' '.d_req_ready_i(d_req_ready \&\& !trace_valid)'
mutant halt '\.dbg_halt_i *(dbg_halt)' '.dbg_halt_i(dbg_halt || trace_data[0])'
mutant stall '\.i_rsp_valid_i *(i_rsp_valid)' '.i_rsp_valid_i(i_rsp_valid \&\& !cycle[0])'
