# SPDX-License-Identifier: Apache-2.0
"""Commands that the tests run, and what they say of themselves."""
import subprocess
import sys


def run(command):
    return subprocess.run(command, capture_output=True, text=True, check=False)


def must(command):
    """Its standard output; ends the test where the command fails."""
    done = run(command)
    if done.returncode != 0:
        sys.exit(f"FAIL: {' '.join(map(str, command))}: {done.stderr}")
    return done.stdout


_failed = []


def check(name, errors):
    """A line for a case; it has failed if there are errors."""
    _failed.extend([name] * bool(errors))
    print(f"{'FAIL' if errors else 'pass'}  {name}")
    for error in errors[:12]:
        print(f"      {error}")


def result():
    """The exit status of all cases, which it says."""
    print(f"{len(_failed)} failed" if _failed else "all passed")
    return 1 if _failed else 0
