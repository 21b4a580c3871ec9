# SPDX-License-Identifier: Apache-2.0
"""Counts the checks of a test, prints each that fails, and gives the test's exit status.

A test calls check(), expect() or same() for each check, and ends with sys.exit(result()). A test that is of no use after its first
failure calls fail() or require() instead. A test with a failed check never ends well, whatever it does with the result."""
import atexit
import os
import sys

MOST_ERRORS = 12       # that check() prints of one case
LONGEST_VALUE = 3000   # characters that expect() prints of one value
_count = 0
_failed = []


def _counted(name, good):
    global _count
    _count += 1
    if not good:
        _failed.append(name)
    return good


def check(name, errors):
    """One check, with a line for it. It fails if `errors` is not empty; the errors are printed below the line."""
    print(f"{'pass' if _counted(name, not errors) else 'FAIL'}  {name}")
    for error in errors[:MOST_ERRORS]:
        print(f"      {error}")


def expect(name, good, *shown):
    """One check, printed only if it fails, with the values `shown` below its name. Returns whether it passed."""
    if not _counted(name, good):
        print(f"FAIL  {name}")
        for value in shown:
            print("      " + str(value)[:LONGEST_VALUE].replace("\n", "\n      "))
    return bool(good)


def same(name, got, want, *shown):
    """One check: `got` equals `want`. A failure prints both, then the values `shown`."""
    return expect(name, got == want, f"{got!r}", f"not {want!r}", *shown)


def result():
    """Prints how many checks passed. Returns the exit status: 0 if there were checks and all passed, else 1."""
    print(f"{_count - len(_failed)} of {_count} checks passed")
    return 1 if _failed or not _count else 0


@atexit.register
def _never_good():
    if _failed:
        sys.stdout.flush()
        os._exit(1)


def fail(text):
    """Ends the test with exit status 1."""
    sys.exit(f"FAIL: {text}")


def require(name, got, want, text=""):
    """Ends the test if `got` is not `want`; the message has both, then `text`."""
    if got != want:
        fail(f"{name}: {got!r}, not {want!r}: {text}")
