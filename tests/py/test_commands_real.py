"""Every command of the table on real servers: what it gives, and of which type.

The same under RESP2 and RESP3, from both faces.
"""

from __future__ import annotations

import contextlib
import re
import time
from collections.abc import Container, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

import kvwire
from tests.support.exact import exact
from tests.support.faces import Face
from tests.support.plain import PlainError
from tests.support.recorded import recorded
from tests.support.servers import PROGRAMS, Server, Unavailable
from tests.support.table import BY_NAME, COMMANDS, spec

from .real_steps import DATA, Check, Fails, Step
from .real_steps_admin import ADMIN

# What these need is not in one server: see test_migrate() and test_restore().
ELSEWHERE = {"migrate"}


@pytest.fixture(params=PROGRAMS, scope="module")
def machine(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Server]:
    """A server of its own, since the steps change its settings."""
    users: Path = tmp_path_factory.mktemp("acl") / "users.acl"
    users.touch()
    options = [f"aclfile {users}", "enable-module-command yes"]
    try:
        with Server(request.param, options=options) as server:
            yield server
    except Unavailable as missing:
        pytest.skip(str(missing))


def version(server: Server) -> tuple[int, ...]:
    """Valkey's own version, or Redis'."""
    text: str = server.call("INFO", "server").decode()
    versions = re.findall(r"^(?:redis|valkey)_version:(.+?)\r", text, re.M)
    return tuple(map(int, versions[-1].split(".")))  # Valkey's own comes second


async def outcome(step: Step, kv: Any) -> str:
    """What is wrong with the reply of a step's call, or nothing."""
    try:
        reply = await step.make(kv)
    except kvwire.ServerError as error:
        reply = error
    return judged(step, reply)


def judged(step: Step, reply: Any) -> str:
    """What is wrong with a reply, or nothing."""
    if isinstance(reply, kvwire.ServerError):
        fails = isinstance(step.expected, Fails) and step.expected.text in str(reply)
        return "" if fails else f"failed: {reply}"
    if isinstance(step.expected, Check):
        return "" if step.expected.holds(reply) else f"gave {reply!r}"
    if isinstance(step.expected, Fails) or exact(reply) != exact(step.expected):
        return f"gave {reply!r} instead of {step.expected!r}"
    return ""


def described(step: Step) -> str:
    name, args, kwargs = recorded(step.make)
    words = [*map(repr, args), *(f"{key}={value!r}" for key, value in kwargs.items())]
    return f"{name}({', '.join(words)})"


def wait_for_background_work(server: Server) -> None:
    """Until nothing is being saved any more, since that would be refused now."""
    deadline = time.monotonic() + 30
    with server.plain() as plain:
        while re.search(rb"(in_progress|scheduled):1", plain.call("INFO", "persistence")):
            assert time.monotonic() < deadline
            time.sleep(0.005)  # the server has no event for it


def wrong_steps(
    steps: Sequence[Step], server: Server, face: Face, skip: Container[str] = (), **options: Any
) -> list[str]:
    """What is wrong with the replies, call by call."""
    wait_for_background_work(server)
    server.call("FLUSHALL")
    with contextlib.suppress(PlainError):
        server.call("AUTH", "stranger", "wrong")
    here = version(server)

    async def scenario(kv: Any) -> list[str]:
        await kv.set("there", "is something")
        found: list[str] = []
        for step in steps:
            if here >= step.since:
                wrong = await outcome(step, kv)
                if wrong and recorded(step.make).name not in skip:
                    found.append(f"{described(step)} {wrong}")
        return found

    # One connection carries all steps, as some are about the connection.
    return face.run(scenario, server.url, max_connections=1, **options)


@pytest.mark.parametrize("protocol", [2, 3])
def test_steps(machine: Server, face: Face, protocol: int) -> None:
    wrong = wrong_steps([*DATA, *ADMIN], machine, face, protocol=protocol)
    assert not wrong, "\n".join(wrong)


# Replies of ADMIN that hold keys, values or commands: bytes as the client wants them.
FOLLOW_DECODE = {
    *("echo", "slowlog_get", "commandlog_get", "command_getkeys", "command_getkeysandflags"),
}


@pytest.mark.parametrize("protocol", [2, 3])
def test_text_is_text_whatever_decode_says(machine: Server, face: Face, protocol: int) -> None:
    wrong = wrong_steps(ADMIN, machine, face, FOLLOW_DECODE, protocol=protocol, decode=True)
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("transaction", [False, True])
@pytest.mark.parametrize("protocol", [2, 3])
def test_steps_in_one_pipeline(
    machine: Server, face: Face, protocol: int, transaction: bool
) -> None:
    machine.call("FLUSHALL")
    here = version(machine)
    steps = [
        step
        for step in DATA
        if here >= step.since and not BY_NAME[recorded(step.make).name].compile()[4] & spec.BLOCKING
    ]

    async def scenario(kv: Any) -> list[Any]:
        pipe = kv.pipeline(transaction=transaction)
        for step in steps:
            step.make(pipe)
        replies: list[Any] = await pipe.execute(raise_on_error=False)
        return replies

    replies = face.run(scenario, machine.url, protocol=protocol)
    wrong = [
        f"{described(step)} {problem}"
        for step, reply in zip(steps, replies, strict=True)
        if (problem := judged(step, reply))
    ]
    assert not wrong, "\n".join(wrong)


def test_every_command_has_a_step() -> None:
    names = {recorded(step.make).name for step in (*DATA, *ADMIN)} - {"execute"}
    assert names | ELSEWHERE == {command.name for command in COMMANDS}


@pytest.mark.parametrize("protocol", [2, 3])
def test_migrate(machine: Server, face: Face, protocol: int) -> None:
    async def scenario(kv: Any) -> None:
        await kv.mset({"a": 1, "b": 2})
        assert await kv.migrate(other.host, other.port, "missing", 0, 1000) is False
        assert await kv.migrate(other.host, other.port, ["a", "b", "missing"], 3, 1000) is True
        assert await kv.exists("a", "b") == 0

    with Server(machine.program) as other:
        face.run(scenario, machine.url, protocol=protocol)
        with kvwire.Valkey(other.url, db=3) as kv:
            assert kv.mget("a", "b") == [b"1", b"2"]


@pytest.mark.parametrize("decode", [False, True])
def test_restore(machine: Server, face: Face, decode: bool) -> None:
    async def scenario(kv: Any) -> None:
        await kv.delete("copy")
        await kv.rpush("l", *range(100))
        dump = await kv.dump("l")
        assert type(dump) is bytes, "a dump is bytes whatever the client gives for others"
        assert await kv.restore("copy", 0, dump) is True
        assert await kv.lrange("copy", 0, -1) == await kv.lrange("l", 0, -1)
        with pytest.raises(kvwire.ServerError, match="BUSYKEY"):
            await kv.restore("copy", 0, dump)
        assert await kv.restore("copy", 1000, dump, replace=True, idletime=5) is True
        assert 0 < await kv.pttl("copy") <= 1000
        with pytest.raises(UnicodeDecodeError):
            await kv.dump("l", decode=True)

    face.run(scenario, machine.url, decode=decode)
