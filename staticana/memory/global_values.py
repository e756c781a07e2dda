"""Globals that are set once: their initialiser, or what one store in the entry function sets."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from ..alias.alias_analysis import Aliasing
from ..alias.library import Control, declared_function
from ..expr import Expr, choose, expr, symbols
from ..expr.predicates import FALSE
from ..ir.graph import callee, constructors, instructions
from ..ir.types import Function, GlobalRef, Instruction, IntLiteral, operand
from ..scev.arithmetic.fits import handed_on
from ..scev.context import ProgramContext
from ..scev.values import Value
from .writes import Writes


class GlobalValues:
    """Values of globals that no pointer reaches. base: those of another analysis of the module."""

    def __init__(
        self,
        program: ProgramContext,
        aliasing: Aliasing,
        writes: Writes,
        base: GlobalValues | None = None,
    ) -> None:
        self._base = base
        self.program = program
        self.aliasing = aliasing
        self.writes = writes
        self._globals: dict[str, Value | None] = {}

    def value(self, name: str) -> Value | None:
        """The value of a global that no pointer reaches: its initialiser, or what one store in the
        entry sets."""
        if name in self._globals:
            return self._globals[name]
        self._globals[name] = None
        program = self.program
        g = program.module.globals[symbols.global_name(name) or ""]
        if (
            not any(
                word in g.attributes
                for word in ("internal", "private", "dso_local", "local_unnamed_addr")
            )
            and not g.initializer
        ):
            return None
        number = operand(g.initializer)
        start = (
            expr(number.value)
            if isinstance(number, IntLiteral)
            else expr(0)
            if g.initializer == "zeroinitializer"
            else None
        )
        stores = self._accesses.get(name, [])
        if not stores:
            self._globals[name] = None if start is None else Value(start)
        elif (
            len(stores) == 1 and stores[0][0].name == program.entry and self._first(name, stores[0])
        ):
            self._globals[name] = self._set_once(stores[0], start)
        return self._globals[name]

    def readers_of_set_once(self, function: str) -> frozenset[str]:
        """The functions that read globals which only one store of a function sets: what they find
        there, a run from that function tells."""
        return self._readers_by_setter.get(function, frozenset())

    @cached_property
    def _readers_by_setter(self) -> Mapping[str, frozenset[str]]:
        found: dict[str, frozenset[str]] = {}
        for name, stores in self._accesses.items():
            if len(stores) == 1 and name in self.aliasing.private_globals:
                setter = stores[0][0].name
                found[setter] = found.get(setter, frozenset()) | self._readers.get(
                    name, frozenset()
                )
        return found

    def _first(self, name: str, store: tuple[Function, str, Instruction]) -> bool:
        """Can nothing read the global before the store in the entry?"""
        function, block, i = store
        program = self.program
        readers = self._readers.get(name, frozenset()) - {function.name}
        is_thread_local = "thread_local" in program.module.globals[GlobalRef(name).name].attributes
        if readers and (is_thread_local or not readers.isdisjoint(self._before_main)):
            return False
        if program.calls.runs_again:
            return False
        unasked = not readers.isdisjoint(self._unasked)
        for b in function.blocks.values():
            for other in b.instructions:
                reads = other.opcode == "load" and other.operands[0] == name
                reads = reads or (other.is_call and self._runs_own_code(other, unasked))
                if reads and (
                    self.writes.comes_to(function, b.name, block)
                    or (b.name == block and other.line < i.line)
                ):
                    return False
        return True

    def _runs_own_code(self, call: Instruction, unasked: bool) -> bool:
        """May a call run code of the program, from then on, too? unasked: also such code as the
        library may call, which it was given the address of, there or before."""
        name = callee(call)
        if name is None or name in self.program.defined:
            return True
        if not unasked:
            return False
        known = declared_function(self.program.module, name)
        return (
            known is None
            or bool(known.calls_back)
            or self.aliasing.calls_unasked(name)
            or known.concurrent
            or known.handler is not None
            or known.control is Control.MAY_LEAVE
        )

    @cached_property
    def _before_main(self) -> frozenset[str]:
        """The functions that run before main, and those that they call."""
        calls = self.program.calls
        return calls.below_any(constructors(self.program.module) & calls.defined.keys())

    @cached_property
    def _unasked(self) -> frozenset[str]:
        """The functions that the library may call, and those that they call."""
        calls = self.program.calls
        return calls.below_any(self.aliasing.address_taken & calls.defined.keys())

    @cached_property
    def _readers(self) -> Mapping[str, frozenset[str]]:
        """Global -> the functions that load from it."""
        if self._base is not None:
            return self._base._readers
        found: dict[str, set[str]] = {}
        for f in self.program.module.functions.values():
            for i in instructions(f):
                if i.opcode == "load":
                    root = self.aliasing.underlying_object(f, i.operands[0])[0]
                    if isinstance(root, GlobalRef):
                        found.setdefault(root, set()).add(f.name)
        return {root: frozenset(names) for root, names in found.items()}

    @cached_property
    def _accesses(self) -> Mapping[str, list[tuple[Function, str, Instruction]]]:
        """Global -> the stores into it, with their functions and blocks."""
        if self._base is not None:
            return self._base._accesses
        found: dict[str, list[tuple[Function, str, Instruction]]] = {}
        for f in self.program.module.functions.values():
            for b in f.blocks.values():
                for i in b.instructions:
                    if (
                        i.opcode == "store"
                        and (root := self.aliasing.underlying_object(f, i.operands[1])[0] or "")[:1]
                        == "@"
                    ):
                        found.setdefault(root, []).append((f, b.name, i))
        return found

    def _set_once(
        self, store: tuple[Function, str, Instruction], start: Expr | None
    ) -> Value | None:
        function, block, i = store
        view = self.program.view(function.name)
        value = handed_on(view, i.operands[0])
        condition, needs = view.paths.below(function.entry.name, block)
        needs |= value.preconditions
        if (
            not isinstance(i.operands[1], GlobalRef)
            or block in view.forest.innermost
            or any(symbols.is_internal(s) for e in (value.expr, *needs) for s in e.symbols)
        ):
            return None
        if condition.is_undecided or view.is_data(condition) or condition == FALSE:
            return None
        if start is None and condition.kind != "true":
            return None
        before = value.expr if start is None else start
        return Value(choose(condition.indicator(), value.expr, before), needs)
