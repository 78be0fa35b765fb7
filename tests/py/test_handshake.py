"""Between connecting and the first command, and between commands: what a server may say there."""

from __future__ import annotations

import contextlib
import time
from functools import partial
from typing import Any

import pytest

import kvwire
from tests.support.faces import Face
from tests.support.scripted import Answer, ScriptedServer, bytewise, hello_reply

PUSH = b">2\r\n+invalidate\r\n*1\r\n+k\r\n"
ATTRIBUTE = b"|1\r\n+a\r\n:1\r\n"

HELLOS = {
    "byte by byte": (bytewise(hello_reply(3, 1)), 3),
    "after a push": ((PUSH + hello_reply(3, 1),), 3),
    "after an attribute": ((ATTRIBUTE + hello_reply(3, 1),), 3),
    "unknown to the server": ((b"-ERR unknown command 'HELLO'\r\n",), 2),
    "unknown in other words": (
        (b"-ERR unknown command `HELLO`, with args beginning with: `3`\r\n",),
        2,
    ),
    "unknown version": ((b"-NOPROTO unsupported protocol version\r\n",), 2),
    "a blob error": ((b"!28\r\nERR unknown command 'HELLO'\n\r\n",), 2),
}


@pytest.mark.parametrize("hello", HELLOS)
def test_answers_to_hello(face: Face, unix_fake: ScriptedServer, hello: str) -> None:
    pieces, protocol = HELLOS[hello]
    unix_fake.on("HELLO", answer=Answer(*pieces))

    async def scenario(kv: Any) -> None:
        assert await kv.get("next") == b"NEXT"
        assert kv.protocol == protocol

    face.run(scenario, unix_fake.url, client_name="me", db=2, password="pw")
    assert unix_fake.received("SELECT", "2")
    assert unix_fake.received("CLIENT", "SETNAME", "me") or b"me" in unix_fake.received("HELLO")[0]
    assert unix_fake.connections <= 2


REFUSALS = {
    "loading": (b"-LOADING server is loading the dataset in memory\r\n", "LOADING"),
    "no permission": (b"-NOPERM no permissions to run 'hello'\r\n", "NOPERM"),
    "not a map": (b"+hello\r\n", "127.0.0.1"),
    "null": (b"_\r\n", "127.0.0.1"),
    "malformed": (b"%x\r\n", "127.0.0.1"),
    "half": (hello_reply(3, 1)[:40], "127.0.0.1"),
}


@pytest.mark.parametrize("refusal", REFUSALS)
def test_hello_refused(face: Face, fake: ScriptedServer, refusal: str) -> None:
    """An error within the connect deadline; the same client connects when the server is well."""
    wire, said = REFUSALS[refusal]
    fake.on("HELLO", answer=Answer(wire, then="stall" if refusal == "half" else "serve"))

    async def main() -> None:
        kv = face.client(fake.url, connect_timeout=0.3)
        with pytest.raises(kvwire.KVError, match=said) as caught:
            await kv.get("next")
        error: Any = caught.value
        assert error.maybe_executed is False
        assert str(fake.port) in str(error)
        fake.on("HELLO", answer=Answer(hello_reply(3, 1)))
        assert await kv.get("next") == b"NEXT"
        await kv.aclose()

    face.play(main)
    assert len(fake.received("GET")) == 1


@pytest.mark.parametrize("what", [b"SETINFO", b"SETNAME"])
def test_server_that_does_not_know_a_client_command(
    face: Face, fake: ScriptedServer, what: bytes
) -> None:
    """What only describes the connection is no reason to refuse to work."""
    fake.on("CLIENT", what, answer=Answer(b"-ERR unknown subcommand '%s'\r\n" % what))

    async def scenario(kv: Any) -> None:
        assert await kv.get("next") == b"NEXT"

    face.run(scenario, fake.url)
    assert fake.connections == 1


