"""Statistics of many processes: merged in any order and along any tree, they give the same bits,
and the right ones."""

from __future__ import annotations

import io
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from looplaw.cli.main import main
from modeling import (
    Aggregate,
    DataError,
    InputError,
    Layout,
    Measurements,
    OnlineFitter,
    Series,
    fit,
    read,
    write_statistics,
)
from modeling.data.exact_sums import ExactSums, two_product
from modeling.readers.statistics import files_of, merge_stream, write_sums

NUMBERS = st.floats(allow_nan=False, allow_infinity=False)
MODERATE = st.floats(min_value=-1e120, max_value=1e120, allow_nan=False).filter(
    lambda x: x == 0 or abs(x) > 1e-120
)
MEANS = st.floats(-1e9, 1e9).filter(lambda x: x == 0 or abs(x) > 1e-9)
CELL = Layout((("main", "time", ("n",)),), (((64.0,),),))


@given(st.lists(NUMBERS, min_size=1, max_size=30), st.randoms())
def test_sums_are_exact_in_any_order(numbers: list[float], order: object) -> None:
    expected = sum(map(Fraction, numbers), Fraction(0))
    order.shuffle(numbers)  # type: ignore[attr-defined]
    sums = ExactSums(1)
    half = len(numbers) // 2
    sums.add(np.zeros(1, dtype=np.int64), np.array(numbers[:half]).reshape(-1, 1))
    other = ExactSums(1)
    other.add(np.zeros(1, dtype=np.int64), np.array(numbers[half:]).reshape(-1, 1))
    limbs, low = other.limbs()
    sums.plus(np.zeros(1, dtype=np.int64), limbs, low)
    assert sums.value(0) == expected
    sums.normalize()
    assert sums.value(0) == expected


@given(MODERATE, MODERATE)
def test_products_are_exact(a: float, b: float) -> None:
    x, y = two_product(np.array([a]), np.array([b]))
    assert Fraction(float(x[0])) + Fraction(float(y[0])) == Fraction(a) * Fraction(b)


def of(counts: list[int], means: list[float], squares: list[float]) -> Aggregate:
    found = Aggregate()
    for n, m, q in zip(counts, means, squares, strict=True):
        found.add(CELL, np.array([float(n)]), np.array([m]), np.array([q]))
    return found


@settings(max_examples=60)
@given(
    st.lists(st.tuples(st.integers(1, 1000), MEANS, st.floats(0, 1e9)), min_size=1, max_size=12),
    st.randoms(),
)
def test_any_tree_of_merges_gives_the_same(
    parts: list[tuple[int, float, float]], order: object
) -> None:
    """Against rational numbers; the trees are random, and equal to the last bit."""
    exact = [(Fraction(n), Fraction(m), Fraction(q)) for n, m, q in parts]
    count = sum(n for n, _, _ in exact)
    mean = sum(n * m for n, m, _ in exact) / count
    squares = sum(q + n * (m - mean) ** 2 for n, m, q in exact)
    nodes = [of([n], [m], [q]) for n, m, q in parts]
    while len(nodes) > 1:
        order.shuffle(nodes)  # type: ignore[attr-defined]
        nodes[0].plus(CELL, nodes.pop().sums())
    (series,) = nodes[0].measurements().series
    assert (series.counts[0], series.means[0]) == (float(count), float(mean))
    assert series.squares[0] == pytest.approx(float(squares), rel=1e-12, abs=1e-300)
    (straight,) = of(*map(list, zip(*parts, strict=True))).measurements().series
    assert (straight.means[0], straight.squares[0]) == (series.means[0], series.squares[0])


def test_small_scatter_of_large_values_is_kept() -> None:
    """1e5 processes that differ in the ninth digit: sums of squares in floating point would keep no
    digit of that."""
    values = 1e9 + np.arange(100_000) % 7
    found = Aggregate()
    found.add(CELL, np.ones((100_000, 1)), values[:, None], np.zeros((100_000, 1)))
    (series,) = found.measurements().series
    assert series.means[0] == 1e9 + np.mean(np.arange(100_000) % 7)
    assert series.squares[0] == pytest.approx(
        float(((values - values.mean()) ** 2).sum()), rel=1e-12
    )


def ranks(count: int, seed: int) -> list[OnlineFitter]:
    """Processes that each observe some kernels at some sizes, some kernels on few of them."""
    rng = np.random.default_rng(seed)
    found = []
    for rank in range(count):
        fitter = OnlineFitter(("n",))
        for kernel in range(4):
            if kernel == 3 and rank % 3:
                continue
            for n in (16, 32, 64, 128, 256):
                for _ in range(2):
                    fitter.observe(
                        f"k{kernel}",
                        "time",
                        {"n": n},
                        (kernel + 1) * n**1.5 * (1 + 0.02 * rng.standard_normal()),
                    )
        found.append(fitter)
    return found


