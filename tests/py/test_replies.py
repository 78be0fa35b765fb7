"""What the server says becomes the right value, at the right caller, however the bytes come.

Every scripted reply is tried in one send and byte by byte, on both faces, alone and among ten
other calls; and after each the client must work on.
"""

from __future__ import annotations

import contextlib
import random
import resource
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest

import kvwire
from kvwire import _core
from tests.support.corpus import ARRAY, ARRAY_VALUE, MALFORMED, VALUES
from tests.support.effort import repeats
from tests.support.exact import exact
from tests.support.faces import Face
from tests.support.rss import resident_bytes
from tests.support.scripted import NEXT, Answer, ScriptedServer, bytewise, split
from tests.support.servers import Server

CALLS_BESIDE = 10


@dataclass(frozen=True)
class Case:
    id: str
    reply: bytes
    value: Any = None
    error: type[Exception] | None = None
    options: tuple[tuple[str, Any], ...] = ()


def nested(levels: int) -> bytes:
    return b"*1\r\n" * levels + b":1\r\n"


def nested_value(levels: int) -> Any:
    value: Any = 1
    for _ in range(levels):
        value = [value]
    return value


GOOD = (
    Case("P02-int-bool", b"%2\r\n:1\r\n+x\r\n#t\r\n+y\r\n", {1: "y"}),
    Case(
        "P02-zero-false",
        b"%3\r\n#f\r\n+x\r\n+other\r\n+o\r\n:0\r\n+y\r\n",
        {False: "y", "other": "o"},
    ),
    Case("P02-int-double", b"%2\r\n:1\r\n+x\r\n,1\r\n+y\r\n", {1: "y"}),
    Case("P03-map-in-set", b"~1\r\n%1\r\n+a\r\n:1\r\n", [{"a": 1}]),
    Case("P03-set-in-set", b"~1\r\n~1\r\n+a\r\n", [{"a"}]),
    Case("P03-mixed-set", b"~4\r\n:1\r\n*1\r\n:2\r\n:3\r\n:4\r\n", [1, [2], 3, 4]),
    Case("P03-array-as-key", b"%2\r\n*1\r\n:1\r\n+v\r\n+k\r\n+w\r\n", [([1], "v"), ("k", "w")]),
    Case(
        "P05-big-number",
        b"(3492890328409238509324850943850943825024385\r\n",
        3492890328409238509324850943850943825024385,
    ),
    Case("P05-negative", b"(-1\r\n", -1),
    Case("P05-ten-thousand-digits", b"(" + b"9" * 10_000 + b"\r\n", 10**10_000 - 1),
    Case("P06-attribute", b"|1\r\n+ttl\r\n:3600\r\n$1\r\nA\r\n", b"A"),
    Case(
        "P06-two-attributes", b"|1\r\n+a\r\n:1\r\n|2\r\n+b\r\n*1\r\n:1\r\n+c\r\n%0\r\n+x\r\n", "x"
    ),
    Case("P06-inside", b"*2\r\n:1\r\n|1\r\n+a\r\n~1\r\n:9\r\n$1\r\nB\r\n", [1, b"B"]),
    Case("P06-before-error", b"|1\r\n+a\r\n:1\r\n-ERR no\r\n", error=kvwire.ServerError),
    Case("P08-blob-error", b"!21\r\nSYNTAX invalid syntax\r\n", error=kvwire.ServerError),
    Case(
        "P08-inside",
        b"*2\r\n!21\r\nSYNTAX invalid syntax\r\n:1\r\n",
        [kvwire.ServerError("SYNTAX invalid syntax"), 1],
    ),
    Case("P10-1000-levels", nested(1000), nested_value(1000)),
    Case("P14-not-text", b"*2\r\n$1\r\n\xff\r\n:7\r\n", [b"\xff", 7]),
    Case(
        "P14-not-text-decoded",
        b"*2\r\n$1\r\n\xff\r\n:7\r\n",
        error=UnicodeDecodeError,
        options=(("decode", True),),
    ),
    Case(
        "P14-text-decoded",
        b"*2\r\n$2\r\n\xc3\xa9\r\n:7\r\n",
        ["\xe9", 7],
        options=(("decode", True),),
    ),
    Case("P15-corpus", ARRAY, ARRAY_VALUE),
    Case("P24-push", b">2\r\n+invalidate\r\n*1\r\n+k\r\n$1\r\nA\r\n", b"A"),
    Case("P24-push-null", b">2\r\n+invalidate\r\n_\r\n$1\r\nA\r\n", b"A"),
    Case("P24-two-pushes", b">1\r\n+a\r\n>2\r\n+b\r\n%1\r\n:1\r\n:2\r\n$-1\r\n", None),
)

