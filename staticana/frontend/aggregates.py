"""Structures that are loaded and stored whole, taken apart into their members.

flang keeps the bounds of an array in a descriptor, and reads and writes it as one value:
`%d = load { ptr, i64, i32, ..., [2 x [3 x i64]] }, ptr @u` with `extractvalue ... %d, 7, 1, 1`
behind it. What a member holds is then seen by nobody who asks memory. Here each member that is
taken out of a load is loaded by itself, and each member of what is stored is stored by itself, so
that sroa takes descriptors apart like any other variable.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from ..ir.data_layout import Layout
from ..ir.matchers import is_any
from ..ir.parser import parse_module
from ..ir.tokens import NAME, split_top, split_type
from ..ir.types import Function, Instruction

_WHOLE = re.compile(r"\b(?:load|store) (?=\{)")
_TOKEN = re.compile(rf"%{NAME}")
_PLACED = re.compile(r", !dbg !\d+")
_ALIGNED = re.compile(r", align (\d+)")
_MOST_MEMBERS = 64
"""Members of a structure that is loaded or stored as a whole."""
_SCALAR = re.compile(r"i\d+$|ptr$|float$|double$")
_UNSET = frozenset(("undef", "poison"))

_Path = tuple[int, ...]


def has_aggregates(text: str) -> bool:
    """Is a structure loaded or stored whole?"""
    return _WHOLE.search(text) is not None


def with_members_apart(text: str) -> str:
    """The text in which structures are loaded and stored by their members.

    Args:
        text: a module as LLVM prints it, whose registers and blocks all have names.
    """
    module = parse_module(text, wanted=lambda lines: any(map(_WHOLE.search, lines)))
    layout = Layout(module)
    lines = text.split("\n")
    for f in module.functions.values():
        if not f.is_declaration and any(map(_WHOLE.search, lines[f.line : f.end])):
            _Apart(f, layout, lines, frozenset(module.types)).rewrite()
    return "\n".join(lines)


@dataclass
class _Apart:
    """The structures of one function. wanted: load -> the members that are taken out of it."""

    f: Function
    layout: Layout
    lines: list[str]
    types: frozenset[str]
    """The names of structures, which registers may have, too: those stay as they are."""
    wanted: dict[str, dict[_Path, str]] = field(default_factory=dict)
    taken: dict[str, str] = field(default_factory=dict)
    """Register that holds a member -> what the member is."""
    gone: set[str] = field(default_factory=set)
    """Registers that nothing sets any more."""
    written: list[str] = field(init=False)
    """The lines of the function as they were."""

    def __post_init__(self) -> None:
        self.written = self.lines[self.f.line : self.f.end + 1]

    def rewrite(self) -> None:
        stored = dict(self._stores())
        for i in self._all("extractvalue"):
            source, *indices = self._parts(i)
            kind, value = split_type(source)
            path = tuple(int(x) for x in indices)
            member = self._kind(kind, path)
            if member is not None and not self._members(member) and i.token not in self.types:
                found = self._member(kind, value, path)
                if found is not None:
                    self.taken[i.token] = found
                    self._drop(i)
        for number, text in stored.items():
            self.lines[number] = text
        self._drop_unused(set(stored))
        for i in self._all("load"):
            if i.token in self.wanted:
                self._load_members(i)
        known = {token: self._resolved(token) for token in self.taken}
        for n in range(self.f.line + 1, self.f.end + 1):
            self.lines[n] = _TOKEN.sub(lambda m: known.get(m[0], m[0]), self.lines[n])

    # -- instructions
    def _all(self, opcode: str) -> Iterator[Instruction]:
        for b in self.f.blocks.values():
            yield from (i for i in b.instructions if is_any(i, opcode))

    def _parts(self, i: Instruction) -> list[str]:
        """The operands of an instruction as they are written, without what is said of it."""
        text = self.written[i.line - self.f.line].split(f"{i.opcode} ", 1)[1]
        return [p for p in split_top(text) if not p.startswith(("!", "align "))]

    def _said(self, i: Instruction) -> str:
        """The place of an instruction in the source, as its line says it."""
        found = _PLACED.search(self.written[i.line - self.f.line])
        return found[0] if found else ""

    def _stores(self) -> Iterator[tuple[int, str]]:
        """The lines of stores of structures, with those that store their members."""
        for i in self._all("store"):
            if i.type[:1] != "{" or i.flags & {"volatile", "atomic"}:
                continue
            stored, address = self._parts(i)[:2]
            kind, value = split_type(stored)
            paths = self._paths(kind)
            members = [self._member(kind, value, path) for path in paths]
            if not paths or None in members:
                continue
            said = self._said(i)
            made: list[str] = []
            for k, (path, member) in enumerate(zip(paths, members, strict=True)):
                if member in _UNSET:
                    continue
                at = f"%looplaw.member.{i.line - self.f.line}.{k}"
                made.append(self._address(at, kind, address, path, said))
                own = self._kind(kind, path) or ""
                made.append(f"  store {own} {member}, ptr {at}{self._aligned(i, own)}{said}")
            yield i.line, "\n".join(made)

    def _load_members(self, i: Instruction) -> None:
        kind, address = self._parts(i)[:2]
        said = self._said(i)
        made = [] if i.token in self.gone else [self.lines[i.line]]
        for k, (path, name) in enumerate(self.wanted[i.token].items()):
            at = f"%looplaw.member.{i.line - self.f.line}.{k}"
            made.append(self._address(at, kind, address, path, said))
            own = self._kind(kind, path) or ""
            made.append(f"  {name} = load {own}, ptr {at}{self._aligned(i, own)}{said}")
        self.lines[i.line] = "\n".join(made)

    def _aligned(self, i: Instruction, member: str) -> str:
        """How a member is aligned in a structure that is loaded or stored at such an address."""
        whole = _ALIGNED.search(self.written[i.line - self.f.line])
        size = self.layout.size(member) if _SCALAR.match(member) else None
        return f", align {min(int(whole[1]), size or 1)}" if whole else ""

    @staticmethod
    def _address(name: str, kind: str, address: str, path: _Path, said: str) -> str:
        indices = "".join(f", i32 {k}" for k in path)
        return f"  {name} = getelementptr inbounds {kind}, {address}, i32 0{indices}{said}"

    def _drop(self, i: Instruction) -> None:
        self.gone.add(i.token)
        self.lines[i.line] = ""

    def _drop_unused(self, replaced: set[int]) -> None:
        """Drop the structures that nothing uses any more."""
        work = [*self._all("load"), *self._all("insertvalue"), *self._all("extractvalue")]
        changed = True
        while changed:
            changed = False
            for i in work:
                users = self.f.users.get(i.token, ())
                is_whole = bool(self._members(self._type(i)))
                if i.token in self.gone or not is_whole or not users:
                    continue
                if all(u.token in self.gone or u.line in replaced for u in users):
                    self._drop(i)
                    changed = True
        if self.gone:
            for n in range(self.f.line + 1, self.f.end + 1):
                text = self.lines[n]
                if text.lstrip().startswith("#dbg") and self._is_gone(text):
                    self.lines[n] = ""

    def _is_gone(self, text: str) -> bool:
        return any(t in self.gone and t not in self.taken for t in _TOKEN.findall(text))

    # -- members
    def _type(self, i: Instruction) -> str:
        if is_any(i, "extractvalue"):
            source, *indices = self._parts(i)
            return self._kind(split_type(source)[0], tuple(map(int, indices))) or ""
        return i.type

    def _members(self, kind: str | None) -> Sequence[str]:
        """The types of the members of a structure or array; nothing for any other type."""
        return self.layout.members(kind) if kind is not None else ()

    def _kind(self, kind: str, path: _Path) -> str | None:
        for k in path:
            members = self._members(kind)
            if k >= len(members):
                return None
            kind = members[k]
        return kind

    def _paths(self, kind: str) -> list[_Path]:
        """The ways to the members that have no members; none where there are too many."""
        found: list[_Path] = []
        work: list[tuple[str, _Path]] = [(kind, ())]
        while work and len(found) <= _MOST_MEMBERS:
            kind, path = work.pop()
            members = self._members(kind)
            found += [] if members else [path]
            work += [(m, (*path, k)) for k, m in reversed([*enumerate(members)])]
        return found if len(found) <= _MOST_MEMBERS else []

    def _member(self, kind: str, value: str, path: _Path) -> str | None:
        """What is written for a member of a value; None where nobody can tell."""
        while path:
            if not value.startswith("%"):
                return self._of_constant(kind, value, path)
            i = self._definitions.get(value)
            if is_any(i, "load") and not i.flags & {"volatile", "atomic"} and i.type[:1] == "{":
                name = f"%looplaw.member.of.{i.line - self.f.line}.{'.'.join(map(str, path))}"
                return self.wanted.setdefault(i.token, {}).setdefault(path, name)
            if is_any(i, "extractvalue"):
                source, *indices = self._parts(i)
                path = (*map(int, indices), *path)
                kind, value = split_type(source)
            elif is_any(i, "insertvalue"):
                whole, part, *indices = self._parts(i)
                own = tuple(map(int, indices))
                kind, value = split_type(whole)
                if own != path and own[: len(path)] == path:
                    return None  # a part of the member is set
                if own == path[: len(own)]:
                    kind, value = split_type(part)
                    path = path[len(own) :]
            else:
                return None
        return value

    @cached_property
    def _definitions(self) -> dict[str, Instruction]:
        return {str(token): i for token, i in self.f.definitions.items()}

    def _of_constant(self, kind: str, value: str, path: _Path) -> str | None:
        for k in path:
            if value in _UNSET:
                return value
            if value == "zeroinitializer":
                return self._zero(self._kind(kind, path) or "")
            if value[:1] not in "{[":
                return None
            members = split_top(value[1:-1].strip())
            kind, value = split_type(members[k])
        return self._zero(kind) if value == "zeroinitializer" else value

    @staticmethod
    def _zero(kind: str) -> str:
        return "0" if kind[:1] == "i" else "null" if kind == "ptr" else "zeroinitializer"

    def _resolved(self, token: str) -> str:
        found = token
        while found in self.taken:
            found = self.taken[found]
        return found
