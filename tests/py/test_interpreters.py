"""The suite under the other interpreters, in the environments that tests/environment.py made."""

from __future__ import annotations

import json
import subprocess

import pytest

from tests.support.build import ROOT

pytestmark = pytest.mark.once

RECORD = ROOT / "build" / "interpreters.json"
OTHERS: dict[str, str] = json.loads(RECORD.read_text()) if RECORD.exists() else {}


@pytest.mark.patience(2400)
@pytest.mark.parametrize("name", OTHERS)
def test_suite(name: str) -> None:
    done = subprocess.run(
        [OTHERS[name], "-m", "pytest", "-q", "-m", "not once", "--no-header", "-rs"],
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert done.returncode == 0, f"under CPython {name}:\n{done.stdout[-20000:]}"
    print(f"CPython {name}: {done.stdout.splitlines()[-1]}")
