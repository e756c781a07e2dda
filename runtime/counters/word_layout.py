"""What the words of a unit's counters mean.

A unit is what was instrumented together: a program, or one object file. Its layout is written into
the file of counts as text (JSON), so that the file can be read without the program. The order of
the words below is that of the C runtime (`rt_times.h`, `rt_calls.h`).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from fractions import Fraction
from typing import Any

from looplaw_common.errors import RunError

FORMAT = "looplaw-counters/1"

# Words of a function, or of a kernel, whose calls are sampled: calls left until the next time
# stamp, calls granted so far, the distance of time stamps in calls, the time of the last one, calls
# that the current one stands for. GRANTED - LEFT is the number of calls.
LEFT, GRANTED, PERIOD, LAST, WEIGHT = range(5)
TURN_WORDS = 5

# More words where the values of some calls are kept: calls that the weights of timed ones add up
# to, the call up to which none is kept, calls kept so far, the iterations of these.
COVERED, NEXT_KEPT, KEPT, WORK = range(TURN_WORDS, TURN_WORDS + 4)
KEEPING_WORDS = 4

# Words of a timed loop: ticks (each sample weighted by the calls it stands for), number of samples,
# sum of squares (a double), the frame of the outermost entry where the kernel may run itself.
TICKS, SAMPLES, SQUARES, OUTERMOST = range(4)
TIME_WORDS = 4

# Words of a row of a table of calls, before its iterations and values.
TIMES, SUM_TICKS, SUM_SQUARES, TIMED = range(4)
ROW_WORDS = 4

UNSET, CHANGED = -(1 << 63), -(1 << 63) + 1
"""What a row has for a value that was not set in the call, or had several values: the two integers
that are least likely to be a size."""

Sum = Mapping[int, Fraction]
"""A count as words times factors: the sum over word -> factor."""


@dataclass(frozen=True)
class CallLayout:
    """A kernel's table of calls, one row for each combination of values.

    Attributes:
        table: its number in the unit.
        loops: ids of the loops whose iterations are added up.
        names: of the values.
        sampled: rows are of some calls only, those of kernels that are short.
    """

    table: int
    loops: tuple[int, ...]
    names: tuple[str, ...]
    sampled: bool = False


@dataclass(frozen=True)
class LoopLayout:
    """Where the counts of one loop are.

    Attributes:
        kernel: id of the kernel (outermost loop) around it.
        iterations, entries: None where they are not counted.
        time: the first of its words of time, None where it is not timed.
        turns: the first word of its function's sampling, likewise.
        covered: the word with the sum of the weights of its samples, likewise.
        calls: its table of calls, if it is a kernel and calls are kept apart.
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
    calls: CallLayout | None
    covered: int | None = None


@dataclass(frozen=True)
class Layout:
    """A unit: how many words each of its threads has, and its loops by id."""

    words: int
    loops: tuple[LoopLayout, ...]

    def to_text(self) -> str:
        """The layout as JSON; `from_text` reads it."""
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
        """Read what `to_text` wrote.

        Raises:
            RunError: the text is damaged, or names words that do not exist.
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
    def word(at: object, length: int) -> int | None:
        if at is None:
            return None
        found = int(str(at))
        if not 0 <= found <= words - length:
            raise ValueError(f"no word {found}")
        return found

    def total(of: Mapping[str, str] | None) -> Sum | None:
        return None if of is None else {word(w, 1) or 0: Fraction(f) for w, f in of.items()}

    calls = row["calls"]
    return LoopLayout(
        str(row["function"]),
        str(row["header"]),
        str(row["at"]),
        int(row["nesting"]),
        None if row["kernel"] is None else int(row["kernel"]),
        total(row["iterations"]),
        total(row["entries"]),
        word(row["time"], TIME_WORDS),
        word(row["turns"], TURN_WORDS),
        None
        if calls is None
        else CallLayout(
            int(calls["table"]),
            tuple(map(int, calls["loops"])),
            tuple(map(str, calls["names"])),
            bool(calls.get("sampled")),
        ),
        word(row.get("covered"), 1),
    )
