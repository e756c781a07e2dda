"""The work of library functions, from the column `cost` of the table of library functions.

A cost is a sum of products: `a2` is the value of argument 2, `len0` the length of the string that
argument 0 points to, `log1` the logarithm of argument 1 to base 2. It is the number of bytes or
elements that the function passes where it does all it may have to do: strcmp is charged with the
shorter of its strings, though it stops at the first difference. Constant factors are left out, and
so are functions without a row: a call is one step of work in any case.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from ..alias.library import library_function
from ..expr import TooComplex, ceil_log, expr, is_nonnegative, maximum, symbols
from ..ir.graph import callee
from ..ir.types import Instruction
from ..scev.bounded_count import BoundedCount, exactly, unknown
from ..scev.context import FunctionContext
from ..scev.unknowns import LENGTH, UnknownInfo

_SMALL = 64
"""A constant cost of a call, in units of its library, that is not worth a word."""
_FACTOR = re.compile(r"(a|len|log)(\d+)")


def library_steps(view: FunctionContext, block: str, call: Instruction) -> BoundedCount | None:
    """The work of one call of a library function over the values of the caller; None where it is a
    small constant, as for the copy of a structure, which compilers write out, or not known."""
    name = callee(call) or ""
    known = library_function(name)
    if known is None or name in view.program.defined:
        return None
    cost = known.cost or known.may_cost
    if cost is None:
        return None
    try:
        total = _total(view, block, call, cost)
    except (TooComplex, IndexError):
        return unknown("the formula would be too long")
    constant = total.formula.constant if total.formula is not None else None
    if constant is not None and constant <= _SMALL:
        return None
    if known.cost is not None:
        return total
    return unknown(f"{name} may do all of its work, or none of it", upper=total.upper)


def _total(view: FunctionContext, block: str, call: Instruction, cost: str) -> BoundedCount:
    total = exactly(expr(0))
    for product in cost.split(" + "):
        each = exactly(expr(1))
        for factor in product.split("*"):
            each = each.times(_least(view, block, call, factor.split("|")))
        total = total.plus(each)
    return total


def _least(
    view: FunctionContext, block: str, call: Instruction, choices: Sequence[str]
) -> BoundedCount:
    """The one of several amounts that is a constant, if any is: the first, with which a text that
    is as long or longer is charged otherwise."""
    if len(choices) > 1:
        for text in choices:
            literal = _literal(view, call, int(text.removeprefix("len")) + 1)
            if literal is not None:
                return exactly(expr(literal))
    return _factor(view, block, call, choices[0])


def _factor(view: FunctionContext, block: str, call: Instruction, text: str) -> BoundedCount:
    match = _FACTOR.fullmatch(text)
    assert match is not None, f"the cost of {callee(call)}: {text}"
    kind, at = match[1], int(match[2]) + 1
    if kind == "len":
        return _length(view, block, call, at)
    value = view.scalars.value(call.operands[at])
    if kind == "log":
        return exactly(ceil_log(2, value.expr), value.preconditions)
    if is_nonnegative(value.expr, view.paths.assumptions(block)):
        return exactly(value.expr, value.preconditions)
    return exactly(maximum(0, value.expr), value.preconditions)


def _literal(view: FunctionContext, call: Instruction, at: int) -> int | None:
    """The length of a string that stands in the program; None where it is none."""
    name = str(call.operands[at])
    found = view.program.module.globals.get(name[1:].strip('"')) if name[0] == "@" else None
    is_text = found is not None and found.initializer.startswith('c"')
    if found is None or not is_text or "constant" not in found.attributes.split():
        return None
    return len(re.sub(r"\\..", "x", found.initializer[2:-1])) - 1


def _length(view: FunctionContext, block: str, call: Instruction, at: int) -> BoundedCount:
    """The length of a string: known of literals, else a mean over the executions of the call."""
    token = call.operands[at]
    literal = _literal(view, call, at)
    if literal is not None:
        return exactly(expr(literal))
    if callee(call) == "strlen":
        return exactly(view.scalars.value(call.token).expr)
    pointer = view.scalars.value(token).expr
    symbol = symbols.unknown(view.function.name, "length", pointer)
    meaning = LENGTH + ("{0}" if len(pointer.symbols) == 1 and pointer.atom is not None else "")
    if meaning == LENGTH:
        meaning += view.place(call)
    return exactly(
        view.program.unknowns.add(
            UnknownInfo(
                symbol,
                "mean",
                "length",
                meaning,
                view.place(call),
                view.function.name,
                block,
                (pointer,) if "{0}" in meaning else (),
            )
        )
    )
