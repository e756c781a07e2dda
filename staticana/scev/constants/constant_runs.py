"""Loops that constants decide, counted by running them (`interpreter`).

A loop is run from its entry, with what is known there; a function from its own entry, which knows
what stands in its local variables, too. A nest whose outer loop has a formula is run as often as
its state takes to come back, where nothing but the state decides what is counted.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cached_property

from looplaw_common.digraph import Digraph, dominators

from ...expr import ZERO, Expr, TooComplex, expr, floor_div, maximum, step, sym, symbols
from ...interpreter.numbers import Address, Value, literal
from ...interpreter.objects import Objects
from ...interpreter.run import Counts, Edge, Run, Stopped
from ...ir.data_layout import Layout
from ...ir.graph import callee, closure, instructions
from ...ir.integers import signed
from ...ir.loop_info import TEAM_LOOP, Loop
from ...ir.matchers import is_any, is_invoke, is_phi
from ...ir.types import (
    Constant,
    Function,
    Global,
    GlobalRef,
    Instruction,
    IntLiteral,
    Operand,
    Register,
    int_bits,
)
from ..bounded_count import BoundedCount, exactly
from ..context import FunctionContext
from ..loop_solution import Limit, LoopSolution

_STEPS = 400_000
"""Instructions of one run."""
_IDLE = 4_000
"""The same of a loop that a run does not come to."""
_LONGEST = 4096
"""Iterations after which a state must have come back."""
_MOST_PARTS = 12
"""Iterations of one period in which a block is run."""
_END = ""
"""Stands for the end of a function, where all ways meet."""


class ConstantRuns:
    """The runs of one function and of its loops, each made once."""

    def __init__(self, view: FunctionContext) -> None:
        self.view = view
        self._loops: dict[str, tuple[Counts, Edge] | None] = {}
        self._world = _World(view)

    # -- one entry of a loop
    def solved(self, solution: LoopSolution) -> LoopSolution | None:
        """The solution of a loop that runs equally often whenever it is entered."""
        header = solution.header
        loop = self.view.loops[header]
        ran = self._ran(loop)
        if ran is None:
            return None
        counts, left = ran
        taken = next(
            (e for e in loop.exits if (e.source, e.target) == (left.source, left.target)), None
        )
        if taken is None:
            return None
        visits = counts.blocks[header]
        limits = tuple(
            Limit(x.edge, expr(visits - 1 if x.edge == taken else visits)) for x in solution.limits
        )
        if all(x.edge != taken for x in limits):
            return None
        notes = solution.iterations.notes | self._notes(counts)
        iterations = exactly(expr(visits - taken.is_test), notes=notes)
        return replace(solution, iterations=iterations, limits=limits)

    def _ran(self, loop: Loop) -> tuple[Counts, Edge] | None:
        if loop.header not in self._loops:
            self._loops[loop.header] = None  # for questions that come back
            if self._is_left_out:
                return None
            run = self._new_run(loop)
            start = self._start(loop)
            try:
                edge = run.loop(self.view.function, loop.header, loop.blocks, start)
            except (Stopped, TooComplex):
                edge = Edge("", None)
            self._spend_on(loop, run)
            if edge.source and loop.header not in run.counts.unsure:
                self._loops[loop.header] = run.counts, edge
        return self._loops[loop.header]

    def at_most(self, header: str) -> BoundedCount | None:
        """The most iterations of a loop that constants end if data have not ended it before."""
        if self._is_left_out:
            return None
        loop = self.view.loops[header]
        exits = [e for e in loop.exits if not e.is_unwind]
        tests = self._tests(loop)
        repetition = _Repetition([phi.token for phi in self.view.function.blocks[header].phis])

        def entered(name: str, registers: dict[str, Value]) -> None:
            visits = run.counts.blocks[header]
            if name != header or visits <= 2:
                return
            is_undecided = all(registers.get(t) is None for t in tests)
            if is_undecided or repetition.is_seen(visits, registers, run.objects):
                raise Stopped

        run = self._new_run(loop, entered)
        try:
            left = run.loop(self.view.function, header, loop.blocks, self._start(loop), stays=True)
        except (Stopped, TooComplex):
            return None
        finally:
            self._spend_on(loop, run)
        taken = next((e for e in exits if (e.source, e.target) == (left.source, left.target)), None)
        if taken is None or header in run.counts.unsure:
            return None
        is_first = taken.is_test and all(
            e.is_test or self.view.forest.dominates(taken.source, e.source) for e in exits
        )
        visits = run.counts.blocks[header]
        return exactly(expr(visits - is_first), notes=self._notes(run.counts))

    def _new_run(
        self, loop: Loop, entered: Callable[[str, dict[str, Value]], None] | None = None
    ) -> Run:
        """A run for one entry of a loop; of a loop that the program never enters only a few steps,
        since without its real input it may never end."""
        is_idle = self.view.paths.is_never_run(loop.header)
        most = min(self._steps, _IDLE if is_idle else _STEPS)
        return Run(self._world, most, self._outer, entered)

    def _spend_on(self, loop: Loop, run: Run) -> None:
        if not self.view.paths.is_never_run(loop.header):
            self._spend(run)

    def _tests(self, loop: Loop) -> list[Register]:
        """The comparisons of a loop that its exits rest on."""
        function = self.view.function
        inside = [b for b in loop.blocks if self.view.forest.innermost[b] == loop.header]
        ends = {b: function.blocks[b].terminator for b in inside}

        def made_of(token: Register) -> Iterator[Register]:
            i = function.definitions.get(token)
            if i is None or function.block_of[token] not in ends or is_any(i, "load", "call"):
                return
            branches = [ends[b] for b in i.labels if b in ends] if is_phi(i) else []
            operands = [o for j in (i, *branches) for o in j.operands]
            yield from (o for o in operands if isinstance(o, Register))

        conditions = (o for e in loop.exits if e.source in ends for o in ends[e.source].operands)
        found = closure((o for o in conditions if isinstance(o, Register)), made_of)
        compared = ((t, function.definitions.get(t)) for t in found)
        return [t for t, i in compared if i is not None and is_any(i, "icmp", "fcmp")]

    def _start(self, loop: Loop) -> dict[str, Value]:
        """The values of a loop's variables when it is entered."""
        found: dict[str, Value] = {}
        for phi in self.view.function.blocks[loop.header].phis:
            values = {
                self._world.value(o, phi.type)
                for o, label in zip(phi.operands, phi.labels, strict=True)
                if label not in loop.blocks
            }
            found[phi.token] = values.pop() if len(values) == 1 else None
        return found

    # -- one call of the function
    def executions(self, block: str) -> BoundedCount | None:
        """Executions of a block in each call of the function, where constants decide them."""
        counts = self._call
        if counts is None or block in counts.unsure:
            return None
        return exactly(expr(counts.blocks[block]), notes=self._notes(counts))

    def iterations(self, header: str) -> BoundedCount | None:
        """Iterations of a loop in each call of the function."""
        counts = self._call
        if counts is None or header in counts.unsure:
            return None
        tests = (e for e in self.view.loops[header].exits if e.is_test)
        ended = sum(counts.edges[Edge(e.source, e.target)] for e in tests)
        return exactly(expr(counts.blocks[header] - ended), notes=self._notes(counts))

    @cached_property
    def _call(self) -> Counts | None:
        """What a call of the function runs."""
        if self._is_left_out:
            return None
        run = Run(self._world, self._steps, self._outer)
        try:
            run.function(self.view.function)
        except (Stopped, TooComplex):
            return None
        finally:
            self._spend(run)
        return run.counts

    # -- loops whose state comes back
    def periodic(self, header: str, block: str, runs: BoundedCount) -> BoundedCount | None:
        """Executions of a block of a loop's own in `runs` iterations, where a state that comes
        back decides in which."""
        inner = self.view.loops.get(block) if block != header else None
        if inner is not None:  # its head is run again by its latch
            if inner.preheader is None or self.view.forest.innermost[inner.preheader] != header:
                return None
            block = inner.preheader
        number = runs.formula
        state = self._state(header, block) if number is not None and runs.reason is None else None
        if not state or number is None or any(self._only_steps(header, s) for s in state):
            return None
        found = self._cycle(header, block, state)
        if found is None:
            return None
        before, period, hits = found
        total = ZERO
        for k in hits:
            if k < before:
                total = total + step(number - k - 1)
            else:
                total = total + floor_div(maximum(0, number + (period - 1 - k)), expr(period))
        return exactly(total, runs.preconditions, runs.notes)

    def _only_steps(self, header: str, variable: str) -> bool:
        """Is the same number added to a variable in each iteration, so that no value of it comes
        back for long?"""
        function, loop = self.view.function, self.view.loops[header]
        phi = function.definitions[Register(variable)]
        inside = [o for o, b in zip(phi.operands, phi.labels, strict=True) if b in loop.blocks]
        changes = [function.definitions.get(o) for o in inside]
        return bool(changes) and all(
            i is not None
            and i.opcode == "add"
            and phi.token in i.operands
            and any(isinstance(o, IntLiteral) and o.value for o in i.operands)
            and (int_bits(i.type) or 0) > _LONGEST.bit_length()
            for i in changes
        )

    def _cycle(
        self, header: str, block: str, state: Collection[str]
    ) -> tuple[int, int, list[int]] | None:
        """(iterations before the period, its length, the iterations until its end in which the
        block is run)."""
        loop = self.view.loops[header]
        seen: dict[tuple[Value, ...], int] = {}
        hits: list[int] = []
        found: list[tuple[int, int]] = []

        def entered(name: str, registers: dict[str, Value]) -> None:
            if name == block:
                hits.append(len(seen) - 1)
                if len(hits) > _MOST_PARTS:  # too many to tell one by one
                    raise Stopped
            if name != header:
                return
            now = tuple(registers.get(s) for s in state)
            if now in seen:
                found.append((seen[now], len(seen) - seen[now]))
            if None in now or now in seen or len(seen) > _LONGEST:
                raise Stopped
            seen[now] = len(seen)

        run = Run(self._world, self._steps, self._outer, entered)
        with suppress(Stopped, TooComplex):
            run.loop(self.view.function, header, loop.blocks, self._start(loop), stays=True)
        self._spend(run)
        if not found or block in run.counts.unsure or len(hits) > _MOST_PARTS:
            return None
        return (*found[0], hits)

    def _state(self, header: str, block: str) -> list[str] | None:
        """The variables of a loop that decide whether an iteration comes to a block; None where
        anything else does."""
        view = self.view
        function, loop = view.function, view.loops[header]
        phis = {p.token for p in function.blocks[header].phis}
        exits = {e.source for e in loop.exits}
        seen: set[str] = set()
        inner = [c for c in view.forest.loops if c.parent == header]
        if any(len({e.target for e in c.exits}) > 1 for c in inner):
            return None
        own = {b for b in loop.blocks if view.forest.innermost[b] == header}
        branches = {b for b in own if len(set(function.blocks[b].successors)) > 1} - exits
        work: list[str] = self._deciding(header, block, branches)
        while work:
            token = work.pop()
            i = function.definitions.get(token)
            if token in seen or i is None or function.block_of[token] not in loop.blocks:
                continue
            seen.add(token)
            if i.may_write or is_any(i, "load", "alloca", "landingpad"):
                return None
            work += [str(o) for o in i.operands if isinstance(o, Register)]
            if is_phi(i) and token not in phis:
                if view.forest.innermost[function.block_of[token]] != header:
                    return None
                work += self._deciding(header, function.block_of[token], branches)
        return sorted(seen & phis)

    def _deciding(self, header: str, block: str, branches: Collection[str]) -> list[str]:
        """The conditions of the branches between the head of a loop and a block of it."""
        view = self.view
        function, loop = view.function, view.loops[header]
        above = closure(
            [block],
            lambda b: (
                p
                for p in function.predecessors[b]
                if b != header and p in loop.blocks and not view.forest.dominates(b, p)
            ),
        )
        lasts = (function.blocks[b].terminator for b in above - {block} if b in branches)
        return [str(i.operands[0]) for i in lasts if isinstance(i.operands[0], Register)]

    # -- parts
    @cached_property
    def _is_left_out(self) -> bool:
        """Do threads of a team share loops of the function, for all of which thread 0 stands, or
        does it catch exceptions?"""
        loops = self.view.forest.loops
        is_shared = any(c.is_shared or c.header.startswith(TEAM_LOOP) for c in loops)
        return is_shared or _catches(self.view.function)

    @property
    def _steps(self) -> int:
        return min(_STEPS, self.view.program.allowance.runs)

    def _spend(self, run: Run) -> None:
        self.view.program.allowance.runs -= self._steps - max(0, run.left)

    def _notes(self, counts: Counts) -> frozenset[str]:
        function = self.view.function
        places = (self.view.place(function.blocks[b].terminator) for b in counts.passed)
        return frozenset(f"no error exit at {p}" for p in places)

    def _outer(self, token: Register, kind: str) -> Value:
        return self._world.value(token, kind)


