"""Run times foretold from a study: parts that add up, what limits them, what to measure next."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import msgspec
import numpy as np
import pytest
from click.testing import CliRunner

from looplaw.cli.commands.models.predict import predict_command
from looplaw.documents.study import (
    RunDocument,
    StudyDocument,
    StudyLoop,
    SweptParameter,
    TimesDocument,
)
from looplaw.laws.answer import answer
from looplaw.laws.forecast import forecast, place
from looplaw.laws.limits import limit_sentence, why
from looplaw.laws.next_size import measured_at, next_size
from looplaw.laws.time_prediction import (
    PredictedKernel,
    PredictedRest,
    PredictedTime,
    predict_time,
    rest_model,
    run_models,
)
from looplaw.report.answer_text import sentences
from looplaw_common.documents import builtins
from looplaw_common.errors import DataError, InputError
from modeling import Measurements, Series, fit
from modeling.pmnf.time_law import UNEXPLAINED, TimeLaw, limits_at
from modeling.timelaw.fit import Fit, fit_time_law
from modeling.timelaw.model import with_law
from tests.looplaw.study_example import example_study, typed
from tests.modeling.timelaw.test_time_law import _COUNT, _SIZES, machine, sweep_traffic, truth
from tests.runtime.machine.made_up import made_up_machine

REST = 2e-3
COSTS = machine(l2=4 << 20)


def fitted(noise: float = 0.01) -> Fit:
    rng = np.random.default_rng(4)
    seconds = truth(_SIZES, COSTS) * np.exp(noise * rng.normal(size=len(_SIZES)))
    return fit_time_law(seconds, {"n": _SIZES}, [_COUNT], sweep_traffic(), COSTS)


def study() -> StudyDocument:
    """One kernel with a law of time, one with a fitted model, and a rest of 2 ms + 1 us n."""
    law = fitted()
    times = truth(_SIZES, COSTS)
    points = [[n] for n in _SIZES]
    plain = fit(
        Measurements(
            (
                Series.from_values("sweep.c:7", "time", ("n",), points, list(times)),
                Series.from_values("sweep.c:20", "time", ("n",), points, list(1e-6 * _SIZES)),
            )
        )
    )
    first = with_law(plain.models[0], law, {"n": _SIZES})
    return StudyDocument(
        program=("sweep.c",),
        options=("--args", "{n}"),
        parameters=(SweptParameter("n", "argv[1]", tuple(int(n) for n in _SIZES)),),
        loops=(
            StudyLoop("sweep.c:7", "sweep", time=_times(times), time_model=first.document),
            StudyLoop(
                "sweep.c:20",
                "main",
                time=_times(1e-6 * _SIZES),
                time_model=plain.models[1].document,
            ),
        ),
        runs=tuple(
            RunDocument({"n": int(n)}, k, cpu_s=float(t + 1e-6 * n + REST + 1e-6 * n))
            for n, t in zip(_SIZES, times, strict=True)
            for k in range(3)
        ),
    )


def _times(values: np.ndarray) -> tuple[TimesDocument, ...]:
    return tuple(
        TimesDocument({"n": int(n)}, (float(v),)) for n, v in zip(_SIZES, values, strict=True)
    )


def test_the_parts_of_a_run_add_up_to_the_whole() -> None:
    found = predict_time(study(), {"n": 1680.0})
    assert found.seconds == pytest.approx(
        sum(k.seconds for k in found.outermost) + found.outside.seconds
    )
    assert found.low < found.seconds < found.high
    expected = float(truth(np.array([1680.0]), COSTS)[0]) + 2e-6 * 1680 + REST
    assert found.low < expected < found.high


def test_the_times_of_many_runs_are_those_of_each() -> None:
    for data in (study(), typed(example_study())):
        names = [p.name for p in data.parameters]
        points = [dict.fromkeys(names, v) for v in (7.0, 420.0, 42000.0)]
        models = run_models(data, rest_model(data))
        each = [predict_time(data, p).seconds for p in points]
        np.testing.assert_allclose(models.seconds(points), each, rtol=1e-12)
        assert models.seconds([]).size == 0
        with pytest.raises(DataError, match="no value for"):
            models.seconds([{}])


def test_the_time_outside_of_kernels_grows_as_its_model() -> None:
    near, far = (predict_time(study(), {"n": n}).outside.seconds for n in (420.0, 42000.0))
    assert near == pytest.approx(REST + 420e-6, rel=0.1)
    assert far == pytest.approx(REST + 42e-3, rel=0.2)


def test_the_size_to_measure_next_lies_between_the_measured_ones_and_the_target() -> None:
    data, at = study(), {"n": 3360.0}
    time = predict_time(data, at)
    step = next_size(data, at, time, "out")
    assert step is not None
    assert 420 < step.at["n"] <= 3360
    assert step.ratio <= 0.5
    assert step.seconds == pytest.approx(3 * predict_time(data, {"n": float(step.at["n"])}).seconds)
    assert step.command is not None
    assert f"--vary n=100,140,200,280,350,420,{step.at['n']}" in step.command
    assert step.command.endswith("--args '{n}' --out out")
    with_mpi = msgspec.structs.replace(data, options=("--mpi", "--args", "{n}"))
    again = next_size(with_mpi, at, time, "out")
    assert again is not None
    assert again.command is not None
    assert again.command.endswith("--mpi --args '{n}' --out out")


def test_ranks_are_no_values_to_be_run() -> None:
    data, at = study(), {"n": 3360.0}
    usual = next_size(data, at, predict_time(data, at), None)
    ranked = msgspec.structs.replace(
        data, parameters=(*data.parameters, SweptParameter("rank", "mpi:rank", (0, 1, 2, 3)))
    )
    at = {**at, "rank": 3.0}
    step = next_size(ranked, at, predict_time(ranked, at), None)
    assert step is not None
    assert step == usual


def test_a_measurement_makes_the_interval_narrower_as_a_fit_with_it_does() -> None:
    before, size = fitted().law, {"n": 1400}
    foretold = measured_at(before, size)
    sizes = np.append(_SIZES, 1400.0)
    seconds = np.append(truth(_SIZES, COSTS), truth(np.array([1400.0]), COSTS))
    after = fit_time_law(seconds, {"n": sizes}, [_COUNT], sweep_traffic(), COSTS).law
    at = {"n": 1680.0}
    assert float(foretold.deviation(at)) < 0.7 * float(before.deviation(at))
    assert float(after.deviation(at)) < 1.5 * float(foretold.deviation(at))


def test_what_limits_a_run_is_said_in_a_sentence() -> None:
    said = limit_sentence(predict_time(study(), {"n": 6720.0}), "n = 6720")
    assert said.startswith("At n = 6720, ")
    assert "% of the time; it is limited by computing" in said
    assert said.startswith("At n = 6720, sweep (sweep.c:7) takes ")
    parts = {"core": 1.0, "L2": 0.5, "memory": 3.0}
    law = (True, "memory", "memory", parts)
    kernel = PredictedKernel("a.c:1", "f", 3.2, 3.0, 3.4, False, *law, own=0.1)
    inner = PredictedKernel("a.c:2", "g", 3.1, 3.0, 3.4, True, *law, own=3.1)
    rest = PredictedRest(0.8, 0.7, 0.9)
    time = PredictedTime(4.0, 3.8, 4.2, 0.8, (inner, kernel), rest)
    assert limit_sentence(time, "n = 9") == (
        "At n = 9, g (a.c:2) takes 78 % of the time; it is limited by memory bandwidth (100 %"
        " sure): its cache lines come from memory, which takes 3 times as long as computing."
    )
    idle = PredictedTime(
        4.0, 3.8, 4.2, 3.5, (replace(kernel, seconds=0.5),), PredictedRest(3.5, 3, 4)
    )
    assert "88 % of the time is outside of the timed loops" in limit_sentence(idle, "n = 9")


def test_a_limit_is_said_where_the_runs_exclude_the_others() -> None:
    law = fitted().law
    far = limits_at(law, {"n": 6720.0})
    assert next(iter(far)) == "core"
    assert far["core"] > 0.9
    assert sum(far.values()) == pytest.approx(1.0)
    # the same law where it misses points by a factor of 20 tells the parts less apart
    unsure = limits_at(law, {"n": 6720.0}, misfit=3.0)
    assert unsure.get("core", 0.0) < 0.9
    assert limits_at(law, {"n": 6720.0}) == far


def test_memory_is_not_believed_to_take_much_more_than_was_measured() -> None:
    """A fit that puts all of the time into a level has seen something else."""
    law = fitted().law
    theta = list(law.theta)
    theta[len(law.counts) + len(law.costs.levels) - 2] = 9.0
    found = limits_at(msgspec.structs.replace(law, theta=tuple(theta)), {"n": 6720.0})
    assert next(iter(found)) == UNEXPLAINED


def test_what_the_runs_leave_open_is_said_so() -> None:
    kernel = PredictedKernel("a.c:1", "f", 3.2, 3.0, 3.4, False, True, "memory", "memory", {})
    both = replace(kernel, limits={"memory": 0.6, "core": 0.35, "L2": 0.05})
    assert (
        why(both)
        == "it is limited by memory bandwidth (60 %) or computing (35 %): the runs do not tell"
        " which"
    )
    assert why(replace(kernel, limits={"latency": 0.95, "core": 0.05}, bound_by="latency")) == (
        "it is limited by memory latency (95 % sure): each random access waits for its cache line"
    )
    nothing = replace(kernel, limits={UNEXPLAINED: 1.0}, bound_by=None)
    assert why(nothing).startswith("what limits it is not known: computing and memory")
    assert why(replace(nothing, limits=None)).endswith("no law of its time was found")


def test_a_busy_machine_tells_no_limit() -> None:
    busy = msgspec.structs.replace(
        study(), summary=msgspec.structs.replace(study().summary, disturbed_points=99)
    )
    said = limit_sentence(predict_time(busy, {"n": 6720.0}), "n = 6720")
    assert "what limits it is not known: other programs had the processor" in said


def test_a_size_that_was_run_is_answered_by_its_runs() -> None:
    plain = study()
    size = plain.runs[0].params if plain.runs else {"n": 140}
    runs = tuple(RunDocument(size, k, "ok", cpu_s=s) for k, s in enumerate((2.0, 3.0, 7.0)))
    measured = msgspec.structs.replace(plain, runs=runs)
    there = {n: float(v) for n, v in size.items()}
    found = forecast(measured, there).time
    assert (found.seconds, found.low, found.high, found.runs) == (3.0, 2.0, 7.0, 3)
    assert found.seconds == pytest.approx(sum(k.seconds for k in found.outermost) + found.rest)
    assert "A run took 3 s there (measured in 3 runs: 2 s to 7 s)." in sentences(
        answer(measured, there)
    )
    other = forecast(measured, {n: v + 1 for n, v in there.items()}).time
    assert other.runs == 0


def test_unknown_parameters_and_sizes_are_refused_by_name() -> None:
    with pytest.raises(InputError, match="--at m: the study varied n"):
        forecast(study(), {"n": 100.0, "m": 2.0})
    with pytest.raises(InputError, match="add --at n=NUMBER"):
        forecast(study(), {})
    with pytest.raises(InputError, match="positive"):
        forecast(study(), {"n": 0.0})


def test_a_value_of_a_parameter_that_was_not_varied_is_refused() -> None:
    """A law without m in it would say the same for all values of m."""
    varied = study()
    held = SweptParameter("m", "argv[2]", (8,))
    fixed = msgspec.structs.replace(varied, parameters=(*varied.parameters, held))
    assert forecast(fixed, {"n": 100.0}).at == {"n": 100.0, "m": 8.0}
    assert forecast(fixed, {"n": 100.0, "m": 8.0}).at == {"n": 100.0, "m": 8.0}
    with pytest.raises(InputError, match="--at m=32: all runs have m = 8"):
        forecast(fixed, {"n": 100.0, "m": 32.0})


def test_where_a_size_lies_is_told() -> None:
    assert place(200, [100, 200]) == "measured"
    assert place(150, [100, 200]) == "between the measured (100 to 200)"
    assert place(800, [100, 200]) == "4 times the largest measured (200)"
    assert place(50, [100, 200]) == "below the smallest measured (100)"


def test_the_command_line_foretells_a_study(tmp_path: Path) -> None:
    (tmp_path / "study.json").write_text(json.dumps(builtins(study())))
    done = CliRunner().invoke(predict_command, [str(tmp_path), "--at", "n=1680", "--json"])
    assert done.exit_code == 0
    found = json.loads(done.stdout)
    assert found["format"] == "looplaw-prediction/1"
    outermost = [k["value"] for k in found["kernels"] if not k["part_of_another"]]
    assert found["value"] == pytest.approx(sum(outermost) + found["rest"]["value"])
    assert found["kernels"][0]["bound_by"] in ("core", "L2", "memory")
    shown = CliRunner().invoke(predict_command, [str(tmp_path), "--at", "n=1680"])
    assert "outside of kernels" in shown.stdout
    assert "n is 4 times the largest measured (420)." in shown.stdout
    wrong = CliRunner().invoke(predict_command, [str(tmp_path), "--at", "k=1680"])
    assert wrong.exit_code == 2
    assert "the study varied n" in wrong.stderr


def test_a_law_survives_what_a_measurement_would_tell_it() -> None:
    after = measured_at(fitted().law, {"n": 840})
    assert isinstance(after, TimeLaw)
    assert after.reach["n"][1] == 840
    at = {"n": np.array([200.0, 1680.0])}
    np.testing.assert_allclose(after.seconds(at), fitted().law.seconds(at))


def test_the_answer_says_which_clock_and_which_machine(tmp_path: Path) -> None:
    known = msgspec.structs.replace(study(), environment={"cpu": "some processor"})
    (tmp_path / "study.json").write_text(json.dumps(builtins(known)))
    told = CliRunner().invoke(predict_command, [str(tmp_path), "--at", "n=1680"])
    assert "CPU time on some processor" in " ".join(told.stdout.split())
    data = json.loads(
        CliRunner().invoke(predict_command, [str(tmp_path), "--at", "n=1680", "--json"]).stdout
    )
    assert (data["clock"], data["measured_on"]) == ("CPU time", "some processor")


def test_a_run_on_another_machine() -> None:
    at = {"n": 3360.0}
    here, there = (predict_time(study(), at, costs=c) for c in (None, COSTS))
    assert there.seconds == pytest.approx(here.seconds)
    assert there.low < here.low < here.high < there.high
    assert there.seconds == pytest.approx(
        sum(k.seconds for k in there.outermost) + there.outside.seconds
    )
    larger = predict_time(study(), at, costs=machine(l2=1 << 30))
    assert larger.seconds < here.seconds


def test_without_a_law_of_time_nothing_is_said_of_another_machine() -> None:
    data = study()
    plain = msgspec.structs.replace(data, loops=data.loops[1:])
    with pytest.raises(DataError, match="make the study again with --machine"):
        predict_time(plain, {"n": 3360.0}, costs=COSTS)


def test_a_forecast_for_a_machine_in_a_file(tmp_path: Path) -> None:
    (tmp_path / "study.json").write_text(json.dumps(builtins(study())))
    (tmp_path / "theirs.json").write_bytes(msgspec.json.encode(made_up_machine()))
    words = [str(tmp_path), "--at", "n=420", "--machine", str(tmp_path / "theirs.json")]
    told = CliRunner().invoke(predict_command, words)
    assert told.exit_code == 0, told.output
    assert f"CPU time on {made_up_machine().cpu}, where the program never ran." in told.stdout
    data = json.loads(CliRunner().invoke(predict_command, [*words, "--json"]).stdout)
    assert data["machine"] == made_up_machine().cpu
    assert not data["measured"], "it was measured here, and not there"
    models = tmp_path / "models.json"
    models.write_text("{}")
    refused = CliRunner().invoke(predict_command, [str(models), *words[1:]])
    assert refused.exit_code == 2
    assert "needs a study" in refused.stderr
