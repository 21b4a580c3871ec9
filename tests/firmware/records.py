# SPDX-License-Identifier: Apache-2.0
"""Reads what a program built with --gnomon-records leaves behind (firmware/runtime/include/gnomon_records.h)."""
import collections
import struct

MAGIC, VERSION = 0x43455247, 1
HEADER, OPEN, RECORD = "<8I4Q", "<2IQ", "<2I3Q"
Record = collections.namedtuple("Record", "calls self total")
Open = collections.namedtuple("Open", "thread number cycles")


class Records:
    def __init__(self, data):
        (magic, version, self.functions, opened, records, self.pointers, self.dropped, self.dropped_other, self.thread_cycles,
         self.interrupt_cycles, *self.covered) = struct.unpack_from(HEADER, data)
        at = struct.calcsize(HEADER)
        size = at + opened * struct.calcsize(OPEN) + records * struct.calcsize(RECORD)
        if (magic, version, size) != (MAGIC, VERSION, len(data)):
            raise ValueError(f"not a file of records: {magic:#x}, version {version}, {len(data)} bytes, not {size}")
        self.open = [Open(*struct.unpack_from(OPEN, data, at + i * struct.calcsize(OPEN))) for i in range(opened)]
        at += opened * struct.calcsize(OPEN)
        # By place (0: threads, 1: interrupts) and number.
        self.records = ({}, {})
        for i in range(records):
            number, interrupt, *values = struct.unpack_from(RECORD, data, at + i * struct.calcsize(RECORD))
            if number >= self.functions or number in self.records[interrupt]:
                raise ValueError(f"record of number {number} of {self.functions}")
            self.records[interrupt][number] = Record(*values)

    def both(self, number):
        """A function's record, in threads and interrupts together."""
        found = [records[number] for records in self.records if number in records]
        return Record(*map(sum, zip(*found))) if found else Record(0, 0, 0)
