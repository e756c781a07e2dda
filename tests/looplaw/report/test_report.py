"""The report page: complete, self-contained, and inert whatever the data say."""

from __future__ import annotations

import base64
import hashlib
import json
import random
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from statistics import median
from typing import Any

import pytest

from looplaw.documents.study import StudyDocument
from looplaw.laws.study_diff import with_baseline
from looplaw.report.html import render_html
from looplaw.report.measured import measured_study
from looplaw.report.study_tables import study_summary, study_table
from looplaw_common.documents import builtins
from modeling import DataError, Measurements, Series, fit
from modeling.data.observations import Observation
from modeling.data.ranks import by_rank_where_known
from tests.chromium import Browser
from tests.looplaw.report.in_browser import opened
from tests.looplaw.study_example import HOSTILE, example_study, hostile_loop, typed

Json = dict[str, Any]


class Page(HTMLParser):
    """What a browser makes of the file: elements with attributes, and the text of script and style
    elements."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.raw: dict[str, list[str]] = {"script": [], "style": []}
        self._inside = ""
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        self._inside = tag
        if tag in self.raw:
            self.raw[tag].append("")

    def handle_endtag(self, tag: str) -> None:
        self._inside = ""

    def handle_data(self, data: str) -> None:
        if self._inside in self.raw:
            self.raw[self._inside][-1] += data

    @property
    def data(self) -> Json:
        found: Json = json.loads(self.raw["script"][0])
        return found


def unpacked(data: Json, counted: Json) -> list[list[object]]:
    """The counts of a loop as rows again, as page.js has them."""
    places = data["lists"][counted["at"]]

    def column(name: str) -> list[object]:
        values = counted.get(name)
        if isinstance(values, list):
            return values
        return list(counted["iterations"]) if values == "=" else [values] * len(places)

    names = ("iterations", "entries", "predicted", "lower", "upper", "equal")
    return [
        [data["vectors"][place], *row]
        for place, *row in zip(places, *map(column, names), strict=True)
    ]


def strings(value: object) -> Iterator[str]:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield str(key)
            yield from strings(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from strings(inner)
    elif isinstance(value, str):
        yield value


# -- the page
def test_page_loads_nothing_from_outside() -> None:
    page = Page(render_html(typed(example_study(hostile=True))))
    assert not [
        (t, a)
        for t, a in page.elements
        if {"src", "href", "srcset", "action"} & a.keys() - {"href"}
    ]
    assert all(str(a["href"]).startswith("#") for _, a in page.elements if "href" in a)
    assert not {t for t, _ in page.elements} & {
        "link",
        "img",
        "iframe",
        "object",
        "embed",
        "base",
        "form",
    }
    loads = (
        r"https?:|@import|url\((?!#)|\bimport\(|fetch\(|XMLHttpRequest|\beval\(|new"
        r" Function|innerHTML"
    )
    for text in (*page.raw["style"], page.raw["script"][1]):
        assert not re.search(loads, text)


def test_policy_names_the_digests_of_what_may_run() -> None:
    page = Page(render_html(typed(example_study())))
    policy = next(
        a["content"] for t, a in page.elements if a.get("http-equiv") == "Content-Security-Policy"
    )
    for text in (page.raw["style"][0], page.raw["script"][1]):
        assert (
            f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
            in str(policy)
        )
    assert str(policy).startswith("default-src 'none'")


def test_hostile_text_stays_text() -> None:
    text = render_html(typed(example_study(hostile=True)))
    page = Page(text)
    assert len(page.raw["script"]) == 2
    assert text.count("</script>") == 2
    assert "alert(1)" not in page.raw["script"][1]
    assert HOSTILE in set(strings(page.data))
    embedded = page.raw["script"][0]
    assert not set("<>&") & set(embedded)
    assert embedded.isascii()
    assert not any(a.get("onerror") for _, a in page.elements)


def test_every_loop_and_run_is_in_the_page() -> None:
    study = example_study(miscounted=True, hostile=True)
    data = Page(render_html(typed(study))).data
    loops, runs = study["loops"], study["runs"]
    assert isinstance(loops, list)
    assert isinstance(runs, list)
    assert [loop["at"] for loop in data["loops"]] == [loop["at"] for loop in loops]
    assert len(data["runs"]) == len(runs)
    for packed, loop in zip(data["loops"], loops, strict=True):
        rows = [
            [
                p[k]
                for k in ("params", "iterations", "entries", "predicted", "lower", "upper", "equal")
            ]
            for p in loop["counted"]
        ]
        assert repr(unpacked(data, packed["counted"])) == repr(rows)  # so that True is not 1
        for k, point in enumerate(loop["time"] or ()):
            assert packed["time"]["values"][k] == pytest.approx(point["values"], rel=1e-3)


def test_counts_of_one_stay_apart_from_true() -> None:
    study: Json = example_study()
    for point in study["loops"][0]["counted"]:
        point |= {"iterations": 1, "entries": 1, "predicted": 1, "equal": True}
    data = Page(render_html(typed(study))).data
    for row in unpacked(data, data["loops"][0]["counted"]):
        assert row[1:6] == [1, 1, 1, None, None]
        assert row[6] is True


def test_size_stays_below_300_kb_per_100_kernels() -> None:
    study = example_study(copies=17)
    loops = study["loops"]
    assert isinstance(loops, list)
    kernels = sum(loop["time"] is not None for loop in loops)
    assert kernels >= 100
    assert len(loops) >= 200
    assert len(render_html(typed(study)).encode()) < 3000 * kernels


def test_long_integers_and_odd_floats_survive() -> None:
    study: Json = example_study()
    study["loops"][0]["counted"][0] |= {"iterations": 2**70 + 1, "predicted": 2**70 + 1}
    study["runs"][0] |= {"elapsed_s": float("nan"), "stderr": "x" * 100_000 + "the end"}
    data = Page(render_html(typed(study))).data
    assert unpacked(data, data["loops"][0]["counted"])[0][1] == str(2**70 + 1)
    assert data["runs"][0][4] is None
    assert data["runs"][0][6].endswith("the end")
    assert len(data["runs"][0][6]) < 5000


@pytest.mark.parametrize(
    "study", [{}, {"format": "looplaw-study/2"}, {"format": "looplaw-study/1", "loops": 3}]
)
def test_what_is_no_study_is_refused_in_one_line(study: Json) -> None:
    if "loops" in study:
        with pytest.raises(DataError, match="study: loops: expected a list, not 3"):
            study_table(typed(study))
        return
    with pytest.raises(DataError, match="looplaw-study/1") as error:
        render_html(typed(study))
    assert "\n" not in str(error.value)


def test_odd_studies_are_pages_or_refused() -> None:
    study: Json = example_study() | {"title": "\ud800"}
    assert "?" in render_html(typed(study)).encode().decode()
    deep: list[object] = []
    for _ in range(2000):
        deep = [deep]
    with pytest.raises(DataError, match="nested more than"):
        render_html(typed(study | {"about": deep}))


def test_a_study_of_nothing_renders() -> None:
    study = {
        "format": "looplaw-study/1",
        "title": "empty",
        "parameters": [],
        "loops": [],
        "runs": [],
        "functions": [],
        "environment": {},
        "summary": {},
    }
    assert Page(render_html(typed(study))).data["loops"] == []
    assert "0 loops" in study_summary(typed(study))


@pytest.mark.parametrize("options", [{}, {"hostile": True, "miscounted": True}])
def test_page_in_a_browser(browser: Browser, options: Json, tmp_path: Path) -> None:
    study = example_study(**options)
    loops = study["loops"]
    assert isinstance(loops, list)
    document = _opened(browser, study, tmp_path)
    page = Page(document)
    classes = [str(a.get("class") or "").split() for _, a in page.elements]
    assert sum("toggle" in c for c in classes) == len(loops)
    assert (
        sum("plot" in c for c in classes) == 4
    )  # the first screen's, iterations and time of the loop that the address opens, and the map
    assert {"verdict", "card", "facts", "legend", "band", "dash"} <= {
        name for c in classes for name in c
    }
    assert [t for t, _ in page.elements if t in ("script", "img")] == ["script", "script"]
    legends = re.findall(r"<li><svg[^>]*>.*?</svg><span>(.*?)</span></li>", document)
    first = ["90 % interval", "predicted", "measured"]
    loop = ["law", "counted", "90 % interval", "bound: law, scaled", "model", "measured"]
    assert legends == [*first, *loop]
    assert "Own times exclude kernels inside" in document  # some nests call others
    if not options:
        assert all(loop["function"] in document for loop in loops)
        assert "No count contradicts its law, but 1 loop takes more time" in document
        assert "; 2 not settled; " in document


def _opened(browser: Browser, study: Json | StudyDocument, folder: Path) -> str:
    """The document of a page without an error on its console."""
    found = opened(
        browser, render_html(typed(study)), folder, fragment="#loop=kernels/stencil.c:21:3"
    )
    assert not found.log
    return found.document


def _section(document: str, name: str) -> str:
    return document.partition(f'<section id="{name}"')[2].partition("</section>")[0]


def test_two_parameters_and_the_call_tree(browser: Browser, tmp_path: Path) -> None:
    study: Json = example_study()
    study["calls"] = [
        {"caller": "main", "loop": None, "callee": "matmul"},
        {"caller": "matmul", "loop": "kernels/matmul.c:11:5", "callee": "spmv"},
        {"caller": "spmv", "loop": None, "callee": "matmul"},
    ]  # a cycle must end
    document = _opened(browser, study, tmp_path)
    regions = _section(document, "surface")
    assert "which kernel takes longest" in regions
    assert 'class="letter"' in regions
    assert "measured range" in regions
    # at ten times the largest values n**(5/2)*steps (relax) is above n**3 (matmul) where steps are
    # many
    assert "kernels/stencil.c:21:3" in regions.partition('class="regions"')[2]
    tree = re.sub("<[^>]*>", " ", _section(document, "tree"))
    assert (
        tree.index("main()")
        < tree.index("matmul()")
        < tree.index("kernels/matmul.c:11:5")
        < tree.index("spmv()")
    )


def test_comparison_of_two_studies(browser: Browser, tmp_path: Path) -> None:
    before, after = example_study(), example_study()
    loops = after["loops"]
    assert isinstance(loops, list)
    loops[0]["time_model"] = loops[0]["time_model"] | {
        "terms": [{"coefficient": 1e-9, "exponents": {"n": ["4", "0"]}}],
        "formula": "1e-09*n**4",
    }
    loops[1]["total"] = loops[1]["total"] | {"formula": "n**2 + n"}
    document = _section(
        _opened(browser, with_baseline(typed(after), typed(before)), tmp_path), "compared"
    )
    assert "2 loops of 13 changed" in document
    assert "grows faster" in document
    assert "law changed" in document


def test_a_report_of_measurements_alone(browser: Browser, tmp_path: Path) -> None:
    rows = [
        Series.from_values(
            path,
            metric,
            ("n", "p"),
            [(n, p) for n in (64, 128, 256, 512, 1024) for p in (1, 2, 4, 8, 16)],
            [
                [f(n, p), 1.02 * f(n, p)]
                for n in (64, 128, 256, 512, 1024)
                for p in (1, 2, 4, 8, 16)
            ],
        )
        for path, metric, f in (
            ("main->io", "time", lambda n, p: 1e-6 * n * n),
            ("main->solve", "time", lambda n, p: 1e-9 * n**3 / p),
            ("main->solve", "flops", lambda n, p: 2.0 * n**3),
        )
    ]
    measured = Measurements(tuple(rows))
    document = _opened(browser, measured_study(measured, fit(measured), title=HOSTILE), tmp_path)
    assert "What limits it at the target size" in document
    assert "main-&gt;solve [flops]" in document
    assert 'type="range"' in document
    assert "counted" not in _section(document, "loops").lower()
    card = document.partition("What limits it at the target size")[2]
    assert card.index("main-&gt;io [time]") < card.index(
        "main-&gt;solve [time]"
    )  # 105 s against 68 s at n 10240, p 160


def _grid(
    side: int, noise: random.Random
) -> Iterator[tuple[str, str, tuple[tuple[str, float], ...], int, object, float]]:
    """The ranks of a grid: each side on the domain's edge costs a tenth more; a second kernel is
    even."""
    p = (("p", float(side * side)),)
    for rank in range(side * side):
        cells = 100 + 10 * sum(k in (0, side - 1) for k in divmod(rank, side))
        for repetition in (0, 1):
            yield "sweep", "iterations", p, rank, repetition, float(cells)
            yield "sweep", "time", p, rank, repetition, 1e-6 * cells * noise.lognormvariate(0, 0.02)
            yield "pack", "time", p, rank, repetition, 1e-6 * noise.lognormvariate(0, 0.01)


def test_ranks_are_shown_by_class(browser: Browser, tmp_path: Path) -> None:
    noise = random.Random(0)
    rows = [row for side in (3, 4, 5, 6, 8, 20) for row in _grid(side, noise)]
    apart = by_rank_where_known(
        Observation(dict(p), c, m, v, rank, None, k) for c, m, p, rank, k, v in rows
    )
    assert apart is not None
    series = [
        Series.from_values(
            c,
            "time",
            ("p",),
            sorted({p[0][1:] for k, _, p, *_ in rows if k == c}),
            [
                [v for k, m, p, _, _, v in rows if (k, m, p) == (c, "time", (("p", n),))]
                for n in sorted({p[0][1] for k, _, p, *_ in rows if k == c})
            ],
        )
        for c in ("pack", "sweep")
    ]
    measured = Measurements(tuple(series))
    study = measured_study(measured, fit(measured), title="grid", ranked=apart)
    section = builtins(study)["ranks"]
    assert isinstance(section, list)
    assert [k["callpath"] for k in section] == ["sweep", "pack"]  # what waits longest leads
    assert [c["sizes"] for c in section[0]["classes"]] == [
        [1, 4, 9, 16, 36, 324],
        [4, 8, 12, 16, 24, 72],
        [4] * 6,
    ]
    largest = section[0]["experiments"][-1]
    assert largest["imbalance"]["iterations"] == pytest.approx(
        120 * 400 / (100 * 324 + 110 * 72 + 120 * 4)
    )
    assert len(largest["strip"]["ranks"]) <= 256
    times = {
        rank: median(
            [v for c, m, p, r, _, v in rows if (c, m, p[0][1], r) == ("sweep", "time", 400.0, rank)]
        )
        for rank in range(400)
    }
    assert (
        max(times, key=lambda rank: times[rank]) in largest["strip"]["ranks"]
    )  # the slowest is never left out
    document = _opened(browser, study, tmp_path)
    shown = re.sub(r"\s+", " ", re.sub("<[^>]*>", " ", _section(document, "ranks")))
    assert "3 classes of ranks; distinguished by iterations, time" in shown
    assert "from the classes and their sizes" in shown
    assert "ranks, the extremes among them" in shown
    assert _section(document, "ranks").count('class="rank-mark') > 250
    assert "1 of 2 kernels behave alike" in shown


def test_an_idle_rank_took_no_time() -> None:
    params = {"p": 2.0}
    apart = by_rank_where_known(
        [
            Observation(params, "k", metric, value, rank)
            for metric, rank, value in (
                ("iterations", 0, 5.0),
                ("iterations", 1, 0.0),
                ("time", 0, 2.0),
            )
        ]
    )
    assert apart is not None
    assert list(apart.kernels[0].experiments[0].per_rank("time")) == [2.0, 0.0]
    without = [Observation(params, "k", "time", 1.0, rank) for rank in (None, 1)]
    assert by_rank_where_known(without) is None


def test_a_repetition_without_the_time_of_a_rank_is_left_out() -> None:
    """A time that was left out in one repetition, where the other ranks are idle, loses neither
    the kernel nor the other repetitions."""
    params = {"p": 2.0}
    times = {0: 2.0, 2: 4.0}
    counts = [
        Observation(params, "k", "iterations", 5.0 * (rank == 0), rank, None, repetition)
        for repetition in range(3)
        for rank in (0, 1)
    ]
    timed = [Observation(params, "k", "time", t, 0, None, k) for k, t in times.items()]
    apart = by_rank_where_known(counts + timed)
    assert apart is not None
    (experiment,) = apart.kernels[0].experiments
    assert experiment.values["iterations"].tolist() == [[5.0] * 3, [0.0] * 3]
    assert experiment.values["time"].tolist() == [[2.0, 4.0], [0.0, 0.0]]


def test_a_time_that_one_repetition_lacks_is_no_idleness() -> None:
    counts = [
        Observation({"p": 2.0}, "k", "iterations", 5.0, rank, None, repetition)
        for repetition in range(3)
        for rank in (0, 1)
    ]
    times = [
        Observation({"p": 2.0}, "k", "time", 2.0 + repetition, rank, None, repetition)
        for repetition in range(3)
        for rank in (0, 1)
        if (rank, repetition) != (0, 1)
    ]
    apart = by_rank_where_known(counts + times)
    assert apart is not None
    assert apart.kernels[0].experiments[0].values["time"].tolist() == [[2.0, 4.0]] * 2


def test_points_without_time_lose_no_others() -> None:
    """Where a kernel was not called it took no time; where its times were left out, its other
    points are told apart."""
    apart = by_rank_where_known(
        Observation({"p": p}, "k", metric, value, rank)
        for p, values in (
            (1.0, {"iterations": 0.0}),
            (2.0, {"iterations": 5.0, "time": 2.0}),
            (4.0, {"iterations": 5.0}),
        )
        for rank in range(int(p))
        for metric, value in values.items()
    )
    assert apart is not None
    (kernel,) = apart.kernels
    assert [e.point for e in kernel.experiments] == [(1.0,), (2.0,)]
    assert [list(e.per_rank("time")) for e in kernel.experiments] == [[0.0], [2.0, 2.0]]


def test_what_limits_a_program_is_not_the_loop_around_it(browser: Browser, tmp_path: Path) -> None:
    study: Json = example_study()
    timed = [loop for loop in study["loops"] if loop["time_model"]]
    outer, inner = (
        timed[0],
        next(loop for loop in timed[1:] if loop["function"] != timed[0]["function"]),
    )
    for loop, factor in (
        (outer, 1.01),
        (inner, 1.0),
    ):  # the outer nest does nothing but call the inner one's function
        loop["time_model"] = inner["time_model"] | {
            "terms": [
                t | {"coefficient": t["coefficient"] * factor} for t in inner["time_model"]["terms"]
            ]
        }
    study["loops"] = [outer, inner]
    study["calls"] = [
        {"caller": outer["function"], "loop": outer["at"], "callee": inner["function"]}
    ]
    card = (
        _opened(browser, study, tmp_path)
        .partition("What limits it at the target size</h3>")[2]
        .partition("</h3>")[0]
    )
    assert card.index(inner["at"]) < card.index(outer["at"])
    study["calls"].append(
        {"caller": "main", "loop": None, "callee": inner["function"]}
    )  # now others call it too, and who pays how much is not known
    card = (
        _opened(browser, study, tmp_path)
        .partition("What limits it at the target size</h3>")[2]
        .partition("</h3>")[0]
    )
    assert card.index(inner["at"]) < card.index(outer["at"])


def test_a_thousand_kernels_open_at_once(browser: Browser, tmp_path: Path) -> None:
    study: Json = example_study(copies=77)
    assert len(study["loops"]) > 1000
    assert len(render_html(typed(study))) < 3_000_000
    page = render_html(typed(study))
    found = opened(
        browser, page, tmp_path, "document.title = document.querySelectorAll('.toggle').length"
    )
    assert 20 <= int(found.said) <= 100  # what fills a screen is there first
    assert found.document.count('class="toggle"') == len(study["loops"])
    assert not found.log


@pytest.mark.parametrize(
    ("change", "part"),
    [
        ({"parameters": {}, "program": "x"}, "study: program: expected a list, not 'x'"),
        ({"summary": 3}, "study: summary: expected an object, not 3"),
        ({"environment": []}, "study: environment: expected an object, not a list of 0"),
        ({"loops": [{"at": "f", "total": {"kind": "exac"}}]}, "study: loops[0].total.kind: "),
    ],
)
def test_a_changed_study_is_refused(change: Json, part: str) -> None:
    with pytest.raises(DataError, match=re.escape(part)):
        typed(example_study() | change)


def test_hostile_loop_is_hostile() -> None:
    assert "</script>" in str(hostile_loop()["source"])
