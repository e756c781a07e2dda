"""Kernels run on this processor: the laws of their launches against what was counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from runtime.kernels import KernelProgram
from runtime.kernels.comparison import Launch, Verdict, compared
from staticana import Analysis, InputError, analyze_module, canonical, compile_sources, parse_module
from staticana.launch import kernels_of
from staticana.results import FunctionResult

from ..report.cells import Row
from ..report.grid import Column, Table
from ..settings.settings import Settings

AXES = "xyz"
_OF_KERNELS = frozenset((".cl", ".opencl", ".py", ".cu", ".hip", ".spv", ".ll", ".bc"))
_GRID = (4, 2, 2)
BLOCKS = {1: (64, 1, 1), 2: (32, 4, 1), 3: (32, 2, 2)}
"""Threads of blocks along the axes, by their number, where nobody says."""
_MOST = 8
"""Refuted laws of a kernel that are told."""
_VALUES = (0, 1, 33, 100)
"""Of numbers that a kernel is handed, where none are given."""


@dataclass(frozen=True)
class KernelCheck:
    """What was found of one kernel; failure: why it was not run."""

    kernel: str
    launches: int
    verdicts: tuple[tuple[Launch, Verdict], ...]
    failure: str = ""

    @property
    def wrong(self) -> tuple[tuple[Launch, Verdict], ...]:
        """The laws that a launch refutes."""
        return tuple((launch, v) for launch, v in self.verdicts if v.verdict == "wrong")


def check_kernels(
    text: str, vary: Mapping[str, Sequence[int]], entry: str = "main"
) -> tuple[KernelCheck, ...]:
    """Run each kernel of a canonical module with all combinations of given values.

    Args:
        vary: grid_x, block_x and the like, and numbers by the names of arguments.

    Raises:
        InputError: something varied is no parameter.
    """
    analysis = analyze_module(parse_module(text), entry=entry, matrix=False)
    kernels = [f for f in analysis.functions if f.kernel is not None]
    sizes = {f"{what}_{axis}" for what in ("grid", "block") for axis in AXES}
    threads = {p.name for p in analysis.parameters if p.origin.startswith("thread:")}
    known = {p.name for p in analysis.parameters}.union(*(f.parameters for f in kernels)) - threads
    if unknown := sorted(vary.keys() - known - sizes):
        raise InputError(
            f"--vary {unknown[0]}: the kernels have no parameter {unknown[0]}; they have"
            f" {', '.join(sorted(known)) or 'none'}, and sizes such as grid_x and block_x"
        )
    return tuple(_checked(text, analysis, function, vary) for function in kernels)


def _checked(
    text: str, analysis: Analysis, function: FunctionResult, vary: Mapping[str, Sequence[int]]
) -> KernelCheck:
    try:
        with KernelProgram.build(text, function.symbol) as program:
            launches = _launches(function, program, vary)
            found = tuple(
                (launch, verdict)
                for launch in launches
                for verdict in compared(analysis, function, program, launch)
            )
    except InputError as error:
        return KernelCheck(function.name, 0, (), str(error))
    return KernelCheck(function.name, len(launches), found)


def _launches(
    function: FunctionResult, program: KernelProgram, vary: Mapping[str, Sequence[int]]
) -> list[Launch]:
    assert function.kernel is not None
    axes = function.kernel.dimensions
    block = BLOCKS[axes]
    swept: dict[str, Sequence[int]] = {}
    for at, axis in enumerate(AXES[:axes]):
        swept[f"grid_{axis}"] = vary.get(f"grid_{axis}", (_GRID[at],))
        swept[f"block_{axis}"] = vary.get(f"block_{axis}", (block[at],))
    for name, kind in zip(program.names, program.parameters, strict=True):
        if kind[:1] == "i":
            swept[name] = vary.get(name, _VALUES)
    found = []
    for values in product(*swept.values()):
        point = dict(zip(swept, values, strict=True))
        sizes = (
            tuple(point.pop(f"{what}_{axis}") for axis in AXES[:axes]) for what in ("grid", "block")
        )
        grid, own = sizes
        found.append(Launch(grid, own, point))
    return found


def kernels_in(settings: Settings) -> str | None:
    """The canonical module of a program with kernels, which is run kernel by kernel; None for a
    program of the host alone.

    Raises:
        InputError: it does not compile, or is in OpenCL C without a kernel.
    """
    if all(path.suffix not in _OF_KERNELS for path in settings.program):
        return None
    text = canonical(compile_sources(settings.program, flags=settings.flags))
    found = kernels_of(parse_module(text))
    if not found and all(path.suffix in (".cl", ".opencl") for path in settings.program):
        raise InputError(f"{settings.program[0]} holds no kernel")
    return text if found else None


def kernel_checks_table(checks: Sequence[KernelCheck]) -> Table:
    """A row for each kernel, and the laws that were refuted."""
    rows: list[Row] = []
    notes: list[str] = []
    for check in checks:
        found = Counter(v.verdict for _, v in check.verdicts)
        rows.append(
            (
                check.kernel,
                check.launches,
                found["equal"],
                found["within"],
                found["named"],
                found["unmet"],
                found["wrong"],
            )
        )
        if check.failure:
            notes.append(f"{check.kernel} was not run: {check.failure}")
        notes += [
            f"{v.at}: {v.what} {v.law} is not {v.counted} at {launch.values}"
            for launch, v in check.wrong[:_MOST]
        ]
    columns = (
        Column("kernel", "kernel", "path", 8),
        Column("launches", "launches", "number"),
        Column("equal", "laws equal", "number"),
        Column("within", "within bounds", "number"),
        Column("named", "no formula", "number"),
        Column("unmet", "unmet", "number"),
        Column("wrong", "wrong", "number"),
    )
    return Table(columns, tuple(rows), note=tuple(notes))
