"""LLVM IR as this package sees it: frozen types filled in by `parser` from a module's text.

A value is the text of an operand without its type (``%i.0``, ``@table``, ``42``, ``null``) in a
class that says what it is: `Register`, `GlobalRef`, `IntLiteral` or another `Constant`. The classes
are strings, so that one dictionary look-up answers what defines a value, and a value is written
back to IR as it is. Types and metadata stay text until they are asked for.

Source: LLVM Language Reference, "Identifiers" and "Constants".
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from looplaw_common.errors import InputError

_FIELD = {
    key: re.compile(rf"\b{key}: (!\d+|\"(?:[^\"\\]|\\.)*\"|\w+)")
    for key in (
        "line",
        "column",
        "scope",
        "file",
        "filename",
        "directory",
        "name",
        "inlinedAt",
        "arg",
        "linkageName",
        "type",
        "baseType",
        "elements",
        "offset",
        "size",
        "tag",
        "var",
        "types",
        "templateParams",
        "flags",
    )
}
_TEXTS = frozenset(("filename", "directory", "name"))
"""Fields whose texts people read; linkage names stay as the IR's other names are."""
_ESCAPE = re.compile(r"\\(?:\\|([0-9A-Fa-f]{2}))")
_REFERENCE = re.compile(r"!\d+")
_PLAIN_NAME = re.compile(r"[-a-zA-Z._][-a-zA-Z._0-9]*")  # LLVM quotes a $
_SCOPES = 64  # scopes nested deeper than this are malformed metadata


class Location(NamedTuple):
    """A place in the source, as the debug information gives it."""

    file: str
    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


class Operand(str):
    """An operand: the text that denotes it in IR. Made by `operand`, which chooses the class."""

    __slots__ = ()


class Register(Operand):
    """A local value, ``%i.0``: an instruction's result or a formal parameter. `name` is without
    sigil and quotes."""

    __slots__ = ("name",)
    name: str

    def __new__(cls, text: str) -> Register:
        self = super().__new__(cls, text)
        self.name = unquoted(text[1:])
        return self


class Constant(Operand):
    """A constant that is neither an integer nor the address of a global: ``null``, ``true``,
    ``1.0e+00``, ``undef``, a constant expression; also what a call through inline assembly has as
    its callee."""

    __slots__ = ()


class GlobalRef(Constant):
    """The address of a global variable or function, ``@table``. `name` is without sigil and
    quotes."""

    __slots__ = ("name",)
    name: str

    def __new__(cls, text: str) -> GlobalRef:
        self = super().__new__(cls, text)
        self.name = unquoted(text[1:])
        return self


_MOST_DIGITS = 400
"""Digits of an integer: those of 1,024 bits, which no program computes with, are 309."""


class IntLiteral(Constant):
    """An integer in decimal digits, ``-42``, and the number that it is."""

    __slots__ = ("value",)
    value: int

    def __new__(cls, text: str) -> IntLiteral:
        """
        Raises:
            InputError: it is too long to count with.
        """
        if len(text) > _MOST_DIGITS:
            raise InputError(
                f"an integer of {len(text)} digits in the IR; at most {_MOST_DIGITS} are read"
            )
        self = super().__new__(cls, text)
        self.value = int(text)
        return self


def operand(text: str) -> Operand:
    """The value that an operand's text (without its type) denotes."""
    first = text[:1]
    if first == "%":
        return Register(text)
    if first == "@":
        return GlobalRef(text)
    if text.isdecimal() or (first == "-" and text[1:].isdecimal()):
        return IntLiteral(text)
    return Constant(text)


def quoted(name: str) -> str:
    """A name as LLVM prints it behind a sigil: in quotes where it has unusual characters."""
    return name if name.isdecimal() or _PLAIN_NAME.fullmatch(name) else f'"{name}"'


