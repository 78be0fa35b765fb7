"""What asyncio has for waiting works on a call's awaitable as on a Future."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

import kvwire
from tests.support.held import held, outcome
from tests.support.loops import Runner
from tests.support.scripted import ScriptedServer


def test_timeout(run: Runner, fake: ScriptedServer) -> None:
    async def main() -> None:
        async with held(fake) as here:
            with pytest.raises(TimeoutError):
                async with asyncio.timeout(0.01):
                    await here.get()
            async with asyncio.timeout(5):
                here.open()
                assert await here.get() == b"A"
            with pytest.raises(TimeoutError):
                async with asyncio.timeout(0):
                    await here.get()
                    await asyncio.sleep(1)
            assert await here.kv.get("next") == b"NEXT"

    run(main)


def test_wait_for(run: Runner, fake: ScriptedServer) -> None:
    async def main() -> None:
        async with held(fake) as here:
            call = here.get()
            for timeout in (0.01, 0):
                with pytest.raises(TimeoutError):
                    await asyncio.wait_for(here.get(), timeout)
            with pytest.raises(TimeoutError):
                await asyncio.wait_for(call, 0.01)
            assert call.cancelled()
            here.open()
            assert await asyncio.wait_for(here.get(), 5) == b"A"
            assert await asyncio.wait_for(here.get(), None) == b"A"
            done = here.get()
            await done
            assert await asyncio.wait_for(done, 0) == b"A"
            with pytest.raises(kvwire.ServerError):
                await asyncio.wait_for(here.get("bad"), 5)

    run(main)


def test_wait_for_cancelled_from_outside(run: Runner, fake: ScriptedServer) -> None:
    async def main() -> None:
        async with held(fake) as here:
            call = here.get()
            task = asyncio.create_task(asyncio.wait_for(call, 5))
            await asyncio.sleep(0)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            assert call.cancelled()
            here.open()
            assert await here.kv.get("next") == b"NEXT"

    run(main)


def test_gather(run: Runner, fake: ScriptedServer) -> None:
    async def main() -> None:
        async with held(fake) as here:
            call = here.get()
            together = asyncio.gather(call, here.get("null"), call, outcome(here.get()))
            await asyncio.sleep(0)
            here.open()
            assert list(await together) == [b"A", None, b"A", b"A"]
            with pytest.raises(kvwire.ServerError):
                await asyncio.gather(here.get(), here.get("bad"), here.get())
            mixed = await asyncio.gather(here.get(), here.get("bad"), return_exceptions=True)
            assert mixed[0] == b"A"
            assert isinstance(mixed[1], kvwire.ServerError)

    run(main)


def test_gather_cancelled(run: Runner, fake: ScriptedServer) -> None:
    async def main() -> None:
        async with held(fake) as here:
            calls = [here.get() for _ in range(3)]
            together = asyncio.gather(*calls)
            await asyncio.sleep(0)
            together.cancel()
            with pytest.raises(asyncio.CancelledError):
                await together
            assert all(call.cancelled() for call in calls)

            calls = [here.get() for _ in range(3)]
            kept = asyncio.gather(*calls, return_exceptions=True)
            calls[1].cancel()
            here.open()
            results = await kept
            assert results[0] == results[2] == b"A"
            assert isinstance(results[1], asyncio.CancelledError)

    run(main)


def test_wait(run: Runner, fake: ScriptedServer) -> None:
    async def main() -> None:
        async with held(fake) as here:
            quick = here.kv.get("next")
            slow = here.get()
            done, pending = await asyncio.wait(
                [quick, slow], return_when=asyncio.FIRST_COMPLETED, timeout=5
            )
            assert (done, pending) == ({quick}, {slow})
            done, pending = await asyncio.wait([slow], timeout=0.01)
            assert (done, pending) == (set(), {slow})
            bad = here.get("bad")
            here.open()
            done, pending = await asyncio.wait([slow, bad], return_when=asyncio.FIRST_EXCEPTION)
            assert done == {slow, bad}
            assert slow.result() == b"A"
            with pytest.raises(kvwire.ServerError):
                bad.result()
            done, pending = await asyncio.wait([slow, bad])
            assert (done, pending) == ({slow, bad}, set())

    run(main)


def test_shield(run: Runner, fake: ScriptedServer) -> None:
    async def main() -> None:
        async with held(fake) as here:
            call = here.get()
            with pytest.raises(TimeoutError):
                async with asyncio.timeout(0.01):
                    await asyncio.shield(call)
            assert not call.done()
            here.open()
            assert await call == b"A"
            assert await asyncio.shield(here.get()) == b"A"
            with pytest.raises(kvwire.ServerError):
                await asyncio.shield(here.get("bad"))

    run(main)


def test_task_group(run: Runner, fake: ScriptedServer) -> None:
    async def main() -> None:
        async with held(fake) as here:
            waits = []
            with pytest.raises(ExceptionGroup) as caught:
                async with asyncio.TaskGroup() as group:
                    waits += [group.create_task(outcome(here.get())) for _ in range(3)]
                    await asyncio.sleep(0)
                    raise ZeroDivisionError
            assert caught.group_contains(ZeroDivisionError)
            assert all(task.cancelled() for task in waits)
            here.open()
            async with asyncio.TaskGroup() as group:
                tasks = [group.create_task(outcome(here.get())) for _ in range(3)]
            assert [task.result() for task in tasks] == [b"A"] * 3
            with pytest.raises(ExceptionGroup) as caught:
                async with asyncio.TaskGroup() as group:
                    group.create_task(outcome(here.get("bad")))
            assert caught.group_contains(kvwire.ServerError)

    run(main)


def test_as_completed(run: Runner, fake: ScriptedServer) -> None:
    async def main() -> None:
        async with held(fake) as here:
            calls = [here.kv.get("next"), here.get(), here.get("null")]
            got = []
            for number, coming in enumerate(asyncio.as_completed(calls, timeout=5)):
                got.append(await coming)
                if number == 0:
                    here.open()
            assert got[0] == b"NEXT"
            assert set(got[1:]) == {None, b"A"}

    run(main)


def test_tasks_want_a_coroutine(run: Runner, fake: ScriptedServer) -> None:
    """create_task takes coroutines only, and says so, as it does for a Future."""

    async def main() -> None:
        async with held(fake) as here:
            here.open()
            loop = asyncio.get_running_loop()
            call = here.get()
            for wants in (asyncio.create_task, loop.create_task):
                with pytest.raises(TypeError):
                    wants(call)
            with pytest.raises(TypeError):
                asyncio.run_coroutine_threadsafe(call, loop)
            with pytest.raises(BaseExceptionGroup) as caught:
                async with asyncio.TaskGroup() as group:
                    group.create_task(call)
            assert caught.group_contains(TypeError)
            assert asyncio.ensure_future(call) is call
            assert asyncio.wrap_future(call) is call
            assert await call == b"A"

    run(main)


def test_run_coroutine_threadsafe(run: Runner, fake: ScriptedServer) -> None:
    async def main() -> None:
        async with held(fake) as here:
            here.open()
            loop = asyncio.get_running_loop()

            async def work() -> Any:
                return await here.get()

            def elsewhere() -> Any:
                return asyncio.run_coroutine_threadsafe(work(), loop).result(5)

            assert (
                await asyncio.gather(*(asyncio.to_thread(elsewhere) for _ in range(8)))
                == [b"A"] * 8
            )

    run(main)
