"""One client and several event loops, loops that close early, and the end of the interpreter."""

from __future__ import annotations

import asyncio
import gc
import threading
import time
import warnings
from typing import Any

import pytest

import kvwire
from tests.support.held import outcome
from tests.support.loops import Runner, new_loop, why_not
from tests.support.rss import open_fds
from tests.support.scripted import Answer, ScriptedServer, in_turn
from tests.support.scripts import run_script
from tests.support.servers import Server


def test_k17_one_client_in_loop_after_loop(run: Runner, server: Server) -> None:
    """K17. asyncio.run twice and more with the same client, which is closed in the last one."""
    kv = kvwire.AsyncValkey(server.url)

    async def once(number: int) -> None:
        await kv.set("k", number)
        assert await asyncio.gather(*(kv.get("k") for _ in range(10))) == [b"%d" % number] * 10

    fds = []
    for number in range(5):
        run(lambda number=number: once(number))  # type: ignore[misc]
        gc.collect()
        fds.append(len(open_fds()))
    assert max(fds) - min(fds) <= 1, "each loop's connection goes with its loop"

    async def last() -> None:
        assert await kv.get("k") == b"4"
        await kv.aclose()
        with pytest.raises(kvwire.ConnectionError, match="closed"):
            await kv.get("k")

    run(last)


def test_k17_closed_in_each_loop(run: Runner, server: Server) -> None:
    async def once() -> None:
        async with kvwire.AsyncValkey(server.url) as kv:
            assert await kv.get("none") is None

    for _ in range(3):
        run(once)
    assert server.clients() == []


