"""The first study.toml of a program, from what its source tells: a file to be read and changed."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from .measurement_plan import MeasurementPlan

REPETITIONS = 3
_BARE = re.compile(r"[A-Za-z0-9_-]+\Z")
_DEFAULT = (16, 32, 64, 128, 256)
"""Values of a parameter of which the source tells nothing, as {n} in --args '-s {n}'."""


def study_draft(
    plan: MeasurementPlan,
    program: Sequence[Path],
    *,
    args: Sequence[str] | None = None,
    named: Sequence[str] = (),
    flags: Sequence[str] = (),
    parameters: Mapping[str, str] | None = None,
) -> str:
    """The file as text.

    Args:
        program: the sources, relative to the file.
        args: words of the command line with {name} for parameters, where they are given.
        named: the parameters in them.
        flags: for the compiler.
        parameters: name -> origin, as --param gives them.
    """
    planned = {p.name: p.values for p in plan.parameters if p.loops or args is None}
    values = (
        planned if args is None else {name: planned.get(name, _DEFAULT) for name in named}
    ) or {}
    lines = [f"program = {_list(map(str, program))}", 'about = ""', ""]
    if parameters:
        lines += ["[param]", *(f"{_key(n)} = {_text(o)}" for n, o in parameters.items()), ""]
    lines += ["[vary]"]
    lines += [f"{_key(name)} = {list(found)}" for name, found in values.items()]
    if len(values) > 1:
        lines += ["", "[design]", 'kind = "lines"  # or "full": every combination']
    lines += ["", "[run]", f"repetitions = {REPETITIONS}"]
    if args is not None:
        lines.append(f"args = {_list(args)}")
    if flags:
        lines += ["", "[build]", f"flags = {_list(flags)}"]
    return "\n".join(lines) + "\n"


def _text(value: str) -> str:
    """A basic string of TOML: that of JSON, but for DEL."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def _key(name: str) -> str:
    return name if _BARE.match(name) else _text(name)


def _list(values: Sequence[str] | map[str]) -> str:
    return f"[{', '.join(map(_text, values))}]"
