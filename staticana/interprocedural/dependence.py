"""Which program parameters can influence how often a loop runs or what a function does.

A flow-insensitive taint analysis over the whole module: it over-approximates, so that a parameter
that is not named cannot matter, and this is what restricts the terms a fitter may use. Taint flows
through registers, memory (a cell for each object that is known, else for each type), calls, and
from branch conditions to the values that merge behind them and to the blocks they decide (control
dependence by post-dominators: Ferrante, Ottenstein and Warren, TOPLAS 1987).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

import networkx as nx

from ..alias.library import library_function
from ..expr.budget import OutOfTime
from ..ir.graph import callee, instructions
from ..ir.types import ATOMIC_UPDATES, Function, GlobalRef, Instruction, Operand, Register
from ..scev.values import Answer
from .program import Program

_NAME_LIMIT = 62
_SPECIAL = frozenset(("phi", "load", "store", "call", "invoke", "ret"))
"""Opcodes whose result rests on more than on their operands, or that pass taint on elsewhere. A
parameter comes into the program by one of them."""
_WITHOUT_RESULT = frozenset(("store", "call", "invoke", "ret"))
_Step = tuple[Instruction, tuple[Register, ...]]
"""An instruction, and the registers among its operands."""


class Influences:
    """Sets of parameter names; bit k of a mask is the k-th parameter. others: the mask of loops and
    functions that are not given."""

    def __init__(
        self,
        names: list[str],
        loops: dict[tuple[str, str], int],
        functions: dict[str, int],
        others: int = 0,
    ) -> None:
        self._names, self._loops, self._functions = names, loops, functions
        self._others = others

    def _set(self, mask: int) -> frozenset[str]:
        return frozenset(n for k, n in enumerate(self._names) if mask >> k & 1)

    def loop(self, function: str, header: str) -> frozenset[str]:
        """Parameters that can influence the total number of iterations of a loop."""
        return self._set(self._loops.get((function, header), self._others))

    def function(self, name: str) -> frozenset[str]:
        """Parameters that can influence how often a function is called or what it does."""
        return self._set(self._functions.get(name, self._others))


def influences(program: Program) -> Influences:
    """Run the analysis; parameters that appear first here are added to `program.parameters`. Where
    the time is over before it ends, every parameter may influence everything."""
    try:
        return _Taint(program).solve()
    except OutOfTime:
        names = list(dict.fromkeys(program.parameters.values()))
        return Influences(names, {}, {}, others=(1 << len(names)) - 1)


class _Taint:
    def __init__(self, program: Program) -> None:
        self.program = program
        # function -> register -> mask
        self.values: dict[str, dict[str, int]] = {f: defaultdict(int) for f in program.defined}
        self.changes: dict[str, int] = dict.fromkeys(program.defined, 0)  # of its values
        self.blocks: dict[tuple[str, str], tuple[int, int]] = {}  # `_block` after so many changes
        self.cells: dict[str, int] = defaultdict(int)
        self.context: dict[str, int] = defaultdict(int)  # of calls to a function
        self.results: dict[str, int] = defaultdict(int)
        self.answers = self._find_answers()
        self.sources = self._find_sources()
        self.names = list(dict.fromkeys(program.parameters.values()))[:_NAME_LIMIT]
        self.bit = {n: 1 << k for k, n in enumerate(self.names)}
        self.control: dict[str, dict[str, list[str]]] = {
            f: self._deciders(program.defined[f]) for f in program.defined
        }
        self.deciding: dict[tuple[str, str], tuple[str, ...]] = {}
        self.steps: dict[str, list[tuple[str, list[_Step]]]] = {}
        self.roots: dict[tuple[str, str], str] = {}
        self.changed = set(program.defined)  # functions that may find more than the last time
        self.readers = {
            name
            for name, f in program.defined.items()
            if any(i.opcode == "load" for i in instructions(f))
        }

    def _find_answers(self) -> dict[tuple[str, int], tuple[Answer, frozenset[str]]]:
        """Calls that write a parameter, as MPI_Comm_size, and its name."""
        found: dict[tuple[str, int], tuple[Answer, frozenset[str]]] = {}
        for name in self.program.defined:
            view = self.program.view(name)
            for i in view.function.calls:
                answer = self.program.answer(view, i)
                if answer is not None:
                    found[name, i.line] = answer, frozenset(answer.value.symbols)
        return found

    def _find_sources(self) -> dict[tuple[str, str], frozenset[str]]:
        """Registers whose value is a formula in program parameters from outside."""
        found: dict[tuple[str, str], frozenset[str]] = {}
        for name in self.program.defined:
            view = self.program.view(name)
            for i in view.function.definitions.values():
                self.program.allowance.go_on()
                if (i.is_call and i.type[:1] in "ifd") or i.opcode == "load":
                    if i.opcode == "load" and not (
                        self.answers or self.program.out_parameter(view, i) is not None
                    ):
                        continue
                    e = view.scalars.value(i.token).expr
                    names = e.symbols & set(self.program.parameters.values())
                    if names:
                        found[name, i.token] = frozenset(names)
        for p in self.program.module.functions[self.program.entry].parameters:
            e = self.program.argument(self.program.module.functions[self.program.entry], p.token)
            names = e.symbols & set(self.program.parameters.values())
            if names:
                found[self.program.entry, p.token] = frozenset(names)
        return found

    def _deciders(self, function: Function) -> dict[str, list[str]]:
        """Block -> conditions of the branches on which it is directly control dependent."""
        graph = nx.DiGraph()
        graph.add_node("")
        self.program.allowance.go_on()
        for b in function.blocks.values():
            for s in b.successors:
                graph.add_edge(s, b.name)
            if not b.successors:
                graph.add_edge("", b.name)
        above = dict(nx.immediate_dominators(graph, ""))
        found: dict[str, list[str]] = defaultdict(list)
        for b in function.blocks.values():
            if (
                len(set(b.successors)) < 2
                or not b.terminator.operands
                or b.terminator.opcode == "invoke"
            ):
                continue
            stop = above.get(b.name)
            for s in set(b.successors):
                runner: str | None = s
                while runner is not None and runner != stop and runner in above:
                    found[runner].append(b.terminator.operands[0])
                    runner = above[runner] if above[runner] != runner else None
        return dict(found)

    def solve(self) -> Influences:
        while self.changed:
            for name in self.program.defined:
                if name in self.changed:
                    self.program.allowance.go_on()
                    self.changed.discard(name)
                    self._function(name)
        loops: dict[tuple[str, str], int] = {}
        functions: dict[str, int] = {}
        for name in self.program.defined:
            view = self.program.view(name)
            total = self.context[name]
            for loop in view.forest.loops:
                mask = self.context[name] | self._block(name, loop.header)
                header: str | None = loop.header
                while header is not None:
                    for edge in view.loops[header].exits:
                        mask |= self._condition(name, edge.source) | self._block(name, edge.source)
                    mask |= self._block(name, header)
                    header = view.loops[header].parent
                loops[name, loop.header] = mask
                total |= mask
            values = self.values[name]
            total |= _union(values[token] for token in view.function.definitions)
            functions[name] = total
        below = {n: self.program.calls.below(n) for n in self.program.defined}
        merged = {n: functions[n] | _union(functions[d] for d in below[n]) for n in functions}
        return Influences(self.names, loops, merged)

    def _condition(self, name: str, block: str) -> int:
        t = self.program.defined[name].blocks[block].terminator
        return (
            self.values[name][t.operands[0]] if t.operands and t.opcode in ("br", "switch") else 0
        )

    def _block(self, name: str, block: str) -> int:
        """Taint of the conditions that decide whether a block runs, transitively through their own
        blocks."""
        key, number = (name, block), self.changes[name]
        known = self.blocks.get(key)
        if known is not None and known[0] == number:
            return known[1]
        values = self.values[name]
        found = _union(values[token] for token in self._deciding(name, block))
        self.blocks[key] = number, found
        return found

    def _deciding(self, name: str, block: str) -> tuple[str, ...]:
        """The conditions that `_block` is the taint of."""
        found = self.deciding.get((name, block))
        if found is None:
            seen, work, tokens = {block}, [block], dict[str, None]()
            function = self.program.defined[name]
            while work:
                for token in self.control[name].get(work.pop(), ()):
                    tokens[token] = None
                    where = function.block_of.get(token)
                    if where is None or where in seen:
                        continue
                    seen.add(where)
                    known = self.deciding.get((name, where))
                    if known is None:
                        work.append(where)
                    else:
                        tokens.update(dict.fromkeys(known))
            found = self.deciding[name, block] = tuple(tokens)
        return found

    def _set_value(self, name: str, token: Operand, mask: int) -> None:
        known = self.values[name][token]
        if known | mask != known:
            self.values[name][token] = known | mask
            self.changes[name] += 1
            self.changed.add(name)

    def _set_context(self, name: str, mask: int) -> None:
        known = self.context[name]
        if known | mask != known:
            self.context[name] = known | mask
            self.changed.add(name)

    def _set_cell(self, cell: str, mask: int) -> None:
        known = self.cells[cell]
        if known | mask != known:
            self.cells[cell] = known | mask
            self.changed |= self.readers

    def _set_result(self, name: str, mask: int) -> None:
        known = self.results[name]
        if known | mask != known:
            self.results[name] = known | mask
            calls = self.program.calls
            sites = calls.aliasing.call_sites.get(name, ())
            callers = {f.name for f, _ in sites} & calls.defined.keys()
            self.changed |= set(calls.defined) if name in calls.pointed else callers

    def _cell(self, name: str, token: Operand, kind: str) -> list[str]:
        """Cells that an access may touch: its object's, or that of its type; bytes and unknown
        types touch all."""
        key = (name, token)
        if key not in self.roots:
            aliasing, function = self.program.memory.aliasing, self.program.defined[name]
            base, _ = aliasing.underlying_object(function, token)
            private = isinstance(base, GlobalRef) and base in aliasing.private_globals
            self.roots[key] = str(base) if private else ""
        if self.roots[key]:
            return [self.roots[key]]
        return ["any"] if kind == "i8" or not kind else [f"type {kind}"]

    def _read(self, cells: list[str]) -> int:
        if cells == ["any"]:
            return _union(self.cells.values())
        return _union(self.cells[c] for c in cells) | (
            0 if cells[0].startswith("@") else self.cells["any"]
        )

    def _steps(self, name: str) -> list[tuple[str, list[_Step]]]:
        """What a function does that taint may flow through, block by block."""
        found = self.steps.get(name)
        if found is None:
            found = self.steps[name] = [
                (
                    b.name,
                    [
                        (i, tuple(o for o in i.operands if isinstance(o, Register)))
                        for i in b.instructions
                        if i.result is not None or i.opcode in _WITHOUT_RESULT
                    ],
                )
                for b in self.program.defined[name].blocks.values()
            ]
        return found

    def _function(self, name: str) -> None:
        values = self.values[name]
        for block, steps in self._steps(name):
            context = self.context[name] | self._block(name, block)
            for i, registers in steps:
                mask = 0
                for o in registers:  # the most frequent step of the analysis
                    mask |= values[o]
                if i.opcode in _SPECIAL:
                    mask = self._instruction(name, i, mask, context)
                if mask and i.result is not None:
                    self._set_value(name, i.result, mask)

    def _instruction(self, name: str, i: Instruction, mask: int, context: int) -> int:
        """The taint of an instruction's result, `mask` that of its operands."""
        source = self.sources.get((name, i.token)) if i.result is not None else None
        if source:
            self._set_value(name, i.token, _union(self.bit.get(n, 0) for n in source))
        if i.opcode == "phi":
            for label in i.labels:
                mask |= self._block(name, label)
                t = self.program.defined[name].blocks[label].terminator
                if len(t.labels) > 1:
                    mask |= self._condition(name, label)
        elif i.opcode == "load":
            mask |= self._read(self._cell(name, i.operands[0], i.type))
        elif i.opcode == "store":
            for cell in self._cell(name, i.operands[1], i.type):
                self._set_cell(cell, mask | context)
        elif i.opcode in ATOMIC_UPDATES:
            cells = self._cell(name, i.operands[0], i.type)
            mask |= self._read(cells)
            for cell in cells:
                self._set_cell(cell, mask | context)
        elif i.is_call:
            mask |= self._call(name, i, mask, context)
        elif i.opcode == "ret":
            self._set_result(name, mask | context)
        return mask

    def _call(self, name: str, i: Instruction, mask: int, context: int) -> int:
        called = callee(i) or ""
        targets = (
            [called]
            if called in self.program.defined
            else list(self.program.calls.pointed)
            if isinstance(i.operands[0], Register)
            else []
        )
        result = 0
        for target in targets:
            self._set_context(target, context)
            for p, token in zip(
                self.program.defined[target].parameters, i.operands[1:], strict=False
            ):
                if isinstance(token, Register):
                    self._set_value(target, p.token, self.values[name][token])
            result |= self.results[target]
        if not targets and not called.startswith(("llvm.lifetime", "llvm.dbg")):
            known = library_function(called)
            for at, (token, kind) in enumerate(zip(i.operands[1:], i.extra, strict=False)):
                written = known is None or known.writes_through(at)
                if kind == "ptr" and isinstance(token, Register) and written:
                    for cell in self._cell(name, token, ""):
                        self._set_cell(cell, mask | context)
            if (name, i.line) in self.answers:
                answer, names = self.answers[name, i.line]
                for cell in self._cell(name, answer.address, answer.type):
                    self._set_cell(cell, _union(self.bit.get(n, 0) for n in names))
            handed = {o.name for o in i.operands[1:] if isinstance(o, GlobalRef)}
            for target in self.program.calls.pointed & handed:
                self._set_context(target, context | mask)
        return result


def _union(masks: Iterable[int]) -> int:
    total = 0
    for m in masks:
        total |= m
    return total
