"""Laws of time against kernels whose costs are known."""

from __future__ import annotations

import json
import math
from functools import cache
from typing import cast

import msgspec
import numpy as np
import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from modeling import Measurements, Models, Series, fit
from modeling.pmnf.machine_costs import Costs, Level
from modeling.pmnf.memory_traffic import Traffic
from modeling.pmnf.time_law import Branches, Count, TimeLaw, names_of, regimes_of
from modeling.timelaw.elsewhere import elsewhere, speed_of
from modeling.timelaw.fit import fit_time_law, grouped
from modeling.timelaw.model import with_law

_CAPACITIES = tuple(8192.0 * 2 ** (k / 2) for k in range(33))
_SIZES = np.array([100.0, 140, 200, 280, 350, 420])
_COUNT = Count("n**2")


def machine(l2: float = 1 << 20, memory_ns: float = 6.0) -> Costs:
    """A machine with two caches."""
    return Costs(
        (
            Level("L1", 32 << 10, (0.5, 0.5, 1.0, 0.5)),
            Level("L2", l2, (1.0, 1.2, 1.5, 1.2)),
            Level("memory", None, (memory_ns, memory_ns * 1.5, 2 * memory_ns, memory_ns * 1.5)),
        ),
        (8192.0, float(1 << 30)),
        (1.0, 20.0),
        (8192.0, float(1 << 30)),
        (1.0, 20.0),
        (float(1 << 20), float(1 << 24)),
        (12.0, 25.0),
    )


@given(st.integers(1, 64))
def test_threads_of_a_team_share_what_is_behind_their_own_caches(threads: int) -> None:
    alone, team = machine(), machine().of_team(threads)
    assert team.capacities[0] == alone.capacities[0] * threads  # each has an L1
    assert team.capacities[-1] == max(alone.capacities[-1], team.capacities[0])
    each = 1 / threads
    assert np.allclose(team.steps[0], each * alone.steps[0], rtol=1e-9, atol=0.05)
    for k in range(4):
        ratio = team.steps[-1][k] / alone.steps[-1][k]
        assert each - 1e-9 <= ratio <= 1 + 1e-9  # memory for each, or for all together
    assert team.of_team(threads) is team
    assert team.threads == threads


def sweep_traffic() -> Traffic:
    """A sweep, again and again, over n**2 doubles: all lines miss a cache that does not hold
    them."""
    axis = tuple(float(round(50 * 2 ** (k / 4))) for k in range(34))
    read = [[0.125 * (8 * n * n > c) for c in _CAPACITIES] for n in axis]
    return Traffic(("n",), (axis,), _CAPACITIES, tuple(np.array(read).ravel().tolist()))


def truth(n: np.ndarray, costs: Costs) -> np.ndarray:
    """Seconds: 1.5 ns an update, and lines at the machine's cost without overlap."""
    steps = costs.steps[:, 0]
    lines = sum(
        0.125 * n * n * (8 * n * n > c) * s for c, s in zip(costs.capacities, steps, strict=True)
    )
    found: np.ndarray = 1e-9 * (1.5 * n * n + lines)
    return found


def learned(costs: Costs, noise: float = 0.01) -> TimeLaw:
    rng = np.random.default_rng(4)
    seconds = truth(_SIZES, costs) * np.exp(noise * rng.normal(size=len(_SIZES)))
    return fit_time_law(seconds, {"n": _SIZES}, [_COUNT], sweep_traffic(), costs).law


def test_the_law_foretells_what_memory_costs_beyond_the_last_cache_that_was_measured() -> None:
    costs = machine(l2=4 << 20)
    law = learned(costs)
    far = {"n": np.array([1680.0, 3360.0])}
    low, high = law.interval(far, 0.9)
    expected = truth(far["n"], costs)
    assert (np.abs(law.seconds(far) / expected - 1) < 0.25).all()
    assert ((low < expected) & (expected < high)).all()


