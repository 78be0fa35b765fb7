"""Pipelines: one send, results in order, errors where they belong; and transactions."""

from __future__ import annotations

import asyncio
import itertools
from typing import Any

import pytest

import kvwire
from tests.support.exact import exact
from tests.support.faces import Face
from tests.support.held import outcome
from tests.support.loops import Runner
from tests.support.scripted import Answer, ScriptedServer
from tests.support.servers import Server

both_kinds = pytest.mark.parametrize("transaction", [False, True], ids=["plain", "transaction"])


@both_kinds
def test_results_in_order(face: Face, server: Server, transaction: bool) -> None:
    async def scenario(kv: Any) -> None:
        async with kv.pipeline(transaction=transaction) as pipe:
            pipe.set("a", 1)
            assert pipe.get("a") is pipe, "commands can be chained"
            pipe.incr("a").incrby("a", 5).hset("h", mapping={"f": "v"}).hgetall("h")
            pipe.zadd("z", {"m": 1.5}).zscore("z", "m").zrange("z", 0, -1, withscores=True)
            pipe.sadd("s", "x").smembers("s").exists("none").get("none")
            pipe.execute_command("ECHO", "e")
            assert len(pipe) == 14
            results = await pipe.execute()
        assert exact(results[:6]) == exact([True, b"1", 2, 7, 1, {b"f": b"v"}])
        assert exact(results[6:9]) == exact([1, 1.5, [(b"m", 1.5)]])
        assert exact(results[9:]) == exact([1, {b"x"}, 0, None, b"e"])

    face.run(scenario, server.url)


@both_kinds
@pytest.mark.parametrize("protocol", [2, 3])
def test_shapes_are_those_of_single_calls(
    face: Face, server: Server, transaction: bool, protocol: int
) -> None:
    """The same command gives the same value alone, in a pipeline and in a transaction."""

    async def scenario(kv: Any) -> None:
        await kv.hset("h", mapping={"f": "1", "g": "2"})
        await kv.zadd("z", {"a": 1, "b": 2.5})
        await kv.sadd("s", "x", "y")
        await kv.set("k", "v")
        calls: list[tuple[Any, ...]] = [
            ("get", "k"),
            ("mget", "k", "none"),
            ("set", "k", "v"),
            ("hgetall", "h"),
            ("hmget", "h", ["f", "none"]),
            ("zrange", "z", 0, -1),
            ("zscore", "z", "b"),
            ("smembers", "s"),
            ("sismember", "s", "x"),
            ("expire", "none", 5),
            ("type", "k"),
            ("scan",),
            ("hscan", "h"),
            ("ping",),
        ]
        pipe = kv.pipeline(transaction=transaction)
        for name, *args in calls:
            getattr(pipe, name)(*args)
        together = await pipe.execute()
        alone = [await getattr(kv, name)(*args) for name, *args in calls]
        assert exact(together) == exact(alone)

    face.run(scenario, server.url, protocol=protocol)


def test_all_commands_leave_before_the_first_reply(face: Face, fake: ScriptedServer) -> None:
    fake.on("GET", "first", answer=Answer(b"$1\r\n1\r\n", after=100))

    async def scenario(kv: Any) -> None:
        pipe = kv.pipeline()
        pipe.get("first")
        for _ in range(99):
            pipe.get("next")
        assert await pipe.execute() == [b"1"] + [b"NEXT"] * 99

    face.run(scenario, fake.url)


def test_first_error_is_raised_with_its_index(face: Face, server: Server) -> None:
    async def scenario(kv: Any) -> None:
        await kv.set("text", "x")
        pipe = kv.pipeline()
        pipe.set("a", 1).incr("text").lpush("text", "y").set("b", 2)
        with pytest.raises(kvwire.ServerError) as caught:
            await pipe.execute()
        assert caught.value.index == 1
        assert "command 1" in str(caught.value)
        assert "not an integer" in caught.value.message
        assert await kv.mget("a", "b") == [b"1", b"2"], "the others have run"

    face.run(scenario, server.url)


@both_kinds
def test_errors_as_results(face: Face, server: Server, transaction: bool) -> None:
    async def scenario(kv: Any) -> None:
        await kv.set("text", "x")
        pipe = kv.pipeline(transaction=transaction)
        pipe.set("a", 1).incr("text").lpush("text", "y").get("a")
        results = await pipe.execute(raise_on_error=False)
        assert results[0] is True and results[3] == b"1"
        for index, code in ((1, "ERR"), (2, "WRONGTYPE")):
            assert isinstance(results[index], kvwire.ServerError)
            assert results[index].code == code
            assert results[index].index == index
        assert await kv.ping() is True

    face.run(scenario, server.url)


def test_error_while_a_transaction_runs(face: Face, server: Server) -> None:
    """EXEC runs the rest; the error is raised with its index among the user's commands."""

    async def scenario(kv: Any) -> None:
        await kv.set("text", "x")
        pipe = kv.pipeline(transaction=True)
        pipe.set("a", 1).incr("text").set("b", 2)
        with pytest.raises(kvwire.ServerError, match="not an integer") as caught:
            await pipe.execute()
        assert caught.value.index == 1
        assert await kv.mget("a", "b") == [b"1", b"2"]

    face.run(scenario, server.url)


