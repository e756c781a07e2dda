"""Every constant of the default fitter has a name and a reason, and takes effect where it is
passed."""

from __future__ import annotations

import ast
import dataclasses
import pickle
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import modeling
from modeling import Measurements, Series, fit
from modeling import settings as module
from modeling.settings import DEFAULT, Settings, at

ROOMS = ("evidence", "search", "fitter", "least_squares")
PACKAGE = Path(modeling.__file__).parent
FILES = sorted(
    file for room in ROOMS for file in (PACKAGE / room).glob("*.py") if file.name != "settings.py"
)
ALLOWED = {0, 1, -1, 2, 0.5}
"""Numbers that mean themselves: neutral elements, halves, squares, array axes."""
ELSEWHERE = {
    # where warnings point to, names that scikit-learn lists, its usual level of an interval
    "estimator.py": {0.9, 3, 4, 5},
    # sets of three factors
    "single_parameter.py": {3},
}
X = 2.0 ** np.arange(3, 9)


@pytest.mark.parametrize("file", FILES, ids=lambda f: f"{f.parent.name}/{f.name}")
def test_numbers_stand_in_the_settings_alone(file: Path) -> None:
    allowed = ALLOWED | ELSEWHERE.get(file.name, set())
    found = [
        (node.lineno, node.value)
        for node in ast.walk(ast.parse(file.read_text()))
        if isinstance(node, ast.Constant)
        and type(node.value) in (int, float)
        and node.value not in allowed
    ]
    assert found == []


def documented(body: list[ast.stmt]) -> Iterator[tuple[str, str | None]]:
    """Names that are assigned, each with the text below it."""
    for statement, after in zip(body, [*body[1:], ast.Pass()], strict=True):
        if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
            is_text = isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant)
            yield statement.target.id, str(after.value.value) if is_text else None


def test_every_setting_says_what_it_trades() -> None:
    files = Path(module.__file__).parent.glob("*.py")
    trees = [ast.parse(file.read_text()) for file in files]
    classes = [node for tree in trees for node in tree.body if isinstance(node, ast.ClassDef)]
    assert len(classes) >= 14
    count = 0
    for node in classes:
        assert ast.get_docstring(node)
        for name, text in documented(node.body):
            count += 1
            assert text, f"{node.name}.{name} has no docstring"
            assert len(text) > 10
    assert count >= 124


def test_settings_are_values() -> None:
    assert Settings() == DEFAULT
    assert hash(Settings()) == hash(DEFAULT)
    assert pickle.loads(pickle.dumps(DEFAULT)) == DEFAULT  # noqa: S301 (our own bytes)
    for part in dataclasses.fields(DEFAULT):
        with pytest.raises(dataclasses.FrozenInstanceError):
            setattr(getattr(DEFAULT, part.name), dataclasses.fields(Settings)[0].name, 1)
    assert [at((5, 6), place) for place in (0, 1, 2, 9)] == [5, 6, 6, 6]


def test_settings_take_effect_where_they_are_passed() -> None:
    series = Series.from_values("f", "time", ("x",), X[:, None], 3 * X**1.5 + 2)
    half = dataclasses.replace(
        DEFAULT, dictionary=dataclasses.replace(DEFAULT.dictionary, denominators=(0.0,))
    )
    data = Measurements((series,))
    usual, whole = (fit(data, settings=s).models[0] for s in (DEFAULT, half))
    assert [str(t) for _, t in usual.terms] == ["x**(3/2)"]
    assert all(i.denominator == 1 for _, t in whole.terms for _, i, _ in t.factors)
    few = dataclasses.replace(DEFAULT, report=dataclasses.replace(DEFAULT.report, rivals=1))
    noisy = Series.from_values(
        "f", "time", ("x",), X[:4, None], 3 * X[:4] * np.array([1.1, 0.9, 1.2, 0.85])
    )
    many, one = (
        len(fit(Measurements((noisy,)), settings=s).models[0].rivals) for s in (DEFAULT, few)
    )
    assert many > one == 1