def test_the_interval_is_wider_where_a_level_was_never_seen() -> None:
    law = learned(machine(l2=4 << 20))
    near, far = law.deviation({"n": 500.0}), law.deviation({"n": 2000.0})
    assert float(far) > 2 * float(near)


def test_sympy_reads_the_formula_and_has_the_values_of_the_law() -> None:
    law = learned(machine())
    found = law.to_json()
    formula = sympy.sympify(found["formula"])
    (symbol,) = formula.free_symbols
    for n in (100, 333, 1000, 5000):
        assert float(formula.subs({symbol: n})) == pytest.approx(float(law.seconds({"n": n})))


def test_regimes_end_where_the_data_leave_a_cache() -> None:
    law = learned(machine(l2=1 << 20))
    first, last = regimes_of(law)
    assert (first.level, last.level) == ("L2", "memory")
    limit = int(first.until.removeprefix("n < "))
    assert limit == pytest.approx(362, rel=0.2)  # 8 n**2 = 1 MiB
    assert last.until == f"n >= {limit}"


def test_a_machine_with_a_larger_cache_has_other_regimes() -> None:
    law = learned(machine(l2=1 << 20))
    larger = regimes_of(elsewhere(law, machine(l2=16 << 20)))
    limit = int(larger[0].until.removeprefix("n < "))
    assert limit == pytest.approx(1448, rel=0.2)


def test_a_machine_with_another_number_of_levels_is_understood() -> None:
    law = learned(machine())
    three = machine()
    more = Costs(
        (*three.levels[:2], Level("L3", 1 << 24, (2.0, 2.0, 3.0, 2.0)), three.levels[2]),
        three.random_bytes,
        three.random_ns,
        three.page_bytes,
        three.page_ns,
        three.fresh_bytes,
        three.fresh_ns,
    )
    there = elsewhere(law, more)
    assert [r.level for r in regimes_of(there)] == ["L2", "L3", "memory"]
    assert float(there.seconds({"n": 800.0})) > 0
    assert float(there.deviation({"n": 800.0})) > float(law.deviation({"n": 800.0}))
    back = elsewhere(there, law.costs)
    assert len(back.theta) == len(law.theta)


def test_proportional_counts_share_one_cost_and_idle_ones_have_none() -> None:
    n = np.array([10.0, 20, 40, 80])
    counts = np.stack([n, n**2, 2 * n**2, n**0, 0 * n])
    kept = [g.loop for g in grouped(counts, [False] * 5)]
    assert kept[0] in (1, 2)
    assert sorted(kept[1:]) == [0, 3]


def test_a_model_with_a_law_comes_back_from_its_file() -> None:
    costs = machine()
    seconds = truth(_SIZES, costs)
    ones = np.ones(len(_SIZES))
    series = Series("main", "time", ("n",), _SIZES[:, None], ones, seconds, 0 * ones)
    plain = fit(Measurements((series,))).models[0]
    found = fit_time_law(seconds, {"n": _SIZES}, [_COUNT], sweep_traffic(), costs)
    model = with_law(plain, found, {"n": _SIZES})
    again = Models.from_json(json.loads(json.dumps(Models((model,)).to_json()))).models[0]
    assert float(again.evaluate({"n": 1000})) == float(model.evaluate({"n": 1000}))
    assert again.interval({"n": 1000}) == model.interval({"n": 1000})
    ((coefficient, term),) = model.terms
    assert str(term) == "n**2"
    assert coefficient * 1e9 == pytest.approx(float(model.law.seconds({"n": 3360})) * 1e9 / 3360**2)  # type: ignore[union-attr]
    assert model.quality.smape < 2.5  # priors of costs do not lie on those of the truth


