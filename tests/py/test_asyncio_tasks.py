"""Tasks that wait for calls: contexts, cancelling, interrupts, and their share of the loop."""

from __future__ import annotations

import asyncio
import contextvars
import threading
from typing import Any

import pytest

import kvwire
from tests.support.held import Held, held, outcome
from tests.support.loops import Runner, new_loop
from tests.support.scripted import Answer, ScriptedServer, in_turn
from tests.support.servers import Server


def test_context_variables(run: Runner, fake: ScriptedServer) -> None:
    """After the await a task sees its own values, and what it sets stays its own."""
    var: contextvars.ContextVar[str] = contextvars.ContextVar("var", default="none")

    async def main() -> None:
        async with held(fake) as here:

            async def task(name: str) -> str:
                var.set(name)
                await here.get()
                assert var.get() == name
                var.set(name + "'")
                await here.kv.get("next")
                assert var.get() == name + "'"
                return name

            names = [f"task {number}" for number in range(50)]
            tasks = [asyncio.create_task(task(name)) for name in names]
            var.set("main")
            await asyncio.sleep(0.01)
            here.open()
            assert await asyncio.gather(*tasks) == names
            assert var.get() == "main"

    run(main)


def test_current_task(run: Runner, fake: ScriptedServer) -> None:
    async def main() -> None:
        async with held(fake) as here:

            async def task() -> bool:
                before = asyncio.current_task()
                await here.get()
                assert asyncio.current_task() is before
                await asyncio.sleep(0)
                await here.kv.get("next")
                return asyncio.current_task() is before

            tasks = [asyncio.create_task(task()) for _ in range(20)]
            await asyncio.sleep(0.01)
            here.open()
            assert all(await asyncio.gather(*tasks))

    run(main)


def test_tasks_made_by_a_resumed_task(run: Runner, fake: ScriptedServer) -> None:
    """With eager tasks their first steps run inside the one that made them."""

    async def main() -> None:
        async with held(fake) as here:

            async def child(depth: int) -> int:
                value = await here.kv.get("next")
                assert value == b"NEXT"
                if not depth:
                    return 1
                async with asyncio.TaskGroup() as group:
                    children = [group.create_task(child(depth - 1)) for _ in range(3)]
                return sum(task.result() for task in children)

            here.open()
            await here.get()
            assert await child(5) == 3**5

    run(main)


def test_cancel_message_and_uncancel(run: Runner, fake: ScriptedServer) -> None:
    async def main() -> None:
        async with held(fake) as here:

            async def stubborn() -> bytes | None:
                try:
                    await here.get()
                except asyncio.CancelledError as error:
                    assert error.args == ("please",)
                    task = asyncio.current_task()
                    assert task is not None
                    task.uncancel()
                value: bytes | None = await here.kv.get("next")
                return value

            task = asyncio.create_task(stubborn())
            await asyncio.sleep(0)
            task.cancel("please")
            await asyncio.sleep(0)
            here.open()
            assert await task == b"NEXT"

    run(main)


def test_cancel_when_the_reply_is_there(run: Runner, fake: ScriptedServer) -> None:
    """Done but not yet resumed: the task is cancelled, the call is not, as with a Future."""

    async def main() -> None:
        async with held(fake) as here:
            call = here.get()
            tasks: list[asyncio.Task[Any]] = []
            call.add_done_callback(lambda future: tasks[0].cancel())
            tasks.append(asyncio.create_task(outcome(call)))
            await asyncio.sleep(0)
            here.open()
            with pytest.raises(asyncio.CancelledError):
                await tasks[0]
            assert call.result() == b"A"
            assert call.cancel() is False

    run(main)


def test_task_that_cancels_its_neighbours(run: Runner, fake: ScriptedServer) -> None:
    """The replies of many tasks come together, and the first to run cancels all the others."""

    async def main() -> None:
        async with held(fake) as here:
            tasks: list[asyncio.Task[Any]] = []

            async def first() -> None:
                await here.get()
                for task in tasks[1:]:
                    task.cancel()

            tasks.append(asyncio.create_task(first()))
            tasks += [asyncio.create_task(outcome(here.get())) for _ in range(20)]
            await here.arrived(21)
            here.open()
            results = await asyncio.gather(*tasks, return_exceptions=True)
            assert results[0] is None
            for result in results[1:]:
                assert isinstance(result, asyncio.CancelledError) or result == b"A"
            assert await here.kv.get("next") == b"NEXT"

    run(main)


