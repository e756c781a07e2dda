"""Chains: the floating-point operations of an iteration that wait for those of the one before.

A sum of floating-point numbers is a chain, since their order must be kept. A processor works on
several executions of a short loop at once and hides the chain; in a long loop it cannot, so that an
iteration costs more there (Fog, "The microarchitecture of Intel, AMD and VIA CPUs"; Stengel et
al., ICS 2015, call the chain the critical path of the in-core model).
"""

from __future__ import annotations

from collections.abc import Mapping

from ...expr import Expr, TooComplex, sym
from ...ir.graph import callee
from ...ir.matchers import is_any, is_load, is_select, is_store
from ...ir.types import Instruction, Operand
from ...scev.context import FunctionContext

_FLOATS = ("half", "float", "double", "x86_fp80", "fp128")
_LATENCY: Mapping[str, int] = {"fadd": 1, "fsub": 1, "fmul": 1, "fdiv": 4, "frem": 4}
"""Latency of operations in units of an addition's (uops.info: 2 to 4 cycles against 3 to 4 of a
product and 11 to 14 of a quotient)."""
_CALLS: Mapping[str, int] = {"llvm.sqrt": 4, "sqrt": 4, "llvm.maxnum": 1, "llvm.minnum": 1}
_FREE = ("fneg", "phi", "select", "freeze", "fpext", "fptrunc")
_MOST = 10_000
"""Instructions of a loop that are looked at."""


def chain_of(view: FunctionContext, header: str) -> int:
    """The latency of the longest chain through an iteration of an innermost loop, in additions: 0
    where there is none, or none that is seen."""
    loop = view.loops[header]
    if any(view.loops[h].parent == header for h in view.loops):
        return 0
    inside = [i for b in loop.blocks for i in view.function.blocks[b].instructions]
    if len(inside) > _MOST:
        return 0
    phis = view.function.blocks[header].phis
    # other variables of the loop bring values of the iteration before
    made: dict[str, Instruction] = {
        i.result: i for i in inside if i.result is not None and i not in phis
    }
    stores = [i for i in inside if is_store(i) and i.type in _FLOATS]
    loads = [i for i in inside if is_load(i) and i.type in _FLOATS] if stores else []
    written = {_place(view, header, s.operands[1]): s for s in stores}
    read: dict[str, Expr] = {i.token: _place(view, header, i.operands[0]) for i in loads}
    passed: dict[str, Operand] = {}
    for i in loads:
        before = written.get(read[i.token])
        if before is not None and before.line < i.line:
            passed[i.token] = before.operands[0]
    longest = 0
    for phi in phis:
        if phi.type in _FLOATS:
            for value, label in zip(phi.operands, phi.labels, strict=True):
                if label in loop.blocks:
                    longest = max(longest, _between(made, passed, {phi.token}, value))
    index = view.variables.index(header)
    for place, store in written.items():
        if any(s != index for s in view.varying(place, header)):
            continue
        last = place.substitute({index: sym(index) - 1})
        kept: set[str] = {t for t, p in read.items() if p == last}
        if kept:
            longest = max(longest, _between(made, passed, kept, store.operands[0]))
    return longest


def _place(view: FunctionContext, header: str, token: Operand) -> Expr:
    """An address over the number of the iteration."""
    e = view.scalars.value(token).expr
    try:
        return e.substitute(view.trip_counts.solution(header).closed)
    except TooComplex:
        return e


def _between(
    made: Mapping[str, Instruction], passed: Mapping[str, Operand], first: set[str], last: Operand
) -> int:
    """Latency of the longest path from one of some values to another one; 0 where there is none.

    Paths that go around, through phis of other blocks, are followed once.

    Args:
        made: register -> its instruction in the loop.
        passed: load -> the value that an iteration stores where it loads.
    """
    found: dict[str, int | None] = dict.fromkeys(first, 0)
    work: list[tuple[Operand, bool]] = [(last, False)]
    while work:
        token, is_ready = work.pop()
        i = made.get(token)
        if i is None or (token in found and not is_ready):
            continue  # from outside of the loop, or seen
        parts = [(passed[token], 0)] if token in passed else _inputs(i)
        if not is_ready:
            found[token] = None
            work.append((token, True))
            work.extend((o, False) for o, _ in parts)
        elif token not in first:
            sums = [(found.get(o), cost) for o, cost in parts]
            found[token] = max((s + cost for s, cost in sums if s is not None), default=None)
    return found.get(last) or 0


def _inputs(i: Instruction) -> list[tuple[Operand, int]]:
    """The values that an instruction waits for, and its latency from each of them."""
    if is_any(i, *_LATENCY):
        return [(o, _LATENCY[i.opcode]) for o in i.operands]
    if is_select(i):
        return [(o, 1) for o in i.operands]
    if is_any(i, "fcmp"):
        return [(o, 0) for o in i.operands]
    if is_any(i, *_FREE):
        return [(o, 0) for o in i.operands]
    name = callee(i) if i.is_call else None
    if name is None:
        return []
    if name.startswith(("llvm.fmuladd", "llvm.fma")):
        a, b, c = i.operands[1:4]
        return [(a, 2), (b, 2), (c, 1)]
    if name.startswith(("llvm.fabs", "llvm.copysign")):
        return [(o, 0) for o in i.operands[1:]]
    for known, latency in _CALLS.items():
        if name == known or name.startswith(f"{known}."):
            return [(o, latency) for o in i.operands[1:]]
    return []
