"""Functions that the optimiser inlines because they are called once.

LLVM inlines an internal function with a single call whatever its size (the bonus for the last call
to a static function, llvm/Analysis/InlineCost.h). Where the caller gets a copy with time stamps, it
has two calls, and stays a function: in LULESH this took 6 % more instructions. Such functions are
marked, so that they are inlined into both versions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection

from staticana.ir.graph import callee
from staticana.ir.tokens import global_names
from staticana.ir.types import Function, Module

from .abnormal_exits import linkage

_MOST_INSTRUCTIONS = 3000
"""LLVM's bonus of 15,000 at a cost of 5 for each instruction."""


def called_once(module: Module, copied: Collection[str]) -> frozenset[str]:
    """The functions that have their only call in one that gets a copy, or in another of these
    functions.

    Args:
        copied: the functions with a copy; none of them is among those found, since a function that
            hands over to its copy is not inlined.
    """
    if not copied:
        return frozenset()
    mentions = Counter(global_names(module.text))
    found: set[str] = set()
    open_ = list(copied)
    while open_:
        for i in module.functions[open_.pop()].calls:
            name = callee(i)
            function = module.functions.get(name or "")
            if (
                function is not None
                and function.name not in found
                and function.name not in copied
                and mentions[function.name] == 2  # its definition and this call
                and _may_be_inlined(module, function)
            ):
                found.add(function.name)
                open_.append(function.name)
    return frozenset(found)


def _may_be_inlined(module: Module, function: Function) -> bool:
    if function.is_declaration or not linkage(function) & {"internal", "private"}:
        return False
    groups = (module.attributes.get(word, "") for word in function.header.split())
    return (
        not any(" noinline " in f" {text} " for text in groups)
        and sum(len(b.instructions) for b in function.blocks.values()) <= _MOST_INSTRUCTIONS
    )
