"""The page draws intervals with the constants of the package."""

from __future__ import annotations

from pathlib import Path

import looplaw
from modeling.settings import INTERVAL


def test_laws_of_time_end_as_often_in_the_page() -> None:
    script = Path(looplaw.__file__).parent / "report" / "page" / "model.js"
    expected = (
        f"const UNSEEN = {{ rate: {INTERVAL.unseen_rate}, shift: {INTERVAL.unseen_shift},"
        f" spread: {INTERVAL.unseen_spread} }};"
    )
    assert expected in script.read_text()
    values, terms = (
        ", ".join(f"{v:g}" for v in of) for of in (INTERVAL.open_values, INTERVAL.open_terms)
    )
    assert f"const OPEN = {{ values: [{values}], terms: [{terms}] }};" in script.read_text()
