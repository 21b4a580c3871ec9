#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`gnomon locks` of programs that send no messages: random histories, told by calls of lock functions with arguments and results. Whole, every
figure is that of the history; with losses, no figure is more than it, and the output says that they are inexact.

usage: test_lock_calls.py --gnomon COMMAND --elf FILE --out FOLDER --seeds COUNT"""
import json
import random
import sys

from checking import expect, result, same
from commands import run
from gnomon_trace import CHANNEL_REGISTER, CHANNEL_THREAD
from gnt_encoder import encode, gnt_bytes
from figures import check_whole
from histories import ACQUIRED, History, REFUSED, RELEASED, REQUEST
from options import values

GNOMON, ELF, OUT, SEEDS = values(__doc__, "gnomon", "elf", "out", "seeds")
FIRST = 40  # number of the first watched function
FAILS = 16
FUNCTIONS = {  # by kind: waits, tries, releases
    "mutex": ("pthread_mutex_lock", "pthread_mutex_trylock", "pthread_mutex_unlock"), "spin": ("pthread_spin_lock", "pthread_spin_trylock", "pthread_spin_unlock"),
    "semaphore": ("sem_wait", "sem_trywait", "sem_post"), "rwlock": ("pthread_rwlock_wrlock", "pthread_rwlock_trywrlock", "pthread_rwlock_unlock"),
    "rwlock-read": ("pthread_rwlock_rdlock", "pthread_rwlock_tryrdlock", "pthread_rwlock_unlock")}
FUNCTIONS["errorcheck"] = FUNCTIONS["recursive"] = FUNCTIONS["mutex"]
FUNCTIONS["condition"] = FUNCTIONS["semaphore"]
# Of FreeRTOS: a function waits or tries, as its second argument says; results are 1 and 0.
FREERTOS = dict.fromkeys(("mutex", "semaphore", "condition"), ("xQueueSemaphoreTake", "xQueueSemaphoreTake", "xQueueGenericSend"))
FREERTOS["recursive"] = ("xQueueTakeMutexRecursive", "xQueueTakeMutexRecursive", "xQueueGiveMutexRecursive")
CREATE = {"mutex": ("xQueueCreateMutexStatic", 1, 0), "recursive": ("xQueueCreateMutex", 4, 0), "semaphore": ("xQueueCreateCountingSemaphore", 5, 0),
          "condition": ("xQueueGenericCreate", 1, 0)}
TYPES = {"recursive": 1, "errorcheck": 2}
ROLES = sorted({name for names in [*FUNCTIONS.values(), *FREERTOS.values()] for name in names} | {create[0] for create in CREATE.values()}
               | {"pthread_mutexattr_settype", "pthread_mutex_init"})
HELPER = "pthread_mutex_lock"  # by which others do their work


def address_of(lock):
    return 0x10001000 + 8 * (20 if lock.kind == "rwlock-read" else lock.index)


class Calls:
    """Makes the events of a trace of a history's messages. `nested`: how often a lock function of the library uses others.
    `freertos`: kinds that FreeRTOS has are its locks."""

    def __init__(self, history, odd, nested=0.2, freertos=False):
        self.odd, self.nested = odd, nested
        self.freertos = FREERTOS if freertos else {}
        self.locks = {lock.index: lock for lock in history.locks}
        self.events, self.thread = [(0, "begin", 0)], 0
        self.open = {}  # by thread: the function that it has called
        for lock in history.locks:
            if lock.kind in self.freertos:
                function, first, second = CREATE[lock.kind]
                self.call(50, function, first, second, 0x10000004, address_of(lock))
            elif lock.kind in TYPES:
                self.call(50, "pthread_mutexattr_settype", 0x9000, TYPES[lock.kind], 0x10000004, 0)
                self.call(50, "pthread_mutex_init", address_of(lock), 0x9000, 0x10000004, 0)
        messages = history.messages
        for at, message in enumerate(messages):
            following = next((m for m in messages[at + 1:at + 400] if m.thread == message.thread), None)
            self.take(message, following)
        self.events.append((history.cycle, "end", 0, 1000, len(self.events) - 1, 0, 0))

    def put(self, cycle, *event):
        self.events.append((cycle, *event))

    def enter(self, cycle, function, first, second, caller):
        self.put(cycle, "enter", FIRST + ROLES.index(function))
        for value in (caller, second, first):
            self.put(cycle, "channel", CHANNEL_REGISTER, value)

    def exit(self, cycle, function, value=None):
        self.put(cycle, "exit", FIRST + ROLES.index(function))
        if value is not None:
            self.put(cycle, "channel", CHANNEL_REGISTER, value)

    def call(self, cycle, function, first, second, caller, value):
        self.enter(cycle, function, first, second, caller)
        if function != HELPER and self.odd.random() < self.nested:  # the library's own locks do not count
            self.enter(cycle, HELPER, 0x10008000, 0, 0x10000044)
            self.exit(cycle, HELPER, 0)
        self.exit(cycle, function, value)

    def run_thread(self, message):
        if message.thread != self.thread:
            self.put(message.cycle, "channel", CHANNEL_THREAD, message.thread)
            self.thread = message.thread
        elif self.odd.random() < 0.05:  # a trap that uses no lock
            self.put(message.cycle, "trap_enter", 39)
            self.put(message.cycle, "trap_leave")

    def take(self, message, following):
        lock, thread, cycle = self.locks[message.lock], message.thread, message.cycle
        waits, tries, releases = self.freertos.get(lock.kind) or FUNCTIONS[lock.kind]
        good, bad = (1, 0) if lock.kind in self.freertos else (0, FAILS)
        self.run_thread(message)
        if message.what == REQUEST:
            self.open[thread] = waits, good, bad
            self.enter(cycle, waits, address_of(lock), 7, message.caller)
        elif message.what == RELEASED:
            fails = following and following.what == REFUSED and following.lock == message.lock and following.caller == message.caller
            self.enter(cycle, releases, address_of(lock), 7, message.caller)
            if fails:
                self.open[thread] = releases, good, bad
            else:
                self.exit(cycle, releases, good)
        elif thread in self.open:
            self.answer(cycle, *self.open.pop(thread), message)
        else:
            self.call(cycle, tries, address_of(lock), 0, message.caller, good if message.what == ACQUIRED else bad)

    def answer(self, cycle, function, good, bad, message):
        if message.what == REFUSED and function.endswith("lock") and self.odd.random() < 0.3 and "un" not in function:
            self.exit(cycle, function)  # it did not return
        elif self.odd.random() < self.nested / 2 and function.endswith("wrlock"):  # it ends with a jump to another function
            self.exit(cycle, function)
            self.enter(cycle, "pthread_rwlock_trywrlock", 0x10008000, 0, 0x10000044)
            self.exit(cycle, "pthread_rwlock_trywrlock", 0 if message.what == ACQUIRED else FAILS)
        else:
            self.exit(cycle, function, good if message.what == ACQUIRED else bad)


def drop(events, odd):
    """Leaves out calls with all that they contain, and single messages, as the device does. Returns the events, and how many were lost."""
    out, at, total = [], 0, 0
    while at < len(events):
        event = events[at]
        droppable = event[1] in ("enter", "channel") and 0 < at < len(events) - 1
        if not droppable or odd.random() >= 0.004:
            out.append(event)
            at += 1
            continue
        lost, depth, most = {"enter": 0, "exit": 0, "channel": 0}, 0, odd.choice((1, 1, 2, 9))
        while at < len(events) - 1:
            kind = {"trap_enter": "enter", "trap_leave": "exit"}.get(events[at][1], events[at][1])
            if depth <= 0 and (kind == "exit" or sum(lost.values()) >= most and lost["enter"] == lost["exit"]):
                break
            lost[kind] += 1
            depth += (kind == "enter") - (kind == "exit")
            at += 1
        total += sum(lost.values())
        out.append((out[-1][0], "lost", lost["enter"], lost["exit"], lost["channel"], 0))
    end = out[-1]
    out[-1] = (*end[:4], end[4], total, end[6])
    return out, total


def locks(name, events, history, unseen=0, **watch):
    frames, _ = encode(events, 256, lambda n: 0)
    header = {"device": {"address": "sim:test", "stack_entries": 256}, "clock_hz": 60000000, "elf": {"path": ELF},
              "watch": {"first": FIRST, "addresses": [0x10002000 + 4 * i for i in range(len(ROLES))], "roles": ROLES, **watch}}
    path = f"{OUT}/{name}.gnt"
    with open(path, "wb") as file:
        file.write(gnt_bytes(header, frames, locks={**history.tables(), "locks": []}, unseen_switches=unseen))
    done = run([GNOMON, "locks", "--json", path])
    if watch or unseen:
        return done
    if not expect(f"{path}: status", done.returncode == 0, done.returncode, done.stderr):
        sys.exit(result())
    return renumbered(json.loads(done.stdout), history)


def renumbered(shown, history):
    """Locks with their numbers in the history."""
    numbers = {(address_of(lock), lock.kind == "rwlock-read"): lock.index for lock in history.locks}
    map_ = {lock["index"]: numbers[lock["address"], lock["kind"] == "rwlock-read"] for lock in shown["locks"]}
    for lock in shown["locks"]:
        lock["index"] = map_[lock["index"]]
    for order in shown["orders"] + [order for circle in shown["circles"] for order in circle["orders"]]:
        order["first_index"], order["second_index"] = map_[order["first_index"]], map_[order["second_index"]]
    for one in shown["misuse"]:
        one["lock_index"] = map_[one["lock_index"]]
    return shown


def check_lower(name, history, shown, lost):
    same(f"{name}: lost", (shown["exact"], shown["lost_messages"]), (not lost, lost))
    for got in shown["locks"]:
        want, where = history.by_lock[got["index"]], f"{name}, lock {got['index']} ({got['kind']})"
        parts = [(where, got, want)] + [(f"{where}, {part['thread']}", part, history.by_thread[part["thread_index"], got["index"]]) for part in got["by_thread"]]
        for place, part, most in parts:
            for key in ("requests", "acquisitions", "contended", "uncontended"):
                expect(f"{place}: {key} is a lower bound", part[key] <= most[key], part[key], most[key])
        for key in ("hold", "wait"):
            times = want[key + "s"]
            expect(f"{where}: no {key} is invented", got[key]["count"] <= len(times) and got[key]["cycles"] <= sum(times), got[key], len(times), sum(times))
        for hold in got["longest_holds"]:
            expect(f"{where}: a hold of the history", hold["cycles"] in want["holds"], hold)


def check_file(history, events):
    for name, roles in (("unknown", ["no_such_function"] * len(ROLES)), ("few", ROLES[:3]), ("none", 7)):
        done = locks(f"calls-{name}", events, history, roles=roles)
        expect(f"roles: {name}", done.returncode == 1 and "the list of watched functions in it makes no sense" in done.stderr, done.stderr)


def check_unseen():
    """Switches of threads without a message: some, and all."""
    for threads in (4, 1):
        history = History(7, 300, threads=threads)
        done = locks(f"unseen-{threads}", Calls(history, random.Random(7)).events, history, unseen=3)
        if threads > 1:
            shown = json.loads(done.stdout)
            same("some unseen switches", (shown["exact"], [(reason["id"], reason["count"]) for reason in shown["reasons"]]), (False, [("unseen-switches", 3)]))
            expect("and what they mean", "lock calls of one thread count for another" in " ".join(done.stderr.split()), done.stderr)
        else:
            expect("no message THREAD", done.returncode == 1 and "switched threads 3 times and sent no message THREAD" in " ".join(done.stderr.split()), done.stderr)


check_unseen()
for seed in range(int(SEEDS)):
    odd = random.Random(seed)
    history = History(seed, 3000, threads=1 + seed % 6)
    calls = Calls(history, odd, freertos=seed % 2 == 1).events
    check_whole(seed, history, locks(f"calls-{seed}", calls, history))
    if seed == 0:
        check_file(history, calls)
    # Of a failure that was lost, the release is left; of a function of the library, those that it calls.
    history = History(seed + 1000, 3000, threads=1 + seed % 6, failing=0)
    left, gone = drop(Calls(history, odd, nested=0, freertos=seed % 2 == 1).events, odd)
    check_lower(f"seed {seed}, with losses", history, locks(f"calls-lossy-{seed}", left, history), gone)
sys.exit(result())
