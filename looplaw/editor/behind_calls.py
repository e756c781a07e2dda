"""Work that a loop hides behind calls.

Accidental quadratics are found by the analysis (`staticana.hidden_cost`). A call of a function with
a loop, in a loop, is often meant: it is shown as a remark only, where a call of the function does
work that grows by a power faster than its own loops do.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import reduce
from operator import or_

from looplaw_common.errors import InputError
from modeling.pmnf.assumed_formula import NOTHING_ASSUMED, AssumedFormula

from ..documents.analysis import AnalysisDocument, FunctionDocument, LoopDocument
from ..documents.count import CountDocument
from .texts import shown

_LONGEST = 600
"""Characters of a formula that is compared while somebody types."""
_SMALL, _LARGE, _OTHERS = 2**16, 2**20, 1009
"""Two values of a parameter at which laws are compared, and the value of all others."""
_POWER = 4
"""The quotient of laws that differ by the square root of the parameter, or by more, grows by this
factor between the two values; log2 grows by 1.25."""


def behind_calls(data: AnalysisDocument) -> Iterator[tuple[str, str]]:
    """(place of a loop, remark) of loops whose calls do more than they show."""
    own: dict[str, list[LoopDocument]] = {}
    for loop in data.loops:
        own.setdefault(loop.function, []).append(loop)
    names = [f.name for f in data.functions]
    places = {loop.at: loop for loop in (*data.loops, *data.library)}
    for f in data.functions:
        loops = own.get(f.name, [])
        elsewhere = {
            loop.at: [places[i] for i in loop.inner if i in places and places[i].function != f.name]
            for loop in loops
        }
        if not any(elsewhere.values()) or names.count(f.name) > 1:
            continue
        visible = _sum([loop.per_call for loop in loops])
        if visible is not None and (name := _faster(visible, f.work)):
            yield from _of_calls(f, elsewhere, name)


def _of_calls(
    f: FunctionDocument, elsewhere: Mapping[str, Sequence[LoopDocument]], name: str
) -> Iterator[tuple[str, str]]:
    """`elsewhere`: place of a loop -> the loops directly inside it that are in other functions."""
    work, most = shown(f.work), "" if f.work.formula else "up to "
    name = work.names.get(name, name)
    for at, inner in elsewhere.items():
        for loop in inner[:1]:
            yield (
                at,
                f"hidden work: each iteration calls {loop.function}, which has a loop: a call of"
                f" {f.name} does {most}{work.short} iterations, which grows faster in {name} than"
                " its own loops",
            )


def _faster(visible: AssumedFormula, whole: CountDocument) -> str | None:
    """A parameter of the loops in which the whole grows faster than they do, by a power."""
    text = whole.formula or whole.upper
    if text is None or text == "0" or len(text) > _LONGEST or "Sum(" in text:
        return None
    try:
        after = AssumedFormula.read(text, whole.rests_on)
        return next((n for n in sorted(visible.symbols) if _outgrows(visible, after, n)), None)
    except (InputError, ArithmeticError):
        return None


def _outgrows(before: AssumedFormula, after: AssumedFormula, name: str) -> bool:
    """Does the quotient of two laws grow with a parameter by more than logarithms do, where what
    they assume holds?"""
    quotients = []
    for value in (_SMALL, _LARGE):
        at = dict.fromkeys(before.symbols | after.symbols, _OTHERS) | {name: value}
        least, most = before.evaluate(at), after.evaluate(at)
        if least is None or most is None or least <= 0:
            return False
        quotients.append(most / least)
    return quotients[0] > 0 and quotients[1] / quotients[0] > _POWER


def _sum(counts: Sequence[CountDocument]) -> AssumedFormula | None:
    texts = [c.formula for c in counts]
    if any(t is None for t in texts):
        return None
    assumed = reduce(or_, (c.rests_on for c in counts), NOTHING_ASSUMED)
    try:
        return AssumedFormula.read(" + ".join(f"({t})" for t in texts), assumed)
    except InputError:
        return None
