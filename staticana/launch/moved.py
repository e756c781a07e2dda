"""What a launch moves between memory and the processor, and how many blocks shared memory leaves
room for."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ..count import Count
from ..expr import ZERO, Expr, TooComplex, expr, floor_div, minimum
from ..results import Access
from .kernels import Kernel
from .patterns import SECTOR

_SHARED_BYTES = {32: 98304, 64: 65536}
"""Bytes of shared memory of a multiprocessor, by the lanes of a warp: of NVIDIA's V100 (Tesla V100
GPU Architecture, table 1), and of a compute unit of AMD's (MI50's ISA, "local data share")."""

_TOGETHER = "lanes of a warp that make an access make it together"


def bytes_moved(accesses: Sequence[Access], lanes: int) -> tuple[Count, Count]:
    """(bytes at best, bytes as kernels make their accesses) of all threads of a launch, between
    multiprocessors and memory, without caches. At best a warp touches no more sectors than
    lanes side by side would. Both are bounds from above: warps that make an access with some of
    their lanes may touch less."""
    shared = [a for a in accesses if a.space != "shared"]
    return (
        _total(shared, lanes, lambda a, s: minimum(s, -(-lanes * a.bytes // SECTOR))),
        _total(shared, lanes, lambda _, s: s),
    )


def _total(
    accesses: Sequence[Access], lanes: int, sectors: Callable[[Access, Expr], Expr]
) -> Count:
    total = ZERO
    try:
        for a in accesses:
            warps, touched = a.launch.warps.upper, a.sectors.upper
            if warps is None or touched is None:
                return Count.unknown(f"how often warps make the access at {a.at} is not known")
            total = total + (warps * sectors(a, touched) * SECTOR).over(lanes)
    except TooComplex:
        return Count.unknown("the formula would be too long")
    counts = [c for a in accesses for c in (a.launch.warps, a.sectors)]
    together = Count.sum(counts)
    return Count(
        "bounded",
        None,
        ZERO,
        total,
        tuple(dict.fromkeys(o for c in counts for o in c.opaque)),
        (*together.assumptions, _TOGETHER),
        "a warp may make an access with some of its lanes",
        together.preconditions,
    )


def blocks_by_shared_memory(kernel: Kernel) -> Count | None:
    """The blocks that a multiprocessor has shared memory for; None where a kernel uses none, or a
    launch says how much."""
    if not kernel.shared_bytes or kernel.dynamic:
        return None
    size = _SHARED_BYTES[64 if kernel.lanes == 64 else 32]
    blocks = floor_div(expr(size), expr(kernel.shared_bytes))
    assumed = f"a multiprocessor has {size} bytes of shared memory"
    return Count("exact", blocks, blocks, blocks, (), (assumed,))
