# SPDX-License-Identifier: Apache-2.0
"""A host of a fleet, with settings and results of its own."""
import json
import os
import pathlib
import shutil
import subprocess
import time

from commands import PATIENCE, must, run
from fleet_service import TOKEN


class Host:
    """`service` has an address and, if it is not the test's own, a token."""

    def __init__(self, gnomon, folder, service=None, *options):
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        self.gnomon, self.folder, self.service = gnomon, folder, service
        self.settings, self.state = folder / "config/gnomon/collect.toml", folder / "state/gnomon/collect"
        self.env = {**os.environ, "HOME": str(folder), "XDG_CONFIG_HOME": str(folder / "config"), "XDG_STATE_HOME": str(folder / "state")}
        self.token = folder / "token"
        self.token.write_text(getattr(service, "token", TOKEN) + "\n")
        if service:
            must([gnomon, "collect", "--join", service.address, "--token", self.token, "--yes", "-q", *options], env=self.env)

    def command(self, *words):
        return [str(word) for word in (self.gnomon, "collect", *words)]

    def collect(self, *words, **more):
        return run(self.command(*words), env=self.env, **{"stdin": subprocess.DEVNULL, **({} if "input" not in more else {"stdin": None}), **more})

    def run(self, *words, **more):
        """A run of a program on a simulated board."""
        return self.collect("-d", "sim:full", *words, **more)

    def json(self, action):
        return json.loads(must(self.command(action, "--json"), env=self.env))

    def ledger(self, **fields):
        """Changes what the host knows of its service."""
        path = self.state / "service.json"
        path.write_text(json.dumps({**json.loads(path.read_text()), **fields}))

    def waiting(self):
        return [pathlib.Path(one["file"]) for one in self.json("--status")["waiting"]]

    def open(self):
        """The profile that grows; None: there is none."""
        found = sorted(self.state.glob("open-*.gnp"))
        return found[0] if found else None

    def open_with(self, data):
        """Begins with that profile."""
        (self.state / f"open-{int(time.time()):020}.gnp").write_bytes(data)

    def listed(self, file):
        return json.loads(must([self.gnomon, "api", "list", "--json", file]))

    def figures(self, file):
        """{(function, source file, cost): (its buckets, least, most, lost, doubt)}; files are told by their names."""
        return {(row["symbol"], pathlib.Path(row["file"] or "").name, row["cost"]): (row["buckets"], row["least"], row["most"], row["lost"], row["doubt"])
                for row in self.listed(file)["rows"]}

    def runs(self, *files):
        """How many runs these profiles have."""
        return sum(int(source["runs"]) for file in files if file for source in self.listed(file)["sources"])

    def settle(self, count):
        """Waits until the service has `count` submissions: they come from a process in the background."""
        until = time.monotonic() + PATIENCE
        while len(self.service.stored) < count and time.monotonic() < until:
            time.sleep(0.05)
        return len(self.service.stored)
