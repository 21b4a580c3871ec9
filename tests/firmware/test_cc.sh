#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Tests gnomon cc as a replacement of CC: the ways in which build systems call a compiler, and three build systems.
# usage: test_cc.sh WORK_DIRECTORY ZLIB_SOURCE_DIRECTORY
set -u
here=$(cd "$(dirname "$0")" && pwd)
zlib=$(cd "$2" && pwd)
rm -rf "$1" && mkdir -p "$1" && cd "$1" || exit 1
cp "$here"/cc/* .
failed=0

check() { # check NAME COMMAND...: the command succeeds
  local name=$1
  shift
  if "$@" >out 2>err; then
    echo "pass  $name"
  else
    echo "FAIL  $name: $*"
    sed 's/^/      /' out err | head -n 20
    failed=$((failed + 1))
  fi
}
profiled() { # the image has hooks, all of them right
  PYTHONPATH=$here python3 - "$1" "${2:-1}" <<'PYTHON'
import sys
import image
firmware = image.Image(sys.argv[1])
jumps = [f.name for f in firmware.functions]
errors = image.check(firmware, jumps)
print("\n".join(errors), firmware.total)
sys.exit(bool(errors) or firmware.total < int(sys.argv[2]))
PYTHON
}
says() { # says PATTERN COMMAND...: standard output and error match
  local pattern=$1
  shift
  "$@" 2>&1 | grep -qE -- "$pattern"
}

cc=(gnomon cc)
check "compile and link at once" "${cc[@]}" -O2 -o at-once.elf hello.c name.c
check "  it is profiled" profiled at-once.elf 2
check "-c" "${cc[@]}" -g -c hello.c
check "-c -o" "${cc[@]}" -c name.c -o other-name.o
check "link of objects" "${cc[@]}" -o linked hello.o other-name.o
check "  it is profiled" profiled linked 2
check "a.out without -o" "${cc[@]}" hello.c name.c
check "  it is there" test -s a.out
check "-E" says 'Good day' "${cc[@]}" -E hello.c
check "-S" says 'sb[[:space:]]+ra,%lo' "${cc[@]}" -S name.c -o -
check "-MM" says '^hello\.o: hello\.c greeting\.h' "${cc[@]}" -MM hello.c
check "-MD -MF" "${cc[@]}" -MD -MF hello.d -c hello.c
check "  dependencies written" grep -q greeting.h hello.d
check "-v" says '^gcc version 12' "${cc[@]}" -v
check "--version" says 'Free Software Foundation' "${cc[@]}" --version
check "-dumpmachine" says '^riscv64-unknown-elf$' "${cc[@]}" -dumpmachine
check "-print-file-name" says '^/.*libgcc\.a$' "${cc[@]}" -print-file-name=libgcc.a
check "-print-multi-directory has no atomics" says '^rv32im/ilp32$' "${cc[@]}" -print-multi-directory
check "standard input" bash -c 'echo "int main(void) { return 0; }" | gnomon cc -x c - -o stdin.elf'
check "  it is profiled" profiled stdin.elf
printf '%s\n' '-O1 -g' 'hello.c name.c' '-o response.elf' >args
check "response file" "${cc[@]}" @args
check "  it is profiled" profiled response.elf 2
echo 'QUOTED' >quoted.c
check "quotes in -D" says '^"Hi there"$' "${cc[@]}" -E -P '-DQUOTED="Hi there"' quoted.c
check "a folder with a space" bash -c 'mkdir -p "a b" && cp hello.c name.c greeting.h "a b" && gnomon cc "a b/hello.c" "a b/name.c" -o "a b/x.elf"'
check "-r" bash -c 'gnomon cc -r -nostdlib hello.o other-name.o -o part.o && gnomon cc part.o -o whole.elf'
check "options of hosted compilers" "${cc[@]}" -pthread -rdynamic -pie -O2 hello.c name.c -o hosted.elf
check "build id" says 'Build ID: [0-9a-f]{40}' riscv64-unknown-elf-readelf -n at-once.elf
check "atexit, setjmp, math link" bash -c \
  'echo "#include <math.h>
#include <stdlib.h>
static void f(void) {}
int main(int c, char **v) { (void)v; atexit(f); return (int)pow(c, 1.5); }" | gnomon cc -O2 -x c - -lm -o math.elf'
check "errors are the compiler's" bash -c '! gnomon cc -c no-such-file.c && test $(gnomon cc -c no-such-file.c 2>&1 | grep -c "no-such-file.c: No such file") = 1'
check "a missing function fails the link (configure relies on it)" bash -c \
  '! (echo "char nonsense(void); int main(void) { return nonsense(); }" | gnomon cc -x c - -o conftest)'
check "help" says -- '--gnomon-exclude' "${cc[@]}" --help

rm -f *.o
check "plain make" env -u MAKEFLAGS -u MAKELEVEL make -f project.mk CC="gnomon cc" CFLAGS="-O2 -g"
check "  it is profiled" profiled hello 2

if command -v cmake >/dev/null; then
  check "CMake" env CC="gnomon cc" cmake -S . -B cmake-build
  check "CMake's build" cmake --build cmake-build
  check "  it is profiled" profiled cmake-build/hello 2
else
  echo "SKIP  CMake: cmake is not installed"
fi

check "zlib's configure and make" test -s "$zlib/libz.a" -a -x "$zlib/minigzip"
check "  configure found the compiler and its library" grep -q 'Checking for vsnprintf() in stdio.h... Yes' "$zlib/configure.log"
check "  minigzip is profiled" profiled "$zlib/minigzip" 50
check "  example is profiled" profiled "$zlib/example" 50

echo "$failed failed"
exit $((failed > 0))
