#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs make targets, JOBS (default: all cores) at a time. The output of a target goes to build/log/TARGET.log, and with V=1 to the
# terminal, too. Prints a line with the time for each target; for a failed target, its failed checks and the end of its log; and the
# totals. The times are also in build/times.json, under NAME. Exit status 1 if a target failed.
# usage: tools/run_tests.sh NAME TARGET...
set -u
cd "$(dirname "$0")/.." || exit 1
log=build/log
name=$1
shift
mkdir -p "$log"
jobs=${JOBS:-$(nproc)}
began=$EPOCHREALTIME

# make_logged NAME ARGUMENT...: runs make with its output in the log NAME; prints the times as "SECONDS USER SYSTEM".
make_logged() {
  local TIMEFORMAT='%R %U %S' file=$log/$1.log
  shift
  if [ -n "${V:-}" ]; then
    { time make --no-print-directory "$@" </dev/null > >(tee "$file" >&3) 2>&1; } 2>&1
  else
    { time make --no-print-directory "$@" </dev/null >"$file" 2>&1; } 2>&1
  fi
}
run_one() {
  local target=$1 result=pass taken
  taken=$(make_logged "$target" "$target") || result=FAIL
  awk -v target="$target" '{ print target, $1, $2 + $3 }' <<<"$taken" >>"$log/$name.times"
  awk -v result=$result -v target="$target" '{ printf "%s  %-28s %4.0f s, %4.0f s of processor\n", result, target, $1, $2 + $3 }' <<<"$taken"
  [ $result = pass ] && return 0
  # A check that failed may lie far above the log's end.
  grep -n -A3 '^FAIL' "$log/$target.log" | head -n 20 | sed 's/^/      | /'
  tail -n 15 "$log/$target.log" | sed 's/^/      | /'
  touch "$log/$target.failed"
}
export -f make_logged run_one
export log name
exec 3>&1
rm -f "$log"/*.failed "$log/$name.times"
[ $# -gt 0 ] || { echo "0 passed, 0 failed"; exit 1; }
# One make builds the prerequisites of all tests before the tests run, because several tests share them. If a prerequisite cannot be
# built, the test that needs it reports that.
needs() {
  make -pn help 2>/dev/null | awk -v tests="$*" 'BEGIN { n = split(tests, t); for (i = 1; i <= n; i++) wanted[t[i] ":"] = 1 }
    $1 in wanted { for (i = 2; i <= NF; i++) if ($i ~ /^build\//) print $i }' | sort -u
}
mapfile -t files < <(needs "$@")
if [ ${#files[@]} -gt 0 ]; then
  taken=$(make_logged build -k -j"$jobs" "${files[@]}")
  awk -v files=${#files[@]} '{ printf "      %-28s %4.0f s, %4.0f s of processor\n", "what they need: " files " files", $1, $2 + $3 }' <<<"$taken"
  awk '{ print "build", $1, $2 + $3 }' <<<"$taken" >"$log/$name.times"
fi
printf '%s\n' "$@" | xargs -P "$jobs" -I{} bash -c 'run_one {}'
failed=$(find "$log" -name '*.failed' | wc -l)
python3 tools/times.py build/times.json "$name" "$(awk -v from="$began" -v to="$EPOCHREALTIME" 'BEGIN { print to - from }')" <"$log/$name.times"
echo "$(($# - failed)) passed, $failed failed"
[ "$failed" -eq 0 ]
