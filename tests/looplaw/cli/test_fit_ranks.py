"""fit --ranks and fit --speedup as users meet them, and what compare and check make of their files.
fit --ranks and fit --speedup as users meet them, and what compare and check make of their files."""

from __future__ import annotations

import csv
import io
import json
import os
from contextlib import chdir
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from looplaw.cli.main import main
from modeling.rank_classes.rank_rules import outer_faces


@dataclass(frozen=True)
class Done:
    """What a command left behind."""

    returncode: int
    stdout: str
    stderr: str


def looplaw(*words: str, cwd: Path, stdin: str | None = None) -> Done:
    """Run the command line in this process, which is much quicker than starting one."""
    with chdir(cwd):
        result = CliRunner().invoke(main, words, input=stdin)
    return Done(result.exit_code, result.stdout, result.stderr)


def ranked_lines(metric: str = "iterations") -> str:
    """Corner, edge and inner ranks of a 2-D domain: n**2 iterations, 8 n more for each outer face.
    Corner, edge and inner ranks of a 2-D domain: n**2 iterations, 8 n more for each outer face."""
    return "\n".join(
        json.dumps(
            {
                "params": {"n": n, "p": k * k},
                "callpath": "compute",
                "metric": metric,
                "rank": r,
                "value": n * n + 8 * n * outer_faces(r, (k, k)),
            }
        )
        for k in (3, 4, 5, 6)
        for n in (20, 40, 80, 160)
        for r in range(k * k)
    )


def test_fit_models_every_class_of_ranks(tmp_path: Path) -> None:
    done = looplaw("fit", "-", "--ranks", "--json", "m.json", cwd=tmp_path, stdin=ranked_lines())
    assert done.returncode == 0, done.stderr
    assert "…" not in done.stdout, "a pipe has no width"
    data = json.loads((tmp_path / "m.json").read_text())
    assert data["format"] == "looplaw-models/1"
    assert {m["callpath"] for m in data["models"] if m["metric"] == "iterations"} == {
        "compute (1 of 3)",
        "compute (2 of 3)",
        "compute (3 of 3)",
    }
    predicted = looplaw(
        "predict", "m.json", "--at", "n=1000", "--at", "p=100", "--json", cwd=tmp_path
    )
    values = {
        r["callpath"]: r["value"]
        for r in json.loads(predicted.stdout)
        if r["metric"] == "iterations"
    }
    assert values["compute (3 of 3)"] == pytest.approx(1000**2 + 16 * 1000, rel=1e-6)
    ranked = looplaw(
        "compare",
        "m.json",
        "--at",
        "n=1000,p=100",
        "--metric",
        "iterations",
        "--json",
        "-",
        cwd=tmp_path,
    )
    (kernel,) = json.loads(ranked.stdout)["kernels"]  # the slowest class stands for the kernel
    assert (kernel["callpath"], kernel["share"]) == ("compute (3 of 3)", 1.0)
    assert "4*(sqrt(p) - 2)" in looplaw("compare", "m.json", "--format", "csv", cwd=tmp_path).stdout


def test_check_holds_classes_imbalance_and_efficiency_to_laws(tmp_path: Path) -> None:
    (tmp_path / "r.jsonl").write_text(ranked_lines() + "\n" + ranked_lines("time"))
    laws = (
        ("compute (3 of 3)", "iterations", "O(n^2)", "holds"),
        ("compute (1 of 3)", "iterations", "== n^2", "holds"),
        ("*(2 of 3)", "iterations", "== n^2", "broken"),
        ("compute", "imbalance of iterations", "<= 2", "holds"),
        ("compute", "imbalance of iterations", "<= 1.05", "broken"),
        ("compute", "efficiency", "<= 1", "holds"),
        ("comp*", "iterations", "O(n^2)", "holds"),
    )
    (tmp_path / "laws.toml").write_text(
        "".join(
            f'[[law]]\nkernel = "{k}"\nmetric = "{m}"\nexpect = "{e}"\ntolerance = 0\nrisk = 0.01\n'
            for k, m, e, _ in laws
        )
    )
    done = looplaw("check", "r.jsonl", "--format", "csv", cwd=tmp_path)
    assert done.returncode == 1
    rows = list(csv.DictReader(io.StringIO(done.stdout.split("\n\n")[0])))
    assert [(r["kernel"], r["status"]) for r in rows] == [
        ("compute (3 of 3)", "holds"),
        ("compute (1 of 3)", "holds"),
        ("compute (2 of 3)", "broken"),
        ("compute", "holds"),
        ("compute", "broken"),
        ("compute", "holds"),
        ("compute", "holds"),
    ]  # a pattern without parenthesis means kernels
    (tmp_path / "laws.toml").write_text(
        '[[law]]\nkernel = "k"\nmetric = "time"\nexpect = "O(n)"\nrisk = 2\n'
    )
    assert "risk = 2" in looplaw("check", "r.jsonl", cwd=tmp_path).stderr


def ranked_csv() -> str:
    rows = ["p,size,rep,rank,place,region,visits,note"]
    rows += [
        f"{p},{size},{rep},{r},{'end' if r in (0, p - 1) else 'inner'},send,"
        f"{1 + (0 < r < p - 1)},{r * 7}"
        for p in (4, 8, 16, 32)
        for size in (10, 20)
        for rep in (1, 2)
        for r in range(p)
    ]
    return "\n".join(rows)


