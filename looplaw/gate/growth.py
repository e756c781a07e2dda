"""Which of two laws grows faster, and in which parameters.

The laws are evaluated exactly, in integers, along rays: one parameter grows and the others stay,
or several grow together. Along a ray the quotient of the laws is compared at numbers whose
logarithms double: it tends to a constant where both grow alike, and at least keeps growing with
the logarithm where one outgrows the other. Maxima, floors, cases and sums need no rules of their
own. Each ray is tried at powers of two, beside them and at numbers of the other parity, since a
law may differ between residues.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from math import inf

from looplaw_common.errors import InputError
from modeling.pmnf.formula import Formula

Number = int | float | Fraction
_LADDERS = ((2**64, 2**128, 2**256), (2**8, 2**12, 2**16), (2**6, 2**8, 2**10), (16, 32, 64))
"""Where laws are compared; the smaller ones are for sums and powers that would take too long."""
_OFFSETS = (0, 1, 3)
_OTHERS = (1009, 10**6 + 3, 7)
"""Values of the parameters that stay."""
_STEPS = (1.15, 1.22)
"""How much the quotient grows from rung to rung, at least, where one law outgrows the other:
log(n) doubles from rung to rung of the first ladder and grows by 4/3 and 5/4 on the third; laws
that differ in lower terms only stay below."""
_ALIKE = 1e-9
"""How far values may differ that are rounded: roots and logarithms."""
_VISITS = (3_000, 3_000, 20_000, 60_000)
"""Nodes of a law that may be visited for one value, on each ladder: long sums fall through to
the shorter ladders, and on the last one to fewer points."""


@dataclass(frozen=True)
class Growth:
    """How a law changed.

    faster, slower: the parameters in which it grows faster, or slower, than before. factor: after /
    before where all parameters are large; None where it tends to no constant. is_equal: the same
    values wherever it was evaluated. reason: why the laws could not be compared.
    """

    faster: tuple[str, ...] = ()
    slower: tuple[str, ...] = ()
    factor: float | None = None
    is_equal: bool = False
    reason: str | None = None


def compare_growth(
    before: Formula, after: Formula, *, fixed: Mapping[str, Number] | None = None
) -> Growth:
    """How `after` grows compared with `before`; both over the same symbols.

    Args:
        fixed: symbols that do not grow, such as the fraction of cases that take a branch, and the
            value at which to compare.
    """
    if before == after:
        return Growth(factor=1.0, is_equal=True)
    fixed = {k: v for k, v in (fixed or {}).items() if k in before.symbols | after.symbols}
    names = sorted((before.symbols | after.symbols) - fixed.keys())
    faster, slower, equal, factor = list[str](), list[str](), True, 1.0
    judged = 0
    for moving in _directions(names):
        found = _along(before, after, names, moving, fixed)
        if found is None:
            continue
        judged += 1
        equal &= found.is_equal
        factor = found.factor if len(moving) == len(names) else factor
        # several parameters together tell something new only where none alone does
        if found.ups and not set(moving) & set(faster):
            faster += [n for n in moving if len(moving) == 1 or n in after.symbols]
        if found.downs and not set(moving) & set(slower):
            slower += [n for n in moving if len(moving) == 1 or n in before.symbols]
    if not judged:
        return Growth(reason="the laws are too long to evaluate at large values")
    together = not faster and not slower
    return Growth(
        tuple(dict.fromkeys(faster)),
        tuple(dict.fromkeys(slower)),
        factor if together else None,
        equal,
    )


def _directions(names: list[str]) -> Iterator[tuple[str, ...]]:
    if not names:
        yield ()
    for name in names:
        yield (name,)
    if len(names) > 2:
        yield from combinations(names[:8], 2)
    if len(names) > 1:
        yield tuple(names)


@dataclass(frozen=True)
class _Ray:
    ups: bool
    downs: bool
    is_equal: bool
    factor: float


def _along(
    before: Formula,
    after: Formula,
    names: Collection[str],
    moving: tuple[str, ...],
    fixed: Mapping[str, Number],
) -> _Ray | None:
    """The laws along one direction; None where neither can be evaluated."""
    stays = _OTHERS if len(moving) < len(names) else _OTHERS[:1]
    for ladder, visits in zip(_LADDERS, _VISITS, strict=True):
        ups = downs = False
        equal, factor = True, 1.0
        is_last = ladder is _LADDERS[-1]
        try:
            for stay in stays[:1] if is_last else stays:
                for offset in _OFFSETS[:1] if is_last else _OFFSETS:
                    quotients = []
                    for rung in ladder:
                        values: dict[str, Number] = {**dict.fromkeys(names, stay), **fixed}
                        values |= dict.fromkeys(moving, rung + offset)
                        a, b = (_value(f, values, visits) for f in (before, after))
                        equal &= _is_same(a, b)
                        quotients.append(_quotient(a, b))
                    factor = float(quotients[-1])
                    ups |= _keeps_growing(quotients)
                    downs |= _keeps_growing([1 / q for q in quotients])
        except (InputError, ArithmeticError, ValueError):
            continue
        return _Ray(ups, downs, equal, factor)
    return None


def _value(formula: Formula, values: Mapping[str, Number], visits: int) -> Number:
    found = formula.evaluate(values, visits=visits)
    if isinstance(found, float) and not -inf < found < inf:
        raise OverflowError
    return found if found > 0 else 0


def _is_same(a: Number, b: Number) -> bool:
    if not isinstance(a, float) and not isinstance(b, float):
        return a == b
    return abs(Fraction(a) - Fraction(b)) <= Fraction(_ALIKE) * abs(Fraction(a))


def _quotient(before: Number, after: Number) -> Fraction:
    """after / before, where nothing counts as one step."""
    return (Fraction(after) + 1) / (Fraction(before) + 1)


def _keeps_growing(quotients: list[Fraction]) -> bool:
    return all(
        q > p * Fraction(step)
        for p, q, step in zip(quotients, quotients[1:], reversed(_STEPS), strict=False)
    )
