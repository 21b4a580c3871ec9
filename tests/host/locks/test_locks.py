#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`gnomon locks` against random histories of which every hold and wait is known, whole and with losses; and what it says
of deadlocks, circles, misuse, convoys, and damaged files.

usage: test_locks.py --gnomon COMMAND --elf FILE --out FOLDER --seeds COUNT"""
import json
import random
import re
import sys

from checking import expect, result, same
from commands import run
from gnt_encoder import encode, gnt_bytes
from figures import check_convoys, check_received, check_whole
from histories import CODES, events, History, Message, received
from options import values
from terminal import on_terminal

GNOMON, ELF, OUT, SEEDS = values(__doc__, "gnomon", "elf", "out", "seeds")
REQUEST, ACQUIRED, REFUSED, RELEASED = "request", "acquired", "refused", "released"


def write(name, happened, tables, **more):
    frames, _ = encode(happened, 256, more.pop("odd", lambda n: 0))
    header = {"device": {"address": "sim:test", "stack_entries": 256}, "clock_hz": 60000000, "elf": {"path": ELF}}
    path = f"{OUT}/{name}.gnt"
    with open(path, "wb") as file:
        file.write(gnt_bytes(header, frames, locks=tables, **more))
    return path


def locks(path, *options, status=0):
    done = run([GNOMON, "locks", "--json", *options, path])
    if not expect(f"{path} {options}: status", done.returncode == status, done.returncode, done.stdout[-500:], done.stderr):
        sys.exit(result())
    return json.loads(done.stdout)


# ---- Random histories ----


def check_lossy(seed, history, odd):
    """Drops messages, single ones and many at a time."""
    messages, losses, kept = history.messages, {}, []
    at = 0
    while at < len(messages):
        if odd.random() < 0.02:
            some = odd.choice([1, 1, 2, 30])
            losses[len(kept)] = losses.get(len(kept), 0) + min(some, len(messages) - at)
            at += some
        else:
            kept.append(messages[at])
            at += 1
    path = write(f"lossy-{seed}", events(kept, losses, history.cycle), history.tables(), odd=odd.randrange)
    shown = locks(path)
    same(f"seed {seed}: lost", shown["lost_messages"], sum(losses.values()))
    same(f"seed {seed}: messages", shown["messages"], len(kept))
    wanted = received(history, kept, sorted(losses))
    check_received(f"seed {seed} with loss", history, wanted, shown)


def check_random():
    for seed in range(int(SEEDS)):
        history = History(seed, 4000, threads=2 + seed % 5)
        path = write(f"whole-{seed}", events(history.messages, {}, history.cycle), history.tables())
        check_whole(seed, history, locks(path))
        check_lossy(seed, History(seed + 1000, 3000, threads=2 + seed % 4), random.Random(seed))


# ---- Written histories ----

TABLES = {"threads": [[0, None, 0], [1, "worker", 0], [2, "feeder", 0]],
          "locks": [[1, "mutex", 0x10001000, "a", 0, 1], [2, "mutex", 0x10001008, "b", 0, 1], [3, "mutex", 0x10001010, "c", 0, 1],
                    [4, "semaphore", 0x10001020, "items", 0, 1], [5, "recursive", 0x10001030, "r", 0, 2], [6, "rwlock", 0x10001040, "rw", 0, 1],
                    [7, "rwlock-read", 0x10001040, None, 0, 1]],
          "threads_refused": 0, "locks_refused": 0}


def trace(name, lines, tables=None, **more):
    """`lines`: (thread, what, lock), or with a caller, 10 cycles apart."""
    happened = [(0, "begin", 0)]
    for at, (thread, what, lock, *caller) in enumerate(lines):
        segment, flag = CODES[what]
        address = 0xE0000000 + segment * 0x1000000 + thread * 0x10000 + lock * 16 + flag
        happened.append((100 + 10 * at, "lock", 5 | segment << 1, address, *(caller or [0])))
    happened.append((100 + 10 * len(lines) + 5, "end", 0, 100, len(lines), 0, 0))
    return write(name, happened, TABLES if tables is None else tables or None, **more)


def take(thread, lock):
    return [(thread, REQUEST, lock), (thread, ACQUIRED, lock)]


def give(thread, lock):
    return [(thread, RELEASED, lock)]


def text(path, *options):
    done = run([GNOMON, "locks", *options, path])
    same(f"{path} {options}: status", done.returncode, 0, done.stderr)
    return done.stdout


def check_text(name, path, *wanted, options=(), never=()):
    shown = " ".join(text(path, *options).split())
    for one in wanted:
        expect(f"{name}: says {one!r}", one in shown, shown)
    for one in never:
        expect(f"{name}: does not say {one!r}", one not in shown, shown)


def check_problems():
    both = take(0, 1) + take(0, 2) + give(0, 2) + give(0, 1) + take(1, 2) + take(1, 1) + give(1, 1) + give(1, 2)
    check_text("inversion", trace("inversion", both), "Lock order both ways: a then b in ? (1 time, by main); b then a in ? (1 time, by worker).",
               "block each other for ever", never=["DEADLOCK", "released"])
    alone = [(0, what, lock) for _, what, lock in both]
    check_text("inversion of one thread", trace("alone", alone), "Only one thread does it")
    guarded = take(0, 3) + both[:6] + give(0, 3) + take(1, 3) + both[6:] + give(1, 3)
    check_text("guarded inversion", trace("guarded", guarded), "c is held each time")
    third = take(0, 1) + take(0, 2) + give(0, 2) + give(0, 1) + take(1, 2) + take(1, 3) + give(1, 3) + give(1, 2) + take(2, 3) + take(2, 1) + give(2, 1) + give(2, 3)
    check_text("circle of three", trace("three", third), "Lock order in a circle: a then b", "b then c", "c then a")
    readers = take(0, 7) + take(0, 1) + give(0, 1) + give(0, 7) + take(1, 1) + take(1, 7) + give(1, 7) + give(1, 1)
    check_text("readers", trace("readers", readers), "rw (read)", never=["Lock order"])
    writer = take(0, 7) + take(0, 1) + give(0, 1) + give(0, 7) + take(1, 1) + take(1, 6) + give(1, 6) + give(1, 1)
    check_text("a reader and a writer", trace("writer", writer), "Lock order both ways")
    deadlock = take(0, 1) + take(1, 2) + [(0, REQUEST, 2), (1, REQUEST, 1)]
    path = trace("deadlock", deadlock, reason="duration", exit_status=-1)
    check_text("deadlock", path, "DEADLOCK at the end of the recording: main waits for b in ? since cycle 140, which worker has",
               "worker waits for a in ? since cycle 150, which main has")
    same("deadlock: JSON", locks(path)["deadlocks"], 1)
    itself = take(0, 1) + [(0, REQUEST, 1)]
    check_text("deadlock with itself", trace("itself", itself), "DEADLOCK", "which it has itself", "main locked a again")
    waits = take(0, 1) + [(1, REQUEST, 1)]
    path = trace("waits", waits, reason="duration", exit_status=-1)
    check_text("no deadlock", path, "At the end worker waits for a in ? since cycle 120, which main has", never=["DEADLOCK"])
    wrong = take(0, 1) + give(1, 1) + give(0, 2) + take(0, 5)
    check_text("misuse", trace("misuse", wrong), "worker released a, which main had: 1 time, first at cycle 120", "main released b, which no thread had",
               "r was destroyed while main had it")
    noticed = {**TABLES, "locks": [[1, "mutex", 4096, "a", 0, 2, 9], [2, "mutex", 4112, "b", 0, 1, 6]]}
    check_text("misuse that the program noticed", trace("noticed", take(0, 1) + give(0, 1), noticed), "a, initialized in ?, could not be destroyed",
               "a, initialized in ?, was in memory that was freed", "b, initialized in ?, was used after", "b, initialized in ?, was initialized again")
    late = {**TABLES, "locks": [[1, "mutex", 4096, "a", 0, 2, 2]]}
    check_text("used late", trace("late", take(0, 1), late), "a, initialized in ?, was used after it was destroyed", never=["a was destroyed while"])
    two = [(0, ACQUIRED, 1), (1, ACQUIRED, 1)]
    check_text("no exclusion", trace("two", two), "worker acquired a while main had it")
    full = [(0, RELEASED, 4), (0, REFUSED, 4), (0, RELEASED, 4), (1, ACQUIRED, 4), (0, REFUSED, 4)]
    same("a post that failed, and a try", [(one["releases"], one["refused"]) for one in locks(trace("full", full))["locks"]], [(1, 1)])
    held = take(0, 1) + [(0, REQUEST, 4), (1, RELEASED, 4), (0, ACQUIRED, 4)] + give(0, 1)
    check_text("held while waiting", trace("held", held), "a was held while a thread waited for items: 1 time, 20 cycles, at most 20")
    convoy = [(0, REQUEST, 1)]
    for turn in range(30):
        convoy += [((turn + 1) % 2, REQUEST, 1), (turn % 2, ACQUIRED, 1), (turn % 2, RELEASED, 1)]
    path = trace("convoy", convoy + [(0, ACQUIRED, 1), (0, RELEASED, 1)])
    check_text("convoy", path, "Convoy at a, 1 time", "30 acquisitions", never=["has not ended"])
    path = trace("open-convoy", convoy + take(2, 3))
    check_text("convoy at the end", path, "Convoy at a that has not ended: from cycle 100 to the end of the recording there was always a thread that waited, "
               "for 935 cycles and 30 acquisitions so far.", never=["Convoy at a, "])
    same("convoy at the end: JSON", locks(path)["locks"][0]["convoys"],
         {"count": 0, "acquisitions": 0, "from": 0, "cycles": 0, "open": {"acquisitions": 30, "from": 100, "cycles": 935}})
    check_text("convoy at the end of another thread", path, never=["Convoy"], options=["--thread", "feeder"])
    recursion = take(0, 5) + take(0, 5) + give(0, 5) + give(0, 5)
    same("recursion", [(one["recursive"], one["hold"]["count"], one["hold"]["cycles"]) for one in locks(trace("recursion", recursion))["locks"]], [(1, 1, 40)])


def check_random_convoys():
    """Three threads at one lock, which now and then all leave; the last recordings end within a crowd."""
    ended = still = 0
    for seed in range(12):
        odd, owner, waiting, messages = random.Random(seed), None, [], []
        while len(messages) < 400:
            thread = odd.randrange(3)
            if thread == owner:
                owner = None
                messages.append(Message(0, thread, 1, RELEASED, 0))
            elif thread in waiting and owner is None:
                owner = thread
                waiting.remove(thread)
                messages.append(Message(0, thread, 1, ACQUIRED, 0))
            elif thread not in waiting and (waiting or owner is not None or odd.random() < 0.5):
                waiting.append(thread)
                messages.append(Message(0, thread, 1, REQUEST, 0))
        messages = [m._replace(cycle=100 + 10 * at) for at, m in enumerate(messages)]
        path = trace(f"convoys-{seed}", [(m.thread, m.what, 1) for m in messages])
        want = check_convoys(f"convoys, seed {seed}", locks(path)["locks"][0], messages, 4105)
        ended += want["count"] if want else 0
        still += bool(want and want["open"])
    expect("convoys that ended, and some that did not", ended > 5 and still > 2, ended, still)


def check_held_at_end():
    """A thread that has a lock at the end: the lock is destroyed or freed, or the thread has ended."""
    held = take(0, 1) + take(1, 2) + take(2, 3) + give(2, 3)
    freed = {**TABLES, "locks": [[1, "mutex", 4096, "a", 0, 2, 8], *TABLES["locks"][1:]], "ended": [1, 2]}
    path = trace("held-at-end", held, freed)
    check_text("held at the end", path, "a was in memory that was freed while main had it, acquired at cycle 110 in ?.",
               "worker ended while it had b, acquired at cycle 130 in ?.", never=["a was destroyed", "main ended", "feeder ended"])
    same("held at the end: JSON", [(one["what"], one["lock"], one.get("thread"), one.get("cycle")) for one in locks(path)["misuse"]],
         [("freed-held", "a", "main", 110), ("ended-held", "b", "worker", 130), ("freed", "a", None, None)])
    # The write side's entry says what happened to a read-write lock.
    entries = [[6, "rwlock", 4096, "rw", 0, 2, 8], [7, "rwlock-read", 4096, None, 0, 1, 128]]
    path = trace("readers-at-end", take(0, 7) + take(1, 7) + take(2, 7) + give(2, 7), {**TABLES, "locks": entries})
    check_text("held for reading at the end", path, "rw (read) was in memory that was freed while main had it, acquired at cycle 110 in ?.",
               "rw (read) was in memory that was freed while worker had it, acquired at cycle 130 in ?.", never=["while feeder", "(read) was destroyed"])
    same("held for reading at the end: JSON", [(one["what"], one["lock"], one.get("thread")) for one in locks(path)["misuse"]],
         [("freed-held", "rw (read)", "main"), ("freed-held", "rw (read)", "worker"), ("freed", "rw", None)])
    entries = [[6, "rwlock", 4096, "rw", 0, 2, 10], [7, "rwlock-read", 4096, None, 0, 2]]
    check_text("freed, then used", trace("readers-used", take(0, 7), {**TABLES, "locks": entries}), "rw, initialized in ?, was used after",
               never=["while main had it"])
    check_text("destroyed", trace("destroyed", take(0, 5)), "r was destroyed while main had it, acquired at cycle 110 in ?.", never=["freed", "ended while"])
    for ended in ([9], [256], ["1"], [[1, 1]]):
        done = run([GNOMON, "locks", trace("ended", held, {**TABLES, "ended": ended})])
        expect(f"ended {ended}", done.returncode == 1 and "make no sense: a thread that has ended" in done.stderr, done.returncode, done.stderr)


def check_thread():
    """With --thread, only sentences about this thread; main is in none of them."""
    order = take(1, 1) + take(1, 2) + give(1, 2) + give(1, 1) + take(2, 2) + take(2, 1) + give(2, 1) + give(2, 2)
    blocked = take(1, 1) + [(1, REQUEST, 4), (0, RELEASED, 4), (1, ACQUIRED, 4)] + give(1, 1) + take(2, 1) + [(2, REQUEST, 4), (0, RELEASED, 4), (2, ACQUIRED, 4)]
    convoy = [(1, REQUEST, 1)]
    for turn in range(12):
        convoy += [(2 - turn % 2, REQUEST, 1), (1 + turn % 2, ACQUIRED, 1), (1 + turn % 2, RELEASED, 1)]
    convoy += [(1, ACQUIRED, 1), (1, RELEASED, 1)]
    cases = {"order": (order, "Lock order both ways"), "blocked": (blocked, "held while a thread waited"), "convoy": (convoy, "Convoy"),
             "deadlock": (take(1, 1) + take(2, 2) + [(1, REQUEST, 2), (2, REQUEST, 1)], "DEADLOCK"), "misuse": (take(1, 1) + give(2, 1), "feeder released a"),
             "waits": (take(1, 1) + [(2, REQUEST, 1)], "At the end feeder waits")}
    for name, (lines, sentence) in cases.items():
        path = trace(f"thread-{name}", take(0, 3) + give(0, 3) + lines, reason="duration", exit_status=-1)
        check_text(f"{name} without main", path, never=[sentence], options=["--thread", "main"])
        for thread in ("worker", "feeder"):
            check_text(f"{name} of {thread}", path, sentence, options=["--thread", thread])
    path = trace("thread-orders", take(0, 3) + give(0, 3) + order)
    check_text("--order of a thread", path, never=["a then b"], options=["--order", "--thread", "main"])
    noticed = {**TABLES, "locks": [[1, "mutex", 4096, "a", 0, 2, 1]]}
    check_text("noticed by the program", trace("thread-noticed", take(0, 1) + give(0, 1), noticed), never=["could not be destroyed"], options=["--thread", "main"])


def check_callers():
    """A call site that only releases has no row; the JSON has it."""
    path = trace("callers", [(0, REQUEST, 1, 0x20000010), (0, ACQUIRED, 1, 0x20000010), (0, RELEASED, 1, 0x20000020)])
    for options in (["--by-caller"], ["--lock", "a"]):
        rows = [line for line in text(path, *options).splitlines() if line.startswith("  ") and not line.startswith("  held")]
        expect(f"{options}: only the call that acquires", any("0x20000010" in line for line in rows) and not any("0x20000020" in line for line in rows), rows)
    same("JSON has both", sorted(one["caller"]["address"] for one in locks(path)["locks"][0]["by_caller"]), [0x20000010, 0x20000020])


def check_terminal():
    """80 columns: no line is wider, and what matters is not cut."""
    long = {**TABLES, "threads": [[0, "the_thread_that_runs_main", 0], [1, "worker_of_the_pool", 0]],
            "locks": [[1, "mutex", 4096, "connection_pool_lock_of_the_server", 0, 1], [2, "errorcheck", 4112, "lock_of_the_log_with_a_name_that_alone_is_almost_as_wide_as_the_screen", 0, 1]]}
    lines = []
    for turn in range(12):
        thread = turn % 2
        for lock in (1, 2):
            lines += [(thread, REQUEST, lock, 0x20000000 + 16 * lock), (thread, ACQUIRED, lock, 0x20000000 + 16 * lock)]
        lines += [(thread, RELEASED, lock, 0x20000040) for lock in (2, 1)]
    path = trace("terminal", lines + [(1, REQUEST, 1, 0x20000010), (0, REQUEST, 1, 0x20000010)] + give(0, 1), long)
    shown = {}
    for command in (["locks"], ["locks", "--by-caller"], ["locks", "--lock", "1"], ["locks", "--lock", "2"], ["locks", "--order"], ["dump"]):
        status, shown[" ".join(command)] = on_terminal(GNOMON, *command, path)
        same(f"{command} on a terminal: status", status, 0)
        wide = [line for line in shown[" ".join(command)] if len(line) > 80]
        expect(f"{command} fits 80 columns", not wide, wide)
    messages = [line for line in shown["dump"] if re.search(" (conn|lock_of).*(asked|acquired|released)", line)]
    expect("dump shows each message with its verb", len(messages) == len(lines) + 3, shown["dump"])
    expect("the thread's column is enough", not any(" by the_thread" in line for line in messages), messages)
    expect("another thread than the column's is named", any(" by wor...e_pool" in line for line in messages), messages)
    expect("call sites are whole", sum("0x20000010" in line for line in shown["locks --by-caller"]) == 1, shown["locks --by-caller"])


def check_options():
    lines = take(0, 1) + [(1, REQUEST, 1)] + give(0, 1) + [(1, ACQUIRED, 1)] + give(1, 1) + take(1, 2) + give(1, 2)
    path = trace("options", lines)
    check_text("a lock", path, "a, mutex, number 1", "worker", options=["--lock", "a"], never=[" b mutex"])
    check_text("a thread", path, "b mutex 1", options=["--thread", "worker"])
    check_text("call sites", path, "called from", options=["--by-caller"])
    check_text("orders", path, "No lock was asked for while another one was held", options=["--order"])
    same("sorted by name", [one["name"] for one in locks(path, "--sort", "name")["locks"]], ["a", "b"])
    for options, status, wanted in (
            (["--lock", "nothing"], 1, "no lock named nothing was used"), (["--thread", "absent"], 1, "no thread named absent"),
            (["--sort", "colour"], 2, "the keys are wait, hold"), (["--thread", "1", "--by-caller"], 2, "exclude each other")):
        done = run([GNOMON, "locks", *options, path])
        same(f"{options}: status", done.returncode, status)
        expect(f"{options}: says {wanted!r}", wanted in done.stderr, done.stderr)
    silent = write("silent", [(0, "begin", 0), (50, "end", 0, 10, 0, 0, 0)], None)
    done = run([GNOMON, "locks", silent])
    expect("no messages", done.returncode == 1 and "has no lock messages" in done.stderr and "gnomon cc --gnomon-locks" in done.stderr, done.stderr)
    wide = max(map(len, text(path).splitlines()))
    expect("the table fits 80 columns", all(len(line) <= 80 for line in text(path).splitlines()[1:]), wide)


def check_without_names():
    lines = take(0, 1) + give(0, 1) + take(200, 900) + give(200, 900)
    path = trace("nameless", lines, tables={})
    check_text("without tables", path, "lock 1 unknown", "lock 900 unknown")
    refused = {"threads": [[0, None, 0]], "locks": [[1, "mutex", 4096, "a\x1b[2J", 0, 1]], "threads_refused": 3, "locks_refused": 17}
    beyond = take(0, 4095) + take(255, 1) + give(255, 1) + give(0, 4095) + give(0, 4095)
    path = trace("beyond", beyond, refused)
    check_text("beyond the tables", path, "no place for the locks of 17 calls", "no place for 3 threads", "[locks without an entry]", "a?[2J", never=["released", "\x1b[2J"])
    shown = {one["index"]: one for one in locks(path)["locks"]}
    same("beyond: only counts", (shown[4095]["acquisitions"], shown[4095]["releases"], shown[4095]["hold"]["count"]), (1, 2, 0))


def check_damaged():
    lines = take(0, 1) + give(0, 1)
    for name, tables in (("kind", [[1, "latch", 0, None, 0, 1]]), ("index", [[4096, "mutex", 0, None, 0, 1]]), ("state", [[1, "mutex", 0, None, 0, 3]]),
                         ("twice", [[1, "mutex", 0, None, 0, 1]] * 2), ("short", [[1, "mutex"]]), ("name", [[1, "mutex", 0, 7, 0, 1]]),
                         ("address", [[1, "mutex", -1, None, 0, 1]])):
        path = trace(f"damaged-{name}", lines, {**TABLES, "locks": tables})
        done = run([GNOMON, "locks", path])
        expect(f"damaged {name}", done.returncode == 1 and "names of threads and locks in the file make no sense: a lock" in done.stderr, done.stderr)
    path = trace("damaged", lines)
    with open(path, "rb") as file:
        data = bytearray(file.read())
    data[data.index(b"GNTLOC") + 30] ^= 1
    with open(path, "wb") as file:
        file.write(data)
    for command in ("locks", "dump", "report"):
        done = run([GNOMON, command, path])
        expect(f"{command} of a damaged section", done.returncode == 1 and "the names of threads and locks are damaged" in done.stderr, done.returncode, done.stderr)


def check_dump():
    path = trace("dump", take(1, 1) + give(1, 1))
    shown = run([GNOMON, "dump", path]).stdout
    for wanted in ("a asked for by worker", "a acquired by worker", "a released by worker"):
        expect(f"dump says {wanted!r}", wanted in shown, shown)
    lines = [json.loads(line) for line in run([GNOMON, "dump", "--json", path]).stdout.splitlines()]
    same("dump --json", [(one["message"], one["lock_name"], one["lock_kind"], one["thread_name"], one["data"]) for one in lines if one["event"] == "lock"],
         [(what, "a", "mutex", "worker", 0) for what in (REQUEST, ACQUIRED, RELEASED)])


check_random()
check_problems()
check_random_convoys()
check_held_at_end()
check_thread()
check_callers()
check_terminal()
check_options()
check_without_names()
check_damaged()
check_dump()
sys.exit(result())
