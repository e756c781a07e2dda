"""The classes of storage of a program, from its instructions.

Every instruction of every function that may run says which pointers may be the same, and which
storage is read and written. What goes where it is not seen (other code, numbers, structures that
are passed as values) escapes, with all that can be reached from it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import TypeGuard

from ..alias.library import Control, LibraryFunction, declared_function
from ..ir import cxx_names as cxx
from ..ir.data_layout import Layout
from ..ir.graph import address_taken, callee, closure, instructions
from ..ir.matchers import is_alloca, is_any, is_gep, is_load, is_return, is_select, is_store
from ..ir.tokens import constant_address, global_names
from ..ir.types import Function, GlobalRef, Instruction, IntLiteral, Module, Operand, Register
from .storage import POINTER, Access, Classes, Pointer, Storage, may_touch

NOWHERE = ("null", "undef", "poison", "zeroinitializer")
_NOTES = ("llvm.dbg.", "llvm.lifetime.", "llvm.assume", "llvm.invariant.", "llvm.stack")
COPIES = ("llvm.memcpy.", "llvm.memmove.", "memcpy", "memmove")
FILLS = ("llvm.memset.", "memset")
_TEXT = frozenset("strcpy strncpy strcat strncat sprintf snprintf vsnprintf".split())
"""Functions that write texts, taken to stay in the array that they are handed."""
_WITHOUT_POINTERS = frozenset(
    "br switch icmp fcmp unreachable fence resume landingpad cleanupret catchret".split()
)


class PointsTo:
    """Answers for one module, whose run begins at `entry`."""

    def __init__(self, module: Module, entry: str) -> None:
        self.module = module
        self.layout = Layout(module)
        self.classes = Classes()
        self.functions = _running(module, entry)
        self._registers: dict[tuple[str, str], Pointer] = {}
        self._returned: dict[str, Pointer] = {}
        self._varying: set[tuple[str, str]] = set()
        self._foreign: list[Pointer] = []
        self._accesses: list[tuple[Pointer, int | None, bool, Function, Instruction]] = []
        self._handed = address_taken(module) | {entry}
        for f in self.functions.values():
            if f.name in self._handed:
                self._escape(self.pointer(f, p.token) for p in f.parameters if p.type == "ptr")
            for i in instructions(f):
                self._instruct(f, i)
        self._globals()
        self._attach()

    def with_moved_elements(self) -> bool:
        """Follows pointers to elements of arrays to where they move on, which may only make classes
        coarser; have they been made so?"""
        before = self.classes.changes
        self._move_elements()
        if self.classes.changes == before:
            return False
        self._attach()
        return True

    # -- answers
    def of(self, f: Function, value: Operand) -> Pointer | None:
        """What a pointer points to; None for one that points nowhere."""
        return None if value in NOWHERE else self.classes.found(self.pointer(f, value))

    def is_pointer(self, f: Function, value: Operand) -> bool:
        """Is a register known as a pointer?"""
        return (f.name, value) in self._registers

    def storages(self) -> list[Storage]:
        """All classes."""
        seen: dict[int, Storage] = {}
        work = [self.classes.found(p).storage for p in self._all()]
        while work:
            s = work.pop()
            if id(s) not in seen:
                seen[id(s)] = s
                work += [self.classes.found(p).storage for p in s.contents.values()]
        return list(seen.values())

    def _all(self) -> Iterator[Pointer]:
        return chain(self._registers.values(), self._returned.values(), self._foreign)

    # -- values
    def pointer(self, f: Function, value: Operand) -> Pointer:
        """The address that a value is, of storage that nothing may be known of."""
        if isinstance(value, GlobalRef):
            return self._made(("", value))
        if isinstance(value, Register):
            return self._made((f.name, value))
        if value in NOWHERE:
            return Pointer(Storage(), 0)
        constant = constant_address(value)
        if constant is None:
            found = Pointer(Storage(escapes=True), 0)
            for name in global_names(value):
                self.classes.unify(found, self._made(("", f"@{name}")))
            return found
        return self._moved(f, None, constant[0], constant[1], constant[2])

    def _made(self, key: tuple[str, str]) -> Pointer:
        if key not in self._registers:
            self._registers[key] = Pointer(Storage(), 0)
        return self._registers[key]

    def _moved(
        self,
        f: Function,
        result: Operand | None,
        base: Operand,
        kind: str,
        indices: Iterable[Operand],
    ) -> Pointer:
        """The address that a getelementptr computes."""
        start, offset = self.pointer(f, base), 0
        varied: list[tuple[int, int | None, int]] = []
        for at, index in enumerate(indices):
            length: int | None = None
            if at and self.layout.is_struct(kind):
                field = self.layout.offset(kind, index.value) if _is_number(index) else None
                if field is None:
                    varied.append((0, None, 1))
                    break
                offset, kind = offset + field[0], field[1]
                continue
            if at:
                length, kind = self.layout.size(kind), self.layout.element(kind) or "?"
            size = self.layout.size(kind)
            if _is_number(index) and size is not None:
                offset += index.value * size
            elif not (_is_number(index) and index.value == 0):
                varied.append((offset, length if size else None, size or 1))
        for where, length, step in varied:
            self.classes.vary(start._replace(offset=start.offset + where), length, step)
        if result is not None and varied:
            self._varying.add((f.name, result))
        return start._replace(offset=start.offset + offset)

    # -- instructions
    def _instruct(self, f: Function, i: Instruction) -> None:
        unify = self.classes.unify
        if i.is_call:
            self._call(f, i)
        elif is_any(i, "phi", "select", "freeze"):
            sources = i.operands[1:] if is_select(i) else i.operands
            for o in sources if i.type == "ptr" else ():
                if o not in NOWHERE:
                    unify(self.pointer(f, i.token), self.pointer(f, o))
            if self._may_hold(i.type):
                self._seen_as(f, i, sources)
        elif is_alloca(i):
            self.pointer(f, i.token).storage.has_others = True
            self._mark(self.pointer(f, i.token))
        elif is_gep(i):
            unify(
                self.pointer(f, i.token),
                self._moved(f, i.token, i.operands[0], i.type, i.operands[1:]),
            )
        elif is_any(i, "load", "store"):
            self._access(f, i)
        elif is_return(i):
            if f.type == "ptr" and i.operands[0] not in NOWHERE:
                unify(self.returned(f.name), self.pointer(f, i.operands[0]))
                if f.name in self._handed:
                    self._escape([self.returned(f.name)])
            else:
                self._seen_as(f, i, i.operands)
        elif not is_any(i, *_WITHOUT_POINTERS):
            self._seen_as(f, i, (*i.operands, i.token))

    def _mark(self, p: Pointer) -> None:
        self.classes.found(p).storage.has_others = True

    def returned(self, name: str) -> Pointer:
        """What a function of the program returns."""
        if name not in self._returned:
            self._returned[name] = Pointer(Storage(), 0)
        return self._returned[name]

    def _seen_as(self, f: Function, i: Instruction, values: Iterable[Operand]) -> None:
        """Values go where pointers are not followed."""
        for v in values:
            if isinstance(v, GlobalRef) or (isinstance(v, Register) and v != "%"):
                self._escape([self.pointer(f, v)])
            elif "@" in v:
                self._escape(self._made(("", f"@{name}")) for name in global_names(v))

    def _escape(self, pointers: Iterable[Pointer]) -> None:
        for p in pointers:
            self.classes.found(p).storage.escapes = True
            self._foreign.append(p)

    def _access(self, f: Function, i: Instruction) -> None:
        address = self.pointer(f, i.operands[-1])
        is_pointer = i.type == "ptr" and not i.flags & {"volatile", "atomic"}
        self._reach(address, self.layout.size(i.type), is_pointer, f, i)
        if i.type != "ptr":
            if is_load(i) and self._may_hold(i.type):
                self._escape([self.pointer(f, i.token)])
            elif is_store(i) and self._may_hold(i.type):
                self._seen_as(f, i, i.operands[:1])
        elif is_load(i):
            self.classes.unify(self.pointer(f, i.token), self.classes.content(address))
        elif i.operands[0] not in NOWHERE:
            self.classes.unify(self.classes.content(address), self.pointer(f, i.operands[0]))

    @staticmethod
    def _may_hold(kind: str) -> bool:
        """May a value of a type be a structure or a vector with pointers?"""
        return kind[:1] in "{[<%"

    def _reach(
        self, p: Pointer, size: int | None, is_pointer: bool, f: Function, i: Instruction
    ) -> None:
        self._accesses.append((p, size, is_pointer, f, i))

    # -- calls
    def _call(self, f: Function, i: Instruction) -> None:
        name = callee(i) or ""
        target = self.functions.get(name)
        handed = [(k, o) for k, o in enumerate(i.operands[1:]) if i.extra[k : k + 1] == ("ptr",)]
        others = [o for k, o in enumerate(i.operands[1:]) if i.extra[k : k + 1] != ("ptr",)]
        if target is not None:
            for k, o in handed:
                if k >= len(target.parameters):
                    self._escape([self.pointer(f, o)])
                elif o not in NOWHERE:
                    p = self.pointer(target, target.parameters[k].token)
                    self.classes.unify(p, self.pointer(f, o))
            if i.type == "ptr":
                self.classes.unify(self.pointer(f, i.token), self.returned(name))
            return
        if name in cxx.NEW_STRUCTURE:
            p = self.pointer(f, i.token)
            storage, offset = self.classes.found(p)
            storage.makers.append((f, i, offset))
        elif name.startswith(_NOTES):
            pass
        elif name.startswith(COPIES) and len(i.operands) > 3:
            self._copied(f, i)
        elif name.startswith(FILLS) and len(i.operands) > 3:
            size = i.operands[3].value if _is_number(i.operands[3]) else None
            self._reach(self.pointer(f, i.operands[1]), size, i.operands[2] == "0", f, i)
        else:
            known = declared_function(self.module, name)
            self._library(f, i, known, [o for _, o in handed], others)

    def _copied(self, f: Function, i: Instruction) -> None:
        to, start = self.pointer(f, i.operands[1]), self.pointer(f, i.operands[2])
        size = i.operands[3].value if _is_number(i.operands[3]) else None
        for p in (to, start):
            self._reach(p, size, False, f, i)
        if i.operands[2] not in NOWHERE:
            self.classes.unify(to, start)
        if i.result is not None and i.type == "ptr":
            self.classes.unify(self.pointer(f, i.token), to)

    def _library(
        self,
        f: Function,
        i: Instruction,
        known: LibraryFunction | None,
        handed: list[Operand],
        others: list[Operand],
    ) -> None:
        pointers = [self.pointer(f, o) for o in handed if o not in NOWHERE]
        if known is None or known.keeps or known.calls_back or known.concurrent:
            self._escape(pointers)
        elif known.control is Control.LEAVES:
            self._escape(pointers)  # a handler of exceptions, or who joins the thread, finds them
        elif known.writes and (callee(i) or "") not in _TEXT:
            for p in pointers:
                self._reach(p, None, False, f, i)
        self._seen_as(f, i, (o for o in others if "@" in o))
        if i.result is not None and i.type == "ptr":
            result = self.pointer(f, i.token)
            at = None if known is None else known.returns if known.into is None else known.into
            if (callee(i) or "").startswith("realloc"):
                at = 0
            if at is not None and at + 1 < len(i.operands):
                if i.operands[at + 1] not in NOWHERE:
                    self.classes.unify(result, self.pointer(f, i.operands[at + 1]))
            else:
                self._mark(result)
                if known is None or not known.allocates:
                    self._escape([result])
        elif i.result is not None and self._may_hold(i.type):
            self._escape([self.pointer(f, i.token)])

    # -- what is there from the start
    def _globals(self) -> None:
        for g in self.module.globals.values():
            place = self._made(("", f"@{g.name}"))
            self._mark(place)
            if not g.initializer and "external" in g.attributes.split():
                self._escape([place])
            for name in global_names(g.initializer):
                storage, offset = self.classes.found(place)
                self.classes.vary(Pointer(storage, offset), None, 8)
                self.classes.unify(self.classes.content(place), self._made(("", f"@{name}")))
        for f in self.module.functions.values():
            if ("", f"@{f.name}") in self._registers:
                self._mark(self._made(("", f"@{f.name}")))

    def _move_elements(self) -> None:
        """Pointers to elements of arrays, no matter which, that move on by some bytes wherever they
        have come: through variables, memory and calls."""
        seen = None
        while True:
            cells = {self._cell(f, o) for f, o in self._stored_varying()}
            now = (cells, len(self._varying), self.classes.changes)
            if not self._varying or now == seen:
                return
            seen = now
            for f in self.functions.values():
                for i in instructions(f):
                    self._pass_on(f, i, cells)

    def _stored_varying(self) -> Iterator[tuple[Function, Operand]]:
        """The addresses at which pointers to elements are stored."""
        for f in self.functions.values():
            for i in instructions(f):
                if is_store(i) and (f.name, i.operands[0]) in self._varying:
                    yield f, i.operands[1]

    def _cell(self, f: Function, address: Operand) -> tuple[int, int]:
        storage, offset = self.classes.found(self.pointer(f, address))
        return id(storage), storage.member(offset)

    def _pass_on(self, f: Function, i: Instruction, cells: set[tuple[int, int]]) -> None:
        """What an instruction makes of pointers to elements."""
        varying = self._varying
        at = [k for k, o in enumerate(i.operands) if (f.name, o) in varying]
        target = self.functions.get(callee(i) or "") if i.is_call else None
        if target is not None:
            for k in at:
                if 0 < k <= len(target.parameters):
                    varying.add((target.name, target.parameters[k - 1].token))
            if (target.name, "") in varying and i.result is not None:
                varying.add((f.name, i.token))
        elif is_return(i) and at:
            varying.add((f.name, ""))
        elif i.result is None or not self.is_pointer(f, i.token):
            return
        elif is_gep(i):
            if 0 in at:
                start, end = (self.pointer(f, o) for o in (i.operands[0], i.token))
                moved = self.classes.found(end).offset - self.classes.found(start).offset
                self.classes.leave(start, moved)
                varying.add((f.name, i.token))
        elif self._cell(f, i.operands[0]) in cells if is_load(i) else at:
            varying.add((f.name, i.token))

    def _attach(self) -> None:
        """Gives each class its accesses, and lets escape what can be reached from outside."""
        for s in self.storages():
            s.accesses.clear()
        for p, size, is_pointer, f, i in self._accesses:
            storage, offset = self.classes.found(p)
            storage.accesses.append(Access(offset, size, is_pointer, f, i))
        self._spread()

    def _spread(self) -> None:
        """What can be reached from what escapes does, too, and what pointers lead to that are read
        or written as something else."""
        for s in self.storages():
            others = {(a.offset, a.size): a for a in s.accesses if not is_whole(a)}
            for at, p in list(s.contents.items()):
                if any(may_touch(s, at, a) for a in others.values()):
                    self._escape([p])
        work = [s for s in self.storages() if s.escapes]
        while work:
            for p in work.pop().contents.values():
                s = self.classes.found(p).storage
                if not s.escapes:
                    s.escapes = True
                    work.append(s)


def _running(module: Module, entry: str) -> dict[str, Function]:
    """The functions that may run."""

    def called(name: str) -> list[str]:
        found = [callee(i) for i in module.functions[name].calls]
        return [n for n in found if n in module.functions]  # type: ignore[misc]

    names = closure({entry} | address_taken(module), called)
    defined = (module.functions[n] for n in sorted(names))
    return {f.name: f for f in defined if not f.is_declaration}


def is_whole(a: Access) -> bool:
    """Does an access leave pointers whole: one is read or written, all are copied, or all are set
    to null?"""
    is_copied = a.instruction.is_call and (callee(a.instruction) or "").startswith(COPIES)
    return a.is_pointer or (is_copied and (a.size is None or a.size >= POINTER))


def _is_number(value: Operand) -> TypeGuard[IntLiteral]:
    return isinstance(value, IntLiteral)
