"""A sample of the programs that deceive, and of the inputs that are no programs: what `make fuzz`
and `make fuzz-robust` do by the thousand."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from staticana import find_compiler
from tests.fuzz import robust
from tests.fuzz.__main__ import main
from tests.fuzz.deceive import batches, draw, judge
from tests.fuzz.families import FAMILIES, OPENMP, Program
from tests.fuzz.tally import Stretches, Tally
from tests.staticana.frontend.test_openmp import missing_openmp

pytestmark = pytest.mark.usefixtures("as_users_have_it")

_SEED = 15


def _judged(programs: list[Program]) -> list[str]:
    compiler = find_compiler()
    return [
        f"{j.program.family} {j.program.name}: {f.wrong}"
        for some in batches(programs)
        for j in judge(some, [compiler])
        for f in j.wrong
    ]


def _sample(number: int, *, is_cxx: bool) -> list[Program]:
    """Programs of one language that share a file."""
    drawn = draw(range(6 * number), _SEED)
    usual = (p for p in drawn if not (p.alone or p.standard or p.flags))
    return [p for p in usual if p.is_cxx == is_cxx][:number]


def test_no_count_of_a_sample_in_c_is_wrong() -> None:
    assert _judged(_sample(16, is_cxx=False)) == []


@pytest.mark.skipif(find_compiler().kind == "zig", reason="the twin counts what is thrown")
def test_no_count_of_a_sample_in_cxx_is_wrong() -> None:
    assert _judged(_sample(10, is_cxx=True)) == []


def test_no_count_of_parallel_programs_is_wrong() -> None:
    reason = missing_openmp()
    if reason:
        pytest.skip(reason)
    assert _judged(draw(range(6), _SEED, ["openmp"])) == []


@pytest.mark.slow
@pytest.mark.skipif(find_compiler().kind == "zig", reason="the twin counts what is thrown")
@pytest.mark.parametrize("family", FAMILIES)
def test_no_count_of_a_family_is_wrong(family: str) -> None:
    reason = missing_openmp() if FAMILIES[family].flags == OPENMP else None
    if reason:
        pytest.skip(reason)
    number = list(FAMILIES).index(family)
    programs = draw(range(number, number + 8 * len(FAMILIES), len(FAMILIES)), _SEED + 1)
    assert {p.family for p in programs} == {family}
    able = [p for p in programs if not p.standard or find_compiler().version[0] >= 22]
    assert _judged(able) == []


def test_a_hunt_goes_on_where_it_stopped(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "hunt.json"
    words = ["--number", "3", "--seed", "5", "--families", "loops", "--json", str(path)]
    assert main(words) == 0
    first, printed = path.read_text(), capsys.readouterr()
    assert "0 to 3:" in printed.err
    assert main(words) == 0
    again = capsys.readouterr()
    assert again.out == printed.out
    assert again.err == ""
    assert path.read_text() == first
    with pytest.raises(SystemExit, match="other settings"):
        main([*words[:3], "6", *words[4:]])


def test_stretches_with_wrong_counts_are_judged_again(tmp_path: Path) -> None:
    path = tmp_path / "hunt.json"
    right, wrong = Tally(), Tally()
    for t in (right, wrong):
        t.add("exits", "exact", "", 4)
    wrong.is_new("exits", "exact total", 0)
    found = Stretches.open({"seed": 1}, path)
    found.add("0 to 1", right)
    found.add("1 to 2", wrong)
    assert json.loads(path.read_text())["wrong"] == {"exits": 1}
    assert list(Stretches.open({"seed": 1}, path).done) == ["0 to 1"]


@pytest.mark.parametrize("number", range(6))
def test_damaged_ir_ends_in_one_line(number: int, tmp_path: Path) -> None:
    outcome = robust.case("damaged", number, _SEED, tmp_path)
    assert outcome.fault is None, outcome


@pytest.mark.skipif(shutil.which("csmith") is None, reason="needs csmith")
@pytest.mark.parametrize(
    "number", [0, 1, *(pytest.param(k, marks=pytest.mark.slow) for k in range(2, 12))]
)
def test_a_random_program_ends_in_no_traceback(number: int, tmp_path: Path) -> None:
    outcome = robust.case("csmith", number, _SEED, tmp_path)
    assert outcome.fault is None, outcome


@pytest.mark.parametrize(
    ("verb", "code", "errors", "fault"),
    [
        ("analyze", 0, "", None),
        ("analyze", 2, "looplaw: a.ll: no IR\n", None),
        ("analyze", 2, "looplaw: a\nlooplaw: b\n", "an error in 2 lines"),
        ("analyze", -11, "", "ended by signal 11"),
        ("analyze", 1, "Traceback (most recent call last):\n", "traceback"),
        ("verify", 1, "", "a wrong count"),
        ("plan", 99, "", "exit code 99"),
        ("plan", -14, "", "no end"),
    ],
)
def test_faults_are_told_from_answers(verb: str, code: int, errors: str, fault: str | None) -> None:
    assert robust.fault_of(verb, code, errors) == fault