def test_a_law_of_before_memory_was_learned_apart_says_what_it_said() -> None:
    law = learned(machine())
    at = len(law.theta) - 3
    before = replace(law, theta=law.theta[:at], root=law.root[:at])
    assert len(before.theta) == len(before.root) == len(law.theta)
    first = len(law.counts) + 2 * (len(law.costs.levels) - 1)
    assert before.theta[at:] == (math.log(0.1), 12.0, law.theta[first])
    assert before.root[-1] == law.root[first]
    assert np.isfinite(before.seconds({"n": np.array([1e5, 1e7])})).all()
    with pytest.raises(ValueError, match="theta and root need"):
        replace(law, theta=law.theta[:-2], root=law.root[:-2])


@pytest.mark.parametrize("halved", [-1, 1, 10**9])
def test_tables_without_a_distance_of_rows_are_not_halved(halved: int) -> None:
    with pytest.raises(ValueError, match=f"halved is {halved}"):
        replace(sweep_traffic(), halved=halved)
    with pytest.raises(ValueError, match="apart: not a formula"):
        replace(sweep_traffic(), apart="n**(")


def sparse_traffic() -> Traffic:
    """n**2 loads chosen by data from n**2 doubles, whose pages are new."""
    axis = tuple(float(round(50 * 2 ** (k / 4))) for k in range(34))
    sizes = np.log2(np.array(_CAPACITIES))
    random = []
    for n in axis:
        away = np.abs(sizes - np.log2(8 * n * n)) / (sizes[1] - sizes[0])
        random.append(np.clip(1 - away, 0, 1))
    flat = np.array(random).ravel()
    return Traffic(
        ("n",), (axis,), _CAPACITIES, random=tuple(flat.tolist()), fresh=tuple((flat / 8).tolist())
    )


def test_new_pages_cost_more_where_they_no_longer_fit_in_a_cache() -> None:
    """Few pages may be in a cache, or not: nothing that was run tells, and the interval says so."""
    law = fit_time_law(
        1e-9 * 1.0 * _SIZES**2, {"n": _SIZES}, [_COUNT], sparse_traffic(), machine()
    ).law
    few, many = (law.parts({"n": np.array([float(n)])}) for n in (300, 3000))
    each = [float(p.fresh[0]) / n**2 for p, n in ((few, 300), (many, 3000))]
    assert 1.0 < each[1] / each[0] < 25 / 12


def test_new_pages_that_cost_the_same_in_all_runs_cost_it_beyond_them() -> None:
    axis = tuple(float(round(50 * 2 ** (k / 4))) for k in range(34))
    place = [np.abs(np.log(np.array(_CAPACITIES) / (8 * n * n))).argmin() for n in axis]
    fresh = [[0.125 * (k == p) for k in range(len(_CAPACITIES))] for p in place]
    traffic = Traffic(
        ("n",), (axis,), _CAPACITIES, fresh=tuple(np.array(fresh, dtype=float).ravel().tolist())
    )
    n = np.array([200.0, 400, 600, 800, 1000, 1400])  # from 0.3 to 16 MB: they rise in the machine
    law = fit_time_law(1e-9 * 3.0 * n * n, {"n": n}, [_COUNT], traffic, machine()).law
    assert float(law.seconds({"n": 5600.0})) / 5600**2 == pytest.approx(3e-9, rel=0.08)


def test_random_accesses_that_caches_serve_tell_nothing_of_those_that_memory_does() -> None:
    axis = tuple(float(round(50 * 2 ** (k / 4))) for k in range(34))
    place = [np.abs(np.log(np.array(_CAPACITIES) / (8 * n * n))).argmin() for n in axis]
    random = [[float(k == p) for k in range(len(_CAPACITIES))] for p in place]
    traffic = Traffic(("n",), (axis,), _CAPACITIES, random=tuple(np.array(random).ravel().tolist()))
    costs = machine()
    law = fit_time_law(1e-9 * 9.0 * _SIZES**2, {"n": _SIZES}, [_COUNT], traffic, costs).law
    far = {"n": 4000.0}
    cost = float(law.parts({n: np.array([v]) for n, v in far.items()}).latency[0]) / 4000**2
    measured = float(costs.random(np.array([8 * 4000.0**2]))[0] - costs.random_cached)
    assert cost == pytest.approx(measured, rel=0.25)
    assert float(law.deviation(far)) > 2 * float(law.deviation({"n": 400.0}))


