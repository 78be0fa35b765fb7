"""A naive blocking RESP2 client, so that tests can look at a server without the code under test."""

from __future__ import annotations

import socket
from types import TracebackType
from typing import Any, Self


class PlainError(Exception):
    """The server answered with an error."""


def encode(*args: str | bytes | int | float) -> bytes:
    """The wire form of a command."""
    words = [arg if isinstance(arg, bytes) else str(arg).encode() for arg in args]
    parts = [b"*%d\r\n" % len(words)]
    parts += [b"$%d\r\n%s\r\n" % (len(word), word) for word in words]
    return b"".join(parts)


class Plain:
    """One connection: call(...) sends a command and returns its reply (bytes, int, None, list)."""

    def __init__(self, address: tuple[str, int] | str, timeout: float = 10.0) -> None:
        if isinstance(address, str):
            self._sock = socket.socket(socket.AF_UNIX)
            self._sock.settimeout(timeout)
            try:
                self._sock.connect(address)
            except OSError:
                self._sock.close()
                raise
        else:
            self._sock = socket.create_connection(address, timeout)
        self._file = self._sock.makefile("rb")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        value: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        self._file.close()
        self._sock.close()

    def call(self, *args: str | bytes | int | float) -> Any:
        self._sock.sendall(encode(*args))
        return self._read()

    def _read(self) -> Any:
        line = self._file.readline()
        if not line.endswith(b"\r\n"):
            raise ConnectionError("the server closed the connection")
        sign, rest = line[:1], line[1:-2]
        if sign == b"+":
            return rest
        if sign == b"-":
            raise PlainError(rest.decode())
        if sign == b":":
            return int(rest)
        if sign == b"$":
            if int(rest) < 0:
                return None
            body = self._file.read(int(rest) + 2)
            if len(body) < int(rest) + 2:
                raise ConnectionError("the server closed the connection")
            return body[:-2]
        if sign == b"*":
            return None if int(rest) < 0 else [self._read() for _ in range(int(rest))]
        raise AssertionError(f"not RESP2: {line!r}")
