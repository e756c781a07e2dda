"""What ends say of a count: that there is none, that it is a bound, what it takes for granted."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from ...expr import ZERO, Expr
from ...scev.bounded_count import BoundedCount, unknown
from .ends import End, Way

_MOST_NOTES = 12
"""Places of error exits that are named one by one; further ones are counted."""


@dataclass(frozen=True)
class Consequences:
    """What several ends together say of a count. again: why there is none; quiet: the end that
    leaves an upper bound; notes: what is taken for granted; may_hide: code that counts say is never
    reached may run, with values that came from where an exception was caught; needs: what must be
    >= 0."""

    again: str | None
    quiet: str | None
    notes: frozenset[str]
    may_hide: bool
    needs: frozenset[Expr]

    @classmethod
    def by(cls, ends: Iterable[End]) -> Consequences:
        found = sorted(ends, key=lambda e: e[:2])
        texts = [e.text for e in found if e.way in (Way.ERROR, Way.THROW, Way.EARLY)]
        notes = {*texts[:_MOST_NOTES], *(e.text for e in found if e.way is Way.OUTSIDE)}
        if len(texts) > _MOST_NOTES:
            notes.add(f"no error exit at {len(texts) - _MOST_NOTES} further places")
        return cls(
            next((e.text for e in found if e.way in (Way.AGAIN, Way.THROWN)), None),
            next((e.text for e in found if e.way is Way.QUIET), None),
            frozenset(notes),
            any(e.is_thrown for e in found),
            frozenset(n for e in found for n in e.needs),
        )

    def affected(self, count: BoundedCount) -> BoundedCount:
        """A count under what may cut it short."""
        if self.again is not None:
            return unknown(self.again)
        if count.formula == ZERO and not count.notes and not self.may_hide:
            return count
        notes, needs = count.notes | self.notes, count.preconditions | self.needs
        if self.quiet is None:
            if not (self.notes - count.notes or self.needs - count.preconditions):
                return count
            return replace(count, notes=notes, preconditions=needs)
        return BoundedCount(None, ZERO, count.upper, needs, notes, count.reason or self.quiet)
