"""The accesses of a kernel to memory, and the branches on which the lanes of a warp part."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from ..alias.memory_location import Pointer
from ..count import Count
from ..expr import (
    Expr,
    Loaded,
    Sym,
    TooComplex,
    expr,
    floor_div,
    maximum,
    minimum,
    step,
    sym,
    symbols,
)
from ..interprocedural.loop_nesting import source_loop
from ..ir.graph import callee
from ..ir.matchers import is_alloca, is_any, is_branch, is_load, is_store
from ..ir.types import ATOMIC_UPDATES, Instruction, Operand
from ..results import Access
from ..scev.bounded_count import BoundedCount
from ..scev.source_names import value_name
from .geometry import TILE
from .kernels import space_of, variable_of
from .laws import LaunchLaws
from .patterns import LINE, SECTOR, Offset, Spread, Touched

_ATOMIC_CALL = re.compile(r"looplaw_atomic_|_Z\d+atom(?:ic)?_")
_SPACE = re.compile(r"addrspace\((\d+)\)")
_SPACES = {"2": "constant", "3": "shared", "4": "constant"}
_WARPS, _BLOCKS = "launch_warp", "launch_width"
_PRIVATE = "private"
_COERCED = ".coerce"
"""How clang calls an argument that it hands over in another type."""


def _order(at: str) -> tuple[str, ...]:
    return tuple(part.zfill(8) for part in at.rsplit(":", 2))


class AccessFinder:
    """What a kernel accesses, and where its lanes part."""

    def __init__(self, threads: LaunchLaws) -> None:
        self._threads, self._program = threads, threads.laws.program
        self._view = self._program.view(threads.kernel.symbol)
        self._launch = threads.launch
        self._tids = {axis.tid for axis in self._launch.axes}
        self._lanes = self._launch.lanes
        self._last: BoundedCount | None = None

    def accesses(self) -> tuple[Access, ...]:
        """The accesses to memory that threads share, in the order of the source."""
        return tuple(sorted(dict.fromkeys(self._all()), key=lambda a: _order(a.at)))

    def last_executions(self) -> BoundedCount | None:
        """How often a thread comes to its last access to such memory; None where it has none."""
        return self._last

    def divergent(self) -> tuple[str, ...]:
        """Where branches stand that lanes of a warp may take differently."""
        return tuple(sorted(dict.fromkeys(self._branches()), key=_order))

    def _all(self) -> Iterator[Access]:
        view = self._view
        for block in view.function.blocks.values():
            if block.name not in view.reachable:
                continue
            for i in block.instructions:
                found = _accessed(i)
                if found is not None:
                    access = self._access(i, block.name, *found)
                    if access is not None:
                        yield access

    def _access(self, i: Instruction, block: str, address: Operand, kind: str) -> Access | None:
        value = self._value(address, block)
        space, array = self._space(address, value)
        if space == _PRIVATE:
            return None
        size = self._program.layout.size(i.type) if not i.is_call else 4
        if size is None:
            return None
        first = self._launch.axes[0].block.constant
        spread = self._spread(value, size, None if first is None else int(first))
        around = source_loop(self._view, self._view.forest.innermost.get(block))
        is_shared = space == "shared"
        needs = self._whole_warps(value) if spread.distances is not None else frozenset()
        tile = self._spread(value, size, TILE) if needs and len(self._launch.axes) == 2 else None
        self._last = self._view.executions.of(block)

        def counted(ask: Callable[[Spread], Touched]) -> Count:
            touched = ask(spread)
            if tile is not None and touched.formula is not None:
                of_tile = ask(tile)
                if of_tile.formula is not None:
                    return self._count(self._either(touched, of_tile, needs), frozenset())
            return self._count(touched, needs)

        return Access(
            self._view.own_place(i),
            kind,
            space,
            size,
            _NO_SECTORS if is_shared else counted(lambda s: s.touched(SECTOR)),
            spread.pattern,
            counted(Spread.conflicts) if is_shared else None,
            _NO_SECTORS if is_shared else counted(lambda s: s.touched(LINE)),
            None if spread.stride is None else str(self._threads.laws.naming.expr(spread.stride)),
            array,
            self._threads.counts(self._last),
            None if around is None else self._view.loops[around].at,
        )

    def _value(self, operand: Operand, block: str) -> Expr:
        """The value of a register in a block, over the numbers of the iterations around it."""
        view = self._view
        value = view.scalars.value(operand).expr
        header = view.forest.innermost.get(block)
        for around in () if header is None else (header, *view.enclosing_loops(header)):
            value = value.substitute(view.variables.forms(around).closed)
        return value

    def _whole_warps(self, value: Expr) -> frozenset[Expr]:
        """What must hold for the lanes of a warp to be neighbours along the first axis."""
        first = self._launch.axes[0]
        if first.block.constant is not None or self._tids.isdisjoint(value.symbols):
            return frozenset()
        return frozenset((floor_div(first.block, self._lanes) * self._lanes - first.block,))

    def _either(self, whole: Touched, tile: Touched, needs: frozenset[Expr]) -> Touched:
        """What is touched in blocks of whole warps (`needs`), or else in tiles of a usual width."""
        assert whole.formula is not None
        assert tile.formula is not None
        (are_whole,), block = needs, self._launch.axes[0].block
        is_tile = minimum(block - TILE, TILE - block)
        rests = {maximum(are_whole, is_tile)}
        rests |= {maximum(need, is_tile) for need in whole.needs}
        rests |= {maximum(need, are_whole) for need in tile.needs}
        formula, known = whole.formula, step(are_whole, self._launch.known)
        if formula != tile.formula:
            formula = formula * known + tile.formula * (1 - known)
        low, high = min(whole.low, tile.low), max(whole.high, tile.high)
        return Touched(low, high, whole.most, formula, frozenset(rests))

    def _count(self, touched: Touched, needs: frozenset[Expr]) -> Count:
        """A number of blocks as a count."""
        rests, known = touched.needs | needs, self._parameters
        low, high, formula = expr(touched.low), expr(touched.high), touched.formula
        if any(name not in known for e in rests for name in e.symbols):
            rests, low, high, formula = frozenset(), expr(1), expr(touched.most), None
        why = None if formula is not None else "data or an index decide where the address lies"
        if formula is not None:
            low = high = formula
        found = self._threads.laws.naming.count(
            BoundedCount(formula, low, high, rests, frozenset(), why)
        )
        return self._threads.of_all(found)

    @property
    def _parameters(self) -> set[str]:
        return set(self._program.parameters.values())

    # -- where
    def _space(self, address: Operand, value: Expr) -> tuple[str, str]:
        """The kind of memory, and what the source calls the array."""
        program, view = self._program, self._view
        based = program.memory.aliasing.location(view.function, address, "").underlying_object
        if isinstance(based, Pointer):
            definition = view.function.definitions.get(based.register)
            if definition is not None and is_alloca(definition):
                return _PRIVATE, ""
        for name in sorted(value.symbols):
            variable = variable_of(name)
            if variable is not None and variable in program.module.globals:
                found = _SPACE.search(self._threads.head_of(variable))
                return _SPACES.get(found[1], "global") if found else "global", _plain(variable)
            argument = symbols.as_argument(name)
            if argument is not None and argument.function == view.function.name:
                parameter = view.function.parameters[argument.at]
                if not parameter.type.startswith("ptr"):
                    continue
                if "byval" in parameter.attributes or "byref" in parameter.attributes:
                    return "constant", value_name(view, parameter.token) or ""
                array = value_name(view, parameter.token) or parameter.token.name
                array = array.removesuffix(_COERCED)
                return _SPACES.get(space_of(view.function, argument.at), "global"), array
        return "global", value_name(view, address) or ""

    # -- how far apart
    def _spread(self, value: Expr, size: int, width: int | None) -> Spread:
        """The addresses of the lanes of one warp, in blocks of a width (None: of whole warps)."""
        try:
            return self._spread_out(value, size, width)
        except TooComplex:
            return Spread(None, Offset(0, 1, ()), size, self._lanes)

    def _spread_out(self, value: Expr, size: int, width: int | None) -> Spread:
        """As `_spread`.

        Raises:
            TooComplex: a formula is too long.
        """
        value = value.substitute(self._threads.fixed)
        block = self._launch.axes[0].block
        if block.constant is None:
            of_block = sym(_BLOCKS) * self._lanes if width is None else expr(width)
            value = value.substitute({next(iter(block.symbols)): of_block})
        start, distances = self._of_lanes(value, width)
        offset = Offset.of(self._behind_base(start), self._is_varying)
        known = self._is_known(value) and all(map(self._is_size, distances))
        return Spread(distances if known else None, offset, size, self._lanes)

    def _of_lanes(self, value: Expr, width: int | None) -> tuple[Expr, tuple[Expr, ...]]:
        """The address of the first lane, and how far behind it those of all lanes are."""
        first = self._launch.axes[0].tid
        lanes = range(self._lanes)
        if width is None or width % self._lanes == 0:
            affine = value.affine_in(first)
            if affine is not None:
                slope, rest = affine
                start = rest + slope * sym(_WARPS) * self._lanes
                return start, tuple(slope * lane for lane in lanes)
        each = [self._at_lane(value, lane, width) for lane in lanes]
        return each[0], tuple(address - each[0] for address in each)

    def _at_lane(self, value: Expr, lane: int, width: int | None) -> Expr:
        """The address of one lane of a warp."""
        axes = self._launch.axes
        whole = sym(_WARPS) * self._lanes
        if width is None or width % self._lanes == 0:
            return value.substitute({axes[0].tid: whole + lane})
        if len(axes) == 1 or self._lanes % width:
            return value.substitute({axes[0].tid: expr(lane % width)})
        row = sym(_WARPS) * (self._lanes // width) + lane // width
        return value.substitute({axes[0].tid: expr(lane % width), axes[1].tid: row})

    def _is_known(self, value: Expr) -> bool:
        """Is an address a formula of threads, sizes and iterations, and of no values that differ
        between threads?"""
        for atom in value.all_atoms():
            if isinstance(atom, Loaded) and not self._tids.isdisjoint(atom.symbols):
                return False
        return not any(self._is_of_thread(name) for name in value.symbols)

    def _is_of_thread(self, name: str) -> bool:
        info = self._program.unknowns.get(name)
        return info is not None and not symbols.is_loaded(name)

    def _is_size(self, distance: Expr) -> bool:
        """Is a distance a formula of what is the same for all threads?"""
        return all(
            name not in self._tids and name not in (_WARPS,) and not symbols.is_iteration(name)
            for name in distance.symbols
        )

    def _behind_base(self, address: Expr) -> Expr:
        """The bytes behind the beginning of what is accessed, which is aligned."""
        return address.only(lambda m, c: not (c == 1 and len(m) == 1 and self._is_base(m[0][0])))

    def _is_base(self, atom: object) -> bool:
        if not isinstance(atom, Sym):
            return isinstance(atom, Loaded)
        return variable_of(atom.name) is not None or symbols.as_argument(atom.name) is not None

    def _is_varying(self, name: str) -> bool:
        """Does a symbol take more than one value in a launch?"""
        return name not in self._parameters - self._threads.numbers or name in (_WARPS, _BLOCKS)

    # -- branches
    def _branches(self) -> Iterator[str]:
        view = self._view
        for block in view.function.blocks.values():
            last = block.terminator
            if block.name not in view.reachable or len(set(last.labels)) < 2:
                continue
            if last.operands and is_branch(last) and self._differs(last.operands[0], block.name):
                test = view.function.definitions.get(last.operands[0])
                yield view.own_place(last if test is None or test.dbg is None else test)

    def _differs(self, condition: Operand, block: str) -> bool:
        test = self._view.function.definitions.get(condition)
        if test is None:
            return False
        if is_any(test, "and", "or", "xor", "select"):
            return any(self._differs(o, block) for o in test.operands)
        return any(
            not self._is_known(value) or not self._tids.isdisjoint(value.symbols)
            for o in test.operands
            for value in (self._value(o, block),)
        )


def _accessed(i: Instruction) -> tuple[Operand, str] | None:
    """(address, kind) of an access."""
    if is_load(i):
        return i.operands[0], "load"
    if is_store(i):
        return i.operands[1], "store"
    if is_any(i, *ATOMIC_UPDATES):
        return i.operands[0], "atomic"
    if i.is_call and _ATOMIC_CALL.match(callee(i) or "") and len(i.operands) > 1:
        return i.operands[1], "atomic"
    return None


def _plain(name: str) -> str:
    """The name of a variable as the source has it: `tile` for `_ZZ3mulPfE4tile` and `mul.tile`."""
    found = re.match(r"_ZZ.*E(\d+)(\w+)$", name)
    if found:
        return found[2][: int(found[1])]
    return name.rsplit(".", 1)[-1]


_NO_SECTORS = Count("exact", expr(0), expr(0), expr(0))
