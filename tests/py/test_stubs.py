"""The type stubs: made of the table, and saying what the clients give."""

from __future__ import annotations

import ast
import subprocess
import sys
from datetime import timedelta
from typing import TYPE_CHECKING, Any, assert_type

import pytest

from tests.support.table import COMMANDS, ROOT

pytestmark = pytest.mark.once

if TYPE_CHECKING:
    from kvwire import AsyncValkey, Pipeline, Valkey


def test_up_to_date() -> None:
    done = subprocess.run(
        [sys.executable, ROOT / "tests/make_stubs.py", "--check"], capture_output=True, text=True
    )
    assert done.returncode == 0, f"run make stubs\n{done.stdout[-2000:]}"


def test_every_command_is_a_method_of_every_class() -> None:
    tree = ast.parse((ROOT / "pyclient/client.pyi").read_text())
    classes = {
        node.name: {item.name for item in node.body if isinstance(item, ast.FunctionDef)}
        for node in tree.body
        if isinstance(node, ast.ClassDef)
    }
    names = {command.name for command in COMMANDS}
    for name in ("Valkey", "AsyncValkey", "_Commands"):
        assert names <= classes[name], name


# ---- for mypy, which checks the tests; nothing of this runs -----------------------------------


def replies(kv: Valkey, text: Valkey[str]) -> None:
    assert_type(kv.get("k"), bytes | None)
    assert_type(kv.get("k", decode=True), str | None)
    assert_type(text.get(b"k"), str | None)
    assert_type(text.get(b"k", decode=False), bytes | None)
    assert_type(text.hgetall("h"), dict[str, str])
    assert_type(kv.smembers("s"), set[bytes])
    assert_type(kv.set("k", 1, ex=timedelta(days=1), nx=True), bool | None)
    assert_type(kv.set("k", 1.5, ex=5, get=True), bytes | None)
    assert_type(kv.zrange("z", 0, -1), list[bytes])
    assert_type(kv.zrange("z", 0, -1, withscores=True), list[tuple[bytes, float]])
    assert_type(text.zrange("z", 0, -1, True, withscores=True), list[tuple[str, float]])
    assert_type(kv.lpop("l"), bytes | None)
    assert_type(kv.lpop("l", 3), list[bytes] | None)
    assert_type(kv.spop("s", count=3), set[bytes])
    assert_type(kv.hrandfield("h", 2, True), list[tuple[bytes, bytes]])
    assert_type(kv.zadd("z", {"a": 1}), int)
    assert_type(kv.zadd("z", {b"a": 1.5}, incr=True), float | None)
    assert_type(kv.mset({"a": 1, "b": b"x"}), bool)
    assert_type(kv.zunion({"a": 2.0}), list[bytes])
    assert_type(kv.sort("k", store="d"), int)
    assert_type(kv.sort("k", get=["a", "b"]), list[bytes | None])
    assert_type(kv.scan(), tuple[int, list[bytes]])
    assert_type(list(text.scan_iter("a*")), list[str])
    assert_type(list(kv.hscan_iter("h")), list[tuple[bytes, bytes]])
    assert_type(list(kv.hscan_iter("h", no_values=True)), list[bytes])
    assert_type(kv.config_get(), dict[str, str])
    assert_type(kv.execute("ANYTHING", 1, b"x"), Any)


def pipelines(kv: Valkey) -> None:
    assert_type(kv.pipeline().get("k").set("k", 1), Pipeline)
    assert_type(kv.pipeline().get("k").execute(), list[Any])


def constructors() -> None:
    from kvwire import Valkey

    assert_type(Valkey("valkey://h"), Valkey[bytes])
    assert_type(Valkey(host="h", decode=True), Valkey[str])
    assert_type(Valkey(decode_responses=True), Valkey[str])
    assert_type(Valkey.from_url("valkey://h", decode=True), Valkey[str])
    with Valkey("valkey://h", decode=True) as kv:
        assert_type(kv.get("k"), str | None)


async def asynchronous(kv: AsyncValkey, text: AsyncValkey[str]) -> None:
    assert_type(await kv.get("k"), bytes | None)
    assert_type(await text.get("k"), str | None)
    assert_type(await kv.blpop("q", 1), tuple[bytes, bytes] | None)
    assert_type(await kv.pipeline().get("k").execute(), list[Any])
    async for key in text.scan_iter():
        assert_type(key, str)
