"""Where threads stand: the axes of a launch, and formulas over all threads along them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from typing import TypeVar

from ..closed_forms.sums import summation
from ..expr import (
    NO_ASSUMPTIONS,
    ONE,
    Assumptions,
    Expr,
    Loaded,
    TooComplex,
    ceil_div,
    expr,
    floor_div,
    maximum,
    minimum,
    step,
    sym,
)
from ..interprocedural.inputs.thread_numbers import AXES, MOST_THREADS, ORIGIN
from .extremes import direction, highest

_Found = TypeVar("_Found")
_ALONG = "launch_{}"
"""A thread's number along an axis, those of all blocks together."""
_WARP, _LANE, _ROW = "launch_warp", "launch_lane", "launch_row"
_WARPS = "launch_warps"
TILE = 16
"""The usual width of blocks whose warps take several rows."""


@dataclass(frozen=True)
class Axis:
    """One axis of a launch: the symbols of a thread's number, of its block's number and of how many
    there are of both."""

    tid: str
    ctaid: str
    block: Expr
    grid: Expr

    @property
    def along(self) -> str:
        """The symbol of a thread's number among those of all blocks."""
        return _ALONG.format(self.tid)

    def flattened(self, e: Expr) -> Expr | None:
        """A formula in a thread's number along the axis, where thread and block matter by that
        alone; else None."""
        if self.tid not in e.symbols or self.ctaid not in e.symbols:
            return None
        flat = e.substitute({self.tid: sym(self.along) - sym(self.ctaid) * self.block})
        return None if self.ctaid in flat.symbols else flat


