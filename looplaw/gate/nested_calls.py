"""How many loops there are around calls whose work is not in the laws of a function.

These are calls of library functions, where the lengths of strings are not the same symbols before
and after, so that their work cannot be compared as a formula; and calls of functions whose bodies
are not among the sources, which cost nobody knows what. That such a call moved into a loop shows
all the same.
"""

from __future__ import annotations

from collections.abc import Collection

import msgspec

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
    """loops: around the call that stands deepest, in the function or those it calls; at: the
    innermost of them, empty where there is none. is_foreign: the body of what is called is not
    among the sources, or a pointer says what it is."""

    loops: int
    at: str
    is_foreign: bool = False


def nested_calls(module: Module, symbol: str, constant: Collection[str]) -> dict[str, NestedCall]:
    """Function -> its deepest call below a function: of the library, or foreign.

    Args:
        constant: places of loops that run a constant number of times, which do not count.
    """
    return _calls(Words(module), module.functions[symbol], frozenset(constant), {}, ())


def _calls(
    words: Words,
    f: Function,
    constant: Collection[str],
    known: dict[str, dict[str, NestedCall]],
    above: tuple[str, ...],
) -> dict[str, NestedCall]:
    if f.name in known:
        return known[f.name]
    if f.name in above:
        return {}
    module = words.module
    forest, found = loop_forest(f, module), dict[str, NestedCall]()
    for block in f.blocks.values():
        if block.terminator.opcode == "unreachable":
            continue  # reports of failures, which nothing follows
        around = _around(forest, block.name, constant)
        for i in block.instructions:
            called = module.functions.get(callee(i) or "")
            if called is not None and not called.is_declaration:
                inner = _calls(words, called, constant, known, (*above, f.name))
            else:
                inner = _outside(words, f, i, called)
            for name, call in inner.items():
                loops = call.loops + len(around)
                if name not in found or found[name].loops < loops:
                    at = call.at or (around[0] if around else "")
                    found[name] = NestedCall(loops, at, call.is_foreign)
    known[f.name] = found
    return found


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
