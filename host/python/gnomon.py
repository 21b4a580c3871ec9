# SPDX-License-Identifier: Apache-2.0
"""libgnomon for Python (docs/reference/api.md), without a build: put this folder on PYTHONPATH, and name the library in LIBGNOMON if it is
neither beside this file's host (build/host) nor where the system looks.

    import gnomon
    with gnomon.Device("sim:full") as device:
        device.load("hello", ["hello", "argument"])
        device.count(0, "loads")
        run = device.run()
        print(run.cycles, device.counter(0), device.causes())
    with gnomon.Profile("gnomon.gnt") as profile:
        for function in profile.functions:
            print(function.self_cycles, function.name)
"""
import ctypes as c
import dataclasses
import json
import os
import pathlib

ABI = 2
UNPROFILED = 0xFFFFFFFF
END_EXIT, END_DEBUG, END_STOPPED = 1, 2, 3
CAUSES = 18
_CONSOLE = c.CFUNCTYPE(None, c.c_void_p, c.POINTER(c.c_uint8), c.c_size_t)
_TICK = c.CFUNCTYPE(c.c_bool, c.c_void_p)


class _Error(c.Structure):
    _fields_ = [("status", c.c_int), ("what", c.c_char * 768), ("remedy", c.c_char * 512)]


class _Run(c.Structure):
    _fields_ = [("context", c.c_void_p), ("console", _CONSOLE), ("tick", _TICK), ("end", c.c_int), ("exit_status", c.c_uint32),
                ("cycles", c.c_uint64), ("instructions", c.c_uint64)]


class _Range(c.Structure):
    _fields_ = [(name, c.c_uint64) for name in ("entries", "instructions", "cycles", "reads", "writes")]


class _TagCount(c.Structure):
    _fields_ = [(name, c.c_uint64) for name in ("executions", "cycles", "reads", "writes")] + [("exact", c.c_bool)]


class _Timer(c.Structure):
    _fields_ = [("intervals", c.c_uint32), ("cycles", c.c_uint64), ("shortest", c.c_uint32), ("longest", c.c_uint32),
                ("over", c.c_uint32 * 4)]


class _Sums(c.Structure):
    _fields_ = [(name, c.c_uint64) for name in ("cycles", "unprofiled", "lost", "clock_hz")] + \
               [(name, c.c_size_t) for name in ("functions", "arcs", "faults")]


class _Function(c.Structure):
    _fields_ = [("name", c.c_char_p), ("file", c.c_char_p), ("line", c.c_uint), ("address", c.c_uint32)] + \
               [(name, c.c_uint64) for name in ("calls", "self", "total", "shortest", "longest")] + [("exact", c.c_bool)]


class _Arc(c.Structure):
    _fields_ = [("caller", c.c_uint32), ("callee", c.c_uint32)] + [(name, c.c_uint64) for name in ("calls", "self", "total")]


_HANDLE, _TEXT, _WORD, _LONG, _ERROR = c.c_void_p, c.c_char_p, c.c_uint32, c.c_uint64, c.POINTER(_Error)
# Name: result, arguments. What returns an int takes the error last.
_FUNCTIONS = {
    "abi": (c.c_uint, []),
    "free": (None, [c.c_void_p]),
    "open": (c.c_int, [_TEXT, c.POINTER(_TEXT), c.POINTER(_HANDLE)]),
    "close": (None, [_HANDLE]),
    "info": (c.c_int, [_HANDLE, c.POINTER(c.c_void_p)]),
    "read": (c.c_int, [_HANDLE, _WORD, c.POINTER(_WORD), c.c_size_t]),
    "write": (c.c_int, [_HANDLE, _WORD, c.POINTER(_WORD), c.c_size_t]),
    "put": (c.c_int, [_HANDLE, _TEXT, _TEXT]),
    "load": (c.c_int, [_HANDLE, _TEXT, c.c_int, c.POINTER(_TEXT)]),
    "run": (c.c_int, [_HANDLE, c.POINTER(_Run)]),
    "record": (c.c_int, [_HANDLE, _TEXT, c.c_bool]),
    "get": (c.c_int, [_HANDLE, _TEXT, _TEXT]),
    "counters": (c.c_int, [_HANDLE, c.POINTER(c.c_uint), c.POINTER(c.c_uint)]),
    "count": (c.c_int, [_HANDLE, c.c_uint, _TEXT]),
    "counter": (c.c_int, [_HANDLE, c.c_uint, c.POINTER(_LONG)]),
    "range": (c.c_int, [_HANDLE, c.c_uint, _WORD, _WORD]),
    "range_read": (c.c_int, [_HANDLE, c.c_uint, c.POINTER(_Range)]),
    "find": (c.c_int, [_TEXT, _TEXT, c.c_bool, c.POINTER(_WORD), c.POINTER(_WORD)]),
    "tag": (c.c_int, [_HANDLE, _TEXT]),
    "threshold": (c.c_int, [_HANDLE, c.c_uint, c.c_uint, _WORD]),
    "tag_count": (c.c_int, [_HANDLE, c.c_size_t, c.POINTER(_TagCount)]),
    "tag_per_address": (c.c_int, [_HANDLE, _WORD, c.c_bool, c.POINTER(_WORD), c.c_size_t]),
    "timer": (c.c_int, [_HANDLE, c.c_uint, c.POINTER(_Timer)]),
    "causes": (c.c_int, [_HANDLE, c.POINTER(_LONG)]),
    "code_windows": (c.c_int, [_HANDLE, _TEXT, c.POINTER(_WORD), c.c_size_t, c.POINTER(c.c_size_t), c.POINTER(_WORD)]),
    "cause": (_TEXT, [c.c_uint]),
    "profile_open": (c.c_int, [_TEXT, _TEXT, c.POINTER(_HANDLE)]),
    "profile_close": (None, [_HANDLE]),
    "profile_sums": (None, [_HANDLE, c.POINTER(_Sums)]),
    "profile_function": (c.c_bool, [_HANDLE, c.c_size_t, c.POINTER(_Function)]),
    "profile_arc": (c.c_bool, [_HANDLE, c.c_size_t, c.POINTER(_Arc)]),
    "profile_fault": (_TEXT, [_HANDLE, c.c_size_t]),
}


