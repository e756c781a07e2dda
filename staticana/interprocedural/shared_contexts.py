"""Functions in contexts that several runs share.

Many entries of a library call a function with the same numbers. What one run finds of a function
that it analyses anew holds in every other run whose callers say the same to all that the function
asks, and to what those ask that are analysed anew below it.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .program import Program
    from .summaries import Summaries

_MOST = 20_000
"""Functions in contexts that are kept."""


@dataclass(frozen=True)
class Lender:
    """A run that other runs take functions from: its analysis, and the counts that it found."""

    program: Program
    summaries: Summaries


class SharedContexts:
    """Functions in contexts, by what their callers say."""

    def __init__(self) -> None:
        self._lenders: dict[Hashable, Lender] = {}

    def find(self, key: Hashable) -> Lender | None:
        """The run that analysed a function in this context."""
        return self._lenders.get(key)

    def add(self, keys: Iterable[Hashable], lender: Lender) -> None:
        """Keep what a run found of functions in their contexts."""
        for key in keys:
            if len(self._lenders) < _MOST:
                self._lenders.setdefault(key, lender)

    def programs(self) -> list[Program]:
        """The runs that functions are taken from."""
        return list({id(x): x.program for x in self._lenders.values()}.values())

    def clear(self) -> None:
        """Forget them."""
        self._lenders.clear()
