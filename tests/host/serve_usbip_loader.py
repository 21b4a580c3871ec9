#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A client of gnomon serve --usbip that asks the board to restart into its loader. Exit status 1: the server does not do what is wanted.

usage: serve_usbip_loader.py usbip:HOST:PORT vendor-request|detach refused|allowed
"""
import sys

from serve_usbip_clients import answer, listed, submit, take

REQUESTS = {"vendor-request": bytes((0x40, 2, 0, 0, 0, 0, 0, 0)), "detach": bytes((0x21, 0, 232, 3, 1, 0, 0, 0))}
DEVICE = bytes((0x80, 6, 0, 1, 0, 0, 18, 0))
EPIPE = -32


def main():
    where, kind, wanted = sys.argv[1:]
    user = take(where, listed(where))
    user.sendall(submit(1, 0, 0, 0, REQUESTS[kind]))
    status = answer(user)[2]
    if wanted == "allowed":
        sys.exit(status != 0)
    user.sendall(submit(2, 0, 1, 18, DEVICE))  # the board is still there
    sys.exit(not (status == EPIPE and len(answer(user)[3]) == 18))


if __name__ == "__main__":
    main()
