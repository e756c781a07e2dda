"""One function of an instrumented unit: its text with the counters, time stamps and recordings put
in."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial

from staticana.ir.graph import callee
from staticana.ir.loop_info import Loop
from staticana.ir.types import Function, Instruction, Operand, operand

from ..counters.word_layout import WORK
from .bound_sums import sum_bounds
from .call_tables import KeepAtEnd, LocalSum, Recording, record_calls
from .counter_forwarding import Forwarding
from .counter_plan import LoopCounter
from .data_bounds import DataBound, find_data_bound
from .edge_profile import EdgeCount, entries, iterations
from .entry_probes import record_entries
from .induction_variables import InductionVariable, widened
from .ir_text.code_builder import CodeBuilder
from .ir_text.debug_info import CopiedScopes
from .ir_text.function_editor import FunctionEditor, closing_bracket, reference
from .ir_text.signature import CALLER_COUNTS, Signature
from .kernel_timer import hand_over, take_turn, time_kernel
from .own_counts import OwnCount
from .thread_words import ThreadWords
from .unit_plan import UnitPlan

_TAIL = re.compile(r"\b(?:no)?tail (?=call )")

COPY_SUFFIX = ".looplaw.timed"


class FunctionVersion:
    """One version of one function.

    Args:
        unit: what is counted where.
        lines: those of the module.
        debug: debug information of copies.
        is_copy: this is the version with time stamps.
    """

    def __init__(
        self,
        unit: UnitPlan,
        function: Function,
        lines: list[str],
        debug: CopiedScopes,
        *,
        is_copy: bool,
    ) -> None:
        self._unit, self._function, self._debug, self._is_copy = unit, function, debug, is_copy
        self._editor = FunctionEditor(unit.module, function, lines)
        self._loops = self._editor.loops
        self._regions = unit.regions(function, self._loops)
        self._counted = unit.counted.get(function.name)
        self._forwarding = unit.forwarding.get(function.name)  # what it counts for its callers
        signature = Signature.of(function, lines[function.line])
        self._signature = signature.with_counts() if self._forwarding is not None else signature
        self._kept: dict[str, list[tuple[str, tuple[int, ...]]]] = {}  # region -> slot, its words
        self._scaled: dict[str, Operand] = {}  # slot -> what its count is multiplied by
        self._entries: dict[str, list[tuple[int, int]]] = {}  # region -> word, what an entry adds
        # The thread's words are looked up once in a function that cannot be left abnormally: such a
        # function cannot continue in another process (fork) or thread (a coroutine's resume).
        stays = not unit.plan.precise and function.name not in unit.abnormal.leaving
        tests = function.name in unit.entered.testing
        given = function.name in unit.entered.with_words and not tests
        self._words = ThreadWords(stays=stays, given=given, tests=tests)

    def text(self) -> str:
        """The function's new text, with its header."""
        name = self._function.name
        measured = self._counted.measured if self._counted is not None else ()
        # then no call stands between what is read in front of the rows and the rows
        is_first = any(self._goes_over_rows(count) for count, _ in measured)
        if is_first:
            self._time_kernels()
        for count, word in measured:
            self._count(count, word)
        self._pass_counts()
        self._flush_regions()
        if not is_first:
            self._time_kernels()
        self._record_calls()
        if not self._is_copy and name in self._unit.probes:
            record_entries(self._editor, self._unit.probes[name])
        before = self._hand_over()
        self._editor.prologue[:0] = self._words.prologue
        if self._is_copy:
            self._copy_debug_info()
        return self._words.rewritten(self._editor.text(self._header(), before_entry=before))

    def _hand_over(self) -> list[str]:
        """What comes in front of a function that has a copy."""
        turns = self._counted.turns if self._counted is not None else None
        if turns is None or self._is_copy:
            return []
        debug = self._debug.place(self._function)
        index = self._unit.groups_of_turns.index(turns)
        return hand_over(self._editor, index, self._signature, self._copy_name(), debug)

    # -- words in memory
    def _base(self, code: CodeBuilder) -> str:
        """The address of the thread's words of this unit."""
        return self._words.address(code)

    def _target(self, code: CodeBuilder, *, in_loop: bool = True, known: bool = False) -> str:
        """Where this function adds its counts: the caller's variable, or the thread's words, which
        it may be `known` to have."""
        if self._forwarding is not None:
            return CALLER_COUNTS
        if known and self._words.are_asked_for:
            return self._words.known(code)
        return self._words.address(code, in_loop=in_loop)

    def _add(self, code: CodeBuilder, target: str, word: int, amount: str) -> None:
        """Add to a word of the target. Load, add and store stay together, so that they become one
        instruction, and the handler of a signal may count as well."""
        at = word if self._forwarding is None else self._forwarding.words.index(word)
        code.increase(code.element(target, at), "add", amount)

    def _memory_code(self) -> CodeBuilder:
        """Code that changes words in memory: volatile where they must be right at every moment."""
        return self._editor.code(volatile=self._unit.plan.precise)

    # -- counting
    def _count(self, count: EdgeCount, word: int) -> None:
        """Count into a register where there is a region for it, else into memory."""
        if count.own is not None:
            self._observe(count.own, word)
            return
        region = self._regions.region(count.loop)
        entered = self._entered_by(count) if region is None else None
        if entered is not None:
            self._entries.setdefault(entered.header, []).append((word, count.times))
            return
        if region is None:

            def step(amount: int) -> list[str]:
                code = self._memory_code()
                target = self._target(code, in_loop=count.loop is not None)
                self._add(code, target, word, str(amount))
                return code.lines

            self._editor.on_edges(count.edges, lambda: step(count.times))
            self._editor.on_edges(count.minus, lambda: step(-count.times))
            return
        slot = _slot(word)
        self._keep(slot, (word,), region)
        multiple = self._count_into(count, slot, region, scaled=True)
        if multiple is not None:
            self._scaled[slot] = multiple

    def _count_into(
        self, count: EdgeCount, slot: str, region: Loop | None, *, scaled: bool = False
    ) -> Operand | None:
        """Count into a local variable, which is in a register throughout a region, if any.

        Args:
            scaled: it may hold a multiple of the count, which is returned then.
        """
        variable = self._induction_variable(count) if region is not None else None
        if variable is not None and region is not None:
            loop = self._loops[count.loop or ""]
            bound = self._data_bound(variable, loop, region)
            if bound is not None:
                private = self._debug.private_type() if bound.reads_address else ""
                sum_bounds(self._editor, loop, variable, bound, slot, region, private)
                return None
            scaled = scaled and variable.is_scaled
            self._follow(variable, loop, slot, scaled=scaled)
            return variable.step if scaled else None
        times = str(count.times)
        self._editor.on_edges(count.edges, lambda: self._change(slot, "add", times))
        self._editor.on_edges(count.minus, lambda: self._change(slot, "sub", times))
        return None

    def _count_in_call(self, header: str, slot: str) -> None:
        """Count the iterations of a loop of a kernel in one call of it."""
        count = iterations(self._function, self._loops[header], self._editor.reachable)
        self._count_into(count, slot, self._regions.region(header))

    def _induction_variable(self, count: EdgeCount) -> InductionVariable | None:
        """The loop's own variable that counts this, if there is one."""
        if not count.iterates:
            return None
        return self._unit.induction_variable(self._function, self._loops[count.loop or ""])

    def _observe(self, own: OwnCount, word: int) -> None:
        """Count by a variable of the program: add what it gains while control is in a nest."""
        region = self._loops[own.region]

        def change(value: Operand | None, operation: str) -> list[str]:
            code = self._memory_code()
            if value is None:
                value = operand(code.value(f"load {own.type}, ptr {own.cell}"))
            if own.type != "i64":
                value = operand(code.value(f"sext {own.type} {value} to i64"))
            target = self._target(code, in_loop=region.parent is not None)
            at = word if self._forwarding is None else self._forwarding.words.index(word)
            code.increase(code.element(target, at), operation, value)
            return code.lines

        self._editor.on_entry(region, lambda: change(own.start, "sub"))
        now = dict(own.now)
        for edge in region.exits:
            if not edge.is_unwind:
                body = change(now.get(edge.source), "add")
                self._editor.on_edge(edge.source, edge.target, body)

    def _goes_over_rows(self, count: EdgeCount) -> bool:
        """Does a loop begin where it ended in the iteration before of the loop around it?"""
        variable, region = self._induction_variable(count), self._regions.region(count.loop)
        if variable is None or region is None:
            return False
        bound = self._data_bound(variable, self._loops[count.loop or ""], region)
        return bound is not None and bound.first is not None

    def _data_bound(
        self, variable: InductionVariable, loop: Loop, region: Loop
    ) -> DataBound | None:
        """The bound that the loop around this one reads anew, where its count is in a register."""
        if loop is region or loop.parent is None:
            return None
        outer, accesses = self._loops[loop.parent], self._unit.accesses
        return find_data_bound(self._function, loop, outer, variable, accesses)

    def _change(self, slot: str, operation: str, amount: str) -> list[str]:
        code = self._editor.code()
        code.increase(slot, operation, amount)
        return code.lines

    def _follow(
        self, variable: InductionVariable, loop: Loop, slot: str, *, scaled: bool = False
    ) -> None:
        """Count without a counter: add the variable's value on each exit and subtract that on
        entry; with a step other than 1, divide their difference by it on exit, or leave that to
        the end of the region (`scaled`)."""

        def begin() -> list[str]:
            code = self._editor.code()
            start = widened(variable, variable.start, code)
            code.increase(slot, "add" if variable.step == "-1" else "sub", start)
            return code.lines

        if variable.is_unit or scaled:
            self._editor.on_entry(loop, begin)
        for edge in loop.exits:
            if not edge.is_unwind:
                body = self._leave(variable, slot, edge.is_test, scaled, len(loop.exits) > 1)
                self._editor.on_edge(edge.source, edge.target, body)

    def _leave(
        self, variable: InductionVariable, slot: str, is_test: bool, scaled: bool, hidden: bool
    ) -> list[str]:
        """At an exit of a loop that counts by its own variable."""
        code = self._editor.code()
        token: Operand = variable.token
        if hidden and variable.type == "ptr":
            # or else the optimiser sees a second variable that begins at 0, and gives it a register
            hidden_token = code.value(f"call ptr @llvm.launder.invariant.group.p0(ptr {token})")
            token = operand(hidden_token)
        now = widened(variable, token, code)
        if not is_test:  # this iteration has begun; the step is a number here
            now = code.value(f"add i64 {now}, {variable.step}")
        if not variable.is_unit and not scaled:
            start = widened(variable, variable.start, code)
            high, low = (start, now) if variable.falls else (now, start)
            passed = code.value(f"sub i64 {high}, {low}")
            step = self._editor.rematerialize(variable.chain, variable.step, code)
            step = widened(variable, operand(step), code)
            now = code.value(f"call i64 @__looplaw_quotient(i64 {passed}, i64 {step})")
        code.increase(slot, "sub" if variable.step == "-1" else "add", now)
        return code.lines

    def _entered_by(self, count: EdgeCount) -> Loop | None:
        """The region whose entries these are. It surely runs to its end, so that they may be
        counted there, which saves a look for the thread's words."""
        if not self._words.are_asked_for:
            return None
        for loop in self._loops.values():
            if self._regions.region(loop.header) is loop and loop.parent == count.loop:
                same = set(entries(self._function, loop, self._editor.reachable).edges)
                ends = loop.exits and not any(e.is_unwind for e in loop.exits)
                if ends and not count.minus and set(count.edges) == same:
                    return loop
        return None

    def _keep(self, slot: str, words: Sequence[int], region: Loop) -> None:
        """A local variable with counts while control is in the region."""
        self._declare(slot, len(words))
        self._editor.on_entry(region, lambda: [_zero(slot, len(words))])
        self._kept.setdefault(region.header, []).append((slot, tuple(words)))

    def _flush_regions(self) -> None:
        """At the end of each region, behind all that changes its local variables: keep the call of
        the kernel that it is, if its turn has come, and add them to the words that they stand
        for."""
        keeping = self._kept_at_end()
        for header in dict.fromkeys((*self._kept, *self._entries)):
            region, keep = self._loops[header], keeping.get(header)
            self._editor.on_exit(region, partial(self._flush_region, region, keep))

    def _flush_region(self, region: Loop, keep: KeepAtEnd | None) -> list[str]:
        code = self._memory_code()
        for slot, _ in self._kept.get(region.header, ()):
            if slot in self._scaled:
                multiple = code.value(f"load i64, ptr {slot}, align 8")
                count = code.value(f"sdiv exact i64 {multiple}, {self._scaled[slot]}")
                code.do(f"store i64 {count}, ptr {slot}, align 8")
        if keep is not None:
            code.lines += keep.end()
        in_loop = region.parent is not None
        target = self._target(code, in_loop=in_loop, known=keep is not None)
        for slot, words in self._kept.get(region.header, ()):
            self._flush_into(code, target, slot, words)
        for word, times in self._entries.get(region.header, ()):
            self._add(code, target, word, str(times))
        return code.lines

    def _declare(self, slot: str, words: int) -> None:
        self._editor.prologue.append(f"  {slot} = alloca [{words} x i64], align 8")

    def _flush(self, slot: str, words: Sequence[int]) -> list[str]:
        """Add a local variable to the words that it stands for."""
        code = self._memory_code()
        self._flush_into(code, self._target(code), slot, words)
        return code.lines

    def _flush_into(self, code: CodeBuilder, target: str, slot: str, words: Sequence[int]) -> None:
        for k, word in enumerate(words):
            counted = code.value(f"load i64, ptr {code.element(slot, k)}, align 8")
            self._add(code, target, word, counted)

    # -- functions that count for this one
    def _pass_counts(self) -> None:
        """Give each call of a function that forwards its counts the address of a variable."""
        innermost = {
            b: loop.header
            for loop in sorted(self._loops.values(), key=lambda loop: loop.depth)
            for b in loop.blocks
        }
        slots: dict[tuple[str, str], str] = {}  # one variable for all calls in a region
        for block in self._function.blocks.values():
            for at, i in enumerate(block.instructions):
                forwarding = self._regions.forwarded_by(i)
                if forwarding is None:
                    continue
                name = callee(i) or ""
                region = self._regions.region(innermost.get(block.name))
                if self._forwarding is not None:
                    code = self._editor.code()
                    slot = code.element(CALLER_COUNTS, self._forwarding.offsets[name])
                    self._editor.insert(i.line, code.lines)
                elif region is None:
                    slot = self._flushed_at_once(block.name, at, forwarding)
                elif (name, region.header) in slots:
                    slot = slots[name, region.header]
                else:
                    slot = slots[name, region.header] = f"%ll.for.{self._editor.fresh()}"
                    self._keep(slot, forwarding.words, region)
                self._add_argument(i, name, slot)

    def _flushed_at_once(self, block: str, at: int, forwarding: Forwarding) -> str:
        """A variable for a single call, flushed behind it."""
        instructions = self._function.blocks[block].instructions
        slot = f"%ll.for.{self._editor.fresh()}"
        self._declare(slot, len(forwarding.words))
        self._editor.insert(instructions[at].line, [_zero(slot, len(forwarding.words))])
        flush = self._flush(slot, forwarding.words)
        if at + 1 < len(instructions):
            self._editor.insert(instructions[at + 1].line, flush)
        else:  # an invoke: on the edge where it returned
            self._editor.on_edge(block, self._function.blocks[block].successors[0], flush)
        return slot

    def _add_argument(self, i: Instruction, name: str, slot: str) -> None:
        """Give a call one more argument: the address of a variable of this function, which a tail
        call must not have."""
        line = _TAIL.sub("", self._editor.line(i.line))
        start = line.index(f"{reference(name, '@')}(") + len(reference(name, "@"))
        end = closing_bracket(line, start)
        comma = ", " if line[start + 1 : end].strip() else ""
        self._editor.replace(i.line, f"{line[:end]}{comma}ptr {slot}{line[end:]}")

    # -- time and calls
    def _time_kernels(self) -> None:
        """Time stamps of kernels."""
        own = self._unit.groups.get(self._function.name, [])
        timed = [c for c in own if c.id in self._unit.times]
        for c in timed:
            words = self._unit.times[c.id]
            time_kernel(
                self._editor, self._unit.abnormal, self._base, c, words, is_copy=self._is_copy
            )
        counted = self._counted
        if self._is_copy and counted is not None and counted.turns is not None:
            index = self._unit.groups_of_turns.index(counted.turns)
            keeps = counted.keeps
            take_turn(self._editor, self._base, counted.turns, index, timed=bool(timed), kept=keeps)

    def _at_hand(self, kernel: LoopCounter) -> dict[int, LocalSum]:
        """Loops of a kernel whose iterations in one call of it local variables have."""
        at_hand = self._unit.at_hand(kernel, self._regions)
        return {
            k: tuple((_slot(word), factor) for word, factor in parts)
            for k, parts in at_hand.items()
        }

    def _kept_at_end(self) -> dict[str, KeepAtEnd]:
        """The kernels that keep calls where they end, by header."""
        unit = self._unit
        return {
            c.header: KeepAtEnd(
                self._editor, unit.tables[c.id], c, self._at_hand(c), unit.keepers[c.id][1]
            )
            for c in unit.groups.get(self._function.name, [])
            if c.id in unit.at_end
        }

    def _record_calls(self) -> None:
        """Records of kernels' calls, behind the counters that they use."""
        turns = None if self._counted is None else self._counted.turns
        for c in self._unit.groups.get(self._function.name, []):
            table = self._unit.tables.get(c.id)
            if table is None:
                continue
            if c.id not in self._unit.at_end and (self._is_copy or not table.sampled):
                since = f"%ll.t{c.id}" if self._is_copy and c.id in self._unit.times else None
                work = turns + WORK if table.sampled and turns is not None else None
                slots = self._at_hand(c)
                recording = Recording(table, since, work, slots, self._base, self._count_in_call)
                record_calls(self._editor, recording, c)

    # -- the copy
    def _copy_name(self) -> str:
        return reference(f"{self._function.name}{COPY_SUFFIX}", "@")

    def _header(self) -> str:
        if not self._is_copy:
            return self._signature.text()
        after = self._debug.copied_header(self._function, self._signature.after)
        return self._signature.copied(self._copy_name(), after)

    def _copy_debug_info(self) -> None:
        """Point the copy's debug locations to a scope of its own; drop records of variables."""
        for at in range(self._function.line + 1, self._function.end):
            line = self._editor.line(at)
            is_record = line.startswith("    #dbg_")
            self._editor.replace(at, "" if is_record else self._debug.in_copy(self._function, line))


def _slot(word: int) -> str:
    """The local variable with what is added to a word."""
    return f"%ll.c{word}"


def _zero(slot: str, words: int) -> str:
    return f"  store [{words} x i64] zeroinitializer, ptr {slot}, align 8"
