"""A stand-in for a client that says which call was made on it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple


class Call(NamedTuple):
    name: str
    args: tuple[Any, ...]
    kwargs: dict[str, Any]


class _Recorder:
    def __getattr__(self, name: str) -> Callable[..., Call]:
        def called(*args: Any, **kwargs: Any) -> Call:
            return Call(name, args, kwargs)

        return called


def recorded(make: Callable[[Any], Any]) -> Call:
    """The call that `make` makes on its client."""
    call = make(_Recorder())
    assert isinstance(call, Call), "the function does not end with a call on the client"
    return call
