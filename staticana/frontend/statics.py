"""Static variables of functions, as if they were made before main.

`static std::vector<int> cache;` in a function is made when control first comes there, behind a
guard that the analysis would have to tell the state of at each call. Where a constructor neither
reads nor writes anything but the variable, which nobody can reach before, it does the same before
main. For the analysis alone: the program that runs keeps its guards.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..ir.graph import callee
from ..ir.loop_info import loop_forest
from ..ir.matchers import is_any
from ..ir.parser import edited
from ..ir.types import Function, GlobalRef, Instruction, IntLiteral, Module

_LOCAL, _GUARD = "_ZZ", "_ZGVZ"
"""How the names of static variables of functions, and of their guards, begin (Itanium C++ ABI)."""
_CONSTRUCTORS = "llvm.global_ctors"
_LIST = re.compile(rf"@{re.escape(_CONSTRUCTORS)} = appending global \[(\d+) x [^\]]*\] \[(.*)\]$")
_ENTRY = "{ i32, ptr, ptr }"
_MADE = "looplaw.statics"
_MARKERS = ("llvm.", "looplaw.")
_PLAIN = frozenset(
    "alloca load store getelementptr call invoke br ret add sub mul icmp select phi sext zext trunc"
    " ptrtoint landingpad resume extractvalue insertvalue unreachable bitcast sdiv udiv".split()
)
_DEPTH = 8
"""Calls, one inside the other, that are looked into to see that a constructor touches nothing but
its object."""


def with_statics_constructed(module: Module) -> Module:
    """The module in which constructors of static variables of functions run before main, where
    that is the same."""
    if not any(name.startswith(_GUARD) for name in module.globals):
        return module
    found = list(_constructions(module))
    if not found:
        return module
    lines = module.text.split("\n")
    calls = []
    for number, i in enumerate(found):
        head, _, handed = lines[i.line].partition("@")
        calls.append(f"  call void @{handed.rpartition(')')[0]})")
        # what is done there is done still, to a variable that nobody looks at
        static, twin = i.operands[1], f"{_MADE}.{number}"
        lines[i.line] = f"{head}@{handed.replace(static, f'@{twin}', 1)}"
        kind = module.globals[GlobalRef(static).name].type
        lines.append(f"@{twin} = internal global {kind} zeroinitializer")
    lines += [f"define internal void @{_MADE}() {{", "entry:", *calls, "  ret void", "}"]
    made = f"{_ENTRY} {{ i32 65535, ptr @{_MADE}, ptr null }}"
    at, others = _listed(lines)
    number = 1 + others.count("i32 ") // 2
    every = f"{others}, {made}" if others else made
    lines[at] = f"@{_CONSTRUCTORS} = appending global [{number} x {_ENTRY}] [{every}]"
    result = edited(module, "\n".join([*lines, ""]))
    known = result.globals.get(_CONSTRUCTORS)
    return result if known is not None and _MADE in known.initializer else module


def _listed(lines: list[str]) -> tuple[int, str]:
    """The line that lists the functions that run before main, and these; a new line where there is
    none."""
    for at, line in enumerate(lines):
        found = _LIST.match(line) if line.startswith(f"@{_CONSTRUCTORS} ") else None
        if found is not None:
            return at, found[2]
    lines.append("")
    return len(lines) - 1, ""


def _constructions(module: Module) -> Iterator[Instruction]:
    """The calls that make a static variable, alone."""
    known: dict[str, bool] = {}
    guarded: dict[str, list[Instruction]] = {}
    for f in module.functions.values():
        for i in f.calls:
            first = i.operands[1] if len(i.operands) > 1 else None
            if not isinstance(first, GlobalRef) or not first.name.startswith(_LOCAL):
                continue
            if f"{_GUARD}{first.name[len(_LOCAL) :]}" not in module.globals:
                continue
            if i.type == "void" and _is_guarded(f, i):
                guarded.setdefault(first.name, []).append(i)
    for calls in guarded.values():
        constants = all(isinstance(o, IntLiteral) for i in calls for o in i.operands[2:])
        name = callee(calls[0])
        if len(calls) == 1 and constants and name is not None:
            if _is_alone(module, name, known, _DEPTH):
                yield calls[0]


def _is_guarded(f: Function, i: Instruction) -> bool:
    """Is a call the first thing that control comes to where a guard was acquired?"""
    block = next(b for b in f.blocks.values() if i in b.instructions)
    above = f.predecessors[block.name]
    if len(above) != 1 or block.instructions[0] is not i:
        return False
    return any(callee(x) == "__cxa_guard_acquire" for x in f.blocks[above[0]].instructions)


def _is_alone(module: Module, name: str, known: dict[str, bool], depth: int) -> bool:
    """Does a constructor without loops touch nothing but what it makes?"""
    if name.startswith(_MARKERS):
        return True
    if name not in known:
        known[name] = False  # what calls itself
        f = module.functions.get(name)
        known[name] = (
            f is not None
            and not f.is_declaration
            and depth > 0
            and not loop_forest(f, module).loops
            and all(
                _touches_own(module, i, known, depth)
                for b in f.blocks.values()
                for i in b.instructions
            )
        )
    return known[name]


def _touches_own(module: Module, i: Instruction, known: dict[str, bool], depth: int) -> bool:
    if not is_any(i, *_PLAIN):
        return False
    if i.is_call:
        name = callee(i)
        if name is None or not _is_alone(module, name, known, depth - 1):
            return _is_throwing(name)
        return not any("@" in o for o in i.operands[1:])
    return not any("@" in o for o in i.operands)


def _is_throwing(name: str | None) -> bool:
    """Is it what a constructor that cannot go on calls?"""
    return name in ("__clang_call_terminate", "_ZSt20__throw_length_errorPKc")
