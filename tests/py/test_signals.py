"""Signals and Ctrl-C while calls wait."""

from __future__ import annotations

import contextlib
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

import kvwire
from tests.support.scripted import Answer, ScriptedServer
from tests.support.scripts import interrupt_script
from tests.support.servers import Server
from tests.support.strangers import black_hole

BLOCKED = {
    "call": "kv.get('k')",
    "blocking command": "kv.blpop('q', 0)",
    "pipeline": "kv.pipeline().get('k').execute()",
    "shared": "kv.get('k')",
}


@pytest.mark.parametrize("blocked", BLOCKED)
def test_control_c_ends_a_blocking_call(blocked: str) -> None:
    """SIGINT raises KeyboardInterrupt out of the call, and the client works on."""
    with ScriptedServer() as fake:
        fake.on("GET", "k", answer=Answer(gate=fake.gate()))
        fake.on("BLPOP", answer=Answer(gate=fake.gate()))
        fake.on("SET", answer=Answer(b"+OK\r\n"))
        threads = 3 if blocked == "shared" else 0
        status, output, errors, seconds = interrupt_script(
            f"""
            import sys, threading
            import kvwire
            kv = kvwire.Valkey(sys.argv[1], timeout=20, max_connections=1)
            kv.connect()
            for _ in range({threads}):
                threading.Thread(target=kv.get, args=("k",), daemon=True).start()
            print("started", flush=True)
            try:
                {BLOCKED[blocked]}
            except KeyboardInterrupt:
                print("interrupted", flush=True)
            kv.close()
            again = kvwire.Valkey(sys.argv[1])
            print(again.get("next"))
            again.close()
            """,
            fake.url,
        )
    assert output == "started\ninterrupted\nb'NEXT'\n", (output, errors)
    assert status == 0
    assert seconds < 5


def test_control_c_while_connecting() -> None:
    with black_hole() as port:
        status, output, errors, seconds = interrupt_script(
            """
            import sys
            import kvwire
            kv = kvwire.Valkey(host="127.0.0.1", port=int(sys.argv[1]), connect_timeout=20)
            print("started", flush=True)
            try:
                kv.get("k")
            except KeyboardInterrupt:
                print("interrupted")
            """,
            str(port),
        )
    assert (status, output) == (0, "started\ninterrupted\n"), errors
    assert seconds < 5


def test_reply_of_an_interrupted_call_is_dropped(fake: ScriptedServer) -> None:
    """The handler raises, the call ends, and its late reply goes to nobody."""
    gate = fake.gate()
    fake.on("GET", "k", answer=Answer(b"$5\r\nWRONG\r\n", gate=gate))

    class Alarm(Exception):
        pass

    def handler(number: int, frame: object) -> None:
        raise Alarm

    with kvwire.Valkey(fake.url, max_connections=1) as kv, handled(signal.SIGUSR1, handler):
        kv.connect()
        teller = tell(fake, "GET")
        with pytest.raises(Alarm):
            kv.get("k")
        teller.join()
        gate.open()
        for _ in range(3):
            assert kv.get("next") == b"NEXT"


def test_signal_at_any_moment(fake: ScriptedServer) -> None:
    """None is missed, not even one that comes while the call looks around between two waits."""
    fake.on("GET", "k", answer=Answer(then="stall"))

    class Alarm(Exception):
        pass

    def handler(number: int, frame: object) -> None:
        raise Alarm

    def late(milliseconds: int) -> None:
        time.sleep(milliseconds / 1000)
        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGUSR1)

    with handled(signal.SIGUSR1, handler):
        for milliseconds in (1, *range(90, 114, 2)):
            with kvwire.Valkey(fake.url, timeout=20) as kv:
                sender = threading.Thread(target=late, args=(milliseconds,))
                sender.start()
                before = time.monotonic()
                with pytest.raises(Alarm):
                    kv.get("k")
                assert time.monotonic() - before < 2
                sender.join()


