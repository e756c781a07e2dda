"""What a study is made of: program, parameters, values, runs; as the command line and the study
file give it."""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from typing import Literal, get_args

from runtime import Selection, Slurm
from staticana import InputError
from staticana.frontend.mpi import mpi_flags

MOST_VECTORS = 100_000
Design = Literal["full", "lines", "plan"]
SLURM = "slurm"
"""The launcher that makes job arrays; what follows it starts the program inside of a job."""
DESIGNS: tuple[Design, ...] = get_args(Design)
_UNITS = {"": 1.0, "s": 1.0, "ms": 1e-3, "m": 60.0, "min": 60.0, "h": 3600.0, "d": 86400.0}
_DURATION = re.compile(r"(\d+(?:\.\d+)?)\s*([a-z]*)")
_PLAIN = re.compile(r"[\w@%+=:,./{}-]+")
"""Words that a command line has without quotes."""


_TEMPLATE_SUFFIXES = (".template", ".tmpl")
_LONGEST_TEMPLATE = 1 << 20


@dataclass(frozen=True)
class Template:
    """A file that a program reads: `text` with {name} for parameters, read from `source`, stands in
    `file` while it runs."""

    source: str
    file: str
    text: str


@dataclass(frozen=True)
class Runs:
    """How often and how the program is run.

    repetitions: measured runs of each point, at least; warmup: runs of each point before them that
    are not measured; until: relative half-width of the confidence interval of the kernels' times to
    repeat for, None for no more than `repetitions`; most: repetitions of a point at most; budget_s:
    seconds after which no run is started any more; launcher: its words with {name} for parameters,
    empty for none; seed: of the order of runs; most_runs: that one command makes, None for all.
    """

    repetitions: int = 3
    warmup: int = 0
    until: float | None = None
    most: int = 30
    budget_s: float | None = None
    timeout_s: float = 60.0
    launcher: tuple[str, ...] = ()
    seed: int = 0
    most_runs: int | None = None


@dataclass(frozen=True)
class Settings:
    """A study. vary: parameter -> values; parameters: name -> origin (--param); args: words of the
    command line with {name} for parameters, None for the parameters in the order of argv; design:
    which combinations of the values are run; points: parameter vectors that are run instead;
    metrics: those to model; events: those among them that hardware or kernel count; selection: the
    kernels that are instrumented; slurm: how job arrays are made, where the launcher asks for them;
    env: NAME=VALUE of the program's environment; stdin: the file that it reads; both with {name}.
    templates: files that it finds under a name of its own.
    """

    program: tuple[Path, ...]
    vary: Mapping[str, tuple[int, ...]]
    parameters: Mapping[str, str] = field(default_factory=dict)
    args: tuple[str, ...] | None = None
    runs: Runs = Runs()
    entry: str = "main"
    flags: tuple[str, ...] = ()
    link: tuple[str, ...] = ()
    about: str = ""
    design: Design = "full"
    points: tuple[Mapping[str, int], ...] = ()
    metrics: tuple[str, ...] = ()
    events: tuple[str, ...] = ()
    selection: Selection = field(default_factory=Selection)
    slurm: Slurm = field(default_factory=Slurm)
    env: tuple[str, ...] = ()
    stdin: str | None = None
    templates: tuple[Template, ...] = ()

    @property
    def given(self) -> tuple[str, ...]:
        """All words that hand values to the program, but for those of the launcher."""
        texts = (t.text for t in self.templates)
        return (*(self.args or ()), *self.env, *((self.stdin,) if self.stdin else ()), *texts)

    @property
    def is_for_slurm(self) -> bool:
        """Are the runs made by job arrays?"""
        return self.runs.launcher[:1] == (SLURM,)


