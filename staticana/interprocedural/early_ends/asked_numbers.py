"""Numbers of elements that containers are asked to have. Below zero there are none: read as a size
it is more than there can be, and the library throws.
"""

from __future__ import annotations

from ...expr import Expr, is_nonnegative
from ...ir import cxx_names as cxx
from ...ir.graph import callee
from ...ir.matchers import is_icmp
from ...ir.types import Function, Instruction, Operand
from ...scev.context import FunctionContext

_CHECK = "throws"
"""The block of a model that throws."""


def asked_number(
    view: FunctionContext, block: str, call: Instruction, called: Function
) -> Expr | None:
    """The number of elements that a call asks of a container, where it may be below zero."""
    token = _checked(called)
    at = next((k for k, p in enumerate(called.parameters) if p.token == token), None)
    if at is None or at + 1 >= len(call.operands):
        return None
    number = view.scalars.value(call.operands[at + 1]).expr
    return None if is_nonnegative(number, view.paths.assumptions(block)) else number


def _checked(called: Function) -> Operand | None:
    """The parameter of a model that it holds against the most elements there can be."""
    throws = called.blocks.get(_CHECK)
    if throws is None or callee(throws.instructions[0]) != cxx.LENGTH_ERROR:
        return None
    for b in called.blocks.values():
        test = called.definitions.get(b.terminator.operands[0]) if b.terminator.operands else None
        if _CHECK in b.successors and is_icmp(test):
            return test.operands[0]
    return None
