"""The tree of a program, read call by call: calls are put in place of the functions they go to."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from ...alias.library import library_function
from ...expr import Expr, TooComplex, sym, symbols
from ...interprocedural.program import Program
from ...ir.graph import callee
from ...ir.matchers import is_any, is_load, is_store
from ...ir.types import ATOMIC_UPDATES, Instruction, Operand
from ...recursion import deep_recursion
from ...scev.context import FunctionContext
from ..frames import Frame
from ..loops_around import child_loop, loops_around
from ..refusal import Refused
from .branches import deciding_loads
from .chains import chain_of
from .index_tables import IndexTables
from .movement import creeps_of, jumps_of
from .nodes import AccessNode, AccessTree, Guard, LoopNode, TreeNode
from .objects import Objects, loaded_pointer_in, pointer_in
from .places import Places
from .unknowns import Unknowns, is_strange

_MAX_DEPTH = 12
"""Calls, one inside the other, that are read; beyond, a gap is noted."""
_MAX_NODES = 20_000
"""Loads and stores of one tree; beyond, a gap is noted."""
_LINE = 64
"""Bytes of a line: memory that is copied or filled counts as one access a line."""
_COPIES = ("llvm.memcpy", "llvm.memmove", "memcpy", "memmove")
_FILLS = ("llvm.memset", "memset")
_NO_MEMORY = re.compile(
    r"llvm\.(?!mem)|(?:sqrt|exp|log|sin|cos|tan|pow|fabs|fmax|fmin|floor|ceil)f?$"
)


@deep_recursion()
def access_tree(program: Program, function: str | None = None) -> AccessTree:
    """The loads and stores of one call of a function (the entry unless told), with gaps where
    something is not known."""
    return _Reader(program).tree(function or program.entry)


@deep_recursion()
def placed_tree(program: Program, function: str | None = None) -> AccessTree:
    """The same without gaps: with the bytes that each access goes to, the conditions that it is
    under, and names for what only a run tells.

    Raises:
        Refused: an address or a trip count is no formula of iteration numbers and parameters.
    """
    try:
        return _PlacedReader(program).tree(function or program.entry)
    except TooComplex:
        raise Refused("the formula of an address or a trip count would be too long") from None


class _Reader:
    def __init__(self, program: Program) -> None:
        self.program = program
        self.unknowns = Unknowns(program)
        self.objects = Objects(program, self.settled)
        self.tables = IndexTables(self.objects)
        self.gaps: set[str] = set()
        self.notes: set[str] = set()
        self.nodes = 0
        self.leaves = 0  # calls of what is not in the program, in the loop that is being read

    def tree(self, function: str) -> AccessTree:
        """The tree of a call of a function."""
        body = self._function(Frame(self.program.view(function)), 0)
        return AccessTree(
            self.tables.followed(body),
            tuple(sorted(self.gaps)),
            tuple(sorted(self.notes)),
            self.unknowns.meanings,
            frozenset(self.unknowns.fractions),
        )

    # -- what a tree with places knows better
    def settled(self, frame: Frame, e: Expr) -> Expr:
        """A formula with names for what only a run tells."""
        return e

    def gap(self, reason: str) -> None:
        """Something is left out."""
        self.gaps.add(reason)

    def untold_trips(self, frame: Frame, trips: Expr | None, at: str) -> Expr:
        """A trip count, with or without a formula, that only a run tells."""
        return sym(symbols.NO_COUNT)

    def guarded(
        self, frame: Frame, block: str, within: str | None, here: Sequence[TreeNode]
    ) -> Sequence[TreeNode]:
        """Nodes of a block under the condition that control comes to it."""
        return here

    def placed(self, access: AccessNode, frame: Frame, block: str, token: Operand) -> AccessNode:
        """An access with the bytes that it goes to."""
        return access

    def outside(self, i: Instruction, name: str | None, at: str) -> None:
        """A call of what is not in the program."""

    # -- functions and loops
    def _function(self, frame: Frame, depth: int) -> tuple[TreeNode, ...]:
        name = frame.view.function.name
        if depth > _MAX_DEPTH or self.nodes > _MAX_NODES:
            self.gap(f"calls inside {name} are too many or too deep")
        elif frame.view.forest.irreducible:
            self.gap(f"{name} has a cycle with several entries")
        else:
            return self._blocks(frame, None, depth)
        return ()

    def _blocks(self, frame: Frame, within: str | None, depth: int) -> tuple[TreeNode, ...]:
        """The accesses directly in a loop (in the function), and the loops in it."""
        view = frame.view
        found: list[TreeNode] = []
        for name in _in_order(view, within):
            here: list[TreeNode] = []
            if name in view.loops and name != within:
                here.append(self._loop(frame, name, depth))
            else:
                for i in view.function.blocks[name].instructions:
                    here.extend(self._instruction(frame, name, i, depth))
            if here:
                found.extend(self.guarded(frame, name, within, here))
        return tuple(found)

    def _loop(self, frame: Frame, header: str, depth: int) -> LoopNode:
        view = frame.view
        at = view.loops[header].at
        trips = self._trips(frame, header, at)
        self.nodes += 1
        around, self.leaves = self.leaves, 0
        body = self._blocks(frame, header, depth)
        leaves, self.leaves = self.leaves, around
        name = view.function.name
        chain, decided = chain_of(view, header), tuple(self._decided(frame, header))
        index = view.variables.index(header)
        return LoopNode(index, trips, body, at, name, chain, decided, leaves)

    def _trips(self, frame: Frame, header: str, at: str) -> Expr:
        """A loop's trip count."""
        count = frame.view.trip_counts.iterations(header)
        found = None
        if count.formula is not None and count.reason is None:
            found = frame.in_terms_if_short(count.formula, frame.view.enclosing_loops(header))
        if found is not None and not is_strange(found):
            return found
        self.gaps.add(f"the trip count of the loop at {at} is taken from the runs")
        return self.untold_trips(frame, found, at)

    def _decided(self, frame: Frame, header: str) -> Iterator[tuple[AccessNode, ...]]:
        """What each branch of a loop that loads decide loads."""
        view = frame.view
        for loads in deciding_loads(view, header):
            yield tuple(
                access
                for i in loads
                for access in self._access(
                    frame, view.function.block_of[i.token], i, i.operands[0], is_store=False
                )
            )

    # -- instructions
    def _instruction(
        self, frame: Frame, block: str, i: Instruction, depth: int
    ) -> Iterator[TreeNode]:
        if is_load(i):
            yield from self._placed(frame, block, i, i.operands[0], is_store=False)
        elif is_store(i):
            yield from self._placed(frame, block, i, i.operands[1], is_store=True)
        elif is_any(i, *ATOMIC_UPDATES):
            yield from self._placed(frame, block, i, i.operands[0], is_store=False)
            yield from self._placed(frame, block, i, i.operands[0], is_store=True)
        elif i.is_call:
            yield from self._call(frame, block, i, depth)

    def _call(self, frame: Frame, block: str, i: Instruction, depth: int) -> Iterator[TreeNode]:
        view = frame.view
        target = self.program.target(view.function.name, i)
        if target is None:
            yield from self._library_call(frame, block, i)
            return
        if frame.encloses(target.name):
            self.gap(f"{target.name} calls itself")
            return
        loops = loops_around(view, block)
        values: dict[str, Expr] = {}
        jumps: dict[str, frozenset[str]] = {}
        for symbol, e in self.program.arguments(view, block, i, target).items():
            found = frame.in_terms_if_short(e, loops)
            if found is None:
                self.gap(f"what the call at {view.place(i)} hands on would be too long a formula")
            values[symbol] = sym(symbol) if found is None else found
            jumps[symbol] = jumps_of(frame, e, loops)
        yield from self._function(
            Frame(self.program.view(target.name), frame, i, block, values, jumps), depth + 1
        )

    def _library_call(self, frame: Frame, block: str, i: Instruction) -> Iterator[TreeNode]:
        name = callee(i)
        self.outside(i, name, frame.view.place(i))
        if name is not None and name.startswith(_COPIES):
            yield from self._copy(frame, block, i, i.operands[1], is_store=True)
            yield from self._copy(frame, block, i, i.operands[2], is_store=False)
        elif name is not None and name.startswith(_FILLS):
            yield from self._copy(frame, block, i, i.operands[1], is_store=True)
        elif name is None or not name.startswith("llvm."):
            self.leaves += 1

    def _copy(
        self, frame: Frame, block: str, i: Instruction, token: Operand, *, is_store: bool
    ) -> Iterator[TreeNode]:
        """A copy or fill of a block of memory as a loop over its lines."""
        loops = loops_around(frame.view, block)
        length = frame.in_terms_if_short(frame.view.scalars.value(i.operands[3]).expr, loops)
        if length is None or is_strange(length):
            return
        self.nodes += 1
        name = frame.view.function.name
        index = symbols.iteration(name, f"{i.result}.{self.nodes}")
        for access in self._access(frame, block, i, token, is_store=is_store, size=_LINE):
            moved = replace(access, address=access.address + sym(index) * _LINE)
            yield LoopNode(index, length.over(_LINE), (moved,), "", name)

    def _placed(
        self, frame: Frame, block: str, i: Instruction, token: Operand, *, is_store: bool
    ) -> Iterator[AccessNode]:
        for access in self._access(frame, block, i, token, is_store=is_store):
            yield self.placed(access, frame, block, token)

    def _access(
        self,
        frame: Frame,
        block: str,
        i: Instruction,
        token: Operand,
        *,
        is_store: bool,
        size: int | None = None,
    ) -> Iterator[AccessNode]:
        view = frame.view
        size = size or self.program.layout.size(i.type)
        place = view.place(i)
        if not size:
            self.gap(f"the access at {place} has no fixed size")
            return
        loops = loops_around(view, block)
        own = view.scalars.value(token).expr
        address = frame.in_terms_if_short(own, loops)
        if address is None:
            self.gap(f"the address at {place} would be too long a formula")
            return
        self.nodes += 1
        key, extent = self.objects.of(frame, token)
        if key is None:
            key = pointer_in(address) or loaded_pointer_in(address) or f"?{place}"
        elif extent is None:  # accessors that return addresses in one array are not many arrays
            key = loaded_pointer_in(address) or key
        creeps = creeps_of(frame, own, loops)
        made = self.objects.making(frame, token)
        jumps = jumps_of(frame, own, loops) - creeps.keys()
        jumps -= frozenset() if made is None else made.loops
        tables = self.tables.behind(frame, token, loops) if jumps else None
        if is_store:
            self.tables.fill(frame, key, i, loops, jumps)
        yield AccessNode(
            key, address, size, is_store, place, extent, jumps, creeps, tables=tables, made=made
        )


