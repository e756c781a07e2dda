"""Loads through a pointer that points to one of several objects, as buffers do that are swapped.

What they see is known where every one of the objects holds the same at that point: the sizes of two
grids that were made alike, whichever of them is the newer one.
"""

from __future__ import annotations

from dataclasses import replace

from ..alias.memory_location import MemoryLocation, Pointer, UnderlyingObject, offset_sum
from ..expr import Expr, Loaded, elements_of, from_atom, sym
from ..ir.types import GlobalRef, Instruction, Operand, Register
from ..scev.context import FunctionContext, MemoryQueries
from ..scev.values import NO_PRECONDITIONS, Value
from .reaching_stores import ReachingStores

_CHOICES = ("phi", "select")
_NOWHERE = ("null", "undef", "poison")
_MOST_OBJECTS = 8
"""Objects that a pointer may be into, each with a case in the formula."""


class EitherObject:
    """Finds what all objects hold that a pointer may point to."""

    def __init__(self, memory: MemoryQueries, stores: ReachingStores) -> None:
        self._aliasing = memory.aliasing
        self._stores = stores

    def reaching(
        self,
        view: FunctionContext,
        address: Operand,
        place: MemoryLocation,
        block: str,
        before: Instruction,
        offset: int = 0,
    ) -> Value | None:
        """What stands at an address when control is before an instruction; None where it is not
        computed from a register that chooses among pointers, where the objects hold different
        values, or where these are not known.

        Args:
            place: its kind and size are those of the load.
            offset: bytes to add to the address.
        """
        chosen = self._choice(view, address)
        if chosen is None:
            return None
        objects = self._objects(view, chosen[0], chosen[1] + offset)
        if objects is None:
            return None
        values: list[Value] = []
        pointer = self._stores.memory.pointer_symbol(
            view, Pointer(view.function.name, Register(chosen[0]))
        )
        for base, start in objects:
            at = place._replace(underlying_object=base, offset=start)
            found = self._stores.reaching(view, at, block, before)
            value = found.value
            if found.on_entry:
                held = self._stores.before_all(view, at)
                value = None if held is None else Value(held)
            if value is not None and place.kind == "ptr":
                here = sym(self._stores.memory.pointer_symbol(view, base)) + start
                value = _among_own(value, here, sym(pointer) + chosen[1] + offset)
            if value is None or (values and value.expr != values[0].expr):
                return None
            self._stores.memory.program.assume_outside(found.outside, view.function.name)
            values.append(value)
        return Value(values[0].expr, NO_PRECONDITIONS.union(*(v.preconditions for v in values)))

    def _choice(self, view: FunctionContext, address: Operand) -> tuple[Operand, int] | None:
        """The register that chooses among pointers, and the bytes added to it, of an address."""
        offset: int | None = 0
        i = view.function.definitions.get(address)
        while i is not None and i.opcode not in _CHOICES:
            if i.opcode == "getelementptr":
                more, base = self._aliasing.constant_offset(i.type, i.operands[1:]), i.operands[0]
            elif (passed := self._aliasing.passed_on(i)) is not None:
                base, more = passed
            else:
                return None
            offset = offset_sum(offset, more)
            i = view.function.definitions.get(base)
        if i is None or offset is None or i.type != "ptr":
            return None
        return i.token, offset

    def _objects(
        self, view: FunctionContext, pointer: Operand, offset: int
    ) -> list[tuple[UnderlyingObject, int]] | None:
        """The objects that a pointer may point to, with the place in each; None where one is not
        known, there are many, or one is made anew in a loop: then there are several of it."""
        function = view.function
        found: dict[UnderlyingObject, int] = {}
        seen: dict[Operand, int] = {}
        work: list[tuple[Operand, int]] = [(pointer, offset)]
        while work:
            token, at = work.pop()
            if token in _NOWHERE:
                continue
            if token in seen:
                if seen[token] != at:
                    return None
                continue
            seen[token] = at
            i = function.definitions.get(token)
            if i is not None and i.opcode in _CHOICES:
                work += [(o, at) for o in (i.operands if i.opcode == "phi" else i.operands[1:])]
                continue
            base, more = self._aliasing.underlying_object(function, token)
            if base is None or more is None or not self._is_one(view, base):
                return None
            if found.setdefault(base, at + more) != at + more or len(found) > _MOST_OBJECTS:
                return None
        return list(found.items()) if len(found) > 1 else None

    def _is_one(self, view: FunctionContext, base: UnderlyingObject) -> bool:
        """Is there one object of this name in a call of the function?"""
        if isinstance(base, GlobalRef):
            return True
        if not isinstance(base, Pointer) or base.function != view.function.name:
            return False
        if any(p.token == base.register for p in view.function.parameters):
            return True
        block = view.function.block_of.get(base.register)
        return (
            self._aliasing.is_object(base)
            and block is not None
            and block not in view.forest.innermost
        )


def _among_own(value: Value, here: Expr, there: Expr) -> Value:
    """An address among the elements of a container that is part of an object, as of one that is
    found by another pointer: of the same number of elements, whichever container it is.

    Args:
        here, there: the same place in the object by its name, and by the pointer.
    """
    taken = elements_of(value.expr)
    if taken is None or (taken.address - here).constant is None:
        return value
    own = from_atom(Loaded(taken.address - here + there, taken.kind, taken.text))
    return replace(value, expr=value.expr - from_atom(taken) + own)
