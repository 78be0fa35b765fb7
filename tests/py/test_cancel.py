"""A cancelled call ends at once, and nobody ever gets the reply that was meant for it."""

from __future__ import annotations

import asyncio
import itertools
import random
from typing import Any

import pytest

import kvwire
from kvwire.bench.delay import DelayProxy
from tests.support.held import outcome
from tests.support.loops import Runner
from tests.support.scripted import Answer, ScriptedServer, in_turn, split
from tests.support.servers import Server
from tests.support.strangers import black_hole

RTT_MS = 160


def test_k01_cancelled_get_at_every_moment_of_a_round_trip(run: Runner, redis: Server) -> None:
    """K01. 80 ms each way, a client of one connection for each millisecond."""
    redis.call("MSET", "foo", "FOO", "bar", "BAR")
    delays = range(RTT_MS + 1)
    for ms in delays:
        redis.call("MSET", f"a{ms}", 100, f"b{ms}", 7000)

    async def one(url: str, ms: int) -> None:
        async with kvwire.AsyncValkey(url, max_connections=1) as kv:
            task = asyncio.create_task(outcome(kv.get("foo")))
            await asyncio.sleep(ms / 1000)
            task.cancel()
            assert await kv.get("bar") == b"BAR"
            assert await outcome_or_cancelled(task) in (b"FOO", "cancelled")

            task = asyncio.create_task(outcome(kv.incr(f"a{ms}")))
            await asyncio.sleep(ms / 1000)
            task.cancel()
            assert await kv.incr(f"b{ms}") == 7001
            assert await outcome_or_cancelled(task) in (101, "cancelled")

    async def main() -> None:
        with DelayProxy(redis.host, redis.port, delay_ms=RTT_MS) as proxy:
            url = f"redis://{proxy.host}:{proxy.port}"
            await asyncio.gather(*(one(url, ms) for ms in delays))

    run(main)


async def outcome_or_cancelled(task: asyncio.Task[Any]) -> Any:
    try:
        return await task
    except asyncio.CancelledError:
        return "cancelled"


def test_k01_cancel_while_connecting(run: Runner, redis: Server) -> None:
    """K01. The same on clients that are not connected yet, which takes two round trips."""
    redis.call("MSET", "foo", "FOO", "bar", "BAR")
    rtt_ms = 40

    async def one(url: str, ms: int) -> None:
        kv = kvwire.AsyncValkey(url)
        try:
            task = asyncio.create_task(outcome(kv.get("foo")))
            await asyncio.sleep(ms / 1000)
            task.cancel()
            assert await kv.get("bar") == b"BAR"
            assert await outcome_or_cancelled(task) in (b"FOO", "cancelled")
        finally:
            await kv.aclose()

    async def main() -> None:
        with DelayProxy(redis.host, redis.port, delay_ms=rtt_ms) as proxy:
            url = f"redis://{proxy.host}:{proxy.port}"
            await asyncio.gather(*(one(url, ms) for ms in range(0, 4 * rtt_ms, 2)))

    run(main)


@pytest.mark.parametrize("replies", [1, 50, 99])
def test_k02_cancel_within_a_pipeline(run: Runner, unix_fake: ScriptedServer, replies: int) -> None:
    """K02. 100 commands, cancelled when so many replies have come."""
    gate = unix_fake.gate()
    numbers = itertools.count()

    def reply(command: tuple[bytes, ...]) -> Answer:
        number = next(numbers)
        wire = b":%d\r\n" % number
        return Answer(wire, gate=gate) if number == replies else Answer(wire)

    unix_fake.on("INCR", "k", answer=reply)

    async def main() -> None:
        async with kvwire.AsyncValkey(unix_fake.url) as kv:
            pipe = kv.pipeline()
            for _ in range(100):
                pipe.execute_command("INCR", "k")
            task = asyncio.create_task(outcome(pipe.execute()))
            await arrival(unix_fake, "INCR", 100)
            await asyncio.sleep(0.01)  # the first replies reach the client
            assert not task.done()
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                async with asyncio.timeout(0.05):
                    await task
            following = [kv.get("next") for _ in range(3)]
            gate.open()
            assert await asyncio.gather(*following) == [b"NEXT"] * 3
            assert await kv.execute("INCR", "k") == 100

    run(main)
    assert unix_fake.connections == 1


