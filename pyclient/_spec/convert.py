"""What arguments become on their way to the wire, and what is said about those that cannot.

The core writes str, bytes, buffers, int and float. Everything else is made one of them here, or is
an error that names the method and the parameter.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from datetime import timedelta
    from typing import Any

    # What the core writes.
    Wire = str | bytes | bytearray | memoryview | int | float

# Types that the core writes and that need no look.
PLAIN = frozenset({str, bytes, int, float, bytearray})

# Kinds of single parameters: their function here, and their type in the stubs. What C sends itself
# when the value is a plain one must be among the kinds whose function leaves plain values alone.
KINDS: dict[str, tuple[str, str]] = {
    "scalar": ("scalar", "_Scalar"),
    "int": ("scalar", "int"),
    "float": ("scalar", "float"),
    "text": ("scalar", "str"),
    "seconds": ("seconds", "int | timedelta"),
    "milliseconds": ("milliseconds", "int | timedelta"),
    "at": ("at", "int | datetime"),
    "at_ms": ("at_ms", "int | datetime"),
    "yes_no": ("yes_no", "bool"),
    "timeout": ("timeout", "float | None"),
    "wait": ("wait", "int"),
}
ALWAYS_CONVERTED = ("yes_no", "timeout", "wait")


def _kind(value: object) -> str:
    return type(value).__name__


def _as_wire(value: Any) -> Wire | None:
    """The value as something that the core writes, None when it is no single value."""
    kind = type(value)
    if kind in PLAIN:
        return value  # type: ignore[no-any-return]
    if kind is bool or value is None:
        return None
    # Subclasses (enumerations among them) stand for what they are, not for how they look.
    if isinstance(value, str):
        return str.__str__(value)
    if isinstance(value, int):
        return int.__index__(value)
    if isinstance(value, float):
        return float.__float__(value)
    try:
        with memoryview(value) as view:
            # A buffer without dimensions is a number of numpy's, of objects: pointers.
            fits = view.ndim > 0 and view.c_contiguous and "O" not in view.format
    except (TypeError, BufferError, ValueError):  # numpy's dates are a ValueError
        return None
    return value if fits else None


def scalar(value: Any, method: str, parameter: str) -> Wire:
    wire = _as_wire(value)
    if wire is None:
        raise TypeError(
            f"{method}(): {parameter} must be str, bytes, a C-contiguous buffer, int or float, "
            f"not {_kind(value)}"
        )
    return wire


def check_all(values: list[Any], method: str, parameter: str) -> list[Any]:
    """Make each member of the list something that the core writes, in place."""
    for at, value in enumerate(values):
        if type(value) not in PLAIN:
            values[at] = scalar(value, method, f"{parameter}[{at}]")
    return values


def members(value: Any, method: str, parameter: str) -> list[Any]:
    """The members of a list parameter; a single value counts as a list of one."""
    single = _as_wire(value)
    if single is not None:
        return [single]
    if isinstance(value, memoryview):  # not contiguous: its members are numbers, never keys
        raise TypeError(
            f"{method}(): {parameter} must be a C-contiguous buffer if it is a memoryview"
        )
    try:
        values = list(value)
    except TypeError:
        raise TypeError(
            f"{method}(): {parameter} must be a list of values or a single one, not {_kind(value)}"
        ) from None
    return check_all(values, method, parameter)


def items(value: Any, method: str, parameter: str) -> list[Any]:
    """Keys and values of a mapping, one behind the other."""
    try:
        pairs = value.items()
    except AttributeError:
        raise TypeError(f"{method}(): {parameter} must be a mapping, not {_kind(value)}") from None
    flat: list[Any] = []
    for key, item in pairs:
        flat.append(key if type(key) in PLAIN else scalar(key, method, f"a key of {parameter}"))
        flat.append(
            item if type(item) in PLAIN else scalar(item, method, f"{parameter}[{key!r}]")
        )
    return flat


def choice(value: Any, method: str, parameter: str, allowed: tuple[str, ...]) -> bytes:
    """One of the allowed words, in upper case on the wire."""
    text = value.decode("latin-1") if isinstance(value, bytes) else value
    if not isinstance(text, str):
        raise TypeError(f"{method}(): {parameter} must be a str, not {_kind(value)}")
    word = text.upper()
    if word not in allowed:
        names = " or ".join((", ".join(allowed[:-1]), allowed[-1])) if allowed[1:] else allowed[0]
        raise ValueError(f"{method}(): {parameter} must be {names}, not {value!r}")
    return word.encode()


def yes_no(value: Any, method: str, parameter: str) -> bytes:
    if value is True or value is False:
        return b"YES" if value else b"NO"
    raise TypeError(f"{method}(): {parameter} must be a bool, not {_kind(value)}")


# ---- times -----------------------------------------------------------------------------------


def _units(duration: timedelta, per_second: int) -> int:
    """Rounded up: what is to be kept for a moment must not be gone at once."""
    whole = duration.days * 86400 + duration.seconds
    return whole * per_second - (-duration.microseconds * per_second // 1_000_000)


def _relative(value: Any, method: str, parameter: str, per_second: int) -> Wire:
    wire = _as_wire(value)
    if wire is not None:
        return wire
    from datetime import timedelta

    if isinstance(value, timedelta):
        return _units(value, per_second)
    raise TypeError(f"{method}(): {parameter} must be an int or a timedelta, not {_kind(value)}")


def _absolute(value: Any, method: str, parameter: str, per_second: int) -> Wire:
    wire = _as_wire(value)
    if wire is not None:
        return wire
    from datetime import UTC, datetime

    if isinstance(value, datetime):
        # A datetime without a zone is in local time, as everywhere in Python.
        return _units(value.astimezone(UTC) - datetime(1970, 1, 1, tzinfo=UTC), per_second)
    raise TypeError(f"{method}(): {parameter} must be an int or a datetime, not {_kind(value)}")


def seconds(value: Any, method: str, parameter: str) -> Wire:
    return _relative(value, method, parameter, 1)


def milliseconds(value: Any, method: str, parameter: str) -> Wire:
    return _relative(value, method, parameter, 1000)


def at(value: Any, method: str, parameter: str) -> Wire:
    return _absolute(value, method, parameter, 1)


def at_ms(value: Any, method: str, parameter: str) -> Wire:
    return _absolute(value, method, parameter, 1000)


def timeout(value: Any, method: str, parameter: str) -> int | float:
    """How many seconds the server may block; 0 and None: for ever."""
    if value is None:
        return 0
    number = _as_wire(value)
    if not isinstance(number, int | float):
        raise TypeError(
            f"{method}(): {parameter} must be a number of seconds, not {_kind(value)}"
        )
    # Nan compares false with everything.
    if not 0 <= number < float("inf"):
        raise ValueError(
            f"{method}(): {parameter} must be a number of seconds from 0 (for ever), not {value!r}"
        )
    return number


def wait(value: Any, method: str, parameter: str) -> int:
    """How many milliseconds the server may block; 0: for ever."""
    number = _as_wire(value)
    if not isinstance(number, int):
        raise TypeError(
            f"{method}(): {parameter} must be an int of milliseconds, not {_kind(value)}"
        )
    if number < 0:
        raise ValueError(
            f"{method}(): {parameter} must be milliseconds from 0 (for ever), not {value!r}"
        )
    return number


# ---- what a call as a whole can have wrong ------------------------------------------------------


def missing(method: str, parameter: str) -> TypeError:
    return TypeError(f"{method}() needs at least one of *{parameter}")


def empty(method: str, parameter: str) -> ValueError:
    return ValueError(f"{method}(): {parameter} must not be empty")


def apart(method: str, first: str, second: str) -> ValueError:
    return ValueError(f"{method}(): {first} and {second} must be given together")


def needs(method: str, option: str, other: str) -> ValueError:
    return ValueError(f"{method}(): {option} needs {other}")


def conflict(method: str, first: str, second: str) -> ValueError:
    return ValueError(f"{method}(): {first} and {second} exclude each other")


def one_of(method: str, *names: str) -> ValueError:
    return ValueError(f"{method}(): one of {' and '.join(names)} must be given")


def check_count(count: Any, found: int, method: str, parameter: str, of: str) -> int:
    """A count that the caller gives although it follows from the list."""
    number = _as_wire(count)
    if not isinstance(number, int):
        raise TypeError(f"{method}(): {parameter} must be an int, not {_kind(count)}")
    if number != found:
        raise ValueError(f"{method}(): {parameter} is {number}, but there are {found} in {of}")
    return number


def check_decode(decode: Any, method: str) -> bool | None:
    if decode is None or decode is True or decode is False:
        return decode
    raise TypeError(f"{method}(): decode must be True, False or None, not {_kind(decode)}")
