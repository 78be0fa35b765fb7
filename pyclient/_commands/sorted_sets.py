"""Commands on sorted sets. Scores are floats in every reply."""

from __future__ import annotations

from .._spec import (
    FLOAT,
    FLOAT_OR_NONE,
    FLOATS,
    INT,
    INT_OR_NONE,
    SCORED,
    VALUE_OR_NONE,
    VALUES,
    Command,
    Reply,
)

KEYED_SCORED = Reply("keyed_scored", "tuple[bytes, list[tuple[bytes, float]]] | None")
KEY_MEMBER_SCORE = Reply("scored3", "tuple[bytes, bytes, float] | None")
RANK_AND_SCORE = Reply("rank_score", "tuple[int, float] | None")

SCORES = {"withscores": SCORED}
AGGREGATE = "[AGGREGATE aggregate:SUM|MIN|MAX]"

COMMANDS = (
    Command(
        "bzmpop",
        "timeout, numkeys, keys, min=False, max=False, count=1",
        "BZMPOP timeout:timeout numkeys#keys keys... (MIN | MAX) COUNT count:int",
        KEYED_SCORED,
        "zmpop() that waits for members, at most for some seconds (0: for ever). Returns None when "
        "none came. Since 7.0.",
    ),
    Command(
        "bzpopmax",
        "keys, timeout=0",
        "BZPOPMAX keys... timeout:timeout",
        KEY_MEMBER_SCORE,
        "bzpopmin() for the highest score.",
        post="as_tuple",
    ),
    Command(
        "bzpopmin",
        "keys, timeout=0",
        "BZPOPMIN keys... timeout:timeout",
        KEY_MEMBER_SCORE,
        "Remove the member with the lowest score from the first of the sorted sets that has any, "
        "waiting at most for some seconds (0: for ever). Returns (key, member, score), or None "
        "when none came.",
        post="as_tuple",
    ),
    Command(
        "zadd",
        "name, mapping, nx=False, xx=False, ch=False, incr=False, gt=False, lt=False",
        "ZADD name [NX | XX] [GT | LT] [CH] [INCR] <scores mapping incr>",
        INT,
        "Set the scores of {member: score}; nx: add only, xx: change only, gt and lt (since 6.2): "
        "raise or lower only. Returns how many members are new, with ch how many new or changed, "
        "with incr the score that the one member has after adding to it, None when a condition "
        "kept it from that.",
        when={"incr": FLOAT_OR_NONE},
        excludes="nx gt, nx lt",
    ),
    Command(
        "zcard",
        "name",
        "ZCARD name",
        INT,
        "Returns how many members a sorted set has.",
    ),
    Command(
        "zcount",
        "name, min, max",
        "ZCOUNT name min max",
        INT,
        'Returns how many members have a score in a range; "(1" excludes the bound.',
    ),
    Command(
        "zdiff",
        "keys, withscores=False",
        "ZDIFF #keys keys... [WITHSCORES]",
        VALUES,
        "Returns the members of the first sorted set that are in none of the others; withscores "
        "as (member, score). Since 6.2.",
        when=SCORES,
    ),
    Command(
        "zdiffstore",
        "dest, keys",
        "ZDIFFSTORE dest #keys keys...",
        INT,
        "Store what zdiff() gives. Returns how many members that has. Since 6.2.",
    ),
    Command(
        "zincrby",
        "name, amount, value",
        "ZINCRBY name amount:float value",
        FLOAT,
        "Add an amount to a member's score; no member counts as 0. Returns the new score.",
    ),
    Command(
        "zinter",
        "keys, aggregate=None, withscores=False",
        f"ZINTER <weighted keys> {AGGREGATE} [WITHSCORES]",
        VALUES,
        "Returns the members that all of the sorted sets have; withscores as (member, score), the "
        "score being the sum, or what aggregate says, of the scores times the weights of a "
        "{key: weight}. Since 6.2.",
        when=SCORES,
    ),
    Command(
        "zintercard",
        "numkeys, keys, limit=0",
        "ZINTERCARD numkeys#keys keys... LIMIT limit:int",
        INT,
        "Returns how many members zinter() would give, counting no further than a limit (0: "
        "none). Since 7.0.",
    ),
    Command(
        "zinterstore",
        "dest, keys, aggregate=None",
        f"ZINTERSTORE dest <weighted keys> {AGGREGATE}",
        INT,
        "Store what zinter() gives. Returns how many members that has.",
    ),
    Command(
        "zlexcount",
        "name, min, max",
        "ZLEXCOUNT name min max",
        INT,
        'Returns how many members, all of one score, are in an alphabetic range such as "[a" to '
        '"(c", or "-" to "+".',
    ),
    Command(
        "zmpop",
        "num_keys, keys, min=False, max=False, count=None",
        "ZMPOP num_keys#keys keys... (MIN | MAX) [COUNT count:int]",
        KEYED_SCORED,
        "Remove one or several members with the lowest or highest scores from the first of the "
        "sorted sets that has any. Returns (key, [(member, score), ...]), or None. Since 7.0.",
    ),
    Command(
        "zmscore",
        "key, members",
        "ZMSCORE key members...",
        FLOATS,
        "Returns the scores of members in their order, None for those that are not there. Since "
        "6.2.",
    ),
    Command(
        "zpopmax",
        "name, count=None",
        "ZPOPMAX name [count:int]",
        SCORED,
        "zpopmin() for the highest scores.",
    ),
    Command(
        "zpopmin",
        "name, count=None",
        "ZPOPMIN name [count:int]",
        SCORED,
        "Remove the member with the lowest score, or a number of them. Returns a list of "
        "(member, score).",
    ),
    Command(
        "zrandmember",
        "key, count=None, withscores=False",
        "ZRANDMEMBER key [count:int [WITHSCORES]]",
        VALUE_OR_NONE,
        "Returns some member, or None; with a count a list of that many different ones (negative: "
        "with repeats), withscores one of (member, score). Since 6.2.",
        when={"count": VALUES, "count withscores": SCORED},
    ),
    Command(
        "zrange",
        "name, start, end, desc=False, withscores=False, *, byscore=False, bylex=False, "
        "offset=None, num=None",
        "ZRANGE name start end [REV?desc] [WITHSCORES] [BYSCORE | BYLEX] "
        "[LIMIT offset:int num:int]",
        VALUES,
        "Returns the members from one rank to another, both included, or between two scores or "
        "names; withscores as (member, score). The options but withscores: since 6.2. With desc "
        "the range by score or name begins with the higher bound.",
        when=SCORES,
        excludes="withscores bylex",
    ),
    Command(
        "zrangebylex",
        "name, min, max, start=None, num=None",
        "ZRANGEBYLEX name min max [LIMIT start:int num:int]",
        VALUES,
        "Returns the members, all of one score, that are in an alphabetic range; start and num "
        "choose a part of them.",
    ),
    Command(
        "zrangebyscore",
        "name, min, max, start=None, num=None, withscores=False",
        "ZRANGEBYSCORE name min max [LIMIT start:int num:int] [WITHSCORES]",
        VALUES,
        'Returns the members between two scores, the lowest first; withscores as (member, score). '
        '"(1" excludes the bound; start and num choose a part.',
        when=SCORES,
    ),
    Command(
        "zrangestore",
        "dest, name, start, end, byscore=False, bylex=False, desc=False, offset=None, num=None",
        "ZRANGESTORE dest name start end [BYSCORE | BYLEX] [REV?desc] [LIMIT offset:int num:int]",
        INT,
        "Store what zrange() gives. Returns how many members that has. Since 6.2.",
    ),
    Command(
        "zrank",
        "name, value, withscore=False",
        "ZRANK name value [WITHSCORE]",
        INT_OR_NONE,
        "Returns how many members have a lower score, None when the member is not there; "
        "withscore (since 7.2) as (rank, score).",
        when={"withscore": RANK_AND_SCORE},
    ),
    Command(
        "zrem",
        "name, *values",
        "ZREM name values...",
        INT,
        "Remove members. Returns how many were there.",
    ),
    Command(
        "zremrangebylex",
        "name, min, max",
        "ZREMRANGEBYLEX name min max",
        INT,
        "Remove the members that are in an alphabetic range. Returns how many.",
    ),
    Command(
        "zremrangebyrank",
        "name, min, max",
        "ZREMRANGEBYRANK name min:int max:int",
        INT,
        "Remove the members from one rank to another, both included. Returns how many.",
    ),
    Command(
        "zremrangebyscore",
        "name, min, max",
        "ZREMRANGEBYSCORE name min max",
        INT,
        "Remove the members between two scores. Returns how many.",
    ),
    Command(
        "zrevrange",
        "name, start, end, withscores=False",
        "ZREVRANGE name start:int end:int [WITHSCORES]",
        VALUES,
        "zrange() by rank, the highest score first.",
        when=SCORES,
    ),
    Command(
        "zrevrangebylex",
        "name, max, min, start=None, num=None",
        "ZREVRANGEBYLEX name max min [LIMIT start:int num:int]",
        VALUES,
        "zrangebylex() the other way round; the higher bound comes first.",
    ),
    Command(
        "zrevrangebyscore",
        "name, max, min, start=None, num=None, withscores=False",
        "ZREVRANGEBYSCORE name max min [LIMIT start:int num:int] [WITHSCORES]",
        VALUES,
        "zrangebyscore() the other way round; the higher bound comes first.",
        when=SCORES,
    ),
    Command(
        "zrevrank",
        "name, value, withscore=False",
        "ZREVRANK name value [WITHSCORE]",
        INT_OR_NONE,
        "zrank() counted from the highest score; withscore since 7.2.",
        when={"withscore": RANK_AND_SCORE},
    ),
    Command(
        "zscan",
        "name, cursor=0, match=None, count=None",
        "ZSCAN name cursor:int [MATCH match] [COUNT count:int]",
        Reply("scan_scored", "tuple[int, list[tuple[bytes, float]]]"),
        "Returns a part of the members as (member, score), behind the cursor to go on with: 0 at "
        "the end. zscan_iter() walks all of them.",
    ),
    Command(
        "zscore",
        "name, value",
        "ZSCORE name value",
        FLOAT_OR_NONE,
        "Returns a member's score, None when it is not there.",
    ),
    Command(
        "zunion",
        "keys, aggregate=None, withscores=False",
        f"ZUNION <weighted keys> {AGGREGATE} [WITHSCORES]",
        VALUES,
        "Returns the members that any of the sorted sets has; scores as zinter(). Since 6.2.",
        when=SCORES,
    ),
    Command(
        "zunionstore",
        "dest, keys, aggregate=None",
        f"ZUNIONSTORE dest <weighted keys> {AGGREGATE}",
        INT,
        "Store what zunion() gives. Returns how many members that has.",
    ),
)
