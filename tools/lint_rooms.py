#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that each room of host and RTL uses only rooms that it may use (include lines, instantiations), and that no headers include
each other.

usage: lint_rooms.py        exit status 1 if there is a finding; each is printed with its place
"""
import pathlib
import re
import sys

# Each room, and the other rooms that it may use. A room may use only rooms listed before it, so there is no cycle of rooms.
HOST_ROOMS = {
    "lib/util": "",
    "lib/http": "lib/util",
    "lib/trace": "lib/util",
    "lib/elf": "lib/util",
    "lib/transport": "lib/util",
    "lib/model": "lib/util lib/elf",
    "lib/device": "lib/util lib/elf lib/transport lib/model",
    "lib/profile": "lib/util lib/trace lib/elf lib/model",
    "lib/locks": "lib/util lib/trace lib/elf lib/model lib/profile",
    "lib/heap": "lib/util lib/trace lib/elf lib/model lib/profile",
    "lib/fleet": "lib/util lib/trace lib/elf lib/model lib/profile lib/heap",
    "lib/store": "lib/util lib/fleet",
    "lib/collect": "lib/util lib/elf lib/fleet",
    "lib/export": "lib/util lib/trace lib/elf lib/model lib/profile lib/locks lib/heap",
    "lib/compare": "lib/util lib/elf lib/model lib/profile",
    "lib/ui": "lib/util lib/trace lib/elf lib/model lib/profile lib/locks lib/fleet lib/export lib/compare",
    "lib/service": "lib/util lib/http lib/fleet lib/store lib/ui",
    "lib/tag": "lib/util lib/elf lib/transport lib/model lib/device lib/profile",
    "lib/run": "lib/util lib/trace lib/elf lib/transport lib/model lib/device lib/profile lib/tag",
    "lib/live": "lib/util lib/trace lib/elf lib/model lib/device lib/profile lib/heap lib/locks lib/tag lib/run",
    "lib/flash": "lib/util lib/transport",
    "api": "lib/util lib/trace lib/elf lib/transport lib/model lib/device lib/profile lib/tag lib/run",
    "cli": "lib/util lib/elf lib/model lib/profile lib/locks",
    "cli/cc": "cli lib/util lib/elf lib/model lib/profile lib/tag lib/run",
    "cli/report": "cli lib/util lib/trace lib/elf lib/model lib/profile lib/locks",
    "cli/locks": "cli lib/util lib/trace lib/elf lib/model lib/profile lib/locks",
    "cli/export": "cli lib/util lib/elf lib/model lib/profile lib/locks lib/export",
    "cli/heap": "cli lib/util lib/trace lib/elf lib/model lib/profile lib/locks lib/heap",
    "cli/compare": "cli lib/util lib/elf lib/model lib/profile lib/compare lib/fleet",
    "cli/api": "cli lib/util lib/elf lib/model lib/device lib/profile lib/fleet",
    "cli/fleet": "cli lib/util lib/elf lib/transport lib/model lib/device lib/http lib/fleet lib/store lib/service",
    "cli/run": "cli lib/util lib/trace lib/elf lib/transport lib/model lib/device lib/profile lib/tag lib/run",
    "cli/collect": "cli cli/run lib/util lib/trace lib/elf lib/transport lib/model lib/device lib/profile lib/fleet lib/collect lib/tag lib/run",
    "cli/live": "cli cli/run lib/util lib/trace lib/elf lib/http lib/transport lib/model lib/device lib/profile lib/locks lib/export lib/tag lib/run lib/live",
    "cli/ui": "cli cli/run cli/live lib/util lib/trace lib/elf lib/http lib/transport lib/model lib/device lib/profile lib/locks lib/fleet lib/export lib/compare lib/ui lib/tag lib/run lib/live",
    "cli/find": "cli cli/run lib/util lib/trace lib/elf lib/transport lib/model lib/device lib/profile lib/tag lib/run",
    "cli/trace": "cli cli/run cli/report lib/util lib/trace lib/elf lib/transport lib/model lib/device lib/profile lib/tag lib/run",
    "cli/tag": "cli cli/run lib/util lib/trace lib/elf lib/transport lib/model lib/device lib/profile lib/tag lib/run",
    "cli/board": "cli lib/util lib/transport lib/device lib/flash",
}
# The contract between a hart and what watches it: each room may include it.
BUNDLE = "gnomon_obs.vh"
RTL_ROOMS = {
    "up5k": "",
    "core": "up5k",
    "bus": "",
    "cache": "bus",
    "profile/trace": "",
    "profile/records/compact": "up5k profile/trace",
    "profile/records": "profile/trace profile/records/compact",
    "profile/counters": "up5k profile/trace",
    "profile/causes": "",
    "profile/watch": "profile/trace",
    "profile/reduced": "up5k",
    "profile/tags": "profile/counters",
    "profile": "profile/trace profile/records profile/records/compact profile/counters profile/causes profile/watch profile/tags profile/reduced",
    "usb": "",
    "periph": "",
    "soc": "core cache profile usb bus periph",
    "soc/boards": "soc usb",
}


def includes(path):
    """Returns (line, header below host/) for each header of the project that the file includes."""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        found = re.match(r'#include "((?:lib|cli|api)/[^"]+|[^/"]+\.h)"', line)
        if found:
            header = found[1] if "/" in found[1] else str(path.relative_to("host").parent / found[1])
            yield number, header


def host_findings(files):
    for path in files:
        room = str(path.relative_to("host").parent)
        if room not in HOST_ROOMS:
            yield f"{path}: no room of that name; tools/lint_rooms.py has the list"
            continue
        for number, header in includes(path):
            used = str(pathlib.PurePath(header).parent)
            if used != room and used not in HOST_ROOMS[room].split():
                yield f"{path}:{number}: {room} may not use {used} ({header})"


def cycle_findings(files):
    """Finds headers that include each other, directly or through other headers."""
    graph = {str(p.relative_to("host")): [h for _, h in includes(p)] for p in files if p.suffix == ".h"}
    done = set()

    def walk(header, path):
        if header in path:
            yield "headers include each other: " + " > ".join(path[path.index(header):] + [header])
        elif header not in done:
            for used in graph.get(header, []):
                yield from walk(used, path + [header])
            done.add(header)

    for header in graph:
        yield from walk(header, [])


def rtl_findings(files):
    texts = {path: re.sub(r"//.*", "", path.read_text(encoding="utf-8")) for path in files}
    room_of = {str(path): str(path.relative_to("rtl").parent) for path in files}
    home = {module: room_of[str(path)] for path, text in texts.items() for module in re.findall(r"^module\s+(\w+)", text, re.M)}
    headers = {path.name: str(path.relative_to("rtl").parent) for path in pathlib.Path("rtl").rglob("*.vh") if path.name != BUNDLE}
    for path, text in texts.items():
        room = room_of[str(path)]
        used = {module: home[module] for module in re.findall(r"^\s*(gnomon_\w+)\s*(?:#\s*\(|\w+\s*\()", text, re.M) if module in home}
        used |= {header: headers[header] for header in re.findall(r'^\s*`include "(\w+\.vh)"', text, re.M) if header in headers}
        for name, other in used.items():
            if room not in RTL_ROOMS:
                yield f"{path}: no room of that name; tools/lint_rooms.py has the list"
            elif other != room and other not in RTL_ROOMS[room].split():
                yield f"{path}: {room} may not use {other} ({name})"


def main():
    for rooms in HOST_ROOMS, RTL_ROOMS:
        order = list(rooms)
        assert all(order.index(used) < order.index(room) for room in rooms for used in rooms[room].split()), "the list has a cycle"
    host = sorted(p for folder in ("lib", "cli", "api") for p in pathlib.Path("host", folder).rglob("*.[ch]"))
    findings = [*host_findings(host), *cycle_findings(host), *rtl_findings(sorted(pathlib.Path("rtl").rglob("*.v")))]
    for finding in findings:
        print(finding)
    if findings:
        sys.exit(1)
    print(f"{len(HOST_ROOMS)} rooms of the host, {len(RTL_ROOMS)} of the RTL: each uses only what it may")


if __name__ == "__main__":
    main()
