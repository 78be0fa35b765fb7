"""The exception classes: what they are, what they carry, what they say."""

from __future__ import annotations

import builtins
import copy
import pickle

import pytest

import kvwire
from kvwire import errors

SAMPLES = [
    kvwire.KVError("base"),
    kvwire.ConnectionError("gone", maybe_executed=True),
    kvwire.TimeoutError("late"),
    kvwire.ProtocolError("odd", maybe_executed=True),
    kvwire.ServerError("WRONGTYPE Operation against a key"),
    kvwire.ServerError("ERR no", 7),
    kvwire.AuthenticationError("WRONGPASS invalid"),
    kvwire.ValueTooLarge("5 GiB"),
    kvwire.Overloaded("1000 calls in flight"),
]


def test_hierarchy() -> None:
    for name in errors.__all__:
        cls = getattr(errors, name)
        assert issubclass(cls, kvwire.KVError)
        assert getattr(kvwire, name) is cls
        assert cls.__module__ == "kvwire" and cls.__doc__
    assert {type(sample) for sample in SAMPLES} == {getattr(errors, n) for n in errors.__all__}
    assert issubclass(kvwire.ConnectionError, builtins.ConnectionError)
    assert issubclass(kvwire.TimeoutError, builtins.TimeoutError)
    assert issubclass(kvwire.AuthenticationError, kvwire.ConnectionError)
    assert issubclass(kvwire.AuthenticationError, kvwire.ServerError)
    for cls in (kvwire.ServerError, kvwire.ProtocolError, kvwire.Overloaded):
        assert not issubclass(cls, OSError)


@pytest.mark.parametrize("error", SAMPLES, ids=lambda error: type(error).__name__)
def test_pickle_and_copy(error: kvwire.KVError) -> None:
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        again = pickle.loads(pickle.dumps(error, protocol))
        assert type(again) is type(error)
        assert (str(again), vars(again)) == (str(error), vars(error))
    again = copy.copy(error)
    assert (str(again), vars(again)) == (str(error), vars(error))


def test_maybe_executed_survives_pickling() -> None:
    for value in (False, True):
        error = kvwire.TimeoutError("late", maybe_executed=value)
        assert pickle.loads(pickle.dumps(error)).maybe_executed is value
    assert kvwire.AuthenticationError("WRONGPASS no").maybe_executed is False


@pytest.mark.parametrize(
    ("text", "code", "message"),
    [
        ("WRONGTYPE Operation against a key", "WRONGTYPE", "Operation against a key"),
        ("ERR", "ERR", ""),
        ("MOVED 3999 127.0.0.1:6381", "MOVED", "3999 127.0.0.1:6381"),
        ("NOSCRIPT No matching script", "NOSCRIPT", "No matching script"),
        ("MY_CODE2 text", "MY_CODE2", "text"),
        ("something went wrong", "", "something went wrong"),
        ("Error in script", "", "Error in script"),
        ("3 of them", "", "3 of them"),
        ("-ERR twice", "", "-ERR twice"),
        ("", "", ""),
    ],
)
def test_server_error(text: str, code: str, message: str) -> None:
    error = kvwire.ServerError(text)
    assert (error.code, error.message, error.index, str(error)) == (code, message, None, text)


def test_server_error_in_a_pipeline() -> None:
    error = kvwire.ServerError("WRONGTYPE bad")
    error.index = 3
    assert str(error) == "command 3 of the pipeline: WRONGTYPE bad"
    assert error.message == "bad"


def test_the_fate_is_kept_apart_from_errno() -> None:
    with pytest.raises(OSError) as caught:
        raise kvwire.ConnectionError("127.0.0.1:1: could not connect")
    assert caught.value.errno is None
    assert str(caught.value) == "127.0.0.1:1: could not connect"
