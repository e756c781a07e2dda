"""What arrays hold, found on demand: definitions of memory, walked from a load upwards.

From a point the walk goes up the regions around it: the acyclic part of a loop's iteration (or of
the function), in which inner loops are one step, then the iterations before, then the region
around. A store is a piece under the condition of its path, a loop the sum of its body (`loops`), a
call what the callee leaves, over its arguments. At an object's allocation the walk ends.

Sources: Chow et al., "Effective representation of aliases and indirect memory operations in SSA
form", CC 1996 (definitions of memory, versions at joins and loop heads); K. Knobe and V. Sarkar,
POPL 1998 (array SSA).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from looplaw_common.digraph import Digraph, postorder

from ..alias.library import Control, declared_function
from ..alias.memory_location import MemoryLocation, Pointer, UnderlyingObject
from ..expr import (
    ZERO,
    Atom,
    Expr,
    Loaded,
    TooComplex,
    expr,
    from_atom,
    is_integer,
    is_storage,
    maximum,
    sym,
    symbols,
)
from ..expr.predicates import Cond
from ..ir import cxx_names as cxx
from ..ir.graph import callee, constructors
from ..ir.loop_info import Loop
from ..ir.matchers import is_alloca, is_load, is_return, is_store
from ..ir.types import Function, GlobalRef, Instruction, Operand, quoted
from ..scev.arithmetic.fits import handed_on
from ..scev.context import FunctionContext
from ..scev.values import Value
from .contents import Axis, Bottom, Contents, Here, Piece, joined
from .loops import Iterations, Read, left_by_iterations
from .row_addresses import loops_around, stepped
from .writes import Write, Writes

if TYPE_CHECKING:
    from .memory import Memory

NUMBERS = ("i8", "i16", "i32", "i64")
"""Types of numbers."""
KINDS = (*NUMBERS, "ptr")
"""Types of elements that are followed."""
_MOST_WRITES = 24
"""Writes to one object that are looked at."""
_DEEPEST = 4
"""Calls through which contents are followed."""
_END = 1 << 62
UNKNOWN = (Piece(ZERO, None, (), ZERO),)
"""Stands for writes of which nothing is known."""


class Array(NamedTuple):
    """An array as one function knows it: its elements' kind, the symbol of its address, and the
    symbols of pointers to other objects."""

    place: MemoryLocation
    start: Expr
    apart: frozenset[str] = frozenset()


class MemorySSA:
    """Contents of the arrays of a program."""

    def __init__(self, memory: Memory, writes: Writes) -> None:
        self.memory = memory
        self.writes = writes
        self._walks: dict[tuple[str, Array], Walk] = {}
        self._orders: dict[str, dict[str, int]] = {}
        self.depth = 0

    def contents(
        self,
        view: FunctionContext,
        symbol: str,
        place: MemoryLocation,
        block: str,
        line: int,
        apart: frozenset[str] = frozenset(),
    ) -> Contents | None:
        """What the object holds whose address is a symbol of a function's formulas, when control is
        before a line of `block`; None where it is no object, or nothing is known.

        Args:
            place: the access that it is asked for, wherever it goes.
            apart: symbols of the function that are known to point elsewhere.
        """
        base = self.memory.object_of(view, symbol)
        if base is None or place.kind not in KINDS or not self._is_one(view, base, block):
            return None
        place = place._replace(underlying_object=base, offset=None, size=None, extent=None)
        return self.walk(view, Array(place, sym(symbol), apart)).before(block, line)

    def trusted(
        self, view: FunctionContext, symbol: str, place: MemoryLocation, block: str
    ) -> frozenset[str]:
        """Functions outside the program that are taken not to write to an object before a block is
        left."""
        base = self.memory.object_of(view, symbol)
        place = place._replace(underlying_object=base, offset=None, size=None, extent=None)
        sparing = self.writes.sparing(view.function, place)
        earlier = self.writes.before(view.function, block)
        return frozenset[str]().union(*(sparing[w.number] or () for w in earlier))

    def walk(self, view: FunctionContext, array: Array, kind: type[Walk] | None = None) -> Walk:
        """The walks for one array in one function."""
        key = (view.function.name, array)
        found = self._walks.get(key)
        if found is None:
            found = self._walks[key] = (kind or Walk)(self, view, array)
        return found

    def _is_one(self, view: FunctionContext, base: UnderlyingObject, block: str) -> bool:
        """Is it one object, seen from a block: a global, what an argument points to, or what was
        allocated in the same iteration of all loops around that?"""
        if isinstance(base, GlobalRef):
            return True
        if any(p.token == base.register for p in view.function.parameters):
            return True
        made = view.function.block_of.get(base.register)
        if made is None or not self.memory.aliasing.is_object(base):
            return False
        header = view.forest.innermost.get(made)
        return header is None or block in view.loops[header].blocks

    def order(self, function: Function) -> dict[str, int]:
        """Blocks in reverse postorder."""
        found = self._orders.get(function.name)
        if found is None:
            edges = ((b.name, s) for b in function.blocks.values() for s in b.successors)
            first = function.entry.name
            names = reversed(postorder(Digraph([first], edges), first))
            found = self._orders[function.name] = {name: at for at, name in enumerate(names)}
        return found


class Walk:
    """One array in one function."""

    def __init__(self, ssa: MemorySSA, view: FunctionContext, array: Array) -> None:
        self.ssa, self.view, self.array = ssa, view, array
        self.size = view.program.layout.size(array.place.kind) or 0
        self._summed: dict[str, tuple[Piece, ...]] = {}
        self._active: set[str] = set()
        self._known: dict[tuple[str, int], Contents] = {}
        self._relevant: list[Write] | None = None

    # -- definitions that may touch the array
    @property
    def relevant(self) -> list[Write]:
        """The writes of the function that may touch it."""
        if self._relevant is None:
            function, place = self.view.function, self.array.place
            sparing = self.ssa.writes.sparing(function, place)
            self._relevant = [
                w
                for w in self.ssa.writes.of(function)
                if sparing[w.number] is None
                and self._is_behind_maker(w)
                and not self._goes_elsewhere(w.instruction)
            ]
        return self._relevant

    def _is_behind_maker(self, w: Write) -> bool:
        """Has the object been allocated when a write is made?"""
        made = self._maker()
        if made is None:
            return True
        block = self.view.function.block_of[made.token]
        if w.block == block:
            return w.instruction.line > made.line
        return w.block in self.view.reachable and self.view.forest.dominates(block, w.block)

    def _goes_elsewhere(self, i: Instruction) -> bool:
        if goes_elsewhere(self.view, i, self.array.place):
            return True
        if not is_store(i) or not self.array.apart:
            return False
        symbols_ = self.view.scalars.value(i.operands[1]).expr.symbols
        return bool(symbols_ & self.array.apart) and not symbols_ & self.array.start.symbols

    # -- upwards
    def before(self, block: str, line: int) -> Contents:
        """The contents when control is before a line of a block."""
        key = (block, line)
        found = self._known.get(key)
        if found is None:
            if len(self.relevant) > _MOST_WRITES or not self.size or self._is_tangled(block):
                found = Contents((), Bottom.UNKNOWN, self.size)
            else:
                try:
                    found = self._above(self.view.forest.innermost.get(block), block, line)
                except TooComplex:
                    found = Contents((), Bottom.UNKNOWN, self.size)
            if not self._active:
                self._known[key] = found
        return found

    def _is_tangled(self, block: str) -> bool:
        """Is the point, or a write, in a cycle that is no loop?"""
        blocks = {block, *(w.block for w in self.relevant)}
        return any(not blocks.isdisjoint(cycle) for cycle in self.view.forest.irreducible)

    def _above(self, header: str | None, node: str, line: int) -> Contents:
        """The contents before a line of a node of a region."""
        view, made = self.view, self._made_in()
        pieces: list[Piece] = []
        while True:
            pieces += self._within(header, node, line)
            if header is None or made in view.loops[header].blocks:
                break
            pieces += self._of_earlier(header)
            node, line, header = header, 0, view.loops[header].parent
        end = next((at for at, p in enumerate(pieces) if p.is_anywhere), None)
        if end is not None:
            return Contents(joined(pieces[:end]), Bottom.UNKNOWN, self.size)
        return Contents(joined(pieces), Bottom.ON_ENTRY, self.size).over(self.at_first())

    def _made_in(self) -> str | None:
        """The block in which the object is allocated."""
        base = self.array.place.underlying_object
        made = self._maker()
        if made is None or is_alloca(made) or not isinstance(base, Pointer):
            return None
        return self.view.function.block_of[made.token]

    def _maker(self) -> Instruction | None:
        base = self.array.place.underlying_object
        if not isinstance(base, Pointer) or base.function != self.view.function.name:
            return None
        return self.view.function.definitions.get(base.register)

    def at_first(self) -> Contents:
        """What the object held before all writes of the function."""
        made, empty = self._maker(), Contents((), Bottom.UNKNOWN, self.size)
        if made is None:
            return replace(empty, bottom=self._on_entry(), entry=self._found)
        if is_alloca(made):
            return replace(empty, bottom=Bottom.UNDEFINED)
        name = callee(made) if made.is_call else None
        if name in self.view.program.defined:
            return self._made_by_call(made) or empty
        if name in cxx.NEW_UNSET:
            return replace(empty, bottom=Bottom.UNDEFINED)
        if name == "calloc":
            return replace(empty, bottom=Bottom.ZEROS)
        if name == "realloc":
            return self._of_pointer(made.operands[1], made) or empty
        return empty

    def _found(self, offset: Expr) -> Expr:
        """What the function found at an offset when it was entered."""
        kind = self.array.place.kind
        return from_atom(Loaded(self.array.start + offset, kind, "", (), self.array.place))

    def _on_entry(self) -> Bottom:
        base, program = self.array.place.underlying_object, self.view.program
        if not isinstance(base, GlobalRef) or self.view.function.name != program.entry:
            return Bottom.ON_ENTRY
        g = program.module.globals.get(base.name)
        is_first = program.entry == "main" and not program.calls.runs_again
        if g is None or not is_first or constructors(program.module):
            return Bottom.ON_ENTRY
        return Bottom.ZEROS if g.initializer == "zeroinitializer" else Bottom.ON_ENTRY

    def _of_pointer(self, pointer: Operand, before: Instruction) -> Contents | None:
        """The contents of another object, when control is before an instruction."""
        value = self.view.scalars.value(pointer)
        atom = value.expr.atom
        if value.preconditions or atom is None or not atom.is_symbol:
            return None
        block = self.view.function.block_of[before.token]
        return self.ssa.contents(self.view, atom.key, self.array.place, block, before.line)

    # -- one region
    def _within(self, header: str | None, node: str, line: int) -> list[Piece]:
        """What the acyclic part of a region leaves on the way to a line of a node, latest first:
        of an iteration of a loop, or of the function."""
        found: list[Piece] = []
        for at, inner in self._steps(header, node):
            if at not in self.view.reachable:
                continue
            guard = self._guard(header, at, node)
            if guard is not None and guard[0].kind == "false":
                continue
            if inner is not None:
                own: Sequence[Piece] = self._left_by(inner)
            else:
                stores = [w for w in self._of_block(at) if at != node or w.instruction.line < line]
                own = [p for w in reversed(stores) for p in self.stored(w)]
            found += [_under(p, guard) for p in own]
        return found

    def _of_block(self, block: str) -> list[Write]:
        return [w for w in self.relevant if w.block == block]

    def _steps(self, header: str | None, node: str) -> list[tuple[str, Loop | None]]:
        """The blocks, and the loops by their headers, that write to the array on the ways to a node
        of a region, the last one first."""
        view, found = self.view, dict[str, Loop | None]()
        for w in self.relevant:
            inner = self._child(header, w.block)
            if inner == w.block and inner not in view.loops:
                found[w.block] = None
            elif inner == header and header is not None and w.block == header:
                found[header] = None
            elif inner is not None and inner != header:
                found[inner] = view.loops[inner]
        order = self.ssa.order(view.function)
        around = header if header is not None else view.function.entry.name
        leading = frozenset[str]()
        if node != header:  # to which control comes from the iteration before
            leading = self.ssa.writes.leading(view.function, around, node)
        ways = [
            (b, inner)
            for b, inner in found.items()
            if (b == node and inner is None) or (b != node and (b in leading or b == around))
        ]
        return sorted(ways, key=lambda s: -order.get(s[0], 0))

    def _child(self, header: str | None, block: str) -> str | None:
        """The step of a region that a block is in: itself, or the header of an inner loop; None
        where it is not in the region."""
        view = self.view
        own = view.forest.innermost.get(block)
        if own == header:
            return block
        while own is not None and view.loops[own].parent != header:
            own = view.loops[own].parent
        return own

    def _guard(
        self, header: str | None, block: str, node: str
    ) -> tuple[Cond, frozenset[Expr]] | None:
        """The condition under which control, which has come to a node, has passed a block on the
        way; None where it always has."""
        view = self.view
        top = block
        while not view.forest.dominates(top, node):
            above = view.forest.dominator[top]
            if above == top:
                break
            top = above
            inner = self._child(header, top)
            top = inner if inner is not None else top
        return None if top == block else view.paths.below(top, block)

    # -- loops
    def _left_by(self, loop: Loop) -> tuple[Piece, ...]:
        """What a loop leaves that has ended."""
        if loop.header in self._active:
            return UNKNOWN
        found = self._summed.get(loop.header)
        if found is None:
            self._active.add(loop.header)
            try:
                found = self._whole(loop)
            except TooComplex:
                found = UNKNOWN
            finally:
                self._active.discard(loop.header)
            self._summed[loop.header] = found
        return found

    def _whole(self, loop: Loop) -> tuple[Piece, ...]:
        view = self.view
        exits = [e for e in loop.exits if not (e.is_unwind and e.target in view.paths.dead)]
        if len(exits) != 1 or loop.latch is None:
            return UNKNOWN
        edge = exits[0]
        is_at_head = edge.source == loop.header and edge.is_test
        if edge.target in view.paths.dead or not (is_at_head or edge.source == loop.latch):
            return UNKNOWN
        if is_at_head and edge.source != loop.latch and self._of_block(loop.header):
            return UNKNOWN
        count = view.trip_counts.iterations(loop.header)
        if count.reason or count.formula is None or (count.notes and exits == [*loop.exits]):
            return UNKNOWN
        for note in count.notes:
            view.program.assume(note, view.function.name)
        found = self._over(loop, count.formula)
        if any(p.is_anywhere for p in found):
            return UNKNOWN
        return tuple(replace(p, needs=p.needs | count.preconditions) for p in found)

    def _of_earlier(self, header: str) -> tuple[Piece, ...]:
        """What the iterations of a loop have left before the present one."""
        loop = self.view.loops[header]
        if not any(w.block in loop.blocks for w in self.relevant):
            return ()
        if header in self._active or loop.latch is None:
            return UNKNOWN
        self._active.add(header)
        try:
            number = self._number_of_iteration(header)
            return tuple(self._over(loop, number)) if number is not None else UNKNOWN
        finally:
            self._active.discard(header)

    def _number_of_iteration(self, header: str) -> Expr | None:
        """The number of the present iteration, by a variable that goes on by a constant."""
        view = self.view
        forms = view.variables.forms(header)
        index = view.variables.index(header)
        for name, closed in forms.closed.items():
            line = closed.affine_in(index)
            step = line[0].constant if line is not None else None
            if line is not None and step and not forms.preconditions.get(name):
                number = (sym(name) - line[1]) * Fraction(1, int(step))
                if all(Fraction(c).denominator == 1 for c in number.terms.values()):
                    return number
        return None

    def _over(self, loop: Loop, number: Expr) -> Sequence[Piece]:
        """What so many iterations leave."""
        view, header = self.view, loop.header
        assert loop.latch is not None
        forms, index = view.variables.forms(header), view.variables.index(header)
        body = self._within(header, loop.latch, _END)
        if any(p.is_anywhere for p in body):
            return UNKNOWN
        body = [
            replace(
                p,
                needs=p.needs | forms.needed(frozenset().union(*(e.symbols for e in p.formulas()))),
            )
            for p in body
        ]
        body = [p.mapped(lambda e: e.substitute(forms.closed)) for p in body]
        iterations = Iterations(
            index,
            number,
            self._here(view.forest.dominator.get(header, header)),
            lambda offset, here: self._before_loop(loop, offset, here),
            lambda e: view.varying(e, header),
        )
        found = left_by_iterations(body, self._reads(loop, body), iterations)
        return UNKNOWN if found is None else found

    def _before_loop(self, loop: Loop, offset: Expr, here: Here) -> Value | None:
        """What stood at an offset before a loop."""
        key = (loop.header, -1)
        if key not in self._known:
            self._known[key] = self._above(loop.parent, loop.header, 0)
        return self._known[key].read(offset, here)

    def _reads(self, loop: Loop, body: Sequence[Piece]) -> Mapping[str, Read]:
        """The values in the formulas of a loop's stores that its iterations read of the array."""
        view = self.view
        forms = view.variables.forms(loop.header)
        varying = {s for p in body for e in p.formulas() for s in view.varying(e, loop.header)}
        found: dict[str, Read] = {}
        for name in varying:
            i = self._load(name)
            if (
                i is None
                or view.forest.innermost.get(view.function.block_of[i.token]) != loop.header
            ):
                continue
            offset = self.offset(i.operands[0], view.function.block_of[i.token])
            if offset is not None:
                offset = offset.substitute(forms.closed)
                found[name] = Read(offset, self._stores_above(loop, i, len(body)))
        return found

    def _load(self, symbol: str) -> Instruction | None:
        """The load of an element whose value a symbol is."""
        view = self.view
        name = symbols.register_name(symbol, view.function.name)
        i = view.function.definitions.get(f"%{quoted(name)}") if name is not None else None
        if not is_load(i) or i.type != self.array.place.kind:
            return None
        return None if i.flags & {"volatile", "atomic"} else i

    def _stores_above(self, loop: Loop, load: Instruction, number: int) -> frozenset[int]:
        """The places in the body of stores that may come before a load in an iteration."""
        view = self.view
        block = view.function.block_of[load.token]
        leading = self.ssa.writes.leading(view.function, loop.header, block)
        for w in self.relevant:
            if w.block not in loop.blocks:
                continue
            if w.block == block and w.instruction.line > load.line:
                continue
            if w.block == block or w.block in leading or w.block == loop.header:
                return frozenset(range(number))
        return frozenset()

    # -- single definitions
    def _here(self, block: str) -> Here:
        """What is known in a block."""
        return here(self.view, block)

    def stored(self, w: Write) -> Sequence[Piece]:
        """What one write leaves."""
        i = w.instruction
        if is_store(i):
            return self._of_store(w)
        if not i.is_call:
            return UNKNOWN
        name = callee(i) or ""
        if name.startswith("llvm.memset") or name == "memset":
            return self._of_memset(w)
        if name.startswith(("llvm.memcpy", "llvm.memmove")) or name in ("memcpy", "memmove"):
            return self._of_copy(w)
        return self.of_call(w)

    def offset(self, address: Operand, block: str) -> Expr | None:
        """Bytes from the array's start to an address in a block."""
        value = self.view.scalars.value(address)
        offset = value.expr - self.array.start
        if self.array.start.symbols & offset.symbols:  # by a pointer that goes on
            offset = stepped(self.view, value.expr, block) - self.array.start
        if value.preconditions or has_pointers(self.view, offset):
            return None
        return offset if is_integer(offset * Fraction(1, self.size)) else None

    def _of_store(self, w: Write) -> Sequence[Piece]:
        i = w.instruction
        offset = self.offset(i.operands[1], w.block)
        if offset is None or i.type != self.array.place.kind or i.flags & {"volatile", "atomic"}:
            return UNKNOWN
        value = handed_on(self.view, i.operands[0])
        return (Piece(offset, value.expr, needs=value.preconditions),)

    def _of_memset(self, w: Write) -> Sequence[Piece]:
        i = w.instruction
        row = self._row(w, i.operands[1], i.operands[3])
        value = {"0": ZERO, "-1": expr(-1), "255": expr(-1)}.get(str(i.operands[2]))
        return UNKNOWN if row is None else (replace(row, value=value),)

    def _row(self, w: Write, address: Operand, length: Operand) -> Piece | None:
        """The elements that so many bytes from an address on are; their value is not known yet."""
        offset, nbytes = self.offset(address, w.block), self.view.scalars.value(length)
        if offset is None:
            return None
        number = nbytes.expr * Fraction(1, self.size)
        if any(Fraction(c).denominator != 1 for c in number.terms.values()):
            return None
        index = symbols.iteration(self.view.function.name, f"bytes{w.instruction.line}")
        axis = Axis(index, expr(self.size), maximum(ZERO, number))
        return Piece(offset, None, (axis,), needs=nbytes.preconditions)

    def _of_copy(self, w: Write) -> Sequence[Piece]:
        i = w.instruction
        row = self._row(w, i.operands[1], i.operands[3])
        if row is None:
            return UNKNOWN
        source = self.view.scalars.value(i.operands[2])
        index = sym(row.axes[0].index)
        if self._is_constant(i.operands[2]) and not source.preconditions:
            at = source.expr + index * self.size
            return (replace(row, value=from_atom(Loaded(at, self.array.place.kind))),)
        for symbol in pointers_of(source.expr):
            if source.preconditions or has_pointers(self.view, source.expr - sym(symbol)):
                continue
            held = self.ssa.contents(self.view, symbol, self.array.place, w.block, i.line)
            if held is None:
                continue
            inside = self._here(w.block).plus(index).plus(row.axes[0].length - 1 - index)
            at = source.expr - sym(symbol) + index * self.size
            value = held.read(at, inside)
            if value is not None and bound_in(row).isdisjoint(needed_symbols(value)):
                return (replace(row, value=value.expr, needs=row.needs | value.preconditions),)
        return (row,)

    def _is_constant(self, pointer: Operand) -> bool:
        """Does a pointer lead into a constant of the program?"""
        base, _ = self.ssa.memory.aliasing.underlying_object(self.view.function, pointer)
        g = self.view.program.module.globals.get(base.name) if isinstance(base, GlobalRef) else None
        return g is not None and g.attributes.endswith("constant")

    def of_call(self, w: Write) -> Sequence[Piece]:
        """What a call of a function of the program leaves, over its arguments."""
        view, call = self.view, w.instruction
        target = view.program.target(view.function.name, call)
        if target is None or target.name in view.program.calls.recursive:
            return UNKNOWN
        handed = [
            (at, value.expr - self.array.start)
            for at, o in enumerate(call.operands[1:])
            if self.array.start.symbols & (value := view.scalars.value(o)).expr.symbols
        ]
        base = self.array.place.underlying_object
        if any(at >= len(target.parameters) for at, _ in handed):
            return UNKNOWN
        if not handed and not isinstance(base, GlobalRef):
            return UNKNOWN
        inner = view.program.view(target.name)
        others = frozenset(
            view.program.argument_symbol(target, at)
            for at, (o, p) in enumerate(zip(call.operands[1:], target.parameters, strict=False))
            if p.type == "ptr" and self.is_other(o)
        )
        names = [
            (view.program.argument_symbol(target, at), shift)
            for at, shift in handed
            if not has_pointers(view, shift)
        ]
        for symbol, shift in names or [(str(self.array.start.atom), ZERO)]:
            left = self._at_end(inner, symbol, others)
            if left is not None and left.bottom is Bottom.ON_ENTRY:
                return self._of_callee(left, shift, w)
        return UNKNOWN

    def _of_callee(self, left: Contents, shift: Expr, w: Write) -> Sequence[Piece]:
        """What a callee leaves so many bytes behind the start of the array."""
        view, call = self.view, w.instruction
        updates = [self._without_loaded(p) for p in left.pieces]
        pieces = brought(view, [p for p, _ in updates], w.block, call)
        if pieces is None:
            return UNKNOWN
        return [
            replace(self._with_loaded(p, found, w), offset=p.offset + shift)
            for p, (_, found) in zip(pieces, updates, strict=True)
        ]

    def _without_loaded(self, piece: Piece) -> tuple[Piece, dict[str, Loaded]]:
        """A piece of a callee with symbols for what the callee finds in memory at its elements:
        what `p[i] += 2` adds to."""
        found: dict[str, Loaded] = {}
        if piece.value is None or not piece.axes:
            return piece, found
        bound = {a.index for a in piece.axes}

        def change(a: Atom) -> Expr:
            if not isinstance(a, Loaded) or bound.isdisjoint(a.symbols):
                return from_atom(a)
            name = symbols.nested(f"{piece.axes[0].index}.{len(found)}")
            found[name] = a
            return sym(name)

        return replace(piece, value=piece.value.map_atoms(change)), found

    def _with_loaded(self, piece: Piece, found: Mapping[str, Loaded], w: Write) -> Piece:
        """A piece in the caller's terms with what the callee finds in memory at its elements."""
        if piece.value is None or not found:
            return piece
        inside = self._here(w.block)
        for a in piece.axes:
            inside = inside.plus(sym(a.index)).plus(a.length - 1 - sym(a.index))
        values: dict[str, Expr] = {}
        needs = piece.needs
        for name, loaded in found.items():
            value = self._at_address(loaded.address, w, inside)
            if value is None or not bound_in(piece).isdisjoint(needed_symbols(value)):
                return replace(piece, value=None)
            values[name] = value.expr
            needs |= value.preconditions
        return replace(piece, value=piece.value.substitute(values), needs=needs)

    def _at_address(self, address: Expr, w: Write, inside: Here) -> Value | None:
        """What stands at an address of a callee when it is called."""
        view = self.view
        moved = view.program.at_call(view, w.block, w.instruction, Value(address))
        for symbol in () if moved.preconditions else pointers_of(moved.expr):
            if has_pointers(view, moved.expr - sym(symbol)):
                continue
            held = self.ssa.contents(view, symbol, self.array.place, w.block, w.instruction.line)
            if held is not None:
                return held.read(moved.expr - sym(symbol), inside)
        return None

    def is_other(self, operand: Operand) -> bool:
        """Does an argument point to another object?"""
        aliasing = self.ssa.memory.aliasing
        base = self.array.place.underlying_object
        found = {
            self.ssa.memory.object_of(self.view, s)
            for s in self.view.scalars.value(operand).expr.symbols
        } - {None}
        return len(found) == 1 and all(aliasing.distinct(base, other) for other in found)

    def _at_end(
        self, inner: FunctionContext, symbol: str, apart: frozenset[str]
    ) -> Contents | None:
        """What a function leaves in the object behind one of its arguments."""
        ends = [
            b
            for b in inner.function.blocks.values()
            if is_return(b.terminator) and b.name in inner.reachable
        ]
        if len(ends) != 1 or self.ssa.depth >= _DEEPEST:
            return None
        self.ssa.depth += 1
        try:
            return self.ssa.contents(
                inner, symbol, self.array.place.somewhere(), ends[0].name, _END, apart
            )
        finally:
            self.ssa.depth -= 1

    def _made_by_call(self, made: Instruction) -> Contents | None:
        """What a call leaves in the memory that it returns."""
        program = self.view.program
        target = program.target(self.view.function.name, made)
        own = self.ssa.memory.aliasing.made(target) if target is not None else None
        if target is None or own is None or target.name in program.calls.recursive:
            return None
        inner = program.view(target.name)
        symbol = self.ssa.memory.entry_values.pointer_symbol(inner, Pointer(target.name, own[1]))
        left = self.ssa.contents(inner, symbol, self.array.place.somewhere(), own[0], _END)
        if left is None:
            return None
        pieces = brought(self.view, left.pieces, self.view.function.block_of[made.token], made)
        return None if pieces is None else replace(left, pieces=tuple(pieces))


