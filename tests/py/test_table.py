"""The command table: complete, well formed, and the same for the core as for bind()."""

from __future__ import annotations

import copy
import inspect
import re
from collections.abc import Callable
from typing import Any, Literal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.plain import Plain
from tests.support.recorded import recorded
from tests.support.servers import Server
from tests.support.table import (
    BY_NAME,
    COMMANDS,
    EXCLUDED,
    ROOT,
    NotPlainError,
    encoded,
    plain_call,
    replies,
    shortcut,
    spec,
)

pytestmark = pytest.mark.once

GROUPS = {"string", "generic", "hash", "list", "set", "sorted-set", "connection", "server"}
OLDEST = (6, 0, 0)


# ---- complete -------------------------------------------------------------------------------


def documented(plain: Plain) -> dict[str, tuple[str, tuple[int, ...]]]:
    """{name: (group, since)} of the server's commands; subcommands instead of what holds them."""
    found: dict[str, tuple[str, tuple[int, ...]]] = {}

    def add(entries: list[Any]) -> None:
        for name, flat in zip(entries[::2], entries[1::2], strict=True):
            details = dict(zip(flat[::2], flat[1::2], strict=True))
            since = tuple(map(int, details[b"since"].decode().split(".")))
            inner = details.get(b"subcommands", [])
            add(inner)
            # COMMAND does something without a subcommand too.
            if not inner or name == b"command":
                found[name.decode()] = details[b"group"].decode(), since

    add(plain.call("COMMAND", "DOCS"))
    return found


def on_the_server(command: Any, known: dict[str, Any]) -> set[str]:
    """The names under which the server documents what a declaration sends."""
    words = [word.decode().lower() for word in command.parsed.words]
    names = {"|".join(words[:2])} & known.keys() or {words[0]} & known.keys()
    if command.name == "object":
        names = {name for name in known if name.startswith("object|")} - EXCLUDED.keys()
    return names


def test_every_command_is_declared_or_excluded(server: Server) -> None:
    with server.plain() as plain:
        known = documented(plain)
    wanted = {name for name, (group, _) in known.items() if group in GROUPS}
    assert len(wanted) > 200
    declared = set().union(*(on_the_server(command, known) for command in COMMANDS))
    assert wanted - declared - EXCLUDED.keys() == set()
    assert declared & EXCLUDED.keys() == set()
    assert declared <= wanted, "a command of another group is in the table"


def test_every_name_is_the_servers(valkey: Server) -> None:
    with valkey.plain() as plain:
        known = documented(plain)
    assert EXCLUDED.keys() <= known.keys()
    for command in COMMANDS:
        assert on_the_server(command, known), command.name


def test_the_text_says_since_when(valkey: Server) -> None:
    with valkey.plain() as plain:
        known = documented(plain)
    checked = 0
    for command in COMMANDS:
        (since, *_) = [known[name][1] for name in on_the_server(command, known)]
        if since <= OLDEST:
            continue
        version = ".".join(map(str, since)).removesuffix(".0")
        # From 7.2.5 on only Valkey has what is new there.
        product = "Valkey " if since[0] >= 8 else ""
        assert command.text.endswith(f"Since {product}{version}."), (command.name, version)
        checked += 1
    assert checked > 40


def test_excluded_ones_have_reasons() -> None:
    assert all(len(reason) > 10 for reason in EXCLUDED.values())
    methods = {name.replace("|", "_").replace("-", "_") for name in EXCLUDED}
    assert methods & BY_NAME.keys() == {"incr", "decr"}, "these two send another command"


# ---- well formed ----------------------------------------------------------------------------


def test_names_are_unique() -> None:
    assert len(BY_NAME) == len(COMMANDS) > 200


def test_shapes_are_the_headers() -> None:
    text = (ROOT / "include/kvwire/shape.h").read_text()
    names = re.findall(r"^    KVW_SHAPE_(\w+)\b", text, re.M)
    ours = len(spec.SHAPES)
    assert tuple(map(str.lower, names[:ours])) == spec.SHAPES
    assert names[ours:] == ["EACH", "COUNT"], "EACH is for a connection's own use"


class Documented:
    """What a C method with this documentation is to inspect."""

    def __init__(self, name: str, doc: str) -> None:
        head, _, self.__doc__ = doc.partition("\n--\n\n")
        self.__name__ = name
        self.__text_signature__ = head.removeprefix(name)

    def __get__(self, instance: object, owner: type) -> Documented:
        return self

    def __call__(self, *args: Any, **kwargs: Any) -> None:
        raise NotImplementedError


