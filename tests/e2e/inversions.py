# SPDX-License-Identifier: Apache-2.0
"""Priority inversion, by a search through the messages of a trace."""
import json

from commands import must


def lost_cycles(path, lock, has):
    """Of each wait of `high` for `lock`: the cycles in which `middle` ran and `low` had `has`."""
    events = [json.loads(line) for line in must(["gnomon", "dump", "--json", path]).splitlines()]
    waits, running, since, waiting, held = [], None, 0, False, False
    names = {event["by_thread"]: event["thread_name"] for event in events if event["event"] == "lock" and "thread_name" in event}
    index = {name: thread for thread, name in names.items()}
    for event in events:
        if event["event"] == "channel" and event["number"] == 1 or event["event"] == "lock":
            if running == index["middle"] and waiting and held:
                waits[-1] += event["cycle"] - since
            since = event["cycle"]
        if event["event"] == "channel" and event["number"] == 1:
            running = event["value"]
        if event["event"] != "lock":
            continue
        who, what = event["thread_name"], event["message"]
        if who == "high" and event.get("lock_name") == lock:
            waiting = what == "request"
            waits += [0] * waiting
        if who == "low" and event.get("lock_name") == has:
            held = what == "acquired"
    return [wait for wait in waits if wait]