def test_task_that_closes_the_client(run: Runner, fake: ScriptedServer) -> None:
    """The same with aclose(): every call ends, with its value or an error."""

    async def main() -> None:
        async with held(fake) as here:

            async def first() -> None:
                await here.get()
                await here.kv.aclose()

            tasks = [asyncio.create_task(first())]
            tasks += [asyncio.create_task(outcome(here.get())) for _ in range(20)]
            await here.arrived(21)
            here.open()
            results: list[Any] = await asyncio.gather(*tasks, return_exceptions=True)
            assert results[0] is None
            for result in results[1:]:
                assert isinstance(result, kvwire.ConnectionError) or result == b"A"

    run(main)


def test_task_that_drives_the_loop_badly(run: Runner, fake: ScriptedServer) -> None:
    """A resumed task that raises, and one that never awaits again, disturb nobody."""

    async def main() -> None:
        async with held(fake) as here:

            async def raises() -> None:
                await here.get()
                raise ZeroDivisionError

            tasks = [asyncio.create_task(raises()) for _ in range(3)]
            tasks += [asyncio.create_task(outcome(here.get())) for _ in range(3)]
            await here.arrived(6)
            here.open()
            results = await asyncio.gather(*tasks, return_exceptions=True)
            assert [type(result) for result in results] == [ZeroDivisionError] * 3 + [bytes] * 3

    run(main)


@pytest.mark.parametrize("kind", [KeyboardInterrupt, SystemExit])
@pytest.mark.parametrize("at", [0, 10, 19])
def test_interrupt_leaves_the_others_waiting_rightly(
    run: Runner, fake: ScriptedServer, kind: type[BaseException], at: int
) -> None:
    """One of many resumed tasks raises what ends the loop: the rest complete when it runs on."""
    reported: list[Any] = []
    loop = new_loop(run.kind)
    loop.set_debug(run.kind == "debug")
    loop.set_exception_handler(lambda loop, context: reported.append(context))
    try:
        kv = kvwire.AsyncValkey(fake.url)
        here = Held(fake, kv)
        tasks: list[asyncio.Task[Any]] = []

        async def interrupts() -> None:
            await here.get()
            raise kind

        async def start() -> None:
            await kv.connect()
            for number in range(20):
                coroutine = interrupts() if number == at else outcome(here.get())
                tasks.append(asyncio.create_task(coroutine))
            await here.arrived(20)
            here.open()
            await asyncio.gather(*tasks[:at], *tasks[at + 1 :])
            await asyncio.Event().wait()

        starter = loop.create_task(start())
        with pytest.raises(kind):
            loop.run_until_complete(starter)

        async def finish() -> None:
            others = tasks[:at] + tasks[at + 1 :]
            async with asyncio.timeout(5):
                assert await asyncio.gather(*others) == [b"A"] * 19
                assert await kv.get("next") == b"NEXT"
            assert isinstance(tasks[at].exception(), kind)
            starter.cancel()
            await asyncio.gather(starter, return_exceptions=True)
            await kv.aclose()

        loop.run_until_complete(finish())
    finally:
        loop.run_until_complete(loop.shutdown_default_executor())
        loop.close()
    assert not reported


def test_interrupt_after_closing(run: Runner, fake: ScriptedServer) -> None:
    """A task closes the client and ends the program; what came with its reply is not lost."""
    reply = b"$1\r\nA\r\n"
    gate = fake.gate()
    fake.on("GET", "a", answer=Answer(reply * 3, after=3, gate=gate))
    for key in "bc":
        fake.on("GET", key, answer=Answer())

    loop = new_loop(run.kind)
    if run.kind == "debug":
        loop.set_debug(True)
    try:
        kv = kvwire.AsyncValkey(fake.url)

        async def first(call: Any) -> None:
            await call
            await kv.aclose()
            raise SystemExit

        async def start() -> list[Any]:
            assert await kv.get("next") == b"NEXT"
            calls: list[Any] = [kv.get(key) for key in "abc"]
            others = [asyncio.create_task(outcome(call)) for call in calls[1:]]
            await asyncio.sleep(0)
            return [*others, asyncio.create_task(first(calls[0]))]

        *others, _ = loop.run_until_complete(start())
        gate.open()
        with pytest.raises(SystemExit):
            loop.run_forever()

        async def finish() -> list[Any]:
            async with asyncio.timeout(5):
                return await asyncio.gather(*others, return_exceptions=True)

        for value in loop.run_until_complete(finish()):
            assert value == b"A" or isinstance(value, kvwire.ConnectionError)
    finally:
        loop.close()


