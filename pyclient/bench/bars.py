"""kvwire's own aims, measured in one run: each with its ratio, met or not.

The ratio of a speed bar says how many times kvwire's figure the other's is, so that more is better;
against the C ceiling, and for import and memory, less is better.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import fmean
from typing import Any

from . import report
from .clients import CLIENTS, Client
from .model import MIB, BenchError, Case, CaseResult, Job, Sample
from .progress import Progress
from .runner import Settings, count_steps, run_cases, run_worker, worker_environment
from .server import Server
from .stats import Spread, ratio, spread
from .wire import Control

OURS = "kvwire"
RIVAL = "django-vcache"
RSS_OPS = 1_000_000
IMPORT_RUNS = 15


@dataclass(frozen=True)
class Bar:
    """One aim and what was measured for it."""

    work: str
    against: str
    figure: str
    limit: float
    measured: Spread | None
    unit: str = "x"
    more_is_better: bool = True
    note: str = ""

    @property
    def met(self) -> bool | None:
        """Whether the median keeps the limit; None when nothing was measured."""
        if self.measured is None:
            return None
        if self.more_is_better:
            return self.measured.median >= self.limit
        return self.measured.median <= self.limit

    @property
    def wanted(self) -> str:
        return f"{'>=' if self.more_is_better else '<='} {self.limit:g} {self.unit}"

    def to_json(self) -> dict[str, Any]:
        return {
            "work": self.work,
            "against": self.against,
            "figure": self.figure,
            "limit": self.limit,
            "unit": self.unit,
            "more_is_better": self.more_is_better,
            "measured": self.measured._asdict() if self.measured else None,
            "met": self.met,
            "note": self.note or None,
        }


@dataclass(frozen=True)
class Aim:
    """A case and the ratios to reach in it; `rival` None means the best of all peers."""

    case: Case
    rival: str | None
    cpu: float
    wall: float = 0.0


def aims(loops: Sequence[str]) -> list[Aim]:
    """The speed bars; `loops` are the event loops to measure, the fastest last."""
    many = [Case("mixed", loop=loop) for loop in loops]
    one = [Case("mixed", loop=loop, workers=1, pinned=True) for loop in loops]
    large = [
        Case("get", loop=loops[-1], workers=50, size=16 * 1024),
        Case("get", loop=loops[-1], workers=16, size=MIB),
    ]
    sync = Case("get", face="sync", loop="", workers=1, pinned=True)
    return [
        *(Aim(case, RIVAL, cpu=15, wall=8) for case in many),
        *(Aim(replace(case, delay_ms=1.0), RIVAL, cpu=12, wall=1.4) for case in many),
        *(Aim(case, RIVAL, cpu=1.3) for case in one),
        Aim(large[0], None, cpu=5),
        Aim(large[1], None, cpu=3),
        Aim(sync, None, cpu=1.2),
        Aim(replace(sync, workers=4), None, cpu=1.2),
        Aim(replace(sync, work="mget-1000"), None, cpu=4),
    ]


def run_bars(
    clients: Sequence[Client],
    loops: Sequence[str],
    server: Server,
    settings: Settings,
    ceiling: Path | None,
) -> tuple[list[CaseResult], list[Bar]]:
    """Measure everything and print each bar as soon as it is known."""
    everyone = [CLIENTS[OURS], *(client for client in clients if client.name != OURS)]
    two = [CLIENTS[OURS], CLIENTS[RIVAL]]
    steps = [(aim, two if aim.rival else everyone) for aim in aims(loops)]
    total = sum(count_steps([aim.case], who, settings.rounds) for aim, who in steps)
    results: list[CaseResult] = []
    bars: list[Bar] = []
    with closing(Progress(total + 3 + (ceiling is not None))) as progress:

        def note(found: Iterable[Bar]) -> None:
            progress.close()
            for bar in found:
                bars.append(bar)
                print(line(bar), flush=True)

        for aim, who in steps:
            results += run_cases([aim.case], who, server, settings, progress)
            note(judge(aim, results[-1]))
            if ceiling is not None and aim.case == Case("mixed", loop=loops[-1]):
                note(
                    [judge_ceiling(aim.case, *beside_ceiling(ceiling, aim.case, server, settings))]
                )
                progress.step()
        progress.show("import kvwire", "")
        note(judge_import())
        progress.step()
        for case in (
            Case("blend", loop=loops[-1]),
            Case("blend", face="sync", loop="", workers=4),
        ):
            progress.show(f"memory, {case.title}", OURS)
            note([judge_memory(case, server)])
            progress.step()
    met = sum(1 for bar in bars if bar.met)
    print(f"\n{met} of {len(bars)} bars met")
    return results, bars


# ---- speed ------------------------------------------------------------------------------------


def judge(aim: Aim, result: CaseResult) -> list[Bar]:
    """The bars of one case."""
    rival = aim.rival or best_peer(result)
    ours = result.clients[OURS]
    bars = []
    for figure, limit in (("cpu_us", aim.cpu), ("wall_us", aim.wall)):
        if not limit:
            continue
        measured = report.compare(result, rival, OURS, figure) if rival else None
        problems = [f"{OURS}: {ours.failed or ours.error}"] if ours.failed or ours.errors else []
        if rival and not result.clients[rival].samples:
            problems.append(f"{rival}: {result.clients[rival].failed}")
        bars.append(
            Bar(
                work=aim.case.title,
                against=rival or "best peer",
                figure="CPU" if figure == "cpu_us" else "wall",
                limit=limit,
                measured=None if problems else measured,
                note="; ".join(problems),
            )
        )
    return bars


def best_peer(result: CaseResult) -> str | None:
    """The peer that uses the least CPU; None when no peer has a result."""
    figures = {
        name: found.median
        for name, client in result.clients.items()
        if name != OURS and (found := report.summary(client, "cpu_us")) is not None
    }
    return min(figures, key=lambda name: figures[name]) if figures else None


def beside_ceiling(
    program: Path, case: Case, server: Server, settings: Settings
) -> tuple[dict[int, float], dict[int, float]]:
    """CPU microseconds per operation of kvwire and of bench/c/ceiling.c (the mean of get and set),
    by round, the two taking turns."""
    ours, ceiling = {}, {}
    once = replace(settings, rounds=1)
    for number in range(settings.rounds):
        with closing(Progress(1)) as progress:
            (result,) = run_cases([case], [CLIENTS[OURS]], server, once, progress)
        found = report.summary(result.clients[OURS], "cpu_us")
        if found is not None:
            ours[number] = found.median
        modes = ("get", "set")
        ceiling[number] = fmean(run_ceiling_once(program, server, case, mode) for mode in modes)
    with Control(server.url) as control:
        control.send_all([("DEL", f"k{case.size}:{index}") for index in range(1000)])
    return ours, ceiling


def run_ceiling_once(program: Path, server: Server, case: Case, mode: str) -> float:
    """One run of the program, which prints `get depth 200: cpu 0.188 us (...`."""
    done = subprocess.run(
        [
            *(str(program.resolve()), "--mode", mode, "--depth", str(case.workers)),
            *("--size", str(case.size), server.host, str(server.port)),
        ],
        capture_output=True,
        text=True,
    )
    found = re.search(r"cpu ([\d.]+) us", done.stdout)
    if done.returncode or found is None:
        raise BenchError(f"{program} failed: {(done.stderr or done.stdout).strip()[-200:]}")
    return float(found[1])


def judge_ceiling(case: Case, ours: dict[int, float], ceiling: dict[int, float]) -> Bar:
    """kvwire's CPU against that of the C benchmark at the same depth."""
    measured = ratio(ours, ceiling)
    return Bar(
        work=case.title,
        against="C ceiling",
        figure="CPU",
        limit=3,
        measured=measured,
        more_is_better=False,
        note="" if measured else "the C benchmark gave no figure",
    )


