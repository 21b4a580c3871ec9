#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# usage: agree.sh --build FOLDER --simulations "NAME..." PROGRAM...
# Checks that all simulations in the folder (Icarus first, Verilator at different optimisations) print the same
# retirements and stall causes. STALLS: +stall, a bus that waits, or empty, a bus that does not wait (default: both, one
# after the other).
set -eu
if [ -v STALLS ]; then stalls=("$STALLS"); else stalls=("" +stall); fi
while [[ ${1:-} = --* ]]; do
    case $1 in
        --build) build=$2 ;;
        --simulations) simulations=$2 ;;
        *) echo "agree.sh: no option $1" >&2; exit 2 ;;
    esac
    shift 2
done
read -ra kinds <<< "$simulations"
first=${kinds[0]}
out=$build/agree
mkdir -p "$out"
lines=0
for hex in "$@"; do
    for stall in "${stalls[@]}"; do
        args=(+hex="$hex" $stall)
        [ ! -e "${hex%.hex}.debug" ] || args+=(+debug="${hex%.hex}.debug" +halt)
        for kind in "${kinds[@]}"; do
            simulator=$build/$kind/tb
            [ "$kind" != "$first" ] || simulator="vvp -n $build/$kind.vvp"
            $simulator "${args[@]}" +stream="$out/$kind.stream" +causes="$out/$kind.causes" > "$out/$kind.log" 2>&1 || true
        done
        for kind in "${kinds[@]:1}"; do
            cmp "$out/$first.stream" "$out/$kind.stream"
            cmp "$out/$first.causes" "$out/$kind.causes"
        done
        grep -q pass "$out/$first.log" || { cat "$out/$first.log"; exit 1; }
        lines=$((lines + $(cat "$out/$first.stream" "$out/$first.causes" | wc -l)))
    done
done
echo "${#kinds[@]} simulations agree in $lines lines"