def test_interrupt_from_a_callback(run: Runner, fake: ScriptedServer) -> None:
    loop = new_loop(run.kind)
    try:
        kv = kvwire.AsyncValkey(fake.url)
        here = Held(fake, kv)
        calls: list[Any] = []

        def interrupt(future: Any) -> None:
            raise KeyboardInterrupt

        async def start() -> None:
            await kv.connect()
            calls.extend(here.get() for _ in range(10))
            calls[4].add_done_callback(interrupt)
            here.open()
            await asyncio.sleep(5)

        starter = loop.create_task(start())
        with pytest.raises(KeyboardInterrupt):
            loop.run_until_complete(starter)

        async def finish() -> None:
            starter.cancel()
            async with asyncio.timeout(5):
                assert await asyncio.gather(*calls) == [b"A"] * 10
            await asyncio.gather(starter, return_exceptions=True)
            await kv.aclose()

        loop.run_until_complete(finish())
    finally:
        loop.close()


def test_fairness(run: Runner, server: Server) -> None:
    """However many replies come at once, other callbacks of the loop run between them."""
    count = 3_000 if run.kind == "debug" else 20_000

    async def main() -> None:
        async with kvwire.AsyncValkey(server.url) as kv:
            await kv.set("k", "v")
            completed = ticks = longest = since = 0

            def tick() -> None:
                nonlocal ticks, since
                ticks += 1
                since = completed
                if completed < count:
                    asyncio.get_running_loop().call_soon(tick)

            async def work() -> None:
                nonlocal completed, longest
                await kv.get("k")
                completed += 1
                longest = max(longest, completed - since)

            tasks = [asyncio.create_task(work()) for _ in range(count)]
            await asyncio.sleep(0)
            asyncio.get_running_loop().call_soon(tick)
            await asyncio.gather(*tasks)
            # The bound is the client's; what matters is that it is far below all of them.
            assert longest <= 1024, f"{longest} of {count} calls completed in one go"

    run(main)


def test_slow_tasks_do_not_starve_timers(run: Runner, fake: ScriptedServer) -> None:
    """A task that calls again as soon as it is answered leaves the loop to others."""
    stop = threading.Event()

    async def main() -> None:
        async with kvwire.AsyncValkey(fake.url) as kv:

            async def greedy() -> int:
                calls = 0
                while not stop.is_set():
                    assert await kv.get("next") == b"NEXT"
                    calls += 1
                return calls

            tasks = [asyncio.create_task(greedy()) for _ in range(10)]
            await asyncio.sleep(0.1)
            stop.set()
            assert min(await asyncio.gather(*tasks)) > 0

    run(main)


def test_context_of_another_type(run: Runner, redis: Server) -> None:
    """asyncio asks no more of a task's context than that it has run()."""
    if run.kind in ("uvloop", "eager"):
        pytest.skip(f"{run.kind} takes no other context than Python's own")

    class Context:
        def __init__(self) -> None:
            self.real = contextvars.copy_context()

        def run(self, call: Any, *args: Any, **options: Any) -> Any:
            return self.real.run(call, *args, **options)

    async def main() -> None:
        loop = asyncio.get_running_loop()
        async with kvwire.AsyncValkey(redis.url) as kv:
            await kv.set("k", "v")

            async def task() -> Any:
                return [await kv.get("k") for _ in range(3)]

            context: Any = Context()
            async with asyncio.timeout(5):
                assert await loop.create_task(task(), context=context) == [b"v"] * 3

    run(main)


