"""The exits of one loop: under which condition an iteration stays, and when it first does not.

Each exit is brought into one of these shapes: never taken by itself (its condition does not depend
on the iteration), taken in an iteration that has a closed form (`closed_forms.exit_iteration`),
taken somewhere between two such iterations, or decided by data.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from ..closed_forms.exit_iteration import ExitIteration, earliest, first_failure
from ..closed_forms.iteration_preconditions import is_refuted, proved
from ..expr import ONE, ZERO, Assumptions, Expr, choose, is_nonnegative, minimum
from ..expr.predicates import UNDECIDED, Cond, disjunction
from ..ir.loop_info import ExitEdge, Loop
from .context import FunctionContext
from .loop_solution import Limit, LoopForms
from .traversals import traversed
from .values import NO_PRECONDITIONS, Value

_BY_DATA = "its end depends on data"


@dataclass(frozen=True)
class ExitBounds:
    """What is known of one exit.

    stays: the condition to stay in the loop, over its variables; None where data decide. exact: the
    first iteration that leaves here; latest: one that is not earlier; least: how many iterations
    certainly start before. preconditions: what this needs. reason: why there is no exact one.
    asked: what each iteration needs that asks, where it is not certain that one leaves here.
    """

    edge: ExitEdge
    stays: Cond | None
    exact: ExitIteration | None
    latest: ExitIteration | None
    least: Expr
    preconditions: frozenset[Expr]
    reason: str | None
    asked: frozenset[Expr] = NO_PRECONDITIONS

    @property
    def is_lasting(self) -> bool:
        """Is its condition the same in all iterations: is it taken in the first or never?"""
        return self.exact is not None and self.exact.at is None


def counted_exits(view: FunctionContext, loop: Loop) -> tuple[list[ExitEdge], frozenset[str]]:
    """The exits of a loop that are counted on, and in words those that are not taken."""
    found: list[ExitEdge] = []
    notes: set[str] = set()
    for edge in loop.exits:
        if edge.is_unwind:
            notes.add(f"no exception leaves the loop at {loop.at}")
        elif edge.target in view.paths.dead:
            place = view.place(view.function.blocks[edge.source].terminator)
            notes.add(f"no error exit at {place}")
        else:
            found.append(edge)
    return found, frozenset(notes)


def exit_bounds(
    view: FunctionContext,
    loop: Loop,
    edge: ExitEdge,
    forms: LoopForms,
    index: str,
    assumptions: Assumptions,
    *,
    is_alone: bool,
) -> ExitBounds:
    """Bring one exit of a loop into its shape; `assumptions` hold on entry of the loop; `is_alone`:
    it has no other."""
    nodes = traversed(view, loop, edge)
    if nodes is not None:
        return _at_end(edge, nodes, assumptions)
    stays, preconditions, why = _stays(view, loop, edge)
    preconditions = frozenset(n.substitute(forms.closed) for n in preconditions).union(
        *(forms.needed(e.symbols) for e in stays.formulas())
    )
    condition = stays.substitute(forms.closed)
    guard = stays if why is None else None
    exact: ExitIteration | None = None
    if why is None:
        exact, why = _exact(view, loop.header, condition, index, assumptions)
    if exact is not None and exact.endless and not is_alone:
        exact = replace(exact, preconditions=(*exact.preconditions, *exact.endless))
    if exact is not None:
        preconditions |= set(exact.asked)
    if exact is not None and exact.at is None:
        return ExitBounds(edge, guard, exact, None, ZERO, NO_PRECONDITIONS, None, preconditions)
    earliest_, latest = exact, exact
    reason = None
    if why is not None:
        reason = f"{why} ({view.place(view.function.blocks[edge.source].terminator)})"
        earliest_, latest = _beside_data(view, loop.header, condition, index, assumptions)
        # what varies with data is the data's own to keep
        preconditions = frozenset(n for n in preconditions if not view.varying(n, loop.header))
    left, broken = NO_PRECONDITIONS, None
    if latest is not None and latest.at is not None:
        left, broken = proved(preconditions - set(latest.wrapped), index, latest.at, assumptions)
    wraps = next((n for n in left if is_refuted(n, assumptions)), None)
    if broken is not None or wraps is not None:
        left = NO_PRECONDITIONS
        reason = reason or (
            f"a value that it is tested with wraps around ({loop.at})"
            if wraps is not None
            else f"it needs a value not below zero in every iteration, which is not evident"
            f" ({loop.at})"
        )
        earliest_ = latest = exact = None
    least = ZERO
    if earliest_ is not None and earliest_.at is not None and earliest_.happens == ONE:
        # a bound beside data holds only where nothing is left to be shown
        least = (
            ZERO if why is not None and (preconditions or earliest_.preconditions) else earliest_.at
        )
    asked = NO_PRECONDITIONS
    if latest is not None and latest.happens != ONE:
        asked = preconditions - set(latest.wrapped)
    return ExitBounds(edge, guard, exact, latest, least + (not edge.is_test), left, reason, asked)


def _at_end(edge: ExitEdge, nodes: Value, assumptions: Assumptions) -> ExitBounds:
    """The exit at the end of a container with so many nodes."""
    needs = nodes.preconditions
    if not is_nonnegative(nodes.expr, assumptions):
        needs |= {nodes.expr}
    exact = ExitIteration(nodes.expr, preconditions=tuple(needs))
    least = nodes.expr + (not edge.is_test)
    return ExitBounds(edge, UNDECIDED, exact, exact, least, needs, None)


def _stays(
    view: FunctionContext, loop: Loop, edge: ExitEdge
) -> tuple[Cond, frozenset[Expr], str | None]:
    """The condition under which an iteration does not leave by this edge; or why there is none."""
    if view.forest.innermost[edge.source] != loop.header:
        return UNDECIDED, NO_PRECONDITIONS, "it is left from within an inner loop"
    condition, preconditions = view.paths.edge(edge.source, edge.target)
    stays = condition.negate()
    assert loop.latch is not None
    if not view.forest.dominates(edge.source, loop.latch):
        # an iteration that does not come to the exit does not leave by it either
        reach, more = view.paths.below(loop.header, edge.source)
        preconditions |= more
        stays = disjunction(reach.negate(), stays)
    return stays, preconditions, _BY_DATA if stays.is_undecided else None


def _exact(
    view: FunctionContext, header: str, condition: Cond, index: str, assumptions: Assumptions
) -> tuple[ExitIteration | None, str | None]:
    """When a condition over the iteration number first fails; or why that cannot be told."""
    if condition.is_undecided or any(view.varying(e, header) for e in condition.formulas()):
        return None, _BY_DATA
    found = first_failure(condition, index, assumptions)
    return found, None if found else "its end has no closed form"


def _beside_data(
    view: FunctionContext, header: str, condition: Cond, index: str, assumptions: Assumptions
) -> tuple[ExitIteration | None, ExitIteration | None]:
    """Iterations before and after which a condition that data take part in cannot first fail: `a or
    data` holds while a does, `a and data` no longer than a does."""
    known = [_exact(view, header, p, index, assumptions)[0] for p in condition.parts]
    some = [e for e in known if e is not None and e.at is not None and e.happens == ONE]
    if not some:
        return None, None
    if condition.kind == "or":
        return min(some, key=lambda e: len(e.preconditions)), None
    return None, earliest(some)


# -- several exits
def first_exit(
    found: list[tuple[ExitIteration, bool]], assumptions: Assumptions
) -> tuple[Expr | None, frozenset[Expr]]:
    """Iterations until the first of several exits, and what must hold for it. An exit that may
    never be taken (a test for equality that is not hit) counts where it is; where it is the only
    one, that it is taken is a precondition."""
    runs = [(h, h.at if is_test else h.at + 1) for h, is_test in found if h.at is not None]
    certain = [(h, at) for h, at in runs if h.happens == ONE] or runs[:1]
    if not certain:
        return None, NO_PRECONDITIONS
    bound = minimum(*(at for _, at in certain), assumptions=assumptions)
    for h, at in runs:
        if all(h is not other for other, _ in certain):
            bound = choose(h.happens, minimum(bound, at, assumptions=assumptions), bound)
    return bound, frozenset(n for h, _ in certain for n in h.preconditions)


def changing_bound(
    exits: list[ExitBounds], assumptions: Assumptions
) -> tuple[Expr | None, frozenset[Expr]]:
    """`first_exit` of those whose condition changes. Beside exits that data decide, one that may
    never be taken bounds nothing."""
    by_data = any(e.reason is not None for e in exits)
    found = [
        (e.latest, e.edge.is_test)
        for e in exits
        if not e.is_lasting and e.latest is not None and not (by_data and e.latest.happens != ONE)
    ]
    return first_exit(found, assumptions)


def kept_while_it_runs(
    view: FunctionContext, loop: Loop, exits: list[ExitBounds], index: str, assumptions: Assumptions
) -> list[ExitBounds]:
    """The exits, those that need not be taken with what they need until the loop ends by another;
    those whose condition does not last so long are left to data."""
    bound, _ = changing_bound(exits, assumptions)
    if bound is None or len(exits) == 1:
        return exits
    others = [e.edge for e in exits if not e.is_lasting and e.latest is not None]
    found = []
    for e in exits:
        if e.asked:
            # is it asked in the iteration, too, that does not begin?
            is_behind = not e.edge.is_test or all(
                o.source != e.edge.source and view.forest.dominates(o.source, e.edge.source)
                for o in others
                if o.is_test
            )
            left, broken = proved(e.asked, index, bound - is_behind, assumptions)
            if broken is not None or any(is_refuted(n, assumptions) for n in left):
                reason = f"a value that it is tested with wraps around ({loop.at})"
                e = ExitBounds(e.edge, None, None, None, ZERO, NO_PRECONDITIONS, reason)
            else:
                e = replace(e, preconditions=left)
        found.append(e)
    return found


def certain(limit: Limit, found: list[tuple[ExitIteration, bool]], bound: Expr | None) -> Limit:
    """The limit with an exit that is not taken put behind all others."""
    for h, _ in found:
        if (
            h.at is limit.at
            and h.happens != ONE
            and len(found) > 1
            and bound is not None
            and limit.at is not None
        ):
            return Limit(limit.edge, choose(h.happens, limit.at, bound + 1))
    return limit
