"""One value read, one call after another."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from kvwire.bench.clients import Calls

KEY = "kvwire-bench:get"


@pytest.fixture
def stored(calls: Calls, value: bytes) -> Iterator[bytes]:
    calls.set(KEY, value)
    yield value
    calls.set(KEY, b"")


def test_get(benchmark: BenchmarkFixture, calls: Calls, stored: bytes) -> None:
    assert benchmark(calls.get, KEY) == stored
