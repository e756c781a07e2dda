"""Kernels' calls, kept apart by the values that influence them: which values these are, and how a
call is recorded when its kernel is left.

A program that calls a kernel with many sizes gives many observations in one run. The values are the
integers on which the tests of the kernel's loops depend: arguments, and what was computed or loaded
before the kernel began (a backward slice of the exit conditions, Weiser 1981, that stops at the
kernel's entry).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from staticana.ir.loop_info import Loop, LoopForest, loop_forest
from staticana.ir.types import Function, GlobalRef, Instruction, Module, Operand, Register, int_bits

from ..counters.word_layout import CHANGED, ROW_WORDS, UNSET
from .counter_plan import CallValue, LoopCounter, Plan
from .ir_text.code_builder import CodeBuilder
from .ir_text.function_editor import FunctionEditor
from .kernel_timer import count_down

MAX_VALUES = 6
"""Values that tell a kernel's calls apart: more would make nearly every call a row of its own."""
SLOTS = 512
"""Rows of a table, of which the runtime fills three quarters; 64 KiB with its copy for readers."""
SPECIALISED = 3
"""The runtime has entry points of its own for up to so many loops and values (see rt_calls.h)."""
_MAX_CHAIN = 8
"""Instructions that are repeated to load a value at the kernel's entry."""


@dataclass(frozen=True)
class Value:
    """A value that tells calls of a kernel apart.

    Attributes:
        token: the register that holds it, set before the kernel, or by a load at the front of its
            outermost loop from an address that does not change.
        chain: in the case of a load, the instructions that lead to it.
        inside: registers set within the kernel, any of which holds the value.
    """

    token: str
    type: str
    name: str
    chain: tuple[Instruction, ...] = ()
    inside: tuple[str, ...] = ()


@dataclass(frozen=True)
class CallTable:
    """The table of a kernel.

    Attributes:
        number: within the unit.
        loops: ids of the loops counted, the kernel's own first; `headers` are theirs.
        sampled: only some calls are kept.
    """

    number: int
    loops: tuple[int, ...]
    headers: tuple[str, ...]
    values: tuple[Value, ...]
    slots: int = SLOTS
    sampled: bool = False

    @property
    def row(self) -> int:
        """Words of a row."""
        return ROW_WORDS + len(self.loops) + len(self.values)

    @property
    def entry(self) -> str:
        """The function of the runtime that records a call."""
        loops, n = len(self.loops), len(self.values)
        if 1 <= loops <= SPECIALISED and 1 <= n <= SPECIALISED:
            return f"__looplaw_call_{loops}_{n}"
        return "__looplaw_call"

    @property
    def names(self) -> tuple[str, ...]:
        """The values' names, numbered where they are alike."""
        seen: dict[str, int] = {}
        names = []
        for v in self.values:
            seen[v.name] = seen.get(v.name, 0) + 1
            names.append(v.name if seen[v.name] == 1 else f"{v.name}_{seen[v.name]}")
        return tuple(names)


def call_tables(module: Module, plan: Plan) -> dict[int, CallTable]:
    """A table for each kernel whose calls are kept apart, by the kernel's id."""
    symbols = dict(plan.symbols)
    found: dict[int, CallTable] = {}
    forests: dict[str, LoopForest] = {}
    for c in plan.counters:
        if c.nesting != 1 or (symbols and (c.function, c.header) not in symbols):
            continue
        function = module.functions[c.function]
        forest = forests.setdefault(c.function, loop_forest(function, module))
        kernel = forest.by_header()[c.header]
        values = (
            tuple(_given(function, kernel, v) for v in symbols[c.function, c.header])
            if symbols
            else influences(module, function, forest, kernel)
        )
        inside = [
            d for d in plan.counters if d.kernel == c.id and d.function == c.function and d.counted
        ]
        found[c.id] = CallTable(
            len(found), tuple(d.id for d in inside), tuple(d.header for d in inside), values
        )
    return found


