"""The page answers as the terminal does: the same kernels, shares, limits and times at the target,
and at any other size that its sliders are moved to."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest

from looplaw.documents.study import CallDocument, LoopLaw, StudyDocument
from looplaw.laws.answer import Answer, answer
from looplaw.report.answer_text import sentences
from looplaw.report.assets import lean_script
from looplaw.report.html import render_html
from tests.chromium import Browser
from tests.looplaw.report.in_browser import opened
from tests.looplaw.study_example import example_study, typed

_READ = """
const text = (s) => [...document.querySelectorAll(s)].map((e) => e.textContent);
const rows = [...document.querySelectorAll("#overview table tbody tr")];
const titles = (bar) => [...bar.children].map((e) => e.title);
const bars = [...document.querySelectorAll(".flame")].map(titles);
document.title = JSON.stringify({ said: text(".limit")[0], cost: text(".cost")[0] ?? "", bars,
  rows: rows.map((r) => [...r.cells].map((c) => c.textContent)), verdict: text(".verdict")[0] });
"""
_MOVE = """
for (const [name, value] of Object.entries(%s)) {
  const input = document.querySelector(`[aria-label="Value of ${name}"]`);
  input.value = String(value);
  input.dispatchEvent(new Event("input"));
}
"""


def shown(
    browser: Browser, study: StudyDocument, folder: Path, at: Mapping[str, float] | None = None
) -> Any:
    script = (_MOVE % json.dumps(dict(at or {}))) + _READ
    page = opened(browser, render_html(study), folder, script)
    assert not page.log
    return json.loads(page.said)


def example() -> StudyDocument:
    """Kernels that enter each other, one of them from two places; and what an hour costs."""
    study = typed(example_study())
    calls = (
        CallDocument("matmul", "kernels/matmul.c:11:5", "spmv"),
        CallDocument("relax", "kernels/stencil.c:22:5", "spmv"),
        CallDocument("relax", "kernels/stencil.c:22:5", "solve"),
        CallDocument("main", None, "matmul"),
        CallDocument("main", None, "relax"),
    )
    return msgspec.structs.replace(
        study, calls=calls, cost_per_hour=3.6e6, environment={**study.environment, "cores": 4}
    )


def seconds(text: str) -> float:
    number, unit = text.split()
    factor = {"h": 3600, "min": 60, "s": 1, "ms": 1e-3, "µs": 1e-6, "us": 1e-6, "ns": 1e-9}
    return float(number) * factor[unit]


def agrees(page: Any, found: Answer) -> None:
    assert found.time is not None
    for row, kernel in zip(page["rows"], found.kernels, strict=False):
        assert row[0] == f"{kernel.loop.at} in {kernel.loop.function}"
        assert kernel.time is not None
        assert kernel.share is not None
        share = re.sub("\u00a0", " ", row[3])
        if kernel.share < 0.009:
            assert share == "< 1 %"
        elif kernel.share > 0.02:
            assert int(share.split()[0]) == pytest.approx(100 * kernel.share, abs=0.6)
        assert seconds(row[4]) == pytest.approx(kernel.time.own, rel=2e-2)
        if kernel.ns:
            assert float(row[5]) == pytest.approx(kernel.ns, rel=0.06)


def test_the_page_names_the_kernels_of_the_terminal(browser: Browser, tmp_path: Path) -> None:
    study = example()
    found = answer(study)
    page = shown(browser, study, tmp_path)
    assert page["said"] == sentences(replace(found, cost=None))
    agrees(page, found)
    measured, foretold = page["bars"]
    assert measured[0].startswith("kernels/matmul.c:10:3: ")
    assert foretold[0].startswith("kernels/matmul.c:10:3: ")
    assert page["cost"].endswith("node-hours on 1 node")


def test_the_page_says_what_the_terminal_says_elsewhere(browser: Browser, tmp_path: Path) -> None:
    study, at = example(), {"n": 200, "steps": 900}
    found = answer(study, at)
    page = shown(browser, study, tmp_path, at)
    agrees(page, found)
    assert found.time is not None
    said = re.search(r"Expect (\S+ \S+) \((\S+ \S+) to (\S+ \S+) in 9 of 10", page["said"])
    assert said is not None
    assert seconds(said[1]) == pytest.approx(found.time.seconds, rel=1e-2)
    assert seconds(said[2]) == pytest.approx(found.time.low, rel=3e-2)
    assert seconds(said[3]) == pytest.approx(found.time.high, rel=5e-2)
    assert page["said"].startswith("At n = 200, steps = 900, ")
    assert found.cost is not None
    told = re.match(r"A run costs ([\d.e+]+): ", page["cost"])
    assert told is not None
    assert float(told[1]) == pytest.approx(found.cost.price, rel=1e-2)


_COPY = """
const data = new DataTransfer(), range = document.createRange();
range.selectNodeContents(document.querySelector("#loop-table tbody"));
getSelection().removeAllRanges();
getSelection().addRange(range);
document.dispatchEvent(new ClipboardEvent("copy", { clipboardData: data }));
document.title = JSON.stringify(data.getData("text/plain"));
"""


def test_formulas_are_copied_as_they_are_written(browser: Browser, tmp_path: Path) -> None:
    copied = json.loads(opened(browser, render_html(example()), tmp_path, _COPY).said)
    first = copied.split("\n")[0].split("\t")
    assert first[:3] == ["kernels/matmul.c:10:3", "matmul", "n"]
    assert "*n**3" in first[5]


_PLOT = """
setTimeout(() => {
  const plot = document.querySelector(".card.whole .plots figure");
  document.title = JSON.stringify([plot.querySelector("figcaption").textContent, plot.textContent]);
}, 0);
"""


def test_the_first_card_shows_the_time_over_the_size(browser: Browser, tmp_path: Path) -> None:
    page = opened(browser, render_html(example()), tmp_path, "later(() => {" + _PLOT + "});")
    title, words = json.loads(page.said)
    assert title == "Time over n"
    assert all(word in words for word in ("predicted", "measured", "90 % interval"))


def test_a_model_of_counts_is_shown_as_one_and_many_files_as_two(
    browser: Browser, tmp_path: Path
) -> None:
    study = typed(example_study())
    files = tuple(f"src/{name}.c" for name in "abcdef")
    made = msgspec.structs.replace(
        study, program=files, title=", ".join(f"{name}.c" for name in "abcdef"), about=""
    )
    page = opened(browser, render_html(made), tmp_path, _READ)
    rows = json.loads(page.said)["rows"]
    assert any(row[1].startswith("≈ ") for row in rows)
    assert not any("not" in row[1] for row in rows)
    assert '<h1 id="title">a.c and 5 more files</h1>' in page.document
    assert "src/a.c and 5 more files · " in page.document


def test_iterations_are_known_where_the_law_has_a_bound_unknown(
    browser: Browser, tmp_path: Path
) -> None:
    """What is shown of a proved law may name what runs bound; its law in the parameters counts."""
    study = typed(example_study())
    loops = tuple(
        msgspec.structs.replace(
            loop,
            law=LoopLaw("n**3", "exact"),
            display="k*n**2",
            total=None
            if loop.total is None
            else msgspec.structs.replace(loop.total, formula="k*n**2"),
        )
        if loop.at == "kernels/matmul.c:12:7"
        else loop
        for loop in study.loops
    )
    study = msgspec.structs.replace(study, loops=loops)
    page = shown(browser, study, tmp_path)
    ns = answer(study).kernels[0].ns
    assert ns is not None
    assert float(page["rows"][0][5]) == pytest.approx(ns, rel=0.06)
    assert page["rows"][0][1].startswith("k")


def test_scripts_lose_blanks_and_nothing_else() -> None:
    text = (
        'const f = (a, b) => a ? `x ${ a === 1 ? `in ${ b } , ` : " , " } y` : b + +a / 2;\n'
        r"const g = /a , [/ ] \/ =/.test(' = ') && x - -1;"
    )
    assert lean_script(text) == (
        'const f=(a,b)=>a?`x ${ a === 1 ? `in ${ b } , ` : " , " } y`:b + +a / 2;\n'
        r"const g= /a , [/ ] \/ =/.test(' = ')&&x - -1;"
    )
