"""Sweeps that stop when the models are known, and what is shown of models on the way."""

from __future__ import annotations

import io
import time
from collections.abc import Mapping, Sequence

from rich.console import Console

from looplaw.cli.convergence import Convergence
from looplaw.studies.adaptive import Adaptive, unidentified
from looplaw.studies.modelers import Metered
from modeling import Measurements, Model, Models, OnlineFitter, Quality, Series, Term
from runtime import Experiment, Repeated, RunRecord

GRID = [{"n": n, "m": m} for n in (1, 2, 4, 8) for m in (1, 2, 4)]
FIRST = [{"n": 1, "m": 1}, {"n": 2, "m": 1}, {"n": 4, "m": 1}]
VALUES = {"n": (1, 2, 4, 8), "m": (1, 2, 4)}


class Pupil:
    """A modeler that is sure after a number of points, and may propose some."""

    def __init__(self, enough: int) -> None:
        self.enough = enough
        self.points: dict[tuple[float, ...], int] = {}
        self.asked = 0

    def observe(
        self, callpath: str, metric: str, params: Mapping[str, float], value: float
    ) -> None:
        point = tuple(params[name] for name in ("n", "m"))
        self.points[point] = self.points.get(point, 0) + 1

    def measurements(self) -> Measurements:
        return Measurements(
            (
                Series.from_values(
                    "f", "time", ("n", "m"), list(self.points), [1.0] * len(self.points)
                ),
            )
        )

    def models(self) -> Models:
        self.asked += 1
        sure = len(self.points) >= self.enough
        return Models(
            (
                Model(
                    "f",
                    "time",
                    ("n", "m"),
                    1.0,
                    (),
                    Quality(0.0, 1.0, 0.0, len(self.points)),
                    sure,
                    None if sure else "too few points",
                ),
            )
        )


class Adviser(Pupil):
    """Proposes points, sensible ones and others."""

    def __init__(self, enough: int, proposals: Sequence[Mapping[str, float]]) -> None:
        super().__init__(enough)
        self.proposals = list(proposals)

    def propose(self) -> Sequence[Mapping[str, float]]:
        return self.proposals


def sweep(modeler: Pupil) -> tuple[Adaptive, list[dict[str, int]]]:
    """Run an adaptive schedule to its end; returns it and the points in the order of their first
    run."""
    schedule = Adaptive(
        FIRST,
        GRID,
        VALUES,
        run=lambda p: Experiment(p, ()),
        batch=lambda e: Repeated(e, 2),
        models=modeler.models,
        modeler=modeler,
        seed=4,
    )
    order: list[dict[str, int]] = []
    while experiments := schedule.next_round():
        for e in experiments:
            if dict(e.params) not in order:
                order.append(dict(e.params))
            schedule.add(
                RunRecord("", e.params, (), e.repetition, "ok", 0, "", "", 1.0, 1.0, (), (), ())
            )
            modeler.observe("f", "time", e.params, 1.0)
    return schedule, order


def test_it_stops_as_soon_as_all_models_are_identified() -> None:
    pupil = Pupil(enough=5)
    schedule, order = sweep(pupil)
    assert schedule.identified
    assert len(order) == 5
    assert sorted(order[:3], key=repr) == sorted(FIRST, key=repr), "the planned points come first"
    assert all(p in GRID for p in order)
    assert set(pupil.points.values()) == {2}, "every point is repeated"


def test_it_ends_when_there_is_nothing_left_to_run() -> None:
    schedule, order = sweep(Pupil(enough=100))
    assert len(order) == len(GRID)
    assert not schedule.identified
    assert schedule.open == ("f, time: too few points",)


def test_proposed_points_come_first_and_stay_in_reach() -> None:
    far = {"n": 1000, "m": 1}  # more than twice the largest value
    low, half, strange = {"n": 0, "m": 1}, {"n": 16.0, "m": 2.0}, {"n": 4, "q": 1}
    known, inside = {"n": 1, "m": 1}, {"n": 8, "m": 4}
    schedule, order = sweep(Adviser(5, [far, low, strange, known, half, inside]))
    assert schedule.identified
    assert sorted(order[3:], key=repr) == sorted([{"n": 16, "m": 2}, {"n": 8, "m": 4}], key=repr)


def test_proposals_that_are_done_do_not_keep_it_from_the_rest() -> None:
    schedule, order = sweep(Adviser(100, [{"n": 8, "m": 4}]))
    assert order[3] == {"n": 8, "m": 4}
    assert len(order) == len(GRID)
    assert not schedule.identified


def test_without_models_nothing_is_identified() -> None:
    assert unidentified(Models(())) == ("there are no models yet",)


class Told:
    def __init__(self) -> None:
        self.lines: list[str] = []

    def __call__(self, text: str) -> None:
        self.lines.append(text)


def fitted(points: int) -> tuple[OnlineFitter, Metered]:
    fitter = OnlineFitter(("n",))
    for n in range(1, points + 1):
        fitter.observe("f", "time", {"n": 2**n}, 3.0 * 4**n)
    return fitter, Metered(fitter.models, fitter)


def test_a_line_when_a_model_changes_and_none_when_it_does_not() -> None:
    fitter, metered = fitted(0)
    told = Told()
    with Convergence(metered, Console(file=io.StringIO(), force_terminal=False), told) as shown:
        for n in range(1, 7):
            fitter.observe("f", "time", {"n": 2**n}, 3.0 * 4**n)
            shown.models()
            shown.models()
    changes = [line for line in told.lines if "f, time" in line]
    assert "3*n**2" in changes[-1]
    assert changes[-1].endswith("identified")
    assert "not identified yet" in changes[0]
    assert len(changes) == len(set(changes)) < 6
    assert told.lines[-1].startswith("fitting: ")


def test_on_a_terminal_a_table_is_drawn() -> None:
    fitter, metered = fitted(6)
    for n in range(1, 7):
        fitter.observe("[red]g[/red]", "time", {"n": 2**n}, 5.0)
    out, told = io.StringIO(), Told()
    with Convergence(metered, Console(file=out, force_terminal=True, width=100), told) as shown:
        shown.running("n=64")
        shown.finished()
    assert "3*n**2" in out.getvalue()
    assert "[red]g[/red]" in out.getvalue(), "names are text, not mark-up"
    assert "runs: 1; fitting: 1 times" in out.getvalue()
    assert [line for line in told.lines if "f, time" in line] == []


def test_cost_is_measured_not_assumed() -> None:
    fitter, _ = fitted(6)
    kept: list[bytes] = []

    def fit() -> Models:
        until = time.process_time() + 0.2
        while time.process_time() < until:
            pass
        kept.append(b"x" * (64 << 20))
        kept.pop()
        return fitter.models()

    metered = Metered(fit, fitter)
    metered.models()
    metered.models()
    assert metered.cost.fits == 2
    assert metered.cost.cpu_s >= 0.4
    assert metered.cost.statistics == 6
    assert metered.cost.peak_bytes is None or metered.cost.peak_bytes >= 60 << 20


def test_terms_alone_decide_whether_a_model_changed() -> None:
    from looplaw.cli.convergence import shape

    quality = Quality(0.0, 1.0, 0.0, 5)
    square = Term.of({"n": (2, 0)})
    one, other = (Model("f", "time", ("n",), c, ((c, square),), quality) for c in (1.0, 2.0))
    assert shape(one) == shape(other) != shape(Model("f", "time", ("n",), 1.0, (), quality))
