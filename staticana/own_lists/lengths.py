"""Pointers to the nodes of a program's own lists, replaced by the lengths of what they lead to.

Where all nodes are chained once (see `lists`), the analysis reads numbers in their place: a null
pointer is 0, a new node is one more than the next one, `p->next` is one less than p. What a
variable, a member or an element of an array holds, what functions are handed and return, is then
known as all numbers are, and a walk ends after as many nodes as its first pointer says. Nodes
themselves are read and written at addresses of which nothing is known. For the analysis alone: the
program that runs keeps its pointers.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..ir import cxx_names as cxx
from ..ir.graph import callee, instructions
from ..ir.matchers import is_any, is_icmp, is_load, is_phi, is_return, is_select, is_store
from ..ir.parser import edited
from ..ir.system_files import is_system_file
from ..ir.tokens import matching, split_top
from ..ir.types import Function, Instruction, Module, Operand, quoted
from .append_sites import base_of
from .lists import Lists
from .points_to import NOWHERE, PointsTo
from .tails import lists_of

SOMEWHERE = "@looplaw.nodes"
"""What addresses of nodes are read from, of which no more is known: each time it is another."""
_READ = f"load volatile ptr, ptr {SOMEWHERE}"
_COUNTED = ".nodes"
"""The end of names of lengths."""


def with_lengths(
    module: Module, entry: str, real: Module, known: tuple[Module, Lists] | None = None
) -> Module:
    """The module with lengths in place of pointers to nodes of lists; itself where there is none
    whose nodes are chained once. `real`: the program as it runs, in which containers keep what is
    put into them, where `module` has models of their functions. known: what `lists_of` tells of
    `real`."""
    asked = known if real is module else None
    chained, lists = asked or lists_of(module, entry)
    if lists.chains and real is not module:
        _, proven = lists_of(real, entry)
        found = len(lists.chains)
        lists.keep(proven)
        if chained is not module and len(lists.chains) < found:
            chained, lists = module, Lists(PointsTo(module, entry))
            lists.keep(proven)
    try:
        return _Rewriting(chained, lists).module() if lists.chains else module
    except _NotAsWrittenError:
        return module


def may_have_lists(module: Module) -> bool:
    """Does a function of the program step from structure to structure?"""
    return any(map(_may_walk, _own(module)))


def _own(module: Module) -> Iterator[Function]:
    """The functions that are not the library's."""
    for f in module.functions.values():
        if not f.is_declaration and not is_system_file(module.file_of(f.dbg) or ""):
            yield f


def _may_walk(f: Function) -> bool:
    """Is there a pointer that is replaced by one that is read from where it points?"""
    for b in f.blocks.values():
        for phi in b.phis:
            for o in phi.operands if phi.type == "ptr" else ():
                step = f.definitions.get(o)
                if not is_load(step):
                    continue
                field = f.definitions.get(step.operands[0])
                at = field.operands[0] if field is not None and field.operands else None
                if phi.token in (step.operands[0], at):
                    return True
    return False


_OF_LENGTHS = ({"ne": "sgt", "eq": "sle"}, {"ne": "slt", "eq": "sge"})
"""How a length is compared with 0, and 0 with a length: it is never negative, so that a loop that
counts it down comes to its end, whatever the list."""


class _NotAsWrittenError(Exception):
    """An instruction is not written as LLVM writes it, so that nothing can be put in its place."""


