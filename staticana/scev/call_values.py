"""Values that calls yield: numbers from argv, intrinsics, library functions, the program's own."""

from __future__ import annotations

import re

from ..alias.library import Parses, library_function
from ..expr import (
    LENGTH_OF,
    STORAGE_OF,
    Loaded,
    ceil_log,
    expr,
    from_atom,
    is_nonnegative,
    maximum,
    minimum,
    symbols,
)
from ..frontend.model_bodies import LENGTH as TEXT_LENGTH
from ..frontend.model_bodies import STORAGE
from ..ir.graph import callee
from ..ir.loop_info import ASKED_SIZE, FIRST_TEAM_SIZE, TEAM_SIZE
from ..ir.types import Instruction, IntLiteral, Register
from .arithmetic.fits import as_signed, fitting, taken_over, unsigned, within
from .context import FunctionContext
from .source_names import value_name
from .unknowns import LENGTH, UnknownInfo
from .values import Value

_EXTREMA = {"smax": maximum, "umax": maximum, "smin": minimum, "umin": minimum}
_COPY = re.compile(r"\.call\.\d+$")
"""How the name of a copy for one call ends (`interprocedural.reader_copies`)."""
_ABSOLUTE = ("abs", "labs", "llabs")


def call_value(view: FunctionContext, i: Instruction) -> Value:
    """The value of a call."""
    name = callee(i) or ""
    found = (
        _number_from_argv(view, i, name)
        or _number_of_words(view, i)
        or _thread_number(view, i, name)
        or _intrinsic(view, i, name)
        or _rounded(view, i, name)
        or _library(view, i, name)
        or _defined(view, i)
    )
    called = _COPY.sub("", name) or _pointer(i)
    return found or Value(view.scalars.unknown(i, f"result of {called}"))


def _pointer(i: Instruction) -> str:
    """What a call through a pointer goes by in a message."""
    called = i.operands[0]
    return called.name if isinstance(called, Register) else str(called)


def number_read(i: Instruction) -> Parses | None:
    """What number a call reads from the text that it is handed."""
    known = library_function(callee(i) or "")
    return known.parses if known is not None else None


def _number_from_argv(view: FunctionContext, i: Instruction, called: str) -> Value | None:
    """atoi(argv[k]) and the like: a parameter of the program."""
    known = library_function(called)
    base = _base(i, called)
    if known is None or known.parses is None or base not in _BASES:
        return None
    if called in view.program.defined and not known.of_string:
        return None  # a function of the program's own
    string = view.program.string_text(view, i.operands[1])
    if string is None and not known.of_string:
        string = view.scalars.value(i.operands[1]).expr
    if string is None:
        return None
    parameter = view.program.argv_parameter(view, i, string, is_decimal=base == _DECIMAL)
    return None if parameter is None else Value(parameter)


def _number_of_words(view: FunctionContext, i: Instruction) -> Value | None:
    """How many elements a vector of words of the command line has."""
    found = view.program.number_of_words(view, i) if i.type in _SIZES else None
    return None if found is None else Value(found)


_SIZES = ("i64", "i1")
"""What size() and empty() return."""
_DECIMAL, _BY_PREFIX = 10, 0
_BASES = (_DECIMAL, _BY_PREFIX)
"""Bases in which a number reads as the value of a parameter does: strtol(text, 0, 0) takes 12 for
12, but 012 and 0xc for what their prefix says."""


def _base(i: Instruction, called: str) -> int | None:
    """The base in which a number is read; None where the program chooses it."""
    known = library_function(called)
    if known is None or known.base is None:
        return _DECIMAL
    base = i.operands[known.base + 1] if known.base + 1 < len(i.operands) else None
    return base.value if isinstance(base, IntLiteral) else None


def _intrinsic(view: FunctionContext, i: Instruction, called: str) -> Value | None:
    if not called.startswith("llvm."):
        return None
    name, is_integer = called.split(".")[1], i.type[:1] == "i"
    if name in _EXTREMA and is_integer:
        a, b = view.scalars.value(i.operands[1]), view.scalars.value(i.operands[2])
        a, b = (fitting(view, x, i, i.type, name[0] == "s") for x in (a, b))
        if name[0] == "u":
            a, b = unsigned(view, a, i), unsigned(view, b, i)
        else:
            a, b = as_signed(view, a, i, i.operands[1]), as_signed(view, b, i, i.operands[2])
        return Value(_EXTREMA[name](a.expr, b.expr), a.preconditions | b.preconditions)
    if name == "abs" and is_integer:
        return _absolute(view, i)
    if name == "ctlz" and is_integer:  # bits above the highest one that is set
        a = unsigned(view, fitting(view, view.scalars.value(i.operands[1]), i, i.type, False), i)
        return Value(int(i.type[1:]) - ceil_log(2, a.expr + 1), a.preconditions)
    if name in ("cttz", "ctpop") and is_integer:
        return _of_bits(view, i, name)
    return None


