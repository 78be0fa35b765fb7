"""A scripted fake RESP server (FR in the fault reports), in threads of this process.

It answers HELLO, CLIENT, SELECT, AUTH, PING and `GET next` as a server does, and any other command
as the script says:

    with ScriptedServer() as server:
        server.on("GET", "k", answer=Answer(b"$1\r\nA\r\n"))
        kv = kvwire.Valkey(server.url)
        assert kv.get("k") == b"A"
        assert kv.get("next") == b"NEXT"

Each connection has a thread that reads, records and answers in order. It goes on reading and
recording while an answer is held back, so that a test can wait until its commands have arrived.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import select
import shutil
import socket
import struct
import sys
import tempfile
import threading
from collections import Counter, deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Self

Command = tuple[bytes, ...]

NEXT = b"$4\r\nNEXT\r\n"
_SIOCOUTQ = 0x5411


class Gate:
    """Holds an answer back until open() is called. A descriptor, so that select() can wait for it:
    the reading end of a pipe whose writing end is closed by open()."""

    def __init__(self) -> None:
        self._read, self._write = os.pipe()

    def fileno(self) -> int:
        return self._read

    def open(self) -> None:
        if self._write >= 0:
            os.close(self._write)
            self._write = -1

    def close(self) -> None:
        self.open()
        if self._read >= 0:
            os.close(self._read)
            self._read = -1


@dataclass(frozen=True, init=False)
class Answer:
    """What comes back for a command.

    pieces: one send each; over a Unix socket every send waits until the client has read the one
    before. after: nothing is sent until so many commands of that name have come on the connection.
    gate: no piece from the `gate_before`-th on is sent until it opens. then: "serve" goes on,
    "close" and "reset" end the connection after the pieces, "stall" answers nothing any more.
    """

    pieces: tuple[bytes, ...]
    after: int
    gate: Gate | None
    gate_before: int
    then: str

    def __init__(
        self,
        *pieces: bytes,
        after: int = 0,
        gate: Gate | None = None,
        gate_before: int = 0,
        then: str = "serve",
    ) -> None:
        object.__setattr__(self, "pieces", pieces)
        object.__setattr__(self, "after", after)
        object.__setattr__(self, "gate", gate)
        object.__setattr__(self, "gate_before", gate_before)
        object.__setattr__(self, "then", then)


def split(data: bytes, at: int) -> tuple[bytes, bytes]:
    """Two pieces."""
    return data[:at], data[at:]


def bytewise(data: bytes, most: int = 2000) -> tuple[bytes, ...]:
    """One byte a piece; where that would be more than `most` pieces, so many of equal size."""
    size = -(-len(data) // most)
    return tuple(data[start : start + size] for start in range(0, len(data), size))


Answerer = Callable[[Command], Answer]


def in_turn(*answers: Answer) -> Answerer:
    """Each answer once, the last one for ever."""
    left = deque(answers)

    def answer(command: Command) -> Answer:
        return left.popleft() if len(left) > 1 else left[0]

    return answer


@dataclass(frozen=True)
class Welcome:
    """What a new connection meets: bytes sent unasked, and then as in Answer."""

    greeting: bytes = b""
    then: str = "serve"


class _Gone(Exception):
    """The connection or the server has ended."""


class _Connection:
    def __init__(self, server: ScriptedServer, sock: socket.socket, number: int) -> None:
        self.server = server
        self.sock = sock
        self.number = number
        self.buffer = bytearray()
        self.commands: deque[Command] = deque()
        self.counts: Counter[bytes] = Counter()

    def run(self) -> None:
        welcome = self.server.welcome(self.number)
        greeting = (welcome.greeting,) if welcome.greeting else ()
        try:
            self._send(Answer(*greeting, then=welcome.then), b"")
            while True:
                while not self.commands:
                    self._read()
                command = self.commands.popleft()
                self._send(self.server.answer(command, self.number), command[0].upper())
                self.server.answered(command)
        except (_Gone, OSError):
            pass
        finally:
            self.sock.close()

    def _read(self, gate: Gate | None = None) -> bool:
        """Wait for bytes and record the commands they complete; True when the gate has opened."""
        waiting: list[Any] = [self.sock, self.server.stop_fd]
        if gate is not None:
            waiting.append(gate)
        ready, _, _ = select.select(waiting, [], [])
        if self.server.stop_fd in ready:
            raise _Gone
        if self.sock in ready:
            data = self.sock.recv(1 << 20)
            if not data:
                raise _Gone
            self.buffer += data
            for command in _commands(self.buffer):
                self.commands.append(command)
                self.counts[command[0].upper()] += 1
                self.server.record(self.number, command)
        return gate in ready

    def _send(self, answer: Answer, name: bytes) -> None:
        while self.counts[name] < answer.after:
            self._read()
        for index, piece in enumerate(answer.pieces):
            if answer.gate is not None and index == answer.gate_before:
                self._pass(answer.gate)
            if index:
                self._wait_until_read()
            self.sock.sendall(piece)
        if answer.gate is not None and answer.gate_before >= len(answer.pieces):
            self._pass(answer.gate)
        if answer.then == "reset":
            self.sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        if answer.then in ("reset", "close"):
            raise _Gone
        while answer.then == "stall":
            self._read()

    def _pass(self, gate: Gate) -> None:
        """Wait until the gate is open, reading on."""
        while not self._read(gate):
            pass

    def _wait_until_read(self) -> None:
        # A Unix socket counts what its peer has not read, which makes the split sure. TCP on
        # loopback counts nothing of use: there the client usually sees the split, not always.
        if self.sock.family != socket.AF_UNIX or sys.platform != "linux":
            return
        while struct.unpack("i", fcntl.ioctl(self.sock, _SIOCOUTQ, b"\0" * 4))[0]:
            ready, _, _ = select.select([self.server.stop_fd], [], [], 0.0001)
            if ready:
                raise _Gone


def _commands(buffer: bytearray) -> Iterator[Command]:
    """Take the complete commands off the buffer's front."""
    while True:
        line = buffer.find(b"\r\n")
        if line < 0:
            return
        assert buffer[:1] == b"*", f"not a command: {bytes(buffer[:40])!r}"
        words: list[bytes] = []
        at = line + 2
        for _ in range(int(buffer[1:line])):
            line = buffer.find(b"\r\n", at)
            if line < 0:
                return
            start, size = line + 2, int(buffer[at + 1 : line])
            at = start + size + 2
            if len(buffer) < at:
                return
            words.append(bytes(buffer[start : start + size]))
        del buffer[:at]
        yield tuple(words)


