"""Building the C side with CMake, in build/cmake/<variant>."""

from __future__ import annotations

import functools
import os
import signal
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

VARIANTS = {
    "plain": (),
    "asan-ubsan": ("-DKVW_ASAN=ON", "-DKVW_UBSAN=ON"),
    "tsan": ("-DKVW_TSAN=ON",),
}


def finished(*command: str | Path, cwd: Path = ROOT) -> tuple[int, str]:
    """Run a command to its end: its exit status and its output. No process outlives the call."""
    # The tools that pip installed stand beside the interpreter.
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    with subprocess.Popen(
        command,
        cwd=cwd,
        env=dict(os.environ, PATH=path),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    ) as process:
        try:
            output, _ = process.communicate()
        except BaseException:
            os.killpg(process.pid, signal.SIGKILL)
            raise
        return process.returncode, output


def checked(*command: str | Path, cwd: Path = ROOT) -> str:
    """The output of a command that succeeds, else an AssertionError with the end of it."""
    status, output = finished(*command, cwd=cwd)
    words = " ".join(str(word) for word in command)
    assert status == 0, f"{words} ended with {status}:\n{output[-8000:]}"
    return output


@functools.cache
def built(variant: str) -> Path:
    """The build directory of a variant, up to date; warnings are errors."""
    directory = ROOT / "build" / "cmake" / variant
    checked("cmake", "-S", ROOT, "-B", directory, "-DKVW_WERROR=ON", *VARIANTS[variant])
    checked("cmake", "--build", directory, "--parallel", "2")
    return directory
