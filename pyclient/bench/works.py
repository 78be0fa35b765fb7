"""The works: which operations a task or thread repeats, and how their results are checked.

The measured loops hold nothing but the client's call: what they add to an operation is a `for` and
an `await`. Results are checked before and after the measurement instead (`verify`).
"""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Coroutine, Iterator
from itertools import chain, islice, repeat
from typing import Any

from .clients import Call, Calls
from .model import KEY_COUNT, BenchError

PREFIX = "kvwire-bench"
CHECKED_MAX = 50

# What each work does, one operation being one call.
WORKS: dict[str, str] = {
    "mixed": "get and set in turn",
    "get": "get",
    "set": "set",
    "incr": "incr",
    "mget-100": "mget of 100 keys",
    "mget-1000": "mget of 1000 keys",
    "list": "rpop and lpush in turn",
    "ping": "ping",
    "blend": "get, set, incr, mget of 10 keys, rpop and lpush in turn",
}


def batch_of(work: str) -> int:
    """How many keys a work's mget has; 0 when it is not about mget."""
    return int(work.removeprefix("mget-")) if work.startswith("mget-") else 0


def key_count(size: int) -> int:
    """How many keys hold values of the size."""
    fitting = [count for limit, count in KEY_COUNT.items() if limit >= size]
    return fitting[0] if fitting else 4


