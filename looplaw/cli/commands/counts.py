"""Programs that a build system makes: `looplaw cc` and `looplaw c++` compile them, `looplaw counts`
reads what they counted."""

from __future__ import annotations

import json
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import click

from runtime import Selection, UnitCounts, compile_wrapped, counts_of
from staticana import InputError

from ...documents.reading import named_numbers
from ...settings.settings import parse_percent
from ..console import guarded, leave, put, say, tell_lines

_WRAPPER_HELP = """Usage: looplaw {name} [OPTIONS] ARGUMENT...

  Compile with counters for loops, where a build system expects a compiler. The arguments are
  those of {real}, whose own help is looplaw {name} -help.

  looplaw {name} -O2 {source} -o program
  {variable}="looplaw {name}" make
  {variable}="looplaw {name} --kernel=solve* --file=!io.* --max-overhead=1%" make

Options, in front of the compiler's:
  --kernel=PATTERN        Count only loops of these functions; '!solve*' leaves some out. A
                          pattern need not match in every file.
  --file=PATTERN          Count only loops in these files, as in --file='!io.*'.
  --max-overhead=PERCENT  Leave out costly loops until the rest is predicted to cost at most this.

The program carries what looplaw needs to know of it:
  looplaw study ./program --args '{{n}}' --vary n=64,128,256

It runs as ever and writes its counts where LOOPLAW_CELLS says:
  LOOPLAW_CELLS=cells ./program 64
  looplaw counts cells --at n=64 | looplaw fit -

LOOPLAW_CC names the compiler; LOOPLAW_PLAN=time,calls also takes times, and calls by their
arguments.
"""


_LANGUAGES = {
    "cc": ("c", "CC", "program.c", "clang"),
    "c++": ("c++", "CXX", "program.cc", "clang"),
    "fc": ("fortran", "FC", "program.f90", "flang"),
}
"""Verb -> language, variable of make, a source, the compiler."""


def wrapper_command(name: str) -> click.Command:
    """The command `looplaw NAME`, which takes the arguments of a compiler."""
    language, variable, source, real = _LANGUAGES[name]

    @click.command(
        name,
        context_settings={"ignore_unknown_options": True, "help_option_names": []},
        add_help_option=False,
    )
    @click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
    def command(arguments: tuple[str, ...]) -> None:
        if arguments == ("--help",):  # the compiler's own is -help
            tell_lines(
                _WRAPPER_HELP.format(name=name, variable=variable, source=source, real=real),
                nl=False,
            )
            return
        with guarded(False):
            selection, rest = selected(arguments)
            sys.exit(compile_wrapped(rest, language=language, selection=selection))

    return command


def selected(arguments: Sequence[str]) -> tuple[Selection, tuple[str, ...]]:
    """The options that select kernels, in front of the compiler's arguments, and these.

    Raises:
        InputError: an option has no value, or none that it can have.
    """
    given: dict[str, list[str]] = {"--kernel": [], "--file": [], "--max-overhead": []}
    rest = list(arguments)
    while rest:
        name, equals, value = rest[0].partition("=")
        if name not in given:
            break
        if not equals and len(rest) < 2:
            raise InputError(f"{name}: a value is missing")
        given[name].append(value if equals else rest[1])
        del rest[: 1 if equals else 2]
    most = [parse_percent(text, "--max-overhead") for text in given["--max-overhead"]]
    return Selection(
        tuple(given["--kernel"]), tuple(given["--file"]), most[-1] if most else None
    ), tuple(rest)


@click.command("counts")
@click.argument("cells", type=click.Path(path_type=Path))
@click.option(
    "--at",
    "places",
    multiple=True,
    metavar="NAME=VALUE",
    help="A parameter of the run, for looplaw fit.",
)
@click.option(
    "--calls",
    is_flag=True,
    help="Calls of kernels by their arguments (built with LOOPLAW_PLAN=time,calls).",
)
@click.option("--debug", is_flag=True, help="Show a traceback with errors.")
def counts_command(cells: Path, places: tuple[str, ...], calls: bool, debug: bool) -> None:
    """Print what a program built with looplaw cc counted into the file CELLS, as JSON Lines.

    \b
    CC="looplaw cc" make
    LOOPLAW_CELLS=cells ./program 64
    looplaw counts cells --at n=64 | looplaw fit -
    """
    with guarded(debug):
        params = _parameters(places)
        complete = True
        for path, units in counts_of(cells):
            for row in call_rows(units, params) if calls else loop_rows(units, params):
                put(json.dumps(row))
            for unit in units[:1]:
                if not unit.counts.is_complete:
                    complete = False
                    say(
                        f"{path}: counts are incomplete: the file could not be enlarged;"
                        f" {unit.counts.lost} blocks are missing"
                    )
            for unit in units:
                for kernel, missed in unit.counts.calls.missed.items():
                    say(
                        f"{unit.layout.loops[kernel].at}: {missed} calls are not kept: more"
                        " different arguments than the table holds, or made by a signal's handler"
                        " within another one"
                    )
        leave(unusable=not complete)


def _parameters(places: tuple[str, ...]) -> dict[str, float]:
    """Values as they are written to JSON: integers stay integers."""
    found = named_numbers(places)
    return {n: v if isinstance(v, int) else float(v) for n, v in found.items()}


def loop_rows(
    units: tuple[UnitCounts, ...], params: Mapping[str, float]
) -> Iterator[dict[str, object]]:
    """Measurements of one process: iterations, entries and time of every loop, all its copies added
    up."""
    found: dict[tuple[str, str], float] = defaultdict(int)
    for unit in units:
        for k, loop in enumerate(unit.layout.loops):
            if loop.iterations is not None:
                found[loop.at, "iterations"] += int(unit.counts.iterations[k])
            if loop.entries is not None:
                found[loop.at, "entries"] += int(unit.counts.entries[k])
            if loop.time is not None:
                found[loop.at, "time"] += float(unit.counts.seconds[k])
    rank = units[0].counts.rank if units else None
    for (at, metric), value in found.items():
        yield {
            "params": dict(params),
            "callpath": at,
            "metric": metric,
            "value": value,
            **({} if rank is None else {"rank": rank}),
        }


def call_rows(
    units: tuple[UnitCounts, ...], params: Mapping[str, float]
) -> Iterator[dict[str, object]]:
    """An observation for each kernel and the arguments it was called with: means of one call."""
    for unit in units:
        for row in unit.counts.calls.rows:
            at = unit.layout.loops[row.kernel].at
            own = {**params, **row.values}
            for k, n in row.iterations.items():
                yield {
                    "params": own,
                    "callpath": unit.layout.loops[k].at,
                    "metric": "iterations",
                    "value": n / row.calls,
                }
            yield {"params": own, "callpath": at, "metric": "calls", "value": row.calls}
            if row.seconds is not None:
                yield {"params": own, "callpath": at, "metric": "time", "value": row.seconds}


cc_command, cxx_command, fc_command = map(wrapper_command, _LANGUAGES)
