# Made by tests/make_stubs.py of client.pyi.in and the command table; edit those.

# The part of client.pyi that is kept by hand: tests/make_stubs.py puts the methods of the command
# table where the marks are.
#
# A client is generic in what it gives for the server's bytes: Valkey[bytes], or Valkey[str] when it
# is made with decode=True; Valkey alone means Valkey[bytes]. A type checker does not see
# decode=true in a URL: give it as a keyword.

import builtins
from collections.abc import AsyncGenerator, Generator, Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from os import PathLike
from typing import Any, Generic, Literal, Never, Self, TypeAlias, TypedDict, overload

from _typeshed import ReadableBuffer
from typing_extensions import TypeVar, Unpack

from . import _core

# What keys, values and other arguments may be. A bool is refused when the call is made.
_Scalar: TypeAlias = str | ReadableBuffer | int | float

_T = TypeVar("_T", bytes, str, default=bytes)
_K = TypeVar("_K", bound=_Scalar)

# Words that commands take, in either case.
_End: TypeAlias = Literal["LEFT", "left", "RIGHT", "right"]
_Aggregate: TypeAlias = Literal["SUM", "sum", "MIN", "min", "MAX", "max"]
_ObjectInfo: TypeAlias = Literal[
    "ENCODING", "encoding", "FREQ", "freq", "IDLETIME", "idletime", "REFCOUNT", "refcount"
]
_ClientType: TypeAlias = Literal[
    "NORMAL", "normal", "MASTER", "master", "REPLICA", "replica", "PUBSUB", "pubsub"
]
_LogType: TypeAlias = Literal[
    "SLOW", "slow", "LARGE-REQUEST", "large-request", "LARGE-REPLY", "large-reply"
]

TYPE_CHECKING: bool
OPTIONS: str

class _Options(TypedDict, total=False):
    host: str
    port: int
    path: str | PathLike[str] | None
    username: str | None
    password: str | None
    db: int
    client_name: str | None
    protocol: int | None
    connect_timeout: float | None
    timeout: float | None
    max_connections: int
    unix_socket_path: str | PathLike[str] | None
    socket_timeout: float | None
    socket_connect_timeout: float | None

