"""Python programs of a few lines, run in a process of their own with warnings as errors."""

from __future__ import annotations

import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def command(source: str, *args: str, options: tuple[str, ...] = ()) -> list[str]:
    return [sys.executable, *options, "-c", textwrap.dedent(source), *args]


def run_script(
    source: str, *args: str, options: tuple[str, ...] = ("-X", "dev"), patience: float = 30.0
) -> subprocess.CompletedProcess[str]:
    """Run a program to its end and give what it wrote; one that hangs is an error."""
    return subprocess.run(
        command(source, *args, options=options),
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=patience,
        stdin=subprocess.DEVNULL,
    )


def interrupt_script(
    source: str, *args: str, signals: tuple[int, ...] = (signal.SIGINT,), patience: float = 30.0
) -> tuple[int, str, str, float]:
    """Run a program, send it signals after it has written its first line.

    Gives its exit status, output, errors, and the seconds from the signals to its end.
    """
    process = subprocess.Popen(
        command(source, *args),
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    with process:
        assert process.stdout is not None
        first = process.stdout.readline()
        time.sleep(0.1)  # from the line to the blocking call there is nothing to wait for
        before = time.monotonic()
        for number in signals:
            process.send_signal(number)
        try:
            output, errors = process.communicate(timeout=patience)
        except subprocess.TimeoutExpired:
            process.kill()
            raise
        return process.returncode, first + output, errors, time.monotonic() - before