def _given(function: Function, kernel: Loop, given: CallValue) -> Value:
    """A value that the plan names."""
    inside = tuple(t for t in given.tokens if function.block_of.get(t) in kernel.blocks)
    return Value(given.tokens[0], given.type, given.name, inside=inside)


def influences(
    module: Module, function: Function, forest: LoopForest, kernel: Loop
) -> tuple[Value, ...]:
    """The integers set outside of a kernel on which the tests of its loops depend, at most
    MAX_VALUES."""
    loops = [loop for loop in forest.loops if loop.blocks <= kernel.blocks]
    sources = {e.source for loop in loops for e in loop.exits}
    work = [o for s in sorted(sources) for o in function.blocks[s].terminator.operands[:1]]
    arguments: dict[str, str] = {p.token: p.type for p in function.parameters}
    names = {v.value: module.metadata_field(v.node, "name") for v in function.variables}
    seen: set[str] = set()
    found: list[Value] = []
    while work:
        token = work.pop(0)
        if token in seen or not isinstance(token, Register):
            continue
        seen.add(token)
        definition = function.definitions.get(token)
        if definition is None or function.block_of[token] not in kernel.blocks:
            kind = arguments.get(token) or (_type(definition) if definition is not None else "")
            if _is_integer(kind):
                found.append(Value(token, kind, names.get(token) or token.name))
        elif definition.opcode == "load":
            chain = _loaded_at_entry(function, kernel, definition)
            if chain is not None and _is_integer(definition.type):
                name = names.get(token) or _member(definition.operands[0])
                found.append(Value(token, definition.type, name, chain))
        elif not definition.is_call:
            work.extend(definition.operands)
    return tuple(found[:MAX_VALUES])


def _type(i: Instruction) -> str:
    """The type of a result; that of a comparison is not the type it is written with."""
    return "i1" if i.opcode in ("icmp", "fcmp") else i.type


def _is_integer(type: str) -> bool:
    bits = int_bits(type)
    return bits is not None and bits <= 64


def _member(address: Operand) -> str:
    """The name of the member at an address: clang names the address after it, with a number where
    there are several."""
    name = address.name if isinstance(address, Register | GlobalRef) else ""
    return name.rstrip("0123456789") or name


def _loaded_at_entry(
    function: Function, kernel: Loop, load: Instruction
) -> tuple[Instruction, ...] | None:
    """The instructions that lead to a load which happens whenever the kernel is entered, from
    values known before it, and with nothing in front of it that may write; None if it is not so."""
    before = function.blocks[kernel.header].instructions
    chain: list[Instruction] = []
    work = [load]
    while work:
        i = work.pop()
        if (
            i not in before
            or i.opcode not in ("load", "getelementptr")
            or i.flags & {"volatile", "atomic"}
            or len(chain) > _MAX_CHAIN
        ):
            return None
        chain.append(i)
        work += [
            function.definitions[o] for o in i.operands if function.block_of.get(o) in kernel.blocks
        ]
    chain.sort(key=before.index)
    if any(i.opcode in ("call", "invoke", "store") for i in before[: before.index(load)]):
        return None
    return tuple(dict.fromkeys(chain))


LocalSum = tuple[tuple[str, int], ...]
"""Local variables and factors."""


def _total(code: CodeBuilder, parts: LocalSum) -> str:
    """The sum of local variables times their factors."""
    total = "0"
    for variable, factor in parts:
        value = code.load(variable)
        part = value if factor == 1 else code.value(f"mul i64 {value}, {factor}")
        total = part if total == "0" else code.value(f"add i64 {total}, {part}")
    return total


