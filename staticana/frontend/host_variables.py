"""Variables of a procedure of Fortran that its internal procedures use, handed one by one.

flang hands an internal procedure one structure with the addresses of all variables of its host that
it uses: `call void @_QFPread(ptr %tuple)`. What the procedure does to them is then seen behind two
pointers. Here it gets each address that it reads from the structure as an argument.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from ..ir.graph import callee, instructions
from ..ir.matchers import is_gep, is_load
from ..ir.parser import parse_module
from ..ir.tokens import NAME, split_top
from ..ir.types import Function, Instruction, IntLiteral, Register

_NEST = "ptr nest "
_HOSTED = re.compile(rf"^define internal [^\n]*?@({NAME})\([^\n]*\b{_NEST}", re.MULTILINE)
_REGISTER = re.compile(rf"%{NAME}")


_Steps = tuple[tuple[str, tuple[str, ...]], ...]
"""A way into a structure: for each address on it, the type that it starts from and the indices."""


class _Member(NamedTuple):
    """A member of the structure: the way to it, and the type that is loaded there."""

    steps: _Steps
    kind: str


def has_host_variables(text: str) -> bool:
    """Is there an internal procedure that uses variables of its host?"""
    return _NEST in text and _HOSTED.search(text) is not None


def with_host_variables_apart(text: str) -> str:
    """The text in which internal procedures get the addresses that they read as arguments.

    Args:
        text: a module as LLVM prints it, whose registers and blocks all have names.
    """
    names = {name for name in _HOSTED.findall(text) if not _is_handed_on(text, name)}
    named = re.compile("|".join(rf"@{re.escape(n)}\(" for n in sorted(names)) or r"(?!)")
    module = parse_module(text, wanted=lambda lines: any(map(named.search, lines)))
    hosted = {n: _Hosted.of(module.functions[n]) for n in names}
    known = {n: h for n, h in hosted.items() if h is not None}
    while lost := {n for n, h in known.items() if not h.hands_to <= known.keys()}:
        known = {n: h for n, h in known.items() if n not in lost}
    _close(known)
    lines = text.split("\n")
    for f in module.functions.values():
        if not f.is_declaration:
            _Rewriting(f, known, lines).rewrite()
    return "\n".join(lines)


def _is_handed_on(text: str, name: str) -> bool:
    """Is the procedure's own address used?"""
    return re.search(rf"@{re.escape(name)}(?![\w.$(-])", text) is not None


def _close(known: Mapping[str, _Hosted]) -> None:
    """Who hands the structure on is handed what is read there."""
    changed = True
    while changed:
        changed = False
        for h in known.values():
            for other in h.hands_to:
                more = known[other].members.keys() - h.members.keys()
                h.members.update(dict.fromkeys(more, ()))
                changed |= bool(more)


@dataclass
class _Hosted:
    """An internal procedure. at: the number of the parameter with the structure; members: what it
    reads there -> its loads; addresses: of these; hands_to: procedures that it hands the
    structure."""

    at: int
    token: Register
    members: dict[_Member, tuple[Instruction, ...]] = field(default_factory=dict)
    addresses: list[Instruction] = field(default_factory=list)
    hands_to: set[str] = field(default_factory=set)

    @staticmethod
    def of(f: Function) -> _Hosted | None:
        """None where the structure is used in another way."""
        found = [k for k, p in enumerate(f.parameters) if "nest" in p.attributes.split()]
        if len(found) != 1:
            return None
        at = found[0]
        token = f.parameters[at].token
        if not isinstance(token, Register):
            return None
        first = {i.token for i in _before_writes(f)}
        result = _Hosted(at, token)
        for user in f.users.get(token, ()):
            if is_gep(user) and user.operands[0] == token:
                if not result._reads(f, user, (), first):
                    return None
            elif user.is_call and user.operands.count(token) == 1 and callee(user):
                result.hands_to.add(callee(user) or "")
            else:
                return None
        return result

    def _reads(self, f: Function, gep: Instruction, way: _Steps, first: set[Register]) -> bool:
        """Note the loads behind an address in the structure; False where it is used otherwise, or
        after something was written."""
        if not all(isinstance(o, IntLiteral) for o in gep.operands[1:]):
            return False
        way = (*way, (gep.type, tuple(map(str, gep.operands[1:]))))
        self.addresses.append(gep)
        for u in f.users.get(gep.token, ()):
            if is_gep(u) and u.operands[0] == gep.token:
                if not self._reads(f, u, way, first):
                    return False
            elif is_load(u) and u.token in first:
                member = _Member(way, u.type)
                self.members[member] = (*self.members.get(member, ()), u)
            else:
                return False
        return True


