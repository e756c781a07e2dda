"""Places where control may leave the way that counts follow, and how."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

from ...expr import Expr


class Way(Enum):
    """How control leaves the way that counts follow."""

    ERROR = "no error exit at {}"
    THROW = "no exception is thrown at {}"
    EARLY = "the run does not end at {}"
    OUTSIDE = "{} returns"
    NUMBER = "the number of elements asked for at {} is not negative"
    QUIET = "the program may end before, at {}"
    AGAIN = "it may run again, from {}"
    THROWN = "an exception is thrown at {} whenever the run comes there"


class End(NamedTuple):
    """One place where it does; it does not where these formulas are >= 0. is_throw: it is a throw
    of the program, which leaves whenever control comes there; a check of the library does not."""

    name: str
    place: str
    needs: tuple[Expr, ...] = ()
    is_throw: bool = False

    @property
    def way(self) -> Way:
        return _WAYS[self.name]

    @property
    def is_thrown(self) -> bool:
        """Is it an exception, which may be caught?"""
        return self.way in (Way.THROW, Way.THROWN, Way.NUMBER)

    @property
    def certain(self) -> End:
        """The same where nothing else can come of it."""
        return self._replace(name=Way.QUIET.name) if self.way is Way.EARLY else self

    def unguarded(self, *, is_caught: bool) -> End:
        """The same where no condition decides over an exception: it is not taken not to come. One
        that nothing catches ends the program."""
        if self.way is not Way.THROW or not self.is_throw:
            return self
        return self._replace(name=(Way.THROWN if is_caught else Way.QUIET).name)

    @property
    def text(self) -> str:
        return self.way.value.format(self.place)


_WAYS = {way.name: way for way in Way}


AT_BRANCH = 1 << 62
"""The line of an event that the branch of its block decides: beyond all of its calls."""


@dataclass(frozen=True)
class Event:
    """Ends seen from one function: behind a call in `block` at `line`, or behind the branch of the
    block, what runs may be cut short."""

    block: str
    line: int
    ends: frozenset[End]
