"""The parts of the facade that are written by hand: life cycle, iterators, the command line."""

from __future__ import annotations

import copy
import importlib.metadata
import inspect
import pickle
import subprocess
import sys
from typing import Any

import pytest

import kvwire
from kvwire import _backend, _core
from tests.support.build import ROOT
from tests.support.loops import Runner
from tests.support.servers import Server

CLASSES = (kvwire.Valkey, kvwire.AsyncValkey)


def test_the_core_provides_what_the_facade_uses() -> None:
    for name in _backend.PROVIDES:
        assert hasattr(_core, name), name
        if name != "setup":
            assert getattr(_backend, name) is getattr(_core, name)


def test_public_names() -> None:
    for name in set(kvwire.__all__) - {"__version__"}:
        assert getattr(kvwire, name).__module__ == "kvwire", name
    header = (ROOT / "include/kvwire/version.h").read_text()
    assert f'"{kvwire.__version__}"' in header
    assert kvwire.__version__ == importlib.metadata.version("kvwire")


@pytest.mark.parametrize("cls", CLASSES)
def test_annotations_may_be_evaluated(cls: Any) -> None:
    assert cls[str].__origin__ is cls and cls[str].__args__ == (str,)
    assert cls[str]("redis://h").peer == "h:6379"


@pytest.mark.parametrize("cls", CLASSES)
def test_a_client_cannot_be_copied(cls: Any) -> None:
    for copying in (copy.copy, copy.deepcopy, pickle.dumps):
        with pytest.raises(TypeError, match=cls.__name__):
            copying(cls())


@pytest.mark.parametrize("cls", CLASSES)
def test_the_url_may_be_named(cls: Any) -> None:
    assert cls(url="redis://h").peer == cls("redis://h").peer == "h:6379"


@pytest.mark.parametrize("cls", CLASSES)
def test_a_constructor_does_no_io(cls: Any) -> None:
    client = cls("redis://127.0.0.1:1")
    assert not client.connected and not client.closed and client.protocol == 0
    assert client.peer == "127.0.0.1:1"


@pytest.mark.parametrize("cls", CLASSES)
def test_a_client_without_init_gives_an_error(cls: Any) -> None:
    client = cls.__new__(cls)
    for call in (client.connect, lambda: client.get("k"), lambda: client.execute("PING")):
        with pytest.raises(RuntimeError, match="__init__"):
            call()
    assert not client.connected


def test_context(valkey: Server) -> None:
    with kvwire.Valkey(valkey.url) as kv:
        assert kv.connected and kv.protocol == 3 and not kv.closed
        assert kv.peer == f"{valkey.host}:{valkey.port}"
        inside = kv
    assert inside.closed and not inside.connected
    inside.close()
    with pytest.raises(kvwire.ConnectionError, match="closed") as caught:
        inside.get("k")
    assert caught.value.maybe_executed is False
    assert repr(inside).endswith(f"{valkey.port}/0>")


def test_async_context(valkey: Server, run: Runner) -> None:
    async def main() -> None:
        async with kvwire.AsyncValkey(valkey.url) as kv:
            assert kv.connected and kv.protocol == 3 and not kv.closed
            inside = kv
        assert inside.closed and not inside.connected
        await inside.aclose()
        with pytest.raises(kvwire.ConnectionError, match="closed") as caught:
            await inside.get("k")
        assert caught.value.maybe_executed is False

    run(main)


def test_an_exception_leaves_the_context_closed(valkey: Server) -> None:
    kv = kvwire.Valkey(valkey.url)
    with pytest.raises(ZeroDivisionError), kv:
        1 / 0  # noqa: B018
    assert kv.closed


def test_subclass(valkey: Server) -> None:
    class Mine(kvwire.Valkey):
        def greet(self) -> bytes | None:
            self.set("greeting", "hello")
            return self.get("greeting")

    with Mine(valkey.url) as kv:
        assert kv.greet() == b"hello"
        assert repr(kv).startswith("<kvwire.Mine valkey://")


def test_pipeline(valkey: Server) -> None:
    with kvwire.Valkey(valkey.url) as kv:
        with kv.pipeline() as pipe:
            assert type(pipe) is kvwire.Pipeline
            assert pipe.set("k", 1).incr("k") is pipe
            assert len(pipe) == 2 and repr(pipe) == "<kvwire.Pipeline of 2 commands>"
        assert len(pipe) == 0, "leaving the block forgets what was not executed"
        assert pipe.execute() == [] and kv.get("k") is None
        assert kv.pipeline(transaction=True).set("k", 1).incr("k").execute() == [True, 2]


