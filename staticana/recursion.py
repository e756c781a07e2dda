"""How deep values may be followed."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

_DEEPEST = 20_000
"""Calls, of some six each for an instruction in a chain of values; pure Python needs no stack of
the system for them."""


@contextmanager
def deep_recursion() -> Iterator[None]:
    """Values are followed through long chains of instructions; the interpreter's usual limit is for
    runaway code."""
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(max(limit, _DEEPEST))
    try:
        yield
    finally:
        sys.setrecursionlimit(limit)
