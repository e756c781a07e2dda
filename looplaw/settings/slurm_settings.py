"""What a study asks of Slurm: the table [slurm] of a study file, and --slurm NAME=VALUE."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import msgspec

from looplaw_common.documents import convert
from looplaw_common.errors import InputError
from runtime import DEMANDS, Demand, Slurm, walltime

from ..documents.study_file import DemandTable, SlurmOptions, SlurmTable
from .settings import parse_duration

_LISTS = ("options", "setup")
_OURS = re.compile(r"\d+(\.\d+)?\s*(s|ms|m|min|h|d)")


def with_slurm_options(slurm: Slurm, texts: Sequence[str]) -> Slurm:
    """The settings with those of --slurm NAME=VALUE.

    Raises:
        InputError: one is no NAME=VALUE, or no setting.
    """
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals or not value:
            raise InputError(
                f"--slurm {text}: write NAME=VALUE, as in --slurm time=30m or --slurm mem=4G"
            )
        given: Any = [value] if name in _LISTS else _number(value)
        table = convert({name: given}, SlurmOptions, "--slurm", error=InputError)
        slurm = _with(slurm, table, "--slurm ")
    return slurm


def _number(text: str) -> str | int:
    return int(text) if re.fullmatch(r"[+-]?\d{1,18}", text) else text


def slurm_of(table: SlurmTable, where: str) -> Slurm:
    """The settings that a table of a study file holds; what [[slurm.at]] asks for takes precedence.

    Raises:
        InputError: a value is wrong; `where` begins the message.
    """
    slurm = _with(Slurm(), table, f"{where}.")
    for k, at in enumerate(table.at):
        place = f"{where}.at[{k}]"
        if not at.when:
            raise InputError(
                f"{place}: say for which values it is, as in when = {{n = [2048, 4096]}}"
            )
        match = {n: (v,) if isinstance(v, int) else v for n, v in at.when.items()}
        demand = Demand(match, _demands(at, f"{place}."))
        slurm = replace(slurm, demands=(*slurm.demands, demand))
    return slurm


def _with(slurm: Slurm, table: SlurmOptions, where: str) -> Slurm:
    demands = _demands(table, where)
    changed: dict[str, Any] = {
        "demands": (*slurm.demands, *([Demand({}, demands)] if demands else [])),
        "together": table.together,
        "parallel": table.parallel,
        "retries": table.retries,
        "options": (*slurm.options, *map(str, table.options)),
        "setup": (*slurm.setup, *map(str, table.setup)),
        "poll_s": None if table.poll is None else parse_duration(str(table.poll), f"{where}poll"),
    }
    return replace(slurm, **{name: value for name, value in changed.items() if value is not None})


def _demands(table: DemandTable, where: str) -> dict[str, str]:
    """Option of sbatch -> value."""
    found = msgspec.to_builtins(table)
    return {
        name: _demand(name, str(found[name]), where)
        for name in DEMANDS
        if found.get(name) is not None
    }


def _demand(name: str, text: str, where: str) -> str:
    if "\n" in text:
        raise InputError(f"{where}{name}: {text!r} has several lines")
    if name != "time" or "{" in text:
        return text
    seconds = parse_duration(text, f"{where}{name}") if _OURS.fullmatch(text.strip()) else None
    return walltime(text, seconds)
