"""The options that study and run share, and the settings they make together with a study file."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

import click

from runtime import Selection
from staticana import InputError
from staticana.frontend.mpi import mpi_flags

from ..settings.settings import (
    DESIGNS,
    Runs,
    Settings,
    parse_duration,
    parse_env,
    parse_parameters,
    parse_part,
    parse_percent,
    parse_template,
    parse_vary,
    parse_words,
)
from ..settings.slurm_settings import with_slurm_options
from ..settings.studyfile import read_study_file
from ..settings.trust import expect_trusted
from .console import say

F = TypeVar("F", bound=Callable[..., Any])

_MPI = "Compile as mpicc does (or MPICC); needless for sources that include mpi.h."
param_option = click.option(
    "--param",
    "params",
    multiple=True,
    metavar="NAME=ORIGIN",
    help="Name a parameter: n=argv[1], p=mpi:size, r=mpi:rank, p=omp:threads, n=global:VAR,"
    " n=arg:FUNCTION:0.",
)
_FLAGS = "looplaw.flags"


def _flags_of(context: click.Context) -> list[str]:
    found: list[str] = context.meta.setdefault(_FLAGS, [])
    return found


def _short_flag(name: str, metavar: str, about: str) -> Callable[[F], F]:
    """-I and -D, which every C programmer writes as they are here."""

    def keep(context: click.Context, _: click.Parameter, given: tuple[str, ...]) -> None:
        _flags_of(context).extend(f"{name}{word}" for word in given)

    return click.option(
        name,
        multiple=True,
        metavar=metavar,
        is_eager=True,
        expose_value=False,
        callback=keep,
        help=about,
    )


def _keep_mpi(context: click.Context, parameter: click.Parameter, given: bool) -> None:
    if given:
        try:
            _flags_of(context).extend(mpi_flags()[0])
        except InputError as error:
            raise click.BadParameter(str(error), param=parameter) from None


def flag_option(command: F) -> F:
    """Adds --flag, -I and -D; the command gets them together, as `flags`."""
    flag = click.option(
        "--flag",
        "flags",
        multiple=True,
        metavar="FLAG",
        callback=lambda context, _, given: (*_flags_of(context), *given),
        help="Pass a flag to the compiler, as in --flag=-DN=4.",
    )
    include = _short_flag("-I", "FOLDER", "Look for headers in FOLDER.")
    define = _short_flag("-D", "NAME[=V]", "Define a macro.")
    return flag(include(define(command)))


def compile_options(command: F) -> F:
    """Adds --flag, -I, -D and --mpi, for programs that are compiled and not linked."""
    return flag_option(
        click.option(
            "--mpi", is_flag=True, is_eager=True, expose_value=False, callback=_keep_mpi, help=_MPI
        )(command)
    )


vary_option = click.option(
    "--vary",
    multiple=True,
    metavar="NAME=V,V,...",
    help="Values of a parameter; also LOW:HIGH:STEP, LOW:HIGH:*2.",
)
words_option = click.option(
    "--args", "words", metavar="WORDS", help="The program's arguments, as in '-s {n} mesh-{p}.txt'."
)
env_option = click.option(
    "--env",
    multiple=True,
    metavar="NAME=VALUE",
    help="Set a variable of the program's environment, as in N={n}.",
)
stdin_option = click.option(
    "--stdin", metavar="FILE", help="What the program reads from stdin, as in input-{n}.txt."
)
template_option = click.option(
    "--template",
    "templates",
    multiple=True,
    metavar="TEMPLATE=FILE",
    help="Write FILE for each run: TEMPLATE with its {n}, for a program that reads FILE.",
)
timeout_option = click.option(
    "--timeout", type=click.FloatRange(min=0.01), help="Seconds a run may take (default 60)."
)
mpi_option = click.option("--mpi", is_flag=True, help=_MPI)
_TRUST = "looplaw.trust"
trust_option = click.option(
    "--trust",
    is_flag=True,
    expose_value=False,
    callback=lambda context, _, given: context.meta.setdefault(_TRUST, given),
    help="Obey a study file that others could have written: it runs programs.",
)
link_option = click.option(
    "--link", multiple=True, metavar="FLAG", help="Pass a flag to the linker, as in --link=-lblas."
)

_EXPERIMENT = (
    vary_option,
    param_option,
    words_option,
    env_option,
    stdin_option,
    template_option,
    click.option(
        "--metric",
        multiple=True,
        help="What to model (default iterations and time): also events (cycles, cache-misses, ...),"
        " operations (flops, bytes, ...) and symbols (the values of a formula in each call).",
    ),
    click.option(
        "--design",
        type=click.Choice(DESIGNS),
        help=(
            "Points to run: full (every combination, default), lines (sparse), plan (values"
            " proposed as well)."
        ),
    ),
    click.option(
        "--repetitions", type=click.IntRange(1, 1000), help="Runs at each point (default 3)."
    ),
    click.option(
        "--warmup",
        type=click.IntRange(0, 1000),
        help="Unmeasured runs at each point before the measured ones (default 0).",
    ),
    click.option(
        "--until",
        metavar="PART",
        help="Repeat until the 95 % interval of the times is so narrow, as in 5%.",
    ),
    click.option(
        "--max-repetitions",
        "most",
        type=click.IntRange(1, 100_000),
        help="Repeat --until at most so often (default 30).",
    ),
    click.option(
        "--budget-time", "budget", metavar="TIME", help="Start no run after this time, as in 10m."
    ),
    timeout_option,
    click.option(
        "--launcher",
        metavar="COMMAND",
        help=(
            "What starts the program: local, mpiexec, srun, sbatch, slurm (job arrays), or a"
            " command with {p} for parameters."
        ),
    ),
    click.option(
        "--slurm",
        multiple=True,
        metavar="NAME=VALUE",
        help=(
            "What job arrays ask for and how they are made, as in --slurm time=30m --slurm mem=4G"
            " --slurm retries=2."
        ),
    ),
    click.option(
        "--kernel",
        "kernels",
        multiple=True,
        metavar="PATTERN",
        help=(
            "Instrument only kernels of this name: a function, FUNCTION[k] (its k-th loop) or"
            " FILE:LINE:COLUMN, with * and ?; '!solve*' excludes. May be repeated."
        ),
    ),
    click.option(
        "--file",
        "files",
        multiple=True,
        metavar="PATTERN",
        help=(
            "Instrument only kernels in these files, as in --file 'src/*.c' or --file '!io.c'. May"
            " be repeated."
        ),
    ),
    click.option(
        "--max-overhead",
        metavar="PERCENT",
        help=(
            "Leave out costly kernels until the rest is predicted to cost at most this, as in"
            " --max-overhead 1%."
        ),
    ),
    click.option(
        "--max-runs",
        type=click.IntRange(1),
        metavar="N",
        help="Make at most N runs now; the same command goes on with the others.",
    ),
    click.option(
        "--seed", type=click.IntRange(0), help="Seed of the random order of runs (default 0)."
    ),
    link_option,
    flag_option,
    mpi_option,
    trust_option,
)


def _is_trusted() -> bool:
    """Was --trust given?"""
    context = click.get_current_context(silent=True)
    return context is not None and bool(context.meta.get(_TRUST))


def experiment_options(command: F) -> F:
    """Adds the options of a sweep; the command gets them as keywords."""
    for option in reversed(_EXPERIMENT):
        command = option(command)
    return command


def experiment_settings(program: Sequence[str], given: Mapping[str, Any]) -> Settings:
    """A study file or the options; options win over the file.

    Raises:
        InputError: an option or the file is wrong.
    """
    s = program_settings(
        program,
        given["vary"],
        given["params"],
        given["words"],
        given["flags"],
        given["link"],
        mpi=given["mpi"],
    )
    changed: dict[str, Any] = {
        name: given[option]
        for name, option in (
            ("repetitions", "repetitions"),
            ("warmup", "warmup"),
            ("most", "most"),
            ("timeout_s", "timeout"),
            ("seed", "seed"),
            ("most_runs", "max_runs"),
        )
        if given[option] is not None
    }
    if given["until"] is not None:
        changed["until"] = parse_part(given["until"], "--until")
    if given["budget"] is not None:
        changed["budget_s"] = parse_duration(given["budget"], "--budget-time")
    if given["launcher"] is not None:
        changed["launcher"] = parse_words(given["launcher"], "--launcher")
    slurm = with_slurm_options(s.slurm, given["slurm"])
    runs: Runs = replace(s.runs, **changed)
    from runtime import is_batch

    from ..laws.metrics import check_metrics, countable  # both with numpy: `analyze` needs none

    metrics = tuple(given["metric"]) or s.metrics
    check_metrics(metrics)
    events, missing = countable(metrics)
    for line in missing:
        say(line)
    if events and is_batch(runs.launcher):
        raise InputError(
            f"--metric {events[0]}: it is counted on this machine, and {runs.launcher[0]} runs"
            " programs on others"
        )
    return replace(
        s,
        runs=runs,
        metrics=metrics,
        events=events,
        slurm=slurm,
        selection=_selection(s.selection, given),
        design=given["design"] or s.design,
        env=(*s.env, *parse_env(given["env"])),
        stdin=given["stdin"] or s.stdin,
        templates=(*s.templates, *map(parse_template, given["templates"])),
        points=() if given["design"] else s.points,
    )


def _selection(known: Selection, given: Mapping[str, Any]) -> Selection:
    most = (
        known.most_overhead
        if given["max_overhead"] is None
        else parse_percent(given["max_overhead"], "--max-overhead")
    )
    return Selection(
        tuple(given["kernels"]) or known.kernels, tuple(given["files"]) or known.files, most
    )


def program_settings(
    program: Sequence[str],
    vary: Sequence[str],
    params: Sequence[str],
    words: str | None,
    flags: Sequence[str],
    link: Sequence[str],
    *,
    mpi: bool = False,
) -> Settings:
    """The part of the settings that says what the program is and what is varied; values that are
    given by option take the place of single points of a study file.

    Raises:
        InputError: an option or the study file is wrong.
    """
    if len(program) == 1 and program[0].endswith(".toml"):
        if not _is_trusted():
            expect_trusted(Path(program[0]))
        s = read_study_file(Path(program[0]))
    else:
        s = Settings(tuple(map(Path, program)), {})
        if any(name.endswith(".toml") for name in program):
            raise InputError("a study file is given alone: it names the program")
    args = parse_words(words, "--args") if words is not None else s.args
    more_flags, more_link = mpi_flags() if mpi else ((), ())
    return replace(
        s,
        vary={**s.vary, **parse_vary(vary)},
        parameters={**s.parameters, **parse_parameters(params)},
        args=args,
        flags=(*s.flags, *more_flags, *flags),
        link=(*s.link, *more_link, *link),
        points=() if vary else s.points,
    )
