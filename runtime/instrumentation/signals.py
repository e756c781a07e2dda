"""Signal handlers that may not return: they end a loop in the middle, while its counts may be in
registers.

A handler that returns loses no count. One that ends the process or jumps out (exit, _exit,
siglongjmp, an exception) loses what the interrupted nest of loops has counted since its entry,
unless counters are in memory at every moment (`Plan.precise`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from staticana.alias.library import Control, Handler, declared_function, library_function
from staticana.ir.graph import callee, calls_in, closure
from staticana.ir.types import Function, GlobalRef, Module, Operand

from .abnormal_exits import is_emitted
from .ir_text.function_editor import reference

_CHECKED = "_chk"
"""Ending of glibc's checked variants: they leave only where the program overflows a buffer."""
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
    for _, i in calls_in(module):
        known = library_function(callee(i) or "")
        if known is None or known.handler is None or len(i.operands) < 3:
            continue
        handler = i.operands[2]
        if known.handler is Handler.STRUCTURE:
            structures |= handler not in _NO_HANDLER
        else:
            for name in _handlers(module, handler):
                found.setdefault(name)
    if structures:
        taken = list(_taken(module))
        found |= dict.fromkeys(taken or [_UNKNOWN])
    leaving = _leaving(module)
    return tuple(name for name in found if name == _UNKNOWN or name in leaving)


def _handlers(module: Module, token: Operand) -> tuple[str, ...]:
    """The handler that an argument of signal() stands for; none for SIG_DFL and SIG_IGN."""
    if token in _NO_HANDLER or "inttoptr (i64 1 to ptr)" in token:
        return ()
    function = module.functions.get(token.name) if isinstance(token, GlobalRef) else None
    return (function.name,) if function is not None and is_emitted(function) else (_UNKNOWN,)


def _taken(module: Module) -> Iterator[str]:
    """Functions that have the parameters of a handler and whose address is taken."""
    for f in module.functions.values():
        kinds = tuple(p.type for p in f.parameters)
        if is_emitted(f) and f.type == "void" and kinds in (("i32",), ("i32", "ptr", "ptr")):
            mentions = len(
                re.findall(rf"{re.escape(reference(f.name, '@'))}(?![-\w$.])", module.text)
            )
            called = sum(callee(i) == f.name for _, i in calls_in(module))
            if mentions > called + 1:  # besides its calls and its definition
                yield f.name


def _leaving(module: Module) -> set[str]:
    """Functions that may not return. An undefined function is taken to return, unless the table of
    library functions or the attribute noreturn says otherwise: most handlers call only harmless
    ones."""
    callers: dict[str, set[str]] = {}
    leaving: set[str] = set()
    for f, i in calls_in(module):
        name = callee(i)
        if name is None:
            if i.operands[0] != "asm":
                leaving.add(f.name)  # through a pointer: anything
        elif _never_returns(module, module.functions.get(name), name):
            leaving.add(f.name)
        else:
            callers.setdefault(name, set()).add(f.name)
    return closure(leaving, lambda name: callers.get(name, ()))


def _never_returns(module: Module, function: Function | None, name: str) -> bool:
    if function is not None and is_emitted(function):
        return False
    known = declared_function(module, name)
    if known is not None and known.control in (Control.LEAVES, Control.MAY_LEAVE):
        return not name.endswith(_CHECKED)
    if function is None:
        return False
    group = re.search(r"#\d+", function.header)
    return "noreturn" in function.header or (
        group is not None and "noreturn" in module.attributes.get(group[0], "")
    )
