"""Calls that mean nothing: one clear error each, which names the method and the parameter."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.support.recorded import recorded
from tests.support.table import BY_NAME, COMMANDS

pytestmark = pytest.mark.once

WRONG: list[tuple[Callable[[Any], Any], type[Exception], str]] = [
    # Python's own complaints about the shape of a call.
    (lambda kv: kv.get(), TypeError, "get() missing 1 required positional argument: 'name'"),
    (lambda kv: kv.set("k"), TypeError, "set() missing 1 required positional argument: 'value'"),
    (lambda kv: kv.get("a", "b"), TypeError, "get() takes 1 positional argument but 2 were given"),
    (lambda kv: kv.get("a", name="b"), TypeError, "get() got multiple values for argument 'name'"),
    (
        lambda kv: kv.set("k", "v", ttl=5),
        TypeError,
        "set() got an unexpected keyword argument 'ttl'",
    ),
    (lambda kv: kv.ping("x"), TypeError, "ping() takes 0 positional arguments but 1 was given"),
    (
        lambda kv: kv.zrange("z", 0, -1, False, True, float),
        TypeError,
        "zrange() takes from 3 to 5 positional arguments but 6 were given",
    ),
    (
        lambda kv: kv.blmpop(1, 1, "a"),
        TypeError,
        "blmpop() missing 1 required keyword-only argument: 'direction'",
    ),
    # Nothing where something must be.
    (lambda kv: kv.delete(), TypeError, "delete() needs at least one of *names"),
    (lambda kv: kv.hexpire("h", 5), TypeError, "hexpire() needs at least one of *fields"),
    (
        lambda kv: kv.lmpop(0, direction="LEFT"),
        TypeError,
        "lmpop() needs at least one of *args",
    ),
    (lambda kv: kv.mget([]), ValueError, "mget(): keys must not be empty"),
    (lambda kv: kv.mget(iter(())), ValueError, "mget(): keys must not be empty"),
    (lambda kv: kv.blpop([]), ValueError, "blpop(): keys must not be empty"),
    (lambda kv: kv.mset({}), ValueError, "mset(): mapping must not be empty"),
    (lambda kv: kv.hmset("h", {}), ValueError, "hmset(): mapping must not be empty"),
    (lambda kv: kv.zadd("z", {}), ValueError, "zadd(): mapping must not be empty"),
    (lambda kv: kv.zunion([]), ValueError, "zunion(): keys must not be empty"),
    (lambda kv: kv.zunion({}), ValueError, "zunion(): keys must not be empty"),
    (
        lambda kv: kv.hset("h"),
        ValueError,
        "hset(): key and value, mapping or items must be given",
    ),
    (
        lambda kv: kv.hset("h", mapping={}),
        ValueError,
        "hset(): key and value, mapping or items must be given",
    ),
    (lambda kv: kv.hset("h", "f"), ValueError, "hset(): key and value must be given together"),
    (
        lambda kv: kv.hset("h", value=1, mapping={"a": 1}),
        ValueError,
        "hset(): key and value must be given together",
    ),
    (
        lambda kv: kv.hset("h", items=["a"]),
        ValueError,
        "hset(): items must be fields and values in turn",
    ),
    (
        lambda kv: kv.client_kill_filter(),
        ValueError,
        "client_kill_filter() needs at least one filter",
    ),
    # Options that need each other, or exclude each other.
    (lambda kv: kv.sort("k", start=1), ValueError, "sort(): start and num must be given together"),
    (
        lambda kv: kv.zrange("z", 0, 1, num=1),
        ValueError,
        "zrange(): offset and num must be given together",
    ),
    (
        lambda kv: kv.hrandfield("h", withvalues=True),
        ValueError,
        "hrandfield(): withvalues needs count",
    ),
    (lambda kv: kv.failover(force=True), ValueError, "failover(): force needs host"),
    (
        lambda kv: kv.failover("h"),
        ValueError,
        "failover(): host and port must be given together",
    ),
    (lambda kv: kv.slaveof("h"), ValueError, "slaveof(): host and port must be given together"),
    (
        lambda kv: kv.config_set("a", 1, "b"),
        ValueError,
        "config_set(): each name must be followed by a value",
    ),
    (
        lambda kv: kv.zmpop(1, ["a"]),
        ValueError,
        "zmpop(): one of min and max must be given",
    ),
    (
        lambda kv: kv.zmpop(1, ["a"], min=True, max=True),
        ValueError,
        "zmpop(): min and max exclude each other",
    ),
    (
        lambda kv: kv.set("k", "v", ex=1, keepttl=True),
        ValueError,
        "set(): ex and keepttl exclude each other",
    ),
    (
        lambda kv: kv.set("k", "v", nx=True, ifeq="w"),
        ValueError,
        "set(): nx and ifeq exclude each other",
    ),
    (
        lambda kv: kv.zrange("z", "-", "+", withscores=True, bylex=True),
        ValueError,
        "zrange(): withscores and bylex exclude each other",
    ),
    (
        lambda kv: kv.zadd("z", {"a": 1, "b": 2}, incr=True),
        ValueError,
        "zadd(): incr takes a mapping of one member, not 2",
    ),
    # Counts that contradict what they count.
    (
        lambda kv: kv.sintercard(3, ["a", "b"]),
        ValueError,
        "sintercard(): numkeys is 3, but there are 2 in keys",
    ),
    (
        lambda kv: kv.lmpop(1, "a", "b", direction="LEFT"),
        ValueError,
        "lmpop(): num_keys is 1, but there are 2 in args",
    ),
    (
        lambda kv: kv.zmpop("1", ["a"], min=True),
        TypeError,
        "zmpop(): num_keys must be an int, not str",
    ),
    # Words of which only some are allowed.
    (
        lambda kv: kv.linsert("l", "BESIDE", "a", "b"),
        ValueError,
        "linsert(): where must be BEFORE or AFTER, not 'BESIDE'",
    ),
    (lambda kv: kv.lmove("a", "b", 1), TypeError, "lmove(): src must be a str, not int"),
    (
        lambda kv: kv.zunion(["a"], aggregate="AVG"),
        ValueError,
        "zunion(): aggregate must be SUM, MIN or MAX, not 'AVG'",
    ),
    (
        lambda kv: kv.client_no_evict(True),
        TypeError,
        "client_no_evict(): mode must be a str, not bool",
    ),
    (
        lambda kv: kv.client_kill_filter(skipme="yes"),
        TypeError,
        "client_kill_filter(): skipme must be a bool, not str",
    ),
    # Collections.
    (lambda kv: kv.mset([("a", 1)]), TypeError, "mset(): mapping must be a mapping, not list"),
    (lambda kv: kv.zadd("z", "a"), TypeError, "zadd(): mapping must be a mapping, not str"),
    (
        lambda kv: kv.mset({None: 1}),
        TypeError,
        "mset(): a key of mapping must be str, bytes, a C-contiguous buffer, int or float, not "
        "NoneType",
    ),
    (
        lambda kv: kv.mget(None),
        TypeError,
        "mget(): keys must be a list of values or a single one, not NoneType",
    ),
    (
        lambda kv: kv.blpop(True),
        TypeError,
        "blpop(): keys must be a list of values or a single one, not bool",
    ),
    # Access control lists.
    (
        lambda kv: kv.acl_setuser("u", passwords="pw"),
        ValueError,
        "acl_setuser(): each of passwords must begin with + or -",
    ),
    (
        lambda kv: kv.acl_setuser("u", commands=["get"]),
        ValueError,
        "acl_setuser(): each of commands must begin with + or -",
    ),
    (
        lambda kv: kv.acl_setuser("u", nopass=True, passwords="+pw"),
        ValueError,
        "acl_setuser(): nopass and passwords exclude each other",
    ),
    (
        lambda kv: kv.acl_setuser("u", nopass=True, hashed_passwords="+00"),
        ValueError,
        "acl_setuser(): nopass and hashed_passwords exclude each other",
    ),
]


def test_wrong_calls() -> None:
    for make, error, message in WRONG:
        call = recorded(make)
        with pytest.raises(error) as caught:
            BY_NAME[call.name].bind(*call.args, **call.kwargs)
        assert str(caught.value) == message
        assert type(caught.value) is error


def test_every_pair_that_excludes_each_other_says_so() -> None:
    pairs = [(command, pair) for command in COMMANDS for pair in command.parsed.exclusions]
    assert len(pairs) > 100
    for command, (first, second) in pairs:
        with pytest.raises(ValueError, match=rf"^{command.name}\(\): {first} and {second} exclude"):
            command.bind(*arguments(command), **options(command, first, second))


def arguments(command: Any) -> list[Any]:
    """Something for each parameter that is given by position."""
    collections: dict[str, Any] = {"mapping": {"a": 1}, "keys": ["a"]}
    found: list[Any] = []
    for parameter in command.parsed.parameters.values():
        if parameter.star:
            found.append("a")
        elif parameter.required and not parameter.keyword_only:
            found.append(collections.get(parameter.name, 1))
    return found


def options(command: Any, *names: str) -> dict[str, Any]:
    """The options, each with a value that it can have; `mode` and the like are not among them."""
    found: dict[str, Any] = {}
    for name in names:
        default = command.parsed.parameters[name].default
        found[name] = True if default is False else 5
    # What must be given together with them.
    if command.name == "failover" and "host" in found:
        found["port"] = 1
    return found


def test_every_required_parameter_is_missed_by_name() -> None:
    checked = 0
    for command in COMMANDS:
        required = [p for p in command.parsed.parameters.values() if p.required]
        for parameter in required:
            given = {p.name: 1 for p in required if p is not parameter}
            say = rf"^{command.name}\(\) missing .*'{parameter.name}'"
            with pytest.raises(TypeError, match=say):
                command.bind(**given)
            checked += 1
    assert checked > 250


def test_every_command_refuses_what_it_does_not_know() -> None:
    for command in COMMANDS:
        required = [p for p in command.parsed.parameters.values() if p.required]
        given = dict.fromkeys([p.name for p in required], 1)
        with pytest.raises(TypeError, match=rf"^{command.name}\(\) got an unexpected .* 'colour'"):
            command.bind(**given, colour=1)


def test_none_is_no_value_of_a_required_parameter() -> None:
    for command in COMMANDS:
        parameters = command.parsed.parameters
        required = [p.name for p in parameters.values() if p.required and not p.keyword_only]
        for name in required:
            if name == "timeout" and command.name != "wait":
                continue  # None is for ever, as redis-py has it
            positional = arguments(command)
            positional[required.index(name)] = None
            with pytest.raises((TypeError, ValueError), match=rf"^{command.name}\(\)"):
                command.bind(*positional)
