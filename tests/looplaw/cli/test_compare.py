"""looplaw compare of files and of the series of one, and the inverse of predict."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from looplaw.cli.main import main

SIZES = (100, 200, 400, 800, 1600, 3200)


@pytest.fixture
def sorts(tmp_path: Path) -> Path:
    rows = [
        f"{a},{n},{t}"
        for a, f in (("slow", lambda n: n * n * 1e-6), ("quick", lambda n: 0.1 + n * 1e-4))
        for n in SIZES
        for t in (f(n), f(n) * 1.01)
    ]
    path = tmp_path / "sorts.csv"
    path.write_text("algo,n,time_s\n" + "\n".join(rows) + "\n")
    return path


def looplaw(*words: str) -> tuple[int, str, str]:
    done = CliRunner().invoke(main, list(words))
    return done.exit_code, done.stdout, done.stderr


def test_two_series_of_a_table(sorts: Path) -> None:
    code, out, _ = looplaw("compare", str(sorts), "slow", "quick", "--json", "-")
    document = json.loads(out)
    (series,) = document["series"]
    assert (code, document["format"], series["faster"]) == (0, "looplaw-compare/1", "B")
    (crossing,) = series["crossings"]
    truth = (1e-4 + (1e-8 + 4e-7) ** 0.5) / 2e-6
    assert crossing["low"] <= truth <= crossing["high"]
    assert crossing["then"] == "B"
    code, out, _ = looplaw("compare", str(sorts))
    assert code == 0
    assert "quick is faster from n = 370" in out


def test_two_files_and_what_is_no_pair(sorts: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.csv"
    other.write_text(sorts.read_text().replace("slow", "Slow"))
    code, out, _ = looplaw("compare", str(sorts), str(other), "--json", "-")
    assert [s["faster"] for s in json.loads(out)["series"]] == ["cannot tell"]
    assert looplaw("compare", str(sorts), "slow", "nothing")[0] == 2
    code, _, err = looplaw("compare", str(sorts), "missing.csv")
    assert (code, "missing.csv: no such file" in err) == (2, True)
    assert looplaw("diff", str(sorts), str(other), "--json", "-")[1] == out


def test_the_size_that_takes_a_time(sorts: Path, tmp_path: Path) -> None:
    models = tmp_path / "m.json"
    assert looplaw("fit", str(sorts), "--json", str(models))[0] == 0
    code, out, _ = looplaw("predict", str(models), "--time", "1m40s", "--json")
    sizes = {r["callpath"]: r for r in json.loads(out)}
    slow = sizes["main[algo=slow]"]
    assert (code, slow["size"]) == (0, pytest.approx(1e4, rel=0.02))
    assert slow["lower"] <= slow["size"] <= slow["upper"]
    assert slow["times_measured"] == pytest.approx(slow["size"] / 3200)
    code, out, _ = looplaw("predict", str(sorts), "--time", "1m40s", "--json")
    assert {r["callpath"]: r["size"] for r in json.loads(out)} == pytest.approx(
        {callpath: r["size"] for callpath, r in sizes.items()}
    )
    code, out, _ = looplaw("predict", str(sorts), "--at", "n=10000", "--json")
    assert (code, len(json.loads(out))) == (0, 2)
    assert looplaw("next", str(sorts))[0] == 0
    assert looplaw("predict", str(models), "--time", "soon")[0] == 2
    assert looplaw("predict", str(models))[0] == 2


def test_a_table_at_one_size_is_ranked(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    rows = [f"{w},{k},{m + k / 100}" for w, m in (("fast", 1), ("slow", 3)) for k in range(6)]
    path.write_text("library,run,time_s\n" + "\n".join(rows))
    for verb in ("fit", "compare"):
        done = CliRunner().invoke(main, [verb, str(path), "--format", "csv"])
        assert done.exit_code == 0
        assert "fast" in done.stdout
    fit = CliRunner().invoke(main, ["fit", str(path), "--format", "json"])
    assert [r["standing"] for r in json.loads(fit.stdout)] == ["", "behind"]
