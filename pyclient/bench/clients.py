"""The clients that can be compared: how each one is opened, and how its calls are made.

A worker imports only the client that it measures, so every import of a client is inside the
function that opens it; by name, because types of a peer that may be absent are of no use here. The
calls are the clients' own bound methods: a wrapper's frame would be charged to the client.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from importlib import import_module, metadata
from importlib.util import find_spec
from typing import Any

from .model import BenchError
from .wire import Address

Call = Callable[..., Any]


@dataclass(frozen=True)
class Calls:
    """An open client's methods, and where their arguments differ from client to client."""

    get: Call
    set: Call
    incr: Call
    mget: Call
    lpush: Call
    rpop: Call
    ping: Call | None
    incr_by: bool = False  # incr takes the increment
    lpush_list: bool = False  # lpush takes a list of values


@dataclass(frozen=True)
class Client:
    """A client, what it is installed as, and how to open each of its faces."""

    name: str
    packages: tuple[str, ...]  # distributions whose versions tell what was measured
    open_async: Callable[[str, int], Any] | None
    open_sync: Callable[[str, int], Any] | None
    async_module: str
    sync_module: str
    install: str

    def supports(self, face: str) -> bool:
        """Whether the client has the face at all."""
        return (self.open_async if face == "async" else self.open_sync) is not None

    def installed(self, face: str) -> bool:
        """Whether the face can be imported here. Imports no client."""
        module = self.async_module if face == "async" else self.sync_module
        if not self.supports(face):
            return False
        try:
            return find_spec(module) is not None
        except ModuleNotFoundError:
            return False

    def version(self) -> str:
        """`8.1.0 with hiredis 3.5.0`, as far as installed."""
        known = []
        for package in self.packages:
            try:
                known.append((package, metadata.version(package)))
            except metadata.PackageNotFoundError:
                continue
        if not known:
            return "unknown"
        first, rest = known[0][1], known[1:]
        return first + "".join(f" with {name} {number}" for name, number in rest)


def _methods(
    client: Any,
    suffix: str = "",
    *,
    ping: bool = True,
    incr_by: bool = False,
    lpush_list: bool = False,
) -> Calls:
    def method(name: str) -> Call:
        found: Call = getattr(client, name + suffix)
        return found

    return Calls(
        get=method("get"),
        set=method("set"),
        incr=method("incr_by" if incr_by else "incr"),
        mget=method("mget"),
        lpush=method("lpush"),
        rpop=method("rpop"),
        ping=method("ping") if ping else None,
        incr_by=incr_by,
        lpush_list=lpush_list,
    )


# ---- kvwire ---------------------------------------------------------------------------------


@asynccontextmanager
async def _kvwire_async(url: str, workers: int) -> AsyncIterator[Calls]:
    import kvwire

    async with kvwire.AsyncValkey(url) as client:
        yield _methods(client)


@contextmanager
def _kvwire_sync(url: str, workers: int) -> Iterator[Calls]:
    import kvwire

    with kvwire.Valkey(url) as client:
        yield _methods(client)


# ---- django-vcache: its Rust driver, without the cache backend on top ------------------------


@asynccontextmanager
async def _vcache_async(url: str, workers: int) -> AsyncIterator[Calls]:
    client = import_module("django_vcache._driver").RustValkeyDriver.connect(url)
    yield _methods(client, ping=False, incr_by=True, lpush_list=True)


@contextmanager
def _vcache_sync(url: str, workers: int) -> Iterator[Calls]:
    client = import_module("django_vcache._driver").RustValkeyDriver.connect(url)
    yield _methods(client, "_sync", ping=False, incr_by=True, lpush_list=True)


# ---- redis-py -------------------------------------------------------------------------------


@asynccontextmanager
async def _redis_async(url: str, workers: int) -> AsyncIterator[Calls]:
    redis = import_module("redis.asyncio")
    # Its default of 100 connections is an error, not a queue, for more tasks than that.
    async with redis.Redis.from_url(url, max_connections=max(100, workers)) as client:
        yield _methods(client)


@contextmanager
def _redis_sync(url: str, workers: int) -> Iterator[Calls]:
    redis = import_module("redis")
    with redis.Redis.from_url(url, max_connections=max(100, workers)) as client:
        yield _methods(client)


# ---- valkey-glide ---------------------------------------------------------------------------


def _glide_options(module: Any, url: str) -> Any:
    address = Address(url)
    secret = None
    if address.password:
        secret = module.ServerCredentials(address.password, address.username or None)
    return module.GlideClientConfiguration(
        [module.NodeAddress(address.host, address.port)],
        credentials=secret,
        database_id=address.db or None,
        # Its default of 250 ms is short for a loaded machine; a timeout would end the run.
        request_timeout=10_000,
    )


@asynccontextmanager
async def _glide_async(url: str, workers: int) -> AsyncIterator[Calls]:
    glide = import_module("glide")
    client = await glide.GlideClient.create(_glide_options(glide, url))
    try:
        yield _methods(client, lpush_list=True)
    finally:
        await client.close()


@contextmanager
def _glide_sync(url: str, workers: int) -> Iterator[Calls]:
    glide_sync = import_module("glide_sync")
    client = glide_sync.GlideClient.create(_glide_options(glide_sync, url))
    try:
        yield _methods(client, lpush_list=True)
    finally:
        client.close()


# ---- coredis --------------------------------------------------------------------------------


@asynccontextmanager
async def _coredis_async(url: str, workers: int) -> AsyncIterator[Calls]:
    coredis = import_module("coredis")
    async with coredis.Redis.from_url(url, max_connections=max(100, workers)) as client:
        yield _methods(client, lpush_list=True)


CLIENTS: dict[str, Client] = {
    client.name: client
    for client in (
        Client("kvwire", ("kvwire",), _kvwire_async, _kvwire_sync, "kvwire", "kvwire", "kvwire"),
        Client(
            "django-vcache",
            ("django-vcache",),
            _vcache_async,
            _vcache_sync,
            "django_vcache._driver",
            "django_vcache._driver",
            "django-vcache",
        ),
        Client(
            "redis-py",
            ("redis", "hiredis"),
            _redis_async,
            _redis_sync,
            "redis",
            "redis",
            "'redis[hiredis]'",
        ),
        Client(
            "valkey-glide",
            ("valkey-glide",),
            _glide_async,
            _glide_sync,
            "glide",
            "glide_sync",
            "valkey-glide valkey-glide-sync",
        ),
        Client("coredis", ("coredis",), _coredis_async, None, "coredis", "", "coredis"),
    )
}


def choose(names: list[str] | None) -> list[Client]:
    """The clients named, or all that are installed. BenchError for one that cannot be had."""
    if names is None:
        found = [c for c in CLIENTS.values() if c.installed("async") or c.installed("sync")]
        if not found:
            raise BenchError("no client is installed: pip install 'kvwire[bench]'")
        return found
    chosen = []
    for name in names:
        client = CLIENTS.get(name)
        if client is None:
            raise BenchError(f"unknown client {name!r}; known are {', '.join(CLIENTS)}")
        if not (client.installed("async") or client.installed("sync")):
            raise BenchError(f"{name} is not installed: pip install {client.install}")
        if client not in chosen:
            chosen.append(client)
    return chosen
