"""A run of one function, or of one loop of it, in which what is not known is left out.

Each block that is run is counted. Where a branch depends on something unknown, control goes on
where all its ways meet (the immediate postdominator); the blocks in between may have run any number
of times, and what they set is unknown.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

from ..ir.data_layout import Layout
from ..ir.graph import callee, closure, is_intrinsic
from ..ir.matchers import is_any, is_branch, is_gep, is_load, is_phi, is_return, is_store
from ..ir.tokens import CASTS
from ..ir.types import (
    Constant,
    Function,
    Global,
    GlobalRef,
    Instruction,
    Operand,
    Register,
    int_bits,
)
from .library import LIBRARY
from .numbers import Address, Value, binary, cast, comparison, intrinsic, literal
from .objects import Objects

_DEEPEST = 12
"""Calls, one in the other, that are run."""
_IDLE = ("llvm.dbg.", "llvm.lifetime.", "llvm.assume", "llvm.experimental.noalias", "llvm.stack")
_BINARY = frozenset(
    "add sub mul udiv sdiv urem srem and or xor shl lshr ashr fadd fsub fmul fdiv frem".split()
)
_VOLATILE = frozenset(("volatile", "atomic"))


class Stopped(Exception):  # what happens often is no error
    """The run cannot go on: too many steps, or a branch whose ways do not meet."""


class World(Protocol):
    """What a run asks of the program around it."""

    @property
    def layout(self) -> Layout: ...

    def constant(self, name: str) -> Global | None:
        """A global that nothing writes."""

    def target(self, function: Function, call: Instruction) -> Function | None:
        """The one function of the program that a call goes to."""

    def is_defined(self, name: str) -> bool:
        """Is a function the program's own?"""

    def ways(self, function: Function, block: str) -> Collection[str]:
        """Where control may go from a block, error exits and exceptions aside."""

    def meeting(self, function: Function, block: str) -> str | None:
        """The block where all ways from another one meet."""


class Edge(NamedTuple):
    """The way by which a run ended: from `source`, to `target`, None for a return."""

    source: str
    target: str | None


@dataclass
class Counts:
    """What was run. blocks: how often; edges: those that were taken; unsure: blocks that may have
    run besides; passed: branches whose other ways are error exits."""

    blocks: Counter[str] = field(default_factory=Counter)
    edges: Counter[Edge] = field(default_factory=Counter)
    unsure: set[str] = field(default_factory=set)
    passed: set[str] = field(default_factory=set)


class Run:
    """One run: `steps` instructions at most.

    outer: the value of a register that is set outside of what is run. entered: called at the head
    of each block of the function itself, with its registers.
    """

    def __init__(
        self,
        world: World,
        steps: int,
        outer: Callable[[Register, str], Value],
        entered: Callable[[str, dict[str, Value]], None] | None = None,
    ) -> None:
        self.world, self.left = world, steps
        self.counts = Counts()
        self.objects = Objects(world.layout, world.constant)
        self._outer, self._entered = outer, entered
        self._depth = 0
        self._frames = 0
        self._outside: dict[str, Value] = {}

    def function(self, f: Function) -> None:
        """Run a function from its entry to its return.

        Raises:
            Stopped
        """
        _Frame(self, f, {}, is_counted=True).run(f.entry.name, None)

    def loop(
        self,
        f: Function,
        header: str,
        within: frozenset[str],
        start: dict[str, Value],
        *,
        stays: bool = False,
    ) -> Edge:
        """Run a loop from its entry until it is left; by which edge. `start`: the values of its
        header's phis; stays: exits that are not known are taken not to be taken.

        Raises:
            Stopped
        """
        frame = _Frame(self, f, dict(start), is_counted=True, within=within, stays=stays)
        return frame.run(header, None)

    def outside(self, token: Register, kind: str) -> Value:
        """A register that is not set in what is run."""
        if token not in self._outside:
            self._outside[token] = self._outer(token, kind)
        return self._outside[token]

    def called(self, f: Function, arguments: list[Value]) -> Value:
        """What a function of the program returns."""
        if self._depth >= _DEEPEST or f.is_declaration or len(arguments) != len(f.parameters):
            raise Stopped
        self._depth += 1
        registers: dict[str, Value] = dict(
            zip((p.token for p in f.parameters), arguments, strict=True)
        )
        frame = _Frame(self, f, registers, is_counted=False)
        frame.run(f.entry.name, None)
        self.objects.end(frame.locals)
        self._depth -= 1
        return frame.result

    def entered(self, block: str, registers: dict[str, Value]) -> None:
        """A block of the function itself is run."""
        self.counts.blocks[block] += 1
        if self._entered is not None:
            self._entered(block, registers)

    def new_frame(self) -> int:
        """A number for a call."""
        self._frames += 1
        return self._frames


