#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs into a package's folder; the installed command has all its files. usage: test_install.sh WORK_DIRECTORY
set -euo pipefail

work=$1
rm -rf "$work"
mkdir -p "$work"
work=$(cd "$work" && pwd)
quiet=(env -u MAKEFLAGS "${MAKE:-make}" -s --no-print-directory "DESTDIR=$work/root" PREFIX=/opt/some)
"${quiet[@]}" install >"$work/install.log" 2>&1 || { cat "$work/install.log"; exit 1; }

# The installed command needs no file of its build folder.
gnomon=$work/root/opt/some/bin/gnomon
cat >"$work/hello.c" <<'C'
#include <stdio.h>
int main(void) {
    return puts("hello") < 0;
}
C
cd "$work"
export PATH=$work/root/opt/some/bin:/usr/bin:/bin
unset GNOMON_SIM_DIR GNOMON_FIRMWARE
"$gnomon" cc -O2 -g -o hello hello.c
[ "$("$gnomon" run ./hello)" = hello ]
"$gnomon" record -q -d sim:small -o hello.gnt ./hello >/dev/null
"$gnomon" report -i hello.gnt | grep -q ' main '
cat >"$work/version.c" <<'C'
#include <libgnomon.h>
int main(void) {
    return 0;
}
C
cc -I"$work/root/opt/some/include" -o version version.c -L"$work/root/opt/some/lib" -lgnomon
for page in gnomon gnomon-record; do test -s "$work/root/opt/some/share/man/man1/$page.1"; done
bash -n "$work/root/opt/some/share/bash-completion/completions/gnomon"

cd - >/dev/null
"${quiet[@]}" uninstall >/dev/null
left=$(find "$work/root" ! -type d)
[ -z "$left" ] || { echo "left after make uninstall: $left"; exit 1; }
echo "what is installed compiles, runs, records and reports; make uninstall leaves nothing"
