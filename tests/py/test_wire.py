"""The same calls through the core: what reaches the server, and what never does."""

from __future__ import annotations

import shlex
from typing import Any

import pytest

import kvwire
from tests.support.faces import Face
from tests.support.recorded import recorded
from tests.support.scripted import Answer, ScriptedServer

from .test_bind import NOT_VALUES, VALUES
from .test_bind_errors import WRONG
from .wire_forms import Form
from .wire_forms_admin import FORMS


def test_wire_forms(face: Face, fake: ScriptedServer) -> None:
    """Plain calls are put together in C, the others by bind(): no difference is to be seen."""
    fake.on("CLIENT", answer=Answer(b"-ERR not here\r\n"))

    async def sent(kv: Any, form: Form) -> tuple[bytes, ...]:
        words = form.wire.split()
        try:
            await form.make(kv)
        except kvwire.ServerError:
            return fake.received(words[0])[-1]
        assert words == ["PING"]
        return fake.received("PING")[-1]

    async def scenario(kv: Any) -> list[str]:
        return [
            form.wire
            for form in FORMS
            if await sent(kv, form) != tuple(word.encode() for word in shlex.split(form.wire))
        ]

    assert face.run(scenario, fake.url) == []


def test_values(face: Face, fake: ScriptedServer) -> None:
    fake.on("RPUSH", answer=Answer(b":2\r\n"))

    async def scenario(kv: Any) -> None:
        for value, expected in VALUES:
            await kv.rpush(value, value, "end")
            assert fake.received("RPUSH")[-1] == (b"RPUSH", expected, expected, b"end")

    face.run(scenario, fake.url)


@pytest.mark.parametrize("cls", [kvwire.Valkey, kvwire.AsyncValkey])
def test_wrong_calls_send_nothing(cls: Any, fake: ScriptedServer) -> None:
    """An error before there is even a connection, and with AsyncValkey before there is a loop."""
    kv = cls(fake.url)
    for make, error, message in WRONG:
        with pytest.raises(error) as caught:
            make(kv)
        assert str(caught.value) == message, recorded(make)
    for value in NOT_VALUES:
        for name, args in (("get", (value,)), ("rpush", ("k", value)), ("mget", (["a", value],))):
            with pytest.raises(TypeError, match=rf"^{name}\(\): ") as caught:
                getattr(kv, name)(*args)
            assert type(value).__name__ in str(caught.value)
    assert fake.connections == 0
    assert not kv.connected


@pytest.mark.parametrize("transaction", [False, True])
def test_wrong_calls_leave_a_pipeline_as_it_is(fake: ScriptedServer, transaction: bool) -> None:
    pipe = kvwire.Valkey(fake.url).pipeline(transaction)
    pipe.set("k", "v")
    for make, error, message in WRONG:
        with pytest.raises(error) as caught:
            make(pipe)
        assert str(caught.value) == message, recorded(make)
    assert len(pipe) == 1
    assert fake.connections == 0
