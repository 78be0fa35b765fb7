"""Code that runs in the middle of a call, and what it may do to the call: nothing."""

from __future__ import annotations

import asyncio
import gc
import signal
import sys
import threading
import time
import warnings
from typing import Any

import pytest

import kvwire
from tests.support.loops import Runner
from tests.support.scripted import Answer, ScriptedServer
from tests.support.servers import Server

since_3_12 = pytest.mark.skipif(sys.version_info < (3, 12), reason="__buffer__ came with 3.12")


class Buffer:
    """A buffer that does something when it is taken."""

    def __init__(self, deed: Any) -> None:
        self.deed = deed

    def __buffer__(self, flags: int) -> memoryview:
        deed, self.deed = self.deed, None
        if deed is not None:
            deed()
        return memoryview(b"x")


@since_3_12
def test_argument_that_resets_its_pipeline() -> None:
    with kvwire.Valkey("redis://127.0.0.1:1").pipeline() as pipe:
        pipe.ping()
        pipe.execute_command("SET", "k", Buffer(pipe.reset))
        assert len(pipe) == 1


@since_3_12
def test_argument_that_appends_to_its_pipeline() -> None:
    with kvwire.Valkey("redis://127.0.0.1:1").pipeline() as pipe:
        for _ in range(15):
            pipe.ping()
        pipe.execute_command("SET", "k", Buffer(pipe.ping))
        assert len(pipe) == 17


def test_next_call_at_the_address_of_an_interrupted_one(run: Runner, fake: ScriptedServer) -> None:
    """The second call takes the memory of one that was cancelled in the middle of its array."""

    async def main() -> None:
        gate = fake.gate()
        whole = b"*3\r\n$1\r\na\r\n$1\r\nb\r\n", b"$1\r\nc\r\n"
        fake.on("LRANGE", answer=Answer(*whole, gate=gate, gate_before=1))
        async with kvwire.AsyncValkey(fake.url, timeout=3) as kv:
            call = kv.execute("LRANGE", "l", 0, -1)
            while not fake.received("LRANGE"):
                await asyncio.sleep(0.001)
            # The first part was sent before the gate was reached, and loopback keeps order.
            await asyncio.sleep(0.05)
            call.cancel()
            del call
            await asyncio.sleep(0)
            again = [kv.get("next") for _ in range(4)]
            gate.open()
            assert await asyncio.gather(*again) == [b"NEXT"] * 4

    run(main)


def test_comparison_that_cancels(run: Runner, fake: ScriptedServer) -> None:
    class Evil:
        __hash__ = None  # type: ignore[assignment]

        def __init__(self, call: Any) -> None:
            self.call = call

        def __call__(self, future: Any) -> None:
            pass

        def __eq__(self, other: object) -> bool:
            self.call.cancel()
            return True

    async def main() -> None:
        fake.on("INCR", answer=Answer(then="stall"))
        async with kvwire.AsyncValkey(fake.url) as kv:
            call = kv.execute("INCR", "x")
            call.add_done_callback(lambda future: None)
            call.add_done_callback(Evil(call))
            call.remove_done_callback(lambda future: None)
            assert call.cancelled()

    run(main)


def test_flush_that_could_not_be_scheduled(redis: Server) -> None:
    """The call raises and is not sent; the calls after it are."""

    class Loop(asyncio.SelectorEventLoop):
        broken = False

        def call_soon(self, callback: Any, *args: Any, **options: Any) -> Any:  # type: ignore[override]
            if self.broken and getattr(callback, "__name__", "") == "kvwire_flush":
                self.broken = False
                raise ZeroDivisionError
            return super().call_soon(callback, *args, **options)

    async def main() -> None:
        async with kvwire.AsyncValkey(redis.url, timeout=3) as kv:
            await kv.delete("a")
            await asyncio.sleep(0.01)
            loop.broken = True
            with pytest.raises(ZeroDivisionError):
                kv.set("a", 1)
            assert await kv.get("a") is None

    loop = Loop()
    try:
        loop.run_until_complete(main())
    finally:
        loop.close()


def test_destructor_that_calls_the_client(redis: Server) -> None:
    """It runs while its own thread hands replies over, and may not wait for itself."""
    took: list[float] = []
    with kvwire.Valkey(redis.url, timeout=30, max_connections=1) as kv:

        class Lock:
            def __init__(self) -> None:
                self.me = self

            def __del__(self) -> None:
                began = time.monotonic()
                kv.delete("lock")
                took.append(time.monotonic() - began)

        kv.delete("l")
        kv.rpush("l", *range(2000))
        before = gc.get_threshold()
        gc.set_threshold(50)
        try:
            for _ in range(3):
                Lock()
                with kv.pipeline() as pipe:
                    for _ in range(100):
                        pipe.lrange("l", 0, 3).incr("l")
                    pipe.execute(raise_on_error=False)
        finally:
            gc.set_threshold(*before)
            gc.collect()
    assert len(took) == 3
    assert max(took) < 10


