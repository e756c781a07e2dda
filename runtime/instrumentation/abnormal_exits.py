"""Abnormal exits: instructions at which control may leave a function, or come back a second time,
without passing one of its returns.

A call of an unknown function may call exit() or abort(), jump (longjmp), throw, fork, or wait until
a signal ends the process; a volatile access may trap. What was counted before such an instruction
has to be in memory when it is reached, and nothing may be concluded across it from the conservation
of flow.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from staticana.alias.library import declared_function
from staticana.ir.graph import callee, closure, instructions
from staticana.ir.loop_info import loop_forest
from staticana.ir.types import Function, Instruction, Module


def linkage(function: Function) -> frozenset[str]:
    """The words in front of a function's name in its header: linkage, visibility, type."""
    return frozenset(function.header[: function.header.find("@")].split())


def is_emitted(function: Function) -> bool:
    """Does the compiler emit code for this definition?"""
    return not function.is_declaration and "available_externally" not in linkage(function)


def is_own(function: Function | None) -> bool:
    """Does a call in this module reach this definition? The linker may replace a weak one."""
    return function is not None and is_emitted(function) and "weak" not in linkage(function)


@dataclass(frozen=True)
class AbnormalExits:
    """Which functions of a module may not return, and which run loops.

    Attributes:
        leaving: functions that contain an abnormal exit, directly or through their callees.
        looping: functions that contain a loop, likewise.
        callers: callee -> functions that call it directly.
    """

    module: Module
    leaving: frozenset[str]
    looping: frozenset[str]
    callers: Mapping[str, frozenset[str]]

    def may_leave(self, i: Instruction) -> bool:
        """May control not continue behind this instruction, or continue there twice?"""
        return _is_unknown(self.module, i) or callee(i) in self.leaving

    def may_last(self, i: Instruction) -> bool:
        """May it leave, or run loops of its own?"""
        return self.may_leave(i) or callee(i) in self.looping

    def with_callers(self, name: str) -> frozenset[str]:
        """The function and all functions that may call it, directly or not."""
        return _with_callers({name}, self.callers)

    def is_recursive(self, name: str) -> bool:
        """Does the function call itself, directly or through others, as far as calls by name
        tell?"""
        return name in closure(self.callers.get(name, ()), lambda f: self.callers.get(f, ()))


def _is_unknown(module: Module, i: Instruction) -> bool:
    """Is this instruction an abnormal exit by itself?"""
    if i.opcode in ("load", "store"):
        return "volatile" in i.flags
    if not i.is_call:
        return i.opcode in ("callbr", "resume")
    name = callee(i)
    if name is None:
        return i.operands[0] != "asm"
    known = declared_function(module, name)
    return not is_own(module.functions.get(name)) and not (known and known.returns_soon)


def find_abnormal_exits(module: Module) -> AbnormalExits:
    """Find the abnormal exits and the loops of a module, and follow the call graph upwards."""
    callers: dict[str, set[str]] = {}
    leaving: set[str] = set()
    looping: set[str] = set()
    for f in module.functions.values():
        if f.is_declaration:
            continue
        if loop_forest(f, module).loops:
            looping.add(f.name)
        for i in instructions(f):
            if _is_unknown(module, i):
                leaving.add(f.name)
            elif (name := callee(i)) is not None and not name.startswith("llvm."):
                callers.setdefault(name, set()).add(f.name)
    frozen = {name: frozenset(found) for name, found in callers.items()}
    return AbnormalExits(
        module, _with_callers(leaving, frozen), _with_callers(looping, frozen), frozen
    )


def _with_callers(start: Iterable[str], callers: Mapping[str, frozenset[str]]) -> frozenset[str]:
    """Functions, and all that call one of them through any number of levels."""
    return frozenset(closure(start, lambda name: callers.get(name, ())))
