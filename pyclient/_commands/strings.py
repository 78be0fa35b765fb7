"""Commands on strings, which numbers are too."""

from __future__ import annotations

from .._spec import (
    BOOL,
    FLOAT,
    INT,
    OK,
    OK_OR_NONE,
    OPTIONALS,
    VALUE,
    VALUE_OR_NONE,
    Command,
    Reply,
)

EXPIRY = "[EX ex:seconds | PX px:milliseconds | EXAT exat:at | PXAT pxat:at_ms"

COMMANDS = (
    Command(
        "append",
        "key, value",
        "APPEND key value",
        INT,
        "Add to the end of a value, which is made when it is not there. Returns the new length.",
    ),
    Command(
        "decr",
        "name, amount=1",
        "DECRBY name amount:int",
        INT,
        "Take an amount from a number; no value counts as 0. Returns the new number.",
    ),
    Command(
        "decrby",
        "name, amount=1",
        "DECRBY name amount:int",
        INT,
        "The same as decr().",
    ),
    Command(
        "delifeq",
        "name, value",
        "DELIFEQ name value",
        BOOL,
        "Delete a key if its value is the given one. Returns whether it was. Since Valkey 9.0.",
    ),
    Command(
        "get",
        "name",
        "GET name",
        VALUE_OR_NONE,
        "Returns the value of a key, None when there is none.",
    ),
    Command(
        "getdel",
        "name",
        "GETDEL name",
        VALUE_OR_NONE,
        "Delete a key. Returns the value it had, or None. Since 6.2.",
    ),
    Command(
        "getex",
        "name, ex=None, px=None, exat=None, pxat=None, persist=False",
        f"GETEX name {EXPIRY} | PERSIST]",
        VALUE_OR_NONE,
        "Read a value and change when it expires, or that it does. Returns it, or None. Since 6.2.",
    ),
    Command(
        "getrange",
        "key, start, end",
        "GETRANGE key start:int end:int",
        VALUE,
        "Returns the part of a value from one position to another, both included; negative ones "
        "count from the end.",
    ),
    Command(
        "getset",
        "name, value",
        "GETSET name value",
        VALUE_OR_NONE,
        "Set a value. Returns the one before, or None. set() with get=True does more.",
    ),
    Command(
        "incr",
        "name, amount=1",
        "INCRBY name amount:int",
        INT,
        "Add an amount to a number; no value counts as 0. Returns the new number.",
    ),
    Command(
        "incrby",
        "name, amount=1",
        "INCRBY name amount:int",
        INT,
        "The same as incr().",
    ),
    Command(
        "incrbyfloat",
        "name, amount=1.0",
        "INCRBYFLOAT name amount:float",
        FLOAT,
        "Add an amount to a floating point number. Returns the new number.",
    ),
    Command(
        "lcs",
        "key1, key2, len=False, idx=False, minmatchlen=None, withmatchlen=False",
        "LCS key1 key2 [LEN | IDX] [MINMATCHLEN minmatchlen:int] [WITHMATCHLEN]",
        VALUE,
        "Returns the longest common subsequence of two values, its length, or with idx a dict of "
        "the length and the matching ranges. Since 7.0.",
        when={"len": INT, "idx": Reply("map", "dict[str, Any]")},
        post="text_keys",
    ),
    Command(
        "mget",
        "keys, *args",
        "MGET keys... args...",
        OPTIONALS,
        "Returns the values of several keys in their order, None for those without.",
    ),
    Command(
        "mset",
        "mapping",
        "MSET {mapping}",
        OK,
        "Set several keys to their values at once. Returns True.",
    ),
    Command(
        "msetex",
        "mapping, data_persist_option=None, ex=None, px=None, exat=None, pxat=None, keepttl=False",
        f"MSETEX #mapping {{mapping}} [data_persist_option:NX|XX] {EXPIRY} | KEEPTTL]",
        BOOL,
        "Set several keys with one time to live; NX or XX: only if none, or all, are there. "
        "Returns whether they were set. Since Valkey 9.1.",
    ),
    Command(
        "msetnx",
        "mapping",
        "MSETNX {mapping}",
        BOOL,
        "Set several keys if none of them is there. Returns whether they were set.",
    ),
    Command(
        "psetex",
        "name, time_ms, value",
        "PSETEX name time_ms:milliseconds value",
        OK,
        "Set a value and the milliseconds that it lives. Returns True. set() with px does more.",
    ),
    Command(
        "set",
        "name, value, ex=None, px=None, nx=False, xx=False, keepttl=False, get=False, exat=None, "
        "pxat=None, ifeq=None, ifne=None, ifdeq=None, ifdne=None",
        f"SET name value {EXPIRY} | KEEPTTL] "
        "[NX | XX | IFEQ ifeq | IFNE ifne | IFDEQ ifdeq | IFDNE ifdne] [GET]",
        OK_OR_NONE,
        "Set a value. Returns True, None when a condition kept it from being set, or with get=True "
        "(since 6.2) the value before. ifeq: since Valkey 8.1 and Redis 8.4; the other "
        "comparisons: Redis 8.4.",
        when={"get": VALUE_OR_NONE},
    ),
    Command(
        "setex",
        "name, time, value",
        "SETEX name time:seconds value",
        OK,
        "Set a value and the seconds that it lives. Returns True. set() with ex does more.",
    ),
    Command(
        "setnx",
        "name, value",
        "SETNX name value",
        BOOL,
        "Set a value if the key is not there. Returns whether it was set. set() with nx does more.",
    ),
    Command(
        "setrange",
        "name, offset, value",
        "SETRANGE name offset:int value",
        INT,
        "Overwrite a part of a value from a position on. Returns the length after that.",
    ),
    Command(
        "strlen",
        "name",
        "STRLEN name",
        INT,
        "Returns the length of a value in bytes, 0 when there is none.",
    ),
    Command(
        "substr",
        "name, start, end=-1",
        "SUBSTR name start:int end:int",
        VALUE,
        "The old name of getrange(), with an end that may be left out.",
    ),
)
