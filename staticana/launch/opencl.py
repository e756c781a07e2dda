"""Launches by OpenCL's functions: which kernel a handle stands for, what its arguments were last
set to, and how many threads and blocks run it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, partial

from ..expr import floor_div
from ..interprocedural.program import Program
from ..ir.graph import callee
from ..ir.initialisers import text_of
from ..ir.matchers import is_alloca, is_any, is_load, is_phi, is_return, is_store
from ..ir.tokens import constant_address
from ..ir.types import Function, GlobalRef, Instruction, IntLiteral, Operand
from ..scev.function_analysis import FunctionView
from ..scev.values import Value

_ENQUEUE = "looplaw_enqueue"
_ARGUMENT = re.compile(r"looplaw_argument_i\d+$")
_CREATE = "clCreateKernel"
_STRING = re.compile(r"_ZNSt7__cxx1112basic_string\w*C\d.*PKc")
"""A string's constructor from characters."""
_AXES = "xyz"
_FARTHEST = 8
"""Copies of a handle, from one variable or argument to the next, that are followed."""


@dataclass(frozen=True)
class Launched:
    """A launch in code of the host.

    sizes: "grid.x", "block.x" and the like, as far as they are known; "total.x" where a launch
    tells no blocks. argument: the value of an argument by its number, None where it is not known.
    """

    view: FunctionView
    block: str
    call: Instruction
    sizes: Mapping[str, Value]
    argument: Callable[[int], Value | None]


@dataclass(frozen=True)
class _Told:
    """A call that sets an argument of a kernel. kernels: those that it may be; None: any."""

    view: FunctionView
    block: str
    call: Instruction
    kernels: frozenset[str] | None


def launches(program: Program) -> Iterator[tuple[str, Launched]]:
    """The launches of a program, each with the name of its kernel; those of a handle that may stand
    for several are left out."""
    calls = [
        (function, block.name, i)
        for function in program.defined.values()
        for block in function.blocks.values()
        for i in block.instructions
        if i.is_call
    ]
    handles = _Handles(program)
    told: dict[int, list[_Told]] = {}
    for function, block, i in calls:
        if _ARGUMENT.match(callee(i) or "") and isinstance(i.operands[2], IntLiteral):
            kernels = handles.kernels(function, i.operands[1])
            one = _Told(program.view(function.name), block, i, kernels)
            told.setdefault(i.operands[2].value, []).append(one)
    for function, block, i in calls:
        if callee(i) != _ENQUEUE:
            continue
        kernels = handles.kernels(function, i.operands[1])
        if kernels is None or len(kernels) != 1:
            continue
        (kernel,) = kernels
        at = _Told(program.view(function.name), block, i, kernels)
        yield (
            kernel,
            Launched(at.view, block, i, _sizes(at.view, i), partial(_argument, program, told, at)),
        )


def _argument(
    program: Program, told: Mapping[int, list[_Told]], at: _Told, number: int
) -> Value | None:
    return _last_set(program, told.get(number, []), at)


def _sizes(view: FunctionView, call: Instruction) -> dict[str, Value]:
    """Blocks and threads along the axes."""
    found: dict[str, Value] = {}
    for at, axis in enumerate(_AXES):
        total, block = (view.scalars.value(call.operands[o + at]) for o in (2, 5))
        if block.expr.constant == 0:
            found[f"total.{axis}"] = total
            continue
        found[f"block.{axis}"] = block
        grid = floor_div(total.expr, block.expr)
        whole = grid * block.expr - total.expr
        needs = total.preconditions | block.preconditions
        needs |= {whole} if whole else frozenset()
        found[f"grid.{axis}"] = replace(total, expr=grid, preconditions=needs)
    return found


def _last_set(program: Program, told: list[_Told], at: _Told) -> Value | None:
    """What an argument was last set to before a launch."""
    ours = [t for t in told if t.kernels is None or not t.kernels.isdisjoint(at.kernels or ())]
    certain = [t for t in ours if t.kernels == at.kernels]
    if len(certain) < len(ours):
        return None
    name = at.view.function.name
    before = [t for t in ours if t.view.function.name == name and _comes_before(t, at)]
    if before and len(before) == len(ours):
        # each of the others comes before the last, too: none stands between it and the launch
        last = next((t for t in before if all(u is t or _comes_before(u, t) for u in before)), None)
        return None if last is None else _value(last)
    if len(ours) == 1 and ours[0].view.function.name != name:
        value = _value(ours[0])
        handed = frozenset(program.parameters.values())
        return value if value.expr.symbols <= handed else None
    return None


def _value(told: _Told) -> Value:
    return told.view.scalars.value(told.call.operands[3])


def _comes_before(a: _Told, b: _Told) -> bool:
    """Does every way to a call pass another one of its function?"""
    if a.block == b.block:
        return a.call.line < b.call.line
    return a.view.forest.dominates(a.block, b.block)