def hello_reply(proto: int, number: int) -> bytes:
    """What HELLO gives: a map, or the same flat in an array under RESP2."""
    head = b"%7\r\n" if proto == 3 else b"*14\r\n"
    return head + (
        b"$6\r\nserver\r\n$5\r\nredis\r\n$7\r\nversion\r\n$5\r\n7.0.0\r\n$5\r\nproto\r\n:%d\r\n"
        b"$2\r\nid\r\n:%d\r\n$4\r\nmode\r\n$10\r\nstandalone\r\n$4\r\nrole\r\n$6\r\nmaster\r\n"
        b"$7\r\nmodules\r\n*0\r\n"
    ) % (proto, number)


class ScriptedServer:
    """The fake server; starts on entering, stops and joins its threads on leaving.

    unix: listen on a Unix socket. hello: False answers HELLO with an unknown-command error.
    welcome: what the n-th connection (from 1) meets.
    """

    def __init__(
        self,
        *,
        unix: bool = False,
        hello: bool = True,
        welcome: Callable[[int], Welcome] = lambda number: Welcome(),
    ) -> None:
        self.welcome = welcome
        self.connections = 0
        self._hello = hello
        self._script: dict[Command, Answer | Answerer] = {
            (b"GET", b"next"): Answer(NEXT),
            (b"PING",): Answer(b"+PONG\r\n"),
            (b"CLIENT",): Answer(b"+OK\r\n"),
            (b"SELECT",): Answer(b"+OK\r\n"),
            (b"AUTH",): Answer(b"+OK\r\n"),
        }
        self._received: list[tuple[int, Command]] = []
        self._answered: list[Command] = []
        self._changed = threading.Condition()
        self._gates: list[Gate] = []
        self._threads: list[threading.Thread] = []
        self._stop = Gate()
        self.stop_fd = self._stop.fileno()
        self._directory = tempfile.mkdtemp(prefix="kvw-") if unix else ""
        if unix:
            self.path = f"{self._directory}/fake.sock"
            self._listener = socket.socket(socket.AF_UNIX)
            self._listener.bind(self.path)
            self._listener.listen(512)
            self.port = 0
            self.url = f"unix://{self.path}"
        else:
            self.path = ""
            self._listener = socket.create_server(("127.0.0.1", 0), backlog=512)
            self.port = self._listener.getsockname()[1]
            self.url = f"redis://127.0.0.1:{self.port}"

    def __enter__(self) -> Self:
        self._start(self._accept, "scripted server")
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        value: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._stop.open()
        for thread in self._threads:
            thread.join(10)
            assert not thread.is_alive(), "the scripted server does not stop"
        self._listener.close()
        self._stop.close()
        for gate in self._gates:
            gate.close()
        if self._directory:
            shutil.rmtree(self._directory)

    # ---- the script ---------------------------------------------------------------------------

    def on(self, *words: str | bytes, answer: Answer | Answerer) -> None:
        """Answer every command that begins with `words` so; the longest match counts."""
        self._script[_command(words)] = answer

    def gate(self) -> Gate:
        """A gate for an answer; the server closes it at its end."""
        gate = Gate()
        self._gates.append(gate)
        return gate

    def answer(self, command: Command, number: int) -> Answer:
        """The answer to a command; for the connections' threads."""
        command = (command[0].upper(), *command[1:])
        for size in range(len(command), 0, -1):
            found = self._script.get(command[:size])
            if found is not None:
                return found if isinstance(found, Answer) else found(command)
        if command[0] == b"HELLO" and self._hello:
            return Answer(hello_reply(int(command[1]) if len(command) > 1 else 2, number))
        return Answer(b"-ERR unknown command '%s'\r\n" % command[0])

    # ---- what came ----------------------------------------------------------------------------

    def record(self, number: int, command: Command) -> None:
        """Keep a command; for the connections' threads."""
        with self._changed:
            self._received.append((number, command))
            self._changed.notify_all()

    def answered(self, command: Command) -> None:
        """Note that a command's answer has been sent; for the connections' threads."""
        with self._changed:
            self._answered.append(command)
            self._changed.notify_all()

    def received(self, *words: str | bytes) -> list[Command]:
        """The commands so far that begin with `words`, in order of arrival."""
        wanted = _command(words)
        with self._changed:
            return [command for _, command in self._received if _begins(command, wanted)]

    def wait_received(self, *words: str | bytes, count: int = 1, timeout: float = 10.0) -> None:
        """Wait until `count` commands that begin with `words` have come."""
        with self._changed:
            if not self._changed.wait_for(lambda: len(self.received(*words)) >= count, timeout):
                came = [command for _, command in self._received]
                raise AssertionError(f"{count} of {words} did not come; came: {came[-20:]}")

    def wait_answered(self, *words: str | bytes, count: int = 1, timeout: float = 10.0) -> None:
        """Wait until `count` commands that begin with `words` have been answered in full."""
        wanted = _command(words)

        def done() -> bool:
            return sum(_begins(command, wanted) for command in self._answered) >= count

        with self._changed:
            assert self._changed.wait_for(done, timeout), f"{count} of {words} were not answered"

    # ---- threads ------------------------------------------------------------------------------

    def _start(self, target: Callable[[], None], name: str) -> None:
        thread = threading.Thread(target=target, name=name, daemon=True)
        self._threads.append(thread)
        thread.start()

    def _accept(self) -> None:
        while True:
            waiting: list[Any] = [self._listener, self.stop_fd]
            ready, _, _ = select.select(waiting, [], [])
            if self.stop_fd in ready:
                return
            sock, _ = self._listener.accept()
            sock.settimeout(5)  # a client that does not read must not keep the server from stopping
            with contextlib.suppress(OSError):
                sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self.connections += 1
            connection = _Connection(self, sock, self.connections)
            self._start(connection.run, f"scripted connection {self.connections}")


def _begins(command: Command, wanted: Command) -> bool:
    return (command[0].upper(), *command[1:])[: len(wanted)] == wanted


def _command(words: tuple[str | bytes, ...]) -> Command:
    encoded = [word if isinstance(word, bytes) else word.encode() for word in words]
    return (encoded[0].upper(), *encoded[1:]) if encoded else ()