def _load():
    built = pathlib.Path(__file__).resolve().parents[2] / "build" / "host" / "libgnomon.so.2"
    library = c.CDLL(os.environ.get("LIBGNOMON") or (str(built) if built.exists() else "libgnomon.so.2"))
    for name, (result, arguments) in _FUNCTIONS.items():
        function = getattr(library, f"libgnomon_{name}")
        function.restype = result
        function.argtypes = arguments + ([_ERROR] if result is c.c_int else [])
    if library.libgnomon_abi() != ABI:
        raise ImportError(f"libgnomon has ABI {library.libgnomon_abi()}, this module is for {ABI}")
    return library


_library = _load()


class Error(Exception):
    """What failed, as text; `status` is a number of enum libgnomon_status, `remedy` what to do about it."""

    def __init__(self, error):
        super().__init__(error.what.decode(errors="replace"))
        self.status, self.remedy = error.status, error.remedy.decode(errors="replace")


def _call(name, *arguments):
    error = _Error()
    if getattr(_library, f"libgnomon_{name}")(*arguments, c.byref(error)):
        raise Error(error)


def _bytes(text):
    return None if text is None else os.fsencode(text)


def _text(value):
    return None if value is None else value.decode(errors="replace")


def _words(texts):
    return (_TEXT * (len(texts) + 1))(*map(_bytes, texts), None)


@dataclasses.dataclass
class Run:
    end: int  # END_EXIT, END_DEBUG, END_STOPPED
    exit_status: int
    cycles: int
    instructions: int


@dataclasses.dataclass
class Range:
    entries: int
    instructions: int
    cycles: int
    reads: int
    writes: int


@dataclasses.dataclass
class TagCount:
    executions: int
    cycles: int
    reads: int
    writes: int
    exact: bool


@dataclasses.dataclass
class Timer:
    intervals: int
    cycles: int
    shortest: int  # None: no interval has ended
    longest: int
    over: list  # intervals that reached each threshold


def find(path, name, variable=False):
    """(first address, first address after it) of a function, or a variable, of an ELF file."""
    base, limit = _WORD(), _WORD()
    _call("find", _bytes(path), _bytes(name), variable, c.byref(base), c.byref(limit))
    return base.value, limit.value


