"""What functions ask of their callers, and for which of them the callers of a run answer.

A function is analysed in its own arguments and in what it finds in memory. On the way it asks what
its callers pass, what they leave in memory, and what they make of its result. In a run from an
entry only functions are analysed anew for which the run's callers give another answer than nothing:
a constant, a parameter of the run, the address of a global. All others are put in at the calls by
substitution (bottom-up summaries in contexts only where these tell more: Nystrom, Kim and Hwu, SAS
2004).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable
from contextlib import suppress
from functools import cached_property
from typing import TYPE_CHECKING, TypeVar

from ..alias.call_graph import Site
from ..alias.packed_arguments import Piece
from ..expr import Expr, Loaded, TooComplex, carried, from_atom, is_nonnegative, symbols
from ..expr.budget import Budget, OverBudget, Provisional
from ..scev.context import ProgramContext
from .jump_functions import JumpFunctions, What, argument_of
from .shared_contexts import Lender

if TYPE_CHECKING:
    from .program import Program
    from .summaries import Summaries

_T = TypeVar("_T")


class Notes:
    """What is taken for granted in functions, in words. number: of all notes."""

    def __init__(self) -> None:
        self.number = 0
        self._by_function: dict[str, set[str]] = {}

    def add(self, note: str, function: str) -> None:
        """Without a function's name, it is taken for granted in all of them."""
        notes = self._by_function.setdefault(function, set())
        self.number += note not in notes
        notes.add(note)

    def of(self, functions: Collection[str]) -> frozenset[str]:
        """What is taken for granted in some functions."""
        return frozenset[str]().union(
            *(notes for f, notes in self._by_function.items() if not f or f in functions)
        )


