# SPDX-License-Identifier: Apache-2.0
"""API profiles (*.gnp) taken apart and put together, by other code than that under test."""
import zlib

from pprof_file import fields


def packed(magic, inner, crc=None):
    """A file with this profile."""
    def part(key, data):
        length, out = len(data), bytearray([key])
        while length > 127:
            out.append(length & 127 | 128)
            length >>= 7
        return bytes(out) + bytes([length]) + data
    crc = zlib.crc32(inner, zlib.crc32(magic)) if crc is None else crc
    return part(0x0A, magic) + bytes([0x10, 1, 0x1D]) + crc.to_bytes(4, "little") + part(0x22, inner)


def inner_of(data):
    return dict(fields(data)).get(4, b"")


def rows_of(data):
    """{texts: numbers} of sources and rows."""
    parts = {}
    for number, value in fields(inner_of(data)):
        parts.setdefault(number, []).append(value)
    texts = parts.get(1, [])
    sources, found = [], {}
    for part in parts.get(2, []):
        source = dict(fields(part))
        key = tuple(texts[source.get(i, 0)] for i in (1, 2, 3, 4)) + tuple(source.get(i, 0) for i in (7,))
        sources.append(key)
        found[key] = (source.get(5, 0), source.get(6, 0))
    for part in parts.get(3, []):
        numbers = list(fields(part))
        row = dict(numbers)
        key = sources[row.get(1, 0)] + tuple(texts[row.get(i, 0)] for i in (2, 3, 4, 5, 6))
        found[key] = [pair for pair in numbers if pair[0] > 6]
    return found