REFUSED = tuple(Case(name, reply, error=kvwire.ProtocolError) for name, reply in MALFORMED)


def same(left: Any, right: Any) -> bool:
    """exact() for any depth: what is nested deeply is a chain of one-element lists here."""
    while isinstance(left, list) and isinstance(right, list) and len(left) == len(right) == 1:
        left, right = left[0], right[0]
    return bool(exact(left) == exact(right))


@pytest.mark.parametrize("crowd", [0, CALLS_BESIDE], ids=["alone", "crowd"])
@pytest.mark.parametrize("way", ["one-send", "bytewise"])
@pytest.mark.parametrize("case", GOOD + REFUSED, ids=lambda case: case.id)
def test_reply(face: Face, unix_fake: ScriptedServer, case: Case, way: str, crowd: int) -> None:
    """P02 P03 P05 P06 P08 P10 P14 P15 P19 P24, and what else is malformed."""
    pieces = bytewise(case.reply) if way == "bytewise" else (case.reply,)
    unix_fake.on("GET", "k", answer=Answer(*pieces, after=crowd + 2))
    options = {"max_connections": 1, **dict(case.options)}
    following: Any = "NEXT" if "decode" in options else b"NEXT"

    async def scenario(kv: Any) -> None:
        async def under_test() -> Any:
            return await kv.execute("GET", "k")

        async def beside() -> Any:
            return await kv.get("next")

        assert await kv.get("next") == following
        calls = [beside] * (crowd // 2) + [under_test] + [beside] * (crowd // 2)
        outcomes = await face.together(calls)
        outcome = outcomes.pop(crowd // 2)
        if case.error is None:
            assert same(outcome, case.value), repr(outcome)[:500]
        else:
            assert type(outcome) is case.error, repr(outcome)[:500]
        for other in outcomes:
            lost = case.error is kvwire.ProtocolError and isinstance(other, kvwire.ProtocolError)
            assert lost or other == following
        for _ in range(2):
            assert await kv.get("next") == following
        # Only a reply that is none costs the connection.
        connections = 2 if case.error is kvwire.ProtocolError else 1
        assert unix_fake.connections == connections

    face.run(scenario, unix_fake.url, **options)


def test_p08_blob_error_is_a_server_error(face: Face, fake: ScriptedServer) -> None:
    fake.on("GET", "k", answer=Answer(b"!21\r\nSYNTAX invalid syntax\r\n"))

    async def scenario(kv: Any) -> None:
        with pytest.raises(kvwire.ServerError) as caught:
            await kv.get("k")
        assert (caught.value.code, caught.value.message) == ("SYNTAX", "invalid syntax")
        assert str(caught.value) == "SYNTAX invalid syntax"
        assert await kv.get("next") == b"NEXT"

    face.run(scenario, fake.url)
    assert fake.connections == 1


@pytest.mark.parametrize("reply", [b":1\r\n", b"+OK\r\n", b"*0\r\n", b"_\r\n"])
def test_reply_that_is_none_to_the_command(
    face: Face, fake: ScriptedServer, reply: bytes
) -> None:
    """One clear error, for that call alone: the bytes are in order."""
    fake.on("CONFIG", "GET", answer=Answer(reply))

    async def scenario(kv: Any) -> None:
        try:
            assert await kv.config_get("x*") == {}
        except kvwire.ProtocolError as error:
            assert "the server's reply to CONFIG GET has an unexpected form" in str(error)
            assert error.maybe_executed
        assert await kv.get("next") == b"NEXT"
        pipe = kv.pipeline().config_get("x*").get("next")
        first, second = await pipe.execute(raise_on_error=False)
        assert (first == {} or isinstance(first, kvwire.ProtocolError)) and second == b"NEXT"
        assert fake.connections == 1

    face.run(scenario, fake.url)


LONG = 200_000


@pytest.mark.parametrize("transaction", [False, True])
@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (b"!%d\r\nERR %s\r\n" % (LONG, b"e" * (LONG - 4)), kvwire.ServerError),
        (b"$%d\r\n%s\xff\r\n" % (LONG, b"a" * (LONG - 1)), UnicodeDecodeError),
        (b"$%d\r\n%s\r\n" % (LONG, b"a" * LONG), "a" * LONG),
        (b"=%d\r\ntxt:%s\r\n" % (LONG + 4, b"a" * LONG), "a" * LONG),
    ],
    ids=["P08-blob-error", "P14-not-text", "text", "verbatim"],
)
def test_large_bodies(
    face: Face, unix_fake: ScriptedServer, body: bytes, expected: Any, transaction: bool
) -> None:
    """P08 P14. What is received into its own memory becomes the same as what is not."""
    whole = b"*2\r\n" + body + NEXT if transaction else body
    answer = Answer(whole[:20], whole[20:-10], whole[-10:])
    unix_fake.on("MULTI", answer=Answer(b"+OK\r\n"))
    unix_fake.on("GET", "k", answer=Answer(b"+QUEUED\r\n") if transaction else answer)
    unix_fake.on("EXEC", answer=answer)

    async def scenario(kv: Any) -> None:
        if transaction:
            pipe = kv.pipeline(transaction=True).get("k").get("k")
            outcome, following = await pipe.execute(raise_on_error=False)
        else:
            (outcome,) = await face.together([lambda: kv.execute("GET", "k")])
            following = await kv.get("next")
        assert following == "NEXT"
        assert outcome == expected if isinstance(expected, str) else type(outcome) is expected
        assert unix_fake.connections == 1

    face.run(scenario, unix_fake.url, decode=True)


