# SPDX-License-Identifier: Apache-2.0
"""Runs the tests' commands and reports results."""
import subprocess
import sys


def run(command):
    return subprocess.run(command, capture_output=True, text=True, check=False)


def must(command):
    """Returns the command's standard output; ends the test if the command fails."""
    done = run(command)
    if done.returncode != 0:
        sys.exit(f"FAIL: {' '.join(map(str, command))}: {done.stderr}")
    return done.stdout


_failed = []


def check(name, errors):
    """Prints a line for a case; the case has failed if there are errors."""
    _failed.extend([name] * bool(errors))
    print(f"{'FAIL' if errors else 'pass'}  {name}")
    for error in errors[:12]:
        print(f"      {error}")


def result():
    """Returns the exit status of all cases, and prints the summary."""
    print(f"{len(_failed)} failed" if _failed else "all passed")
    return 1 if _failed else 0
