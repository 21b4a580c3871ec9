#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes API profiles for the tests of the page.

usage: make_profile.py kinds|later|hostile|big FILE
kinds: several programs, builds, scenarios, sizes, devices, costs and modules, every doubt, sums at their largest values; later: the same
with some functions slower; hostile: names that try to be more than text; big: 10,000 functions in 5 sources."""
import random
import sys

from profile_file import gnp_bytes

MOST = 2**64 - 1
LOSS, COUNTS, UNSEEN, DEEP = 1, 2, 4, 8


def filled(values):
    """The figures of a row whose calls cost these values."""
    buckets = {}
    for value in values:
        log2 = min(31, max(0, value.bit_length() - 1))
        count, total, squares = buckets.get(log2, (0, 0, 0))
        buckets[log2] = count + 1, total + value, squares + value * value
    return {"buckets": buckets, "least": min(values), "most": max(values)}


def around(rng, mean, count):
    return [max(0, int(rng.lognormvariate(0, 0.6) * mean)) for _ in range(count)]


def kinds(factor=1):
    rng = random.Random(7)
    sources = [("viewer.elf", build, scenario, size, device, runs, 10**6 * runs)
               for build in ("aa" * 20, "ab" * 20)
               for scenario, size in (("small picture", 64), ("large picture", 1024), ("start", 0))
               for device, runs in (("sim:full", 3), ("usb:ulx3s", 2))]
    sources.append(("", "", "", 0, "", 1, 0))
    sources.append(("zip.elf", "cc" * 20, "text", 4096, "sim:full", MOST, MOST))
    rows = []
    for source in range(12):
        size = sources[source][3] or 10
        for number in range(40):
            mean = (number + 1) * size * (factor if number == 11 and source < 6 else 1)
            values = around(rng, mean, 3 + number % 9)
            module = {"module": "libpng.so", "build": "dd" * 20} if number % 4 == 3 else {}
            rows.append({"source": source, "function": f"png_{number}", "file": f"src/png/part{number % 5}.c", "line": 10 * number + 1, "cost": "cycles",
                         **filled(values), **module, "doubt": LOSS if (source, number) == (2, 5) else UNSEEN if (source, number) == (3, 6) else 0, "lost": 3 if (source, number) == (3, 6) else 0})
            if number % 3 == 0:
                rows.append({"source": source, "function": f"png_{number}", "file": f"src/png/part{number % 5}.c", "line": 10 * number + 1, "cost": "bytes",
                             **filled(around(rng, size, 5)), **module, "doubt": DEEP if number == 9 else 0})
    counted = {"buckets": {4: (10, 0, 0), 5: (7, 0, 0)}, "doubt": COUNTS}
    rows.append({"source": 12, "function": "_ZN3img6decodeEPKc", "cost": "cycles", **counted})
    rows.append({"source": 13, "function": "deflate", "file": "deflate.c", "line": 7, "cost": "cycles", "buckets": {20: (MOST, MOST, 2**128 - 1), 31: (5, 5 * 2**40, 5 * 2**80)}, "least": 2**20, "most": MOST})
    rows.append({"source": 13, "function": "inflate", "file": "inflate.c", "line": 9, "cost": "cycles", **filled([2**62, 2**62 + 1, 7])})
    for name, cycles in (("[unprofiled]", 0), ("[lost]", 12), ("deflate", 500)):
        rows.append({"source": 13, "function": name, "cost": "own-cycles", **filled([cycles])})
    rows.append({"source": 13, "function": "unseen", "cost": "cycles", "buckets": {}, "doubt": UNSEEN, "lost": MOST})
    return sources, rows


def hostile():
    names = ["<script>window.broken=1</script>", '<img src=x onerror="window.broken=1">', '"></td><svg onload="window.broken=1">', "${window.broken=1}", "'); window.broken=1; ('",
             "long_" + "x" * 5000, "\u202Egnp.live\u202C", "\u05E9\u05DC\u05D5\u05DD \u0645\u0631\u062D\u0628\u0627", "a\u0007b\u001B[31mc\td\ne", "\u200B", "__proto__", "constructor", "</script><script>window.broken=1</script>", "%s%n%x", "\\u003cb\\u003e", "&lt;b&gt;"]
    sources = [(name, name[:40], name, 5, name) + (1, 1) for name in names[:5]]
    rows = [{"source": i, "function": name, "file": name + ".c", "line": 1, "cost": cost, "module": name, **filled([1, 5, 9])} for i in range(len(sources)) for name in names for cost in ("cycles", names[0])]
    return sources, rows


def big():
    rng = random.Random(1)
    sources = [("large.elf", "ee" * 20, f"scenario {i}", 0, "sim:full", 1, 10**9) for i in range(5)]
    shapes = [filled(around(rng, rng.choice([5, 80, 3000, 10**5]), rng.choice([1, 20, 200]))) for _ in range(500)]
    rows = [{"source": i, "function": f"function_{number:05}", "file": f"src/part{number % 100}.c", "line": number + 1, "cost": "cycles", **shapes[(number * 7 + i * 3) % 500]}
            for i in range(5) for number in range(10000)]
    return sources, rows


def main():
    kind, path = sys.argv[1:]
    made = {"kinds": kinds, "later": lambda: kinds(3), "hostile": hostile, "big": big}[kind]()
    with open(path, "wb") as file:
        file.write(gnp_bytes(*made))


if __name__ == "__main__":
    main()
