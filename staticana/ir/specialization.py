"""Functions that are handed functions, once for each function they are handed.

A wrapper that calls what it is passed (`time(&kernel, data)`) reaches each of them in some of its
calls only, and which call reaches which is lost where a function has one result for all its calls.
Here such a function is copied for every function that calls hand it, as LLVM's function
specialization does: the copy calls that one directly. Copies are for the analysis; the program
that runs is the one that was compiled.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from .graph import callee
from .parser import edited
from .types import Function, GlobalRef, Instruction, Module, Operand, quoted

MOST_COPIES = 2_000
"""Copies of all functions together."""
MOST_LINES = 400_000
"""Lines of text of all copies together."""
_NAMES = re.compile(r'@(?:"[^"]*"|[\w.$\-]+)')
_Handed = tuple[tuple[int, str], ...]


@dataclass(frozen=True)
class Specialized:
    """A module with copies; origin: copy -> the function that it is a copy of."""

    module: Module
    origin: Mapping[str, str] = field(default_factory=dict)

    def after(self, earlier: Specialized) -> Specialized:
        """With the copies that were made before."""
        origin = {copy: earlier.origin.get(name, name) for copy, name in self.origin.items()}
        return Specialized(self.module, {**earlier.origin, **origin})


def specialized(module: Module, entry: str) -> Specialized:
    """The module in which functions are copied for the functions that they are handed; itself where
    none is handed different ones. What only copies replace is left out of a program that begins at
    `entry`."""
    copies = _Copies(module, entry)
    text = copies.text()
    if text is None:
        return Specialized(module)
    return Specialized(edited(module, text), dict(copies.origin))


class _Copies:
    """Makes the copies, each once."""

    def __init__(self, module: Module, entry: str) -> None:
        self.module, self.entry = module, entry
        self.defined = {f.name: f for f in module.functions.values() if not f.is_declaration}
        self.lines = module.text.split("\n")
        self._original = tuple(self.lines)
        self.called = self._called()
        self.names: dict[tuple[str, _Handed], str] = {}
        self.origin: dict[str, str] = {}
        self.work: list[tuple[str, _Handed]] = []

    def _called(self) -> dict[str, frozenset[int]]:
        """Function -> its parameters that it calls, or hands on to functions that do."""
        found: dict[str, set[int]] = {name: set() for name in self.defined}
        changed = True
        while changed:
            changed = False
            for f in self.defined.values():
                at = {str(p.token): k for k, p in enumerate(f.parameters)}
                for i in _calls(f):
                    for token in self._callees(i, found):
                        k = at.get(str(token))
                        if k is not None and k not in found[f.name]:
                            found[f.name].add(k)
                            changed = True
        return {name: frozenset(at) for name, at in found.items() if at}

    @staticmethod
    def _callees(i: Instruction, found: Mapping[str, set[int]]) -> Iterator[Operand]:
        """What an instruction calls, or hands to a function that calls it."""
        yield i.operands[0]
        for k in found.get(callee(i) or "", ()):
            yield from i.operands[k + 1 : k + 2]

    def text(self) -> str | None:
        """The new text of the module; None where nothing is to be copied."""
        several: dict[str, set[_Handed]] = {}
        for f in self.defined.values():
            for i in _calls(f):
                handed = self._handed(i, {})
                if handed:
                    several.setdefault(callee(i) or "", set()).add(handed)
        if not any(len(keys) > 1 for keys in several.values()):
            return None
        for f in self.defined.values():
            self._put(f, {}, f.line)
        added: list[str] = []
        while self.work:
            name, handed = self.work.pop()
            added += self._copy(self.defined[name], handed)
            if len(added) > MOST_LINES:
                return None
        if len(self.names) > MOST_COPIES:
            return None
        self._leave_out(added)
        return "\n".join([*self.lines, *added, ""])

    def _leave_out(self, added: Sequence[str]) -> None:
        """Drop the functions that nothing mentions any more since copies replace them."""
        waiting = {
            name
            for name in self.origin.values()
            if name != self.entry
            and (self.entry == "main" or " internal " in self.defined[name].header)
        }
        while True:
            mentions = Counter(m for line in (*self.lines, *added) for m in _NAMES.findall(line))
            unused = {
                name
                for name in waiting
                if mentions[_reference(name)]
                == sum(
                    _NAMES.findall(line).count(_reference(name))
                    for line in self.lines[self.defined[name].line : self.defined[name].end + 1]
                )
            }
            if not unused:
                return
            for name in unused:
                f = self.defined[name]
                self.lines[f.line : f.end + 1] = [""] * (f.end + 1 - f.line)
            waiting -= unused

    def _handed(self, i: Instruction, known: Mapping[Operand, str]) -> _Handed:
        """The functions that a call hands to a function of the program that calls them."""
        name = callee(i) or ""
        found: list[tuple[int, str]] = []
        for k in sorted(self.called.get(name, ())):
            for token in i.operands[k + 1 : k + 2]:
                target = (
                    token.name
                    if isinstance(token, GlobalRef) and token.name in self.module.functions
                    else known.get(token)
                )
                if target is not None:
                    found.append((k, target))
        return tuple(found)

    def _put(self, f: Function, known: Mapping[Operand, str], line: int) -> None:
        """Direct the calls in a function, whose text begins at a line, to copies."""
        for i in _calls(f):
            handed = self._handed(i, known)
            name = callee(i)
            if handed and name is not None:
                at = line + i.line - f.line
                self.lines[at] = self.lines[at].replace(
                    f"{_reference(name)}(", f"{_reference(self._name(name, handed))}(", 1
                )

    def _name(self, name: str, handed: _Handed) -> str:
        key = (name, handed)
        if key not in self.names:
            self.names[key] = f"{name}.handed.{len(self.names)}"
            self.origin[self.names[key]] = name
            self.work.append(key)
        return self.names[key]

    def _copy(self, f: Function, handed: _Handed) -> list[str]:
        """The text of a copy."""
        known: dict[Operand, str] = {f.parameters[k].token: target for k, target in handed}
        kept, self.lines = self.lines, list(self._original[f.line : f.end + 1])
        self._put(f, known, 0)
        text, self.lines = self.lines, kept
        new = _reference(self.names[f.name, handed])
        head = text[0].replace(f"{_reference(f.name)}(", f"{new}(", 1)
        body = "\n".join(text[1:])
        for token, target in known.items():
            name = _reference(target).replace("\\", r"\\")
            body = re.sub(rf"{re.escape(token)}(?![\w.$\-])", name, body)
        return [head, *body.split("\n")]


def _reference(name: str) -> str:
    return f"@{quoted(name)}"


def _calls(f: Function) -> Iterator[Instruction]:
    return (i for i in f.calls if i.operands)
