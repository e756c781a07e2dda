"""The text that a std::string holds where it is made of one and never changed: std::stoi(argv[1])
makes a string of the word first."""

from __future__ import annotations

import re

from ...alias.memory_location import Pointer
from ...expr import Expr
from ...ir.graph import callee
from ...ir.types import Instruction, Operand
from ...scev.context import FunctionContext, ProgramContext

_STRING = r"(?:St7__cxx11|NSt7__cxx11|NSt3__1|St3__1)12basic_string"
_MADE_OF_TEXT = re.compile(rf"_ZN?{_STRING}.*C[12](?:B\w+?)?(?:I.*E)?EPKc(?!m|jm)")
_ENDED = re.compile(rf"_ZN?{_STRING}.*D[12]Ev$")
_CONST_MEMBER = re.compile(r"_ZNK(?:St7__cxx11|St3__1)12basic_string")
_TO_CONST = re.compile(r"EE(?:5c_str|4data|5begin|3end|6cbegin|4cend|2at|ix)(?:B\w+?)?E[vm]$")
_BY_CONST_REFERENCE = re.compile(rf"RK{_STRING}|RKS_")
_CHANGED = re.compile(rf"(?<!K)[RPO]{_STRING}|[RPO]S_")
_READS = re.compile(r"_Z(?:NSt3__1|St)?(?:eq|ne|lt|gt|le|ge|ls|pl)[BI]")
_PARSES = re.compile(r"_ZNSt(?:7__cxx11|3__1)\d+sto\w+RKNS_12basic_string")
_DEPTH = 4


def string_text(
    program: ProgramContext, view: FunctionContext, token: Operand, depth: int = 0
) -> Expr | None:
    """The address of the text that the string at an address has been made of; None where it may
    hold another."""
    base, offset = program.memory.aliasing.underlying_object(view.function, token)
    if not isinstance(base, Pointer) or offset != 0:
        return None
    made = view.function.definitions.get(base.register)
    if made is None:
        return _passed(program, view, base, depth)
    if made.opcode != "alloca" or base.register != token:
        return None
    texts: list[Operand] = []
    for i in view.function.users.get(token, ()):
        name = callee(i) or ""
        if not i.is_call:
            return None
        if name.startswith("llvm.lifetime.") or _ENDED.match(name):
            continue
        at = i.operands[1:].index(token) if token in i.operands[1:] else -1
        if _MADE_OF_TEXT.match(name) and at == 0:
            texts.append(i.operands[2])
        elif not _leaves(i, name, at, token):
            return None
    if len(texts) != 1:
        return None
    return view.scalars.value(texts[0]).expr


def is_made_of_text(name: str) -> bool:
    """Is it a constructor of std::string that is handed text?"""
    return _MADE_OF_TEXT.match(name) is not None


def _passed(
    program: ProgramContext, view: FunctionContext, base: Pointer, depth: int
) -> Expr | None:
    """The text of a string that the one call of a function passes."""
    name = view.function.name
    sites = program.calls.callers.get(name, ())
    if len(sites) != 1 or depth > _DEPTH or name in program.calls.pointed:
        return None
    at = next(k for k, p in enumerate(view.function.parameters, 1) if p.token == base.register)
    caller, call = program.view(sites[0].caller), sites[0].instruction
    if at >= len(call.operands) or program.target(caller.function.name, call) is None:
        return None
    return string_text(program, caller, call.operands[at], depth + 1)


def _leaves(call: Instruction, name: str, at: int, token: Operand) -> bool:
    """Does a call that is handed a string leave its text as it is?"""
    if call.operands[1:].count(token) != 1:
        return False
    if at == 0 and _CONST_MEMBER.match(name):  # _M_data() hands out what can be written
        return call.type != "ptr" or _TO_CONST.search(name) is not None
    if at == 0 and _PARSES.match(name):
        return True
    if _READS.match(name):
        return True
    return _BY_CONST_REFERENCE.search(name) is not None and _CHANGED.search(name) is None