def decoded(text: str) -> str:
    """A string of IR as the source had it: quotes, control characters and all that is not ASCII are
    bytes in hexadecimal there. Bytes that are no UTF-8 become lone surrogates, as in paths."""
    if "\\" not in text:
        return text
    found = _ESCAPE.sub(lambda m: "\\" if m[1] is None else chr(int(m[1], 16)), text)
    return found.encode("latin-1", "replace").decode("utf-8", "surrogateescape")


def unquoted(name: str) -> str:
    """A name without the quotes that IR puts around unusual ones."""
    return name[1:-1] if name.startswith('"') else name


def int_bits(type: str) -> int | None:
    """The width of an integer type; None for another type."""
    return int(type[1:]) if type[:1] == "i" and type[1:].isdecimal() else None


NO_RESULT = Register("%")
"""What stands for the result of an instruction that has none: no instruction uses it."""


@dataclass(frozen=True, slots=True)
class Instruction:
    """One instruction.

    `operands` by opcode: phi: the incoming values, with `labels` their blocks; br and switch: the
    condition, with `labels` the targets (br: true, false; switch: default first, `cases` the
    values); call and invoke: the callee, then the arguments; store: value, address; getelementptr:
    base, indices. `result` is the register that holds the result, `type` the result's type (store,
    icmp: that of the operands; getelementptr: the source element type). `extra` holds what only
    some opcodes have: the predicate, the cast's source type, the types of arguments. `dbg`, `loop`
    and `tbaa` are metadata nodes: the source location, the loop's, the type of a load or store.
    """

    opcode: str
    result: Register | None
    type: str
    operands: tuple[Operand, ...]
    line: int
    flags: frozenset[str] = frozenset()
    labels: tuple[str, ...] = ()
    cases: tuple[Operand, ...] = ()
    extra: tuple[str, ...] = ()
    dbg: str | None = None
    loop: str | None = None
    tbaa: str | None = None

    @property
    def name(self) -> str | None:
        """The name of the result, without sigil and quotes."""
        return self.result.name if self.result is not None else None

    @property
    def token(self) -> Register:
        """The value that other instructions use for this result; `NO_RESULT` where it has none."""
        return self.result if self.result is not None else NO_RESULT

    @property
    def may_write(self) -> bool:
        """May it write memory?"""
        return self.is_call or self.opcode == "store" or self.opcode in ATOMIC_UPDATES

    @property
    def is_call(self) -> bool:
        """Is it a call, one that may throw included?"""
        return self.opcode in CALLS


CALLS = ("call", "invoke")
"""The opcodes that call a function and go on."""

ATOMIC_UPDATES = ("atomicrmw", "cmpxchg")
"""The opcodes that read and write what their first operand points to in one step."""


@dataclass(frozen=True, slots=True)
class Block:
    """A basic block; the last instruction is its terminator. `line` is that of its label in the
    text."""

    name: str
    instructions: tuple[Instruction, ...]
    line: int

    @property
    def terminator(self) -> Instruction:
        return self.instructions[-1]

    @property
    def successors(self) -> tuple[str, ...]:
        return self.terminator.labels

    @property
    def phis(self) -> tuple[Instruction, ...]:
        return tuple(i for i in self.instructions if i.opcode == "phi")


class Parameter(NamedTuple):
    """A formal parameter of a function: its value, its type, its attributes."""

    token: Register
    type: str
    attributes: str


class Variable(NamedTuple):
    """A debug record: `value` holds the source variable described by the metadata node `node` in
    `block`; where `bit` is set, only the part of it that begins there."""

    value: Operand
    node: str
    block: str
    bit: int | None = None


