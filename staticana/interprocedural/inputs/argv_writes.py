"""Does the program write to the words of the command line before it reads numbers from them?

A parameter is what the user writes on the command line. Once the program stores into a word
(`argv[1][0] = '3'`, `strtok(argv[1], ",")`) or exchanges words (`argv[1] = "7"`, getopt, which
sorts options to the front), a number that is read there need not be the parameter.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...alias.library import ALL, library_function
from ...ir.graph import callee
from ...ir.matchers import is_alloca, is_any, is_load, is_return, is_store
from ...ir.types import ATOMIC_UPDATES, Function, Instruction, Operand
from ...scev.context import ProgramContext

_ARRAY, _WORD = 0, 1
_DERIVED = ("getelementptr", "phi", "select", "bitcast", "freeze", "addrspacecast")
_Pointer = tuple[str, Operand, int]


def changed_words(program: ProgramContext) -> tuple[bool, bool]:
    """Whether pointers in argv are written, and whether the text of a word is."""
    if program.entry != "main" or len(program.defined["main"].parameters) < 2:
        return False, False
    main = program.defined["main"]
    start: _Pointer = (main.name, main.parameters[1].token, _ARRAY)
    seen, work = {start}, [start]
    changed = [False, False]
    while work:
        name, token, level = work.pop()
        function = program.defined[name]
        for i in function.users.get(token, ()):
            if _writes(program, i, token, level):
                changed[level] = True
            for found in _derived(program, function, i, token, level):
                if found not in seen:
                    seen.add(found)
                    work.append(found)
    return changed[_ARRAY], changed[_WORD]


def _writes(program: ProgramContext, i: Instruction, token: Operand, level: int) -> bool:
    """Does an instruction write through the pointer?"""
    if is_store(i):
        return i.operands[1] == token
    if is_any(i, *ATOMIC_UPDATES):
        return i.operands[0] == token
    name = callee(i)
    if name is None or name in program.defined:
        return False
    known = library_function(name)
    if known is None:  # text is mostly handed on as const char *, argv to be rearranged
        return level == _ARRAY and not name.startswith("llvm.")
    is_untold = known.writes == ALL  # a family of the C++ library: it may fill what it is handed
    return not is_untold and any(
        o == token and known.writes_through(at) for at, o in enumerate(i.operands[1:])
    )


def _derived(
    program: ProgramContext, function: Function, i: Instruction, token: Operand, level: int
) -> Iterator[_Pointer]:
    """Registers that hold the pointer too, or one that is read through it."""
    name = function.name
    if is_any(i, *_DERIVED):
        yield name, i.token, level
    elif is_load(i) and level == _ARRAY and i.type == "ptr":
        yield name, i.token, _WORD
    elif is_store(i) and i.operands[0] == token:
        variable = function.definitions.get(i.operands[1])
        if is_alloca(variable):
            for other in function.users.get(variable.token, ()):
                if is_load(other):
                    yield name, other.token, level
    elif is_return(i):
        for caller, call in program.memory.aliasing.call_sites.get(name, ()):
            yield caller.name, call.token, level
    elif (called := callee(i)) in program.defined:
        for p, o in zip(program.defined[str(called)].parameters, i.operands[1:], strict=False):
            if o == token:
                yield str(called), p.token, level
    elif (known := library_function(called or "")) is not None and level == _WORD:
        at = known.into if known.into is not None else known.returns
        if at is not None and i.operands[at + 1 : at + 2] == (token,):
            yield name, i.token, level
