#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# agree.sh BUILD PROGRAM...: Icarus and Verilator at three optimisations print the same retirements and causes.
set -eu
build=$1
shift
out=$build/agree
mkdir -p "$out"
lines=0
for hex in "$@"; do
    for stall in "" +stall; do
        args=(+hex="$hex" $stall)
        [ ! -e "${hex%.hex}.debug" ] || args+=(+debug="${hex%.hex}.debug" +halt)
        for kind in icarus v-default v-nosplit v-O0; do
            simulator=$build/$kind/tb
            [ $kind != icarus ] || simulator="vvp -n $build/icarus.vvp"
            $simulator "${args[@]}" +stream="$out/$kind.stream" +causes="$out/$kind.causes" > "$out/$kind.log" 2>&1 || true
        done
        for kind in v-default v-nosplit v-O0; do
            cmp "$out/icarus.stream" "$out/$kind.stream"
            cmp "$out/icarus.causes" "$out/$kind.causes"
        done
        grep -q pass "$out/icarus.log" || { cat "$out/icarus.log"; exit 1; }
        lines=$((lines + $(cat "$out/icarus.stream" "$out/icarus.causes" | wc -l)))
    done
done
echo "four simulations agree in $lines lines"
