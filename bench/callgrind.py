"""Counts instructions per operation under valgrind's callgrind and holds them to a budget.

    python bench/callgrind.py            compare with instructions.toml
    python bench/callgrind.py --write    renew it

A count does not depend on what else the machine does. Each workload runs twice, once longer, and
the difference of the two is divided by the difference of their lengths, so that what happens once
(start-up, connecting, filling caches) cancels.

`own` are the instructions in kvwire's module itself: the same under every interpreter, nearly so
under every compiler. `total` is everything in the process, the interpreter and the C library
included; its budget is for one version of CPython, so under another one only `own` is held.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import tomllib
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

from kvwire.bench.server import open_server

HERE = Path(__file__).resolve().parent
BUDGET = HERE / "instructions.toml"
MODULE = "/kvwire/_core."

# A workload, and the two numbers of operations it is run for.
RUNS: dict[str, tuple[int, int]] = {
    "parse-get": (2_000, 12_000),
    "parse-mget-1000": (20, 120),
    "sync-get": (500, 2_500),
    "sync-mget-1000": (20, 120),
    "async-get": (4_000, 20_000),
    "async-set": (4_000, 20_000),
}


class Count(NamedTuple):
    """Instructions of a run, or per operation."""

    own: float
    total: float


def read_profile(text: str) -> Count:
    """The self cost in kvwire's module, and in all of the process, from callgrind's output.

    A cost line is a position and a number; it belongs to the object named last by `ob=`. The line
    behind a `calls=` is what the callee cost and is counted there already. A name is given once,
    `(7) name`, and is `(7)` from then on.
    """
    objects: dict[str, str] = {}
    costs: Counter[str] = Counter()
    current, callee_next = "", False
    for line in text.splitlines():
        if line.startswith(("ob=", "cob=")):
            number, _, name = line.partition("=")[2].partition(" ")
            if name:
                objects[number] = name
            if line.startswith("ob="):
                current = number
        elif line.startswith("calls="):
            callee_next = True
        elif line[:1].isdigit() or line[:1] in ("+", "-", "*"):
            if callee_next:
                callee_next = False
            else:
                costs[current] += int(line.split()[1])
    own = sum(cost for number, cost in costs.items() if MODULE in objects.get(number, ""))
    return Count(own, sum(costs.values()))


def run_once(python: str, workload: str, ops: int, url: str, directory: Path) -> Count:
    """One run under callgrind."""
    output = directory / f"{workload}-{ops}"
    done = subprocess.run(
        [
            *("valgrind", "--tool=callgrind", f"--callgrind-out-file={output}", "-q"),
            *(python, "-P", str(HERE / "workloads.py"), workload, str(ops), url),
        ],
        env=dict(os.environ, PYTHONHASHSEED="0"),
        capture_output=True,
        text=True,
    )
    if done.returncode:
        sys.exit(f"{workload} failed under callgrind:\n{done.stderr[-3000:]}")
    return read_profile(output.read_text())


def measure(python: str, workload: str, url: str, directory: Path) -> Count:
    """Instructions per operation of a workload."""
    short, long = RUNS[workload]
    with ThreadPoolExecutor(2) as pool:
        first, second = pool.map(
            lambda ops: run_once(python, workload, ops, url, directory), (short, long)
        )
    span = long - short
    return Count((second.own - first.own) / span, (second.total - first.total) / span)


def version_of(python: str) -> str:
    """`cpython-3.12`."""
    code = "import sys; print('%s-%d.%d' % (sys.implementation.name, *sys.version_info[:2]))"
    return subprocess.run(
        [python, "-c", code], capture_output=True, text=True, check=True
    ).stdout.strip()


def complaints(
    found: dict[str, Count], budget: dict[str, dict[str, int]], tolerance: float, version: str
) -> list[str]:
    """What is above the budget, or so far below that the budget says nothing any more."""
    said = []
    for workload, count in found.items():
        for name, value in (("own", count.own), (version, count.total)):
            wanted = budget.get(name, {}).get(workload)
            if wanted is None:
                continue
            what = "instructions in kvwire's module" if name == "own" else "instructions in all"
            if value > wanted * (1 + tolerance):
                said.append(f"{workload}: {value:.0f} {what}, more than {wanted} +{tolerance:.0%}")
            elif value < wanted * (1 - tolerance):
                said.append(
                    f"{workload}: {value:.0f} {what}, less than {wanted} -{tolerance:.0%}: "
                    "good; lower the budget (--write), or it holds nothing"
                )
    return said


def write_budget(found: dict[str, Count], old: dict[str, dict[str, int]], version: str) -> str:
    """The text of a budget with these counts; other interpreters' totals stay."""
    tables = {name: dict(table) for name, table in old.items()}
    for workload, count in found.items():
        tables.setdefault("own", {})[workload] = round(count.own)
        tables.setdefault(version, {})[workload] = round(count.total)
    lines = [
        "# Instructions per operation, counted by callgrind.py, which also writes this file.",
        "# `own`: in kvwire's module. `cpython-X.Y`: in the whole process under that interpreter.",
        "# A count may be so much above or below, as a part of it:",
        f"tolerance = {TOLERANCE}",
    ]
    for name in ["own", *sorted(set(tables) - {"own"})]:
        lines += ["", f'["{name}"]']
        lines += [f"{workload} = {count}" for workload, count in tables[name].items()]
    return "\n".join(lines) + "\n"


# How batches fall differs a little from run to run; compilers differ more.
TOLERANCE = 0.1


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--python", default=sys.executable, help="an interpreter with kvwire")
    parser.add_argument("--write", action="store_true", help="renew the budget")
    options = parser.parse_args(argv)
    budget = tomllib.loads(BUDGET.read_text()) if BUDGET.exists() else {}
    tolerance = budget.pop("tolerance", TOLERANCE)
    version = version_of(options.python)
    found = {}
    print(f"instructions per operation, {version}\n{'':18}{'own':>12}{'total':>12}")
    with open_server() as server, tempfile.TemporaryDirectory() as directory:
        for workload in RUNS:
            count = measure(options.python, workload, server.url, Path(directory))
            found[workload] = count
            print(f"{workload:18}{count.own:12.0f}{count.total:12.0f}", flush=True)
    if options.write:
        BUDGET.write_text(write_budget(found, budget, version))
        return 0
    said = complaints(found, budget, tolerance, version)
    if version not in budget:
        print(f"no budget for the totals of {version}: only kvwire's own counts are held")
    print("\n".join(said) or "all within the budget")
    return 1 if said else 0


if __name__ == "__main__":
    sys.exit(main())
