"""How the valgrind tools of bench/ read what valgrind writes; `make valgrind` runs them."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

from tests.support.build import ROOT

pytestmark = pytest.mark.once


def load(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, ROOT / "bench" / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


PROFILE = """\
positions: line
events: Ir

ob=(1) /usr/bin/python3
fl=(1) eval.c
fn=(1) eval
10 100
+2 50
cob=(2) /venv/kvwire/_core.abi3.so
cfn=(2) parse
calls=3 20
12 900

ob=(2)
fl=(2) parse.c
fn=(2)
20 400
cob=(1)
cfn=(3) alloc
calls=1 5
* 70
-3 60

ob=(1)
fn=(3)
5 70

totals: 680
"""


def test_reading_a_profile() -> None:
    callgrind = load("callgrind")
    assert callgrind.read_profile(PROFILE) == (460, 680)


def test_the_budget_of_instructions() -> None:
    callgrind = load("callgrind")
    budget = {"own": {"sync-get": 100}, "cpython-3.12": {"sync-get": 1000}}

    def said(own: float, total: float, version: str = "cpython-3.12") -> list[str]:
        count = callgrind.Count(own, total)
        found: list[str] = callgrind.complaints({"sync-get": count}, budget, 0.1, version)
        return found

    assert said(109, 1099) == []
    assert said(91, 901) == []
    assert ["more than 100" in line for line in said(111, 1000)] == [True]
    assert ["more than 1000" in line for line in said(100, 1200)] == [True]
    assert ["lower the budget" in line for line in said(80, 1000)] == [True]
    assert said(100, 5000, "cpython-3.13") == []
    text = callgrind.write_budget(
        {name: callgrind.Count(7.4, 70.6) for name in callgrind.RUNS}, budget, "cpython-3.13"
    )
    assert '["own"]' in text and "sync-get = 7\n" in text and "sync-get = 71\n" in text


FRAME = "<frame><obj>{}</obj><fn>{}</fn></frame>"
OURS = FRAME.format("/venv/kvwire/_core.abi3.so", "pump")
PYTHON = FRAME.format("/usr/bin/python3", "_PyEval_EvalFrameDefault")
MALLOC = FRAME.format("/usr/libexec/valgrind/memcheck.so", "malloc")
LEAK = (
    "<error><kind>Leak_DefinitelyLost</kind><xwhat><text>8 bytes lost</text></xwhat>"
    "<stack>{}</stack></error>"
)


def test_reading_a_memcheck_report(tmp_path: Path) -> None:
    memcheck = load("memcheck")
    errors = [
        LEAK.format(MALLOC + OURS + PYTHON),  # in our module
        LEAK.format(MALLOC + PYTHON + OURS),  # in Python code that our module stepped
        LEAK.format(MALLOC + FRAME.format("/usr/bin/python3", "main")),
    ]
    (tmp_path / "1.xml").write_text(f"<valgrindoutput>{''.join(errors)}</valgrindoutput>")
    # A child that was killed leaves half a report.
    (tmp_path / "2.xml").write_text(f"<valgrindoutput>{errors[0]}<err")
    ours = list(memcheck.errors_of(tmp_path, ours_only=True))
    lines = "Leak_DefinitelyLost: 8 bytes lost\n    malloc (memcheck.so)\n    pump (_core.abi3.so)"
    assert [text.startswith(lines) for text in ours] == [True, True]
    assert len(list(memcheck.errors_of(tmp_path, ours_only=False))) == 4
