"""Modeling partition by partition: the same models as of all measurements at once, whoever does the
work."""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import random
import signal
import tempfile
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from operator import itemgetter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner, Result
from hypothesis import given, settings
from hypothesis import strategies as st

from looplaw.bulk import dataset, importer, jobs, partition
from looplaw.bulk.importer import write_dataset
from looplaw.bulk.jobs import model_dataset, one_by_one, threaded
from looplaw.bulk.lines import columns_of
from looplaw.bulk.parquet_exchange import columns_for_parquet, dataset_observations
from looplaw.cli.main import main
from looplaw_common.errors import RunError
from modeling import DataError, Measurements, Series, fit, read
from modeling.data.observations import Observation, numbered
from tests.lazily import Package, needs

distributed, pq = Package("distributed"), Package("pyarrow.parquet")
pytestmark = needs(
    "pyarrow",
    "distributed",
    reason="PARTITIONS ARE NOT TESTED: install pyarrow and dask (pip install 'looplaw[scale]')",
)


def looplaw(*line: object) -> Result:
    return CliRunner().invoke(main, [str(word) for word in line])


def lines(series: int, seed: int) -> list[str]:
    """Observations in random order: one or two parameters, one or three repetitions, two metrics,
    some of them zero."""
    rng = random.Random(seed)
    found = []
    for k in range(series):
        names = ("n",) if k % 3 else ("n", "p")
        grid = [(16, 32, 64, 128, 256)] if k % 3 else [(64, 128, 256, 512), (1, 2, 4)]
        slope, power = rng.uniform(0.1, 5), rng.choice([1, 1.5, 2])
        for point in itertools.product(*grid):
            for _ in range(1 + 2 * (k % 2)):
                value = (
                    0.0
                    if k == 7
                    else (slope * point[0] ** power / point[-1] ** 0.5 + 3)
                    * rng.uniform(0.97, 1.03)
                )
                found.append(
                    json.dumps(
                        {
                            "params": dict(zip(names, point, strict=True)),
                            "callpath": f"main->k{k}",
                            "metric": "visits" if k % 5 == 0 else "time",
                            "value": value,
                        }
                    )
                )
    rng.shuffle(found)
    return found


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("measured") / "all.jsonl"
    path.write_text("\n".join(lines(30, 1)) + "\n")
    return path


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Partitions of a few series, buckets and pieces of a few more."""
    monkeypatch.setattr(importer, "MOST_ROWS", 4)
    monkeypatch.setattr(importer, "_BUCKET", 7)
    monkeypatch.setattr(importer, "_BUFFERED", 100)
    monkeypatch.setattr("looplaw.bulk.lines._PIECE", 1000)


def close(a: Any, b: Any) -> bool:
    """Equal but for 1e-9 of numbers."""
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(close(a[k], b[k]) for k in a)
    if isinstance(a, list):
        return len(a) == len(b) and all(map(close, a, b))
    return (
        bool(a == pytest.approx(b, rel=1e-9, abs=1e-12)) if isinstance(a, float) else bool(a == b)
    )


def models(path: Path) -> list[dict[str, Any]]:
    """Formulas, coefficients, errors: what a model says. (Alternatives that matter little may
    change places.)"""
    return [
        {k: v for k, v in m.items() if k not in ("interval", "formula")}
        for m in json.loads(path.read_text())["models"]
    ]


def test_the_same_series_come_back(measured: Path, tmp_path: Path, small: None) -> None:
    """Bit by bit, out of any order and in many partitions."""
    assert importer.write_dataset(columns_of(str(measured)), tmp_path / "data", "x") == 30
    parts = dataset.parts(tmp_path / "data")
    assert len(parts) > 4
    found = {(s.callpath, s.metric): s for part in parts for s in dataset.read_part(part).series}
    expected = read(measured).series
    assert len(found) == len(expected) == 30
    for s in expected:
        other = found[s.callpath, s.metric]
        assert other.parameters == s.parameters
        for name in ("points", "counts", "means", "squares"):
            assert np.array_equal(getattr(other, name), getattr(s, name)), name


def test_the_same_models_whoever_does_the_work(measured: Path, tmp_path: Path, small: None) -> None:
    """All at once, one partition after the other, by threads, by workers of Dask."""
    whole = tmp_path / "whole.json"
    assert looplaw("fit", measured, "--json", whole).exit_code == 0
    importer.write_dataset(columns_of(str(measured)), tmp_path / "data", "x")
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=False, dashboard_address=None
    ) as cluster:
        for name, options in (
            ("one", ()),
            ("threads", ("--threads", 2)),
            ("dask", ("--scheduler", cluster.scheduler_address)),
        ):
            done = looplaw(
                "fit",
                tmp_path / "data",
                *options,
                "--json",
                tmp_path / f"{name}.json",
                "--out",
                tmp_path / name,
            )
            assert done.exit_code == 0, done.output
    assert close(models(tmp_path / "one.json"), models(whole))
    one = (tmp_path / "one.json").read_text()
    assert (tmp_path / "threads.json").read_text() == one
    assert (tmp_path / "dask.json").read_text() == one
    tables = [
        pq.read_table(tmp_path / name).sort_by("number").to_pylist()
        for name in ("one", "threads", "dask")
    ]
    assert tables[0] == tables[1] == tables[2]
    for row, model in zip(tables[0], json.loads(one)["models"], strict=True):
        assert row["formula"] == model["formula"]
        assert [t["coefficient"] for t in row["terms"]] == [
            t["coefficient"] for t in model["terms"]
        ]
        assert (row["smape"], row["points"]) == (
            model["quality"]["smape"],
            model["quality"]["points"],
        )
        assert row["lower"] <= row["value"] <= row["upper"] or row["callpath"] == "main->k7"


def test_the_largest_are_printed(measured: Path, tmp_path: Path) -> None:
    """Of each metric, by the value at a point that the user names, as `predict` has it."""
    done = looplaw(
        "fit",
        measured,
        "--threads",
        1,
        "--top",
        3,
        "--at",
        "n=1000,p=2",
        "--format",
        "json",
        "--json",
        tmp_path / "models.json",
    )
    assert done.exit_code == 0, done.output
    rows = json.loads(done.stdout)
    everything = json.loads(
        looplaw("predict", tmp_path / "models.json", "--at", "n=1000,p=2", "--json").stdout
    )
    for metric in ("time", "visits"):
        expected = sorted(
            (r for r in everything if r["metric"] == metric), key=lambda r: -r["value"]
        )[:3]
        shown = [r for r in rows if r["metric"] == metric]
        assert [r["callpath"] for r in shown] == [r["callpath"] for r in expected]
        assert [float(r["upper"]) for r in shown] == pytest.approx(
            [r["upper"] for r in expected], rel=1e-3
        )


def logged(action: Callable[[str], None]) -> Callable[[str], str]:
    return lambda item: (action(item), item)[1]


@dataclass(frozen=True)
class DiesOnce:
    """Work that kills its worker at the item 7, the first time."""

    log: Path

    def __call__(self, item: str) -> str:
        with self.log.open("a") as file:
            file.write(f"{item}\n")
        if item == "7" and self.log.read_text().split().count("7") == 1:
            os.kill(os.getpid(), signal.SIGKILL)
        return item


def always_dies(item: str) -> str:
    os.kill(os.getpid(), signal.SIGKILL)
    return item


def test_a_lost_worker_costs_its_partition_only(tmp_path: Path) -> None:
    """A worker is killed at work: that item is done twice, of the others at most what was not yet
    handed over."""
    log = tmp_path / "log"
    items = [str(k) for k in range(20)]
    assert sorted(jobs.in_workers(2)(DiesOnce(log), items)) == sorted(items)
    times = Counter(log.read_text().split())
    assert times.pop("7") == 2
    assert sum(n - 1 for n in times.values()) <= 3, "four are given out at a time"
    assert set(times) == set(items) - {"7"}


def test_workers_that_always_die_are_given_up() -> None:
    with pytest.raises(RunError, match="again and again"):
        list(jobs.in_workers(1)(always_dies, ["a"]))


def test_workers_open_no_port(tmp_path: Path) -> None:
    """Nobody else on the machine can reach them; of other schedulers, those without keys are
    named."""
    found = list(jobs.in_workers(2)(listening, ["a", "b"]))
    assert found == [[], []]
    assert [jobs.is_open(s) for s in ("tcp://h:1", "h:1", "ws://h", "tls://h:1", "inproc://1")] == [
        True, True, True, False, False,
    ]  # fmt: skip


def listening(_: str) -> list[str]:
    """The inodes of sockets that this process listens at."""
    mine = set()
    for descriptor in Path("/proc/self/fd").iterdir():
        with contextlib.suppress(OSError):
            mine.add(os.readlink(descriptor))
    lines = Path("/proc/net/tcp").read_text().splitlines()[1:]
    return [line for line in lines if f"socket:[{line.split()[9]}]" in mine]


def test_noise_is_that_of_all_partitions(tmp_path: Path, small: None) -> None:
    """Levels come from a sample of all series, as if they were one: a partition of two series is
    not judged by itself."""
    rng = np.random.default_rng(5)
    n = np.array([16.0, 32, 64, 128, 256])
    series = [
        Series.from_values(
            f"k{k}",
            "time",
            ("n",),
            n[:, None],
            3 * n[:, None] * (1 + 0.05 * rng.standard_normal((5, 3))),
        )
        for k in range(200)
    ]
    text = tmp_path / "x.jsonl"
    rows = [
        {"params": {"n": float(p[0])}, "callpath": s.callpath, "metric": "time", "value": float(m)}
        for s in series
        for p, m in zip(s.points, s.means, strict=True)
    ]
    text.write_text("".join(json.dumps(r) + "\n" for r in rows))
    importer.write_dataset(columns_of(str(text)), tmp_path / "data", "x")
    expected = [m.formula for m in fit(read(text)).models]
    (tmp_path / "lines").mkdir()
    job = partition.Job({}, "default", {}, 1, None, tmp_path / "lines")
    model_dataset(dataset.parts(tmp_path / "data"), job, one_by_one)
    found = [json.loads(line)["formula"] for line in jobs.joined_lines(tmp_path / "lines")]
    assert found == expected
    alone = [m.formula for s in series[:20] for m in fit(Measurements((s,))).models]
    assert alone != expected[:20], "the series do tell something of each other"


numbers = st.integers(-(2**53), 2**53) | st.floats(-1e9, 1e9)


@settings(max_examples=25)
@given(
    st.lists(
        st.builds(
            Observation,
            st.fixed_dictionaries({"n": st.sampled_from([1, 2, 2.5]), "p": st.integers(1, 2)}),
            st.text(st.characters(codec="utf-8"), max_size=3),
            st.sampled_from(["time", "visits"]),
            numbers,
        ),
        min_size=1,
        max_size=30,
    )
)
def test_observations_come_back_from_parquet(observations: list[Observation]) -> None:
    """Those of a point as its repetitions, in their order; whole numbers as integers."""
    with tempfile.TemporaryDirectory() as folder:
        pieces = columns_for_parquet(observations, merge=False)
        write_dataset(pieces, Path(folder) / "data", "x")
        found = list(dataset_observations(Path(folder) / "data"))
    key = itemgetter(0, 1, 2)
    assert sorted(map(_plain, found), key=key) == sorted(
        map(_plain, numbered(observations)), key=key
    )


def _plain(o: Observation) -> tuple[object, ...]:
    return o.series, o.point, o.repetition, o.value


def test_what_is_no_dataset(tmp_path: Path, measured: Path) -> None:
    (tmp_path / "part-0.parquet").write_bytes(b"PAR1 nothing PAR1")
    done = looplaw("fit", tmp_path)
    assert done.exit_code == 3
    assert "not measurements in Parquet" in " ".join(done.stderr.split())
    assert looplaw("fit", tmp_path / "none", "--workers", 1).exit_code == 2
    assert (
        "give only one of them" in looplaw("fit", measured, "--workers", 1, "--threads", 1).stderr
    )
    bad = tmp_path / "bad.jsonl"
    bad.write_text(measured.read_text().splitlines()[0] + '\n{"params": {"n": 1}, "value": "x"}\n')
    assert "bad.jsonl:2: value is" in " ".join(looplaw("fit", bad, "--threads", 1).stderr.split())
    table = tmp_path / "table.csv"
    table.write_text("n,seconds\n64,1.5\n128,3\n")
    done = looplaw("fit", table, "--out", tmp_path / "models")
    assert done.exit_code == 2
    assert "--format parquet --out data, and fit data" in " ".join(done.stderr.split())


def test_damaged_partitions_are_refused(measured: Path, tmp_path: Path) -> None:
    importer.write_dataset(columns_of(str(measured)), tmp_path / "data", "x")
    path = dataset.parts(tmp_path / "data")[0]
    table = pq.read_table(path)
    header = json.loads(table.schema.metadata[b"looplaw"])
    for change in (
        {"format": "other"},
        {"groups": []},
        {"groups": [{**header["groups"][0], "counts": [1]}]},
    ):
        pq.write_table(
            table.replace_schema_metadata({b"looplaw": json.dumps({**header, **change}).encode()}),
            path,
        )
        with pytest.raises(DataError, match="not measurements in Parquet"):
            dataset.read_part(path)


def test_threads_do_not_change_the_order(tmp_path: Path) -> None:
    assert list(threaded(3)(logged(lambda _: None), ["a", "b", "c"])) == ["a", "b", "c"]


def test_export_and_back(measured: Path, tmp_path: Path, small: None) -> None:
    """Out of core into Parquet, and out again: the same observations, whole numbers as such."""
    done = looplaw("export", measured, "--format", "parquet", "--out", tmp_path / "data")
    assert done.exit_code == 0, done.output
    assert "30 series in" in " ".join(done.stderr.split())

    def said(text: str) -> Counter[str]:
        rows = [json.loads(line) for line in text.splitlines()]
        return Counter(
            json.dumps([r["params"], r["callpath"], r["metric"], r["value"]], sort_keys=True)
            for r in rows
        )

    back = looplaw("export", tmp_path / "data", "--format", "jsonl")
    assert said(back.stdout) == said(measured.read_text().replace(": 0.0}", ": 0}"))
    again = looplaw("export", measured, "--format", "parquet", "--out", tmp_path / "data")
    assert "holds Parquet files already" in " ".join(again.stderr.split())


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (
            '{"params": {"n": 1}, "callpath": "a", "metric": "b", "value": 1, "rank": 3}',
            "parquet has no place for a rank",
        ),
        (
            '{"params": {"n": 1}, "callpath": "a", "metric": "b", "value": 9007199254740993}',
            "beyond 2**53",
        ),
        (
            '{"params": {"n": 1}, "callpath": "a", "metric": "b", "value": "x"}',
            "all.jsonl:2: value is",
        ),
        (
            '{"params": {"m": 1}, "callpath": "a", "metric": "b", "value": 1}',
            "some observations have the parameters n, others m",
        ),
    ],
)
def test_what_parquet_has_no_place_for(line: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "all.jsonl"
    path.write_text(
        '{"params": {"n": 2}, "callpath": "a", "metric": "b", "value": 1}\n' + line + "\n"
    )
    done = looplaw("export", path, "--format", "parquet", "--out", tmp_path / "data")
    assert done.exit_code == 3
    assert message in " ".join(done.stderr.split())
    merged = looplaw("export", path, "--format", "parquet", "--out", tmp_path / "merged", "--merge")
    assert (merged.exit_code == 0) == ("rank" in line)