def test_large_values_are_handed_over_as_they_come(
    run: Runner, unix_fake: ScriptedServer
) -> None:
    """All three replies have arrived; the first is its task's before the last is taken in, so that
    what the task drops makes room for it."""
    if run.kind == "debug":
        pytest.skip("in debug mode tasks go on in the loop's next turn, not during the hand-over")
    value = b"v" * 50_000
    whole = b"$%d\r\n%s\r\n" % (len(value), value)
    for key, answer in (("1", Answer()), ("2", Answer()), ("3", Answer(whole * 3))):
        unix_fake.on("GET", key, answer=answer)

    async def main() -> None:
        async with kvwire.AsyncValkey(unix_fake.url) as kv:
            assert await kv.get("next") == b"NEXT"
            calls: list[Any] = [kv.get(key) for key in ("1", "2", "3")]

            async def first() -> list[bool]:
                assert await calls[0] == value
                return [call.done() for call in calls]

            task = asyncio.create_task(first())
            await asyncio.sleep(0)
            await asyncio.sleep(0)  # sent
            unix_fake.wait_answered("GET", "3")
            assert await task == [True, False, False]
            assert await asyncio.gather(*calls[1:]) == [value] * 2

    run(main)


def test_loop_that_is_run_from_inside_of_a_task(
    fake: ScriptedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A patched asyncio, as in notebooks, lets a task run its own loop; one that waits for replies
    can do so too."""
    loop: Any = new_loop("asyncio")

    async def main() -> None:
        async with kvwire.AsyncValkey(fake.url, timeout=3) as kv:
            assert await kv.get("next") == b"NEXT"
            monkeypatch.setattr(asyncio, "Task", asyncio.tasks._PyTask)  # type: ignore[attr-defined]
            for _ in range(3):
                assert await kv.get("next") == b"NEXT"
                call: Any = kv.get("next")
                while not call.done():
                    loop._run_once()
                assert call.result() == b"NEXT"

    loop.run_until_complete(main())
    loop.close()


def test_loop_is_named_when_another_one_awaits(run: Runner, fake: ScriptedServer) -> None:
    """A call belongs to its loop: awaiting it in another one is an error, as with a Future."""
    kept: list[Any] = []

    async def main() -> None:
        async with held(fake) as here:
            kept.append(here.get())
            with pytest.raises(RuntimeError):
                await asyncio.to_thread(asyncio.run, outcome(kept[0]))
            here.open()
            assert await here.kv.get("next") == b"NEXT"
            assert kept[0].result() == b"A"

    run(main)


class TaskOfTheirs(asyncio.Task[Any]):
    """Some programs have a class of their own."""


@pytest.mark.parametrize("kind", [TaskOfTheirs, asyncio.tasks._PyTask])  # type: ignore[attr-defined]
def test_tasks_of_other_classes(run: Runner, server: Server, kind: Any) -> None:
    """The short cut for asyncio's own tasks is for these only."""
    var: contextvars.ContextVar[int] = contextvars.ContextVar("var")

    async def main() -> None:
        loop = asyncio.get_running_loop()
        loop.set_task_factory(
            lambda loop, coroutine, **options: kind(coroutine, loop=loop, **options)
        )
        async with kvwire.AsyncValkey(server.url) as kv:

            async def work(number: int) -> None:
                var.set(number)
                for step in range(5):
                    assert await kv.set(f"{number}", step) is True
                    assert await kv.get(f"{number}") == b"%d" % step
                    assert isinstance(asyncio.current_task(), kind)
                assert var.get() == number

            tasks = [asyncio.create_task(work(number)) for number in range(20)]
            assert all(isinstance(task, kind) for task in tasks)
            tasks[7].cancel()
            results = await asyncio.gather(*tasks, return_exceptions=True)
            assert isinstance(results.pop(7), asyncio.CancelledError)
            assert results == [None] * 19
        loop.set_task_factory(None)

    run(main)


def test_calls_want_a_running_loop(fake: ScriptedServer) -> None:
    kv = kvwire.AsyncValkey(fake.url)
    with pytest.raises(RuntimeError, match="running event loop"):
        kv.get("k")
    assert fake.connections == 0


def test_answers_in_turn_go_to_calls_in_turn(run: Runner, fake: ScriptedServer) -> None:
    fake.on("INCR", answer=in_turn(*(Answer(b":%d\r\n" % number) for number in range(1001))))

    async def main() -> None:
        async with kvwire.AsyncValkey(fake.url) as kv:
            calls = [kv.execute("INCR", "k") for _ in range(1000)]
            assert await asyncio.gather(*calls) == list(range(1000))

    run(main)
