"""The tree: loads and stores, the loops around them, and what is not known of both."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from ...expr import Expr


@dataclass(frozen=True, eq=False)
class AccessNode:
    """A load or store.

    object: key of the underlying object; extent: its bytes, None where not known. address: over
    iteration numbers, parameters and values that are not known, all of which are the same for
    accesses with the same object. jumps: iteration numbers of the loops in which the address moves
    by what only a run tells. creeps: iteration number -> bytes, of those in which it moves by so
    many bytes or stays, as data decide. follows: iteration numbers of the loops in which it moves
    by subscripts that a table holds in order, so that together they go through the object once.
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


@dataclass(frozen=True, eq=False)
class LoopNode:
    """A loop: the name of its iteration number (from 0), its trip count (None: only a run tells),
    and its body. chain: latency of what each iteration waits for (see `chains`). decided: for each
    branch that nothing but loads decides, these loads (see `branches`). leaves: calls in an
    iteration, outside of loops in it, of functions that are not in the program (the system's, a
    library's, those behind pointers), whose cost the source does not tell."""

    index: str
    trips: Expr | None
    body: tuple[AccessNode | LoopNode, ...]
    at: str
    function: str
    chain: int = 0
    decided: tuple[tuple[AccessNode, ...], ...] = ()
    leaves: int = 0


TreeNode = AccessNode | LoopNode


@dataclass(frozen=True)
class AccessTree:
    """What the entry runs. `gaps`: what was left out or is assumed, in words."""

    body: tuple[TreeNode, ...]
    gaps: tuple[str, ...]

    @property
    def loops(self) -> Iterator[LoopNode]:
        """All loops, those of a function once for each call of it."""
        work = list(self.body)
        while work:
            node = work.pop()
            if isinstance(node, LoopNode):
                yield node
                work.extend(node.body)

    @property
    def size(self) -> int:
        """Loads, stores and loops, those of a function once for each call of it."""
        work, found = list(self.body), 0
        while work:
            node = work.pop()
            found += 1
            if isinstance(node, LoopNode):
                work.extend(node.body)
        return found
