"""Fixtures of the Python tests: servers, faces, loops, and the check that nothing leaks."""

from __future__ import annotations

import contextlib
import faulthandler
import gc
import importlib
import os
import signal
from collections.abc import Iterator
from types import FrameType
from typing import Any

import pytest

from tests.support import loops
from tests.support.faces import AsyncFace, Face, SyncFace
from tests.support.rss import Holdings
from tests.support.scripted import ScriptedServer
from tests.support.servers import PROGRAMS, Server, Unavailable

# A test that hangs is failed after PATIENCE seconds; where not even that helps, the whole run ends
# GRACE seconds later with the stacks of all threads.
PATIENCE = 60
GRACE = 60

_stderr: list[int] = []


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("filterwarnings", "error")
    config.addinivalue_line("markers", "patience(seconds): how long the test may take")
    capture: Any = config.pluginmanager.getplugin("capturemanager")
    with capture.global_and_fixture_disabled():
        _stderr.append(os.dup(2))


def pytest_unconfigure() -> None:
    os.close(_stderr.pop())


@pytest.fixture(autouse=True)
def bounded(request: pytest.FixtureRequest) -> Iterator[None]:
    """Every test ends."""
    marker = request.node.get_closest_marker("patience")
    seconds = marker.args[0] if marker else PATIENCE

    def too_long(number: int, frame: FrameType | None) -> None:
        pytest.fail(f"the test did not end within {seconds} s")

    before = signal.signal(signal.SIGALRM, too_long)
    signal.alarm(seconds)
    faulthandler.dump_traceback_later(seconds + GRACE, exit=True, file=_stderr[0])
    yield
    faulthandler.cancel_dump_traceback_later()
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


@pytest.fixture(scope="session")
def warmed_up() -> None:
    """What a process opens once and for ever (libuv's pipe, numpy's threads) is there."""
    with contextlib.suppress(ImportError):
        importlib.import_module("numpy")
    if not loops.why_not("uvloop"):
        loop = loops.new_loop("uvloop")
        loop.run_until_complete(loop.shutdown_asyncgens())
        loop.close()


@pytest.fixture(autouse=True)
def no_leaks(bounded: None, warmed_up: None) -> Iterator[None]:
    """No test leaves a descriptor or a thread behind."""
    gc.freeze()  # what is there already is not the test's: its collections need not look at that
    before = Holdings()
    yield
    gc.collect()
    gc.unfreeze()
    complaint = before.settled()
    assert not complaint, complaint


# ---- servers ----------------------------------------------------------------------------------


def started(program: str, **options: Any) -> Iterator[Server]:
    """A running server, or a skip that says what is missing."""
    server = Server(program, **options)
    try:
        server.start()
    except Unavailable as missing:
        pytest.skip(str(missing))
    try:
        yield server
    finally:
        server.stop()


@pytest.fixture(scope="session")
def redis_process() -> Iterator[Server]:
    yield from started("redis")


@pytest.fixture(scope="session")
def valkey_process() -> Iterator[Server]:
    yield from started("valkey")


@pytest.fixture(params=PROGRAMS)
def server(request: pytest.FixtureRequest) -> Server:
    """A real server without data: the test runs on Redis and on Valkey."""
    found: Server = request.getfixturevalue(f"{request.param}_process")
    found.call("FLUSHALL")
    return found


@pytest.fixture
def redis(redis_process: Server) -> Server:
    """A real Redis without data, where one kind of server is enough."""
    redis_process.call("FLUSHALL")
    return redis_process


@pytest.fixture
def valkey(valkey_process: Server) -> Server:
    """A real Valkey without data."""
    valkey_process.call("FLUSHALL")
    return valkey_process


@pytest.fixture
def fake() -> Iterator[ScriptedServer]:
    """A scripted server on TCP."""
    with ScriptedServer() as server:
        yield server


@pytest.fixture
def unix_fake() -> Iterator[ScriptedServer]:
    """A scripted server on a Unix socket, where the splits of an answer are sure."""
    with ScriptedServer(unix=True) as server:
        yield server


# ---- loops and faces --------------------------------------------------------------------------


@pytest.fixture(params=loops.KINDS)
def run(request: pytest.FixtureRequest) -> Iterator[loops.Runner]:
    """run(main) for an async test; the test is repeated on every kind of loop."""
    runner = _runner(request.param)
    yield runner
    runner.check()


@pytest.fixture(params=("sync", "asyncio", "uvloop"))
def face(request: pytest.FixtureRequest) -> Iterator[Face]:
    """One of the two faces, the asynchronous one on two loops."""
    if request.param == "sync":
        yield SyncFace()
        return
    runner = _runner(request.param)
    yield AsyncFace(runner)
    runner.check()


def _runner(kind: str) -> loops.Runner:
    reason = loops.why_not(kind)
    if reason:
        pytest.skip(reason)
    return loops.Runner(kind)
