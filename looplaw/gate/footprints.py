"""The memory that a function touches, as a law: distinct bytes in lines of 64."""

from __future__ import annotations

from collections.abc import Mapping

from looplaw_common.errors import InputError
from staticana.expr import ZERO
from staticana.interprocedural.program import Program
from staticana.ir.types import Module
from staticana.traffic.law import traffic
from staticana.traffic.machine_code import LINE
from staticana.traffic.refusal import Refused

from .program import FunctionLaws, Law, Symbol


def footprint_law(
    module: Module, symbol: str, laws: FunctionLaws, parameters: Mapping[str, str] | None
) -> Law:
    """The bytes that one call of a function touches, or bounds of them; none over what its other
    laws do not name."""
    try:
        found = traffic(Program(module, entry=symbol, parameters=parameters), symbol).footprint
    except (Refused, InputError) as error:
        return Law(reason=f"the memory that it touches: {error}")
    known: dict[str, Symbol] = {s.name: s for law in _laws(laws) for s in law.symbols}
    lower, upper = (None if e is None or e.symbols - known.keys() else e * LINE for e in found)
    used = sorted((lower or ZERO).symbols | (upper or ZERO).symbols)
    return Law(
        None if lower is None or lower != upper else str(lower),
        "0" if lower is None else str(lower),
        None if upper is None else str(upper),
        tuple(known[n] for n in used),
        "the memory that it touches has no closed formula",
    )


def _laws(laws: FunctionLaws) -> tuple[Law, ...]:
    return (laws.work, *(loop.total for loop in laws.loops), *laws.operations.values())
