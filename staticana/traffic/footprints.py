"""The distinct lines that a part of a nest touches, for given parameters and iteration numbers.

A reference's addresses are ranges where a loop steps by a line at most, one range for each
iteration of the other loops whose number its address depends on. Ranges of all references to an
object are united, so that groups with equal coefficients count what they share once.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..expr import Expr, Number, expr, symbols
from ..expr.vectorised import at_points, is_vectorised
from .line_sets import EMPTY, LineSet
from .references import LoopNode, Node, Reference, unguarded
from .refusal import Refused

LINE = 64
_OBJECT_LINES = 1 << 38
"""Lines between the starts of two objects, which begin at a line."""
_MAX_RANGES = 4_000_000
_REPRESENTATIVES = 9
"""Iterations that stand for those of a loop whose number only inner trip counts depend on."""

Values = Mapping[str, int]


@dataclass(frozen=True, eq=False)
class Access:
    """A reference with numbers for parameters: `start` and `steps` (by iteration number) in
    bytes, `base` the first line of its object."""

    base: int
    start: int
    steps: Mapping[str, int]
    size: int


@dataclass(frozen=True, eq=False)
class Loop:
    """A loop with numbers for parameters; `trips` over the iteration numbers of `needs`."""

    key: int
    index: str
    trips: Callable[[Mapping[str, Any]], Any]
    needs: frozenset[str]
    body: tuple[Part, ...]
    chains: tuple[tuple[Access, tuple[Loop, ...]], ...]
    """Accesses inside, each with the loops around it inside this one."""
    free: frozenset[str]
    """Iteration numbers of outer loops that the inside depends on."""


Part = Access | Loop


def bound(body: Sequence[Node], parameters: Mapping[str, Number]) -> tuple[Part, ...]:
    """A nest with numbers for its parameters.

    Raises:
        Refused: an address is not affine in the iteration numbers, or a parameter is missing.
    """
    binder = _Binder(parameters)
    return tuple(binder.part(n) for n in unguarded(body))


class _Binder:
    def __init__(self, parameters: Mapping[str, Number]) -> None:
        self.values = {name: expr(v) for name, v in parameters.items()}
        self.objects: dict[str, int] = {}
        self.loops = 0

    def part(self, node: Reference | LoopNode) -> Part:
        return self._access(node) if isinstance(node, Reference) else self._loop(node)

    def _known(self, e: Expr, what: str) -> Expr:
        e = e.substitute(self.values)
        missing = sorted(s for s in e.symbols if not symbols.is_iteration(s))
        if missing:
            raise Refused(f"{what} needs a value for {', '.join(missing)}")
        return e

    def _access(self, reference: Reference) -> Access:
        at = self.objects.setdefault(reference.object, len(self.objects))
        what = f"the address at {reference.at}"
        rest = self._known(reference.offset, what)
        steps: dict[str, int] = {}
        for name in sorted(rest.symbols):
            parts = rest.split(name)
            step = parts.get(1, expr(0)).constant if parts is not None else None
            if parts is None or set(parts) - {0, 1} or step is None:
                raise Refused(f"{what} is not affine in the iteration numbers")
            if step:
                steps[name] = int(step)
            rest = parts.get(0, expr(0))
        start = rest.constant
        assert start is not None
        return Access(at * _OBJECT_LINES, int(start), steps, reference.size)

    def _loop(self, node: LoopNode) -> Loop:
        trips = self._known(node.trips, f"the trip count of the loop at {node.at}")
        self.loops += 1
        key = self.loops
        body = tuple(self.part(n) for n in unguarded(node.body))
        chains: list[tuple[Access, tuple[Loop, ...]]] = []
        free = set(trips.symbols)
        for part in body:
            if isinstance(part, Access):
                chains.append((part, ()))
                free |= part.steps.keys()
            else:
                chains += [(access, (part, *inner)) for access, inner in part.chains]
                free |= part.free
        return Loop(
            key,
            node.index,
            _compiled(trips),
            trips.symbols,
            body,
            tuple(chains),
            frozenset(free - {node.index}),
        )


def _compiled(e: Expr) -> Callable[[Mapping[str, Any]], Any]:
    """A trip count over iteration numbers as a function of numbers or arrays.

    Raises:
        Refused: the trip count has a logarithm, a root or a sum.
    """
    if not is_vectorised(e):
        raise Refused(f"a trip count has a form that is not evaluated: {e}")
    number = e.constant
    if number is not None:
        fixed = int(number)
        return lambda values: fixed

    def evaluate(values: Mapping[str, Any]) -> Any:
        return np.maximum(at_points(e, values), 0).astype(np.int64)

    return evaluate


class Footprints:
    """Lines touched by parts of one nest, each found once."""

    def __init__(self) -> None:
        self._known: dict[tuple[object, ...], LineSet] = {}

    def of_iterations(self, loop: Loop, low: int, high: int, values: Values) -> LineSet:
        """Lines of iterations low .. high - 1 of a loop."""
        key = (loop.key, low, high, *(values[s] for s in sorted(loop.free)))
        found = self._known.get(key)
        if found is None:
            if len(self._known) > 20_000:
                self._known.clear()
            ranges = [
                r
                for access, inner in loop.chains
                for r in _ranges(access, loop, low, high, inner, values)
            ]
            found = LineSet(np.concatenate(ranges, axis=1)) if ranges else EMPTY
            self._known[key] = found
        return found

    def of_access(self, access: Access, values: Values) -> LineSet:
        """Lines of one execution of an access."""
        at = access.start + sum(c * values[s] for s, c in access.steps.items())
        first, last = at // LINE, (at + access.size - 1) // LINE
        return LineSet(np.array([[first + access.base], [last + access.base]], dtype=np.int64))


def _ranges(
    access: Access, loop: Loop, low: int, high: int, inner: tuple[Loop, ...], values: Values
) -> list[Any]:
    """The ranges of lines of an access in some iterations of a loop."""
    chain = (loop, *inner)
    own = {lp.index for lp in chain}
    offset = np.array(
        [access.start + sum(c * values[s] for s, c in access.steps.items() if s not in own)],
        dtype=np.int64,
    )
    at: dict[str, Any] = {s: np.array([v]) for s, v in values.items()}
    stretched = _stretched(access, chain)
    extent: Any = np.zeros(1, dtype=np.int64)
    for k, lp in enumerate(chain):
        step = access.steps.get(lp.index, 0)
        needed = any(lp.index in x.needs for x in chain[k + 1 :])
        if k == 0:
            first: Any = low
            count: Any = np.full(offset.shape, high - low, dtype=np.int64)
        else:
            first = 0
            count = np.broadcast_to(lp.trips(at), offset.shape)
        keep = count > 0
        if not keep.all():
            offset, count = offset[keep], count[keep]
            extent = extent[keep]
            at = {s: (v[keep] if v.shape == keep.shape else v) for s, v in at.items()}
        if not offset.size:
            return []
        if lp is stretched:
            offset = offset + step * first
            reach = step * (count - 1)
            offset = offset + np.minimum(reach, 0)
            extent = extent + np.abs(reach)
            continue
        if step == 0 and not needed:
            at[lp.index] = np.zeros(offset.shape, dtype=np.int64) + first
            continue
        which, number = _numbers(count, thinned=step == 0)
        if which.size > _MAX_RANGES:
            raise Refused("a footprint has too many separate ranges")
        number = number + first
        offset = offset[which] + step * number
        extent = extent[which]
        at = {s: (v[which] if v.shape == count.shape else v) for s, v in at.items()}
        at[lp.index] = number
    first_line = offset // LINE + access.base
    last_line = (offset + extent + access.size - 1) // LINE + access.base
    return [np.array((first_line, last_line))]


def _stretched(access: Access, chain: tuple[Loop, ...]) -> Loop | None:
    """The loop whose iterations make one range: the smallest step, of a line at most."""
    found = [
        lp
        for k, lp in enumerate(chain)
        if 0 < abs(access.steps.get(lp.index, 0)) <= LINE
        and not any(lp.index in x.needs for x in chain[k + 1 :])
    ]
    return min(found, key=lambda lp: abs(access.steps[lp.index]), default=None)


def _numbers(count: Any, *, thinned: bool) -> tuple[Any, Any]:
    """(position in `count`, iteration number) of each iteration; a few that stand for all where
    they are thinned out."""
    if thinned and int(count.max()) > _REPRESENTATIVES:
        share = np.linspace(0, 1, _REPRESENTATIVES)
        numbers = np.rint((count[:, None] - 1) * share[None, :]).astype(np.int64)
        return np.repeat(np.arange(count.size), _REPRESENTATIVES), numbers.ravel()
    total = int(count.sum())
    if total > _MAX_RANGES:
        raise Refused("a footprint has too many separate ranges")
    which = np.repeat(np.arange(count.size), count)
    ends = np.cumsum(count)
    return which, np.arange(total) - np.repeat(ends - count, count)
