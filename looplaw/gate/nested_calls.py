"""How many loops there are around calls whose work is not in the laws of a function.

These are calls of library functions, where the lengths of strings are not the same symbols before
and after, so that their work cannot be compared as a formula; and calls of functions whose bodies
are not among the sources, which cost nobody knows what. That such a call moved into a loop shows
all the same.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from functools import cached_property

import msgspec

from looplaw_common.digraph import Digraph, circles
from staticana.alias.library import library_function
from staticana.alias.whole_programs import is_elsewhere
from staticana.ir.graph import callee
from staticana.ir.loop_info import LoopForest, loop_forest
from staticana.ir.types import Function, Instruction, Module, Register

from .words import Words

POINTER = "(*)"
"""What stands for functions that are called through pointers, where no member holds these."""
MEMBER = "->"
"""How what stands for those begins that the members of one name hold."""


class NestedCall(msgspec.Struct, frozen=True):
    """loops: around the call that stands deepest, in the function or those it calls, where
    functions that call each other count as one loop; at: the innermost of them, empty where there
    is none. is_foreign: the body of what is called is not among the sources, or a pointer says what
    it is."""

    loops: int
    at: str
    is_foreign: bool = False


def nested_calls(module: Module, symbol: str, constant: Collection[str]) -> dict[str, NestedCall]:
    """Function -> its deepest call below a function: of the library, or foreign.

    Args:
        constant: places of loops that run a constant number of times, which do not count.
    """
    nested = _Nested(Words(module), frozenset(constant))
    return nested.calls(module.functions[symbol], ())


def loops_that_call(module: Module, symbol: str) -> dict[str, str]:
    """Function -> the place of a loop, in which it calls another one directly."""
    found: dict[str, str] = {}
    for name, f in module.functions.items():
        if name == symbol or f.is_declaration or not any(callee(i) == symbol for i in f.calls):
            continue
        forest = loop_forest(f, module)
        for block in f.blocks.values():
            if any(i.is_call and callee(i) == symbol for i in block.instructions):
                around = _around(forest, block.name, ())
                found |= {name: around[0]} if around else {}
    return found


@dataclass(frozen=True)
class _Nested:
    """The calls of the functions of a module. constant: as in `nested_calls`."""

    words: Words
    constant: frozenset[str]
    _known: dict[tuple[str, bool], dict[str, NestedCall]] = field(default_factory=dict)

    def calls(self, f: Function, above: tuple[str, ...]) -> dict[str, NestedCall]:
        """Those below a function, which is called by those above, the outermost first."""
        circle = self._circles.get(f.name, frozenset())
        again = int(bool(circle) and circle.isdisjoint(above))
        key = (f.name, bool(again))
        if key in self._known:
            return self._known[key]
        if f.name in above:
            return {}
        module = self.words.module
        forest, found = loop_forest(f, module), dict[str, NestedCall]()
        for block in f.blocks.values():
            if block.terminator.opcode == "unreachable":
                continue  # reports of failures, which nothing follows
            around = _around(forest, block.name, self.constant)
            for i in block.instructions:
                called = module.functions.get(callee(i) or "")
                if called is not None and not called.is_declaration:
                    inner = self.calls(called, (*above, f.name))
                else:
                    inner = _outside(self.words, f, i, called)
                for name, call in inner.items():
                    loops = call.loops + len(around) + again
                    if name not in found or found[name].loops < loops:
                        at = call.at or (around[0] if around else "")
                        found[name] = NestedCall(loops, at, call.is_foreign)
        self._known[key] = found
        return found

    @cached_property
    def _circles(self) -> dict[str, frozenset[str]]:
        """Function -> those that call each other with it; only of functions that run again below
        themselves."""
        functions = self.words.module.functions
        called = ((n, callee(i)) for n, f in functions.items() for i in f.calls)
        graph = Digraph(functions, ((n, c) for n, c in called if c is not None and c in functions))
        return {
            n: frozenset(circle)
            for circle in circles(graph)
            for n in circle
            if len(circle) > 1 or graph.has_edge(n, n)
        }


def _outside(
    words: Words, f: Function, i: Instruction, called: Function | None
) -> dict[str, NestedCall]:
    """A call of what has no body here and costs something."""
    if not i.is_call:
        return {}
    if isinstance(i.operands[0], Register):
        return {_pointer(words, f, i.operands[0]): NestedCall(0, "", is_foreign=True)}
    name = callee(i)
    if name is None:
        return {}
    entry = library_function(name)
    if entry is not None:
        return {name: NestedCall(0, "")} if entry.cost else {}
    is_foreign = called is not None and is_elsewhere(words.module, called)
    return {name: NestedCall(0, "", is_foreign=True)} if is_foreign else {}


def _pointer(words: Words, f: Function, pointer: Register) -> str:
    """What stands for the functions that a pointer leads to: the member that it was read from."""
    load = f.definitions.get(pointer)
    address = f.definitions.get(load.operands[0]) if load is not None and load.operands else None
    if load is None or address is None or load.opcode != "load":
        return POINTER
    last = words.of(address)[-1] if address.opcode == "getelementptr" else ""
    return f"{MEMBER}{last[1:]}" if last.startswith(".") else POINTER


def _around(forest: LoopForest, block: str, constant: Collection[str]) -> list[str]:
    """The places of the loops around a block, inner ones first."""
    around = [loop for loop in forest.loops if block in loop.blocks and loop.at not in constant]
    return [loop.at for loop in sorted(around, key=lambda loop: -loop.depth)]
