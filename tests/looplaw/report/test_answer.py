"""The answer of a study in a terminal: what limits a run, the kernels that take its time, and what
would tell more; shares, paths and lines as a reader needs them."""

from __future__ import annotations

import random
import re
from dataclasses import replace
from functools import lru_cache
from typing import Any

import msgspec
import pytest

from looplaw.documents.count import CountDocument
from looplaw.documents.study import (
    CallDocument,
    CountedDocument,
    StudyDocument,
    StudyLoop,
    TimesDocument,
)
from looplaw.laws.answer import Answer, answer, standing
from looplaw.laws.own_time import callers_of, only_inside, own_seconds, own_shares
from looplaw.report.answer_text import Shown, answer_text
from looplaw.report.places import short_places
from looplaw_common.errors import InputError
from tests.looplaw.study_example import example_study, typed

Json = dict[str, Any]


@lru_cache
def found(*, hostile: bool = False, miscounted: bool = False) -> Answer:
    return answer(typed(example_study(hostile=hostile, miscounted=miscounted)), None, "out")


def masked(line: str) -> str:
    """Cells apart by two blanks, shares and what an iteration costs as N."""
    cells = re.split(r" {2,}", line.strip())
    return "  ".join(re.sub(r"^\d+(?:\.\d+)?(?= %|$)", "N", cell) for cell in cells)


def test_the_answer_comes_first_and_fits_a_terminal() -> None:
    text = answer_text(found())
    head, table, rest, *more = text.split("\n\n")
    assert re.fullmatch(
        r"At n = 1024, steps = 160, matmul \(matmul.c:10\) takes \d+ % of the time; what limits it"
        r" is not known: no law of its time was found. Expect \S+ s"
        r" \(\S+ s to \S+ s in 9 of 10 cases; sure\). Measured up to n = 256, steps = 40.",
        " ".join(head.split()),
    )
    lines = [masked(line) for line in table.splitlines() if "─" not in line]
    assert lines[0].split() == ["kernel", "share", "law", "ns/iter", "count", "time"]
    assert [line.split("  ") for line in lines[1:]] == [
        ["matmul.c:10", "N %", "n**3", "N", "proved", "obeys"],
        ["stencil.c:21", "N %", "steps*(n - 2)**2", "N", "proved", "exceeds"],
    ]
    assert " ".join(rest.split()).startswith(
        "4 more kernels together take <1 % of the time; --all shows every loop."
        " stencil.c:21 exceeds: time grows as n**(5/2)*steps, the law says n**2*steps"
    )
    assert "To know more, measure n = 1024, steps = 160 (about " in " ".join(more[0].split())


@pytest.mark.parametrize("width", [40, 60, 80, 120, 200])
@pytest.mark.parametrize("shown", [Shown(), Shown(every=True), Shown(pattern="*", order="ns")])
def test_no_line_is_wider_than_the_terminal_and_a_loop_takes_one(width: int, shown: Shown) -> None:
    text = answer_text(found(hostile=True, miscounted=True), shown, width=width)
    assert max(map(len, text.splitlines())) <= width
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028]", text)
    if shown.every and width >= 60:
        _, table, *_ = text.split("\n\n")
        rows = [line for line in table.splitlines() if re.search(r"\.c:\d+", line)]
        assert len(rows) == len(found(hostile=True, miscounted=True).study.loops)


def rows(shown: Shown) -> list[str]:
    text = answer_text(found(miscounted=True), shown, width=120)
    return re.findall(r"^(\w+\.c:\d+)  ", text, re.MULTILINE)


def test_what_is_shown_can_be_chosen() -> None:
    assert rows(Shown(top=3))[:2] == ["matmul.c:10", "stencil.c:21"]
    assert len(rows(Shown(top=3))) == 3
    assert rows(Shown(every=True))[:4] == [
        "matmul.c:10",
        "matmul.c:11",
        "matmul.c:12",
        "stencil.c:21",
    ]
    assert rows(Shown(every=True, order="verdict"))[0] == "wrong.c:7"
    assert rows(Shown(every=True, order="iterations"))[0] == "matmul.c:12"
    assert rows(Shown(pattern="stencil.c*")) == ["stencil.c:21", "stencil.c:22", "stencil.c:23"]
    assert rows(Shown(pattern="exceeds")) == ["stencil.c:21"]
    assert rows(Shown(pattern="matmul", top=1)) == ["matmul.c:10"]
    assert "No loop matches nothing.c" in answer_text(found(), Shown(pattern="nothing.c"))


def test_what_breaks_its_law_is_never_left_out() -> None:
    text = answer_text(found(miscounted=True), Shown(top=1))
    assert "wrong.c:7 miscounted: counted 65 where 64 were predicted" in text


