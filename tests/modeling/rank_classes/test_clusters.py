"""Classes of ranks: the definition on clear values, geometry and measured ground truth as oracles
under noise."""

from __future__ import annotations

import csv
import json
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from benchmarks.simulator.boundaries import boundary_kernel
from modeling import DataError, InputError
from modeling.data.observations import Observation
from modeling.data.ranks import Experiment, RankedKernel, RankedMeasurements, by_rank
from modeling.rank_classes.class_models import fit_diverging
from modeling.rank_classes.class_sizes import size_law
from modeling.rank_classes.clusters import cluster, cluster_all, cluster_jointly, relative_distance
from modeling.rank_classes.match_clusters import match
from modeling.rank_classes.rank_rules import balanced_sides, grid_rule, outer_faces
from modeling.readers import read_observations

LULESH = Path(__file__).parent / "lulesh_visits.csv"


def test_distance_is_over_the_smaller_value() -> None:
    assert relative_distance([1, 5, 0, 0, -2], [1.5, 4, 0, 1, 2]) == pytest.approx(
        [0.5, 0.25, 0, np.inf, 2]
    )


@pytest.mark.parametrize(
    ("values", "labels"),
    [
        ([5.0], [0]),
        ([3, 3, 3], [0, 0, 0]),
        ([2, 1, 1], [1, 0, 0]),
        ([1, 2, 3, 4, 5], [0, 1, 2, 3, 4]),
        ([100, 121, 101, 120], [0, 1, 0, 1]),
        ([0, 0, 7, 7.1], [0, 0, 1, 1]),
        ([-1, 1, 1.05], [0, 1, 1]),
        ([1, 1.05, 1000, 1050, 1e6], [0, 0, 1, 1, 2]),
    ],
)
def test_clear_values(values: list[float], labels: list[int]) -> None:
    assert cluster(values).tolist() == labels
    assert cluster(values, steady=False).tolist() == labels


def test_counts_are_split_at_any_difference() -> None:
    assert cluster([1000, 1001, 1000, 1002], 0).tolist() == [0, 1, 0, 2]


@pytest.mark.parametrize("bad", [[], [1.0, float("nan")], [1.0, float("inf")]])
def test_values_must_be_finite(bad: list[float]) -> None:
    with pytest.raises(DataError):
        cluster(bad)
    with pytest.raises(DataError):
        cluster([1.0], -1)


def test_noise_neither_splits_nor_joins() -> None:
    rng = np.random.default_rng(7)
    assert (
        sum(found.max() > 0 for found in cluster_all(list(rng.uniform(0.95, 1.05, (300, 64))))) == 0
    )
    truth = np.repeat([0, 1, 2], [4, 24, 36])
    found = cluster_all(list(1.2**truth * rng.uniform(0.95, 1.05, (300, 64))))
    assert sum(np.array_equal(f, truth) for f in found) >= 285


def test_order_of_ranks_does_not_matter_and_many_ranks_are_binned() -> None:
    rng = np.random.default_rng(3)
    truth = rng.permutation(np.repeat([0, 1], [100, 1900]))
    assert np.array_equal(cluster(1.3**truth * rng.uniform(0.95, 1.05, 2000)), truth)


def test_counts_steady_what_times_blur() -> None:
    rng = np.random.default_rng(1)
    truth = np.repeat([0, 1], [16, 16])
    blurred = (1 + 0.1 * truth) * rng.uniform(0.8, 1.2, 32)
    assert np.array_equal(cluster_jointly([1000.0 + 50 * truth, blurred], [0.0, 0.1]), truth)


@pytest.mark.parametrize(
    ("dimensions", "size", "formula", "order"),
    [
        (2, lambda k: 4, "4", 0),
        (2, lambda k: 4 * (k - 2), "4*(sqrt(p) - 2)", Fraction(1, 2)),
        (2, lambda k: (k - 2) ** 2, "(sqrt(p) - 2)**2", 1),
        (3, lambda k: 6 * (k - 2) ** 2, "6*(p**(1/3) - 2)**2", Fraction(2, 3)),
        (3, lambda k: k**3, "p", 1),
        (3, lambda k: (k - 2) ** 3 + (k - 2) ** 2, "(p**(1/3) - 2)**3 + (p**(1/3) - 2)**2", 1),
    ],
)
def test_laws_of_class_sizes(dimensions: int, size: object, formula: str, order: Fraction) -> None:
    sides = [3, 4, 5, 6, 7]
    sizes = [size(k) for k in sides]  # type: ignore[operator]
    law = size_law([k**dimensions for k in sides], sizes)
    assert law is not None
    assert (law.formula, law.order, law.exact) == (formula, order, True)
    assert [law.at(k**dimensions) for k in sides] == pytest.approx(sizes)


def test_sizes_that_no_law_gives() -> None:
    assert size_law([9, 16], [4, 4]) is None
    assert size_law([9, 16, 25, 36, 49], [1, 7, 2, 9, 3]) is None


