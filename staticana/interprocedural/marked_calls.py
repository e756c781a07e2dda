"""Bounds of recursions that mark what they have seen: depth-first search, flood fill.

The cells of an array that are not marked yet are a potential, as in loops over worklists
(`scev.nests.marks`): where an activation never takes a mark back, all activations that one call
from outside causes set each mark once. So they pay for as many calls as there are cells, where each
call is made behind a mark that is set for it, or for a cell that the call marks before all else;
and where calls are only made by activations that have set a mark, for as many as one activation
makes (Tarjan, "Amortized computational complexity", 1985; Cormen et al., Introduction to
Algorithms, section 22.3).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property

from ..alias.call_graph import Site
from ..expr import ZERO, Assumptions, Expr, Number, TooComplex
from ..expr.budget import OverBudget, apart
from ..ir.matchers import is_any, is_load
from ..ir.types import GlobalRef, Instruction, Operand, Register, int_bits
from ..ranking.linear import Linear, name_
from ..ranking.polyhedra import TooMuch, effort
from ..scev.bounded_count import NOTHING, ONCE, BoundedCount, unknown
from ..scev.context import FunctionContext, ProgramContext
from ..scev.nest_cells import Cell
from ..scev.nest_transitions import Reader
from ..scev.nests.array_cells import Access, Place
from ..scev.nests.marks import Marks, Move
from ..scev.nests.values import NotLinear, Path
from .any_activation import most_in_any, moving
from .call_substitution import is_steady
from .self_calls import Recursion, SelfCall, changing, preconditions_of

_STEPS = 400_000
"""Steps of proofs for one function: as many as for a nest by marks."""
INSIDE_NOTE = "accesses of {} stay inside their objects"


@dataclass(frozen=True)
class Marked:
    """What marks pay for, in all activations that one call from outside causes. cells: the marks
    that are set at most. per_mark: calls that each pays for. behind: the blocks that activations
    only run once they have set a mark; None where there may be one more of these than cells."""

    cells: Expr
    per_mark: BoundedCount
    needs: frozenset[Expr]
    behind: frozenset[str] | None


def by_marks(
    program: ProgramContext,
    view: FunctionContext,
    calls: tuple[SelfCall, ...],
    paths: Sequence[Sequence[Site]],
    reason: str,
) -> Recursion | None:
    """The bound for a function that calls itself directly and marks what it has seen."""
    if any(len(path) != 1 for path in paths) or program.strict or not calls:
        return None
    name, varied = view.function.name, changing(calls)
    if program.entry and name not in program.calls.reachable:
        return None  # what its callees are handed is of others
    marked = _marked(view, calls, paths)
    if marked is None:
        return None
    most = marked.per_mark.upper
    if most is None:
        return None
    runs = marked.cells * most + 1
    is_all_behind = marked.behind is not None and _has_loops_only(program, view, marked.behind)
    source_name = program.module.metadata_field(view.function.dbg, "name") or name
    needs = marked.needs | marked.per_mark.preconditions
    notes = marked.per_mark.notes | {INSIDE_NOTE.format(source_name)}

    def of_any(q: BoundedCount) -> BoundedCount:
        if q.upper == ZERO:
            return q
        upper = None if q.upper is None else most_in_any(view, q.upper, varied, paths)
        lower = ZERO if moving(view, q.lower, varied, paths) else q.lower
        return replace(q, formula=None, lower=lower, upper=upper, reason=q.reason or reason)

    def total(q: BoundedCount, times: Expr) -> BoundedCount:
        if q.upper == ZERO:
            return q
        more = preconditions_of(name, q, calls, Assumptions())
        if isinstance(more, str):
            return unknown(more)
        upper: Expr | None = None
        with suppress(TooComplex):
            upper = None if q.upper is None else times * q.upper
        return BoundedCount(None, q.lower, upper, more | needs, q.notes | notes, q.reason)

    return Recursion(
        lambda q: total(q, marked.cells if is_all_behind else runs),
        lambda q: total(q, runs),
        of_any,
    )


def _marked(
    view: FunctionContext, calls: Sequence[SelfCall], paths: Sequence[Sequence[Site]]
) -> Marked | None:
    allowance = view.program.allowance
    found = None
    steps = min(_STEPS, allowance.proofs_of_marks)
    with suppress(NotLinear, TooComplex, OverBudget, TooMuch), apart(), effort(steps) as e:
        found = _SelfMarks(view, calls, paths).found()
    allowance.proofs_of_marks -= e.spent
    return found


def _has_loops_only(program: ProgramContext, view: FunctionContext, behind: frozenset[str]) -> bool:
    """Do all loops of a function, and of what else it calls, run in these blocks?"""
    name = view.function.name
    if not view.loops.keys() <= behind:
        return False
    for s in program.calls.sites_in.get(name, ()):
        if s.callee != name and s.block in view.reachable and s.block not in behind:
            if any(program.view(f).loops for f in (s.callee, *program.calls.below(s.callee))):
                return False
    return True


class _SelfMarks(Reader):
    """Reads the marks of all activations of a function that calls itself."""

    def __init__(
        self, view: FunctionContext, calls: Sequence[SelfCall], paths: Sequence[Sequence[Site]]
    ) -> None:
        super().__init__(view, None, with_largest=True, with_marks=True)
        self._calls = [path[0].instruction for path in paths]
        self._sites, self._varied = paths, changing(calls)
        self._known = Assumptions()  # what is known of the first activation is of no other one

    def _is_in_loop(self, i: Instruction) -> bool:
        return True  # which all activations are

    # -- what differs between activations
    def _changes(self, e: Expr) -> bool:
        return super()._changes(e) or not e.symbols.isdisjoint(self._varied)

    def _moves(self, token: Operand) -> bool:
        """Is a register set in a loop of the nest, or another number in another activation?"""
        value = self.view.scalars.value(token)
        differs = moving(self.view, value.expr, self._varied, self._sites)
        return super()._moves(token) or bool(value.preconditions) or bool(differs)

    def _is_given(self, i: Instruction) -> bool:
        value = self.view.scalars.value(i.token)
        return super()._is_given(i) and value.expr.symbols.isdisjoint(self._varied)

    def _found(self, path: Path, token: Register, unsigned: bool) -> Linear:
        bits = int_bits(self._type(token))
        is_same = self.view.scalars.value(token).expr.symbols.isdisjoint(self._varied)
        if self.parameter(token) is None or bits is None or is_same:
            return super()._found(path, token, unsigned)
        own = self._is_unsigned(token) or bits == 1
        self._ranged(str(token), bits, own)
        form = name_(str(token))
        return form if own == unsigned else self._read_as(path, form, unsigned, bits, token)

    def _uncomputed(self, path: Path, i: Instruction, unsigned: bool, bits: int) -> Linear:
        return self._steady(i, unsigned) or self._read(path, i, unsigned, bits)

    def _cell(self, load: Instruction) -> Cell | None:
        return None  # each activation finds another value there

    def found(self) -> Marked | None:
        """
        Raises:
            NotLinear: the function is too large.
        """
        ways = [(path, target) for path, target, _ in self.ways()]
        for place, accesses, asked in self._marked():
            if not self._is_shared(place, accesses):
                continue
            first = self._number_of_cells(place, accesses)
            changes = self._changing_cells(accesses.values())
            if not first.expr.symbols.isdisjoint(self._varied):
                continue
            if changes is None or not changes <= {*accesses, *self._calls}:
                continue
            for q, holds in ((q, h) for q in asked for h in (True, False)):
                marks = Marks(
                    "@marks",
                    "i64",
                    True,
                    frozenset(),
                    changes | {*self._calls},
                    first,
                    accesses,
                    q,
                    holds,
                )
                made = _Ways(self, marks, ways)
                found = made.found()
                needs = first.preconditions | self.needs
                if found is None or not self._is_for_all(needs):
                    continue
                per_mark, behind = found
                return Marked(first.expr, per_mark, frozenset(needs), behind)
        return None

    def _is_for_all(self, formulas: Collection[Expr]) -> bool:
        """Are these the same in all activations?"""
        return all(
            e.symbols.isdisjoint(self._varied) and is_steady(self.view.program, self._sites, e)
            for e in formulas
        )

    def _is_shared(self, place: Place, accesses: Mapping[Instruction, Access]) -> bool:
        """Have all activations the same cells: of a global variable, or found by a pointer that
        they hand on?"""
        return place.root.symbols.isdisjoint(self._varied) and all(
            self._is_handed_on(a.address) and self._is_found_by_same(a.address, accesses)
            for a in accesses.values()
        )

    def _is_found_by_same(self, address: Operand, accesses: Mapping[Instruction, Access]) -> bool:
        """Does nothing but the calls write to what an address is found by: so they do not either?
        What is an element of a container is no part of what it is found by."""
        memory = self.view.program.memory
        spared = {*self._calls, *(i for i, a in accesses.items() if self._is_element(a.address))}
        return not any(
            memory.may_change_at_any_time(place)
            or not memory.changing(self.view, place, self.blocks) <= spared
            for place in self._containers(address)
        )

    def _is_element(self, address: Operand) -> bool:
        """Is it of an element that a member function of a container hands out, or in one?"""
        i = self.function.definitions.get(address)
        while is_any(i, "getelementptr", "freeze"):
            i = self.function.definitions.get(i.operands[0])
        return i is not None and i.is_call

    def _is_handed_on(self, address: Operand) -> bool:
        while (i := self.function.definitions.get(address)) is not None:
            if i.is_call and len(i.operands) > 1:
                address = i.operands[1]
            elif is_any(i, "load", "getelementptr", "freeze"):
                address = i.operands[0]
            else:
                return False
        at = self.parameter(address)
        if at is None:
            return isinstance(address, GlobalRef)
        return all(self._is_equal(c.operands[at + 1], address) for c in self._calls)

    def _is_equal(self, one: Operand, other: Operand) -> bool:
        if one == other:
            return True
        x, y = self.view.scalars.value(one), self.view.scalars.value(other)
        return x == y and not x.preconditions

    def parameter(self, token: Operand) -> int | None:
        """Which one of the function's parameters it is."""
        tokens = enumerate(p.token for p in self.function.parameters)
        return next((k for k, own in tokens if own == token), None)

    def _held_parameter(self, token: Operand) -> int | None:
        """Which one of the function's parameters a register holds: itself, or kept in a variable
        of its own."""
        own = self.parameter(token)
        if own is not None or not isinstance(token, Register):
            return own
        value = self.view.scalars.value(token)
        for k, p in enumerate(self.function.parameters):
            given = self.view.scalars.value(p.token)
            if p.type == self._type(token) and given == value and not value.preconditions:
                return k if self._varied & value.expr.symbols else None
        return None

    def is_call(self, i: Instruction) -> bool:
        """Is it a call of the function itself?"""
        return any(i is c for c in self._calls)

    def is_passed(self, path: Path, here: Operand, there: Operand, call: Instruction) -> bool:
        """Is a register of a path what another one is in the activation that a call makes?"""
        at = self._held_parameter(there)
        if at is not None:
            return self._is_same(path, here, call.operands[at + 1])
        if not isinstance(there, Register):
            return here == there
        a, b = self.function.definitions.get(here), self.function.definitions.get(there)
        if a is None or b is None or a.type != b.type or a.opcode != b.opcode:
            return False
        is_step = self._stays(b) if is_load(a) else self._is_same_step(a, b)
        return is_step and all(
            self.is_passed(path, x, y, call) for x, y in zip(a.operands, b.operands, strict=True)
        )

    def _stays(self, load: Instruction) -> bool:
        """Does nothing in the function write to where a load reads?"""
        memory = self.view.program.memory
        place = memory.aliasing.location(self.function, load.operands[0], load.type, load.tbaa)
        return not memory.may_change_at_any_time(place) and not memory.changing(
            self.view, place, self.blocks
        )

    def calls_of_one(self) -> BoundedCount | None:
        """How many calls one activation makes at most, by the largest values in a run."""
        total = NOTHING
        for path in self._sites:
            found = [q for q in map(self._most_of, self._runs_of(path[0].block)) if q is not None]
            if not found:
                return None
            numbers = [q for q in found if q.upper is not None and q.upper.constant is not None]
            total = total.plus(min(numbers, key=_constant, default=found[0]))
        return total

    def _runs_of(self, block: str) -> Iterator[BoundedCount]:
        """Bounds of how often an activation runs a block."""
        header = self.view.forest.innermost.get(block)
        if header is None:
            yield ONCE
            return
        yield self.view.executions.of(block)
        within = ONCE
        while header is not None:  # an iteration in which a loop is left may come to it, too
            each = self.view.trip_counts.iterations(header)
            within = within.times(each if self._is_behind_test(block, header) else each.plus(ONCE))
            header = self.view.loops[header].parent
        yield within

    def _is_behind_test(self, block: str, header: str) -> bool:
        """Is a block only run in iterations that have begun?"""
        loop = self.view.loops[header]
        return block != header and [e.source for e in loop.exits if e.is_test] == [header]

    def _most_of(self, q: BoundedCount) -> BoundedCount | None:
        upper = (
            None if q.upper is None else most_in_any(self.view, q.upper, self._varied, self._sites)
        )
        if upper is None or not self._is_for_all((upper, *q.preconditions)):
            return None
        return BoundedCount(None, ZERO, upper, q.preconditions, q.notes)

    def changes_of(
        self, path: Path, marks: Marks
    ) -> Iterator[tuple[Instruction, Move, Sequence[Access]]]:
        """What a path does to marks."""
        return self._changes_of(path, marks)

    def is_marked(self, path: Path, marks: Marks, access: Access) -> bool | None:
        """Does a cell hold what is asked for?"""
        return self._is_marked(path, marks, access)


