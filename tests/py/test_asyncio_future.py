"""A call's awaitable behaves as asyncio.Future does, on every kind of loop.

Where that is possible a test puts the same questions to a real Future and compares the answers.
"""

from __future__ import annotations

import asyncio
import contextvars
import gc
import traceback
import weakref
from collections.abc import Callable
from typing import Any

import pytest

import kvwire
from tests.support.held import held, outcome
from tests.support.loops import Runner
from tests.support.scripted import Answer, ScriptedServer

Future = asyncio.Future[Any]


def state(future: Any) -> list[str]:
    """All that can be asked of a future, as text."""

    def ask(question: Callable[[], Any]) -> str:
        try:
            return repr(question())
        except BaseException as error:
            return f"raises {type(error).__name__}"

    return [
        ask(future.done),
        ask(future.cancelled),
        ask(future.result),
        ask(lambda: type(future.exception()).__name__),
        ask(lambda: asyncio.isfuture(future)),
        ask(lambda: future.get_loop() is asyncio.get_running_loop()),
    ]


# ---- the future's own methods -------------------------------------------------------------------


def test_states_are_those_of_a_future(run: Runner, fake: ScriptedServer) -> None:
    async def main() -> None:
        async with held(fake) as here:
            loop = asyncio.get_running_loop()
            model: Future = loop.create_future()
            call = here.get()
            assert state(call) == state(model)
            model.set_result(b"A")
            here.open()
            assert await call == b"A"
            assert state(call) == state(model)
            assert call.cancel() is model.cancel() is False
            assert state(call) == state(model)

    run(main)


def test_states_of_a_failed_call(run: Runner, fake: ScriptedServer) -> None:
    async def main() -> None:
        async with held(fake) as here:
            here.open()
            model: Future = asyncio.get_running_loop().create_future()
            model.set_exception(kvwire.ServerError("WRONGTYPE bad key"))
            call = here.get("bad")
            with pytest.raises(kvwire.ServerError, match="WRONGTYPE"):
                await call
            assert state(call) == state(model)
            assert call.cancel() is model.cancel() is False
            assert str(call.exception()) == "WRONGTYPE bad key"

    run(main)


def test_states_of_a_cancelled_call(run: Runner, fake: ScriptedServer) -> None:
    async def main() -> None:
        async with held(fake) as here:
            model: Future = asyncio.get_running_loop().create_future()
            call = here.get()
            assert call.cancel("why") is model.cancel("why") is True
            assert call.cancel() is model.cancel() is False
            assert state(call) == state(model)
            for future in (call, model):
                with pytest.raises(asyncio.CancelledError) as caught:
                    await future
                assert caught.value.args == ("why",)
                with pytest.raises(asyncio.CancelledError):
                    future.exception()
            here.open()
            assert await here.kv.get("next") == b"NEXT"
            assert state(call) == state(model)

    run(main)


def test_callbacks(run: Runner, fake: ScriptedServer) -> None:
    """Called once and in order by the loop, with the awaitable; never from where they are added."""

    async def main() -> None:
        async with held(fake) as here:
            seen: list[Any] = []
            call = here.get()

            def first(future: Any) -> None:
                seen.append(("first", future.result()))

            def second(future: Any) -> None:
                seen.append(("second", future is call))

            def removed(future: Any) -> None:
                seen.append("removed")

            assert call.add_done_callback(removed) is None
            call.add_done_callback(first)
            call.add_done_callback(removed)
            call.add_done_callback(second)
            call.add_done_callback(second)
            assert call.remove_done_callback(removed) == 2
            assert call.remove_done_callback(removed) == 0
            here.open()
            assert await call == b"A"
            await asyncio.sleep(0)
            assert seen == [("first", b"A"), ("second", True), ("second", True)]

            seen.clear()
            call.add_done_callback(first)
            assert seen == []
            await asyncio.sleep(0)
            assert seen == [("first", b"A")]

    run(main)


