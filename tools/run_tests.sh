#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs make targets, JOBS (default: all cores) at a time, each with its output in build/log/TARGET.log; prints a line for each with
# the time it took, the end of the log of each that failed, and the totals. Exit status 1 if one failed.
# usage: tools/run_tests.sh TARGET...
set -u
cd "$(dirname "$0")/.." || exit 1
log=build/log
mkdir -p "$log"
jobs=${JOBS:-$(nproc)}

run_one() {
  local target=$1 result=pass TIMEFORMAT='%R %U %S' taken
  taken=$({ time make --no-print-directory "$target" </dev/null >"$log/$target.log" 2>&1; } 2>&1) || result=FAIL
  awk -v result=$result -v target="$target" '{ printf "%s  %-28s %4.0f s, %4.0f s of processor\n", result, target, $1, $2 + $3 }' \
    <<<"$taken" | tee -a "$log/times"
  [ $result = pass ] && return 0
  tail -n 40 "$log/$target.log" | sed 's/^/      | /'
  touch "$log/$target.failed"
}
export -f run_one
export log
rm -f "$log"/*.failed "$log/times"
[ $# -gt 0 ] || { echo "0 passed, 0 failed"; exit 1; }
# Shared artefacts are built once before, so that parallel tests do not race to make them.
if ! make --no-print-directory -j"$jobs" prebuild >"$log/prebuild.log" 2>&1; then
  echo "FAIL  prebuild ($log/prebuild.log)"
  tail -n 40 "$log/prebuild.log"
  echo "0 passed, 1 failed"
  exit 1
fi
printf '%s\n' "$@" | xargs -P "$jobs" -I{} bash -c 'run_one {}'
failed=$(find "$log" -name '*.failed' | wc -l)
awk '{ sum += $5 } END { printf "%d s of processor\n", sum }' "$log/times"
echo "$(($# - failed)) passed, $failed failed"
[ "$failed" -eq 0 ]
