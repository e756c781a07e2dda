"""The law of time of a study: from the source and a machine that does not exist to predictions."""

from __future__ import annotations

from pathlib import Path

import pytest
import sympy

import looplaw
from looplaw.laws.machine_costs import costs_of
from looplaw.laws.time_prediction import predict_time
from looplaw.studies import time_laws
from modeling import DataError, Models
from modeling.pmnf.time_law import regimes_of
from modeling.timelaw.elsewhere import elsewhere
from runtime.machine.description import MACHINE, Curve, Level, Machine
from runtime.machine.known import write_machine
from staticana import InputError, find_compiler

_STENCIL = Path(__file__).parents[3] / "samples" / "stencil" / "stencil.c"


def machine(l2: int) -> Machine:
    curve = Curve((8 << 10, 1 << 30), (1.0, 40.0))
    levels = (
        Level("L1", 32 << 10, 32 << 10, 0.5, 0.5, 0.5, 1.5, 1.0),
        Level("L2", l2, l2, 0.8, 1.0, 1.0, 5.0, 1.2),
        Level("memory", None, None, 5.0, 8.0, 7.0, 100.0, 10.0),
    )
    return Machine(
        MACHINE, "h", "c", "", 1, levels, *[curve] * 7, 1.0, 1.0, Curve((1 << 20,), (10.0,))
    )


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> looplaw.Study:
    try:
        find_compiler()
    except InputError:
        pytest.skip("no compiler")
    folder = tmp_path_factory.mktemp("study")
    write_machine(machine(1 << 20), folder / "machine.json")
    with pytest.MonkeyPatch.context() as patch:
        # the times are those of a machine that is busy with other tests; what their evidence says
        # is the subject of the tests of `modeling.timelaw.choice`
        patch.setattr(time_laws, "prefers_law", lambda *_: True)
        return looplaw.study(
            _STENCIL,
            vary={"n": [64, 96, 128, 192]},
            args=("{n}", "5"),
            out=folder / "out",
            machine=folder / "machine.json",
            repetitions=2,
        )


def test_kernels_have_laws_that_sympy_reads(study: looplaw.Study) -> None:
    model = next(m for loop, m in study.kernels() if loop.function == "sweep")
    assert model.law is not None
    formula = sympy.sympify(model.to_json()["law"]["formula"])  # type: ignore[index]
    for n in (100, 1000):
        expected = float(model.evaluate({"n": n}))
        assert float(formula.subs(dict.fromkeys(formula.free_symbols, n))) == pytest.approx(
            expected
        )
    assert [str(term) for _, term in model.terms] == ["n**2"]


def test_the_file_of_models_has_the_law(study: looplaw.Study, tmp_path: Path) -> None:
    again = Models.from_json(study.models.to_json())
    for model, other in zip(study.models, again, strict=True):
        assert float(model.evaluate({"n": 777})) == float(other.evaluate({"n": 777}))


def test_another_machine_has_other_regimes(study: looplaw.Study) -> None:
    law = next(m.law for loop, m in study.kernels() if loop.function == "sweep")
    assert law is not None
    small, large = (
        regimes_of(elsewhere(law, costs_of(machine(b))))[-1] for b in (1 << 20, 8 << 20)
    )
    assert small.level == large.level == "memory"
    begins = [int(r.until.removeprefix("n >= ")) for r in (small, large)]
    assert begins[1] == pytest.approx(8**0.5 * begins[0], rel=0.25)


def test_the_time_of_a_run_is_that_of_its_outermost_kernels(study: looplaw.Study) -> None:
    found = predict_time(study.document, {"n": 500})
    outer = [k for k in found.kernels if not k.is_part]
    assert found.seconds == pytest.approx(sum(k.seconds for k in outer) + found.rest)
    assert found.low < found.seconds < found.high
    sweep = next(k for k in found.kernels if k.function == "sweep")
    assert sweep.is_part
    assert sweep.has_law
    assert sweep.bound_by in ("core", "L2", "memory", None)  # as the machine is busy, or not
    assert sum((sweep.limits or {}).values()) == pytest.approx(1.0)


def test_a_parameter_without_a_value_is_named(study: looplaw.Study) -> None:
    with pytest.raises(DataError, match="no value for n"):
        predict_time(study.document, {})


def test_without_a_machine_there_is_no_law(tmp_path: Path, study: looplaw.Study) -> None:
    plain = looplaw.study(
        _STENCIL,
        vary={"n": [64, 96]},
        args=("{n}", "2"),
        out=tmp_path,
        machine="none",
        repetitions=1,
    )
    assert all(m.law is None for m in plain.models)


_TEAM = """
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv) {
    int n = atoi(argv[1]);
    double *a = calloc(n, sizeof *a), sum = 0;
    for (int k = 0; k < 100; k++) {
        #pragma omp parallel for reduction(+ : sum)
        for (int i = 0; i < n; i++)
            sum += a[i] * k;
    }
    printf("%g\\n", sum);
    return 0;
}
"""


@pytest.mark.parametrize("threads", [[2], [1, 2]])
def test_a_team_of_one_size_has_a_law(
    threads: list[int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "sum.c").write_text(_TEAM)
    write_machine(machine(1 << 20), tmp_path / "machine.json")
    monkeypatch.setattr(time_laws, "prefers_law", lambda *_: True)
    try:
        found = looplaw.study(
            tmp_path / "sum.c",
            vary={"n": [20_000, 40_000, 80_000], "threads": threads},
            out=tmp_path / "out",
            machine=tmp_path / "machine.json",
            repetitions=1,
        )
    except InputError as error:
        pytest.skip(f"no OpenMP: {error}")
    laws = [m.law for _, m in found.kernels() if m.law is not None]
    if len(threads) > 1:
        assert not laws  # how threads share memory is not learned from one law
        return
    assert laws
    assert {law.costs.threads for law in laws} == {2}
    assert elsewhere(laws[0], costs_of(machine(8 << 20))).costs.threads == 2
    assert predict_time(found.document, {"n": 160_000, "threads": 2}).seconds > 0
