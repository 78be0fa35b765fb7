"""Both faces of the client behind one way of writing a test. Imports kvwire.

A scenario is written once, for the asynchronous face:

    async def scenario(kv):
        assert await kv.get("k") is None

    face.run(scenario, url)

On the synchronous face each call runs at once in the calling thread, and together() uses threads.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from typing import Any, Protocol, TypeVar

import kvwire

from .loops import Runner

T = TypeVar("T")
Scenario = Callable[..., Coroutine[Any, Any, T]]
Call = Callable[[], Awaitable[Any]]


def drive(awaitable: Awaitable[T]) -> T:
    """Run what never suspends to its end."""
    steps = awaitable.__await__()
    try:
        next(steps)
    except StopIteration as stop:
        value: T = stop.value
        return value
    raise AssertionError("a synchronous call suspended")


class Face(Protocol):
    """One of the two faces, on one kind of loop."""

    kind: str

    def client(self, url: str | None = None, /, **options: Any) -> Any:
        """A client with the asynchronous surface: `async with`, awaitable calls, aclose()."""

    def play(self, main: Callable[[], Coroutine[Any, Any, T]]) -> T:
        """Run main(), which makes its own clients."""

    def run(self, scenario: Scenario[T], url: str, **options: Any) -> T:
        """Run scenario(kv) with a new client that is closed afterwards."""

    async def together(self, calls: Sequence[Call]) -> list[Any]:
        """All calls at the same time; results in order, exceptions as values."""

    async def aside(self, work: Callable[[], T]) -> T:
        """Run blocking work of the test itself without holding up the face's calls."""


class SyncClient:
    """A Valkey with AsyncValkey's surface."""

    def __init__(self, client: Any) -> None:
        self.raw = client

    async def __aenter__(self) -> SyncClient:
        self.raw.__enter__()
        return self

    async def __aexit__(self, *args: Any) -> None:
        self.raw.__exit__(*args)

    async def aclose(self) -> None:
        self.raw.close()

    def pipeline(self, **options: Any) -> SyncPipeline:
        return SyncPipeline(self.raw.pipeline(**options))

    def __getattr__(self, name: str) -> Any:
        found = getattr(self.raw, name)
        if not callable(found):
            return found

        async def call(*args: Any, **options: Any) -> Any:
            return found(*args, **options)

        return call


class SyncPipeline:
    """A Pipeline with AsyncPipeline's surface."""

    def __init__(self, pipeline: Any) -> None:
        self.raw = pipeline

    async def __aenter__(self) -> SyncPipeline:
        self.raw.__enter__()
        return self

    async def __aexit__(self, *args: Any) -> None:
        self.raw.__exit__(*args)

    async def execute(self, *args: Any, **options: Any) -> Any:
        return self.raw.execute(*args, **options)

    def __len__(self) -> int:
        return len(self.raw)

    def __getattr__(self, name: str) -> Any:
        found = getattr(self.raw, name)

        def append(*args: Any, **options: Any) -> Any:
            value = found(*args, **options)
            return self if value is self.raw else value

        return append


class _Common:
    def client(self, url: str | None = None, /, **options: Any) -> Any:
        raise NotImplementedError

    def play(self, main: Callable[[], Coroutine[Any, Any, T]]) -> T:
        raise NotImplementedError

    def run(self, scenario: Scenario[T], url: str, **options: Any) -> T:
        async def main() -> T:
            async with self.client(url, **options) as kv:
                return await scenario(kv)

        return self.play(main)


class SyncFace(_Common):
    kind = "sync"

    def client(self, url: str | None = None, /, **options: Any) -> Any:
        return SyncClient(kvwire.Valkey(url, **options))

    def play(self, main: Callable[[], Coroutine[Any, Any, T]]) -> T:
        return drive(main())

    async def together(self, calls: Sequence[Call]) -> list[Any]:
        results: list[Any] = [None] * len(calls)

        def one(index: int) -> None:
            try:
                results[index] = drive(calls[index]())
            except Exception as error:
                results[index] = error

        threads = [threading.Thread(target=one, args=(i,)) for i in range(len(calls))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return results

    async def aside(self, work: Callable[[], T]) -> T:
        return work()


class AsyncFace(_Common):
    def __init__(self, runner: Runner) -> None:
        self.kind = runner.kind
        self.runner = runner

    def client(self, url: str | None = None, /, **options: Any) -> Any:
        return kvwire.AsyncValkey(url, **options)

    def play(self, main: Callable[[], Coroutine[Any, Any, T]]) -> T:
        return self.runner(main)

    async def together(self, calls: Sequence[Call]) -> list[Any]:
        return await asyncio.gather(*(call() for call in calls), return_exceptions=True)

    async def aside(self, work: Callable[[], T]) -> T:
        return await asyncio.to_thread(work)
