#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Proves the assertions of a module, by k-induction and from reset (yosys-smtbmc, z3).
# usage: prove.sh --out FILE.smt2 --top MODULE --depth N "YOSYS READ COMMANDS"
# The assertions are in the sources under `ifdef FORMAL.
set -euo pipefail
while [[ ${1:-} = --* ]]; do
  case $1 in
    --out) out=$2 ;;
    --top) top=$2 ;;
    --depth) depth=$2 ;;
    *) echo "prove.sh: no option $1" >&2; exit 2 ;;
  esac
  shift 2
done
read=$1
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
