"""Files of runs whose times are predicted: each has its machine with it."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import msgspec
import numpy as np
import pytest

from benchmarks.bench_time import FORMAT, content, costs_in, left_out, measured, named
from benchmarks.time_constants import changed, constants_of, field_of
from benchmarks.time_elsewhere import foretold, table
from looplaw.laws.machine_costs import costs_of
from looplaw_common.errors import InputError
from modeling import Measurements, Series, fit
from modeling.pmnf.memory_traffic import Traffic
from modeling.pmnf.time_law import Count, names_of
from modeling.timelaw.fit import DEFAULT_TIME, fit_time_law
from modeling.timelaw.model import with_law
from tests.runtime.machine.made_up import made_up_machine

_KEPT = sorted((Path(__file__).parents[1] / "benchmarks" / "data").glob("times_*.json.gz"))


def written(folder: Path, cpu: str, *, packed: bool = False) -> Path:
    machine = msgspec.structs.replace(made_up_machine(), cpu=cpu)
    about = json.loads(msgspec.json.encode(machine))
    text = json.dumps({"format": FORMAT, "machine": about, "programs": [{"title": "own/a"}]})
    file = folder / ("runs.json.gz" if packed else "runs.json")
    file.write_bytes(gzip.compress(text.encode()) if packed else text.encode())
    return file


@pytest.mark.parametrize("packed", [False, True])
def test_a_file_of_runs_has_the_costs_of_its_machine(packed: bool, tmp_path: Path) -> None:
    file = written(tmp_path, "some processor", packed=packed)
    assert costs_in(file, None) == costs_of(
        msgspec.structs.replace(made_up_machine(), cpu="some processor")
    )
    assert "some processor" in named(file)


def test_runs_of_two_machines_are_not_mixed(tmp_path: Path) -> None:
    file = written(tmp_path, "another processor")
    with pytest.raises(InputError, match="another processor"):
        measured(file, [], made_up_machine())


@pytest.mark.parametrize("file", _KEPT, ids=lambda f: f.name)
def test_machines_that_were_kept_say_what_is_known_of_them(file: Path) -> None:
    about = content(file)["machine"]
    levels = [c["level"] for c in about["caches"]]
    assert levels[-1] == "memory"
    assert set(about["system"]["ways"]) == set(levels[:-1])
    assert about["system"]["page_bytes"] >= 4096
    assert costs_in(file, None) is not None


def test_one_machine_is_left_out(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    files = [written(tmp_path / "a", "first processor"), written(tmp_path / "b", "second one")]
    assert left_out(files, "Second") == (files[1], [files[0]])
    for words, given in (("third", files), ("processor", files[:1]), ("o", files)):
        with pytest.raises(InputError, match=f"--leave-out {words}"):
            left_out(given, words)


def test_constants_are_those_of_the_kernels_seen() -> None:
    costs, random = costs_of(made_up_machine()), np.random.default_rng(7)
    points = {"n": np.array([1e4, 2e4, 4e4, 8e4, 1.6e5])}
    nothing = Traffic((), (), (8192.0, 16384.0))
    cores = random.lognormal(1.5, 0.3, 24)
    laws = [
        fit_time_law(1e-9 * core * points["n"], points, [Count("n")], nothing, costs).law
        for core in cores
    ]
    chosen = constants_of(laws)
    assert chosen.core[0] == pytest.approx(np.log(cores).mean(), abs=0.1)
    assert chosen.core[1] == pytest.approx(np.log(cores).std(), abs=0.15)
    # no kernel has lines, so that nothing is learned of memory
    assert chosen.level == pytest.approx(DEFAULT_TIME.level, abs=0.05)
    assert "core" in changed(chosen)
    assert constants_of(laws[:3]).core == DEFAULT_TIME.core


def test_a_machine_where_all_takes_half_as_long_is_foretold() -> None:
    here = costs_of(made_up_machine())
    operations = {"dependent addition": 1.0, "integer": 1.0}
    here = msgspec.structs.replace(here, operations=operations)
    there = msgspec.structs.replace(here, operations=dict.fromkeys(operations, 0.5))
    sizes = np.array([1e4, 2e4, 4e4, 8e4, 1.6e5])
    seconds, points = 2e-9 * sizes, {"n": sizes}
    ones = np.ones(len(sizes))
    series = Series("main", "time", ("n",), sizes[:, None], ones, seconds, 0 * ones)
    fitted = fit_time_law(seconds, points, [Count("n")], Traffic((), (), (8192.0, 16384.0)), here)
    model = with_law(fit(Measurements((series,))).models[0], fitted, points)
    truth = {n: (1e-9 * n, 1.1e-9 * n) for n in (40_000, 320_000)}
    counts = {int(n): n for n in [*sizes, 320_000.0]}
    known = dict(zip(map(int, sizes), seconds.tolist(), strict=True))
    found = list(foretold("own/a", model, "n", (here, there), known, truth, counts))
    assert [e.foretold / e.truth for e in found] == pytest.approx([1.0, 1.0], rel=0.05)
    assert [e.rival / e.truth for e in found] == pytest.approx([1.0, 1.0], rel=0.05)
    assert [e.largest for e in found] == [False, True]
    assert all(e.low < e.truth < e.high for e in found)
    assert "every   looplaw" in table(found)


def test_each_unknown_has_a_constant() -> None:
    costs = costs_of(made_up_machine())
    fields = {field_of(n) for n in names_of(3, costs, chain=True, branches=True)}
    assert all(hasattr(DEFAULT_TIME, f) for f in fields)
