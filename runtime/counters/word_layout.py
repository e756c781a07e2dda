"""What the words of a unit's counters mean; written into the file of counts, so that it explains
itself.

A unit is what was instrumented together: a program, or one object file. Its plan travels with it as
text.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from fractions import Fraction
from typing import Any

from looplaw_common.errors import RunError

FORMAT = "looplaw-counters/1"
LEFT, GRANTED, PERIOD, LAST, WEIGHT = range(5)
TURN_WORDS = 5
TICKS, SAMPLES, SQUARES, OUTERMOST = range(4)
TIME_WORDS = 4

Sum = Mapping[int, Fraction]
"""A count as factors times words."""


@dataclass(frozen=True)
class Kernel:
    """What of a kernel's calls is kept for each combination of values. table: its number in the
    unit; loops: ids of the loops whose iterations are added up; names: of the values."""

    table: int
    loops: tuple[int, ...]
    names: tuple[str, ...]


@dataclass(frozen=True)
class LoopLayout:
    """Where the counts of one loop are. iterations, entries: None where not counted; time: the
    first of its words of time, `turns` those of its function's turns, None where it is not timed.
    """

    function: str
    header: str
    at: str
    nesting: int
    kernel: int | None
    iterations: Sum | None
    entries: Sum | None
    time: int | None
    turns: int | None
    calls: Kernel | None


@dataclass(frozen=True)
class Layout:
    """One unit: how many words a thread has, and its loops by number."""

    words: int
    loops: tuple[LoopLayout, ...]

    def to_text(self) -> str:
        """As `from_text` reads it."""
        rows = []
        for loop in self.loops:
            row = asdict(loop)
            row |= {
                key: None if row[key] is None else {str(w): str(f) for w, f in row[key].items()}
                for key in ("iterations", "entries")
            }
            rows.append(row)
        return json.dumps(
            {"format": FORMAT, "words": self.words, "loops": rows}, separators=(",", ":")
        )

    @staticmethod
    def from_text(text: str) -> Layout:
        """Read a plan.

        Raises:
            RunError: it is not one, or names words that there are not.
        """
        try:
            data = json.loads(text)
            if data["format"] != FORMAT:
                raise ValueError("another format")
            words = int(data["words"])
            return Layout(words, tuple(_loop(row, words) for row in data["loops"]))
        except (
            ValueError,
            TypeError,
            KeyError,
            ZeroDivisionError,
            RecursionError,
            AttributeError,
        ) as error:
            raise RunError(f"counts with a damaged plan: {error}") from None


def _loop(row: Mapping[str, Any], words: int) -> LoopLayout:
    def place(at: object, length: int) -> int | None:
        if at is None:
            return None
        found = int(str(at))
        if not 0 <= found <= words - length:
            raise ValueError(f"no word {found}")
        return found

    def total(of: Mapping[str, str] | None) -> Sum | None:
        return None if of is None else {place(w, 1) or 0: Fraction(f) for w, f in of.items()}

    calls = row["calls"]
    return LoopLayout(
        str(row["function"]),
        str(row["header"]),
        str(row["at"]),
        int(row["nesting"]),
        None if row["kernel"] is None else int(row["kernel"]),
        total(row["iterations"]),
        total(row["entries"]),
        place(row["time"], TIME_WORDS),
        place(row["turns"], TURN_WORDS),
        None
        if calls is None
        else Kernel(
            int(calls["table"]), tuple(map(int, calls["loops"])), tuple(map(str, calls["names"]))
        ),
    )