@dataclass(frozen=True)
class Recording:
    """How the calls of a kernel are recorded.

    Attributes:
        since: the local variable with the time of the kernel's entry; None where it is not timed.
        work: the word of the function that the iterations are added to; None where all calls are
            kept.
        slots: id of a loop -> local variables and factors whose sum is its iterations in this call.
        base: gives the address of the thread's words.
        count: counts the iterations of the loop with a header in a local variable.
    """

    table: CallTable
    since: str | None
    work: int | None
    slots: Mapping[int, LocalSum]
    base: Callable[[CodeBuilder], str]
    count: Callable[[str, str], None]


def record_calls(editor: FunctionEditor, recording: Recording, kernel: LoopCounter) -> None:
    """Insert the recording of a kernel's calls."""
    _Recorder(editor, recording, f"%ll.calls{kernel.id}").record(kernel.header)


class _Recorder:
    """The recording of one kernel: the iterations of its loops in this entry, in local variables;
    when the kernel is left, the runtime gets an array of them and of the values."""

    def __init__(self, editor: FunctionEditor, recording: Recording, array: str) -> None:
        self._editor, self._array = editor, array
        self._how, self._table = recording, recording.table
        loops = enumerate(recording.table.loops)
        self._own = [k for k, loop in loops if loop not in recording.slots]

    def record(self, header: str) -> None:
        """Insert the recording; `header` is the kernel's."""
        editor, table = self._editor, self._table
        size = max(len(table.loops) + len(table.values), 1)
        editor.prologue.append(f"  {self._array} = alloca [{size} x i64], align 8")
        for k, value in enumerate(table.values):
            if value.inside:
                editor.prologue.append(f"  {self._inner(k)} = alloca i64, align 8")
            for token in value.inside:
                editor.insert_after(token, self._keep(token, value, k))
        editor.prologue += [f"  {self._counted(k)} = alloca i64, align 8" for k in self._own]
        loop = editor.loops[header]
        editor.on_entry(loop, self._begin)
        for k in self._own:
            self._how.count(table.headers[k], self._counted(k))
        editor.on_exit(loop, self._end)

    def _inner(self, k: int) -> str:
        """The local variable of a value that is set within the kernel."""
        return f"{self._array}.{k}"

    def _counted(self, k: int) -> str:
        """The local variable of a loop's iterations. The runtime sees the array only, so that this
        one can be in a register."""
        return f"{self._array}.n{k}"

    def _value_place(self, k: int, code: CodeBuilder) -> str:
        return code.element(self._array, len(self._table.loops) + k)

    def _begin(self) -> list[str]:
        """On entry: no iterations yet, and the values that are known."""
        code = self._editor.code()
        for k in self._own:
            code.store(0, self._counted(k))
        for k, value in enumerate(self._table.values):
            if value.inside:
                code.store(UNSET, self._inner(k))
                continue
            token = self._editor.rematerialize(value.chain, value.token, code)
            code.store(code.widened(token, value.type), self._value_place(k, code))
        return code.lines

    def _keep(self, token: str, value: Value, k: int) -> list[str]:
        """Where a value is set within the kernel: keep the first one, and say that it changed if
        another follows."""
        code = self._editor.code()
        now = code.widened(token, value.type)
        old = code.load(self._inner(k))
        same = code.value(f"icmp eq i64 {old}, {now}")
        unset = code.value(f"icmp eq i64 {old}, {UNSET}")
        either = code.value(f"or i1 {same}, {unset}")
        code.store(code.value(f"select i1 {either}, i64 {now}, i64 {CHANGED}"), self._inner(k))
        return code.lines

    def _end(self) -> list[str]:
        """On exit: hand the array to the runtime."""
        code = self._editor.code()
        work = "0"
        for k in range(len(self._table.loops)):
            parts = self._how.slots.get(self._table.loops[k], ((self._counted(k), 1),))
            counted = _total(code, parts)
            code.store(counted, code.element(self._array, k))
            work = code.value(f"add i64 {work}, {counted}")
        for k, value in enumerate(self._table.values):
            if value.inside:
                code.store(code.load(self._inner(k)), self._value_place(k, code))
        words = self._how.base(code)
        if self._how.work is not None:
            code.increase(code.element(words, self._how.work), "add", work)
        unit = f"ptr @__looplaw_unit, ptr {words}, i64 {self._table.number}"
        if self._how.since is None:
            code.do(f"call void @{self._table.entry}({unit}, ptr {self._array})")
        else:
            start = code.load(self._how.since)
            code.do(f"call void @__looplaw_timed_call({unit}, i64 {start}, ptr {self._array})")
        return code.lines