# ---- import and memory ------------------------------------------------------------------------

_IMPORT = """
import json, resource, time
def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * resource.getpagesize()
before = resident()
started = time.perf_counter()
import kvwire
taken = time.perf_counter() - started
print(json.dumps([taken * 1e3, (resident() - before) / 2**20]))
"""


def judge_import() -> list[Bar]:
    """What `import kvwire` adds to a bare interpreter: milliseconds and MiB."""
    figures = []
    for _ in range(IMPORT_RUNS + 1):
        done = subprocess.run(
            [sys.executable, "-P", "-c", _IMPORT],
            capture_output=True,
            text=True,
            env=worker_environment(),
        )
        if done.returncode:
            break
        figures.append(json.loads(done.stdout))
    figures = figures[1:]  # the first one may have compiled the modules
    note = "" if figures else "`import kvwire` failed"
    return [
        Bar(
            work="import kvwire",
            against="bare interpreter",
            figure=figure,
            limit=limit,
            measured=spread(row[column] for row in figures),
            unit=unit,
            more_is_better=False,
            note=note,
        )
        for column, figure, limit, unit in ((0, "time", 8, "ms"), (1, "memory", 2, "MiB"))
    ]


def judge_memory(case: Case, server: Server) -> Bar:
    """How much kvwire's memory grows over a million operations."""
    settings = Settings(ops=RSS_OPS)
    job = Job(
        client=OURS,
        case=case,
        url=server.url,
        control_url=server.url,
        ops=RSS_OPS,
        warm_ops=RSS_OPS // 10,
    )
    return memory_bar(case, run_worker(job, settings.patience))


def memory_bar(case: Case, sample: Sample) -> Bar:
    """The bar for a sample of a long run."""
    problem = sample.failed or sample.error
    return Bar(
        work=f"{case.title}, {sample.ops or RSS_OPS} operations",
        against="itself",
        figure="RSS growth",
        limit=0.3,
        measured=None if problem else spread([sample.rss_growth_mib]),
        unit="MiB",
        more_is_better=False,
        note=problem,
    )


# ---- output -----------------------------------------------------------------------------------


def line(bar: Bar) -> str:
    """One bar as one line."""
    verdict = {True: "met   ", False: "MISSED", None: "no result"}[bar.met]
    measured = "-"
    if bar.measured is not None:
        value = bar.measured
        measured = f"{value.median:.2f} {bar.unit} [{value.low:.2f}..{value.high:.2f}]"
    note = f"  ({bar.note})" if bar.note else ""
    text = f"{bar.work}: {bar.figure} against {bar.against}"
    return f"{verdict}  {text:<74} {measured:>26}, wanted {bar.wanted}{note}"
