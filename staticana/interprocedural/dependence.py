"""Which program parameters can influence how often a loop runs or what a function does.

A flow-insensitive taint analysis over the whole module: it over-approximates, so that a parameter
that is not named cannot matter, and this is what restricts the terms a fitter may use. Taint flows
through registers, memory (a cell for each object that is known, else for each type), calls, and
from branch conditions to the values that merge behind them and to the blocks they decide (control
dependence by post-dominators: Ferrante, Ottenstein and Warren, TOPLAS 1987). Every step is a union,
so the program is read once, into a graph along whose edges the parameters spread.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Sequence

from looplaw_common.digraph import Digraph, dominators

from ..alias.library import declared_function
from ..expr.budget import OutOfTime
from ..ir.graph import callee
from ..ir.matchers import is_any, is_load, is_phi, is_return, is_store
from ..ir.types import ATOMIC_UPDATES, Block, Function, GlobalRef, Instruction, Operand, Register
from ..scev.values import Answer
from .program import Program

_SPECIAL = frozenset(("phi", "load", "store", "call", "invoke", "ret", *ATOMIC_UPDATES))
"""Opcodes through which more flows than from their operands to their result."""
_Node = tuple[Hashable, ...]
"""(function, register); ("block", function, block): the conditions that decide whether it runs;
("context", function): the same of its calls; ("at", function, block): both; ("result", function);
and cells, ("object", global) and ("type", type)."""
_ANYWHERE: _Node = ("type", "")
"""What a store of unknown type writes, and all loads from memory of a type may read."""
_ALL_CELLS: _Node = ("all cells",)
"""What a load of unknown type may read."""
_POINTED: _Node = ("pointed",)
"""All functions that are called through pointers: whether they are; with a number behind it, what
they are handed."""
_POINTED_RESULT: _Node = ("pointed", "result")


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
        self.flows: dict[_Node, list[_Node]] = defaultdict(list)
        self.masks: dict[_Node, int] = defaultdict(int)
        self.answers = self._find_answers()
        self.sources = self._find_sources()
        self.names = list(dict.fromkeys(program.parameters.values()))
        self.bit = {n: 1 << k for k, n in enumerate(self.names)}
        self.cells: set[_Node] = set()
        self.ats: set[_Node] = set()

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
                if (i.is_call and i.type[:1] in "ifd") or is_load(i):
                    if is_load(i) and not (
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

    def _deciders(self, function: Function) -> dict[str, list[Register]]:
        """Block -> conditions of the branches on which it is directly control dependent."""
        graph = Digraph([""])
        self.program.allowance.go_on()
        for b in function.blocks.values():
            for s in b.successors:
                graph.add_edge(s, b.name)
            if not b.successors:
                graph.add_edge("", b.name)
        above = dominators(graph, "")
        found: dict[str, list[Register]] = defaultdict(list)
        for b in function.blocks.values():
            conditions = _conditions(b)
            if not conditions or len(set(b.successors)) < 2:
                continue
            stop = above.get(b.name)
            for s in set(b.successors):
                runner: str | None = s
                while runner is not None and runner != stop and runner in above:
                    found[runner].extend(conditions)
                    runner = above[runner] if above[runner] != runner else None
        return found

    def solve(self) -> Influences:
        for key, names in self.sources.items():
            self.masks[key] |= _union(self.bit.get(n, 0) for n in names)
        for f in self.program.defined.values():
            self._read(f)
        for cell in self.cells:
            self._flow(cell, _ALL_CELLS)
        for name in self.program.calls.pointed:
            self._flow(_POINTED, ("context", name))
            for k, p in enumerate(self.program.defined[name].parameters):
                self._flow((*_POINTED, k), (name, p.token))
            self._flow(("result", name), _POINTED_RESULT)
        self._spread()
        loops: dict[tuple[str, str], int] = {}
        functions: dict[str, int] = {}
        for name, function in self.program.defined.items():
            view = self.program.view(name)
            total = self._mask("context", name)
            for loop in view.forest.loops:
                mask = self._mask("context", name) | self._mask("block", name, loop.header)
                header: str | None = loop.header
                while header is not None:
                    for edge in view.loops[header].exits:
                        mask |= self._mask("block", name, edge.source)
                        for condition in _conditions(function.blocks[edge.source]):
                            mask |= self._mask(name, condition)
                    mask |= self._mask("block", name, header)
                    header = view.loops[header].parent
                loops[name, loop.header] = mask
                total |= mask
            functions[name] = total | _union(self._mask(name, r) for r in function.definitions)
        below = {n: self.program.calls.below(n) for n in self.program.defined}
        merged = {n: functions[n] | _union(functions[d] for d in below[n]) for n in functions}
        return Influences(self.names, loops, merged)

    def _mask(self, *node: Hashable) -> int:
        """The parameters that came to a node, as bits."""
        return self.masks.get(node, 0)

    def _spread(self) -> None:
        """Let every node have what flows to it."""
        masks = self.masks
        work = [node for node, mask in masks.items() if mask]
        while work:
            node = work.pop()
            mask = masks[node]
            for reached in self.flows.get(node, ()):
                if mask & ~masks[reached]:
                    masks[reached] |= mask
                    work.append(reached)

    def _flow(self, start: _Node, end: _Node) -> None:
        self.flows[start].append(end)

    def _flow_all(self, starts: Iterable[_Node], end: _Node) -> None:
        for start in starts:
            self._flow(start, end)

    def _read(self, function: Function) -> None:
        """The flows of a function: those of its branches and of its instructions."""
        self.program.allowance.go_on()
        name = function.name
        for decided, conditions in self._deciders(function).items():
            node = ("block", name, decided)
            for register in conditions:
                self._flow((name, register), node)
                where = function.block_of.get(register)
                if where is not None and where != decided:
                    self._flow(("block", name, where), node)
        for b in function.blocks.values():
            for i in b.instructions:
                operands = [(name, o) for o in i.operands if isinstance(o, Register)]
                if i.result is not None:
                    for operand in operands:
                        self.flows[operand].append((name, i.result))
                if is_any(i, *_SPECIAL):
                    self._read_special(function, b.name, i, operands)

    def _read_special(
        self, function: Function, block: str, i: Instruction, operands: Sequence[_Node]
    ) -> None:
        """The flows of an instruction but those from its operands to its result; all but those of
        phis and loads have to do with whether its block runs, too."""
        name = function.name
        result = name, i.result
        if is_phi(i):
            for label in i.labels:
                self._flow(("block", name, label), result)
                if len(function.blocks[label].terminator.labels) > 1:
                    for condition in _conditions(function.blocks[label]):
                        self._flow((name, condition), result)
        elif is_load(i):
            self._flow_from_cell(self._cell(function, i.operands[0], i.type), result)
        else:
            at = self._at(name, block)
            if i.is_call:
                self._read_call(function, i, [*operands, at], at)
            elif is_return(i):
                self._flow_all([*operands, at], ("result", name))
            else:
                address = i.operands[1 if is_store(i) else 0]
                cell = self._cell(function, address, i.type)
                self._flow_all([*operands, at], cell)
                if i.result is not None:
                    self._flow_from_cell(cell, result)

    def _at(self, name: str, block: str) -> _Node:
        """Whether a block runs: by the conditions in its function, and by the calls of that."""
        node = ("at", name, block)
        if node not in self.ats:
            self.ats.add(node)
            self._flow(("block", name, block), node)
            self._flow(("context", name), node)
        return node

    def _cell(self, function: Function, token: Operand, kind: str) -> _Node:
        """The cell that an access touches: its object's, or that of its type; bytes and unknown
        types touch all."""
        aliasing = self.program.memory.aliasing
        base, _ = aliasing.underlying_object(function, token)
        if isinstance(base, GlobalRef) and base in aliasing.private_globals:
            cell: _Node = ("object", str(base))
        elif kind == "i8" or not kind:
            cell = _ANYWHERE
        else:
            cell = ("type", kind)
        self.cells.add(cell)
        return cell

    def _flow_from_cell(self, cell: _Node, end: _Node) -> None:
        """What a load of a cell may find: what was written there, or anywhere."""
        if cell == _ANYWHERE:
            self._flow(_ALL_CELLS, end)
            return
        self._flow(cell, end)
        if cell[0] == "type":
            self._flow(_ANYWHERE, end)

    def _read_call(
        self, function: Function, i: Instruction, inputs: Sequence[_Node], at: _Node
    ) -> None:
        """The flows of a call: to what it calls and back, or into the memory that it is handed."""
        name = function.name
        called = callee(i) or ""
        target = self.program.defined.get(called)
        passed = [(k, (name, o)) for k, o in enumerate(i.operands[1:]) if isinstance(o, Register)]
        if target is not None:
            self._flow(at, ("context", called))
            for k, argument in passed:
                if k < len(target.parameters):
                    self._flow(argument, (called, target.parameters[k].token))
            if i.result is not None:
                self._flow(("result", called), (name, i.result))
            return
        if isinstance(i.operands[0], Register) and self.program.calls.pointed:
            self._flow(at, _POINTED)
            for k, argument in passed:
                self._flow(argument, (*_POINTED, k))
            if i.result is not None:
                self._flow(_POINTED_RESULT, (name, i.result))
            return
        if called.startswith(("llvm.lifetime", "llvm.dbg")):
            return
        known = declared_function(self.program.module, called)
        if i.result is not None and "ptr" in i.extra:
            # what it reads there: texts, as far as it is known
            reads_texts = known is not None and not known.calls_back
            self._flow(_ANYWHERE if reads_texts else _ALL_CELLS, (name, i.result))
        for k, (token, kind) in enumerate(zip(i.operands[1:], i.extra, strict=False)):
            written = known is None or known.writes_through(k)
            if kind == "ptr" and isinstance(token, Register) and written:
                self._flow_all(inputs, self._cell(function, token, ""))
        if (name, i.line) in self.answers:
            answer, names = self.answers[name, i.line]
            cell = self._cell(function, answer.address, answer.type)
            self.masks[cell] |= _union(self.bit.get(n, 0) for n in names)
        handed = {o.name for o in i.operands[1:] if isinstance(o, GlobalRef)}
        for f in self.program.calls.pointed & handed:
            self._flow_all(inputs, ("context", f))


def _conditions(block: Block) -> list[Register]:
    """What decides where control goes from a block."""
    t = block.terminator
    if is_any(t, "invoke", "ret", "resume"):
        return []
    return [o for o in t.operands if isinstance(o, Register)]


def _union(masks: Iterable[int]) -> int:
    total = 0
    for m in masks:
        total |= m
    return total