def study_options(settings: Settings) -> tuple[str, ...]:
    """What the command `looplaw study` is given besides the program and the values, so that it
    makes the same study."""
    runs, usual = settings.runs, Runs()
    found = [w for n, origin in settings.parameters.items() for w in ("--param", f"{n}={origin}")]
    if settings.args is not None:
        found += ["--args", _joined(settings.args)]
    found += [w for word in settings.env for w in ("--env", word)]
    found += ["--stdin", settings.stdin] if settings.stdin is not None else []
    found += [w for t in settings.templates for w in ("--template", f"{t.source}={t.file}")]
    found += _build_options(settings)
    found += [w for metric in settings.metrics for w in ("--metric", metric)]
    if settings.design != "full":
        found += ["--design", settings.design]
    for name, value, default in (
        ("--repetitions", runs.repetitions, usual.repetitions),
        ("--warmup", runs.warmup, usual.warmup),
        ("--timeout", f"{runs.timeout_s:g}", f"{usual.timeout_s:g}"),
    ):
        found += [name, str(value)] if value != default else []
    chosen = settings.selection
    found += [w for name in chosen.kernels for w in ("--kernel", name)]
    found += [w for name in chosen.files for w in ("--file", name)]
    if chosen.most_overhead is not None:
        found += ["--max-overhead", f"{100 * chosen.most_overhead:.15g}%"]
    if runs.launcher:
        found += ["--launcher", _joined(runs.launcher)]
    return tuple(found)


def _build_options(settings: Settings) -> list[str]:
    """The options of the compiler and the linker; --mpi in place of all that it stands for."""
    flags, link = settings.flags, settings.link
    found: list[str] = []
    if any("mpi" in word for word in (*flags, *link)):
        with suppress(InputError):
            for_compiler, for_linker = mpi_flags()
            if {*for_compiler} <= {*flags} and {*for_linker} <= {*link}:
                flags = tuple(f for f in flags if f not in for_compiler)
                link = tuple(f for f in link if f not in for_linker)
                found.append("--mpi")
    return [*found, *(f"--flag={f}" for f in flags), *(f"--link={f}" for f in link)]


def _joined(words: Sequence[str]) -> str:
    """Words as `parse_words` reads them; braces need no quotes there, as no shell sees them."""
    return " ".join(w if _PLAIN.fullmatch(w) else shlex.quote(w) for w in words)


def parse_template(given: str, folder: Path = Path(), where: str = "--template") -> Template:
    """TEMPLATE=FILE, or a TEMPLATE whose name tells the file's: clover.in.template.

    Args:
        folder: what the template's name starts from.

    Raises:
        InputError: no file is named, or the template cannot be read.
    """
    source, _, file = given.partition("=")
    path = folder / source
    if not file and path.suffix in _TEMPLATE_SUFFIXES:
        file = path.stem
    if not file or Path(file) == path:
        raise InputError(f"{where} {given}: write TEMPLATE=FILE, FILE being what the program reads")
    try:
        with path.open(encoding="utf-8") as stream:
            text = stream.read(_LONGEST_TEMPLATE + 1)
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is no text"
        raise InputError(f"{where} {path}: {why}") from None
    if len(text) > _LONGEST_TEMPLATE:
        raise InputError(f"{where} {path}: it is longer than {_LONGEST_TEMPLATE} characters")
    return Template(str(path), file, text)


def parse_env(texts: Sequence[str], where: str = "--env") -> tuple[str, ...]:
    """NAME=VALUE of the environment, as they are.

    Raises:
        InputError: no name.
    """
    for text in texts:
        name, equals, _ = text.partition("=")
        if not equals or not name.isidentifier():
            raise InputError(f"{where} {text}: write NAME=VALUE as in {where} N={{n}}")
    return tuple(texts)


def parse_vary(texts: Sequence[str]) -> dict[str, tuple[int, ...]]:
    """n=64,128,256 -> values; n=8:64:8 gives 8, 16, ..., 64; n=8:64:*2 doubles.

    Raises:
        InputError: no name, or a value that is no integer.
    """
    found: dict[str, tuple[int, ...]] = {}
    for text in texts:
        name, equals, values = text.partition("=")
        if not equals or not name.isidentifier() or not values:
            raise InputError(f"--vary {text}: write NAME=VALUE,VALUE,... as in --vary n=64,128,256")
        if name in found:
            raise InputError(f"--vary {text}: {name} has values already; name them all at once")
        found[name] = parse_values(values, f"--vary {text}")
    return found


