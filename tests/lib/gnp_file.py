# SPDX-License-Identifier: Apache-2.0
"""API profiles (*.gnp) written by protoc, not by the code under test."""
import subprocess
import zlib

PROTO = ["--proto_path=host/lib/fleet", "host/lib/fleet/gnp.proto"]


def encode(message, text):
    return subprocess.run(["protoc", f"--encode=gnomon.{message}", *PROTO], input=text.encode(), stdout=subprocess.PIPE, check=True).stdout


def as_text(data):
    return "".join(f"\\x{byte:02x}" for byte in data)


def bucket_of(cost):
    return min(31, max(0, cost.bit_length() - 1))


def write(path, rows):
    """A row is a dictionary: function, calls (a list of costs), and what differs from these: program, build, scenario, size, device, runs, cost, file, line, doubt."""
    texts, sources, out = [], [], []

    def text(value):
        if value not in texts:
            texts.append(value)
        return texts.index(value)
    for row in rows:
        row = {"program": "p.elf", "build": "01", "scenario": "s", "size": 0, "device": "sim:full", "runs": 1, "cost": "cycles", "file": "", "line": 0, "doubt": 0, **row}
        source = " ".join([*(f"{key}: {text(row[key])}" for key in ("program", "build", "scenario", "device")), f"runs: {row['runs']} cycles: 1000 size: {row['size']}"])
        if source not in sources:
            sources.append(source)
        buckets = {}
        for cost in row["calls"]:
            buckets.setdefault(bucket_of(cost), []).append(cost)
        out.append(" ".join([f"row {{ source: {sources.index(source)} module: {text(row['program'])} build: {text(row['build'])}",
                             *(f"{key}: {text(row[key])}" for key in ("cost", "function", "file")), f"line: {row['line']} doubt: {row['doubt']} least: {min(row['calls'])} most: {max(row['calls'])}",
                             *(f"bucket {{ log2: {log2} count: {len(costs)} sum: {sum(costs)} squares: {sum(c * c for c in costs) & (1 << 64) - 1} squares_high: {sum(c * c for c in costs) >> 64} }}"
                               for log2, costs in sorted(buckets.items())), "}"]))
    profile = encode("ApiProfile", "\n".join([*(f'text: "{as_text(value.encode())}"' for value in texts), *(f"source {{ {source} }}" for source in sources), *out]))
    path.write_bytes(encode("ApiFile", f'magic: "gnp" version: 1 crc: {zlib.crc32(b"gnp" + profile)} profile: "{as_text(profile)}"'))
    return path
