"""The synchronous face: threads, life and death of a client, fork."""

from __future__ import annotations

import asyncio
import threading
import warnings
from collections.abc import Callable
from typing import Any

import pytest

import kvwire
from tests.support.faces import Face
from tests.support.loops import Runner
from tests.support.scripted import Answer, ScriptedServer, Welcome, hello_reply
from tests.support.scripts import run_script
from tests.support.servers import Server


def in_threads(count: int, work: Callable[[int], None]) -> None:
    """work(0) .. work(count - 1) at the same time; the first failure is raised."""
    failures: list[BaseException] = []
    start = threading.Barrier(count, timeout=20)

    def one(number: int) -> None:
        try:
            start.wait()
            work(number)
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=one, args=(number,)) for number in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failures:
        raise failures[0]


# ---- threads ------------------------------------------------------------------------------------


@pytest.mark.parametrize("connections", [1, 2, 4])
@pytest.mark.parametrize("threads", [1, 2, 5, 16, 32])
def test_threads_share_a_client(server: Server, threads: int, connections: int) -> None:
    """Each thread gets its own replies; the connections stay within the bound."""
    with kvwire.Valkey(server.url, max_connections=connections) as kv:

        def work(number: int) -> None:
            for step in range(400 // threads):
                key = f"{number}-{step}"
                assert kv.set(key, key * 20) is True
                assert kv.get(key) == (key * 20).encode()
                assert kv.mget(key, "none") == [(key * 20).encode(), None]
                assert kv.execute("ECHO", key) == key.encode()

        in_threads(threads, work)
        assert 1 <= len(server.clients()) <= min(connections, threads + 1)
        assert kv.dbsize() == threads * (400 // threads)
    assert server.clients() == []


def test_threads_with_values_of_all_sizes(server: Server) -> None:
    """Large and small in the same connection at the same time."""
    sizes = [1, 100, 5000, 20_000, 100_000, 1_000_000]
    with kvwire.Valkey(server.url, max_connections=1) as kv:

        def work(number: int) -> None:
            for step in range(20):
                value = bytes([number + 65]) * sizes[(number + step) % len(sizes)]
                kv.set(f"{number}", value)
                assert kv.get(f"{number}") == value

        in_threads(12, work)


def test_errors_and_values_among_threads(fake: ScriptedServer) -> None:
    fake.on("GET", "bad", answer=Answer(b"-WRONGTYPE no\r\n"))
    with kvwire.Valkey(fake.url, max_connections=1) as kv:

        def work(number: int) -> None:
            for _ in range(50):
                if number % 2:
                    assert kv.get("next") == b"NEXT"
                else:
                    with pytest.raises(kvwire.ServerError, match="WRONGTYPE"):
                        kv.get("bad")

        in_threads(8, work)
    assert fake.connections == 1


@pytest.mark.parametrize("limit", [1, 2])
def test_k13_more_calls_than_connections_sync(redis: Server, limit: int) -> None:
    """K13. 100 threads wait their turn; CLIENT LIST never shows more than the bound."""
    with kvwire.Valkey(redis.url, max_connections=limit) as kv:
        watch = Watch(redis)
        with watch:
            in_threads(100, lambda number: check(kv.set(f"k{number}", number)))
        assert 1 <= watch.peak <= limit
        assert kv.dbsize() == 100


def check(value: Any) -> None:
    assert value is True


class Watch:
    """Looks at CLIENT LIST all the time, in a thread."""

    def __init__(self, server: Server) -> None:
        self.peak = 0
        self._server = server
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._look)

    def _look(self) -> None:
        while not self._stop.is_set():
            self.peak = max(self.peak, len(self._server.clients()))

    def __enter__(self) -> None:
        self._thread.start()

    def __exit__(self, *args: object) -> None:
        self._stop.set()
        self._thread.join()
        # The look that was under way when the calls ended has seen at least their last moment.
        self.peak = max(self.peak, len(self._server.clients()))


def test_k13_more_calls_than_connections_async(run: Runner, redis: Server) -> None:
    """K13. The same with gather."""

    async def main() -> None:
        async with kvwire.AsyncValkey(redis.url, max_connections=2) as kv:
            watch = Watch(redis)
            with watch:
                assert all(await asyncio.gather(*(kv.set(f"k{n}", n) for n in range(100))))
            assert 1 <= watch.peak <= 2

    run(main)


def test_thread_waits_while_another_blocks(fake: ScriptedServer) -> None:
    """The one that receives for others leaves as soon as it has its own reply."""
    gate = fake.gate()
    fake.on("GET", "k", answer=Answer(b"$1\r\nA\r\n", gate=gate))
    with kvwire.Valkey(fake.url, max_connections=1) as kv:
        results: dict[int, Any] = {}

        def work(number: int) -> None:
            results[number] = kv.get("next" if number % 2 else "k")

        threads = [threading.Thread(target=work, args=(number,)) for number in range(10)]
        for thread in threads:
            thread.start()
        fake.wait_received("GET", count=10)
        gate.open()
        for thread in threads:
            thread.join(10)
            assert not thread.is_alive()
        assert results == {number: b"NEXT" if number % 2 else b"A" for number in range(10)}


def test_pipelines_among_threads(server: Server) -> None:
    with kvwire.Valkey(server.url, max_connections=2) as kv:

        def work(number: int) -> None:
            for step in range(10):
                with kv.pipeline(transaction=step % 2 == 0) as pipe:
                    for i in range(20):
                        pipe.execute_command("ECHO", f"{number}-{step}-{i}")
                    assert pipe.execute() == [f"{number}-{step}-{i}".encode() for i in range(20)]

        in_threads(8, work)


# ---- life ---------------------------------------------------------------------------------------


def test_close_twice_and_use_afterwards(server: Server) -> None:
    kv = kvwire.Valkey(server.url)
    assert server.clients() == []
    assert not kv.connected and not kv.closed and kv.protocol == 0
    kv.ping()
    assert kv.connected and kv.protocol == 3
    kv.close()
    kv.close()
    assert kv.closed and not kv.connected
    assert server.clients() == []
    for use in (kv.ping, kv.connect, lambda: kv.execute("PING"), kv.pipeline().ping().execute):
        with pytest.raises(kvwire.ConnectionError, match="closed") as caught:
            use()
        assert caught.value.maybe_executed is False
    assert isinstance(repr(kv), str)


def test_close_while_threads_wait(fake: ScriptedServer) -> None:
    """Calls under way end as they would; new ones are refused at once."""
    gate = fake.gate()
    fake.on("INCR", answer=Answer(b":1\r\n", gate=gate))
    kv = kvwire.Valkey(fake.url, max_connections=2, timeout=None)

    def work(number: int) -> None:
        if number:
            assert kv.execute("INCR", "k") == 1
            return
        fake.wait_received("INCR", count=7)
        kv.close()
        with pytest.raises(kvwire.ConnectionError, match="closed"):
            kv.get("next")
        gate.open()

    in_threads(8, work)
    assert kv.closed and not kv.connected


def test_client_dropped_without_close_says_so_once(server: Server) -> None:
    kv = kvwire.Valkey(server.url)
    kv.ping()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        del kv
    assert [entry.category for entry in caught] == [ResourceWarning]
    caught.clear()  # a warning holds what it is about
    assert server.clients() == []


def test_connection_lost_between_calls(server: Server) -> None:
    """K24's kind: what the server closed while nobody called is replaced without an error."""
    with kvwire.Valkey(server.url) as kv:
        for _ in range(3):
            kv.set("k", "v")
            (client,) = server.clients()
            server.call("CLIENT", "KILL", "ID", client["id"])
            assert kv.get("k") == b"v"


def test_k24_server_restarted_between_calls() -> None:
    with Server("redis") as server, kvwire.Valkey(server.url) as kv:
        for _ in range(3):
            assert kv.set("k", "v") is True
            server.kill()
            server.start()
            assert kv.get("k") is None


def test_k12_resets_do_not_use_up_the_connections(face: Face) -> None:
    """K12. 50 connections are reset at once or after HELLO, then the server is well."""

    def welcome(number: int) -> Welcome:
        return Welcome(then="reset" if number % 2 else "serve")

    with ScriptedServer(welcome=welcome) as fake:
        fake.on("HELLO", answer=lambda command: hello(fake))

        async def main() -> None:
            kv = face.client(fake.url, max_connections=2)
            failures = 0
            while fake.connections < 50:
                with pytest.raises(kvwire.ConnectionError) as caught:
                    await kv.get("next")
                assert caught.value.maybe_executed is False
                failures += 1
                assert failures <= 50
            fake.welcome = lambda number: Welcome()
            assert await kv.get("next") == b"NEXT"
            assert await kv.get("next") == b"NEXT"
            await kv.aclose()

        face.play(main)


def hello(fake: ScriptedServer) -> Answer:
    if fake.connections <= 50:
        return Answer(then="reset")
    return Answer(hello_reply(3, fake.connections))


# ---- fork ---------------------------------------------------------------------------------------


def test_k20_fork(redis: Server) -> None:
    """K20, in small: a parent with warm connections and its children do not share them."""
    done = run_script(
        """
        import os, sys
        import kvwire
        kv = kvwire.Valkey(sys.argv[1])
        for number in range(4):
            kv.set(f"k{number}", f"v{number}")
        children = []
        for number in range(4):
            pid = os.fork()
            if pid == 0:
                status = 1
                try:
                    wrong = sum(kv.get(f"k{number}") != b"v%d" % number for _ in range(500))
                    status = 2 if wrong else 0
                    kv.close()
                finally:
                    os._exit(status)
            children.append(pid)
        assert all(kv.get("k1") == b"v1" for _ in range(500))
        statuses = [os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) for pid in children]
        print(statuses, kv.get("k2"))
        kv.close()
        """,
        redis.url,
    )
    assert done.stdout == "[0, 0, 0, 0] b'v2'\n", done.stderr
    assert done.stderr == ""


def test_k20_fork_of_an_asynchronous_program(redis: Server) -> None:
    """The child makes a loop of its own; the parent's connection is left alone."""
    done = run_script(
        """
        import asyncio, os, sys
        import kvwire
        kv = kvwire.AsyncValkey(sys.argv[1])
        async def child():
            await kv.set("child", "1")
            assert await kv.get("parent") == b"1"
        async def main():
            await kv.set("parent", "1")
            pid = os.fork()
            if pid == 0:
                status = 1
                try:
                    asyncio._set_running_loop(None)
                    asyncio.run(child())
                    status = 0
                finally:
                    os._exit(status)
            assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0
            assert await kv.get("child") == b"1"
            await kv.aclose()
        asyncio.run(main())
        """,
        redis.url,
    )
    assert (done.returncode, done.stderr) == (0, "")
