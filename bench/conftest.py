"""The server and the clients of the pytest-benchmark cases."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from kvwire.bench.clients import CLIENTS, Calls
from kvwire.bench.model import format_size
from kvwire.bench.server import Server, open_server
from kvwire.bench.wire import Control

KEYS = [f"kvwire-bench:key:{index}" for index in range(1000)]


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    """One server for the whole run."""
    with open_server(os.environ.get("KVWIRE_BENCH_URL")) as found:
        yield found


@pytest.fixture(params=[name for name, client in CLIENTS.items() if client.supports("sync")])
def calls(request: pytest.FixtureRequest, server: Server) -> Iterator[Calls]:
    """The methods of one client's synchronous face."""
    client = CLIENTS[request.param]
    if not client.installed("sync") or client.open_sync is None:
        pytest.skip(f"{client.name} is not installed")
    with client.open_sync(server.url, 1) as opened:
        yield opened


@pytest.fixture(params=[128, 16 * 1024, 1024 * 1024], ids=format_size)
def value(request: pytest.FixtureRequest) -> bytes:
    """A value of one of the sizes."""
    return os.urandom(request.param)


@pytest.fixture(scope="session")
def filled(server: Server) -> Iterator[list[str]]:
    """A thousand keys with values of 128 bytes."""
    with Control(server.url) as control:
        control.send_all([("SET", key, os.urandom(128)) for key in KEYS])
        yield KEYS
        control.send_all([("DEL", key) for key in KEYS])