class Valkey(_core.SyncClient, Generic[_T]):
    @overload
    def __init__(
        self: Valkey[str],
        url: str | None = None,
        *more: Never,
        decode: Literal[True],
        **options: Unpack[_Options],
    ) -> None: ...
    @overload
    def __init__(
        self: Valkey[str],
        url: str | None = None,
        *more: Never,
        decode_responses: Literal[True],
        **options: Unpack[_Options],
    ) -> None: ...
    @overload
    def __init__(
        self: Valkey[bytes],
        url: str | None = None,
        *more: Never,
        decode: Literal[False] = False,
        decode_responses: Literal[False] = False,
        **options: Unpack[_Options],
    ) -> None: ...
    @overload
    def __init__(
        self: Valkey[Any],
        url: str | None = None,
        *more: Never,
        decode: bool = False,
        decode_responses: bool = False,
        **options: Unpack[_Options],
    ) -> None: ...
    @overload
    @classmethod
    def from_url(
        cls, url: str, *, decode: Literal[True], **options: Unpack[_Options]
    ) -> Valkey[str]: ...
    @overload
    @classmethod
    def from_url(
        cls, url: str, *, decode_responses: Literal[True], **options: Unpack[_Options]
    ) -> Valkey[str]: ...
    @overload
    @classmethod
    def from_url(
        cls, url: str, *, decode: Literal[False] = False, **options: Unpack[_Options]
    ) -> Self: ...
    def __enter__(self) -> Self: ...
    def __exit__(self, *error: builtins.object) -> None: ...
    def pipeline(self, transaction: bool = False) -> Pipeline: ...
    def acl_cat(
        self, category: _Scalar | None = None, *, decode: bool | None = None,
    ) -> list[str]: ...
    def acl_deluser(self, *username: _Scalar, decode: bool | None = None) -> int: ...
    def acl_dryrun(
        self, username: _Scalar, *args: _Scalar, decode: bool | None = None,
    ) -> Literal[True] | str: ...
    def acl_genpass(self, bits: int | None = None, *, decode: bool | None = None) -> str: ...
    def acl_getuser(
        self, username: _Scalar, *, decode: bool | None = None,
    ) -> dict[str, Any] | None: ...
    def acl_help(self, *, decode: bool | None = None) -> list[str]: ...
    def acl_list(self, *, decode: bool | None = None) -> list[str]: ...
    def acl_load(self, *, decode: bool | None = None) -> bool: ...
    def acl_log(
        self, count: int | None = None, *, decode: bool | None = None,
    ) -> list[dict[str, Any]]: ...
    def acl_log_reset(self, *, decode: bool | None = None) -> bool: ...
    def acl_save(self, *, decode: bool | None = None) -> bool: ...
    def acl_setuser(
        self, username: _Scalar, enabled: bool = False, nopass: bool = False,
        passwords: str | Iterable[str] | None = None,
        hashed_passwords: str | Iterable[str] | None = None,
        categories: Iterable[str] | None = None, commands: Iterable[str] | None = None,
        keys: Iterable[_Scalar] | None = None, channels: Iterable[_Scalar] | None = None,
        selectors: Iterable[tuple[str, _Scalar]] | None = None, reset: bool = False,
        reset_keys: bool = False, reset_channels: bool = False, reset_passwords: bool = False, *,
        decode: bool | None = None,
    ) -> bool: ...
    def acl_users(self, *, decode: bool | None = None) -> list[str]: ...
    def acl_whoami(self, *, decode: bool | None = None) -> str: ...
    def append(self, key: _Scalar, value: _Scalar, *, decode: bool | None = None) -> int: ...
    def bgrewriteaof(self, *, decode: bool | None = None) -> bool: ...
    def bgsave(self, schedule: bool = True, *, decode: bool | None = None) -> bool: ...
    @overload
    def blmove(
        self, first_list: _Scalar, second_list: _Scalar, timeout: float | None, src: _End = "LEFT",
        dest: _End = "RIGHT", *, decode: None = None,
    ) -> _T | None: ...
    @overload
    def blmove(
        self, first_list: _Scalar, second_list: _Scalar, timeout: float | None, src: _End = "LEFT",
        dest: _End = "RIGHT", *, decode: Literal[True],
    ) -> str | None: ...
    @overload
    def blmove(
        self, first_list: _Scalar, second_list: _Scalar, timeout: float | None, src: _End = "LEFT",
        dest: _End = "RIGHT", *, decode: Literal[False],
    ) -> bytes | None: ...
    @overload
    def blmpop(
        self, timeout: float | None, numkeys: int, *args: _Scalar, direction: _End, count: int = 1,
        decode: None = None,
    ) -> tuple[_T, list[_T]] | None: ...
    @overload
    def blmpop(
        self, timeout: float | None, numkeys: int, *args: _Scalar, direction: _End, count: int = 1,
        decode: Literal[True],
    ) -> tuple[str, list[str]] | None: ...
    @overload
    def blmpop(
        self, timeout: float | None, numkeys: int, *args: _Scalar, direction: _End, count: int = 1,
        decode: Literal[False],
    ) -> tuple[bytes, list[bytes]] | None: ...
    @overload
    def blpop(
        self, keys: _Scalar | Iterable[_Scalar], timeout: float | None = 0, *, decode: None = None,
    ) -> tuple[_T, _T] | None: ...
    @overload
    def blpop(
        self, keys: _Scalar | Iterable[_Scalar], timeout: float | None = 0, *,
        decode: Literal[True],
    ) -> tuple[str, str] | None: ...
    @overload
    def blpop(
        self, keys: _Scalar | Iterable[_Scalar], timeout: float | None = 0, *,
        decode: Literal[False],
    ) -> tuple[bytes, bytes] | None: ...
    @overload
    def brpop(
        self, keys: _Scalar | Iterable[_Scalar], timeout: float | None = 0, *, decode: None = None,
    ) -> tuple[_T, _T] | None: ...
    @overload
    def brpop(
        self, keys: _Scalar | Iterable[_Scalar], timeout: float | None = 0, *,
        decode: Literal[True],
    ) -> tuple[str, str] | None: ...
    @overload
    def brpop(
        self, keys: _Scalar | Iterable[_Scalar], timeout: float | None = 0, *,
        decode: Literal[False],
    ) -> tuple[bytes, bytes] | None: ...
    @overload
    def brpoplpush(
        self, src: _Scalar, dst: _Scalar, timeout: float | None = 0, *, decode: None = None,
    ) -> _T | None: ...
    @overload
    def brpoplpush(
        self, src: _Scalar, dst: _Scalar, timeout: float | None = 0, *, decode: Literal[True],
    ) -> str | None: ...
    @overload
    def brpoplpush(
        self, src: _Scalar, dst: _Scalar, timeout: float | None = 0, *, decode: Literal[False],
    ) -> bytes | None: ...
    @overload
    def bzmpop(
        self, timeout: float | None, numkeys: int, keys: _Scalar | Iterable[_Scalar],
        min: bool = False, max: bool = False, count: int = 1, *, decode: None = None,
    ) -> tuple[_T, list[tuple[_T, float]]] | None: ...
    @overload
    def bzmpop(
        self, timeout: float | None, numkeys: int, keys: _Scalar | Iterable[_Scalar],
        min: bool = False, max: bool = False, count: int = 1, *, decode: Literal[True],
    ) -> tuple[str, list[tuple[str, float]]] | None: ...
    @overload
    def bzmpop(
        self, timeout: float | None, numkeys: int, keys: _Scalar | Iterable[_Scalar],
        min: bool = False, max: bool = False, count: int = 1, *, decode: Literal[False],
    ) -> tuple[bytes, list[tuple[bytes, float]]] | None: ...
    @overload
    def bzpopmax(
        self, keys: _Scalar | Iterable[_Scalar], timeout: float | None = 0, *, decode: None = None,
    ) -> tuple[_T, _T, float] | None: ...
    @overload
    def bzpopmax(
        self, keys: _Scalar | Iterable[_Scalar], timeout: float | None = 0, *,
        decode: Literal[True],
    ) -> tuple[str, str, float] | None: ...
    @overload
    def bzpopmax(
        self, keys: _Scalar | Iterable[_Scalar], timeout: float | None = 0, *,
        decode: Literal[False],
    ) -> tuple[bytes, bytes, float] | None: ...
    @overload
    def bzpopmin(
        self, keys: _Scalar | Iterable[_Scalar], timeout: float | None = 0, *, decode: None = None,
    ) -> tuple[_T, _T, float] | None: ...
    @overload
    def bzpopmin(
        self, keys: _Scalar | Iterable[_Scalar], timeout: float | None = 0, *,
        decode: Literal[True],
    ) -> tuple[str, str, float] | None: ...
    @overload
    def bzpopmin(
        self, keys: _Scalar | Iterable[_Scalar], timeout: float | None = 0, *,
        decode: Literal[False],
    ) -> tuple[bytes, bytes, float] | None: ...
    def client_getname(self, *, decode: bool | None = None) -> str | None: ...
    def client_getredir(self, *, decode: bool | None = None) -> int: ...
    def client_id(self, *, decode: bool | None = None) -> int: ...
    def client_info(self, *, decode: bool | None = None) -> dict[str, Any]: ...
    def client_kill(self, address: _Scalar, *, decode: bool | None = None) -> bool: ...
    def client_kill_filter(
        self, _id: int | None = None, _type: str | None = None, addr: str | None = None,
        skipme: bool | None = None, laddr: str | None = None, user: str | None = None,
        maxage: int | None = None, *, decode: bool | None = None,
    ) -> int: ...
    def client_list(
        self, _type: _ClientType | None = None,
        client_id: _Scalar | Iterable[_Scalar] | None = None, *, decode: bool | None = None,
    ) -> list[dict[str, str]]: ...
    def client_no_evict(
        self, mode: Literal["ON", "on", "OFF", "off"], *, decode: bool | None = None,
    ) -> bool: ...
    def client_no_touch(
        self, mode: Literal["ON", "on", "OFF", "off"], *, decode: bool | None = None,
    ) -> bool: ...
    def client_pause(
        self, timeout: int, all: bool = True, *, decode: bool | None = None,
    ) -> bool: ...
    def client_setinfo(
        self, attr: _Scalar, value: _Scalar, *, decode: bool | None = None,
    ) -> bool: ...
    def client_setname(self, name: _Scalar, *, decode: bool | None = None) -> bool: ...
    def client_trackinginfo(self, *, decode: bool | None = None) -> dict[str, Any]: ...
    def client_unblock(
        self, client_id: int, error: bool = False, *, decode: bool | None = None,
    ) -> bool: ...
    def client_unpause(self, *, decode: bool | None = None) -> bool: ...
    def command(self, *, decode: bool | None = None) -> dict[str, dict[str, Any]]: ...
    def command_count(self, *, decode: bool | None = None) -> int: ...
    def command_docs(
        self, *args: _Scalar, decode: bool | None = None,
    ) -> dict[str, dict[str, Any]]: ...
    @overload
    def command_getkeys(self, *args: _Scalar, decode: None = None) -> list[_T]: ...
    @overload
    def command_getkeys(self, *args: _Scalar, decode: Literal[True]) -> list[str]: ...
    @overload
    def command_getkeys(self, *args: _Scalar, decode: Literal[False]) -> list[bytes]: ...
    @overload
    def command_getkeysandflags(
        self, *args: _Scalar, decode: None = None,
    ) -> list[tuple[_T, builtins.set[str]]]: ...
    @overload
    def command_getkeysandflags(
        self, *args: _Scalar, decode: Literal[True],
    ) -> list[tuple[str, builtins.set[str]]]: ...
    @overload
    def command_getkeysandflags(
        self, *args: _Scalar, decode: Literal[False],
    ) -> list[tuple[bytes, builtins.set[str]]]: ...
    def command_info(
        self, *args: _Scalar, decode: bool | None = None,
    ) -> dict[str, dict[str, Any]]: ...
    def command_list(
        self, module: _Scalar | None = None, category: _Scalar | None = None,
        pattern: _Scalar | None = None, *, decode: bool | None = None,
    ) -> list[str]: ...
    def commandlog_get(
        self, count: int, type: _LogType, *, decode: bool | None = None,
    ) -> list[dict[str, Any]]: ...
    def commandlog_len(self, type: _LogType, *, decode: bool | None = None) -> int: ...
    def commandlog_reset(self, type: _LogType, *, decode: bool | None = None) -> bool: ...
    def config_get(
        self, pattern: _Scalar = "*", *args: _Scalar, decode: bool | None = None,
    ) -> dict[str, str]: ...
    def config_resetstat(self, *, decode: bool | None = None) -> bool: ...
    def config_rewrite(self, *, decode: bool | None = None) -> bool: ...
    def config_set(
        self, name: _Scalar, value: _Scalar, *args: _Scalar, decode: bool | None = None,
    ) -> bool: ...
    def copy(
        self, source: _Scalar, destination: _Scalar, destination_db: int | None = None,
        replace: bool = False, *, decode: bool | None = None,
    ) -> bool: ...
    def dbsize(self, *, decode: bool | None = None) -> int: ...
    def decr(self, name: _Scalar, amount: int = 1, *, decode: bool | None = None) -> int: ...
    def decrby(self, name: _Scalar, amount: int = 1, *, decode: bool | None = None) -> int: ...
    def delete(self, *names: _Scalar, decode: bool | None = None) -> int: ...
    def delifeq(self, name: _Scalar, value: _Scalar, *, decode: bool | None = None) -> bool: ...
    @overload
    def dump(self, name: _Scalar, *, decode: None = None) -> _T | None: ...
    @overload
    def dump(self, name: _Scalar, *, decode: Literal[True]) -> str | None: ...
    @overload
    def dump(self, name: _Scalar, *, decode: Literal[False]) -> bytes | None: ...
    @overload
    def echo(self, value: _Scalar, *, decode: None = None) -> _T: ...
    @overload
    def echo(self, value: _Scalar, *, decode: Literal[True]) -> str: ...
    @overload
    def echo(self, value: _Scalar, *, decode: Literal[False]) -> bytes: ...
    def exists(self, *names: _Scalar, decode: bool | None = None) -> int: ...
    def expire(
        self, name: _Scalar, time: int | timedelta, nx: bool = False, xx: bool = False,
        gt: bool = False, lt: bool = False, *, decode: bool | None = None,
    ) -> bool: ...
    def expireat(
        self, name: _Scalar, when: int | datetime, nx: bool = False, xx: bool = False,
        gt: bool = False, lt: bool = False, *, decode: bool | None = None,
    ) -> bool: ...
    def expiretime(self, key: _Scalar, *, decode: bool | None = None) -> int: ...
    def failover(
        self, host: _Scalar | None = None, port: int | None = None, force: bool = False,
        abort: bool = False, timeout: int | None = None, *, decode: bool | None = None,
    ) -> bool: ...
    def flushall(self, asynchronous: bool = False, *, decode: bool | None = None) -> bool: ...
    def flushdb(self, asynchronous: bool = False, *, decode: bool | None = None) -> bool: ...
    @overload
    def get(self, name: _Scalar, *, decode: None = None) -> _T | None: ...
    @overload
    def get(self, name: _Scalar, *, decode: Literal[True]) -> str | None: ...
    @overload
    def get(self, name: _Scalar, *, decode: Literal[False]) -> bytes | None: ...
    @overload
    def getdel(self, name: _Scalar, *, decode: None = None) -> _T | None: ...
    @overload
    def getdel(self, name: _Scalar, *, decode: Literal[True]) -> str | None: ...
    @overload
    def getdel(self, name: _Scalar, *, decode: Literal[False]) -> bytes | None: ...
    @overload
    def getex(
        self, name: _Scalar, ex: int | timedelta | None = None, px: int | timedelta | None = None,
        exat: int | datetime | None = None, pxat: int | datetime | None = None,
        persist: bool = False, *, decode: None = None,
    ) -> _T | None: ...
    @overload
    def getex(
        self, name: _Scalar, ex: int | timedelta | None = None, px: int | timedelta | None = None,
        exat: int | datetime | None = None, pxat: int | datetime | None = None,
        persist: bool = False, *, decode: Literal[True],
    ) -> str | None: ...
    @overload
    def getex(
        self, name: _Scalar, ex: int | timedelta | None = None, px: int | timedelta | None = None,
        exat: int | datetime | None = None, pxat: int | datetime | None = None,
        persist: bool = False, *, decode: Literal[False],
    ) -> bytes | None: ...
    @overload
    def getrange(self, key: _Scalar, start: int, end: int, *, decode: None = None) -> _T: ...
    @overload
    def getrange(self, key: _Scalar, start: int, end: int, *, decode: Literal[True]) -> str: ...
    @overload
    def getrange(self, key: _Scalar, start: int, end: int, *, decode: Literal[False]) -> bytes: ...
    @overload
    def getset(self, name: _Scalar, value: _Scalar, *, decode: None = None) -> _T | None: ...
    @overload
    def getset(self, name: _Scalar, value: _Scalar, *, decode: Literal[True]) -> str | None: ...
    @overload
    def getset(self, name: _Scalar, value: _Scalar, *, decode: Literal[False]) -> bytes | None: ...
    def hdel(self, name: _Scalar, *keys: _Scalar, decode: bool | None = None) -> int: ...
    def hexists(self, name: _Scalar, key: _Scalar, *, decode: bool | None = None) -> bool: ...
    def hexpire(
        self, name: _Scalar, seconds: int | timedelta, *fields: _Scalar, nx: bool = False,
        xx: bool = False, gt: bool = False, lt: bool = False, decode: bool | None = None,
    ) -> list[int]: ...
    def hexpireat(
        self, name: _Scalar, unix_time_seconds: int | datetime, *fields: _Scalar, nx: bool = False,
        xx: bool = False, gt: bool = False, lt: bool = False, decode: bool | None = None,
    ) -> list[int]: ...
    def hexpiretime(
        self, key: _Scalar, *fields: _Scalar, decode: bool | None = None,
    ) -> list[int]: ...
    @overload
    def hget(self, name: _Scalar, key: _Scalar, *, decode: None = None) -> _T | None: ...
    @overload
    def hget(self, name: _Scalar, key: _Scalar, *, decode: Literal[True]) -> str | None: ...
    @overload
    def hget(self, name: _Scalar, key: _Scalar, *, decode: Literal[False]) -> bytes | None: ...
    @overload
    def hgetall(self, name: _Scalar, *, decode: None = None) -> dict[_T, _T]: ...
    @overload
    def hgetall(self, name: _Scalar, *, decode: Literal[True]) -> dict[str, str]: ...
    @overload
    def hgetall(self, name: _Scalar, *, decode: Literal[False]) -> dict[bytes, bytes]: ...
    @overload
    def hgetdel(self, name: _Scalar, *keys: _Scalar, decode: None = None) -> list[_T | None]: ...
    @overload
    def hgetdel(self, name: _Scalar, *keys: _Scalar, decode: Literal[True]) -> list[str | None]: ...
    @overload
    def hgetdel(
        self, name: _Scalar, *keys: _Scalar, decode: Literal[False],
    ) -> list[bytes | None]: ...
    @overload
    def hgetex(
        self, name: _Scalar, *keys: _Scalar, ex: int | timedelta | None = None,
        px: int | timedelta | None = None, exat: int | datetime | None = None,
        pxat: int | datetime | None = None, persist: bool = False, decode: None = None,
    ) -> list[_T | None]: ...
    @overload
    def hgetex(
        self, name: _Scalar, *keys: _Scalar, ex: int | timedelta | None = None,
        px: int | timedelta | None = None, exat: int | datetime | None = None,
        pxat: int | datetime | None = None, persist: bool = False, decode: Literal[True],
    ) -> list[str | None]: ...
    @overload
    def hgetex(
        self, name: _Scalar, *keys: _Scalar, ex: int | timedelta | None = None,
        px: int | timedelta | None = None, exat: int | datetime | None = None,
        pxat: int | datetime | None = None, persist: bool = False, decode: Literal[False],
    ) -> list[bytes | None]: ...
    def hincrby(
        self, name: _Scalar, key: _Scalar, amount: int = 1, *, decode: bool | None = None,
    ) -> int: ...
    def hincrbyfloat(
        self, name: _Scalar, key: _Scalar, amount: float = 1.0, *, decode: bool | None = None,
    ) -> float: ...
    @overload
    def hkeys(self, name: _Scalar, *, decode: None = None) -> list[_T]: ...
    @overload
    def hkeys(self, name: _Scalar, *, decode: Literal[True]) -> list[str]: ...
    @overload
    def hkeys(self, name: _Scalar, *, decode: Literal[False]) -> list[bytes]: ...
    def hlen(self, name: _Scalar, *, decode: bool | None = None) -> int: ...
    @overload
    def hmget(
        self, name: _Scalar, keys: _Scalar | Iterable[_Scalar], *args: _Scalar, decode: None = None,
    ) -> list[_T | None]: ...
    @overload
    def hmget(
        self, name: _Scalar, keys: _Scalar | Iterable[_Scalar], *args: _Scalar,
        decode: Literal[True],
    ) -> list[str | None]: ...
    @overload
    def hmget(
        self, name: _Scalar, keys: _Scalar | Iterable[_Scalar], *args: _Scalar,
        decode: Literal[False],
    ) -> list[bytes | None]: ...
    def hmset(
        self, name: _Scalar, mapping: Mapping[_K, _Scalar], *, decode: bool | None = None,
    ) -> bool: ...
    def hpersist(
        self, name: _Scalar, *fields: _Scalar, decode: bool | None = None,
    ) -> list[int]: ...
    def hpexpire(
        self, name: _Scalar, milliseconds: int | timedelta, *fields: _Scalar, nx: bool = False,
        xx: bool = False, gt: bool = False, lt: bool = False, decode: bool | None = None,
    ) -> list[int]: ...
    def hpexpireat(
        self, name: _Scalar, unix_time_milliseconds: int | datetime, *fields: _Scalar,
        nx: bool = False, xx: bool = False, gt: bool = False, lt: bool = False,
        decode: bool | None = None,
    ) -> list[int]: ...
    def hpexpiretime(
        self, key: _Scalar, *fields: _Scalar, decode: bool | None = None,
    ) -> list[int]: ...
    def hpttl(self, key: _Scalar, *fields: _Scalar, decode: bool | None = None) -> list[int]: ...
    @overload
    def hrandfield(
        self, key: _Scalar, count: None = None, withvalues: Literal[False] = False, *,
        decode: None = None,
    ) -> _T | None: ...
    @overload
    def hrandfield(
        self, key: _Scalar, count: None = None, withvalues: Literal[False] = False, *,
        decode: Literal[True],
    ) -> str | None: ...
    @overload
    def hrandfield(
        self, key: _Scalar, count: None = None, withvalues: Literal[False] = False, *,
        decode: Literal[False],
    ) -> bytes | None: ...
    @overload
    def hrandfield(
        self, key: _Scalar, count: int, withvalues: Literal[False] = False, *, decode: None = None,
    ) -> list[_T]: ...
    @overload
    def hrandfield(
        self, key: _Scalar, count: int, withvalues: Literal[False] = False, *,
        decode: Literal[True],
    ) -> list[str]: ...
    @overload
    def hrandfield(
        self, key: _Scalar, count: int, withvalues: Literal[False] = False, *,
        decode: Literal[False],
    ) -> list[bytes]: ...
    @overload
    def hrandfield(
        self, key: _Scalar, count: int, withvalues: Literal[True], *, decode: None = None,
    ) -> list[tuple[_T, _T]]: ...
    @overload
    def hrandfield(
        self, key: _Scalar, count: int, withvalues: Literal[True], *, decode: Literal[True],
    ) -> list[tuple[str, str]]: ...
    @overload
    def hrandfield(
        self, key: _Scalar, count: int, withvalues: Literal[True], *, decode: Literal[False],
    ) -> list[tuple[bytes, bytes]]: ...
    @overload
    def hscan(
        self, name: _Scalar, cursor: int = 0, match: _Scalar | None = None,
        count: int | None = None, no_values: Literal[False] | None = None, *, decode: None = None,
    ) -> tuple[int, dict[_T, _T]]: ...
    @overload
    def hscan(
        self, name: _Scalar, cursor: int = 0, match: _Scalar | None = None,
        count: int | None = None, no_values: Literal[False] | None = None, *, decode: Literal[True],
    ) -> tuple[int, dict[str, str]]: ...
    @overload
    def hscan(
        self, name: _Scalar, cursor: int = 0, match: _Scalar | None = None,
        count: int | None = None, no_values: Literal[False] | None = None, *,
        decode: Literal[False],
    ) -> tuple[int, dict[bytes, bytes]]: ...
    @overload
    def hscan(
        self, name: _Scalar, cursor: int = 0, match: _Scalar | None = None,
        count: int | None = None, *, no_values: Literal[True], decode: None = None,
    ) -> tuple[int, list[_T]]: ...
    @overload
    def hscan(
        self, name: _Scalar, cursor: int = 0, match: _Scalar | None = None,
        count: int | None = None, *, no_values: Literal[True], decode: Literal[True],
    ) -> tuple[int, list[str]]: ...
    @overload
    def hscan(
        self, name: _Scalar, cursor: int = 0, match: _Scalar | None = None,
        count: int | None = None, *, no_values: Literal[True], decode: Literal[False],
    ) -> tuple[int, list[bytes]]: ...
    def hset(
        self, name: _Scalar, key: _Scalar | None = None, value: _Scalar | None = None,
        mapping: Mapping[_K, _Scalar] | None = None, items: Sequence[_Scalar] | None = None, *,
        decode: bool | None = None,
    ) -> int: ...
    def hsetex(
        self, name: _Scalar, key: _Scalar | None = None, value: _Scalar | None = None,
        mapping: Mapping[_K, _Scalar] | None = None, items: Sequence[_Scalar] | None = None,
        ex: int | timedelta | None = None, px: int | timedelta | None = None,
        exat: int | datetime | None = None, pxat: int | datetime | None = None,
        data_persist_option: Literal["FNX", "fnx", "FXX", "fxx"] | None = None,
        keepttl: bool = False, *, decode: bool | None = None,
    ) -> bool: ...
    def hsetnx(
        self, name: _Scalar, key: _Scalar, value: _Scalar, *, decode: bool | None = None,
    ) -> bool: ...
    def hstrlen(self, name: _Scalar, key: _Scalar, *, decode: bool | None = None) -> int: ...
    def httl(self, key: _Scalar, *fields: _Scalar, decode: bool | None = None) -> list[int]: ...
    @overload
    def hvals(self, name: _Scalar, *, decode: None = None) -> list[_T]: ...
    @overload
    def hvals(self, name: _Scalar, *, decode: Literal[True]) -> list[str]: ...
    @overload
    def hvals(self, name: _Scalar, *, decode: Literal[False]) -> list[bytes]: ...
    def incr(self, name: _Scalar, amount: int = 1, *, decode: bool | None = None) -> int: ...
    def incrby(self, name: _Scalar, amount: int = 1, *, decode: bool | None = None) -> int: ...
    def incrbyfloat(
        self, name: _Scalar, amount: float = 1.0, *, decode: bool | None = None,
    ) -> float: ...
    def info(
        self, section: _Scalar | None = None, *args: _Scalar, decode: bool | None = None,
    ) -> dict[str, Any]: ...
    @overload
    def keys(self, pattern: _Scalar = "*", *, decode: None = None) -> list[_T]: ...
    @overload
    def keys(self, pattern: _Scalar = "*", *, decode: Literal[True]) -> list[str]: ...
    @overload
    def keys(self, pattern: _Scalar = "*", *, decode: Literal[False]) -> list[bytes]: ...
    def lastsave(self, *, decode: bool | None = None) -> datetime: ...
    def latency_doctor(self, *, decode: bool | None = None) -> str: ...
    def latency_graph(self, event: _Scalar, *, decode: bool | None = None) -> str: ...
    def latency_histogram(
        self, *args: _Scalar, decode: bool | None = None,
    ) -> dict[str, dict[str, Any]]: ...
    def latency_history(
        self, event: _Scalar, *, decode: bool | None = None,
    ) -> list[tuple[int, int]]: ...
    def latency_latest(self, *, decode: bool | None = None) -> list[list[Any]]: ...
    def latency_reset(self, *events: _Scalar, decode: bool | None = None) -> int: ...
    @overload
    def lcs(
        self, key1: _Scalar, key2: _Scalar, len: Literal[False] = False,
        idx: Literal[False] = False, minmatchlen: int | None = None, withmatchlen: bool = False, *,
        decode: None = None,
    ) -> _T: ...
    @overload
    def lcs(
        self, key1: _Scalar, key2: _Scalar, len: Literal[False] = False,
        idx: Literal[False] = False, minmatchlen: int | None = None, withmatchlen: bool = False, *,
        decode: Literal[True],
    ) -> str: ...
    @overload
    def lcs(
        self, key1: _Scalar, key2: _Scalar, len: Literal[False] = False,
        idx: Literal[False] = False, minmatchlen: int | None = None, withmatchlen: bool = False, *,
        decode: Literal[False],
    ) -> bytes: ...
    @overload
    def lcs(
        self, key1: _Scalar, key2: _Scalar, len: Literal[True], idx: Literal[False] = False,
        minmatchlen: int | None = None, withmatchlen: bool = False, *, decode: bool | None = None,
    ) -> int: ...
    @overload
    def lcs(
        self, key1: _Scalar, key2: _Scalar, len: Literal[False] = False, *, idx: Literal[True],
        minmatchlen: int | None = None, withmatchlen: bool = False, decode: bool | None = None,
    ) -> dict[str, Any]: ...
    @overload
    def lindex(self, name: _Scalar, index: int, *, decode: None = None) -> _T | None: ...
    @overload
    def lindex(self, name: _Scalar, index: int, *, decode: Literal[True]) -> str | None: ...
    @overload
    def lindex(self, name: _Scalar, index: int, *, decode: Literal[False]) -> bytes | None: ...
    def linsert(
        self, name: _Scalar, where: Literal["BEFORE", "before", "AFTER", "after"],
        refvalue: _Scalar, value: _Scalar, *, decode: bool | None = None,
    ) -> int: ...
    def llen(self, name: _Scalar, *, decode: bool | None = None) -> int: ...
    @overload
    def lmove(
        self, first_list: _Scalar, second_list: _Scalar, src: _End = "LEFT", dest: _End = "RIGHT",
        *, decode: None = None,
    ) -> _T | None: ...
    @overload
    def lmove(
        self, first_list: _Scalar, second_list: _Scalar, src: _End = "LEFT", dest: _End = "RIGHT",
        *, decode: Literal[True],
    ) -> str | None: ...
    @overload
    def lmove(
        self, first_list: _Scalar, second_list: _Scalar, src: _End = "LEFT", dest: _End = "RIGHT",
        *, decode: Literal[False],
    ) -> bytes | None: ...
    @overload
    def lmpop(
        self, num_keys: int, *args: _Scalar, direction: _End, count: int | None = None,
        decode: None = None,
    ) -> tuple[_T, list[_T]] | None: ...
    @overload
    def lmpop(
        self, num_keys: int, *args: _Scalar, direction: _End, count: int | None = None,
        decode: Literal[True],
    ) -> tuple[str, list[str]] | None: ...
    @overload
    def lmpop(
        self, num_keys: int, *args: _Scalar, direction: _End, count: int | None = None,
        decode: Literal[False],
    ) -> tuple[bytes, list[bytes]] | None: ...
    def lolwut(self, *version_numbers: _Scalar, decode: bool | None = None) -> str: ...
    @overload
    def lpop(self, name: _Scalar, count: None = None, *, decode: None = None) -> _T | None: ...
    @overload
    def lpop(self, name: _Scalar, count: None = None, *, decode: Literal[True]) -> str | None: ...
    @overload
    def lpop(
        self, name: _Scalar, count: None = None, *, decode: Literal[False],
    ) -> bytes | None: ...
    @overload
    def lpop(self, name: _Scalar, count: int, *, decode: None = None) -> list[_T] | None: ...
    @overload
    def lpop(self, name: _Scalar, count: int, *, decode: Literal[True]) -> list[str] | None: ...
    @overload
    def lpop(self, name: _Scalar, count: int, *, decode: Literal[False]) -> list[bytes] | None: ...
    @overload
    def lpos(
        self, name: _Scalar, value: _Scalar, rank: int | None = None, count: None = None,
        maxlen: int | None = None, *, decode: bool | None = None,
    ) -> int | None: ...
    @overload
    def lpos(
        self, name: _Scalar, value: _Scalar, rank: int | None = None, *, count: int,
        maxlen: int | None = None, decode: bool | None = None,
    ) -> list[int]: ...
    def lpush(self, name: _Scalar, *values: _Scalar, decode: bool | None = None) -> int: ...
    def lpushx(self, name: _Scalar, *values: _Scalar, decode: bool | None = None) -> int: ...
    @overload
    def lrange(self, name: _Scalar, start: int, end: int, *, decode: None = None) -> list[_T]: ...
    @overload
    def lrange(
        self, name: _Scalar, start: int, end: int, *, decode: Literal[True],
    ) -> list[str]: ...
    @overload
    def lrange(
        self, name: _Scalar, start: int, end: int, *, decode: Literal[False],
    ) -> list[bytes]: ...
    def lrem(
        self, name: _Scalar, count: int, value: _Scalar, *, decode: bool | None = None,
    ) -> int: ...
    def lset(
        self, name: _Scalar, index: int, value: _Scalar, *, decode: bool | None = None,
    ) -> bool: ...
    def ltrim(self, name: _Scalar, start: int, end: int, *, decode: bool | None = None) -> bool: ...
    def memory_doctor(self, *, decode: bool | None = None) -> str: ...
    def memory_malloc_stats(self, *, decode: bool | None = None) -> str: ...
    def memory_purge(self, *, decode: bool | None = None) -> bool: ...
    def memory_stats(self, *, decode: bool | None = None) -> dict[str, Any]: ...
    def memory_usage(
        self, key: _Scalar, samples: int | None = None, *, decode: bool | None = None,
    ) -> int | None: ...
    @overload
    def mget(
        self, keys: _Scalar | Iterable[_Scalar], *args: _Scalar, decode: None = None,
    ) -> list[_T | None]: ...
    @overload
    def mget(
        self, keys: _Scalar | Iterable[_Scalar], *args: _Scalar, decode: Literal[True],
    ) -> list[str | None]: ...
    @overload
    def mget(
        self, keys: _Scalar | Iterable[_Scalar], *args: _Scalar, decode: Literal[False],
    ) -> list[bytes | None]: ...
    def migrate(
        self, host: _Scalar, port: int, keys: _Scalar | Iterable[_Scalar], destination_db: int,
        timeout: int, copy: bool = False, replace: bool = False, auth: _Scalar | None = None, *,
        decode: bool | None = None,
    ) -> bool: ...
    def module_list(self, *, decode: bool | None = None) -> list[dict[str, Any]]: ...
    def module_load(self, path: _Scalar, *args: _Scalar, decode: bool | None = None) -> bool: ...
    def module_loadex(
        self, path: _Scalar, options: Mapping[_K, _Scalar] | None = None,
        args: _Scalar | Iterable[_Scalar] | None = None, *, decode: bool | None = None,
    ) -> bool: ...
    def module_unload(self, name: _Scalar, *, decode: bool | None = None) -> bool: ...
    def move(self, name: _Scalar, db: int, *, decode: bool | None = None) -> bool: ...
    def mset(self, mapping: Mapping[_K, _Scalar], *, decode: bool | None = None) -> bool: ...
    def msetex(
        self, mapping: Mapping[_K, _Scalar],
        data_persist_option: Literal["NX", "nx", "XX", "xx"] | None = None,
        ex: int | timedelta | None = None, px: int | timedelta | None = None,
        exat: int | datetime | None = None, pxat: int | datetime | None = None,
        keepttl: bool = False, *, decode: bool | None = None,
    ) -> bool: ...
    def msetnx(self, mapping: Mapping[_K, _Scalar], *, decode: bool | None = None) -> bool: ...
    def object(
        self, infotype: _ObjectInfo, key: _Scalar, *, decode: bool | None = None,
    ) -> str | int | None: ...
    def object_encoding(self, key: _Scalar, *, decode: bool | None = None) -> str | None: ...
    def object_freq(self, key: _Scalar, *, decode: bool | None = None) -> int | None: ...
    def object_idletime(self, key: _Scalar, *, decode: bool | None = None) -> int | None: ...
    def object_refcount(self, key: _Scalar, *, decode: bool | None = None) -> int | None: ...
    def persist(self, name: _Scalar, *, decode: bool | None = None) -> bool: ...
    def pexpire(
        self, name: _Scalar, time: int | timedelta, nx: bool = False, xx: bool = False,
        gt: bool = False, lt: bool = False, *, decode: bool | None = None,
    ) -> bool: ...
    def pexpireat(
        self, name: _Scalar, when: int | datetime, nx: bool = False, xx: bool = False,
        gt: bool = False, lt: bool = False, *, decode: bool | None = None,
    ) -> bool: ...
    def pexpiretime(self, key: _Scalar, *, decode: bool | None = None) -> int: ...
    def ping(self, *, decode: bool | None = None) -> bool: ...
    def psetex(
        self, name: _Scalar, time_ms: int | timedelta, value: _Scalar, *,
        decode: bool | None = None,
    ) -> bool: ...
    def pttl(self, name: _Scalar, *, decode: bool | None = None) -> int: ...
    @overload
    def randomkey(self, *, decode: None = None) -> _T | None: ...
    @overload
    def randomkey(self, *, decode: Literal[True]) -> str | None: ...
    @overload
    def randomkey(self, *, decode: Literal[False]) -> bytes | None: ...
    def rename(self, src: _Scalar, dst: _Scalar, *, decode: bool | None = None) -> bool: ...
    def renamenx(self, src: _Scalar, dst: _Scalar, *, decode: bool | None = None) -> bool: ...
    def replicaof(self, *args: _Scalar, decode: bool | None = None) -> bool: ...
    def restore(
        self, name: _Scalar, ttl: int | timedelta, value: _Scalar, replace: bool = False,
        absttl: bool = False, idletime: int | None = None, frequency: int | None = None, *,
        decode: bool | None = None,
    ) -> bool: ...
    def role(self, *, decode: bool | None = None) -> list[Any]: ...
    @overload
    def rpop(self, name: _Scalar, count: None = None, *, decode: None = None) -> _T | None: ...
    @overload
    def rpop(self, name: _Scalar, count: None = None, *, decode: Literal[True]) -> str | None: ...
    @overload
    def rpop(
        self, name: _Scalar, count: None = None, *, decode: Literal[False],
    ) -> bytes | None: ...
    @overload
    def rpop(self, name: _Scalar, count: int, *, decode: None = None) -> list[_T] | None: ...
    @overload
    def rpop(self, name: _Scalar, count: int, *, decode: Literal[True]) -> list[str] | None: ...
    @overload
    def rpop(self, name: _Scalar, count: int, *, decode: Literal[False]) -> list[bytes] | None: ...
    @overload
    def rpoplpush(self, src: _Scalar, dst: _Scalar, *, decode: None = None) -> _T | None: ...
    @overload
    def rpoplpush(self, src: _Scalar, dst: _Scalar, *, decode: Literal[True]) -> str | None: ...
    @overload
    def rpoplpush(self, src: _Scalar, dst: _Scalar, *, decode: Literal[False]) -> bytes | None: ...
    def rpush(self, name: _Scalar, *values: _Scalar, decode: bool | None = None) -> int: ...
    def rpushx(self, name: _Scalar, *values: _Scalar, decode: bool | None = None) -> int: ...
    def sadd(self, name: _Scalar, *values: _Scalar, decode: bool | None = None) -> int: ...
    def save(self, *, decode: bool | None = None) -> bool: ...
    @overload
    def scan(
        self, cursor: int = 0, match: _Scalar | None = None, count: int | None = None,
        _type: _Scalar | None = None, *, decode: None = None,
    ) -> tuple[int, list[_T]]: ...
    @overload
    def scan(
        self, cursor: int = 0, match: _Scalar | None = None, count: int | None = None,
        _type: _Scalar | None = None, *, decode: Literal[True],
    ) -> tuple[int, list[str]]: ...
    @overload
    def scan(
        self, cursor: int = 0, match: _Scalar | None = None, count: int | None = None,
        _type: _Scalar | None = None, *, decode: Literal[False],
    ) -> tuple[int, list[bytes]]: ...
    def scard(self, name: _Scalar, *, decode: bool | None = None) -> int: ...
    @overload
    def sdiff(
        self, keys: _Scalar | Iterable[_Scalar], *args: _Scalar, decode: None = None,
    ) -> builtins.set[_T]: ...
    @overload
    def sdiff(
        self, keys: _Scalar | Iterable[_Scalar], *args: _Scalar, decode: Literal[True],
    ) -> builtins.set[str]: ...
    @overload
    def sdiff(
        self, keys: _Scalar | Iterable[_Scalar], *args: _Scalar, decode: Literal[False],
    ) -> builtins.set[bytes]: ...
    def sdiffstore(
        self, dest: _Scalar, keys: _Scalar | Iterable[_Scalar], *args: _Scalar,
        decode: bool | None = None,
    ) -> int: ...
    @overload
    def set(
        self, name: _Scalar, value: _Scalar, ex: int | timedelta | None = None,
        px: int | timedelta | None = None, nx: bool = False, xx: bool = False,
        keepttl: bool = False, get: Literal[False] = False, exat: int | datetime | None = None,
        pxat: int | datetime | None = None, ifeq: _Scalar | None = None,
        ifne: _Scalar | None = None, ifdeq: _Scalar | None = None, ifdne: _Scalar | None = None, *,
        decode: bool | None = None,
    ) -> bool | None: ...
    @overload
    def set(
        self, name: _Scalar, value: _Scalar, ex: int | timedelta | None = None,
        px: int | timedelta | None = None, nx: bool = False, xx: bool = False,
        keepttl: bool = False, *, get: Literal[True], exat: int | datetime | None = None,
        pxat: int | datetime | None = None, ifeq: _Scalar | None = None,
        ifne: _Scalar | None = None, ifdeq: _Scalar | None = None, ifdne: _Scalar | None = None,
        decode: None = None,
    ) -> _T | None: ...
    @overload
    def set(
        self, name: _Scalar, value: _Scalar, ex: int | timedelta | None = None,
        px: int | timedelta | None = None, nx: bool = False, xx: bool = False,
        keepttl: bool = False, *, get: Literal[True], exat: int | datetime | None = None,
        pxat: int | datetime | None = None, ifeq: _Scalar | None = None,
        ifne: _Scalar | None = None, ifdeq: _Scalar | None = None, ifdne: _Scalar | None = None,
        decode: Literal[True],
    ) -> str | None: ...
    @overload
    def set(
        self, name: _Scalar, value: _Scalar, ex: int | timedelta | None = None,
        px: int | timedelta | None = None, nx: bool = False, xx: bool = False,
        keepttl: bool = False, *, get: Literal[True], exat: int | datetime | None = None,
        pxat: int | datetime | None = None, ifeq: _Scalar | None = None,
        ifne: _Scalar | None = None, ifdeq: _Scalar | None = None, ifdne: _Scalar | None = None,
        decode: Literal[False],
    ) -> bytes | None: ...
    def setex(
        self, name: _Scalar, time: int | timedelta, value: _Scalar, *, decode: bool | None = None,
    ) -> bool: ...
    def setnx(self, name: _Scalar, value: _Scalar, *, decode: bool | None = None) -> bool: ...
    def setrange(
        self, name: _Scalar, offset: int, value: _Scalar, *, decode: bool | None = None,
    ) -> int: ...
    @overload
    def sinter(
        self, keys: _Scalar | Iterable[_Scalar], *args: _Scalar, decode: None = None,
    ) -> builtins.set[_T]: ...
    @overload
    def sinter(
        self, keys: _Scalar | Iterable[_Scalar], *args: _Scalar, decode: Literal[True],
    ) -> builtins.set[str]: ...
    @overload
    def sinter(
        self, keys: _Scalar | Iterable[_Scalar], *args: _Scalar, decode: Literal[False],
    ) -> builtins.set[bytes]: ...
    def sintercard(
        self, numkeys: int, keys: _Scalar | Iterable[_Scalar], limit: int = 0, *,
        decode: bool | None = None,
    ) -> int: ...
    def sinterstore(
        self, dest: _Scalar, keys: _Scalar | Iterable[_Scalar], *args: _Scalar,
        decode: bool | None = None,
    ) -> int: ...
    def sismember(self, name: _Scalar, value: _Scalar, *, decode: bool | None = None) -> bool: ...
    def slaveof(
        self, host: _Scalar | None = None, port: _Scalar | None = None, *,
        decode: bool | None = None,
    ) -> bool: ...
    def slowlog_get(
        self, num: int | None = None, *, decode: bool | None = None,
    ) -> list[dict[str, Any]]: ...
    def slowlog_len(self, *, decode: bool | None = None) -> int: ...
    def slowlog_reset(self, *, decode: bool | None = None) -> bool: ...
    @overload
    def smembers(self, name: _Scalar, *, decode: None = None) -> builtins.set[_T]: ...
    @overload
    def smembers(self, name: _Scalar, *, decode: Literal[True]) -> builtins.set[str]: ...
    @overload
    def smembers(self, name: _Scalar, *, decode: Literal[False]) -> builtins.set[bytes]: ...
    def smismember(
        self, name: _Scalar, values: _Scalar | Iterable[_Scalar], *args: _Scalar,
        decode: bool | None = None,
    ) -> list[bool]: ...
    def smove(
        self, src: _Scalar, dst: _Scalar, value: _Scalar, *, decode: bool | None = None,
    ) -> bool: ...
    @overload
    def sort(
        self, name: _Scalar, start: int | None = None, num: int | None = None,
        by: _Scalar | None = None, get: None = None, desc: bool = False, alpha: bool = False,
        store: None = None, *, decode: None = None,
    ) -> list[_T]: ...
    @overload
    def sort(
        self, name: _Scalar, start: int | None = None, num: int | None = None,
        by: _Scalar | None = None, get: None = None, desc: bool = False, alpha: bool = False,
        store: None = None, *, decode: Literal[True],
    ) -> list[str]: ...
    @overload
    def sort(
        self, name: _Scalar, start: int | None = None, num: int | None = None,
        by: _Scalar | None = None, get: None = None, desc: bool = False, alpha: bool = False,
        store: None = None, *, decode: Literal[False],
    ) -> list[bytes]: ...
    @overload
    def sort(
        self, name: _Scalar, start: int | None = None, num: int | None = None,
        by: _Scalar | None = None, *, get: _Scalar | Iterable[_Scalar], desc: bool = False,
        alpha: bool = False, store: None = None, decode: None = None,
    ) -> list[_T | None]: ...
    @overload
    def sort(
        self, name: _Scalar, start: int | None = None, num: int | None = None,
        by: _Scalar | None = None, *, get: _Scalar | Iterable[_Scalar], desc: bool = False,
        alpha: bool = False, store: None = None, decode: Literal[True],
    ) -> list[str | None]: ...
    @overload
    def sort(
        self, name: _Scalar, start: int | None = None, num: int | None = None,
        by: _Scalar | None = None, *, get: _Scalar | Iterable[_Scalar], desc: bool = False,
        alpha: bool = False, store: None = None, decode: Literal[False],
    ) -> list[bytes | None]: ...
    @overload
    def sort(
        self, name: _Scalar, start: int | None = None, num: int | None = None,
        by: _Scalar | None = None, get: None = None, desc: bool = False, alpha: bool = False, *,
        store: _Scalar, decode: bool | None = None,
    ) -> int: ...
    @overload
    def sort(
        self, name: _Scalar, start: int | None = None, num: int | None = None,
        by: _Scalar | None = None, *, get: _Scalar | Iterable[_Scalar], desc: bool = False,
        alpha: bool = False, store: _Scalar, decode: bool | None = None,
    ) -> int: ...
    @overload
    def sort_ro(
        self, key: _Scalar, start: int | None = None, num: int | None = None,
        by: _Scalar | None = None, get: None = None, desc: bool = False, alpha: bool = False, *,
        decode: None = None,
    ) -> list[_T]: ...
    @overload
    def sort_ro(
        self, key: _Scalar, start: int | None = None, num: int | None = None,
        by: _Scalar | None = None, get: None = None, desc: bool = False, alpha: bool = False, *,
        decode: Literal[True],
    ) -> list[str]: ...
    @overload
    def sort_ro(
        self, key: _Scalar, start: int | None = None, num: int | None = None,
        by: _Scalar | None = None, get: None = None, desc: bool = False, alpha: bool = False, *,
        decode: Literal[False],
    ) -> list[bytes]: ...
    @overload
    def sort_ro(
        self, key: _Scalar, start: int | None = None, num: int | None = None,
        by: _Scalar | None = None, *, get: _Scalar | Iterable[_Scalar], desc: bool = False,
        alpha: bool = False, decode: None = None,
    ) -> list[_T | None]: ...
    @overload
    def sort_ro(
        self, key: _Scalar, start: int | None = None, num: int | None = None,
        by: _Scalar | None = None, *, get: _Scalar | Iterable[_Scalar], desc: bool = False,
        alpha: bool = False, decode: Literal[True],
    ) -> list[str | None]: ...
    @overload
    def sort_ro(
        self, key: _Scalar, start: int | None = None, num: int | None = None,
        by: _Scalar | None = None, *, get: _Scalar | Iterable[_Scalar], desc: bool = False,
        alpha: bool = False, decode: Literal[False],
    ) -> list[bytes | None]: ...
    @overload
    def spop(self, name: _Scalar, count: None = None, *, decode: None = None) -> _T | None: ...
    @overload
    def spop(self, name: _Scalar, count: None = None, *, decode: Literal[True]) -> str | None: ...
    @overload
    def spop(
        self, name: _Scalar, count: None = None, *, decode: Literal[False],
    ) -> bytes | None: ...
    @overload
    def spop(self, name: _Scalar, count: int, *, decode: None = None) -> builtins.set[_T]: ...
    @overload
    def spop(self, name: _Scalar, count: int, *, decode: Literal[True]) -> builtins.set[str]: ...
    @overload
    def spop(self, name: _Scalar, count: int, *, decode: Literal[False]) -> builtins.set[bytes]: ...
    @overload
    def srandmember(
        self, name: _Scalar, number: None = None, *, decode: None = None,
    ) -> _T | None: ...
    @overload
    def srandmember(
        self, name: _Scalar, number: None = None, *, decode: Literal[True],
    ) -> str | None: ...
    @overload
    def srandmember(
        self, name: _Scalar, number: None = None, *, decode: Literal[False],
    ) -> bytes | None: ...
    @overload
    def srandmember(self, name: _Scalar, number: int, *, decode: None = None) -> list[_T]: ...
    @overload
    def srandmember(self, name: _Scalar, number: int, *, decode: Literal[True]) -> list[str]: ...
    @overload
    def srandmember(self, name: _Scalar, number: int, *, decode: Literal[False]) -> list[bytes]: ...
    def srem(self, name: _Scalar, *values: _Scalar, decode: bool | None = None) -> int: ...
    @overload
    def sscan(
        self, name: _Scalar, cursor: int = 0, match: _Scalar | None = None,
        count: int | None = None, *, decode: None = None,
    ) -> tuple[int, list[_T]]: ...
    @overload
    def sscan(
        self, name: _Scalar, cursor: int = 0, match: _Scalar | None = None,
        count: int | None = None, *, decode: Literal[True],
    ) -> tuple[int, list[str]]: ...
    @overload
    def sscan(
        self, name: _Scalar, cursor: int = 0, match: _Scalar | None = None,
        count: int | None = None, *, decode: Literal[False],
    ) -> tuple[int, list[bytes]]: ...
    def strlen(self, name: _Scalar, *, decode: bool | None = None) -> int: ...
    @overload
    def substr(self, name: _Scalar, start: int, end: int = -1, *, decode: None = None) -> _T: ...
    @overload
    def substr(self, name: _Scalar, start: int, end: int = -1, *, decode: Literal[True]) -> str: ...
    @overload
    def substr(
        self, name: _Scalar, start: int, end: int = -1, *, decode: Literal[False],
    ) -> bytes: ...
    @overload
    def sunion(
        self, keys: _Scalar | Iterable[_Scalar], *args: _Scalar, decode: None = None,
    ) -> builtins.set[_T]: ...
    @overload
    def sunion(
        self, keys: _Scalar | Iterable[_Scalar], *args: _Scalar, decode: Literal[True],
    ) -> builtins.set[str]: ...
    @overload
    def sunion(
        self, keys: _Scalar | Iterable[_Scalar], *args: _Scalar, decode: Literal[False],
    ) -> builtins.set[bytes]: ...
    def sunionstore(
        self, dest: _Scalar, keys: _Scalar | Iterable[_Scalar], *args: _Scalar,
        decode: bool | None = None,
    ) -> int: ...
    def swapdb(self, first: int, second: int, *, decode: bool | None = None) -> bool: ...
    def time(self, *, decode: bool | None = None) -> tuple[int, int]: ...
    def touch(self, *args: _Scalar, decode: bool | None = None) -> int: ...
    def ttl(self, name: _Scalar, *, decode: bool | None = None) -> int: ...
    def type(self, name: _Scalar, *, decode: bool | None = None) -> str: ...
    def unlink(self, *names: _Scalar, decode: bool | None = None) -> int: ...
    def wait(self, num_replicas: int, timeout: int, *, decode: bool | None = None) -> int: ...
    def waitaof(
        self, num_local: int, num_replicas: int, timeout: int, *, decode: bool | None = None,
    ) -> tuple[int, int]: ...
    @overload
    def zadd(
        self, name: _Scalar, mapping: Mapping[_K, float | str], nx: bool = False, xx: bool = False,
        ch: bool = False, incr: Literal[False] = False, gt: bool = False, lt: bool = False, *,
        decode: bool | None = None,
    ) -> int: ...
    @overload
    def zadd(
        self, name: _Scalar, mapping: Mapping[_K, float | str], nx: bool = False, xx: bool = False,
        ch: bool = False, *, incr: Literal[True], gt: bool = False, lt: bool = False,
        decode: bool | None = None,
    ) -> float | None: ...
    def zcard(self, name: _Scalar, *, decode: bool | None = None) -> int: ...
    def zcount(
        self, name: _Scalar, min: _Scalar, max: _Scalar, *, decode: bool | None = None,
    ) -> int: ...
    @overload
    def zdiff(
        self, keys: _Scalar | Iterable[_Scalar], withscores: Literal[False] = False, *,
        decode: None = None,
    ) -> list[_T]: ...
    @overload
    def zdiff(
        self, keys: _Scalar | Iterable[_Scalar], withscores: Literal[False] = False, *,
        decode: Literal[True],
    ) -> list[str]: ...
    @overload
    def zdiff(
        self, keys: _Scalar | Iterable[_Scalar], withscores: Literal[False] = False, *,
        decode: Literal[False],
    ) -> list[bytes]: ...
    @overload
    def zdiff(
        self, keys: _Scalar | Iterable[_Scalar], withscores: Literal[True], *, decode: None = None,
    ) -> list[tuple[_T, float]]: ...
    @overload
    def zdiff(
        self, keys: _Scalar | Iterable[_Scalar], withscores: Literal[True], *,
        decode: Literal[True],
    ) -> list[tuple[str, float]]: ...
    @overload
    def zdiff(
        self, keys: _Scalar | Iterable[_Scalar], withscores: Literal[True], *,
        decode: Literal[False],
    ) -> list[tuple[bytes, float]]: ...
    def zdiffstore(
        self, dest: _Scalar, keys: _Scalar | Iterable[_Scalar], *, decode: bool | None = None,
    ) -> int: ...
    def zincrby(
        self, name: _Scalar, amount: float, value: _Scalar, *, decode: bool | None = None,
    ) -> float: ...
    @overload
    def zinter(
        self, keys: _Scalar | Iterable[_Scalar] | Mapping[_K, float],
        aggregate: _Aggregate | None = None, withscores: Literal[False] = False, *,
        decode: None = None,
    ) -> list[_T]: ...
    @overload
    def zinter(
        self, keys: _Scalar | Iterable[_Scalar] | Mapping[_K, float],
        aggregate: _Aggregate | None = None, withscores: Literal[False] = False, *,
        decode: Literal[True],
    ) -> list[str]: ...
    @overload
    def zinter(
        self, keys: _Scalar | Iterable[_Scalar] | Mapping[_K, float],
        aggregate: _Aggregate | None = None, withscores: Literal[False] = False, *,
        decode: Literal[False],
    ) -> list[bytes]: ...
    @overload
    def zinter(
        self, keys: _Scalar | Iterable[_Scalar] | Mapping[_K, float],
        aggregate: _Aggregate | None = None, *, withscores: Literal[True], decode: None = None,
    ) -> list[tuple[_T, float]]: ...
    @overload
    def zinter(
        self, keys: _Scalar | Iterable[_Scalar] | Mapping[_K, float],
        aggregate: _Aggregate | None = None, *, withscores: Literal[True], decode: Literal[True],
    ) -> list[tuple[str, float]]: ...
    @overload
    def zinter(
        self, keys: _Scalar | Iterable[_Scalar] | Mapping[_K, float],
        aggregate: _Aggregate | None = None, *, withscores: Literal[True], decode: Literal[False],
    ) -> list[tuple[bytes, float]]: ...
    def zintercard(
        self, numkeys: int, keys: _Scalar | Iterable[_Scalar], limit: int = 0, *,
        decode: bool | None = None,
    ) -> int: ...
    def zinterstore(
        self, dest: _Scalar, keys: _Scalar | Iterable[_Scalar] | Mapping[_K, float],
        aggregate: _Aggregate | None = None, *, decode: bool | None = None,
    ) -> int: ...
    def zlexcount(
        self, name: _Scalar, min: _Scalar, max: _Scalar, *, decode: bool | None = None,
    ) -> int: ...
    @overload
    def zmpop(
        self, num_keys: int, keys: _Scalar | Iterable[_Scalar], min: bool = False,
        max: bool = False, count: int | None = None, *, decode: None = None,
    ) -> tuple[_T, list[tuple[_T, float]]] | None: ...
    @overload
    def zmpop(
        self, num_keys: int, keys: _Scalar | Iterable[_Scalar], min: bool = False,
        max: bool = False, count: int | None = None, *, decode: Literal[True],
    ) -> tuple[str, list[tuple[str, float]]] | None: ...
    @overload
    def zmpop(
        self, num_keys: int, keys: _Scalar | Iterable[_Scalar], min: bool = False,
        max: bool = False, count: int | None = None, *, decode: Literal[False],
    ) -> tuple[bytes, list[tuple[bytes, float]]] | None: ...
    def zmscore(
        self, key: _Scalar, members: _Scalar | Iterable[_Scalar], *, decode: bool | None = None,
    ) -> list[float | None]: ...
    @overload
    def zpopmax(
        self, name: _Scalar, count: int | None = None, *, decode: None = None,
    ) -> list[tuple[_T, float]]: ...
    @overload
    def zpopmax(
        self, name: _Scalar, count: int | None = None, *, decode: Literal[True],
    ) -> list[tuple[str, float]]: ...
    @overload
    def zpopmax(
        self, name: _Scalar, count: int | None = None, *, decode: Literal[False],
    ) -> list[tuple[bytes, float]]: ...
    @overload
    def zpopmin(
        self, name: _Scalar, count: int | None = None, *, decode: None = None,
    ) -> list[tuple[_T, float]]: ...
    @overload
    def zpopmin(
        self, name: _Scalar, count: int | None = None, *, decode: Literal[True],
    ) -> list[tuple[str, float]]: ...
    @overload
    def zpopmin(
        self, name: _Scalar, count: int | None = None, *, decode: Literal[False],
    ) -> list[tuple[bytes, float]]: ...
    @overload
    def zrandmember(
        self, key: _Scalar, count: None = None, withscores: Literal[False] = False, *,
        decode: None = None,
    ) -> _T | None: ...
    @overload
    def zrandmember(
        self, key: _Scalar, count: None = None, withscores: Literal[False] = False, *,
        decode: Literal[True],
    ) -> str | None: ...
    @overload
    def zrandmember(
        self, key: _Scalar, count: None = None, withscores: Literal[False] = False, *,
        decode: Literal[False],
    ) -> bytes | None: ...
    @overload
    def zrandmember(
        self, key: _Scalar, count: int, withscores: Literal[False] = False, *, decode: None = None,
    ) -> list[_T]: ...
    @overload
    def zrandmember(
        self, key: _Scalar, count: int, withscores: Literal[False] = False, *,
        decode: Literal[True],
    ) -> list[str]: ...
    @overload
    def zrandmember(
        self, key: _Scalar, count: int, withscores: Literal[False] = False, *,
        decode: Literal[False],
    ) -> list[bytes]: ...
    @overload
    def zrandmember(
        self, key: _Scalar, count: int, withscores: Literal[True], *, decode: None = None,
    ) -> list[tuple[_T, float]]: ...
    @overload
    def zrandmember(
        self, key: _Scalar, count: int, withscores: Literal[True], *, decode: Literal[True],
    ) -> list[tuple[str, float]]: ...
    @overload
    def zrandmember(
        self, key: _Scalar, count: int, withscores: Literal[True], *, decode: Literal[False],
    ) -> list[tuple[bytes, float]]: ...
    @overload
    def zrange(
        self, name: _Scalar, start: _Scalar, end: _Scalar, desc: bool = False,
        withscores: Literal[False] = False, *, byscore: bool = False, bylex: bool = False,
        offset: int | None = None, num: int | None = None, decode: None = None,
    ) -> list[_T]: ...
    @overload
    def zrange(
        self, name: _Scalar, start: _Scalar, end: _Scalar, desc: bool = False,
        withscores: Literal[False] = False, *, byscore: bool = False, bylex: bool = False,
        offset: int | None = None, num: int | None = None, decode: Literal[True],
    ) -> list[str]: ...
    @overload
    def zrange(
        self, name: _Scalar, start: _Scalar, end: _Scalar, desc: bool = False,
        withscores: Literal[False] = False, *, byscore: bool = False, bylex: bool = False,
        offset: int | None = None, num: int | None = None, decode: Literal[False],
    ) -> list[bytes]: ...
    @overload
    def zrange(
        self, name: _Scalar, start: _Scalar, end: _Scalar, desc: bool = False, *,
        withscores: Literal[True], byscore: bool = False, bylex: bool = False,
        offset: int | None = None, num: int | None = None, decode: None = None,
    ) -> list[tuple[_T, float]]: ...
    @overload
    def zrange(
        self, name: _Scalar, start: _Scalar, end: _Scalar, desc: bool = False, *,
        withscores: Literal[True], byscore: bool = False, bylex: bool = False,
        offset: int | None = None, num: int | None = None, decode: Literal[True],
    ) -> list[tuple[str, float]]: ...
    @overload
    def zrange(
        self, name: _Scalar, start: _Scalar, end: _Scalar, desc: bool = False, *,
        withscores: Literal[True], byscore: bool = False, bylex: bool = False,
        offset: int | None = None, num: int | None = None, decode: Literal[False],
    ) -> list[tuple[bytes, float]]: ...
    @overload
    def zrangebylex(
        self, name: _Scalar, min: _Scalar, max: _Scalar, start: int | None = None,
        num: int | None = None, *, decode: None = None,
    ) -> list[_T]: ...
    @overload
    def zrangebylex(
        self, name: _Scalar, min: _Scalar, max: _Scalar, start: int | None = None,
        num: int | None = None, *, decode: Literal[True],
    ) -> list[str]: ...
    @overload
    def zrangebylex(
        self, name: _Scalar, min: _Scalar, max: _Scalar, start: int | None = None,
        num: int | None = None, *, decode: Literal[False],
    ) -> list[bytes]: ...
    @overload
    def zrangebyscore(
        self, name: _Scalar, min: _Scalar, max: _Scalar, start: int | None = None,
        num: int | None = None, withscores: Literal[False] = False, *, decode: None = None,
    ) -> list[_T]: ...
    @overload
    def zrangebyscore(
        self, name: _Scalar, min: _Scalar, max: _Scalar, start: int | None = None,
        num: int | None = None, withscores: Literal[False] = False, *, decode: Literal[True],
    ) -> list[str]: ...
    @overload
    def zrangebyscore(
        self, name: _Scalar, min: _Scalar, max: _Scalar, start: int | None = None,
        num: int | None = None, withscores: Literal[False] = False, *, decode: Literal[False],
    ) -> list[bytes]: ...
    @overload
    def zrangebyscore(
        self, name: _Scalar, min: _Scalar, max: _Scalar, start: int | None = None,
        num: int | None = None, *, withscores: Literal[True], decode: None = None,
    ) -> list[tuple[_T, float]]: ...
    @overload
    def zrangebyscore(
        self, name: _Scalar, min: _Scalar, max: _Scalar, start: int | None = None,
        num: int | None = None, *, withscores: Literal[True], decode: Literal[True],
    ) -> list[tuple[str, float]]: ...
    @overload
    def zrangebyscore(
        self, name: _Scalar, min: _Scalar, max: _Scalar, start: int | None = None,
        num: int | None = None, *, withscores: Literal[True], decode: Literal[False],
    ) -> list[tuple[bytes, float]]: ...
    def zrangestore(
        self, dest: _Scalar, name: _Scalar, start: _Scalar, end: _Scalar, byscore: bool = False,
        bylex: bool = False, desc: bool = False, offset: int | None = None, num: int | None = None,
        *, decode: bool | None = None,
    ) -> int: ...
    @overload
    def zrank(
        self, name: _Scalar, value: _Scalar, withscore: Literal[False] = False, *,
        decode: bool | None = None,
    ) -> int | None: ...
    @overload
    def zrank(
        self, name: _Scalar, value: _Scalar, withscore: Literal[True], *,
        decode: bool | None = None,
    ) -> tuple[int, float] | None: ...
    def zrem(self, name: _Scalar, *values: _Scalar, decode: bool | None = None) -> int: ...
    def zremrangebylex(
        self, name: _Scalar, min: _Scalar, max: _Scalar, *, decode: bool | None = None,
    ) -> int: ...
    def zremrangebyrank(
        self, name: _Scalar, min: int, max: int, *, decode: bool | None = None,
    ) -> int: ...
    def zremrangebyscore(
        self, name: _Scalar, min: _Scalar, max: _Scalar, *, decode: bool | None = None,
    ) -> int: ...
    @overload
    def zrevrange(
        self, name: _Scalar, start: int, end: int, withscores: Literal[False] = False, *,
        decode: None = None,
    ) -> list[_T]: ...
    @overload
    def zrevrange(
        self, name: _Scalar, start: int, end: int, withscores: Literal[False] = False, *,
        decode: Literal[True],
    ) -> list[str]: ...
    @overload
    def zrevrange(
        self, name: _Scalar, start: int, end: int, withscores: Literal[False] = False, *,
        decode: Literal[False],
    ) -> list[bytes]: ...
    @overload
    def zrevrange(
        self, name: _Scalar, start: int, end: int, withscores: Literal[True], *,
        decode: None = None,
    ) -> list[tuple[_T, float]]: ...
    @overload
    def zrevrange(
        self, name: _Scalar, start: int, end: int, withscores: Literal[True], *,
        decode: Literal[True],
    ) -> list[tuple[str, float]]: ...
    @overload
    def zrevrange(
        self, name: _Scalar, start: int, end: int, withscores: Literal[True], *,
        decode: Literal[False],
    ) -> list[tuple[bytes, float]]: ...
    @overload
    def zrevrangebylex(
        self, name: _Scalar, max: _Scalar, min: _Scalar, start: int | None = None,
        num: int | None = None, *, decode: None = None,
    ) -> list[_T]: ...
    @overload
    def zrevrangebylex(
        self, name: _Scalar, max: _Scalar, min: _Scalar, start: int | None = None,
        num: int | None = None, *, decode: Literal[True],
    ) -> list[str]: ...
    @overload
    def zrevrangebylex(
        self, name: _Scalar, max: _Scalar, min: _Scalar, start: int | None = None,
        num: int | None = None, *, decode: Literal[False],
    ) -> list[bytes]: ...
    @overload
    def zrevrangebyscore(
        self, name: _Scalar, max: _Scalar, min: _Scalar, start: int | None = None,
        num: int | None = None, withscores: Literal[False] = False, *, decode: None = None,
    ) -> list[_T]: ...
    @overload
    def zrevrangebyscore(
        self, name: _Scalar, max: _Scalar, min: _Scalar, start: int | None = None,
        num: int | None = None, withscores: Literal[False] = False, *, decode: Literal[True],
    ) -> list[str]: ...
    @overload
    def zrevrangebyscore(
        self, name: _Scalar, max: _Scalar, min: _Scalar, start: int | None = None,
        num: int | None = None, withscores: Literal[False] = False, *, decode: Literal[False],
    ) -> list[bytes]: ...
    @overload
    def zrevrangebyscore(
        self, name: _Scalar, max: _Scalar, min: _Scalar, start: int | None = None,
        num: int | None = None, *, withscores: Literal[True], decode: None = None,
    ) -> list[tuple[_T, float]]: ...
    @overload
    def zrevrangebyscore(
        self, name: _Scalar, max: _Scalar, min: _Scalar, start: int | None = None,
        num: int | None = None, *, withscores: Literal[True], decode: Literal[True],
    ) -> list[tuple[str, float]]: ...
    @overload
    def zrevrangebyscore(
        self, name: _Scalar, max: _Scalar, min: _Scalar, start: int | None = None,
        num: int | None = None, *, withscores: Literal[True], decode: Literal[False],
    ) -> list[tuple[bytes, float]]: ...
    @overload
    def zrevrank(
        self, name: _Scalar, value: _Scalar, withscore: Literal[False] = False, *,
        decode: bool | None = None,
    ) -> int | None: ...
    @overload
    def zrevrank(
        self, name: _Scalar, value: _Scalar, withscore: Literal[True], *,
        decode: bool | None = None,
    ) -> tuple[int, float] | None: ...
    @overload
    def zscan(
        self, name: _Scalar, cursor: int = 0, match: _Scalar | None = None,
        count: int | None = None, *, decode: None = None,
    ) -> tuple[int, list[tuple[_T, float]]]: ...
    @overload
    def zscan(
        self, name: _Scalar, cursor: int = 0, match: _Scalar | None = None,
        count: int | None = None, *, decode: Literal[True],
    ) -> tuple[int, list[tuple[str, float]]]: ...
    @overload
    def zscan(
        self, name: _Scalar, cursor: int = 0, match: _Scalar | None = None,
        count: int | None = None, *, decode: Literal[False],
    ) -> tuple[int, list[tuple[bytes, float]]]: ...
    def zscore(
        self, name: _Scalar, value: _Scalar, *, decode: bool | None = None,
    ) -> float | None: ...
    @overload
    def zunion(
        self, keys: _Scalar | Iterable[_Scalar] | Mapping[_K, float],
        aggregate: _Aggregate | None = None, withscores: Literal[False] = False, *,
        decode: None = None,
    ) -> list[_T]: ...
    @overload
    def zunion(
        self, keys: _Scalar | Iterable[_Scalar] | Mapping[_K, float],
        aggregate: _Aggregate | None = None, withscores: Literal[False] = False, *,
        decode: Literal[True],
    ) -> list[str]: ...
    @overload
    def zunion(
        self, keys: _Scalar | Iterable[_Scalar] | Mapping[_K, float],
        aggregate: _Aggregate | None = None, withscores: Literal[False] = False, *,
        decode: Literal[False],
    ) -> list[bytes]: ...
    @overload
    def zunion(
        self, keys: _Scalar | Iterable[_Scalar] | Mapping[_K, float],
        aggregate: _Aggregate | None = None, *, withscores: Literal[True], decode: None = None,
    ) -> list[tuple[_T, float]]: ...
    @overload
    def zunion(
        self, keys: _Scalar | Iterable[_Scalar] | Mapping[_K, float],
        aggregate: _Aggregate | None = None, *, withscores: Literal[True], decode: Literal[True],
    ) -> list[tuple[str, float]]: ...
    @overload
    def zunion(
        self, keys: _Scalar | Iterable[_Scalar] | Mapping[_K, float],
        aggregate: _Aggregate | None = None, *, withscores: Literal[True], decode: Literal[False],
    ) -> list[tuple[bytes, float]]: ...
    def zunionstore(
        self, dest: _Scalar, keys: _Scalar | Iterable[_Scalar] | Mapping[_K, float],
        aggregate: _Aggregate | None = None, *, decode: bool | None = None,
    ) -> int: ...
    @overload
    def hscan_iter(
        self, name: _Scalar, match: _Scalar | None = None, count: int | None = None,
        no_values: Literal[False] | None = None, *, decode: None = None,
    ) -> Generator[tuple[_T, _T]]: ...
    @overload
    def hscan_iter(
        self, name: _Scalar, match: _Scalar | None = None, count: int | None = None,
        no_values: Literal[False] | None = None, *, decode: Literal[True],
    ) -> Generator[tuple[str, str]]: ...
    @overload
    def hscan_iter(
        self, name: _Scalar, match: _Scalar | None = None, count: int | None = None,
        no_values: Literal[False] | None = None, *, decode: Literal[False],
    ) -> Generator[tuple[bytes, bytes]]: ...
    @overload
    def hscan_iter(
        self, name: _Scalar, match: _Scalar | None = None, count: int | None = None, *,
        no_values: Literal[True], decode: None = None,
    ) -> Generator[_T]: ...
    @overload
    def hscan_iter(
        self, name: _Scalar, match: _Scalar | None = None, count: int | None = None, *,
        no_values: Literal[True], decode: Literal[True],
    ) -> Generator[str]: ...
    @overload
    def hscan_iter(
        self, name: _Scalar, match: _Scalar | None = None, count: int | None = None, *,
        no_values: Literal[True], decode: Literal[False],
    ) -> Generator[bytes]: ...
    @overload
    def scan_iter(
        self, match: _Scalar | None = None, count: int | None = None, _type: str | None = None, *,
        decode: None = None,
    ) -> Generator[_T]: ...
    @overload
    def scan_iter(
        self, match: _Scalar | None = None, count: int | None = None, _type: str | None = None, *,
        decode: Literal[True],
    ) -> Generator[str]: ...
    @overload
    def scan_iter(
        self, match: _Scalar | None = None, count: int | None = None, _type: str | None = None, *,
        decode: Literal[False],
    ) -> Generator[bytes]: ...
    @overload
    def sscan_iter(
        self, name: _Scalar, match: _Scalar | None = None, count: int | None = None, *,
        decode: None = None,
    ) -> Generator[_T]: ...
    @overload
    def sscan_iter(
        self, name: _Scalar, match: _Scalar | None = None, count: int | None = None, *,
        decode: Literal[True],
    ) -> Generator[str]: ...
    @overload
    def sscan_iter(
        self, name: _Scalar, match: _Scalar | None = None, count: int | None = None, *,
        decode: Literal[False],
    ) -> Generator[bytes]: ...
    @overload
    def zscan_iter(
        self, name: _Scalar, match: _Scalar | None = None, count: int | None = None, *,
        decode: None = None,
    ) -> Generator[tuple[_T, float]]: ...
    @overload
    def zscan_iter(
        self, name: _Scalar, match: _Scalar | None = None, count: int | None = None, *,
        decode: Literal[True],
    ) -> Generator[tuple[str, float]]: ...
    @overload
    def zscan_iter(
        self, name: _Scalar, match: _Scalar | None = None, count: int | None = None, *,
        decode: Literal[False],
    ) -> Generator[tuple[bytes, float]]: ...

