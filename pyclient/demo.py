"""python -m kvwire demo [URL]: the same lines through both faces, on a server of its own."""

from __future__ import annotations

import asyncio
import sys
import time

import kvwire

from .bench.model import BenchError
from .bench.server import open_server

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

LINES = (
    'kv.set("kvwire:greeting", "hello", ex=60)',
    'kv.get("kvwire:greeting")',
    'kv.get("kvwire:greeting", decode=True)',
    'kv.ttl("kvwire:greeting")',
    'kv.get("kvwire:nothing")',
    'kv.hset("kvwire:user", mapping={"name": "Ada", "born": 1815})',
    'kv.hgetall("kvwire:user", decode=True)',
    'kv.zadd("kvwire:scores", {"ann": 3, "bob": 1.5})',
    'kv.zrange("kvwire:scores", 0, -1, withscores=True)',
    'kv.pipeline().set("kvwire:n", 41).incr("kvwire:n").mget("kvwire:n", "kvwire:no").execute()',
    'kv.delete("kvwire:greeting", "kvwire:user", "kvwire:scores", "kvwire:n")',
)

KEYS = 200


def main(arguments: list[str]) -> int:
    """Run the demo on the server at the URL, or on one of its own; returns the exit code."""
    try:
        if arguments:
            _show(arguments[0])
            return 0
        with open_server() as server:
            _show(server.url)
    except (kvwire.KVError, ValueError, BenchError) as error:
        print(f"kvwire: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("kvwire: interrupted", file=sys.stderr)
        return 130
    return 0


def _show(url: str) -> None:
    with kvwire.Valkey(url) as kv:
        info = kv.info("server")
        product = "valkey" if "valkey_version" in info else "redis"
        print(f"kvwire {kvwire.__version__}, {product} {info[f'{product}_version']} at {kv.peer}")
        print("\nThe synchronous face: with kvwire.Valkey(url) as kv\n")
        for line in LINES:
            _print_result("", line, _run(line, kv))
    print("\nThe asyncio face: async with kvwire.AsyncValkey(url) as kv\n")
    asyncio.run(_show_async(url))


async def _show_async(url: str) -> None:
    async with kvwire.AsyncValkey(url) as kv:
        for line in LINES:
            _print_result("await ", line, await _run(line, kv))
        keys = [f"kvwire:{number}" for number in range(KEYS)]
        start = time.perf_counter()
        await asyncio.gather(*(kv.set(key, key) for key in keys))
        values = await asyncio.gather(*(kv.get(key, decode=True) for key in keys))
        took = time.perf_counter() - start
        await kv.delete(*keys)
    assert values == keys
    print(f"\n{2 * KEYS} calls at once over one connection: {took * 1e3:.1f} ms\n")


def _run(line: str, kv: Any) -> Any:
    return eval(line, {"kv": kv})  # so that what is shown is what runs


def _print_result(prefix: str, line: str, result: object) -> None:
    print(f"  {prefix}{line}\n    {result!r}")
