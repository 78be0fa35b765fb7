"""What goes wrong gets one clear error that says what it was, and everything else works on."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

import pytest

import kvwire
from tests.support import strangers
from tests.support.faces import Face
from tests.support.scripted import Answer, ScriptedServer
from tests.support.servers import Server, Unavailable

CONNECT_TIMEOUT = 0.5


async def fails_to_connect(face: Face, bystander: Server, **options: Any) -> Any:
    """One call that cannot connect: its error, within the deadline; then the others work on."""
    kv = face.client(connect_timeout=CONNECT_TIMEOUT, **options)
    try:
        async with face.client(bystander.url) as other:
            before = time.monotonic()
            with pytest.raises(kvwire.KVError) as caught:
                await kv.get("k")
            error: Any = caught.value
            assert time.monotonic() - before < CONNECT_TIMEOUT + 2
            assert error.maybe_executed is False
            results = await face.together([lambda: kv.get("k")] * 3 + [lambda: other.ping()])
            assert {type(result) for result in results[:-1]} == {type(error)}
            assert results[-1] is True
            assert not kv.connected and not kv.closed
            return error
    finally:
        await kv.aclose()


# ---- nothing to connect to ----------------------------------------------------------------------


def test_refused(face: Face, redis: Server) -> None:
    async def main() -> None:
        with strangers.refused() as port:
            error = await fails_to_connect(face, redis, host="127.0.0.1", port=port)
        assert isinstance(error, kvwire.ConnectionError)
        assert isinstance(error, ConnectionError)
        assert f"127.0.0.1:{port}" in str(error)
        assert "refused" in str(error)

    face.play(main)


def test_name_that_does_not_resolve(face: Face, redis: Server) -> None:
    async def main() -> None:
        error = await fails_to_connect(face, redis, host="no-such-host.invalid")
        assert isinstance(error, (kvwire.ConnectionError, kvwire.TimeoutError))
        assert "no-such-host.invalid" in str(error)

    face.play(main)


def test_socket_that_is_not_there(face: Face, redis: Server, tmp_path: Any) -> None:
    path = tmp_path / "none.sock"
    plain = tmp_path / "file"
    plain.write_text("")

    async def main() -> None:
        for where in (path, plain, tmp_path):
            error = await fails_to_connect(face, redis, path=str(where))
            assert isinstance(error, kvwire.ConnectionError)
            assert str(where) in str(error)

    face.play(main)


def test_socket_path_that_is_too_long(face: Face, redis: Server) -> None:
    async def main() -> None:
        with pytest.raises((kvwire.ConnectionError, ValueError), match="long"):
            async with face.client(path="/tmp/" + "x" * 200) as kv:
                await kv.get("k")

    face.play(main)


# ---- not a Redis server -------------------------------------------------------------------------

STRANGERS: dict[str, Callable[[], AbstractContextManager[int]]] = {
    "http": strangers.http_server,
    "memcached": strangers.memcached,
    "ssh": lambda: strangers.banner(b"SSH-2.0-OpenSSH_9.2\r\n"),
    "smtp": lambda: strangers.banner(b"220 mail.example ESMTP\r\n"),
    "noise": lambda: strangers.banner(bytes(range(256)) * 10),
    "zeros": lambda: strangers.banner(bytes(5000)),
    "looks-like-resp": lambda: strangers.banner(b"+hello\r\n" * 50),
}


@pytest.mark.parametrize("stranger", STRANGERS)
def test_server_of_another_kind(face: Face, redis: Server, stranger: str) -> None:
    async def main() -> None:
        with STRANGERS[stranger]() as port:
            error = await fails_to_connect(face, redis, host="127.0.0.1", port=port)
        assert isinstance(error, (kvwire.ConnectionError, kvwire.ProtocolError))
        assert f"127.0.0.1:{port}" in str(error)

    try:
        face.play(main)
    except Unavailable as missing:
        pytest.skip(str(missing))


@pytest.mark.parametrize("stranger", [strangers.closes_at_once, strangers.resets_at_once])
def test_server_that_hangs_up(face: Face, redis: Server, stranger: Any) -> None:
    async def main() -> None:
        with stranger() as port:
            error = await fails_to_connect(face, redis, host="127.0.0.1", port=port)
        assert type(error) is kvwire.ConnectionError
        assert f"127.0.0.1:{port}" in str(error)

    face.play(main)


def test_silent_server_and_black_hole(face: Face, redis: Server) -> None:
    async def main() -> None:
        for stranger in (strangers.silent, strangers.black_hole):
            with stranger() as port:
                error = await fails_to_connect(face, redis, host="127.0.0.1", port=port)
            assert type(error) is kvwire.TimeoutError
            assert f"127.0.0.1:{port}" in str(error)

    face.play(main)


# ---- refused by the server ----------------------------------------------------------------------


@pytest.mark.parametrize("program", ["redis", "valkey"])
@pytest.mark.parametrize("hello", [True, False], ids=["hello", "no-hello"])
def test_passwords(face: Face, redis: Server, program: str, hello: bool) -> None:
    """A wrong one, none, and one that the server does not want."""
    try:
        with Server(program, password="right", hello=hello) as server:

            async def main() -> None:
                where: dict[str, Any] = {"host": server.host, "port": server.port}
                wrong = await fails_to_connect(face, redis, **where, password="wrong")
                assert isinstance(wrong, kvwire.AuthenticationError)
                assert wrong.code == "WRONGPASS"
                assert f"127.0.0.1:{server.port}" in str(wrong)
                user = await fails_to_connect(
                    face, redis, **where, username="nobody", password="right"
                )
                assert isinstance(user, kvwire.AuthenticationError)

                async with face.client(server.url) as kv:
                    assert await kv.ping() is True

                kv = face.client(**where)
                with pytest.raises(kvwire.AuthenticationError) as caught:
                    await kv.get("k")
                assert caught.value.code == "NOAUTH"
                await kv.aclose()

                # Without HELLO some servers say so to nobody but the first command.
                kv = face.client(**where, protocol=2)
                with pytest.raises(kvwire.AuthenticationError) as caught:
                    await kv.get("k")
                assert caught.value.code == "NOAUTH"
                await kv.aclose()

            face.play(main)
    except Unavailable as missing:
        pytest.skip(str(missing))


def test_password_that_the_server_does_not_want(face: Face, redis: Server) -> None:
    async def main() -> None:
        where = {"host": redis.host, "port": redis.port, "protocol": 2}
        error = await fails_to_connect(face, redis, **where, password="unwanted")
        assert isinstance(error, kvwire.AuthenticationError)
        assert "unwanted" not in str(error)

    face.play(main)


def test_database_that_is_not_there(face: Face, redis: Server) -> None:
    async def main() -> None:
        where = {"host": redis.host, "port": redis.port}
        error = await fails_to_connect(face, redis, **where, db=9999)
        assert isinstance(error, (kvwire.ConnectionError, kvwire.ServerError))
        assert "DB index is out of range" in str(error)

    face.play(main)


def test_protocol_that_the_server_lacks(face: Face, redis: Server) -> None:
    """protocol=3 is a demand; without it an old server gets RESP2."""
    with ScriptedServer(hello=False) as fake:

        async def main() -> None:
            error = await fails_to_connect(
                face, redis, host="127.0.0.1", port=fake.port, protocol=3
            )
            assert isinstance(error, (kvwire.ConnectionError, kvwire.ServerError))
            assert "HELLO" in str(error)
            async with face.client(fake.url) as kv:
                assert await kv.get("next") == b"NEXT"
                assert kv.protocol == 2

        face.play(main)


def test_server_that_is_full(face: Face, redis: Server) -> None:
    with ScriptedServer() as fake:
        fake.on("HELLO", answer=Answer(b"-ERR max number of clients reached\r\n", then="close"))

        async def main() -> None:
            error = await fails_to_connect(face, redis, host="127.0.0.1", port=fake.port)
            assert isinstance(error, kvwire.KVError)
            assert "max number of clients" in str(error)

        face.play(main)


# ---- wrong arguments ----------------------------------------------------------------------------


def test_wrong_arguments_are_named(face: Face, fake: ScriptedServer) -> None:
    async def scenario(kv: Any) -> None:
        await kv.get("next")
        wrong: list[tuple[Callable[[], Any], str]] = [
            (lambda: kv.set("k", "v", exx=1), "exx"),
            (lambda: kv.set("k"), "value"),
            (lambda: kv.get(), "name"),
            (lambda: kv.get("k", "surplus"), "get"),
        ]
        for call, name in wrong:
            with pytest.raises(TypeError, match=name):
                await call()
        with pytest.raises(TypeError, match="NoneType"):
            await kv.set("k", None)
        with pytest.raises(TypeError, match="bool"):
            await kv.set("k", True)
        with pytest.raises(TypeError, match="dict"):
            await kv.set("k", {})
        with pytest.raises(AttributeError):
            await kv.no_such_command()
        with pytest.raises(UnicodeEncodeError):
            await kv.get("\ud800")
        assert await kv.get("next") == b"NEXT"

    face.run(scenario, fake.url)
    assert len(fake.received("GET")) == 2
    assert fake.received("SET") == []


def test_unknown_option(face: Face) -> None:
    async def main() -> None:
        for wrong in ({"tiemout": 3}, {"ssl": True}, {"host": "h", "prot": 1}):
            name = list(wrong)[-1]
            with pytest.raises(TypeError, match=name):
                face.client(**wrong)
        with pytest.raises(ValueError, match="tiemout"):
            face.client("redis://h?tiemout=3")

    face.play(main)


# ---- a connection that goes wrong ---------------------------------------------------------------


@pytest.mark.parametrize("then", ["close", "reset"])
@pytest.mark.parametrize("part", [b"", b"$5", b"$5\r\nhe", b"*2\r\n:1\r\n"])
def test_connection_lost_within_a_call(
    face: Face, fake: ScriptedServer, part: bytes, then: str
) -> None:
    """K14 too: what may have run is not sent again."""
    fake.on("INCR", answer=Answer(*([part] if part else []), then=then))

    async def scenario(kv: Any) -> None:
        await kv.get("next")
        for number in range(3):
            with pytest.raises(kvwire.ConnectionError) as caught:
                await kv.execute("INCR", "k")
            assert caught.value.maybe_executed is True
            assert str(fake.port) in str(caught.value)
            assert len(fake.received("INCR")) == number + 1
            assert await kv.get("next") == b"NEXT"

    face.run(scenario, fake.url, max_connections=1)


def test_connection_lost_with_many_in_flight(face: Face, fake: ScriptedServer) -> None:
    fake.on("INCR", answer=Answer(after=10, then="close"))

    async def scenario(kv: Any) -> None:
        await kv.get("next")
        results = await face.together([lambda: kv.execute("INCR", "k")] * 10)
        for result in results:
            assert type(result) is kvwire.ConnectionError
            assert result.maybe_executed is True
        assert len({id(result) for result in results}) == 10, "each caller has its own exception"
        assert await kv.get("next") == b"NEXT"

    face.run(scenario, fake.url, max_connections=1)


def test_malformed_reply_with_many_in_flight(face: Face, fake: ScriptedServer) -> None:
    fake.on("INCR", answer=Answer(b"?what\r\n", after=10))

    async def scenario(kv: Any) -> None:
        await kv.get("next")
        results = await face.together([lambda: kv.execute("INCR", "k")] * 10)
        for result in results:
            assert type(result) is kvwire.ProtocolError
            assert result.maybe_executed is True
            assert str(fake.port) in str(result)
        assert await kv.get("next") == b"NEXT"

    face.run(scenario, fake.url, max_connections=1)
    assert fake.connections == 2


def test_server_errors_say_what_the_server_said(face: Face, server: Server) -> None:
    async def scenario(kv: Any) -> None:
        await kv.rpush("list", "a")
        with pytest.raises(kvwire.ServerError) as caught:
            await kv.incr("list")
        assert caught.value.code == "WRONGTYPE"
        assert caught.value.message.startswith("Operation against a key")
        assert caught.value.index is None
        with pytest.raises(kvwire.ServerError, match="unknown command"):
            await kv.execute("NO-SUCH-COMMAND", "x")
        assert await kv.ping() is True

    face.run(scenario, server.url)


def test_server_that_comes_back(face: Face) -> None:
    """Down for a while: errors, then values again with the same client."""
    try:
        with Server("redis") as server:

            async def scenario(kv: Any) -> None:
                for _ in range(2):
                    assert await kv.set("k", "v") is True
                    server.kill()
                    for _ in range(2):
                        with pytest.raises(kvwire.ConnectionError):
                            await kv.get("k")
                    server.start()
                    assert await kv.get("k") is None

            face.run(scenario, server.url)
    except Unavailable as missing:
        pytest.skip(str(missing))
