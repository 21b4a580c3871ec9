#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Fetches a Debian source package from the archives that this system uses, and unpacks it. Works as any user: lists and
# cache are in a private directory; the system's own are only read.
# usage: fetch_source.sh --package BINARY_PACKAGE --source SOURCE_PACKAGE --out FOLDER    (unpacks to FOLDER/source)
set -euo pipefail
while [[ ${1:-} = --* ]]; do
  case $1 in
    --package) binary=$2 ;;
    --source) source=$2 ;;
    --out) out=$2 ;;
    *) echo "fetch_source.sh: no option $1" >&2; exit 2 ;;
  esac
  shift 2
done
mkdir -p "$out"
dir=$(cd "$out" && pwd)
mkdir -p "$dir/apt/lists/partial" "$dir/apt/cache/archives/partial"

private=(-q -o "Dir::State::lists=$dir/apt/lists" -o "Dir::Cache=$dir/apt/cache" -o APT::Sandbox::User=
  -o Acquire::Languages=none -o Acquire::Retries=3)

# The origins from which this system would install the package: "name | version | URI suite/component arch Packages".
origins=$(apt-cache madison "$binary" 2>/dev/null || true)
if [ -z "$origins" ]; then
  apt-get "${private[@]}" update >/dev/null
  origins=$(apt-cache "${private[@]}" madison "$binary")
fi
keyring=/usr/share/keyrings/debian-archive-keyring.gpg
signed=""
[ -r "$keyring" ] && signed="[signed-by=$keyring] "
awk -F' *[|] *' -v signed="$signed" '$3 ~ /Packages *$/ {
    split($3, part, " "); slash = index(part[2], "/")
    print "deb-src " signed part[1], substr(part[2], 1, slash - 1), substr(part[2], slash + 1)
  }' <<<"$origins" | sort -u >"$dir/apt/sources.list"
[ -s "$dir/apt/sources.list" ] || {
  echo "fetch_source: no package list knows $binary; run apt-get update" >&2
  exit 1
}

private+=(-o "Dir::Etc::sourcelist=$dir/apt/sources.list" -o "Dir::Etc::sourceparts=$dir/apt/none")
mkdir -p "$dir/apt/none"
apt-get "${private[@]}" update >/dev/null
rm -rf "$dir/source" "$dir/unpack"
mkdir "$dir/unpack"
(cd "$dir/unpack" && apt-get "${private[@]}" source "$source" >/dev/null)
mv "$(find "$dir/unpack" -mindepth 1 -maxdepth 1 -type d)" "$dir/source"
