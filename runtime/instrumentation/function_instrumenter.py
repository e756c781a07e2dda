"""One function of an instrumented unit: its text with the counters, time stamps and recordings put
in."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Protocol

from staticana.ir.loop_info import Loop
from staticana.ir.types import Function, Instruction, Module

from ..counters.word_layout import LEFT, OUTERMOST, WEIGHT
from . import edge_profile as flow
from .abnormal_exits import Barriers, callee_of
from .call_tables import CallTable, record_calls
from .counter_forwarding import Carried
from .counter_plan import LoopCounter, Plan
from .debug_info import CopiedScopes
from .entry_probes import Probe, record_entries
from .function_editor import FunctionEditor, closing, reference
from .induction_variables import LoopVariable, find_variable

_LINKAGE = frozenset(
    """define internal private external linkonce linkonce_odr weak weak_odr common appending dso_local
    dso_preemptable default hidden protected dllexport dllimport""".split()
)
_COMDAT = re.compile(r" comdat(?:\(\$(?:\"[^\"]*\"|[^)]*)\))?")
_NEST_HEIGHT = (
    3  # loops inside each other that keep their counts to themselves until the outermost is left
)


class Counted(Protocol):
    """What one function counts: sums over edges with their words, and the first word of its turns."""

    @property
    def measured(self) -> Sequence[tuple[flow.EdgeCount, int]]: ...
    @property
    def turns(self) -> int | None: ...


class Unit(Protocol):
    """What a function has to know of the module that it is in."""

    module: Module
    plan: Plan
    lines: list[str]
    barriers: Barriers
    tables: dict[int, CallTable]
    groups: dict[str, list[LoopCounter]]
    probes: dict[str, list[Probe]]
    times: dict[int, int]
    debug: CopiedScopes

    @property
    def carried(self) -> Mapping[str, Carried]: ...
    def counted_in(self, function: str) -> Counted | None: ...


class FunctionVersion:
    """One version of one function. is_copy: the one with time stamps."""

    def __init__(self, unit: Unit, function: Function, *, is_copy: bool) -> None:
        self.unit, self.function, self.is_copy = unit, function, is_copy
        self.plan, self.barriers, self.carried = unit.plan, unit.barriers, unit.carried
        self.editor = FunctionEditor(unit.module, function, unit.lines)
        self.loops = self.editor.loops
        self.counted = unit.counted_in(function.name)
        self.upwards = unit.carried.get(function.name)  # where its caller wants its counts
        # what cannot be left from outside cannot go on in another process or thread
        self.base_holds = not self.plan.precise and function.name not in self.barriers.leaving
        self.base_used = False

    def text(self) -> str:
        """The function's new text, with its header."""
        for count, word in self.counted.measured if self.counted is not None else ():
            self._count(count, word)
        self._call_carried()
        self._time_kernels()
        if not self.is_copy and self.function.name in self.unit.probes:
            record_entries(self.editor, self.unit.probes[self.function.name])
        turns = self.counted.turns if self.counted is not None and not self.is_copy else None
        before = self._turn(turns) if turns is not None else []
        if self.base_used:
            self.editor.setup.insert(0, "  %ll.base = call ptr @__looplaw_base()")
        if self.is_copy:
            for at in range(self.function.line + 1, self.function.end):
                line = self.editor.line(at)
                self.editor.replace(
                    at,
                    (
                        ""
                        if line.startswith("    #dbg_")
                        else self.unit.debug.in_copy(self.function, line)
                    ),
                )
        return self.editor.text(self._header(), before_entry=before)

    # -- words in memory
    def _base(self, body: list[str]) -> str:
        """The thread's words of this unit."""
        if self.base_holds:
            self.base_used = True
            return "%ll.base"
        name = self.editor.fresh()
        body.append(f"  %{name} = call ptr @__looplaw_base()")
        return f"%{name}"

    def _place(self, base: str, at: int, body: list[str]) -> str:
        name = self.editor.fresh()
        body.append(f"  %{name} = getelementptr inbounds i64, ptr {base}, i64 {at}")
        return f"%{name}"

    def _load(self, place: str, body: list[str], volatile: str = "") -> str:
        name = self.editor.fresh()
        body.append(f"  %{name} = load {volatile}i64, ptr {place}, align 8")
        return f"%{name}"

    def _does(self, text: str, body: list[str]) -> str:
        name = self.editor.fresh()
        body.append(f"  %{name} = {text}")
        return f"%{name}"

    def _add(self, word: int, amount: str, body: list[str], base: str) -> None:
        """Add to a word of the thread, or of the caller; nothing the optimiser knows is between the
        reading and the writing, so that it is one instruction and a signal's handler may count as
        well."""
        at = word if self.upwards is None else self.upwards.words.index(word)
        volatile = "volatile " if self.plan.precise else ""
        place = self._place(base, at, body)
        more = self._does(f"add i64 {self._load(place, body, volatile)}, {amount}", body)
        body.append(f"  store {volatile}i64 {more}, ptr {place}, align 8")

    def _target(self, body: list[str]) -> str:
        """Where this function adds what it has counted."""
        return "%ll.up" if self.upwards is not None else self._base(body)

    # -- counting
    def _count(self, count: flow.EdgeCount, word: int) -> None:
        region = self.region(count.loop)
        if region is None:

            def step(amount: int) -> list[str]:
                body: list[str] = []
                self._add(word, str(amount), body, self._target(body))
                return body

            self.editor.on_edges(count.edges, lambda: step(1))
            self.editor.on_edges(count.minus, lambda: step(-1))
            return
        slot = f"%ll.c{word}"
        with self._kept(slot, (word,), region):
            variable = self.variable(count)
            if variable is not None:
                self._follow(variable, self.loops[count.loop or ""], slot)
                return
            self.editor.on_edges(count.edges, lambda: self._change(slot, "add", "1"))
            self.editor.on_edges(count.minus, lambda: self._change(slot, "sub", "1"))

    def variable(self, count: flow.EdgeCount) -> LoopVariable | None:
        """The loop's own variable that counts this, if there is one."""
        return (
            find_variable(self.function, self.loops[count.loop or ""]) if count.iterates else None
        )

    def _change(self, slot: str, operation: str, amount: str) -> list[str]:
        body: list[str] = []
        new = self._does(f"{operation} i64 {self._load(slot, body)}, {amount}", body)
        return [*body, f"  store i64 {new}, ptr {slot}, align 8"]

    def _follow(self, variable: LoopVariable, loop: Loop, slot: str) -> None:
        """Count without a counter: what the loop's own variable is on the way out, less what it was
        on the way in, over its step."""

        def wide(token: str, body: list[str]) -> str:
            if variable.type == "i64" or not token.startswith("%"):
                return token
            return self._does(f"{variable.extension} {variable.type} {token} to i64", body)

        def begin() -> list[str]:
            body: list[str] = []
            start = wide(variable.start, body)
            return [*body, *self._change(slot, "sub" if variable.step == "1" else "add", start)]

        if variable.is_unit:
            self.editor.on_entry(loop, begin)
        for edge in loop.exits:
            if not edge.is_unwind:
                body: list[str] = []
                now = wide(variable.token, body)
                if not edge.is_test:  # this iteration has begun; the step is a number
                    now = self._does(f"add i64 {now}, {variable.step}", body)
                if not variable.is_unit:
                    ends = (
                        (wide(variable.start, body), now)
                        if variable.falls
                        else (now, wide(variable.start, body))
                    )
                    passed = self._does(f"sub i64 {ends[0]}, {ends[1]}", body)
                    step = wide(self.editor.again(variable.chain, variable.step, body), body)
                    now = self._does(
                        f"call i64 @__looplaw_quotient(i64 {passed}, i64 {step})", body
                    )
                self.editor.on_edge(
                    edge.source,
                    edge.target,
                    [*body, *self._change(slot, "sub" if variable.step == "-1" else "add", now)],
                )

    @contextmanager
    def _kept(self, slot: str, words: Sequence[int], region: Loop) -> Iterator[None]:
        """A local variable with counts, for as long as control is in the region; what is put in
        meanwhile at the region's exits comes before they are added to the thread's words."""
        self._declare(slot, len(words))
        self.editor.on_entry(region, lambda: [self._zero(slot, len(words))])
        yield
        self.editor.on_exit(region, lambda: self._flush(slot, words))

    def _declare(self, slot: str, words: int) -> None:
        self.editor.setup.append(f"  {slot} = alloca [{words} x i64], align 8")

    def _zero(self, slot: str, words: int) -> str:
        return f"  store [{words} x i64] zeroinitializer, ptr {slot}, align 8"

    def _flush(self, slot: str, words: Sequence[int]) -> list[str]:
        body: list[str] = []
        target = self._target(body)
        for k, word in enumerate(words):
            self._add(word, self._load(self._place(slot, k, body), body), body, target)
        return body

    def region(self, header: str | None) -> Loop | None:
        """The outermost nest around the loop that runs to its end and runs nothing long; None if
        there is none."""
        region = None
        while header is not None and not self.plan.precise:
            loop = self.loops[header]
            if (
                any(
                    self._lasts(i)
                    for b in loop.blocks
                    for i in self.function.blocks[b].instructions
                )
                or self._height(loop) > _NEST_HEIGHT
            ):
                break
            region, header = loop, loop.parent
        return region

    def _lasts(self, i: Instruction) -> bool:
        return self.barriers.lasts(i) and self._carried_callee(i) is None

    def _carried_callee(self, i: Instruction) -> Carried | None:
        return self.carried.get(callee_of(i) or "") if i.opcode in ("call", "invoke") else None

    def _height(self, region: Loop) -> int:
        """Loops inside each other, those of functions that count for this one included."""
        deepest = region.depth
        for loop in self.loops.values():
            if loop.blocks <= region.blocks:
                inner = (
                    self._carried_callee(i)
                    for b in loop.blocks
                    for i in self.function.blocks[b].instructions
                )
                deepest = max(
                    deepest, loop.depth + max((c.height for c in inner if c is not None), default=0)
                )
        return deepest - region.depth + 1

    # -- functions that count for this one
    def _call_carried(self) -> None:
        innermost = {
            b: loop.header
            for loop in sorted(self.loops.values(), key=lambda loop: loop.depth)
            for b in loop.blocks
        }
        slots: dict[tuple[str, str], str] = {}
        for block in self.function.blocks.values():
            for at, i in enumerate(block.instructions):
                carried = self._carried_callee(i)
                if carried is None:
                    continue
                name = callee_of(i) or ""
                if self.upwards is not None:
                    body: list[str] = []
                    slot = self._place("%ll.up", self.upwards.offsets[name], body)
                    self.editor.insert(i.line, body)
                else:
                    region = self.region(innermost.get(block.name))
                    slot = f"%ll.for.{self.editor.fresh()}"
                    if region is not None:
                        if (name, region.header) not in slots:
                            slots[name, region.header] = slot
                            with self._kept(slot, carried.words, region):
                                pass
                        slot = slots[name, region.header]
                    else:
                        self._declare(slot, len(carried.words))
                        self.editor.insert(i.line, [self._zero(slot, len(carried.words))])
                        flush = self._flush(slot, carried.words)
                        if at + 1 < len(block.instructions):
                            self.editor.insert(block.instructions[at + 1].line, flush)
                        else:
                            self.editor.on_edge(block.name, block.successors[0], flush)
                self._pass(i, name, slot)

    def _pass(self, i: Instruction, name: str, slot: str) -> None:
        """Give the call one more argument."""
        line = self.editor.line(i.line)
        start = line.index(f"{reference(name, '@')}(") + len(reference(name, "@"))
        end = closing(line, start)
        comma = ", " if line[start + 1 : end].strip() else ""
        self.editor.replace(i.line, f"{line[:end]}{comma}ptr {slot}{line[end:]}")

    # -- time
    def _time_kernels(self) -> None:
        own = self.unit.groups.get(self.function.name, [])
        timed = [c for c in own if c.id in self.unit.times]
        for c in timed:
            self._time(c, self.unit.times[c.id])
        for c in own:
            if c.id in self.unit.tables:
                since = f"%ll.t{c.id}" if self.is_copy and c in timed else None
                record_calls(self.editor, self.unit.tables[c.id], c, since, self._base)
        if self.is_copy and timed and self.counted is not None and self.counted.turns is not None:
            body: list[str] = []
            place = self._place(self._base(body), self.counted.turns + WEIGHT, body)
            self.editor.setup += [*body, f"  %ll.weight = load i64, ptr {place}, align 8"]

    def _time(self, counter: LoopCounter, words: int) -> None:
        """Time stamps around a kernel, in the copy. Where the kernel may run itself, only the
        outermost entry counts; it is known by the address of its frame, which every version leaves
        behind, so that an entry that an exception has ended is not taken for one that lasts."""
        loop = self.loops[counter.header]
        recursive = self._recurs(loop)
        if not self.is_copy and not recursive:
            return
        since, outer = f"%ll.t{counter.id}", f"%ll.o{counter.id}"
        self.editor.setup += [
            f"  {since} = alloca i64, align 8",
            f"  store i64 0, ptr {since}, align 8",
        ]
        if recursive:
            self.editor.setup += [
                f"  {outer} = alloca i1, align 1",
                f"  store i1 false, ptr {outer}, align 1",
            ]

        def begin() -> list[str]:
            body: list[str] = []
            now = self._does("call i64 @__looplaw_now()", body) if self.is_copy else "0"
            if recursive:
                place = self._place(self._base(body), words + OUTERMOST, body)
                known = self._load(place, body)
                mine = self._does("ptrtoint ptr %ll.frame to i64", body)
                none = self._does(f"icmp eq i64 {known}, 0", body)
                older = self._does(f"icmp ugt i64 {mine}, {known}", body)
                is_outer = self._does(f"or i1 {none}, {older}", body)
                frame = self._does(f"select i1 {is_outer}, i64 {mine}, i64 {known}", body)
                now = self._does(f"select i1 {is_outer}, i64 {now}, i64 0", body)
                body += [
                    f"  store i64 {frame}, ptr {place}, align 8",
                    f"  store i1 {is_outer}, ptr {outer}, align 1",
                ]
            return [*body, f"  store i64 {now}, ptr {since}, align 8"]

        def end() -> list[str]:
            body: list[str] = []
            base = self._base(body)
            if recursive:
                place = self._place(base, words + OUTERMOST, body)
                is_outer = self._does(f"load i1, ptr {outer}, align 1", body)
                frame = self._does(
                    f"select i1 {is_outer}, i64 0, i64 {self._load(place, body)}", body
                )
                body.append(f"  store i64 {frame}, ptr {place}, align 8")
            if self.is_copy:
                start = self._load(since, body)
                body.append(
                    f"  call void @__looplaw_timed(ptr {base}, i64 {words}, i64 {start}, i64"
                    " %ll.weight)"
                )
            return body

        self.editor.on_entry(loop, begin)
        self.editor.on_exit(loop, end)
        if recursive and not any("%ll.frame =" in line for line in self.editor.setup):
            self.editor.setup.append("  %ll.frame = call ptr @llvm.frameaddress.p0(i32 0)")

    def _recurs(self, loop: Loop) -> bool:
        """May the loop run the function again, as far as calls in the module tell?"""
        above = self.barriers.above(self.function.name)
        return any(
            callee_of(i) in above
            for b in loop.blocks
            for i in self.function.blocks[b].instructions
            if i.opcode in ("call", "invoke")
        )

    def _turn(self, turns: int) -> list[str]:
        """The blocks in front of the function that hand over to the copy when its turn comes."""
        body: list[str] = []
        base = self._base(body)
        place = self._place(base, turns + LEFT, body)
        left = self._does(f"sub i64 {self._load(place, body)}, 1", body)
        over = self._does(f"icmp slt i64 {left}, 0", body)
        rare = self._does(f"call i1 @llvm.expect.i1(i1 {over}, i1 false)", body)
        turn, go, entry = (
            self.editor.fresh(),
            self.editor.fresh(),
            reference(self.function.entry.name),
        )
        body.insert(len(body) - 2, f"  store i64 {left}, ptr {place}, align 8")
        body += [f"  br i1 {rare}, label %{turn}, label {entry}", f"{turn}:"]
        mine = self._does(f"call i64 @__looplaw_turn(ptr {base}, i64 {turns})", body)
        skipped = self._does(f"icmp eq i64 {mine}, 0", body)
        result = "" if self.function.type == "void" else f"%{self.editor.fresh()}"
        kind, parameters, _ = self._parts()
        body += [
            f"  br i1 {skipped}, label {entry}, label %{go}",
            f"{go}:",
            (
                f"  {f'{result} = ' if result else ''}musttail call {kind}"
                f" {self._copy_name()}({parameters}){self.unit.debug.place(self.function)}"
            ),
            f"  ret {f'{self._type(kind)} {result}' if result else 'void'}",
            "",
        ]
        return body

    # -- the header
    def _copy_name(self) -> str:
        return reference(f"{self.function.name}.looplaw.timed", "@")

    def _parts(self) -> tuple[str, str, str]:
        """Of the header: calling convention and result, parameters, what follows them."""
        header, name = self.function.header, reference(self.function.name, "@")
        at = header.index(f"{name}(")
        start = at + len(name)
        end = closing(header, start)
        parameters = header[start + 1 : end]
        if self.upwards is not None:
            parameters += (", " if parameters.strip() else "") + "ptr %ll.up"
        front = " ".join(word for word in header[:at].split(" ") if word not in _LINKAGE).strip()
        return front, parameters, header[end + 1 :]

    def _type(self, front: str) -> str:
        """The result's type, without convention and attributes."""
        depth, at = 0, len(front)
        for at in range(len(front) - 1, -1, -1):
            depth += (front[at] in ")]}>") - (front[at] in "([{<")
            if depth == 0 and front[at] == " ":
                return front[at + 1 :]
        return front

    def _header(self) -> str:
        front, parameters, tail = self._parts()
        if self.is_copy:
            tail = _COMDAT.sub("", self.unit.debug.copied_header(self.function, tail))
            return f"define internal {front} {self._copy_name()}({parameters}){tail}"
        header, name = self.function.header, reference(self.function.name, "@")
        return f"{header[: header.index(f'{name}(')]}{name}({parameters}){tail}"
