"""What a measurement was taken on; it goes into the JSON."""

from __future__ import annotations

import os
import platform
import sys
from pathlib import Path


def describe() -> dict[str, object]:
    """CPU, cores, system and interpreter of this machine."""
    return {
        "cpu": cpu_model(),
        "cores": len(cores()),
        "system": f"{platform.system()} {platform.release()}",
        "machine": platform.machine(),
        "python": platform.python_version(),
        "implementation": sys.implementation.name,
        "compiler": platform.python_compiler(),
    }


def cpu_model() -> str:
    """The processor's name, as far as the system tells it."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor() or "unknown"
    names = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(names, platform.processor() or "unknown")


def cores() -> list[int]:
    """The cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return sorted(os.sched_getaffinity(0))
    return list(range(os.cpu_count() or 1))
