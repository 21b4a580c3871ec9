#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs conformance tests of POSIX threads that others wrote: the Open POSIX Test Suite of the Linux Test Project, from a folder with its
sources. Tests of what the runtime does not have (signals, processes, cancellation, priority ceilings) are left out.

usage: test_posix.py WORK_DIRECTORY LTP_SOURCES [PATTERN]"""
import fnmatch
import pathlib
import re
import subprocess
import sys

from checking import check, expect, result

SUITE = pathlib.Path("testcases/open_posix_testsuite")
FOLDERS = ("pthread_create pthread_join pthread_detach pthread_exit pthread_self pthread_equal pthread_once pthread_mutex_* pthread_mutexattr_* "
           "pthread_cond_* pthread_condattr_* pthread_rwlock_* pthread_rwlockattr_* pthread_spin_* pthread_barrier_* pthread_barrierattr_* pthread_key_* "
           "pthread_getspecific pthread_setspecific pthread_attr_* pthread_cleanup_* pthread_getschedparam pthread_setschedparam pthread_setschedprio "
           "sem_init sem_wait sem_trywait sem_timedwait sem_post sem_getvalue sem_destroy sched_yield sched_get_priority_*").split()
MISSING = re.compile(r"fork\(|sys/mman|pthread_kill|pthread_sigmask|pthread_cancel|sigaction|signal\(|sem_open|kill\(|alarm\(|setrlimit|testfrmw|"
                     r"PRIO_PROTECT|prioceiling|timer_create|sched_setscheduler|affinity|getcpuclockid|_NP\b|getattr_np")
PASSED, UNSUPPORTED, UNTESTED = 0, 4, 5
LEAST = 100  # tests that pass
SECONDS = 600  # sem_timedwait/3-1 waits for four seconds of the board's time, which take 50 s of processor
# A second of sleep is 2 ms of the simulated board. Tests whose time-outs are whole seconds would not meet them.
QUICK = "#include <time.h>\n#include <unistd.h>\n#define sleep(seconds) ((void)usleep((seconds) * 2000u), 0)\n"
SECONDS_LONG = {"pthread_mutex_timedlock/1-1", "pthread_mutex_timedlock/2-1", "pthread_cond_timedwait/4-1", "pthread_rwlock_timedrdlock/1-1",
                "pthread_rwlock_timedrdlock/3-1", "pthread_rwlock_timedwrlock/1-1", "pthread_rwlock_timedwrlock/3-1"}
# Tests that want more memory than the board has.
LARGE = {"pthread_attr_setstack/6-1", "pthread_attr_setstacksize/4-1"}
# Wrong use that POSIX leaves undefined: these want no error, and the runtime says EPERM.
UNDEFINED = {"pthread_rwlock_unlock/4-1", "pthread_spin_unlock/3-1"}


def tests(suite, pattern):
    interfaces = suite / "conformance" / "interfaces"
    for folder in sorted(interfaces.iterdir()):
        if not any(fnmatch.fnmatch(folder.name, wanted) for wanted in FOLDERS):
            continue
        for source in sorted(folder.glob("[0-9]*-[0-9]*.c")):
            name = f"{folder.name}/{source.stem}"
            text = source.read_text(encoding="utf-8", errors="replace")
            if fnmatch.fnmatch(name, pattern) and "main(" in text and not MISSING.search(text) and name not in SECONDS_LONG | LARGE | UNDEFINED:
                yield name, source


def run_one(out, suite, name, source):
    """Returns the test's status, and what was printed."""
    elf = out / "test.elf"
    compiler = ["gnomon", "cc", "--gnomon-off", "-D_GNU_SOURCE", "-DPATH_MAX=256", "-Dtest_main=main", "-include", str(out / "quick.h"), "-O2", "-w"]
    done = subprocess.run([*compiler, f"-I{suite / 'include'}", f"-I{source.parent}", str(source), "-o", str(elf)], capture_output=True, text=True, check=False)
    if done.returncode:
        return "not compiled", done.stderr
    try:
        done = subprocess.run(["gnomon", "run", "-q", "-d", "sim:mid", str(elf)], capture_output=True, text=True, errors="replace", timeout=SECONDS, check=False)
    except subprocess.TimeoutExpired:
        return "does not end", name
    return done.returncode, done.stdout + done.stderr


def main():
    out, suite = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]) / SUITE
    out.mkdir(parents=True, exist_ok=True)
    (out / "quick.h").write_text(QUICK, encoding="utf-8")
    pattern = sys.argv[3] if len(sys.argv) > 3 else "*"
    passed = 0
    for name, source in tests(suite, pattern):
        status, text = run_one(out, suite, name, source)
        check(name, [] if status in (PASSED, UNSUPPORTED, UNTESTED) else [str(status), *text.splitlines()[-5:]])
        passed += status == PASSED
    expect(f"{LEAST} tests or more pass", passed >= LEAST or pattern != "*", passed)
    print(f"{passed} tests of the suite passed")
    sys.exit(result())


if __name__ == "__main__":
    main()
