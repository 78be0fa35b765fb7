"""Replies of every RESP type with the Python values that they mean. Imports kvwire."""

from __future__ import annotations

from typing import Any

from kvwire import ServerError

# One wire form and one value each, as `execute` gives it without a command's shape.
VALUES: tuple[tuple[bytes, Any], ...] = (
    (b"+fine\r\n", "fine"),
    (b"+\r\n", ""),
    (b"-ERR no\r\n", ServerError("ERR no")),
    (b":42\r\n", 42),
    (b":-7\r\n", -7),
    (b":9223372036854775807\r\n", 2**63 - 1),
    (b":-9223372036854775808\r\n", -(2**63)),
    (b"$5\r\nhe\r\no\r\n", b"he\r\no"),
    (b"$0\r\n\r\n", b""),
    (b"$-1\r\n", None),
    (b"*-1\r\n", None),
    (b"*0\r\n", []),
    (b"*2\r\n$1\r\na\r\n*1\r\n:1\r\n", [b"a", [1]]),
    (b"_\r\n", None),
    (b"#t\r\n", True),
    (b"#f\r\n", False),
    (b",1.5\r\n", 1.5),
    (b",-2e3\r\n", -2000.0),
    (b",10\r\n", 10.0),
    (b",inf\r\n", float("inf")),
    (b",-inf\r\n", float("-inf")),
    (b",nan\r\n", float("nan")),
    (b"(-34928903284092385\r\n", -34928903284092385),
    (b"!13\r\nSYNTAX bad \xc3\xa9\r\n", ServerError("SYNTAX bad \xe9")),
    (b"=8\r\ntxt:some\r\n", "some"),
    (b"=4\r\nmkd:\r\n", ""),
    (b"%2\r\n+a\r\n:1\r\n$1\r\nb\r\n%0\r\n", {"a": 1, b"b": {}}),
    (b"~2\r\n$1\r\nx\r\n:3\r\n", {b"x", 3}),
    (b"~0\r\n", set()),
    (b"|1\r\n+ttl\r\n:9\r\n$1\r\nA\r\n", b"A"),
    (b"*2\r\n|1\r\n+a\r\n*1\r\n:5\r\n:1\r\n:2\r\n", [1, 2]),
    (b"$?\r\n;4\r\nHell\r\n;1\r\no\r\n;0\r\n", b"Hello"),
    (b"$?\r\n;0\r\n", b""),
    (b"*?\r\n:1\r\n*?\r\n.\r\n.\r\n", [1, []]),
    (b"~?\r\n:1\r\n.\r\n", {1}),
    (b"%?\r\n+k\r\n:1\r\n.\r\n", {"k": 1}),
)

# All of them in one reply.
ARRAY = b"*%d\r\n" % len(VALUES) + b"".join(wire for wire, _ in VALUES)
ARRAY_VALUE = [value for _, value in VALUES]

# What no server may send; each is to be a ProtocolError. The reports' number where there is one.
MALFORMED: tuple[tuple[str, bytes], ...] = (
    ("P05-letters", b"(12a\r\n"),
    ("P05-empty", b"(\r\n"),
    ("P05-sign", b"(-\r\n"),
    ("P19-bulk", b"$-2\r\n"),
    ("P19-array", b"*-2\r\n"),
    ("P19-map", b"%-1\r\n"),
    ("P19-set", b"~-1\r\n"),
    ("P19-push", b">-1\r\n"),
    ("P19-blob-error", b"!-1\r\n"),
    ("P19-verbatim", b"=-1\r\n"),
    ("P19-attribute", b"|-1\r\n"),
    ("P10-2000", b"*1\r\n" * 2000 + b":1\r\n"),
    ("P10-100000", b"*1\r\n" * 100_000 + b":1\r\n"),
    ("P10-maps", b"%1\r\n:1\r\n" * 2000 + b":1\r\n"),
    ("P10-attributes", b"|1\r\n" * 2000),
    ("unknown-type", b"@1\r\n"),
    ("empty-line", b"\r\n"),
    ("bulk-terminator", b"$1\r\nAXX"),
    ("bulk-terminator-lf", b"$1\r\nA\rX"),
    ("bulk-length", b"$1x\r\nA\r\n"),
    ("bulk-no-length", b"$\r\n"),
    ("bulk-length-huge", b"$99999999999999999999\r\n"),
    ("array-length", b"*1 \r\n:1\r\n"),
    ("integer-letters", b":12a\r\n"),
    ("integer-empty", b":\r\n"),
    ("integer-overflow", b":9223372036854775808\r\n"),
    ("double", b",1.5x\r\n"),
    ("double-empty", b",\r\n"),
    ("boolean", b"#x\r\n"),
    ("boolean-long", b"#tt\r\n"),
    ("null", b"_x\r\n"),
    ("verbatim-short", b"=2\r\nab\r\n"),
    ("verbatim-colon", b"=5\r\ntxt-a\r\n"),
    ("stray-end", b".\r\n"),
    ("stray-chunk", b";1\r\na\r\n"),
    ("streamed-map-odd", b"%?\r\n+k\r\n.\r\n"),
    ("line-feed-only", b":1\n:2\r\n"),
)
