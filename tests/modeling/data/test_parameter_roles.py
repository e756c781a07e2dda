"""Names of Benchpark say what parameters are, and so which way a program was scaled."""

from __future__ import annotations

import json

import pytest

from modeling import InputError, Measurements, Series, cost, efficiency, fit, scaling_of, speedup
from modeling.readers import read_text

PROCESSES = [1, 2, 4, 8, 16]


def lines(sizes: list[int], *, weak: bool) -> str:
    """A perfect program that takes a second for each unit of a process's work, plus a tenth for
    each doubling."""
    found = []
    for size in sizes:
        for k, p in enumerate(PROCESSES):
            total, each = (size * p, size) if weak else (size, size / p)
            found.append(
                {
                    "params": {
                        "n_resources": p,
                        "total_problem_size": total,
                        "process_problem_size": each,
                    },
                    "callpath": "main",
                    "metric": "time",
                    "value": each * (1 + 0.1 * k),
                }
            )
    return "\n".join(map(json.dumps, found))


def one(data: Measurements) -> Series:
    (series,) = data.series
    return series


@pytest.mark.parametrize(
    ("weak", "kept"), [(True, "process_problem_size"), (False, "total_problem_size")]
)
@pytest.mark.parametrize("sizes", [[960], [960, 1920, 3840]])
def test_the_size_that_was_kept_says_how_it_was_scaled(
    weak: bool, kept: str, sizes: list[int]
) -> None:
    series = one(read_text(lines(sizes, weak=weak), "file"))
    assert series.parameters == ("n_resources", kept), "the other size follows from these"
    assert scaling_of(series) == ("weak" if weak else "strong")
    at = {p: k for k, (p, n) in enumerate(series.points.tolist()) if n == sizes[0]}
    assert efficiency(series).means[at[16]] == pytest.approx(1 / 1.4)
    assert speedup(series).means[at[16]] == pytest.approx(16 / 1.4)
    assert cost(series).means[at[4]] == pytest.approx(960 * (4 if weak else 1) * 1.2)
    assert efficiency(series).means[at[1]] == speedup(series).means[at[1]] == 1


def test_sizes_that_do_not_follow_stay() -> None:
    text = lines([960, 1920], weak=True).replace(
        '"process_problem_size": 960}', '"process_problem_size": 961}'
    )
    assert len(one(read_text(text, "file")).parameters) == 3


def test_a_study_of_benchpark_is_identified() -> None:
    models = fit(read_text(lines([960, 1920, 3840, 7680], weak=True), "file")).models
    assert float(
        models[0].evaluate({"n_resources": 64.0, "process_problem_size": 960.0})
    ) == pytest.approx(960 * 1.6, rel=1e-6)


def test_roles_may_be_said() -> None:
    series = Series.from_values("f", "time", ("seats", "n"), [(c, 8) for c in PROCESSES], [8.0] * 5)
    assert scaling_of(series) is None
    assert efficiency(series, "seats", "weak").means.tolist() == [1] * 5
    assert efficiency(series, "seats").means.tolist() == [1 / c for c in PROCESSES]
    with pytest.raises(InputError, match="no parameter n_resources or p that is the number"):
        efficiency(series)