@dataclass(frozen=True)
class Function:
    """A function; a declaration has no blocks. `line` and `end` delimit its text (0-based,
    inclusive)."""

    name: str
    type: str
    parameters: tuple[Parameter, ...]
    blocks: Mapping[str, Block]
    variables: tuple[Variable, ...]
    header: str
    line: int
    end: int
    dbg: str | None = None

    @property
    def is_declaration(self) -> bool:
        return not self.blocks

    @cached_property
    def entry(self) -> Block:
        return next(iter(self.blocks.values()))

    def offset_of(self, i: Instruction) -> int:
        """The line of an instruction in the text of this function: what stands before the function
        does not change it, so that names may hold it."""
        return i.line - self.line

    @cached_property
    def calls(self) -> tuple[Instruction, ...]:
        """The calls in it, in their order."""
        return tuple(i for b in self.blocks.values() for i in b.instructions if i.is_call)

    @cached_property
    def variables_in(self) -> Mapping[str, tuple[tuple[int, Variable], ...]]:
        """Value -> the records of the variables that it holds, each with its number."""
        found: dict[str, list[tuple[int, Variable]]] = {}
        for number, v in enumerate(self.variables):
            found.setdefault(v.value, []).append((number, v))
        return {value: tuple(records) for value, records in found.items()}

    @cached_property
    def definitions(self) -> Mapping[str, Instruction]:
        """Register -> the instruction that defines it."""
        return {
            i.result: i
            for b in self.blocks.values()
            for i in b.instructions
            if i.result is not None
        }

    @cached_property
    def block_of(self) -> Mapping[str, str]:
        """Register -> the name of the block that defines it."""
        return {
            i.result: b.name
            for b in self.blocks.values()
            for i in b.instructions
            if i.result is not None
        }

    @cached_property
    def attributes_of(self) -> Mapping[str, str]:
        """Register of each parameter -> its attributes."""
        return {p.token: p.attributes for p in self.parameters}

    @cached_property
    def users(self) -> Mapping[str, tuple[Instruction, ...]]:
        """Register -> the instructions that use it, each once, in their order."""
        found: dict[str, list[Instruction]] = {}
        for b in self.blocks.values():
            for i in b.instructions:
                for o in dict.fromkeys(i.operands):
                    if isinstance(o, Register):
                        found.setdefault(o, []).append(i)
        return {register: tuple(users) for register, users in found.items()}

    @cached_property
    def predecessors(self) -> Mapping[str, tuple[str, ...]]:
        found: dict[str, list[str]] = {name: [] for name in self.blocks}
        for block in self.blocks.values():
            for successor in dict.fromkeys(block.successors):
                found[successor].append(block.name)
        return {name: tuple(blocks) for name, blocks in found.items()}

    @cached_property
    def returned(self) -> frozenset[tuple[str, Operand]]:
        """What it may return, each value with the block that settles for it: the phis on the way to
        the return are followed back."""
        work = [
            (b.name, b.terminator.operands[0])
            for b in self.blocks.values()
            if b.terminator.opcode == "ret" and b.terminator.operands
        ]
        seen, ends = set(work), set[tuple[str, Operand]]()
        while work:
            block, value = work.pop()
            new: list[tuple[str, Operand]] = []
            i = self.definitions.get(value)
            if i is not None and self.block_of[value] == block:
                if i.opcode == "phi":
                    new = list(zip(i.labels, i.operands, strict=True))
            elif i is not None and i.opcode == "phi":
                new = [(p, value) for p in self.predecessors[block]]
            if not new:
                ends.add((block, value))
            for state in new:
                if state not in seen:
                    seen.add(state)
                    work.append(state)
        return frozenset(ends)

    def blocks_behind(self, block: str) -> frozenset[str]:
        """The blocks that control may come to after a block, and itself."""
        found = self._behind.get(block)
        if found is None:
            reached, work = {block}, [block]
            while work:
                for s in self.blocks[work.pop()].successors:
                    if s not in reached:
                        reached.add(s)
                        work.append(s)
            found = self._behind[block] = frozenset(reached)
        return found

    @cached_property
    def _behind(self) -> dict[str, frozenset[str]]:
        return {}


