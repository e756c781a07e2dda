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
from dataclasses import dataclass, field
from functools import cached_property

from looplaw_common.errors import InputError

from ..ir.graph import callee, calls_in, closure, instructions
from ..ir.loop_info import (
    NESTED_IN,
    SHARED_LOOP,
    TEAM_LOOP,
    TEAM_SIZE,
    Loop,
    LoopForest,
    loop_forest,
)
from ..ir.parser import edited
from ..ir.types import Function, GlobalRef, Instruction, IntLiteral, Module, quoted
from .isolation import transformed

FORK = "__kmpc_fork_call"

NESTED = "nested parallel regions run on one thread each"
_UNKNOWN_SIZE = "omp_team_size"
_OFFSET = "looplaw.offset."
_KIND = {"4": "i32", "4u": "i32", "8": "i64", "8u": "i64"}
_ALLOCATE = "__kmpc_omp_task_alloc"
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
_SCHEDULE = (1 << 29) - 1  # without the bits of modifiers (kmp.h, sched_type)
_CHUNKED = (33, 65)  # static with a chunk size, and the same, ordered
_ATTRIBUTES = re.compile(r" #\d+(?= |$)")
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
  call void {region}(ptr %tid, ptr %team{arguments})
  %next = add nsw i32 %t, 1
  br label %{loop}
done:
  ret void
}}
"""


def has_regions(module: Module) -> bool:
    """Does the program start teams of threads?"""
    return FORK in module.functions


def is_outlined(name: str) -> bool:
    """A function that clang makes of a part of another: no function of the source."""
    return ".omp_outlined" in name or name.startswith((".omp_", "looplaw.region."))


def is_rewritten(module: Module) -> bool:
    """Has every region become serial?"""
    return not any(callee(i) == FORK for _, i in calls_in(module))


def has_tasks(module: Module) -> bool:
    """Does the program create tasks?"""
    return _ALLOCATE in module.functions


def task_functions(module: Module) -> frozenset[str]:
    """Functions that run as tasks."""
    return frozenset(_function_at(i, 6) for _, i in calls_in(module) if callee(i) == _ALLOCATE)


def _function_at(call: Instruction, at: int) -> str:
    """The name of the function that stands at a place among a call's operands."""
    operand = call.operands[at]
    return operand.name if isinstance(operand, GlobalRef) else ""


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
        text = transformed(text, (*inlining, "loop_simplify", "lcssa", "instruction_namer"))
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
        text = transformed(text, ("always_inliner", "loop_simplify", "lcssa", "instruction_namer"))
    except InputError:
        return module
    return edited(module, text)


def _always_inline(lines: list[str], function: Function) -> None:
    """Have a function inlined wherever it is called."""
    header = lines[function.line]
    at = header.rindex(")")
    lines[function.line] = header[:at] + _ATTRIBUTES.sub(
        " alwaysinline nounwind", header[at:], count=1
    )


