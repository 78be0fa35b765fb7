"""How often the long tests repeat: little in the ordinary run, in full with KVWIRE_FULL_TESTS=1."""

from __future__ import annotations

import os

FULL = os.environ.get("KVWIRE_FULL_TESTS", "") not in ("", "0")


def repeats(ordinary: int, full: int) -> int:
    """The count for this run; it is printed, so that a report shows what was done."""
    count = full if FULL else ordinary
    print(f"{count} repeats (ordinary {ordinary}, full {full})")
    return count
