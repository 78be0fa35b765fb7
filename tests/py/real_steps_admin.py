"""Calls in order, and what a real server makes of them: connections, the server, access lists."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

from .real_steps import V7_0, V7_2, V8_0, V8_1, Check, Fails, Step, between, one_of


def is_texts(reply: Any) -> bool:
    """A list of str that is not empty."""
    return type(reply) is list and reply != [] and all(type(item) is str for item in reply)


def is_text(reply: Any) -> bool:
    return type(reply) is str and len(reply) > 0


def has(**expected: Any) -> Check:
    """A dict with at least these items, types included."""

    def holds(reply: Any) -> bool:
        return type(reply) is dict and all(
            type(reply.get(name)) is type(value) and reply[name] == value
            for name, value in expected.items()
        )

    return Check(holds)


def each(holds: Callable[[Any], bool]) -> Check:
    """A list that is not empty, for each member of which something holds."""
    return Check(lambda reply: type(reply) is list and reply != [] and all(map(holds, reply)))


def is_recent(reply: Any) -> bool:
    return (
        type(reply) is datetime
        and reply.tzinfo is UTC
        and abs(datetime.now(UTC) - reply) < timedelta(hours=1)
    )


def is_log_entry(entry: Any) -> bool:
    names = ["id", "start_time", "duration", "command", "client_address", "client_name"]
    kinds = [int, int, int, bytes, str, str]
    return list(entry) == names and list(map(type, entry.values())) == kinds


def is_connection(entry: Any) -> bool:
    return all(type(value) is str for value in entry.values()) and entry["id"].isdecimal()


CONNECTION = [
    Step(lambda kv: kv.ping(), True),
    Step(lambda kv: kv.echo("schön"), "schön".encode()),
    Step(lambda kv: kv.echo("schön", decode=True), "schön"),
    Step(lambda kv: kv.client_getname(), one_of(None, "")),
    Step(lambda kv: kv.client_setname("steps"), True),
    Step(lambda kv: kv.client_getname(), "steps"),
    Step(lambda kv: kv.client_getredir(), -1),
    Step(lambda kv: kv.client_id(), between(1, 2**31)),
    Step(
        lambda kv: kv.client_info(),
        Check(lambda r: r["name"] == "steps" and type(r["id"]) is int and r["multi"] == -1),
    ),
    Step(lambda kv: kv.client_list(), each(is_connection)),
    Step(lambda kv: kv.client_list("normal"), each(is_connection)),
    Step(lambda kv: kv.client_list(_type="pubsub"), []),
    Step(lambda kv: kv.client_list(client_id=[2**40]), []),
    Step(lambda kv: kv.client_kill("127.0.0.1:1"), Fails("No such client")),
    Step(lambda kv: kv.client_kill_filter(_id=2**40, skipme=True), 0),
    Step(lambda kv: kv.client_kill_filter(addr="127.0.0.1:1", maxage=10**6), 0, V8_0),
    Step(lambda kv: kv.client_no_evict("on"), True, V7_0),
    Step(lambda kv: kv.client_no_evict("OFF"), True, V7_0),
    Step(lambda kv: kv.client_no_touch("on"), True, V7_2),
    Step(lambda kv: kv.client_no_touch("off"), True, V7_2),
    Step(lambda kv: kv.client_pause(1, all=False), True),
    Step(lambda kv: kv.client_unpause(), True),
    Step(lambda kv: kv.client_setinfo("lib-name", "steps"), True, V7_2),
    Step(
        lambda kv: kv.client_trackinginfo(),
        {"flags": ["off"], "redirect": -1, "prefixes": []},
    ),
    Step(lambda kv: kv.client_unblock(2**40), False),
    Step(lambda kv: kv.client_unblock(2**40, error=True), False),
]

COMMAND = [
    Step(lambda kv: kv.command_count(), between(200, 1000)),
    Step(
        lambda kv: kv.command(),
        Check(lambda r: r["get"]["arity"] == 2 and "client|id" in r["client"]["subcommands"]),
        V7_0,
    ),
    Step(
        lambda kv: kv.command_info("get", "no such command"),
        {
            "get": {
                "name": "get",
                "arity": 2,
                "flags": {"readonly", "fast"},
                "first_key_pos": 1,
                "last_key_pos": 1,
                "step_count": 1,
                "acl_categories": {"@read", "@string", "@fast"},
                "tips": [],
                "key_specifications": [
                    {
                        "flags": {"RO", "access"},
                        "begin_search": {"type": "index", "spec": {"index": 1}},
                        "find_keys": {
                            "type": "range",
                            "spec": {"lastkey": 0, "keystep": 1, "limit": 0},
                        },
                    }
                ],
                "subcommands": {},
            }
        },
        V7_0,
    ),
    Step(
        lambda kv: kv.command_docs("lpos", "object"),
        Check(
            lambda r: r["lpos"]["since"] == "6.0.6"
            and r["lpos"]["arguments"][2]["flags"] == {"optional"}
            and r["object"]["subcommands"]["object|freq"]["group"] == "generic"
        ),
        V7_0,
    ),
    Step(lambda kv: kv.command_docs("no such command"), {}, V7_0),
    Step(lambda kv: kv.command_list(pattern="hget"), ["hget"], V7_0),
    Step(lambda kv: kv.command_list(category="hyperloglog"), Check(is_texts), V7_0),
    Step(lambda kv: kv.command_list(module="nosuchmodule"), [], V7_0),
    Step(lambda kv: kv.command_list(), Check(is_texts), V7_0),
    Step(lambda kv: kv.command_getkeys("MSET", "a", 1, "b", 2), [b"a", b"b"]),
    Step(
        lambda kv: kv.command_getkeysandflags("MSET", "a", 1, "b", 2),
        [(b"a", {"OW", "update"}), (b"b", {"OW", "update"})],
        V7_0,
    ),
]

CONFIG = [
    Step(
        lambda kv: kv.config_set("slowlog-log-slower-than", 0, "latency-monitor-threshold", 1),
        True,
        V7_0,
    ),
    Step(lambda kv: kv.config_set("no-such-setting", 1), Fails("no-such-setting")),
    Step(lambda kv: kv.config_get("slowlog-log-slower-than"), {"slowlog-log-slower-than": "0"}),
    Step(
        lambda kv: kv.config_get("maxmemory", "timeout"),
        Check(lambda r: r == {"maxmemory": "0", "timeout": "0"}),
        V7_0,
    ),
    Step(lambda kv: kv.config_get("no-such-setting"), {}),
    Step(lambda kv: kv.config_get(), Check(lambda r: "port" in r and all(map(is_str, r.values())))),
    Step(lambda kv: kv.config_resetstat(), True),
    Step(lambda kv: kv.config_rewrite(), True),
    Step(lambda kv: kv.slowlog_get(), each(is_log_entry)),
    Step(lambda kv: kv.slowlog_get(1), Check(lambda r: len(r) == 1 and is_log_entry(r[0]))),
    Step(lambda kv: kv.slowlog_len(), between(1, 10_000)),
    Step(lambda kv: kv.commandlog_get(-1, "slow"), each(is_log_entry), V8_1),
    Step(lambda kv: kv.commandlog_len("large-reply"), between(0, 10_000), V8_1),
    Step(lambda kv: kv.commandlog_reset("large-request"), True, V8_1),
    Step(lambda kv: kv.slowlog_reset(), True),
]


def is_str(value: Any) -> bool:
    return type(value) is str


SERVER = [
    Step(lambda kv: kv.execute("DEBUG", "SLEEP", 0.003), "OK"),
    Step(
        lambda kv: kv.latency_latest(),
        each(lambda entry: [type(item) for item in entry[:4]] == [str, int, int, int]),
    ),
    Step(
        lambda kv: kv.latency_history("command"),
        each(lambda entry: type(entry) is tuple and [type(item) for item in entry] == [int, int]),
    ),
    Step(lambda kv: kv.latency_history("no such event"), []),
    Step(lambda kv: kv.latency_graph("command"), Check(is_text)),
    Step(lambda kv: kv.latency_doctor(), Check(is_text)),
    Step(
        lambda kv: kv.latency_histogram("debug", "no such command"),
        Check(
            lambda r: list(r) == ["debug"]
            and r["debug"]["calls"] >= 1
            and all(type(key) is int for key in r["debug"]["histogram_usec"])
        ),
        V7_0,
    ),
    Step(lambda kv: kv.latency_reset("no such event"), 0),
    Step(lambda kv: kv.latency_reset(), between(1, 100)),
    Step(lambda kv: kv.memory_doctor(), Check(is_text)),
    Step(lambda kv: kv.memory_malloc_stats(), Check(is_text)),
    Step(lambda kv: kv.memory_purge(), True),
    Step(
        lambda kv: kv.memory_stats(),
        Check(
            lambda r: type(r["peak.allocated"]) is int
            and type(r["dataset.percentage"]) is float
            and type(r["db.0"]["overhead.hashtable.main"]) is int
        ),
    ),
    Step(
        lambda kv: kv.info(),
        Check(
            lambda r: type(r["uptime_in_seconds"]) is int
            and type(r["mem_fragmentation_ratio"]) is float
            and r["role"] == "master"
            and type(r["db0"]["keys"]) is int
        ),
    ),
    Step(lambda kv: kv.info("replication"), has(role="master", connected_slaves=0)),
    Step(
        lambda kv: kv.info("server", "memory"),
        Check(lambda r: {"tcp_port", "used_memory"} <= r.keys() and "role" not in r),
        V7_0,
    ),
    Step(
        lambda kv: kv.info("commandstats"),
        Check(lambda r: type(r["cmdstat_info"]["usec_per_call"]) is float),
    ),
    Step(lambda kv: kv.dbsize(), between(1, 1000)),
    Step(lambda kv: kv.time(), Check(lambda r: [type(part) for part in r] == [int, int])),
    Step(lambda kv: kv.lolwut(), Check(is_text)),
    Step(lambda kv: kv.lolwut(5, 1, 1, 1), Check(is_text)),
    Step(lambda kv: kv.save(), True),
    Step(lambda kv: kv.lastsave(), Check(is_recent)),
    Step(lambda kv: kv.bgsave(), True),
    Step(lambda kv: kv.bgrewriteaof(), True),
    Step(
        lambda kv: kv.role(),
        Check(lambda r: type(r) is list and r[0] == "master" and type(r[1]) is int and r[2] == []),
    ),
    Step(lambda kv: kv.replicaof("NO", "ONE"), True),
    Step(lambda kv: kv.slaveof(), True),
    Step(lambda kv: kv.failover(abort=True), Fails("No failover in progress")),
    Step(lambda kv: kv.failover(), Fails("requires connected replicas")),
    Step(
        lambda kv: kv.module_list(),
        Check(lambda r: type(r) is list and all(type(entry["name"]) is str for entry in r)),
    ),
    Step(lambda kv: kv.module_load("/no/such/module", "a"), Fails("Error loading the extension")),
    Step(
        lambda kv: kv.module_loadex("/no/such/module", {"a": 1}, ["b"]),
        Fails("Error loading the extension"),
        V7_0,
    ),
    Step(lambda kv: kv.module_unload("nosuchmodule"), Fails("Error unloading module")),
    Step(lambda kv: kv.swapdb(0, 9), True),
    Step(lambda kv: kv.swapdb(0, 9), True),
]

ACL = [
    Step(lambda kv: kv.acl_whoami(), "default"),
    Step(lambda kv: kv.acl_cat(), Check(lambda r: is_texts(r) and "sortedset" in r)),
    Step(lambda kv: kv.acl_cat("hyperloglog"), Check(lambda r: is_texts(r) and "pfadd" in r)),
    Step(lambda kv: kv.acl_help(), Check(is_texts)),
    Step(
        lambda kv: kv.acl_genpass(),
        Check(lambda r: type(r) is str and len(r) == 64 and int(r, 16) >= 0),
    ),
    Step(lambda kv: kv.acl_genpass(8), Check(lambda r: type(r) is str and len(r) == 2)),
    Step(lambda kv: kv.acl_deluser("bob"), 0),
    Step(
        lambda kv: kv.acl_setuser(
            "bob",
            enabled=True,
            reset=True,
            passwords="+secret",
            categories=["+read"],
            commands=["-get"],
            keys=["a*", "b*"],
            channels=["c*"],
            selectors=[("+set", "d*")],
        ),
        True,
        V7_0,
    ),
    Step(
        lambda kv: kv.acl_getuser("bob"),
        has(
            enabled=True,
            commands=["-get"],
            categories=["-@all", "+@read"],
            keys=["~a*", "~b*"],
            channels=["&c*"],
        ),
        V7_0,
    ),
    Step(
        lambda kv: kv.acl_getuser("bob"),
        Check(
            lambda r: "on" in r["flags"]
            and all(type(flag) is str for flag in r["flags"])
            and len(r["passwords"]) == 1
            and len(r["passwords"][0]) == 64
            and r["selectors"][0]["commands"] == "-@all +set"
            and r["selectors"][0]["keys"] == "~d*"
        ),
        V7_0,
    ),
    Step(lambda kv: kv.acl_getuser("nobody"), None),
    Step(lambda kv: kv.acl_users(), ["bob", "default"], V7_0),
    Step(lambda kv: kv.acl_list(), Check(lambda r: is_texts(r) and len(r) == 2), V7_0),
    Step(lambda kv: kv.acl_dryrun("default", "get", "k"), True, V7_0),
    Step(
        lambda kv: kv.acl_dryrun("bob", "get", "k"),
        Check(lambda r: type(r) is str and "get" in r),
        V7_0,
    ),
    Step(lambda kv: kv.acl_save(), True),
    Step(lambda kv: kv.acl_load(), True),
    Step(lambda kv: kv.acl_deluser("bob"), 1, V7_0),
    Step(
        lambda kv: kv.acl_log(),
        Check(
            lambda r: r[0]["reason"] == "auth"
            and r[0]["username"] == "stranger"
            and type(r[0]["count"]) is int
            and type(r[0]["age-seconds"]) is float
            and type(r[0]["client-info"]["id"]) is int
        ),
    ),
    Step(lambda kv: kv.acl_log(1), Check(lambda r: len(r) == 1)),
    Step(lambda kv: kv.acl_log_reset(), True),
    Step(lambda kv: kv.acl_log(), []),
]

LAST = [
    Step(lambda kv: kv.flushdb(asynchronous=True), True),
    Step(lambda kv: kv.flushall(), True),
    Step(lambda kv: kv.dbsize(), 0),
]

ADMIN = [*CONNECTION, *COMMAND, *CONFIG, *SERVER, *ACL, *LAST]
