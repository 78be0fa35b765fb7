"""The suite under the other interpreters, in the environments that tests/environment.py made."""

from __future__ import annotations

import json

import pytest

from tests.support.build import ROOT, finished

pytestmark = pytest.mark.once

RECORD = ROOT / "build" / "interpreters.json"
OTHERS: dict[str, str] = json.loads(RECORD.read_text()) if RECORD.exists() else {}


@pytest.mark.patience(2400)
@pytest.mark.parametrize("name", OTHERS)
def test_suite(name: str) -> None:
    command = (OTHERS[name], "-m", "pytest", "-q", "-m", "not once", "--no-header", "-rs")
    status, output = finished(*command)
    assert status == 0, f"under CPython {name}:\n{output[-20000:]}"
    print(f"CPython {name}: {output.splitlines()[-1]}")
