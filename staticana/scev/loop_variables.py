"""Variables of loops: x(i + 1) = A x(i) + b for each header phi, and its closed form.

The update of a variable is the formula of the value that comes from the latch, over the header phis
and what does not change in the loop (slides 004, "Counting arbitrary affine loop nests"). LLVM
calls this an add recurrence; here the multiplier need not be one (Bachmann, Wang and Zima, ISSAC
1994).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import NamedTuple

from ..alias.memory_location import MemoryLocation
from ..closed_forms.recurrences import closed_forms, exchanged, taken_off
from ..expr import ONE, Expr, Floor, Trunc, is_integer, is_nonnegative, sym, symbols
from ..expr.budget import Provisional
from ..ir.loop_info import Loop
from ..ir.matchers import is_any, is_load, is_phi
from ..ir.types import Instruction, IntLiteral, Operand
from .arithmetic.fits import started
from .context import FunctionContext
from .loop_solution import LoopForms
from .unknowns import UnknownInfo
from .values import NO_PRECONDITIONS, Value

KEPT = "memory"
"""How the names of variables begin that a loop keeps in memory."""
_UNKNOWN_FORMS = LoopForms({}, {}, {}, {})


class _Place(NamedTuple):
    """A place in memory that a loop may add to: what tells it from others, its symbol, what it
    holds before the loop, and what at the latch."""

    key: tuple[str, str]
    symbol: str
    start: Value
    latest: Callable[[], Value | None]


def place_name(place: MemoryLocation) -> str:
    """What tells a place in memory from others."""
    return f"{place.underlying_object} {place.offset} {place.size} {place.kind}"


class LoopVariables:
    """Variables of the loops of one function, each loop solved once."""

    def __init__(self, view: FunctionContext) -> None:
        self.view = view
        self._closed: dict[str, LoopForms] = {}
        self._places: dict[tuple[str, str], Value | None] = {}
        self._waiting: list[_Place] = []
        self._unsure: list[_Place] = []
        self._dropped: set[str] = set()
        self._starting: list[str] = []
        self._settling = 0
        self._steps: dict[str, dict[str, tuple[Expr, Expr, frozenset[Expr]]]] = {}

    def variable(self, phi: Instruction, header: str) -> Value:
        """The symbol of a loop variable."""
        view = self.view
        name = view.variable_name(phi.token)
        return Value(
            view.program.unknowns.add(
                UnknownInfo(
                    self.symbol(phi),
                    "variable",
                    name or "i",
                    f"loop variable {name or phi.name}",
                    view.loops[header].at,
                    view.function.name,
                    header,
                )
            )
        )

    def symbol(self, phi: Instruction) -> str:
        """The name of a loop variable's symbol."""
        return symbols.register(self.view.function.name, str(phi.name))

    def index(self, header: str) -> str:
        """Name of the iteration number."""
        return symbols.iteration(self.view.function.name, header)

    def _phis(self, header: str) -> list[Instruction]:
        return [
            p
            for p in self.view.function.blocks[header].phis
            if p.type in ("ptr", "double", "float") or p.type[:1] == "i"
        ]

    def signs(self, header: str) -> list[Expr]:
        """Lower bounds of loop variables that plainly never decrease (read off the instructions,
        nothing is solved)."""
        view, found = self.view, []
        loop = view.loops[header]
        for phi in self._phis(header):
            if loop.latch is None or loop.latch not in phi.labels or phi.type == "ptr":
                continue
            update = view.function.definitions.get(phi.operands[phi.labels.index(loop.latch)])
            if update is None or len(update.operands) != 2 or update.operands[0] != phi.token:
                continue
            amount = update.operands[1]
            if not isinstance(amount, IntLiteral) or amount.value < 0:
                continue
            grows = (is_any(update, "add") and amount.value < 1 << 31) or (
                is_any(update, "mul", "shl")
            )
            start = [
                o for o, label in zip(phi.operands, phi.labels, strict=True) if label != loop.latch
            ]
            first = start[0] if len(start) == 1 else None
            if grows and isinstance(first, IntLiteral) and first.value >= 0:
                found.append(sym(self.symbol(phi)) - first.value)
        return found

    def forms(self, header: str) -> LoopForms:
        """What is known of the loop's variables."""
        if header not in self._closed:
            with Provisional(self._closed, header, _UNKNOWN_FORMS):
                self._closed[header] = self._find_forms(header)
        return self._closed[header]

    def known_forms(self, header: str) -> LoopForms:
        """What has been found so far of a loop that is being solved."""
        return self._closed.get(header) or LoopForms({}, {}, {}, {})

    def _find_forms(self, header: str) -> LoopForms:
        loop = self.view.loops[header]
        updates: dict[str, Expr] = {}
        initial: dict[str, Expr] = {}
        preconditions: dict[str, frozenset[Expr]] = {}
        phis = {self.symbol(p): p for p in self._phis(header)}
        for name, phi in phis.items():
            self.variable(phi, header)
            step = self._step(phi, loop, phis)
            if step is not None:
                initial[name], updates[name], preconditions[name] = step
        forms = LoopForms(updates, initial, {}, preconditions)
        self._close(forms, header, phis)
        return forms

    def _close(self, forms: LoopForms, header: str, phis: Iterable[str]) -> None:
        """Find the closed forms, with what is kept in memory; in place, so that whoever holds the
        forms of a loop sees what is found later."""
        updates = forms.updates
        for name, step in self._steps.get(header, {}).items():
            forms.initial[name], updates[name], forms.preconditions[name] = step
        # a variable that depends on one without an update has none either
        variables = {*phis, *self._steps.get(header, ())}
        while drop := [
            n
            for n, e in updates.items()
            if any(s in variables and s not in updates for s in e.symbols)
        ]:
            for n in drop:
                del updates[n]
        # pointers that change places stay symbols: each of them walks along its own object
        turning = {
            self.symbol(p)
            for p in self._phis(header)
            if p.type == "ptr" and exchanged(self.symbol(p), updates)
        }
        initial = {n: e for n, e in forms.initial.items() if n not in turning}
        forms.closed.update(closed_forms(updates, initial, self.index(header)))
        for name, e in updates.items():
            if name in forms.closed and taken_off(name, e) is not None:
                more = NO_PRECONDITIONS if is_nonnegative(initial[name]) else {initial[name]}
                forms.preconditions[name] = forms.preconditions.get(name, NO_PRECONDITIONS) | more

    def in_memory(
        self,
        header: str,
        place: str,
        first: Callable[[], Value | None],
        latest: Callable[[], Value | None],
    ) -> Value | None:
        """What a place in memory holds at the head of a loop that adds to it in each iteration;
        None where it does something else.

        Args:
            place: what tells it from others.
            first, latest: what it holds before the loop and at the latch.
        """
        key = (header, place)
        if key not in self._places:
            self._places[key] = None
            self._starting.append(header)
            start = first()
            self._starting.pop()
            if start is None:
                return None
            place_of = _Place(key, self._new_place(header), start, latest)
            self._places[key] = Value(sym(place_of.symbol))
            self._waiting.append(place_of)
            self._settle_waiting()
        return self._kept(header, self._places[key])

    def _kept(self, header: str, value: Value | None) -> Value | None:
        """What a place holds at the head of a loop: where each iteration leaves it as it was, or
        puts the same there again, what it held before."""
        if value is None or value.expr.atom is None or self._waiting or self._unsure:
            return value
        start, update, needs = self._steps.get(header, {}).get(value.expr.atom.key, (None,) * 3)
        if start is None or update != value.expr or needs is None:
            return value
        needs = frozenset(n.substitute({value.expr.atom.key: start}) for n in needs)
        if any(self.view.varying(n, header) for n in needs):
            return value  # they are asked for in each iteration
        return Value(start, needs)

    def _settle_waiting(self) -> None:
        """Find the steps of all places but those of loops around one that waits for what it starts
        with: what that one makes of the place is part of their iterations."""
        while ready := [p for p in self._waiting if not self._is_started_in(p.key[0])]:
            self._waiting.remove(ready[-1])
            self._settling += 1
            self._settle(ready[-1])
            self._settling -= 1
            self._unsure.append(ready[-1])
        if self._starting or self._waiting or self._settling:
            return
        while unsure := [
            p for p in self._unsure if not (self._is_settled(p.start.expr) and self._is_solvable(p))
        ]:
            for place in unsure:
                self._unsure.remove(place)
                self._drop(place)
        self._unsure.clear()

    def _is_started_in(self, header: str) -> bool:
        """Is it being found what a loop inside this one starts with?"""
        loops = self.view.loops
        return any(loops[h].blocks <= loops[header].blocks for h in self._starting)

    def _new_place(self, header: str) -> str:
        """The symbol of a place in memory at the head of a loop."""
        view = self.view
        at = sum(h == header for h, _ in self._places)
        symbol = symbols.unknown(view.function.name, header, f"{KEPT}{at}")
        view.program.unknowns.add(
            UnknownInfo(
                symbol,
                "variable",
                "v",
                "value kept in memory",
                view.loops[header].at,
                view.function.name,
                header,
            )
        )
        return symbol

    def _settle(self, place: _Place) -> None:
        """Find what an iteration makes of a place in memory."""
        header = place.key[0]
        update = place.latest()
        if update is not None and update.expr == place.start.expr:
            if not self.view.varying(update.expr, header):  # it is set to what it was before
                update = Value(sym(place.symbol), update.preconditions)
        if update is None or not (
            self._adds_up(update.expr, place.symbol, header) or self._is_taken(update.expr, header)
        ):
            self._drop(place)
            return
        needs = place.start.preconditions | update.preconditions
        self._steps.setdefault(header, {})[place.symbol] = (place.start.expr, update.expr, needs)
        forms = self._closed.get(header)
        if forms is not None and forms is not _UNKNOWN_FORMS:
            self._close(forms, header, [self.symbol(p) for p in self._phis(header)])

    def _drop(self, place: _Place) -> None:
        self._places[place.key] = None
        self._dropped.add(place.symbol)
        self._steps.get(place.key[0], {}).pop(place.symbol, None)

    def _is_settled(self, e: Expr) -> bool:
        return e.symbols.isdisjoint(self._dropped)

    def _is_taken(self, update: Expr, header: str) -> bool:
        """Does an iteration give a place what another place of the loop held?"""
        return update.atom is not None and any(
            v is not None and v.expr == update for (h, _), v in self._places.items() if h == header
        )

    def _is_solvable(self, place: _Place) -> bool:
        """A place that takes the value of another one must be taken by it in turn."""
        steps = self._steps.get(place.key[0], {})
        if place.symbol not in steps:
            return True
        updates = {name: update for name, (_, update, _) in steps.items()}
        if updates[place.symbol] == sym(place.symbol):
            return True
        is_taken = self._is_taken(updates[place.symbol], place.key[0])
        return not is_taken or bool(exchanged(place.symbol, updates))

    def _adds_up(self, update: Expr, symbol: str, header: str) -> bool:
        """Does an iteration add to a variable what its other variables decide, divide it by a
        number, or multiply it by one where its end depends on it? Others that are multiplied wrap
        around: random numbers, hashes."""
        quotient = update.atom
        if isinstance(quotient, (Floor, Trunc)) and quotient.num == sym(symbol):
            return isinstance(quotient.den.constant, int) and quotient.den.constant > 1
        line = update.affine_in(symbol)
        if line is None:
            return False
        factor, added = line
        if factor != ONE and not (isinstance(factor.constant, int) and factor.constant > 1):
            return False
        if factor != ONE and not self._is_tested(symbol, header):
            return False
        known = {self.symbol(p) for p in self._phis(header)} | self._steps.get(header, {}).keys()
        return all(s in known for s in self.view.varying(added, header))

    def _step(
        self, phi: Instruction, loop: Loop, variables: Mapping[str, Instruction]
    ) -> tuple[Expr, Expr, frozenset[Expr]] | None:
        """(initial value, next value, what both need); None where it depends on data that change in
        the loop. A floating-point variable is multiplied by its grain, so that it is an integer."""
        view = self.view
        if loop.latch is None:
            return None
        start = [
            o for o, label in zip(phi.operands, phi.labels, strict=True) if label not in loop.blocks
        ]
        is_float = phi.type in ("double", "float")
        read = view.floats.exact if is_float else view.scalars.value
        update = read(phi.operands[phi.labels.index(loop.latch)])
        first = read(start[0]) if len(start) == 1 else None
        if update is None or first is None:
            return None
        first = first if is_float else started(view, first, phi, start[0])
        kept = {v.expr.atom for (h, _), v in self._places.items() if v and h == loop.header}
        foreign = [
            s
            for s in view.varying(update.expr, loop.header)
            if s not in variables and s not in kept
        ]
        if foreign or self._wraps_on_purpose(phi, loop):
            return None
        grain = view.floats.grain(phi) if is_float else 1
        if grain > 1 and not is_integer(update.expr * grain):
            return None
        return first.expr * grain, update.expr * grain, first.preconditions | update.preconditions

    def _wraps_on_purpose(self, phi: Instruction, loop: Loop) -> bool:
        """Unsigned multiplication in a variable that does not decide when the loop ends: a random
        number, a hash."""
        assert loop.latch is not None
        update = phi.operands[phi.labels.index(loop.latch)]
        multiplies = any(
            is_any(i, "mul", "shl") and not i.flags & {"nsw", "nuw"}
            for i in self._computed_from(update, phi, loop)
        )
        return multiplies and phi.token not in self._tested(loop)

    def _computed_from(self, token: Operand, phi: Instruction, loop: Loop) -> Iterator[Instruction]:
        """The instructions of one iteration that a register is computed from."""
        function = self.view.function
        seen: set[str] = {phi.token}
        work = [token]
        while work:
            token = work.pop()
            i = function.definitions.get(token)
            if (
                i is None
                or token in seen
                or function.block_of[token] not in loop.blocks
                or is_phi(i)
            ):
                continue
            seen.add(token)
            yield i
            work.extend(i.operands)

    def _tested(self, loop: Loop) -> set[str]:
        """Registers that the conditions of the loop's exits are computed from."""
        function = self.view.function
        tests: set[str] = set()
        for edge in loop.exits:
            work = list(function.blocks[edge.source].terminator.operands[:1])
            while work:
                token = work.pop()
                if token not in tests and token in function.definitions:
                    tests.add(token)
                    i = function.definitions[token]
                    if not is_phi(i):
                        work.extend(i.operands)
        return tests

    def _is_tested(self, symbol: str, header: str) -> bool:
        """Do the conditions of the loop's exits depend on what a place in memory holds?"""
        function, aliasing = self.view.function, self.view.program.memory.aliasing
        places = {key for key, v in self._places.items() if v is not None and v.expr == sym(symbol)}
        tests = (function.definitions[t] for t in self._tested(self.view.loops[header]))
        return any(
            (header, place_name(aliasing.location(function, i.operands[0], i.type))) in places
            for i in tests
            if is_load(i)
        )

    def is_solved(self, symbol: str, header: str) -> bool:
        """Has the loop variable a closed form?"""
        return symbol in self.forms(header).closed
