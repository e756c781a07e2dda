"""Reads the transitions of a nest of loops from its instructions: its paths, and the states at its
headers. Selections and comparisons that hold in two ways make two paths of one (control-flow
refinement).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ..alias.library import Control, library_function
from ..expr.budget import check_values
from ..ir.graph import callee
from ..ir.types import Instruction, IntLiteral, Register, int_bits
from ..ranking.linear import Linear, name_, names_of
from ..ranking.polyhedra import is_empty, spend, without_implied
from ..ranking.transitions import OPEN, PARAMETER, Transition, TransitionSystem
from .nests.marks import NestMarks
from .nests.values import Choice, Impossible, NotLinear, Path

_STEPS_OF_A_PATH = 2_000
"""What a path takes, in the steps of proofs."""
_STEPS_OF_A_STEP = 200
"""What a block of a path takes, in the same."""
_END = ""
"""Where a path leads to that ends the function."""
_MOST_PATHS = 96
"""Transitions of a system."""
_MOST_BLOCKS = 240
"""Blocks of a nest."""
_MOST_CHOICES = 8
"""Cases that a path tells apart on its way."""


class Reader(NestMarks):
    """Reads the transitions of the nest around one header."""

    def system(self) -> TransitionSystem:
        """
        Raises:
            NotLinear: the nest is too large or has no single entry.
        """
        found = self.ways()
        if self.with_marks:
            self.find_marks([path for path, _, _ in found])
        state = self._state(found)
        transitions = []
        for path, target, starts in found:
            made = self._transition(path, target, starts, state)
            if made is not None and made not in transitions:
                transitions.append(made)
            if len(transitions) > _MOST_PATHS:
                raise NotLinear
        first = self._first(state[self.root])
        needs = [self._form(e) for e in sorted(self.needs, key=str)]
        ranges = [r for p in self.values for r in self._range_facts(p, narrow=False)]
        ranges += [r for p in tuple(self.values) for r in self._square_facts(p)]
        parents = {h: self.view.loops[h].parent for h in self.headers}
        if self.root in parents:
            parents[self.root] = None
        return TransitionSystem(
            self.root,
            parents,
            tuple(transitions),
            state,
            first,
            without_implied((*self._known_facts, *needs, *ranges)),
            self.values,
            frozenset(self.needs),
            {n: r for n, r in self.ranges.items() if not n.startswith(OPEN)},
        )

    # -- paths
    def ways(self) -> list[tuple[Path, str | None, bool]]:
        """All paths from headers to the next ones, or to the end.

        Raises:
            NotLinear: the nest is too large or has no single entry.
        """
        if len(self.blocks) > _MOST_BLOCKS or self.view.forest.irreducible:
            raise NotLinear
        if any(self.view.loops[h].is_shared for h in self.headers):
            raise NotLinear
        library = (library_function(callee(i) or "") for i in self.function.calls)
        if any(f is not None and f.control is Control.TWICE for f in library):
            raise NotLinear  # a jump back begins loops anew
        return [p for h in sorted({self.root, *self.headers}) for p in self._paths(h)]

    def _paths(self, header: str) -> list[tuple[Path, str | None, bool]]:
        """The paths from a header to the next ones, each with what it is known by. What begins
        alike is read once."""
        found: list[tuple[Path, str | None, bool]] = []
        work: list[list[Path]] = [[Path((header,), {})]]
        while work:
            ways = work.pop()
            check_values()
            source = ways[0].blocks[-1]
            for target in dict.fromkeys(self.function.blocks[source].successors or (_END,)):
                further = [w for way in ways for w in self._refined(way, target)]
                if target in self.blocks and target not in self.headers:
                    work += [further] if further else []
                    continue
                end = target if target in self.blocks else None
                spend(_STEPS_OF_A_PATH * len(further))
                taken = (w for w in further if not is_empty(self._facts(w)))
                found += [(w, end, self._starts(w)) for w in taken]
                if len(found) > _MOST_PATHS:
                    raise NotLinear
        return found

    def _refined(self, before: Path, target: str) -> Iterator[Path]:
        """The ways in which control goes on from a path to a block."""
        work = [before.choices]
        while work:
            path = before.onto(target, work.pop())
            spend(_STEPS_OF_A_STEP)
            try:
                self._pass(path, before.blocks[-1], target)
            except Choice as choice:
                if len(path.choices) >= _MOST_CHOICES:
                    raise NotLinear from None
                work += [{**path.choices, choice.key: holds} for holds in (True, False)]
            except Impossible:
                continue
            else:
                yield path

    def _starts(self, path: Path) -> bool:
        """Does an iteration of the loop begin, rather than end by its own test?"""
        loop = self.view.loops.get(path.blocks[0])
        if loop is None:
            return False
        for source, target in zip(path.blocks, path.blocks[1:], strict=False):
            if target not in loop.blocks:
                return not any(
                    e.source == source and e.target == target and e.is_test for e in loop.exits
                )
        return True

    def _pass(self, path: Path, source: str, target: str) -> None:
        """Collect what holds on a path by its last branch, and what a header is handed there."""
        if self.with_objects:
            self._accesses(path, source)
        end = self.function.blocks[source].terminator
        if end.opcode == "br" and len(set(end.labels)) == 2:
            self._holds(path, end.operands[0], end.labels[0] == target)
        elif end.opcode == "switch" and int_bits(end.type or "i32") is not None:
            self._switched(path, end, target)
        if target in self.headers:
            for phi in self.function.blocks[target].phis:
                if int_bits(phi.type) is not None or phi.token in self.steps:
                    self._incoming(path, phi)

    def _switched(self, path: Path, end: Instruction, target: str) -> None:
        cases = [c for c, label in zip(end.cases, end.labels[1:], strict=True) if label == target]
        if end.labels[0] != target and len(cases) == 1 and isinstance(cases[0], IntLiteral):
            value = self._value(path, end.operands[0], False)
            self._equal(path, value - cases[0].value)

    # -- states
    def _incoming(self, path: Path, phi: Instruction) -> Linear:
        """What a path hands to a variable of the header that it leads to."""
        given = phi.operands[phi.labels.index(path.blocks[-2])]
        if phi.token in self.steps:
            return self._steps_to(phi, self._value(path, given, True))
        return self._value(
            path, given, self._is_unsigned(phi.token) or phi.type == "i1", int_bits(phi.type)
        )

    def _state(
        self, found: Sequence[tuple[Path, str | None, bool]]
    ) -> Mapping[str, frozenset[str]]:
        """The names that matter at each header: those that its paths test, and those that go into
        what matters behind them."""
        state: dict[str, set[str]] = {h: set() for h in (self.root, *self.headers)}
        for path, _, _ in found:
            state[path.blocks[0]] |= _variables(path.facts)
        changed = True
        while changed:
            changed = False
            for path, target, _ in found:
                spend(_STEPS_OF_A_PATH)
                own = state[path.blocks[0]]
                handed = (self._handed(path, n, target) for n in state[target]) if target else ()
                more = _variables(tuple(handed)) - own
                if more:
                    changed = True
                    own |= more
        return {h: frozenset(names) for h, names in state.items()}

    def _handed(self, path: Path, name: str, target: str) -> Linear:
        """The value of a name of the target's state at the end of a path."""
        token = Register(name)
        try:
            if name in self.cells:
                cell = self.cells[name]
                way = self._way(path.blocks[:-1])
                return self._held(path, cell, cell.last_change(way, None))
            i = self.function.definitions[token]
            if i.opcode == "phi" and self._block(i) == target:
                return self._incoming(path, i)
            if token in self.steps:
                return self._steps_to(i, self._value(path, token, True))
            return self._value(path, token, self._is_unsigned(token) or self._type(token) == "i1")
        except (Choice, Impossible):
            return name_(f"{OPEN}{name}")

    def _transition(
        self, path: Path, target: str | None, starts: bool, state: Mapping[str, frozenset[str]]
    ) -> Transition | None:
        update = (
            {n: self._handed(path, n, target) for n in state[target]} if target is not None else {}
        )
        ranged = names_of((*path.facts, *update.values()))
        facts = [*path.facts]
        for n in sorted(ranged | state[path.blocks[0]]):
            facts += self._range_facts(n, narrow=True)
        guard = without_implied(facts)
        if is_empty(guard):
            return None
        self.tests_reads |= not self._reads.isdisjoint(names_of(guard))
        return Transition(path.blocks[0], target, guard, update, path.blocks[0] if starts else None)

    def _first(self, names: frozenset[str]) -> Mapping[str, Linear]:
        """The state on entry of the nest."""
        found: dict[str, Linear] = {}
        for name in sorted(names):
            if name in self.cells:
                found[name] = self._cell_first(self.cells[name])
                continue
            loop = self.view.loops[self.root]
            i = self.function.definitions[Register(name)]
            unsigned = self._is_unsigned(Register(name)) or i.type == "i1"
            if i.opcode != "phi" or self._block(i) != self.root:
                raise NotLinear
            outside = {o for o, b in zip(i.operands, i.labels, strict=True) if b not in loop.blocks}
            if len(outside) != 1:
                raise NotLinear
            given = outside.pop()
            if i.token in self.steps:
                start = self._value(Path((self.root,), {}), given, True)
                found[name] = self._steps_to(i, start)
                if any(n.startswith(OPEN) for n in found[name].names):
                    raise NotLinear
                continue
            bits = int_bits(i.type)
            if isinstance(given, Register):
                found[name] = self._from_outside(given, unsigned)
            elif isinstance(given, IntLiteral) or given in ("true", "false"):
                found[name] = self._value(Path((self.root,), {}), given, unsigned, bits)
            else:
                raise NotLinear
        return found


def _variables(forms: Sequence[Linear]) -> set[str]:
    """The names of registers in these forms."""
    return {n for n in names_of(forms) if not n.startswith((PARAMETER, OPEN))}