def test_random_accesses_meet_smaller_caches_than_streams_do() -> None:
    law = fit_time_law(
        1e-9 * 1.0 * _SIZES**2, {"n": _SIZES}, [_COUNT], sparse_traffic(), machine()
    ).law
    room = names_of(1, law.costs).index("capacity for random accesses")
    assert np.exp(law.theta[room]) < 1  # the prior: the probe had the caches for itself
    formula = sympy.sympify(law.to_json()["formula"])
    expected = float(law.seconds({"n": 500.0}))
    assert float(formula.subs(dict.fromkeys(formula.free_symbols, 500))) == pytest.approx(expected)


_ADDITION_NS, _PLACES = 0.6, 90
_CHAINED = "(n**3)**2/((n**3) + 90*(n**2))"


def dot_products(n: np.ndarray) -> np.ndarray:
    """Seconds of n**2 sums of n products: 0.25 ns each, or the additions of a sum one after the
    other, so far as the sums are longer than what the processor holds."""
    waits = _ADDITION_NS * n / (n + _PLACES)
    found: np.ndarray = 1e-9 * n**3 * np.maximum(0.25, waits)
    return found


def no_traffic() -> Traffic:
    return Traffic(("n",), ((8.0, 4096.0),), _CAPACITIES)


def test_sums_that_are_hidden_while_they_are_short_are_foretold_when_they_are_long() -> None:
    n = np.array([20.0, 29, 37, 49, 66, 82])
    rng = np.random.default_rng(7)
    seconds = dot_products(n) * np.exp(0.02 * rng.normal(size=len(n)))
    far = np.array([328.0, 656.0])
    counts = [Count("n**3")]
    plain = fit_time_law(seconds, {"n": n}, counts, no_traffic(), machine()).law
    law = fit_time_law(seconds, {"n": n}, counts, no_traffic(), machine(), chain=_CHAINED).law
    assert (np.abs(law.seconds({"n": far}) / dot_products(far) - 1) < 0.25).all()
    assert (plain.seconds({"n": far}) < 0.7 * dot_products(far)).all()
    low, high = law.interval({"n": far}, 0.9)
    assert ((low < dot_products(far)) & (dot_products(far) < high)).all()


def test_a_chain_that_is_never_waited_for_changes_nothing() -> None:
    n = np.array([100.0, 140, 200, 280, 350, 420])
    seconds = 1e-9 * 8.0 * n**3  # as divisions take
    law = fit_time_law(seconds, {"n": n}, [Count("n**3")], no_traffic(), machine(), chain=_CHAINED)
    assert float(law.law.seconds({"n": 1680.0})) == pytest.approx(8e-9 * 1680**3, rel=0.03)


def test_sympy_reads_a_law_with_a_chain_and_files_keep_it() -> None:
    n = np.array([20.0, 29, 37, 49, 66, 82])
    seconds = dot_products(n)
    series = Series("main", "time", ("n",), n[:, None], np.ones(6), seconds, np.zeros(6))
    plain = fit(Measurements((series,))).models[0]
    found = fit_time_law(
        seconds, {"n": n}, [Count("n**3")], sweep_traffic(), machine(), chain=_CHAINED
    )
    model = with_law(plain, found, {"n": n})
    again = Models.from_json(json.loads(json.dumps(Models((model,)).to_json()))).models[0]
    assert float(again.evaluate({"n": 500})) == float(model.evaluate({"n": 500}))
    formula = sympy.sympify(found.law.to_json()["formula"])
    for size in (50, 300, 2000):
        expected = pytest.approx(float(found.law.seconds({"n": float(size)})))
        assert float(formula.subs(dict.fromkeys(formula.free_symbols, size))) == expected
    names = names_of(1, machine(), chain=True)
    assert len(names) == len(found.law.theta)


