#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The cone check on netlists after synthesis, with the hierarchy of core, profiler, USB device and host port kept: the
# rest of the feedback path in LUTs, and that an additional wire is found there, too.
# usage: cone_netlist.sh OUT_DIR INCLUDE_DIR
set -euo pipefail
cd "$(dirname "$0")/../.."
out=$1 include=$2
mkdir -p "$out"
sources=$(find rtl -name '*.v' -not -path 'rtl/soc/boards/*' | sort | grep -v -e rtl/soc/gnomon_soc.v -e spram | tr "\n" " ")

# With its hierarchy kept, the core has ports that the SoC leaves open, and reads for these ports that no block RAM has.
check() { # NAME PARAMETERS SYNTHESIS TOP_FILE
  yosys -q -p "read_verilog -I$include -Irtl/soc -Irtl/core -Irtl/profile/trace -Irtl/profile/tags $sources $4; chparam $2 gnomon_soc; hierarchy -top gnomon_soc;
    setattr -unset ram_style *gnomon_core_csr*/m:words; setattr -mod -set keep_hierarchy 1 *gnomon_core* *gnomon_profile* *gnomon_usb* *gnomon_hostport*; $3 -top gnomon_soc; write_json $out/$1.json" >"$out/$1.log" 2>&1
  python3 tests/formal/cone.py "$out/$1.json"
}

small="-set CONFIG 0 -set RAM_BYTES 8192"
echo "small, iCE40:"
check small "$small" synth_ice40 rtl/soc/gnomon_soc.v
echo "full, ECP5:"
check full "-set CONFIG 2 -set RAM_BYTES 8192" synth_ecp5 rtl/soc/gnomon_soc.v
sed 's/\.d_req_ready_i *(d_req_ready)/.d_req_ready_i(d_req_ready \&\& !trace_valid)/' rtl/soc/gnomon_soc.v >"$out/mutant.v"
if check mutant "$small" synth_ice40 "$out/mutant.v" >"$out/mutant.found"; then
  echo "the mutant was not found" >&2
  exit 1
fi
echo "mutant: found ($(grep -c 'NOT ALLOWED' "$out/mutant.found") outputs reach too much)"
