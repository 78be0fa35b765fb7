"""Iterators over the SCAN family: one declaration for both faces.

A face adds `_walk`, the loop that asks for page after page: `walk` or `awalk`.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator
    from typing import Any


def _items(page: Any) -> Iterable[Any]:
    return page.items() if isinstance(page, dict) else page


def walk(scan: Callable[..., Any], *args: Any, **options: Any) -> Iterator[Any]:
    """Every item of every page; the server ends the walk with cursor 0."""
    cursor, page = scan(*args, **options)
    yield from _items(page)
    while cursor:
        cursor, page = scan(*args, cursor=cursor, **options)
        yield from _items(page)


async def awalk(
    scan: Callable[..., Awaitable[Any]], *args: Any, **options: Any
) -> AsyncIterator[Any]:
    """walk() for awaitable pages."""
    cursor, page = await scan(*args, **options)
    for item in _items(page):
        yield item
    while cursor:
        cursor, page = await scan(*args, cursor=cursor, **options)
        for item in _items(page):
            yield item


class ScanIterators:
    """The *_iter methods. Items may come twice, as the server's cursors allow that."""

    _walk: Callable[..., Any]
    scan: Callable[..., Any]
    sscan: Callable[..., Any]
    hscan: Callable[..., Any]
    zscan: Callable[..., Any]

    def scan_iter(
        self,
        match: Any = None,
        count: int | None = None,
        _type: str | None = None,
        *,
        decode: bool | None = None,
    ) -> Any:
        """Iterate over the database's keys, all or those that match a pattern or have a type."""
        return self._walk(self.scan, match=match, count=count, _type=_type, decode=decode)

    def sscan_iter(
        self,
        name: Any,
        match: Any = None,
        count: int | None = None,
        *,
        decode: bool | None = None,
    ) -> Any:
        """Iterate over a set's members."""
        return self._walk(self.sscan, name, match=match, count=count, decode=decode)

    def hscan_iter(
        self,
        name: Any,
        match: Any = None,
        count: int | None = None,
        no_values: bool | None = None,
        *,
        decode: bool | None = None,
    ) -> Any:
        """Iterate over a hash's (field, value) pairs, or over its fields with no_values."""
        return self._walk(
            self.hscan, name, match=match, count=count, no_values=no_values, decode=decode
        )

    def zscan_iter(
        self,
        name: Any,
        match: Any = None,
        count: int | None = None,
        *,
        decode: bool | None = None,
    ) -> Any:
        """Iterate over a sorted set's (member, score) pairs."""
        return self._walk(self.zscan, name, match=match, count=count, decode=decode)