def foreteller(held: float = 8192.0) -> Costs:
    """A machine that knows patterns of so many branches and loses 3 ns with each of others."""
    return msgspec.structs.replace(
        machine(), branch_lengths=(512.0, held, 2 * held, 16 * held), branch_ns=(0.5, 0.5, 3.5, 3.5)
    )


def comparisons(n: np.ndarray) -> np.ndarray:
    """Seconds of comparing all letters of two words of n letters: 0.7 ns each; 2 ns more where the
    pattern, twice as long as a word, is not known."""
    lost = 2.0 * np.clip(np.log2(2 * n / 8192), 0, 1)
    found: np.ndarray = 1e-9 * n**2 * (0.7 + lost)
    return found


_COMPARED = Branches("n**2", "n**2/n")


def test_branches_that_are_known_while_their_pattern_is_short_are_foretold_for_long_ones() -> None:
    n = np.array([480.0, 670, 860, 1150, 1530, 1920])
    far = np.array([7680.0, 15360.0])
    rng = np.random.default_rng(3)
    seconds = comparisons(n) * np.exp(0.02 * rng.normal(size=len(n)))
    arguments = (seconds, {"n": n}, [_COUNT], no_traffic(), foreteller())
    plain = fit_time_law(*arguments).law
    law = fit_time_law(*arguments, branches=_COMPARED).law
    assert (plain.seconds({"n": far}) < 0.5 * comparisons(far)).all()
    assert (np.abs(law.seconds({"n": far}) / comparisons(far) - 1) < 0.35).all()
    low, high = law.interval({"n": far}, 0.9)
    assert ((low < comparisons(far)) & (comparisons(far) < high)).all()


def test_branches_that_were_always_lost_change_nothing() -> None:
    n = np.array([100e3, 140e3, 200e3, 280e3, 350e3, 420e3])
    seconds = 3e-9 * n**2
    arguments = ({"n": n}, [_COUNT], no_traffic(), foreteller())
    law = fit_time_law(seconds, *arguments, branches=_COMPARED).law
    assert float(law.seconds({"n": 4e6})) == pytest.approx(3e-9 * 16e12, rel=0.03)


def test_where_the_foreteller_was_not_measured_a_law_has_no_branches() -> None:
    seconds = comparisons(_SIZES)
    arguments = (seconds, {"n": _SIZES}, [_COUNT], no_traffic(), machine())
    assert fit_time_law(*arguments, branches=_COMPARED).law.branches is None


def test_sympy_reads_a_law_with_branches_and_files_keep_it() -> None:
    n = np.array([500.0, 1000, 2000, 4000, 8000, 16000])
    found = fit_time_law(
        comparisons(n), {"n": n}, [_COUNT], no_traffic(), foreteller(), branches=_COMPARED
    )
    formula = sympy.sympify(found.law.to_json()["formula"])
    for size in (50, 3000, 9000, 50_000, 900_000):
        expected = pytest.approx(float(found.law.seconds({"n": float(size)})))
        assert float(formula.subs(dict.fromkeys(formula.free_symbols, size))) == expected
    names = names_of(1, machine(), branches=True)
    assert len(names) == len(found.law.theta)
    again = msgspec.json.decode(msgspec.json.encode(found.law), type=TimeLaw)
    assert float(again.seconds({"n": 9000.0})) == float(found.law.seconds({"n": 9000.0}))
    there = elsewhere(found.law, foreteller(held=1 << 20))
    slow, fast = (float(law.seconds({"n": 30e3})) for law in (found.law, there))
    assert slow > 1.5 * fast


