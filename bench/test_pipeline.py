"""A hundred commands sent in one go."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

import kvwire
from kvwire.bench.server import Server

COUNT = 100
KEYS = [f"kvwire-bench:pipeline:{index}" for index in range(COUNT // 2)]
VALUE = b"v" * 128


def run_methods(client: Any) -> list[Any]:
    """kvwire and redis-py: commands are methods of a pipeline."""
    pipeline = client.pipeline(transaction=False)
    for key in KEYS:
        pipeline.set(key, VALUE)
        pipeline.get(key)
    result: list[Any] = pipeline.execute()
    return result


def test_pipeline_kvwire(benchmark: BenchmarkFixture, server: Server) -> None:
    with kvwire.Valkey(server.url) as client:
        check(benchmark(run_methods, client))
        client.delete(*KEYS)


def test_pipeline_redis_py(benchmark: BenchmarkFixture, server: Server) -> None:
    redis = pytest.importorskip("redis")
    with redis.Redis.from_url(server.url) as client:
        check(benchmark(run_methods, client))
        client.delete(*KEYS)


def test_pipeline_django_vcache(benchmark: BenchmarkFixture, server: Server) -> None:
    pytest.importorskip("django_vcache._driver")
    client = import_module("django_vcache._driver").RustValkeyDriver.connect(server.url)
    check(benchmark(vcache_run(client)))
    client.delete_many_sync(KEYS)


def vcache_run(client: Any) -> Callable[[], list[Any]]:
    """django-vcache: commands are a list."""

    def run() -> list[Any]:
        commands: list[tuple[str, list[bytes]]] = []
        for key in KEYS:
            name = key.encode()
            commands.append(("SET", [name, VALUE]))
            commands.append(("GET", [name]))
        result: list[Any] = client.pipeline_exec_sync(commands)
        return result

    return run


def check(results: list[Any]) -> None:
    assert len(results) == COUNT
    assert results[1::2] == [VALUE] * (COUNT // 2)