class _PlacedReader(_Reader):
    """Reads places, and refuses a program with gaps."""

    def __init__(self, program: Program) -> None:
        super().__init__(program)
        self.places = Places(program, self.objects, self.unknowns)
        self.notes = self.places.notes

    def settled(self, frame: Frame, e: Expr) -> Expr:
        return self.unknowns.settled(frame, e)

    def gap(self, reason: str) -> None:
        raise Refused(reason)

    def untold_trips(self, frame: Frame, trips: Expr | None, at: str) -> Expr:
        found = None if trips is None else self.settled(frame, trips)
        if found is not None and not is_strange(found):
            return found
        return self.unknowns.mean_trips(at, found)

    def guarded(
        self, frame: Frame, block: str, within: str | None, here: Sequence[TreeNode]
    ) -> Sequence[TreeNode]:
        view = frame.view
        top = within if within is not None else view.function.entry.name
        weight = view.paths.weight(top, block)
        if block == top or (weight.formula is not None and weight.formula.constant == 1):
            return here
        at = view.place(view.function.blocks[block].instructions[0])
        if weight.formula is None:
            raise Refused(f"the condition at {at}: {weight.reason}")
        share = frame.in_terms(weight.formula, loops_around(view, top))
        return [Guard(*self.unknowns.share(frame, share, at), tuple(here), at)]

    def placed(self, access: AccessNode, frame: Frame, block: str, token: Operand) -> AccessNode:
        place = self.places.of(frame, block, token, access.size, access.at)
        return replace(access, place=place)

    def outside(self, i: Instruction, name: str | None, at: str) -> None:
        if name is None:
            raise Refused(f"the call at {at} goes through a pointer")
        if name.startswith((*_COPIES, *_FILLS)):
            raise Refused(f"{name} at {at} is not followed")
        if not _NO_MEMORY.match(name) and library_function(name) is None:
            self.notes.add(f"{name} touches no memory that matters")


def _in_order(view: FunctionContext, within: str | None) -> list[str]:
    """The blocks directly in a loop (in the function) and the headers of its inner loops, each
    behind all that come before it."""
    inside = view.function.blocks if within is None else view.loops[within].blocks
    start = view.function.entry.name if within is None else within
    found: list[str] = []
    seen = {start}

    def successors(name: str) -> Iterator[str]:
        child = child_loop(view, name, within)
        names = (name,) if child is None else view.loops[child].blocks
        for target in dict.fromkeys(s for n in names for s in view.function.blocks[n].successors):
            kept = child_loop(view, target, within) or target
            is_new = target in inside and target != within and target not in names
            if is_new and target not in view.paths.dead and kept in view.reachable:
                yield kept

    work = [(start, successors(start))]
    while work:
        name, rest = work[-1]
        following = next((s for s in rest if s not in seen), None)
        if following is None:
            found.append(name)
            work.pop()
        else:
            seen.add(following)
            work.append((following, successors(following)))
    return found[::-1]
