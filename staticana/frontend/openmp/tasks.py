"""What runs where it stands: tasks, regions of one thread, and the constructs of functions that
regions call."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

from ...ir.graph import callee, calls_in, closure
from ...ir.matchers import is_invoke
from ...ir.parser import edited
from ...ir.types import Function, Instruction, IntLiteral, Module
from .passes import transformed_with_models
from .regions import (
    ALLOCATE,
    ALONE,
    ATTRIBUTES,
    FORK,
    SERIALIZED,
    TEAM_CALLS,
    Edits,
    direct_calls,
    function_at,
    task_functions,
)
from .state import RuntimeState

_START = ("__kmpc_omp_task", "__kmpc_omp_task_with_deps")
_TASKLOOP = "__kmpc_taskloop"
_ASKING = (*TEAM_CALLS, FORK, SERIALIZED)
ANY_THREAD = "looplaw.omp.thread"
"""The number of the thread that runs a task: any of the team."""


def prepared(module: Module, state: RuntimeState) -> Module:
    """The module with tasks run where they are created, regions of one thread as calls of
    `ALONE`, and functions inlined in regions that call them, in which a thread asks for its share,
    its number or its team, or opens a region, with functions on the way to them. What calls itself
    stays a call.

    Raises:
        InputError: the module is not laid out as clang writes it.
    """
    module = _without_unwinding(module)
    edits = _Preparing(module, one_thread=False, state=state)
    text, passes = edits.text()
    if passes:
        text = transformed_with_models(text, passes)
    return edited(module, text) if text != module.text else module


def _without_unwinding(module: Module) -> Module:
    """The module with libomp's functions, which throw nothing, called and not invoked."""
    lines = module.text.split("\n")
    found = False
    for name in {callee(i) or "" for _, i in calls_in(module) if is_invoke(i)}:
        if name.startswith(("omp_", "__kmpc_")):
            line = module.functions[name].line
            lines[line] = ATTRIBUTES.sub(r" nounwind\g<0>", f"{lines[line]} ", count=1).rstrip()
            found = "nounwind" in lines[line] or found
    if not found:
        return module
    passes = ("simplify_cfg", "loop_simplify", "lcssa", "instruction_namer")
    return edited(module, transformed_with_models("\n".join(lines), passes))


@dataclass
class _Preparing(Edits):
    state: RuntimeState = field(kw_only=True)

    def text(self) -> tuple[str, tuple[str, ...]]:
        """The text of the module, and the passes that it needs."""
        self.lines = self.module.text.split("\n")
        for function in self.module.functions.values():
            if not function.is_declaration:
                self._function(function)
        wanted = self._asked()
        for name in wanted | self.tasks:
            self.always_inline(self.module.functions[name])
        # what a task is handed, addresses and a function among it, is known once it is inlined
        inlining = ("always_inliner", "sroa") * 3 if self.tasks else ("always_inliner",)
        passes = (*inlining, "loop_simplify", "lcssa", "instruction_namer")
        variables = (f"@{name} = internal global i32 1" for name in self.state.variables)
        text = "\n".join([*self.lines, *self.declarations(), *variables])
        return text, passes if wanted or self.tasks else ()

    def _asked(self) -> frozenset[str]:
        """The functions to be inlined: those that ask, within regions, with those on the way."""
        functions = {f.name: f for f in self.module.functions.values() if not f.is_declaration}
        called = {name: set(direct_calls(self.module, f)) for name, f in functions.items()}
        inside = self.inside & functions.keys()
        asking = {
            n
            for n in inside
            if any((callee(i) or "").startswith(_ASKING) for i in functions[n].calls)
        }
        callers: dict[str, set[str]] = {}
        for name in inside:
            for c in called[name]:
                callers.setdefault(c, set()).add(name)
        wanted = closure(asking, lambda name: callers.get(name, ()))
        wanted -= self.regions
        return frozenset(
            n for n in wanted if n not in closure(called[n], lambda c: called.get(c, ()))
        )

    def _function(self, function: Function) -> None:
        for i in function.calls:
            called = callee(i) or ""
            if called == ALLOCATE or called in _START or called.startswith(_TASKLOOP):
                self._task(function, i)
            elif called in self._entries and function.name not in self.tasks:
                self._kept(i, called, self.lines[i.line].partition(", !dbg")[0].strip())
            elif i.line in self.alone:
                self._alone(i)
            elif called == "omp_get_thread_num" and function.name in self._by_tasks:
                self.declared[ANY_THREAD] = "i32"
                self.replace(i, f"{i.token} = call i32 @{ANY_THREAD}()")

    @cached_property
    def _entries(self) -> frozenset[str]:
        return task_functions(self.module)

    @cached_property
    def _by_tasks(self) -> frozenset[str]:
        """What tasks call, on whichever thread."""
        functions = self.module.functions

        def called(name: str) -> list[str]:
            found = (callee(i) or "" for i in functions[name].calls)
            return [c for c in found if c in functions]

        return frozenset(closure(self.tasks, called))

    def _alone(self, i: Instruction) -> None:
        """A region whose `if` clause is false: clang calls its function."""
        handed = "".join(
            f", {t} {token}" for t, token in zip(i.extra[2:], i.operands[3:], strict=True)
        )
        self.declared_calls[ALONE] = f"declare void @{ALONE}(ptr, i32, ptr, ...)"
        self.replace(
            i,
            f"call void (ptr, i32, ptr, ...) @{ALONE}(ptr null, i32 {len(i.operands) - 3}, ptr"
            f" {i.operands[0]}{handed})",
        )

    def _task(self, function: Function, i: Instruction) -> None:
        """A task runs where it is created: its record becomes a local variable, its start a
        call."""
        if callee(i) == ALLOCATE:
            own, shared = i.operands[4:6]
            if not _has_sizes(i):
                return
            slot = f"%looplaw.task.{i.line}"
            self.at_entry(
                function,
                f"{slot} = alloca [{own} x i8], align 16",
                f"{slot}.shared = alloca [{shared} x i8], align 16",
            )
            self.replace(
                i,
                f"store ptr {slot}.shared, ptr {slot}",
                f"{i.token} = getelementptr i8, ptr {slot}, i64 0",
            )
            return
        made = function.definitions.get(i.operands[3])
        if made is not None and callee(made) == ALLOCATE and _has_sizes(made):
            # taskloop's tasks share out the iterations that the record holds: one task runs all
            result = i.token if i.name is not None else f"%looplaw.taskloop.{i.line}"
            call = f"{result} = call i32 {made.operands[6]}(i32 {i.operands[2]}, ptr {made.token})"
            self._kept(i, function_at(made, 6), call)

    def _kept(self, i: Instruction, task: str, call: str) -> None:
        """The call of a task, which has a state of its own."""
        before, after = self.state.kept(f"%looplaw.kept.{i.line}", task)
        dbg = f", !dbg {i.dbg}" if i.dbg else ""
        self.replace(i, *before, call + dbg * bool(after), *after)


def _has_sizes(allocation: Instruction) -> bool:
    """Are the sizes of a task's record and of what it shares constants?"""
    return all(isinstance(o, IntLiteral) for o in allocation.operands[4:6])