def brought(
    view: FunctionContext, pieces: Sequence[Piece], block: str, call: Instruction
) -> list[Piece] | None:
    """Pieces of a callee in the caller's terms; None where one has no formula there."""
    program = view.program
    found: list[Piece] = []
    for piece in pieces:
        needs: set[Expr] = set()

        def carried(e: Expr, needs: set[Expr] = needs) -> Expr:
            value = program.at_call(view, block, call, Value(e))
            needs |= value.preconditions
            return value.expr

        if piece.value is not None and not program.is_portable(Value(piece.value)):
            piece = replace(piece, value=None)
        if not all(program.is_portable(Value(e)) for e in piece.formulas()):
            return None
        moved = piece.mapped(carried)
        bound = {a.index for a in piece.axes}
        if any(not bound.isdisjoint(n.symbols) for n in needs):
            return None
        found.append(replace(moved, needs=moved.needs | needs))
    return found


def has_pointers(view: FunctionContext, offset: Expr) -> bool:
    """Is an address in an offset: that of another object, where it is chosen among several?"""
    return is_storage(offset) or any(
        view.program.memory.object_of(view, s) is not None for s in offset.symbols
    )


def pointers_of(address: Expr) -> list[str]:
    """The symbols of an address that may be that of an array it points into."""
    found = [m[0][0] for m, c in address.terms.items() if c == 1 and len(m) == 1 and m[0][1] == 1]
    return [a.key for a in found if a.is_symbol]


