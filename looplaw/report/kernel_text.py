"""The launch laws of kernels as text: what all threads do, and what a warp touches at each
access."""

from __future__ import annotations

from collections.abc import Iterator

from ..documents.analysis import (
    AccessDocument,
    AnalysisDocument,
    FunctionDocument,
    KernelDocument,
    LaunchSiteDocument,
)
from ..documents.count import CountDocument
from .cells import law_lines


def is_of_kernels(analysis: AnalysisDocument) -> bool:
    """Does a program have kernels?"""
    return any(isinstance(f.kernel, KernelDocument) for f in analysis.functions)


def kernels_text(analysis: AnalysisDocument, *, wide: bool = False) -> str:
    """Each kernel with its launches, loops and accesses."""
    lines: list[str] = []
    for function in analysis.functions:
        if isinstance(function.kernel, KernelDocument):
            lines += _kernel(function, function.kernel, wide=wide)
            lines.append("")
    assumed = dict.fromkeys(text for count in _counts(analysis) for text in count.assumptions)
    if assumed:
        lines += ["Laws hold where", *(f"  {text}" for text in assumed)]
    lines.append(
        "work: sum over all threads; depth: the longest thread; warps: a warp's lanes times its"
        " slowest one."
    )
    return "\n".join(lines)


def _counts(analysis: AnalysisDocument) -> Iterator[CountDocument]:
    for f in analysis.functions:
        if isinstance(f.kernel, KernelDocument):
            yield from (f.kernel.work, f.kernel.depth, f.kernel.warps)
            if f.kernel.blocks_per_multiprocessor is not None:
                yield f.kernel.blocks_per_multiprocessor
            yield from (a.sectors for a in f.kernel.accesses)


def _kernel(function: FunctionDocument, kernel: KernelDocument, *, wide: bool) -> Iterator[str]:
    place = f"{function.file}:{function.line}" if function.file else ""
    yield f"{function.name}  {place}  ({kernel.dimensions}-D, warps of {kernel.warp})".rstrip()
    if kernel.shared_bytes.formula not in (None, "0"):
        limit = kernel.blocks_per_multiprocessor
        room = f", room for {limit.formula} blocks on a multiprocessor" if limit else ""
        yield f"  shared memory  {kernel.shared_bytes.formula} bytes a block{room}"
    for site in kernel.sites:
        yield from _site(site, wide=wide)
    yield from _laws("  ", kernel.work, kernel.depth, kernel.warps, wide=wide)
    for at, launch in kernel.loops.items():
        yield f"  loop {at}"
        yield from _laws("    ", launch.work, launch.depth, launch.warps, wide=wide)
    yield from dict.fromkeys(_access(access, wide=wide) for access in kernel.accesses)
    if wide and kernel.bytes.moved.upper is not None:
        yield f"  bytes moved  at most {kernel.bytes.moved.upper}"
        yield f"  bytes moved  at most {kernel.bytes.best.upper} with lanes side by side"


def _site(site: LaunchSiteDocument, *, wide: bool) -> Iterator[str]:
    grid, block = (
        ", ".join("?" if n is None else _plain(n) for n in sizes)
        for sizes in (site.grid, site.block)
    )
    yield f"  launched at {site.at}: <<<({grid}), ({block})>>>, {_law(site.launches, wide)} times"
    yield f"    work of a run  {_law(site.work, wide)}"


def _plain(formula: str) -> str:
    found = law_lines(CountDocument("exact", formula))
    return " ".join(found)


def _laws(
    indent: str, work: CountDocument, depth: CountDocument, warps: CountDocument, *, wide: bool
) -> Iterator[str]:
    for name, count in (("work", work), ("depth", depth), ("warps", warps)):
        yield f"{indent}{name:6} {_law(count if wide else count.of_whole_warps, wide)}"


def _access(access: AccessDocument, *, wide: bool) -> str:
    what = f"  {access.kind} {access.array or '?'} {access.at}: {access.pattern}"
    if access.conflicts is not None:
        ways = access.conflicts if wide else access.conflicts.of_whole_warps
        return f"{what}, {_law(ways, wide)}-way in {access.space} memory"
    sectors = access.sectors if wide else access.sectors.of_whole_warps
    return f"{what}, {_law(sectors, wide)} sectors a warp"


def _law(count: CountDocument, wide: bool) -> str:
    return ", ".join(law_lines(count, wide=wide))
