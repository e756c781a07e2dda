"""The loads and stores of a program as a tree of loops, with gaps where something is not known.

Models of time weigh the memory traffic of whole programs, of which a part is often no formula: a
trip count that data decide, a subscript that is loaded, a pointer that is swapped. Here such parts
stay in the tree and say what is not known of them, while `references` refuses the program: its
lines are counted, those of this tree estimated (see `layers`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from ..alias.memory_location import Pointer
from ..expr import Expr, TooComplex, expr, sym, symbols
from ..expr.loaded import Loaded
from ..interprocedural.program import Program
from ..ir.graph import callee
from ..ir.types import ATOMIC_UPDATES, GlobalRef, Instruction, IntLiteral, Operand
from ..recursion import deep_recursion
from ..scev.context import FunctionContext
from .branches import deciding_loads
from .chains import chain_of

_MAX_DEPTH = 8
_MAX_NODES = 20_000
_LINE = 64
_COPIES = ("llvm.memcpy", "llvm.memmove", "memcpy", "memmove")
_FILLS = ("llvm.memset", "memset")
_ARITHMETIC = ("getelementptr", "sext", "zext", "trunc", "add", "sub", "mul", "shl", "bitcast")
_NEAR = 8
"""Subscripts that a table holds are in order if they move by so many from one to the next: what
they choose lies in the same lines, or in those beside them."""
_BY_COUNT = ("calloc",)
_BY_BYTES = ("malloc", "_Znwm", "_Znam", "aligned_alloc", "realloc")


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


@deep_recursion()
def access_tree(program: Program, function: str | None = None) -> AccessTree:
    """The loads and stores of one call of a function (the entry unless told)."""
    reader = _Reader(program)
    body = reader.function(_Call(program.view(function or program.entry)), 0)
    random = frozenset(key for key, fine in reader.tables.items() if not fine)
    return AccessTree(_following(body, random), tuple(sorted(reader.gaps)))


def _following(body: tuple[TreeNode, ...], random: frozenset[str]) -> tuple[TreeNode, ...]:
    """The accesses whose subscripts tables hold in order follow them, in place of jumping.

    A table is taken to be in order unless the program is seen to fill it otherwise: the numbers of
    neighbours in meshes and matrices mostly are near (Kreutzer, Hager, Wellein, Fehske and Bishop,
    SIAM J. Sci. Comput. 36, 2014, find factors near the least for the vector of sparse matrices).
    """
    found: list[TreeNode] = []
    for node in body:
        if isinstance(node, LoopNode):
            found.append(replace(node, body=_following(node.body, random)))
        elif node.jumps and node.tables is not None and not node.tables & random:
            found.append(replace(node, jumps=frozenset(), follows=node.jumps))
        else:
            found.append(node)
    return tuple(found)


@dataclass(frozen=True)
class _Call:
    """A function as one call runs it. values: its arguments in the terms of the entry; jumps: of
    each argument, the iteration numbers of the callers' loops in which it moves unpredictably."""

    view: FunctionContext
    caller: _Call | None = None
    call: Instruction | None = None
    block: str = ""
    values: Mapping[str, Expr] = field(default_factory=dict)
    jumps: Mapping[str, frozenset[str]] = field(default_factory=dict)

    def encloses(self, name: str) -> bool:
        return self.view.function.name == name or (
            self.caller is not None and self.caller.encloses(name)
        )