class KeepAtEnd:
    """A kernel's countdown where it ends, with the recording of the call whose turn it is.

    Nothing is added to the loops, and the function stays one that is inlined. Behind it the thread
    has words: before it first has, and again when it has lost them, no turn has been granted to it.

    Args:
        slots: id of a loop -> local variables and factors whose sum is its iterations in this call.
        index: the kernel's number among what is sampled.
    """

    def __init__(
        self,
        editor: FunctionEditor,
        table: CallTable,
        kernel: LoopCounter,
        slots: Mapping[int, LocalSum],
        index: int,
    ) -> None:
        self._editor, self._table, self._slots, self._index = editor, table, slots, index
        self._held = {
            k: f"%ll.calls{kernel.id}.v{k}" for k, v in enumerate(table.values) if v.chain
        }
        editor.prologue += [f"  {name} = alloca i64, align 8" for name in self._held.values()]
        editor.on_entry(editor.loops[kernel.header], self._begin)

    def _begin(self) -> list[str]:
        """On entry: the values that are loaded."""
        code = self._editor.code()
        for k, name in self._held.items():
            value = self._table.values[k]
            token = self._editor.rematerialize(value.chain, value.token, code)
            code.store(code.widened(token, value.type), name)
        return code.lines

    def end(self) -> list[str]:
        """On exit: count down, and keep the call if its turn has come."""
        code = self._editor.code()
        with code.only_if(count_down(code, self._index)):
            given = [_total(code, self._slots[k]) for k in self._table.loops]
            for k, v in enumerate(self._table.values):
                held = self._held.get(k)
                given.append(code.widened(v.token, v.type) if held is None else code.load(held))
            arguments = ", ".join(f"i64 {value}" for value in given)
            code.do(f"call void @{_keeper(self._table)}({arguments})")
        return code.lines


def _keeper(table: CallTable) -> str:
    return f"__looplaw_keep.{table.number}"


def keeper_ir(table: CallTable, turns: int, index: int) -> str:
    """The function that keeps a call of a kernel: its arguments are the iterations of the loops and
    the values.

    Args:
        turns: the first word of the kernel's sampling; `index` is its number.
    """
    size = len(table.loops) + len(table.values)
    stores = "".join(
        f"  %at{k} = getelementptr inbounds i64, ptr %from, i64 {k}\n"
        f"  store i64 %n{k}, ptr %at{k}, align 8\n"
        for k in range(size)
    )
    loops = len(table.loops)
    work = "  %w0 = add i64 0, 0\n" + "".join(
        f"  %w{k + 1} = add i64 %w{k}, %n{k}\n" for k in range(loops)
    )
    return f"""
define internal void @{_keeper(table)}({", ".join(f"i64 %n{k}" for k in range(size))}) \
noinline cold nounwind {{
  %from = alloca [{max(size, 1)} x i64], align 8
{stores}  %words = call ptr @__looplaw_base()
  %left = getelementptr inbounds i64, ptr @__looplaw_words, i64 {index + 1}
{work}  %kept = call i64 @__looplaw_kept_end(ptr %words, i64 {turns}, ptr %left, i64 %w{loops})
  %is = icmp ne i64 %kept, 0
  br i1 %is, label %record, label %done
record:
  call void @{table.entry}(ptr @__looplaw_unit, ptr %words, i64 {table.number}, ptr %from)
  br label %done
done:
  ret void
}}
"""
