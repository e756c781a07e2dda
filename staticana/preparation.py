"""What a program goes through between front end and analysis: passes over its module, in order.

Each pass rewrites what hides counts, for the analysis alone. A pass is given a `Prepared` program
and returns the next one. It says for which programs it is wanted, and which facts it preserves
where it changes the module; the others are forgotten then, and found anew by whoever needs them.
"""

from __future__ import annotations

import gc
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from .alias.library import may_call_back
from .distinct_keys import with_new_keys
from .expr.budget import Allowance
from .frontend.models import with_models
from .frontend.openmp.teams import team_module
from .frontend.phases import with_phases_apart
from .frontend.rust import countable
from .frontend.short_functions import with_short_functions_inlined
from .frontend.threads import ASSUMED, has_threads, with_threads_called
from .interprocedural.copies_for_calls import with_copies_for_calls
from .interprocedural.program import Program
from .interprocedural.reader_copies import with_reader_copies
from .interprocedural.resolved_calls import with_calls_resolved
from .ir.copies import Copied
from .ir.types import Module
from .own_lists import Lists, may_have_lists, may_make_nodes, with_lengths, with_makers_inlined

_LARGE_TEXT = 8_000_000
"""Characters of IR beyond which the memory of what is given up is worth the search for it."""


@dataclass(frozen=True)
class Prepared:
    """A program on its way to the analysis.

    module: as it is by now. origin: copy of a function -> the function. hidden: the functions that
    have models in their place. assumed: what the passes take for granted, in words. Facts: program:
    the module under analysis, where somebody has asked of it; lists: its linked lists. Modules of
    passes before: real, in which containers keep what is put into them; written, in which pointers
    to nodes of lists are no lengths; before_teams, see `parallel`.
    """

    module: Module
    entry: str
    strict: bool
    allowance: Allowance
    origin: Mapping[str, str] = field(default_factory=dict)
    hidden: frozenset[str] = frozenset()
    assumed: frozenset[str] = frozenset()
    program: Program | None = None
    lists: tuple[Module, Lists] | None = None
    real: Module | None = None
    written: Module | None = None
    before_teams: Module | None = None

    @property
    def may_have_lists(self) -> bool:
        """May the program make lists? Without an entry nothing runs of which that could be proved;
        callers may link anything."""
        m = self.module
        is_run = self.entry in m.functions and not self.strict
        return is_run and may_have_lists(m) and may_make_nodes(m, self.entry)

    @property
    def parallel(self) -> Module:
        """The module in which teams of threads run, and nothing is copied."""
        return self.module if self.before_teams is None else self.before_teams

    def copied(self, copies: Copied) -> Prepared:
        """With functions copied once more."""
        after = copies.after(Copied(self.module, self.origin))
        return replace(self, module=after.module, origin=after.origin)


@dataclass(frozen=True)
class Pass:
    """One pass. preserves: the facts that hold of the module that it returns."""

    run: Callable[[Prepared], Prepared]
    is_wanted: Callable[[Prepared], bool] = lambda p: not p.strict
    preserves: tuple[str, ...] = ()


def _always(_: Prepared) -> bool:
    return True


# -- passes that look at the code alone
def _iterators(p: Prepared) -> Prepared:
    return replace(p, module=countable(p.module))


def _phases(p: Prepared) -> Prepared:
    return replace(p, module=with_phases_apart(p.module))


def _short_functions(p: Prepared) -> Prepared:
    return replace(p, module=with_short_functions_inlined(p.module, p.entry))


def _threads(p: Prepared) -> Prepared:
    module = with_threads_called(p.module)
    assumed = {ASSUMED} if has_threads(module) else set()
    return replace(p, module=module, assumed=p.assumed | assumed)


def _makers(p: Prepared) -> Prepared:
    module, lists = with_makers_inlined(p.module, p.entry)
    return replace(p, module=module, lists=lists, real=module)


def _models(p: Prepared) -> Prepared:
    module, hidden = with_models(p.module)
    return replace(p, module=module, hidden=hidden)


