#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Fetches Debian's kernel package, on which linux-image-amd64 depends, from apt's sources, and unpacks it into FOLDER:
# vmlinux (the ELF inside vmlinuz, which needs no boot loader) and modules.
# usage: make_kernel.sh FOLDER
set -euo pipefail
mkdir -p "$1" && cd "$1"
package=$(apt-cache depends linux-image-amd64 | sed -n 's/^ *Depends: \(linux-image-[0-9][^ ]*\)$/\1/p' | head -n 1)
[ -n "$package" ] || { echo "make_kernel: apt knows no linux-image-amd64; run apt-get update" >&2; exit 1; }
rm -rf unpacked ./*.deb
apt-get -q download "$package" 2>&1 | grep -v unsandboxed
dpkg -x ./*.deb unpacked
# vmlinuz contains the kernel, compressed with xz.
python3 - unpacked/boot/vmlinuz-* vmlinux <<'PY'
import lzma, sys
data = open(sys.argv[1], "rb").read()
at = data.index(b"\xfd7zXZ\0")
open(sys.argv[2], "wb").write(lzma.LZMADecompressor().decompress(data[at:]))
PY
find unpacked -name '*.ko' -exec mv -t . {} + 2>/dev/null || true
rm -rf unpacked ./*.deb
find . -name '*.ko' | grep -vE '/(usb-common|usbcore|xhci-hcd|xhci-pci|usbip-core|vhci-hcd|usbmon)\.ko$' | xargs rm -f
