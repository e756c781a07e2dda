"""Elements of arrays that one loop has filled: `for (i = 0; i < n; i++) at[i + 1] = at[i] + u`.

Where a single store in a loop is all that writes an array (beside one to the element before the
first), and what it stores is a formula of the iteration, or the element before and such a formula,
each element is a formula of its index once the loop has ended. So are the rows that a sparse matrix
is read by, the sizes of buckets and the offsets of blocks.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from ..alias.library import Control, declared_function
from ..alias.memory_location import MemoryLocation, Pointer, UnderlyingObject
from ..closed_forms.index_range import unguarded
from ..closed_forms.sums import summation
from ..expr import (
    ONE,
    ZERO,
    Assumptions,
    Expr,
    Extremum,
    Step,
    TooComplex,
    expr,
    from_atom,
    is_nonnegative,
    simplify,
    sym,
    symbols,
)
from ..ir.graph import callee
from ..ir.loop_info import Loop
from ..ir.types import Instruction, Operand, quoted
from ..scev.context import FunctionContext, MemoryQueries
from ..scev.values import NO_PRECONDITIONS, Filled, Value
from .filled_nests import filled_by_nest, not_empty
from .row_addresses import stepped
from .writes import Write, Writes

NUMBERS = ("i32", "i64")
"""Types of numbers that are what formulas say, whether they are signed or not."""
_MOST_WRITES = 12
"""Writes that are looked at for where they go."""


class FilledArrays:
    """Arrays of all functions, each looked at once."""

    def __init__(self, memory: MemoryQueries, writes: Writes) -> None:
        self.memory = memory
        self.writes = writes
        self._active: set[tuple[str, str]] = set()

    def element(
        self,
        view: FunctionContext,
        address: Value,
        place: MemoryLocation,
        block: str,
        before: Instruction,
        *,
        is_handed: bool,
    ) -> Value | None:
        """What stands at an address when control is before an instruction of `block`; None where
        nothing is known of it. `is_handed`: a function reads it that control is given to there, of
        which nothing more is known than that its rows do not fall (`telescoping`)."""
        if place.kind not in NUMBERS:
            return None
        try:
            for symbol in self._pointers(address.expr):
                found = self.of_pointer(view, symbol, place, block, before)
                needs = _falls(found) if found is not None and is_handed else frozenset()
                if found is None or needs is None:
                    continue
                way = address.expr - sym(symbol) - found.offset
                value = self._value(view, found, way, block, address)
                return value and Value(value.expr, value.preconditions | needs)
        except TooComplex:
            return None
        return None

    def of_pointer(
        self,
        view: FunctionContext,
        symbol: str,
        place: MemoryLocation,
        block: str,
        before: Instruction,
    ) -> Filled | None:
        """The array that a symbol of a function's formulas points to, when control is before an
        instruction of `block`. `place`: the kind of its elements."""
        base = self.memory.object_of(view, symbol)
        key = (view.function.name, symbol)
        if key in self._active:
            return None
        self._active.add(key)
        try:
            if base is not None and (
                self.memory.aliasing.is_object(base) or _is_argument(view, base)
            ):
                place = place._replace(underlying_object=base, offset=None, size=None)
                found = self._filled(view, place, block, before, sym(symbol))
                if found is not None:
                    return found
            return self.memory.made_by_call(view, symbol, place, block, before)
        finally:
            self._active.discard(key)

    @staticmethod
    def _pointers(address: Expr) -> list[str]:
        """The symbols of an address that may be that of an array it points into."""
        found = [
            m[0][0] for m, c in address.terms.items() if c == 1 and len(m) == 1 and m[0][1] == 1
        ]
        return [a.key for a in found if a.is_symbol]

    def _value(
        self, view: FunctionContext, a: Filled, way: Expr, block: str, address: Value
    ) -> Value | None:
        at = way * Fraction(1, a.step)
        if any(Fraction(c).denominator != 1 for c in at.terms.values()):
            return None
        if a.ends:
            return _at_end(a, at, address.preconditions)
        known = _known(view, block)

        def holds(e: Expr) -> bool:
            return is_nonnegative(e, known) or is_nonnegative(stepped(view, e, block), known)

        ends = [a.number]
        if isinstance(guard := a.number.atom, Extremum) and guard.kind == "Max":
            # of Max(0, n) iterations, n is what the bounds of loops say
            ends += unguarded(a.number)[:1]
        beyond = [end - 1 - at for end in ends]
        needs = NO_PRECONDITIONS
        if not any(map(holds, beyond)):
            # element n behind Max(0, n + 1) iterations: where n is not below 0
            (end, more), (last, others) = not_empty(a.number), not_empty(at)
            rest = end - 1 - last
            if not holds(rest) and at.constant is None:
                return None
            needs = more | others | ({rest} if at.constant is not None else NO_PRECONDITIONS)
        if not holds(at - a.lowest):
            return None
        value = a.value.substitute({a.index: at})
        return Value(value, address.preconditions | a.preconditions | needs)

    # -- the loop that fills an array
    def _filled(
        self,
        view: FunctionContext,
        place: MemoryLocation,
        block: str,
        before: Instruction,
        start: Expr,
    ) -> Filled | None:
        function, forest = view.function, view.forest
        sparing = self.writes.sparing(function, place)
        earlier = self.writes.before(function, block, before)
        written = [w for w in earlier if sparing[w.number] is None]
        if not 0 < len(written) <= _MOST_WRITES:
            return None
        written = [w for w in written if not goes_elsewhere(view, w.instruction, place)]
        if not 0 < len(written) <= 2 or any(w.instruction.opcode != "store" for w in written):
            return None
        inside = [w for w in written if w.block in forest.innermost]
        stores = [w for w in inside if forest.innermost[w.block] != forest.innermost.get(block)]
        if not stores:
            return None
        store = max(stores, key=lambda w: view.loops[forest.innermost[w.block]].depth)
        others = [w for w in written if w is not store]
        loop = view.loops[forest.innermost[store.block]]
        if store.instruction.type != place.kind or store.instruction.flags & {"volatile", "atomic"}:
            return None
        trusted = frozenset().union(*(t for w in earlier if (t := sparing[w.number]) is not None))
        found = self._of_loop(view, store, others, loop, place.kind, block, start)
        if found is None:
            size = view.program.layout.size(place.kind) or 0
            other = others[0] if others else None
            found = filled_by_nest(view, store, other, block, start, size) if size else None
        if found is not None:
            view.program.assume_outside(trusted)
        return found

    def _of_loop(
        self,
        view: FunctionContext,
        store: Write,
        others: list[Write],
        loop: Loop,
        kind: str,
        block: str,
        start: Expr,
    ) -> Filled | None:
        """The array by the formula of its elements, where one loop fills it."""
        if not self._is_whole(view, loop, store, block):
            return None
        count = view.trip_counts.iterations(loop.header)
        if count.reason or count.formula is None or count.notes:
            return None
        step = view.program.layout.size(kind) or 0
        offset = self._offset(view, store, loop, start, step)
        if offset is None or not step:
            return None
        first = self._before(view, others[0], loop, start, offset - step) if others else None
        is_behind = bool(others) and first is None
        shape = (offset, step, count.formula)
        found = self._of_store(view, store, loop, shape, first, start)
        if found is not None and is_behind:
            found = self._with_last(view, found, others[0], loop, block, start)
        return found

    def _is_whole(self, view: FunctionContext, loop: Loop, store: Write, block: str) -> bool:
        """Does each iteration pass the store, and has the loop ended where the array is read?"""
        if loop.latch is None or block in loop.blocks or len(loop.exits) != 1:
            return False
        edge = loop.exits[0]
        if not edge.is_test or edge.source != loop.header or edge.target in view.paths.dead:
            return False
        around = view.enclosing_loops(loop.header)
        return (
            view.forest.dominates(store.block, loop.latch)
            and view.forest.dominates(loop.header, block)
            and all(block in view.loops[h].blocks for h in around)
        )

    def _offset(
        self, view: FunctionContext, store: Write, loop: Loop, start: Expr, step: int
    ) -> Expr | None:
        """Bytes from the array's address to where the first iteration stores, where each stores an
        element further."""
        address = view.scalars.value(store.instruction.operands[1])
        closed = view.variables.forms(loop.header).closed
        way = address.expr.substitute(closed) - start
        index = view.variables.index(loop.header)
        line = way.affine_in(index)
        if address.preconditions or line is None or not line[0]:
            return None
        if line[0] != expr(step) or view.varying(line[1], loop.header):
            return None
        return line[1]

    def _before(
        self, view: FunctionContext, other: Write, loop: Loop, start: Expr, offset: Expr
    ) -> Expr | None:
        """What the other store leaves in the element before those of the loop, which control passes
        on the way to it."""
        i = other.instruction
        own = view.forest.innermost.get(other.block)
        if own != loop.parent or i.flags & {"volatile", "atomic"}:
            return None
        if not view.forest.dominates(other.block, loop.header):
            return None
        address, value = (view.scalars.value(o) for o in (i.operands[1], i.operands[0]))
        if address.expr - start != offset or address.preconditions or value.preconditions:
            return None
        return value.expr

    def _with_last(
        self, view: FunctionContext, a: Filled, other: Write, loop: Loop, block: str, start: Expr
    ) -> Filled | None:
        """With the element behind those of the loop, where the other store puts there what one
        more iteration would: `for (i = 0; i < n; i++) { row[i] = p; p += k; } row[n] = p;`."""
        i, forest = other.instruction, view.forest
        if (
            forest.innermost.get(other.block) != loop.parent
            or view.program.layout.size(i.type) != a.step
        ):
            return None
        if i.flags & {"volatile", "atomic"} or not forest.dominates(loop.header, other.block):
            return None
        if other.block in loop.blocks or not forest.dominates(other.block, block):
            return None
        ends = [a.number, *unguarded(a.number)]
        address, value = (view.scalars.value(o) for o in (i.operands[1], i.operands[0]))
        if address.preconditions or value.preconditions:
            return None
        known = view.paths.assumptions(other.block)
        for end in ends:
            if address.expr - start != a.offset + end * a.step:
                continue
            needs = frozenset() if end == a.number or is_nonnegative(end, known) else {end}
            last = a.value.substitute({a.index: end})
            if value.expr in (last, a.value.substitute({a.index: a.number})):
                return replace(a, number=a.number + 1, preconditions=a.preconditions | needs)
        return None

    def _of_store(
        self,
        view: FunctionContext,
        store: Write,
        loop: Loop,
        shape: tuple[Expr, int, Expr],
        first: Expr | None,
        start: Expr,
    ) -> Filled | None:
        """The array by what its store stores: a formula of the iteration, or what is added to the
        element before."""
        offset, step, number = shape
        index = view.variables.index(loop.header)
        value = view.scalars.value(store.instruction.operands[0])
        forms = view.variables.forms(loop.header)
        counted = view.trip_counts.iterations(loop.header).preconditions
        # what a variable is behind an iteration, it is before the next one
        latest = [n for n, e in forms.updates.items() if e == value.expr and n in forms.closed]
        whole = (
            forms.closed[latest[0]].substitute({index: sym(index) + 1})
            if latest
            else value.expr.substitute(forms.closed)
        )
        needs = value.preconditions | forms.needed(value.expr.symbols)
        if any(n.symbols & {index, *forms.closed} or view.varying(n, loop.header) for n in needs):
            return None
        needs |= counted
        left = view.varying(whole, loop.header)
        own = [s for s in left if s != index]
        if not _is_followed(whole, index):
            return None  # remainders and the like: subscripts that jump about
        if not own:
            lowest = 0
            if first is not None:
                lowest = -1 if whole.substitute({index: expr(-1)}) == first else 0
            return Filled(offset, step, number, index, whole, lowest, needs)
        if len(own) != 1 or first is None:
            return None
        added = whole - sym(own[0])
        if own[0] in added.symbols or not self._reads(view, own[0], loop, start, offset - step):
            return None
        count = sym(index) + 1
        total = first + summation(added, index, count, Assumptions([count]))
        return Filled(offset, step, number, index, total, -1, needs)

    def _reads(
        self, view: FunctionContext, symbol: str, loop: Loop, start: Expr, offset: Expr
    ) -> bool:
        """Is a symbol what an iteration reads of the element before the one that it stores?"""
        name = symbols.register_name(symbol, view.function.name)
        i = view.function.definitions.get(f"%{quoted(name)}") if name is not None else None
        if i is None or i.opcode != "load" or i.flags & {"volatile", "atomic"}:
            return False
        if view.function.block_of[i.token] not in loop.blocks:
            return False
        address = view.scalars.value(i.operands[0])
        closed = view.variables.forms(loop.header).closed
        index = view.variables.index(loop.header)
        way = address.expr.substitute(closed) - start - offset
        sides = way.split(index)
        return (
            not address.preconditions
            and sides is not None
            and way == sym(index) * (sides.get(1, ZERO).constant or 0)
            and sides.get(1) == expr(view.program.layout.size(i.type) or 0)
        )


def _is_followed(e: Expr, index: str) -> bool:
    """Is it a formula of the index in few pieces: what `if (i > 0)` adds is one, too?"""
    cut = [a for a in e.atoms if isinstance(a, (Extremum, Step)) and index in a.symbols]
    if not all(_is_followed(p, index) for a in cut for p in a.parts):
        return False
    return e.map_atoms(lambda a: ONE if a in cut else from_atom(a)).split(index) is not None


def _is_argument(view: FunctionContext, base: UnderlyingObject) -> bool:
    """Is it what an argument points to, the same array in the whole of a call?"""
    return isinstance(base, Pointer) and any(
        p.token == base.register for p in view.function.parameters
    )


def goes_elsewhere(view: FunctionContext, i: Instruction, place: MemoryLocation) -> bool:
    """Does a store, or a function of the library that only writes what it is handed, go to other
    objects than that of a place, as the values of the addresses say: a pointer that was kept in
    memory and read back is the one that was kept."""
    if i.opcode == "store":
        return _is_elsewhere(view, i.operands[1], place)
    if not view.program.memory.aliasing.is_object(place.underlying_object):
        return False
    known = declared_function(view.program.module, callee(i) or "") if i.is_call else None
    if known is None or not view.program.memory.aliasing.writes_by_arguments(known):
        return False
    if callee(i) in view.program.defined or known.control is Control.TWICE:
        return False
    handed = [
        o
        for at, (o, kind) in enumerate(zip(i.operands[1:], i.extra, strict=False))
        if kind == "ptr" and known.writes_through(at)
    ]
    return bool(handed) and all(_is_elsewhere(view, o, place) for o in handed)


def _is_elsewhere(view: FunctionContext, address: Operand, place: MemoryLocation) -> bool:
    """Does an address point into another object than that of a place?"""
    memory = view.program.memory
    base, _ = memory.aliasing.underlying_object(view.function, address)
    if base is not None and memory.aliasing.is_object(base):
        return False  # which is told apart already
    symbols_ = view.scalars.value(address).expr.symbols
    roots = {memory.object_of(view, s) for s in symbols_} - {None}
    if len(roots) != 1 or place.underlying_object in roots:
        return False
    (root,) = roots
    return memory.aliasing.is_object(root) and (
        place.underlying_object is None or memory.aliasing.is_object(place.underlying_object)
    )


def _at_end(a: Filled, at: Expr, needs: frozenset[Expr]) -> Value | None:
    """What stands at the first or the last position of an array that nested loops fill."""
    for position, value in a.ends:
        (bare, guards), (there, others) = not_empty(position), not_empty(at)
        if at == position:
            return Value(value, a.preconditions | needs)
        if there == bare:
            return Value(value, a.preconditions | needs | guards | others)
    return None


def _falls(a: Filled) -> frozenset[Expr] | None:
    """What must not be below zero for no element to be below the one before; None where that is not
    one number for all of them."""
    if a.ends:
        return frozenset()
    i = sym(a.index)
    more = a.value.substitute({a.index: i + 1}) - a.value
    if is_nonnegative(more, Assumptions([i - a.lowest])):
        return frozenset()
    if a.index not in more.symbols:
        return frozenset((more,))
    behind = [i - a.lowest, a.number - 2 - i]  # there is an element behind this one
    bare, guarded = not_empty(a.number)
    for n in guarded if len(guarded) == 1 else ():
        beside = (bare - n).constant
        if beside is not None and beside < a.lowest + 2:  # of Max(0, n) + 1 elements: n is above 0
            behind += [bare - 2 - i, n - 1]
    known = Assumptions(behind)
    return frozenset() if is_nonnegative(simplify(more, known), known) else None


def _known(view: FunctionContext, block: str) -> Assumptions:
    """What holds in a block, in terms of variables and of iterations of the loops around."""
    known = view.paths.assumptions(block)
    header = view.forest.innermost.get(block)
    if header is None:
        return known
    around = [header, *view.enclosing_loops(header)]
    return known.plus(
        *(stepped(view, e, block) for e in known.known),
        *(sym(view.variables.index(h)) for h in around),
    )