class Device:
    """A board, or a simulated one. Close it, or use it in a `with` statement."""

    def __init__(self, address=None, options=()):
        self._handle = _HANDLE()
        _call("open", _bytes(address), _words(list(options)), c.byref(self._handle))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        _library.libgnomon_close(self._handle)
        self._handle = _HANDLE()

    def info(self):
        text = c.c_void_p()
        _call("info", self._handle, c.byref(text))
        try:
            return json.loads(c.string_at(text.value))
        finally:
            _library.libgnomon_free(text)

    def read(self, address, count=1):
        """Words, a list."""
        words = (_WORD * count)()
        _call("read", self._handle, address, words, count)
        return list(words)

    def write(self, address, words):
        _call("write", self._handle, address, (_WORD * len(words))(*words), len(words))

    def put(self, path, name=None):
        _call("put", self._handle, _bytes(path), _bytes(name if name is not None else path))

    def load(self, path, arguments=None):
        arguments = [path] if arguments is None else list(arguments)
        _call("load", self._handle, _bytes(path), len(arguments), _words(arguments))

    def record(self, path, events=False):
        """The next run, into a file for Profile and gnomon report."""
        _call("record", self._handle, _bytes(path), events)

    def run(self, console=None, tick=None):
        """console(bytes) gets what the program writes; tick() may return True to stop it. What they raise stops the program, and is
        raised here."""
        raised = []

        def guarded(function, *arguments):
            try:
                return function(*arguments) if not raised else None
            except BaseException as error:  # pylint: disable=broad-except # it cannot pass through the library
                raised.append(error)
                return None

        def on_tick(_):
            stop = bool(guarded(tick)) if tick else False
            return bool(raised) or stop

        on_console = _CONSOLE(lambda _, data, size: guarded(console, c.string_at(data, size)) if console else None)
        run = _Run(None, on_console, _TICK(on_tick))
        _call("run", self._handle, c.byref(run))
        if raised:
            raise raised[0]
        return Run(run.end, run.exit_status, run.cycles, run.instructions)

    def get(self, name, path=None):
        _call("get", self._handle, _bytes(name), _bytes(path if path is not None else name))

    def counters(self):
        """(counters, ranges) that there are."""
        counters, ranges = c.c_uint(), c.c_uint()
        _call("counters", self._handle, c.byref(counters), c.byref(ranges))
        return counters.value, ranges.value

    def count(self, index, event):
        _call("count", self._handle, index, _bytes(event))

    def counter(self, index):
        value = _LONG()
        _call("counter", self._handle, index, c.byref(value))
        return value.value

    def range(self, index, base, limit):
        _call("range", self._handle, index, base, limit)

    def range_read(self, index):
        value = _Range()
        _call("range_read", self._handle, index, c.byref(value))
        return Range(*(getattr(value, name) for name, _ in _Range._fields_))

    def tag(self, what):
        """Between load and run: WHAT[:ACTION,...] as for gnomon tag -t. The first one is number 0."""
        _call("tag", self._handle, _bytes(what))

    def threshold(self, timer, step, cycles):
        _call("threshold", self._handle, timer, step, cycles)

    def tag_count(self, index):
        value = _TagCount()
        _call("tag_count", self._handle, index, c.byref(value))
        return TagCount(*(getattr(value, name) for name, _ in _TagCount._fields_))

    def tag_per_address(self, address, count, data=False):
        """Per-address counters of `count` places of two bytes, or words of data, a list."""
        counts = (_WORD * count)()
        _call("tag_per_address", self._handle, address, data, counts, count)
        return list(counts)

    def timer(self, number):
        value = _Timer()
        _call("timer", self._handle, number, c.byref(value))
        return Timer(value.intervals, value.cycles, value.shortest if value.intervals else None, value.longest, list(value.over))

    def causes(self):
        """Cycles by cause, a dictionary."""
        cycles = (_LONG * CAUSES)()
        _call("causes", self._handle, cycles)
        names = [_text(_library.libgnomon_cause(i)) for i in range(CAUSES)]
        return {name: cycles[i] for i, name in enumerate(names) if name}

    def code_windows(self, what):
        """The code windows that cover `what` of the loaded program, a list of ranges of addresses."""
        starts, count, size = (_WORD * 0)(), c.c_size_t(), _WORD()
        for _ in range(2):  # the first call asks for the number of windows
            starts = (_WORD * count.value)()
            _call("code_windows", self._handle, _bytes(what), starts, len(starts), c.byref(count), c.byref(size))
        return [range(start, start + size.value) for start in starts]


@dataclasses.dataclass
class Function:
    name: str
    file: str
    line: int
    address: int
    calls: int
    self_cycles: int
    total_cycles: int
    shortest: int  # None: there was no whole call
    longest: int
    exact: bool


@dataclasses.dataclass
class Arc:
    caller: int  # index of a function; None: outside
    callee: int
    calls: int
    self_cycles: int
    total_cycles: int


def _function(raw):
    whole = raw.shortest <= raw.longest
    return Function(_text(raw.name), _text(raw.file), raw.line, raw.address, raw.calls, raw.self, raw.total,
                    raw.shortest if whole else None, raw.longest if whole else None, raw.exact)


def _arc(raw):
    return Arc(None if raw.caller == UNPROFILED else raw.caller, raw.callee, raw.calls, raw.self, raw.total)


class Profile:
    """A recording: cycles, outside, lost, clock_hz, functions, arcs, faults. All is copied; nothing needs to stay open."""

    def __init__(self, path, program=None):
        handle, sums = _HANDLE(), _Sums()
        _call("profile_open", _bytes(path), _bytes(program), c.byref(handle))
        try:
            _library.libgnomon_profile_sums(handle, c.byref(sums))
            self.cycles, self.unprofiled, self.lost, self.clock_hz = sums.cycles, sums.unprofiled, sums.lost, sums.clock_hz
            self.functions = self._all(handle, "function", _Function, sums.functions, _function)
            self.arcs = self._all(handle, "arc", _Arc, sums.arcs, _arc)
            self.faults = [_text(_library.libgnomon_profile_fault(handle, i)) for i in range(sums.faults)]
        finally:
            _library.libgnomon_profile_close(handle)

    @staticmethod
    def _all(handle, what, kind, count, convert):
        result = []
        for index in range(count):
            raw = kind()
            if getattr(_library, f"libgnomon_profile_{what}")(handle, index, c.byref(raw)):
                result.append(convert(raw))
        return result

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass
