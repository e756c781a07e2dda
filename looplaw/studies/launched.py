"""How a study launches a kernel: with what grid, blocks and arguments at a point.

Where code of the host launches it, these follow from the program's parameters as they do there.
What is not told is enough blocks of a usual size for the largest number that the kernel is handed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from looplaw_common.errors import InputError
from runtime.kernels import Argument, KernelProgram
from runtime.kernels.comparison import Launch
from staticana.expr import Expr, ceil_div, expr, maximum, sym
from staticana.results import FunctionResult, LaunchSite

from ..laws.formula_reading import NotWritten, exact_formula
from ..laws.law_terms import in_range
from ..report.readable import readable
from ..settings.settings import Settings
from .kernels import AXES, BLOCKS

_ORIGIN = re.compile(r"(?:argv\[|mpi:|omp:|global:|arg:)")


def is_origin(text: str) -> bool:
    """Does --param say where a value comes from, rather than a formula?"""
    return _ORIGIN.match(text) is not None


class Unknown(InputError):
    """Numbers that a kernel is handed, of which the study has no values."""

    def __init__(self, names: Sequence[str]) -> None:
        super().__init__(", ".join(names))
        self.names = tuple(names)


@dataclass(frozen=True)
class Launched:
    """A kernel as a study launches it.

    given: sizes and numbers that follow from the parameters of the study, by the names that laws
    have for them. site: where the host does so.
    """

    function: FunctionResult
    program: KernelProgram
    given: Mapping[str, Expr]
    site: LaunchSite | None

    def at(self, params: Mapping[str, int]) -> Launch:
        """The launch at a point."""
        values = {**params, **{n: int(e.evaluate(params)) for n, e in self.given.items()}}
        grid, block = (
            tuple(values[name] for name in names)
            for names in (_names(self.function, "grid"), _names(self.function, "block"))
        )
        own: dict[str, Argument] = {n: values[n] for n in self.program.names if n in values}
        return Launch(grid, block, own)

    @property
    def parameters(self) -> tuple[str, ...]:
        """What may be varied."""
        return (*_numbers(self.program), *sizes_of(self.function))

    def told(self, lowest: Mapping[str, int]) -> str:
        """How it is launched, in a line; empty where the points say all. lowest: of the parameters
        that are varied."""
        how = [f"{name} = {_shown(e, lowest)}" for name, e in self.given.items() if e != sym(name)]
        where = f", as at {self.site.at}" if self.site is not None else ""
        return f"{self.function.name} is launched with {', '.join(how)}{where}" if how else ""


def _shown(e: Expr, lowest: Mapping[str, int]) -> str:
    text = str(in_range(e, lowest))
    found = readable(text)
    return text if found is None else found.formula


def sizes_of(function: FunctionResult) -> tuple[str, ...]:
    """The names of a launch's sizes along the axes of a kernel."""
    return _names(function, "grid") + _names(function, "block")


def _names(function: FunctionResult, what: str) -> tuple[str, ...]:
    assert function.kernel is not None
    return tuple(f"{what}_{axis}" for axis in AXES[: function.kernel.dimensions])


def _numbers(program: KernelProgram) -> tuple[str, ...]:
    kinds = zip(program.names, program.parameters, strict=True)
    return tuple(name for name, kind in kinds if kind[:1] == "i")


def sites_of(settings: Settings, function: FunctionResult) -> Iterator[LaunchSite | None]:
    """The launches of the host that the parameters of the study decide, each of another kind; None
    where there are none.

    Raises:
        InputError: a parameter of the program that decides one has no value.
    """
    assert function.kernel is not None
    axes = function.kernel.dimensions
    seen = set()
    for site in function.kernel.sites:
        parts = (*site.grid[:axes], *site.block[:axes])
        formulas = [_read(text) for text in parts]
        if any(e is None or not e.symbols <= settings.vary.keys() for e in formulas):
            continue
        key = (*parts, site.arguments)
        if key not in seen:
            seen.add(key)
            yield site
    if not seen:
        yield None


def _read(text: str | None) -> Expr | None:
    try:
        return None if text is None else exact_formula(text)
    except (NotWritten, InputError):
        return None


def launched(
    settings: Settings, function: FunctionResult, program: KernelProgram, site: LaunchSite | None
) -> Launched:
    """A kernel with all that its launches need.

    Raises:
        Unknown: numbers that it is handed have no value.
        InputError: a formula is none.
    """
    found: dict[str, Expr] = {}
    numbers = _numbers(program)
    if site is not None:
        found |= _of_site(settings, function, program, site)
    for name in (*numbers, *sizes_of(function)):
        text = settings.parameters.get(name)
        if text is not None and not is_origin(text):
            found[name] = _of_user(settings, name, text)
    lacking = [n for n in numbers if n not in settings.vary and n not in found]
    if missing := [n for n in lacking if n in function.parameters]:
        raise Unknown(missing)
    handed = [found.get(n, sym(n)) for n in numbers if n not in lacking]
    found |= _usual(settings, function, handed, found)
    return Launched(function, program, found, site)


def _of_site(
    settings: Settings, function: FunctionResult, program: KernelProgram, site: LaunchSite
) -> dict[str, Expr]:
    """What the host's code says. Sizes that are varied by name are not its own."""
    found: dict[str, Expr] = {}
    sizes = ((_names(function, "grid"), site.grid), (_names(function, "block"), site.block))
    for names, formulas in sizes:
        for name, text in zip(names, formulas, strict=False):
            e = _read(text)
            if e is not None and name not in settings.vary:
                found[name] = e
    for name, text in zip(program.names, site.arguments, strict=False):
        e = _read(text)
        if e is not None and e.symbols <= settings.vary.keys():
            found[name] = e
    return found


def _of_user(settings: Settings, name: str, text: str) -> Expr:
    try:
        found = exact_formula(text)
    except NotWritten as error:
        raise InputError(f"--param {name}={text}: {error}") from None
    if missing := sorted(found.symbols - settings.vary.keys()):
        raise InputError(f"--param {name}={text}: {missing[0]} has no values: add --vary")
    return found


def _usual(
    settings: Settings, function: FunctionResult, handed: list[Expr], found: Mapping[str, Expr]
) -> dict[str, Expr]:
    """Sizes that nobody says: usual blocks, and as many as the largest number needs."""
    assert function.kernel is not None
    more: dict[str, Expr] = {}
    usual = BLOCKS[function.kernel.dimensions]
    for at, axis in enumerate(AXES[: function.kernel.dimensions]):
        grid, block = f"grid_{axis}", f"block_{axis}"
        if block not in settings.vary and block not in found:
            more[block] = expr(usual[at])
        if grid not in settings.vary and grid not in found:
            threads = {**found, **more}.get(block, sym(block))
            most = maximum(*handed) if handed else expr(1)
            more[grid] = ceil_div(most, threads)
            if any(min(values) < 1 for values in settings.vary.values()):
                more[grid] = maximum(expr(1), more[grid])
    return more
