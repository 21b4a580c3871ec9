# SPDX-License-Identifier: Apache-2.0
"""API profiles (*.gnp) of any numbers and any texts, of 50,000 rows in a second: bytes by docs/reference/gnp.md, not by the code that is tested.

Source: (program, build, scenario, size, device, runs, cycles). Row: a dict of source (its index), function, cost and buckets
{log2: (count, sum, squares)}, and perhaps module, build, file, line, doubt, lost, least, most."""
import struct
import zlib


def varint(value):
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def number(field, value):
    return varint(field << 3) + varint(value) if value else b""


def block(field, data):
    return varint(field << 3 | 2) + varint(len(data)) + data


def numbers(*values):
    """Fields 1, 2, ... of these values."""
    return b"".join(number(field, value) for field, value in enumerate(values, 1))


def bucket(log2, count, total, squares):
    return numbers(log2, count, total, squares & 2**64 - 1, squares >> 64)


def gnp_bytes(sources, rows):
    """The file. Sources and rows are put in the order that it needs; equal keys must not occur."""
    def key(row):
        source = sources[row["source"]]
        return source[0:5], row.get("module", source[0]), row.get("build", source[1]), row["function"], row.get("file", ""), row["cost"]

    raw = lambda texts: tuple(text.encode() if isinstance(text, str) else text for text in texts)
    order = sorted(range(len(sources)), key=lambda i: raw((sources[i][0], sources[i][1], sources[i][2])) + (sources[i][3],) + raw((sources[i][4],)))
    place = {old: new for new, old in enumerate(order)}
    texts = sorted({text.encode() for source in sources for text in (source[0], source[1], source[2], source[4])} |
                   {text.encode() for row in rows for text in key(row)[1:]})
    index = {text: i for i, text in enumerate(texts)}
    at = lambda text: index[text.encode()]
    out = [block(1, text) for text in texts]
    for i in order:
        program, build, scenario, size, device, runs, cycles = sources[i]
        out.append(block(2, numbers(at(program), at(build), at(scenario), at(device), runs, cycles, size)))
    for row in sorted(rows, key=lambda row: (place[row["source"]],) + raw(key(row)[1:])):
        _, module, build, function, file, cost = key(row)
        values = sorted(row["buckets"].items())
        least, most = row.get("least", 2**64 - 1), row.get("most", 0)
        out.append(block(3, numbers(place[row["source"]], at(cost), at(module), at(build), at(function), at(file), row.get("line", 0), row.get("doubt", 0),
                                    row.get("lost", 0), least, most) + b"".join(block(12, bucket(log2, *figures)) for log2, figures in values)))
    profile = b"".join(out)
    return block(1, b"gnp") + number(2, 1) + varint(3 << 3 | 5) + struct.pack("<I", zlib.crc32(b"gnp" + profile)) + block(4, profile)
