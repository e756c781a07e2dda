"""The options of looplaw plan that write the filters of other tools."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from looplaw_common.files import write_whole
from staticana import Analysis

from .console import say
from .selection import Selected, profile_list, scorep_filter, selected, xray_list

_WRITERS: Mapping[str, tuple[str, Callable[[Sequence[Selected]], str]]] = {
    "scorep": ("Write a Score-P filter file.", scorep_filter),
    "profile_list": ("Write a list for clang -fprofile-list.", profile_list),
    "xray": ("Write a list for clang -fxray-attr-list.", xray_list),
}


def selection_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Adds --scorep, --profile-list and --xray."""
    for name, (text, _) in reversed(list(_WRITERS.items())):
        command = click.option(
            f"--{name.replace('_', '-')}",
            name,
            type=click.Path(dir_okay=False, path_type=Path),
            help=text,
        )(command)
    return command


def write_selection(analysis: Analysis, files: Mapping[str, Path | None]) -> None:
    """Write the requested filters; files: option name -> file."""
    functions = selected(analysis)
    for name, file in files.items():
        if file is not None:
            write_whole(file, _WRITERS[name][1](functions))
            say(f"{file}: {len(functions)} of {len(analysis.functions)} functions selected")