def test_handler_that_raises_when_the_reply_is_there_already(fake: ScriptedServer) -> None:
    """Another thread finishes the call while the handler runs: what it raises is raised."""

    class Stop(Exception):
        pass

    reply, others = fake.gate(), fake.gate()
    fake.on("GET", "slow", answer=Answer(b"$1\r\nA\r\n", gate=reply, gate_before=0))
    fake.on("GET", "slower", answer=Answer(b"$1\r\nB\r\n", gate=others, gate_before=0))
    with kvwire.Valkey(fake.url, timeout=30, max_connections=1) as kv:
        kv.connect()
        got: list[Any] = []

        def lead() -> None:
            got.append(kv.get("slower"))

        def handler(*args: Any) -> None:
            other.start()
            fake.wait_received("GET", "slow")
            reply.open()
            time.sleep(0.3)  # nothing tells that the other thread has taken the reply
            raise Stop

        other = threading.Thread(target=lead)
        before = signal.signal(signal.SIGALRM, handler)
        try:
            signal.setitimer(signal.ITIMER_REAL, 0.1)
            with pytest.raises(Stop):
                kv.get("slow")
        finally:
            signal.signal(signal.SIGALRM, before)
            reply.open()
            others.open()
            other.join()
    assert got == [b"B"]


def test_calls_in_flight_of_a_dropped_client_are_collected(fake: ScriptedServer) -> None:
    """The client is dropped and the loop closed before the reply comes; nobody ever awaits it."""

    async def main() -> None:
        kv = kvwire.AsyncValkey(fake.url, timeout=None)
        await kv.connect()
        kv.incr("x")
        await asyncio.sleep(0.01)

    def links() -> int:
        gc.collect()
        return sum(type(thing).__name__ == "Link" for thing in gc.get_objects())

    fake.on("INCRBY", answer=Answer(then="stall"))
    before = links()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)
        for _ in range(3):
            asyncio.run(main())
        assert links() == before


def test_threads_with_loops_of_their_own_on_one_client(redis: Server) -> None:
    """Each run leaves a connection behind, which the next call of any thread sweeps away."""
    kv = kvwire.AsyncValkey(redis.url)
    errors: list[BaseException] = []

    async def one(name: str) -> None:
        await kv.set(name, name)
        assert await kv.get(name) == name.encode()

    def work(name: str) -> None:
        try:
            for _ in range(25):
                asyncio.run(one(name))
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=work, args=(f"t{n}",)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    asyncio.run(closed(kv))
    assert errors == []


async def closed(kv: Any) -> None:
    await kv.aclose()


def test_pipelines_that_time_out_while_their_errors_are_made(redis: Server) -> None:
    """Making an exception is Python code: another thread's time may be up in its middle."""
    stop = time.monotonic() + 2
    wrong: list[Any] = []
    with kvwire.Valkey(redis.url, timeout=0.002, max_connections=1) as kv:

        def work(name: str) -> None:
            while time.monotonic() < stop:
                with kv.pipeline() as pipe:
                    for _ in range(20):
                        pipe.set(name, name).incr(name).get(name)
                    try:
                        results = pipe.execute(raise_on_error=False)
                    except (kvwire.TimeoutError, kvwire.ConnectionError):
                        continue
                    if results[2::3] != [name.encode()] * 20:
                        wrong.append(results)

        threads = [threading.Thread(target=work, args=(f"name{n}",)) for n in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert wrong == []


@since_3_12
def test_release_of_a_buffer_that_calls_the_client(redis: Server) -> None:
    """It may run in the thread that leads the only connection, and must not wait for itself."""
    pings: list[bool] = []

    class Large:
        def __init__(self) -> None:
            self.data = bytearray(4_000_000)

        def __buffer__(self, flags: int) -> memoryview:
            return memoryview(self.data)

        def __release_buffer__(self, view: memoryview) -> None:
            view.release()
            pings.append(kv.ping())

    before = time.monotonic()
    with kvwire.Valkey(redis.url, max_connections=1, timeout=10) as kv:
        assert kv.set("k", Large()) is True
        assert kv.strlen("k") == 4_000_000
    assert pings and all(pings)
    assert time.monotonic() - before < 5
