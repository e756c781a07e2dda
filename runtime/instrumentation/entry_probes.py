"""Recording of loops' entries, put into a function for `looplaw verify`.

At each exit of a loop the runtime is told the iterations of this entry and the values that its
formula mentions (see `counters.entries`). A value whose register may not have been set where the
loop is left is kept in a local variable together with its state.
"""

from __future__ import annotations

from collections.abc import Sequence

from staticana.alias.library import Control, library_function
from staticana.entry_formulas import Holder
from staticana.ir.graph import callee, instructions
from staticana.ir.loop_info import Loop
from staticana.ir.types import Instruction

from ..counters.entries import CHANGED, ERROR_EXIT, SET, UNSET, Probe
from .ir_text.code_builder import CodeBuilder
from .ir_text.function_editor import FunctionEditor

_VALUES = "%ll.values"

ENTRIES_IR = """
declare void @__looplaw_entry(i64, i64, i64, ptr)
"""


def record_entries(editor: FunctionEditor, probes: Sequence[Probe]) -> None:
    """Insert the recording of some loops of one function."""
    _Recorder(editor).record(probes)


def _returns_twice(i: Instruction) -> bool:
    known = library_function(callee(i) or "")
    return known is not None and known.control is Control.TWICE


class _Recorder:
    """The recording in one function: which local variables there are already."""

    def __init__(self, editor: FunctionEditor) -> None:
        self._editor = editor
        # After a longjmp only volatile variables have their last value (C11, 7.13.2.1).
        self._volatile = any(map(_returns_twice, instructions(editor.function)))
        self._kept: dict[str, str] = {}  # symbol -> the local variable of its value
        self._counters: dict[str, str] = {}  # header -> the local variable of its executions
        self._width = 1

    def record(self, probes: Sequence[Probe]) -> None:
        """Insert the recording of these loops."""
        for probe in probes:
            loop = self._editor.loops[probe.formula.header]
            counter = self._counter(loop)
            self._width = max(self._width, len(probe.formula.holders))
            for holder in probe.formula.holders:
                if holder.kind in ("last", "kept"):
                    self._keep(holder)
            for edge in loop.exits:
                if not edge.is_unwind:
                    is_error = (edge.source, edge.target) in probe.formula.error_exits
                    report = self._report(probe, counter, edge.is_test, is_error)
                    self._editor.on_edge(edge.source, edge.target, report)
        self._editor.prologue.append(f"  {_VALUES} = alloca [{self._width} x i64], align 8")

    def _code(self) -> CodeBuilder:
        return self._editor.code(volatile=self._volatile)

    def _stores(self, *pairs: tuple[str | int, str]) -> list[str]:
        """Stores of (value, variable)."""
        code = self._code()
        for value, variable in pairs:
            code.store(value, variable)
        return code.lines

    def _variable(self, name: str) -> str:
        """A new local variable that begins with 0."""
        self._editor.prologue += [f"  {name} = alloca i64, align 8", *self._stores((0, name))]
        return name

    def _counter(self, loop: Loop) -> str:
        """The local variable that counts executions of the header in this entry."""
        if loop.header not in self._counters:
            name = self._counters[loop.header] = f"%{self._editor.fresh()}"
            self._variable(name)
            self._editor.on_entry(loop, lambda: self._stores((0, name)))
            code = self._code()
            code.increase(name, "add", 1)
            self._editor.insert(self._editor.insertion_point(loop.header), code.lines)
        return self._counters[loop.header]

    def _keep(self, holder: Holder) -> None:
        """Keep the value of a symbol and its state in local variables: the last value, or the first
        one since the block `since` and whether there was another."""
        if holder.symbol in self._kept:
            return
        name = self._kept[holder.symbol] = self._variable(f"%{self._editor.fresh()}")
        state = self._variable(f"{name}.state")
        if holder.since is not None:
            self._editor.insert(
                self._editor.function.blocks[holder.since].terminator.line,
                self._stores((0, name), (UNSET, state)),
            )
        for token in holder.tokens:
            code = self._code()
            value = code.widened(token, holder.type)
            if holder.kind == "last":
                code.store(value, name)
                code.store(SET, state)
            else:
                old, was = code.load(name), code.load(state)
                unset = code.value(f"icmp eq i64 {was}, {UNSET}")
                first = code.value(f"select i1 {unset}, i64 {value}, i64 {old}")
                same = code.value(f"icmp eq i64 {first}, {value}")
                known = code.value(f"select i1 {unset}, i64 {SET}, i64 {was}")
                now = code.value(f"select i1 {same}, i64 {known}, i64 {CHANGED}")
                code.store(first, name)
                code.store(now, state)
            self._editor.insert_after(token, code.lines)

    def _report(self, probe: Probe, counter: str, is_test: bool, is_error: bool) -> list[str]:
        """The call that records an entry, at one exit of its loop."""
        code = self._code()
        iterations = code.load(counter)
        if is_test:  # the header ran once more, for the test that failed
            iterations = code.value(f"sub i64 {iterations}, 1")
        states = str(ERROR_EXIT if is_error else 0)
        for k, holder in enumerate(probe.formula.holders):
            value, state = self._held(holder, code)
            place = code.value(f"getelementptr i64, ptr {_VALUES}, i64 {k}")
            code.do(f"store i64 {value}, ptr {place}, align 8")
            shifted = code.value(f"shl i64 {state}, {2 * k}")
            states = code.value(f"or i64 {states}, {shifted}")
        code.do(
            f"call void @__looplaw_entry(i64 {probe.id}, i64 {iterations}, i64 {states}, ptr"
            f" {_VALUES})"
        )
        return code.lines

    def _held(self, holder: Holder, code: CodeBuilder) -> tuple[str, str]:
        """Value and state of a symbol where a loop is left."""
        if holder.kind == "direct":
            return code.widened(holder.tokens[0], holder.type), str(SET)
        if holder.kind == "index":  # the number of the iteration of the loop around
            assert holder.since is not None
            started = code.load(self._counter(self._editor.loops[holder.since]))
            return code.value(f"sub i64 {started}, 1"), str(SET)
        name = self._kept[holder.symbol]
        return code.load(name), code.load(f"{name}.state")
