"""The text that a std::string holds where it is made of one and never changed: std::stoi(argv[1])
makes a string of the word first, std::vector<std::string> args(argv + 1, argv + argc) of all."""

from __future__ import annotations

import re

from ...alias.memory_location import Pointer
from ...expr import Expr
from ...ir import cxx_names as cxx
from ...ir.graph import callee
from ...ir.matchers import is_alloca, is_gep, is_load
from ...ir.types import Instruction, IntLiteral, Operand
from ...scev.context import FunctionContext, ProgramContext

_TO_CONST = re.compile(r"EE(?:5c_str|4data|5begin|3end|6cbegin|4cend|2at|ix)(?:B\w+?)?E[vm]$")
_TEXT_OF = re.compile(rf"{cxx.STRING_ASKED.pattern}.*EE(?:5c_str|4data)(?:B\w+?)?Ev$")
_BY_CONST_REFERENCE = re.compile(rf"RK{cxx._STRING}|RKS_|RKNS_12basic_string")
_CHANGED = re.compile(rf"(?<!K)[RPO]{cxx._STRING}|[RPO]S_|[RPO]NS_12basic_string")
_DEPTH = 4
"""Functions, one calling the other, that hand on a text."""


def string_text(
    program: ProgramContext, view: FunctionContext, token: Operand, depth: int = 0
) -> Expr | None:
    """The address of the text that the string at an address has been made of, or the string of
    which `c_str()` has given the address; None where it may hold another."""
    base, offset = program.memory.aliasing.underlying_object(view.function, token)
    if not isinstance(base, Pointer) or offset != 0:
        return None
    made = view.function.definitions.get(base.register)
    if made is None:
        return _passed(program, view, base, depth)
    if made.is_call and base.register == token:
        if _TEXT_OF.match(callee(made) or ""):
            return string_text(program, view, made.operands[1], depth)
        return _word(program, view, made, depth)
    if not is_alloca(made) or base.register != token:
        return None
    texts: list[Operand] = []
    for i in view.function.users.get(token, ()):
        name = callee(i) or ""
        if not i.is_call:
            return None
        if name.startswith("llvm.lifetime.") or cxx.STRING_ENDED.match(name):
            continue
        at = i.operands[1:].index(token) if token in i.operands[1:] else -1
        if cxx.STRING_OF_TEXT.match(name) and at == 0:
            texts.append(i.operands[2])
        elif not _leaves(i, name, at, token):
            return None
    if len(texts) != 1:
        return None
    return view.scalars.value(texts[0]).expr


def _word(
    program: ProgramContext, view: FunctionContext, call: Instruction, depth: int
) -> Expr | None:
    """The text of an element of a vector of words of the command line."""
    found = element_of_words(program, view, call, depth) if _is_read(view, call) else None
    if found is None:
        return None
    first, at = found[0].scalars.value(found[1]).expr, view.scalars.value(found[2]).expr
    return program.argv_string(first + at * (program.layout.size("ptr") or 8))


def element_of_words(
    program: ProgramContext, view: FunctionContext, call: Instruction, depth: int = 0
) -> tuple[FunctionContext, Operand, Operand] | None:
    """(a function, its pointer to the first of the words, the number of the element) where a call
    looks at an element of a vector of strings that has been made of words of the command line."""
    if len(call.operands) < 2 or not cxx.VECTOR_ELEMENT.match(callee(call) or ""):
        return None
    words = words_from(program, view, call.operands[1], depth)
    at = call.operands[2] if len(call.operands) > 2 else IntLiteral("0")
    return (words[0], words[1], at) if words is not None else None


def number_of_words(
    program: ProgramContext, view: FunctionContext, call: Instruction
) -> tuple[tuple[FunctionContext, Operand, Operand], bool] | None:
    """The words as `words_from` has them, and whether only asked if there are none, where a call
    asks how many elements a vector of words has."""
    match = cxx.VECTOR_NUMBER.match(callee(call) or "")
    words = words_from(program, view, call.operands[1]) if match is not None else None
    return (words, match[1] is not None) if words is not None and match is not None else None


