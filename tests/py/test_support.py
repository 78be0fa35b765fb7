"""The parts that the other tests rest on, with a naive client."""

from __future__ import annotations

import contextlib
import socket
import threading

import pytest

from kvwire.bench.delay import DelayProxy
from tests.support import strangers
from tests.support.plain import Plain, PlainError, encode
from tests.support.scripted import Answer, ScriptedServer, Welcome, bytewise, in_turn, split
from tests.support.servers import Server, Unavailable


def test_server_has_a_port_and_a_socket(server: Server) -> None:
    with Plain((server.host, server.port)) as by_port, Plain(server.path) as by_path:
        by_port.call("SET", "k", b"\0\r\n")
        assert by_path.call("GET", "k") == b"\0\r\n"
        assert len(server.clients()) == 2
    assert server.call("DBSIZE") == 1


def test_server_options() -> None:
    users = ["alice on >secret ~* &* +@all"]
    try:
        with Server("redis", password="pw", users=users, hello=False) as server:
            with Plain(server.path) as plain:
                with pytest.raises(PlainError, match="NOAUTH"):
                    plain.call("GET", "k")
                assert plain.call("AUTH", "alice", "secret") == b"OK"
                with pytest.raises(PlainError, match="unknown command"):
                    plain.call("HELLO", 3)
            port = server.port
            server.kill()
            server.start()
            assert server.port == port
            assert server.call("PING") == b"PONG"
    except Unavailable as missing:
        pytest.skip(str(missing))
    with pytest.raises(OSError):
        Plain((server.host, port))


@pytest.mark.parametrize("unix", [False, True])
def test_scripted_answers(unix: bool) -> None:
    with ScriptedServer(unix=unix) as fake, _plain(fake) as plain:
        fake.on("GET", "k", answer=Answer(*bytewise(b"$1\r\nA\r\n")))
        fake.on("INCR", answer=in_turn(Answer(b":1\r\n"), Answer(*split(b":2\r\n", 2))))
        assert plain.call("get", "k") == b"A"
        assert plain.call("GET", "next") == b"NEXT"
        assert [plain.call("INCR", "x") for _ in range(3)] == [1, 2, 2]
        assert plain.call("PING") == b"PONG"
        with pytest.raises(PlainError, match="unknown command 'NONSENSE'"):
            plain.call("NONSENSE")
        assert fake.connections == 1
        assert fake.received("GET") == [(b"get", b"k"), (b"GET", b"next")]


def test_scripted_gate_records_what_comes_meanwhile(fake: ScriptedServer) -> None:
    gate = fake.gate()
    fake.on("GET", "k", answer=Answer(*split(b"$3\r\nABC\r\n", 5), gate=gate, gate_before=1))
    with socket.create_connection(("127.0.0.1", fake.port)) as sock:
        sock.sendall(encode("GET", "k") + encode("GET", "next"))
        fake.wait_received("GET", count=2)
        assert sock.recv(100) == b"$3\r\nA"
        gate.open()
        expected = b"BC\r\n$4\r\nNEXT\r\n"
        received = b""
        while len(received) < len(expected):
            received += sock.recv(100)
        assert received == expected


@pytest.mark.parametrize("then", ["close", "reset"])
def test_scripted_ends(fake: ScriptedServer, then: str) -> None:
    fake.on("GET", "k", answer=Answer(b"$3\r\nA", then=then))
    with _plain(fake) as plain, pytest.raises(ConnectionError):
        plain.call("GET", "k")


def test_scripted_welcomes() -> None:
    def welcome(number: int) -> Welcome:
        return {1: Welcome(then="close"), 2: Welcome(then="reset")}.get(number, Welcome())

    with ScriptedServer(welcome=welcome) as fake:
        for _ in range(2):
            with pytest.raises(ConnectionError), _plain(fake) as plain:
                plain.call("PING")
        with _plain(fake) as plain:
            assert plain.call("PING") == b"PONG"


def test_scripted_server_stops_while_a_client_does_not_read(fake: ScriptedServer) -> None:
    fake.on("GET", "k", answer=Answer(b"x" * (64 << 20)))
    with socket.create_connection(("127.0.0.1", fake.port)) as sock:
        sock.sendall(encode("GET", "k"))
        fake.wait_received("GET")


def test_delay_proxy_delays(redis: Server) -> None:
    import time

    with (
        DelayProxy(redis.host, redis.port, delay_ms=40) as proxy,
        Plain((proxy.host, proxy.port)) as plain,
    ):
        plain.call("PING")
        before = time.perf_counter()
        assert plain.call("SET", "k", b"x" * 1_000_000) == b"OK"
        assert time.perf_counter() - before >= 0.040


def test_refused_and_black_hole() -> None:
    with strangers.refused() as port, pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", port))
    with strangers.black_hole() as port, pytest.raises(TimeoutError):
        socket.create_connection(("127.0.0.1", port), timeout=0.1)


def test_no_thread_survives(fake: ScriptedServer) -> None:
    with _plain(fake) as plain:
        plain.call("PING")
        assert any(thread.name == "scripted connection 1" for thread in threading.enumerate())


def _plain(fake: ScriptedServer) -> contextlib.AbstractContextManager[Plain]:
    return Plain(fake.path or ("127.0.0.1", fake.port))
