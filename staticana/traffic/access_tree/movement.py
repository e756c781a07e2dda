"""How a value moves from iteration to iteration where its formula does not tell."""

from __future__ import annotations

from ...expr import Expr, Pow, TooComplex, symbols
from ...expr.atoms import Quotient
from ...expr.loaded import Loaded
from ...ir.matchers import is_any, is_choice, is_phi, is_select
from ...ir.types import Function, Instruction, IntLiteral
from ..frames import Frame

_CASTS = ("sext", "zext", "trunc")


def jumps_of(frame: Frame, e: Expr, loops: list[str]) -> frozenset[str]:
    """The iteration numbers of the loops in which a value changes by what is not known."""
    view = frame.view
    found: set[str] = set()
    for header in loops:
        try:
            e = e.substitute(view.trip_counts.solution(header).closed)
        except TooComplex:
            found.add(view.variables.index(header))
    atoms = e.all_atoms()
    strewn = [a.symbols for a in atoms if isinstance(a, Loaded)]
    # the remainder of a power, as a generator of random numbers has it
    strewn += [a.exponent.symbols for r in atoms if isinstance(r, Quotient) for a in _powers(r)]
    swapped = {s for s in e.symbols if _is_swapped(frame, s)}
    for header in loops:
        index = view.variables.index(header)
        strange = {s for s in view.varying(e, header) if not symbols.is_iteration(s)} - swapped
        if strange or any(index in inner for inner in strewn):
            found.add(index)
    if any(_is_found_anew(view.function, s) for s in e.symbols):
        found |= frame.of_callers
    return frozenset(found.union(*(frame.jumps.get(s, ()) for s in e.symbols)))


def _is_found_anew(function: Function, symbol: str) -> bool:
    """Is it a value of a function that data choose in each call, as the place that a search in it
    ends at?"""
    if not symbols.is_opaque(symbol) or symbol.startswith(symbols.LOADED):
        return False
    made = _made(function, symbol)
    while is_any(made, *_CASTS):
        made = function.definitions.get(made.operands[0])
    return made is not None and made.type != "ptr" and (is_choice(made) or made.is_call)


def _powers(a: Quotient) -> list[Pow]:
    return [p for part in a.parts for p in part.all_atoms() if isinstance(p, Pow)]


def _is_swapped(frame: Frame, symbol: str) -> bool:
    """Is it a pointer that takes turns with others, as those to the old and the new grid?"""
    function = frame.view.function
    made = _phi_of(function, symbol)
    if made is None:
        return False
    seen: set[str] = set()
    work = [made]
    while work:
        for token in work.pop().operands:
            if not isinstance(token, str) or token in seen:
                continue
            seen.add(token)
            origin = function.definitions.get(token)
            if origin is None or origin.is_call:
                continue
            if not is_phi(origin):
                return False
            work.append(origin)
    return True


def _made(function: Function, symbol: str) -> Instruction | None:
    """The instruction of a function that a symbol is the value of; None where there is none."""
    name = symbols.register_name(symbol, function.name)
    return next((i for i in function.definitions.values() if i.name == name), None)


def _phi_of(function: Function, symbol: str) -> Instruction | None:
    """The phi that a symbol is the value of, where it is one."""
    made = _made(function, symbol)
    return made if is_phi(made) else None


def creeps_of(frame: Frame, e: Expr, loops: list[str]) -> dict[str, int]:
    """Iteration number -> bytes, of the loops in which the only thing not known is whether a
    variable was increased, as those that merge two lists."""
    view = frame.view
    found: dict[str, int] = {}
    for header in loops:
        strange = [s for s in view.varying(e, header) if not symbols.is_iteration(s)]
        steps = [_creep(frame, s, header) for s in strange]
        factors = [_factor(e, s) for s in strange]
        if strange and all(a and b for a, b in zip(steps, factors, strict=True)):
            found[view.variables.index(header)] = max(
                abs((a or 0) * (b or 0)) for a, b in zip(steps, factors, strict=True)
            )
    return found


def _creep(frame: Frame, symbol: str, header: str) -> int | None:
    """The most that a variable of a loop grows in an iteration, where it grows by constants or
    not at all."""
    function = frame.view.function
    made = _phi_of(function, symbol)
    if made is None or function.block_of.get(made.token) != header:
        return None
    most = 0
    work: list[tuple[Instruction, int]] = [(made, 0)]
    seen: set[str] = set()
    while work:
        i, moved = work.pop()
        operands = i.operands[1:] if is_select(i) else i.operands
        for token in operands:
            origin = function.definitions.get(token)
            if token == made.token:
                most = max(most, abs(moved))
            elif origin is None or function.block_of.get(token) not in (
                frame.view.loops[header].blocks
            ):
                if i is not made:
                    return None
            elif is_choice(origin) and moved == 0 and token not in seen:
                seen.add(token)
                work.append((origin, 0))
            elif is_any(origin, "add", "sub") and isinstance(origin.operands[1], IntLiteral):
                if origin.operands[0] != made.token:
                    return None
                most = max(most, abs(int(origin.operands[1])))
            else:
                return None
    return most or None


def _factor(e: Expr, symbol: str) -> int | None:
    """The number that a symbol is multiplied with in a formula that is linear in it."""
    line = e.affine_in(symbol)
    factor = line[0].constant if line is not None else None
    return int(factor) if factor else None
