"""A study as Python has it: run or read, kept, shown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from looplaw_common.files import write_whole
from modeling import Model, Models

from .loading import study_or_measurements
from .report import render_html
from .settings.settings import Runs, Settings
from .studies.study import Live, finish, prepare, run_study, write


@dataclass(frozen=True)
class Study:
    """A finished study, or measurements and their models in its form. `data`: the object
    "looplaw-study/1"."""

    data: Mapping[str, Any] = field(repr=False)

    @staticmethod
    def run(
        *program: str | Path,
        vary: Mapping[str, Sequence[int]],
        out: str | Path | None = None,
        repetitions: int = 3,
        parameters: Mapping[str, str] | None = None,
        args: Sequence[str] | None = None,
    ) -> Study:
        """What `looplaw study PROGRAM --vary ...` does; runs that were finished before are not made
        again.

        Args:
            vary: parameter -> values.
            out: directory of the study; looplaw-out/PROGRAM where it is None.
            parameters: name -> origin, as --param has them; args: words of the command line with
                {name} for parameters.

        Raises:
            InputError: the program or an argument is wrong.
        """
        settings = Settings(
            tuple(map(Path, program)),
            {name: tuple(values) for name, values in vary.items()},
            parameters or {},
            None if args is None else tuple(args),
            Runs(repetitions=repetitions),
        )
        prepared = prepare(settings)
        live = Live(prepared)
        folder = Path(out) if out is not None else Path("looplaw-out") / settings.program[0].stem
        run_study(prepared, folder, live=live)
        _, models, data = finish(prepared, live)
        write(folder, data, models)
        study = Study(data)
        study.report(folder / "report.html")
        return study

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
    def models(self) -> Models:
        """The models of the kernels' times, or of every series of measurements."""
        found = [loop["time_model"] for loop in self.data["loops"] if loop.get("time_model")]
        return Models.from_json({"format": "looplaw-models/1", "models": found})

    def report(self, file: str | Path) -> Path:
        """Write the HTML page."""
        write_whole(file, render_html(self.data))
        return Path(file).resolve()

    def _repr_html_(self) -> str:
        """What notebooks show."""
        from .notebook import html  # which knows this class

        return html(self)

    def kernels(self) -> list[tuple[Mapping[str, Any], Model]]:
        """The loops or series that have a model of what was measured, with that."""
        loops = [loop for loop in self.data["loops"] if loop.get("time_model")]
        return list(zip(loops, self.models.models, strict=True))
