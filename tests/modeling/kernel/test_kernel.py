"""The kernel gives what numpy gives, the same to the last bit for every processor."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from scipy.special import gammaincinv, ndtr, ndtri

from looplaw_common import commands
from looplaw_common.errors import RunError
from modeling.kernel import intermediate, library
from modeling.kernel.intervals import quantiles
from modeling.kernel.normal import gamma_quantiles, normal_distribution, normal_quantiles
from modeling.kernel.pooling import pooled_kinds, pooled_levels
from modeling.kernel.ranking import Weighted, ranked, two_laws
from modeling.search.beam_search import beam_search
from modeling.settings import DEFAULT

from . import twins

SAME = 1e-9


def test_the_same_sets_survive_the_beam() -> None:
    generator = np.random.default_rng(3)
    tables = [np.concatenate([np.ones((1, 30)), generator.random((6, 30))]) for _ in range(2)]
    tables[0][5] = tables[0][4]  # one that depends on another
    codes = np.array([(i, j) for i in range(7) for j in range(3)])
    codes = np.stack([generator.permutation(codes) for _ in range(4)])
    weight, target = generator.uniform(0.5, 2, (4, 30)), generator.random((4, 30))
    cost = generator.random((4, 21)) * 2
    cost[:, -3:] = np.inf  # terms that stand twice
    given = codes, tables, weight, target, cost, DEFAULT.beam
    expected, found = twins.beam_search(*given), beam_search(*given)
    assert len(found) == len(expected)
    for one, other in zip(found, expected, strict=True):
        some = np.isfinite(other.score)
        np.testing.assert_array_equal(one.chosen[some], other.chosen[some])
        np.testing.assert_allclose(one.score, other.score, rtol=SAME)
        np.testing.assert_allclose(one.left[some], other.left[some], rtol=SAME)
        np.testing.assert_allclose(one.parts[some], other.parts[some], rtol=SAME, atol=SAME)


def test_the_beam_leaves_out_points_without_weight() -> None:
    generator = np.random.default_rng(4)
    tables = [np.concatenate([np.ones((1, 20)), generator.random((6, 20))]) for _ in range(2)]
    codes = np.stack([[(i, j) for i in range(7) for j in range(3)]] * 2)
    target, cost = generator.random((2, 20)), generator.random((2, 21))
    weight = generator.uniform(0.5, 2, (2, 20))
    kept = np.arange(20) % 3 > 0
    kept_few = np.arange(20) < 4  # fewer than the beam has levels
    weight[0, ~kept] = weight[1, ~kept_few] = 0.0
    target[weight == 0] = 0.0
    every = beam_search(codes, tables, weight, target, cost, DEFAULT.beam)
    for k, some in enumerate((kept, kept_few)):
        own = [np.ascontiguousarray(t[:, some]) for t in tables]
        given = [a[k : k + 1, some] for a in (weight, target)]
        alone = beam_search(codes[k : k + 1], own, *given, cost[k : k + 1], DEFAULT.beam)
        for one, other in zip(every, alone, strict=False):
            finite = np.isfinite(other.score[0])
            np.testing.assert_array_equal(one.chosen[k][finite], other.chosen[0][finite])
            np.testing.assert_allclose(one.score[k], other.score[0], rtol=SAME)
        assert all(np.isinf(level.score[k]).all() for level in every[len(alone) :])


def test_the_beam_of_a_series_does_not_depend_on_others() -> None:
    generator = np.random.default_rng(8)
    tables = [np.concatenate([np.ones((1, 25)), generator.random((6, 25))]) for _ in range(2)]
    codes = np.stack([[(i, j) for i in range(7) for j in range(7)]] * 3)
    columns = tables[0][codes[..., 0]] * tables[1][codes[..., 1]]
    weight = np.ones((3, 25))
    target = columns[0, 8] + np.stack([0.01 * generator.normal(size=25), *np.zeros((2, 25))])
    target[2] += columns[0, 17] + columns[0, 30] + columns[0, 41]
    given = codes, tables, weight, target, np.full((3, 49), 0.5)
    every = beam_search(*given[:1], tables, *given[2:], DEFAULT.beam)
    for k in range(3):
        own = slice(k, k + 1)
        alone = beam_search(
            codes[own], tables, weight[own], target[own], given[4][own], DEFAULT.beam
        )
        for one, other in zip(alone, every, strict=False):
            some = np.isfinite(other.score[own])
            np.testing.assert_array_equal(one.chosen[some], other.chosen[own][some])
            np.testing.assert_array_equal(one.score, other.score[own])
        assert all(np.isinf(level.score[own]).all() for level in every[len(alone) :])
    assert len(every) > 1


def test_quantiles_split_the_mass_of_mixtures() -> None:
    generator = np.random.default_rng(5)
    centres, widths = generator.normal(0, 9, (4, 50)), generator.uniform(1e-6, 3, (4, 50))
    weight = generator.dirichlet(np.ones(4), 50).T
    levels = np.array([0.05, 0.95])
    ends = quantiles(centres, widths, weight, levels, ndtri(levels), 1e-13, 100)
    below = (ndtr((ends[:, None] - centres) / widths) * weight).sum(axis=1)
    np.testing.assert_allclose(below, np.repeat(levels[:, None], 50, axis=1), atol=1e-9)


def test_normal_probabilities_and_quantiles() -> None:
    x = np.concatenate([np.linspace(-45, 12, 3000), [-np.inf, np.inf, 0.0]]).reshape(3, -1)
    np.testing.assert_allclose(normal_distribution(x.T), ndtr(x).T, rtol=1e-10, atol=1e-300)
    levels = np.array([1e-9, 0.05, 0.5, 0.95])
    np.testing.assert_allclose(normal_quantiles(levels), ndtri(levels), rtol=1e-13, atol=1e-15)


def test_gamma_quantiles_are_those_of_scipy() -> None:
    shares = np.linspace(0.0005, 0.9995, 499)
    for shape in (1.0, 1.5, 3.0, 6.0):
        np.testing.assert_allclose(
            gamma_quantiles(shape, shares), gammaincinv(shape, shares), rtol=1e-11
        )


@pytest.mark.parametrize("keep", [2, 8, 12, 20])
def test_the_least_errors_are_kept_whatever_their_number(keep: int) -> None:
    """Hypotheses that are equal, infinite in prior, or fewer than vectors hold."""
    generator = np.random.default_rng(keep)
    columns, y = generator.random((40, 6)), generator.uniform(1, 2, (9, 6))
    rows = np.array([(i, j) for i in range(40) for j in range(i)][: 5 * keep + 3])
    rows[7:15] = rows[7]  # the same law several times
    prior = -generator.random(len(rows))
    settings = DEFAULT.coefficients
    weighted = Weighted.of(rows, columns, np.ones(6), prior, settings)
    constants, slopes = np.zeros((9, 1, 1)), np.array([-0.5])
    given = [weighted], 2, prior, keep, np.ones((9, 1)), constants, slopes, settings
    number, _ = ranked(y, np.zeros(9, dtype=np.int64), *given)
    for k, own in enumerate(y):
        errors = [
            np.linalg.lstsq(columns[r].T, own, rcond=None)[1].sum() * np.exp(-p / 3)
            if r[0] != r[1]
            else np.inf
            for r, p in zip(rows, prior, strict=True)
        ]
        expected = np.sort(errors)[:keep]
        np.testing.assert_allclose(np.sort(np.array(errors)[number[k]]), expected, rtol=1e-6)


def test_what_series_share_is_learned_alike() -> None:
    generator, noise = np.random.default_rng(1), DEFAULT.noise
    likelihood = generator.uniform(0, 1, (3, 30, 21)) ** 9
    prior, usual = np.full(21, 1 / 21), np.array([0.5, 0.3, 0.2])
    for kinds in (1, 3):
        given = likelihood[:kinds], prior, usual[:kinds]
        flat = given[0].reshape(-1, 21), 30, prior, prior * noise.pseudo, given[2]
        for one, other in zip(
            pooled_levels(*flat, noise.pseudo, noise.rounds),
            twins.pooled(*given, noise),
            strict=True,
        ):
            np.testing.assert_allclose(one, other, rtol=SAME)
    of_kind = likelihood[:, :, 0], generator.uniform(0, 1, 30), usual, 2.0, noise.rounds
    np.testing.assert_allclose(pooled_kinds(*of_kind), twins.pooled_kinds(*of_kind), rtol=SAME)


def test_the_best_two_laws_are_found() -> None:
    generator = np.random.default_rng(6)
    y, logs = generator.normal(0, 2, (5, 9)), generator.normal(0, 2, (13, 9))
    given = y, logs, -generator.random(13), np.array([-0.5, -8.0]), 7.0
    np.testing.assert_allclose(two_laws(*given), twins.two_laws(*given), rtol=SAME)


def test_memory_that_is_short_is_an_error() -> None:
    huge = 1 << 55
    with pytest.raises(MemoryError):
        library.kernel().two_laws(*map(library.ctypes.c_int64, (1, huge, 1, 1)), *[None] * 6)


def test_the_intermediate_representation_is_made_where_it_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the cache, where nothing can be written beside the sources; then read from there."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(intermediate, "name", lambda: "kernel-test.bc")
    x = np.linspace(-3, 3, 13)
    expected = normal_distribution(x)
    for _ in range(2):
        made = library.kernel_for("generic", "")
        monkeypatch.setattr(library, "_of_this_machine", lambda made=made: made)
        np.testing.assert_array_equal(normal_distribution(x), expected)
        assert (tmp_path / "looplaw" / "kernel-test.bc").exists()
        monkeypatch.setattr(intermediate, "compiler", lambda: None)


def test_without_a_compiler_one_is_told_to_install_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setenv("PATH", "")
    monkeypatch.setattr(commands, "package_folder", lambda name: None)
    monkeypatch.setattr(intermediate, "name", lambda: "kernel-test.bc")
    with pytest.raises(RunError, match="pip install ziglang"):
        library.kernel_for("generic", "")
