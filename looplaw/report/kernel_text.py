"""The launch laws of kernels as text: what all threads do, and what a warp touches at each
access."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress

from modeling import InputError
from staticana.expr import Expr, TooComplex

from ..documents.analysis import (
    AccessDocument,
    AnalysisDocument,
    FunctionDocument,
    KernelDocument,
    LaunchSiteDocument,
)
from ..documents.count import CountDocument
from ..laws.formula_reading import NotWritten, exact_formula
from .cells import law_lines
from .conditions import Condition, in_words
from .formulas import IF

_LEAST = re.compile(r"((?:\w+, )*\w+) >= (-?\d+)")
_DIMENSION = re.compile(r"(?:block|grid)_[xyz]")


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
    assumed = _assumed(analysis, wide=wide)
    if assumed:
        lines += ["Laws hold where", *(f"  {text}" for text in in_words(assumed))]
    lines.append(
        "work: sum over all threads; depth: the longest thread; warps: a warp's lanes times its"
        " slowest one."
    )
    return "\n".join(lines)


def _assumed(analysis: AnalysisDocument, *, wide: bool) -> list[Condition]:
    """What launches must satisfy, without what those that are known do; `wide`: all of it."""
    found: dict[str, Condition] = {}
    for f in analysis.functions:
        if not isinstance(f.kernel, KernelDocument):
            continue
        launches = [] if wide else [_values(site) for site in f.kernel.sites]
        for text in dict.fromkeys(t for count in _counts(f.kernel) for t in count.assumptions):
            condition = Condition.read(text)
            if not launches or not all(map(condition.holds_at, launches)):
                found[text] = condition.at(launches[0]) if len(launches) == 1 else condition
    return list(found.values())


def _values(site: LaunchSiteDocument) -> dict[str, Expr]:
    """Numbers of blocks and threads, where a launch says them."""
    found: dict[str, Expr] = {}
    for name, sizes in (("grid", site.grid), ("block", site.block)):
        for axis, text in zip("xyz", sizes, strict=False):
            with suppress(InputError, NotWritten, TooComplex):
                found |= {f"{name}_{axis}": exact_formula(text)} if text is not None else {}
    return found


def _counts(kernel: KernelDocument) -> Iterator[CountDocument]:
    yield from (kernel.work, kernel.depth, kernel.warps)
    if kernel.blocks_per_multiprocessor is not None:
        yield kernel.blocks_per_multiprocessor
    yield from (a.sectors for a in kernel.accesses)


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
    times = _law(site.launches, wide).partition(IF)[0]
    yield f"  launched at {site.at}: <<<({grid}), ({block})>>>, {times} times"
    yield f"    work of a run  {_law(site.work, wide)}"


def _plain(formula: str) -> str:
    return _law(CountDocument("exact", formula), False)


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
    return ", ".join(_of_any_launch(text) for text in law_lines(count, wide=wide))


def _of_any_launch(text: str) -> str:
    """A law without conditions that every launch satisfies: at least one block, one thread, and
    sizes of data that nobody has below 0."""
    formula, mark, conditions = text.partition(IF)
    groups = _LEAST.findall(conditions)
    if ", ".join(f"{names} >= {least}" for names, least in groups) != conditions:
        return text
    kept = []
    for names, least in groups:
        asked = [n for n in names.split(", ") if not _DIMENSION.fullmatch(n)]
        kept += [f"{', '.join(asked)} >= {least}"] if asked and int(least) >= 0 else []
    return f"{formula}{mark}{', '.join(kept)}" if kept else formula
