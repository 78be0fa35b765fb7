"""The same method with the same arguments sends what redis-py sends, up to the order of options."""

from __future__ import annotations

import inspect
import warnings
from collections import Counter
from typing import Any

import pytest

from tests.support.recorded import recorded
from tests.support.table import BY_NAME, COMMANDS, encoded

from .wire_forms import Form
from .wire_forms_admin import FORMS

redis: Any = pytest.importorskip("redis")

pytestmark = pytest.mark.once

# Methods whose options redis-py sends in another order; the server takes any.
ANY_ORDER = {
    *("set", "zadd", "zrange", "sort", "client_kill_filter", "hsetex", "msetex"),
}

# Parameters of redis-py that we do not have, and why.
LEFT_OUT = {
    "score_cast_func": "scores are floats, whatever calls for them",
    "groups": "itertools and zip() make tuples of a list",
}

# Ours that redis-py does not have.
ADDED = {
    "latency_graph": {"event"},
    "failover": {"host", "port", "force", "abort", "timeout"},
    "command_info": {"args"},
}


class Silent(redis.Redis):  # type: ignore[misc]
    """redis-py, saying what it would send."""

    def execute_command(self, *args: Any, **options: Any) -> tuple[Any, ...]:
        return args


def their_wire(form: Form) -> list[bytes]:
    """What redis-py sends. Its command names may hold several words."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        name, *args = form.make(Silent())
    return [*name.encode().split(), *(encoded(arg) for arg in args)]


def our_wire(form: Form) -> list[bytes]:
    call = recorded(form.make)
    command = BY_NAME[call.name]
    return [*command.parsed.words, *map(encoded, command.bind(*call.args, **call.kwargs)[0])]


def differ(form: Form) -> bool:
    theirs, ours = their_wire(form), our_wire(form)
    if recorded(form.make).name in ANY_ORDER:
        return Counter(theirs) != Counter(ours)
    return theirs != ours


def test_parity() -> None:
    assert not [form.wire for form in FORMS if not form.differs and differ(form)]


def test_listed_differences_are_there() -> None:
    for form in FORMS:
        if form.differs:
            try:
                assert differ(form), form.wire
            except (AttributeError, NotImplementedError, TypeError, redis.RedisError):
                continue


def test_methods_and_parameters() -> None:
    checked = 0
    for command in COMMANDS:
        method = getattr(redis.Redis, command.name, None)
        if method is None:
            continue
        theirs = list(inspect.signature(method).parameters.values())[1:]
        theirs = [p for p in theirs if p.kind is not p.VAR_KEYWORD and p.name not in LEFT_OUT]
        ours = list(command.parsed.parameters)
        extra = ADDED.get(command.name, set())
        assert [p.name for p in theirs] == [name for name in ours if name not in extra], command
        checked += 1
    assert checked > 200