def test_documentation() -> None:
    for command in COMMANDS:
        check_documentation(command)


def check_documentation(command: Any) -> None:
    doc: str = command.doc
    assert doc.startswith(f"{command.name}($self") and doc.count("\n--\n\n") == 1
    signature = inspect.signature(Documented(command.name, doc))
    parameters = list(signature.parameters.values())
    assert parameters.pop(0).name == "self"
    assert signature.parameters["decode"].kind is inspect.Parameter.KEYWORD_ONLY
    assert inspect.Signature(parameters) == inspect.signature(bind_function(command)), command
    text = command.text
    assert text[0].isupper() or re.match(r"[a-z]+\(\)", text), text
    assert text.endswith(".") and "  " not in text and "\n" not in text
    # Each names what it returns, itself or by what it is compared with.
    assert re.search(r"[Rr]eturns? |\b[a-z]+\(\)", text), text


def bind_function(command: Any) -> Callable[..., Any]:
    """The function that bind() has made for itself."""
    with pytest.raises(TypeError):
        command.bind(colour=1)
    function: Callable[..., Any] = command._bound
    return function


def test_compiled() -> None:
    for command in COMMANDS:
        check_compiled(command)


def check_compiled(command: Any) -> None:
    words, params, shape, post, flags = command.compile()
    assert words and all(type(word) is bytes and word == word.upper() for word in words)
    assert 0 <= shape < len(spec.SHAPES)
    assert (post is None) == (command.post is None)
    assert post is None or post.__wrapped__ is getattr(replies, command.post)
    assert flags in (0, spec.BLOCKING, spec.BIND, spec.BLOCKING | spec.BIND)
    if flags:
        assert params == ()
        return
    assert [param[0] for param in params] == list(command.parsed.parameters)
    kinds = [param[1] for param in params]
    assert kinds.count(shortcut.VARIADIC) <= 1
    for _, kind, token, own_shape in params:
        has_token = kind in (shortcut.TOKEN, shortcut.FLAG, shortcut.DEFAULT)
        assert type(token) is bytes if has_token else kind == shortcut.SLOW or token is None
        # The core looks at the shape of these kinds only.
        assert own_shape == -1 or kind in (shortcut.TOKEN, shortcut.FLAG, shortcut.SLOW)


PLAIN_CALLS: list[Callable[[Any], Any]] = [
    lambda kv: kv.set("k", "v", ex=5, nx=True, get=True),
    lambda kv: kv.set("k", "v", px=None, xx=False, keepttl=False),
    lambda kv: kv.incr("k"),
    lambda kv: kv.hset("h", "f", "v"),
    lambda kv: kv.mget(["a", "b"]),
    lambda kv: kv.zrange("z", 0, -1, desc=True, withscores=True),
    lambda kv: kv.scan(match="a*", count=10),
]


def test_hot_commands_need_no_python() -> None:
    for name in (
        *("get", "set", "incr", "decr", "delete", "exists", "expire", "ttl", "mget", "getex"),
        *("hget", "hset", "hgetall", "hmget", "hincrby", "hdel", "lpush", "rpush", "lpop", "rpop"),
        *("lrange", "llen", "sadd", "srem", "smembers", "sismember", "zrange", "zscore", "zrem"),
        *("zincrby", "zrank", "zrangebyscore", "scan", "ping", "echo"),
    ):
        assert BY_NAME[name].compile()[4] == 0, name
    for make in PLAIN_CALLS:
        name, args, kwargs = recorded(make)
        plain_call(BY_NAME[name], args, kwargs)


def test_types_of_the_replies_are_python() -> None:
    names = {"Any": Any, "Literal": Literal, "datetime": object}
    for command in COMMANDS:
        for reply in (command.reply, *(command.when or {}).values()):
            assert reply.shape in spec.SHAPES
            eval(reply.type, names)


# ---- the same for the core as for bind() ----------------------------------------------------

PLAIN = st.one_of(
    st.text(max_size=3),
    st.binary(max_size=3),
    st.integers(),
    st.floats(allow_nan=False),
    st.just(bytearray(b"x")),
)
GIVEN = {
    shortcut.REQUIRED: PLAIN,
    shortcut.OPTIONAL: st.none() | PLAIN,
    shortcut.TOKEN: st.none() | PLAIN,
    shortcut.FLAG: st.sampled_from((None, False, True)),
    shortcut.SLOW: st.sampled_from((None, None, False)),
    shortcut.SPREAD: PLAIN | st.lists(PLAIN, max_size=3) | st.tuples(PLAIN),
    shortcut.DEFAULT: PLAIN,
}


