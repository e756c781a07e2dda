"""Lines that miss as closed formulas, one for each regime, with the condition that it holds under.

Where what one iteration of a loop touches fits in the cache (the layer condition: Stengel, Treibig,
Hager and Wellein, ICS 2015; Hammer, Eitzinger, Hager and Wellein, Kerncraft, 2017), one execution
of the loop misses its distinct lines once; where it does not, its iterations miss what the loops
inside miss, and each access beside these misses. A regime says down to which depth of a nest
iterations do not fit.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..closed_forms.sums import summation
from ..expr import ONE, ZERO, Expr, TooComplex, maximum
from .access_tree import AccessNode, Guard, LoopNode, TreeNode
from .closed import footprint


@dataclass(frozen=True)
class Regime:
    """A regime of the whole run.

    at: the loops of which one iteration has to fit; none: everything fits. needs: lines that the
    cache must have for that, the largest of these. lines: those that miss; None where there is no
    closed formula.
    """

    at: tuple[str, ...]
    needs: tuple[Expr, ...]
    lines: Expr | None


def regimes(body: Sequence[TreeNode]) -> tuple[Regime, ...]:
    """From everything fits to nothing does. Conditions that hold for any cache of a few lines are
    left out."""
    found: list[Regime] = []
    whole = footprint(body)
    if whole is not None:
        found.append(Regime((), (whole,), whole))
    for depth in range(_depth(body)):
        loops = _at_depth(body, depth)
        needs = [footprint(loop.body) for loop in loops]
        if any(e is None for e in needs):
            continue
        known = tuple(dict.fromkeys(e for e in needs if e is not None))
        if found and found[-1].needs == known:
            continue
        lines = _missed(body, depth)
        places = tuple(dict.fromkeys(loop.at for loop in loops))
        found.append(Regime(places, known, lines))
        if all(e.constant is not None for e in known):
            break
    return tuple(found)


def _depth(body: Sequence[TreeNode]) -> int:
    inner = [
        _depth(n.body) + isinstance(n, LoopNode) for n in body if not isinstance(n, AccessNode)
    ]
    return max(inner, default=0)


def _at_depth(body: Sequence[TreeNode], depth: int) -> list[LoopNode]:
    found: list[LoopNode] = []
    for node in body:
        if isinstance(node, Guard):
            found += _at_depth(node.body, depth)
        elif isinstance(node, LoopNode):
            found += [node] if depth == 0 else _at_depth(node.body, depth - 1)
    return found


def _missed(body: Sequence[TreeNode], depth: int) -> Expr | None:
    """Lines that miss where iterations of loops at `depth` fit, and those around do not."""
    try:
        return _of(body, depth)
    except TooComplex:
        return None


def _of(body: Sequence[TreeNode], depth: int) -> Expr | None:
    total = ZERO
    for node in body:
        if isinstance(node, AccessNode):
            lines: Expr | None = ONE
        elif isinstance(node, Guard):
            if node.is_data:
                return None
            inner = _of(node.body, depth)
            lines = None if inner is None else inner * node.share
        elif depth == 0:
            lines = footprint((node,))
        else:
            inner = _of(node.body, depth - 1)
            lines = None
            if inner is not None:
                lines = summation(inner, node.index, maximum(0, node.trips))
        if lines is None:
            return None
        total = total + lines
    return total
