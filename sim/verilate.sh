#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds a model with Verilator. With TRAINING, a command in which MODEL stands for the binary, what runs in every cycle is compiled
# twice: first so that it counts its branches while TRAINING runs, then laid out by these counts (docs/sim.md, "Compiled with
# feedback"). If TRAINING fails, the model is compiled without them.
# usage: sim/verilate.sh BINARY OBJECTS TOP COMPILER TRAINING VERILATOR-OPTION...
set -euo pipefail
binary=$(realpath -m "$1") objects=$2 top=$3 compiler=$4 training=$5
shift 5
count="-fprofile-generate -fprofile-update=single"
# Without the second option GCC makes small what the training does not reach: 5 % slower. Without the last two it keeps more values at
# once than there are registers: 2 % slower.
use="-fprofile-use -fprofile-partial-training -Wno-missing-profile -fno-schedule-insns2 -fno-tree-slp-vectorize"

# compile OPTIONS LINK-OPTIONS: the model's parts that run in every cycle with OPTIONS. Two jobs, whoever called.
compile() {
  env -u MAKEFLAGS -u MFLAGS make -j 2 -C "$objects" -f "V$top.mk" "OPT_FAST=-O2 $1" "CXX=$compiler" "LINK=$compiler $2" "$binary"
}

rm -f "$binary" # else it is not linked again when only what is around the model has changed
verilator --cc --exe -O3 --x-assign 0 --x-initial 0 --top-module "$top" -Mdir "$objects" -o "$binary" "$@"
if [ -z "$training" ]; then
  compile "" ""
  exit
fi

rm -f "$objects"/*.gcda "$objects"/*.o # make does not see that options have changed
compile "$count" -fprofile-generate
if ! ${training//MODEL/$binary}; then
  echo "$0: the training failed: compiled without feedback"
  use=""
fi
mapfile -t counting < <(grep -l __gcov "$objects"/*.o)
rm -f "$binary" "${counting[@]}"
compile "$use" ""
