"""Bounds of loops that constants end at the latest, whatever data decide before.

`for (x = 1; x > 0.01 && moving; x *= 0.9)`: what its counters are in each iteration rests on
constants alone, however they are rounded. So they are computed, one iteration after another, until
the test of the counters fails.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass

from ...interpreter.numbers import Value, literal
from ...interpreter.run import Run, Stopped
from ...ir.graph import is_intrinsic
from ...ir.loop_info import ExitEdge, Loop
from ...ir.matchers import is_branch, is_phi
from ...ir.tokens import CASTS
from ...ir.types import Constant, Instruction, Operand, Register
from ..context import FunctionContext

_ITERATIONS = 20_000
_MOST_INSTRUCTIONS = 40
"""Of those that the test of one exit rests on in an iteration."""
_COMPUTING = CASTS | frozenset(
    "add sub mul udiv sdiv urem srem and or xor shl lshr ashr fadd fsub fmul fdiv frem"
    " fneg icmp fcmp select freeze".split()
)


@dataclass(frozen=True)
class _Counters:
    """What a test rests on in an iteration: the phis of the loop's header, and instructions in
    order."""

    phis: tuple[Instruction, ...]
    steps: tuple[Instruction, ...]


def left_after(view: FunctionContext, loop: Loop, edge: ExitEdge, run: Run) -> int | None:
    """The iterations that have started when an exit is taken at the latest that is tested in each
    iteration, where constants decide it; None where they do not."""
    found = [
        k + (not edge.is_test)
        for source, target in _ways_out(view, edge)
        if (k := _failing_in(view, loop, source, target, run)) is not None
    ]
    return min(found, default=None)


def _ways_out(view: FunctionContext, edge: ExitEdge) -> Iterator[tuple[str, str]]:
    """The branches that lead to an exit: its own, and those that end `a && b` early."""
    yield edge.source, edge.target
    source = view.function.blocks[edge.source]
    if not is_branch(source.terminator) or len(source.terminator.labels) != 2:
        return
    test = view.function.definitions.get(source.terminator.operands[0])
    if is_phi(test) and view.function.block_of[test.token] == edge.source:
        for value, before in zip(test.operands, test.labels, strict=True):
            number = literal(value, "i1") if isinstance(value, Constant) else None
            if number is not None and source.terminator.labels[0 if number else 1] == edge.target:
                yield before, edge.source


def _failing_in(
    view: FunctionContext, loop: Loop, source: str, target: str, run: Run
) -> int | None:
    """The first iteration in which a branch that each iteration comes to goes a certain way."""
    last = view.function.blocks[source].terminator
    if (
        loop.latch is None
        or loop.preheader is None
        or not is_branch(last)
        or len(set(last.labels)) != 2
        or view.forest.innermost.get(source) != loop.header
        or not view.forest.dominates(source, loop.latch)
    ):
        return None
    counters = _counters(view, loop, last.operands[0])
    if counters is None:
        return None
    start = [_arriving(p, loop.preheader) for p in counters.phis]
    after = [_arriving(p, loop.latch) for p in counters.phis]
    with suppress(Stopped):
        now = run.computed(view.function, (), {}, start)
        for k in range(_ITERATIONS):
            registers: dict[str, Value] = {
                p.token: v for p, v in zip(counters.phis, now, strict=True)
            }
            wanted = [(last.operands[0], "i1"), *after]
            tested, *now = run.computed(view.function, counters.steps, registers, wanted)
            if tested is None:
                return None
            if last.labels[0 if tested else 1] == target:
                return k
    return None


def _arriving(phi: Instruction, block: str) -> tuple[Operand, str]:
    pairs = zip(phi.operands, phi.labels, strict=True)
    return next(o for o, label in pairs if label == block), phi.type


def _counters(view: FunctionContext, loop: Loop, test: Operand) -> _Counters | None:
    """What a test rests on; None where that is more than computing."""
    function = view.function
    phis: dict[str, Instruction] = {}
    steps: dict[str, Instruction] = {}

    def visit(tokens: Sequence[Operand]) -> bool:
        for token in tokens:
            i = function.definitions.get(token) if isinstance(token, Register) else None
            if i is None or token in steps or token in phis:
                continue
            block = function.block_of[token]
            if block not in loop.blocks:
                continue
            if is_phi(i) and block == loop.header and len(phis) < _MOST_INSTRUCTIONS:
                phis[token] = i
                if not visit(i.operands):
                    return False
                continue
            is_plain = i.opcode in _COMPUTING or (i.is_call and is_intrinsic(i) and not i.may_write)
            if not is_plain or len(steps) > _MOST_INSTRUCTIONS:
                return False
            if not visit(i.operands[1:] if i.is_call else i.operands):
                return False
            steps[token] = i
        return True

    if not visit((test,)) or not phis:
        return None
    return _Counters(tuple(phis.values()), tuple(steps.values()))
