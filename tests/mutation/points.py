# SPDX-License-Identifier: Apache-2.0
"""Finds the points at which a Verilog source can be changed, and makes the text with many changes at once, each with a
switch.

Reads the Verilog subset of rtl/ (no functions, no macros): finds the expressions of assignments, conditions, case
labels and ports, parses them, and offers likely mistakes for each node. It skips constant expressions, declarations,
initial blocks and simulation-only parts.
"""
import re

TOKEN = re.compile(r"""
    (?P<skip>\s+|//[^\n]*|/\*.*?\*/|\(\*(?!\)).*?\*\))
  | (?P<directive>`\w+[^\n]*)
  | (?P<string>"[^"]*")
  | (?P<number>\d*\s*'\s*s?[bodhBODH][0-9a-fA-FxXzZ_?]+|\d[\d_]*)
  | (?P<word>[A-Za-z_$][\w$]*)
  | (?P<op><<<|>>>|===|!==|<<|>>|<=|>=|==|!=|&&|\|\||~&|~\||~\^|\+:|-:|[-+*/%&|^~!<>?:=,;.()\[\]{}@#])
""", re.X | re.S)
BINARY = [["||"], ["&&"], ["|"], ["^", "~^"], ["&"], ["==", "!=", "===", "!=="], ["<", "<=", ">", ">="], ["<<", ">>", "<<<", ">>>"],
          ["+", "-"], ["*", "/", "%"]]
OTHER = {"|": "&", "&": "|", "^": "|", "~^": "^", "||": "&&", "&&": "||", "==": "!=", "!=": "==", "<": "<=", "<=": "<",
         ">": ">=", ">=": ">", "+": "-", "-": "+", "<<": ">>", ">>": "<<"}


class Point:
    """One change: text replaces the characters first..last of a file."""

    def __init__(self, file, line, first, last, old, new, kind):
        self.file, self.line, self.first, self.last, self.old, self.new, self.kind = file, line, first, last, old, new, kind

    def what(self):
        def short(text):
            text = " ".join(text.split())
            return text if len(text) <= 90 else text[:60] + " ... " + text[-25:]
        return f"{short(self.old)}  ->  {short(self.new)}"


class Branch:
    """A condition, the conditions under which it counts, and the end of its module item."""

    def __init__(self, line, guards, condition):
        self.line, self.guards, self.condition, self.end = line, guards, condition, None


