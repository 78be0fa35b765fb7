"""From URL and keywords to the core's options; nothing here connects."""

from __future__ import annotations

import inspect
from pathlib import Path
from typing import Any

import pytest

import kvwire
from kvwire._config import ALIASES, DEFAULTS, core_options, describe

CLASSES = (kvwire.Valkey, kvwire.AsyncValkey)


def options(url: str | None = None, **keywords: Any) -> dict[str, Any]:
    return core_options(url, keywords, "Valkey")


def test_defaults() -> None:
    assert options() == {
        "transport": 0,
        "host": "127.0.0.1",
        "port": 6379,
        "path": None,
        "username": None,
        "password": None,
        "db": 0,
        "client_name": None,
        "protocol": 0,
        "connect_timeout": 2.0,
        "timeout": 5.0,
        "decode": False,
        "max_connections": 16,
    }


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("valkey://example.org", {"host": "example.org", "port": 6379, "db": 0}),
        ("redis://example.org:7000/3", {"host": "example.org", "port": 7000, "db": 3}),
        ("REDIS://example.org/", {"host": "example.org", "db": 0}),
        ("redis://", {"host": "127.0.0.1", "port": 6379}),
        ("redis://:7000", {"host": "127.0.0.1", "port": 7000}),
        ("redis://[::1]:7000", {"host": "::1", "port": 7000}),
        ("redis://[fe80::1%25eth0]/2", {"host": "fe80::1%eth0", "db": 2}),
        ("redis://b%C3%BCcher.example", {"host": "xn--bcher-kva.example"}),
        ("redis://u:p@h", {"username": "u", "password": "p", "host": "h"}),
        ("redis://:p@h", {"username": None, "password": "p"}),
        ("redis://u@h", {"username": "u", "password": ""}),
        ("redis://:@h", {"username": None, "password": None}),
        ("redis://u%3A:p%40%2F%23%3F%25@h", {"username": "u:", "password": "p@/#?%"}),
        ("redis://:p@ss:w@h", {"password": "p@ss:w", "host": "h"}),
        ("redis://:p+s@h", {"password": "p+s"}),
        ("redis://:%C3%A4@h", {"password": "ä"}),
        ("redis://h?db=4", {"db": 4}),
        ("redis://h?", {"host": "h"}),
        ("redis://h?password=a%26b&username=u", {"password": "a&b", "username": "u"}),
        ("redis://h?timeout=0.5&connect_timeout=3", {"timeout": 0.5, "connect_timeout": 3.0}),
        ("redis://h?timeout=none", {"timeout": None}),
        ("redis://h?socket_timeout=7", {"timeout": 7.0}),
        ("redis://h?decode=true&protocol=2", {"decode": True, "protocol": 2}),
        ("redis://h?decode_responses=No", {"decode": False}),
        ("redis://h?client_name=web-1&max_connections=3", {"client_name": "web-1"}),
        ("unix:///run/valkey.sock", {"transport": 1, "path": "/run/valkey.sock"}),
        ("unix:///run/a%20b.sock?db=2", {"path": "/run/a b.sock", "db": 2}),
        ("unix:///run/a@b.sock", {"path": "/run/a@b.sock", "password": None}),
        ("unix://u:p@/run/v.sock", {"path": "/run/v.sock", "username": "u", "password": "p"}),
    ],
)
def test_url(url: str, expected: dict[str, Any]) -> None:
    found = options(url)
    assert {name: found[name] for name in expected} == expected


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("localhost", "scheme"),
        ("localhost:6379", "scheme"),
        ("", "scheme"),
        ("://h", "scheme"),
        ("http://h", "'http'.*redis, valkey, unix"),
        ("rediss://h", "rediss.*TLS is not supported yet"),
        ("valkeys://h", "valkeys.*TLS is not supported yet"),
        ("memcached://h", "memcached is not supported yet"),
        ("redis://h:0", "port must be from 1 to 65535"),
        ("redis://h:65536", "port must be from 1 to 65535"),
        ("redis://h:abc", "port"),
        ("redis://h:-1", "port"),
        ("redis://h:٣", "port"),
        ("redis://::1", "brackets"),
        ("redis://[::1", "IPv6"),
        ("redis://[::1]7000", "IPv6"),
        ("redis://a b", "host"),
        ("redis://h/abc", "database"),
        ("redis://h/-1", "database"),
        ("redis://h/1/2", "database"),
        ("redis://h/1?db=1", "database twice"),
        ("redis://h/99999999999", "database"),
        ("redis://h?db=4294967296", "db must be from 0"),
        ("redis://h?db=1&db=1", "'db' twice"),
        ("redis://h?timeout=1&socket_timeout=1", "'timeout' twice"),
        ("redis://h?tmeout=1", "'tmeout'.*did you mean 'timeout'"),
        ("redis://h?retries=1", "'retries'.*options are username, password, db"),
        ("redis://h?port=1", "'port'"),
        ("redis://h?ssl_ca_certs=x", "'ssl_ca_certs'.*TLS"),
        ("redis://h?timeout", "'timeout' has no value"),
        ("redis://h?timeout=soon", "'timeout' is neither"),
        ("redis://h?timeout=0", "timeout must be above 0"),
        ("redis://h?timeout=nan", "timeout must be above 0"),
        ("redis://h?connect_timeout=inf", "connect_timeout must be above 0"),
        ("redis://h?decode=maybe", "'decode' is neither"),
        ("redis://h?protocol=4", "protocol must be 2, 3"),
        ("redis://h?max_connections=0", "max_connections must be from 1"),
        ("redis://h?client_name=a%20b", "client_name must be printable"),
        ("redis://:a%00b@h", "null character"),
        ("redis://:%zz@h", "password is not percent-encoded"),
        ("redis://:%+1@h", "password is not percent-encoded"),
        ("redis://:%ff@h", "password is not percent-encoded"),
        ("redis://:a%@h", "password is not percent-encoded"),
        ("unix://run/v.sock", "three slashes"),
        ("unix://", "three slashes"),
        ("unix://u:p@/", "three slashes"),
    ],
)
@pytest.mark.parametrize("cls", CLASSES)
def test_bad_url(cls: Any, url: str, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        cls(url)


@pytest.mark.parametrize(
    "url",
    [
        "redis://:hunter2/x@h",
        "redis://:hunter2?x@h",
        "redis://:hunter2#x@h",
        "redis://u:x@hunter2?y@h",
        "redis://u:x@hunter2/y@h",
        "redis://:hunter2%zz@h",
        "redis://:hunter2%00@h",
        "redis://:hunter2@h:port",
        "redis://:hunter2@h/db",
        "redis://:hunter2@h?nope=1",
        "redis://:hunter2@h?password=hunter2&password=hunter2",
        "redis://:hunter2@[::1",
        "rediss://:hunter2@h",
        "ftp://:hunter2@h",
        "unix://:hunter2/x@/run/v.sock",
        "unix://:hunter2?x@/run/v.sock",
        "hunter2@h",
    ],
)
def test_no_message_holds_the_password(url: str) -> None:
    with pytest.raises(ValueError) as caught:
        options(url)
    assert "hunter2" not in str(caught.value)
    assert caught.value.__cause__ is None
    assert caught.value.__suppress_context__ or caught.value.__context__ is None


@pytest.mark.parametrize(
    ("keywords", "kind", "words"),
    [
        ({"port": "6379"}, TypeError, "port must be an int, not str"),
        ({"port": True}, TypeError, "port must be an int, not bool"),
        ({"port": 0}, ValueError, "port must be from 1 to 65535"),
        ({"port": None}, TypeError, "port"),
        ({"db": "0"}, TypeError, "db must be an int, not str"),
        ({"db": False}, TypeError, "db must be an int, not bool"),
        ({"db": -1}, ValueError, "db must be from 0"),
        ({"db": 1.0}, TypeError, "db must be an int, not float"),
        ({"timeout": 0}, ValueError, "timeout must be above 0"),
        ({"timeout": -1}, ValueError, "timeout must be above 0"),
        ({"timeout": float("nan")}, ValueError, "timeout must be above 0"),
        ({"timeout": float("inf")}, ValueError, "None to wait for ever"),
        ({"timeout": 10**400}, ValueError, "None to wait for ever"),
        ({"timeout": True}, TypeError, "timeout must be a number of seconds or None, not bool"),
        ({"timeout": "5"}, TypeError, "timeout must be a number of seconds or None, not str"),
        ({"connect_timeout": 0.0}, ValueError, "connect_timeout must be above 0"),
        ({"decode": 1}, TypeError, "decode must be True or False, not int"),
        ({"decode": None}, TypeError, "decode must be True or False, not NoneType"),
        ({"protocol": 1}, ValueError, "protocol must be 2, 3"),
        ({"protocol": "3"}, TypeError, "protocol must be 2, 3"),
        ({"protocol": True}, TypeError, "protocol must be 2, 3"),
        ({"max_connections": 0}, ValueError, "max_connections must be from 1"),
        ({"max_connections": 2.0}, TypeError, "max_connections must be an int"),
        ({"client_name": "a b"}, ValueError, "client_name must be printable"),
        ({"client_name": "a\nb"}, ValueError, "client_name must be printable"),
        ({"client_name": 5}, TypeError, "client_name must be a str or None, not int"),
        ({"username": 5}, TypeError, "username must be a str or None, not int"),
        ({"password": b"p"}, TypeError, "password must be a str or None, not bytes"),
        ({"password": "\udc80"}, ValueError, "password must be valid Unicode"),
        ({"host": ""}, ValueError, "host"),
        ({"host": None}, TypeError, "host must be a str, not None"),
        ({"host": b"h"}, TypeError, "host must be a str or None, not bytes"),
        ({"host": "h:6379"}, ValueError, "'h:6379' is not a valid name or address"),
        ({"host": "redis://h"}, ValueError, "host takes a name or an address; a URL"),
        ({"path": "unix:///run/s"}, ValueError, "path takes a path; a URL is given alone"),
        ({"path": ""}, ValueError, "path must not be empty"),
        ({"path": b"/run"}, TypeError, "path must be a str"),
        ({"path": "/run/v.sock", "host": "h"}, ValueError, "either path"),
        ({"path": "/run/v.sock", "port": 1}, ValueError, "either path"),
        ({"hots": "h"}, TypeError, "unknown option 'hots'.*did you mean 'host'"),
        ({"retry": 3}, TypeError, "unknown option 'retry'.*options are host, port, path"),
        ({"ssl": True}, TypeError, "'ssl': TLS is not supported yet"),
        ({"socket_timeout": 1, "timeout": 2}, TypeError, "'timeout' twice"),
    ],
)
@pytest.mark.parametrize("cls", CLASSES)
def test_bad_keyword(cls: Any, keywords: dict[str, Any], kind: type, words: str) -> None:
    with pytest.raises(kind, match=words):
        cls(**keywords)


@pytest.mark.parametrize("cls", CLASSES)
def test_the_url_is_a_str(cls: Any) -> None:
    with pytest.raises(TypeError, match=f"{cls.__name__}.. takes a URL as str, not bytes"):
        cls(b"redis://h")


def test_a_keyword_wins() -> None:
    url = "redis://u:old@h:1/2?timeout=3"
    found = options(url, password="new", port=7, db=5, timeout=None, username=None)
    assert found["password"] == "new"
    assert (found["host"], found["port"], found["db"]) == ("h", 7, 5)
    assert (found["timeout"], found["username"]) == (None, None)
    assert options("unix:///run/v.sock", host="h")["transport"] == 0
    assert options("unix:///run/v.sock", port=7000)["path"] is None
    assert options("redis://h", path="/run/v.sock")["transport"] == 1
    assert options("unix:///run/v.sock", path=None)["path"] == "/run/v.sock"


def test_redis_py_names() -> None:
    given = {
        "unix_socket_path": Path("/run/v.sock"),
        "socket_timeout": 1,
        "socket_connect_timeout": None,
        "decode_responses": True,
    }
    assert set(given) == set(ALIASES)
    found = options(None, **given)
    assert found["path"] == "/run/v.sock"
    assert (found["timeout"], found["connect_timeout"], found["decode"]) == (1.0, None, True)


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("redis://h", "valkey://h:6379/0"),
        ("redis://u:p@[::1]:7/3", "valkey://u:***@[::1]:7/3"),
        ("redis://:p@h", "valkey://:***@h:6379/0"),
        ("unix://u:p@/run/v.sock?db=1", "unix://u:***@/run/v.sock?db=1"),
        ("unix:///run/v.sock", "unix:///run/v.sock"),
    ],
)
def test_describe(url: str, shown: str) -> None:
    assert describe(options(url)) == shown