def test_t01_malformed_command_in_a_transaction(face: Face, server: Server) -> None:
    """T01. The error of the command that could not be queued, not that of EXEC; nothing has run."""

    async def scenario(kv: Any) -> None:
        pipe = kv.pipeline(transaction=True)
        pipe.set("a", 1).execute_command("INCR", "a", "b", "c").set("k", "v")
        with pytest.raises(kvwire.ServerError, match="wrong number of arguments") as caught:
            await pipe.execute()
        assert caught.value.index == 1
        assert await kv.mget("a", "k") == [None, None]

        # There are no results at all, so it is raised even where errors would be results.
        pipe = kv.pipeline(transaction=True)
        pipe.set("k", "v").execute_command("NO-SUCH").set("k", "v")
        with pytest.raises(kvwire.ServerError, match="unknown command") as caught:
            await pipe.execute(raise_on_error=False)
        assert caught.value.index == 1
        assert await kv.get("k") is None
        assert await kv.ping() is True

    face.run(scenario, server.url)


@both_kinds
def test_p14_value_that_is_not_text(face: Face, server: Server, transaction: bool) -> None:
    """P14. It fails in its own place; the rest of the pipeline and the next command are right."""

    async def scenario(kv: Any) -> None:
        await kv.mset({"bad": b"\xff\xfe", "good": "\xe9"})
        pipe = kv.pipeline(transaction=transaction)
        pipe.get("good").get("bad").mget("good", "bad").get("good")
        results = await pipe.execute(raise_on_error=False)
        assert results[0] == results[3] == "\xe9"
        assert isinstance(results[1], UnicodeDecodeError)
        assert isinstance(results[2], UnicodeDecodeError)
        pipe.get("good").get("bad")
        with pytest.raises(UnicodeDecodeError):
            await pipe.execute()
        pipe.get("good").get("bad", decode=False)
        assert await pipe.execute() == ["\xe9", b"\xff\xfe"]
        assert await kv.get("good") == "\xe9"

    face.run(scenario, server.url, decode=True)


@both_kinds
def test_empty_and_used_again(face: Face, server: Server, transaction: bool) -> None:
    async def scenario(kv: Any) -> None:
        pipe = kv.pipeline(transaction=transaction)
        assert await pipe.execute() == []
        for number in range(3):
            assert await pipe.set("k", number).get("k").execute() == [True, b"%d" % number]
            assert len(pipe) == 0
        pipe.set("k", "dropped")
        pipe.reset()
        assert len(pipe) == 0
        assert await pipe.get("k").execute() == [b"2"]
        async with kv.pipeline(transaction=transaction) as left:
            left.set("k", "left")
        assert len(left) == 0
        assert await kv.get("k") == b"2"
        assert "0 commands" in repr(left.raw if face.kind == "sync" else left)

    face.run(scenario, server.url)


@both_kinds
def test_wrong_arguments_append_nothing(face: Face, server: Server, transaction: bool) -> None:
    async def scenario(kv: Any) -> None:
        pipe = kv.pipeline(transaction=transaction)
        pipe.set("a", 1)
        with pytest.raises(TypeError):
            pipe.set("b", None)
        with pytest.raises(TypeError):
            pipe.set("b", 1, exx=3)
        with pytest.raises(TypeError):
            pipe.execute_command("SET", "b", {})
        assert len(pipe) == 1
        assert await pipe.get("a").execute() == [True, b"1"]

    face.run(scenario, server.url)


@both_kinds
def test_huge(face: Face, server: Server, transaction: bool) -> None:
    """100,000 commands, whose replies come back while they are still being sent."""
    count = 100_000

    async def scenario(kv: Any) -> None:
        pipe = kv.pipeline(transaction=transaction)
        for number in range(count):
            pipe.execute_command("ECHO", number)
        results = await pipe.execute()
        assert results == [b"%d" % number for number in range(count)]

    face.run(scenario, server.url, timeout=30)


def test_large_values(face: Face, server: Server) -> None:
    """64 MiB there and back in one pipeline: neither side waits for the other for ever."""
    values = [bytes([number]) * (1 << 20) for number in range(32)]

    async def scenario(kv: Any) -> None:
        pipe = kv.pipeline()
        for number, value in enumerate(values):
            pipe.set(f"k{number}", value).get(f"k{number}")
        results = await pipe.execute()
        assert results[0::2] == [True] * len(values)
        assert results[1::2] == values

    face.run(scenario, server.url, timeout=30)


@both_kinds
def test_connection_lost_in_the_middle(face: Face, fake: ScriptedServer, transaction: bool) -> None:
    numbers = itertools.count()

    def incr(command: tuple[bytes, ...]) -> Answer:
        number = next(numbers)
        wire = b"+QUEUED\r\n" if transaction else b":%d\r\n" % number
        return Answer(then="close") if number == 5 else Answer(wire)

    fake.on("MULTI", answer=Answer(b"+OK\r\n"))
    fake.on("INCR", answer=incr)

    async def scenario(kv: Any) -> None:
        pipe = kv.pipeline(transaction=transaction)
        for _ in range(10):
            pipe.execute_command("INCR", "k")
        with pytest.raises(kvwire.ConnectionError) as caught:
            await pipe.execute()
        assert caught.value.maybe_executed is True
        assert await kv.get("next") == b"NEXT"

    face.run(scenario, fake.url)
    assert fake.connections == 2


