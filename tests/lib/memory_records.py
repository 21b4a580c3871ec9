# SPDX-License-Identifier: Apache-2.0
"""Reads the file of a program built with --gnomon-records (firmware/runtime/include/gnomon_records.h)."""
import collections
import struct

MAGIC, VERSION = 0x43455247, 4
HEADER, OPEN, RECORD, LENGTHS, ARC, MODULE = "<8I4Q6I20sI", "<4IQ", "<4I3Q", "<32I", "<6I3Q", "<2I20s"
UNPROFILED = 0xFFFFFFFF
Record = collections.namedtuple("Record", "calls self total")
Arc = collections.namedtuple("Arc", "calls self total")
Open = collections.namedtuple("Open", "thread module number cycles")
Module = collections.namedtuple("Module", "functions key")


class Records:
    def __init__(self, data):
        (magic, version, self.functions, opened, records, self.pointers, self.dropped, self.dropped_other, self.thread_cycles,
         self.interrupt_cycles, covered, covered_too, arcs, modules, self.graph, self.arcless, self.clock_hz, self.left, key, _) = struct.unpack_from(HEADER, data)
        self.covered, self.key = [covered, covered_too], key.hex()
        at = struct.calcsize(HEADER)
        each = RECORD + LENGTHS[1:] * self.graph
        size = at + (opened * struct.calcsize(OPEN) + records * struct.calcsize(each) + arcs * struct.calcsize(ARC) +
                     modules * struct.calcsize(MODULE))
        if (magic, version, size) != (MAGIC, VERSION, len(data)):
            raise ValueError(f"not a file of records: {magic:#x}, version {version}, {len(data)} bytes, not {size}")
        self.open = []
        for i in range(opened):
            thread, module, number, _, cycles = struct.unpack_from(OPEN, data, at + i * struct.calcsize(OPEN))
            self.open.append(Open(thread, module, number, cycles))
        at += opened * struct.calcsize(OPEN)
        # by place (0: threads, 1: interrupts) and number; records of modules by module and number
        self.records, self.of_modules = ({}, {}), ({}, {})
        self.lengths, self.arcs = ({}, {}), ({}, {})
        entries = [struct.unpack_from(each, data, at + i * struct.calcsize(each)) for i in range(records)]
        at += records * struct.calcsize(each)
        for i in range(arcs):
            caller_module, caller, module, number, interrupt, _, *values = struct.unpack_from(ARC, data, at + i * struct.calcsize(ARC))
            key = ((caller_module, caller), (module, number))
            if key in self.arcs[interrupt]:
                raise ValueError(f"two arcs {key}")
            self.arcs[interrupt][key] = Arc(*values)
        at += arcs * struct.calcsize(ARC)
        self.modules = {}
        for i in range(modules):
            module, functions, key = struct.unpack_from(MODULE, data, at + i * struct.calcsize(MODULE))
            self.modules[module] = Module(functions, key.hex())
        for module, number, interrupt, _, calls, own, total, *lengths in entries:
            where, key = (self.of_modules, (module, number)) if module else (self.records, number)
            functions = self.modules[module].functions if module else self.functions
            if number >= functions or key in where[interrupt]:
                raise ValueError(f"record of number {number} of {functions}, module {module}")
            where[interrupt][key] = Record(calls, own, total)
            if lengths:
                self.lengths[interrupt][module, number] = {n: count for n, count in enumerate(lengths) if count}

    def both(self, number):
        """Returns a function's record, threads and interrupts together."""
        found = [records[number] for records in self.records if number in records]
        return Record(*map(sum, zip(*found))) if found else Record(0, 0, 0)
