"""The coroutine that the extension's self-test runs: see ext/probe.c."""

from __future__ import annotations

from contextvars import ContextVar

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Awaitable

_variable: ContextVar[object] = ContextVar("kvwire_probe")


async def probe(reply: Awaitable[object]) -> tuple[object, bool]:
    """Give the reply's value, and whether the task woke in its own context."""
    mark = object()
    _variable.set(mark)
    value = await reply
    return value, _variable.get(None) is mark
