"""Find the parameters of a run in its name, such as Extra-P's run.p64.n8.r1, or in its metadata."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from ..data.observations import Number, Point
from .keys import Keys, number_in, text_of

_PAIR = re.compile(r"([A-Za-z_]+)=?([0-9]+(?:[.,][0-9]+)?)")
_PAIRS = re.compile(rf"(?:[._-]?{_PAIR.pattern})+")
_BARE_PAIRS = re.compile(r"[A-Za-z]+=?[0-9]+(?:,[0-9]+)?(?:[_-]?[A-Za-z]+=?[0-9]+(?:,[0-9]+)?)*")
Labels = tuple[tuple[str, str], ...]
"""Words that tell the series of runs apart: name and value."""
NO_PARAMETER = re.compile(r"date|version|elapsed|figure.of.merit|\bid$|start.?time", re.IGNORECASE)
"""Names of metadata that are no parameters: dates and results."""
_NO_VARIANT = re.compile(r"host|user|node.?name|job|uuid|cwd|working.?dir|path", re.IGNORECASE)
"""Names of metadata whose words say where and by whom a run was started."""


def parameters_of(name: str) -> Point:
    """The parameters in a name such as prefix.p64.n8.r1; .rN at the end is the repetition."""
    rest = re.sub(r"\.r[0-9]+$", "", name).split(".", 1)[-1]
    if not (_PAIRS if rest != name else _BARE_PAIRS).fullmatch(rest):
        return ()
    return tuple(
        sorted((n.lstrip("_"), _value(v.replace(",", "."))) for n, v in _PAIR.findall(rest))
    )


def told_apart(runs: Sequence[Mapping[str, object]], name: str) -> list[tuple[Point, Labels]]:
    """What tells runs apart by their metadata, without dates and results: the numbers that all runs
    have and that differ, all of them if none does, and the words that sort them into series.

    Args:
        name: of their folder, for the warning that says what is dropped.
    """
    rows = [{str(n): v for n, v in run.items() if not NO_PARAMETER.search(str(n))} for run in runs]
    common = sorted(set.intersection(*map(set, rows))) if rows else []
    shared = [{n: row[n] for n in common} for row in rows]
    differing = [n for n in common if len({text_of(row[n]) for row in rows}) > 1]
    numbers = [n for n in common if all(number_in(row[n]) is not None for row in rows)]
    varying = [n for n in numbers if n in differing] or numbers
    words = [n for n in differing if n not in numbers and not _NO_VARIANT.search(n)]
    keys = Keys.of([{n: row[n] for n in (*varying, *words)} for row in shared])
    keys.warn(name)
    return [
        (tuple(sorted(keys.point(row).items())), tuple((n, text_of(row[n])) for n in keys.labels))
        for row in shared
    ]


def _value(text: str) -> Number:
    return float(text) if "." in text else int(text)
