"""The loads and stores of a program as a tree of loops, in the order of execution.

The address of each is an underlying object and an offset in bytes, a formula of the iteration
numbers of the loops around and of parameters. References to one object with equal coefficients
reuse each other's lines (uniformly generated sets: Wolf and Lam, PLDI 1991). Calls are put in
place of the functions that they go to.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from ..alias.library import library_function
from ..alias.memory_location import Pointer
from ..expr import Expr, TooComplex, symbols
from ..interprocedural.program import Program
from ..ir.graph import callee
from ..ir.types import GlobalRef, Instruction, Operand, Register
from ..scev.context import FunctionContext
from .refusal import Refused

_MAX_DEPTH = 12
_NO_MEMORY = re.compile(
    r"llvm\.(?!mem)|(?:sqrt|exp|log|sin|cos|tan|pow|fabs|fmax|fmin|floor|ceil)f?$"
)


@dataclass(frozen=True)
class Spread:
    """Where data choose an element: `count` elements, `stride` bytes apart, alike likely."""

    count: Expr
    stride: int


@dataclass(frozen=True, eq=False)
class Reference:
    """One load or store.

    object: key of the underlying object. offset: bytes from its start, over iteration numbers and
    parameters; of the first element where data choose one. size: bytes.
    """

    object: str
    offset: Expr
    size: int
    is_store: bool
    at: str
    spread: Spread | None = None


@dataclass(frozen=True, eq=False)
class Guard:
    """What runs under a condition. share: 1 where it holds, else 0 (over iteration numbers and
    parameters); with `is_condition` unset, the fraction of the cases in which it does."""

    share: Expr
    is_condition: bool
    body: tuple[Node, ...]
    at: str


@dataclass(frozen=True, eq=False)
class LoopNode:
    """A loop: the name of its iteration number (from 0), its trip count, and its body."""

    index: str
    trips: Expr
    body: tuple[Node, ...]
    at: str
    function: str

    def references(self) -> Iterator[tuple[Reference, tuple[LoopNode, ...]]]:
        """The references inside, with the loops around them from this one inwards."""
        for node in unguarded(self.body):
            if isinstance(node, Reference):
                yield node, (self,)
            else:
                for reference, chain in node.references():
                    yield reference, (self, *chain)


Node = Reference | LoopNode | Guard


def unguarded(body: Sequence[Node]) -> Iterator[Reference | LoopNode]:
    """The nodes of a body as if all conditions held."""
    for node in body:
        if isinstance(node, Guard):
            yield from unguarded(node.body)
        else:
            yield node


@dataclass(frozen=True)
class Nest:
    """What the entry runs; `names`: key of each object -> its name in the source; `notes`: what
    the tree rests on, in words."""

    body: tuple[Node, ...]
    names: Mapping[str, str]
    notes: tuple[str, ...]


def references(program: Program, function: str) -> Nest:
    """The loads and stores of one call of a function.

    Raises:
        Refused: an address or a trip count is no formula of iteration numbers and parameters.
    """
    reader = _Reader(program)
    try:
        body = reader.function(_Call(program.view(function), None, None, "", {}), 0)
    except TooComplex:
        raise Refused("the formula of an address or a trip count would be too long") from None
    return Nest(body, reader.names, tuple(sorted(reader.notes)))


@dataclass(frozen=True)
class _Call:
    """A function as one call runs it: `values` are its arguments in the terms of the entry."""

    view: FunctionContext
    caller: _Call | None
    call: Instruction | None
    block: str
    values: Mapping[str, Expr]

    def encloses(self, name: str) -> bool:
        return self.view.function.name == name or (
            self.caller is not None and self.caller.encloses(name)
        )


class _Reader:
    def __init__(self, program: Program) -> None:
        self.program = program
        self.names: dict[str, str] = {}
        self.notes: set[str] = set()

    def function(self, frame: _Call, depth: int) -> tuple[Node, ...]:
        if depth > _MAX_DEPTH:
            raise Refused("calls are nested too deeply")
        if frame.view.forest.irreducible:
            raise Refused(f"{frame.view.function.name}: a cycle with several entries")
        return self._blocks(frame, None, depth)

    def _blocks(self, frame: _Call, within: str | None, depth: int) -> tuple[Node, ...]:
        """The references of a loop's body (of the function), without its inner loops'."""
        view = frame.view
        found: list[Node] = []
        for name in self._in_order(view, within):
            if name in view.loops and name != within:
                here: list[Node] = [self._loop(frame, name, depth)]
            else:
                block = view.function.blocks[name]
                here = [
                    n for i in block.instructions for n in self._instruction(frame, name, i, depth)
                ]
            if here:
                found.extend(self._guarded(frame, name, within, here))
        return tuple(found)

    def _in_order(self, view: FunctionContext, within: str | None) -> list[str]:
        """The blocks directly in a loop and the headers of its inner loops, each behind all that
        come before it."""
        inside = view.function.blocks if within is None else view.loops[within].blocks
        start = view.function.entry.name if within is None else within
        found: list[str] = []
        seen: set[str] = set()

        def successors(name: str) -> list[str]:
            child = self._child(view, name, within)
            names = view.loops[child].blocks if child is not None else (name,)
            targets = [s for n in names for s in view.function.blocks[n].successors]
            kept = [
                self._child(view, s, within) or s
                for s in targets
                if s in inside and s != within and s not in names and s not in view.paths.dead
            ]
            return [s for s in dict.fromkeys(kept) if s in view.reachable]

        work: list[tuple[str, list[str]]] = [(start, successors(start))]
        seen.add(start)
        while work:
            name, rest = work[-1]
            while rest and rest[0] in seen:
                rest.pop(0)
            if rest:
                seen.add(rest[0])
                work.append((rest[0], successors(rest[0])))
            else:
                found.append(name)
                work.pop()
        return found[::-1]

    def _guarded(
        self, frame: _Call, block: str, within: str | None, here: list[Node]
    ) -> list[Node]:
        """Nodes of a block under the condition that control comes to it."""
        view = frame.view
        top = within if within is not None else view.function.entry.name
        if block == top:
            return here
        weight = view.paths.weight(top, block)
        if weight.formula is not None and weight.formula.constant == 1:
            return here
        at = view.place(view.function.blocks[block].instructions[0])
        if weight.formula is None:
            raise Refused(f"the condition at {at}: {weight.reason}")
        share = self._in_terms(frame, weight.formula, self._around(view, top))
        strange = [s for s in share.symbols if symbols.is_internal(s) and not _is_index(s)]
        if strange:
            self.notes.add(f"the condition at {at} depends on data and is taken to hold")
            return here
        return [Guard(share, True, tuple(here), at)]

    @staticmethod
    def _child(view: FunctionContext, block: str, within: str | None) -> str | None:
        """The loop directly inside `within` that a block belongs to."""
        header = view.forest.innermost.get(block)
        while header is not None and header != within:
            parent = view.loops[header].parent
            if parent == within:
                return header
            header = parent
        return None

    def _loop(self, frame: _Call, header: str, depth: int) -> LoopNode:
        view = frame.view
        loop = view.loops[header]
        count = view.trip_counts.iterations(header)
        if count.formula is None or count.reason is not None:
            raise Refused(f"the trip count of the loop at {loop.at}: {count.reason}")
        trips = self._in_terms(frame, count.formula, view.enclosing_loops(header))
        index = view.variables.index(header)
        strange = [s for s in trips.symbols if symbols.is_internal(s) and not _is_index(s)]
        if strange:
            raise Refused(f"the trip count of the loop at {loop.at} depends on data")
        body = self._blocks(frame, header, depth)
        return LoopNode(index, trips, body, loop.at, view.function.name)

    def _in_terms(self, frame: _Call, e: Expr, loops: list[str]) -> Expr:
        """A formula over iteration numbers and what the entry knows; `loops` from inside out."""
        for header in loops:
            e = e.substitute(frame.view.trip_counts.solution(header).closed)
        return e.substitute(frame.values)

    def _instruction(self, frame: _Call, block: str, i: Instruction, depth: int) -> Iterator[Node]:
        if i.opcode == "load":
            yield self._reference(frame, block, i, i.operands[0], False)
        elif i.opcode == "store":
            yield self._reference(frame, block, i, i.operands[1], True)
        elif i.is_call:
            yield from self._call(frame, block, i, depth)

    def _call(self, frame: _Call, block: str, i: Instruction, depth: int) -> Iterator[Node]:
        view = frame.view
        target = self.program.target(view.function.name, i)
        if target is None:
            name = callee(i)
            if name is None:
                raise Refused(f"the call at {view.place(i)} goes through a pointer")
            if name.startswith(("llvm.memcpy", "llvm.memset", "llvm.memmove")):
                raise Refused(f"{name} at {view.place(i)} is not followed")
            known = library_function(name)
            if not _NO_MEMORY.match(name) and known is None:
                self.notes.add(f"{name} touches no memory that matters")
            return
        if frame.encloses(target.name):
            raise Refused(f"{target.name} calls itself")
        given = self.program.arguments(view, block, i, target)
        loops = self._around(view, block)
        values = {s: self._in_terms(frame, e, loops) for s, e in given.items()}
        yield from self.function(
            _Call(self.program.view(target.name), frame, i, block, values), depth + 1
        )

    @staticmethod
    def _around(view: FunctionContext, block: str) -> list[str]:
        header = view.forest.innermost.get(block)
        return [] if header is None else [header, *view.enclosing_loops(header)]

    def _reference(
        self, frame: _Call, block: str, i: Instruction, token: Operand, is_store: bool
    ) -> Reference:
        place = frame.view.place(i)
        size = self.program.layout.size(i.type)
        if is_store and i.opcode == "store":
            size = self.program.layout.size(i.type)
        if not size:
            raise Refused(f"the access at {place} has no fixed size")
        key, offset = self._address(frame, block, token, place)
        strange = [s for s in offset.symbols if symbols.is_internal(s) and not _is_index(s)]
        if strange:
            raise Refused(f"the address at {place} depends on data")
        return Reference(key, offset, size, is_store, place)

    def _address(self, frame: _Call, block: str, token: Operand, place: str) -> tuple[str, Expr]:
        """(object, offset) of an address."""
        view = frame.view
        base, _ = self.program.memory.aliasing.underlying_object(view.function, token)
        e = view.scalars.value(token).expr
        loops = self._around(view, block)
        if base is None:
            raise Refused(f"the object accessed at {place} is not known")
        if isinstance(base, GlobalRef):
            self.names.setdefault(str(base), base.name)
            return str(base), self._in_terms(frame, e - view.scalars.value(base).expr, loops)
        assert isinstance(base, Pointer)
        start = view.scalars.value(base.register).expr
        offset = self._in_terms(frame, e - start, loops)
        at = _argument_at(view, base.register)
        if at is not None and frame.caller is not None and frame.call is not None:
            key, shift = self._address(
                frame.caller, frame.block, frame.call.operands[at + 1], place
            )
            return key, shift + offset
        pointer = self._in_terms(frame, start, loops)
        if any(_is_index(s) for s in pointer.symbols) or self._varies(view, base.register, loops):
            raise Refused(f"the object accessed at {place} changes in the loop")
        key = str(pointer)
        name = view.variable_name(base.register) or (
            view.parameter_names[at] if at is not None else str(base.register)
        )
        self.names.setdefault(key, name)
        return key, offset

    @staticmethod
    def _varies(view: FunctionContext, token: Register, loops: list[str]) -> bool:
        e = view.scalars.value(token).expr
        return any(view.varying(e, h) for h in loops)


def _is_index(symbol: str) -> bool:
    return symbols.is_iteration(symbol)


def _argument_at(view: FunctionContext, token: Register) -> int | None:
    for at, parameter in enumerate(view.function.parameters):
        if parameter.token == token:
            return at
    return None
