"""Replies that are text with a structure: what becomes of the odd ones."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.exact import exact
from tests.support.table import COMMANDS, replies

pytestmark = pytest.mark.once


def test_info() -> None:
    lines = (
        "# Server",
        "redis_version:7.0.15",
        "redis_git_sha1:00000000",
        "uptime_in_seconds:12",
        "hit_rate:0.50",
        "negative:-3",
        "used_memory_human:1.27M",
        "executable:/opt/a=b,c/redis-server",
        "config_file:",
        "address:[::1]:6379",
        "",
        "# Keyspace",
        "db0:keys=2,expires=1,avg_ttl=0",
        "# Modules",
        "module:name=one,ver=10,usedby=[two,three],options=[]",
        "module:name=two,ver=2",
        "latency_percentiles_usec_get:p50=1.003,p99.9=7.007",
        "slave0:ip=10.0.0.1,port=6380,state=online,lag=0",
        "a line without a colon",
    )
    assert exact(replies.info("\r\n".join(lines))) == exact(
        {
            "redis_version": "7.0.15",
            "redis_git_sha1": "00000000",
            "uptime_in_seconds": 12,
            "hit_rate": 0.5,
            "negative": -3,
            "used_memory_human": "1.27M",
            "executable": "/opt/a=b,c/redis-server",
            "config_file": "",
            "address": "[::1]:6379",
            "db0": {"keys": 2, "expires": 1, "avg_ttl": 0},
            "modules": [
                {"name": "one", "ver": 10, "usedby": "[two,three]", "options": "[]"},
                {"name": "two", "ver": 2},
            ],
            "latency_percentiles_usec_get": {"p50": 1.003, "p99.9": 7.007},
            "slave0": {"ip": "10.0.0.1", "port": 6380, "state": "online", "lag": 0},
        }
    )


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        *(("0", 0), ("-1", -1), ("-0.5", -0.5), ("0.0", 0.0), ("007", "007"), ("1_000", "1_000")),
        *(("1e5", "1e5"), ("nan", "nan"), ("inf", "inf"), ("", ""), ("-", "-"), (".", ".")),
        *(("1.2.3", "1.2.3"), ("+1", "+1"), ("\u0661", "\u0661"), ("1.", "1."), ("0x10", "0x10")),
    ],
)
def test_what_looks_like_a_number(word: str, expected: Any) -> None:
    assert exact(replies.info(f"field:{word}")) == exact({"field": expected})


def test_clients() -> None:
    line = "id=3 addr=/tmp/a dir/s.sock:0 name=42 user=7 db=0 multi=-1 flags=N cmd=get lib-name="
    entry = {
        "id": "3",
        "addr": "/tmp/a dir/s.sock:0",
        "name": "42",
        "user": "7",
        "db": "0",
        "multi": "-1",
        "flags": "N",
        "cmd": "get",
        "lib-name": "",
    }
    assert replies.client_list(f"{line}\n{line}\n") == [entry, entry]
    assert replies.client_list("") == []
    assert exact(replies.client_info(f"{line}\n")) == exact(
        {**entry, "id": 3, "db": 0, "multi": -1}
    )


def test_slow_log() -> None:
    old = [1, 2, 3, [b"GET", b"\xff"]]
    new = [1, 2, 3, ["GET", "k"], b"1.2.3.4:5", b"name", b"something newer"]
    head = {"id": 1, "start_time": 2, "duration": 3}
    assert replies.slow_log([old, new, [1, 2, 3, []]]) == [
        {**head, "command": b"GET \xff"},
        {**head, "command": "GET k", "client_address": "1.2.3.4:5", "client_name": "name"},
        {**head, "command": b""},
    ]


def test_text_that_is_no_utf_8_survives() -> None:
    text = replies.text_map({b"dir": b"/tmp/\xff"})["dir"]
    assert text.encode("utf-8", "surrogateescape") == b"/tmp/\xff"


def test_maps_of_both_protocols() -> None:
    flat = [b"a", 1, "b", [2]]
    assert replies.as_dict(flat) == replies.as_dict({b"a": 1, b"b": [2]}) == {"a": 1, "b": [2]}
    with pytest.raises(ValueError, match="shorter"):
        replies.as_dict([b"a"])
    assert replies.text_keys(b"bytes") == b"bytes"
    assert replies.as_tuple(None) is None


def test_every_function_belongs_to_a_command() -> None:
    functions = {
        name for name, value in vars(replies).items() if callable(value) and name[0] != "_"
    }
    assert functions - {command.post for command in COMMANDS} == {"as_dict"}
