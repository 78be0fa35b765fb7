"""Commands that block take a connection of their own, keep their own time, and lose nothing."""

from __future__ import annotations

import asyncio
import contextlib
import threading
import time
from collections.abc import Callable
from typing import Any

import pytest

import kvwire
from tests.support.faces import Face
from tests.support.held import outcome
from tests.support.loops import Runner
from tests.support.scripted import Answer, ScriptedServer
from tests.support.servers import Server


def waiters(server: Server) -> int:
    """How many clients are blocked on the server."""
    with server.plain() as plain:
        about = plain.call("INFO", "clients").decode()
    return int(about.split("blocked_clients:")[1].split()[0])


def until_blocked(server: Server, count: int) -> None:
    """Wait until so many clients are blocked; the server gives no event for that."""
    deadline = time.monotonic() + 10
    while waiters(server) != count:
        assert time.monotonic() < deadline, f"{waiters(server)} clients block, not {count}"
        time.sleep(0.002)


def feed(server: Server, key: str, *values: str, blocked: int = 1) -> threading.Thread:
    """Push values once somebody waits for them."""

    def push() -> None:
        until_blocked(server, blocked)
        server.call("RPUSH", key, *values)

    thread = threading.Thread(target=push)
    thread.start()
    return thread


def test_k16_blocks_longer_than_the_call_timeout(face: Face, server: Server) -> None:
    """K16. The command's own time counts, with the call's on top; 0 waits for ever."""

    async def scenario(kv: Any) -> None:
        before = time.monotonic()
        assert await kv.blpop("q", timeout=1) is None
        assert 0.9 < time.monotonic() - before < 3

        def later() -> None:
            until_blocked(server, 1)
            time.sleep(0.6)  # longer than the call's timeout
            server.call("RPUSH", "q", "x")

        thread = threading.Thread(target=later)
        thread.start()
        assert await kv.blpop("q", timeout=0) == (b"q", b"x")
        thread.join()

    face.run(scenario, server.url, timeout=0.4)


K16_CALLS: dict[str, Callable[[Any], Any]] = {
    "blpop": lambda kv: kv.blpop("q", timeout=0.6),
    "brpop": lambda kv: kv.brpop("q", timeout=0.6),
    "blmove": lambda kv: kv.blmove("q", "p", 0.6),
    "brpoplpush": lambda kv: kv.brpoplpush("q", "p", timeout=0.6),
    "blmpop": lambda kv: kv.blmpop(0.6, 1, "q", direction="LEFT"),
    "bzpopmin": lambda kv: kv.bzpopmin("z", timeout=0.6),
    "bzpopmax": lambda kv: kv.bzpopmax("z", timeout=0.6),
    "bzmpop": lambda kv: kv.bzmpop(0.6, 1, "z", min=True),
}


@pytest.mark.parametrize("call", K16_CALLS)
def test_k16_every_command_that_blocks(face: Face, server: Server, call: str) -> None:
    """K16. Each waits its own time, which is longer than the call's, and says that nothing came."""

    async def scenario(kv: Any) -> None:
        before = time.monotonic()
        assert await K16_CALLS[call](kv) is None
        assert time.monotonic() - before > 0.5

    face.run(scenario, server.url, timeout=0.2)


def test_k16_deadline_of_a_server_that_forgets(face: Face, fake: ScriptedServer) -> None:
    """K16. The block's time and the call's together are the deadline."""
    fake.on("BLPOP", answer=Answer(then="stall"))

    async def scenario(kv: Any) -> None:
        before = time.monotonic()
        with pytest.raises(kvwire.TimeoutError) as caught:
            await kv.blpop("q", timeout=0.3)
        assert 0.45 < time.monotonic() - before < 3
        assert caught.value.maybe_executed is True
        assert await kv.get("next") == b"NEXT"

    face.run(scenario, fake.url, timeout=0.2, max_connections=1)


def test_shared_connection_is_not_held_up(face: Face, server: Server) -> None:
    async def scenario(kv: Any) -> None:
        await kv.ping()

        async def others() -> list[float]:
            await face.aside(lambda: until_blocked(server, 3))
            times = []
            for number in range(50):
                before = time.monotonic()
                assert await kv.set("k", number) is True
                assert await kv.get("k") == b"%d" % number
                times.append(time.monotonic() - before)
            await kv.rpush("q", "a", "b", "c")
            return times

        blocked = [lambda: kv.blpop("q", timeout=5)] * 3
        results = await face.together([*blocked, others])
        assert max(results.pop()) < 1
        assert sorted(results) == [(b"q", b"a"), (b"q", b"b"), (b"q", b"c")]

    face.run(scenario, server.url, max_connections=1)
    assert server.clients() == []


