"""OpenMP: the serial program that runs as often as the whole team does.

clang outlines the body of a parallel region into a function that `__kmpc_fork_call` runs on every
thread. Here the call becomes a loop over the threads of the team around that function, which is
then inlined, so that what it captures is seen as any local variable is. What the team shares out (a
worksharing loop under any schedule, sections, single) goes to thread 0, the other threads pass it
by: summed over the team, every iteration runs once, as OpenMP has it. What is not shared runs once
per thread. What cannot be rewritten stays a call that the analysis knows nothing of.

How many threads a team has is computed as libomp does it (`state`), in the program: the
record that a region's function is handed for its team holds what the regions within it need. Where
the state of libomp is not known, the size is the result of a call of `TEAM_SIZE_UNKNOWN`.

The loop over the threads is no loop of the source (`loops.Loop.is_source`).

For the depth the same is done for one thread: it gets ceil(N/p) of N shared iterations, as a static
schedule hands them out, from an offset without a value, so that a count in which it remains is one
where the iterations differ.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from looplaw_common.errors import InputError

from ...ir.graph import callee
from ...ir.loop_info import (
    ASKED_SIZE,
    FIRST_TEAM_SIZE,
    TEAM_LOOP,
    TEAM_SIZE,
    TEAM_SIZE_UNKNOWN,
    LoopForest,
    loop_forest,
)
from ...ir.matchers import is_any, is_branch
from ...ir.parser import edited
from ...ir.types import Function, Instruction, IntLiteral, Module, quoted
from .barriers import OTHERS, own_variables, seen_of_others
from .passes import transformed_with_models
from .regions import ALONE, FORK, SERIALIZED, TEAM_CALLS, has_regions
from .state import LEVELS, PUSH, SET_LEVELS, SET_NESTED, SET_THREADS, SETTERS, THREADS, RuntimeState
from .tasks import prepared
from .worksharing import Worksharing

AS_ASKED = "every team has as many threads as it asks for: no OMP_THREAD_LIMIT, no OMP_DYNAMIC"
NESTED = "nested parallel regions run on one thread each, unless those around them do"
_MOST_LEVELS = (1 << 31) - 1  # KMP_MAX_ACTIVE_LEVELS_LIMIT
_ANYBODY = ("__kmpc_single", "__kmpc_master")
_MASKED = "__kmpc_masked"
_SILENT = re.compile(
    r"__kmpc_(?:barrier|for_static_fini|end_(?:single|master|masked|reduce|reduce_nowait|critical"
    r"|ordered)|dispatch_(?:deinit|fini_\w+)|(?:critical|ordered)(?:_with_hint)?|flush"
    r"|omp_taskwait|(?:end_)?taskgroup|omp_task_(?:begin|complete)_if0)$"
)
"""Calls that change nothing once there is one thread."""
_HELPER = """
define internal void @{name}(i32 %size, i32 %members, i32 %next, i32 %open, i32 %active{parameters}\
) alwaysinline nounwind {{
entry:
  %tid = alloca i32
  %team = alloca [4 x i32]
  store i32 %size, ptr %team
{record}{kept}  br label %{loop}
{loop}:
  %t = phi i32 [ 0, %entry ], [ %following, %member ]
  %more = icmp slt i32 %t, %members
  br i1 %more, label %member, label %done
member:
  store i32 %t, ptr %tid
{before}  call void {region}(ptr %tid, ptr %team{arguments})
  %following = add nsw i32 %t, 1
  br label %{loop}
done:
{after}  ret void
}}
"""


class _Team(NamedTuple):
    """What decides over the sizes of teams, as tokens. next: how many threads a region has that
    asks for nothing. open: 1 where a region may have several threads, else 0. active: how many
    regions around are active; where the program does not set how many may be, it is not used."""

    next: str
    open: str
    active: str


_RECORD = {"next": 4, "open": 8, "active": 12}
"""Where a team's record holds what regions within it need, behind its size."""


def team_module(
    module: Module,
    *,
    entry: str | None,
    calls_back: Callable[[str], bool],
    one_thread: bool = False,
) -> tuple[Module, frozenset[str]]:
    """The serial program that counts as the team (or as one of its threads) does, and what that
    assumes. `entry`: the function whose run is counted; None where it may be any. `calls_back`:
    whether a function outside the program may call functions of it, by its name.

    A module without regions is returned as it is.
    """
    if not has_regions(module):
        return module, frozenset()
    try:
        serial = prepared(module, RuntimeState(module, entry, calls_back))
        state = RuntimeState(serial, entry, calls_back)
        rewriting = _Rewriting(serial, one_thread, state=state)
        text = rewriting.text()
        if not rewriting.is_whole:
            return module, frozenset()
        # what is handed on by address is known once it is inlined
        passes = (*("always_inliner", "sroa") * 3, "loop_simplify", "lcssa", "instruction_namer")
        text = transformed_with_models(text, passes)
    except InputError:
        # not laid out as clang writes it: regions stay functions that are called through pointers
        return module, frozenset(("the parallel regions were not understood",))
    return edited(serial, text), frozenset(rewriting.notes)


