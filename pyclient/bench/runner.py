"""Runs the cases: one worker process per client, case and round, the rounds interleaved."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from .clients import Client
from .delay import DelayProxy
from .machine import cores
from .model import BenchError, Case, CaseResult, ClientResult, Job, Sample
from .progress import Progress
from .server import Server
from .wire import Address

WORKER = Path(__file__).with_name("worker.py")


@dataclass(frozen=True)
class Settings:
    """How long and how often to measure."""

    rounds: int = 3
    seconds: float = 1.0
    ops: int = 0
    warm_ops: int = 0

    @property
    def patience(self) -> float:
        """Seconds after which a worker is given up."""
        return 60 + 20 * self.seconds + self.ops / 2000


def run_worker(job: Job, patience: float) -> Sample:
    """Measure in a process of its own. A crash or a hang makes a failed sample."""
    try:
        done = subprocess.run(
            [sys.executable, "-P", str(WORKER)],
            input=json.dumps(job.to_dict()),
            capture_output=True,
            text=True,
            timeout=patience,
            env=worker_environment(),
        )
    except subprocess.TimeoutExpired:
        return Sample(failed=f"no result within {patience:g} s")
    try:
        sample = Sample(**json.loads(done.stdout))
    except ValueError:
        return Sample(failed=_death(done.returncode, done.stderr))
    if done.returncode and not sample.failed:
        sample.errors += 1
        sample.error = sample.error or _death(done.returncode, done.stderr)
    return sample


def worker_environment() -> dict[str, str]:
    """A child's environment in which it finds the same modules as this process does, also when
    this one runs from a source tree."""
    return dict(os.environ, PYTHONPATH=os.pathsep.join(path for path in sys.path if path))


def _death(status: int, stderr: str) -> str:
    how = f"killed by signal {-status}" if status < 0 else f"exit status {status}"
    last = stderr.strip().splitlines()[-1:]
    return ": ".join([how, *last])[:200]


def run_cases(
    cases: Sequence[Case],
    clients: Sequence[Client],
    server: Server,
    settings: Settings,
    progress: Progress,
    done: Callable[[CaseResult], None] = lambda result: None,
) -> list[CaseResult]:
    """All cases in turn; the clients take turns inside each round of a case. `done` gets each case
    as soon as it is complete."""
    results = []
    for case in cases:
        taking_part = clients_of(case, clients)
        result = CaseResult(
            case, {client.name: ClientResult(client.name) for client in taking_part}
        )
        with _surroundings(case, server) as (url, cpu):
            for number in range(settings.rounds):
                for client in taking_part:
                    outcome = result.clients[client.name]
                    if not outcome.failed:
                        progress.show(case.title, client.name)
                        job = Job(
                            client=client.name,
                            case=case,
                            url=url,
                            control_url=server.url,
                            seconds=settings.seconds,
                            ops=settings.ops,
                            warm_ops=settings.warm_ops,
                            cpu=cpu,
                        )
                        sample = run_worker(job, settings.patience)
                        if sample.failed:
                            outcome.failed = sample.failed
                        else:
                            outcome.samples[number] = sample
                    progress.step()
        results.append(result)
        done(result)
    return results


def clients_of(case: Case, clients: Sequence[Client]) -> list[Client]:
    """Those of the clients that can take part in a case here."""
    return [client for client in clients if client.installed(case.face)]


def count_steps(cases: Sequence[Case], clients: Sequence[Client], rounds: int) -> int:
    """How many workers `run_cases` will start."""
    return rounds * sum(len(clients_of(case, clients)) for case in cases)


@contextmanager
def _surroundings(case: Case, server: Server) -> Iterator[tuple[str, int]]:
    """The server's core, the delay proxy: the URL for the client, and its core or -1."""
    available = cores()
    server_cpu, client_cpu = -1, -1
    if case.pinned:
        if len(available) < 2 or not hasattr(os, "sched_setaffinity"):
            raise BenchError("--pin needs Linux and two cores")
        server_cpu, client_cpu = available[0], available[1]
    with ExitStack() as stack:
        if server.pid and hasattr(os, "sched_setaffinity"):
            # Free to move again for the next case that does not ask for a core.
            server.pin({server_cpu} if case.pinned else set(available))
        url = server.url
        if case.delay_ms:
            proxy = DelayProxy(server.host, server.port, case.delay_ms, cpu=server_cpu)
            stack.enter_context(proxy)
            url = Address(server.url).url(proxy.host, proxy.port)
        yield url, client_cpu