def bound_in(piece: Piece) -> set[str]:
    """The symbols that a piece's axes bind."""
    return {a.index for a in piece.axes}


def needed_symbols(value: Value) -> frozenset[str]:
    """The symbols of what a value rests on."""
    return frozenset[str]().union(*(n.symbols for n in value.preconditions))


def _under(piece: Piece, guard: tuple[Cond, frozenset[Expr]] | None) -> Piece:
    """A piece that is only there under a condition."""
    if guard is None or piece.is_anywhere:
        return piece
    condition, needs = guard
    if condition.is_undecided:
        return replace(piece, value=None)
    return replace(piece, guard=piece.guard * condition.indicator(), needs=piece.needs | needs)


def here(view: FunctionContext, block: str) -> Here:
    """What holds in a block, in terms of variables and of iterations of the loops around."""
    known = view.paths.assumptions(block)
    known = known.plus(
        *(stepped(view, e, block) for e in known.known),
        *(sym(view.variables.index(h)) for h in loops_around(view, block)),
    )
    return Here(known, lambda e: stepped(view, e, block))


def goes_elsewhere(view: FunctionContext, i: Instruction, place: MemoryLocation) -> bool:
    """Does a store, or a function of the library that only writes what it is handed, go to other
    objects than that of a place, as the values of the addresses say: a pointer that was kept in
    memory and read back is the one that was kept."""
    if is_store(i):
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
