"""The laws of a kernel held against what a launch on this processor counted."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from staticana.count import Count
from staticana.results import Access, Analysis, FunctionResult

from .run import Argument, Buffer, Counted, CountedAccess, KernelProgram, Local

BUFFER_BYTES = 1 << 28
"""Of an array that nothing is said of: zeros, which take no memory before they are written."""
_AXES = "xyz"


@dataclass(frozen=True)
class Launch:
    """One launch: blocks and threads along the axes, values of the arguments by name."""

    grid: tuple[int, ...]
    block: tuple[int, ...]
    arguments: Mapping[str, Argument]

    @property
    def values(self) -> dict[str, int]:
        """What the symbols of formulas are."""
        found = {name: v for name, v in self.arguments.items() if isinstance(v, int)}
        for what, sizes in (("grid", self.grid), ("block", self.block)):
            full = (*sizes, 1, 1)[:3]
            found |= {f"{what}_{axis}": n for axis, n in zip(_AXES, full, strict=True)}
        return found


@dataclass(frozen=True)
class Verdict:
    """A law and what was counted.

    verdict: "equal"; "wrong"; "within" bounds; "named": it has no formula and no bounds, or one
    with opaque symbols; "unmet": it rests on what is not so for this launch.
    """

    at: str
    what: str
    law: str
    counted: str
    verdict: str


def arguments_of(program: KernelProgram, given: Mapping[str, Argument]) -> list[Argument]:
    """The arguments of a launch, those that are not given as zeros, ones and empty arrays."""
    found: list[Argument] = []
    for name, kind in zip(program.names, program.parameters, strict=True):
        if name in given:
            found.append(given[name])
        elif kind == "shared":
            found.append(Local())
        elif kind == "ptr":
            found.append(Buffer(BUFFER_BYTES))
        else:
            found.append(1)
    return found


def compared(
    analysis: Analysis, function: FunctionResult, program: KernelProgram, launch: Launch
) -> tuple[Verdict, ...]:
    """Run a launch and hold all laws of the kernel against it.

    Raises:
        RunError: the launch failed.
    """
    return of_counted(analysis, function, counted_in(function, program, launch), launch)


def counted_in(function: FunctionResult, program: KernelProgram, launch: Launch) -> Counted:
    """Run a launch.

    Raises:
        RunError: it failed.
    """
    assert function.kernel is not None
    arguments = arguments_of(program, launch.arguments)
    return program.run(launch.grid, launch.block, arguments, function.kernel.warp)


def of_counted(
    analysis: Analysis, function: FunctionResult, counted: Counted, launch: Launch
) -> tuple[Verdict, ...]:
    """All laws of the kernel held against what a launch counted."""
    return tuple(_verdicts(analysis, function, counted, launch.values))


def _verdicts(
    analysis: Analysis, function: FunctionResult, counted: Counted, values: Mapping[str, int]
) -> Iterator[Verdict]:
    assert function.kernel is not None
    for at, launch in function.kernel.loops.items():
        found = counted.loops.get(at)
        if found is None:
            continue
        for what in ("work", "depth", "warps"):
            law, number = getattr(launch, what), getattr(found, what)
            yield _verdict(at, what, law, number, number, values)
    accesses = function.kernel.accesses
    for access in accesses:
        alike = [a for a in accesses if (a.at, a.kind) == (access.at, access.kind)]
        runs = counted.accesses.get((access.at, access.kind), ())
        if len(alike) != 1:
            continue  # several in one place: not told apart
        for run in runs:
            yield from _of_access(access, run, values)


def _of_access(access: Access, run: CountedAccess, values: Mapping[str, int]) -> Iterator[Verdict]:
    work = access.launch.work
    yield _verdict(access.at, f"{access.kind}s", work, run.executions, run.executions, values)
    if not run.full:
        return
    if access.conflicts is None:
        yield _verdict(access.at, "sectors", access.sectors, *run.sectors, values)
        yield _verdict(access.at, "lines", access.lines, *run.lines, values)
    elif run.ways[0]:  # 0: an index went out of the array, to other memory
        yield _verdict(access.at, "conflicts", access.conflicts, *run.ways, values)


def _verdict(
    at: str, what: str, law: Count, low: int, high: int, values: Mapping[str, int]
) -> Verdict:
    """A law against the least and the most that was counted."""
    counted = str(low) if low == high else f"{low} to {high}"
    text = str(law.formula if law.formula is not None else f"{law.lower} to {law.upper}")
    return Verdict(at, what, text, counted, _judged(law, low, high, values))


def _judged(law: Count, low: int, high: int, values: Mapping[str, int]) -> str:
    if not law.holds(values):
        return "unmet"
    found = law.evaluate(values) if law.kind == "exact" else None
    if found is not None:
        return "equal" if low == high == found else "wrong"
    if law.upper is None or not law.upper.symbols <= values.keys():
        return "named"
    most = law.upper.evaluate(values)
    is_told = law.lower is not None and law.lower.symbols <= values.keys()
    least = law.lower.evaluate(values) if law.lower is not None and is_told else 0
    return "within" if least <= low and high <= most else "wrong"


def worst(verdicts: Sequence[Verdict]) -> str:
    """The verdict that matters most."""
    order = ("wrong", "named", "within", "unmet", "equal")
    found = {v.verdict for v in verdicts}
    return next((o for o in order if o in found), "equal")
