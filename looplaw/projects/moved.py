"""Laws kept from a version in which the functions stood in other lines of their files.

An edit moves all that stands below it. What the laws of a function say does not change by that, but
they name places, and symbols by the lines of what they count (`iterations_45`). Both are put where
the functions stand now; where that is not sure to be what an analysis would write, nothing is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import pairwise

import msgspec

from staticana.ir.content import Place

from ..documents.analysis import AnalysisDocument
from ..documents.count import OpaqueDocument

_ANY_PLACE = re.compile(r'([^\s"(),;]+?):(\d+):\d+')
_NUMBERED = re.compile(r"([A-Za-z]\w*?_)(\d+)((?:_\d+)?)")
_SYMBOL = re.compile(r"\b[A-Za-z]\w*_\d+\b")


def moved(
    analysis: AnalysisDocument, old: Mapping[str, Place], new: Mapping[str, Place]
) -> AnalysisDocument | None:
    """An analysis with the places of another version, as an analysis of that would have them; None
    where that is not sure.

    Args:
        old, new: where the functions that it rests on stand, before and now. Of the place now, only
            the first line counts.
    """
    if old.keys() != new.keys():
        return None
    if all(new[name].first == place.first for name, place in old.items()):
        return analysis
    lines = _Lines(old, new)
    text = msgspec.json.encode(analysis).decode()
    if any(m[1] not in lines.files for m in _ANY_PLACE.finditer(text)):
        return None
    names = _names(analysis, lines)
    if names is None:
        return None
    place = re.compile(rf"(?<![^\s\"(),;])({'|'.join(map(re.escape, lines.files))}):(\d+)\b")
    now = {m[0]: (m[1], lines.moved(m[1], int(m[2]))) for m in place.finditer(text)}
    if any(line is None for _, line in now.values()):
        return None
    written = {before: f"{file}:{line}" for before, (file, line) in now.items()}
    symbols = {m[0]: names.get(m[0], m[0]) for m in _SYMBOL.finditer(text)}
    if not (_keeps_order(written) and _keeps_order(symbols)):
        return None
    text = place.sub(lambda m: written[m[0]], text)
    text = _SYMBOL.sub(lambda m: symbols[m[0]], text)
    found = msgspec.json.decode(text, type=AnalysisDocument)
    functions = []
    for f in found.functions:
        line = None if f.file is None or f.line is None else lines.moved(f.file, f.line)
        if line is None:
            return None
        functions.append(msgspec.structs.replace(f, line=line))
    return msgspec.structs.replace(found, functions=tuple(functions))


class _Lines:
    """Lines of files, and where they are now: each is of a function that is known."""

    def __init__(self, old: Mapping[str, Place], new: Mapping[str, Place]) -> None:
        self._ranges: dict[str, list[tuple[Place, int]]] = {}
        for name, place in old.items():
            by = new[name].first - place.first
            self._ranges.setdefault(place.file, []).append((place, by))
        self.files = frozenset(self._ranges)

    def moved(self, file: str, line: int) -> int | None:
        """Where a line is now; None where that is not known."""
        known = self._ranges.get(file, ())
        by = {by for place, by in known if place.first <= line <= place.last}
        return line + by.pop() if len(by) == 1 else None


def _names(analysis: AnalysisDocument, lines: _Lines) -> dict[str, str] | None:
    """Symbol that is named by a line -> its name now; None where symbols of different lines share
    a name but for its number, before or now: the number of one rests on the other."""
    found: dict[str, str] = {}
    stems: dict[str, str] = {}
    for o in _opaque(analysis):
        match = _NUMBERED.fullmatch(o.symbol)
        places = {
            (m[1], int(m[2]))
            for m in _ANY_PLACE.finditer(f"{o.meaning} {o.at or ''}")
            if match is not None and m[2] == match[2]
        }
        if match is None or not places:
            continue
        now = {lines.moved(*place) for place in places}
        line = now.pop()
        if now or line is None:
            return None
        stem = f"{match[1]}{line}"
        found[o.symbol] = f"{stem}{match[3]}"
        place = f"{places.pop()}"
        if stems.setdefault(f"now {stem}", place) != place:
            return None
        if stems.setdefault(f"{match[1]}{match[2]}", place) != place:
            return None
    return found


def _opaque(analysis: AnalysisDocument) -> Iterator[OpaqueDocument]:
    """The symbols of all counts."""
    of_loops = (
        count
        for loop in (*analysis.loops, *analysis.library)
        for count in (loop.per_entry, loop.per_call, loop.total)
    )
    of_functions = (
        count for f in analysis.functions for count in (f.work, f.depth, *f.operations.values())
    )
    for count in (*of_loops, *of_functions):
        yield from count.opaque


def _keeps_order(names: Mapping[str, str]) -> bool:
    """Do the new names sort as the old ones do? What is written is sorted by them."""
    now = [names[old] for old in sorted(names)]
    return all(a < b for a, b in pairwise(now))
