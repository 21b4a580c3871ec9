#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Assembles the program of gnomon_trace_encoder: a Verilog header with the codes of its fields, or one with the words of its memory, for
narrow and for wide entries, and for wide ones with data.

usage: assemble_encoder.py codes|words gnomon_trace_encoder.prog

A line is an instruction, behind labels ('name:'), and says what follows it (if nothing, the next line):
goto LABEL                       that instruction
if CONDITION LABEL [else LABEL]  one of two
form LABEL..., kind LABEL...     the one of that number; '-': never
A line that begins with [data] is for entries with data only; elsewhere its label is '-'.
Several instructions each: load FIELD reads its bytes into the value; measure FIELD notes which bytes from the third on are not 0;
sum FIELD adds it to the image's sum of losses; leb FIELD sends it as LEB128.

Instructions have no order in memory: each has the address of what follows it. The condition is the lowest bit of this address. So
the two instructions that a condition selects are neighbours, and one that is selected in several places has several addresses.
"""
import re
import sys

WORDS = 256
CONDITIONS = ["never", "always", "ready", "begin", "flush", "more", "last", "kind"]
# The operation has 6 bits: a group, then flags or a code.
AIM, PASS, EMIT, OTHER = 0, 16, 32, 48
SUBTRACTS, SUMS = 8, 4  # of AIM; the first byte is in the condition and the two lowest bits
ENTRY, TAKES = 8, 4  # of PASS: a byte of the entry (else 0); `high` takes the sum
WINDOW, MEASURE, SUM, TIME = range(4)  # of PASS
OPERATIONS = {
    "byte": EMIT + ENTRY, "zero": EMIT, "head": EMIT + 1, "first": EMIT + 2, "aux": EMIT + 3, "low": EMIT + 4, "leb": EMIT + 5, "pad": EMIT + 6,
    "idle": OTHER + SUBTRACTS, "poll": OTHER + 1, "clear": OTHER + 2, "shift": OTHER + ENTRY + 3, "done": OTHER + 4, "select": OTHER + 5,
}  # fmt: skip
# Operations that load the first byte of a field, as `aim` does: their codes and conditions are this number.
LOADS = (("idle", "ready", "time"), ("first", "never", "number"))
# By width of the entry: first byte of each field, and its bytes (docs: gnomon_trace_entry.vh).
FIELDS = {
    "narrow": {"header": (0, 28), "number": (2, 2), "data": (4, 4), "time": (8, 6), "lock": (23, 5), "access": (1, 5), "enters": (2, 3), "exits": (5, 3), "others": (8, 2), "cycles": (10, 4)},
    "data": {"header": (0, 28), "number": (29, 3), "data": (4, 4), "time": (8, 8), "lock": (20, 5), "written": (20, 9), "made": (25, 4), "access": (1, 5), "enters": (2, 4), "exits": (6, 4), "others": (10, 4), "cycles": (14, 6)},
    "wide": {"header": (0, 28), "number": (28, 3), "data": (4, 4), "time": (8, 8), "lock": (23, 5), "access": (1, 5), "enters": (2, 4), "exits": (6, 4), "others": (10, 4), "cycles": (14, 6)},
}  # fmt: skip


class Problem(Exception):
    pass


class Node:
    """An instruction: operation, condition, and what follows it: a list of one or two nodes, or of all that a number selects."""

    def __init__(self, operation, condition="never", table=False):
        self.operation, self.condition, self.table = operation, condition, table
        self.following = []


def aim(fields, field, flags=0, byte=0):
    first = fields[field][0] + byte if field else 0
    return Node(AIM + flags + first % 4, CONDITIONS[first // 4])


def expand(verb, fields, field):
    """The instructions of a line."""
    size, width = fields[field][1] if field else 0, fields["time"][1]
    byte = lambda i, code: Node(PASS + code + ENTRY * (i < size) + TAKES * (i < 2 and code != SUM))
    if verb == "load":
        return [byte(i, TIME) for i in range(width)]
    if verb == "measure":
        # The two bytes that `leb` reads first move the others to their places. What was sent before has left only zeros, so a value of two
        # bytes needs no measure.
        return [aim(fields, field, byte=2)] + [byte(i, MEASURE) for i in range(2, width)] if size > 2 else []
    if verb == "sum":
        return [aim(fields, field, SUMS)] + [byte(i, SUM) for i in range(4)]
    if verb == "leb":
        leb, shifts = Node(OPERATIONS["leb"], "more"), [Node(OPERATIONS["shift"]) for _ in range(7)]
        for one, other in zip(shifts, (*shifts[1:], leb)):
            one.following = [other]
        leb.following = [None, shifts[0]]
        return [aim(fields, field, SUBTRACTS if field == "time" else 0)] + [byte(i, WINDOW) for i in range(2)] + [leb]
    if verb in ("aim", "skip"):
        return [aim(fields, field, SUBTRACTS if field == "header" else 0)]
    if verb not in OPERATIONS:
        raise Problem(f"no '{verb}' among {', '.join(OPERATIONS)}")
    return [Node(OPERATIONS[verb])]


def parse(lines, fields):
    """The first node. All others follow from it."""
    labels, absent, chain, waiting, first = {}, {}, [], [], None
    open_ends = []  # of the line before: (node, place)
    for number, line in enumerate(lines, 1):
        line = line.split("#")[0].strip()
        if line.startswith("[data]"):
            line = line[len("[data]"):].strip()
            if fields is not FIELDS["data"]:
                absent.update((name, "-") for name in re.findall(r"(\w+):", line))
                continue
        try:
            while match := re.match(r"(\w+):\s*", line):
                waiting.append(match[1])
                line = line[match.end():]
            if not line:
                continue
            words = line.split()
            verb, *rest = words
            field = rest.pop(0) if rest and rest[0] in fields else None
            nodes = expand(verb, fields, field)
            if not nodes:  # its labels are the next line's
                continue
            first = first or nodes[0]
            for name in waiting:
                labels[name] = nodes[0]
            waiting = []
            for node, place in open_ends:
                node.following[place] = nodes[0]
            for one, other in zip(nodes, nodes[1:]):
                one.following = [other]
            last, open_ends = nodes[-1], []
            if not rest:
                last.following = last.following or [None]
                open_ends = [(last, 0)]
            elif rest[0] == "goto":
                last.following = [rest[1]]
            elif rest[0] == "if":
                last.condition = rest[1]
                last.following = [rest[4] if rest[3:4] == ["else"] else None, rest[2]]
                open_ends = [(last, 0)] if last.following[0] is None else []
            elif rest[0] in ("form", "kind"):
                last.condition, last.table, last.following = "kind" if rest[0] == "kind" else "never", True, rest[1:]
            else:
                raise Problem(f"what is '{' '.join(rest)}'?")
            chain += nodes
        except Problem as problem:
            sys.exit(f"{sys.argv[2]}:{number}: {problem}")
    for node in chain:
        node.following = [{**absent, **labels}[one] if isinstance(one, str) and one != "-" else one for one in node.following]
    return first


class Memory:
    def __init__(self):
        self.words, self.nodes, self.at, self.groups = {}, {}, {}, {}

    def put(self, nodes, size):
        """Neighbours, from a multiple of `size` on."""
        key = tuple(id(one) for one in nodes)
        if key not in self.groups:
            start = next((a for a in range(0, WORDS, size) if not any(a + i in self.nodes for i in range(size))), None)
            if start is None:
                sys.exit(f"{sys.argv[2]}: the program has more than {WORDS} instructions")
            self.groups[key] = start
            for i in range(size):
                node = nodes[i] if i < len(nodes) and nodes[i] != "-" else None
                self.nodes[start + i] = node
                if node:
                    self.at.setdefault(id(node), []).append(start + i)
        return self.groups[key]

    def single(self, node, even):
        """An address of the node; a free one if it has none."""
        for at in self.at.get(id(node), []):
            if not (even and at & 1):
                return at
        at = next((a for a in range(0, WORDS, 2 if even else 1) if a not in self.nodes), None)
        if at is None:
            sys.exit(f"{sys.argv[2]}: the program has more than {WORDS} instructions")
        self.nodes[at] = node
        self.at.setdefault(id(node), []).append(at)
        return at

    def word(self, node):
        if node.table:
            next_ = self.put(node.following, 16 if node.condition == "kind" else 8)
        elif len(node.following) == 2:
            next_ = self.put(node.following, 2)
        elif node.operation < PASS:  # `aim` has no condition
            next_ = self.single(node.following[0], True)
        else:
            next_ = self.single(node.following[0], False)
            node.condition = "always" if next_ & 1 else "never"
        # The lowest bit of an address is the condition.
        condition = CONDITIONS.index(node.condition)
        for name, when, field in LOADS:
            if node.operation == OPERATIONS[name] and node.condition == when and condition * 4 + node.operation % 4 != FIELDS["narrow"][field][0]:
                sys.exit(f"{sys.argv[0]}: the code of '{name}' is not the first byte of '{field}'")
        return next_ >> 1 << 9 | condition << 6 | node.operation


def assemble(lines, fields):
    memory = Memory()
    # Tables first: they need aligned room. The first instruction is at 0.
    first = parse(lines, fields)
    memory.single(first, True)
    seen, stack = set(), [first]
    while stack:
        node = stack.pop()
        if id(node) in seen or node in (None, "-"):
            continue
        seen.add(id(node))
        if node.table:
            memory.put(node.following, 16 if node.condition == "kind" else 8)
        stack += node.following
    words = {}
    while missing := [at for at, node in memory.nodes.items() if node and at not in words]:
        for at in missing:
            words[at] = memory.word(memory.nodes[at])
    return words


def main():
    if len(sys.argv) != 3 or sys.argv[1] not in ("codes", "words"):
        sys.exit(__doc__)
    with open(sys.argv[2], encoding="ascii") as source:
        lines = source.read().splitlines()
    print("// Made by tools/assemble_encoder.py.")
    if sys.argv[1] == "codes":
        print("/* verilator lint_off UNUSEDPARAM */")
        for value, name in enumerate(CONDITIONS):
            print(f"localparam [2:0] IF_{name.upper()} = {value};")
        for name, value in (("aim", AIM), ("pass", PASS), ("emit", EMIT), ("other", OTHER), ("sum", SUM), ("time", TIME)):
            print(f"localparam [5:0] {name.upper()} = {value};")
        for name, value in OPERATIONS.items():
            print(f"localparam [5:0] DO_{name.upper()} = {value};")
        for name, width, field in (("time", "narrow", "time"), ("lock", "wide", "lock"), ("wide_number", "wide", "number"), ("data_lock", "data", "lock"), ("data_number", "data", "number")):
            print(f"localparam [4:0] FIRST_{name.upper()} = {FIELDS[width][field][0]};")
        print("/* verilator lint_on UNUSEDPARAM */")
        return
    print("reg [15:0] words[0:255];\ngenerate")
    for head, width in (("  if (LOCK_DATA != 0) begin : g_data", "data"), ("  end else if (WIDE != 0) begin : g_wide", "wide"), ("  end else begin : g_narrow", "narrow")):
        words = assemble(lines, FIELDS[width])
        print(f"{head}\n    initial begin")
        for at in range(WORDS):
            print(f"      words[{at}] = 16'h{words.get(at, 0):04x};")
        print("    end")
    print("  end\nendgenerate")


if __name__ == "__main__":
    main()
