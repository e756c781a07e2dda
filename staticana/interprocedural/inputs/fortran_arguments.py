"""Fortran: arguments by reference, and values read by READ.

A dummy argument is the address of a variable. Fortran's rules let a procedure assume that nothing
else changes the variable meanwhile, so that an argument which the procedure and what it calls never
store to is one value: a parameter for the entry, else what the callers' variables hold. A variable
that only one READ sets is one value too; where the READ takes it from a word of the command line,
it is a parameter of the program.
"""

from __future__ import annotations

import re

from ...alias.library import library_function
from ...expr import Expr, sym, symbols
from ...ir.graph import callee
from ...ir.matchers import is_alloca, is_any, is_gep, is_load, is_store
from ...ir.types import Function, GlobalRef, Instruction, IntLiteral, Module, Operand, Register
from ...scev.arithmetic.fits import handed_on
from ...scev.context import FunctionContext, ProgramContext
from ...scev.unknowns import UnknownInfo
from ...scev.values import Answer, Value

_READ = "@_FortranAioInputInteger"
_COMMAND = "@_FortranAGetCommandArgument"
_VARIABLE = re.compile(r"(?:_Q\w*E)?([a-z]\w*?)_?")
"""flang's name of a variable of a module, or of a common block."""
_USUAL = "i32"
"""The type of an integer that the source gives no other."""
_INTEGERS = ("i8", "i16", "i32", "i64")


# -- values behind addresses
def is_fortran(module: Module) -> bool:
    """Was (a part of) the module written in Fortran?"""
    return module.is_fortran


def changes(
    program: ProgramContext, function: str, at: int, seen: frozenset[tuple[str, int]] = frozenset()
) -> bool:
    """May a call of the function change the variable that it gets as argument `at`?"""
    f = program.module.functions.get(function)
    if (function, at) in seen:
        return False
    if f is None or f.is_declaration:
        known = library_function(function)
        return known is None or known.writes_through(at) or known.keeps_argument(at)
    if at >= len(f.parameters):
        return True
    token = f.parameters[at].token
    return any(
        _changes(program, i, token, seen | {(function, at)})
        for b in f.blocks.values()
        for i in b.instructions
        if token in i.operands
    )


def _changes(
    program: ProgramContext, i: Instruction, token: Operand, seen: frozenset[tuple[str, int]]
) -> bool:
    """May this use of an address change, or hand on, what stands there?"""
    if is_load(i):
        return False
    if i.is_call and i.operands[0] != token:
        called = callee(i) or ""
        return not called.startswith(("llvm.dbg", "llvm.lifetime")) and any(
            changes(program, called, k, seen) for k, o in enumerate(i.operands[1:]) if o == token
        )
    return True


def loaded(program: ProgramContext, view: FunctionContext, load: Instruction) -> Value | None:
    """The value of a variable that is an argument, or that is set once."""
    if load.type not in _INTEGERS or not is_fortran(program.module):
        return None
    return _behind(program, view, load.operands[0], view.function.block_of[load.token], load.line)


def value_behind(view: FunctionContext, token: Operand, call: Instruction) -> Value | None:
    """What stands behind an address that a call is handed."""
    blocks = view.function.blocks.values()
    block = next(b.name for b in blocks if any(i is call for i in b.instructions))
    return _handed_in(view.program, view, token, block, call, _USUAL)


def _handed_in(
    program: ProgramContext,
    view: FunctionContext,
    token: Operand,
    block: str,
    call: Instruction,
    kind: str,
) -> Value | None:
    """The integer of a type that stands behind an address which a call is handed."""
    found = _behind(program, view, token, block, call.line) if isinstance(token, Register) else None
    if found is not None:
        return found
    place = program.memory.aliasing.location(view.function, token, kind)
    return program.memory.reaching(view, place, block, call).value


def _behind(
    program: ProgramContext, view: FunctionContext, token: Operand, block: str, line: int
) -> Value | None:
    """What stands behind an address when control comes to a line of a block."""
    f = view.function
    at = next((k for k, p in enumerate(f.parameters) if p.token == token), None)
    if at is not None:
        if changes(program, f.name, at):
            return None
        if f.name == program.entry:
            return Value(program.parameter_of(f, at))
        return Value(sym(program.argument_symbol(f, at)))
    made = f.definitions.get(token)
    if not is_alloca(made):
        return None
    setters = [
        (b.name, i)
        for b in f.blocks.values()
        for i in b.instructions
        if token in i.operands and _changes(program, i, token, frozenset())
    ]
    if len(setters) != 1:
        return None
    where, i = setters[0]
    if (where != block and not view.forest.dominates(where, block)) or (
        where == block and i.line > line
    ):
        return None
    if is_store(i) and i.operands[1] == token:
        return handed_on(view, i.operands[0])
    read = _read(program, view, token, where, i)
    return None if read is None else Value(read)


