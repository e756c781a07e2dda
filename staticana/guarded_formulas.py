"""Formulas that hold under conditions, written without what is idle where these hold."""

from __future__ import annotations

from .closed_forms.sums import summed_again
from .expr import (
    ONE,
    ZERO,
    Assumptions,
    Expr,
    Extremum,
    Floor,
    Pow,
    TooComplex,
    from_atom,
    guarded,
    simplify,
    step,
    sym,
)
from .expr.parities import of_one_parity


def of_its_guard(e: Expr) -> Expr:
    """The formula over Max(0, x) alone, where x occurs beside it: 2**m - 2**(m - Max(0, m)) is
    2**Max(0, m) - 1."""
    inner = {g for a in e.atoms if isinstance(a, Pow) for g in a.exponent.atoms}
    inner |= {g for a in e.atoms if isinstance(a, Floor) for g in a.num.atoms}
    for guard in sorted(
        g for g in inner if isinstance(g, Extremum) and g.kind == "Max" and ZERO in g.args
    ):
        x = guard.args[0] + guard.args[1]
        name = next(
            (
                s
                for s in sorted(x.symbols)
                if (line := x.affine_in(s)) is not None and line[0] == ONE
            ),
            None,
        )
        if (
            len(guard.args) > 2
            or name is None
            or not any(name in a.symbols and a != guard for a in e.atoms)
        ):
            continue
        shift = x - sym(name)
        inside = of_one_parity(simplify(e, Assumptions([x])))
        end = {name: -shift}
        try:
            beyond = of_one_parity(simplify(e, Assumptions([-x])))
            if beyond == inside.substitute(end) and len(inside.terms) <= len(e.terms):
                found = inside.substitute({name: from_atom(guard) - shift})
                if len(str(found)) < len(str(e)):
                    return found
        except TooComplex:
            continue
    return e


def under_its_guards(e: Expr, assumptions: Assumptions, unassumed: Assumptions) -> Expr:
    """The formula with what is idle where its conditions hold left out; its sums assume nothing."""
    rest, conditions = guarded(e)
    if not conditions:
        return e
    inside = assumptions.plus(*conditions)
    simple = simplify(rest, inside)
    rest = summed_again(simple, unassumed)
    if rest is not simple:
        rest = simplify(rest, inside)
    for c in conditions:
        rest = rest * step(c)
    return rest
