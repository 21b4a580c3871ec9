#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# `make demo-locks`: records the program block_pool on the simulated board of two harts, compares its output with that of the same source
# on this machine, and shows what `gnomon locks` says.
# usage: tools/demo_locks.sh FOLDER TEXT
set -euo pipefail
cd "$1"
text=$2
./native "$text" native.blocks >native.out
gnomon record --events -q -d sim:duo -o block_pool.gnt --get GPL.blocks block_pool -- "$text" GPL.blocks | tee block_pool.out
cmp block_pool.out native.out
cmp GPL.blocks native.blocks
echo "The same as on this machine. What happened at its locks:"
gnomon locks -i block_pool.gnt | tee locks.txt
grep -q '^Lock order both ways: queue_lock then total_lock in main ' locks.txt || { echo "the planted lock order was not found"; exit 1; }
grep -Eq '^  queue_lock +mutex +[0-9]+ +[1-9]' locks.txt || { echo "no thread waited for queue_lock"; exit 1; }