@dataclass(frozen=True)
class Launch:
    """The axes of a kernel's launches that it uses, and how many lanes a warp has.

    known: what holds of the sizes, which follows from the axes where the kernel is launched so.
    """

    axes: tuple[Axis, ...]
    lanes: int
    known: Assumptions = field(compare=False)

    @staticmethod
    def of(
        parameters: Mapping[str, str], used: int, lanes: int, sizes: Sequence[int] | None
    ) -> Launch:
        """The launch of a kernel.

        Args:
            parameters: origin -> name, as the program has them.
            used: the number of axes.
            sizes: threads of a block along each axis, where the kernel says them.
        """

        def named(what: str, axis: str) -> str:
            return parameters.get(f"{ORIGIN}{what}.{axis}", f"{what}_{axis}")

        axes = []
        for at, axis in enumerate(AXES[:used]):
            block = sym(named("block", axis)) if sizes is None else expr(sizes[at])
            axes.append(
                Axis(named("tid", axis), named("ctaid", axis), block, sym(named("grid", axis)))
            )
        facts = [
            fact
            for axis in axes
            for fact in (axis.block - 1, MOST_THREADS - axis.block, axis.grid - 1)
        ]
        return Launch(tuple(axes), lanes, NO_ASSUMPTIONS.plus(*facts))

    @cached_property
    def threads(self) -> Expr:
        """All threads of a launch."""
        product = ONE
        for axis in self.axes:
            product = product * axis.grid * axis.block
        return product

    @cached_property
    def _in_block(self) -> Expr:
        product = ONE
        for axis in self.axes:
            product = product * axis.block
        return product

    def total(self, e: Expr) -> Expr:
        """The sum over all threads.

        Raises:
            TooComplex: it is too long.
        """
        return _remembered(Launch._total, self, e)

    def _total(self, e: Expr) -> Expr:
        for axis in self.axes:
            e = self._total_along(e, axis)
        return e

    def _total_along(self, e: Expr, axis: Axis) -> Expr:
        flat = axis.flattened(e)
        if flat is not None:
            return self._sum(flat, axis.along, axis.grid * axis.block)
        if len(e.terms) > 1 and {axis.tid, axis.ctaid} <= e.symbols:
            parts = [Expr({m: c}) for m, c in e.terms.items()]
            flat_parts = [p for p in parts if axis.flattened(p) is not None]
            if flat_parts:
                alone = sum(flat_parts, expr(0))
                return self._total_along(alone, axis) + self._total_along(e - alone, axis)
        e = self._sum(e, axis.tid, axis.block)
        return self._sum(e, axis.ctaid, axis.grid)

    def _sum(self, e: Expr, index: str, count: Expr) -> Expr:
        return summation(e, index, count, self.known) if index in e.symbols else e * count

    def highest(self, e: Expr) -> Expr | None:
        """The maximum over all threads, of a formula that is never negative.

        Raises:
            TooComplex: it is too long.
        """
        return _remembered(Launch._highest, self, e)

    def _highest(self, e: Expr) -> Expr | None:
        found: Expr | None = e
        for axis in self.axes:
            found = None if found is None else self._highest_along(found, axis)
        return found

    def _highest_along(self, e: Expr, axis: Axis) -> Expr | None:
        flat = axis.flattened(e)
        if flat is not None:
            return highest(flat, axis.along, expr(0), axis.grid * axis.block, self._known_but(""))
        found: Expr | None = e
        for name, count in ((axis.tid, axis.block), (axis.ctaid, axis.grid)):
            if found is not None and name in found.symbols:
                found = highest(found, name, expr(0), count, self._known_but(name))
        return found

    def _known_but(self, index: str) -> Assumptions:
        """What holds of all numbers of threads and blocks other than this one."""
        facts = []
        for axis in self.axes:
            for name, count in ((axis.tid, axis.block), (axis.ctaid, axis.grid)):
                if name != index:
                    facts += [sym(name), count - 1 - sym(name)]
        return self.known.plus(*facts)

    def lowest_at_ends(self, e: Expr) -> Expr | None:
        """The least value over all threads of a formula that rises or falls with each number of a
        thread; None for others."""
        for axis in self.axes:
            for name, count in ((axis.tid, axis.block), (axis.ctaid, axis.grid)):
                if name not in e.symbols:
                    continue
                inside = self._known_but(name).plus(sym(name), count - 1 - sym(name))
                rises = direction(e, name, inside)
                if rises is None:
                    return None
                e = e.substitute({name: expr(0) if rises >= 0 else count - 1})
        return e

    # -- warps
    def is_uniform(self, e: Expr) -> bool:
        """Is it the same for all threads of a block?"""
        return e.symbols.isdisjoint(axis.tid for axis in self.axes)

    def of_warps(self, e: Expr) -> tuple[Expr, frozenset[Expr]] | None:
        """The sum over warps of their lanes' number times the maximum of their lanes, and what must
        be at least zero for it; None where no formula was found.

        Raises:
            TooComplex: it is too long.
        """
        return _remembered(Launch._of_warps, self, e)

    def _of_warps(self, e: Expr) -> tuple[Expr, frozenset[Expr]] | None:
        if self.is_uniform(e):
            each = ceil_div(self._in_block, self.lanes) * self.lanes
            for axis in self.axes:
                e = self._sum(e, axis.ctaid, axis.grid)
            return e * each, frozenset()
        first = self.axes[0]
        width = first.block.constant
        if width is None and len(self.axes) == 1:
            return self._of_any_row(e)
        if width is None:
            return self._of_narrow_rows(e)
        if width % self.lanes == 0:
            return self._of_rows(e)
        if len(self.axes) == 1:
            return self._of_cut_rows(e, int(width))
        if self.lanes % width == 0:
            return self._of_several_rows(e, int(width))
        return None

    def _of_rows(self, e: Expr) -> tuple[Expr, frozenset[Expr]] | None:
        """Of warps that lie along the first axis, whose blocks are whole warps."""
        first = self.axes[0]
        if first.tid not in e.symbols:
            summed = e * first.block
            summed = self._sum(summed, first.ctaid, first.grid)
        else:
            slowest = self._slowest(e)
            if slowest is None:
                return None
            inside, most, count, is_flat = slowest
            summed = inside._sum(most, _WARP, count) * self.lanes
            if not is_flat:
                summed = inside._sum(summed, first.ctaid, first.grid)
        for axis in self.axes[1:]:
            summed = self._total_along(summed, axis)
        return self._in_threads(summed), self._whole_warps

    def _slowest(self, e: Expr) -> tuple[Launch, Expr, Expr, bool] | None:
        """The maximum of the lanes of a warp along the first axis: (the launch in numbers of warps,
        the maximum over the number of a warp, how many warps there are, whether these are the warps
        of all blocks); None where no formula was found."""
        first, lanes = self.axes[0], self.lanes
        warps = sym(_WARPS)  # of a block along the first axis
        if first.block.constant is not None:
            warps = first.block.over(lanes)
        inside = Launch(
            (Axis(first.tid, first.ctaid, warps * lanes, first.grid), *self.axes[1:]),
            lanes,
            self.known.plus(warps - 1),
        )
        sized = e if first.block.constant is not None else _with(e, first.block, warps * lanes)
        flat = inside.axes[0].flattened(sized)
        name = first.tid if flat is None else first.along
        count = warps if flat is None else warps * first.grid
        most = highest(
            (sized if flat is None else flat).substitute({name: sym(_WARP) * lanes + sym(_LANE)}),
            _LANE,
            expr(0),
            expr(lanes),
            inside._known_but(first.tid).plus(sym(_WARP), count - 1 - sym(_WARP)),
        )
        return None if most is None else (inside, most, count, flat is not None)

    def _in_threads(self, e: Expr) -> Expr:
        """A formula in threads of a block for one in its warps."""
        return e.substitute({_WARPS: self.axes[0].block.over(self.lanes)})

    def highest_of_warps(self, e: Expr) -> tuple[Expr, frozenset[Expr]] | None:
        """The maximum over all threads as the maximum over warps of the maximum of their lanes, and
        what must be at least zero for it."""
        first = self.axes[0]
        slowest = self._slowest(e) if first.tid in e.symbols else None
        if slowest is None:
            return None
        inside, most, count, is_flat = slowest
        found = highest(most, _WARP, expr(0), count, inside._known_but(first.tid))
        if found is not None and not is_flat and first.ctaid in found.symbols:
            found = highest(found, first.ctaid, expr(0), first.grid, inside._known_but(first.ctaid))
        for axis in self.axes[1:]:
            found = None if found is None else inside._highest_along(found, axis)
        return None if found is None else (self._in_threads(found), self._whole_warps)

    @property
    def _whole_warps(self) -> frozenset[Expr]:
        """At least zero where a block's first axis is a multiple of a warp."""
        block = self.axes[0].block
        if block.constant is not None:
            return frozenset()
        return frozenset((floor_div(block, self.lanes) * self.lanes - block,))

    def _of_any_row(self, e: Expr) -> tuple[Expr, frozenset[Expr]] | None:
        """Of warps along the only axis, whatever a block's size is: where blocks are not whole
        warps, the last one of each has fewer lanes, and blocks are taken one by one."""
        found = self._of_rows(e)
        (axis,) = self.axes
        if found is None or not found[1]:
            return found
        whole = step(next(iter(self._whole_warps)), self.known)
        count = ceil_div(axis.block, self.lanes)
        left = axis.block - sym(_WARP) * self.lanes
        inside = self._known_but(axis.tid).plus(sym(_WARP), count - 1 - sym(_WARP), left - 1)
        with suppress(TooComplex):
            most = highest(
                e.substitute({axis.tid: sym(_WARP) * self.lanes + sym(_LANE)}),
                _LANE,
                expr(0),
                minimum(self.lanes, left),
                inside,
            )
            if most is None:
                return found
            each = self._sum(most, _WARP, count) * self.lanes
            cut = self._sum(each, axis.ctaid, axis.grid)
            return found[0] * whole + cut * (1 - whole), frozenset()
        return found

    def _of_cut_rows(self, e: Expr, width: int) -> tuple[Expr, frozenset[Expr]] | None:
        """Of warps along the only axis, the last one of a block with fewer threads."""
        (axis,) = self.axes
        total = expr(0)
        for begin in range(0, width, self.lanes):
            lanes = min(self.lanes, width - begin)
            known = self._known_but(axis.tid)
            body = e.substitute({axis.tid: sym(_LANE) + begin})
            most = highest(body, _LANE, expr(0), expr(lanes), known)
            if most is None:
                return None
            total = total + most * self.lanes
        return self._sum(total, axis.ctaid, axis.grid), frozenset()

    def _of_narrow_rows(self, e: Expr) -> tuple[Expr, frozenset[Expr]] | None:
        """Of blocks of two axes or more: those that are whole warps along the first one, and tiles
        of the usual width, whose warps take several rows."""
        found = self._of_rows(e)
        if found is None or not found[1]:
            return found
        first, others = self.axes[0], self.axes[1:]
        tile = replace(first, block=expr(TILE))
        with suppress(TooComplex):
            narrow = Launch((tile, *others), self.lanes, self.known)
            part = narrow._of_several_rows(_with(e, first.block, expr(TILE)), TILE)
            if part is not None and not part[1]:
                (whole,) = self._whole_warps
                is_tile = minimum(first.block - TILE, TILE - first.block)
                is_whole = step(whole, self.known)
                needs = frozenset((maximum(whole, is_tile),))
                return found[0] * is_whole + part[0] * (1 - is_whole), needs
        return found

    def _of_several_rows(self, e: Expr, width: int) -> tuple[Expr, frozenset[Expr]] | None:
        """Of warps that take several rows of a block of two axes or more; the last one of a block
        may have fewer. Of three axes, a block's rows are whole warps."""
        first, second = self.axes[:2]
        rows = self.lanes // width
        needs = frozenset[Expr]()
        if self.axes[2:]:
            uneven = floor_div(second.block, rows) * rows - second.block
            if uneven.constant:
                return None
            needs = frozenset((uneven,)) if uneven else needs
        known = self._known_but(first.tid)
        wide = highest(e, first.tid, expr(0), expr(width), known)
        if wide is None:
            return None
        count, left = ceil_div(second.block, rows), second.block - sym(_WARP) * rows
        most = highest(
            wide.substitute({second.tid: sym(_WARP) * rows + sym(_ROW)}),
            _ROW,
            expr(0),
            minimum(rows, left),
            self._known_but(second.tid).plus(sym(_WARP), count - 1 - sym(_WARP), left - 1),
        )
        if most is None:
            return None
        summed = self._sum(most, _WARP, count) * self.lanes
        for name, grid in ((first.ctaid, first.grid), (second.ctaid, second.grid)):
            summed = self._sum(summed, name, grid)
        for axis in self.axes[2:]:
            summed = self._total_along(summed, axis)
        return summed, needs


def _with(e: Expr, block: Expr, value: Expr) -> Expr:
    """A formula with another formula for the symbol of a block's size."""
    (name,) = block.symbols
    return e.substitute({name: value})


def _remembered(find: Callable[[Launch, Expr], _Found], launch: Launch, e: Expr) -> _Found:
    """What is found for a formula of a launch; kernels of one file often have the same. Values of
    memory carry their program's types with them, and are not remembered."""
    if any(isinstance(atom, Loaded) for atom in e.all_atoms()):
        return find(launch, e)
    return _found(find, launch, e)  # type: ignore[return-value]


@lru_cache(maxsize=1024)
def _found(find: Callable[[Launch, Expr], object], launch: Launch, e: Expr) -> object:
    return find(launch, e)
