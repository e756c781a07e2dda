"""Functions that count for their callers: what they counted is added to a local variable of the
caller.

A small function that is called very often must not touch the thread's words each time. Where it is
inlined, the caller's variable becomes a register; where it is not, adding to it is one instruction.
This is for functions of the module that are only called directly, that always return, and whose
loops are not deep, so that no long time passes before the caller adds the counts to the thread's
words.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from staticana.ir.loop_info import loop_forest
from staticana.ir.types import Function, Module

from .abnormal_exits import Barriers, callee_of, linkage
from .function_editor import reference

_MOST_WORDS = 32
_MOST_HEIGHT = 2
_GLOBAL = re.compile(r'@(?:"(?:[^"\\]|\\.)*"|[-a-zA-Z$._0-9]+)')


@dataclass(frozen=True)
class Carried:
    """words: what the function adds to, in the caller's order; offsets: where the words of
    functions that it calls begin; height: loops inside each other, its callees' included."""

    words: tuple[int, ...]
    offsets: Mapping[str, int]
    height: int


def find_carried(
    module: Module, barriers: Barriers, own: Mapping[str, tuple[int, ...]]
) -> dict[str, Carried]:
    """The functions that count for their callers; `own` are the words of each function that counts."""
    found: dict[str, Carried | None] = {}
    mentions = Counter(_GLOBAL.findall(module.text))
    calls: Counter[str] = Counter()
    callees: dict[str, list[tuple[str, str]]] = {}  # function -> block and callee of its calls
    for f in module.functions.values():
        for b in f.blocks.values():
            for i in b.instructions:
                name = callee_of(i) if i.opcode in ("call", "invoke") else None
                if name is not None:
                    calls[name] += 1
                    callees.setdefault(f.name, []).append((b.name, name))

    def visit(f: Function, above: frozenset[str]) -> Carried | None:
        if f.name in found:
            return found[f.name]
        if f.name in above:
            return None
        result = found[f.name] = None if _is_fixed(f) else look(f, above | {f.name})
        return result

    def _is_fixed(f: Function) -> bool:
        """Must its parameters stay as they are, or may it not return?"""
        return (
            not linkage(f) & {"internal", "private"}
            or f.name in barriers.leaving
            or "..." in f.header
            or mentions[reference(f.name, "@")] != calls[f.name] + 1
            or f.name in _reached(callees, f.name)
            or any("musttail" in i.flags for b in f.blocks.values() for i in b.instructions)
        )

    def look(f: Function, above: frozenset[str]) -> Carried | None:
        forest = loop_forest(f, module)
        depths = {
            name: forest.by_header()[header].depth for name, header in forest.innermost.items()
        }
        words, offsets, height = (
            list(own.get(f.name, ())),
            dict[str, int](),
            max(depths.values(), default=0),
        )
        for block, name in callees.get(f.name, ()):
            callee = module.functions.get(name)
            inner = (
                visit(callee, above) if callee is not None and not callee.is_declaration else None
            )
            if inner is None:
                if name in barriers.looping:
                    return None
                continue
            height = max(height, depths.get(block, 0) + inner.height)
            if name not in offsets:
                offsets[name] = len(words)
                words += inner.words
        return (
            Carried(tuple(words), offsets, height)
            if words and len(words) <= _MOST_WORDS and height <= _MOST_HEIGHT
            else None
        )

    for f in module.functions.values():
        if not f.is_declaration:
            visit(f, frozenset())
    return {name: carried for name, carried in found.items() if carried is not None}


def _reached(callees: Mapping[str, list[tuple[str, str]]], start: str) -> set[str]:
    """What a function calls, through all levels."""
    seen: set[str] = set()
    work = [start]
    while work:
        for _, name in callees.get(work.pop(), ()):
            if name not in seen:
                seen.add(name)
                work.append(name)
    return seen
