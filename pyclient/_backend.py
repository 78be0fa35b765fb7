"""The compiled core behind the facade, and what it has to provide."""

from __future__ import annotations

from . import _core, errors

# Everything that the facade uses of a backend.
PROVIDES = (
    "AsyncClient",
    "AsyncPipeline",
    "SHAPES",
    "SyncClient",
    "SyncPipeline",
    "VERSION",
    "encode",
    "install",
    "parse",
    "setup",
)

AsyncClient = _core.AsyncClient
AsyncPipeline = _core.AsyncPipeline
SHAPES = _core.SHAPES
SyncClient = _core.SyncClient
SyncPipeline = _core.SyncPipeline
VERSION = _core.VERSION
encode = _core.encode
install = _core.install
parse = _core.parse

_core.setup(errors)