class Global(NamedTuple):
    """A global variable: linkage words (with `global` or `constant`), value type, initialiser's
    text ("" if external)."""

    name: str
    attributes: str
    type: str
    initializer: str
    dbg: str | None


@dataclass(frozen=True)
class Module:
    """A parsed module; `text` is what was parsed, so that line numbers of the parts stay
    meaningful."""

    text: str
    functions: Mapping[str, Function]
    globals: Mapping[str, Global]
    types: Mapping[str, str]
    attributes: Mapping[str, str]
    metadata: Mapping[str, str]
    datalayout: str = ""
    _locations: dict[str, Location | None] = field(default_factory=dict, repr=False, compare=False)
    _files: dict[str | None, str | None] = field(default_factory=dict, repr=False, compare=False)
    _fields: dict[tuple[str, str], str | None] = field(
        default_factory=dict, repr=False, compare=False
    )

    @cached_property
    def free_metadata(self) -> int:
        """The number of the first metadata node that is not taken."""
        numbers = (name[1:] for name in self.metadata)
        return 1 + max((int(n) for n in numbers if n.isdecimal()), default=-1)

    @cached_property
    def is_fortran(self) -> bool:
        return "DW_LANG_Fortran" in self.text

    def may_be_missing(self, name: str) -> bool:
        """May a variable or function have no address: a weak one that only stands in this program
        (`__attribute__((weak))`)?"""
        g, f = self.globals.get(name), self.functions.get(name)
        words = g.attributes if g is not None else f.header[:60] if f is not None else ""
        return "extern_weak" in words

    def metadata_field(self, node: str | None, key: str) -> str | None:
        """The field `key` of a metadata node: a reference such as ``!7``, a bare word, or an
        unquoted string."""
        if node is None:
            return None
        asked = (node, key)
        if asked not in self._fields:
            match = _FIELD[key].search(self.metadata.get(node, ""))
            value = match.group(1) if match is not None else None
            if value is not None and value.startswith('"'):
                value = decoded(value[1:-1]) if key in _TEXTS else value[1:-1]
            self._fields[asked] = value
        return self._fields[asked]

    def metadata_operands(self, node: str | None) -> tuple[str, ...]:
        """The nodes that a tuple such as ``!{!1, !2}`` refers to."""
        text = self.metadata.get(node or "", "")
        return tuple(_REFERENCE.findall(text[text.find("{") :])) if "{" in text else ()

    def location(self, node: str | None) -> Location | None:
        """The place of a DILocation; None where the node is none or carries no line. Inlined code
        keeps its own."""
        if node is None:
            return None
        if node not in self._locations:
            self._locations[node] = self._resolve(node)
        return self._locations[node]

    def _resolve(self, node: str) -> Location | None:
        text = self.metadata.get(node, "")
        if "DILocation(" not in text:
            return None
        line, column = (
            0 if (found := _FIELD[key].search(text)) is None else int(found.group(1))
            for key in ("line", "column")
        )
        file = self.file_of(self.metadata_field(node, "scope"))
        return Location(file, line, column) if file and line else None

    def folder_of(self, scope: str | None) -> str:
        """The directory that the file name of a scope starts from."""
        for _ in range(_SCOPES):
            if scope is None:
                break
            file = self.metadata_field(scope, "file")
            if file is not None:
                return self.metadata_field(file, "directory") or ""
            scope = self.metadata_field(scope, "scope")
        return ""

    def file_of(self, scope: str | None) -> str | None:
        """The file name of a scope, as it was given to the compiler."""
        if scope not in self._files:
            self._files[scope] = self._find_file(scope)
        return self._files[scope]

    def _find_file(self, scope: str | None) -> str | None:
        for _ in range(_SCOPES):
            if scope is None:
                return None
            file = self.metadata_field(scope, "file")
            if file is not None:
                return self.metadata_field(file, "filename")
            scope = self.metadata_field(scope, "scope")
        return None