def test_loops_that_do_not_run_wait_for_nothing() -> None:
    n = np.array([20.0, 29, 37, 49, 66, 82])
    shifted = "(n - 20)**2/((n - 20) + 90*(n - 20))"
    law = fit_time_law(
        dot_products(n), {"n": n}, [Count("n**3")], no_traffic(), machine(), chain=shifted
    )
    assert float(law.law.seconds({"n": 20.0})) > 0


def test_how_far_computing_hides_memory_is_open_where_no_run_met_it() -> None:
    """Lines of the second level come while the processor computes; those of memory mostly not."""
    costs = machine(l2=1 << 20, memory_ns=9.0)
    axis = tuple(float(round(50 * 2 ** (k / 4))) for k in range(34))
    read = [[0.125 * (8 * n * n > c) for c in _CAPACITIES] for n in axis]
    traffic = Traffic(("n",), (axis,), _CAPACITIES, tuple(np.array(read).ravel().tolist()))
    n = np.array([40.0, 60, 90, 140, 200, 260])  # the lines never show while in L2
    law = fit_time_law(1e-9 * 1.5 * n * n, {"n": n}, [_COUNT], traffic, costs).law
    far = float(law.seconds({"n": 3000.0})) / 3000**2 * 1e9
    assert 1.5 + 0.5 * 0.125 * 8.0 < far < 1.5 + 0.125 * 8.0
    low, high = (float(v) / 3000**2 * 1e9 for v in law.interval({"n": 3000.0}, 0.9))
    assert low < 1.6
    assert high > 1.5 + 0.125 * 8.0


def test_a_law_is_learned_from_the_counts_of_the_runs_and_foretells_by_their_formulas() -> None:
    """A loop whose count goes by steps, and another one whose count is known: 6 and 1 ns."""
    n = np.array([50.0, 60, 70, 80, 90, 100])
    steps = np.array([3.0, 3, 4, 4, 5, 6]) ** 3 * 1000
    known = 40 * n**2
    seconds = 1e-9 * (6 * steps + 1 * known)
    counts = [Count("0.22*n**3", 0.1, 0.25), Count("40*n**2")]
    counted = np.stack([steps, known])
    fit = fit_time_law(seconds, {"n": n}, counts, no_traffic(), machine(), counted=counted)
    blind = fit_time_law(seconds, {"n": n}, counts, no_traffic(), machine())
    assert np.abs(fit.residuals).max() < 0.02
    assert fit.law.sigma < 0.5 * blind.law.sigma
    far = {"n": np.array([400.0])}
    expected = 1e-9 * (6 * 24**3 * 1000 + 40 * 400**2)
    low, high = fit.law.interval(far, 0.9)
    assert low[0] < expected < high[0]
    assert fit.law.seconds(far)[0] == pytest.approx(expected, rel=0.3)


def test_what_a_fitted_count_leaves_open_weighs_by_its_part_of_the_time() -> None:
    n = np.array([50.0, 60, 70, 80, 90, 100])
    counts = [Count("n**3"), Count("n**2", 0.5, 0.5)]
    own = fit_time_law(1e-9 * n**3, {"n": n}, counts, no_traffic(), machine()).law
    other = fit_time_law(1e-9 * (0.01 * n**3 + 9 * n**2), {"n": n}, counts, no_traffic(), machine())
    assert float(own.deviation({"n": 400.0})) < 0.6 * float(other.law.deviation({"n": 400.0}))


@pytest.mark.filterwarnings("error")
def test_where_nothing_runs_no_time_is_taken() -> None:
    """A formula that was found in counts may be 0, or less, outside of what was measured."""
    n = np.array([100.0, 140, 200, 280, 400])
    count, nothing = Count("n**2 - 60*n"), Traffic((), (), _CAPACITIES)
    seconds = 2e-9 * (n**2 - 60 * n)
    law = fit_time_law(seconds, {"n": n}, [count], nothing, machine()).law
    at = {"n": np.array([30.0, 60.0, 800.0])}
    low, high = law.interval(at, 0.9)
    assert law.seconds(at)[:2].tolist() == [0.0, 0.0]
    assert low[:2].tolist() == high[:2].tolist() == [0.0, 0.0]
    assert low[2] < 2e-9 * (800**2 - 60 * 800) < high[2]


