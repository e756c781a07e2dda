"""The maximum of a formula over a range of an index, as a formula.

Where an indicator of the formula changes, the range is cut, and the larger part counts; where the
formula only rises or only falls, it is largest at an end. A formula that does neither has no
maximum here.
"""

from __future__ import annotations

from ..closed_forms.affine import integer_slope
from ..closed_forms.thresholds import replaced
from ..expr import (
    ONE,
    ZERO,
    Assumptions,
    Atom,
    Expr,
    Extremum,
    Monomial,
    Pow,
    Step,
    Sum,
    ceil_div,
    expr,
    floor_div,
    from_atom,
    is_nonnegative,
    maximum,
    minimum,
    simplify,
    step,
    sym,
)
from ..expr.atoms import Inverse, Quotient

_MOST_RESIDUES = 8
"""The largest divisor by whose residues a range is taken apart."""
_MOST_CUTS = 8
"""Indicators by which one range is cut."""


def highest(
    body: Expr, index: str, low: Expr, high: Expr, known: Assumptions, cuts: int = _MOST_CUTS
) -> Expr | None:
    """The maximum of a formula that is never negative over low <= index < high; 0 where there is no
    such index, None where no formula was found.

    Raises:
        TooComplex: a formula on the way is too long.
    """
    i, end = sym(index), _unguarded(high, low, known)
    bounds = [i - least for least in _alternatives(low, "Max")]
    bounds += [most - 1 - i for most in _alternatives(end, "Min")]
    inside = known.plus(*bounds)
    body = settled(simplify(body, inside), inside)
    if not body:
        return ZERO
    is_any = _is_any(low, high, known)
    if index not in body.symbols:
        return is_any * body
    atom = _cut_in(body, index)
    if atom is not None:
        return _over_parts(body, atom, index, low, high, known, cuts)
    lone = body.atom
    if isinstance(lone, Extremum) and lone.kind == "Max":
        parts = [highest(part, index, low, high, known, cuts) for part in lone.args]
        found = [p for p in parts if p is not None]
        if len(found) == len(parts):
            return maximum(0, *found, assumptions=known)
    rises = direction(body, index, inside)
    if rises is not None:
        at = end - 1 if rises > 0 else low
        return is_any * simplify(body.substitute({index: at}), known)
    return _where_positive(lone, body, index, low, high, known, cuts) or _over_residues(
        body, index, low, high, known, cuts
    )


def _where_positive(
    a: Atom | None, body: Expr, index: str, low: Expr, high: Expr, known: Assumptions, cuts: int
) -> Expr | None:
    """The maximum of the least of several numbers, of which some are the same for the whole range:
    it is 0 where one of them is."""
    if not isinstance(a, Extremum) or not cuts:
        return None
    inner = body if a.is_least else a.truncated
    free = {p for p in _alternatives(inner or ZERO, "Min") if index not in p.symbols}
    positive = [(_truncated(p) or p) - 1 for p in free]
    if not positive or known.plus(*positive) is known:
        return None
    found = highest(body, index, low, high, known.plus(*positive), 0)
    for p in positive:
        found = None if found is None else found * step(p, known)
    return found


def _truncated(e: Expr) -> Expr | None:
    """x for Max(0, x)."""
    atom = e.atom
    return atom.truncated if isinstance(atom, Extremum) else None


def _over_residues(
    body: Expr, index: str, low: Expr, high: Expr, known: Assumptions, cuts: int
) -> Expr | None:
    """The maximum over the residues of the index by the divisor of a quotient, each by itself."""
    divisors = {
        int(d)
        for a in body.all_atoms()
        if isinstance(a, Quotient) and index in a.num.symbols and (d := a.den.constant)
    }
    if len(divisors) != 1 or not cuts:
        return None
    (divisor,) = divisors
    if not 1 < divisor <= _MOST_RESIDUES:
        return None
    parts = [
        highest(
            body.substitute({index: sym(index) * divisor + residue}),
            index,
            ceil_div(low - residue, divisor),
            ceil_div(high - residue, divisor),
            known,
            cuts - 1,
        )
        for residue in range(divisor)
    ]
    found = [p for p in parts if p is not None]
    return maximum(0, *found, assumptions=known) if len(found) == len(parts) else None


def settled(e: Expr, known: Assumptions) -> Expr:
    """The formula without quotients of what is smaller than its divisor."""

    def change(a: Atom) -> Expr:
        if isinstance(a, Quotient) and (
            is_nonnegative(a.num, known) and is_nonnegative(a.den - 1 - a.num, known)
        ):
            return ZERO
        if a.is_symbol or not a.parts or isinstance(a, Sum):
            return from_atom(a)
        parts = tuple(settled(part, known) for part in a.parts)
        return from_atom(a) if parts == a.parts else a.rebuild(parts)

    return e.map_atoms(change)


