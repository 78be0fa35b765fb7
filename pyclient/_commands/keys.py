"""Commands on keys, whatever they hold."""

from __future__ import annotations

from .._spec import (
    BOOL,
    INT,
    INT_OR_NONE,
    OK,
    OPTIONALS,
    TEXT,
    TEXT_OR_NONE,
    VALUE_OR_NONE,
    VALUES,
    Command,
    Reply,
)

# NX goes with none of the others, GT not with LT.
CONDITIONS = "[NX] [XX] [GT] [LT]"
CONDITIONS_APART = "nx xx, nx gt, nx lt, gt lt"

SCAN = Reply("scan", "tuple[int, list[bytes]]")

COMMANDS = (
    Command(
        "copy",
        "source, destination, destination_db=None, replace=False",
        "COPY source destination [DB destination_db:int] [REPLACE]",
        BOOL,
        "Copy what a key holds to another. Returns False when it was not, since there is nothing "
        "to copy or the other is there already. Since 6.2.",
    ),
    Command(
        "delete",
        "*names",
        "DEL names...",
        INT,
        "Delete keys. Returns how many were there.",
    ),
    Command(
        "dump",
        "name",
        "DUMP name",
        VALUE_OR_NONE,
        "Returns what a key holds in a form that restore() takes, or None. Always bytes, unless "
        "the call itself says decode=True.",
        binary=True,
    ),
    Command(
        "exists",
        "*names",
        "EXISTS names...",
        INT,
        "Returns how many of the keys are there; one that is named twice counts twice.",
    ),
    Command(
        "expire",
        "name, time, nx=False, xx=False, gt=False, lt=False",
        f"EXPIRE name time:seconds {CONDITIONS}",
        BOOL,
        "Set how many seconds a key lives; nx, xx, gt, lt (since 7.0): only if it had no time to "
        "live, one, a shorter or a longer one. Returns whether it was set. A timedelta is rounded "
        "up to whole seconds.",
        excludes=CONDITIONS_APART,
    ),
    Command(
        "expireat",
        "name, when, nx=False, xx=False, gt=False, lt=False",
        f"EXPIREAT name when:at {CONDITIONS}",
        BOOL,
        "Set when a key expires, in Unix seconds or as a datetime. Conditions and result as "
        "expire().",
        excludes=CONDITIONS_APART,
    ),
    Command(
        "expiretime",
        "key",
        "EXPIRETIME key",
        INT,
        "Returns when a key expires, in Unix seconds; -1: never, -2: it is not there. Since 7.0.",
    ),
    Command(
        "keys",
        'pattern="*"',
        "KEYS pattern",
        VALUES,
        "Returns all keys that match a pattern. The server does nothing else meanwhile: scan() and "
        "scan_iter() are kinder.",
    ),
    Command(
        "migrate",
        "host, port, keys, destination_db, timeout, copy=False, replace=False, auth=None",
        'MIGRATE host port:int "" destination_db:int timeout:int [COPY] [REPLACE] [AUTH auth] '
        "KEYS keys...",
        OK,
        "Move keys to another server. Returns False when none of them is there. The timeout, in "
        "milliseconds, is for each pause of the transfer.",
        post="is_true",
    ),
    Command(
        "move",
        "name, db",
        "MOVE name db:int",
        BOOL,
        "Move a key to another database. Returns whether it was moved.",
    ),
    Command(
        "object",
        "infotype, key",
        "OBJECT infotype:ENCODING|FREQ|IDLETIME|REFCOUNT key",
        Reply("text", "str | int | None"),
        "Returns what one of the object_*() methods does, under the name that it has on the wire.",
    ),
    Command(
        "object_encoding",
        "key",
        "OBJECT ENCODING key",
        TEXT_OR_NONE,
        "Returns how the server stores what a key holds, None when the key is not there.",
    ),
    Command(
        "object_freq",
        "key",
        "OBJECT FREQ key",
        INT_OR_NONE,
        "Returns how often a key is used, on a logarithmic scale, where the eviction policy needs "
        "that; None when the key is not there.",
    ),
    Command(
        "object_idletime",
        "key",
        "OBJECT IDLETIME key",
        INT_OR_NONE,
        "Returns for how many seconds a key has not been used, None when it is not there.",
    ),
    Command(
        "object_refcount",
        "key",
        "OBJECT REFCOUNT key",
        INT_OR_NONE,
        "Returns how many references the server holds to what a key holds, None when the key is "
        "not there.",
    ),
    Command(
        "persist",
        "name",
        "PERSIST name",
        BOOL,
        "Let a key live for ever. Returns whether it had a time to live.",
    ),
    Command(
        "pexpire",
        "name, time, nx=False, xx=False, gt=False, lt=False",
        f"PEXPIRE name time:milliseconds {CONDITIONS}",
        BOOL,
        "expire() in milliseconds.",
        excludes=CONDITIONS_APART,
    ),
    Command(
        "pexpireat",
        "name, when, nx=False, xx=False, gt=False, lt=False",
        f"PEXPIREAT name when:at_ms {CONDITIONS}",
        BOOL,
        "expireat() in milliseconds.",
        excludes=CONDITIONS_APART,
    ),
    Command(
        "pexpiretime",
        "key",
        "PEXPIRETIME key",
        INT,
        "expiretime() in milliseconds. Since 7.0.",
    ),
    Command(
        "pttl",
        "name",
        "PTTL name",
        INT,
        "ttl() in milliseconds.",
    ),
    Command(
        "randomkey",
        "",
        "RANDOMKEY",
        VALUE_OR_NONE,
        "Returns some key of the database, None when it is empty.",
    ),
    Command(
        "rename",
        "src, dst",
        "RENAME src dst",
        OK,
        "Rename a key, in place of one that has that name already. Returns True.",
    ),
    Command(
        "renamenx",
        "src, dst",
        "RENAMENX src dst",
        BOOL,
        "Rename a key if none has that name. Returns whether it was renamed.",
    ),
    Command(
        "restore",
        "name, ttl, value, replace=False, absttl=False, idletime=None, frequency=None",
        "RESTORE name ttl:milliseconds value [REPLACE] [ABSTTL] "
        "[IDLETIME idletime:int | FREQ frequency:int]",
        OK,
        "Make a key of what dump() gave, with the milliseconds that it lives (0: for ever), or "
        "with absttl the time when it expires. Returns True.",
    ),
    Command(
        "scan",
        "cursor=0, match=None, count=None, _type=None",
        "SCAN cursor:int [MATCH match] [COUNT count:int] [TYPE _type]",
        SCAN,
        "Returns a part of the keys, behind the cursor to go on with: 0 at the end. scan_iter() "
        "walks all of them.",
    ),
    Command(
        "sort",
        "name, start=None, num=None, by=None, get=None, desc=False, alpha=False, store=None",
        "SORT name [LIMIT start:int num:int] [BY by] [GET get...]* [DESC] [ALPHA] [STORE store]",
        VALUES,
        "Returns the elements of a list, set or sorted set in order, or the values of other keys "
        "in that order; with store the number of elements stored.",
        when={"get": OPTIONALS, "store": INT, "get store": INT},
    ),
    Command(
        "sort_ro",
        "key, start=None, num=None, by=None, get=None, desc=False, alpha=False",
        "SORT_RO key [LIMIT start:int num:int] [BY by] [GET get...]* [DESC] [ALPHA]",
        VALUES,
        "sort() without store, which replicas answer too. Since 7.0.",
        when={"get": OPTIONALS},
    ),
    Command(
        "touch",
        "*args",
        "TOUCH args...",
        INT,
        "Make keys count as just used. Returns how many are there.",
    ),
    Command(
        "ttl",
        "name",
        "TTL name",
        INT,
        "Returns how many seconds a key will live; -1: for ever, -2: it is not there.",
    ),
    Command(
        "type",
        "name",
        "TYPE name",
        TEXT,
        'Returns what a key holds: "string", "list", "set", "zset", "hash" or "stream"; "none" '
        "when it is not there.",
    ),
    Command(
        "unlink",
        "*names",
        "UNLINK names...",
        INT,
        "Delete keys, their memory later and beside other work. Returns how many were there.",
    ),
    Command(
        "wait",
        "num_replicas, timeout",
        "WAIT num_replicas:int timeout:wait",
        INT,
        "Wait until replicas have received the writes that had been answered before this call, at "
        "most for some milliseconds (0: for ever). Returns how many have. It opens a connection of "
        "its own each time, since the server goes by when a connection was last used.",
    ),
    Command(
        "waitaof",
        "num_local, num_replicas, timeout",
        "WAITAOF num_local:int num_replicas:int timeout:wait",
        Reply("tuple2", "tuple[int, int]"),
        "wait() until writes are in the append-only files, here (num_local 0 or 1) and of "
        "replicas. Returns how many each. Since 7.2.",
    ),
)
