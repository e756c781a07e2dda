"""Elements of a std::vector that is a local variable: its member functions as stores.

The models of containers say how many elements there are. Here each call of a member function is
what it does to the elements: `push_back` stores one behind the last, a constructor and `assign` a
row. Where the vector is handed on otherwise, or its fields are written, nothing is known.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from ..alias.memory_location import MemoryLocation, Pointer
from ..expr import STORAGE_OF, ZERO, Expr, Loaded, elements_of, expr, from_atom, maximum, symbols
from ..frontend.models import Member, container_member
from ..ir import cxx_names as cxx
from ..ir.graph import callee
from ..ir.matchers import is_alloca, is_store
from ..ir.types import Instruction, Operand
from ..scev.context import FunctionContext
from ..scev.values import Value
from .array_addresses import has_pointers
from .contents import Axis, Bottom, Contents, Piece
from .definitions import UNKNOWN, Array
from .memory_ssa import MemorySSA, Walk
from .row_addresses import stepped
from .writes import Write

_BYTES = 24
_END = 8
"""Bytes of a vector, and where in it the end of its elements stands, in both libraries."""
_CHANGED = frozenset("ms")
"""Letters of parameters that are containers which are moved from, or changed (`Member.takes`)."""
_LEFT_ALONE = frozenset(
    "reserve shrink_to_fit pop_back size empty capacity begin end cbegin cend rbegin rend data"
    " front back at operator[]".split()
)


def elements(
    ssa: MemorySSA,
    view: FunctionContext,
    address: Expr,
    place: MemoryLocation,
    block: str,
    line: int,
) -> tuple[Contents, Expr] | None:
    """What the elements of a vector hold that an address lies among, when control is before a line
    of a block, and the bytes from the first of them; None where that is no local variable."""
    storage = elements_of(address)
    if storage is None or storage.kind != STORAGE_OF or storage.address.atom is None:
        return None
    base = ssa.memory.object_of(view, storage.address.atom.key)
    made = view.function.definitions.get(base.register) if isinstance(base, Pointer) else None
    if not is_alloca(made):
        return None
    start = from_atom(storage)
    if has_pointers(view, address - start):
        return None
    place = place.somewhere()._replace(size=None)
    walk = ssa.walk(view, Array(place, start), _Elements)
    if isinstance(walk, _Elements) and walk.is_emptied(block):
        return None
    return walk.before(block, line), address - start


class _Elements(Walk):
    """The elements of one vector of a function."""

    def is_emptied(self, block: str) -> bool:
        """Does a loop around a block take elements away, or put others in their place? What stands
        at the end of a stack no number of iterations tells, and who asks would solve its loops."""
        header = self.view.forest.innermost.get(block)
        if header is None:
            return False
        around = self.view.loops[[header, *self.view.enclosing_loops(header)][-1]]
        return any(
            i.is_call
            and w.block in around.blocks
            and cxx.TAKES_ELEMENTS.search(callee(i) or "")
            and self._is_this(i.operands[1])
            for w in self.relevant
            for i in (w.instruction,)
            if len(i.operands) > 1
        )

    @property
    def _vector(self) -> Expr:
        storage = elements_of(self.array.start)
        assert storage is not None
        return storage.address

    def _fields(self) -> MemoryLocation:
        atom = self._vector.atom
        base = self.ssa.memory.object_of(self.view, atom.key) if atom is not None else None
        return MemoryLocation(base, 0, _BYTES)

    @property
    def relevant(self) -> list[Write]:
        """The writes of the function that may touch the elements, or the vector itself."""
        if self._relevant is None:
            function, writes = self.view.function, self.ssa.writes
            of_elements = writes.sparing(function, self.array.place)
            of_fields = writes.sparing(function, self._fields())
            self._relevant = [
                w
                for w in writes.of(function)
                if (of_elements[w.number] is None or of_fields[w.number] is None)
                and not self._is_elsewhere(w)
            ]
        return self._relevant

    def _is_elsewhere(self, w: Write) -> bool:
        """Does a write go to a named object, or is it a call of a member function of another
        vector?"""
        i = w.instruction
        if is_store(i):
            return self._is_named(i.operands[1])
        member = self._member(i)
        if member is None or self._is_this(i.operands[1]):
            return False
        if any(self._is_this(o) for o in i.operands[2:]) and set(member.takes) & _CHANGED:
            return False
        return self._is_named(i.operands[1]) and (
            member.is_constructor or self._holds_its_own(w, i.operands[1])
        )

    def _is_this(self, pointer: Operand) -> bool:
        """Does a pointer lead to this vector?"""
        return self.view.scalars.value(pointer).expr == self._vector

    def _holds_its_own(self, w: Write, pointer: Operand) -> bool:
        """Does a vector hold, before a call, elements that it has not taken from another one?"""
        base, offset = self.ssa.memory.aliasing.underlying_object(self.view.function, pointer)
        place = MemoryLocation(base, offset, 8, "ptr")
        found = self.ssa.memory.reaching(self.view, place, w.block, w.instruction).value
        storage = found.expr.atom if found is not None else None
        address = self.view.scalars.value(pointer).expr
        return isinstance(storage, Loaded) and storage.address == address

    def _is_named(self, pointer: Operand) -> bool:
        """Does a pointer lead to a variable that is not this vector, or to other memory that the
        function has allocated?"""
        aliasing = self.ssa.memory.aliasing
        base, _ = aliasing.underlying_object(self.view.function, pointer)
        return base is not None and aliasing.is_object(base) and base != self._fields()[0]

    def _member(self, i: Instruction) -> Member | None:
        return container_member(self.view.program.module, callee(i) or "") if i.is_call else None

    def at_first(self) -> Contents:
        """Nothing is known of what is not written."""
        return Contents((), Bottom.UNKNOWN, self.size)

    def is_other(self, operand: Operand) -> bool:
        """Does an argument point to a named object?"""
        return self._is_named(operand)

    def stored(self, w: Write) -> Sequence[Piece]:
        """What one write leaves."""
        i = w.instruction
        member = self._member(i)
        if member is None or not self._is_this(i.operands[1]):
            return super().stored(w)
        if member.name in _LEFT_ALONE:
            return ()
        is_own = member.is_constructor or self._holds_its_own(w, i.operands[1])
        if member.element != self.size or not is_own:
            return UNKNOWN
        if member.name == "push_back" and member.takes == "v":
            end, value = self._size(w), self._referred(w, i.operands[2])
            return UNKNOWN if end is None else (Piece(end.expr, value, needs=end.preconditions),)
        if member.is_constructor or member.name == "assign":
            return (*self._values(w, member, ZERO), *UNKNOWN)
        size = self._size(w) if member.name == "resize" else None
        return UNKNOWN if size is None else self._values(w, member, size.expr)

    def _values(self, w: Write, member: Member, start: Expr) -> Sequence[Piece]:
        """The elements from a place on up to a number that a member function is told."""
        i = w.instruction
        if member.takes == "":
            return ()
        if member.takes not in ("n", "nv"):
            return UNKNOWN
        number = self.view.scalars.value(i.operands[2])
        value = self._referred(w, i.operands[3]) if member.takes == "nv" else ZERO
        index = symbols.iteration(self.view.function.name, f"row{i.line}")
        length = maximum(ZERO, number.expr - start * Fraction(1, self.size))
        axis = Axis(index, expr(self.size), length)
        return (Piece(start, value, (axis,), needs=number.preconditions),)

    def _size(self, w: Write) -> Value | None:
        """The bytes of all elements before a call."""
        place = self._fields()._replace(offset=_END, size=8, kind="ptr")
        found = self.ssa.memory.reaching(self.view, place, w.block, w.instruction).value
        if found is None:
            return None
        end = stepped(self.view, found.expr, w.block)
        size = end - self.array.start
        return None if has_pointers(self.view, size) else Value(size, found.preconditions)

    def _referred(self, w: Write, pointer: Operand) -> Expr | None:
        """The value that a reference is to when a function is called."""
        kind = self.array.place.kind
        place = self.ssa.memory.aliasing.location(self.view.function, pointer, kind)
        found = self.ssa.memory.reaching(self.view, place, w.block, w.instruction).value
        return None if found is None or found.preconditions else found.expr