def test_callbacks_of_a_cancelled_call(run: Runner, fake: ScriptedServer) -> None:
    async def main() -> None:
        async with held(fake) as here:
            seen: list[bool] = []
            call = here.get()
            call.add_done_callback(lambda future: seen.append(future.cancelled()))
            call.cancel()
            assert seen == []
            await asyncio.sleep(0)
            assert seen == [True]
            here.open()
            assert await here.kv.get("next") == b"NEXT"
            assert seen == [True]

    run(main)


def test_callback_that_raises_is_reported(run: Runner, fake: ScriptedServer) -> None:
    async def main() -> None:
        async with held(fake) as here:

            def bad(future: Any) -> None:
                raise ZeroDivisionError

            call = here.get()
            calls = [here.get() for _ in range(3)]
            call.add_done_callback(bad)
            here.open()
            assert await asyncio.gather(call, *calls) == [b"A"] * 4
            await asyncio.sleep(0)
            assert await here.kv.get("next") == b"NEXT"

    run(main)
    (report,) = run.reported
    assert isinstance(report["exception"], ZeroDivisionError)
    run.reported.clear()


def test_callback_contexts(run: Runner, fake: ScriptedServer) -> None:
    var: contextvars.ContextVar[str] = contextvars.ContextVar("var", default="none")

    async def main() -> None:
        async with held(fake) as here:
            seen: list[str] = []

            def note(future: Any) -> None:
                seen.append(var.get())

            call = here.get()
            special = contextvars.copy_context()
            special.run(var.set, "special")
            var.set("adder")
            call.add_done_callback(note, context=special)
            call.add_done_callback(note)
            var.set("later")
            here.open()
            await call
            await asyncio.sleep(0)
            assert seen == ["special", "adder"]

    run(main)


def test_callback_may_use_the_client(run: Runner, fake: ScriptedServer) -> None:
    async def main() -> None:
        async with held(fake) as here:
            further: list[Any] = []
            call = here.get()
            call.add_done_callback(lambda future: further.append(here.kv.get("next")))
            call.add_done_callback(lambda future: further.append(here.kv.get("next")))
            here.open()
            await call
            await asyncio.sleep(0)
            assert await asyncio.gather(*further) == [b"NEXT", b"NEXT"]

    run(main)


def test_repr_and_weak_references(run: Runner, fake: ScriptedServer) -> None:
    async def main() -> None:
        async with held(fake) as here:
            pending, cancelled = here.get(), here.get()
            cancelled.cancel()
            assert "pending" in repr(pending).lower()
            assert "cancelled" in repr(cancelled).lower()
            here.open()
            await pending
            assert isinstance(repr(pending), str)
            gone = weakref.ref(pending)
            del pending
            await asyncio.sleep(0)  # a wake-up holds its calls until it is over
            gc.collect()
            assert gone() is None

    run(main)


def test_coroutine_driven_by_hand(run: Runner, fake: ScriptedServer) -> None:
    """What asyncio's Task does with a coroutine that awaits, and what other drivers may do."""

    async def main() -> None:
        async with held(fake) as here:
            call = here.get()
            coroutine = outcome(call)
            assert coroutine.send(None) is call
            here.open()
            async with asyncio.timeout(5):
                while not call.done():
                    await asyncio.sleep(0.001)
            with pytest.raises(StopIteration) as stop:
                coroutine.send(None)
            assert stop.value.value == b"A"

            here.shut()
            coroutine = outcome(here.get())
            coroutine.send(None)
            with pytest.raises(ZeroDivisionError):
                coroutine.throw(ZeroDivisionError())
            coroutine = outcome(here.get())
            coroutine.send(None)
            coroutine.close()
            here.open()
            assert await here.kv.get("next") == b"NEXT"

    run(main)


