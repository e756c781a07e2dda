"""Signal handlers that may not return: they end a loop in the middle, while its counts may be in
registers.

A handler that returns loses no count. One that ends the process or jumps out (exit, _exit,
siglongjmp, an exception) loses what the interrupted nest of loops has counted since its entry,
unless counters are in memory at every moment (`Plan.precise`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from staticana.ir.types import Function, Instruction, Module

from .abnormal_exits import callee_of, is_emitted
from .function_editor import reference

_BY_ARGUMENT = frozenset(
    ("signal", "bsd_signal", "sysv_signal", "__sysv_signal", "sigset", "ssignal")
)
_BY_STRUCTURE = frozenset(("sigaction", "__sigaction", "sigvec"))
_LEAVE = frozenset(
    """exit _exit _Exit quick_exit abort longjmp _longjmp siglongjmp __longjmp_chk
    __siglongjmp_chk pthread_exit execl execlp execle execv execvp execve execvpe fexecve
    __cxa_throw __cxa_rethrow _Unwind_Resume setcontext swapcontext _ZSt9terminatev
    _ZSt17rethrow_exceptionNSt15__exception_ptr13exception_ptrE MPI_Abort""".split()
)
_NO_HANDLER = frozenset(("null", "zeroinitializer", "undef", "poison"))
_UNKNOWN = "one that is set through a pointer"


def leaving_handlers(module: Module) -> tuple[str, ...]:
    """The names of the signal handlers that may not return; for a handler that is not known, a
    description.

    Handlers are the arguments of signal() and, in a module that calls sigaction(), all functions
    with the parameters of a handler whose address is taken.
    """
    found: dict[str, None] = {}
    structures = False
    for i in _calls(module):
        name = callee_of(i)
        if name in _BY_ARGUMENT and len(i.operands) > 2:
            for handler in _handlers(module, i.operands[2]):
                found.setdefault(handler)
        structures |= (
            name in _BY_STRUCTURE and len(i.operands) > 2 and i.operands[2] not in _NO_HANDLER
        )
    if structures:
        taken = list(_taken(module))
        found |= dict.fromkeys(taken or [_UNKNOWN])
    leaving = _leaving(module)
    return tuple(name for name in found if name == _UNKNOWN or name in leaving)


def _calls(module: Module) -> Iterator[Instruction]:
    return (
        i
        for f in module.functions.values()
        for b in f.blocks.values()
        for i in b.instructions
        if i.opcode in ("call", "invoke")
    )


def _handlers(module: Module, token: str) -> tuple[str, ...]:
    """The handler that an argument of signal() stands for; none for SIG_DFL and SIG_IGN."""
    if token in _NO_HANDLER or "inttoptr (i64 1 to ptr)" in token:
        return ()
    name = token[1:].strip('"')
    function = module.functions.get(name) if token.startswith("@") else None
    return (name,) if function is not None and is_emitted(function) else (_UNKNOWN,)


def _taken(module: Module) -> Iterator[str]:
    """Functions that have the parameters of a handler and whose address is taken."""
    for f in module.functions.values():
        kinds = tuple(p.type for p in f.parameters)
        if is_emitted(f) and f.type == "void" and kinds in (("i32",), ("i32", "ptr", "ptr")):
            mentions = len(
                re.findall(rf"{re.escape(reference(f.name, '@'))}(?![-\w$.])", module.text)
            )
            called = sum(callee_of(i) == f.name for i in _calls(module))
            if mentions > called + 1:  # besides its calls and its definition
                yield f.name


def _leaving(module: Module) -> set[str]:
    """Functions that may not return. An undefined function is taken to return, unless it is in the
    table or has the attribute noreturn: most handlers call only harmless library functions."""
    callers: dict[str, set[str]] = {}
    work: list[str] = []
    for f in module.functions.values():
        for b in f.blocks.values():
            for i in b.instructions:
                if i.opcode not in ("call", "invoke"):
                    continue
                name = callee_of(i)
                if name is None:
                    if i.operands[0] != "asm":
                        work.append(f.name)  # through a pointer: anything
                elif _never_returns(module, module.functions.get(name), name):
                    work.append(f.name)
                else:
                    callers.setdefault(name, set()).add(f.name)
    found = set(work)
    while work:
        new = callers.get(work.pop(), set()) - found
        found |= new
        work.extend(new)
    return found


def _never_returns(module: Module, function: Function | None, name: str) -> bool:
    if name in _LEAVE:
        return True
    if function is None or is_emitted(function):
        return False
    group = re.search(r"#\d+", function.header)
    return "noreturn" in function.header or (
        group is not None and "noreturn" in module.attributes.get(group[0], "")
    )
