"""Does the program write to the words of the command line before it reads numbers from them?

A parameter is what the user writes on the command line. Once the program stores into a word
(`argv[1][0] = '3'`, `strtok(argv[1], ",")`) or exchanges words (`argv[1] = "7"`, getopt, which
sorts options to the front), a number that is read there need not be the parameter.

Pointers are followed through calls and through the variables, members and blocks of memory that
they are stored in; one that goes where it cannot be followed may be written through.
"""

from __future__ import annotations

import re
from functools import cached_property
from typing import NamedTuple

from ...alias.library import ALL, LibraryFunction, library_function
from ...alias.memory_location import Pointer
from ...ir.graph import callee, instructions
from ...ir.matchers import is_alloca, is_any, is_gep, is_load, is_return, is_store
from ...ir.tokens import global_names
from ...ir.types import (
    ATOMIC_UPDATES,
    Function,
    GlobalRef,
    Instruction,
    Operand,
    Register,
    int_bits,
)
from ...scev.context import ProgramContext

_ARRAY, _WORD = 0, 1
"""Levels of pointers: argv itself, and the text of one of its words."""
_CASTS = ("bitcast", "freeze", "addrspacecast")
_CHOICES = ("phi", "select")
_COMPARISONS = ("icmp", "sub")
_COPIES = ("llvm.memcpy.", "llvm.memmove.", "memcpy", "memmove")
_KEEPS_WORDS = re.compile(r"_ZNSt(?!.*(?:basic_string|PKc))")
"""Member functions of the C++ library that may take pointers to text which others may write."""
_DEEPEST = 3
"""Pointers to pointers to argv."""
_FARTHEST = 1 << 12
"""Bytes between a pointer and what it is followed for."""


class _Trace(NamedTuple):
    """A value that leads to argv (`level` _ARRAY) or to the text of a word: by as many loads as
    `ahead` has entries, each that many bytes behind the pointer; None: anywhere behind it."""

    function: str
    token: Operand
    level: int
    ahead: tuple[int | None, ...] = ()


def changed_words(program: ProgramContext) -> tuple[bool, bool]:
    """Whether pointers in argv are written, and whether the text of a word is."""
    if program.entry != "main" or len(program.defined["main"].parameters) < 2:
        return False, False
    return _Tracer(program).changed()


