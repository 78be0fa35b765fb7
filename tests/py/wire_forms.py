"""What calls become on the wire: each command of the table, and each option of it, at least once.

`differs` says why redis-py sends something else than we do, or nothing, for the same call. Options
may come in another order without that.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple


class Form(NamedTuple):
    make: Callable[[Any], Any]
    wire: str
    differs: str = ""


NOT_THERE = "redis-py has no such method"
REFUSED = "redis-py declares the method but refuses to run it"
ROUNDED_UP = "redis-py cuts what does not fit, so that half a second becomes 0, which is an error"
SAME_AS_ONE = "redis-py leaves the default out, which is the same"
NOT_IN_REDIS_PY = "redis-py has no such parameter"

MOMENT = datetime(2030, 1, 1, tzinfo=UTC)

# With a condition each, for the commands that take the same options.
EXPIRE = ("expire", "pexpire", "expireat", "pexpireat")
HASH_EXPIRE = ("hexpire", "hpexpire", "hexpireat", "hpexpireat")


STRINGS = [
    Form(lambda kv: kv.append("k", "v"), "APPEND k v"),
    Form(lambda kv: kv.decr("k"), "DECRBY k 1"),
    Form(lambda kv: kv.decr("k", 5), "DECRBY k 5"),
    Form(lambda kv: kv.decrby("k", amount=2), "DECRBY k 2"),
    Form(lambda kv: kv.delifeq("k", "v"), "DELIFEQ k v", NOT_THERE),
    Form(lambda kv: kv.get("k"), "GET k"),
    Form(lambda kv: kv.get(b"k"), "GET k"),
    Form(lambda kv: kv.get(7), "GET 7"),
    Form(lambda kv: kv.getdel("k"), "GETDEL k"),
    Form(lambda kv: kv.getex("k"), "GETEX k"),
    Form(lambda kv: kv.getex("k", ex=5), "GETEX k EX 5"),
    Form(lambda kv: kv.getex("k", ex=timedelta(minutes=1)), "GETEX k EX 60"),
    Form(lambda kv: kv.getex("k", ex=timedelta(seconds=1.5)), "GETEX k EX 2", ROUNDED_UP),
    Form(lambda kv: kv.getex("k", px=5), "GETEX k PX 5"),
    Form(lambda kv: kv.getex("k", exat=5), "GETEX k EXAT 5"),
    Form(lambda kv: kv.getex("k", exat=MOMENT), "GETEX k EXAT 1893456000"),
    Form(lambda kv: kv.getex("k", pxat=MOMENT), "GETEX k PXAT 1893456000000"),
    Form(lambda kv: kv.getex("k", persist=True), "GETEX k PERSIST"),
    Form(lambda kv: kv.getrange("k", 0, -1), "GETRANGE k 0 -1"),
    Form(lambda kv: kv.getset("k", "v"), "GETSET k v"),
    Form(lambda kv: kv.incr("k"), "INCRBY k 1"),
    Form(lambda kv: kv.incr("k", 5), "INCRBY k 5"),
    Form(lambda kv: kv.incrby("k", 5), "INCRBY k 5"),
    Form(lambda kv: kv.incrbyfloat("k"), "INCRBYFLOAT k 1"),
    Form(lambda kv: kv.incrbyfloat("k", 0.5), "INCRBYFLOAT k 0.5"),
    Form(lambda kv: kv.lcs("a", "b"), "LCS a b"),
    Form(lambda kv: kv.lcs("a", "b", len=True), "LCS a b LEN"),
    Form(
        lambda kv: kv.lcs("a", "b", idx=True, minmatchlen=4, withmatchlen=True),
        "LCS a b IDX MINMATCHLEN 4 WITHMATCHLEN",
    ),
    Form(lambda kv: kv.mget("k"), "MGET k"),
    Form(lambda kv: kv.mget(["a", "b"]), "MGET a b"),
    Form(lambda kv: kv.mget("a", "b", "c"), "MGET a b c"),
    Form(lambda kv: kv.mget(("a", "b"), "c"), "MGET a b c"),
    Form(lambda kv: kv.mget(key for key in "ab"), "MGET a b"),
    Form(lambda kv: kv.mset({"a": 1, "b": 2.5}), "MSET a 1 b 2.5"),
    Form(lambda kv: kv.msetex({"a": 1}), "MSETEX 1 a 1"),
    Form(lambda kv: kv.msetex({"a": 1, "b": 2}, ex=9), "MSETEX 2 a 1 b 2 EX 9"),
    Form(lambda kv: kv.msetex({"a": 1}, px=9), "MSETEX 1 a 1 PX 9"),
    Form(lambda kv: kv.msetex({"a": 1}, exat=MOMENT), "MSETEX 1 a 1 EXAT 1893456000"),
    Form(lambda kv: kv.msetex({"a": 1}, pxat=9), "MSETEX 1 a 1 PXAT 9"),
    Form(lambda kv: kv.msetex({"a": 1}, keepttl=True), "MSETEX 1 a 1 KEEPTTL"),
    Form(
        lambda kv: kv.msetex({"a": 1}, data_persist_option="nx"),
        "MSETEX 1 a 1 NX",
        "redis-py takes an enumeration of its own",
    ),
    Form(lambda kv: kv.msetnx({"a": 1}), "MSETNX a 1"),
    Form(lambda kv: kv.psetex("k", 5, "v"), "PSETEX k 5 v"),
    Form(lambda kv: kv.psetex("k", timedelta(seconds=5), "v"), "PSETEX k 5000 v"),
    Form(lambda kv: kv.set("k", "v"), "SET k v"),
    Form(lambda kv: kv.set("k", b""), "SET k ''"),
    Form(lambda kv: kv.set("k", "v", 30), "SET k v EX 30"),
    Form(lambda kv: kv.set("k", "v", ex=30), "SET k v EX 30"),
    Form(lambda kv: kv.set("k", "v", ex=timedelta(hours=1)), "SET k v EX 3600"),
    Form(lambda kv: kv.set("k", "v", ex=timedelta(milliseconds=1)), "SET k v EX 1", ROUNDED_UP),
    Form(lambda kv: kv.set("k", "v", px=30), "SET k v PX 30"),
    Form(lambda kv: kv.set("k", "v", px=timedelta(seconds=1.5)), "SET k v PX 1500"),
    Form(lambda kv: kv.set("k", "v", px=timedelta(microseconds=1)), "SET k v PX 1", ROUNDED_UP),
    Form(lambda kv: kv.set("k", "v", exat=30), "SET k v EXAT 30"),
    Form(lambda kv: kv.set("k", "v", exat=MOMENT), "SET k v EXAT 1893456000"),
    Form(lambda kv: kv.set("k", "v", pxat=30), "SET k v PXAT 30"),
    Form(lambda kv: kv.set("k", "v", pxat=MOMENT), "SET k v PXAT 1893456000000"),
    Form(lambda kv: kv.set("k", "v", keepttl=True), "SET k v KEEPTTL"),
    Form(lambda kv: kv.set("k", "v", nx=True), "SET k v NX"),
    Form(lambda kv: kv.set("k", "v", xx=True), "SET k v XX"),
    Form(lambda kv: kv.set("k", "v", get=True), "SET k v GET"),
    Form(lambda kv: kv.set("k", "v", ex=5, nx=True, get=True), "SET k v EX 5 NX GET"),
    Form(lambda kv: kv.set("k", "v", px=5, xx=True, get=True), "SET k v PX 5 XX GET"),
    Form(lambda kv: kv.set("k", "v", ifeq="w"), "SET k v IFEQ w"),
    Form(lambda kv: kv.set("k", "v", ifne="w"), "SET k v IFNE w"),
    Form(lambda kv: kv.set("k", "v", ifdeq="0a"), "SET k v IFDEQ 0a"),
    Form(lambda kv: kv.set("k", "v", ifdne="0a"), "SET k v IFDNE 0a"),
    Form(lambda kv: kv.setex("k", 5, "v"), "SETEX k 5 v"),
    Form(lambda kv: kv.setex("k", timedelta(minutes=2), "v"), "SETEX k 120 v"),
    Form(lambda kv: kv.setnx("k", "v"), "SETNX k v"),
    Form(lambda kv: kv.setrange("k", 3, "v"), "SETRANGE k 3 v"),
    Form(lambda kv: kv.strlen("k"), "STRLEN k"),
    Form(lambda kv: kv.substr("k", 1), "SUBSTR k 1 -1"),
    Form(lambda kv: kv.substr("k", 1, 3), "SUBSTR k 1 3"),
]

KEYS = [
    Form(lambda kv: kv.copy("a", "b"), "COPY a b"),
    Form(lambda kv: kv.copy("a", "b", destination_db=2, replace=True), "COPY a b DB 2 REPLACE"),
    Form(lambda kv: kv.delete("a"), "DEL a"),
    Form(lambda kv: kv.delete("a", b"b", 3), "DEL a b 3"),
    Form(lambda kv: kv.dump("k"), "DUMP k"),
    Form(lambda kv: kv.exists("a", "b"), "EXISTS a b"),
    Form(lambda kv: kv.expire("k", timedelta(seconds=0.2)), "EXPIRE k 1", ROUNDED_UP),
    Form(lambda kv: kv.pexpire("k", timedelta(seconds=0.2)), "PEXPIRE k 200"),
    Form(lambda kv: kv.expireat("k", MOMENT), "EXPIREAT k 1893456000"),
    Form(lambda kv: kv.pexpireat("k", MOMENT), "PEXPIREAT k 1893456000000"),
    Form(lambda kv: kv.expiretime("k"), "EXPIRETIME k"),
    Form(lambda kv: kv.keys(), "KEYS *"),
    Form(lambda kv: kv.keys("a*"), "KEYS a*"),
    Form(
        lambda kv: kv.migrate("h", 6380, ["a", "b"], 0, 5000),
        "MIGRATE h 6380 '' 0 5000 KEYS a b",
    ),
    Form(
        lambda kv: kv.migrate("h", 6380, "a", 0, 5000, copy=True, replace=True, auth="pw"),
        "MIGRATE h 6380 '' 0 5000 COPY REPLACE AUTH pw KEYS a",
    ),
    Form(lambda kv: kv.move("k", 1), "MOVE k 1"),
    Form(lambda kv: kv.object("ENCODING", "k"), "OBJECT ENCODING k"),
    Form(
        lambda kv: kv.object("refcount", "k"),
        "OBJECT REFCOUNT k",
        "redis-py sends the word as it is given",
    ),
    Form(lambda kv: kv.object_encoding("k"), "OBJECT ENCODING k", NOT_THERE),
    Form(lambda kv: kv.object_freq("k"), "OBJECT FREQ k", NOT_THERE),
    Form(lambda kv: kv.object_idletime("k"), "OBJECT IDLETIME k", NOT_THERE),
    Form(lambda kv: kv.object_refcount("k"), "OBJECT REFCOUNT k", NOT_THERE),
    Form(lambda kv: kv.persist("k"), "PERSIST k"),
    Form(lambda kv: kv.pexpiretime("k"), "PEXPIRETIME k"),
    Form(lambda kv: kv.pttl("k"), "PTTL k"),
    Form(lambda kv: kv.randomkey(), "RANDOMKEY"),
    Form(lambda kv: kv.rename("a", "b"), "RENAME a b"),
    Form(lambda kv: kv.renamenx("a", "b"), "RENAMENX a b"),
    Form(lambda kv: kv.restore("k", 0, b"x"), "RESTORE k 0 x"),
    Form(
        lambda kv: kv.restore("k", 5, b"x", replace=True, absttl=True, idletime=3),
        "RESTORE k 5 x REPLACE ABSTTL IDLETIME 3",
    ),
    Form(lambda kv: kv.restore("k", 0, b"x", frequency=3), "RESTORE k 0 x FREQ 3"),
    Form(lambda kv: kv.scan(), "SCAN 0"),
    Form(
        lambda kv: kv.scan(5, "a*", 10, "string"),
        "SCAN 5 MATCH a* COUNT 10 TYPE string",
    ),
    Form(lambda kv: kv.scan(cursor=5, _type="set"), "SCAN 5 TYPE set"),
    Form(lambda kv: kv.sort("k"), "SORT k"),
    Form(lambda kv: kv.sort("k", 1, 2), "SORT k LIMIT 1 2"),
    Form(lambda kv: kv.sort("k", by="w_*", get="v_*"), "SORT k BY w_* GET v_*"),
    Form(
        lambda kv: kv.sort("k", get=["#", "v_*"], desc=True, alpha=True, store="d"),
        "SORT k GET # GET v_* DESC ALPHA STORE d",
    ),
    Form(
        lambda kv: kv.sort_ro("k", start=1, num=2, by="w_*", get=["v_*"], desc=True, alpha=True),
        "SORT_RO k LIMIT 1 2 BY w_* GET v_* DESC ALPHA",
        "redis-py sends SORT, which replicas refuse",
    ),
    Form(lambda kv: kv.touch("a", "b"), "TOUCH a b"),
    Form(lambda kv: kv.ttl("k"), "TTL k"),
    Form(lambda kv: kv.type("k"), "TYPE k"),
    Form(lambda kv: kv.unlink("a", "b"), "UNLINK a b"),
    Form(lambda kv: kv.wait(1, 100), "WAIT 1 100"),
    Form(lambda kv: kv.waitaof(1, 0, 100), "WAITAOF 1 0 100"),
]

HASHES = [
    Form(lambda kv: kv.hdel("h", "a", "b"), "HDEL h a b"),
    Form(lambda kv: kv.hexists("h", "a"), "HEXISTS h a"),
    Form(lambda kv: kv.hexpire("h", timedelta(days=1), "a"), "HEXPIRE h 86400 FIELDS 1 a"),
    Form(lambda kv: kv.hexpireat("h", MOMENT, "a"), "HEXPIREAT h 1893456000 FIELDS 1 a"),
    Form(lambda kv: kv.hpexpireat("h", MOMENT, "a"), "HPEXPIREAT h 1893456000000 FIELDS 1 a"),
    Form(lambda kv: kv.hexpiretime("h", "a", "b"), "HEXPIRETIME h FIELDS 2 a b"),
    Form(lambda kv: kv.hget("h", "a"), "HGET h a"),
    Form(lambda kv: kv.hgetall("h"), "HGETALL h"),
    Form(lambda kv: kv.hgetdel("h", "a", "b"), "HGETDEL h FIELDS 2 a b"),
    Form(lambda kv: kv.hgetex("h", "a"), "HGETEX h FIELDS 1 a"),
    Form(lambda kv: kv.hgetex("h", "a", "b", ex=5), "HGETEX h EX 5 FIELDS 2 a b"),
    Form(lambda kv: kv.hgetex("h", "a", px=5), "HGETEX h PX 5 FIELDS 1 a"),
    Form(lambda kv: kv.hgetex("h", "a", exat=5), "HGETEX h EXAT 5 FIELDS 1 a"),
    Form(lambda kv: kv.hgetex("h", "a", pxat=5), "HGETEX h PXAT 5 FIELDS 1 a"),
    Form(lambda kv: kv.hgetex("h", "a", persist=True), "HGETEX h PERSIST FIELDS 1 a"),
    Form(lambda kv: kv.hincrby("h", "a"), "HINCRBY h a 1"),
    Form(lambda kv: kv.hincrby("h", "a", -2), "HINCRBY h a -2"),
    Form(lambda kv: kv.hincrbyfloat("h", "a"), "HINCRBYFLOAT h a 1"),
    Form(lambda kv: kv.hincrbyfloat("h", "a", 0.25), "HINCRBYFLOAT h a 0.25"),
    Form(lambda kv: kv.hkeys("h"), "HKEYS h"),
    Form(lambda kv: kv.hlen("h"), "HLEN h"),
    Form(lambda kv: kv.hmget("h", ["a", "b"]), "HMGET h a b"),
    Form(lambda kv: kv.hmget("h", "a", "b"), "HMGET h a b"),
    Form(lambda kv: kv.hmset("h", {"a": 1}), "HMSET h a 1"),
    Form(lambda kv: kv.hpersist("h", "a"), "HPERSIST h FIELDS 1 a"),
    Form(lambda kv: kv.hpexpiretime("h", "a"), "HPEXPIRETIME h FIELDS 1 a"),
    Form(lambda kv: kv.hpttl("h", "a"), "HPTTL h FIELDS 1 a"),
    Form(lambda kv: kv.hrandfield("h"), "HRANDFIELD h"),
    Form(lambda kv: kv.hrandfield("h", 2), "HRANDFIELD h 2"),
    Form(lambda kv: kv.hrandfield("h", 2, True), "HRANDFIELD h 2 WITHVALUES"),
    Form(lambda kv: kv.hscan("h"), "HSCAN h 0"),
    Form(
        lambda kv: kv.hscan("h", 5, match="a*", count=10, no_values=True),
        "HSCAN h 5 MATCH a* COUNT 10 NOVALUES",
    ),
    Form(
        lambda kv: kv.hscan("h", no_values=False),
        "HSCAN h 0",
        "redis-py sends NOVALUES for no_values=False too",
    ),
    Form(lambda kv: kv.hset("h", "a", 1), "HSET h a 1"),
    Form(lambda kv: kv.hset("h", mapping={"a": 1, "b": 2}), "HSET h a 1 b 2"),
    Form(lambda kv: kv.hset("h", items=["a", 1]), "HSET h a 1"),
    Form(lambda kv: kv.hset("h", "c", 3, {"a": 1}, ["b", 2]), "HSET h b 2 c 3 a 1"),
    Form(lambda kv: kv.hsetex("h", "a", 1), "HSETEX h FIELDS 1 a 1"),
    Form(lambda kv: kv.hsetex("h", mapping={"a": 1}, ex=5), "HSETEX h EX 5 FIELDS 1 a 1"),
    Form(lambda kv: kv.hsetex("h", items=["a", 1], px=5), "HSETEX h PX 5 FIELDS 1 a 1"),
    Form(lambda kv: kv.hsetex("h", "a", 1, exat=5), "HSETEX h EXAT 5 FIELDS 1 a 1"),
    Form(lambda kv: kv.hsetex("h", "a", 1, pxat=5), "HSETEX h PXAT 5 FIELDS 1 a 1"),
    Form(lambda kv: kv.hsetex("h", "a", 1, keepttl=True), "HSETEX h KEEPTTL FIELDS 1 a 1"),
    Form(
        lambda kv: kv.hsetex("h", "a", 1, data_persist_option="FXX"),
        "HSETEX h FXX FIELDS 1 a 1",
        "redis-py takes an enumeration of its own",
    ),
    Form(lambda kv: kv.hsetnx("h", "a", 1), "HSETNX h a 1"),
    Form(lambda kv: kv.hstrlen("h", "a"), "HSTRLEN h a"),
    Form(lambda kv: kv.httl("h", "a"), "HTTL h FIELDS 1 a"),
    Form(lambda kv: kv.hvals("h"), "HVALS h"),
]

LISTS = [
    Form(lambda kv: kv.blmove("a", "b", 5), "BLMOVE a b LEFT RIGHT 5"),
    Form(lambda kv: kv.blmove("a", "b", 0, "RIGHT", "LEFT"), "BLMOVE a b RIGHT LEFT 0"),
    Form(
        lambda kv: kv.blmpop(1.5, 2, "a", "b", direction="LEFT"),
        "BLMPOP 1.5 2 a b LEFT COUNT 1",
    ),
    Form(
        lambda kv: kv.blmpop(0, 1, "a", direction="RIGHT", count=3),
        "BLMPOP 0 1 a RIGHT COUNT 3",
    ),
    Form(lambda kv: kv.blpop("a"), "BLPOP a 0"),
    Form(lambda kv: kv.blpop(["a", "b"], 0.5), "BLPOP a b 0.5"),
    Form(lambda kv: kv.blpop("a", None), "BLPOP a 0"),
    Form(lambda kv: kv.brpop(["a", "b"], timeout=3), "BRPOP a b 3"),
    Form(lambda kv: kv.brpoplpush("a", "b"), "BRPOPLPUSH a b 0"),
    Form(lambda kv: kv.brpoplpush("a", "b", 2), "BRPOPLPUSH a b 2"),
    Form(lambda kv: kv.lindex("l", -1), "LINDEX l -1"),
    Form(lambda kv: kv.linsert("l", "BEFORE", "a", "b"), "LINSERT l BEFORE a b"),
    Form(
        lambda kv: kv.linsert("l", "after", "a", "b"),
        "LINSERT l AFTER a b",
        "redis-py sends the word as it is given",
    ),
    Form(lambda kv: kv.llen("l"), "LLEN l"),
    Form(lambda kv: kv.lmove("a", "b"), "LMOVE a b LEFT RIGHT"),
    Form(lambda kv: kv.lmove("a", "b", "RIGHT", "LEFT"), "LMOVE a b RIGHT LEFT"),
    Form(lambda kv: kv.lmpop(2, "a", "b", direction="LEFT"), "LMPOP 2 a b LEFT"),
    Form(lambda kv: kv.lmpop(1, "a", direction="RIGHT", count=2), "LMPOP 1 a RIGHT COUNT 2"),
    Form(
        lambda kv: kv.lmpop(1, "a", direction="RIGHT", count=1),
        "LMPOP 1 a RIGHT COUNT 1",
        SAME_AS_ONE,
    ),
    Form(lambda kv: kv.lpop("l"), "LPOP l"),
    Form(lambda kv: kv.lpop("l", 2), "LPOP l 2"),
    Form(lambda kv: kv.lpos("l", "v"), "LPOS l v"),
    Form(
        lambda kv: kv.lpos("l", "v", rank=-1, count=0, maxlen=9),
        "LPOS l v RANK -1 COUNT 0 MAXLEN 9",
    ),
    Form(lambda kv: kv.lpush("l", "a", "b"), "LPUSH l a b"),
    Form(lambda kv: kv.lpushx("l", "a"), "LPUSHX l a"),
    Form(lambda kv: kv.lrange("l", 0, -1), "LRANGE l 0 -1"),
    Form(lambda kv: kv.lrem("l", 0, "v"), "LREM l 0 v"),
    Form(lambda kv: kv.lset("l", 0, "v"), "LSET l 0 v"),
    Form(lambda kv: kv.ltrim("l", 0, 9), "LTRIM l 0 9"),
    Form(lambda kv: kv.rpop("l"), "RPOP l"),
    Form(lambda kv: kv.rpop("l", count=2), "RPOP l 2"),
    Form(lambda kv: kv.rpoplpush("a", "b"), "RPOPLPUSH a b"),
    Form(lambda kv: kv.rpush("l", "a", b"b", 3, 4.5), "RPUSH l a b 3 4.5"),
    Form(lambda kv: kv.rpushx("l", "a"), "RPUSHX l a"),
]

SETS = [
    Form(lambda kv: kv.sadd("s", "a", "b"), "SADD s a b"),
    Form(lambda kv: kv.scard("s"), "SCARD s"),
    Form(lambda kv: kv.sdiff("a", "b"), "SDIFF a b"),
    Form(lambda kv: kv.sdiff(["a", "b"]), "SDIFF a b"),
    Form(lambda kv: kv.sdiffstore("d", "a", "b"), "SDIFFSTORE d a b"),
    Form(lambda kv: kv.sinter(["a", "b"], "c"), "SINTER a b c"),
    Form(lambda kv: kv.sintercard(2, ["a", "b"]), "SINTERCARD 2 a b LIMIT 0"),
    Form(lambda kv: kv.sintercard(1, ["a"], limit=5), "SINTERCARD 1 a LIMIT 5"),
    Form(lambda kv: kv.sinterstore("d", ["a", "b"]), "SINTERSTORE d a b"),
    Form(lambda kv: kv.sinterstore("d", "a", "b"), "SINTERSTORE d a b"),
    Form(lambda kv: kv.sismember("s", "a"), "SISMEMBER s a"),
    Form(lambda kv: kv.smembers("s"), "SMEMBERS s"),
    Form(lambda kv: kv.smismember("s", ["a", "b"]), "SMISMEMBER s a b"),
    Form(lambda kv: kv.smismember("s", "a", "b"), "SMISMEMBER s a b"),
    Form(lambda kv: kv.smove("a", "b", "v"), "SMOVE a b v"),
    Form(lambda kv: kv.spop("s"), "SPOP s"),
    Form(lambda kv: kv.spop("s", 2), "SPOP s 2"),
    Form(lambda kv: kv.srandmember("s"), "SRANDMEMBER s"),
    Form(lambda kv: kv.srandmember("s", -2), "SRANDMEMBER s -2"),
    Form(lambda kv: kv.srem("s", "a", "b"), "SREM s a b"),
    Form(lambda kv: kv.sscan("s"), "SSCAN s 0"),
    Form(lambda kv: kv.sscan("s", 5, match="a*", count=9), "SSCAN s 5 MATCH a* COUNT 9"),
    Form(lambda kv: kv.sunion("a", "b"), "SUNION a b"),
    Form(lambda kv: kv.sunionstore("d", "a", "b"), "SUNIONSTORE d a b"),
]

FORMS = [*STRINGS, *KEYS, *HASHES, *LISTS, *SETS]


def with_options(name: str, *args: Any, **options: bool) -> Callable[[Any], Any]:
    return lambda kv: getattr(kv, name)(*args, **options)


# The conditions that eight commands share.
for _name in EXPIRE:
    _words = f"{_name.upper()} k 5"
    FORMS.append(Form(with_options(_name, "k", 5), _words))
    FORMS.append(Form(with_options(_name, "k", 5, xx=True, gt=True), f"{_words} XX GT"))
    for _option in ("nx", "xx", "gt", "lt"):
        _make = with_options(_name, "k", 5, **{_option: True})
        FORMS.append(Form(_make, f"{_words} {_option.upper()}"))
for _name in HASH_EXPIRE:
    for _option in ("nx", "xx", "gt", "lt"):
        _make = with_options(_name, "h", 5, "a", "b", **{_option: True})
        FORMS.append(Form(_make, f"{_name.upper()} h 5 {_option.upper()} FIELDS 2 a b"))
