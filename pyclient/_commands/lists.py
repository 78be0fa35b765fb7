"""Commands on lists. Those that begin with "b" wait for elements, on a connection of their own."""

from __future__ import annotations

from .._spec import INT, INT_OR_NONE, OK, VALUE_OR_NONE, VALUES, VALUES_OR_NONE, Command, Reply
from .._spec import INTS as POSITIONS

KEYED = Reply("keyed", "tuple[bytes, list[bytes]] | None")
KEY_AND_VALUE = Reply("tuple2", "tuple[bytes, bytes] | None")
ENDS = "src:LEFT|RIGHT dest:LEFT|RIGHT"

COMMANDS = (
    Command(
        "blmove",
        'first_list, second_list, timeout, src="LEFT", dest="RIGHT"',
        f"BLMOVE first_list second_list {ENDS} timeout:timeout",
        VALUE_OR_NONE,
        "lmove() that waits for an element, at most for some seconds (0: for ever). Returns None "
        "when none came. Since 6.2.",
    ),
    Command(
        "blmpop",
        "timeout, numkeys, *args, direction, count=1",
        "BLMPOP timeout:timeout numkeys#args args... direction:LEFT|RIGHT COUNT count:int",
        KEYED,
        "lmpop() that waits for elements, at most for some seconds (0: for ever). Returns None "
        "when none came. Since 7.0.",
    ),
    Command(
        "blpop",
        "keys, timeout=0",
        "BLPOP keys... timeout:timeout",
        KEY_AND_VALUE,
        "Remove the first element of the first of the lists that has one, waiting at most for some "
        "seconds (0: for ever). Returns (key, element), or None when none came.",
    ),
    Command(
        "brpop",
        "keys, timeout=0",
        "BRPOP keys... timeout:timeout",
        KEY_AND_VALUE,
        "blpop() at the other end of the lists.",
    ),
    Command(
        "brpoplpush",
        "src, dst, timeout=0",
        "BRPOPLPUSH src dst timeout:timeout",
        VALUE_OR_NONE,
        "rpoplpush() that waits for an element, at most for some seconds (0: for ever). Returns "
        "None when none came.",
    ),
    Command(
        "lindex",
        "name, index",
        "LINDEX name index:int",
        VALUE_OR_NONE,
        "Returns the element at a position, negative ones counting from the end, or None.",
    ),
    Command(
        "linsert",
        "name, where, refvalue, value",
        "LINSERT name where:BEFORE|AFTER refvalue value",
        INT,
        "Insert an element before or after the first that has a value. Returns the list's new "
        "length, -1 when there is no such element, 0 when there is no list.",
    ),
    Command(
        "llen",
        "name",
        "LLEN name",
        INT,
        "Returns the length of a list.",
    ),
    Command(
        "lmove",
        'first_list, second_list, src="LEFT", dest="RIGHT"',
        f"LMOVE first_list second_list {ENDS}",
        VALUE_OR_NONE,
        "Move an element from an end of one list to an end of another. Returns it, or None. Since "
        "6.2.",
    ),
    Command(
        "lmpop",
        "num_keys, *args, direction, count=None",
        "LMPOP num_keys#args args... direction:LEFT|RIGHT [COUNT count:int]",
        KEYED,
        "Remove one or several elements from an end of the first of the lists that has any. "
        "Returns (key, elements), or None. Since 7.0.",
    ),
    Command(
        "lpop",
        "name, count=None",
        "LPOP name [count:int]",
        VALUE_OR_NONE,
        "Remove and return the first element, or None; with a count (since 6.2) a list of that "
        "many.",
        when={"count": VALUES_OR_NONE},
    ),
    Command(
        "lpos",
        "name, value, rank=None, count=None, maxlen=None",
        "LPOS name value [RANK rank:int] [COUNT count:int] [MAXLEN maxlen:int]",
        INT_OR_NONE,
        "Returns the position of the first element that has a value, or None; with a count a list "
        "of positions (0: all). Since 6.0.6.",
        when={"count": POSITIONS},
    ),
    Command(
        "lpush",
        "name, *values",
        "LPUSH name values...",
        INT,
        "Put elements before the first, one after the other. Returns the list's new length.",
    ),
    Command(
        "lpushx",
        "name, *values",
        "LPUSHX name values...",
        INT,
        "lpush() if the list is there. Returns its length.",
    ),
    Command(
        "lrange",
        "name, start, end",
        "LRANGE name start:int end:int",
        VALUES,
        "Returns the elements from one position to another, both included; negative ones count "
        "from the end.",
    ),
    Command(
        "lrem",
        "name, count, value",
        "LREM name count:int value",
        INT,
        "Remove elements that have a value: that many from the start, from the end (negative), or "
        "all (0). Returns how many were removed.",
    ),
    Command(
        "lset",
        "name, index, value",
        "LSET name index:int value",
        OK,
        "Replace the element at a position. Returns True.",
    ),
    Command(
        "ltrim",
        "name, start, end",
        "LTRIM name start:int end:int",
        OK,
        "Remove all elements but those from one position to another, both included. Returns True.",
    ),
    Command(
        "rpop",
        "name, count=None",
        "RPOP name [count:int]",
        VALUE_OR_NONE,
        "Remove and return the last element, or None; with a count (since 6.2) a list of that "
        "many.",
        when={"count": VALUES_OR_NONE},
    ),
    Command(
        "rpoplpush",
        "src, dst",
        "RPOPLPUSH src dst",
        VALUE_OR_NONE,
        "Move the last element of one list to the front of another. Returns it, or None.",
    ),
    Command(
        "rpush",
        "name, *values",
        "RPUSH name values...",
        INT,
        "Put elements behind the last. Returns the list's new length.",
    ),
    Command(
        "rpushx",
        "name, *values",
        "RPUSHX name values...",
        INT,
        "rpush() if the list is there. Returns its length.",
    ),
)
