"""Formulas of counts get a value in one place, `AssumedFormula`, which keeps what they assume."""

from __future__ import annotations

import ast
from pathlib import Path

from tests.places import ROOT

READERS = {
    "check/evidence.py": "models",
    "cli/commands/models/scaling.py": "asks for symbols",
    "cli/fitting/proved_work.py": "asks how proved laws grow",
    "cli/fitting/ranks.py": "rules of users",
    "cli/fitting/scaling_laws.py": "models",
    "editor/texts.py": "writes formulas",
    "gate/judging.py": "writes formulas, and asks for their symbols",
    "gate/program.py": "asks whether a term is subtracted",
    "history/changes.py": "models",
    "laws/binding.py": "formulas of counts that runs made",
    "laws/formula_reading.py": "reads into exact formulas",
    "laws/law_terms.py": "writes formulas",
    "laws/priors.py": "laws of users",
    "pytest_plugin/growth.py": "laws of users",
    "report/conditions.py": "writes conditions",
    "report/exports_table.py": "asks how formulas grow",
    "report/formulas.py": "writes formulas",
    "report/html.py": "asks for symbols",
    "report/kernel_text.py": "sizes of launches, which assume nothing",
    "report/readable.py": "writes formulas",
    "studies/launched.py": "sizes of launches, which users state",
    "studies/time_laws.py": "counts of the runs that it was fitted to",
}
"""Modules that read formulas without what they assume, and what for."""
VERDICTS = (
    "gate/stated.py",
    "gate/stated_runs.py",
    "check/laws_toml.py",
    "laws/answer.py",
    "editor/behind_calls.py",
    "editor/stated_laws.py",
    "cli/commands/check.py",
)


def calls(path: Path, names: set[str]) -> bool:
    """Does a module call one of these functions?"""
    return any(
        isinstance(node, ast.Call)
        and (getattr(node.func, "id", None) or getattr(node.func, "attr", None)) in names
        for node in ast.walk(ast.parse(path.read_text()))
    )


def test_who_reads_a_formula_without_its_assumptions_says_why() -> None:
    folder = ROOT / "looplaw"
    found = {
        str(path.relative_to(folder))
        for path in folder.rglob("*.py")
        if calls(path, {"parse_formula", "exact_formula", "sympify"})
    }
    assert found - {"documents/count.py"} == READERS.keys()


def test_verdicts_know_no_formula_without_its_assumptions() -> None:
    """Whoever says that a law holds has nothing else to evaluate."""
    for name in VERDICTS:
        text = (ROOT / "looplaw" / name).read_text()
        assert "parse_formula" not in text, name
