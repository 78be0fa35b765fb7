"""One value written, one call after another."""

from __future__ import annotations

from pytest_benchmark.fixture import BenchmarkFixture

from kvwire.bench.clients import Calls

KEY = "kvwire-bench:set"


def test_set(benchmark: BenchmarkFixture, calls: Calls, value: bytes) -> None:
    benchmark(calls.set, KEY, value)
    assert calls.get(KEY) == value
    calls.set(KEY, b"")
