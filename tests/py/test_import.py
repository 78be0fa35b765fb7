"""`import kvwire` stays light."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys

import pytest

pytestmark = pytest.mark.once

ROUNDS = 15
MILLISECONDS = 8
MEGABYTES = 2

# Modules that cost more than kvwire itself, and that it has no use for before it is used.
HEAVY = (
    "argparse",
    "asyncio",
    "collections",
    "ctypes",
    "dataclasses",
    "enum",
    "functools",
    "importlib.metadata",
    "inspect",
    "json",
    "logging",
    "re",
    "selectors",
    "socket",
    "ssl",
    "threading",
    "typing",
    "urllib",
    "warnings",
)


# The kernel's own maximum would count this process, from which the interpreter is forked.
SAY_MEMORY = """
with open("/proc/self/statm") as statm:
    print(statm.read().split()[1])
"""


def once(code: str) -> tuple[float, float]:
    """CPU milliseconds and resident megabytes of an interpreter that runs `code`."""
    command = [sys.executable, "-I", "-c", code + SAY_MEMORY]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        pages = int(process.stdout.read())
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0
    megabytes = pages * os.sysconf("SC_PAGE_SIZE") / 2**20
    return (usage.ru_utime + usage.ru_stime) * 1e3, megabytes


def test_time_and_memory() -> None:
    once("import kvwire")  # writes the bytecode, if nobody has
    samples = [(once("pass"), once("import kvwire")) for _ in range(ROUNDS)]
    # The least time is what it takes; more is the machine's.
    time = min(full[0] for _, full in samples) - min(bare[0] for bare, _ in samples)
    memory = statistics.median(full[1] - bare[1] for bare, full in samples)
    print(f"import kvwire: {time:.1f} ms of CPU, {memory:.2f} MB")
    assert time <= MILLISECONDS
    assert memory <= MEGABYTES


def test_no_heavy_modules() -> None:
    code = (
        "import sys; before = set(sys.modules); import kvwire;"
        "print(*sorted(set(sys.modules) - before), sep='\\n')"
    )
    loaded = subprocess.run(
        [sys.executable, "-I", "-c", code], capture_output=True, text=True, check=True
    ).stdout.split()
    assert "kvwire.client" in loaded
    assert [name for name in loaded if name in HEAVY] == []
