"""Memory stays flat. KVWIRE_FULL_TESTS=1 runs the reports' own counts."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import sys
from collections.abc import Callable
from typing import Any

import pytest

import kvwire
from kvwire import _core
from tests.support.corpus import ARRAY, MALFORMED
from tests.support.effort import FULL, repeats
from tests.support.faces import Face
from tests.support.loops import Runner
from tests.support.rss import Holdings, native_threads, open_fds, resident_bytes
from tests.support.scripted import Answer, ScriptedServer, bytewise
from tests.support.servers import Server

pytestmark = pytest.mark.patience(1800 if FULL else 60)

# An allocator keeps what it has; a leak of a few bytes a call shows above this all the same.
SLACK = 1 << 20


PASSES = 3


async def flat(work: Callable[[], Any], count: int, allowed: int = SLACK) -> None:
    """Run work() `count` times after a quarter as warm-up; the process must not grow by more.

    What caches and free lists take shows once; a leak shows in every pass.
    """
    for _ in range(count // 4):
        await work()
    for remaining in reversed(range(PASSES)):
        gc.collect()
        before, blocks = resident_bytes(), sys.getallocatedblocks()
        for _ in range(count):
            await work()
        gc.collect()
        grown, more = resident_bytes() - before, sys.getallocatedblocks() - blocks
        print(f"{count} rounds: {grown} bytes, {more} blocks more")
        if grown <= allowed and more <= max(200, count // 100):
            return
        assert remaining, f"grew by {grown} bytes and {more} Python objects in {count} rounds"


def test_p16_hgetall(face: Face, redis: Server) -> None:
    """P16. HGETALL of ten fields, as a map of RESP3."""
    redis.call("HSET", "h", *(f"{part}{n}" for n in range(10) for part in ("field", "value")))

    async def scenario(kv: Any) -> None:
        assert len(await kv.hgetall("h")) == 10
        await flat(lambda: kv.hgetall("h"), repeats(10_000, 1_000_000))

    face.run(scenario, redis.url, protocol=3)


def test_x01_mget(face: Face, redis: Server) -> None:
    """X01. MGET of 100 keys, and PFADD, whose argument buffers others leaked."""
    keys = [f"key:{number}" for number in range(100)]
    redis.call("MSET", *(word for key in keys for word in (key, "v" * 50)))

    async def scenario(kv: Any) -> None:
        await flat(lambda: kv.mget(keys), repeats(3_000, 1_000_000))
        await flat(lambda: kv.execute("PFADD", "p", *keys), repeats(1_000, 100_000))
        buffers = [bytearray(key.encode()) for key in keys]
        large = [memoryview(bytes(20_000))] * 3
        await flat(lambda: kv.mget(buffers), repeats(1_000, 100_000))
        await flat(lambda: kv.execute("PFADD", "p", *buffers, *large), repeats(300, 30_000))
        for buffer in buffers:
            buffer.append(0)  # nobody holds on to it

    face.run(scenario, redis.url)


def test_mixed_operations(face: Face, redis: Server) -> None:
    """Of every kind: values, errors, wrong arguments, pipelines, large values."""
    large = bytes(100_000)

    async def scenario(kv: Any) -> None:
        async def work() -> None:
            await kv.set("k", "v", ex=100)
            await kv.get("k")
            await kv.execute("INCR", "n")
            await kv.lpush("l", "a", "b")
            await kv.rpop("l", 1)
            await kv.ltrim("l", 0, 0)
            await kv.zadd("z", {"m": 1.5})
            await kv.zrange("z", 0, -1, withscores=True)
            await kv.set("large", large)
            await kv.get("large")
            await kv.scan()
            with pytest.raises(kvwire.ServerError):
                await kv.incr("l")
            with contextlib.suppress(TypeError):
                await kv.set("k", None)
            pipe = kv.pipeline()
            await pipe.get("k").incr("k").get("large").execute(raise_on_error=False)

        await flat(work, repeats(1_000, 100_000))

    face.run(scenario, redis.url)


def test_cancelled_calls(run: Runner, redis: Server) -> None:
    async def main() -> None:
        async with kvwire.AsyncValkey(redis.url) as kv:
            await kv.set("k", "v")

            async def work() -> None:
                calls: list[Any] = [kv.get("k") for _ in range(10)]
                for call in calls[::2]:
                    call.cancel()
                await asyncio.gather(*calls, return_exceptions=True)
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(0):
                        await kv.get("k")

            await flat(work, repeats(1_500, 100_000))

    run(main)


def test_awaitables_of_every_use(run: Runner, redis: Server) -> None:
    async def main() -> None:
        async with kvwire.AsyncValkey(redis.url) as kv:
            await kv.set("k", "v")

            async def work() -> None:
                kv.get("k")
                call: Any = kv.get("k")
                call.add_done_callback(lambda future: future.result())
                await asyncio.gather(call, kv.get("k"))
                await asyncio.wait([asyncio.ensure_future(kv.get("k"))])
                await asyncio.shield(kv.get("k"))
                await asyncio.wait_for(kv.get("k"), 5)

            await flat(work, repeats(1_500, 100_000))

    run(main)


def test_connections_that_are_lost(face: Face, fake: ScriptedServer) -> None:
    fake.on("INCR", answer=Answer(then="close"))

    async def scenario(kv: Any) -> None:
        async def work() -> None:
            with pytest.raises(kvwire.ConnectionError):
                await kv.execute("INCR", "k")
            assert await kv.get("next") == b"NEXT"

        # The scripted server keeps a thread object and a record of each connection.
        await flat_blocks_aside(work, repeats(100, 2_000))

    face.run(scenario, fake.url)


async def flat_blocks_aside(work: Callable[[], Any], count: int) -> None:
    """flat() for what makes this process's fake server grow: descriptors and memory in bulk."""
    for _ in range(count // 4):
        await work()
    before, fds, threads = resident_bytes(), len(open_fds()), native_threads()
    for _ in range(count):
        await work()
    assert resident_bytes() - before < 8 << 20
    assert len(open_fds()) - fds <= 4
    assert native_threads() - threads <= 4


def test_k27_clients_that_come_and_go(face: Face, redis: Server) -> None:
    """K27. Created, used and closed in a loop."""

    async def main() -> None:
        async def work() -> None:
            async with face.client(redis.url) as kv:
                await kv.get("k")

        holdings = Holdings()
        await flat(work, repeats(300, 10_000))
        assert not holdings.settled()

    face.play(main)


def test_k27_loops_that_come_and_go(redis: Server, run: Runner) -> None:
    """K27. One client, a new loop each time."""
    kv = kvwire.AsyncValkey(redis.url)

    async def once() -> None:
        await kv.get("k")

    async def last() -> None:
        await kv.aclose()

    for _ in range(10):
        run(once)
    gc.collect()
    before, fds = resident_bytes(), len(open_fds())
    for _ in range(repeats(50, 2_000)):
        run(once)
    gc.collect()
    assert resident_bytes() - before < SLACK
    assert len(open_fds()) - fds <= 1
    run(last)


def test_parse(fake: ScriptedServer) -> None:
    """The builder alone: whole, cut short, and malformed replies."""
    half_a_pair = b"%1\r\n$20\r\n" + b"a" * 20 + b"\r\n@"
    malformed = [wire for _, wire in MALFORMED if len(wire) < 20_000]
    wires = [ARRAY, ARRAY[:-30], half_a_pair, *malformed]

    def work() -> None:
        for wire in wires:
            with contextlib.suppress(kvwire.ProtocolError):
                _core.parse(wire)

    for _ in range(200):
        work()
    before, blocks = resident_bytes(), sys.getallocatedblocks()
    for _ in range(repeats(500, 20_000)):
        work()
    assert resident_bytes() - before < SLACK
    assert sys.getallocatedblocks() - blocks < 100


def test_values_that_fail_half_way(face: Face, unix_fake: ScriptedServer) -> None:
    """Decoding fails in the middle of an array: what was built of it is freed."""
    wire = (
        b"*4\r\n%1\r\n$1\r\na\r\n$20000\r\n"
        + b"v" * 20_000
        + b"\r\n$1\r\n\xff\r\n*2\r\n:1\r\n:2\r\n:3\r\n"
    )
    unix_fake.on("GET", "k", answer=Answer(*bytewise(wire, 4)))

    async def scenario(kv: Any) -> None:
        async def work() -> None:
            with pytest.raises(UnicodeDecodeError):
                await kv.execute("GET", "k")

        for _ in range(50):
            await work()
        before = resident_bytes()
        for _ in range(repeats(300, 5_000)):
            await work()
        assert resident_bytes() - before < 2 * SLACK
        assert await kv.get("next") == "NEXT"

    face.run(scenario, unix_fake.url, decode=True)