def test_async_pipeline(valkey: Server, run: Runner) -> None:
    async def main() -> None:
        async with kvwire.AsyncValkey(valkey.url) as kv:
            async with kv.pipeline() as pipe:
                assert type(pipe) is kvwire.AsyncPipeline
                assert pipe.set("k", 1).incr("k") is pipe
                assert len(pipe) == 2 and repr(pipe) == "<kvwire.AsyncPipeline of 2 commands>"
            assert len(pipe) == 0 and await pipe.execute() == [] and await kv.get("k") is None
            assert await kv.pipeline(transaction=True).set("k", 1).incr("k").execute() == [True, 2]

    run(main)


# ---- iterators ----------------------------------------------------------------------------------

COUNT = 1000  # more than one page, and more than the server keeps in a listpack

ITERATORS: list[tuple[str, tuple[Any, ...], dict[str, Any], set[Any]]] = [
    ("scan_iter", (), {"_type": "string"}, {b"key:%d" % i for i in range(COUNT)}),
    ("scan_iter", ("key:1?",), {"count": 500}, {b"key:%d" % i for i in range(10, 20)}),
    ("scan_iter", ("key:99?",), {"decode": True}, {f"key:{i}" for i in range(990, 1000)}),
    ("scan_iter", ("nothing",), {}, set()),
    ("sscan_iter", ("set",), {"match": "1*", "count": 50}, {b"1"} | {b"1%d" % i for i in range(9)}),
    ("hscan_iter", ("hash",), {"decode": True}, {(f"f{i}", str(i)) for i in range(COUNT)}),
    ("hscan_iter", ("hash", "f9?"), {"no_values": True}, {b"f%d" % i for i in range(90, 100)}),
    ("zscan_iter", ("zset",), {}, {(b"m%d" % i, i / 2) for i in range(COUNT)}),
    ("zscan_iter", ("missing",), {}, set()),
]


def fill(server: Server) -> None:
    numbers = range(COUNT)
    for i in range(0, COUNT, 100):
        server.call("MSET", *(word for n in numbers[i : i + 100] for word in (f"key:{n}", n)))
    server.call("SADD", "set", *[n for n in numbers if not 19 <= n < 200 and n < 900])
    server.call("SREM", "set", 100)
    server.call("HSET", "hash", *(word for n in numbers for word in (f"f{n}", n)))
    server.call("ZADD", "zset", *(word for n in numbers for word in (n / 2, f"m{n}")))


@pytest.mark.parametrize(("name", "args", "options", "expected"), ITERATORS)
def test_iterator(
    name: str, args: tuple[Any, ...], options: dict[str, Any], expected: set[Any], valkey: Server
) -> None:
    fill(valkey)
    with kvwire.Valkey(valkey.url) as kv:
        found = getattr(kv, name)(*args, **options)
        assert set(found) == expected


@pytest.mark.parametrize(("name", "args", "options", "expected"), ITERATORS)
def test_async_iterator(
    name: str, args: tuple[Any, ...], options: dict[str, Any], expected: set[Any], valkey: Server
) -> None:
    fill(valkey)

    async def main() -> None:
        async with kvwire.AsyncValkey(valkey.url) as kv:
            assert {item async for item in getattr(kv, name)(*args, **options)} == expected

    Runner("asyncio")(main)


def test_an_iterator_can_be_left(valkey: Server) -> None:
    fill(valkey)
    with kvwire.Valkey(valkey.url) as kv:
        keys: Any = kv.scan_iter(count=10)
        next(keys)
        keys.close()
        assert kv.get("key:7") == b"7"


def test_iterators_have_one_declaration() -> None:
    for name in ("scan_iter", "sscan_iter", "hscan_iter", "zscan_iter"):
        sync, asynchronous = (getattr(cls, name) for cls in CLASSES)
        assert sync is asynchronous and inspect.getdoc(sync)


# ---- python -m kvwire ---------------------------------------------------------------------------


def kvwire_command(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "kvwire", *arguments], capture_output=True, text=True, timeout=60
    )


def test_command_line() -> None:
    helped = kvwire_command("--help")
    assert helped.returncode == 0 and "python -m kvwire bench" in helped.stdout
    assert kvwire_command().stdout == helped.stdout
    assert kvwire_command("demo", "--help").stdout == helped.stdout
    assert kvwire_command("--version").stdout == f"kvwire {kvwire.__version__}\n"
    wrong = kvwire_command("benhc")
    assert wrong.returncode == 2
    assert "unknown command 'benhc'" in wrong.stderr and "bench" in wrong.stderr


def test_positional_arguments_as_redis_py_takes_them() -> None:
    classes: list[Any] = list(CLASSES)
    for cls in classes:
        with pytest.raises(TypeError, match=rf"{cls.__name__}\(host='localhost', port=6379\)"):
            cls("localhost", 6379)


def test_the_demo_says_what_is_wrong() -> None:
    done = kvwire_command("demo", "redis://127.0.0.1:1")
    assert done.returncode == 1
    assert done.stderr.startswith("kvwire: ") and "127.0.0.1:1" in done.stderr
    assert "Traceback" not in done.stderr
