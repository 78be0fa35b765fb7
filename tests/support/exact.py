"""Comparing replies with their types, where == would let 1, 1.0 and True pass for each other."""

from __future__ import annotations

from typing import Any


def exact(value: Any) -> Any:
    """A stand-in for `value` whose == looks at types, too; server errors compare by their text."""
    if isinstance(value, (list, tuple)):
        return (type(value).__name__, [exact(item) for item in value])
    if isinstance(value, dict):
        return ("dict", [(exact(key), exact(item)) for key, item in value.items()])
    if isinstance(value, (set, frozenset)):
        return (type(value).__name__, sorted((exact(item) for item in value), key=repr))
    if isinstance(value, int):
        return (type(value).__name__, int(value))  # long ones have no repr
    return (type(value).__name__, repr(value))
