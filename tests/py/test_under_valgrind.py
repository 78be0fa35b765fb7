"""Memory and instructions under valgrind: what `make valgrind` does."""

from __future__ import annotations

import sys

import pytest

from tests.support.build import ROOT, checked

pytestmark = [pytest.mark.once, pytest.mark.patience(1200)]


def test_memcheck() -> None:
    output = checked(sys.executable, ROOT / "bench/memcheck.py")
    assert "no errors, no leaks" in output


def test_instructions() -> None:
    output = checked(sys.executable, ROOT / "bench/callgrind.py")
    print(output)
    assert "all within the budget" in output
