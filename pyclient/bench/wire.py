"""A minimal Redis connection for the benchmark's own errands, so that it favours no client."""

from __future__ import annotations

import socket
from collections.abc import Iterable, Sequence
from types import TracebackType
from urllib.parse import quote, unquote, urlsplit

from .model import BenchError

# Commands in one send: enough to be quick, little enough that replies fit the socket's buffers.
PIPELINE_BYTES = 64 * 1024


class Address:
    """Where a server is, taken from a URL."""

    def __init__(self, url: str) -> None:
        try:
            parts = urlsplit(url)
            self.port = parts.port or 6379
            self.db = int(parts.path.strip("/") or 0)
        except ValueError as error:
            raise BenchError(f"bad URL {url!r}: {error}") from None
        if parts.scheme not in ("redis", "valkey"):
            raise BenchError(
                f"cannot benchmark {url!r}: its scheme must be redis:// or valkey:// "
                "(not every client has the others)"
            )
        self.host = parts.hostname or "127.0.0.1"
        self.username = unquote(parts.username or "")
        self.password = unquote(parts.password or "")

    def url(self, host: str | None = None, port: int | None = None) -> str:
        """The URL that every client understands, with another host and port if given."""
        secret = ""
        if self.username or self.password:
            secret = f"{quote(self.username, safe='')}:{quote(self.password, safe='')}@"
        name = host or self.host
        if ":" in name:
            name = f"[{name}]"
        return f"redis://{secret}{name}:{port or self.port}/{self.db}"


class ReplyError(Exception):
    """The server's error reply."""


class Control:
    """One blocking connection: send a command, get its reply."""

    def __init__(self, url: str, timeout: float = 10.0) -> None:
        address = Address(url)
        self._socket = socket.create_connection((address.host, address.port), timeout)
        self._file = self._socket.makefile("rb")
        try:
            if address.password:
                user = [address.username] if address.username else []
                self.call("AUTH", *user, address.password)
            if address.db:
                self.call("SELECT", address.db)
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Control:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        self._file.close()
        self._socket.close()

    def call(self, *args: str | bytes | int) -> object:
        """One command. ReplyError when the server answers with an error."""
        self._socket.sendall(encode(args))
        return self._reply()

    def send_all(self, commands: Iterable[Sequence[str | bytes | int]]) -> None:
        """Many commands whose replies do not matter, as long as they are not errors."""
        pending = bytearray()
        waiting = 0
        for command in commands:
            pending += encode(command)
            waiting += 1
            if len(pending) >= PIPELINE_BYTES:
                self._exchange(pending, waiting)
                pending.clear()
                waiting = 0
        self._exchange(pending, waiting)

    def _exchange(self, data: bytearray, replies: int) -> None:
        self._socket.sendall(data)
        for _ in range(replies):
            self._reply()

    def info(self, section: str) -> dict[str, str]:
        """A section of INFO as a dict."""
        reply = self.call("INFO", section)
        assert isinstance(reply, bytes)
        pairs = (line.partition(":") for line in reply.decode().splitlines() if ":" in line)
        return {name: value for name, _, value in pairs}

    def cpu_seconds(self) -> float:
        """The CPU time, user and system, that the server's process has used."""
        info = self.info("cpu")
        return float(info["used_cpu_user"]) + float(info["used_cpu_sys"])

    def _reply(self) -> object:
        line = self._file.readline()
        if not line.endswith(b"\r\n"):
            raise ConnectionError("the server closed the connection")
        kind, rest = line[:1], line[1:-2]
        if kind == b"+":
            return rest
        if kind == b"-":
            raise ReplyError(rest.decode(errors="replace"))
        if kind == b":":
            return int(rest)
        if kind == b"$":
            length = int(rest)
            return None if length < 0 else self._file.read(length + 2)[:-2]
        if kind == b"*":
            return [self._reply() for _ in range(int(rest))]
        raise ConnectionError(f"not a Redis reply: {line!r}")


def encode(args: Sequence[str | bytes | int]) -> bytes:
    """The wire form of a command."""
    parts = [b"*%d\r\n" % len(args)]
    for arg in args:
        data = arg if isinstance(arg, bytes) else str(arg).encode()
        parts.append(b"$%d\r\n%b\r\n" % (len(data), data))
    return b"".join(parts)
