"""The tree of a program, read call by call."""

from __future__ import annotations

from collections.abc import Iterator

from ...expr import Expr, sym, symbols
from ...interprocedural.program import Program
from ...ir.graph import callee
from ...ir.types import ATOMIC_UPDATES, Instruction, Operand
from ...recursion import deep_recursion
from ..frames import Frame
from ..loops_around import child_loop, loops_around
from .branches import deciding_loads
from .chains import chain_of
from .index_tables import IndexTables
from .movement import creeps_of, jumps_of
from .nodes import AccessNode, AccessTree, LoopNode, TreeNode
from .objects import Objects, loaded_pointer_in, pointer_in

_MAX_DEPTH = 8
"""Calls, one inside the other, that are read; beyond, a gap is noted."""
_MAX_NODES = 20_000
"""Loads and stores of one tree; beyond, a gap is noted."""
_LINE = 64
"""Bytes of a line: memory that is copied or filled counts as one access a line."""
_COPIES = ("llvm.memcpy", "llvm.memmove", "memcpy", "memmove")
_FILLS = ("llvm.memset", "memset")


@deep_recursion()
def access_tree(program: Program, function: str | None = None) -> AccessTree:
    """The loads and stores of one call of a function (the entry unless told)."""
    reader = _Reader(program)
    body = reader.function(Frame(program.view(function or program.entry)), 0)
    return AccessTree(reader.tables.followed(body), tuple(sorted(reader.gaps)))


class _Reader:
    def __init__(self, program: Program) -> None:
        self.program = program
        self.objects = Objects(program)
        self.tables = IndexTables(self.objects)
        self.gaps: set[str] = set()
        self.nodes = 0
        self.leaves = 0  # calls of what is not in the program, in the loop that is being read

    def function(self, frame: Frame, depth: int) -> tuple[TreeNode, ...]:
        if depth > _MAX_DEPTH or self.nodes > _MAX_NODES:
            self.gaps.add(f"calls inside {frame.view.function.name} are too many or too deep")
            return ()
        if frame.view.forest.irreducible:
            self.gaps.add(f"{frame.view.function.name} has a cycle with several entries")
            return ()
        return self._blocks(frame, None, depth)

    def _blocks(self, frame: Frame, within: str | None, depth: int) -> tuple[TreeNode, ...]:
        """The accesses directly in a loop (in the function), and the loops in it."""
        view = frame.view
        inside = view.function.blocks if within is None else view.loops[within].blocks
        found: list[TreeNode] = []
        done: set[str] = set()
        for name, block in view.function.blocks.items():
            if name not in inside or name not in view.reachable or name in view.paths.dead:
                continue
            child = child_loop(view, name, within)
            if child is None:
                for i in block.instructions:
                    found.extend(self._instruction(frame, name, i, depth))
            elif child not in done:
                done.add(child)
                found.append(self._loop(frame, child, depth))
        return tuple(found)

    def _loop(self, frame: Frame, header: str, depth: int) -> LoopNode:
        view = frame.view
        loop = view.loops[header]
        count = view.trip_counts.iterations(header)
        trips = None
        if count.formula is not None and count.reason is None:
            trips = frame.in_terms_if_short(count.formula, view.enclosing_loops(header))
            if trips is not None and any(symbols.is_opaque(s) for s in trips.symbols):
                trips = None
        if trips is None:
            self.gaps.add(f"the trip count of the loop at {loop.at} is taken from the runs")
        self.nodes += 1
        around, self.leaves = self.leaves, 0
        body = self._blocks(frame, header, depth)
        leaves, self.leaves = self.leaves, around
        name = view.function.name
        chain, decided = chain_of(view, header), tuple(self._decided(frame, header))
        index = view.variables.index(header)
        return LoopNode(index, trips, body, loop.at, name, chain, decided, leaves)

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

    def _instruction(
        self, frame: Frame, block: str, i: Instruction, depth: int
    ) -> Iterator[TreeNode]:
        if i.opcode == "load":
            yield from self._access(frame, block, i, i.operands[0], is_store=False)
        elif i.opcode == "store":
            yield from self._access(frame, block, i, i.operands[1], is_store=True)
        elif i.opcode in ATOMIC_UPDATES:
            yield from self._access(frame, block, i, i.operands[0], is_store=False)
            yield from self._access(frame, block, i, i.operands[0], is_store=True)
        elif i.is_call:
            yield from self._call(frame, block, i, depth)

    def _call(self, frame: Frame, block: str, i: Instruction, depth: int) -> Iterator[TreeNode]:
        view = frame.view
        target = self.program.target(view.function.name, i)
        name = callee(i)
        if target is None:
            if name is not None and name.startswith(_COPIES):
                yield from self._copy(frame, block, i, i.operands[1], is_store=True)
                yield from self._copy(frame, block, i, i.operands[2], is_store=False)
            elif name is not None and name.startswith(_FILLS):
                yield from self._copy(frame, block, i, i.operands[1], is_store=True)
            elif name is None or not name.startswith("llvm."):
                self.leaves += 1
            return
        if frame.encloses(target.name):
            self.gaps.add(f"{target.name} calls itself")
            return
        loops = loops_around(view, block)
        values: dict[str, Expr] = {}
        jumps: dict[str, frozenset[str]] = {}
        for symbol, e in self.program.arguments(view, block, i, target).items():
            found = frame.in_terms_if_short(e, loops)
            values[symbol] = sym(symbol) if found is None else found
            jumps[symbol] = jumps_of(frame, e, loops)
        yield from self.function(
            Frame(self.program.view(target.name), frame, i, block, values, jumps), depth + 1
        )

    def _copy(
        self, frame: Frame, block: str, i: Instruction, token: Operand, *, is_store: bool
    ) -> Iterator[TreeNode]:
        """A copy or fill of a block of memory as a loop over its lines."""
        loops = loops_around(frame.view, block)
        length = frame.in_terms_if_short(frame.view.scalars.value(i.operands[3]).expr, loops)
        if length is None or any(symbols.is_opaque(s) for s in length.symbols):
            return
        self.nodes += 1
        index = symbols.iteration(frame.view.function.name, f"{i.result}.{self.nodes}")
        place = frame.view.place(i)
        for access in self._access(frame, block, i, token, is_store=is_store, size=_LINE):
            moved = AccessNode(
                access.object,
                access.address + sym(index) * _LINE,
                _LINE,
                is_store,
                place,
                access.extent,
                access.jumps,
                access.creeps,
            )
            trips = length.over(_LINE)
            yield LoopNode(index, trips, (moved,), "", frame.view.function.name)

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
        if not size:
            return
        loops = loops_around(view, block)
        own = view.scalars.value(token).expr
        address = frame.in_terms_if_short(own, loops)
        place = view.place(i)
        if address is None:
            self.gaps.add(f"the address at {place} would be too long a formula")
            return
        self.nodes += 1
        key, extent = self.objects.of(frame, token)
        if key is None:
            key = pointer_in(address) or loaded_pointer_in(address) or f"?{place}"
        elif extent is None:  # accessors that return addresses in one array are not many arrays
            key = loaded_pointer_in(address) or key
        creeps = creeps_of(frame, own, loops)
        jumps = jumps_of(frame, own, loops) - creeps.keys()
        tables = self.tables.behind(frame, token, loops) if jumps else None
        if is_store:
            self.tables.fill(frame, key, i, loops, jumps)
        yield AccessNode(key, address, size, is_store, place, extent, jumps, creeps, tables=tables)
