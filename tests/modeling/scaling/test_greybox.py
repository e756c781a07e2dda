"""Speed-up laws and their corrections: known laws are recovered, held-out runs lie in the
intervals."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.simulator.machine import Machine, Network, Noise
from benchmarks.simulator.simulate import Application, simulate
from modeling import DataError, InputError, Model, Models, Series
from modeling.data.measurements import Floats
from modeling.data.timed_runs import Runs
from modeling.scaling.amdahl import aggregate_share, amdahl, parallel_share, share_per_size
from modeling.scaling.codesign import needs
from modeling.scaling.cost_law import brent_costs, fit_costs
from modeling.scaling.greybox import METHODS, fit_greybox, refit, task
from modeling.scaling.isoefficiency import efficiency, isoefficiency, karp_flatt
from modeling.scaling.oliveira import fit_oliveira
from modeling.scaling.ranking import rank

SIZES, NODES = (a.ravel() for a in np.meshgrid(2.0 ** np.arange(14, 22, 2), 2.0 ** np.arange(0, 9)))
ONE = np.ones(len(SIZES))


def amdahl_runs(share: float) -> Runs:
    return Runs(SIZES, NODES, ONE, 1e-6 * SIZES / amdahl(NODES, share))


def model(
    callpath: str,
    metric: str,
    terms: list[tuple[float, dict[str, list[str]]]],
    constant: float = 0.0,
) -> Model:
    data = {
        "callpath": callpath,
        "metric": metric,
        "constant": constant,
        "formula": "",
        "identifiable": True,
        "reason": None,
        "rivals": [],
        "terms": [{"coefficient": c, "exponents": e} for c, e in terms],
        "quality": {"smape": 0, "adjusted_r2": 1, "loo_smape": 0, "points": 5},
    }
    return Models.from_json({"format": "looplaw-models/1", "models": [data]}).models[0]


def test_the_generalised_law() -> None:
    assert amdahl([1, 4, 1e9], 0.9) == pytest.approx([1, 1 / 0.325, 10], rel=1e-6)
    assert amdahl(2, 1.0, 0.5) == pytest.approx(
        1
    )  # weak scaling of perfectly parallel work takes the same time


@pytest.mark.parametrize("share", [0.0, 0.5, 0.97, 0.9999, 1.0])
def test_the_parallel_share_is_found(share: float) -> None:
    n = np.array([2.0, 4, 8, 16])
    assert parallel_share(n, amdahl(n, share)) == pytest.approx(share, abs=1e-6)
    assert parallel_share(n, amdahl(n, share, 1 / n), 1 / n) == pytest.approx(share, abs=1e-6)
    assert aggregate_share(amdahl_runs(share)) == pytest.approx(share, abs=1e-6)
    assert set(share_per_size(amdahl_runs(share))) == set(SIZES)
    with pytest.raises(DataError):
        parallel_share(n[:0], n[:0])


def test_oliveira_reproduces_what_it_can_express() -> None:
    n, size = 1 + np.log2(SIZES / SIZES.min()), SIZES
    truth = 1 / (1 - 0.98 + 0.98 / NODES + 0.001 * (NODES - 1) / 2.0**n)
    runs = Runs(size, NODES, ONE, 1e-6 * size / truth)
    assert fit_oliveira(runs).speedup(NODES, size) == pytest.approx(truth, rel=0.05)


def test_oliveira_s_forecasts_do_not_hang_on_last_digits() -> None:
    """Three numbers of processes leave many of the seven parameters open: which of their values are
    taken differs neither with the rounding of a machine nor with the order of the runs."""
    sizes, count = np.array([25.0, 30, 35, 40, 45]) ** 3, 15
    size, nodes = (a.ravel() for a in np.meshgrid(sizes, [1.0, 2.4, 5]))
    generator = np.random.default_rng(1)
    time = 1e-6 * size / amdahl(nodes, 0.9) * generator.lognormal(0, 0.1, count)
    far = np.full(len(sizes), 8.0), sizes
    there = fit_oliveira(Runs(size, nodes, np.ones(count), time)).speedup(*far)
    for seed in range(3):
        generator = np.random.default_rng(seed)
        order = generator.permutation(count)
        other = time * (1 + 1e-12 * generator.standard_normal(count))
        runs = Runs(size[order], nodes[order], np.ones(count), other[order])
        assert fit_oliveira(runs).speedup(*far) == pytest.approx(there, rel=0.01)


def test_costs_recover_a_law_and_shrug_off_outliers() -> None:
    def law(m: np.ndarray, n: np.ndarray) -> np.ndarray:
        return np.asarray(1e-8 * m / n + 2e-6 * np.log2(n) + 1e-5)

    time = law(SIZES, NODES) * np.exp(np.random.default_rng(0).normal(0, 0.01, len(SIZES)))
    time[5] *= 4
    found = fit_costs(Runs(SIZES, NODES, ONE, time))
    far = np.array([2.0**24]), np.array([4096.0])
    assert found.time(*far, np.ones(1)) == pytest.approx(law(*far), rel=0.1)
    assert found.noise < 0.03


def test_brent_s_terms_take_part() -> None:
    static = brent_costs(lambda m: m * np.log2(m), lambda m: np.log2(m) ** 2)
    time = 1e-8 * SIZES * np.log2(SIZES) / NODES + 1e-6 * np.log2(SIZES) ** 2
    found = fit_costs(Runs(SIZES, NODES, ONE, time), static)
    assert found.time(np.array([2.0**26]), np.array([1e4]), np.ones(1)) == pytest.approx(
        [1e-8 * 2**26 * 26 / 1e4 + 1e-6 * 676], rel=1e-3
    )


QUIET = Noise(detours=0, run=0, slow=0, disturbed=0)


def simulated(
    app: Application, machine: Machine, size: float, nodes: float, cores: float = 1.0
) -> float:
    return float(
        simulate(app, machine, np.array([size]), np.array([nodes]), np.array([cores])).time[0]
    )


def test_the_simulator_is_seeded_and_a_run_does_not_depend_on_others() -> None:
    app = Application("x", halos=1, reductions=2)
    one, two, other = (simulate(app, Machine(), SIZES, NODES, ONE, seed=s) for s in (1, 1, 2))
    assert np.array_equal(one.time, two.time)
    assert not np.array_equal(one.time, other.time)
    few = simulate(app, Machine(), SIZES[3:5], NODES[3:5], ONE[3:5], seed=1)
    assert np.array_equal(few.time, one.time[3:5])


def test_the_simulator_computes_what_machine_and_decomposition_say() -> None:
    quiet = Machine(noise=QUIET)
    compute = Application("x", flops=100, traffic_bytes=0, steps=10)
    assert simulated(compute, quiet, 64.0**3, 1) == pytest.approx(10 * 64**3 * 100 * quiet.flop_s)
    assert simulated(compute, quiet, 64.0**3, 8) == pytest.approx(
        10 * 32**3 * 100 * quiet.flop_s
    )  # no communication
    assert simulated(compute, quiet, 10.0**3, 3) == pytest.approx(
        10 * 400 * 100 * quiet.flop_s
    )  # 4 + 3 + 3 planes
    streaming = Application("x", flops=0, traffic_bytes=64, resident_bytes=64)
    alone, shared = (
        simulated(streaming, quiet, 2.0**24, 1),
        simulated(streaming, quiet, 2.0**24, 1, 32),
    )
    assert alone / shared == pytest.approx(quiet.memory_cores, rel=0.01)  # cores share the memory
    assert (
        alone / simulated(streaming, quiet, 2.0**24, 4096) > 4096 * 2
    )  # shares that fit in caches are faster


def test_the_simulator_communicates_as_its_algorithms_do() -> None:
    quiet, app = (
        Machine(noise=QUIET),
        Application("x", flops=0, traffic_bytes=0, steps=1, reductions=1),
    )
    hop = quiet.network.latency_s + 2 * quiet.network.overhead_s + 8 * quiet.network.byte_s
    assert simulated(app, quiet, 4096.0, 16) == pytest.approx(4 * hop)
    assert simulated(app, quiet, 4096.0, 15) == pytest.approx(
        5 * hop
    )  # 3 rounds, and 7 ranks that hand over before and after
    assert simulated(app, quiet, 4096.0, 256) == pytest.approx(
        8 * (hop + 2 * quiet.network.switch_s)
    )
    small, large = (quiet.message(b, True, 4, 1) for b in (16384, 16385))
    assert large > small + 2 * quiet.network.latency_s  # a rendezvous
    flat = Machine(network=Network(taper=1.0), noise=QUIET)
    assert quiet.all_to_all(1e6, 64, 1) > 1.5 * flat.all_to_all(
        1e6, 64, 1
    )  # contention behind the first switch
    halo = Application("x", flops=0, traffic_bytes=0, steps=3, dimensions=1, halos=1)
    assert simulated(halo, quiet, 64.0, 4) > 3 * quiet.network.latency_s


def test_noise_has_a_heavy_tail_and_many_ranks_meet_it() -> None:
    app = Application("x", flops=1e4, traffic_bytes=0, reductions=1)
    loud, quiet = (
        Machine(noise=Noise(detours=100, run=0, slow=0, disturbed=0)),
        Machine(noise=QUIET),
    )
    slowdown = [
        simulated(app, loud, 1000.0 * n, n) / simulated(app, quiet, 1000.0 * n, n)
        for n in (1, 4096)
    ]
    assert 1 <= slowdown[0] < slowdown[1]
    lost = Noise(detours=100).detours_in(np.full(100_000, 1e-3), np.random.default_rng(0))
    assert (lost > 0).mean() == pytest.approx(1 - np.exp(-0.1), abs=0.005)
    assert lost.max() > 20 * np.median(lost[lost > 0])


def test_the_simulator_reaches_a_hundred_thousand_ranks() -> None:
    app = Application(
        "x",
        halos=1,
        reductions=1,
        imbalance=0.1,
        hot=0.01,
        sweeps=1,
        transposes=0.1,
        tasks=0.1,
        written_bytes=0.1,
    )
    assert np.isfinite(simulated(app, Machine(), 1e9, 3125, 32))


def test_auto_predicts_held_out_runs_better_than_amdahl_and_knows_how_well() -> None:
    inside = []
    counts = np.array([1.0, 2, 3, 4, 6, 8, 12, 16, 24, 32, 64, 128])
    size, nodes = (axis.ravel() for axis in np.meshgrid(2.0 ** np.arange(14, 21), counts))
    for seed, app in enumerate(
        (
            Application("halo", halos=1, reductions=2),
            Application("cg", flops=14, traffic_bytes=96, halos=1, reductions=4),
        )
    ):
        runs = simulate(app, Machine(), size, nodes, np.ones(len(size)), seed=seed)
        t = task(runs, 32, 2.0**18)
        test = runs.select(runs.processes > 32)
        truth = runs.serial(test.size) / test.time
        box = fit_greybox(t)
        p = box.predict(test.size, test.nodes, test.cores)
        assert sum(box.weights.values()) == pytest.approx(1)
        auto, amdahl_error = (
            float(np.sqrt(np.mean((runs.serial(test.size) / time - truth) ** 2)))
            for time in (p.time, box.parts["Amdahl"](test.size, test.nodes, test.cores))
        )
        assert auto < amdahl_error
        inside.append(np.mean((p.lower <= test.time) & (test.time <= p.upper)))
        with pytest.raises(
            DataError, match="needs a run with"
        ):  # of a size that nobody ran the learned overhead says nothing
            box.parts["RF"](np.array([3e5]), np.array([64.0]), np.ones(1))
        assert np.isfinite(box.times(np.array([3e5]), np.array([64.0]), np.ones(1)))
        again = refit(t, box.weights, box.band).predict(test.size, test.nodes, test.cores)
        assert again.time == pytest.approx(p.time)
        assert again.upper == pytest.approx(p.upper)
    assert np.mean(inside) >= 0.75


def test_runs_that_agree_are_no_proof_of_what_is_far_beyond_them() -> None:
    every = amdahl_runs(0.98)
    box = fit_greybox(task(every.select(every.processes <= 16), 16, float(SIZES.max())))
    at = np.array([2.0**k for k in (4, 5, 6, 8, 12)])
    size, one = np.full(len(at), float(SIZES.max())), np.ones(len(at))
    said = box.predict(size, at, one)
    opened = np.log(said.upper / said.lower)
    assert opened[0] < 0.1  # among the runs
    assert (np.diff(opened) > 0).all()
    # a piece of work that 16 processes could not yet share may be shared by more
    assert said.lower[-1] < 0.5 * said.time[-1]


@pytest.mark.parametrize("method", METHODS)
def test_every_method_predicts_times(method: str) -> None:
    grid = np.meshgrid(2.0 ** np.arange(14, 22, 2), 2.0 ** np.arange(0, 5), 2.0 ** np.arange(0, 4))
    size, nodes, cores = (a.ravel() for a in grid)
    runs = simulate(Application("x", halos=1, reductions=1), Machine(), size, nodes, cores, seed=1)
    box = fit_greybox(task(runs, 64, 2.0**18), method)
    p = box.predict(np.array([2.0**18]), np.array([16.0]), np.array([8.0]))
    assert 0 < p.lower[0] <= p.time[0] <= p.upper[0]
    s = box.speedup(np.array([1.0]), np.array([2.0**18]), np.array([16.0]), np.array([8.0]))
    assert s.lower[0] <= s.time[0] <= s.upper[0]


def test_what_cannot_be_learned_is_refused() -> None:
    runs = amdahl_runs(0.9)
    with pytest.raises(DataError):
        task(runs, 1, 2.0**18)
    with pytest.raises(InputError, match="auto, Amdahl"):
        fit_greybox(task(runs, 32, 2.0**18), "magic")
    with pytest.raises(DataError):
        Runs(ONE, ONE, ONE, 0 * ONE)
    without_serial = runs.select(runs.processes > 1)
    with pytest.raises(DataError):
        fit_greybox(task(without_serial, 32, 2.0**18), "RF")


def test_processes_count_in_units_of_the_fewest() -> None:
    points = [(n, p) for n in (10.0, 20.0) for p in (27.0, 54.0, 108.0)]
    series = Series.from_values("main", "time", ("n", "p"), points, [n / p for n, p in points])
    runs = Runs.from_series(series, {"size": "n", "processes": "p"})
    assert sorted(set(runs.processes)) == [1, 2, 4]
    with pytest.raises(DataError, match="no parameter q"):
        Runs.from_series(series, {"size": "n", "processes": "q"})


def test_serial_fraction_and_isoefficiency_of_a_known_law() -> None:
    n = np.array([2.0, 8, 64])
    assert karp_flatt(amdahl(n, 0.9), n) == pytest.approx([0.1] * 3)

    def time(m: Floats, p: Floats) -> Floats:
        return m / p + np.log2(p)  # E = m / (m + p log p): m = p log2(p) E / (1 - E)

    found = isoefficiency(time, 0.8, [4, 16, 64, 256], (1, 1e9))
    assert found.sizes == pytest.approx([4 * p * np.log2(p) for p in found.processes], rel=1e-6)
    assert found.model is not None
    assert str(found.model.lead) == "N*log(N, 2)"
    assert efficiency(time, found.sizes[0], 4) == pytest.approx([0.8])
    assert np.isnan(isoefficiency(lambda m, p: np.ones(len(m)), 0.8, [4], (1, 10)).sizes).all()
    for wrong in ((1.5, (1, 10)), (0.5, (10, 1))):
        with pytest.raises(InputError):
            isoefficiency(time, wrong[0], [4], wrong[1])


def test_ranking_finds_what_will_dominate() -> None:
    models = [
        model("solve", "time", [(1.0, {"p": ["-1", "0"]})]),
        model("reduce", "time", [(1e-4, {"p": ["1/2", "0"]})]),
    ]
    found = rank(models, {"p": 1e6}, {"p": 1.0})
    assert [r.model.callpath for r in found.ranked] == ["reduce", "solve"]
    assert found.ranked[0].exponents["p"] == pytest.approx(0.5, abs=1e-3)
    assert [(c.before, c.after) for c in found.crossings] == [("solve", "reduce")]
    assert found.crossings[0].at["p"] == pytest.approx(1e4 ** (2 / 3), rel=0.04)
    assert sum(r.share for r in found.ranked) == pytest.approx(1)
    with pytest.raises(DataError):
        rank(models, {"p": 0})
    with pytest.raises(DataError, match="no value for p"):
        rank(models, {"n": 1})


def test_requirements_against_a_machine() -> None:
    models = [
        model("solve", "flops", [(2.0, {"n": ["3", "0"]})]),
        model("solve", "bytes", [(8.0, {"n": ["2", "0"]})]),
    ]
    (found,) = needs(models, {"n": 100}, {"flops": 1e9, "bytes": 1e6}, {"bytes": 1e3})
    assert found.seconds == {"flops": pytest.approx(2e-3), "bytes": pytest.approx(0.08)}
    assert (found.bound, found.overfull) == ("bytes", ("bytes",))
    with pytest.raises(DataError, match="no model"):
        needs(models, {"n": 100}, {"messages": 1})
