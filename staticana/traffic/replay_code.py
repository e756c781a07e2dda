"""Code that touches what iterations of a loop touched, each line once or a few times.

It brings a stack of lines into the state that these iterations leave behind, without running all of
them: a reference is run over those loops only that its address depends on, and where the addresses
of a loop's iterations overlap (its step is a sum of steps of loops inside, as in LU, whose square
moves along the diagonal), over every n-th iteration, n being the trip count inside.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Any

from ..expr import expr
from .access_tree import AccessNode, Guard, LoopNode, TreeNode
from .lru_stack import I64
from .machine_code import LINE, Code, CodeModule, FunctionCode, Plan, strided

Chain = tuple[LoopNode | Guard, ...]
ALL, OVERLAPPING, ENDS, LAST = "all", "overlapping", "ends", "last"


def replay(body: Sequence[TreeNode], plan: Plan) -> Code:
    """Code for the loops of a nest.

    Raises:
        Refused: a formula has a shape that is not evaluated.
    """
    module = CodeModule(plan)
    work = list(body)
    while work:
        node = work.pop()
        if isinstance(node, LoopNode):
            _ReplayCode(module, node).build(node)
        if not isinstance(node, AccessNode):
            work.extend(node.body)
    return module.finish()


def chains(node: LoopNode | Guard) -> Iterator[tuple[AccessNode, Chain]]:
    """The references of a part, each with the loops and guards around it, from outside in."""
    for part in node.body:
        if isinstance(part, AccessNode):
            yield part, (node,)
        else:
            for reference, chain in chains(part):
                yield reference, (node, *chain)


def distinct(node: LoopNode) -> list[tuple[AccessNode, Chain]]:
    """As `chains`, of references to the same elements a store, else one."""
    found: dict[object, tuple[AccessNode, Chain]] = {}
    for reference, chain in chains(node):
        key = (reference.place, reference.size, chain)
        if key not in found or reference.is_store:
            found[key] = (reference, chain)
    return list(found.values())


def visit(reference: AccessNode, chain: Chain, at: int) -> tuple[str, tuple[LoopNode, ...]]:
    """Which iterations of loop `at` of a chain have to be run, and the loops that it overlaps
    with."""
    loop = chain[at]
    assert isinstance(loop, LoopNode)
    own = reference.place.step(loop.index)
    if own is None or reference.place.spread is not None:
        return ALL, ()
    inner = [c for c in chain[at + 1 :] if isinstance(c, LoopNode)]
    if not own:
        depends = any(loop.index in c.trips.symbols for c in inner)
        return (ENDS if depends else LAST), ()
    steps = [(c, reference.place.step(c.index)) for c in inner]
    moving = [(c, step) for c, step in steps if step]
    for number in (1, 2):
        for chosen in combinations(moving, number):
            total = expr(0)
            for _, step in chosen:
                assert step is not None
                total = total + step
            if total in (own, -own):
                return OVERLAPPING, tuple(c for c, _ in chosen)
    return ALL, ()


def along_lines(reference: AccessNode, chain: Chain) -> int | None:
    """The loop of a chain that is run in steps of a line: the one with the smallest step, if no
    trip count inside depends on it."""
    found: tuple[int, int] | None = None
    for at, loop in enumerate(chain):
        if isinstance(loop, Guard):
            continue
        own = reference.place.step(loop.index)
        step = None if own is None else own.constant
        inner = chain[at + 1 :]
        if step and abs(int(step)) < LINE and not any(_depends(c, loop) for c in inner):
            found = min(found or (LINE, 0), (abs(int(step)), at))
    return None if found is None or reference.place.spread is not None else found[1]


def _depends(node: LoopNode | Guard, loop: LoopNode) -> bool:
    e = node.trips if isinstance(node, LoopNode) else node.share
    return loop.index in e.symbols


class _ReplayCode(FunctionCode):
    """What iterations of a loop leave behind."""

    def build(self, node: LoopNode) -> None:
        for reference, chain in distinct(node):
            self._visit(reference, chain, 0)
        self.finish()

    def _visit(self, reference: AccessNode, chain: Chain, at: int) -> None:
        b = self.b
        if at == len(chain):
            self.spend(I64(1))
            self.access(reference)
            return
        node = chain[at]
        if isinstance(node, Guard):
            with b.if_then(self.holds(node)):
                self._visit(reference, chain, at + 1)
            return
        low, high = (self.first, self.end) if at == 0 else (I64(0), self.value(node.trips))
        how, overlaps = visit(reference, chain, at)
        if how == LAST:
            low = b.select(b.icmp_signed("<", low, high), b.sub(high, I64(1)), low)
        with strided(b, low, high, self._step(reference, chain, at, how, low, high, overlaps)) as k:
            self.values[node.index] = k
            self._visit(reference, chain, at + 1)

    def _step(
        self,
        reference: AccessNode,
        chain: Chain,
        at: int,
        how: str,
        low: Any,
        high: Any,
        overlaps: tuple[LoopNode, ...],
    ) -> Any:
        b = self.b
        node = chain[at]
        assert isinstance(node, LoopNode)
        if how == ENDS:
            return self._at_least_one(b.sub(b.sub(high, low), I64(1)))
        own = reference.place.step(node.index)
        if own is not None and at == along_lines(reference, chain):
            return I64(LINE // abs(int(own.constant or 1)))
        if how == OVERLAPPING:

            def least(k: Any) -> Any:
                self.values[node.index] = k
                found: Any = None
                for loop in overlaps:
                    trips = self.value(loop.trips)
                    smaller = None if found is None else b.icmp_signed("<", trips, found)
                    found = trips if smaller is None else b.select(smaller, trips, found)
                return self._at_least_one(found)

            return least
        return I64(1)

    def _at_least_one(self, value: Any) -> Any:
        return self.b.select(self.b.icmp_signed("<", value, I64(1)), I64(1), value)
