"""The metric `symbols`: the values of the symbols in a kernel's formulas, recorded at every call.

The formula of one call contains arguments, loaded bounds and other values that are in registers
while the kernel runs. They are the parameters of the call, so that one run of a program that calls
a kernel with many sizes yields many observations. Values that change during a call (an outer loop's
variable, the bounds of a row) do not distinguish calls.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from runtime import MAX_VALUES, CallValue, Plan
from staticana import Analysis, EntryFormula, Module
from staticana.entry_formulas import Holder
from staticana.ir.loop_info import Loop, loop_forest
from staticana.ir.types import Function

SYMBOLS = "symbols"


@dataclass(frozen=True)
class KernelSymbols:
    """The values that distinguish calls of a kernel (function, header). parameters: parameters of
    the run that occur in its formulas as well; None where a formula is unknown, so that any
    parameter may matter."""

    kernel: tuple[str, str]
    values: tuple[CallValue, ...]
    parameters: tuple[str, ...] | None


def kernel_symbols(module: Module, analysis: Analysis, plan: Plan) -> tuple[KernelSymbols, ...]:
    """The kernels of a plan whose formulas contain values that can be recorded; the analysis must
    have the entries of loops."""
    claims = {(c.function, c.header): c for c in analysis.entries}
    names = {p.name for p in analysis.parameters}
    found = []
    for c in plan.counters:
        if c.nesting != 1:
            continue
        function = module.functions[c.function]
        loops = loop_forest(function, module)
        kernel = loops.by_header()[c.header]
        inside = [
            claims.get((c.function, loop.header))
            for loop in loops.loops
            if loop.blocks <= kernel.blocks
        ]
        symbols = _symbols(c.function, c.header, function, kernel, inside, names)
        if symbols.values:
            found.append(symbols)
    return tuple(found)


def _symbols(
    name: str,
    header: str,
    function: Function,
    kernel: Loop,
    claims: Sequence[EntryFormula | None],
    names: set[str],
) -> KernelSymbols:
    values: dict[str, CallValue] = {}
    known, used = True, set[str]()
    for claim in claims:
        if claim is None or claim.formula is None:
            known = False
            continue
        used |= claim.formula.symbols & names
        for h in claim.holders:
            if h.symbol not in claim.formula.symbols or h.type == "ptr" or h.symbol in values:
                continue
            if _is_constant(h, function, kernel) and len(values) < MAX_VALUES:
                values[h.symbol] = CallValue(h.name, h.tokens, h.type)
            elif h.kind != "index":
                known = False
    return KernelSymbols(
        (name, header), tuple(values.values()), tuple(sorted(used)) if known else None
    )


def _is_constant(h: Holder, function: Function, kernel: Loop) -> bool:
    """Has the symbol one value in a call of the kernel?"""
    if h.kind == "kept":
        return h.since is None or h.since not in kernel.blocks
    return h.kind == "direct" and function.block_of.get(h.tokens[0]) not in kernel.blocks
