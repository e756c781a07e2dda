"""Kernels by the values that influence them: which values, and how they are recorded when a kernel
is left.

A program that calls a kernel with many sizes gives many observations in one run. The values are the
integers that the tests of the kernel's loops depend on: arguments, and what was computed or loaded
before the kernel began.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from staticana.ir.loop_info import Loop, LoopForest, loop_forest
from staticana.ir.types import Function, Instruction, Module

from .counter_plan import CallValue, LoopCounter, Plan
from .edge_profile import EdgeCount, iterations
from .function_editor import FunctionEditor

MOST_VALUES = 6
SLOTS = 512
FIXED_WORDS = 4
KNOWN = 3
"""The runtime has functions of their own for up to so many loops and values."""
UNSET, CHANGED = -(1 << 63), -(1 << 63) + 1
"""What a row has for a value that was not set in the call, or had several values."""
_MOST_STEPS = 8
TIMES, SUM_TICKS, SUM_SQUARES, TIMED = range(FIXED_WORDS)


@dataclass(frozen=True)
class Value:
    """One value that tells calls of a kernel apart: a register set outside of it, or what a load at
    the front of its outermost loop finds at an address that does not change; `chain` are then the
    instructions that lead to it. `inside` are registers set within the kernel, any of which holds
    the value."""

    token: str
    type: str
    name: str
    chain: tuple[Instruction, ...] = ()
    inside: tuple[str, ...] = ()


@dataclass(frozen=True)
class CallTable:
    """The table of one kernel; `number` within the unit, `loops` the ids of the loops counted, the
    kernel's own first."""

    number: int
    loops: tuple[int, ...]
    headers: tuple[str, ...]
    values: tuple[Value, ...]
    slots: int = SLOTS

    @property
    def row(self) -> int:
        """Words of a row."""
        return FIXED_WORDS + len(self.loops) + len(self.values)

    @property
    def entry(self) -> str:
        """The function of the runtime that takes in a call: one of their own for few loops and
        values."""
        loops, n = len(self.loops), len(self.values)
        return (
            f"__looplaw_call_{loops}_{n}"
            if 1 <= loops <= KNOWN and 1 <= n <= KNOWN
            else "__looplaw_call"
        )

    @property
    def names(self) -> tuple[str, ...]:
        """The values' names, made different where they are alike."""
        seen: dict[str, int] = {}
        names = []
        for v in self.values:
            seen[v.name] = seen.get(v.name, 0) + 1
            names.append(v.name if seen[v.name] == 1 else f"{v.name}_{seen[v.name]}")
        return tuple(names)


def call_tables(module: Module, plan: Plan) -> dict[int, CallTable]:
    """A table for each kernel whose calls are kept apart, by its id."""
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
            tuple(_value(function, kernel, v) for v in symbols[c.function, c.header])
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


def _value(function: Function, kernel: Loop, given: CallValue) -> Value:
    inside = tuple(t for t in given.tokens if function.block_of.get(t) in kernel.blocks)
    return Value(given.tokens[0], given.type, given.name, inside=inside)


def influences(
    module: Module, function: Function, forest: LoopForest, kernel: Loop
) -> tuple[Value, ...]:
    """The integers set outside of a kernel on which the tests of its loops depend, at most
    MOST_VALUES."""
    loops = [loop for loop in forest.loops if loop.blocks <= kernel.blocks]
    sources = {e.source for loop in loops for e in loop.exits}
    work = [o for s in sorted(sources) for o in function.blocks[s].terminator.operands[:1]]
    arguments: dict[str, str] = {p.token: p.type for p in function.parameters}
    names = {v.value: module.metadata_field(v.node, "name") for v in function.variables}
    seen: set[str] = set()
    found: list[Value] = []
    while work:
        token = work.pop(0)
        if token in seen or not token.startswith("%"):
            continue
        seen.add(token)
        definition = function.definitions.get(token)
        if definition is None or function.block_of[token] not in kernel.blocks:
            kind = arguments.get(token) or (_kind(definition) if definition is not None else "")
            if _is_integer(kind):
                found.append(Value(token, kind, names.get(token) or token.strip('%"')))
        elif definition.opcode == "load":
            chain = _front(function, kernel, definition)
            if chain is not None and _is_integer(definition.type):
                address = definition.operands[0]
                found.append(
                    Value(token, definition.type, names.get(token) or _member(address), chain)
                )
        elif definition.opcode not in ("call", "invoke"):
            work.extend(definition.operands)
    return tuple(found[:MOST_VALUES])


def _kind(i: Instruction) -> str:
    return "i1" if i.opcode in ("icmp", "fcmp") else i.type


def _is_integer(kind: str) -> bool:
    return kind[:1] == "i" and kind[1:].isdigit() and int(kind[1:]) <= 64