def test_clusters_of_csv_by_metrics_columns_and_formulas(tmp_path: Path) -> None:
    (tmp_path / "r.csv").write_text(ranked_csv())
    columns = ("--params", "p,size", "--values", "visits")
    for words in (
        (),
        ("--classes", "column:place"),
        ("--classes", "grid:1"),
        ("--classes", "Min(1, Max(0, rank*(ranks - 1 - rank)))"),
    ):
        done = looplaw("clusters", "r.csv", *columns, *words, "--json", "-", cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        classes = json.loads(done.stdout)["kernels"][0]["classes"]
        assert [c["size_law"]["formula"] for c in classes] == ["2", "(p - 2)"], words
        assert [c["models"][0]["constant"] for c in classes] == pytest.approx([1, 2])
    for words, part in (
        ((*columns, "--values", "vists"), "no column vists"),
        (("--params", "p"), "which columns hold values"),
        ((*columns, "--classes", "column:x"), "no column x"),
        ((*columns, "--classes", "torus("), "write grid:1"),
        ((*columns, "--classes", "grid:1", "--by", "visits"), "leave --by"),
        (("--params", "p,place", "--values", "visits"), "r.csv:2: "),
        ((*columns, "--clusters", "9"), "there are 2"),
    ):
        wrong = looplaw("clusters", "r.csv", *words, cwd=tmp_path)
        assert wrong.returncode in (2, 3), words
        assert part in wrong.stderr
        assert len(wrong.stderr.strip().splitlines()) == 1


def times() -> str:
    return "\n".join(
        json.dumps({"params": {"n": n, "p": p}, "callpath": c, "metric": "time", "value": v * f})
        for n in (32, 64, 128)
        for p in (1, 2, 4, 8, 16, 32)
        for c, v in (("solve", 1e-8 * n**3 / p + 1e-6 * np.log2(p)), ("io", 1e-4 * n / 32))
        for f in (0.99, 1.01)
    )


def test_fit_finds_laws_of_speedup_that_compare_ranks(tmp_path: Path) -> None:
    (tmp_path / "t.jsonl").write_text(times())
    done = looplaw(
        "fit",
        "t.jsonl",
        "--speedup",
        "--work",
        "n^3",
        "--speedup-law",
        "costs",
        "--json",
        "s.json",
        cwd=tmp_path,
    )
    assert done.returncode == 0, done.stderr
    assert "…" not in done.stdout, "a pipe has no width"
    at = looplaw("compare", "s.json", "--at", "n=128,p=1024", "--json", "-", cwd=tmp_path)
    assert at.returncode == 0, at.stderr
    first, second = json.loads(at.stdout)["kernels"]
    assert (first["callpath"], second["callpath"]) == ("io", "solve")
    assert second["time"] == pytest.approx(1e-8 * 128**3 / 1024 + 1e-5, rel=0.1)
    assert second["lower"] <= second["time"] <= second["upper"]
    assert second["speedup"] > 100
    assert looplaw("compare", "s.json", "--at", "n=128", cwd=tmp_path).returncode == 2
    broken = json.loads((tmp_path / "s.json").read_text())
    broken["laws"][0]["weights"] = {"magic": 1}
    (tmp_path / "s.json").write_text(json.dumps(broken))
    assert "magic" in looplaw("compare", "s.json", "--at", "n=128,p=2", cwd=tmp_path).stderr


def test_options_that_would_do_nothing_are_refused(tmp_path: Path) -> None:
    (tmp_path / "t.jsonl").write_text(times())
    for words, part in (
        (("--by", "time"), "add --ranks"),
        (("--work", "n"), "add --speedup"),
        (("--ranks", "--speedup"), "choose one"),
        (("--ranks", "--method", "lasso"), "normal form"),
        (("--ranks",), '"rank" is missing'),
        (("--speedup", "--nodes", "n"), "go together"),
    ):
        done = looplaw("fit", "t.jsonl", *words, cwd=tmp_path)
        assert done.returncode in (2, 3), words
        assert part in done.stderr
        assert len(done.stderr.strip().splitlines()) == 1


def test_weak_scaling_counts_processes_in_the_work_and_in_units_of_the_fewest(
    tmp_path: Path,
) -> None:
    rows = [
        {
            "params": {"n": n, "p": p},
            "callpath": "main",
            "metric": "time",
            "value": 1e-8 * n**3 + 1e-5 * np.log2(p),
        }
        for n in (32, 64, 128)
        for p in (4, 8, 16, 32, 64)
    ]
    (tmp_path / "t.jsonl").write_text("\n".join(map(json.dumps, rows)))
    done = looplaw(
        "scaling",
        "t.jsonl",
        "--work",
        "p*n^3",
        "--method",
        "costs",
        "--at",
        "n=128,p=1024",
        "--json",
        "-",
        cwd=tmp_path,
    )
    assert done.returncode == 0, done.stderr
    data = json.loads(done.stdout)
    assert data["unit"] == 4
    assert data["predictions"][0]["time"] == pytest.approx(1e-8 * 128**3 + 1e-4, rel=0.15)


LULESH = os.environ.get("LULESH_RANKS")


@pytest.mark.slow
@pytest.mark.skipif(not LULESH, reason="LULESH_RANKS names no file")
def test_lulesh_positions_are_its_classes(tmp_path: Path) -> None:
    done = looplaw(
        "clusters",
        str(LULESH),
        "--params",
        "p,size",
        "--values",
        "visits",
        "--classes",
        "column:position_class",
        "--json",
        "-",
        cwd=tmp_path,
    )
    assert done.returncode == 0, done.stderr
    send = next(k for k in json.loads(done.stdout)["kernels"] if k["callpath"] == "CommSend")
    laws = {c["name"]: c["size_law"]["formula"] for c in send["classes"]}
    assert laws["III"] == "(p**(1/3) - 2)**3"
    assert laws["LLL"] == "1"