def _constant(q: BoundedCount) -> Number:
    number = None if q.upper is None else q.upper.constant
    assert number is not None
    return number


@dataclass(frozen=True)
class _Step:
    """A mark that is set, or a call (`call`): of a cell that has none yet (`is_paid`)."""

    block: str
    call: Instruction | None
    is_paid: bool = False


class _Ways:
    """The ways through a function, and what they do to one kind of marks."""

    def __init__(
        self, reader: _SelfMarks, marks: Marks, ways: Sequence[tuple[Path, str | None]]
    ) -> None:
        self._reader, self._marks, self._ways = reader, marks, ways

    def found(self) -> tuple[BoundedCount, frozenset[str] | None] | None:
        """How many calls each mark pays for, and the blocks that are only run behind one."""
        steps = self._steps
        if steps is None:
            return None
        made = [s for way in steps for s in way if s.call is not None]
        if all(s.is_paid for s in made) or self._has_paid_before():
            return ONCE, None
        behind = self._behind()
        if not all(s.block in behind for s in made):
            return None
        each = self._reader.calls_of_one()
        return None if each is None else (each, behind)

    @cached_property
    def _first(self) -> list[Access]:
        """The cells that activations mark before all else, on each way that they begin."""
        found: list[Access] | None = None
        for path, _ in self._ways:
            if path.blocks[0] != self._reader.root:
                continue
            own: list[Access] = []
            for i, _, _ in self._reader.changes_of(path, self._marks):
                access = self._marks.accesses.get(i)
                if access is None:
                    break
                if self._reader.is_marked(path, self._marks, access) is False:
                    own.append(access)
            found = own if found is None else [a for a in found if a in own]
        return found or []

    @cached_property
    def _steps(self) -> list[list[_Step]] | None:
        """The steps of each way; None where a mark may be taken back."""
        found: list[list[_Step]] = []
        for path, _ in self._ways:
            own: list[_Step] = []
            for i, move, known in self._reader.changes_of(path, self._marks):
                block = next(
                    b for b in path.blocks if i in self._reader.function.blocks[b].instructions
                )
                if self._reader.is_call(i):
                    own.append(_Step(block, i, self._is_paid(path, i, known)))
                elif move is Move.FEWER:
                    own.append(_Step(block, None))
                elif move is not Move.SAME:
                    return None
            found.append(own)
        return found

    def _is_paid(self, path: Path, call: Instruction, known: Sequence[Access]) -> bool:
        """Does a call mark a cell first that has no mark yet where it is made?"""
        return any(
            self._reader.is_marked(path, self._marks, k)
            and self._reader.is_passed(path, k.address, cell.address, call)
            for cell in self._first
            for k in known
        )

    def _has_paid_before(self) -> bool:
        """Is a mark set before each call that pays for no other one?"""
        assert self._steps is not None
        paid = dict.fromkeys(self._reader.headers, True) | {self._reader.root: False}
        changed = True
        while changed:
            changed = False
            for (path, target), steps in zip(self._ways, self._steps, strict=True):
                left = paid[path.blocks[0]]
                for s in steps:
                    if s.call is not None and not left:
                        return False
                    left = s.call is None
                if target is not None and paid[target] and not left:
                    paid[target] = False
                    changed = True
        return True

    def _behind(self) -> frozenset[str]:
        """The blocks that activations only run once they have set a mark."""
        assert self._steps is not None
        seen = dict.fromkeys(self._reader.headers, True) | {self._reader.root: False}
        before: set[str] = set()
        changed = True
        while changed:
            changed = False
            for (path, target), steps in zip(self._ways, self._steps, strict=True):
                left = seen[path.blocks[0]]
                marking = {s.block for s in steps if s.call is None}
                for b in path.blocks[:-1]:
                    if not left:
                        before.add(b)
                    left |= b in marking
                if target is not None and seen[target] and not left:
                    seen[target] = False
                    changed = True
        headers = {h for h, is_seen in seen.items() if not is_seen}
        return frozenset(self._reader.blocks - before - headers)