async def arrival(fake: ScriptedServer, name: str, count: int = 1) -> None:
    """Wait for commands at a scripted server while the loop runs on."""
    await asyncio.to_thread(fake.wait_received, name, count=count)


@pytest.mark.parametrize("victim", [0, 37, 99])
def test_k04_one_of_a_hundred_is_cancelled(run: Runner, fake: ScriptedServer, victim: int) -> None:
    """K04. The others get their replies and the client stays open."""
    gate = fake.gate()
    numbers = itertools.count()
    fake.on("INCR", answer=lambda command: Answer(b":%d\r\n" % next(numbers), gate=gate))

    async def main() -> None:
        async with kvwire.AsyncValkey(fake.url) as kv:
            tasks = [asyncio.create_task(outcome(kv.execute("INCR", "k"))) for _ in range(100)]
            await arrival(fake, "INCR", 100)
            tasks[victim].cancel()
            await asyncio.sleep(0)
            gate.open()
            results = await asyncio.gather(*tasks, return_exceptions=True)
            assert isinstance(results.pop(victim), asyncio.CancelledError)
            assert results == [number for number in range(100) if number != victim]
            assert not kv.closed
            assert await kv.get("next") == b"NEXT"

    run(main)
    assert fake.connections == 1


def test_k21_many_tasks_on_one_connection(run: Runner, server: Server) -> None:
    """K21. 100 calls at the same time, each with its own reply."""

    async def main() -> None:
        async with kvwire.AsyncValkey(server.url, max_connections=1) as kv:
            await asyncio.gather(*(kv.set(f"k{i}", i) for i in range(100)))
            values = await asyncio.gather(*(kv.get(f"k{i}") for i in range(100)))
            assert values == [b"%d" % i for i in range(100)]
            assert len(server.clients()) == 1

    run(main)


def test_cancel_in_the_turn_of_the_call(run: Runner, fake: ScriptedServer) -> None:
    """Nothing is sent yet: the call may be withdrawn or its reply dropped, never passed on."""
    numbers = itertools.count()
    fake.on("INCR", answer=lambda command: Answer(b":%d\r\n" % next(numbers)))

    async def main() -> None:
        async with kvwire.AsyncValkey(fake.url) as kv:
            for _ in range(20):
                calls: list[Any] = [kv.execute("INCR", "k") for _ in range(5)]
                assert calls[1].cancel() is True
                assert calls[3].cancel() is True
                results = await asyncio.gather(*calls, return_exceptions=True)
                assert [type(result) for result in results] == [
                    int,
                    asyncio.CancelledError,
                    int,
                    asyncio.CancelledError,
                    int,
                ]
                kept = [result for result in results if isinstance(result, int)]
                assert kept == sorted(kept)
                assert await kv.get("next") == b"NEXT"

    run(main)


def test_cancel_before_the_task_has_run(run: Runner, fake: ScriptedServer) -> None:
    fake.on("GET", "k", answer=Answer(b"$5\r\nWRONG\r\n"))

    async def main() -> None:
        kv = kvwire.AsyncValkey(fake.url)
        task = asyncio.create_task(outcome(kv.get("k")))
        task.cancel()
        assert await outcome_or_cancelled(task) == "cancelled"
        assert await kv.get("next") == b"NEXT"
        await kv.aclose()

    run(main)


def test_cancel_the_only_call_of_a_connection_that_never_comes(run: Runner) -> None:
    async def main() -> None:
        with black_hole() as port:
            kv = kvwire.AsyncValkey(host="127.0.0.1", port=port, connect_timeout=30)
            task = asyncio.create_task(outcome(kv.get("k")))
            await asyncio.sleep(0.02)
            task.cancel()
            async with asyncio.timeout(0.05):
                assert await outcome_or_cancelled(task) == "cancelled"
            await kv.aclose()

    run(main)


@pytest.mark.parametrize("at", [1, 3, 4, 5, 9, 10])
def test_cancel_within_a_reply(run: Runner, unix_fake: ScriptedServer, at: int) -> None:
    gate = unix_fake.gate()
    pieces = split(b"$5\r\nhello\r\n", at)
    unix_fake.on("GET", "k", answer=Answer(*pieces, gate=gate, gate_before=1))

    async def main() -> None:
        async with kvwire.AsyncValkey(unix_fake.url) as kv:
            task = asyncio.create_task(outcome(kv.get("k")))
            behind = [kv.get("next") for _ in range(2)]
            await arrival(unix_fake, "GET", 3)
            await asyncio.sleep(0.005)
            task.cancel()
            assert await outcome_or_cancelled(task) == "cancelled"
            gate.open()
            assert await asyncio.gather(*behind, kv.get("next")) == [b"NEXT"] * 3

    run(main)
    assert unix_fake.connections == 1