class Questions:
    """The questions that the functions of an analysis ask of their callers."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self._asked: dict[str, dict[Hashable, tuple[Callable[[ProgramContext], object], object]]]
        self._asked = {}
        self._of: dict[str, tuple[What, ...]] = {}
        self._handed: dict[str, tuple[What, ...]] = {}  # the same, and what it hands on
        self.handed_on = JumpFunctions(program)

    def ask(self, function: str, key: Hashable, question: Callable[[ProgramContext], _T]) -> _T:
        """The answer of the callers that this analysis knows."""
        if self.program.asks_callers and self.program.base is None:
            return question(self.program)
        answer = question(self.program)
        self._asked.setdefault(function, {})[key] = question, answer
        return answer

    def differs(self, function: str, program: Program) -> bool:
        """Do the callers in a run say something else?"""
        asked = self._asked.get(function, {})
        return any(question(program) != answer for question, answer in list(asked.values()))

    def answers(self, function: str, program: Program) -> list[tuple[Hashable, object]]:
        """What the callers in a run say to the other questions of a function."""
        asked = list(self._asked.get(function, {}).items())
        return [(key, question(program)) for key, (question, _) in asked]

    def settle(self, function: str) -> None:
        """All is asked that the counts of a function rest on: find what it hands on to those that
        it calls, and for which that matters in turn."""
        if function in self._of:
            return
        arguments = self.program.bindings.asked.get(function, ())
        loaded = self.program.memory.entry_values.asked.get(function, {})
        self._of[function] = (*arguments, *loaded.values())
        handed = dict.fromkeys(self._of[function])
        for site in self.program.calls.sites_in.get(function, ()):
            for what in self._handed.get(site.callee, ()):
                handed |= dict.fromkeys(self.handed_on.find(site, what))
        self._handed[function] = tuple(handed)

    def is_settled(self, function: str) -> bool:
        """Is all asked that the counts of a function rest on?"""
        return function in self._of

    def of(self, function: str) -> tuple[What, ...]:
        """The arguments, parts of them and values in memory that a function asked for."""
        return self._of.get(function, ())


class Contexts:
    """The functions that a run analyses anew.

    Args:
        program: the run, from its entry, to ask callers in. Not the one whose laws are read: what
            is answered here rests on which functions are known to be new by then.
        base: the analysis of every function in its own arguments.
    """

    def __init__(self, program: Program, base: Program) -> None:
        self.program, self.base = program, base
        self.may_borrow = True
        self._new: set[str] = set()
        self._circles = 0
        self._is_settled = False
        self._agreed: dict[str, dict[What, Expr | None]] = {}
        self._keys: dict[str, Hashable] = {}  # of functions in contexts that runs share
        self._lent: dict[str, Lender] = {}

    def is_new(self, name: str) -> bool:
        """Is a function analysed anew?"""
        if not self._is_settled:
            self._is_settled = True
            self._settle()
        return name in self._new

    def is_new_below(self, name: str) -> bool:
        """Is a function, or one that it calls, analysed anew?"""
        self.is_new(name)
        return bool(self._circles & self.program.calls.circles_below(name))

    def _settle(self) -> None:
        calls = self.program.calls
        if not self.program.entry:
            return  # no run is looked at
        for name in calls.callers_first(self.program.entry):
            if self._has_context_in_time(name):
                self._new.add(name)
                self._circles = calls.circles_with(self._new)
        if self.may_borrow and self.program.asks_contexts:
            with suppress(OverBudget, TooComplex), Budget(self.program.seconds):
                self._find_lenders()

    # -- what callers agree on
    def constant(self, name: str, what: What) -> Expr | None:
        """The number, or the address of a global, that all callers in this run pass, or leave in
        memory."""
        found = self.agreed(name, what)
        return found if found is not None and _is_for_all(found) else None

    def agreed(self, name: str, what: What) -> Expr | None:
        """The formula in the parameters of this run that all callers pass, or leave in memory."""
        known = self._agreed.setdefault(name, {})
        if what not in known:
            with suppress(TooComplex), Provisional(known, what, None):
                known[what] = self._find_agreed(name, what)
        return known[what]

    def _find_agreed(self, name: str, what: What) -> Expr | None:
        calls = self.program.calls
        if name == self.program.entry:
            return self._of_entry(what)
        if name in calls.pointed or name not in calls.reachable:
            return None
        if isinstance(what, Loaded) and self._may_change(name, what):
            return None
        found: set[Expr] = set()
        for site in calls.callers.get(name, ()):
            if self._hands_on(site, what):
                continue
            e = self._at(site, what)
            if e is None:
                return None
            found.add(e)
            if len(found) > 1:
                return None
        return found.pop() if found else None

    def _of_entry(self, what: What) -> Expr | None:
        """An argument of the entry that is a parameter of the run."""
        function = self.program.defined[self.program.entry]
        if not isinstance(what, int) or function.parameters[what].type[:1] != "i":
            return None
        return self.program.argument(function, function.parameters[what].token)

    def _may_change(self, name: str, a: Loaded) -> bool:
        """May a function find another value in its next call?"""
        values, program = self.program.memory.entry_values, self.program
        return name in program.calls.recursive or (
            values.changes(program.defined[name], a) and not program.runs_once(name)
        )

    def _hands_on(self, site: Site, what: What) -> bool:
        """Is it a recursive call that hands an argument on as it is, or a call that never runs?"""
        if isinstance(what, Loaded):
            return not self.base.questions.handed_on.is_run(site)
        if site.caller != site.callee or not isinstance(what, int):
            return False
        operands = site.instruction.operands[what + 1 : what + 2]
        return operands == (self.program.defined[site.callee].parameters[what].token,)

    def _at(self, site: Site, what: What) -> Expr | None:
        """What a call hands on, as a formula in the parameters of this run."""
        found = self.base.questions.handed_on.at(site, what)
        if found is None:
            return None
        if not found.preconditions and _is_told(found.expr):
            return found.expr
        if site.caller in self.program.calls.recursive and site.caller == site.callee:
            return None
        e = self.in_run(site.caller, found.expr)
        if not _is_told(e):
            return None
        needs = (self.in_run(site.caller, n) for n in found.preconditions)
        return e if all(is_nonnegative(n, self.program.assumptions) for n in needs) else None

    def in_run(self, name: str, e: Expr) -> Expr:
        """A formula of a function, with what callers agree on put in."""
        values: dict[str, Expr] = {}
        for s in e.symbols:
            argument = symbols.as_argument(s)
            is_own = argument is not None and argument.function == name
            handed = (
                self.agreed(name, argument_of(argument))
                if argument is not None and is_own
                else None
            )
            values |= {} if handed is None else {s: handed}

        def held(a: Loaded) -> Expr:
            found = self.agreed(name, a)
            return from_atom(a) if found is None else found

        return carried(e, values, held)

    # -- contexts that runs share
    def lender(self, name: str) -> Lender | None:
        """The run before that analysed a function in the context that it has in this one."""
        self.is_new(name)
        return self._lent.get(name)

    def _find_lenders(self) -> None:
        """Find which functions were analysed before in the context that they have in this run."""
        calls, base = self.program.calls, self.base
        own = {f: self._answers(f) for f in self._new if f != self.program.entry}
        for name, answers in own.items():
            below = sorted(self._new & calls.below(name))
            if answers is not None and all(own.get(g) is not None for g in below):
                self._keys[name] = name, answers, tuple((g, own[g]) for g in below)
        known = {f: lender for f, key in self._keys.items() if (lender := base.shared.find(key))}
        found = {f for f, lender in known.items() if self._agrees(f, lender.program)}
        # what is called below comes from runs before, too
        self._lent = {f: known[f] for f in found if self._new & calls.below(f) <= found}

    def _answers(self, name: str) -> Hashable | None:
        """What a run's callers say to all that a function asks; None where that are formulas in the
        parameters of the run."""
        program = self.program
        function, view = program.defined[name], program.view(name)
        told = {what: self.agreed(name, what) for what in self.base.questions.of(name)}
        if not all(e is None or _is_for_all(e) for e in told.values()):
            return None
        pointers = (p.token for p in function.parameters if p.type[:1] == "p")
        return (
            tuple(told.items()),
            tuple(self.base.questions.answers(name, program)),
            tuple(program.never_null(view, p) for p in pointers),
            program.runs_once(name),
            name in program.calls.caught,
            name in program.calls.pointed,
        )

    def _agrees(self, name: str, lender: Program) -> bool:
        """Do this run's callers say the same to what a function has asked in another run, beyond
        what it asks in its own arguments?"""
        contexts = lender.contexts
        assert contexts is not None
        told = list(contexts._agreed.get(name, {}).items())
        return (
            name not in lender.of_this_run
            and not lender.questions.differs(name, self.program)
            and all(
                (e is None or _is_for_all(e)) and self.agreed(name, what) == e for what, e in told
            )
        )

    def is_right(self) -> bool:
        """Do this run's callers say the same, too, to what functions that it took from other runs
        have asked since?"""
        return all(self._agrees(f, lender.program) for f, lender in self._lent.items())

    @cached_property
    def lenders(self) -> tuple[tuple[Lender, set[str]], ...]:
        """The runs that functions were taken from, each with these functions."""
        self.is_new(self.program.entry)
        found: dict[int, tuple[Lender, set[str]]] = {}
        for f, lender in self._lent.items():
            found.setdefault(id(lender.program), (lender, set()))[1].add(f)
        return tuple(found.values())

    def lend(self, program: Program, summaries: Summaries) -> None:
        """Let other runs take the functions of this one that stand in contexts of their own."""
        given = program.parameters.keys() - self.base.parameters.keys()
        if all(origin.startswith(f"arg:{program.entry}:") for origin in given):
            own = [key for f, key in self._keys.items() if f not in self._lent]
            self.base.shared.add(own, Lender(program, summaries))

    def _has_context_in_time(self, name: str) -> bool:
        """As `_has_context`; not where it takes too long to tell."""
        try:
            with Budget(self.program.seconds):
                return self._has_context(name)
        except (OverBudget, TooComplex):
            return name == self.program.entry

    def _has_context(self, name: str) -> bool:
        program, base = self.program, self.base
        caught = base.view(name).program.calls.caught
        if program.row_events or (name in program.calls.caught) != (name in caught):
            return True
        asked = base.questions.of(name)
        if name == program.entry:
            if not base.calls.callers.get(name):
                return True  # for no other run
            return self._takes_numbers(name) or base.questions.differs(name, program)
        # any other formula is as well put into what was found for a symbol
        return any(self.constant(name, w) is not None for w in asked) or base.questions.differs(
            name, program
        )

    def _takes_numbers(self, name: str) -> bool:
        """Has an entry arguments that are parameters of the run?"""
        parameters = self.program.defined[name].parameters
        return (
            self.program.module.is_fortran
            or any(p.type[:1] == "i" for p in parameters)
            or any(isinstance(what, Piece) for what in self.base.questions.of(name))
        )


def _is_told(e: Expr) -> bool:
    """Is a formula one in what is the same in all functions of a run?"""
    return all(map(symbols.is_from_outside, e.symbols))


def _is_for_all(e: Expr) -> bool:
    """Is a formula the same in all runs: a number, or the address of an object?"""
    return all(map(symbols.is_global_address, e.symbols))