@dataclass
class _Rewriting:
    """Edits of a module's text, by line."""

    module: Module
    one_thread: bool
    free: int = 0  # the next metadata node
    is_whole: bool = True
    lines: list[str] = field(default_factory=list)
    helpers: list[str] = field(default_factory=list)
    notes: set[str] = field(default_factory=set)
    declared: dict[str, str] = field(default_factory=dict)
    serial: set[str] = field(default_factory=set)

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
            ]
        )

    # -- which functions are regions
    @cached_property
    def regions(self) -> frozenset[str]:
        """Functions that every thread of a team runs; the first two parameters are addresses of its
        number and of 0."""
        found = (_function_at(i, 3) for _, i in calls_in(self.module) if callee(i) == FORK)
        return frozenset(closure(found, self._handed_on))

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

        def called(name: str) -> list[str]:
            found = (callee(i) for i in instructions(functions[name]))
            return [name for name in found if name is not None and name in functions]

        return frozenset(closure(self.regions, called))

    # -- edits
    def _replace(self, i: Instruction, *lines: str) -> None:
        """The instruction by others; its place in the source goes with the last."""
        dbg = f", !dbg {i.dbg}" if i.dbg else ""
        self.lines[i.line] = "\n".join(f"  {line}" for line in lines) + (dbg if lines else "")

    def _function(self, function: Function) -> None:
        is_region = function.name in self.regions
        if is_region or function.name in self.tasks:
            _always_inline(self.lines, function)
        forest = loop_forest(function, self.module)
        alone = function.name not in self.inside and function.name not in self.tasks
        for b in function.blocks.values():
            for i in b.instructions:
                called = callee(i) if i.opcode == "call" else None
                if called is None:
                    continue
                if called == _ALLOCATE or called in _START or called.startswith(_TASKLOOP):
                    self._task(function, i)
                elif called == FORK:
                    self._fork(function, forest, b.name, i)
                elif called == TEAM_SIZE and self._sizes:
                    self._next_size(function, forest, b.name, i)
                elif is_region or (alone and called.startswith(_TEAM_CALLS)):
                    self._in_region(function, forest, b.name, i, called)
                elif called in self.regions and function.name not in self.inside:
                    self._alone(function, i)

    def _members(self, function: Function) -> tuple[str, str]:
        """The addresses of a thread's number in its team, and of the team's size: outside of
        regions, of variables that hold 0 and 1."""
        if function.name in self.regions:
            return function.parameters[0].token, function.parameters[1].token
        tid, team = "%looplaw.serial.tid", "%looplaw.serial.team"
        if function.name not in self.serial:
            self.serial.add(function.name)
            self._at_entry(
                function,
                f"{tid} = alloca i32",
                f"{team} = alloca i32",
                f"store i32 0, ptr {tid}",
                f"store i32 1, ptr {team}",
            )
        return tid, team

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
            )
        )
        handed = "".join(f", {t} {token}" for t, token in zip(types, tokens, strict=True))
        if function.name in self.inside:
            if not _NESTING.isdisjoint(self.module.functions):
                return  # how many threads it has, only the run tells
            self.notes.add(NESTED)
            self._replace(i, f"call void @{name}(i32 1, i32 1{handed})")
            return
        size = self._asked_for(function, forest, block, i)
        if size is None:
            source = TEAM_SIZE if not self._sizes else _UNKNOWN_SIZE
            self.declared[source] = "i32"
            size = f"%{name}.size"
            self._replace(
                i,
                f"{size} = call i32 @{source}()" + (f", !dbg {i.dbg}" if i.dbg else ""),
                f"call void @{name}(i32 {size}, i32 {1 if self.one_thread else size}{handed})",
            )
        else:
            self._replace(
                i, f"call void @{name}(i32 {size}, i32 {1 if self.one_thread else size}{handed})"
            )

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
                self._replace(i)
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
            self._replace(i, f"{i.token} = call i32 @{_UNKNOWN_SIZE}()")
        else:
            self._replace(i, f"{i.token} = add i32 {size}, 0")

    def _at_entry(self, function: Function, *lines: str) -> None:
        self.lines[function.entry.line] += "".join(f"\n  {line}" for line in lines)

    def _task(self, function: Function, i: Instruction) -> None:
        """A task runs where it is created: its record becomes a local variable, its start a
        call."""
        if callee(i) == _ALLOCATE:
            own, shared = i.operands[4:6]
            if not _has_sizes(i):
                return
            slot = f"%looplaw.task.{i.line}"
            self._at_entry(
                function,
                f"{slot} = alloca [{own} x i8], align 16",
                f"{slot}.shared = alloca [{shared} x i8], align 16",
            )
            self._replace(
                i,
                f"store ptr {slot}.shared, ptr {slot}",
                f"{i.token} = getelementptr i8, ptr {slot}, i64 0",
            )
            return
        made = function.definitions.get(i.operands[3])
        if made is not None and callee(made) == _ALLOCATE and _has_sizes(made):
            # taskloop's tasks share out the iterations that the record holds: one task runs all
            result = i.token if i.name is not None else f"%looplaw.taskloop.{i.line}"
            self._replace(
                i, f"{result} = call i32 {made.operands[6]}(i32 {i.operands[2]}, ptr {made.token})"
            )

    def _alone(self, function: Function, i: Instruction) -> None:
        """A region whose `if` clause is false: a team of one."""
        parameters = [f"{t} {token}" for t, token in zip(i.extra[2:], i.operands[3:], strict=True)]
        slot = f"%looplaw.alone.{i.line}"
        self._at_entry(function, f"{slot}.tid = alloca i32", f"{slot}.team = alloca i32")
        self._replace(
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
        tid, team = self._members(function)
        if called == "omp_get_thread_num" and self._is_single(function, forest, block):
            return  # any thread of the team
        if called in ("omp_get_thread_num", "__kmpc_global_thread_num"):
            self._replace(i, f"{i.token} = load i32, ptr {tid}")
        elif called == "omp_get_num_threads":
            self._replace(i, f"{i.token} = load i32, ptr {team}")
        elif called in _ALONE:
            self._only_first(function, i, tid)
        elif called in ("__kmpc_reduce", "__kmpc_reduce_nowait"):
            self._replace(i, f"{i.token} = add i32 1, 0")  # each thread adds its share itself
        elif _SILENT.match(called) and not function.users.get(i.token):
            self._replace(i)
        elif called.startswith("__kmpc_for_static_init_"):
            self._unguarded(function, forest, block, called)
            self._static(function, forest, block, i, tid)
        elif called.startswith("__kmpc_dispatch_init_"):
            self._unguarded(function, forest, block, called)
            self._dynamic(function, forest, block, i, tid)

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

    def _only_first(self, function: Function, i: Instruction, tid: str, *more: str) -> None:
        """A call that answers 1 to one thread: thread 0."""
        slot = f"%looplaw.first.{i.line}"
        self._replace(
            i,
            f"{slot}.t = load i32, ptr {tid}",
            f"{slot} = icmp eq i32 {slot}.t, 0",
            *more,
            f"{i.token} = zext i1 {slot} to i32",
        )
        for test in function.definitions.values():
            if (
                test.opcode == "icmp"
                and test.operands == (i.token, "0")
                and test.extra[0] in ("ne", "eq")
            ):
                kind = {"ne": "eq", "eq": "ne"}[test.extra[0]]
                self._replace(test, f"{test.token} = icmp {kind} i32 {slot}.t, 0")

    def _unguarded(self, function: Function, forest: LoopForest, block: str, called: str) -> None:
        """Drop the test for an empty loop where the loop's own says the same: with signed bounds N
        = (end - start) / s is not positive then, and Max(0, N) reads better. A test of several
        loops, collapsed into one, is needed."""
        if called.endswith("u") or not block.startswith("omp.precond.then"):
            return
        above = function.blocks.get(forest.dominator.get(block, ""))
        if (
            above is not None
            and len(above.successors) == 2
            and above.successors[0] == block
            and len(function.predecessors[above.successors[1]]) == 2
            and above.successors[1].startswith("omp.precond.end")
            and not function.blocks[above.successors[1]].phis
        ):
            self._replace(above.terminator, f"br label %{quoted(block)}")

    def _static(
        self, function: Function, forest: LoopForest, block: str, i: Instruction, tid: str
    ) -> None:
        """Bounds stay those of the whole loop; threads other than 0 pass the loop by."""
        called, last, lower = callee(i) or "", i.operands[4], i.operands[5]
        shared = self._starting_at(function, forest, lower, block)
        if shared is None or shared.preheader is None:
            return
        entering = function.blocks[shared.preheader].terminator
        leaves = [e for e in shared.exits if e.source == shared.header]
        schedule = i.operands[3]
        if len(leaves) != 1 or len(entering.labels) != 1 or not isinstance(schedule, IntLiteral):
            return
        chunks = None
        if schedule.value & _SCHEDULE in _CHUNKED:
            chunks = forest.by_header().get(shared.parent or "")
            if (
                chunks is None
                or block in chunks.blocks
                or not self._once(function, chunks.header, forest)
            ):
                return
        slot = f"%looplaw.first.{i.line}"
        self._replace(
            i,
            f"{slot}.t = load i32, ptr {tid}",
            f"{slot} = icmp eq i32 {slot}.t, 0",
            f"{slot}.last = zext i1 {slot} to i32",
            f"store i32 {slot}.last, ptr {last}",
            *self._share(
                slot,
                self._members(function)[1],
                _KIND[called[-2:].lstrip("_")],
                lower,
                i.operands[6],
            ),
        )
        self._mark(function, shared)
        self._shift(function, shared)
        self._within(function, i.operands[6])
        if chunks is not None:  # the test of the first chunk lets thread 0 in
            test = function.blocks[chunks.exits[0].source].terminator
            inside = [quoted(label) for label in test.labels if label != chunks.exits[0].target]
            self._replace(
                test, f"br i1 {slot}, label %{inside[0]}, label %{quoted(chunks.exits[0].target)}"
            )
            return
        target = leaves[0].target
        self._replace(
            entering, f"br i1 {slot}, label %{quoted(shared.header)}, label %{quoted(target)}"
        )
        for phi in function.blocks[target].phis:
            self._add_incoming(phi, "poison", shared.preheader)

    def _share(self, slot: str, team: str, kind: str, lower: str, upper: str) -> list[str]:
        """The length of one thread's part of the shared iterations."""
        if not self.one_thread:
            return []
        self.declared[_OFFSET + kind] = kind
        return [
            f"{slot}.p32 = load i32, ptr {team}",
            (
                f"{slot}.p = {'sext' if kind == 'i64' else 'add'} i32"
                f" {slot}.p32{' to i64' if kind == 'i64' else ', 0'}"
            ),
            f"{slot}.lb = load {kind}, ptr {lower}",
            f"{slot}.ub = load {kind}, ptr {upper}",
            f"{slot}.span = sub nsw {kind} {slot}.ub, {slot}.lb",
            f"{slot}.more = add nsw {kind} {slot}.span, {slot}.p",
            f"{slot}.n = sdiv {kind} {slot}.more, {slot}.p",
            f"{slot}.end = add nsw {kind} {slot}.lb, {slot}.n",
            f"{slot}.to = sub nsw {kind} {slot}.end, 1",
            f"store {kind} {slot}.to, ptr {upper}",
        ]

    def _shift(self, function: Function, shared: Loop) -> None:
        """The body sees the loop's variable plus an offset without a value."""
        header = function.blocks[shared.header]
        bodies = [s for s in header.successors if s in shared.blocks]
        counters = [p for p in header.phis if p.type in ("i32", "i64")]
        if not self.one_thread:
            return
        if (
            len(bodies) != 1
            or bodies[0] == shared.header
            or function.predecessors[bodies[0]] != (shared.header,)
        ):
            # a loop that an optimiser has turned around: the depth is not derived from it
            self.is_whole = False
            return
        for phi in counters:
            self.declared[_OFFSET + phi.type] = phi.type
            updates = {
                o
                for o, label in zip(phi.operands, phi.labels, strict=True)
                if label in shared.blocks
            }
            name = f"%looplaw.shifted.{phi.line}"
            uses = re.compile(rf"{re.escape(phi.token)}(?![-a-zA-Z$._0-9])")
            for b in function.blocks.values():
                if b.name in shared.blocks and b is not header:
                    for i in b.instructions:
                        if i.token not in updates and phi.token in i.operands:
                            self.lines[i.line] = uses.sub(name, self.lines[i.line])
            self.lines[function.blocks[bodies[0]].line] += (
                f"\n  {name}.x = call {phi.type} @{_OFFSET}{phi.type}()\n"
                f"  {name} = add nsw {phi.type} {phi.token}, {name}.x"
            )

    def _within(self, function: Function, upper: str) -> None:
        """The runtime's upper bound is not above the loop's."""
        loads = {
            d.token
            for d in function.definitions.values()
            if d.opcode == "load" and d.operands[0] == upper
        }
        for test in function.definitions.values():
            if (
                test.opcode == "icmp"
                and test.operands[0] in loads
                and test.extra[0] in ("sgt", "ugt")
            ):
                self._replace(test, f"{test.token} = icmp ne i32 0, 0")

    @staticmethod
    def _starting_at(function: Function, forest: LoopForest, lower: str, block: str) -> Loop | None:
        """The worksharing loop: its variable starts at the value behind `lower`. There are two, one
        for each outcome of an `if` clause of `simd`: it is the one that `block` leads to."""
        loads = {
            d.token
            for d in function.definitions.values()
            if d.opcode == "load" and d.operands[0] == lower
        }
        return next(
            (
                loop
                for loop in forest.loops
                for p in function.blocks[loop.header].phis
                if any(o in loads for o in p.operands) and forest.dominates(block, loop.header)
            ),
            None,
        )

    def _mark(self, function: Function, shared: Loop) -> None:
        """Once its bounds are its own, only a mark tells that it is a worksharing loop (see
        `loops`)."""
        for latch in shared.latches:
            back = function.blocks[latch].terminator
            kept = [
                f", {o}"
                for o in self.module.metadata_operands(back.loop)
                if NESTED_IN in self.module.metadata.get(o, "")
            ]
            self.lines[back.line] = (
                f"{self.lines[back.line].partition(', !llvm.loop')[0]}, !llvm.loop !{self.free}"
            )
            self.helpers.append(
                f"!{self.free} = distinct !{{!{self.free}, !{self.free + 1}{''.join(kept)}}}\n"
                f'!{self.free + 1} = !{{!"{SHARED_LOOP}"}}'
            )
            self.free += 2

    def _dynamic(
        self, function: Function, forest: LoopForest, block: str, i: Instruction, tid: str
    ) -> None:
        """Thread 0 is handed one chunk, the whole loop."""
        following = [
            (d.line, d)
            for d in function.definitions.values()
            if d.line > i.line and (callee(d) or "").startswith("__kmpc_dispatch_next_")
        ]
        if not following:
            return
        ask = min(following, key=lambda pair: pair[0])[1]
        if not self._once(function, function.block_of[ask.token], forest):
            return
        last, lower, upper = ask.operands[3:6]
        kind = i.extra[3]
        self._replace(
            i,
            f"store {kind} {i.operands[4]}, ptr {lower}",
            f"store {kind} {i.operands[5]}, ptr {upper}",
            *self._share(
                f"%looplaw.share.{i.line}", self._members(function)[1], kind, lower, upper
            ),
        )
        shared = self._starting_at(function, forest, lower, block)
        if shared is not None:
            self._mark(function, shared)
            self._shift(function, shared)
        slot = f"%looplaw.first.{ask.line}"
        self._only_first(
            function,
            ask,
            tid,
            f"{slot}.last = zext i1 {slot} to i32",
            f"store i32 {slot}.last, ptr {last}",
        )

    def _once(self, function: Function, header: str, forest: LoopForest) -> bool:
        """Cut the way back of the loop over chunks; False where it does not look as clang writes
        it."""
        loop = forest.by_header().get(header)
        if loop is None or loop.latch is None:
            return False
        back = function.blocks[loop.latch].terminator
        leaves = [e.target for e in loop.exits]
        if len(leaves) != 1 or len(back.labels) != 1:
            return False
        self._replace(back, f"br label %{quoted(leaves[0])}")
        for phi in function.blocks[header].phis:
            pairs = [
                (o, label)
                for o, label in zip(phi.operands, phi.labels, strict=True)
                if label != loop.latch
            ]
            incoming = ", ".join(f"[ {o}, %{quoted(label)} ]" for o, label in pairs)
            self._replace(phi, f"{phi.token} = phi {phi.type} {incoming}")
        for phi in function.blocks[leaves[0]].phis:
            self._add_incoming(phi, "poison", loop.latch)
        return True

    def _add_incoming(self, phi: Instruction, token: str, label: str) -> None:
        text, comma, dbg = self.lines[phi.line].partition(", !dbg")
        self.lines[phi.line] = f"{text}, [ {token}, %{quoted(label)} ]{comma}{dbg}"


def _has_sizes(allocation: Instruction) -> bool:
    """Are the sizes of a task's record and of what it shares constants?"""
    return all(isinstance(o, IntLiteral) for o in allocation.operands[4:6])
