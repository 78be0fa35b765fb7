"""bind(): what calls become on the wire, and what is said about those that mean nothing."""

from __future__ import annotations

import array
import contextlib
import enum
import shlex
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta, timezone
from typing import Any

import pytest

from tests.support.recorded import recorded
from tests.support.table import BY_NAME, COMMANDS, encoded, spec

from .wire_forms import Form
from .wire_forms_admin import FORMS

numpy: Any = None
with contextlib.suppress(ImportError):
    import numpy  # it starts threads, which a test may not

pytestmark = pytest.mark.once


def bound(make: Callable[[Any], Any]) -> tuple[list[Any], int, float, bool | None]:
    call = recorded(make)
    result: tuple[list[Any], int, float, bool | None] = BY_NAME[call.name].bind(
        *call.args, **call.kwargs
    )
    return result


def wire(make: Callable[[Any], Any]) -> list[bytes]:
    words: tuple[bytes, ...] = BY_NAME[recorded(make).name].compile()[0]
    return [*words, *map(encoded, bound(make)[0])]


def shape(make: Callable[[Any], Any]) -> str:
    name: str = spec.SHAPES[bound(make)[1]]
    return name


def test_wire_forms() -> None:
    wrong = {form.wire: b" ".join(wire(form.make)) for form in FORMS if not as_said(form)}
    assert not wrong


def as_said(form: Form) -> bool:
    return wire(form.make) == [word.encode() for word in shlex.split(form.wire)]


def test_every_command_and_every_parameter_has_a_wire_form() -> None:
    left = {(command.name, name) for command in COMMANDS for name in command.parsed.parameters}
    names = {command.name for command in COMMANDS}
    for form in FORMS:
        call = recorded(form.make)
        names.discard(call.name)
        parameters = list(BY_NAME[call.name].parsed.parameters.values())
        for parameter in parameters[: len(call.args)]:
            left.discard((call.name, parameter.name))
            if parameter.star:
                break
        for name in call.kwargs:
            left.discard((call.name, name))
    assert not names
    assert not left


# ---- values ---------------------------------------------------------------------------------


class Colour(enum.StrEnum):
    RED = "red"


class Level(enum.IntEnum):
    LOW = 1


class Text(str):
    def __str__(self) -> str:
        return "something else"


class Real(float):
    def __repr__(self) -> str:
        return "something else"


VALUES = [
    ("text", b"text"),
    ("schön €", "schön €".encode()),
    (b"\x00\xff", b"\x00\xff"),
    (bytearray(b"ab"), b"ab"),
    (memoryview(b"abcd")[1:3], b"bc"),
    (array.array("B", [1, 2]), b"\x01\x02"),
    (0, b"0"),
    (-(10**30), b"-1" + b"0" * 30),
    (1.5, b"1.5"),
    (2.0, b"2"),
    (1e300, b"1e+300"),
    (float("-inf"), b"-inf"),
    (Colour.RED, b"red"),
    (Level.LOW, b"1"),
    (Text("real"), b"real"),
    (Real(0.5), b"0.5"),
]


@pytest.mark.parametrize(("value", "expected"), VALUES)
def test_values(value: Any, expected: bytes) -> None:
    assert wire(lambda kv: kv.set("k", value)) == [b"SET", b"k", expected]
    assert wire(lambda kv: kv.rpush("k", value, value)) == [b"RPUSH", b"k", expected, expected]
    assert wire(lambda kv: kv.mget([value], value)) == [b"MGET", expected, expected]
    assert wire(lambda kv: kv.mget(value)) == [b"MGET", expected]
    assert wire(lambda kv: kv.hset("h", "f", value)) == [b"HSET", b"h", b"f", expected]
    assert wire(lambda kv: kv.hset("h", mapping={"f": value}))[3] == expected


def test_buffers_are_handed_on_as_they_are() -> None:
    value = array.array("d", [1.0])
    assert bound(lambda kv: kv.set("k", value))[0][1] is value


@pytest.mark.skipif(numpy is None, reason="numpy is not installed")
def test_numpy() -> None:
    rows = numpy.arange(6, dtype="u1").reshape(2, 3)
    assert wire(lambda kv: kv.set("k", rows)) == [b"SET", b"k", bytes(range(6))]
    assert wire(lambda kv: kv.set("k", numpy.float64(0.5)))[2] == b"0.5"
    for wrong in (rows.T, numpy.int64(5), numpy.array(5), numpy.array([None])):
        with pytest.raises(TypeError, match=r"^set\(\): value must be str, bytes, a C-contiguous"):
            BY_NAME["set"].bind("k", wrong)


NOT_VALUES = [None, True, False, [1], (1,), {"a": 1}, {1}, object(), 1j, memoryview(b"abcd")[::2]]


