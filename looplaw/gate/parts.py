"""Parts of a program that are analysed by themselves: what a function comes to, one activation.

Both are texts of their own: the analysis reads the text of a module anew where it inlines, and what
only the parsed functions leave out would be there again.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from functools import partial

from staticana import parse_module
from staticana.ir.graph import closure
from staticana.ir.linkage import is_own
from staticana.ir.types import Function, Global, Module, quoted

from .common_parts import KEEPS_BODIES
from .fingerprints import Fingerprints

_GLOBAL = re.compile(r"@(\"[^\"]*\"|[\w.$-]+)")
_DEFINED = re.compile(r"@(\"[^\"]*\"|[\w.$-]+) = ")
_BEFORE_MAIN = ("llvm.global_ctors", "llvm.global_dtors")
AGAIN = ".again"
"""How the name ends that the calls of a function in itself have, where one activation is seen."""


def below(name: str, known: Fingerprints, far: Collection[str] = ()) -> frozenset[str]:
    """The functions that one calls or names, directly or not; itself where it calls itself.

    Args:
        far: functions that are left out, with those that only they come to.
    """
    seen, todo = set[str](), list(known.callees[name])
    while todo:
        n = todo.pop()
        if n not in seen and n not in far:
            seen.add(n)
            todo += known.callees[n]
    return frozenset(seen)


def only_below(
    module: Module, known: Fingerprints, symbol: str, far: Collection[str] = ()
) -> Module:
    """The program without the bodies of functions that this one cannot come to, or that are far
    away from it. Variables that those may have set, or that other files can, have any value."""
    kept = closure({symbol, *_with_bodies(module)}, partial(_called, module, known, far))
    gone = [f for n, f in module.functions.items() if not f.is_declaration and n not in kept]
    variables = {} if symbol == "main" else _unknown_variables(module, gone)
    if not gone and not variables:
        return module
    return parse_module("\n".join(_cut(module, gone, variables, is_run=symbol == "main")))


def _called(module: Module, known: Fingerprints, far: Collection[str], name: str) -> set[str]:
    """The functions that one calls or names, or that variables hold which it names."""
    f = module.functions.get(name)
    if f is None or f.is_declaration:
        return set()
    held = _held(module, _names([f]))
    return {n for n in (*known.callees.get(name, ()), *held) if n in known.callees} - {*far}


def _names(functions: Iterable[Function]) -> set[str]:
    """The functions and variables that these name."""
    return {
        name.strip('"')
        for f in functions
        for block in f.blocks.values()
        for i in block.instructions
        for o in i.operands
        for name in _GLOBAL.findall(o)
    }


def _held(module: Module, names: Collection[str]) -> set[str]:
    """What variables hold the addresses of, directly or through others."""

    def inside(name: str) -> Iterator[str]:
        g = module.globals.get(name)
        return (n.strip('"') for n in _GLOBAL.findall(g.initializer or "")) if g else iter(())

    return closure({n for name in names for n in inside(name)}, inside)


def _with_bodies(module: Module) -> set[str]:
    """The functions that cannot be declarations: other names, or addresses of blocks, are made of
    them."""
    found = set[str]()
    for line in module.text.splitlines():
        if line.startswith("@") and KEEPS_BODIES.search(line):
            found.update(n.strip('"') for n in _GLOBAL.findall(line))
    return found


def _unknown_variables(module: Module, gone: Collection[Function]) -> dict[str, Global]:
    """The variables that have any value: others set them, or code that is left out does."""
    touched = {
        name.strip('"')
        for f in gone
        for block in f.blocks.values()
        for i in block.instructions
        if i.opcode != "load"
        for o in i.operands
        for name in _GLOBAL.findall(o)
    } | _held(module, _names(gone))
    return {
        name: g
        for name, g in module.globals.items()
        if g.initializer
        and not name.startswith("llvm.")
        and "constant" not in g.attributes
        and (name in touched or not is_own(g.attributes))
    }


def _cut(
    module: Module, gone: Collection[Function], variables: dict[str, Global], *, is_run: bool
) -> Iterator[str]:
    """The lines of a module where bodies are declarations and variables are those of others."""
    ends = {f.line: f for f in gone}
    skipped_to = -1
    for k, line in enumerate(module.text.split("\n")):
        if k <= skipped_to:
            continue
        if (f := ends.get(k)) is not None:
            skipped_to = f.end
            yield declaration(f, f.name)
            continue
        match = _DEFINED.match(line)
        name = match[1].strip('"') if match else ""
        if name in variables:
            yield _external(variables[name])
        elif is_run or name not in _BEFORE_MAIN:
            yield line


def _external(g: Global) -> str:
    local = "thread_local " if "thread_local" in g.attributes else ""
    return (
        f"@{quoted(g.name)} = external {local}global {g.type}{f', !dbg {g.dbg}' if g.dbg else ''}"
    )


def declaration(f: Function, name: str) -> str:
    """The declaration of a function with the types of another."""
    kinds = [p.type for p in f.parameters] + ["..."] * ("..." in f.header)
    return f"declare {f.type} @{quoted(name)}({', '.join(kinds)})"


def one_activation(module: Module, symbol: str) -> Module:
    """The program with another function, which is not there, in place of the calls of a function
    in itself."""
    f = module.functions[symbol]
    lines = module.text.split("\n")
    called = re.compile(rf"@{re.escape(quoted(symbol))}(?=\()")
    again = f"@{quoted(symbol + AGAIN)}"
    for k in range(f.line + 1, f.end + 1):
        lines[k] = called.sub(lambda _: again, lines[k])
    lines.insert(f.end + 1, declaration(f, symbol + AGAIN))
    return parse_module("\n".join(lines))
