"""What operands and constants of a program stand for, whatever lines and files they stand in.

An assertion carries the number of its line, the name of its file and that of its function; the
member of a structure is addressed by its number, which changes when another one comes before it.
None of these changes what a function does: lines, files and members are words here.
"""

from __future__ import annotations

import re
from functools import cached_property

from staticana.alias.underlying_objects import UnderlyingObjects
from staticana.ir.data_layout import Layout
from staticana.ir.debug_members import MemberNames
from staticana.ir.linkage import is_own
from staticana.ir.tokens import constant_address
from staticana.ir.types import Constant, Global, GlobalRef, Instruction, IntLiteral, Module

POINTER = "(*)"
"""What stands for functions that are called through pointers, where no member holds these."""
MEMBER = "->"
"""How what stands for those begins that the members of one name hold."""
_FILE = re.compile(r'!DIFile\(filename: "((?:[^"\\]|\\.)*)"')
_OF_FUNCTION = ("__func__.", "__FUNCTION__.", "__PRETTY_FUNCTION__.")
_NAMELESS = (".str", "__const", "switch.table")
_UNNAMED = re.compile(r"[.:]anon\b")
_NUMBER = re.compile(r"(?<=[\w:])\.\d+(?=\W|$)")
_COPY = re.compile(r"\.\d+$")
_NAMELESS_USED = re.compile(r"@((?:\.str|__func__|__FUNCTION__|__PRETTY_FUNCTION__)[\w.$-]*)")
_INTEGER = re.compile(r"(?<=i16 |i32 |i64 )\d+\b")
_NAME = re.compile(r'@"?([\w.$-]+)')
_LINES = 40
"""The most lines of a macro's arguments of which any may stand in the record of its place."""
_LINE, _FILE_NAME, _FUNCTION_NAME = "line", "file", "function"


def unnumbered(kind: str) -> str:
    """A type without the numbers that tell structures of one name apart, or those without a name:
    one more of them elsewhere changes these."""
    return _NUMBER.sub("", kind) if "%" in kind else kind


