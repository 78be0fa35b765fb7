"""Building the C side with CMake, in build/cmake/<variant>."""

from __future__ import annotations

import functools
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

VARIANTS = {
    "plain": (),
    "asan-ubsan": ("-DKVW_ASAN=ON", "-DKVW_UBSAN=ON"),
    "tsan": ("-DKVW_TSAN=ON",),
}


def checked(*command: str | Path, cwd: Path = ROOT) -> str:
    """Run a command to its end; its output, or an AssertionError with the end of it."""
    # The tools that pip installed stand beside the interpreter.
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        command,
        cwd=cwd,
        env=dict(os.environ, PATH=path),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    words = " ".join(str(word) for word in command)
    assert done.returncode == 0, f"{words} ended with {done.returncode}:\n{done.stdout[-8000:]}"
    return done.stdout


@functools.cache
def built(variant: str) -> Path:
    """The build directory of a variant, up to date; warnings are errors."""
    directory = ROOT / "build" / "cmake" / variant
    checked("cmake", "-S", ROOT, "-B", directory, "-DKVW_WERROR=ON", *VARIANTS[variant])
    checked("cmake", "--build", directory, "--parallel", "2")
    return directory
