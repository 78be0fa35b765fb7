"""Types and style, as far as programs can tell."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.support.build import ROOT, checked

pytestmark = [pytest.mark.once, pytest.mark.patience(300)]

def test_ruff() -> None:
    checked(sys.executable, "-m", "ruff", "check", "--no-cache", ".")


def mypy(directory: Path, *arguments: str) -> None:
    options = ("--config-file", ROOT / "pyproject.toml", "--cache-dir", ROOT / "build" / "mypy")
    checked(sys.executable, "-m", "mypy", *options, *arguments, cwd=directory)


def test_mypy(tmp_path: Path) -> None:
    # In the tree the package's directory has another name, and mypy trusts an installed copy.
    (tmp_path / "kvwire").symlink_to(ROOT / "pyclient")
    (tmp_path / "tests").symlink_to(ROOT / "tests")
    mypy(tmp_path, "-p", "kvwire", "-p", "tests")


def test_mypy_behind_the_stub(tmp_path: Path) -> None:
    # Beside client.pyi mypy does not look into client.py.
    package = tmp_path / "kvwire"
    package.mkdir()
    for file in (ROOT / "pyclient").iterdir():
        if file.name != "client.pyi":
            (package / file.name).symlink_to(file)
    mypy(tmp_path, "--follow-imports", "silent", "-m", "kvwire.client")


@pytest.mark.parametrize("module", ["kvwire.client", "kvwire._core"])
def test_stubs_match_the_module(module: str, tmp_path: Path) -> None:
    options: list[str | Path] = ["--mypy-config-file", ROOT / "pyproject.toml", "--concise"]
    if module == "kvwire._core":
        options += ["--ignore-missing-stub"]  # types that only the core itself makes
    checked(sys.executable, "-m", "mypy.stubtest", *options, module, cwd=tmp_path)
