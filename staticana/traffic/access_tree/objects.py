"""The objects that addresses point into, and their sizes."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ...alias.memory_location import Pointer
from ...alias.underlying_objects import Based
from ...expr import ONE, Expr, expr, symbols
from ...expr.loaded import Loaded
from ...interprocedural.program import Program
from ...ir import cxx_names as cxx
from ...ir.graph import callee
from ...ir.matchers import is_alloca, is_load, is_phi, is_store
from ...ir.types import Function, GlobalRef, Instruction, Operand
from ..frames import Frame
from ..loops_around import loops_around
from .nodes import Making

_MOST_PHIS = 8
"""Joins of control behind each other that a pointer comes from."""
_BY_COUNT = ("calloc",)


class Objects:
    """The objects of a program, as its calls hand them on. settled: names values that only a run
    tells."""

    def __init__(self, program: Program, settled: Callable[[Frame, Expr], Expr]) -> None:
        self.program, self.settled = program, settled
        self._kept: dict[str, dict[Based, Pointer | None]] = {}

    def of(self, frame: Frame, token: Operand) -> tuple[str | None, Expr | None]:
        """(key, bytes) of the object that an address points into; None: not known."""
        made_in, base = self._base(frame, token)
        if isinstance(base, GlobalRef):
            return str(base), self.global_bytes(base)
        if base is None or parameter_at(made_in.view.function, base.register) is not None:
            return None if base is None else str(base), None
        return str(base), self._allocated(made_in, base)

    def making(self, frame: Frame, token: Operand) -> Making | None:
        """Where the object that an address points into is allocated; None where it is no
        allocation, or not known which."""
        made_in, base = self._base(frame, token)
        function = made_in.view.function
        if not isinstance(base, Pointer) or self._new(function, base.register) is None:
            return None
        return Making(function.name, made_in.iterations_at(function.block_of[base.register]))

    def _held(self, function: Function, base: Pointer) -> Pointer | None:
        """The allocation in the local variable that a pointer is read from: the only one that the
        function puts there."""
        read = function.definitions.get(base.register)
        variable = self._variable(function, read.operands[0]) if is_load(read) else None
        if variable is None:
            return None
        if function.name not in self._kept:
            self._kept[function.name] = dict(self._allocations_kept(function))
        return self._kept[function.name].get(variable)

    def _allocations_kept(self, function: Function) -> Iterator[tuple[Based, Pointer | None]]:
        """Local variables with the only allocation that a function puts there, None for several.
        Nulls are taken for none, as is what others write there by its address."""
        found: dict[Based, set[Pointer | None]] = {}
        for block in function.blocks.values():
            for i in block.instructions:
                if is_store(i) and i.operands[0] != "null":
                    held = self._variable(function, i.operands[1])
                    if held is not None:
                        found.setdefault(held, set()).add(self._new(function, i.operands[0]))
        for variable, values in found.items():
            yield variable, values.pop() if len(values) == 1 else None

    def _variable(self, function: Function, address: Operand) -> Based | None:
        """The place in a local variable that an address is; None where it is none."""
        found = self.program.memory.aliasing.underlying_object(function, address)
        base, offset = found
        if not isinstance(base, Pointer) or offset is None or base.function != function.name:
            return None
        return found if is_alloca(function.definitions.get(base.register)) else None

    def _new(self, function: Function, token: Operand) -> Pointer | None:
        """The allocation that a value is; None where it is none."""
        base, _ = self.program.memory.aliasing.underlying_object(function, token)
        if not isinstance(base, Pointer) or base.function != function.name:
            return None
        made = function.definitions.get(base.register)
        return base if made is not None and self._is_new(function, made) else None

    def _is_new(self, function: Function, made: Instruction) -> bool:
        """Is it a call that returns memory that nothing else points to?"""
        aliasing = self.program.memory.aliasing
        target = self.program.target(function.name, made) if made.is_call else None
        return aliasing.is_allocation(made) or (
            target is not None and aliasing.made(target) is not None
        )

    def _base(self, frame: Frame, token: Operand) -> tuple[Frame, GlobalRef | Pointer | None]:
        """What an address is counted from, and the call of the function that has it."""
        base, _ = self.program.memory.aliasing.underlying_object(frame.view.function, token)
        if not isinstance(base, Pointer):
            return frame, base
        base = self._held(frame.view.function, base) or base
        at = parameter_at(frame.view.function, base.register)
        if at is None or frame.caller is None or frame.call is None:
            return frame, base
        if at + 1 >= len(frame.call.operands):
            return frame, base
        return self._base(frame.caller, frame.call.operands[at + 1])

    def global_bytes(self, base: GlobalRef) -> Expr | None:
        found = self.program.module.globals.get(base.name)
        size = None if found is None else self.program.layout.size(found.type)
        return None if not size else expr(size)

    def _allocated(self, frame: Frame, base: Pointer) -> Expr | None:
        """The bytes of an allocation; of the first one where a pointer may hold several."""
        view = frame.view
        made = view.function.definitions.get(base.register)
        seen = 0
        while is_phi(made) and seen < _MOST_PHIS:
            seen += 1
            origins = [
                view.function.definitions.get(t) for t in made.operands if isinstance(t, str)
            ]
            made = next((m for m in origins if m is not None and m is not made), None)
        return None if made is None else self.made_bytes(frame, made)

    def made_bytes(self, frame: Frame, made: Instruction) -> Expr | None:
        """The bytes of a local variable or of an allocation; None where they are not known."""
        view = frame.view
        if is_alloca(made):
            size = self.program.layout.size(made.type)
            return expr(size) if size else None
        name = (callee(made) or "") if made.is_call else ""
        block = view.function.block_of.get(made.result or "", "")
        target = self.program.target(view.function.name, made) if made.is_call else None
        if target is not None:
            return self._allocated_by(frame, block, made, target.name)
        words = made.operands[1:]
        if name in _BY_COUNT:
            chosen = words[:2]
        elif name in cxx.NEW_BY_BYTES:
            chosen = words[1:2] if name in ("aligned_alloc", "realloc") else words[:1]
        else:
            return None
        found = expr(1)
        for word in chosen:
            part = frame.in_terms_if_short(view.scalars.value(word).expr, loops_around(view, block))
            part = None if part is None else self.settled(frame, part)
            if part is None or any(map(symbols.is_internal, part.symbols)):
                return None
            found = found * part
        return found

    def _allocated_by(self, frame: Frame, block: str, call: Instruction, name: str) -> Expr | None:
        """The bytes that a function of the program allocates and returns."""
        if frame.encloses(name):
            return None
        view = self.program.view(name)
        loops = loops_around(frame.view, block)
        values: dict[str, Expr] = {}
        for symbol, e in self.program.arguments(frame.view, block, call, view.function).items():
            found = frame.in_terms_if_short(e, loops)
            if found is not None:
                values[symbol] = found
        inner = Frame(view, frame, call, block, values)
        for made in view.function.definitions.values():
            if made.is_call and (callee(made) or "") in (*cxx.NEW_BY_BYTES, *_BY_COUNT):
                return self._allocated(inner, Pointer(name, made.token))
        for b in view.function.blocks.values():
            for i in b.instructions:
                if i.is_call and callee(i) == "posix_memalign":
                    size = inner.in_terms_if_short(view.scalars.value(i.operands[3]).expr, [])
                    if size is not None and not any(map(symbols.is_opaque, size.symbols)):
                        return size
        for made in view.function.definitions.values():
            target = self.program.target(name, made) if made.is_call else None
            if target is not None:
                at = view.function.block_of.get(made.result or "", "")
                return self._allocated_by(inner, at, made, target.name)
        return None


def parameter_at(function: Function, token: Operand) -> int | None:
    """The number of the parameter that a value is; None where it is none."""
    return next((k for k, p in enumerate(function.parameters) if p.token == token), None)


def pointer_in(address: Expr) -> str | None:
    """The value in an address that the rest is added to."""
    for symbol in sorted(address.symbols):
        if symbols.is_opaque(symbol) and not symbol.startswith(symbols.LOADED):
            line = address.affine_in(symbol)
            if line is not None and line[0] == ONE:
                return symbol
    return None


def loaded_pointer_in(address: Expr) -> str | None:
    """The pointer from memory, the same in all iterations, in an address that the rest is added
    to."""
    for a in sorted(address.atoms):
        if (
            isinstance(a, Loaded)
            and a.kind == "ptr"
            and not any(map(symbols.is_iteration, a.address.symbols))
        ):
            line = address.affine_in(a)
            if line is not None and line[0] == ONE:
                return str(a)
    return None