def test_awaiting_a_pending_call_wrongly_is_an_error(run: Runner, fake: ScriptedServer) -> None:
    """As a Future: resumed before it is done, it complains instead of giving nothing."""

    async def main() -> None:
        async with held(fake) as here:
            steps = here.get().__await__()
            next(steps)
            with pytest.raises(RuntimeError):
                next(steps)
            here.open()
            assert await here.kv.get("next") == b"NEXT"

    run(main)


# ---- awaiting -----------------------------------------------------------------------------------


def test_await_again(run: Runner, fake: ScriptedServer) -> None:
    async def main() -> None:
        async with held(fake) as here:
            here.open()
            call, bad = here.get(), here.get("bad")
            assert [await call, await call] == [b"A", b"A"]
            for _ in range(2):
                with pytest.raises(kvwire.ServerError, match="bad key"):
                    await bad
        assert await call == b"A"

    run(main)


@pytest.mark.parametrize("key", ["k", "bad", "null"])
def test_many_awaiters_of_one_call(run: Runner, fake: ScriptedServer, key: str) -> None:
    async def main() -> None:
        async with held(fake) as here:
            call = here.get(key)
            tasks = [asyncio.create_task(outcome(call)) for _ in range(5)]
            await asyncio.sleep(0)
            here.open()
            results = await asyncio.gather(*tasks, return_exceptions=True)
            if key == "bad":
                assert {str(result) for result in results} == {"WRONGTYPE bad key"}
            else:
                assert results == [None if key == "null" else b"A"] * 5
            assert len(fake.received("GET", key)) == 1

    run(main)


def test_one_of_two_awaiters_is_cancelled(run: Runner, fake: ScriptedServer) -> None:
    """Cancelling a task cancels what it awaits, so the other awaiter is told, as with a Future."""

    async def main() -> None:
        async with held(fake) as here:
            for future in (here.get(), asyncio.get_running_loop().create_future()):
                first, second = (asyncio.create_task(outcome(future)) for _ in range(2))
                await asyncio.sleep(0)
                first.cancel()
                results = await asyncio.gather(first, second, return_exceptions=True)
                assert [type(result) for result in results] == [asyncio.CancelledError] * 2
                assert future.cancelled()
            here.open()
            assert await here.kv.get("next") == b"NEXT"

    run(main)


def test_never_awaited_is_sent(run: Runner, fake: ScriptedServer) -> None:
    fake.on("SET", answer=Answer(b"+OK\r\n"))

    async def main() -> None:
        async with kvwire.AsyncValkey(fake.url) as kv:
            kv.set("dropped", 1)
            kept: Any = kv.set("kept", 1)
            assert await kv.get("next") == b"NEXT"
            assert kept.done()
        gc.collect()

    run(main)
    assert [command[1] for command in fake.received("SET")] == [b"dropped", b"kept"]


def test_error_that_nobody_saw_is_reported_once(run: Runner, fake: ScriptedServer) -> None:
    async def main() -> None:
        async with held(fake) as here:
            here.open()
            here.get("bad")
            assert await here.kv.get("next") == b"NEXT"
            gc.collect()
            await asyncio.sleep(0)
            seen = len(run.reported)
            assert seen <= 1

            looks: list[Callable[[Any], Any]] = [
                lambda call: call.exception(),
                lambda call: call.add_done_callback(lambda call: call.exception()),
            ]
            for look in looks:
                call = here.get("bad")
                await asyncio.wait([call])
                look(call)
                await asyncio.sleep(0)
                del call
            gc.collect()
            assert len(run.reported) == seen

    run(main)
    for report in run.reported:
        assert isinstance(report["exception"], kvwire.ServerError)
    run.reported.clear()


