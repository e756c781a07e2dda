"""Names of columns in several lines above a block of numbers: groups, names, units.

As harnesses print them ("time" and "algbw" once under "out-of-place" and once under "in-place",
with "(us)" and "(GB/s)" below): a unit belongs to the name that ends nearest to it, the groups in
turn to the names that come again.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

_COMMENT = re.compile(r"\s*(?:#|%|//)+(?=\s)")
_WORD = re.compile(r"\S+")
_PHRASE = re.compile(r"\S+(?: \S+)*")
_BRACKETS = re.compile(r"\([^()]*\)|\[[^\[\]]*\]")


class _Piece(NamedTuple):
    text: str
    start: int
    end: int


def stacked_names(lines: Sequence[str], last: int, width: int) -> tuple[str, ...]:
    """The names of so many columns, by the lines up to `last`; empty where the last one holds no
    units and no name comes again, or these lines do not name them all, each differently."""
    units = _pieces(lines[last], _WORD)
    if units and all(_BRACKETS.fullmatch(u.text) for u in units):
        last -= 1
    else:
        units = []
    names = _pieces(lines[last], _WORD) if last >= 0 else []
    if len(names) != width:
        return ()
    again = Counter(n.text for n in names)
    most = max(again.values())
    groups = _pieces(lines[last - 1], _PHRASE) if most > 1 and last > 0 else []
    if not (units or most > 1) or len(groups) != (most if most > 1 else 0):
        return ()
    if not all(_is_over(group, _repeated(names, again, k)) for k, group in enumerate(groups)):
        return ()
    unit_of = {min(names, key=lambda n: abs(n.end - u.end)): u.text for u in units}
    seen = Counter[str]()
    found = list[str]()
    for name in names:
        group = f"{groups[seen[name.text]].text} " if again[name.text] == most > 1 else ""
        seen[name.text] += 1
        found.append(f"{group}{name.text} {unit_of.get(name, '')}".strip())
    return tuple(found) if len({*found}) == width else ()


def _repeated(names: Sequence[_Piece], again: Mapping[str, int], turn: int) -> list[_Piece]:
    """The names that come again as often as any, in one of their turns."""
    most = max(again.values())
    found = list[_Piece]()
    seen = Counter[str]()
    for name in names:
        if again[name.text] == most and seen[name.text] == turn:
            found.append(name)
        seen[name.text] += 1
    return found


def _is_over(group: _Piece, names: Sequence[_Piece]) -> bool:
    """Does the middle of a group stand over its names?"""
    middle = (group.start + group.end) / 2
    return names[0].start <= middle <= names[-1].end


def _pieces(line: str, pattern: re.Pattern[str]) -> list[_Piece]:
    """The words of a line, its mark of a comment aside, and where they end."""
    bare = _COMMENT.sub(lambda m: " " * len(m[0]), line, count=1)
    return [_Piece(m[0], m.start(), m.end()) for m in pattern.finditer(bare)]
