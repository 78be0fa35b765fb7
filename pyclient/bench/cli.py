"""The command line of `python -m kvwire bench`."""

from __future__ import annotations

import argparse
import json
import signal
import sys
from collections.abc import Callable, Sequence
from contextlib import closing
from datetime import UTC, datetime
from importlib import metadata
from importlib.util import find_spec
from itertools import product
from pathlib import Path
from types import FrameType
from typing import Any

from . import chart, machine, report
from .bars import Bar, run_bars
from .clients import CLIENTS, Client, choose
from .model import MIB, TASK_COUNT, BenchError, Case, CaseResult, format_size, parse_size
from .progress import Progress
from .runner import Settings, count_steps, run_cases
from .server import Server, open_server
from .works import WORKS, batch_of

# Replies of hundreds of tasks at once must fit into memory.
BATCH_BYTES_MAX = MIB

EXAMPLES = """
examples:
  python -m kvwire bench --quick
  python -m kvwire bench --works all --json results.json --chart results.svg
  python -m kvwire bench --works get --sizes 128,16k,1m --loops uvloop --face async
  python -m kvwire bench --url redis://cache.example:6379/9 --delay 1 --rounds 5

With several works, or with --quick, one loop (uvloop if installed) and 1 and 4 threads are measured
unless told otherwise. An mget is left out where its values would take more than 1 MiB.

Times are microseconds per operation: CPU is what the client's process used, user and system, all
its threads; wall is what passed; server is the server's own CPU. An mget is one operation.
RSS is the memory once warm, growth what the measurement added, in MiB. CPU x and wall x say how
many times the baseline's figure a client's is: the median of the rounds' own ratios.
"""