class _Tracer:
    """Follows argv and its words through a program, without regard to order."""

    def __init__(self, program: ProgramContext) -> None:
        self.program = program
        self._aliasing = program.memory.aliasing
        self._changed = [False, False]
        self._seen: set[_Trace] = set()
        self._work: list[_Trace] = []

    def changed(self) -> tuple[bool, bool]:
        """Whether pointers in argv are written, and whether the text of a word is."""
        main = self.program.defined["main"]
        self._add(_Trace(main.name, main.parameters[1].token, _ARRAY))
        while self._work and not all(self._changed):
            trace = self._work.pop()
            if not isinstance(trace.token, Register):
                self._global(trace)
                continue
            function = self.program.defined[trace.function]
            for i in function.users.get(trace.token, ()):
                self._use(function, i, trace)
        return self._changed[_ARRAY], self._changed[_WORD]

    def _add(self, trace: _Trace) -> None:
        if len(trace.ahead) > _DEEPEST:
            self._escape(trace)
        elif trace not in self._seen:
            self._seen.add(trace)
            self._work.append(trace)

    def _escape(self, trace: _Trace) -> None:
        """A pointer goes where it is not followed: what it leads to may be written."""
        self._changed[_WORD] = True
        self._changed[_ARRAY] |= trace.level == _ARRAY

    def _global(self, trace: _Trace) -> None:
        """All uses of a global that a pointer is stored in."""
        name = GlobalRef(trace.token).name
        for function, i, o in self._uses_of_globals.get(name, ()):
            base, offset = self._aliasing.underlying_object(function, o)
            if base == trace.token:
                self._use(function, i, _moved(trace._replace(token=o), offset))
            else:
                self._escape(trace)
        if any(name in global_names(g.initializer) for g in self.program.module.globals.values()):
            self._escape(trace)

    @cached_property
    def _uses_of_globals(self) -> dict[str, list[tuple[Function, Instruction, Operand]]]:
        found: dict[str, list[tuple[Function, Instruction, Operand]]] = {}
        for f in self.program.defined.values():
            for i in instructions(f):
                for o in dict.fromkeys(i.operands[1 if i.is_call else 0 :]):
                    for name in () if isinstance(o, Register) else global_names(o):
                        found.setdefault(name, []).append((f, i, o))
        return found

    # -- what an instruction does with a pointer
    def _use(self, function: Function, i: Instruction, trace: _Trace) -> None:
        token = trace.token
        here = trace._replace(function=function.name, token=i.token)
        if is_load(i):
            self._read(i, here)
        elif is_store(i):
            if i.operands[0] == token:
                self._keep(function, i.operands[1], trace)
            if i.operands[1] == token:
                self._write(trace)
        elif is_any(i, *ATOMIC_UPDATES):
            self._write(trace) if i.operands[0] == token else self._escape(trace)
        elif is_gep(i):
            self._add(_moved(here, self._distance(function, i)))
        elif is_any(i, *_CASTS):
            self._add(here)
        elif is_any(i, *_CHOICES):
            self._add(_moved(here, None))
        elif is_return(i):
            self._return(function, trace)
        elif i.is_call:
            self._call(function, i, trace)
        elif not _only_compares(function, i):
            self._escape(trace)

    def _write(self, trace: _Trace) -> None:
        if not trace.ahead:  # else another pointer is stored in the variable
            self._changed[trace.level] = True

    def _read(self, i: Instruction, here: _Trace) -> None:
        if not here.ahead:
            if here.level == _ARRAY and i.type == "ptr":
                self._add(here._replace(level=_WORD))
        elif here.ahead[0] in (0, None):
            if i.type == "ptr":
                self._add(here._replace(ahead=here.ahead[1:]))
            elif (int_bits(i.type) or 0) >= 8 * self._pointer or i.type[:1] in "{[<%":
                self._escape(here)

    @cached_property
    def _pointer(self) -> int:
        return self.program.layout.size("ptr") or 8

    def _distance(self, function: Function, gep: Instruction) -> int | None:
        """The bytes by which an address computation moves a pointer."""
        return self._aliasing.constant_offset(gep.type, gep.operands[1:])

    def _return(self, function: Function, trace: _Trace) -> None:
        if function.name in self.program.calls.pointed:
            self._escape(trace)
        for site in self.program.calls.callers.get(function.name, ()):
            self._add(trace._replace(function=site.caller, token=site.instruction.token))

    def _keep(self, function: Function, address: Operand, trace: _Trace) -> None:
        """The pointer is stored at an address."""
        places = self._objects(function, address, frozenset())
        for owner, token, offset in places if places is not None else ():
            self._add(_Trace(owner, token, trace.level, (offset, *trace.ahead)))
        if places is None:
            self._escape(trace)

    def _objects(
        self, function: Function, address: Operand, within: frozenset[str]
    ) -> list[tuple[str, Operand, int | None]] | None:
        """(function, variable, offset) of all places that an address may be; None: unknown."""
        base, offset = self._aliasing.underlying_object(function, address)
        if isinstance(base, GlobalRef):
            return [("", base, offset)]
        if not isinstance(base, Pointer) or base.function in within:
            return None
        owner = self.program.defined[base.function]
        made = owner.definitions.get(base.register)
        if made is None:
            return self._handed(owner, base.register, offset, within)
        if is_alloca(made) or self._aliasing.is_allocation(made):
            return [(owner.name, base.register, offset)]
        called = self.program.defined.get(callee(made) or "")
        new = self._aliasing.made(called) if called is not None else None
        return [(called.name, new[1], offset)] if called is not None and new is not None else None

    def _handed(
        self, function: Function, parameter: Register, offset: int | None, within: frozenset[str]
    ) -> list[tuple[str, Operand, int | None]] | None:
        """The places that a parameter points to, in all callers."""
        at = next((k for k, p in enumerate(function.parameters) if p.token == parameter), None)
        sites = self.program.calls.callers.get(function.name, ())
        if at is None or not sites or function.name in self.program.calls.pointed:
            return None
        found: list[tuple[str, Operand, int | None]] = []
        for site in sites:
            if at + 1 >= len(site.instruction.operands):
                return None
            caller = self.program.defined[site.caller]
            handed = site.instruction.operands[at + 1]
            places = self._objects(caller, handed, within | {function.name})
            if places is None:
                return None
            found += [
                (f, o, None if offset is None or by is None else by + offset) for f, o, by in places
            ]
        return found

    # -- calls
    def _call(self, function: Function, i: Instruction, trace: _Trace) -> None:
        handed = [at for at, o in enumerate(i.operands[1:]) if o == trace.token]
        name = callee(i)
        if not handed:
            return
        if name is None or name in self.program.defined:
            self._enter(function, i, trace, handed)
        elif name.startswith(_COPIES) and 1 in handed:
            self._copy(function, i, trace)
        elif trace.ahead:
            self._hand_place(name, i, trace, handed)
        else:
            self._hand(function, name, i, trace, handed)

    def _enter(self, function: Function, i: Instruction, trace: _Trace, handed: list[int]) -> None:
        """A call of functions of the program."""
        called = self._targets.get((function.name, i.token, i.line), ())
        is_kept = (trace.level == _ARRAY or trace.ahead) and _KEEPS_WORDS.match(callee(i) or "")
        if not called:
            self._escape(trace)
        elif is_kept:  # what the container does is only modelled
            self._escape(trace._replace(level=_WORD) if not trace.ahead else trace)
        for target in called:
            parameters = self.program.defined[target].parameters
            for at in handed:
                if at < len(parameters):
                    self._add(trace._replace(function=target, token=parameters[at].token))
                else:
                    self._escape(trace)

    @cached_property
    def _targets(self) -> dict[tuple[str, Operand, int], list[str]]:
        """The functions of the program that each call goes to."""
        found: dict[tuple[str, Operand, int], list[str]] = {}
        for s in self.program.calls.sites:
            key = s.caller, s.instruction.token, s.instruction.line
            found.setdefault(key, []).append(s.callee)
        return found

    def _copy(self, function: Function, i: Instruction, trace: _Trace) -> None:
        """What stands there is copied to another place, too."""
        if trace.ahead:
            first, *others = trace.ahead
            copied = _Trace(trace.function, trace.token, trace.level, tuple(others))
        elif trace.level == _ARRAY:
            first, copied = None, trace._replace(level=_WORD)
        else:
            return
        places = self._objects(function, i.operands[1], frozenset())
        for owner, token, offset in places if places is not None else ():
            by = None if first is None or offset is None else first + offset
            self._add(_Trace(owner, token, copied.level, (by, *copied.ahead)))
        if places is None:
            self._escape(trace)

    def _hand_place(self, name: str, i: Instruction, trace: _Trace, handed: list[int]) -> None:
        """A function of the library is handed the address of a place that holds a pointer."""
        known = library_function(name)
        if name.startswith("llvm.") or (known is not None and known.leaves_argv):
            return
        for at in handed:
            if known is None or _is_untold(known) or _keeps(known, at):
                self._escape(trace)
            elif at in (known.returns, known.into):
                self._add(_moved(trace._replace(token=i.token), None))

    def _hand(
        self, function: Function, name: str, i: Instruction, trace: _Trace, handed: list[int]
    ) -> None:
        """A function of the library is handed a pointer."""
        known = library_function(name)
        if known is None:  # text is mostly handed on as const char *, argv to be rearranged
            if trace.level == _ARRAY and not name.startswith("llvm."):
                self._write(trace)
            return
        if _is_untold(known):  # a family of the C++ library: it may fill what it is handed
            return
        for at in handed:
            if known.writes_through(at):
                self._write(trace)
            if _hands_on(known, at):
                self._escape(trace)
            if at in (known.returns, known.into):
                self._add(trace._replace(function=function.name, token=i.token))
            if known.parses is not None:
                self._ends(function, known, i, trace)

    def _ends(
        self, function: Function, known: LibraryFunction, i: Instruction, trace: _Trace
    ) -> None:
        """Where strtol says the end of the number, a pointer into the word stands."""
        for at, o in enumerate(i.operands[1:]):
            if known.writes_through(at) and o not in ("null", trace.token):
                self._keep(function, o, trace)


def _only_compares(function: Function, i: Instruction) -> bool:
    """Does an instruction compare a pointer with another one, or tell the distance of the two?"""
    if not is_any(i, "ptrtoint", "ptrtoaddr"):
        return is_any(i, *_COMPARISONS)
    return all(is_any(u, *_COMPARISONS) for u in function.users.get(i.token, ()))


def _is_untold(known: LibraryFunction) -> bool:
    return known.writes == ALL


def _keeps(known: LibraryFunction, at: int) -> bool:
    """May what stands where an argument points to be written, now or later?"""
    return known.writes_behind(at) or known.keeps_argument(at) or _hands_on(known, at)


def _hands_on(known: LibraryFunction, at: int) -> bool:
    """May functions of the program be handed the argument, as by pthread_create?"""
    return bool(known.calls_back or (known.concurrent and known.keeps_argument(at)))


def _moved(trace: _Trace, by: int | None) -> _Trace:
    """The trace of a pointer so many bytes behind."""
    if not trace.ahead:
        return trace
    ahead = trace.ahead[0]
    rest = None if ahead is None or by is None else ahead - by
    if rest is not None and abs(rest) > _FARTHEST:
        rest = None
    return trace._replace(ahead=(rest, *trace.ahead[1:]))
