"""What a program does to the state that libomp takes the sizes of its teams from, and which of its
functions run in which part of it.

The size of a team (LLVM's kmp_runtime.cpp, `__kmp_fork_call`) is what `num_threads` asks for, which
the next region uses up, also one that runs on one thread; else the number of threads that the task
has (nthreads-var of OpenMP 5.2, section 2.2: every task has its own, which begins as that of the
task that made it); and one, where as many active regions (those of more than one thread) are around
it as may be (max-active-levels-var, 1 at first).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from ...ir.found_by_name import found_by_name
from ...ir.graph import callee, calls_in, closure, instructions
from ...ir.matchers import is_any, is_store
from ...ir.tokens import global_names
from ...ir.types import Function, GlobalRef, Instruction, Module, Register
from .regions import ALONE, FORK, SERIALIZED, direct_calls

SET_THREADS = ("omp_set_num_threads", "omp_set_num_threads_")
SET_NESTED, SET_LEVELS = "omp_set_nested", "omp_set_max_active_levels"
SETTERS = (*SET_THREADS, SET_NESTED, SET_LEVELS)
"""The calls that change what the sizes of teams follow from, and are followed; a name with `_` at
its end is Fortran's, with arguments by address."""
THREADS, LEVELS = "looplaw.omp.threads", "looplaw.omp.levels"
"""What the task that runs has set, as variables: how many threads teams have, and how many regions
around each other may be active."""
PUSH = "__kmpc_push_num_threads"
_NEUTRAL = re.compile(
    r"omp_set_(?:lock|nest_lock|schedule|default_device|default_allocator|affinity_format)_?"
    r"|kmp_set_(?:stacksize|stacksize_s|blocktime|library\w*|affinity\w*|warnings_o\w+)_?"
)
"""Setters on which no size depends."""
_CHANGES = re.compile(r"(?:omp|kmp|ompx?|kmpc)_set_\w+|__kmpc_push_num_threads\w+|__kmpc_set_\w+")
_OF_ENVIRONMENT = {"setenv": 1, "unsetenv": 1, "putenv": 1}
"""The functions that change the environment, and where they are told the name."""
_FORKS = ("fork", "vfork", "_Fork", "forkpty")
_READ_BY_RUNTIME = ("OMP_", "KMP_", "LIBOMP", "GOMP_")
_RUNTIME = ("__kmpc_", "omp_", "kmp_", "llvm.", "looplaw.")
_TEXT = re.compile(r'c"([^"\\]*)')


