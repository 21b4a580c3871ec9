#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Runs report and dump over each trace of a folder; they must end soon, with a documented exit status.
# usage: run_kept.sh GNOMON FOLDER
set -u
count=0
for trace in "$2"/*.gnt; do
  for command in "report" "dump" "report --json" "report --causes" "dump --raw"; do
    # $command contains several words
    timeout 20 "$1" $command --strict "$trace" >/dev/null 2>&1
    status=$?
    case $status in
    0 | 1 | 3) count=$((count + 1)) ;;
    *) echo "$trace: gnomon $command exits with $status"; exit 1 ;;
    esac
  done
done
echo "$count runs over damaged traces, each with a documented exit status"
