"""Calls that stay unanswered until a test says so. Imports kvwire."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable
from contextlib import asynccontextmanager
from typing import Any

import kvwire

from .scripted import Answer, Gate, ScriptedServer


async def outcome(call: Awaitable[Any]) -> Any:
    """A coroutine that awaits, since a task wants one."""
    return await call


class Held:
    """A client whose `GET k` (value b"A"), `GET bad` (an error) and `SCAN` wait for open()."""

    def __init__(self, fake: ScriptedServer, kv: kvwire.AsyncValkey) -> None:
        self.fake = fake
        self.kv = kv
        self.gate: Gate
        self.shut()

    def shut(self) -> None:
        """A new gate for the calls from now on."""
        self.gate = self.fake.gate()
        self.fake.on("GET", "k", answer=Answer(b"$1\r\nA\r\n", gate=self.gate))
        self.fake.on("GET", "bad", answer=Answer(b"-WRONGTYPE bad key\r\n", gate=self.gate))
        self.fake.on("GET", "null", answer=Answer(b"$-1\r\n", gate=self.gate))
        self.fake.on("SCAN", answer=Answer(b"*2\r\n$1\r\n7\r\n*1\r\n$1\r\na\r\n", gate=self.gate))

    def open(self) -> None:
        self.gate.open()

    def get(self, key: str = "k") -> Any:
        return self.kv.get(key)

    async def arrived(self, count: int = 1) -> None:
        await asyncio.to_thread(self.fake.wait_received, "GET", count=count)


@asynccontextmanager
async def held(fake: ScriptedServer) -> AsyncIterator[Held]:
    async with kvwire.AsyncValkey(fake.url) as kv:
        yield Held(fake, kv)
