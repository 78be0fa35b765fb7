"""A short session through all that the extension does, for memcheck: `session.py URL`.

Memcheck cannot tell a forgotten object that the garbage collector tracks from one in use, since the
collector's list still points to it. So the session runs several times, and the number of tracked
objects must not grow from one time to the next.
"""

from __future__ import annotations

import asyncio
import contextlib
import gc
import sys
import threading
from typing import Any

import kvwire
from kvwire import _core

PREFIX = "kvwire-bench:session:"
SIZES = (0, 1, 128, 16_384, 100_000, 1_000_000)
ROUNDS = 3
NOBODY = "redis://127.0.0.1:1"

REPLIES = [
    b"+OK\r\n:1\r\n,1.5\r\n,inf\r\n#t\r\n_\r\n$-1\r\n*-1\r\n(123456789012345678901234567890\r\n",
    b"$3\r\nabc\r\n=7\r\ntxt:abc\r\n-ERR no\r\n!5\r\nERR x\r\n",
    b"%2\r\n+a\r\n:1\r\n+b\r\n*2\r\n:1\r\n:2\r\n~2\r\n:1\r\n:1\r\n%1\r\n*1\r\n:1\r\n:2\r\n",
    b"|1\r\n+ttl\r\n:3\r\n$1\r\nA\r\n$?\r\n;2\r\nab\r\n;1\r\nc\r\n;0\r\n*?\r\n:1\r\n.\r\n",
    b"*1\r\n" * 500 + b":1\r\n",
]
MALFORMED = [b"?\r\n", b"$-2\r\n", b":1x\r\n", b"$1\r\nab\r\n", b"(12a\r\n", b"*1\r\n" * 2000]


def keys(count: int) -> list[str]:
    return [f"{PREFIX}{index}" for index in range(count)]


def parse() -> None:
    for shape in _core.SHAPES.values():
        for reply in REPLIES:
            with contextlib.suppress(kvwire.ProtocolError):
                _core.parse(reply, shape)
    for reply in MALFORMED:
        with contextlib.suppress(kvwire.ProtocolError):
            _core.parse(reply)


def sync(url: str) -> None:
    with kvwire.Valkey(url, max_connections=2) as kv:
        for size in SIZES:
            value = b"v" * size
            kv.set(keys(1)[0], value, ex=60)
            assert kv.get(keys(1)[0]) == value
        for key in keys(100):
            kv.set(key, key)
        assert kv.mget(keys(100)) == [key.encode() for key in keys(100)]
        assert kv.get(keys(1)[0], decode=True) == keys(1)[0]
        kv.hset(PREFIX + "hash", mapping={"a": 1, "b": 2.5})
        assert kv.hgetall(PREFIX + "hash") == {b"a": b"1", b"b": b"2.5"}
        kv.zadd(PREFIX + "zset", {"a": 1, "b": 2})
        assert kv.zrange(PREFIX + "zset", 0, -1, withscores=True)
        assert kv.blpop(PREFIX + "none", timeout=0.01) is None
        for wrong in (["HGET", keys(1)[0], "a"], ["NO SUCH"]):
            try:
                kv.execute(*wrong)
            except kvwire.ServerError:
                continue
            raise AssertionError("an error of the server's did not raise")
        no_scalars: list[Any] = [None, True, [1], {}]
        for bad in no_scalars:
            with contextlib.suppress(TypeError):
                kv.execute("ECHO", bad)
        for transaction in (False, True):
            with kv.pipeline(transaction=transaction) as pipe:
                pipe.set(keys(1)[0], 1).incr(keys(1)[0]).hget(keys(1)[0], "f").get(keys(1)[0])
                replies = pipe.execute(raise_on_error=False)
            assert replies[3] == b"2"
        threads = [threading.Thread(target=lambda: kv.mget(keys(50))) for _ in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        kv.delete(*keys(100), PREFIX + "hash", PREFIX + "zset")


async def use(url: str) -> None:
    async with kvwire.AsyncValkey(url) as kv:
        for size in SIZES:
            value = b"v" * size
            await kv.set(keys(1)[0], value)
            assert await kv.get(keys(1)[0]) == value
        await asyncio.gather(*[kv.set(key, key) for key in keys(100)])
        assert await asyncio.gather(*[kv.get(key) for key in keys(100)])
        assert await kv.mget(keys(100)) == [key.encode() for key in keys(100)]
        await cancel(kv)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(0.01):
                await kv.blpop(PREFIX + "none", timeout=0)
        with contextlib.suppress(kvwire.ServerError):
            await kv.hget(keys(1)[0], "a")
        for transaction in (False, True):
            async with kv.pipeline(transaction=transaction) as pipe:
                pipe.set(keys(1)[0], 1).incr(keys(1)[0])
                assert (await pipe.execute())[1] == 2
        kv.get(keys(1)[0])  # never awaited
        await kv.delete(*keys(100))


async def cancel(kv: Any) -> None:
    """Cancel calls before and after they are sent."""

    async def get(key: str) -> bytes | None:
        value: bytes | None = await kv.get(key)
        return value

    tasks = [asyncio.ensure_future(get(key)) for key in keys(20)]
    tasks[0].cancel()
    await asyncio.sleep(0)
    for task in tasks[1:10]:
        task.cancel()
    results = await asyncio.gather(*tasks, return_exceptions=True)
    assert results[10:] == [key.encode() for key in keys(20)[10:]]
    done, _ = await asyncio.wait([kv.get(key) for key in keys(5)])
    assert len(done) == 5


async def refused() -> None:
    kv = kvwire.AsyncValkey(NOBODY)
    with contextlib.suppress(kvwire.ConnectionError):
        await kv.get("k")
    await kv.aclose()


def refused_sync() -> None:
    kv = kvwire.Valkey(NOBODY)
    with contextlib.suppress(kvwire.ConnectionError):
        kv.get("k")
    kv.close()


def main(url: str) -> None:
    tracked = []
    for _ in range(ROUNDS):
        parse()
        sync(url)
        asyncio.run(use(url))
        asyncio.run(refused())
        refused_sync()
        gc.collect()
        tracked.append(len(gc.get_objects()))
    # The first time fills caches.
    assert tracked[-1] <= tracked[-2] + 5, f"tracked objects grow: {tracked}"


if __name__ == "__main__":
    main(sys.argv[1])
