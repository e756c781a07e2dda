"""Machine code that touches the lines of a `lru_stack.Stack` as parts of a nest do.

Each part is a function of (state, environment, first iteration, end): the environment holds the
parameters, the first line of each object and the iteration numbers of the loops around, so that
the code serves all values of the parameters, and parts of a nest can be run alone.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import llvmlite.binding as llvm
from llvmlite import ir

from ..expr import Atom, CLog, Expr, Extremum, Floor, Pow, Step, Sym, Trunc
from .access_tree import AccessNode, Guard, LoopNode, Spread, TreeNode
from .lru_stack import I1, I64, PTR, Fields, add_dirty, add_touch, each
from .refusal import Refused

LINE_BITS = 6
"""The logarithm of `LINE`."""
LINE = 1 << LINE_BITS
"""Bytes of a cache line."""
FRACTION = 1 << 30
"""Fractions are integers of this unit."""
_MIXER = 0x5851F42D4C957F2D
"""Factor of the generator of places that data choose (Knuth's MMIX)."""


Call = Callable[[int, int, int, int], None]
"""(state, environment, first iteration, end); the last two only matter to loops."""


@dataclass(frozen=True, eq=False)
class Plan:
    """Where the code of a nest finds and leaves what.

    slots: place of each symbol and object in the environment. references: place of each reference
    in the results. counters: likewise of loops and guards.
    """

    slots: Mapping[str, int]
    references: Mapping[AccessNode, int]
    counters: Mapping[TreeNode, int]


@dataclass(frozen=True, eq=False)
class Code:
    """Compiled parts of a nest; `engine` owns the code."""

    engine: Any
    parts: Mapping[TreeNode, Call]
    dirty: Callable[[int, int], None]


def planned(body: Sequence[TreeNode], parameters: Sequence[str]) -> Plan:
    """The places of everything in a nest."""
    slots = {name: at for at, name in enumerate(parameters)}
    references: dict[AccessNode, int] = {}
    counters: dict[TreeNode, int] = {}

    def visit(nodes: Sequence[TreeNode]) -> None:
        for node in nodes:
            if isinstance(node, AccessNode):
                references.setdefault(node, len(references))
                for key in node.place.objects:
                    slots.setdefault(object_slot(key), len(slots))
                    slots.setdefault(row_slot(key), len(slots))
                continue
            counters[node] = len(counters)
            if isinstance(node, LoopNode):
                slots.setdefault(node.index, len(slots))
            visit(node.body)

    visit(body)
    return Plan(slots, references, counters)


class _Module:
    """A module that functions are added to."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.module = ir.Module("traffic")
        self.touch = add_touch(self.module)
        self.touch.attributes.add("alwaysinline")
        add_dirty(self.module)
        self.functions: dict[TreeNode, Any] = {}

    def function(self, node: TreeNode) -> Any:
        """A new function for a part of the nest."""
        kind = ir.FunctionType(ir.VoidType(), [PTR, PTR, I64, I64])
        found = ir.Function(self.module, kind, f"part{len(self.functions)}")
        self.functions[node] = found
        return found

    def finish(self) -> Code:
        """Machine code of the module."""
        llvm.initialize_native_target()
        llvm.initialize_native_asmprinter()
        machine = llvm.Target.from_default_triple().create_target_machine(opt=2)
        module = llvm.parse_assembly(str(self.module))
        module.triple = llvm.get_default_triple()
        tuning = llvm.PipelineTuningOptions(speed_level=2)
        tuning.loop_unrolling = tuning.loop_vectorization = tuning.slp_vectorization = False
        passes = llvm.create_pass_builder(machine, tuning)
        passes.getModulePassManager().run(module, passes)
        engine = llvm.create_mcjit_compiler(module, machine)
        engine.finalize_object()
        part = ctypes.CFUNCTYPE(
            None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64
        )
        dirty = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)
        return Code(
            engine,
            {node: part(engine.get_function_address(f.name)) for node, f in self.functions.items()},
            dirty(engine.get_function_address("dirty")),
        )


def compiled(body: Sequence[TreeNode], plan: Plan) -> Code:
    """Code for every part of a nest, which runs all its accesses.

    Raises:
        Refused: a formula has a shape that is not evaluated.
    """
    module = _Module(plan)

    def build(nodes: Sequence[TreeNode]) -> None:
        for node in nodes:
            if not isinstance(node, AccessNode):
                build(node.body)
            _Part(module, node).build()

    build(body)
    return module.finish()


class _Part:
    """The function of a part of a tree: all its accesses, in the order of the program."""

    def __init__(self, parent: _Module, node: TreeNode) -> None:
        self.parent, self.node = parent, node
        function = parent.function(node)
        self.state, self.environment, self.first, self.end = function.args
        self.entry = function.append_basic_block("entry")
        self.start = function.append_basic_block("start")
        self.b = ir.IRBuilder(self.start)
        self.values: dict[str, Any] = {}

    def build(self) -> None:
        """Build the code."""
        if isinstance(self.node, LoopNode):
            self._loop(self.node)
        else:
            self._part(self.node)
        self.b.ret_void()
        ir.IRBuilder(self.entry).branch(self.start)

    # -- formulas
    def _symbol(self, name: str) -> Any:
        """The value of a symbol; all are read on entry, so that code moves out of loops."""
        if name not in self.values:
            head = ir.IRBuilder(self.entry)
            at = head.gep(self.environment, [I64(self.parent.plan.slots[name])], source_etype=I64)
            self.values[name] = head.load(at, typ=I64)
        return self.values[name]

    def _value(self, e: Expr) -> Any:
        """An integer-valued formula."""
        number, denominator = self._scaled(e)
        return number if denominator == 1 else self._floor(number, I64(denominator))

    def _scaled(self, e: Expr) -> tuple[Any, int]:
        denominator = e.denominator
        total: Any = None
        for monomial, coefficient in e.terms.items():
            scale = int(coefficient * denominator)
            product: Any = None if scale == 1 and monomial else I64(scale)
            for atom, power in monomial:
                factor = self._atom(atom)
                for _ in range(power):
                    product = factor if product is None else self.b.mul(product, factor)
            total = product if total is None else self.b.add(total, product)
        return (I64(0) if total is None else total), denominator

    def _atom(self, atom: Atom) -> Any:
        b = self.b
        match atom:
            case Sym():
                return self._symbol(atom.name)
            case Extremum():
                found, *others = (self._value(a) for a in atom.args)
                for other in others:
                    sign = "<" if atom.is_least else ">"
                    found = b.select(b.icmp_signed(sign, found, other), found, other)
                return found
            case Step():
                return b.zext(b.icmp_signed(">=", self._scaled(atom.arg)[0], I64(0)), I64)
            case Floor() | Trunc():
                num, below = self._scaled(atom.num)
                den, above = self._scaled(atom.den)
                num, den = b.mul(num, I64(above)), b.mul(den, I64(below))
                den = b.select(b.icmp_signed("==", den, I64(0)), I64(1), den)
                return self._floor(num, den) if isinstance(atom, Floor) else b.sdiv(num, den)
            case Pow():
                return self._power(atom)
            case CLog() if atom.base == 2:
                below = b.sub(self._value(atom.arg), I64(1))
                zeros = b.ctlz(below, I1(0))
                is_one = b.icmp_signed("<=", below, I64(0))
                return b.select(is_one, I64(0), b.sub(I64(64), zeros))
        raise Refused(f"a formula has a form that is not evaluated: {atom}")

    def _floor(self, num: Any, den: Any) -> Any:
        b = self.b
        quotient = b.sdiv(num, den)
        rest = b.srem(num, den)
        is_below = b.and_(
            b.icmp_signed("!=", rest, I64(0)), b.icmp_signed("<", b.xor(rest, den), I64(0))
        )
        return b.sub(quotient, b.zext(is_below, I64))

    def _power(self, atom: Pow) -> Any:
        b = self.b
        exponent = self._value(atom.exponent)
        if atom.base == 2:
            return b.shl(I64(1), b.and_(exponent, I64(63)))
        at = ir.IRBuilder(self.entry).alloca(I64)
        b.store(I64(1), at)
        with each(b, exponent):
            b.store(b.mul(b.load(at, typ=I64), I64(atom.base)), at)
        return b.load(at, typ=I64)

    # -- accesses
    def _holds(self, node: Guard) -> Any:
        """Is a guard's share 1, or does chance have it below the share?"""
        b = self.b
        share = self._value(node.share)
        if not node.is_data:
            return b.icmp_signed(">", share, I64(0))
        return b.icmp_signed("<", self._random(I64(FRACTION)), share)

    def _random(self, below: Any) -> Any:
        """A random number of 0 .. below - 1 (xorshift: Marsaglia, J. Stat. Softw. 2003)."""
        b, f = self.b, Fields(self.b, self.state)
        x = f.get("random")
        x = b.xor(x, b.shl(x, I64(13)))
        x = b.xor(x, b.lshr(x, I64(7)))
        x = b.xor(x, b.shl(x, I64(17)))
        f.set("random", x)
        high = b.lshr(b.mul(x, I64(0x2545F4914F6CDD1D)), I64(11))
        below = b.select(b.icmp_signed("<", below, I64(1)), I64(1), below)
        return b.urem(high, below)

    def _chosen(self, spread: Spread) -> Any:
        """Bytes to the element that data choose: a mix of what they depend on (splitmix64: Steele,
        Lea and Flood, OOPSLA 2014)."""
        b = self.b
        x: Any = I64(spread.salt * _MIXER % (1 << 63))
        for seed in spread.seeds:
            x = b.mul(b.xor(x, self._value(seed)), I64(_MIXER))
            x = b.xor(x, b.lshr(x, I64(30)))
            x = b.mul(x, I64(0xBF58476D1CE4E5B9 - (1 << 64)))
            x = b.xor(x, b.lshr(x, I64(27)))
        count = self._value(spread.count)
        count = b.select(b.icmp_signed("<", count, I64(1)), I64(1), count)
        chosen = b.urem(b.lshr(x, I64(11)), count)
        if spread.level is not None:
            # the middle of the part, one of 2**level, that the element lies in
            level = b.and_(self._value(spread.level), I64(31))
            part = b.udiv(b.shl(chosen, level), count)
            middle = b.mul(b.add(b.shl(part, I64(1)), I64(1)), count)
            chosen = b.lshr(middle, b.add(level, I64(1)))
        return b.mul(chosen, self._value(spread.stride))

    def _access(self, node: AccessNode) -> None:
        b = self.b
        place = node.place
        offset = self._value(place.offset)
        if place.spread is not None:
            offset = b.add(offset, self._chosen(place.spread))
        first, *others = place.objects
        base = self._symbol(object_slot(first))
        if place.turn is not None:
            turn = b.urem(self._symbol(place.turn), I64(len(place.objects)))
            for k, key in enumerate(others, 1):
                is_here = b.icmp_unsigned("==", turn, I64(k))
                base = b.select(is_here, self._symbol(object_slot(key)), base)
        if place.row is not None:
            base = b.add(base, b.mul(self._value(place.row), self._symbol(row_slot(first))))
        how = [
            I64(self.parent.plan.references[node]),
            I64(int(place.spread is not None)),
            I64(int(node.is_store)),
        ]
        line = b.add(b.ashr(offset, I64(LINE_BITS)), base)
        b.call(self.parent.touch, [self.state, line, *how])
        if node.size > 1:
            end = b.add(offset, I64(node.size - 1))
            last = b.add(b.ashr(end, I64(LINE_BITS)), base)
            with b.if_then(b.icmp_signed("!=", last, line), likely=False):
                b.call(self.parent.touch, [self.state, last, *how])

    # -- parts and loops
    def _part(self, node: TreeNode) -> None:
        if isinstance(node, AccessNode):
            self._access(node)
        elif isinstance(node, Guard):
            with self.b.if_then(self._holds(node)):
                self._count(node, I64(1))
                for part in node.body:
                    self._inner(part)
        else:
            raise AssertionError(node)

    def _inner(self, node: TreeNode) -> None:
        """A part of a body: loops are functions of their own."""
        if not isinstance(node, LoopNode):
            self._part(node)
            return
        trips = self._value(node.trips)
        self.b.call(self.parent.functions[node], [self.state, self.environment, I64(0), trips])

    def _count(self, node: TreeNode, number: Any) -> None:
        at = Fields(self.b, self.state).element("counts", I64(self.parent.plan.counters[node]))
        self.b.store(self.b.add(self.b.load(at, typ=I64), number), at)

    def _loop(self, node: LoopNode) -> None:
        b = self.b
        count = b.sub(self.end, self.first)
        with b.if_then(b.icmp_signed("<=", count, I64(0))):
            b.ret_void()
        self._count(node, count)
        is_inner = all(isinstance(n, AccessNode) for n in node.body)
        step = self._step(node) if is_inner else I64(1)
        at = b.gep(self.environment, [I64(self.parent.plan.slots[node.index])], source_etype=I64)
        with _strided(b, self.first, self.end, step) as k:
            self.values[node.index] = k
            if not is_inner:
                b.store(k, at)
            for part in node.body:
                self._inner(part)

    def _step(self, node: LoopNode) -> Any:
        """Iterations in which no reference passes over a line."""
        b = self.b
        largest: Any = I64(1)
        for part in node.body:
            assert isinstance(part, AccessNode)
            own = part.place.step(node.index)
            if own is None or part.place.spread is not None:
                return I64(1)
            step = self._value(own)
            step = b.select(b.icmp_signed("<", step, I64(0)), b.neg(step), step)
            largest = b.select(b.icmp_signed(">", step, largest), step, largest)
        found = b.sdiv(I64(LINE), largest)
        return b.select(b.icmp_signed("<", found, I64(1)), I64(1), found)


@contextmanager
def _strided(b: Any, low: Any, high: Any, step: Any) -> Iterator[Any]:
    """with _strided(builder, low, high, step) as k: code for k = low, low + step, ... below high,
    and for high - 1; `step` is at least 1."""
    last = b.sub(high, I64(1))
    start = b.block
    test, body, end = (b.append_basic_block() for _ in range(3))
    b.branch(test)
    b.position_at_end(test)
    k = b.phi(I64)
    k.add_incoming(low, start)
    b.cbranch(b.icmp_signed("<", k, high), body, end)
    b.position_at_end(body)
    yield k
    following = b.add(k, step)
    # the last one is run too, so that what it uses is the most recent
    is_past = b.and_(b.icmp_signed(">", following, last), b.icmp_signed("<", k, last))
    k.add_incoming(b.select(is_past, last, following), b.block)
    b.branch(test)
    b.position_at_end(end)


def object_slot(key: str) -> str:
    """The name of an object's first line in the environment."""
    return f"line of {key}"


def row_slot(key: str) -> str:
    """The name of the number of lines of each row in the environment."""
    return f"lines of a row of {key}"
