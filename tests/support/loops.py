"""Running coroutines on every kind of event loop that kvwire supports."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

T = TypeVar("T")

# "eager" runs a task's first step inside create_task; CPython 3.12 brought it.
KINDS = ("asyncio", "debug", "uvloop", "eager")


def why_not(kind: str) -> str:
    """Why this kind cannot be had here; empty when it can."""
    if kind == "uvloop":
        try:
            import uvloop  # noqa: F401
        except ImportError:
            return "uvloop is not installed"
    if kind == "eager" and sys.version_info < (3, 12):
        return "eager tasks came with CPython 3.12"
    return ""


def new_loop(kind: str) -> asyncio.AbstractEventLoop:
    """A loop of this kind; the caller closes it."""
    if kind == "uvloop":
        import uvloop

        loop: asyncio.AbstractEventLoop = uvloop.new_event_loop()
        return loop
    loop = asyncio.new_event_loop()
    if kind == "eager":
        loop.set_task_factory(getattr(asyncio, "eager_task_factory"))  # noqa: B009
    return loop


class Runner:
    """Runs one coroutine function to its end, on a new loop each time.

    It must leave no task behind and must end within `patience` seconds. What the loop's exception
    handler was told is kept in `reported`; a test that expects it takes it from there, and
    check() complains about the rest.
    """

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self.reported: list[dict[str, Any]] = []

    def __call__(self, main: Callable[[], Coroutine[Any, Any, T]], patience: float = 30.0) -> T:
        async def whole() -> T:
            loop = asyncio.get_running_loop()
            loop.set_exception_handler(lambda loop, context: self.reported.append(context))
            async with asyncio.timeout(patience):
                value = await main()
            left = asyncio.all_tasks() - {asyncio.current_task()}
            assert not left, f"tasks left behind: {left}"
            return value

        debug = True if self.kind == "debug" else None
        with asyncio.Runner(debug=debug, loop_factory=lambda: new_loop(self.kind)) as runner:
            return runner.run(whole())

    def check(self) -> None:
        assert not self.reported, f"the loop's exception handler was told: {self.reported}"