def slower(costs: Costs, times: float) -> Costs:
    """A machine on which everything takes so many times as long."""

    def longer(values: tuple[float, ...]) -> tuple[float, ...]:
        return tuple(times * v for v in values)

    return msgspec.structs.replace(
        costs,
        levels=tuple(
            Level(v.name, v.bytes, cast("tuple[float, float, float, float]", longer(v.ns)))
            for v in costs.levels
        ),
        random_ns=longer(costs.random_ns),
        page_ns=longer(costs.page_ns),
        fresh_ns=longer(costs.fresh_ns),
        branch_ns=longer(costs.branch_ns),
        operations={n: times * v for n, v in costs.operations.items()},
    )


@cache
def learned_here() -> TimeLaw:
    return learned(msgspec.structs.replace(machine(), operations=OPERATIONS))


OPERATIONS = {"dependent addition": 1.0, "independent integer operation": 0.1}


@given(st.floats(0.2, 5.0), st.integers(100, 20_000))
def test_a_machine_that_is_slower_in_everything_takes_as_many_times_as_long(
    times: float, n: int
) -> None:
    law = learned_here()
    there = elsewhere(law, slower(law.costs, times))
    assert float(there.seconds({"n": n})) == pytest.approx(times * float(law.seconds({"n": n})))
    assert float(there.deviation({"n": n})) > float(law.deviation({"n": n}))


def test_a_core_whose_speed_is_not_told_may_be_twice_as_fast_or_slow() -> None:
    known = msgspec.structs.replace(machine(), operations=OPERATIONS)
    assert speed_of(known, known).deviation < 0.25
    unknown = speed_of(machine(), known)
    assert unknown.ratio == 1.0
    assert np.exp(unknown.deviation) == pytest.approx(2.0, rel=0.02)
    uneven = msgspec.structs.replace(known, operations={**OPERATIONS, "dependent addition": 4.0})
    assert speed_of(known, uneven).ratio == pytest.approx(2.0)
    assert speed_of(known, uneven).deviation > speed_of(known, known).deviation


def column_traffic() -> Traffic:
    """A walk down columns of rows of 8 n bytes: an eighth of the lines misses the first cache, or
    all of them where rows share half of its sets."""
    axis = (50.0, 100.0, 3200.0)
    free, crowded = ([s * (c < 64 << 10) for c in _CAPACITIES] for s in (0.125, 1.0))
    strided = [v for table in (free, crowded) for _ in axis for v in table]
    return Traffic(
        ("n",), (axis,), _CAPACITIES, strided=tuple(map(float, strided)), apart="8*n", halved=1
    )


def test_sizes_whose_rows_share_sets_cost_more_than_those_beside_them() -> None:
    n = np.array([101.0, 131, 171, 221, 301, 401])
    law = fit_time_law(1e-9 * 1.5 * n * n, {"n": n}, [_COUNT], column_traffic(), machine()).law
    each = (
        law.seconds({"n": np.array([1023.0, 1024.0, 1025.0])}) / np.array([1023, 1024, 1025]) ** 2
    )
    assert each[0] == pytest.approx(each[2])
    assert each[1] > 1.1 * each[0]
    formula = sympy.sympify(law.to_json()["formula"])
    for value in (1000, 1023, 1024):
        expected = float(law.seconds({"n": float(value)}))
        got = float(formula.subs(dict.fromkeys(formula.free_symbols, value)))
        assert got == pytest.approx(expected)
    assert len(regimes_of(law)) == 1  # they are told of sizes that are not among these
