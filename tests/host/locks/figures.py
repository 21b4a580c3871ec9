# SPDX-License-Identifier: Apache-2.0
"""Compares what `gnomon locks --json` shows with a history (histories.py)."""
import math

from checking import expect, same


def percentile(durations, percent):
    """The smallest duration that at least this share does not exceed, then the end of its cell."""
    exact = sorted(durations)[math.ceil(len(durations) * percent / 100) - 1]
    octave = exact.bit_length() - 1
    if octave <= 6:
        return exact
    width = 1 << octave - 6
    return min(exact // width * width + width - 1, max(durations))


def times(durations):
    if not durations:
        return {"count": 0, "cycles": 0, "histogram": []}
    octaves = [max(d, 1).bit_length() - 1 for d in durations]
    return {"count": len(durations), "cycles": sum(durations), "min": min(durations), "max": max(durations),
            "mean": sum(durations) / len(durations),
            "p50": percentile(durations, 50), "p90": percentile(durations, 90), "p99": percentile(durations, 99),
            "histogram": [{"from": 1 << o if o else 0, "count": octaves.count(o)} for o in sorted(set(octaves))]}


def brief(durations):
    return {"count": len(durations), "cycles": sum(durations), "max": max(durations, default=0)}


def counts(figures):
    return {key: figures[key] for key in ("requests", "contended", "uncontended", "acquisitions", "refused", "releases")}


def check_part(name, got, want):
    same(name, (counts(got), got["hold"], got["wait"]), (counts(want), brief(want["holds"]), brief(want["waits"])))


def convoys(messages, end):
    """Of one lock: how many convoys ended, and acquisitions, beginning and cycles of the longest one; the same of the one that has not ended."""
    waiting, best, ended = set(), (0, 0, 0), 0
    start, acquired = 0, []
    for m in messages:
        if m.what == "request":
            if not waiting:
                start, acquired = m.cycle, []
            waiting.add(m.thread)
        elif m.what in ("acquired", "refused") and m.thread in waiting:
            waiting.remove(m.thread)
            if not waiting and len(acquired) >= 10 and len(set(acquired)) > 1:
                ended += 1
                best = max(best, (len(acquired), start, m.cycle - start), key=lambda one: one[0])
        if m.what == "acquired" and waiting:
            acquired.append(m.thread)
    goes_on = waiting and len(acquired) >= 10 and len(set(acquired)) > 1
    return ended, best, (len(acquired), start, end - start) if goes_on else None


def check_convoys(name, got, messages, end):
    ended, best, still = convoys(messages, end)
    keys = ("acquisitions", "from", "cycles")
    want = {"count": ended, **dict(zip(keys, best)), "open": dict(zip(keys, still)) if still else None} if ended or still else None
    same(f"{name}: convoys", got.get("convoys"), want)
    return want


def check_whole(seed, history, shown):
    by_index = {lock["index"]: lock for lock in shown["locks"]}
    same(f"seed {seed}: locks", set(by_index), set(history.by_lock))
    for index, want in history.by_lock.items():
        got, name = by_index[index], f"seed {seed}, lock {index}"
        same(name, counts(got), counts(want))
        if got["kind"] not in ("semaphore", "condition"):
            check_convoys(name, got, [m for m in history.messages if m.lock == index], history.cycle)
        same(f"{name}: holds", got["hold"], times(want["holds"]))
        same(f"{name}: waits", got["wait"], times(want["waits"]))
        same(f"{name}: longest", [hold["cycles"] for hold in got["longest_holds"]], sorted(want["holds"], reverse=True)[:5])
        same(f"{name}: exact", (got["exact"], got["holds_unknown"], got["waits_unknown"], got["contended_unknown"]), (True, 0, 0, 0))
        for part in got["by_thread"]:
            check_part(f"{name}, thread {part['thread']}", part, history.by_thread[part["thread_index"], index])
        same(f"{name}: threads", len(got["by_thread"]), sum(lock == index for _, lock in history.by_thread))
        for part in got["by_caller"]:
            check_part(f"{name}, {part['caller']}", part, history.by_caller[index, part["caller"]["address"]])
    same(f"seed {seed}: orders", {(o["first_index"], o["second_index"]): o["count"] for o in shown["orders"]}, dict(history.orders))
    same(f"seed {seed}: misuse", {(m["what"], m["lock_index"], m["thread_index"]): m["count"] for m in shown["misuse"]}, dict(history.misuse))
    check_circles(seed, history, shown)


def check_circles(seed, history, shown):
    """Both ways of two locks, without those that only read."""
    def blocks(held, wanted):
        return held == wanted != 21 or {held, wanted} == {20, 21}
    orders = set(history.orders)
    pairs = {frozenset((one, other)) for one in orders for other in orders
             if one != other and blocks(other[0], one[1]) and blocks(one[0], other[1])}
    got = {frozenset((o["first_index"], o["second_index"]) for o in circle["orders"]) for circle in shown["circles"]}
    same(f"seed {seed}: both ways", {one for one in got if len(one) == 2} - pairs, set())
    in_pair = {order for pair in pairs for order in pair}
    same(f"seed {seed}: every order with a way back is shown", in_pair - {order for circle in got for order in circle}, set())


def check_received(name, history, wanted, shown):
    """`wanted`: of `received`. Of recursive locks it has no figures."""
    for got in shown["locks"]:
        want, where = wanted[got["index"]], f"{name}, lock {got['index']} ({got['kind']})"
        if got["kind"] == "recursive":
            whole = history.by_lock[got["index"]]
            for key in ("hold", "wait"):
                expect(f"{where}: no {key} is invented", got[key]["count"] <= len(whole[key + "s"]) and got[key]["cycles"] <= sum(whole[key + "s"]))
            continue
        same(f"{where}: waits", got["wait"], times(want.waits))
        same(f"{where}: holds", got["hold"], times(want.holds))
        same(f"{where}: contended", (got["contended"], got["uncontended"]), (want.contended, want.uncontended))
        same(f"{where}: unknown", (got["holds_unknown"], got["waits_unknown"], got["contended_unknown"]),
             (want.holds_unknown, want.waits_unknown, want.contended_unknown))
