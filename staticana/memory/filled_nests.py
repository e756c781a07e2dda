"""Arrays that nested loops fill row by row, with the value of a variable that never falls.

`for (j ...) for (i ...) { if (i > 0) k++; ...; ptr[++row] = k; }` leaves in `ptr` where the rows of
a sparse matrix end. What stands in the middle is a formula of nobody; what stands at both ends is
what the variable was before the loops and what it is behind them, and no element is below the one
before.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from ..closed_forms.index_range import unguarded
from ..expr import ONE, ZERO, Atom, Expr, Extremum, expr, from_atom, is_nonnegative, sym, symbols
from ..ir.loop_info import Loop
from ..ir.types import Operand
from ..scev.context import FunctionContext
from ..scev.values import Filled
from .writes import Write

_DEEPEST = 4
_UNKNOWN = sym(symbols.register("", "element"))
"""An element in the middle."""


@dataclass(frozen=True)
class _Stored:
    """The variable whose value is stored: what it is before and behind all loops, whether it is
    stored when an iteration has changed it, and what all of that rests on."""

    first: Expr
    last: Expr
    phi: Operand
    is_behind: bool
    needs: frozenset[Expr]


def filled_by_nest(
    view: FunctionContext, store: Write, other: Write | None, block: str, start: Expr, step: int
) -> Filled | None:
    """What loops leave in an array that begins at `start`, when control is in `block`; `other`
    writes there, too."""
    nest = _nest(view, store, block)
    if nest is None:
        return None
    counts: list[Expr] = []
    needs: set[Expr] = set()
    for loop in nest:
        count = view.trip_counts.iterations(loop.header)
        if count.reason or count.formula is None or count.notes:
            return None
        if any(view.varying(count.formula, h.header) for h in nest):
            return None
        if any(view.varying(n, h.header) for n in count.preconditions for h in nest):
            return None
        counts.append(count.formula)
        needs |= count.preconditions
    placed = _offset(view, store, nest, counts, start, step)
    stored = _stored(view, store, nest, counts)
    if placed is None or stored is None:
        return None
    offset, more = placed
    number = ONE
    for each in counts:
        number = number * each
    found = Filled(
        offset,
        step,
        number,
        view.variables.index(nest[0].header),
        _UNKNOWN,
        -1,
        frozenset(needs | more | stored.needs),
        ((expr(-1), stored.first), (number - 1, stored.last)),
    )
    if stored.is_behind:
        return found if _is_first(view, other, nest[-1], start, found) else None
    guards = _is_last(view, other, nest[-1], block, start, found, stored.phi) if other else None
    if guards is None:
        return None
    ends = ((ZERO, stored.first), (number, stored.last))
    more = found.preconditions | guards
    return Filled(offset, step, number + 1, found.index, _UNKNOWN, 0, more, ends)


def _nest(view: FunctionContext, store: Write, block: str) -> list[Loop] | None:
    """The loops around a store that have ended where the array is read, from the innermost on: each
    iteration of one runs the next one, or the store."""
    forest = view.forest
    nest: list[Loop] = []
    header, inside = forest.innermost.get(store.block), store.block
    while header is not None and block not in view.loops[header].blocks:
        loop = view.loops[header]
        if loop.latch is None or len(loop.exits) != 1:
            return None
        edge = loop.exits[0]
        if not edge.is_test or edge.source != header or edge.target in view.paths.dead:
            return None
        if not forest.dominates(inside, loop.latch):
            return None
        nest.append(loop)
        inside = header
        header = loop.parent
    if not 0 < len(nest) <= _DEEPEST or not forest.dominates(inside, block):
        return None
    return nest


def _offset(
    view: FunctionContext,
    store: Write,
    nest: list[Loop],
    counts: list[Expr],
    start: Expr,
    step: int,
) -> tuple[Expr, frozenset[Expr]] | None:
    """(bytes from the array's address to the first element that is stored, what must not be below
    0), where each store goes one element further than the one before."""
    address = view.scalars.value(store.instruction.operands[1])
    if address.preconditions:
        return None
    way = address.expr
    needs: set[Expr] = set()
    for loop in nest:
        forms = view.variables.forms(loop.header)
        needs |= forms.needed(way.symbols)
        way = way.substitute(forms.closed)
    way = way - start
    further = expr(step)
    for loop, count in zip(nest, counts, strict=True):
        line = way.affine_in(view.variables.index(loop.header))
        if line is None or not line[0]:
            return None
        if line[0] != further:
            bare, guards = not_empty(further)
            if line[0] != bare:
                return None
            needs |= guards
        way, further = line[1], further * count
    if any(view.varying(e, loop.header) for e in (way, *needs) for loop in nest):
        return None
    return way, frozenset(needs)


def _stored(
    view: FunctionContext, store: Write, nest: list[Loop], counts: list[Expr]
) -> _Stored | None:
    """The variable that all loops of a nest hand on, each to the one inside of it and back."""
    value = view.scalars.value(store.instruction.operands[0])
    forms = view.variables.forms(nest[0].header)
    phis = {view.variables.symbol(p): p for p in view.function.blocks[nest[0].header].phis}
    atom = value.expr.atom
    before = atom.key if atom is not None and atom.key in forms.updates else None
    behind = next((n for n, e in forms.updates.items() if e == value.expr and n in phis), None)
    name = before if before is not None else behind
    if name not in phis or value.preconditions:
        return None
    if not is_nonnegative(forms.updates[name] - sym(name)):
        return None
    needs = forms.needed(frozenset((name,)))
    inner = phis[name]
    for loop, outer in pairwise(nest):
        around = view.function.blocks[outer.header].phis
        started = [o for o, b in zip(inner.operands, inner.labels, strict=True) if b != loop.latch]
        phi = next((p for p in around if [p.token] == started), None)
        if phi is None or outer.latch is None or outer.latch not in phi.labels:
            return None
        handed_back = phi.operands[phi.labels.index(outer.latch)]
        if _only(view, handed_back) != inner.token or len(phi.operands) != 2:
            return None
        inner = phi
    forms = view.variables.forms(nest[-1].header)
    name = view.variables.symbol(inner)
    if name not in forms.closed:
        return None
    needs |= forms.needed(frozenset((name,)))
    last = forms.closed[name].substitute({view.variables.index(nest[-1].header): counts[-1]})
    if any(view.varying(e, loop.header) for e in (last, *needs) for loop in nest):
        return None
    is_behind = before is None
    return _Stored(forms.initial[name], last, inner.token, is_behind, needs)


def _only(view: FunctionContext, token: Operand) -> Operand:
    """The register that phis with one operand stand for, as they stand where loops are left."""
    i = view.function.definitions.get(token)
    while i is not None and i.opcode == "phi" and len(i.operands) == 1:
        token = i.operands[0]
        i = view.function.definitions.get(token)
    return token


def _is_first(
    view: FunctionContext, other: Write | None, outermost: Loop, start: Expr, a: Filled
) -> bool:
    """Does the element before those of the loops hold what the variable is before them?"""
    if other is None:
        return False
    i = other.instruction
    if i.flags & {"volatile", "atomic"} or other.block in outermost.blocks:
        return False
    if view.forest.innermost.get(other.block) != outermost.parent:
        return False
    address, value = (view.scalars.value(o) for o in (i.operands[1], i.operands[0]))
    return (
        view.forest.dominates(other.block, outermost.header)
        and not address.preconditions | value.preconditions
        and address.expr - start == a.offset - a.step
        and value.expr == a.ends[0][1]
    )


def _is_last(
    view: FunctionContext,
    other: Write,
    outermost: Loop,
    block: str,
    start: Expr,
    a: Filled,
    phi: Operand,
) -> frozenset[Expr] | None:
    """What must not be below 0 for the element behind those of the loops to get what the variable
    is behind them; None where it does not."""
    i, forest = other.instruction, view.forest
    if i.flags & {"volatile", "atomic"} or other.block in outermost.blocks:
        return None
    if forest.innermost.get(other.block) != outermost.parent:
        return None
    if not forest.dominates(outermost.header, other.block):
        return None
    address = view.scalars.value(i.operands[1])
    if address.preconditions or not forest.dominates(other.block, block):
        return None
    if _only(view, i.operands[0]) != phi:
        return None
    way = address.expr - start - a.offset
    bare, guards = not_empty(a.number)
    if way == a.number * a.step:
        return frozenset()
    return guards if way == bare * a.step else None


def not_empty(e: Expr) -> tuple[Expr, frozenset[Expr]]:
    """A formula without guards against empty ranges, Max(0, x), and what must not be below 0."""
    needs: set[Expr] = set()

    def bare(a: Atom) -> Expr:
        inside = unguarded(from_atom(a))[:1] if isinstance(a, Extremum) and a.kind == "Max" else []
        needs.update(inside)
        return inside[0] if inside else from_atom(a)

    return e.map_atoms(bare), frozenset(needs)
