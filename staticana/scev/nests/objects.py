"""What accesses say of indices: each stays inside its object, an access beyond it is undefined.

A loop that reads a[i] in each iteration is left before i is beyond a's last element, whatever it
waits for: searches that find what they seek, counters that data move, what a stack has room for.
The number of elements is a formula where it is known how the object is made, else a value of the
run that people know.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import gcd

from ...expr import NUMBER, ONE, Expr, expr, maximum, symbols
from ...ir.cxx_names import NEW_BY_BYTES
from ...ir.graph import callee
from ...ir.matchers import is_alloca, is_gep, is_load, is_store
from ...ir.tokens import constant_address
from ...ir.types import Instruction, IntLiteral, Operand, Register
from ...ranking.linear import Linear, number
from ...ranking.transitions import OPEN, PARAMETER
from ..context import FunctionContext
from ..source_names import last_part, object_text, value_name
from ..unknowns import ELEMENTS, LARGEST, UnknownInfo
from ..values import Value
from .arithmetic import NestArithmetic
from .containers import elements_behind
from .values import Choice, NotLinear, Path

INSIDE_NOTE = "accesses of the loop at {} stay inside their objects"
_SIZE_AT = {"calloc": (1, 2), "aligned_alloc": (2,), "realloc": (2,)}
"""The operands whose product is the size of what a function allocates; else it is the first."""
_MOST_CALLS = 6
"""Calls through which an object is handed on."""


@dataclass(frozen=True)
class Address:
    """`base` and what is added to it, in bytes: indices, each with the size of what it steps over,
    and a constant."""

    base: Operand
    indices: tuple[tuple[Operand, int], ...]
    offset: int


class NestObjects(NestArithmetic):
    """The facts of the accesses on a path."""

    def _accesses(self, path: Path, block: str) -> None:
        """Add that what a block of a path reads and writes is inside of objects."""
        for i in self.function.blocks[block].instructions:
            if is_load(i) or is_store(i):
                self._accessed(path, i)
            elif i.is_call and len(i.operands) == 3:
                self._element_handed_out(path, i)

    def _element_handed_out(self, path: Path, call: Instruction) -> None:
        """Add that an index is inside of its container, whose size is no more than the largest that
        it has in a run ([sequence.reqmts]; [string.access] has one element more)."""
        behind = elements_behind(call)
        if behind is None:
            return
        try:
            index = self._value(path, call.operands[2], False, 64)
        except (Choice, NotLinear):
            return
        if not all(n.startswith((PARAMETER, OPEN)) for n in index.names):
            most = self._form(self._most_elements_of(call)) + behind
            path.facts += [index, most - index - 1]
            self.is_inside = True
            self._look(path)

    def _most_elements_of(self, call: Instruction) -> Expr:
        """The largest number of elements of a container of which a call hands out one."""
        view = self.view
        text, inside = object_text(view, call.operands[1])
        text = text or "v"
        return view.program.unknowns.add(
            UnknownInfo(
                symbols.unknown(view.function.name, "most elements", text, call.operands[1]),
                "value",
                f"most {last_part(text)}_size",
                f"{LARGEST}{text}{NUMBER}",
                view.place(view.function.entry.instructions[0]),
                view.function.name,
                view.function.entry.name,
                inside,
            )
        )

    def _accessed(self, path: Path, i: Instruction) -> None:
        """Add that an access is inside of its object."""
        token, kind = (i.operands[0], i.type) if is_load(i) else (i.operands[1], i.type)
        width = self.view.program.layout.size(kind)
        address = address_parts(self.view, token)
        if address is None or not address.indices or not width:
            return
        base = self.view.scalars.value(address.base)
        if base.preconditions or self._changes(base.expr):
            return
        try:
            index = self._sum_of(path, address)
        except (Choice, NotLinear):
            return  # of an index that has several values on a path nothing is said
        if not all(n.startswith((PARAMETER, OPEN)) for n in index.names):
            path.facts += self._inside(address, base.expr, index, width)
            self.is_inside = True
            self._look(path)

    def _sum_of(self, path: Path, address: Address) -> Linear:
        total = number(address.offset)
        for token, size in address.indices:
            total = total + self._value(path, token, False, 64).times(size)
        return total

    def _inside(self, address: Address, base: Expr, index: Linear, width: int) -> Iterator[Linear]:
        """Facts of an access of `width` bytes at an index, in bytes, behind a base."""
        made = size_of_object(self.view, base)
        if made is not None:
            size, start = made
            self.needs |= size.preconditions
            yield self._form(size.expr - start) - index - width
            yield index + self._form(start)
            return
        step = gcd(*(size for _, size in address.indices))
        last = index + (width - 1)
        if all(isinstance(c, int) for c in last.terms.values()):
            # the element that the last byte is in is no more than the last one
            scaled = Linear({n: c // step for n, c in last.terms.items() if c // step})
            yield self._form(self._elements(address, base, step)) - scaled - 1

    def _elements(self, address: Address, base: Expr, step: int) -> Expr:
        """The number of elements from a pointer to the end of its object: of the largest one that
        the function is called with."""
        view = self.view
        name = (value_name(view, address.base) or "array").strip('"')
        return view.program.unknowns.add(
            UnknownInfo(
                symbols.unknown(view.function.name, "elements", base, step),
                "value",
                f"most {name}_elements",
                f"{LARGEST}{ELEMENTS}{name}",
                view.place(view.function.entry.instructions[0]),
                view.function.name,
                view.function.entry.name,
            )
        )


def address_parts(view: FunctionContext, token: Operand, moves: int = 0) -> Address | None:
    """An address as a base with indices; moves: how many instructions it is followed back through,
    0 for all."""
    left = moves
    indices: list[tuple[Operand, int]] = []
    offset, layout = 0, view.program.layout
    while True:
        i = view.function.definitions.get(token)
        constant = None if i is not None else constant_address(token)
        if is_gep(i):
            base, kind, steps = i.operands[0], i.type, i.operands[1:]
        elif constant is not None:
            base, kind, steps = constant
        else:
            return Address(token, tuple(indices), offset)
        for at, step in enumerate(steps):
            if at and layout.is_struct(kind):
                field = layout.offset(kind, step.value) if isinstance(step, IntLiteral) else None
                if field is None:
                    return None
                offset, kind = offset + field[0], field[1]
                continue
            kind = kind if not at else layout.element(kind) or "?"
            size = layout.size(kind)
            if size is None:
                return None
            if isinstance(step, IntLiteral):
                offset += step.value * size
            elif size:
                indices.append((step, size))
        token, left = base, left - 1
        if left == 0:
            return Address(token, tuple(indices), offset)


def size_of_object(
    view: FunctionContext, address: Expr, depth: int = 0
) -> tuple[Value, Expr] | None:
    """The bytes of the object that an address is in, and where in it the address is; None where it
    is not seen how that is made."""
    for symbol in sorted(address.symbols):
        line = address.affine_in(symbol)
        if line is None or line[0] != ONE:
            continue
        handed = symbols.as_argument(symbol)
        if handed is not None and handed.shift is None and depth < _MOST_CALLS:
            return _handed(view, handed.function, handed.at, line[1], depth)
        size = _size(view, symbol)
        if size is not None and _are_told(view, size.expr + line[1]):
            return size, line[1]
    return None


def _handed(
    view: FunctionContext, function: str, at: int, behind: Expr, depth: int
) -> tuple[Value, Expr] | None:
    """The same of an argument, by the largest object that the callers hand over."""
    program = view.program
    sites = program.calls.callers.get(function, ())
    is_called_else = function in program.calls.pointed or function == program.entry
    if is_called_else or not program.asks_callers or not all(s.certain for s in sites):
        return None
    sizes, starts, needs = list[Expr](), set[Expr](), frozenset[Expr]()
    for site in sites:
        if at + 1 >= len(site.instruction.operands):
            return None
        caller = program.view(site.caller)
        passed = caller.scalars.value(site.instruction.operands[at + 1])
        found = size_of_object(caller, passed.expr, depth + 1)
        if found is None or passed.preconditions:
            return None
        sizes.append(found[0].expr)
        starts.add(found[1])
        needs |= found[0].preconditions
    if len(starts) != 1:
        return None
    program.knows_callers_of(view.function.name)
    start = starts.pop() + behind
    return (Value(maximum(*sizes), needs), start) if _are_told(view, start) else None


def _are_told(view: FunctionContext, e: Expr) -> bool:
    """Is it a formula over numbers that the program is given?"""
    return not any(
        symbols.is_iteration(s) or view.program.unknowns.get(s) or _is_pointer(view, s)
        for s in e.symbols
    )


def _is_pointer(view: FunctionContext, symbol: str) -> bool:
    """Is it an address, which the object may be that another one is in?"""
    handed = symbols.as_argument(symbol)
    if handed is None:
        return symbols.global_name(symbol) is not None
    function = view.program.defined.get(handed.function)
    return function is None or function.parameters[handed.at].type == "ptr"


def _size(view: FunctionContext, symbol: str) -> Value | None:
    """The bytes of an object by the symbol of its address."""
    program = view.program
    name = symbols.global_name(symbol)
    if name is not None:
        g = program.module.globals.get(name)
        size = program.layout.size(g.type) if g is not None and g.initializer else None
        return Value(expr(size)) if size else None
    info = program.unknowns.get(symbol)
    function = program.defined.get(info.function) if info is not None else None
    register = symbols.register_name(symbol, function.name) if function is not None else None
    made = None
    if function is not None and register is not None:
        made = function.definitions.get(Register(f"%{register}"))
    if function is None or made is None:
        return None
    maker = view if function.name == view.function.name else program.view(function.name)
    if is_alloca(made):
        size = program.layout.size(made.type)
        counted = [maker.scalars.value(o) for o in made.operands]
        return _product(size, counted) if size else None
    called = callee(made) if made.is_call else None
    if (called not in NEW_BY_BYTES and called != "calloc") or called in program.defined:
        return None
    at = _SIZE_AT.get(called or "", (1,))
    return _product(1, [maker.scalars.value(made.operands[k]) for k in at])


def _product(size: int, factors: list[Value]) -> Value:
    total, needs = expr(size), frozenset[Expr]()
    for f in factors:
        total, needs = total * f.expr, needs | f.preconditions
    return Value(total, needs)
