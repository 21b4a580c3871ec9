# SPDX-License-Identifier: Apache-2.0
"""Which functions were on a call stack together, by an account of its own of the events of a run in which all functions are watched."""
import json

from commands import must


def watched_stacks(gnomon, folder, program, *arguments):
    """Records `folder`/watched.gnt. {a function: those that were open with it}"""
    trace = folder / "watched.gnt"
    must([gnomon, "record", "-q", "--events", "--watch", "-d", "sim:full", "-o", trace, program, "--", *arguments], cwd=folder)
    together, stack = {}, []
    for line in must([gnomon, "dump", "--json", trace]).splitlines():
        event = json.loads(line)
        if event["event"] == "enter":
            stack.append(event["function"])
            for name in stack:
                together.setdefault(name, set()).update(stack)
        elif event["event"] == "exit":
            stack.pop()
    return together


def sharing(functions, together):
    """Pairs of the functions of a plan that are in one run, and share a stack: none, if the plan is right."""
    runs = {}
    for function in functions:
        runs.setdefault(function["run"], []).append(function["function"])
    return [(a, b) for group in runs.values() for a in group for b in group if a < b and b in together[a]]
