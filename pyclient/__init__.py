"""kvwire: a fast Redis and Valkey client, sync and asyncio, over one C core.

    with kvwire.Valkey("valkey://127.0.0.1:6379/0") as kv:
        kv.set("greeting", "hello", ex=30)
        kv.get("greeting")

    async with kvwire.AsyncValkey("valkey://127.0.0.1:6379/0") as kv:
        await kv.get("greeting")
"""

from __future__ import annotations

from ._backend import VERSION as __version__
from .client import AsyncPipeline, AsyncValkey, Pipeline, Valkey
from .errors import (
    AuthenticationError,
    ConnectionError,
    KVError,
    Overloaded,
    ProtocolError,
    ServerError,
    TimeoutError,
    ValueTooLarge,
)

__all__ = (
    "AsyncPipeline",
    "AsyncValkey",
    "AuthenticationError",
    "ConnectionError",
    "KVError",
    "Overloaded",
    "Pipeline",
    "ProtocolError",
    "ServerError",
    "TimeoutError",
    "Valkey",
    "ValueTooLarge",
    "__version__",
)
