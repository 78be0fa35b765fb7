"""setup.py on machines that have less than others."""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.build import ROOT

pytestmark = [pytest.mark.once, pytest.mark.patience(300)]

# A compiler that notes what it is asked, and knows nothing of link-time optimisation.
COMPILER = """#!/bin/sh
echo "$@" >> "{log}"
case " $* " in *" -flto "*) echo "unknown option -flto" >&2; exit 1;; esac
exec cc "$@"
"""


def test_compiler_without_link_time_optimisation(tmp_path: Path) -> None:
    compiler, log, tree, target = (tmp_path / name for name in ("plain-cc", "asked", "tree", "to"))
    compiler.write_text(COMPILER.format(log=log))
    compiler.chmod(compiler.stat().st_mode | stat.S_IXUSR)
    tree.mkdir()
    for name in ("setup.py", "pyproject.toml", "MANIFEST.in", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, tree)
    for name in ("src", "include", "ext", "pyclient"):
        shutil.copytree(ROOT / name, tree / name)
    done = subprocess.run(
        [sys.executable, "-m", "pip", "install", "--no-deps", "--target", target, tree],
        env=dict(os.environ, CC=str(compiler), CFLAGS="-O0"),
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    asked = log.read_text().splitlines()
    assert [line for line in asked if "-flto" in line] == asked[:1]
    said = subprocess.run(
        [sys.executable, "-P", "-c", "import kvwire; print(kvwire._core.__file__)"],
        env=dict(os.environ, PYTHONPATH=str(target)),
        capture_output=True,
        text=True,
    )
    assert said.stdout.startswith(str(target)), said.stderr
