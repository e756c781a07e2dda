"""Pointers that are never null: addresses of objects, allocations, and what comes of them.

A pointer is never null when nothing that it may come from is: through choices of paths that a run
can take, arguments that all callers pass, and what functions return, an allocation in the end. The
sources are those of an inclusion-based analysis (Andersen, 1994), asked on demand; memory is
followed only to the store right before.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ..alias.memory_location import Pointer
from ..expr import Expr
from ..ir.graph import callee
from ..ir.matchers import (
    is_alloca,
    is_any,
    is_branch,
    is_gep,
    is_icmp,
    is_load,
    is_phi,
    is_return,
    is_select,
    is_store,
)
from ..ir.types import Function, GlobalRef, Instruction, Operand
from ..scev.context import FunctionContext, ProgramContext

_CASTS = ("freeze", "addrspacecast", "bitcast")
_Source = tuple[str, Operand]
"""A function and one of its pointers."""


class NeverNull:
    """Answers for the pointers of a program."""

    def __init__(self, program: ProgramContext) -> None:
        self._program = program
        self._known: dict[_Source, bool] = {}
        self._live: dict[str, frozenset[tuple[str, str]]] = {}

    def pointer(self, view: FunctionContext, token: Operand) -> bool:
        """Is a pointer of a function never null? Allocations are assumed to succeed."""
        key = (view.function.name, token)
        if key not in self._known:
            self._known[key] = False  # asked again on the way: not known
            self._known[key] = self._find(key)
        return self._known[key]

    def symbol(self, view: FunctionContext, e: Expr) -> bool:
        """Is a formula of a function an address that is never null?"""
        atom = e.atom
        base = self._program.memory.object_of(view, atom.key) if atom is not None else None
        if base is None:
            return False
        return self.pointer(view, base.register if isinstance(base, Pointer) else base)

    def _find(self, start: _Source) -> bool:
        """Is no source null, or one that is not followed?"""
        seen = {start}
        work, allocates = [start], False
        while work:
            name, token = work.pop()
            view = self._program.view(name)
            above = self._above(view, token)
            if above is None:
                return False
            made = view.function.definitions.get(token)
            allocates |= made is not None and made.is_call and not above
            more = set(above) - seen
            seen |= more
            work += more
        if allocates:
            self._program.assume("allocations succeed", start[0])
        return True

    def _above(self, view: FunctionContext, token: Operand) -> Iterable[_Source] | None:
        """What a pointer may come from, but for what is never null; None where it may be null."""
        f = view.function
        if isinstance(token, GlobalRef):
            return None if self._program.module.may_be_missing(token.name) else ()
        i = f.definitions.get(token)
        if i is None:
            return self._passed(f, token)
        if is_alloca(i):
            return ()
        if is_any(i, *_CASTS):
            return ((f.name, i.operands[0]),)
        if is_select(i):
            return [(f.name, o) for o in i.operands[1:]]
        if is_phi(i):
            live, block = self._live_edges(view), f.block_of[token]
            pairs = zip(i.operands, i.labels, strict=True)
            return [(f.name, o) for o, b in pairs if (b, block) in live]
        if is_gep(i) and "inbounds" in i.flags:
            # C++ lets 0 be added to a null pointer; a member has no address without an object
            is_member = len(i.operands) > 2 or i.type.startswith(("%", "{"))
            return () if is_member else ((f.name, i.operands[0]),)
        if is_load(i):
            return self._stored(view, i)
        return self._of_call(i) if i.is_call else None

    def _of_call(self, call: Instruction) -> Iterable[_Source] | None:
        if self._program.memory.aliasing.is_allocation(call):
            return None if self._program.strict else ()
        target = self._program.defined.get(callee(call) or "")
        if target is None:
            return None
        live = {b for _, b in self._live_edges(self._program.view(target.name))}
        ends = [b.terminator for b in target.blocks.values() if b.name in live]
        returns = [i for i in ends if is_return(i)]
        if not all(i.operands for i in returns):
            return None
        return [(target.name, i.operands[0]) for i in returns]

    def _passed(self, f: Function, token: Operand) -> Iterable[_Source] | None:
        """What all callers pass as an argument."""
        at = next((k for k, p in enumerate(f.parameters) if p.token == token), None)
        calls = self._program.calls
        sites = calls.callers.get(f.name, ())
        is_called_otherwise = f.name == self._program.entry or f.name in calls.pointed
        if at is None or is_called_otherwise or not self._program.asks_callers or not sites:
            return None
        if any(at + 1 >= len(s.instruction.operands) for s in sites):
            return None
        return [(s.caller, s.instruction.operands[at + 1]) for s in sites]

    def _stored(self, view: FunctionContext, load: Instruction) -> Iterable[_Source] | None:
        """What has just been stored where a load reads, or the object whose address stands there:
        `if (!(row[i] = malloc(n)))`, `if (!a->ptr || !a->col)`."""
        if load.flags & {"volatile", "atomic"}:
            return None
        stored = _just_stored(view, load)
        if stored is not None:
            return ((view.function.name, stored),)
        kept = view.scalars.value(load.token).expr.atom
        base = self._program.memory.object_of(view, kept.key) if kept is not None else None
        if not isinstance(base, Pointer) or base.register == load.token:
            return None
        return ((base.function, base.register),)

    def _live_edges(self, view: FunctionContext) -> frozenset[tuple[str, str]]:
        """The edges that control may take, with one into the entry block: none on which a pointer
        would be null that never is."""
        f = view.function
        if f.name not in self._live:
            self._live[f.name] = frozenset(  # while it is being found: all
                (b.name, s) for b in f.blocks.values() for s in b.successors
            ) | {("", f.entry.name)}
            live = {("", f.entry.name)}
            work, reached = [f.entry.name], {f.entry.name}
            while work:
                block = work.pop()
                for successor in self._taken(view, block):
                    if successor not in reached:
                        work.append(successor)
                    reached.add(successor)
                    live.add((block, successor))
            self._live[f.name] = frozenset(live)
        return self._live[f.name]

    def _taken(self, view: FunctionContext, block: str) -> Iterator[str]:
        """The blocks that control may go to from one."""
        f = view.function
        branch = f.blocks[block].terminator
        test = f.definitions.get(branch.operands[0]) if len(set(branch.labels)) == 2 else None
        null_side: str | None = None
        if test is not None and is_branch(branch) and is_icmp(test):
            others = [o for o in test.operands if o != "null"]
            is_decided = len(others) == 1 and test.extra[0] in ("eq", "ne")
            if is_decided and self.pointer(view, others[0]):
                null_side = branch.labels[test.extra[0] == "ne"]
        yield from (s for s in f.blocks[block].successors if s != null_side)


def _just_stored(view: FunctionContext, load: Instruction) -> Operand | None:
    """What was stored last where a load reads, with nothing but the computation of the address
    in between."""
    before = view.function.blocks[view.function.block_of[load.token]].instructions
    for i in reversed(before[: before.index(load)]):
        if is_store(i):
            value = view.scalars.value
            same = value(i.operands[1]).expr == value(load.operands[0]).expr
            return i.operands[0] if same else None
        if i.may_write:
            return None
    return None