class Reader:
    def __init__(self, file, text):
        self.file, self.text = file, text
        self.branches, self.guards, self.loops = [], [], 0
        self.tokens = []
        place, hidden = 0, 0
        while place < len(text):
            match = TOKEN.match(text, place)
            if not match:
                raise SyntaxError(f"{file}: {text[place:place + 30]!r}")
            place = match.end()
            if match.lastgroup == "directive":
                word = match.group().split()
                if word[0] == "`ifndef" and word[1] == "SYNTHESIS":
                    hidden = 1
                elif word[0] == "`endif":
                    hidden = 0
            elif match.lastgroup != "skip" and not hidden:
                self.tokens.append((match.group(), match.lastgroup, match.start(), match.end()))
        self.at = 0
        self.points = []

    # ---- Tokens ----
    def peek(self, ahead=0):
        return self.tokens[self.at + ahead][0] if self.at + ahead < len(self.tokens) else ""

    def take(self, wanted=None):
        token = self.tokens[self.at]
        if wanted is not None and token[0] != wanted:
            line = self.text.count("\n", 0, token[2]) + 1
            raise SyntaxError(f"{self.file}:{line}: {token[0]!r}, not {wanted!r}")
        self.at += 1
        return token

    def skip_to(self, end):
        """Skips to the token after `end`, outside of all brackets."""
        depth = 0
        while True:
            word = self.take()[0]
            if depth == 0 and word == end:
                return
            depth += (word in "([{") - (word in ")]}")

    def skip_brackets(self):
        self.take()
        depth = 1
        while depth:
            word = self.take()[0]
            depth += (word in "([{") - (word in ")]}")

    # ---- Expressions: (first character, last, kind, parts) ----
    def source(self, node):
        return self.text[node[0]:node[1]]

    def offer(self, node, new, kind):
        self.points.append(Point(self.file, self.text.count("\n", 0, node[0]) + 1, node[0], node[1], self.source(node), new, kind))

    def branch(self, place, condition):
        if not self.loops:
            self.branches.append(Branch(self.text.count("\n", 0, place) + 1, list(self.guards), condition))

    def guarded(self, guard, parse):
        self.guards.append(guard)
        node = parse()
        self.guards.pop()
        return node

    def expression(self):
        condition = self.binary(0)
        if self.peek() != "?":
            return condition
        self.branch(condition[0], self.source(condition))
        self.take("?")
        yes = self.guarded(self.source(condition), self.expression)
        self.take(":")
        no = self.guarded(f"!({self.source(condition)})", self.expression)
        node = (condition[0], no[1], "?", (condition, yes, no))
        self.offer(node, self.source(yes), "choice")
        self.offer(node, self.source(no), "choice")
        return node

    def binary(self, level):
        if level == len(BINARY):
            return self.unary()
        left = self.binary(level + 1)
        while self.peek() in BINARY[level]:
            operator = self.take()[0]
            right = self.binary(level + 1)
            node = (left[0], right[1], operator, (left, right))
            a, b = self.source(left), self.source(right)
            if operator in OTHER:
                self.offer(node, f"{a} {OTHER[operator]} {b}", "operator")
            if operator in ("&", "|", "^", "&&", "||"):
                self.offer(node, a, "term")
                self.offer(node, b, "term")
            left = node
        return left

    def unary(self):
        word, _, first, _ = self.tokens[self.at]
        if word in ("~", "!", "-", "&", "|", "^", "~&", "~|"):
            self.take()
            inner = self.unary()
            node = (first, inner[1], word, (inner,))
            if word in ("~", "!"):
                self.offer(node, self.source(inner), "negation")
            elif word in ("&", "|"):
                self.offer(node, OTHER[word] + self.source(inner), "reduction")
            return node
        return self.primary()

    def primary(self):
        word, kind, first, last = self.take()
        if kind == "number":
            self.constant((first, last, "number", ()), word)
            return (first, last, "number", ())
        if word == "(":
            inner = self.expression()
            last = self.take(")")[3]
            return (first, last, "()", (inner,))
        if word == "{":
            return self.concatenation(first)
        if kind != "word":
            line = self.text.count("\n", 0, first) + 1
            raise SyntaxError(f"{self.file}:{line}: {word!r} in an expression")
        if self.peek() == "(":                   # $signed and similar functions
            self.take()
            inner = self.expression()
            return (first, self.take(")")[3], word, (inner,))
        return self.selected(word, first, last)

    def selected(self, word, first, last):
        while self.peek() == "[":
            start = self.tokens[self.at][2]
            self.skip_brackets()
            last = self.tokens[self.at - 1][3]
            digits = re.fullmatch(r"\[(\d+)(?::(\d+))?\]", self.text[start:last])
            if digits:
                high, low = int(digits[1]), int(digits[2] or digits[1])
                step = -1 if low >= 3 else 1
                if digits[2] is None or high < 31 or step < 0:
                    place = f"{high + step}:{low + step}" if digits[2] else f"{high + step}"
                    self.offer((first, last), f"{self.text[first:start]}[{place}]", "select")
        return (first, last, word, ())

    def concatenation(self, first):
        parts = []
        mark = len(self.points)
        node = self.expression()
        if self.peek() == "{":                   # a replication: its count is not changed
            del self.points[mark:]
            start = self.take()[2]
            node = self.concatenation(start)
        parts.append(node)
        while self.peek() == ",":
            self.take()
            parts.append(self.expression())
        return (first, self.take("}")[3], "{}", tuple(parts))

    def constant(self, node, word):
        match = re.fullmatch(r"(\d+)\s*'([bodh])([0-9a-fA-F_]+)", word)
        if not match:
            return
        bits, base = int(match[1]), match[2]
        value = int(match[3].replace("_", ""), {"b": 2, "o": 8, "d": 10, "h": 16}[base])
        for bit in sorted({0, bits // 2, bits - 1}):
            self.offer(node, f"{bits}'h{value ^ 1 << bit:x}", "constant")

    # ---- Statements ----
    def assignment(self, blocking):
        """Starts at the left-hand side."""
        first = self.tokens[self.at][2]
        depth = 0
        while depth or self.peek() not in ("=", "<="):
            word = self.take()[0]
            depth += (word in "([{") - (word in ")]}")
        last = self.tokens[self.at - 1][3]
        self.take()
        value = self.expression()
        self.take(";")
        if not blocking:
            self.offer(value, self.text[first:last], "no assignment")

    def statement(self):
        word = self.peek()
        if word == "begin":
            self.take()
            if self.peek() == ":":
                self.take()
                self.take()
            while self.peek() != "end":
                self.statement()
            self.take()
        elif word == "if":
            self.take()
            self.take("(")
            condition = self.expression()
            self.take(")")
            self.offer(condition, "1'b0", "condition")
            self.offer(condition, "1'b1", "condition")
            self.branch(condition[0], self.source(condition))
            self.guarded(self.source(condition), self.statement)
            if self.peek() == "else":
                self.take()
                self.guarded(f"!({self.source(condition)})", self.statement)
        elif word == "case":
            self.take()
            first = self.tokens[self.at][2]
            self.skip_brackets()
            value = self.text[first:self.tokens[self.at - 1][3]]
            before = []
            while self.peek() != "endcase":
                place = self.tokens[self.at][2]
                if self.peek() == "default":
                    self.take()
                    is_it = "!(" + " || ".join(before) + ")"
                else:
                    labels = [self.expression()]
                    while self.peek() == ",":
                        self.take()
                        labels.append(self.expression())
                    is_it = " || ".join(f"{value} == {self.source(label)}" for label in labels)
                    before.append(is_it)
                self.take(":")
                self.branch(place, f"({is_it})" if before else is_it)
                self.guarded(f"({is_it})", self.statement)
            self.take()
        elif word == "for":
            self.take()
            self.skip_brackets()
            self.loops += 1
            self.statement()
            self.loops -= 1
        elif word == ";":
            self.take()
        elif word.startswith("$"):
            self.skip_to(";")
        else:
            end = self.at
            while self.tokens[end][0] not in ("=", "<="):
                end += 1
            self.assignment(self.tokens[end][0] == "=")

    # ---- Modules ----
    def declaration(self):
        is_wire = self.take()[0] == "wire"
        while self.peek() != ";":
            if self.peek() == "[":
                self.skip_brackets()
            elif self.peek() == "=":
                self.take()
                mark = len(self.points)
                name = self.peek(-2)
                self.expression()
                if not is_wire or name == "unused":
                    del self.points[mark:]
            else:
                self.take()
        self.take()

    def instance(self):
        self.take()
        if self.peek() == "#":
            self.take()
            self.skip_brackets()
        self.take()
        self.take("(")
        while self.peek() != ")":
            self.take(".")
            self.take()
            self.take("(")
            if self.peek() != ")":
                self.expression()
            self.take(")")
            if self.peek() == ",":
                self.take()
        self.take(")")
        self.take(";")

    def read(self):
        self.take("module")
        self.skip_to(";")
        while self.peek() != "endmodule":
            for branch in self.branches:
                branch.end = branch.end or self.tokens[self.at - 1][3]
            word = self.peek()
            if word in ("localparam", "parameter", "integer", "genvar"):
                self.skip_to(";")
            elif word in ("wire", "reg"):
                self.declaration()
            elif word == "assign":
                self.take()
                self.assignment(True)
            elif word in ("always", "initial"):
                mark, mark_branches = len(self.points), len(self.branches)
                self.take()
                if self.peek() == "@":
                    self.take()
                    if self.peek() == "(":
                        self.skip_brackets()
                    else:
                        self.take("*")
                self.statement()
                if word == "initial":
                    del self.points[mark:]
                    del self.branches[mark_branches:]
            elif word in ("if", "for"):
                self.take()
                self.skip_brackets()
            elif word == "begin":
                self.take()
                if self.peek() == ":":
                    self.take()
                    self.take()
            elif word in ("generate", "endgenerate", "end", "else"):
                self.take()
            else:
                self.instance()
        for branch in self.branches:
            branch.end = branch.end or self.tokens[self.at - 1][3]
        return self.points


def points_of(file, text):
    return Reader(file, text).read()


def branches_of(file, text):
    reader = Reader(file, text)
    reader.read()
    return reader.branches


def switched(text, chosen, switch):
    """The text with every point of `chosen`, {number: point}, in effect if switch(number) is true."""
    order = sorted(chosen.items(), key=lambda item: (item[1].first, -item[1].last, item[0]))

    def emit(first, last, items):
        out, place, index = [], first, 0
        while index < len(items):
            number, point = items[index]
            inner = index + 1
            while inner < len(items) and items[inner][1].first < point.last:
                inner += 1
            out.append(text[place:point.first])
            out.append(f"({switch(number)} ? ({point.new}) : ({emit(point.first, point.last, items[index + 1:inner])}))")
            place, index = point.last, inner
        out.append(text[place:last])
        return "".join(out)
    return emit(0, len(text), order)


def changed(text, point):
    return text[:point.first] + "(" + point.new + ")" + text[point.last:]
