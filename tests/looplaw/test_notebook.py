"""Notebook displays: typeset formulas, and data that stay data."""

from __future__ import annotations

from pathlib import Path

import pytest

from looplaw import Study
from looplaw.notebook import html
from modeling import Measurements, Series, fit
from staticana import analyze, canonical, compile_sources


def test_an_analysis(tmp_path: Path) -> None:
    (tmp_path / "a.c").write_text(
        "#include <stdlib.h>\nstatic volatile int s;\nint main(int argc, char **argv) {\n"
        "int n = atoi(argv[1]);\nfor (int i = 0; i < n * n; i++) s++;\nreturn 0; }\n"
    )
    text = html(analyze(canonical(compile_sources([str(tmp_path / "a.c")]))))
    assert "<td>$" in text
    assert "n^{2}" in text
    assert "a.c:5:1" in text


def test_a_study_is_run_kept_and_shown(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    (tmp_path / "a.c").write_text(
        "#include <stdlib.h>\nstatic volatile int s;\nint main(int argc, char **argv) {\n"
        "int n = atoi(argv[1]);\nfor (int i = 0; i < n * n; i++) s++;\nreturn 0; }\n"
    )
    study = Study.run(
        tmp_path / "a.c", vary={"n": [200, 400, 800, 1600]}, out=tmp_path / "out", repetitions=1
    )
    assert [c["iterations"] for c in study.data["loops"][0]["counted"]] == [
        n * n for n in (200, 400, 800, 1600)
    ]
    text = html(study)
    assert "n^{2}" in text
    assert text.count("<svg ") == 1
    assert "90 % interval" in text
    assert "<html" in (tmp_path / "out/report.html").read_text()
    again = Study.load(tmp_path / "out")
    assert html(again) == text
    ((loop, model),) = again.kernels()
    assert model.callpath == loop.at


def test_measurements_are_shown_with_their_plots(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    (tmp_path / "m.csv").write_text(
        "n,callpath,metric,value\n"
        + "".join(f"{n},<b>$x$,time,{n * n}\n" for n in (2, 4, 8, 16, 32))
    )
    study = Study.load(tmp_path / "m.csv")
    for thing in (study, study.models, study.models.models[0]):
        text = html(thing)
        assert text.count("<svg ") == 1
        assert "<b>" not in text
        assert "$x$" not in text


def test_models_and_hostile_names() -> None:
    name = "<script>alert(1)</script> $x$"
    series = Series.from_values(
        name,
        "time",
        ("n",),
        [[n] for n in (2, 4, 8, 16, 32)],
        [float(n * n) for n in (2, 4, 8, 16, 32)],
    )
    models = fit(Measurements((series,)))
    for thing in (models, models.models[0]):
        text = html(thing)
        assert "<script>" not in text
        assert "$x$" not in text
        assert "n^{2}$</td>" in text
