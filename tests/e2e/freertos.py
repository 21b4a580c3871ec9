#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""FreeRTOS: counts and reports task switches without a THREAD message, in records and in events; a kernel that sends
the messages has none.

usage: freertos.py UNTOLD TOLD   (programs of tests/firmware/freertos; results go to build/e2e)
"""
import sys

from checking import fail
from e2e import OUT, report
from stacks import gnomon


def unseen(elf, name, *options):
    trace = OUT / f"{name}.gnt"
    status, text = gnomon("record", "full", "-q", "-o", str(trace), *options, elf)
    if status:
        fail(f"{name}: status {status}, {text}")
    _, result = report(trace)
    return result, sum(reason["count"] for reason in result["reasons"] if reason["id"] == "unseen-switches")


def main():
    untold, told = sys.argv[1:]
    counts = set()
    for options in (["--records"], ["--events"]):
        result, count = unseen(untold, f"freertos{options[0]}", *options)
        switches = next(f["calls"] for f in result["functions"] if f["name"] == "vTaskSwitchContext")
        if not 0 < count <= switches:
            fail(f"{count} switches unseen, the kernel was asked for {switches}")
        counts.add(count)
        _, count = unseen(told, f"freertos-told{options[0]}", *options)
        if count:
            fail(f"{count} switches unseen that were told")
    if len(counts) != 1:
        fail(f"records and events differ: {counts}")
    print(f"FreeRTOS: {counts.pop()} unannounced switches")


if __name__ == "__main__":
    main()
