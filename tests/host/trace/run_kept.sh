#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Runs report and dump over each trace of a folder; they must end soon, with an exit status that is documented.
# usage: run_kept.sh GNOMON FOLDER
set -u
count=0
for trace in "$2"/*.gnt; do
  for command in "report" "dump" "report --json" "report --causes" "dump --raw"; do
    # shellcheck disable=SC2086 # the words of $command
    timeout 20 "$1" $command --strict "$trace" >/dev/null 2>&1
    status=$?
    case $status in
    0 | 1 | 3) count=$((count + 1)) ;;
    *) echo "$trace: gnomon $command exits with $status"; exit 1 ;;
    esac
  done
done
echo "$count runs over damaged traces, each with a documented exit status"