def test_a_loop_that_was_not_checked_is_open() -> None:
    assert standing(StudyLoop("a.c:1:1")) == "open"
    assert standing(StudyLoop("a.c:1:1", obeys="yes", verdict="obeys")) == "proved"
    half = StudyLoop(
        "a.c:1:1",
        obeys="yes",
        total=CountDocument("exact", "n"),
        counted=(
            CountedDocument({"n": 1}, 1, predicted=1, equal=True),
            CountedDocument({"n": 2}, 9),
        ),
    )
    assert standing(half) == "partly"  # the run at 2 broke what the formula assumes
    assert standing(StudyLoop("a.c:1:1", obeys="no", verdict="miscounted")) == "broken"
    assert standing(StudyLoop("a.c:1:1", obeys="bounded", verdict="bounded")) == "agrees"
    assert standing(StudyLoop("a.c:1:1", verdict="modeled")) == "open"


def test_the_target_is_four_times_what_was_measured_or_what_was_asked_for() -> None:
    study = typed(example_study())
    assert answer(study).at == {"n": 4 * 256, "steps": 4 * 40}
    asked = msgspec.structs.replace(study, target={"n": 300})
    assert answer(asked).at == {"n": 300, "steps": 160}
    assert answer(asked, {"n": 500.0}).at["n"] == 500
    with pytest.raises(InputError, match="--at m: the study varied n, steps"):
        answer(study, {"m": 1.0})


def test_a_study_without_times_says_so() -> None:
    study = typed(example_study())
    bare = msgspec.structs.replace(
        study,
        loops=tuple(
            msgspec.structs.replace(loop, time_model=None, time=None) for loop in study.loops
        ),
    )
    text = answer_text(answer(bare))
    assert "The time of a run cannot be predicted: no loop ran long enough" in " ".join(
        text.split()
    )
    assert "matmul.c:10" in text
    failed = msgspec.structs.replace(
        bare, runs=tuple(msgspec.structs.replace(r, status="timeout") for r in study.runs)
    )
    assert "no run succeeded" in answer_text(answer(failed))


def test_a_command_is_broken_only_where_a_shell_reads_on() -> None:
    study = msgspec.structs.replace(typed(example_study()), options=("--args", "{n} {steps}"))
    made = answer(study, None, "out")
    assert made.next is not None
    assert made.next.command is not None
    long = replace(made, next=replace(made.next, command=made.next.command + " --flag=-DX=1" * 20))
    text = answer_text(long)
    assert long.next is not None
    pasted = text[text.index("  looplaw study") :].replace("\\\n", " ")
    assert " ".join(pasted.split()).startswith(str(long.next.command))


# -- places
def test_places_are_as_short_as_they_can_be_told_apart() -> None:
    every = ["src/a/io.c:3:1", "src/b/io.c:3:1", "src/b/main.c:9:5", "src/b/main.c:9:20", "odd"]
    assert short_places(every) == {
        "src/a/io.c:3:1": "a/io.c:3",
        "src/b/io.c:3:1": "b/io.c:3",
        "src/b/main.c:9:5": "main.c:9:5",
        "src/b/main.c:9:20": "main.c:9:20",
        "odd": "odd",
    }


def test_no_two_places_get_one_name() -> None:
    rng = random.Random(7)
    for _ in range(200):
        folders = ["/".join(rng.choices("ab", k=rng.randint(0, 3))) for _ in range(6)]
        files = {f"{folder}/x.c".lstrip("/") for folder in folders} | {"/a/x.c"}
        every = [f"{f}:{rng.randint(1, 3)}:{rng.randint(1, 3)}" for f in files for _ in range(3)]
        short = short_places(every)
        assert len(set(short.values())) == len(set(every))
        assert all(at.split(":")[0].endswith(name.split(":")[0]) for at, name in short.items())


# -- own time
def calls(*edges: tuple[str, str | None, str]) -> StudyDocument:
    loops = [StudyLoop(f"{f}.c:1", f, kernel=f"{f}.c:1") for f in ("main", "f", "g", "h")]
    return StudyDocument(
        loops=tuple(loops), calls=tuple(CallDocument(a, at, b) for a, at, b in edges)
    )


TIMED = ("main.c:1", "f.c:1", "g.c:1", "h.c:1")


def test_a_kernel_called_from_one_other_alone_is_part_of_it() -> None:
    study = calls(("main", "main.c:1", "f"), ("f", "f.c:1", "g"), ("f", None, "h"))
    callers = callers_of(study, TIMED)
    inside = {"main.c:1": ("f.c:1", "h.c:1"), "f.c:1": ("g.c:1",), "g.c:1": (), "h.c:1": ()}
    assert only_inside(callers) == inside
    seconds = {"main.c:1": 10.0, "f.c:1": 6.0, "g.c:1": 5.0, "h.c:1": 3.0}
    assert own_seconds(callers, seconds) == {"main.c:1": 1, "f.c:1": 1, "g.c:1": 5, "h.c:1": 3}


