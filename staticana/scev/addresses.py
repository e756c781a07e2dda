"""Which parts of a formula are addresses."""

from __future__ import annotations

from ..expr import STORAGE_OF, Expr, Floor, Loaded, Sym, symbols
from ..expr.polynomial import Atom
from ..ir.matchers import is_alloca, is_gep
from ..ir.types import quoted
from .context import ProgramContext


def is_address(program: ProgramContext, a: Atom) -> bool:
    """Is it the address of something?"""
    if isinstance(a, Loaded):
        return a.kind == "ptr" or a.kind.startswith(STORAGE_OF)
    if not isinstance(a, Sym):
        return False
    if (info := program.unknowns.get(a.name)) is not None and info.type:
        return info.type == "ptr"
    argument = symbols.as_argument(a.name)
    if argument is not None and argument.shift is None:
        function = program.module.functions.get(argument.function)
        return function is not None and function.parameters[argument.at].type == "ptr"
    if info is None or info.function not in program.defined:
        return symbols.global_name(a.name) is not None
    register = symbols.register_name(a.name, info.function)
    i = program.defined[info.function].definitions.get(f"%{quoted(register or '')}")
    return i is not None and (i.type == "ptr" or is_alloca(i) or is_gep(i))


def has_address(program: ProgramContext, e: Expr) -> bool:
    """Does a formula hold an address, but in the difference of two, counted in elements?"""
    return any(
        is_address(program, a)
        or (not isinstance(a, (Floor, Loaded)) and any(has_address(program, p) for p in a.parts))
        for a in e.atoms
    )


def rests_on_address(program: ProgramContext, e: Expr) -> bool:
    """Does a formula hold an address, in the difference of two as well?"""
    return any(
        is_address(program, a)
        or (not isinstance(a, Loaded) and any(rests_on_address(program, p) for p in a.parts))
        for a in e.atoms
    )
