"""Parallel regions and tasks of OpenMP in a module, and edits of its text that make them serial."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cached_property

from ...ir.graph import callee, calls_in, closure, instructions
from ...ir.matchers import is_icmp
from ...ir.types import Function, GlobalRef, Instruction, Module, quoted

FORK = "__kmpc_fork_call"
ALONE = "looplaw.omp.alone"
"""Stands for a region of one thread: clang calls the region's function there itself."""
SERIALIZED = "__kmpc_serialized_parallel"
ALLOCATE = "__kmpc_omp_task_alloc"
TEAM_CALLS = (
    "__kmpc_for_static_init_",
    "__kmpc_dispatch_init_",
    "__kmpc_global_thread_num",
    "__kmpc_single",
    "__kmpc_master",
    "__kmpc_masked",
    "omp_get_thread_num",
    "omp_get_num_threads",
    "omp_in_parallel",
)
"""Beginnings of the calls whose answer depends on the thread."""
ATTRIBUTES = re.compile(r" #\d+(?= |$)")
_OF_TEAMS = (FORK, SERIALIZED, "omp_set_num_threads", "omp_get_max_threads", *TEAM_CALLS)


def has_regions(module: Module) -> bool:
    """Does the program start teams of threads, or does it share work out or ask for its team as a
    thread of one does?"""
    return any(n.startswith(_OF_TEAMS) and f.is_declaration for n, f in module.functions.items())


OF_FLANG = "..omp_par"
"""What the names of regions have in them that flang makes."""


def is_outlined(name: str) -> bool:
    """A function that clang or flang makes of a part of another: no function of the source."""
    is_region = ".omp_outlined" in name or OF_FLANG in name
    return is_region or name.startswith((".omp_", "looplaw.region."))


def is_rewritten(module: Module) -> bool:
    """Has every region become serial?"""
    return not any(callee(i) == FORK for _, i in calls_in(module))


def has_tasks(module: Module) -> bool:
    """Does the program create tasks?"""
    return ALLOCATE in module.functions


def direct_calls(module: Module, function: Function) -> list[str]:
    """The functions of the module that run while a function does: those that it calls, and the
    bodies of its regions and tasks."""
    found = []
    for i in function.calls:
        name = callee(i) or ""
        if name in (FORK, ALONE):
            name = function_at(i, 3)
        elif name == ALLOCATE:
            name = function_at(i, 6)
        if name in module.functions:
            found.append(name)
    return found


def task_functions(module: Module) -> frozenset[str]:
    """Functions that run as tasks."""
    return frozenset(function_at(i, 6) for _, i in calls_in(module) if callee(i) == ALLOCATE)


def function_at(call: Instruction, at: int) -> str:
    """The name of the function that stands at a place among a call's operands."""
    operand = call.operands[at]
    return operand.name if isinstance(operand, GlobalRef) else ""


