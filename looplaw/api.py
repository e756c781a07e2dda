"""A study as Python has it: run or read, kept, shown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from looplaw_common.documents import builtins
from looplaw_common.files import write_whole
from modeling import Model, Models

from .documents.study import StudyDocument, StudyLoop
from .loading import study_or_measurements
from .report import render_html
from .settings.settings import Runs, Settings
from .studies.finish import finish, write
from .studies.live import Live
from .studies.prepare import prepare
from .studies.sweep import run_study


@dataclass(frozen=True)
class Study:
    """A finished study, or measurements and their models in its form."""

    document: StudyDocument = field(repr=False)

    @property
    def data(self) -> dict[str, Any]:
        """The document "looplaw-study/1" as dictionaries and lists."""
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
        _, models, document = finish(prepared, live)
        write(folder, document, models)
        study = Study(document)
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
        return Models(tuple(model for _, model in self.kernels()))

    def report(self, file: str | Path) -> Path:
        """Write the HTML page."""
        write_whole(file, render_html(self.document))
        return Path(file).resolve()

    def _repr_html_(self) -> str:
        """What notebooks show."""
        from .notebook import html  # which knows this class

        return html(self)

    def kernels(self) -> list[tuple[StudyLoop, Model]]:
        """The loops or series that have a model of what was measured, with that."""
        return [
            (loop, Model.of(loop.time_model, loop.at))
            for loop in self.document.loops
            if loop.time_model is not None
        ]
