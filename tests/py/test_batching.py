"""How many sends the commands of a loop's turn take: what a batch costs is mostly its system calls.

A scripted server answers a hundred calls in one piece, so that the client hands them over in one
batch; the kernel counts the segments in which the calls that follow have left.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import socket
import struct
from typing import Any

import pytest

import kvwire
from tests.support.loops import Runner
from tests.support.scripted import Answer, ScriptedServer

BATCH = 100
# struct tcp_info of linux/tcp.h: tcpi_data_segs_out, behind 26 words, 4 long words and 5 words.
DATA_SEGS_OUT = 156


def sent_segments(port: int) -> int:
    """How many segments with data this process has sent to the port, on open connections."""
    total = 0
    for name in os.listdir("/proc/self/fd"):
        with contextlib.suppress(OSError):  # what listed the directory is closed, a listener alone
            if not os.readlink(f"/proc/self/fd/{name}").startswith("socket:"):
                continue
            with socket.socket(fileno=os.dup(int(name))) as sock:
                if sock.family == socket.AF_INET and sock.getpeername()[1] == port:
                    info = sock.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 256)
                    total += struct.unpack_from("I", info, DATA_SEGS_OUT)[0]
    return total


@pytest.mark.parametrize("due", [0, BATCH], ids=["nothing due", "as much due"])
def test_sends_of_a_batch(run: Runner, fake: ScriptedServer, due: int) -> None:
    """The next calls of a batch leave in two halves where the server has nothing else to do, and in
    one piece where it has."""
    fake.on("GET", "quiet", answer=Answer())
    fake.on("GET", "burst", answer=Answer(b"$1\r\nA\r\n" * BATCH))

    async def main() -> None:
        async with kvwire.AsyncValkey(fake.url) as kv:
            assert await kv.get("next") == b"NEXT"
            calls = ["quiet"] * (BATCH - 1) + ["burst"] + ["quiet"] * due
            came = 0

            async def task(key: str) -> Any:
                nonlocal came
                await kv.get(key)
                came += 1
                return await kv.get("quiet")

            before = sent_segments(fake.port)
            tasks = [asyncio.create_task(task(key)) for key in calls]
            while came < BATCH:
                await asyncio.sleep(0.001)
            await asyncio.to_thread(fake.wait_received, "GET", count=1 + len(calls) + BATCH)
            sends = sent_segments(fake.port) - before
            # The first turn's calls leave in one send. In debug mode no task is stepped before the
            # batch has been taken in whole, so that all that follows leaves together.
            halves = 1 if due or run.kind == "debug" else 2
            assert sends == 1 + halves
            for one in tasks:
                one.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    run(main)