class _Frame:
    """One call that is run."""

    def __init__(
        self,
        run: Run,
        f: Function,
        registers: dict[str, Value],
        *,
        is_counted: bool,
        within: frozenset[str] | None = None,
        stays: bool = False,
    ) -> None:
        self._run, self._f, self._registers = run, f, registers
        self._is_counted, self._within, self._stays = is_counted, within, stays
        self._number = run.new_frame()
        self.locals: set[str] = set()
        self.result: Value = None

    def run(self, block: str, came: str | None) -> Edge:
        """Run from the head of a block on; `came`: from which block, None where its phis are set
        already."""
        run, f = self._run, self._f
        skipped: Collection[str] = ()
        ends = self._coming_to_an_end() if self._is_counted and not self._stays else None
        while True:
            if ends is not None and block not in ends:
                raise Stopped
            body = f.blocks[block].instructions
            if came is not None:
                self._phis(block, {came} if not skipped else {*skipped, came})
            if self._is_counted:
                run.entered(block, self._registers)
            run.left -= len(body)
            if run.left < 0:
                raise Stopped
            for i in body[:-1]:
                if not is_phi(i):
                    self._do(i)
            edge, skipped = self._onwards(block, body[-1])
            if edge.target is None or (
                self._within is not None and edge.target not in self._within
            ):
                return edge
            came, block = edge.source, edge.target

    # -- control
    def _coming_to_an_end(self) -> set[str]:
        """The blocks from which control may come to where the run ends: from all others it would go
        on for ever."""
        f, within = self._f, self._within
        sources: dict[str, list[str]] = {}
        last: list[str] = []
        for block in f.blocks if within is None else within:
            ways = self._run.world.ways(f, block)
            if not ways or (within is not None and not within.issuperset(ways)):
                last.append(block)
            for target in ways:
                sources.setdefault(target, []).append(block)
        return closure(last, lambda block: sources.get(block, ()))

    def _onwards(self, block: str, last: Instruction) -> tuple[Edge, Collection[str]]:
        """The edge by which control goes on, and the blocks that it may have gone through."""
        if is_return(last):
            self.result = self._value(last.operands[0], self._f.type) if last.operands else None
            return Edge(block, None), ()
        if last.is_call:
            self._do(last)
        ways = self._run.world.ways(self._f, block)
        target = self._target(last)
        if target is None and len(ways) == 1:
            target = next(iter(ways))
            if self._is_counted and len(set(last.labels)) > 1:
                self._run.counts.passed.add(block)
        if target is None and self._stays and self._within is not None:
            inside = [w for w in ways if w in self._within]
            target = inside[0] if len(inside) == 1 else None
        if target is not None:
            edge = Edge(block, target)
            if self._is_counted:
                self._run.counts.edges[edge] += 1
            return edge, ()
        return self._around(block, ways)

    def _target(self, last: Instruction) -> str | None:
        """Where a terminator leads."""
        if is_branch(last):
            if len(last.labels) == 1:
                return last.labels[0]
            condition = self._value(last.operands[0], "i1")
            return None if condition is None else last.labels[0 if condition else 1]
        if is_any(last, "switch"):
            value = self._value(last.operands[0], last.type)
            if value is None:
                return None
            for case, label in zip(last.cases, last.labels[1:], strict=True):
                if isinstance(case, Constant) and literal(case, last.type) == value:
                    return label
            return last.labels[0]
        return None

    def _around(self, block: str, ways: Collection[str]) -> tuple[Edge, Collection[str]]:
        """Leave out what a branch decides that is not known."""
        world, f = self._run.world, self._f
        meeting = world.meeting(f, block)
        if meeting is None or (self._within is not None and meeting not in self._within):
            raise Stopped
        region = closure(
            (w for w in ways if w != meeting),
            lambda b: (s for s in world.ways(f, b) if s != meeting),
        )
        if self._within is not None and not region <= self._within:
            raise Stopped
        for name in region:
            for i in f.blocks[name].instructions:
                self._hand_out(i)
                if i.result is not None:
                    self._registers[i.result] = None
                if i.may_write:
                    self._forget(i)
        if self._is_counted:
            self._run.counts.unsure |= region
        return Edge(block, meeting), region

    def _hand_out(self, i: Instruction) -> None:
        """The addresses that an instruction which is left out takes further than to memory."""
        skipped = 0 if is_load(i) else 1 if is_store(i) else None
        self._run.objects.hand_out(
            self._registers.get(o)
            for at, o in enumerate(i.operands)
            if isinstance(o, Register) and at != skipped
        )

    def _forget(self, i: Instruction) -> None:
        """What an instruction writes that is left out."""
        objects = self._run.objects
        if i.is_call:
            name = callee(i) or ""
            if name.startswith(_IDLE) or (is_intrinsic(i) and "ptr" not in i.extra):
                return
            at = self._root(i.operands[1]) if name.startswith(("llvm.mem",)) else None
        else:
            at = self._root(i.operands[1] if is_store(i) else i.operands[0])
        if at is None:
            objects.forget()
        else:
            objects.forget_object(at.base)

    def _root(self, token: Operand) -> Address | None:
        """An address in the object that a pointer points into, whatever its offset."""
        i = self._f.definitions.get(token)
        while is_gep(i) or is_any(i, "bitcast"):
            token = i.operands[0]
            i = self._f.definitions.get(token)
        found = self._value(token, "ptr")
        return found if isinstance(found, Address) else None

    def _phis(self, block: str, sources: Collection[str]) -> None:
        """Set the phis of a block, to which control comes from one of some blocks."""
        found: dict[str, Value] = {}
        for phi in self._f.blocks[block].phis:
            values = {
                self._value(o, phi.type)
                for o, label in zip(phi.operands, phi.labels, strict=True)
                if label in sources
            }
            found[phi.token] = values.pop() if len(values) == 1 else None
            if values:
                self._run.objects.hand_out(values)
        self._registers |= found

    # -- instructions
    def _value(self, token: Operand, kind: str) -> Value:
        if isinstance(token, Register):
            if token in self._registers:
                return self._registers[token]
            return self._run.outside(token, kind) if self._is_counted else None
        if isinstance(token, GlobalRef):
            return Address(token, 0)
        if kind == "ptr" and token != "null":
            return self._run.objects.constant_address(token)
        return literal(token, kind)

    def _do(self, i: Instruction) -> None:
        found = self._made(i)
        if i.result is not None:
            self._registers[i.result] = found

    def _made(self, i: Instruction) -> Value:
        op = i.opcode
        if op in _BINARY:
            parts = [self._value(o, i.type) for o in i.operands]
            self._run.objects.hand_out(parts)
            return binary(i, *parts)
        if op in ("icmp", "fcmp"):
            return comparison(i, *(self._value(o, i.type) for o in i.operands))
        if op in CASTS:
            value = self._value(i.operands[0], i.extra[0])
            found = cast(i, value)
            if found is None:
                self._run.objects.hand_out((value,))
            return found
        maker = _MAKERS.get(op)
        return maker(self, i) if maker is not None else self._left_out(i)

    def _left_out(self, i: Instruction) -> Value:
        """An instruction that is not followed."""
        self._run.objects.hand_out(
            self._value(o, "?") for o in i.operands if isinstance(o, Register)
        )
        if i.may_write:
            self._run.objects.forget()
        return None

    def _select(self, i: Instruction) -> Value:
        condition = self._value(i.operands[0], "i1")
        yes, no = (self._value(o, i.type) for o in i.operands[1:])
        if condition is None:
            self._run.objects.hand_out((yes, no))
            return yes if yes == no and type(yes) is type(no) else None
        return yes if condition else no

    def _freeze(self, i: Instruction) -> Value:
        return self._value(i.operands[0], i.type)

    def _negated(self, i: Instruction) -> Value:
        value = self._value(i.operands[-1], "double")
        return -value if isinstance(value, float) else None

    def _alloca(self, i: Instruction) -> Value:
        size = self._run.world.layout.size(i.type)
        if i.operands:
            number = self._value(i.operands[0], "i64")
            size = size * number if isinstance(number, int) and size is not None else None
        name = f"{self._number}{i.token}"
        self.locals.add(name)
        return self._run.objects.make(name, size)

    def _address(self, i: Instruction) -> Value:
        at, layout, kind = self._value(i.operands[0], "ptr"), self._run.world.layout, i.type
        if not isinstance(at, Address):
            return None
        offset = at.offset
        for k, (token, type_) in enumerate(zip(i.operands[1:], i.extra[1:], strict=True)):
            index = self._value(token, type_)
            field_ = layout.offset(kind, index) if k and isinstance(index, int) else None
            inner = layout.element(kind) if k else kind
            size = layout.size(inner) if inner is not None else None
            if field_ is not None:
                offset, kind = offset + field_[0], field_[1]
            elif isinstance(index, int) and size is not None and inner is not None:
                offset, kind = offset + index * size, inner
            else:
                self._run.objects.hand_out((at,))
                return None
        return Address(at.base, offset)

    def _load(self, i: Instruction) -> Value:
        at = self._value(i.operands[0], "ptr")
        if not isinstance(at, Address) or i.flags & _VOLATILE:
            return None
        return self._run.objects.load(at, i.type)

    def _store(self, i: Instruction) -> Value:
        value, at = self._value(i.operands[0], i.type), self._value(i.operands[1], "ptr")
        self._run.objects.hand_out((value,))
        if isinstance(at, Address):
            self._run.objects.store(at, i.type, None if i.flags & _VOLATILE else value)
        else:
            self._run.objects.forget()
        return None

    def _call(self, i: Instruction) -> Value:
        name, world = callee(i) or "", self._run.world
        if name.startswith(_IDLE):
            return None
        arguments = [self._value(o, k) for o, k in zip(i.operands[1:], i.extra, strict=False)]
        target = world.target(self._f, i)
        if target is not None:
            return self._run.called(target, arguments)
        if not world.is_defined(name):
            known = LIBRARY.get(name.partition(".p")[0] if is_intrinsic(i) else name)
            if known is not None:
                found = known(self._run.objects, arguments)
                if found is not NotImplemented:
                    return found  # type: ignore[no-any-return]
            elif all(int_bits(k) or k in ("float", "double") for k in i.extra) and (
                i.type != "void"
            ):
                found = intrinsic(name, i.type, arguments)
                if found is not None or is_intrinsic(i) or not i.extra:
                    return found
        self._run.objects.hand_out(arguments)
        self._run.objects.forget()
        return None


_MAKERS: dict[str, Callable[[_Frame, Instruction], Value]] = {
    "select": _Frame._select,
    "freeze": _Frame._freeze,
    "fneg": _Frame._negated,
    "alloca": _Frame._alloca,
    "getelementptr": _Frame._address,
    "load": _Frame._load,
    "store": _Frame._store,
    "call": _Frame._call,
    "invoke": _Frame._call,
}
