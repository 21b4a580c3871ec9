#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs programs for two harts on the simulated board duo, each with two optimizations; litmus, whose tests are assembler, with one.
# usage: test_harts.sh WORK_DIRECTORY PROGRAM...
set -u
here=$(cd "$(dirname "$0")" && pwd)
rm -rf "$1" && mkdir -p "$1" && cd "$1" || exit 1
shift
failed=0
for name in "$@"; do
  expected=0
  [ "$name" = interrupts ] && expected=42
  optimizations="-O2 -Os"
  [ "$name" = litmus ] && optimizations=-O2
  for flags in $optimizations; do
    status=0
    gnomon cc -march=rv32imac -g -Wall -Wextra -Werror "$flags" -I"$here/runtime" -o "$name.elf" "$here/harts/$name.c" &&
      gnomon run -d sim:duo "$name.elf" >console 2>messages || status=$?
    if [ "$status" -eq "$expected" ]; then
      echo "pass  $name $flags"
    else
      echo "FAIL  $name $flags: status $status, not $expected"
      cat console messages
      failed=$((failed + 1))
    fi
  done
done
exit $((failed != 0))