def test_other_calls_do_not_get_into_a_transaction(face: Face, server: Server) -> None:
    """MULTI to EXEC stay together on the shared connection."""

    async def scenario(kv: Any) -> None:
        async def transaction() -> Any:
            pipe = kv.pipeline(transaction=True)
            for _ in range(20):
                pipe.incr("n")
            return await pipe.execute()

        async def single() -> Any:
            return await kv.execute("INCR", "n")

        results = await face.together([transaction, single] * 10)
        for values in results[0::2]:
            assert values == list(range(values[0], values[0] + 20))
        assert all(isinstance(value, int) for value in results[1::2])
        assert await kv.get("n") == b"210"

    face.run(scenario, server.url, max_connections=1)


def test_transaction_that_was_not_run(face: Face, fake: ScriptedServer) -> None:
    """EXEC that answers null: there are no results, and that is an error in any case."""
    fake.on("MULTI", answer=Answer(b"+OK\r\n"))
    fake.on("INCR", answer=Answer(b"+QUEUED\r\n"))
    fake.on("EXEC", answer=Answer(b"*-1\r\n"))

    async def scenario(kv: Any) -> None:
        pipe = kv.pipeline(transaction=True)
        for raise_on_error in (True, False):
            pipe.execute_command("INCR", "k")
            with pytest.raises(kvwire.ServerError, match="watched key") as caught:
                await pipe.execute(raise_on_error=raise_on_error)
            assert caught.value.code == "EXECABORT"
        assert await kv.get("next") == b"NEXT"

    face.run(scenario, fake.url)


@both_kinds
@pytest.mark.parametrize("replies", [0, 1, 49, 98])
def test_cancel_in_the_middle(
    run: Runner, fake: ScriptedServer, transaction: bool, replies: int
) -> None:
    gate = fake.gate()
    numbers = itertools.count()

    def incr(command: tuple[bytes, ...]) -> Answer:
        number = next(numbers)
        wire = b"+QUEUED\r\n" if transaction else b":%d\r\n" % number
        return Answer(wire, gate=gate if number == replies else None)

    fake.on("MULTI", answer=Answer(b"+OK\r\n"))
    fake.on("EXEC", answer=Answer(b"*99\r\n" + b":7\r\n" * 99))
    fake.on("INCR", answer=incr)

    async def main() -> None:
        async with kvwire.AsyncValkey(fake.url) as kv:
            pipe = kv.pipeline(transaction=transaction)
            for _ in range(99):
                pipe.execute_command("INCR", "k")
            task = asyncio.create_task(outcome(pipe.execute()))
            await asyncio.to_thread(fake.wait_received, "INCR", count=99)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            following = asyncio.gather(kv.get("next"), kv.get("next"))
            gate.open()
            assert list(await following) == [b"NEXT", b"NEXT"]
            assert await kv.pipeline().get("next").execute() == [b"NEXT"]

    run(main)
    assert fake.connections == 1


@pytest.mark.parametrize("results", [b"*1\r\n+OK\r\n", b"*3\r\n+OK\r\n:1\r\n:2\r\n", b"+OK\r\n"])
def test_transaction_with_more_or_fewer_results(
    face: Face, fake: ScriptedServer, results: bytes
) -> None:
    """Nothing on that connection can be trusted any more."""
    fake.on("MULTI", answer=Answer(b"+OK\r\n"))
    for name in ("SET", "INCR"):
        fake.on(name, answer=Answer(b"+QUEUED\r\n"))
    fake.on("EXEC", answer=Answer(results))

    async def scenario(kv: Any) -> None:
        pipe = kv.pipeline(transaction=True)
        pipe.set("a", 1).incr("b")
        with pytest.raises(kvwire.ProtocolError, match="transaction") as caught:
            await pipe.execute()
        assert caught.value.maybe_executed is True
        assert await kv.get("next") == b"NEXT"
        assert fake.connections == 2

    face.run(scenario, fake.url)


def test_user_who_may_not_use_transactions(face: Face, redis: Server) -> None:
    """The reason is said, not what followed from it."""
    redis.call("ACL", "SETUSER", "u", "on", ">p", "~*", "+@all", "-multi")

    async def scenario(kv: Any) -> None:
        for raise_on_error in (True, False):
            pipe = kv.pipeline(transaction=True)
            pipe.set("a", 1).incr("a")
            with pytest.raises(kvwire.ServerError, match="multi") as caught:
                await pipe.execute(raise_on_error=raise_on_error)
            assert (caught.value.code, caught.value.index) == ("NOPERM", None)

    try:
        face.run(scenario, redis.url, username="u", password="p")
    finally:
        redis.call("ACL", "DELUSER", "u")
