#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Proves bus_reset.v for `small` and `full`: checks for each lemma all behaviours of its length from any state. Then
# shows that mutants of the device fail. usage: prove_reset.sh BUILD_FOLDER
set -eu -o pipefail
cd "$(dirname "$0")/../../.."
out=$1
mkdir -p "$out"

# Steps; the first number is the first step with assertions. Lemmas 1 and 3 check a few steps beyond the settling. This
# is enough because any later state is also an initial state.
declare -A steps=([1]=15:20 [2]=138:142 [3]=15:20 [4]=68:70)

prove() { # NAME SOURCES CONFIG LEMMA: success if it holds
  yosys -q -l "$out/$1.log" -p "read_verilog -formal -Irtl/usb $2 tests/rtl/usb/bus_reset.v; chparam -set PROOF $4 -set CONFIG $3 bus_reset;
    hierarchy -top bus_reset; proc; setattr -unset init gnomon_*/w:* \$paramod*gnomon_*/w:*; flatten; opt -full; dffunmap; write_smt2 -wires $out/$1.smt2"
  timeout 600 yosys-smtbmc -s z3 --noprogress --unroll -t "${steps[$4]}" "$out/$1.smt2" >"$out/$1.result" || true
  grep -q 'Status: PASSED' "$out/$1.result" && return 0
  grep -q 'Status: FAILED' "$out/$1.result" || { cat "$out/$1.result" >&2; exit 1; }
  return 1
}

for config in 0 2; do
  for lemma in 1 2 3 4; do
    prove "lemma-$lemma-$config" "rtl/usb/*.v" $config $lemma || { echo "lemma $lemma does not hold in configuration $config" >&2; tail -n 20 "$out/lemma-$lemma-$config.result" >&2; exit 1; }
    echo "lemma $lemma, configuration $config: holds from any state"
  done
done

mutant() { # NAME FILE FROM TO LEMMA
  sed "s/$3/$4/" "rtl/usb/$2" >"$out/$2"
  if cmp -s "rtl/usb/$2" "$out/$2"; then
    echo "mutant $1: nothing to change in $2" >&2
    exit 1
  fi
  # shellcheck disable=SC2010
  if prove "mutant-$1" "$(ls rtl/usb/*.v | grep -v "/$2\$" | tr '\n' ' ') $out/$2" 2 "$5"; then
    echo "mutant $1 was not found" >&2
    exit 1
  fi
  echo "mutant $1: found by lemma $5"
}
mutant endless-packet gnomon_usb_protocol.v "wire in_end = count\[6\] || " "wire in_end = " 1
mutant sends-at-se0 gnomon_usb_line.v "count <= rx_j ? " "count <= 1'b1 ? /; s/if (rx_j \&\& /if (" 1
mutant se0-too-long gnomon_usb_sampler.v "else if (!se0_count\[5\])" "else if (se0_count != 6'd31)" 2
mutant halt-stays gnomon_usb_control.v "halt_o <= 6'd0;" "halt_o[4:0] <= 5'd0;" 3
mutant toggle-stays gnomon_usb_protocol.v "toggle <= 6'd0;" "toggle[2:0] <= 3'd0;" 3
mutant address-stays gnomon_usb_control.v "      address_o <= 7'd0;" "" 3
mutant act-stays gnomon_usb_control.v "in_acked_i \&\& (is_status || in_last)" "(is_status || in_last)" 4
