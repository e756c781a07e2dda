"""Launches in code of the host: how often a run launches a kernel, with what grid, blocks and
arguments, and what its launches do together."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import partial

from ..count import Count
from ..expr import ONE, Expr, TooComplex, sym, symbols
from ..expr.budget import Budget, OutOfTime, OverBudget
from ..interprocedural.loop_nesting import source_loop
from ..ir.graph import callee
from ..ir.types import Instruction, Operand
from ..program_laws import ProgramLaws
from ..results import KernelResult, LaunchSite
from ..scev.bounded_count import BoundedCount, exactly, unknown
from ..scev.executions.guards import taken
from ..scev.function_analysis import FunctionView
from ..scev.values import Value
from .laws import KernelLaws, LaunchTotals
from .opencl import Launched, launches

_STUB = re.compile(r"(\d*)__device_stub__")
_PUSH = "PushCallConfiguration"
_LAUNCH = "looplaw_launch"
_PARTS = tuple(f"{what}.{axis}" for what in ("grid", "block") for axis in "xyz")
_FAR = "its function is not called once from the entry"
_TOTAL = "launch_total"


def kernel_of_stub(name: str) -> str | None:
    """The kernel that a function of the host's launches."""
    if "__device_stub__" not in name:
        return None
    return _STUB.sub(
        lambda m: str(int(m[1]) - len("__device_stub__")) if m[1] else "", name, count=1
    )


def with_launches(laws: ProgramLaws, kernels: Mapping[str, KernelLaws]) -> dict[str, KernelResult]:
    """The results of kernels, by symbol, with what a run of the host launches of them."""
    sites: dict[str, list[LaunchSite]] = {name: [] for name in kernels}
    for kernel, launched in (*_launched(laws), *launches(laws.program)):
        if kernel in kernels:
            sites[kernel].append(_site(laws, launched, kernels[kernel].totals))
    return {
        name: replace(
            kernels[name].kernel,
            sites=tuple(found),
            launches=Count.sum([s.launches for s in found])
            if found
            else Count("exact", ONE - ONE, ONE - ONE, ONE - ONE),
        )
        for name, found in sites.items()
    }


def _launched(laws: ProgramLaws) -> Iterator[tuple[str, Launched]]:
    """The calls of stubs, each with the kernel that it launches."""
    for site in laws.program.calls.sites:
        kernel = kernel_of_stub(site.callee)
        if kernel is not None:
            view = laws.program.view(site.caller)
            yield (
                kernel,
                Launched(
                    view,
                    site.block,
                    site.instruction,
                    _sizes(laws, view, site.block) or {},
                    partial(_argument, view, site.instruction),
                ),
            )


def _site(laws: ProgramLaws, launched: Launched, totals: LaunchTotals) -> LaunchSite:
    view, sizes = launched.view, launched.sizes
    values = {name: sizes[part].expr for name, part in totals.sizes.items() if part in sizes}
    needs = frozenset(n for value in sizes.values() for n in value.preconditions)
    # a launch without blocks, or of blocks without threads, is an error
    needs |= {value.expr - 1 for value in sizes.values() if value.expr.constant is None}
    for name, at in totals.arguments.items():
        value = launched.argument(at)
        if value is not None:
            values[name], needs = value.expr, needs | value.preconditions
    missing = {*totals.sizes, *totals.arguments} - {*values}

    def over_launches(count: BoundedCount, what: str) -> Count:
        free = _without_blocks(count, totals.sizes, sizes)
        each = _put_in(free, values, needs, missing)
        return _named(laws, lambda: _in_run(laws, launched, each, what))

    def along_axes(what: str) -> tuple[str | None, ...]:
        found = (sizes.get(f"{what}.{axis}") for axis in "xyz")
        return tuple(None if v is None else str(laws.naming.expr(v.expr)) for v in found)

    around = source_loop(view, view.forest.innermost.get(launched.block))
    return LaunchSite(
        view.own_place(launched.call),
        None if around is None else view.loops[around].at,
        along_axes("grid"),
        along_axes("block"),
        over_launches(exactly(ONE), "launches"),
        over_launches(totals.work, "work"),
        over_launches(totals.warps, "warps"),
        _handed(laws, launched, totals),
    )


