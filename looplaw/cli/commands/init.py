"""looplaw init: the first study.toml of a program."""

from __future__ import annotations

import os
import re
import shlex
import sys
from pathlib import Path

import click

from looplaw_common.errors import InputError
from looplaw_common.files import write_whole
from runtime.machine.known import known_caches
from staticana import analyze, canonical, compile_sources

from ...planning.measurement_plan import plan_of_program
from ...planning.study_draft import REPETITIONS, study_draft
from ...report.plan_tables import parameters_table
from ...settings.settings import parse_parameters, parse_words
from ..common import debug_option, show
from ..console import guarded, say, tell
from ..options import compile_options, param_option

_NAMED = re.compile(r"\{(\w+)\}")


@click.command("init")
@click.argument("program", nargs=-1, required=True)
@click.option(
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    default=Path("study.toml"),
    show_default=True,
    help="The file to write; one that exists is kept.",
)
@click.option(
    "--args",
    "words",
    metavar="WORDS",
    help="The command line, with {name} for what is varied, as in '-s {n} -i 10'.",
)
@param_option
@compile_options
@debug_option
def init_command(
    program: tuple[str, ...],
    out: Path,
    words: str | None,
    params: tuple[str, ...],
    flags: tuple[str, ...],
    debug: bool,
) -> None:
    """Write a study.toml for PROGRAM, with the parameters that its source tells.

    It proposes sizes that show how loops grow and what each cache costs, and says how long the runs
    take. Where the source tells no parameters, --args says what to vary.

    \b
    looplaw init matmul.c --out matmul.toml
    looplaw init app.cc --args '-s {n} -i 10' --out app.toml
    """
    with guarded(debug):
        if out.exists():
            raise InputError(f"{out}: exists; --out names another file")
        text = canonical(compile_sources(program, flags=flags))
        parameters = parse_parameters(params)
        analysis = analyze(text, parameters=parameters, matrix=False)
        plan = plan_of_program(
            text,
            analysis,
            tuple(map(Path, program)),
            parameters=parameters,
            caches=dict(known_caches()),
        )
        if words is None and not plan.varied:
            words = _asked()
        given = None if words is None else parse_words(words, "--args")
        named = () if words is None else tuple(dict.fromkeys(_NAMED.findall(words)))
        if given is not None and not named:
            raise InputError("--args: nothing to vary in it; write {n} where a size stands")
        folder = out.parent.resolve()
        write_whole(
            out,
            study_draft(
                plan,
                [Path(os.path.relpath(p, folder)) for p in program],
                args=given,
                named=named,
                flags=flags,
                parameters=parameters,
            ),
        )
        if given is None:
            show(parameters_table(plan, command=False), "text")
            tell()
            say(f"{out}: the runs take about {_duration(REPETITIONS * plan.seconds)}")
        else:
            say(f"{out}: varies {', '.join(named)}; see that its values suit the program")
        tell(f"looplaw study {shlex.quote(str(out))}")


def _asked() -> str:
    """The command line, from whoever sits at the terminal.

    Raises:
        InputError: nobody does.
    """
    if not sys.stdin.isatty():
        raise InputError(
            "the source tells no parameter that loops depend on: give the command line, as in"
            " --args '-s {n}'"
        )
    return str(click.prompt("Command line of the program, with {n} for its size", err=True))


def _duration(seconds: float) -> str:
    if seconds < 1:
        return "a second"
    return f"{seconds:.0f} s" if seconds < 120 else f"{seconds / 60:.0f} min"
