"""Commands on hashes."""

from __future__ import annotations

from .._spec import (
    BOOL,
    FIELDS,
    FLOAT,
    INT,
    INTS,
    OK,
    OPTIONALS,
    VALUE_OR_NONE,
    VALUES,
    Command,
    Reply,
)
from .keys import CONDITIONS, CONDITIONS_APART, SCAN
from .strings import EXPIRY

COMMANDS = (
    Command(
        "hdel",
        "name, *keys",
        "HDEL name keys...",
        INT,
        "Delete fields of a hash. Returns how many were there.",
    ),
    Command(
        "hexists",
        "name, key",
        "HEXISTS name key",
        BOOL,
        "Returns whether a hash has a field.",
    ),
    Command(
        "hexpire",
        "name, seconds, *fields, nx=False, xx=False, gt=False, lt=False",
        f"HEXPIRE name seconds:seconds {CONDITIONS} FIELDS #fields fields...",
        INTS,
        "Set how many seconds fields of a hash live; conditions as expire(). Returns for each: 1 "
        "when it was set, 0 when a condition kept it from that, 2 when the field was deleted at "
        "once, -2 when it is not there. Since Valkey 9.0.",
        excludes=CONDITIONS_APART,
    ),
    Command(
        "hexpireat",
        "name, unix_time_seconds, *fields, nx=False, xx=False, gt=False, lt=False",
        f"HEXPIREAT name unix_time_seconds:at {CONDITIONS} FIELDS #fields fields...",
        INTS,
        "Set when fields of a hash expire, in Unix seconds or as a datetime. Returns as hexpire(). "
        "Since Valkey 9.0.",
        excludes=CONDITIONS_APART,
    ),
    Command(
        "hexpiretime",
        "key, *fields",
        "HEXPIRETIME key FIELDS #fields fields...",
        INTS,
        "Returns when fields of a hash expire, in Unix seconds; -1: never, -2: not there. Since "
        "Valkey 9.0.",
    ),
    Command(
        "hget",
        "name, key",
        "HGET name key",
        VALUE_OR_NONE,
        "Returns the value of a field of a hash, None when there is none.",
    ),
    Command(
        "hgetall",
        "name",
        "HGETALL name",
        FIELDS,
        "Returns a hash as a dict, which is empty when there is no hash.",
    ),
    Command(
        "hgetdel",
        "name, *keys",
        "HGETDEL name FIELDS #keys keys...",
        OPTIONALS,
        "Delete fields of a hash. Returns the values they had, None for those without. Since "
        "Valkey 9.1.",
    ),
    Command(
        "hgetex",
        "name, *keys, ex=None, px=None, exat=None, pxat=None, persist=False",
        f"HGETEX name {EXPIRY} | PERSIST] FIELDS #keys keys...",
        OPTIONALS,
        "Read fields of a hash and change when they expire, or that they do. Returns their values, "
        "None for those without. Since Valkey 9.0.",
    ),
    Command(
        "hincrby",
        "name, key, amount=1",
        "HINCRBY name key amount:int",
        INT,
        "Add an amount to a field of a hash; no field counts as 0. Returns the new number.",
    ),
    Command(
        "hincrbyfloat",
        "name, key, amount=1.0",
        "HINCRBYFLOAT name key amount:float",
        FLOAT,
        "Add an amount to a floating point field of a hash. Returns the new number.",
    ),
    Command(
        "hkeys",
        "name",
        "HKEYS name",
        VALUES,
        "Returns the names of a hash's fields.",
    ),
    Command(
        "hlen",
        "name",
        "HLEN name",
        INT,
        "Returns how many fields a hash has.",
    ),
    Command(
        "hmget",
        "name, keys, *args",
        "HMGET name keys... args...",
        OPTIONALS,
        "Returns the values of several fields of a hash in their order, None for those without.",
    ),
    Command(
        "hmset",
        "name, mapping",
        "HMSET name {mapping}",
        OK,
        "Set fields of a hash. Returns True. hset() does the same and tells how many are new.",
    ),
    Command(
        "hpersist",
        "name, *fields",
        "HPERSIST name FIELDS #fields fields...",
        INTS,
        "Let fields of a hash live for ever. Returns for each: 1 when it had a time to live, -1 "
        "when it had none, -2 when it is not there. Since Valkey 9.0.",
    ),
    Command(
        "hpexpire",
        "name, milliseconds, *fields, nx=False, xx=False, gt=False, lt=False",
        f"HPEXPIRE name milliseconds:milliseconds {CONDITIONS} FIELDS #fields fields...",
        INTS,
        "hexpire() in milliseconds. Since Valkey 9.0.",
        excludes=CONDITIONS_APART,
    ),
    Command(
        "hpexpireat",
        "name, unix_time_milliseconds, *fields, nx=False, xx=False, gt=False, lt=False",
        f"HPEXPIREAT name unix_time_milliseconds:at_ms {CONDITIONS} FIELDS #fields fields...",
        INTS,
        "hexpireat() in milliseconds. Since Valkey 9.0.",
        excludes=CONDITIONS_APART,
    ),
    Command(
        "hpexpiretime",
        "key, *fields",
        "HPEXPIRETIME key FIELDS #fields fields...",
        INTS,
        "hexpiretime() in milliseconds. Since Valkey 9.0.",
    ),
    Command(
        "hpttl",
        "key, *fields",
        "HPTTL key FIELDS #fields fields...",
        INTS,
        "httl() in milliseconds. Since Valkey 9.0.",
    ),
    Command(
        "hrandfield",
        "key, count=None, withvalues=False",
        "HRANDFIELD key [count:int [WITHVALUES]]",
        VALUE_OR_NONE,
        "Returns some field of a hash, or None; with a count a list of that many different ones "
        "(negative: with repeats), withvalues one of (field, value). Since 6.2.",
        when={
            "count": VALUES,
            "count withvalues": Reply("pairs", "list[tuple[bytes, bytes]]"),
        },
    ),
    Command(
        "hscan",
        "name, cursor=0, match=None, count=None, no_values=None",
        "HSCAN name cursor:int [MATCH match] [COUNT count:int] [NOVALUES?no_values]",
        Reply("scan_map", "tuple[int, dict[bytes, bytes]]"),
        "Returns a part of a hash as a dict, with no_values (since Valkey 8.0) a list of its "
        "fields, behind the cursor to go on with: 0 at the end. hscan_iter() walks all of it.",
        when={"no_values": SCAN},
    ),
    Command(
        "hset",
        "name, key=None, value=None, mapping=None, items=None",
        "HSET name <pairs key value | mapping items>",
        INT,
        "Set fields of a hash: one, those of a mapping, or a list of fields and values in turn. "
        "Returns how many are new.",
    ),
    Command(
        "hsetex",
        "name, key=None, value=None, mapping=None, items=None, ex=None, px=None, exat=None, "
        "pxat=None, data_persist_option=None, keepttl=False",
        f"HSETEX name [data_persist_option:FNX|FXX] {EXPIRY} | KEEPTTL] "
        "FIELDS <counted_pairs key value mapping items>",
        BOOL,
        "Set fields of a hash as hset() does, and when they expire; FNX or FXX: only if none, or "
        "all, are there. Returns whether they were set. Since Valkey 9.0.",
    ),
    Command(
        "hsetnx",
        "name, key, value",
        "HSETNX name key value",
        BOOL,
        "Set a field of a hash if it is not there. Returns whether it was set.",
    ),
    Command(
        "hstrlen",
        "name, key",
        "HSTRLEN name key",
        INT,
        "Returns the length of a field's value in bytes, 0 when there is none.",
    ),
    Command(
        "httl",
        "key, *fields",
        "HTTL key FIELDS #fields fields...",
        INTS,
        "Returns how many seconds fields of a hash will live; -1: for ever, -2: not there. Since "
        "Valkey 9.0.",
    ),
    Command(
        "hvals",
        "name",
        "HVALS name",
        VALUES,
        "Returns the values of a hash's fields.",
    ),
)