@dataclass
class _Rewriting(Worksharing):
    """Makes every region of a module serial."""

    state: RuntimeState = field(kw_only=True)

    def text(self) -> str:
        self.lines = self.module.text.split("\n")
        self.free = self.module.free_metadata
        for function in self.module.functions.values():
            if not function.is_declaration:
                self._function(function)
        self._begin()
        return "\n".join([*self.lines, *self.helpers, *self.declarations()])

    def _begin(self) -> None:
        """The state at the start of the run: that of OMP_NUM_THREADS, and one active level."""
        entry = self.module.functions.get(self.state.entry or "")
        if THREADS in self.state.variables and entry is not None and not entry.is_declaration:
            self.declared[FIRST_TEAM_SIZE] = "i32"
            self.at_entry(
                entry,
                f"%looplaw.threads = call i32 @{FIRST_TEAM_SIZE}()",
                f"store i32 %looplaw.threads, ptr @{THREADS}",
            )

    # -- where functions run
    @cached_property
    def _in_regions(self) -> frozenset[str]:
        """Functions that may run within a region."""
        return self.state.reached(self.regions)

    def _is_serial(self, function: Function) -> bool:
        """Does a function run outside of regions, in the thread that the run begins with?"""
        return function.name not in self._in_regions and function.name not in self.state.elsewhere

    def _is_untold(self, function: Function) -> bool:
        """Is it unknown in which state a function runs?"""
        if self.state.is_unknown or function.name in self.state.elsewhere:
            return True
        return not self._is_serial(function) and function.name not in self.regions

    # -- edits
    def _function(self, function: Function) -> None:
        is_region = function.name in self.regions
        if is_region:
            self.always_inline(function)
        forest = loop_forest(function, self.module)
        is_placed = is_region or self._is_serial(function)
        if is_region:
            for load in seen_of_others(function, forest, self.shared_loops(function, forest)):
                name = f"{OTHERS}.{load.type}"
                self.declared[name] = load.type
                self.replace(load, f"{load.token} = call {load.type} @{name}()")
        for b in function.blocks.values():
            for i in b.instructions:
                called = callee(i) if is_any(i, "call") else None
                if called is None or self._is_own(called):
                    continue
                if called in (FORK, ALONE):
                    self._fork(function, i)
                elif called == PUSH:
                    self._push(function, i)
                elif called in SETTERS and self.state.variables:
                    self._set(i, called)
                elif called == TEAM_SIZE:
                    self._next_size(function, i)
                elif is_placed and called.endswith(SERIALIZED.removeprefix("__kmpc_")):
                    self.replace(i)
                elif is_region or (is_placed and called.startswith(TEAM_CALLS)):
                    self._in_region(function, forest, b.name, i, called)

    def _is_own(self, called: str) -> bool:
        """Is it a function of the program, whatever its name is?"""
        known = self.module.functions.get(called)
        return known is not None and not known.is_declaration

    def _fork(self, function: Function, i: Instruction) -> None:
        name = f"looplaw.region.{i.line}"
        lines: list[str] = []
        if callee(i) == ALONE:
            size, within = "1", self._around(function, i, lines)
            if self._pushes(function):
                lines.append(f"store i32 0, ptr {self._pushed(function)[0]}")
        else:
            size, within = self._size(function, i, lines)
        types, tokens = i.extra[3:], i.operands[4:]
        parameters = "".join(f", {t} %a{k}" for k, t in enumerate(types))
        region = i.operands[3]
        kept = self.state.kept("%kept", str(region)[1:].strip('"'))
        self.helpers.append(
            _HELPER.format(
                name=name,
                loop=TEAM_LOOP,
                region=region,
                parameters=parameters,
                arguments=parameters,
                record="".join(
                    f"  %{field}.at = getelementptr i8, ptr %team, i64 {offset}\n"
                    f"  store i32 %{field}, ptr %{field}.at\n"
                    for field, offset in _RECORD.items()
                ),
                kept=_text(kept[0]),
                before=_text(kept[1]) + self._left_by_others(also_read=True),
                after=_text(kept[1]) + self._left_by_others(also_read=False),
            )
        )
        handed = "".join(f", {t} {token}" for t, token in zip(types, tokens, strict=True))
        members = "1" if self.one_thread else size
        state = ", ".join(f"i32 {token}" for token in within)
        self.replace(i, *lines, f"call void @{name}(i32 {size}, i32 {members}, {state}{handed})")

    def _around(self, function: Function, i: Instruction, lines: list[str]) -> _Team:
        """What decides over the size of a region that stands here."""
        slot, levels = f"%looplaw.around.{i.line}", self.state.sets_levels
        if self._is_untold(function):
            return _Team(*(self._untold(i, f"{slot}.{field}", lines) for field in _RECORD))
        if self._is_serial(function):
            found = _Team("0", "1", "0")
        else:
            team = self.members(function)[1]
            for field, offset in _RECORD.items():
                lines += [
                    f"{slot}.{field}.at = getelementptr i8, ptr {team}, i64 {offset}",
                    f"{slot}.{field} = load i32, ptr {slot}.{field}.at",
                ]
            found = _Team(*(f"{slot}.{field}" for field in _RECORD))
            if not levels and callee(i) == FORK:
                self.notes.add(NESTED)
        if levels:
            lines += [
                f"{slot}.levels = load i32, ptr @{LEVELS}",
                f"{slot}.may = icmp slt i32 {found.active}, {slot}.levels",
                f"{slot}.is.open = select i1 {slot}.may, i32 1, i32 0",
            ]
            found = found._replace(open=f"{slot}.is.open")
        if not (levels or self.state.sets_threads) and not self._is_serial(function):
            return found
        if self.state.sets_threads:
            self.notes.add(AS_ASKED)
            lines.append(f"{slot}.threads = load i32, ptr @{THREADS}")
        else:
            self.declared[TEAM_SIZE] = "i32"
            lines.append(f"{slot}.threads = call i32 @{TEAM_SIZE}(){_place(i)}")
        following = _at_most_one(f"{slot}.threads", found.open, f"{slot}.default", lines)
        return found._replace(next=following)

    def _size(self, function: Function, i: Instruction, lines: list[str]) -> tuple[str, _Team]:
        """The size of a team, and what decides over those of the regions within it."""
        slot = f"%looplaw.size.{i.line}"
        around = self._around(function, i, lines)
        if self._is_untold(function):
            return self._untold(i, slot, lines), around
        size, following = around.next, "1"
        if self._pushes(function):
            self.notes.add(AS_ASKED)
            flag, number = self._pushed(function)
            lines += [
                f"{slot}.flag = load i32, ptr {flag}",
                f"{slot}.is.asked = icmp ne i32 {slot}.flag, 0",
                f"{slot}.number = load i32, ptr {number}",
                f"store i32 0, ptr {flag}",
            ]
            asked = _at_most_one(f"{slot}.number", around.open, f"{slot}.asked", lines)
            lines += [
                f"{slot} = select i1 {slot}.is.asked, i32 {asked}, i32 {around.next}",
                f"{slot}.several = icmp sgt i32 {slot}, 1",
                f"{slot}.stays = select i1 {slot}.several, i32 1, i32 {around.next}",
                f"{slot}.next = select i1 {slot}.is.asked, i32 {slot}.stays, i32 1",
            ]
            size, following = slot, f"{slot}.next"
        else:
            lines.append(f"{slot}.several = icmp sgt i32 {size}, 1")
        lines += [
            f"{slot}.open = select i1 {slot}.several, i32 0, i32 {around.open}",
            f"{slot}.one = select i1 {slot}.several, i32 1, i32 0",
            f"{slot}.active = add nsw i32 {around.active}, {slot}.one",
        ]
        return size, _Team(following, f"{slot}.open", f"{slot}.active")

    def _untold(self, i: Instruction, token: str, lines: list[str]) -> str:
        self.declared[TEAM_SIZE_UNKNOWN] = "i32"
        lines.append(f"{token} = call i32 @{TEAM_SIZE_UNKNOWN}(){_place(i)}")
        return token

    @staticmethod
    def _pushes(function: Function) -> bool:
        """Does a function say how many threads a region is to have?"""
        return any(callee(i) == PUSH for i in function.calls)

    def _pushed(self, function: Function) -> tuple[str, str]:
        """The addresses of whether the next region asks for a number of threads, and of that."""
        flag, number = "%looplaw.pushed", "%looplaw.pushed.number"
        if function.name not in self.pushing:
            self.pushing.add(function.name)
            self.at_entry(
                function,
                f"{flag} = alloca i32",
                f"{number} = alloca i32",
                f"store i32 0, ptr {flag}",
                f"store i32 1, ptr {number}",
            )
        return flag, number

    def _push(self, function: Function, i: Instruction) -> None:
        """libomp passes over numbers that are not positive."""
        number = i.operands[3]
        if self._is_untold(function) or (isinstance(number, IntLiteral) and number.value < 1):
            self.replace(i)
            return
        flag, slot = self._pushed(function)
        lines: list[str] = []
        asked = self._asked(i, number, lines)
        self.replace(i, *lines, f"store i32 {asked}, ptr {slot}", f"store i32 1, ptr {flag}")

    def _asked(self, i: Instruction, number: str, lines: list[str]) -> str:
        if isinstance(number, IntLiteral):
            return str(max(1, number.value))
        self.declared_calls[ASKED_SIZE] = f"declare i32 @{ASKED_SIZE}(i32)"
        token = f"%looplaw.asked.{i.line}"
        lines.append(f"{token} = call i32 @{ASKED_SIZE}(i32 {number}){_place(i)}")
        return token

    def _set(self, i: Instruction, called: str) -> None:
        """omp_set_num_threads and the like change the state of the task that calls them."""
        lines: list[str] = []
        number, slot = i.operands[1], f"%looplaw.set.{i.line}"
        if called in SET_THREADS:
            if called.endswith("_"):
                lines.append(f"{slot} = load i32, ptr {number}")
                asked = self._asked(i, slot, lines)
            else:
                asked = self._asked(i, number, lines)
            self.replace(i, *lines, f"store i32 {asked}, ptr @{THREADS}")
            return
        lines.append(f"{slot}.old = load i32, ptr @{LEVELS}")
        if called == SET_NESTED:
            lines += [
                f"{slot}.is.one = icmp eq i32 {slot}.old, 1",
                f"{slot}.more = select i1 {slot}.is.one, i32 {_MOST_LEVELS}, i32 {slot}.old",
                f"{slot}.on = icmp ne i32 {number}, 0",
                f"{slot} = select i1 {slot}.on, i32 {slot}.more, i32 1",
            ]
        else:
            assert called == SET_LEVELS
            lines += [
                f"{slot}.is = icmp sge i32 {number}, 0",
                f"{slot} = select i1 {slot}.is, i32 {number}, i32 {slot}.old",
            ]
        self.replace(i, *lines, f"store i32 {slot}, ptr @{LEVELS}")

    def _next_size(self, function: Function, i: Instruction) -> None:
        """How many threads the task has for its next region."""
        if self.state.is_unknown or (self.state.is_changed and self._is_untold(function)):
            self.declared[TEAM_SIZE_UNKNOWN] = "i32"
            self.replace(i, f"{i.token} = call i32 @{TEAM_SIZE_UNKNOWN}()")
        elif self.state.sets_threads:
            self.replace(i, f"{i.token} = load i32, ptr @{THREADS}")

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
        elif called == "omp_in_parallel":
            self._is_parallel(function, i, team)
        elif called in _ANYBODY:
            self.only_first(function, i, tid)
        elif called == _MASKED:
            # the thread that stands for all is the first
            number = "0" if self.one_thread else i.operands[3]
            self.only_first(function, i, tid, number=number)
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

    def _is_parallel(self, function: Function, i: Instruction, team: str) -> None:
        """Is a region around it active?"""
        slot = f"%looplaw.parallel.{i.line}"
        if self._is_serial(function):
            self.replace(i, f"{i.token} = add i32 0, 0")
            return
        field, test = ("active", "ne") if self.state.sets_levels else ("open", "eq")
        self.replace(
            i,
            f"{slot}.at = getelementptr i8, ptr {team}, i64 {_RECORD[field]}",
            f"{slot}.value = load i32, ptr {slot}.at",
            f"{slot}.is = icmp {test} i32 {slot}.value, 0",
            f"{i.token} = zext i1 {slot}.is to i32",
        )

    @staticmethod
    def _is_single(function: Function, forest: LoopForest, block: str) -> bool:
        """Is a block in the body of a `single` construct?"""
        return any(
            is_branch(b.terminator)
            and len(b.terminator.labels) == 2
            and (test := function.definitions.get(b.terminator.operands[0])) is not None
            and (asked := function.definitions.get(test.operands[0])) is not None
            and callee(asked) == "__kmpc_single"
            and forest.dominates(b.terminator.labels[test.extra[:1] == ("eq",)], block)
            for b in function.blocks.values()
        )


def _at_most_one(number: str, is_open: str, token: str, lines: list[str]) -> str:
    """The number where several threads are let, else 1."""
    if is_open == "1":
        return number
    lines += [
        f"{token}.more = sub nsw i32 {number}, 1",
        f"{token}.let = mul nsw i32 {token}.more, {is_open}",
        f"{token} = add nsw i32 {token}.let, 1",
    ]
    return token


def _place(i: Instruction) -> str:
    return f", !dbg {i.dbg}" if i.dbg else ""


def _text(lines: list[str]) -> str:
    return "".join(f"  {line}\n" for line in lines)