def test_connection_closed_within_the_handshake(face: Face, fake: ScriptedServer) -> None:
    async def main() -> None:
        kv = face.client(fake.url + "/3")
        for name in ("HELLO", "SELECT"):
            fake.on("HELLO", answer=Answer(hello_reply(3, 1)))
            fake.on(name, answer=Answer(then="close"))
            with pytest.raises(kvwire.ConnectionError) as caught:
                await kv.get("next")
            assert caught.value.maybe_executed is False
        fake.on("SELECT", answer=Answer(b"+OK\r\n"))
        assert await kv.get("next") == b"NEXT"
        await kv.aclose()

    face.play(main)


# ---- between commands ---------------------------------------------------------------------------


@pytest.mark.parametrize("unasked", [PUSH, PUSH * 100, ATTRIBUTE, PUSH[:7]], ids=repr)
def test_p24_pushes_at_any_time(face: Face, unix_fake: ScriptedServer, unasked: bytes) -> None:
    """P24. Behind a reply, while nobody waits, and cut into two: it is nobody's reply."""
    rest = PUSH[7:] if unasked == PUSH[:7] else b""
    unix_fake.on("GET", "k", answer=Answer(b"$1\r\nA\r\n" + unasked))
    unix_fake.on("GET", "then", answer=Answer(rest + b"$1\r\nB\r\n"))

    async def scenario(kv: Any) -> None:
        for _ in range(3):
            assert await kv.get("k") == b"A"
            assert await kv.get("then") == b"B"
            assert await kv.get("next") == b"NEXT"

    face.run(scenario, unix_fake.url, max_connections=1)
    assert unix_fake.connections == 1


@pytest.mark.parametrize("unasked", [b"+OK\r\n", b"$5\r\nWRONG\r\n", b"?\r\n", b"-ERR bye\r\n"])
def test_reply_that_nobody_asked_for(face: Face, unix_fake: ScriptedServer, unasked: bytes) -> None:
    """It ends the connection while idle, so the next call gets a new one."""
    unix_fake.on("GET", "k", answer=Answer(b"$1\r\nA\r\n", unasked))

    async def scenario(kv: Any) -> None:
        for number in range(1, 6):
            assert await kv.get("k") == b"A"
            # Once the next command has left there is no telling it from that one's reply.
            await face.aside(partial(unix_fake.wait_answered, "GET", "k", count=number))
            assert await kv.get("next") == b"NEXT"

    face.run(scenario, unix_fake.url, max_connections=1)


def test_last_words_of_a_server(face: Face, fake: ScriptedServer) -> None:
    """An error that comes unasked, and then the end: the calls in flight end with an error."""
    fake.on("INCR", answer=Answer(b"-ERR shutting down\r\n", then="close"))

    async def scenario(kv: Any) -> None:
        await kv.get("next")
        with pytest.raises(kvwire.ServerError, match="shutting down"):
            await kv.execute("INCR", "k")
        with contextlib.suppress(kvwire.ConnectionError):  # the end may come after the next call
            assert await kv.get("next") == b"NEXT"
        assert await kv.get("next") == b"NEXT"

    face.run(scenario, fake.url, max_connections=1)


@pytest.mark.parametrize("surplus", [b"+sur", b"$100\r\nabc", b"$100\r\n", b"*2\r\n:1\r\n"])
def test_reply_that_has_begun_and_nobody_asked_for(
    face: Face, unix_fake: ScriptedServer, surplus: bytes
) -> None:
    """What follows would be taken for its rest: the connection is left before the next call."""
    unix_fake.on("GET", "k", answer=Answer(b"$1\r\nA\r\n", surplus))

    async def scenario(kv: Any) -> None:
        assert await kv.get("k") == b"A"
        await face.aside(lambda: unix_fake.wait_answered("GET", "k"))
        await face.aside(lambda: time.sleep(0.01))  # a task that was just stepped does not look
        assert await kv.get("next") == b"NEXT"
        assert unix_fake.connections == 2

    face.run(scenario, unix_fake.url, max_connections=1)
