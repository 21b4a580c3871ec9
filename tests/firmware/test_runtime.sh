#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Tests the runtime on the simulated board: start, console, arguments, files, heap, ends, interrupts, and the cost of
# hooks.
# usage: test_runtime.sh WORK_DIRECTORY ZLIB_SOURCE_DIRECTORY
set -u
here=$(cd "$(dirname "$0")" && pwd)
zlib=$(cd "$2" && pwd)
rm -rf "$1" && mkdir -p "$1/native/out" && cd "$1" || exit 1
cp /usr/share/common-licenses/GPL-3 input
cp input native/input
failed=0

check() { # check NAME COMMAND...: the command succeeds
  local name=$1
  shift
  if "$@" >out.log 2>&1; then
    echo "pass  $name"
  else
    echo "FAIL  $name: $*"
    head -n 20 out.log | sed 's/^/      /'
    failed=$((failed + 1))
  fi
}
compile() { # compile NAME FLAGS...: makes NAME.elf
  local name=$1
  shift
  gnomon cc -g -Wall -Wextra -Werror "$@" -o "$name.elf" "$here/runtime/$name.c"
}
natively() { cc -O1 -D_GNU_SOURCE -o "native/$1" "$here/runtime/$1.c"; }
run() { # run EXPECTED_STATUS ELF ARGUMENT...: writes the console to `console`
  local expected=$1 status=0
  shift
  gnomon run -d "${device:-sim:full}" "$@" >console 2>messages || status=$?
  [ "$status" -eq "$expected" ] || {
    echo "status $status, not $expected"
    cat console messages
    return 1
  }
}
like_native() { # like_native EXPECTED_STATUS NAME ARGUMENT...: same status and standard output as on the host
  local name=$2 status=0
  run "$1" "$name.elf" -- "${@:3}" || return 1
  (cd native && "./$name" "${@:3}" >output 2>errors) || status=$?
  [ "$status" -eq "$1" ] && cmp console native/output
}

complete() { diff <(grep -v '^stderr' console) <(grep '' native/output); } # grep completes the last line on both sides

for name in start heap arguments files; do
  check "compile $name natively" natively $name
done
(cd native && ./files input >/dev/null)
for flags in "-O2" "-Os -flto"; do
  for name in start arguments files; do
    # shellcheck disable=SC2086  # words on purpose
    check "compile $name $flags" compile $name $flags
  done
  check "start $flags" like_native 0 start
  check "arguments $flags" like_native 4 arguments one "two words" "" "--help"
  check "files $flags" run 0 --get out/big.bin=big.bin --get out/text.txt=text.txt --get out/renamed.txt=renamed.txt \
    --get out/empty=empty files.elf -- input
  for file in big.bin text.txt renamed.txt empty; do
    check "  $file comes back" cmp "$file" "native/out/$file"
    rm -f "$file"
  done
done
check "compile heap" compile heap -O1
check "heap" run 0 heap.elf
check "no arguments" run 0 arguments.elf

for flags in "-O2" "-Os -flto"; do
  # shellcheck disable=SC2086
  check "compile posix $flags" compile posix $flags
done
check "calls of POSIX" run 0 --get out/left-open.txt=left-open.txt --get out/also.txt=also.txt posix.elf -- input
check "  wide output" grep -q '^wide 7 words$' console
check "  a stream left open is flushed" grep -qx 'not closed' left-open.txt
check "  also one on a descriptor" grep -qx 'nor this' also.txt

check "compile console" compile console -O2
check "compile console natively" natively console
check "console" run 0 console.elf
# Standard error uses the same console on the board; natively it is separate.
(cd native && ./console >output 2>errors)
check "  nothing is lost" complete
check "  nor on standard error" bash -c 'diff <(grep "^stderr" console) native/errors'
device=sim:small check "console on sim:small" run 0 console.elf
check "  nothing is lost" complete

check "compile ending" compile ending -O2
check "exit status" run 42 ending.elf
check "abort" run 134 ending.elf -- abort
check "NULL pointer" run 139 ending.elf -- null
check "  after what was printed before" grep -q 'ending by null' console
check "illegal instruction" run 132 ending.elf -- illegal

# The C++ library. The runtime's part of it also runs natively, and must meet the headers' expectations.
parts=("$here"/../../firmware/runtime/libc/cxx_tree.cc "$here"/../../firmware/runtime/libc/cxx_containers.cc)
check "compile tree natively" g++ -std=c++17 -O1 -o native/tree "$here/runtime/tree.cc" "${parts[@]}"
check "trees are balanced, lists whole" native/tree
check "compile library natively" g++ -std=c++17 -O1 -o native/library "$here/runtime/library.cc" "${parts[@]}"
for flags in "-O2" "-Os -flto"; do
  # shellcheck disable=SC2086
  check "compile library $flags" gnomon c++ -std=c++17 -g -Wall -Wextra -Werror $flags -o library.elf "$here/runtime/library.cc"
  check "the C++ library $flags" like_native 0 library
done
check "what would throw ends the program" run 134 library.elf -- range
check "  and says why" grep -q 'std::out_of_range: vector::_M_range_check: __n (which is 7) >= this->size() (which is 3)' console
check "so does a lack of memory" run 134 library.elf -- memory
check "  and says so" grep -q 'operator new: no memory' console

echo '#include <iostream>' >streams.cc
check "iostreams are refused by name" bash -c 'gnomon c++ -c streams.cc 2>&1 | grep -q "gnomon c++ has no iostreams"'

# ISA strings with extensions: the library must be one of 32 bits.
for set in rv32imac_zba_zbb_zbs rv32im_zbb rv32imc_zicsr_zba; do
  check "compile bits for $set" compile bits -O2 -march=$set
  check "  runs" run 0 bits.elf
done
check "  with -flto" compile bits -O2 -flto -march=rv32imac_zba_zbb_zbs
check "  runs" run 0 bits.elf
check "  uses the instructions" bash -c 'riscv64-unknown-elf-objdump -d bits.elf | grep -qE "\s(rori|ror|rol|andn|cpop|max)\s"'
check "  the compiler says which library" bash -c \
  '[ "$(gnomon cc -march=rv32imac_zba -print-multi-directory)" = rv32imac/ilp32 ]'

for flags in "-O2" "-O0"; do
  # shellcheck disable=SC2086
  check "compile interrupts $flags" compile interrupts $flags
  check "interrupts $flags" run 0 interrupts.elf
done

for flags in "-O2" "-O0"; do
  # shellcheck disable=SC2086
  check "compile counters $flags" compile counters $flags
  check "counters $flags" run 0 counters.elf
  check "compile tags $flags" compile tags $flags
  check "tags $flags" run 0 tags.elf
done

check "compile cost" compile cost -O2
check "hooks cost 2 cycles per call" run 0 cost.elf
sed 's/^/      /' console

check "zlib's own example program" run 0 "$zlib/example"
check "  says the same as ever" grep -q 'inflate(): hello, hello!' console

echo "$failed failed"
exit $((failed > 0))
