"""A progress bar on standard error: one line that is rewritten, nothing when nobody watches."""

from __future__ import annotations

import shutil
import sys
from time import monotonic
from typing import TextIO


class Progress:
    """Counts steps up to `total`. On a terminal a bar, elsewhere a line for each new title."""

    def __init__(self, total: int, stream: TextIO | None = None) -> None:
        self.total = total
        self.done = 0
        self.stream = sys.stderr if stream is None else stream
        self.live = self.stream.isatty()
        self.started = monotonic()
        self.title = ""

    def show(self, title: str, detail: str) -> None:
        """Say what is being done now."""
        if self.live:
            width = shutil.get_terminal_size().columns
            line = render(self.done, self.total, monotonic() - self.started, f"{title}: {detail}")
            self.stream.write("\r\x1b[K" + line[: width - 1])
        elif title != self.title:
            self.stream.write(f"[{self.done}/{self.total}] {title}\n")
        self.title = title
        self.stream.flush()

    def step(self, count: int = 1) -> None:
        """So many steps are done."""
        self.done += count

    def close(self) -> None:
        """Take the bar away."""
        if self.live:
            self.stream.write("\r\x1b[K")
            self.stream.flush()


def render(done: int, total: int, elapsed: float, text: str, width: int = 24) -> str:
    """`[######..................]  12/48  0:41 left  mixed, 128 B: redis-py`."""
    filled = width * done // max(total, 1)
    bar = "#" * filled + "." * (width - filled)
    left = "     "
    if done:
        seconds = round(elapsed / done * (total - done))
        left = f"{seconds // 60}:{seconds % 60:02d} left"
    return f"[{bar}] {done}/{total}  {left}  {text}"
