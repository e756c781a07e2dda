"""What holds in any activation of a function that calls itself, by the largest values in a run."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from ..alias.call_graph import Site
from ..expr import Assumptions, Expr, Loaded, from_atom
from ..scev.context import FunctionContext
from ..scev.executions.largest import with_largest
from .call_substitution import is_steady
from .self_calls import at_most_with_steps


def most_in_any(
    view: FunctionContext, e: Expr, varied: Collection[str], paths: Sequence[Sequence[Site]]
) -> Expr | None:
    """The most that a bound comes to in any activation, whatever holds in it, by the largest values
    in a run."""
    e = at_most_with_steps(e, Assumptions())
    asked = moving(view, e, varied, paths)
    found = with_largest(view, e, asked, "")
    return found if moving(view, found, varied, paths).isdisjoint(asked) else None


def moving(
    view: FunctionContext, e: Expr, varied: Collection[str], paths: Sequence[Sequence[Site]]
) -> frozenset[str]:
    """What differs between activations of the values in a formula."""
    return frozenset(
        a.key
        for a in e.all_atoms()
        if (a.is_symbol and (a.key in varied or _is_own(view, a.key)))
        or (isinstance(a, Loaded) and not is_steady(view.program, paths, from_atom(a)))
    )


def _is_own(view: FunctionContext, symbol: str) -> bool:
    """Is it a value that each activation has for itself?"""
    info = view.program.unknowns.get(symbol)
    return info is not None and info.function == view.function.name and not info.is_one
