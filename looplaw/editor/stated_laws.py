"""Laws that users wrote down, in laws.toml or in comments, and that a file breaks."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from looplaw_common.errors import InputError
from modeling.expectations.expectations import Finding, Law

from ..check.evidence import subjects_of
from ..check.laws_toml import Assumed, hold, only_static, read_laws
from ..documents.analysis import AnalysisDocument
from ..gate.stated import hold_stated, relieved
from ..gate.versions import Options, Unit
from .compiled import Source
from .flags import folders_above
from .notes import Problem

BROKEN, UNREADABLE = "broken-law", "unreadable-law"
_LAWS = "laws.toml"
_STATED = "; stated at "
"""What `hold_stated` adds for readers who do not see the place."""
_PLACE = re.compile(r"(?P<file>.+?):(?P<line>\d+)(?::(?P<column>\d+))?")
_SAID = re.compile(r"(?P<file>[^:\n]+):(?P<line>\d+): (?P<text>.*)", re.DOTALL)


def broken_laws(
    source: Source, ir: str, flags: Sequence[str], data: AnalysisDocument | None, top: Path | None
) -> tuple[tuple[Problem, ...], tuple[str, ...]]:
    """The laws that a file breaks, and messages on laws that cannot be read elsewhere.

    Args:
        ir: of the file, in canonical form.
        data: the laws of the whole program; None where the file is a part of one, whose runs
            nobody knows: then only laws of functions, in their own arguments, are held.
    """
    laws, assumed, said = _laws_of(source.path, top)
    found: list[Problem] = []
    if laws and data is not None:
        subjects = only_static(subjects_of(data))
        judged = relieved(hold(laws, subjects), subjects, assumed)
        found += _problems(judged, source)
    if assumed or "looplaw" in source.text.lower():
        unit = Unit(
            source.path.name, source.compiled.parent, (source.compiled,), Options(tuple(flags)), ir
        )
        try:
            found += _problems(hold_stated([unit], assumed), source)
        except InputError as error:
            match = _SAID.fullmatch(str(error))
            if match is not None and source.is_this(match["file"]):
                found.append(Problem(int(match["line"]), 0, "warning", UNREADABLE, match["text"]))
            else:
                said = (*said, str(error))
    return tuple(dict.fromkeys(found)), said


def _laws_of(
    path: Path, top: Path | None
) -> tuple[tuple[Law, ...], tuple[Assumed, ...], tuple[str, ...]]:
    """The laws of the nearest laws.toml, what it states of parameters, and why it is not read."""
    for folder in folders_above(path, top):
        file = folder / _LAWS
        if file.is_file():
            try:
                return (*read_laws(file), ())
            except InputError as error:
                return (), (), (str(error),)
    return (), (), ()


def _problems(found: Iterable[Finding], source: Source) -> Iterator[Problem]:
    for f in found:
        place = _PLACE.fullmatch(f.at or "")
        if f.status == "broken" and place is not None and source.is_this(place["file"]):
            expected = f"{f.law.metric} of {f.kernel}, expected {f.law.text}"
            yield Problem(
                int(place["line"]),
                int(place["column"] or 0),
                "warning",
                BROKEN,
                f"broken law: {expected}: {f.reason.partition(_STATED)[0]}",
            )
