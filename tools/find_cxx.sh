#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Links the headers of this machine's C++ library into a directory: std/, and machine/ for the machine-dependent headers.
# usage: find_cxx.sh DIRECTORY VERSION    (12.2.0: any 12 will do)
set -euo pipefail
major=${2%%.*}
compiler=g++
[ "$(g++ -dumpversion | cut -d. -f1)" = "$major" ] || compiler=g++-$major
searched=$($compiler -x c++ -E -v /dev/null 2>&1 | grep -E '^ /.*/c\+\+/[^ ]*$' || true)
std=$(grep -E "/c\+\+/$major[^/]*$" <<<"$searched" | head -n 1 | tr -d ' ')
for machine in $(tail -n +2 <<<"$searched"); do
  [ -e "$machine/bits/c++config.h" ] && break
done
if [ ! -e "$std/vector" ] || [ ! -e "$machine/bits/c++config.h" ]; then
  echo "find_cxx: no headers of the C++ library of version $major: install the Debian package libstdc++-$major-dev" >&2
  exit 1
fi
ln -sfn "$(realpath "$machine")" "$1/machine"
ln -sfn "$(realpath "$std")" "$1/std"
