"""`python -m kvwire bench`: kvwire beside the other Redis and Valkey clients that are installed.

Each client runs in a process of its own that does not import kvwire, and the rounds are
interleaved (client A, B, C, A, B, C, ...), so that what else the machine does falls on all of them.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["main"]


def main(argv: Sequence[str] | None = None) -> int:
    """Run the benchmark as the command line says; returns the exit status."""
    from .cli import main as run

    return run(argv)