def test_values_of_the_blocking_commands(face: Face, server: Server) -> None:
    """Each with something there, and each with nothing within its time."""

    async def scenario(kv: Any) -> None:
        await kv.rpush("l", *"abcdef")
        await kv.zadd("z", {"one": 1, "two": 2, "three": 3, "four": 4})
        assert await kv.blpop(["none", "l"], timeout=1) == (b"l", b"a")
        assert await kv.brpop("l", timeout=1) == (b"l", b"f")
        assert await kv.blmove("l", "m", 1, "LEFT", "RIGHT") == b"b"
        assert await kv.brpoplpush("l", "m", timeout=1) == b"e"
        assert await kv.bzpopmin("z", timeout=1) == (b"z", b"one", 1.0)
        assert await kv.bzpopmax("z", timeout=1) == (b"z", b"four", 4.0)
        assert await kv.blpop("none", timeout=0.01) is None
        assert await kv.brpop("none", timeout=0.01) is None
        assert await kv.bzpopmin("none", timeout=0.01) is None
        assert await kv.blmove("none", "m", 0.01, "LEFT", "RIGHT") is None
        assert await kv.wait(0, 10) == 0
        assert await kv.ping() is True

    face.run(scenario, server.url)


def test_wait_takes_its_milliseconds(face: Face, server: Server) -> None:
    """WAIT for a replica that is not there, longer than the call's timeout."""

    async def scenario(kv: Any) -> None:
        before = time.monotonic()
        assert await kv.wait(1, 500) == 0
        assert time.monotonic() - before > 0.4

    face.run(scenario, server.url, timeout=0.2)


def test_connections_of_blocking_calls_come_and_go(face: Face, server: Server) -> None:
    """They are not counted by the bound, and none is left over."""

    async def scenario(kv: Any) -> None:
        await kv.ping()
        for _ in range(3):
            feeder = feed(server, "q", *"abcdefgh", blocked=8)
            results = await face.together([lambda: kv.blpop("q", timeout=5)] * 8)
            feeder.join()
            assert sorted(value for _, value in results) == [b"%c" % c for c in b"abcdefgh"]
        assert await kv.ping() is True

    face.run(scenario, server.url, max_connections=1)
    assert server.clients() == []


def test_error_of_a_blocking_call(face: Face, server: Server) -> None:
    async def scenario(kv: Any) -> None:
        await kv.set("string", "x")
        with pytest.raises(kvwire.ServerError, match="WRONGTYPE"):
            await kv.blpop("string", timeout=1)
        with pytest.raises((kvwire.ServerError, ValueError), match="timeout"):
            await kv.blpop("q", timeout=-1)
        assert await kv.ping() is True

    face.run(scenario, server.url)


def test_k02_k06_cancelled_blpop(run: Runner, server: Server) -> None:
    """K02 K06. It ends at once, its connection is given up, and what is pushed later stays."""

    async def main() -> None:
        async with kvwire.AsyncValkey(server.url, max_connections=1) as kv:
            await kv.ping()
            for _ in range(3):
                task = asyncio.create_task(outcome(kv.blpop("q", timeout=0)))
                await asyncio.to_thread(until_blocked, server, 1)
                before = time.monotonic()
                task.cancel()
                with pytest.raises(asyncio.CancelledError):
                    await task
                assert time.monotonic() - before < 0.05
                await asyncio.to_thread(until_blocked, server, 0)
                assert await kv.rpush("q", "x") == 1
                assert await kv.ping() is True
                assert await kv.lpop("q") == b"x"
                assert len(server.clients()) == 1

    run(main)


def test_k06_blpop_in_a_timeout(run: Runner, server: Server) -> None:
    """K06. The same by asyncio.timeout, among others that go on waiting."""

    async def main() -> None:
        async with kvwire.AsyncValkey(server.url) as kv:
            kept = asyncio.create_task(outcome(kv.blpop("kept", timeout=0)))
            for _ in range(5):
                with pytest.raises(TimeoutError):
                    async with asyncio.timeout(0.02):
                        await kv.blpop("q", timeout=0)
                assert await kv.ping() is True
            await asyncio.to_thread(until_blocked, server, 1)
            await kv.rpush("kept", "x")
            assert await kept == (b"kept", b"x")

    run(main)
    assert server.clients() == []


@pytest.mark.parametrize("delay", [0, 0.0002, 0.001, 0.005])
def test_cancelled_blpop_and_a_push_at_the_same_time(
    run: Runner, server: Server, delay: float
) -> None:
    """Every element ends either with a caller or in the list, unless its call was cancelled when
    it had been handed out: then one element at most is gone, and the call says CancelledError."""

    async def main() -> None:
        async with kvwire.AsyncValkey(server.url) as kv:
            for number in range(20):
                task = asyncio.create_task(outcome(kv.blpop("q", timeout=0)))
                await asyncio.to_thread(until_blocked, server, 1)
                push = kv.rpush("q", number)
                await asyncio.sleep(delay)
                task.cancel()
                await push
                got: Any = None
                with contextlib.suppress(asyncio.CancelledError):
                    got = await task
                rest = await kv.execute("LRANGE", "q", 0, -1)
                if got is not None:
                    assert (got, rest) == ((b"q", b"%d" % number), [])
                else:
                    assert rest in ([], [b"%d" % number])
                await kv.delete("q")
                await asyncio.to_thread(until_blocked, server, 0)

    run(main)


