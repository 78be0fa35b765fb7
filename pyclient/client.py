"""The two faces of a Redis/Valkey client and their pipelines.

The commands are methods that the core makes from the table in _commands; their signatures stand
in client.pyi, which is generated from the same table.
"""

from __future__ import annotations

from _warnings import warn  # the warnings module itself is not needed to warn

from . import _backend
from ._commands import COMMANDS
from ._config import core_options, describe
from ._iterate import ScanIterators, awalk, walk

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Self

OPTIONS = """

The server is named by a URL (valkey://, redis:// or unix://) or by keywords; a keyword wins.

host, port         where the server listens; 127.0.0.1 and 6379
path               a Unix socket instead
username, password what to log in with
db                 the database; 0
client_name        how CLIENT LIST shows the connections
protocol           2 or 3; None takes 3 where the server has it
connect_timeout    seconds to connect, or None to wait for ever; 2
timeout            seconds to wait for each reply, or None to wait for ever; 5
decode             give str instead of bytes; False
max_connections    connections that a process shares among its threads; 16

redis-py's unix_socket_path, socket_timeout, socket_connect_timeout and decode_responses stand for
path, timeout, connect_timeout and decode. Nothing is sent before the first call."""


class _Face(ScanIterators):
    """What both faces share. Comes before a class of the core among the bases."""

    def __init__(self, url: str | None = None, *more: Any, **options: Any) -> None:
        if more:
            name = type(self).__name__
            example = f"{name}(host='localhost', port=6379)"
            raise TypeError(f"{name}() takes a URL and keywords: {example}")
        checked = core_options(url, options, type(self).__name__)
        super().__init__(**checked)
        self._where = describe(checked)

    # For type checkers a client is generic: Valkey[str] is one made with decode=True.
    __class_getitem__: Any = classmethod(type(list[int]))

    @classmethod
    def from_url(cls, url: str, **options: Any) -> Self:
        """The same as calling the class."""
        return cls(url, **options)

    def __repr__(self) -> str:
        return f"<kvwire.{type(self).__name__} {getattr(self, '_where', 'without a server')}>"

    if TYPE_CHECKING:

        @property
        def connected(self) -> bool: ...

    # The defaults are at hand when the interpreter has emptied this module already. The client is
    # not given to warn() as the source: a warning that is kept would keep the connection.
    def __del__(self, warn: Any = warn, category: type[Warning] = ResourceWarning) -> None:
        if self.connected:
            warn(f"{self!r} was never closed", category)


class Valkey(_Face, _backend.SyncClient):
    __doc__ = "A client whose calls wait for their replies. Threads may share it." + OPTIONS
    __module__ = "kvwire"

    _walk = staticmethod(walk)

    def __enter__(self) -> Self:
        self.connect()
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def pipeline(self, transaction: bool = False) -> Pipeline:
        """Commands to send in one go; in MULTI and EXEC when they are a transaction."""
        return Pipeline(self, transaction)


class AsyncValkey(_Face, _backend.AsyncClient):
    __doc__ = (
        "A client whose calls return awaitables. One client serves any number of tasks and of "
        "event loops: each loop has one connection." + OPTIONS
    )
    __module__ = "kvwire"

    _walk = staticmethod(awalk)

    async def __aenter__(self) -> Self:
        await self.connect()
        return self

    async def __aexit__(self, *error: object) -> None:
        await self.aclose()

    def pipeline(self, transaction: bool = False) -> AsyncPipeline:
        """Commands to send in one go; in MULTI and EXEC when they are a transaction."""
        return AsyncPipeline(self, transaction)


class _Queue:
    """What both kinds of pipelines share."""

    if TYPE_CHECKING:

        def __len__(self) -> int: ...

    def __repr__(self) -> str:
        return f"<kvwire.{type(self).__name__} of {len(self)} commands>"


class Pipeline(_Queue, _backend.SyncPipeline):
    """Commands that are kept until execute() sends them all in one go."""

    __module__ = "kvwire"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.reset()


class AsyncPipeline(_Queue, _backend.AsyncPipeline):
    """Commands that are kept until execute() sends them all in one go."""

    __module__ = "kvwire"

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *error: object) -> None:
        self.reset()


for _cls in (Valkey, AsyncValkey, Pipeline, AsyncPipeline):
    _backend.install(_cls, COMMANDS)
