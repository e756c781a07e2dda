"""Loops whose iterations a team of threads shares.

Thread 0 stands for the team (`frontend.openmp`): it runs all iterations, in order. That is what
every schedule comes to as long as an iteration does the same whoever runs it, and whatever the same
thread has run before.
"""

from __future__ import annotations

from ..ir.loop_info import TEAM_LOOP
from .bounded_count import BoundedCount
from .context import FunctionContext


def depends_on_thread(view: FunctionContext, header: str, each: BoundedCount) -> bool:
    """May what is counted for one iteration of a shared loop depend on the thread that runs it, or
    on what that thread has run before?"""
    team = _team(view, header)
    if team is None:
        return False
    own = {view.variables.index(team), *_variables(view, team)}
    own |= _variables(view, header) - _counters(view, header)
    parts = (each.formula, each.lower, each.upper, *each.preconditions)
    return any(e is not None and not e.symbols.isdisjoint(own) for e in parts)


def _team(view: FunctionContext, header: str) -> str | None:
    """The loop over the threads around a loop."""
    parent = view.loops[header].parent
    while parent is not None and not parent.startswith(TEAM_LOOP):
        parent = view.loops[parent].parent
    return parent


def _variables(view: FunctionContext, header: str) -> set[str]:
    """The variables of a loop that change from one iteration to the next."""
    phis = view.function.blocks[header].phis
    return {s for p in phis for s in view.variables.variable(p, header).expr.symbols}


def _counters(view: FunctionContext, header: str) -> set[str]:
    """Those that the loop is counted with."""
    function = view.function
    seen: set[str] = set()
    work = [str(o) for o in function.blocks[header].terminator.operands]
    while work:
        token = work.pop()
        if token not in seen:
            seen.add(token)
            i = function.definitions.get(token)
            if i is not None and i.opcode != "phi":
                work += [str(o) for o in i.operands]
    found: set[str] = set()
    for phi in function.blocks[header].phis:
        if phi.token in seen:
            found |= view.variables.variable(phi, header).expr.symbols
    return found