@dataclass
class Edits:
    """Edits of a module's text, by line."""

    module: Module
    one_thread: bool
    free: int = 0  # the next metadata node
    is_whole: bool = True
    lines: list[str] = field(default_factory=list)
    helpers: list[str] = field(default_factory=list)
    notes: set[str] = field(default_factory=set)
    declared: dict[str, str] = field(default_factory=dict)
    declared_calls: dict[str, str] = field(default_factory=dict)
    serial: set[str] = field(default_factory=set)
    pushing: set[str] = field(default_factory=set)

    # -- which functions are regions
    @cached_property
    def regions(self) -> frozenset[str]:
        """Functions that every thread of a team runs; the first two parameters are addresses of its
        number and of 0."""
        found = {function_at(i, 3) for _, i in calls_in(self.module) if callee(i) in (FORK, ALONE)}
        found |= {callee(i) or "" for i in self.alone.values()}
        return frozenset(closure(found, self._handed_on))

    @cached_property
    def alone(self) -> dict[int, Instruction]:
        """The calls by which clang runs a region on one thread, by their lines: the next call of a
        region's function behind the one that opens the region."""
        found: dict[int, Instruction] = {}
        for function in self.module.functions.values():
            for block in function.blocks.values():
                is_open = False
                for i in block.instructions:
                    name = callee(i) if i.is_call else None
                    if name == SERIALIZED:
                        is_open = True
                    elif is_open and i.is_call and is_outlined(name or ""):
                        found[i.line] = i
                        is_open = False
        return found

    def _handed_on(self, name: str) -> list[str]:
        """Functions to which a region's function hands its first two parameters."""
        function = self.module.functions.get(name)
        if function is None or len(function.parameters) < 2:
            return []
        own = tuple(p.token for p in function.parameters[:2])
        handed = (callee(i) for i in instructions(function) if i.operands[1:3] == own)
        return [name for name in handed if name is not None and name in self.module.functions]

    @cached_property
    def tasks(self) -> frozenset[str]:
        """Functions that clang makes of tasks: the entry, and the helpers of its making that this
        one is handed."""
        found = set(task_functions(self.module))
        for name in list(found):
            for i in instructions(self.module.functions[name]):
                if i.is_call:
                    mentioned = (o.name for o in i.operands if isinstance(o, GlobalRef))
                    found.update(name for name in mentioned if name.startswith(".omp_"))
        return frozenset(
            f
            for f in found
            if f in self.module.functions and not self.module.functions[f].is_declaration
        )

    @cached_property
    def inside(self) -> frozenset[str]:
        """Functions that may run within a region: those, and what they call."""
        functions = self.module.functions
        known = (r for r in self.regions if r in functions)
        return frozenset(closure(known, lambda name: direct_calls(self.module, functions[name])))

    # -- edits
    def replace(self, i: Instruction, *lines: str) -> None:
        """The instruction by others; its place in the source goes with the last."""
        dbg = f", !dbg {i.dbg}" if i.dbg else ""
        self.lines[i.line] = "\n".join(f"  {line}" for line in lines) + (dbg if lines else "")

    def always_inline(self, function: Function) -> None:
        """Have a function inlined wherever it is called."""
        header = self.lines[function.line]
        at = header.rindex(")")
        self.lines[function.line] = header[:at] + ATTRIBUTES.sub(
            " alwaysinline nounwind", header[at:], count=1
        )

    def declarations(self) -> list[str]:
        """What the edits call that the module does not have."""
        return [
            *(
                f"declare {kind} @{name}()"
                for name, kind in self.declared.items()
                if name not in self.module.functions
            ),
            *(
                text
                for name, text in self.declared_calls.items()
                if name not in self.module.functions
            ),
        ]

    def at_entry(self, function: Function, *lines: str) -> None:
        self.lines[function.entry.line] += "".join(f"\n  {line}" for line in lines)

    def add_incoming(self, phi: Instruction, token: str, label: str) -> None:
        text, comma, dbg = self.lines[phi.line].partition(", !dbg")
        self.lines[phi.line] = f"{text}, [ {token}, %{quoted(label)} ]{comma}{dbg}"

    def members(self, function: Function) -> tuple[str, str]:
        """The addresses of a thread's number in its team, and of the team's size: outside of
        regions, of variables that hold 0 and 1."""
        if function.name in self.regions:
            return function.parameters[0].token, function.parameters[1].token
        tid, team = "%looplaw.serial.tid", "%looplaw.serial.team"
        if function.name not in self.serial:
            self.serial.add(function.name)
            self.at_entry(
                function,
                f"{tid} = alloca i32",
                f"{team} = alloca i32",
                f"store i32 0, ptr {tid}",
                f"store i32 1, ptr {team}",
            )
        return tid, team

    def only_first(
        self, function: Function, i: Instruction, tid: str, *more: str, number: str = "0"
    ) -> None:
        """A call that answers 1 to one thread of the team."""
        slot = f"%looplaw.first.{i.line}"
        self.replace(
            i,
            f"{slot}.t = load i32, ptr {tid}",
            f"{slot} = icmp eq i32 {slot}.t, {number}",
            *more,
            f"{i.token} = zext i1 {slot} to i32",
        )
        for test in function.definitions.values():
            if is_icmp(test) and test.operands == (i.token, "0") and test.extra[0] in ("ne", "eq"):
                kind = {"ne": "eq", "eq": "ne"}[test.extra[0]]
                self.replace(test, f"{test.token} = icmp {kind} i32 {slot}.t, {number}")