@pytest.mark.parametrize("cls", CLASSES)
def test_repr_hides_the_password_and_never_fails(cls: Any) -> None:
    name = cls.__name__
    client = cls("redis://u:hunter2@h:7/1")
    assert repr(client) == f"<kvwire.{name} valkey://u:***@h:7/1>"
    assert "hunter2" not in str(vars(client))
    assert repr(cls.__new__(cls)) == f"<kvwire.{name} without a server>"


@pytest.mark.parametrize("cls", CLASSES)
def test_from_url(cls: Any) -> None:
    client = cls.from_url("redis://h", db=2)
    assert type(client) is cls
    assert repr(client).endswith("valkey://h:6379/2>")


@pytest.mark.parametrize("cls", CLASSES)
def test_every_option_is_documented(cls: Any) -> None:
    text = inspect.getdoc(cls)
    assert text
    for name in (*DEFAULTS, *ALIASES):
        assert name in text


@pytest.mark.parametrize(
    "options",
    [
        {"host": "redis://:hunter2@127.0.0.1"},
        {"host": "bob:hunter2@127.0.0.1"},
        {"path": "unix://:hunter2@/run/s"},
        {"url": "redis://127.0.0.1/?hunter2"},
        {"url": "redis://127.0.0.1/?x=hunter2"},
        {"url": "redis://127.0.0.1/?hunter2%40=x"},
    ],
)
def test_password_in_the_wrong_place_is_not_shown(options: dict[str, Any]) -> None:
    with pytest.raises(ValueError) as caught:
        kvwire.Valkey(**options)
    assert "hunter2" not in str(caught.value)
