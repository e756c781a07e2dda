"""Cells that several tables share: a count, a model, an indented place, a number with its noun."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from modeling.data.observations import Number

from ..documents.count import CountDocument
from .formulas import cut, fewer_digits, relation_as_read, with_condition
from .grid import Cell, Lines, Table

if TYPE_CHECKING:
    from modeling.pmnf.documents import ModelDocument
    from staticana.assumed import Assumption

Row = tuple[Cell, ...]


def beyond_arguments(texts: Iterable[str]) -> tuple[Assumption, ...]:
    """`staticana.assumed.beyond_arguments`, imported when a count is shown: models need it not."""
    from staticana.assumed import beyond_arguments as beyond

    return beyond(texts)


_STATED = "stated: "
"""How what a comment of the source says begins, which the bound itself tells."""
_MOST_ASSUMPTIONS = 4
"""Named in a footnote."""


def records_table(keys: Sequence[str], rows: Sequence[Row]) -> Table:
    """The rows for programs, one field for each key."""
    return Table(tuple(keys), tuple(rows))


def law_lines(
    count: CountDocument | None, display: str | None = None, *, wide: bool = False
) -> Lines:
    """The formula of a count, and below one in named values what it is at most; without a formula a
    line for each of its bounds, else a question mark; long ones in full where that is wanted
    (`wide`)."""
    shown = with_condition if wide else _cut_condition
    text = display or (count.formula if count else None)
    bounds = [] if count is None else [("at least", count.lower), ("at most", count.upper)]
    told = [f"{word} {shown(b)}" for word, b in bounds if b not in (None, "0", "oo", text)]
    if not text:
        return tuple(told) or ("?",)
    if count is None or count.kind != "parametric" or count.upper in (None, "oo", text):
        return (shown(text),)
    stated = " (stated)" * any(a.startswith(_STATED) for a in count.assumptions)
    return shown(text), f"at most {shown(count.upper)}" + stated


def _cut_condition(formula: str) -> str:
    return cut(with_condition(formula))


def legend(texts: Iterable[Cell]) -> list[str]:
    """What the signs in formulas mean that not everybody knows."""
    found = " ".join(" ".join(t) if isinstance(t, tuple) else str(t) for t in texts)
    told = []
    if re.search(r"\[[^\]]* (?:[<>!=]=|<|>) [^\]]*\]", found):
        told.append("[condition] is 1 where the condition holds, else 0.")
    if "..." in found:
        told.append("... stands for what --wide shows.")
    return told


def kind_text(count: CountDocument | None) -> str:
    """The kind of a count, with a star where a footnote tells what it assumes."""
    if count is None:
        return "unknown"
    return f"{count.kind}*" if _to_tell(count) else count.kind


def _to_tell(count: CountDocument) -> list[Assumption]:
    """What readers of a table are told that a count assumes: if it is exact, all but that main is
    called with its arguments, else the relations without which its formula or bound is wrong."""
    if count.formula is None and count.upper is None:
        return []
    found = [a for a in beyond_arguments(count.assumptions) if not a.text.startswith(_STATED)]
    return [a for a in found if count.kind == "exact" or a.formula is not None]


def assumptions_note(counts: Iterable[CountDocument | None]) -> list[str]:
    """The footnote of kinds with a star: what these counts assume, the most frequent first."""
    found = Counter(a.text for count in counts if count is not None for a in _to_tell(count))
    if not found:
        return []
    texts = _in_one([relation_as_read(text) for text, _ in found.most_common()])
    told = texts[:_MOST_ASSUMPTIONS]
    more = len(texts) - len(told)
    return [f"* if {'; '.join(told)}{f'; and {more} more, see --json' if more else ''}"]


_RETURNS = " returns"
_OF_FORTRAN = "_FortranA"
"""What the names of the functions of flang's library begin with."""
_MOST_NAMES = 3
"""Functions outside the program that are named of those that are taken to return."""


def _in_one(texts: Sequence[str]) -> list[str]:
    """The texts, with one for all functions outside the program that are taken to return."""
    returning = [text for text in texts if text.endswith(_RETURNS)]
    if not returning:
        return list(texts)
    place = texts.index(returning[0])
    others = [[t for t in part if t not in returning] for part in (texts[:place], texts[place:])]
    names = dict.fromkeys(
        "Fortran's library" if text.startswith(_OF_FORTRAN) else text.removesuffix(_RETURNS)
        for text in returning
    )
    return [*others[0], _they_return(list(names)), *others[1]]


def _they_return(names: Sequence[str]) -> str:
    """A sentence that names the first few functions and the number of the others."""
    if len(names) == 1:
        return names[0] + _RETURNS
    if len(names) > _MOST_NAMES:
        names = [*names[:_MOST_NAMES], f"{len(names) - _MOST_NAMES} more functions"]
    return f"{', '.join(names[:-1])} and {names[-1]} return"


_DEEPEST = 32
"""Loops around another beyond which tables show no more of them."""


def indented(nesting: int, at: str) -> str:
    """A place, two blanks further in for each loop around, up to 32: files may say any number."""
    return "  " * min(max(nesting - 1, 0), _DEEPEST) + at


def model_text(model: ModelDocument | None) -> str:
    """The formula of a model with fewer digits, that of counts in full, or marked as an
    approximation; - where there is none."""
    if model is None:
        return "-"
    if model.counted is not None:
        if model.counted.formula is not None:
            return model.formula + where_text(model.counted.where)
        about = "" if model.counted.seen else "about "
        return about + fewer_digits(model.formula)
    return fewer_digits(model.formula)


def where_text(where: Mapping[str, str]) -> str:
    """For which parameter values a formula is known to hold; nothing where it is for all."""
    said = [
        f"{name} {'' if kind.startswith('no ') else 'a '}{kind}" for name, kind in where.items()
    ]
    return f" ({', '.join(said)})" if said else ""


def counted_noun(count: int, noun: str, plural: str | None = None) -> str:
    """1 loop, 2 loops."""
    return f"{count} {noun if count == 1 else plural or noun + 's'}"


def values_text(values: Mapping[str, Number]) -> str:
    """n=64, m=8."""
    return ", ".join(f"{name}={value}" for name, value in values.items())


def percent(error: float | None) -> str:
    """An error in percent with two digits; <0.01 for what rounding leaves of an exact fit."""
    if error is None:
        return ""
    if error < 0.01:
        return "<0.01"
    return f"{error:.2g}" if error < 100 else f"{error:.0f}"