class _Reader:
    def __init__(self, program: Program) -> None:
        self.program = program
        self.gaps: set[str] = set()
        self.nodes = 0
        self.leaves = 0  # calls of what is not in the program, in the loop that is being read
        self.tables: dict[str, bool] = {}  # object -> are all values stored there in order?

    def function(self, frame: _Call, depth: int) -> tuple[TreeNode, ...]:
        if depth > _MAX_DEPTH or self.nodes > _MAX_NODES:
            self.gaps.add(f"calls inside {frame.view.function.name} are too many or too deep")
            return ()
        if frame.view.forest.irreducible:
            self.gaps.add(f"{frame.view.function.name} has a cycle with several entries")
            return ()
        return self._blocks(frame, None, depth)

    def _blocks(self, frame: _Call, within: str | None, depth: int) -> tuple[TreeNode, ...]:
        """The accesses directly in a loop (in the function), and the loops in it."""
        view = frame.view
        inside = view.function.blocks if within is None else view.loops[within].blocks
        found: list[TreeNode] = []
        done: set[str] = set()
        for name, block in view.function.blocks.items():
            if name not in inside or name not in view.reachable or name in view.paths.dead:
                continue
            child = _child(view, name, within)
            if child is None:
                for i in block.instructions:
                    found.extend(self._instruction(frame, name, i, depth))
            elif child not in done:
                done.add(child)
                found.append(self._loop(frame, child, depth))
        return tuple(found)

    def _loop(self, frame: _Call, header: str, depth: int) -> LoopNode:
        view = frame.view
        loop = view.loops[header]
        count = view.trip_counts.iterations(header)
        trips = None
        if count.formula is not None and count.reason is None:
            trips = self._in_terms(frame, count.formula, view.enclosing_loops(header))
            if trips is not None and any(_is_strange(s) for s in trips.symbols):
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

    def _decided(self, frame: _Call, header: str) -> Iterator[tuple[AccessNode, ...]]:
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

    @staticmethod
    def _in_terms(frame: _Call, e: Expr, loops: list[str]) -> Expr | None:
        """A formula over iteration numbers and what the entry knows; `loops` from inside out."""
        try:
            for header in loops:
                e = e.substitute(frame.view.trip_counts.solution(header).closed)
            return e.substitute(frame.values)
        except TooComplex:
            return None

    def _instruction(
        self, frame: _Call, block: str, i: Instruction, depth: int
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

    def _call(self, frame: _Call, block: str, i: Instruction, depth: int) -> Iterator[TreeNode]:
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
        loops = _around(view, block)
        values: dict[str, Expr] = {}
        jumps: dict[str, frozenset[str]] = {}
        for symbol, e in self.program.arguments(view, block, i, target).items():
            found = self._in_terms(frame, e, loops)
            values[symbol] = sym(symbol) if found is None else found
            jumps[symbol] = self._jumps(frame, e, loops)
        yield from self.function(
            _Call(self.program.view(target.name), frame, i, block, values, jumps), depth + 1
        )

    def _copy(
        self, frame: _Call, block: str, i: Instruction, token: Operand, *, is_store: bool
    ) -> Iterator[TreeNode]:
        """A copy or fill of a block of memory as a loop over its lines."""
        loops = _around(frame.view, block)
        length = self._in_terms(frame, frame.view.scalars.value(i.operands[3]).expr, loops)
        if length is None or any(_is_strange(s) for s in length.symbols):
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
        frame: _Call,
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
        loops = _around(view, block)
        own = view.scalars.value(token).expr
        address = self._in_terms(frame, own, loops)
        place = view.place(i)
        if address is None:
            self.gaps.add(f"the address at {place} would be too long a formula")
            return
        self.nodes += 1
        key, extent = self._object(frame, token, place)
        if key is None:
            key = _pointer(address) or _loaded_pointer(address) or f"?{place}"
        elif extent is None:  # accessors that return addresses in one array are not many arrays
            key = _loaded_pointer(address) or key
        creeps = self._creeps(frame, own, loops)
        jumps = self._jumps(frame, own, loops) - creeps.keys()
        tables = self._tables(frame, token, loops) if jumps else None
        if is_store:
            self._fill(frame, key, i, loops, jumps)
        yield AccessNode(key, address, size, is_store, place, extent, jumps, creeps, tables=tables)

    def _fill(
        self, frame: _Call, key: str, i: Instruction, loops: list[str], jumps: frozenset[str]
    ) -> None:
        """Note whether an object is filled in order: values go on by little from an iteration of
        the loop around to the next, and neither they nor their places by what only a run tells."""
        if i.is_call or jumps:
            self.tables[key] = False
            return
        work, seen = [i.operands[0]], set[str]()
        while work:
            token = work.pop()
            if not isinstance(token, str) or token in seen:
                continue  # a constant, as tables are cleared with
            seen.add(token)
            made = frame.view.function.definitions.get(token)
            if made is not None and made.opcode == "select":
                work.extend(made.operands[1:])
            elif made is not None and made.opcode == "phi" and _is_join(frame.view, token):
                work.extend(made.operands)
            else:
                self.tables[key] = self.tables.get(key, True) and self._is_near(frame, token, loops)

    def _is_near(self, frame: _Call, token: Operand, loops: list[str]) -> bool:
        """Does a value move by little in each iteration of the loop around, or not at all?"""
        e = frame.view.scalars.value(token).expr
        if self._jumps(frame, e, loops):
            return False
        try:
            for header in loops:
                e = e.substitute(frame.view.trip_counts.solution(header).closed)
        except TooComplex:
            return False
        parts: Mapping[int, Expr] | None = {0: e}
        if loops:
            parts = e.split(frame.view.variables.index(loops[0]))
        if parts is None or set(parts) - {0, 1}:
            return False
        step = parts.get(1, expr(0)).constant
        return step is not None and abs(float(step)) <= _NEAR

    def _tables(self, frame: _Call, token: Operand, loops: list[str]) -> frozenset[str] | None:
        """The objects, as far as they are known, whose values alone make an address jump; None
        where something else does."""
        view = frame.view
        found: set[str] = set()
        work: list[Operand] = [token]
        while work:
            here = work.pop()
            made = view.function.definitions.get(here) if isinstance(here, str) else None
            if made is None or not self._jumps(frame, view.scalars.value(here).expr, loops):
                continue
            if made.opcode == "load":
                key, _ = self._object(frame, made.operands[0], "")
                if key is not None:
                    found.add(key)
            elif made.opcode in _ARITHMETIC:
                work.extend(made.operands)
            elif not (made.is_call and self._is_loaded(frame, here, loops)):
                return None
        return frozenset(found)

    @staticmethod
    def _is_loaded(frame: _Call, token: Operand, loops: list[str]) -> bool:
        """Is all that is strange in a value, as an accessor returns it, loaded from memory?"""
        view = frame.view
        e = view.scalars.value(token).expr
        try:
            for header in loops:
                e = e.substitute(view.trip_counts.solution(header).closed)
        except TooComplex:
            return False
        strange = {s for h in loops for s in view.varying(e, h) if not _is_index(s)}
        return all(s.startswith(symbols.LOADED) for s in strange)

    def _jumps(self, frame: _Call, e: Expr, loops: list[str]) -> frozenset[str]:
        """The iteration numbers of the loops in which a value changes by what is not known."""
        view = frame.view
        found: set[str] = set()
        for header in loops:
            try:
                e = e.substitute(view.trip_counts.solution(header).closed)
            except TooComplex:
                found.add(view.variables.index(header))
        loaded = [a.symbols for a in e.all_atoms() if isinstance(a, Loaded)]
        swapped = {s for s in e.symbols if self._is_swapped(frame, s)}
        for header in loops:
            index = view.variables.index(header)
            strange = {s for s in view.varying(e, header) if not _is_index(s)} - swapped
            if strange or any(index in inner for inner in loaded):
                found.add(index)
        return frozenset(found.union(*(frame.jumps.get(s, ()) for s in e.symbols)))

    def _creeps(self, frame: _Call, e: Expr, loops: list[str]) -> dict[str, int]:
        """Iteration number -> bytes, of the loops in which the only thing not known is whether a
        variable was increased, as those that merge two lists."""
        view = frame.view
        found: dict[str, int] = {}
        for header in loops:
            strange = [s for s in view.varying(e, header) if not _is_index(s)]
            steps = [self._creep(frame, s, header) for s in strange]
            factors = [_factor(e, s) for s in strange]
            if strange and all(a and b for a, b in zip(steps, factors, strict=True)):
                found[view.variables.index(header)] = max(
                    abs((a or 0) * (b or 0)) for a, b in zip(steps, factors, strict=True)
                )
        return found

    @staticmethod
    def _creep(frame: _Call, symbol: str, header: str) -> int | None:
        """The most that a variable of a loop grows in an iteration, where it grows by constants or
        not at all."""
        function = frame.view.function
        name = symbols.register_name(symbol, function.name)
        made = next((i for i in function.definitions.values() if i.name == name), None)
        if made is None or made.opcode != "phi" or function.block_of.get(made.token) != header:
            return None
        most = 0
        work: list[tuple[Instruction, int]] = [(made, 0)]
        seen: set[str] = set()
        while work:
            i, moved = work.pop()
            operands = i.operands[1:] if i.opcode == "select" else i.operands
            for token in operands:
                origin = function.definitions.get(token)
                if token == made.token:
                    most = max(most, abs(moved))
                elif origin is None or function.block_of.get(token) not in (
                    frame.view.loops[header].blocks
                ):
                    if i is not made:
                        return None
                elif origin.opcode in ("phi", "select") and moved == 0 and token not in seen:
                    seen.add(token)
                    work.append((origin, 0))
                elif origin.opcode in ("add", "sub") and isinstance(origin.operands[1], IntLiteral):
                    if origin.operands[0] != made.token:
                        return None
                    most = max(most, abs(int(origin.operands[1])))
                else:
                    return None
        return most or None

    @staticmethod
    def _is_swapped(frame: _Call, symbol: str) -> bool:
        """Is it a pointer that takes turns with others, as those to the old and the new grid?"""
        function = frame.view.function
        name = symbols.register_name(symbol, function.name)
        made = next((i for i in function.definitions.values() if i.name == name), None)
        if made is None or made.opcode != "phi":
            return False
        seen: set[str] = set()
        work = [made]
        while work:
            for token in work.pop().operands:
                if not isinstance(token, str) or token in seen:
                    continue
                seen.add(token)
                origin = function.definitions.get(token)
                if origin is None or origin.is_call:
                    continue
                if origin.opcode != "phi":
                    return False
                work.append(origin)
        return True

    def _object(self, frame: _Call, token: Operand, place: str) -> tuple[str | None, Expr | None]:
        """(key, bytes) of the object that an address points into; None: not known."""
        view = frame.view
        base, _ = self.program.memory.aliasing.underlying_object(view.function, token)
        if base is None:
            return None, None
        if isinstance(base, GlobalRef):
            return str(base), self._global_bytes(base)
        assert isinstance(base, Pointer)
        for at, parameter in enumerate(view.function.parameters):
            if parameter.token == base.register:
                if frame.caller is None or frame.call is None or at + 1 >= len(frame.call.operands):
                    return str(base), None
                return self._object(frame.caller, frame.call.operands[at + 1], place)
        return str(base), self._allocated(frame, base)

    def _global_bytes(self, base: GlobalRef) -> Expr | None:
        found = self.program.module.globals.get(base.name)
        size = None if found is None else self.program.layout.size(found.type)
        return None if not size else expr(size)

    def _allocated(self, frame: _Call, base: Pointer) -> Expr | None:
        """The bytes of an allocation; of the first one where a pointer may hold several."""
        view = frame.view
        made = view.function.definitions.get(base.register)
        seen = 0
        while made is not None and made.opcode == "phi" and seen < _MAX_DEPTH:
            seen += 1
            origins = [
                view.function.definitions.get(t) for t in made.operands if isinstance(t, str)
            ]
            made = next((m for m in origins if m is not None and m is not made), None)
        if made is None:
            return None
        if made.opcode == "alloca":
            size = self.program.layout.size(made.type)
            return expr(size) if size else None
        name = (callee(made) or "") if made.is_call else ""
        block = view.function.block_of.get(base.register, "")
        target = self.program.target(view.function.name, made) if made.is_call else None
        if target is not None:
            return self._allocated_by(frame, block, made, target.name)
        words = made.operands[1:]
        if name in _BY_COUNT:
            chosen = words[:2]
        elif name in _BY_BYTES:
            chosen = words[1:2] if name in ("aligned_alloc", "realloc") else words[:1]
        else:
            return None
        found = expr(1)
        for word in chosen:
            part = self._in_terms(frame, view.scalars.value(word).expr, _around(view, block))
            if part is None or any(_is_strange(s) or _is_index(s) for s in part.symbols):
                return None
            found = found * part
        return found

    def _allocated_by(self, frame: _Call, block: str, call: Instruction, name: str) -> Expr | None:
        """The bytes that a function of the program allocates and returns."""
        if frame.encloses(name):
            return None
        view = self.program.view(name)
        loops = _around(frame.view, block)
        values: dict[str, Expr] = {}
        for symbol, e in self.program.arguments(frame.view, block, call, view.function).items():
            found = self._in_terms(frame, e, loops)
            if found is not None:
                values[symbol] = found
        inner = _Call(view, frame, call, block, values)
        for made in view.function.definitions.values():
            if made.is_call and (callee(made) or "") in (*_BY_BYTES, *_BY_COUNT):
                return self._allocated(inner, Pointer(name, made.token))
        for b in view.function.blocks.values():
            for i in b.instructions:
                if i.is_call and callee(i) == "posix_memalign":
                    size = self._in_terms(inner, view.scalars.value(i.operands[3]).expr, [])
                    if size is not None and not any(_is_strange(s) for s in size.symbols):
                        return size
        for made in view.function.definitions.values():
            target = self.program.target(name, made) if made.is_call else None
            if target is not None:
                at = view.function.block_of.get(made.result or "", "")
                return self._allocated_by(inner, at, made, target.name)
        return None


def _factor(e: Expr, symbol: str) -> int | None:
    """The number that a symbol is multiplied with in a formula that is linear in it."""
    parts = e.split(symbol)
    factor = parts.get(1, expr(0)).constant if parts is not None else None
    return None if parts is None or set(parts) - {0, 1} or not factor else int(factor)


def _pointer(address: Expr) -> str | None:
    """The value in an address that the rest is added to."""
    for symbol in sorted(address.symbols):
        if _is_strange(symbol) and not symbol.startswith(symbols.LOADED):
            parts = address.split(symbol)
            if parts is not None and set(parts) <= {0, 1} and parts[1].constant == 1:
                return symbol
    return None


def _loaded_pointer(address: Expr) -> str | None:
    """The pointer from memory, the same in all iterations, in an address that the rest is added
    to."""
    for a in sorted(address.atoms):
        if isinstance(a, Loaded) and a.kind == "ptr" and not any(map(_is_index, a.address.symbols)):
            parts = address.split(a)
            if parts is not None and set(parts) <= {0, 1} and parts[1].constant == 1:
                return str(a)
    return None


def _child(view: FunctionContext, block: str, within: str | None) -> str | None:
    """The loop directly inside `within` that a block belongs to."""
    header = view.forest.innermost.get(block)
    while header is not None and header != within:
        parent = view.loops[header].parent
        if parent == within:
            return header
        header = parent
    return None


def _around(view: FunctionContext, block: str) -> list[str]:
    """The loops around a block, from inside out."""
    header = view.forest.innermost.get(block)
    return [] if header is None else [header, *view.enclosing_loops(header)]


def _is_join(view: FunctionContext, token: str) -> bool:
    """Does a phi join branches, other than those of a loop?"""
    return view.function.block_of.get(token) not in view.loops


def _is_index(symbol: str) -> bool:
    return symbols.is_iteration(symbol)


def _is_strange(symbol: str) -> bool:
    return symbols.is_internal(symbol) and not _is_index(symbol)
