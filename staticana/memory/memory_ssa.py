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
from typing import TYPE_CHECKING

from looplaw_common.digraph import Digraph, postorder

from ..alias.memory_location import MemoryLocation, Pointer, UnderlyingObject
from ..expr import Expr, Loaded, TooComplex, from_atom, sym, symbols
from ..expr.predicates import Cond
from ..ir import cxx_names as cxx
from ..ir.graph import callee, constructors
from ..ir.loop_info import Loop
from ..ir.matchers import is_alloca, is_load, is_store
from ..ir.types import Function, GlobalRef, Instruction, Operand, quoted
from ..scev.context import FunctionContext
from ..scev.values import Value
from .array_addresses import NUMBERS, goes_elsewhere
from .contents import Bottom, Contents, Here, Piece, joined
from .definitions import LAST_LINE, UNKNOWN, Array, Definitions
from .loops import Iterations, Read, left_by_iterations
from .writes import Write, Writes

if TYPE_CHECKING:
    from .memory import Memory

KINDS = (*NUMBERS, "ptr")
"""Types of elements that are followed."""
_MOST_WRITES = 24
"""Writes to one object that are looked at."""


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


class Walk(Definitions):
    """One array in one function."""

    def __init__(self, ssa: MemorySSA, view: FunctionContext, array: Array) -> None:
        super().__init__(ssa, view, array)
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
        body = self._within(header, loop.latch, LAST_LINE)
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


def _under(piece: Piece, guard: tuple[Cond, frozenset[Expr]] | None) -> Piece:
    """A piece that is only there under a condition."""
    if guard is None or piece.is_anywhere:
        return piece
    condition, needs = guard
    if condition.is_undecided:
        return replace(piece, value=None)
    return replace(piece, guard=piece.guard * condition.indicator(), needs=piece.needs | needs)
