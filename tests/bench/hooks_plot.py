# SPDX-License-Identifier: Apache-2.0
"""Draws the results of bench_hooks.py: cycles per call over the number of functions, a panel for each machine and
pattern."""
import math

COLOURS = {"watch": "#000000", "store": "#d62728", "hardware": "#e7969c", "array": "#1f77b4", "pointers": "#17becf", "graph": "#9edae5", "open": "#2ca02c", "chained": "#98df8a", "search": "#9467bd",
           "tree": "#8c564b", "mcount": "#ff7f0e", "instrument": "#7f7f7f"}
OTHERS = ("#e377c2", "#bcbd22")
WIDE, HIGH, LEFT, TOP, GAP = 250, 230, 56, 30, 46


def text(x, y, words, more=""):
    return f'<text x="{x:.1f}" y="{y:.1f}" {more}>{words}</text>'


def panel(rows, title, x0, y0, colours, top):
    """Draws one diagram with logarithmic scales."""
    counts = sorted({row["functions"] for row in rows})

    def x(count):
        return x0 + WIDE * (math.log2(count / counts[0]) / max(math.log2(counts[-1] / counts[0]), 1))

    def y(cycles):
        return y0 + HIGH * (1 - math.log10(max(cycles, 1)) / math.log10(top))
    parts = [f'<rect x="{x0}" y="{y0}" width="{WIDE}" height="{HIGH}" fill="none" stroke="#999"/>', text(x0, y0 - 8, title, 'font-weight="bold"')]
    for mark in (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000):
        if mark <= top:
            parts += [f'<path d="M{x0} {y(mark):.1f}h{WIDE}" stroke="#ddd"/>', text(x0 - 6, y(mark) + 4, mark, 'text-anchor="end"')]
    parts += [text(x(count), y0 + HIGH + 16, f"{count:,}", 'text-anchor="middle"') for count in counts]
    for method, colour in colours.items():
        points = [(x(row["functions"]), y(row["cycles"])) for row in rows if row["method"] == method]
        if not points:
            continue
        line = " ".join(f"{a:.1f},{b:.1f}" for a, b in sorted(points))
        parts.append(f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="2"/>')
        parts += [f'<circle cx="{a:.1f}" cy="{b:.1f}" r="3" fill="{colour}"/>' for a, b in points]
    return parts


def draw(rows):
    methods = [method for method in dict.fromkeys(row["method"] for row in rows) if method != "none"]
    others = iter(OTHERS)
    colours = {method: COLOURS.get(method) or next(others) for method in methods}
    machines = list(dict.fromkeys(row["machine"] for row in rows))
    patterns = list(dict.fromkeys(row["pattern"] for row in rows))
    top = 1.2 * max(row["cycles"] for row in rows)
    parts = []
    for down, machine in enumerate(machines):
        for across, pattern in enumerate(patterns):
            chosen = [row for row in rows if (row["machine"], row["pattern"]) == (machine, pattern)]
            parts += panel(chosen, f"{machine}, {pattern}", LEFT + across * (WIDE + GAP), TOP + down * (HIGH + GAP + 10), colours, top)
    right = LEFT + len(patterns) * (WIDE + GAP) - GAP + 16
    for place, (method, colour) in enumerate(colours.items()):
        parts += [f'<path d="M{right} {TOP + 8 + 20 * place}h20" stroke="{colour}" stroke-width="3"/>', text(right + 26, TOP + 12 + 20 * place, method)]
    high = TOP + len(machines) * (HIGH + GAP + 10)
    parts.append(text(LEFT, high, "cycles per call, above the same program without hooks, over the number of functions"))
    return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{right + 110}" height="{high + 12}" font-family="sans-serif" font-size="12">'
            f'<rect width="100%" height="100%" fill="#fff"/>{"".join(parts)}</svg>\n')