def test_p05_largest_number() -> None:
    """P05. A line may have 2**20 bytes."""
    digits = b"9" * 1_000_000
    assert _core.parse(b"(" + digits + b"\r\n") == [10**1_000_000 - 1]
    with pytest.raises(kvwire.ProtocolError):
        _core.parse(b"(" + digits + b"9" * 100_000 + b"\r\n")


def test_surplus_bytes_reach_nobody(face: Face, unix_fake: ScriptedServer) -> None:
    """A reply that no command asked for ends the connection, never becomes the next one's."""
    unix_fake.on("GET", "k", answer=Answer(b"$1\r\nA\r\n$5\r\nWRONG\r\n"))

    async def scenario(kv: Any) -> None:
        for _ in range(3):
            assert await kv.get("k") == b"A"
            for _ in range(2):
                try:
                    assert await kv.get("next") == b"NEXT"
                except kvwire.KVError as error:
                    assert isinstance(error, (kvwire.ProtocolError, kvwire.ConnectionError))

    face.run(scenario, unix_fake.url, max_connections=1)


@pytest.mark.parametrize("levels", [1000])
def test_p10_deep_reply_is_shown_and_freed(levels: int) -> None:
    (value,) = _core.parse(nested(levels))
    try:
        assert repr(value).startswith("[[[")
    except RecursionError:  # what any list of that depth does where the stack is small
        assert sys.getrecursionlimit() <= levels + 100
    del value


def test_p10_many_levels_are_freed() -> None:
    """The refused reply's half-built value goes without recursion."""
    for levels in (2000, 100_000):
        with pytest.raises(kvwire.ProtocolError):
            _core.parse(nested(levels))


# ---- parse --------------------------------------------------------------------------------------


@pytest.mark.parametrize(("wire", "value"), VALUES, ids=lambda part: repr(part)[:30])
def test_parse_each_type(wire: bytes, value: Any) -> None:
    assert exact(_core.parse(wire)) == exact([value])