def _of_bits(view: FunctionContext, i: Instruction, name: str) -> Value:
    """How many bits of a number are set, or how many below the lowest one are not: fewer than it
    has."""
    a = view.scalars.value(i.operands[1])
    needs = a.preconditions if is_nonnegative(a.expr) else a.preconditions | {a.expr}
    most = ceil_log(2, a.expr + 1) - (name == "cttz")
    e = view.scalars.unknown(i)
    view.program.unknowns.bound(e, most, needs)
    return Value(e)


def _rounded(view: FunctionContext, i: Instruction, called: str) -> Value | None:
    """lround and the like."""
    if i.type[:1] != "i" or called in view.program.defined or "round" not in called:
        return None
    found = view.floats.exact(i.token)
    bits = int(i.type[1:])
    if found is None:
        return None
    return within(view, found, i, -(1 << (bits - 1)), (1 << (bits - 1)) - 1)


def _thread_number(view: FunctionContext, i: Instruction, called: str) -> Value | None:
    """Which thread of a graphics processor runs, or of how many."""
    if i.type[:1] != "i" or called in view.program.defined:
        return None
    asked = i.operands[1] if len(i.operands) > 1 else None
    number = view.program.thread_number(
        called, asked.value if isinstance(asked, IntLiteral) else None
    )
    return None if number is None else Value(number)


def _library(view: FunctionContext, i: Instruction, called: str) -> Value | None:
    if called == "strlen" and called not in view.program.defined and len(i.operands) > 1:
        return _length(view, i)
    if called == STORAGE:
        address = view.scalars.value(i.operands[1])
        rows = i.operands[2] if len(i.operands) > 2 else None
        kind = f"{STORAGE_OF}.{rows.value}" if isinstance(rows, IntLiteral) else STORAGE_OF
        found = Loaded(address.expr, kind, "storage")
        return Value(from_atom(found), address.preconditions)
    if called == TEXT_LENGTH:
        address = view.scalars.value(i.operands[1])
        constant = view.program.memory.text_length(address.expr)
        text = Loaded(address.expr, LENGTH_OF, "length")
        return Value(from_atom(text) if constant is None else expr(constant), address.preconditions)
    if called in _ABSOLUTE and called not in view.program.defined and len(i.operands) > 1:
        return _absolute(view, i)
    if called == ASKED_SIZE:
        return within(view, view.scalars.value(i.operands[1]), i, 1, (1 << 31) - 1)
    is_size = called in (TEAM_SIZE, FIRST_TEAM_SIZE) and called not in view.program.defined
    return Value(view.program.team_size()) if is_size else None


def _length(view: FunctionContext, i: Instruction) -> Value:
    """The length of a string: one value where nothing writes to the string in between."""
    program, function = view.program, view.function
    address = view.scalars.value(i.operands[1])
    constant = program.memory.text_length(address.expr)
    if constant is not None:
        return Value(expr(constant))
    place = program.memory.aliasing.location(function, i.operands[1], "")
    place, block = place._replace(offset=None, size=None), function.block_of[i.token]
    steady = program.memory.reaching(view, place, block, i).on_entry
    key = ("length", address.expr) if steady else ("length", function.offset_of(i))
    symbol = symbols.unknown(function.name, "strlen", *key)
    name = value_name(view, i.operands[1]) or "s"
    return Value(
        program.unknowns.add(
            UnknownInfo(
                symbol,
                "value",
                f"{name}_len",
                f"{LENGTH}{name}",
                view.place(i),
                function.name,
                program.memory.hoisted(view, address.expr, place, block, symbol),
            )
        ),
        address.preconditions,
    )


def _absolute(view: FunctionContext, i: Instruction) -> Value:
    a = fitting(view, view.scalars.value(i.operands[1]), i, i.type, True)
    a = as_signed(view, a, i, i.operands[1])
    found = Value(maximum(a.expr, -a.expr), a.preconditions)
    if i.operands[2:] != ("false",):  # the least integer has no absolute value: it is not asked for
        return found
    return within(view, found, i, None, (1 << (int(i.type[1:]) - 1)) - 1)


def _defined(view: FunctionContext, i: Instruction) -> Value | None:
    """What a function of the program returns, over the arguments of this call."""
    if i.type[:1] != "i" and i.type != "ptr":
        return None
    program = view.program
    target = program.target(view.function.name, i)
    returned = program.returned(target.name) if target is not None else None
    if returned is None:
        return None
    found = program.at_call(view, view.function.block_of[i.token], i, returned)
    return taken_over(view, found, i.token, i.type)
