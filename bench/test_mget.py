"""Many values read by one call."""

from __future__ import annotations

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from kvwire.bench.clients import Calls


@pytest.mark.parametrize("count", [10, 100, 1000])
def test_mget(benchmark: BenchmarkFixture, calls: Calls, filled: list[str], count: int) -> None:
    values = benchmark(calls.mget, filled[:count])
    assert len(values) == count
    assert all(len(one) == 128 for one in values)
