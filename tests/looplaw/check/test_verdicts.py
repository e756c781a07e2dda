"""Verdicts that do not say more than was checked."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from looplaw.cli.main import main
from looplaw.laws.comparison import Grade, grade
from looplaw.studies.finish import conclusion
from modeling import Measurements, Series, fit
from modeling.readers import read


def looplaw(*words: str) -> Result:
    return CliRunner().invoke(main, words)


def loop(at: str, **more: object) -> dict[str, object]:
    return {"at": at, "function": "f", "obeys": "unchecked", "verdict": "unchecked", **more}


def study(folder: Path, loops: list[dict[str, object]], **summary: object) -> str:
    path = folder / "study.json"
    path.write_text(
        json.dumps({"format": "looplaw-study/1", "title": "t", "loops": loops, "summary": summary})
    )
    return str(path)


def test_a_study_without_laws_is_not_checked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for loops in ([], [loop("a.c:1:1"), loop("a.c:2:1", verdict="modeled")]):
        found = looplaw("check", study(tmp_path, loops))
        assert found.exit_code == 3
        assert "nothing was checked" in found.stderr
        assert "obeys" not in found.output


def test_what_is_unchecked_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    obeys = loop("a.c:1:1", obeys="yes", verdict="obeys")
    found = looplaw("check", study(tmp_path, [obeys]))
    assert (found.exit_code, found.stdout) == (0, "every loop obeys its law\n")
    others = [loop(f"a.c:{k}:1") for k in (2, 3)]
    told = conclusion(2, 3)
    found = looplaw("check", study(tmp_path, [obeys, *others], conclusion=told))
    assert found.exit_code == 0
    assert found.stdout == "1 of 3 loops obey their laws; 2 unchecked\n"
    assert "inconclusive: 2 of 3 loops unchecked" in found.stderr
    wrong = loop("a.c:4:1", obeys="no", verdict="miscounted", verdict_reason="counted 3, not 2")
    assert looplaw("check", study(tmp_path, [wrong, *others])).exit_code == 1


def test_laws_that_nothing_is_known_of_are_not_checked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("laws.toml").write_text('[[law]]\nkernel = "f[[]1]"\nmetric = "time"\nexpect = "O(n)"\n')
    found = looplaw("check", study(tmp_path, [loop("a.c:1:1")]))
    assert found.exit_code == 3
    assert "nothing was checked" in found.stderr


@pytest.mark.parametrize(
    ("unchecked", "loops", "text"),
    [
        (94, 109, "inconclusive: 94 of 109 loops unchecked"),
        (1, 1, "inconclusive: 1 of 1 loop unchecked"),
        (1, 2, None),
        (0, 0, "inconclusive: no loops"),
    ],
)
def test_the_conclusion(unchecked: int, loops: int, text: str | None) -> None:
    assert conclusion(unchecked, loops) == text


@pytest.mark.parametrize(
    ("values", "noise", "quality"),
    [
        ([64, 128, 256, 512, 1024], 0.0, "good"),
        ([64, 70, 80, 90, 100], 0.0, "extrapolating"),
        ([64, 128, 256, 512], 0.0, "extrapolating"),
        ([64, 128, 256, 512, 1024], 0.9, "weak"),
    ],
)
def test_models_are_graded(values: list[int], noise: float, quality: str) -> None:
    signs = [1, -1, -1, 1, -1]
    times = [[3.0 * n * (1 + noise * signs[k])] for k, n in enumerate(values)]
    series = Series.from_values("k", "time", ("n",), [[float(n)] for n in values], times)
    model = fit(Measurements((series,))).models[0]
    found = grade(model, [{"n": n} for n in values])
    assert isinstance(found, Grade)
    assert found.quality == quality
    assert f"{quality} model, error" in str(found)


def test_init_writes_no_law_of_zero_or_of_a_guess(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    lines = [
        {"params": {"n": n}, "callpath": path, "metric": "time", "value": value}
        for n in (64, 128, 256, 512, 1024)
        for path, value in (("linear", 2.0 * n), ("never", 0.0))
    ]
    lines += [
        {"params": {"n": n}, "callpath": "guess", "metric": "time", "value": float(n)}
        for n in (64, 128)
    ]
    Path("m.jsonl").write_text("\n".join(map(json.dumps, lines)))
    assert not {m.callpath: m for m in fit(read("m.jsonl")).models}["guess"].identifiable
    found = looplaw("check", "m.jsonl", "--init")
    assert found.exit_code == 0, found.output
    text = Path("laws.toml").read_text()
    assert '"linear"' in text
    assert "never" not in text
    assert "guess" not in text
    assert "never, time: it was zero in all runs" in found.stderr
    assert "guess, time:" in found.stderr
    assert looplaw("fit", "m.jsonl", "--json", "models.json").exit_code == 0
    found = looplaw("check", "models.json", "--init", "--laws", "other.toml")
    assert found.exit_code == 0, found.output
    assert "guess" not in Path("other.toml").read_text()
    assert "not identifiable" in found.stderr
    assert "== 0" not in text