@dataclass
class RuntimeState:
    """What the functions of a module do to libomp's state.

    entry: the function whose run is counted, None where it may be any. calls_back: whether a
    function outside the program may call functions of it, by its name.
    """

    module: Module
    entry: str | None
    calls_back: Callable[[str], bool]

    @cached_property
    def sets_threads(self) -> bool:
        """Does the program set the number of threads of tasks?"""
        return not self.called.keys().isdisjoint(SET_THREADS)

    @cached_property
    def sets_levels(self) -> bool:
        """Does it set how many regions around each other may be active?"""
        return not self.called.keys().isdisjoint((SET_NESTED, SET_LEVELS))

    @property
    def variables(self) -> tuple[str, ...]:
        """The variables that hold the state that the program sets, in the program that counts."""
        if self.is_unknown:
            return ()
        kept = ((THREADS, self.sets_threads), (LEVELS, self.sets_levels))
        return tuple(name for name, is_set in kept if is_set)

    def kept(self, slot: str, function: str) -> tuple[list[str], list[str]]:
        """Lines before and behind a call of a function that has a state of its own."""
        if not self.variables or not self.may_set(function):
            return [], []
        names = {name: f"{slot}.{k}" for k, name in enumerate(self.variables)}
        return (
            [f"{token} = load i32, ptr @{name}" for name, token in names.items()],
            [f"store i32 {token}, ptr @{name}" for name, token in names.items()],
        )

    @property
    def is_changed(self) -> bool:
        return self.sets_threads or self.sets_levels

    @cached_property
    def called(self) -> dict[str, list[Instruction]]:
        """The calls of each function."""
        found: dict[str, list[Instruction]] = {}
        for _, i in calls_in(self.module):
            if (name := callee(i)) is not None:
                found.setdefault(name, []).append(i)
        return found

    @cached_property
    def _mentioned(self) -> frozenset[str]:
        """What stands elsewhere than as the function that a call calls: it may be called through a
        pointer. The functions of regions are called by libomp."""
        found = set(found_by_name(self.module))
        for f in self.module.functions.values():
            for i in instructions(f):
                own = 3 if i.is_call and callee(i) in (FORK, ALONE) else 0
                for at, o in enumerate(i.operands):
                    if not isinstance(o, Register) and (at != own or not i.is_call):
                        found.update(global_names(o))
        for g in self.module.globals.values():
            found.update(global_names(g.initializer))
        return frozenset(found)

    @cached_property
    def is_unknown(self) -> bool:
        """May the program change the state in a way that is not followed?"""
        names = self.called.keys() | self._mentioned
        if any(_CHANGES.fullmatch(n) and not self._is_followed(n) for n in names):
            return True
        if any(n in self._mentioned for n in (*SETTERS, *_OF_ENVIRONMENT)) or "clearenv" in names:
            return True
        if any(self._is_read(i, at) for n, at in _OF_ENVIRONMENT.items() for i in self._calls(n)):
            return True
        if "dlsym" in names or any(_replaces_environment(i) for i in self._stores()):
            return True
        return self.is_changed and (self.entry is None or not names.isdisjoint(_FORKS))

    def _calls(self, name: str) -> list[Instruction]:
        return self.called.get(name, [])

    def _stores(self) -> Iterator[Instruction]:
        functions = self.module.functions.values()
        return (i for f in functions for i in instructions(f) if is_store(i))

    def _is_followed(self, name: str) -> bool:
        """Does what a setter sets leave sizes as they are, or is it one of `SETTERS`?"""
        calls = self._calls(name)
        if name == "omp_set_dynamic":
            return all(i.operands[1] == "0" for i in calls) and name not in self._mentioned
        return (
            _NEUTRAL.fullmatch(name) is not None
            or (name in SETTERS and all(is_any(i, "call") for i in calls))
            or (name == PUSH)
        )

    def _is_read(self, call: Instruction, at: int) -> bool:
        """May libomp read the variable of the environment that a call changes?"""
        name = call.operands[at] if at < len(call.operands) else None
        known = self.module.globals.get(name.name) if isinstance(name, GlobalRef) else None
        text = (
            _TEXT.match(known.initializer)
            if known is not None and known.attributes.endswith("constant")
            else None
        )
        return text is None or text[1].startswith(_READ_BY_RUNTIME) or not text[1]

    # -- where functions run
    @cached_property
    def pointed(self) -> frozenset[str]:
        """Functions of the program that may be called through pointers."""
        functions = self.module.functions
        return frozenset(
            n for n in self._mentioned if n in functions and not functions[n].is_declaration
        )

    def reached(self, start: Iterable[str]) -> frozenset[str]:
        """The functions that may run before these return, themselves included."""
        return frozenset(closure(start, self._callees))

    def _callees(self, name: str) -> list[str]:
        function = self.module.functions.get(name)
        if function is None or function.is_declaration:
            return []
        found = direct_calls(self.module, function)
        return [*found, *self.pointed] if self._calls_anything(function) else found

    def _calls_anything(self, function: Function) -> bool:
        """May a call call what is pointed to?"""
        functions = self.module.functions
        for i in function.calls:
            name = callee(i)
            if name is None:
                if i.operands[0] != "asm":
                    return True
            elif name.startswith(_RUNTIME):
                continue
            elif (name not in functions or functions[name].is_declaration) and self.calls_back(
                name
            ):
                return True
        return False

    @cached_property
    def elsewhere(self) -> frozenset[str]:
        """Functions of which nobody knows in which part of the state they run: what the runtime
        calls in constructs that are not followed; and where the state changes, what threads of the
        program's own may run, which begin with a state of their own."""
        handed = {
            o.name
            for name, calls in self.called.items()
            if name.startswith(("__kmpc_", "__tgt_", "GOMP_")) and name not in (FORK, ALONE)
            for i in calls
            for o in i.operands[1:]
            if isinstance(o, GlobalRef) and o.name in self.module.functions
        }
        irregular = {
            f.name
            for f in self.module.functions.values()
            if not f.is_declaration and _has_other_regions(f)
        }
        started = self.pointed if self.is_changed else frozenset[str]()
        return self.reached(handed | irregular | started)

    def may_set(self, name: str) -> bool:
        """May a call of a function change the state?"""
        found = self.reached((name,))
        return any(
            callee(i) in SETTERS
            for n in found
            if n in self.module.functions
            for i in self.module.functions[n].calls
        )


def _replaces_environment(store: Instruction) -> bool:
    return store.operands[1] in ("@environ", "@__environ")


def _has_other_regions(function: Function) -> bool:
    """Does a function open regions of one thread that are not calls of a region's function, as an
    optimiser leaves them?"""
    called = [callee(i) for i in function.calls]
    return called.count(SERIALIZED) != called.count(ALONE)