@pytest.mark.parametrize("value", NOT_VALUES, ids=repr)
def test_what_is_no_value(value: Any) -> None:
    kind = type(value).__name__
    say = "must be str, bytes, a C-contiguous buffer, int or float, not " + kind
    calls: list[tuple[Callable[[Any], Any], str]] = [
        (lambda kv: kv.set("k", value), r"set\(\): value"),
        (lambda kv: kv.get(value), r"get\(\): name"),
        (lambda kv: kv.rpush("k", 1, value), r"rpush\(\): values\[1\]"),
        (lambda kv: kv.mget(["a", value]), r"mget\(\): keys\[1\]"),
        (lambda kv: kv.mget("a", value), r"mget\(\): args\[0\]"),
        (lambda kv: kv.mset({"a": value}), r"mset\(\): mapping\['a'\]"),
        (lambda kv: kv.zadd("z", {"a": value}), r"zadd\(\): mapping\['a'\]"),
        (lambda kv: kv.hset("h", items=["f", value]), r"hset\(\): items\[1\]"),
    ]
    for make, where in calls:
        with pytest.raises(TypeError, match=f"^{where} {say}$"):
            bound(make)


# ---- times ----------------------------------------------------------------------------------

BERLIN = timezone(timedelta(hours=1))

MOMENTS = [
    (datetime(1970, 1, 1, tzinfo=UTC), 0),
    (datetime(1970, 1, 1, 1, 0, 0, 1, tzinfo=BERLIN), 1),
    (datetime(2030, 1, 1, 0, 0, 0, 500_000, tzinfo=UTC), 1_893_456_000_500),
    (datetime(2030, 1, 1, 0, 0, 0, 123_001, tzinfo=UTC), 1_893_456_000_124),
    (datetime(9999, 12, 31, 23, 59, 59, 999_999, tzinfo=UTC), 253_402_300_800_000),
]