class _Rewriting:
    """The text of a module, line by line."""

    def __init__(self, module: Module, lists: Lists) -> None:
        self.old = module
        self.lists = lists
        self.lines = module.text.split("\n")
        self.before: dict[int, list[str]] = {}
        self.after: dict[int, list[str]] = {}

    def module(self) -> Module:
        for f in self.lists.points.functions.values():
            self._header(f)
            for i in instructions(f):
                self._instruction(f, i)
        text = list[str]()
        for k, line in enumerate(self.lines):
            text += [*self.before.get(k, ()), line, *self.after.get(k, ())]
        text += [f"{SOMEWHERE} = external global ptr", ""]
        return edited(self.old, "\n".join(text))

    # -- words
    def _is_node(self, f: Function, o: Operand) -> bool:
        return self.lists.points.is_pointer(f, o) and self.lists.is_node(f, o)

    def _length(self, f: Function, o: Operand) -> str:
        """The length that stands for a pointer."""
        if o in NOWHERE:
            return "0" if o == "null" else "undef"
        return _counted(o)

    def _put(self, where: dict[int, list[str]], line: int, text: str) -> None:
        where.setdefault(line, []).append(f"  {text}")

    def _replace(self, line: int, old: str, new: str) -> None:
        text = self.lines[line]
        at = _found(text, old)
        self.lines[line] = text[:at] + new + text[at + len(old) :]

    # -- functions
    def _header(self, f: Function) -> None:
        nodes = [p for p in f.parameters if self._is_node(f, p.token)]
        first = f.entry.instructions[0].line
        for p in nodes:
            self._put(self.before, first, f"{p.token} = {_READ}")
        line = self.lines[f.line]
        at = _found(line, f"@{quoted(f.name)}(") + len(quoted(f.name)) + 1
        end = matching(line, at)
        parts = split_top(line[at + 1 : end])
        for k, p in enumerate(f.parameters):
            if p in nodes:
                parts[k] = f"i64 {_counted(p.token)}"
        front = line[: at - len(quoted(f.name)) - 1]
        if self._returns_node(f):
            front = f"{front.rstrip().removesuffix('ptr')}i64 "
        self.lines[f.line] = f"{front}@{quoted(f.name)}({', '.join(parts)}{line[end:]}"

    def _returns_node(self, f: Function) -> bool:
        if f.type != "ptr":
            return False
        p = self.lists.points.classes.found(self.lists.points.returned(f.name))
        return id(p.storage) in self.lists.chains

    # -- instructions
    def _instruction(self, f: Function, i: Instruction) -> None:
        if i.is_call:
            self._call(f, i)
        elif is_icmp(i):
            self._compare(f, i)
        elif is_store(i):
            self._store(f, i)
        elif is_return(i):
            if self._returns_node(f):
                self._replace(
                    i.line, f"ptr {i.operands[0]}", f"i64 {self._length(f, i.operands[0])}"
                )
        elif i.result is not None and self._is_node(f, i.token):
            self._result(f, i)

    def _result(self, f: Function, i: Instruction) -> None:
        name = _counted(i.token)
        if is_phi(i):
            pairs = zip(i.operands, i.labels, strict=True)
            texts = (f"[ {self._length(f, o)}, %{quoted(b)} ]" for o, b in pairs)
            self._put(self.after, i.line, f"{name} = phi i64 {', '.join(texts)}")
        elif is_select(i):
            yes, no = (self._length(f, o) for o in i.operands[1:])
            self._put(
                self.after, i.line, f"{name} = select i1 {i.operands[0]}, i64 {yes}, i64 {no}"
            )
        elif self.lists.reads_next(f, i):
            base = _counted(base_of(f, i.operands[0]))
            self._put(self.after, i.line, f"{name} = getelementptr i8, i64 {base}, i64 -1")
        elif is_load(i):
            self._replace(i.line, f"{i.token} = load ptr,", f"{name} = load i64,")
            self._put(self.after, i.line, f"{i.token} = {_READ}")

    def _compare(self, f: Function, i: Instruction) -> None:
        nodes = [o for o in i.operands if self._is_node(f, o)]
        if len(nodes) != 1 or not any(o in NOWHERE for o in i.operands):
            return
        made = f.definitions.get(nodes[0])
        if made is not None and made.is_call and callee(made) in cxx.NEW_STRUCTURE:
            return
        at = _found(self.lines[i.line], " icmp ")
        head, tail = self.lines[i.line][:at], self.lines[i.line].partition(", !")[2]
        ends = ", ".join("0" if o in NOWHERE else _counted(o) for o in i.operands)
        test = _OF_LENGTHS[i.operands[0] in NOWHERE].get(i.extra[0], i.extra[0])
        self.lines[i.line] = f"{head} icmp {test} i64 {ends}" + (f", !{tail}" if tail else "")

    def _store(self, f: Function, i: Instruction) -> None:
        if self.lists.writes_next(f, i):
            node = base_of(f, i.operands[1])
            made = f.definitions[node]
            if self.lists.last_store(f, made) is i:
                length = self._length(f, i.operands[0])
                text = f"{_counted(node)} = getelementptr i8, i64 {length}, i64 1"
                self._put(self.after, i.line, text)
            return
        content = self._content(f, i)
        if content:
            o = i.operands[0]
            self._replace(i.line, f"store ptr {o},", f"store i64 {self._length(f, o)},")

    def _content(self, f: Function, i: Instruction) -> bool:
        """Does a store write what holds a pointer to a node?"""
        points = self.lists.points
        address = points.of(f, i.operands[1])
        if i.type != "ptr" or address is None:
            return False
        held = address.storage.contents.get(address.storage.member(address.offset))
        return held is not None and id(points.classes.found(held).storage) in self.lists.chains

    def _call(self, f: Function, i: Instruction) -> None:
        name = callee(i) or ""
        is_made = name in cxx.NEW_STRUCTURE and i.result is not None and self._is_node(f, i.token)
        if is_made:
            # a pointer that is read from memory may point to it
            self._known_behind(f, i, f"{_made(i.token)} = made ptr {i.token}")
            if self.lists.last_store(f, i) is None:
                self._known_behind(f, i, f"{_counted(i.token)} = getelementptr i8, i64 0, i64 1")
            return
        target = self.lists.points.functions.get(name)
        if target is None:
            return
        line = self.lines[i.line]
        at = _found(line, f"@{quoted(name)}(") + len(quoted(name)) + 1
        end = matching(line, at)
        parts = split_top(line[at + 1 : end])
        for k, p in enumerate(target.parameters):
            if self._is_node(target, p.token):
                parts[k] = f"i64 {self._length(f, i.operands[k + 1])}"
        line = f"{line[: at + 1]}{', '.join(parts)}{line[end:]}"
        if self._returns_node(target):
            head, _, rest = line.partition(f"@{quoted(name)}(")
            head = f"{head.rstrip().removesuffix('ptr')}i64 "
            if i.result is not None:
                head = head.replace(f"{i.token} = ", f"{_counted(i.token)} = ", 1)
                self._known_behind(f, i, f"{i.token} = {_READ}")
            line = f"{head}@{quoted(name)}({rest}"
        self.lines[i.line] = line

    def _known_behind(self, f: Function, i: Instruction, text: str) -> None:
        """A value is known from a call on, where it returns."""
        if is_any(i, "call"):
            self._put(self.after, i.line, text)
            return
        usual = f.blocks[i.labels[0]]
        first = next(j for j in usual.instructions if not is_phi(j))
        self._put(self.before, first.line, text)


def _found(line: str, text: str) -> int:
    """Where a text stands in a line."""
    at = line.find(text)
    if at < 0:
        raise _NotAsWrittenError(line)
    return at


def _counted(o: Operand) -> str:
    return f"%{quoted(_plain(o) + _COUNTED)}"


def _made(o: Operand) -> str:
    return f"%{quoted(_plain(o) + '.made')}"


def _plain(o: Operand) -> str:
    return o[2:-1] if o.startswith('%"') else o[1:]