def parse_values(text: str, where: str) -> tuple[int, ...]:
    """64,128,256 or 8:64:8 or 8:64:*2 -> integers; `where` begins the message if they are none."""
    return tuple(dict.fromkeys(n for part in text.split(",") for n in _values(where, part)))


def _whole(text: str) -> int:
    """The integer that a text is, 1e6 among them.

    Raises:
        ValueError: it is none.
    """
    if "e" not in text.lower():
        return int(text)
    found = Decimal(text)
    if not found.is_finite() or abs(found) >= 1 << 63 or found != int(found):
        raise ValueError(text)
    return int(found)


def _values(where: str, part: str) -> list[int]:
    pieces = part.split(":")
    try:
        if len(pieces) == 1:
            return [_whole(part)]
        low, high = _whole(pieces[0]), _whole(pieces[1])
        step = pieces[2] if len(pieces) > 2 else "1"
        factor, addend = (int(step[1:]), 0) if step.startswith("*") else (1, _whole(step))
        if len(pieces) > 3 or (factor < 2 and addend < 1) or (factor > 1 and low < 1):
            raise ValueError
    except (ValueError, ArithmeticError):
        raise InputError(
            f"{where}: {part!r} is not an integer, nor LOW:HIGH:STEP as in 8:64:8, nor 8:64:*2 for"
            " doubling"
        ) from None
    if low > high:
        raise InputError(
            f"{where}: {part!r} holds no value: it runs from the low one to the high one,"
            f" {high}:{low}"
        )
    result = []
    while low <= high:
        result.append(low)
        if len(result) > MOST_VECTORS:
            raise InputError(f"{where}: more than {MOST_VECTORS} values")
        low = low * factor + addend
    return result


def parse_parameters(texts: Sequence[str]) -> dict[str, str]:
    """n=argv[1] -> {"n": "argv[1]"}."""
    found: dict[str, str] = {}
    for text in texts:
        name, equals, origin = text.partition("=")
        if not equals or not name or not origin:
            raise InputError(f"--param {text}: write NAME=ORIGIN as in --param n=argv[1]")
        if found.get(name, origin) != origin:
            raise InputError(
                f"--param {text}: {name} is {found[name]} already; give each its own name"
            )
        found[name] = origin
    return found


def parse_words(text: str, where: str) -> tuple[str, ...]:
    """A command line as its words."""
    try:
        return tuple(shlex.split(text))
    except ValueError as error:
        raise InputError(f"{where} {text}: {error}") from None


def parse_part(text: str, where: str) -> float:
    """5% or 0.05 -> 0.05.

    Raises:
        InputError: it is not between 0 and 1.
    """
    number, percent, rest = text.partition("%")
    try:
        value = float(number) / (100 if percent else 1)
    except ValueError:
        value = 0.0
    if rest or not 0 < value < 1:
        raise InputError(f"{where} {text}: write a fraction of the time, as in {where} 5%")
    return value


def parse_percent(text: str, where: str) -> float:
    """5%, 5 or 0.5% -> 0.05, 0.05, 0.005: always percent.

    Raises:
        InputError: it is not above 0.
    """
    try:
        value = float(text.strip().removesuffix("%")) / 100
    except ValueError:
        value = 0.0
    if not 0 < value < float("inf"):
        raise InputError(f"{where} {text}: write percent, as in {where} 1%")
    return value


def parse_duration(text: str, where: str) -> float:
    """90, 90s, 10m or 2h -> seconds.

    Raises:
        InputError: it is none of these, or zero.
    """
    found = _DURATION.fullmatch(text.strip())
    if found is None or found[2] not in _UNITS or not float(found[1]):
        raise InputError(f"{where} {text}: write a time, as in {where} 10m (also 90s, 2h)")
    return float(found[1]) * _UNITS[found[2]]