def test_parse_all_types_at_once() -> None:
    assert exact(_core.parse(b"".join(wire for wire, _ in VALUES))) == exact(ARRAY_VALUE)
    assert exact(_core.parse(ARRAY)) == exact([ARRAY_VALUE])


@pytest.mark.parametrize(
    "wire", [wire for _, wire in MALFORMED], ids=[name for name, _ in MALFORMED]
)
def test_parse_malformed(wire: bytes) -> None:
    with pytest.raises(kvwire.ProtocolError):
        _core.parse(b":1\r\n" + wire)


def test_parse_leaves_an_unfinished_reply() -> None:
    for end in range(len(ARRAY)):
        assert _core.parse(b":1\r\n" + ARRAY[:end]) == [1]


def test_parse_decodes_on_request() -> None:
    assert _core.parse(b"$2\r\n\xc3\xa9\r\n", decode=True) == ["\xe9"]
    assert _core.parse(b"$2\r\n\xc3\xa9\r\n") == [b"\xc3\xa9"]


def test_p26_mutated_bytes_never_crash() -> None:
    """P26. Any bytes: a list of values, or a ProtocolError, or text that is not UTF-8."""
    source = random.Random(26)
    seeds = (
        [wire for wire, _ in VALUES] + [ARRAY] + [wire for _, wire in MALFORMED if len(wire) < 99]
    )
    signs = b"+-:$*_#,(!=%~>|;.?\r\n0123456789-"
    outcomes: dict[str, int] = {}
    for _ in range(repeats(30_000, 1_000_000)):
        data = bytearray(b"".join(source.choices(seeds, k=source.randint(1, 4))))
        for _ in range(source.randint(1, 6)):
            at = source.randrange(len(data) + 1)
            what = source.random()
            if what < 0.3:
                data[at : at + source.randint(1, 8)] = b""
            elif what < 0.6:
                data[at:at] = bytes([source.choice(signs)])
            elif what < 0.9:
                data[at : at + 1] = bytes([source.choice(signs)])
            else:
                data[at : at + 1] = bytes([source.randrange(256)])
        try:
            outcome = type(_core.parse(bytes(data), decode=source.random() < 0.3)).__name__
        except (kvwire.ProtocolError, UnicodeDecodeError) as error:
            outcome = type(error).__name__
        outcomes[outcome] = outcomes.get(outcome, 0) + 1
    assert outcomes["list"] > 100
    assert outcomes["ProtocolError"] > 100


# ---- sizes and splits ---------------------------------------------------------------------------


def test_p15_every_split(face: Face, unix_fake: ScriptedServer) -> None:
    """P15. The corpus in two sends, cut at every byte."""
    splits = iter(range(1, len(ARRAY)))
    unix_fake.on("GET", "k", answer=lambda command: Answer(*split(ARRAY, next(splits))))
    expected = exact(ARRAY_VALUE)

    async def scenario(kv: Any) -> None:
        for _ in range(1, len(ARRAY)):
            assert exact(await kv.execute("GET", "k")) == expected
        assert await kv.get("next") == b"NEXT"

    face.run(scenario, unix_fake.url)
    assert unix_fake.connections == 1


@pytest.mark.parametrize("around", [4097, 8192, 16384, 32768, 65536, 131072, 1 << 20])
def test_p15_sizes_around_buffers(face: Face, unix_fake: ScriptedServer, around: int) -> None:
    """P15. Values of sizes about those of buffers, whole and cut around their terminator."""

    async def scenario(kv: Any) -> None:
        for size in range(around - 9, around + 3):
            reply = b"$%d\r\n%s\r\n" % (size, b"v" * size)
            for pieces in ((reply,), *(split(reply, len(reply) - back) for back in (1, 2, 3))):
                unix_fake.on("GET", "k", answer=Answer(*pieces))
                assert await kv.get("k") == b"v" * size
        assert await kv.get("next") == b"NEXT"

    face.run(scenario, unix_fake.url)


# ---- announced lengths --------------------------------------------------------------------------

