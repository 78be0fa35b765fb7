"""A TCP proxy that adds a round trip: it holds every byte for half of the delay each way.

It runs in a process of its own, keeps the order of bytes, and ends with the one who started it.
This file needs nothing else of the package, so that the proxy's process is small:

    with DelayProxy("127.0.0.1", 6379, delay_ms=1.0) as proxy:
        connect(proxy.host, proxy.port)

Kernels without netem are common in containers, hence this.
"""

from __future__ import annotations

import contextlib
import os
import select
import selectors
import socket
import subprocess
import sys
from collections import deque
from time import perf_counter
from types import TracebackType

CHUNK = 256 * 1024
# A direction that holds more than this stops reading: a full pipe, as a real path would be.
HELD_MAX = 64 * 1024 * 1024


class DelayProxy:
    """Start a proxy in front of host:port; a context manager."""

    def __init__(self, host: str, port: int, delay_ms: float, *, cpu: int = -1) -> None:
        if delay_ms < 0:
            raise ValueError("a delay cannot be negative")
        self.host = "127.0.0.1"
        self.port = 0
        self._args = [host, str(port), repr(float(delay_ms)), str(cpu)]
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start the process and learn its port. OSError when the target cannot be reached."""
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-S", os.path.abspath(__file__), *self._args],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        assert self._process.stdout is not None
        line = self._process.stdout.readline().strip()
        if not line.isdigit():
            self.stop()
            raise OSError(f"the delay proxy did not start: {line.decode(errors='replace')}")
        self.port = int(line)

    def stop(self) -> None:
        """End the process; its connections are closed."""
        process, self._process = self._process, None
        if process is not None:
            assert process.stdin is not None and process.stdout is not None
            process.stdin.close()
            process.wait()
            process.stdout.close()

    def __enter__(self) -> DelayProxy:
        self.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()


class _Direction:
    """Bytes on their way from one socket to the other."""

    __slots__ = ("ended", "held", "held_bytes", "sink", "source")

    def __init__(self, source: socket.socket, sink: socket.socket) -> None:
        self.source = source
        self.sink = sink
        # (when to send, what); an empty `what` is the end of the stream.
        self.held: deque[tuple[float, bytes | memoryview]] = deque()
        self.held_bytes = 0
        self.ended = False  # the source has sent all it will


class _End:
    """One of the two sockets of a proxied connection."""

    __slots__ = ("inward", "outward", "registered", "sock")

    def __init__(self, sock: socket.socket) -> None:
        self.sock = sock
        self.outward: _Direction  # from this socket
        self.inward: _Direction  # to this socket
        self.registered = 0


class _Proxy:
    def __init__(self, target: tuple[str, int], delay_ms: float) -> None:
        self.target = target
        self.one_way = delay_ms / 2000
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=1024)
        self.listener.setblocking(False)
        self.selector = selectors.DefaultSelector()
        self.waiting: deque[tuple[float, _Direction]] = deque()  # in order of time
        self.ends: dict[socket.socket, _End] = {}

    def run(self) -> None:
        """Serve until standard input ends."""
        selector = self.selector
        selector.register(self.listener, selectors.EVENT_READ, "listener")
        selector.register(sys.stdin, selectors.EVENT_READ, "parent")
        print(self.listener.getsockname()[1], flush=True)
        fileno = selector.fileno()
        while True:
            if self.waiting:
                # select() takes microseconds where a selector's own timeout is whole milliseconds.
                pause = max(0.0, self.waiting[0][0] - perf_counter())
                select.select([fileno], (), (), pause)
                events = selector.select(0)
            else:
                events = selector.select()
            for key, mask in events:
                if key.data == "listener":
                    self.accept()
                elif key.data == "parent":
                    return
                else:
                    self.serve(key.data, mask)
            self.deliver()

    def accept(self) -> None:
        try:
            client, _ = self.listener.accept()
        except OSError:
            return
        try:
            server = socket.create_connection(self.target, 5)
        except OSError:
            client.close()
            return
        ends = (_End(client), _End(server))
        there, back = _Direction(client, server), _Direction(server, client)
        ends[0].outward = ends[1].inward = there
        ends[0].inward = ends[1].outward = back
        for end in ends:
            end.sock.setblocking(False)
            end.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self.ends[end.sock] = end
            self.watch(end)

    def watch(self, end: _End) -> None:
        """Register the socket for what can go on with it now."""
        now = perf_counter()
        wanted = 0
        if not end.outward.ended and end.outward.held_bytes < HELD_MAX:
            wanted |= selectors.EVENT_READ
        if end.inward.held and end.inward.held[0][0] <= now:
            wanted |= selectors.EVENT_WRITE
        if wanted == end.registered:
            return
        if not wanted:
            self.selector.unregister(end.sock)
        elif not end.registered:
            self.selector.register(end.sock, wanted, end)
        else:
            self.selector.modify(end.sock, wanted, end)
        end.registered = wanted

    def serve(self, end: _End, mask: int) -> None:
        if end.sock not in self.ends:
            return  # closed by an event before this one
        if mask & selectors.EVENT_WRITE:
            self.send(end.inward, perf_counter())
        if mask & selectors.EVENT_READ and end.sock in self.ends:
            self.receive(end)

    def receive(self, end: _End) -> None:
        try:
            data = end.sock.recv(CHUNK)
        except BlockingIOError:
            return
        except OSError:
            self.close(end)
            return
        direction = end.outward
        due = perf_counter() + self.one_way
        direction.held.append((due, data))
        direction.held_bytes += len(data)
        self.waiting.append((due, direction))
        if not data:
            direction.ended = True
        if direction.ended or direction.held_bytes >= HELD_MAX:
            self.watch(end)

    def deliver(self) -> None:
        """Send all that has been held long enough."""
        now = perf_counter()
        while self.waiting and self.waiting[0][0] <= now:
            _, direction = self.waiting.popleft()
            if direction.sink in self.ends:
                self.send(direction, now)

    def send(self, direction: _Direction, now: float) -> None:
        held = direction.held
        blocked = False
        while held and held[0][0] <= now:
            due, data = held[0]
            if not data:
                self.finish(direction)
                return
            try:
                sent = direction.sink.send(data)
            except BlockingIOError:
                blocked = True
                break
            except OSError:
                self.close(self.ends[direction.sink])
                return
            direction.held_bytes -= sent
            if sent < len(data):
                held[0] = (due, memoryview(data)[sent:])
            else:
                held.popleft()
        sink, source = self.ends[direction.sink], self.ends[direction.source]
        if blocked or sink.registered & selectors.EVENT_WRITE:
            self.watch(sink)
        if not source.registered & selectors.EVENT_READ:
            self.watch(source)

    def finish(self, direction: _Direction) -> None:
        """All was sent of a stream that has ended: pass the end on."""
        direction.held.clear()
        sink = self.ends[direction.sink]
        if sink.outward.ended and not sink.outward.held:
            self.close(sink)
            return
        with contextlib.suppress(OSError):
            sink.sock.shutdown(socket.SHUT_WR)
        self.watch(sink)

    def close(self, end: _End) -> None:
        """Close both ends, at once: what is still held for a broken connection is lost."""
        for sock in (end.inward.source, end.inward.sink):
            other = self.ends.pop(sock, None)
            if other is not None:
                if other.registered:
                    self.selector.unregister(sock)
                sock.close()


def _be_punctual() -> None:
    """Ask Linux not to round this process's timers up by its usual 50 microseconds."""
    with contextlib.suppress(OSError), open("/proc/self/timerslack_ns", "w") as slack:
        slack.write("1")


def _main(argv: list[str]) -> None:
    host, port, delay_ms, cpu = argv
    if int(cpu) >= 0:
        os.sched_setaffinity(0, {int(cpu)})
    _be_punctual()
    _Proxy((host, int(port)), float(delay_ms)).run()


if __name__ == "__main__":
    _main(sys.argv[1:])
