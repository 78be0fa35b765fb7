"""Dependencies point one way, in C and in Python, and no file grows out of hand."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.build import ROOT

pytestmark = pytest.mark.once

# The core's files, from the bottom up. A file uses private headers of its own layer and of those
# below; a new file has to be given its place here.
CORE = (
    {"alloc", "error", "num", "os", "wipe"},
    {"buf", "clock", "fork"},
    {"resp_impl", "resp_parse", "resp_run", "shape", "write"},
    {"slots"},
    {"config", "resolve", "socket", "tcp", "transport", "unix"},
    {"conn", "connect", "handshake", "sharing"},
    {"batch", "lane", "pool"},
)

# Pure functions of bytes and memory: they must not reach these public headers by any way.
PARSERS = ("alloc", "error", "num", "buf", "resp_parse", "resp_run", "shape")
NOT_FOR_PARSERS = {"conn.h", "lane.h", "batch.h", "kvwire.h"}

# The facade's modules, from the bottom up. A module imports from layers below its own only.
FACADE: tuple[set[str], ...] = (
    {"_config", "_core", "_iterate", "_probe", "_replies", "errors"},
    {"_backend", "_spec"},
    {"_commands"},
    {"client"},
    {"__init__"},
    {"bench"},
    {"demo"},
    {"__main__"},
)

ABOUT_500 = 650


def includes(file: Path) -> list[str]:
    return re.findall(r'^\s*#\s*include\s+["<]([^">]+)[">]', file.read_text(), re.M)


def files(*patterns: str) -> Iterator[Path]:
    for pattern in patterns:
        found = sorted(ROOT.glob(pattern))
        assert found, pattern
        yield from found


def rank_in(layers: tuple[set[str], ...], name: str) -> int:
    """The layer of a file or module; `conn_send` has that of `conn`, being a part of it."""
    for rank, layer in enumerate(layers):
        if name in layer or name.partition("_")[0] in layer:
            return rank
    raise AssertionError(f"{name} is in no layer")


def test_the_core_knows_no_python() -> None:
    for file in files("src/*.[ch]", "include/kvwire/*.h"):
        assert "Python.h" not in file.read_text(), file.name


def test_the_core_points_down() -> None:
    for file in files("src/*.[ch]"):
        own = rank_in(CORE, file.stem)
        for header in includes(file):
            if (ROOT / "src" / header).exists():
                assert rank_in(CORE, Path(header).stem) <= own, f"{file.name} includes {header}"


def reachable(file: Path) -> set[Path]:
    """The headers of ours that a file includes, directly or through others."""
    found: set[Path] = set()
    waiting = [file]
    while waiting:
        here = waiting.pop()
        for header in includes(here):
            for place in (here.parent, ROOT / "src", ROOT / "include"):
                path = place / header
                if path.exists() and path not in found:
                    found.add(path)
                    waiting.append(path)
    return found


@pytest.mark.parametrize("name", PARSERS)
def test_parsers_know_no_connection(name: str) -> None:
    found = reachable(ROOT / "src" / f"{name}.c")
    assert found, "the file includes nothing of ours"
    assert not {path.name for path in found} & NOT_FOR_PARSERS
    assert not [path for path in found if path.stem in ("transport", "slots", "conn")]


def test_public_headers_include_public_headers() -> None:
    public = {path.name for path in files("include/kvwire/*.h")}
    system = {"stddef.h", "stdint.h"}
    for file in files("include/kvwire/*.h"):
        assert set(includes(file)) <= public | system, file.name


def test_the_extension_sees_public_headers_only() -> None:
    own = {path.name for path in files("ext/*.h")}
    private = {path.name for path in files("src/*.h")}
    for file in files("ext/*.[ch]"):
        for header in includes(file):
            if header.startswith("kvwire/"):
                assert (ROOT / "include" / header).exists(), f"{file.name}: {header}"
            elif header not in own:
                assert header not in private and "/" not in header.replace("sys/", ""), file.name


def imported(file: Path, package: str) -> Iterator[str]:
    """The facade's modules that a file imports anywhere, as their names in FACADE."""
    for node in ast.walk(ast.parse(file.read_text())):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            parts = package.split(".")
            base = ".".join(parts[: len(parts) - node.level + 1]) if node.level else ""
            module = ".".join(part for part in (base, node.module) if part)
            # `from . import name` may name a module.
            names = [f"{module}.{alias.name}" for alias in node.names]
        for name in names:
            parts = name.split(".")
            if parts[0] == "kvwire":
                known = len(parts) > 1 and any(parts[1] in layer for layer in FACADE)
                yield parts[1] if known else "__init__"


def test_the_facade_points_down() -> None:
    for file in files("pyclient/*.py", "pyclient/*/*.py"):
        relative = file.relative_to(ROOT / "pyclient")
        own = relative.parts[0].removesuffix(".py")
        package = ".".join(("kvwire", *relative.parts[:-1]))
        for name in imported(file, package):
            if name != own:
                assert rank_in(FACADE, name) < rank_in(FACADE, own), f"{relative} imports {name}"


def test_no_file_is_long() -> None:
    for file in files(
        *("src/*.[ch]", "ext/*.[ch]", "include/kvwire/*.h", "tests/**/*.[ch]"),
        *("pyclient/**/*.py", "tests/**/*.py", "setup.py"),
    ):
        assert len(file.read_text().splitlines()) <= ABOUT_500, file.relative_to(ROOT)
