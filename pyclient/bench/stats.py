"""Medians, ranges and ratios of samples; pure functions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from statistics import median
from typing import NamedTuple


class Spread(NamedTuple):
    """A median and the range that it comes from."""

    median: float
    low: float
    high: float


def spread(values: Iterable[float]) -> Spread | None:
    """The median and range of the values; None when there are none."""
    known = list(values)
    if not known:
        return None
    return Spread(median(known), min(known), max(known))


def ratio(values: Mapping[int, float], base: Mapping[int, float]) -> Spread | None:
    """How many times the base's figure the values are, round by round.

    Both map a round to its figure. The ratio is taken inside each round, where both clients met the
    same machine, and the median and range are those of the rounds' ratios. A round that either
    lacks, or in which the base is 0, does not count.
    """
    return spread(
        value / base[number] for number, value in values.items() if base.get(number, 0.0) > 0.0
    )
