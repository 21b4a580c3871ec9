#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Non-interference of the profiler (prove.py) in configurations of the SoC, and of mutants that must fail.
# usage: prove.sh --out FOLDER --include FOLDER CONFIGURATION...    0, 1, 2: gnomon_config.vh; cached: 1 with a data cache;
#                                                                   flash: 0 with flash memory;
#                                                                   counters, tags: 0 with reduced ones in place of the records
#                                                                   duo: 2 with two harts
#                                                                   mutants, duo-mutants: small changes, in each of which the proof must find something
set -euo pipefail
cd "$(dirname "$0")/../../.."
while [[ ${1:-} = --* ]]; do
  case $1 in
    --out) out=$2 ;;
    --include) include=$2 ;;
    *) echo "prove.sh: no option $1" >&2; exit 2 ;;
  esac
  shift 2
done
mkdir -p "$out"
here=tests/formal/noninterference
sources=$(find rtl -name '*.v' -not -path 'rtl/soc/boards/*' | sort | grep -v spram | tr "\n" " ")

gates() { # PARAMETERS SOURCES JSON
  yosys -q -p "read_verilog -I$include -Irtl/soc -Irtl/core -Irtl/profile/trace -Irtl/profile/tags $2; chparam -set RAM_BYTES 65536 $1 gnomon_soc; hierarchy -top gnomon_soc;
    setattr -mod -set keep_hierarchy 1 *gnomon_profile* *gnomon_usb* *gnomon_hostport* *gnomon_ram* *gnomon_trace_merge*; proc; flatten; cd gnomon_soc;
    opt_expr; opt_clean; memory_collect; opt_clean; techmap -map $here/memory_map.v; techmap; simplemap; setattr -unset init w:*;
    dfflegalize -cell \$_DFF_P_ x -cell \$_DFF_N_ x; opt_expr; aigmap; opt_clean; cd ..;
    delete *gnomon_profile*/c:* *gnomon_usb*/c:* *gnomon_hostport*/c:* *gnomon_trace_merge*/c:*; write_json $3" >"$3.log" 2>&1 || { cat "$3.log"; exit 1; }
}

prove() { # NAME
  python3 $here/prove.py "$out/$1.json" yosys-abc "$out/$1.aig"
}

mutant() { # NAME FILE FROM TO
  local changed="$out/$1.v"
  sed "s/$3/$4/" "$2" >"$changed"
  if cmp -s "$2" "$changed"; then
    echo "mutant $1: nothing to change in $2" >&2
    exit 1
  fi
  gates "$parameters" "${sources/$2/$changed}" "$out/$1.json"
  if prove "$1" >"$out/$1.log"; then
    echo "mutant $1 was not found" >&2
    exit 1
  fi
  echo "mutant $1: found ($(tail -n 1 "$out/$1.log"))"
}

for configuration in "$@"; do
  case $configuration in
    mutants)
      # The mutants: the register word fails the next access; the interrupt holds the host off; a counter is taken too
      # early; a disabled interrupt ends wfi; the trace halts the hart.
      parameters="-set CONFIG 0"
      mutant error rtl/bus/gnomon_interconnect.v 'r_error <= !(' 'r_error <= reg_rdata_i[96] || !('
      mutant grant rtl/soc/gnomon_soc.v '\.h_grant_i(h_grant' '.h_grant_i(!irq_profile \&\& h_grant'
      mutant early rtl/core/gnomon_core_csr.v 'x_busy_o = count_access && !phase\[1\]' 'x_busy_o = count_access \&\& !phase[0]'
      mutant wake rtl/core/gnomon_core_csr.v 'irq_any_o = |wanted' 'irq_any_o = pending[3] || |wanted'
      mutant trace rtl/soc/gnomon_soc.v '\.dbg_halt_i(dbg_halt)' '.dbg_halt_i(dbg_halt || trace_valid)'
      continue
      ;;
    duo-mutants)
      # While hart 1's trace waits for the merger, no hart reaches registers; a waiting trace keeps the turn on the bus
      # for hart 1; an interrupt of hart 1's profiler is taken for its timer's.
      parameters="-set CONFIG 2 -set HARTS 2"
      mutant hold rtl/soc/gnomon_second_hart.v 'hpm_valid || since\[0\] :' '!trace_ready_i || hpm_valid || since[0] :'
      mutant turn rtl/soc/gnomon_soc.v '\.d1_req_lock_i(d1_req_lock)' '.d1_req_lock_i(d1_req_lock || trace_valid)'
      mutant timer rtl/soc/gnomon_second_hart.v '\.irq_timer_i(irq_timer_i)' '.irq_timer_i(irq_timer_i || irq_overflow)'
      continue
      ;;
    duo) gates "-set CONFIG 2 -set HARTS 2" "$sources" "$out/$configuration.json" ;;
    counters) gates "-set CONFIG 0 -set RECORDS_LOG2 0 -set REDUCED 1" "$sources" "$out/$configuration.json" ;;
    tags) gates "-set CONFIG 0 -set RECORDS_LOG2 0 -set REDUCED 2" "$sources" "$out/$configuration.json" ;;
    bus) gates "-set CONFIG 0 -set RECORDS_LOG2 0 -set LOCKS 3 -set TRAFFIC 1" "$sources" "$out/$configuration.json" ;;
    cached) gates "-set CONFIG 1 -set DCACHE_BYTES 1024" "$sources" "$out/$configuration.json" ;;
    flash) gates "-set CONFIG 0 -set FLASH 524288 -set RECORDS_LOG2 0" "$sources" "$out/$configuration.json" ;;
    *) gates "-set CONFIG $configuration" "$sources" "$out/$configuration.json" ;;
  esac
  prove "$configuration"
done