def test_what_a_handler_raises_is_the_main_thread_s_alone(redis: Server) -> None:
    """On a shared connection the main thread also hands over others' replies, errors and what has
    to be converted among them; a signal that comes just then ends its own call and no other."""
    redis.call("SET", "word", "hello")
    disturbed: list[BaseException] = []
    stop = threading.Event()
    alarms = 0
    armed = False

    class Alarm(Exception):
        pass

    def handler(number: int, frame: object) -> None:
        nonlocal alarms, armed
        if armed:
            alarms += 1
            armed = False
            raise Alarm

    def work() -> None:
        while not stop.is_set():
            try:
                assert kv.info()["redis_mode"] == "standalone"
                with pytest.raises(kvwire.ServerError):
                    kv.incr("word")
            except BaseException as error:
                disturbed.append(error)

    def ring() -> None:
        while not stop.wait(0.001):
            signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGUSR1)

    with (
        kvwire.Valkey(redis.url, max_connections=1) as kv,
        handled(signal.SIGUSR1, handler),
        ThreadPoolExecutor(3) as pool,
    ):
        for target in (work, work, ring):
            pool.submit(target)
        while alarms < 300:
            with contextlib.suppress(Alarm):
                armed = True
                while armed:
                    with contextlib.suppress(kvwire.ServerError):
                        kv.incr("word")
        stop.set()
    assert not disturbed, disturbed[:3]


@pytest.mark.parametrize("transaction", [False, True])
def test_handler_that_raises_while_a_pipeline_s_results_are_converted(
    redis: Server, transaction: bool
) -> None:
    """What it raises is raised, and is not one of the results."""

    class Alarm(Exception):
        pass

    def handler(number: int, frame: object) -> None:
        raise Alarm

    def on_call(frame: Any, event: str, argument: Any) -> None:
        if event == "call" and frame.f_code.co_filename.endswith("_replies.py"):
            sys.setprofile(None)
            signal.raise_signal(signal.SIGUSR1)

    with kvwire.Valkey(redis.url) as kv, handled(signal.SIGUSR1, handler):
        pipe = kv.pipeline(transaction=transaction)
        pipe.info()
        sys.setprofile(on_call)
        try:
            with pytest.raises(Alarm):
                pipe.execute(raise_on_error=False)
        finally:
            sys.setprofile(None)
        assert kv.ping() is True


def test_call_goes_on_after_a_signal(fake: ScriptedServer) -> None:
    """A handler that returns does not end the call."""
    gate = fake.gate()
    fake.on("GET", "k", answer=Answer(b"$1\r\nA\r\n", gate=gate))
    came: list[int] = []

    def handler(number: int, frame: object) -> None:
        came.append(number)
        gate.open()

    with kvwire.Valkey(fake.url) as kv, handled(signal.SIGUSR1, handler):
        kv.connect()
        teller = tell(fake, "GET")
        assert kv.get("k") == b"A"
        teller.join()
    assert came == [signal.SIGUSR1]


@pytest.mark.parametrize("connections", [1, 4])
def test_handler_uses_the_client_itself(fake: ScriptedServer, connections: int) -> None:
    gate = fake.gate()
    fake.on("INCR", answer=Answer(b":1\r\n", gate=gate))
    fake.on("GET", "k", answer=Answer(b"$1\r\nA\r\n"))
    got: list[Any] = []

    def handler(number: int, frame: object) -> None:
        gate.open()
        got.append(kv.get("k"))

    with kvwire.Valkey(fake.url, max_connections=connections) as kv:
        with handled(signal.SIGUSR1, handler):
            kv.connect()
            teller = tell(fake, "INCR")
            assert kv.execute("INCR", "n") == 1
            teller.join()
        assert got == [b"A"]
        assert kv.get("next") == b"NEXT"


@contextlib.contextmanager
def handled(number: int, handler: Callable[[int, Any], None]) -> Iterator[None]:
    before = signal.signal(number, handler)
    try:
        yield
    finally:
        signal.signal(number, before)


def tell(fake: ScriptedServer, name: str) -> threading.Thread:
    """Send SIGUSR1 to the main thread as soon as the server has got the command."""

    def wait() -> None:
        fake.wait_received(name)
        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGUSR1)

    thread = threading.Thread(target=wait)
    thread.start()
    return thread


@pytest.mark.parametrize("blocked", ["await kv.get('k')", "await kv.blpop('q', 0)"])
def test_control_c_ends_an_asynchronous_program(fake: ScriptedServer, blocked: str) -> None:
    fake.on("GET", "k", answer=Answer(then="stall"))
    fake.on("BLPOP", answer=Answer(then="stall"))
    status, output, errors, seconds = interrupt_script(
        f"""
        import asyncio, sys
        import kvwire
        async def main():
            async with kvwire.AsyncValkey(sys.argv[1], timeout=20) as kv:
                print("started", flush=True)
                try:
                    {blocked}
                finally:
                    print("ending")
        try:
            asyncio.run(main())
        except KeyboardInterrupt:
            print("interrupted")
        """,
        fake.url,
    )
    assert (status, output, errors) == (0, "started\nending\ninterrupted\n", "")
    assert seconds < 5