class _Repetition:
    """Does the state at the head of a loop come again, and so for ever? Asked after 4, 8, 16, ...
    iterations, in which what memory holds is copied."""

    def __init__(self, variables: Sequence[Register]) -> None:
        self._variables = variables
        self._before: tuple[object, ...] = ()

    def is_seen(self, visits: int, registers: Mapping[str, Value], objects: Objects) -> bool:
        """Is it the state of the visit before?"""
        is_next = (visits - 1) & (visits - 2) == 0
        if not is_next and visits & (visits - 1):
            return False
        state = (objects.held(), *(registers.get(v) for v in self._variables))
        found = is_next and state == self._before
        self._before = state
        return found


class _World:
    """The program around, as runs of one function ask for it."""

    def __init__(self, view: FunctionContext) -> None:
        self._view = view
        self._meetings: dict[str, dict[str, str]] = {}

    @property
    def layout(self) -> Layout:
        return self._view.program.layout

    def constant(self, name: str) -> Global | None:
        return self._view.program.memory.initial(name)

    def target(self, function: Function, call: Instruction) -> Function | None:
        if callee(call) is None:  # an object of the library may have a function of its own there
            return None
        found = self._view.program.target(function.name, call)
        return None if found is None or _catches(found) else found

    def is_defined(self, name: str) -> bool:
        return name in self._view.program.defined

    def ways(self, function: Function, block: str) -> Collection[str]:
        last = function.blocks[block].terminator
        labels = last.labels[:1] if is_invoke(last) else last.labels
        found = dict.fromkeys(labels)
        if len(found) > 1 and function is self._view.function:
            dead = self._view.program.view(function.name).paths.dead
            living = [s for s in found if s not in dead]
            return living or list(found)
        return list(found)

    def meeting(self, function: Function, block: str) -> str | None:
        if function.name not in self._meetings:
            graph: Digraph[str] = Digraph([_END])
            for name in function.blocks:
                ways = self.ways(function, name)
                last = function.blocks[name].terminator
                graph.add_edges((w, name) for w in ways)
                if is_any(last, "ret", "resume"):
                    graph.add_edge(_END, name)
            self._meetings[function.name] = dominators(graph, _END)
        return self._meetings[function.name].get(block) or None

    def value(self, token: Operand, kind: str) -> Value:
        """What is known of a value outside of what is run: a whole number, or the address of a
        global. The number of words of the command line is not: options may follow those that are
        read always."""
        view = self._view
        if view.program.is_assumed_argc(view.function, token):
            return None
        if isinstance(token, Constant) and not isinstance(token, GlobalRef) and kind != "ptr":
            return literal(token, kind)
        if kind in ("float", "double"):
            found = view.floats.exact(token)
            number = None if found is None or found.preconditions else found.expr.constant
            return None if number is None else float(number)
        if kind != "ptr" and int_bits(kind) is None:
            return None
        value = view.scalars.value(token)
        return None if value.preconditions else _known(value.expr, kind)


def _catches(function: Function) -> bool:
    """Does a function go on behind exceptions?"""
    if "personality" not in function.header:
        return False
    return any(is_any(i, "landingpad") and i.extra for i in instructions(function))


def _known(e: Expr, kind: str) -> Value:
    number, width = e.constant, int_bits(kind)
    if isinstance(number, int):
        fits = width is not None and -(1 << width) <= 2 * number < 2 << width
        return signed(number, width) if fits and width else number if kind == "ptr" else None
    names = [s for s in e.symbols if symbols.global_name(s) is not None]
    if kind != "ptr" or len(names) != 1 or len(e.symbols) != 1:
        return None
    offset = (e - sym(names[0])).constant
    return Address(names[0], offset) if isinstance(offset, int) else None
