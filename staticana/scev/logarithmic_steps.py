"""Bounds of loops whose variable loses or gains a bit, or a digit to the golden ratio, each time.

- x & (x - 1) and x - (x & -x) clear the lowest bit that is set: as many iterations as bits are set,
  at most as many as x has.
- x + (x & -x) moves the lowest bit that is set up, by one at least: a walk up to n is as long as n
  has bits at most (Fenwick, "A new data structure for cumulative frequency tables", 1994).
- x / d for d >= 2 has a bit less than x at least: x is divided until 0 is left, or while d divides
  it, no more often than it has bits, whatever number d is.
- a, b = b, a % b takes N steps only where b is at least the Fibonacci number N + 1 (Lame's theorem;
  Knuth, The Art of Computer Programming, section 4.5.3).
"""

from __future__ import annotations

from collections.abc import Iterator

from ..closed_forms.fibonacci import fibonacci_index
from ..expr import ONE, ZERO, Expr, ceil_log, is_nonnegative, maximum
from ..ir.loop_info import ExitEdge, Loop
from ..ir.matchers import is_any, is_branch, is_icmp
from ..ir.types import Instruction, Operand
from .bounded_count import BoundedCount
from .context import FunctionContext

_SWAPPED = {"lt": "gt", "le": "ge", "gt": "lt", "ge": "le"}
_INVERSE = {"lt": "ge", "le": "gt", "gt": "le", "ge": "lt", "eq": "ne", "ne": "eq"}


def logarithmic_steps(view: FunctionContext, header: str) -> BoundedCount | None:
    """Iterations of a loop at most, for each entry, by such a variable; None where it has none."""
    loop = view.loops[header]
    if loop.latch is None:
        return None
    for phi in view.function.blocks[header].phis:
        if phi.type[:1] != "i":
            continue
        update = view.function.definitions.get(_from(phi, loop.latch))
        for found in (
            _clearing(view, loop, phi, update),
            _raising(view, loop, phi, update),
            _dividing(view, loop, phi, update),
            _divided(view, loop, phi, update),
        ):
            if found is not None:
                return found
    return None


def _from(phi: Instruction, label: str) -> Operand:
    return phi.operands[phi.labels.index(label)]


def _first(
    view: FunctionContext, loop: Loop, phi: Instruction
) -> tuple[Expr, frozenset[Expr]] | None:
    """What a variable is at first."""
    starts = [o for o, b in zip(phi.operands, phi.labels, strict=True) if b not in loop.blocks]
    if len(starts) != 1:
        return None
    value = view.scalars.value(starts[0])
    return value.expr, value.preconditions


def _clearing(
    view: FunctionContext, loop: Loop, phi: Instruction, update: Instruction | None
) -> BoundedCount | None:
    """The lowest bit is cleared until none is left."""
    if not _clears_lowest(view, phi, update):
        return None
    for edge, is_late, predicate, other in _tests(view, loop, phi, update):
        if other != "0" or predicate not in ("ne", "ugt", "sgt"):
            continue
        first = _first(view, loop, phi)
        if first is None:
            return None
        x, needs = first
        upper = ceil_log(2, x + 1)
        if predicate != "sgt" and not is_nonnegative(x):
            needs |= {x}
        if is_late or not edge.is_test:
            upper = maximum(1, upper)
        return BoundedCount(None, ZERO, upper, needs)
    return None


def _raising(
    view: FunctionContext, loop: Loop, phi: Instruction, update: Instruction | None
) -> BoundedCount | None:
    """The lowest bit moves up until the number is too large."""
    if not (is_any(update, "add") and _has_lowest(view, phi, update)):
        return None
    for edge, is_late, predicate, other in _tests(view, loop, phi, update):
        if predicate[1:] not in ("lt", "le") or predicate == "ne":
            continue
        bound, first = view.scalars.value(other), _first(view, loop, phi)
        if first is None or view.varying(bound.expr, loop.header):
            continue
        last = bound.expr + (predicate[1:] == "le")
        needs = first[1] | bound.preconditions
        if not is_nonnegative(first[0] - 1):
            needs |= {first[0] - 1}
        upper = ceil_log(2, last)
        return BoundedCount(None, ZERO, upper + 1 if is_late or not edge.is_test else upper, needs)
    return None


def _dividing(
    view: FunctionContext, loop: Loop, phi: Instruction, update: Instruction | None
) -> BoundedCount | None:
    """Euclid's algorithm: `phi` is what is divided by. Whoever divides by 0 has left before."""
    if not is_any(update, "srem", "urem") or update.operands[1] != phi.token:
        return None
    assert loop.latch is not None
    above = view.function.definitions.get(update.operands[0])
    if above is None or above not in view.function.blocks[loop.header].phis:
        return None
    if _from(above, loop.latch) != phi.token:
        return None
    if not view.forest.dominates(view.function.block_of[update.token], loop.latch):
        return None
    first = _first(view, loop, phi)
    if first is None:
        return None
    b, needs = first
    if is_any(update, "srem"):
        b = b if is_nonnegative(b) else maximum(b, -b)
    elif not is_nonnegative(b):
        needs |= {b}
    upper = maximum(0, fibonacci_index(b + 1) - 2)
    is_tested = all(e.is_test for e in loop.exits if not e.is_unwind)
    return BoundedCount(None, ZERO, upper if is_tested else upper + ONE, needs)


