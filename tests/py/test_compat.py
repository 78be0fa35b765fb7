"""The same results wherever the server is and whatever it speaks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

import kvwire
from tests.support.exact import exact
from tests.support.faces import Face
from tests.support.scripted import ScriptedServer
from tests.support.servers import Server, Unavailable, has_ipv6


@pytest.fixture(scope="module", params=["redis", "valkey"])
def old_server(request: pytest.FixtureRequest) -> Iterator[Server]:
    """A server without HELLO."""
    try:
        with Server(request.param, hello=False) as server:
            yield server
    except Unavailable as missing:
        pytest.skip(str(missing))


async def tour(kv: Any) -> list[Any]:
    """Values of every kind that the commands give."""
    await kv.flushall()
    return [
        await kv.set("k", "v"),
        await kv.set("k", "v", nx=True),
        await kv.get("k"),
        await kv.mget("k", "none"),
        await kv.incrbyfloat("f", 1.5),
        await kv.expire("k", 100),
        await kv.ttl("k"),
        await kv.type("k"),
        await kv.hset("h", mapping={"a": "1", "b": "2"}),
        await kv.hgetall("h"),
        await kv.hmget("h", ["a", "none"]),
        await kv.hrandfield("none"),
        await kv.hscan("h"),
        await kv.rpush("l", "a", "b", "c"),
        await kv.lrange("l", 0, -1),
        await kv.lpos("l", "none"),
        await kv.lmpop(1, "l", direction="LEFT", count=2),
        await kv.sadd("s", "x", "y"),
        await kv.smembers("s"),
        await kv.sismember("s", "x"),
        await kv.smismember("s", ["x", "none"]),
        await kv.zadd("z", {"a": 1, "b": 2.5, "c": float("inf")}),
        await kv.zscore("z", "b"),
        await kv.zscore("z", "none"),
        await kv.zmscore("z", ["a", "none"]),
        await kv.zrange("z", 0, -1),
        await kv.zrange("z", 0, -1, withscores=True),
        await kv.zincrby("z", 0.25, "a"),
        await kv.zpopmin("z"),
        await kv.zscan("z"),
        await kv.zrandmember("z", 2, withscores=True),
        await kv.scan(match="k*"),
        await kv.blpop("l", timeout=1),
        await kv.bzpopmin("z", timeout=1),
        await kv.config_get("maxmemory"),
        await kv.client_getname(),
        await kv.object("encoding", "k"),
        sorted((await kv.info("clients")).keys()),
        await kv.ping(),
        await kv.echo("hi"),
        await kv.dbsize(),
        await kv.pipeline(transaction=True).get("k").zrange("z", 0, -1, withscores=True).execute(),
    ]


def test_resp2_and_resp3_give_the_same(face: Face, server: Server) -> None:
    async def main() -> list[Any]:
        results = []
        for protocol in (2, 3):
            async with face.client(server.url, protocol=protocol) as kv:
                results.append(await tour(kv))
                assert kv.protocol == protocol
        return results

    two, three = face.play(main)
    for left, right in zip(two, three, strict=True):
        assert exact(left) == exact(right)


def test_server_without_hello_gives_the_same(
    request: pytest.FixtureRequest, face: Face, old_server: Server
) -> None:
    new_server: Server = request.getfixturevalue(old_server.program)

    async def main() -> list[Any]:
        results = []
        for url in (old_server.url, new_server.url):
            async with face.client(url) as kv:
                results.append(await tour(kv))
        return results

    old, new = face.play(main)
    for left, right in zip(old, new, strict=True):
        assert exact(left) == exact(right)


def test_protocol_is_known_after_connecting(face: Face, old_server: Server) -> None:
    async def main() -> None:
        kv = face.client(old_server.url)
        assert kv.protocol == 0
        await kv.connect()
        assert kv.protocol == 2
        assert kv.peer == f"127.0.0.1:{old_server.port}"
        await kv.aclose()

    face.play(main)


def test_unix_socket(face: Face, server: Server) -> None:
    async def main() -> None:
        for options in ({"path": server.path}, {"unix_socket_path": server.path}):
            async with face.client(**options) as kv:
                assert await kv.set("k", "v") is True
        async with face.client(server.unix_url) as kv:
            assert await kv.get("k") == b"v"
            assert kv.peer == server.path
        async with face.client(server.unix_url + "?db=3") as kv:
            assert await kv.get("k") is None

    face.play(main)


def test_ipv6(face: Face, server: Server) -> None:
    if not has_ipv6():
        pytest.skip("this machine has no IPv6 loopback")

    async def main() -> None:
        for where in (f"redis://[::1]:{server.port}", f"valkey://[::1]:{server.port}/1"):
            async with face.client(where) as kv:
                assert await kv.ping() is True
        async with face.client(host="::1", port=server.port) as kv:
            assert await kv.ping() is True
            assert kv.peer == f"[::1]:{server.port}"

    face.play(main)


def test_name_with_several_addresses(face: Face, fake: ScriptedServer) -> None:
    """localhost may mean ::1 first, where nobody listens: the next address is tried."""

    async def scenario(kv: Any) -> None:
        assert await kv.get("next") == b"NEXT"

    face.run(scenario, f"redis://localhost:{fake.port}")


@pytest.mark.parametrize("hello", [True, False], ids=["hello", "no-hello"])
def test_acl_user(face: Face, hello: bool) -> None:
    users = ["alice on >secret ~a:* &* +@all"]
    try:
        with Server("redis", users=users, password="pw", hello=hello) as server:

            async def main() -> None:
                where = f"127.0.0.1:{server.port}"
                async with face.client(f"redis://alice:secret@{where}") as kv:
                    assert await kv.set("a:1", "v") is True
                    assert await kv.execute("ACL", "WHOAMI") == b"alice"
                    with pytest.raises(kvwire.ServerError) as caught:
                        await kv.set("b:1", "v")
                    assert caught.value.code == "NOPERM"
                async with face.client(
                    f"redis://{where}", username="alice", password="secret"
                ) as kv:
                    assert await kv.get("a:1") == b"v"
                async with face.client(f"redis://:pw@{where}") as kv:
                    assert await kv.execute("ACL", "WHOAMI") == b"default"
                async with face.client(f"redis://{where}", password="pw") as kv:
                    assert await kv.execute("ACL", "WHOAMI") == b"default"

            face.play(main)
    except Unavailable as missing:
        pytest.skip(str(missing))


@pytest.mark.parametrize("protocol", [2, 3])
def test_database_and_name(face: Face, server: Server, protocol: int) -> None:
    options = {"protocol": protocol, "client_name": "a-name"}

    async def main() -> None:
        async with face.client(server.url + "/5", **options) as kv:
            await kv.set("k", "five")
            (client,) = server.clients()
            assert (client["db"], client["name"]) == ("5", "a-name")
            assert await kv.client_getname() in (b"a-name", "a-name")
            # Every connection of the client is the same, those for blocking commands too.
            assert await kv.blpop("none", timeout=0.01) is None
            await kv.rpush("q", "x")
            assert await kv.blpop("q", timeout=1) == (b"q", b"x")
        async with face.client(server.url, db=5, **options) as kv:
            assert await kv.get("k") == b"five"
        async with face.client(server.url, **options) as kv:
            assert await kv.get("k") is None

    face.play(main)


def test_server_is_told_which_library_it_is(face: Face, valkey: Server) -> None:
    """CLIENT INFO shows it where the server keeps it (Valkey, Redis 7.2); others do not mind."""

    async def scenario(kv: Any) -> None:
        text = await kv.execute("CLIENT", "INFO")
        line = text if isinstance(text, str) else text.decode()
        fields = dict(field.split("=", 1) for field in line.split())
        assert fields["lib-name"] == "kvwire"
        assert fields["lib-ver"] == kvwire.__version__
        assert fields["resp"] == "3"

    face.run(scenario, valkey.url)


def test_handshake_is_one_send(face: Face, fake: ScriptedServer) -> None:
    """HELLO and what follows it cost one round trip, not one each."""

    async def main() -> None:
        async with face.client(fake.url + "/3", client_name="n", password="p") as kv:
            assert await kv.get("next") == b"NEXT"

    face.play(main)
    words = [command[0] for command in fake.received()]
    assert words[0] == b"HELLO"
    assert words.index(b"SELECT") < words.index(b"GET")
    assert fake.connections == 1


@pytest.mark.parametrize("decode", [False, True])
def test_decode(face: Face, server: Server, decode: bool) -> None:
    def text(value: str) -> Any:
        return value if decode else value.encode()

    async def scenario(kv: Any) -> None:
        await kv.hset("h", mapping={"\xe9": "\u20ac"})
        await kv.rpush("l", "a")
        assert await kv.hgetall("h") == {text("\xe9"): text("\u20ac")}
        assert await kv.lrange("l", 0, -1) == [text("a")]
        assert await kv.lrange("l", 0, -1, decode=not decode) == [b"a" if decode else "a"]
        assert await kv.execute("LINDEX", "l", 0) == text("a")
        assert await kv.blpop("l", timeout=1) == (text("l"), text("a"))
        assert (await kv.pipeline().hget("h", "\xe9").execute()) == [text("\u20ac")]

    face.run(scenario, server.url, decode=decode)
