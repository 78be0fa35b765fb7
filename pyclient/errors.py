"""What can go wrong on the way. Faults of the caller are TypeError and ValueError instead."""

from __future__ import annotations

import builtins

__all__ = (
    "AuthenticationError",
    "ConnectionError",
    "KVError",
    "Overloaded",
    "ProtocolError",
    "ServerError",
    "TimeoutError",
    "ValueTooLarge",
)


class KVError(Exception):
    """The base of everything that kvwire raises for what went wrong on the way."""

    __module__ = "kvwire"


class _FateError(KVError):
    """A call that ended without its reply, so that it matters whether it was executed."""

    __module__ = "kvwire"

    # False: no byte of the command can have reached the server. True: it may have run.
    maybe_executed: bool = False

    def __init__(self, message: str = "", *, maybe_executed: bool = False) -> None:
        super().__init__(message)
        self.maybe_executed = maybe_executed


class ConnectionError(_FateError, builtins.ConnectionError):
    """The server could not be reached, or the connection ended before the reply was there."""

    __module__ = "kvwire"


class TimeoutError(_FateError, builtins.TimeoutError):
    """Connecting, or waiting for the reply, took longer than allowed."""

    __module__ = "kvwire"


class ProtocolError(_FateError):
    """What the server sent is not a reply, and the connection was closed; or the reply is none to
    the command, and the connection goes on."""

    __module__ = "kvwire"


class ServerError(KVError):
    """The server answered with an error.

    `code` is its first word when that is one ("WRONGTYPE", "ERR", "NOSCRIPT"), else empty;
    `message` is what follows it; `index` is the command's position in its pipeline, or None.
    """

    __module__ = "kvwire"

    index: int | None = None
    _code: str | None = None  # set where the text is a sentence of ours around the server's

    def __init__(self, text: str = "", index: int | None = None) -> None:
        super().__init__(text)
        self.index = index

    def _split(self) -> tuple[str, str]:
        text = str(self.args[0]) if self.args else ""
        word, _, rest = text.partition(" ")
        if word.isascii() and word.isupper() and word.replace("_", "").isalnum():
            return word, rest
        return "", text

    @property
    def code(self) -> str:
        return self._split()[0] if self._code is None else self._code

    @property
    def message(self) -> str:
        return self._split()[1]

    def __str__(self) -> str:
        text = super().__str__()
        return text if self.index is None else f"command {self.index} of the pipeline: {text}"


class AuthenticationError(ServerError, ConnectionError):
    """The server refused the user name or the password, or wants them and was given none."""

    __module__ = "kvwire"


class ValueTooLarge(KVError):
    """The server's limit, or ours, does not allow a value of this size."""

    __module__ = "kvwire"


class Overloaded(KVError):
    """Too much is in flight already; nothing was sent."""

    __module__ = "kvwire"