def _divided(
    view: FunctionContext, loop: Loop, phi: Instruction, update: Instruction | None
) -> BoundedCount | None:
    """x is divided by a number that stays as it is."""
    if not is_any(update, "sdiv", "udiv") or update.operands[0] != phi.token:
        return None
    d, first = view.scalars.value(update.operands[1]), _first(view, loop, phi)
    if first is None or view.varying(d.expr, loop.header):
        return None
    known = view.assumptions_on_entry(loop)
    x = first[0]
    if not is_nonnegative(x, known):
        if is_any(update, "udiv"):
            return None
        x = maximum(x, -x)
    needs, wanted = first[1] | d.preconditions, [d.expr - 2]
    bits: Expr | None = None
    for edge, is_late, predicate, other in _tests(view, loop, phi, update):
        if other == "0" and predicate in ("ne", "ugt", "sgt"):
            bits = ceil_log(2, x + 1)
            bits = maximum(1, bits) if is_late or not edge.is_test else bits
    if bits is None and _goes_on_while_divisible(view, loop, phi, update):
        bits = ceil_log(2, x + 1)
        wanted.append(x - 1)
    if bits is None:
        return None
    return BoundedCount(
        None, ZERO, bits, needs | {n for n in wanted if not is_nonnegative(n, known)}
    )


def _goes_on_while_divisible(
    view: FunctionContext, loop: Loop, phi: Instruction, update: Instruction
) -> bool:
    """Does each iteration ask whether what divides a variable leaves no remainder?"""
    function = view.function
    for edge in loop.exits:
        last = function.blocks[edge.source].terminator
        test = function.definitions.get(last.operands[0]) if is_branch(last) else None
        if not is_icmp(test) or test.operands[1] != "0" or test.extra[0] not in ("eq", "ne"):
            continue
        rest = function.definitions.get(test.operands[0])
        stays = last.labels[0 if test.extra[0] == "eq" else 1]
        if (
            is_any(rest, "srem", "urem")
            and rest.operands == update.operands
            and edge.is_test
            and stays in loop.blocks
            and view.forest.dominates(edge.source, loop.latch or "")
        ):
            return True
    return False


# -- instructions
def _clears_lowest(view: FunctionContext, phi: Instruction, update: Instruction | None) -> bool:
    if is_any(update, "sub"):
        return update.operands[0] == phi.token and _is_lowest(view, phi, update.operands[1])
    if not is_any(update, "and") or phi.token not in update.operands:
        return False
    less = view.function.definitions.get(update.operands[update.operands[0] == phi.token])
    if is_any(less, "add"):
        return set(less.operands) == {phi.token, "-1"}
    return is_any(less, "sub") and less.operands == (phi.token, "1")


def _has_lowest(view: FunctionContext, phi: Instruction, update: Instruction) -> bool:
    a, b = update.operands
    return (a == phi.token and _is_lowest(view, phi, b)) or (
        b == phi.token and _is_lowest(view, phi, a)
    )


def _is_lowest(view: FunctionContext, phi: Instruction, token: Operand) -> bool:
    """Is it x & -x?"""
    i = view.function.definitions.get(token)
    if not is_any(i, "and") or phi.token not in i.operands:
        return False
    negated = view.function.definitions.get(i.operands[i.operands[0] == phi.token])
    return is_any(negated, "sub") and negated.operands == ("0", phi.token)


def _tests(
    view: FunctionContext, loop: Loop, phi: Instruction, update: Instruction | None
) -> Iterator[tuple[ExitEdge, bool, str, Operand]]:
    """Tests of the variable that each iteration makes: (exit, whether the next value is tested,
    the predicate that holds while the loop goes on, what it is compared with)."""
    function = view.function
    for edge in loop.exits:
        last = function.blocks[edge.source].terminator
        if edge.is_unwind or not is_branch(last) or len(last.labels) != 2:
            continue
        if loop.latch is None or not view.forest.dominates(edge.source, loop.latch):
            continue
        test = function.definitions.get(last.operands[0])
        if not is_icmp(test):
            continue
        for at in (0, 1):
            token, other = test.operands[at], test.operands[1 - at]
            is_late = update is not None and token == update.token
            if token != phi.token and not is_late:
                continue
            sign, kind = _parted(test.extra[0])
            if at == 1:
                kind = _SWAPPED.get(kind, kind)
            if last.labels[0] == edge.target:
                kind = _INVERSE[kind]
            yield edge, is_late, sign + kind, other


def _parted(predicate: str) -> tuple[str, str]:
    """The sign and the kind of a predicate: `slt` is `s` and `lt`."""
    return ("", predicate) if predicate in ("eq", "ne") else (predicate[0], predicate[1:])