def test_value_that_somebody_keeps_stays_as_it_is(run: Runner, fake: ScriptedServer) -> None:
    """The StopIteration behind a result is used again, unless somebody still holds it."""
    for name in ("a", "b", "c"):
        fake.on("GET", name, answer=Answer(b"$1\r\n%b\r\n" % name.encode()))

    async def main() -> None:
        async with kvwire.AsyncValkey(fake.url) as kv:
            kept = []
            for name in ("a", "b"):
                call: Any = kv.get(name)
                async with asyncio.timeout(5):
                    while not call.done():
                        await asyncio.sleep(0.001)
                with pytest.raises(StopIteration) as stop:
                    next(iter(call))
                kept.append(stop.value)
                assert await kv.get("c") == b"c"
            assert [stop.value for stop in kept] == [b"a", b"b"]

            # What somebody has done to one is not seen on the next, and no other call's value is.
            kept.clear()
            for name in ("a", "b"):
                call = kv.get(name)
                async with asyncio.timeout(5):
                    while not call.done():
                        await asyncio.sleep(0.001)
                try:
                    next(iter(call))
                except StopIteration as caught:
                    assert caught.value == name.encode()
                    assert caught.args in ((), (name.encode(),))
                    assert not vars(caught) and caught.__context__ is None
                    caught.add_note("seen")
                    caught.mine = 1  # type: ignore[attr-defined]

    run(main)


@pytest.mark.parametrize("protocol", [2, 3])
def test_results_of_every_kind(run: Runner, fake: ScriptedServer, protocol: int) -> None:
    """Tuples and exceptions travel in StopIteration, which treats them in a way of its own."""
    error = b"-ERR x\r\n"

    async def main() -> None:
        async with kvwire.AsyncValkey(fake.url, protocol=protocol) as kv:
            fake.on("SCAN", answer=Answer(b"*2\r\n$1\r\n7\r\n*1\r\n$1\r\na\r\n"))
            assert await kv.scan() == (7, [b"a"])
            call = kv.scan()
            tasks = [asyncio.create_task(outcome(call)) for _ in range(2)]
            assert await asyncio.gather(*tasks) == [(7, [b"a"])] * 2
            assert await asyncio.wait_for(kv.scan(), 5) == (7, [b"a"])

            fake.on("GET", "k", answer=Answer(b"*2\r\n" + error + b":1\r\n"))
            first, second = await kv.execute("GET", "k")
            assert isinstance(first, kvwire.ServerError) and second == 1

            fake.on("GET", "one-error", answer=Answer(b"*1\r\n" + error))
            (only,) = await kv.execute("GET", "one-error")
            assert isinstance(only, kvwire.ServerError)

            pipe = kv.pipeline()
            fake.on("GET", "bad", answer=Answer(error))
            (only,) = await pipe.get("bad").execute(raise_on_error=False)
            assert isinstance(only, kvwire.ServerError)

            fake.on("GET", "empty", answer=Answer(b"*0\r\n"))
            assert await kv.execute("GET", "empty") == []
            fake.on("GET", "null", answer=Answer(b"$-1\r\n"))
            assert await kv.get("null") is None

    run(main)


def test_exception_has_the_awaiters_traceback(run: Runner, fake: ScriptedServer) -> None:
    async def main() -> None:
        async with held(fake) as here:
            here.open()
            call = here.get("bad")
            lengths = []
            for _ in range(3):
                try:
                    await call
                except kvwire.ServerError as error:
                    frames = traceback.extract_tb(error.__traceback__)
                    lengths.append(len(frames))
                    assert any(frame.name == "main" for frame in frames)
            assert lengths == [1, 1, 1]

    run(main)


def test_failed_call_leaves_no_cycle(run: Runner, fake: ScriptedServer) -> None:
    """An exception, its frame and the call in that frame: collected as soon as they are left."""

    class Mark:
        pass

    async def main() -> None:
        async with held(fake) as here:
            here.open()

            async def fails() -> weakref.ref[Mark]:
                mark = Mark()
                try:
                    await here.get("bad")
                except kvwire.ServerError:
                    return weakref.ref(mark)
                raise AssertionError

            gone = await fails()
            await asyncio.sleep(0)
            gc.collect()
            assert gone() is None

    run(main)
