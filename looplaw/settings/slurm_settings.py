"""What a study asks of Slurm: the table [slurm] of a study file, and --slurm NAME=VALUE."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from runtime import DEMANDS, Demand, Slurm, walltime
from staticana import InputError

from .settings import parse_duration

_NUMBERS: Mapping[str, int] = {"together": 1, "parallel": 1, "retries": 0}
_TEXTS = ("options", "setup")
FIELDS = (*DEMANDS, *_NUMBERS, *_TEXTS, "poll", "at")
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
        slurm = _with_field(slurm, name, [value] if name in _TEXTS else value, f"--slurm {name}")
    return slurm


def slurm_of(table: object, where: str) -> Slurm:
    """The settings that a table of a study file holds.

    Raises:
        InputError: a field is unknown or wrong; `where` begins the message.
    """
    slurm = Slurm()
    for name, value in _mapping(table, where).items():
        slurm = _with_field(slurm, str(name), value, f"{where}.{name}")
    return slurm


def _with_field(slurm: Slurm, name: str, value: object, where: str) -> Slurm:
    if name in DEMANDS:
        return replace(
            slurm, demands=(*slurm.demands, Demand({}, {name: _demand(name, value, where)}))
        )
    changed: dict[str, Any] = {}
    if name in _NUMBERS:
        changed[name] = _number(value, _NUMBERS[name], where)
    elif name in _TEXTS:
        changed[name] = (*getattr(slurm, name), *_texts(value, where))
    if changed:
        return replace(slurm, **changed)
    if name == "poll":
        return replace(slurm, poll_s=parse_duration(_text(value, where), where))
    if name == "at" and not where.startswith("--"):
        return replace(
            slurm, demands=(*slurm.demands, *(_at(entry, where) for entry in _list(value, where)))
        )
    raise InputError(f"{where}: there is no such setting; there are {', '.join(FIELDS)}")


def _at(entry: object, where: str) -> Demand:
    """What runs at some values ask for: {when = {n = [2048, 4096]}, time = "2h"}."""
    fields = _mapping(entry, where)
    match = {
        str(name): _values(values, f"{where}.when.{name}")
        for name, values in _mapping(fields.get("when", {}), f"{where}.when").items()
    }
    if not match:
        raise InputError(f"{where}: say for which values it is, as in when = {{n = [2048, 4096]}}")
    options = {str(name): value for name, value in fields.items() if name != "when"}
    for name in options:
        if name not in DEMANDS:
            raise InputError(
                f"{where}.{name}: there is no such setting here; there are when,"
                f" {', '.join(DEMANDS)}"
            )
    return Demand(
        match, {name: _demand(name, value, f"{where}.{name}") for name, value in options.items()}
    )


def _demand(name: str, value: object, where: str) -> str:
    text = _text(value, where)
    if name != "time" or "{" in text:
        return text
    return walltime(text, parse_duration(text, where) if _OURS.fullmatch(text.strip()) else None)


def _text(value: object, where: str) -> str:
    if isinstance(value, bool) or not isinstance(value, str | int) or "\n" in str(value):
        raise InputError(f"{where}: {value!r} is not a text or a whole number")
    return str(value)


def _number(value: object, least: int, where: str) -> int:
    try:
        number = int(_text(value, where))
    except ValueError:
        raise InputError(f"{where}: {value!r} is not a whole number") from None
    if number < least:
        raise InputError(f"{where}: {number} is less than {least}")
    return number


def _values(value: object, where: str) -> tuple[int, ...]:
    return tuple(
        _number(v, -(2**63), where) for v in (value if isinstance(value, list) else [value])
    )


def _list(value: object, where: str) -> list[object]:
    if not isinstance(value, list):
        raise InputError(f"{where}: {value!r} is not a list")
    return value


def _texts(value: object, where: str) -> tuple[str, ...]:
    return tuple(_text(v, where) for v in _list(value, where))


def _mapping(value: object, where: str) -> Mapping[object, object]:
    if not isinstance(value, Mapping):
        raise InputError(f"{where}: {value!r} is not a table")
    return value