def value_of(key: str, size: int) -> bytes:
    """The value that belongs to the key, and to no other."""
    pattern = key.encode() + b"="
    return (pattern * (size // len(pattern) + 1))[:size]


class Plan:
    """What one worker process is to do: the keys of its work, and a loop per task or thread."""

    def __init__(self, work: str, size: int, workers: int, *, sync: bool) -> None:
        if work not in WORKS:
            raise BenchError(f"unknown work {work!r}; known are {', '.join(WORKS)}")
        self.work = work
        self.size = size
        self.sync = sync
        batch = batch_of(work) or 10
        count = max(key_count(size), batch)
        self.keys = [f"{PREFIX}:{size}:{index}" for index in range(count)]
        self.counters = [f"{PREFIX}:counter:{index}" for index in range(workers)]
        self.lists = [f"{PREFIX}:list:{index}" for index in range(workers)]
        self.batches = [
            [self.keys[(start + offset) % count] for offset in range(batch)]
            for start in range(0, count, batch)
        ]
        # All that a measured set or lpush writes: it need not be told apart.
        self.written = value_of(f"{PREFIX}:written", size)
        self.width = {"mixed": 2, "list": 2, "blend": 6}.get(work, 1)

    # ---- the server's side ----------------------------------------------------------------

    def fill(self) -> Iterator[tuple[str | bytes, ...]]:
        """The commands that put the server into the state to begin with."""
        yield ("DEL", *self.counters, *self.lists)
        for key in self.keys:
            yield ("SET", key, self.value(key))
        for key in self.lists:
            yield ("LPUSH", key, self.written)

    def clear(self) -> Iterator[tuple[str, ...]]:
        """The commands that take all of it away again."""
        for key in (*self.keys, *self.counters, *self.lists):
            yield ("DEL", key)

    def value(self, key: str) -> bytes:
        """What the key holds when nothing has been measured yet."""
        return value_of(key, self.size)

    # ---- the measured loops ---------------------------------------------------------------

    def loop(self, calls: Calls, worker: int, ops: int) -> tuple[Callable[..., Any], list[Any]]:
        """The loop of one task or thread and its arguments, the first an iterator that is used up
        by it: called again after an error, the loop goes on behind the operation that failed."""
        turns = ops // self.width
        steps: Iterator[Any]
        second = [self.written] if calls.lpush_list else self.written
        table = _SYNC if self.sync else _ASYNC
        if self.work.startswith("mget-"):
            steps = cycle(self.batches, worker, turns)
            return table["one"], [steps, calls.mget]
        if self.work == "ping":
            if calls.ping is None:
                raise BenchError("the client has no ping")
            return table["none"], [iter(range(turns)), calls.ping]
        if self.work == "incr":
            steps = repeat(self.counters[worker], turns)
            if calls.incr_by:
                return table["two"], [steps, calls.incr, 1]
            return table["one"], [steps, calls.incr]
        if self.work == "list":
            steps = repeat(self.lists[worker], turns)
            return table["pair"], [steps, calls.rpop, calls.lpush, second]
        steps = cycle(self.keys, worker * 7, turns)
        if self.work == "get":
            return table["one"], [steps, calls.get]
        if self.work == "set":
            return table["two"], [steps, calls.set, self.written]
        if self.work == "mixed":
            return table["pair"], [steps, calls.get, calls.set, self.written]
        own = (self.counters[worker], self.batches[0], self.lists[worker], second)
        return table["blend"], [steps, calls, self.written, *own]

    # ---- the check ------------------------------------------------------------------------

    async def verify(self, calls: Calls) -> None:
        """Call everything that the work uses and compare each reply with what it must be.

        Of many keys a part, so that a long delay does not make it last. BenchError names the first
        reply that differs. With a synchronous client nothing here suspends.
        """
        work = self.work
        if work in ("get", "set", "mixed", "blend"):
            for key in self.keys[:: len(self.keys) // CHECKED_MAX + 1]:
                value = self.value(key)
                if work != "get":
                    _expect("set", key, await _value(calls.set(key, value)), (True, "OK", b"OK"))
                _expect("get", key, await _value(calls.get(key)), (value,))
        if work.startswith("mget-") or work == "blend":
            for batch in self.batches[:CHECKED_MAX]:
                values = await _value(calls.mget(batch))
                _expect("mget", batch[0], list(values), ([self.value(key) for key in batch],))
        if work in ("incr", "blend"):
            extra = (1,) if calls.incr_by else ()
            for key in self.counters[:CHECKED_MAX]:
                before = await _value(calls.incr(key, *extra))
                _expect("incr", key, await _value(calls.incr(key, *extra)), (before + 1,))
        if work in ("list", "blend"):
            for key in self.lists[:CHECKED_MAX]:
                value = self.value(key)
                pushed = [value] if calls.lpush_list else value
                _expect("lpush", key, await _value(calls.lpush(key, pushed)), (2,))
                await _value(calls.rpop(key))
                _expect("rpop", key, await _value(calls.rpop(key)), (value,))
                await _value(calls.lpush(key, pushed))
        if work == "ping" and calls.ping is not None:
            _expect("ping", "", await _value(calls.ping()), (True, "PONG", b"PONG"))


def cycle(items: list[Any], start: int, count: int) -> Iterator[Any]:
    """`count` items, going round from the given place; at C speed."""
    first = islice(items, start % len(items), None)
    return islice(chain(first, chain.from_iterable(repeat(items))), count)


async def _value(result: Any) -> Any:
    return await result if inspect.isawaitable(result) else result


def _expect(call: str, key: str, got: Any, wanted: tuple[Any, ...]) -> None:
    if not any(got == value for value in wanted):
        raise BenchError(f"{call}({key!r}) gave {str(got)[:60]!r} instead of {wanted[0]!r:.60}")


def run_sync(coroutine: Coroutine[Any, Any, None]) -> None:
    """Run a coroutine that never suspends."""
    try:
        coroutine.send(None)
    except StopIteration:
        return
    raise BenchError("the synchronous client gave an awaitable")


# ---- loops ------------------------------------------------------------------------------------


async def _none(steps: Iterator[Any], call: Call) -> None:
    for _ in steps:
        await call()


async def _one(steps: Iterator[Any], call: Call) -> None:
    for key in steps:
        await call(key)


async def _two(steps: Iterator[Any], call: Call, second: Any) -> None:
    for key in steps:
        await call(key, second)


async def _pair(steps: Iterator[Any], first: Call, other: Call, second: Any) -> None:
    for key in steps:
        await first(key)
        await other(key, second)


async def _blend(
    steps: Iterator[Any],
    calls: Calls,
    value: bytes,
    counter: str,
    batch: list[str],
    queue: str,
    pushed: Any,
) -> None:
    extra = (1,) if calls.incr_by else ()
    for key in steps:
        await calls.get(key)
        await calls.set(key, value)
        await calls.incr(counter, *extra)
        await calls.mget(batch)
        await calls.rpop(queue)
        await calls.lpush(queue, pushed)


def _none_sync(steps: Iterator[Any], call: Call) -> None:
    for _ in steps:
        call()


def _one_sync(steps: Iterator[Any], call: Call) -> None:
    for key in steps:
        call(key)


def _two_sync(steps: Iterator[Any], call: Call, second: Any) -> None:
    for key in steps:
        call(key, second)


def _pair_sync(steps: Iterator[Any], first: Call, other: Call, second: Any) -> None:
    for key in steps:
        first(key)
        other(key, second)


def _blend_sync(
    steps: Iterator[Any],
    calls: Calls,
    value: bytes,
    counter: str,
    batch: list[str],
    queue: str,
    pushed: Any,
) -> None:
    extra = (1,) if calls.incr_by else ()
    for key in steps:
        calls.get(key)
        calls.set(key, value)
        calls.incr(counter, *extra)
        calls.mget(batch)
        calls.rpop(queue)
        calls.lpush(queue, pushed)


_ASYNC: dict[str, Callable[..., Awaitable[None]]] = {
    "none": _none,
    "one": _one,
    "two": _two,
    "pair": _pair,
    "blend": _blend,
}
_SYNC: dict[str, Callable[..., None]] = {
    "none": _none_sync,
    "one": _one_sync,
    "two": _two_sync,
    "pair": _pair_sync,
    "blend": _blend_sync,
}
