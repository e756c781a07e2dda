"""Threads as the calls that they are: what pthread_create starts is called where it is started.

A program that starts threads and waits for them does, in all, what it would do if each ran where it
is started: its work is that of the calls. What differs is what a thread finds in memory. What other
threads write is written at any time (`staticana.alias.asynchronous`). What was written before it
was started it finds; what is written afterwards it may only read behind a synchronization, or the
program has a data race (C11 5.1.2.4). So programs whose threads run loops behind one are left as
they are, and those whose threads have variables of their own, start others, end otherwise than by
returning, or are not waited for.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from ..ir.graph import address_taken, callee, calls_in, closure, instructions
from ..ir.loop_info import loop_forest
from ..ir.matchers import is_any
from ..ir.parser import edited
from ..ir.system_files import is_system_file
from ..ir.tokens import global_names
from ..ir.types import Block, Function, GlobalRef, Instruction, Module, Operand, Register, quoted
from .short_functions import inlined

STARTED = "looplaw.thread.create"
"""Stands for the starting of a thread whose function is called beside it."""
RESULT = "looplaw.thread.result."
"""How the results of the functions that threads run begin."""
RUNS = "looplaw.thread.runs "
"""Begins the names of declarations that tell which functions threads run: their calls may be
inlined."""
ASSUMED = "every thread is started and runs to its end"
_STARTS: Mapping[str, tuple[int, int, str]] = {
    "pthread_create": (3, 4, "ptr"),
    "thrd_create": (2, 3, "i32"),
}
"""Function -> the places of the routine and of its argument among the operands, and its result."""
_CXX_START = "_ZNSt6thread15_M_start_thread"
_CXX_STATE = re.compile(r"(_ZNSt6thread11_State_implI.*E)C[12]")
"""The constructor of what a std::thread of libstdc++ runs; `_M_run` of the same class runs it."""
_CXX_RUN = re.compile(r"_ZNSt6thread11_State_implI.*E6_M_runEv")
_LONGEST = 250
"""Instructions of a function of the library that is copied to where a thread is started."""
_CXX_TABLES = ("@_ZTVNSt6thread11_State_impl", '@"_ZTVNSt6thread11_State_impl')
_JOINS = frozenset(("pthread_join", "thrd_join", "_ZNSt6thread4joinEv"))
_ENDS = frozenset(
    "pthread_exit thrd_exit pthread_cancel pthread_kill pthread_detach thrd_detach"
    " _ZNSt6thread6detachEv".split()
)
_SYNCHRONIZES = re.compile(
    r"pthread_(?:mutex|rwlock|spin|cond|barrier)_(?!init|destroy|attr)|pthread_once|sem_|mtx_|cnd_"
    r"|call_once|_ZNSt(?:18condition_variable|5mutex|6__cv)"
)
_IN_TURN = re.compile(r"\b(?:(?:load|store) atomic|load volatile|atomicrmw|cmpxchg|fence)\b")
"""Instructions by which threads may tell each other something."""


@dataclass(frozen=True)
class _Start:
    """A call that starts a thread: the routine that it runs and what that is handed."""

    call: Instruction
    routine: str
    argument: Operand
    result: str


def with_threads_called(module: Module) -> Module:
    """The module in which each function that a thread runs is called where the thread is started;
    the module as it is where that may not be the same."""
    found = list(_starts(module))
    if not found or any(s is None for s in found):
        return module
    starts = [s for s in found if s is not None]
    if not _Threads(module, starts).run_as_calls:
        return module
    called = edited(module, _with_calls(module, starts))
    chain = {n: called.functions[n] for n in _between(module, starts)}
    return inlined(called, chain, going=chain) if chain else called


def _with_calls(module: Module, starts: Sequence[_Start]) -> str:
    """The text with each routine called where it is started."""
    lines = module.text.split("\n")
    for number, s in enumerate(starts):
        line, routine = lines[s.call.line], f"@{quoted(s.routine)}"
        place = f", !dbg {s.call.dbg}" if s.call.dbg else ""
        result = "" if s.result == "void" else f"%{RESULT}{number} = "
        runs = f"  {result}call {s.result} {routine}(ptr {s.argument}){place}"
        begins = line.replace(f"@{callee(s.call)}(", f"@{STARTED}(", 1)
        lines[s.call.line] = f"{runs}\n{begins.replace(routine, 'null', 1)}"
    # what a std::thread runs is virtual, and called by nobody else
    run = [f"ptr @{quoted(s.routine)}]" for s in starts if _CXX_RUN.fullmatch(s.routine)]
    for at, line in enumerate(lines):
        if line.startswith(_CXX_TABLES):
            for entry in run:
                lines[at] = lines[at].replace(entry, "ptr null]")
    beside = {s.routine for s in starts} | _behind(module, _between(module, starts))
    declared = (f"declare void @{quoted(RUNS + name)}()" for name in sorted(beside))
    return "\n".join([*lines, f"declare i32 @{STARTED}(...)", *declared])


def _behind(module: Module, chain: Collection[str]) -> set[str]:
    """The functions that those of the library run for a thread."""
    found: set[str] = set()
    for i in (i for name in chain for i in module.functions[name].calls):
        if (name := callee(i)) is not None:
            found.add(name)
        elif isinstance(i.operands[0], Register):
            found |= address_taken(module)
    return {
        name
        for name in found - set(chain)
        if (f := module.functions.get(name)) is not None
        and not f.is_declaration
        and not is_system_file(module.file_of(f.dbg) or "")
    }


def _between(module: Module, starts: Sequence[_Start]) -> frozenset[str]:
    """The functions of the C++ library, without loops, between the construction of a thread and the
    function that it runs: what that is handed goes through an object that they make and take
    apart."""
    functions = module.functions
    runs = {s.routine for s in starts if _CXX_RUN.fullmatch(s.routine)}
    makers = {f.name for f in functions.values() for s in starts if s.call in f.calls and runs}

    def called(name: str) -> list[str]:
        if name not in functions or not _is_of_library(module, functions[name]):
            return []
        return [n for i in functions[name].calls if (n := callee(i)) is not None]

    return frozenset(
        name
        for name in closure(makers | runs, called)
        if name in functions and _is_of_library(module, functions[name])
    )


def _is_of_library(module: Module, f: Function) -> bool:
    """Is it a function of a header of the library, without loops and not long?"""
    if f.is_declaration or f.dbg is None or not is_system_file(module.file_of(f.dbg) or ""):
        return False
    return (
        sum(len(b.instructions) for b in f.blocks.values()) <= _LONGEST
        and not loop_forest(f, module).loops
    )


def started(module: Module) -> frozenset[str]:
    """The functions that threads run, in a module in which they are called."""
    found = (n.removeprefix(RUNS) for n in module.functions if n.startswith(RUNS))
    return frozenset(n for n in found if n in module.functions)


def has_threads(module: Module) -> bool:
    """Are threads called in the module?"""
    return STARTED in module.functions


def is_beside(i: Instruction) -> bool:
    """Is it the call of what a thread runs, which the program itself does not make?"""
    return (i.name or "").startswith(RESULT) or bool(_CXX_RUN.fullmatch(callee(i) or ""))


def _starts(module: Module) -> Iterator[_Start | None]:
    """The calls that start threads; None for one whose function is not known."""
    for f, i in calls_in(module):
        name = callee(i) or ""
        if name.startswith(_CXX_START):
            yield _started_by_library(module, f, i)
        places = _STARTS.get(name)
        if places is None:
            continue
        routine, argument, result = places
        target = i.operands[routine] if len(i.operands) > argument else None
        known = module.functions.get(target.name) if isinstance(target, GlobalRef) else None
        if known is None or known.is_declaration or len(known.parameters) != 1:
            yield None
        else:
            yield _Start(i, known.name, i.operands[argument], result)


def _begins(name: str) -> bool:
    return name in _STARTS or name.startswith(_CXX_START)


def _started_by_library(module: Module, function: Function, i: Instruction) -> _Start | None:
    """What a constructor of std::thread starts: the object that it has made."""
    made = [
        (match[1], call)
        for call in function.calls
        if (match := _CXX_STATE.match(callee(call) or "")) is not None
    ]
    if len(made) != 1:
        return None
    kind, call = made[0]
    routine = f"{kind}6_M_runEv"
    if routine not in module.functions or module.functions[routine].is_declaration:
        return None
    return _Start(i, routine, call.operands[1], "void")


@dataclass(frozen=True)
class _Threads:
    """The threads of a program."""

    module: Module
    starts: list[_Start]

    @property
    def run_as_calls(self) -> bool:
        """Is a program in which each routine is called where it is started the same, as far as
        counts go?"""
        called = {callee(i) for _, i in calls_in(self.module)}
        return (
            bool(called & _JOINS)
            and not called & _ENDS
            and all(self._returns(s.routine) for s in self.starts)
            and not any(map(self._has_own_variables, self._inside.values()))
            and not any(_begins(callee(i) or "") for f in self._inside.values() for i in f.calls)
            and all(map(self._counts_first, self._inside.values()))
        )

    @cached_property
    def _inside(self) -> dict[str, Function]:
        """The functions that run in threads: what the routines call, and all whose address is taken
        where one of them calls through a pointer."""
        functions = self.module.functions
        names = closure({s.routine for s in self.starts}, self._called)
        found = ((n, functions[n]) for n in sorted(names) if n in functions)
        return {name: f for name, f in found if not f.is_declaration}

    def _called(self, name: str) -> set[str]:
        function = self.module.functions.get(name)
        found: set[str] = set()
        for i in function.calls if function is not None else ():
            if isinstance(i.operands[0], Register):
                found |= self._taken
            found.update(n for o in i.operands for n in global_names(o))
        return found

    @cached_property
    def _taken(self) -> frozenset[str]:
        return address_taken(self.module)

    def _returns(self, name: str) -> bool:
        ends = (b.terminator for b in self.module.functions[name].blocks.values())
        return any(is_any(end, "ret") for end in ends)

    def _has_own_variables(self, function: Function) -> bool:
        return bool(self._own_variables) and any(
            n in self._own_variables
            for i in instructions(function)
            for o in i.operands
            for n in global_names(o)
        )

    @cached_property
    def _own_variables(self) -> frozenset[str]:
        every = self.module.globals.values()
        return frozenset(g.name for g in every if " thread_local" in f" {g.attributes}")

    def _counts_first(self, function: Function) -> bool:
        """Does a function run no loop behind a synchronization, which tells a thread what others
        wrote after it was started?"""
        told = {b.name for b in function.blocks.values() if self._is_told(b)}
        if not told:
            return True
        behind = closure(told, lambda name: function.blocks[name].terminator.labels)
        in_loops = {name for x in loop_forest(function, self.module).loops for name in x.blocks}
        return behind.isdisjoint(in_loops) and not any(
            self._loops(callee(i)) for name in behind for i in function.blocks[name].instructions
        )

    def _is_told(self, block: Block) -> bool:
        return any(
            _SYNCHRONIZES.match(name := callee(i) or "")
            or (name in self._inside and self._synchronizes(name))
            or (not i.is_call and _IN_TURN.search(self._lines[i.line]))
            for i in block.instructions
        )

    def _synchronizes(self, name: str) -> bool:
        """Does a function that runs in threads, or one that it calls, synchronize?"""
        below = closure([name], self._called) & self._inside.keys()
        return any(
            _SYNCHRONIZES.match(callee(i) or "")
            or (not i.is_call and _IN_TURN.search(self._lines[i.line]) is not None)
            for n in below
            for i in instructions(self._inside[n])
        )

    def _loops(self, name: str | None) -> bool:
        """Does a function, or one that it calls, have a loop?"""
        if name not in self._inside:
            return False
        below = closure([name], self._called) & self._inside.keys()
        return any(loop_forest(self._inside[n], self.module).loops for n in below)

    @cached_property
    def _lines(self) -> list[str]:
        return self.module.text.split("\n")
