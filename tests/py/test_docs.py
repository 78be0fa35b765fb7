"""What the documents show is run: Python against a real server, commands as far as they may be."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from _pytest.mark import ParameterSet

import kvwire
from kvwire.bench.cli import parser
from tests.support.build import ROOT, checked
from tests.support.servers import Server

pytestmark = pytest.mark.once

DOCUMENTS = sorted(ROOT.glob("*.md"))
ADDRESS = "127.0.0.1:6379"


def blocks(language: str) -> list[ParameterSet]:
    """The document, line and text of each block in this language."""
    parameters = []
    for document in DOCUMENTS:
        text = document.read_text()
        for found in re.finditer(rf"^```{language}\n(.*?)^```$", text, re.M | re.S):
            line = text.count("\n", 0, found.start()) + 2
            name = f"{document.name}:{line}"
            parameters.append(pytest.param(document, line, found[1], id=name))
    return parameters


@pytest.mark.parametrize(("document", "line", "text"), blocks("python"))
def test_python(document: Path, line: int, text: str, valkey: Server) -> None:
    assert ADDRESS in text, "the example names no server"
    code = "\n" * (line - 1) + text.replace(ADDRESS, f"127.0.0.1:{valkey.port}")
    exec(compile(code, document, "exec"), {"__name__": "__main__"})


@pytest.mark.parametrize(("document", "line", "text"), blocks("sh"))
def test_commands(document: Path, line: int, text: str) -> None:
    for command in text.splitlines():
        check_command(shlex.split(command))


def check_command(words: list[str]) -> None:
    python = words[0] in ("python", ".venv/bin/python")
    if words[0] == "make":
        checked("make", "--dry-run", *words[1:])
    elif python and words[1:4] == ["-m", "kvwire", "bench"]:
        with pytest.raises(SystemExit) as caught:
            parser().parse_args([*words[4:], "--help"])
        assert caught.value.code == 0
    elif python and words[1:3] == ["-m", "pytest"]:
        checked(sys.executable, "-m", "pytest", "--collect-only", *words[3:])
    elif "pip" in words and "install" in words:
        check_target(words[-1])
    else:
        raise AssertionError(f"a command that this test does not know: {words}")


def check_target(target: str) -> None:
    """The argument of pip install: this directory, perhaps with extras."""
    found = re.fullmatch(r"\.(?:\[([\w,]+)\])?", target)
    assert found, target
    with (ROOT / "pyproject.toml").open("rb") as file:
        extras = tomllib.load(file)["project"]["optional-dependencies"]
    assert set(found[1].split(",") if found[1] else ()) <= set(extras)


def test_links() -> None:
    for document in DOCUMENTS:
        text = document.read_text()
        headings = re.findall(r"^#+ (.*)$", text, re.M)
        anchors = {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in headings}
        for target in re.findall(r"\]\(([^)]+)\)", text):
            if target.startswith("#"):
                assert target[1:] in anchors, f"{document.name}: {target}"
            else:
                assert (ROOT / target).exists(), f"{document.name}: {target}"


def test_named_files_exist() -> None:
    pattern = r"`((?:src|ext|tests|pyclient|include)/[\w./]+)`"
    for document in DOCUMENTS:
        for name in re.findall(pattern, document.read_text()):
            assert (ROOT / name).exists(), f"{document.name}: {name}"


def test_the_readme_has_every_option_and_error() -> None:
    text = (ROOT / "README.md").read_text()
    from kvwire._config import ALIASES, DEFAULTS

    for name in (*DEFAULTS, *ALIASES):
        assert f"`{name}`" in text, name
    for name in ("ConnectionError", "TimeoutError", "AuthenticationError", "ProtocolError"):
        assert issubclass(getattr(kvwire, name), kvwire.KVError)
        assert f"| `{name}` |" in text


def test_architecture_is_short() -> None:
    assert len((ROOT / "ARCHITECTURE.md").read_text().splitlines()) <= 200


def test_the_make_targets_are_documented() -> None:
    makefile = (ROOT / "Makefile").read_text()
    targets = set(re.findall(r"^([a-z]+):", makefile, re.M))
    assert targets == set(re.findall(r"make ([a-z]+) ", makefile)) | {"help"}


def test_the_demo(valkey: Server) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "kvwire", "demo", valkey.url],
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    assert "kv.get(\"kvwire:greeting\")\n    b'hello'" in done.stdout
    assert "[True, 42, [b'42', None]]" in done.stdout
    assert valkey.call("DBSIZE") == 0