def test_k17_four_threads_with_a_loop_each(run: Runner, server: Server) -> None:
    """K17. One client in all of them at the same time."""
    kv = kvwire.AsyncValkey(server.url)
    failures: list[BaseException] = []
    together = threading.Barrier(4, timeout=20)

    async def work(number: int) -> None:
        for step in range(200):
            key = f"{number}-{step}"
            assert await kv.set(key, key) is True
            assert await kv.get(key) == key.encode()
        together.wait()
        if number == 0:
            assert len(server.clients()) == 4
        together.wait()

    def thread(number: int) -> None:
        try:
            loop = new_loop(run.kind)
            try:
                loop.run_until_complete(work(number))
            finally:
                loop.close()
        except BaseException as error:
            failures.append(error)
            together.abort()

    threads = [threading.Thread(target=thread, args=(number,)) for number in range(4)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert not failures, failures

    run(lambda: close(kv))
    gc.collect()
    assert server.clients() == []


def test_two_loops_in_turn_in_one_thread(run: Runner, server: Server) -> None:
    """Both live, run a little each: what waits in one is served when it runs again."""
    kv = kvwire.AsyncValkey(server.url)
    loops = [new_loop(run.kind), new_loop(run.kind)]
    try:
        for number in range(6):
            loop = loops[number % 2]
            assert loop.run_until_complete(outcome_of(kv, "echo", number)) == b"%d" % number
        for loop in loops:
            loop.run_until_complete(close(kv))
    finally:
        for loop in loops:
            loop.close()


async def outcome_of(kv: kvwire.AsyncValkey, name: str, *args: Any) -> Any:
    return await kv.execute(name, *args)


async def close(kv: kvwire.AsyncValkey) -> None:
    await kv.aclose()


def test_loop_closed_with_calls_waiting(run: Runner, fake: ScriptedServer) -> None:
    """They can never complete; nothing crashes, and the client works on in another loop."""
    fake.on("GET", "k", answer=Answer(gate=fake.gate()))
    kv = kvwire.AsyncValkey(fake.url)
    calls: list[Any] = []
    loop = new_loop(run.kind)

    async def start() -> None:
        await kv.connect()
        calls.extend(kv.get("k") for _ in range(5))
        await asyncio.sleep(0.01)

    loop.run_until_complete(start())
    loop.close()
    assert isinstance(repr(calls), str)
    calls[0].cancel()
    calls.pop()
    gc.collect()

    async def again() -> None:
        assert await kv.get("next") == b"NEXT"
        await kv.aclose()

    run(again)
    calls.clear()
    gc.collect()


def test_loop_closed_while_connecting(run: Runner, fake: ScriptedServer) -> None:
    kv = kvwire.AsyncValkey(fake.url)
    loop = new_loop(run.kind)

    async def start() -> None:
        kv.get("k")

    loop.run_until_complete(start())
    loop.close()

    async def again() -> None:
        assert await kv.get("next") == b"NEXT"
        await kv.aclose()

    run(again)


def test_client_dropped_without_close_says_so_once(run: Runner, server: Server) -> None:
    async def main() -> None:
        kv = kvwire.AsyncValkey(server.url)
        await kv.ping()

        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            del kv
            for _ in range(3):
                gc.collect()
                await asyncio.sleep(0)
        assert [entry.category for entry in caught] == [ResourceWarning]
        assert "AsyncValkey" in str(caught[0].message)
        caught.clear()  # a warning holds what it is about
        async with asyncio.timeout(5):
            while server.clients():
                await asyncio.sleep(0.001)

    run(main)


def test_client_never_used_says_nothing(run: Runner) -> None:
    async def main() -> None:
        kvwire.AsyncValkey("redis://127.0.0.1:1")
        gc.collect()

    kvwire.AsyncValkey("redis://127.0.0.1:1")
    run(main)


def test_close_twice_and_use_afterwards(run: Runner, server: Server) -> None:
    async def main() -> None:
        kv = kvwire.AsyncValkey(server.url)
        await kv.ping()
        assert kv.connected and not kv.closed
        await asyncio.gather(kv.aclose(), kv.aclose())
        await kv.aclose()
        await asyncio.wait([asyncio.ensure_future(kv.aclose())])
        await asyncio.wait_for(kv.aclose(), 5)
        await asyncio.shield(kv.aclose())
        assert kv.closed and not kv.connected
        assert server.clients() == []
        for use in (kv.ping, kv.connect, lambda: kv.execute("PING")):
            with pytest.raises(kvwire.ConnectionError, match="closed") as caught:
                await use()
            assert caught.value.maybe_executed is False
        with pytest.raises(kvwire.ConnectionError, match="closed"):
            await kv.pipeline().ping().execute()
        assert isinstance(repr(kv), str)

    run(main)


def test_close_with_calls_waiting(run: Runner, fake: ScriptedServer) -> None:
    fake.on("INCR", answer=Answer(gate=fake.gate()))

    async def main() -> None:
        kv = kvwire.AsyncValkey(fake.url)
        tasks = [asyncio.create_task(outcome(kv.execute("INCR", "k"))) for _ in range(10)]
        await asyncio.to_thread(fake.wait_received, "INCR", count=10)
        await kv.aclose()
        for result in await asyncio.gather(*tasks, return_exceptions=True):
            assert isinstance(result, kvwire.ConnectionError)
            assert result.maybe_executed is True

    run(main)


def test_connect_and_context_manager(run: Runner, server: Server) -> None:
    async def main() -> None:
        kv = kvwire.AsyncValkey(server.url)
        assert server.clients() == []
        assert kv.protocol == 0
        await asyncio.gather(kv.connect(), kv.connect())
        await kv.connect()
        assert kv.connected and kv.protocol == 3
        assert len(server.clients()) == 1
        async with kv as entered:
            assert entered is kv
            assert await kv.ping() is True
        assert kv.closed

    run(main)


def test_connection_lost_between_calls(run: Runner, server: Server) -> None:
    """K24's kind: what the server closed while nobody called is replaced without an error."""

    async def main() -> None:
        async with kvwire.AsyncValkey(server.url) as kv:
            for _ in range(3):
                (client,) = server.clients()
                server.call("CLIENT", "KILL", "ID", client["id"])
                async with asyncio.timeout(5):
                    while kv.connected:
                        await asyncio.sleep(0.001)
                assert await kv.ping() is True

    run(main)


# ---- the end of the interpreter -----------------------------------------------------------------

ENDINGS = {
    "open": "await kv.get('k')",
    "waiting": "kv.execute('BLPOP', 'q', 0); await asyncio.sleep(0.01)",
    "blocking": "tasks.append(kv.blpop('q', 0)); await asyncio.sleep(0.01)",
    "connecting": "kv.get('k')",
    "exception": "await kv.get('k'); raise SystemExit(3)",
    "unused": "pass",
    "pipeline": "pipe = kv.pipeline(); pipe.get('k'); tasks.append(pipe)",
    "cycle": "await kv.get('k'); kv.me = [kv]",
}


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize("held_by", ["global", "local"])
@pytest.mark.parametrize("loop", ["asyncio", "uvloop"])
@pytest.mark.parametrize("debug", [False, True])
def test_k29_program_ends_with_an_open_client(
    redis: Server, ending: str, held_by: str, loop: str, debug: bool
) -> None:
    """K29. At most one ResourceWarning, and never a traceback."""
    if why_not(loop):
        pytest.skip(why_not(loop))
    client = "kv = kvwire.AsyncValkey(sys.argv[1])"
    done = run_script(
        f"""
import asyncio, sys
import {loop}
import kvwire
tasks = []
{client if held_by == "global" else ""}
async def main():
    {client if held_by == "local" else "pass"}
    {ENDINGS[ending]}
with asyncio.Runner(loop_factory={loop}.new_event_loop, debug={debug}) as runner:
    runner.run(main())
""",
        redis.url,
    )
    assert done.returncode == (3 if ending == "exception" else 0), done.stderr
    assert "Traceback" not in done.stderr and "Exception ignored" not in done.stderr, done.stderr
    assert done.stderr.count("> was never closed") <= 1, done.stderr


SYNC_ENDINGS = {
    "open": "kv.get('k')",
    "pipeline": "kv.pipeline().get('k')",
    "threads": "[threading.Thread(target=kv.get, args=('k',)).start() for _ in range(8)]",
    "daemon": "threading.Thread(target=kv.blpop, args=('q', 0), daemon=True).start(); kv.get('k')",
    "exit": "kv.get('k'); sys.exit(3)",
    "atexit": "atexit.register(kv.get, 'k')",
    "thread-local": "threading.local().kv = kv; kv.get('k')",
}


@pytest.mark.parametrize("ending", SYNC_ENDINGS)
def test_k29_program_ends_with_an_open_sync_client(redis: Server, ending: str) -> None:
    """K29. The same for the other face."""
    done = run_script(
        f"""
import atexit, sys, threading
import kvwire
kv = kvwire.Valkey(sys.argv[1])
{SYNC_ENDINGS[ending]}
""",
        redis.url,
    )
    assert done.returncode == (3 if ending == "exit" else 0), done.stderr
    assert "Traceback" not in done.stderr and "Exception ignored" not in done.stderr, done.stderr
    assert done.stderr.count("> was never closed") <= 1, done.stderr


def test_k17_closed_loop_then_collection_is_silent(redis: Server) -> None:
    """K17. The loop closed with a live connection, then a collection, warnings as errors."""
    done = run_script(
        """
import asyncio, gc, sys
import kvwire
kv = kvwire.AsyncValkey(sys.argv[1])
async def main():
    await kv.get("k")
for _ in range(2):
    asyncio.run(main())
    gc.collect()
async def close():
    await kv.aclose()
asyncio.run(close())
del kv
gc.collect()
print("end")
""",
        redis.url,
        options=("-X", "dev", "-W", "error"),
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "end\n", "")


@pytest.mark.parametrize("then", ["close", "reset"])
def test_end_behind_more_replies_than_a_turn_takes(
    run: Runner, fake: ScriptedServer, then: str
) -> None:
    """uvloop watches a broken descriptor no more: who waits for replies has to be told all the
    same, however many came before the end."""
    count = 2_000
    reply = b"$1\r\nA\r\n"
    fake.on("GET", answer=in_turn(Answer(reply * count, after=count + 9, then=then)))

    async def main() -> None:
        async with kvwire.AsyncValkey(fake.url, timeout=10) as kv:
            await kv.connect()
            calls: list[Any] = [kv.get(number) for number in range(count + 9)]
            await asyncio.sleep(0)
            await asyncio.sleep(0)  # sent
            await asyncio.to_thread(fake.wait_received, "GET", count=count + 9)
            time.sleep(0.1)  # the loop stands still; the replies and the end come together
            async with asyncio.timeout(5):
                got = await asyncio.gather(*calls, return_exceptions=True)
            assert got[:count] == [b"A"] * count
            assert {type(value) for value in got[count:]} == {kvwire.ConnectionError}
            fake.on("GET", answer=Answer(reply))
            assert await kv.get("next") == b"NEXT"

    run(main)


def test_send_that_fails_while_more_waits(run: Runner, fake: ScriptedServer) -> None:
    """The connection was reset unseen; the calls after that end, whichever turn they are of."""
    gate = fake.gate()
    fake.on("GET", "k", answer=Answer(gate=gate, then="reset"))

    async def main() -> None:
        loop = asyncio.get_running_loop()
        async with kvwire.AsyncValkey(fake.url, timeout=10) as kv:
            calls: list[Any] = [kv.get("k")]
            await asyncio.to_thread(fake.wait_received, "GET")
            gate.open()
            time.sleep(0.1)  # the loop stands still and does not see the end
            calls.append(kv.get("next"))
            loop.call_soon(lambda: calls.append(kv.get("next")))
            await asyncio.sleep(0)
            await asyncio.sleep(0)
            async with asyncio.timeout(5):
                got: list[Any] = await asyncio.gather(*calls, return_exceptions=True)
            first, *others = got
            assert isinstance(first, kvwire.ConnectionError)
            for value in others:
                assert value == b"NEXT" or value.maybe_executed is False
            assert await kv.get("next") == b"NEXT"

    run(main)