def _before_writes(f: Function) -> Iterator[Instruction]:
    for i in f.entry.instructions:
        if i.may_write and not (callee(i) or "").startswith(("llvm.dbg.", "llvm.lifetime.")):
            return
        yield i


@dataclass
class _Rewriting:
    f: Function
    known: Mapping[str, _Hosted]
    lines: list[str]

    def rewrite(self) -> None:
        own = self.known.get(self.f.name)
        new: dict[str, str] = {}
        if own is not None:
            new = self._as_parameters(own)
        for i in instructions(self.f):
            called = self.known.get(callee(i) or "") if i.is_call else None
            if called is not None:
                self._hand_over(i, called, own)
        if new:
            for n in range(self.f.line + 1, self.f.end):
                self.lines[n] = _REGISTER.sub(lambda m: new.get(m[0], m[0]), self.lines[n])

    def _as_parameters(self, own: _Hosted) -> dict[str, str]:
        """Let the procedure have a parameter for each member; register -> the parameter for it."""
        given = ", ".join(f"{m.kind} %{self._name(k)}" for k, m in enumerate(own.members))
        head = self.lines[self.f.line]
        start = head.index("(", head.index(f"@{self.f.name}"))
        self.lines[self.f.line] = _with_argument(head, start, own.at, given)
        found: dict[str, str] = {}
        for k, loads in enumerate(own.members.values()):
            for load in loads:
                found[str(load.token)] = f"%{self._name(k)}"
                self.lines[load.line] = ""
        for address in own.addresses:
            self.lines[address.line] = ""
        return found

    def _hand_over(self, call: Instruction, called: _Hosted, own: _Hosted | None) -> None:
        """Let a call hand over the members that are read."""
        token = call.operands[1 + called.at]
        before: list[str] = []
        given: list[str] = []
        for k, m in enumerate(called.members):
            if own is not None and token == own.token:
                given.append(f"{m.kind} %{self._name(list(own.members).index(m))}")
                continue
            name = f"looplaw.host.{call.line - self.f.line}.{k}"
            at = str(token)
            for step, (structure, indices) in enumerate(m.steps):
                numbers = ", ".join(f"i32 {index}" for index in indices)
                before.append(
                    f"  %{name}.at.{step} = getelementptr {structure}, ptr {at}, {numbers}"
                )
                at = f"%{name}.at.{step}"
            before.append(f"  %{name} = load {m.kind}, ptr {at}")
            given.append(f"{m.kind} %{name}")
        line = self.lines[call.line]
        start = line.index("(", line.index(call.operands[0]))
        changed = _with_argument(line, start, called.at, ", ".join(given))
        self.lines[call.line] = "\n".join([*before, changed])

    @staticmethod
    def _name(k: int) -> str:
        return f"looplaw.host.member.{k}"


def _with_argument(line: str, start: int, at: int, given: str) -> str:
    """A line in which others stand for argument `at` of the list that opens at `start`."""
    depth, end = 0, start
    for end in range(start, len(line)):
        depth += {"(": 1, ")": -1}.get(line[end], 0)
        if not depth:
            break
    arguments = split_top(line[start + 1 : end])
    arguments[at : at + 1] = [given] if given else []
    return f"{line[: start + 1]}{', '.join(arguments)}{line[end:]}"