def _lengths(p: Prepared) -> Prepared:
    assert p.real is not None
    module = with_lengths(p.module, p.entry, p.real, p.lists)
    return replace(p, module=module, written=p.module, lists=None)  # lists take much memory


# -- passes that ask what values are
def _targets(p: Prepared) -> Prepared:
    module, program = with_calls_resolved(p.module, p.entry, allowance=p.allowance)
    return replace(p, module=module, program=program)


def _new_keys(p: Prepared) -> Prepared:
    module, program = with_new_keys(p.module, p.program, p.entry, allowance=p.allowance)
    return replace(p, module=module, program=program)


def _copies(p: Prepared) -> Prepared:
    """Copies of functions that call what they are handed, where calls have fewer targets then."""
    known, p = p.program, replace(p, before_teams=p.module)
    choosing = {*p.module.functions} if known is None else {*_choices(known)}
    copies = with_copies_for_calls(p.module, p.entry, choosing)
    if not copies.origin:
        return p
    after = _targets(p.copied(copies))
    is_direct = after.module is not copies.module
    if not is_direct and (known is None or not _has_settled(known, after.program, copies)):
        return p
    return after


def _choices(program: Program) -> Counter[str]:
    """Function -> its calls, each counted once for every function that it may go to, of those that
    may go to several."""
    return Counter(s.caller for s in program.calls.sites if not s.certain)


def _has_settled(before: Program, after: Program | None, copies: Copied) -> bool:
    """Does a call in a copy, or in what was copied, go to fewer functions?"""
    if after is None:
        return False
    old, new = _choices(before), _choices(after)
    reached = after.calls.reachable
    return any(new[f] < old[copies.origin.get(f, f)] for f in after.defined if f in reached)


def _teams(p: Prepared) -> Prepared:
    serial, assumed = team_module(p.module, entry=p.entry or None, calls_back=may_call_back)
    return replace(p, module=serial, before_teams=p.parallel, assumed=p.assumed | assumed)


def _readers(p: Prepared) -> Prepared:
    with p.allowance.uncounted():
        return p.copied(with_reader_copies(p.module, p.entry))


_PHASES, _ITERATORS = Pass(_phases, _always), Pass(_iterators, _always)
_MODELS, _TEAMS = Pass(_models), Pass(_teams, _always)
_CODE = (
    _PHASES,
    _ITERATORS,
    Pass(_short_functions),
    Pass(_threads),
    Pass(_makers, lambda p: p.may_have_lists, preserves=("lists",)),
    _MODELS,
    Pass(_lengths, lambda p: p.real is not None),
)
_VALUES = (
    Pass(_targets, preserves=("program",)),
    Pass(_new_keys, preserves=("program",)),
    Pass(_copies, preserves=("program",)),
    _TEAMS,
    Pass(_readers, _always),
)


def prepared(module: Module, entry: str, *, strict: bool, allowance: Allowance) -> Prepared:
    """A program that runs from an entry, ready for the analysis; the time of `allowance` begins
    where values are asked for."""
    found = _after(_CODE, Prepared(module, entry, strict, allowance))
    allowance.begin()
    found = _after(_VALUES, found)
    if len(found.module.text) > _LARGE_TEXT:
        gc.collect(0)  # programs are circles of references, and some were given up
    return found


def prepared_library(module: Module, *, strict: bool, allowance: Allowance) -> Prepared:
    """The functions of a library, of which each may be an entry."""
    return _after((_PHASES, _ITERATORS, _MODELS, _TEAMS), Prepared(module, "", strict, allowance))


def _after(passes: Sequence[Pass], p: Prepared) -> Prepared:
    for one in passes:
        if one.is_wanted(p):
            after = one.run(p)
            if after.module is not p.module:
                after = replace(
                    after,
                    program=after.program if "program" in one.preserves else None,
                    lists=after.lists if "lists" in one.preserves else None,
                )
            p = after
    return p
