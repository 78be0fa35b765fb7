"""The command table without the extension: loaded from the source tree under a name of its own.

Also a model of what the core makes of a compiled declaration, to compare bind() with.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = "kvwire_table"

if PACKAGE not in sys.modules:
    package = ModuleType(PACKAGE)
    package.__path__ = [str(ROOT / "pyclient")]
    sys.modules[PACKAGE] = package

spec: Any = importlib.import_module(f"{PACKAGE}._spec")
convert: Any = importlib.import_module(f"{PACKAGE}._spec.convert")
forms: Any = importlib.import_module(f"{PACKAGE}._spec.forms")
shortcut: Any = importlib.import_module(f"{PACKAGE}._spec.shortcut")
template: Any = importlib.import_module(f"{PACKAGE}._spec.template")
replies: Any = importlib.import_module(f"{PACKAGE}._replies")
COMMANDS: tuple[Any, ...] = importlib.import_module(f"{PACKAGE}._commands").COMMANDS
EXCLUDED: dict[str, str] = importlib.import_module(f"{PACKAGE}._commands.excluded").EXCLUDED
BY_NAME: dict[str, Any] = {command.name: command for command in COMMANDS}


def encoded(value: Any) -> bytes:
    """An argument as the core writes it."""
    if isinstance(value, str):
        return value.encode()
    if isinstance(value, float):
        return repr(value).removesuffix(".0").encode()
    return str(value).encode() if isinstance(value, int) else bytes(value)


class NotPlainError(Exception):
    """Only bind() can tell what the call means."""


def _plain(value: Any) -> Any:
    if type(value) not in (str, bytes, int, float, bytearray, memoryview):
        raise NotPlainError
    return value


def _assign(
    params: Sequence[Any], args: Sequence[Any], kwargs: Mapping[str, Any]
) -> tuple[dict[str, Any], list[Any]]:
    """(the value of each parameter that was given, the members of *names)."""
    values: dict[str, Any] = {}
    variadic: list[Any] = []
    rest = list(args)
    for name, kind, _, _ in params:
        if kind == shortcut.VARIADIC:
            variadic, rest = rest, []
        elif rest:
            values[name] = rest.pop(0)
    if rest:
        raise NotPlainError
    kinds = {name: kind for name, kind, _, _ in params}
    for name, value in kwargs.items():
        if name == "decode":
            continue
        if name in values or kinds.get(name, shortcut.VARIADIC) == shortcut.VARIADIC:
            raise NotPlainError
        values[name] = value
    return values, variadic


def _emit(kind: int, token: bytes | None, given: bool, value: Any) -> list[Any]:
    """What one parameter puts on the wire."""
    if kind == shortcut.DEFAULT:
        return [_plain(value) if given else token]
    if kind in (shortcut.REQUIRED, shortcut.SPREAD):
        if kind == shortcut.SPREAD and type(value) in (list, tuple):
            if not value:
                raise NotPlainError
            return [_plain(member) for member in value]
        return [_plain(value)]
    if value is None or (value is False and kind in (shortcut.FLAG, shortcut.SLOW) and token):
        return []
    if kind == shortcut.OPTIONAL:
        return [_plain(value)]
    if kind == shortcut.TOKEN:
        return [token, _plain(value)]
    if kind == shortcut.FLAG and value is True:
        return [token]
    raise NotPlainError


def plain_call(
    command: Any, args: Sequence[Any], kwargs: Mapping[str, Any]
) -> tuple[list[Any], int, bool | None]:
    """(wire arguments, shape, decode) as the core makes them without bind(), or NotPlainError."""
    _, params, shape, _, flags = command.compile()
    if flags:
        raise NotPlainError
    decode = kwargs.get("decode")
    if decode not in (None, True, False):
        raise NotPlainError
    values, variadic = _assign(params, args, kwargs)
    wire: list[Any] = []
    spread = False
    for name, kind, token, own_shape in params:
        if kind == shortcut.VARIADIC:
            if not variadic and not spread:
                raise NotPlainError
            wire += [_plain(value) for value in variadic]
            continue
        emitted = _emit(kind, token, name in values, values.get(name))
        if emitted and own_shape >= 0 and kind in (shortcut.TOKEN, shortcut.FLAG):
            shape = own_shape
        wire += emitted
        spread = kind == shortcut.SPREAD
    return wire, shape, decode