HUGE = (
    b"$100\r\n",
    b"*2\r",
    b"*4294967295\r\n",
    b"*3333333333\r\n:1\r\n",
    b"%2147483647\r\n",
    b"~4294967295\r\n",
    b"*2\r\n*1000000000\r\n*1000000000\r\n",
    b"*2147483647\r\n" * 900,
    b"*2147483647\r\n" * 20 + b":1\r\n" * 5000,
    b">4294967295\r\n",
    b">3\r\n+message\r\n",
    b">1\r\n$100\r\nabc",
    b"$3000000000\r\nabc",
    b"|1000000000\r\n",
)


@pytest.mark.parametrize("header", HUGE, ids=lambda header: repr(header[:40]))
def test_p11_announced_lengths_allocate_nothing(
    face: Face, fake: ScriptedServer, header: bytes
) -> None:
    """P11. A header of a few bytes costs no memory, and who waits for the rest gives up in time;
    so does the connection, which would be of no use to others."""
    fake.on("GET", "k", answer=Answer(header))

    async def scenario(kv: Any) -> None:
        assert await kv.get("next") == b"NEXT"
        before = resident_bytes()
        with address_space(8 << 20), pytest.raises((kvwire.ProtocolError, kvwire.TimeoutError)):
            await kv.execute("GET", "k")
        assert resident_bytes() - before < 2 << 20
        with contextlib.suppress(kvwire.ConnectionError):
            assert await kv.get("next") == b"NEXT"
        for _ in range(3):
            assert await kv.get("next") == b"NEXT"

    face.run(scenario, fake.url, timeout=0.1)


@contextlib.contextmanager
def address_space(more: int) -> Iterator[None]:
    """Allow this process so many bytes beyond those that it has mapped."""
    with open("/proc/self/statm") as statm:
        mapped = int(statm.read().split()[0]) * resource.getpagesize()
    before = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (mapped + more, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, before)


# ---- real servers -------------------------------------------------------------------------------


def test_p03_command_tables(face: Face, server: Server) -> None:
    """P03. COMMAND holds maps inside sets under RESP3."""
    names = {name.decode() for name in server.call("COMMAND", "LIST")}

    async def scenario(kv: Any) -> None:
        table = await kv.execute("COMMAND")
        # The first element is the name; sub-commands are not rows of their own.
        assert {row[0].decode() for row in table} == {name for name in names if "|" not in name}
        docs = await kv.execute("COMMAND", "DOCS")
        assert isinstance(docs, dict)
        assert docs[b"get"][b"group"] == b"string"
        assert await kv.ping() is True

    face.run(scenario, server.url)


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        ("string", b"Hello World"),
        ("integer", 12345),
        ("double", 3.141),
        ("null", None),
        ("array", [0, 1, 2]),
        ("set", {0, 1, 2}),
        ("map", {0: False, 1: True, 2: False}),
        ("attrib", b"Some real reply following the attribute"),
        ("push", b"Some real reply following the push reply"),
        ("verbatim", "This is a verbatim\nstring"),
        ("true", True),
        ("false", False),
        ("bignum", 1234567999999999999999999999999999999),
    ],
)
def test_p06_debug_protocol(face: Face, server: Server, kind: str, value: Any) -> None:
    """P05 P06 P24. Every RESP3 type from a real server."""

    async def scenario(kv: Any) -> None:
        assert exact(await kv.execute("DEBUG", "PROTOCOL", kind)) == exact(value)
        assert await kv.ping() is True

    face.run(scenario, server.url, protocol=3)


def test_p14_value_that_is_not_text(face: Face, server: Server) -> None:
    """P14. It raises for that call alone, and the client's default can be overruled."""

    async def scenario(kv: Any) -> None:
        await kv.set("bad", b"\xff\xfe")
        await kv.set("good", "\xe9")
        with pytest.raises(UnicodeDecodeError):
            await kv.get("bad")
        assert await kv.get("good") == "\xe9"
        assert await kv.get("bad", decode=False) == b"\xff\xfe"
        with pytest.raises(UnicodeDecodeError):
            await kv.mget("good", "bad")
        assert await kv.mget("good", "missing") == ["\xe9", None]
        assert await kv.execute("GET", "good", decode=False) == b"\xc3\xa9"

    face.run(scenario, server.url, decode=True)


