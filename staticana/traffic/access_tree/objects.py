"""The objects that addresses point into, and their sizes."""

from __future__ import annotations

from collections.abc import Callable

from ...alias.memory_location import Pointer
from ...expr import ONE, Expr, expr, symbols
from ...expr.loaded import Loaded
from ...interprocedural.program import Program
from ...ir import cxx_names as cxx
from ...ir.graph import callee
from ...ir.matchers import is_alloca, is_phi
from ...ir.types import Function, GlobalRef, Instruction, Operand
from ..frames import Frame
from ..loops_around import loops_around

_MOST_PHIS = 8
"""Joins of control behind each other that a pointer comes from."""
_BY_COUNT = ("calloc",)


class Objects:
    """The objects of a program, as its calls hand them on. settled: names values that only a run
    tells."""

    def __init__(self, program: Program, settled: Callable[[Frame, Expr], Expr]) -> None:
        self.program, self.settled = program, settled

    def of(self, frame: Frame, token: Operand) -> tuple[str | None, Expr | None]:
        """(key, bytes) of the object that an address points into; None: not known."""
        view = frame.view
        base, _ = self.program.memory.aliasing.underlying_object(view.function, token)
        if base is None:
            return None, None
        if isinstance(base, GlobalRef):
            return str(base), self.global_bytes(base)
        assert isinstance(base, Pointer)
        at = parameter_at(view.function, base.register)
        if at is None:
            return str(base), self._allocated(frame, base)
        if frame.caller is None or frame.call is None or at + 1 >= len(frame.call.operands):
            return str(base), None
        return self.of(frame.caller, frame.call.operands[at + 1])

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
