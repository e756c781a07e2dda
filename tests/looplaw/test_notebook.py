"""Notebook displays: typeset formulas, and data that stay data."""

from __future__ import annotations

from pathlib import Path

from looplaw.notebook import html
from modeling import Measurements, Series, fit
from staticana import analyze, canonical, compile_sources


def test_an_analysis(tmp_path: Path) -> None:
    (tmp_path / "a.c").write_text("#include <stdlib.h>\nstatic volatile int s;\nint main(int argc, char **argv) {\n"
                                  "int n = atoi(argv[1]);\nfor (int i = 0; i < n * n; i++) s++;\nreturn 0; }\n")
    text = html(analyze(canonical(compile_sources([str(tmp_path / "a.c")]))))
    assert "<td>$" in text
    assert "{n}^{2}" in text
    assert "a.c:5:1" in text


def test_models_and_hostile_names() -> None:
    name = "<script>alert(1)</script> $x$"
    series = Series.from_values(name, "time", ("n",), [[n] for n in (2, 4, 8, 16, 32)], [float(n * n) for n in (2, 4, 8, 16, 32)])
    models = fit(Measurements((series,)))
    for thing in (models, models.models[0]):
        text = html(thing)
        assert "<script>" not in text
        assert "$x$" not in text
        assert "{n}^{2}$</td>" in text
