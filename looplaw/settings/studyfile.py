"""Reads study files: TOML, every field checked, since a wrong one would cost a night of runs."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TypeVar

from runtime import Selection, Slurm
from staticana import InputError

from .mpi import mpi_flags
from .settings import (
    DESIGNS,
    Design,
    Runs,
    Settings,
    parse_duration,
    parse_part,
    parse_percent,
    parse_values,
    parse_words,
)
from .slurm_settings import slurm_of

_MAX_BYTES = 1 << 20
_FIELDS = {
    "": ("program", "about", "entry", "param", "vary", "design", "run", "select", "build", "slurm"),
    "design": ("kind", "points"),
    "select": ("kernel", "file", "max_overhead"),
    "build": ("flags", "link", "mpi"),
    "run": (
        "args",
        "launcher",
        "repetitions",
        "warmup",
        "until",
        "most",
        "budget",
        "timeout",
        "seed",
        "metrics",
    ),
}
T = TypeVar("T")


class _Table:
    """A table of the file; every field is read through `get`, which says where it is if it is
    wrong."""

    def __init__(self, path: Path, name: str, data: object) -> None:
        if not isinstance(data, Mapping):
            raise InputError(f"{path}: {name} is not a table; write [{name}]")
        self.path, self.name, self.data = path, name, data
        unknown = sorted(set(data) - set(_FIELDS[name]))
        if unknown:
            raise InputError(
                f"{path}: unknown field {self.place(unknown[0])}; there are"
                f" {', '.join(_FIELDS[name])}"
            )

    def place(self, key: str) -> str:
        return f"{self.name}.{key}" if self.name else key

    def get(self, key: str, read: Callable[[object, str], T], default: T) -> T:
        if key not in self.data:
            return default
        return read(self.data[key], f"{self.path}: {self.place(key)}")

    def table(self, name: str) -> _Table:
        return _Table(self.path, name, self.data.get(name, {}))


def read_study_file(path: Path) -> Settings:
    """Read a study file.

    Raises:
        InputError: it does not exist, is not TOML, or a field is wrong; the message names the
            field.
    """
    try:
        if path.stat().st_size > _MAX_BYTES:
            raise InputError(f"{path}: larger than {_MAX_BYTES >> 20} MiB: not a study file")
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"{path}: {error.strerror or error}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise InputError(f"{path}: not a study file: {error}") from None
    top = _Table(path, "", data)
    none: tuple[str, ...] = ()
    program = top.get("program", _one_or_more, none)
    if not program:
        raise InputError(f'{path}: the field program is missing; write program = ["FILE.c"]')
    design, build = top.table("design"), top.table("build")
    flags, link = mpi_flags() if build.get("mpi", _truth, False) else (none, none)
    return Settings(
        tuple(path.parent / name for name in program),
        top.get("vary", _vary, {}),
        top.get("param", _named_texts, {}),
        top.table("run").get("args", _words, None),
        _runs(top.table("run")),
        top.get("entry", _text, "main"),
        (*flags, *build.get("flags", _texts, none)),
        (*link, *build.get("link", _texts, none)),
        top.get("about", _text, ""),
        design.get("kind", _design, "full"),
        design.get("points", _points, ()),
        metrics=top.table("run").get("metrics", _texts, none),
        selection=_selection(top.table("select")),
        slurm=top.get("slurm", slurm_of, Slurm()),
    )


def _selection(table: _Table) -> Selection:
    none: tuple[str, ...] = ()
    return Selection(
        table.get("kernel", _one_or_more, none),
        table.get("file", _one_or_more, none),
        table.get("max_overhead", _percent, None),
    )


def _runs(run: _Table) -> Runs:
    d = Runs()
    return Runs(
        run.get("repetitions", _from(1), d.repetitions),
        run.get("warmup", _from(0), d.warmup),
        run.get("until", _part, d.until),
        run.get("most", _from(1), d.most),
        run.get("budget", _duration, d.budget_s),
        run.get("timeout", _positive_duration, d.timeout_s),
        run.get("launcher", _launcher, d.launcher),
        run.get("seed", _from(0), d.seed),
    )


# -- values
def _text(value: object, where: str) -> str:
    if not isinstance(value, str):
        raise InputError(f"{where}: {value!r} is not a text")
    return value


def _truth(value: object, where: str) -> bool:
    if not isinstance(value, bool):
        raise InputError(f"{where}: {value!r} is not true or false")
    return value


def _texts(value: object, where: str) -> tuple[str, ...]:
    if not isinstance(value, Sequence) or isinstance(value, str):
        raise InputError(f'{where}: {value!r} is not a list of texts, as ["-DN=4"]')
    return tuple(_text(v, where) for v in value)


def _one_or_more(value: object, where: str) -> tuple[str, ...]:
    return (value,) if isinstance(value, str) else _texts(value, where)


def _words(value: object, where: str) -> tuple[str, ...] | None:
    """A command line as one text or as a list of words, numbers among them."""
    if isinstance(value, str):
        return parse_words(value, where)
    if not isinstance(value, Sequence) or not all(isinstance(v, str | int | float) for v in value):
        raise InputError(f'{where}: {value!r} is not a command line, as "{{n}} 10"')
    return tuple(str(v) for v in value)


def _launcher(value: object, where: str) -> tuple[str, ...]:
    return _words(value, where) or ()


def _integer(value: object, where: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise InputError(f"{where}: {value!r} is not an integer")
    return value


def _from(least: int) -> Callable[[object, str], int]:
    def read(value: object, where: str) -> int:
        number = _integer(value, where)
        if number < least:
            raise InputError(f"{where}: {number} is less than {least}")
        return number

    return read


def _part(value: object, where: str) -> float | None:
    return parse_part(str(value), where)


def _percent(value: object, where: str) -> float | None:
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise InputError(f'{where}: {value!r} is not in percent, as "1%" or 1')
    return parse_percent(str(value), where)


def _duration(value: object, where: str) -> float | None:
    return _positive_duration(value, where)


def _positive_duration(value: object, where: str) -> float:
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise InputError(f'{where}: {value!r} is not a time, as "10m" or 60')
    return parse_duration(str(value), where)


def _named_texts(value: object, where: str) -> dict[str, str]:
    if not isinstance(value, Mapping):
        raise InputError(f'{where}: write [param] and n = "argv[1]" below')
    return {str(k): _text(v, f"{where}.{k}") for k, v in value.items()}


def _vary(value: object, where: str) -> dict[str, tuple[int, ...]]:
    if not isinstance(value, Mapping):
        raise InputError(f"{where}: write [vary] and n = [64, 128, 256] below")
    return {str(name): _values(v, f"{where}.{name}") for name, v in value.items()}


def _values(value: object, where: str) -> tuple[int, ...]:
    """A list of integers, or a text as --vary has it: "64:4096:*2"."""
    if isinstance(value, str):
        return parse_values(value, where)
    if not isinstance(value, Sequence) or not value:
        raise InputError(
            f'{where}: {value!r} is not a list of integers, as [64, 128, 256] or "64:4096:*2"'
        )
    return tuple(dict.fromkeys(_integer(v, where) for v in value))


def _design(value: object, where: str) -> Design:
    found = next((d for d in DESIGNS if d == value), None)
    if found is None:
        raise InputError(f"{where}: {value!r} is not one of {', '.join(DESIGNS)}")
    return found


def _points(value: object, where: str) -> tuple[Mapping[str, int], ...]:
    if (
        not isinstance(value, Sequence)
        or isinstance(value, str)
        or not all(isinstance(v, Mapping) for v in value)
    ):
        raise InputError(f"{where}: not a list of points, as [{{n = 64, p = 4}}]")
    return tuple({str(k): _integer(v, f"{where}.{k}") for k, v in point.items()} for point in value)
