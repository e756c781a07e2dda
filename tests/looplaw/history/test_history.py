"""looplaw history: records of commits, change points, the page."""

import json
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner, Result

from looplaw.cli.main import main
from modeling.stream.change_points import change_points

SIZES = (64, 128, 256, 512, 1024, 2048)


def history(*words: object) -> Result:
    return CliRunner().invoke(main, ["history", *map(str, words)])


def measure(folder: Path, commit: int, law: str, noise: float) -> Path:
    """Times of a kernel that follows a law, five repetitions at each size."""
    chance = np.random.default_rng(commit)
    file = folder / f"{commit}.jsonl"
    rows = [
        {
            "params": {"n": n},
            "callpath": "solve",
            "metric": "time",
            "value": 1e-6 * eval_law(law, n) * float(np.exp(chance.normal(0, noise))),
            "repetition": k,
        }
        for n in SIZES
        for k in range(5)
    ]
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return file


def eval_law(law: str, n: int) -> float:
    return {"n": n, "1.3*n": 1.3 * n, "n*n": n * n / 64}[law]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_commit_that_changed_a_law_and_one_that_changed_a_value(folder: Path) -> None:
    laws = ["n"] * 6 + ["1.3*n"] * 6 + ["n*n"] * 2
    for k, law in enumerate(laws):
        done = history(measure(folder, k, law, 0.02), "--commit", f"v{k}")
        assert done.exit_code == 0, done.output
    done = history("--json", "-", "--html", "page.html", "--fail")
    assert done.exit_code == 1
    (series,) = json.loads(done.stdout)["series"]
    assert (series["kernel"], series["at"]) == ("solve", {"n": 2048})
    found = [(c["kind"], c["commit"], c["worse"]) for c in series["changes"]]
    assert found == [("value", "v6", True), ("law", "v12", True)]
    assert "n**2" in series["changes"][1]["after"] or "n^2" in series["changes"][1]["after"]
    text = (folder / "page.html").read_text()
    HTMLParser().feed(text)
    assert "solve" in text
    assert "http" not in text.replace("http-equiv", "")
    assert text.count("<circle") == len(laws)
    assert "v12" in history().stdout


def test_counts_change_wherever_they_change(folder: Path) -> None:
    for k, factor in enumerate((3, 3, 5)):
        rows = [
            {"params": {"n": n}, "callpath": "f", "metric": "iterations", "value": factor * n}
            for n in SIZES
        ]
        file = folder / "counts.jsonl"
        file.write_text("".join(json.dumps(row) + "\n" for row in rows))
        assert history(file, "--commit", f"v{k}").exit_code == 0
    (series,) = json.loads(history("--json", "-").stdout)["series"]
    assert [(c["commit"], c["before"], c["after"]) for c in series["changes"]] == [
        ("v2", "6144", "1.024e+04")
    ]


def test_a_commit_is_replaced_when_it_is_recorded_again(folder: Path) -> None:
    for seed in (1, 2):
        history(measure(folder, seed, "n", 0.02), "--commit", "v1")
    assert len(Path("looplaw-history.jsonl").read_text().splitlines()) == 1


def test_errors_say_what_to_type(folder: Path) -> None:
    done = history()
    assert (done.exit_code, "looplaw history STUDY" in done.stderr) == (2, True)
    file = measure(folder, 1, "n", 0.02)
    assert "--commit v1.2" in history(file).stderr
    Path("looplaw-history.jsonl").write_text("{}\n")
    done = history()
    assert done.exit_code == 3
    assert "looplaw-history.jsonl:1" in done.stderr


@pytest.mark.parametrize(
    ("number", "false", "least"), [(10, 1, 8), pytest.param(20, 2, 17, marks=pytest.mark.slow)]
)
def test_change_points_of_noise_are_rare_and_those_of_steps_are_found(
    number: int, false: int, least: int
) -> None:
    """At most `false` in twice as many quiet series, and `least` of so many steps."""
    chance = np.random.default_rng(5)
    quiet = [np.exp(chance.normal(0, 0.05, 30)) for _ in range(2 * number)]
    assert sum(bool(change_points(x, seed=k)) for k, x in enumerate(quiet)) <= false
    found = 0
    for k in range(number):
        x = np.exp(chance.normal(0, 0.05, 40))
        x[25:] *= 1.2
        points = change_points(x, seed=k)
        found += [abs(p.index - 25) <= 1 for p in points] == [True]
    assert found >= least


def test_a_change_and_its_reversal() -> None:
    chance = np.random.default_rng(6)
    x = np.exp(chance.normal(0, 0.03, 60))
    x[20:35] *= 1.3
    points = change_points(x)
    assert [p.index for p in points] == [20, 35]
    assert [round(p.ratio, 1) for p in points] == [1.3, 0.8]


def test_a_single_outlier_is_no_change() -> None:
    x = np.exp(np.random.default_rng(7).normal(0, 0.03, 40))
    x[7] *= 5
    assert change_points(x) == ()