@pytest.mark.parametrize("size", [16 << 10, 64 << 10, 8 << 20])
def test_cancel_within_a_large_value(run: Runner, unix_fake: ScriptedServer, size: int) -> None:
    """The body on its way has no owner any more; what follows it is still read rightly."""
    gate = unix_fake.gate()
    value = random.Random(size).randbytes(size)
    pieces = split(b"$%d\r\n%s\r\n" % (size, value), size // 2)
    held = Answer(*pieces, gate=gate, gate_before=1)
    unix_fake.on("GET", "k", answer=in_turn(held, Answer(*pieces)))

    async def main() -> None:
        async with kvwire.AsyncValkey(unix_fake.url) as kv:
            task = asyncio.create_task(outcome(kv.get("k")))
            await arrival(unix_fake, "GET")
            await asyncio.sleep(0.02)
            assert not task.done()
            task.cancel()
            assert await outcome_or_cancelled(task) == "cancelled"
            behind = [kv.get("next"), kv.get("k"), kv.get("next")]
            await asyncio.sleep(0)
            gate.open()
            assert await asyncio.gather(*behind) == [b"NEXT", value, b"NEXT"]

    run(main)
    assert unix_fake.connections == 1


def test_cancel_within_an_array_with_large_values(run: Runner, unix_fake: ScriptedServer) -> None:
    gate = unix_fake.gate()
    element = b"$100000\r\n" + b"v" * 100_000 + b"\r\n"
    head = b"*3\r\n" + element + b"*1\r\n" + element[:50_000]
    tail = element[50_000:] + b":1\r\n"
    unix_fake.on("GET", "k", answer=Answer(head, tail, gate=gate, gate_before=1))

    async def main() -> None:
        async with kvwire.AsyncValkey(unix_fake.url) as kv:
            task = asyncio.create_task(outcome(kv.execute("GET", "k")))
            await arrival(unix_fake, "GET")
            await asyncio.sleep(0.02)
            task.cancel()
            assert await outcome_or_cancelled(task) == "cancelled"
            behind = [kv.get("next") for _ in range(2)]
            gate.open()
            assert await asyncio.gather(*behind) == [b"NEXT"] * 2

    run(main)
    assert unix_fake.connections == 1


def test_cancel_a_large_value_on_its_way_out(run: Runner, server: Server) -> None:
    """The command's bytes go on leaving in full, whatever became of their caller."""
    value = bytes(8 << 20)

    async def main() -> None:
        async with kvwire.AsyncValkey(server.url) as kv:
            for number in range(5):
                task = asyncio.create_task(outcome(kv.set("large", value)))
                await asyncio.sleep(0.0005 * number)
                task.cancel()
                assert await outcome_or_cancelled(task) in (True, "cancelled")
                assert await kv.ping() is True
                assert await kv.strlen("large") in (0, len(value))

    run(main)


def test_random_cancels_in_a_busy_client(run: Runner, server: Server) -> None:
    """Tasks that come, are cancelled by timeouts of any length, and check what they got."""
    source = random.Random(1)

    async def worker(kv: kvwire.AsyncValkey, number: int) -> int:
        done = 0
        for step in range(60):
            key = f"{number}-{step}"
            try:
                async with asyncio.timeout(source.choice([0, 0.0002, 0.0005, 0.001, 1])):
                    assert await kv.set(key, key) is True
                    assert await kv.get(key) == key.encode()
                    assert await kv.mget(key, "none") == [key.encode(), None]
                    assert await kv.execute("ECHO", key) == key.encode()
                    done += 1
            except TimeoutError:
                continue
        return done

    async def main() -> None:
        async with kvwire.AsyncValkey(server.url) as kv:
            done = await asyncio.gather(*(worker(kv, number) for number in range(30)))
            assert sum(done) > 200
            assert await kv.ping() is True
            assert len(server.clients()) == 1

    run(main)
