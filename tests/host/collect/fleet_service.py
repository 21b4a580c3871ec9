# SPDX-License-Identifier: Apache-2.0
"""A fleet's service for tests of collectors: it keeps what it gets, and can fail in each way that a service or a network can."""
import http.server
import json
import socket
import ssl
import struct
import threading

TOKEN = "a-token.of_this~test"


class Service:
    """Listens on a free port of this machine. `fails` has what to do with the next requests to the paths of submissions, one each:
    a status, or (status, headers), or a method of Handler. `stored` has what is stored: {identity: bytes}, `seen` each request."""

    def __init__(self, policy=None, certificate=None):
        self.policy = {"binaries": 6, "functions": 32, "submit_bytes": 131072, "submit_seconds": 86400, "load": 64, **(policy or {})}
        self.fails, self.policy_fails, self.seen, self.stored = [], [], [], {}
        self.lock = threading.Lock()
        service = self

        class Bound(Handler):
            owner = service

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Bound)
        self.server.daemon_threads = True
        if certificate:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(certificate)
            self.server.socket = context.wrap_socket(self.server.socket, server_side=True)
        self.address = f"{'https' if certificate else 'http'}://127.0.0.1:{self.server.server_address[1]}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()

    def posts(self):
        return [one for one in self.seen if one["method"] == "POST"]


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def answer(self, status, value, headers=()):
        body = value if isinstance(value, bytes) else json.dumps(value).encode()
        self.send_response(status)
        for name, text in headers:
            self.send_header(name, text)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def note(self, body):
        with self.owner.lock:
            self.owner.seen.append({"method": self.command, "path": self.path, "headers": dict(self.headers.items()), "body": body,
                                    "raw": self.raw_requestline})

    def commit(self, body):
        with self.owner.lock:
            identity = self.headers.get("Submission-Id")
            known = identity in self.owner.stored
            if known and self.owner.stored[identity] != body:
                self.owner.stored[f"{identity} changed"] = body
            self.owner.stored.setdefault(identity, body)
            return not known

    # What can go wrong.

    def cut(self, body):
        """The submission is stored, and the connection ends before the answer."""
        self.commit(body)
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.connection.close()
        self.close_connection = True

    def garbage(self, _):
        self.connection.sendall(b"\x00\xff no HTTP at all\r\n\r\n")
        self.close_connection = True

    def portal(self, _):
        """A page of someone between."""
        self.answer(200, b"<html>Log in to the network</html>")

    def endless(self, _):
        self.send_response(201)
        self.end_headers()
        self.close_connection = True
        try:
            while True:
                self.wfile.write(b" " * 4096)
        except OSError:
            pass

    def redirect(self, _):
        self.answer(307, {}, [("Location", self.headers["Host"] and "http://127.0.0.1:1/v1/submissions")])

    def slow(self, body):
        """An answer whose bytes come one by one."""
        answer = json.dumps({"stored": self.commit(body)}).encode()
        for byte in b"HTTP/1.1 201 Created\r\nContent-Length: %d\r\n\r\n" % len(answer) + answer:
            self.connection.sendall(bytes([byte]))
            threading.Event().wait(0.01)
        self.close_connection = True

    def fail(self, how, body):
        if isinstance(how, int):
            how = (how, [])
        if isinstance(how, tuple):
            self.answer(how[0], {"error": f"made to fail with {how[0]}", "remedy": "none"}, how[1])
        else:
            how(self, body)

    # What goes right.

    def good_token(self):
        if self.headers.get("Authorization") == f"Bearer {TOKEN}":
            return True
        self.answer(401, {"error": "no such token", "remedy": "ask for one"})
        return False

    def do_GET(self):
        self.note(b"")
        if self.owner.policy_fails:
            self.fail(self.owner.policy_fails.pop(0), b"")
        elif self.good_token():
            self.answer(200, self.owner.policy) if self.path == "/v1/policy" else self.answer(404, {"error": "no such path"})

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.note(body)
        with self.owner.lock:
            how = self.owner.fails.pop(0) if self.owner.fails else None
        if how is not None:
            self.fail(how, body)
        elif self.good_token():
            stored = self.commit(body)
            self.answer(201 if stored else 200, {"stored": stored})