@pytest.mark.parametrize(("moment", "milliseconds"), MOMENTS)
def test_datetimes(moment: datetime, milliseconds: int) -> None:
    assert bound(lambda kv: kv.pexpireat("k", moment))[0] == ["k", milliseconds]
    assert bound(lambda kv: kv.expireat("k", moment))[0] == ["k", -(-milliseconds // 1000)]
    naive = moment.astimezone().replace(tzinfo=None) if moment.year < 9999 else None
    if naive is not None:
        assert bound(lambda kv: kv.pexpireat("k", naive))[0] == ["k", milliseconds]


DURATIONS = [
    (timedelta(0), 0),
    (timedelta(microseconds=1), 1),
    (timedelta(milliseconds=1), 1),
    (timedelta(milliseconds=999, microseconds=1), 1000),
    (timedelta(days=10_000, microseconds=1), 864_000_000_001),
    (timedelta(microseconds=-1), 0),
    (timedelta(seconds=-1.5), -1500),
]


@pytest.mark.parametrize(("duration", "milliseconds"), DURATIONS)
def test_durations_are_rounded_up(duration: timedelta, milliseconds: int) -> None:
    assert bound(lambda kv: kv.pexpire("k", duration))[0] == ["k", milliseconds]
    assert bound(lambda kv: kv.expire("k", duration))[0] == ["k", -(-milliseconds // 1000)]


@pytest.mark.parametrize("wrong", [True, object(), [5], datetime(2030, 1, 1, tzinfo=UTC)], ids=repr)
def test_what_is_no_duration(wrong: Any) -> None:
    kind = type(wrong).__name__
    with pytest.raises(TypeError, match=rf"^set\(\): ex must be an int or a timedelta, not {kind}"):
        bound(lambda kv: kv.set("k", "v", ex=wrong))
    with pytest.raises(TypeError, match=r"^expire\(\): time must be"):
        bound(lambda kv: kv.expire("k", wrong))


@pytest.mark.parametrize("wrong", [False, date(2030, 1, 1), timedelta(seconds=1), {}], ids=repr)
def test_what_is_no_moment(wrong: Any) -> None:
    with pytest.raises(TypeError, match=r"^set\(\): exat must be an int or a datetime, not "):
        bound(lambda kv: kv.set("k", "v", exat=wrong))


# ---- blocking -------------------------------------------------------------------------------

BLOCKS: list[tuple[Callable[[Any], Any], float]] = [
    (lambda kv: kv.blpop("k"), 0.0),
    (lambda kv: kv.blpop("k", None), 0.0),
    (lambda kv: kv.blpop("k", 2), 2.0),
    (lambda kv: kv.brpop("k", 0.25), 0.25),
    (lambda kv: kv.brpoplpush("a", "b", 3), 3.0),
    (lambda kv: kv.blmove("a", "b", 1.5), 1.5),
    (lambda kv: kv.blmpop(4, 1, "a", direction="LEFT"), 4.0),
    (lambda kv: kv.bzpopmin("a", 1), 1.0),
    (lambda kv: kv.bzpopmax("a", 1), 1.0),
    (lambda kv: kv.bzmpop(2, 1, ["a"], min=True), 2.0),
    (lambda kv: kv.wait(1, 0), 0.0),
    (lambda kv: kv.wait(1, 1500), 1.5),
    (lambda kv: kv.waitaof(1, 1, 1), 0.001),
    (lambda kv: kv.get("k"), -1.0),
    (lambda kv: kv.client_pause(100), -1.0),
]


@pytest.mark.parametrize(("make", "seconds"), BLOCKS, ids=lambda x: repr(x)[:8])
def test_how_long_a_call_may_block(make: Callable[[Any], Any], seconds: float) -> None:
    block = bound(make)[2]
    assert type(block) is float and block == seconds
    flags = BY_NAME[recorded(make).name].compile()[4]
    assert bool(flags & spec.BLOCKING) == (seconds >= 0)


def test_the_blocking_commands() -> None:
    names = {command.name for command in COMMANDS if command.compile()[4] & spec.BLOCKING}
    assert names == {recorded(make).name for make, seconds in BLOCKS if seconds >= 0}


@pytest.mark.parametrize("wrong", [-1, -0.001, float("nan"), float("inf"), float("-inf")], ids=repr)
def test_times_that_no_call_can_block(wrong: float) -> None:
    with pytest.raises(ValueError, match=r"^blpop\(\): timeout must be a number of seconds from 0"):
        bound(lambda kv: kv.blpop("k", wrong))


@pytest.mark.parametrize("wrong", ["1", b"1", True, [1], timedelta(seconds=1)], ids=repr)
def test_what_is_no_timeout(wrong: Any) -> None:
    kind = type(wrong).__name__
    with pytest.raises(TypeError, match=rf"^blpop\(\): timeout must be a number.*, not {kind}$"):
        bound(lambda kv: kv.blpop("k", wrong))
    with pytest.raises(TypeError, match=rf"^wait\(\): timeout must be an int.*, not {kind}$"):
        bound(lambda kv: kv.wait(1, wrong))


def test_wait_counts_whole_milliseconds() -> None:
    for wrong, error in ((0.5, TypeError), (None, TypeError), (-1, ValueError)):
        with pytest.raises(error, match=r"^wait\(\): timeout "):
            BY_NAME["wait"].bind(1, wrong)


# ---- what depends on options ----------------------------------------------------------------

SHAPES: list[tuple[Callable[[Any], Any], str]] = [
    (lambda kv: kv.set("k", "v"), "ok"),
    (lambda kv: kv.set("k", "v", get=True), "raw"),
    (lambda kv: kv.set("k", "v", get=False), "ok"),
    (lambda kv: kv.lcs("a", "b"), "raw"),
    (lambda kv: kv.lcs("a", "b", idx=True), "map"),
    (lambda kv: kv.zadd("z", {"a": 1}), "raw"),
    (lambda kv: kv.zadd("z", {"a": 1}, incr=True), "double"),
    (lambda kv: kv.zrange("z", 0, 1), "raw"),
    (lambda kv: kv.zrange("z", 0, 1, withscores=True), "scored"),
    (lambda kv: kv.zrank("z", "a", withscore=True), "rank_score"),
    (lambda kv: kv.zrandmember("z", 1), "raw"),
    (lambda kv: kv.zrandmember("z", 1, True), "scored"),
    (lambda kv: kv.hrandfield("h", 1, True), "pairs"),
    (lambda kv: kv.hscan("h"), "scan_map"),
    (lambda kv: kv.hscan("h", no_values=True), "scan"),
]


@pytest.mark.parametrize(("make", "expected"), SHAPES, ids=lambda x: repr(x)[:8])
def test_options_that_change_the_reply(make: Callable[[Any], Any], expected: str) -> None:
    assert shape(make) == expected


def test_decode() -> None:
    get = BY_NAME["get"].bind
    assert [get("k", decode=decode)[3] for decode in (None, True, False)] == [None, True, False]
    assert bound(lambda kv: kv.dump("k"))[3] is False, "a dump is no text"
    assert bound(lambda kv: kv.dump("k", decode=True))[3] is True
    not_decode: list[Any] = ["utf-8", 1, 0, []]
    for wrong in not_decode:
        with pytest.raises(TypeError, match=r"^get\(\): decode must be True, False or None, not "):
            get("k", decode=wrong)
    with pytest.raises(TypeError, match=r"^get\(\) takes 1 positional argument"):
        get("k", True)
