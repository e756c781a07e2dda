"""What the calls of a function pass, as far as it decides on a relation of its arguments."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from looplaw_common.errors import InputError
from looplaw_common.formula.tree import Add, Divide, Multiply, Name, Negative, Node, Number, Power
from modeling.expectations.expectations import Status
from staticana.alias.call_graph import Site
from staticana.expr import Assumptions, Expr, TooComplex, expr, is_nonnegative
from staticana.interprocedural.program import Program
from staticana.ir.types import Function, Module
from staticana.recursion import deep_recursion

from ..check.relations import Relation

_MAX_POWER = 8


@dataclass(frozen=True)
class Passed:
    """Whether all calls keep a relation. at: the call that breaks it."""

    status: Status
    reason: str
    at: str = ""


@deep_recursion()
def passed_at_calls(
    module: Module, symbol: str, stated: Mapping[str, Sequence[Relation]]
) -> dict[Relation, Passed]:
    """For each relation of a function that the calls in the program decide on, how.

    Args:
        stated: function -> relations; those of a caller are believed.
    """
    program = _program(module)
    f = module.functions[symbol]
    sites = [s for s in program.calls.callers.get(symbol, ()) if s.caller in module.functions]
    if symbol == program.entry or not sites or symbol in program.calls.pointed:
        return {}
    found = {}
    for r in stated[symbol]:
        try:
            verdicts = [_at_call(program, f, s, r, stated) for s in sites]
        except TooComplex:
            continue
        broken = next((v for v in verdicts if v is not None and v.status == "broken"), None)
        if broken is not None:
            found[r] = broken
        elif all(v is not None for v in verdicts):
            found[r] = Passed("holds", f"at all calls ({len(sites)})")
    return found


def _program(module: Module) -> Program:
    defined = [n for n, f in module.functions.items() if not f.is_declaration]
    return Program(module, entry="main" if "main" in defined else defined[0])


def _at_call(
    program: Program, f: Function, site: Site, r: Relation, stated: Mapping[str, Sequence[Relation]]
) -> Passed | None:
    """The verdict of one call; None where it is not known."""
    view = program.view(site.caller)
    names = program.view(f.name).parameter_names
    values: dict[str, Expr] = {}
    for at, name in enumerate(names):
        if name not in r.symbols or at + 1 >= len(site.instruction.operands):
            continue
        value = view.scalars.value(site.instruction.operands[at + 1])
        if value is None or value.preconditions:
            return None
        values[name] = value.expr
    try:
        least, most = _expr(r.least.tree, values), _expr(r.most.tree, values)
    except InputError:
        return None
    room = most - least - (1 if r.sign in ("<", ">") else 0)
    caller = view.function
    tokens = [p.token for p in caller.parameters]
    pairs = zip(view.parameter_names, tokens, strict=False)
    given = {name: program.argument(caller, token) for name, token in pairs}
    known = [e for s in stated.get(site.caller, ()) for e in _facts(s, given)]
    facts = Assumptions((*view.paths.assumptions(site.block).known, *known))
    if r.sign == "==":
        keeps = is_nonnegative(room, facts) and is_nonnegative(-room, facts)
        breaks = is_nonnegative(room - 1, facts) or is_nonnegative(-room - 1, facts)
    else:
        keeps, breaks = is_nonnegative(room, facts), is_nonnegative(-room - 1, facts)
    if keeps:
        return Passed("holds", "")
    if breaks:
        place = view.place(site.instruction)
        shown = ", ".join(
            f"{n} = {e.constant}" if e.constant is not None else n for n, e in values.items()
        )
        return Passed("broken", f"called with {shown} at {place}, not {r.text}", place)
    return None


def _facts(r: Relation, values: Mapping[str, Expr]) -> list[Expr]:
    """What a relation says: expressions that are at least zero."""
    try:
        room = _expr(r.most.tree, values) - _expr(r.least.tree, values)
    except InputError:
        return []
    return [room, -room] if r.sign == "==" else [room - (1 if r.sign in ("<", ">") else 0)]


def _expr(node: Node, values: Mapping[str, Expr]) -> Expr:
    """A formula over expressions.

    Raises:
        InputError: it is no polynomial, or a name has no value.
    """
    match node:
        case Number():
            return expr(Fraction(str(node.value)))
        case Name() if node.name in values:
            return values[node.name]
        case Negative():
            return -_expr(node.operand, values)
        case Add():
            return sum((_expr(t, values) for t in node.terms), expr(0))
        case Multiply():
            product = expr(1)
            for factor in node.factors:
                product = product * _expr(factor, values)
            return product
        case Divide(numerator, Number() as divisor) if divisor.value:
            return _expr(numerator, values) * expr(1 / Fraction(str(divisor.value)))
        case Power(base, Number(int() as exponent)) if 0 <= exponent <= _MAX_POWER:
            product = expr(1)
            for _ in range(exponent):
                product = product * _expr(base, values)
            return product
    raise InputError("no polynomial over known values")
