#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Packs the virtual machine's files: busybox, lsusb, gnomon, each with its libraries, kernel modules, and FILES.
# usage: make_initramfs.sh KERNEL_FOLDER GNOMON OUTPUT INIT FILE...
set -euo pipefail
kernel=$1 gnomon=$2 output=$(realpath -m "$3") init=$4
shift 4
root=$(mktemp -d "$(dirname "$output")/root.XXXXXX")
trap 'rm -rf "$root"' EXIT
mkdir -p "$root"/{bin,dev,proc,sys,work,modules,tmp}
cp "$(command -v busybox)" "$root/bin/busybox"
cp "$init" "$root/init"
chmod +x "$root/init"
for program in "$gnomon" "$(command -v lsusb)"; do
  cp "$program" "$root/bin/"
  ldd "$program" | grep -o '/[^ ]*' | while read -r library; do
    mkdir -p "$root$(dirname "$library")"
    cp -Ln "$library" "$root$library"
  done
done
cp "$kernel"/{usb-common,usbcore,xhci-hcd,xhci-pci}.ko "$root/modules/"
cp "$@" "$root/work/"
(cd "$root" && find . | LC_ALL=C sort | cpio --quiet -o -H newc -R 0:0) | gzip -1 >"$output"
