"""What the compiled files show to a linker, and what they ask of the interpreter."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from kvwire import _core
from tests.support.build import ROOT, built, checked

pytestmark = pytest.mark.once


def symbols(file: Path, *options: str) -> set[str]:
    listed = checked("nm", "--dynamic", "--format=posix", *options, file)
    return {line.split()[0].split("@")[0] for line in listed.splitlines()}


def declared() -> set[str]:
    """The functions that the public headers mark KVW_API."""
    names: set[str] = set()
    for header in sorted((ROOT / "include/kvwire").glob("*.h")):
        text = re.sub(r"/\*.*?\*/|^ *#.*?$", "", header.read_text(), flags=re.S | re.M)
        names.update(re.findall(r"\bKVW_API\b[^;(]*?\b(\w+)\s*\(", text))
    return names


@pytest.mark.patience(300)
def test_the_library_shows_what_its_headers_declare() -> None:
    assert symbols(built("plain") / "libkvwire.so", "--defined-only") == declared()


def test_public_names() -> None:
    assert declared()
    for name in declared():
        assert re.fullmatch(r"kvw_[a-z0-9]+(_[a-z0-9]+)*", name), name


def test_the_extension_shows_its_init_only() -> None:
    assert symbols(Path(_core.__file__), "--defined-only") == {"PyInit__core"}


def test_the_core_asks_nothing_of_python() -> None:
    wanted = symbols(built("plain") / "libkvwire.so", "--undefined-only")
    assert not [name for name in wanted if name.startswith(("Py", "_Py"))]


def test_the_extension_keeps_to_the_limited_api() -> None:
    floor = re.search(r"^ABI3_FLOOR = \((\d+), (\d+)\)$", (ROOT / "setup.py").read_text(), re.M)
    assert floor
    version = f"{floor[1]}.{floor[2]}"
    checked("abi3audit", "--strict", "--assume-minimum-abi3", version, _core.__file__)
