# SPDX-License-Identifier: Apache-2.0
"""Runs a command on a terminal."""
import fcntl
import os
import pty
import re
import struct
import termios


def on_terminal(*command):
    """Exit status, and the lines on a terminal of 80 columns, without their colours."""
    pid, terminal = pty.fork()
    if pid == 0:
        os.environ.update(TERM="xterm", GNOMON_PAGER="cat")
        os.environ.pop("COLUMNS", None)
        os.execvp(str(command[0]), [str(word) for word in command])
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    shown = b""
    while True:
        try:
            shown += os.read(terminal, 10000)
        except OSError:
            break
    status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    os.close(terminal)
    return status, re.sub(r"\x1b\[[\d;]*[A-Za-z]", "", shown.decode(errors="replace")).replace("\r", "\n").split("\n")
