"""OpenMP: the serial program that runs as often as the whole team does.

clang outlines the body of a parallel region into a function that `__kmpc_fork_call` runs on every thread. Here the
call becomes a loop over the threads 0 .. p-1 around that function, which is then inlined, so that what it captures is
seen as any local variable is. What the team shares out (a worksharing loop under any schedule, sections, single) goes
to thread 0, the other threads pass it by: summed over the team, every iteration runs once, as OpenMP has it. What is
not shared runs once per thread. What cannot be rewritten stays a call that the analysis knows nothing of.

The loop over the threads is no loop of the source; `loops.Loop.is_source` says so by its name.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cached_property

import llvmlite.binding as llvm

from .ir import Function, Instruction, Module
from .loops import TEAM_LOOP, TEAM_SIZE, Loop, LoopForest, loop_forest
from .parser import parse_module

FORK = "@__kmpc_fork_call"

NESTED = "nested parallel regions run on one thread each"
_UNKNOWN_SIZE = "looplaw.team_size"
_TASKS = ("@__kmpc_omp_task_alloc", "@__kmpc_omp_target_task_alloc")
_ALONE = ("@__kmpc_single", "@__kmpc_master", "@__kmpc_masked")
_SILENT = re.compile(r"@__kmpc_(?:barrier|for_static_fini|end_(?:single|master|masked|reduce|reduce_nowait|critical|ordered)|"
                     r"dispatch_(?:deinit|fini_\w+)|(?:critical|ordered)(?:_with_hint)?|flush|push_num_threads)$")
_SCHEDULE, _CHUNKED = (1 << 29) - 1, (33, 65)  # the kind without modifiers; static with a chunk size, ordered
_ATTRIBUTES = re.compile(r" #\d+(?= |$)")
_HELPER = """
define internal void @{name}(i32 %size{parameters}) alwaysinline nounwind {{
entry:
  %tid = alloca i32
  %team = alloca i32
  store i32 %size, ptr %team
  br label %{loop}
{loop}:
  %t = phi i32 [ 0, %entry ], [ %next, %member ]
  %more = icmp slt i32 %t, %size
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
    return FORK[1:] in module.functions


def task_functions(module: Module) -> frozenset[str]:
    """Functions that run as tasks."""
    return frozenset(o[1:] for f in module.functions.values() for b in f.blocks.values() for i in b.instructions
                     if i.opcode == "call" and i.operands[0] in _TASKS for o in i.operands[1:] if o[0] == "@")


def team_module(module: Module) -> tuple[Module, frozenset[str]]:
    """The serial program that counts as the team does, and what that assumes; a module without regions as it is."""
    if not has_regions(module):
        return module, frozenset()
    rewriting = _Rewriting(module)
    text = rewriting.text()
    parsed = llvm.parse_assembly(text)
    parsed.verify()
    from .frontend import target_machine
    builder = llvm.create_pass_builder(target_machine(parsed), llvm.create_pipeline_tuning_options(0))
    passes = llvm.create_new_module_pass_manager()
    passes.add_always_inliner_pass()
    passes.add_sroa_pass()
    passes.add_loop_simplify_pass()
    passes.add_lcssa_pass()
    passes.add_instruction_namer_pass()
    passes.run(parsed, builder)
    return parse_module(str(parsed)), frozenset(rewriting.notes)


@dataclass
class _Rewriting:
    """Edits of a module's text, by line."""

    module: Module
    lines: list[str] = field(default_factory=list)
    helpers: list[str] = field(default_factory=list)
    notes: set[str] = field(default_factory=set)
    declared: set[str] = field(default_factory=set)

    def text(self) -> str:
        self.lines = self.module.text.split("\n")
        for function in self.module.functions.values():
            if not function.is_declaration:
                self._function(function)
        return "\n".join([*self.lines, *self.helpers, *(f"declare i32 @{name}()" for name in sorted(self.declared)
                                                        if name not in self.module.functions)])

    # -- which functions are regions -------------------------------------------------------------------------------
    @cached_property
    def regions(self) -> frozenset[str]:
        """Functions that every thread of a team runs; the first two parameters are addresses of its number and of 0."""
        found = {i.operands[3][1:] for f in self.module.functions.values() for b in f.blocks.values()
                 for i in b.instructions if i.opcode == "call" and i.operands[0] == FORK}
        work = list(found)
        while work:
            function = self.module.functions.get(work.pop())
            if function is None or len(function.parameters) < 2:
                continue
            own = tuple(p.token for p in function.parameters[:2])
            for b in function.blocks.values():
                for i in b.instructions:
                    callee = i.operands[0][1:] if i.opcode == "call" else ""
                    if i.operands[1:3] == own and callee in self.module.functions and callee not in found:
                        found.add(callee)
                        work.append(callee)
        return frozenset(found)

    @cached_property
    def inside(self) -> frozenset[str]:
        """Functions that may run within a region: those, and what they call."""
        found = set(self.regions)
        work = list(found)
        while work:
            for b in self.module.functions[work.pop()].blocks.values():
                for i in b.instructions:
                    callee = i.operands[0][1:] if i.opcode in ("call", "invoke") else ""
                    if callee in self.module.functions and callee not in found:
                        found.add(callee)
                        work.append(callee)
        return frozenset(found)

    # -- edits -----------------------------------------------------------------------------------------------------
    def _replace(self, i: Instruction, *lines: str) -> None:
        """The instruction by others; its place in the source goes with the last."""
        dbg = f", !dbg {i.dbg}" if i.dbg else ""
        self.lines[i.line] = "\n".join(f"  {line}" for line in lines) + (dbg if lines else "")

    def _function(self, function: Function) -> None:
        is_region = function.name in self.regions
        if is_region:
            header = self.lines[function.line]
            at = header.rindex(")")
            self.lines[function.line] = header[:at] + _ATTRIBUTES.sub(" alwaysinline nounwind", header[at:], count=1)
        forest = loop_forest(function, self.module)
        for b in function.blocks.values():
            for i in b.instructions:
                if i.opcode != "call":
                    continue
                if i.operands[0] == FORK:
                    self._fork(function, forest, b.name, i)
                elif is_region:
                    self._in_region(function, forest, b.name, i)
                elif i.operands[0][1:] in self.regions and function.name not in self.inside:
                    self._alone(function, i)
                elif i.operands[0] == "@omp_get_num_threads" and function.name not in self.inside:
                    self._replace(i, f"{i.token} = add i32 1, 0")

    def _fork(self, function: Function, forest: LoopForest, block: str, i: Instruction) -> None:
        name = f"looplaw.region.{len(self.helpers)}"
        types, tokens = i.extra[3:], i.operands[4:]
        parameters = "".join(f", {t} %a{k}" for k, t in enumerate(types))
        self.helpers.append(_HELPER.format(name=name, loop=TEAM_LOOP, region=i.operands[3], parameters=parameters,
                                           arguments=parameters))
        handed = "".join(f", {t} {token}" for t, token in zip(types, tokens, strict=True))
        if function.name in self.inside:
            self.notes.add(NESTED)
            self._replace(i, f"call void @{name}(i32 1{handed})")
            return
        size = self._asked_for(function, forest, block, i)
        if size is None:
            source = TEAM_SIZE if not self._sizes else _UNKNOWN_SIZE
            self.declared.add(source)
            size = f"%{name}.size"
            self._replace(i, f"{size} = call i32 @{source}()" + (f", !dbg {i.dbg}" if i.dbg else ""),
                          f"call void @{name}(i32 {size}{handed})")
        else:
            self._replace(i, f"call void @{name}(i32 {size}{handed})")

    @cached_property
    def _sizes(self) -> list[tuple[str, str, Instruction]]:
        """Calls of omp_set_num_threads, with function and block."""
        return [(f.name, b.name, i) for f in self.module.functions.values() for b in f.blocks.values()
                for i in b.instructions if i.opcode == "call" and i.operands[0] == "@omp_set_num_threads"]

    def _asked_for(self, function: Function, forest: LoopForest, block: str, fork: Instruction) -> str | None:
        """The team's size where the program says it: the clause num_threads, or one omp_set_num_threads before."""
        before = [i for i in function.blocks[block].instructions if i.line < fork.line and i.opcode == "call"]
        for i in reversed(before):
            if i.operands[0] == FORK:
                break
            if i.operands[0] == "@__kmpc_push_num_threads":
                self._replace(i)
                return i.operands[3]
        if len(self._sizes) == 1:
            owner, where, i = self._sizes[0]
            if owner == function.name and forest.dominates(where, block) and (where != block or i.line < fork.line):
                return i.operands[1]
        return None

    def _alone(self, function: Function, i: Instruction) -> None:
        """A region whose `if` clause is false: a team of one."""
        parameters = [f"{t} {token}" for t, token in zip(i.extra[2:], i.operands[3:], strict=True)]
        slot = f"%looplaw.alone.{i.line}"
        self._replace(i, f"{slot}.tid = alloca i32", f"{slot}.team = alloca i32", f"store i32 0, ptr {slot}.tid",
                      f"store i32 1, ptr {slot}.team",
                      f"call void {i.operands[0]}({', '.join([f'ptr {slot}.tid', f'ptr {slot}.team', *parameters])})")

    # -- inside a region -------------------------------------------------------------------------------------------
    def _in_region(self, function: Function, forest: LoopForest, block: str, i: Instruction) -> None:
        callee = i.operands[0]
        tid, team = (p.token for p in function.parameters[:2])
        if callee in ("@omp_get_thread_num", "@__kmpc_global_thread_num"):
            self._replace(i, f"{i.token} = load i32, ptr {tid}")
        elif callee == "@omp_get_num_threads":
            self._replace(i, f"{i.token} = load i32, ptr {team}")
        elif callee in _ALONE:
            self._only_first(function, i, tid)
        elif callee in ("@__kmpc_reduce", "@__kmpc_reduce_nowait"):
            self._replace(i, f"{i.token} = add i32 1, 0")  # each thread adds its share itself
        elif _SILENT.match(callee) and i.name is None:
            self._replace(i)
        elif callee.startswith("@__kmpc_for_static_init_"):
            self._static(function, forest, block, i, tid)
        elif callee.startswith("@__kmpc_dispatch_init_"):
            self._dynamic(function, forest, i, tid)

    def _only_first(self, function: Function, i: Instruction, tid: str, *more: str) -> None:
        """A call that answers 1 to one thread: thread 0."""
        slot = f"%looplaw.first.{i.line}"
        self._replace(i, f"{slot}.t = load i32, ptr {tid}", f"{slot} = icmp eq i32 {slot}.t, 0", *more,
                      f"{i.token} = zext i1 {slot} to i32")
        for test in function.definitions.values():
            if test.opcode == "icmp" and test.operands == (i.token, "0") and test.extra[0] in ("ne", "eq"):
                kind = {"ne": "eq", "eq": "ne"}[test.extra[0]]
                self._replace(test, f"{test.token} = icmp {kind} i32 {slot}.t, 0")

    def _static(self, function: Function, forest: LoopForest, block: str, i: Instruction, tid: str) -> None:
        """Bounds stay those of the whole loop; threads other than 0 pass the loop by."""
        last, lower = i.operands[4], i.operands[5]
        shared = self._starting_at(function, forest, lower)
        if shared is None or shared.preheader is None:
            return
        entering = function.blocks[shared.preheader].terminator
        leaves = [e for e in shared.exits if e.source == shared.header]
        if len(leaves) != 1 or len(entering.labels) != 1 or not i.operands[3].isdigit():
            return
        if int(i.operands[3]) & _SCHEDULE in _CHUNKED:
            chunks = forest.by_header().get(shared.parent or "")
            if chunks is None or block in chunks.blocks or not self._once(function, chunks.header, forest):
                return
        slot = f"%looplaw.first.{i.line}"
        self._replace(i, f"{slot}.t = load i32, ptr {tid}", f"{slot} = icmp eq i32 {slot}.t, 0",
                      f"{slot}.last = zext i1 {slot} to i32", f"store i32 {slot}.last, ptr {last}")
        target = leaves[0].target
        self._replace(entering, f"br i1 {slot}, label %{_quoted(shared.header)}, label %{_quoted(target)}")
        for phi in function.blocks[target].phis:
            self._add_incoming(phi, "poison", shared.preheader)
        self._at_its_place(function, shared)

    @staticmethod
    def _starting_at(function: Function, forest: LoopForest, lower: str) -> Loop | None:
        """The worksharing loop: its variable starts at the value behind `lower`."""
        loads = {d.token for d in function.definitions.values() if d.opcode == "load" and d.operands[0] == lower}
        return next((loop for loop in forest.loops for p in function.blocks[loop.header].phis
                     if any(o in loads for o in p.operands)), None)

    def _at_its_place(self, function: Function, shared: Loop) -> None:
        """The loop's metadata name the pragma; without them its place is that of its test (see `loops`)."""
        for latch in shared.latches:
            back = function.blocks[latch].terminator
            self.lines[back.line] = self.lines[back.line].partition(", !llvm.loop")[0]

    def _dynamic(self, function: Function, forest: LoopForest, i: Instruction, tid: str) -> None:
        """Thread 0 is handed one chunk, the whole loop."""
        following = [(d.line, d) for d in function.definitions.values() if d.opcode == "call" and d.line > i.line
                     and d.operands[0].startswith("@__kmpc_dispatch_next_")]
        if not following:
            return
        ask = min(following, key=lambda pair: pair[0])[1]
        if not self._once(function, function.block_of[ask.token], forest):
            return
        last, lower, upper = ask.operands[3:6]
        kind = i.extra[3]
        self._replace(i, f"store {kind} {i.operands[4]}, ptr {lower}", f"store {kind} {i.operands[5]}, ptr {upper}")
        shared = self._starting_at(function, forest, lower)
        if shared is not None:
            self._at_its_place(function, shared)
        slot = f"%looplaw.first.{ask.line}"
        self._only_first(function, ask, tid, f"{slot}.last = zext i1 {slot} to i32",
                         f"store i32 {slot}.last, ptr {last}")

    def _once(self, function: Function, header: str, forest: LoopForest) -> bool:
        """Cut the way back of the loop over chunks; False where it does not look as clang writes it."""
        loop = forest.by_header().get(header)
        if loop is None or loop.latch is None:
            return False
        back = function.blocks[loop.latch].terminator
        leaves = [e.target for e in loop.exits]
        if len(leaves) != 1 or len(back.labels) != 1:
            return False
        self._replace(back, f"br label %{_quoted(leaves[0])}")
        for phi in function.blocks[header].phis:
            pairs = [(o, label) for o, label in zip(phi.operands, phi.labels, strict=True) if label != loop.latch]
            incoming = ", ".join(f"[ {o}, %{_quoted(label)} ]" for o, label in pairs)
            self._replace(phi, f"{phi.token} = phi {phi.type} {incoming}")
        for phi in function.blocks[leaves[0]].phis:
            self._add_incoming(phi, "poison", loop.latch)
        return True

    def _add_incoming(self, phi: Instruction, token: str, label: str) -> None:
        text, comma, dbg = self.lines[phi.line].partition(", !dbg")
        self.lines[phi.line] = f"{text}, [ {token}, %{_quoted(label)} ]{comma}{dbg}"


def _quoted(name: str) -> str:
    return name if re.fullmatch(r"[-a-zA-Z$._0-9]+", name) else f'"{name}"'
