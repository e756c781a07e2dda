"""A file that is only a part of a program, made ready for analysis.

An editor shows one file. Where its functions are called from others, or call what others define,
variables that those can set have any value; a value that the file itself gives them proves nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from staticana.alias.escape_analysis import UNNAMED
from staticana.alias.whole_programs import MAIN, has_main
from staticana.ir.graph import callee
from staticana.ir.linkage import is_own
from staticana.ir.types import Function, Global, Module

_GLOBAL = re.compile(r"@(\"[^\"]*\"|[\w.$-]+)")


def part_of_program(module: Module) -> Module:
    """The module where variables that other files, or functions that they call, may set have no
    known value."""
    below = _below(module, MAIN) if has_main(module) else set()
    touched = {name for f in module.functions.values() if f.name not in below for name in _named(f)}
    pointed = {n for g in module.globals.values() for n in _names(g.initializer)}
    variables = {
        name: g
        if "constant" in g.attributes or (name not in touched | pointed and is_own(g.attributes))
        else _open(g, named=name in pointed or not is_own(g.attributes))
        for name, g in module.globals.items()
    }
    return replace(module, globals=variables)


def _open(variable: Global, *, named: bool) -> Global:
    """A variable without a known value; named: others may keep pointers to it."""
    attributes = "external global" if named else f"external {UNNAMED} global"
    return variable._replace(attributes=attributes, initializer="")


def roots(module: Module) -> tuple[str, ...]:
    """The functions of the file that none of its others calls; where there is none, the first."""
    defined = [f.name for f in module.functions.values() if not f.is_declaration and f.dbg]
    called = {c for n in defined for c in _callees(module.functions[n]) if c != n}
    return tuple(n for n in defined if n not in called) or tuple(defined[:1])


def _callees(f: Function) -> Iterator[str]:
    for block in f.blocks.values():
        for i in block.instructions:
            if (name := callee(i)) is not None:
                yield name


def _below(module: Module, names: tuple[str, ...]) -> set[str]:
    seen, todo = set[str](), [n for n in names if n in module.functions]
    while todo:
        name = todo.pop()
        if name in seen or name not in module.functions:
            continue
        seen.add(name)
        todo += _callees(module.functions[name])
    return seen


def _named(f: Function) -> Iterator[str]:
    """Variables whose address leaves a load: they may be written to."""
    for block in f.blocks.values():
        for i in block.instructions:
            if i.opcode != "load":
                for operand in i.operands:
                    yield from _names(operand)


def _names(text: str) -> Iterator[str]:
    return (name.strip('"') for name in _GLOBAL.findall(text))
