"""Values from and in memory of every kind and size (X07)."""

from __future__ import annotations

import array
import gc
import mmap
import random
import sys
from collections.abc import Callable
from typing import Any, cast

import pytest

import kvwire
from kvwire import _core
from tests.support.faces import Face
from tests.support.held import outcome
from tests.support.loops import Runner
from tests.support.scripted import Answer, ScriptedServer
from tests.support.servers import Server

SIZES = (1, 7, 100, 8191, 8192, 8193, 16_384, 100_000, 1 << 20, 8 << 20)


def samples() -> dict[str, tuple[Any, bytes]]:
    """Buffers and the bytes that they mean, small and large."""
    found: dict[str, tuple[Any, bytes]] = {}
    for size in (9, 40_000):
        data = random.Random(size).randbytes(size)
        shorts = array.array("h", range(-4, 4 + size // 10))
        mapped = mmap.mmap(-1, size)
        mapped.write(data)
        found |= {
            f"bytes-{size}": (data, data),
            f"bytearray-{size}": (bytearray(data), data),
            f"memoryview-{size}": (memoryview(data), data),
            f"slice-{size}": (memoryview(b"xx" + data + b"yy")[2:-2], data),
            f"array-{size}": (shorts, shorts.tobytes()),
            f"mmap-{size}": (mapped, data),
            f"str-{size}": ("\xe9" * size, b"\xc3\xa9" * size),
            f"cast-{size}": (memoryview(shorts).cast("B"), shorts.tobytes()),
            f"empty-{size}": (memoryview(data)[:0], b""),
        }
    return found


def test_x07_buffers_as_arguments(face: Face, server: Server) -> None:
    """X07. As values, as keys and as arguments of any command."""

    async def scenario(kv: Any) -> None:
        for name, (value, meant) in samples().items():
            assert await kv.set("k", value) is True, name
            assert await kv.get("k") == meant, name
            assert await kv.execute("ECHO", value) == meant, name
            assert await kv.set(value, name) is True
            assert await kv.get(meant) == name.encode()
            pipe = kv.pipeline()
            assert await pipe.set("p", value).get("p").execute() == [True, meant]

    face.run(scenario, server.url)
    gc.collect()


def test_x07_numpy(face: Face, server: Server) -> None:
    """X07. Arrays of any type and shape, as long as their memory is in order."""
    numpy = pytest.importorskip("numpy")
    grid = numpy.arange(60_000, dtype="float32").reshape(200, 300)
    good = {
        "uint8": numpy.arange(200, dtype="uint8"),
        "float32": numpy.arange(50, dtype="float32"),
        "large": grid,
        "rows": grid[10:20],
        "read-only": numpy.frombuffer(b"abcdef", dtype="uint8"),
        "nothing": numpy.empty((0, 3)),
    }
    refused = {
        "fortran": numpy.asfortranarray(grid),
        "columns": grid[:, 1:3],
        "every-other": numpy.arange(10, dtype="uint8")[::2],
        "backwards": numpy.arange(10, dtype="uint8")[::-1],
        # Numbers, of which the bytes in memory are hardly what was meant; and pointers.
        "number": numpy.float32(1.5),
        "no dimensions": numpy.array(1.5),
        "objects": numpy.array([{}, []], dtype=object),
    }

    async def scenario(kv: Any) -> None:
        for name, value in good.items():
            await kv.set("k", value)
            got = await kv.get("k")
            assert got == value.tobytes(), name
            back = numpy.frombuffer(got, dtype=value.dtype).reshape(value.shape)
            assert (back == value).all()
        await kv.set("k", "kept")
        for name, value in refused.items():
            with pytest.raises(TypeError, match="contiguous"):
                await kv.set("k", value)
            with pytest.raises(TypeError):
                await kv.execute("SET", "k", value)
            assert await kv.get("k") == b"kept", name

    face.run(scenario, server.url)


@pytest.mark.parametrize("protocol", [2, 3])
def test_x07_sizes(face: Face, server: Server, protocol: int) -> None:
    """X07. 1 byte to 8 MiB, there and back."""

    async def scenario(kv: Any) -> None:
        for size in SIZES:
            value = random.Random(size).randbytes(size)
            await kv.set("k", value)
            assert await kv.get("k") == value
            assert await kv.strlen("k") == size
            assert (await kv.mget("k", "none", "k")) == [value, None, value]
            await kv.set("k", bytearray(value))
            assert await kv.getrange("k", 0, -1) == value

    face.run(scenario, server.url, protocol=protocol)


def test_large_text(face: Face, server: Server) -> None:
    text = "\xe9\u20ac\U0001f600" * 100_000

    async def scenario(kv: Any) -> None:
        await kv.set("k", text)
        assert await kv.get("k") == text
        assert await kv.get("k", decode=False) == text.encode()

    face.run(scenario, server.url, decode=True)


def test_x07_changed_after_the_call(face: Face, server: Server) -> None:
    """X07. What was awaited has been sent: the buffer is the caller's again."""
    for size in (10, 100_000, 4 << 20):
        value = bytearray(b"a" * size)

        async def scenario(kv: Any, value: bytearray = value) -> None:
            await kv.set("k", value)
            size = len(value)
            value[:] = b"b" * size
            value.extend(b"c")  # a BufferError while somebody still holds the memory
            assert await kv.get("k") == b"a" * size

        face.run(scenario, server.url)


def test_x07_held_while_it_is_sent(run: Runner, server: Server) -> None:
    """A large buffer goes out from where it lies, so it cannot be resized until it has left."""
    value = bytearray(b"a" * (8 << 20))

    async def main() -> None:
        async with kvwire.AsyncValkey(server.url) as kv:
            call = kv.set("k", value)
            with pytest.raises(BufferError):
                value.extend(b"x")
            assert await call is True
            value.extend(b"x")

    run(main)


def test_x07_released_when_the_call_comes_to_nothing(run: Runner, fake: ScriptedServer) -> None:
    """Cancelled, closed, or lost: the buffer is given back in every case."""
    fake.on("SET", "stall", answer=Answer(then="stall"))
    fake.on("SET", "close", answer=Answer(then="close"))

    async def main() -> None:
        for what in ("close", "cancel", "aclose", "drop"):
            value = bytearray(32 << 20)
            kv = kvwire.AsyncValkey(fake.url)
            call: Any = kv.set("close" if what == "close" else "stall", value)
            if what == "cancel":
                call.cancel()
            elif what == "aclose":
                await kv.aclose()
            elif what == "close":
                with pytest.raises(kvwire.ConnectionError):
                    await call
            await kv.aclose()
            del call
            gc.collect()
            value.extend(b"x")

    run(main)
    run.reported.clear()  # of the call that nobody looked at, a report is allowed


def test_memoryview_with_gaps(face: Face, fake: ScriptedServer) -> None:
    """It is no value, and where a list of keys may stand its members are no keys."""
    gaps = memoryview(b"abcdef")[::2]

    async def scenario(kv: Any) -> None:
        await kv.get("next")
        before = len(fake.received())
        calls: list[Callable[[], Any]] = [
            lambda: kv.set("k", gaps),
            lambda: kv.mget(gaps),
            lambda: kv.mget([gaps]),
            lambda: kv.delete(gaps),
            lambda: kv.zinter(gaps),
            lambda: kv.zdiff(gaps),
            lambda: kv.blpop(gaps, 1),
            lambda: kv.sunion(gaps, "k"),
            lambda: kv.sintercard(1, gaps),
            lambda: kv.lmpop(1, gaps, direction="LEFT"),
        ]
        for call in calls:
            with pytest.raises(TypeError, match="contiguous"):
                await call()
        assert len(fake.received()) == before

    face.run(scenario, fake.url)


def test_reference_counts(face: Face, server: Server) -> None:
    """No argument and no result is kept or given back once too often."""
    key, small, large = "key" * 5, b"v" * 20, b"v" * 100_000
    view = memoryview(bytearray(large))

    async def scenario(kv: Any) -> None:
        before = [sys.getrefcount(thing) for thing in (key, small, large, view)]
        for _ in range(100):
            for value in (small, large, view):
                await kv.set(key, value)
                await kv.get(key)
                await kv.mget(key, key)
                await kv.execute("SET", key, value)
                with pytest.raises(TypeError):
                    await kv.set(key, value, ex={})
                with pytest.raises(kvwire.ServerError):
                    await kv.execute("INCR", key, value)
        del value
        assert [sys.getrefcount(thing) for thing in (key, small, large, view)] == before
        value = await kv.get(key)
        await kv.ping()  # a wake-up holds its replies until it is over
        assert sys.getrefcount(value) == 2

    face.run(scenario, server.url)


def test_encode_leaves_buffers_alone() -> None:
    buffer, wrong = bytearray(b"x" * 100_000), cast(Any, object())
    before = sys.getrefcount(buffer)
    for _ in range(10):
        assert len(_core.encode("SET", "k", buffer)) > 100_000
        with pytest.raises(TypeError):
            _core.encode("SET", buffer, wrong)
    buffer.extend(b"x")
    assert sys.getrefcount(buffer) == before


def test_unawaited_large_values_keep_their_order(run: Runner, server: Server) -> None:
    async def main() -> None:
        async with kvwire.AsyncValkey(server.url) as kv:
            for number in range(10):
                kv.set("k", bytes([number]) * 300_000)
                kv.append("k", b"end")
            got = await outcome(kv.get("k"))
            assert got == bytes([9]) * 300_000 + b"end"

    run(main)


@pytest.mark.skipif(sys.version_info < (3, 12), reason="__buffer__ came with 3.12")
def test_list_that_changes_while_it_is_read(face: Face, server: Server) -> None:
    """A call sends what its list held when it was made."""

    class Emptying:
        def __buffer__(self, flags: int) -> memoryview:
            keys.clear()
            self.again = [f"other:{number:091}" for number in range(1000)]  # in the freed memory
            return memoryview(b"first")

    async def scenario(kv: Any) -> None:
        names = [f"key:{number:093}" for number in range(100)]
        for name in names:
            await kv.set(name, name)
        keys.extend([Emptying(), *names])
        names.clear()
        values = await kv.mget(keys)
        assert values == [None, *(f"key:{number:093}".encode() for number in range(100))]

    keys: list[Any] = []
    face.run(scenario, server.url)
