"""`looplaw.study` and `Study`: a study as Python has it, run or read, kept, shown."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from looplaw_common.documents import builtins
from looplaw_common.files import write_whole
from looplaw_common.lookup import find
from modeling import Model, Models
from staticana import InputError

from .documents.study import StudyDocument, StudyLoop
from .loading import study_or_measurements
from .report import render_html
from .settings.settings import Runs, Settings

if TYPE_CHECKING:
    import pandas
    import xarray


@dataclass(frozen=True, repr=False)
class Study:
    """A finished study, or measurements and their models in its form."""

    document: StudyDocument = field(repr=False)

    @property
    def data(self) -> dict[str, Any]:
        """The document "looplaw-study/1" as dictionaries and lists, as it stands in study.json."""
        return builtins(self.document)

    @staticmethod
    def run(
        *program: str | Path,
        vary: Mapping[str, Sequence[int]],
        out: str | Path | None = None,
        repetitions: int = 3,
        parameters: Mapping[str, str] | None = None,
        args: Sequence[str] | None = None,
    ) -> Study:
        """`looplaw.study` of a program.

        Args:
            parameters: what `looplaw.study` calls `param`.

        Raises:
            InputError: the program or an argument is wrong.
        """
        return study(
            program, vary=vary, out=out, repetitions=repetitions, param=parameters, args=args
        )

    @staticmethod
    def load(path: str | Path) -> Study:
        """A finished study (its directory or study.json), or a file of measurements, which is
        modeled.

        Raises:
            InputError: no such file, or of a kind that no reader knows. DataError: what is in it is
                wrong.
        """
        return Study(study_or_measurements(str(path)))

    @property
    def loops(self) -> tuple[StudyLoop, ...]:
        """The loops with their laws, counts, times and models, in the order of the source; or the
        series of measurements in their place."""
        return self.document.loops

    @property
    def models(self) -> Models:
        """The models of the loops' times in seconds, or of every series of measurements."""
        return Models(tuple(model for _, model in self.kernels()))

    def __getitem__(self, key: str) -> StudyLoop:
        """The loop at "file:line" or "file:line:col", as of an analysis.

        Raises:
            UnknownKey: no loop, or several, are there; the message lists what there is.
        """
        nothing: tuple[Any, ...] = ()
        loop: StudyLoop = find(key, self.loops, nothing)
        return loop

    def to_pandas(self) -> pandas.DataFrame:
        """One row a loop and parameter vector: loop, function, the parameters, iterations (counted
        in a run), predicted (by the formula), and time, time_std (mean and standard deviation of
        the repetitions in seconds, or the metric of measurements in its own unit) and repetitions.
        What was not counted or timed is NaN.
        """
        import pandas

        names = [p.name for p in self.document.parameters]
        rows: dict[tuple[str, tuple[float, ...]], dict[str, Any]] = {}
        for loop in self.loops:

            def row(params: Mapping[str, float], loop: StudyLoop = loop) -> dict[str, Any]:
                key = (loop.at, tuple(float(params.get(n, np.nan)) for n in names))
                place = {n: params.get(n, np.nan) for n in names}
                return rows.setdefault(key, {"loop": loop.at, "function": loop.function, **place})

            for counted in loop.counted:
                row(counted.params).update(
                    iterations=counted.iterations, predicted=_number(counted.predicted)
                )
            for timed in loop.time or ():
                values = np.array(timed.values, dtype=float)
                row(timed.params).update(
                    time=values.mean() if len(values) else np.nan,
                    time_std=values.std(ddof=1) if len(values) > 1 else np.nan,
                    repetitions=len(values),
                )
        measured = ["iterations", "predicted", "time", "time_std", "repetitions"]
        frame = pandas.DataFrame(
            list(rows.values()), columns=["loop", "function", *names, *measured]
        )
        frame[measured] = frame[measured].astype(float)
        return frame

    def to_xarray(self) -> xarray.Dataset:
        """iterations, predicted, time, time_std and repetitions, as `to_pandas` has them, over the
        dimensions loop and every parameter; NaN where nothing was run."""
        names = [p.name for p in self.document.parameters]
        frame = self.to_pandas().drop(columns="function")
        return frame.set_index(["loop", *names]).to_xarray()

    def report(self, file: str | Path) -> Path:
        """Write the HTML page, and say where it is."""
        write_whole(file, render_html(self.document))
        return Path(file).resolve()

    def __repr__(self) -> str:
        swept = ", ".join(
            f"{p.name} in {', '.join(map(str, p.values[:4]))}{', ...' * (len(p.values) > 4)}"
            for p in self.document.parameters
        )
        models = sum(loop.time_model is not None for loop in self.loops)
        title = self.document.title or ", ".join(self.document.program)
        return f"Study({title}: {len(self.loops)} loops, {models} models; {swept or 'one point'})"

    def _repr_html_(self) -> str:
        """What notebooks show."""
        from .notebook import html  # which knows this class

        return html(self)

    def kernels(self) -> list[tuple[StudyLoop, Model]]:
        """The loops or series that have a model of what was measured, with that."""
        return [
            (loop, Model.of(loop.time_model, loop.at))
            for loop in self.loops
            if loop.time_model is not None
        ]


