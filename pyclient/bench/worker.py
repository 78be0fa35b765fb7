"""One measurement in a process of its own: reads a job as JSON, writes a sample as JSON.

It is run as a file, not as part of the package: `import kvwire` must not count for other clients.
"""

from __future__ import annotations

import asyncio
import gc
import importlib.util
import json
import os
import resource
import sys
import threading
from collections.abc import Callable, Coroutine
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .clients import Calls
    from .model import Job, Sample
    from .wire import Control
    from .works import Plan

# A client that fails this often in a run is broken; the rest would only take time.
ERRORS_MAX = 100


class Errors:
    """The errors of the measured operations."""

    def __init__(self) -> None:
        self.count = 0
        self.first = ""

    def add(self, error: Exception) -> None:
        self.count += 1
        self.first = self.first or describe(error)
        if self.count > ERRORS_MAX:
            raise error


def describe(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}".strip().splitlines()[0][:200]


def resident_mib() -> float:
    """The memory of this process that is resident now."""
    gc.collect()
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[1])
    except OSError:
        # Without /proc the peak is all there is (macOS counts it in bytes).
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    return pages * resource.getpagesize() / 2**20


class Meter:
    """Wall and CPU time between two moments, all threads of the process included."""

    def __init__(self) -> None:
        self.usage = resource.getrusage(resource.RUSAGE_SELF)
        self.started = perf_counter()

    def stop(self, ops: int, sample: Sample) -> None:
        wall = perf_counter() - self.started
        usage = resource.getrusage(resource.RUSAGE_SELF)
        sample.ops = ops
        sample.wall_us = wall / ops * 1e6
        sample.user_us = (usage.ru_utime - self.usage.ru_utime) / ops * 1e6
        sample.sys_us = (usage.ru_stime - self.usage.ru_stime) / ops * 1e6


async def drive_async(plan: Plan, calls: Calls, ops: int, workers: int, errors: Errors) -> None:
    """Run `ops` operations, shared out among the tasks."""

    async def task(worker: int, share: int) -> None:
        loop, args = plan.loop(calls, worker, share)
        while True:
            try:
                await loop(*args)
                return
            except Exception as error:
                errors.add(error)

    if workers == 1:
        await task(0, ops)
    else:
        await asyncio.gather(*[task(worker, ops // workers) for worker in range(workers)])


def drive_sync(plan: Plan, calls: Calls, ops: int, workers: int, errors: Errors) -> None:
    """Run `ops` operations, shared out among the threads."""

    def thread(worker: int, share: int) -> None:
        loop, args = plan.loop(calls, worker, share)
        while True:
            try:
                loop(*args)
                return
            except Exception as error:
                errors.add(error)

    if workers == 1:
        thread(0, ops)
        return
    failures: list[BaseException] = []

    def guarded(worker: int) -> None:
        try:
            thread(worker, ops // workers)
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=guarded, args=(worker,)) for worker in range(workers)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    if failures:
        raise failures[0]


async def measure(
    job: Job,
    plan: Plan,
    control: Control,
    verify: Callable[[], Coroutine[Any, Any, None]],
    drive: Callable[[int, Errors], Coroutine[Any, Any, None]],
) -> Sample:
    """Check, warm up, measure, check again. For a synchronous client nothing here suspends."""
    from .model import BenchError, Sample

    workers = job.case.workers
    unit = workers * plan.width

    def whole(ops: float) -> int:
        return max(1, round(ops / unit)) * unit

    errors = Errors()
    control.send_all(plan.fill())
    await verify()
    # The first operations connect and fill caches. Then warm up in growing steps, which also tells
    # how many operations fill the time.
    ops = done = whole(unit)
    await drive(ops, errors)
    enough = max(0.02, job.seconds / 5)
    while True:
        started = perf_counter()
        await drive(ops, errors)
        taken = perf_counter() - started
        done += ops
        if done >= job.warm_ops and (taken >= enough or job.ops):
            break
        ops = whole(min(ops * 10, ops * enough / max(taken, 1e-6) * 1.2))
    count = whole(job.ops or ops / taken * job.seconds)

    sample = Sample()
    server_before = control.cpu_seconds()
    served_before = int(control.info("stats")["total_commands_processed"])
    errors = Errors()
    sample.rss_base_mib = resident_mib()
    meter = Meter()
    await drive(count, errors)
    meter.stop(count, sample)
    sample.rss_growth_mib = resident_mib() - sample.rss_base_mib
    sample.server_us = (control.cpu_seconds() - server_before) / count * 1e6
    served = int(control.info("stats")["total_commands_processed"]) - served_before
    sample.errors, sample.error = errors.count, errors.first
    if served < count - errors.count:
        raise BenchError(f"only {served} of {count} operations reached the server")
    control.send_all(plan.fill())
    await verify()
    return sample


def run(job: Job) -> Sample:
    """Measure what the job says."""
    from .clients import CLIENTS
    from .model import BenchError
    from .wire import Control
    from .works import Plan, run_sync

    case = job.case
    if job.cpu >= 0:
        os.sched_setaffinity(0, {job.cpu})
    client = CLIENTS[job.client]
    plan = Plan(case.work, case.size, case.workers, sync=case.face == "sync")
    samples: list[Sample] = []

    async def with_async(control: Control) -> None:
        assert client.open_async is not None
        async with client.open_async(job.url, case.workers) as calls:

            async def drive(ops: int, errors: Errors) -> None:
                await drive_async(plan, calls, ops, case.workers, errors)

            samples.append(await measure(job, plan, control, lambda: plan.verify(calls), drive))

    async def with_sync(control: Control) -> None:
        assert client.open_sync is not None
        with client.open_sync(job.url, case.workers) as calls:

            async def drive(ops: int, errors: Errors) -> None:
                drive_sync(plan, calls, ops, case.workers, errors)

            samples.append(await measure(job, plan, control, lambda: plan.verify(calls), drive))

    with Control(job.control_url) as control:
        try:
            if case.face == "sync":
                run_sync(with_sync(control))
            else:
                factory: Any = None
                if case.loop == "uvloop":
                    factory = importlib.import_module("uvloop").new_event_loop
                with asyncio.Runner(loop_factory=factory) as runner:
                    runner.run(with_async(control))
        finally:
            control.send_all(plan.clear())
    if not samples:
        raise BenchError("the client ended the run")
    return samples[0]


def main() -> None:
    """Read a job from standard input; the sample goes to what is standard output at the start.

    Whatever a client prints goes to standard error instead.
    """
    from dataclasses import asdict

    from .model import BenchError, Job, Sample

    output = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    job = Job.from_dict(json.load(sys.stdin))
    try:
        sample = run(job)
    except BenchError as error:
        sample = Sample(failed=str(error))
    except Exception as error:
        sample = Sample(failed=describe(error))
    with output:
        json.dump(asdict(sample), output)


def _main_as_file() -> None:
    """Load this directory as a package of another name, then run its `main`."""
    here = Path(__file__).resolve().parent
    name = "kvwire_bench"
    spec = importlib.util.spec_from_file_location(
        name, here / "__init__.py", submodule_search_locations=[str(here)]
    )
    assert spec is not None and spec.loader is not None
    package = importlib.util.module_from_spec(spec)
    sys.modules[name] = package
    spec.loader.exec_module(package)
    importlib.import_module(f"{name}.worker").main()


if __name__ == "__main__":
    _main_as_file()
