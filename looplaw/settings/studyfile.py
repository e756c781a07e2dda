"""Reads study files: TOML, every key checked, since a wrong one would cost a night of runs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from looplaw_common.errors import InputError
from runtime import Selection
from staticana.frontend.mpi import mpi_flags

from ..documents.study_file import RunTable, SelectTable, StudyFile, Word
from ..documents.toml_file import load_toml
from .settings import (
    Runs,
    Settings,
    parse_duration,
    parse_env,
    parse_part,
    parse_percent,
    parse_template,
    parse_values,
    parse_words,
)
from .slurm_settings import slurm_of


def read_study_file(path: Path) -> Settings:
    """Read a study file.

    Raises:
        InputError: it does not exist, is not TOML, or a key is wrong; the message names the key.
    """
    file, where = load_toml(path, StudyFile), f"{path}: "
    program = _several(file.program)
    if not program:
        raise InputError(f'{path}: program: is missing; write program = ["FILE.c"]')
    flags, link = mpi_flags() if file.build.mpi else ((), ())
    return Settings(
        tuple(path.parent / name for name in program),
        {name: _values(v, f"{where}vary.{name}") for name, v in file.vary.items()},
        file.param,
        None if file.run.args is None else _words(file.run.args, f"{where}run.args"),
        _runs(file.run, f"{where}run"),
        file.entry,
        (*flags, *file.build.flags),
        (*link, *file.build.link),
        file.about,
        file.design.kind,
        file.design.points,
        metrics=file.run.metrics,
        selection=_selection(file.select, f"{where}select"),
        slurm=slurm_of(file.slurm, f"{where}slurm"),
        env=parse_env([f"{n}={v}" for n, v in file.run.env.items()], f"{where}run.env"),
        stdin=None if file.run.stdin is None else str(path.parent / file.run.stdin),
        templates=tuple(
            parse_template(f"{source}={name}", path.parent, f"{where}run.template")
            for source, name in file.run.template.items()
        ),
    )


def _runs(run: RunTable, where: str) -> Runs:
    found: dict[str, Any] = {
        "repetitions": run.repetitions,
        "warmup": run.warmup,
        "until": _read(parse_part, run.until, f"{where}.until"),
        "most": run.most,
        "budget_s": _read(parse_duration, run.budget, f"{where}.budget"),
        "timeout_s": _read(parse_duration, run.timeout, f"{where}.timeout"),
        "launcher": _words(run.launcher, f"{where}.launcher"),
        "seed": run.seed,
    }
    return Runs(**{name: value for name, value in found.items() if value is not None})


def _selection(select: SelectTable, where: str) -> Selection:
    most = _read(parse_percent, select.max_overhead, f"{where}.max_overhead")
    return Selection(_several(select.kernel), _several(select.file), most)


def _read(parse: Any, value: Word | None, where: str) -> float | None:
    """A number in a notation of ours; None where it is not given."""
    return None if value is None else float(parse(str(value), where))


def _several(value: str | tuple[str, ...]) -> tuple[str, ...]:
    return (value,) if isinstance(value, str) else value


def _words(value: str | tuple[Word, ...], where: str) -> tuple[str, ...]:
    """A command line as one text or as a list of words, numbers among them."""
    if isinstance(value, str):
        return parse_words(value, where)
    return tuple(str(word) for word in value)


def _values(value: str | tuple[int, ...], where: str) -> tuple[int, ...]:
    """A list of integers, or a text as --vary has it: "64:4096:*2"."""
    if isinstance(value, str):
        return parse_values(value, where)
    if not value:
        raise InputError(f'{where}: no values; write [64, 128, 256] or "64:4096:*2"')
    return tuple(dict.fromkeys(value))