def _handed(laws: ProgramLaws, launched: Launched, totals: LaunchTotals) -> tuple[str | None, ...]:
    """The numbers that a launch hands to the kernel, by the places of arguments."""
    found: dict[int, str] = {}
    for at in totals.arguments.values():
        value = launched.argument(at)
        if value is not None:
            found[at] = str(laws.naming.expr(value.expr))
    return tuple(found.get(at) for at in range(max(found, default=-1) + 1))


def _put_in(
    count: BoundedCount, values: Mapping[str, Expr], needs: frozenset[Expr], missing: set[str]
) -> BoundedCount:
    """The count of one launch in the terms of who launches it."""
    own = {s for e in (count.formula, count.upper) if e is not None for s in e.symbols}
    if own & missing:
        return unknown("the launch does not tell its grid, its blocks or an argument")
    if any(symbols.is_internal(s) for s in own):
        return unknown("what one launch does depends on data of the card")
    found = count.substitute(values)
    found = replace(
        found, preconditions=frozenset(n for n in found.preconditions if not n.symbols & missing)
    )
    return found.resting_on(found.preconditions | needs) if own else found


def _in_run(laws: ProgramLaws, launched: Launched, each: BoundedCount, what: str) -> BoundedCount:
    """The sum over all launches of a run."""
    program, view = laws.program, launched.view
    caller = view.function.name
    if caller != program.entry and not program.runs_once(caller):
        return unknown(_FAR)
    key = f"{what}.{launched.call.line}"
    return taken(program, view.executions.total(launched.block, each, what, key=key))


def _without_blocks(
    count: BoundedCount, symbols_of: Mapping[str, str], sizes: Mapping[str, Value]
) -> BoundedCount:
    """A count in numbers of all threads, where a launch tells these alone, and how they are divided
    into blocks does not matter."""
    names = {part: name for name, part in symbols_of.items()}
    for axis in "xyz":
        total = sizes.get(f"total.{axis}")
        block, grid = names.get(f"block.{axis}"), names.get(f"grid.{axis}")
        if total is None or block is None or grid is None:
            continue
        one = count.substitute({block: ONE, grid: sym(_TOTAL)})
        if one.substitute({_TOTAL: sym(block) * sym(grid)}).formula != count.formula:
            continue
        count = one.substitute({_TOTAL: total.expr}).resting_on(
            one.substitute({_TOTAL: total.expr}).preconditions | total.preconditions
        )
    return count


def _named(laws: ProgramLaws, find: Callable[[], BoundedCount]) -> Count:
    found = unknown(laws.program.late())
    with suppress(OutOfTime):
        try:
            with Budget(laws.program.allowance.each):
                found = find()
        except TooComplex:
            found = unknown("the formula would be too long")
        except OverBudget:
            pass
        return laws.naming.count(found)
    return Count.unknown(laws.program.late())


def _argument(view: FunctionView, call: Instruction, at: int) -> Value | None:
    """The value that a launch hands to an argument."""
    if at + 1 >= len(call.operands):
        return None
    return view.scalars.value(call.operands[at + 1])


def _sizes(laws: ProgramLaws, view: FunctionView, block: str) -> dict[str, Value] | None:
    """The grid and the block that a launch is configured with."""
    for above in (block, *view.function.predecessors.get(block, ())):
        for i in reversed(view.function.blocks[above].instructions):
            called = callee(i) or ""
            if called == _LAUNCH:
                return _numbered(view, i.operands[1:7])
            if _PUSH in called and called in laws.program.defined:
                return _through(laws, view, above, i, called)
    return None


def _numbered(view: FunctionView, operands: tuple[Operand, ...]) -> dict[str, Value]:
    return {part: view.scalars.value(o) for part, o in zip(_PARTS, operands, strict=True)}


def _through(
    laws: ProgramLaws, view: FunctionView, block: str, call: Instruction, called: str
) -> dict[str, Value] | None:
    """The same, where a function of the runtime's header stands between."""
    inner = laws.program.view(called)
    launch = next((i for i in inner.function.calls if callee(i) == _LAUNCH), None)
    if launch is None:
        return None
    return {
        part: laws.program.at_call(view, block, call, value)
        for part, value in _numbered(inner, launch.operands[1:7]).items()
    }
