# SPDX-License-Identifier: Apache-2.0
"""Commands that the tests run."""
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