def _member(address: str) -> str:
    """clang calls the address of a member by the member's name, with a number where there are
    several."""
    return address.strip('%@"').rstrip("0123456789") or address.strip('%@"')


def _front(function: Function, kernel: Loop, load: Instruction) -> tuple[Instruction, ...] | None:
    """What leads to a load that happens whenever the kernel is entered, with nothing in front of it
    that may write, from values known before; None where that is not so."""
    before = function.blocks[kernel.header].instructions
    chain: list[Instruction] = []
    work = [load]
    while work:
        i = work.pop()
        if (
            i not in before
            or i.opcode not in ("load", "getelementptr")
            or i.flags & {"volatile", "atomic"}
            or len(chain) > _MOST_STEPS
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


def record_calls(
    editor: FunctionEditor,
    table: CallTable,
    kernel: LoopCounter,
    since: str | None,
    base: Callable[[list[str]], str],
) -> None:
    """Put the recording of one kernel in; `since` is the local variable with the time of its
    beginning."""
    loop, n = editor.loops[kernel.header], len(table.loops)
    room = n + len(table.values)
    array = f"%ll.calls{kernel.id}"
    editor.setup.append(f"  {array} = alloca [{max(room, 1)} x i64], align 8")

    def place(at: int, body: list[str]) -> str:
        name = editor.fresh()
        body.append(f"  %{name} = getelementptr inbounds i64, ptr {array}, i64 {at}")
        return f"%{name}"

    def begin() -> list[str]:
        body: list[str] = []
        for k in range(n):
            body.append(f"  store i64 0, ptr {place(k, body)}, align 8")
        for k, value in enumerate(table.values):
            if value.inside:
                body.append(f"  store i64 {UNSET}, ptr {array}.{k}, align 8")
                continue
            token = editor.again(value.chain, value.token, body)
            body.append(
                f"  store i64 {widened(token, value.type, body)}, ptr {place(n + k, body)}, align 8"
            )
        return body

    def widened(token: str, kind: str, body: list[str]) -> str:
        return (
            token
            if kind == "i64"
            else does(f"{'zext' if kind == 'i1' else 'sext'} {kind} {token} to i64", body)
        )

    def does(text: str, body: list[str]) -> str:
        name = editor.fresh()
        body.append(f"  %{name} = {text}")
        return f"%{name}"

    def seen(token: str, value: Value, k: int) -> list[str]:
        """The first value stays; another one is said to be a change."""
        body: list[str] = []
        now = widened(token, value.type, body)
        old = does(f"load i64, ptr {array}.{k}, align 8", body)
        same = does(f"icmp eq i64 {old}, {now}", body)
        unset = does(f"icmp eq i64 {old}, {UNSET}", body)
        either = does(f"or i1 {same}, {unset}", body)
        new = does(f"select i1 {either}, i64 {now}, i64 {CHANGED}", body)
        return [*body, f"  store i64 {new}, ptr {array}.{k}, align 8"]

    def step(k: int, amount: int) -> list[str]:
        body: list[str] = []
        at, old, new = place(k, body), editor.fresh(), editor.fresh()
        return [
            *body,
            f"  %{old} = load i64, ptr {at}, align 8",
            f"  %{new} = add i64 %{old}, {amount}",
            f"  store i64 %{new}, ptr {at}, align 8",
        ]

    def end() -> list[str]:
        body: list[str] = []
        for k, value in enumerate(table.values):
            if value.inside:
                found = does(f"load i64, ptr {array}.{k}, align 8", body)
                body.append(f"  store i64 {found}, ptr {place(n + k, body)}, align 8")
        words = base(body)
        if since is None:
            return [
                *body,
                (
                    f"  call void @{table.entry}(ptr @__looplaw_unit, ptr {words}, i64"
                    f" {table.number}, ptr {array})"
                ),
            ]
        start = does(f"load i64, ptr {since}, align 8", body)
        return [
            *body,
            (
                f"  call void @__looplaw_timed_call(ptr @__looplaw_unit, ptr {words}, i64"
                f" {table.number}, i64 {start}, ptr {array})"
            ),
        ]

    for k, value in enumerate(table.values):
        if value.inside:
            editor.setup.append(f"  {array}.{k} = alloca i64, align 8")
        for token in value.inside:
            editor.after(token, seen(token, value, k))
    editor.on_entry(loop, begin)
    for k, header in enumerate(table.headers):
        count: EdgeCount = iterations(editor.function, editor.loops[header], editor.reachable)
        editor.on_edges(count.edges, lambda k=k: step(k, 1))  # type: ignore[misc]
        editor.on_edges(count.minus, lambda k=k: step(k, -1))  # type: ignore[misc]
    editor.on_exit(loop, end)
