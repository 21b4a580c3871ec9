#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Puts into the current folder the files that the commands of a page of the documents use.
# usage: prepare.sh PAGE ROOT
set -euo pipefail
page=$1 root=$2
gpl=/usr/share/common-licenses/GPL-3
programs=$root/tests/docs/programs
cp "$root/build/demo/zlib.elf" .
case $page in
  README.md) cp "$programs"/{hello,pool,words}.c $gpl . ;;
  docs/guide/annotate.md)
    head -c 3000 $gpl >gpl
    head -c 600 $gpl >text
    # What `gnomon annotate` reads: an earlier part of the page says how it is recorded.
    gnomon record -q --cpi all zlib.elf -- gpl gpl.z
    ;;
  docs/guide/api.md)
    cp "$programs"/{primes,sort}.c .
    {
      printf '%s\n' 'program = "sort.elf"' 'functions = ["fill", "*_sort", "find", "mix"]' 'output = "sort.gnp"'
      printf '[[scenario]]\nname = "sort"\nsize = %d\narguments = ["%d"]\n' 16 16 32 32 64 64 128 128 256 256 512 512
    } >sort.toml
    printf '%s\n' 'primes = "*primes.c"' '"start and end" = ["firmware/runtime/start/*"]' >libraries.toml
    printf '%s\n' '"C library" = ["*/newlib/*", "*/picolibc/*", "firmware/runtime/libc/*"]' >>libraries.toml
    ;;
  docs/guide/exhaust.md) cp "$programs"/letters.{c,h,toml} "$programs/ignore.c" . ;;
  docs/guide/callers.md) cp "$root/tests/firmware/callers/ways.c" . ;;
  docs/guide/diff.md)
    cp "$programs/primes.c" .
    printf '%s\n' 'max primes:+2%' 'max-calls is_prime:201' >limits.txt
    ;;
  docs/guide/editors.md) cp "$programs/sort.c" . ;;
  docs/guide/export.md)
    head -c 600 $gpl >text
    gnomon record -q --events zlib.elf -- text text.z
    ;;
  docs/guide/find.md | docs/guide/top.md) cp $gpl . ;;
  docs/guide/firmware.md)
    cp "$programs"/{hello,viewer,blur}.c .
    cp "$root/tests/firmware/overlays/foreign.c" overlays.c
    gnomon cc -O2 -c hello.c # the object of *.o
    ;;
  docs/guide/heap.md) cp "$programs"/{words,stale}.c . ;;
  docs/guide/latency.md) cp "$root/tests/e2e/programs/waits.c" ticking.c ;;
  docs/internals/host.md) gnomon c++ -O2 -g -o prog "$root/tests/e2e/programs/dying.cpp" ;;
  docs/guide/locks-program.md | docs/guide/threads.md) cp "$programs/pool.c" . ;;
  docs/guide/locks.md)
    cp "$programs/pool.c" .
    gnomon cc --gnomon-locks -O2 -g -o pool.elf pool.c
    gnomon record -q --events pool.elf >/dev/null
    gnomon cc -O2 -g -o program.elf pool.c
    ;;
  docs/guide/report.md)
    mkdir -p build/demo build/e2e
    head -c 600 $gpl >text
    gnomon record -q -o build/demo/zlib.gnt zlib.elf -- $gpl zlib.z
    gnomon record -q -o build/e2e/interrupts-O2.records.gnt "$root/build/e2e/interrupts-O2" 1009 >/dev/null
    ;;
  docs/guide/sample.md) cp $gpl "$programs/primes.c" . ;;
  docs/guide/tag.md | docs/guide/trace.md | docs/guide/ui.md) head -c 600 $gpl >text ;;
  docs/guide/boards/README.md) gnomon cc -O2 -g -o program "$programs/hello.c" ;;
esac