def test_the_models_are_those_of_one_fitter_that_saw_everything(tmp_path: Path) -> None:
    together = OnlineFitter(("n",))
    for k, rank in enumerate(ranks(9, 1)):
        with (tmp_path / f"{k}.stats").open("wb") as stream:
            write_statistics(stream, rank.measurements())
        for s in rank.measurements().series:
            for point, n, m, q in zip(s.points, s.counts, s.means, s.squares, strict=True):
                together.merge(s.callpath, s.metric, {"n": float(point[0])}, n, m, q)
    found, expected = fit(read(tmp_path)), together.models()
    for e in expected.models:
        model = found.find(e.callpath, e.metric)
        assert model is not None
        assert [t for _, t in model.terms] == [t for _, t in e.terms]
        assert [c for c, _ in model.terms] == pytest.approx([c for c, _ in e.terms], rel=1e-9)
        assert model.constant == pytest.approx(e.constant, rel=1e-9, abs=1e-9)
        assert model.quality.smape == pytest.approx(e.quality.smape, rel=1e-9)


def test_the_command_merges_along_any_tree(tmp_path: Path) -> None:
    """Files, directories, streams of several processes, merged ones: the result is the same file.
    Files, directories, streams of several processes, merged ones: the result is the same file."""
    for k, rank in enumerate(ranks(7, 2)):
        folder = tmp_path / f"node{k % 3}"
        folder.mkdir(exist_ok=True)
        with (folder / f"{k // 6}.stats").open("ab") as stream:
            write_statistics(stream, rank.measurements())

    def merge(out: str, *paths: str, given: bytes = b"") -> bytes:
        done = CliRunner().invoke(
            main,
            [
                "merge",
                *(str(tmp_path / p) if p != "-" else p for p in paths),
                "--out",
                str(tmp_path / out),
            ],
            input=given,
        )
        assert done.exit_code == 0, done.output
        return (tmp_path / out).read_bytes()

    straight = merge("all.stats", "node0", "node1", "node2")
    merge("a.stats", "node2", "node0")
    assert merge("tree.stats", "node1", "a.stats") == straight
    assert (
        merge("stream.stats", "node1", "-", given=(tmp_path / "a.stats").read_bytes()) == straight
    )
    assert merge("again.stats", "all.stats") == straight
    assert {s.callpath for s in read(tmp_path / "tree.stats").series} == {"k0", "k1", "k2", "k3"}


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda data: data[:-8], "ends too early"),
        (lambda data: data.replace(b'"k1"', b'"k9"', 1), "a layout is damaged"),
        (lambda data: data[data.index(b"\n") + 1 :], "not statistics"),
        (lambda data: b"nonsense\n" + data, "not statistics that looplaw wrote"),
        (lambda data: data[:-8] + np.array([np.nan]).tobytes(), "not finite"),
        (lambda data: data[:-8] + np.array([-1.0]).tobytes(), "not finite"),
        (lambda data: data.replace(b'"cells": 20', b'"cells": 10', 1), "not that of its layout"),
    ],
)
def test_damaged_files_are_refused(damage: object, message: str) -> None:
    stream = io.BytesIO()
    write_statistics(stream, ranks(1, 1)[0].measurements())
    with pytest.raises(DataError, match=message):
        merge_stream(io.BytesIO(damage(stream.getvalue())), "x.stats", Aggregate())  # type: ignore[operator]


def test_merged_files_that_are_damaged_are_refused() -> None:
    stream = io.BytesIO()
    write_sums(stream, of([2, 3], [1.5, 2.5], [0.5, 0.25]))
    data = stream.getvalue()
    found = Aggregate()
    assert merge_stream(io.BytesIO(data * 2), "x", found) == 2
    assert found.measurements().series[0].counts[0] == 10
    for old, new in ((b'"first": [', b'"first": [6'), (b'"second": [', b'"third": [')):
        with pytest.raises(DataError, match="not statistics"):
            merge_stream(io.BytesIO(data.replace(old, new)), "x", Aggregate())


def test_nothing_to_merge(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="holds no files"):
        list(files_of([tmp_path]))
    with pytest.raises(DataError, match="nothing was observed"):
        Aggregate().measurements()
    one = Series.from_values("k", "time", ("n",), [[1.0], [2.0]], [1.0, 2.0])
    with pytest.raises(DataError, match="too large"):
        Aggregate().add(
            Layout.of(Measurements((one,))), np.ones(2), np.array([1.0, 1e160]), np.zeros(2)
        )