def parser() -> argparse.ArgumentParser:
    """The arguments and their help."""
    made = argparse.ArgumentParser(
        prog="python -m kvwire bench",
        description="Compare kvwire with the other Redis and Valkey clients installed here.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    what = made.add_argument_group("what to measure")
    what.add_argument("--clients", type=_words, help=f"of {', '.join(CLIENTS)}; all installed ones")
    what.add_argument("--baseline", help="the client that ratios refer to; kvwire, if it runs")
    what.add_argument("--works", type=_words, help=f"of {', '.join(WORKS)}; or all. Default: mixed")
    what.add_argument("--face", choices=("async", "sync", "both"), default="both")
    what.add_argument(
        "--loops", type=_words, help="of asyncio, uvloop; both, or one of several works"
    )
    what.add_argument("--tasks", type=_counts, help="asyncio tasks; 200,1 (50,1 and 16,1 if large)")
    what.add_argument("--threads", type=_counts, help="threads of the sync face; 1,4,16, or 1,4")
    what.add_argument("--sizes", type=_sizes, default=[128], help="value sizes: 128,16k,1m")
    what.add_argument("--delay", type=_delay, default=0.0, metavar="MS", help="add a round trip")
    what.add_argument("--pin", action="store_true", help="server on one core, clients on another")
    what.add_argument("--url", help="the server; else an embedded one is started")
    how = made.add_argument_group("how long")
    how.add_argument(
        "--rounds", type=_positive, help="measurements of each client; 3 (5 for --bars)"
    )
    how.add_argument("--seconds", type=_seconds, help="length of each; 1")
    how.add_argument("--ops", type=_positive, default=0, help="operations of each, instead")
    how.add_argument("--quick", action="store_true", help="few cases, about a minute")
    out = made.add_argument_group("what comes out")
    out.add_argument("--json", type=Path, metavar="FILE", help="everything, every sample")
    out.add_argument("--chart", type=Path, metavar="FILE", help=".svg or .png; needs matplotlib")
    out.add_argument("--bars", action="store_true", help="kvwire's own aims: measured, met or not")
    out.add_argument("--ceiling", type=Path, metavar="PROGRAM", help="the C benchmark, for --bars")
    return made


def main(argv: Sequence[str] | None = None) -> int:
    """Parse, measure, report. 0 when it ran, 1 when a bar was missed, 2 when it could not run."""
    options = parser().parse_args(argv)
    before = signal.signal(signal.SIGTERM, _end)  # so that what was started is stopped, too
    try:
        return run(options)
    except BenchError as error:
        print(f"kvwire bench: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("\nkvwire bench: interrupted", file=sys.stderr)
        return 130
    finally:
        signal.signal(signal.SIGTERM, before)


def _end(number: int, frame: FrameType | None) -> None:
    raise KeyboardInterrupt


def run(options: argparse.Namespace) -> int:
    """Everything behind the argument parser."""
    clients = choose(options.clients)
    if options.baseline and options.baseline not in [client.name for client in clients]:
        raise BenchError(
            f"the baseline {options.baseline!r} is not among the clients: "
            f"{', '.join(client.name for client in clients)}"
        )
    if options.chart:
        chart.check(options.chart)
    if options.json and not options.json.parent.is_dir():
        raise BenchError(f"--json: there is no directory {options.json.parent}")
    if options.bars:
        for name in ("kvwire", "django-vcache"):
            if not CLIENTS[name].installed("async"):
                raise BenchError(f"--bars needs {name}: pip install {CLIENTS[name].install}")
        if options.ceiling and not options.ceiling.is_file():
            raise BenchError(f"--ceiling: there is no program {options.ceiling}")
    settings = Settings(
        rounds=options.rounds or (5 if options.bars else 3),
        seconds=options.seconds or (0.35 if options.quick else 1.0),
        ops=options.ops,
    )
    cases = [] if options.bars else make_cases(options, clients)
    baseline = options.baseline or clients[0].name
    with open_server(options.url) as server:
        _print_head(server, clients, settings, pinned=options.pin or options.bars)
        bars: list[Bar] = []
        if options.bars:
            results, bars = run_bars(
                clients, choose_loops(options.loops), server, settings, options.ceiling
            )
        else:
            with closing(Progress(count_steps(cases, clients, settings.rounds))) as progress:
                show = _printer(progress, baseline)
                results = run_cases(cases, clients, server, settings, progress, show)
    if options.json:
        document = to_document(results, bars, server, settings, baseline)
        options.json.write_text(json.dumps(document, indent=1) + "\n")
    if options.chart:
        chart.draw(results, options.chart, f"{machine.cpu_model()}, {server.name} {server.version}")
    return 1 if any(bar.met is False for bar in bars) else 0


def make_cases(options: argparse.Namespace, clients: Sequence[Client]) -> list[Case]:
    """The product of what was asked for. BenchError for a work or loop that does not exist."""
    works = options.works or ["mixed"]
    if works == ["all"]:
        works = list(WORKS)
    for work in works:
        if work not in WORKS:
            raise BenchError(f"unknown work {work!r}; known are {', '.join(WORKS)}, all")
    # With several works less else is varied, unless told.
    brief = options.quick or len(works) > 1
    loops = choose_loops(options.loops)
    if brief and not options.loops:
        loops = loops[-1:]
    threads = options.threads or ([1, 4] if brief else [1, 4, 16])
    cases = []
    for size, work in product(options.sizes, works):
        if batch_of(work) * size > BATCH_BYTES_MAX:
            continue
        common = {"work": work, "size": size, "delay_ms": options.delay, "pinned": options.pin}
        if options.face != "sync":
            tasks = options.tasks or [task_count(size), 1]
            for loop, workers in product(loops, tasks):
                cases.append(Case(face="async", loop=loop, workers=workers, **common))
        if options.face != "async":
            for workers in threads:
                cases.append(Case(face="sync", loop="", workers=workers, **common))
    if not cases:
        raise BenchError(f"an mget of more than {format_size(BATCH_BYTES_MAX)} is not measured")
    possible = [case for case in cases if any(one.installed(case.face) for one in clients)]
    if not possible:
        raise BenchError(f"none of the clients has a {options.face} face")
    return possible


def choose_loops(names: Sequence[str] | None) -> list[str]:
    """The loops named, or those installed; uvloop last."""
    has_uvloop = find_spec("uvloop") is not None
    if names is None:
        return ["asyncio", "uvloop"] if has_uvloop else ["asyncio"]
    for name in names:
        if name not in ("asyncio", "uvloop"):
            raise BenchError(f"unknown loop {name!r}; known are asyncio, uvloop")
        if name == "uvloop" and not has_uvloop:
            raise BenchError("uvloop is not installed: pip install uvloop")
    return list(names)


def task_count(size: int) -> int:
    """How many tasks at once for values of a size, unless told."""
    fitting = [count for limit, count in TASK_COUNT.items() if limit >= size]
    return fitting[0] if fitting else 4


def to_document(
    results: Sequence[CaseResult],
    bars: Sequence[Bar],
    server: Server,
    settings: Settings,
    baseline: str,
) -> dict[str, Any]:
    """What --json writes."""
    return {
        "schema": report.SCHEMA,
        "taken": datetime.now(UTC).isoformat(timespec="seconds"),
        "machine": machine.describe(),
        "server": {"name": server.name, "version": server.version, "source": server.source},
        "versions": versions(),
        "settings": {
            "rounds": settings.rounds,
            "seconds": settings.seconds,
            "ops": settings.ops or None,
        },
        "cases": report.to_json(results, baseline),
        "bars": [bar.to_json() for bar in bars],
    }


def versions() -> dict[str, str]:
    """The versions of all clients and the loop, as far as installed."""
    known = {}
    for name in sorted({p for client in CLIENTS.values() for p in client.packages} | {"uvloop"}):
        try:
            known[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            continue
    return known


def _print_head(
    server: Server, clients: Sequence[Client], settings: Settings, *, pinned: bool
) -> None:
    about = machine.describe()
    print(f"{about['cpu']}, {about['cores']} cores; Python {about['python']}")
    print(f"{server.name} {server.version} at {server.host}:{server.port} ({server.source})")
    print("; ".join(f"{client.name} {client.version()}" for client in clients))
    absent = [client for client in CLIENTS.values() if client not in clients]
    missing = [one for one in absent if not (one.installed("async") or one.installed("sync"))]
    if missing:
        print(f"not installed: {', '.join(client.name for client in missing)}")
    if pinned and not server.pid:
        print("the server was not started here: only the clients are pinned")
    if settings.rounds < 3:
        print("fewer than 3 rounds: chance may decide")
    print(flush=True)


def _printer(progress: Progress, baseline: str) -> Callable[[CaseResult], None]:
    def show(result: CaseResult) -> None:
        progress.close()
        base = baseline if baseline in result.clients else next(iter(result.clients))
        print(report.table(result, base), end="\n\n", flush=True)

    return show


# ---- argument types ---------------------------------------------------------------------------


def _words(text: str) -> list[str]:
    return [word for word in text.replace(",", " ").split() if word]


def _positive(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"must be a whole number from 1, not {text!r}")
    return int(text)


def _counts(text: str) -> list[int]:
    return [_positive(word) for word in _words(text)]


def _number(text: str, low: float, high: float) -> float:
    try:
        number = float(text)
    except ValueError:
        number = low - 1
    if not low <= number <= high:
        raise argparse.ArgumentTypeError(f"must be a number from {low:g} to {high:g}, not {text!r}")
    return number


def _delay(text: str) -> float:
    return _number(text, 0, 10_000)


def _seconds(text: str) -> float:
    return _number(text, 0.001, 3600)


def _sizes(text: str) -> list[int]:
    try:
        sizes = [parse_size(word) for word in _words(text)]
    except ValueError:
        sizes = [0]
    if not sizes or not 1 <= min(sizes) <= max(sizes) <= 64 * MIB:
        raise argparse.ArgumentTypeError(f"must be sizes from 1 to 64m (128,16k,1m), not {text!r}")
    return sizes
