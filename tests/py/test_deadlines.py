"""Every wait ends: connecting within its deadline, each call within its own; on both faces."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

import kvwire
from tests.support.faces import Face
from tests.support.loops import Runner
from tests.support.scripted import Answer, ScriptedServer, bytewise, hello_reply
from tests.support.servers import Server
from tests.support.strangers import black_hole, deaf, silent

# Short, but long enough for a call that is answered on a busy machine.
DEADLINE = 0.4


@contextmanager
def takes_the_deadline() -> Iterator[None]:
    """The block ends at the deadline; what it may take beyond leaves room for a busy machine."""
    before = time.monotonic()
    yield
    seconds = time.monotonic() - before
    assert DEADLINE - 0.01 <= seconds <= DEADLINE + 3, f"took {seconds:.3f} s"


def test_connection_request_without_an_answer(face: Face) -> None:
    with black_hole() as port:

        async def main() -> None:
            kv = face.client(host="127.0.0.1", port=port, connect_timeout=DEADLINE, timeout=10)
            for call in (kv.connect, lambda: kv.get("k"), lambda: kv.execute("PING")):
                with (
                    takes_the_deadline(),
                    pytest.raises(kvwire.TimeoutError, match=str(port)) as caught,
                ):
                    await call()
                assert caught.value.maybe_executed is False
            await kv.aclose()

        face.play(main)


def test_server_that_accepts_and_says_nothing(face: Face) -> None:
    """The connect deadline covers the handshake."""
    with silent() as port:

        async def main() -> None:
            kv = face.client(host="127.0.0.1", port=port, connect_timeout=DEADLINE, timeout=10)
            with (
                takes_the_deadline(),
                pytest.raises(kvwire.TimeoutError, match=str(port)) as caught,
            ):
                await kv.get("k")
            assert caught.value.maybe_executed is False
            await kv.aclose()

        face.play(main)


def test_calls_that_wait_for_the_same_connection(face: Face) -> None:
    """All of them end at the deadline, none of them later."""
    with silent() as port:

        async def main() -> None:
            kv = face.client(
                host="127.0.0.1", port=port, connect_timeout=DEADLINE, timeout=10, max_connections=1
            )
            with takes_the_deadline():
                results = await face.together([lambda: kv.get("k")] * 10)
            assert {type(result) for result in results} == {kvwire.TimeoutError}
            await kv.aclose()

        face.play(main)


def test_reply_that_does_not_come(face: Face, fake: ScriptedServer) -> None:
    gate = fake.gate()
    fake.on("INCR", answer=Answer(b":1\r\n", gate=gate))

    async def scenario(kv: Any) -> None:
        await kv.get("next")
        with takes_the_deadline(), pytest.raises(kvwire.TimeoutError) as caught:
            await kv.execute("INCR", "k")
        assert caught.value.maybe_executed is True
        assert isinstance(caught.value, TimeoutError)
        gate.open()
        for _ in range(3):
            assert await kv.get("next") == b"NEXT"

    face.run(scenario, fake.url, timeout=DEADLINE, max_connections=1)
    assert len(fake.received("INCR")) == 1


def test_reply_that_comes_too_slowly(face: Face, unix_fake: ScriptedServer) -> None:
    """The deadline is the whole reply's, not each piece's."""
    gate = unix_fake.gate()
    pieces = bytewise(b"$1000\r\n" + b"v" * 1000 + b"\r\n")
    unix_fake.on("GET", "slow", answer=Answer(*pieces, gate=gate, gate_before=900))

    async def scenario(kv: Any) -> None:
        await kv.get("next")
        with takes_the_deadline(), pytest.raises(kvwire.TimeoutError) as caught:
            await kv.get("slow")
        assert caught.value.maybe_executed is True
        gate.open()
        for _ in range(2):
            assert await kv.get("next") == b"NEXT"

    face.run(scenario, unix_fake.url, timeout=DEADLINE, max_connections=1)


def test_pipeline_whose_replies_stop(face: Face, fake: ScriptedServer) -> None:
    gate = fake.gate()
    fake.on("GET", "k", answer=Answer(b"$1\r\nA\r\n", gate=gate))

    async def scenario(kv: Any) -> None:
        await kv.get("next")
        pipe = kv.pipeline()
        for key in ("next", "next", "k", "next"):
            pipe.get(key)
        with takes_the_deadline(), pytest.raises(kvwire.TimeoutError) as caught:
            await pipe.execute()
        assert caught.value.maybe_executed is True
        gate.open()
        assert await kv.get("next") == b"NEXT"

    face.run(scenario, fake.url, timeout=DEADLINE, max_connections=1)


def test_one_late_call_among_others(face: Face, fake: ScriptedServer) -> None:
    """Those behind it on the connection wait no longer than their own deadline."""
    gate = fake.gate()
    fake.on("GET", "k", answer=Answer(b"$1\r\nA\r\n", gate=gate))

    async def scenario(kv: Any) -> None:
        await kv.get("next")
        calls = [lambda: kv.get("k")] + [lambda: kv.get("next")] * 5
        with takes_the_deadline():
            results = await face.together(calls)
        assert isinstance(results[0], kvwire.TimeoutError)
        assert all(result == b"NEXT" or isinstance(result, TimeoutError) for result in results[1:])
        gate.open()
        assert await face.together([lambda: kv.get("next")] * 5) == [b"NEXT"] * 5

    face.run(scenario, fake.url, timeout=DEADLINE, max_connections=1)


def test_stopped_server(face: Face, server: Server) -> None:
    async def scenario(kv: Any) -> None:
        await kv.set("n", 1)
        server.pause()
        try:
            with takes_the_deadline(), pytest.raises(kvwire.TimeoutError) as caught:
                await kv.execute("INCR", "n")
            assert caught.value.maybe_executed is True
        finally:
            server.resume()
        assert await kv.execute("INCR", "n") == 3
        assert await kv.get("n") == b"3"

    face.run(scenario, server.url, timeout=DEADLINE, max_connections=1)


def test_large_value_to_a_server_that_does_not_read(face: Face, redis: Server) -> None:
    """Sending counts, too."""
    value = bytes(64 << 20)

    async def scenario(kv: Any) -> None:
        await kv.ping()
        redis.pause()
        try:
            with takes_the_deadline(), pytest.raises(kvwire.TimeoutError):
                await kv.set("k", value)
        finally:
            redis.resume()

    face.run(scenario, redis.url, timeout=DEADLINE, max_connections=1)


def test_no_deadline(face: Face, fake: ScriptedServer) -> None:
    gate = fake.gate()
    fake.on("GET", "k", answer=Answer(b"$1\r\nA\r\n", gate=gate))

    async def scenario(kv: Any) -> None:
        await kv.get("next")

        async def opens() -> None:
            await face.aside(lambda: time.sleep(0.3))
            gate.open()

        results = await face.together([lambda: kv.get("k"), opens])
        assert results == [b"A", None]

    face.run(scenario, fake.url, timeout=None, connect_timeout=None)


def test_default_deadlines_are_those_documented() -> None:
    from kvwire._config import DEFAULTS

    assert (DEFAULTS["connect_timeout"], DEFAULTS["timeout"]) == (2.0, 5.0)


def test_calls_behind_what_the_socket_does_not_take(face: Face) -> None:
    """The server reads no more: a call that waits for its turn to be sent has a deadline too."""
    with deaf() as port:

        async def main() -> None:
            kv = face.client(host="127.0.0.1", port=port, timeout=DEADLINE, max_connections=1)
            large = b"v" * 64_000_000
            with takes_the_deadline():
                results = await face.together([lambda: kv.set("k", large)] * 2)
            for error in results:
                assert isinstance(error, kvwire.TimeoutError)
            assert any(error.maybe_executed for error in results)
            await kv.aclose()

        face.play(main)


def test_asynchronous_call_behind_what_the_socket_does_not_take(run: Runner) -> None:
    """It is taken back, since no byte of it has left."""
    with deaf() as port:

        async def main() -> None:
            kv = kvwire.AsyncValkey(port=port, timeout=DEADLINE)
            large = asyncio.ensure_future(kv.set("k", b"v" * 64_000_000))
            await asyncio.sleep(0.1)  # as much has been sent as the sockets hold
            with takes_the_deadline(), pytest.raises(kvwire.TimeoutError) as caught:
                await kv.get("k")
            assert caught.value.maybe_executed is False
            with pytest.raises(kvwire.TimeoutError):
                await large
            with takes_the_deadline(), pytest.raises(kvwire.TimeoutError):
                await kv.get("k")
            await kv.aclose()

        run(main)


def test_connecting_has_a_time_of_its_own(face: Face, fake: ScriptedServer) -> None:
    """A call's time begins when the connection is there; a blocking command's too."""
    fake.on("BLPOP", answer=Answer(b"*2\r\n$1\r\nq\r\n$1\r\nv\r\n"))

    async def main() -> None:
        calls: list[Callable[[Any], Any]] = [
            lambda kv: kv.get("next"),
            lambda kv: kv.connect(),
            lambda kv: kv.blpop("q", timeout=0.1),
            lambda kv: kv.pipeline().get("next").execute(),
        ]
        for call in calls:
            gate = fake.gate()
            fake.on("HELLO", answer=Answer(hello_reply(3, 1), gate=gate))
            opener = threading.Timer(1.5 * DEADLINE, gate.open)
            opener.start()
            kv = face.client(fake.url, connect_timeout=30, timeout=DEADLINE)
            await call(kv)
            await kv.aclose()
            opener.join()

    face.play(main)


def test_command_that_timed_out_half_sent_never_runs(face: Face, redis: Server) -> None:
    """What the socket did not take in time is not sent later, over newer values."""
    redis.call("SET", "k", "old")

    async def scenario(kv: Any) -> None:
        await face.together([kv.ping] * 4)
        redis.pause()
        try:
            with pytest.raises(kvwire.TimeoutError):
                await kv.set("k", b"late" * 16_000_000)
        finally:
            redis.resume()
        assert await kv.set("k", "new") is True
        for _ in range(20):
            await face.together([kv.ping] * 4)
        assert await kv.get("k") == b"new"

    face.run(scenario, redis.url, timeout=1.0)
