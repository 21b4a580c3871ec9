#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draws text as a terminal shows it: an SVG picture on standard output.

usage: text_svg.py COMMAND <TEXT       COMMAND is shown above the text, after a prompt
"""
import sys
from xml.sax.saxutils import escape

SIZE, WIDTH, HEIGHT, MARGIN = 13, 7.83, 18, 14  # font size, letter's size and margin around the text, in pixels


def main():
    lines = [f"$ {sys.argv[1]}", *sys.stdin.read().rstrip("\n").split("\n")]
    columns = max(map(len, lines))
    width, height = round((columns + 1) * WIDTH + 2 * MARGIN), len(lines) * HEIGHT + 2 * MARGIN
    print(f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" font-family="DejaVu Sans Mono, Menlo, Consolas, monospace" '
          f'font-size="{SIZE}">')
    print('<rect width="100%" height="100%" rx="6" fill="#1e1e2e"/>')
    for number, line in enumerate(lines):
        colour = "#a6e3a1" if number == 0 else "#f9e2af" if line.startswith("#") else "#cdd6f4"
        # Each letter has a fixed position, so the columns are right with any font.
        print(f'<text x="{MARGIN}" y="{MARGIN + number * HEIGHT + SIZE}" fill="{colour}" xml:space="preserve" textLength="{len(line) * WIDTH:.0f}">'
              f"{escape(line)}</text>")
    print("</svg>")


if __name__ == "__main__":
    main()
