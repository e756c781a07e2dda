"""OpenCL programs with their own host code against the laws of their kernels: each launch of a run
is run again by fibres, which hold the laws against what its data make of them, and must leave the
memory that the OpenCL library left."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from math import isclose, isfinite
from struct import unpack

from runtime.kernels import Argument, Buffer, KernelProgram, Local
from runtime.kernels.comparison import Launch, Verdict, counted_in, of_counted
from runtime.kernels.opencl_host import OpenCLProgram, RecordedLaunch, has_opencl
from staticana import Analysis, InputError, analyze_module, parse_module
from staticana.interprocedural.inputs.program_parameters import ProgramParameter
from staticana.results import FunctionResult

from ..settings.settings import Settings
from .design import words
from .kernels import KernelCheck

_DEVICE = (".cl", ".spv")
_MOST_LAUNCHES = 12
"""Launches of a kernel in a run that are run again; all are counted."""
_CLOSE = 1e-4


@dataclass
class _Found:
    """What was found of a kernel."""

    launches: int = 0
    verdicts: list[tuple[Launch, Verdict]] = field(default_factory=list)
    failure: str = ""


def runs_with_host(settings: Settings) -> bool:
    """Are there kernels in OpenCL C beside code of the host, and a library to run both?"""
    kinds = {path.suffix in _DEVICE for path in settings.program}
    return kinds == {True, False} and has_opencl()


def check_with_host(settings: Settings, text: str) -> tuple[KernelCheck, ...]:
    """Run the program at all combinations of the values that vary.

    Raises:
        InputError: it does not build, or a parameter has no value.
        RunError: a run failed.
    """
    analysis = analyze_module(
        parse_module(text), entry=settings.entry, parameters=settings.parameters, matrix=False
    )
    kernels = {f.name: f for f in analysis.functions if f.kernel is not None}
    found = {name: _Found() for name in kernels}
    sources = [path for path in settings.program if path.suffix not in _DEVICE]
    line = words(settings, replace(analysis, parameters=tuple(_of_host(analysis))))
    host = OpenCLProgram.build(sources, settings.flags, settings.link)
    try:
        for values in product(*settings.vary.values()):
            point = dict(zip(settings.vary, values, strict=True))
            launches = host.run([word.format(**point) for word in line])
            for name, function in kernels.items():
                own = [launch for launch in launches if launch.kernel == name]
                _check(found[name], text, analysis, function, own, point)
    finally:
        host.close()
    return tuple(
        KernelCheck(name, f.launches, tuple(f.verdicts), f.failure) for name, f in found.items()
    )


def _of_host(analysis: Analysis) -> Iterator[ProgramParameter]:
    """The parameters of the program, without those of its kernels."""
    kernels = tuple(f"arg:{f.symbol}:" for f in analysis.functions if f.kernel is not None)
    for parameter in analysis.parameters:
        if not parameter.origin.startswith(("thread:", *kernels)):
            yield parameter


def _check(
    found: _Found,
    text: str,
    analysis: Analysis,
    function: FunctionResult,
    launches: Sequence[RecordedLaunch],
    point: Mapping[str, int],
) -> None:
    found.launches += len(launches)
    found.verdicts += _of_sites(function, launches, point)
    if found.failure:
        return
    try:
        with KernelProgram.build(text, function.symbol) as program:
            for recorded in launches[:_MOST_LAUNCHES]:
                launch = Launch(recorded.grid, recorded.block, _arguments(program, recorded))
                counted = counted_in(function, program, launch)
                verdicts = (
                    *of_counted(analysis, function, counted, launch),
                    *_of_memory(function, recorded, counted.buffers),
                )
                found.verdicts += [(launch, v) for v in verdicts]
    except InputError as error:
        found.failure = str(error)


def _arguments(program: KernelProgram, recorded: RecordedLaunch) -> dict[str, Argument]:
    given: dict[str, Argument] = {}
    for at, (name, kind) in enumerate(zip(program.names, program.parameters, strict=True)):
        if at in recorded.locals:
            given[name] = Local()
        elif at in recorded.before:
            given[name] = Buffer(data=recorded.before[at], kept=True)
        elif at in recorded.numbers:
            data = recorded.numbers[at]
            if kind in ("float", "double"):
                given[name] = unpack("<f" if kind == "float" else "<d", data)[0]
            elif kind[:1] == "i":
                given[name] = int.from_bytes(data, "little", signed=True)
    return given


def _of_sites(
    function: FunctionResult, launches: Sequence[RecordedLaunch], point: Mapping[str, int]
) -> list[tuple[Launch, Verdict]]:
    """How often the run launched the kernel, against what the host's code says."""
    assert function.kernel is not None
    law = function.kernel.launches
    if law is None:
        return []
    number = law.evaluate(point) if law.kind == "exact" else None
    verdict = "named" if number is None else "equal" if number == len(launches) else "wrong"
    at = f"{function.file}:{function.line}"
    said = Verdict(at, "launches", str(law.formula), str(len(launches)), verdict)
    return [(Launch((), (), dict(point)), said)]


def _of_memory(
    function: FunctionResult, recorded: RecordedLaunch, left: Mapping[int, bytes]
) -> list[Verdict]:
    """What fibres left in memory, against what the library left."""
    at = f"{function.file}:{function.line}"
    return [
        Verdict(at, f"memory of argument {n}", "fibres", "the OpenCL library", "equal")
        if _is_alike(left[n], after)
        else Verdict(at, f"memory of argument {n}", "fibres", "the OpenCL library", "wrong")
        for n, after in recorded.after.items()
        if n in left
    ]


def _is_alike(a: bytes, b: bytes) -> bool:
    """Equal, or floats that differ by rounding."""
    if a == b:
        return True
    for kind, size in (("f", 4), ("d", 8)):
        number = len(a) // size
        if len(a) == len(b) and len(a) == number * size:
            pairs = zip(unpack(f"<{number}{kind}", a), unpack(f"<{number}{kind}", b), strict=True)
            if all(
                x == y
                or (isfinite(x) and isfinite(y) and isclose(x, y, rel_tol=_CLOSE, abs_tol=1e-6))
                for x, y in pairs
            ):
                return True
    return False
