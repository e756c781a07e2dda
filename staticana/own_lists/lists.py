"""Lists whose nodes are chained once and for all.

A structure of a program is the node of such a list where the pointer to the next node is stored
before any other pointer holds the node, and never after. What such a pointer leads to has then a
length that does not change: 0 for a null pointer, else one more than that of the next node. A
structure is told by its class of storage: all its accesses are known.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise

from ..alias.library import library_function
from ..ir import cxx_names as cxx
from ..ir.graph import callee, instructions
from ..ir.loop_info import LoopForest, loop_forest
from ..ir.matchers import is_any, is_gep, is_icmp, is_load, is_phi, is_select, is_store
from ..ir.types import Function, Instruction, IntLiteral, Operand, Register
from .append_sites import base_of
from .points_to import COPIES, FILLS, NOWHERE, PointsTo, is_whole
from .storage import Access, Storage, touching

ZEROED = "calloc"
"""What makes a node whose next one is null until it is stored."""
_LARGEST = 1 << 15
"""The largest count, and the largest size of one, of which calloc is taken to find the memory."""


@dataclass(frozen=True)
class Chain:
    """The class of the nodes of lists. start: the offset in the class at which a node begins; next:
    that of the pointer to the next node."""

    storage: Storage
    start: int
    next: int

    @property
    def nodes(self) -> Iterator[tuple[str, str, int]]:
        """The calls that make nodes (function, result), with how far into one the pointer is."""
        for f, made, at in self.storage.makers:
            yield f.name, made.token, self.next - at


class Lists:
    """The lists of a program that are chained once."""

    def __init__(self, points: PointsTo) -> None:
        self.points = points
        self._forests: dict[str, LoopForest] = {}
        self._lines: dict[str, dict[int, str]] = {}
        self._stores: dict[tuple[str, str], Instruction] = {}
        self.chains = self._chained()
        if self.chains and points.with_moved_elements():
            self._stores.clear()
            self.chains = self._chained()

    def _chained(self) -> dict[int, Chain]:
        """The lists that are chained once, by the identities of their classes."""
        if not self.is_sound:
            return {}
        possible = (c for c in self._possible() if self._is_walked(c))
        return {id(c.storage): c for c in possible if self._is_chained_once(c)}

    @property
    def is_sound(self) -> bool:
        """Is something known of all storage to which pointers are written?"""
        return all(
            s.makers or s.has_others or s.escapes
            for s in self.points.storages()
            if any(a.is_pointer and is_store(a.instruction) for a in s.accesses)
        )

    def keep(self, proven: Lists) -> None:
        """Leaves only those whose nodes are all nodes there, too: in another form of the program,
        in which more of it is seen."""
        known = {n for c in proven.chains.values() for n in c.nodes}
        self.chains = {k: c for k, c in self.chains.items() if known.issuperset(c.nodes)}

    # -- answers
    def is_node(self, f: Function, value: Operand) -> bool:
        """Does a register point to a node, and not into one?"""
        if not isinstance(value, Register):
            return False
        p = self.points.of(f, value)
        chain = self.chains.get(id(p.storage)) if p is not None else None
        return chain is not None and p is not None and p.offset == chain.start

    def last_store(self, f: Function, made: Instruction) -> Instruction | None:
        """The store with which a new node gets its next one; None where it has none."""
        return self._stores.get((f.name, made.token))

    def reads_next(self, f: Function, i: Instruction) -> bool:
        """Is it a load of the pointer to the next node?"""
        p = self.points.of(f, i.operands[0]) if is_load(i) else None
        chain = self.chains.get(id(p.storage)) if p is not None else None
        return chain is not None and p is not None and p.offset == chain.next

    def writes_next(self, f: Function, i: Instruction) -> bool:
        p = self.points.of(f, i.operands[1]) if is_store(i) else None
        chain = self.chains.get(id(p.storage)) if p is not None else None
        return chain is not None and p is not None and p.offset == chain.next

    # -- which structures are nodes
    def _possible(self) -> Iterator[Chain]:
        found = self.points.classes.found
        for s in self.points.storages():
            starts = {at for _, _, at in s.makers}
            if not s.is_plain or len(starts) != 1:
                continue
            start = starts.pop()
            for at, p in sorted(s.contents.items()):
                if found(p) == (s, start) and self._can_be_next(Chain(s, start, at)):
                    yield Chain(s, start, at)
                    break

    def _can_be_next(self, chain: Chain) -> bool:
        """Is each access that may touch the pointer to the next node one of that pointer, and each
        store one to a new node?"""
        for a in touching(chain.storage, chain.next):
            i = a.instruction
            if not a.is_pointer or a.offset != chain.next or not is_any(i, "load", "store"):
                return False
            node = self.points.of(a.function, base_of(a.function, i.operands[-1]))
            if node != (chain.storage, chain.start):
                return False
            if is_store(i) and self._maker(a) is None:
                return False
        return all(not (x.start <= chain.next < x.end) for x in chain.storage.arrays)

    def _maker(self, a: Access) -> Instruction | None:
        """The call that makes the node whose member is read or set, in the same function."""
        made = a.function.definitions.get(base_of(a.function, a.instruction.operands[-1]))
        return (
            made
            if made is not None and made.is_call and callee(made) in cxx.NEW_STRUCTURE
            else None
        )

    def _is_walked(self, chain: Chain) -> bool:
        """Does a loop step from node to node?"""
        for a in touching(chain.storage, chain.next):
            f, i = a.function, a.instruction
            if is_load(i) and self._forest(f).innermost.get(f.block_of[i.token]):
                return True
        return False

    def _forest(self, f: Function) -> LoopForest:
        if f.name not in self._forests:
            self._forests[f.name] = loop_forest(f, self.points.module)
        return self._forests[f.name]

    def _is_chained_once(self, chain: Chain) -> bool:
        stores = self._stores_of(chain)
        if stores is None or not self._is_read_late(chain, stores):
            return False
        found = self.points.classes.found
        for s in self.points.storages():  # whatever holds a pointer to a node holds just that
            for at, p in s.contents.items():
                storage, offset = found(p)
                if storage is not chain.storage:
                    continue
                if offset != chain.start or s.escapes:
                    return False
                if s is chain.storage and at == chain.next:
                    continue
                if not all(is_whole(a) for a in touching(s, at)):
                    return False
        for f in self.points.functions.values():
            for i in instructions(f):
                if not self._is_followed(f, i, chain, stores):
                    return False
        self._stores |= {(f, t): i for (f, t), i in stores.items() if i is not None}
        return True

    def _stores_of(self, chain: Chain) -> dict[tuple[str, str], Instruction | None] | None:
        """New node -> the last store of its next one; None where another may come later."""
        grouped: dict[tuple[str, str], list[Instruction]] = {}
        for a in touching(chain.storage, chain.next):
            if is_store(a.instruction):
                made = self._maker(a)
                if made is None:
                    return None
                grouped.setdefault((a.function.name, made.token), []).append(a.instruction)
        result: dict[tuple[str, str], Instruction | None] = {}
        for f, made, _ in chain.storage.makers:
            stores = sorted(grouped.get((f.name, made.token), ()), key=lambda i: i.line)
            if not stores and not _is_zeroed(made):
                return None
            forest = self._forest(f)
            if forest.irreducible:
                return None
            loop = forest.innermost.get(f.block_of[made.token])
            blocks = [self._block(f, i) for i in stores]
            if any(forest.innermost.get(b) != loop for b in blocks):
                return None
            placed = list(zip(stores, blocks, strict=True))
            if not all(self._is_before(forest, *one, *other) for one, other in pairwise(placed)):
                return None
            result[f.name, made.token] = stores[-1] if stores else None
        return result

    def _is_read_late(
        self, chain: Chain, stores: Mapping[tuple[str, str], Instruction | None]
    ) -> bool:
        """Is the next node of a new one read only after it has been stored for the last time?"""
        for a in touching(chain.storage, chain.next):
            f, i = a.function, a.instruction
            made = self._maker(a) if is_load(i) else None
            last = stores.get((f.name, made.token)) if made is not None else None
            if last is not None and not self._is_before(
                self._forest(f), last, self._block(f, last), i, self._block(f, i)
            ):
                return False
        return True

    @staticmethod
    def _is_before(
        forest: LoopForest, one: Instruction, a: str, other: Instruction, b: str
    ) -> bool:
        """Does one instruction always run before another?"""
        return one.line < other.line if a == b else forest.dominates(a, b)

    def _block(self, f: Function, i: Instruction) -> str:
        if f.name not in self._lines:
            self._lines[f.name] = {
                i.line: b.name for b in f.blocks.values() for i in b.instructions
            }
        return self._lines[f.name][i.line]

    # -- what happens to pointers to nodes
    def _is_followed(
        self,
        f: Function,
        i: Instruction,
        chain: Chain,
        stores: Mapping[tuple[str, str], Instruction | None],
    ) -> bool:
        """Is all that an instruction does with pointers to nodes understood?"""
        if i.result is not None and not self._is_made(f, i, chain):
            return False
        for k, o in enumerate(i.operands):
            p = (
                self.points.of(f, o)
                if isinstance(o, Register) and self.points.is_pointer(f, o)
                else None
            )
            if p is None or p.storage is not chain.storage:
                continue
            use = self._use(f, i, k, p.offset == chain.start)
            if use is None:
                return False
            made = f.definitions.get(o)
            if (use or is_icmp(i)) and made is not None:
                if is_gep(made):  # the address of its first member
                    return False
            if use and not self._is_chained_at(f, i, k, o, stores):
                return False
        return True

    def _is_made(self, f: Function, i: Instruction, chain: Chain) -> bool:
        """Is the result no pointer to a node, or one whose list is known?"""
        if not self.points.is_pointer(f, i.token):
            return True
        p = self.points.of(f, i.token)
        if p is None or p.storage is not chain.storage:
            return True
        if is_gep(i) or i.token not in f.users:
            return True
        if p.offset != chain.start:
            return False
        return i.type == "ptr" and (is_any(i, "phi", "select", "load") or self._is_call(i))

    def _is_call(self, i: Instruction) -> bool:
        name = callee(i) if i.is_call else None
        return name is not None and (name in cxx.NEW_STRUCTURE or name in self.points.functions)

    def _use(self, f: Function, i: Instruction, k: int, is_start: bool) -> bool | None:
        """Is a pointer used for the length of its list, or only as an address? None: neither."""
        if is_load(i):
            return False
        if is_gep(i) and k == 0:
            return False
        if is_store(i):
            return False if k == 1 else (True if is_start else None)
        if is_icmp(i):
            others = [o for o in i.operands if o not in NOWHERE]
            return False if len(others) > 1 or not is_start else self._is_old(f, others[0])
        if i.is_call:
            return self._handed(f, i, k, is_start)
        if not is_start:
            return None
        return True if is_any(i, "phi", "ret") or (is_select(i) and k) else None

    def _is_old(self, f: Function, o: Operand) -> bool:
        """Is a node one that has been made before, so that it has a length?"""
        made = f.definitions.get(o)
        return not (made is not None and made.is_call and callee(made) in cxx.NEW_STRUCTURE)

    def _handed(self, f: Function, i: Instruction, k: int, is_start: bool) -> bool | None:
        name = callee(i) or ""
        if k == 0:
            return None
        if name in self.points.functions:
            return True if is_start and k <= len(self.points.functions[name].parameters) else None
        if name.startswith((*COPIES, *FILLS)):
            return None if k == 1 else False
        return False if library_function(name) is not None else None

    def _is_chained_at(
        self,
        f: Function,
        i: Instruction,
        k: int,
        o: Operand,
        stores: Mapping[tuple[str, str], Instruction | None],
    ) -> bool:
        """Has a new node its next one where the length of its list is asked for?"""
        last = stores.get((f.name, o))
        if last is None:
            return True
        forest = self._forest(f)
        if is_phi(i):
            label = i.labels[k]
            return self._is_before(
                forest, last, self._block(f, last), f.blocks[label].terminator, label
            )
        return self._is_before(forest, last, self._block(f, last), i, self._block(f, i))


def _is_zeroed(made: Instruction) -> bool:
    """Is a node set to zero where it is made? One whose size varies may be none: too large."""
    if callee(made) != ZEROED:
        return False
    sizes = [o.value for o in made.operands[1:] if isinstance(o, IntLiteral)]
    return len(sizes) == 2 and all(0 <= s <= _LARGEST for s in sizes)