def test_a_kernel_that_others_call_too_is_part_of_none() -> None:
    both = calls(("main", "main.c:1", "f"), ("main", "main.c:1", "g"), ("f", "f.c:1", "g"))
    assert only_inside(callers_of(both, TIMED))["f.c:1"] == ()
    outside = calls(("main", "main.c:1", "f"), ("main", None, "f"))
    assert only_inside(callers_of(outside, TIMED))["main.c:1"] == ()


def test_what_runs_inside_is_known_for_calls_by_pointer_too() -> None:
    """`inner` has what a call by a pointer reaches, the calls of functions have not."""
    study = calls(("main", "main.c:1", "f"))
    loops = tuple(
        msgspec.structs.replace(loop, inner=("g.c:1",)) if loop.at == "f.c:1" else loop
        for loop in study.loops
    )
    callers = callers_of(msgspec.structs.replace(study, loops=loops), TIMED)
    assert callers["g.c:1"] == ("f.c:1",)
    assert callers["f.c:1"] == ("main.c:1",)


def test_a_kernel_that_two_call_is_taken_from_both() -> None:
    study = calls(("main", "main.c:1", "h"), ("f", "f.c:1", "h"), ("g", "g.c:1", "h"))
    callers = callers_of(study, ("f.c:1", "g.c:1", "h.c:1"))
    seconds = {"f.c:1": 6.0, "g.c:1": 4.0, "h.c:1": 8.0}
    own = own_seconds(callers, seconds, most=10.0)
    assert own == {k: pytest.approx(v) for k, v in {"f.c:1": 1.2, "g.c:1": 0.8}.items()} | {
        "h.c:1": 8.0
    }


def test_own_times_are_never_more_than_the_run() -> None:
    rng = random.Random(3)
    names = ("main", "f", "g", "h")
    for _ in range(300):
        edges = [
            (a, rng.choice((None, f"{a}.c:1")), b)
            for a, b in ((rng.choice(names), rng.choice(names)) for _ in range(5))
        ]
        callers = callers_of(calls(*edges), TIMED)
        seconds = {at: rng.lognormvariate(0, 2) for at in TIMED}
        most = rng.uniform(0.5, 1) * sum(seconds.values())
        own = own_seconds(callers, seconds, rest=rng.random(), most=most)
        assert min(own.values()) >= 0
        assert sum(own.values()) <= most * (1 + 1e-9)


def test_functions_that_call_each_other_end() -> None:
    study = calls(("main", None, "f"), ("f", "f.c:1", "g"), ("g", None, "f"), ("g", "g.c:1", "h"))
    inside = only_inside(callers_of(study, TIMED))
    assert set(inside) == set(TIMED)
    assert inside["g.c:1"] == ("h.c:1",)


def test_without_a_law_the_measured_share_says_what_is_a_kernels_own() -> None:
    study = calls(("main", "main.c:1", "f"))
    rows = {"main.c:1": ((8, 4.0), (16, 10.0)), "f.c:1": ((8, 1.0), (16, 9.0))}
    timed = msgspec.structs.replace(
        study,
        loops=tuple(
            msgspec.structs.replace(
                loop, time=tuple(TimesDocument({"n": n}, (s,)) for n, s in rows.get(loop.at, ()))
            )
            for loop in study.loops
        ),
    )
    callers = callers_of(timed, TIMED)
    shares = own_shares(timed, only_inside(callers))
    assert shares == {"main.c:1": pytest.approx(0.1)}
    far = own_seconds(callers, {"main.c:1": 500.0, "f.c:1": 100.0}, shares)
    assert far == {"main.c:1": pytest.approx(50.0), "f.c:1": 100.0}


@pytest.mark.parametrize(
    ("runs", "points", "told"),
    [
        (0, 0, ""),
        (1, 0, ""),
        (30, 0, "30 of N runs waited for a processor that other programs had: their times are left"
         " out."),
        (30, 2, "30 of N runs waited for a processor that other programs had: their times are left"
         " out, except at 2 of N points where every run waited."),
        (999, 999, "999 of N runs waited for a processor that other programs had: their times are"
         " too long; measure on an idle machine."),
    ],
)  # fmt: skip
def test_times_of_a_busy_machine_are_told(runs: int, points: int, told: str) -> None:
    study = found().study
    every = len({tuple(r.params.items()) for r in study.runs if r.status == "ok"})
    busy = msgspec.structs.replace(
        study.summary, disturbed_runs=runs, disturbed_points=every if points == 999 else points
    )
    shown = answer_text(replace(found(), study=msgspec.structs.replace(study, summary=busy)))
    words = " ".join(shown.split()).partition(" failed")[2].partition(".")[2].strip()
    words = words.replace(f"of {len(study.runs)} runs", "of N runs")
    assert words.replace(f"of {every} points", "of N points") == told