def test_positions_follow_from_counting_neighbours() -> None:
    assert balanced_sides(12, 2) == (4, 3)
    assert balanced_sides(64, 3) == (4, 4, 4)
    for sides in ((4, 3), (3, 3, 3), (5,)):
        grid = np.array(np.unravel_index(np.arange(int(np.prod(sides))), sides)).T
        faces = [
            sum((x == 0) + (x == s - 1) for x, s in zip(at, sides, strict=True)) for at in grid
        ]
        assert [outer_faces(r, sides) for r in range(len(grid))] == faces
    with pytest.raises(InputError):
        grid_rule(4)


def test_lulesh_classes_are_the_levels_and_their_sizes_known() -> None:
    lines = [line for line in LULESH.read_text().splitlines() if not line.startswith("#")]
    rows = list(csv.DictReader(lines))
    data = by_rank(
        Observation(
            {"p": float(r["p"])}, r["region"], "visits", float(r["visits"]), int(r["rank"]), None, 1
        )
        for r in rows
    )
    for m in match(data.kernels):
        assert m.metrics == ("visits",)
        assert m.left_out == ()
        for e, labels in zip(m.kernel.experiments, m.labels, strict=True):
            visits = e.per_rank("visits")
            assert np.array_equal(labels, np.unique(visits, return_inverse=True)[1])
        for c in range(len(m.names)):
            law = size_law(
                [len(e.ranks) for e in m.kernel.experiments],
                [int((x == c).sum()) for x in m.labels],
            )
            assert law is not None
            assert law.exact
    send = next(m for m in match(data.kernels) if m.kernel.callpath == "CommSend")
    place = {(r["p"], r["rank"]): r["position_class"] for r in rows if r["region"] == "CommSend"}
    inner = {
        place["343", str(r)]
        for r in send.kernel.experiments[-1].ranks[send.labels[-1] == send.labels[-1].max()]
    }
    assert inner == {"III"}


def test_boundary_example_is_recovered_from_times() -> None:
    data = RankedMeasurements((boundary_kernel((16, 64, 256, 1024), (50, 100, 200, 400), seed=4),))
    kernel = fit_diverging(data)[0]
    for e, labels in zip(kernel.matched.kernel.experiments, kernel.matched.labels, strict=True):
        sides = balanced_sides(len(e.ranks), 2)
        assert labels.tolist() == [outer_faces(int(r), sides) for r in e.ranks]
    assert [c.law.formula for c in kernel.classes if c.law] == [
        "(sqrt(p) - 2)**2",
        "4*(sqrt(p) - 2)",
        "4",
    ]
    at = {"n": 1000.0, "p": 1e4}
    inner, edge, corner = (float(c.models["iterations"].evaluate(at)) for c in kernel.classes)
    assert (edge - inner, corner - inner) == pytest.approx((8000, 16000))
    expected = 1.016e6 / (1e6 + 8000 * 4 * 98 / 1e4 + 16000 * 4 / 1e4)
    assert kernel.imbalance_at("iterations", 10000, at) == pytest.approx(expected)


def test_experiments_with_other_numbers_of_clusters_are_left_out_and_rules_take_all() -> None:
    data = RankedMeasurements((boundary_kernel((4, 16, 64, 256), (50, 100, 200, 400)),))
    found = fit_diverging(data)[0]
    assert [found.matched.numbers[k] for k in found.matched.left_out] == [1] * 4
    ruled = fit_diverging(data, rule=grid_rule(2))[0]
    assert [c.name for c in ruled.classes] == ["inner", "edge", "corner"]
    assert ruled.classes[2].sizes == (4,) * 16


def test_reading_ranks() -> None:
    line = {"params": {"p": 2}, "callpath": "f", "metric": "time", "value": 1.5}
    text = "\n".join(
        json.dumps({**line, "rank": r, "repetition": k}) for r in (0, 1) for k in (1, 2)
    )
    kernel = by_rank(read_observations(text, "f"), "f").kernels[0]
    assert kernel.experiments[0].values["time"].shape == (2, 2)
    for bad, part in (
        (json.dumps(line), 'f:1: "rank" is missing'),
        ("{", "f:1: not JSON"),
        (text.rsplit("\n", 1)[0], "some rank has no value"),
    ):
        with pytest.raises(DataError, match=part):
            by_rank(read_observations(bad, "f", ".jsonl"), "f")


def test_metrics_that_count() -> None:
    def kernel(metric: str, values: list[list[float]]) -> RankedKernel:
        return RankedKernel(
            "f", ("p",), (Experiment((4.0,), np.arange(4), {metric: np.array(values)}),)
        )

    assert kernel("visits", [[1, 1], [1, 1], [2, 2], [2, 2]]).is_count("visits")
    assert not kernel("visits", [[1, 2], [1, 1], [2, 2], [2, 2]]).is_count("visits")
    assert not kernel("visits", [[1.5]] * 4).is_count("visits")
    assert not kernel("time_ns", [[1]] * 4).is_count("time_ns")
    assert not kernel("instructions", [[1001], [1007], [1003], [1004]]).is_count("instructions")
