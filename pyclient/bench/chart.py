"""The results as a chart: CPU and wall time per operation, one panel for each case."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from .model import BenchError, CaseResult
from .report import summary

SUFFIXES = (".svg", ".png")

CPU_COLOUR = "#1f6f8b"
WALL_COLOUR = "#b9c9d1"


def check(path: Path) -> None:
    """BenchError when no chart could be written there; asked before anything is measured."""
    if path.suffix.lower() not in SUFFIXES:
        raise BenchError(f"--chart writes .svg or .png, not {path.name!r}")
    if not path.parent.is_dir():
        raise BenchError(f"--chart: there is no directory {path.parent}")
    if find_spec("matplotlib") is None:
        raise BenchError("--chart needs matplotlib: pip install 'kvwire[chart]'")


def draw(results: Sequence[CaseResult], path: Path, caption: str) -> None:
    """Write the chart; its format is that of the path's suffix."""
    matplotlib = import_module("matplotlib")
    matplotlib.use("Agg")
    pyplot = import_module("matplotlib.pyplot")
    matplotlib.rcParams["svg.hashsalt"] = "kvwire"  # the same results make the same file
    columns = 1 if len(results) == 1 else 2
    rows = -(-len(results) // columns)
    bars = max((len(result.clients) for result in results), default=1)
    figure, axes = pyplot.subplots(
        rows,
        columns,
        figsize=(5.8 * columns, (0.55 * bars + 1.1) * rows + 0.6),
        squeeze=False,
        layout="constrained",
    )
    panels = list(axes.flat)
    for panel, result in zip(panels, results, strict=False):
        _draw_case(panel, result)
    for panel in panels[len(results) :]:
        panel.set_visible(False)
    handles, labels = panels[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="upper right", ncols=2, frameon=False, fontsize=8)
    figure.suptitle("Microseconds per operation, median and range; shorter is better", fontsize=11)
    figure.supxlabel(caption, fontsize=8, color="#555555")
    figure.savefig(path, dpi=150, metadata={"Date": None} if path.suffix == ".svg" else None)
    pyplot.close(figure)


def _draw_case(panel: Any, result: CaseResult) -> None:
    names = [name for name, client in result.clients.items() if client.samples]
    places = range(len(names))
    for figure, offset, colour in (
        ("cpu_us", -0.19, CPU_COLOUR),
        ("wall_us", 0.19, WALL_COLOUR),
    ):
        spreads = [summary(result.clients[name], figure) for name in names]
        known = [one for one in spreads if one is not None]
        values = [one.median for one in known]
        panel.barh(
            [place + offset for place in places],
            values,
            height=0.36,
            color=colour,
            label="CPU" if figure == "cpu_us" else "wall",
            xerr=[
                [one.median - one.low for one in known],
                [one.high - one.median for one in known],
            ],
            error_kw={"lw": 0.8, "ecolor": "#444444"},
        )
        for place, one in zip(places, known, strict=True):
            panel.annotate(
                f"{one.median:.3g}",
                (one.high, place + offset),
                xytext=(3, 0),
                textcoords="offset points",
                va="center",
                fontsize=7,
            )
    panel.set_yticks(list(places), names, fontsize=8)
    panel.invert_yaxis()
    panel.margins(x=0.15)
    panel.set_title(result.case.title, fontsize=9, loc="left")
    panel.tick_params(axis="x", labelsize=7)
    for side in ("top", "right"):
        panel.spines[side].set_visible(False)
