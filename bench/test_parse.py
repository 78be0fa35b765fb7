"""Bytes to Python objects, without a server: kvwire's parser and hiredis."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from kvwire import _core


def bulk(data: bytes) -> bytes:
    return b"$%d\r\n%b\r\n" % (len(data), data)


VALUE = bulk(b"v" * 128)
REPLIES = {
    "get 128 B": VALUE,
    "get 16 KiB": bulk(b"v" * 16384),
    "integer": b":12345\r\n",
    "mget 1000": b"*1000\r\n" + VALUE * 1000,
    "map of 100": b"%100\r\n" + b"".join(bulk(b"field:%d" % n) + VALUE for n in range(100)),
    "100 pairs": b"*100\r\n" + (b"*2\r\n" + VALUE + b",1.5\r\n") * 100,
    "pipeline of 100": VALUE * 100,
}


def with_kvwire(data: bytes) -> Callable[[], Any]:
    return lambda: _core.parse(data)


def with_hiredis(data: bytes) -> Callable[[], Any]:
    hiredis = pytest.importorskip("hiredis")
    reader = hiredis.Reader()

    def run() -> list[Any]:
        reader.feed(data)
        replies = []
        while (reply := reader.gets()) is not False:
            replies.append(reply)
        return replies

    return run


@pytest.mark.parametrize("parser", [with_kvwire, with_hiredis], ids=["kvwire", "hiredis"])
@pytest.mark.parametrize("name", REPLIES)
def test_parse(
    benchmark: BenchmarkFixture, name: str, parser: Callable[[bytes], Callable[[], Any]]
) -> None:
    data = REPLIES[name]
    parsed = benchmark(parser(data))
    assert len(parsed) == (100 if name == "pipeline of 100" else 1)
