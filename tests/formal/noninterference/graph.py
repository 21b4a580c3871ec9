# SPDX-License-Identifier: Apache-2.0
"""An and-inverter graph, and a SAT solver's answer about one of its literals."""
import subprocess

FALSE, TRUE = 0, 1


class Graph:
    """Literal = 2 * node + inverted; node 0 is false. Equal nodes are merged."""

    def __init__(self):
        self.gates, self.known, self.nodes = {}, {}, 1

    def leaf(self):
        self.nodes += 1
        return 2 * (self.nodes - 1)

    def land(self, a, b):
        a, b = min(a, b), max(a, b)
        if a == FALSE or a == b ^ 1:
            return FALSE
        if a in (TRUE, b):
            return b
        if (a, b) not in self.known:
            self.known[a, b] = self.leaf()
            self.gates[self.known[a, b] >> 1] = (a, b)
        return self.known[a, b]

    def lor(self, a, b):
        return self.land(a ^ 1, b ^ 1) ^ 1

    def implies(self, a, b):
        return self.lor(a ^ 1, b)

    def all(self, literals):
        result = TRUE
        for literal in literals:
            result = self.land(result, literal)
        return result

    def any(self, literals):
        return self.all(literal ^ 1 for literal in literals) ^ 1

    def equal(self, a, b):
        """The literal that is true if two words are equal."""
        return self.all(self.lor(self.land(x, y), self.land(x ^ 1, y ^ 1)) for x, y in zip(a, b, strict=True))

    def is_value(self, word, value):
        return self.all(literal ^ (not value >> i & 1) for i, literal in enumerate(word))

    def aiger(self, output):
        """The cone of one output as a binary AIGER file, and its leaves in the order of the file's inputs."""
        order, leaves, seen, work = [], [], {0}, [output >> 1]
        while work:
            node = work[-1]
            if node in seen:
                work.pop()
            elif node in self.gates:
                todo = [x >> 1 for x in self.gates[node] if x >> 1 not in seen]
                work += todo
                if not todo:
                    seen.add(work.pop())
                    order.append(node)
            else:
                seen.add(work.pop())
                leaves.append(node)
        number = {0: 0, **{node: 2 * (i + 1) for i, node in enumerate(leaves + order)}}
        data = bytearray(f"aig {len(leaves) + len(order)} {len(leaves)} 0 1 {len(order)}\n{number[output >> 1] ^ output & 1}\n".encode())
        for node in order:
            a, b = sorted((number[x >> 1] ^ x & 1 for x in self.gates[node]), reverse=True)
            for delta in (number[node] - a, a - b):
                while delta > 127:
                    data.append(delta & 127 | 128)
                    delta >>= 7
                data.append(delta)
        return bytes(data), leaves

    def values(self, true):
        """The value of each node when these leaves are true and all others are not."""
        value = [False] * self.nodes
        for leaf in true:
            value[leaf] = True
        for node, (a, b) in self.gates.items():  # in the order in which they were made: inputs first
            value[node] = (value[a >> 1] ^ a & 1) & (value[b >> 1] ^ b & 1)
        return value

    def example(self, output, abc, scratch):
        """Leaves that make the literal true when all others are false; None if nothing does."""
        if output in (FALSE, TRUE):
            return None if output == FALSE else []
        data, leaves = self.aiger(output)
        with open(scratch, "wb") as file:
            file.write(data)
        solve = f"read_aiger {scratch}; strash; &get; &glucose; write_cex {scratch}.example"
        done = subprocess.run([abc, "-q", solve], capture_output=True, text=True, check=False)
        assert "SATISFIABLE" in done.stdout, done.stdout
        if "UNSATISFIABLE" in done.stdout:
            return None
        with open(f"{scratch}.example", encoding="ascii") as file:
            bits = file.read().split("#")[0]
        return [leaf for leaf, bit in zip(leaves, bits, strict=True) if bit == "1"]

    def never(self, output, abc, scratch):
        """Whether the literal is false for all values of the leaves."""
        return self.example(output, abc, scratch) is None
