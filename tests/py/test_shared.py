"""Commands that have no place on a connection that callers share: refused before a byte is sent."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.faces import Face
from tests.support.scripted import Answer, ScriptedServer

REFUSED = (
    ("SUBSCRIBE", "channel"),
    ("psubscribe", "*"),
    ("SSUBSCRIBE", "channel"),
    ("UNSUBSCRIBE",),
    ("PUNSUBSCRIBE",),
    ("SUNSUBSCRIBE",),
    ("CLIENT", "reply", "off"),
    (b"MONITOR",),
    ("SYNC",),
    ("PSYNC", "?", -1),
    ("MULTI",),
    ("EXEC",),
    ("DISCARD",),
    ("WATCH", "key"),
    ("UNWATCH",),
    ("SELECT", 1),
    ("HELLO", 2),
    ("AUTH", "password"),
    ("RESET",),
    ("QUIT",),
)


def test_refused_commands(face: Face, fake: ScriptedServer) -> None:
    async def scenario(kv: Any) -> None:
        assert await kv.get("next") == b"NEXT"
        before = len(fake.received())
        for words in REFUSED:
            name = words[0].decode() if isinstance(words[0], bytes) else words[0]
            with pytest.raises(ValueError, match=name.upper()):
                await kv.execute(*words)
            for transaction in (False, True):
                with pytest.raises(ValueError, match=name.upper()):
                    kv.pipeline(transaction=transaction).execute_command(*words)
        assert len(fake.received()) == before
        assert await kv.get("next") == b"NEXT"

    face.run(scenario, fake.url)


def test_commands_that_look_like_them_pass(face: Face, fake: ScriptedServer) -> None:
    fake.on("CLIENT", "NO-TOUCH", answer=Answer(b"+OK\r\n"))
    fake.on("SELECTED", answer=Answer(b"+OK\r\n"))

    async def scenario(kv: Any) -> None:
        assert await kv.execute("CLIENT", "NO-TOUCH", "ON") == "OK"
        assert await kv.execute("SELECTED", "REPLY") == "OK"

    face.run(scenario, fake.url)