@st.composite
def calls(draw: st.DrawFn) -> tuple[Any, list[Any], dict[str, Any]]:
    """A call of any command, with what its parameters may be given when it is a plain one."""
    command = draw(st.sampled_from(COMMANDS))
    parameters = list(command.parsed.parameters.values())
    kinds = {name: kind for name, kind, _, _ in command.compile()[1]}
    positional = draw(st.integers(0, len(parameters)))
    args: list[Any] = []
    kwargs: dict[str, Any] = {}
    for place, parameter in enumerate(parameters):
        kind = kinds.get(parameter.name, shortcut.REQUIRED)
        by_position = place < positional and not parameter.keyword_only
        if kind == shortcut.VARIADIC:
            if by_position:
                args += draw(st.lists(PLAIN, max_size=3))
        elif by_position:
            args.append(draw(GIVEN[kind]))
        elif parameter.required or draw(st.booleans()):
            kwargs[parameter.name] = draw(GIVEN[kind])
    if draw(st.booleans()):
        kwargs["decode"] = draw(st.sampled_from((None, True, False)))
    return command, args, kwargs


@settings(max_examples=3000, deadline=None, database=None)
@given(calls())
def test_the_core_and_bind_agree(call: tuple[Any, list[Any], dict[str, Any]]) -> None:
    command, args, kwargs = call
    try:
        wire, shape, decode = plain_call(command, args, kwargs)
    except NotPlainError:
        return
    bound, bound_shape, block, bound_decode = command.bind(*args, **kwargs)
    assert list(map(encoded, bound)) == list(map(encoded, wire))
    assert (bound_shape, block, bound_decode) == (shape, -1.0, decode)


def test_every_plain_command_has_a_plain_call() -> None:
    """So the test above has something to look at."""
    for command in COMMANDS:
        _, params, _, _, flags = command.compile()
        if flags:
            continue
        args: list[Any] = []
        for _, kind, _, _ in params:
            if kind in (shortcut.REQUIRED, shortcut.SPREAD, shortcut.DEFAULT, shortcut.VARIADIC):
                args.append("x")
            elif kind != shortcut.SLOW:
                args.append(True if kind == shortcut.FLAG else "x")
            else:
                args.append(None)
        wire, _, _ = plain_call(command, args, {})
        assert len(wire) >= sum(kind != shortcut.SLOW for _, kind, _, _ in params)


NOT_PLAIN_CALLS: list[Callable[[Any], Any]] = [
    lambda kv: kv.get(),
    lambda kv: kv.get("a", "b"),
    lambda kv: kv.get(None),
    lambda kv: kv.get("a", name="b"),
    lambda kv: kv.get("a", decode="utf-8"),
    lambda kv: kv.set("k", "v", px=5),
    lambda kv: kv.set("k", "v", px=False),
    lambda kv: kv.set("k", "v", nx=1),
    lambda kv: kv.mget([]),
    lambda kv: kv.mget(key for key in "ab"),
    lambda kv: kv.delete(),
    lambda kv: kv.mset({"a": 1}),
    lambda kv: kv.hset("h"),
    lambda kv: kv.hset("h", mapping={"a": 1}),
    lambda kv: kv.dump("k"),
    lambda kv: kv.blpop("k"),
    lambda kv: kv.incr("k", None),
]


def test_what_the_core_must_leave_to_bind() -> None:
    for make in NOT_PLAIN_CALLS:
        name, args, kwargs = recorded(make)
        with pytest.raises(NotPlainError):
            plain_call(BY_NAME[name], args, kwargs)


# ---- conversions ----------------------------------------------------------------------------

ODD: tuple[Any, ...] = (
    None, True, 0, -1, 1.5, 10**400, "", "OK", b"", b"\xff", [], [None], [1], [[]], [[1, 2]], {},
    {"a": 1}, {1: None}, {b"flags": 1}, set(), {1}, ([], {}),
)  # fmt: skip


def test_conversions_of_replies_that_make_no_sense() -> None:
    """What a server that is another one, or a proxy, answers is one kind of error."""
    failed = 0
    for command in COMMANDS:
        convert = command.compile()[3]
        if convert is None:
            continue
        for value in ODD:
            try:
                convert(copy.deepcopy(value))
            except Exception as error:
                failed += 1
                assert type(error).__name__ == "ProtocolError", repr(error)
                words = b" ".join(command.parsed.words).decode()
                form = type(value).__name__
                said = f"the server's reply to {words} has an unexpected form ({form})"
                assert str(error) == said
    assert failed
