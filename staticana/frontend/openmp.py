"""OpenMP: the serial program that runs as often as the whole team does.

clang outlines the body of a parallel region into a function that `__kmpc_fork_call` runs on every
thread. Here the call becomes a loop over the threads 0 .. p-1 around that function, which is then
inlined, so that what it captures is seen as any local variable is. What the team shares out (a
worksharing loop under any schedule, sections, single) goes to thread 0, the other threads pass it
by: summed over the team, every iteration runs once, as OpenMP has it. What is not shared runs once
per thread. What cannot be rewritten stays a call that the analysis knows nothing of.

The loop over the threads is no loop of the source (`loops.Loop.is_source`).

For the depth the same is done for one thread: it gets ceil(N/p) of N shared iterations, as a static
schedule hands them out, from an offset without a value, so that a count in which it remains is one
where the iterations differ.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

from looplaw_common.errors import InputError

from ..ir.graph import callee, closure, instructions
from ..ir.loop_info import TEAM_LOOP, TEAM_SIZE, LoopForest, loop_forest
from ..ir.parser import edited
from ..ir.types import Function, Instruction, IntLiteral, Module, quoted
from .isolation import transformed
from .openmp_barriers import OTHERS, own_variables, seen_of_others
from .openmp_regions import ALLOCATE, FORK, has_regions
from .openmp_worksharing import Worksharing

NESTED = "nested parallel regions run on one thread each"
_UNKNOWN_SIZE = "omp_team_size"
_START = ("__kmpc_omp_task", "__kmpc_omp_task_with_deps")
_NESTING = frozenset(("omp_set_nested", "omp_set_max_active_levels"))
"""With these a program may have nested regions run by teams of their own."""
_TASKLOOP = "__kmpc_taskloop"
_ALONE = ("__kmpc_single", "__kmpc_master", "__kmpc_masked")
_SILENT = re.compile(
    r"__kmpc_(?:barrier|for_static_fini|end_(?:single|master|masked|reduce|reduce_nowait|critical"
    r"|ordered)|dispatch_(?:deinit|fini_\w+)|(?:critical|ordered)(?:_with_hint)?|flush"
    r"|push_num_threads|omp_taskwait|(?:end_)?taskgroup|omp_task_(?:begin|complete)_if0)$"
)
"""Calls that change nothing once there is one thread."""
_ATTRIBUTES = re.compile(r" #\d+(?= |$)")
_HEAD = re.compile(r"(?m)^(?:source_filename|target) [^\n]*\n")
_CALLED = re.compile(r"\bcall [^@\n]*@(looplaw\.[\w.]+)\(")
_GIVEN = re.compile(r"(?m)^(?:define|declare) [^@\n]*@(looplaw\.[\w.]+)\(")
_TYPES_OF_MODELS = re.compile(r"(?m)^%\"?looplaw\.[^=\n]+ = type [^\n]*\n")
"""They stand at the end (`models`), where LLVM does not look for the size of a type."""
_HELPER = """
define internal void @{name}(i32 %size, i32 %members{parameters}) alwaysinline nounwind {{
entry:
  %tid = alloca i32
  %team = alloca i32
  store i32 %size, ptr %team
  br label %{loop}
{loop}:
  %t = phi i32 [ 0, %entry ], [ %next, %member ]
  %more = icmp slt i32 %t, %members
  br i1 %more, label %member, label %done
member:
  store i32 %t, ptr %tid
{before}  call void {region}(ptr %tid, ptr %team{arguments})
  %next = add nsw i32 %t, 1
  br label %{loop}
done:
{after}  ret void
}}
"""


def team_module(module: Module, *, one_thread: bool = False) -> tuple[Module, frozenset[str]]:
    """The serial program that counts as the team (or as one of its threads) does, and what that
    assumes.

    A module without regions is returned as it is.
    """
    if not has_regions(module):
        return module, frozenset()
    module = _orphans_inlined(module)
    rewriting = _Rewriting(module, one_thread)
    text = rewriting.text()
    if not rewriting.is_whole:
        return module, frozenset()
    # what a task is handed, addresses and a function among it, is known once it is inlined: thrice
    inlining = ("always_inliner", "sroa") * 3
    try:
        text = _transformed(text, (*inlining, "loop_simplify", "lcssa", "instruction_namer"))
    except InputError:
        # not laid out as clang writes it: regions stay functions that are called through pointers
        return module, frozenset(("the parallel regions were not understood",))
    return edited(module, text), frozenset(rewriting.notes)


_TEAM_CALLS = (
    "__kmpc_for_static_init_",
    "__kmpc_dispatch_init_",
    "__kmpc_global_thread_num",
    "omp_get_thread_num",
    "omp_get_num_threads",
    *_ALONE,
)
"""Beginnings of the calls whose answer depends on the thread."""


def _orphans_inlined(module: Module) -> Module:
    """The module with orphaned constructs (OpenMP 5.2, section 1.2.2) in the regions that call
    them: functions in which a thread asks for its share, its number or the size of its team, and
    functions on the way to them. What calls itself stays a call."""
    functions = {f.name: f for f in module.functions.values() if not f.is_declaration}
    called = {
        name: {c for i in instructions(f) if (c := callee(i)) is not None}
        for name, f in functions.items()
    }
    inside = _Rewriting(module, False).inside
    asking = {n for n in inside if any(c.startswith(_TEAM_CALLS) for c in called.get(n, ()))}
    callers: dict[str, set[str]] = {}
    for name in inside & functions.keys():
        for c in called[name]:
            callers.setdefault(c, set()).add(name)
    wanted = closure(asking, lambda name: callers.get(name, ()))
    wanted -= _Rewriting(module, False).regions
    wanted = {n for n in wanted if n not in closure(called[n], lambda c: called.get(c, ()))}
    if not wanted:
        return module
    lines = module.text.split("\n")
    for name in wanted:
        _always_inline(lines, functions[name])
    text = "\n".join(lines)
    try:
        text = _transformed(text, ("always_inliner", "loop_simplify", "lcssa", "instruction_namer"))
    except InputError:
        return module
    return edited(module, text)


def _transformed(text: str, passes: tuple[str, ...]) -> str:
    """The text after LLVM's passes, which reads the types of models first, and wants the functions
    declared that models call."""
    known = set(_GIVEN.findall(text))
    called = sorted(set(_CALLED.findall(text)) - known)
    text += "".join(f"declare void @{name}(...)\n" for name in called)
    types = "".join(_TYPES_OF_MODELS.findall(text))
    if types:
        text = _TYPES_OF_MODELS.sub("", text)
        at = max((m.end() for m in _HEAD.finditer(text)), default=0)
        text = text[:at] + types + text[at:]
    return transformed(text, passes)


def _always_inline(lines: list[str], function: Function) -> None:
    """Have a function inlined wherever it is called."""
    header = lines[function.line]
    at = header.rindex(")")
    lines[function.line] = header[:at] + _ATTRIBUTES.sub(
        " alwaysinline nounwind", header[at:], count=1
    )


@dataclass
class _Rewriting(Worksharing):
    """Makes every region of a module serial."""

    def text(self) -> str:
        self.lines = self.module.text.split("\n")
        self.free = self.module.free_metadata
        for function in self.module.functions.values():
            if not function.is_declaration:
                self._function(function)
        return "\n".join(
            [
                *self.lines,
                *self.helpers,
                *(
                    f"declare {kind} @{name}()"
                    for name, kind in self.declared.items()
                    if name not in self.module.functions
                ),
                *self.declared_calls.values(),
            ]
        )

    # -- edits
    def _function(self, function: Function) -> None:
        is_region = function.name in self.regions
        if is_region or function.name in self.tasks:
            _always_inline(self.lines, function)
        forest = loop_forest(function, self.module)
        alone = function.name not in self.inside and function.name not in self.tasks
        if is_region:
            for load in seen_of_others(function, forest, self.shared_loops(function, forest)):
                name = f"{OTHERS}.{load.type}"
                self.declared[name] = load.type
                self.replace(load, f"{load.token} = call {load.type} @{name}()")
        for b in function.blocks.values():
            for i in b.instructions:
                called = callee(i) if i.opcode == "call" else None
                if called is None:
                    continue
                if called == ALLOCATE or called in _START or called.startswith(_TASKLOOP):
                    self._task(function, i)
                elif called == FORK:
                    self._fork(function, forest, b.name, i)
                elif called == TEAM_SIZE and self._sizes:
                    self._next_size(function, forest, b.name, i)
                elif is_region or (alone and called.startswith(_TEAM_CALLS)):
                    self._in_region(function, forest, b.name, i, called)
                elif called in self.regions and function.name not in self.inside:
                    self._alone(function, i)

    def _fork(self, function: Function, forest: LoopForest, block: str, i: Instruction) -> None:
        name = f"looplaw.region.{i.line}"
        types, tokens = i.extra[3:], i.operands[4:]
        parameters = "".join(f", {t} %a{k}" for k, t in enumerate(types))
        self.helpers.append(
            _HELPER.format(
                name=name,
                loop=TEAM_LOOP,
                region=i.operands[3],
                parameters=parameters,
                arguments=parameters,
                before=self._left_by_others(also_read=True),
                after=self._left_by_others(also_read=False),
            )
        )
        handed = "".join(f", {t} {token}" for t, token in zip(types, tokens, strict=True))
        if function.name in self.inside:
            if not _NESTING.isdisjoint(self.module.functions):
                return  # how many threads it has, only the run tells
            self.notes.add(NESTED)
            self.replace(i, f"call void @{name}(i32 1, i32 1{handed})")
            return
        size = self._asked_for(function, forest, block, i)
        if size is None:
            source = TEAM_SIZE if not self._sizes else _UNKNOWN_SIZE
            self.declared[source] = "i32"
            size = f"%{name}.size"
            self.replace(
                i,
                f"{size} = call i32 @{source}()" + (f", !dbg {i.dbg}" if i.dbg else ""),
                f"call void @{name}(i32 {size}, i32 {1 if self.one_thread else size}{handed})",
            )
        else:
            self.replace(
                i, f"call void @{name}(i32 {size}, i32 {1 if self.one_thread else size}{handed})"
            )

    def _left_by_others(self, *, also_read: bool) -> str:
        """Calls that say of each thread's own variables that nobody knows what they hold."""
        names = [name for name, is_written in self._own if is_written or also_read]
        if names:
            self.declared_calls[OTHERS] = f"declare void @{OTHERS}(ptr)"
        return "".join(f"  call void @{OTHERS}(ptr @{quoted(name)})\n" for name in names)

    @cached_property
    def _own(self) -> list[tuple[str, bool]]:
        """The variables of each thread that the program writes and regions use, and whether these
        write them."""
        return list(own_variables(self.module, self.inside | self.tasks))

    @cached_property
    def _sizes(self) -> list[tuple[str, str, Instruction]]:
        """Calls of omp_set_num_threads, with function and block."""
        return [
            (f.name, b.name, i)
            for f in self.module.functions.values()
            for b in f.blocks.values()
            for i in b.instructions
            if callee(i) == "omp_set_num_threads"
        ]

    def _asked_for(
        self, function: Function, forest: LoopForest, block: str, fork: Instruction
    ) -> str | None:
        """The team's size where the program says it: the clause num_threads, or one
        omp_set_num_threads before."""
        before = [
            i
            for i in function.blocks[block].instructions
            if i.line < fork.line and i.opcode == "call"
        ]
        for i in reversed(before):
            if callee(i) == FORK:
                break
            if callee(i) == "__kmpc_push_num_threads":
                self.replace(i)
                return i.operands[3]
        return self._set_before(function, forest, block, fork)

    def _set_before(
        self, function: Function, forest: LoopForest, block: str, at: Instruction
    ) -> str | None:
        """What the only omp_set_num_threads has set wherever control comes to an instruction."""
        if len(self._sizes) == 1:
            owner, where, i = self._sizes[0]
            if (
                owner == function.name
                and forest.dominates(where, block)
                and (where != block or i.line < at.line)
            ):
                return i.operands[1]
        return None

    def _next_size(
        self, function: Function, forest: LoopForest, block: str, i: Instruction
    ) -> None:
        """The size of the next team, where the program sets sizes."""
        size = self._set_before(function, forest, block, i)
        if size is None:
            self.declared[_UNKNOWN_SIZE] = "i32"
            self.replace(i, f"{i.token} = call i32 @{_UNKNOWN_SIZE}()")
        else:
            self.replace(i, f"{i.token} = add i32 {size}, 0")

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
            self.replace(
                i, f"{result} = call i32 {made.operands[6]}(i32 {i.operands[2]}, ptr {made.token})"
            )

    def _alone(self, function: Function, i: Instruction) -> None:
        """A region whose `if` clause is false: a team of one."""
        parameters = [f"{t} {token}" for t, token in zip(i.extra[2:], i.operands[3:], strict=True)]
        slot = f"%looplaw.alone.{i.line}"
        self.at_entry(function, f"{slot}.tid = alloca i32", f"{slot}.team = alloca i32")
        self.replace(
            i,
            f"store i32 0, ptr {slot}.tid",
            f"store i32 1, ptr {slot}.team",
            "call void"
            f" {i.operands[0]}({', '.join([f'ptr {slot}.tid', f'ptr {slot}.team', *parameters])})",
        )

    # -- inside a region
    def _in_region(
        self, function: Function, forest: LoopForest, block: str, i: Instruction, called: str
    ) -> None:
        tid, team = self.members(function)
        if called == "omp_get_thread_num" and self._is_single(function, forest, block):
            return  # any thread of the team
        if called in ("omp_get_thread_num", "__kmpc_global_thread_num"):
            self.replace(i, f"{i.token} = load i32, ptr {tid}")
        elif called == "omp_get_num_threads":
            self.replace(i, f"{i.token} = load i32, ptr {team}")
        elif called in _ALONE:
            self.only_first(function, i, tid)
        elif called in ("__kmpc_reduce", "__kmpc_reduce_nowait"):
            self.replace(i, f"{i.token} = add i32 1, 0")  # each thread adds its share itself
        elif _SILENT.match(called) and not function.users.get(i.token):
            self.replace(i)
        elif called.startswith("__kmpc_for_static_init_"):
            self.unguarded(function, forest, block, called)
            self.static(function, forest, block, i, tid)
        elif called.startswith("__kmpc_dispatch_init_"):
            self.unguarded(function, forest, block, called)
            self.dynamic(function, forest, block, i, tid)

    @staticmethod
    def _is_single(function: Function, forest: LoopForest, block: str) -> bool:
        """Is a block in the body of a `single` construct?"""
        return any(
            b.terminator.opcode == "br"
            and len(b.terminator.labels) == 2
            and (test := function.definitions.get(b.terminator.operands[0])) is not None
            and (asked := function.definitions.get(test.operands[0])) is not None
            and callee(asked) == "__kmpc_single"
            and forest.dominates(b.terminator.labels[test.extra[:1] == ("eq",)], block)
            for b in function.blocks.values()
        )


def _has_sizes(allocation: Instruction) -> bool:
    """Are the sizes of a task's record and of what it shares constants?"""
    return all(isinstance(o, IntLiteral) for o in allocation.operands[4:6])
