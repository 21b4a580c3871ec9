# SPDX-License-Identifier: Apache-2.0
"""Reads the time lines that gnomon export writes, and takes figures out of them by following the tracks: none of them is in the files.

Each reader gives a Line: its events in the order of time, with times in cycles."""
import collections
import json

Event = collections.namedtuple("Event", "cycle phase track category name arguments")
Track = collections.namedtuple("Track", "group name rank")
THREADS_MOST = 256


class Line:
    def __init__(self, clock_hz):
        self.clock_hz, self.events, self.tracks, self.remarks, self.exact = clock_hz, [], {}, [], None
        self.odd = []  # what is against the rules of the format

    def cycle(self, nanoseconds):
        """The cycle of a time, which has been rounded once."""
        if not self.clock_hz:
            return nanoseconds // 1000
        cycle = (nanoseconds * self.clock_hz + 500_000_000) // 1_000_000_000
        if (cycle * 1_000_000_000 + self.clock_hz // 2) // self.clock_hz != nanoseconds:
            self.odd.append(f"{nanoseconds} ns is no cycle")
        return cycle

    def sort(self):
        """By time; of the same time, as in the file."""
        self.events.sort(key=lambda event: event.cycle)
        return self


def nanoseconds(text):
    whole, _, part = text.partition(".")
    return int(whole + part.ljust(3, "0"))


def chrome(path):
    file = json.loads(path.read_text(), parse_float=str)
    line = Line(file["otherData"]["clock_hz"])
    line.remarks, line.exact = file["otherData"]["remarks"], file["otherData"]["exact"]
    groups, names, ranks = {}, {}, {}
    for event in file["traceEvents"]:
        place = event["pid"], event.get("tid")
        if event["ph"] == "M":
            table = {"process_name": groups, "thread_name": names, "thread_sort_index": ranks}.get(event["name"])
            if table is not None:
                table[event["pid"] if table is groups else place] = event["args"].get("name", event["args"].get("sort_index"))
            continue
        if event["ph"] == "C":
            names[place], ranks[place] = event["name"], int(event["name"].split()[1])
        line.events.append(Event(line.cycle(nanoseconds(event["ts"])), event["ph"], place, event.get("cat"), event.get("name"), event.get("args", {})))
    line.tracks = {place: Track(groups[place[0]], name, ranks[place]) for place, name in names.items()}
    return line.sort()


def annotations(event, keys):
    return {keys[a.name_iid]: a.string_value if a.HasField("string_value") else a.uint_value for a in event.debug_annotations}


def perfetto(path):
    """By Perfetto's own descriptors."""
    from perfetto.protos.perfetto.trace import perfetto_trace_pb2 as proto
    trace = proto.Trace.FromString(path.read_bytes())
    kinds = {proto.TrackEvent.TYPE_SLICE_BEGIN: "B", proto.TrackEvent.TYPE_SLICE_END: "E", proto.TrackEvent.TYPE_INSTANT: "i", proto.TrackEvent.TYPE_COUNTER: "C"}
    names, categories, keys, tracks = {}, {}, {}, {}
    line, events = Line(0), []
    for at, packet in enumerate(trace.packet):
        if packet.trusted_packet_sequence_id != 1 or (packet.sequence_flags == proto.TracePacket.SEQ_INCREMENTAL_STATE_CLEARED) != (at == 0):
            line.odd.append(f"packet {at} is of no sequence")
        for table, interned in ((names, packet.interned_data.event_names), (categories, packet.interned_data.event_categories), (keys, packet.interned_data.debug_annotation_names)):
            for entry in interned:
                if table.setdefault(entry.iid, entry.name) != entry.name or not entry.iid:
                    line.odd.append(f"{entry.name} is interned twice")
        if packet.HasField("track_descriptor"):
            tracks[packet.track_descriptor.uuid] = packet.track_descriptor
        if not packet.HasField("track_event"):
            continue
        event = packet.track_event
        name = names[event.name_iid] if event.name_iid else None
        arguments = annotations(event, keys)
        if kinds[event.type] == "C":
            arguments["value"] = event.counter_value
        if "clock_hz" in arguments:
            line.clock_hz, line.exact = arguments["clock_hz"], bool(arguments["exact"])
        elif "remark" in arguments:
            line.remarks.append(arguments["remark"])
        else:
            if event.track_uuid not in tracks or (kinds[event.type] == "C") != tracks[event.track_uuid].HasField("counter"):
                line.odd.append(f"packet {at}: no track, or a wrong one")
            events.append((packet.timestamp, kinds[event.type], event.track_uuid, categories[event.category_iids[0]] if event.category_iids else None, name, arguments))
    line.events = [Event(line.cycle(time), *rest) for time, *rest in events]
    line.tracks = {uuid: Track(tracks[track.parent_uuid].name, track.name, track.sibling_order_rank) for uuid, track in tracks.items() if track.parent_uuid}
    return line.sort()


class Figures:
    def __init__(self):
        self.self, self.total, self.calls = collections.Counter(), collections.Counter(), collections.Counter()
        self.threads, self.traps = collections.Counter(), collections.Counter()  # cycles, by the thread's number
        self.lost = self.unprofiled = 0
        self.locks = {"hold": collections.defaultdict(list), "wait": collections.defaultdict(list)}  # {(lock, thread): lengths}
        self.open = collections.Counter()  # {(lock, "hold" or "wait"): how many have no end}
        self.losses, self.messages, self.values = [], [], []


TRAPS = "trap", "resumed-trap"


class Replay:
    """Follows the tracks of a Line in the order of time."""

    def __init__(self, line):
        self.line, self.figures = line, Figures()
        self.stacks = collections.defaultdict(list)  # of each track: (name, category, begin)
        self.by_thread = {track.rank: at for at, track in line.tracks.items() if track.group == "threads"}
        self.harts = sorted(track.rank // 2 for track in line.tracks.values() if track.group == "harts" and track.rank % 2 == 0)
        self.runs = {track.rank // 2: at for at, track in line.tracks.items() if track.group == "harts" and track.rank % 2 == 0}
        self.interrupts = {track.rank // 2: at for at, track in line.tracks.items() if track.group == "harts" and track.rank % 2}
        self.running, self.now = {}, collections.Counter()
        for event in line.events:
            self.take(event)
        self.left = {line.tracks[at].name: stack for at, stack in self.stacks.items() if stack}

    def take(self, event):
        group = self.line.tracks[event.track].group
        if group in ("harts", "threads"):
            for hart in self.harts:
                self.credit(hart, event.cycle)
        if event.phase == "B":
            self.begin(event, group)
        elif event.phase == "E":
            self.end(event, group)
        elif event.phase == "i":
            self.instant(event, group)
        else:
            self.figures.values.append((event.cycle, self.line.tracks[event.track].rank, event.arguments["value"]))

    def credit(self, hart, cycle):
        """Gives the time since the hart's last event to what it did."""
        passed, self.now[hart] = cycle - self.now[hart], cycle
        run = self.stacks[self.runs[hart]]
        if not passed or not run:
            return
        if run[-1][1] == "lost":
            self.figures.lost += passed
            return
        thread = self.running[hart]
        self.figures.threads[thread] += passed
        stack = self.stacks.get(self.by_thread.get(thread), [])
        inner = self.stacks.get(self.interrupts.get(hart), [])
        if inner and any(entry[1] in TRAPS for entry in inner):
            self.figures.traps[thread] += passed
            stack = inner[max(at for at, entry in enumerate(inner) if entry[1] in TRAPS):]
        for name in {name for name, category, _ in stack if category != "lost"}:
            self.figures.total[name] += passed
        if not stack:
            self.figures.unprofiled += passed
        elif stack[-1][1] == "lost":
            self.figures.lost += passed
        else:
            self.figures.self[stack[-1][0]] += passed

    def begin(self, event, group):
        track = self.line.tracks[event.track]
        self.stacks[event.track].append((event.name, event.category, event.cycle))
        if group == "harts" and event.category == "thread":
            self.running[track.rank // 2] = event.arguments["thread"]
        self.figures.calls[event.name] += event.category in ("call", "trap")

    def end(self, event, group):
        if not self.stacks[event.track]:
            self.line.odd.append(f"{self.line.tracks[event.track].name}: ends what has not begun")
            return
        name, category, begin = self.stacks[event.track].pop()
        place = divmod(self.line.tracks[event.track].rank, THREADS_MOST)
        if group == "locks" and category == name:
            self.figures.locks[name][place].append(event.cycle - begin)
        elif group == "locks":
            self.figures.open[place[0], name] += 1
        if group == "locks" and self.stacks[event.track]:
            self.line.odd.append(f"{self.line.tracks[event.track].name}: spans overlap")

    def instant(self, event, group):
        if event.category == "entry":
            self.figures.calls[event.name] += 1
        elif group == "recording":
            self.figures.losses.append((event.name, event.arguments))
        else:
            self.figures.messages.append((event.cycle, event.name, event.arguments))


def speedscope(path):
    """(Figures, remarks, what is against the rules). Checks what speedscope's own reader checks: frames, order and nesting of the events."""
    file = json.loads(path.read_text(), parse_float=str, parse_int=str)
    line, figures = Line(int(file["gnomon"]["clock_hz"])), Figures()

    def cycle(text):
        return line.cycle(nanoseconds(text)) if line.clock_hz else int(text)
    frames = [frame["name"] for frame in file["shared"]["frames"]]
    if len(frames) != len(set(frames)):
        line.odd.append("two frames have the same name")
    for profile in file["profiles"]:
        if (profile["type"], profile["unit"], profile["startValue"]) != ("evented", "microseconds" if line.clock_hz else "none", "0"):
            line.odd.append(f"{profile['name']}: another kind of profile")
        stack, now = [], 0
        for event in [*profile["events"], {"type": "end", "at": profile["endValue"]}]:
            at = cycle(event["at"])
            if at < now:
                line.odd.append(f"{profile['name']}: goes back in time")
            if not stack:
                figures.unprofiled += at - now
            elif stack[-1] == "[lost]":
                figures.lost += at - now
            else:
                figures.self[stack[-1]] += at - now
            for name in set(stack) - {"[lost]"}:
                figures.total[name] += at - now
            now = at
            if event["type"] == "O":
                stack.append(frames[int(event["frame"])])
                figures.calls[stack[-1]] += 1
            elif event["type"] == "C" and (not stack or stack.pop() != frames[int(event["frame"])]):
                line.odd.append(f"{profile['name']}: a frame closes that is not the innermost")
        if stack:
            line.odd.append(f"{profile['name']}: {stack} is open")
    return figures, file["gnomon"]["remarks"], line.odd