def study(
    program: str | Path | Sequence[str | Path],
    *,
    vary: Mapping[str, Sequence[int]] | None = None,
    out: str | Path | None = None,
    param: Mapping[str, str] | None = None,
    args: Sequence[str] | None = None,
    repetitions: int | None = None,
    flags: Sequence[str] = (),
    metrics: Sequence[str] = (),
    machine: str | Path | None = None,
) -> Study:
    """Analyse a program, run it instrumented over values of its parameters, model every loop, and
    compare counts and times with the formulas: what `looplaw study` does.

    Finished runs are kept in the directory of the study and not made again.

    Args:
        program: the path of a source file, or several, which are linked; or a study file (.toml).
        vary: parameter -> values to run, as in {"n": [64, 128, 256]}.
        out: directory of the study; looplaw-out/PROGRAM where it is left out.
        param: name -> origin, as in {"n": "argv[1]"}.
        args: words of the command line with {name} for parameters; the parameters in the order of
            argv where they are left out.
        repetitions: runs at each point, 3 unless the study file says otherwise.
        flags: options for the compiler.
        metrics: what to measure beside iterations and time (seconds), as "instructions".
        machine: costs of memory to model times with: a file that `looplaw machine --json` wrote, or
            "none"; this machine's, measured once, where it is left out.

    Raises:
        InputError: the program or an argument is wrong. RunError: it could not be built or run.
    """
    from .laws.machine_costs import costs_for
    from .laws.metrics import check_metrics, countable
    from .settings.studyfile import read_study_file
    from .studies.finish import finish, write
    from .studies.live import Live
    from .studies.prepare import prepare
    from .studies.sweep import run_study

    paths = _sources(program)
    if len(paths) == 1 and Path(paths[0]).suffix == ".toml":
        settings = read_study_file(Path(paths[0]))
    elif paths:
        settings = Settings(tuple(map(Path, paths)), {})
    else:
        raise InputError("no program: give a path at least")
    given = {name: _values(name, values) for name, values in (vary or {}).items()}
    runs: Runs = settings.runs
    settings = replace(
        settings,
        vary={**settings.vary, **given},
        parameters={**settings.parameters, **(param or {})},
        args=settings.args if args is None else tuple(args),
        runs=runs if repetitions is None else replace(runs, repetitions=repetitions),
        flags=(*settings.flags, *flags),
        points=() if given else settings.points,
    )
    if metrics:
        check_metrics(metrics)
        settings = replace(settings, metrics=tuple(metrics), events=countable(metrics)[0])
    costs = costs_for(None if machine is None else str(machine))
    prepared = prepare(settings)
    live = Live(prepared)
    folder = Path(out) if out is not None else Path("looplaw-out") / settings.program[0].stem
    run_study(prepared, folder, live=live)
    _, models, document = finish(prepared, live, costs)
    write(folder, document, models)
    found = Study(document)
    found.report(folder / "report.html")
    return found


def _sources(program: object) -> list[str | Path]:
    """The paths of a program's sources.

    Raises:
        InputError: it is no path and no sequence of paths.
    """
    if isinstance(program, (str, Path)):
        return [program]
    if isinstance(program, Sequence) and all(isinstance(p, (str, Path)) for p in program):
        return list(program)
    raise InputError(
        f"{getattr(program, '__name__', type(program).__name__)}: a study runs a program: give the"
        " path of its source, or several; a function of Python is what looplaw.analyze takes"
    )


def _values(name: str, values: object) -> tuple[int, ...]:
    """What one parameter is varied over.

    Raises:
        InputError: they are no whole numbers.
    """
    found: tuple[Any, ...] = tuple(values) if isinstance(values, Iterable) else ()
    try:
        whole = tuple(int(v) for v in found)
    except (TypeError, ValueError, OverflowError):
        whole = ()
    if not whole or whole != found:
        raise InputError(
            f'{name}: {str(values)[:80]!r}: write whole numbers, as in vary={{"{name}": [64, 128]}}'
        )
    return whole


def _number(value: int | str | None) -> float:
    """A predicted count; a fraction is a text."""
    if value is None:
        return np.nan
    top, _, bottom = str(value).partition("/")
    return int(top) / int(bottom or 1)
