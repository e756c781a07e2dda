"""The loads and stores of a program as a tree of loops, in the order of execution.

The address of each is an underlying object and an offset in bytes, a formula of the iteration
numbers of the loops around and of parameters. References to one object with equal coefficients
reuse each other's lines (uniformly generated sets: Wolf and Lam, PLDI 1991). `reading` finds them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from ..expr import Expr


@dataclass(frozen=True)
class Spread:
    """Where data choose an element: of `count` elements, `stride` bytes apart, all alike likely.

    The choice is a function of the `seeds` (and of `salt`): where these are the same, so is the
    element. level: of a binary search, how often the range was halved before; `is_guess`: nothing
    says that all elements are alike likely, since each choice follows from the one before.
    """

    count: Expr
    stride: Expr
    seeds: tuple[Expr, ...]
    salt: int
    level: Expr | None = None
    is_guess: bool = False


@dataclass(frozen=True, eq=False)
class Reference:
    """One load or store.

    object: key of the underlying object. offset: bytes from its start, over iteration numbers and
    parameters; of the first element where data choose one. size: bytes. row: which one of the
    objects that an array of pointers points to (double **a).
    """

    object: str
    offset: Expr
    size: int
    is_store: bool
    at: str
    spread: Spread | None = None
    row: Expr | None = None

    @property
    def symbols(self) -> frozenset[str]:
        """Names of everything that the address depends on."""
        found = self.offset.symbols
        if self.row is not None:
            found |= self.row.symbols
        if self.spread is not None:
            parts = (self.spread.count, self.spread.stride, *self.spread.seeds)
            if self.spread.level is not None:
                parts = (*parts, self.spread.level)
            found = found.union(*(e.symbols for e in parts))
        return found


@dataclass(frozen=True, eq=False)
class Guard:
    """What runs under a condition. share: 1 where it holds, else 0 (over iteration numbers and
    parameters); with `is_data` set, the symbol of the fraction of the cases in which it does."""

    share: Expr
    is_data: bool
    body: tuple[Node, ...]
    at: str


@dataclass(frozen=True, eq=False)
class LoopNode:
    """A loop: the name of its iteration number (from 0), its trip count, and its body."""

    index: str
    trips: Expr
    body: tuple[Node, ...]
    at: str
    function: str

    def references(self) -> Iterator[tuple[Reference, tuple[LoopNode, ...]]]:
        """The references inside, with the loops around them from this one inwards."""
        for node in unguarded(self.body):
            if isinstance(node, Reference):
                yield node, (self,)
            else:
                for reference, chain in node.references():
                    yield reference, (self, *chain)


Node = Reference | LoopNode | Guard


def unguarded(body: Sequence[Node]) -> Iterator[Reference | LoopNode]:
    """The nodes of a body as if all conditions held."""
    for node in body:
        if isinstance(node, Guard):
            yield from unguarded(node.body)
        else:
            yield node


@dataclass(frozen=True)
class Nest:
    """What the entry runs; `names`: key of each object -> its name in the source; `notes`: what
    the tree rests on, in words; `unknowns`: symbols of what only a run tells -> their meaning;
    `fractions`: those of them that are fractions."""

    body: tuple[Node, ...]
    names: Mapping[str, str]
    notes: tuple[str, ...]
    unknowns: Mapping[str, str] = field(default_factory=dict)
    fractions: frozenset[str] = frozenset()
