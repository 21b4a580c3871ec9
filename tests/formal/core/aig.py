# SPDX-License-Identifier: Apache-2.0
"""Reads and simulates a binary AIGER file, to show the course of a counterexample."""
import pathlib


class Aig:
    def __init__(self, path):
        data = pathlib.Path(path).read_bytes()
        end = data.index(b"\n")
        numbers = [int(n) for n in data[:end].split()[1:]] + [0] * 4
        self.inputs, self.latches, outputs, self.ands, bad = numbers[1:6]
        lines = data[end + 1:].split(b"\n", self.latches + outputs + bad)
        take = iter(lines)
        self.next = [int(next(take).split()[0]) for _ in range(self.latches)]
        self.outputs = [int(next(take)) for _ in range(outputs)]
        self.bad = [int(next(take)) for _ in range(bad)]
        self.gates, rest, at = [], lines[-1], 0
        for n in range(self.ands):
            left = 2 * (self.inputs + self.latches + n + 1)
            delta = []
            for _ in range(2):
                value = shift = 0
                while True:
                    byte = rest[at]
                    at += 1
                    value |= (byte & 127) << shift
                    shift += 7
                    if byte < 128:
                        break
                delta.append(value)
            self.gates.append((left - delta[0], left - delta[0] - delta[1]))

    def run(self, frames):
        """frames: a string of input bits for each cycle; yields values of the outputs."""
        state = [0] * self.latches
        for frame in frames:
            value = [0] + [int(b == "1") for b in frame[:self.inputs]] + state
            for a, b in self.gates:
                value.append((value[a >> 1] ^ a & 1) & (value[b >> 1] ^ b & 1))
            yield [value[o >> 1] ^ o & 1 for o in self.outputs]
            state = [value[n >> 1] ^ n & 1 for n in self.next]
