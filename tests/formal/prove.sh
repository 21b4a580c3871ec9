#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Proves the assertions of a module, by k-induction and from reset (yosys-smtbmc, z3).
# usage: prove.sh OUT.smt2 TOP DEPTH "YOSYS READ COMMANDS"; the assertions are in the sources under `ifdef FORMAL
set -euo pipefail
out=$1 top=$2 depth=$3 read=$4
mkdir -p "$(dirname "$out")"
yosys -q -p "$read; prep -top $top -flatten -nordff; memory -nordff -nomap; opt -full; dffunmap; write_smt2 -wires $out"
check() {
  local log
  log=$(timeout 600 yosys-smtbmc -s z3 --noprogress --unroll "$@" "$out") || true
  tail -n 6 <<<"$log"
  grep -q 'Status: PASSED' <<<"$log"
}
check -t "$depth"
check -i -t "$depth"
