"""`#pragma omp ... collapse(k)`: the loops of the source that clang makes one loop of.

clang runs a nest of k loops as one loop over a logical iteration number (`.omp.iv`), from which the
body computes the k variables (OpenMP 5.2, section 4.4.3). The product of the trip counts and the
divisors of that computation tell the trip counts apart. Here the one loop is given the place of the
innermost loop, and the loops around it come back as a nest of empty loops in front of it, which the
first thread of the team runs: the sum over the team is what the source says. An optimiser turns
such a nest into its closed form, so that the program does nothing more.

Where the bounds of a loop depend on a loop around it, clang runs over the box around all iterations
and skips some: an empty loop of one iteration marks those that it makes.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from ..ir.loop_info import NEST_LOOP, NESTED_IN
from ..ir.matchers import is_any, is_icmp, is_load, is_store
from ..ir.parser import parse_module
from ..ir.types import Block, Function, Instruction, IntLiteral, Location, Module, Operand, quoted
from .isolation import transformed

_HEADER = "omp.inner.for.cond"
_BODY = "omp.inner.for.body"
_NEXT = "omp.body.next"
_THEN = "omp.precond.then"
_DIVISIONS = ("sdiv", "udiv")
_WIDENED = ("sext", "zext", "trunc")
_SHARED = ("__kmpc_for_static_init_", "__kmpc_dispatch_init_")
_THREAD = "omp_get_thread_num"
_TOKEN = re.compile(
    r"""//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|\bfor\b|[()]""", re.S
)

Source = Callable[[str], str | None]
"""The text of a source file, by the name that debug information has for it; None without one."""


def with_collapsed_nests(text: str, source: Source) -> str:
    """The module with the loops around each collapsed one; as it is where there is none.

    Args:
        text: a module as clang writes it, before any pass.

    Raises:
        Refused, BrokeDown: it is not valid IR.
    """
    if _HEADER not in text:
        return text
    named = transformed(text, ("instruction_namer",))
    module = parse_module(named, wanted=_has_header)
    editor = _Editor(module)
    for function in module.functions.values():
        for name, block in function.blocks.items():
            if name.startswith(_HEADER):
                loop = _collapsed(module, function, block, source)
                if loop is not None:
                    editor.edit(loop)
    return editor.text() if editor.edited else text


def _has_header(lines: Sequence[str]) -> bool:
    return any(line.startswith(_HEADER) for line in lines)


@dataclass(frozen=True)
class _Dimension:
    """One of the collapsed loops. count: its iterations, a register or a number, None where they
    are not found; test: the comparison that says whether it runs at all, for unsigned counts."""

    place: Location
    count: Operand | None
    type: str
    test: Instruction | None


@dataclass(frozen=True)
class _Collapsed:
    """A loop that was made of several. known: the block and line after which the counts are
    computed; skips: the block of the iterations that are made, where some are not."""

    function: Function
    header: Block
    dimensions: tuple[_Dimension, ...]
    known: tuple[str, int]
    is_shared: bool
    skips: str | None


# -- what clang wrote
def _collapsed(
    module: Module, function: Function, header: Block, source: Source
) -> _Collapsed | None:
    """The loops that the one at this header was made of; None where it is a loop of the source."""
    if len(header.successors) != 2:
        return None
    test = function.definitions.get(header.terminator.operands[0])
    if not is_icmp(test):
        return None
    counter = _loaded(function, test.operands[0])
    body = function.blocks[header.successors[0]]
    if counter is None or not body.name.startswith(_BODY):
        return None
    decodes = list(_decodes(function, body, counter))
    if len(decodes) < 2:
        return None
    places = [_keyword(module, i, source) for i, _ in decodes]
    if None in places:
        return None
    product = _product(function, header, test)
    skips = next((s for s in body.successors if s.startswith(_NEXT)), None)
    factors, after = _factors(function, decodes, counter, product)
    block, line = after or _before(function, header)
    tests = list(_tests(function, header))
    dimensions = []
    for place, factor in zip(places, factors, strict=True):
        assert place is not None
        dimensions.append(_dimension(module, function, place, factor, tests))
    return _Collapsed(
        function,
        header,
        tuple(dimensions),
        (block, line),
        any(i.operands[0].startswith(tuple(f"@{s}" for s in _SHARED)) for i in _calls(function)),
        skips,
    )


