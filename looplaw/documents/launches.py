"""Analyses of kernels as people read them beside the source: a kernel's work and depth are those of
a launch, and so are the iterations of its loops."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import UNSET
from msgspec.structs import replace

from .analysis import (
    AccessDocument,
    AnalysisDocument,
    FunctionDocument,
    KernelDocument,
    LaunchDocument,
    LoopDocument,
)
from .count import CountDocument


def of_launches(data: AnalysisDocument) -> AnalysisDocument:
    """The analysis with the laws of launches in place of those of one thread."""
    return replace(
        data, loops=tuple(map(_loop, data.loops)), functions=tuple(map(_function, data.functions))
    )


def _loop(loop: LoopDocument) -> LoopDocument:
    if not isinstance(loop.launch, LaunchDocument):
        return loop
    return replace(loop, total=loop.launch.work)


def _function(f: FunctionDocument) -> FunctionDocument:
    if not isinstance(f.kernel, KernelDocument):
        return f
    return replace(f, work=f.kernel.work, depth=f.kernel.depth, operations=f.kernel.operations)


def accesses_in(functions: Iterable[FunctionDocument]) -> Iterator[tuple[str, AccessDocument]]:
    """All accesses of kernels to memory, each with the name of its kernel."""
    for f in functions:
        if isinstance(f.kernel, KernelDocument):
            yield from ((f.name, access) for access in f.kernel.accesses)


def access_text(access: AccessDocument) -> str:
    """What a warp touches at an access, in words."""
    what = f"{access.kind} {access.array or 'of memory'}: {access.pattern}"
    if access.conflicts is not None:
        return f"{what}, {_number(access.conflicts)}-way in {access.space} memory"
    return f"{what}, {_number(access.sectors)} sectors a warp"


def _number(count: CountDocument) -> str:
    whole = count.of_whole_warps.formula
    return whole if whole is not None else f"{count.lower} to {count.upper}"


def is_kernel(data: AnalysisDocument, name: str) -> bool:
    """Is a function a kernel?"""
    return any(f.name == name and f.kernel is not UNSET for f in data.functions)
