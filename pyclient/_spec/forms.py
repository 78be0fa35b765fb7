"""Arguments that follow from several parameters at once: the `<form ...>` of the declarations.

Each takes the method's name and the parameters that the declaration lists, and gives the arguments.
The annotations of the parameters are their types in the stubs.
"""

from __future__ import annotations

from .convert import apart, check_all, conflict, empty, members, scalar, yes_no
from .convert import items as flat

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any, TypeVar

    from .convert import Wire

    Scalar = Wire
    K = TypeVar("K", bound=Scalar)


def pairs(
    method: str,
    key: Scalar | None,
    value: Scalar | None,
    mapping: Mapping[K, Scalar] | None,
    items: Sequence[Scalar] | None,
) -> list[Any]:
    """Fields and values, from whichever of the parameters they come."""
    found: list[Any] = []
    if items:
        found = check_all(list(items), method, "items")
        if len(found) % 2:
            raise ValueError(f"{method}(): items must be fields and values in turn")
    if key is not None and value is not None:
        found += [scalar(key, method, "key"), scalar(value, method, "value")]
    elif key is not None or value is not None:
        raise apart(method, "key", "value")
    if mapping:
        found += flat(mapping, method, "mapping")
    if not found:
        raise ValueError(f"{method}(): key and value, mapping or items must be given")
    return found


def counted_pairs(
    method: str,
    key: Scalar | None,
    value: Scalar | None,
    mapping: Mapping[K, Scalar] | None,
    items: Sequence[Scalar] | None,
) -> list[Any]:
    """pairs(), behind their number."""
    found = pairs(method, key, value, mapping, items)
    return [len(found) // 2, *found]


def scores(method: str, mapping: Mapping[K, float | str], incr: bool) -> list[Any]:
    """The items of {member: score}, the score first."""
    flat_items = flat(mapping, method, "mapping")
    if not flat_items:
        raise empty(method, "mapping")
    if incr and len(flat_items) > 2:
        raise ValueError(f"{method}(): incr takes a mapping of one member, not {len(mapping)}")
    flat_items[::2], flat_items[1::2] = flat_items[1::2], flat_items[::2]
    return flat_items


def weighted(method: str, keys: Scalar | Iterable[Scalar] | Mapping[K, float]) -> list[Any]:
    """A list of keys behind their number, or a mapping of keys and weights."""
    if hasattr(keys, "items"):
        flat_items = flat(keys, method, "keys")
        names, weights = flat_items[::2], [b"WEIGHTS", *flat_items[1::2]]
    else:
        names, weights = members(keys, method, "keys"), []
    if not names:
        raise empty(method, "keys")
    return [len(names), *names, *weights]


def pause_mode(method: str, all: bool) -> list[Any]:
    """Everything waits, unless only writes are to."""
    return [] if all else [b"WRITE"]


def client_filters(
    method: str,
    _id: int | None,
    _type: str | None,
    addr: str | None,
    skipme: bool | None,
    laddr: str | None,
    user: str | None,
    maxage: int | None,
) -> list[Any]:
    """Which clients are meant: at least one filter."""
    found: list[Any] = []
    for token, name, value in (
        (b"ID", "_id", _id),
        (b"TYPE", "_type", _type),
        (b"ADDR", "addr", addr),
        (b"LADDR", "laddr", laddr),
        (b"USER", "user", user),
        (b"MAXAGE", "maxage", maxage),
    ):
        if value is not None:
            found += [token, scalar(value, method, name)]
    if skipme is not None:
        found += [b"SKIPME", yes_no(skipme, method, "skipme")]
    if not found:
        raise ValueError(f"{method}() needs at least one filter")
    return found


def settings(method: str, name: Scalar, value: Scalar, args: tuple[Scalar, ...]) -> list[Any]:
    """Names and values of the server's configuration."""
    found = check_all([name, value], method, "args") + check_all(list(args), method, "args")
    if len(found) % 2:
        raise ValueError(f"{method}(): each name must be followed by a value")
    return found


def primary(method: str, host: Scalar | None, port: Scalar | None) -> list[Any]:
    """A server to follow, or none."""
    if host is None and port is None:
        return [b"NO", b"ONE"]
    if host is None or port is None:
        raise apart(method, "host", "port")
    return [scalar(host, method, "host"), scalar(port, method, "port")]


def module_options(method: str, options: Mapping[K, Scalar] | None) -> list[Any]:
    """A module's settings, each behind its own word."""
    found: list[Any] = []
    flat_items = flat(options, method, "options") if options else []
    for name, value in zip(flat_items[::2], flat_items[1::2], strict=True):
        found += [b"CONFIG", name, value]
    return found


# ---- access control lists ------------------------------------------------------------------------


def _rule_bytes(value: Any, method: str, parameter: str) -> bytes:
    wire = scalar(value, method, parameter)
    return str(wire).encode() if isinstance(wire, str | int | float) else bytes(wire)


def _signed(
    values: Any, method: str, parameter: str, plus: bytes, minus: bytes, strip: bytes = b""
) -> list[bytes]:
    """Rules that begin with + or -, which become the server's own signs."""
    rules: list[bytes] = []
    for value in members(values, method, parameter):
        rule = _rule_bytes(value, method, parameter)
        sign = plus if rule[:1] == b"+" else minus
        if rule[:1] not in (b"+", b"-"):
            raise ValueError(f"{method}(): each of {parameter} must begin with + or -")
        rules.append(sign + rule[1:].removeprefix(strip))
    return rules


def _pattern(value: Any, method: str, parameter: str) -> bytes:
    """A key pattern; %R~ and the like stand for themselves."""
    rule = _rule_bytes(value, method, parameter)
    return rule if rule[:1] in (b"%", b"~") else b"~" + rule


def acl_rules(
    method: str,
    enabled: bool,
    nopass: bool,
    passwords: str | Iterable[str] | None,
    hashed_passwords: str | Iterable[str] | None,
    categories: Iterable[str] | None,
    commands: Iterable[str] | None,
    keys: Iterable[Scalar] | None,
    channels: Iterable[Scalar] | None,
    selectors: Iterable[tuple[str, Scalar]] | None,
    reset: bool,
    reset_keys: bool,
    reset_channels: bool,
    reset_passwords: bool,
) -> list[Any]:
    """The rules of ACL SETUSER, in an order in which later ones add to earlier ones."""
    if nopass and (passwords or hashed_passwords):
        raise conflict(method, "nopass", "passwords" if passwords else "hashed_passwords")
    rules: list[Any] = [
        word
        for word, wanted in (
            (b"reset", reset),
            (b"resetkeys", reset_keys),
            (b"resetchannels", reset_channels),
            (b"resetpass", reset_passwords),
        )
        if wanted
    ]
    rules.append(b"on" if enabled else b"off")
    rules += _signed(passwords or (), method, "passwords", b">", b"<")
    rules += _signed(hashed_passwords or (), method, "hashed_passwords", b"#", b"!")
    if nopass:
        rules.append(b"nopass")
    rules += _signed(categories or (), method, "categories", b"+@", b"-@", strip=b"@")
    rules += _signed(commands or (), method, "commands", b"+", b"-")
    rules += [_pattern(key, method, "keys") for key in members(keys or (), method, "keys")]
    for channel in members(channels or (), method, "channels"):
        rules.append(b"&" + _rule_bytes(channel, method, "channels"))
    for command, key in selectors or ():
        (rule,) = _signed([command], method, "selectors", b"+", b"-")
        rules.append(b"(%s %s)" % (rule, _pattern(key, method, "selectors")))
    return rules
