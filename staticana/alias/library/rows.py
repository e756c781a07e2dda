"""How rows are written: many functions do the same, and most do little."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from .library_function import Arguments, Control, LibraryFunction, Parses

RETURNS, WAITS, MAY_LEAVE, LEAVES, TWICE = Control
INTEGER, UNSIGNED, FLOAT = Parses


def row(
    names: str, reads: Arguments = (), writes: Arguments = (), **facts: object
) -> Iterator[LibraryFunction]:
    """One row: the functions `names`, all with the same facts."""
    common = LibraryFunction("", reads, writes)
    return (replace(common, name=name, **facts) for name in names.split())  # type: ignore[arg-type]