def _calls(function: Function) -> Iterator[Instruction]:
    return (i for b in function.blocks.values() for i in b.instructions if i.is_call)


def _loaded(function: Function, value: Operand) -> Operand | None:
    """The variable that a value is loaded from."""
    i = function.definitions.get(value)
    return i.operands[0] if is_load(i) else None


def _slice(function: Function, value: Operand) -> list[Instruction]:
    """What a value is computed from, up to loads."""
    found: list[Instruction] = []
    work = [value]
    while work:
        i = function.definitions.get(work.pop())
        if i is not None and i not in found:
            found.append(i)
            if not is_load(i):
                work += i.operands
    return found


def _decodes(
    function: Function, body: Block, counter: Operand
) -> Iterator[tuple[Instruction, Operand]]:
    """The stores of the loop variables and, for iterators, the calls that move them on, each with
    the value that is computed by division from the iteration number."""
    for i in body.instructions:
        values = i.operands[1:] if i.is_call else i.operands[:1] if is_store(i) else ()
        for value in values:
            parts = _slice(function, value)
            if any(is_load(p) and p.operands[0] == counter for p in parts) and any(
                is_any(p, *_DIVISIONS) and _uses(function, p.operands[0], counter) for p in parts
            ):
                yield i, value
                break


def _uses(function: Function, value: Operand, counter: Operand) -> bool:
    return any(is_load(p) and p.operands[0] == counter for p in _slice(function, value))


def _product(
    function: Function, header: Block, test: Instruction
) -> tuple[Operand, str, int] | int | None:
    """The number of iterations: a number, or (value, its block, its line)."""
    bound = function.definitions.get(test.operands[1])
    if isinstance(test.operands[1], IntLiteral):
        return test.operands[1].value + (test.extra[0] in ("sle", "ule"))
    if is_any(bound, "add"):  # simd: i < last + 1
        bound = function.definitions.get(bound.operands[0])
    if not is_load(bound):
        return None
    values = [
        i.operands[0]
        for i in function.users.get(bound.operands[0], ())
        if is_store(i) and i.operands[1] == bound.operands[0]
    ]
    for value in values:
        if isinstance(value, IntLiteral):
            return value.value + 1
        kept = _loaded(function, value)
        stores = [
            i for i in function.users.get(kept or "", ()) if is_store(i) and i.operands[1] == kept
        ]
        last = function.definitions.get(stores[0].operands[0]) if len(stores) == 1 else None
        if last is None:
            last = function.definitions.get(value)
        if is_any(last, "sub") and last.operands[1] == "1":
            return last.operands[0], function.block_of[last.token], last.line
    return None


def _flat(function: Function, value: Operand) -> tuple[int, list[Operand]]:
    """A product as (the constant in it, its other factors from left to right)."""
    if isinstance(value, IntLiteral):
        return value.value, []
    i = function.definitions.get(value)
    if is_any(i, "mul"):
        one, left = _flat(function, i.operands[0])
        other, right = _flat(function, i.operands[1])
        return one * other, left + right
    if is_any(i, *_WIDENED):
        inside = function.definitions.get(i.operands[0])
        if is_any(inside, "mul"):
            return _flat(function, i.operands[0])
    return 1, [value]


