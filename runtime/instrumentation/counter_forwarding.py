"""Functions that forward their counts: they add to a local variable of the caller, whose address
they get as one more parameter.

A small function that is called very often must not touch the thread's words each time. Where it is
inlined, the caller's variable becomes a register; where it is not, adding to it is one instruction.
A function qualifies if all its calls are known and direct (so that its parameters may change), if
it always returns, and if its loops are not deep, so that the caller soon adds the counts to the
thread's words.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from staticana.ir.graph import callee
from staticana.ir.loop_info import Loop, loop_forest
from staticana.ir.tokens import global_names
from staticana.ir.types import Function, Module

from .abnormal_exits import AbnormalExits, linkage
from .data_bounds import Accesses, find_data_bound
from .induction_variables import find_induction_variable

_MAX_WORDS = 32
"""Words that a function may forward; each is zeroed and flushed by the caller, a few instructions
for each of its calls."""
_MAX_HEIGHT = 2
"""Loops inside each other in a function that forwards, its callees' included: deeper ones run so
long that one addition to memory costs nothing, and so do loops over the rows of a sparse matrix,
where a register of the caller's is worth more."""


@dataclass(frozen=True)
class Forwarding:
    """What a function adds to its caller's variable.

    Attributes:
        words: the thread's words for which it counts, in the order of the caller's variable.
        offsets: for each function that it calls and that forwards, where its words begin.
        height: loops inside each other, its callees' included.
    """

    words: tuple[int, ...]
    offsets: Mapping[str, int]
    height: int


def find_forwarding(
    module: Module, abnormal: AbnormalExits, own: Mapping[str, tuple[int, ...]], accesses: Accesses
) -> dict[str, Forwarding]:
    """The functions that forward their counts.

    Args:
        own: the words of each function that counts.
        accesses: how the module reads and writes memory.
    """
    search = _Search(module, abnormal, own, accesses)
    for f in module.functions.values():
        if not f.is_declaration:
            search.visit(f)
    return {name: found for name, found in search.found.items() if found is not None}


class _Search:
    """A walk over the call graph, callees before callers."""

    def __init__(
        self,
        module: Module,
        abnormal: AbnormalExits,
        own: Mapping[str, tuple[int, ...]],
        accesses: Accesses,
    ) -> None:
        self.found: dict[str, Forwarding | None] = {}
        self._module, self._abnormal, self._own = module, abnormal, own
        self._accesses = accesses
        self._mentions = Counter(global_names(module.text))
        self._calls: Counter[str] = Counter()
        self._callees: dict[str, list[tuple[str, str]]] = {}  # function -> (block, callee)
        for f in module.functions.values():
            for b in f.blocks.values():
                for i in b.instructions:
                    name = callee(i)
                    if name is not None:
                        self._calls[name] += 1
                        self._callees.setdefault(f.name, []).append((b.name, name))

    def visit(self, f: Function, above: frozenset[str] = frozenset()) -> Forwarding | None:
        """What a function forwards; `above` are the functions that are being visited."""
        if f.name in self.found:
            return self.found[f.name]
        if f.name in above:
            return None
        result = None if self._is_fixed(f) else self._forwarding(f, above | {f.name})
        self.found[f.name] = result
        return result

    def _is_fixed(self, f: Function) -> bool:
        """Must its parameters stay as they are, or may it not return?"""
        return (
            not linkage(f) & {"internal", "private"}
            or f.name in self._abnormal.leaving
            or "..." in f.header
            # mentioned elsewhere than in its definition and in calls: its address is taken
            or self._mentions[f.name] != self._calls[f.name] + 1
            or self._is_recursive(f.name)
            or any("musttail" in i.flags for b in f.blocks.values() for i in b.instructions)
        )

    def _forwarding(self, f: Function, above: frozenset[str]) -> Forwarding | None:
        """Its own words and those of its callees; None where these are too many or too deep."""
        forest = loop_forest(f, self._module)
        loops = forest.by_header()
        depths = {block: loops[header].depth for block, header in forest.innermost.items()}
        words = list(self._own.get(f.name, ()))
        offsets: dict[str, int] = {}
        height = max(depths.values(), default=0)
        for block, name in self._callees.get(f.name, ()):
            callee = self._module.functions.get(name)
            known = callee is not None and not callee.is_declaration
            inner = self.visit(callee, above) if callee is not None and known else None
            if inner is None:
                if name in self._abnormal.looping:
                    return None
                continue
            height = max(height, depths.get(block, 0) + inner.height)
            if name not in offsets:
                offsets[name] = len(words)
                words += inner.words
        if not words or len(words) > _MAX_WORDS or height > _MAX_HEIGHT:
            return None
        if any(_has_rows(f, loops, loop, self._accesses) for loop in forest.loops):
            return None
        return Forwarding(tuple(words), offsets, height)

    def _is_recursive(self, start: str) -> bool:
        """Does the function call itself, directly or through others?"""
        seen: set[str] = set()
        work = [start]
        while work:
            for _, name in self._callees.get(work.pop(), ()):
                if name not in seen:
                    seen.add(name)
                    work.append(name)
        return start in seen


def _has_rows(f: Function, loops: Mapping[str, Loop], loop: Loop, accesses: Accesses) -> bool:
    """Does the loop go over a row of a matrix that the loop around it goes through?"""
    variable = find_induction_variable(f, loop) if loop.parent is not None else None
    return (
        variable is not None
        and find_data_bound(f, loop, loops[loop.parent or ""], variable, accesses) is not None
    )