def _over_parts(
    body: Expr, atom: Step, index: str, low: Expr, high: Expr, known: Assumptions, cuts: int
) -> Expr | None:
    """The maximum where an indicator is 1, or where it is 0."""
    affine = integer_slope(atom.arg, index)
    if affine is None or not cuts:
        return None
    slope, rest = affine
    if slope > 0:  # 1 from `at` on
        at = ceil_div(-rest, expr(slope))
    else:  # 1 before `at`
        at = floor_div(rest, expr(-slope)) + 1
    at = maximum(low, at, assumptions=known)
    before = (low, minimum(high, at, assumptions=known))
    behind = (at, high)
    where_set, where_clear = (behind, before) if slope > 0 else (before, behind)
    parts = [
        highest(replaced(body, atom, value), index, *where, known, cuts - 1)
        for value, where in ((ONE, where_set), (ZERO, where_clear))
    ]
    found = [p for p in parts if p is not None]
    if len(found) < len(parts):
        return None
    more = [p for p in found if p]  # nothing is below 0
    return maximum(*more, assumptions=known) if more else ZERO


def _is_any(low: Expr, high: Expr, known: Assumptions) -> Expr:
    """1 where low < high, else 0; bounds that are the least or greatest of several one by one."""
    product = ONE
    for least in _alternatives(low, "Max"):
        for most in _alternatives(high, "Min"):
            product = product * _is_below(least, most, known)
    return product


def _unguarded(high: Expr, low: Expr, known: Assumptions) -> Expr:
    """The bound where the range is not empty: Max(0, x) is x there."""
    if not is_nonnegative(low, known):
        return high
    kept = []
    for most in _alternatives(high, "Min"):
        atom = most.atom
        inner = atom.truncated if isinstance(atom, Extremum) else None
        kept.append(most if inner is None else _unguarded(inner, low, known))
    return minimum(*kept, assumptions=known)


def _is_below(low: Expr, high: Expr, known: Assumptions) -> Expr:
    atom = high.atom
    if isinstance(atom, Extremum) and atom.truncated is not None and is_nonnegative(low, known):
        return _is_any(low, atom.truncated, known)
    return step(high - low - 1, known)


def _alternatives(e: Expr, kind: str) -> tuple[Expr, ...]:
    atom = e.atom
    return atom.args if isinstance(atom, Extremum) and atom.kind == kind else (e,)


def _cut_in(body: Expr, index: str) -> Step | None:
    """An indicator that changes once over the index."""
    steps = (a for a in sorted(body.all_atoms()) if isinstance(a, Step) and index in a.symbols)
    return next((a for a in steps if integer_slope(a.arg, index) is not None), None)


def direction(e: Expr, index: str, known: Assumptions) -> int | None:
    """1: a formula never falls as the index grows, -1: it never rises, 0: it does neither; None:
    that is not shown."""
    if index not in e.symbols:
        return 0
    affine = e.affine_in(index)
    difference = affine[0] if affine else e.substitute({index: sym(index) + 1}) - e
    for sign in (1, -1):
        if is_nonnegative(difference * sign, known):
            return sign
    return _common([_of_term(monomial, known, index, c > 0) for monomial, c in e.terms.items()])


def _common(found: list[int | None]) -> int | None:
    signs = {d for d in found if d != 0}
    if None in signs or len(signs) > 1:
        return None
    return next(iter(signs), 0)


def _of_term(monomial: Monomial, known: Assumptions, index: str, is_added: bool) -> int | None:
    """The direction of a product: of factors that are never negative, and agree."""
    is_alone = len(monomial) == 1 and monomial[0][1] == 1
    if not is_alone and not all(is_nonnegative(from_atom(a), known) for a, _ in monomial):
        return None
    found = _common([_of_atom(a, index, known) for a, _ in monomial])
    return found if found is None or is_added else -found


def _of_atom(a: Atom, index: str, known: Assumptions) -> int | None:
    if index not in a.symbols:
        return 0
    if a.is_symbol:
        return 1
    match a:
        case Quotient() if index not in a.den.symbols and is_nonnegative(a.den, known):
            return direction(a.num, index, known)
        case Extremum():
            return _common([direction(part, index, known) for part in a.args])
        case Step() | Inverse():
            return direction(a.arg, index, known)
        case Pow():
            return direction(a.exponent, index, known)
    return None