def _factors(
    function: Function,
    decodes: list[tuple[Instruction, Operand]],
    counter: Operand,
    product: tuple[Operand, str, int] | int | None,
) -> tuple[list[Operand | None], tuple[str, int] | None]:
    """The trip count of each loop, and where all are known."""
    nothing: list[Operand | None] = [None] * len(decodes)
    if product is None:
        return nothing, None
    after = None if isinstance(product, int) else product[1:]
    whole = (product, []) if isinstance(product, int) else _flat(function, product[0])
    parts = [whole]
    for _, value in decodes[:-1]:
        divisor = _divisor(function, value, counter)
        if divisor is None:
            return nothing, after
        parts.append(_flat(function, divisor))
    parts.append((1, []))
    found: list[Operand | None] = []
    for (number, others), (inner, inside) in pairwise(parts):
        if len(others) == len(inside) and inner and number % inner == 0 and number:
            found.append(IntLiteral(str(number // inner)))
        elif len(others) == len(inside) + 1 and number == inner:
            found.append(whole[1][len(whole[1]) - len(others)])
        else:
            return nothing, after
    return found, after


def _divisor(function: Function, value: Operand, counter: Operand) -> Operand | None:
    """What the iteration number, or the rest of it, is divided by for a loop variable: by the
    outermost division."""
    i = function.definitions.get(value)
    while i is not None:
        if is_any(i, *_DIVISIONS):
            return i.operands[1]
        inward = [o for o in i.operands if _uses(function, o, counter)]
        if len(inward) != 1 or is_load(i):
            return None
        i = function.definitions.get(inward[0])
    return None


def _before(function: Function, header: Block) -> tuple[str, int]:
    """A place in front of the loop, once for each time that it is come to: before the call that
    asks for a thread's share, else before the block that leads to the loop."""
    dominating = _dominating(function, header.name)
    for name in dominating:
        for i in function.blocks[name].instructions:
            if i.is_call and i.operands[0].startswith(tuple(f"@{s}" for s in _SHARED)):
                return name, i.line - 1
    outside = dominating[0]
    return outside, function.blocks[outside].terminator.line - 1


def _dominating(function: Function, name: str) -> list[str]:
    """The blocks on the straight way to a block, the nearest first."""
    found: list[str] = []
    while True:
        above = [p for p in function.predecessors[name] if not p.startswith("omp.inner.for.inc")]
        above = [p for p in above if not p.startswith("omp.dispatch.inc") and p not in found]
        if not above:
            return found or [name]
        name = min(above, key=lambda p: function.blocks[p].line)
        found.append(name)


def _tests(function: Function, header: Block) -> Iterator[Instruction]:
    """The comparisons that say whether each loop runs at all."""
    for name in _dominating(function, header.name):
        t = function.blocks[name].terminator
        if len(t.labels) == 2 and t.operands:
            i = function.definitions.get(t.operands[0])
            if is_icmp(i) and i.dbg is not None:
                yield i


def _dimension(
    module: Module,
    function: Function,
    place: Location,
    factor: Operand | None,
    tests: list[Instruction],
) -> _Dimension:
    i = function.definitions.get(factor) if factor is not None else None
    kind = "i64" if i is None else i.type
    divisions = [p for p in _slice(function, factor) if is_any(p, *_DIVISIONS)] if factor else []
    if not any(is_any(p, "udiv") for p in divisions):
        return _Dimension(place, factor, kind, None)
    for test in tests:
        at = module.location(test.dbg)
        if at is not None and (at.line, at.column) == (place.line, place.column):
            return _Dimension(place, factor, kind, test)
    return _Dimension(place, None, kind, None)


def _keyword(module: Module, decode: Instruction, source: Source) -> Location | None:
    """Where the `for` stands whose variable an instruction steps: around its place. Where that is
    not found, as in a macro or without the source, the place itself."""
    at = module.location(decode.dbg)
    folder = module.folder_of(module.metadata_field(decode.dbg, "scope"))
    text = source(os.path.join(folder, at.file)) if at is not None else None
    lines = text.split("\n") if text is not None else []
    if at is None or text is None or at.line > len(lines):
        return at
    end = sum(len(line) + 1 for line in lines[: at.line - 1]) + at.column - 1
    open_: list[int | None] = []
    waiting: int | None = None
    for token in _TOKEN.finditer(text, 0, end):
        word = token.group()
        if word == "for":
            waiting = token.start()
        elif word == "(":
            open_.append(waiting)
            waiting = None
        elif word == ")" and open_:
            open_.pop()
    start = next((k for k in reversed(open_) if k is not None), None)
    if start is None:
        return at
    line = text.count("\n", 0, start) + 1
    return Location(at.file, line, start - text.rfind("\n", 0, start))


# -- what is written instead
@dataclass
class _Editor:
    """Edits of a module's text, by line."""

    module: Module
    edited: bool = False
    lines: list[str] = field(default_factory=list)
    original: tuple[str, ...] = ()
    nodes: list[str] = field(default_factory=list)
    done: set[tuple[str, int]] = field(default_factory=set)
    free: int = 0

    def __post_init__(self) -> None:
        self.lines = self.module.text.split("\n")
        self.original = tuple(self.lines)
        self.free = self.module.free_metadata

    def text(self) -> str:
        declared = f"declare i32 @{_THREAD}()"
        needs = _THREAD not in self.module.functions and any(
            f"@{_THREAD}()" in line for line in self.lines
        )
        return "\n".join([*self.lines, *([declared] if needs else []), *self.nodes, ""])

    def edit(self, loop: _Collapsed) -> None:
        self.edited = True
        scope = self._scope(loop)
        if scope is None:
            return
        places = [self._node(d.place, scope) for d in loop.dimensions]
        last = len(places) - 1
        if loop.skips is None:
            self._move(loop, places[last])
            self._nest(loop, places, last)
        else:
            self._move(loop, None)
            self._once(loop, places[last])
            self._nest(loop, places, 1)

    def _scope(self, loop: _Collapsed) -> str | None:
        test = loop.function.definitions[loop.header.terminator.operands[0]]
        return self.module.metadata_field(test.dbg, "scope") if test.dbg is not None else None

    def _add(self, text: str) -> str:
        self.nodes.append(f"!{self.free} = {text}")
        self.free += 1
        return f"!{self.free - 1}"

    def _node(self, place: Location, scope: str) -> str:
        return self._add(f"!DILocation(line: {place.line}, column: {place.column}, scope: {scope})")

    def _move(self, loop: _Collapsed, place: str | None) -> None:
        """The loop stands where the innermost one does, inside the others; without a place it is no
        loop of the source."""
        test = loop.function.definitions[loop.header.terminator.operands[0]]
        if place is not None:
            self.lines[test.line] = self.lines[test.line].replace(
                f"!dbg {test.dbg}", f"!dbg {place}"
            )
        mark = self._around(loop) if place is not None else self._add(f'!{{!"{NESTED_IN}"}}')
        for b in loop.function.blocks.values():
            t = b.terminator
            if t.loop is not None and loop.header.name in t.labels:
                self.nodes = [
                    line.replace("}", f", {mark}}}") if line.startswith(f"{t.loop} = ") else line
                    for line in self.nodes
                ]
                for at in range(len(self.lines) - 1, -1, -1):
                    if self.lines[at].startswith(f"{t.loop} = "):
                        self.lines[at] = f"{self.lines[at].rstrip()[:-1]}, {mark}}}"
                        break

    def _around(self, loop: _Collapsed) -> str:
        """The mark that names the places of the loops around the innermost one."""
        places = ", ".join(f'!"{d.place}"' for d in loop.dimensions[:-1])
        return self._add(f'!{{!"{NESTED_IN}", {places}}}')

    def _nest(self, loop: _Collapsed, places: list[str], depth: int) -> None:
        """Empty loops for all but the innermost, in front of it."""
        block, line = loop.known
        key = (loop.function.name, line)
        outer = loop.dimensions[:depth]
        if key in self.done or any(d.count is None for d in outer):
            return
        self.done.add(key)
        name = f"{NEST_LOOP}.{line - loop.function.line}"
        text = list[str]()
        first = f"{name}.0"
        if loop.is_shared:
            text += [
                f"  %{name}.t = call i32 @{_THREAD}(), !dbg {places[0]}",
                f"  %{name}.first = icmp eq i32 %{name}.t, 0",
                f"  br i1 %{name}.first, label %{first}.start, label %{name}.end",
            ]
        else:
            text += [f"  br label %{first}.start"]
        for k, d in enumerate(outer):
            own, after = f"{name}.{k}", f"{name}.{k - 1}.step" if k else f"{name}.end"
            inner = f"{name}.{k + 1}.start" if k + 1 < depth else f"{own}.step"
            text += [f"{own}.start:"]
            if d.test is not None:
                test, copies = self._copied(loop.function, d.test, own)
                text += [*copies, f"  br i1 {test}, label %{own}.enter, label %{after}"]
                text += [f"{own}.enter:"]
            at = f"!dbg {places[k]}"
            start = f"{own}.enter" if d.test is not None else f"{own}.start"
            node = f"!{self.free}"
            self._add(f"distinct !{{{node}, {places[k]}}}")
            text += [
                f"  br label %{own}",
                f"{own}:",
                f"  %{own}.i = phi {d.type} [ 0, %{start} ], [ %{own}.next, %{own}.step ]",
                f"  %{own}.more = icmp {'ult' if d.test is not None else 'slt'} {d.type} %{own}.i,"
                f" {d.count}, {at}",
                f"  br i1 %{own}.more, label %{inner}, label %{after}, {at}",
            ]
            closing = [
                f"{own}.step:",
                f"  %{own}.next = add nuw nsw {d.type} %{own}.i, 1, {at}",
                f"  br label %{own}, {at}, !llvm.loop {node}",
            ]
            text += closing
        self._split(loop.function, block, line, text, f"{name}.end")

    def _once(self, loop: _Collapsed, place: str) -> None:
        """A loop of one iteration at the beginning of the block of iterations that are made."""
        assert loop.skips is not None
        block = loop.function.blocks[loop.skips]
        mark = self._around(loop)
        name, node = f"{NEST_LOOP}.{block.line - loop.function.line}", f"!{self.free}"
        self._add(f"distinct !{{{node}, {place}, {mark}}}")
        at = f"!dbg {place}"
        text = [
            f"  br label %{name}",
            f"{name}:",
            f"  %{name}.i = phi i32 [ 0, %{quoted(block.name)} ], [ %{name}.next, %{name}.step ]",
            f"  %{name}.more = icmp slt i32 %{name}.i, 1, {at}",
            f"  br i1 %{name}.more, label %{name}.step, label %{name}.end, {at}",
            f"{name}.step:",
            f"  %{name}.next = add nuw nsw i32 %{name}.i, 1, {at}",
            f"  br label %{name}, {at}, !llvm.loop {node}",
        ]
        self._split(loop.function, block.name, block.line, text, f"{name}.end")

    def _copied(self, function: Function, test: Instruction, prefix: str) -> tuple[str, list[str]]:
        """A comparison with all that it is computed from, once more, and its name."""
        parts = sorted(_slice(function, test.token), key=lambda i: i.line)
        text = []
        for i in parts:
            line = self.original[i.line].partition(", !tbaa")[0]
            for p in parts:
                name = rf"{re.escape(p.token)}(?![-a-zA-Z$._0-9])"
                line = re.sub(name, f"%{prefix}.{p.line - function.line}", line)
            text.append(line)
        return f"%{prefix}.{test.line - function.line}", text

    def _split(self, function: Function, block: str, line: int, text: list[str], end: str) -> None:
        """Put blocks behind a line of a block; what follows becomes block `end`."""
        self.lines[line] = "\n".join([self.lines[line], *text, f"{end}:"])
        for successor in dict.fromkeys(function.blocks[block].successors):
            for phi in function.blocks[successor].phis:
                self.lines[phi.line] = self.lines[phi.line].replace(
                    f"%{quoted(block)} ]", f"%{end} ]"
                )