def words_from(
    program: ProgramContext, view: FunctionContext, token: Operand, depth: int = 0
) -> tuple[FunctionContext, Operand, Operand] | None:
    """(a function, its pointers to the first word and behind the last) of a vector of strings that
    has been made of words and is not changed."""
    base, offset = program.memory.aliasing.underlying_object(view.function, token)
    if not isinstance(base, Pointer) or offset != 0:
        return None
    made = view.function.definitions.get(base.register)
    if made is None:
        handed = _handed(program, view, base, depth)
        return words_from(program, *handed, depth + 1) if handed is not None else None
    if not is_alloca(made) or base.register != token:
        return None
    ranges: list[Instruction] = []
    for i in view.function.users.get(token, ()):
        name = callee(i) or ""
        if _only_loads(view, i):  # begin() and end(), inlined
            continue
        if not i.is_call or i.operands[1:].count(token) != 1:
            return None
        if name.startswith("llvm.lifetime.") or cxx.VECTOR_ENDED.match(name):
            continue
        if cxx.VECTOR_OF_WORDS.match(name) and i.operands[1] == token:
            ranges.append(i)
        elif cxx.VECTOR_ELEMENT.match(name):
            if not _is_read(view, i):
                return None
        elif not cxx.VECTOR_ASKED.match(name) and (
            cxx.CONST_VECTOR_HANDED.search(name) is None or cxx.VECTOR_CHANGED.search(name)
        ):
            return None
    if len(ranges) != 1:
        return None
    return view, ranges[0].operands[2], ranges[0].operands[3]


def _only_loads(view: FunctionContext, i: Instruction) -> bool:
    """Does an instruction load from an object, or give a part of it that is only loaded from?"""
    if not is_gep(i):
        return is_load(i)
    return all(is_load(u) for u in view.function.users.get(i.token, ()))


def has_words(name: str) -> bool:
    """Is it a constructor of a vector of strings that is handed words?"""
    return cxx.VECTOR_OF_WORDS.match(name) is not None


def _is_read(view: FunctionContext, made: Instruction) -> bool:
    """Is the string that a call returns a reference to only read?"""
    return all(
        i.is_call
        and made.token in i.operands[1:]
        and _leaves(i, callee(i) or "", i.operands[1:].index(made.token), made.token)
        for i in view.function.users.get(made.token, ())
    )


def is_made_of_text(name: str) -> bool:
    """Is it a constructor of std::string that is handed text?"""
    return cxx.STRING_OF_TEXT.match(name) is not None


def _passed(
    program: ProgramContext, view: FunctionContext, base: Pointer, depth: int
) -> Expr | None:
    """The text of a string that the one call of a function passes."""

    def asked(of: ProgramContext) -> Expr | None:
        handed = _handed(of, view, base, depth)
        return string_text(of, *handed, depth + 1) if handed is not None else None

    return program.ask_callers(view.function.name, ("text", base, depth), asked)


def _handed(
    program: ProgramContext, view: FunctionContext, base: Pointer, depth: int
) -> tuple[FunctionContext, Operand] | None:
    """What the one call of a function passes for a parameter, and who does."""
    name = view.function.name
    sites = program.calls.callers.get(name, ())
    if len(sites) != 1 or depth > _DEPTH or name in program.calls.pointed:
        return None
    at = next(k for k, p in enumerate(view.function.parameters, 1) if p.token == base.register)
    caller, call = program.view(sites[0].caller), sites[0].instruction
    if at >= len(call.operands) or program.target(caller.function.name, call) is None:
        return None
    return caller, call.operands[at]


def _leaves(call: Instruction, name: str, at: int, token: Operand) -> bool:
    """Does a call that is handed a string leave its text as it is?"""
    if call.operands[1:].count(token) != 1:
        return False
    if at == 0 and cxx.STRING_ASKED.match(name):  # _M_data() hands out what can be written
        return call.type != "ptr" or _TO_CONST.search(name) is not None
    if at == 0 and cxx.STRING_PARSED.match(name):
        return True
    if cxx.STRING_READ.match(name):
        return True
    return _BY_CONST_REFERENCE.search(name) is not None and _CHANGED.search(name) is None