class AsyncValkey(_core.AsyncClient, Generic[_T]):
    @overload
    def __init__(
        self: AsyncValkey[str],
        url: str | None = None,
        *more: Never,
        decode: Literal[True],
        **options: Unpack[_Options],
    ) -> None: ...
    @overload
    def __init__(
        self: AsyncValkey[str],
        url: str | None = None,
        *more: Never,
        decode_responses: Literal[True],
        **options: Unpack[_Options],
    ) -> None: ...
    @overload
    def __init__(
        self: AsyncValkey[bytes],
        url: str | None = None,
        *more: Never,
        decode: Literal[False] = False,
        decode_responses: Literal[False] = False,
        **options: Unpack[_Options],
    ) -> None: ...
    @overload
    def __init__(
        self: AsyncValkey[Any],
        url: str | None = None,
        *more: Never,
        decode: bool = False,
        decode_responses: bool = False,
        **options: Unpack[_Options],
    ) -> None: ...
    @overload
    @classmethod
    def from_url(
        cls, url: str, *, decode: Literal[True], **options: Unpack[_Options]
    ) -> AsyncValkey[str]: ...
    @overload
    @classmethod
    def from_url(
        cls, url: str, *, decode_responses: Literal[True], **options: Unpack[_Options]
    ) -> AsyncValkey[str]: ...
    @overload
    @classmethod
    def from_url(
        cls, url: str, *, decode: Literal[False] = False, **options: Unpack[_Options]
    ) -> Self: ...
    async def __aenter__(self) -> Self: ...
    async def __aexit__(self, *error: builtins.object) -> None: ...
    def pipeline(self, transaction: bool = False) -> AsyncPipeline: ...
    def acl_cat(
        self, category: _Scalar | None = None, *, decode: bool | None = None,
    ) -> _core.Reply[list[str]]: ...
    def acl_deluser(self, *username: _Scalar, decode: bool | None = None) -> _core.Reply[int]: ...
    def acl_dryrun(
        self, username: _Scalar, *args: _Scalar, decode: bool | None = None,
    ) -> _core.Reply[Literal[True] | str]: ...
    def acl_genpass(
        self, bits: int | None = None, *, decode: bool | None = None,
    ) -> _core.Reply[str]: ...
    def acl_getuser(
        self, username: _Scalar, *, decode: bool | None = None,
    ) -> _core.Reply[dict[str, Any] | None]: ...
    def acl_help(self, *, decode: bool | None = None) -> _core.Reply[list[str]]: ...
    def acl_list(self, *, decode: bool | None = None) -> _core.Reply[list[str]]: ...
    def acl_load(self, *, decode: bool | None = None) -> _core.Reply[bool]: ...
    def acl_log(
        self, count: int | None = None, *, decode: bool | None = None,
    ) -> _core.Reply[list[dict[str, Any]]]: ...
    def acl_log_reset(self, *, decode: bool | None = None) -> _core.Reply[bool]: ...
    def acl_save(self, *, decode: bool | None = None) -> _core.Reply[bool]: ...
    def acl_setuser(
        self, username: _Scalar, enabled: bool = False, nopass: bool = False,
        passwords: str | Iterable[str] | None = None,
        hashed_passwords: str | Iterable[str] | None = None,
        categories: Iterable[str] | None = None, commands: Iterable[str] | None = None,
        keys: Iterable[_Scalar] | None = None, channels: Iterable[_Scalar] | None = None,
        selectors: Iterable[tuple[str, _Scalar]] | None = None, reset: bool = False,
        reset_keys: bool = False, reset_channels: bool = False, reset_passwords: bool = False, *,
        decode: bool | None = None,
    ) -> _core.Reply[bool]: ...
    def acl_users(self, *, decode: bool | None = None) -> _core.Reply[list[str]]: ...
    def acl_whoami(self, *, decode: bool | None = None) -> _core.Reply[str]: ...
    def append(
        self, key: _Scalar, value: _Scalar, *, decode: bool | None = None,
    ) -> _core.Reply[int]: ...
    def bgrewriteaof(self, *, decode: bool | None = None) -> _core.Reply[bool]: ...
    def bgsave(self, schedule: bool = True, *, decode: bool | None = None) -> _core.Reply[bool]: ...
    @overload
    def blmove(
        self, first_list: _Scalar, second_list: _Scalar, timeout: float | None, src: _End = "LEFT",
        dest: _End = "RIGHT", *, decode: None = None,
    ) -> _core.Reply[_T | None]: ...
    @overload
    def blmove(
        self, first_list: _Scalar, second_list: _Scalar, timeout: float | None, src: _End = "LEFT",
        dest: _End = "RIGHT", *, decode: Literal[True],
    ) -> _core.Reply[str | None]: ...
    @overload
    def blmove(
        self, first_list: _Scalar, second_list: _Scalar, timeout: float | None, src: _End = "LEFT",
        dest: _End = "RIGHT", *, decode: Literal[False],
    ) -> _core.Reply[bytes | None]: ...
    @overload
    def blmpop(
        self, timeout: float | None, numkeys: int, *args: _Scalar, direction: _End, count: int = 1,
        decode: None = None,
    ) -> _core.Reply[tuple[_T, list[_T]] | None]: ...
    @overload
    def blmpop(
        self, timeout: float | None, numkeys: int, *args: _Scalar, direction: _End, count: int = 1,
        decode: Literal[True],
    ) -> _core.Reply[tuple[str, list[str]] | None]: ...
    @overload
    def blmpop(
        self, timeout: float | None, numkeys: int, *args: _Scalar, direction: _End, count: int = 1,
        decode: Literal[False],
    ) -> _core.Reply[tuple[bytes, list[bytes]] | None]: ...
    @overload
    def blpop(
        self, keys: _Scalar | Iterable[_Scalar], timeout: float | None = 0, *, decode: None = None,
    ) -> _core.Reply[tuple[_T, _T] | None]: ...
    @overload
    def blpop(
        self, keys: _Scalar | Iterable[_Scalar], timeout: float | None = 0, *,
        decode: Literal[True],
    ) -> _core.Reply[tuple[str, str] | None]: ...
    @overload
    def blpop(
        self, keys: _Scalar | Iterable[_Scalar], timeout: float | None = 0, *,
        decode: Literal[False],
    ) -> _core.Reply[tuple[bytes, bytes] | None]: ...
    @overload
    def brpop(
        self, keys: _Scalar | Iterable[_Scalar], timeout: float | None = 0, *, decode: None = None,
    ) -> _core.Reply[tuple[_T, _T] | None]: ...
    @overload
    def brpop(
        self, keys: _Scalar | Iterable[_Scalar], timeout: float | None = 0, *,
        decode: Literal[True],
    ) -> _core.Reply[tuple[str, str] | None]: ...
    @overload
    def brpop(
        self, keys: _Scalar | Iterable[_Scalar], timeout: float | None = 0, *,
        decode: Literal[False],
    ) -> _core.Reply[tuple[bytes, bytes] | None]: ...
    @overload
    def brpoplpush(
        self, src: _Scalar, dst: _Scalar, timeout: float | None = 0, *, decode: None = None,
    ) -> _core.Reply[_T | None]: ...
    @overload
    def brpoplpush(
        self, src: _Scalar, dst: _Scalar, timeout: float | None = 0, *, decode: Literal[True],
    ) -> _core.Reply[str | None]: ...
    @overload
    def brpoplpush(
        self, src: _Scalar, dst: _Scalar, timeout: float | None = 0, *, decode: Literal[False],
    ) -> _core.Reply[bytes | None]: ...
    @overload
    def bzmpop(
        self, timeout: float | None, numkeys: int, keys: _Scalar | Iterable[_Scalar],
        min: bool = False, max: bool = False, count: int = 1, *, decode: None = None,
    ) -> _core.Reply[tuple[_T, list[tuple[_T, float]]] | None]: ...
    @overload
    def bzmpop(
        self, timeout: float | None, numkeys: int, keys: _Scalar | Iterable[_Scalar],
        min: bool = False, max: bool = False, count: int = 1, *, decode: Literal[True],
    ) -> _core.Reply[tuple[str, list[tuple[str, float]]] | None]: ...
    @overload
    def bzmpop(
        self, timeout: float | None, numkeys: int, keys: _Scalar | Iterable[_Scalar],
        min: bool = False, max: bool = False, count: int = 1, *, decode: Literal[False],
    ) -> _core.Reply[tuple[bytes, list[tuple[bytes, float]]] | None]: ...
    @overload
    def bzpopmax(
        self, keys: _Scalar | Iterable[_Scalar], timeout: float | None = 0, *, decode: None = None,
    ) -> _core.Reply[tuple[_T, _T, float] | None]: ...
    @overload
    def bzpopmax(
        self, keys: _Scalar | Iterable[_Scalar], timeout: float | None = 0, *,
        decode: Literal[True],
    ) -> _core.Reply[tuple[str, str, float] | None]: ...
    @overload
    def bzpopmax(
        self, keys: _Scalar | Iterable[_Scalar], timeout: float | None = 0, *,
        decode: Literal[False],
    ) -> _core.Reply[tuple[bytes, bytes, float] | None]: ...
    @overload
    def bzpopmin(
        self, keys: _Scalar | Iterable[_Scalar], timeout: float | None = 0, *, decode: None = None,
    ) -> _core.Reply[tuple[_T, _T, float] | None]: ...
    @overload
    def bzpopmin(
        self, keys: _Scalar | Iterable[_Scalar], timeout: float | None = 0, *,
        decode: Literal[True],
    ) -> _core.Reply[tuple[str, str, float] | None]: ...
    @overload
    def bzpopmin(
        self, keys: _Scalar | Iterable[_Scalar], timeout: float | None = 0, *,
        decode: Literal[False],
    ) -> _core.Reply[tuple[bytes, bytes, float] | None]: ...
    def client_getname(self, *, decode: bool | None = None) -> _core.Reply[str | None]: ...
    def client_getredir(self, *, decode: bool | None = None) -> _core.Reply[int]: ...
    def client_id(self, *, decode: bool | None = None) -> _core.Reply[int]: ...
    def client_info(self, *, decode: bool | None = None) -> _core.Reply[dict[str, Any]]: ...
    def client_kill(self, address: _Scalar, *, decode: bool | None = None) -> _core.Reply[bool]: ...
    def client_kill_filter(
        self, _id: int | None = None, _type: str | None = None, addr: str | None = None,
        skipme: bool | None = None, laddr: str | None = None, user: str | None = None,
        maxage: int | None = None, *, decode: bool | None = None,
    ) -> _core.Reply[int]: ...
    def client_list(
        self, _type: _ClientType | None = None,
        client_id: _Scalar | Iterable[_Scalar] | None = None, *, decode: bool | None = None,
    ) -> _core.Reply[list[dict[str, str]]]: ...
    def client_no_evict(
        self, mode: Literal["ON", "on", "OFF", "off"], *, decode: bool | None = None,
    ) -> _core.Reply[bool]: ...
    def client_no_touch(
        self, mode: Literal["ON", "on", "OFF", "off"], *, decode: bool | None = None,
    ) -> _core.Reply[bool]: ...
    def client_pause(
        self, timeout: int, all: bool = True, *, decode: bool | None = None,
    ) -> _core.Reply[bool]: ...
    def client_setinfo(
        self, attr: _Scalar, value: _Scalar, *, decode: bool | None = None,
    ) -> _core.Reply[bool]: ...
    def client_setname(self, name: _Scalar, *, decode: bool | None = None) -> _core.Reply[bool]: ...
    def client_trackinginfo(self, *, decode: bool | None = None) -> _core.Reply[dict[str, Any]]: ...
    def client_unblock(
        self, client_id: int, error: bool = False, *, decode: bool | None = None,
    ) -> _core.Reply[bool]: ...
    def client_unpause(self, *, decode: bool | None = None) -> _core.Reply[bool]: ...
    def command(self, *, decode: bool | None = None) -> _core.Reply[dict[str, dict[str, Any]]]: ...
    def command_count(self, *, decode: bool | None = None) -> _core.Reply[int]: ...
    def command_docs(
        self, *args: _Scalar, decode: bool | None = None,
    ) -> _core.Reply[dict[str, dict[str, Any]]]: ...
    @overload
    def command_getkeys(self, *args: _Scalar, decode: None = None) -> _core.Reply[list[_T]]: ...
    @overload
    def command_getkeys(self, *args: _Scalar, decode: Literal[True]) -> _core.Reply[list[str]]: ...
    @overload
    def command_getkeys(
        self, *args: _Scalar, decode: Literal[False],
    ) -> _core.Reply[list[bytes]]: ...
    @overload
    def command_getkeysandflags(
        self, *args: _Scalar, decode: None = None,
    ) -> _core.Reply[list[tuple[_T, builtins.set[str]]]]: ...
    @overload
    def command_getkeysandflags(
        self, *args: _Scalar, decode: Literal[True],
    ) -> _core.Reply[list[tuple[str, builtins.set[str]]]]: ...
    @overload
    def command_getkeysandflags(
        self, *args: _Scalar, decode: Literal[False],
    ) -> _core.Reply[list[tuple[bytes, builtins.set[str]]]]: ...
    def command_info(
        self, *args: _Scalar, decode: bool | None = None,
    ) -> _core.Reply[dict[str, dict[str, Any]]]: ...
    def command_list(
        self, module: _Scalar | None = None, category: _Scalar | None = None,
        pattern: _Scalar | None = None, *, decode: bool | None = None,
    ) -> _core.Reply[list[str]]: ...
    def commandlog_get(
        self, count: int, type: _LogType, *, decode: bool | None = None,
    ) -> _core.Reply[list[dict[str, Any]]]: ...
    def commandlog_len(self, type: _LogType, *, decode: bool | None = None) -> _core.Reply[int]: ...
    def commandlog_reset(
        self, type: _LogType, *, decode: bool | None = None,
    ) -> _core.Reply[bool]: ...
    def config_get(
        self, pattern: _Scalar = "*", *args: _Scalar, decode: bool | None = None,
    ) -> _core.Reply[dict[str, str]]: ...
    def config_resetstat(self, *, decode: bool | None = None) -> _core.Reply[bool]: ...
    def config_rewrite(self, *, decode: bool | None = None) -> _core.Reply[bool]: ...
    def config_set(
        self, name: _Scalar, value: _Scalar, *args: _Scalar, decode: bool | None = None,
    ) -> _core.Reply[bool]: ...
    def copy(
        self, source: _Scalar, destination: _Scalar, destination_db: int | None = None,
        replace: bool = False, *, decode: bool | None = None,
    ) -> _core.Reply[bool]: ...
    def dbsize(self, *, decode: bool | None = None) -> _core.Reply[int]: ...
    def decr(
        self, name: _Scalar, amount: int = 1, *, decode: bool | None = None,
    ) -> _core.Reply[int]: ...
    def decrby(
        self, name: _Scalar, amount: int = 1, *, decode: bool | None = None,
    ) -> _core.Reply[int]: ...
    def delete(self, *names: _Scalar, decode: bool | None = None) -> _core.Reply[int]: ...
    def delifeq(
        self, name: _Scalar, value: _Scalar, *, decode: bool | None = None,
    ) -> _core.Reply[bool]: ...
    @overload
    def dump(self, name: _Scalar, *, decode: None = None) -> _core.Reply[_T | None]: ...
    @overload
    def dump(self, name: _Scalar, *, decode: Literal[True]) -> _core.Reply[str | None]: ...
    @overload
    def dump(self, name: _Scalar, *, decode: Literal[False]) -> _core.Reply[bytes | None]: ...
    @overload
    def echo(self, value: _Scalar, *, decode: None = None) -> _core.Reply[_T]: ...
    @overload
    def echo(self, value: _Scalar, *, decode: Literal[True]) -> _core.Reply[str]: ...
    @overload
    def echo(self, value: _Scalar, *, decode: Literal[False]) -> _core.Reply[bytes]: ...
    def exists(self, *names: _Scalar, decode: bool | None = None) -> _core.Reply[int]: ...
    def expire(
        self, name: _Scalar, time: int | timedelta, nx: bool = False, xx: bool = False,
        gt: bool = False, lt: bool = False, *, decode: bool | None = None,
    ) -> _core.Reply[bool]: ...
    def expireat(
        self, name: _Scalar, when: int | datetime, nx: bool = False, xx: bool = False,
        gt: bool = False, lt: bool = False, *, decode: bool | None = None,
    ) -> _core.Reply[bool]: ...
    def expiretime(self, key: _Scalar, *, decode: bool | None = None) -> _core.Reply[int]: ...
    def failover(
        self, host: _Scalar | None = None, port: int | None = None, force: bool = False,
        abort: bool = False, timeout: int | None = None, *, decode: bool | None = None,
    ) -> _core.Reply[bool]: ...
    def flushall(
        self, asynchronous: bool = False, *, decode: bool | None = None,
    ) -> _core.Reply[bool]: ...
    def flushdb(
        self, asynchronous: bool = False, *, decode: bool | None = None,
    ) -> _core.Reply[bool]: ...
    @overload
    def get(self, name: _Scalar, *, decode: None = None) -> _core.Reply[_T | None]: ...
    @overload
    def get(self, name: _Scalar, *, decode: Literal[True]) -> _core.Reply[str | None]: ...
    @overload
    def get(self, name: _Scalar, *, decode: Literal[False]) -> _core.Reply[bytes | None]: ...
    @overload
    def getdel(self, name: _Scalar, *, decode: None = None) -> _core.Reply[_T | None]: ...
    @overload
    def getdel(self, name: _Scalar, *, decode: Literal[True]) -> _core.Reply[str | None]: ...
    @overload
    def getdel(self, name: _Scalar, *, decode: Literal[False]) -> _core.Reply[bytes | None]: ...
    @overload
    def getex(
        self, name: _Scalar, ex: int | timedelta | None = None, px: int | timedelta | None = None,
        exat: int | datetime | None = None, pxat: int | datetime | None = None,
        persist: bool = False, *, decode: None = None,
    ) -> _core.Reply[_T | None]: ...
    @overload
    def getex(
        self, name: _Scalar, ex: int | timedelta | None = None, px: int | timedelta | None = None,
        exat: int | datetime | None = None, pxat: int | datetime | None = None,
        persist: bool = False, *, decode: Literal[True],
    ) -> _core.Reply[str | None]: ...
    @overload
    def getex(
        self, name: _Scalar, ex: int | timedelta | None = None, px: int | timedelta | None = None,
        exat: int | datetime | None = None, pxat: int | datetime | None = None,
        persist: bool = False, *, decode: Literal[False],
    ) -> _core.Reply[bytes | None]: ...
    @overload
    def getrange(
        self, key: _Scalar, start: int, end: int, *, decode: None = None,
    ) -> _core.Reply[_T]: ...
    @overload
    def getrange(
        self, key: _Scalar, start: int, end: int, *, decode: Literal[True],
    ) -> _core.Reply[str]: ...
    @overload
    def getrange(
        self, key: _Scalar, start: int, end: int, *, decode: Literal[False],
    ) -> _core.Reply[bytes]: ...
    @overload
    def getset(
        self, name: _Scalar, value: _Scalar, *, decode: None = None,
    ) -> _core.Reply[_T | None]: ...
    @overload
    def getset(
        self, name: _Scalar, value: _Scalar, *, decode: Literal[True],
    ) -> _core.Reply[str | None]: ...
    @overload
    def getset(
        self, name: _Scalar, value: _Scalar, *, decode: Literal[False],
    ) -> _core.Reply[bytes | None]: ...
    def hdel(
        self, name: _Scalar, *keys: _Scalar, decode: bool | None = None,
    ) -> _core.Reply[int]: ...
    def hexists(
        self, name: _Scalar, key: _Scalar, *, decode: bool | None = None,
    ) -> _core.Reply[bool]: ...
    def hexpire(
        self, name: _Scalar, seconds: int | timedelta, *fields: _Scalar, nx: bool = False,
        xx: bool = False, gt: bool = False, lt: bool = False, decode: bool | None = None,
    ) -> _core.Reply[list[int]]: ...
    def hexpireat(
        self, name: _Scalar, unix_time_seconds: int | datetime, *fields: _Scalar, nx: bool = False,
        xx: bool = False, gt: bool = False, lt: bool = False, decode: bool | None = None,
    ) -> _core.Reply[list[int]]: ...
    def hexpiretime(
        self, key: _Scalar, *fields: _Scalar, decode: bool | None = None,
    ) -> _core.Reply[list[int]]: ...
    @overload
    def hget(
        self, name: _Scalar, key: _Scalar, *, decode: None = None,
    ) -> _core.Reply[_T | None]: ...
    @overload
    def hget(
        self, name: _Scalar, key: _Scalar, *, decode: Literal[True],
    ) -> _core.Reply[str | None]: ...
    @overload
    def hget(
        self, name: _Scalar, key: _Scalar, *, decode: Literal[False],
    ) -> _core.Reply[bytes | None]: ...
    @overload
    def hgetall(self, name: _Scalar, *, decode: None = None) -> _core.Reply[dict[_T, _T]]: ...
    @overload
    def hgetall(self, name: _Scalar, *, decode: Literal[True]) -> _core.Reply[dict[str, str]]: ...
    @overload
    def hgetall(
        self, name: _Scalar, *, decode: Literal[False],
    ) -> _core.Reply[dict[bytes, bytes]]: ...
    @overload
    def hgetdel(
        self, name: _Scalar, *keys: _Scalar, decode: None = None,
    ) -> _core.Reply[list[_T | None]]: ...
    @overload
    def hgetdel(
        self, name: _Scalar, *keys: _Scalar, decode: Literal[True],
    ) -> _core.Reply[list[str | None]]: ...
    @overload
    def hgetdel(
        self, name: _Scalar, *keys: _Scalar, decode: Literal[False],
    ) -> _core.Reply[list[bytes | None]]: ...
    @overload
    def hgetex(
        self, name: _Scalar, *keys: _Scalar, ex: int | timedelta | None = None,
        px: int | timedelta | None = None, exat: int | datetime | None = None,
        pxat: int | datetime | None = None, persist: bool = False, decode: None = None,
    ) -> _core.Reply[list[_T | None]]: ...
    @overload
    def hgetex(
        self, name: _Scalar, *keys: _Scalar, ex: int | timedelta | None = None,
        px: int | timedelta | None = None, exat: int | datetime | None = None,
        pxat: int | datetime | None = None, persist: bool = False, decode: Literal[True],
    ) -> _core.Reply[list[str | None]]: ...
    @overload
    def hgetex(
        self, name: _Scalar, *keys: _Scalar, ex: int | timedelta | None = None,
        px: int | timedelta | None = None, exat: int | datetime | None = None,
        pxat: int | datetime | None = None, persist: bool = False, decode: Literal[False],
    ) -> _core.Reply[list[bytes | None]]: ...
    def hincrby(
        self, name: _Scalar, key: _Scalar, amount: int = 1, *, decode: bool | None = None,
    ) -> _core.Reply[int]: ...
    def hincrbyfloat(
        self, name: _Scalar, key: _Scalar, amount: float = 1.0, *, decode: bool | None = None,
    ) -> _core.Reply[float]: ...
    @overload
    def hkeys(self, name: _Scalar, *, decode: None = None) -> _core.Reply[list[_T]]: ...
    @overload
    def hkeys(self, name: _Scalar, *, decode: Literal[True]) -> _core.Reply[list[str]]: ...
    @overload
    def hkeys(self, name: _Scalar, *, decode: Literal[False]) -> _core.Reply[list[bytes]]: ...
    def hlen(self, name: _Scalar, *, decode: bool | None = None) -> _core.Reply[int]: ...
    @overload
    def hmget(
        self, name: _Scalar, keys: _Scalar | Iterable[_Scalar], *args: _Scalar, decode: None = None,
    ) -> _core.Reply[list[_T | None]]: ...
    @overload
    def hmget(
        self, name: _Scalar, keys: _Scalar | Iterable[_Scalar], *args: _Scalar,
        decode: Literal[True],
    ) -> _core.Reply[list[str | None]]: ...
    @overload
    def hmget(
        self, name: _Scalar, keys: _Scalar | Iterable[_Scalar], *args: _Scalar,
        decode: Literal[False],
    ) -> _core.Reply[list[bytes | None]]: ...
    def hmset(
        self, name: _Scalar, mapping: Mapping[_K, _Scalar], *, decode: bool | None = None,
    ) -> _core.Reply[bool]: ...
    def hpersist(
        self, name: _Scalar, *fields: _Scalar, decode: bool | None = None,
    ) -> _core.Reply[list[int]]: ...
    def hpexpire(
        self, name: _Scalar, milliseconds: int | timedelta, *fields: _Scalar, nx: bool = False,
        xx: bool = False, gt: bool = False, lt: bool = False, decode: bool | None = None,
    ) -> _core.Reply[list[int]]: ...
    def hpexpireat(
        self, name: _Scalar, unix_time_milliseconds: int | datetime, *fields: _Scalar,
        nx: bool = False, xx: bool = False, gt: bool = False, lt: bool = False,
        decode: bool | None = None,
    ) -> _core.Reply[list[int]]: ...
    def hpexpiretime(
        self, key: _Scalar, *fields: _Scalar, decode: bool | None = None,
    ) -> _core.Reply[list[int]]: ...
    def hpttl(
        self, key: _Scalar, *fields: _Scalar, decode: bool | None = None,
    ) -> _core.Reply[list[int]]: ...
    @overload
    def hrandfield(
        self, key: _Scalar, count: None = None, withvalues: Literal[False] = False, *,
        decode: None = None,
    ) -> _core.Reply[_T | None]: ...
    @overload
    def hrandfield(
        self, key: _Scalar, count: None = None, withvalues: Literal[False] = False, *,
        decode: Literal[True],
    ) -> _core.Reply[str | None]: ...
    @overload
    def hrandfield(
        self, key: _Scalar, count: None = None, withvalues: Literal[False] = False, *,
        decode: Literal[False],
    ) -> _core.Reply[bytes | None]: ...
    @overload
    def hrandfield(
        self, key: _Scalar, count: int, withvalues: Literal[False] = False, *, decode: None = None,
    ) -> _core.Reply[list[_T]]: ...
    @overload
    def hrandfield(
        self, key: _Scalar, count: int, withvalues: Literal[False] = False, *,
        decode: Literal[True],
    ) -> _core.Reply[list[str]]: ...
    @overload
    def hrandfield(
        self, key: _Scalar, count: int, withvalues: Literal[False] = False, *,
        decode: Literal[False],
    ) -> _core.Reply[list[bytes]]: ...
    @overload
    def hrandfield(
        self, key: _Scalar, count: int, withvalues: Literal[True], *, decode: None = None,
    ) -> _core.Reply[list[tuple[_T, _T]]]: ...
    @overload
    def hrandfield(
        self, key: _Scalar, count: int, withvalues: Literal[True], *, decode: Literal[True],
    ) -> _core.Reply[list[tuple[str, str]]]: ...
    @overload
    def hrandfield(
        self, key: _Scalar, count: int, withvalues: Literal[True], *, decode: Literal[False],
    ) -> _core.Reply[list[tuple[bytes, bytes]]]: ...
    @overload
    def hscan(
        self, name: _Scalar, cursor: int = 0, match: _Scalar | None = None,
        count: int | None = None, no_values: Literal[False] | None = None, *, decode: None = None,
    ) -> _core.Reply[tuple[int, dict[_T, _T]]]: ...
    @overload
    def hscan(
        self, name: _Scalar, cursor: int = 0, match: _Scalar | None = None,
        count: int | None = None, no_values: Literal[False] | None = None, *, decode: Literal[True],
    ) -> _core.Reply[tuple[int, dict[str, str]]]: ...
    @overload
    def hscan(
        self, name: _Scalar, cursor: int = 0, match: _Scalar | None = None,
        count: int | None = None, no_values: Literal[False] | None = None, *,
        decode: Literal[False],
    ) -> _core.Reply[tuple[int, dict[bytes, bytes]]]: ...
    @overload
    def hscan(
        self, name: _Scalar, cursor: int = 0, match: _Scalar | None = None,
        count: int | None = None, *, no_values: Literal[True], decode: None = None,
    ) -> _core.Reply[tuple[int, list[_T]]]: ...
    @overload
    def hscan(
        self, name: _Scalar, cursor: int = 0, match: _Scalar | None = None,
        count: int | None = None, *, no_values: Literal[True], decode: Literal[True],
    ) -> _core.Reply[tuple[int, list[str]]]: ...
    @overload
    def hscan(
        self, name: _Scalar, cursor: int = 0, match: _Scalar | None = None,
        count: int | None = None, *, no_values: Literal[True], decode: Literal[False],
    ) -> _core.Reply[tuple[int, list[bytes]]]: ...
    def hset(
        self, name: _Scalar, key: _Scalar | None = None, value: _Scalar | None = None,
        mapping: Mapping[_K, _Scalar] | None = None, items: Sequence[_Scalar] | None = None, *,
        decode: bool | None = None,
    ) -> _core.Reply[int]: ...
    def hsetex(
        self, name: _Scalar, key: _Scalar | None = None, value: _Scalar | None = None,
        mapping: Mapping[_K, _Scalar] | None = None, items: Sequence[_Scalar] | None = None,
        ex: int | timedelta | None = None, px: int | timedelta | None = None,
        exat: int | datetime | None = None, pxat: int | datetime | None = None,
        data_persist_option: Literal["FNX", "fnx", "FXX", "fxx"] | None = None,
        keepttl: bool = False, *, decode: bool | None = None,
    ) -> _core.Reply[bool]: ...
    def hsetnx(
        self, name: _Scalar, key: _Scalar, value: _Scalar, *, decode: bool | None = None,
    ) -> _core.Reply[bool]: ...
    def hstrlen(
        self, name: _Scalar, key: _Scalar, *, decode: bool | None = None,
    ) -> _core.Reply[int]: ...
    def httl(
        self, key: _Scalar, *fields: _Scalar, decode: bool | None = None,
    ) -> _core.Reply[list[int]]: ...
    @overload
    def hvals(self, name: _Scalar, *, decode: None = None) -> _core.Reply[list[_T]]: ...
    @overload
    def hvals(self, name: _Scalar, *, decode: Literal[True]) -> _core.Reply[list[str]]: ...
    @overload
    def hvals(self, name: _Scalar, *, decode: Literal[False]) -> _core.Reply[list[bytes]]: ...
    def incr(
        self, name: _Scalar, amount: int = 1, *, decode: bool | None = None,
    ) -> _core.Reply[int]: ...
    def incrby(
        self, name: _Scalar, amount: int = 1, *, decode: bool | None = None,
    ) -> _core.Reply[int]: ...
    def incrbyfloat(
        self, name: _Scalar, amount: float = 1.0, *, decode: bool | None = None,
    ) -> _core.Reply[float]: ...
    def info(
        self, section: _Scalar | None = None, *args: _Scalar, decode: bool | None = None,
    ) -> _core.Reply[dict[str, Any]]: ...
    @overload
    def keys(self, pattern: _Scalar = "*", *, decode: None = None) -> _core.Reply[list[_T]]: ...
    @overload
    def keys(self, pattern: _Scalar = "*", *, decode: Literal[True]) -> _core.Reply[list[str]]: ...
    @overload
    def keys(
        self, pattern: _Scalar = "*", *, decode: Literal[False],
    ) -> _core.Reply[list[bytes]]: ...
    def lastsave(self, *, decode: bool | None = None) -> _core.Reply[datetime]: ...
    def latency_doctor(self, *, decode: bool | None = None) -> _core.Reply[str]: ...
    def latency_graph(self, event: _Scalar, *, decode: bool | None = None) -> _core.Reply[str]: ...
    def latency_histogram(
        self, *args: _Scalar, decode: bool | None = None,
    ) -> _core.Reply[dict[str, dict[str, Any]]]: ...
    def latency_history(
        self, event: _Scalar, *, decode: bool | None = None,
    ) -> _core.Reply[list[tuple[int, int]]]: ...
    def latency_latest(self, *, decode: bool | None = None) -> _core.Reply[list[list[Any]]]: ...
    def latency_reset(self, *events: _Scalar, decode: bool | None = None) -> _core.Reply[int]: ...
    @overload
    def lcs(
        self, key1: _Scalar, key2: _Scalar, len: Literal[False] = False,
        idx: Literal[False] = False, minmatchlen: int | None = None, withmatchlen: bool = False, *,
        decode: None = None,
    ) -> _core.Reply[_T]: ...
    @overload
    def lcs(
        self, key1: _Scalar, key2: _Scalar, len: Literal[False] = False,
        idx: Literal[False] = False, minmatchlen: int | None = None, withmatchlen: bool = False, *,
        decode: Literal[True],
    ) -> _core.Reply[str]: ...
    @overload
    def lcs(
        self, key1: _Scalar, key2: _Scalar, len: Literal[False] = False,
        idx: Literal[False] = False, minmatchlen: int | None = None, withmatchlen: bool = False, *,
        decode: Literal[False],
    ) -> _core.Reply[bytes]: ...
    @overload
    def lcs(
        self, key1: _Scalar, key2: _Scalar, len: Literal[True], idx: Literal[False] = False,
        minmatchlen: int | None = None, withmatchlen: bool = False, *, decode: bool | None = None,
    ) -> _core.Reply[int]: ...
    @overload
    def lcs(
        self, key1: _Scalar, key2: _Scalar, len: Literal[False] = False, *, idx: Literal[True],
        minmatchlen: int | None = None, withmatchlen: bool = False, decode: bool | None = None,
    ) -> _core.Reply[dict[str, Any]]: ...
    @overload
    def lindex(
        self, name: _Scalar, index: int, *, decode: None = None,
    ) -> _core.Reply[_T | None]: ...
    @overload
    def lindex(
        self, name: _Scalar, index: int, *, decode: Literal[True],
    ) -> _core.Reply[str | None]: ...
    @overload
    def lindex(
        self, name: _Scalar, index: int, *, decode: Literal[False],
    ) -> _core.Reply[bytes | None]: ...
    def linsert(
        self, name: _Scalar, where: Literal["BEFORE", "before", "AFTER", "after"],
        refvalue: _Scalar, value: _Scalar, *, decode: bool | None = None,
    ) -> _core.Reply[int]: ...
    def llen(self, name: _Scalar, *, decode: bool | None = None) -> _core.Reply[int]: ...
    @overload
    def lmove(
        self, first_list: _Scalar, second_list: _Scalar, src: _End = "LEFT", dest: _End = "RIGHT",
        *, decode: None = None,
    ) -> _core.Reply[_T | None]: ...
    @overload
    def lmove(
        self, first_list: _Scalar, second_list: _Scalar, src: _End = "LEFT", dest: _End = "RIGHT",
        *, decode: Literal[True],
    ) -> _core.Reply[str | None]: ...
    @overload
    def lmove(
        self, first_list: _Scalar, second_list: _Scalar, src: _End = "LEFT", dest: _End = "RIGHT",
        *, decode: Literal[False],
    ) -> _core.Reply[bytes | None]: ...
    @overload
    def lmpop(
        self, num_keys: int, *args: _Scalar, direction: _End, count: int | None = None,
        decode: None = None,
    ) -> _core.Reply[tuple[_T, list[_T]] | None]: ...
    @overload
    def lmpop(
        self, num_keys: int, *args: _Scalar, direction: _End, count: int | None = None,
        decode: Literal[True],
    ) -> _core.Reply[tuple[str, list[str]] | None]: ...
    @overload
    def lmpop(
        self, num_keys: int, *args: _Scalar, direction: _End, count: int | None = None,
        decode: Literal[False],
    ) -> _core.Reply[tuple[bytes, list[bytes]] | None]: ...
    def lolwut(self, *version_numbers: _Scalar, decode: bool | None = None) -> _core.Reply[str]: ...
    @overload
    def lpop(
        self, name: _Scalar, count: None = None, *, decode: None = None,
    ) -> _core.Reply[_T | None]: ...
    @overload
    def lpop(
        self, name: _Scalar, count: None = None, *, decode: Literal[True],
    ) -> _core.Reply[str | None]: ...
    @overload
    def lpop(
        self, name: _Scalar, count: None = None, *, decode: Literal[False],
    ) -> _core.Reply[bytes | None]: ...
    @overload
    def lpop(
        self, name: _Scalar, count: int, *, decode: None = None,
    ) -> _core.Reply[list[_T] | None]: ...
    @overload
    def lpop(
        self, name: _Scalar, count: int, *, decode: Literal[True],
    ) -> _core.Reply[list[str] | None]: ...
    @overload
    def lpop(
        self, name: _Scalar, count: int, *, decode: Literal[False],
    ) -> _core.Reply[list[bytes] | None]: ...
    @overload
    def lpos(
        self, name: _Scalar, value: _Scalar, rank: int | None = None, count: None = None,
        maxlen: int | None = None, *, decode: bool | None = None,
    ) -> _core.Reply[int | None]: ...
    @overload
    def lpos(
        self, name: _Scalar, value: _Scalar, rank: int | None = None, *, count: int,
        maxlen: int | None = None, decode: bool | None = None,
    ) -> _core.Reply[list[int]]: ...
    def lpush(
        self, name: _Scalar, *values: _Scalar, decode: bool | None = None,
    ) -> _core.Reply[int]: ...
    def lpushx(
        self, name: _Scalar, *values: _Scalar, decode: bool | None = None,
    ) -> _core.Reply[int]: ...
    @overload
    def lrange(
        self, name: _Scalar, start: int, end: int, *, decode: None = None,
    ) -> _core.Reply[list[_T]]: ...
    @overload
    def lrange(
        self, name: _Scalar, start: int, end: int, *, decode: Literal[True],
    ) -> _core.Reply[list[str]]: ...
    @overload
    def lrange(
        self, name: _Scalar, start: int, end: int, *, decode: Literal[False],
    ) -> _core.Reply[list[bytes]]: ...
    def lrem(
        self, name: _Scalar, count: int, value: _Scalar, *, decode: bool | None = None,
    ) -> _core.Reply[int]: ...
    def lset(
        self, name: _Scalar, index: int, value: _Scalar, *, decode: bool | None = None,
    ) -> _core.Reply[bool]: ...
    def ltrim(
        self, name: _Scalar, start: int, end: int, *, decode: bool | None = None,
    ) -> _core.Reply[bool]: ...
    def memory_doctor(self, *, decode: bool | None = None) -> _core.Reply[str]: ...
    def memory_malloc_stats(self, *, decode: bool | None = None) -> _core.Reply[str]: ...
    def memory_purge(self, *, decode: bool | None = None) -> _core.Reply[bool]: ...
    def memory_stats(self, *, decode: bool | None = None) -> _core.Reply[dict[str, Any]]: ...
    def memory_usage(
        self, key: _Scalar, samples: int | None = None, *, decode: bool | None = None,
    ) -> _core.Reply[int | None]: ...
    @overload
    def mget(
        self, keys: _Scalar | Iterable[_Scalar], *args: _Scalar, decode: None = None,
    ) -> _core.Reply[list[_T | None]]: ...
    @overload
    def mget(
        self, keys: _Scalar | Iterable[_Scalar], *args: _Scalar, decode: Literal[True],
    ) -> _core.Reply[list[str | None]]: ...
    @overload
    def mget(
        self, keys: _Scalar | Iterable[_Scalar], *args: _Scalar, decode: Literal[False],
    ) -> _core.Reply[list[bytes | None]]: ...
    def migrate(
        self, host: _Scalar, port: int, keys: _Scalar | Iterable[_Scalar], destination_db: int,
        timeout: int, copy: bool = False, replace: bool = False, auth: _Scalar | None = None, *,
        decode: bool | None = None,
    ) -> _core.Reply[bool]: ...
    def module_list(self, *, decode: bool | None = None) -> _core.Reply[list[dict[str, Any]]]: ...
    def module_load(
        self, path: _Scalar, *args: _Scalar, decode: bool | None = None,
    ) -> _core.Reply[bool]: ...
    def module_loadex(
        self, path: _Scalar, options: Mapping[_K, _Scalar] | None = None,
        args: _Scalar | Iterable[_Scalar] | None = None, *, decode: bool | None = None,
    ) -> _core.Reply[bool]: ...
    def module_unload(self, name: _Scalar, *, decode: bool | None = None) -> _core.Reply[bool]: ...
    def move(self, name: _Scalar, db: int, *, decode: bool | None = None) -> _core.Reply[bool]: ...
    def mset(
        self, mapping: Mapping[_K, _Scalar], *, decode: bool | None = None,
    ) -> _core.Reply[bool]: ...
    def msetex(
        self, mapping: Mapping[_K, _Scalar],
        data_persist_option: Literal["NX", "nx", "XX", "xx"] | None = None,
        ex: int | timedelta | None = None, px: int | timedelta | None = None,
        exat: int | datetime | None = None, pxat: int | datetime | None = None,
        keepttl: bool = False, *, decode: bool | None = None,
    ) -> _core.Reply[bool]: ...
    def msetnx(
        self, mapping: Mapping[_K, _Scalar], *, decode: bool | None = None,
    ) -> _core.Reply[bool]: ...
    def object(
        self, infotype: _ObjectInfo, key: _Scalar, *, decode: bool | None = None,
    ) -> _core.Reply[str | int | None]: ...
    def object_encoding(
        self, key: _Scalar, *, decode: bool | None = None,
    ) -> _core.Reply[str | None]: ...
    def object_freq(
        self, key: _Scalar, *, decode: bool | None = None,
    ) -> _core.Reply[int | None]: ...
    def object_idletime(
        self, key: _Scalar, *, decode: bool | None = None,
    ) -> _core.Reply[int | None]: ...
    def object_refcount(
        self, key: _Scalar, *, decode: bool | None = None,
    ) -> _core.Reply[int | None]: ...
    def persist(self, name: _Scalar, *, decode: bool | None = None) -> _core.Reply[bool]: ...
    def pexpire(
        self, name: _Scalar, time: int | timedelta, nx: bool = False, xx: bool = False,
        gt: bool = False, lt: bool = False, *, decode: bool | None = None,
    ) -> _core.Reply[bool]: ...
    def pexpireat(
        self, name: _Scalar, when: int | datetime, nx: bool = False, xx: bool = False,
        gt: bool = False, lt: bool = False, *, decode: bool | None = None,
    ) -> _core.Reply[bool]: ...
    def pexpiretime(self, key: _Scalar, *, decode: bool | None = None) -> _core.Reply[int]: ...
    def ping(self, *, decode: bool | None = None) -> _core.Reply[bool]: ...
    def psetex(
        self, name: _Scalar, time_ms: int | timedelta, value: _Scalar, *,
        decode: bool | None = None,
    ) -> _core.Reply[bool]: ...
    def pttl(self, name: _Scalar, *, decode: bool | None = None) -> _core.Reply[int]: ...
    @overload
    def randomkey(self, *, decode: None = None) -> _core.Reply[_T | None]: ...
    @overload
    def randomkey(self, *, decode: Literal[True]) -> _core.Reply[str | None]: ...
    @overload
    def randomkey(self, *, decode: Literal[False]) -> _core.Reply[bytes | None]: ...
    def rename(
        self, src: _Scalar, dst: _Scalar, *, decode: bool | None = None,
    ) -> _core.Reply[bool]: ...
    def renamenx(
        self, src: _Scalar, dst: _Scalar, *, decode: bool | None = None,
    ) -> _core.Reply[bool]: ...
    def replicaof(self, *args: _Scalar, decode: bool | None = None) -> _core.Reply[bool]: ...
    def restore(
        self, name: _Scalar, ttl: int | timedelta, value: _Scalar, replace: bool = False,
        absttl: bool = False, idletime: int | None = None, frequency: int | None = None, *,
        decode: bool | None = None,
    ) -> _core.Reply[bool]: ...
    def role(self, *, decode: bool | None = None) -> _core.Reply[list[Any]]: ...
    @overload
    def rpop(
        self, name: _Scalar, count: None = None, *, decode: None = None,
    ) -> _core.Reply[_T | None]: ...
    @overload
    def rpop(
        self, name: _Scalar, count: None = None, *, decode: Literal[True],
    ) -> _core.Reply[str | None]: ...
    @overload
    def rpop(
        self, name: _Scalar, count: None = None, *, decode: Literal[False],
    ) -> _core.Reply[bytes | None]: ...
    @overload
    def rpop(
        self, name: _Scalar, count: int, *, decode: None = None,
    ) -> _core.Reply[list[_T] | None]: ...
    @overload
    def rpop(
        self, name: _Scalar, count: int, *, decode: Literal[True],
    ) -> _core.Reply[list[str] | None]: ...
    @overload
    def rpop(
        self, name: _Scalar, count: int, *, decode: Literal[False],
    ) -> _core.Reply[list[bytes] | None]: ...
    @overload
    def rpoplpush(
        self, src: _Scalar, dst: _Scalar, *, decode: None = None,
    ) -> _core.Reply[_T | None]: ...
    @overload
    def rpoplpush(
        self, src: _Scalar, dst: _Scalar, *, decode: Literal[True],
    ) -> _core.Reply[str | None]: ...
    @overload
    def rpoplpush(
        self, src: _Scalar, dst: _Scalar, *, decode: Literal[False],
    ) -> _core.Reply[bytes | None]: ...
    def rpush(
        self, name: _Scalar, *values: _Scalar, decode: bool | None = None,
    ) -> _core.Reply[int]: ...
    def rpushx(
        self, name: _Scalar, *values: _Scalar, decode: bool | None = None,
    ) -> _core.Reply[int]: ...
    def sadd(
        self, name: _Scalar, *values: _Scalar, decode: bool | None = None,
    ) -> _core.Reply[int]: ...
    def save(self, *, decode: bool | None = None) -> _core.Reply[bool]: ...
    @overload
    def scan(
        self, cursor: int = 0, match: _Scalar | None = None, count: int | None = None,
        _type: _Scalar | None = None, *, decode: None = None,
    ) -> _core.Reply[tuple[int, list[_T]]]: ...
    @overload
    def scan(
        self, cursor: int = 0, match: _Scalar | None = None, count: int | None = None,
        _type: _Scalar | None = None, *, decode: Literal[True],
    ) -> _core.Reply[tuple[int, list[str]]]: ...
    @overload
    def scan(
        self, cursor: int = 0, match: _Scalar | None = None, count: int | None = None,
        _type: _Scalar | None = None, *, decode: Literal[False],
    ) -> _core.Reply[tuple[int, list[bytes]]]: ...
    def scard(self, name: _Scalar, *, decode: bool | None = None) -> _core.Reply[int]: ...
    @overload
    def sdiff(
        self, keys: _Scalar | Iterable[_Scalar], *args: _Scalar, decode: None = None,
    ) -> _core.Reply[builtins.set[_T]]: ...
    @overload
    def sdiff(
        self, keys: _Scalar | Iterable[_Scalar], *args: _Scalar, decode: Literal[True],
    ) -> _core.Reply[builtins.set[str]]: ...
    @overload
    def sdiff(
        self, keys: _Scalar | Iterable[_Scalar], *args: _Scalar, decode: Literal[False],
    ) -> _core.Reply[builtins.set[bytes]]: ...
    def sdiffstore(
        self, dest: _Scalar, keys: _Scalar | Iterable[_Scalar], *args: _Scalar,
        decode: bool | None = None,
    ) -> _core.Reply[int]: ...
    @overload
    def set(
        self, name: _Scalar, value: _Scalar, ex: int | timedelta | None = None,
        px: int | timedelta | None = None, nx: bool = False, xx: bool = False,
        keepttl: bool = False, get: Literal[False] = False, exat: int | datetime | None = None,
        pxat: int | datetime | None = None, ifeq: _Scalar | None = None,
        ifne: _Scalar | None = None, ifdeq: _Scalar | None = None, ifdne: _Scalar | None = None, *,
        decode: bool | None = None,
    ) -> _core.Reply[bool | None]: ...
    @overload
    def set(
        self, name: _Scalar, value: _Scalar, ex: int | timedelta | None = None,
        px: int | timedelta | None = None, nx: bool = False, xx: bool = False,
        keepttl: bool = False, *, get: Literal[True], exat: int | datetime | None = None,
        pxat: int | datetime | None = None, ifeq: _Scalar | None = None,
        ifne: _Scalar | None = None, ifdeq: _Scalar | None = None, ifdne: _Scalar | None = None,
        decode: None = None,
    ) -> _core.Reply[_T | None]: ...
    @overload
    def set(
        self, name: _Scalar, value: _Scalar, ex: int | timedelta | None = None,
        px: int | timedelta | None = None, nx: bool = False, xx: bool = False,
        keepttl: bool = False, *, get: Literal[True], exat: int | datetime | None = None,
        pxat: int | datetime | None = None, ifeq: _Scalar | None = None,
        ifne: _Scalar | None = None, ifdeq: _Scalar | None = None, ifdne: _Scalar | None = None,
        decode: Literal[True],
    ) -> _core.Reply[str | None]: ...
    @overload
    def set(
        self, name: _Scalar, value: _Scalar, ex: int | timedelta | None = None,
        px: int | timedelta | None = None, nx: bool = False, xx: bool = False,
        keepttl: bool = False, *, get: Literal[True], exat: int | datetime | None = None,
        pxat: int | datetime | None = None, ifeq: _Scalar | None = None,
        ifne: _Scalar | None = None, ifdeq: _Scalar | None = None, ifdne: _Scalar | None = None,
        decode: Literal[False],
    ) -> _core.Reply[bytes | None]: ...
    def setex(
        self, name: _Scalar, time: int | timedelta, value: _Scalar, *, decode: bool | None = None,
    ) -> _core.Reply[bool]: ...
    def setnx(
        self, name: _Scalar, value: _Scalar, *, decode: bool | None = None,
    ) -> _core.Reply[bool]: ...
    def setrange(
        self, name: _Scalar, offset: int, value: _Scalar, *, decode: bool | None = None,
    ) -> _core.Reply[int]: ...
    @overload
    def sinter(
        self, keys: _Scalar | Iterable[_Scalar], *args: _Scalar, decode: None = None,
    ) -> _core.Reply[builtins.set[_T]]: ...
    @overload
    def sinter(
        self, keys: _Scalar | Iterable[_Scalar], *args: _Scalar, decode: Literal[True],
    ) -> _core.Reply[builtins.set[str]]: ...
    @overload
    def sinter(
        self, keys: _Scalar | Iterable[_Scalar], *args: _Scalar, decode: Literal[False],
    ) -> _core.Reply[builtins.set[bytes]]: ...
    def sintercard(
        self, numkeys: int, keys: _Scalar | Iterable[_Scalar], limit: int = 0, *,
        decode: bool | None = None,
    ) -> _core.Reply[int]: ...
    def sinterstore(
        self, dest: _Scalar, keys: _Scalar | Iterable[_Scalar], *args: _Scalar,
        decode: bool | None = None,
    ) -> _core.Reply[int]: ...
    def sismember(
        self, name: _Scalar, value: _Scalar, *, decode: bool | None = None,
    ) -> _core.Reply[bool]: ...
    def slaveof(
        self, host: _Scalar | None = None, port: _Scalar | None = None, *,
        decode: bool | None = None,
    ) -> _core.Reply[bool]: ...
    def slowlog_get(
        self, num: int | None = None, *, decode: bool | None = None,
    ) -> _core.Reply[list[dict[str, Any]]]: ...
    def slowlog_len(self, *, decode: bool | None = None) -> _core.Reply[int]: ...
    def slowlog_reset(self, *, decode: bool | None = None) -> _core.Reply[bool]: ...
    @overload
    def smembers(self, name: _Scalar, *, decode: None = None) -> _core.Reply[builtins.set[_T]]: ...
    @overload
    def smembers(
        self, name: _Scalar, *, decode: Literal[True],
    ) -> _core.Reply[builtins.set[str]]: ...
    @overload
    def smembers(
        self, name: _Scalar, *, decode: Literal[False],
    ) -> _core.Reply[builtins.set[bytes]]: ...
    def smismember(
        self, name: _Scalar, values: _Scalar | Iterable[_Scalar], *args: _Scalar,
        decode: bool | None = None,
    ) -> _core.Reply[list[bool]]: ...
    def smove(
        self, src: _Scalar, dst: _Scalar, value: _Scalar, *, decode: bool | None = None,
    ) -> _core.Reply[bool]: ...
    @overload
    def sort(
        self, name: _Scalar, start: int | None = None, num: int | None = None,
        by: _Scalar | None = None, get: None = None, desc: bool = False, alpha: bool = False,
        store: None = None, *, decode: None = None,
    ) -> _core.Reply[list[_T]]: ...
    @overload
    def sort(
        self, name: _Scalar, start: int | None = None, num: int | None = None,
        by: _Scalar | None = None, get: None = None, desc: bool = False, alpha: bool = False,
        store: None = None, *, decode: Literal[True],
    ) -> _core.Reply[list[str]]: ...
    @overload
    def sort(
        self, name: _Scalar, start: int | None = None, num: int | None = None,
        by: _Scalar | None = None, get: None = None, desc: bool = False, alpha: bool = False,
        store: None = None, *, decode: Literal[False],
    ) -> _core.Reply[list[bytes]]: ...
    @overload
    def sort(
        self, name: _Scalar, start: int | None = None, num: int | None = None,
        by: _Scalar | None = None, *, get: _Scalar | Iterable[_Scalar], desc: bool = False,
        alpha: bool = False, store: None = None, decode: None = None,
    ) -> _core.Reply[list[_T | None]]: ...
    @overload
    def sort(
        self, name: _Scalar, start: int | None = None, num: int | None = None,
        by: _Scalar | None = None, *, get: _Scalar | Iterable[_Scalar], desc: bool = False,
        alpha: bool = False, store: None = None, decode: Literal[True],
    ) -> _core.Reply[list[str | None]]: ...
    @overload
    def sort(
        self, name: _Scalar, start: int | None = None, num: int | None = None,
        by: _Scalar | None = None, *, get: _Scalar | Iterable[_Scalar], desc: bool = False,
        alpha: bool = False, store: None = None, decode: Literal[False],
    ) -> _core.Reply[list[bytes | None]]: ...
    @overload
    def sort(
        self, name: _Scalar, start: int | None = None, num: int | None = None,
        by: _Scalar | None = None, get: None = None, desc: bool = False, alpha: bool = False, *,
        store: _Scalar, decode: bool | None = None,
    ) -> _core.Reply[int]: ...
    @overload
    def sort(
        self, name: _Scalar, start: int | None = None, num: int | None = None,
        by: _Scalar | None = None, *, get: _Scalar | Iterable[_Scalar], desc: bool = False,
        alpha: bool = False, store: _Scalar, decode: bool | None = None,
    ) -> _core.Reply[int]: ...
    @overload
    def sort_ro(
        self, key: _Scalar, start: int | None = None, num: int | None = None,
        by: _Scalar | None = None, get: None = None, desc: bool = False, alpha: bool = False, *,
        decode: None = None,
    ) -> _core.Reply[list[_T]]: ...
    @overload
    def sort_ro(
        self, key: _Scalar, start: int | None = None, num: int | None = None,
        by: _Scalar | None = None, get: None = None, desc: bool = False, alpha: bool = False, *,
        decode: Literal[True],
    ) -> _core.Reply[list[str]]: ...
    @overload
    def sort_ro(
        self, key: _Scalar, start: int | None = None, num: int | None = None,
        by: _Scalar | None = None, get: None = None, desc: bool = False, alpha: bool = False, *,
        decode: Literal[False],
    ) -> _core.Reply[list[bytes]]: ...
    @overload
    def sort_ro(
        self, key: _Scalar, start: int | None = None, num: int | None = None,
        by: _Scalar | None = None, *, get: _Scalar | Iterable[_Scalar], desc: bool = False,
        alpha: bool = False, decode: None = None,
    ) -> _core.Reply[list[_T | None]]: ...
    @overload
    def sort_ro(
        self, key: _Scalar, start: int | None = None, num: int | None = None,
        by: _Scalar | None = None, *, get: _Scalar | Iterable[_Scalar], desc: bool = False,
        alpha: bool = False, decode: Literal[True],
    ) -> _core.Reply[list[str | None]]: ...
    @overload
    def sort_ro(
        self, key: _Scalar, start: int | None = None, num: int | None = None,
        by: _Scalar | None = None, *, get: _Scalar | Iterable[_Scalar], desc: bool = False,
        alpha: bool = False, decode: Literal[False],
    ) -> _core.Reply[list[bytes | None]]: ...
    @overload
    def spop(
        self, name: _Scalar, count: None = None, *, decode: None = None,
    ) -> _core.Reply[_T | None]: ...
    @overload
    def spop(
        self, name: _Scalar, count: None = None, *, decode: Literal[True],
    ) -> _core.Reply[str | None]: ...
    @overload
    def spop(
        self, name: _Scalar, count: None = None, *, decode: Literal[False],
    ) -> _core.Reply[bytes | None]: ...
    @overload
    def spop(
        self, name: _Scalar, count: int, *, decode: None = None,
    ) -> _core.Reply[builtins.set[_T]]: ...
    @overload
    def spop(
        self, name: _Scalar, count: int, *, decode: Literal[True],
    ) -> _core.Reply[builtins.set[str]]: ...
    @overload
    def spop(
        self, name: _Scalar, count: int, *, decode: Literal[False],
    ) -> _core.Reply[builtins.set[bytes]]: ...
    @overload
    def srandmember(
        self, name: _Scalar, number: None = None, *, decode: None = None,
    ) -> _core.Reply[_T | None]: ...
    @overload
    def srandmember(
        self, name: _Scalar, number: None = None, *, decode: Literal[True],
    ) -> _core.Reply[str | None]: ...
    @overload
    def srandmember(
        self, name: _Scalar, number: None = None, *, decode: Literal[False],
    ) -> _core.Reply[bytes | None]: ...
    @overload
    def srandmember(
        self, name: _Scalar, number: int, *, decode: None = None,
    ) -> _core.Reply[list[_T]]: ...
    @overload
    def srandmember(
        self, name: _Scalar, number: int, *, decode: Literal[True],
    ) -> _core.Reply[list[str]]: ...
    @overload
    def srandmember(
        self, name: _Scalar, number: int, *, decode: Literal[False],
    ) -> _core.Reply[list[bytes]]: ...
    def srem(
        self, name: _Scalar, *values: _Scalar, decode: bool | None = None,
    ) -> _core.Reply[int]: ...
    @overload
    def sscan(
        self, name: _Scalar, cursor: int = 0, match: _Scalar | None = None,
        count: int | None = None, *, decode: None = None,
    ) -> _core.Reply[tuple[int, list[_T]]]: ...
    @overload
    def sscan(
        self, name: _Scalar, cursor: int = 0, match: _Scalar | None = None,
        count: int | None = None, *, decode: Literal[True],
    ) -> _core.Reply[tuple[int, list[str]]]: ...
    @overload
    def sscan(
        self, name: _Scalar, cursor: int = 0, match: _Scalar | None = None,
        count: int | None = None, *, decode: Literal[False],
    ) -> _core.Reply[tuple[int, list[bytes]]]: ...
    def strlen(self, name: _Scalar, *, decode: bool | None = None) -> _core.Reply[int]: ...
    @overload
    def substr(
        self, name: _Scalar, start: int, end: int = -1, *, decode: None = None,
    ) -> _core.Reply[_T]: ...
    @overload
    def substr(
        self, name: _Scalar, start: int, end: int = -1, *, decode: Literal[True],
    ) -> _core.Reply[str]: ...
    @overload
    def substr(
        self, name: _Scalar, start: int, end: int = -1, *, decode: Literal[False],
    ) -> _core.Reply[bytes]: ...
    @overload
    def sunion(
        self, keys: _Scalar | Iterable[_Scalar], *args: _Scalar, decode: None = None,
    ) -> _core.Reply[builtins.set[_T]]: ...
    @overload
    def sunion(
        self, keys: _Scalar | Iterable[_Scalar], *args: _Scalar, decode: Literal[True],
    ) -> _core.Reply[builtins.set[str]]: ...
    @overload
    def sunion(
        self, keys: _Scalar | Iterable[_Scalar], *args: _Scalar, decode: Literal[False],
    ) -> _core.Reply[builtins.set[bytes]]: ...
    def sunionstore(
        self, dest: _Scalar, keys: _Scalar | Iterable[_Scalar], *args: _Scalar,
        decode: bool | None = None,
    ) -> _core.Reply[int]: ...
    def swapdb(
        self, first: int, second: int, *, decode: bool | None = None,
    ) -> _core.Reply[bool]: ...
    def time(self, *, decode: bool | None = None) -> _core.Reply[tuple[int, int]]: ...
    def touch(self, *args: _Scalar, decode: bool | None = None) -> _core.Reply[int]: ...
    def ttl(self, name: _Scalar, *, decode: bool | None = None) -> _core.Reply[int]: ...
    def type(self, name: _Scalar, *, decode: bool | None = None) -> _core.Reply[str]: ...
    def unlink(self, *names: _Scalar, decode: bool | None = None) -> _core.Reply[int]: ...
    def wait(
        self, num_replicas: int, timeout: int, *, decode: bool | None = None,
    ) -> _core.Reply[int]: ...
    def waitaof(
        self, num_local: int, num_replicas: int, timeout: int, *, decode: bool | None = None,
    ) -> _core.Reply[tuple[int, int]]: ...
    @overload
    def zadd(
        self, name: _Scalar, mapping: Mapping[_K, float | str], nx: bool = False, xx: bool = False,
        ch: bool = False, incr: Literal[False] = False, gt: bool = False, lt: bool = False, *,
        decode: bool | None = None,
    ) -> _core.Reply[int]: ...
    @overload
    def zadd(
        self, name: _Scalar, mapping: Mapping[_K, float | str], nx: bool = False, xx: bool = False,
        ch: bool = False, *, incr: Literal[True], gt: bool = False, lt: bool = False,
        decode: bool | None = None,
    ) -> _core.Reply[float | None]: ...
    def zcard(self, name: _Scalar, *, decode: bool | None = None) -> _core.Reply[int]: ...
    def zcount(
        self, name: _Scalar, min: _Scalar, max: _Scalar, *, decode: bool | None = None,
    ) -> _core.Reply[int]: ...
    @overload
    def zdiff(
        self, keys: _Scalar | Iterable[_Scalar], withscores: Literal[False] = False, *,
        decode: None = None,
    ) -> _core.Reply[list[_T]]: ...
    @overload
    def zdiff(
        self, keys: _Scalar | Iterable[_Scalar], withscores: Literal[False] = False, *,
        decode: Literal[True],
    ) -> _core.Reply[list[str]]: ...
    @overload
    def zdiff(
        self, keys: _Scalar | Iterable[_Scalar], withscores: Literal[False] = False, *,
        decode: Literal[False],
    ) -> _core.Reply[list[bytes]]: ...
    @overload
    def zdiff(
        self, keys: _Scalar | Iterable[_Scalar], withscores: Literal[True], *, decode: None = None,
    ) -> _core.Reply[list[tuple[_T, float]]]: ...
    @overload
    def zdiff(
        self, keys: _Scalar | Iterable[_Scalar], withscores: Literal[True], *,
        decode: Literal[True],
    ) -> _core.Reply[list[tuple[str, float]]]: ...
    @overload
    def zdiff(
        self, keys: _Scalar | Iterable[_Scalar], withscores: Literal[True], *,
        decode: Literal[False],
    ) -> _core.Reply[list[tuple[bytes, float]]]: ...
    def zdiffstore(
        self, dest: _Scalar, keys: _Scalar | Iterable[_Scalar], *, decode: bool | None = None,
    ) -> _core.Reply[int]: ...
    def zincrby(
        self, name: _Scalar, amount: float, value: _Scalar, *, decode: bool | None = None,
    ) -> _core.Reply[float]: ...
    @overload
    def zinter(
        self, keys: _Scalar | Iterable[_Scalar] | Mapping[_K, float],
        aggregate: _Aggregate | None = None, withscores: Literal[False] = False, *,
        decode: None = None,
    ) -> _core.Reply[list[_T]]: ...
    @overload
    def zinter(
        self, keys: _Scalar | Iterable[_Scalar] | Mapping[_K, float],
        aggregate: _Aggregate | None = None, withscores: Literal[False] = False, *,
        decode: Literal[True],
    ) -> _core.Reply[list[str]]: ...
    @overload
    def zinter(
        self, keys: _Scalar | Iterable[_Scalar] | Mapping[_K, float],
        aggregate: _Aggregate | None = None, withscores: Literal[False] = False, *,
        decode: Literal[False],
    ) -> _core.Reply[list[bytes]]: ...
    @overload
    def zinter(
        self, keys: _Scalar | Iterable[_Scalar] | Mapping[_K, float],
        aggregate: _Aggregate | None = None, *, withscores: Literal[True], decode: None = None,
    ) -> _core.Reply[list[tuple[_T, float]]]: ...
    @overload
    def zinter(
        self, keys: _Scalar | Iterable[_Scalar] | Mapping[_K, float],
        aggregate: _Aggregate | None = None, *, withscores: Literal[True], decode: Literal[True],
    ) -> _core.Reply[list[tuple[str, float]]]: ...
    @overload
    def zinter(
        self, keys: _Scalar | Iterable[_Scalar] | Mapping[_K, float],
        aggregate: _Aggregate | None = None, *, withscores: Literal[True], decode: Literal[False],
    ) -> _core.Reply[list[tuple[bytes, float]]]: ...
    def zintercard(
        self, numkeys: int, keys: _Scalar | Iterable[_Scalar], limit: int = 0, *,
        decode: bool | None = None,
    ) -> _core.Reply[int]: ...
    def zinterstore(
        self, dest: _Scalar, keys: _Scalar | Iterable[_Scalar] | Mapping[_K, float],
        aggregate: _Aggregate | None = None, *, decode: bool | None = None,
    ) -> _core.Reply[int]: ...
    def zlexcount(
        self, name: _Scalar, min: _Scalar, max: _Scalar, *, decode: bool | None = None,
    ) -> _core.Reply[int]: ...
    @overload
    def zmpop(
        self, num_keys: int, keys: _Scalar | Iterable[_Scalar], min: bool = False,
        max: bool = False, count: int | None = None, *, decode: None = None,
    ) -> _core.Reply[tuple[_T, list[tuple[_T, float]]] | None]: ...
    @overload
    def zmpop(
        self, num_keys: int, keys: _Scalar | Iterable[_Scalar], min: bool = False,
        max: bool = False, count: int | None = None, *, decode: Literal[True],
    ) -> _core.Reply[tuple[str, list[tuple[str, float]]] | None]: ...
    @overload
    def zmpop(
        self, num_keys: int, keys: _Scalar | Iterable[_Scalar], min: bool = False,
        max: bool = False, count: int | None = None, *, decode: Literal[False],
    ) -> _core.Reply[tuple[bytes, list[tuple[bytes, float]]] | None]: ...
    def zmscore(
        self, key: _Scalar, members: _Scalar | Iterable[_Scalar], *, decode: bool | None = None,
    ) -> _core.Reply[list[float | None]]: ...
    @overload
    def zpopmax(
        self, name: _Scalar, count: int | None = None, *, decode: None = None,
    ) -> _core.Reply[list[tuple[_T, float]]]: ...
    @overload
    def zpopmax(
        self, name: _Scalar, count: int | None = None, *, decode: Literal[True],
    ) -> _core.Reply[list[tuple[str, float]]]: ...
    @overload
    def zpopmax(
        self, name: _Scalar, count: int | None = None, *, decode: Literal[False],
    ) -> _core.Reply[list[tuple[bytes, float]]]: ...
    @overload
    def zpopmin(
        self, name: _Scalar, count: int | None = None, *, decode: None = None,
    ) -> _core.Reply[list[tuple[_T, float]]]: ...
    @overload
    def zpopmin(
        self, name: _Scalar, count: int | None = None, *, decode: Literal[True],
    ) -> _core.Reply[list[tuple[str, float]]]: ...
    @overload
    def zpopmin(
        self, name: _Scalar, count: int | None = None, *, decode: Literal[False],
    ) -> _core.Reply[list[tuple[bytes, float]]]: ...
    @overload
    def zrandmember(
        self, key: _Scalar, count: None = None, withscores: Literal[False] = False, *,
        decode: None = None,
    ) -> _core.Reply[_T | None]: ...
    @overload
    def zrandmember(
        self, key: _Scalar, count: None = None, withscores: Literal[False] = False, *,
        decode: Literal[True],
    ) -> _core.Reply[str | None]: ...
    @overload
    def zrandmember(
        self, key: _Scalar, count: None = None, withscores: Literal[False] = False, *,
        decode: Literal[False],
    ) -> _core.Reply[bytes | None]: ...
    @overload
    def zrandmember(
        self, key: _Scalar, count: int, withscores: Literal[False] = False, *, decode: None = None,
    ) -> _core.Reply[list[_T]]: ...
    @overload
    def zrandmember(
        self, key: _Scalar, count: int, withscores: Literal[False] = False, *,
        decode: Literal[True],
    ) -> _core.Reply[list[str]]: ...
    @overload
    def zrandmember(
        self, key: _Scalar, count: int, withscores: Literal[False] = False, *,
        decode: Literal[False],
    ) -> _core.Reply[list[bytes]]: ...
    @overload
    def zrandmember(
        self, key: _Scalar, count: int, withscores: Literal[True], *, decode: None = None,
    ) -> _core.Reply[list[tuple[_T, float]]]: ...
    @overload
    def zrandmember(
        self, key: _Scalar, count: int, withscores: Literal[True], *, decode: Literal[True],
    ) -> _core.Reply[list[tuple[str, float]]]: ...
    @overload
    def zrandmember(
        self, key: _Scalar, count: int, withscores: Literal[True], *, decode: Literal[False],
    ) -> _core.Reply[list[tuple[bytes, float]]]: ...
    @overload
    def zrange(
        self, name: _Scalar, start: _Scalar, end: _Scalar, desc: bool = False,
        withscores: Literal[False] = False, *, byscore: bool = False, bylex: bool = False,
        offset: int | None = None, num: int | None = None, decode: None = None,
    ) -> _core.Reply[list[_T]]: ...
    @overload
    def zrange(
        self, name: _Scalar, start: _Scalar, end: _Scalar, desc: bool = False,
        withscores: Literal[False] = False, *, byscore: bool = False, bylex: bool = False,
        offset: int | None = None, num: int | None = None, decode: Literal[True],
    ) -> _core.Reply[list[str]]: ...
    @overload
    def zrange(
        self, name: _Scalar, start: _Scalar, end: _Scalar, desc: bool = False,
        withscores: Literal[False] = False, *, byscore: bool = False, bylex: bool = False,
        offset: int | None = None, num: int | None = None, decode: Literal[False],
    ) -> _core.Reply[list[bytes]]: ...
    @overload
    def zrange(
        self, name: _Scalar, start: _Scalar, end: _Scalar, desc: bool = False, *,
        withscores: Literal[True], byscore: bool = False, bylex: bool = False,
        offset: int | None = None, num: int | None = None, decode: None = None,
    ) -> _core.Reply[list[tuple[_T, float]]]: ...
    @overload
    def zrange(
        self, name: _Scalar, start: _Scalar, end: _Scalar, desc: bool = False, *,
        withscores: Literal[True], byscore: bool = False, bylex: bool = False,
        offset: int | None = None, num: int | None = None, decode: Literal[True],
    ) -> _core.Reply[list[tuple[str, float]]]: ...
    @overload
    def zrange(
        self, name: _Scalar, start: _Scalar, end: _Scalar, desc: bool = False, *,
        withscores: Literal[True], byscore: bool = False, bylex: bool = False,
        offset: int | None = None, num: int | None = None, decode: Literal[False],
    ) -> _core.Reply[list[tuple[bytes, float]]]: ...
    @overload
    def zrangebylex(
        self, name: _Scalar, min: _Scalar, max: _Scalar, start: int | None = None,
        num: int | None = None, *, decode: None = None,
    ) -> _core.Reply[list[_T]]: ...
    @overload
    def zrangebylex(
        self, name: _Scalar, min: _Scalar, max: _Scalar, start: int | None = None,
        num: int | None = None, *, decode: Literal[True],
    ) -> _core.Reply[list[str]]: ...
    @overload
    def zrangebylex(
        self, name: _Scalar, min: _Scalar, max: _Scalar, start: int | None = None,
        num: int | None = None, *, decode: Literal[False],
    ) -> _core.Reply[list[bytes]]: ...
    @overload
    def zrangebyscore(
        self, name: _Scalar, min: _Scalar, max: _Scalar, start: int | None = None,
        num: int | None = None, withscores: Literal[False] = False, *, decode: None = None,
    ) -> _core.Reply[list[_T]]: ...
    @overload
    def zrangebyscore(
        self, name: _Scalar, min: _Scalar, max: _Scalar, start: int | None = None,
        num: int | None = None, withscores: Literal[False] = False, *, decode: Literal[True],
    ) -> _core.Reply[list[str]]: ...
    @overload
    def zrangebyscore(
        self, name: _Scalar, min: _Scalar, max: _Scalar, start: int | None = None,
        num: int | None = None, withscores: Literal[False] = False, *, decode: Literal[False],
    ) -> _core.Reply[list[bytes]]: ...
    @overload
    def zrangebyscore(
        self, name: _Scalar, min: _Scalar, max: _Scalar, start: int | None = None,
        num: int | None = None, *, withscores: Literal[True], decode: None = None,
    ) -> _core.Reply[list[tuple[_T, float]]]: ...
    @overload
    def zrangebyscore(
        self, name: _Scalar, min: _Scalar, max: _Scalar, start: int | None = None,
        num: int | None = None, *, withscores: Literal[True], decode: Literal[True],
    ) -> _core.Reply[list[tuple[str, float]]]: ...
    @overload
    def zrangebyscore(
        self, name: _Scalar, min: _Scalar, max: _Scalar, start: int | None = None,
        num: int | None = None, *, withscores: Literal[True], decode: Literal[False],
    ) -> _core.Reply[list[tuple[bytes, float]]]: ...
    def zrangestore(
        self, dest: _Scalar, name: _Scalar, start: _Scalar, end: _Scalar, byscore: bool = False,
        bylex: bool = False, desc: bool = False, offset: int | None = None, num: int | None = None,
        *, decode: bool | None = None,
    ) -> _core.Reply[int]: ...
    @overload
    def zrank(
        self, name: _Scalar, value: _Scalar, withscore: Literal[False] = False, *,
        decode: bool | None = None,
    ) -> _core.Reply[int | None]: ...
    @overload
    def zrank(
        self, name: _Scalar, value: _Scalar, withscore: Literal[True], *,
        decode: bool | None = None,
    ) -> _core.Reply[tuple[int, float] | None]: ...
    def zrem(
        self, name: _Scalar, *values: _Scalar, decode: bool | None = None,
    ) -> _core.Reply[int]: ...
    def zremrangebylex(
        self, name: _Scalar, min: _Scalar, max: _Scalar, *, decode: bool | None = None,
    ) -> _core.Reply[int]: ...
    def zremrangebyrank(
        self, name: _Scalar, min: int, max: int, *, decode: bool | None = None,
    ) -> _core.Reply[int]: ...
    def zremrangebyscore(
        self, name: _Scalar, min: _Scalar, max: _Scalar, *, decode: bool | None = None,
    ) -> _core.Reply[int]: ...
    @overload
    def zrevrange(
        self, name: _Scalar, start: int, end: int, withscores: Literal[False] = False, *,
        decode: None = None,
    ) -> _core.Reply[list[_T]]: ...
    @overload
    def zrevrange(
        self, name: _Scalar, start: int, end: int, withscores: Literal[False] = False, *,
        decode: Literal[True],
    ) -> _core.Reply[list[str]]: ...
    @overload
    def zrevrange(
        self, name: _Scalar, start: int, end: int, withscores: Literal[False] = False, *,
        decode: Literal[False],
    ) -> _core.Reply[list[bytes]]: ...
    @overload
    def zrevrange(
        self, name: _Scalar, start: int, end: int, withscores: Literal[True], *,
        decode: None = None,
    ) -> _core.Reply[list[tuple[_T, float]]]: ...
    @overload
    def zrevrange(
        self, name: _Scalar, start: int, end: int, withscores: Literal[True], *,
        decode: Literal[True],
    ) -> _core.Reply[list[tuple[str, float]]]: ...
    @overload
    def zrevrange(
        self, name: _Scalar, start: int, end: int, withscores: Literal[True], *,
        decode: Literal[False],
    ) -> _core.Reply[list[tuple[bytes, float]]]: ...
    @overload
    def zrevrangebylex(
        self, name: _Scalar, max: _Scalar, min: _Scalar, start: int | None = None,
        num: int | None = None, *, decode: None = None,
    ) -> _core.Reply[list[_T]]: ...
    @overload
    def zrevrangebylex(
        self, name: _Scalar, max: _Scalar, min: _Scalar, start: int | None = None,
        num: int | None = None, *, decode: Literal[True],
    ) -> _core.Reply[list[str]]: ...
    @overload
    def zrevrangebylex(
        self, name: _Scalar, max: _Scalar, min: _Scalar, start: int | None = None,
        num: int | None = None, *, decode: Literal[False],
    ) -> _core.Reply[list[bytes]]: ...
    @overload
    def zrevrangebyscore(
        self, name: _Scalar, max: _Scalar, min: _Scalar, start: int | None = None,
        num: int | None = None, withscores: Literal[False] = False, *, decode: None = None,
    ) -> _core.Reply[list[_T]]: ...
    @overload
    def zrevrangebyscore(
        self, name: _Scalar, max: _Scalar, min: _Scalar, start: int | None = None,
        num: int | None = None, withscores: Literal[False] = False, *, decode: Literal[True],
    ) -> _core.Reply[list[str]]: ...
    @overload
    def zrevrangebyscore(
        self, name: _Scalar, max: _Scalar, min: _Scalar, start: int | None = None,
        num: int | None = None, withscores: Literal[False] = False, *, decode: Literal[False],
    ) -> _core.Reply[list[bytes]]: ...
    @overload
    def zrevrangebyscore(
        self, name: _Scalar, max: _Scalar, min: _Scalar, start: int | None = None,
        num: int | None = None, *, withscores: Literal[True], decode: None = None,
    ) -> _core.Reply[list[tuple[_T, float]]]: ...
    @overload
    def zrevrangebyscore(
        self, name: _Scalar, max: _Scalar, min: _Scalar, start: int | None = None,
        num: int | None = None, *, withscores: Literal[True], decode: Literal[True],
    ) -> _core.Reply[list[tuple[str, float]]]: ...
    @overload
    def zrevrangebyscore(
        self, name: _Scalar, max: _Scalar, min: _Scalar, start: int | None = None,
        num: int | None = None, *, withscores: Literal[True], decode: Literal[False],
    ) -> _core.Reply[list[tuple[bytes, float]]]: ...
    @overload
    def zrevrank(
        self, name: _Scalar, value: _Scalar, withscore: Literal[False] = False, *,
        decode: bool | None = None,
    ) -> _core.Reply[int | None]: ...
    @overload
    def zrevrank(
        self, name: _Scalar, value: _Scalar, withscore: Literal[True], *,
        decode: bool | None = None,
    ) -> _core.Reply[tuple[int, float] | None]: ...
    @overload
    def zscan(
        self, name: _Scalar, cursor: int = 0, match: _Scalar | None = None,
        count: int | None = None, *, decode: None = None,
    ) -> _core.Reply[tuple[int, list[tuple[_T, float]]]]: ...
    @overload
    def zscan(
        self, name: _Scalar, cursor: int = 0, match: _Scalar | None = None,
        count: int | None = None, *, decode: Literal[True],
    ) -> _core.Reply[tuple[int, list[tuple[str, float]]]]: ...
    @overload
    def zscan(
        self, name: _Scalar, cursor: int = 0, match: _Scalar | None = None,
        count: int | None = None, *, decode: Literal[False],
    ) -> _core.Reply[tuple[int, list[tuple[bytes, float]]]]: ...
    def zscore(
        self, name: _Scalar, value: _Scalar, *, decode: bool | None = None,
    ) -> _core.Reply[float | None]: ...
    @overload
    def zunion(
        self, keys: _Scalar | Iterable[_Scalar] | Mapping[_K, float],
        aggregate: _Aggregate | None = None, withscores: Literal[False] = False, *,
        decode: None = None,
    ) -> _core.Reply[list[_T]]: ...
    @overload
    def zunion(
        self, keys: _Scalar | Iterable[_Scalar] | Mapping[_K, float],
        aggregate: _Aggregate | None = None, withscores: Literal[False] = False, *,
        decode: Literal[True],
    ) -> _core.Reply[list[str]]: ...
    @overload
    def zunion(
        self, keys: _Scalar | Iterable[_Scalar] | Mapping[_K, float],
        aggregate: _Aggregate | None = None, withscores: Literal[False] = False, *,
        decode: Literal[False],
    ) -> _core.Reply[list[bytes]]: ...
    @overload
    def zunion(
        self, keys: _Scalar | Iterable[_Scalar] | Mapping[_K, float],
        aggregate: _Aggregate | None = None, *, withscores: Literal[True], decode: None = None,
    ) -> _core.Reply[list[tuple[_T, float]]]: ...
    @overload
    def zunion(
        self, keys: _Scalar | Iterable[_Scalar] | Mapping[_K, float],
        aggregate: _Aggregate | None = None, *, withscores: Literal[True], decode: Literal[True],
    ) -> _core.Reply[list[tuple[str, float]]]: ...
    @overload
    def zunion(
        self, keys: _Scalar | Iterable[_Scalar] | Mapping[_K, float],
        aggregate: _Aggregate | None = None, *, withscores: Literal[True], decode: Literal[False],
    ) -> _core.Reply[list[tuple[bytes, float]]]: ...
    def zunionstore(
        self, dest: _Scalar, keys: _Scalar | Iterable[_Scalar] | Mapping[_K, float],
        aggregate: _Aggregate | None = None, *, decode: bool | None = None,
    ) -> _core.Reply[int]: ...
    @overload
    def hscan_iter(
        self, name: _Scalar, match: _Scalar | None = None, count: int | None = None,
        no_values: Literal[False] | None = None, *, decode: None = None,
    ) -> AsyncGenerator[tuple[_T, _T]]: ...
    @overload
    def hscan_iter(
        self, name: _Scalar, match: _Scalar | None = None, count: int | None = None,
        no_values: Literal[False] | None = None, *, decode: Literal[True],
    ) -> AsyncGenerator[tuple[str, str]]: ...
    @overload
    def hscan_iter(
        self, name: _Scalar, match: _Scalar | None = None, count: int | None = None,
        no_values: Literal[False] | None = None, *, decode: Literal[False],
    ) -> AsyncGenerator[tuple[bytes, bytes]]: ...
    @overload
    def hscan_iter(
        self, name: _Scalar, match: _Scalar | None = None, count: int | None = None, *,
        no_values: Literal[True], decode: None = None,
    ) -> AsyncGenerator[_T]: ...
    @overload
    def hscan_iter(
        self, name: _Scalar, match: _Scalar | None = None, count: int | None = None, *,
        no_values: Literal[True], decode: Literal[True],
    ) -> AsyncGenerator[str]: ...
    @overload
    def hscan_iter(
        self, name: _Scalar, match: _Scalar | None = None, count: int | None = None, *,
        no_values: Literal[True], decode: Literal[False],
    ) -> AsyncGenerator[bytes]: ...
    @overload
    def scan_iter(
        self, match: _Scalar | None = None, count: int | None = None, _type: str | None = None, *,
        decode: None = None,
    ) -> AsyncGenerator[_T]: ...
    @overload
    def scan_iter(
        self, match: _Scalar | None = None, count: int | None = None, _type: str | None = None, *,
        decode: Literal[True],
    ) -> AsyncGenerator[str]: ...
    @overload
    def scan_iter(
        self, match: _Scalar | None = None, count: int | None = None, _type: str | None = None, *,
        decode: Literal[False],
    ) -> AsyncGenerator[bytes]: ...
    @overload
    def sscan_iter(
        self, name: _Scalar, match: _Scalar | None = None, count: int | None = None, *,
        decode: None = None,
    ) -> AsyncGenerator[_T]: ...
    @overload
    def sscan_iter(
        self, name: _Scalar, match: _Scalar | None = None, count: int | None = None, *,
        decode: Literal[True],
    ) -> AsyncGenerator[str]: ...
    @overload
    def sscan_iter(
        self, name: _Scalar, match: _Scalar | None = None, count: int | None = None, *,
        decode: Literal[False],
    ) -> AsyncGenerator[bytes]: ...
    @overload
    def zscan_iter(
        self, name: _Scalar, match: _Scalar | None = None, count: int | None = None, *,
        decode: None = None,
    ) -> AsyncGenerator[tuple[_T, float]]: ...
    @overload
    def zscan_iter(
        self, name: _Scalar, match: _Scalar | None = None, count: int | None = None, *,
        decode: Literal[True],
    ) -> AsyncGenerator[tuple[str, float]]: ...
    @overload
    def zscan_iter(
        self, name: _Scalar, match: _Scalar | None = None, count: int | None = None, *,
        decode: Literal[False],
    ) -> AsyncGenerator[tuple[bytes, float]]: ...

