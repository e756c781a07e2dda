"""No exact formula and no bound is contradicted by a run, whatever a program does to deceive.

An assumption that is listed with a count may excuse it for a vector that breaks the assumption:
a relation of parameters that is not true, or an error exit or exception that is taken.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from .oracle import Deceiver, judged

PROGRAMS = Path(__file__).parent / "programs"


@pytest.mark.parametrize("path", sorted(PROGRAMS.glob("*.c*")), ids=lambda p: p.stem)
def test_no_claim_is_wrong(path: Path, tmp_path: Path) -> None:
    analysis, wrong = judged(Deceiver.read(path), tmp_path)
    assert analysis.loops
    assert not [str(w) for w in wrong]
