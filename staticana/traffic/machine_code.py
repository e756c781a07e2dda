"""A nest as machine code that touches the lines of a `lru_stack.Stack` in the order of the program.

Each loop is a function of (state, environment, first iteration, end): the environment holds the
parameters, the first line of each object and the iteration numbers of the loops around, so that
the code serves all values of the parameters, and parts of a nest can be run alone.
"""

from __future__ import annotations

import ctypes
import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import llvmlite.binding as llvm
from llvmlite import ir

from ..expr import Atom, Expr, Extremum, Floor, Pow, Step, Sym, Trunc, expr
from .lru_stack import I64, PTR, Fields, add_dirty, add_touch, each
from .references import Guard, LoopNode, Node, Reference
from .refusal import Refused

LINE_BITS = 6
LINE = 1 << LINE_BITS
_FRACTION_BITS = 30


@dataclass(frozen=True, eq=False)
class Code:
    """A compiled nest.

    slots: place of each symbol (and object) in the environment. loops: the entry of each loop.
    references: place of each reference in the results. counters: likewise of loops and guards.
    """

    engine: Any
    slots: dict[str, int]
    loops: dict[LoopNode, Any]
    once: dict[Node, Any]
    references: dict[Reference, int]
    counters: dict[Node, int]
    dirty: Any


def compiled(body: Sequence[Node], parameters: Sequence[str]) -> Code:
    """Machine code of a nest.

    Raises:
        Refused: a formula has a shape that is not evaluated.
    """
    builder = _Builder(parameters)
    builder.nodes(body)
    return builder.finish()


class _Builder:
    def __init__(self, parameters: Sequence[str]) -> None:
        self.module = ir.Module("traffic")
        self.touch = add_touch(self.module)
        self.touch.attributes.add("alwaysinline")
        add_dirty(self.module)
        self.slots = {name: at for at, name in enumerate(parameters)}
        self.references: dict[Reference, int] = {}
        self.counters: dict[Node, int] = {}
        self.functions: dict[Node, Any] = {}
        self.power: Any = None

    def slot(self, name: str) -> int:
        return self.slots.setdefault(name, len(self.slots))

    def nodes(self, body: Sequence[Node]) -> None:
        """Functions for everything that can be run alone: loops, and what stands beside them."""
        for node in body:
            if isinstance(node, Reference):
                self.references.setdefault(node, len(self.references))
            else:
                self.counters[node] = len(self.counters)
                self.nodes(node.body)
        for node in body:
            self._function(node)

    def _function(self, node: Node) -> None:
        """void f(state, environment, first, end); `first` and `end` only matter to loops."""
        kind = ir.FunctionType(ir.VoidType(), [PTR, PTR, I64, I64])
        function = ir.Function(self.module, kind, f"part{len(self.functions)}")
        self.functions[node] = function
        _Function(self, function).build(node)

    def finish(self) -> Code:
        llvm.initialize_native_target()
        llvm.initialize_native_asmprinter()
        machine = llvm.Target.from_default_triple().create_target_machine(opt=2)
        module = llvm.parse_assembly(str(self.module))
        module.triple = llvm.get_default_triple()
        tuning = llvm.PipelineTuningOptions(speed_level=2)
        tuning.loop_unrolling = False
        tuning.loop_vectorization = tuning.slp_vectorization = False
        llvm.create_pass_builder(machine, tuning).getModulePassManager().run(
            module, llvm.create_pass_builder(machine, tuning)
        )
        engine = llvm.create_mcjit_compiler(module, machine)
        engine.finalize_object()
        part = ctypes.CFUNCTYPE(
            None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64
        )
        entries = {
            node: part(engine.get_function_address(f.name)) for node, f in self.functions.items()
        }
        dirty = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)
        return Code(
            engine,
            self.slots,
            {node: f for node, f in entries.items() if isinstance(node, LoopNode)},
            {node: f for node, f in entries.items() if not isinstance(node, LoopNode)},
            self.references,
            self.counters,
            dirty(engine.get_function_address("dirty")),
        )


