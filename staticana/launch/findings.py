"""What a kernel does at a cost that it need not have: accesses across lanes, lanes that wait for
others, banks that are in each other's way, launches that do not grow, copies beside launches."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import product

from ..count import Count
from ..expr import Expr
from ..hidden_cost import HiddenCost
from ..interprocedural.loop_nesting import source_loop
from ..ir.graph import callee
from ..ir.types import IntLiteral
from ..program_laws import ProgramLaws
from ..results import Access, Analysis, FunctionResult, KernelResult, LaunchCounts, LoopResult
from .patterns import SECTOR

_TOO_MANY = 4
"""Times as many sectors as lanes side by side would take."""
_WAYS = 8
"""Lanes of a warp that meet in one bank, from which on it is said."""
_LEAST_EFFICIENCY = 0.5
"""Share of lanes that work, up to which it is said."""
_SHARE = 0.25
"""Of what a loop takes, from which on it matters how many lanes come to an access in it."""
_FEW_BLOCKS = 32
"""Blocks of a grid that leave multiprocessors idle."""
_FEW = 8
"""A small number that a kernel may be handed."""
_MOST_HANDED = 4
"""Numbers that a kernel is handed, of which all combinations of few and many are tried."""
_SMALL_COPY = 256
"""Bytes of a flag or a sum, which hosts ask for in each step."""
_BLOCKS = {1: (64, 1, 1), 2: (32, 4, 1), 3: (32, 2, 2)}
_GRIDS = {1: (4, 1, 1), 2: (2, 2, 1), 3: (2, 2, 2)}
_COPIES = {"Memcpy": 3, "clEnqueueReadBuffer": 5, "clEnqueueWriteBuffer": 5}
"""Functions that copy between host and card, and which operand says how many bytes."""


def kernel_findings(analysis: Analysis) -> tuple[HiddenCost, ...]:
    """The findings on all kernels of a program, in the order of the source."""
    found = [
        f
        for function in analysis.functions
        if function.kernel is not None
        for f in (
            *_of_accesses(analysis, function, function.kernel),
            *_of_loops(analysis, function, function.kernel),
            *_of_launches(function, function.kernel),
        )
    ]
    return tuple(dict.fromkeys(found))


def _of_accesses(
    analysis: Analysis, function: FunctionResult, kernel: KernelResult
) -> Iterator[HiddenCost]:
    loops = {loop.at: loop for loop in analysis.loops}
    for access in kernel.accesses:
        needed = -(-kernel.warp * access.bytes // SECTOR)
        sectors = usual_value(access.sectors, kernel)
        if access.pattern == "strided" and sectors is not None and sectors >= _TOO_MANY * needed:
            yield HiddenCost(
                access.at,
                function.name,
                access.kind,
                access.array,
                f"column access across lanes: {int(sectors)} sectors {_a(access)} of"
                f" {access.array or 'memory'} where {needed} would do: swap the indices, or the"
                " layout",
            )
        ways = None if access.conflicts is None else usual_value(access.conflicts, kernel)
        if ways is not None and ways >= _WAYS:
            yield HiddenCost(
                access.at,
                function.name,
                access.kind,
                access.array,
                f"{int(ways)}-way bank conflict of {access.array or 'shared memory'}: pad its rows"
                " by one element",
            )
        around = loops.get(access.loop or "")
        if around is not None and around.launch is not None:
            yield from _waiting(function, kernel, access, around.launch)


def _a(access: Access) -> str:
    return f"{'an' if access.kind == 'atomic' else 'a'} {access.kind}"


def _waiting(
    function: FunctionResult, kernel: KernelResult, access: Access, around: LaunchCounts
) -> Iterator[HiddenCost]:
    if not wastes(access.launch, kernel) or wastes(around, kernel) is not False:
        return
    share, whole = efficiency_of(access.launch, kernel), usual_value(around.warps, kernel)
    taken = usual_value(access.launch.warps, kernel)
    if share is None or not whole or taken is None:
        return
    if taken >= _SHARE * whole:
        yield HiddenCost(
            access.at,
            function.name,
            access.kind,
            access.array,
            f"divergent branch: {share:.0%} of the lanes that wait at this {access.kind} make it",
        )


def _of_loops(
    analysis: Analysis, function: FunctionResult, kernel: KernelResult
) -> Iterator[HiddenCost]:
    headers = dict(_own_loops(analysis, function))
    for at, loop in headers.items():
        if loop.launch is None or not wastes(loop.launch, kernel):
            continue
        outer = headers.get(loop.parent or "")
        above = (
            None if outer is None or outer.launch is None else efficiency_of(outer.launch, kernel)
        )
        share = efficiency_of(loop.launch, kernel)
        if share is not None and (above is None or share <= above / 2):
            yield HiddenCost(
                at,
                function.name,
                "loop",
                "",
                f"divergent loop: {share:.0%} of the lanes that wait for it work",
            )


def _own_loops(analysis: Analysis, function: FunctionResult) -> Iterator[tuple[str, LoopResult]]:
    return (
        (loop.at, loop)
        for loop in analysis.loops
        if any(symbol == function.symbol for symbol, _ in loop.headers)
    )


def _of_launches(function: FunctionResult, kernel: KernelResult) -> Iterator[HiddenCost]:
    depth = kernel.counts.depth.formula
    for site in kernel.sites:
        if depth is None or not _grows(depth.symbols):
            continue
        sizes = [int(g) for g in site.grid if g is not None and g.isdigit()]
        if len(sizes) < len(site.grid):
            continue
        blocks = sizes[0] * sizes[1] * sizes[2]
        if blocks < _FEW_BLOCKS:
            yield HiddenCost(
                site.at,
                function.name,
                "launch",
                "grid",
                f"the grid does not grow: {blocks} block{'s' * (blocks != 1)} whatever there is to"
                f" do, and {depth} iterations of one thread",
            )


def _grows(symbols: frozenset[str]) -> bool:
    return any(not s.startswith(("grid_", "block_")) for s in symbols)


def copies_beside_launches(
    laws: ProgramLaws, kernels: Mapping[str, KernelResult]
) -> tuple[HiddenCost, ...]:
    """Copies between host and card in a loop of the host that launches kernels."""
    loops = {site.loop for kernel in kernels.values() for site in kernel.sites} - {None}
    found = []
    for name, function in laws.program.defined.items():
        view = laws.program.view(name)
        for call in function.calls:
            called = callee(call) or ""
            at = next((n for word, n in _COPIES.items() if word in called), None)
            if at is None or "ToSymbol" in called:
                continue
            size = call.operands[at] if len(call.operands) > at else None
            if isinstance(size, IntLiteral) and size.value <= _SMALL_COPY:
                continue
            around = source_loop(
                view,
                view.forest.innermost.get(function.block_of.get(call.token, ""))
                if call.result is not None
                else None,
            )
            loop = None if around is None else view.loops[around].at
            if loop in loops:
                found.append(
                    HiddenCost(
                        view.own_place(call),
                        name,
                        called,
                        "",
                        f"a copy for each launch of the loop at {loop}: keep the data on the card",
                    )
                )
    return tuple(found)


def usual_value(count: Count, kernel: KernelResult) -> float | None:
    """A count for a launch of a usual size; None where it has no formula."""
    if count.formula is None or count.kind != "exact":
        return None
    return _usual(count.formula, kernel.dimensions)


@lru_cache(maxsize=256)
def _usual(formula: Expr, dimensions: int) -> float | None:
    values = _sizes(dimensions)
    values |= dict.fromkeys(formula.symbols - values.keys(), _threads(dimensions))
    try:
        return float(formula.evaluate(values))
    except (ArithmeticError, KeyError):
        return None


def _sizes(dimensions: int) -> dict[str, int]:
    sizes = _BLOCKS[dimensions], _GRIDS[dimensions]
    return {
        f"{what}_{axis}": n
        for what, numbers in zip(("block", "grid"), sizes, strict=True)
        for axis, n in zip("xyz", numbers, strict=True)
    }


def _threads(dimensions: int) -> int:
    return _BLOCKS[dimensions][0] * _GRIDS[dimensions][0]


def efficiency_of(counts: LaunchCounts, kernel: KernelResult) -> float | None:
    """The largest share of lanes that work, of several sizes of what the kernel is handed."""
    shares = _shares(counts, kernel)
    return None if shares is None else max((s for s in shares if s is not None), default=None)


def wastes(counts: LaunchCounts, kernel: KernelResult) -> bool | None:
    """Do most of the lanes wait, whatever the kernel is handed? None: not known."""
    found = False
    for share in _shares(counts, kernel) or ():
        if share is not None and share > _LEAST_EFFICIENCY:
            return False
        found = found or share is not None
    return True if found else None


def _shares(counts: LaunchCounts, kernel: KernelResult) -> Iterator[float | None] | None:
    """The shares of lanes that work, for several sizes; of a size without any work, None."""
    work, warps = counts.work, counts.warps
    if work.formula is None or warps.formula is None or {work.kind, warps.kind} != {"exact"}:
        return None
    handed = (work.formula.symbols | warps.formula.symbols) - _sizes(kernel.dimensions).keys()
    if len(handed) > _MOST_HANDED:
        return None
    tried = product((_threads(kernel.dimensions), _FEW), repeat=len(handed))
    at = (work.formula, warps.formula, kernel.dimensions)
    return (_share(*at, tuple(zip(sorted(handed), chosen, strict=True))) for chosen in tried)


@lru_cache(maxsize=1024)
def _share(
    work: Expr, warps: Expr, dimensions: int, handed: tuple[tuple[str, int], ...]
) -> float | None:
    values = {**_sizes(dimensions), **dict(handed)}
    try:
        waited = warps.evaluate(values)
        return float(work.evaluate(values) / waited) if waited else None
    except (ArithmeticError, KeyError):
        return None
