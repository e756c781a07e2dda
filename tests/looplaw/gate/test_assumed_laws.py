"""Laws are held where the formula's assumptions hold, and nowhere else."""

import json
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner, Result

from looplaw.cli.main import main
from looplaw.documents.study import StudyDocument
from looplaw.gate.stated_runs import hold_in_study
from modeling.pmnf.assumed_formula import Assumed, AssumedFormula
from modeling.pmnf.law_comparison import compare_laws


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)


def check(text: str, *words: str) -> Result:
    Path("a.c").write_text(text)
    return CliRunner().invoke(main, ["check", "a.c", *words])


def finding(done: Result) -> dict[str, object]:
    found: dict[str, object] = json.loads(done.stdout)["findings"][0]
    return found


FALLING = """\
static volatile unsigned s;
// looplaw: work <= {law}
void drain(unsigned char level) {{ for (unsigned char left = level; left > 1; left -= 3) s++; }}
"""
WRAPPED = """\
static volatile unsigned s;
// looplaw: work <= 63
void fade(unsigned char tone) { while ((unsigned char)(tone * 52) != 0) { tone--; s++; } }
"""
FIRST = """\
static volatile unsigned s;
// looplaw: work <= len
{stated}
void pairs(unsigned short len) {{ for (unsigned i = 0; i < len - 1u; i++) s++; }}
"""


def test_a_law_holds_where_the_formula_does_and_the_rest_is_open() -> None:
    """2 becomes 255 in the first iteration: 86 iterations, where the law allows 2."""
    done = check(FALLING.format(law="level"), "--json", "-")
    found = finding(done)
    assert (done.exit_code, found["status"]) == (3, "holds where")
    (where,) = found["where"]
    assert [
        AssumedFormula.read("0", Assumed.of([where])).evaluate({"level": n}) for n in (1, 2)
    ] == [0, None]
    assert "nothing is known elsewhere" in check(FALLING.format(law="level")).stderr
    assert check(FALLING.format(law="level"), "--undecided", "pass").exit_code == 0


def test_a_counterexample_satisfies_the_assumptions_and_the_type() -> None:
    assert finding(check(WRAPPED, "--json", "-"))["status"] == "holds where"
    assert finding(check(FALLING.format(law=85), "--json", "-"))["status"] == "holds where"
    done = check(FALLING.format(law="floor(level/4) + 1"), "--json", "-")
    assert (done.exit_code, finding(done)["status"]) == (1, "broken")


def test_what_is_stated_closes_a_law() -> None:
    assert check(FIRST.format(stated="")).exit_code == 3
    done = check(FIRST.format(stated="// looplaw: len >= 1"), "--json", "-")
    assert (done.exit_code, finding(done)["status"]) == (0, "holds")


def test_growth_is_held_where_assumptions_hold() -> None:
    text = WRAPPED.replace("work <= 63", "grows no faster than tone")
    assert check(text).exit_code == 3


def test_growth_outside_of_assumptions_is_no_growth() -> None:
    wide = AssumedFormula.read("n**2", Assumed.of(["n >= 1"]))
    narrow = AssumedFormula.read("n**2", Assumed.of(["n + m <= 3", "n - m >= 4"]))
    before = AssumedFormula.read("n + m")
    assert compare_laws(before, wide).faster == ("n",)
    none = compare_laws(before, narrow)
    assert none.faster == ()
    assert "no such values were found" in str(none.reason)


def test_a_run_that_breaks_a_law_breaks_it_whatever_the_formula_says() -> None:
    assumed = "level - 3*floor((level + 1)/3) >= 0"
    total = {
        "kind": "exact",
        "formula": "floor((level + 1)/3)",
        "assumptions": [assumed],
        "assumed": [{"kind": "values", "text": assumed, "formula": assumed}],
    }
    counted = [
        {"params": {"level": 1}, "iterations": 0, "predicted": 0, "equal": True},
        {"params": {"level": 2}, "iterations": 86},
    ]
    loop = {"at": "a.c:2:5", "function": "main", "total": total, "counted": counted}
    text = "// looplaw: work <= level\nint main(int c, char **v) {\n}\n"
    study = msgspec.convert(
        {
            "runs": [{"params": {"level": n}} for n in (1, 2)],
            "loops": [{**loop, "obeys": "yes", "verdict": "obeys"}],
            "functions": [{"name": "main", "file": "a.c", "line": 2, "work": total}],
            "sources": [{"file": "a.c", "text": text}],
        },
        StudyDocument,
    )
    (found,) = hold_in_study(study)
    assert found.status == "broken", found.reason
    assert "86 at level=2" in found.reason
    assert [c.params for c in study.loops[0].unjudged] == [{"level": 2}]