def _read(
    program: ProgramContext, view: FunctionContext, token: Operand, block: str, i: Instruction
) -> Expr | None:
    """A variable that READ sets, once in a run of the procedure."""
    if i.operands[0] != _READ or block in view.forest.innermost:
        return None
    name = view.variable_name(token) or "n"
    if view.function.name in ("_QQmain", program.entry):
        word = _word(view.function, i)
        if word is not None:
            return program.argv_value(word, name)
    return program.unknowns.add(
        UnknownInfo(
            symbols.unknown(view.function.name, "read", token),
            "value",
            name,
            f"value read into {name}",
            view.place(i),
            view.function.name,
            view.function.entry.name,
        )
    )


def answer(program: ProgramContext, view: FunctionContext, call: Instruction) -> Answer | None:
    """The integer that a READ from a word of the command line puts into a variable."""
    if call.operands[0] != _READ:
        return None
    target, kind = call.operands[2:4]
    if not isinstance(kind, IntLiteral):
        return None
    word = _word(view.function, call)
    if word is None:
        return None
    shared = _VARIABLE.fullmatch(target.name) if isinstance(target, GlobalRef) else None
    name = shared[1] if shared else view.variable_name(target)
    return Answer(target, f"i{8 * kind.value}", program.argv_value(word, name or "n"))


def _word(f: Function, read: Instruction) -> int | None:
    """k where the READ is from the variable that get_command_argument(k) has filled last."""
    start = f.definitions.get(read.operands[1])
    if start is None or start.operands[0] != "@_FortranAioBeginInternalListInput":
        return None
    buffer, found = start.operands[1], None
    boxes: dict[str, str] = {}  # descriptor -> the variable described
    for b in f.blocks.values():
        for i in b.instructions:
            if i.line >= read.line:
                return found
            if is_store(i) and _holds(f, i.operands[0], buffer):
                boxes[_whole(f, i.operands[1])] = buffer
            elif (
                is_any(i, "call")
                and buffer in (boxes.get(o, o) for o in i.operands[1:])
                and i is not start
            ):
                at = i.operands[1] if i.operands[0] == _COMMAND else None
                found = at.value if isinstance(at, IntLiteral) else None
    return found


def _holds(f: Function, token: Operand, address: str) -> bool:
    """Is a value the address, or a descriptor with the address in it?"""
    i = f.definitions.get(token)
    return token == address or (
        is_any(i, "insertvalue", "extractvalue")
        and any(_holds(f, o, address) for o in i.operands if isinstance(o, Register))
    )


def _whole(f: Function, token: Operand) -> str:
    """The object that a field belongs to."""
    i = f.definitions.get(token)
    return _whole(f, i.operands[0]) if is_gep(i) else token


def handed(
    program: ProgramContext, view: FunctionContext, call: Instruction, block: str, callee: Function
) -> dict[str, Value]:
    """Symbols of the callee's arguments by reference -> what the caller's variables hold at the
    call."""
    if not is_fortran(program.module):
        return {}
    values: dict[str, Value] = {}
    for at, token in enumerate(call.operands[1:]):
        if (
            at < len(callee.parameters)
            and callee.parameters[at].type == "ptr"
            and is_scalar(callee, at)
        ):
            kind = _kind(callee, at)
            value = _handed_in(program, view, token, block, call, kind)
            if value is None:
                symbol = program.unknowns.add(
                    UnknownInfo(
                        symbols.unknown(
                            view.function.name, "behind", view.function.offset_of(call), at
                        ),
                        "value",
                        view.variable_name(token) or "v",
                        f"value of argument {at + 1} of {callee.name}",
                        view.place(call),
                        view.function.name,
                        block,
                    )
                )
                value = Value(symbol)
            values[program.argument_symbol(callee, at)] = value
    return values


def is_scalar(f: Function, at: int) -> bool:
    """Is an argument used as the address of one integer?"""
    return bool(_kind(f, at)) and not any(is_gep(i) for i in f.users[f.parameters[at].token])


def _kind(f: Function, at: int) -> str:
    """The type of the integer that is read behind an argument; empty where none is."""
    uses = f.users.get(f.parameters[at].token, ())
    return next((i.type for i in uses if is_load(i) and i.type in _INTEGERS), "")