class _Function:
    """One function that is being built."""

    def __init__(self, parent: _Builder, function: Any) -> None:
        self.parent = parent
        self.state, self.environment, self.first, self.end = function.args
        self.entry = function.append_basic_block("entry")
        start = function.append_basic_block("start")
        self.b = ir.IRBuilder(start)
        self.function = function
        self.start = start
        self.values: dict[str, Any] = {}

    def build(self, node: Node) -> None:
        if isinstance(node, LoopNode):
            self._loop(node)
        else:
            self._part(node)
        self.b.ret_void()
        ir.IRBuilder(self.entry).branch(self.start)

    # -- formulas
    def symbol(self, name: str) -> Any:
        """The value of a symbol; all are read on entry, so that code moves out of loops."""
        if name not in self.values:
            head = ir.IRBuilder(self.entry)
            at = head.gep(self.environment, [I64(self.parent.slot(name))], source_etype=I64)
            self.values[name] = head.load(at, typ=I64)
        return self.values[name]

    def value(self, e: Expr) -> Any:
        """An integer-valued formula."""
        number, denominator = self._scaled(e)
        return number if denominator == 1 else self._floor(number, I64(denominator))

    def _scaled(self, e: Expr) -> tuple[Any, int]:
        denominator = math.lcm(*(Fraction(c).denominator for c in e.terms.values()))
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
                return self.symbol(atom.name)
            case Extremum():
                found, *others = (self.value(a) for a in atom.args)
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
        exponent = self.value(atom.exponent)
        if atom.base == 2:
            return b.shl(I64(1), b.and_(exponent, I64(63)))
        at = ir.IRBuilder(self.entry).alloca(I64)
        b.store(I64(1), at)
        with each(b, exponent):
            b.store(b.mul(b.load(at, typ=I64), I64(atom.base)), at)
        return b.load(at, typ=I64)

    # -- parts
    def _part(self, node: Node) -> None:
        if isinstance(node, Reference):
            self._reference(node)
        elif isinstance(node, Guard):
            with self.b.if_then(self._holds(node)):
                self._count(node, I64(1))
                self._spend(I64(1))
                for part in node.body:
                    self._inner(part)
        else:
            raise AssertionError(node)

    def _inner(self, node: Node) -> None:
        """A part of a body: loops are functions of their own."""
        if not isinstance(node, LoopNode):
            self._part(node)
            return
        trips = self.value(node.trips)
        self.b.call(self.parent.functions[node], [self.state, self.environment, I64(0), trips])

    def _holds(self, node: Guard) -> Any:
        """Is a guard's share 1, or does chance have it below the share?"""
        b = self.b
        if node.is_condition:
            return b.icmp_signed(">", self.value(node.share), I64(0))
        limit = self.value(node.share * (1 << _FRACTION_BITS))
        return b.icmp_signed("<", self._random(I64(1 << _FRACTION_BITS)), limit)

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

    def _reference(self, node: Reference) -> None:
        b = self.b
        offset = self.value(node.offset)
        if node.spread is not None:
            each_bytes = b.mul(self._random(self.value(node.spread.count)), I64(node.spread.stride))
            offset = b.add(offset, each_bytes)
        base = self.symbol(object_slot(node.object))
        how = [
            I64(self.parent.references[node]),
            I64(int(node.spread is not None)),
            I64(int(node.is_store)),
        ]
        line = b.add(b.ashr(offset, I64(LINE_BITS)), base)
        b.call(self.parent.touch, [self.state, line, *how])
        if node.size > 1:
            end = b.add(offset, I64(node.size - 1))
            last = b.add(b.ashr(end, I64(LINE_BITS)), base)
            with b.if_then(b.icmp_signed("!=", last, line), likely=False):
                b.call(self.parent.touch, [self.state, last, *how])

    def _count(self, node: Node, number: Any) -> None:
        at = Fields(self.b, self.state).element("counts", I64(self.parent.counters[node]))
        self.b.store(self.b.add(self.b.load(at, typ=I64), number), at)

    def _spend(self, number: Any) -> None:
        Fields(self.b, self.state).add("budget", self.b.mul(number, I64(-1)))

    # -- loops
    def _loop(self, node: LoopNode) -> None:
        b = self.b
        f = Fields(b, self.state)
        count = b.sub(self.end, self.first)
        is_empty = b.icmp_signed("<=", count, I64(0))
        with b.if_then(b.or_(is_empty, b.icmp_signed("<", f.get("budget"), I64(0)))):
            b.ret_void()
        self._count(node, count)
        is_inner = all(isinstance(n, Reference) for n in node.body)
        step = self._step(node) if is_inner else I64(1)
        at = b.gep(self.environment, [I64(self.parent.slot(node.index))], source_etype=I64)
        test, body, end = (b.append_basic_block() for _ in range(3))
        start = b.block
        last = b.sub(self.end, I64(1))
        b.branch(test)
        b.position_at_end(test)
        k = b.phi(I64)
        k.add_incoming(self.first, start)
        done = b.icmp_signed(">=", k, self.end)
        if not is_inner:
            done = b.or_(done, b.icmp_signed("<", f.get("budget"), I64(0)))
        b.cbranch(done, end, body)
        b.position_at_end(body)
        self.values[node.index] = k
        if not is_inner:
            b.store(k, at)
        self._spend(I64(1 + sum(isinstance(n, Reference) for n in node.body)))
        for part in node.body:
            self._inner(part)
        following = b.add(k, step)
        # the last iteration is run too, so that what it uses is the most recent
        is_past = b.and_(b.icmp_signed(">", following, last), b.icmp_signed("<", k, last))
        k.add_incoming(b.select(is_past, last, following), b.block)
        b.branch(test)
        b.position_at_end(end)

    def _step(self, node: LoopNode) -> Any:
        """Iterations in which no reference passes over a line."""
        b = self.b
        largest: Any = I64(1)
        for part in node.body:
            assert isinstance(part, Reference)
            parts = part.offset.split(node.index)
            if parts is None or set(parts) - {0, 1} or part.spread is not None:
                return I64(1)
            step = self.value(parts.get(1, expr(0)))
            step = b.select(b.icmp_signed("<", step, I64(0)), b.neg(step), step)
            largest = b.select(b.icmp_signed(">", step, largest), step, largest)
        found = b.sdiv(I64(LINE), largest)
        return b.select(b.icmp_signed("<", found, I64(1)), I64(1), found)


def object_slot(key: str) -> str:
    """The name of an object's first line in the environment."""
    return f"line of {key}"