BY_EXECUTE: dict[str, tuple[tuple[Any, ...], Any]] = {
    "BLPOP": (("BLPOP", "q", 0.5), None),
    "in lower case": (("blpop", b"q", "0.5"), None),
    "BLMPOP": (("BLMPOP", 0.5, 1, "q", "LEFT"), None),
    "XREAD": (("XREAD", "COUNT", 1, "BLOCK", 500, "STREAMS", "x", "$"), None),
    "WAIT": (("WAIT", 1, 500), 0),
}


@pytest.mark.parametrize("command", BY_EXECUTE)
def test_blocking_command_by_execute(face: Face, server: Server, command: str) -> None:
    """It is treated as the method is: a connection of its own, and its own time is added."""
    words, nothing = BY_EXECUTE[command]

    async def scenario(kv: Any) -> None:
        async def other() -> float:
            await face.aside(lambda: until_blocked(server, 1))
            before = time.monotonic()
            assert await kv.ping() is True
            return time.monotonic() - before

        got, took = await face.together([lambda: kv.execute(*words), other])
        assert got == nothing
        assert took < 0.3

    face.run(scenario, server.url, timeout=0.2, max_connections=1)


def test_blocking_command_by_execute_gives_what_the_server_gives(
    face: Face, server: Server
) -> None:
    async def scenario(kv: Any) -> None:
        await kv.rpush("q", "x")
        assert await kv.execute("BLPOP", "q", 1) == [b"q", b"x"]
        with pytest.raises(kvwire.ServerError, match="timeout"):
            await kv.execute("BLPOP", "q", "soon")
        with pytest.raises(kvwire.ServerError, match="number of arguments"):
            await kv.execute("BLPOP")

    face.run(scenario, server.url)


def test_blocking_command_by_execute_in_a_pipeline(face: Face, server: Server) -> None:
    async def scenario(kv: Any) -> None:
        with pytest.raises(ValueError, match="may block"):
            kv.pipeline().execute_command("BLPOP", "q", 1)
        pipe = kv.pipeline(transaction=True)
        assert await pipe.execute_command("BLPOP", "q", 1).execute() == [None]

    face.run(scenario, server.url)


def test_close_ends_blocking_calls(face: Face, server: Server) -> None:
    """Whoever waits for ever is told that the client has been closed."""

    async def main() -> None:
        kv = face.client(server.url)

        async def close() -> None:
            await face.aside(lambda: until_blocked(server, 2))
            await kv.aclose()

        before = time.monotonic()
        *blocked, _ = await face.together([lambda: kv.blpop("q", timeout=0)] * 2 + [close])
        assert time.monotonic() - before < 5
        for error in blocked:
            assert isinstance(error, kvwire.ConnectionError), error
            assert "closed" in str(error) and error.maybe_executed is True

    face.play(main)
    until_blocked(server, 0)


def test_few_connections_stay_behind_many_blocking_calls(face: Face, server: Server) -> None:
    count, kept = 20, 3

    async def scenario(kv: Any) -> None:
        await kv.ping()

        async def feed_all() -> None:
            await face.aside(lambda: until_blocked(server, count))
            for number in range(count):
                await kv.rpush(f"q{number}", "x")

        def waiting(number: int) -> Any:
            return lambda: kv.blpop(f"q{number}", timeout=10)

        *got, _ = await face.together([*map(waiting, range(count)), feed_all])
        assert sorted(got) == sorted((b"q%d" % number, b"x") for number in range(count))
        deadline = time.monotonic() + 5
        while len(await kv.client_list()) > 2 * kept:
            assert time.monotonic() < deadline, await kv.client_list()

    face.run(scenario, server.url, max_connections=kept)


def test_wait_takes_a_new_connection(face: Face, fake: ScriptedServer) -> None:
    """The server waits for the writes up to when that connection was last used; with one that is
    kept these would be old ones."""
    fake.on("WAIT", answer=Answer(b":1\r\n"))
    fake.on("WAITAOF", answer=Answer(b"*2\r\n:1\r\n:1\r\n"))
    fake.on("BLPOP", answer=Answer(b"*-1\r\n"))

    async def scenario(kv: Any) -> None:
        assert await kv.blpop("q", timeout=1) is None
        before = fake.connections
        assert await kv.wait(1, 100) == 1
        assert await kv.execute("wait", 1, 100) == 1
        assert await kv.waitaof(1, 1, 100) == (1, 1)
        assert fake.connections == before + 3

    face.run(scenario, fake.url)
