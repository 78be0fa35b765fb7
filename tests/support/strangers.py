"""What may listen where a Redis server was expected; each as a context manager giving a port."""

from __future__ import annotations

import contextlib
import http.server
import os
import pwd
import shutil
import socket
import subprocess
import threading
import time
from collections.abc import Iterator

from .scripted import ScriptedServer, Welcome, hello_reply
from .servers import Unavailable, dies_with_us, free_port


class _Quiet(http.server.BaseHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        pass


@contextlib.contextmanager
def http_server() -> Iterator[int]:
    """Python's own web server, which answers 400 and a page to what it cannot read."""
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), _Quiet) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
        thread.start()
        try:
            yield server.server_port
        finally:
            server.shutdown()
            thread.join()


@contextlib.contextmanager
def memcached() -> Iterator[int]:
    """A real memcached, which answers ERROR to every line of a RESP command."""
    program = shutil.which("memcached")
    if program is None:
        raise Unavailable("memcached is not installed (Debian: memcached)")
    port = free_port()
    command = [*dies_with_us(), program, "-l", "127.0.0.1", "-p", str(port), "-U", "0", "-m", "16"]
    if os.geteuid() == 0:
        command += ["-u", pwd.getpwnam("nobody").pw_name]
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        deadline = time.monotonic() + 10
        while True:
            try:
                socket.create_connection(("127.0.0.1", port)).close()
                break
            except OSError:
                if process.poll() is not None or time.monotonic() > deadline:
                    raise
                time.sleep(0.005)
        yield port
    finally:
        process.terminate()
        process.wait()


@contextlib.contextmanager
def banner(text: bytes) -> Iterator[int]:
    """Speaks first and then waits, as an SSH or SMTP server does."""
    with ScriptedServer(welcome=lambda number: Welcome(text, then="stall")) as server:
        yield server.port


@contextlib.contextmanager
def silent() -> Iterator[int]:
    """Accepts and never says a word."""
    with ScriptedServer(welcome=lambda number: Welcome(then="stall")) as server:
        yield server.port


@contextlib.contextmanager
def deaf() -> Iterator[int]:
    """Answers the handshake and then reads no more."""
    stop, stopped = socket.socketpair()
    listener = socket.create_server(("127.0.0.1", 0))

    def serve() -> None:
        client, _ = listener.accept()
        with client:
            heard = b""
            while b"HELLO" not in heard:
                heard += client.recv(65536)
            client.sendall(hello_reply(3, 1))
            while b"LIB-VER" not in heard:
                heard += client.recv(65536)
            client.sendall(b"+OK\r\n" * heard.count(b"SETINFO"))
            stopped.recv(1)

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    try:
        yield listener.getsockname()[1]
    finally:
        stop.close()
        listener.close()
        thread.join(10)
        stopped.close()
        assert not thread.is_alive()


@contextlib.contextmanager
def closes_at_once() -> Iterator[int]:
    """Accepts and closes."""
    with ScriptedServer(welcome=lambda number: Welcome(then="close")) as server:
        yield server.port


@contextlib.contextmanager
def resets_at_once() -> Iterator[int]:
    """Accepts and resets."""
    with ScriptedServer(welcome=lambda number: Welcome(then="reset")) as server:
        yield server.port


@contextlib.contextmanager
def refused() -> Iterator[int]:
    """A port that is taken and on which nobody listens."""
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        yield sock.getsockname()[1]


@contextlib.contextmanager
def black_hole() -> Iterator[int]:
    """A port whose connection requests are never answered: its queue is full and nobody accepts.

    This is what Linux does with a full queue; elsewhere the requests may be refused.
    """
    with contextlib.ExitStack() as stack:
        listener = stack.enter_context(socket.socket())
        listener.bind(("127.0.0.1", 0))
        listener.listen(0)
        port: int = listener.getsockname()[1]
        for _ in range(8):
            filler = stack.enter_context(socket.socket())
            filler.setblocking(False)
            with contextlib.suppress(BlockingIOError):
                filler.connect(("127.0.0.1", port))
        yield port
