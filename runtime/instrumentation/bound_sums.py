"""Iterations of short loops as sums of their bounds; see `data_bounds`."""

from __future__ import annotations

from staticana.ir.loop_info import Loop

from .data_bounds import DataBound, FirstRow
from .induction_variables import InductionVariable
from .ir_text.code_builder import CodeBuilder
from .ir_text.function_editor import FunctionEditor


def sum_bounds(
    editor: FunctionEditor,
    loop: Loop,
    variable: InductionVariable,
    bound: DataBound,
    slot: str,
    region: Loop,
    private: str,
) -> None:
    """Add a loop's iterations to a local variable.

    Args:
        slot: the local variable, which is in a register throughout the region.
        region: a nest of loops around this one.
        private: metadata of memory that the program does not touch, if there is such; volatile
            accesses are made without it.
    """
    _BoundSum(editor, loop, variable, bound, slot, private).insert(region)


class _BoundSum:
    """The insertions of one loop."""

    def __init__(
        self,
        editor: FunctionEditor,
        loop: Loop,
        variable: InductionVariable,
        bound: DataBound,
        slot: str,
        private: str,
    ) -> None:
        self._private = private
        self._editor, self._loop, self._variable = editor, loop, variable
        self._bound, self._slot, self._last, self._rest = bound, slot, f"{slot}.e", f"{slot}.r"

    def insert(self, region: Loop) -> None:
        editor, loop, first = self._editor, self._loop, self._bound.first
        editor.prologue.append(f"  {self._last} = alloca {self._bound.type}")
        editor.prologue.append(f"  {self._rest} = alloca i64, align 8")
        if self._private:  # no variable that the optimiser keeps in a register
            editor.prologue.append(f'  call void asm sideeffect "", "r"(ptr {self._rest})')
        editor.on_entry(region, self._clear_rest)
        if first is not None:
            editor.on_entry(self._bound.outer, lambda: self._before_first(first))
        editor.on_entry(loop, self._begin)
        for edge in loop.exits:
            if not edge.is_unwind:
                ends = edge.source == loop.header and edge.is_test
                body = self._end() if ends else self._leave(edge.is_test)
                editor.on_edge(edge.source, edge.target, body)
        if first is not None:
            editor.on_exit(self._bound.outer, self._after_last)
        editor.on_exit(region, self._add_rest)

    def _memory(self) -> CodeBuilder:
        """Code that changes the rest in memory, so that no register is held throughout the loops
        for what is rare. Volatile accesses do this best, but behind them the optimiser reads again
        what it has read, such as the address of the array in a vector."""
        return self._editor.code(volatile=not self._private, note=self._private)

    def _clear_rest(self) -> list[str]:
        code = self._editor.code(note=self._private)
        code.store(0, self._rest)
        return code.lines

    # -- the value e of `data_bounds`, as wide as the loop's test has it: its phi is then the one
    # that the optimiser makes of what need not be loaded again
    def _load(self, code: CodeBuilder) -> str:
        return code.value(f"load {self._bound.type}, ptr {self._last}")

    def _store(self, value: str, code: CodeBuilder) -> None:
        code.do(f"store {self._bound.type} {value}, ptr {self._last}")

    def _wide(self, value: str, code: CodeBuilder) -> str:
        if self._bound.type == "i64":
            return value
        return code.value(f"{self._variable.extension} {self._bound.type} {value} to i64")

    def _as_bound(self, token: str, code: CodeBuilder) -> str:
        """A value of the variable's type as wide as the bound."""
        kind, variable = self._bound.type, self._variable
        if variable.type == kind:
            return token
        return code.value(f"{variable.extension} {variable.type} {token} to {kind}")

    def _change(self, code: CodeBuilder, now: str, before: str) -> None:
        """Add the difference of two wide values to the count."""
        code.increase(self._slot, "add", code.value(f"sub i64 {now}, {before}"))

    # -- the places where the count changes
    def _before_first(self, first: FirstRow) -> list[str]:
        """Where the outer loop is entered: the start of the first row, 0 where there is none."""
        code, editor = self._editor.code(), self._editor
        given: dict[str, str] = dict(first.given)
        self._store("0", code)
        condition = "true"
        if first.condition is not None:
            condition = editor.rematerialize(
                first.test, first.condition, code, given=given, certain=True
            )
            if not first.when:
                condition = code.value(f"xor i1 {condition}, true")
        with code.only_if(condition):
            start = editor.rematerialize(
                first.chain, self._variable.start, code, given=given, certain=True
            )
            self._store(self._as_bound(start, code), code)
            # in here, so that nothing keeps the optimiser from doing all this behind its own test
            # of whether there is a first row
            code.lines += self._put_aside("sub")
        return code.lines

    def _begin(self) -> list[str]:
        """Where the loop is entered: the bound, or the last row's, less the start."""
        code, bound = self._editor.code(), self._bound
        now = self._editor.rematerialize(bound.chain, bound.token, code, certain=True)
        if bound.more:
            now = code.value(f"add {bound.type} {now}, {bound.more}")
        start = self._wide(self._as_bound(self._variable.start, code), code)
        before = now if bound.first is None else self._load(code)
        self._change(code, self._wide(before, code), start)
        self._store(now, code)
        return code.lines

    def _end(self) -> list[str]:
        """Where the loop's test ends it: the rest is 0, unless there was no iteration or the bound
        has changed."""
        code = self._editor.code()
        now, bound = self._as_bound(self._variable.token, code), self._load(code)
        differs = code.value(f"icmp ne {self._bound.type} {now}, {bound}")
        # rare, so that it stays a branch, which the optimiser decides on the way out of the loop
        rare = code.value(f"call i1 @llvm.expect.i1(i1 {differs}, i1 false)")
        with code.only_if(rare):
            memory = self._memory()
            wide = self._wide(now, memory), self._wide(bound, memory)
            memory.increase(self._rest, "add", memory.value(f"sub i64 {wide[0]}, {wide[1]}"))
            code.lines += memory.lines
        return code.lines

    def _leave(self, is_test: bool) -> list[str]:
        """Where it is left otherwise."""
        code = self._editor.code()
        now = self._wide(self._as_bound(self._variable.token, code), code)
        if not is_test:  # this iteration has begun
            now = code.value(f"add i64 {now}, 1")
        self._change(code, now, self._wide(self._load(code), code))
        return code.lines

    def _after_last(self) -> list[str]:
        """Where the outer loop is left: the end of the last row."""
        return self._put_aside("add")

    def _put_aside(self, operation: str) -> list[str]:
        """Add or subtract e in memory."""
        memory = self._memory()
        memory.increase(self._rest, operation, self._wide(self._load(memory), memory))
        return memory.lines

    def _add_rest(self) -> list[str]:
        """Where the region is left: what was put aside."""
        code, memory = self._editor.code(), self._editor.code(note=self._private)
        rest = memory.load(self._rest)
        code.increase(self._slot, "add", rest)
        return [*memory.lines, *code.lines]