class _Commands:
    def acl_cat(self, category: _Scalar | None = None, *, decode: bool | None = None) -> Self: ...
    def acl_deluser(self, *username: _Scalar, decode: bool | None = None) -> Self: ...
    def acl_dryrun(self, username: _Scalar, *args: _Scalar, decode: bool | None = None) -> Self: ...
    def acl_genpass(self, bits: int | None = None, *, decode: bool | None = None) -> Self: ...
    def acl_getuser(self, username: _Scalar, *, decode: bool | None = None) -> Self: ...
    def acl_help(self, *, decode: bool | None = None) -> Self: ...
    def acl_list(self, *, decode: bool | None = None) -> Self: ...
    def acl_load(self, *, decode: bool | None = None) -> Self: ...
    def acl_log(self, count: int | None = None, *, decode: bool | None = None) -> Self: ...
    def acl_log_reset(self, *, decode: bool | None = None) -> Self: ...
    def acl_save(self, *, decode: bool | None = None) -> Self: ...
    def acl_setuser(
        self, username: _Scalar, enabled: bool = False, nopass: bool = False,
        passwords: str | Iterable[str] | None = None,
        hashed_passwords: str | Iterable[str] | None = None,
        categories: Iterable[str] | None = None, commands: Iterable[str] | None = None,
        keys: Iterable[_Scalar] | None = None, channels: Iterable[_Scalar] | None = None,
        selectors: Iterable[tuple[str, _Scalar]] | None = None, reset: bool = False,
        reset_keys: bool = False, reset_channels: bool = False, reset_passwords: bool = False, *,
        decode: bool | None = None,
    ) -> Self: ...
    def acl_users(self, *, decode: bool | None = None) -> Self: ...
    def acl_whoami(self, *, decode: bool | None = None) -> Self: ...
    def append(self, key: _Scalar, value: _Scalar, *, decode: bool | None = None) -> Self: ...
    def bgrewriteaof(self, *, decode: bool | None = None) -> Self: ...
    def bgsave(self, schedule: bool = True, *, decode: bool | None = None) -> Self: ...
    def blmove(
        self, first_list: _Scalar, second_list: _Scalar, timeout: float | None, src: _End = "LEFT",
        dest: _End = "RIGHT", *, decode: bool | None = None,
    ) -> Self: ...
    def blmpop(
        self, timeout: float | None, numkeys: int, *args: _Scalar, direction: _End, count: int = 1,
        decode: bool | None = None,
    ) -> Self: ...
    def blpop(
        self, keys: _Scalar | Iterable[_Scalar], timeout: float | None = 0, *,
        decode: bool | None = None,
    ) -> Self: ...
    def brpop(
        self, keys: _Scalar | Iterable[_Scalar], timeout: float | None = 0, *,
        decode: bool | None = None,
    ) -> Self: ...
    def brpoplpush(
        self, src: _Scalar, dst: _Scalar, timeout: float | None = 0, *, decode: bool | None = None,
    ) -> Self: ...
    def bzmpop(
        self, timeout: float | None, numkeys: int, keys: _Scalar | Iterable[_Scalar],
        min: bool = False, max: bool = False, count: int = 1, *, decode: bool | None = None,
    ) -> Self: ...
    def bzpopmax(
        self, keys: _Scalar | Iterable[_Scalar], timeout: float | None = 0, *,
        decode: bool | None = None,
    ) -> Self: ...
    def bzpopmin(
        self, keys: _Scalar | Iterable[_Scalar], timeout: float | None = 0, *,
        decode: bool | None = None,
    ) -> Self: ...
    def client_getname(self, *, decode: bool | None = None) -> Self: ...
    def client_getredir(self, *, decode: bool | None = None) -> Self: ...
    def client_id(self, *, decode: bool | None = None) -> Self: ...
    def client_info(self, *, decode: bool | None = None) -> Self: ...
    def client_kill(self, address: _Scalar, *, decode: bool | None = None) -> Self: ...
    def client_kill_filter(
        self, _id: int | None = None, _type: str | None = None, addr: str | None = None,
        skipme: bool | None = None, laddr: str | None = None, user: str | None = None,
        maxage: int | None = None, *, decode: bool | None = None,
    ) -> Self: ...
    def client_list(
        self, _type: _ClientType | None = None,
        client_id: _Scalar | Iterable[_Scalar] | None = None, *, decode: bool | None = None,
    ) -> Self: ...
    def client_no_evict(
        self, mode: Literal["ON", "on", "OFF", "off"], *, decode: bool | None = None,
    ) -> Self: ...
    def client_no_touch(
        self, mode: Literal["ON", "on", "OFF", "off"], *, decode: bool | None = None,
    ) -> Self: ...
    def client_pause(
        self, timeout: int, all: bool = True, *, decode: bool | None = None,
    ) -> Self: ...
    def client_setinfo(
        self, attr: _Scalar, value: _Scalar, *, decode: bool | None = None,
    ) -> Self: ...
    def client_setname(self, name: _Scalar, *, decode: bool | None = None) -> Self: ...
    def client_trackinginfo(self, *, decode: bool | None = None) -> Self: ...
    def client_unblock(
        self, client_id: int, error: bool = False, *, decode: bool | None = None,
    ) -> Self: ...
    def client_unpause(self, *, decode: bool | None = None) -> Self: ...
    def command(self, *, decode: bool | None = None) -> Self: ...
    def command_count(self, *, decode: bool | None = None) -> Self: ...
    def command_docs(self, *args: _Scalar, decode: bool | None = None) -> Self: ...
    def command_getkeys(self, *args: _Scalar, decode: bool | None = None) -> Self: ...
    def command_getkeysandflags(self, *args: _Scalar, decode: bool | None = None) -> Self: ...
    def command_info(self, *args: _Scalar, decode: bool | None = None) -> Self: ...
    def command_list(
        self, module: _Scalar | None = None, category: _Scalar | None = None,
        pattern: _Scalar | None = None, *, decode: bool | None = None,
    ) -> Self: ...
    def commandlog_get(self, count: int, type: _LogType, *, decode: bool | None = None) -> Self: ...
    def commandlog_len(self, type: _LogType, *, decode: bool | None = None) -> Self: ...
    def commandlog_reset(self, type: _LogType, *, decode: bool | None = None) -> Self: ...
    def config_get(
        self, pattern: _Scalar = "*", *args: _Scalar, decode: bool | None = None,
    ) -> Self: ...
    def config_resetstat(self, *, decode: bool | None = None) -> Self: ...
    def config_rewrite(self, *, decode: bool | None = None) -> Self: ...
    def config_set(
        self, name: _Scalar, value: _Scalar, *args: _Scalar, decode: bool | None = None,
    ) -> Self: ...
    def copy(
        self, source: _Scalar, destination: _Scalar, destination_db: int | None = None,
        replace: bool = False, *, decode: bool | None = None,
    ) -> Self: ...
    def dbsize(self, *, decode: bool | None = None) -> Self: ...
    def decr(self, name: _Scalar, amount: int = 1, *, decode: bool | None = None) -> Self: ...
    def decrby(self, name: _Scalar, amount: int = 1, *, decode: bool | None = None) -> Self: ...
    def delete(self, *names: _Scalar, decode: bool | None = None) -> Self: ...
    def delifeq(self, name: _Scalar, value: _Scalar, *, decode: bool | None = None) -> Self: ...
    def dump(self, name: _Scalar, *, decode: bool | None = None) -> Self: ...
    def echo(self, value: _Scalar, *, decode: bool | None = None) -> Self: ...
    def exists(self, *names: _Scalar, decode: bool | None = None) -> Self: ...
    def expire(
        self, name: _Scalar, time: int | timedelta, nx: bool = False, xx: bool = False,
        gt: bool = False, lt: bool = False, *, decode: bool | None = None,
    ) -> Self: ...
    def expireat(
        self, name: _Scalar, when: int | datetime, nx: bool = False, xx: bool = False,
        gt: bool = False, lt: bool = False, *, decode: bool | None = None,
    ) -> Self: ...
    def expiretime(self, key: _Scalar, *, decode: bool | None = None) -> Self: ...
    def failover(
        self, host: _Scalar | None = None, port: int | None = None, force: bool = False,
        abort: bool = False, timeout: int | None = None, *, decode: bool | None = None,
    ) -> Self: ...
    def flushall(self, asynchronous: bool = False, *, decode: bool | None = None) -> Self: ...
    def flushdb(self, asynchronous: bool = False, *, decode: bool | None = None) -> Self: ...
    def get(self, name: _Scalar, *, decode: bool | None = None) -> Self: ...
    def getdel(self, name: _Scalar, *, decode: bool | None = None) -> Self: ...
    def getex(
        self, name: _Scalar, ex: int | timedelta | None = None, px: int | timedelta | None = None,
        exat: int | datetime | None = None, pxat: int | datetime | None = None,
        persist: bool = False, *, decode: bool | None = None,
    ) -> Self: ...
    def getrange(
        self, key: _Scalar, start: int, end: int, *, decode: bool | None = None,
    ) -> Self: ...
    def getset(self, name: _Scalar, value: _Scalar, *, decode: bool | None = None) -> Self: ...
    def hdel(self, name: _Scalar, *keys: _Scalar, decode: bool | None = None) -> Self: ...
    def hexists(self, name: _Scalar, key: _Scalar, *, decode: bool | None = None) -> Self: ...
    def hexpire(
        self, name: _Scalar, seconds: int | timedelta, *fields: _Scalar, nx: bool = False,
        xx: bool = False, gt: bool = False, lt: bool = False, decode: bool | None = None,
    ) -> Self: ...
    def hexpireat(
        self, name: _Scalar, unix_time_seconds: int | datetime, *fields: _Scalar, nx: bool = False,
        xx: bool = False, gt: bool = False, lt: bool = False, decode: bool | None = None,
    ) -> Self: ...
    def hexpiretime(self, key: _Scalar, *fields: _Scalar, decode: bool | None = None) -> Self: ...
    def hget(self, name: _Scalar, key: _Scalar, *, decode: bool | None = None) -> Self: ...
    def hgetall(self, name: _Scalar, *, decode: bool | None = None) -> Self: ...
    def hgetdel(self, name: _Scalar, *keys: _Scalar, decode: bool | None = None) -> Self: ...
    def hgetex(
        self, name: _Scalar, *keys: _Scalar, ex: int | timedelta | None = None,
        px: int | timedelta | None = None, exat: int | datetime | None = None,
        pxat: int | datetime | None = None, persist: bool = False, decode: bool | None = None,
    ) -> Self: ...
    def hincrby(
        self, name: _Scalar, key: _Scalar, amount: int = 1, *, decode: bool | None = None,
    ) -> Self: ...
    def hincrbyfloat(
        self, name: _Scalar, key: _Scalar, amount: float = 1.0, *, decode: bool | None = None,
    ) -> Self: ...
    def hkeys(self, name: _Scalar, *, decode: bool | None = None) -> Self: ...
    def hlen(self, name: _Scalar, *, decode: bool | None = None) -> Self: ...
    def hmget(
        self, name: _Scalar, keys: _Scalar | Iterable[_Scalar], *args: _Scalar,
        decode: bool | None = None,
    ) -> Self: ...
    def hmset(
        self, name: _Scalar, mapping: Mapping[_K, _Scalar], *, decode: bool | None = None,
    ) -> Self: ...
    def hpersist(self, name: _Scalar, *fields: _Scalar, decode: bool | None = None) -> Self: ...
    def hpexpire(
        self, name: _Scalar, milliseconds: int | timedelta, *fields: _Scalar, nx: bool = False,
        xx: bool = False, gt: bool = False, lt: bool = False, decode: bool | None = None,
    ) -> Self: ...
    def hpexpireat(
        self, name: _Scalar, unix_time_milliseconds: int | datetime, *fields: _Scalar,
        nx: bool = False, xx: bool = False, gt: bool = False, lt: bool = False,
        decode: bool | None = None,
    ) -> Self: ...
    def hpexpiretime(self, key: _Scalar, *fields: _Scalar, decode: bool | None = None) -> Self: ...
    def hpttl(self, key: _Scalar, *fields: _Scalar, decode: bool | None = None) -> Self: ...
    def hrandfield(
        self, key: _Scalar, count: int | None = None, withvalues: bool = False, *,
        decode: bool | None = None,
    ) -> Self: ...
    def hscan(
        self, name: _Scalar, cursor: int = 0, match: _Scalar | None = None,
        count: int | None = None, no_values: bool | None = None, *, decode: bool | None = None,
    ) -> Self: ...
    def hset(
        self, name: _Scalar, key: _Scalar | None = None, value: _Scalar | None = None,
        mapping: Mapping[_K, _Scalar] | None = None, items: Sequence[_Scalar] | None = None, *,
        decode: bool | None = None,
    ) -> Self: ...
    def hsetex(
        self, name: _Scalar, key: _Scalar | None = None, value: _Scalar | None = None,
        mapping: Mapping[_K, _Scalar] | None = None, items: Sequence[_Scalar] | None = None,
        ex: int | timedelta | None = None, px: int | timedelta | None = None,
        exat: int | datetime | None = None, pxat: int | datetime | None = None,
        data_persist_option: Literal["FNX", "fnx", "FXX", "fxx"] | None = None,
        keepttl: bool = False, *, decode: bool | None = None,
    ) -> Self: ...
    def hsetnx(
        self, name: _Scalar, key: _Scalar, value: _Scalar, *, decode: bool | None = None,
    ) -> Self: ...
    def hstrlen(self, name: _Scalar, key: _Scalar, *, decode: bool | None = None) -> Self: ...
    def httl(self, key: _Scalar, *fields: _Scalar, decode: bool | None = None) -> Self: ...
    def hvals(self, name: _Scalar, *, decode: bool | None = None) -> Self: ...
    def incr(self, name: _Scalar, amount: int = 1, *, decode: bool | None = None) -> Self: ...
    def incrby(self, name: _Scalar, amount: int = 1, *, decode: bool | None = None) -> Self: ...
    def incrbyfloat(
        self, name: _Scalar, amount: float = 1.0, *, decode: bool | None = None,
    ) -> Self: ...
    def info(
        self, section: _Scalar | None = None, *args: _Scalar, decode: bool | None = None,
    ) -> Self: ...
    def keys(self, pattern: _Scalar = "*", *, decode: bool | None = None) -> Self: ...
    def lastsave(self, *, decode: bool | None = None) -> Self: ...
    def latency_doctor(self, *, decode: bool | None = None) -> Self: ...
    def latency_graph(self, event: _Scalar, *, decode: bool | None = None) -> Self: ...
    def latency_histogram(self, *args: _Scalar, decode: bool | None = None) -> Self: ...
    def latency_history(self, event: _Scalar, *, decode: bool | None = None) -> Self: ...
    def latency_latest(self, *, decode: bool | None = None) -> Self: ...
    def latency_reset(self, *events: _Scalar, decode: bool | None = None) -> Self: ...
    def lcs(
        self, key1: _Scalar, key2: _Scalar, len: bool = False, idx: bool = False,
        minmatchlen: int | None = None, withmatchlen: bool = False, *, decode: bool | None = None,
    ) -> Self: ...
    def lindex(self, name: _Scalar, index: int, *, decode: bool | None = None) -> Self: ...
    def linsert(
        self, name: _Scalar, where: Literal["BEFORE", "before", "AFTER", "after"],
        refvalue: _Scalar, value: _Scalar, *, decode: bool | None = None,
    ) -> Self: ...
    def llen(self, name: _Scalar, *, decode: bool | None = None) -> Self: ...
    def lmove(
        self, first_list: _Scalar, second_list: _Scalar, src: _End = "LEFT", dest: _End = "RIGHT",
        *, decode: bool | None = None,
    ) -> Self: ...
    def lmpop(
        self, num_keys: int, *args: _Scalar, direction: _End, count: int | None = None,
        decode: bool | None = None,
    ) -> Self: ...
    def lolwut(self, *version_numbers: _Scalar, decode: bool | None = None) -> Self: ...
    def lpop(
        self, name: _Scalar, count: int | None = None, *, decode: bool | None = None,
    ) -> Self: ...
    def lpos(
        self, name: _Scalar, value: _Scalar, rank: int | None = None, count: int | None = None,
        maxlen: int | None = None, *, decode: bool | None = None,
    ) -> Self: ...
    def lpush(self, name: _Scalar, *values: _Scalar, decode: bool | None = None) -> Self: ...
    def lpushx(self, name: _Scalar, *values: _Scalar, decode: bool | None = None) -> Self: ...
    def lrange(
        self, name: _Scalar, start: int, end: int, *, decode: bool | None = None,
    ) -> Self: ...
    def lrem(
        self, name: _Scalar, count: int, value: _Scalar, *, decode: bool | None = None,
    ) -> Self: ...
    def lset(
        self, name: _Scalar, index: int, value: _Scalar, *, decode: bool | None = None,
    ) -> Self: ...
    def ltrim(self, name: _Scalar, start: int, end: int, *, decode: bool | None = None) -> Self: ...
    def memory_doctor(self, *, decode: bool | None = None) -> Self: ...
    def memory_malloc_stats(self, *, decode: bool | None = None) -> Self: ...
    def memory_purge(self, *, decode: bool | None = None) -> Self: ...
    def memory_stats(self, *, decode: bool | None = None) -> Self: ...
    def memory_usage(
        self, key: _Scalar, samples: int | None = None, *, decode: bool | None = None,
    ) -> Self: ...
    def mget(
        self, keys: _Scalar | Iterable[_Scalar], *args: _Scalar, decode: bool | None = None,
    ) -> Self: ...
    def migrate(
        self, host: _Scalar, port: int, keys: _Scalar | Iterable[_Scalar], destination_db: int,
        timeout: int, copy: bool = False, replace: bool = False, auth: _Scalar | None = None, *,
        decode: bool | None = None,
    ) -> Self: ...
    def module_list(self, *, decode: bool | None = None) -> Self: ...
    def module_load(self, path: _Scalar, *args: _Scalar, decode: bool | None = None) -> Self: ...
    def module_loadex(
        self, path: _Scalar, options: Mapping[_K, _Scalar] | None = None,
        args: _Scalar | Iterable[_Scalar] | None = None, *, decode: bool | None = None,
    ) -> Self: ...
    def module_unload(self, name: _Scalar, *, decode: bool | None = None) -> Self: ...
    def move(self, name: _Scalar, db: int, *, decode: bool | None = None) -> Self: ...
    def mset(self, mapping: Mapping[_K, _Scalar], *, decode: bool | None = None) -> Self: ...
    def msetex(
        self, mapping: Mapping[_K, _Scalar],
        data_persist_option: Literal["NX", "nx", "XX", "xx"] | None = None,
        ex: int | timedelta | None = None, px: int | timedelta | None = None,
        exat: int | datetime | None = None, pxat: int | datetime | None = None,
        keepttl: bool = False, *, decode: bool | None = None,
    ) -> Self: ...
    def msetnx(self, mapping: Mapping[_K, _Scalar], *, decode: bool | None = None) -> Self: ...
    def object(
        self, infotype: _ObjectInfo, key: _Scalar, *, decode: bool | None = None,
    ) -> Self: ...
    def object_encoding(self, key: _Scalar, *, decode: bool | None = None) -> Self: ...
    def object_freq(self, key: _Scalar, *, decode: bool | None = None) -> Self: ...
    def object_idletime(self, key: _Scalar, *, decode: bool | None = None) -> Self: ...
    def object_refcount(self, key: _Scalar, *, decode: bool | None = None) -> Self: ...
    def persist(self, name: _Scalar, *, decode: bool | None = None) -> Self: ...
    def pexpire(
        self, name: _Scalar, time: int | timedelta, nx: bool = False, xx: bool = False,
        gt: bool = False, lt: bool = False, *, decode: bool | None = None,
    ) -> Self: ...
    def pexpireat(
        self, name: _Scalar, when: int | datetime, nx: bool = False, xx: bool = False,
        gt: bool = False, lt: bool = False, *, decode: bool | None = None,
    ) -> Self: ...
    def pexpiretime(self, key: _Scalar, *, decode: bool | None = None) -> Self: ...
    def ping(self, *, decode: bool | None = None) -> Self: ...
    def psetex(
        self, name: _Scalar, time_ms: int | timedelta, value: _Scalar, *,
        decode: bool | None = None,
    ) -> Self: ...
    def pttl(self, name: _Scalar, *, decode: bool | None = None) -> Self: ...
    def randomkey(self, *, decode: bool | None = None) -> Self: ...
    def rename(self, src: _Scalar, dst: _Scalar, *, decode: bool | None = None) -> Self: ...
    def renamenx(self, src: _Scalar, dst: _Scalar, *, decode: bool | None = None) -> Self: ...
    def replicaof(self, *args: _Scalar, decode: bool | None = None) -> Self: ...
    def restore(
        self, name: _Scalar, ttl: int | timedelta, value: _Scalar, replace: bool = False,
        absttl: bool = False, idletime: int | None = None, frequency: int | None = None, *,
        decode: bool | None = None,
    ) -> Self: ...
    def role(self, *, decode: bool | None = None) -> Self: ...
    def rpop(
        self, name: _Scalar, count: int | None = None, *, decode: bool | None = None,
    ) -> Self: ...
    def rpoplpush(self, src: _Scalar, dst: _Scalar, *, decode: bool | None = None) -> Self: ...
    def rpush(self, name: _Scalar, *values: _Scalar, decode: bool | None = None) -> Self: ...
    def rpushx(self, name: _Scalar, *values: _Scalar, decode: bool | None = None) -> Self: ...
    def sadd(self, name: _Scalar, *values: _Scalar, decode: bool | None = None) -> Self: ...
    def save(self, *, decode: bool | None = None) -> Self: ...
    def scan(
        self, cursor: int = 0, match: _Scalar | None = None, count: int | None = None,
        _type: _Scalar | None = None, *, decode: bool | None = None,
    ) -> Self: ...
    def scard(self, name: _Scalar, *, decode: bool | None = None) -> Self: ...
    def sdiff(
        self, keys: _Scalar | Iterable[_Scalar], *args: _Scalar, decode: bool | None = None,
    ) -> Self: ...
    def sdiffstore(
        self, dest: _Scalar, keys: _Scalar | Iterable[_Scalar], *args: _Scalar,
        decode: bool | None = None,
    ) -> Self: ...
    def set(
        self, name: _Scalar, value: _Scalar, ex: int | timedelta | None = None,
        px: int | timedelta | None = None, nx: bool = False, xx: bool = False,
        keepttl: bool = False, get: bool = False, exat: int | datetime | None = None,
        pxat: int | datetime | None = None, ifeq: _Scalar | None = None,
        ifne: _Scalar | None = None, ifdeq: _Scalar | None = None, ifdne: _Scalar | None = None, *,
        decode: bool | None = None,
    ) -> Self: ...
    def setex(
        self, name: _Scalar, time: int | timedelta, value: _Scalar, *, decode: bool | None = None,
    ) -> Self: ...
    def setnx(self, name: _Scalar, value: _Scalar, *, decode: bool | None = None) -> Self: ...
    def setrange(
        self, name: _Scalar, offset: int, value: _Scalar, *, decode: bool | None = None,
    ) -> Self: ...
    def sinter(
        self, keys: _Scalar | Iterable[_Scalar], *args: _Scalar, decode: bool | None = None,
    ) -> Self: ...
    def sintercard(
        self, numkeys: int, keys: _Scalar | Iterable[_Scalar], limit: int = 0, *,
        decode: bool | None = None,
    ) -> Self: ...
    def sinterstore(
        self, dest: _Scalar, keys: _Scalar | Iterable[_Scalar], *args: _Scalar,
        decode: bool | None = None,
    ) -> Self: ...
    def sismember(self, name: _Scalar, value: _Scalar, *, decode: bool | None = None) -> Self: ...
    def slaveof(
        self, host: _Scalar | None = None, port: _Scalar | None = None, *,
        decode: bool | None = None,
    ) -> Self: ...
    def slowlog_get(self, num: int | None = None, *, decode: bool | None = None) -> Self: ...
    def slowlog_len(self, *, decode: bool | None = None) -> Self: ...
    def slowlog_reset(self, *, decode: bool | None = None) -> Self: ...
    def smembers(self, name: _Scalar, *, decode: bool | None = None) -> Self: ...
    def smismember(
        self, name: _Scalar, values: _Scalar | Iterable[_Scalar], *args: _Scalar,
        decode: bool | None = None,
    ) -> Self: ...
    def smove(
        self, src: _Scalar, dst: _Scalar, value: _Scalar, *, decode: bool | None = None,
    ) -> Self: ...
    def sort(
        self, name: _Scalar, start: int | None = None, num: int | None = None,
        by: _Scalar | None = None, get: _Scalar | Iterable[_Scalar] | None = None,
        desc: bool = False, alpha: bool = False, store: _Scalar | None = None, *,
        decode: bool | None = None,
    ) -> Self: ...
    def sort_ro(
        self, key: _Scalar, start: int | None = None, num: int | None = None,
        by: _Scalar | None = None, get: _Scalar | Iterable[_Scalar] | None = None,
        desc: bool = False, alpha: bool = False, *, decode: bool | None = None,
    ) -> Self: ...
    def spop(
        self, name: _Scalar, count: int | None = None, *, decode: bool | None = None,
    ) -> Self: ...
    def srandmember(
        self, name: _Scalar, number: int | None = None, *, decode: bool | None = None,
    ) -> Self: ...
    def srem(self, name: _Scalar, *values: _Scalar, decode: bool | None = None) -> Self: ...
    def sscan(
        self, name: _Scalar, cursor: int = 0, match: _Scalar | None = None,
        count: int | None = None, *, decode: bool | None = None,
    ) -> Self: ...
    def strlen(self, name: _Scalar, *, decode: bool | None = None) -> Self: ...
    def substr(
        self, name: _Scalar, start: int, end: int = -1, *, decode: bool | None = None,
    ) -> Self: ...
    def sunion(
        self, keys: _Scalar | Iterable[_Scalar], *args: _Scalar, decode: bool | None = None,
    ) -> Self: ...
    def sunionstore(
        self, dest: _Scalar, keys: _Scalar | Iterable[_Scalar], *args: _Scalar,
        decode: bool | None = None,
    ) -> Self: ...
    def swapdb(self, first: int, second: int, *, decode: bool | None = None) -> Self: ...
    def time(self, *, decode: bool | None = None) -> Self: ...
    def touch(self, *args: _Scalar, decode: bool | None = None) -> Self: ...
    def ttl(self, name: _Scalar, *, decode: bool | None = None) -> Self: ...
    def type(self, name: _Scalar, *, decode: bool | None = None) -> Self: ...
    def unlink(self, *names: _Scalar, decode: bool | None = None) -> Self: ...
    def wait(self, num_replicas: int, timeout: int, *, decode: bool | None = None) -> Self: ...
    def waitaof(
        self, num_local: int, num_replicas: int, timeout: int, *, decode: bool | None = None,
    ) -> Self: ...
    def zadd(
        self, name: _Scalar, mapping: Mapping[_K, float | str], nx: bool = False, xx: bool = False,
        ch: bool = False, incr: bool = False, gt: bool = False, lt: bool = False, *,
        decode: bool | None = None,
    ) -> Self: ...
    def zcard(self, name: _Scalar, *, decode: bool | None = None) -> Self: ...
    def zcount(
        self, name: _Scalar, min: _Scalar, max: _Scalar, *, decode: bool | None = None,
    ) -> Self: ...
    def zdiff(
        self, keys: _Scalar | Iterable[_Scalar], withscores: bool = False, *,
        decode: bool | None = None,
    ) -> Self: ...
    def zdiffstore(
        self, dest: _Scalar, keys: _Scalar | Iterable[_Scalar], *, decode: bool | None = None,
    ) -> Self: ...
    def zincrby(
        self, name: _Scalar, amount: float, value: _Scalar, *, decode: bool | None = None,
    ) -> Self: ...
    def zinter(
        self, keys: _Scalar | Iterable[_Scalar] | Mapping[_K, float],
        aggregate: _Aggregate | None = None, withscores: bool = False, *,
        decode: bool | None = None,
    ) -> Self: ...
    def zintercard(
        self, numkeys: int, keys: _Scalar | Iterable[_Scalar], limit: int = 0, *,
        decode: bool | None = None,
    ) -> Self: ...
    def zinterstore(
        self, dest: _Scalar, keys: _Scalar | Iterable[_Scalar] | Mapping[_K, float],
        aggregate: _Aggregate | None = None, *, decode: bool | None = None,
    ) -> Self: ...
    def zlexcount(
        self, name: _Scalar, min: _Scalar, max: _Scalar, *, decode: bool | None = None,
    ) -> Self: ...
    def zmpop(
        self, num_keys: int, keys: _Scalar | Iterable[_Scalar], min: bool = False,
        max: bool = False, count: int | None = None, *, decode: bool | None = None,
    ) -> Self: ...
    def zmscore(
        self, key: _Scalar, members: _Scalar | Iterable[_Scalar], *, decode: bool | None = None,
    ) -> Self: ...
    def zpopmax(
        self, name: _Scalar, count: int | None = None, *, decode: bool | None = None,
    ) -> Self: ...
    def zpopmin(
        self, name: _Scalar, count: int | None = None, *, decode: bool | None = None,
    ) -> Self: ...
    def zrandmember(
        self, key: _Scalar, count: int | None = None, withscores: bool = False, *,
        decode: bool | None = None,
    ) -> Self: ...
    def zrange(
        self, name: _Scalar, start: _Scalar, end: _Scalar, desc: bool = False,
        withscores: bool = False, *, byscore: bool = False, bylex: bool = False,
        offset: int | None = None, num: int | None = None, decode: bool | None = None,
    ) -> Self: ...
    def zrangebylex(
        self, name: _Scalar, min: _Scalar, max: _Scalar, start: int | None = None,
        num: int | None = None, *, decode: bool | None = None,
    ) -> Self: ...
    def zrangebyscore(
        self, name: _Scalar, min: _Scalar, max: _Scalar, start: int | None = None,
        num: int | None = None, withscores: bool = False, *, decode: bool | None = None,
    ) -> Self: ...
    def zrangestore(
        self, dest: _Scalar, name: _Scalar, start: _Scalar, end: _Scalar, byscore: bool = False,
        bylex: bool = False, desc: bool = False, offset: int | None = None, num: int | None = None,
        *, decode: bool | None = None,
    ) -> Self: ...
    def zrank(
        self, name: _Scalar, value: _Scalar, withscore: bool = False, *, decode: bool | None = None,
    ) -> Self: ...
    def zrem(self, name: _Scalar, *values: _Scalar, decode: bool | None = None) -> Self: ...
    def zremrangebylex(
        self, name: _Scalar, min: _Scalar, max: _Scalar, *, decode: bool | None = None,
    ) -> Self: ...
    def zremrangebyrank(
        self, name: _Scalar, min: int, max: int, *, decode: bool | None = None,
    ) -> Self: ...
    def zremrangebyscore(
        self, name: _Scalar, min: _Scalar, max: _Scalar, *, decode: bool | None = None,
    ) -> Self: ...
    def zrevrange(
        self, name: _Scalar, start: int, end: int, withscores: bool = False, *,
        decode: bool | None = None,
    ) -> Self: ...
    def zrevrangebylex(
        self, name: _Scalar, max: _Scalar, min: _Scalar, start: int | None = None,
        num: int | None = None, *, decode: bool | None = None,
    ) -> Self: ...
    def zrevrangebyscore(
        self, name: _Scalar, max: _Scalar, min: _Scalar, start: int | None = None,
        num: int | None = None, withscores: bool = False, *, decode: bool | None = None,
    ) -> Self: ...
    def zrevrank(
        self, name: _Scalar, value: _Scalar, withscore: bool = False, *, decode: bool | None = None,
    ) -> Self: ...
    def zscan(
        self, name: _Scalar, cursor: int = 0, match: _Scalar | None = None,
        count: int | None = None, *, decode: bool | None = None,
    ) -> Self: ...
    def zscore(self, name: _Scalar, value: _Scalar, *, decode: bool | None = None) -> Self: ...
    def zunion(
        self, keys: _Scalar | Iterable[_Scalar] | Mapping[_K, float],
        aggregate: _Aggregate | None = None, withscores: bool = False, *,
        decode: bool | None = None,
    ) -> Self: ...
    def zunionstore(
        self, dest: _Scalar, keys: _Scalar | Iterable[_Scalar] | Mapping[_K, float],
        aggregate: _Aggregate | None = None, *, decode: bool | None = None,
    ) -> Self: ...

class Pipeline(_Commands, _core.SyncPipeline):
    def __enter__(self) -> Self: ...
    def __exit__(self, *error: builtins.object) -> None: ...

class AsyncPipeline(_Commands, _core.AsyncPipeline):
    async def __aenter__(self) -> Self: ...
    async def __aexit__(self, *error: builtins.object) -> None: ...
