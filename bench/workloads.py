"""What callgrind.py counts: `workloads.py NAME OPERATIONS URL`, one fixed thing so many times."""

from __future__ import annotations

import asyncio
import sys
from itertools import repeat

import kvwire
from kvwire import _core

KEYS = [f"kvwire-bench:count:{index}" for index in range(1000)]
VALUE = b"v" * 128
BULK = b"$128\r\n%b\r\n" % VALUE
TASKS = 200


def parse(reply: bytes, ops: int) -> None:
    for _ in repeat(None, ops):
        _core.parse(reply)


def sync_get(url: str, ops: int) -> None:
    with kvwire.Valkey(url) as client:
        client.set(KEYS[0], VALUE)
        get = client.get
        for key in repeat(KEYS[0], ops):
            get(key)


def sync_mget(url: str, ops: int) -> None:
    with kvwire.Valkey(url) as client:
        for key in KEYS:
            client.set(key, VALUE)
        mget = client.mget
        for keys in repeat(KEYS, ops):
            mget(keys)


async def async_get(url: str, ops: int) -> None:
    async with kvwire.AsyncValkey(url) as client:
        await client.set(KEYS[0], VALUE)

        async def task() -> None:
            get = client.get
            for key in repeat(KEYS[0], ops // TASKS):
                await get(key)

        await asyncio.gather(*[task() for _ in range(TASKS)])


async def async_set(url: str, ops: int) -> None:
    async with kvwire.AsyncValkey(url) as client:

        async def task() -> None:
            set_ = client.set
            for key in repeat(KEYS[0], ops // TASKS):
                await set_(key, VALUE)

        await asyncio.gather(*[task() for _ in range(TASKS)])


def main(name: str, ops: int, url: str) -> None:
    if name == "parse-get":
        parse(BULK, ops)
    elif name == "parse-mget-1000":
        parse(b"*1000\r\n" + BULK * 1000, ops)
    elif name == "sync-get":
        sync_get(url, ops)
    elif name == "sync-mget-1000":
        sync_mget(url, ops)
    elif name == "async-get":
        asyncio.run(async_get(url, ops))
    elif name == "async-set":
        asyncio.run(async_set(url, ops))
    else:
        raise SystemExit(f"unknown workload {name!r}")


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), sys.argv[3])