class Words:
    """The words of one module."""

    def __init__(self, module: Module) -> None:
        self.module = module
        self._layout = Layout(module)
        self._members = MemberNames(module)
        self._objects = UnderlyingObjects(module, self._layout)
        self._paths: dict[tuple[str, tuple[str, ...]], tuple[str, ...]] = {}
        self._contents: dict[str, str] = {}

    def of(self, i: Instruction) -> tuple[str, ...]:
        """The operands of an instruction: members by their names, its own line as a word."""
        if i.opcode == "getelementptr":
            key = (i.type, i.operands[1:])
            if key not in self._paths:
                self._paths[key] = self._path(*key)
            return (self._address(i.operands[0]), *self._paths[key])
        own = self._line(i) if i.is_call or i.opcode == "store" else None
        return tuple(
            _LINE if isinstance(o, IntLiteral) and o.value == own else self._address(o)
            for o in i.operands
        )

    def content(self, name: str) -> str | None:
        """What stands for a global variable: what is in it, and its name where that means
        something; None for what is none."""
        found = self.module.globals.get(name)
        if found is None:
            return None
        if name.startswith(_OF_FUNCTION):
            return _FUNCTION_NAME
        if name not in self._contents:
            self._contents[name] = ""  # where it leads to itself
            self._contents[name] = self._content(found)
        return self._contents[name]

    def _content(self, found: Global) -> str:
        if found.initializer.startswith('c"'):
            if found.initializer in self._files:
                return _FILE_NAME
            text = self._places.sub(_FILE_NAME, found.initializer)
        else:
            text = self._without_lines(found)
        is_named = not found.name.startswith(_NAMELESS)
        return f"@{_COPY.sub('', found.name)}={found.attributes} {text}" if is_named else text

    def _without_lines(self, found: Global) -> str:
        """What is in a variable, without the line that it stands in, as where a macro makes a
        record of each of its places."""
        if "@" not in found.initializer and found.dbg is None:
            return found.initializer
        text = _NAMELESS_USED.sub(
            lambda m: self.content(m[1]) or m[0], unnumbered(found.initializer)
        )
        line = self.module.metadata_field(self.module.metadata_field(found.dbg, "var"), "line")
        if line is None or not line.isdigit() or f"ptr {_FILE_NAME}," not in text:
            return text
        near = range(int(line), int(line) + _LINES)
        return _INTEGER.sub(lambda m: _LINE if int(m[0]) in near else m[0], text)

    @cached_property
    def _places(self) -> re.Pattern[str]:
        """The names of the source files in texts, with a line after them."""
        names = sorted(set(_FILE.findall(self.module.text)) - {""}, key=len, reverse=True)
        return re.compile(rf"(?:{'|'.join(map(re.escape, names)) or '$^'})(?::\d+)?")

    def is_text(self, o: str) -> bool:
        """Is an operand a constant text?"""
        found = self.module.globals.get(o.name) if isinstance(o, GlobalRef) else None
        return found is not None and (found.initializer or "").startswith('c"')

    def longest_text(self, o: str) -> int | None:
        """The length of the longest text that a table of texts leads to which nothing changes;
        None for all else."""
        found = self.module.globals.get(o.name) if isinstance(o, GlobalRef) else None
        if found is None or not self._stays(found):
            return None
        known = (self.module.globals.get(n) for n in _NAME.findall(found.initializer))
        texts = [g.initializer for g in known if g is not None]
        are_texts = bool(texts) and all(t.startswith('c"') for t in texts)
        return max(map(len, texts)) if are_texts else None

    def _stays(self, found: Global) -> bool:
        """Is a variable a constant, or one that only this module can name and only reads?"""
        words = found.attributes.split()
        return "constant" in words or (is_own(found.attributes) and found.name not in self._lent)

    @cached_property
    def _lent(self) -> set[str]:
        """The variables of whose addresses, or addresses in them, is made more than a load."""
        found = set[str]()
        for f in self.module.functions.values():
            parts = dict[str, str]()
            for i in (i for b in f.blocks.values() for i in b.instructions):
                named = [n for o in i.operands for n in (parts.get(o), *_NAME.findall(o)) if n]
                if i.opcode == "getelementptr" and named:
                    parts[i.token] = named[0]
                elif i.opcode != "load":
                    found.update(named)
        return found | {
            n for g in self.module.globals.values() for n in _NAME.findall(g.initializer)
        }

    def _line(self, i: Instruction) -> int | None:
        """The line of an instruction."""
        line = self.module.metadata_field(i.dbg, "line")
        return int(line) if line is not None and line.isdigit() else None

    @cached_property
    def _files(self) -> frozenset[str]:
        """The names of the source files, as constants."""
        return frozenset(f'c"{name}\\00"' for name in _FILE.findall(self.module.text))

    def _path(self, kind: str, indices: tuple[str, ...]) -> tuple[str, ...]:
        """The indices of an address, those of members by name."""
        outer, start, found = kind, 0, list(indices[:1])
        for index in indices[1:]:
            if self._layout.is_struct(kind):
                field = self._layout.offset(kind, int(index)) if index.isdigit() else None
                if field is None:
                    return (*found, *indices[len(found) :])
                name = self._members.name(outer, start + field[0])
                if name is None and _UNNAMED.search(outer):
                    name = self._members.of_unnamed(self._offsets(outer), start + field[0])
                found.append(index if name is None else f".{name}")
                kind, start = field[1], start + field[0]
                if self._layout.is_struct(kind):
                    outer, start = kind, 0
                continue
            found.append(index)
            kind = self._layout.element(kind) or "?"
            outer, start = kind, 0
        return tuple(found)

    def _offsets(self, kind: str) -> frozenset[int]:
        """Where the fields of a structure lie."""
        found, at = set[int](), 0
        while (field := self._layout.offset(kind, at)) is not None:
            found.add(field[0])
            at += 1
        return frozenset(found)

    def _address(self, o: str) -> str:
        """An operand; the address of a member of a variable by names."""
        if not isinstance(o, Constant) or isinstance(o, GlobalRef) or "@" not in o:
            return o
        address = constant_address(o)
        if address is None:
            return o
        base, kind, indices = address
        if not isinstance(base, GlobalRef):
            return o
        offset = self._objects.constant_offset(kind, indices)
        path = self._members.path(self._members.variable(base.name), offset) if offset else ()
        return f"{base} .{'.'.join(map(str, path))}" if path else o
