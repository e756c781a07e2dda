"""From settings and analysis to the runs: which parameter vectors, which command line, which
launcher."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import replace
from itertools import product
from pathlib import Path

from runtime import Experiment, InputFile, is_batch
from staticana import Analysis, InputError, Module
from staticana.interprocedural.inputs.output_parameters import STARTS_OF_MPI

from ..documents.study import RANK
from ..planning.measurement_plan import measurement_plan, sparse_points
from ..settings.settings import MOST_VECTORS, Settings

_PLACEHOLDER = re.compile(r"\{(\w+)\}")
_COMMAND = "command"
_SHORT = {
    "mpiexec": ("mpiexec", "-n", "{}"),
    "srun": ("srun", "--ntasks={}"),
    "sbatch": ("sbatch", "--wait", "--ntasks={}", "--wrap", "srun {command}"),
}
"""Launchers that a name alone stands for, {} being the parameter that counts processes."""


def planned(settings: Settings, analysis: Analysis, *, needed: bool = True) -> Settings:
    """The settings with every value that is run in `vary`: those of the design "plan" are proposed
    by `looplaw plan`, where none are given; those of single points are taken together.

    Raises:
        InputError: nothing is varied although that is `needed`, or a point lacks a value.
    """
    if settings.points:
        names = list(dict.fromkeys(name for point in settings.points for name in point))
        for point in settings.points:
            missing = [name for name in names if name not in point]
            if missing:
                raise InputError(f"design.points: {dict(point)} has no value of {missing[0]}")
        return replace(
            settings,
            vary={n: tuple(sorted({point[n] for point in settings.points})) for n in names},
        )
    if settings.design == "plan":
        plan = measurement_plan(analysis, settings.program)
        proposed = {
            p.name: p.values for p in plan.parameters if p.loops or p.origin.startswith("argv[")
        }
        vary = {name: settings.vary.get(name, values) for name, values in proposed.items()}
        settings = replace(settings, vary={**vary, **settings.vary})
    if needed and not settings.vary:
        raise InputError(
            "nothing is varied: add --vary NAME=VALUES as in --vary n=64,128,256,512, or --design"
            " plan"
        )
    return settings


def points(settings: Settings, analysis: Analysis) -> list[dict[str, int]]:
    """The parameter vectors of the design.

    Raises:
        InputError: they are too many.
    """
    if settings.points:
        return [dict(p) for p in dict.fromkeys(tuple(point.items()) for point in settings.points)]
    if settings.design != "full" and settings.vary:
        groups = measurement_plan(analysis, settings.program).groups
        return sparse_points(
            settings.vary,
            (tuple(settings.vary),) if free_parameters(settings, analysis) else groups,
        )
    return every_point(settings)


def every_point(settings: Settings) -> list[dict[str, int]]:
    """Every combination of the values.

    Raises:
        InputError: they are too many.
    """
    size = 1
    for values in settings.vary.values():
        size *= len(values)
    if size * settings.runs.repetitions > MOST_VECTORS:
        raise InputError(
            f"{size} parameter vectors are more than {MOST_VECTORS}: vary fewer values, or add"
            " --design lines"
        )
    return [
        dict(zip(settings.vary, combination, strict=True))
        for combination in product(*settings.vary.values())
    ]


def free_parameters(settings: Settings, analysis: Analysis) -> frozenset[str]:
    """Varied parameters that only a run names, as in --args '--size {n} mesh-{m}.txt', --env N={n},
    --stdin input-{n}.txt or in a --template.

    The analysis does not see how the program reads them: formulas do not hold them, models may.
    """
    known = {p.name for p in analysis.parameters}
    named = {
        name
        for word in (*settings.given, *settings.runs.launcher)
        for name in _PLACEHOLDER.findall(word)
    }
    return frozenset(named & settings.vary.keys() - known)


def words(settings: Settings, analysis: Analysis) -> tuple[str, ...]:
    """The program's arguments with {name} for parameters.

    Raises:
        InputError: a varied parameter does not exist, or an argument in between has no value.
    """
    by_name = {p.name: p.origin for p in analysis.parameters}
    free = free_parameters(settings, analysis)
    for name in settings.vary:
        if name not in by_name and name not in free:
            known = ", ".join(f"{p.name} ({p.origin})" for p in analysis.parameters) or "none"
            raise InputError(
                f"--vary {name}: the program has no parameter {name}; it has {known}. Name one with"
                f" --param {name}=argv[1], or a word of its arguments with --args '{{{name}}}'"
            )
    if settings.args is not None:
        for word in settings.args:
            for name in _PLACEHOLDER.findall(word):
                if name not in settings.vary:
                    raise InputError(
                        f"the argument {word}: {name} has no values; add --vary {name}=..."
                    )
        return settings.args
    at = {int(origin[5:-1]): name for name, origin in by_name.items() if origin.startswith("argv[")}
    used = [k for k, name in at.items() if name in settings.vary]
    result = []
    for k in range(1, max(used, default=0) + 1):
        held = at.get(k)
        if held is None or held not in settings.vary:
            what = f"parameter {held} (argv[{k}])" if held else f"argv[{k}]"
            raise InputError(
                f"{what} has no value: add --vary {held or 'NAME'}=... or give the program's"
                f" arguments, as in --args '{{{next(iter(settings.vary))}}} 10'"
            )
        result.append(f"{{{held}}}")
    return tuple(result)


def launcher_words(settings: Settings, analysis: Analysis) -> tuple[str, ...]:
    """The launcher with {name} for parameters; a program of MPI whose processes are varied is run
    by mpiexec.

    Raises:
        InputError: a parameter in it has no values, or it needs the number of processes and none is
            varied.
    """
    ranks = rank_count(analysis)
    given = settings.runs.launcher
    if settings.is_for_slurm:
        inside = given[1:] or (("srun",) if ranks in settings.vary else ("local",))
        return launcher_words(
            replace(settings, runs=replace(settings.runs, launcher=inside)), analysis
        )
    if not given:
        return _shorthand("mpiexec", ranks) if ranks in settings.vary else ()
    if given == ("local",):
        if ranks is not None and ranks in settings.vary and settings.vary[ranks] != (1,):
            raise InputError(
                f"--launcher local: it starts one process, but {ranks} is varied; use --launcher"
                " mpiexec"
            )
        return ()
    if len(given) == 1 and given[0] in _SHORT:
        if ranks is None or ranks not in settings.vary:
            raise InputError(
                f"--launcher {given[0]}: the number of processes has no values: add --param"
                " p=mpi:size --vary p=1,2,4, or write the whole command, as in --launcher 'mpiexec"
                " -n 4'"
            )
        return _shorthand(given[0], ranks)
    for word in given:
        for name in _PLACEHOLDER.findall(word):
            if name not in settings.vary and name != _COMMAND:
                raise InputError(f"--launcher: {{{name}}} has no values; add --vary {name}=...")
    return given


def _shorthand(name: str, ranks: str | None) -> tuple[str, ...]:
    return tuple(word.replace("{}", f"{{{ranks}}}") for word in _SHORT[name])


MPI_SIZE = "mpi:size"
"""The origin of the number of processes."""
OMP_THREADS = "omp:threads"
"""The origin of the number of threads."""
_STARTS = {OMP_THREADS: ("__kmpc_fork_call",), MPI_SIZE: STARTS_OF_MPI}
"""Number of workers -> the functions by which a program shows that it has them."""


def parallel_origins(module: Module) -> list[str]:
    """What numbers of workers a program may be run with."""
    return [o for o, names in _STARTS.items() if any(n in module.functions for n in names)]


def rank_count(analysis: Analysis) -> str | None:
    """The parameter that is the number of MPI processes."""
    return next((p.name for p in analysis.parameters if p.origin == MPI_SIZE), None)


def rank_number(analysis: Analysis) -> str | None:
    """The parameter that is the number of an MPI process."""
    return next((p.name for p in analysis.parameters if p.origin == RANK), None)


def thread_count(analysis: Analysis) -> str | None:
    """The parameter that is the number of OpenMP threads."""
    return next((p.name for p in analysis.parameters if p.origin == OMP_THREADS), None)


def with_team(settings: Settings, analysis: Analysis) -> Settings:
    """The settings with a number of threads, where counts depend on it and nobody says it: that of
    the environment, else 1."""
    name = thread_count(analysis)
    if name is None or name in settings.vary:
        return settings
    if not any(name in loop.parameters for loop in analysis.loops):
        return settings
    given = os.environ.get("OMP_NUM_THREADS", "")
    threads = int(given) if given.isdecimal() and int(given) > 0 else 1
    return replace(
        settings,
        vary={**settings.vary, name: (threads,)},
        points=tuple({**point, name: threads} for point in settings.points),
    )


def _filled(word: str, params: Mapping[str, int]) -> str:
    """A word with the values of its parameters."""
    return _PLACEHOLDER.sub(lambda m: str(params.get(m.group(1), m.group(0))), word)


class Runner:
    """Makes the run at a parameter vector.

    Raises:
        InputError: an argument or the launcher lacks a value, or a varied parameter does not reach
            the program.
    """

    def __init__(self, settings: Settings, analysis: Analysis) -> None:
        self.words = words(settings, analysis)
        self._env, self._stdin, self._templates = settings.env, settings.stdin, settings.templates
        if settings.templates and is_batch(settings.runs.launcher):
            raise InputError("--template: jobs run elsewhere, later; hand the file on by --args")
        if settings.stdin is not None and settings.runs.launcher[:1] == ("sbatch",):
            raise InputError("--stdin: sbatch hands none on; use --launcher slurm")
        self._launcher, self._ranks = launcher_words(settings, analysis), rank_count(analysis)
        self._threads = thread_count(analysis)
        if self._threads not in settings.vary:
            self._threads = None
        # each processor has one process, and no team besides, unless the user says how large it is
        is_hybrid = self._ranks in settings.vary and thread_count(analysis) is not None
        self._threads_of_rank = 1 if is_hybrid and "OMP_NUM_THREADS" not in os.environ else None
        if rank_number(analysis) in settings.vary:
            raise InputError(
                f"--vary {rank_number(analysis)}: the rank is each process's own and is not varied;"
                " vary the number of processes, as in --param p=mpi:size --vary p=1,2,4"
            )
        self._refuse_what_is_not_handed_on(settings, analysis)

    def _refuse_what_is_not_handed_on(self, settings: Settings, analysis: Analysis) -> None:
        """Every run would be the same, whatever the value. A single value may be a number in the
        arguments; a single number of processes is held against those that leave counts."""
        given = (*self.words, *settings.given, *self._launcher)
        handed_on = {name for word in given for name in _PLACEHOLDER.findall(word)}
        origins = {p.name: p.origin for p in analysis.parameters}
        for name, values in settings.vary.items():
            is_stated = len(values) == 1 and (str(values[0]) in given or name == self._ranks)
            if name in handed_on or name == self._threads or is_stated:
                continue
            origin = origins.get(name, "")
            raise InputError(
                f"--vary {name}: no value of {name} ({origin}) reaches the program: "
                + (
                    f"--launcher {' '.join(self._launcher)} has no {{{name}}}"
                    if origin == "mpi:size"
                    else f"--args {' '.join(settings.args)!r} has no {{{name}}}"
                    if settings.args
                    else f"hand it on, as in --args '{{{name}}}'"
                )
            )

    def at(self, params: Mapping[str, int]) -> Experiment:
        """The run at these values, not repeated."""
        threads = params.get(self._threads) if self._threads else self._threads_of_rank
        set_to = [_filled(word, params) for word in self._env]
        if threads is not None:
            set_to += [f"OMP_NUM_THREADS={threads}", "OMP_DYNAMIC=false"]
        return Experiment(
            params,
            tuple(_filled(w, params) for w in self.words),
            0,
            tuple(_filled(w, params) for w in self._launcher),
            ("env", *set_to) if set_to else (),
            params.get(self._ranks) if self._ranks and self._launcher else None,
            self._input(params),
            tuple(InputFile(t.file, _filled(t.text, params)) for t in self._templates),
        )

    def _input(self, params: Mapping[str, int]) -> str | None:
        """The file of the standard input at these values.

        Raises:
            InputError: there is none.
        """
        if self._stdin is None:
            return None
        file = Path(_filled(self._stdin, params)).absolute()
        if not file.is_file():
            raise InputError(f"--stdin {file}: no such file")
        return str(file)


def experiments(settings: Settings, analysis: Analysis) -> list[Experiment]:
    """The run at every point of the design, once each.

    Raises:
        InputError: a parameter does not exist or has no value, or the points are too many.
    """
    runner = Runner(settings, analysis)
    return [runner.at(p) for p in points(settings, analysis)]
