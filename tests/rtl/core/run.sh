#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# run.sh SIMULATOR PROGRAM...: runs each program (.hex) with and without bus stalls; a debug script is in the program's
# folder.
set -eu
simulator=$1
shift
bad=0
for hex in "$@"; do
    for stall in "" +stall; do
        script=${hex%.hex}.debug
        args=(+hex="$hex" $stall)
        [ ! -e "$script" ] || args+=(+debug="$script" +halt)
        case $(basename "$hex")$stall in timing.hex+stall | timing_options.hex+stall | predict.hex+stall) continue ;; esac
        said=$($simulator "${args[@]}" 2>&1 | grep -v '^- .*finish\|WARNING' || true)
        case $said in
            *FAIL*) bad=1; echo "$(basename "$hex" .hex)${stall:+ with stalls}: $said" ;;
            *"tb: pass"*) echo "$(basename "$hex" .hex)${stall:+ with stalls}: $said" ;;
            *) bad=1; echo "$(basename "$hex" .hex)${stall:+ with stalls}: died: $said" ;;
        esac
    done
done
exit $bad
