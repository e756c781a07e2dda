"""Addresses of rows: what lies among the elements of which container, in which iteration."""

from __future__ import annotations

from collections.abc import Iterator

from ..expr import STORAGE_OF, Expr, Loaded, sym, symbols
from ..scev.context import FunctionContext
from ..scev.loop_variables import KEPT

ROW_BYTES = 24
"""Bytes of a vector, in both libraries."""


def loops_around(view: FunctionContext, block: str) -> Iterator[str]:
    """The headers of the loops around a block, from inside out."""
    header = view.forest.innermost.get(block)
    while header is not None:
        yield header
        header = view.loops[header].parent


def stepped(view: FunctionContext, e: Expr, block: str) -> Expr:
    """A formula in which variables of the loops around, which go on by a constant, are replaced by
    what they are in an iteration."""
    for header in loops_around(view, block):
        latch = view.loops[header].latch
        for phi in view.function.blocks[header].phis:
            symbol = view.variables.symbol(phi)
            if symbol not in e.symbols or latch is None or latch not in phi.labels:
                continue
            step = view.scalars.value(phi.operands[phi.labels.index(latch)]).expr - sym(symbol)
            starts = [
                o for o, label in zip(phi.operands, phi.labels, strict=True) if label != latch
            ]
            if step.constant is None or len(starts) != 1:
                continue
            start = view.scalars.value(starts[0]).expr
            e = e.substitute({symbol: start + step * sym(view.variables.index(header))})
        e = _kept_stepped(view, e, header)
    return e


def _kept_stepped(view: FunctionContext, e: Expr, header: str) -> Expr:
    """As `stepped`, of variables of one loop that stand in memory, since their address is handed on
    (`row.push_back(i)`)."""
    kept = symbols.unknown(view.function.name, header, KEPT)
    own = [s for s in e.symbols if s.startswith(kept)]
    if not own:
        return e
    forms = view.variables.forms(header)
    for s in forms.updates.keys() & own:
        step = forms.updates[s] - sym(s)
        if step.constant is not None and not forms.preconditions.get(s) and s in forms.initial:
            e = e.substitute({s: forms.initial[s] + step * sym(view.variables.index(header))})
    return e


def storage_of(address: Expr) -> Loaded | None:
    """The elements of a container of containers that an address lies among."""
    found = [
        m
        for m in address.terms
        if any(isinstance(a, Loaded) and a.kind.startswith(f"{STORAGE_OF}.") for a, _ in m)
    ]
    if len(found) != 1 or len(found[0]) != 1 or address.terms[found[0]] != 1:
        return None
    atom, power = found[0][0]
    return atom if isinstance(atom, Loaded) and power == 1 else None


def number_of(storage: Loaded) -> int:
    """The number of the type of a container's elements."""
    return int(storage.kind.partition(".")[2])
