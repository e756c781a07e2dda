"""How a function finds the words of the thread that runs it, and where it need not ask whether the
thread has any yet.

A thread-local variable points to them, null until the thread first counts something. The test for
null takes three instructions and a call on a path that never runs, for which a short function would
need a frame. A function that only functions with words call needs no test: those that others can
reach (from outside, by a pointer) test when they are entered, and the main thread gets its words
before `main`. This does not hold in a program that may fork: the child has no words at first, and
goes on in the middle of a function.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from staticana.alias.library import library_function
from staticana.ir.graph import instructions
from staticana.ir.tokens import global_names
from staticana.ir.types import Module

from .abnormal_exits import AbnormalExits, is_emitted, linkage
from .ir_text.code_builder import CodeBuilder

_TEST = "call ptr @__looplaw_base()"
_TEST_ONCE = "call ptr @__looplaw_enter()"
_LOAD = "load ptr, ptr @__looplaw_words, align 8"
_OWN = re.compile(r"(%ll\.base)\.\d+\b")
_OWN_LINE = re.compile(r"\n  %ll\.base\.\d+ = load ptr, ptr @__looplaw_words, align 8(?=\n)")
_MAX_LOADS = 2
"""Places outside of loops where a function loads the address of its words anew; with more it loads
it once."""


@dataclass(frozen=True)
class Entered:
    """How threads with and without words enter the functions of a module.

    Attributes:
        testing: functions that give their thread words when they are entered.
        with_words: functions that only run in threads with words, those among them.
    """

    testing: frozenset[str] = frozenset()
    with_words: frozenset[str] = frozenset()


def find_entered(module: Module, abnormal: AbnormalExits, counting: Iterable[str]) -> Entered:
    """Which functions test, and which need not.

    Args:
        counting: functions that need words. Those of them that others can reach test when they are
            entered, unless they may be left in the middle.
    """
    if may_fork(module):
        return Entered()
    closed = _closed(module)
    testing = frozenset(counting) - closed - abnormal.leaving
    found = testing | {name for name in closed if name == "main" or abnormal.callers.get(name)}
    work = found - testing - {"main"}
    while out := {name for name in work if not abnormal.callers[name] <= found}:
        found, work = found - out, work - out
    return Entered(testing, found)


def _closed(module: Module) -> frozenset[str]:
    """The functions that are called directly from this module, and in no other way; `main` is
    called by nobody."""
    mentions = Counter(global_names(module.text))
    calls: Counter[str] = Counter()
    for f in module.functions.values():
        for i in instructions(f):
            if i.is_call and i.operands[0].startswith("@"):
                calls[i.operands[0][1:].strip('"')] += 1
    return frozenset(
        f.name
        for f in module.functions.values()
        if is_emitted(f)
        and mentions[f.name] == calls[f.name] + 1
        and (f.name == "main" or linkage(f) & {"internal", "private"})
    )


def may_fork(module: Module) -> bool:
    """May a second process go on in the middle of a function?"""
    for f in module.functions.values():
        if f.is_declaration and not f.name.startswith("llvm."):
            known = library_function(f.name)
            if known is None or known.forks:
                return True
        elif any(i.is_call and i.operands[0] == "asm" for i in instructions(f)):
            return True
    return False


class ThreadWords:
    """The words of the thread in one function.

    Args:
        stays: the thread is the same as long as the function runs.
        given: it has words already.
        tests: they are looked up when the function is entered, in any case.
    """

    def __init__(self, *, stays: bool, given: bool, tests: bool) -> None:
        # where it does not stay, the test's call has one more purpose: the optimiser does not move
        # additions to memory across it
        self._stays, self._given = stays, given and stays
        self._loads = 0
        self._at_entry = tests

    def address(self, code: CodeBuilder, *, in_loop: bool = True) -> str:
        """The address of the words, where `code` is inserted; `in_loop`: perhaps in a loop."""
        if self._given:
            self._loads += 1
            self._at_entry = self._at_entry or in_loop
            register = f"%ll.base.{self._loads}"
            code.lines.append(f"  {register} = {_LOAD}")
            return register
        if self._stays:
            self._at_entry = True
            return "%ll.base"
        return code.value(_TEST)

    def known(self, code: CodeBuilder) -> str:
        """The address of the words where the thread surely has some."""
        return code.value(_LOAD)

    @property
    def are_asked_for(self) -> bool:
        """Does each look at the words test whether there are any?"""
        return not self._stays

    @property
    def prologue(self) -> list[str]:
        """What the function begins with."""
        once = self._at_entry or self._loads > _MAX_LOADS
        return [f"  %ll.base = {_LOAD if self._given else _TEST_ONCE}"] if once else []

    def rewritten(self, text: str) -> str:
        """The function's text, with one load for all if the prologue has it."""
        if not self._given or not self.prologue:
            return text
        return _OWN.sub(r"\1", _OWN_LINE.sub("", text))
