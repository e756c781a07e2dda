"""The tree: loads and stores, the loops and conditions around them, and what is not known of them.

References to one object with equal coefficients reuse each other's lines (uniformly generated sets:
Wolf and Lam, PLDI 1991).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from ...expr import ZERO, Expr


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

    @property
    def symbols(self) -> frozenset[str]:
        """Names of everything that the choice depends on."""
        parts = (
            self.count,
            self.stride,
            *self.seeds,
            *(() if self.level is None else (self.level,)),
        )
        return frozenset().union(*(e.symbols for e in parts))


@dataclass(frozen=True)
class Place:
    """The bytes that an access goes to.

    objects: key of the underlying object; several take turns by the iteration number `turn`, as the
    old and the new grid do. offset: bytes from its start, over iteration numbers and parameters; of
    the first element where data choose one (`spread`). row: which one of the objects that an array
    of pointers points to (double **a).
    """

    objects: tuple[str, ...]
    offset: Expr
    row: Expr | None = None
    turn: str | None = None
    spread: Spread | None = None

    @property
    def symbols(self) -> frozenset[str]:
        """Names of everything that the place depends on."""
        row = frozenset[str]() if self.row is None else self.row.symbols
        turn = frozenset[str]() if self.turn is None else {self.turn}
        spread = frozenset[str]() if self.spread is None else self.spread.symbols
        return self.offset.symbols | row | turn | spread

    def step(self, index: str) -> Expr | None:
        """Bytes from one iteration of a loop to the next; None where it is not affine."""
        if index == self.turn or (self.row is not None and index in self.row.symbols):
            return None
        line = self.offset.affine_in(index)
        return None if line is None else line[0]


@dataclass(frozen=True)
class Making:
    """An allocation in a function, in each iteration of the loops with these iteration numbers."""

    function: str
    loops: frozenset[str]


_NOWHERE = Place((), ZERO)


@dataclass(frozen=True, eq=False)
class AccessNode:
    """A load or store.

    object: key of the underlying object; extent: its bytes, None where not known. address: over
    iteration numbers, parameters and values that are not known, all of which are the same for
    accesses with the same object. jumps: iteration numbers of the loops in which the address moves
    by what only a run tells. creeps: iteration number -> bytes, of those in which it moves by so
    many bytes or stays, as data decide. follows: iteration numbers of the loops in which it moves
    by subscripts that a table holds in order, so that together they go through the object once.
    place: the bytes, in trees that have places.
    """

    object: str
    address: Expr
    size: int
    is_store: bool
    at: str
    extent: Expr | None
    jumps: frozenset[str]
    creeps: Mapping[str, int] = field(default_factory=dict)
    follows: frozenset[str] = frozenset()
    tables: frozenset[str] | None = None
    """Objects that hold the subscripts of an address that jumps; None where it jumps otherwise."""
    made: Making | None = None
    """Where its object is allocated; None where it is no allocation, or not known which."""
    place: Place = _NOWHERE


@dataclass(frozen=True, eq=False)
class Guard:
    """What runs under a condition. share: 1 where it holds, else 0 (over iteration numbers and
    parameters); with `is_data` set, the symbol of the fraction of the cases in which it does."""

    share: Expr
    is_data: bool
    body: tuple[TreeNode, ...]
    at: str


@dataclass(frozen=True, eq=False)
class LoopNode:
    """A loop: the name of its iteration number (from 0), its trip count (where only a run tells it
    `symbols.NO_COUNT`, or in trees with places the symbol of its mean), and its body. chain:
    latency of what each iteration waits for (see `chains`). decided: for each branch that nothing
    but loads decides, these loads (see `branches`). leaves: calls in an iteration, outside of loops
    in it, of functions that are not in the program (the system's, a library's, those behind
    pointers), whose cost the source does not tell."""

    index: str
    trips: Expr
    body: tuple[TreeNode, ...]
    at: str
    function: str
    chain: int = 0
    decided: tuple[tuple[AccessNode, ...], ...] = ()
    leaves: int = 0

    def accesses(self) -> Iterator[tuple[AccessNode, tuple[LoopNode, ...]]]:
        """The accesses inside, with the loops around them from this one inwards."""
        for node in unguarded(self.body):
            if isinstance(node, AccessNode):
                yield node, (self,)
            else:
                for access, chain in node.accesses():
                    yield access, (self, *chain)


TreeNode = AccessNode | LoopNode | Guard


def unguarded(body: Sequence[TreeNode]) -> Iterator[AccessNode | LoopNode]:
    """The nodes of a body as if all conditions held."""
    for node in body:
        if isinstance(node, Guard):
            yield from unguarded(node.body)
        else:
            yield node


@dataclass(frozen=True)
class AccessTree:
    """What the entry runs, in the order of execution. gaps: what was left out or is assumed, in
    words. notes: what places rest on. unknowns: symbols of what only a run tells -> their meaning;
    fractions: those of them that are fractions."""

    body: tuple[TreeNode, ...]
    gaps: tuple[str, ...]
    notes: tuple[str, ...] = ()
    unknowns: Mapping[str, str] = field(default_factory=dict)
    fractions: frozenset[str] = frozenset()

    @property
    def nodes(self) -> Iterator[TreeNode]:
        """All nodes, those of a function once for each call of it."""
        work = list(self.body)
        while work:
            node = work.pop()
            yield node
            if not isinstance(node, AccessNode):
                work.extend(node.body)

    @property
    def loops(self) -> Iterator[LoopNode]:
        """All loops, those of a function once for each call of it."""
        return (node for node in self.nodes if isinstance(node, LoopNode))

    @property
    def size(self) -> int:
        """Loads, stores and loops, those of a function once for each call of it."""
        return sum(not isinstance(node, Guard) for node in self.nodes)
