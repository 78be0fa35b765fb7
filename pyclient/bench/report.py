"""The results as a table for people and as JSON for programs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from .clients import CLIENTS
from .model import CaseResult, ClientResult, Sample
from .stats import Spread, ratio, spread

# Raised when a field changes its meaning or goes away.
SCHEMA = 1

# The figures of a sample that are summed up over the rounds.
FIGURES: dict[str, Callable[[Sample], float]] = {
    "cpu_us": lambda sample: sample.cpu_us,
    "user_us": lambda sample: sample.user_us,
    "sys_us": lambda sample: sample.sys_us,
    "wall_us": lambda sample: sample.wall_us,
    "server_us": lambda sample: sample.server_us,
    "rss_base_mib": lambda sample: sample.rss_base_mib,
    "rss_growth_mib": lambda sample: sample.rss_growth_mib,
}


def by_round(result: ClientResult, figure: str) -> dict[int, float]:
    """One figure of a client, round by round."""
    value_of = FIGURES[figure]
    return {number: value_of(sample) for number, sample in result.samples.items()}


def summary(result: ClientResult, figure: str) -> Spread | None:
    """Median and range of one figure of a client."""
    return spread(by_round(result, figure).values())


def compare(result: CaseResult, client: str, baseline: str, figure: str) -> Spread | None:
    """How many times the baseline's figure a client's is."""
    if client not in result.clients or baseline not in result.clients:
        return None
    values = by_round(result.clients[client], figure)
    return ratio(values, by_round(result.clients[baseline], figure))


# ---- the table --------------------------------------------------------------------------------

COLUMNS = (
    "client",
    "CPU us/op",
    "min..max",
    "wall us/op",
    "min..max",
    "server",
    "RSS MiB",
    "growth",
    "CPU x",
    "wall x",
)


def table(result: CaseResult, baseline: str) -> str:
    """One case: a line per client, times in microseconds per operation."""
    rows: list[tuple[str, ...]] = [COLUMNS]
    notes = []
    for name, client in result.clients.items():
        cpu, wall = summary(client, "cpu_us"), summary(client, "wall_us")
        if cpu is None or wall is None:
            rows.append((name, *["-"] * (len(COLUMNS) - 1)))
        else:
            cpu_ratio = compare(result, name, baseline, "cpu_us")
            wall_ratio = compare(result, name, baseline, "wall_us")
            rows.append(
                (
                    name,
                    _number(cpu.median),
                    _range(cpu),
                    _number(wall.median),
                    _range(wall),
                    _number(_median(client, "server_us")),
                    f"{_median(client, 'rss_base_mib'):.1f}",
                    f"{_median(client, 'rss_growth_mib'):+.1f}",
                    _number(cpu_ratio.median) if cpu_ratio else "-",
                    _number(wall_ratio.median) if wall_ratio else "-",
                )
            )
        if client.failed:
            notes.append(f"  {name} failed: {client.failed}")
        if client.errors:
            notes.append(f"  {name}: {client.errors} operations failed: {client.error}")
    rounds = max((len(client.samples) for client in result.clients.values()), default=0)
    head = f"{result.case.title}  ({rounds} round{'' if rounds == 1 else 's'})"
    return "\n".join([head, *_align(rows), *notes])


def _median(client: ClientResult, figure: str) -> float:
    found = summary(client, figure)
    return found.median if found else 0.0


def _number(value: float) -> str:
    """Three significant digits, without an exponent."""
    return f"{value:.0f}" if value >= 100 else f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def _range(value: Spread) -> str:
    return f"{_number(value.low)}..{_number(value.high)}"


def _align(rows: Sequence[Sequence[str]]) -> list[str]:
    """The first column to the left, the others to the right."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines = []
    for row in rows:
        cells = [row[0].ljust(widths[0])]
        cells += [cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True)]
        lines.append("  " + "  ".join(cells).rstrip())
    return lines


# ---- JSON -------------------------------------------------------------------------------------


def to_json(results: Sequence[CaseResult], baseline: str) -> list[dict[str, Any]]:
    """The cases with all samples, their medians and ranges, and the ratios to the baseline."""
    return [_case_to_json(result, baseline) for result in results]


def _case_to_json(result: CaseResult, baseline: str) -> dict[str, Any]:
    case = result.case
    return {
        "title": case.title,
        "work": case.work,
        "face": case.face,
        "loop": case.loop if case.face == "async" else None,
        "workers": case.workers,
        "size": case.size,
        "delay_ms": case.delay_ms,
        "pinned": case.pinned,
        "baseline": baseline,
        "clients": [_client_to_json(result, name, baseline) for name in result.clients],
    }


def _client_to_json(result: CaseResult, name: str, baseline: str) -> dict[str, Any]:
    client = result.clients[name]
    samples = [
        {"round": number, "ops": sample.ops}
        | {figure: value_of(sample) for figure, value_of in FIGURES.items()}
        | {"errors": sample.errors}
        for number, sample in sorted(client.samples.items())
    ]
    return {
        "name": name,
        "version": CLIENTS[name].version(),
        **{figure: _spread_to_json(summary(client, figure)) for figure in FIGURES},
        "cpu_ratio": _spread_to_json(compare(result, name, baseline, "cpu_us")),
        "wall_ratio": _spread_to_json(compare(result, name, baseline, "wall_us")),
        "errors": client.errors,
        "error": client.error or None,
        "failed": client.failed or None,
        "samples": samples,
    }


def _spread_to_json(value: Spread | None) -> dict[str, float] | None:
    return None if value is None else value._asdict()