class _Handles:
    """Which kernels a handle may stand for, followed through variables, members and arguments."""

    def __init__(self, program: Program) -> None:
        self._program = program

    def kernels(self, function: Function, handle: Operand) -> frozenset[str] | None:
        """The names of these kernels; None where it may be any."""
        return self._named(function, handle, _FARTHEST)

    def _named(self, function: Function, handle: Operand, left: int) -> frozenset[str] | None:
        definition = function.definitions.get(handle)
        if left == 0:
            return None
        if definition is None:
            return self._handed(function, handle, left)
        if definition.is_call:
            return self._created(function, definition, left)
        if is_load(definition):
            place = self._place(function, definition.operands[0])
            found = None if place is None else self._stored.get(place)
            return None if not found else self._all(found, left)
        if is_phi(definition):
            return self._all([(function, o) for o in definition.operands], left)
        return None

    def _created(self, function: Function, call: Instruction, left: int) -> frozenset[str] | None:
        called = callee(call) or ""
        if called == _CREATE:
            return self._text(self._characters(function, call.operands[2]))
        target = self._program.target(function.name, call)
        if target is None:
            return None
        returned = [
            (target, block.terminator.operands[0])
            for block in target.blocks.values()
            if is_return(block.terminator) and block.terminator.operands
        ]
        return self._all(returned, left)

    def _characters(self, function: Function, address: Operand) -> Operand:
        """The text that a string was made from, where an address is that of its characters."""
        definition = function.definitions.get(address)
        if (
            definition is None
            or not definition.is_call
            or "c_str" not in (callee(definition) or "")
        ):
            return address
        string = definition.operands[1]
        made = [
            i.operands[2]
            for i in function.calls
            if _STRING.match(callee(i) or "") and i.operands[1] == string
        ]
        return made[0] if len(made) == 1 else address

    def _text(self, address: Operand) -> frozenset[str] | None:
        """The one text at an address."""
        held = self._program.module.globals.get(address.removeprefix("@").strip('"'))
        if held is None or not held.attributes.endswith("constant"):
            return None
        text = text_of(held.initializer)
        return None if text is None else frozenset((text.rstrip(b"\0").decode(),))

    def _handed(self, function: Function, handle: Operand, left: int) -> frozenset[str] | None:
        """Of an argument: what all callers hand over."""
        at = next((n for n, p in enumerate(function.parameters) if p.token == handle), None)
        sites = self._program.calls.callers.get(function.name, ())
        if at is None or not sites or function.name in self._program.calls.pointed:
            return None
        handed = [
            (self._program.module.functions[s.caller], s.instruction.operands[at + 1])
            for s in sites
        ]
        return self._all(handed, left)

    def _all(self, values: list[tuple[Function, Operand]], left: int) -> frozenset[str] | None:
        found: frozenset[str] = frozenset()
        for function, value in values:
            names = self._named(function, value, left - 1)
            if names is None:
                return None
            found |= names
        return found

    @cached_property
    def _stored(self) -> dict[str, list[tuple[Function, Operand]]]:
        """What is stored at each place that has a name, of variables whose addresses go nowhere."""
        stored: dict[str, list[tuple[Function, Operand]]] = {}
        gone: set[str] = set()
        for function in self._program.defined.values():
            for i in (i for block in function.blocks.values() for i in block.instructions):
                address = _address_in(i)
                for at, operand in enumerate(i.operands):
                    place = self._place(function, operand)
                    if place is None:
                        continue
                    if at != address:
                        gone.add(place.partition(" +")[0])
                    elif is_store(i):
                        stored.setdefault(place, []).append((function, i.operands[0]))
        return {p: found for p, found in stored.items() if p.partition(" +")[0] not in gone}

    def _place(self, function: Function, address: Operand) -> str | None:
        """A name for a variable or a member of one, alike for all that reach it by name."""
        text = str(address)
        if isinstance(address, GlobalRef):
            return text
        known = constant_address(text)
        if known is not None:
            return f"{known[0]} + {known[1]} {' '.join(known[2])}"
        definition = function.definitions.get(address)
        if not is_any(definition, "getelementptr", "alloca"):
            return None
        if is_alloca(definition):
            return f"{function.name} {text}"
        base = self._place(function, definition.operands[0])
        steps = definition.operands[1:]
        if base is None:
            return None
        told = all(isinstance(o, IntLiteral) for o in steps)
        return f"{base} + {definition.type} {' '.join(steps) if told else '?'}"


def _address_in(i: Instruction) -> int | None:
    """Which operand of an instruction is an address that it reads, writes or goes on from."""
    if is_any(i, "load", "getelementptr"):
        return 0
    return 1 if is_store(i) else None
