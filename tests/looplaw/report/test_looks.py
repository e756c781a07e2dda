"""Every page of ours as people have it: light and dark, on a desktop and on a phone, with mouse and
keyboard; nothing on the console, nothing wider than the screen, nothing serious for axe-core.

Needs Chromium; the rules of axe-core need the package axe-core-python. Skips without them.
LOOPLAW_SCREENSHOTS names a folder that keeps the pictures.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import zlib
from functools import cache
from pathlib import Path

import msgspec
import pytest

from looplaw.history.changes import lines_of
from looplaw.history.page import page as history_page
from looplaw.history.records import Measured, Record
from looplaw.laws.answer import answer
from looplaw.laws.settle import with_remedies
from looplaw.report.html import render_html
from looplaw.report.measured import measured_study
from modeling import Measurements, Series, fit
from tests.chromium import Browser, axe
from tests.looplaw.study_example import example_study, typed
from tests.places import ROOT

DESKTOP, PHONE = (1300, 1000), (390, 844)
VIEWS = [(size, dark) for size in (DESKTOP, PHONE) for dark in (False, True)]
NAMES = ["desktop-light", "desktop-dark", "phone-light", "phone-dark"]
_FEWEST_COLOURS = 8


@cache
def report() -> str:
    study = msgspec.structs.replace(
        typed(example_study(miscounted=True)), options=("--args", "{n} {steps}"), cost_per_hour=3.0
    )
    return render_html(with_remedies(answer(study), None).study)


@cache
def fit_page() -> str:
    points = [(float(n),) for n in (64, 128, 256, 512, 1024)]
    series = [
        Series.from_values(name, "time", ("n",), points, [f(n) for (n,) in points])
        for name, f in (("main->sort", lambda n: 1e-6 * n), ("main->solve", lambda n: 1e-9 * n**3))
    ]
    measured = Measurements(tuple(series))
    study = measured_study(measured, fit(measured), title="bench.json")
    return render_html(msgspec.structs.replace(study, cost_per_hour=3.0))


def history() -> str:
    records = [
        Record(
            commit=f"{k:07x}",
            subject=f"Change {k}",
            date=1_700_000_000 + 86_400 * k,
            kernel="solve",
            metric="time",
            formula="n" if k < 5 else "n**2",
            identifiable=True,
            values=tuple(Measured({"n": n}, 1e-6 * n ** (1 + (k >= 5))) for n in (64, 1024)),
        )
        for k in range(10)
    ]
    return history_page(lines_of(records))


PAGES = {"report": report, "fit": fit_page, "history": history}


def looked_at(browser: Browser, name: str) -> None:
    """What holds for every page: something is drawn, nothing is too wide, nothing complained."""
    picture = browser.screenshot()
    if folder := os.environ.get("LOOPLAW_SCREENSHOTS"):
        (Path(folder) / f"{name}.png").write_bytes(picture)
    assert len(set(pixels(picture))) >= _FEWEST_COLOURS
    assert not browser.is_too_wide
    assert browser.complaints == []
    assert not browser.run("/\\b(NaN|undefined|null)\\b/.test(document.body.innerText)")


def pixels(picture: bytes) -> bytes:
    """The bytes of a PNG's picture, still filtered: an empty page has hardly any different ones."""
    data, place = b"", 8
    while place < len(picture):
        size = int.from_bytes(picture[place : place + 4])
        if picture[place + 4 : place + 8] == b"IDAT":
            data += picture[place + 8 : place + 8 + size]
        place += size + 12
    return zlib.decompress(data)


@pytest.mark.parametrize(("size", "dark"), VIEWS, ids=NAMES)
@pytest.mark.parametrize("name", PAGES)
def test_a_page_on_every_screen(
    name: str, size: tuple[int, int], dark: bool, browser: Browser, tmp_path: Path
) -> None:
    (tmp_path / "page.html").write_text(PAGES[name](), encoding="utf-8")
    browser.open(tmp_path / "page.html", size=size, dark=dark)
    looked_at(browser, f"{name}-{NAMES[VIEWS.index((size, dark))]}")
    ground = browser.run("getComputedStyle(document.body).backgroundColor")
    assert (sum(map(int, ground[4:-1].split(","))) < 200) is dark


@pytest.mark.slow
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("name", PAGES)
def test_axe_finds_nothing_serious(name: str, dark: bool, browser: Browser, tmp_path: Path) -> None:
    axe()
    (tmp_path / "page.html").write_text(PAGES[name](), encoding="utf-8")
    browser.open(tmp_path / "page.html", size=DESKTOP, dark=dark)
    browser.run("document.querySelector('.toggle')?.click()")
    assert browser.serious() == []


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_the_report_by_mouse_and_keyboard(
    size: tuple[int, int], browser: Browser, tmp_path: Path
) -> None:
    (tmp_path / "page.html").write_text(report(), encoding="utf-8")
    browser.open(tmp_path / "page.html", size=size, dark=False)
    browser.key("Tab")
    assert browser.run("document.activeElement.className") == "skip"
    said = browser.run("document.querySelector('.limit').textContent")
    browser.run("document.querySelector('[type=range]').focus()")
    for _ in range(5):
        browser.key("ArrowRight")
    assert browser.run("document.querySelector('.limit').textContent") != said
    assert "A run costs" in browser.run("document.querySelector('.cost').textContent")
    browser.run("document.querySelectorAll('.toggle')[6].focus()")
    browser.key("Enter")
    details = browser.run("document.querySelector('tr.detail').textContent")
    assert "To settle it" in details
    assert "looplaw study" in details
    browser.key("Space")
    assert browser.run("document.querySelector('tr.detail').hidden") is True
    browser.click(".flame button")
    assert browser.run("document.activeElement.className") == "toggle"
    browser.click("[data-verdict=obeys]")
    shown = "[...document.querySelectorAll('tr.row[data-k]')].filter((r) => !r.hidden).length"
    assert browser.run(shown) == 6
    browser.run("document.querySelectorAll('.sort')[2].click()")
    browser.click("#theme")
    assert browser.run("document.documentElement.dataset.theme") == "light"
    browser.click("#theme")
    assert browser.run("document.documentElement.dataset.theme") == "dark"
    assert browser.complaints == []
    assert not browser.is_too_wide
    browser.run("try { localStorage.clear() } catch { }")


@pytest.mark.slow
def test_the_documentation_on_every_screen(browser: Browser, tmp_path: Path) -> None:
    """The site as `make docs` builds it; search and fonts of the theme are not ours."""
    built = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--quiet", "--site-dir", str(tmp_path)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    if "No module named mkdocs" in built.stderr:
        pytest.skip("mkdocs is not installed")
    assert built.returncode == 0, built.stderr
    pages = sorted(tmp_path.glob("**/index.html"))
    assert len(pages) > 20
    found: dict[str, list[str]] = {}
    for file in pages:
        for view, (size, dark) in zip(NAMES, VIEWS, strict=True):
            browser.open(file, size=size, dark=dark)
            name = f"{file.parent.name}-{view}"
            said = [c for c in browser.complaints if "file://" not in c and "CORS" not in c]
            if size == DESKTOP:
                said += browser.serious()
            if browser.is_too_wide:
                said.append("too wide")
            if said:
                found[name] = said
    assert found == {}, json.dumps(found, indent=1)
