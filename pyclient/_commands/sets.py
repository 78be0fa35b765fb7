"""Commands on sets."""

from __future__ import annotations

from .._spec import BOOL, BOOLS, INT, MEMBERS, VALUE_OR_NONE, VALUES, Command, Reply
from .keys import SCAN

COMMANDS = (
    Command(
        "sadd",
        "name, *values",
        "SADD name values...",
        INT,
        "Add members to a set. Returns how many are new.",
    ),
    Command(
        "scard",
        "name",
        "SCARD name",
        INT,
        "Returns how many members a set has.",
    ),
    Command(
        "sdiff",
        "keys, *args",
        "SDIFF keys... args...",
        MEMBERS,
        "Returns the members of the first set that are in none of the others.",
    ),
    Command(
        "sdiffstore",
        "dest, keys, *args",
        "SDIFFSTORE dest keys... args...",
        INT,
        "Store what sdiff() gives. Returns how many members that has.",
    ),
    Command(
        "sinter",
        "keys, *args",
        "SINTER keys... args...",
        MEMBERS,
        "Returns the members that all the sets have.",
    ),
    Command(
        "sintercard",
        "numkeys, keys, limit=0",
        "SINTERCARD numkeys#keys keys... LIMIT limit:int",
        INT,
        "Returns how many members sinter() would give, counting no further than a limit (0: "
        "none). Since 7.0.",
    ),
    Command(
        "sinterstore",
        "dest, keys, *args",
        "SINTERSTORE dest keys... args...",
        INT,
        "Store what sinter() gives. Returns how many members that has.",
    ),
    Command(
        "sismember",
        "name, value",
        "SISMEMBER name value",
        BOOL,
        "Returns whether a value is in a set.",
    ),
    Command(
        "smembers",
        "name",
        "SMEMBERS name",
        MEMBERS,
        "Returns all members of a set.",
    ),
    Command(
        "smismember",
        "name, values, *args",
        "SMISMEMBER name values... args...",
        BOOLS,
        "Returns for each value whether it is in a set. Since 6.2.",
    ),
    Command(
        "smove",
        "src, dst, value",
        "SMOVE src dst value",
        BOOL,
        "Move a member from one set to another. Returns whether it was in the first.",
    ),
    Command(
        "spop",
        "name, count=None",
        "SPOP name [count:int]",
        Reply("set", "bytes | None"),
        "Remove and return some member, or None; with a count a set of that many.",
        when={"count": MEMBERS},
    ),
    Command(
        "srandmember",
        "name, number=None",
        "SRANDMEMBER name [number:int]",
        VALUE_OR_NONE,
        "Returns some member, or None; with a number a list of that many different ones "
        "(negative: with repeats).",
        when={"number": VALUES},
    ),
    Command(
        "srem",
        "name, *values",
        "SREM name values...",
        INT,
        "Remove members from a set. Returns how many were there.",
    ),
    Command(
        "sscan",
        "name, cursor=0, match=None, count=None",
        "SSCAN name cursor:int [MATCH match] [COUNT count:int]",
        SCAN,
        "Returns a part of the members, behind the cursor to go on with: 0 at the end. "
        "sscan_iter() walks all of them.",
    ),
    Command(
        "sunion",
        "keys, *args",
        "SUNION keys... args...",
        MEMBERS,
        "Returns the members that any of the sets has.",
    ),
    Command(
        "sunionstore",
        "dest, keys, *args",
        "SUNIONSTORE dest keys... args...",
        INT,
        "Store what sunion() gives. Returns how many members that has.",
    ),
)