@pytest.mark.parametrize("protocol", [2, 3])
def test_p21_null_fields(face: Face, server: Server, protocol: int) -> None:
    """P21. An entry that was trimmed away comes with None for its fields."""

    def streams(entries: Any) -> Any:
        return {b"s": entries} if protocol == 3 else [[b"s", entries]]

    async def scenario(kv: Any) -> None:
        await kv.execute("XGROUP", "CREATE", "s", "g", "0", "MKSTREAM")
        entry = await kv.execute("XADD", "s", "*", "f", "v")
        read = ("XREADGROUP", "GROUP", "g", "c", "STREAMS", "s")
        assert await kv.execute(*read, ">") == streams([[entry, [b"f", b"v"]]])
        await kv.execute("XTRIM", "s", "MAXLEN", 0)
        assert await kv.execute(*read, "0") == streams([[entry, None]])
        about = await kv.execute("XINFO", "STREAM", "s")
        if protocol == 2:
            about = dict(zip(about[::2], about[1::2], strict=True))
        assert about[b"length"] == 0
        assert about[b"first-entry"] is None

    face.run(scenario, server.url, protocol=protocol)


@pytest.mark.parametrize("protocol", [2, 3])
def test_p15_value_sizes(face: Face, server: Server, protocol: int) -> None:
    """P15. Sizes about those of a network buffer."""
    sizes = [0, 1, *(power + off for power in (4096, 32768, 65536) for off in range(-3, 4))]

    async def scenario(kv: Any) -> None:
        for size in sizes:
            value = random.Random(size).randbytes(size)
            await kv.set("k", value)
            assert await kv.get("k") == value

    face.run(scenario, server.url, protocol=protocol)


@pytest.mark.parametrize("protocol", [2, 3])
def test_p15_long_lines(face: Face, server: Server, protocol: int) -> None:
    """P15. Lines without a length, which scripts can make as long as they like."""
    script = "return redis.%s_reply(string.rep('x', ARGV[1]))"

    async def scenario(kv: Any) -> None:
        for size in (4095, 32768, 65535, 65536, 65537, 200_000, 1_000_000):
            assert await kv.execute("EVAL", script % "status", 0, size) == "x" * size
            with pytest.raises(kvwire.ServerError) as caught:
                await kv.execute("EVAL", script % "error", 0, size)
            assert str(caught.value).count("x") >= size
        assert await kv.ping() is True

    face.run(scenario, server.url, protocol=protocol)


def test_type_errors_send_nothing(face: Face, fake: ScriptedServer) -> None:
    async def scenario(kv: Any) -> None:
        await kv.get("next")
        for wrong in (None, True, [1], {}, object(), 1j, {1}, (b"a",)):
            with pytest.raises(TypeError):
                await kv.execute("GET", wrong)
            with pytest.raises(TypeError):
                await kv.get(wrong)
        with pytest.raises(TypeError):
            await kv.execute()
        assert await kv.get("next") == b"NEXT"

    face.run(scenario, fake.url)
    assert len(fake.received("GET")) == 2


@pytest.mark.parametrize(
    ("argument", "wire"),
    [
        ("\xe9", b"\xc3\xa9"),
        (b"\0\r\n", b"\0\r\n"),
        (bytearray(b"x"), b"x"),
        (memoryview(b"abc")[1:], b"bc"),
        (0, b"0"),
        (-(2**63), b"-9223372036854775808"),
        (2**70, b"1180591620717411303424"),
        (1.5, b"1.5"),
        (10.0, b"10"),
        (0.1, b"0.1"),
        (float("inf"), b"inf"),
        (float("-inf"), b"-inf"),
        (1e300, b"1e+300"),
        ("", b""),
    ],
)
def test_encode(argument: Any, wire: bytes) -> None:
    assert _core.encode("SET", argument) == b"*2\r\n$3\r\nSET\r\n$%d\r\n%s\r\n" % (
        len(wire),
        wire,
    )
